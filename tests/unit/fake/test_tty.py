"""`FakeTty`: the line discipline that a fake program lives behind."""

from collections.abc import Callable

import attrs
import pytest

from tmuxprim import Size, TtyState
from tmuxprim._fake.display import Display
from tmuxprim.testing import (
    FakeClock,
    FakeTty,
    Interrupted,
    Program,
    ReadKey,
    ReadLine,
    Request,
    Run,
    Sleep,
)

REACTION = 0.01


@attrs.define
class Stage:
    """A program on a terminal of its own, and a clock to let it run."""

    tty: FakeTty
    clock: FakeClock

    def type(self, characters: str) -> None:
        """Type, and let the program react."""
        self.tty.type(characters)
        self.settle()

    def settle(self) -> None:
        """Let the program do all that takes no time."""
        self.clock.sleep(5 * REACTION)

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows of the screen that are not empty."""
        return tuple(row for row in self.tty.display.grid.rows if row)


def start(program: Program, size: Size | None = None) -> Stage:
    """Start a program and let it come to its first request."""
    clock = FakeClock()
    display = Display(size or Size(20, 5), 100)
    stage = Stage(
        FakeTty(program, "prog", pid=7, display=display, clock=clock, reaction=REACTION), clock
    )
    stage.settle()
    return stage


def collector(request: Request, got: list[str]) -> Program:
    """Return a program that makes one request over and over and notes the answers."""

    def run(tty: FakeTty) -> Run:
        tty.write("> ")
        while True:
            got.append((yield request))

    return run


def catcher(request: Request, error: type[Exception]) -> Program:
    """Return a program that survives *error* and says so."""

    def run(tty: FakeTty) -> Run:
        try:
            yield request
        except error:
            tty.write("caught")
        yield ReadLine()
        return 0

    return run


def once(request: Request, status: int | None = 0) -> Program:
    """Return a program that makes one request and ends."""

    def run(_tty: FakeTty) -> Run:
        yield request
        return status

    return run


def test_a_program_starts_a_moment_later() -> None:
    """Nothing is shown before the reaction time has passed."""
    clock, display = FakeClock(), Display(Size(20, 5), 100)
    program = collector(ReadLine(), [])
    FakeTty(program, "prog", pid=7, display=display, clock=clock, reaction=REACTION)
    clock.sleep(REACTION / 2)
    assert display.grid.rows[0] == ""
    clock.sleep(REACTION)
    assert display.grid.rows[0] == ">"


def test_a_line_that_is_not_shown() -> None:
    """Without echo the cursor stays behind the question (termios(3): ECHO without ECHONL)."""
    got: list[str] = []
    stage = start(collector(ReadLine(echo=False), got))
    stage.type("secret")
    assert stage.rows == (">",)
    stage.type("\r")
    assert (got, stage.tty.display.cursor.row) == (["secret"], 0)


def test_keys_come_one_by_one() -> None:
    """Escape sequences come whole, and nothing is echoed."""
    got: list[str] = []
    stage = start(collector(ReadKey(), got))
    stage.type("a\x1b[A\r\x03")
    assert got == ["a", "\x1b[A", "\r", "\x03"]
    assert stage.rows == (">",)


def test_a_line_editor_shows_early_text_again() -> None:
    """The kernel echoed it, and the editor echoes what it reads: it is there twice."""

    def run(tty: FakeTty) -> Run:
        yield Sleep(3.0)
        tty.write("\n$ ")
        yield ReadLine(raw=True)
        return 0

    stage = start(run)
    stage.type("ear")
    stage.clock.sleep(3.0)
    assert stage.rows == ("ear", "$ ear")


def test_a_flush_throws_early_text_away() -> None:
    """A whole line and half a line typed before the question are both lost."""
    got: list[str] = []

    def run(_tty: FakeTty) -> Run:
        yield Sleep(3.0)
        got.append((yield ReadLine(flush=True)))
        return 0

    stage = start(run)
    stage.type("early\rhalf")
    stage.clock.sleep(3.0)
    stage.type("late\r")
    assert got == ["late"]


@pytest.mark.parametrize("raw", [True, False])
def test_c_d_amid_a_line_is_nothing(*, raw: bool) -> None:
    """The line goes on."""
    got: list[str] = []
    stage = start(collector(ReadLine(raw=raw), got))
    stage.type("ha\x04lf\r")
    assert got == ["half"]


def test_raw_work_leaves_keys_alone() -> None:
    """A full-screen program that works has no echo, and C-c is a key to it."""
    got: list[str] = []

    def run(_tty: FakeTty) -> Run:
        yield Sleep(3.0, raw=True)
        while True:
            got.append((yield ReadKey()))

    stage = start(run)
    stage.type("q\x03")
    assert (got, stage.rows) == ([], ())
    stage.clock.sleep(3.0)
    assert got == ["q", "\x03"]


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        (Sleep(60.0), "^Ccaught"),
        (ReadLine(), "ab^Ccaught"),
        (ReadLine(raw=True), "ab^C"),
    ],
)
def test_c_c_interrupts(request_: Request, shown: str) -> None:
    """Work and both kinds of reading end with `Interrupted`, and what was typed is gone."""
    stage = start(catcher(request_, Interrupted))
    if isinstance(request_, ReadLine):
        stage.type("ab")
    stage.type("\x03")
    assert stage.rows[0] == shown
    assert stage.tty.is_alive
    assert "caught" in stage.rows[-1]


def test_an_interrupted_sleep_does_not_end_again() -> None:
    """When the time comes for which it was planned, nothing happens."""
    stage = start(catcher(Sleep(60.0), Interrupted))
    stage.type("\x03")
    stage.clock.sleep(120.0)
    assert stage.rows == ("^Ccaught",)
    assert stage.tty.is_alive


@pytest.mark.parametrize("raw", [True, False])
def test_c_d_on_an_empty_line_is_the_end_of_input(*, raw: bool) -> None:
    """It is raised as EOFError, as Python's own ``input()`` does."""
    stage = start(catcher(ReadLine(raw=raw), EOFError))
    stage.type("\x04")
    assert stage.rows == ("caught",)


@pytest.mark.parametrize(
    ("program", "typed", "status"),
    [
        (once(ReadLine(), 3), "x\r", 3),
        (once(ReadLine(), None), "x\r", 0),
        (once(ReadLine(raw=True)), "\x03", 130),
        (once(ReadLine()), "\x03", 130),
        (once(ReadLine()), "\x04", 1),
    ],
)
def test_a_program_ends_with_a_status(program: Program, typed: str, status: int) -> None:
    """It is what it returned, or what a shell would report of its death."""
    stage = start(program)
    assert stage.tty.exit_status is None
    stage.type(typed)
    assert not stage.tty.is_alive
    assert stage.tty.exit_status == status


@pytest.mark.parametrize("raw", [True, False])
def test_a_program_that_ended_reads_no_more(*, raw: bool) -> None:
    """What was typed ahead of its end is not its editor's, and what comes later is nobody's."""
    stage = start(once(ReadLine(raw=raw), 3))
    stage.type("one\rtwo\r" if raw else "one\r")
    stage.type("three\r")
    assert (stage.rows, stage.tty.exit_status) == (("one",), 3)


def test_a_hang_up_ends_a_program_where_it_waits() -> None:
    """Its ``finally`` is run, nothing of it happens later, and there is no status."""
    seen: list[str] = []

    def run(_tty: FakeTty) -> Run:
        try:
            yield Sleep(3.0)
            seen.append("went on")
        finally:
            seen.append("closed")
        return 0

    stage = start(run)
    stage.tty.hang_up()
    stage.clock.sleep(10.0)
    assert seen == ["closed"]
    assert (stage.tty.is_alive, stage.tty.exit_status) == (False, None)


def test_a_hang_up_before_the_start_leaves_no_status() -> None:
    """A program that never began has not ended well."""
    clock, display = FakeClock(), Display(Size(20, 5), 100)
    tty = FakeTty(once(Sleep(1.0)), "prog", pid=7, display=display, clock=clock, reaction=REACTION)
    tty.hang_up()
    clock.sleep(1.0)
    assert tty.exit_status is None


READING = TtyState(
    canonical=True,
    echo=True,
    foreground_pid=7,
    foreground_is_pane=True,
    reading=True,
    only_reading=True,
    line_limit=4095,
    reader_pid=7,
    wakeups=1,
    unread=0,
    edits=False,
    passes_on=False,
)
RAW = attrs.evolve(READING, canonical=False, echo=False)


@pytest.mark.parametrize(
    ("request_", "state"),
    [
        (ReadLine(), READING),
        (ReadLine(echo=False), attrs.evolve(READING, echo=False)),
        (ReadLine(raw=True), attrs.evolve(RAW, edits=True)),
        (ReadKey(), RAW),
        (
            Sleep(60.0),
            attrs.evolve(READING, reading=False, only_reading=False, reader_pid=None, wakeups=None),
        ),
        (
            Sleep(60.0, raw=True),
            attrs.evolve(
                RAW,
                reading=False,
                only_reading=False,
                reader_pid=None,
                wakeups=None,
                program="prog",
            ),
        ),
    ],
)
def test_the_state_is_what_the_kernel_would_tell(request_: Request, state: TtyState) -> None:
    """Line discipline and readers follow from what the program waits for."""
    stage = start(once(request_))
    assert stage.tty.state() == state


def test_input_is_unread_until_the_program_reacts() -> None:
    """Bytes are counted, nobody sleeps meanwhile, and the reader wakes up once."""
    stage = start(collector(ReadLine(raw=True), []))
    before = stage.tty.state()
    stage.tty.type("é日")
    assert (stage.tty.state().unread, stage.tty.state().reading) == (5, False)
    stage.settle()
    assert stage.tty.state() == attrs.evolve(before, wakeups=(before.wakeups or 0) + 1)


def test_only_whole_lines_are_unread_in_canonical_mode() -> None:
    """Half a line wakes nobody (FIONREAD counts it not)."""
    stage = start(collector(ReadLine(), []))
    stage.tty.type("half")
    assert (stage.tty.state().unread, stage.tty.state().reading) == (0, True)
    stage.tty.type("\r")
    assert (stage.tty.state().unread, stage.tty.state().reading) == (5, False)


def test_keys_typed_at_once_wake_a_reader_once() -> None:
    """More keys before it reacts change nothing."""
    got: list[str] = []
    stage = start(collector(ReadKey(), got))
    stage.tty.type("a")
    stage.tty.type("b")
    stage.settle()
    assert got == ["a", "b"]


@pytest.mark.parametrize("end", [lambda _: None, FakeTty.hang_up])
def test_a_child_has_the_terminal_for_a_while(end: Callable[[FakeTty], None]) -> None:
    """In ``foreground`` the command and the foreground process are the child's."""

    def run(tty: FakeTty) -> Run:
        with tty.foreground("make"):
            yield Sleep(3.0)
        yield ReadLine()
        return 0

    stage = start(run)
    state = stage.tty.state()
    assert (stage.tty.command, state.foreground_is_pane) == ("make", False)
    end(stage.tty)
    stage.clock.sleep(5.0)
    state = stage.tty.state()
    assert (stage.tty.command, state.foreground_is_pane) == ("prog", True)


def test_the_kernel_knows_no_escape_sequences() -> None:
    """In canonical mode Enter ends the line, also right after Escape."""
    got: list[str] = []
    stage = start(collector(ReadLine(), got))
    stage.type("a\x1b\r")
    assert got == ["a\x1b"]
