"""The command `doctor`: checks the setup, and suggests fixes."""

import platform
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import attrs

from tmuxprim import __version__
from tmuxprim._cli.options import Options
from tmuxprim._cli.report import ADVICE, Report, painted
from tmuxprim._cli.site import Site
from tmuxprim._cli.status import Status
from tmuxprim._console import Console
from tmuxprim._readiness.snapshot import Outcome
from tmuxprim._terminal import Terminal
from tmuxprim._tmux.output_watch import PollingWatch
from tmuxprim._tmux.versions import HAS_CONTROL_FLAGS, SUPPORTED, parse_version, written
from tmuxprim._values.evidence import Level, TtyState
from tmuxprim._values.shell_marks import ShellMarks
from tmuxprim.errors import TmuxprimError

_PATIENCE: Final = 3.0
# Without the kernel's evidence a question is known by its look.
_ASKS: Final = ("sh", "-c", "printf 'ready? '; exec cat")
_SLOWER: Final = "where the reader is unknown, waits judge the screen and settle longer"
_COLOURS: Final = {"ok": (32,), "note": (33,), "bad": (1, 31)}


@attrs.frozen
class Check:
    """One check: its name, its finding, and the advice if all is not well."""

    name: str
    found: str
    advice: str = ""
    works: bool = True

    @property
    def state(self) -> str:
        """How well it is: ``ok``, ``note`` or ``bad``."""
        if not self.works:
            return "bad"
        return "note" if self.advice else "ok"

    def __str__(self) -> str:
        state = painted(f"{self.state:4}", *_COLOURS[self.state])
        line = f"{state}  {self.name:15} {self.found}\n"
        return f"{line}{'':21} -> {self.advice}\n" if self.advice else line


def doctor(options: Options, site: Site) -> Report:
    """Carry out all checks, and print the advice."""
    checks = list(_checks(options, site))
    states = {check.state for check in checks}
    status, said = Status.READY, "all is well"
    if "bad" in states:
        status, said = Status.NO_TMUX, "it does not work; the lines with -> suggest fixes"
    elif "note" in states:
        said = "it works; the lines with -> suggest improvements"
    told = [
        {"name": one.name, "state": one.state, "found": one.found, "advice": one.advice}
        for one in checks
    ]
    facts = {"well": status is Status.READY, "checks": told}
    return Report(facts, "".join(map(str, checks)), said, status)


def _checks(options: Options, site: Site) -> Iterator[Check]:
    version = f"{__version__} with Python {platform.python_version()} on {sys.platform}"
    yield Check("tmuxprim", version)
    try:
        yield from _checks_of_tmux(options, site)
    except TmuxprimError as error:
        advice = error.in_words(ADVICE).replace("\n", " ")
        yield Check("tmux", "does not work", advice, works=False)


def _checks_of_tmux(options: Options, site: Site) -> Iterator[Check]:
    version = site.ask("-V").strip()
    where = shutil.which("tmux") if site.is_local else " ".join(options.launcher)
    if parse_version(version) < SUPPORTED:
        advice = f"install tmux {written(SUPPORTED)} or later"
        yield Check("tmux", f"{version} ({where})", advice, works=False)
        return
    yield Check("tmux", f"{version} ({where})")
    count = len(site.terminal.panes())
    panes = f"panes: {count}" if count else "no panes; 'tmuxprim open' starts a server"
    yield Check("server", panes)
    yield Check("transport", getattr(site.terminal, "transport", "in memory"))
    if site.is_local:
        with site.trial() as terminal:
            yield from _checks_by_trial(terminal)
    else:
        yield _check_kernel_there(site.terminal)


def _check_kernel_there(terminal: Terminal) -> Check:
    """Check the evidence of the machine behind a launcher, by the first pane that is there."""
    name, advice = "kernel evidence", "run tmuxprim over there instead: ssh host tmuxprim ..."
    panes = terminal.panes()
    tty = terminal.probe(panes[0]) if panes else None
    if tty is not None:
        return Check(name, f"{tty.level} behind the launcher, for the first pane")
    if panes:
        return Check(name, f"none behind this launcher; {_SLOWER}", advice)
    return Check(name, "not tried behind the launcher, since no pane is there", advice)


def _checks_by_trial(terminal: Terminal) -> Iterator[Check]:
    """Let a program read on a server of its own, and check the evidence about it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        pane = terminal.open(_ASKS)
        readiness = Console(terminal, pane).wait_ready(_PATIENCE)
    seen = f"for a program that reads a line: {readiness.outcome.value}"
    again = "" if readiness else "run 'tmuxprim doctor' again; is this machine very busy?"
    yield Check("a wait", f"{seen} after {readiness.elapsed * 1000:.0f} ms", again, bool(readiness))
    trouble = "; ".join(str(warning.message) for warning in caught)
    needed = f"tmux {written(HAS_CONTROL_FLAGS)} or later has it"
    advice = f"each call starts a client, which takes some milliseconds; {needed}"
    found = trouble or "available, with --transport control"
    yield Check("control mode", found, advice if trouble else "")
    yield check_kernel(readiness.tty)
    if not readiness:
        return  # its pane may be gone
    output_watch = terminal.watch_output(pane)
    output_watch.close()
    if isinstance(output_watch, PollingWatch):
        found = "not available, so a wait asks again and again, at least four times a second"
        # No other system has it, so there is nothing to do about it there.
        is_linux = sys.platform.startswith("linux")
        yield Check("inotify", found, "sysctl fs.inotify.max_user_instances" if is_linux else "")
    else:
        yield Check("inotify", "reports when a program writes")
    yield check_integration(terminal)


def check_integration(terminal: Terminal) -> Check:
    """See whether the user's shell reports commands, by an Enter at its empty prompt.

    A command would be in the shell's history.
    """
    name, marks = "integration", ShellMarks()
    try:
        console = Console(terminal, terminal.open(shell_integration=True))
        readiness = console.wait_ready(_PATIENCE)
        if readiness.outcome is not Outcome.PROMPT:
            return Check(name, f"not tried: the user's shell shows no prompt: {readiness.reason}")
        with closing(terminal.tap(console.pane)) as tap:
            console.keys("Enter")
            console.wait_ready(_PATIENCE)
            marks.feed(tap.read())
    except TmuxprimError as error:
        return Check(name, f"not for the user's shell: {error}")
    shell = readiness.screen.command
    if marks.is_numbered:
        return Check(name, f"{shell} reports each command, if opened with --shell-integration")
    found = f"{shell} does not report commands, even if opened with --shell-integration"
    advice = "see what its files do to PROMPT_COMMAND, PS0 or precmd_functions"
    return Check(name, found, advice)


_TELLS: Final[dict[Level | None, str]] = {
    "syscall": "syscall: the line discipline, unread bytes, and each program's system call",
    "wchan": "wchan: the line discipline, unread bytes, and the reader, by open files and wchan",
    "stat": (
        "stat: the line discipline, unread bytes, the foreground programs, not the reader; "
        f"{_SLOWER}"
    ),
}


# How to get all of the kernel's evidence (Documentation/admin-guide/LSM/Yama.rst).
_SET: Final = "sudo sysctl kernel.yama.ptrace_scope=0"
_LIFT: Final = {
    "3": (
        "this kernel keeps 3 until the next boot; write kernel.yama.ptrace_scope = 0 into "
        "/etc/sysctl.d, and reboot"
    )
}


def check_kernel(tty: TtyState | None, proc: Path = Path("/proc")) -> Check:
    """Check the kernel's evidence about a program that reads a line, its limits, and a remedy."""
    name = "kernel evidence"
    if tty is None:
        found = f"none, the pane's terminal is not open to this user; {_SLOWER}"
        return Check(name, found, "run tmuxprim as the user who runs this tmux")
    told = _TELLS.get(tty.level)
    if told is None:
        machine = f"{sys.platform} on {platform.machine()}"
        found = f"termios: the line discipline, unread bytes; {machine} does not report the reader"
        return Check(name, f"{found}; {_SLOWER}", "give a --pattern where the prompt is known")
    if tty.level == "syscall":
        return Check(name, told)
    scope = _yama_scope(proc)
    if scope != "0":
        found = f"{told}; kernel.yama.ptrace_scope is {scope}"
        return Check(name, found, f"for all of it: {_LIFT.get(scope, _SET)}")
    advice = "for all of it: run as the user who runs this tmux; a container needs CAP_SYS_PTRACE"
    return Check(name, f"{told}; {_why_no_more(tty, proc)}", advice)


def _yama_scope(proc: Path) -> str:
    """Return how far the kernel restricts attaching (Yama's ``ptrace_scope``); 0 is not at all."""
    try:
        return (proc / "sys/kernel/yama/ptrace_scope").read_text().strip()
    except OSError:
        return "0"


def _why_no_more(tty: TtyState, proc: Path) -> str:
    """Say what is refused."""
    process = tty.reader_pid or tty.foreground_pid
    try:
        (proc / str(process) / "syscall").read_bytes()
    except OSError as error:
        return f"{error.strerror}: {error.filename}"
    return f"the system calls of {platform.machine()} are not known"
