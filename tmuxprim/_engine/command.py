"""A command of a shell: its lines, and how far it has come."""

import re
from typing import Final

import attrs

from tmuxprim._engine.output import Printed
from tmuxprim._readiness.look import Outcome, Readiness
from tmuxprim._values.evidence import Mark, Prompt
from tmuxprim._values.screen import Screen

_WANTS_REST: Final = "the shell wants the rest of the command"
_ASKS: Final = "the command itself shows a prompt, so nobody knows whether it has ended"
_NOT_TYPED: Final = "the command has stopped before its last lines, and those were not typed"
_TYPED_MEANWHILE: Final = "something was typed meanwhile, and that stands in it"
_LINE_BREAK: Final = re.compile("\r\n|\r|\n")


@attrs.frozen
class Typed:
    """A command, as far as it was typed.

    Args:
        first: The mark from before its first line, to read from.
        mark: The mark to wait by for the end of its last line.
        shown: The mark to read by what that line has printed.
        line: That line.
        ground: The screen from before that was typed; None if it is not known.
        known: The process groups that had shown a prompt before.
        left: The lines that were not typed.
        before: What the lines before have printed.
        status: Whether the shell is to be asked for the exit status in the end.
        is_resumed: Whether it was waited for before.
        is_alone: Whether this console has typed nothing else since.
    """

    first: Mark
    mark: Mark
    shown: Mark
    line: str
    ground: Screen | None
    known: frozenset[int | None]
    left: tuple[str, ...]
    before: Printed
    status: bool = False
    is_resumed: bool = False
    is_alone: bool = True

    def is_asking(self, readiness: Readiness) -> bool:
        """Whether the command itself shows a prompt, or a question that looks like one."""
        if readiness.outcome is not Outcome.PROMPT or readiness.tty is None:
            return False
        return readiness.tty.foreground_pid not in self.known

    def doubt(self, readiness: Readiness, output: str, prompt: Prompt | None) -> str:
        """Return why the output may be another's as well, or not all; empty if it is neither.

        Args:
            readiness: How the wait for the end has ended.
            output: What was printed.
            prompt: The shell's prompt.
        """
        if readiness.outcome is Outcome.CONTINUATION:
            return _WANTS_REST
        if self.is_asking(readiness):
            return _ASKS
        if not self.is_resumed:
            return ""
        if self.left:
            return _NOT_TYPED
        known = prompt.text if prompt else ""
        has_prompt = bool(known.strip()) and f"\n{known}" in f"\n{output}"
        return _TYPED_MEANWHILE * (has_prompt or not self.is_alone)


def lines_of(command: str) -> list[str]:
    """Return the lines of a command; a line break at its end begins no other."""
    lines = _LINE_BREAK.split(command)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines
