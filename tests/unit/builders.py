"""Screens, kernel evidence and a terminal for tests of the pure core.

Each holds just enough for its test: a text with the cursor at its end, one of a few states of
the kernel's evidence, and a terminal that plays a script on a virtual clock.
"""

from typing import Unpack

import attrs

from tmuxprim import (
    Cursor,
    KeySequence,
    Mark,
    Pane,
    PaneInfo,
    PaneNotFoundError,
    Screen,
    Size,
    TtyState,
)
from tmuxprim._terminal import OpenOptions
from tmuxprim._values.checks import Command, refuse_if_unavailable
from tmuxprim._values.lines import text_columns
from tmuxprim._values.pane import SizeLike
from tmuxprim.readiness import Prompt
from tmuxprim.testing import FakeClock

SMALL = Size(40, 6)
PANE = Pane("%7")
LISTED = PaneInfo(
    target="%7",
    session="work",
    window=1,
    window_name="logs",
    index=0,
    size=Size(80, 24),
    command="tail",
    title="\u03bb",
    active=True,
    dead=False,
)

# A shell at its prompt, the command that it runs, and a program that reads a line.
AT_PROMPT = TtyState(
    canonical=False,
    echo=False,
    foreground_pid=10,
    foreground_is_pane=True,
    reading=True,
    only_reading=True,
    reader_pid=10,
    wakeups=5,
    unread=0,
)
RUNNING = TtyState(
    canonical=True,
    echo=True,
    foreground_pid=11,
    foreground_is_pane=False,
    reading=False,
    only_reading=False,
    unread=0,
)
ASKING = attrs.evolve(RUNNING, reading=True, only_reading=True, reader_pid=11, wakeups=1)
HIDING = attrs.evolve(ASKING, echo=False)
# What macOS can tell: the line discipline, and not who reads.
RAW_ONLY = TtyState(canonical=False, echo=False)
COOKED_ONLY = TtyState(canonical=True, echo=True)


def screen(text: str = "$ ", *, size: Size = SMALL) -> Screen:
    """Return a screen that shows *text*, with the cursor at its end."""
    lines = text.split("\n")
    rows = tuple(line.rstrip(" ") for line in lines) + ("",) * (size.rows - len(lines))
    return Screen(size=size, rows=rows, cursor=Cursor(len(lines) - 1, text_columns(lines[-1])))


def in_two_rows(text: str) -> Screen:
    """Return a screen of 40 columns where the first row of a line goes on in the second."""
    shown = screen(f"{text[:40]}\n{text[40:]}", size=Size(40, 4))
    return attrs.evolve(shown, layout=attrs.evolve(shown.layout, wrapped=(True,)))


# What there was when Enter was pressed after "make", typed at a shell's prompt.
MARK = Mark(
    screen=screen("$ make"), tty=attrs.evolve(AT_PROMPT, wakeups=4), prompt=Prompt("$ ", 10)
)


@attrs.frozen
class Frame:
    """What a scripted pane is like from a moment on; without a screen it is gone."""

    at: float
    screen: Screen | None
    tty: TtyState | None = None


class CountingClock(FakeClock):
    """A virtual clock that ends a test which sleeps and sleeps, instead of hanging it."""

    limit = 20_000

    def __init__(self) -> None:
        super().__init__()
        self.sleeps = 0

    def sleep(self, seconds: float) -> None:
        """Let the seconds pass, and count."""
        self.sleeps += 1
        assert self.sleeps < self.limit, f"{self.sleeps} sleeps, the last of {seconds!r} s"
        super().sleep(seconds)


class ScriptedBell:
    """Rings when the next frame begins, unless its terminal is deaf."""

    def __init__(self, terminal: "ScriptedTerminal") -> None:
        self.terminal = terminal
        self.heard = terminal.clock.now()
        self.closed = False
        terminal.bells.append(self)

    def wait(self, seconds: float) -> bool:
        """Let time pass until then."""
        clock = self.terminal.clock
        until = clock.now() + seconds
        times = [frame.at for frame in self.terminal.frames if self.heard < frame.at <= until]
        rang = bool(times) and not self.terminal.is_deaf
        clock.sleep(max(times[0] if rang else until, clock.now()) - clock.now())
        self.heard = clock.now()
        return rang

    def close(self) -> None:
        """Note it."""
        self.closed = True


class ScriptedTerminal:
    """Plays frames to a wait, and counts the calls.

    Args:
        frames: What the pane is like, in order of time.
        flicker: From when to when every other probe, the one before a snapshot, gives evidence
            that differs, as if the program worked just then.
    """

    def __init__(self, *frames: Frame, flicker: tuple[float, float] | None = None) -> None:
        self.clock = CountingClock()
        self.frames = frames
        self.flicker = flicker
        self.is_deaf = False
        self.look_takes = 0.0
        """How long after a snapshot was begun it is over, in seconds."""
        self.bells: list[ScriptedBell] = []
        self.probes = 0
        self.looks = 0
        self.sent: list[tuple[float, KeySequence]] = []

    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Return the screen of this moment; *history* is not played."""
        self.looks += 1
        screen = self._frame().screen
        if screen is None:
            raise PaneNotFoundError(f"no pane {pane}, no {history} rows")
        if self.look_takes:
            self.clock.sleep(self.look_takes)
        return screen

    def probe(self, pane: Pane) -> TtyState | None:
        """Return the evidence of this moment."""
        self.probes += 1
        frame = self._frame()
        if frame.screen is None:
            raise PaneNotFoundError(f"no pane {pane}")
        if frame.tty is None or not self._flickers():
            return frame.tty
        return attrs.evolve(frame.tty, wakeups=-1)

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Note the keys; a mode is left only if that is asked for."""
        del seen  # a snapshot costs nothing here
        screen = self.observe(pane)
        refuse_if_unavailable(pane, screen, leave_mode=leave_mode)
        self.sent.append((self.clock.now(), keys))
        return screen

    def watch_output(self, pane: Pane) -> "ScriptedBell":
        """Listen for the next frame."""
        self.resolve(pane)
        return ScriptedBell(self)

    def resolve(self, pane: Pane) -> Pane:
        """Return the pane as it is."""
        return pane

    def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Refuse: the one pane is open."""
        raise NotImplementedError(command, options)

    def close(self, pane: Pane) -> None:
        """Refuse: the script decides."""
        raise NotImplementedError(pane)

    def panes(self) -> tuple[Pane, ...]:
        """Return the one pane."""
        return (PANE,)

    def resize(self, pane: Pane, size: SizeLike) -> None:
        """Refuse: the script decides."""
        raise NotImplementedError(pane, size)

    def _flickers(self) -> bool:
        start, end = self.flicker or (1, 0)
        return self.probes % 2 == 1 and start <= self.clock.now() <= end

    def _frame(self) -> Frame:
        now = self.clock.now()
        return [frame for frame in self.frames if frame.at <= now][-1]
