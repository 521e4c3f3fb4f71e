"""Tables, for a terminal or in Markdown."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

Table: TypeAlias = Sequence[Sequence[str]]


def aligned(rows: Table) -> str:
    """Lay out rows for a terminal."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ([cell.ljust(n) for cell, n in zip(row, widths, strict=True)] for row in rows)
    return "\n".join("  ".join(row).rstrip() for row in padded)


def markdown(rows: Table) -> str:
    """Lay out rows as a Markdown table."""
    escaped = str.maketrans({"|": "\\|", "<": "&lt;"})
    head, *body = ([cell.translate(escaped) for cell in row] for row in rows)
    lines = [head, ["---", *("---:" for _ in head[1:])], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write(path: Path, conditions: str, *tables: Table) -> None:
    """Write tables, and what they were measured on, as JSON."""
    text = json.dumps({"conditions": conditions, "tables": tables}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
