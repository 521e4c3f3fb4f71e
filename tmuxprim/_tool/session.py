"""`Session`: the panes that a model works in, and the plans that carry its calls out.

Whatever comes of a call is a reply. A pane is looked up by its name once; from then on the name
means that pane until it is gone, also if a person renames it or makes another one active.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import attrs

from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import AnyTerminal, Plan, resolve, take_or_open
from tmuxprim._engine.prompts import Prompts
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.look import Outcome
from tmuxprim._tool.actions import ONE_TOOL, Call, Toolset
from tmuxprim._tool.arguments import (
    COMMAND,
    CWD,
    ENTER,
    KEYS,
    LINES,
    ONLY_NEW,
    PANE,
    PROMPT_PATTERN,
    STATUS,
    TEXT,
    TIMEOUT,
)
from tmuxprim._tool.misuse import MisuseError
from tmuxprim._tool.parse import parse_call, parse_named
from tmuxprim._tool.replies import (
    GONE,
    NOTHING,
    WORDINGS,
    ToolResponse,
    awaits_secret,
    cut,
    explain,
    refusal,
    tell,
    tell_found,
    tell_keys,
    tell_panes,
    tell_read,
    tell_run,
    tell_text,
)
from tmuxprim._values.checks import UNDELIVERED, check_session_name
from tmuxprim._values.evidence import Mark
from tmuxprim._values.pane import Pane, PaneInfo, is_meant
from tmuxprim.errors import (
    InvalidPaneError,
    PaneNotFoundError,
    TmuxprimError,
    TmuxServerError,
)

_START: Final = 10.0  # seconds for a new shell to show its prompt
_GLANCE: Final = 1.0  # seconds to find out what a pane that is there already does
_MOST_PANES: Final = 20
_MOST_GONE: Final = 100
_UNTOLD: Final = (
    "the call is wrong, and is not repeated here, since a program asks for a secret and the call "
    "may hold it; answer {}"
)


@attrs.frozen
class _Panes:
    """List the panes."""

    def perform(self, terminal: AnyTerminal) -> object:
        """Return them, each with what is known of it."""
        return terminal.panes()


@attrs.frozen
class Found:
    """The pane that a name means.

    Args:
        talk: The conversation with the pane, which knows it by its id.
        is_new: Whether it has been opened for the call.
    """

    talk: ConsolePlans
    is_new: bool = False


@attrs.define
class Session:
    """The panes that a model works in: by which names, and the conversation with each.

    Args:
        opens: Whether to open the shared pane when it is not there.
        strategy: Decides when a pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode before sending.
        toolset: What the model can ask for, and which pane is the shared one.
        prompt_rows: How many rows the prompt has that is found first in a pane, if that is known.
    """

    opens: bool
    strategy: ReadinessStrategy | None
    leave_mode: bool
    toolset: Toolset = ONE_TOOL
    prompt_rows: int | None = None
    _talks: dict[Pane, ConsolePlans] = attrs.field(factory=dict, init=False)
    _seen: dict[ConsolePlans, Mark] = attrs.field(factory=dict, init=False)
    """What each pane was like at the last read."""

    def __attrs_post_init__(self) -> None:
        Prompts(self.prompt_rows)  # refuses what is no number of rows

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
        """Return the reply to a wrong call; nothing of it is told that may be a secret."""
        talks = tuple(self._talks.values())  # another thread may add one meanwhile
        if any(map(awaits_secret, talks)):
            return refusal(_UNTOLD.format(self.toolset.example("send")))
        return refusal(str(error))

    def find(self, call: Call) -> Plan[Found | ToolResponse]:
        """Look up which pane a call means, and open it if it may be; or list the panes.

        Only one at a time may do that.
        """
        try:
            if call.action == "panes":
                return tell_panes((yield _Panes()))
            if call.action == "open":
                return (yield from self._find(call[PANE], opens=call))
            return (yield from self._find(call[PANE]))
        except TmuxprimError as error:
            return _failure(error)

    def _find(self, named: Pane, opens: Call | None = None) -> Plan[Found | ToolResponse]:
        if opens is not None:  # whatever was there, what is there now is meant
            yield from self._forget_gone(named)
        known = self._talks.get(named)  # once: a call that ends meanwhile may forget it
        if known is not None:
            return Found(known)
        yield from self._forget_gone()
        if opens is not None or self._may_open(named):
            cwd = opens[CWD] if opens else None
            pane, is_new = yield from take_or_open(
                named, lambda terminal: terminal.open(name=named.target, cwd=cwd)
            )
        else:
            try:
                pane, is_new = (yield from resolve(named)), False
            except (PaneNotFoundError, TmuxServerError):
                return (yield from self._without(named))
        self._talks[named] = talk = self._talk(pane)
        return Found(talk, is_new)

    def perform(self, call: Call, found: Found) -> Plan[ToolResponse]:
        """Carry a call out in its pane, whatever comes of it; only one at a time may do that."""
        try:
            if call.action == "open":
                return (yield from self._tell_opened(call, found))
            if found.is_new:
                return (yield from self._welcome(found.talk))
            return (yield from self._perform(call, found))
        except TmuxprimError as error:
            return _failure(error)

    def _perform(self, call: Call, found: Found) -> Plan[ToolResponse]:
        try:
            reply, is_there = yield from self._act(call, found.talk)
        except (PaneNotFoundError, TmuxServerError) as error:
            self._forget(call[PANE], found.talk)
            if isinstance(error.__cause__, UNDELIVERED):
                raise  # a part was sent, as the error says
            return (yield from self._left(call[PANE]))
        if not is_there:
            self._forget(call[PANE], found.talk)
        return ToolResponse(reply)

    def _act(self, call: Call, talk: ConsolePlans) -> Plan[tuple[str, bool]]:
        """Return the reply, and whether the pane is still there."""
        hides = awaits_secret(talk)
        match call.action:
            case "send":
                yield from talk.refuse_half_line()
                mark = yield from talk.send(call[TEXT], enter=call[ENTER])
                return tell_text(call[TEXT], mark, enter=call[ENTER], hides=hides), True
            case "keys":
                mark = yield from talk.keys((call[KEYS],))
                return tell_keys(call[KEYS], mark, hides=hides), True
            case "read":
                return (yield from self._read(call, talk)), True
            case "run":
                return (yield from self._run(call, talk))
            case "wait_for":
                readiness = yield from talk.wait_for(call[TEXT], call[TIMEOUT], None)
                told = tell_found(call[TEXT], readiness, call[TIMEOUT])
                return told, readiness.outcome is not Outcome.EXITED
            case _:
                readiness = yield from talk.wait_ready(call[TIMEOUT], call[PROMPT_PATTERN])
                return tell(readiness, call[TIMEOUT]), readiness.outcome is not Outcome.EXITED

    def _read(self, call: Call, talk: ConsolePlans) -> Plan[str]:
        if "only_new" not in call.given:
            return cut((yield from talk.read(call[LINES])))
        before = self._seen.get(talk)
        self._seen[talk] = mark = yield from talk.take_mark()
        new = None if before is None else (yield from talk.read_since(before))
        text = new if call[ONLY_NEW] and new is not None else (yield from talk.read(call[LINES]))
        return tell_read(text, mark, new)

    def _run(self, call: Call, talk: ConsolePlans) -> Plan[tuple[str, bool]]:
        before = talk.state.mark
        try:
            result = yield from talk.run(call[COMMAND], call[TIMEOUT], status=call[STATUS])
        except (PaneNotFoundError, TmuxServerError):
            if talk.state.mark is before:
                raise  # nothing was typed
            return f"{WORDINGS[Outcome.EXITED].first_line()}: {GONE}", False
        return tell_run(result, call[TIMEOUT]), result.readiness.outcome is not Outcome.EXITED

    def _talk(self, pane: Pane) -> ConsolePlans:
        """Return the conversation with a pane, by whatever name it was asked for."""
        talks = tuple(self._talks.values())  # other threads may forget some meanwhile
        known = (talk for talk in talks if is_meant(talk.state.named, pane))
        prompts = Prompts(self.prompt_rows)
        new = ConsoleState(pane, self.strategy, self.leave_mode, prompts)
        return next(known, ConsolePlans(new))

    def _forget_gone(self, asked: Pane | None = None) -> Plan[None]:
        """Forget panes that are gone: the one that is asked for, and of others all but the last.

        A call that is meant for one of those is told so, and not carried out in another pane that
        has the name by now.
        """
        panes: tuple[PaneInfo, ...] = yield _Panes()
        servers = {pane.target: pane.server for pane in panes}
        gone = [
            (named, talk)
            for named, talk in self._talks.copy().items()  # as above
            if servers.get(talk.state.named.target) != talk.state.named.server
        ]
        old = gone[:-_MOST_GONE]
        for named, talk in gone:
            if named == asked or (named, talk) in old:
                self._forget(named, talk)

    def _forget(self, named: Pane, gone: ConsolePlans) -> None:
        """Forget a pane that is gone, but not the one that has been opened in its place since."""
        if self._talks.get(named) is gone:
            self._talks.pop(named, None)
            self._seen.pop(gone, None)

    def _may_open(self, named: Pane) -> bool:
        return self.opens and named == self.toolset.shared and _is_session(named)

    def _left(self, named: Pane) -> Plan[ToolResponse]:
        """Reply to a call for a pane that was there.

        It was meant for what ran there, so it is not carried out in a shell that is new.
        """
        there = yield from self._panes_there()
        opens = self._may_open(named)
        advice = f"Your next call works in a new pane {named.target!r}" if opens else ""
        with suppress(PaneNotFoundError, TmuxServerError):
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
        return self._refuse(MisuseError(why))

    def _welcome(self, talk: ConsolePlans) -> Plan[ToolResponse]:
        shared = self.toolset.shared
        readiness = yield from talk.wait_ready(_START)
        return ToolResponse(
            f"There was no pane {shared.target!r}, so it was opened, with a new shell. {NOTHING} "
            f"Look, and call again if that still makes sense.\n{tell(readiness, _START)}",
            is_error=True,
        )

    def _tell_opened(self, call: Call, found: Found) -> Plan[ToolResponse]:
        name, pane = call[PANE].target, found.talk.state.named
        patience = _START if found.is_new else _GLANCE
        readiness = yield from found.talk.wait_ready(patience)
        head = f"There is a pane {name!r} ({pane}) already; it was left as it is."
        if found.is_new:
            head = f"Opened the pane {name!r} ({pane}), with a new shell."
        return ToolResponse(f"{head}\n{tell(readiness, patience)}")

    def _panes_there(self) -> Plan[str]:
        """Return the panes there are, each with its name and the program that runs in it."""
        panes: tuple[PaneInfo, ...] = yield _Panes()
        named = [f"{pane} ({pane.name}, {pane.command})" for pane in panes[:_MOST_PANES]]
        end = ", ..." if len(panes) > _MOST_PANES else "."
        return f"The panes there are: {', '.join(named)}{end}" if named else "There are no panes."


def _failure(error: TmuxprimError) -> ToolResponse:
    return ToolResponse(f"error: {explain(error)}", is_error=True)


def _is_session(pane: Pane) -> bool:
    """Whether a session can be opened by the name of a pane."""
    try:
        check_session_name(pane.target)
    except InvalidPaneError:
        return False
    return True
