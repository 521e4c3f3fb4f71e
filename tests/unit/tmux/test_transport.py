"""What carries a call: the connection, or a client of its own."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
import pytest

from tests.unit.tmux.clients import ECHO, program
from tmuxprim import Pane, PaneNotFoundError, TmuxServerError, TmuxTerminal, TmuxTimeoutError
from tmuxprim._tmux import _transport
from tmuxprim._tmux._call import Call, action, call
from tmuxprim._tmux._choice import TransportName, make_transport
from tmuxprim._tmux._client import ControlClient
from tmuxprim._tmux._connect import Link, connect
from tmuxprim._tmux._connection import Connection
from tmuxprim._tmux._launch import Prefix
from tmuxprim._tmux._subprocess import SubprocessTransport
from tmuxprim._tmux._transport import ControlTransport

GOOD = f"greet; {ECHO}"
SHOW = call(("display-message", "-p", "x"))
TYPE = action(("send-keys", "x"))
ATTACHED = '"display-message" "-p" "x"\n'
SPAWNED = "spawned\n"
# One that proves that it hears, and goes when it is asked something.
GOES = "greet; read -r a; answer; read -r a; echo %exit"


def transport(tmux: Path, *, launcher: tuple[str, ...] = ()) -> ControlTransport:
    """Return a transport whose tmux is a script."""
    return ControlTransport(SubprocessTransport(Prefix(launcher, (str(tmux),)), 5.0), warns=True)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("subprocess", SubprocessTransport),
        ("control", ControlTransport),
        ("auto", ControlTransport),
    ],
)
def test_a_transport_has_a_name(name: TransportName, kind: type) -> None:
    """Nothing is started yet, and ending it is nothing."""
    made = make_transport(name, Prefix((), ("tmux",)), 5.0)
    assert type(made) is kind
    assert made.name == ("subprocess" if name == "subprocess" else "control")
    made.close()


def test_another_name_is_refused() -> None:
    """By telling which there are."""
    with pytest.raises(ValueError, match="is one of subprocess, control, auto, got 'x'"):
        TmuxTerminal(transport="x")  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize("call_", [attrs.evolve(SHOW, stdin=b"x"), action(("new-session", "-d"))])
def test_some_calls_need_a_client_of_their_own(tmp_path: Path, call_: Call) -> None:
    """Standard input is a client's, and so are the folder and the PATH of a new session."""
    control = transport(program(tmp_path, attach=GOOD))
    assert control.run(call_) == SPAWNED
    assert control.run(SHOW) == ATTACHED
    control.close()


def test_it_connects_before_a_pane_is_opened(tmp_path: Path) -> None:
    """The pane's program may end at once, which is news; a buffer is none."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    control.run(attrs.evolve(SHOW, stdin=b"x"))
    assert not (tmp_path / "attached").exists()
    control.run(action(("start-server",), ("new-session", "-d")))
    assert (tmp_path / "attached").read_text() == "\n"
    control.close()


def test_it_connects_anew_after_it_was_closed(tmp_path: Path) -> None:
    """Disconnecting is no end of the terminal."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    for _ in range(2):
        assert control.run(SHOW) == ATTACHED
        control.close()
        control.close()
    assert (tmp_path / "attached").read_text() == "\n\n"


def test_it_connects_anew_after_the_client_has_gone(tmp_path: Path) -> None:
    """The call that was on its way is repeated by a client of its own."""
    attach = f"if mkdir gone; then {GOES}; else {GOOD}; fi 2>/dev/null"
    control = transport(program(tmp_path, attach=attach))
    assert [control.run(SHOW), control.run(SHOW)] == [SPAWNED, ATTACHED]
    control.close()


ASKED = 'case "$*" in *show-environment*) {} ;; *) echo spawned ;; esac'


@pytest.mark.parametrize("answer", ["echo X=0", "echo unknown variable: X >&2; exit 1"])
def test_what_was_not_done_is_done_by_another_client(tmp_path: Path, answer: str) -> None:
    """The server holds no receipt of it."""
    tmux = program(tmp_path, attach=GOES, other=ASKED.format(answer))
    assert transport(tmux).run(TYPE) == SPAWNED


@pytest.mark.parametrize("number", [1, 2])
def test_what_was_done_is_not_done_again(tmp_path: Path, number: int) -> None:
    """Its receipt is there, or that of a later one; only its answer is lost."""
    tmux = program(tmp_path, attach=GOES, other=ASKED.format(f"echo X={number}"))
    with pytest.raises(TmuxServerError) as caught:
        transport(tmux).run(TYPE)
    assert str(caught.value) == (
        "the connection to tmux ended (detached) when it had been done and before it was "
        "answered: do not do it again"
    )


def test_nobody_can_tell_what_a_server_did_that_is_gone(tmp_path: Path) -> None:
    """That there is none is what the caller is told."""
    gone = ASKED.format("echo no server running on x >&2; exit 1")
    with pytest.raises(TmuxServerError, match="no server running on x"):
        transport(program(tmp_path, attach=GOES, other=gone)).run(TYPE)


def test_behind_a_launcher_nobody_can_tell(tmp_path: Path) -> None:
    """The launcher may have ended sooner than the client behind it."""
    tmux = program(tmp_path, attach=GOES)
    with pytest.raises(TmuxServerError) as caught:
        transport(tmux, launcher=("env",)).run(TYPE)
    assert str(caught.value) == (
        "the connection to tmux ended (detached) before it answered; nobody knows whether it was "
        "done: look before you do it again"
    )
    assert transport(tmux, launcher=("env",)).run(SHOW) == SPAWNED


def closing(pane: str) -> Call:
    """Return the call that closes a pane."""
    return Call((("kill-pane", "-t", pane),), ends=Pane(pane))


@pytest.mark.parametrize(
    ("pane", "carried_by"), [("%1", SPAWNED), ("%2", '"kill-pane" "-t" "%2"\n')]
)
def test_the_client_leaves_before_its_session_ends(
    tmp_path: Path, pane: str, carried_by: str
) -> None:
    """The last pane of the session that it sits in is killed by another one."""
    panes = f"greet; read -r a; answer; read -r a; answer %1; {ECHO}; echo left >left"
    control = transport(program(tmp_path, attach=panes))
    assert control.run(closing(pane)) == carried_by
    assert (tmp_path / "left").exists() is (pane == "%1")
    control.close()


def test_a_session_that_has_ended_has_no_last_pane(tmp_path: Path) -> None:
    """The client is told of that while it asks; then another one kills the pane."""
    assert transport(program(tmp_path, attach=GOES)).run(closing("%1")) == SPAWNED


def test_a_refusal_is_raised(tmp_path: Path) -> None:
    """And is no reason to do it once more."""
    refusing = 'greet; read -r a; answer; read -r a; answer "can\'t find pane: %9" error; cat'
    control = transport(program(tmp_path, attach=refusing))
    with pytest.raises(PaneNotFoundError):
        control.run(SHOW)
    control.close()


def test_threads_connect_once(tmp_path: Path) -> None:
    """Those who come at the same time share one client."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(control.run, [SHOW] * 40)) == {ATTACHED}
    control.close()
    assert (tmp_path / "attached").read_text() == "\n"


def test_who_waits_for_another_to_connect_is_too_late(tmp_path: Path) -> None:
    """A server that hangs keeps each thread no longer than it may."""
    tmux = program(tmp_path, attach=GOOD)
    control = ControlTransport(SubprocessTransport(Prefix((), (str(tmux),)), 0.05), warns=True)
    lock = vars(control)["_lock"]
    with lock, pytest.raises(TmuxTimeoutError):
        control.run(SHOW)


def test_who_waited_for_another_to_connect_is_connected(tmp_path: Path) -> None:
    """It takes what is there by then."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    lock = vars(control)["_lock"]
    with ThreadPoolExecutor(4) as pool:
        with lock:
            answers = [pool.submit(control.run, SHOW) for _ in range(4)]
        assert {answer.result(5.0) for answer in answers} == {ATTACHED}
    control.close()
    assert (tmp_path / "attached").read_text() == "\n"


def test_a_forked_process_has_a_client_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one there is answers its parent."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    control.run(SHOW)
    parents = vars(control)["_connection"]
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", os.getppid)
        control.close()
        assert not parents.is_over
        assert control.run(SHOW) == ATTACHED
        control.close()
    assert not parents.is_over
    parents.close()
    assert (tmp_path / "attached").read_text() == "\n\n"


def test_an_interrupted_call_takes_its_connection_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one makes another, with nothing of what may have been torn."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    control.run(SHOW)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Connection, "run", interrupt)
        with pytest.raises(KeyboardInterrupt):
            control.run(SHOW)
    assert control.run(SHOW) == ATTACHED
    control.close()
    assert (tmp_path / "attached").read_text() == "\n\n"


@pytest.mark.parametrize("asked", ["run", "close", "close and run"])
def test_a_signal_handler_in_the_middle_of_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """It would wait for the very call that waits for it; so it has a client of its own."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    control.run(SHOW)
    answers: list[str] = []
    says = ControlClient.says

    def interrupted(client: ControlClient, seconds: float) -> bool:
        monkeypatch.undo()
        if "close" in asked:
            control.close()
        if "run" in asked:
            answers.append(control.run(SHOW))
        return says(client, seconds)

    monkeypatch.setattr(ControlClient, "says", interrupted)
    assert control.run(SHOW) == ATTACHED
    assert answers == ([SPAWNED] if "run" in asked else [])
    assert (vars(control)["_connection"] is None) == ("close" in asked)
    assert control.run(SHOW) == ATTACHED
    control.close()


def test_an_error_that_a_signal_handler_lets_out_takes_the_connection_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes between any two steps of the call, as an interrupt does: a lock may stay held."""
    refusing = 'echo "can\'t find pane: %9" >&2; exit 1'
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}", other=refusing))
    control.run(SHOW)

    def interrupted(_client: ControlClient, _seconds: float) -> bool:
        vars(control)["_lock"].acquire()
        control.run(SHOW)
        raise AssertionError

    with monkeypatch.context() as patched:
        patched.setattr(ControlClient, "says", interrupted)
        with pytest.raises(PaneNotFoundError):
            control.run(SHOW)
    assert not vars(control)["_lock"].locked()
    assert control.run(SHOW) == ATTACHED
    control.close()
    assert (tmp_path / "attached").read_text() == "\n\n"


def test_an_interrupt_elsewhere_while_one_connects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who connects goes on with what it has made, and nobody else does."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))

    def interrupted(spawn: SubprocessTransport) -> Link | None:
        vars(ControlTransport)["_begin"](control)
        return connect(spawn)

    with monkeypatch.context() as patched:
        patched.setattr(_transport, "connect", interrupted)
        assert control.run(SHOW) == ATTACHED
    assert control.run(SHOW) == ATTACHED
    control.close()
    assert (tmp_path / "attached").read_text() == "\n\n"
