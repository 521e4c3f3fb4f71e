"""What the kernel tells about a terminal, and when it does not."""

import os
import pty
import subprocess
import termios

import pytest
from typing_extensions import override

from tests.unit.tmux.ptys import Pty, open_pty
from tmuxprim._kernel.files import LocalFiles, is_alive, modes_of
from tmuxprim._kernel.probe import probe_tty
from tmuxprim._kernel.procfs import Foreground, Procfs
from tmuxprim._kernel.wait_targets import Device


def test_a_path_that_is_gone_tells_nothing() -> None:
    """Between a pane's end and the next snapshot there is no terminal to ask."""
    assert probe_tty("/dev/pts/none", os.getpid(), Procfs(LocalFiles())) is None


def test_a_device_that_is_no_terminal_tells_nothing() -> None:
    """A terminal that hangs up while it is asked answers with an error, as this one does."""
    assert probe_tty(os.devnull, os.getpid(), Procfs(LocalFiles())) is None


def test_a_terminal_of_another_process_has_no_foreground() -> None:
    """The line discipline is told even where the kernel does not report the reader."""
    ours, theirs = pty.openpty()
    try:
        state = probe_tty(os.ttyname(theirs), os.getpid(), Procfs(LocalFiles("/nonexistent")))
    finally:
        os.close(ours)
        os.close(theirs)
    assert state is not None
    assert (state.canonical, state.echo, state.unread) == (True, True, 0)
    assert (state.foreground_pid, state.foreground_is_pane, state.reading) == (None, None, None)
    assert (state.edits, state.passes_on) == (False, None)


def test_a_terminal_whose_program_has_ended_tells_nothing() -> None:
    """It may be another pane's by now, also where the kernel tells nothing of processes."""
    with open_pty() as pty, subprocess.Popen(["true"]) as ended:
        ended.wait()
        for root in ("/proc", "/nonexistent"):
            assert probe_tty(pty.path, ended.pid, Procfs(LocalFiles(root))) is None


COOKED = termios.ICANON | termios.ECHO | termios.ISIG


@pytest.mark.parametrize(
    ("into", "flags", "edits"),
    [
        (termios.ICRNL, COOKED, False),
        (termios.ICRNL, COOKED & ~termios.ECHO, False),
        (0, termios.ECHO, False),
        (0, termios.ICANON, False),
        (termios.ICRNL, termios.ISIG, False),
        (0, termios.ISIG, True),
        (termios.ICRNL | termios.INLCR, termios.ISIG, True),
        (termios.ICRNL, 0, True),
    ],
    ids=[
        "a command runs",
        "a password",
        "keys are shown",
        "whole lines",
        "read -n1, and zsh's read -k",
        "readline, fish, mksh",
        "zsh",
        "BusyBox",
    ],
)
def test_line_editors_set_more_than_raw_mode(into: int, flags: int, *, edits: bool) -> None:
    """One that edits lines wants Enter as it is, or C-c; one that reads keys does not."""
    modes = modes_of(
        canonical=bool(flags & termios.ICANON),
        echo=bool(flags & termios.ECHO),
        signals=bool(flags & termios.ISIG),
        icrnl=bool(into & termios.ICRNL),
        inlcr=bool(into & termios.INLCR),
    )
    assert modes.edits is edits


def test_a_line_editor_on_a_terminal() -> None:
    """The flags are read from their places."""
    ours, theirs = pty.openpty()
    try:
        attributes = termios.tcgetattr(theirs)
        attributes[0] &= ~termios.ICRNL
        attributes[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(theirs, termios.TCSANOW, attributes)
        state = probe_tty(os.ttyname(theirs), os.getpid(), Procfs(LocalFiles("/nonexistent")))
    finally:
        os.close(ours)
        os.close(theirs)
    assert state is not None
    assert (state.is_raw, state.signals, state.edits) == (True, True, True)


def test_a_process_of_another_user_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that may not be signalled is there."""

    def refuse(_process: int, _signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert is_alive(os.getpid())


class _Hides(Procfs):
    """Tells of a program that stops showing what is typed, and sleeps in a read right after."""

    def __init__(self, terminal: int) -> None:
        super().__init__(LocalFiles("/nonexistent"))
        self.terminal = terminal

    @override
    def foreground(self, pane_pid: int, device: Device) -> Foreground:
        attributes = termios.tcgetattr(self.terminal)
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(self.terminal, termios.TCSANOW, attributes)
        return Foreground(pane_pid, reading=True, only_reading=True)


def test_who_reads_and_how_the_terminal_is_belong_together() -> None:
    """A terminal that has changed while its reader was looked for is asked again."""
    with open_pty() as pty:
        state = probe_tty(pty.path, os.getpid(), _Hides(pty.theirs))
    assert state is not None
    assert (state.reading, state.echo) == (True, False)


class _HangsUp(Procfs):
    """Tells of a program that ends while it is looked at."""

    def __init__(self, pty: Pty) -> None:
        super().__init__(LocalFiles("/nonexistent"))
        self.pty = pty

    @override
    def foreground(self, pane_pid: int, device: Device) -> Foreground:
        os.close(self.pty.ours)
        return Foreground(pane_pid)


def test_a_terminal_that_is_gone_meanwhile_tells_nothing() -> None:
    """What was told of it is of nobody."""
    with open_pty() as pty:
        assert probe_tty(pty.path, os.getpid(), _HangsUp(pty)) is None
