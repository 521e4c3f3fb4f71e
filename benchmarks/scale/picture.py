"""The picture: small charts side by side, each a figure over the number of panes."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from benchmarks import svg

_WIDTH: Final = 960
_HEIGHT: Final = 400
_MARGIN: Final = 28
_LEFT, _TOP, _BOTTOM = 76, 136, 320  # of the first chart
_CHART: Final = 216
_PITCH: Final = 300  # from chart to chart
_LEGEND: Final = 210  # from name to name
_RADIUS: Final = 3.2
_KINDS: Final = ("first", "second", "third")
_STYLE: Final = """
.curve { fill: none; stroke-width: 2; }
.first.curve { stroke: #0f7b6c; } .first.mark { fill: #0f7b6c; }
.second.curve { stroke: #c77700; } .second.mark { fill: #c77700; }
.third.curve { stroke: #7d4bc4; } .third.mark { fill: #7d4bc4; }
.upper { fill-opacity: 0.55; }
@media (prefers-color-scheme: dark) {
  .first.curve { stroke: #2fc4ae; } .first.mark { fill: #2fc4ae; }
  .second.curve { stroke: #f2a93b; } .second.mark { fill: #f2a93b; }
  .third.curve { stroke: #b28cf0; } .third.mark { fill: #b28cf0; }
}
"""


@attrs.frozen
class Curve:
    """One line of a chart.

    Args:
        name: Whose.
        points: Panes, and the figure with so many.
        upper: The same for a higher percentile, drawn as dots alone.
    """

    name: str
    points: Sequence[tuple[int, float]]
    upper: Sequence[tuple[int, float]] = ()


@attrs.frozen
class Panel:
    """One chart; both of its axes are logarithmic.

    Args:
        title: What it shows.
        unit: In which unit.
        curves: Its lines.
    """

    title: str
    unit: str
    curves: Sequence[Curve]


def draw(panels: Sequence[Panel], *, title: str, conditions: str) -> str:
    """Return the picture as the text of an SVG file."""
    names = list(dict.fromkeys(curve.name for panel in panels for curve in panel.curves))
    kinds = dict(zip(names, _KINDS, strict=False))
    parts = [
        svg.text(_MARGIN, 40, title, "title"),
        svg.text(_MARGIN, 62, conditions, "soft small"),
    ]
    for number, panel in enumerate(panels):
        parts += _Chart(panel, _LEFT + _PITCH * number, kinds).draw()
    for number, name in enumerate(names):
        x, y = _MARGIN + _LEGEND * number, _HEIGHT - 22
        parts.append(svg.line(x, y - 4, x + 22, y - 4, f"curve {kinds[name]}"))
        parts.append(svg.dot(x + 11, y - 4, _RADIUS, f"mark {kinds[name]}"))
        parts.append(svg.text(x + 30, y, name, "small"))
    return svg.document(_WIDTH, _HEIGHT, title, _STYLE, parts)


class _Chart:
    """One chart at its place.

    Args:
        panel: What it shows.
        left: Where its axis begins.
        kinds: How the lines look, by name.
    """

    def __init__(self, panel: Panel, left: float, kinds: dict[str, str]) -> None:
        self._panel, self._left, self._kinds = panel, left, kinds
        points = [point for curve in panel.curves for point in (*curve.points, *curve.upper)]
        self._panes = sorted({panes for panes, _ in points})
        values = [value for _, value in points if value > 0]
        self._lowest = math.floor(math.log10(min(values)))
        self._highest = max(math.ceil(math.log10(max(values))), self._lowest + 1)

    def draw(self) -> Iterator[str]:
        """Yield its parts."""
        yield svg.text(self._left - 30, _TOP - 42, self._panel.title, "name")
        yield svg.text(self._left - 30, _TOP - 22, self._panel.unit, "soft small")
        for exponent in range(self._lowest, self._highest + 1):
            y = self._y(10.0**exponent)
            yield svg.line(self._left, y, self._left + _CHART, y, "grid")
            yield svg.text(self._left - 8, y + 4, f"{10.0**exponent:,g}", "soft small end")
        for panes in self._panes:
            x = self._x(panes)
            yield svg.line(x, _BOTTOM, x, _BOTTOM + 5, "axis")
            yield svg.text(x, _BOTTOM + 20, f"{panes:,}", "soft small middle")
        yield svg.line(self._left, _BOTTOM, self._left + _CHART, _BOTTOM, "axis")
        yield svg.text(self._left + _CHART / 2, _BOTTOM + 38, "panes", "soft small middle")
        for curve in self._panel.curves:
            yield from self._curve(curve, self._kinds[curve.name])

    def _curve(self, curve: Curve, kind: str) -> Iterator[str]:
        places = [(self._x(panes), self._y(value)) for panes, value in curve.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline class="curve {kind}" points="{path}"/>'
        for x, y in places:
            yield svg.dot(x, y, _RADIUS, f"mark {kind}")
        for panes, value in curve.upper:
            yield svg.dot(self._x(panes), self._y(value), _RADIUS, f"mark upper {kind}")

    def _x(self, panes: int) -> float:
        most = max(math.log10(self._panes[-1]), 1.0)
        return self._left + 8 + (_CHART - 16) * math.log10(panes) / most

    def _y(self, value: float) -> float:
        place = math.log10(max(value, 10.0**self._lowest)) - self._lowest
        return _BOTTOM - (_BOTTOM - _TOP) * place / (self._highest - self._lowest)
