"""The recipe for Deep Agents, with its own agent and a scripted model."""

import os
from pathlib import Path

from deepagents import create_deep_agent

from tests.adapters.play_langchain import Played
from tests.adapters.recipes import recipe
from tests.adapters.script import Script
from tmuxprim.adapters import Shell

RECIPE = recipe("Deep Agents")


def test_an_agent_works_in_the_pane(shell: Shell, workspace: Path, by_shell: Script) -> None:
    """It installs, mends a test, and leaves vim."""
    backend = RECIPE.TmuxBackend(shell, str(workspace))
    model = Played(script=by_shell, tool="execute", argument="command")
    agent = create_deep_agent(model, backend=backend)
    end = agent.invoke({"messages": [("user", "Do it.")]}, {"recursion_limit": 200})
    assert end["messages"][-1].text == "finished"


def test_output_is_kept_at_a_timeout(shell: Shell, workspace: Path) -> None:
    """Their own backend loses it, and ends the command."""
    backend = RECIPE.TmuxBackend(shell, str(workspace))
    assert backend.execute("true").exit_code == 0
    reply = backend.execute("echo before; sleep 6; echo after", timeout=3)
    assert (reply.output.startswith("before\n[the command still"), reply.exit_code) == (True, None)
    reply = backend.execute("", timeout=60)
    assert (reply.output, reply.exit_code) == ("after\n", 0)


def test_a_long_output_is_cut_at_its_beginning(shell: Shell, workspace: Path) -> None:
    """And the agent is told; the news is at the end."""
    backend = RECIPE.TmuxBackend(shell, os.fspath(workspace), max_output_bytes=12)
    reply = backend.execute("seq 1000")
    assert (reply.output, reply.truncated) == ("98\n999\n1000\n", True)
