"""`Facts`: the facts of one snapshot about the program that takes what is typed.

The kernel's evidence, the program's name and the mark are weighed here and nowhere else, and each
fact is found once for a snapshot. From these facts a strategy concludes the outcome, and the time
for which the screen has to be unchanged. The file has four parts: the program, the mode of the
terminal, the reader, and the text at the cursor.
"""

import enum
import re
from functools import cached_property
from typing import Final

import attrs

from tmuxprim._readiness.words import (
    QUESTION,
    Text,
    is_of_a_repl,
    is_same_prompt,
    kind_of_text,
)
from tmuxprim._values.evidence import Level, Mark, Prompt, TtyState, command_of
from tmuxprim._values.programs import Kind, KnownProgram, program_called
from tmuxprim._values.screen import Screen

# Words in a command line: those that change a shell's prompt, those that have the shell read an
# answer, and those that have it read one with its line editor.
_SETS_PROMPT: Final = re.compile(r"(?:^|[\s;&])(?:PS1|PROMPT|prompt)=|\bfish_prompt\b")
_MAY_SET_PROMPT: Final = re.compile(r"(?:^|[\s;&])(?:\.|source|exec)\s")
_READS: Final = re.compile(r"(?:^|[\s;&|({])(?:read|select)\s")
_EDITS: Final = re.compile(r"(?:^|[\s;&|({])(?:vared\s|read\s(?:[^;&|]*\s)?-\w*e)")
_IS_FED: Final = re.compile(r"\|[^;&]*\bread\s|\bread\s.*<")  # no person answers that
# Seconds. A reader with a longer time limit waits for a person; with a shorter one it may only
# poll.
_SHORT_LIMIT: Final = 10.0
# Seconds that a reader may take, after its time is up, to show that it goes on.
_SLACK: Final = 0.5


class Reader(enum.Enum):
    """The program that takes what is typed next, and the place where it reads if it is a shell."""

    SHELL_AT_PROMPT = enum.auto()
    """A shell, at the place where it reads commands."""
    SHELL_ELSEWHERE = enum.auto()
    """A shell, at another place: its ``read`` asks, or it wants the rest of a command."""
    SHELL = enum.auto()
    """A shell; what it reads cannot be determined."""
    NO_SHELL = enum.auto()
    """Another program or none; or the reader cannot be determined."""


# Without slots, as `Screen`: a cached property of attrs would slow each access down.
@attrs.frozen(kw_only=True, slots=False)
class Facts:
    """The facts of one snapshot, each found when it is first asked for.

    Args:
        screen: What the pane shows.
        tty: The kernel's evidence, or None without any.
        mark: What was there before the last send, or None if nothing was sent.
        polls: See `Snapshot`.
        seen_limit: `Snapshot.limit`.
    """

    screen: Screen
    tty: TtyState | None
    mark: Mark | None
    polls: bool
    seen_limit: float | None

    # The program.

    @property
    def command(self) -> str:
        """Name of the command in the foreground, also behind a pass-through program."""
        return command_of(self.screen, self.tty)

    @cached_property
    def named(self) -> KnownProgram:
        """The facts about the command, by its name: they count even if it carries out a script."""
        return program_called(self.command)

    @cached_property
    def program(self) -> KnownProgram:
        """The facts about the program itself: none are known of a script, or of code that is given.

        The kernel reports the script of programs that may work while they read.
        """
        # python3 alone is a REPL and shows prompts; python3 x.py may be any program.
        run_by = self.tty.program if self.tty else None
        return self.named if run_by is None else program_called(run_by)

    @property
    def is_shell(self) -> bool:
        """Whether the command is a shell."""
        return self.named.kind is Kind.SHELL

    @cached_property
    def is_pass_through(self) -> bool:
        """Whether the reader is a pass-through program: another program shows what is there."""
        tty = self.tty
        if tty is None or not tty.is_raw:
            return False
        if tty.passes_on is None:
            # It passes C-c on as well, so that the kernel must make no signal of it (termios(3)).
            return not tty.signals
        return tty.passes_on or self.named.passes_on

    @property
    def has_inner_program(self) -> bool:
        """Whether another program is behind the command, or will be once ssh has connected."""
        if self.is_pass_through or (self.tty is not None and self.tty.pass_through_count > 0):
            return True
        return self.named.passes_on or self.named.kind is Kind.PASS_THROUGH

    @property
    def status(self) -> str | None:
        """The state that the program reports in a file; None without any."""
        return self.tty.status if self.tty else None

    @property
    def may_be_shell(self) -> bool:
        """Whether the command is a shell, or one may be behind it, or its name is not known."""
        is_known = self.command and self.named.kind is not Kind.PASS_THROUGH
        return self.is_shell or not is_known or self.is_pass_through

    # The terminal's mode.

    @property
    def level(self) -> Level | None:
        """The kind of the kernel's evidence."""
        return self.tty.level if self.tty else None

    @property
    def is_raw(self) -> bool:
        """Whether a program is known to read key by key."""
        return self.tty is not None and self.tty.is_raw

    @property
    def is_canonical(self) -> bool:
        """Whether the kernel is known to collect lines."""
        return self.tty is not None and self.tty.canonical

    @property
    def is_edited(self) -> bool:
        """Whether the terminal is as a line editor leaves it."""
        return self.tty is not None and bool(self.tty.edits)

    @property
    def reads_single_keys(self) -> bool:
        """Whether a program is known to read key by key, without a line editor: ``read -n 1``."""
        return self.is_raw and not (self.is_edited or self.is_pass_through)

    @cached_property
    def has_line_editor(self) -> bool:
        """Whether the line editor of a shell has the terminal, and no program that it runs."""
        tty = self.tty
        if tty is None or tty.reading is False or not (tty.edits and self.program.edits_lines):
            return False
        # A key of the shell may start another program, such as fzf. That reads in the shell's
        # process group, and in the same mode.
        return tty.reader_pid is None or tty.reader_pid == tty.foreground_pid

    @cached_property
    def is_fullscreen(self) -> bool:
        """Whether a program shows itself on the whole screen.

        A program that was killed leaves the alternate screen on. The shell that shows its prompt
        there does not count.
        """
        tty = self.tty
        if not self.screen.alternate:
            return False
        if tty is not None and tty.pass_through_count:
            return True  # such as mc, with a shell behind its panels
        if self.knows_reading:
            # A shell reads lines, or edits one: the program that has drawn the screen is gone.
            takes_single_keys = self.is_raw and not self.is_edited
            return takes_single_keys or not self.shell_reads
        return not (self.is_shell and self.is_known_prompt)

    # The reader. `reads` is the kernel's report. Three facts say how much that counts, each more
    # than the one before: `knows_reading` (the kernel reports a reader, or that there is none),
    # `is_reported` (and no program polls for keys instead), `is_sure` (and only a key lets the
    # reader go on).

    @property
    def knows_reading(self) -> bool:
        """Whether the kernel says if a process is blocked reading the terminal (``reading``)."""
        return self.tty is not None and self.tty.reading is not None

    @property
    def none_reads(self) -> bool:
        """Whether the kernel reports that no process is blocked reading the terminal."""
        return self.tty is not None and self.tty.reading is False

    @property
    def reads(self) -> bool:
        """Whether the kernel reports a process that is blocked reading the terminal."""
        return self.tty is not None and bool(self.tty.reading)

    @property
    def only_reads(self) -> bool:
        """Whether that process is known to wait for nothing but the terminal."""
        return self.tty is not None and bool(self.tty.only_reading)

    @property
    def waits_for_more(self) -> bool:
        """Whether that process is known to wait for something else as well."""
        return self.tty is not None and self.tty.only_reading is False

    @cached_property
    def reader(self) -> Reader:
        """The program that takes what is typed next, if it is a shell."""
        tty = self.tty
        # tmux reports the name of the foreground group's leader. Another process of it may read.
        is_leader = self.reads and tty is not None and tty.reader_pid == tty.foreground_pid
        is_shell = self.is_shell if is_leader else self.has_line_editor
        return self._place_of_shell() if is_shell else Reader.NO_SHELL

    @property
    def shell_reads(self) -> bool:
        """Whether a shell itself reads, with a line editor or without one."""
        return self.reader is not Reader.NO_SHELL

    @property
    def takes_keys_itself(self) -> bool:
        """Whether a program may read key by key that is no line editor, and passes nothing on.

        If no process reads, no program draws a menu or the like: the text was printed.
        """
        return self.is_raw and not (self.none_reads or self.is_pass_through or self.has_line_editor)

    @property
    def draws_itself(self) -> bool:
        """Whether a program with an event loop draws itself, without a cursor or on all the screen.

        Such a program reads keys at all times, so the kernel's report does not mean that it waits.
        """
        draws = self.screen.alternate or not self.screen.cursor_visible
        has_event_loop = self.reads and self.waits_for_more
        return draws and has_event_loop and self.takes_keys_itself

    @property
    def is_reported(self) -> bool:
        """Whether the kernel reports the reader, or that there is none.

        A program that polls for keys is never blocked in a read, so nothing is reported of it.
        """
        return self.knows_reading and not self.polls

    @property
    def has_time_limit(self) -> bool:
        """Whether the reader is reported, and goes on by itself if nothing is typed."""
        return self.is_reported and self.reads and self.seen_limit is not None

    @property
    def is_sure(self) -> bool:
        """Whether the kernel reports that the reader goes on only by a key, or that none reads."""
        return self.is_reported and not (self.has_time_limit or self.may_work)

    @property
    def may_read(self) -> bool:
        """Whether a guess may say that input is awaited, and not only that nothing changes.

        Then the reader is reported, or a process has made the terminal raw, and sleeps. A process
        that only sleeps for a time, as perl and Tcl may with `select`, leaves the mode as it is.
        """
        tty = self.tty
        if tty is None or tty.reading is not None:
            return self.is_reported and not self.has_time_limit
        return tty.is_raw and tty.level in ("syscall", "wchan") and not tty.passes_on

    def still_for(self, seconds: float) -> float:
        """Return the seconds without change before a guess: at least so many as are given.

        A reader with a short time limit may go on and print. So its limit has to be over, and a
        little more, without a change.
        """
        limit = self.seen_limit if self.has_time_limit else None
        is_short = limit is not None and limit <= _SHORT_LIMIT
        return max(seconds, limit + _SLACK) if limit and is_short else seconds

    @property
    def is_doubtful(self) -> bool:
        """Whether the kernel's report of the reader does not decide that the program waits."""
        return self.is_pass_through or self.has_time_limit or not self.is_reported

    @property
    def missing_evidence(self) -> str:
        """The evidence that the kernel did not report, in plain words; empty if it reported all."""
        level = self.level
        if self.tty is None:
            return "without kernel evidence"
        if not self.is_reported:
            return "without knowing the reader" + (f"; {level} evidence" if level else "")
        if self.is_pass_through:
            outer = self.command or "this program"
            return f"a guess: the program behind {outer} cannot be determined"
        if self.has_time_limit and self.seen_limit:
            return f"it goes on without a key after {self.seen_limit:g} s"
        if self.has_time_limit:
            return f"it may go on without a key; {level} evidence"
        return "wchan evidence" if level == "wchan" else ""

    # The text at the cursor, and the prompt that was seen before.

    @cached_property
    def text(self) -> str:
        """The cursor's line, up to the cursor."""
        return self.screen.line_before_cursor

    @cached_property
    def kind(self) -> Text:
        """The kind of that text."""
        return kind_of_text(self.text)

    @property
    def may_be_question(self) -> bool:
        """Whether that text ends as a question does, though it may be a prompt as well."""
        return QUESTION.search(self.text) is not None

    @property
    def hides_input(self) -> bool:
        """Whether the kernel collects a line and does not show it."""
        return self.tty is not None and self.tty.hides_input

    @property
    def prompt(self) -> Prompt | None:
        """The prompt that was found before the last send."""
        return self.mark.prompt if self.mark else None

    @property
    def known_prompt(self) -> str:
        """Its text; empty if none is known that shows anything."""
        prompt = self.prompt
        return prompt.text if prompt and prompt.text.strip() else ""

    @property
    def known_more(self) -> str | None:
        """The text by which the program of that prompt has asked for more before, if it has."""
        return self.prompt.more if self.prompt else None

    @property
    def is_known_prompt(self) -> bool:
        """Whether the text is that prompt, and nothing else."""
        return bool(self.known_prompt) and self.text == self.known_prompt

    @property
    def shows_known_prompt(self) -> bool:
        """Whether the text ends with that prompt; of one that shows nothing, whether it is blank.

        Output without a line break at its end is left of the prompt.
        """
        known = self.known_prompt
        return self.text.endswith(known) if known else not self.text.strip()

    @property
    def typed(self) -> str:
        """The text behind that prompt; empty if the line does not begin with it."""
        known = self.known_prompt
        return self.text[len(known) :] if known and self.text.startswith(known) else ""

    @cached_property
    def is_same_prompt(self) -> bool:
        """Whether the text is the one of that prompt, but for its numbers."""
        return self.prompt is not None and is_same_prompt(self.text, self.prompt.text)

    @property
    def is_same_process(self) -> bool:
        """Whether the process that showed that prompt is in the foreground."""
        now, then = self._pids
        return now is not None and now == then

    @property
    def is_other_process(self) -> bool:
        """Whether another process is known to be in the foreground."""
        now, then = self._pids
        return None not in (now, then) and now != then

    @property
    def _pids(self) -> tuple[int | None, int | None]:
        """The process in the foreground, and the one that showed that prompt, if they are known."""
        now = self.tty.foreground_pid if self.tty else None
        return now, self.prompt.pid if self.prompt else None

    @property
    def may_ask(self) -> bool:
        """Whether a shell's own ``read`` may be in what was typed last."""
        line = self.mark.line if self.mark else None
        return line is None or _READS.search(line) is not None

    @property
    def may_prompt(self) -> bool:
        """Whether the command is known to show prompts, in this mode of the terminal.

        Or a program behind it is: that is what ssh is for.
        """
        program = self.program
        # With wchan evidence the kernel reports each reader of a line but one that polls for it,
        # and such a poll may as well be a sleep. So in canonical mode no text counts as a prompt
        # then. Nor does it of a program that always edits its lines itself, in raw mode.
        may_read_lines = self.level != "wchan" and not program.always_edits_lines
        if self.is_canonical and not may_read_lines:
            return False
        if not self.command or program.kind is Kind.SHELL or program.passes_on:
            return True
        # The program may be a script that passes on what another one shows, as Python's pty does.
        may_pass_on = self.tty is None or self.is_pass_through
        return program.kind is Kind.REPL and (not may_pass_on or is_of_a_repl(self.text))

    @property
    def never_prompts(self) -> bool:
        """Whether the command is known to show no prompts: another program has printed the text."""
        return self.named.kind is Kind.FILTER or self.is_script

    @property
    def is_script(self) -> bool:
        """Whether the shell that reads carries out a script, which may come from a pipe.

        An interactive shell ignores SIGTSTP, so that C-z cannot stop it; a script does not.
        """
        tty = self.tty
        if tty is None or tty.ignores_stop is not False:
            return False
        is_named = tty.reader_pid == tty.foreground_pid or tty.command is not None
        return is_named and self.named.ignores_stop

    @cached_property
    def is_guess(self) -> bool:
        """Whether it is a guess that a text at the cursor that looks like a prompt is one.

        Where the kernel does not report the reader, the terminal's mode still shows a line editor,
        and a prompt that the same program has shown before is a prompt again.
        """
        # After a key that ends no line, a shell draws no new prompt.
        has_ended = self.mark is None or self.mark.ends_line
        is_editor = has_ended and self._seems_to_edit and self.may_prompt
        return not (self.is_sure or is_editor or self._is_back)

    @property
    def may_work(self) -> bool:
        """Whether the reader may go on without a key: another thread or process of it may work."""
        tty = self.tty
        if tty is None or not (tty.reading and tty.may_work) or self.is_pass_through:
            return False
        # Shells and REPLs wait for other things at their prompts as well: fish has a pipe to itself
        # open, and Node an epoll descriptor.
        return not (tty.is_raw and self.program.kind in (Kind.SHELL, Kind.REPL))

    @property
    def _seems_to_edit(self) -> bool:
        """Whether, by the terminal's mode, a program edits a line at its prompt."""
        tty, program = self.tty, self.program
        if tty is None or not tty.edits or self.may_work:
            return False
        if program.may_run_scripts and tty.program is None:
            return False  # it may be an interpreter with a script, of which nothing is known
        if self.has_time_limit:
            # A program may have made its own raw mode, and poll in it. Line editors leave C-c to
            # the kernel, except those of some shells.
            return tty.signals or program.kind is Kind.SHELL
        return not (program.is_raw_early or program.passes_on)

    @property
    def _is_back(self) -> bool:
        """Whether the program that has shown this prompt shows it again, in the same mode."""
        tty, mark = self.tty, self.mark
        if mark is None or mark.prompt is None or not self.is_same_prompt:
            return False
        # A command may print the prompt's text: it runs in another mode than the shell reads in.
        if tty is not None and mark.tty is not None and _mode(tty) != _mode(mark.tty):
            return False
        return self.is_same_process or (None in self._pids and self.command == mark.command)

    def _place_of_shell(self) -> Reader:
        """Return where a shell reads: by its stack, by being just started, or by the last line."""
        tty, mark, prompt = self.tty, self.mark, self.prompt
        if tty is None or mark is None or prompt is None:
            return Reader.SHELL
        known, now = prompt.read_site, tty.read_site
        if known is None or now is None:
            is_new = mark.command not in ("", self.command)
        elif place := self._place_by_stack(known, now):
            return place
        else:
            is_new = True
        # A shell that exec has just started, in the same process and with a new stack, has nothing
        # to ask yet. It begins at its prompt.
        if is_new and self.is_same_process and tty.edits:
            return Reader.SHELL_AT_PROMPT
        return self._place_by_the_line(mark.line)

    def _place_by_stack(self, known: tuple[int, int], now: tuple[int, int]) -> Reader | None:
        """Return where a shell reads, by the depth of its stack; None if that shows nothing.

        Each time that a shell reads a command, it is in the same functions, and so uses the same
        part of its stack, in all of its processes. It uses more or less where its ``read`` asks,
        and in most shells also where it wants the rest of a command.
        """
        (known_start, known_depth), (start, depth) = known, now
        is_same_depth = known_depth == depth
        if self.is_same_process and known_start == start:
            return Reader.SHELL_AT_PROMPT if is_same_depth else Reader.SHELL_ELSEWHERE
        is_same_shell = self.mark is not None and self.mark.command == self.command
        return Reader.SHELL_AT_PROMPT if is_same_depth and is_same_shell else None

    def _place_by_the_line(self, line: str | None) -> Reader:
        """Return where a shell reads, by the line that was typed last, if that is known."""
        line = line or ""
        if self._asks_with_editor(line):
            return Reader.SHELL if self.is_same_prompt else Reader.SHELL_ELSEWHERE
        sets = _SETS_PROMPT.search(line) or (self.is_edited and _MAY_SET_PROMPT.search(line))
        return Reader.SHELL_AT_PROMPT if sets and not _READS.search(line) else Reader.SHELL

    def _asks_with_editor(self, line: str) -> bool:
        """Whether a command line has the shell read an answer with its line editor."""
        if _EDITS.search(line):
            return True
        # fish has its line editor read each answer that does not come from a pipe or a file.
        always = self.named.edits_answers and not _IS_FED.search(line)
        return always and _READS.search(line) is not None

    @property
    def status_line(self) -> str:
        """The line at which the shell here prints an exit status; empty if it is not known.

        It begins with a blank, since many shells keep such lines out of their history.
        """
        # Then the line would be an answer to the shell's ``read``, or to its script.
        is_answer = self.is_script or (self.is_canonical and not self.named.reads_lines)
        status = self.named.exit_status
        return "" if is_answer or not status else f" echo {status}"


def _mode(tty: TtyState) -> tuple[bool, bool]:
    """Return how lines are read: by the kernel, by a line editor, or key by key."""
    return tty.canonical, bool(tty.edits)
