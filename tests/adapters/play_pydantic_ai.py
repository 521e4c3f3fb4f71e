"""The recipe for pydantic-ai, with its own agent and a scripted model."""

import asyncio

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from tests.adapters.places import Place
from tests.adapters.recipes import recipe
from tests.adapters.script import Script
from tmuxprim.tool import AsyncTmuxTool

RECIPE = recipe("Pydantic AI")


def played(script: Script) -> FunctionModel:
    """Return a model that plays a script."""

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert [tool.name for tool in info.function_tools] == ["tmux"]
        last = messages[-1].parts[-1]
        reply = str(last.content) if isinstance(last, ToolReturnPart) else None
        says = script.next(reply)
        part = TextPart("finished") if says is None else ToolCallPart("tmux", says)
        return ModelResponse(parts=[part])

    return FunctionModel(respond)


def test_an_agent_works_in_the_pane(place: Place, by_tool: Script) -> None:
    """It installs, mends a test, and leaves vim."""

    async def work() -> str:
        tool = AsyncTmuxTool(place.async_terminal)
        agent = Agent(played(by_tool), tools=[RECIPE.tmux_tool(tool)])
        return str((await agent.run("Do it.", usage_limits=None)).output)

    assert asyncio.run(work()) == "finished"


def test_a_model_that_makes_arguments_up_is_told(place: Place) -> None:
    """Their model for tests calls the tool once, by its schema alone."""

    async def work() -> str:
        tool = AsyncTmuxTool(place.async_terminal)
        agent = Agent(TestModel(), tools=[RECIPE.tmux_tool(tool)])
        return str((await agent.run("Do it.")).output)

    assert "tmux" in asyncio.run(work())
