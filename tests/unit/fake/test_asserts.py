"""Asserts on what was sent and what is shown."""

import attrs
import pytest

from tmuxprim import Console, Cursor, FakeTerminal, Key, KeySequence, Pane, Screen
from tmuxprim.errors import InvalidScreenError
from tmuxprim.testing import ScriptedShell, Style, assert_screen


@pytest.fixture
def console() -> Console:
    """Give a console to which a little was sent."""
    terminal = FakeTerminal()
    console = Console(terminal, terminal.open(name="shared"))
    console.wait_ready()
    console.send("echo Up")
    console.wait_ready()
    terminal.clock.sleep(1.0)
    console.keys("C-c", KeySequence.text("Enter"))
    return console


def fake_of(console: Console) -> FakeTerminal:
    """Return the terminal."""
    terminal = console._terminal  # noqa: SLF001  # there is no other way, and no need for one
    assert isinstance(terminal, FakeTerminal)
    return terminal


def test_what_was_sent_is_told_as_one_thinks_of_it(console: Console) -> None:
    """Texts, names of keys, keys and sequences all do; how they were delivered does not matter."""
    rest = KeySequence.keys("C-c") + KeySequence.text("Enter")
    for pane in (console.pane, Pane("shared")):
        fake_of(console).assert_sent(pane, "echo Up", "Enter", rest)
        fake_of(console).assert_sent(pane, "echo Up", Key("Enter"), rest)


def test_a_letter_is_a_text() -> None:
    """A key of one character types that character."""
    terminal = FakeTerminal()
    pane = terminal.open()
    terminal.assert_sent(pane)
    terminal.send(pane, KeySequence.text("y"))
    terminal.assert_sent(pane, "y")


def test_the_failure_shows_both_side_by_side(console: Console) -> None:
    """What is equal stands in one row, with the time it was sent at."""
    with pytest.raises(AssertionError) as caught:
        fake_of(console).assert_sent(console.pane, "echo Up", "Tab", "Enter", "C-c", "C-d")
    lines = [line.split("  ")[:1] + line.split() for line in str(caught.value).split("\n")]
    assert lines[0][0] == "pane %0 got other input than expected:"
    assert lines[1][1:] == ["expected", "sent", "at"]
    assert [line[1:3] for line in lines[2:]] == [
        ["'echo", "Up'"],
        ["!", "Tab"],
        ["Enter", "Enter"],
        ["C-c", "C-c"],
        ["!", "C-d"],
    ]
    assert lines[-1][3] == "'Enter'"
    with pytest.raises(AssertionError) as caught:
        fake_of(console).assert_sent(console.pane, "echo Up", "Enter", "C-c")
    assert str(caught.value).split("\n")[-1].split()[:2] == ["!", "'Enter'"]


def test_the_screen_is_what_it_is(console: Console) -> None:
    """Spaces at the ends of rows, and empty rows at the end, do not count."""
    terminal = fake_of(console)
    terminal.clock.sleep(1.0)
    terminal.assert_screen(console.pane, "$ echo Up\nUp\n$ ^C  \n$ Enter\n\n")
    screen = terminal.observe(console.pane)
    assert_screen(screen, "$ echo Up\nUp\n$ ^C\n$ Enter", cursor=Cursor(3, 7))


def test_the_failure_is_a_diff() -> None:
    """Of rows."""
    terminal = FakeTerminal()
    pane = terminal.open()
    terminal.clock.sleep(1.0)
    with pytest.raises(AssertionError) as caught:
        terminal.assert_screen(pane, "# \nx", cursor=Cursor(1, 1))
    assert str(caught.value) == (
        "the screen differs from the expected one:\n--- expected\n+++ screen\n"
        "@@ -1,2 +1 @@\n-#\n-x\n+$\n"
        "the cursor is expected at Cursor(row=1, column=1), but it is at "
        "Cursor(row=0, column=2)"
    )
    with pytest.raises(AssertionError, match=r"^the cursor is expected at"):
        terminal.assert_screen(pane, "$", cursor=Cursor(0, 0))


GREEN, BOLD = Style(foreground=2), Style(foreground=2, bold=True)


@pytest.fixture
def painted() -> Screen:
    """Give a screen with a green word, of which the end is bold, and with its end once more."""
    shell = ScriptedShell({"make": "\x1b[32mgreen\x1b[1mish\x1b[m ish"})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open())
    console.run("make")
    terminal.assert_screen(console.pane, "$ make\ngreenish ish\n$", styles={"green": GREEN})
    return terminal.observe(console.pane, styled=True)


def test_styles_of_what_is_named_are_compared(painted: Screen) -> None:
    """And of nothing else; the rows need not be known."""
    assert_screen(painted, styles={"make": Style(), "gree": GREEN})


def test_each_place_has_to_look_so(painted: Screen) -> None:
    """The failure names the row, and how the text looks there."""
    with pytest.raises(AssertionError) as caught:
        assert_screen(painted, "$", styles={"ish": BOLD, "nish": GREEN, "gray": GREEN})
    assert str(caught.value).split("\n")[-3:] == [
        "'ish' in row 1 does not look like Style(foreground=2, bold=True), but like Style()",
        f"'nish' in row 1 does not look like {GREEN}, but like {GREEN} and {BOLD}",
        "'gray', expected to look like Style(foreground=2), is in no row",
    ]


def test_a_plain_look_has_no_styles(painted: Screen) -> None:
    """Who forgot to ask for them is told, and nothing passes."""
    with pytest.raises(InvalidScreenError, match=r"look with observe\(pane, styled=True\)"):
        assert_screen(attrs.evolve(painted, styles=None), styles={"make": Style()})
