"""`Conversation`: what is known of one pane, and the plans that send to it and wait for it.

A console carries the plans out. They are written once, for whoever carries them out.
"""

import re
from collections.abc import Collection

import attrs

from tmuxprim._engine.half_line import (
    Left,
    ShownStrategy,
    is_at_shell,
    left_by,
    line_number,
    takes_line,
    typed_at_prompt,
)
from tmuxprim._engine.output import CommandResult, Printed, histories_to_try, read_output
from tmuxprim._engine.plan import Now, Observe, Plan, Probe, Read, Resolve, Send
from tmuxprim._engine.prompts import Prompts
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
from tmuxprim._engine.wait import Stillness, wait_until_ready
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.kernel import ExitStrategy
from tmuxprim._readiness.look import Look, Outcome, Readiness, same_picture
from tmuxprim._readiness.prompt import MatchStrategy
from tmuxprim._readiness.shell import is_shell_that_edits
from tmuxprim._readiness.words import QUESTION, is_only_a_prompt, typed_behind
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import Mark, Prompt
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.new_text import NewText, find_row, new_text, rows_to_read
from tmuxprim._values.pane import Pane, is_meant
from tmuxprim._values.screen import Screen
from tmuxprim.errors import InvalidPaneError, InvalidStrategyError, PaneBusyError

# A text that is waited for may have scrolled off the screen between two looks.
_HISTORY_TO_MATCH = 2000
# A line editor gets so many seconds to show what a person has just typed.
_UNTIL_SHOWN = 0.25
# What was printed since a mark has often not scrolled further.
_HISTORY_AT_FIRST = 100
_LINE_BREAK = re.compile("\r\n|\r|\n")
AT_PROMPT = frozenset((Outcome.PROMPT, Outcome.STABLE))
_GOES_ON = {Outcome.PROMPT, Outcome.CONTINUATION}
_WANTS_REST = "the shell wants the rest of the command"
_ASKS = "the command itself shows a prompt, so nobody knows whether it has ended"
_ADVICE = {
    Outcome.AWAITING_INPUT: "; send() answers it; if it is a prompt, a strategy has to say so",
    Outcome.AWAITING_SECRET: "; send() answers it",
    Outcome.CONTINUATION: "; send() types it, keys('C-c') gives it up",
}


@attrs.define(eq=False)
class Conversation:
    """Remembers of a pane what later steps need: the last mark, the prompt, since when it is still.

    Args:
        named: The pane, by id or by name.
        strategy: Decides when the pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode before sending.
        prompts: What is known of the prompts in it.
    """

    named: Pane
    strategy: ReadinessStrategy | None = None
    leave_mode: bool = False
    prompts: Prompts = attrs.field(factory=Prompts)
    pane: Pane | None = None
    mark: Mark | None = None
    prompt: Prompt | None = None
    is_alone: bool = False
    """Whether it is certain that nothing was typed behind the prompt when it was found."""
    left: Left = Left.NOTHING
    ready: Readiness | None = None
    """How the last wait ended, if nothing was sent since."""
    goes_on: bool | None = None
    """Whether the rest of a command was asked for when the line was begun; None if not known."""
    stillness: Stillness = attrs.field(factory=Stillness)
    hosts: set[int | None] = attrs.field(factory=set)
    """Process groups that have shown a prompt."""
    session: str | None = None
    """Name of the program that a session runs in the pane."""

    def locate(self) -> Plan[Pane]:
        """Return the pane's id, which is looked up once."""
        if self.pane is None:
            self.pane = yield from Resolve(self.named)
        return self.pane

    def send(self, text: str | KeySequence, *, enter: bool) -> Plan[Mark]:
        """Type a text; see `Console.send`."""
        keys = text if isinstance(text, KeySequence) else KeySequence.text(text)
        self.prompts.note_typed(str(keys))
        if not (enter and keys):
            return (yield from self._press(ENTER if enter else keys))
        self.ready = None  # also if this is not carried out to its end
        pane = yield from self.locate()
        mark = yield from submit(pane, keys, last=self.mark, leave_mode=self.leave_mode)
        return self._remember(mark, Left.NEW_LINE)

    def keys(self, keys: tuple[str | Key | KeySequence, ...]) -> Plan[Mark]:
        """Press keys; see `Console.keys`."""
        sequence = KeySequence(())
        for key in keys:
            if isinstance(key, KeySequence):
                sequence += key
            else:
                sequence += KeySequence((key if isinstance(key, Key) else Key(key),))
        self.prompts.note_typed(str(sequence))
        return (yield from self._press(sequence))

    def take_mark(self) -> Plan[Mark]:
        """Look at the pane without sending anything; see `Console.mark`."""
        pane = yield from self.locate()
        tty = yield from Probe(pane)
        screen = yield from Observe(pane)
        prompt = self.prompt or Prompt.seen(screen, tty)
        return Mark(screen=screen, tty=tty, prompt=prompt, pane=pane)

    def read(self, lines: int) -> Plan[str]:
        """Read the screen; see `Console.read`."""
        text = yield from Read((yield from self.locate()), lines)
        return strip_ansi(text)

    def read_since(self, since: Mark) -> Plan[NewText]:
        """Read what is new since a mark, as far back as that is; see `Console.read`."""
        pane, _ = yield from self._since(since)
        asked = _HISTORY_AT_FIRST
        screen = yield from Observe(pane, asked)
        while (rows := rows_to_read(since.screen, screen)) > len(screen.history) == asked:
            asked = 2 * rows  # more may have been printed by then
            screen = yield from Observe(pane, asked)
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
            strategy = self.strategy
        pane, mark = yield from self._since(since)
        readiness = yield from wait_until_ready(
            pane,
            default_chain(prompt_pattern) if strategy is None else strategy,
            timeout=timeout,
            mark=mark,
            stillness=self.stillness,
        )
        is_told = prompt_pattern is not None
        self._note(readiness, is_told=is_told, is_found=strategy is None and not is_told)
        return readiness

    def _note(self, readiness: Readiness, *, is_told: bool, is_found: bool) -> None:
        """Remember how a wait ended, and what the prompt is; see `_learn`."""
        self.ready = readiness
        if readiness and (self.mark is None or self.mark.ends_line):
            self.goes_on = readiness.outcome is Outcome.CONTINUATION
        if readiness.outcome is Outcome.PROMPT:
            self._learn(readiness, is_told=is_told, is_found=is_found)
        elif readiness.outcome is Outcome.CONTINUATION and self.prompt is not None:
            self.prompt = attrs.evolve(self.prompt, more=readiness.screen.before_cursor)

    def wait_for(
        self, pattern: str | re.Pattern[str], timeout: float, since: Mark | None
    ) -> Plan[Readiness]:
        """Wait for a text; see `Console.wait_for`."""
        strategy = MatchStrategy(pattern) | ExitStrategy()
        pane, mark = yield from self._since(since)
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
        at: Collection[Outcome] = AT_PROMPT,
    ) -> Plan[CommandResult]:
        """Run a command; see `Console.run`.

        Args:
            command: The command, of one line or several.
            timeout: Longest wait, in seconds.
            ends_block: Whether to type an empty line where the rest is asked for in the end.
            at: Outcomes that mean that the pane takes a command.
        """
        deadline = (yield from Now()) + timeout
        yield from self.until_it_takes_a_line(timeout, at)
        lines = _lines_of(command)
        refuse_keys(lines, self.ready.tty if self.ready else None)
        output, doubt, is_asking = "", "", False
        while lines:
            line = lines.pop(0)
            mark, ground = yield from self._submit(line)
            known = self.hosts | {mark.prompt.pid if mark.prompt else None}
            shown = self.mark or mark
            readiness = yield from self.wait_ready(
                max(deadline - (yield from Now()), 0.0), since=mark
            )
            is_asking = _is_of_newcomer(readiness, known)
            printed = yield from self.printed(shown, readiness, typed=line, ground=ground)
            output, doubt = output + printed.text, doubt or printed.doubt
            if readiness.outcome not in _GOES_ON:
                break
            if ends_block and not lines and readiness.outcome is Outcome.CONTINUATION:
                lines, ends_block = [""], False
        if readiness.outcome is Outcome.CONTINUATION:
            doubt = doubt or _WANTS_REST
        doubt = doubt or _ASKS * is_asking
        return CommandResult(output=output, complete=not doubt, readiness=readiness, doubt=doubt)

    def learn_prompt(self, timeout: float) -> Plan[int | None]:
        """Press Enter at an empty prompt; see `Console.learn_prompt`."""
        deadline = (yield from Now()) + timeout
        yield from self.until_it_takes_a_line(timeout, {Outcome.PROMPT})
        yield from self.send("", enter=True)
        readiness = yield from self.wait_ready(max(deadline - (yield from Now()), 0.0))
        if readiness.outcome is not Outcome.PROMPT:
            return None
        pane = yield from self.locate()
        seen = yield from self.prompts.see_more(pane, readiness, is_empty_line=True)
        return seen.prompt.rows

    def _submit(self, line: str) -> Plan[tuple[Mark, Screen | None]]:
        """Type a line and Enter; return the mark to wait by, and the screen from before.

        The mark to read by is remembered.
        """
        # A strategy of the user's may judge by what the mark shows, as one for the last row does.
        ready, prompt = (self.ready, self.prompt) if self.strategy is None else (None, None)
        if ready is None or prompt is None or not takes_line_at_once(ready, prompt, line):
            before = self.ready
            mark = yield from self.send(KeySequence.text(line), enter=True)
            shown = at_its_line(mark, before.screen, line) if before else mark
        else:
            before = ready
            pane = yield from self.locate()
            self.ready = None
            self.prompts.note_typed(line)
            mark = yield from submit_at_once(pane, line, ready, prompt, leave_mode=self.leave_mode)
            shown = as_typed(self._remember(mark, Left.NEW_LINE), line)
        self.mark = shown
        self.prompts.note_sent(shown.screen)
        return mark, before.screen if before else None

    def printed(
        self, mark: Mark, readiness: Readiness, *, typed: str, ground: Screen | None = None
    ) -> Plan[Printed]:
        """Return what was printed since a mark.

        Args:
            mark: From right before Enter.
            readiness: How the wait after that ended.
            typed: The line that was typed.
            ground: The screen from before that; None if it is not known.
        """
        screen = yield from self._with_output(mark, readiness)
        seen = None
        if readiness.outcome is Outcome.PROMPT:
            pane = yield from self.locate()
            seen = yield from self.prompts.see_more(pane, readiness, is_empty_line=not typed)
        return read_output(mark, screen, readiness.outcome, seen=seen, typed=typed, ground=ground)

    def until_it_takes_a_line(
        self, timeout: float, at: Collection[Outcome] = AT_PROMPT
    ) -> Plan[None]:
        """Wait until a command can be typed.

        Raises:
            PaneBusyError: If it cannot, or half a line stands at the prompt already.
        """
        readiness = self.ready
        # That a program worked when the last wait ended says nothing of now.
        if not readiness or not (yield from self._is_as_left(readiness)):
            if self.leave_mode:
                yield from Send((yield from self.locate()), KeySequence(()), leave_mode=True)
            readiness = yield from self.wait_ready(timeout)
        if readiness.outcome is Outcome.EXITED:
            yield from Send((yield from self.locate()), KeySequence(()))  # which says what is gone
        look, outcome = Look(screen=readiness.screen, tty=readiness.tty), readiness.outcome
        is_question = bool(QUESTION.search(look.screen.line_before_cursor))
        may_be_prompt = outcome is Outcome.AWAITING_INPUT and not is_question
        if outcome in at or may_be_prompt:
            self._refuse_half_line(look)
        if outcome not in at and not (may_be_prompt and is_shell_that_edits(look)):
            advice = _ADVICE.get(outcome, "")
            raise PaneBusyError(f"{NOTHING}: the pane takes no command; {readiness.reason}{advice}")

    def refuse_half_line(self) -> Plan[None]:
        """Look whether somebody else has begun to type, at a shell's prompt or a known one.

        Raises:
            PaneBusyError: If so.
        """
        pane = yield from self.locate()
        seen = yield from wait_until_ready(pane, ShownStrategy(), timeout=_UNTIL_SHOWN)
        look = Look(screen=seen.screen, tty=seen.tty)
        if takes_line(look) and not self._is_ours(look.screen):
            self._refuse_half_line(look, by_words=is_at_shell(look))

    def _refuse_half_line(self, look: Look, *, by_words: bool = True) -> None:
        by_words = by_words and self.strategy is None  # else the user tells what a prompt is
        typed = typed_at_prompt(look, self.prompt, is_alone=self.is_alone, by_words=by_words)
        if typed:
            # C-u alone leaves, in most line editors, what stands right of the cursor.
            raise PaneBusyError(
                f"{NOTHING}: {typed!r} stands at the prompt already; "
                "keys('C-e', 'C-u') takes it away"
            )

    def _is_ours(self, screen: Screen) -> bool:
        """Whether the cursor stands in the line in which the keys were typed that we sent last."""
        return (
            self.left is not Left.NOTHING
            and self.mark is not None
            and self.mark.screen.alternate == screen.alternate
            and line_number(self.mark.screen) == line_number(screen)
        )

    def _learn(self, readiness: Readiness, *, is_told: bool, is_found: bool) -> None:
        """Remember the prompt, and whether nothing is typed behind it.

        Args:
            readiness: How the wait ended.
            is_told: Whether the user has told what the prompt looks like.
            is_found: Whether the default chain has found it.
        """
        look = Look(screen=readiness.screen, tty=readiness.tty)
        seen = Prompt.seen(look.screen, look.tty)
        rows = self.prompts.see(readiness)
        has_tail = rows.prompt.height == 1 and bool(rows.tail)
        known = _told_apart(seen, self.prompt, has_tail=has_tail)
        if is_told or self.left is Left.EMPTY_LINE:
            known, self.is_alone = seen, True
        elif self.left is Left.NEW_LINE:
            # A person may have typed ahead. What stood there before our Enter was the prompt.
            before = self.prompt or (self.mark.prompt if self.mark else None)
            typed = typed_at_prompt(look, before, is_alone=True, by_words=self.strategy is None)
            self.is_alone = known is self.prompt or not typed
        else:
            self.is_alone = self.is_alone and known is self.prompt
        is_sure = is_found and (self.mark is not None or is_only_a_prompt(seen.text))
        place = look.tty.place if look.tty and is_sure else None
        self.prompt = attrs.evolve(known, place=place)
        self.hosts.add(known.pid)
        if self.left is not Left.TEXT or not self._is_ours(look.screen):
            self.left = Left.NOTHING

    def _is_as_left(self, readiness: Readiness) -> Plan[bool]:
        """Whether the pane still is as the last wait found it: a person may have typed.

        If the reader has not woken up since, nobody has. Another program may have written.
        """
        pane = yield from self.locate()
        tty = yield from Probe(pane)
        if tty != readiness.tty:
            return False
        # Who reads whole lines does not wake up before the Enter.
        if tty is not None and tty.is_raw and tty.wakeups is not None:
            return True
        screen = yield from Observe(pane)
        return same_picture(screen, readiness.screen)

    def _with_output(self, mark: Mark, readiness: Readiness) -> Plan[Screen]:
        """Return the screen with as much history as the output takes, if there is so much."""
        screen = readiness.screen
        tries = histories_to_try(mark, screen) if readiness else ()
        for rows in filter(None, tries):
            screen = yield from Observe((yield from self.locate()), rows)
            if find_row(mark.screen, screen) is not None:
                break
        return screen

    def _since(self, since: Mark | None) -> Plan[tuple[Pane, Mark | None]]:
        """Return the pane, and the mark that a wait judges against."""
        pane = yield from self.locate()
        if since is not None and since.pane is not None and not is_meant(since.pane, pane):
            another = " of another server" if since.pane == pane else ""
            raise InvalidPaneError(
                f"the mark is of pane {since.pane}{another}, and this is pane {pane}"
            )
        return pane, self.mark if since is None else since

    def _press(self, keys: KeySequence) -> Plan[Mark]:
        if keys:
            self.ready = None
        pane = yield from self.locate()
        mark = yield from press(pane, keys, leave_mode=self.leave_mode)
        # Nothing was sent, so there is nothing new to wait for.
        return self._remember(mark, left_by(keys)) if keys else mark

    def _remember(self, mark: Mark, left: Left) -> Mark:
        if self.prompt is not None:
            mark = attrs.evolve(mark, prompt=self.prompt)
        if mark.goes_on is None:
            begun = "" if self.mark is None or self.mark.ends_line else self.mark.line
            line = None if begun is None or mark.line is None else begun + mark.line
            mark = attrs.evolve(mark, line=line, goes_on=self.goes_on)
        self.mark, self.left = mark, left
        self.goes_on = None if mark.ends_line else self.goes_on
        self.ready, self.stillness = None, Stillness()
        self.prompts.note_sent(mark.screen)
        return self.mark


def _is_of_newcomer(readiness: Readiness, known: set[int | None]) -> bool:
    """Whether the command itself shows a prompt, or asks in words that look like one."""
    if readiness.outcome is not Outcome.PROMPT or readiness.tty is None:
        return False
    return readiness.tty.foreground_pid not in known


def _told_apart(seen: Prompt, known: Prompt | None, *, has_tail: bool) -> Prompt:
    """Return the prompt without what stands before it or behind it in its line.

    A command has printed that, without a line break, or somebody has typed it.
    """
    if known is None or known.pid != seen.pid or not known.text.strip():
        return seen
    is_behind = has_tail and seen.text.endswith(known.text)
    return known if is_behind or typed_behind(known.text, seen.text) else seen


def _lines_of(command: str) -> list[str]:
    """Return the lines of a command; a line break at its end begins no other."""
    lines = _LINE_BREAK.split(command)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines
