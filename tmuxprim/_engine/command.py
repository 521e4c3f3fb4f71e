"""A command of a shell: its lines, and how much of it was typed and has ended."""

import re
from itertools import takewhile
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._engine.output import LineOutput
from tmuxprim._engine.prompt_rows import like_prompt
from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.editor_strategy import is_by_editor
from tmuxprim._readiness.snapshot import (
    SOON,
    Busy,
    Outcome,
    Pass,
    Readiness,
    Snapshot,
    Verdict,
    once_settled,
)
from tmuxprim._values.evidence import Mark, Prompt
from tmuxprim._values.lines import text_columns
from tmuxprim._values.pane import Size
from tmuxprim._values.screen import Screen

_WANTS_REST: Final = "the shell wants the rest of the command"
_GUESS: Final = "the end of the command is a guess: another program may have shown this prompt"
_ASKS: Final = "the command itself shows a prompt, so it cannot be determined whether it has ended"
_NOT_TYPED: Final = "the command has stopped before its last lines, and those were not typed"
_TYPED_MEANWHILE: Final = "something was typed meanwhile, and is a part of it"
_ANSWERED: Final = "the answers to its questions are a part of it"
_INTERRUPTED: Final = "C-c was pressed while the command ran, and its echo '^C' is a part of it"
_ECHO: Final = "^C"  # the kernel's of C-c (termios(3), ECHOCTL), unless the program turns it off
OF_ONE_COMMAND: Final = ("", _ANSWERED, _INTERRUPTED)
"""Doubts with which the output holds nothing of another command."""
_LINE_BREAK: Final = re.compile("\r\n|\r|\n")
# The beginning of a here-document, and the line that ends it (sh(1), "Here-Documents").
_HEREDOC: Final = re.compile(r"""(?<!<)<<-?[ ]*(?:'([^']+)'|"([^"]+)"|\\?([A-Za-z_]\w*))""")


TAKES_NEXT_LINE: Final = (Outcome.PROMPT, Outcome.CONTINUATION)
"""Outcomes at which a shell has carried out a line, or collected it."""


@attrs.frozen
class CollectedStrategy(Strategy):
    """Finds that a shell has read the lines of a here-document, and asks for more.

    Args:
        before: The screen from before they were typed, where it wanted more as well.
        more: Its prompt for more.
        lines: The lines.
    """

    before: Screen
    more: str
    lines: tuple[str, ...]

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say CONTINUATION once it asks for more right below the last of them."""
        screen, tty = snapshot.screen, snapshot.tty
        if tty is None or tty.unread or not tty.reading:
            return Busy("the shell has not read all lines")
        # Each line takes at least one row. Fewer rows mean that some lines are still to be read.
        rows = screen.cursor_line_number - self.before.cursor_line_number
        if not (rows >= len(self.lines) and self._asks(screen, edits=tty.is_raw)):
            return Pass("the shell does not ask for more below the last line", SOON)
        return once_settled(snapshot, 0.0, Outcome.CONTINUATION, "the shell has taken all lines")

    def _asks(self, screen: Screen, *, edits: bool) -> bool:
        """Whether the prompt for more is right below the last line."""
        prompt = like_prompt(self.more).pattern
        # Without a line editor the kernel echoes all lines before the shell reads the first. Then
        # the shell's prompts for all of them follow in one row.
        if not edits:
            return re.search(rf"{prompt}\Z", screen.before_cursor) is not None
        above = screen.rows[screen.cursor.row - 1] if screen.cursor.row else ""
        is_below = above.endswith(self.lines[-1].rstrip(" "))
        return is_below and re.fullmatch(prompt, screen.before_cursor) is not None


def lines_of(command: str) -> list[str]:
    """Return the lines of a command; a line break at its end begins no other."""
    lines = _LINE_BREAK.split(command)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


# The most bytes of a body that are typed at once. In canonical mode the kernel keeps 4,095, and
# drops the rest.
_MOST_BYTES: Final = 3000


@attrs.frozen
class TypedCommand:
    """A command of one or several lines, as far as it was typed.

    Args:
        first_mark: The *read_mark* of its first line, for `CommandResult.mark`.
        wait_mark: The mark that the wait behind its last line is judged against.
        read_mark: The mark below which the output of that line begins: its screen shows the line.
        line: That line.
        screen_before: The screen from before that line was typed; None if it is not known.
        prompt_pids: The process groups that had shown a prompt before it. A group that is not among
            them was started by the command, so its prompt is not the end of the command.
        untyped: Its lines that are not typed yet.
        printed_before: The output of the lines before that one.
        exit_status: Whether the shell is to be asked for the exit status in the end.
        interrupts: How many interrupts this console had made when it was typed.
        is_resumed: Whether `resume` waits for it, after an earlier wait did not find its end.
        is_last_input: Whether this console has typed nothing else since.
        has_only_answered: Whether all that this console has typed since were answers to the
            questions of the command.
    """

    first_mark: Mark
    wait_mark: Mark
    read_mark: Mark
    line: str
    screen_before: Screen | None
    prompt_pids: frozenset[int | None]
    untyped: tuple[str, ...]
    printed_before: LineOutput
    exit_status: bool = False
    interrupts: int = 0
    is_resumed: bool = False
    is_last_input: bool = True
    has_only_answered: bool = False

    def is_asking(self, readiness: Readiness) -> bool:
        """Whether the command itself shows a prompt, or a question that looks like one."""
        if readiness.outcome is not Outcome.PROMPT or readiness.tty is None:
            return False
        return readiness.tty.foreground_pid not in self.prompt_pids

    def has_ended(self, readiness: Readiness) -> bool:
        """Whether the shell itself shows its prompt again."""
        return readiness.outcome is Outcome.PROMPT and not self.is_asking(readiness)

    def doubt(
        self, readiness: Readiness, output: str, prompt: Prompt | None, *, interrupts: int
    ) -> str:
        """Return why the output may not be exactly that of the command; empty if it is.

        Args:
            readiness: How the wait for it ended.
            output: The output.
            prompt: The prompt of the pane, if it is known.
            interrupts: How many interrupts this console has made by now.
        """
        if readiness.outcome is Outcome.CONTINUATION:
            return _WANTS_REST
        if self.is_asking(readiness):
            return _ASKS
        if self._is_guess(readiness):
            return _GUESS
        later = self._doubt_of_later_input(output, prompt) if self.is_resumed else ""
        has_echo = interrupts != self.interrupts and _ECHO in output
        return later or _INTERRUPTED * has_echo

    def _doubt_of_later_input(self, output: str, prompt: Prompt | None) -> str:
        """Return why the output may hold more than the command's: something was typed since."""
        if self.untyped:
            return _NOT_TYPED
        # A prompt within the output means that another command ran behind this one.
        known = prompt.text if prompt else ""
        has_prompt = bool(known.strip()) and f"\n{known}" in f"\n{output}"
        is_ours = not has_prompt and (self.is_last_input or self.has_only_answered)
        return _ANSWERED * (not self.is_last_input) if is_ours else _TYPED_MEANWHILE

    def _is_guess(self, readiness: Readiness) -> bool:
        """Whether it cannot be determined that the shell itself has shown the prompt."""
        if is_by_editor(readiness.strategy):
            return False
        facts = readiness.snapshot.facts
        # The kernel's report is proof by itself. Without it the mark shows whether the prompt is
        # the one that this program has shown before.
        if facts.is_sure or facts.is_pass_through:
            return facts.is_pass_through
        marked = Snapshot(screen=readiness.screen, tty=readiness.tty, mark=self.wait_mark)
        return marked.facts.is_guess


@attrs.define(eq=False)
class Lines:
    """The lines of a command that are still to be typed.

    Args:
        left: The lines.
        ends_block: Whether an empty line is to follow where the shell asks for the rest of a
            command behind the last of them, as a REPL does behind an indented block.
    """

    left: list[str]
    ends_block: bool = False
    _of_body: int = attrs.field(default=0, init=False)
    """How many of the next lines are the body of a here-document that has begun."""

    def has_next(self, outcome: Outcome) -> bool:
        """Whether there is a line to type where a wait has ended so."""
        if self.left:
            return outcome in TAKES_NEXT_LINE
        return self.ends_block and outcome is Outcome.CONTINUATION

    def take(self) -> str:
        """Take the next line; behind the last one, the empty line that ends a block."""
        if not self.left:
            self.ends_block = False
            return ""
        line = self.left.pop(0)
        if self._of_body:
            self._of_body -= 1
            return line
        # If the line begins a here-document, the lines up to its end are its body. A document
        # without an end goes on behind the command, and its lines are typed one by one.
        found = _HEREDOC.search(line)
        end = found and next(filter(None, found.groups()))
        self._of_body = self.left.index(end) if end in self.left else 0
        return line

    def take_body(self, space: Size) -> list[str]:
        """Take lines of a here-document's body that fit into so many rows, if there are any."""
        body = self.left[: min(self._of_body, space.rows)]
        taken = [*takewhile(lambda line: text_columns(line) <= space.columns, body)]
        while len("\n".join(taken).encode()) > _MOST_BYTES:
            taken.pop()
        self.left, self._of_body = self.left[len(taken) :], self._of_body - len(taken)
        return taken
