"""The files around the project: one address, and commands that exist."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import dev
import tmuxprim
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


def test_the_registry_of_mcp_gets_what_pypi_has() -> None:
    """It proves by a line of the README that the package is the server's."""
    server = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    (package,) = server["packages"]
    (extra,) = PROJECT["optional-dependencies"]["mcp"]
    assert server["version"] == package["version"] == tmuxprim.__version__
    assert server["repository"]["url"] == REPOSITORY
    assert package["identifier"] == PROJECT["name"]
    assert package["runtimeArguments"] == [{"type": "named", "name": "--with", "value": extra}]
    assert len(server["description"]) <= 100
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"<!-- mcp-name: {server['name']} -->\n" in readme


def test_the_skill_is_one() -> None:
    """Its head is as agentskills.io has it: few fields, and each short."""
    path = ROOT / "skills" / "tmuxprim" / "SKILL.md"
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields["name"] == path.parent.name
    assert {*fields} == {"name", "description", "license", "compatibility"}
    assert (fields["license"], len(fields["description"]) <= 1024) == (PROJECT["license"], True)
    assert len(fields["compatibility"]) <= 500
    assert len(body.splitlines()) < 500
