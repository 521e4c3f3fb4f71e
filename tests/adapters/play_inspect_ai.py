"""The recipe for Inspect, with its own evaluation, its sandbox ``local`` and its mock model."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, use_tools

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
def sockets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A directory of its own for the sockets of tmux; the servers have ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        monkeypatch.setenv("TMUX_TMPDIR", directory)
        yield
        for socket in Path(directory).glob("*/*"):
            subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)


@pytest.mark.usefixtures("sockets")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_two_samples_work_at_the_same_time(
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    backend: str,
) -> None:
    """Each has a sandbox, a tmux server and a tool of its own."""
    monkeypatch.setenv("INSPECT_ASYNC_BACKEND", backend)
    names = ["one", "two"]
    scripts = {name: Script(BY_TOOL) for name in names}
    files = {path.name: path.read_text(encoding="utf-8") for path in workspace.iterdir()}
    samples = [Sample(input=name, files=files) for name in names]
    task = Task(
        dataset=samples, solver=[use_tools(RECIPE.tmux_tool()), generate()], sandbox="local"
    )
    (log,) = evaluate(task, model=played(scripts), log_dir=str(workspace / "logs"), display="none")
    assert log.status == "success", log.error
    for script in scripts.values():
        script.check()
