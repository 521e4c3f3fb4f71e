"""The English of the library and its pages: no phrase that hides who does what."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.command_line import ROOT

PACKAGE = ROOT / "tmuxprim"
# Each phrase, and the words that are clearer.
BANNED = {
    r"nobody (?:can )?(?:knows?|tells?|says?)": "cannot be determined",
    r"\bbe it (?:an? |the |one |empty|that )": "even, or",
    r", too(?:[.,;:)]| \|)": "also, before the verb",
    r"\bwhoever\b": "somebody who, the process that",
    r"\b(?:in )?want of more\b": "the rest is missing",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r'"""(?:What|Who|That which) ': "a noun",
}
# On pages also these; the messages that a page quotes have their own words.
BANNED_ON_PAGES = {
    r"\b(?:kernel|screen|tmux|level|that|which) tells\b": "reports, shows",
    r"#+ (?:What|Who|That which) ": "a noun, in a heading",
    r"(?<!')\s(?:stands?|stood) (?:above|at|before|below|left|on|right|still|there|where)\b": "is",
}


def _pattern(banned: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{phrase})" for phrase in banned), re.IGNORECASE)


PATTERN = _pattern(BANNED)
ON_PAGES = _pattern([*BANNED, *BANNED_ON_PAGES])


def phrases(text: str, pattern: re.Pattern[str] = PATTERN) -> list[str]:
    """Return the banned phrases of a text, wherever its lines end."""
    return [found[0] for found in pattern.finditer(re.sub(r"\s+(?:#:? )?", " ", text))]


def sources() -> Iterator[Path]:
    """Yield the pages and the files of the library."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from sorted(PACKAGE.rglob("*.py"))


def test_no_page_or_source_hides_who_does_what() -> None:
    """In docstrings, comments, messages and pages."""
    found = {
        str(path.relative_to(ROOT)): words
        for path in sources()
        if (
            words := phrases(path.read_text("utf-8"), ON_PAGES if path.suffix == ".md" else PATTERN)
        )
    }
    assert found == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "Of ssh nobody\n    # knows who reads.",
        "It is refused, be it a shell.",
        "The pane is closed, too.",
        "Whoever has it can read it.",
        "It is in want of more.",
        "The mistake is mended.",
        "A restart mends it.",
        "| a row, too |",
        '"""What a pane shows."""',
    ],
)
def test_a_planted_phrase_is_found(sentence: str) -> None:
    """Even across the end of a line, and behind the sign of a comment."""
    assert len(phrases(sentence)) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "The screen tells it.",
        "A prompt stands at the cursor.",
        "It stood\nthere.",
        "It ends.\n\n## What a pane shows\n",
    ],
)
def test_a_planted_phrase_of_a_page_is_found(sentence: str) -> None:
    """Pages are for readers who know Python and tmux only."""
    assert len(phrases(sentence, ON_PAGES)) == 1


def test_words_that_are_right_are_kept() -> None:
    """They only look like such a phrase."""
    assert (
        phrases("It stands for its pane. That is too long, and nobody is there. Tell what.") == []
    )
