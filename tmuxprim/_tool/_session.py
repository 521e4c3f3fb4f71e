"""`Session`: the panes that a model works in, and the plans that carry its calls out.

Whatever comes of a call is a reply. A pane is looked up by its name once; from then on the name
means that pane until it is gone, also if a person renames it or makes another one active.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import attrs

from tmuxprim._conversation import Conversation
from tmuxprim._errors import (
    InvalidPaneError,
    PaneNotFoundError,
    TmuxprimError,
    TmuxServerError,
)
from tmuxprim._pane import Pane
from tmuxprim._plan import AnyTerminal, Observe, Plan, Resolve
from tmuxprim._readiness._strategy import ReadinessStrategy
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._refusals import UNDELIVERED, check_session_name
from tmuxprim._tool._actions import ONE_TOOL, Toolset
from tmuxprim._tool._call import Call
from tmuxprim._tool._outcomes import GONE, WORDINGS, tell, tell_run
from tmuxprim._tool._parse import parse_call, parse_named
from tmuxprim._tool._read import MisuseError
from tmuxprim._tool._reply import (
    NOTHING,
    ToolResponse,
    awaits_secret,
    refusal,
    tell_keys,
    tell_text,
)
from tmuxprim._tool._words import cut, explain

_START: Final = 10.0  # seconds for a new shell to show its prompt
_MOST_PANES: Final = 20


@attrs.frozen
class _Open:
    """Open a pane with the user's shell."""

    name: str

    def perform(self, terminal: AnyTerminal) -> object:
        """Return the pane by its id."""
        return terminal.open(name=self.name)


@attrs.frozen
class _Panes:
    """List the panes."""

    def perform(self, terminal: AnyTerminal) -> object:
        """Return their ids."""
        return terminal.panes()


@attrs.define
class Session:
    """Remembers which pane a name means, and the conversation with each.

    Args:
        opens: Whether to open the shared pane when it is not there.
        strategy: Decides when a pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode before sending.
        toolset: What the model can ask for, and which pane is the shared one.
    """

    opens: bool
    strategy: ReadinessStrategy | None
    leave_mode: bool
    toolset: Toolset = ONE_TOOL
    _ids: dict[Pane, Pane] = attrs.field(factory=dict, init=False)
    _talks: dict[Pane, Conversation] = attrs.field(factory=dict, init=False)

    def parse(self, arguments: object) -> Call | ToolResponse:
        """Return the call, or what a model is told that got it wrong."""
        try:
            return parse_call(arguments, self.toolset)
        except MisuseError as error:
            return self._refuse(error)

    def parse_named(self, name: str, arguments: Mapping[str, object]) -> Call | ToolResponse:
        """Return the call of a tool that has a name of its own; else the same."""
        try:
            return parse_named(name, arguments, self.toolset)
        except MisuseError as error:
            return self._refuse(error)

    def _refuse(self, error: MisuseError) -> ToolResponse:
        is_secret = any(map(awaits_secret, self._talks.values()))
        return refusal(error.discreet if is_secret else error.message)

    def locate(self, named: Pane) -> Pane:
        """Return the pane that a name means by its id, once that is known."""
        return self._ids.get(named, named)

    def perform(self, call: Call) -> Plan[ToolResponse]:
        """Carry a call out, whatever comes of it."""
        try:
            return (yield from self._perform(call))
        except TmuxprimError as error:
            return ToolResponse(f"error: {explain(error)}", is_error=True)

    def _perform(self, call: Call) -> Plan[ToolResponse]:
        was_there = call.pane in self._ids
        try:
            if not was_there:
                self._ids[call.pane] = yield Resolve(call.pane)
            talk = self._talk(self._ids[call.pane])
            return ToolResponse((yield from self._act(call, talk)))
        except (PaneNotFoundError, TmuxServerError) as error:
            self._forget(call.pane)
            if isinstance(error.__cause__, UNDELIVERED):
                raise  # a part was sent, as the error says
        return (yield from self._without(call.pane, was_there=was_there))

    def _act(self, call: Call, talk: Conversation) -> Plan[str]:
        hides = awaits_secret(talk)
        match call.action:
            case "send":
                mark = yield from talk.send(call.text, enter=call.enter)
                return tell_text(call.text, mark, enter=call.enter, hides=hides)
            case "keys":
                mark = yield from talk.keys((call.keys,))
                return tell_keys(call.keys, mark, hides=hides)
            case "read":
                return cut((yield from talk.read(call.lines)))
            case "run":
                return (yield from self._run(call, talk))
            case _:
                readiness = yield from talk.wait_ready(call.timeout, call.prompt_pattern)
                if readiness.outcome is Outcome.EXITED:
                    self._forget(call.pane)
                return tell(readiness, call.timeout)

    def _run(self, call: Call, talk: Conversation) -> Plan[str]:
        before = talk.mark
        try:
            result = yield from talk.run(call.command, call.timeout)
        except (PaneNotFoundError, TmuxServerError):
            if talk.mark is before:
                raise  # nothing was typed
            self._forget(call.pane)
            return f"{WORDINGS[Outcome.EXITED].first_line()}: {GONE}"
        if result.readiness.outcome is Outcome.EXITED:
            self._forget(call.pane)
        return tell_run(result, call.timeout)

    def _talk(self, pane: Pane) -> Conversation:
        """Return the conversation with a pane, by whatever name it was asked for."""
        return self._talks.setdefault(pane, Conversation(pane, self.strategy, self.leave_mode))

    def _forget(self, named: Pane) -> None:
        self._talks.pop(self._ids.pop(named, named), None)

    def _without(self, named: Pane, *, was_there: bool) -> Plan[ToolResponse]:
        """Reply to a call for a pane that is not there.

        It was meant for what ran there, so it is not carried out in a shell that is new.
        """
        shared = self.toolset.shared
        is_opened = self.opens and named == shared and _is_session(shared)
        if is_opened and not was_there:
            return (yield from self._open())
        there = yield from self._panes_there()
        if was_there:
            advice = f"Your next call works in a new pane {shared.target!r}" if is_opened else ""
            gone = f"the pane {named.target!r} is gone: its program has ended, or it was closed"
            return refusal(f"{gone}. {there} {advice}".rstrip())
        advice = f"Without 'pane' you work in {shared.target!r}"
        if named == shared:
            by_user = f": tmux new-session -d -s {shared}" if _is_session(shared) else ""
            advice = f"The user can open it{by_user}"
        return refusal(f"there is no pane {named.target!r}. {there} {advice}")

    def _open(self) -> Plan[ToolResponse]:
        shared = self.toolset.shared
        pane: Pane = yield _Open(shared.target)
        self._ids[shared] = pane
        readiness = yield from self._talk(pane).wait_ready(_START)
        return ToolResponse(
            f"There was no pane {shared.target!r}, so it was opened, with a new shell. {NOTHING} "
            f"Look, and call again if that still makes sense.\n{tell(readiness, _START)}",
            is_error=True,
        )

    def _panes_there(self) -> Plan[str]:
        """Return the panes there are, each with the program that runs in it."""
        panes: tuple[Pane, ...] = yield _Panes()
        named = []
        for pane in panes[:_MOST_PANES]:
            with suppress(PaneNotFoundError, TmuxServerError):  # it has just gone
                screen = yield Observe(pane)
                named.append(f"{pane} ({screen.command})")
        end = ", ..." if len(panes) > _MOST_PANES else "."
        return f"The panes there are: {', '.join(named)}{end}" if named else "There are no panes."


def _is_session(pane: Pane) -> bool:
    """Whether a session can be opened by the name of a pane."""
    try:
        check_session_name(pane.target)
    except InvalidPaneError:
        return False
    return True
