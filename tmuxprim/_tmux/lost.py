"""A server whose socket was removed, as ``rm -rf /tmp/*`` does: it binds the socket anew.

tmux goes on without its socket, but no client finds it, and the next one that opens a pane starts a
second server. A server that gets SIGUSR1 makes its socket again (SIGNALS, tmux(1)). Linux lists the
path that a socket was bound to also when the file is gone (proc_net_unix(5)), so the server of a
path is known for sure. No other system lists it; there the server stays lost.
"""

import os
import re
import signal
import socket
import time
from contextlib import suppress
from typing import Final

from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.processes import Processes

_PROC: Final = "/proc"
# The flag of a socket that connections are accepted on (__SO_ACCEPTCON).
_LISTENS: Final = 0x10000
# What a server calls itself, by the name of its program; the kernel keeps 15 characters of it.
_SERVER: Final = re.compile(r"tmux[^:]*: s(?:e|er|erv|erve|erver)?")
_PAUSE: Final = 0.005


class UnreachableError(Exception):
    """There is a server that no client can reach; the text says why."""


def is_back(path: str, seconds: float, proc: str = _PROC) -> bool:
    """Have the server of *path* bind its socket anew, and wait until it has.

    Args:
        path: The socket's path.
        seconds: How long to wait for it.
        proc: The directory in which the kernel reports processes.

    Returns:
        Whether a client can connect now; False if there is no server.

    Raises:
        UnreachableError: If there is a server, but it cannot be reached.
    """
    until = time.monotonic() + seconds
    is_told = False
    while not _connects(path):
        servers = servers_on(path, proc)
        if not servers:
            return _connects(path)  # it may have been bound in between
        if refusal := _refusal(path, servers):
            raise _unreachable(servers, refusal)
        is_there = os.path.lexists(path)
        if time.monotonic() >= until:
            advice = f"remove {path!r}, which is another's" if is_there else "no other was made"
            raise _unreachable(servers, advice)
        # A file at the path may be a socket that another server has bound, and will listen on.
        if not is_told and not is_there:
            is_told = True
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(servers[0], signal.SIGUSR1)
        time.sleep(_PAUSE)
    return True


def _unreachable(servers: list[int], why: str) -> UnreachableError:
    numbers = ", ".join(map(str, servers))
    return UnreachableError(f"a server is there (process {numbers}), its socket was removed; {why}")


def _refusal(path: str, servers: list[int]) -> str:
    """Return why no server can bind its socket, or what to do before; empty if one can."""
    if len(servers) > 1:
        return "end those that are not needed"
    directory = os.path.dirname(path)
    if not os.access(directory, os.W_OK | os.X_OK):
        return (
            f"make its directory {directory!r} again, writable by its owner only, "
            "so that it can make another socket"
        )
    return ""


def _connects(path: str) -> bool:
    """Whether somebody accepts connections on a socket, now or when there is room for more."""
    with socket.socket(socket.AF_UNIX) as client:
        client.setblocking(False)  # noqa: FBT003  # of the standard library
        try:
            client.connect(path)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True


def servers_on(path: str, proc: str = _PROC) -> list[int]:
    """Return the tmux servers of this user that listen on a socket at *path*."""
    # A relative path is one of the directory in which the server was started.
    listening = _listening(path, proc) if path.startswith("/") else set()
    processes = Processes(LocalFiles(proc))
    found = [
        process
        for process in (processes.called("tmux") if listening else ())
        if _is_own_server(process, processes) and listening & _sockets(process, proc)
    ]
    # What a server starts has all that the server has open, until it runs a program of its own.
    parents = {process: processes.stat(process) for process in found}
    return [
        process for process, its in parents.items() if its is not None and its.parent not in found
    ]


def _is_own_server(process: int, processes: Processes) -> bool:
    """Whether a process is a tmux server of this user: a client would end by the signal."""
    with suppress(OSError):  # it has ended
        owner = os.stat(f"{processes.root}/{process}").st_uid
        return owner == os.geteuid() and _SERVER.fullmatch(processes.name(process)) is not None
    return False


def _sockets(process: int, proc: str) -> set[str]:
    """Return the numbers of the sockets that a process has open."""
    found: set[str] = set()
    directory = f"{proc}/{process}/fd"
    with suppress(OSError):  # another user's, or it has ended
        for number in os.listdir(directory):
            with suppress(FileNotFoundError):  # closed meanwhile, which says nothing of the others
                found.add(os.readlink(f"{directory}/{number}"))
    return {name[len("socket:[") : -1] for name in found if name.startswith("socket:[")}


def _listening(path: str, proc: str) -> set[str]:
    """Return the numbers of the sockets that were bound to *path*, and accept connections."""
    with suppress(OSError), open(f"{proc}/net/unix", errors="surrogateescape") as rows:
        # Num RefCount Protocol Flags Type St Inode Path
        fields = [row.rstrip("\n").split(None, 7) for row in rows]
        return {row[6] for row in fields if row[7:] == [path] and int(row[3], 16) & _LISTENS}
    return set()
