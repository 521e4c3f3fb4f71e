"""Terminals that a program makes for others, whose text it passes on: script, socat, tmux."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._tmux.waiting import PTMX, Thread, read_kernel_file

_INDEX: Final = re.compile(r"^tty-index:\s*(\d+)", re.MULTILINE)
_MAJOR: Final = 136  # of /dev/pts
MULTIPLEXERS: Final = ("tmux", "screen")
"""Programs whose servers make terminals, and show some of them at once, or one by one."""
HAND_ON: Final = (*MULTIPLEXERS, "ssh")
"""Programs that give their terminal to a server; ssh does where it shares connections."""
PINENTRY: Final = "pinentry"
"""Asks for a passphrase where somebody waits for an agent, as gpg and git do for gpg-agent."""


class Inner(NamedTuple):
    """A terminal behind a relay.

    Args:
        path: Its device, by the root folder of the relay.
        program: A process whose terminal it is.
    """

    path: str
    program: int


def program_kind(root: str, process: int) -> str:
    """Return what a process calls itself up to a colon, as ``tmux: server`` does; empty if gone."""
    with suppress(OSError):
        return read_kernel_file(f"{root}/{process}/comm").strip().partition(":")[0]
    return ""


def processes_of(root: str, kind: str) -> Iterator[int]:
    """Yield the processes whose kind begins so."""
    for name in os.listdir(root):  # noqa: PTH208  # hot path
        if name.isdigit() and program_kind(root, int(name)).startswith(kind):
            yield int(name)


def has_open(root: str, process: int, device: int) -> bool:
    """Whether a process has a terminal open, by its number."""
    folder = f"{Thread(root, process, process).folder}/fd"
    with suppress(OSError):  # another user's
        return any(_is_device(f"{folder}/{file}", device) for file in os.listdir(folder))  # noqa: PTH208  # hot path
    return False


def _is_device(file: str, device: int) -> bool:
    with suppress(FileNotFoundError):  # closed while we looked
        return os.stat(file).st_rdev == device  # noqa: PTH116  # hot path
    return False


def inner_path(root: str, process: int) -> tuple[int, str] | None:
    """Return number and path of the terminal that a process has made; None without, or of several.

    Who has made several shows them in turn, or none; that is not told.

    Args:
        root: Where ``/proc`` is mounted.
        process: Its number.
    """
    folder, made = Thread(root, process, process).folder, set[str]()
    with suppress(OSError):
        for file in os.listdir(f"{folder}/fd"):  # noqa: PTH208  # hot path
            with suppress(FileNotFoundError):  # closed while we looked
                if _is_device(f"{folder}/fd/{file}", PTMX):
                    made.update(_INDEX.findall(read_kernel_file(f"{folder}/fdinfo/{file}")))
    if len(made) != 1:
        return None
    index = made.pop()
    return os.makedev(_MAJOR, int(index)), f"{root}/{process}/root/dev/pts/{index}"
