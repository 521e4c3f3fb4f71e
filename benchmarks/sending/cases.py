"""What is sent to find out who sends it exactly: hostile texts, keys, and states of the pane.

Where a case says that nothing can be right but an error, it is because this tmux cannot deliver
it, or because what it delivers differs between the versions of tmux.
"""

import enum
import shlex
from collections.abc import Mapping
from typing import Final

import attrs

from benchmarks.sending.designs import Design

# What a case tries to make tmux run: harmless, and easy to find out.
TRAP_OPTION: Final = "@ran"
_TRAP: Final = f"set -g {TRAP_OPTION} yes"


class State(enum.Enum):
    """What the pane is like when something is sent to it."""

    READY = "takes input"
    COPY_MODE = "in copy mode"
    INPUT_OFF = "input off"
    GONE = "gone"
    DEAD = "dead"
    """Its program has exited and the pane is still there. Up to 3.3a tmux crashes if something
    is pasted into it, so whatever comes next needs a server of its own."""


@attrs.frozen
class Case:
    """One thing to send.

    Args:
        name: How it is called in the table.
        expected: What has to arrive; None if nothing but an error is right.
        text: The text to type, unless it is keys.
        keys: The keys to press.
        state: What the pane is like.
    """

    name: str
    expected: bytes | None
    text: str = ""
    keys: tuple[str, ...] = ()
    state: State = State.READY

    @property
    def may_refuse(self) -> bool:
        """Whether an error is right."""
        return self.expected is None or self.state is not State.READY

    def send(self, design: Design) -> None:
        """Send it by a design."""
        if self.keys:
            design.press(self.keys)
        else:
            design.type(self.text)


_SHORT_TEXTS: Final = (
    *("", " ", "-", "--", "-l", "-R", "-X cancel", "-N 3", "-t nobody"),
    *(";", "select 1;", "a;;", "a\\;", "\\", "a\\", ";a", "a ; b", f"; {_TRAP} ;"),
    *("Enter", "C-c", "Up", "tab", "0x41", "Space", "Escape", "NPage", "^C", "M-x"),
    *("#{pid}", "#(id)", "%H", "##", "$HOME", "${HOME}", "~", "~root", "{", "}", "*"),
    *("'", '"', "`id`", "'\"\\$`", "# comment"),
    *("a\nb", "a\n", "a\tb", "a\r", "\x01\x02", "\x03", "\x04", "\x1a", "\x7f"),
    *("\x1b", "\x1b[31mred", "\x1b[200~", "\x1b[201~", "\x1b]0;title\x07", "\x9b31m", "\x85"),
    *("é", "e\u0301", "日本語", "👩\u200d🔧", "🏳\ufe0f", "\ufeff", "\u200b", "\U0010ffff"),
)

_NAMED_TEXTS: Final[Mapping[str, str]] = {
    "all of C0 but NUL": "".join(map(chr, range(1, 32))),
    "16,341 bytes": "x" * 16_341,
    "16,342 bytes": "x" * 16_342,
    "20 KB": "0123456789" * 2_000,
    "20 KB of é": "é" * 10_000,
    "20 KB, ; at 16,000": f"{'x' * 15_999};{'x' * 4_000}",
    "20 KB of ;": ";" * 20_000,
    "100 KB of lines": "echo hi; # é\n" * 7_143,
    "200 KB": "0123456789" * 20_000,
}

_KEYS: Final[Mapping[tuple[str, ...], bytes | None]] = {
    ("Up", "C-c", "F5", "BTab"): b"\x1b[A\x03\x1b[15~\x1b[Z",
    ("Enter", "Tab", "Space", "BSpace", "Escape"): b"\r\t \x7f\x1b",
    (";",): b";",
    ("Up", ";", "Down"): b"\x1b[A;\x1b[B",
    ("-", "~", "#", "$", "{", "é"): "-~#${é".encode(),
    (";", *_TRAP.split()): None,
    ("a;", *_TRAP.split()): None,
    ("Entr",): None,
    ("Ctrl-C",): None,
    ("S-Tab",): None,
    ("C-Enter",): None,
    ("F13",): None,
    ("-R",): None,
    ("-l",): None,
    ("",): None,
}


def _shown(text: str) -> str:
    """Return a text as it can stand in a table."""
    shown = ascii(text)
    return shown if len(shown) <= 28 else f"{shown[:24]}...{shown[-1]}"


CASES: Final = (
    *(Case(_shown(text), text.encode(), text) for text in _SHORT_TEXTS),
    *(Case(name, text.encode(), text) for name, text in _NAMED_TEXTS.items()),
    *(Case(f"keys {shlex.join(keys)}", expected, keys=keys) for keys, expected in _KEYS.items()),
    Case("in copy mode", b"ls", "ls", state=State.COPY_MODE),
    Case("in copy mode: q", b"q", "q", state=State.COPY_MODE),
    *(
        Case(f"pane {state.value}", None, "ls", state=state)
        for state in (State.INPUT_OFF, State.GONE, State.DEAD)
    ),
)
