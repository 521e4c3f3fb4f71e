"""Full-screen programs for a fake terminal: a pager, and one that you draw yourself."""

from collections.abc import Callable
from typing import TypeVar

from tmuxprim._fake._requests import ReadKey, Run
from tmuxprim._fake._tty import FakeTty, Program

State = TypeVar("State")

_ENTER = "\x1b[?1049h"
_LEAVE = "\x1b[?1049l"
_CLEAR = "\x1b[H\x1b[2J"


def full_screen(
    state: State, draw: Callable[[State], str], on_key: Callable[[State, str], State | None]
) -> Program:
    r"""Return a full-screen program that is a state, drawn, and changed by keys.

    Args:
        state: What it begins with.
        draw: Returns the screen, as lines of text; what is too long for it is not shown.
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
            lines = [line[: tty.columns] for line in draw(now).split("\n")[: tty.rows]]
            tty.write(_CLEAR + "\n".join(lines))
            now = on_key(now, (yield ReadKey()))
        tty.write(_LEAVE)
        return 0

    return run


def pager(text: str) -> Program:
    """Return a full-screen pager: Space for the next page, ``q`` to leave."""

    def run(tty: FakeTty) -> Run:
        lines, top = text.split("\n"), 0
        tty.write(_ENTER)
        while True:
            height = tty.rows - 1
            page = "\n".join(lines[top : top + height])
            more = ":" if top + height < len(lines) else "(END)"
            tty.write(f"{_CLEAR}{page}\x1b[{height + 1};1H{more}")
            key = yield ReadKey()
            if key == "q":
                tty.write(_LEAVE)
                return 0
            if key == " " and top + height < len(lines):
                top += height

    return run
