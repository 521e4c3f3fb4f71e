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

# What stands in a column, by the names of the steps.
COLUMNS: Final = {
    "start": ("start",),
    "ask": ("quick", "slow", "liar"),
    "long answer": ("many",),
    "pauses of 3 s, 12 s": ("pause", "twelve"),
    "silence of 10 s": ("silent",),
    "permission": ("asks", "allowed"),
    "interrupt": ("interrupted",),
    "error": ("refused",),
    "tried again": ("limited", "broken"),
    "leave": tuple(
        f"leave{at}" for at in ("", " idle", " busy", " half typed", " dialog", " error", " killed")
    ),
}


def table(lines: Iterable[str]) -> str:
    """Return the table; in each cell stands how often it went well, of how often it was played."""
    played: dict[str, dict[str, list[list[str]]]] = defaultdict(lambda: defaultdict(list))
    late: dict[str, list[float]] = defaultdict(list)
    for line in lines:
        result: dict[str, Any] = json.loads(line)
        played[result["program"]][result["step"]].append(result["wrong"])
        if result["step"] in SPEECHES and not result["wrong"]:
            late[result["program"]] += [result["late"]] if result["late"] else []
    steps_played = {step for steps in played.values() for step in steps}
    columns = {head: names for head, names in COLUMNS.items() if steps_played.intersection(names)}
    heads = ("program", *columns, "early", "cut", "late")
    rows = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for program, steps in sorted(played.items()):
        cells = [
            _cell([one for step in names for one in steps[step]]) for names in columns.values()
        ]
        wrong = [text for ones in steps.values() for one in ones for text in one]
        counts = [str(sum(text.startswith(kind) for text in wrong)) for kind in ("EARLY", "CUT")]
        seconds = late[program] or [0.0]
        later = f"{median(seconds):.1f} s, at most {max(seconds):.1f}"
        rows.append(f"| {' | '.join((program, *cells, *counts, later))} |")
    return "\n".join(rows)


def _cell(played: list[list[str]]) -> str:
    good = sum(not wrong for wrong in played)
    return f"{good} of {len(played)}" if played else ""


if __name__ == "__main__":
    sys.stdout.write(table(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()) + "\n")
