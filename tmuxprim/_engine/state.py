"""The memory of a console about its pane, and the text that a person has typed there.

`ConsoleState` is the memory between two calls of a console: its last mark, the last prompt, how the
last wait ended. The functions below it find text that a person has typed at the prompt, so that no
command is typed behind that. Such text is behind a prompt that was seen before, behind a text that
looks like a prompt, or right of the cursor. It cannot be found behind a prompt that looks like none
and was never seen.
"""

import enum
import re
from types import NoneType
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._engine.command import TypedCommand
from tmuxprim._engine.events import EventKind, Listener, check_listener, report
from tmuxprim._engine.prompt_rows import ShownPrompt
from tmuxprim._engine.prompts import Prompts
from tmuxprim._engine.raw_output import RawOutput
from tmuxprim._engine.wait import LastChanges
from tmuxprim._readiness.chain import (
    ReadinessStrategy,
    Strategy,
    check_strategy,
    wants_signals,
)
from tmuxprim._readiness.menus import history_search
from tmuxprim._readiness.snapshot import (
    QUESTIONS,
    Busy,
    Outcome,
    Readiness,
    Ready,
    Snapshot,
    Verdict,
    once_settled,
)
from tmuxprim._readiness.words import (
    DEFAULT_PROMPT,
    is_only_a_prompt,
    is_same_prompt,
    typed_behind,
    typed_behind_prompt,
)
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import Mark, Prompt, TtyState
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.lines import Layout, text_columns
from tmuxprim._values.pane import Pane, is_meant
from tmuxprim._values.screen import Screen
from tmuxprim.errors import Advice, InvalidPaneError, PaneBusyError

# Text further right of the cursor is a right-hand prompt.
_GAP: Final = re.compile(" {2,}")
_NO_KEYS: Final = KeySequence(())
_CLEAR_LINE: Final = Key("C-u")
# An assistant that is interrupted puts what it was asked into its input box again.
_INTERRUPTS: Final = frozenset((Key("Escape"), Key("C-c")))
_STOP: Final = KeySequence.keys("C-z")


class LineState(enum.Enum):
    """The state in which the last keys of this console leave the line of the cursor."""

    UNTOUCHED = enum.auto()
    """No keys were sent since a prompt was found."""
    TEXT = enum.auto()
    """They have typed or edited text."""
    EMPTIED = enum.auto()
    """They ended with C-u, so nothing is left of the cursor."""
    NEW = enum.auto()
    """They ended a line, so the program begins a new one."""


@attrs.define(eq=False)
class ConsoleState:
    """The memory of a console about its pane.

    Args:
        named: The pane, by id or by name.
        strategy: Decides when the pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode before sending.
        prompts: What is known of the prompts in it.
        on_event: Gets each event; None for no listener.

    Raises:
        InvalidStrategyError: If *strategy* cannot assess a snapshot.
        TypeError: If *on_event* cannot be called, or would have to be awaited.
    """

    named: Pane
    strategy: ReadinessStrategy | None = None
    leave_mode: bool = False
    prompts: Prompts = attrs.field(factory=Prompts)
    on_event: Listener | None = None
    pane: Pane | None = None
    """The pane by its id, once it was looked up."""
    mark: Mark | None = None
    """The mark of the last send."""
    prompt: Prompt | None = None
    """The prompt that was found last."""
    prompt_was_empty: bool = False
    """Whether it is certain that nothing was typed behind the prompt when it was found."""
    line_state: LineState = LineState.UNTOUCHED
    ready: Readiness | None = None
    """How the last wait ended; None once something was sent since."""
    continues: bool | None = None
    """Whether the shell wanted the rest of a command when the line was begun; None if unknown."""
    last_changes: LastChanges = attrs.field(factory=LastChanges)
    unfinished: TypedCommand | None = None
    """The command that was typed last, if it has not ended."""
    has_only_answered: bool = True
    """Whether all that was typed since that command answered what a wait had found it to ask."""
    interrupts: int = 0
    """A count that each `ConsolePlans.interrupt` raises, before and after its C-c.

    `run` compares it, to find out that another thread has pressed C-c meanwhile.
    """
    raw_output: RawOutput = attrs.field(factory=RawOutput)
    """The output of the program since the last send, as far as that is taken."""
    has_begun_text: bool = False
    """Whether this console has typed into an input box, and not sent it, nor given it up."""
    session: str | None = None
    """The name of the program that a session runs in the pane."""
    _stopped: frozenset[int] = attrs.field(default=frozenset(), init=False)
    """The processes whose line editors C-z has stopped; see `Mark.stopped`."""

    def __attrs_post_init__(self) -> None:
        if self.strategy is not None:
            check_strategy(self.strategy)
        check_listener(self.on_event)

    def mark_for_wait(self, since: Mark | None, pane: Pane) -> Mark | None:
        """Return the mark that a wait judges against: *since*, or else that of the last send.

        Raises:
            InvalidPaneError: If the mark that the user gave is of another pane.
        """
        check_type("since", since, Mark, NoneType)
        if since is None:
            return self.mark
        if since.pane is not None and not is_meant(since.pane, pane):
            another = " of another server" if since.pane == pane else ""
            raise InvalidPaneError(
                f"the mark is of pane {since.pane}{another}, not of pane {pane}; "
                "use a mark of this pane"
            )
        return since

    @property
    def needs_editor(self) -> bool:
        """Whether only the marks of the shell's line editor show when the next line has ended.

        That is so if the kernel did not report the reader, and tmux does not report the editor's
        state.
        """
        ready = self.ready
        if not ready or self.strategy is not None or ready.screen.bracketed_paste is not None:
            return False
        facts = ready.snapshot.facts
        has_marks = self.prompts.has_marks(ready) is not False
        return facts.is_pass_through or (has_marks and not facts.is_reported)

    def note_typing(self, keys: KeySequence) -> None:
        """Note what is about to be typed. From now on the pane may not be ready."""
        # A text that is typed while the command asks is an answer, and no other command.
        self.has_only_answered &= self.ready is not None and self.ready.outcome in QUESTIONS
        self.ready = None
        # A command may change the prompt, the directory in it, or the row in which it begins. Then
        # the rows that were learned do not count until the prompt is seen again.
        self.prompts.note_typing(str(keys))

    def note_sent(self, mark: Mark, keys: KeySequence = _NO_KEYS) -> Mark:
        """Note what was sent, *keys* unless it was a line; return the mark with what is known."""
        is_new_line = mark.continues is not None  # after C-c, which drops the begun line
        if keys == _STOP:
            self._note_stopped(mark.tty)
        else:
            self._forget_stopped(mark.tty)
        mark = attrs.evolve(
            mark,
            prompt=self.prompt or mark.prompt,
            line=mark.line if is_new_line else self._line_up_to(mark),
            continues=mark.continues if is_new_line else self.continues,
            stopped=self._stopped,
            left_title=self._left_title(mark),
        )
        self.continues = None if mark.ends_line else self.continues
        self.has_begun_text = not mark.ends_line and not _INTERRUPTS.intersection(keys.parts)
        if mark.ends_line:
            self.line_state = LineState.NEW
        else:
            is_emptied = keys.parts[-1:] == (_CLEAR_LINE,)
            self.line_state = LineState.EMPTIED if is_emptied else LineState.TEXT
        # The time without a change is counted from this send on.
        self.ready, self.last_changes = None, LastChanges()
        self.set_mark(mark)
        report(self.on_event, EventKind.SENT, mark.pane or self.named, tty=mark.tty)
        return mark

    def _line_up_to(self, mark: Mark) -> str | None:
        """Return the line up to a mark, of which several sends may have typed parts, if known."""
        begun = "" if self.mark is None or self.mark.ends_line else self.mark.line
        return None if begun is None or mark.line is None else begun + mark.line

    def _left_title(self, mark: Mark) -> str:
        """Return the title at a mark if an earlier program has left it there; else empty.

        A program such as a shell need not set a title. Then the one that is there says nothing of
        its state.
        """
        last, tty = self.mark, mark.tty
        if last is None or last.tty is None or tty is None:
            return ""
        is_other = last.tty.foreground_pid != tty.foreground_pid
        left = last.screen.title if is_other else last.left_title
        return left if left == mark.screen.title else ""

    def _note_stopped(self, tty: TtyState | None) -> None:
        """Note the process whose line editor C-z stops."""
        pid = tty.foreground_pid if tty else None
        if tty is None or not tty.edits or pid is None:
            return
        is_at_prompt = (
            self.line_state is LineState.UNTOUCHED and self.prompt and self.prompt.pid == pid
        )
        if tty.reading or is_at_prompt:
            self._stopped |= {pid}

    def _forget_stopped(self, tty: TtyState | None) -> None:
        """Forget the process that gets other input; all of them if its reader is not reported."""
        if tty is not None and tty.reading:
            self._stopped -= {tty.foreground_pid}
        else:
            self._stopped = frozenset()

    def set_mark(self, mark: Mark) -> None:
        """Make this the mark of the last send, for waits and for reads."""
        self.mark, self.prompts.before = mark, mark.screen

    def note_wait(self, readiness: Readiness, *, has_pattern: bool, by_default_chain: bool) -> None:
        """Note how a wait ended, and its prompt.

        Args:
            readiness: How it ended.
            has_pattern: Whether the user has given the pattern of the prompt.
            by_default_chain: Whether the default chain has judged, and no strategy of the user's.
        """
        self.ready = readiness
        if readiness and (self.mark is None or self.mark.ends_line):
            self.continues = readiness.outcome is Outcome.CONTINUATION
        if readiness.outcome is Outcome.PROMPT:
            self._note_prompt(readiness, has_pattern=has_pattern, by_default_chain=by_default_chain)
        elif readiness.outcome is Outcome.CONTINUATION and self.prompt is not None:
            # So the next wait knows the shell's prompt for more by its text.
            self.prompt = attrs.evolve(self.prompt, more=readiness.screen.before_cursor)

    def begin_output(
        self, *, ends_line: bool, for_run: bool = False, draws: bool = False, reports: bool = False
    ) -> RawOutput:
        """Return what takes the raw output from the next send on, as far as that is needed.

        The earlier tap is closed: in one tap for two lines, a mark could be of either. But `run`
        keeps its own from line to line, since it reads it behind the wait for each.
        """
        if self.raw_output.is_for_run and not for_run:
            return self.raw_output
        self.raw_output.close()
        hears = self.strategy is not None and wants_signals(self.strategy)
        self.raw_output = RawOutput(
            is_wanted=for_run or hears or (ends_line and self.needs_editor),
            is_for_run=for_run,
            draws=draws,
            hears=hears,
            reports=reports,
        )
        return self.raw_output

    def end_output(self) -> None:
        """Close the tap, even that of `run`."""
        self.raw_output.is_for_run = self.raw_output.draws = False
        self.raw_output.close()

    def note_editor(self, readiness: Readiness) -> None:
        """Close the tap behind a wait, unless it goes on; note whether the shell writes marks."""
        raw_output = self.raw_output
        if raw_output.is_for_run or readiness.outcome is Outcome.TIMEOUT:
            return
        # Behind ssh the prompt may be of a program without marks, such as Python. That says nothing
        # about the shell.
        facts = readiness.snapshot.facts
        is_prompt = readiness.outcome is Outcome.PROMPT and not facts.is_pass_through
        if raw_output.is_whole and is_prompt:
            self.prompts.note_marks(readiness, raw_output.marks)
        raw_output.close()

    def _note_prompt(
        self, readiness: Readiness, *, has_pattern: bool, by_default_chain: bool
    ) -> None:
        """Note the prompt that a wait has found, without what a person has typed behind it."""
        snapshot = readiness.snapshot
        shown = Prompt.seen(snapshot.screen, snapshot.tty)
        rows = self.prompts.see(readiness)
        # Then nothing is typed behind the prompt, so that all of the text is the prompt.
        is_all = has_pattern or self.line_state is LineState.EMPTIED
        known = shown if is_all else _bare_prompt(shown, self.prompt, rows)
        self.prompt_was_empty = is_all or self._was_empty_at(known, snapshot)
        # Later waits take the place where the shell reads for proof. So it is learned only from a
        # prompt that the default chain has found: a pattern or strategy of the user's may name
        # any text.
        is_sure = by_default_chain and (self.mark is not None or is_only_a_prompt(shown.text))
        site = snapshot.tty.read_site if snapshot.tty and is_sure else None
        self.prompt = attrs.evolve(known, read_site=site)
        if self.line_state is not LineState.TEXT or not self._is_in_our_line(snapshot.screen):
            self.line_state = LineState.UNTOUCHED

    def _was_empty_at(self, prompt: Prompt, snapshot: Snapshot) -> bool:
        """Whether it is certain that nothing is typed behind a prompt that a wait has found."""
        if self.line_state is not LineState.NEW:
            return self.prompt_was_empty and prompt is self.prompt
        # A person may have typed ahead. The prompt is the text that was there before our Enter.
        before = self.prompt or (self.mark.prompt if self.mark else None)
        typed = typed_at_prompt(snapshot, before, was_empty=True, by_words=self.strategy is None)
        return prompt is self.prompt or not typed

    def note_prompt_text(self, text: str, *, is_all: bool) -> None:
        """Note the text of the prompt at the cursor, without the output that is left of it.

        It counts only if it is known that the prompt *is_all* of it, or if it is the known prompt,
        but for its numbers: any other text may end with words that a person has typed.
        """
        if self.prompt is not None and (is_all or is_same_prompt(text, self.prompt.text)):
            self.prompt = attrs.evolve(self.prompt, text=text)
        self.prompt_was_empty = self.prompt_was_empty or is_all

    def refuse_half_line(self, snapshot: Snapshot, *, by_words: bool = True) -> None:
        """Refuse to type a command behind text that is there already; see `typed_at_prompt`.

        Raises:
            PaneBusyError: If something is typed at the prompt, or searched there.
        """
        if search := history_search(snapshot):
            raise PaneBusyError(
                f"{NOTHING}: a search in the history is open: {search!r}", advice=Advice.END_SEARCH
            )
        by_words = by_words and self.strategy is None
        typed = typed_at_prompt(
            snapshot, self.prompt, was_empty=self.prompt_was_empty, by_words=by_words
        )
        if typed:
            # In most line editors C-u deletes only to the left, so the advice has C-e before it.
            raise PaneBusyError(
                f"{NOTHING}: {typed!r} is already typed at the prompt", advice=Advice.CLEAR_LINE
            )

    def has_begun_line(self, screen: Screen) -> bool:
        """Whether the cursor is in a line that this console has begun."""
        return self.line_state is not LineState.UNTOUCHED and self._is_in_our_line(screen)

    def _is_in_our_line(self, screen: Screen) -> bool:
        """Whether the cursor is in the line in which the last keys were sent."""
        return (
            self.mark is not None
            and self.mark.screen.alternate == screen.alternate
            and line_number(self.mark.screen) == line_number(screen)
        )


def typed_at_prompt(
    snapshot: Snapshot, known: Prompt | None, *, was_empty: bool, by_words: bool = True
) -> str:
    """Return the text that is typed at the prompt; empty if none is known to be.

    Args:
        snapshot: The snapshot.
        known: The prompt that was found before.
        was_empty: Whether nothing was typed behind that when it was found, for certain.
        by_words: Whether any text that looks like a prompt is taken for one.
    """
    text, prompt = snapshot.screen.line_before_cursor, _text_of(known, snapshot)
    is_prompt = bool(prompt) and _ends_with_prompt(text, prompt)
    if is_prompt and was_empty:
        return _right_of_cursor(snapshot)
    line = text
    if not DEFAULT_PROMPT.search(text):
        line = _with_whole_lines(snapshot.screen).line_before_cursor
    if was_empty and typed_behind_prompt(prompt):
        by_words = False  # the prompt itself looks like one with text behind it
    typed = (
        typed_behind_prompt(line) if by_words else "",
        # A full row above, such as a rule, is no part of the line if the prompt is below it.
        typed_behind(prompt, text).strip(),
        typed_behind(prompt, line).strip(),
        _right_of_cursor(snapshot) if by_words or is_prompt else "",
    )
    return next(filter(None, typed), "")


def _ends_with_prompt(text: str, prompt: str) -> bool:
    """Whether a text is a prompt, perhaps with another number, or output and that prompt."""
    return text.endswith(prompt) or is_same_prompt(text, prompt)


def is_at_shell(snapshot: Snapshot) -> bool:
    """Whether a shell reads a line, by its name and the kernel's evidence."""
    tty, facts = snapshot.tty, snapshot.facts
    if tty is None:
        return facts.is_shell
    is_plain = tty.canonical and facts.named.reads_lines
    return facts.has_line_editor or (is_plain and bool(tty.foreground_is_pane))


def takes_line(snapshot: Snapshot) -> bool:
    """Whether a line is read that the screen shows while it is typed."""
    if snapshot.facts.none_reads or snapshot.facts.hides_input:
        return False
    return is_at_shell(snapshot) or not snapshot.screen.alternate


@attrs.frozen
class ShownStrategy(Strategy):
    """Waits until a line editor shows all that was typed; for another program it does not wait."""

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say STABLE once it reads again."""
        tty = snapshot.tty
        if tty is not None and tty.edits and (tty.unread or tty.reading is False):
            return Busy("the line editor has not taken the whole text")
        reason = "nothing more was typed"
        if not takes_line(snapshot):
            return Ready(Outcome.STABLE, reason)
        return once_settled(snapshot, 0.0, Outcome.STABLE, reason)


def line_number(screen: Screen) -> int:
    """Return the number of the row in which the cursor's line begins, as `Screen` counts."""
    above = len(screen.history)
    start = _with_whole_lines(screen).layout.line_start(above + screen.cursor.row)
    return screen.history_size - above + start


def _text_of(known: Prompt | None, snapshot: Snapshot) -> str:
    """Return the prompt's text, or nothing if another program has the terminal now."""
    if known is None or known.pid != (snapshot.tty and snapshot.tty.foreground_pid):
        return ""
    return known.text if known.text.strip() else ""


def _right_of_cursor(snapshot: Snapshot) -> str:
    """Return the typed text that is right of a line editor's cursor, which was moved back.

    On the alternate screen it may be of a full-screen program that was killed.
    """
    tty, screen = snapshot.tty, snapshot.screen
    if tty is None or not tty.edits or not (tty.signals or snapshot.facts.has_line_editor):
        return ""
    if screen.alternate:
        return ""
    right = screen.cursor_line[len(screen.before_cursor) :]
    return "" if right.startswith(" ") else _GAP.split(right)[0]


def _with_whole_lines(screen: Screen) -> Screen:
    """Return the screen with full rows joined: zsh's line editor breaks a long line by itself."""
    layout = screen.layout
    joined = tuple(
        layout.goes_on(number)
        or text_columns(row) + layout.blanks_behind(number) >= screen.size.columns
        for number, row in enumerate(screen.history + screen.rows)
    )
    return attrs.evolve(screen, layout=Layout(joined, layout.blanks))


def _bare_prompt(shown: Prompt, known: Prompt | None, rows: ShownPrompt) -> Prompt:
    """Return the prompt without the output left of it, and without what is typed behind it."""
    if known is None or known.pid != shown.pid or not known.text.strip():
        return shown
    # Output without a line break is left of the prompt, in the same row.
    has_tail = rows.prompt.height == 1 and bool(rows.tail)
    is_behind = has_tail and shown.text.endswith(known.text)
    return known if is_behind or typed_behind(known.text, shown.text) else shown
