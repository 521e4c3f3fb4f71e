"""`ConsolePlans`: what `Console` and `AsyncConsole` do, written once as plans."""

import re
from collections.abc import Collection
from typing import Final

import attrs

from tmuxprim._engine.output import CommandResult, Printed, histories_to_try, read_output
from tmuxprim._engine.plan import Plan, clock_time, observe, probe, read, resolve, send, time_left
from tmuxprim._engine.prompts import Sighting
from tmuxprim._engine.state import ConsoleState, Left, ShownStrategy, left_by
from tmuxprim._engine.submit import (
    ENTER,
    as_typed,
    at_its_line,
    press,
    refuse_keys,
    submit,
    submit_at_once,
    takes_line_at_once,
)
from tmuxprim._engine.wait import wait_until_ready
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.kernel import ExitStrategy
from tmuxprim._readiness.look import Look, Outcome, Readiness, same_picture
from tmuxprim._readiness.prompt import MatchStrategy
from tmuxprim._readiness.words import QUESTION
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import Mark, Prompt
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.new_text import NewText, find_row, new_text, rows_to_read
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import InvalidStrategyError, PaneBusyError

# The text of `wait_for` may scroll off the screen between two looks.
_HISTORY_TO_MATCH: Final = 2000
# A line editor gets so many seconds to show what a person has just typed.
_UNTIL_SHOWN: Final = 0.25
# `read(since=)` rarely needs more.
_HISTORY_AT_FIRST: Final = 100
_LINE_BREAK: Final = re.compile("\r\n|\r|\n")
_AT_PROMPT: Final = frozenset((Outcome.PROMPT, Outcome.STABLE))
_TAKES_NEXT_LINE: Final = (Outcome.PROMPT, Outcome.CONTINUATION)
_WANTS_REST: Final = "the shell wants the rest of the command"
_ASKS: Final = "the command itself shows a prompt, so nobody knows whether it has ended"
_ADVICE: Final = {
    Outcome.AWAITING_INPUT: "; send() answers it; if it is a prompt, a strategy has to say so",
    Outcome.AWAITING_SECRET: "; send() answers it",
    Outcome.CONTINUATION: "; send() types it, keys('C-c') gives it up",
}


@attrs.frozen
class ConsolePlans:
    """What can be done with one pane.

    Args:
        state: What is known of the pane.
    """

    state: ConsoleState

    def locate(self) -> Plan[Pane]:
        """Return the pane's id, which is looked up once."""
        if self.state.pane is None:
            self.state.pane = yield from resolve(self.state.named)
        return self.state.pane

    def send(self, text: str | KeySequence, *, enter: bool) -> Plan[Mark]:
        """Type a text; see `Console.send`."""
        keys = text if isinstance(text, KeySequence) else KeySequence.text(text)
        if not (enter and keys):
            return (yield from self._press(ENTER if enter else keys))
        self.state.note_typing(keys)
        pane = yield from self.locate()
        mark = yield from submit(pane, keys, last=self.state.mark, leave_mode=self.state.leave_mode)
        return self.state.note_sent(mark, Left.NEW_LINE)

    def keys(self, keys: tuple[str | Key | KeySequence, ...]) -> Plan[Mark]:
        """Press keys; see `Console.keys`."""
        sequence = KeySequence(())
        for key in keys:
            if isinstance(key, KeySequence):
                sequence += key
            else:
                sequence += KeySequence((key if isinstance(key, Key) else Key(key),))
        return (yield from self._press(sequence))

    def _press(self, keys: KeySequence) -> Plan[Mark]:
        self.state.note_typing(keys)
        pane = yield from self.locate()
        mark = yield from press(pane, keys, leave_mode=self.state.leave_mode)
        # Nothing was sent, so there is nothing new to wait for.
        return self.state.note_sent(mark, left_by(keys)) if keys else mark

    def take_mark(self) -> Plan[Mark]:
        """Look at the pane without sending anything; see `Console.mark`."""
        pane = yield from self.locate()
        tty = yield from probe(pane)
        screen = yield from observe(pane)
        prompt = self.state.prompt or Prompt.seen(screen, tty)
        return Mark(screen=screen, tty=tty, prompt=prompt, pane=pane)

    def read(self, lines: int) -> Plan[str]:
        """Read the screen; see `Console.read`."""
        text = yield from read((yield from self.locate()), lines)
        return strip_ansi(text)

    def read_since(self, since: Mark) -> Plan[NewText]:
        """Read what is new since a mark, as far back as that is; see `Console.read`."""
        pane = yield from self.locate()
        self.state.to_judge(since, pane)
        asked = _HISTORY_AT_FIRST
        screen = yield from observe(pane, asked)
        while (rows := rows_to_read(since.screen, screen)) > len(screen.history) == asked:
            asked = 2 * rows  # more may have been printed by then
            screen = yield from observe(pane, asked)
        new = new_text(since.screen, screen, since.typed)
        return NewText(strip_ansi(new).rstrip("\n "), complete=new.complete)

    def wait_ready(
        self,
        timeout: float,
        prompt_pattern: str | re.Pattern[str] | None = None,
        strategy: ReadinessStrategy | None = None,
        since: Mark | None = None,
    ) -> Plan[Readiness]:
        """Wait until the pane is ready; see `Console.wait_ready`."""
        if strategy is not None and prompt_pattern is not None:
            raise InvalidStrategyError("give prompt_pattern or strategy, not both")
        if strategy is None and prompt_pattern is None:
            strategy = self.state.strategy
        pane = yield from self.locate()
        mark = self.state.to_judge(since, pane)
        readiness = yield from wait_until_ready(
            pane,
            default_chain(prompt_pattern) if strategy is None else strategy,
            timeout=timeout,
            mark=mark,
            stillness=self.state.stillness,
        )
        is_told = prompt_pattern is not None
        self.state.note_wait(readiness, is_told=is_told, is_found=strategy is None and not is_told)
        return readiness

    def wait_for(
        self, pattern: str | re.Pattern[str], timeout: float, since: Mark | None
    ) -> Plan[Readiness]:
        """Wait for a text; see `Console.wait_for`."""
        strategy = MatchStrategy(pattern) | ExitStrategy()
        pane = yield from self.locate()
        mark = self.state.to_judge(since, pane)
        return (
            yield from wait_until_ready(
                pane,
                strategy,
                timeout=timeout,
                mark=mark,
                history=_HISTORY_TO_MATCH,
                pane_pid=mark.screen.pane_pid if mark else 0,
            )
        )

    def run(
        self,
        command: str,
        timeout: float,
        *,
        ends_block: bool = False,
        at: Collection[Outcome] = _AT_PROMPT,
    ) -> Plan[CommandResult]:
        """Run a command; see `Console.run`.

        Args:
            command: The command, of one line or several.
            timeout: Longest wait, in seconds.
            ends_block: Whether to type an empty line if the rest is asked for in the end.
            at: Outcomes at which a command may be typed.
        """
        deadline = (yield from clock_time()) + timeout
        yield from self.until_it_takes_a_line(timeout, at)
        lines = _lines_of(command)
        refuse_keys(lines, self.state.ready.tty if self.state.ready else None)
        output, doubt, is_asking = "", "", False
        while lines:
            line = lines.pop(0)
            mark, ground = yield from self._submit(line)
            known = self.state.prompts.programs | {mark.prompt.pid if mark.prompt else None}
            shown = self.state.mark or mark
            readiness = yield from self.wait_ready((yield from time_left(deadline)), since=mark)
            is_asking = _is_of_newcomer(readiness, known)
            printed = yield from self.printed(shown, readiness, typed=line, ground=ground)
            output, doubt = output + printed.text, doubt or printed.doubt
            if readiness.outcome not in _TAKES_NEXT_LINE:
                break
            if ends_block and not lines and readiness.outcome is Outcome.CONTINUATION:
                lines, ends_block = [""], False
        if readiness.outcome is Outcome.CONTINUATION:
            doubt = doubt or _WANTS_REST
        doubt = doubt or _ASKS * is_asking
        return CommandResult(output=output, complete=not doubt, readiness=readiness, doubt=doubt)

    def learn_prompt(self, timeout: float) -> Plan[int | None]:
        """Press Enter at an empty prompt; see `Console.learn_prompt`."""
        deadline = (yield from clock_time()) + timeout
        yield from self.until_it_takes_a_line(timeout, {Outcome.PROMPT})
        yield from self.send("", enter=True)
        readiness = yield from self.wait_ready((yield from time_left(deadline)))
        if readiness.outcome is not Outcome.PROMPT:
            return None
        seen = yield from self._see_prompt(readiness, is_empty_line=True)
        return seen.prompt.rows

    def _see_prompt(self, readiness: Readiness, *, is_empty_line: bool) -> Plan[Sighting]:
        """Return the prompt at the cursor, with what the history tells of it."""
        seen = self.state.see_prompt(readiness)
        pane = yield from self.locate()
        more = self.state.prompts.see_more(pane, readiness, seen, is_empty_line=is_empty_line)
        return (yield from more)

    def _submit(self, line: str) -> Plan[tuple[Mark, Screen | None]]:
        """Type a line and Enter; return the mark to wait by, and the screen from before.

        The mark to read by is that of the state.
        """
        state = self.state
        # A strategy of the user's may judge by what the mark shows, as one for the last row does.
        ready, prompt = (state.ready, state.prompt) if state.strategy is None else (None, None)
        if ready is None or prompt is None or not takes_line_at_once(ready, prompt, line):
            before = state.ready
            mark = yield from self.send(KeySequence.text(line), enter=True)
            shown = at_its_line(mark, before.screen, line) if before else mark
        else:
            before = ready
            pane = yield from self.locate()
            state.note_typing(KeySequence.text(line))
            mark = yield from submit_at_once(pane, line, ready, prompt, leave_mode=state.leave_mode)
            shown = as_typed(state.note_sent(mark, Left.NEW_LINE), line)
        state.read_from(shown)
        return mark, before.screen if before else None

    def printed(
        self, mark: Mark, readiness: Readiness, *, typed: str, ground: Screen | None = None
    ) -> Plan[Printed]:
        """Return what was printed since a mark.

        Args:
            mark: From right before Enter.
            readiness: How the wait after that ended.
            typed: The line that was typed.
            ground: The screen from before it was typed; None if it is not known.
        """
        screen = yield from self._with_output(mark, readiness)
        seen = None
        if readiness.outcome is Outcome.PROMPT:
            seen = yield from self._see_prompt(readiness, is_empty_line=not typed)
        return read_output(mark, screen, readiness.outcome, seen=seen, typed=typed, ground=ground)

    def until_it_takes_a_line(
        self, timeout: float, at: Collection[Outcome] = _AT_PROMPT
    ) -> Plan[None]:
        """Wait until a command can be typed.

        Raises:
            PaneBusyError: If it cannot, or half a line stands at the prompt already.
        """
        readiness = self.state.ready
        # A program that worked when the last wait ended may be done by now.
        if not readiness or not (yield from self._is_as_left(readiness)):
            if self.state.leave_mode:
                yield from send((yield from self.locate()), KeySequence(()), leave_mode=True)
            readiness = yield from self.wait_ready(timeout)
        if readiness.outcome is Outcome.EXITED:
            yield from send((yield from self.locate()), KeySequence(()))  # raises what is gone
        screen, outcome = readiness.screen, readiness.outcome
        is_question = bool(QUESTION.search(screen.line_before_cursor))
        if outcome in at or (outcome is Outcome.AWAITING_INPUT and not is_question):
            self.state.refuse_half_line(Look(screen=screen, tty=readiness.tty))
        if outcome not in at:
            advice = _ADVICE.get(outcome, "")
            raise PaneBusyError(f"{NOTHING}: the pane takes no command; {readiness.reason}{advice}")

    def refuse_half_line(self) -> Plan[None]:
        """Refuse to type if somebody else has begun a line, at a shell's prompt or a known one.

        Raises:
            PaneBusyError: If somebody has.
        """
        pane = yield from self.locate()
        seen = yield from wait_until_ready(pane, ShownStrategy(), timeout=_UNTIL_SHOWN)
        self.state.refuse_half_line_of_others(Look(screen=seen.screen, tty=seen.tty))

    def _is_as_left(self, readiness: Readiness) -> Plan[bool]:
        """Whether nobody has typed since the last wait.

        Then its reader has not woken up. Another program may have written.
        """
        pane = yield from self.locate()
        tty = yield from probe(pane)
        if tty != readiness.tty:
            return False
        # A program that reads whole lines wakes up at the Enter only.
        if tty is not None and tty.is_raw and tty.wakeups is not None:
            return True
        screen = yield from observe(pane)
        return same_picture(screen, readiness.screen)

    def _with_output(self, mark: Mark, readiness: Readiness) -> Plan[Screen]:
        """Return the screen with the history that the output reaches into."""
        screen = readiness.screen
        tries = histories_to_try(mark, screen) if readiness else ()
        for rows in filter(None, tries):
            screen = yield from observe((yield from self.locate()), rows)
            if find_row(mark.screen, screen) is not None:
                break
        return screen


def _is_of_newcomer(readiness: Readiness, known: set[int | None]) -> bool:
    """Whether the command itself shows a prompt, or a question that looks like one."""
    if readiness.outcome is not Outcome.PROMPT or readiness.tty is None:
        return False
    return readiness.tty.foreground_pid not in known


def _lines_of(command: str) -> list[str]:
    """Return the lines of a command; a line break at its end begins no other."""
    lines = _LINE_BREAK.split(command)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines
