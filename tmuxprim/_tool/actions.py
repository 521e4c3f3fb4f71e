"""What the tool can be asked for, and one call of it."""

import json
from collections.abc import Mapping
from typing import Final, TypeVar

import attrs

from tmuxprim._tool.arguments import (
    ALL_OUTPUT,
    ARGUMENTS,
    COMMAND,
    CWD,
    ENTER,
    KEYS,
    LINES,
    ONLY_NEW,
    PANE,
    PROMPT_PATTERN,
    QUIET,
    STATUS,
    TEXT,
    TIMEOUT,
    UNTIL_GONE,
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
        looks: Whether it changes nothing.
        defaults: Defaults that are not those of the table.
        says: Descriptions of arguments that are not those of the table.
        more: What else a model has to know that sees this tool alone.
    """

    does: str
    needs: tuple[Argument[object], ...]
    takes: tuple[Argument[object], ...]
    example: Mapping[str, object]
    types: bool = False
    waits: bool = False
    looks: bool = False
    defaults: Mapping[str, object] = attrs.field(factory=dict)
    says: Mapping[str, str] = attrs.field(factory=dict)
    more: str = ""

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

    def other_defaults(self, argument: str) -> str:
        """Return which actions have another default than that of the table, in words."""
        actions: dict[object, list[str]] = {}
        for name, action in self.actions.items():
            if argument in action.defaults:
                actions.setdefault(action.defaults[argument], []).append(name)
        return "".join(f"; {value} for {', '.join(names)}" for value, names in actions.items())

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
    more="It is for whatever is not a plain shell command (that is for run): answers to questions, "
    "REPLs, AI assistants. To use an assistant, send 'claude', 'codex' or 'opencode', then "
    "wait_ready, send your question, and call wait_ready with timeout 120 for its answer. A menu, "
    "such as a question for permission, takes no text: choose with keys. Leave it with '/exit' "
    "(claude), '/quit' (codex), or the keys C-p, the text 'exit' and Enter (opencode).",
)
_KEYS: Final = Action(
    "press special keys by name, without Enter after them",
    needs=(KEYS,),
    takes=(PANE,),
    example={"keys": ["C-c"]},
    types=True,
    more="C-c interrupts a command, C-d ends the input of a REPL, q leaves a pager, Escape "
    "interrupts an AI assistant while it answers, Up, Down and Enter choose in a menu.",
)
_READ: Final = Action(
    "return the screen, and rows that scrolled off it, as plain text",
    needs=(),
    takes=(LINES, PANE),
    example={"lines": 200},
    looks=True,
)
_WAIT_READY: Final = Action(
    "wait until the pane can take input, and return why it can, and the screen",
    needs=(),
    takes=(TIMEOUT, PROMPT_PATTERN, PANE),
    example={"timeout": 60},
    waits=True,
    looks=True,
    more="The first line says why: 'ready (...)', 'waiting for input' (a question: answer it with "
    "send, a menu with keys), 'waiting for a secret' (a password: ask the user), 'exited', or that "
    "the time is up, which is no failure: call it again, or press C-c. Call it after each send and "
    "keys; never "
    "sleep. Give timeout 120 for builds, installations and AI assistants (claude, codex, "
    "opencode): it returns as soon as the pane is ready, so a long timeout costs nothing.",
)
_RUN: Final = Action(
    "type a command at a shell's prompt, wait until it has ended, and return exactly what it "
    "printed",
    needs=(COMMAND,),
    takes=(STATUS, ALL_OUTPUT, TIMEOUT, QUIET, PANE),
    example={"command": "make test", "timeout": 120},
    types=True,
    waits=True,
    defaults={"timeout": 30},
    more="The first line is 'done' if the command has ended and all of its output is below. If the "
    "time is up, call resume or interrupt; if the command waits for input, answer with send or "
    "keys, and call wait_ready. Give timeout 120 for builds and installations. It is not for "
    "programs that stay, such as editors, servers and AI assistants: start those with send.",
)
_RESUME: Final = Action(
    "wait on for the command of the last run, which has not ended, and return all of its output",
    needs=(),
    takes=(TIMEOUT, QUIET, PANE),
    example={"timeout": 120},
    waits=True,
    defaults={"timeout": 30},
    more="Call it when run or resume says that the time is up. The reply is as of run.",
)
_INTERRUPT: Final = Action(
    "press C-c to stop the command that runs, and wait until the pane can take input",
    needs=(),
    takes=(TIMEOUT, PANE),
    example={},
    types=True,
    waits=True,
    more="It may be called while another call waits for that command. Most AI assistants want "
    "Escape instead, with keys.",
)
_READ_MORE: Final = attrs.evolve(
    _READ,
    takes=(LINES, ONLY_NEW, PANE),
    more="The first line tells the program in the foreground, the cursor, and how many lines are "
    "new since your last read of this pane. To wait for something, call wait_ready or wait_for "
    "and do not read again and again.",
)
_WAIT_FOR: Final = Action(
    "wait until a text appears, or is gone, and return the screen",
    needs=(TEXT,),
    takes=(UNTIL_GONE, TIMEOUT, PANE),
    example={"text": "Listening on", "timeout": 60},
    waits=True,
    looks=True,
    defaults={"timeout": 30},
    says={
        "text": "What to wait for: a text as it will be printed, no regular expression. It counts "
        "if it was printed after what you sent last.",
    },
    more="It is for programs that never become ready, such as a server that logs 'Listening on'. "
    "For commands, REPLs and AI assistants call wait_ready.",
)
_OPEN: Final = Action(
    "open a pane with a new shell, or use the one that has this name already",
    needs=(PANE,),
    takes=(CWD,),
    example={"pane": "build"},
    waits=True,
    says={"pane": "Its name: letters, digits, _ and -. Give this name to the other tools."},
    more="Open a second pane for what runs while you work in the first, such as a server. You need "
    "not open the pane that is used when you name none.",
)
_PANES: Final = Action(
    "list the panes: id, name, size, program and title of each",
    needs=(),
    takes=(),
    example={},
    looks=True,
)

# One tool, whose argument `action` says what to do.
ONE_TOOL: Final = Toolset(
    {
        "send": _SEND,
        "keys": _KEYS,
        "read": _READ,
        "wait_ready": _WAIT_READY,
        "wait_for": _WAIT_FOR,
        "run": _RUN,
        "resume": _RESUME,
        "interrupt": _INTERRUPT,
    },
)
# A tool for each action, as MCP has them, with more of them.
MANY_TOOLS: Final = Toolset(
    {**ONE_TOOL.actions, "read": _READ_MORE, "open": _OPEN, "panes": _PANES}, noun="tool"
)
