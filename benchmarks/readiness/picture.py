"""The picture: how late each design was, a dot for each right answer, as an SVG."""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from benchmarks import svg
from benchmarks.svg import line, text

_WIDTH: Final = 960
_MARGIN: Final = 28
_TOP: Final = 124  # of the first row
_ROW: Final = 108
_BELOW: Final = 104  # of the last row: axis and legend
_LEFT, _RIGHT = 204, 680  # of the axis
_DECADES: Final = (0.1, 1, 10, 100, 1_000, 10_000)  # milliseconds
_LABELS: Final = ("0.1 ms", "1 ms", "10 ms", "100 ms", "1 s", "10 s")

_FEW: Final = 130  # so many scenarios have room for dots of full size
_PITCH: Final = 7.0  # between two of them that just do not touch
_DOT: Final = 0.44  # their radius, as a share of that
_REACH: Final = 38.0  # of a swarm, above and below the middle of its row

_COLUMN: Final = 84  # a column of failures, with the gap to the next one
_GAP: Final = 8
_FIRST_COLUMN: Final = 704
_MEANINGS: Final = {"EARLY": "too early", "MISSED": "missed", "WRONG": "wrong"}

_STYLE: Final = """
.band { fill: #f5f6f8; }
.dot { fill: #7a8699; fill-opacity: 0.75; }
.ours { fill: #0f7b6c; }
.halo { stroke: #ffffff; stroke-width: 3px; paint-order: stroke; stroke-linejoin: round; }
.median { stroke: #1f2430; stroke-width: 2; }
.early { fill: #cf2f3d; }
.missed { fill: #c77700; }
.wrong { fill: #7d4bc4; }
@media (prefers-color-scheme: dark) {
  .halo { stroke: #14181f; }
  .band { fill: #1c222b; }
  .dot { fill: #95a1b3; }
  .ours { fill: #2fc4ae; }
  .median { stroke: #e6e9ef; }
  .early { fill: #ff6b76; }
  .missed { fill: #f2a93b; }
  .wrong { fill: #b28cf0; }
}
"""


@attrs.frozen(kw_only=True)
class Row:
    """What the picture shows of one design.

    Args:
        name: Its name.
        is_ours: Whether it is the one that the picture is about.
        right: In how many scenarios it was right.
        late: How late it was in those of them where that can be told, in seconds.
        failures: In how many it was EARLY, MISSED or WRONG.
        not_applicable: How many it had no way to play.
        cpu: What waiting takes, in percent of a core, if that was measured.
    """

    name: str
    is_ours: bool
    right: int
    late: Sequence[float]
    failures: Mapping[str, int]
    not_applicable: int
    cpu: float | None = None


def draw(rows: Sequence[Row], *, scenarios: int, conditions: str) -> str:
    """Return the picture as the text of an SVG file.

    Args:
        rows: The designs, from top to bottom.
        scenarios: How many scenarios there were.
        conditions: What the figures depend on.
    """
    height = _TOP + _ROW * len(rows) + _BELOW
    title = f"When do they say “ready”? {scenarios} scenarios, played on real terminals"
    parts = [
        text(_MARGIN, 40, title, "title"),
        text(_MARGIN, 62, conditions, "soft small"),
        *_bands(len(rows)),
        *_axis(_TOP + _ROW * len(rows)),
    ]
    # The area of all dots together stays about the same.
    pitch = _PITCH * min(1.0, math.sqrt(_FEW / max(1, scenarios)))
    for number, row in enumerate(rows):
        parts += _row(row, _TOP + _ROW * number + _ROW / 2, pitch)
    parts += _legend(height - 24)
    return svg.document(_WIDTH, height, title, _STYLE, parts)


def _bands(rows: int) -> Iterator[str]:
    """Yield what lies behind the dots: a line between rows, and the columns of failures."""
    bottom = _TOP + _ROW * rows
    middle = (_LEFT + _RIGHT) / 2
    yield text(middle, _TOP - 16, "right, and how late", "soft middle")
    for number, meaning in enumerate(_MEANINGS.values()):
        x = _FIRST_COLUMN + _COLUMN * number
        yield (
            f'<rect class="band" x="{x}" y="{_TOP}" width="{_COLUMN - _GAP}" '
            f'height="{bottom - _TOP}" rx="6"/>'
        )
        yield text(x + (_COLUMN - _GAP) / 2, _TOP - 16, meaning, "soft middle")
    for number in range(1, rows):
        y = _TOP + _ROW * number
        yield line(_MARGIN, y, _WIDTH - _MARGIN, y, "grid")


def _axis(bottom: float) -> Iterator[str]:
    for milliseconds, label in zip(_DECADES, _LABELS, strict=True):
        x = _place(milliseconds / 1000)
        yield line(x, _TOP, x, bottom, "grid")
        yield line(x, bottom, x, bottom + 5, "axis")
        yield text(x, bottom + 20, label, "soft middle small")
    yield line(_LEFT, bottom, _RIGHT, bottom, "axis")
    about = "from the program's last write to the answer “ready” (logarithmic)"
    yield text((_LEFT + _RIGHT) / 2, bottom + 42, about, "soft middle")


def _row(row: Row, middle: float, pitch: float) -> Iterator[str]:
    """Yield one design: its name, its dots, its median and its failures."""
    tried = row.right + sum(row.failures.values())
    without = f", {row.not_applicable} n/a" if row.not_applicable else ""
    yield text(_MARGIN, middle - 12, row.name, "name")
    yield text(_MARGIN, middle + 8, f"right in {row.right} of {tried}{without}", "small")
    if row.cpu is not None:
        yield text(_MARGIN, middle + 26, f"{row.cpu:.1f} % CPU while waiting", "soft small")
    kind = "dot ours" if row.is_ours else "dot"
    for x, offset in _swarm(sorted(map(_place, row.late)), pitch):
        yield _dot(x, middle + offset, kind, pitch)
    if row.late:
        yield from _median(statistics.median(row.late), middle)
    for number, name in enumerate(_MEANINGS):
        center = _FIRST_COLUMN + _COLUMN * number + (_COLUMN - _GAP) / 2
        yield from _failures(center, middle, row.failures.get(name, 0), name.lower(), pitch)


def _median(seconds: float, middle: float) -> Iterator[str]:
    x, top = _place(seconds), middle - _REACH - 6
    yield line(x, top - 6, x, middle + _REACH + 4, "median")
    value = f"{seconds * 1000:.{0 if seconds >= 0.1 else 1}f} ms"
    yield text(x + 6, top + 4, value, "bold small halo")


def _failures(center: float, middle: float, count: int, kind: str, pitch: float) -> Iterator[str]:
    """Yield a block of dots with their number above, in the middle of a column."""
    if not count:
        yield text(center, middle + 5, "0", "soft middle")
        return
    across = pitch + 1
    per_line = int((_COLUMN - _GAP - 8) / across)
    lines = math.ceil(count / per_line)
    # Where they are too many for the row, they overlap.
    down = min(across, (_ROW - 36) / lines)
    top = middle - lines * down / 2 + 12
    yield text(center, top - 10, str(count), "bold middle")
    for number in range(count):
        line, place = divmod(number, per_line)
        length = min(per_line, count - line * per_line)
        x = center + (place - (length - 1) / 2) * across
        yield _dot(x, top + line * down, kind, pitch)


def _swarm(places: Sequence[float], pitch: float) -> Iterator[tuple[float, float]]:
    """Yield each place with an offset that keeps its dot clear of the others, if there is room."""
    taken: list[tuple[float, float]] = []
    for number, x in enumerate(places):
        near = [(other, offset) for other, offset in taken if x - other < pitch]
        free = (y for y in _offsets() if _is_free(x, y, near, pitch))
        # Where there is none left, they overlap, spread by the golden section.
        offset = next(free, (number * 0.618 % 1 * 2 - 1) * _REACH)
        taken.append((x, offset))
        yield x, offset


def _offsets() -> Iterator[float]:
    """Yield distances from the middle of a row, the smallest first."""
    yield 0.0
    for step in range(1, int(_REACH)):
        yield from (-float(step), float(step))


def _is_free(x: float, y: float, others: Sequence[tuple[float, float]], pitch: float) -> bool:
    return all(math.hypot(x - other, y - offset) >= pitch for other, offset in others)


def _place(seconds: float) -> float:
    """Return where on the axis a time stands; what is beyond its ends stands at them."""
    first, last = _DECADES[0], _DECADES[-1]
    milliseconds = min(max(seconds * 1000, first), last)
    share = math.log10(milliseconds / first) / math.log10(last / first)
    return _LEFT + share * (_RIGHT - _LEFT)


def _legend(y: float) -> Iterator[str]:
    yield _dot(_MARGIN + 4, y - 4, "dot ours", _PITCH)
    yield _dot(_MARGIN + 14, y - 4, "dot", _PITCH)
    yield text(_MARGIN + 24, y, "a scenario in which it was right", "small")
    yield line(_MARGIN + 244, y - 12, _MARGIN + 244, y + 3, "median")
    yield text(_MARGIN + 252, y, "median", "small")
    for number, name in enumerate(_MEANINGS):
        yield _dot(_MARGIN + 324 + 10 * number, y - 4, name.lower(), _PITCH)
    about = "a scenario in which it was not; n/a: it has no way to play it"
    yield text(_MARGIN + 354, y, about, "small")


def _dot(x: float, y: float, kind: str, pitch: float) -> str:
    return svg.dot(x, y, pitch * _DOT, kind)
