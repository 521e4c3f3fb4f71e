"""Who passes on what another program shows, and who only waits for more than the terminal."""

import builtins
import os
import socket
import sys
from pathlib import Path

import pytest

from tests.unit.kernel.kernel import EPOLL, PIPE, READ, Kernel, call
from tmuxprim._kernel import wait_targets

PTMX = os.devnull.replace("null", "random")

needs_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the kernel of Linux is asked"
)


def wait_for(kernel: Kernel, *files: str, pid: int = 10) -> None:
    """Let a process wait for the terminal and for *files*."""
    kernel.process(pid, group=10, syscall=call(EPOLL, 4, 0, 0, 100))
    kernel.file(pid, 0)
    targets = ["tfd: 0 events: 1"]
    for number, file in enumerate(files, 5):
        kernel.file(pid, number, file)
        targets.append(f"tfd: {number} events: 1")
    (kernel.root / f"{pid}/task/{pid}/fdinfo/4").write_text("\n".join(targets))


def descriptor(of: socket.socket) -> str:
    """Return where the kernel shows an open socket."""
    return f"/proc/self/fd/{of.fileno()}"


@needs_linux
@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_who_has_a_connection_is_a_relay(kernel: Kernel, kind: socket.SocketKind) -> None:
    """As ssh, telnet and mosh."""
    with socket.socket(socket.AF_INET, kind) as connection:
        wait_for(kernel, descriptor(connection))
        found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, False, True)


@needs_linux
@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_socket_of_this_machine_is_no_connection(kernel: Kernel, kind: socket.SocketKind) -> None:
    """An editor may have one to its language server, an event loop one to itself."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    with ours, theirs:
        wait_for(kernel, descriptor(ours))
        found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, False, False)


@needs_linux
def test_a_socket_is_told_apart_without_the_tables_of_connections(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To write them may take the kernel 90 ms, in which it serves nobody else here."""
    opened = []

    def note(path: str, *args: int) -> int:
        opened.append(path)
        return os_open(path, *args)

    os_open = os.open
    monkeypatch.setattr(os, "open", note)
    monkeypatch.setattr(builtins, "open", lambda path, **_: opened.append(path))
    with socket.socket() as connection:
        wait_for(kernel, descriptor(connection))
        opened.clear()
        assert kernel.foreground().passes_on
    names = [path.removeprefix(f"{kernel.root}/10/") for path in opened]
    asked = ["stat", "task/10/syscall", "task/10/fdinfo/4", "comm"]
    assert names == [*asked, "task/10/schedstat", "task/10/syscall", "status"]


def test_a_kernel_that_does_not_tell_shows_no_connection(kernel: Kernel, tmp_path: Path) -> None:
    """As one that only looks like Linux; a socket's file on a disk tells nothing either."""
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        wait_for(kernel, str(path))
        assert kernel.foreground().passes_on is False


def test_who_has_made_a_terminal_is_a_relay(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As script, and expect."""
    monkeypatch.setattr(wait_targets, "PTMX", Path(PTMX).stat().st_rdev)
    wait_for(kernel, PIPE, PTMX)
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, False, True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="has the number of Linux")
def test_the_other_end_of_a_terminal_has_a_known_number() -> None:
    """A process that has made a terminal has this device open."""
    ours, theirs = os.openpty()
    try:
        assert os.fstat(ours).st_rdev == wait_targets.PTMX
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("files", [[PIPE], ["/nowhere"]])
def test_other_files_make_no_relay(kernel: Kernel, files: list[str]) -> None:
    """Nor does one that was closed while we looked."""
    wait_for(kernel, *files)
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, False, False)


def test_signals_do_not_count(kernel: Kernel) -> None:
    """Who waits in read is woken by signals just as well, with no file for them."""
    wait_for(kernel, "anon_inode:[signalfd]")
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, True, False)


def test_who_waits_for_signals_alone_does_not_read(kernel: Kernel) -> None:
    """As sudo does while its command runs."""
    kernel.process(10, syscall=call(READ, 5))
    kernel.file(10, 5, "anon_inode:[signalfd]")
    assert kernel.foreground().reading is False


def test_one_that_does_nothing_but_read_is_no_relay(kernel: Kernel) -> None:
    """Whatever other files it has open."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    kernel.file(10, 5, PTMX)
    found = kernel.foreground()
    assert (found.only_reading, found.passes_on) == (True, False)
