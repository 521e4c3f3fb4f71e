"""`ConsolePlans`: what `Console` and `AsyncConsole` do, written once as plans."""

import re
from collections.abc import Collection
from typing import Final

import attrs

from tmuxprim._engine.output import CommandResult, Printed, histories_to_try, read_output, status_in
from tmuxprim._engine.pane_plans import AT_PROMPT, PanePlans
from tmuxprim._engine.plan import Plan, clock_time, observe, time_left
from tmuxprim._engine.prompts import Sighting
from tmuxprim._engine.state import Left, is_at_shell
from tmuxprim._engine.submit import (
    as_typed,
    at_its_line,
    refuse_keys,
    submit_at_once,
    takes_line_at_once,
)
from tmuxprim._readiness.look import Look, Outcome, Readiness
from tmuxprim._readiness.shell import status_line
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import Mark
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.new_text import find_row
from tmuxprim._values.screen import Screen
from tmuxprim.errors import PaneBusyError

_LINE_BREAK: Final = re.compile("\r\n|\r|\n")
_TAKES_NEXT_LINE: Final = (Outcome.PROMPT, Outcome.CONTINUATION)
_WANTS_REST: Final = "the shell wants the rest of the command"
_ASKS: Final = "the command itself shows a prompt, so nobody knows whether it has ended"
_UNKNOWN_SHELL: Final = (
    "nobody knows how what reads here is asked for an exit status; in bash, zsh, fish and other "
    "shells it is; run the command without, or let it print its status itself"
)
# A shell answers at once; a busy machine may take longer than what is left of the command's time.
_STATUS_PATIENCE: Final = 3.0


@attrs.frozen
class ConsolePlans(PanePlans):
    """What can be done with one pane, and with the commands of a shell in it.

    Args:
        state: What is known of the pane.
    """

    def run(
        self,
        command: str,
        timeout: float,
        *,
        status: bool = False,
        ends_block: bool = False,
        at: Collection[Outcome] = AT_PROMPT,
    ) -> Plan[CommandResult]:
        """Run a command; see `Console.run`.

        Args:
            command: The command, of one line or several.
            timeout: Longest wait, in seconds.
            status: Whether to ask the shell for the exit status.
            ends_block: Whether to type an empty line if the rest is asked for in the end.
            at: Outcomes at which a command may be typed.
        """
        deadline = (yield from clock_time()) + timeout
        yield from self.until_it_takes_a_line(timeout, at)
        lines = _lines_of(command)
        refuse_keys(lines, self.state.ready.tty if self.state.ready else None)
        if status and not _status_line(self.state.ready):
            raise PaneBusyError(f"{NOTHING}: {_UNKNOWN_SHELL}")
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
        exit_status = None
        if status and not is_asking:
            exit_status = yield from self._exit_status(readiness, deadline)
        return CommandResult(
            output=output,
            complete=not doubt,
            readiness=readiness,
            doubt=doubt,
            exit_status=exit_status,
        )

    def _exit_status(self, readiness: Readiness, deadline: float) -> Plan[int | None]:
        """Ask the shell for the exit status of the command that has ended; None if it does not say.

        Args:
            readiness: How the wait for the command ended.
            deadline: When the time of the command is up.
        """
        line = _status_line(readiness)
        if not line:
            return None
        mark, ground = yield from self._submit(line)
        shown = self.state.mark or mark
        left = yield from time_left(deadline)
        after = yield from self.wait_ready(max(left, _STATUS_PATIENCE), since=mark)
        printed = yield from self.printed(shown, after, typed=line, ground=ground)
        is_over = after.outcome is Outcome.PROMPT
        return status_in(printed) if is_over else None

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

    def _with_output(self, mark: Mark, readiness: Readiness) -> Plan[Screen]:
        """Return the screen with the history that the output reaches into."""
        screen = readiness.screen
        tries = histories_to_try(mark, screen) if readiness else ()
        for rows in filter(None, tries):
            screen = yield from observe((yield from self.locate()), rows)
            if find_row(mark.screen, screen) is not None:
                break
        return screen


def _status_line(readiness: Readiness | None) -> str:
    """Return what to type for the exit status of the last command; empty if nobody knows."""
    if readiness is None or readiness.outcome is not Outcome.PROMPT:
        return ""
    look = Look(screen=readiness.screen, tty=readiness.tty)
    return status_line(look) if is_at_shell(look) else ""


def _is_of_newcomer(readiness: Readiness, known: set[int | None]) -> bool:
    """Whether the command itself shows a prompt, or a question that looks like one."""
    if readiness.outcome is not Outcome.PROMPT or readiness.tty is None:
        return False
    return readiness.tty.foreground_pid not in known


def _lines_of(command: str) -> list[str]:
    """Return the lines of a command; a line break at its end begins no other."""
    lines = _LINE_BREAK.split(command)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines
