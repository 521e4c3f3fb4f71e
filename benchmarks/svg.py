"""Pieces of pictures, as SVG.

A picture stands on a card of its own, so that it can be read on a page of any colour, and
follows the reader's choice of dark colours where the viewer tells of it.
"""

from collections.abc import Iterable
from html import escape
from typing import Final

STYLE: Final = """
text { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
  font-size: 13px; fill: #1f2430; }
.card { fill: #ffffff; stroke: #d5d9e0; }
.title { font-size: 20px; font-weight: 600; }
.name { font-size: 15px; font-weight: 600; }
.soft { fill: #5b6472; }
.small { font-size: 12px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.bold { font-weight: 600; }
.grid { stroke: #e3e6eb; }
.axis { stroke: #8a93a1; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e9ef; }
  .card { fill: #14181f; stroke: #343b47; }
  .soft { fill: #9aa4b2; }
  .grid { stroke: #2b323d; }
  .axis { stroke: #6b7583; }
}
"""


def document(width: float, height: float, title: str, style: str, parts: Iterable[str]) -> str:
    """Return a whole picture; *style* is added to what the pieces have."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title">',
        f'<title id="title">{escape(title)}</title>',
        f"<style>{STYLE}{style}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10"/>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def text(x: float, y: float, words: str, kind: str) -> str:
    """Return words that begin at a place, or stand there as *kind* has it."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def dot(x: float, y: float, radius: float, kind: str) -> str:
    """Return a dot around a place."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="{kind}"/>'
