"""What carries a call: the connection, or a client of its own."""

import asyncio
import os
import re
import stat
import threading
import time
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.control import eventually
from tests.unit.tmux.clients import ECHO, first_pane, program
from tests.unit.tmux.piped import ASK, CLOSE, DO, PipedClient
from tmuxprim import (
    Pane,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxServerError,
    TmuxTerminal,
    TmuxTimeoutError,
)
from tmuxprim._tmux.async_connection import (
    AsyncControlTransport,
    AsyncSubprocessTransport,
)
from tmuxprim._tmux.choice import TransportName, make_transport
from tmuxprim._tmux.client import ControlClient
from tmuxprim._tmux.commands import TmuxCall, action, call
from tmuxprim._tmux.connection import AttachedClient, Connection, NoControlModeError, connect, take
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.operations import Steps
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.transport import ControlTransport

GOOD = f"greet; {ECHO}"
SHOW = call(("display-message", "-p", "x"))
OPEN = TmuxCall((("new-session", "-d"),), is_repeatable=False, client_id="1")
TYPE = action(("send-keys", "x"))
ATTACHED = '"display-message" "-p" "x"\n'
SPAWNED = "spawned\n"
# One that proves that it hears, and goes when it is asked something.
GOES = "greet; ask; answer; ask; echo %exit"


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


@pytest.mark.parametrize("call_", [attrs.evolve(SHOW, stdin=b"x"), OPEN])
def test_some_calls_need_a_client_of_their_own(tmp_path: Path, call_: TmuxCall) -> None:
    """Standard input is a client's, and so are the directory and the PATH of a new session."""
    control = transport(program(tmp_path, attach=GOOD))
    assert control.run(call_) == SPAWNED
    assert control.run(SHOW) == ATTACHED
    control.close()


def test_it_connects_before_a_pane_is_opened(tmp_path: Path) -> None:
    """The pane's program may end at once, which is news; a buffer is none."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    control.run(attrs.evolve(SHOW, stdin=b"x"))
    assert not (tmp_path / "attached").exists()
    control.run(OPEN)
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


def test_nobody_can_tell_what_was_not_answered(tmp_path: Path) -> None:
    """What types is not done twice for that; what only asks is asked again."""
    tmux = program(tmp_path, attach=GOES)
    with pytest.raises(TmuxServerError) as caught:
        transport(tmux).run(TYPE)
    assert str(caught.value) == (
        "the connection to tmux ended (detached) before it answered; the command may or "
        "may not have been carried out: look at the pane before you repeat it"
    )
    assert transport(tmux).run(SHOW) == SPAWNED


def test_an_answer_to_another_question_is_nobodys(tmp_path: Path) -> None:
    """A question is asked again by another client; for typed keys the result is unknown."""
    other = 'ours wrong; ours "parse error: unknown command: ${mark}9" error; cat >/dev/null'
    tmux = program(tmp_path, attach=f"greet; ask; answer; ask; {other}")
    asking, typing = transport(tmux), transport(tmux)
    assert asking.run(SHOW) == SPAWNED
    with pytest.raises(TmuxServerError, match=r"another question.*may not have been carried out"):
        typing.run(TYPE)
    for control in (asking, typing):
        control.close()


def test_a_forked_process_has_a_client_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of its parent has the parent's answers; locks may be held for ever by its threads."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))
    control.run(SHOW)
    connection, lock = (vars(control)[name] for name in ("_connection", "_lock"))
    monkeypatch.setattr(os, "getpid", os.getppid)
    with lock:
        assert [control.run(SHOW), control.run(SHOW)] == [ATTACHED, ATTACHED]
    assert (tmp_path / "attached").read_text() == "\n\n"
    assert not connection.is_over
    control.close()
    connection.close()


def test_a_forked_process_disconnects_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parent goes on, and it does not wait for its parent's threads."""
    control = transport(program(tmp_path, attach=GOOD))
    control.run(SHOW)
    connection, lock = (vars(control)[name] for name in ("_connection", "_lock"))
    with monkeypatch.context() as forked, lock:
        forked.setattr(os, "getpid", os.getppid)
        control.close()
    assert connection.run(SHOW) == ATTACHED
    connection.close()


def test_a_call_that_interrupts_another_of_its_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of a signal handler: it has a client of its own, since that one may be half written.

    It cannot wait, either: only when it has returned can the other go on.
    """
    control = transport(program(tmp_path, attach=GOOD))
    control.run(SHOW)
    wait = ControlClient.wait_for_output
    answers = []

    def interrupted(client: ControlClient, seconds: float) -> bool:
        answers.append(control.run(TYPE))
        return wait(client, seconds)

    with monkeypatch.context() as patched:
        patched.setattr(ControlClient, "wait_for_output", interrupted)
        assert control.run(SHOW) == ATTACHED
    assert set(answers) == {SPAWNED}
    assert control.run(SHOW) == ATTACHED
    control.close()


def closing(pane: str) -> TmuxCall:
    """Return the call that closes a pane."""
    return TmuxCall((("kill-pane", "-t", pane),), ends=Pane(pane))


@pytest.mark.parametrize(
    ("pane", "carried_by"), [("%1", SPAWNED), ("%2", '"kill-pane" "-t" "%2"\n')]
)
def test_the_client_leaves_before_its_session_ends(
    tmp_path: Path, pane: str, carried_by: str
) -> None:
    """The last pane of the session that it sits in is killed by another one."""
    panes = f"greet; ask; answer; ask; answer %1; {ECHO}; echo left >left"
    control = transport(program(tmp_path, attach=panes))
    assert control.run(closing(pane)) == carried_by
    assert (tmp_path / "left").exists() is (pane == "%1")
    control.close()


def test_a_session_that_has_ended_has_no_last_pane(tmp_path: Path) -> None:
    """The client is told of that while it asks; then another one kills the pane."""
    assert transport(program(tmp_path, attach=GOES)).run(closing("%1")) == SPAWNED


def test_a_refusal_is_raised(tmp_path: Path) -> None:
    """And is no reason to do it once more."""
    refusing = 'greet; ask; answer; ask; answer "can\'t find pane: %9" error; cat'
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


def test_nobody_attaches_while_the_first_pane_is_opened(tmp_path: Path) -> None:
    """Some tmux crash of it. Once there is a client, panes are opened side by side."""
    control = transport(first_pane(tmp_path))
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(control.run, [OPEN] * 8)) == {SPAWNED}
    control.close()
    events = (tmp_path / "events").read_text().split()
    assert events[:3] == ["begin", "end", "attach"]
    assert events.count("attach") == 1


def test_nobody_attaches_while_a_session_ends(tmp_path: Path) -> None:
    """Some versions of tmux crash if a client attaches at that moment."""
    attach = f"echo attach >>events; greet; ask; answer; ask; answer %1; {ECHO}"
    kill = "echo begin >>events; mkdir killing; sleep 0.1; echo end >>events; echo spawned"
    control = transport(program(tmp_path, attach=attach, other=kill))
    with ThreadPoolExecutor(1) as pool:
        closed = pool.submit(control.run, closing("%1"))
        eventually((tmp_path / "killing").exists)
        assert control.run(SHOW) == "%1\n"
        assert closed.result(5.0) == SPAWNED
    control.close()
    assert (tmp_path / "events").read_text().split() == ["attach", "begin", "end", "attach"]


def test_who_waits_for_another_to_connect_is_too_late(tmp_path: Path) -> None:
    """A server that hangs keeps each thread no longer than it may."""
    tmux = program(tmp_path, attach=GOOD)
    control = ControlTransport(
        SubprocessTransport(Prefix((), (str(tmux),)), 0.05), is_required=True
    )
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


def test_an_interrupt_elsewhere_while_one_connects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who connects goes on with what it has made, and nobody else does."""
    control = transport(program(tmp_path, attach=f"echo >>attached; {GOOD}"))

    def interrupted(spawn: SubprocessTransport, *, is_required: bool) -> AttachedClient | None:
        vars(ControlTransport)["_drop"](control)
        return connect(spawn, is_required=is_required)

    with monkeypatch.context() as patched:
        patched.setattr("tmuxprim._tmux.transport.connect", interrupted)
        assert control.run(SHOW) == ATTACHED
    assert control.run(SHOW) == ATTACHED
    control.close()
    assert (tmp_path / "attached").read_text() == "\n\n"


# How a client in control mode comes to be attached, on clients made of shell script.


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
    """`auto` attaches to tmux 3.6 or later and to our own servers; `control` attaches to any."""
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


# The transports for asyncio, with clients made of shell script and connections of pipes.

LONG = 20.0  # seconds after which a test that hangs is ended


def spawning(
    directory: Path, script: str, *, timeout: float = LONG, launcher: str = ""
) -> SubprocessTransport:
    """Return what starts clients that are a shell script, if need be behind a launcher."""
    program = directory / "tmux"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return SubprocessTransport(Prefix(tuple(launcher.split()), (str(program),)), timeout)


def within_limit(go: Coroutine[Any, Any, object]) -> None:
    """Run a test on an event loop; it ends."""

    async def main() -> None:
        async with asyncio.timeout(LONG):
            await go
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


@attrs.define
class Connector:
    """Makes connections, as the test says: a client, an error, or nothing."""

    results: list[PipedClient | Exception | None]
    may_go_on: threading.Event = attrs.field(factory=threading.Event)
    count: int = 0

    def __call__(self, _spawn: SubprocessTransport, *, is_required: bool) -> AttachedClient | None:
        """Connect, as soon as the test lets it; the last result is that of all later calls."""
        self.count += 1
        assert is_required
        result = self.results[0] if len(self.results) == 1 else self.results.pop(0)
        assert self.may_go_on.wait(LONG)
        if isinstance(result, Exception):
            raise result
        return result.link if result else None


Control = Callable[..., tuple[AsyncControlTransport, Connector]]


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Control:
    """Give a maker of transports whose clients say ``client`` and note that they were there."""

    def make(
        *results: PipedClient | Exception | None,
    ) -> tuple[AsyncControlTransport, Connector]:
        spawn = spawning(tmp_path, f'echo "$@" >>{tmp_path}/calls; echo client')
        connector = Connector(list(results))
        connector.may_go_on.set()
        monkeypatch.setattr("tmuxprim._tmux.transport.connect", connector)
        return AsyncControlTransport(spawn, is_required=True), connector

    return make


def test_a_client_is_waited_for_by_a_thread(tmp_path: Path) -> None:
    """The event loop goes on meanwhile."""
    spawn = spawning(tmp_path, f"while ! [ -e {tmp_path}/go ]; do sleep 0.01; done; echo done")

    async def go() -> None:
        transport = AsyncSubprocessTransport(spawn)
        task = asyncio.create_task(transport.run(ASK))
        await asyncio.sleep(0)
        (tmp_path / "go").touch()
        assert await task == "done\n"
        assert transport.name == "subprocess"
        await transport.close()

    within_limit(go())


def test_waiting_for_a_thread_counts(tmp_path: Path) -> None:
    """With all threads taken by clients that hang, a call still ends in time."""
    spawn = spawning(tmp_path, "exec sleep 60", timeout=0.5)

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        transport = AsyncSubprocessTransport(spawn)
        began = time.monotonic()
        calls = (transport.run(ASK) for _ in range(20))
        errors = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(error) for error in errors} == {TmuxTimeoutError}
        assert all("within 0.5 s" in str(error) for error in errors)
        assert time.monotonic() - began < 5.0  # one after another takes 10 s

    within_limit(go())


@pytest.mark.parametrize("says", ["echo done", "echo no >&2; exit 1"])
def test_waiting_for_others_does_not_count(tmp_path: Path, says: str) -> None:
    """While tmux answers one call after another, even by refusals, none is too late."""
    spawn = spawning(tmp_path, f"sleep 0.1; {says}", timeout=1.1)

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        transport = AsyncSubprocessTransport(spawn)
        calls = (transport.run(ASK) for _ in range(12))
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(answer) for answer in answers} == {
            str if says == "echo done" else TmuxCommandError
        }

    within_limit(go())


def test_a_call_of_a_loop_that_was_closed_is_given_up(tmp_path: Path) -> None:
    """Nobody can cancel what it waits for, and nobody is told of that."""
    transport = AsyncSubprocessTransport(spawning(tmp_path, "echo done"))
    call = transport.run(ASK)
    loop = asyncio.new_event_loop()

    async def begin() -> None:
        call.send(None)

    loop.run_until_complete(begin())
    (worker,) = asyncio.all_tasks(loop)
    worker._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001  # it is
    loop.close()
    call.close()
    assert not worker.cancelled()


def test_a_call_that_is_cancelled_takes_no_thread(tmp_path: Path) -> None:
    """Who waits for one is no longer in the queue."""
    spawn = spawning(tmp_path, f"echo >>{tmp_path}/begun; while ! [ -e {tmp_path}/go ]; do :; done")

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        transport = AsyncSubprocessTransport(spawn)
        first, second = (asyncio.create_task(transport.run(ASK)) for _ in range(2))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        (tmp_path / "go").touch()
        await first
        assert (tmp_path / "begun").read_text() == "\n"

    within_limit(go())


def test_a_machine_that_hangs_takes_no_thread_of_anothers(tmp_path: Path) -> None:
    """Each has threads of its own, whatever the event loop has."""
    (tmp_path / "dead").mkdir()
    waits = f"while ! [ -e {tmp_path}/go ]; do sleep 0.01; done; echo late"
    dead = AsyncSubprocessTransport(spawning(tmp_path / "dead", waits, launcher="env"))
    alive = AsyncSubprocessTransport(spawning(tmp_path, "echo done", launcher="env"))

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        calls = [asyncio.create_task(dead.run(ASK)) for _ in range(20)]
        await asyncio.wait(calls, timeout=0.05)
        assert await alive.run(ASK) == "done\n"
        assert not any(task.done() for task in calls)
        (tmp_path / "go").touch()
        assert {*await asyncio.gather(*calls)} == {"late\n"}
        await dead.close()

    asyncio.run(go())


def test_a_transport_that_was_closed_has_threads_again(tmp_path: Path) -> None:
    """As it connects anew; closing what has none is nothing."""
    transport = AsyncSubprocessTransport(spawning(tmp_path, "echo done", launcher="env"))

    async def go() -> str:
        answer = await transport.run(ASK)
        await transport.close()
        await transport.close()
        return answer

    assert [asyncio.run(go()) for _ in range(2)] == ["done\n"] * 2


def test_steps_that_were_begun_are_ended(tmp_path: Path) -> None:
    """Also if nobody waits for it any more."""
    spawn = spawning(tmp_path, f"echo called >>{tmp_path}/calls")
    begun, may_go_on, is_over = (threading.Event() for _ in range(3))

    def steps() -> Steps[str]:
        begun.set()
        assert may_go_on.wait(LONG)
        yield ASK
        yield DO
        is_over.set()
        return "all"

    async def go() -> None:
        transport = AsyncSubprocessTransport(spawn)
        task = asyncio.create_task(transport.finish(steps()))
        assert await asyncio.to_thread(begun.wait, LONG)
        task.cancel()
        await asyncio.wait([task])
        may_go_on.set()
        assert await asyncio.to_thread(is_over.wait, LONG)
        assert await AsyncControlTransport(spawn, is_required=True).finish(steps()) == "all"

    within_limit(go())
    assert (tmp_path / "calls").read_text() == "called\n" * 4


def test_all_wait_for_one_connection(control: Control) -> None:
    """No task makes another connection; a cancelled task leaves it to the others."""
    client = PipedClient()
    transport, connector = control(client)
    connector.may_go_on.clear()

    async def go() -> None:
        tasks = [asyncio.create_task(transport.run(ASK)) for _ in range(10)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await asyncio.wait([tasks[0]])
        connector.may_go_on.set()
        await client.asked("display", 9)
        for _ in range(9):
            client.answer("x")
        assert await asyncio.gather(*tasks[1:]) == ["x\n"] * 9
        assert connector.count == 1
        assert transport.name == "control"
        await transport.close()
        assert client.is_closed

    within_limit(go())


def test_no_task_attaches_while_the_first_pane_is_opened(tmp_path: Path) -> None:
    """Some tmux crash of it. Once there is a client, panes are opened side by side."""
    tmux = Prefix((), (str(first_pane(tmp_path)),))
    transport = AsyncControlTransport(SubprocessTransport(tmux, LONG), is_required=True)

    async def go() -> None:
        opened = await asyncio.gather(*(transport.run(OPEN) for _ in range(8)))
        assert set(opened) == {"spawned\n"}
        await transport.close()

    within_limit(go())
    events = (tmp_path / "events").read_text().split()
    assert events[:3] == ["begin", "end", "attach"]
    assert events.count("attach") == 1


def test_a_connection_that_cannot_be_made_in_time(control: Control) -> None:
    """An error of all who wait for it; the next call tries again."""
    transport, connector = control(TmuxTimeoutError("hangs"), None)

    async def go() -> None:
        calls = (transport.run(ASK) for _ in range(10))
        errors = await asyncio.gather(*calls, return_exceptions=True)
        assert {str(error) for error in errors} == {"hangs"}
        assert connector.count == 1
        assert await transport.run(ASK) == "client\n"

    within_limit(go())


def test_no_control_mode(control: Control) -> None:
    """Then clients are started, and that is said once."""
    transport, connector = control(NoControlModeError("too old"))

    async def go() -> None:
        with pytest.warns(RuntimeWarning, match="no control mode.*too old") as caught:
            assert await transport.run(ASK) == "client\n"
        assert len(caught) == 1
        assert await transport.run(ASK) == "client\n"

    within_limit(go())
    assert connector.count == 1
    assert transport.name == "subprocess"


def test_what_is_read_from_standard_input(control: Control) -> None:
    """Takes a client of its own; there is nothing to connect for."""
    transport, connector = control(None)

    async def go() -> None:
        assert await transport.run(call(("load-buffer", "-"), stdin=b"x")) == "client\n"
        assert connector.count == 0
        await transport.close()

    within_limit(go())


def test_a_connection_that_ends(control: Control) -> None:
    """What may be done twice is; what may not is an error. The next call connects anew."""
    clients = [PipedClient(), PipedClient()]
    transport, connector = control(*clients)

    async def go() -> None:
        tasks = [asyncio.create_task(transport.run(one)) for one in (ASK, DO)]
        await clients[0].asked("send-keys")
        clients[0].leave()
        assert await tasks[0] == "client\n"
        with pytest.raises(TmuxServerError, match="look at the pane before you repeat it"):
            await tasks[1]
        again = asyncio.create_task(transport.run(ASK))
        await clients[1].asked("display")
        clients[1].answer("again")
        assert await again == "again\n"
        assert clients[0].is_closed
        assert connector.count == 2
        await transport.close()

    within_limit(go())


def test_a_session_that_ends_harms_nobody(control: Control) -> None:
    """The client leaves it first, when all are answered; what is asked then waits."""
    clients = [PipedClient(), PipedClient()]
    transport, connector = control(*clients)

    async def go() -> None:
        typing, closing = (asyncio.create_task(transport.run(one)) for one in (DO, CLOSE))
        await clients[0].asked("list-panes")
        clients[0].answer("typed")
        more = asyncio.create_task(transport.run(CLOSE))
        slow = asyncio.create_task(transport.run(DO))
        await asyncio.sleep(0)
        clients[0].answer("%0")
        for _ in range(9):
            await asyncio.sleep(0)
        later = asyncio.create_task(transport.run(DO))
        clients[0].answer("%0")
        clients[0].answer("slow")
        assert [await typing, await slow] == ["typed\n", "slow\n"]
        assert [await closing, await more] == ["client\n"] * 2
        assert clients[0].is_closed
        await clients[1].asked("send-keys")
        clients[1].answer("later")
        assert await later == "later\n"
        await transport.close()

    within_limit(go())
    assert connector.count == 2


def test_closing_while_a_session_is_ended(control: Control) -> None:
    """Nobody attaches before that has ended."""
    clients = [PipedClient(), PipedClient()]
    transport, _ = control(*clients)

    async def go() -> None:
        typing, ending = (asyncio.create_task(transport.run(one)) for one in (DO, CLOSE))
        await clients[0].asked("list-panes")
        clients[0].answer("typed")
        slow = asyncio.create_task(transport.run(DO))
        await asyncio.sleep(0)
        clients[0].answer("%0")
        await clients[0].asked("send-keys")
        closing = asyncio.create_task(transport.close())
        await asyncio.sleep(0)
        later = asyncio.create_task(transport.run(DO))
        clients[0].answer("slow")
        await clients[1].asked("send-keys")
        assert ending.done()
        clients[1].answer("later")
        assert [await typing, await slow, await later] == ["typed\n", "slow\n", "later\n"]
        await asyncio.gather(ending, closing)
        await transport.close()

    within_limit(go())


def test_a_session_that_goes_on(control: Control) -> None:
    """Where another pane stays, the client may."""
    client = PipedClient()
    transport, connector = control(client)

    async def go() -> None:
        task = asyncio.create_task(transport.run(CLOSE))
        await client.asked("list-panes")
        client.answer("%0\n%1")
        await client.asked("kill-pane")
        client.answer("killed")
        assert await task == "killed\n"
        await transport.close()

    within_limit(go())
    assert connector.count == 1


def test_closing_while_it_connects(control: Control) -> None:
    """What comes of it is closed, too, once it has answered."""
    client = PipedClient()
    transport, connector = control(client)
    connector.may_go_on.clear()

    async def go() -> None:
        asking = asyncio.create_task(transport.run(ASK))
        await asyncio.sleep(0)
        closing = asyncio.create_task(transport.close())
        await asyncio.sleep(0)
        connector.may_go_on.set()
        await client.asked("display", 1)
        assert not closing.done()
        client.answer("x")
        await closing
        assert await asking == "x\n"
        assert client.is_closed

    within_limit(go())
