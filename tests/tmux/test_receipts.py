"""The receipt of a text on real tmux: shells, questions, raw programs, an assistant's box."""

# ruff: noqa: RUF001  # the signs of Claude Code are what is looked for

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs
import pytest

from tests.tmux_server import Server
from tmuxprim import Console, Outcome, PaneBusyError, Receipt, TmuxTerminal
from tmuxprim._engine import receipt_watch, submit
from tmuxprim.tool import TmuxTool

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH: Final = ("bash", "--norc", "--noprofile")
SHELLS: Final = {
    "bash": BASH,
    "zsh": ("zsh", "-f"),
    "fish": ("fish", "--no-config", "--private"),
    "dash": ("dash",),
    "mksh": ("mksh",),
}
# An imitation of Claude Code: its box, its dialog, and that it works. It notes each key in a file,
# and waits for a connection as well, if it is to have one to its model.
CHAT: Final = """#!{python}
import asyncio, os, pathlib, socket, sys, tty

tty.setraw(0)
typed, heard, works, dialog, drops = "", [], False, sys.argv[1] == "dialog", int(sys.argv[2])
keys = pathlib.Path("keys").open("w")


def draw():
    box = ["─" * 40, f"❯ {{typed}}\\x1b7", "─" * 40, "esc to interrupt" if works else "? help"]
    asks = ["Do you want to proceed?", "❯ 1. Yes", "  2. No", "Esc to cancel\\x1b7"]
    rows = [f"❯ {{text}}" for text in heard] + (asks if dialog else box)
    print(end="\\x1b[?1049h\\x1b[H\\x1b[2J" + "\\r\\n".join(rows) + "\\x1b8", flush=True)


def take():
    global typed, works, drops
    read = os.read(0, 4096).decode()
    print(end=read, file=keys, flush=True)
    for key in read.replace("\\x1b[200~", "").replace("\\x1b[201~", ""):
        if key != "\\r":
            typed += key
        elif drops:
            drops -= 1
        else:
            heard.append(typed)
            typed, works = "", typed.startswith("work")
    draw()


print(end="\\x1b[?2004h")
draw()
loop = asyncio.new_event_loop()
loop.add_reader(0, take)
if sys.argv[3] == "connected":
    model = socket.create_server(("127.0.0.1", 0))
    connection = socket.create_connection(model.getsockname())
    loop.add_reader(connection, connection.recv, 4096)
loop.run_forever()
"""
SLEEPS: Final = """
import time, tty
tty.setraw(0)
print(end='stuck', flush=True)
time.sleep(600)
"""
POLLS: Final = """
import asyncio, os, tty
tty.setraw(0)
loop = asyncio.new_event_loop()
loop.add_reader(0, lambda: os.read(0, 100))
print(end='\\x1b[?1049hsomething', flush=True)
loop.run_forever()
"""


@pytest.fixture
def types_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a busy machine take its time until a text is in the box."""
    for name in ("_PATIENCE", "_BOX_PATIENCE", "_BOX_PATIENCE_AT_WORK"):
        monkeypatch.setattr(submit, name, 30.0)


in_box = pytest.mark.usefixtures("types_slowly")


@contextmanager
def patience(*names: str) -> Iterator[None]:
    """Give nothing up early: a busy machine may read and draw late."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_UNREAD", "_GIVEN_UP", "_GIVEN_UP_AT_WORK", *names):
            patch.setattr(receipt_watch, name, 30.0)
        yield


def submitted(console: Console, text: str) -> Receipt:
    """Return the receipt of a text that is read and drawn sooner or later."""
    with patience("_DRAWN"):
        return console.submit(text)


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@attrs.frozen
class Desk:
    """Starts programs in a directory, each in a pane of its own."""

    terminal: TmuxTerminal
    directory: Path

    def shell(self, *command: str) -> Console:
        """Return a console on a shell at its prompt."""
        env = {"PS1": "$ ", "HOME": str(self.directory)}
        console = Console(
            self.terminal, self.terminal.open(command or BASH, cwd=self.directory, env=env)
        )
        assert console.wait_ready(timeout=60.0).outcome is Outcome.PROMPT
        return console

    def program(self, source: str, shows: str) -> Console:
        """Return a console on a program in Python that has shown something."""
        words = (sys.executable, "-c", source)
        console = Console(self.terminal, self.terminal.open(words, cwd=self.directory))
        assert console.wait_for(shows, timeout=60.0)
        return console

    def chat(self, *, dialog: bool = False, drops: int = 0, is_connected: bool = False) -> Console:
        """Return a console on the imitation of Claude Code."""
        path = self.directory / "claude"
        path.write_text(CHAT.format(python=sys.executable), encoding="utf-8")
        path.chmod(0o700)
        console = self.shell()
        words = (
            "dialog" if dialog else "box",
            str(drops),
            "connected" if is_connected else "alone",
        )
        console.send(f"./claude {' '.join(words)}")
        asked = Outcome.AWAITING_INPUT if dialog else Outcome.PROMPT
        assert console.wait_ready(timeout=60.0).outcome is asked
        return console

    @property
    def keys(self) -> str:
        """What the imitation has read."""
        return (self.directory / "keys").read_bytes().decode()


@pytest.fixture
def desk(terminal: TmuxTerminal, tmp_path: Path) -> Desk:
    """Give a place to start programs in."""
    return Desk(terminal, tmp_path)


@pytest.mark.needs(*SHELLS)
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell(desk: Desk, name: str) -> None:
    """At its prompt it takes a line; while a command runs, nobody reads the next."""
    console = desk.shell(*SHELLS[name])
    for line in ("true", "", "cd /", f"echo {'x' * 300}", "echo one; echo two"):
        assert submitted(console, line) is Receipt.DELIVERED
        assert console.wait_ready(timeout=60.0).outcome is Outcome.PROMPT
    assert submitted(console, "sleep 600") is Receipt.DELIVERED
    eventually(lambda: desk.terminal.observe(console.pane).command == "sleep")
    assert console.submit("echo late") is Receipt.UNREAD


def test_a_question_and_a_password(desk: Desk) -> None:
    """Who is blocked in the read of a line has it, shown or not."""
    console = desk.shell()
    for asks, outcome in (
        ("read -p 'name? ' it", Outcome.AWAITING_INPUT),
        ("read -s -p 'Password: ' it", Outcome.AWAITING_SECRET),
    ):
        assert submitted(console, asks) is Receipt.DELIVERED
        assert console.wait_ready(timeout=60.0).outcome is outcome
        assert submitted(console, "Ada") is Receipt.DELIVERED
        assert console.run('echo "$it"', timeout=60.0).output == "Ada\n"


def test_a_raw_program_that_does_not_read(desk: Desk) -> None:
    """What is typed stays in the terminal."""
    assert desk.program(SLEEPS, "stuck").submit("hello") is Receipt.UNREAD


def test_an_event_loop_that_is_not_known(desk: Desk) -> None:
    """It reads all, and nobody can say what it makes of that."""
    assert submitted(desk.program(POLLS, "something"), "hello there") is Receipt.UNKNOWN


@pytest.mark.needs("script")
def test_behind_script(desk: Desk) -> None:
    """It passes keys on, as ssh does: that they were read by it proves nothing."""
    console = desk.shell()
    console.send(f"script -qc '{' '.join(BASH)}' /dev/null")
    assert console.wait_ready(timeout=60.0).outcome is Outcome.PROMPT
    assert submitted(console, "echo be''hind") is Receipt.UNKNOWN
    assert console.wait_for("behind", timeout=60.0)


@in_box
@pytest.mark.parametrize("text", ["hi", "a text of some length", "long " * 150, "one\ntwo"])
def test_the_box_of_an_assistant(desk: Desk, text: str) -> None:
    """It held the text, and is empty; while it works, that waits in its queue."""
    console = desk.chat()
    assert submitted(console, text) is Receipt.DELIVERED
    assert submitted(console, "work on it") is Receipt.DELIVERED
    assert submitted(console, f"then {text}") is Receipt.QUEUED


@in_box
@pytest.mark.parametrize("text", ["hi", "long " * 150])
def test_an_assistant_that_is_connected_to_its_model(desk: Desk, text: str) -> None:
    """To the kernel it looks like ssh, but it takes the text itself: a long one is pasted."""
    console = desk.chat(is_connected=True)
    tty = desk.terminal.probe(console.pane)
    assert tty is not None
    assert tty.passes_on or tty.level != "syscall"
    assert submitted(console, text) is Receipt.DELIVERED
    pasted = f"\x1b[200~{text}\x1b[201~\r"
    assert desk.keys == (pasted if text != "hi" else "hi\r")
    assert "a guess" not in console.wait_ready(timeout=60.0).reason


@in_box
def test_an_enter_that_is_swallowed(desk: Desk) -> None:
    """The text is in the box, and no Enter is pressed by itself."""
    console = desk.chat(drops=1)
    with patience():
        assert console.submit("look at @file") is Receipt.IN_BOX
    assert desk.keys == "look at @file\r"
    console.keys("Enter")
    eventually(lambda: console.read().startswith("❯ look at @file\n─"))


@in_box
@pytest.mark.parametrize(("drops", "became"), [(1, Receipt.DELIVERED), (9, Receipt.IN_BOX)])
def test_once_more(desk: Desk, drops: int, became: Receipt) -> None:
    """It looks anew before that; a second Enter that is swallowed is the last."""
    console = desk.chat(drops=drops)
    with patience():
        assert console.submit("look at @file", again=True) is became
    assert desk.keys == "look at @file\r\r"


def test_a_dialog(desk: Desk) -> None:
    """It would take the Enter for a choice, so nothing is typed."""
    console = desk.chat(dialog=True)
    with pytest.raises(PaneBusyError, match="a menu of Claude Code asks"):
        console.submit("n")
    console.keys("x")
    eventually(lambda: bool(desk.keys))
    assert desk.keys == "x"


@in_box
def test_a_model_is_told(server: Server, desk: Desk) -> None:
    """The tool says what became of a text, and what to do."""
    pane = desk.chat(drops=1).pane
    tool = TmuxTool(server.terminal)
    with patience():
        told = tool.execute(action="send", text="look at @file", pane=pane.target).message
    assert told.startswith(
        "Sent: 'look at @file' + Enter; what was typed is in the box of Claude Code and not sent: "
    )
