r"""`Style`: the colours and attributes of text, read from ``capture-pane -e`` or raw output.

It understands SGR (ECMA-48 8.3.117) with the colours of xterm, whose parameters ``;`` or ``:``
separates, and the line drawing that tmux puts between SO and SI. It ignores attributes that a
screenshot does not show: blinking, the kind and the colour of an underline, links.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Final, TypeAlias

import attrs

from tmuxprim._values.short_repr import cut_repr

Color: TypeAlias = int | str | None
"""A number of the terminal's palette (0 to 255), ``#rrggbb``, or None for the terminal's own."""


@attrs.frozen(kw_only=True, repr=False)
class Style:
    """The colours and attributes of text.

    Args:
        foreground: The colour of the text: a number of the palette of 256, ``#rrggbb``, or None
            for the terminal's own.
        background: The colour behind it.
        bold: Whether it is bold.
        dim: Whether it is faint.
        italic: Whether it is slanted.
        underline: Whether it is underlined, in any way.
        reverse: Whether the two colours change places.
        hidden: Whether it is invisible.
        strike: Whether it is crossed out.

    Examples:
        >>> Style(foreground=1, bold=True)
        Style(foreground=1, bold=True)
    """

    foreground: Color = None
    background: Color = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False
    hidden: bool = False
    strike: bool = False

    def __repr__(self) -> str:
        changed = attrs.asdict(self, filter=lambda field, value: value != field.default)
        return f"Style({', '.join(f'{name}={value!r}' for name, value in changed.items())})"


@attrs.frozen
class StyledText:
    r"""A part of a row whose characters all have one style.

    Args:
        text: The text.
        style: Its colours and attributes.

    Examples:
        >>> shell = ScriptedShell({"ls": "\x1b[34mdocs\x1b[m notes"})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.run("ls")
        >>> row = terminal.observe(console.pane, styled=True).styles[1]
        >>> [(part.text, part.style.foreground) for part in row]
        [('docs', 4), (' notes', None)]
    """

    text: str = attrs.field(repr=cut_repr)
    style: Style = Style()


Styles: TypeAlias = tuple[tuple[StyledText, ...], ...]
"""The parts of each row, from the left."""

PLAIN: Final = Style()
_TOKEN: Final = re.compile(r"(\x1b\[[0-9:;]*m|\x1b\][^\x1b]*\x1b\\|[\x0e\x0f])")
_SO: Final = "\x0e"
# The DEC special graphics set of a VT100 (terminfo(5), "Line Graphics").
_DRAWN: Final = str.maketrans("`afgjklmnopqrstuvwxyz{|}~", "◆▒°±┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
_SWITCHES: Final = {
    "bold": ("1", "22"),
    "dim": ("2", "22"),
    "italic": ("3", "23"),
    "underline": ("4 21", "24 4:0"),
    "reverse": ("7", "27"),
    "hidden": ("8", "28"),
    "strike": ("9", "29"),
}
_BASES: Final = (
    ("foreground", 30, 0),
    ("background", 40, 0),
    ("foreground", 90, 8),
    ("background", 100, 8),
)
_EXTENDED: Final = {"38": "foreground", "48": "background", "58": ""}
# Numbers behind the kind of an extended colour: 2 is red, green, blue; 5 an index of the palette
# (ISO 8613-6).
_NUMBERS: Final = {"2": 3, "5": 1}
_LARGEST: Final = 255


def _make_changes() -> dict[str, dict[str, Color | bool]]:
    changes: dict[str, dict[str, Color | bool]] = {}
    for name, switches in _SWITCHES.items():
        for codes, value in zip(switches, (True, False), strict=True):
            for code in codes.split():
                changes.setdefault(code, {})[name] = value
    for field, base, first in _BASES:
        changes |= {str(base + number): {field: first + number} for number in range(8)}
    return {**changes, "39": {"foreground": None}, "49": {"background": None}}


# The fields that each parameter of SGR sets.
_CHANGES: Final = _make_changes()
_evolve: Callable[..., Style] = attrs.evolve


def restyled(style: Style, codes: str) -> Style:
    """Return *style* changed by SGR with these parameters; unknown ones change nothing."""
    parameters = iter(codes.split(";"))
    for parameter in parameters:
        number, *more = parameter.lstrip("0").split(":")
        if number in _EXTENDED:
            color = _to_color(filter(None, more) if more else parameters)
            field = _EXTENDED[number]
            style = _evolve(style, **{field: color}) if field and color is not None else style
        elif number:
            change = _CHANGES.get(":".join((number, *more)), _CHANGES.get(number, {}))
            style = _evolve(style, **change)
        else:
            style = PLAIN
    return style


def _to_color(parameters: Iterator[str]) -> Color:
    """Return the colour of ``5;n`` or ``2;r;g;b``; None if the parameters are invalid."""
    count = _NUMBERS.get(next(parameters, ""), 0)
    numbers = [int(number or 0) for number in islice(parameters, count)]
    if not numbers or len(numbers) < count or max(numbers) > _LARGEST:
        return None
    return numbers[0] if count == 1 else "#{:02x}{:02x}{:02x}".format(*numbers)


def parse_styles(rows: Iterable[str]) -> Styles:
    """Return the styles of rows as ``capture-pane -e`` prints them.

    A style lasts over the end of its row, since tmux prints changes only.
    """
    style, is_drawing = PLAIN, False
    styles = []
    for row in rows:
        parts: list[tuple[str, Style]] = []
        for token in _TOKEN.split(row):
            if token.startswith("\x1b["):
                style = restyled(style, token[2:-1])
            elif token in ("\x0e", "\x0f"):
                is_drawing = token == _SO
            elif not token.startswith("\x1b"):
                parts.append((token.translate(_DRAWN) if is_drawing else token, style))
        styles.append(to_row(parts))
    return tuple(styles)


def to_row(parts: Iterable[tuple[str, Style]]) -> tuple[StyledText, ...]:
    """Return a row: parts of the same style are joined, and plain blanks at the end dropped."""
    row = [
        StyledText("".join(text for text, _ in same), style)
        for style, same in groupby(parts, key=itemgetter(1))
    ]
    if row and row[-1].style == PLAIN:
        row[-1] = StyledText(row[-1].text.rstrip(" "))
    return tuple(part for part in row if part.text)
