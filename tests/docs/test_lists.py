"""Lists that are written by hand: each names all keys, strategies or actions that there are."""

import re

import tmuxprim
from tests.docs.test_site import tables
from tests.pages import DOCS
from tmuxprim._tool.actions import MANY_TOOLS, ONE_TOOL
from tmuxprim._values.keys import _NAMES

WORD = re.compile(r"`(\w+)`")


def section(page: str, heading: str) -> str:
    """Return the text of a page below a heading."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_the_table_of_keys_has_each_key() -> None:
    """Those that have a name of more than one letter."""
    assert {*_NAMES} <= {*WORD.findall(tables.keys())}


def test_the_chain_is_listed_in_its_order() -> None:
    """With the strategy that each wait adds at the end."""
    steps = re.findall(
        r"^\d+\. (.*)", section("explanation/readiness.md", "The chain"), re.MULTILINE
    )
    listed = [name for step in steps for name in WORD.findall(step.partition(":")[0])]
    chain = [type(strategy).__name__ for strategy in tmuxprim.default_chain().strategies]
    assert listed == [*chain, "TimeoutStrategy"]


def test_the_table_of_actions_has_each_action() -> None:
    """Also the schema and the prompt have them, but a person reads this page."""
    text = (DOCS / "guides" / "agents.md").read_text(encoding="utf-8")
    table = text.partition("| action | arguments | reply |\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == [*ONE_TOOL.actions]


def test_the_guide_to_mcp_names_each_tool() -> None:
    """And those that only look."""
    text = section("guides/mcp.md", "The tools")
    assert MANY_TOOLS.actions.keys() <= {*WORD.findall(text)}
    marked = re.findall(r"^(.*) are marked as read-only", text, re.MULTILINE)
    looks = [name for name, action in MANY_TOOLS.actions.items() if action.looks]
    assert [WORD.findall(line) for line in marked] == [looks]
