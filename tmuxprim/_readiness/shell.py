"""Which programs are shells, and which of them edit their lines."""

import re
from typing import Final

from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._readiness.words import is_of_a_repl, is_same_prompt
from tmuxprim._values.evidence import Mark, TtyState
from tmuxprim._values.programs import Kind, program_called

# What changes a shell's prompt; and what asks with its line editor.
_SETS_PROMPT: Final = re.compile(r"(?:^|[\s;&])(?:PS1|PROMPT|prompt)=|\bfish_prompt\b")
_MAY_SET_PROMPT: Final = re.compile(r"(?:^|[\s;&])(?:\.|source|exec)\s")
_READS: Final = re.compile(r"(?:^|[\s;&|({])(?:read|select)\s")
_EDITS: Final = re.compile(r"(?:^|[\s;&|({])(?:vared\s|read\s(?:[^;&|]*\s)?-\w*e)")
_IS_FED: Final = re.compile(r"\|[^;&]*\bread\s|\bread\s.*<")  # no person answers that


def is_shell_that_edits(snapshot: Snapshot) -> bool:
    """Whether the line editor of a shell has the terminal: nothing that it runs has."""
    tty = snapshot.tty
    return (
        tty is not None
        and bool(tty.edits)
        and tty.reading is not False
        and tty.reader_pid in (None, tty.foreground_pid)
        and snapshot.program.edits_lines
    )


def shell_reads(snapshot: Snapshot) -> bool:
    """Whether a shell itself reads, with a line editor or without one."""
    tty = snapshot.tty
    if tty is None or not tty.reading or tty.reader_pid != tty.foreground_pid:
        return is_shell_that_edits(snapshot)
    return has_shell(snapshot) is True


def reads_commands(snapshot: Snapshot) -> bool | None:
    """Whether a shell reads at the place where it reads commands; None if that is not known.

    There it uses as much of its stack each time, in each of its processes. It uses more, or less,
    where it reads what ``read`` asks, and most shells do where they read the rest of a command.
    """
    tty, mark = snapshot.tty, snapshot.mark
    if tty is None or mark is None or mark.prompt is None or not shell_reads(snapshot):
        return None
    prompt, is_same_command = mark.prompt, mark.command == snapshot.command
    is_same_process = prompt.pid == tty.foreground_pid is not None
    has_begun = is_same_process and bool(mark.command) and not is_same_command  # by exec
    if prompt.read_site is not None and tty.read_site is not None:
        (stack, depth), (known_stack, known_depth) = tty.read_site, prompt.read_site
        if is_same_process and stack == known_stack:
            return depth == known_depth
        if is_same_command and depth == known_depth:
            return True
        has_begun = is_same_process
    return True if has_begun and tty.edits else _by_the_line(snapshot, mark)


def _by_the_line(snapshot: Snapshot, mark: Mark) -> bool | None:
    """Whether a shell reads commands, by what was typed; None if that does not tell, either."""
    line, prompt = mark.line or "", mark.prompt.text if mark.prompt else ""
    edits_always = program_called(snapshot.command).edits_answers and not _IS_FED.search(line)
    if _EDITS.search(line) or (edits_always and _READS.search(line)):
        return None if is_same_prompt(snapshot.screen.line_before_cursor, prompt) else False
    if _READS.search(line):
        return None
    edits = snapshot.tty is not None and bool(snapshot.tty.edits)
    sets_prompt = _SETS_PROMPT.search(line) or (edits and _MAY_SET_PROMPT.search(line))
    return True if sets_prompt else None


def may_ask(snapshot: Snapshot) -> bool:
    """Whether a shell's own ``read`` may be in what was typed last."""
    line = snapshot.mark.line if snapshot.mark else None
    return line is None or _READS.search(line) is not None


def is_guess(snapshot: Snapshot, text: str) -> bool:
    """Whether text that looks like a prompt cannot be determined to be one.

    Where the kernel does not tell who reads, the line discipline still tells a line editor; and a
    prompt is back when the program shows it again that has shown it before.
    """
    tty, mark, program = snapshot.tty, snapshot.mark, snapshot.program
    if snapshot.tells_reader and not (snapshot.may_work or snapshot.may_go_on):
        return False
    edits = tty is not None and bool(tty.edits) and not snapshot.may_work
    if snapshot.may_go_on and tty is not None:
        # Of a program's own making; what edits its lines leaves C-c to the kernel, or is a shell.
        edits = edits and (bool(tty.signals) or program.kind is Kind.SHELL)
    else:
        edits = edits and not (program.is_raw_early or program.passes_on)
    is_named = tty is not None and tty.program is not None
    # What an interpreter shows may be of a script, which another name tells.
    if (
        edits
        and (is_named or not program.may_run_scripts)
        and _ends_line(mark)
        and may_prompt(snapshot)
    ):
        return False
    if mark is None or mark.prompt is None or not is_same_prompt(text, mark.prompt.text):
        return True
    if tty is not None and mark.tty is not None and _mode(tty) != _mode(mark.tty):
        return True
    pids = (mark.prompt.pid, tty.foreground_pid if tty else None)
    if None in pids:
        return snapshot.command != mark.command
    return pids[0] != pids[1]


def _mode(tty: TtyState) -> tuple[bool, bool]:
    """Return how lines are read: by the kernel, by a line editor, or key by key."""
    return tty.canonical, bool(tty.edits)


def _ends_line(mark: Mark | None) -> bool:
    """Whether the last key ended a line: else a shell draws no prompt but that it has shown."""
    return mark is None or mark.ends_line


def may_prompt(snapshot: Snapshot) -> bool:
    """Whether the program in the foreground is known to show prompts, in this line discipline.

    Or one behind it is: that is what ssh is for.
    """
    program = snapshot.program
    is_for_lines = snapshot.tty is not None and snapshot.tty.canonical
    # Who reads a line is told there, unless it does so in a poll, which may be a sleep as well.
    is_told = snapshot.tty is not None and snapshot.tty.level == "wchan"
    if is_for_lines and (is_told or (program.edits_lines and not program.reads_lines)):
        return False
    if not snapshot.command or program.kind is Kind.SHELL or program.passes_on:
        return True
    # A script in that language may pass on what another program shows, as Python's pty does.
    may_pass_on = snapshot.tty is None or snapshot.is_passed_through
    is_its = is_of_a_repl(snapshot.screen.line_before_cursor)
    return program.kind is Kind.REPL and (is_its or not may_pass_on)


def is_filter(snapshot: Snapshot) -> bool:
    """Whether the program in the foreground is known to show no prompts: another has written it.

    So has what a shell carries out as a script, be it from a pipe, as in ``curl … | sh``.
    """
    return program_called(snapshot.command).kind is Kind.FILTER or _is_script(snapshot)


def _is_script(snapshot: Snapshot) -> bool:
    """Whether a shell reads a line that takes no commands: it would not let itself be stopped."""
    tty = snapshot.tty
    if tty is None or tty.ignores_stop is not False:
        return False
    is_named = tty.reader_pid == tty.foreground_pid or tty.command is not None
    return is_named and program_called(snapshot.command).ignores_stop


def is_fullscreen(snapshot: Snapshot) -> bool:
    """Whether a program shows itself on the whole screen.

    One that was killed leaves the alternate screen on, and a shell on it, which never uses it;
    behind another program nobody can tell.
    """
    if not snapshot.screen.alternate:
        return False
    if snapshot.tty is not None and snapshot.tty.pass_through_count:
        return True  # as mc, which has a shell behind its panels
    if snapshot.tty is not None and snapshot.tty.reading is not None:
        reads_lines = bool(snapshot.tty.edits) or snapshot.tty.canonical  # and not single keys
        return not (reads_lines and shell_reads(snapshot))
    prompt = snapshot.mark.prompt.text if snapshot.mark and snapshot.mark.prompt else ""
    is_prompt = bool(prompt.strip()) and snapshot.screen.line_before_cursor == prompt
    return not (is_prompt and has_shell(snapshot))


def has_shell(snapshot: Snapshot) -> bool | None:
    """Whether a shell has the terminal; None if that cannot be determined."""
    kind = program_called(snapshot.command).kind
    if kind is Kind.SHELL:
        return True
    is_unknown = not snapshot.command or kind is Kind.PASS_THROUGH or snapshot.is_passed_through
    return None if is_unknown else False


def status_line(snapshot: Snapshot) -> str:
    """Return the line at which the shell here prints an exit status; empty if it is not known.

    It begins with a blank: such lines are kept out of many a shell's history.
    """
    program = program_called(snapshot.command)
    is_for_lines = snapshot.tty is not None and snapshot.tty.canonical
    # What reads a line may be the shell's ``read``, or its script.
    is_answer = _is_script(snapshot) or (is_for_lines and not program.reads_lines)
    return "" if is_answer or not program.exit_status else f" echo {program.exit_status}"
