"""The recipes for agent frameworks, without the frameworks: `dev.py test-adapters` has those."""

import re

import dev
from tests.adapters.recipes import recipes
from tests.pages import DOCS

PAGE = DOCS / "guides" / "frameworks.md"


def test_the_table_has_the_lines_of_each_recipe() -> None:
    """And a play runs it."""
    text = PAGE.read_text(encoding="utf-8")
    found = recipes()
    rows = re.findall(r"^\| \[(.+?)\]\(#\S+\) \|[^|]+\| (\d+) \|", text, re.MULTILINE)
    assert [name for name, _ in rows] == [*found]
    for name, lines in rows:
        compile(found[name], str(PAGE), "exec")
        assert sum(map(bool, found[name].splitlines())) == int(lines), name


def test_each_framework_has_a_play() -> None:
    """By the name that `test-adapters` takes."""
    plays = (DOCS.parent / "tests" / "adapters").glob("play_*.py")
    assert sorted(play.stem.removeprefix("play_") for play in plays) == sorted(dev.FRAMEWORKS)
