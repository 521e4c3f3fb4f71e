"""What the tool can be asked for, and one call of it."""

import json
import re
from collections.abc import Mapping
from typing import Final

import attrs

from tmuxprim._tool.values import (
    read_command,
    read_enter,
    read_keys,
    read_lines,
    read_pane,
    read_pattern,
    read_text,
    read_timeout,
)
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane

SHARED: Final = Pane("shared")


@attrs.frozen(kw_only=True)
class Call:
    """One call of the tool; the defaults here are the ones that a model is told of.

    Args:
        action: What to do.
        text: What `send` types.
        enter: Whether `send` presses Enter after it.
        keys: What `keys` presses.
        command: What `run` runs.
        pane: Where.
        lines: How many rows of the history `read` adds.
        timeout: How long `wait_ready` and `run` wait, in seconds.
        prompt_pattern: The prompt that `wait_ready` waits for.
    """

    action: str
    text: str = attrs.field(default="", converter=read_text)
    enter: bool = attrs.field(default=True, converter=read_enter)
    keys: KeySequence = attrs.field(default=KeySequence(()), converter=read_keys)
    command: str = attrs.field(default="", converter=read_command)
    pane: Pane = attrs.field(default=SHARED, converter=read_pane)
    lines: int = attrs.field(default=100, converter=read_lines)
    timeout: float = attrs.field(default=10, converter=read_timeout)
    prompt_pattern: re.Pattern[str] | None = attrs.field(default=None, converter=read_pattern)


@attrs.frozen
class Action:
    """Is something that a tool can do.

    Args:
        does: What that is, in words for a model.
        needs: Arguments without which it makes no sense.
        takes: Arguments that have a default.
        example: The arguments of a call that is right.
        types: Whether it types anything.
        waits: Whether it waits until the pane is ready.
        defaults: Where it has other defaults than `Call`.
    """

    does: str
    needs: tuple[str, ...]
    takes: tuple[str, ...]
    example: Mapping[str, object]
    types: bool = False
    waits: bool = False
    defaults: Mapping[str, object] = attrs.field(factory=dict)

    @property
    def arguments(self) -> tuple[str, ...]:
        """All that it can be given."""
        return self.needs + self.takes


@attrs.frozen
class Toolset:
    """What a model is given: actions of one tool, or a tool for each.

    Args:
        actions: What it can ask for, by name.
        shared: The pane that a call is meant for if it names none.
        noun: What an action is called in messages; a ``"tool"`` has its name from elsewhere, an
            ``"action"`` is named by an argument.
    """

    actions: Mapping[str, Action]
    shared: Pane = SHARED
    noun: str = "action"

    @property
    def arguments(self) -> tuple[str, ...]:
        """All arguments that any action can be given."""
        taken = {name for action in self.actions.values() for name in action.arguments}
        return tuple(field.name for field in attrs.fields(Call) if field.name in taken)

    def takers(self, argument: str) -> tuple[str, ...]:
        """Return the actions that take an argument."""
        return tuple(name for name, action in self.actions.items() if argument in action.arguments)

    def defaults(self, name: str | None = None) -> dict[str, object]:
        """Return the defaults of an action, or those that hold where it says nothing else.

        What has to be given has none.
        """
        needed = {argument for action in self.actions.values() for argument in action.needs}
        fields = attrs.fields_dict(Call)
        found = {key: fields[key].default for key in self.arguments if key not in needed}
        own = self.actions[name].defaults if name else {}
        return {**found, "pane": self.shared.target, **own}

    def call(self, name: str, given: Mapping[str, object]) -> dict[str, object]:
        """Return what a model writes to have an action done: a tool's name stands elsewhere."""
        return {"action": name, **given} if self.noun == "action" else {**given}

    def example(self, name: str) -> str:
        """Return a call that is right."""
        given = self.actions[name].example
        return f"for example {json.dumps(self.call(name, given))}"


_SEND: Final = Action(
    "type a text exactly as it is, then press Enter",
    needs=("text",),
    takes=("enter", "pane"),
    example={"text": "ls -la"},
    types=True,
)
_KEYS: Final = Action(
    "press special keys by name, without Enter after them",
    needs=("keys",),
    takes=("pane",),
    example={"keys": ["C-c"]},
    types=True,
)
_READ: Final = Action(
    "return the screen, and rows that scrolled off it, as plain text",
    needs=(),
    takes=("lines", "pane"),
    example={"lines": 200},
)
_WAIT_READY: Final = Action(
    "wait until the pane can take input, and return why it can, and the screen",
    needs=(),
    takes=("timeout", "prompt_pattern", "pane"),
    example={"timeout": 60},
    waits=True,
)
_RUN: Final = Action(
    "type a command at a shell's prompt, wait until it has ended, and return exactly what it "
    "printed",
    needs=("command",),
    takes=("timeout", "pane"),
    example={"command": "make test", "timeout": 120},
    types=True,
    waits=True,
    defaults={"timeout": 30},
)

# One tool, whose argument `action` says what to do.
ONE_TOOL: Final = Toolset(
    {"send": _SEND, "keys": _KEYS, "read": _READ, "wait_ready": _WAIT_READY},
)
# A tool for each action, as MCP has them, with one more.
MANY_TOOLS: Final = Toolset({**ONE_TOOL.actions, "run": _RUN}, noun="tool")
