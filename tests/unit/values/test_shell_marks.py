"""Where a prompt begins in raw output, by what line editors write for terminals."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tmuxprim._values.shell_marks import ShellMarks

OFF, ON = "\x1b[?2004l\r", "\x1b[?2004h"
SPACES = " " * 79
# As bash 5.2, zsh 5.9 and fish 3.6 write it, in tmux 3.3a.
ZSH_ROW = f"\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m{SPACES}\r \r"
ZSH_PROMPT = f"\r\x1b[0m\x1b[27m\x1b[24m\x1b[J~\r\n% \x1b[K{ON}"
FISH_ROW = f"\x1b[2m\u23ce\x1b[m\x0f{SPACES}\r\u23ce \r\x1b[K"
FISH_PROMPT = f"{ON}\x1b]0;~\x07\x1b[30m\x1b[m\x0f\x1b[92mme\x1b[m\x0f> \x1b[K\r\x1b[4C"


def read(text: str) -> ShellMarks:
    """Return the marks in a whole text."""
    marks = ShellMarks()
    marks.feed(text)
    return marks


@pytest.mark.parametrize(
    ("before", "prompt", "is_apart"),
    [
        (f"ls\r\n{OFF}a\r\n", f"{ON}~\r\n$ ", False),
        ("ls\x1b[?2004l\r\r\na\r\n", f"{ZSH_ROW}{ZSH_PROMPT}", True),
        ("ls\x1b[?2004l\r\r\na\r\n", f"{ZSH_ROW}hook\r\n{ZSH_PROMPT}", True),
        ("ls\x1b[?2004l\r\r\na\r\n", ZSH_PROMPT, False),  # with its option nopromptsp
        ("ls\x1b[?2004l\r\r\na\r\n\r\n", ZSH_PROMPT[1:], False),  # with nopromptcr too, as pure has
        (f"\r\n{OFF}\x1b]0;ls\x07a\r\n", f"{FISH_ROW}{FISH_PROMPT}", True),
        ("ls\x1b[?2004l\r\r\na\r\n", f"%{SPACES}\r \r\r% {ON}", False),  # a dumb terminal
        (f"\r\n{OFF}{ON}forged\r\n{ZSH_ROW}x\r\n", f"{ON}$ ", False),
        (f"\r\n{OFF}{ZSH_ROW}{ZSH_PROMPT}{OFF}a\r\n", f"{ON}$ ", False),
        (f"\r\n{OFF}a{ZSH_ROW}", f"{ON}$ ", False),
        (f"\r\n{OFF}{FISH_ROW}a\r\n", f"{ON}$ ", False),
        (f"\r\n{OFF}a \r \r\r \r", f"{ON}$ ", False),
    ],
)
def test_the_prompt_behind_the_last_marks(before: str, prompt: str, is_apart: bool) -> None:  # noqa: FBT001  # a column
    """The output of a command comes before its shell's marks, even if it holds marks."""
    marks = read(before + prompt)
    assert (marks.was_taken, marks.prompt, marks.is_apart) == (True, prompt, is_apart)
    assert not marks.is_silent


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ls\r\na\r\n$ ",
        f"{ON}$ ",
        f"\r\n{OFF}a",
        f"\r\n{OFF}{ON}$ \r\n{OFF}a\r\nb$ ",
        f"{OFF}{ON}",
    ],
)
def test_there_is_no_prompt(text: str) -> None:
    """Without marks, while a command runs, and where nothing stands behind them."""
    marks = read(text)
    assert (marks.prompt, marks.is_apart, marks.is_silent) == ("", False, False)
    assert marks.was_taken == ("\x1b[?2004l" in text)


@pytest.mark.parametrize(
    ("output", "last"),
    [
        ("", "\n"),
        ("a\r\n", "\n"),
        ("a\r\nb\r\n\x1b[0m", "\n"),
        ("a b ", "a b "),
        ("a\r\nb c", "b c"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[5Gx", ""),
        ("abc\x1b[2D", ""),
        ("ab\b", ""),
        ("b\rc", ""),
        ("a\tb", "b"),
        ("50%\r", ""),
        ("50%\r\x1b[K", ""),
    ],
)
def test_the_last_text_of_the_output(output: str, last: str) -> None:
    """It tells in which column the output ends; what moves the cursor leaves that open."""
    assert read(f"\r\n{OFF}{output}{ON}$ ").last == last


@pytest.mark.parametrize(
    ("between", "is_silent"),
    [("", True), ("\x1b]0;title\x07", True), ("\r\n", False), ("a\r\n", False), ("\t", False)],
)
def test_nothing_was_printed(between: str, is_silent: bool) -> None:  # noqa: FBT001  # a column
    """Neither by a command nor by a hook of the prompt, not even a blank row."""
    assert read(f"\r\n{OFF}{between}{ON}$ ").is_silent is is_silent


def test_much_output_is_not_kept() -> None:
    """Its end is, and that a line was taken; whether it was silent is no longer known."""
    marks = ShellMarks()
    marks.feed(f"\r\n{OFF}")
    for _ in range(200):
        marks.feed("x" * 1000)
    marks.feed(f"\r\n{ON}$ ")
    assert (marks.was_taken, marks.prompt, marks.last) == (True, f"{ON}$ ", "\n")
    assert not marks.is_silent


TEXTS = st.lists(
    st.sampled_from(["a", "\r\n", OFF, ON, ZSH_ROW, ZSH_PROMPT, FISH_ROW, FISH_PROMPT, "\x1b[0m"])
).map("".join)


@given(TEXTS, st.lists(st.integers(0, 200)))
def test_it_does_not_matter_how_it_is_cut(text: str, cuts: list[int]) -> None:
    """Pieces tell the same as the whole."""
    marks, places = ShellMarks(), sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    for start, end in pairwise(places):
        marks.feed(text[start:end])
    whole = read(text)
    assert (marks.was_taken, marks.prompt, marks.last, marks.is_apart, marks.is_silent) == (
        whole.was_taken,
        whole.prompt,
        whole.last,
        whole.is_apart,
        whole.is_silent,
    )
