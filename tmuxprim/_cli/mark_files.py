"""Marks in files: `send --mark`, `keys --mark`, `wait --since`, `read --since`."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tmuxprim._cli.options import Options
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import Mark
from tmuxprim.errors import InvalidMarkError

_STREAM: Final = "-"
# A mark tells the prompt and the programs of a pane.
_OWNERS_ALONE: Final = 0o600


def read_mark(name: str) -> Mark:
    """Return the mark in a file, or on standard input.

    Raises:
        InvalidMarkError: If there is none, or it cannot be read.
    """
    try:
        if name == _STREAM:
            return Mark.from_json(sys.stdin.read() if sys.stdin else "")
        return Mark.from_json(Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidMarkError(f"no mark can be read from {name!r}: {error}") from error


@contextmanager
def mark_file(options: Options) -> Iterator[Callable[[Mark], dict[str, object]]]:
    """Open the file of ``--mark``, so that none is missing once something was typed.

    Yields:
        Puts the mark there, and returns what ``--json`` tells of it.

    Raises:
        InvalidMarkError: If it cannot be written, or if ``-`` is to take a screen as well.
    """
    if options.mark is None:
        yield lambda _: {}
        return
    if options.mark == _STREAM:
        if options.waits and not options.json:
            raise InvalidMarkError(
                f"{NOTHING}: --mark - would mix the mark with the screen of --wait; name a file, "
                "or give --json"
            )
        yield lambda mark: {"mark": json.loads(mark.to_json())}
        return
    try:
        file = os.open(options.mark, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, _OWNERS_ALONE)
    except OSError as error:
        raise InvalidMarkError(
            f"{NOTHING}: no mark can be written into {options.mark!r}: {error.strerror}"
        ) from error

    def write(mark: Mark) -> dict[str, object]:
        with suppress(OSError):  # a pipe has no length
            os.truncate(file, 0)
        os.write(file, f"{mark.to_json()}\n".encode())
        return {}

    try:
        yield write
    finally:
        os.close(file)
