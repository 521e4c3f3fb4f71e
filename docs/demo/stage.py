"""How the demo is shown: as plain text, on a terminal as it happens, or as a film in SVG."""

import os
import sys
import textwrap
import time
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from typing import Final, Protocol

import attrs

from docs.demo.film import Frame, draw_film
from tmuxprim import Cursor, Outcome, Readiness, Screen, Size
from tmuxprim._values.style import PLAIN, Style, StyledText
from tmuxprim._values.svg import Picture

# The film is 500 pixels wide at its full size, so that it can be read on a phone and in a preview.
PANE: Final = Size(53, 9)
_NOTES: Final = 9
BOARD: Final = Size(PANE.columns, 1 + PANE.rows + 1 + _NOTES)
_DIM, _TITLE = Style(dim=True), Style(bold=True)
_READY, _OTHER = Style(foreground=2), Style(foreground=3)
_HEAD: Final = (StyledText("the pane", _DIM),)
_BELOW: Final = (StyledText(" what tmuxprim knows ".center(PANE.columns, "─"), _DIM),)
# Seconds for which a picture of a film is shown: one on the way, and one of a step that is done.
_ON_THE_WAY: Final = 0.25
_DONE: Final = 1.4
_LAST: Final = 4.0
_PAUSE: Final = 1.0
# Seconds from which on milliseconds tell nothing.
_LONG: Final = 60.0


@attrs.frozen
class Step:
    """A call that the demo made, what came of it, and what else is to be said of it."""

    what: str
    readiness: Readiness
    told: str = ""

    @property
    def took(self) -> str:
        """How long it took."""
        seconds = self.readiness.elapsed
        return f"{seconds * 1000:.1f} ms" if seconds < _LONG else f"{seconds:.0f} s (virtual)"


class Stage(Protocol):
    """Shows the demo."""

    def snapshot(self, screen: Screen) -> None:
        """Show the pane as it is now."""
        ...

    def done(self, step: Step) -> None:
        """Tell of a step that is done."""
        ...

    def end(self) -> None:
        """Take leave, also if it could not go on."""
        ...


class PlainStage:
    """Prints each step, for a pipe and for a terminal that is too small."""

    def __init__(self) -> None:
        self._number = 0

    def snapshot(self, screen: Screen) -> None:
        """Print nothing: the step tells what was seen."""

    def done(self, step: Step) -> None:
        """Print what was done, what was seen, and why that was ready."""
        self._number += 1
        readiness = step.readiness
        print(f"{self._number}. {step.what}")
        print(f"   saw:  {readiness.screen.cursor_line!r}")
        print(f"   why:  {readiness.outcome.value}: {readiness.reason}")
        print(f"   took: {step.took}")
        print(f"   told: {step.told}\n" if step.told else "")

    def end(self) -> None:
        """Print nothing more."""


class Board:
    """The pane, and below it what the library knows of it."""

    def __init__(self) -> None:
        self._notes: list[list[StyledText]] = []
        self._screen = Screen(size=PANE, rows=("",) * PANE.rows, cursor=Cursor(0, 0))

    def see(self, screen: Screen) -> None:
        """Put the pane as it is now on the board."""
        self._screen = screen

    def note(self, step: Step) -> None:
        """Put a step that is done on the board, below the others."""
        readiness = step.readiness
        style = _READY if readiness.outcome is Outcome.PROMPT else _OTHER
        lines = (
            (step.what, _TITLE),
            (f"{readiness.outcome.value}, {step.took}", style),
            (readiness.reason, _DIM),
            (step.told, PLAIN),
        )
        rows = [
            StyledText(row, style)
            for text, style in lines
            for row in textwrap.wrap(text, BOARD.columns)
        ]
        self._notes.append([*rows, StyledText("")])
        while sum(map(len, self._notes)) > _NOTES + 1:  # the last row of the last is empty
            del self._notes[0]

    def picture(self) -> Picture:
        """Return the board as it is now."""
        screen = self._screen
        notes = [[note] for note in chain.from_iterable(self._notes)][:_NOTES]
        rows = [*(screen.styles or ()), *[[StyledText("")]] * PANE.rows][: PANE.rows]
        blank = [[StyledText("")]] * (_NOTES - len(notes))
        place = (screen.cursor.row + 1, screen.cursor.column) if screen.cursor_visible else None
        return Picture((_HEAD, *rows, _BELOW, *notes, *blank), place)


class LiveStage:
    """Draws the board on the terminal as it changes, and lets the person read."""

    def __init__(self) -> None:
        self._board = Board()
        sys.stdout.write("\x1b[2J")

    def snapshot(self, screen: Screen) -> None:
        """Draw the pane as it is now."""
        self._board.see(screen)
        self._draw()

    def done(self, step: Step) -> None:
        """Draw what is known now, and wait a moment."""
        self._board.note(step)
        self._draw()
        time.sleep(_PAUSE)

    def end(self) -> None:
        """Go below the board."""
        sys.stdout.write(f"\x1b[{BOARD.rows + 1};1H")

    def _draw(self) -> None:
        picture = self._board.picture()
        rows = ["".join(_painted(part) for part in row) for row in picture.rows]
        row, column = picture.cursor or (BOARD.rows, 0)
        lines = "\x1b[K\r\n".join(rows)
        sys.stdout.write(f"\x1b[H{lines}\x1b[K\x1b[{row + 1};{column + 1}H")
        sys.stdout.flush()


class FilmStage:
    """Makes a film of the board, an SVG file, with time to read, however quick it was."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._board = Board()
        self._frames: list[Frame] = []

    def snapshot(self, screen: Screen) -> None:
        """Add a short picture, if there is something new to see."""
        self._board.see(screen)
        picture = self._board.picture()
        if not self._frames or picture != self._frames[-1].picture:
            self._frames.append(Frame(picture, _ON_THE_WAY))

    def done(self, step: Step) -> None:
        """Add a long picture."""
        self._board.note(step)
        self._frames.append(Frame(self._board.picture(), _DONE))

    def end(self) -> None:
        """Write the film; its last picture stays longest."""
        if self._frames:
            *others, last = self._frames
            film = draw_film(BOARD, [*others, last._replace(seconds=_LAST)])
            self._path.write_text(film, encoding="utf-8")


def choose_stage(film: str | None) -> Stage:
    """Return the stage for standard output, or for a film in the file that is named."""
    if film is not None:
        return FilmStage(Path(film))
    columns, rows = get_terminal_size()
    is_large = columns >= BOARD.columns and rows > BOARD.rows
    if sys.stdout.isatty() and is_large and "NO_COLOR" not in os.environ:
        return LiveStage()
    return PlainStage()


def _painted(part: StyledText) -> str:
    """Return a text as a terminal is told to show it."""
    style = part.style
    switches = {1: style.bold, 2: style.dim, 3: style.italic, 4: style.underline, 7: style.reverse}
    codes = ["0", *(str(code) for code, on in switches.items() if on)]
    for base, color in ((38, style.foreground), (48, style.background)):
        if isinstance(color, int):
            codes.append(f"{base};5;{color}")
    return f"\x1b[{';'.join(codes)}m{part.text}\x1b[m"
