"""The plugin of Agent Zero, loaded as Agent Zero loads it.

Read in github.com/agent0ai/agent-zero at 2d95cd9 (April 2026): `helpers/modules.py` executes the
file of a tool anew for each call, in a module that is in no table, and takes the last class by name
that is a `Tool`; `Agent.process_tools` makes an object of it, and splits ``name:method``;
`helpers/plugins.py` keeps the module of the hooks, and has `purge_namespace` forget
``usr.plugins`` when a plugin changes; `api/plugins.py` runs `execute.py` in the plugin's directory.
"""

import asyncio
import importlib.util
import inspect
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest

import tmuxprim
from tests.event_loops import LONG, at_once
from tests.pages import DOCS
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, Pane
from tmuxprim._tool.model_prompt import PromptForm, tool_prompt
from tmuxprim._tool.parse import parse_call
from tmuxprim.testing import AsyncFakeTerminal

SHARED = Pane("shared")


@attrs.frozen
class Response:
    """What a tool of Agent Zero returns."""

    message: str
    break_loop: bool


class Tool:
    """What a tool of Agent Zero is made from."""

    def __init__(self, method: str | None) -> None:
        self.method = method

    async def execute(self, **arguments: object) -> Response:
        """Do it."""
        raise NotImplementedError


def load(path: Path) -> ModuleType:
    """Execute a file anew, as a module that nobody else finds."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def call(message: str) -> str:
    """Do what a model's message asks for, and return what it is told."""
    asked = json.loads(message)
    name, _, method = asked["tool_name"].partition(":")
    module = load(DOCS / "agent-zero" / "tools" / f"{name}.py")
    found = [
        kind
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if kind is not Tool and issubclass(kind, Tool)
    ]
    response = await found[-1](method or None).execute(**asked["tool_args"])
    assert isinstance(response, Response)
    assert not response.break_loop
    return response.message


def say(name: str = "tmux_tool", /, **arguments: object) -> str:
    """Call the tool in an event loop that ends with the call."""
    return asyncio.run(call(json.dumps({"tool_name": name, "tool_args": arguments})))


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTerminal]:
    """Give what the tool takes for tmux: a shell in ``shared``."""
    helpers: Any = ModuleType("helpers.tool")
    helpers.Tool, helpers.Response = Tool, Response
    monkeypatch.setitem(sys.modules, "helpers", ModuleType("helpers"))
    monkeypatch.setitem(sys.modules, "helpers.tool", helpers)
    fake = FakeTerminal(programs={"sh": SHELL})
    fake.open("sh", name="shared")
    monkeypatch.setattr(tmuxprim, "AsyncTmuxTerminal", lambda: AsyncFakeTerminal(fake))
    before, threads = dict(vars(tmuxprim)), threading.enumerate()
    yield fake
    for name in vars(tmuxprim).keys() - before:
        loop, _ = getattr(tmuxprim, name)
        delattr(tmuxprim, name)
        loop.call_soon_threadsafe(loop.stop)
        for thread in set(threading.enumerate()) - {*threads}:
            thread.join(LONG)
        loop.close()


def test_what_was_typed_is_remembered() -> None:
    """So that the model's own half line is no obstacle to it, in whatever event loop."""
    assert say(action="wait_ready") == "ready (prompt matched)\n$"
    assert say(action="send", text="tr", enter="false") == "Sent: 'tr'"
    assert say(action="send", text="ue") == "Sent: 'ue' + Enter"
    assert say(action="wait_ready", timeout="60") == "ready (prompt matched)\n$ true\n$"


def test_the_pane_is_remembered(fake: FakeTerminal) -> None:
    """One that has gone is told of, and another one is not taken for it."""
    say(action="wait_ready")
    fake.close(SHARED)
    fake.open("sh", name="shared")
    assert say(action="send", text="true").startswith("error: ")
    assert fake.sent(SHARED) == ()


def test_two_event_loops_at_the_same_time(fake: FakeTerminal) -> None:
    """Their calls take turns in the pane, so no line is in the middle of another."""
    ask = json.dumps({"tool_name": "tmux_tool", "tool_args": {"action": "send", "text": "true"}})
    say(action="wait_ready")
    assert at_once(*[partial(call, ask)] * 2) == ["Sent: 'true' + Enter"] * 2
    fake.assert_sent(SHARED, "true", "Enter", "true", "Enter")


@pytest.mark.parametrize("action", ["Wait_Ready", " wait_ready\n", "WAIT_READY"])
def test_an_action_in_any_case(action: str) -> None:
    """And with blanks around it."""
    assert say(action=action) == "ready (prompt matched)\n$"


def test_an_action_behind_the_name() -> None:
    """As some of Agent Zero's own tools have it."""
    assert say("tmux_tool:wait_ready", timeout=5) == "ready (prompt matched)\n$"
    assert say("tmux_tool", text="ls").startswith("error: 'action' is missing")


def test_a_name_of_python_is_an_argument() -> None:
    """Whatever a model makes up is answered."""
    assert say(action="read", self=1).startswith("error: there is no argument 'self'")


def test_an_image_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new image has the plugin, in its volume, and nothing that was installed."""
    monkeypatch.setitem(sys.modules, "tmuxprim", None)
    assert say(action="read").startswith("error: tmuxprim is not installed.")


@pytest.mark.parametrize("file", ["hooks.py", "execute.py"])
@pytest.mark.parametrize("has_tmux", [False, True])
def test_install(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_tmux: bool
) -> None:
    """It installs what is missing, and writes the prompt of what was installed."""
    plugin, real, commands = tmp_path / "tmuxprim", subprocess.run, list[tuple[str, ...]]()
    shutil.copytree(DOCS / "agent-zero", plugin)

    def run(command: Any, **given: Any) -> object:  # noqa: ANN401  # as subprocess has them
        if "-c" in command:
            return real(command, **given, cwd=Path(tmuxprim.__file__).parent.parent)
        commands.append(command)
        return None

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/tmux" if has_tmux else None)
    monkeypatch.syspath_prepend(plugin)
    module = load(plugin / file)
    if file == "hooks.py":
        module.install()
    sys.modules.pop("hooks", None)  # which `execute.py` has imported
    assert commands[0] == (sys.executable, "-m", "pip", "install", "--upgrade", "tmuxprim")
    assert [command[0] for command in commands[1:]] == ([] if has_tmux else ["apt-get"] * 2)
    prompt = (plugin / "prompts" / "agent.system.tool.tmux_tool.md").read_text("utf-8")
    assert prompt == tool_prompt("agent-zero", name="tmux_tool")


class TestPrompt:
    """`tool_prompt` for Agent Zero."""

    PROMPT = tool_prompt("agent-zero", name="tmux_tool")

    def test_headings(self) -> None:
        """The tool's is as those of other tools, the sections are below it."""
        headings = re.findall(r"^#.*$", self.PROMPT, re.MULTILINE)
        assert headings == [
            *("### tmux_tool:", "#### Rules", "#### Outcomes"),
            *("#### AI assistants", "#### Keys", "#### For example"),
        ]

    def test_each_example_is_a_message(self) -> None:
        """Of two calls in one message, Agent Zero reads none."""
        blocks = re.findall(r"^~~~json\n(.*?)\n~~~$", self.PROMPT, re.MULTILINE | re.DOTALL)
        messages = [json.loads(block) for block in blocks]
        assert {message["tool_name"] for message in messages} == {"tmux_tool"}
        actions = [parse_call(message["tool_args"]).action for message in messages]
        assert actions == ["run", "send", "wait_ready", "keys"]

    def test_nothing_is_filled_in(self) -> None:
        """Agent Zero replaces what stands in double braces."""
        assert "{{" not in self.PROMPT

    def test_all_else_is_the_same(self) -> None:
        """The words are those that other models read."""
        plain = tool_prompt(name="tmux_tool")
        assert plain.startswith("# The tool `tmux_tool`\n")
        middle = plain.partition("\n\n")[2].partition("## For example")[0]
        assert middle.replace("## ", "#### ") in self.PROMPT

    def test_no_form(self) -> None:
        """Which ones there are is said."""
        form: PromptForm = "html"  # type: ignore[assignment]  # the mistake
        with pytest.raises(ValueError, match="'markdown', 'agent-zero', got 'html'"):
            tool_prompt(form)
