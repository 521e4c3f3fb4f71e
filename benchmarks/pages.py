"""The figures on the pages: blocks that are made from docs/figures.json, and from nothing else.

    python benchmarks/pages.py                          # write all blocks anew
    python benchmarks/pages.py PART FILE COMMAND COMMIT  # and first take over what was measured

A block stands between `<!-- figures: PART -->` and `<!-- end of figures -->`, and may hold several
parts. Each part has its own day and commit: `python3 dev.py bench PART --report` measures one.
"""

import datetime as dt
import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import tmuxprim
from benchmarks.tables import markdown

ROOT: Final = Path(__file__).resolve().parent.parent
FIGURES: Final = ROOT / "docs" / "figures.json"
BLOCK: Final = re.compile(
    r"(<!-- figures: ([\w ]+) -->\n).*?(<!-- end of figures -->)$", re.DOTALL | re.MULTILINE
)

Part: TypeAlias = Mapping[str, Any]
"""What one benchmark has measured, as it is kept."""


def main(arguments: list[str]) -> None:
    """Take over what was measured, if anything, and write the blocks."""
    if arguments:
        part, file, command, commit = arguments
        figures = dict(read())
        figures[part] = taken(json.loads(Path(file).read_text(encoding="utf-8")), command, commit)
        text = json.dumps(figures, indent=1, sort_keys=True, ensure_ascii=False)
        FIGURES.write_text(text + "\n", encoding="utf-8")
        picture = Path(file).with_suffix(".svg")
        shown = ROOT / "docs" / picture.name
        if picture.exists() and shown.exists():
            shutil.copy(picture, shown)
    for page in pages():
        text = page.read_text(encoding="utf-8")
        filled = fill(text, read())
        if filled != text:
            page.write_text(filled, encoding="utf-8")
            print(f"new figures: {page.relative_to(ROOT)}")


def read() -> Mapping[str, Part]:
    """Return all that was measured, by part."""
    figures: Mapping[str, Part] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return figures


def pages() -> Iterator[Path]:
    """Yield the pages that may have blocks."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def taken(measured: Part, command: str, commit: str) -> Part:
    """Return what is kept of a benchmark: its tables, and where they are from."""
    return {
        "command": command,
        "commit": commit,
        "conditions": measured["conditions"],
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
        "tables": measured["tables"],
        "version": tmuxprim.__version__,
    }


def fill(page: str, figures: Mapping[str, Part]) -> str:
    """Return a page with its blocks as *figures* have them."""

    def block(found: re.Match[str]) -> str:
        parts = (_shown(figures[part]) for part in found[2].split())
        return "".join((found[1], "\n\n".join(parts), "\n\n", found[3]))

    return BLOCK.sub(block, page)


def _shown(part: Part) -> str:
    """Return one part as Markdown: what it is from, and its tables."""
    source = (
        f"`python3 dev.py {part['command']}` on {part['date']}, "
        f"{part['version']} ({part['commit']}), {part['conditions']}."
    )
    return "\n\n".join((source, *map(markdown, part["tables"])))


if __name__ == "__main__":
    main(sys.argv[1:])
