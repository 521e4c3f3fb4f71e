"""What the Linux kernel does for a fake terminal: how it collects a line, and what it tells."""

import re
from collections.abc import Callable
from typing import Final

import attrs

from tmuxprim._fake.output import INTERRUPT, typed
from tmuxprim._fake.requests import Interrupted, Killed, ReadLine, Request, Sleep
from tmuxprim._values.evidence import RELAYS, TtyState

_ERASE, _ERASE_WORD, _KILL, _QUIT = typed("BSpace", "C-w", "C-u", "C-\\")
_TAB_STOP: Final = 8
_SIGQUIT: Final = 3
# What Linux keeps of a line besides its end (N_TTY_BUF_SIZE).
_LINE_LIMIT: Final = 4095
_LAST_WORD: Final = re.compile(r"[\w\x80-\U0010ffff]*[^\w\x80-\U0010ffff]*\Z")

SIGNALS: Final[dict[str, tuple[str, Callable[[], Exception]]]] = {
    INTERRUPT: ("^C", Interrupted),
    _QUIT: ("^\\", lambda: Killed(_SIGQUIT)),
}
"""Keys that send a signal: what the kernel shows, and what the program gets (ISIG)."""


@attrs.define
class KernelLine:
    """A line that the kernel collects in canonical mode.

    The kernel counts one column for each character, be it wide or none at all.

    Attributes:
        text: What it has of it.
        taken: What the reader was given of it before, by C-d; it can be erased no more.
    """

    text: str = ""
    taken: str = ""
    _start: int = 0
    _widths: list[int] = attrs.field(factory=list)

    def hand_over(self) -> None:
        """Give the reader what there is (EOF); who wants a line reads on."""
        self.taken, self.text = self.taken + self.text, ""
        self._widths.clear()

    def collect(self, character: str, column: int = 0) -> str:
        """Take a character, and return its echo; controls are shown as ``^X`` (ECHOCTL).

        Args:
            character: What is typed.
            column: The column that the cursor is in.
        """
        match character:
            case _ if character == _ERASE:
                return self._take_away(1)
            case _ if character == _ERASE_WORD:
                return self._take_away(sum(map(len, _LAST_WORD.findall(self.text))))
            case _ if character == _KILL:
                return self._take_away(len(self.text))
        self._start = self._start if self.text else column
        echo = character
        if character == "\t":
            width = _TAB_STOP - (self._start + sum(self._widths)) % _TAB_STOP
        else:
            echo = character if character >= " " else f"^{chr(ord(character) ^ 0x40)}"
            width = len(echo)
        self._widths.append(width)
        self.text += character
        return echo

    def _take_away(self, count: int) -> str:
        """Erase characters at the end; over a tab it goes back as far as that went."""
        echo = ""
        for _ in self.text[:count]:
            back = "\b" if self.text.endswith("\t") else "\b \b"
            echo += back * self._widths.pop()
            self.text = self.text[:-1]
        return echo


def evidence(
    request: Request,
    *,
    awake: bool,
    command: str,
    pid: int,
    pane_pid: int,
    wakeups: int,
    unread: int,
) -> TtyState:
    """Return what the kernel tells of a fake program, by what it waits for.

    A program named as one that passes another one's terminal on, such as ssh, is seen to wait for
    the other side, too, once it reads key by key.

    Args:
        request: What the program in the foreground waits for.
        awake: Whether it has been woken, and does not wait any more.
        command: Its name.
        pid: Its process.
        pane_pid: The process that the pane was opened with.
        wakeups: How often it was woken so far.
        unread: Bytes that it has not read yet.
    """
    reads = not isinstance(request, Sleep) and not awake
    relays = request.raw and command in RELAYS
    return TtyState(
        canonical=not request.raw,
        echo=not request.raw and (not isinstance(request, ReadLine) or request.echo),
        signals=not relays,
        edits=request.raw and (isinstance(request, ReadLine) or relays),
        foreground_pid=pid,
        foreground_is_pane=pid == pane_pid,
        reading=reads,
        only_reading=reads and not relays,
        relays=reads and relays,
        reader_pid=pid if reads else None,
        wakeups=wakeups if reads else None,
        unread=unread,
        line_limit=_LINE_LIMIT,
        level="full",
    )
