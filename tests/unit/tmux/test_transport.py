"""What carries a call: the connection, or a client of its own."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
import pytest

from tests.control import eventually
from tests.unit.tmux.clients import ECHO, first_pane, program
from tmuxprim import Pane, PaneNotFoundError, TmuxServerError, TmuxTerminal, TmuxTimeoutError
from tmuxprim._tmux.choice import TransportName, make_transport
from tmuxprim._tmux.client import ControlClient
from tmuxprim._tmux.commands import TmuxCall, action, call
from tmuxprim._tmux.connection import AttachedClient, Connection, connect
from tmuxprim._tmux.launch import Prefix
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


def transport(tmux: Path) -> ControlTransport:
    """Return a transport whose tmux is a script."""
    return ControlTransport(SubprocessTransport(Prefix((), (str(tmux),)), 5.0), is_required=True)


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
        "the connection to tmux ended (detached) before it answered; nobody knows whether it was "
        "done: look before you do it again"
    )
    assert transport(tmux).run(SHOW) == SPAWNED


def test_an_answer_to_another_question_is_nobodys(tmp_path: Path) -> None:
    """What only asks is asked again by a client of its own; of what types nobody knows."""
    other = 'ours wrong; ours "parse error: unknown command: ${mark}9" error; cat >/dev/null'
    tmux = program(tmp_path, attach=f"greet; ask; answer; ask; {other}")
    asking, typing = transport(tmux), transport(tmux)
    assert asking.run(SHOW) == SPAWNED
    with pytest.raises(TmuxServerError, match=r"another question.*nobody knows whether it was"):
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
    """Some tmux crash of that, too."""
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
