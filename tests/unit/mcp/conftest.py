"""What the tests of the MCP server share."""

import pytest

from tests.unit.mcp.talking import MODES, Host, new_fake


@pytest.fixture(params=MODES)
def host(request: pytest.FixtureRequest) -> Host:
    """Give a client, of each age in turn, on a shell at its prompt."""
    return Host(new_fake(), request.param)
