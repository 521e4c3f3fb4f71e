"""A person's half line at a real shell never becomes a part of a command."""

import itertools
import re
import subprocess
import sys
import time
from pathlib import Path

import attrs
import pytest

from tests.command_line import ROOT
from tests.tmux_server import Server
from tmuxprim import (
    Console,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    Size,
    State,
    TmuxTerminal,
)
from tmuxprim.profiles import PYTHON
from tmuxprim.tool import TmuxTool

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.needs("bash", "busybox", "dash", "fish", "mksh", "sqlite3", "zsh"),
]

SIZE = Size(40, 8)  # small, so that a line has many rows
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile"],
    "zsh": ["zsh", "-f"],
    "fish": ["fish", "--no-config", "--private"],
    "dash": ["dash"],
    "mksh": ["mksh"],
    "busybox": ["busybox", "sh"],
}
HALF = "cat ./x"
LONG = "echo " + "abcdefghi " * 9
STANDS = "is already typed at the prompt"


@attrs.frozen
class Desk:
    """A pane with a shell, at its prompt, and what drives it."""

    server: Server
    terminal: TmuxTerminal
    pane: Pane

    def type(self, text: str, *keys: str) -> str:
        """Let a person type, and return what the pane shows then."""
        before = self.shown
        for part in (KeySequence.text(text), *map(KeySequence.keys, keys)):
            self.server.terminal.send(self.pane, part)
        last = ""
        for _ in range(100):
            time.sleep(0.05)
            if last == self.shown != before:
                return last
            last = self.shown
        raise AssertionError(last)

    def wait_for_change(self, before: str) -> None:
        """Wait until the pane shows something else."""
        deadline = time.monotonic() + 10.0
        while self.shown == before:
            assert time.monotonic() < deadline, before
            time.sleep(0.01)

    @property
    def shown(self) -> str:
        """What the pane shows, with its history and where the cursor stands."""
        screen = self.server.terminal.observe(self.pane, history=100)
        return f"{screen.text}\n{screen.cursor}"

    def run(self) -> str:
        """Run a command, with a console that knows nothing of the pane."""
        return self.run_on(Console(self.terminal, self.pane))

    def wait_and_run(self) -> str:
        """Run one, with a console that has seen what stands there."""
        console = Console(self.terminal, self.pane)
        console.wait_ready()
        return self.run_on(console)

    def start(self) -> str:
        """Start a session with Python."""
        with pytest.raises(PaneBusyError) as caught:
            Console(self.terminal, self.pane).session(PYTHON).__enter__()
        return str(caught.value)

    def send(self) -> str:
        """Let a model type one, with a tool that knows nothing of the pane."""
        return self.send_by(TmuxTool(self.terminal))

    def wait_and_send(self) -> str:
        """Let a model look, and type one."""
        tool = TmuxTool(self.terminal)
        tool.execute(action="wait_ready", pane=self.pane.target)
        return self.send_by(tool)

    def command_line(self, *words: str) -> str:
        """Call the command line; return what it says on stderr."""
        socket = str(self.server.socket)
        argv = [sys.executable, "-m", "tmuxprim", "-S", socket, *words]
        done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
        nothing_ran, refused = 125, 4
        assert done.returncode == (nothing_ran if words[0] == "run" else refused)
        return done.stderr

    def run_on(self, console: Console) -> str:
        """Run a command; return why that is refused."""
        with pytest.raises(PaneBusyError) as caught:
            console.run("echo hi")
        return str(caught.value)

    def send_by(self, tool: TmuxTool) -> str:
        """Let a model type a command; return what it is told."""
        return tool.execute(action="send", text="echo hi", pane=self.pane.target).message


@pytest.fixture(params=SHELLS)
def desk(request: pytest.FixtureRequest, server: Server, tmp_path: Path) -> Desk:
    """Give each shell in turn, at its prompt, over control mode."""
    terminal = TmuxTerminal(socket_path=server.socket, config_file="/dev/null", transport="control")
    env = {"PS1": "$ ", "RPROMPT": "[right]", "HOME": str(tmp_path)}
    pane = terminal.open(SHELLS[request.param], size=SIZE, cwd=tmp_path, env=env)
    assert Console(terminal, pane).wait_ready().outcome is Outcome.PROMPT
    return Desk(server, terminal, pane)


def test_half_a_line(desk: Desk) -> None:
    """It is told, and nothing is typed, over either transport, by who knows nothing else."""
    shown = desk.type(HALF)
    by_clients = attrs.evolve(desk, terminal=desk.server.terminal)
    acts = (Desk.run, Desk.wait_and_run, Desk.start, Desk.send, Desk.wait_and_send)
    for way, act in itertools.product((desk, by_clients), acts):
        assert f"nothing was sent: {HALF!r} {STANDS}" in act(way)
        assert desk.shown == shown
    for name in ("run", "send"):
        assert f"{HALF!r} {STANDS}" in desk.command_line(name, desk.pane.target, "echo hi")
        assert desk.shown == shown


@pytest.mark.parametrize("ran", [True, False])
def test_where_the_prompt_is_known(desk: Desk, *, ran: bool) -> None:
    """By a wait, or by a command; again and again, and C-e with C-u takes it away."""
    console, tool = Console(desk.terminal, desk.pane), TmuxTool(desk.terminal)
    console.wait_ready()
    tool.execute(action="wait_ready", pane=desk.pane.target)
    for _ in range(2):
        if ran:
            assert console.run("true").output == ""
        for text in (HALF, LONG[:20]):
            shown = desk.type(text)
            assert STANDS in desk.run_on(console)
            assert STANDS in desk.send_by(tool)
            assert desk.shown == shown
            console.keys("C-e", "C-u")
            assert console.run("echo hi").output == "hi\n"


@pytest.mark.parametrize("keys", [["Left"] * 3, ["C-a"]])
def test_a_cursor_that_was_moved_back(desk: Desk, keys: list[str]) -> None:
    """Text right of the cursor counts as typed, and is also deleted."""
    if desk.server.terminal.observe(desk.pane).command == "dash":
        keys = []  # it has no keys for that
    console = Console(desk.terminal, desk.pane)
    console.wait_ready()
    shown = desk.type(HALF, *keys)
    assert STANDS in desk.run_on(console)
    assert STANDS in desk.send()
    assert desk.shown == shown
    console.keys("C-e", "C-u")
    assert console.run("echo hi").output == "hi\n"


@pytest.mark.parametrize("fills_row", [True, False])
def test_a_line_of_many_rows(desk: Desk, *, fills_row: bool) -> None:
    """The line is found in each shell but mksh, which hides its beginning."""
    screen = desk.server.terminal.observe(desk.pane)
    console = Console(desk.terminal, desk.pane)
    console.wait_ready()
    if screen.command == "mksh":  # it shows the end of a long line, in one row
        desk.type(LONG)
        assert HALF not in desk.shown
        return
    shown = desk.type("e" * (SIZE.columns - screen.cursor.column) if fills_row else LONG)
    assert STANDS in desk.run_on(console)
    for told in (desk.run(), desk.send()):
        assert STANDS in told
    assert desk.shown == shown


def test_what_was_typed_ahead(desk: Desk) -> None:
    """The text was typed while our own command ran, also in the wait of the command line.

    In dash the kernel shows that above the prompt, as output, and tells nobody of half a line.
    """
    is_dash = desk.server.terminal.observe(desk.pane).command == "dash"
    console = Console(desk.terminal, desk.pane)
    console.wait_ready()
    console.send("sleep 1")
    desk.server.terminal.send(desk.pane, KeySequence.text(HALF))
    if is_dash:
        readiness = console.wait_ready()
        assert readiness.screen.before_cursor.endswith("$ ")
        assert HALF in readiness.screen.text
        return
    assert STANDS in desk.command_line("run", desk.pane.target, "echo hi")
    assert STANDS in desk.run_on(console)
    console.keys("C-e", "C-u")
    assert console.run("echo hi").output == "hi\n"


def test_a_question_is_answered_by_send(desk: Desk) -> None:
    """A command is no answer, and a question is named."""
    console, target = Console(desk.terminal, desk.pane), desk.pane.target
    console.wait_ready()
    console.send("""sh -c 'printf "sure? "; read x; echo "got $x"'""")
    assert console.wait_ready().outcome is Outcome.AWAITING_INPUT
    shown = desk.shown
    for told in (desk.run_on(console), desk.run(), desk.command_line("run", target, "ls /")):
        assert "nothing was sent: the pane takes no command; " in told
        assert "'sure?'" in told
    assert desk.shown == shown
    assert desk.send_by(TmuxTool(desk.terminal)).startswith("Sent: 'echo hi' + Enter")
    console.wait_for("got echo hi")
    assert console.run("true").readiness.outcome is Outcome.PROMPT


def test_a_model_puts_a_line_together(desk: Desk) -> None:
    """What it has typed itself is no obstacle, also where that fills a row."""
    tool = TmuxTool(desk.terminal)
    for text in ("echo a", "b" * SIZE.columns, "c"):
        before = desk.shown
        told = tool.execute(action="send", text=text, enter=text == "c", pane=desk.pane.target)
        assert told.message.startswith("Sent: ")
        desk.wait_for_change(before)
    message = tool.execute(action="wait_ready", pane=desk.pane.target).message
    assert message.startswith("ready (prompt matched)\n")
    screen = desk.server.terminal.observe(desk.pane)
    assert "a" + "b" * SIZE.columns + "c" in screen.lines


@pytest.mark.parametrize(
    ("argv", "lines"),
    [
        *((argv, ["echo 'abc"]) for argv in SHELLS.values()),
        (SHELLS["bash"], ["cat <<EOF", *["line"] * 20]),
        (SHELLS["bash"], ["for i in 1 2; do", "echo $i"]),
        (["python3", "-q"], ["if 1:", "  x = 1"]),
        (["sqlite3"], ["select 1,"]),
    ],
)
def test_an_open_line(server: Server, argv: list[str], lines: list[str]) -> None:
    """Nothing is typed into it, by a console that has not seen how it began."""
    pane = server.terminal.open(argv, size=SIZE, env={"PS1": "$ "})
    Console(server.terminal, pane).wait_ready()
    desk = Desk(server, server.terminal, pane)
    for line in lines:
        desk.type(line, "Enter")
    assert Console(server.terminal, pane).state().state is State.CONTINUATION
    assert Console(server.terminal, pane).wait_ready().outcome is Outcome.CONTINUATION
    shown = server.terminal.observe(pane).text
    with pytest.raises(PaneBusyError, match="nothing was sent"):
        Console(server.terminal, pane).run("echo hi")
    assert server.terminal.observe(pane).text == shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_search_in_the_history(server: Server, shell: str) -> None:
    """Its Enter would carry out an old command, so neither a command nor a text is typed there."""
    terminal = server.terminal
    pane = terminal.open(SHELLS[shell], size=Size(80, 24), env={"PS1": "$ "})
    console = Console(terminal, pane)
    console.run("echo old")
    Desk(server, terminal, pane).type("", "C-r", "o", "l")
    shown = terminal.observe(pane).text
    searching = "nothing was sent: a search in the history is open: "
    for each in (console, Console(terminal, pane)):
        assert each.state().state is State.ASKING
        with pytest.raises(PaneBusyError, match=re.escape(searching)):
            each.run("echo hi")
    told = TmuxTool(terminal).execute(action="send", text="echo hi", pane=pane.target).message
    assert told.startswith(f"error: {searching}")
    assert terminal.observe(pane).text == shown
    console.keys("C-c")
    console.wait_ready()
    assert console.run("echo hi").output == "hi\n"
