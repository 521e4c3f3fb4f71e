"""`run`: type a command's lines at the prompt, wait for its end, and return its output.

Read `RunPlans.run` first: its body is the order of the steps. Each line has two marks (`Mark`). The
wait is judged against the screen from before the line was sent. The output is read from below the
command line, so for that the mark's screen has to show the line.
"""

from collections.abc import Collection
from typing import Final

import attrs

from tmuxprim._engine.command import (
    OF_ONE_COMMAND,
    TAKES_NEXT_LINE,
    CollectedStrategy,
    Lines,
    TypedCommand,
    lines_of,
)
from tmuxprim._engine.follow import FollowPlans
from tmuxprim._engine.output import CommandResult, LineOutput, status_in
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
    "zsh or fish; run the command without asking, or let it print its status itself"
)
# The columns that a shell's prompt for more ("heredoc> ") may take in each row, generously.
_MARGIN: Final = 20
# The shortest wait for the exit status, in seconds: the command may have used up its time limit.
_STATUS_PATIENCE: Final = 3.0


@attrs.frozen
class RunPlans(FollowPlans):
    """The plans for one pane that run the commands of a shell.

    `run` waits for the prompt, types the first line and Enter, and waits until the shell has
    carried it out or asks for more. Then it types the next line, or stops. At the end it reads the
    output, and asks for the exit status on demand.

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
        """Run a command; see `Console.run`.

        Args:
            command: The lines of the command.
            timeout: The longest time, for all steps together.
            exit_status: Whether to ask the shell for the exit status in the end.
            idle_timeout: The longest time without output, in seconds.
            all_output: Whether to keep rows that tmux throws away, by a tap.
            ends_block: Whether to type an empty line if the program asks for the rest of the
                command behind its last line, as a REPL does behind an indented block.
            at: The outcomes at which the first line may be typed.
        """
        deadline = begin(timeout, (yield from clock_time()))
        # Bad arguments are refused here: later the first lines would have been typed.
        time_limit(deadline, idle_timeout, deadline.began)
        KeySequence.text(command)
        lines = Lines(lines_of(command), ends_block=ends_block)
        try:
            # Another thread may press C-c meanwhile (`ConsolePlans.interrupt`). The prompt that was
            # found before that may be gone, so the wait is repeated.
            interrupts = -1
            while interrupts != self.state.interrupts:
                interrupts = self.state.interrupts
                yield from self.until_it_takes_a_line(deadline, at)
            self._refuse(lines, exit_status=exit_status)
            self._begin_tap(command, all_output=all_output)
            self.state.unfinished = None
            typed = yield from self._type(lines, exit_status=exit_status)
            # C-c was pressed while the line was typed.
            if interrupts != self.state.interrupts:
                typed = attrs.evolve(typed, printed_before=LineOutput("", _DISTURBED))
            typed, readiness = yield from self._type_the_rest(typed, lines, deadline, idle_timeout)
            return (yield from self._result(typed, readiness, deadline))
        finally:
            self.state.end_output()

    def resume(self, timeout: TimeLimit, idle_timeout: float | None = None) -> Plan[CommandResult]:
        """Wait on for the command that has not ended; see `Console.resume`."""
        deadline = begin(timeout, (yield from clock_time()))
        typed = self.state.unfinished
        if typed is None:
            raise PaneBusyError(f"{NOTHING}: {_NO_COMMAND}")
        # If something was typed since, the wait is for the answer to that, not to the command.
        is_last_input = self.state.mark is typed.read_mark
        since = typed.wait_mark if is_last_input else None
        readiness = yield from self.wait_ready(deadline, since=since, idle_timeout=idle_timeout)
        typed = attrs.evolve(
            typed,
            is_last_input=is_last_input,
            has_only_answered=self.state.has_only_answered,
            is_resumed=True,
        )
        return (yield from self._result(typed, readiness, deadline))

    def _refuse(self, lines: Lines, *, exit_status: bool) -> None:
        """Refuse a command of which a line cannot be typed, or no exit status can be asked for."""
        ready = self.state.ready
        refuse_lines(lines.left, ready.tty if ready else None)
        if exit_status and not status_line(ready):
            raise PaneBusyError(f"{NOTHING}: {_UNKNOWN_SHELL}")

    def _begin_tap(self, command: str, *, all_output: bool) -> None:
        """Have the next Enter open a tap, if the screen alone cannot show where the output ends.

        The screen can where the height of the prompt is known and the kernel reports the reader. So
        most commands need no tap, which costs two commands of tmux and a pipe.
        """
        ready, prompts = self.state.ready, self.state.prompts
        needs_marks = ready is not None and prompts.needs_marks(ready, command)
        if all_output or needs_marks or self.state.needs_editor:
            reports = ready is not None and prompts.reports(ready)
            self.state.begin_output(ends_line=True, for_run=True, draws=all_output, reports=reports)

    def _type_the_rest(
        self, typed: TypedCommand, lines: Lines, deadline: Deadline, idle_timeout: float | None
    ) -> Plan[tuple[TypedCommand, Readiness]]:
        """Type the lines behind the first, each once the shell is ready for it.

        Returns:
            The command as far as it was typed, and how the wait behind its last line ended.
        """
        readiness = yield from self._wait(typed, deadline, idle_timeout)
        while lines.has_next(readiness.outcome):
            # The next line may scroll it away.
            before = yield from self._printed_by(typed, readiness)
            try:
                readiness = yield from self._type_body(lines, readiness, deadline, idle_timeout)
                if readiness.outcome not in TAKES_NEXT_LINE:
                    break
                typed = yield from self._type(
                    lines, after=attrs.evolve(typed, printed_before=before)
                )
            except UNDELIVERED as error:  # by itself it says that nothing was sent
                raise partly(error, "only a part of the lines has been typed") from error
            readiness = yield from self._wait(typed, deadline, idle_timeout)
        return typed, readiness

    def _wait(
        self, typed: TypedCommand, deadline: Deadline, idle_timeout: float | None
    ) -> Plan[Readiness]:
        """Wait until the shell has carried out a line, or wants the next one."""
        self.state.unfinished = typed  # `resume` waits on for it if this wait raises
        self.state.has_only_answered = True
        return self.wait_ready(deadline, since=typed.wait_mark, idle_timeout=idle_timeout)

    def _type(
        self, lines: Lines, *, exit_status: bool = False, after: TypedCommand | None = None
    ) -> Plan[TypedCommand]:
        """Type the next line and Enter, *after* the lines that were typed before."""
        line = lines.take()
        mark, screen_before = yield from self._submit(line)
        read_mark = self.state.mark or mark  # see `_submit`
        # A program that shows a prompt later and is none of these was started by the command.
        prompt_pids = self.state.prompts.programs | {mark.prompt.pid if mark.prompt else None}
        return TypedCommand(
            first_mark=after.first_mark if after else read_mark,
            wait_mark=mark,
            read_mark=read_mark,
            line=line,
            screen_before=screen_before,
            prompt_pids=frozenset(prompt_pids),
            untyped=tuple(lines.left),
            printed_before=after.printed_before if after else LineOutput(""),
            exit_status=after.exit_status if after else exit_status,
            interrupts=after.interrupts if after else self.state.interrupts,
        )

    def _submit(self, line: str) -> Plan[tuple[Mark, Screen | None]]:
        """Type a line and Enter; return the mark to wait by, and the screen from before the line.

        The line and Enter are sent in one call of tmux where that is safe, which halves the time.
        Otherwise Enter follows once the program has taken the line. The state keeps the mark to
        read the output by, whose screen shows the line.
        """
        state = self.state
        # A strategy of the user's may judge by the screen of the mark. Then that has to be the one
        # from right before Enter, which shows the line.
        ready, prompt = (state.ready, state.prompt) if state.strategy is None else (None, None)
        if state.raw_output.draws:
            ready = None  # the tap would take the echo of the line, and draw it as output
        if ready is None or prompt is None or not takes_line_at_once(ready, prompt, line):
            before = state.ready
            mark = yield from self.send(KeySequence.text(line), enter=True)
            shown = at_its_line(mark, before.screen, line) if before else mark
        else:
            before = ready
            raw_output = state.begin_output(ends_line=True)
            pane = yield from self.locate()
            state.note_typing(KeySequence.text(line))
            mark = yield from submit_at_once(
                pane, line, ready, prompt, leave_mode=state.leave_mode, sends=raw_output.send
            )
            shown = as_typed(state.note_sent(mark), line)
        state.set_mark(shown)
        return mark, before.screen if before else None

    def _type_body(
        self, lines: Lines, readiness: Readiness, deadline: Deadline, idle_timeout: float | None
    ) -> Plan[Readiness]:
        """Type the rest of a here-document's body, several lines at once.

        The shell only collects these lines, so a wait behind each of them would be wasted time. The
        line that ends the document carries the command out. It is typed by itself, once the shell
        has read all others.

        Returns:
            How the last wait ended.
        """
        more = readiness.screen.before_cursor  # the shell's prompt for more
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
        self, typed: TypedCommand, readiness: Readiness, deadline: Deadline
    ) -> Plan[CommandResult]:
        """Return the output of a command; note whether it has ended."""
        printed = yield from self._printed_by(typed, readiness)
        # tmux 3.8 keeps an exit status as well, but any program in the pane may have reported that.
        # A mark in the tap has come since this command's Enter.
        status = self.state.raw_output.marks.status
        self.state.end_output()
        doubt = printed.doubt or typed.doubt(
            readiness, printed.text, self.state.prompt, interrupts=self.state.interrupts
        )
        has_ended = typed.has_ended(readiness)
        self.state.unfinished = None if has_ended else typed
        status = status if has_ended else None
        line = status_line(readiness) if typed.exit_status and has_ended else ""
        # If the output may hold another command, the shell would report the status of that one.
        if line and status is None and (not typed.is_resumed or doubt in OF_ONE_COMMAND):
            status = yield from self._exit_status(line, deadline)
        return CommandResult(
            output=printed.text,
            complete=not doubt,
            readiness=readiness,
            doubt=doubt,
            exit_status=status,
            mark=typed.first_mark,
            has_ended=has_ended,
        )

    def _printed_by(self, typed: TypedCommand, readiness: Readiness) -> Plan[LineOutput]:
        """Return the output of all lines so far: of the last one, behind that of those before."""
        new = yield from self.printed(
            typed.read_mark, readiness, typed=typed.line, screen_before=typed.screen_before
        )
        return LineOutput(
            typed.printed_before.text + new.text, typed.printed_before.doubt or new.doubt
        )

    def _exit_status(self, line: str, deadline: Deadline) -> Plan[int | None]:
        """Ask the shell for the status of the command that has ended; None without an answer."""
        asked = yield from self._type(Lines([line]))
        left = max(deadline.left((yield from clock_time())), _STATUS_PATIENCE)
        readiness = yield from self.wait_ready(left, since=asked.wait_mark)
        printed = yield from self._printed_by(asked, readiness)
        return status_in(printed) if readiness.outcome is Outcome.PROMPT else None


def _space_for_more(readiness: Readiness) -> Size | None:
    """Return how many lines of a here-document may be typed at once, and how long each may be.

    None if no shell asks for more, or if nothing would show that it has read all of them.
    """
    tty, screen, size = readiness.tty, readiness.screen, readiness.screen.size
    # `CollectedStrategy` counts rows, which is impossible where tmux throws the oldest away.
    later = attrs.evolve(screen, history_size=screen.history_size + size.rows)  # a screenful later
    if screen.alternate or may_have_shifted(screen, later):
        return None
    if readiness.outcome is not Outcome.CONTINUATION or tty is None or tty.unread is None:
        return None
    # Behind ssh the shell is not seen to read, and without an echo no row shows what it has read.
    if tty.reading is not True or tty.passes_on or (tty.canonical and not tty.echo):
        return None
    return Size(max(size.columns - _MARGIN, 1), max(size.rows // 2, 1))


def status_line(readiness: Readiness | None) -> str:
    """Return the line at which the shell prints the last exit status; empty if none is known."""
    if readiness is None or readiness.outcome is not Outcome.PROMPT:
        return ""
    return readiness.snapshot.facts.status_line
