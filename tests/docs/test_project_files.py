"""The files around the project: one address, and commands that exist."""

import re
import tomllib
from pathlib import Path

import pytest

import dev
from tests.command_line import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REPOSITORY = PROJECT["urls"]["Repository"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_citation_names_the_repository() -> None:
    """Its address is written in pyproject.toml; these are its copies."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"https://\S+", citation) == [REPOSITORY]
    assert f"license: {PROJECT['license']}\n" in citation
    for address in PROJECT["urls"].values():
        assert address.startswith(REPOSITORY)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_commands_that_exist(workflow: Path) -> None:
    """By dev.py, as a person does."""
    text = workflow.read_text(encoding="utf-8")
    commands = re.findall(r"python3 dev\.py (\w+)", text)
    assert commands
    assert {*commands} <= {*dev.COMMANDS}


def test_only_the_release_may_write() -> None:
    """A token of other jobs reads only."""
    for workflow in WORKFLOWS:
        text = workflow.read_text(encoding="utf-8")
        assert "permissions:\n  contents: read\n" in text
        assert (": write" in text) == (workflow.name == "release.yml")
