"""`ReplayMismatchError`: where the code does something else than was recorded."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.recordings.bash_session import PASSWORD
from tests.unit.recording.sessions import fake_terminal, open_and_send, replay_open
from tmuxprim import Console, FakeTerminal, KeySequence, Pane, Size, Terminal, TmuxprimError
from tmuxprim.errors import ReplayMismatchError
from tmuxprim.testing import RecordingTerminal, ReplayTerminal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a path for a recording."""
    return tmp_path / "session.jsonl"


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


def test_a_secret_is_not_told(path: Path) -> None:
    """Where the recorded keys belong to a secret, whatever they were."""

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
    assert "recorded: send(pane=%0, keys=C-c, secret=True)" in str(raised.value)
    assert "now:      send(pane=%0, keys='(hidden)' + Enter, secret=True)" in str(raised.value)


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
    """The first of them is told."""
    open_and_send(RecordingTerminal(FakeTerminal(), path))
    replay = ReplayTerminal(path)
    replay_open(replay)
    with pytest.raises(ReplayMismatchError) as raised:
        replay.assert_finished()
    assert str(raised.value) == (
        f"1 of 3 actions in {path} were done; the next is send(pane=%0, keys='date'); {ADVICE}"
    )
    assert repr(replay) == f"ReplayTerminal({str(path)!r}, 1 of 3 actions done)"


@pytest.mark.parametrize(
    ("snapshot", "told"),
    [
        (lambda replay: replay.observe(Pane("%0")), "observe(pane=%0)"),
        (lambda replay: replay.probe(Pane("%0")), "probe(pane=%0)"),
        (lambda replay: replay.panes(), "panes()"),
        (lambda replay: replay.resolve(Pane("shared")), "resolve(pane=shared)"),
    ],
)
def test_a_look_for_which_there_is_no_answer(
    path: Path, snapshot: Callable[[ReplayTerminal], object], told: str
) -> None:
    """What nobody looked at when it was recorded cannot be shown, and that is told."""
    terminal = RecordingTerminal(FakeTerminal(), path)
    terminal.close(terminal.open("sh"))
    replay = ReplayTerminal(path)
    replay.open("sh")
    with pytest.raises(ReplayMismatchError) as raised:
        snapshot(replay)
    assert str(raised.value) == (
        f"after action 1 nothing was recorded in {path} that answers {told}; "
        "record the session again"
    )
