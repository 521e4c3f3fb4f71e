"""`PanePlans`: send to a pane, read it and wait for it, written once as plans."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Final

import attrs

from tmuxprim._engine.events import EventKind, report, reported
from tmuxprim._engine.pane_states import Subject, states_of
from tmuxprim._engine.plan import (
    AnyOutputWatch,
    Deadline,
    Plan,
    TimeLimit,
    clock_time,
    observe,
    probe,
    read,
    resolve,
    send,
    wait_for_output,
    watch_output,
)
from tmuxprim._engine.receipt_watch import Submitted, watch
from tmuxprim._engine.state import ConsoleState, ShownStrategy, is_at_shell, takes_line
from tmuxprim._engine.submit import ENTER, press, submit, until_drawn
from tmuxprim._engine.wait import LastChanges, wait_until_ready
from tmuxprim._readiness.answered import AnsweredStrategy
from tmuxprim._readiness.box import describe_typed
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.default import default_chain, with_pattern
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.kernel import ExitStrategy
from tmuxprim._readiness.menus import history_search
from tmuxprim._readiness.pane_state import PaneState
from tmuxprim._readiness.prompt import GoneStrategy, MatchStrategy
from tmuxprim._readiness.snapshot import Outcome, Readiness, Ready, Snapshot, shows_the_same
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import Mark, Prompt
from tmuxprim._values.keys import Key, KeySequence, Part
from tmuxprim._values.new_text import NewText, new_text, rows_to_read
from tmuxprim._values.pane import Pane
from tmuxprim._values.receipt import Receipt
from tmuxprim._values.screen import Screen
from tmuxprim.errors import (
    Advice,
    InvalidStrategyError,
    PaneBusyError,
    PaneNotFoundError,
)

# `wait_for` also searches the history, since the text may scroll away between two snapshots.
_HISTORY_TO_MATCH: Final = 2000
# Seconds between two screens of `Console.watch`, at most: an output watch may miss a write.
_LONGEST_UNSEEN: Final = 0.25
# A line editor gets so many seconds to show what a person has just typed.
_UNTIL_SHOWN: Final = 0.25
# Rows of the history that `read(since=)` reads first; it rarely needs more.
_HISTORY_AT_FIRST: Final = 100
AT_PROMPT: Final = frozenset((Outcome.PROMPT, Outcome.STABLE))
"""Outcomes at which a command may be typed."""
_ADVICE: Final = {
    Outcome.AWAITING_INPUT: Advice.ANSWER_UNLESS_PROMPT,
    Outcome.AWAITING_SECRET: Advice.ANSWER,
    Outcome.CONTINUATION: Advice.FINISH_COMMAND,
}


@attrs.frozen
class PanePlans:
    """The plans for one pane, whatever runs in it: find, send, read and wait.

    Four classes add to it, each in a file of its own: `OutputPlans` reads the output of a command,
    `FollowPlans` its lines as they come, `RunPlans` runs one, and `ConsolePlans` is what `Console`
    carries out.

    Args:
        state: What is known of the pane.
    """

    state: ConsoleState

    def locate(self) -> Plan[Pane]:
        """Return the pane's id, which is looked up once."""
        if self.state.pane is None:
            self.state.pane = yield from resolve(self.state.named)
        return self.state.pane

    def send(
        self, text: str | KeySequence, *, enter: bool, only: Collection[str] | None = None
    ) -> Plan[Mark]:
        """Type a text; see `Console.send`."""
        keys = text if isinstance(text, KeySequence) else KeySequence.text(text)
        if not (enter and keys):
            return (yield from self._press(ENTER if enter else keys, only))
        state, raw_output = self.state, self.state.begin_output(ends_line=True)
        state.note_typing(keys)
        # `RawOutput.send` presses Enter, and opens the tap in the same call if one is wanted.
        mark = yield from submit(
            (yield from self.locate()),
            keys,
            last=state.mark,
            leave_mode=state.leave_mode,
            sends=raw_output.send,
            only=only,
        )
        return state.note_sent(mark)

    def submit(
        self, text: str, only: Collection[str] | None = None, *, is_typed: bool = False
    ) -> Plan[Submitted]:
        """Type a text and Enter, and watch what becomes of it; see `Console.submit`.

        If the text *is_typed* already, only Enter is pressed.
        """
        mark = yield from self.send("" if is_typed else text, enter=True, only=only)
        pane, state = (yield from self.locate()), self.state
        submitted = yield from watch(pane, mark, text, state.strategy)
        report(state.on_event, EventKind.RECEIPT, pane, tty=mark.tty, receipt=submitted.receipt)
        return submitted

    def press_again(
        self, submitted: Submitted, text: str, only: Collection[str] | None
    ) -> Plan[Submitted]:
        """Press Enter once more if the text is still in the input box after another look."""
        # On a slow machine the assistant may only have been late to draw.
        if submitted.receipt is Receipt.IN_BOX:
            pane = yield from self.locate()
            submitted = yield from watch(pane, submitted.mark, text, self.state.strategy)
        if submitted.receipt is Receipt.IN_BOX:
            submitted = yield from self.submit(text, only, is_typed=True)
        return submitted

    def keys(self, keys: Iterable[str | Key | KeySequence | Sequence[str | Key]]) -> Plan[Mark]:
        """Press keys; see `Console.keys`."""
        return (yield from self._press(KeySequence(tuple(_parts_of(keys)))))

    def _press(self, keys: KeySequence, only: Collection[str] | None = None) -> Plan[Mark]:
        """Press keys in one go, with a tap from before them if one is wanted."""
        pane, leave_mode = (yield from self.locate()), self.state.leave_mode
        if not keys:  # without a new key, the last mark stays that of the next wait
            return (yield from press(pane, keys, leave_mode=leave_mode, only=only))
        last, ends_line = self.state.mark, keys.parts[-1:] == ENTER.parts
        raw_output = self.state.begin_output(ends_line=ends_line)
        self.state.note_typing(keys)
        with ExitStack() as at_error:
            if raw_output.is_wanted and not raw_output.is_for_run:
                at_error.callback(raw_output.close)
                # The tap begins before the key: a program may say that it works as soon as 0.02 s
                # behind it.
                yield from raw_output.begin(pane, is_whole=ends_line)
            mark = yield from press(pane, keys, last=last, leave_mode=leave_mode, only=only)
            at_error.pop_all()
        return self.state.note_sent(mark, keys)

    def take_mark(self) -> Plan[Mark]:
        """Look at the pane without sending anything; see `Console.mark`."""
        pane = yield from self.locate()
        tty = yield from probe(pane)
        screen = yield from observe(pane)
        prompt = self.state.prompt or Prompt.seen(screen, tty)
        return Mark(screen=screen, tty=tty, prompt=prompt, pane=pane)

    def find_state(self) -> Plan[PaneState]:
        """Look at what the pane does now; see `Console.state`."""
        pane, state = (yield from self.locate()), self.state
        state.raw_output.may_begin_late = False
        subject = Subject(pane, state.strategy, state.mark, state.last_changes, state.raw_output)
        (found,) = yield from states_of((subject,))
        return found

    def read(self, lines: int) -> Plan[str]:
        """Read the screen; see `Console.read`."""
        text = yield from read((yield from self.locate()), lines)
        return strip_ansi(text)

    def read_since(self, since: Mark) -> Plan[NewText]:
        """Read what is new since a mark, as far back as that is; see `Console.read`."""
        pane = yield from self.locate()
        self.state.mark_for_wait(since, pane)
        asked = _HISTORY_AT_FIRST
        screen = yield from observe(pane, asked)
        while (rows := rows_to_read(since.screen, screen)) > len(screen.history) == asked:
            asked = 2 * rows  # more may have been printed by then
            screen = yield from observe(pane, asked)
        since = since.seen_on(screen)
        new = new_text(since.screen, screen, since.typed)
        return NewText(strip_ansi(new).rstrip("\n "), complete=new.complete)

    def wait_ready(
        self,
        timeout: TimeLimit,
        prompt_pattern: str | re.Pattern[str] | None = None,
        strategy: ReadinessStrategy | None = None,
        since: Mark | None = None,
        idle_timeout: float | None = None,
    ) -> Plan[Readiness]:
        """Wait until the pane is ready; see `Console.wait_ready` and `Console.run`."""
        if strategy is not None and prompt_pattern is not None:
            raise InvalidStrategyError("give prompt_pattern or strategy, not both")
        strategy = self.state.strategy if strategy is None else strategy
        has_pattern = prompt_pattern is not None
        by_default_chain = strategy is None and not has_pattern
        if prompt_pattern is not None:
            strategy = with_pattern(strategy, prompt_pattern)
        pane = yield from self.locate()
        mark = self.state.mark_for_wait(since, pane)
        # Only the default chain needs the marks of a shell behind ssh.
        self.state.raw_output.may_begin_late = by_default_chain
        wait = wait_until_ready(
            pane,
            default_chain() if strategy is None else strategy,
            timeout=timeout,
            mark=mark,
            last_changes=self.state.last_changes,
            raw_output=self.state.raw_output,
            idle_timeout=idle_timeout,
        )
        readiness = yield from reported(wait, pane, self.state.on_event)
        self.state.note_wait(readiness, has_pattern=has_pattern, by_default_chain=by_default_chain)
        self.state.note_editor(readiness)
        return readiness

    def wait_answered(self, asked: Readiness, timeout: TimeLimit) -> Plan[Readiness]:
        """Wait until a person has answered the question that a wait has found."""
        strategy = self.state.strategy or default_chain()
        asks = Ready(asked.outcome, asked.reason)
        answered = AnsweredStrategy(asks, asked.screen, strategy)
        readiness = yield from self.wait_ready(timeout, strategy=answered)
        if readiness.outcome is Outcome.TIMEOUT:
            self.state.ready = asked  # so that a text that is typed now counts as an answer
        return readiness

    def wait_for(
        self,
        pattern: str | re.Pattern[str],
        timeout: TimeLimit,
        since: Mark | None,
        *,
        gone: bool = False,
    ) -> Plan[Readiness]:
        """Wait for a text; see `Console.wait_for`."""
        if gone and since is not None:
            raise InvalidStrategyError(
                "give since or gone, not both: gone looks at the whole screen"
            )
        strategy = (GoneStrategy(pattern) if gone else MatchStrategy(pattern)) | ExitStrategy()
        pane = yield from self.locate()
        mark = self.state.mark_for_wait(since, pane)
        wait = wait_until_ready(
            pane,
            strategy,
            timeout=timeout,
            mark=mark,
            # The text counts only if the program that the mark has seen prints it.
            last_changes=LastChanges(pane_pid=mark.screen.pane_pid if mark else 0),
            history=0 if gone else _HISTORY_TO_MATCH,
        )
        return (yield from reported(wait, pane, self.state.on_event))

    def next_screen(self, last: Screen | None, deadline: Deadline) -> Plan[Screen | None]:
        """Wait until the pane shows something else than *last*; see `Console.watch`.

        Returns:
            The screen; None if the time is up, or the program has ended.
        """
        if last is not None and last.dead:
            return None
        pane = yield from self.locate()
        if last is None:
            return (yield from observe(pane))
        output_watch: AnyOutputWatch | None = None
        try:
            output_watch = yield from watch_output(pane)
            while (screen := (yield from observe(pane))) == last:
                left = deadline.left((yield from clock_time()))
                if not left:
                    return None
                yield from wait_for_output(output_watch, min(left, _LONGEST_UNSEEN))
        except PaneNotFoundError:
            return None
        else:
            return screen
        finally:
            if output_watch is not None:
                output_watch.close()

    def until_it_takes_a_line(
        self, timeout: TimeLimit, at: Collection[Outcome] = AT_PROMPT
    ) -> Plan[None]:
        """Wait until a command can be typed.

        Raises:
            PaneBusyError: If it cannot, or half a line is at the prompt already.
        """
        readiness = yield from self._until_ready(timeout)
        if readiness.outcome is Outcome.EXITED:
            # No keys, but an error that says what is gone: the pane, or only its program.
            yield from send((yield from self.locate()), KeySequence(()))
        self._check_command(readiness, at)

    def _check_command(self, readiness: Readiness, at: Collection[Outcome]) -> None:
        """Refuse to type a command where a wait has ended that takes none.

        Raises:
            PaneBusyError: If none is taken, or half a line is at the prompt already.
        """
        snapshot = readiness.snapshot
        no_command = Front.seen(snapshot, self.state.strategy).takes_no_command
        # A session knows its program, and gives its texts to that.
        if no_command and self.state.session is None:
            raise PaneBusyError(f"{NOTHING}: {no_command}")
        may_ask = snapshot.facts.may_be_question
        # Half a line at a prompt looks like a question without words.
        may_be_prompt = readiness.outcome is Outcome.AWAITING_INPUT and not may_ask
        outcome = _outcome_for_command(readiness, may_ask=may_ask)
        if outcome in at or may_be_prompt or history_search(snapshot):
            self.state.refuse_half_line(snapshot)
        # If a person has typed ahead, the kernel has echoed the text, and readline draws its prompt
        # behind it. So a line editor that waits may be at such a prompt.
        if outcome not in at and not (may_be_prompt and snapshot.facts.has_line_editor):
            raise PaneBusyError(
                f"{NOTHING}: the pane takes no command; {readiness.reason}",
                advice=_ADVICE.get(outcome),
            )

    def _until_ready(self, timeout: TimeLimit) -> Plan[Readiness]:
        """Return how the last wait ended, if that still holds; else wait again."""
        readiness = self.state.ready
        # A TIMEOUT counts as false: the program may be ready by now.
        if readiness and (yield from self._is_unchanged(readiness)):
            return readiness
        if self.state.leave_mode:
            yield from send((yield from self.locate()), KeySequence(()), leave_mode=True)
        return (yield from self.wait_ready(timeout))

    def front(self) -> Plan[Front]:
        """Return what is in front, once it shows all that was typed, and has drawn its dialog."""
        pane = yield from self.locate()
        seen = yield from wait_until_ready(pane, ShownStrategy(), timeout=_UNTIL_SHOWN)
        snapshot = Snapshot(screen=seen.screen, tty=seen.tty, mark=self.state.mark)
        return (yield from until_drawn(pane, snapshot, self.state.strategy))

    def check_before_typing(self, *, submits: bool) -> Plan[Front]:
        """Refuse to type where it would do harm; return what is in front.

        A text does harm behind a line that a person has begun, at a prompt or in an input box. It
        does harm at the dialog of an assistant, where each letter may be a key. If an Enter follows
        (*submits*), it also does harm at a menu, which takes the Enter alone, and in an assistant
        that has drawn nothing yet, since that may ask something first.

        Raises:
            PaneBusyError: If it would do harm.
        """
        front = yield from self.front()
        if obstacle := self._obstacle(front, submits=submits):
            raise PaneBusyError(f"{NOTHING}: {obstacle}")
        snapshot = front.snapshot
        if (
            takes_line(snapshot)
            and not front.assistant
            and not self.state.has_begun_line(snapshot.screen)
        ):
            self.state.refuse_half_line(snapshot, by_words=is_at_shell(snapshot))
        return front

    def _obstacle(self, front: Front, *, submits: bool) -> str:
        """Return why a text would do harm in an assistant or a menu; empty if it would not."""
        if front.menu and (submits or front.takes_letters_for_keys):
            return front.asks
        if submits and front.assistant and front.loads and not self.state.ready:
            why = "was just started, and shows no input box yet; wait until it is ready"
            return f"{front.name} {why}"
        if front.shown.typed and not self.state.has_begun_text:
            return describe_typed(front.name, front.shown.typed)
        return ""

    def _is_unchanged(self, readiness: Readiness) -> Plan[bool]:
        """Whether nothing was typed since the last wait; background output does not count.

        A reader that was typed at has woken up, so its evidence differs.
        """
        pane = yield from self.locate()
        tty = yield from probe(pane)
        if tty != readiness.tty:
            return False
        # A program that reads whole lines wakes up at the Enter only.
        if tty is not None and tty.is_raw and tty.wakeups is not None:
            return True
        screen = yield from observe(pane)
        return shows_the_same(screen, readiness.screen)


def _outcome_for_command(readiness: Readiness, *, may_ask: bool) -> Outcome:
    """Return the outcome of a wait for a command that is to be typed.

    A guess that nothing changes (STABLE) is no reason to type into a question or a TUI.
    """
    if readiness.outcome is not Outcome.STABLE:
        return readiness.outcome
    if readiness.screen.alternate:
        return Outcome.FULLSCREEN
    return Outcome.AWAITING_INPUT if may_ask else Outcome.STABLE


def _parts_of(keys: Iterable[str | Key | KeySequence | Sequence[str | Key]]) -> Iterator[Part]:
    """Yield the keys one by one. A string with blanks holds several names: no name has a blank."""
    for key in keys:
        if isinstance(key, KeySequence):
            yield from key
        elif isinstance(key, list | tuple):
            yield from _parts_of(key)
        elif isinstance(key, str):
            # A blank alone is left to `Key`, whose error says that the key's name is Space.
            yield from map(Key, key.split() or [key])
        else:
            yield key if isinstance(key, Key) else Key(key)
