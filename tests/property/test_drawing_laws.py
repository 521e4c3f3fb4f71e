"""Laws of drawing anew: what is drawn is what a pane shows that forgets nothing."""

from typing import Final

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tmuxprim import Screen, Size
from tmuxprim._engine.drawing import Drawing
from tmuxprim._fake.display import Display

thorough = settings(max_examples=examples(300))

_TEXTS: Final = st.sampled_from([*"ab $é日😀\n\n\n\r\b\t", "word " * 3, "1\n2\n3\n4\n", "日本" * 5])
_FUNCTIONS: Final = st.sampled_from(
    [
        *("\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[H", "\x1b[2;3H"),
        *("\x1b[A", "\x1b[2B", "\x1b[3C", "\x1b[2D", "\x1b[5G", "\x1b7", "\x1b8", "\x1bM"),
        *("\x1b[?1049h", "\x1b[?1049l", "\x1b[31m", "\x1b[m", "\x1b]0;title\x07", "\x1b[L"),
    ]
)
_PIECES: Final = st.lists(_TEXTS | _TEXTS | _FUNCTIONS, max_size=25)
_SIZES: Final = st.builds(Size, st.integers(4, 12), st.integers(1, 5))


def screen_of(display: Display, history: int) -> Screen:
    """Return what a pane shows, with so many rows of its history at most."""
    grid = display.grid
    above = min(history, grid.above)
    return Screen(
        size=grid.size,
        rows=grid.rows,
        cursor=display.cursor,
        history=grid.history(above),
        layout=grid.layout(above),
        history_size=grid.above,
        alternate=display.is_alternate,
    )


@thorough
@given(_SIZES, _PIECES, st.lists(_PIECES, max_size=4), st.integers(0, 9))
def test_what_is_drawn_is_what_was_shown(
    size: Size, before: list[str], after: list[list[str]], kept: int
) -> None:
    """Whatever was there before, however it comes in pieces, and however little is kept."""
    long, short = Display(size, 10_000), Display(size, kept)
    for display in (long, short):
        display.write("".join(before))
    begun = screen_of(long, 0)
    if begun.alternate:
        return
    drawing = Drawing(begun)
    for pieces in map("".join, after):
        for display in (long, short):
            display.write(pieces)
        drawing.add(pieces.replace("\n", "\r\n"))
    if not drawing.is_sure or long.is_alternate:
        return
    shown = screen_of(long, long.grid.above - begun.history_size)
    assert drawing.shows(shown)
    whole = drawing.whole(screen_of(long, 0))
    assert attrs.evolve(whole, history_limit=shown.history_limit) == shown


@thorough
@given(_SIZES, _PIECES, st.integers(0, 40), st.sampled_from("xyz"))
def test_another_text_is_never_shown(size: Size, pieces: list[str], place: int, other: str) -> None:
    """A row that is another one is seen, as long as the pane keeps it."""
    display = Display(size, 10_000)
    drawing = Drawing(screen_of(display, 0))
    display.write("".join(pieces))
    drawing.add("".join(pieces).replace("\n", "\r\n"))
    shown = screen_of(display, 10_000)
    rows = [*shown.history, *shown.rows]
    rows[place % len(rows)] = (rows[place % len(rows)] + other)[-size.columns :]
    above = len(shown.history)
    if [*shown.history, *shown.rows] != rows:
        assert not drawing.shows(attrs.evolve(shown, history=rows[:above], rows=rows[above:]))
