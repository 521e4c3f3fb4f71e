"""The states of several panes: each by one look, or by two if something may be changing."""

from collections.abc import Iterable

import attrs

from tmuxprim._engine.plan import Plan, ask, pause, resolve
from tmuxprim._engine.raw_output import RawOutput
from tmuxprim._engine.wait import LastChanges, wait_until_ready
from tmuxprim._readiness.chain import Chain, ReadinessStrategy
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.pane_state import STILL_SECONDS, FoundState, PaneState, StateStrategy, gone
from tmuxprim._readiness.snapshot import Outcome
from tmuxprim._values.evidence import Mark
from tmuxprim._values.pane import Pane, to_pane
from tmuxprim.errors import PaneNotFoundError, TmuxTimeoutError

# The pause before the second look. It is a little longer, since sums of floats are rounded.
_PAUSE = STILL_SECONDS + 0.001


@attrs.frozen(eq=False)
class Subject:
    """One pane whose state is asked for, and what is remembered of it.

    Args:
        pane: The pane, by its id.
        strategy: Decides what it does; None is the default chain.
        mark: The mark of the last send, if this console has sent anything.
        last_changes: The times of the last changes.
        raw_output: The raw output, as far as that is taken.
    """

    pane: Pane
    strategy: ReadinessStrategy | None = None
    mark: Mark | None = None
    last_changes: LastChanges = attrs.field(factory=LastChanges)
    raw_output: RawOutput = attrs.field(factory=RawOutput)


def states_of(subjects: Iterable[Subject]) -> Plan[tuple[PaneState, ...]]:
    """Return the state of each pane; there is one pause for all, before the second looks."""
    found: list[tuple[Subject, FoundState]] = []
    for subject in subjects:
        found.append((subject, (yield from _look(subject, is_last=False))))  # noqa: PERF401  # a plan's steps
    if not all(first.is_settled for _, first in found):
        yield from pause(_PAUSE)
    states: list[PaneState] = []
    for subject, first in found:
        last = first if first.is_settled else (yield from _look(subject, is_last=True))
        states.append(last.state)
    return tuple(states)


def states_in(
    panes: Iterable[Pane | str] | None, strategy: ReadinessStrategy | None
) -> Plan[tuple[PaneState, ...]]:
    """Return the states of panes that are given by their names, or of all panes of a terminal."""
    ids: list[Pane] = []
    if panes is None:
        ids.extend((yield from ask("panes", lambda terminal: terminal.panes())))
    else:
        for pane in panes:
            ids.append((yield from resolve(to_pane(pane))))  # noqa: PERF401  # a plan's steps
    subjects = [Subject(Pane(pane.target, server=pane.server), strategy) for pane in ids]
    return (yield from states_of(subjects))


def _look(subject: Subject, *, is_last: bool) -> Plan[FoundState]:
    """Find the state of one pane, by a wait whose strategy ends it at the first snapshot."""
    pane, strategy = subject.pane, subject.strategy or default_chain()
    chain = strategy if isinstance(strategy, Chain) else Chain((strategy,))
    try:
        readiness = yield from wait_until_ready(
            pane,
            StateStrategy(pane, chain, is_last),
            timeout=0.0,
            mark=subject.mark,
            last_changes=subject.last_changes,
            raw_output=subject.raw_output,
        )
    except PaneNotFoundError as error:
        return gone(pane, str(error))
    match readiness.verdicts:
        case ((_, FoundState() as found),):
            return found
        case _ if readiness.outcome is Outcome.TIMEOUT:
            raise TmuxTimeoutError(readiness.reason)
        case _:
            return gone(pane, readiness.reason)
