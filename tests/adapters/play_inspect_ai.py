"""The recipe for Inspect, with its own evaluation, its mock model, and a sandbox in each place."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, use_tools
from inspect_ai.util import ExecResult, SandboxEnvironment, sandboxenv
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment
from typing_extensions import override

from tests.adapters.places import Place
from tests.adapters.recipes import recipe
from tests.adapters.script import BY_TOOL, Script

RECIPE = recipe("Inspect")


def played(scripts: dict[str, Script]) -> Any:
    """Return a model that plays a script for each sample, named by the sample's input."""

    def respond(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        script = scripts[next(each.text for each in messages if each.role == "user")]
        last = messages[-1]
        reply = last.text if isinstance(last, ChatMessageTool) else None
        says = script.next(reply)
        if says is None:
            output = ModelOutput.from_content("mockllm/model", "finished")
        else:
            output = ModelOutput.for_tool_call("mockllm/model", "tmux", says)
        output.usage = ModelUsage()  # else it downloads an encoding to count tokens
        return output

    return get_model("mockllm/model", custom_outputs=respond)


@pytest.fixture
def sandbox(empty_place: Place, sockets: str) -> str:
    """The name of a sandbox that carries out its commands in each place in turn."""

    @sandboxenv(name="place")
    class PlaceSandbox(LocalSandboxEnvironment):
        @classmethod
        @override
        async def sample_init(cls, *_: Any) -> dict[str, SandboxEnvironment]:
            return {"default": cls()}

        @override
        async def exec(self, cmd: list[str], *given: Any, **named: Any) -> ExecResult[str]:
            words = empty_place.reaching_in(self.directory.name, sockets, cmd)
            return await super().exec([*words], *given, **named)

    return "place"


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_two_samples_work_at_the_same_time(
    workspace: Path, sandbox: str, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    """Each has a sandbox, a tmux server and a tool of its own."""
    monkeypatch.setenv("INSPECT_ASYNC_BACKEND", backend)
    names = ["one", "two"]
    scripts = {name: Script(BY_TOOL) for name in names}
    files = {path.name: path.read_text(encoding="utf-8") for path in workspace.iterdir()}
    samples = [Sample(input=name, files=files) for name in names]
    task = Task(
        dataset=samples, solver=[use_tools(RECIPE.tmux_tool()), generate()], sandbox=sandbox
    )
    (log,) = evaluate(task, model=played(scripts), log_dir=str(workspace / "logs"), display="none")
    assert log.status == "success", log.error
    for script in scripts.values():
        script.check()
