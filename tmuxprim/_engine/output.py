"""The output of a command: the rows between its command line and the next prompt.

`read_output` finds both on the screen and in the history. Wherever that may be wrong it keeps the
reason, the *doubt*, which `CommandResult.complete` and `doubt` show to the user.
"""

import re
from itertools import dropwhile
from typing import Final, NamedTuple

import attrs

from tmuxprim._engine.output_end import DOUBTS_OF_END, PAINTED, find_end
from tmuxprim._engine.prompt_rows import CommandLine, ShownPrompt, cursor_row, find_below
from tmuxprim._engine.prompt_start import PromptStart
from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim._values.evidence import Mark
from tmuxprim._values.lines import cut_at_column
from tmuxprim._values.new_text import find_row, lines_from, may_have_shifted
from tmuxprim._values.screen import Screen
from tmuxprim.errors import CommandError

_STATUS: Final = re.compile("[0-9]{1,10}")
# So many characters of an output are in its repr, which is meant for one row of a log.
_SHOWN: Final = 60
# So many rows of a full history are searched first for the command line.
_FEW_ROWS: Final = 2_000

GONE: Final = "its beginning is gone: cleared, painted over, or scrolled out of the history"
_RUNS: Final = "the command has not ended"
_RESIZED: Final = "the window was resized meanwhile, and its rows wrapped anew"
_OVER: Final = "it was printed over another text, of which a part may be left: clear the screen"
_FILLED: Final = "the command line fills its row, and the blank row below it may be output"
BEFORE: Final = (
    "its first rows may come from a hook before the command, such as PS0 of bash or preexec of zsh"
)
AGAIN: Final = "the line editor has shown the command line again"


@attrs.frozen(kw_only=True, repr=False)
class CommandResult:
    r"""The output of a command, and how the wait for its end ended.

    The output is the text that a terminal keeps: control sequences were carried out, and tabs
    are spaces. ``str(result)`` is the output. ``bool(result)`` is whether the command has ended
    and its exit status, if known, is 0.

    Args:
        output: The printed text, in its own lines, however the screen wraps them. It ends with a
            line break if the output did.
        complete: Whether that is exactly the output. False if its beginning is gone, if the command
            has not ended, or if a part of the prompt may be in it.
        readiness: How the wait ended.
        doubt: Why it is not complete, and what helps; empty if it is complete.
        exit_status: The exit status of the command, if the shell has reported it: by itself (OSC
            133), or because it was asked (``exit_status``); otherwise None.
        mark: The mark from right before the Enter of its first line. ``read(since=result.mark)``
            returns the part of its output that the pane still shows and keeps.
        has_ended: Whether the shell has shown its prompt again. False while the command runs or
            asks something, and if the shell has exited.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a.txt\nb.txt"})})
        >>> result = Console(terminal, terminal.open("sh")).run("ls")
        >>> result.output, result.complete
        ('a.txt\nb.txt\n', True)
        >>> result
        CommandResult('a.txt\nb.txt\n', complete=True)
    """

    output: str
    complete: bool
    readiness: Readiness
    doubt: str = ""
    exit_status: int | None = None
    mark: Mark | None = None
    has_ended: bool = True

    def __bool__(self) -> bool:
        return self.has_ended and self.exit_status in (None, 0)

    def __str__(self) -> str:
        return self.output

    def __repr__(self) -> str:
        shown = self.output if len(self.output) <= _SHOWN else f"{self.output[:_SHOWN]}..."
        facts = [f"{shown!r}", f"complete={self.complete}"]
        facts += [f"doubt={self.doubt!r}"] * bool(self.doubt)
        facts += [f"exit_status={self.exit_status}"] * (self.exit_status is not None)
        facts += [] if self.has_ended else [f"outcome={self.readiness.outcome.name}"]
        return f"{type(self).__name__}({', '.join(facts)})"


def checked(command: str, result: CommandResult) -> CommandResult:
    """Return the result of a command that has ended with exit status 0.

    Raises:
        CommandError: If it has not, or if that is not known.
    """
    if not result.has_ended or result.exit_status != 0:
        raise CommandError(command, result)
    return result


class LineOutput(NamedTuple):
    """The output of one line that was typed."""

    text: str
    doubt: str = ""
    """Why that may not be exactly the output; empty if it is."""


def status_in(printed: LineOutput) -> int | None:
    """Return the number that is all that was printed; None if something else was."""
    number, _, rest = printed.text.partition("\n")
    is_alone = printed.doubt in DOUBTS_OF_END if printed.doubt else not rest
    return int(number) if is_alone and _STATUS.fullmatch(number) else None


def histories_to_try(mark: Mark, screen: Screen) -> tuple[int, ...]:
    """Return how many rows of the history to read for the output: one number after the other.

    None are needed if the screen shows the command line. The number of rows in the history says how
    many were printed, unless the history is full: then tmux throws old rows away, and a few rows
    are tried before all.
    """
    if screen.alternate or find_row(mark.screen, screen) is not None:
        return ()
    if may_have_shifted(mark.screen, screen):
        few, all_of_it = min(_FEW_ROWS, screen.history_size), screen.history_size
        return (few,) if few == all_of_it else (few, all_of_it)
    printed = max(screen.history_size - mark.screen.cursor_line_number, 0)
    return (min(printed + mark.screen.size.rows, screen.history_size),)


class _Beginning(NamedTuple):
    """The beginning of the output.

    Args:
        row: Its first row, an index into history and rows.
        doubt: Why that may be wrong, or not all; empty if it is sure.
    """

    row: int
    doubt: str


def read_output(
    mark: Mark,
    screen: Screen,
    outcome: Outcome,
    *,
    seen: ShownPrompt | None = None,
    start: PromptStart | None = None,
    typed: str = "",
    screen_before: Screen | None = None,
    above: tuple[str, ...] | None = (),
) -> LineOutput:
    """Return what was printed since the mark, which is from right before Enter.

    Args:
        mark: The mark.
        screen: The screen now, with the history that the output reaches into.
        outcome: How the wait for the end of the output ended.
        seen: The prompt at the cursor; None if there is none.
        start: The cell where that prompt begins, if the shell's own marks report it.
        typed: The line that was typed.
        screen_before: The screen from before it was typed; None for that of the mark.
        above: The rows that hooks have printed above the output; None if it cannot be determined
            whether they have.
    """
    # The alternate screen belongs to a full-screen program. But if one was killed before the
    # command, it has left that on, and the shell shows its prompt there.
    if screen.alternate and not (mark.screen.alternate and seen):
        return LineOutput(screen.text, _RUNS)
    command = find_below(mark.screen, screen)
    if seen is None and outcome is not Outcome.CONTINUATION:
        # No prompt: the command runs, or asks something, and all rows so far are its output.
        return LineOutput(_text_so_far(command, screen), _RUNS)
    doubt = doubt_of_place(
        command, mark.screen, screen, seen, screen_before=screen_before, typed=typed
    )
    begins = _beginning(command, screen, above, doubt)
    end = find_end(screen, begins.row, mark=mark, command=command, seen=seen, start=start)
    lines, doubt = _lines(screen, begins.row, end.row, command)
    text = "".join(f"{line}\n" for line in lines) + end.tail
    return LineOutput(text, begins.doubt or doubt or end.doubt)


def _text_so_far(command: CommandLine | None, screen: Screen) -> str:
    """Return the text between the command line and the cursor."""
    lines = lines_from(screen, command.below if command else 0, cursor_row(screen) + 1)
    text = "\n".join(lines).rstrip("\n")
    return text + "\n" * bool(text and not screen.before_cursor)


def _beginning(
    command: CommandLine | None, screen: Screen, above: tuple[str, ...] | None, doubt: str
) -> _Beginning:
    """Return where the output begins: below the command line and the rows of hooks (*above*)."""
    if command is None:
        return _Beginning(0, doubt)
    rows = (screen.history + screen.rows)[command.below : cursor_row(screen)]
    if above is None or rows[: len(above)] != above:
        return _Beginning(command.below, doubt or BEFORE)
    return _Beginning(command.below + len(above), doubt)


def doubt_of_place(
    command: CommandLine | None,
    before: Screen,
    now: Screen,
    seen: ShownPrompt | None,
    *,
    screen_before: Screen | None = None,
    typed: str = "",
) -> str:
    """Return why the rows below the command line may not be the output, or not all of it."""
    screen_before = screen_before or before
    if command is None or command.below > cursor_row(now):
        return GONE
    # Text below the cursor from before the command, as a full-screen program leaves it that was
    # killed. Not all shells wipe it, and the output may cover only a part of it.
    if any(screen_before.rows[screen_before.cursor.row + 1 :]):
        return _OVER
    if typed and _is_shown_again(typed, screen_before, now, command):
        return AGAIN
    if now.size != before.size:
        return _RESIZED
    if _is_painted_over(command, before, now, seen):
        return PAINTED
    return _FILLED * command.is_guess


def _is_shown_again(typed: str, screen_before: Screen, now: Screen, command: CommandLine) -> bool:
    """Whether the line that was typed is shown once more below the command line."""
    prompt, columns = screen_before.before_cursor, now.size.columns
    shown = cut_at_column(prompt + typed, columns).rstrip(" ")
    # Behind a prompt the row may hold output as well, if the window was resized at that moment.
    # Without a prompt the row has to be the line alone: any output might begin with it.
    shown = shown if prompt.strip() else f"{shown}\n"
    rows = (now.history + now.rows)[command.below : cursor_row(now)]
    return any(f"{row}\n".startswith(shown) for row in rows)


def _is_painted_over(
    command: CommandLine, before: Screen, now: Screen, seen: ShownPrompt | None
) -> bool:
    """Whether the rows above the prompt of the command line are not those of before."""
    height = min(command.last_row, before.cursor.row)
    # The upper rows of a prompt itself may have changed: some show when the command was started.
    above = max(height - (seen.prompt.height if seen else 1) + 1, 0)
    top, old_top = command.last_row - height, before.cursor.row - height
    return (now.history + now.rows)[top : top + above] != before.rows[old_top : old_top + above]


def _lines(
    screen: Screen, first: int, end: int, command: CommandLine | None
) -> tuple[list[str], str]:
    """Return the whole lines of the output, and a doubt about the first of them."""
    lines = lines_from(screen, first, end)
    if command is None:
        # The screen was cleared. zsh has wiped a row with blanks, which tmux keeps in the history.
        return [*dropwhile(str.isspace, lines)], ""
    if command.last_row == first and lines and lines[0].endswith(" "):
        # A line editor whose line fills its row writes a blank into the next row, to move the
        # cursor there. That blank is not output.
        return [lines[0].rstrip(" "), *lines[1:]], _FILLED
    return lines, ""
