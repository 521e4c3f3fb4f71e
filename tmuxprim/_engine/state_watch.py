"""`StateWatcher`: the changes of many panes' states, in one loop, at little cost.

Each pane has a `WaitState`, as in a wait, and a time at which it is *due*. The loop looks at the
panes that are due, the ones that write first, and sleeps until the next is due or one writes. Most
of the rules here keep the cost down: a thousand panes are to take a small part of one processor.
"""

import math
from typing import TYPE_CHECKING, Final, TypeAlias

import attrs

from tmuxprim._engine.plan import Deadline, Plan, ask, clock_time, pause, resolve
from tmuxprim._engine.wait import LONGEST_UNSEEN, SHORTEST, WaitState, observe_when_due
from tmuxprim._readiness.chain import Chain
from tmuxprim._readiness.pane_state import STILL_SECONDS, FoundState, State, StateStrategy, gone
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._readiness.state_change import StateChange, StateMemory
from tmuxprim._values.pane import Pane
from tmuxprim.errors import PaneNotFoundError, TmuxServerError

if TYPE_CHECKING:
    from tmuxprim._terminal import AsyncOutputHub, OutputHub

AnyOutputHub: TypeAlias = "OutputHub | AsyncOutputHub"

# Seconds between two questions to the kernel about one pane, at least. While many panes write, it
# is so many times what it takes to look at all of these, so that they take a part of a processor
# only.
_SHORTEST: Final = 0.015
_BUSY: Final = 4
_LONGEST_OF_BUSY: Final = 1.0
# The weight of the newest look in the mean cost of a look.
_SHARE_OF_NEW: Final = 0.1
# Seconds between two questions, at most, with so much more for each pane: a question takes a tenth
# of a millisecond. A line editor writes at each key, so if its output is watched, it is asked about
# so many times less often.
_LONGEST: Final = 0.1
_LONGEST_PER_PANE: Final = 0.0025
_LONGEST_OF_EDITORS: Final = 4
# Questions that are as far away as this are put together, since waking up costs as much as asking.
_FAR: Final = 0.5
_TICK: Final = 0.125
# Seconds between two screens of a pane where nothing is seen to happen, for each pane more.
_UNSEEN_PER_PANE: Final = 0.3
# Seconds between two screens of a pane whose output cannot be watched, for each pane more.
_UNHEARD: Final = 0.5
_UNHEARD_PER_PANE: Final = 0.02
# Seconds between two lists of all panes, at least; and so many times what a list takes, which for
# tmux grows with the square of their number.
_LISTS: Final = 0.5
_LISTS_REST: Final = 50
# So many panes are looked at, and for so many seconds, before others that have written meanwhile,
# and before other tasks.
_IN_A_ROW: Final = 16
_LONGEST_ROW: Final = 0.01


@attrs.define(eq=False)
class _Watched:
    """One pane that is watched.

    Attributes:
        due: When the kernel is to be asked about it next.
        asked_at: When the kernel was asked last.
        found: The state that was found last; None if that is not settled.
        moves_since: Since when no look has found a settled state, as the screen keeps changing;
            None if the last one has.
        is_heard: Whether its output is watched; None before the first look.
    """

    wait: WaitState
    due: float
    asked_at: float = -math.inf
    memory: StateMemory = attrs.field(factory=StateMemory)
    found: FoundState | None = None
    moves_since: float | None = None
    is_heard: bool | None = None


@attrs.define(eq=False)
class StateWatcher:
    """The memory of a watch on panes. It works only while its user asks for the next change.

    Args:
        named: The panes by their names; None is all panes of the terminal.
        chain: Decides what a pane does.
    """

    named: tuple[Pane, ...] | None
    chain: Chain
    _watched: dict[tuple[str, str], _Watched] = attrs.field(factory=dict, init=False)
    _hub: "AnyOutputHub | None" = attrs.field(default=None, init=False)
    _has_begun: bool = attrs.field(default=False, init=False)
    _list_at: float = attrs.field(default=-math.inf, init=False)
    _shortest: float = attrs.field(default=_SHORTEST, init=False)
    _cost: float = attrs.field(default=0.0, init=False)

    def next_change(self, deadline: Deadline) -> Plan[StateChange | None]:
        """Return the next change; None if the time is up, or all panes that were named are gone.

        Raises:
            PaneNotFoundError: If no pane has a given name.
            TmuxServerError: If no pane is left at all.
        """
        if not self._has_begun:
            yield from self._begin()
        while True:
            now = yield from clock_time()
            yield from self._list_if_due(now)
            is_last = not deadline.left(now)
            if (change := (yield from self._look_at_due(is_last=is_last))) is not None:
                return change
            if self._is_over():
                return None
            if is_last:  # a second look, which some states need
                return (yield from self._look_at_due(is_last=True))
            yield from self._rest(deadline)

    def close(self) -> None:
        """Stop watching."""
        hub, self._hub = self._hub, None
        if hub is not None:
            hub.close()
        for watched in self._watched.values():
            watched.wait.raw_output.close()
        self._watched.clear()

    def _begin(self) -> Plan[None]:
        """Find the panes that are named, and begin to watch the output of all."""
        for name in self.named or ():
            self._add((yield from resolve(name)), (yield from clock_time()))
        self._hub = yield from ask("watch_outputs", _open_hub)
        self._has_begun = True

    def _list_if_due(self, now: float) -> Plan[None]:
        """Add the panes that are new in the terminal's list; look at those that have left it."""
        if self.named is not None or now < self._list_at:
            return
        listed = yield from ask("panes", lambda terminal: terminal.panes())
        keys = {_key(pane) for pane in listed}
        for pane in listed:
            self._add(pane, now)
        for key, watched in self._watched.items():
            if key not in keys:
                watched.due, watched.wait.looked_at = now, None
        listed_at = yield from clock_time()
        self._list_at = listed_at + max(_LISTS, (listed_at - now) * _LISTS_REST)

    def _add(self, pane: Pane, now: float) -> None:
        """Watch a pane from now on, unless it is watched already."""
        if (key := _key(pane)) not in self._watched:
            known = Pane(pane.target, server=pane.server)
            self._watched[key] = _Watched(WaitState(known, None, now), now)

    def _is_over(self) -> bool:
        """Whether nothing is left to watch.

        Raises:
            TmuxServerError: If that is so of all panes of the terminal.
        """
        if self._watched:
            return False
        if self.named is None:
            raise TmuxServerError(
                "no pane is left to watch: the server has ended, or none was started; open a pane, "
                "and watch again"
            )
        return True

    def _look_at_due(self, *, is_last: bool) -> Plan[StateChange | None]:
        """Look at some of the panes that are due, or at all of them if this *is_last*.

        A pane comes first if it has a change that only has to be confirmed. A look at a screen
        takes a hundred times as long as that question, so the change could be over before its turn.
        """
        now = yield from clock_time()
        due = [watched for watched in self._watched.values() if watched.due <= now]
        due.sort(key=lambda one: (one.memory.report_at > now, not one.wait.has_written, one.due))
        for watched in due if is_last else due[:_IN_A_ROW]:
            if (change := (yield from self._look(watched))) is not None:
                return change
            if not is_last and (yield from clock_time()) - now > _LONGEST_ROW:
                break
        yield from pause(0.0)
        return None

    def _look(self, watched: _Watched) -> Plan[StateChange | None]:
        """Look at one pane; return its change if it has one to report."""
        wait, memory = watched.wait, watched.memory
        began = yield from clock_time()
        try:
            snapshot = yield from self._observe(watched)
        except PaneNotFoundError as error:
            self._forget(watched)
            return memory.note(gone(wait.pane, str(error)), began)
        if snapshot is not None:
            self._assess(watched, snapshot, began)
            # The state is EXITED, of the old program. The next look is at the new one.
            if snapshot.respawned:
                wait.pane_pid, wait.looked_at = 0, None
        change = memory.note(watched.found, began) if watched.found else None
        watched.asked_at = yield from clock_time()
        if snapshot is not None:
            self._cost += (watched.asked_at - began - self._cost) * _SHARE_OF_NEW
        watched.due = self._due(watched, watched.asked_at)
        return change

    def _observe(self, watched: _Watched) -> Plan[Snapshot | None]:
        """Return a snapshot of a pane, if one is due; watch its output from the first one on."""
        wait, hub = watched.wait, self._hub
        if self.chain.hears_signals:
            wait.raw_output.hears = True
            yield from wait.raw_output.begin(wait.pane)
        snapshot = yield from observe_when_due(wait)
        if watched.is_heard is None:
            watched.is_heard = hub is not None and (
                yield from ask("add", lambda _: hub.add(wait.pane))
            )
        return snapshot

    def _assess(self, watched: _Watched, snapshot: Snapshot, began: float) -> None:
        """Find the state, and plan the next snapshot.

        If the chain first wants to see that nothing changes, but the screen goes on changing for
        `STILL_SECONDS`, then the program works.
        """
        strategy = StateStrategy(watched.wait.pane, self.chain, is_last=False)
        watched.found = found = strategy.assess(snapshot)
        if found.is_settled:
            watched.moves_since = None
        elif watched.moves_since is None:
            watched.moves_since = began
        if watched.moves_since is not None:
            has_moved = began - watched.moves_since > STILL_SECONDS
            last = attrs.evolve(strategy, is_last=True)
            watched.found = last.assess(snapshot) if has_moved else None
        if watched.found is None:
            watched.memory.doubt()
        # Without an output watch the program may have written at any time.
        again_in, tty = found.again_in, watched.wait.tty
        if tty is None or not (watched.is_heard or tty.reading is False):
            again_in = min(again_in, _UNHEARD + _UNHEARD_PER_PANE * len(self._watched))
        is_working = found.state.state is State.WORKING and not found.state.is_guess
        watched.wait.plan_next(again_in, is_vetoed=is_working)

    def _due(self, watched: _Watched, now: float) -> float:
        """Return when the kernel is to be asked about a pane again."""
        wait, tty = watched.wait, watched.wait.tty
        if wait.observes_again:
            return now
        wait.longest_unseen = LONGEST_UNSEEN + _UNSEEN_PER_PANE * len(self._watched)
        longest = _LONGEST + _LONGEST_PER_PANE * len(self._watched)
        seconds = min(wait.pause(now), longest)
        is_editor = tty is not None and tty.only_reading and not tty.canonical
        if is_editor and watched.is_heard and not wait.schedule.is_quick(now):
            seconds = min(wait.until_due(now), longest * _LONGEST_OF_EDITORS)
        due = now + max(seconds, self._shortest)
        if seconds >= _FAR:
            due = math.ceil(due / _TICK) * _TICK
        return min(due, watched.memory.report_at)

    def _rest(self, deadline: Deadline) -> Plan[None]:
        """Let time pass until a pane is due, or a program writes."""
        now = yield from clock_time()
        busy = sum(watched.wait.schedule.is_quick(now) for watched in self._watched.values())
        self._shortest = _SHORTEST + min(_BUSY * busy * self._cost, _LONGEST_OF_BUSY)
        until = min((watched.due for watched in self._watched.values()), default=math.inf)
        if self.named is None:
            until = min(until, self._list_at)
        # Never so short that the clock, which counts in floats, would stand still.
        seconds = max(min(until - now, deadline.left(now)), SHORTEST)
        if (hub := self._hub) is None:
            yield from pause(seconds)
            return
        written = yield from ask("wait", lambda _: hub.wait(seconds))
        now = yield from clock_time()
        for pane in written:
            if (watched := self._watched.get(_key(pane))) is not None:
                watched.wait.has_written = True
                watched.wait.schedule.note_written(now)
                watched.due = min(watched.due, watched.asked_at + self._shortest)

    def _forget(self, watched: _Watched) -> None:
        """Stop watching a pane that is gone."""
        pane = watched.wait.pane
        del self._watched[_key(pane)]
        watched.wait.raw_output.close()
        if self._hub is not None:
            self._hub.discard(pane)


def _key(pane: Pane) -> tuple[str, str]:
    """Return the key of a pane: a later server may have another pane with the same id."""
    return pane.target, pane.server


def _open_hub(terminal: object) -> "AnyOutputHub | None":
    """Return the watch that reports the writes of all panes; None of a terminal without one."""
    watch_outputs = getattr(terminal, "watch_outputs", None)
    hub: AnyOutputHub | None = watch_outputs and watch_outputs()
    return hub
