"""`LineEditorStrategy`: a shell's line editor says that it reads, where nothing else does."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, COOKED_ONLY, MARK, RAW_ONLY, screen
from tmuxprim import Mark, Outcome, Screen, TtyState
from tmuxprim.readiness import Busy, LineEditor, LineEditorStrategy, Pass, Prompt, Ready, Snapshot

SETTLED = 0.2
# As ssh has the terminal: raw, and C-c is passed on.
SSH = attrs.evolve(RAW_ONLY, signals=False)
KNOWN = attrs.evolve(MARK, tty=None)


def judged(
    shown: Screen,
    editor: LineEditor | None = LineEditor.ON,
    tty: TtyState | None = None,
    mark: Mark | None = KNOWN,
    still: float = SETTLED,
) -> Ready | Busy | Pass:
    """Return what the strategy says of a screen on which all has been still for a while."""
    snapshot = Snapshot(screen=shown, tty=tty, mark=mark, unchanged_for=still, editor=editor)
    return LineEditorStrategy().assess(snapshot)


@pytest.mark.parametrize("tty", [None, RAW_ONLY, SSH, attrs.evolve(AT_PROMPT, signals=False)])
def test_a_prompt_behind_which_a_line_is_edited(tty: TtyState | None) -> None:
    """It is a prompt for certain: a known one, or one that looks like one."""
    for text in ("$ make\nok\n$ ", "$ make\nok\nme@far:~# ", "$ make\nok$ "):
        found = judged(screen(text), tty=tty)
        assert isinstance(found, Ready)
        assert (found.outcome, "guess" in found.reason) == (Outcome.PROMPT, False)


@pytest.mark.parametrize("text", ["$ make\n$ ", "$ make\nok$ "])
def test_a_known_prompt_while_the_editor_is_off(text: str) -> None:
    """A command has written it: it vetoes what would take it for a prompt, however still it is."""
    found = judged(screen(text), LineEditor.OFF, still=60.0)
    assert isinstance(found, Busy)
    assert "is output" in found.reason


def test_another_shell_may_write_no_marks() -> None:
    """As dash in bash, whose prompts may be the same."""
    for command, kind in (("dash", Pass), ("bash", Busy), ("sleep", Busy)):
        shown = attrs.evolve(screen("$ make\n$ "), command=command)
        mark = attrs.evolve(KNOWN, screen=attrs.evolve(KNOWN.screen, command="bash"))
        assert isinstance(judged(shown, LineEditor.OFF, mark=mark), kind)


@pytest.mark.parametrize("text", ["$ make\nmore> ", "$ make\nGo on? [y/N] ", "$ make\n"])
def test_another_text_while_the_editor_is_off(text: str) -> None:
    """It may be asked by the command, so others decide."""
    assert isinstance(judged(screen(text), LineEditor.OFF), Pass)


@pytest.mark.parametrize("text", ["$ make\nWhich? ", "$ make\nname: ", "$ make\n", "$ make\nx"])
def test_what_is_no_prompt_for_certain(text: str) -> None:
    """A program may ask with a line editor, as ``read -e`` does."""
    assert isinstance(judged(screen(text)), Pass)


def test_a_prompt_for_the_rest_is_none() -> None:
    """A line editor is on there as well."""
    mark = attrs.evolve(KNOWN, screen=screen("$ for x in 1"), line="for x in 1")
    assert isinstance(judged(screen("$ for x in 1\n> "), mark=mark), Pass)


def test_a_prompt_for_the_rest_in_a_program() -> None:
    """Gdb, sqlite3 and psql show one of their own kind, which differs from their prompt."""
    for prompt, more in (("(gdb) ", ">"), ("sqlite> ", "   ...> "), ("db=# ", "db-# ")):
        mark = attrs.evolve(KNOWN, prompt=Prompt(prompt, 10))
        assert isinstance(judged(screen(f"{prompt}x\n{more}"), mark=mark), Pass)
        assert isinstance(judged(screen(f"{prompt}x\n{prompt}"), mark=mark), Ready)


def test_the_row_of_a_prompt_that_is_marked() -> None:
    """Zsh marks it for no prompt but its own, so it may look like anything."""
    found = judged(screen("$ make\nWhere to? "), LineEditor.AT_PROMPT, still=0.0)
    assert isinstance(found, Ready)


def test_the_row_of_a_prompt_that_looks_like_one_for_the_rest() -> None:
    """Zsh marks no row for the rest of a command, so the mark tells more than the look."""
    mark = attrs.evolve(KNOWN, screen=screen("$ PS1='> ' #'"), line="PS1='> ' #'")
    assert isinstance(judged(screen("$ PS1='> ' #'\n> "), mark=mark), Pass)
    found = judged(screen("$ PS1='> ' #'\n> "), LineEditor.AT_PROMPT, mark=mark)
    assert isinstance(found, Ready)


def test_it_may_still_be_drawing() -> None:
    """Another prompt has to stand still for a moment."""
    found = judged(screen("$ make\nok\n$ "), still=0.03)
    assert isinstance(found, Pass)
    assert found.again_in == pytest.approx(0.07)


@pytest.mark.parametrize("tty", [COOKED_ONLY, AT_PROMPT])
def test_the_kernel_knows_better(tty: TtyState) -> None:
    """Whole lines are read by no line editor; and who reads may be known."""
    assert isinstance(judged(screen("$ make\n$ "), tty=tty), Pass)


def test_nothing_is_known() -> None:
    """Without a state of the editor, without a prompt, and on the whole screen it says nothing."""
    shown = screen("$ make\n$ ")
    assert isinstance(judged(shown, None), Pass)
    assert isinstance(judged(attrs.evolve(shown, alternate=True)), Pass)
    blank = attrs.evolve(KNOWN, prompt=Prompt(" ", 10))
    assert isinstance(judged(screen("x\n "), mark=blank), Pass)
    assert isinstance(judged(screen("x\n "), LineEditor.OFF, mark=None), Pass)
