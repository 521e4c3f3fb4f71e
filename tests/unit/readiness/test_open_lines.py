"""A program of which no prompt was seen asks for more: by the lines above its cursor."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, HIDING, SMALL, screen
from tmuxprim import Outcome, Size, TtyState
from tmuxprim.readiness import ContinuationStrategy, PromptStrategy, Ready, Snapshot

EDITS = attrs.evolve(AT_PROMPT, edits=True)
SCROLLED = 3


def asks_for_more(
    text: str,
    command: str = "bash",
    *,
    tty: TtyState | None = EDITS,
    scrolled: int = 0,
    pattern: str | None = None,
    size: Size = SMALL,
    alternate: bool = False,
) -> bool:
    """Whether a first look at such a screen finds that the rest of a command is wanted."""
    shown = attrs.evolve(
        screen(text, size=size), command=command, history_size=scrolled, alternate=alternate
    )
    snapshot = Snapshot(screen=shown, tty=tty, unchanged_for=9.0)
    verdict = ContinuationStrategy(pattern).assess(snapshot)
    found = isinstance(verdict, Ready) and verdict.outcome is Outcome.CONTINUATION
    prompt = PromptStrategy().assess(snapshot)
    assert not (found and isinstance(prompt, Ready))  # the two never agree
    return found


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("$ echo 'abc\n> ", "bash"),
        ("root@host:/# for i in 1 2; do\n> ", "dash"),
        ("$ cat <<EOF\n> a\n> b\n> ", "bash"),
        ("$ cat <<EOF\n> a \\\n> \n> ", "bash"),
        ("out\n$ echo 'abc\n> ", "bash"),
        ("> echo 'abc\n> ", "bash"),  # its prompt is ">"
        ("out\n> for i in 1; do\n> ", "bash"),
        ("host% echo 'abc\nquote> ", "zsh"),
        ("quote> ", "zsh"),  # the first lines are no longer on the screen
        (">>> if 1:\n... ", "python3"),
        (">>> if 1:\n...     x = 1\n... ", "python3"),
        ("sqlite> select\n   ...> ", "sqlite3"),
        ("me=# select\nme-# ", "psql"),
        ("> function f() {\n... ", "node"),
        ("user@far:~$ echo 'abc\n> ", "ssh"),
        ("far$ python3\n>>> if 1:\n... ", "ssh"),
    ],
)
def test_a_command_goes_on(text: str, command: str) -> None:
    """The text at the cursor follows on a prompt above, and the lines are one command."""
    tty = attrs.evolve(EDITS, signals=False, edits=None) if command == "ssh" else EDITS
    assert asks_for_more(text, command, tty=tty)
    assert asks_for_more(text, command, tty=None)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("> ", "bash"),  # a new pane of a shell whose prompt is ">"
        ("$ \n> ", "bash"),
        ("$ PS1='> '\n> ", "bash"),
        ("> cd /tmp\n> ", "bash"),
        ("out\n> ", "bash"),
        ("it's 5 o'clock\n> ", "bash"),
        ("$ echo 'abc'\n> ", "bash"),
        ("$ echo 'abc\n> ", "python3"),
        ("$ echo 'abc\n> ", "cat"),
        ("", "bash"),
        ("$ ", "bash"),
        ("$ echo 'abc", "bash"),
        (">>> if 1:\n>>> ", "python3"),
        ("sqlite> select 1;\nsqlite> ", "sqlite3"),
        ("> function f() {}\n> ", "node"),
        ("... ", "python3"),
    ],
)
def test_nothing_goes_on(text: str, command: str) -> None:
    """The text is a prompt, or a question, or stands below a command that is whole."""
    assert not asks_for_more(text, command)


def test_a_command_that_fills_the_screen() -> None:
    """So many commands at a prompt of that look would have printed something."""
    lines = "\n".join(["> line"] * (SMALL.rows - 1) + ["> "])
    assert asks_for_more(lines, scrolled=SCROLLED)
    assert not asks_for_more(lines, "node", scrolled=SCROLLED)
    assert not asks_for_more(lines)
    assert not asks_for_more("> ", scrolled=SCROLLED)


def test_fish() -> None:
    """It shows no text for more, and indents the next row instead."""
    assert asks_for_more("~> echo 'abc\n   ", "fish")
    assert asks_for_more("~> begin\n       ", "fish")
    assert not asks_for_more("~> echo 'abc\n   ", "fish", tty=None)
    assert not asks_for_more("\n   ", "fish")
    assert not asks_for_more("   ", "fish")
    # A prompt for which fish has no room: as with tide, until it knows the width.
    assert not asks_for_more("it's fish\n\n\u2026\n ", "fish")
    assert not asks_for_more("~> echo 'abc\n> ", "fish")


def test_a_long_first_line() -> None:
    """Rows that are one line are read as one."""
    line = "$ echo 'abcdefghijklmn"
    shown = attrs.evolve(screen(f"{line[:20]}\n{line[20:]}\n> ", size=Size(20, 6)), command="bash")
    layout = attrs.evolve(shown.layout, wrapped=(True, False, False))
    for each, outcome in ((layout, Outcome.CONTINUATION), (shown.layout, None)):
        snapshot = Snapshot(screen=attrs.evolve(shown, layout=each), tty=EDITS, unchanged_for=9.0)
        verdict = ContinuationStrategy().assess(snapshot)
        assert (verdict.outcome if isinstance(verdict, Ready) else None) is outcome


def test_where_no_line_is_read() -> None:
    """A full-screen program, a hidden line and a script show no prompt for more."""
    text = "$ echo 'abc\n> "
    assert not asks_for_more(text, "ssh", alternate=True)
    assert not asks_for_more(text, tty=HIDING)
    assert not asks_for_more(text, tty=attrs.evolve(EDITS, ignores_stop=False))
    assert not asks_for_more(text, pattern="more> $")
