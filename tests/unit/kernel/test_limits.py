"""For how long a reader waits, told by a made-up /proc, and by a terminal."""

import os
import pty
import struct
import termios

import pytest

from tests.unit.kernel.kernel import (
    EPOLL,
    NO_LIMIT,
    POLL,
    READ,
    SELECT,
    TTY,
    Kernel,
    call,
)
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.probe import probe_tty
from tmuxprim._kernel.procfs import Foreground, Procfs
from tmuxprim._kernel.wait_targets import UNREPORTED_LIMIT, Device

_POLLS = "poll_schedule_timeout.constprop.0"
_PPOLL, _OLD_SELECT = 271, 23
_POLLED = struct.pack("=ihh", 0, 1, 0)
_SELECTED = (1).to_bytes(8, "little")
_KEYS = Device(TTY, is_raw=True)


def found(kernel: Kernel, device: Device = _KEYS) -> Foreground:
    """Ask of the process that a test has made, which has the terminal open."""
    kernel.file(10, 0)
    foreground = Procfs(LocalFiles(str(kernel.root))).foreground(10, device)
    assert foreground is not None
    return foreground


def named(kernel: Kernel, *words: str) -> None:
    """Tell by which words the program was started."""
    (kernel.root / "10/task/10/cmdline").write_text("".join(f"{word}\0" for word in words))
    (kernel.root / "10/task/10/comm").write_text(f"{words[0]}\n")


@pytest.mark.parametrize(
    ("syscall", "memory", "limit"),
    [
        (call(POLL, 0, 1, 1000), _POLLED, 1.0),
        (call(POLL, 0, 1, NO_LIMIT), _POLLED, None),
        (call(_PPOLL, 0, 1, 8), _POLLED + struct.pack("=qq", 2, 500_000_000), 2.5),
        (call(_PPOLL, 0, 1), _POLLED, None),
        (call(SELECT, 1, 8, 0, 0, 16), bytes(8) + _SELECTED + struct.pack("=qq", 3, 0), 3.0),
        (
            call(_OLD_SELECT, 1, 8, 0, 0, 16),
            bytes(8) + _SELECTED + struct.pack("=qq", 0, 900_000),
            0.9,
        ),
        (call(READ), b"", None),
    ],
    ids=["poll", "poll for ever", "ppoll", "ppoll for ever", "pselect", "select", "read"],
)
def test_a_time_limit_is_read(
    kernel: Kernel, syscall: str, memory: bytes, limit: float | None
) -> None:
    """It is a number, or where a time is kept: who has one does not wait for a person."""
    kernel.process(10, syscall=syscall)
    kernel.memory(10, memory)
    foreground = found(kernel)
    assert (foreground.reading, foreground.only_reading) == (True, True)
    assert foreground.limit == limit


def test_a_time_that_is_gone_meanwhile(kernel: Kernel) -> None:
    """Its program has moved on, and what it does now is not known."""
    kernel.process(10, syscall=call(_PPOLL, 0, 1, 8))
    kernel.memory(10, _POLLED)
    assert found(kernel).reading is None


def test_a_loop_that_waits_for_more_has_no_limit_of_interest(kernel: Kernel) -> None:
    """It may go on without a key in any case, and is judged by that."""
    kernel.process(10, syscall=call(EPOLL, 3, 0, 0, 1000))
    kernel.file(10, 4, "anon_inode:[eventfd]")
    kernel.epoll(10, 3, "0 4")
    foreground = found(kernel)
    assert (foreground.only_reading, foreground.limit) == (False, None)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("limit", [None, 0.5])
def test_a_read_of_keys_may_end_by_itself(
    kernel: Kernel, limit: float | None, *, told: bool
) -> None:
    """The terminal itself says after what time, and so at each level."""
    kernel.process(10, syscall=call(READ) if told else None, wchan="wait_woken")
    foreground = found(kernel, Device(TTY, is_raw=True, limit=limit))
    assert (foreground.reading, foreground.limit) == (True, limit)


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("python3.13 -q", None),
        ("python3.13 program.py", 0.1),
        ("python3.13 -c code", 0.1),
        ("vim notes", None),
        ("zsh", 0.1),
    ],
)
def test_who_is_known_to_poll_for_keys(kernel: Kernel, words: str, limit: float | None) -> None:
    """A REPL may, and an editor; but not a script, and a shell's own ``read`` has limits."""
    kernel.process(10, syscall=call(POLL, 0, 1, 100))
    kernel.memory(10, _POLLED)
    named(kernel, *words.split())
    assert found(kernel).limit == limit
    (kernel.root / "10/task/10/fd/0").unlink()
    assert found(kernel, Device(TTY, is_for_lines=True)).limit == 0.1


@pytest.mark.parametrize(
    ("words", "device", "limit"),
    [
        ("program", Device(TTY, is_raw=True), UNREPORTED_LIMIT),
        ("program", Device(TTY, is_raw=True, is_edited=True), UNREPORTED_LIMIT),
        ("program", Device(TTY, is_raw=True, is_for_lines=True, is_edited=True), UNREPORTED_LIMIT),
        ("python3 script.py", Device(TTY, is_raw=True), UNREPORTED_LIMIT),
        ("python3 -q", Device(TTY, is_raw=True), None),
        ("more text", Device(TTY, is_raw=True), None),
        ("ssh host", Device(TTY, is_raw=True), None),
        ("fish", Device(TTY, is_raw=True, is_edited=True), None),
        ("bash", Device(TTY, is_raw=True), UNREPORTED_LIMIT),  # read -t -n
        ("bash", Device(TTY, is_for_lines=True), UNREPORTED_LIMIT),  # read -t
        ("busybox sh", Device(TTY, is_for_lines=True), None),
    ],
)
def test_a_poll_whose_limit_is_not_told(
    kernel: Kernel, words: str, device: Device, limit: float | None
) -> None:
    """Without its arguments a poll may be a sleep, unless it is known whose it is."""
    kernel.process(10, syscall=None, wchan=_POLLS)
    named(kernel, *words.split())
    foreground = found(kernel, device)
    assert (foreground.reading, foreground.limit) == (True, limit)


@pytest.mark.parametrize(
    ("is_raw", "least", "tenths", "limit"),
    [(True, 0, 10, 1.0), (True, 1, 10, None), (True, 0, 0, None), (False, 0, 10, None)],
)
def test_a_terminal_tells_how_long_a_read_lasts(
    monkeypatch: pytest.MonkeyPatch, least: int, tenths: int, limit: float | None, *, is_raw: bool
) -> None:
    """VTIME is the time of a whole read only without VMIN, and counts for keys only."""
    asked: list[Device] = []

    def foreground(_: Procfs, program: int, device: Device) -> Foreground:
        asked.append(device)
        return Foreground(program, reading=True, limit=device.limit)

    monkeypatch.setattr(Procfs, "foreground", foreground)
    ours, theirs = pty.openpty()
    try:
        attributes = termios.tcgetattr(theirs)
        if is_raw:
            attributes[3] &= ~termios.ICANON
        attributes[6][termios.VMIN], attributes[6][termios.VTIME] = bytes([least]), bytes([tenths])
        termios.tcsetattr(theirs, termios.TCSANOW, attributes)
        state = probe_tty(os.ttyname(theirs), os.getpid(), Procfs(LocalFiles("/nonexistent")))
    finally:
        os.close(ours)
        os.close(theirs)
    assert state is not None
    assert state.limit == limit
    assert {device.limit for device in asked} == {limit}
