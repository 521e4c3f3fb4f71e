"""Pickers such as fzf behind which a shell's name stands, where who reads is not told."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, COOKED_ONLY, RAW_ONLY, screen
from tmuxprim import Cursor, Mark, Outcome, PromptStrategy, Screen, TtyState, default_chain
from tmuxprim._readiness.menus import history_search, searched_menu
from tmuxprim.readiness import (
    ContinuationStrategy,
    LineEditor,
    LineEditorStrategy,
    Pass,
    Prompt,
    Ready,
    Snapshot,
)

# Of bash, whose line discipline fzf leaves as it is; who reads is not told.
EDITED = attrs.evolve(RAW_ONLY, edits=True, foreground_pid=10)
AT_BASH = attrs.evolve(screen("$ "), command="bash")
BY_A_KEY = Mark(
    screen=AT_BASH, tty=EDITED, prompt=Prompt("$ ", 10), line="", ends_line=False, continues=False
)
BY_A_LINE = Mark(
    screen=attrs.evolve(screen('$ cd "$(fzf)"'), command="bash"),
    tty=EDITED,
    prompt=Prompt("$ ", 10),
    line='cd "$(fzf)"',
)
RULE = "─" * 9


def picker(text: str, row: int, column: int) -> Screen:
    """Return what fzf shows, with the cursor where one types."""
    return attrs.evolve(screen(text), cursor=Cursor(row, column), command="bash")


ABOVE = picker(f"$\n> one\n  2/2 +S {RULE}\n> ", 3, 2)
BELOW = picker(f"$\n> \n  2/2 {RULE}\n> one", 1, 2)
BEHIND = picker(f"$\n> one\n>   < 2/2 (1) {RULE}", 2, 2)
FRAMED = picker(f"$\n│ > one     │\n│ ⠴ 2/2 {RULE} │\n│ pick❯     │", 3, 8)  # noqa: RUF001  # a sign


@pytest.mark.parametrize("mark", [None, BY_A_KEY, BY_A_LINE], ids=["none", "a key", "a line"])
@pytest.mark.parametrize("tty", [EDITED, None], ids=["screen", "far"])
@pytest.mark.parametrize("shown", [ABOVE, BELOW, BEHIND, FRAMED])
def test_a_picker_is_no_prompt(shown: Screen, tty: TtyState | None, mark: Mark | None) -> None:
    """The counts beside the cursor's row say that a list is searched there; it is a guess."""
    snapshot = Snapshot(screen=shown, tty=tty, mark=mark, elapsed=2.0, unchanged_for=1.99)
    assert not isinstance(default_chain().assess(snapshot), Ready)
    said = default_chain().assess(attrs.evolve(snapshot, unchanged_for=2.0))
    assert said == Ready(
        Outcome.STABLE, f"a guess: question '{shown.before_cursor}2/2'", is_guess=True
    )


@pytest.mark.parametrize(
    ("shown", "tty", "mark"),
    [
        (picker("$ echo 2/2\n2/2\n$ ", 2, 2), EDITED, BY_A_LINE),
        (ABOVE, attrs.evolve(AT_PROMPT, edits=True), BY_A_LINE),
        (ABOVE, COOKED_ONLY, None),
        (attrs.evolve(ABOVE, alternate=True), EDITED, None),
        (picker("$ make\n2/2 passed\n> ", 2, 2), EDITED, None),
        (picker("> ", 0, 2), EDITED, None),
    ],
    ids=["its prompt", "the shell reads", "lines", "a whole screen", "more words", "nothing"],
)
def test_counts_that_are_of_no_picker(shown: Screen, tty: TtyState, mark: Mark | None) -> None:
    """A shell reads there, or shows the prompt that it has shown before, or they are output."""
    assert searched_menu(Snapshot(screen=shown, tty=tty, mark=mark)) == ""


@pytest.mark.parametrize(
    ("text", "mark", "is_guess"),
    [("> ", BY_A_KEY, True), ("> ", BY_A_LINE, False), ("$ ", BY_A_KEY, False)],
    ids=["another text", "a line", "the same"],
)
def test_a_key_that_ends_no_line_brings_no_new_prompt(
    text: str, mark: Mark, *, is_guess: bool
) -> None:
    """So it may be another program's that the key has started, and is called a guess."""
    shown = attrs.evolve(screen(f"$\n{text}"), command="bash")
    snapshot = Snapshot(screen=shown, tty=EDITED, mark=mark, unchanged_for=2.0)
    reason = f"{'a guess: ' if is_guess else ''}prompt {text.strip()!r} at the cursor"
    found = Ready(Outcome.PROMPT, reason, is_guess=is_guess)
    assert PromptStrategy().assess(snapshot) == found
    snapshot = attrs.evolve(snapshot, unchanged_for=1.0)
    assert isinstance(PromptStrategy().assess(snapshot), Pass if is_guess else Ready)


@pytest.mark.parametrize(
    ("shown", "mark"),
    [(BELOW, BY_A_LINE), (picker("$\n> ", 1, 2), BY_A_KEY)],
    ids=["a list is searched", "no line was ended"],
)
def test_a_picker_asks_for_no_rest(shown: Screen, mark: Mark) -> None:
    """Right below the command line it looks as bash does where it wants more."""
    mark = attrs.evolve(mark, line="echo (", screen=attrs.evolve(mark.screen, rows=("$",) * 6))
    snapshot = Snapshot(screen=shown, mark=mark, unchanged_for=9.0)
    said = ContinuationStrategy().assess(snapshot)
    assert said == Pass("a menu is searched here, or no line was ended")


def searching(text: str, row: int, column: int, command: str = "bash") -> Screen:
    """Return what a shell shows while one searches its history."""
    return attrs.evolve(picker(text, row, column), command=command)


IN_BASH = searching("out\n(reverse-i-search)`ol': echo old", 1, 29)
IN_ZSH = searching("out\n$ echo old\nbck-i-search: ol_", 1, 7, "zsh")
IN_FISH = searching("$\nsearch: ol\n► echo old", 1, 10, "fish")


@pytest.mark.parametrize("mark", [None, BY_A_KEY], ids=["none", "a key"])
@pytest.mark.parametrize(
    "tty", [attrs.evolve(AT_PROMPT, edits=True), EDITED, None], ids=["full", "screen", "far"]
)
@pytest.mark.parametrize(
    ("shown", "row"),
    [
        (IN_BASH, "(reverse-i-search)`ol': echo old"),
        (searching("(failed reverse-i-search)`x': ", 0, 30), "(failed reverse-i-search)`x':"),
        (searching("(i-search)`': ", 0, 14), "(i-search)`':"),
        (searching("$\nI-search: ", 1, 10, "mksh"), "I-search:"),
        (searching("php > echo 1\nbck:ec", 0, 6, "php"), "bck:ec"),
        (IN_ZSH, "bck-i-search: ol_"),
        (searching("$ \nfailing fwd-i-search: x_", 0, 2, "zsh"), "failing fwd-i-search: x_"),
        (IN_FISH, "search: ol"),
    ],
)
def test_a_search_in_the_history_is_no_prompt(
    shown: Screen, row: str, tty: TtyState | None, mark: Mark | None
) -> None:
    """Enter would carry out the old line that was found."""
    snapshot = Snapshot(screen=shown, tty=tty, mark=mark, elapsed=9.0, unchanged_for=9.0)
    assert history_search(snapshot) == searched_menu(snapshot) == row
    said = default_chain().assess(snapshot)
    assert isinstance(said, Ready)
    assert said.outcome in {Outcome.AWAITING_INPUT, Outcome.STABLE}
    at_prompt = attrs.evolve(snapshot, editor=LineEditor.AT_PROMPT)
    assert not isinstance(LineEditorStrategy().assess(at_prompt), Ready)


@pytest.mark.parametrize(
    ("shown", "tty"),
    [
        (attrs.evolve(IN_BASH, alternate=True), EDITED),
        (IN_BASH, COOKED_ONLY),
        (searching("$ \nbck-i-search: x_\nmore", 0, 2), EDITED),
        (searching("search: ", 0, 8), EDITED),
        (searching("bck-i-search: x_\n$ ", 1, 2), EDITED),
        (searching("(reverse-i-search)`x': y\n$ ", 1, 2), EDITED),
    ],
    ids=["a whole screen", "lines", "more", "nothing below", "above", "given up"],
)
def test_no_search_in_the_history(shown: Screen, tty: TtyState) -> None:
    """Such rows elsewhere are output."""
    assert history_search(Snapshot(screen=shown, tty=tty, unchanged_for=9.0)) == ""
