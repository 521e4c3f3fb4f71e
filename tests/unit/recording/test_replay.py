"""`ReplayTerminal` does again what was recorded; see `test_mismatch` for code that does not."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import attrs
import pytest

from tests.recordings.bash_session import PASSWORD, RECORDING, talk
from tests.unit.recording.sessions import fake_terminal, open_and_send, replay_open
from tmuxprim import (
    AsyncConsole,
    AsyncFakeTerminal,
    AsyncTerminal,
    Console,
    FakeTerminal,
    InvalidRecordingError,
    InvalidScreenError,
    Outcome,
    Pane,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    Size,
    Terminal,
    TmuxCommandError,
)
from tmuxprim.testing import (
    RecordingTerminal,
    ReplayTerminal,
    ScriptedShell,
    question,
)

T = TypeVar("T")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a path for a recording."""
    return tmp_path / "session.jsonl"


def both(path: Path, act: Callable[[Terminal], T], fake: FakeTerminal | None = None) -> tuple[T, T]:
    """Return what comes of *act* on a fake, and when that is played back."""
    recorded = act(RecordingTerminal(fake or fake_terminal(), path))
    replay = ReplayTerminal(path)
    replayed = act(replay)
    replay.assert_finished()
    return recorded, replayed


def work(terminal: Terminal) -> list[object]:
    """Do a bit of everything, and return all that is seen."""
    console = Console(terminal, terminal.open("sh", size=Size(30, 8), name="shared"))
    seen: list[object] = [console.wait_ready()]
    seen += [console.run(command) for command in ("date", "count", "date")]
    for text in ("rm", "yes", "login", "hunter2", "make"):
        seen += [console.send(text), console.wait_ready(timeout=2.0)]
    seen += [console.wait_for("done", timeout=60.0), console.wait_ready(), console.read(7)]
    terminal.resize(console.pane, Size(20, 6))
    seen += [terminal.observe(console.pane), terminal.panes(), terminal.resolve(Pane("shared"))]
    seen += [console.send("exit"), console.wait_ready()]
    terminal.close(console.pane)
    return [*seen, terminal.panes()]


def test_the_same_code_sees_the_same(path: Path) -> None:
    """Every outcome, reason, screen, output and mark; virtual time is exact, so also each time."""
    recorded, replayed = both(path, work)
    assert replayed == recorded


def test_without_evidence(path: Path) -> None:
    """So it is when only the screen can tell; when a bell rang is not recorded, so times differ."""
    shell = ScriptedShell({"date": "Sunday", "rm": question("Remove? ")})
    fake = FakeTerminal(programs={"sh": shell}, evidence=False)

    def act(terminal: Terminal) -> list[object]:
        console = Console(terminal, terminal.open())
        readiness = [console.run("date").readiness, (console.send("rm"), console.wait_ready())[1]]
        return [attrs.evolve(one, elapsed=0.0) for one in readiness]

    recorded, replayed = both(path, act, fake)
    assert replayed == recorded


def test_a_real_bash() -> None:
    """A session that was recorded once is played back on any machine, tmux or not."""
    replay = ReplayTerminal(RECORDING)
    seen = talk(replay)
    replay.assert_finished()
    numbers = "".join(f"{number}\n" for number in range(1, 41))
    assert seen[:5] == [str(Outcome.PROMPT), "hi\n", numbers, "", ""]
    assert seen[5:8] == [
        "a program reads a line and does nothing else, after 'Sure?'",
        "a line is read unseen: 'Password:'",
        f"{len(PASSWORD)} letters for yes\n",
    ]
    assert seen[8].startswith("timed out after 0.1 s")
    assert seen[9] == "'done' is on the screen"
    assert seen[-1] == str(Outcome.EXITED)


def test_a_password_is_not_in_the_recording() -> None:
    """Any text will do in its place."""
    assert PASSWORD not in RECORDING.read_text()
    replay = ReplayTerminal(RECORDING)
    talk(replay, password="something else")  # noqa: S106  # that is the point
    replay.assert_finished()


def make(terminal: Terminal) -> str:
    """Make, and wait until it is done."""
    console = Console(terminal, terminal.open())
    console.wait_ready()
    console.send("make")
    console.wait_ready(60.0)
    return console.read()


async def make_async(terminal: AsyncTerminal) -> str:
    """Do the same as `make`."""
    console = AsyncConsole(terminal, await terminal.open())
    await console.wait_ready()
    await console.send("make")
    await console.wait_ready(60.0)
    return await console.read()


def test_async_code_sees_the_same(path: Path) -> None:
    """Nobody has to record it in another way; its waits end at the same virtual time."""
    recorded, _ = both(path, make)
    replays = ReplayTerminal(path), ReplayTerminal(path)
    make(replays[0])
    # The fake for asyncio needs no more of a fake than what a replay has.
    terminal = AsyncFakeTerminal(replays[1])
    assert asyncio.run(make_async(terminal)) == recorded
    replays[1].assert_finished()
    assert replays[1].clock.now() == replays[0].clock.now()


def test_a_bell_calls_when_something_changes_next(path: Path) -> None:
    """At that time it has rung; once nothing more was recorded it is silent."""
    both(path, make)
    replay = ReplayTerminal(path)
    bell = replay.listen(replay.open())
    called: list[bool] = []
    with bell.calling(lambda: called.append(bell.wait(0.0))):
        replay.clock.sleep(60.0)
    assert called == [True]
    bell.wait(0.0)
    with bell.calling(lambda: called.append(bell.wait(0.0))):
        replay.clock.sleep(60.0)
    assert called == [True]


def test_a_bell_calls_for_its_own_pane_only(path: Path) -> None:
    """What changes elsewhere, or before it is listened to again, is nothing to it."""

    def two(terminal: Terminal) -> str:
        quiet = Console(terminal, terminal.open(name="quiet"))
        quiet.wait_ready()
        return make(terminal)

    both(path, two)
    replay = ReplayTerminal(path)
    quiet = Console(replay, replay.open(name="quiet"))
    quiet.wait_ready()
    console = Console(replay, replay.open())
    console.wait_ready()
    console.send("make")
    bell = replay.listen(quiet.pane)
    called: list[float] = []
    with bell.calling(lambda: called.append(replay.clock.now())):
        replay.clock.sleep(60.0)
    with bell.calling(lambda: called.append(replay.clock.now())):
        pass
    replay.clock.sleep(60.0)
    assert called == []


def test_waiting_is_virtual(path: Path) -> None:
    """The screen changes with the virtual clock, not with the looks."""
    both(path, make)
    replay = ReplayTerminal(path)
    console = Console(replay, replay.open())
    console.wait_ready()
    console.send("make")
    replay.clock.sleep(5.1)
    assert "50%" in console.read()
    assert "done" not in console.read()
    replay.clock.sleep(3600.0)
    assert "done" in console.read()


def test_a_bell_rings_when_something_changes(path: Path) -> None:
    """At that very time, or not within the time that was given."""
    both(path, make)
    replay = ReplayTerminal(path)
    console = Console(replay, replay.open())
    console.wait_ready()
    console.send("make")
    replay.clock.sleep(1.0)
    bell = replay.listen(console.pane)
    began = replay.clock.now()
    assert not bell.wait(1.0)
    assert replay.clock.now() == began + 1.0
    assert bell.wait(60.0)
    # A change is dated between the last silence of the bell, a tenth of the time, and the look.
    assert 3.7 <= replay.clock.now() - began < 5.0
    bell.close()


@pytest.mark.parametrize("mode", ["copy-mode", "dead", "gone"])
def test_errors_are_raised_again(path: Path, mode: str) -> None:
    """Of the same class, with the same message."""
    fake = fake_terminal()
    fake.remain_on_exit = mode != "gone"

    def act(terminal: Terminal) -> list[object]:
        terminal.open()
        console = Console(terminal, terminal.open(name="shared"))
        console.wait_ready()
        if mode == "copy-mode":
            fake.set_mode(console.pane, mode)
        else:
            seen = [console.send("exit"), console.wait_ready()]
        with pytest.raises((PaneBusyError, PaneDeadError, PaneNotFoundError)) as raised:
            console.send("ls")
        seen = [str(raised.value), raised.type]
        if mode == "gone":
            with pytest.raises(PaneNotFoundError):
                terminal.listen(console.pane)
        else:
            with pytest.raises(TmuxCommandError) as refused:
                terminal.open(name="shared")
            seen += [str(refused.value)]
        return seen

    recorded, replayed = both(path, act, fake)
    assert replayed == recorded


def test_what_can_do_without(path: Path) -> None:
    """No evidence is an answer, an id is its own, and a bell need not ring."""
    open_and_send(RecordingTerminal(FakeTerminal(), path))
    replay = ReplayTerminal(path)
    pane = replay_open(replay)
    assert replay.probe(pane) is None
    assert replay.resolve(pane) == pane
    assert not replay.listen(pane).wait(1.0)
    # What was there right before the next action is the best that is known.
    assert replay.observe(pane).rows == ("",) * 5


def test_history_that_is_not_there(path: Path) -> None:
    """As much as was recorded is shown, and it says what is missing."""

    def act(terminal: Terminal) -> Console:
        console = Console(terminal, terminal.open(size=Size(30, 8)))
        console.wait_ready()
        console.send("count")
        console.wait_ready()
        console.read(20)
        return console

    _, replayed = both(path, act)
    text = replayed.read(50)
    assert text.startswith("(30 rows of the history are not in the recording)\n73\n74")
    assert replayed.read(20).startswith("73\n74")
    assert replayed.read(3).startswith("90\n91")


def test_history_of_less_than_nothing(path: Path) -> None:
    """It is refused as any terminal does."""
    open_and_send(RecordingTerminal(FakeTerminal(), path))
    replay = ReplayTerminal(path)
    with pytest.raises(InvalidScreenError):
        replay.observe(replay_open(replay), history=-1)


def test_no_answer_where_one_is_due(path: Path) -> None:
    """A file that was changed by hand is found out where it matters."""
    open_and_send(RecordingTerminal(FakeTerminal(), path))
    path.write_text(path.read_text().replace('"answer": "%0"', '"answer": null'))
    with pytest.raises(InvalidRecordingError, match="has a Pane for its answer, got None"):
        replay_open(ReplayTerminal(path))
