"""`ConsolePlans`: what `Console` and `AsyncConsole` do, written once as plans."""

from collections.abc import Collection, Mapping
from typing import Final

import attrs

from tmuxprim._engine.command import lines_of
from tmuxprim._engine.output import CommandResult
from tmuxprim._engine.pane_plans import PanePlans
from tmuxprim._engine.plan import (
    Plan,
    TimeLimit,
    begin,
    clock_time,
    interrupt_group,
    observe,
    pause,
    probe,
)
from tmuxprim._engine.prepared_answers import PreparedAnswers
from tmuxprim._engine.run import RunPlans
from tmuxprim._engine.state import ConsoleState
from tmuxprim._engine.submit import until_taken
from tmuxprim._readiness.box import AssistantState
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.snapshot import Readiness, Snapshot
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim._values.receipt import Receipt
from tmuxprim._values.screen import Screen
from tmuxprim.errors import InvalidTextError

# An assistant takes a key within so many seconds, and shows its answer within so many more.
_TAKES_A_KEY: Final = 1.0
_DRAWS_A_KEY: Final = 0.3


@attrs.frozen
class ConsolePlans(RunPlans):
    """All plans of a console; those for one pane, its output and `run` are inherited.

    Args:
        state: What is known of the pane.
    """

    def screen(self, history: int, *, styled: bool) -> Plan[Screen]:
        """Look at the pane; see `Console.screen`."""
        return (yield from observe((yield from self.locate()), history, styled=styled))

    def run_and_answer(
        self,
        command: str,
        timeout: TimeLimit,
        answers: Mapping[str, str | KeySequence],
        *,
        exit_status: bool,
        idle_timeout: float | None,
        all_output: bool,
    ) -> Plan[CommandResult]:
        """Run a command, and answer its questions; see `Console.run`."""
        left = PreparedAnswers(answers)
        # `resume` types no further lines, so those behind a question would never be typed.
        if answers and len(lines_of(command)) > 1:
            raise InvalidTextError(f"answers are for a command of one line, got {command!r}")
        deadline = begin(timeout, (yield from clock_time()))
        result = yield from self.run(
            command,
            deadline,
            exit_status=exit_status,
            idle_timeout=idle_timeout,
            all_output=all_output,
        )
        while deadline.left((yield from clock_time())):
            answer = left.take(result.readiness)
            if answer is None:
                break
            if isinstance(answer, KeySequence):
                yield from self.keys((answer,))
            else:
                yield from self.send(answer, enter=True)
            result = yield from self.resume(deadline, idle_timeout)
        return result

    def submit_with_care(
        self, text: str, *, again: bool, only: Collection[str] | None
    ) -> Plan[Receipt]:
        """Submit a text where that does no harm; see `Console.submit`."""
        yield from self.check_before_typing(submits=bool(text))
        submitted = yield from self.submit(text, only)
        if again:
            submitted = yield from self.press_again(submitted, text, only)
        return submitted.receipt

    def interrupt(self, timeout: TimeLimit, *, force: bool = False) -> Plan[Readiness]:
        """Press what interrupts the program in front, and wait; see `Console.interrupt`.

        Another thread or task may be within a plan of this console, such as `run`. So this plan has
        a `ConsoleState` of its own, and changes only two fields of the console's: *ready*, and the
        count *interrupts*, by which that plan can notice it.
        """
        state = self.state
        pane = yield from self.locate()
        front = yield from self._seen(pane)
        is_signal = force and front.needs_signal
        steps = () if is_signal else front.interrupts
        state.ready = None
        own = ConsoleState(
            pane,
            state.strategy,
            state.leave_mode,
            on_event=state.on_event,
            pane=pane,
            prompt=state.prompt,
        )
        plans = PanePlans(own)
        state.interrupts += 1
        tty = front.snapshot.tty
        if is_signal and tty is not None and tty.foreground_pid is not None:
            mark = yield from plans.take_mark()
            yield from interrupt_group(pane, tty.foreground_pid)
            own.set_mark(mark)
        for number, step in enumerate(steps):
            # A second key that comes too early counts for nothing, and one too many may end the
            # assistant. So each has to be taken, and the assistant still to work.
            if number:
                yield from until_taken(pane, mark, (yield from clock_time()) + _TAKES_A_KEY)
                yield from pause(_DRAWS_A_KEY)
                if (yield from self._seen(pane)).shown.state is not AssistantState.WORKS:
                    break
            mark = yield from plans.keys((step,))
        state.interrupts += 1  # for a run that has begun since the first count
        return (yield from plans.wait_ready(timeout))

    def _seen(self, pane: Pane) -> Plan[Front]:
        """Return what is in front right now, even if it has not shown all that was typed."""
        tty = yield from probe(pane)
        return Front.seen(Snapshot(screen=(yield from observe(pane)), tty=tty), self.state.strategy)
