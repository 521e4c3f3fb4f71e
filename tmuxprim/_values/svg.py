"""Draw a screen as SVG, with each character in its cell.

No font shifts a column: a character that the browser's font has in another width is stretched to
its cell, and a wide character is centred in its two cells.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from tmuxprim._values.lines import TAB_STOP, char_columns
from tmuxprim._values.pane import Size
from tmuxprim._values.style import Color, Style, StyledText

_WIDTH: Final = 9
_HEIGHT: Final = 18
_MARGIN: Final = 9
_BASELINE: Final = 14
_FONTS: Final = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_FOREGROUND: Final = "#cccccc"
_BACKGROUND: Final = "#1e1e1e"
_PALETTE: Final = (
    *("#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5"),
    *("#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"),
)
# xterm's 256 colours: 16 of the palette, a cube of 6 by 6 by 6 colours, then 24 greys.
_FIRST_GREY: Final = 232
_CUBE: Final = (0, 95, 135, 175, 215, 255)
_WIDE: Final = 2
# A browser collapses several ordinary spaces into one.
_BLANK: Final = "\N{NO-BREAK SPACE}"
_JOINER: Final = "\u200d"
# Characters that XML 1.0 cannot represent, even escaped (section 2.2, Char).
_UNWRITABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Piece(NamedTuple):
    """Text in neighbouring cells: several characters of ASCII, or a single other one."""

    column: int
    columns: int
    text: str


class Picture(NamedTuple):
    """The parts of each row, and the cursor's row and column; None if it is hidden."""

    rows: Sequence[Sequence[StyledText]]
    cursor: tuple[int, int] | None


def draw(size: Size, picture: Picture) -> str:
    """Return the SVG of a screen of that size."""
    return document(size, draw_parts(size, picture))


def document(size: Size, drawn: Iterable[str]) -> str:
    """Return the SVG document around the drawn parts of a screen of that size."""
    width, height = size.columns * _WIDTH + 2 * _MARGIN, size.rows * _HEIGHT + 2 * _MARGIN
    box = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = f'font-family="{_FONTS}" font-size="15" fill="{_FOREGROUND}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} {font}>',
        f'<rect width="{width}" height="{height}" rx="6" fill="{_BACKGROUND}"/>',
        *drawn,
        "</svg>\n",
    ]
    return "\n".join(lines)


def draw_parts(size: Size, picture: Picture) -> Iterator[str]:
    """Yield each part of each row with its background, then the cursor."""
    for row, parts in enumerate(picture.rows):
        column = 0
        for part in parts:
            pieces = _pieces(_UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", part.text), column)
            begin, column = column, pieces[-1].column + pieces[-1].columns
            foreground, background = _colors(part.style)
            box = _box(row, begin, column - begin)
            drawn = f'<rect {box} fill="{background}"/>' if background else ""
            if texts := "".join(_draw_pieces(row, pieces, part.style)):
                drawn += f"<g{_attributes(part.style, foreground)}>{texts}</g>"
            if drawn:
                yield drawn
    if picture.cursor is not None:
        row, column = picture.cursor
        box = _box(row, min(column, size.columns - 1), 1)
        yield f'<rect {box} fill="{_FOREGROUND}" fill-opacity=".6"/>'


def _pieces(text: str, column: int) -> list[Piece]:
    """Return a text in pieces, the first of which may be empty."""
    pieces = [Piece(column, 0, "")]
    for char in text:
        last = pieces[-1]
        end = last.column + last.columns
        columns, shown = char_columns(char), char
        if char == "\t":
            columns = TAB_STOP - end % TAB_STOP
            shown = " " * columns
        if last.text.endswith(_JOINER):
            columns = 0  # a part of one emoji
        if columns == 0 or (char.isascii() and last.text.isascii()):
            pieces[-1] = Piece(last.column, last.columns + columns, last.text + shown)
        else:
            pieces.append(Piece(end, columns, shown))
    return pieces


def _draw_pieces(row: int, pieces: Sequence[Piece], style: Style) -> Iterator[str]:
    lines = ["underline"] * style.underline + ["line-through"] * style.strike
    decoration = f' text-decoration="{" ".join(lines)}"' if lines else ""
    y = row * _HEIGHT + _MARGIN + _BASELINE
    for column, columns, text in pieces:
        if style.hidden or not columns or not (decoration or text.strip(" ")):
            continue
        x, length = column * _WIDTH + _MARGIN, columns * _WIDTH
        if char_columns(text[0]) == _WIDE:
            place = f'x="{x + _WIDTH}" y="{y}" text-anchor="middle"'
        else:
            place = f'x="{x}" y="{y}" textLength="{length}" lengthAdjust="spacingAndGlyphs"'
        yield f"<text {place}{decoration}>{escape(text, quote=False).replace(' ', _BLANK)}</text>"


def _attributes(style: Style, foreground: str) -> str:
    return "".join(
        (
            "" if foreground == _FOREGROUND else f' fill="{foreground}"',
            ' font-weight="bold"' if style.bold else "",
            ' font-style="italic"' if style.italic else "",
            ' opacity=".6"' if style.dim else "",
        )
    )


def _colors(style: Style) -> tuple[str, str]:
    """Return the colours of text and background; "" for the background of the whole screen."""
    foreground, background = _to_hex(style.foreground), _to_hex(style.background)
    if style.reverse:
        foreground, background = background or _BACKGROUND, foreground or _FOREGROUND
    return foreground or _FOREGROUND, background


def _to_hex(color: Color) -> str:
    match color:
        case None:
            return ""
        case str():
            return color
        case _ if color < len(_PALETTE):
            return _PALETTE[color]
        case _ if color < _FIRST_GREY:
            cube = color - len(_PALETTE)
            levels = (_CUBE[cube // 36], _CUBE[cube // 6 % 6], _CUBE[cube % 6])
        case _:
            levels = (8 + 10 * (color - _FIRST_GREY),) * 3
    return "#{:02x}{:02x}{:02x}".format(*levels)


def _box(row: int, column: int, columns: int) -> str:
    x, y = column * _WIDTH + _MARGIN, row * _HEIGHT + _MARGIN
    return f'x="{x}" y="{y}" width="{columns * _WIDTH}" height="{_HEIGHT}"'
