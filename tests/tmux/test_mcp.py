"""`tmuxprim mcp` on real tmux, by the client of the package `mcp`, which starts it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TextIO

import pytest
from mcp import Client, StdioServerParameters, stdio_client, types

from tests.command_line import ROOT
from tests.tmux.ticking import belongings, until_as_before
from tests.tmux_server import Server
from tmuxprim import KeySequence, Pane, TmuxTerminal
from tmuxprim._cli.parser import parse
from tmuxprim._tool.actions import MANY_TOOLS

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.needs("bash"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sees by /proc what is left"),
]

BASH = ("bash", "--norc", "--noprofile")
LONG = 60.0
Go = Callable[[Client], Awaitable[None]]


class Desk:
    """A place where a client starts the server by itself, as clients do.

    Args:
        server: The tmux server that it works on.
        directory: An empty directory.
    """

    def __init__(self, server: Server, directory: Path) -> None:
        self._server = server
        self.errors = directory / "stderr"
        self._environment = {
            "PYTHONPATH": os.pathsep.join(word for word in sys.path if word),
            "SHELL": "/bin/bash",
            "HOME": str(directory),  # whose files are not the user's, and quick
        }

    def words(self, *more: str) -> list[str]:
        """Return the words behind ``python``."""
        socket = str(self._server.socket)
        return ["-m", "tmuxprim", "mcp", "-S", socket, "-f", "/dev/null", *more]

    def run(self, go: Go, *more: str, mode: str = "legacy") -> str:
        """Let a client talk to the server; return what that printed besides."""
        parameters = StdioServerParameters(
            command=sys.executable, args=self.words(*more), env=self._environment
        )

        async def main(errors: TextIO) -> None:
            before = belongings()
            async with (
                asyncio.timeout(LONG),
                Client(stdio_client(parameters, errors), mode=mode) as client,
            ):
                await go(client)
            await until_as_before(before)

        with self.errors.open("w") as errors:
            asyncio.run(main(errors))
        assert self.clients() == ""
        return self.errors.read_text()

    def start(self, *more: str) -> "subprocess.Popen[bytes]":
        """Start the server with pipes that nobody writes to."""
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [sys.executable, *self.words(*more)],
            env={**os.environ, **self._environment},
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        )

    def clients(self) -> str:
        """Return the clients that the tmux server has, if it runs."""
        return self._server.tmux("list-clients") if self._server.pid() else ""


@pytest.fixture
def desk(server: Server, terminal: TmuxTerminal, tmp_path: Path) -> Desk:
    """Give a client's place, and a pane ``work`` in which bash is at its prompt."""
    terminal.open(BASH, name="work", env={"PS1": "$ "})
    return Desk(server, tmp_path)


async def say(client: Client, name: str, **arguments: Any) -> str:  # noqa: ANN401  # JSON
    """Call a tool, and return what a model is told."""
    result = await client.call_tool(name, arguments)
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_session(desk: Desk, mode: str, transport: str) -> None:
    """Every tool, a question, a secret, an error; nothing is printed besides."""

    async def go(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == list(MANY_TOOLS.actions)
        assert await say(client, "wait_ready") == "ready (prompt matched)\n$"
        assert await say(client, "run", command="seq 1 3; sleep 0.2; echo 'a;'") == (
            "done\n1\n2\n3\na;\n"
        )
        assert await say(client, "run", command="true") == "done, without output"
        assert await say(client, "run", command="echo 'open") == (
            "waiting for the rest of the command, without output"
        )
        assert await say(client, "keys", keys="C-c") == "Sent: C-c"
        asked = await say(client, "run", command="read -p 'Continue? [y/N] ' answer")
        assert asked.rstrip() == "waiting for input\nContinue? [y/N]"
        told = await say(client, "run", command="ls /")
        assert told.startswith("error: nothing was sent: the pane takes no command; ")
        assert told.endswith("after 'Continue? [y/N]'; answer it with 'send'")
        assert (await say(client, "send", text="y")).startswith("Sent: 'y' + Enter")
        asked = await say(client, "run", command="read -s -p 'Password: ' it; echo; echo ${#it}")
        assert asked.startswith("waiting for a secret\n(a person types it after ")
        assert asked.rstrip().endswith("\nPassword:")
        told = await say(client, "send", text="hunter2")
        assert told.startswith("Sent: (hidden) + Enter")
        assert (await say(client, "wait_ready")).endswith("\n7\n$")
        wrong = await client.call_tool("keys", {"keys": ["y ; kill-server"]})
        assert wrong.is_error
        told = await say(client, "run", command="sleep 60", timeout=0.2)
        assert told.startswith("run timed out after 0.2s: ")
        assert await say(client, "keys", keys="C-c") == "Sent: C-c"
        assert (await say(client, "wait_ready")).endswith("\n^C\n$")
        assert "hunter2" not in await say(client, "read", lines=1000)

    assert desk.run(go, "--pane", "work", "--transport", transport, mode=mode) == ""


def test_more_panes(desk: Desk, server: Server, terminal: TmuxTerminal) -> None:
    """A pane is opened by name, used again, listed, and a log in it waited for; news are told."""
    server.stop()  # it starts one

    async def go(client: Client) -> None:
        assert (await say(client, "open", pane="work")).startswith("Opened the pane 'work' (%0), ")
        told = await say(client, "open", pane="logs", cwd="/")
        assert told.startswith("Opened the pane 'logs' (%1), with a new shell.\nready (")
        told = await say(client, "open", pane="logs")
        assert told.startswith("There is a pane 'logs' (%1) already; it was left as it is.\nready")
        listed = await say(client, "panes")
        assert [line.split(" ")[:4] for line in listed.splitlines()] == [
            ["%1", "logs:0.0", "80x24", "bash"],
            ["%0", "work:0.0", "80x24", "bash"],
        ]
        await say(client, "read", pane="logs")
        log = "sleep 0.5; echo list''ening; sleep 60"
        assert (await say(client, "send", text=log, pane="logs")).startswith("Sent: ")
        told = await say(client, "wait_for", text="listening", pane="logs", timeout=20)
        assert told.startswith("found 'listening'\n")
        assert told.endswith("\nlistening")
        told = await say(client, "read", only_new=True, pane="logs")
        assert re.fullmatch(
            r"\[sleep; cursor in row \d+ of 24, column 1; 2 lines are new since your last read\]\n"
            r".*; sleep 60\nlistening",
            told,
        )

    assert desk.run(go, "--pane", "work") == ""
    assert terminal.resolve(Pane("logs")) == Pane("%1")


def test_a_person_answers(desk: Desk, terminal: TmuxTerminal) -> None:
    """The model waits for that, is told no secret, and may type in no other pane."""
    logs = terminal.open(BASH, name="logs", env={"PS1": "$ "})
    by_hand = KeySequence.text("hunter2") + KeySequence.keys("Enter")

    async def go(client: Client) -> None:
        asked = await say(client, "run", command="read -s -p 'Password: ' it; echo; echo ${#it}")
        assert re.search(r" attach %0; ask_person waits for that\)\nPassword:", asked)
        told = await say(client, "ask_person", timeout=0.3)
        assert told.startswith("ask_person timed out after 0.3s: the same is still asked: ")
        answered = asyncio.create_task(say(client, "ask_person", timeout=LONG))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(terminal.send, Pane("work"), by_hand)
        assert (await answered).endswith("\n7\n$")
        for pane in ("logs", logs.target):
            told = await say(client, "send", text="ls", pane=pane)
            assert told.startswith(f"error: you may only read the pane {pane!r}: ")
        assert await say(client, "read", pane="logs")

    assert desk.run(go, "--pane", "work", "--read-only", "logs") == ""
    assert "ls" not in terminal.read(logs)


def test_hostile_text(desk: Desk) -> None:
    """No text is a tmux command, a key, a flag or a format."""

    async def go(client: Client) -> None:
        for text in ("; kill-server ;", "Enter", "-R", "#{pid}", "C-c", "$(tmux kill-server)é日"):
            ran = await say(client, "run", command=f"printf '%s\\n' '{text}'")
            assert ran == f"done\n{text}\n"

    desk.run(go, "--pane", "work")


def test_panes_are_waited_for_at_the_same_time(desk: Desk, terminal: TmuxTerminal) -> None:
    """Two that take a second each take no two."""
    for name in "ab":
        terminal.open(BASH, name=name, env={"PS1": "$ "})

    async def go(client: Client) -> None:
        await asyncio.gather(*(say(client, "wait_ready", pane=name) for name in "ab"))
        calls = (say(client, "run", command="sleep 1; pwd >&2", pane=name) for name in "ab")
        outputs = await asyncio.gather(*calls)
        assert [output.partition("\n")[0] for output in outputs] == ["done", "done"]
        starts = [terminal.read(Pane(name)) for name in "ab"]
        assert all("pwd" in start for start in starts)

    desk.run(go, "--no-open")


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_call_that_is_cancelled(desk: Desk, transport: str) -> None:
    """The wait ends, the command goes on, and the pane can be used."""

    async def go(client: Client) -> None:
        told = await say(client, "run", command="cat; echo end", timeout=50)
        assert told.startswith("waiting for input")
        waiting = asyncio.create_task(say(client, "wait_ready", timeout=50, prompt_pattern="never"))
        await asyncio.sleep(0.2)
        waiting.cancel()
        await asyncio.wait([waiting])
        told = await say(client, "send", text="still there")
        assert told.startswith("Sent: 'still there' + Enter")
        assert await say(client, "keys", keys="C-d") == "Sent: C-d"
        told = await say(client, "wait_ready")
        assert told.endswith("\nstill there\nstill there\nend\n$")

    desk.run(go, "--pane", "work", "--transport", transport)


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_client_that_hangs_up(desk: Desk, terminal: TmuxTerminal, transport: str) -> None:
    """The server ends by itself, though it waits, and what it waited for goes on."""
    work = Pane("work")

    async def go(client: Client) -> None:
        await say(client, "wait_ready")
        waiting = asyncio.create_task(say(client, "run", command="sleep 61", timeout=50))
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        while terminal.observe(terminal.resolve(work)).command != "sleep":  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.01)

    began = time.monotonic()
    assert desk.run(go, "--pane", "work", "--transport", transport) == ""
    assert terminal.observe(terminal.resolve(work)).command == "sleep"
    assert time.monotonic() - began < LONG


def test_a_pane_that_it_has_opened(desk: Desk, server: Server, terminal: TmuxTerminal) -> None:
    """It stays when the server ends, since a person may have joined it."""
    server.stop()  # it starts one

    async def go(client: Client) -> None:
        told = await say(client, "run", command="rm -r build")
        assert told.startswith("There was no pane 'shared', so it was opened, with a new shell.")
        assert await say(client, "run", command="echo $((6 * 7))") == "done\n42\n"

    assert desk.run(go) == ""
    assert "42" in terminal.read(terminal.resolve(Pane("shared")))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it(desk: Desk, number: signal.Signals) -> None:
    """At once, though standard input is open; its client in control mode ends with it."""
    with desk.start("--pane", "work", "--transport", "control") as process:
        for line in (INITIALIZE, WAIT):
            assert process.stdin is not None
            process.stdin.write(line)
            process.stdin.flush()
        assert process.stdout is not None
        assert b"serverInfo" in process.stdout.readline()
        assert b"ready (prompt matched)" in process.stdout.readline()
        process.send_signal(number)
        assert process.wait(20) == -number
    deadline = time.monotonic() + 60
    while desk.clients():
        assert time.monotonic() < deadline


INITIALIZE = (
    b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"test","version":"0"}}}\n'
)
WAIT = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait_ready",'
    b'"arguments":{}}}\n'
)


BLOCK = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_what_clients_are_told_in_the_docs() -> None:
    """A command line that makes sense."""
    blocks = BLOCK.findall((ROOT / "docs/guides/mcp.md").read_text(encoding="utf-8"))
    assert blocks
    for block in blocks:
        told = json.loads(block)["mcpServers"]["terminal"]
        assert told["command"] == "tmuxprim"
        assert parse(told["args"]).command == "mcp"


def test_every_option_is_in_the_docs() -> None:
    """The page has a table of them."""
    page = (ROOT / "docs/guides/mcp.md").read_text(encoding="utf-8")
    for option in ("-L NAME", "-S PATH", "-f FILE", "--pane PANE", "--no-open", "--leave-mode"):
        assert f"`{option}`" in page
