"""What can be known of a prompt: how many rows it has, and where it begins."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import Cursor, Outcome, Readiness, Screen, Size
from tmuxprim._engine.prompt_rows import (
    CHANGES_PROMPT,
    LEFT,
    PromptRows,
    ShownPrompt,
    find_below,
    see_prompt,
    split_line,
)
from tmuxprim._engine.prompts import Prompts
from tmuxprim.testing import Layout

NEW = PromptRows()
ONE = PromptRows(1, "$ ", "$ ", is_sure=True)
TWO = PromptRows(2, "up", "$ ", is_sure=True)
UNKNOWN = attrs.evolve(ONE, rows=None)


def below(text: str, *, size: Size = Size(40, 10)) -> Screen:  # noqa: B008  # frozen
    """Return a screen below some rows of history."""
    return attrs.evolve(screen(text, size=size), history_size=50)


def see(
    before: str, now: str, known: PromptRows = UNKNOWN, *, may_differ: bool = False
) -> ShownPrompt:
    """Return what a prompt tells below a command line."""
    return see_prompt(below(now), known, before=below(before), may_differ=may_differ)


@pytest.mark.parametrize(
    ("shown", "rows"), [("$ ", 1), ("up\n$ ", None), ("\n$ ", None)], ids=["one", "two", "blank"]
)
def test_a_prompt_at_the_top(shown: str, rows: int | None) -> None:
    """It has one row if nothing stands above it; else that may be a greeting."""
    assert see_prompt(screen(shown), NEW).prompt.rows == rows
    assert see_prompt(below(shown), NEW).prompt.rows is None


def test_a_row_that_zsh_has_wiped() -> None:
    """It is a row of the prompt if it is on the screen, since a hook has ended it."""
    wiped = attrs.evolve(screen("\n$ "), layout=Layout(blanks=(40,)))
    assert see_prompt(wiped, NEW).prompt.rows is None


@pytest.mark.parametrize(
    ("text", "history_size", "blanks", "is_marked"),
    [
        ("$ ", 1, (), True),
        ("up\n$ ", 1, (), True),
        ("$ ", 0, (1,), False),
        ("$ ", 0, (38,), None),  # a dumb terminal, on which it wipes no row
        ("up\n$ ", 0, (), None),  # or a greeting
        ("$ ", 2, (), None),
        ("\n" * 9 + "$ ", 1, (), None),  # it has scrolled
    ],
)
def test_whether_zsh_marks_output_without_a_line_break(
    text: str,
    history_size: int,
    blanks: tuple[int, ...],
    is_marked: bool | None,  # noqa: FBT001  # a column
) -> None:
    """Its first prompt at the top tells: tmux keeps the row that it has wiped in the history."""
    layout = Layout(blanks=blanks)
    first = attrs.evolve(
        screen(text, size=Size(40, 10)), command="zsh", history_size=history_size, layout=layout
    )
    seen = see_prompt(first, NEW).prompt
    assert seen.is_marked is is_marked
    later = attrs.evolve(first, history_size=7)
    assert see_prompt(later, seen).prompt.is_marked is is_marked
    assert see_prompt(attrs.evolve(first, command="bash"), NEW).prompt.is_marked is None


def test_a_cleared_screen_is_no_top() -> None:
    """Where a prompt was known before, output may stand left of it."""
    seen = see_prompt(screen("x$ "), ONE)
    assert (seen.prompt.first, seen.tail, seen.doubt) == ("$ ", "x", LEFT)


@pytest.mark.parametrize("known", [UNKNOWN, ONE, TWO, NEW, PromptRows(None, "~ $ ", "~ $ ")])
def test_a_prompt_right_below_a_command_line(known: PromptRows) -> None:
    """It has one row, whatever was known before."""
    assert see("a\n$ cmd", "a\n$ cmd\n$ ", known).prompt.rows == 1
    assert see("a\n$ cmd", "a\n$ cmd\nx$ ", known).prompt.rows == 1


def test_output_between_tells_nothing() -> None:
    """Its last row may be the prompt's."""
    assert see("a\n$ cmd", "a\n$ cmd\na\n$ ").prompt.rows is None
    assert see("a\n$ cmd", "a\n$ cmd\na\n$ ", ONE).prompt.rows == 1


def test_what_asks_for_the_rest_of_a_command_tells_nothing() -> None:
    """It stands alone, whatever the prompt has; so does the cursor before any prompt."""
    for shown in ("> ", ""):
        for known in (ONE, TWO, UNKNOWN):
            assert see("$ cmd", f"$ cmd\n{shown}", known).prompt == known
        assert see("$ cmd", f"$ cmd\n{shown}", NEW).prompt.rows is None
    assert see("> cmd", "> cmd\n> ", PromptRows(1, "> ", "> ")).prompt.is_sure
    assert see("$ cmd", "$ cmd\n+ ", TWO).prompt.rows is None


def test_what_may_be_the_line_editors_tells_nothing() -> None:
    """The blank row below a command line that fills its row, or the prompt's own."""
    full = "$ " + "x" * 38
    before = attrs.evolve(below(full), cursor=Cursor(0, 40))
    assert find_below(before, below(f"{full}\n\n$ ")) == (0, 2, True)
    assert see_prompt(below(f"{full}\n\n$ "), UNKNOWN, before=before).prompt.rows is None


def test_a_resized_window_tells_nothing() -> None:
    """Its rows have wrapped anew."""
    now = below("$ cmd\n$ ", size=Size(30, 10))
    assert see_prompt(now, UNKNOWN, before=below("$ cmd")).prompt.rows is None
    assert see_prompt(now, ONE, before=below("$ cmd")).prompt.rows == 1


@pytest.mark.parametrize(
    ("before", "now", "rows"),
    [
        ("a\n$ ", "$ ", 1),
        ("a\nup\n$ ", "up\n$ ", 2),
        ("a\nxup\n$ ", "up\n$ ", 2),  # output stood left of the first one
        ("a\n\n~\n$ ", "\n~\n$ ", 3),
        ("a\nup\n", "up\n", 2),
        ("12:59:59\n$ ", "13:00:00\n$ ", 2),
        ("a\n[9] $ ", "[10] $ ", 1),
        ("a\nx$ ", "$ ", 1),
        ("a\nup\n$ ", "down\n$ ", None),  # something else was printed
        ("up\n$ ", "a\nup\n$ ", None),
        ("$ ", "up\n$ ", None),
        ("a\n$ ", "$ \n$ ", None),  # Enter was pressed twice
        ("up\n", "up\n\nup\n", None),
        ("a\n$ ", "$ ls\nb\n$ ", None),
        ("a\n", "", None),  # the prompt is still to come, maybe
        ("a\n$ ", "> ", None),
    ],
)
def test_two_prompts_with_an_enter_between(before: str, now: str, rows: int | None) -> None:
    """Have as many rows as stand between, if they show the same but for numbers."""
    seen = see_prompt(below(f"{before}\n{now}"), UNKNOWN, earlier=below(before))
    assert seen.prompt.rows == rows
    typed = below(f"{before}ls\n{now}")
    assert see_prompt(typed, UNKNOWN, earlier=below(before)).prompt.rows is None


def test_an_enter_tells_where_the_prompt_begins() -> None:
    """So a prompt with another beginning is known from then on."""
    at = below("$ cmd\n(venv) $ ")
    now = below("$ cmd\n(venv) $ \n(venv) $ ")
    seen = see_prompt(now, ONE, before=at, earlier=at)
    assert seen[3:] == (PromptRows(1, "(venv) $ ", "(venv) $ ", is_sure=True), "", "")


def test_what_is_told() -> None:
    """Holds whatever the prompt shows, until it stands right below a command line."""
    told = see_prompt(below("a\nup\n$ "), PromptRows(2, is_given=True)).prompt
    assert told == PromptRows(2, "up", "$ ", is_given=True)
    for shown in ("a\ndown\n# ", "a\nup\n$ "):
        found = see("up\n$ cmd", f"up\n$ cmd\n{shown}", told, may_differ=True)
        assert (found.prompt.rows, found.prompt.is_given) == (2, True)
    found = see("up\n$ cmd", "up\n$ cmd\n$ ", told)
    assert (found.prompt.rows, found.prompt.is_given) == (1, False)
    assert see_prompt(screen("$ "), PromptRows(2, is_given=True)).prompt.first == ""


@pytest.mark.parametrize(
    ("shown", "rows"),
    [("b\nup\n$ ", 2), ("b\ndown\n$ ", 2), ("b\nup\n> ", None), ("b\nup\nx$ ", None)],
)
def test_a_prompt_whose_last_row_is_another(shown: str, rows: int | None) -> None:
    """May have another number of rows."""
    assert see("up\n$ cmd", f"up\n$ cmd\n{shown}", TWO).prompt.rows == rows


def test_a_prompt_that_may_be_another() -> None:
    """After a command that can change it, nothing is known of it but what it shows."""
    seen = see("$ cmd", "$ cmd\nup\n$ ", ONE, may_differ=True)
    assert (seen.prompt.rows, seen.tail, seen.doubt) == (None, "", "")
    seen = see("$ cmd", "$ cmd\nvm$ ", ONE, may_differ=True)
    assert seen[3:] == (PromptRows(1, "vm$ ", "vm$ ", is_sure=True), "", LEFT)


def test_a_prompt_that_was_not_seen_to_begin() -> None:
    """A row above may begin with a part of it: then output may stand left of it."""
    known = attrs.evolve(UNKNOWN, first="x$ ", last="x$ ", is_sure=False)
    seen = see("$ y\nx$ cmd", "$ y\nx$ cmd\nx$ ", known)
    assert (seen.prompt.is_sure, seen.tail, seen.doubt) == (False, "", LEFT)
    seen = see("x$ y\nx$ cmd", "x$ y\nx$ cmd\nx$ ", known)
    assert (seen.prompt.is_sure, seen.tail, seen.doubt) == (True, "", "")
    seen = see("$ y\nx$ cmd", "$ y\nx$ cmd\n$ ", known)
    assert (seen.prompt.first, seen.prompt.is_sure, seen.doubt) == ("$ ", True, "")


@pytest.mark.parametrize(
    ("shown", "now", "tail", "doubt"),
    [
        ("greeting\n>>> ", ">>> ", "", ""),
        ("greeting\n>>> ", "x>>> ", "x", ""),
        (">>> y\nx>>> ", "x>>> ", "", LEFT),  # x may have been printed twice
        (">>> y\nx>>> ", ">>> ", "", ""),
        ("greeting\n>>> ", "In [1]: ", "", LEFT),  # it was set to another one
    ],
)
def test_the_prompt_of_a_repl_first_seen_below_other_text(
    shown: str, now: str, tail: str, doubt: str
) -> None:
    """It always shows the same, so text left of it is output."""
    at = attrs.evolve(below(shown), command="python3")
    typed = attrs.evolve(below(f"{shown}cmd"), command="python3")
    after = attrs.evolve(below(f"{shown}cmd\n{now}"), command="python3")
    seen = see_prompt(after, see_prompt(at, NEW).prompt, before=typed, earlier=at)
    assert (seen.tail, seen.doubt) == (tail, doubt)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_that_begins_a_row_for_its_prompt(shell: str) -> None:
    """Nothing stands left of it."""
    now = attrs.evolve(below("$ cmd\n(venv) $ "), command=shell)
    known = attrs.evolve(ONE, is_marked=True)
    seen = see_prompt(now, known, before=below("$ cmd"))
    prompt = PromptRows(1, "(venv) $ ", "(venv) $ ", is_sure=True, is_marked=True)
    assert seen[3:] == (prompt, "", "")


def test_a_zsh_that_may_begin_no_row_for_its_prompt() -> None:
    """Then output may stand left of it, as in other shells."""
    now = attrs.evolve(below("$ cmd\nx$ "), command="zsh")
    seen = see_prompt(now, ONE, before=below("$ cmd"))
    assert (seen.prompt.first, seen.tail, seen.doubt) == ("$ ", "x", LEFT)


@pytest.mark.parametrize(
    ("known", "row", "tail", "doubt", "is_same"),
    [
        ("$ ", "$ ", "", False, True),
        ("$ ", "x$ ", "x", True, True),
        ("$ ", "$ $ ", "$ ", True, True),
        ("", "", "", False, True),
        ("", "x", "x", True, True),
        ("[9] $ ", "[10] $ ", "", False, True),
        ("[9] $ ", "x[10] $ ", "x", True, True),
        ("9 $ ", "8 $ ", "", False, True),
        ("9 $ ", "78 $ ", "7", True, True),
        ("127 $ ", "10 $ ", "", True, True),  # the prompt, or output and a prompt with 0
        ("12:59:59 $ ", "13:00:00 $ ", "", False, True),
        ("u@h:~$ ", "u@h:~/src$ ", "", False, True),
        ("/srv $ ", "/usr/lib $ ", "", True, True),  # "/usr" may be output
        ("~ $ ", "/usr $ ", "", True, True),
        ("(venv) $ ", "$ ", "", False, True),
        ("$ ", "new> ", "", True, False),
    ],
)
def test_what_stands_left_of_a_prompt(
    known: str,
    row: str,
    tail: str,
    doubt: bool,  # noqa: FBT001  # a column
    is_same: bool,  # noqa: FBT001  # as above
) -> None:
    """Output without a line break, or the prompt has changed; what tells is its beginning."""
    apart = split_line(row, known)
    assert (apart.tail, bool(apart.doubt), apart.is_same) == (tail, doubt, is_same)


@pytest.mark.parametrize(
    "command",
    [
        *("PS1='> '", "export PROMPT_COMMAND=x", "function fish_prompt", "prompt pure"),
        *(". ./rc", "true; . rc", "source rc", "(source rc)", "eval $x", "exec zsh", "deactivate"),
        *("conda activate x", "ls && source rc", "$ . rc"),
    ],
)
def test_commands_that_may_change_the_prompt(command: str) -> None:
    """After them a prompt of the same shell may be another."""
    assert CHANGES_PROMPT.search(command)


@pytest.mark.parametrize(
    "command",
    [
        *("ls", "docker exec x ls", "find . -exec rm {} +", "cat prompt.md", "ls .", "./source"),
        *("echo a. b", "resource x", "cp * ."),
    ],
)
def test_commands_that_do_not(command: str) -> None:
    """Most change nothing."""
    assert not CHANGES_PROMPT.search(command)


def test_prompts_of_programs_long_gone_are_forgotten() -> None:
    """A pane lives for weeks, and each REPL in it is a program; the shell between them is kept."""
    prompts = Prompts()
    for repl in range(1, 300):
        for pid in (0, repl):
            readiness = Readiness(
                outcome=Outcome.PROMPT,
                strategy="PromptStrategy",
                reason="a prompt",
                screen=screen("$ "),
                elapsed=0.0,
                tty=attrs.evolve(AT_PROMPT, foreground_pid=pid),
            )
            prompts.see(readiness)
    assert prompts.programs == {0, *range(201, 300)}
