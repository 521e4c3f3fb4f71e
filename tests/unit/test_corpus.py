"""The corpus of scenarios, as data: what a slip of the pen would make of it."""

import re
import sys
from collections import Counter

import dev
from tests.scenarios.corpus import SCENARIOS
from tests.scenarios.model import EXITED, TIMEOUT

# These come with every system, and have no package of their own.
EVERYWHERE = {"sh", "chroot"}

TURNS = [(one.name, turn) for one in SCENARIOS for turn in one.turns]


def test_names_are_unique() -> None:
    """A name stands for one scenario, in reports and in tables."""
    counts = Counter(one.name for one in SCENARIOS)
    assert [name for name, count in counts.items() if count > 1] == []
    assert [name for name in counts if not name or name != name.strip()] == []


def test_there_are_many() -> None:
    """And of many a person who sees only the screen can judge."""
    assert len(SCENARIOS) >= 90
    assert sum(one.by_screen for one in SCENARIOS) >= 30


def test_programs_are_known() -> None:
    """``dev.py programs`` installs what a scenario needs, unless it comes with this Python."""
    needed = {name for one in SCENARIOS for name in one.all_needs}
    assert {name for name in needed if not _is_known(name)} == set()


def _is_known(name: str) -> bool:
    """Whether a program can be installed, is a path, or is told not to be here."""
    is_missing = name == "ipython" or name.endswith(" that runs")
    return name in {*dev.PROGRAMS, *EVERYWHERE, sys.executable} or "/" in name or is_missing


def test_each_turn_does_one_thing() -> None:
    """Text is typed or keys are pressed, and something has to come of it, in time."""
    assert [one.name for one in SCENARIOS if not one.turns] == []
    assert [name for name, turn in TURNS if (turn.text is None) is not bool(turn.keys)] == []
    assert [name for name, turn in TURNS if not turn.outcomes] == []
    assert [name for name, turn in TURNS if len(set(turn.outcomes)) < len(turn.outcomes)] == []
    assert [name for name, turn in TURNS if not turn.timeout > turn.lasts >= 0] == []


def test_what_is_to_be_seen_is_a_pattern() -> None:
    """A slip in one would be told only after its scenario was played."""
    assert [name for name, turn in TURNS if not _is_pattern(turn.shows)] == []


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text, re.MULTILINE)
    except re.error:
        return False
    return True


def test_nothing_comes_after_the_end() -> None:
    """A program that has ended takes no other turn."""
    assert [one.name for one in SCENARIOS if one.program.first in {EXITED, TIMEOUT}] == []
    early = [one.name for one in SCENARIOS if any(EXITED in t.outcomes for t in one.turns[:-1])]
    assert early == []


def test_an_end_is_told_only_of_what_ends() -> None:
    """A file or a time that tells an early verdict says nothing where the wait times out."""
    told = [(name, turn) for name, turn in TURNS if turn.leaves or turn.lasts]
    assert len(told) > 90
    assert [name for name, turn in told if TIMEOUT in turn.outcomes] == []


def test_a_file_that_is_left_is_not_there_before() -> None:
    """Where a file is left twice in a scenario, something has to remove it in between."""
    for one in SCENARIOS:
        left = [name for name in (one.program.leaves, *(t.leaves for t in one.turns)) if name]
        assert all(re.fullmatch(r"[\w.-]+", name) for name in left)
        if len(set(left)) < len(left):
            done = [one.prepare, *one.program.command, *(turn.text or "" for turn in one.turns)]
            assert re.search(rf"\brm (?:-f )?{left[0]}\b", "\n".join(done)), one.name
