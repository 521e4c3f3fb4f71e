"""`ReplayTerminal` does again what was recorded, and says where the code does something else."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import attrs
import pytest

from tests.recordings.bash_session import PASSWORD, RECORDING, talk
from tmuxprim import (
    Console,
    FakeTerminal,
    InvalidRecordingError,
    InvalidScreenError,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    ReplayMismatchError,
    Size,
    Terminal,
    TmuxCommandError,
    TmuxprimError,
)
from tmuxprim.testing import (
    RecordingTerminal,
    ReplayTerminal,
    ScriptedShell,
    after,
    password,
    question,
)

T = TypeVar("T")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a path for a recording."""
    return tmp_path / "session.jsonl"


def fake_terminal() -> FakeTerminal:
    """Return a terminal with all kinds of programs."""
    shell = ScriptedShell(
        {
            "date": "Sunday",
            "count": "\n".join(map(str, range(100))),
            "make": [after(5.0, "50%"), after(5.0, "done")],
            "rm": question("Remove? ", lambda answer: f"you said {answer}"),
            "login": password("Password: ", lambda typed: f"{len(typed)} letters"),
        }
    )
    return FakeTerminal(programs={"sh": shell}, remain_on_exit=True)


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


def open_and_send(terminal: Terminal) -> Console:
    """Open a pane and type two lines, without looking."""
    console = Console(terminal, terminal.open("sh", size=Size(40, 5)))
    terminal.send(console.pane, KeySequence.text("date"))
    terminal.send(console.pane, KeySequence.keys("Enter"), leave_mode=True)
    return console


ADVICE = "mend the code under test, or record the session again if it is meant to do that"
TYPED = "recorded: send(pane=%0, keys='date')"
DEVIATIONS: dict[str, tuple[Callable[[ReplayTerminal], object], str]] = {
    "recorded: open(command=sh, size=40x5)\n  now:      open(command=bash, size=80x24)": (
        lambda terminal: terminal.open("bash"),
        "action 1 of 3",
    ),
    f"{TYPED}\n  now:      send(pane=%0, keys='time')": (
        lambda terminal: terminal.send(replay_open(terminal), KeySequence.text("time")),
        "action 2 of 3",
    ),
    f"{TYPED}\n  now:      send(pane=%0, keys='date', leave_mode=True)": (
        lambda terminal: terminal.send(
            replay_open(terminal), KeySequence.text("date"), leave_mode=True
        ),
        "action 2 of 3",
    ),
    f"{TYPED}\n  now:      close(pane=%0)": (
        lambda terminal: terminal.close(replay_open(terminal)),
        "action 2 of 3",
    ),
    f"{TYPED}\n  now:      resize(pane=%0, size=9x9)": (
        lambda terminal: terminal.resize(replay_open(terminal), Size(9, 9)),
        "action 2 of 3",
    ),
    "recorded: nothing more\n  now:      send(pane=%0, keys=C-c)": (
        lambda terminal: terminal.send(open_and_send(terminal).pane, KeySequence.keys("C-c")),
        "action 4 of 3",
    ),
}


def replay_open(terminal: Terminal) -> Pane:
    """Open the pane as it was recorded."""
    return terminal.open("sh", size=Size(40, 5))


@pytest.mark.parametrize("told", DEVIATIONS)
def test_a_deviation(path: Path, told: str) -> None:
    """It is told which action it was, what was expected, what came, and what to do."""
    open_and_send(RecordingTerminal(FakeTerminal(), path))
    act, number = DEVIATIONS[told]
    with pytest.raises(ReplayMismatchError) as raised:
        act(ReplayTerminal(path))
    expected = f"{number} is not what was recorded in {path}\n  {told}\n{ADVICE}"
    assert str(raised.value) == expected
    assert isinstance(raised.value, AssertionError)


def test_a_secret_is_not_told_where_another_key_was_recorded(path: Path) -> None:
    """The screen asks for it, so it is one, whatever was pressed when it was recorded."""

    def ask(terminal: Terminal) -> Console:
        console = Console(terminal, terminal.open())
        console.wait_ready()
        console.send("login")
        console.wait_ready()
        return console

    ask(RecordingTerminal(fake_terminal(), path)).keys("C-c")
    replayed = ask(ReplayTerminal(path))
    with pytest.raises(ReplayMismatchError) as raised:
        replayed.keys(KeySequence.text(PASSWORD) + KeySequence.keys("Enter"))
    assert "recorded: send(pane=%0, keys=C-c)" in str(raised.value)
    assert "now:      send(pane=%0, keys='(hidden)' + Enter)" in str(raised.value)


def test_the_rest_of_a_secret_is_not_told(path: Path) -> None:
    """Which was typed in one go when it was recorded, and has not ended yet."""
    recording = RecordingTerminal(FakeTerminal(programs={"sh": question("API key: ")}), path)
    pane = recording.open()
    Console(recording, pane).wait_ready()
    for keys in (KeySequence.text("all"), KeySequence.keys("Enter")):
        recording.send(pane, keys)
    replay = ReplayTerminal(path)
    pane = replay.open()
    replay.send(pane, KeySequence.text("hun"))
    with pytest.raises(ReplayMismatchError, match=r"now: +send\(pane=%0, keys='\(hidden\)'\)"):
        replay.send(pane, KeySequence.text("ter2"))


def act_otherwise(replay: ReplayTerminal) -> None:
    """Type what was not recorded, and then close what was not."""
    pane = replay_open(replay)
    with contextlib.suppress(TmuxprimError):  # as a tool does that tells a model all errors
        replay.send(pane, KeySequence.text("time"))
    with contextlib.suppress(TmuxprimError):
        replay.close(pane)


def look_otherwise(replay: ReplayTerminal) -> None:
    """Do as was recorded, but look at what nobody looked at."""
    open_and_send(replay)
    with contextlib.suppress(TmuxprimError):
        replay.panes()


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (act_otherwise, r"action 2 of 3(?s:.)*now:      send\(pane=%0, keys='time'\)"),
        (look_otherwise, r"after action 3 nothing was recorded .* that answers panes\(\)"),
    ],
)
def test_a_mismatch_that_was_swallowed(
    path: Path, act: Callable[[ReplayTerminal], None], told: str
) -> None:
    """The first of them is told in the end, though the code under test has caught it."""
    open_and_send(RecordingTerminal(FakeTerminal(), path))
    replay = ReplayTerminal(path)
    act(replay)
    with pytest.raises(ReplayMismatchError, match=told):
        replay.assert_finished()


def test_actions_that_are_left_over(path: Path) -> None:
    """They are told, too, the first of them by name."""
    recording = RecordingTerminal(FakeTerminal(), path)
    pane = open_and_send(recording).pane
    replay = ReplayTerminal(path)
    replay_open(replay)
    with pytest.raises(ReplayMismatchError) as raised:
        replay.assert_finished()
    assert str(raised.value) == (
        f"2 of 3 actions in {path} were not done:\n  send(pane=%0, keys='date')\n"
        f"  send(pane=%0, keys=Enter, leave_mode=True)\n{ADVICE}"
    )
    assert repr(replay) == f"ReplayTerminal({str(path)!r}, 1 of 3 actions done)"
    for _ in range(4):
        recording.send(pane, KeySequence.keys("Up"))
    with pytest.raises(ReplayMismatchError, match=r"7 of 7 actions(?s:.)*\n  \.\.\.\n"):
        ReplayTerminal(path).assert_finished()


def test_a_look_for_which_there_is_no_answer(path: Path) -> None:
    """What nobody looked at when it was recorded cannot be shown, and that is told."""
    terminal = RecordingTerminal(FakeTerminal(), path)
    terminal.close(terminal.open("sh"))
    replay = ReplayTerminal(path)
    pane = replay.open("sh")
    with pytest.raises(ReplayMismatchError) as raised:
        replay.observe(pane)
    assert str(raised.value) == (
        f"after action 1 nothing was recorded in {path} that answers observe(%0): it was not asked "
        "then; record the session again"
    )
    with pytest.raises(ReplayMismatchError, match=r"answers panes\(\)"):
        replay.panes()
    with pytest.raises(ReplayMismatchError, match=r"answers resolve\(shared\)"):
        replay.resolve(Pane("shared"))


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
