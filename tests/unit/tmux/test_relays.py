"""Who passes on what another program shows, and who only waits for more than the terminal."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.tmux.kernel import EPOLL, PIPE, READ, Kernel, call
from tmuxprim._tmux import _syscall

PTMX = os.devnull.replace("null", "random")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Path]:
    """Give a socket; by its inode the kernel lists it among the connections."""
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        yield path


def wait_for(kernel: Kernel, *files: str, pid: int = 10) -> None:
    """Let a process wait for the terminal and for *files*."""
    kernel.process(pid, group=10, syscall=call(EPOLL, 4))
    kernel.file(pid, 0)
    targets = ["tfd: 0 events: 1"]
    for number, file in enumerate(files, 5):
        kernel.file(pid, number, file)
        targets.append(f"tfd: {number} events: 1")
    (kernel.root / f"{pid}/task/{pid}/fdinfo/4").write_text("\n".join(targets))


def list_connections(kernel: Kernel, **inodes: int) -> None:
    """Write the kernel's tables of connections, each with one besides those of others."""
    folder = kernel.root / "10/task/10/net"
    folder.mkdir()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        rows = [
            f"0: 0100007F:1F90 00000000:0000 01 0:0 00:0 0 1000 0 {n} 1 ffff 20 0"
            for n in (1, inodes.get(table, 2))
        ]
        (folder / table).write_text("\n".join(["  sl  local_address rem_address", *rows, ""]))


@pytest.mark.parametrize("table", ["tcp", "tcp6", "udp", "udp6"])
def test_who_has_a_connection_is_a_relay(kernel: Kernel, connection: Path, table: str) -> None:
    """As ssh, telnet and mosh."""
    wait_for(kernel, str(connection))
    list_connections(kernel, **{table: connection.stat().st_ino})
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.relays) == (True, False, True)


def test_a_socket_of_this_machine_is_no_connection(kernel: Kernel, connection: Path) -> None:
    """An editor may have one to its language server, or to the desktop."""
    wait_for(kernel, str(connection))
    list_connections(kernel)
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.relays) == (True, False, False)


def test_without_tables_of_connections_there_are_none(kernel: Kernel, connection: Path) -> None:
    """The kernel may be made without a network, or not show it."""
    wait_for(kernel, str(connection))
    assert kernel.foreground().relays is False


def test_who_has_made_a_terminal_is_a_relay(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As script, and expect."""
    monkeypatch.setattr(_syscall, "_PTMX", Path(PTMX).stat().st_rdev)
    wait_for(kernel, PIPE, PTMX)
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.relays) == (True, False, True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="has the number of Linux")
def test_the_other_end_of_a_terminal_has_a_known_number() -> None:
    """A process that has made a terminal has this device open."""
    ours, theirs = os.openpty()
    try:
        assert os.fstat(ours).st_rdev == _syscall._PTMX  # noqa: SLF001  # what the test is about
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("files", [[PIPE], ["/nowhere"]])
def test_other_files_make_no_relay(kernel: Kernel, files: list[str]) -> None:
    """Nor does one that was closed while we looked."""
    wait_for(kernel, *files)
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.relays) == (True, False, False)


def test_signals_do_not_count(kernel: Kernel) -> None:
    """Who waits in read is woken by signals just as well, with no file for them."""
    wait_for(kernel, "anon_inode:[signalfd]")
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.relays) == (True, True, False)


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
    assert (found.only_reading, found.relays) == (True, False)
