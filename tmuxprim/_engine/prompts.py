"""The known facts about the prompts in one pane, learned from each prompt that is seen.

Each program has a prompt of its own, and habits: whether a hook prints something above it, whether
the shell marks where it begins. They decide whether the next line needs a tap (`needs_marks`), and
how the end of its output is found.
"""

import re
from collections import defaultdict
from functools import partial
from typing import Final, TypeAlias

import attrs

from tmuxprim._engine.plan import Plan, observe
from tmuxprim._engine.prompt_rows import (
    CHANGES_PROMPT,
    CHANGES_ROW,
    HOOKS,
    MOVES,
    PromptRows,
    ShownPrompt,
    first_prompt,
    rows_from,
    see_prompt,
)
from tmuxprim._engine.prompt_start import PromptStart
from tmuxprim._readiness.snapshot import Readiness
from tmuxprim._values.pane import Pane
from tmuxprim._values.programs import program_called
from tmuxprim._values.screen import Screen
from tmuxprim._values.shell_marks import ShellMarks
from tmuxprim.errors import InvalidScreenError

# A longer history takes too long to read.
_LONGEST_HISTORY: Final = 10_000
# A pane may live for weeks, and each REPL in it is another program. Older ones are forgotten.
_MOST_PROGRAMS: Final = 100
_NUMBER: Final = re.compile(r"\d")
# A process and its name: a program that exec starts keeps the process.
_Program: TypeAlias = tuple[int | None, str]


@attrs.frozen
class PromptChanges:
    """The changes to a prompt that a typed text may lead to.

    Attributes:
        of_shape: Whether the prompt may be another one, as after ``PS1=``.
        of_directory: Whether it may show another directory, as after ``cd``.
        of_row: Whether zsh may no longer begin a new row for it, as after ``unsetopt prompt_sp``.
    """

    of_shape: bool = False
    of_directory: bool = False
    of_row: bool = False

    @classmethod
    def by(cls, typed: str) -> "PromptChanges":
        """Return the changes that a text may lead to, by the words in it."""
        return cls(
            of_shape=CHANGES_PROMPT.search(typed) is not None,
            of_directory=MOVES.search(typed) is not None,
            of_row=CHANGES_ROW.search(typed) is not None,
        )

    @property
    def of_text(self) -> bool:
        """Whether it may show another text."""
        return self.of_shape or self.of_directory

    def __or__(self, other: "PromptChanges") -> "PromptChanges":
        return PromptChanges(
            self.of_shape or other.of_shape,
            self.of_directory or other.of_directory,
            self.of_row or other.of_row,
        )


_NO_CHANGES: Final = PromptChanges()


@attrs.define(eq=False)
class _Habits:
    """The habits of a program around its prompts.

    Attributes:
        top: The cursor's row at its first prompt, if the pane had shown nothing else before; None
            if it had, or if that is not known.
        is_silent: Whether a prompt was seen above which no hook had printed anything.
        has_marks: Whether it marks where the output ends; None if that is not known.
        is_steady: Whether its prompt was always the same, and no output was left of it, after lines
            that change no prompt; None if no two prompts were compared yet.
        reports: Whether it reports each command and its exit status (OSC 133); None if that is not
            known.
    """

    top: int | None = None
    is_silent: bool = False
    has_marks: bool | None = None
    is_steady: bool | None = None
    reports: bool | None = None

    def note_prompt(self, known: PromptRows, seen: ShownPrompt, changes: PromptChanges) -> None:
        """Note whether a prompt was the same as the last one, where nothing has changed it."""
        is_same = seen.prompt.first == known.first
        if known.first is not None and (is_same or not changes.of_text):
            self.is_steady = self.is_steady is not False and is_same and not seen.doubt


@attrs.define(eq=False)
class Prompts:
    """The prompts that the programs in one pane have shown.

    Args:
        given_rows: The number of rows of the next new prompt, from the user; None if not given.

    Raises:
        InvalidScreenError: If that is no number of rows.
    """

    given_rows: int | None = None
    before: Screen | None = attrs.field(default=None, init=False)
    """The screen of the last send or the last prompt, whichever was later."""
    _changes: PromptChanges = attrs.field(default=_NO_CHANGES, init=False)
    """The changes that the text typed since then may lead to."""
    _known: dict[_Program, PromptRows] = attrs.field(factory=dict, init=False)
    """The prompt of each program, the one that was seen last at the end."""
    _habits: defaultdict[_Program, _Habits] = attrs.field(
        factory=partial(defaultdict, _Habits), init=False
    )
    _seen: ShownPrompt | None = attrs.field(default=None, init=False)
    """The prompt that was seen last, of any program."""

    def __attrs_post_init__(self) -> None:
        given = self.given_rows
        if given is not None and (type(given) is not int or given < 1):
            rule = "prompt_rows is a whole number from 1 on, or None"
            raise InvalidScreenError(f"{rule}, got {given!r}")

    @property
    def programs(self) -> set[int | None]:
        """The process groups that have shown a prompt."""
        return {pid for pid, _ in self._known}

    def reports(self, readiness: Readiness) -> bool:
        """Whether the program is known to report each command and its exit status."""
        return self._habits_of(readiness).reports is True

    def note_typing(self, typed: str) -> None:
        """Note a text that is about to be typed, and may change the prompt."""
        self._changes |= PromptChanges.by(typed)

    def needs_marks(self, readiness: Readiness, line: str) -> bool:
        """Whether the screen alone cannot show for certain where the prompt after a line begins.

        Then the raw output has to be taken, for the marks in it. It is also taken from a shell that
        reports its commands (OSC 133), since the exit status is in these reports.
        """
        known = self._known.get(_program(readiness), PromptRows())
        habits = self._habits_of(readiness)
        # It may report them if the pane was opened for that, or if tmux has noted when a command
        # began, which it does by such a report of any program.
        if _may_report(readiness.screen, habits):
            return True
        # A program that writes no marks gets no tap: it would be of no use.
        if habits.has_marks is False:
            return False
        if not known.is_marked and _may_vary(known, habits):
            return True
        # The user has given the number of rows, so no mark is needed.
        if known.is_given:
            return False
        changes = self._changes | PromptChanges.by(line)
        has_one_row = known.rows == 1 and known.is_sure
        hides_end = _may_begin_row(readiness) and not known.is_marked
        return changes.of_text or not has_one_row or hides_end

    def has_marks(self, readiness: Readiness) -> bool | None:
        """Whether the program marks where the output ends; None if that is not known."""
        return self._habits_of(readiness).has_marks

    def note_marks(self, readiness: Readiness, marks: ShellMarks) -> None:
        """Note whether the program marks where the output ends, and whether zsh begins a row."""
        if marks.is_empty:
            return
        habits = self._habits_of(readiness)
        # The mark by which an editor begins a line is enough: a shell that comes back behind
        # another program, such as Python, has written only that one.
        habits.has_marks = marks.editor is not None
        reports = marks.reports_commands
        # Once a command came without a report, a later report may be one that a command has
        # printed. Only numbered marks count then, which our own shell integration writes with the
        # prompt.
        if reports is not None and (habits.reports is not False or marks.is_numbered):
            habits.reports = reports
        seen = self.see(readiness)
        if marks.prompt and _may_begin_row(readiness):
            prompt = attrs.evolve(seen.prompt, is_marked=marks.is_apart)
            self._learn(readiness, seen._replace(prompt=prompt))

    def see(self, readiness: Readiness) -> ShownPrompt:
        """Return the prompt at the cursor, and learn from it; once for each screen."""
        screen, before, changes = readiness.screen, self.before, self._changes
        self.before, self._changes = screen, _NO_CHANGES
        last = self._seen.screen if self._seen else None
        if self._seen is not None and last is screen:
            return self._seen
        known = self._known.get(_program(readiness))
        if known is None:
            # A new program. Its first prompt has the number of rows that the user has given.
            if not screen.history_size:
                self._habits_of(readiness).top = screen.cursor.row
            given, self.given_rows = self.given_rows, None
            known = PromptRows(given, is_given=given is not None)
        # The typed text may have changed zsh's options, so that its mark is not certain any more.
        if changes.of_shape or changes.of_row:
            known = attrs.evolve(known, is_marked=False if changes.of_row else None)
        seen = see_prompt(screen, known, before=before, earlier=last, may_differ=changes.of_shape)
        self._habits_of(readiness).note_prompt(known, seen, changes)
        return self._learn(readiness, seen)

    def see_more(
        self, pane: Pane, readiness: Readiness, seen: ShownPrompt, *, is_empty_line: bool
    ) -> Plan[ShownPrompt]:
        """Return the prompt at the cursor, with its number of rows, found in the history.

        After an Enter at an empty line the prompt is there twice, but the first one may have left
        the screen. So if the number is not known, a screenful of the history is read.
        """
        screen = readiness.screen
        if seen.prompt.rows is not None or not (is_empty_line and screen.history_size):
            return seen
        screen = yield from observe(pane, screen.size.rows)
        more = see_prompt(screen, seen.prompt, before=seen.before, earlier=seen.earlier)
        if more.prompt.rows is None:
            return seen
        return self._learn(readiness, more._replace(screen=readiness.screen))

    def check_hooks(
        self, pane: Pane, readiness: Readiness, start: PromptStart, marks: ShellMarks
    ) -> Plan[PromptStart]:
        """Return where the prompt begins, with a doubt if a hook may have printed rows above it.

        There is no such hook if nothing was between the end of a line and a prompt, or if the first
        prompt of all has as many rows above it as this one.
        """
        habits, screen = self._habits_of(readiness), readiness.screen
        has_hooks = not program_called(readiness.command).keeps_prompt
        if marks.is_apart or marks.reports_end or habits.is_silent or not has_hooks:
            return start
        is_silent = marks.is_silent or (not start.column and habits.top == start.above)
        if not is_silent and screen.history_size <= _LONGEST_HISTORY:
            screen = yield from observe(pane, screen.history_size)
            is_silent = first_prompt(screen, start) == start.above
        habits.is_silent = is_silent
        return start if is_silent else start._replace(doubt=HOOKS)

    def learn(self, readiness: Readiness, start: PromptStart) -> ShownPrompt:
        """Learn where the prompt at the cursor begins, by the marks of its program."""
        seen = self.see(readiness)
        rows = rows_from(readiness.screen, start)
        rows = attrs.evolve(rows, is_marked=seen.prompt.is_marked)
        return self._learn(readiness, seen._replace(prompt=rows, tail="", doubt=""))

    def _learn(self, readiness: Readiness, seen: ShownPrompt) -> ShownPrompt:
        """Remember a prompt as the known one of its program."""
        self._seen, program = seen, _program(readiness)
        self._known.pop(program, None)  # to the end of the dict, so that it is forgotten last
        self._known[program] = seen.prompt
        for old in list(self._known)[:-_MOST_PROGRAMS]:
            del self._known[old]
            self._habits.pop(old, None)
        return seen

    def _habits_of(self, readiness: Readiness) -> _Habits:
        return self._habits[_program(readiness)]


def _program(readiness: Readiness) -> _Program:
    """Return the program that shows a prompt."""
    tty = readiness.tty
    return (tty.foreground_pid if tty else None), readiness.screen.command


def _may_vary(known: PromptRows, habits: _Habits) -> bool:
    """Whether the screen may not show where output without a line break ends and the prompt begins.

    A prompt that shows a number, and was seen once, may count or show the time.
    """
    if habits.is_steady is not None:
        return not habits.is_steady
    return _NUMBER.search(known.first or "") is not None


def _may_report(screen: Screen, habits: _Habits) -> bool:
    """Whether the program reports its commands, or may do so as far as is known."""
    is_noted = habits.reports is None and screen.command_started is not None
    return screen.shell_integration or bool(habits.reports) or is_noted


def _may_begin_row(readiness: Readiness) -> bool:
    """Whether the program begins a row for its prompt unless its options say otherwise: zsh."""
    program = program_called(readiness.command)
    return bool(program.line_break_marks) and not program.always_marks
