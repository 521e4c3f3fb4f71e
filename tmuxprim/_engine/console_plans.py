"""`ConsolePlans`: what `Console` and `AsyncConsole` do, written once as plans."""

from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final

import attrs

from tmuxprim._engine.command import CollectedStrategy, Lines, Typed, lines_of
from tmuxprim._engine.output import (
    GONE,
    CommandResult,
    Printed,
    histories_to_try,
    read_output,
    status_in,
)
from tmuxprim._engine.output_end import MARKED, UNCLEAR
from tmuxprim._engine.pane_plans import AT_PROMPT, PanePlans
from tmuxprim._engine.plan import (
    Deadline,
    Plan,
    TimeLimit,
    begin,
    clock_time,
    observe,
    pause,
    probe,
)
from tmuxprim._engine.prompt_rows import Sighting
from tmuxprim._engine.prompt_start import UNPLACED, PromptStart
from tmuxprim._engine.state import ConsoleState
from tmuxprim._engine.submit import (
    as_typed,
    at_its_line,
    refuse_lines,
    submit_at_once,
    takes_line_at_once,
    until_taken,
)
from tmuxprim._engine.wait import time_limit
from tmuxprim._readiness.box import Shows
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.kernel import ExitStrategy
from tmuxprim._readiness.snapshot import Outcome, Readiness, Snapshot, shows_the_same
from tmuxprim._values.checks import NOTHING, UNDELIVERED, partly
from tmuxprim._values.evidence import Mark
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.new_text import find_row, may_have_shifted
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.receipt import Receipt
from tmuxprim._values.screen import Screen
from tmuxprim.errors import PaneBusyError

_TAKES_NEXT_LINE: Final = (Outcome.PROMPT, Outcome.CONTINUATION)
_NO_COMMAND: Final = "there is no command of run() that has not ended"
_DISTURBED: Final = "C-c was pressed while the command was typed, which may have lost a part"
_UNKNOWN_SHELL: Final = (
    "nobody knows how what reads here is asked for an exit status; in bash, zsh, fish and other "
    "shells it is; run the command without, or let it print its status itself"
)
# What a shell shows before each line that it collects has so many columns at most, or so.
_MARGIN: Final = 20
# A shell answers at once; a busy machine may take longer than what is left of the command's time.
_STATUS_PATIENCE: Final = 3.0
# An assistant takes a key within so many seconds, and then shows what it makes of it.
_TAKES_A_KEY: Final = 1.0
_DRAWS_A_KEY: Final = 0.3


@attrs.frozen
class ConsolePlans(PanePlans):
    """All that can be done with one pane, and with the commands of a shell in it.

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
        time_limit(deadline, idle_timeout, deadline.began)  # refuses before anything is typed
        KeySequence.text(command)  # so does this
        with ExitStack() as held:
            held.callback(self.state.end_output)
            interrupts = yield from self._until_it_takes_the_first(deadline, at)
            lines = Lines(lines_of(command))
            refuse_lines(lines.left, self.state.ready.tty if self.state.ready else None)
            if exit_status and not _status_line(self.state.ready):
                raise PaneBusyError(f"{NOTHING}: {_UNKNOWN_SHELL}")
            ready = self.state.ready
            needs_marks = ready is not None and self.state.prompts.needs_marks(ready, command)
            if all_output or needs_marks or self.state.needs_editor:
                reports = ready is not None and self.state.prompts.reports(ready)
                self.state.begin_output(
                    ends_line=True, for_run=True, draws=all_output, reports=reports
                )
            self.state.typed = None
            typed = yield from self._type(lines.take(), lines.left, exit_status=exit_status)
            if interrupts != self.state.interrupts:
                typed = attrs.evolve(typed, before=Printed("", _DISTURBED))
            while True:
                self.state.typed = typed
                readiness = yield from self.wait_ready(
                    deadline, since=typed.mark, idle_timeout=idle_timeout
                )
                if ends_block and not lines.left and readiness.outcome is Outcome.CONTINUATION:
                    lines.left, ends_block = [""], False
                if not lines.left or readiness.outcome not in _TAKES_NEXT_LINE:
                    break
                after = typed, (yield from self._printed_by(typed, readiness))
                with _between_lines():
                    readiness = yield from self._type_body(lines, readiness, deadline, idle_timeout)
                    if readiness.outcome not in _TAKES_NEXT_LINE:
                        break
                    line = lines.take()
                    typed = yield from self._type(
                        line, lines.left, exit_status=exit_status, after=after
                    )
            return (yield from self._result(typed, readiness, deadline))

    def _until_it_takes_the_first(self, deadline: Deadline, at: Collection[Outcome]) -> Plan[int]:
        """Wait until a command can be typed; return how many interrupts were counted by then."""
        interrupts = -1
        while interrupts != self.state.interrupts:  # what was seen before C-c says nothing
            interrupts = self.state.interrupts
            yield from self.until_it_takes_a_line(deadline, at)
        return interrupts

    def submit_with_care(
        self, text: str, *, again: bool, only: Collection[str] | None
    ) -> Plan[Receipt]:
        """Submit a text where that does no harm; see `Console.submit`."""
        yield from self.check_before_typing(submits=bool(text))
        submitted = yield from self.submit(text, only)
        if again:
            submitted = yield from self.press_again(submitted, text, only)
        return submitted.receipt

    def resume(self, timeout: TimeLimit, idle_timeout: float | None = None) -> Plan[CommandResult]:
        """Wait on for the command that has not ended; see `Console.resume`."""
        deadline = begin(timeout, (yield from clock_time()))
        typed = self.state.typed
        if typed is None:
            raise PaneBusyError(f"{NOTHING}: {_NO_COMMAND}")
        is_alone = self.state.mark is typed.shown
        since = typed.mark if is_alone else None
        readiness = yield from self.wait_ready(deadline, since=since, idle_timeout=idle_timeout)
        typed = attrs.evolve(typed, is_alone=is_alone, is_resumed=True)
        return (yield from self._result(typed, readiness, deadline))

    def interrupt(self, timeout: TimeLimit) -> Plan[Readiness]:
        """Press what interrupts the program in front, and wait; see `Console.interrupt`.

        Another thread or task may be in a plan of this console, so its state is left alone, but for
        how the last wait ended, and that keys were pressed.
        """
        state = self.state
        pane = yield from self.locate()
        first, *others = (yield from self._seen(pane)).interrupts
        state.ready = None
        own = ConsoleState(pane, state.strategy, state.leave_mode, pane=pane, prompt=state.prompt)
        plans = PanePlans(own)
        state.interrupts += 1
        mark = yield from plans.keys((first,))
        for step in others:
            yield from until_taken(pane, mark.tty, (yield from clock_time()) + _TAKES_A_KEY)
            yield from pause(_DRAWS_A_KEY)
            if (yield from self._seen(pane)).shown.what is not Shows.WORKS:
                break
            mark = yield from plans.keys((step,))
        state.interrupts += 1  # a run may have begun meanwhile
        return (yield from plans.wait_ready(timeout))

    def _seen(self, pane: Pane) -> Plan[Front]:
        """Return what is in front right now, even if it has not shown all that was typed."""
        tty = yield from probe(pane)
        return Front.seen(Snapshot(screen=(yield from observe(pane)), tty=tty), self.state.strategy)

    def _result(
        self, typed: Typed, readiness: Readiness, deadline: Deadline
    ) -> Plan[CommandResult]:
        """Return the output of a command; note whether it has ended."""
        printed = yield from self._printed_by(typed, readiness)
        # tmux 3.8 knows a status as well, but by the report of any program, also in the output.
        status = self.state.written.marks.status
        self.state.end_output()
        doubt = printed.doubt or typed.doubt(readiness, printed.text, self.state.prompt)
        has_ended = readiness.outcome is Outcome.PROMPT and not typed.is_asking(readiness)
        self.state.typed = None if has_ended else typed
        exit_status = status if has_ended else None
        asks = typed.exit_status and has_ended and exit_status is None
        line = _status_line(readiness) if asks else ""
        if line and not (typed.is_resumed and doubt):
            exit_status = yield from self._exit_status(line, deadline)
        return CommandResult(
            output=printed.text,
            complete=not doubt,
            readiness=readiness,
            doubt=doubt,
            exit_status=exit_status,
            mark=typed.first,
            has_ended=has_ended,
        )

    def _exit_status(self, line: str, deadline: Deadline) -> Plan[int | None]:
        """Ask the shell for the exit status of the command that has ended; None if it says none."""
        asked = yield from self._type(line)
        left = max(deadline.left((yield from clock_time())), _STATUS_PATIENCE)
        told = yield from self.wait_ready(left, since=asked.mark)
        printed = yield from self._printed_by(asked, told)
        return status_in(printed) if told.outcome is Outcome.PROMPT else None

    def _type(
        self,
        line: str,
        left: Collection[str] = (),
        *,
        exit_status: bool = False,
        after: tuple[Typed, Printed] | None = None,
    ) -> Plan[Typed]:
        """Type a line and Enter, *after* the lines before it; some may be *left* to come."""
        mark, ground = yield from self._submit(line)
        shown = self.state.mark or mark
        known = self.state.prompts.programs | {mark.prompt.pid if mark.prompt else None}
        return Typed(
            first=after[0].first if after else shown,
            mark=mark,
            shown=shown,
            line=line,
            ground=ground,
            known=frozenset(known),
            left=tuple(left),
            before=after[1] if after else Printed(""),
            exit_status=exit_status,
        )

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

    def _printed_by(self, typed: Typed, readiness: Readiness) -> Plan[Printed]:
        """Return what a command has printed so far."""
        new = yield from self.printed(typed.shown, readiness, typed=typed.line, ground=typed.ground)
        return Printed(typed.before.text + new.text, typed.before.doubt or new.doubt)

    def learn_prompt(self, timeout: TimeLimit) -> Plan[int | None]:
        """Press Enter at an empty prompt; see `Console.learn_prompt`."""
        deadline = begin(timeout, (yield from clock_time()))
        yield from self.until_it_takes_a_line(deadline, {Outcome.PROMPT})
        yield from self.send("", enter=True)
        readiness = yield from self.wait_ready(deadline)
        if readiness.outcome is not Outcome.PROMPT:
            return None
        seen = yield from self._see_prompt(readiness, is_empty_line=True)
        return seen.prompt.rows

    def _see_prompt(
        self, readiness: Readiness, start: PromptStart | None = None, *, is_empty_line: bool
    ) -> Plan[Sighting]:
        """Return the prompt at the cursor: by its start, or by what the history tells of it."""
        if start is not None and not start.doubt:
            return self.state.prompts.learn(readiness, start)
        prompts, pane = self.state.prompts, (yield from self.locate())
        seen = prompts.see(readiness)
        seen = yield from prompts.see_more(pane, readiness, seen, is_empty_line=is_empty_line)
        is_elsewhere = start is None and bool(self.state.written.marks.prompt)
        return seen._replace(doubt=seen.doubt or UNPLACED) if is_elsewhere else seen

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

    def printed(
        self, mark: Mark, readiness: Readiness, *, typed: str, ground: Screen | None = None
    ) -> Plan[Printed]:
        """Return what was printed since a mark; see `read_output`."""
        written, whole, outcome = self.state.written, None, readiness.outcome
        is_drawn = (
            written.draws
            and outcome in _TAKES_NEXT_LINE
            and may_have_shifted(mark.screen, readiness.screen)
        )
        if is_drawn:
            whole = yield from written.draw((yield from self.locate()), readiness.screen)
        screen = whole or (yield from self._with_output(mark, readiness))
        seen, start = None, None
        if outcome is Outcome.PROMPT:
            start = yield from self._prompt_start(readiness, screen)
            seen = yield from self._see_prompt(readiness, start, is_empty_line=not typed)
            if start is not None and start.doubt and seen.prompt.rows is not None:
                start = None
        above = written.rows_above_output(screen)
        read = partial(read_output, seen=seen, start=start, typed=typed, ground=ground, above=above)
        new = read(mark, screen, outcome)
        if whole is not None and new.doubt == GONE:
            screen = yield from self._with_output(mark, readiness)
            new = read(mark, screen, outcome)
        if new.doubt == MARKED:
            # A mark has a style of its own, which output seldom has.
            snapshot = yield from observe((yield from self.locate()), styled=True)
            if shows_the_same(snapshot, readiness.screen):
                new = read(mark, attrs.evolve(screen, styles=snapshot.styles), outcome)
        if written.marks.is_unclear:
            new = new._replace(doubt=new.doubt or UNCLEAR)
        return new._replace(doubt=written.doubt) if is_drawn and new.doubt == GONE else new

    def _prompt_start(self, readiness: Readiness, screen: Screen) -> Plan[PromptStart | None]:
        """Return where the prompt at the cursor begins, if its shell's marks were taken."""
        written, prompts = self.state.written, self.state.prompts
        if not written.is_open:
            return None
        start = yield from written.find_prompt(screen)
        prompts.note_marks(readiness, written.marks)
        if start is None:
            return None
        pane = yield from self.locate()
        return (yield from prompts.check_hooks(pane, readiness, start, written.marks))

    def _with_output(self, mark: Mark, readiness: Readiness) -> Plan[Screen]:
        """Return the screen with the history that the output reaches into."""
        screen = readiness.screen
        tries = histories_to_try(mark, screen) if readiness else ()
        for rows in filter(None, tries):
            screen = yield from observe((yield from self.locate()), rows)
            if find_row(mark.screen, screen) is not None:
                break
        return screen


@contextmanager
def _between_lines() -> Iterator[None]:
    """Have errors say that lines were typed before; what is wrong may have come since the first."""
    try:
        yield
    except UNDELIVERED as error:
        raise partly(error, "only a part of the lines has been typed") from error


def _space_for_more(readiness: Readiness) -> Size | None:
    """Return how many lines of a here-document may be typed at once, and how long each may be.

    None if no shell wants more, or nobody can tell when it has read what was typed.
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


def _status_line(readiness: Readiness | None) -> str:
    """Return what to type for the exit status of the last command; empty if nobody knows."""
    if readiness is None or readiness.outcome is not Outcome.PROMPT:
        return ""
    snapshot = Snapshot(screen=readiness.screen, tty=readiness.tty)
    return snapshot.facts.status_line
