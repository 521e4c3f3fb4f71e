"""Terminals that a program makes for others, whose text it passes on: script, socat, expect."""

import os
import re
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._tmux.waiting import PTMX, Thread, read_kernel_file

_INDEX: Final = re.compile(r"^tty-index:\s*(\d+)", re.MULTILINE)
_MAJOR: Final = 136  # of /dev/pts


class Inner(NamedTuple):
    """A terminal behind a relay.

    Args:
        path: Its device, by the root folder of the relay.
        program: A process whose terminal it is.
    """

    path: str
    program: int


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
                if os.stat(f"{folder}/fd/{file}").st_rdev == PTMX:  # noqa: PTH116  # hot path
                    made.update(_INDEX.findall(read_kernel_file(f"{folder}/fdinfo/{file}")))
    if len(made) != 1:
        return None
    index = made.pop()
    return os.makedev(_MAJOR, int(index)), f"{root}/{process}/root/dev/pts/{index}"
