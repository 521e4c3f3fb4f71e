"""`RunningProgram`: a program in a pane, which is sent keys and watched, until it has ended."""

from typing import Final

import attrs

from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import Plan
from tmuxprim._profiles.answer import AnswerRows, Rows, put_above, without_head
from tmuxprim._profiles.profile import Profile, Reply
from tmuxprim._profiles.strategies import (
    ScreenStrategy,
    StillStrategy,
    TakesKeysStrategy,
    known_screens,
)
from tmuxprim._readiness.chain import Chain, ReadinessStrategy
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.kernel import ConsumedStrategy, ExitStrategy
from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim._values.evidence import Prompt
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.screen import Screen

# A program gets so many seconds to show typed text, or to draw what a key has opened.
PATIENCE: Final = 3.0
# Between two keys of its leave it draws what the first has opened.
_DRAWN: Final = (StillStrategy() & TakesKeysStrategy(), TakesKeysStrategy(after=PATIENCE))
# Between two keys that are to interrupt it, it may draw on and on, or nothing at all while it ends.
_LATER: Final = (TakesKeysStrategy(after=1.0),)
# It was to be left, and does nothing but wait for the next key: vim, with a text that is not saved.
_STAYS: Final = StillStrategy(settled=1.0, only_reads=True)


@attrs.frozen
class RunningProgram:
    """A program in a pane.

    Args:
        plans: The operations on the pane.
        profile: The profile of the program.
        ended: Decides whether it has ended.
        shell: The prompt of the shell that it was started at; None if it ran already.
    """

    plans: ConsolePlans
    profile: Profile
    ended: ReadinessStrategy
    shell: Prompt | None = None

    @property
    def ending(self) -> tuple[ReadinessStrategy, ...]:
        """The strategies that find that the program has ended."""
        return (ExitStrategy(), self.ended)

    def chain(
        self, strategy: ReadinessStrategy | None, replies: tuple[Reply, ...] = ()
    ) -> ReadinessStrategy:
        """Return the strategy that decides while the program has the terminal."""
        asking = [
            ScreenStrategy(shows=pattern, outcome=Outcome.AWAITING_INPUT) for pattern, _ in replies
        ]
        before = known_screens(*asking).strategies if asking else ()
        return Chain((*self.ending, *before, strategy or default_chain()))

    def at_once(self) -> Plan[Readiness]:
        """Look whether it has ended, without waiting for anything else."""
        return (yield from self._until(PATIENCE, StillStrategy(settled=0.0)))

    def until_still(self, shows: str = "") -> Plan[Readiness]:
        """Wait until the program has drawn, or has ended, but not for long."""
        return (yield from self._until(PATIENCE, ConsumedStrategy(), StillStrategy(shows=shows)))

    def clear(self) -> Plan[None]:
        """Delete the text in its input box, and wait until it is gone."""
        yield from self.plans.keys((self.profile.clear,))
        yield from self.until_still()

    def leave(self, *, is_empty: bool) -> Plan[Readiness]:
        """Press what leaves the program, which waits for keys, and wait until it has ended.

        In an input box that *is_empty*, keys that delete would not be seen to be taken.
        """
        profile = self.profile
        steps = profile.leave if is_empty or not profile.clear else (profile.clear, *profile.leave)
        ended = yield from self._press(steps, ConsumedStrategy(), *_DRAWN)
        if ended is not None:
            return ended
        return (yield from self._until(self.profile.leave_timeout, ConsumedStrategy(), _STAYS))

    def interrupt(self) -> Plan[Readiness]:
        """Press what interrupts the program, whatever it does, and wait until it has ended."""
        ended = yield from self._press(self.profile.interrupt, *_LATER)
        if ended is not None:
            return ended
        return (yield from self._until(self.profile.leave_timeout))

    def _press(
        self, steps: tuple[KeySequence, ...], *between: ReadinessStrategy
    ) -> Plan[Readiness | None]:
        """Press keys, step by step; return why not all of them, if the program has ended.

        What it would not read any more is not pressed: the shell would read it, and C-d ends that.
        """
        for number, step in enumerate(steps):
            if number:
                taken = yield from self._until(self.profile.leave_timeout, *between)
                if taken.outcome is not Outcome.STABLE:
                    return taken
            yield from self.plans.keys((step,))
        return None

    def _until(self, timeout: float, *strategies: ReadinessStrategy) -> Plan[Readiness]:
        """Wait until the program has ended, or one of the strategies says so."""
        chain = Chain((*self.ending, *strategies))
        return (yield from self.plans.wait_ready(timeout, strategy=chain))

    def scrolled(self, rows: AnswerRows, screen: Screen, question: str) -> Plan[tuple[str, bool]]:
        """Scroll up to the question, and back; return the answer, and whether it is whole."""
        bottom = rows.above_box(screen.rows)
        whole: Rows = ()
        text, begins = rows.cut_rows(bottom, question)
        while not begins:
            yield from self.plans.keys((self.profile.page_up,))
            page = rows.above_box((yield from self.until_still()).screen.rows)
            is_head = rows.is_asked
            whole = whole or without_head(bottom, page, is_head=is_head)
            more = put_above(without_head(page, bottom, is_head=is_head), whole)
            if more is None or len(more) == len(whole):
                break
            whole = more
            text, begins = rows.cut_rows(("", *whole), question)
        yield from self.plans.keys((self.profile.page_end,))
        yield from self.until_still()
        return text, begins
