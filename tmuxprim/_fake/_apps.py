"""Full-screen programs for a fake terminal: a pager, and one that you draw yourself."""

from collections.abc import Callable
from typing import TypeVar

from tmuxprim._ansi import strip_ansi
from tmuxprim._fake._input import typed
from tmuxprim._fake._requests import ReadKey, Run
from tmuxprim._fake._tty import FakeTty, Program
from tmuxprim._width import cut_at_column, text_columns

State = TypeVar("State")

_ENTER = "\x1b[?1049h"
_LEAVE = "\x1b[?1049l"
_CLEAR = "\x1b[H\x1b[2J"
# Keys of a pager that do what a letter does.
_LETTERS = dict(
    zip(typed("Enter", "Down", "Up", "NPage", "PPage", "Home", "End"), "jjk bgG", strict=True)
)


def full_screen(
    state: State, draw: Callable[[State], str], on_key: Callable[[State, str], State | None]
) -> Program:
    r"""Return a full-screen program that is a state, drawn, and changed by keys.

    Args:
        state: What it begins with.
        draw: Returns the screen, as lines of text; what is too long for it is not shown, nor are
            colours. It is asked again when the size changes.
        on_key: Returns the next state, given the key as a terminal sends it (``"q"``,
            ``"\r"``, ``"\x1b[A"``); None leaves the program.

    Examples:
        >>> counter = full_screen(
        ...     0,
        ...     draw=lambda count: f"count: {count}\n(q to leave)",
        ...     on_key=lambda count, key: None if key == "q" else count + 1,
        ... )
        >>> terminal = FakeTerminal(programs={"counter": counter})
        >>> console = Console(terminal, terminal.open("counter"))
        >>> _ = console.wait_ready(), console.keys("Up", "Up")
        >>> print(console.wait_ready().screen.text)
        count: 2
        (q to leave)
    """

    def run(tty: FakeTty) -> Run:
        now: State | None = state
        tty.write(_ENTER)
        while now is not None:
            lines = strip_ansi(draw(now)).split("\n")[: tty.rows]
            shown = [cut_at_column(line, tty.columns).rstrip(" ") for line in lines]
            tty.write(_CLEAR + "\n".join(shown))
            key = yield ReadKey(resizes=True)
            now = on_key(now, key) if key else now
        tty.write(_LEAVE)
        return 0

    return run


def pager(text: str) -> Program:
    """Return a full-screen pager with the usual keys of ``less``.

    Space or NPage and ``b`` or PPage turn pages, Enter, ``j`` or Down and ``k`` or Up go by a row,
    ``g`` or Home and ``G`` or End to the ends, ``q`` leaves.
    """

    def run(tty: FakeTty) -> Run:
        top = 0
        tty.write(_ENTER)
        while True:
            rows, height = _rows(text, tty.columns), tty.rows - 1
            last = max(len(rows) - height, 0)
            top = min(top, last)
            page = "\n".join(rows[top : top + height])
            tty.write(f"{_CLEAR}{page}\x1b[{height + 1};1H{':' if top < last else '(END)'}")
            key = yield ReadKey(resizes=True)
            if key == "q":
                tty.write(_LEAVE)
                return 0
            by = {"j": 1, "k": -1, " ": height, "b": -height, "g": -top, "G": last - top}
            top = max(top + by.get(_LETTERS.get(key, key), 0), 0)

    return run


def _rows(text: str, columns: int) -> list[str]:
    """Return the rows that the lines of a text take, as the screen will lay them out."""
    rows: list[str] = []
    for line in strip_ansi(text).split("\n"):
        row = ""
        for char in line.expandtabs():
            if text_columns(row + char) > columns:
                rows.append(row)
                row = ""
            row += char
        rows.append(row)
    return rows
