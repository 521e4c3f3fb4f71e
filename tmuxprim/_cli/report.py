"""The output of a command, for people and for programs."""

import errno
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, TextIO

import attrs

from tmuxprim._cli.status import Status
from tmuxprim._readiness.snapshot import Readiness, Ready
from tmuxprim.errors import Advice

ADVICE: Final = {
    Advice.LIST_PANES: "'tmuxprim panes' lists all panes",
    Advice.OPEN_PANE: "'tmuxprim open' starts one",
    Advice.OPEN_ANOTHER: "close the pane and open another",
    Advice.LEAVE_MODE: "give --leave-mode to leave the mode first",
    Advice.CLEAR_LINE: "'tmuxprim keys PANE C-e C-u' deletes it; if it is part of the "
    "prompt, describe it with --pattern",
    Advice.END_SEARCH: "'tmuxprim keys PANE C-c' ends it",
    Advice.ANSWER: "answer it with 'tmuxprim send'",
    Advice.ANSWER_UNLESS_PROMPT: "answer it with 'tmuxprim send'; if it is a prompt, describe it "
    "with --pattern",
    Advice.FINISH_COMMAND: "'tmuxprim send' types it, 'tmuxprim keys PANE C-c' gives it up",
    Advice.TYPE_AS_TEXT: "'tmuxprim send' types it as text",
    Advice.USE_FAKE: "",
    Advice.TAKE_IT: "give another name, or take the existing pane with 'tmuxprim open --reuse'",
    Advice.GIVE_NAME: "give --name",
    Advice.READ_SCREEN: "'tmuxprim read' shows the screen",
    Advice.PASTE: "'tmuxprim send --newlines paste' pastes it",
    Advice.ESCAPE: "put '\\' before a character that is meant as it is",
    Advice.INSTALL_THERE: "install tmux on the other side",
}
"""Suggested ways out of an error, worded for a shell instead of Python."""


def summary(readiness: Readiness) -> str:
    """Return how a wait ended, in a line."""
    text = str(Ready(readiness.outcome, readiness.reason))
    return text if readiness else f"not {text}"


def facts_of(readiness: Readiness) -> dict[str, object]:
    """Return how a wait ended, for programs."""
    screen = readiness.screen
    return {
        "outcome": readiness.outcome.value,
        "ready": bool(readiness),
        "reason": readiness.reason,
        "is_guess": readiness.is_guess,
        "strategy": readiness.strategy,
        "elapsed": round(readiness.elapsed, 6),
        "screen": screen.text,
        "cursor": {"row": screen.cursor.row, "column": screen.cursor.column},
        "command": readiness.command,
        "title": screen.title,
        "pane_exit_status": screen.exit_status,
    }


@attrs.frozen
class Report:
    """The result of a command.

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
            write(json.dumps({"status": int(self.status), **self.facts}) + "\n")
            return
        write(self.text)
        if self.note:
            say(self.note)


def say(message: str) -> None:
    """Print one line on stderr, if there is one and it takes it: nobody else could be told."""
    if sys.stderr is None:  # print would take stdout instead
        return
    with suppress(OSError):
        print(message.replace("\n", " "), file=sys.stderr, flush=True)


def ring(message: str) -> None:
    """Ring the bell of a person's terminal, and show a note where it knows OSC 9.

    Within tmux the bell alone arrives. A bell also ends the note, so that a terminal that does not
    know it rings all the same.
    """
    text = "".join(char for char in message if char.isprintable())
    sys.stderr.write(f"\a\x1b]9;{text}\a")
    sys.stderr.flush()


def write(text: str) -> None:
    """Write on stdout, at once: before a note, in a file that holds both."""
    if not text:
        return
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a person's terminal."""
    return stream is not None and stream.isatty()


def takes_codes(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that can do more than type."""
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def painted(text: str, *codes: int) -> str:
    """Return a text in colours (SGR of ECMA-48) if stdout shows them and nobody minds."""
    if not takes_codes(sys.stdout) or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{';'.join(map(str, codes))}m{text}\x1b[m"


def as_lines(text: str) -> str:
    """Return a text that ends with a line break, unless it is empty."""
    return f"{text}\n" if text else ""
