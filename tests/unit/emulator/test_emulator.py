"""`Emulator`: what a terminal shows, and whether that is certain; see `test_display` for more."""

from itertools import pairwise

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.builders import screen
from tmuxprim import Size
from tmuxprim._emulator.emulator import Emulator
from tmuxprim.testing import Layout

SIZE = Size(10, 3)


def fed(text: str) -> Emulator:
    """Return an emulator that got *text*."""
    emulator = Emulator(SIZE, 100)
    emulator.feed(text)
    return emulator


def test_a_line_feed_keeps_the_column() -> None:
    """It is the kernel that puts a CR before."""
    assert fed("ab\nc").grid.rows == ("ab", "  c", "")


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[1;31mred\x1b[m \x1b[38:5:1m",
        "\x1b]8;;file:///x\x1b\\link\x1b]8;;\x07\x1b]133;A\x07",
        "\x1b(B\x1b)B\x0f\x1b=\x1b>\x1b[4l\x1b[34h\x1b[r",
        "\x1b[c\x1b[>c\x1b[6n\x1b[?6n\x1b[?1u\x1b[>4;1m\x1b[?2026$p\x1b[22;0;0t\x1b[2 q",
        "\x1bP+q544e\x1b\\\x1bkname\x1b\\\x1b_x\x1b\\",
        "\x1b[?2004h\x1b[?25l\x1b[?1h\x1b[?7h\x1b[?12l",
        "\x1b[?1049h\x1b[L\x1bM\x1b[3b\x1b[2P\x1b[?1049l",
        "a\n\x1bMb",
        "\u65e5\u672c\rx",
    ],
)
def test_what_is_understood_is_sure(text: str) -> None:
    """So is what changes nothing that is shown, and what is lost with the alternate screen."""
    emulator = fed(text)
    assert emulator.is_sure
    assert not emulator.grid.splits


@pytest.mark.parametrize(
    "text",
    [
        *("\x1b[L", "\x1b[M", "\x1b[@", "\x1b[P", "\x1b[X", "\x1b[S", "\x1b[3b", "\x1b[3d"),
        *("\x1b[2;3r", "\x1b[4h", "\x1b(0", "\x0e", "\x1bc", "\x1bD", "\x1bE", "\x1bMa", "\x1b#8"),
        *("\x1b[?6h", "\x1b[?7l", "\x1b[?3h", "\x1b[?3l", "\x1b[?47h", "\x1b[3J", "\x1bPq#0\x1b\\"),
        *("\x1b[?1049h\x1b[2;3r", "\x1b[?1049h\x1b(0", "\x1b[3\n1m"),
    ],
)
def test_what_is_not_understood_is_not_sure(text: str) -> None:
    """All that comes after may stand elsewhere."""
    emulator = fed(text)
    assert not emulator.is_sure
    emulator.feed("a\r\n")
    assert not emulator.is_sure


@pytest.mark.parametrize("text", ["\u65e5\bx", "\u65e5\b\u0101"])
def test_half_a_wide_character_is_told(text: str) -> None:
    """The tmux that we know leaves the other half of it in the first column."""
    assert fed(text).grid.splits


def test_it_goes_on_from_a_screen() -> None:
    """With its cursor and its lines, of which the last may go on."""
    shown = attrs.evolve(
        screen("$ echo 012\n\u65e5\u672c\n$ ", size=SIZE),
        layout=Layout((True, False), (0, 1)),
    )
    emulator = Emulator.on(shown, 100)
    emulator.feed("ls\r\na.txt\r\n$ ")
    grid = emulator.grid
    assert grid.history(grid.above) == ("$ echo 012", "\u65e5\u672c")
    assert grid.rows == ("$ ls", "a.txt", "$")
    assert grid.layout(grid.above).wrapped == (True, False, False, False, False)
    assert grid.layout(grid.above).blanks == (0, 1, 0, 0, 1)


def test_a_cursor_that_was_saved_before_is_not_known() -> None:
    """One that is saved afterwards is."""
    emulator = Emulator.on(screen(), 100)
    emulator.feed("\x1b7a\x1b8b")
    assert emulator.is_sure
    assert emulator.grid.rows[0] == "$ b"
    emulator = Emulator.on(screen(), 100)
    emulator.feed("\x1b8")
    assert not emulator.is_sure


def test_rows_above_are_taken_but_for_the_last() -> None:
    """Its line may end there when what is below is erased."""
    emulator = fed("0123456789a\r\n1\r\n2\r\n3\r\n4")
    taken = emulator.grid.take_above()
    assert [row.text(10) for row in taken] == ["0123456789", "a"]
    assert [row.is_wrapped for row in taken] == [True, False]
    assert emulator.grid.history(1) == ("1",)
    assert emulator.grid.rows == ("2", "3", "4")
    assert emulator.grid.take_above() == []


@pytest.mark.parametrize("begun", ["\x1b]2;", "\x1bP", "\x1b[1;"])
def test_a_sequence_without_an_end_is_looked_through_once(begun: str) -> None:
    """In so many pieces it would take minutes to look through all of it for each of them."""
    emulator = fed(begun)
    for _ in range(100_000):
        emulator.feed("0" * 10)
    emulator.feed("\x1b\\\x1b[HA")
    assert emulator.grid.rows[0] == "A"


@given(st.data())
def test_the_pieces_do_not_count(data: st.DataObject) -> None:
    """A text does the same in whatever pieces it comes."""
    parts = ("\x1b", "[", "]", "2;", "P", "\x1b\\", "\a", "1", "m", "H", "x", "\n", "\x1b(0", "_")
    text = "".join(data.draw(st.lists(st.sampled_from(parts), max_size=20)))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    whole, cut = fed(text), Emulator(SIZE, 100)
    for start, end in pairwise([0, *cuts, len(text)]):
        cut.feed(text[start:end])
    assert (cut.grid.rows, cut.cursor, cut.title) == (whole.grid.rows, whole.cursor, whole.title)
    assert cut.is_sure == whole.is_sure
