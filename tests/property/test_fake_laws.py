"""Laws of the fake: what holds whatever is printed, typed, planned and resized."""

import unicodedata
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.property.ansi_strategies import hostile_text
from tests.property.test_key_laws import ALLOWED
from tmuxprim import Console, FakeTerminal, Key, KeySequence, Pane, Screen, Size
from tmuxprim._fake.display import Display
from tmuxprim._fake.streams import split_keys, to_characters
from tmuxprim.testing import (
    FakeClock,
    FakeTty,
    Program,
    ReadKey,
    ReadLine,
    Run,
    ScriptedShell,
    Sleep,
    progress_bar,
    spinner,
)

thorough = settings(max_examples=examples(200))

# Printed and executed characters, and the control functions that a display understands.
_CHARS: Final = st.sampled_from([*"ab $é日😀\n\r\b\t\x07", "\N{COMBINING ACUTE ACCENT}", "\n\n"])
_NUMBERS: Final = st.sampled_from(["", "0", "1", "2", "3", "5", "9", ";", "2;3", "0;9", "1;2;3"])
_CONTROLS: Final = st.builds("\x1b[{}{}".format, _NUMBERS, st.sampled_from("ABCDEFGHJKfLMPrsu"))
_MODES: Final = st.builds(
    "\x1b[?{}{}".format, st.sampled_from(["25", "47", "1047", "1049"]), st.sampled_from("hl")
)
_TITLES: Final = st.sampled_from(["\x1b]0;title\x07", "\x1b]2;\x1b\\"])
_DROPPED: Final = st.sampled_from(["\x1b[31m", "\x1b[m", "\x1b(B", "\x1b[?7h", "\x1b]8;;u\x1b\\"])
_PIECES: Final = st.lists(_CHARS | _CHARS | _CONTROLS | _MODES | _TITLES, max_size=30)

_SIZES: Final = st.builds(Size, st.integers(1, 12), st.integers(1, 5))
_LIMITS: Final = st.integers(0, 25)
_KEYS: Final = [Key(name) for name in sorted(ALLOWED)]

# What a person types who edits lines. No accents: they are erased with their letters
# (test_tty.py).
_TEXTS: Final = st.text("ab c日é;\t", min_size=1, max_size=5)
_EDITS: Final = st.sampled_from(["BSpace", "BSpace", "C-u", "Enter", "C-j"])
_OTHERS: Final = st.sampled_from(["S-Up", "S-Left", "M-b", "C-g", "F1", "BTab"])
_TYPED: Final = st.lists(
    st.builds(KeySequence.text, _TEXTS)
    | st.builds(KeySequence.keys, _EDITS)
    | st.builds(KeySequence.keys, _OTHERS),
    max_size=20,
)


def _shown(display: Display) -> tuple[object, ...]:
    """Return all that a snapshot of a display can tell."""
    state = (display.is_alternate, display.cursor_visible, display.title)
    return (display.grid.rows, display.cursor, display.grid.history(display.grid.above), *state)


def _collector(lines: list[str], *, raw: bool) -> Program:
    """Return a program that reads lines and keeps them; it has no prompt.

    A prompt would come after what is typed ahead, and so would depend on the pauses.
    """

    def run(_tty: FakeTty) -> Run:
        while True:
            lines.append((yield ReadLine(raw=raw)))

    return run


def _type(
    pieces: list[KeySequence], *, raw: bool, pauses: float, size: Size
) -> tuple[list[str], Screen]:
    """Type *pieces* with pauses, and return the lines that were read and the screen."""
    lines: list[str] = []
    terminal = FakeTerminal(programs={"sh": _collector(lines, raw=raw)})
    pane: Pane = terminal.open(size=size)
    terminal.clock.sleep(1.0)
    for piece in pieces:
        terminal.send(pane, piece)
        terminal.clock.sleep(pauses)
    terminal.clock.sleep(1.0)
    return lines, terminal.observe(pane)


@thorough
@given(_SIZES, _LIMITS, st.lists(_PIECES.map("".join) | _SIZES, max_size=6))
def test_a_screen_is_as_large_as_its_size(size: Size, limit: int, acts: list[str | Size]) -> None:
    """Whatever is written or resized, each row is there once and the cursor on one of them."""
    display = Display(size, limit)
    for act in acts:
        if isinstance(act, Size):
            display.resize(act)
        else:
            display.write(act)
        grid = display.grid
        assert len(grid.lines) == len(display.grid.history(display.grid.above)) + grid.size.rows
        # A screen that does not fit together refuses to be made.
        Screen(size=grid.size, rows=grid.rows, cursor=display.cursor)


@thorough
@given(_SIZES, _LIMITS, _PIECES.map("".join))
def test_a_history_keeps_its_limit(size: Size, limit: int, text: str) -> None:
    """Never is more kept than was asked for; only a resize may push more up, as in tmux."""
    display = Display(size, limit)
    display.write(text)
    assert len(display.grid.history(display.grid.above)) <= limit


@thorough
@given(hostile_text)
def test_no_control_is_ever_shown(text: str) -> None:
    """Whatever a program writes, what is read is text (Unicode's general category is not Cc)."""
    display = Display(Size(20, 5), 100)
    display.write(text)
    shown = "".join((*display.grid.history(display.grid.above), *display.grid.rows))
    assert "Cc" not in {unicodedata.category(char) for char in shown}


@thorough
@given(_PIECES, st.data())
def test_what_is_not_understood_leaves_no_trace(pieces: list[str], data: st.DataObject) -> None:
    """Colours between all else change nothing that can be seen."""
    plain, coloured = Display(Size(10, 4), 100), Display(Size(10, 4), 100)
    plain.write("".join(pieces))
    coloured.write("".join(data.draw(_DROPPED) + piece for piece in pieces))
    assert _shown(coloured) == _shown(plain)


@thorough
@given(_PIECES)
def test_output_in_pieces_is_the_output(pieces: list[str]) -> None:
    """A program may write each character and each control function by itself."""
    whole, by_pieces = Display(Size(10, 4), 100), Display(Size(10, 4), 100)
    whole.write("".join(pieces))
    for piece in pieces:
        by_pieces.write(piece)
    assert _shown(by_pieces) == _shown(whole)


_SECONDS: Final = st.floats(0, 100) | st.integers(0, 3).map(float)


@thorough
@given(st.lists(st.tuples(_SECONDS, _SECONDS, _SECONDS), max_size=10))
def test_events_happen_in_the_order_of_their_times(plans: list[tuple[float, float, float]]) -> None:
    """Each at its own time, those that others plan too; and all that is due has happened."""
    clock, happened = FakeClock(), list[float]()
    due: list[float] = []

    def plan(*delays: float) -> None:
        time = clock.now() + delays[0]
        due.append(time)
        clock.call_later(delays[0], lambda: ring(time, *delays[1:]))

    def ring(time: float, *delays: float) -> None:
        assert clock.now() == time
        happened.append(time)
        if delays:
            plan(*delays)

    for first, second, pause in plans:
        plan(first, second)
        clock.sleep(pause)
        assert happened == sorted(time for time in due if time <= clock.now())


@thorough
@given(st.lists(_SECONDS))
def test_time_is_the_sum_of_the_sleeps(sleeps: list[float]) -> None:
    """Nothing else moves the clock."""
    clock, time = FakeClock(), 0.0
    for seconds in sleeps:
        clock.sleep(seconds)
        time += seconds
        assert clock.now() == time


@given(st.sampled_from(_KEYS))
@settings(max_examples=len(_KEYS))
def test_every_key_has_characters(key: Key) -> None:
    """No key is silent, and what is sent for it is taken for one key."""
    characters = to_characters(KeySequence((key,)))
    assert characters
    assert split_keys(characters) == [characters]


@given(_TYPED, st.booleans(), st.sampled_from([0.0, 0.0005, 0.5]))
def test_typing_in_pieces_is_typing(pieces: list[KeySequence], raw: bool, pauses: float) -> None:  # noqa: FBT001  # given by name
    """Pauses between the keys change neither what is read nor what is shown."""
    whole = KeySequence(tuple(part for piece in pieces for part in piece))
    assert _type(pieces, raw=raw, pauses=pauses, size=Size(9, 4)) == _type(
        [whole], raw=raw, pauses=0.0, size=Size(9, 4)
    )


def _model(pieces: list[KeySequence], *, raw: bool) -> list[str]:
    """Return the lines that are typed: the last is the one that has no Enter yet."""
    lines = [""]
    for part in (part for piece in pieces for part in piece):
        match str(part) if isinstance(part, Key) else "":
            case "Enter" | "C-j":
                lines.append("")
            case "BSpace":
                lines[-1] = lines[-1][:-1]
            case "C-u":
                lines[-1] = ""
            case name if name and raw:
                continue  # a line editor's command
            case _:
                lines[-1] += to_characters(KeySequence((part,)))
    return lines


@given(_TYPED, st.booleans())
def test_a_reader_gets_what_is_typed(pieces: list[KeySequence], raw: bool) -> None:  # noqa: FBT001  # given by name
    """Characters are added, taken away one or all, and handed over at Enter.

    Other keys mean nothing to a line editor; to the kernel they are characters, too.
    """
    typed = [*pieces, KeySequence.keys("Enter")]
    read, _ = _type(typed, raw=raw, pauses=0.0, size=Size(80, 24))
    assert read == _model(pieces, raw=raw)


# Only characters of one column, and no wrapped lines.
_PLAIN: Final = st.lists(
    st.builds(KeySequence.text, st.text("ab c;", min_size=1, max_size=3))
    | st.builds(KeySequence.keys, _EDITS),
    max_size=20,
)


@given(_PLAIN, st.booleans())
def test_the_screen_shows_what_is_typed(pieces: list[KeySequence], raw: bool) -> None:  # noqa: FBT001  # given by name
    """After all editing, each line stands there as it was read."""
    _, screen = _type(pieces, raw=raw, pauses=0.0, size=Size(80, 24))
    shown = [line.rstrip() for line in _model(pieces, raw=raw)]
    assert screen.text == "\n".join(shown).rstrip("\n")


_LINES: Final = st.text(st.sampled_from("ab $>%é日"), max_size=30)


@given(st.lists(st.lists(_LINES, min_size=1, max_size=20), min_size=1, max_size=4), _SIZES)
def test_run_returns_what_was_printed(outputs: list[list[str]], size: Size) -> None:
    """Whatever a command prints, on a screen of any size, one command after another."""
    replies = {f"c{number}": "\n".join(lines) for number, lines in enumerate(outputs)}
    terminal = FakeTerminal(programs={"sh": ScriptedShell(replies)})
    wide = Size(size.columns + 8, size.rows + 1)  # the command line is not part of this law
    console = Console(terminal, terminal.open("sh", size=wide))
    for command, text in replies.items():
        result = console.run(command)
        assert result.output == text + "\n" * bool(text and not text.endswith("\n"))
        assert result.complete


_EDITOR_KEYS: Final = st.sampled_from(
    [
        *("BSpace", "DC", "Left", "Right", "Home", "End", "C-a", "C-e", "C-b", "C-f", "C-h"),
        *("C-k", "C-u", "Up", "Down", "Tab", "C-g", "M-x"),
    ]
)
_LETTERS: Final = st.lists(st.sampled_from([*"ab c日é", "e\u0301"]), min_size=1, max_size=5)
_EDITED: Final = st.lists(
    st.builds(KeySequence.text, _LETTERS.map("".join)) | st.builds(KeySequence.keys, _EDITOR_KEYS),
    max_size=20,
)


def _shell_after(*keys: KeySequence, columns: int) -> Screen:
    """Return a shell's screen once *keys* were typed; the line never fills the screen."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"abc": "", "ab": ""})})
    pane = terminal.open(size=Size(columns, 40))
    terminal.clock.sleep(1.0)
    for part in keys:
        terminal.send(pane, part)
    terminal.clock.sleep(1.0)
    return terminal.observe(pane)


@given(_EDITED, st.integers(4, 12))
def test_a_killed_line_leaves_the_prompt_alone(pieces: list[KeySequence], columns: int) -> None:
    """C-e and C-u take everything back that was typed, however it was edited."""
    screen = _shell_after(*pieces, KeySequence.keys("C-e", "C-u"), columns=columns)
    assert (screen.text, screen.cursor.row, screen.cursor.column) == ("$", 0, 2)


@given(_EDITED, st.integers(4, 12))
def test_an_edited_line_is_shown_as_it_is_read(pieces: list[KeySequence], columns: int) -> None:
    """What the screen shows behind the prompt is what the program gets."""
    lines: list[str] = []

    def reader(_tty: FakeTty) -> Run:
        lines.append((yield ReadLine(raw=True, prompt="$ ")))
        yield ReadLine()
        return 0

    terminal = FakeTerminal(programs={"sh": reader})
    pane = terminal.open(size=Size(columns, 40))
    terminal.clock.sleep(1.0)
    for part in (*pieces, KeySequence.keys("Enter")):
        terminal.send(pane, part)
    terminal.clock.sleep(1.0)
    shown = "".join(terminal.observe(pane).rows).replace(" ", "").replace("\u0301", "")
    read = "".join(lines).replace("\t", "").replace(" ", "").replace("\u0301", "")
    assert shown == f"${read}"


@given(st.lists(st.text("ab\n$日\t\r", max_size=12), max_size=4), st.integers(1, 5), _SECONDS)
def test_slow_output_ends_in_the_same_screen(texts: list[str], size: int, delay: float) -> None:
    """Whatever a program writes, and however small its pieces are."""

    def writer(tty: FakeTty) -> Run:
        for text in texts:
            tty.write(text)
            yield Sleep(0.5)
        yield ReadKey()
        return 0

    screens = []
    for slow in (False, True):
        terminal = FakeTerminal(programs={"sh": writer})
        pane = terminal.open(size=Size(10, 4))
        if slow:
            terminal.faults.output_in_pieces(pane, size, delay)
        terminal.clock.sleep(10_000.0)
        screens.append(terminal.observe(pane, history=100))
    assert screens[0] == screens[1]


@given(st.text("ab 日/", max_size=20), st.integers(3, 12), st.floats(0, 3), st.booleans())
def test_what_turns_changes_its_own_row_alone(
    text: str,
    columns: int,
    seconds: float,
    bar: bool,  # noqa: FBT001  # which of the two
) -> None:
    """A spinner and a progress bar leave what stands above and below, at any time."""
    shell = ScriptedShell({"go": progress_bar(3.0) if bar else spinner(3.0, text)})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open(size=Size(columns + 4, 5)))
    console.wait_ready()
    console.send("go")
    terminal.clock.sleep(seconds)
    screen = console.wait_ready(timeout=0.0).screen
    if screen.command == "go":
        assert (screen.rows[0], screen.rows[2:]) == ("$ go", ("", "", ""))


@thorough
@given(_PIECES.map("".join), st.lists(st.integers(2, 12)))
def test_no_other_width_loses_text(text: str, widths: list[int]) -> None:
    """On the main screen lines flow, and what does not fit goes to the history."""
    display = Display(Size(10, 4), 1000)
    display.write(f"{text}\x1b[?47l")
    before = [cell for line in display.grid.lines for cell in line.cells]
    for columns in widths:
        display.resize(Size(columns, 4))
    assert [cell for line in display.grid.lines for cell in line.cells] == before
