"""`StateChange`: a pane has got into another state; and `StateMemory`, which decides to report it.

A change that is over at once is not worth a report. So a new state has to last for a moment, which
depends on the state.
"""

import math
from typing import Final

import attrs

from tmuxprim._readiness.pane_state import STILL_SECONDS, FoundState, PaneState, State
from tmuxprim._values.pane import Pane
from tmuxprim._values.short_repr import cut_repr

# Seconds. The shell itself works for a moment at each Enter, so shorter work is not reported.
_GRACE: Final = 0.03
# An AI assistant runs for a moment at each key, and now and then by its timers, while it waits.
_GRACE_UNSEEN: Final = 1.0
# A guess is reported after so many seconds: no strategy takes longer to decide.
_AT_LAST: Final = 3.0


@attrs.frozen(kw_only=True)
class StateChange:
    """A change of the state of a pane.

    Args:
        before: The state before; None if the pane was seen for the first time.
        now: The state that has begun.
        since: When it began, in seconds of the terminal's clock, as far as the watch has seen it.
        lasted: Seconds for which the state before lasted, as far as the watch has seen it; 0 if
            there was none.

    Examples:
        >>> shell = ScriptedShell({"make": after(60.0, "done")})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.wait_ready(), console.send("make")
        >>> changes = watch_states(terminal)
        >>> print(next(changes))
        %0 working (make): make runs and does not read
        >>> change = next(changes)  # a virtual minute later
        >>> print(change)
        %0 working -> prompt (sh): prompt '$' at the cursor
        >>> round(change.lasted)
        60
    """

    before: PaneState | None
    now: PaneState
    since: float
    lasted: float = 0.0

    @property
    def pane(self) -> Pane:
        """The pane, by its id."""
        return self.now.pane

    def __repr__(self) -> str:
        return f"StateChange({cut_repr(str(self))})"

    def __str__(self) -> str:
        if self.before is None:
            return str(self.now)
        state = str(self.now).removeprefix(f"{self.pane} ")
        return f"{self.pane} {self.before.state.value} -> {state}"


@attrs.define(eq=False)
class StateMemory:
    """The state of one pane that was reported last, and the newer one that may be reported next.

    Attributes:
        reported: The change that was reported last; None before the first.
    """

    reported: StateChange | None = None
    _found: FoundState | None = None
    _began: float = 0.0

    def note(self, found: FoundState, now: float) -> StateChange | None:
        """Take the state that was found at a time; return the change if it is to be reported."""
        if self.reported is not None and _is_same(self.reported.now, found.state):
            self._found = None
            return None
        if self._found is None or not _is_same(self._found.state, found.state):
            self._began = now
        self._found = found
        if now < self.report_at:
            return None
        before, since = self.reported, self._began
        self.reported = StateChange(
            before=before.now if before else None,
            now=found.state,
            since=since,
            lasted=since - before.since if before else 0.0,
        )
        self._found = None
        return self.reported

    def doubt(self) -> None:
        """Note that the state of the pane cannot be determined yet."""
        self._found = None

    @property
    def report_at(self) -> float:
        """The time at which the newer state is reported if it lasts; infinite without one."""
        return math.inf if self._found is None else self._began + self._patience(self._found)

    def _patience(self, found: FoundState) -> float:
        """Return for how many seconds a state has to last before it is reported."""
        state = found.state
        if state.state is not State.WORKING:
            return 0.0 if found.is_found else _AT_LAST
        if found.is_unseen:
            return _GRACE_UNSEEN
        return STILL_SECONDS if state.is_guess else _GRACE


def _is_same(one: PaneState, later: PaneState) -> bool:
    """Whether a later state is the same as the reported one, and not more certain."""
    is_other = (
        one.state is not later.state
        or (one.is_guess and not later.is_guess)
        or (one.program != later.program and one.state is not State.WORKING)
        or bool(one.background) is not bool(later.background)
    )
    if is_other or not later.question:
        return not is_other
    # What a person has typed behind a question so far is no new question.
    return bool(one.question) and later.question.startswith(one.question)
