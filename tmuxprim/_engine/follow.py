"""`FollowPlans`: return the lines that a program prints, as they come (`Console.lines`)."""

from contextlib import suppress
from itertools import dropwhile
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._engine.output import GONE, doubt_of_place
from tmuxprim._engine.output_end import find_end
from tmuxprim._engine.output_plans import OutputPlans
from tmuxprim._engine.plan import Deadline, Plan, observe, probe
from tmuxprim._engine.prompt_rows import CommandLine, ShownPrompt, cursor_row, find_below
from tmuxprim._engine.prompt_start import PromptStart
from tmuxprim._engine.wait import wait_until_ready
from tmuxprim._readiness.chain import ReadinessStrategy, Strategy, wants_signals
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.snapshot import Outcome, Pass, Readiness, Ready, Snapshot, Verdict
from tmuxprim._values.evidence import Mark
from tmuxprim._values.lines import text_columns
from tmuxprim._values.new_text import (
    NewText,
    first_number,
    lines_from,
    may_have_shifted,
    new_text,
    rows_to_read,
)
from tmuxprim._values.screen import Cursor, Screen
from tmuxprim.errors import PaneNotFoundError

_PRINTED: Final = Ready(Outcome.MATCHED, "the program has printed a line")
# A silent program is looked at so often, in seconds, where nothing reports that it writes.
_SILENT: Final = 0.25
_AMBIGUOUS: Final = "rows were thrown away, and the last line is there several times"


@attrs.define(eq=False)
class FollowState:
    """The place up to which the lines of a pane have been read.

    Args:
        mark: The mark to judge against; None if nothing was sent.
        deadline: When to end.
        base: The screen, cut below the last row that was read, with the cursor in that row; None if
            none was read. It takes the place of a mark's screen for the next lines.
    """

    mark: Mark | None
    deadline: Deadline
    base: Screen | None
    typed: str
    """The line that was typed, until the first lines were read: it may be shown once more."""
    last: Screen | None = None
    """The screen as it was read last."""
    has_gap: bool = False
    """Whether lines may be missing since the last one."""
    is_over: bool = False


@attrs.frozen
class LinesStrategy(Strategy):
    """Waits until a line is there that was not read, or the program is ready.

    Args:
        last: The screen as it was read last.
        strategy: Decides when the program is ready. Its guess that nothing changes (STABLE) does
            not count: a program may print its next line later.
    """

    last: Screen | None
    strategy: ReadinessStrategy

    @property
    def hears_signals(self) -> bool:
        """Whether the other is to be given `Snapshot.signals`."""
        return wants_signals(self.strategy)

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say MATCHED at a new line, unless it may be the upper row of a prompt."""
        verdict = self.strategy.assess(snapshot)
        if isinstance(verdict, Ready) and verdict.outcome is not Outcome.STABLE:
            return verdict
        if _above_cursor(snapshot.screen) != _above_cursor(self.last) and not may_prompt(snapshot):
            return _PRINTED
        again_in = _SILENT if isinstance(verdict, Ready) else verdict.again_in
        # A `Busy` of the chain says that the program works, and working programs print lines.
        return Pass(verdict.reason, again_in)


@attrs.frozen
class FollowPlans(OutputPlans):
    """The plans for one pane that follow its output.

    Args:
        state: What is known of the pane.
    """

    def follow(self, since: Mark | None, deadline: Deadline) -> Plan[FollowState]:
        """Begin to follow; see `Console.follow`."""
        mark = self.state.mark_for_wait(since, (yield from self.locate()))
        # If a line was typed up to its Enter, the cursor's row is the command line, and the
        # program's lines begin below it. Otherwise that row may still become one of them.
        base = mark.screen if mark else None
        if mark and not (mark.ends_line and (mark is self.state.mark or mark.line is not None)):
            base = _up_to(mark.screen, mark.screen.layout.line_start(cursor_row(mark.screen)))
        return FollowState(mark, deadline, base, typed=(mark and mark.line) or "")

    def next_lines(self, follow: FollowState) -> Plan[list[NewText]]:
        """Wait for more lines, and return them; there is none when the program is ready."""
        lines: list[NewText] = []
        while not (lines or follow.is_over):
            state = self.state
            readiness = yield from wait_until_ready(
                (yield from self.locate()),
                LinesStrategy(follow.last, state.strategy or default_chain()),
                timeout=follow.deadline,
                mark=follow.mark,
                last_changes=state.last_changes,
                raw_output=state.raw_output,
            )
            # A new line is not the end of a wait for the pane. Only that is noted.
            if readiness.reason != _PRINTED.reason:
                by_default_chain = state.strategy is None
                state.note_wait(readiness, has_pattern=False, by_default_chain=by_default_chain)
                state.note_editor(readiness)
            follow.is_over = readiness.reason != _PRINTED.reason
            lines = yield from self._new_lines(follow, readiness)
        return lines

    def _new_lines(self, follow: FollowState, readiness: Readiness) -> Plan[list[NewText]]:
        """Return the lines that have ended since the last call, if the pane still has them."""
        snapshot = yield from self._with_new_rows(follow.base, readiness.screen)
        screen = snapshot.screen
        seen, start = yield from self._prompt_below(readiness, screen, is_empty_line=False)
        if not follow.is_over and may_prompt(snapshot):
            return []
        follow.last = screen
        if screen.alternate:
            return []
        # The cursor may go up for a moment, as a progress display does: nothing new has ended
        # there.
        if not follow.is_over and _is_not_below(follow.base, screen):
            return []
        lines, end, doubt = _read(follow, screen, seen, start)
        has_gap = follow.has_gap or bool(doubt) or _is_shown_again(follow.typed, lines)
        follow.base = _up_to(screen, end)
        if lines:
            follow.has_gap, follow.typed = False, ""
        else:
            follow.has_gap = has_gap
        return [NewText(line, complete=not has_gap) for line in lines]

    def _with_new_rows(self, base: Screen | None, screen: Screen) -> Plan[Snapshot]:
        """Return a snapshot with the history that the new lines reach into."""
        pane, tty = (yield from self.locate()), None
        with suppress(PaneNotFoundError):  # what was seen last is all that is left
            while len(screen.history) < (rows := _rows_to_read(base, screen)):
                screen = yield from observe(pane, 2 * rows)  # more may be printed by then
            tty = yield from probe(pane)
        return Snapshot(screen=screen, tty=tty)


def _is_shown_again(typed: str, lines: list[str]) -> bool:
    """Whether a line editor has shown the typed line once more: it is no line of the program."""
    return bool(typed) and any(line.endswith(typed) for line in lines)


def may_prompt(snapshot: Snapshot) -> bool:
    """Whether a shell has the terminal: the row above the cursor may be the first of its prompt."""
    tty = snapshot.tty
    return tty is not None and snapshot.facts.is_shell and (tty.is_raw or bool(tty.reading))


def _above_cursor(screen: Screen | None) -> object:
    """Return the lines that have ended, as far as the screen shows them."""
    if screen is None or screen.alternate:
        return None
    start = screen.layout.line_start(cursor_row(screen)) - len(screen.history)
    return screen.history_size, screen.rows[: max(start, 0)]


def _rows_to_read(base: Screen | None, screen: Screen) -> int:
    """Return how many rows of the history it takes to see all new lines."""
    if screen.alternate:
        return 0
    rows = screen.history_size if base is None else rows_to_read(base, screen)
    return min(rows, screen.history_size)


def _is_not_below(base: Screen | None, screen: Screen) -> bool:
    """Whether the cursor is not below the last row that was read."""
    command = find_below(base, screen) if base else None
    return command is not None and command.below > cursor_row(screen)


def _read(
    follow: FollowState, screen: Screen, seen: ShownPrompt | None, start: PromptStart | None
) -> tuple[list[str], int, str]:
    """Return the lines that have ended, the row behind them, and a doubt about them."""
    base = follow.base
    command = find_below(base, screen) if base else None
    first, doubt = _first_row(base, command, screen, seen)
    mark = follow.mark or Mark(screen=screen)
    end = find_end(screen, first, mark=mark, command=command, seen=seen, start=start)
    row, tail = end.row, end.tail
    if screen.dead:
        row, tail = _end_of_dead(screen, first), ""
    if base is not None and command is None:
        return _best_guess(base, screen, row), row, doubt
    lines = [*lines_from(screen, first, row), *filter(None, [tail])]
    if base is None and follow.mark:  # zsh wipes a row, which tmux keeps at a `clear`
        lines = [*dropwhile(str.isspace, lines)]
    return lines, row, doubt or end.doubt


def _first_row(
    base: Screen | None, command: CommandLine | None, screen: Screen, seen: ShownPrompt | None
) -> tuple[int, str]:
    """Return the row below the last line that was read, and a doubt about it."""
    if base is None:
        return 0, GONE * may_have_shifted(screen, screen)
    if command is None:
        return 0, GONE
    first = command.below
    while screen.layout.goes_on(first - 1):  # the command line as it was shown since
        first += 1
    doubt = doubt_of_place(command, base, screen, seen)
    return first, doubt or _AMBIGUOUS * _is_ambiguous(base, screen)


def _end_of_dead(screen: Screen, first: int) -> int:
    """Return the row below the last line of a program that has ended, with or without a line break.

    A moment after the pane is dead, tmux moves the cursor to the last row, for its message. The
    blank rows in between look like blank lines of the program, and do not count.
    """
    row = cursor_row(screen) + bool(screen.cursor.column)
    rows = screen.history + screen.rows
    while row > first and not rows[row - 1]:
        row -= 1
    return row


def _best_guess(base: Screen, screen: Screen, end: int) -> list[str]:
    """Return the lines up to a row that seem new, where the last one that was read is gone."""
    above = max(end - len(screen.history), 0)
    rows = (*screen.rows[:above], *[""] * (screen.size.rows - above))
    shown = attrs.evolve(screen, rows=rows, layout=screen.layout.part(0, end))
    new = new_text(base, shown).rstrip("\n")
    return [*dropwhile(str.isspace, new.split("\n") if new else [])]


def _is_ambiguous(base: Screen, screen: Screen) -> bool:
    """Whether the last line may be at another place, since rows were thrown away."""
    if not may_have_shifted(base, screen):
        return False
    known = base.rows[: base.cursor.row + 1]
    rows = screen.history + screen.rows
    count = len(known)
    places = (rows[end - count : end] == known for end in range(count, cursor_row(screen) + 1))
    return sum(places) != 1


def _up_to(screen: Screen, end: int) -> Screen | None:
    """Return a screen of which the row above *end* is the last; None if that is none."""
    top = max(end - screen.size.rows, 0)
    rows = (screen.history + screen.rows)[top:end]
    if not rows:
        return None
    # A cursor at neither end of its row, where the next line might begin in the same row.
    column = min(max(text_columns(rows[-1]), 1), max(screen.size.columns - 1, 0))
    return attrs.evolve(
        screen,
        rows=(*rows, *[""] * (screen.size.rows - len(rows))),
        cursor=Cursor(len(rows) - 1, column),
        history=(),
        history_size=first_number(screen) + top,
        layout=screen.layout.part(top, end),
        styles=None,
    )
