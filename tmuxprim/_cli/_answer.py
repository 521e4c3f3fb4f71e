"""`Answer`: what a command has to say, to people and to programs."""

import errno
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress

import attrs

from tmuxprim._cli._status import Status


@attrs.frozen
class Answer:
    """What a command has to say.

    Args:
        facts: What a program is told: the object of ``--json``, but for its ``status``.
        text: What a person is told, on stdout; as it is, with its line break if it has one.
        note: What a person is told besides, on stderr.
        status: The exit status.
    """

    facts: Mapping[str, object] = attrs.field(factory=dict)
    text: str = ""
    note: str = ""
    status: int = Status.READY

    def print(self, *, as_json: bool) -> None:
        """Print it; the rows of a screen may hold what this locale cannot write.

        Raises:
            OSError: If that cannot be written.
        """
        if as_json:
            _write(json.dumps({"status": int(self.status), **self.facts}) + "\n")
            return
        _write(self.text)
        if self.note:
            say(self.note)


def say(message: str) -> None:
    """Print one line on stderr, if there is one and it takes it: nobody else could be told."""
    if sys.stderr is None:  # print would take stdout instead
        return
    with suppress(OSError):
        print(message.replace("\n", " "), file=sys.stderr, flush=True)


def _write(text: str) -> None:
    """Write on stdout, at once: before a note, in a file that holds both."""
    if not text:
        return
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def as_lines(text: str) -> str:
    """Return a text that ends with a line break, unless it is empty."""
    return f"{text}\n" if text else ""
