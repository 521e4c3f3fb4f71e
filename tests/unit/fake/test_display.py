"""`Display`: what a program's output does to the screen."""

import pytest

from tmuxprim import Cursor, Size
from tmuxprim._fake.display import Display
from tmuxprim.testing import Style, StyledText

SIZE = Size(10, 3)


def display_of(text: str, *, history_limit: int = 100) -> Display:
    """Return a small display on which *text* was written."""
    display = Display(SIZE, history_limit)
    display.write(text)
    return display


def scrolled_off(display: Display) -> list[str]:
    """Return the rows of the history."""
    return [*display.grid.history(display.grid.above)]


@pytest.mark.parametrize(
    ("text", "rows", "cursor"),
    [
        ("ab\nc", ("ab", "c", ""), (1, 1)),
        ("ab\rc", ("cb", "", ""), (0, 1)),
        ("ab\bc", ("ac", "", ""), (0, 2)),
        ("\bc", ("c", "", ""), (0, 1)),
        ("a\tb", ("a       b", "", ""), (0, 9)),
        ("a\x00\x07\x7fb", ("ab", "", ""), (0, 2)),
        ("a\vb", ("a", " b", ""), (1, 2)),
        ("a\fb", ("a", " b", ""), (1, 2)),
        ("0123456789x\b\b", ("0123456789", "x", ""), (0, 9)),
        ("日é", ("日é", "", ""), (0, 3)),
        (" 日\u0301 ", (" 日\u0301", "", ""), (0, 4)),
        ("\u0301x", ("x", "", ""), (0, 1)),
        ("012345678日", ("012345678", "日", ""), (1, 2)),
        ("0123456789x", ("0123456789", "x", ""), (1, 1)),
        ("👩\u200d👩x", ("👩\u200d👩x", "", ""), (0, 3)),
        ("👩\u200dx👩", ("👩\u200dx👩", "", ""), (0, 5)),
        ("\u1112\u1161\u11ab", ("\u1112\u1161\u11ab", "", ""), (0, 2)),
        ("a\u00adb", ("a\u00adb", "", ""), (0, 3)),
        ("a\u2028b\x85c\x90d", ("abcd", "", ""), (0, 4)),
        ("㉈䷀", ("㉈䷀", "", ""), (0, 4)),
        ("\n\nab\b\x1b[J", ("", "", "a"), (2, 1)),
    ],
)
def test_write_executes_control_characters(
    text: str, rows: tuple[str, ...], cursor: tuple[int, int]
) -> None:
    """LF begins a row, VT and FF go down, CR and BS go back, TAB goes on; others do nothing."""
    display = display_of(text)
    assert display.grid.rows == rows
    assert display.cursor == Cursor(*cursor)


@pytest.mark.parametrize(
    ("text", "cursor"),
    [
        ("\x1b[A", (0, 1)),
        ("\x1b[0A", (0, 1)),
        ("\x1b[B", (2, 1)),
        ("\x1b[9B", (2, 1)),
        ("\x1b[C", (1, 2)),
        ("\x1b[3C", (1, 4)),
        ("\x1b[99C", (1, 9)),
        ("\x1b[D", (1, 0)),
        ("\x1b[2D", (1, 0)),
        ("\x1b[E", (2, 0)),
        ("\x1b[9E", (2, 0)),
        ("\x1b[F", (0, 0)),
        ("\x1b[2F", (0, 0)),
        ("\x1b[G", (1, 0)),
        ("\x1b[4G", (1, 3)),
        ("\x1b[H", (0, 0)),
        ("\x1b[2H", (1, 0)),
        ("\x1b[2;4H", (1, 3)),
        ("\x1b[;4H", (0, 3)),
        ("\x1b[0;0f", (0, 0)),
        ("\x1b[99;99f", (2, 9)),
    ],
)
def test_write_moves_the_cursor(text: str, cursor: tuple[int, int]) -> None:
    """Moves count from 1, 0 and nothing mean 1, and the screen's edge is the end."""
    assert display_of(f"\nx{text}").cursor == Cursor(*cursor)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("\x1b[J", ("aaa", "b", "")),
        ("\x1b[0J", ("aaa", "b", "")),
        ("\x1b[1J", ("", "  b", "ccc")),
        ("\x1b[2J", ("", "", "")),
        ("\x1b[3J", ("aaa", "bbb", "ccc")),
        ("\x1b[4J", ("aaa", "bbb", "ccc")),
        ("\x1b[K", ("aaa", "b", "ccc")),
        ("\x1b[1K", ("aaa", "  b", "ccc")),
        ("\x1b[2K", ("aaa", "", "ccc")),
        ("\x1b[3K", ("aaa", "bbb", "ccc")),
    ],
)
def test_write_erases(text: str, rows: tuple[str, ...]) -> None:
    """From the cursor, up to the cursor or all, of the screen or of the row."""
    display = display_of(f"aaa\nbbb\nccc\x1b[2;2H{text}")
    assert display.grid.rows == rows
    assert display.cursor == Cursor(1, 1)


def test_the_cursor_goes_up_a_row() -> None:
    """RI keeps the column, and stays in the first row."""
    display = display_of("a\nbc\x1bM\x1bMd")
    assert display.grid.rows == ("a d", "bc", "")


@pytest.mark.parametrize("erase", ["\x1b[2J", "\x1b[H\x1b[J"])
def test_erasing_the_screen_keeps_it_in_the_history(erase: str) -> None:
    """As in tmux, what is erased all at once has scrolled off."""
    display = display_of(f"1\n2{erase}")
    assert display.grid.rows == ("", "", "")
    assert scrolled_off(display) == ["1", "2"]


@pytest.mark.parametrize("before", ["", "\x1b[?1049h"])
def test_erasing_the_history_leaves_the_screen(before: str) -> None:
    """CSI 3 J is what clear(1) sends to forget what scrolled off, of the main screen always."""
    display = display_of(f"1\n2\n3\n4{before}\x1b[3J\x1b[?47l")
    assert scrolled_off(display) == []
    assert display.grid.rows == ("2", "3", "4")


@pytest.mark.parametrize(
    "dropped",
    [
        "\x1b[31m",
        "\x1b[38;5;200m",
        "\x1b[25h",
        "\x1b[l",
        "\x1b[?7l",
        "\x1bc",
        "\x1b[4h",
        "\x1b[3b",
        "\x1b[Z",
        "\x1b[2;3r",
        "\x1b[L",
        "\x1b[P",
        "\x1b(B",
        "\x1bPq#0\x1b\\",
        "\x1b]8;;http://e.x\x1b\\",
        "\x1b]1;icon\x07",
        "\x1b[12",
    ],
)
def test_write_drops_what_it_does_not_understand(dropped: str) -> None:
    """Colours, links and all else leave no trace."""
    display = display_of(f"ab{dropped}")
    assert display.grid.rows == ("ab", "", "")
    assert display.cursor == Cursor(0, 2)
    assert (display.is_alternate, display.cursor_visible, display.title) == (False, True, "")


@pytest.mark.parametrize("number", ["0", "2"])
@pytest.mark.parametrize("end", ["\x07", "\x1b\\"])
def test_write_sets_the_title(number: str, end: str) -> None:
    """OSC 0 and 2 set it, ended by BEL or ST, and nothing of them is printed."""
    display = display_of(f"a\x1b]{number};my title{end}b")
    assert display.title == "my title"
    assert display.grid.rows[0] == "ab"


@pytest.mark.parametrize("on", [True, False])
def test_write_switches_modes(*, on: bool) -> None:
    """Mode 25 is the cursor's visibility, 2004 bracketed paste."""
    display = display_of("\x1b[?25l\x1b[?2004h" + "\x1b[?25h\x1b[?2004l" * (not on))
    assert (display.cursor_visible, display.bracketed_paste) == (not on, on)


@pytest.mark.parametrize("mode", [47, 1047, 1049])
def test_the_alternate_screen_is_another(mode: int) -> None:
    """It is blank at first, and adds nothing to the history."""
    display = display_of(f"main\x1b[?{mode}h\x1b[H1\n2\n3\n4")
    assert display.is_alternate
    assert display.grid.rows == ("2", "3", "4")
    assert scrolled_off(display) == []


def test_the_main_screen_comes_back() -> None:
    """Rows and cursor are as they were left."""
    display = display_of("main\x1b[?1049h\x1b[Hother\n\n\x1b[?1049l")
    assert not display.is_alternate
    assert display.grid.rows == ("main", "", "")
    assert display.cursor == Cursor(0, 4)


@pytest.mark.parametrize("mode", [47, 1047, 1049])
def test_the_alternate_screen_begins_where_the_cursor_is(mode: int) -> None:
    """A program that wants it at the top left sends it there."""
    assert display_of(f"\nab\x1b[?{mode}h").cursor == Cursor(1, 2)


def test_the_alternate_screen_is_entered_once() -> None:
    """Entered again, it stays as it is."""
    display = display_of("\x1b[?1049h\x1b[Hab\x1b[?1049h")
    assert display.grid.rows == ("ab", "", "")


@pytest.mark.parametrize(("mode", "cursor"), [(47, (2, 4)), (1047, (2, 4)), (1049, (0, 2))])
def test_only_1049_brings_the_cursor_back(mode: int, cursor: tuple[int, int]) -> None:
    """With the others it stays where it was on the alternate screen."""
    display = display_of(f"ab\x1b[?{mode}h\x1b[3;5H\x1b[?{mode}l")
    assert display.cursor == Cursor(*cursor)


def test_leaving_the_alternate_screen_twice_is_no_error() -> None:
    """The main screen stays, and with 1047 the cursor also stays."""
    display = display_of("ab\x1b[?1047l\x1b[?1049l")
    assert display.grid.rows[0] == "ab"
    assert display.cursor == Cursor(0, 2)


def test_one_sequence_sets_several_modes() -> None:
    """Modes stand with ``;`` between them."""
    display = display_of("\x1b[?25;1049h\x1b[?25l\x1b[?25;;1049l")
    assert not display.is_alternate
    assert not display.cursor_visible


def test_resize_changes_both_screens() -> None:
    """The main screen has the new size when it comes back."""
    display = display_of("0123456789\x1b[?1049h\x1b[Habcdefgh")
    display.resize(Size(4, 2))
    assert display.grid.rows == ("abcd", "")
    assert display.cursor == Cursor(0, 4)
    display.write("\x1b[?1049l")
    assert (scrolled_off(display), display.grid.rows) == (["0123", "4567"], ("89", ""))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a\x1b7\nb\x1b8c", ("ac", "b", "")),
        ("a\x1b[s\nb\x1b[uc", ("ac", "b", "")),
        ("a\nb\x1b8c", ("c", "b", "")),
    ],
)
def test_write_saves_the_cursor(text: str, rows: tuple[str, ...]) -> None:
    """It is brought back to where it was saved, or else to the top left."""
    assert display_of(text).grid.rows == rows


@pytest.mark.parametrize("text", ["\x1b[?25J", "\x1b[?25K", "\x1b[?25A"])
def test_only_h_and_l_set_modes(text: str) -> None:
    """Other private functions are dropped."""
    assert display_of(text).cursor_visible


def test_a_long_number_is_no_error() -> None:
    """No output of a program makes the display fail."""
    assert display_of(f"ab\x1b[{'9' * 5000}D").grid.rows[0] == "ab"


@pytest.mark.parametrize("output", ["ab\x1b[31mc", "ab\x1b]2;title\x1b\\c", "ab\x1b[?25lc"])
def test_a_sequence_may_come_in_two_writes(output: str) -> None:
    """A program's output is a stream: where it is cut does not matter."""
    whole = display_of(output)
    for cut in range(len(output)):
        display = display_of(output[:cut])
        display.write(output[cut:])
        assert display.grid.rows == whole.grid.rows == ("abc", "", "")
        assert (display.title, display.cursor_visible) == (whole.title, whole.cursor_visible)


RED = Style(foreground=1)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("\x1b[31mab\x1b[mc", ((StyledText("ab", RED), StyledText("c")), (), ())),
        ("\x1b[31ma\nb", ((StyledText("a", RED),), (StyledText("b", RED),), ())),
        ("\x1b[31m日\x1b[m\rx", ((StyledText("x"), StyledText(" ", RED)), (), ())),
        ("\x1b[31mabc\x1b[2D\x1b[Kd", ((StyledText("ad", RED),), (), ())),
        ("\x1b[31mab\x1b[C\x1b[md", ((StyledText("ab", RED), StyledText(" d")), (), ())),
        (
            "\x1b[31m0123456789\x1b[mab",
            ((StyledText("0123456789", RED),), (StyledText("ab"),), ()),
        ),
    ],
)
def test_each_cell_keeps_its_style(text: str, rows: tuple[tuple[StyledText, ...], ...]) -> None:
    """What is written over it has another; what is erased has none."""
    assert display_of(text).grid.styles == rows


def test_styles_stay_with_their_cells_when_lines_are_wrapped_anew() -> None:
    """At another width, and on a screen that is too narrow."""
    display = display_of("ab\x1b[31mcd\x1b[mef")
    display.resize(Size(3, 3))
    assert display.grid.styles[0] == (StyledText("d", RED), StyledText("ef"))
    display.resize(Size(10, 3))
    assert display.grid.styles == display_of("ab\x1b[31mcd\x1b[mef").grid.styles


def test_a_notice_has_no_style() -> None:
    """It is tmux that writes it."""
    display = display_of("\x1b[31ma")
    display.show_notice("dead")
    assert display.grid.styles[2] == (StyledText("dead"),)
