"""Where a prompt begins in raw output, by what line editors write for terminals."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tmuxprim._values.line_editor import LineEditor
from tmuxprim._values.shell_marks import ShellMarks

OFF, ON = "\x1b[?2004l\r", "\x1b[?2004h"
SPACES = " " * 79
# As bash 5.2, zsh 5.9 and fish 3.6 write it, in tmux 3.3a.
ZSH_ROW = f"\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m{SPACES}\r \r"
ZSH_PROMPT = f"\r\x1b[0m\x1b[27m\x1b[24m\x1b[J~\r\n% \x1b[K{ON}"
FISH_ROW = f"\x1b[2m\u23ce\x1b[m\x0f{SPACES}\r\u23ce \r\x1b[K"
FISH_PROMPT = f"{ON}\x1b]0;~\x07\x1b[30m\x1b[m\x0f\x1b[92mme\x1b[m\x0f> \x1b[K\r\x1b[4C"
# As fish 4.0.2 writes it there. It also asks for reports of more keys, and of the focus.
FISH_4_ON = "\x1b[?2004h\x1b[>4;1m\x1b[=5u\x1b=\x1b[?1004h"
FISH_4_OFF = "\x1b[?2004l\x1b[>4;0m\x1b[=0u\x1b>\x1b[?1004l"
FISH_4_ROW = f"\x1b[2m\u23ce\x1b[m\x0f{SPACES}\r\u23ce \r\x1b[K"
FISH_4_DRAWS = "\x1b[K\x1b]133;A;special_key=1\x07\r\n~ main\r\n> \x1b[K\r\x1b[2C"
TITLE = "\x1b]0;~\x07\x1b[30m\x1b[m\x0f"
FISH_4_PROMPT = f"{TITLE}{FISH_4_DRAWS}{FISH_4_ON}"
# The prompts tide (fish) and spaceship (zsh) draw again what has come late.
FISH_4_AGAIN = f"{FISH_4_OFF}{TITLE}\r\x1bM\x1bM{FISH_4_DRAWS}{FISH_4_ON}"
ZSH_AGAIN = "\r\r\x1bM\x1b[0m\x1b[27m\x1b[24m\x1b[J~ main\r\n% \x1b[K"


@pytest.mark.parametrize(
    ("before", "prompt", "is_apart"),
    [
        (f"ls\r\n{OFF}a\r\n", f"{ON}~\r\n$ ", False),
        ("ls\x1b[?2004l\r\r\na\r\n", f"{ZSH_ROW}{ZSH_PROMPT}", True),
        ("ls\x1b[?2004l\r\r\na\r\n", f"{ZSH_ROW}hook\r\n{ZSH_PROMPT}", True),
        ("ls\x1b[?2004l\r\r\na\r\n", ZSH_PROMPT, False),  # with its option nopromptsp
        ("ls\x1b[?2004l\r\r\na\r\n\r\n", ZSH_PROMPT[1:], False),  # with nopromptcr too, as pure has
        (f"\r\n{OFF}\x1b]0;ls\x07a\r\n", f"{FISH_ROW}{FISH_PROMPT}", True),
        (f"\r\n{FISH_4_OFF}\x1b]0;ls\x07\ra\r\n", f"{FISH_4_ROW}{FISH_4_PROMPT}", True),
        (f"\r\n{FISH_4_OFF}a\r\n{ZSH_ROW}", f"{FISH_4_ROW}{FISH_4_PROMPT}", True),
        (f"\r\n{FISH_4_OFF}a{ZSH_ROW}{ZSH_PROMPT}", f"{FISH_4_ROW}{FISH_4_PROMPT}", True),
        ("ls\x1b[?2004l\r\r\na" + FISH_4_ROW, f"{ZSH_ROW}{ZSH_PROMPT}", True),
        ("ls\x1b[?2004l\r\r\na" + FISH_4_ROW, ZSH_PROMPT, False),
        ("ls\x1b[?2004l\r\r\na\r\n", f"%{SPACES}\r \r\r% {ON}", False),  # a dumb terminal
        (f"\r\n{OFF}{ON}forged\r\n{ZSH_ROW}x\r\n", f"{ON}$ ", False),
        (f"\r\n{OFF}{ZSH_ROW}{ZSH_PROMPT}{OFF}a\r\n", f"{ON}$ ", False),
        (f"\r\n{OFF}{ZSH_ROW}{ZSH_PROMPT}for x\x1b[?2004l\r\r\n", ZSH_PROMPT, False),  # `for> `
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
    ("first", "again"),
    [
        (f"{FISH_4_ROW}{FISH_4_PROMPT}", FISH_4_AGAIN),
        (f"{ZSH_ROW}{ZSH_PROMPT}", ZSH_AGAIN),
        (f"{ZSH_ROW}hook\r\n{ZSH_PROMPT}", ZSH_AGAIN),
    ],
)
def test_a_prompt_that_is_drawn_again(first: str, again: str) -> None:
    """It begins where it began, and a snapshot may show it as it was at any time."""
    before = "ls\x1b[?2004l\r\r\na\r\n"
    for times in range(3):
        marks = read(before + first + again * times)
        assert marks.prompts == tuple(first + again * n for n in range(times, -1, -1))
        assert (marks.last, marks.is_apart) == ("\n", True)
        assert marks.editor is LineEditor.AT_PROMPT
    assert read(before).prompts == ()


# As Powerlevel10k draws a transient prompt in zsh, and starship in fish 4.
ZSH_LINE = (
    "\x1b[?1l\x1b>\x1b[?25l\x1b[?2004l\r\r\x1bM\x1bM\x1b[0m\x1b[27m\x1b[24m\x1b[J> ls"
    "\x1b[K\x1b[?25h"
)
FISH_LINE = (
    f"{FISH_4_OFF}{FISH_4_ON}{FISH_4_OFF}{TITLE}\r\x1bM\x1bM\x1b]133;A;special_key=1\x07\x1b[0J> ls"
    f"\x1b[K\r\x1b[4C{FISH_4_ON}\x1b[K\r\x1b[4C"
)
# As starship draws it in fish 4.9.3, which goes up in another way.
FISH_LATER = (
    f"\x1b[?1004l\x1b[?2004l\x1b[>4;0m\x1b>{TITLE}\x1b[A\x1b[A\r\x1b]133;A;click_events=1\x1b\\> "
    "\x1b]133;B\x1b\\\x1b[Jls\r\x1b[4C"
)
FISH_OUTPUT = f"\x1b[30m\x1b[m\x0f\x1b]133;C;cmdline_url=ls\x07{FISH_4_OFF}{TITLE}\r"


@pytest.mark.parametrize(
    ("line", "output"),
    [
        (ZSH_LINE, f"\r\r\na\r\n{ZSH_ROW}{ZSH_PROMPT}"),
        (f"ls{ZSH_LINE}", "\r\r\na\r\r\n"),
        (FISH_LINE, f"\r\n{FISH_OUTPUT}a\r\n{FISH_4_ROW}{FISH_4_PROMPT}"),
        (FISH_LATER, "\r\n\x1b[m\x1b]133;C;cmdline_url=ls\x1b\\\x1b[m\ra\x1b]133;D;0\x1b\\"),
        (f"ls{FISH_LINE}", f"\r\n{FISH_OUTPUT}a\r\x1bMb\r\n\x1b]133;C\x07"),
    ],
)
def test_a_line_that_is_drawn_again(line: str, output: str) -> None:
    """It ends where its row does, before any output."""
    assert read(line + output).line_again == line
    marks = ShellMarks()
    for char in line + output:
        marks.feed(char)
    assert marks.line_again == line


@pytest.mark.parametrize(
    "text",
    [
        f"ls\r\n{OFF}a\r\n\x1bMb\r\n{ON}$ ",
        "ls\x1b[?2004l\r\r\na\r\n" + ZSH_ROW + ZSH_PROMPT,
        f"ls\r\n{FISH_OUTPUT}a\r\n{FISH_4_ROW}{FISH_4_PROMPT}",
        f"ls\r\n{OFF}{'a' * 20_000}{ZSH_LINE}\r\r\n",
        f"ls\r\n{OFF}{ZSH_LINE}\r\r\n{ON}$ ",  # a recorded session
        f"ls\r\n{OFF}{FISH_LINE}\r\n{FISH_OUTPUT}{ON}$ ",
        f"ls\x1b[?2004l\r\r\n{ZSH_LINE}\r\r\n{ZSH_ROW}{ZSH_PROMPT}",
    ],
)
def test_a_line_that_is_drawn_once(text: str) -> None:
    """What a command draws further up is not its line."""
    assert read(text[:20_000]).line_again == ""
    marks = ShellMarks()
    for char in text:
        marks.feed(char)
    assert marks.line_again == ""


@pytest.mark.parametrize(
    ("output", "prompt"),
    [
        (f"{FISH_4_ROW}{FISH_4_PROMPT}{FISH_4_AGAIN}", f"{ON}$ "),
        (f"{FISH_4_ROW}{FISH_4_PROMPT}{FISH_4_AGAIN}", f"{FISH_4_ROW}{FISH_4_PROMPT}"),
        (f"{FISH_4_PROMPT}{FISH_4_OFF}\r\x1b[K", f"{FISH_4_ROW}{FISH_4_PROMPT}"),
        (f"{FISH_4_PROMPT}{FISH_4_OFF}\r\x1b[K", f"{ZSH_ROW}{ZSH_PROMPT}"),
        (f"{FISH_4_PROMPT}{FISH_4_OFF}\r\x1b[K", ZSH_PROMPT),
        (f"{ZSH_ROW}{ZSH_PROMPT}{ZSH_AGAIN}", f"{ON}$ "),
        (f"{ZSH_ROW}{ZSH_PROMPT}{ZSH_AGAIN}", f"{ZSH_ROW}{ZSH_PROMPT}"),
    ],
)
def test_output_that_looks_like_a_prompt_drawn_again(output: str, prompt: str) -> None:
    """The prompt is the shell's, which comes last."""
    assert read(f"\r\n{OFF}a\r\n{output}{prompt}").prompts == (prompt,)


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
        ("a\r\n\x1bkls\x1b\\", "\n"),  # a title, as Oh My Zsh sets it
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
    [
        ("", True),
        ("\x1b]0;title\x07", True),
        ("\x1bktitle\x1b\\", True),
        ("\r\n", False),
        ("a\r\n", False),
        ("\t", False),
    ],
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
    st.sampled_from(
        ["a", "\r\n", OFF, ON, ZSH_ROW, ZSH_PROMPT, ZSH_AGAIN, FISH_ROW, FISH_PROMPT, "\x1b[0m"]
    )
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


# What shells report of their commands in raw output, and what only looks like it.

OFF, ON = "\x1b[?2004l\r", "\x1b[?2004h"
ROW = f"\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m{' ' * 79}\r \r"
DRAWS = "\r\x1b[0m\x1b[27m\x1b[24m\x1b[J"


def mark(letter: str, *words: object, code: int = 133, end: str = "\x07") -> str:
    """Return a mark of a shell."""
    return f"\x1b]{';'.join(map(str, (code, letter, *words)))}{end}"


D, C = mark("D", 0), mark("C")

Shell = Callable[[str, int], str]


def plain(output: str, _: int) -> str:
    """Return what bash writes that reports nothing."""
    return f"\r\n{OFF}{output}{ON}~\r\n$ "


def with_prompt(output: str, _: int) -> str:
    """Return what bash writes whose PS1 has marks, and that reports nothing else."""
    return f"\r\n{OFF}{output}{ON}{mark('A')}~\r\n$ {mark('B')}"


def bash(output: str, status: int) -> str:
    """Return what bash writes with the integration of VS Code, or of kitty, and hooks."""
    hooks = f"ps0\r\n{mark('C')}{output}{mark('D', status)}hook\r\n"
    return f"\r\n{OFF}{hooks}{ON}{mark('A')}~\r\n$ {mark('B')}"


def zsh(output: str, status: int) -> str:
    """Return what zsh writes with such an integration."""
    ends = f"{ROW}{mark('D', status)}{DRAWS}{mark('A')}~ % {mark('B')}\x1b[K{ON}"
    return f"ls{OFF}\r\n{mark('C')}{output}{ends}"


def fish(output: str, status: int) -> str:
    """Return what fish 4 writes by itself."""
    begins = f"\r\n\x1b[30m\x1b[m\x0f{mark('C', 'cmdline_url=ls')}{FISH_4_OFF}\x1b]0;ls ~\x07\r"
    return f"{begins}{output}{mark('D', status)}\x1b[?25h{FISH_4_ROW}{FISH_4_PROMPT}"


def fish_again(output: str, status: int) -> str:
    """Return what fish 4 writes if its prompt is drawn again."""
    return fish(output, status) + FISH_4_AGAIN


def zsh_again(output: str, status: int) -> str:
    """Return what zsh writes with such an integration if its prompt is drawn again."""
    return zsh(output, status) + ZSH_AGAIN


def numbered(output: str, status: int) -> str:
    """Return what bash writes with an integration of ours, and hooks."""
    begins, is_next = mark("C", "tmuxprim=7"), "tmuxprim=8"
    ends = f"{mark('D', status, is_next)}hook\r\n{ON}{mark('A', f'status={status}', is_next)}$ "
    return f"\r\n{OFF}ps0\r\n{begins}{output}{ends}{mark('B')}"


def inherited(output: str, _: int) -> str:
    """Return what a bash writes that has inherited our PS1 and PS0, and so reports nothing."""
    begins, prompt = mark("C", "tmuxprim="), mark("A", "status=0", "tmuxprim=")
    return f"\r\n{OFF}{begins}{output}{ON}{prompt}$ "


def lost(output: str, status: int) -> str:
    """Return what bash writes with our integration, whose PS0 was emptied."""
    ends = f"{mark('D', status, 'tmuxprim=8')}{ON}{mark('A', f'status={status}', 'tmuxprim=8')}$ "
    return f"\r\n{OFF}{output}{ends}"


REPORTING: Final = (bash, zsh, fish, fish_again, zsh_again, numbered)
SILENT: Final = (plain, with_prompt, inherited, lost)


def read(text: str, *, reports: bool = False) -> ShellMarks:
    """Return the marks in a whole text."""
    marks = ShellMarks(reports=reports)
    marks.feed(text)
    return marks


@pytest.mark.parametrize("shell", REPORTING)
def test_a_shell_that_is_known_to_report(shell: Shell) -> None:
    """Its status is told, and the output ends before whatever its hooks print."""
    marks = read(shell("a\r\n", 3), reports=True)
    assert (marks.status, marks.reports_end, marks.last) == (3, True, "\n")
    assert marks.prompt.count("hook") == shell("", 0).count("hook")
    assert (marks.before_output or "").count("ps0") == shell("", 0).count("ps0")


@pytest.mark.parametrize("shell", REPORTING)
def test_what_makes_a_shell_known(shell: Shell) -> None:
    """A command that printed nothing, or a number that a command cannot know."""
    is_numbered = shell is numbered
    assert read(shell("", 0)).reports_commands is True
    assert read(shell("a\r\n", 0)).reports_commands is (True if is_numbered else None)
    assert read(shell(mark("C"), 0)).reports_commands is (True if is_numbered else None)
    assert read(shell(f"{'x' * 20_000}\r\n", 0)).reports_commands is (True if is_numbered else None)


@pytest.mark.parametrize("shell", SILENT)
def test_a_shell_that_does_not_report(shell: Shell) -> None:
    """A command makes that known, unless it prints a report; our integration still may be there."""
    is_numbered = shell is lost
    assert read(shell("a\r\n", 0)).reports_commands is is_numbered
    assert read(shell(f"{C}a\r\n{D}", 0)).reports_commands is (True if is_numbered else None)


def test_a_shell_that_is_not_known_yet() -> None:
    """Nothing is told but by numbers, and what a hook may have printed is a doubt."""
    assert [read(shell("a\r\n", 3)).status for shell in REPORTING] == [*[None] * 5, 3]
    assert [read(shell("a\r\n", 3)).before_output for shell in (bash, zsh, fish)] == [None, "", ""]


def test_a_hook_before_the_output_of_a_shell_that_is_not_known_yet() -> None:
    """The text may be output of a command that also prints a mark."""
    text = f"ls{OFF}\r\nhook\r\n{mark('C')}a\r\n{ROW}{mark('D', 1)}{DRAWS}% {ON}"
    assert read(text).before_output is None
    far = text.replace("hook", "x" * 20_000)
    assert read(far).before_output is None
    assert read(text.replace(mark("D", 1), "")).before_output == ""
    own = numbered("", 0).replace("ps0", "x")
    marks = ShellMarks()
    marks.feed(f"\r\n{OFF}{'x' * 20_000}")
    marks.feed(own.partition(OFF)[2])
    assert (marks.before_output, marks.status) == (None, 0)


@pytest.mark.parametrize("shell", [*REPORTING, *SILENT])
def test_a_job_in_the_background(shell: Shell) -> None:
    """It may write anywhere while the prompt is drawn, so that is no proof of a report."""
    text = shell(f"{C}a", 1)
    places = [found.end() for found in re.finditer(r"\x1b[^\x1b]*", text[text.index("a") :])]
    for place in places:
        at = text.index("a") + place
        for forged in (D, f"{D}{mark('A')}"):
            for reports in {False, shell in REPORTING}:
                marks = read(f"{text[:at]}{forged}{text[at:]}", reports=reports)
                assert marks.status in ({None, 1} if shell is numbered else {None})


def test_a_line_of_several_rows_in_fish() -> None:
    """It goes up and down again to draw that; what a hook prints is below the last of them."""
    line = "\x1b[36mlong \x1bM\r\r\n\x1b[8Cb\x1bM\r\r\n\x1b[9C\r\n"
    begins, ends = mark("C", "tmuxprim=7"), mark("D", 0, "tmuxprim=8")
    rest = f"{OFF}a\r\n{ends}{ON}{FISH_ROW}{mark('A', 'status=0', 'tmuxprim=8')}> "
    assert read(f"{line}{begins}{rest}").before_output == ""
    assert read(f"{line}pre\r\n{begins}{rest}").before_output == "pre\r\n"


@pytest.mark.parametrize("code", [133, 633])
@pytest.mark.parametrize("end", ["\x07", "\x1b\\"])
def test_how_a_mark_is_spelt(code: int, end: str) -> None:
    """VS Code has a number of its own, and a string has two ends."""
    begins, ends = mark("C", code=code, end=end), mark("D", 42, code=code, end=end)
    text = f"ls{OFF}\r\n{begins}a\r\n{ROW}{ends}{DRAWS}{mark('A')}% {ON}"
    assert read(text, reports=True).status == 42


@pytest.mark.parametrize("words", [(), ("",), ("x",), ("err=1",), ("-1",), ("1" * 11,)])
def test_a_report_without_a_status(words: tuple[str, ...]) -> None:
    """The output ends there all the same."""
    text = f"ls{OFF}\r\n{mark('C')}a\r\n{ROW}{mark('D', *words)}{DRAWS}{mark('A')}% {ON}"
    marks = read(text, reports=True)
    assert (marks.status, marks.reports_end) == (None, True)


SESSION: Final = bash("recorded\r\n", 0)
OURS: Final = f"{mark('C', 'tmuxprim=3')}x\r\n{mark('D', 0, 'tmuxprim=4')}"
FORGED: Final = {
    "an end": D,
    "an end and a row": f"{D}\r\n",
    "an end in the middle": f"a\r\n{D}b\r\n",
    "two ends": D + D,
    "a beginning": C,
    "a beginning in the middle": f"a\r\n{C}b\r\n",
    "a beginning and an end": f"a\r\n{C}b\r\n{D}c\r\n",
    "an end and a beginning": f"a\r\n{D}b\r\n{C}c\r\n",
    "a prompt": mark("A") + "~\r\n$ " + mark("B"),
    "an end and a prompt": f"{D}{mark('A')}$ {mark('B')}",
    "an end and a prompt that edits": f"{D}{ON}{mark('A')}$ {mark('B')}",
    "all of it, once more": f"{C}{D}{ON}{mark('A')}$ {mark('B')}\r\n{OFF}",
    "a recorded session": SESSION,
    "a recorded session, and its next line": f"{SESSION}ls\r\n{OFF}",
    "a recorded zsh": zsh("recorded\r\n", 0),
    "a recorded fish": fish("recorded\r\n", 0),
    "a recorded shell of ours": numbered("recorded\r\n", 0).replace("=8", "=4").replace("=7", "=3"),
    "a number": OURS,
    "a number that is too big": mark("D", 0, "tmuxprim=9"),
    "the number of before": mark("D", 0, "tmuxprim=7"),
    "no number": mark("D", 0, "tmuxprim=x"),
    "an editor between": f"\x1b[?1049h\x1b[2J{D}\x1b[?1049l",
    "a shell inside": f"{ON}in> {OFF}{C}{D}{ON}in> exit\r\n{OFF}exit\r\n",
    "a row of zsh and an end": f"{ROW}{D}",
    "a prompt of fish, half drawn again": f"{FISH_4_ROW}{FISH_4_PROMPT}{FISH_4_OFF}\r\x1b[K{D}",
    "half of an end": "\x1b]133;D;0",
    "VS Code's": mark("D", 0, code=633),
}


@pytest.mark.parametrize("name", FORGED)
@pytest.mark.parametrize("shell", [*REPORTING, *SILENT])
def test_what_a_command_prints_is_no_report(name: str, shell: Shell) -> None:
    """A status is that of the shell, or none is told; so is the end of the output."""
    reports = shell in REPORTING
    for output in (FORGED[name], f"b\r\n{FORGED[name]}", f"{FORGED[name]}e\r\n"):
        text = shell(output, 1)
        for is_known in {False, reports}:
            marks = read(text, reports=is_known)
            assert marks.status in ({None, 1} if reports else {None}), output
            begins = len(text) - len(marks.prompt)
            honest = read(shell("", 1), reports=reports).prompt
            least = len(text) - len(honest)
            assert begins >= least, output
            if shell is numbered:
                assert marks.status == 1
            if marks.before_output:
                assert marks.before_output == f"{OFF}ps0\r\n"


PIECES: Final = st.sampled_from(
    [D, C, ON, OFF, ROW, mark("A"), mark("B"), "a", "\r\n", OURS, "\x1b]133;D", mark("D", 2)]
)


@given(
    shell=st.sampled_from([*REPORTING, *SILENT]),
    output=st.lists(PIECES, max_size=12).map("".join),
    cuts=st.lists(st.integers(0, 10_000), max_size=5),
)
def test_no_output_forges_a_status(shell: Shell, output: str, cuts: list[int]) -> None:
    """Whatever the marks in it are, and wherever the text is cut into pieces."""
    text, reports = shell(output, 1), shell in REPORTING
    whole, marks = read(text, reports=reports), ShellMarks(reports=reports)
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    for start, end in pairwise(places):
        marks.feed(text[start:end])
    assert marks.status in ({None, 1} if reports else {None})
    assert (marks.status, marks.prompt, marks.before_output, marks.reports_commands) == (
        whole.status,
        whole.prompt,
        whole.before_output,
        whole.reports_commands,
    )


def test_marks_that_were_read_long_ago() -> None:
    """They count, although their text is kept no more."""
    marks = ShellMarks(reports=True)
    for piece in (f"\r\n{OFF}{C}{D}", "x" * 20_000, f"{mark('D', 1)}{ON}{mark('A')}$ "):
        marks.feed(piece)
    assert (marks.status, marks.reports_end, marks.reports_commands) == (None, False, None)
    marks = ShellMarks(reports=True)
    for piece in (f"\r\n{OFF}{C}{D}", "x" * 20_000, f"{ON}{mark('A')}$ "):
        marks.feed(piece)
    assert (marks.status, marks.reports_end) == (None, False)


def test_a_command_that_has_not_ended() -> None:
    """Nothing is told of it."""
    for begins in (C, mark("C", "tmuxprim=7")):
        marks = read(f"\r\n{OFF}{begins}a\r\n", reports=True)
        assert (marks.status, marks.reports_end, marks.before_output) == (None, False, "")
