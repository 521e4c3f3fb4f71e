"""Compare strippers of control functions: right on the hand-made cases, speed, attacks.

Run it as ``python benchmarks/bench_ansi.py [--quick] [--markdown]``. The captures in ``data/`` were
recorded from real programs (git, ls, pytest, img2sixel, vim, and rich's own demonstration for
truecolor) and are repeated up to a megabyte. Trust the ratios to click, not the MB/s: rounds of all
strippers alternate, so what slows the machine down slows all of them.

A stripper of another kind is not wrong for each case it misses: click means to remove
colours only. An attack is a short text repeated many times; four times the text should take
about four times as long, and ``QUADRATIC`` says that it took far more.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, from a checkout that is not installed

from benchmarks.tables import Table, aligned, markdown  # noqa: E402  # needs the path above
from tests.unit.ansi_cases import ATTACKS, CASES  # noqa: E402  # as above
from tmuxprim._values.ansi import AnsiStripper, strip_ansi  # noqa: E402  # as above

Strip = Callable[[str], str]

MEGABYTE = 1_000_000
CHUNK = 4096  # what a read from a pseudo-terminal gives at most
ROUNDS = 9
PATIENCE = 1.0  # seconds a stripper may spend on one capture before it skips the other rounds

_NAIVE = re.compile(r"\x1b(?:\][^\x07]*\x07|[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])")


class Stripper(NamedTuple):
    """A function to compare, or why there is none."""

    name: str
    strip: Strip | None


def strip_in_chunks(text: str) -> str:
    """Strip *text* as it would come from a terminal."""
    feed = AnsiStripper().feed
    return "".join(feed(text[i : i + CHUNK]) for i in range(0, len(text), CHUNK))


def strip_naively(text: str) -> str:
    """Strip *text* with a pattern as found in many a program."""
    return _NAIVE.sub("", text)


def load_click() -> Strip:
    """Return the function of click, which knows CSI only."""
    strip: Strip = import_module("click").unstyle
    return strip


def load_wcwidth() -> Strip:
    """Return the function of wcwidth, which is written in C since 0.9."""
    strip: Strip = import_module("wcwidth").strip_sequences
    return strip


def load_rich() -> Strip:
    """Return what rich offers: to parse the styles, and then to ask for the text."""
    parse = import_module("rich.text").Text.from_ansi

    def strip(text: str) -> str:
        plain: str = parse(text).plain
        return plain

    return strip


def peer(name: str, load: Callable[[], Strip]) -> Stripper:
    """Load a peer, which may not be installed or be too old to have the function."""
    package = name.partition(".")[0]
    try:
        return Stripper(f"{name} {version(package)}", load())
    except (ImportError, AttributeError):
        return Stripper(f"{name}: no such peer here", None)


def all_strippers() -> list[Stripper]:
    """Return ours and the peers, in the order of the table."""
    return [
        Stripper("tmuxprim.strip_ansi", strip_ansi),
        peer("click.unstyle", load_click),
        Stripper("tmuxprim.AnsiStripper 4 KiB", strip_in_chunks),
        peer("wcwidth.strip_sequences", load_wcwidth),
        Stripper("naive pattern", strip_naively),
        peer("rich.Text.from_ansi", load_rich),
    ]


def read_captures() -> dict[str, str]:
    """Return each capture, repeated to a megabyte or more."""
    captures = {}
    for file in sorted((ROOT / "benchmarks" / "data").glob("*.vte")):
        text = file.read_bytes().decode("utf-8")  # as bytes: CR LF must stay as recorded
        captures[file.stem] = text * (MEGABYTE // len(text) + 1)
    return captures


def seconds(strip: Strip, text: str) -> float:
    """Return the CPU time of one run: what others do on the machine does not count."""
    start = time.process_time()
    strip(text)
    return time.process_time() - start


def best_times(strips: list[Strip], text: str, rounds: int) -> list[float]:
    """Return the best time of each of *strips* on *text*, all of them taking turns."""
    runs: list[list[float]] = [[seconds(strip, text)] for strip in strips]
    for _ in range(rounds):
        for strip, times in zip(strips, runs, strict=True):
            if sum(times) < PATIENCE:
                times.append(seconds(strip, text))
    return [min(times) for times in runs]


def count_correct(strip: Strip) -> int:
    """Return on how many of the hand-made cases *strip* is right."""
    return sum(strip(case.text) == case.stripped for case in CASES)


def growth(strip: Strip, unit: str) -> float:
    """Return how many times longer four times the attack takes: 4 is linear, 16 quadratic.

    The attack is made only as long as it takes to measure it, so that a quadratic stripper
    costs a fraction of a second; 4 stands for one that is done before it could be measured.
    """
    text = unit * (1000 // len(unit) + 1)
    while (small := min(seconds(strip, text) for _ in range(5))) < 0.003:
        if len(text) > MEGABYTE:
            return 4.0
        text *= 2
    return min(seconds(strip, text * 4) for _ in range(5)) / small


def speed_table(strippers: list[tuple[str, Strip]], rounds: int) -> Table:
    """Return correctness, and per capture MB/s and the time as a multiple of the time of click."""
    captures = read_captures()
    strips = [strip for _, strip in strippers]
    times = {name: best_times(strips, text, rounds) for name, text in captures.items()}
    sizes = {name: len(text.encode()) / MEGABYTE for name, text in captures.items()}
    names = [name for name, _ in strippers]
    baseline = next((i for i, name in enumerate(names) if name.startswith("click")), 0)
    rows = [["MB/s (time as a multiple)", "correct", *captures]]
    for i, (name, strip) in enumerate(strippers):
        cells = [f"{count_correct(strip)}/{len(CASES)}"]
        for capture, best in times.items():
            cells.append(f"{sizes[capture] / best[i]:.0f} ({best[i] / best[baseline]:.2f})")
        rows.append([name, *cells])
    return rows


def attack_table(strippers: list[tuple[str, Strip]]) -> Table:
    """Return for each attack how time grows with its length."""
    rows = [["attack", *(name for name, _ in strippers)]]
    for attack, unit in ATTACKS.items():
        grown = [growth(strip, unit) for _, strip in strippers]
        rows.append([attack, *(f"{'QUADRATIC' if g > 10 else 'linear'} {g:.1f}" for g in grown)])
    return rows


def main() -> None:
    """Print both tables, and the peers that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a single round")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    options = parser.parse_args()
    layout = markdown if options.markdown else aligned
    strippers = all_strippers()
    present = [(name, strip) for name, strip in strippers if strip is not None]
    rounds = 1 if options.quick else ROUNDS
    for table in (speed_table(present, rounds), attack_table(present)):
        print(layout(table), end="\n\n")
    for name, strip in strippers:
        if strip is None:
            print(name)


if __name__ == "__main__":
    main()
