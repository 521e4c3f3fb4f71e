"""What `doctor` finds out by trying: a program that reads, on a server of its own."""

import platform
import sys
import warnings
from pathlib import Path
from typing import Final

import attrs

from tmuxprim._cli._check import Check, State
from tmuxprim._console import Console
from tmuxprim._readiness._result import Readiness
from tmuxprim._terminal import Bell, Terminal
from tmuxprim._tmux._bell import DeafBell
from tmuxprim._tty import TtyState

_PATIENCE: Final = 3.0
# Without the kernel's evidence a question is known by its look.
_ASKS: Final = ("sh", "-c", "printf 'ready? '; exec cat")
_SLOWER: Final = "waits go by the screen where that is not told, and settle for longer"
_YAMA: Final = "sys/kernel/yama/ptrace_scope"


@attrs.frozen
class Found:
    """Is what a trial has shown.

    Args:
        readiness: How the wait for a program ended that reads a line.
        is_heard: Whether the bell of its terminal can be heard.
        no_control: Why control mode is not to be had; empty if it is.
    """

    readiness: Readiness
    is_heard: bool
    no_control: str


def try_out(terminal: Terminal) -> Found:
    """Let a program read, and see what can be told of it.

    Raises:
        TmuxprimError: If tmux does not work.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        pane = terminal.open(_ASKS)
        readiness = Console(terminal, pane).wait_ready(_PATIENCE)
        bell: Bell = terminal.listen(pane) if readiness else DeafBell()
        bell.close()
        is_heard = not isinstance(bell, DeafBell)
    return Found(readiness, is_heard, "; ".join(str(warning.message) for warning in caught))


def check_trial(found: Found, proc: Path = Path("/proc")) -> list[Check]:
    """Say what a trial has shown, and why it was not more."""
    readiness = found.readiness
    noticed = State.OK if readiness else State.BAD
    seen = f"{readiness.outcome.value} after {readiness.elapsed * 1000:.0f} ms"
    again = "" if readiness else "run 'tmuxprim doctor' again; is this machine very busy?"
    checks = [Check("a wait", noticed, f"for a program that reads a line: {seen}", again)]
    checks.append(_check_control(found.no_control))
    checks.append(_check_kernel(readiness.tty, proc))
    checks.append(_check_bell(is_heard=found.is_heard))
    return checks


def check_remote() -> Check:
    """Say what a launcher costs."""
    return Check(
        "kernel evidence",
        State.NOTE,
        f"none, since tmux runs behind a launcher; {_SLOWER}",
        "run tmuxprim over there instead: ssh host tmuxprim ...",
    )


def _check_control(trouble: str) -> Check:
    if not trouble:
        return Check("control mode", State.OK, "to be had, with --transport control")
    advice = "each call starts a client, which takes some milliseconds; tmux 3.2 or later has it"
    return Check("control mode", State.NOTE, trouble, advice)


def _check_kernel(tty: TtyState | None, proc: Path) -> Check:
    name = "kernel evidence"
    if tty is None:
        advice = "run tmuxprim as the user whose tmux it is"
        found = f"none, the pane's terminal is not ours to ask; {_SLOWER}"
        return Check(name, State.NOTE, found, advice)
    found = "the line discipline, unread bytes"
    if not proc.is_dir():
        found = f"{found}; {sys.platform} has no /proc, so not who reads; {_SLOWER}"
        return Check(name, State.NOTE, found, "give a --pattern where the prompt is known")
    trouble, advice = _refusal(proc / str(tty.reader_pid or "self") / "syscall", proc)
    if not trouble and tty.reading is None:
        trouble, advice = f"of {platform.machine()} it is not known", "please report it"
    if trouble:
        found = f"{found}; who reads only in part: {trouble}; {_SLOWER}"
        return Check(name, State.NOTE, found, advice)
    return Check(name, State.OK, f"{found}, who reads")


def _refusal(syscall: Path, proc: Path) -> tuple[str, str]:
    """Return why the kernel does not tell in which call a process sleeps, and what helps."""
    try:
        syscall.read_bytes()
    except FileNotFoundError:
        return "this kernel has no /proc/PID/syscall", "CONFIG_HAVE_ARCH_TRACEHOOK has it"
    except OSError as error:
        scope = proc / _YAMA
        if scope.is_file() and (level := scope.read_text().strip()) != "0":
            return (
                f"Yama's ptrace_scope is {level}",
                "sudo sysctl kernel.yama.ptrace_scope=0 (until the next boot), or run as root",
            )
        return f"{error.strerror} for {syscall}", "a container needs CAP_SYS_PTRACE for it"
    return "", ""


def _check_bell(*, is_heard: bool) -> Check:
    if is_heard:
        return Check("inotify", State.OK, "tells when a program writes")
    found = "not to be had, so a wait asks again and again, at least four times a second"
    advice = ""
    if sys.platform.startswith("linux"):
        advice = "perhaps too many are in use: sysctl fs.inotify.max_user_instances"
    return Check("inotify", State.NOTE, found, advice)
