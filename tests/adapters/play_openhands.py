"""The recipe for OpenHands, with the SDK's own agent and a scripted model."""

import json
from pathlib import Path
from typing import Any

import pytest
from openhands.sdk import Agent, Conversation, Tool
from openhands.sdk.llm import Message, MessageToolCall, TextContent
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool import register_tool
from openhands.tools.terminal import TerminalAction
from pydantic import PrivateAttr
from typing_extensions import override

from tests.adapters.places import Place
from tests.adapters.recipes import recipe
from tests.adapters.script import Script

RECIPE = recipe("OpenHands")


class Played(TestLLM):
    """A model that plays a script."""

    _script: Script = PrivateAttr()

    @classmethod
    def of(cls, script: Script) -> "Played":
        """Return a model that plays *script*."""
        model = cls(model="played", usage_id="played")
        model._script = script
        return model

    @override
    def completion(self, messages: list[Message], *given: Any, **named: Any) -> Any:
        last = messages[-1]
        text = "".join(part.text for part in last.content if isinstance(part, TextContent))
        says = self._script.next(text if last.role == "tool" else None)
        message = Message(role="assistant", content=[TextContent(text="finished")])
        if says is not None:
            arguments = json.dumps({"command": says, "timeout": 60, "is_input": False})
            call = MessageToolCall(
                id=f"call_{len(messages)}",
                name="terminal",
                arguments=arguments,
                origin="completion",
            )
            message = Message(role="assistant", content=[], tool_calls=[call])
        self._scripted_responses.append(message)
        return super().completion(messages, *given, **named)


@pytest.fixture
def in_a_pane(empty_place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool of the recipe, in each place in turn."""
    monkeypatch.setattr(RECIPE.TmuxExecutor, "terminal", empty_place.terminal)
    register_tool("terminal", RECIPE.TmuxTerminalTool)


@pytest.mark.usefixtures("in_a_pane")
def test_an_agent_works_in_the_pane(workspace: Path, by_shell: Script) -> None:
    """It installs, mends a test, and leaves vim."""
    agent = Agent(llm=Played.of(by_shell), tools=[Tool(name="terminal")])
    conversation = Conversation(agent=agent, workspace=str(workspace), visualizer=None)
    conversation.send_message("Do it.")
    conversation.run()
    conversation.close()


@pytest.mark.usefixtures("in_a_pane")
def test_a_command_is_ended_in_three_ways(workspace: Path) -> None:
    """By a key, by the framework's interrupt, and with the whole session."""
    executor = RECIPE.TmuxExecutor(str(workspace))

    def say(command: str, timeout: float = 60.0, **options: bool) -> Any:
        return executor(TerminalAction(command=command, timeout=timeout, **options))

    assert say("cat").exit_code == -1
    assert say("C-d", is_input=True).exit_code == 0
    assert say("sleep 600", 3.0).timeout
    executor.interrupt()
    interrupted = say("")
    assert (interrupted.text[:3], interrupted.timeout) == ("^C\n", False)
    assert say("X=7; sleep 600", 3.0).timeout
    assert say("echo x$X", reset=True).text == "x\n"
    executor.close()
