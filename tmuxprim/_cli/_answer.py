"""`Answer`: what a command has to say, to people and to programs."""

import json
import sys
from collections.abc import Mapping

import attrs

from tmuxprim._cli._status import Status


@attrs.frozen
class Answer:
    """Is what a command has to say.

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
        """Print it; the rows of a screen may hold what this locale cannot write."""
        if as_json:
            print(json.dumps({"status": int(self.status), **self.facts}))
            return
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(self.text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()  # before the note, in a file that holds both
        if self.note:
            say(self.note)


def say(message: str) -> None:
    """Print one line on stderr."""
    print(message.replace("\n", " "), file=sys.stderr)


def as_lines(text: str) -> str:
    """Return a text that ends with a line break, unless it is empty."""
    return f"{text}\n" if text else ""
