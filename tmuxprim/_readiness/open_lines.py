"""Open command lines, of which a shell or a REPL wants the rest, found by their text alone."""

import re
from typing import Final

from tmuxprim._readiness.facts import Facts
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._readiness.words import MORE, typed_behind_prompt, what_follows
from tmuxprim._values.lines import join_rows
from tmuxprim._values.screen import Screen

# Quoted text and the like, whole: what is in it opens nothing.
QUOTED: Final = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|\$\{[^{}]*\}|\{[^\s{}]*\}""")
# Signs that the line may go on: an open quote, a comment, an old command (``!``), a here-document,
# or an end such as ``&&``, behind which more has to come.
_OPEN: Final = re.compile(
    r"""['"`\\]|(?:^|\s)\#|!(?=[^\s=])|(?<!<)<<(?!<)|(?:\|&?|&&|\(\s*\)|\bfunction\s+\S+)\s*$"""
)


def _pair(begins: str, ends: str) -> tuple[str, str]:
    """Return the patterns of words that begin a block, and of those that end one.

    A word that begins a block counts anywhere in the line, one that ends it only as a command.
    """
    word = r"(?=[\s;&|()]|$)"
    return rf"(?<![^\s;&|(){{}}])(?:{begins}){word}", rf"(?:^|[;&\n])\s*(?:{ends}){word}"


# Compiled when they are first needed, which is seldom.
_PAIRS: Final = (
    _pair("if", "fi"),
    _pair("case|switch", "esac"),
    _pair("do", "done"),
    _pair("for|foreach|while|until|select|repeat", "done"),
    (r"\{", r"(?:^|[;&\n])\s*\}"),
    (r"\[\[", r"\s\]\]"),
    (r"\(", r"\)"),
)


def may_go_on(line: str) -> bool:
    """Whether a shell may want more of this command line."""
    bare = QUOTED.sub("q", line)
    if _OPEN.search(bare):
        return True
    return any(
        len(re.findall(begins, bare)) != len(re.findall(ends, bare)) for begins, ends in _PAIRS
    )


OF_MANY: Final = "> "
"""The text that bash shows for more, and other programs as their prompt."""
_INDENT: Final = re.compile(r"^ +$")
# fish shows this sign in place of a prompt for which it has no room, as with tide, until it knows
# the width.
_NO_ROOM: Final = "\u2026"


def is_indented(screen: Screen) -> bool:
    """Whether the cursor is behind blanks alone, right below a row that may hold a command."""
    row = screen.cursor.row
    is_blank = _INDENT.match(screen.before_cursor) is not None
    return is_blank and row > 0 and screen.rows[row - 1] not in {"", _NO_ROOM}


def is_below_open_line(snapshot: Snapshot) -> bool:
    """Whether a program of which no prompt was seen asks for more, as the lines above show."""
    facts, screen = snapshot.facts, snapshot.screen
    if facts.is_fullscreen or facts.hides_input or facts.never_prompts:
        return False
    if facts.named.keeps_text_open:
        return facts.has_line_editor and is_indented(screen)
    return bool(facts.text.strip()) and _asks_for_more(facts, screen)


def _asks_for_more(facts: Facts, screen: Screen) -> bool:
    """Whether the text at the cursor asks for more of the command in the lines above.

    Right above may be more lines behind the same text, and above these is the line with the prompt.
    The text of a REPL follows on its prompt, and means nothing else. A shell's prompt may be ``>``
    as well, so the lines have to be a command that may go on.
    """
    text = facts.text
    first, begun = _lines_above(text, screen)
    # The command fills the screen. Those at prompts of that look would have printed something.
    fills_screen = first is None and bool(begun) and screen.history_size > 0
    first = first or ""
    follows = what_follows(first)
    if follows != MORE and re.search(follows, text):
        return True
    if not (facts.may_be_shell and MORE.search(text)):
        return False
    command = "\n".join([typed_behind_prompt(first), *begun])
    return text != OF_MANY or fills_screen or may_go_on(command)


def _lines_above(text: str, screen: Screen) -> tuple[str | None, list[str]]:
    """Return the lines right above that begin with the text, without it, and the line above those.

    That line is None if there is none on the screen.
    """
    begun: list[str] = []
    layout = screen.layout.part(len(screen.history))
    above = join_rows(screen.rows[: screen.cursor.row], layout, screen.size.columns)
    for line in reversed(above):
        whole = f"{line} "  # rows have no blanks at their ends, and the text may end in one
        if not whole.startswith(text):
            return line, begun[::-1]
        begun.append(whole.removeprefix(text))
    return None, begun[::-1]
