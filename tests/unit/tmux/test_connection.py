"""A connection that threads share, on clients made of shell script."""

import os
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.unit.tmux.clients import ECHO, client, link
from tmuxprim import Pane, TmuxCommandError, TmuxTimeoutError
from tmuxprim._tmux.commands import action, call
from tmuxprim._tmux.connection import (
    PANES,
    AttachedClient,
    Connection,
    attach,
    is_only_pane,
    pick_session,
)
from tmuxprim._tmux.control import ConnectionClosedError, Stream

BIG = call(("display-message", "x" * 100_000))


def show(word: str = "x") -> str:
    """Return the line that `call` of these words is."""
    return f'"display-message" "-p" "{word}"\n'


def ask(connection: Connection, word: str = "x") -> str:
    """Ask something."""
    return connection.run(call(("display-message", "-p", word)))


def connected(script: str, timeout: float = 5.0) -> Connection:
    """Return a connection to a script."""
    return Connection(link(script), timeout)


def fifo(directory: Path, name: str = "go") -> Path:
    """Make a named pipe, at which a script and a test wait for each other."""
    path = directory / name
    os.mkfifo(path)
    return path


def test_each_is_answered() -> None:
    """Question by question, on one client."""
    connection = connected(f"greet; {ECHO}")
    assert [ask(connection, word) for word in "abc"] == [show("a"), show("b"), show("c")]
    connection.close()


def test_a_refusal_is_raised() -> None:
    """And the next question is answered."""
    connection = connected("greet; ask; answer no error; ask; answer yes")
    with pytest.raises(TmuxCommandError, match="said 'no'"):
        ask(connection)
    assert ask(connection) == "yes\n"
    connection.close()


def test_silence_is_a_timeout_and_a_late_answer_nobodys(tmp_path: Path) -> None:
    """An answer that comes too late is not given to the next question."""
    go = fifo(tmp_path)
    connection = connected(f"greet; ask; read x <{go}; answer late; {ECHO}", timeout=1.0)
    with pytest.raises(TmuxTimeoutError, match=r"within 1 s.*'display-message' '-p' 'first'"):
        ask(connection, "first")
    go.write_text("\n")
    assert ask(connection, "second") == show("second")
    connection.close()


@pytest.mark.usefixtures("impatient")
def test_silence_ends_a_connection_that_may_be_gone_for_good() -> None:
    """Who asks next is told so at once, and that nothing was sent."""
    far = Connection(link("greet; exec sleep 60"), 0.1, ends_in_silence=True)
    with pytest.raises(TmuxTimeoutError):
        ask(far)
    assert far.is_over
    with pytest.raises(ConnectionClosedError, match="did not answer in time") as caught:
        ask(far)
    assert not caught.value.was_sent
    far.close()


@pytest.mark.usefixtures("impatient")
def test_a_queue_takes_its_time(tmp_path: Path) -> None:
    """While tmux answers one call after another, none of those behind is too late."""
    asked = fifo(tmp_path, "asked")
    calls = 5
    slowly = f"{'ask; ' * calls} echo >{asked}; {'sleep 0.25; answer yes; ' * calls}"
    connection = connected(f"greet; {slowly} cat >/dev/null", timeout=1.2)
    with ThreadPoolExecutor(calls) as pool:
        answers = [pool.submit(ask, connection) for _ in range(calls)]
        asked.read_text()
        assert {answer.result(30.0) for answer in answers} == {"yes\n"}
    connection.close()


@pytest.mark.usefixtures("impatient")
def test_a_client_that_takes_no_more_ends_the_connection() -> None:
    """A line that was begun cannot be taken back."""
    connection = connected("greet; exec sleep 60", timeout=0.2)
    with pytest.raises(TmuxTimeoutError):
        connection.run(BIG)
    assert connection.is_over
    with pytest.raises(ConnectionClosedError) as caught:
        ask(connection)
    assert (caught.value.reason, caught.value.was_sent) == (
        "a command was not written to its end",
        False,
    )
    connection.close()


def test_a_long_line_is_written_bit_by_bit() -> None:
    """While the client reads it."""
    connection = connected("greet; while ask; do answer ${#line}; done")
    assert connection.run(BIG) == "100020\n"
    connection.close()


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ("printf '%%begin 7 2 1\\nhalf\\n'", "the client ended"),
        ("printf '%%exit too far behind\\n'", "too far behind"),
        ("echo %exit", "detached"),
    ],
)
def test_an_end_before_the_answer(says: str, reason: str) -> None:
    """Who asks is told why, and that it may have been done."""
    connection = connected(f"greet; ask; {says}")
    with pytest.raises(ConnectionClosedError) as caught:
        ask(connection)
    assert (caught.value.reason, caught.value.was_sent) == (reason, True)
    assert connection.is_over
    connection.close()


def test_an_end_while_nobody_asks_sends_nothing() -> None:
    """It is seen before anything is written."""
    ended = link("greet; echo %exit")
    while ended.client.wait_for_output(30.0) and ended.stream.ended is None:
        ended.stream.feed(ended.client.read() or b"")
    connection = Connection(ended, 5.0)
    with pytest.raises(ConnectionClosedError) as caught:
        ask(connection)
    assert not caught.value.was_sent
    connection.close()


@pytest.mark.usefixtures("impatient")
def test_a_closed_input_is_an_end_that_got_nothing() -> None:
    """What it said before is taken in: others may have been answered."""
    unavailable = link("exec <&-; greet; exec sleep 60")
    assert unavailable.client.wait_for_output(30.0)
    connection = Connection(unavailable, 5.0)
    with pytest.raises(ConnectionClosedError) as caught:
        connection.run(action(("send-keys", "x")))
    assert (caught.value.reason, caught.value.was_sent) == ("the client ended", False)
    assert unavailable.stream.greeting.is_done
    connection.close()


def test_threads_are_answered_each_its_own() -> None:
    """One thread reads, and gives each waiting thread its answer."""
    connection = connected(f"greet; {ECHO}")
    words = [f"word{number}" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda word: ask(connection, word), words))
    assert answers == [show(word) for word in words]
    connection.close()


def test_closing_waits_for_those_who_have_asked(tmp_path: Path) -> None:
    """They are answered; who asks from then on is told that nothing was sent."""
    asked, go = fifo(tmp_path, "asked"), fifo(tmp_path)
    connection = connected(f"greet; ask; echo >{asked}; read x <{go}; answer yes; cat")
    closed: threading.Event = vars(connection)["_is_closed"]
    with ThreadPoolExecutor(2) as pool:
        answer = pool.submit(ask, connection)
        asked.read_text()
        closing = pool.submit(connection.close)
        assert closed.wait(30.0)
        with pytest.raises(ConnectionClosedError) as caught:
            ask(connection)
        assert (caught.value.reason, caught.value.was_sent) == ("it was closed", False)
        go.write_text("\n")
        assert answer.result(30.0) == "yes\n"
        closing.result(30.0)


def test_who_cannot_get_its_turn_is_too_late() -> None:
    """A thread that is stuck makes no other one wait for longer than it may; nor does closing."""
    connection = connected(f"greet; {ECHO}", timeout=0.05)
    turn: threading.Condition = vars(connection)["_turn"]
    with turn, ThreadPoolExecutor(1) as pool:
        with pytest.raises(TmuxTimeoutError):
            pool.submit(ask, connection).result(30.0)
        pool.submit(connection.drain).result(30.0)
        pool.submit(connection.close).result(30.0)
    with pytest.raises(ConnectionClosedError):
        ask(connection)


@pytest.mark.usefixtures("impatient")
def test_who_waits_for_another_to_read_is_too_late() -> None:
    """Each has a deadline of its own."""
    connection = connected("greet; exec sleep 60", timeout=0.05)
    vars(connection)["_is_being_read"] = True
    with pytest.raises(TmuxTimeoutError):
        ask(connection)
    connection.close()


def interrupt(*_: object) -> bytes:
    """Do what Ctrl-C does."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("method", ["read", "write"])
def test_an_interrupt_ends_what_it_tears(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a line or a lost answer would make all later answers wrong."""
    torn = link(f"greet; {ECHO}")
    connection = Connection(torn, 5.0)
    monkeypatch.setattr(torn.client, method, interrupt)
    with pytest.raises(KeyboardInterrupt):
        ask(connection)
    assert connection.is_over
    connection.close()


def test_an_interrupt_while_one_waits_tears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer comes to nobody, and the connection stays."""
    whole = link(f"greet; {ECHO}")
    connection = Connection(whole, 5.0)
    monkeypatch.setattr(whole.client, "wait_for_output", interrupt)
    with pytest.raises(KeyboardInterrupt):
        ask(connection, "a")
    monkeypatch.undo()
    assert ask(connection, "b") == show("b")
    connection.close()


def test_one_that_another_thread_ended_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What there is to read may be another file's by then."""
    ended = link(f"greet; {ECHO}")
    connection = Connection(ended, 5.0)

    def end(_seconds: float) -> bool:
        ended.stream.end("elsewhere")
        return True

    monkeypatch.setattr(ended.client, "wait_for_output", end)
    with pytest.raises(ConnectionClosedError, match="elsewhere"):
        ask(connection)
    connection.close()


def test_what_comes_while_nobody_asks_is_taken_in(tmp_path: Path) -> None:
    """News are read, all there are, and so is the end."""
    go = fifo(tmp_path)
    idle = link(f"greet; read x <{go}; yes %window-add | head -n 20000; echo %exit bye")
    connection = Connection(idle, 5.0)
    go.write_text("\n")
    while not connection.is_over:
        assert idle.client.wait_for_output(30.0)
        connection.drain()
    assert idle.stream.ended == "bye"
    connection.close()


def test_no_other_thread_takes_what_one_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits in the kernel would not be woken for it, and wait until its time is up."""
    busy = link(f"greet; {ECHO}")
    connection = Connection(busy, 5.0)
    says = busy.client.wait_for_output
    is_still_there = []

    def drained_meanwhile(seconds: float) -> bool:
        assert says(seconds)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(connection.drain).result(30.0)
        is_still_there.append(says(0.0))
        return True

    monkeypatch.setattr(busy.client, "wait_for_output", drained_meanwhile)
    assert ask(connection) == show()
    assert all(is_still_there)
    assert is_still_there
    connection.close()


def test_a_thread_drains_as_long_as_there_is_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds the connection only while it does so."""
    monkeypatch.setattr("tmuxprim._tmux.connection._DRAIN_EVERY", 0.001)
    drained, resume = threading.Event(), threading.Event()

    class Watched(Connection):
        def drain(self) -> None:
            drained.set()
            resume.wait(30.0)

    connection = Watched(AttachedClient(client(f"greet; {ECHO}"), Stream()), 5.0)
    assert drained.wait(30.0)
    thread: threading.Thread = vars(connection)["_drain"]
    gone = weakref.ref(connection)
    del connection
    resume.set()
    thread.join(30.0)
    assert not thread.is_alive()
    assert gone() is None


def test_closing_twice_is_closing(tmp_path: Path) -> None:
    """The second time there is nothing to do."""
    connection = connected(f"greet; {ECHO}; echo left >{tmp_path}/left")
    connection.close()
    connection.close()
    assert (tmp_path / "left").read_text() == "left\n"


# Which session a client in control mode sits in.


@pytest.mark.parametrize(
    ("sessions", "picked"),
    [
        ("", None),
        ("0 0 $1\n0 0 $2\n", "$1"),
        ("1 0 $1\n0 0 $2\n", "$2"),
        ("1 off $1\n2 off $2\n", "$1"),
        ("0 1 $1\n", None),
        ("0 on $1\n0 keep-last $2\n0 keep-group $3\n", None),
        ("0 1 $1\n1 0 $2\n", "$2"),
        ("1 1 $1\n", "$1"),
        ("1 1 $1\n1 0 $2\n", "$2"),
        ("1 on $1\n0 off $2\n", "$2"),
    ],
)
def test_a_session_is_picked_that_is_not_changed_by_it(sessions: str, picked: str | None) -> None:
    """One that nobody watches before one that is watched; none that would end, or not end."""
    told = sessions.replace("\n", " 0 3.3a\n")
    assert pick_session(told) == picked


@pytest.mark.parametrize(
    ("panes", "is_last"), [("%1\n", True), ("%1\n%2\n", False), ("%2\n", False), ("", False)]
)
def test_a_session_ends_with_its_last_pane(panes: str, *, is_last: bool) -> None:
    """And with no other."""
    assert is_only_pane(Pane("%1"), panes) is is_last


def test_panes_are_listed_where_the_client_sits() -> None:
    """Without a target it is the client's session, which may have become another."""
    assert "-t" not in PANES.commands[0]


def test_a_client_attaches_without_a_trace() -> None:
    """No server is started, no environment overwritten, no window resized, no output sent."""
    words = attach("$3")
    assert words == (
        *("-N", "-C", "attach-session", "-E"),
        *("-f", "ignore-size,no-output,no-detach-on-destroy", "-t", "$3"),
    )
