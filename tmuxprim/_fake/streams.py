"""The output of fake programs and the input to them, as characters."""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final

from tmuxprim._fake.clock import FakeClock
from tmuxprim._fake.display import Display
from tmuxprim._fake.requests import Interrupted, Killed
from tmuxprim._values.keys import Key, KeySequence, Part, Paste, key_characters
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen

_PASTED: Final = re.compile(r"\x1b\[200~(.*)\x1b\[201~", re.DOTALL)


_ONE_KEY: Final = re.compile(
    r"\x1b\[200~.*?\x1b\[201~|\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|\x1b.|.", re.DOTALL
)


_NEWLINES: Final = ("\r", "\n")


def to_characters(keys: KeySequence, *, bracketed: bool = False) -> str:
    """Return the characters that a terminal sends for *keys*, with pastes marked if *bracketed*."""
    return "".join(_part_characters(part, bracketed=bracketed) for part in keys)


def _part_characters(part: Part, *, bracketed: bool) -> str:
    if isinstance(part, Key):
        return key_characters(part)
    if isinstance(part, Paste):
        return f"\x1b[200~{part.as_sent}\x1b[201~" if bracketed else part.as_sent
    return part


def typed(*names: str) -> tuple[str, ...]:
    """Return the characters that a terminal sends for each of some keys."""
    return tuple(key_characters(Key(name)) for name in names)


INTERRUPT, END_OF_FILE = typed("C-c", "C-d")


def split_keys(characters: str) -> list[str]:
    """Split typed characters into keys; an escape sequence is one key, and so is a marked paste."""
    return _ONE_KEY.findall(characters)


def pasted(key: str) -> str | None:
    """Return the pasted text, with LF at its line ends; None if the key is not a paste."""
    match = _PASTED.fullmatch(key)
    return match and match[1].replace("\r", "\n")


def ends_line(key: str) -> bool:
    """Whether the key ends the line; the kernel turns CR into LF (termios(3), ICRNL)."""
    return key in _NEWLINES


_ERASE, _ERASE_WORD, _KILL, _QUIT = typed("BSpace", "C-w", "C-u", "C-\\")
_SIGQUIT: Final = 3
_LAST_WORD: Final = re.compile(r"[\w\x80-\U0010ffff]*[^\w\x80-\U0010ffff]*\Z")

SIGNALS: Final[dict[str, tuple[str, Callable[[], Exception]]]] = {
    INTERRUPT: ("^C", Interrupted),
    _QUIT: ("^\\", lambda: Killed(_SIGQUIT)),
}
"""Keys that send a signal (termios(3), ISIG): the kernel's echo, and the program's exception."""


def collect(line: str, character: str) -> tuple[str, str]:
    """Edit a line as the kernel does in canonical mode; return the line and the echo.

    The kernel counts one column for each character, even for a wide or a combining one. It shows
    controls as ``^X`` (termios(3), ECHOCTL).
    """
    erased = {_ERASE: line[-1:], _ERASE_WORD: _LAST_WORD.findall(line)[0], _KILL: line}
    if character not in erased:
        return line + character, _echo(character)
    gone = erased[character]
    return line.removesuffix(gone), "\b \b" * sum(len(_echo(one)) for one in gone)


def _echo(character: str) -> str:
    is_text = character >= " " or character == "\t"
    return character if is_text else f"^{chr(ord(character) ^ 0x40)}"


class Output:
    """Writes to a display, at once or in slow pieces."""

    def __init__(self, display: Display, clock: FakeClock) -> None:
        self._display = display
        self._clock = clock
        self._size: int | None = None
        self._delay = 0.0
        self._until = 0.0

    def in_pieces(self, size: int, delay: float) -> None:
        """Show all further output in pieces of *size*, each after a delay."""
        self._size, self._delay = size, delay

    def write(self, text: str) -> None:
        """Show *text*, after all earlier output."""
        if self._size is None and self.seconds_left == 0:
            self._display.write(text)
            return
        size, delay = self._size or len(text), self._delay if self._size else 0.0
        for start in range(0, len(text), size):
            seconds = self.seconds_left + delay
            self._until = self._clock.now() + seconds
            self._clock.call_later(
                seconds, partial(self._display.write, text[start : start + size])
            )

    @property
    def seconds_left(self) -> float:
        """The seconds until all output is shown."""
        return max(self._until - self._clock.now(), 0.0)


class FakeOutputWatch:
    """An output watch of a display, in virtual time."""

    def __init__(self, display: Display, clock: FakeClock) -> None:
        self._display = display
        self._clock = clock
        self._reported = display.writes

    def wait(self, seconds: float) -> bool:
        """Wait until the program writes, for *seconds* at most; return whether it did."""
        until = self._clock.now() + seconds
        while self._reported == self._display.writes and self._clock.now() < until:
            self._clock.step(until - self._clock.now())
        has_written = self._reported != self._display.writes
        self._reported = self._display.writes
        return has_written

    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call *listener* at each write, as long as the block lasts."""
        self._display.listeners.add(listener)
        try:
            yield
        finally:
            self._display.listeners.discard(listener)

    def close(self) -> None:
        """Do nothing, since it holds no resource."""


class FakeOutputHub:
    """Reports which of several displays were written to, in virtual time."""

    def __init__(self, display_of: Callable[[Pane], Display], clock: FakeClock) -> None:
        self._display_of = display_of
        self._clock = clock
        self._watches: dict[Pane, FakeOutputWatch] = {}

    def add(self, pane: Pane) -> bool:
        """Watch a pane as well."""
        self._watches[pane] = FakeOutputWatch(self._display_of(pane), self._clock)
        return True

    def discard(self, pane: Pane) -> None:
        """Stop watching a pane."""
        self._watches.pop(pane, None)

    def wait(self, seconds: float) -> Collection[Pane]:
        """Wait for a write, *seconds* at most; return the panes that may have changed."""
        until = self._clock.now() + seconds
        while not (written := self.written()) and self._clock.now() < until:
            self._clock.step(until - self._clock.now())
        return written

    def written(self) -> Collection[Pane]:
        """Return the panes whose programs have written since the last call."""
        return [pane for pane, watch in self._watches.items() if watch.wait(0.0)]

    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call *listener* at each write, as long as the block lasts."""
        with ExitStack() as stack:
            for watch in self._watches.values():
                stack.enter_context(watch.calling(listener))
            yield

    def close(self) -> None:
        """Stop watching all panes."""
        self._watches.clear()


class FakeTap:
    """A tap on a display: the text that is written to it from now on."""

    def __init__(self, display: Display, screen: Screen) -> None:
        self.screen: Screen = screen
        self.is_as_new: bool = True  # the fake imitates no margins, tab stops or origin
        self.unavailable: str = ""
        self._display = display
        self._written: list[str] = []
        display.taps = [self._written]

    def read(self) -> str:
        """Return the text that was written since the last call."""
        text = "".join(self._written)
        self._written.clear()
        return text

    def close(self) -> None:
        """Stop the tap."""
        self._display.taps = [tap for tap in self._display.taps if tap is not self._written]
