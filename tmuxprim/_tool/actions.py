"""What the tool can be asked for, and one call of it."""

import json
from collections.abc import Mapping
from typing import Final, TypeVar

import attrs

from tmuxprim._tool.arguments import (
    ARGUMENTS,
    COMMAND,
    ENTER,
    KEYS,
    LINES,
    PANE,
    PROMPT_PATTERN,
    TEXT,
    TIMEOUT,
    Argument,
)
from tmuxprim._values.pane import Pane

T = TypeVar("T")

SHARED: Final = Pane("shared")


@attrs.frozen
class Call:
    """One call of the tool.

    Args:
        action: What to do.
        given: The arguments by their names, as JSON has them; defaults are filled in.
    """

    action: str
    given: Mapping[str, object]

    def __getitem__(self, argument: Argument[T]) -> T:
        """Return the value of an argument."""
        return argument.read(self.given[argument.name])


@attrs.frozen
class Action:
    """Something that a tool can do.

    Args:
        does: What that is, in words for a model.
        needs: Arguments that have to be given.
        takes: Arguments that have a default.
        example: The arguments of a call that is right.
        types: Whether it types anything.
        waits: Whether it waits until the pane is ready.
        defaults: Defaults that are not those of the table.
    """

    does: str
    needs: tuple[Argument[object], ...]
    takes: tuple[Argument[object], ...]
    example: Mapping[str, object]
    types: bool = False
    waits: bool = False
    defaults: Mapping[str, object] = attrs.field(factory=dict)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of all arguments."""
        return tuple(argument.name for argument in self.needs + self.takes)


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
    def arguments(self) -> dict[str, Argument[object]]:
        """All arguments that any action can be given, by name."""
        taken = {name for action in self.actions.values() for name in action.arguments}
        return {argument.name: argument for argument in ARGUMENTS if argument.name in taken}

    def takers(self, argument: str) -> tuple[str, ...]:
        """Return the actions that take an argument."""
        return tuple(name for name, action in self.actions.items() if argument in action.arguments)

    def defaults(self, name: str | None = None) -> dict[str, object]:
        """Return the defaults of an action, or of all; what has to be given has none."""
        actions = self.actions.values() if name is None else (self.actions[name],)
        needed = {argument.name for action in actions for argument in action.needs}
        taken = {argument for action in actions for argument in action.takes}
        found = {each.name: each.default for each in ARGUMENTS if each in taken}
        found["pane"] = self.shared.target
        own = {} if name is None else self.actions[name].defaults
        return {key: value for key, value in {**found, **own}.items() if key not in needed}

    def call(self, name: str, given: Mapping[str, object]) -> dict[str, object]:
        """Return what a model writes to have an action done: a tool's name stands elsewhere."""
        return {"action": name, **given} if self.noun == "action" else {**given}

    def example(self, name: str) -> str:
        """Return a call that is right."""
        given = self.actions[name].example
        return f"for example {json.dumps(self.call(name, given))}"


_SEND: Final = Action(
    "type a text exactly as it is, then press Enter",
    needs=(TEXT,),
    takes=(ENTER, PANE),
    example={"text": "ls -la"},
    types=True,
)
_KEYS: Final = Action(
    "press special keys by name, without Enter after them",
    needs=(KEYS,),
    takes=(PANE,),
    example={"keys": ["C-c"]},
    types=True,
)
_READ: Final = Action(
    "return the screen, and rows that scrolled off it, as plain text",
    needs=(),
    takes=(LINES, PANE),
    example={"lines": 200},
)
_WAIT_READY: Final = Action(
    "wait until the pane can take input, and return why it can, and the screen",
    needs=(),
    takes=(TIMEOUT, PROMPT_PATTERN, PANE),
    example={"timeout": 60},
    waits=True,
)
_RUN: Final = Action(
    "type a command at a shell's prompt, wait until it has ended, and return exactly what it "
    "printed",
    needs=(COMMAND,),
    takes=(TIMEOUT, PANE),
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
