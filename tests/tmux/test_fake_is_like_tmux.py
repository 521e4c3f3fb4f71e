"""The fake against real tmux and kernel: the same screen, the same keys, the same lines.

A test here is the program in a real pane: it writes to the pane's terminal and reads from it,
mostly in raw mode. It needs no pause: tmux answers a status report (ECMA-48 8.3.35) in its turn,
so once the answer is there tmux has read all that was written before.
"""

import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Final, NamedTuple

import pytest

from tests.property.test_key_laws import ALLOWED
from tests.seen import blanks, joined
from tests.tmux_server import Server
from tmuxprim import (
    Console,
    Cursor,
    FakeTerminal,
    Key,
    KeySequence,
    Screen,
    Size,
    TmuxTerminal,
)
from tmuxprim._fake.display import Display
from tmuxprim._fake.streams import to_characters
from tmuxprim._tmux.versions import parse_version
from tmuxprim.testing import FakeTty, ReadLine, Run, StyledText

pytestmark = pytest.mark.tmux

SIZE: Final = Size(10, 4)
HISTORY_LIMIT: Final = 2000  # tmux's own default

# Main screen, all reset, no history, no title. The way over the alternate screen saves the
# cursor at the top left, for a text that has it brought back without having saved it.
_RESET: Final = "\x1b[?1049l\x1bc\x1b[?1049h\x1b[?1049l\x1b[3J\x1b]2;\x1b\\"
_STATUS: Final = "\x1b[5n"
_STATUS_OK: Final = b"\x1b[0n"
_END: Final = "<end>"  # of a key
_DONE: Final = "<done>"


class Shown(NamedTuple):
    """What can be seen of a screen."""

    rows: tuple[str, ...]
    cursor: Cursor
    history: tuple[str, ...]
    joined: tuple[int, ...]
    blanks: tuple[int, ...]
    alternate: bool
    cursor_visible: bool
    title: str
    styles: tuple[tuple[StyledText, ...], ...] | None


class RealPane:
    """A pane of a real tmux whose program is the test."""

    def __init__(self, terminal: TmuxTerminal, size: Size) -> None:
        self._terminal = terminal
        self._pane = terminal.open(["sh", "-c", "echo up; exec sleep 600"], size=size)
        # tmux's child sets the pane's terminal (IUTF8 among others) before it starts the program,
        # and may do so after `open` has returned. The program's first word says that it is done.
        assert Console(terminal, self._pane).wait_for("up", timeout=60.0)
        self._tty = os.open(terminal.observe(self._pane).tty, os.O_RDWR | os.O_NOCTTY)
        self._canonical = termios.tcgetattr(self._tty)
        tty.setraw(self._tty)
        self._raw = termios.tcgetattr(self._tty)
        self._raw[1] |= termios.OPOST | termios.ONLCR  # LF begins a row, as for most programs
        termios.tcsetattr(self._tty, termios.TCSANOW, self._raw)

    def close(self) -> None:
        """Leave the pane's terminal alone."""
        os.close(self._tty)

    def show(self, text: str) -> Shown:
        """Print *text* on a screen that is as new, and return what is to be seen."""
        return self.show_more(f"{_RESET}{text}")

    def resize(self, size: Size) -> None:
        """Change the size of the pane."""
        self._terminal.resize(self._pane, size)

    def show_more(self, text: str) -> Shown:
        """Print *text* on the screen as it is, and return what is to be seen."""
        os.write(self._tty, f"{text}{_STATUS}".encode())
        self._read_until(_STATUS_OK)
        screen = self._terminal.observe(self._pane, history=HISTORY_LIMIT, styled=True)
        assert len(screen.history) == screen.history_size
        rows = screen.history + screen.rows
        return Shown(
            screen.rows,
            screen.cursor,
            screen.history,
            joined(rows, screen.layout.wrapped),
            blanks(rows, screen.layout),
            screen.alternate,
            screen.cursor_visible,
            screen.title,
            screen.styles,
        )

    def edit(self, keys: KeySequence) -> tuple[str, Screen]:
        """Let the kernel collect a line that is typed with *keys*; return it and the screen."""
        self.show("")
        os.write(self._tty, b"\r")  # the kernel counts columns, those of control functions, too
        termios.tcsetattr(self._tty, termios.TCSANOW, self._canonical)
        self._terminal.send(self._pane, keys)
        line = self._read_until(b"\n")
        termios.tcsetattr(self._tty, termios.TCSANOW, self._raw)
        os.write(self._tty, _STATUS.encode())
        self._read_until(_STATUS_OK)
        return line.decode().removesuffix("\n"), self._terminal.observe(self._pane)

    def typed(self, keys: list[Key]) -> list[str]:
        """Press each key, and return what came of it to the program."""
        parts: list[str | Key] = []
        for key in keys:
            parts += (key, _END)
        self._terminal.send(self._pane, KeySequence((*parts, _DONE)))
        return self._read_until(_DONE.encode()).decode().split(_END)[:-1]

    def _read_until(self, end: bytes) -> bytes:
        got = b""
        while not got.endswith(end):
            ready, _, _ = select.select([self._tty], [], [], 10.0)
            assert ready, f"tmux is silent after {got!r}"
            got += os.read(self._tty, 65536)
        return got


@pytest.fixture(name="model")
def server_that_the_fake_is_like(server: Server) -> Server:
    """Give a server of tmux 3.3; others give some rare characters another width, for one."""
    version = server.tmux("-V")
    if parse_version(version) != (3, 3):
        pytest.skip(f"the fake lays a screen out as tmux 3.3 does, and this is {version.strip()}")
    return server


@contextmanager
def real_pane(terminal: TmuxTerminal, size: Size = SIZE) -> Iterator[RealPane]:
    """Open a pane and leave its terminal alone in the end."""
    pane = RealPane(terminal, size)
    try:
        yield pane
    finally:
        pane.close()


def on_the_fake(text: str, *, size: Size = SIZE, history_limit: int = HISTORY_LIMIT) -> Shown:
    """Return what the fake shows of *text*."""
    display = Display(size, history_limit)
    display.write(_RESET + text)
    return shown_by(display)


def shown_by(display: Display) -> Shown:
    """Return what can be seen of a fake's screen."""
    history = display.grid.history(display.grid.above)
    layout = display.grid.layout(display.grid.above)
    rows = (*history, *display.grid.rows)
    return Shown(
        display.grid.rows,
        display.cursor,
        history,
        joined(rows, layout.wrapped),
        blanks(rows, layout),
        display.is_alternate,
        display.cursor_visible,
        display.title,
        display.grid.styles,
    )


_FULL: Final = "0123456789"
_SIX_ROWS: Final = "1\n2\n3\n4\n5\n6"

TEXTS: Final = (
    "a\nbc\x1bMd",
    *("", "hi", "a\nb", "a\rb", "ab\bc", "\bc", "a\tb", "\t\tx", "a\x00\x07\x7fb", " a "),
    *(_FULL, f"{_FULL}x", f"{_FULL}\rx", f"{_FULL}\nx", f"{_FULL}\bx", f"{_FULL}\x1b[Dx"),
    *(f"{_FULL}\x1b[Cx", f"{_FULL}\x1b[Ax", f"{_FULL}\x1b[Bx", f"{_FULL}\x1b[Gx"),
    *(f"{_FULL}\x1b[K", f"{_FULL}\x1b[1K", f"{_FULL}\x1b[1J", f"{_FULL}\x1b[Kx"),
    *(f"{_FULL}x\r\x1b[K\b", f"{_FULL}x\x1b[A\x1b[J\n\r\b", f"{_FULL}x\r\x1b[K\ny"),
    *("日本", f"{_FULL[:9]}日", "日\rx", "日\x1b[K", "日\x1b[D\x1b[K", "a日\x1b[G\x1b[1K"),
    *("a日\bx", "a日\x1b[2Gxy", "日本日本日本x", "a日本日本日本"),
    *("e\u0301x", "\u0301x", "x\n\u0301", "日\u0301", f"{_FULL}\u0301", f"{_FULL[:9]}e\u0301y"),
    *(_SIX_ROWS, f"{_SIX_ROWS}\x1b[2J", f"{_SIX_ROWS}\x1b[3J", f"{_SIX_ROWS}\x1b[H\x1b[2J\x1b[3J"),
    *("a\x1b[2Jb", "a\n\nb\x1b[2J", "a\nb\x1b[A\x1b[J", "abc\nde\x1b[1J"),
    *("abc\x1b[3K", "abc\x1b[9K"),
    *("\x1b[3;4Hx", "\x1b[;4Hx", "\x1b[3Hx", "\x1b[0;0Hx", "\x1b[99;99Hxy", "\x1b[1;2;3fx"),
    *("\x1b[20Cx", "\x1b[20Bx", "ab\x1b[0D", "ab\x1b[0C", "ab\x1b[0G", "a\nb\x1b[0A"),
    *("a\n\x1b[2Bx", "\x1b[?1049h", "ab\x1b[?1049h\x1b[Hhi", "ab\x1b[?1049h\x1b[Hhi\x1b[?1049lc"),
    *("\x1b[?47h\x1b[Hhi", "\x1b[?1047h\x1b[Hhi\x1b[H\x1b[?1047lc"),
    *(f"\x1b[?1049h\x1b[H{_SIX_ROWS}", "\x1b[31mred\x1b[m"),
    *("\x1b[1;38;5;208;44ma b \x1b[mc", "\x1b[7m \x1b[27ma", "\x1b[31ma\x1b7\x1b[mb\x1b8c"),
    *(f"\x1b[31m{_FULL}x\x1b[3mé\x1b[K日", "\x1b[38;2;1;2;3;4;9mab\bc\x1b[22;24md\x1b[1Je"),
    *("\x1b[?25l", "\x1b[?25l\x1b[?25h", "\x1b[?1049;25h", "\x1b[25l"),
    *("👩\u200d👩x", "a\u200d👩", "\u1112\u1161\u11ab.", "ㅎ", "㉈"),
    *("䷀x", "a\u00adb", "\u0600a", "a\u2028b\u2029c\x85d", "a\x90b"),
    *("\x1b]0;title\x07x", "\x1b]2;title\x1b\\x", "\x1b]2;a;b\x07", "\x1b]1;icon\x07", "\x1b(Bx"),
)
"""What a program of a unit test writes."""

NOT_IMITATED: Final = {
    "a character is repeated (REP)": "ab\x1b[3b",
    "tab stops are gone back over (CBT)": "\t\x1b[Zx",
    "what stands there moves right (IRM)": "abc\r\x1b[4hx",
    "rows do not wrap (DECAWM)": f"\x1b[?7l{_FULL}xy",
    "the terminal begins anew (RIS)": "abc\x1bcx",
    "tab stops are taken away (TBC)": "\x1b[3g\tx",
    "the screen is filled with E (DECALN)": "\x1b#8",
    "rows count from the region (DECOM)": "\x1b[2;3r\x1b[?6h\x1b[Hx",
    "a part of the screen scrolls (DECSTBM)": "1\n2\n3\n4\x1b[2;3r\x1b[3H\n",
    "the screen scrolls up and down (SU, SD)": "a\nb\x1b[S\x1b[2T",
    "rows are inserted and taken away (IL, DL)": "a\nb\x1b[L\x1b[H\x1b[M",
    "cells are inserted, taken away and blanked (ICH, DCH, ECH)": "abc\r\x1b[@\x1b[2P\x1b[X",
    "the cursor goes down and scrolls (IND, NEL)": "a\x1bDb\x1bE",
    "the screen scrolls down (RI in the first row)": "a\x1bMb",
    "the cursor goes to a row and a column (VPA, HPA)": "a\x1b[3d\x1b[5`b",
    "tmux leaves half a wide character in the first column": "日\bx",
    "tmux keeps 21 bytes of what is joined to one character": "👩\u200d👩\u200d👧\u200d👦",
}
"""What the fake drops, or does as any other terminal."""


class Author:
    """Writes texts by chance.

    Args:
        random: The chance.
        characters: What is printed.
        functions: The last characters of control functions that are among it.
        others: What else is.
    """

    NARROW: Final = (*"ab  \n\n\r\t", "é", "e\u0301")
    WIDE: Final = (*"ab \n\n\r", "é", "e\u0301", "日", "本", "👩", "👩\u200d👩")
    OTHERS: Final = (
        *("\b", "\b"),
        *("\x1b7", "\x1b8", "\x1b[s", "\x1b[u"),
        *("\x1b[31m", "\x1b[1;4m", "\x1b[m", "\x1b[?25l", "\x1b[?25h", "\x1b]2;title\x07"),
        *("\x1b[?1049h", "\x1b[?1049l", "\x1b[?47h", "\x1b[?47l", "\x1b[?1047h", "\x1b[?1047l"),
    )
    _NUMBERS: Final = ("", "0", "1", "2", "3", "4", "5", "7", "12")

    def __init__(
        self,
        random: Random,
        characters: tuple[str, ...] = NARROW,
        functions: str = "HABCDEFGJKf",
        others: tuple[str, ...] = OTHERS,
    ) -> None:
        self._random = random
        self._characters = characters
        self._functions = functions
        self._others = others

    def write(self) -> str:
        """Return a text of a few to many pieces."""
        count = self._random.choice([5, 20, 60])
        return "".join(self._piece() for _ in range(count))

    def _piece(self) -> str:
        some = self._random.random()
        if some < 0.7 or not self._functions:
            return self._random.choice(self._characters)
        if some < 0.95:
            final = self._random.choice(self._functions)
            numbers = self._random.choices(self._NUMBERS, k=2 if final in "Hf" else 1)
            return f"\x1b[{';'.join(numbers)}{final}"
        return self._random.choice(self._others)


def test_texts_look_the_same(model: Server) -> None:
    """Each hand-made text gives the same rows, cursor, history, modes and title."""
    with real_pane(model.terminal) as pane:
        for text in TEXTS:
            assert pane.show(text) == on_the_fake(text), repr(text)


def test_what_is_not_imitated_looks_different(model: Server) -> None:
    """The list says what the fake leaves to tmux, and nothing that it does as well."""
    with real_pane(model.terminal) as pane:
        for what, text in NOT_IMITATED.items():
            assert pane.show(text) != on_the_fake(text), what


@pytest.mark.parametrize(("size", "count"), [(SIZE, 300), (Size(5, 3), 100), (Size(80, 24), 50)])
def test_texts_made_by_chance_look_the_same(model: Server, size: Size, count: int) -> None:
    """So does what nobody thought of, in any order."""
    author = Author(Random(str(size)))  # noqa: S311  # the same texts in every run, no secret
    with real_pane(model.terminal, size) as pane:
        for _ in range(count):
            text = author.write()
            assert pane.show(text) == on_the_fake(text, size=size), repr(text)


@pytest.mark.parametrize("size", [SIZE, Size(5, 3)])
def test_wide_characters_look_the_same(model: Server, size: Size) -> None:
    """Wherever a row ends among them, and whatever is written over whole ones."""
    random = Random(str(size))  # noqa: S311  # the same texts in every run, no secret
    author = Author(random, Author.WIDE, functions="")
    with real_pane(model.terminal, size) as pane:
        for _ in range(100):
            text = author.write()
            assert pane.show(text) == on_the_fake(text, size=size), repr(text)


@pytest.mark.parametrize("characters", [Author.NARROW, Author.WIDE])
def test_lines_are_wrapped_anew_the_same(model: Server, characters: tuple[str, ...]) -> None:
    """Whatever the new size is: rows, cursor and history. What tmux keeps of its moves is not."""
    random = Random(str(characters))  # noqa: S311  # the same texts in every run, no secret
    author = Author(random, characters, functions="")
    with real_pane(model.terminal) as pane:
        for _ in range(60):
            pane.resize(SIZE)
            text = author.write()
            display = Display(SIZE, HISTORY_LIMIT)
            display.write(_RESET + text)
            pane.show(text)
            size = Size(random.randint(2, 20), random.randint(1, 8))
            display.resize(size)
            pane.resize(size)
            assert pane.show_more("")[:3] == shown_by(display)[:3], (text, size)


def test_a_full_history_looks_the_same(server: Server) -> None:
    """Past its limit, each drops its oldest tenth at once."""
    server.terminal.open(["sleep", "600"])
    server.tmux("set-option", "-g", "history-limit", "20")
    with real_pane(server.frugal) as pane:
        for count in (23, 24, 25, 26, 60):
            text = "\n".join(str(number) for number in range(count))
            assert pane.show(text) == on_the_fake(text, history_limit=20), count


def test_keys_send_the_same(server: Server) -> None:
    """A program in raw mode gets the same bytes for every key, with every modifier."""
    keys = [Key(name) for name in (*sorted(ALLOWED), *"é日😀")]
    with real_pane(server.terminal) as pane:
        typed = pane.typed(keys)
    fake = [to_characters(KeySequence((key,))) for key in keys]
    differing = [
        (str(key), real, faked)
        for key, real, faked in zip(keys, typed, fake, strict=True)
        if real != faked
    ]
    assert differing == []


def edited_on_the_fake(keys: KeySequence) -> tuple[str, Screen]:
    """Return the line and the screen when a program reads what is typed with *keys*."""
    lines: list[str] = []

    def reader(_tty: FakeTty) -> Run:
        while True:
            lines.append((yield ReadLine()))

    terminal = FakeTerminal(programs={"reader": reader})
    pane = terminal.open("reader", size=SIZE)
    terminal.clock.sleep(1.0)
    terminal.send(pane, keys)
    terminal.clock.sleep(1.0)
    return "".join(lines), terminal.observe(pane)


_BACK, _KILL, _WORD, _UP, _ESCAPE = (Key(n) for n in ("BSpace", "C-u", "C-w", "Up", "Escape"))

LINES: Final[tuple[tuple[str | Key, ...], ...]] = (
    *(("ab",), ("ab", _BACK), (_BACK, "a"), ("ab", _KILL, "c"), (_KILL,), ("日é",)),
    *(("a", _ESCAPE), ("a", _UP, "b"), (Key("M-x"),), (Key("F5"),), ("a", Key("C-a"), "b")),
    *(("a", Key("C-b"), _BACK, "c"), ("a", _UP, _BACK), ("a", Key("C-b"), _KILL, "c")),
    *((f"{_FULL}ab", _KILL, "c"), (f"{_FULL}ab", _BACK, _BACK, _BACK, "x")),
    *(
        ("a b", _WORD, "c"),
        ("a b ", _WORD, "c"),
        (" a-b_c", _WORD, "d"),
        (_WORD, "a"),
        (" ", _WORD),
    ),
    *(("aé ü", _WORD, "c"), ("a 日本", _WORD, "c"), ("a ª", _WORD, "c")),
    # C-h is a character as any other, when BSpace is the one that erases (VERASE).
    ("ab", Key("C-h"), "c"),
    # The kernel knows characters, but neither their widths nor what they look like together.
    *(("a日", _BACK, "c"), ("ae\u0301", _BACK, "c"), ("a日本", _KILL, "c")),
    ("a\tb",),
)


def edits_alike(pane: RealPane, line: tuple[str | Key, ...]) -> bool:
    """Whether kernel and fake collect the same line, and show the same of it."""
    keys = KeySequence((*line, Key("Enter")))
    (real, screen), (fake, faked) = pane.edit(keys), edited_on_the_fake(keys)
    return (real, screen.rows, screen.cursor) == (fake, faked.rows, faked.cursor)


def test_lines_are_edited_the_same(model: Server) -> None:
    """A program in canonical mode gets the same line, and the echo looks the same."""
    with real_pane(model.terminal) as pane:
        assert [line for line in LINES if not edits_alike(pane, line)] == []
