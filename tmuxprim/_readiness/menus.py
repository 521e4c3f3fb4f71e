"""Menus: their question and their selected row, found on the screen.

There are three kinds: menus that name their keys in the row of the question (*hinted*), menus that
are searched by typing, such as fzf (*searched*), and numbered lists with one row selected.
"""

import re
from collections.abc import Sequence
from typing import Final

from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._values.screen import Screen

_ROWS: Final = 15  # a menu is within so many of the lowest rows
# What a menu says in the row of its question, as those of inquirer and questionary do.
_HINTED: Final = re.compile(
    r"^[?◆] .*\((?:use|move|press) [^)]*(?:arrow|space|enter)[^)]*\)$", re.IGNORECASE
)
# The sign in front of what is typed in a searched menu, below its question: InquirerPy's fuzzy.
_SEARCHES: Final = "❯"  # noqa: RUF001  # not a bracket
_ASKS_ABOVE: Final = re.compile(r"[?◆] \S")
# The count of rows that fit, such as 3/120, which fzf and sk show above, below or behind the text
# that is typed.
_COUNTS: Final = re.compile(r"^[\s│┃|<]*(?:\S )?\s*(\d+/\d+)(?: [+-]S)?(?: \(\d+\))?[\s─│┃|]*$")
# The rows of line editors during a search in their history: readline, mksh and fish show them in
# place of the prompt or below it, and zsh, Node and libedit below the line.
_SEARCH: Final = re.compile(r"^(?:\((?:failed )?(?:reverse-)?i-search\)[`']|I-search: )")
_SEARCH_ABOVE_MATCHES: Final = re.compile(r"^search: ")
_SEARCH_BELOW: Final = re.compile(r"^(?:(?:failing )?(?:bck|fwd)-i-search: |(?:bck|fwd):)")
# The row that is selected has a sign before it; others of a list have a number alone.
_SELECTED: Final = re.compile(
    r"^[\s│┃|]*[❯›●◉▶▸➤→]\s+((?:(\d+)[.)]\s+)?\S.*?)[\s│┃|]*$"  # noqa: RUF001  # their signs
)
_NUMBERED: Final = re.compile(r"^[\s│┃|○◯]*(\d+)[.)]\s+\S")
# What a dialog says of its keys, below what can be chosen.
_KEYS: Final = re.compile(
    r"\b(?:enter|return|↵)\b.*\b(?:esc|escape|ctrl\+c)\b.*|↑.*↓.*|[↑↓⇆] *(?:to )?select.*",
    re.IGNORECASE,
)


def lowest_rows(rows: Sequence[str]) -> list[str]:
    """Return the rows in which a menu may be, without those that are empty."""
    return [row for row in rows if row][-_ROWS:]


def hinted_menu(rows: Sequence[str]) -> str:
    """Return the question of a menu that names its keys in the same row; empty if there is none."""
    return next((row for row in reversed(lowest_rows(rows)) if _HINTED.search(row)), "")


def searched_menu(snapshot: Snapshot) -> str:
    """Return the question of a menu that is searched by typing; empty if there is none.

    The question is right above the cursor, and the choices are below. The cursor's row alone is no
    sign: a shell may have a prompt that looks the same.
    """
    screen, row = snapshot.screen, snapshot.screen.cursor.row
    if screen.alternate or snapshot.facts.is_canonical:
        return ""
    if search := history_search(snapshot):
        return search
    above, below = "".join(screen.rows[:row][-1:]), "".join(screen.rows[row + 1 : row + 2])
    is_searched = screen.line_before_cursor.startswith(_SEARCHES) and below
    if is_searched and _ASKS_ABOVE.match(above) and not snapshot.facts.has_line_editor:
        return above
    # At a prompt a count beside the cursor is output.
    return "" if _is_prompt_of_a_shell(snapshot) else _counts(screen, (above, below))


def history_search(snapshot: Snapshot) -> str:
    """Return the row of a search that is open in a line editor's history; empty if none is.

    A text that is typed there is searched, and Enter carries out the old line that was found.
    """
    screen, line = snapshot.screen, snapshot.screen.line_before_cursor
    if screen.alternate or snapshot.facts.is_canonical:
        return ""
    if _SEARCH.search(line):
        return screen.cursor_line
    last = screen.last_line
    is_above_matches, is_below_line = _SEARCH_ABOVE_MATCHES.search(line), _SEARCH_BELOW.search(last)
    if (is_above_matches or is_below_line) and any(screen.rows[screen.cursor.row + 1 :]):
        return screen.cursor_line if is_above_matches else last
    return ""


def _is_prompt_of_a_shell(snapshot: Snapshot) -> bool:
    """Whether a shell is known to read, or shows its known prompt."""
    facts = snapshot.facts
    return (facts.is_reported and facts.has_line_editor) or facts.is_same_prompt


def _counts(screen: Screen, rows: Sequence[str]) -> str:
    """Return the typed text and the count of rows that fit; empty if no row beside shows one."""
    behind = screen.cursor_line[len(screen.before_cursor) :]
    found = (_COUNTS.match(row) for row in (behind, *rows))
    return next((f"{screen.before_cursor}{counts[1]}" for counts in found if counts), "")


def asking_menu(snapshot: Snapshot) -> str:
    """Return the question of a menu that takes keys, and no text; empty if none is recognized.

    Only a program that reads key by key has a menu. Without one, such rows were printed.
    """
    screen = snapshot.screen
    if not snapshot.facts.takes_keys_itself:
        return ""
    is_in_menu = _SELECTED.match(screen.cursor_line) or _HINTED.search(screen.cursor_line)
    if screen.cursor_visible and not is_in_menu:
        return ""
    asked = [row for row in lowest_rows(screen.rows) if _ASKS_ABOVE.match(row)]
    is_hinted = bool(asked) and _HINTED.search(asked[-1])
    return asked[-1] if is_hinted else numbered_menu(screen.rows)


def numbered_menu(rows: Sequence[str]) -> str:
    """Return the question above a numbered list of which one row is selected; empty if none is."""
    shown = lowest_rows(rows)
    others = {int(found[1]) for row in shown if (found := _NUMBERED.match(row))}
    for place, row in enumerate(shown):
        selected = _SELECTED.match(row)
        if selected is None or selected[2] is None:
            continue
        # A single number is no list: one of its neighbours has to be there as well.
        number, first = int(selected[2]), place
        if others.isdisjoint((number - 1, number + 1)):
            continue
        while first and _NUMBERED.match(shown[first - 1]):
            first -= 1
        return shown[first - 1].strip(" │┃|") if first else selected[1]
    return ""


def footer_of_menu(rows: Sequence[str]) -> str:
    """Return what a dialog says of its keys in the lowest row; empty if it does not."""
    found = _KEYS.search(lowest_rows(rows)[-1]) if any(rows) else None
    return found[0].strip() if found else ""


def selected_row(rows: Sequence[str]) -> str:
    """Return the selected row of a menu, without its sign; empty if no row has a sign."""
    found = [match[1] for row in lowest_rows(rows) if (match := _SELECTED.match(row))]
    return found[-1] if found else ""
