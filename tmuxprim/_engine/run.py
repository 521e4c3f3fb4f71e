"""`run`: type a command's lines at the prompt, wait for its end, and return its output."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

import attrs

from tmuxprim._engine.command import (
    ANSWERED,
    TAKES_NEXT_LINE,
    CollectedStrategy,
    Lines,
    Typed,
    lines_of,
)
from tmuxprim._engine.output import CommandResult, Printed, status_in
from tmuxprim._engine.output_plans import OutputPlans
from tmuxprim._engine.pane_plans import AT_PROMPT
from tmuxprim._engine.plan import Deadline, Plan, TimeLimit, begin, clock_time
from tmuxprim._engine.submit import (
    as_typed,
    at_its_line,
    refuse_lines,
    submit_at_once,
    takes_line_at_once,
)
from tmuxprim._engine.wait import time_limit
from tmuxprim._readiness.kernel import ExitStrategy
from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim._values.checks import NOTHING, UNDELIVERED, partly
from tmuxprim._values.evidence import Mark
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.new_text import may_have_shifted
from tmuxprim._values.pane import Size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import PaneBusyError

_NO_COMMAND: Final = "there is no command of run() that has not ended"
_DISTURBED: Final = "C-c was pressed while the command was typed, which may have lost a part"
_UNKNOWN_SHELL: Final = (
    "the program that reads here is no shell that can be asked for an exit status, such as bash, "
    "zsh or fish; run the command without, or let it print its status itself"
)
# What a shell shows before each line that it collects has so many columns at most, or so.
_MARGIN: Final = 20
# A shell answers at once; a busy machine may take longer than what is left of the command's time.
_STATUS_PATIENCE: Final = 3.0


@attrs.frozen
class RunPlans(OutputPlans):
    """All that can be done with the commands of a shell in one pane.

    Args:
        state: What is known of the pane.
    """

    def run(
        self,
        command: str,
        timeout: TimeLimit,
        *,
        exit_status: bool = False,
        idle_timeout: float | None = None,
        all_output: bool = False,
        ends_block: bool = False,
        at: Collection[Outcome] = AT_PROMPT,
    ) -> Plan[CommandResult]:
        """Run a command where the outcome is one of *at*; see `Console.run`.

        If it *ends_block* an empty line is typed where the rest is asked for in the end.
        """
        deadline = begin(timeout, (yield from clock_time()))
        # Both refuse what is wrong before anything is typed.
        time_limit(deadline, idle_timeout, deadline.began)
        KeySequence.text(command)
        lines = Lines(lines_of(command), ends_block=ends_block)
        try:
            interrupts = yield from self._until_it_takes_the_first(deadline, at)
            self._refuse(lines, exit_status=exit_status)
            self._begin_tap(command, all_output=all_output)
            self.state.typed = None
            typed = yield from self._type(lines, exit_status=exit_status)
            if interrupts != self.state.interrupts:
                typed = attrs.evolve(typed, before=Printed("", _DISTURBED))
            typed, readiness = yield from self._type_the_rest(typed, lines, deadline, idle_timeout)
            return (yield from self._result(typed, readiness, deadline))
        finally:
            self.state.end_output()

    def resume(self, timeout: TimeLimit, idle_timeout: float | None = None) -> Plan[CommandResult]:
        """Wait on for the command that has not ended; see `Console.resume`."""
        deadline = begin(timeout, (yield from clock_time()))
        typed = self.state.typed
        if typed is None:
            raise PaneBusyError(f"{NOTHING}: {_NO_COMMAND}")
        is_alone = self.state.mark is typed.shown
        since = typed.mark if is_alone else None
        readiness = yield from self.wait_ready(deadline, since=since, idle_timeout=idle_timeout)
        typed = attrs.evolve(
            typed,
            is_alone=is_alone,
            is_answered=self.state.has_only_answered,
            is_resumed=True,
        )
        return (yield from self._result(typed, readiness, deadline))

    def _until_it_takes_the_first(self, deadline: Deadline, at: Collection[Outcome]) -> Plan[int]:
        """Wait until a command can be typed; return how many interrupts were counted by then."""
        interrupts = -1
        while interrupts != self.state.interrupts:  # what was seen before C-c says nothing
            interrupts = self.state.interrupts
            yield from self.until_it_takes_a_line(deadline, at)
        return interrupts

    def _refuse(self, lines: Lines, *, exit_status: bool) -> None:
        """Refuse a command if a line or the question for its exit status cannot be typed."""
        ready = self.state.ready
        refuse_lines(lines.left, ready.tty if ready else None)
        if exit_status and not status_line(ready):
            raise PaneBusyError(f"{NOTHING}: {_UNKNOWN_SHELL}")

    def _begin_tap(self, command: str, *, all_output: bool) -> None:
        """Have the raw output taken from the first Enter on, where the screen alone is no proof.

        It is where the height of the prompt is known, and the kernel reports who reads: so most
        commands need no tap, which takes two commands of tmux and a pipe.
        """
        ready, prompts = self.state.ready, self.state.prompts
        needs_marks = ready is not None and prompts.needs_marks(ready, command)
        if all_output or needs_marks or self.state.needs_editor:
            reports = ready is not None and prompts.reports(ready)
            self.state.begin_output(ends_line=True, for_run=True, draws=all_output, reports=reports)

    def _type_the_rest(
        self, typed: Typed, lines: Lines, deadline: Deadline, idle_timeout: float | None
    ) -> Plan[tuple[Typed, Readiness]]:
        """Type the lines behind the first, each once the shell takes one, and wait for the end.

        Returned are the last line that was typed, and how the wait behind it has ended.
        """
        readiness = yield from self._wait(typed, deadline, idle_timeout)
        while lines.has_next(readiness.outcome):
            before = yield from self._printed_by(typed, readiness)
            with _between_lines():
                readiness = yield from self._type_body(lines, readiness, deadline, idle_timeout)
                if readiness.outcome not in TAKES_NEXT_LINE:
                    break
                typed = yield from self._type(lines, after=attrs.evolve(typed, before=before))
            readiness = yield from self._wait(typed, deadline, idle_timeout)
        return typed, readiness

    def _wait(
        self, typed: Typed, deadline: Deadline, idle_timeout: float | None
    ) -> Plan[Readiness]:
        """Wait until the shell has carried out a line, or wants the next one."""
        self.state.typed = typed  # `resume` waits on for it if this wait raises
        self.state.has_only_answered = True
        return self.wait_ready(deadline, since=typed.mark, idle_timeout=idle_timeout)

    def _type(
        self, lines: Lines, *, exit_status: bool = False, after: Typed | None = None
    ) -> Plan[Typed]:
        """Type the next line and Enter, *after* the lines before it."""
        line = lines.take()
        mark, ground = yield from self._submit(line)
        shown = self.state.mark or mark
        known = self.state.prompts.programs | {mark.prompt.pid if mark.prompt else None}
        return Typed(
            first=after.first if after else shown,
            mark=mark,
            shown=shown,
            line=line,
            ground=ground,
            known=frozenset(known),
            left=tuple(lines.left),
            before=after.before if after else Printed(""),
            exit_status=after.exit_status if after else exit_status,
        )

    def _submit(self, line: str) -> Plan[tuple[Mark, Screen | None]]:
        """Type a line and Enter; return the mark to wait by, and the screen from before.

        The mark to read by is that of the state.
        """
        state = self.state
        # A strategy of the user's may judge by what the mark shows, as one for the last row does.
        ready, prompt = (state.ready, state.prompt) if state.strategy is None else (None, None)
        if state.written.draws:
            ready = None  # what shows the line is not to be drawn
        if ready is None or prompt is None or not takes_line_at_once(ready, prompt, line):
            before = state.ready
            mark = yield from self.send(KeySequence.text(line), enter=True)
            shown = at_its_line(mark, before.screen, line) if before else mark
        else:
            before = ready
            written = state.begin_output(ends_line=True)
            pane = yield from self.locate()
            state.note_typing(KeySequence.text(line))
            mark = yield from submit_at_once(
                pane, line, ready, prompt, leave_mode=state.leave_mode, sends=written.send
            )
            shown = as_typed(state.note_sent(mark), line)
        state.read_from(shown)
        return mark, before.screen if before else None

    def _type_body(
        self, lines: Lines, readiness: Readiness, deadline: Deadline, idle_timeout: float | None
    ) -> Plan[Readiness]:
        """Type what is left of a here-document's body, some lines at once.

        The shell only collects them. So it need not be waited for after each of them; the line
        that ends them is typed once it has read all. Returned is how the last wait has ended.
        """
        more = readiness.screen.before_cursor
        while space := _space_for_more(readiness):
            body = lines.take_body(space)
            if not body:
                break
            mark = yield from self._press(KeySequence.lines("\n".join([*body, ""])))
            strategy = CollectedStrategy(readiness.screen, more, tuple(body)) | ExitStrategy()
            readiness = yield from self.wait_ready(
                deadline, strategy=strategy, since=mark, idle_timeout=idle_timeout
            )
        return readiness

    def _result(
        self, typed: Typed, readiness: Readiness, deadline: Deadline
    ) -> Plan[CommandResult]:
        """Return the output of a command; note whether it has ended."""
        printed = yield from self._printed_by(typed, readiness)
        # tmux 3.8 knows a status as well, but by the report of any program, also in the output.
        status = self.state.written.marks.status
        self.state.end_output()
        doubt = printed.doubt or typed.doubt(readiness, printed.text, self.state.prompt)
        has_ended = typed.has_ended(readiness)
        self.state.typed = None if has_ended else typed
        status = status if has_ended else None
        line = status_line(readiness) if typed.exit_status and has_ended else ""
        # In doubt somebody may have run another command, whose status the shell would report.
        if line and status is None and (not typed.is_resumed or doubt in ("", ANSWERED)):
            status = yield from self._exit_status(line, deadline)
        return CommandResult(
            output=printed.text,
            complete=not doubt,
            readiness=readiness,
            doubt=doubt,
            exit_status=status,
            mark=typed.first,
            has_ended=has_ended,
        )

    def _printed_by(self, typed: Typed, readiness: Readiness) -> Plan[Printed]:
        """Return what a command has printed so far."""
        new = yield from self.printed(typed.shown, readiness, typed=typed.line, ground=typed.ground)
        return Printed(typed.before.text + new.text, typed.before.doubt or new.doubt)

    def _exit_status(self, line: str, deadline: Deadline) -> Plan[int | None]:
        """Ask the shell for the exit status of the command that has ended; None if it says none."""
        asked = yield from self._type(Lines([line]))
        left = max(deadline.left((yield from clock_time())), _STATUS_PATIENCE)
        told = yield from self.wait_ready(left, since=asked.mark)
        printed = yield from self._printed_by(asked, told)
        return status_in(printed) if told.outcome is Outcome.PROMPT else None


@contextmanager
def _between_lines() -> Iterator[None]:
    """Have errors say that lines were typed before; what is wrong may have come since the first."""
    try:
        yield
    except UNDELIVERED as error:
        raise partly(error, "only a part of the lines has been typed") from error


def _space_for_more(readiness: Readiness) -> Size | None:
    """Return how many lines of a here-document may be typed at once, and how long each may be.

    None if no shell wants more, or if it cannot be determined when it has read what was typed.
    """
    tty, screen, size = readiness.tty, readiness.screen, readiness.screen.size
    # Rows could not be counted where the oldest are thrown away meanwhile.
    later = attrs.evolve(screen, history_size=screen.history_size + size.rows)
    if screen.alternate or may_have_shifted(screen, later):
        return None
    if readiness.outcome is not Outcome.CONTINUATION or tty is None or tty.unread is None:
        return None
    if tty.reading is not True or tty.passes_on or (tty.canonical and not tty.echo):
        return None
    return Size(max(size.columns - _MARGIN, 1), max(size.rows // 2, 1))


def status_line(readiness: Readiness | None) -> str:
    """Return the line that asks for the exit status of the last command; empty if there is none."""
    if readiness is None or readiness.outcome is not Outcome.PROMPT:
        return ""
    return readiness.snapshot.facts.status_line
