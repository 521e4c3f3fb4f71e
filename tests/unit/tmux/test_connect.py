"""How a client in control mode comes to be attached, on clients made of shell script."""

import re
import warnings
from pathlib import Path

import pytest

from tests.unit.tmux.clients import ECHO, program
from tests.unit.tmux.piped import PipedClient
from tmuxprim import TmuxServerError, TmuxTimeoutError
from tmuxprim._tmux.commands import call
from tmuxprim._tmux.connection import take
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.transport import ControlTransport

GOOD = f"greet; {ECHO}"
SHOW = call(("display-message", "-p", "x"))
ATTACHED = '"display-message" "-p" "x"\n'
SPAWNED = "spawned\n"


def transport(tmux: Path, *, is_required: bool = True, timeout: float = 5.0) -> ControlTransport:
    """Return a transport whose tmux is a script."""
    spawn = SubprocessTransport(Prefix((), (str(tmux),)), timeout)
    return ControlTransport(spawn, is_required=is_required)


def test_a_client_is_attached_once(tmp_path: Path) -> None:
    """And told where to sit, and asked whether it hears."""
    control = transport(program(tmp_path, attach=f'echo "$*" >>words; {GOOD}'))
    assert [control.run(SHOW), control.run(SHOW)] == [ATTACHED] * 2
    control.close()
    words = "-N -C attach-session -E -f ignore-size,no-output,no-detach-on-destroy -t $1\n"
    assert (tmp_path / "words").read_text() == words


@pytest.mark.parametrize("sessions", ["true", "echo no server running on x >&2; exit 1"])
def test_without_a_session_there_is_nothing_to_attach_to(tmp_path: Path, sessions: str) -> None:
    """A client is started for each call, and it is tried again each time, without a word."""
    directory = tmp_path
    tried = f"[ ! -f there ] || {{ echo '0 0 $1 0 3.3a'; exit; }}; {sessions}"
    control = transport(program(directory, attach=GOOD, sessions=tried))
    assert control.run(SHOW) == SPAWNED
    (directory / "there").touch()
    assert (control.run(SHOW), control.name) == (ATTACHED, "control")
    control.close()


@pytest.mark.parametrize(
    ("attach", "said"),
    [
        (
            "echo 'tmux: unknown option -- N' >&2; echo 'usage: tmux' >&2; exit 1",
            "unknown option -- N",
        ),
        ("block 1 0 'unknown flag -f' error; echo %exit", "unknown flag -f"),
        ("exit 1", "the client ended"),
        ("greet; echo %exit", "detached"),
        ("greet; exec <&-; echo %exit input is closed", "input is closed"),
        ("greet; ask; answer 'unknown command' error", "unknown command"),
        # It answers before it has attached the client; see `tmuxprim._tmux.connection`.
        ("ask; answer; sleep 0.1; block 1 0 'unknown flag -f' error", "unknown flag -f"),
    ],
)
def test_a_tmux_that_cannot_is_told_once(tmp_path: Path, attach: str, said: str) -> None:
    """It is too old, or its launcher lets no input through; then clients are started."""
    control = transport(program(tmp_path, attach=f"echo >>tried; {attach}"))
    with pytest.warns(RuntimeWarning, match=f"tmux said: (tmux: |.*said '|){re.escape(said)}"):
        assert control.run(SHOW) == SPAWNED
    assert [control.run(SHOW), control.name] == [SPAWNED, "subprocess"]
    assert (tmp_path / "tried").read_text() == "\n"


@pytest.mark.parametrize("failure", ["exit 255", "kill -9 $$"])
def test_an_ssh_that_fails_once_is_tried_again(tmp_path: Path, failure: str) -> None:
    """It says nothing of the tmux over there; meanwhile a client is started."""
    tmux = program(tmp_path, attach=f"[ -e again ] || {{ touch again; {failure}; }}; {GOOD}")
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\nshift; eval exec "$*"\n')
    ssh.chmod(0o755)
    spawn = SubprocessTransport(Prefix((str(ssh), "host"), (str(tmux),)), 5.0)
    control = ControlTransport(spawn, is_required=True)
    assert (control.run(SHOW), control.name) == (SPAWNED, "control")
    assert (control.run(SHOW), control.name) == (ATTACHED, "control")
    control.close()


@pytest.mark.parametrize(
    ("sessions", "name"),
    [
        ("0 0 $1 0 3.5a", "subprocess"),
        ("0 0 $1 0 3.6", "control"),
        ("0 0 $1 0 next-3.8", "control"),
        ("0 0 $1 1 3.3a", "control"),
    ],
)
def test_auto_attaches_where_that_is_safe(tmp_path: Path, sessions: str, name: str) -> None:
    """To tmux 3.6 or later, and to servers that we have started; by name, to every other, too."""
    tmux = program(tmp_path, attach=GOOD, sessions=f"echo '{sessions}'")
    control = transport(tmux, is_required=False)
    assert control.run(SHOW) == (ATTACHED if name == "control" else SPAWNED)
    assert control.name == name
    control.close()
    insisting = transport(tmux)
    assert (insisting.run(SHOW), insisting.name) == (ATTACHED, "control")
    insisting.close()


def test_one_that_is_not_asked_for_is_not_missed(tmp_path: Path) -> None:
    """With "auto" there is no warning."""
    control = transport(program(tmp_path, attach="exit 1"), is_required=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert control.run(SHOW) == SPAWNED
    assert control.name == "subprocess"


def test_a_warning_that_is_an_error_is_raised_once(tmp_path: Path) -> None:
    """The next call goes on."""
    control = transport(program(tmp_path, attach="exit 1"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            control.run(SHOW)
        assert control.run(SHOW) == SPAWNED


def test_sessions_that_would_end_with_the_client_are_none(tmp_path: Path) -> None:
    """Nobody's session is ended by a client that leaves it."""
    control = transport(program(tmp_path, attach=GOOD, sessions="echo '0 1 $1 0 3.3a'"))
    with pytest.warns(RuntimeWarning, match="destroy-unattached"):
        assert control.run(SHOW) == SPAWNED


@pytest.mark.parametrize(
    "attach",
    [
        "block 1 0 \"can't find session: \\$1\" error; echo '%exit'",
        "echo 'no server running on x' >&2; exit 1",
        "echo '%exit server exited'",
    ],
)
@pytest.mark.parametrize(
    "after", ["echo '0 0 $2 0 3.3a'", "echo no server running on x >&2; exit 1"]
)
def test_a_session_that_is_just_leaving_is_no_fault(
    tmp_path: Path, attach: str, after: str
) -> None:
    """It is gone afterwards: a client is started for this call, the next one connects."""
    sessions = f"if [ -d tried ]; then {after}; else echo '0 0 $1 0 3.3a'; fi"
    attach = f"if mkdir tried; then {attach}; else {GOOD}; fi 2>&1"
    control = transport(program(tmp_path, attach=attach, sessions=sessions))
    assert (control.run(SHOW), control.name) == (SPAWNED, "control")
    assert control.run(SHOW) == (ATTACHED if "$2" in after else SPAWNED)
    control.close()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("attach", ["exec sleep 60", "greet; exec sleep 60"])
def test_silence_is_a_timeout(tmp_path: Path, attach: str) -> None:
    """Nothing is known of a server that does not answer, so it is tried again."""
    tmux = program(tmp_path, attach=f"[ -f awake ] || {{ {attach}; }}; {GOOD}")
    control = transport(tmux, timeout=1.0)
    with pytest.raises(TmuxTimeoutError, match="The command was attach-session in control mode"):
        control.run(SHOW)
    (tmp_path / "awake").touch()
    assert control.run(SHOW) == ATTACHED
    control.close()


def test_a_server_that_goes_in_between_is_told(tmp_path: Path) -> None:
    """What the client that is started instead says is what the caller gets."""
    sessions = "if mkdir listed; then echo '0 0 $1 0 3.3a'; else echo lost server >&2; exit 1; fi"
    other = "echo no server running on x >&2; exit 1"
    control = transport(program(tmp_path, attach="exit 1", other=other, sessions=sessions))
    with pytest.raises(TmuxServerError, match="no server running on x"):
        control.run(SHOW)


def test_news_are_no_answers() -> None:
    """They come from a tmux, too, whose turn never comes to answer; then time is to run out."""
    client = PipedClient()
    link = client.link
    assert take(link.stream, link.client) is None
    for news in ("%window-renamed @1 vi\n%begin 1 2 0\n%end 1 2 0\n", "%begin 1 3 1"):
        client.say(news)
        assert take(link.stream, link.client) is False
    for answer in ("\nhalf", " of it\n%end 1 3 1\n%window-renamed @1 sh\n"):
        client.say(answer)
        assert take(link.stream, link.client)
    client.say("%window-renamed @1 vi\n")
    assert take(link.stream, link.client) is False
    client.close()
