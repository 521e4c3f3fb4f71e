"""`Conversation`: what is known of one pane, and the plans that send to it and wait for it.

A console carries the plans out. They are written once, for whoever carries them out.
"""

import re
from typing import Any

import attrs

from tmuxprim._ansi import strip_ansi
from tmuxprim._at_once import as_typed, at_its_line, submit_at_once, takes_line_at_once
from tmuxprim._errors import InvalidStrategyError, PaneBusyError
from tmuxprim._keys import Key
from tmuxprim._mark import Mark, Prompt
from tmuxprim._output import CommandResult, Printed, histories_to_try, read_output
from tmuxprim._pane import Pane
from tmuxprim._plan import Now, Observe, Plan, Probe, Read, Resolve, Send
from tmuxprim._readiness._default import default_chain
from tmuxprim._readiness._look import same_picture
from tmuxprim._readiness._match import MatchStrategy
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._state import ExitStrategy
from tmuxprim._readiness._strategy import ReadinessStrategy
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._readiness._words import typed_behind_prompt
from tmuxprim._refusals import NOTHING
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._since import find_row, text_since
from tmuxprim._typewrite import ENTER, press, submit
from tmuxprim._wait import Stillness, wait_until_ready

# A text that is waited for may have scrolled off the screen between two looks.
_HISTORY_TO_MATCH = 2000
_LINE_BREAK = re.compile("\r\n|\r|\n")
_TAKES_A_LINE = {Outcome.PROMPT, Outcome.CONTINUATION, Outcome.AWAITING_INPUT, Outcome.STABLE}
_GOES_ON = {Outcome.PROMPT, Outcome.CONTINUATION}


@attrs.define(eq=False)
class Conversation:
    """Remembers of a pane what later steps need: the last mark, the prompt, since when it is still.

    Args:
        named: The pane, by id or by name.
        strategy: Decides when the pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode before sending.
    """

    named: Pane
    strategy: ReadinessStrategy | None = None
    leave_mode: bool = False
    pane: Pane | None = None
    mark: Mark | None = None
    prompt: Prompt | None = None
    ready: Readiness | None = None
    """How the last wait ended, if nothing was sent since."""
    prompt_rows: tuple[str, ...] | None = None
    """What the prompt shows above its last line, once that is known."""
    stillness: Stillness = attrs.field(factory=Stillness)
    hosts: set[int | None] = attrs.field(factory=set)
    """Process groups that have shown a prompt."""
    sessions: list[Any] = attrs.field(factory=list)
    """Sessions whose programs run in the pane, each within the one before it; of a floor above."""

    def locate(self) -> Plan[Pane]:
        """Return the pane's id, which is looked up once."""
        if self.pane is None:
            self.pane = yield Resolve(self.named)
        return self.pane

    def send(self, text: str | KeySequence, *, enter: bool) -> Plan[Mark]:
        """Type a text; see `Console.send`."""
        keys = text if isinstance(text, KeySequence) else KeySequence.text(text)
        if not (enter and keys):
            return (yield from self._press(ENTER if enter else keys))
        self.ready = None  # also if this is not carried out to its end
        pane = yield from self.locate()
        mark = yield from submit(pane, keys, last=self.mark, leave_mode=self.leave_mode)
        return self._remember(mark)

    def keys(self, keys: tuple[str | Key | KeySequence, ...]) -> Plan[Mark]:
        """Press keys; see `Console.keys`."""
        sequence = KeySequence(())
        for key in keys:
            if isinstance(key, KeySequence):
                sequence += key
            else:
                sequence += KeySequence((key if isinstance(key, Key) else Key(key),))
        return (yield from self._press(sequence))

    def read(self, lines: int, since: Mark | None = None) -> Plan[str]:
        """Read the screen; see `Console.read`."""
        pane = yield from self.locate()
        if since is not None:
            screen: Screen = yield Observe(pane, lines)
            return strip_ansi(text_since(since.screen, screen)).removeprefix("\n").rstrip("\n ")
        text: str = yield Read(pane, lines)
        return strip_ansi(text)

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
            strategy = self.strategy
        readiness = yield from wait_until_ready(
            (yield from self.locate()),
            default_chain(prompt_pattern) if strategy is None else strategy,
            timeout=timeout,
            mark=self.mark if since is None else since,
            stillness=self.stillness,
        )
        self.ready = readiness
        if readiness.outcome is Outcome.PROMPT:
            self.prompt = _told_apart(Prompt.seen(readiness.screen, readiness.tty), self.prompt)
            self.hosts.add(self.prompt.pid)
        return readiness

    def wait_for(
        self, pattern: str | re.Pattern[str], timeout: float, since: Mark | None
    ) -> Plan[Readiness]:
        """Wait for a text; see `Console.wait_for`."""
        strategy = MatchStrategy(pattern) | ExitStrategy()
        return (
            yield from wait_until_ready(
                (yield from self.locate()),
                strategy,
                timeout=timeout,
                mark=self.mark if since is None else since,
                history=_HISTORY_TO_MATCH,
            )
        )

    def run(self, command: str, timeout: float, *, ends_block: bool = False) -> Plan[CommandResult]:
        """Run a command; see `Console.run`.

        Args:
            command: The command, of one line or several.
            timeout: Longest wait, in seconds.
            ends_block: Whether to type an empty line where the rest is asked for in the end.
        """
        deadline = (yield Now()) + timeout
        yield from self.until_it_takes_a_line(timeout)
        output, complete, is_asking = "", True, False
        lines = _lines_of(command)
        while lines:
            line = lines.pop(0)
            mark, shown = yield from self._submit(line)
            known = self.hosts | {mark.prompt.pid if mark.prompt else None}
            readiness = yield from self.wait_ready(max(deadline - (yield Now()), 0.0))
            is_asking = _is_of_newcomer(readiness, known)
            if _is_of_another(mark, readiness):
                self.prompt_rows = None
            self.mark = shown
            printed = yield from self.printed(shown, readiness, typed=line)
            output, complete = output + printed.text, complete and printed.complete
            if readiness.outcome not in _GOES_ON:
                break
            if ends_block and not lines and readiness.outcome is Outcome.CONTINUATION:
                lines, ends_block = [""], False
        complete = complete and readiness.outcome is not Outcome.CONTINUATION and not is_asking
        return CommandResult(output=output, complete=complete, readiness=readiness)

    def _submit(self, line: str) -> Plan[tuple[Mark, Mark]]:
        """Type a line and Enter; return the mark to wait by, and the one to read by."""
        # A strategy of the user's may judge by what the mark shows, as one for the last row does.
        ready, prompt = (self.ready, self.prompt) if self.strategy is None else (None, None)
        if ready is None or prompt is None or not takes_line_at_once(ready, prompt, line):
            before = self.ready
            mark = yield from self.send(KeySequence.text(line), enter=True)
            return mark, at_its_line(mark, before.screen, line) if before else mark
        pane = yield from self.locate()
        self.ready = None
        mark = yield from submit_at_once(pane, line, ready, prompt, leave_mode=self.leave_mode)
        return self._remember(mark), as_typed(mark, line)

    def printed(self, mark: Mark, readiness: Readiness, *, typed: str) -> Plan[Printed]:
        """Return what was printed since a mark, and learn what the prompt looks like.

        Args:
            mark: From right before Enter.
            readiness: How the wait after that ended.
            typed: The line that was typed.
        """
        screen = yield from self._with_output(mark, readiness)
        found = read_output(
            mark, screen, readiness.outcome, typed=typed, prompt_rows=self.prompt_rows
        )
        self.prompt_rows = found.prompt_rows
        return found

    def until_it_takes_a_line(self, timeout: float) -> Plan[None]:
        """Wait until a command can be typed.

        Raises:
            PaneBusyError: If it cannot, or half a line stands at the prompt already.
        """
        readiness, known = self.ready, self.prompt
        # That a program worked when the last wait ended says nothing of now.
        if not readiness or not (yield from self._is_as_left(readiness)):
            if self.leave_mode:
                yield Send((yield from self.locate()), KeySequence(()), leave_mode=True)
            readiness = yield from self.wait_ready(timeout)
        if readiness.outcome not in _TAKES_A_LINE:
            raise PaneBusyError(f"{NOTHING}: the pane takes no command; {readiness.reason}")
        prompt = self.prompt.text if self.prompt else ""
        line = readiness.screen.line_before_cursor
        has_more = line != prompt and line.startswith(prompt) and bool(prompt.strip())
        typed = ""
        if has_more and readiness.outcome is Outcome.AWAITING_INPUT:
            typed = line.removeprefix(prompt)
        elif known is None and self.strategy is None and readiness.outcome is Outcome.PROMPT:
            typed = typed_behind_prompt(line)  # nobody has seen the prompt alone
        if typed:
            raise PaneBusyError(
                f"{NOTHING}: {typed!r} stands at the prompt already; keys('C-u') takes it away"
            )

    def _is_as_left(self, readiness: Readiness) -> Plan[bool]:
        """Whether the pane still is as the last wait found it: a person may have typed.

        If the reader has not woken up since, nobody has. Another program may have written.
        """
        pane = yield from self.locate()
        tty = yield Probe(pane)
        if tty != readiness.tty:
            return False
        if readiness.tty is not None and readiness.tty.wakeups is not None:
            return True
        screen: Screen = yield Observe(pane)
        return same_picture(screen, readiness.screen)

    def _with_output(self, mark: Mark, readiness: Readiness) -> Plan[Screen]:
        """Return the screen with as much history as the output takes, if there is so much."""
        screen = readiness.screen
        tries = histories_to_try(mark, screen, self.prompt_rows) if readiness else ()
        for rows in filter(None, tries):
            screen = yield Observe((yield from self.locate()), rows)
            if find_row(mark.screen, screen) is not None:
                break
        return screen

    def _press(self, keys: KeySequence) -> Plan[Mark]:
        if keys:
            self.ready = None
        pane = yield from self.locate()
        mark = yield from press(pane, keys, leave_mode=self.leave_mode)
        # Nothing was sent, so there is nothing new to wait for.
        return self._remember(mark) if keys else mark

    def _remember(self, mark: Mark) -> Mark:
        if self.prompt is not None:
            mark = attrs.evolve(mark, prompt=self.prompt)
        self.mark, self.ready, self.stillness = mark, None, Stillness()
        return mark


def _is_of_another(mark: Mark, readiness: Readiness) -> bool:
    """Whether another program shows its prompt now."""
    if readiness.outcome is not Outcome.PROMPT or readiness.tty is None or mark.prompt is None:
        return False
    return readiness.tty.foreground_pid != mark.prompt.pid


def _is_of_newcomer(readiness: Readiness, known: set[int | None]) -> bool:
    """Whether the command itself shows a prompt, or asks in words that look like one."""
    if readiness.outcome is not Outcome.PROMPT or readiness.tty is None:
        return False
    return readiness.tty.foreground_pid not in known


def _told_apart(seen: Prompt, known: Prompt | None) -> Prompt:
    """Return the prompt without what a command has printed, without a line break, before it."""
    if known is None or known.pid != seen.pid or not known.text.strip():
        return seen
    return known if seen.text.endswith(known.text) else seen


def _lines_of(command: str) -> list[str]:
    """Return the lines of a command; a line break at its end begins no other."""
    lines = _LINE_BREAK.split(command)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines
