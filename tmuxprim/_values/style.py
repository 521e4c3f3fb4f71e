r"""How text looks: `Style`, and how it is read from ``capture-pane -e`` and a program's output.

Understood is SGR (ECMA-48 8.3.117) with the colours of xterm, parameters apart by ``;`` or ``:``,
and the line drawing that tmux puts between SO and SI. Passed over is what no picture needs:
blinking, the kind and the colour of an underline, links.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Final, TypeAlias

import attrs

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
        hidden: Whether it is not to be seen.
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
        told = attrs.asdict(self, filter=lambda field, value: value != field.default)
        return f"Style({', '.join(f'{name}={value!r}' for name, value in told.items())})"


@attrs.frozen
class StyledText:
    r"""Some text of a row, and how all of it looks.

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

    text: str
    style: Style = Style()


Styles: TypeAlias = tuple[tuple[StyledText, ...], ...]
"""The parts of each row, from the left."""

PLAIN: Final = Style()
_TOKEN: Final = re.compile(r"(\x1b\[[0-9:;]*m|\x1b\][^\x1b]*\x1b\\|[\x0e\x0f])")
_SO: Final = "\x0e"
# What a VT100 draws for these letters.
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
# How many numbers follow, by the kind of an extended colour.
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


# What each parameter of SGR sets.
_CHANGES: Final = _make_changes()
_evolve: Callable[..., Style] = attrs.evolve


def restyled(style: Style, codes: str) -> Style:
    """Return what *style* is after SGR with these parameters; unknown ones change nothing."""
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
    """Return the colour of ``5;n`` or ``2;r;g;b``; None if it is none."""
    count = _NUMBERS.get(next(parameters, ""), 0)
    numbers = [int(number or 0) for number in islice(parameters, count)]
    if not numbers or len(numbers) < count or max(numbers) > _LARGEST:
        return None
    return numbers[0] if count == 1 else "#{:02x}{:02x}{:02x}".format(*numbers)


def parse_styles(rows: Iterable[str]) -> Styles:
    """Return the styles of rows as ``capture-pane -e`` prints them; a style goes on below."""
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
    """Return a row: neighbours of one style are one part, and no plain blanks are at the end."""
    row = [
        StyledText("".join(text for text, _ in same), style)
        for style, same in groupby(parts, key=itemgetter(1))
    ]
    if row and row[-1].style == PLAIN:
        row[-1] = StyledText(row[-1].text.rstrip(" "))
    return tuple(part for part in row if part.text)
