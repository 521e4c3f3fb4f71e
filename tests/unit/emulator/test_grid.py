"""`Grid`: cells, scrolling, erasing and sizes."""

import pytest

from tmuxprim import Size
from tmuxprim._emulator.grid import Grid


def grid_with(*rows: str, size: Size | None = None, history_limit: int = 100) -> Grid:
    """Return a grid that had *rows* written to it, one below the other."""
    grid = Grid(size or Size(5, 3), history_limit)
    for number, row in enumerate(rows):
        if number:
            grid.line_feed()
            grid.column = 0
        for char in row:
            grid.put(char)
    return grid


def scrolled_off(grid: Grid) -> list[str]:
    """Return the rows of the history."""
    return [*grid.history(grid.above)]


def cells(grid: Grid) -> list[list[str]]:
    """Return all cells of the screen."""
    columns = grid.size.columns
    return [(line.cells + [" "] * columns)[:columns] for line in grid.lines[grid.above :]]


def used(grid: Grid) -> list[str]:
    """Return the rows of history and screen that are not blank."""
    return [row for row in (*scrolled_off(grid), *grid.rows) if row]


def place(grid: Grid) -> tuple[int, int]:
    """Return where the cursor is."""
    return grid.row, grid.column


@pytest.mark.parametrize(("limit", "left"), [(10, 10), (20, 19), (5, 5), (1, 1)])
def test_a_full_history_drops_its_oldest_tenth(limit: int, left: int) -> None:
    """Room is made for a tenth of the limit at once, for one row at least."""
    grid = grid_with(*"r" * (limit + 4), size=Size(5, 3), history_limit=limit)
    assert len(scrolled_off(grid)) == left


def test_without_a_history_none_is_kept() -> None:
    """A limit of 0 means none at all, as tmux's history-limit 0 does."""
    assert scrolled_off(grid_with(*"abcdefgh", history_limit=0)) == []


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (("a", "", "c", ""), ["a", "", "c"]),
        (("", "", "", ""), []),
        (("a", " "), ["a", ""]),
    ],
)
def test_clear_keeps_what_stood_there(rows: tuple[str, ...], kept: list[str]) -> None:
    """Clearing keeps the rows down to the last one that was written to, even with a blank."""
    grid = grid_with(*rows, size=Size(5, 4))
    grid.clear()
    assert (scrolled_off(grid), grid.rows) == (kept, ("",) * 4)


def test_clear_keeps_no_row_that_was_erased() -> None:
    """A row that was erased whole is as if nothing had been written."""
    grid = grid_with("a", "b")
    for _ in range(2):
        grid.erase_in_row(0, 5)
    grid.clear()
    assert scrolled_off(grid) == ["a"]


def test_a_narrower_grid_may_cut_its_rows() -> None:
    """On the alternate screen; what is cut comes back when it becomes wider."""
    grid = grid_with("abcde")
    grid.resize(Size(2, 3), rewrap=False)
    assert grid.rows == ("ab", "", "")
    grid.resize(Size(5, 3), rewrap=False)
    assert grid.rows == ("abcde", "", "")


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        (10, ("abcdefghij", "kl", "")),
        (12, ("abcdefghijkl", "", "")),
        (20, ("abcdefghijkl", "", "")),
        (6, ("abcdef", "ghijkl", "")),
        (4, ("abcd", "efgh", "ijkl")),
    ],
)
def test_lines_are_laid_out_for_a_new_width(columns: int, rows: tuple[str, ...]) -> None:
    """What the program wrote as one line is one, however wide the screen is."""
    grid = grid_with("abcdefghijkl")
    assert grid.rows == ("abcde", "fghij", "kl")
    grid.resize(Size(columns, 3))
    assert grid.rows == rows
    grid.resize(Size(5, 3))
    assert used(grid) == ["abcde", "fghij", "kl"]


def test_a_wide_character_that_does_not_fit_begins_a_row() -> None:
    """It is not split, and it comes back when there is room."""
    grid = grid_with("a日本")
    grid.resize(Size(4, 3))
    assert used(grid) == ["a日", "本"]
    grid.resize(Size(3, 3))
    assert used(grid) == ["a日", "本"]
    grid.resize(Size(5, 3))
    assert used(grid) == ["a日本"]


def test_a_lower_grid_without_history_drops_its_top() -> None:
    """What leaves an alternate screen is lost."""
    grid = grid_with("a", "b", "c", history_limit=0)
    grid.resize(Size(5, 2))
    assert (scrolled_off(grid), grid.rows, place(grid)) == ([], ("b", "c"), (1, 1))


def test_a_cursor_that_scrolled_off_comes_to_the_top() -> None:
    """After a new layout its line may be in the history."""
    grid = grid_with("abcdefghijkl")
    grid.move(0, 0)
    grid.resize(Size(2, 3))
    assert place(grid) == (0, 0)


def test_a_lower_grid_drops_rows_below_the_cursor_first() -> None:
    """As long as there are some, nothing scrolls off."""
    grid = grid_with("a", "b", "", "", size=Size(5, 4))
    grid.move(1, 1)
    grid.resize(Size(5, 2))
    assert grid.rows == ("a", "b")
    assert scrolled_off(grid) == []
    assert place(grid) == (1, 1)


def test_a_wide_character_on_one_column_is_no_error() -> None:
    """A character wider than the screen does not make a row wider."""
    grid = Grid(Size(1, 3), 100)
    grid.put("日")
    assert [len(cells) for cells in cells(grid)] == [1, 1, 1]


def test_a_last_line_that_goes_on_ends_with_the_screen() -> None:
    """There is nothing to join."""
    grid = grid_with("a", "b", "c")
    grid.lines[-1].is_wrapped = True
    grid.resize(Size(10, 3))
    assert grid.rows == ("a", "b", "c")


@pytest.mark.parametrize(
    ("column", "char", "row"), [(0, "x", "x b"), (1, "x", " xb"), (1, "本", " 本"), (2, "x", "日x")]
)
def test_half_a_wide_character_is_no_character(column: int, char: str, row: str) -> None:
    """Who writes over one of its two cells blanks the other."""
    grid = grid_with("日b")
    grid.column = column
    grid.put(char)
    assert grid.rows[0] == row


def test_what_a_narrow_screen_pushed_off_comes_back() -> None:
    """A higher screen takes back what scrolled off, and what a new width pushed up as well."""
    grid = grid_with("a", "b", "abcde")
    grid.resize(Size(3, 3))
    assert (scrolled_off(grid), grid.rows) == (["a"], ("b", "abc", "de"))
    grid.resize(Size(3, 5))
    assert (scrolled_off(grid), grid.rows) == ([], ("a", "b", "abc", "de", ""))


def test_what_was_cleared_stays_in_the_history() -> None:
    """A higher screen takes back only what scrolled off since, at any width."""
    grid = grid_with("abcdef", "g")
    grid.clear()
    grid.move(2, 0)
    for char in "xyz":
        grid.put(char)
    grid.line_feed()
    grid.resize(Size(2, 3))
    grid.resize(Size(2, 9))
    assert (scrolled_off(grid), grid.rows[:4]) == (["ab", "cd", "ef", "g"], ("", "", "xy", "z"))


@pytest.mark.parametrize("column", [0, 3, 7, 11])
def test_the_cursor_stays_on_its_character(column: int) -> None:
    """Whatever the width is, what is written next stands behind the same text."""
    text = "abcdefghijkl"
    for columns in (4, 7, 12):
        grid = grid_with(text)
        grid.move(column // 5, column % 5)
        grid.resize(Size(columns, 3))
        assert grid.current.cells[grid.column] == text[column]
