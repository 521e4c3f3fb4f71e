"""`ReplayTerminal` does again what was recorded; see `test_mismatch` for code that does not."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.recordings.bash_session import PASSWORD, RECORDING, talk
from tests.unit.recording.sessions import fake_terminal, open_and_send, replay_open
from tmuxprim import (
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    Screen,
    Size,
    Terminal,
    TmuxprimError,
)
from tmuxprim.errors import (
    InvalidRecordingError,
    InvalidScreenError,
    PaneExistsError,
    ReplayMismatchError,
    TapUnavailableError,
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


@pytest.mark.parametrize("asked", [True, False])
def test_shell_integration_is_played_to_who_asks_for_it(path: Path, *, asked: bool) -> None:
    """A recording without it is as it was before there was any."""
    RecordingTerminal(FakeTerminal(), path).open(shell_integration=asked)
    assert ("shell_integration" in path.read_text()) is asked
    ReplayTerminal(path).open(shell_integration=asked)
    with pytest.raises(ReplayMismatchError):
        ReplayTerminal(path).open(shell_integration=not asked)


def test_styles_are_played_to_who_asks_for_them(path: Path) -> None:
    """A snapshot that was not taken with styles is no answer to one that is."""

    def snapshot(terminal: Terminal) -> list[Screen]:
        pane = terminal.open("sh")
        terminal.clock.sleep(1.0)
        return [terminal.observe(pane, styled=styled) for styled in (True, False)]

    recorded, replayed = both(path, snapshot)
    assert replayed == recorded
    assert [screen.styles is None for screen in replayed] == [False, True]
    replay = ReplayTerminal(path)
    pane = replay.open("sh")
    assert [replay.observe(pane).styles for _ in range(2)] == [None, None]
    RecordingTerminal(fake := fake_terminal(), path).observe(fake.open("sh"))
    with pytest.raises(ReplayMismatchError, match="styled=True"):
        ReplayTerminal(path).observe(Pane("%0"), styled=True)


def test_without_evidence(path: Path) -> None:
    """The outcomes and screens are the same; what the shell's line editor wrote is not recorded."""
    shell = ScriptedShell({"date": "Sunday", "rm": question("Remove? ")})
    fake = FakeTerminal(programs={"sh": shell}, evidence=False)

    def act(terminal: Terminal) -> list[object]:
        console = Console(terminal, terminal.open())
        readiness = [console.run("date").readiness, (console.send("rm"), console.wait_ready())[1]]
        return [(one.outcome, one.screen) for one in readiness]

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
        "a program waits for a line, after 'Sure?'",
        "a program waits for a line that is not shown, after 'Password:'",
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


@pytest.fixture
def making(path: Path) -> tuple[ReplayTerminal, Console]:
    """Give a replay in which ``make`` has been typed, and runs for ten seconds."""
    make(RecordingTerminal(fake_terminal(), path))
    replay = ReplayTerminal(path)
    console = Console(replay, replay.open())
    console.wait_ready()
    console.send("make")
    return replay, console


def test_waiting_is_virtual(making: tuple[ReplayTerminal, Console]) -> None:
    """Code that has slept sees what was seen then, or next; afterwards what was seen last."""
    replay, console = making
    replay.clock.sleep(5.1)
    assert "50%" in console.read()
    for _ in range(2):
        replay.clock.sleep(3600.0)
        assert "done" in console.read()


def test_a_look_moves_time_on_to_when_it_was_recorded(
    making: tuple[ReplayTerminal, Console],
) -> None:
    """No answer comes before its time, nor a second one at the same time."""
    replay, console = making
    times = []
    while "done" not in console.read():
        times.append(replay.clock.now())
    assert times == sorted({*times})
    assert replay.clock.now() >= 10.0


def test_more_time_between_two_actions_delays_the_next_looks(path: Path) -> None:
    """What followed an action follows it as long after."""
    recorded, _ = both(path, make)
    replay = ReplayTerminal(path)
    replay.clock.sleep(3600.0)
    assert make(replay) == recorded
    assert 3610.0 < replay.clock.now() < 3700.0


def test_a_bell_rings_as_it_did(making: tuple[ReplayTerminal, Console]) -> None:
    """It may end sooner, as any bell, but never later; and it rings when something was written."""
    replay, console = making
    output_watch = replay.watch_output(console.pane)
    rings = []
    while replay.clock.now() < 20.0:
        before = replay.clock.now()
        if output_watch.wait(1.0):
            rings.append(replay.clock.now())
        assert replay.clock.now() <= before + 1.0
    assert [round(time) for time in rings] == [
        0,
        5,
        10,
    ]  # the echo of the command, and its two lines
    output_watch.close()


def test_a_bell_rings_when_the_pane_was_looked_at(path: Path) -> None:
    """The recorded program slept, and watched no output: another event made it look."""
    fake = fake_terminal()
    recording = RecordingTerminal(fake, path)
    pane = recording.open()
    fake.clock.sleep(2.0)
    recording.observe(pane)
    replay = ReplayTerminal(path)
    output_watch = replay.watch_output(replay.open())
    assert not output_watch.wait(1.0)
    assert output_watch.wait(60.0)
    assert replay.clock.now() == 2.0


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
                terminal.watch_output(console.pane)
        else:
            with pytest.raises(PaneExistsError) as refused:
                terminal.open(name="shared")
            seen += [str(refused.value)]
        return seen

    recorded, replayed = both(path, act, fake)
    assert replayed == recorded


def test_a_bell_that_was_not_recorded_does_not_ring(path: Path) -> None:
    """All its time passes."""
    open_and_send(RecordingTerminal(FakeTerminal(), path))
    replay = ReplayTerminal(path)
    assert not replay.watch_output(replay_open(replay)).wait(1.0)
    assert replay.clock.now() == 1.0


def test_history_that_is_not_there(path: Path) -> None:
    """A replay shows fewer rows than recorded; more rows are a mismatch, since they are unknown."""

    def act(terminal: Terminal) -> Console:
        console = Console(terminal, terminal.open(size=Size(30, 8)))
        console.wait_ready()
        console.send("count")
        console.wait_ready()
        console.read(20)
        return console

    _, replayed = both(path, act)
    assert replayed.read(20).startswith("73\n74")
    assert replayed.read(3).startswith("90\n91")
    with pytest.raises(ReplayMismatchError, match=r"that answers observe\(pane=%0, history=50\)"):
        replayed.read(50)


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
    with pytest.raises(InvalidRecordingError) as raised:
        replay_open(ReplayTerminal(path))
    assert str(raised.value) == (
        "open answers with a Pane, got None from the recording; record it again"
    )


def test_a_tap_is_handed_on_and_not_recorded(path: Path) -> None:
    """What was recorded tells what the screen showed."""
    terminal = RecordingTerminal(FakeTerminal(), path)
    console = Console(terminal, terminal.open())
    console.wait_ready()
    tap = terminal.tap(console.pane)
    console.run("echo one")
    assert "one\r\n" in tap.read()
    with pytest.raises(TapUnavailableError, match=r"the screens of pane %0, .*; observe\(\) shows"):
        ReplayTerminal(path).tap(Pane("%0"))


def test_the_keys_of_a_tap_are_recorded_as_sent(path: Path) -> None:
    """Where there is no tap in the replay, they are sent without."""
    recorded = RecordingTerminal(FakeTerminal(), path)
    for make in (lambda: recorded, lambda: ReplayTerminal(path)):
        terminal: Terminal = make()
        console = Console(terminal, terminal.open())
        assert console.run("echo one").output == "one\n"
        assert console.run("echo two", all_output=True).output == "two\n"
        with pytest.raises(TmuxprimError):
            terminal.tap(Pane("%7"), KeySequence.text("x"))


# `ReplayMismatchError`: where the code does something else than was recorded.

ADVICE = "fix the code under test, or record the session again if it is meant to do that"
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
