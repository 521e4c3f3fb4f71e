"""Sending on real tmux: byte-exact, or an error and nothing sent."""

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.property.hostile import KEYS, texts
from tests.scenarios.refusals import EVIDENCE, files_may_be_refused, refusing
from tests.sink import Sink
from tests.tmux_server import Server
from tmuxprim import (
    Console,
    InvalidTextError,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    PaneNotFoundError,
    TmuxTerminal,
)
from tmuxprim._fake.streams import to_characters

pytestmark = pytest.mark.tmux

# One pane takes all examples of a test.
thorough = settings(
    max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def sink(server: Server, tmp_path: Path) -> Sink:
    """Give a pane that keeps what it is sent."""
    return Sink(server.terminal, tmp_path / "sink")


@pytest.fixture
def bracketing(server: Server, tmp_path: Path) -> Sink:
    """Give a pane that keeps what it is sent and has asked for bracketed pastes."""
    return Sink(server.terminal, tmp_path / "bracketing", ask_for_brackets=True)


@thorough
@given(text=texts)
def test_law_text_arrives_byte_for_byte(server: Server, sink: Sink, text: str) -> None:
    """Whatever the text, the program reads its UTF-8 bytes, and nothing else."""
    server.terminal.send(sink.pane, KeySequence.text(text))
    assert sink.receive(len(text.encode())) == text.encode()


@thorough
@given(text=texts, times=st.integers(1, 400))
def test_law_long_text_arrives_byte_for_byte(
    server: Server, sink: Sink, text: str, times: int
) -> None:
    """Length does not matter: no text is cut, least of all inside of a character."""
    server.terminal.send(sink.pane, KeySequence.text(text * times))
    assert sink.receive(len(text.encode()) * times) == text.encode() * times


@thorough
@given(pieces=st.lists(st.one_of(texts, st.sampled_from(KEYS)), max_size=9))
def test_law_order_is_kept(server: Server, sink: Sink, pieces: list[str]) -> None:
    """Texts and keys arrive in the order in which they were put together."""
    keys = KeySequence(())
    for piece in pieces:
        keys += KeySequence.keys(piece) if piece in KEYS else KeySequence.text(piece)
    server.terminal.send(sink.pane, keys)
    sent = to_characters(keys).encode()
    assert sink.receive(len(sent)) == sent


@thorough
@given(text=texts.filter(lambda text: "201~" not in text))
def test_law_a_paste_is_in_brackets(server: Server, bracketing: Sink, text: str) -> None:
    """A program that asked for it is told where a paste begins and ends."""
    server.terminal.send(bracketing.pane, KeySequence.paste(text))
    body = text.replace("\r\n", "\n").replace("\n", "\r").encode()
    expected = b"\x1b[200~" + body + b"\x1b[201~" if text else b""
    assert bracketing.receive(len(expected)) == expected


def test_a_paste_without_brackets_is_just_text(server: Server, sink: Sink) -> None:
    """A program that did not ask for brackets gets none; line ends are CR as from a clipboard."""
    server.terminal.send(sink.pane, KeySequence.paste("a\nb\r\nc"))
    assert sink.receive(5) == b"a\rb\rc"


@pytest.mark.parametrize("end", ["\x1b[201~", "\x9b201~", "\x1b[0201~"])
def test_a_paste_cannot_end_its_bracket(end: str) -> None:
    """A text that would make what follows count as typed is refused."""
    with pytest.raises(InvalidTextError, match="cannot hold the end of a paste"):
        KeySequence.paste(f"a{end}rm -rf /\n")


def test_lines_are_ended_by_enter(server: Server, sink: Sink) -> None:
    """What a newline means is said by how the sequence is made: LF, or the Enter key."""
    server.terminal.send(sink.pane, KeySequence.text("a\nb"))
    server.terminal.send(sink.pane, KeySequence.lines("a\nb\r\n"))
    assert sink.receive(7) == b"a\nba\rb\r"


def test_sixteen_mebibytes_arrive(server: Server, sink: Sink) -> None:
    """There is no length at which text gets lost."""
    text = "0123456789abcdé\n" * (1 << 20)
    server.terminal.send(sink.pane, KeySequence.text(text))
    assert sink.receive(len(text.encode())) == text.encode()


def test_enter_comes_after_the_text_was_read(server: Server, tmp_path: Path) -> None:
    """A program that takes text and CR in one read for a paste gets them in two reads."""
    reads = tmp_path / "reads"
    program = (
        "import os, sys, tty\n"
        "tty.setraw(0)\n"
        "sys.stdout.write('ready> '); sys.stdout.flush()\n"
        f"log = open({str(reads)!r}, 'w')\n"
        "while True: print(os.read(0, 65536), file=log, flush=True)\n"
    )
    console = Console(server.terminal, server.terminal.open(["python3", "-c", program]))
    assert console.wait_ready().outcome is Outcome.PROMPT
    for number in range(20):
        console.send(f"text {number}")
    expected = [line for n in range(20) for line in (repr(f"text {n}".encode()), repr(b"\r"))]
    deadline = time.monotonic() + 60
    while reads.read_text().splitlines() != expected:
        assert time.monotonic() < deadline, reads.read_text()


# Behind ssh the terminal's modes are not known either.
@pytest.mark.parametrize("evidence", EVIDENCE[:-1])
def test_enter_waits_for_readchar(either: TmuxTerminal, evidence: str) -> None:
    """Python's readchar throws away what was typed since it left raw mode."""
    program = (
        "import sys, termios, time\n"
        "def key():\n"
        "    cooked = termios.tcgetattr(0)\n"
        "    raw = termios.tcgetattr(0)\n"
        "    raw[3] &= ~(termios.ICANON | termios.ECHO)\n"
        "    termios.tcsetattr(0, termios.TCSAFLUSH, raw)\n"
        "    try: return sys.stdin.read(1)\n"
        "    finally: termios.tcsetattr(0, termios.TCSADRAIN, cooked)\n"
        "while True:\n"
        "    print('Name: ', end='', flush=True)\n"
        "    while (char := key()) != '\\n':\n"
        "        print(end=char, flush=True)\n"
        "        time.sleep(0.01)\n"
        "    print()\n"
    )
    console = Console(either, either.open(["python3", "-c", program]))
    with files_may_be_refused(), refusing(evidence):
        assert console.wait_ready()
        for number in range(3):
            console.send(f"bob {number}")
            assert console.wait_ready()
    shown = [line for line in console.screen().lines if line]
    assert shown == [*(f"Name: bob {number}" for number in range(3)), "Name: "]


MODES = (
    (("copy-mode",), "copy-mode"),
    (("clock-mode",), "clock-mode"),
    (("choose-tree",), "tree-mode"),
    (("choose-buffer",), "tree-mode"),
)


def test_a_person_who_scrolls_is_not_disturbed(server: Server, sink: Sink) -> None:
    """By default copy mode is an error; only who asks for it leaves the mode first."""
    for command, mode in MODES:
        server.tmux(*command, "-t", sink.pane.target)
        with pytest.raises(PaneBusyError, match=f"is in {mode}"):
            sink.console.send("lost?")
        with pytest.raises(PaneBusyError, match=f"is in {mode}"):
            sink.console.send("lost?" * 9999)
    polite = Console(server.terminal, sink.pane, leave_mode=True)
    polite.send("found")
    assert sink.receive(6) == b"found\r"
    assert server.terminal.observe(sink.pane).mode == ""


def test_a_synchronized_pane_is_refused(server: Server, sink: Sink) -> None:
    """Keys that would go to other panes as well are not sent at all."""
    server.tmux("set-option", "-w", "-t", sink.pane.target, "synchronize-panes", "on")
    sink.console.send("alone", enter=False)
    server.tmux("split-window", "-d", "-t", sink.pane.target)
    with pytest.raises(PaneBusyError, match="is synchronized with the other panes"):
        sink.console.send("both")
    assert sink.receive(5) == b"alone"


@pytest.fixture(scope="module")
def crowd(module_server: Server) -> Server:
    """Give a server with sessions whose names are alike, or look like tmux's own words."""
    for name in ("shared-2", "0", "1", "kill-server"):
        module_server.terminal.open(["cat"], name=name)
    for name in ("%weird", "@w", "=eq", "with space", "-x", "{active}", "+"):
        pane = module_server.terminal.open(["cat"])
        module_server.tmux("rename-session", "-t", pane.target, "--", name)
    return module_server


HOSTILE_NAMES = (
    *("shared", "share", "shared-", "sh*", "2", "99", "!", "~", "{active}x", "{last}", "{mouse}"),
    *("@0", "@", "$0", "$", ":", ".", ":0", ":0.0", "shared-2:9", "shared-2:0.9", "=shared-2"),
    *("shared-2:", "-t", "-", ";", "#{session_name}", "+1", "{next}", "{start}", "nobody:0.0"),
)
ODD_NAMES = ("0", "1", "kill-server", "@w", "=eq", "with space", "-x", "{active}", "+")


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_is_no_pane(crowd: Server, name: str) -> None:
    """A name that is none of a pane's names reaches no pane, and never the current one."""
    with pytest.raises(PaneNotFoundError):
        Console(crowd.terminal, Pane(name)).send("x")
    for pane in crowd.terminal.panes():
        assert crowd.terminal.observe(pane).text == ""


@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_odd_name_is_exact(crowd: Server, name: str) -> None:
    """A session with a name that tmux itself could not address is found by that name."""
    pane = crowd.terminal.resolve(Pane(name))
    shown = crowd.tmux("display-message", "-p", "-t", pane.target, "#{session_name}")
    assert shown == name


def test_a_line_that_the_kernel_would_cut_is_refused(server: Server, tmp_path: Path) -> None:
    """For a program that reads whole lines the kernel keeps 4,095 bytes of a line, or 1,023."""
    file = tmp_path / "lines"
    console = Console(server.terminal, server.terminal.open(["sh", "-c", f"cat > {file}"]))
    assert console.wait_ready().outcome is Outcome.AWAITING_INPUT
    tty = server.terminal.probe(console.pane)
    assert tty is not None
    assert tty.line_limit is not None
    with pytest.raises(InvalidTextError, match="the kernel would cut a line of"):
        console.send("x" * (tty.line_limit + 1))
    console.send("y" * tty.line_limit)
    console.keys("C-d")
    assert console.wait_ready().outcome is Outcome.EXITED
    assert file.read_text() == "y" * tty.line_limit + "\n"
