"""The actions of the tool: their arguments, one call, and how each is carried out in a pane."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias, TypeVar

import attrs

from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.output import CommandResult
from tmuxprim._engine.plan import Plan
from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim._tool.arguments import (
    ALL_OUTPUT,
    ARGUMENTS,
    COMMAND,
    CWD,
    ENTER,
    EXIT_STATUS,
    IDLE_TIMEOUT,
    KEYS,
    LINES,
    ONLY,
    ONLY_NEW,
    PANE,
    PROMPT_PATTERN,
    TEXT,
    TIMEOUT,
    UNTIL_GONE,
    Argument,
)
from tmuxprim._tool.panes import NamedPanes
from tmuxprim._tool.replies import (
    GONE,
    WORDINGS,
    awaits_secret,
    tell,
    tell_found,
    tell_keys,
    tell_read,
    tell_receipt,
    tell_run,
    tell_screen,
    tell_text,
)
from tmuxprim._values.pane import Pane
from tmuxprim.errors import PaneNotFoundError

T = TypeVar("T")

SHARED: Final = Pane("shared")


@attrs.frozen
class ToolCall:
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


Reply: TypeAlias = tuple[str, bool]
"""The reply to a model, and whether the pane still exists."""
Handler: TypeAlias = Callable[[ToolCall, ConsolePlans, NamedPanes], Plan[Reply]]


@attrs.frozen
class Action:
    """Something that a tool can do.

    Args:
        does: What that is, in words for a model.
        needs: Arguments that have to be given.
        takes: Arguments that have a default.
        example: The arguments of a call that is right.
        do: Carries it out in a pane; None of what is not about a pane that is there.
        types: Whether it types anything.
        waits: Whether it waits until the pane is ready.
        looks: Whether it changes nothing.
        interrupts: Whether it waits for no call before it: that is what it is to end.
        needs_some: Whether what has to be given must not be empty.
        defaults: Defaults that are not those of the table.
        says: Descriptions of arguments that are not those of the table.
        more: What else a model has to know that sees this tool alone.
    """

    does: str
    needs: tuple[Argument[object], ...]
    takes: tuple[Argument[object], ...]
    example: Mapping[str, object]
    do: Handler | None = None
    types: bool = False
    waits: bool = False
    looks: bool = False
    interrupts: bool = False
    needs_some: bool = False
    defaults: Mapping[str, object] = attrs.field(factory=dict)
    says: Mapping[str, str] = attrs.field(factory=dict)
    more: str = ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of all arguments."""
        return tuple(argument.name for argument in self.needs + self.takes)


@attrs.frozen
class Toolset:
    """The form of the actions for a model: one tool with actions, or one tool for each.

    Args:
        actions: The actions that it can call, by name.
        shared: The pane for calls that name none.
        noun: The word for an action in messages: a ``"tool"`` is named by the protocol, an
            ``"action"`` by an argument.
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

    @property
    def defaults(self) -> dict[str, object]:
        """The defaults of all arguments; one that some action needs has none."""
        return self._defaults_for(self.actions.values())

    def defaults_of(self, name: str) -> dict[str, object]:
        """Return the defaults of an action, some of which are its own."""
        action = self.actions[name]
        return {**self._defaults_for((action,)), **action.defaults}

    def _defaults_for(self, actions: Iterable[Action]) -> dict[str, object]:
        actions = tuple(actions)
        needed = {argument.name for action in actions for argument in action.needs}
        taken = {argument for action in actions for argument in action.takes}
        found = {each.name: each.default for each in ARGUMENTS if each in taken}
        found["pane"] = self.shared.target
        return {name: default for name, default in found.items() if name not in needed}

    def call(self, name: str, given: Mapping[str, object]) -> dict[str, object]:
        """Return the arguments that a model writes for an action; the name of a tool is none."""
        return {"action": name, **given} if self.noun == "action" else {**given}

    def example(self, name: str) -> str:
        """Return a call that is right."""
        given = self.actions[name].example
        return f"for example {json.dumps(self.call(name, given))}"


START: Final = 10.0  # seconds for a new shell to show its prompt
GLANCE: Final = 1.0  # seconds to find out what a pane that is there already does
_ASKED: Final = (Outcome.AWAITING_SECRET, Outcome.AWAITING_INPUT, Outcome.CONTINUATION)
_NOT_ASKED: Final = "that pane asks nothing now, so no wait was needed"


def _send(call: ToolCall, plans: ConsolePlans, _: NamedPanes) -> Plan[Reply]:
    hides = awaits_secret(plans)
    text, enter = call[TEXT], call[ENTER]
    yield from plans.check_before_typing(submits=enter and bool(text))
    if not (enter and text):
        mark = yield from plans.send(text, enter=enter, only=call[ONLY])
        return tell_text(text, mark, enter=enter, hides=hides), True
    submitted = yield from plans.submit(text, call[ONLY])
    told = tell_text(text, submitted.mark, enter=True, hides=hides)
    return f"{told}{tell_receipt(submitted)}", True


def _press(call: ToolCall, plans: ConsolePlans, _: NamedPanes) -> Plan[Reply]:
    hides = awaits_secret(plans)
    mark = yield from plans.keys((call[KEYS],))
    return tell_keys(call[KEYS], mark, hides=hides), True


def _read(call: ToolCall, plans: ConsolePlans, panes: NamedPanes) -> Plan[Reply]:
    mark = yield from plans.take_mark()
    if "only_new" not in call.given:
        return tell_screen((yield from plans.read(call[LINES])), mark.screen), True
    before = panes.seen.get(plans)
    panes.seen[plans] = mark
    new = None if before is None else (yield from plans.read_since(before))
    text = new if call[ONLY_NEW] and new is not None else (yield from plans.read(call[LINES]))
    return tell_read(text, mark, new), True


def _wait(call: ToolCall, plans: ConsolePlans, _: NamedPanes) -> Plan[Reply]:
    readiness = yield from plans.wait_ready(call[TIMEOUT], call[PROMPT_PATTERN])
    return _waited(call, readiness)


def _interrupt(call: ToolCall, plans: ConsolePlans, _: NamedPanes) -> Plan[Reply]:
    return _waited(call, (yield from plans.interrupt(call[TIMEOUT])))


def _ask_person(call: ToolCall, plans: ConsolePlans, _: NamedPanes) -> Plan[Reply]:
    readiness = yield from plans.wait_ready(GLANCE)
    if readiness.outcome in _ASKED:
        return _waited(call, (yield from plans.wait_answered(readiness, call[TIMEOUT])))
    told = f"{_NOT_ASKED}\n{tell(readiness, GLANCE)}"
    return told, readiness.outcome is not Outcome.EXITED


def _waited(call: ToolCall, readiness: Readiness) -> Reply:
    told = tell(readiness, call[TIMEOUT], call.action)
    return told, readiness.outcome is not Outcome.EXITED


def _wait_for(call: ToolCall, plans: ConsolePlans, _: NamedPanes) -> Plan[Reply]:
    gone = call[UNTIL_GONE]
    readiness = yield from plans.wait_for(call[TEXT], call[TIMEOUT], None, gone=gone)
    told = tell_found(call[TEXT], readiness, call[TIMEOUT], gone=gone)
    return told, readiness.outcome is not Outcome.EXITED


def _run(call: ToolCall, plans: ConsolePlans, _: NamedPanes) -> Plan[Reply]:
    running = plans.run(
        call[COMMAND],
        call[TIMEOUT],
        exit_status=call[EXIT_STATUS],
        idle_timeout=call[IDLE_TIMEOUT],
        all_output=call[ALL_OUTPUT],
    )
    return (yield from _until_it_ends(call, plans, running))


def _resume(call: ToolCall, plans: ConsolePlans, _: NamedPanes) -> Plan[Reply]:
    running = plans.resume(call[TIMEOUT], call[IDLE_TIMEOUT])
    return (yield from _until_it_ends(call, plans, running))


def _until_it_ends(
    call: ToolCall, plans: ConsolePlans, running: Plan[CommandResult]
) -> Plan[Reply]:
    before = plans.state.mark
    try:
        result = yield from running
    except PaneNotFoundError:
        if plans.state.mark is before:
            raise  # nothing was typed
        return f"{WORDINGS[Outcome.EXITED].first_line()}: {GONE}", False
    told = tell_run(result, call[TIMEOUT], call.action)
    return told, result.readiness.outcome is not Outcome.EXITED


_SEND: Final = Action(
    "type a text exactly as it is, then press Enter",
    needs=(TEXT,),
    takes=(ENTER, ONLY, PANE),
    example={"text": "ls -la"},
    do=_send,
    types=True,
    more="For REPLs, questions and AI assistants; for a shell command, run. A menu takes no text: "
    "choose with keys.",
)
_KEYS: Final = Action(
    "press keys by name",
    needs=(KEYS,),
    takes=(PANE,),
    example={"keys": ["C-c"]},
    do=_press,
    needs_some=True,
    types=True,
)
_READ: Final = Action(
    "return the screen, and rows that scrolled off it",
    needs=(),
    takes=(LINES, PANE),
    example={"lines": 200},
    do=_read,
    looks=True,
)
_WAIT_READY: Final = Action(
    "wait until the pane takes input; return why, and the screen",
    needs=(),
    takes=(TIMEOUT, PROMPT_PATTERN, PANE),
    example={"timeout": 60},
    do=_wait,
    waits=True,
    looks=True,
    more="Timeout 120 for AI assistants and builds.",
)
_RUN: Final = Action(
    "run a shell command to its end; return its exact output",
    needs=(COMMAND,),
    takes=(EXIT_STATUS, ALL_OUTPUT, TIMEOUT, IDLE_TIMEOUT, PANE),
    example={"command": "make test", "timeout": 120},
    do=_run,
    types=True,
    waits=True,
    defaults={"timeout": 30},
    more="Start programs that stay, such as editors, servers and AI assistants, with send.",
)
_RESUME: Final = Action(
    "wait on for the last run, whose time was up; return all of its output",
    needs=(),
    takes=(TIMEOUT, IDLE_TIMEOUT, PANE),
    example={"timeout": 120},
    do=_resume,
    waits=True,
    defaults={"timeout": 30},
)
_INTERRUPT: Final = Action(
    "stop what runs (C-c; Escape for AI assistants), and wait until the pane takes input",
    needs=(),
    takes=(TIMEOUT, PANE),
    example={},
    do=_interrupt,
    interrupts=True,
    types=True,
    waits=True,
    more="Also while another call waits.",
)
_ASK_PERSON: Final = Action(
    "wait until a person has answered the question in the pane",
    needs=(),
    takes=(TIMEOUT, PANE),
    example={"timeout": 600},
    do=_ask_person,
    waits=True,
    looks=True,
    defaults={"timeout": 600},
    more="Tell the user first.",
)
_READ_MORE: Final = attrs.evolve(
    _READ,
    takes=(LINES, ONLY_NEW, PANE),
    more="Its first line says how much is new since your last read.",
)
_WAIT_FOR: Final = Action(
    "wait until a text is printed, or is gone; return the screen",
    needs=(TEXT,),
    takes=(UNTIL_GONE, TIMEOUT, PANE),
    example={"text": "Listening on", "timeout": 60},
    do=_wait_for,
    needs_some=True,
    waits=True,
    looks=True,
    defaults={"timeout": 30},
    says={"text": "The text to wait for, literally; newer than your input."},
)
_OPEN: Final = Action(
    "open a pane with a new shell, or use the one of that name",
    needs=(PANE,),
    takes=(CWD,),
    example={"pane": "build"},
    waits=True,
    says={"pane": "Its name: letters, digits, _ and -."},
)
_PANES: Final = Action(
    "list the panes: id, name, size, program, title",
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
        "ask_person": _ASK_PERSON,
    },
)
# A tool for each action, as MCP has them, with more of them.
MANY_TOOLS: Final = Toolset(
    {**ONE_TOOL.actions, "read": _READ_MORE, "open": _OPEN, "panes": _PANES}, noun="tool"
)
