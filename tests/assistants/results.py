"""The table of what was played with the real assistants, in Markdown.

``python -m tests.assistants.results build/assistants/results.jsonl`` prints it.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any, Final

from tests.assistants.real import SPEECHES

# What is counted of what went wrong, by how it begins: an answer told too early or not at all, a
# command that was allowed by mistake, a text that did not arrive, not alone, or where none should,
# an answer not whole.
COLUMNS: Final = {
    "early": ("EARLY",),
    "missed": ("MISSED",),
    "consents": ("CONSENT",),
    "lost or glued": ("LOST", "GLUED", "TYPED"),
    "cut": ("CUT",),
}


def table(lines: Iterable[str]) -> str:
    """Return the table: a row for each program by each face, and each load."""
    played: dict[tuple[str, str, int], list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        result = json.loads(line)
        played[result["program"], result["face"], result["loops"]].append(result)
    heads = ("program", "face", "loops", "rounds", "steps", "right", *COLUMNS, "other", "late")
    rows = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for key, steps in sorted(played.items()):
        cells = (*map(str, key), *_counts(steps))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _counts(steps: list[dict[str, Any]]) -> Iterable[str]:
    """Yield the cells of a row."""
    yield str(sum(step["step"] == "start" for step in steps))
    yield str(len(steps))
    yield str(sum(not step["wrong"] for step in steps))
    wrong = [text for step in steps for text in step["wrong"]]
    for kinds in COLUMNS.values():
        yield str(sum(text.startswith(kinds) for text in wrong))
    known = tuple(kind for kinds in COLUMNS.values() for kind in kinds)
    yield str(sum(not text.startswith(known) for text in wrong))
    late = [step["late"] for step in steps if step["step"] in SPEECHES and not step["wrong"]]
    late = [seconds for seconds in late if seconds] or [0.0]
    yield f"{median(late):.1f} s, at most {max(late):.1f}"


if __name__ == "__main__":
    sys.stdout.write(table(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()) + "\n")
