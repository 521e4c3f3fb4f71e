"""Which program a process runs, and what it has started."""

import re
from contextlib import suppress
from itertools import pairwise
from typing import Final

from tmuxprim._tmux.waiting import read_kernel_file

# They run a program that is written in their language, and that is its name for people.
_INTERPRETER: Final = re.compile(r"(?:node|nodejs|bun|deno|python|pypy|ruby|perl|php)[\d.]*\Z")
_ENDING: Final = re.compile(r"\.(?:[cm]?js|py|rb|pl|php|exe)\Z")


def program_name(words: list[str]) -> str:
    """Return the name of the program that a command line runs.

    Args:
        words: What it was started with: ``["node", "/usr/bin/gemini"]`` is ``gemini``.
    """
    name = _name(words[0]) if words else ""
    if not _INTERPRETER.match(name):
        return name
    for before, word in pairwise(words):
        if before == "-m" or not word.startswith("-"):
            return _name(word)
    return name


def _name(word: str) -> str:
    return _ENDING.sub("", word.rstrip("/").rpartition("/")[2].removeprefix("-"))


def program_of(root: str, process: int) -> str | None:
    """Return the name of the program that a process runs; None where that is not told.

    Args:
        root: Where ``/proc`` is mounted.
        process: Its number. Any user may ask (proc_pid_cmdline(5)).
    """
    with suppress(OSError):
        words = read_kernel_file(f"{root}/{process}/cmdline").rstrip("\0").split("\0")
        return program_name(words) or None
    return None
