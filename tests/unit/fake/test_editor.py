"""`Editor`: the line editor of a fake shell."""

import pytest

from tmuxprim import Console, Cursor, FakeTerminal, Key, KeySequence, Size
from tmuxprim._fake.display import Display
from tmuxprim._fake.editor import Editor
from tmuxprim._fake.streams import split_keys, to_characters
from tmuxprim.testing import ReadLine

PROMPT = "$ "


class Stage:
    """An editor whose line stands behind a prompt on a small screen."""

    def __init__(self, columns: int = 20) -> None:
        self.display = Display(Size(columns, 5), 100)
        self.display.write(PROMPT)
        self.editor = Editor(ReadLine(prompt=PROMPT))
        self.editor.begin(columns, len(PROMPT))

    def press(self, *keys: str) -> None:
        """Press keys, by their names where they have one."""
        for name in keys:
            part = Key(name) if len(name) > 1 else name
            for key in split_keys(to_characters(KeySequence((part,)))):
                self.display.write(self.editor.edit(key))

    @property
    def shown(self) -> tuple[str, int]:
        """The screen, and how many cells the cursor is behind its beginning."""
        row, column = self.display.cursor.row, self.display.cursor.column
        size = self.display.grid.size
        return "\n".join(self.display.grid.rows).rstrip("\n"), row * size.columns + column


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        ([*"abc"], "abc", 5),
        ([*"abc", "BSpace"], "ab", 4),
        ([*"abc", "C-h"], "ab", 4),
        (["BSpace"], "", 2),
        ([*"abc", "C-a"], "abc", 2),
        ([*"abc", "Home", "x"], "xabc", 3),
        ([*"abc", "C-a", "C-e"], "abc", 5),
        ([*"abc", "Home", "End"], "abc", 5),
        ([*"abc", "Left", "Left"], "abc", 3),
        ([*"abc", "C-b", "x"], "abxc", 5),
        (["Left", *"a", "Right"], "a", 3),
        ([*"abc", "C-a", "C-f"], "abc", 3),
        ([*"abc", "Left", "BSpace"], "ac", 3),
        ([*"abc", "Left", "DC"], "ab", 4),
        ([*"abc", "C-a", "C-d"], "bc", 2),
        ([*"abc", "DC", "C-d"], "abc", 5),
        ([*"abc", "Left", "C-u"], "c", 2),
        ([*"abc", "Left", "C-k"], "ab", 4),
        ([*"abc", "F5", "M-b", "C-g", "C-w", "Up"], "abc", 5),
        ([*"日本", "Left", "BSpace"], "本", 2),
        ([*"日本", "C-a", "DC"], "本", 2),
        ([*"ae\u0301", "BSpace"], "a", 3),
        ([*"ae\u0301b", "Left", "Left", "x"], "axe\u0301b", 4),
        (["\u0301"], "\u0301", 2),
        ([*"ab", "Left", "\u0301"], "a\u0301b", 3),
    ],
)
def test_keys_edit_the_line(keys: list[str], text: str, cursor: int) -> None:
    """The screen shows the line, and the cursor is where the next character goes."""
    stage = Stage()
    stage.press(*keys)
    assert stage.editor.text == text
    assert stage.shown == (f"{PROMPT}{text}".rstrip(), cursor)


def test_a_tab_is_shown_as_spaces() -> None:
    """It is a character, and erased as one."""
    stage = Stage()
    stage.press("a", "Tab", "b")
    assert stage.editor.text == "a\tb"
    assert stage.shown == ("$ a     b", 9)
    stage.press("Left", "BSpace")
    assert stage.shown == ("$ ab", 3)


@pytest.mark.parametrize("length", range(1, 14))
@pytest.mark.parametrize("back", range(4))
def test_a_long_line_is_edited_over_its_rows(length: int, back: int) -> None:
    """At any length, around the ends of rows too, it looks as if it had been typed at once."""
    keys = [*"abcdefghijklm"[:length]]
    stage, model = Stage(5), Stage(5)
    stage.press(*keys, *["Left"] * back, "BSpace", "End")
    at = max(length - back, 0)
    rest = [*keys[: max(at - 1, 0)], *keys[at:]]
    model.press(*rest)
    assert stage.editor.text == "".join(rest)
    assert stage.shown == model.shown


def test_a_wide_character_wraps_whole() -> None:
    """The cell that it leaves at the end of a row is no part of the line."""
    stage = Stage(5)
    stage.press(*"ab日c", "C-a", "Right", "Right", "x")
    assert stage.display.grid.rows[:2] == ("$ abx", "日c")
    stage.press("BSpace", "BSpace")
    assert stage.display.grid.rows[:2] == ("$ a日", "c")


def test_a_full_row_puts_the_cursor_below_it() -> None:
    """As readline does, whether it is typed so or becomes so."""
    stage = Stage(5)
    stage.press(*"abc")
    assert (stage.shown, stage.display.cursor) == (("$ abc", 5), Cursor(1, 0))
    stage.press("d", "BSpace")
    assert (stage.shown, stage.display.cursor) == (("$ abc", 5), Cursor(1, 0))


def test_a_line_that_fills_its_row_leaves_none_empty() -> None:
    """The next text is right below the line, whether its last character is narrow or wide."""
    for text in ("abc", "a日"):
        stage = Stage(5)
        stage.press(*text)
        stage.display.write(f"{stage.editor.finish()}\nnext")
        assert stage.display.grid.rows[:3] == (f"$ {text}", "next", "")


def test_a_line_break_at_the_end_leaves_no_row_empty() -> None:
    """Bash shows what comes next in the row of the cursor, as real tmux shows it."""
    stage = Stage(20)
    assert stage.editor.insert("y\n") == "y\x1b[K\n"
    stage.display.write("y\n")
    stage.display.write(f"{stage.editor.finish()}\nnext")
    assert stage.display.grid.rows[:3] == ("$ y", "next", "")


def test_a_cursor_below_a_full_row_stands_on_what_comes_next() -> None:
    """Which is not lost when the cursor goes there."""
    stage = Stage(5)
    stage.press(*"abcdef", "Home", "Right", "Right", "Right")
    assert stage.display.grid.rows[:2] == ("$ abc", "def")
    assert stage.display.cursor == Cursor(1, 0)
    stage = Stage(5)
    stage.press(*"ab日", "Home", "Right", "Right")
    assert stage.display.grid.rows[:2] == ("$ ab", "日")
    assert stage.display.cursor == Cursor(1, 0)


def test_a_line_is_edited_on_a_screen_of_another_width() -> None:
    """The editor knows of a resize."""
    terminal = FakeTerminal()
    console = Console(terminal, terminal.open(size=Size(8, 4)))
    console.wait_ready()
    console.send("abc", enter=False)
    terminal.clock.sleep(0.1)
    terminal.resize(console.pane, Size(20, 4))
    console.send("defghijk", enter=False)
    console.keys("Home", "x")
    terminal.clock.sleep(0.1)
    terminal.assert_screen(console.pane, "$ xabcdefghijk", cursor=Cursor(0, 3))


def test_c_l_clears_the_screen() -> None:
    """Prompt and line come back at the top, with the cursor where it was in the line."""
    stage = Stage()
    stage.display.write("\x1b[H\x1b[2Jold\nrows\n$ ")
    stage.press(*"abc", "Left", "C-l")
    assert stage.shown == ("$ abc", 4)
