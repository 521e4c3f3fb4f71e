"""`tool-schema`, which is for whoever gives a language model a terminal."""

import json

import pytest

from tests.unit.cli.conftest import Cli
from tmuxprim.tool import SchemaForm, tool_schema


def test_it_is_the_tools(cli: Cli) -> None:
    """The form that most take is the default."""
    ran = cli("tool-schema")
    assert (ran.status, json.loads(ran.out)) == (0, tool_schema("openai"))


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp"])
def test_there_are_three_forms(cli: Cli, form: SchemaForm) -> None:
    """As JSON it is a part of the one object."""
    assert json.loads(cli("tool-schema", "--form", form).out) == tool_schema(form)
    assert cli("tool-schema", "--form", form, "--json").facts["schema"] == tool_schema(form)
