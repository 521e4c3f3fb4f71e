"""The plans that carry out the calls of a model. Every result, even an error, is a reply."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import attrs

from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import Plan, resolve, take_or_open
from tmuxprim._tool.actions import GLANCE, ONE_TOOL, START, ToolCall, Toolset
from tmuxprim._tool.arguments import (
    CWD,
    PANE,
)
from tmuxprim._tool.limits import Limits
from tmuxprim._tool.misuse import MisuseError
from tmuxprim._tool.panes import NamedPanes, list_panes
from tmuxprim._tool.parse import parse_call, parse_named
from tmuxprim._tool.replies import (
    NOTHING,
    ToolResponse,
    awaits_secret,
    explain,
    refusal,
    tell,
    tell_panes,
)
from tmuxprim._values.checks import UNDELIVERED, check_session_name
from tmuxprim._values.pane import Pane, is_meant
from tmuxprim.errors import (
    InvalidPaneError,
    PaneNotFoundError,
    TmuxprimError,
)

_MOST_PANES: Final = 20


@attrs.frozen
class FoundPane:
    """The pane that a name means, and whether it has been opened for the call."""

    plans: ConsolePlans
    is_new: bool = False


@attrs.frozen
class ToolSession:
    """The actions that a model can call, and the panes that it works in.

    If *opens*, the shared pane of the toolset is opened when it is not there. *attach* is what a
    person types to join a pane, with ``{pane}`` for its id; empty if that is not known.
    """

    panes: NamedPanes
    opens: bool
    toolset: Toolset = ONE_TOOL
    attach: str = ""
    limits: Limits = attrs.field(factory=Limits)

    def parse(self, arguments: object) -> ToolCall | ToolResponse:
        """Return the call, or the reply to a wrong one."""
        try:
            return self.limits.check(parse_call(arguments, self.toolset), self.toolset)
        except MisuseError as error:
            return refusal(str(error))

    def parse_named(self, name: str, arguments: Mapping[str, object]) -> ToolCall | ToolResponse:
        """Return the call of a tool that has a name of its own; else the same."""
        try:
            return self.limits.check(parse_named(name, arguments, self.toolset), self.toolset)
        except MisuseError as error:
            return refusal(str(error))

    def find(self, call: ToolCall) -> Plan[FoundPane | ToolResponse]:
        """Look up which pane a call means, and open it if it may be; or list the panes.

        Only one at a time may do that.
        """
        try:
            if call.action == "panes":
                return tell_panes(self.limits.seen((yield from list_panes())))
            if call.action == "open":
                return (yield from self._find(call[PANE], opens=call))
            return (yield from self._check(call, (yield from self._find(call[PANE]))))
        except MisuseError as error:
            return refusal(str(error))
        except TmuxprimError as error:
            return _failure(error)

    def _find(self, named: Pane, opens: ToolCall | None = None) -> Plan[FoundPane | ToolResponse]:
        if opens is not None:  # whatever was there, what is there now is meant
            yield from self.panes.forget_gone(named)
        if (plans := self.panes.get(named)) is not None:
            return FoundPane(plans)
        yield from self.panes.forget_gone()
        if opens is not None or self._may_open(named):
            cwd = opens[CWD] if opens else None
            pane, is_new = yield from take_or_open(
                named, lambda terminal: terminal.open(name=named.target, cwd=cwd)
            )
        else:
            try:
                pane, is_new = (yield from resolve(named)), False
            except PaneNotFoundError:
                return (yield from self._without(named))
        return FoundPane(self.panes.name(named, pane), is_new)

    def _check(
        self, call: ToolCall, found: FoundPane | ToolResponse
    ) -> Plan[FoundPane | ToolResponse]:
        """Return the pane that was found, unless under another name it may only be looked at."""
        if self.limits.read_only and isinstance(found, FoundPane):
            pane = found.plans.state.named
            there = [info for info in (yield from list_panes()) if is_meant(pane, info)]
            self.limits.check(call, self.toolset, there)
        return found

    def perform(self, call: ToolCall, found: FoundPane) -> Plan[ToolResponse]:
        """Carry a call out in its pane, whatever comes of it; only one at a time may do that."""
        try:
            return (yield from self._perform(call, found))
        except TmuxprimError as error:
            return _failure(error)

    def _perform(self, call: ToolCall, found: FoundPane) -> Plan[ToolResponse]:
        action = self.toolset.actions[call.action]
        if action.do is None:
            return (yield from self._tell_opened(call, found))
        if found.is_new:
            return (yield from self._welcome(found.plans))
        try:
            reply, is_there = yield from action.do(call, found.plans, self.panes)
        except PaneNotFoundError as error:
            self.panes.forget(call[PANE], found.plans)
            if isinstance(error.__cause__, UNDELIVERED):
                raise  # a part was sent, as the error says
            return (yield from self._left(call[PANE]))
        if not is_there:
            self.panes.forget(call[PANE], found.plans)
        if action.waits and awaits_secret(found.plans):
            pane, (line, _, rest) = found.plans.state.named, reply.partition("\n")
            joined = self.attach.replace("{pane}", pane.target)
            where = f"after {joined}" if joined else f"in the pane {pane}"
            reply = f"{line}\n(a person types it {where}; ask_person waits for that)\n{rest}"
        return ToolResponse(reply)

    def _may_open(self, named: Pane) -> bool:
        is_free = named == self.toolset.shared and named.target not in self.limits.read_only
        return self.opens and is_free and _is_session(named)

    def _left(self, named: Pane) -> Plan[ToolResponse]:
        """Reply to a call for a pane that was there.

        It was meant for the program that ran there, so it is not carried out in a new shell.
        """
        there = yield from self._panes_there()
        opens = self._may_open(named)
        advice = f"Your next call works in a new pane {named.target!r}" if opens else ""
        with suppress(PaneNotFoundError):
            yield from resolve(named)
            advice = f"Your next call works in the pane that is {named.target!r} now"
        gone = f"the pane {named.target!r} is gone: its program has ended, or it was closed"
        return refusal(f"{gone}. {there} {advice}".rstrip())

    def _without(self, named: Pane) -> Plan[ToolResponse]:
        """Reply to a call for a pane that is not there."""
        shared = self.toolset.shared
        there = yield from self._panes_there()
        advice = f"Without 'pane' you work in {shared.target!r}"
        if named == shared:
            by_user = f": tmux new-session -d -s {shared}" if _is_session(shared) else ""
            advice = f"The user can open it{by_user}"
        why = f"there is no pane {named.target!r}. {there} {advice}"
        return refusal(why)

    def _welcome(self, plans: ConsolePlans) -> Plan[ToolResponse]:
        shared = self.toolset.shared
        readiness = yield from plans.wait_ready(START)
        return ToolResponse(
            f"There was no pane {shared.target!r}, so it was opened, with a new shell. {NOTHING} "
            f"Look, and call again if that still makes sense.\n{tell(readiness, START)}",
            is_error=True,
        )

    def _tell_opened(self, call: ToolCall, found: FoundPane) -> Plan[ToolResponse]:
        name, pane = call[PANE].target, found.plans.state.named
        patience = START if found.is_new else GLANCE
        readiness = yield from found.plans.wait_ready(patience)
        head = f"There is a pane {name!r} ({pane}) already; it was left as it is."
        if found.is_new:
            head = f"Opened the pane {name!r} ({pane}), with a new shell."
        return ToolResponse(f"{head}\n{tell(readiness, patience)}")

    def _panes_there(self) -> Plan[str]:
        """Return the existing panes, each with its name and the program that runs in it."""
        panes = self.limits.seen((yield from list_panes()))
        named = [f"{pane} ({pane.name}, {pane.command})" for pane in panes[:_MOST_PANES]]
        end = ", ..." if len(panes) > _MOST_PANES else "."
        return (
            f"The existing panes are: {', '.join(named)}{end}" if named else "There are no panes."
        )


def to_join(terminal: object, attach: str | None) -> str:
    """Return the command that joins a pane, with ``{pane}`` for its id; empty if unknown."""
    command = getattr(terminal, "attach_command", "")  # of tmux alone
    return attach if attach is not None else f"{command} -t {{pane}}" * bool(command)


def _failure(error: TmuxprimError) -> ToolResponse:
    return ToolResponse(f"error: {explain(error)}", is_error=True)


def _is_session(pane: Pane) -> bool:
    """Whether a session can be opened by the name of a pane."""
    try:
        check_session_name(pane.target)
    except InvalidPaneError:
        return False
    return True
