"""The recipe for LangChain, with its own agent and a scripted model."""

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from tests.adapters.places import Place
from tests.adapters.recipes import recipe
from tests.adapters.script import Script
from tmuxprim.tool import TmuxTool

RECIPE = recipe("LangChain and LangGraph")


class Played(BaseChatModel):
    """A model that plays a script by one tool."""

    script: Any
    tool: str
    argument: str = ""
    """The tool's one argument, if the script has texts."""

    @property
    def _llm_type(self) -> str:
        return "played"

    def bind_tools(self, tools: Any, **_: Any) -> "Played":
        """Take the tools that there are."""
        assert self.tool in [getattr(tool, "name", None) for tool in tools]
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        reply = messages[-1].text if isinstance(messages[-1], ToolMessage) else None
        says = self.script.next(reply)
        calls = []
        if says is not None:
            arguments = {self.argument: says} if self.argument else dict(says)
            calls = [{"name": self.tool, "args": arguments, "id": f"call_{len(messages)}"}]
        message = AIMessage("" if calls else "finished", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def test_an_agent_works_in_the_pane(place: Place, by_tool: Script) -> None:
    """It installs, mends a test, and leaves vim."""
    tool = RECIPE.tmux_tool(TmuxTool(place.terminal))
    agent = create_agent(Played(script=by_tool, tool="tmux"), [tool])
    end = agent.invoke({"messages": [("user", "Do it.")]}, {"recursion_limit": 200})
    assert end["messages"][-1].text == "finished"
