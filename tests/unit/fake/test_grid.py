"""`Grid`: cells, scrolling, erasing and sizes."""

import pytest

from tmuxprim import Size
from tmuxprim._fake._grid import Grid


def grid_with(*rows: str, size: Size | None = None, history_limit: int | None = 100) -> Grid:
    """Return a grid that had *rows* written to it, one below the other."""
    grid = Grid(size or Size(5, 3), history_limit)
    for number, row in enumerate(rows):
        if number:
            grid.line_feed()
            grid.column = 0
        for char in row:
            grid.put(char)
    return grid


def place(grid: Grid) -> tuple[int, int]:
    """Return where the cursor is."""
    return grid.row, grid.column


def test_a_new_grid_is_blank() -> None:
    """Nothing is shown, nothing scrolled off, and the cursor is at the top left."""
    grid = Grid(Size(5, 3), 100)
    assert grid.rows == ("", "", "")
    assert grid.history == []
    assert place(grid) == (0, 0)


def test_rows_carry_no_spaces_at_their_ends() -> None:
    """Spaces within a row stay."""
    assert grid_with(" a b ").rows[0] == " a b"


def test_a_wide_character_takes_two_cells() -> None:
    """The cell behind it is part of it."""
    grid = grid_with("日a")
    assert grid.cells[0] == ["日", "", "a", " ", " "]
    assert place(grid) == (0, 3)


def test_a_combining_character_joins_the_one_before() -> None:
    """The cursor does not move for it."""
    grid = grid_with("e\N{COMBINING ACUTE ACCENT}x")
    assert grid.cells[0][:2] == ["e\N{COMBINING ACUTE ACCENT}", "x"]
    assert place(grid) == (0, 2)


def test_a_combining_character_joins_a_wide_one_before() -> None:
    """It goes to the character itself and not to the cell behind."""
    grid = grid_with("日\N{COMBINING ACUTE ACCENT}")
    assert grid.cells[0][:2] == ["日\N{COMBINING ACUTE ACCENT}", ""]


def test_a_combining_character_needs_one_before() -> None:
    """At the left margin it is dropped."""
    grid = grid_with("\N{COMBINING ACUTE ACCENT}")
    assert grid.rows[0] == ""


def test_the_cursor_waits_behind_a_full_row() -> None:
    """A row that is just full does not wrap yet."""
    grid = grid_with("abcde")
    assert place(grid) == (0, 5)
    assert grid.rows == ("abcde", "", "")


def test_a_full_row_wraps_when_more_is_written() -> None:
    """The next character stands at the start of the next row."""
    grid = grid_with("abcdef")
    assert place(grid) == (1, 1)
    assert grid.rows == ("abcde", "f", "")


def test_a_wide_character_never_wraps_by_half() -> None:
    """With one cell left it goes to the next row whole."""
    grid = grid_with("abcd日")
    assert grid.rows == ("abcd", "日", "")
    assert place(grid) == (1, 2)


def test_a_line_feed_moves_down() -> None:
    """The column stays, as a terminal has it."""
    grid = grid_with("ab")
    grid.line_feed()
    assert place(grid) == (1, 2)
    assert grid.history == []


def test_a_line_feed_at_the_bottom_scrolls() -> None:
    """The top row goes to the history, and the bottom row is blank."""
    grid = grid_with("a", "b", "c")
    grid.line_feed()
    assert grid.rows == ("b", "c", "")
    assert grid.history == ["a"]
    assert place(grid) == (2, 1)


@pytest.mark.parametrize(
    ("rows", "history_limit", "is_wrapped"), [(2, None, False), (3, None, True), (2, 9, True)]
)
def test_an_alternate_screen_of_two_rows_forgets_a_wrap(
    rows: int,
    history_limit: int | None,
    is_wrapped: bool,  # noqa: FBT001  # a case of the table
) -> None:
    """As tmux does when such a screen scrolls, and no other."""
    above = "." * 5 * (rows - 1)
    grid = grid_with(f"{above}abcdef", size=Size(5, rows), history_limit=history_limit)
    assert grid.rows[-2:] == ("abcde", "f")
    assert grid.visible[-2].is_wrapped is is_wrapped


@pytest.mark.parametrize(("limit", "left"), [(10, 10), (20, 19), (5, 5), (1, 1)])
def test_a_full_history_drops_its_oldest_tenth(limit: int, left: int) -> None:
    """Room is made for a tenth of the limit at once, for one row at least."""
    grid = grid_with(*"r" * (limit + 4), size=Size(5, 3), history_limit=limit)
    assert len(grid.history) == left


def test_the_newest_history_is_kept() -> None:
    """It is the oldest rows that go."""
    grid = grid_with(*"abcdefgh", history_limit=3)
    assert grid.history == ["c", "d", "e"]


def test_without_a_history_none_is_kept() -> None:
    """A limit of 0 means none at all, as tmux's history-limit 0 does."""
    assert grid_with(*"abcdefgh", history_limit=0).history == []


@pytest.mark.parametrize(("column", "stop"), [(0, 8), (7, 8), (8, 16), (17, 19), (19, 19)])
def test_a_tab_goes_to_the_next_stop(column: int, stop: int) -> None:
    """Stops are eight columns apart, and the last column is one, too."""
    grid = Grid(Size(20, 3), 0)
    grid.column = column
    grid.tab()
    assert grid.column == stop


@pytest.mark.parametrize(
    ("row", "column", "there"),
    [(1, 2, (1, 2)), (-1, -1, (0, 0)), (3, 5, (2, 4)), (99, 0, (2, 0)), (0, 99, (0, 4))],
)
def test_move_goes_as_far_as_the_screen(row: int, column: int, there: tuple[int, int]) -> None:
    """Nobody moves the cursor off the screen."""
    grid = Grid(Size(5, 3), 0)
    grid.move(row, column)
    assert place(grid) == there


@pytest.mark.parametrize(
    ("start", "end", "left"), [(0, 5, ""), (2, 5, "ab"), (0, 2, "  cde"), (1, 1, "abcde")]
)
def test_erase_in_row_blanks_cells(start: int, end: int, left: str) -> None:
    """Only the cursor's row, from the first cell up to the last, and it stays as wide."""
    grid = grid_with("above", "abcde")
    grid.erase_in_row(start, end)
    assert grid.rows == ("above", left, "")
    assert len(grid.cells[1]) == 5


def test_erase_rows_blanks_whole_rows() -> None:
    """The rows outside stay, and so does the cursor."""
    grid = grid_with("a", "b", "c")
    grid.erase_rows(0, 2)
    assert grid.rows == ("", "", "c")
    assert place(grid) == (2, 1)


def test_clear_keeps_what_stood_there() -> None:
    """The rows down to the last that is used go to the history, empty ones between, too."""
    grid = grid_with("a", "", "c", size=Size(5, 4))
    grid.clear()
    assert grid.rows == ("",) * 4
    assert grid.history == ["a", "", "c"]
    assert place(grid) == (2, 1)


def test_clear_of_a_blank_screen_keeps_nothing() -> None:
    """A blank screen adds no rows to the history."""
    grid = Grid(Size(5, 3), 100)
    grid.clear()
    assert grid.history == []


def test_clear_keeps_rows_of_blanks() -> None:
    """As in tmux, a blank that was written is something that stood there."""
    grid = grid_with("a", " ")
    grid.clear()
    assert grid.history == ["a", ""]


def test_clear_keeps_no_row_that_was_erased() -> None:
    """A row that was erased whole is as if nothing had been written."""
    grid = grid_with("a", "b")
    grid.erase_in_row(0, 5)
    grid.clear()
    assert grid.history == ["a"]


def test_a_backspace_moves_left() -> None:
    """At the left margin it stays."""
    grid = grid_with("ab", "c")
    places = []
    for _ in range(2):
        grid.backspace()
        places.append(place(grid))
    assert places == [(1, 0), (1, 0)]


def test_a_backspace_goes_up_over_a_wrap() -> None:
    """From the left margin it goes to the last cell of the row that wrapped."""
    grid = grid_with("abcdef")
    grid.backspace()
    grid.backspace()
    assert place(grid) == (0, 4)


def test_a_wider_grid_has_blanks_at_the_right() -> None:
    """Each row has as many cells as the new size has columns."""
    grid = grid_with("abc")
    grid.resize(Size(8, 3))
    assert grid.rows == ("abc", "", "")
    assert {len(cells) for cells in grid.cells} == {8}


def test_a_narrower_grid_cuts_its_rows() -> None:
    """What does not fit is lost, and the cursor comes inside."""
    grid = grid_with("abcde")
    grid.resize(Size(2, 3))
    assert grid.rows == ("ab", "", "")
    assert place(grid) == (0, 1)


def test_a_lower_grid_drops_rows_below_the_cursor_first() -> None:
    """As long as there are some, nothing scrolls off."""
    grid = grid_with("a", "b", "", "", size=Size(5, 4))
    grid.move(1, 1)
    grid.resize(Size(5, 2))
    assert grid.rows == ("a", "b")
    assert grid.history == []
    assert place(grid) == (1, 1)


def test_a_lower_grid_scrolls_when_the_cursor_is_at_the_bottom() -> None:
    """The cursor's row is kept, and what stood above goes to the history."""
    grid = grid_with("a", "b", "c", "d", size=Size(5, 4))
    grid.resize(Size(5, 2))
    assert grid.rows == ("c", "d")
    assert grid.history == ["a", "b"]
    assert place(grid) == (1, 1)


def test_a_higher_grid_has_blank_rows_below() -> None:
    """The cursor stays where it is."""
    grid = grid_with("a", "b", "c")
    grid.resize(Size(5, 5))
    assert grid.rows == ("a", "b", "c", "", "")
    assert place(grid) == (2, 1)


def test_a_resize_to_the_same_size_changes_nothing() -> None:
    """The cursor still waits behind a full row."""
    grid = grid_with("abcde")
    grid.resize(Size(5, 3))
    assert place(grid) == (0, 5)


def test_a_narrower_grid_cuts_no_wide_character_in_two() -> None:
    """A wide character of which one cell is left is not shown."""
    grid = grid_with("a日")
    grid.resize(Size(2, 3))
    assert grid.rows[0] == "a"


def test_a_wide_character_on_one_column_is_no_error() -> None:
    """A character wider than the screen does not make a row wider."""
    grid = Grid(Size(1, 3), 100)
    grid.put("日")
    assert [len(cells) for cells in grid.cells] == [1, 1, 1]


@pytest.mark.parametrize(
    ("column", "row"),
    [
        (0, "x b"),
        (1, " xb"),
        (2, "日x"),
    ],
)
def test_half_a_wide_character_is_no_character(column: int, row: str) -> None:
    """Who writes over one of its two cells blanks the other."""
    grid = grid_with("日b")
    grid.column = column
    grid.put("x")
    assert grid.rows[0] == row
