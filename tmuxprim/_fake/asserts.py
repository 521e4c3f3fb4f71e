"""Asserts on the input and the screen of a pane, with readable failures."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from types import NoneType
from typing import TypeAlias

from tmuxprim._fake.server import Sent
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.keys import Key, KeySequence, Part
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Cursor, Screen
from tmuxprim._values.style import Style
from tmuxprim.errors import InvalidKeyError, InvalidScreenError

Expected: TypeAlias = str | Key | KeySequence
"""A text, a key, the name of a key, or a sequence of texts and keys."""


def assert_screen(
    screen: Screen,
    expected: str | None = None,
    *,
    cursor: Cursor | None = None,
    styles: Mapping[str, Style] | None = None,
) -> None:
    r"""Fail with a diff unless the screen shows exactly this text.

    Spaces at the ends of rows and empty rows at the end do not count.

    Args:
        screen: The screen of a fake terminal or of a real one.
        expected: The rows from the top, each a line; None if they do not matter.
        cursor: Where the cursor has to be; None if it does not matter.
        styles: The style of each text, wherever it is in a row.

    Raises:
        AssertionError: If the screen differs.
        InvalidScreenError: If *styles* are given, and the screen was read without styles.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.wait_ready(), console.send("echo hi")
        >>> assert_screen(console.wait_ready().screen, "$ echo hi\nhi\n$")
        >>> assert_screen(terminal.observe(console.pane), "$ echo hi\nho\n$")
        Traceback (most recent call last):
        ...
        AssertionError: the screen differs from the expected one:
        --- expected
        +++ screen
        @@ -1,3 +1,3 @@
         $ echo hi
        -ho
        +hi
         $
    """
    check_type("screen", screen, Screen)
    check_type("expected", expected, str, NoneType)
    check_type("styles", styles, Mapping, NoneType)
    shown = _without_blank_ends(screen.rows)
    wanted = shown if expected is None else _without_blank_ends(expected.split("\n"))
    wrong = []
    if wanted != shown:
        diff = difflib.unified_diff(wanted, shown, "expected", "screen", lineterm="", n=len(shown))
        wrong.append("\n".join(("the screen differs from the expected one:", *diff)))
    if cursor is not None and cursor != screen.cursor:
        wrong.append(f"the cursor is expected at {cursor}, but it is at {screen.cursor}")
    for text, style in (styles or {}).items():
        wrong += _wrong_styles(screen, text, style)
    if wrong:
        raise AssertionError("\n".join(wrong))


def _wrong_styles(screen: Screen, text: str, style: Style) -> list[str]:
    """Return a message for each place where *text* has another style, or one if it is nowhere."""
    if screen.styles is None:
        raise InvalidScreenError(
            f"a screen without styles cannot show {text!r} as {style}; look with "
            "observe(pane, styled=True)"
        )
    is_there, wrong = False, []
    for number, row in enumerate(screen.styles):
        shown = "".join(part.text for part in row)
        looks = [part.style for part in row for _ in part.text]
        for found in re.finditer(re.escape(text), shown):
            is_there = True
            seen = dict.fromkeys(looks[slice(*found.span())])
            if [*seen] != [style]:
                found_styles = " and ".join(map(str, seen))
                wrong.append(
                    f"{text!r} in row {number} does not look like {style}, but like {found_styles}"
                )
    return wrong if is_there else [f"{text!r}, expected to look like {style}, is in no row"]


def _without_blank_ends(rows: Iterable[str]) -> list[str]:
    return "\n".join(row.rstrip() for row in rows).rstrip("\n").split("\n")


def assert_sent(pane: Pane, sent: Iterable[Sent], expected: Iterable[Expected]) -> None:
    """Fail with two columns unless exactly this was sent."""
    actual = [(str(KeySequence((part,))), one.at) for one in sent for part in one.keys]
    wanted = [str(KeySequence((part,))) for one in expected for part in _to_parts(one)]
    was = [shown for shown, _ in actual]
    if wanted != was:
        table = "\n".join(_table(wanted, was, [f"{at:.3f} s" for _, at in actual]))
        raise AssertionError(f"pane {pane} got other input than expected:\n{table}")


def _to_parts(expected: Expected) -> tuple[Part, ...]:
    """Return the parts of *expected*; a key's name of more than one character means the key."""
    check_type("expected", expected, str, Key, KeySequence)
    if isinstance(expected, KeySequence):
        return expected.parts
    if isinstance(expected, Key) or len(expected) < 2:  # noqa: PLR2004  # one letter is a text
        return (expected,)
    try:
        return (Key(expected),)
    except InvalidKeyError:
        return (expected,)


def _table(wanted: Sequence[str], was: Sequence[str], times: Sequence[str]) -> list[str]:
    """Return the lines of a table with equal parts side by side."""
    rows = [(" ", "expected", "sent", "at")]
    matcher = difflib.SequenceMatcher(None, wanted, was, autojunk=False)
    for tag, left, left_end, right, right_end in matcher.get_opcodes():
        mark = " " if tag == "equal" else "!"
        there = slice(right, right_end)
        cells = zip_longest(wanted[left:left_end], was[there], times[there], fillvalue="")
        rows += [(mark, *row) for row in cells]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
