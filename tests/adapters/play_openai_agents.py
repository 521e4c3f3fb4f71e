"""The recipes for the OpenAI Agents SDK, with its own runner and a scripted model."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Runner, ShellTool, Usage
from openai.types.responses import (
    ResponseFunctionShellToolCall,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from tests.adapters.places import Place
from tests.adapters.recipes import recipe
from tests.adapters.script import Script
from tmuxprim.adapters import Shell
from tmuxprim.tool import AsyncTmuxTool

RECIPE = recipe("OpenAI Agents SDK")
EXECUTOR = recipe("OpenAI ShellTool")
LONG = 200
UNTRACED = RunConfig(tracing_disabled=True)


class Played(Model):
    """A model that plays a script by one tool."""

    def __init__(self, script: Script) -> None:
        self.script = script

    def call(self, says: Any, number: int) -> Any:
        """Return the model's call of its tool."""
        return ResponseFunctionToolCall(
            type="function_call", name="tmux", call_id=f"call_{number}", arguments=json.dumps(says)
        )

    async def get_response(self, *_: Any, **given: Any) -> ModelResponse:
        """Say the next step."""
        items = given["input"]
        last = items[-1] if isinstance(items, list) else {}
        says = self.script.next(self.heard(last))
        text = ResponseOutputText(type="output_text", text="finished", annotations=[])
        message = ResponseOutputMessage(
            id="end", type="message", role="assistant", status="completed", content=[text]
        )
        output = [message] if says is None else [self.call(says, len(self.script.replies))]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def heard(self, last: Any) -> str | None:
        """Return the reply to the last call, if there is one."""
        return last["output"] if last.get("type") == "function_call_output" else None

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        """Not asked for."""
        raise NotImplementedError


async def work(tools: list[Any], model: Model) -> str:
    """Let an agent work."""
    agent = Agent(name="worker", model=model, tools=tools)
    run = await Runner.run(agent, "Do it.", max_turns=LONG, run_config=UNTRACED)
    return str(run.final_output)


async def _by_tool(place: Place, script: Script) -> str:
    tool = RECIPE.tmux_tool(AsyncTmuxTool(place.async_terminal))
    return await work([tool], Played(script))


def test_an_agent_works_in_the_pane(place: Place, by_tool: Script) -> None:
    """It installs, mends a test, and leaves vim."""
    assert asyncio.run(_by_tool(place, by_tool)) == "finished"


class PlayedByShell(Played):
    """The same by the shell tool."""

    def call(self, says: Any, number: int) -> Any:
        """Return the model's call of its tool."""
        action = {"commands": [says], "timeout_ms": 60_000}
        return ResponseFunctionShellToolCall.model_validate(
            {
                "type": "shell_call",
                "id": f"shell_{number}",
                "call_id": f"call_{number}",
                "status": "completed",
                "action": action,
                "environment": None,
            }
        )

    def heard(self, last: Any) -> str | None:
        """Return the reply to the last call, if there is one."""
        if last.get("type") != "shell_call_output":
            return None
        (output,) = last["output"]
        return str(output["stdout"])


def test_an_agent_works_by_the_shell_tool(shell: Shell, by_shell: Script) -> None:
    """A text goes to what asks for it, whatever the tool is called."""
    tool = ShellTool(executor=EXECUTOR.TmuxExecutor(shell))
    assert asyncio.run(work([tool], PlayedByShell(by_shell))) == "finished"
