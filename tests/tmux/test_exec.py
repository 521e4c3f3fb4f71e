"""tmux by an exec, as agents' frameworks have one, on this machine."""

import asyncio
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
from typing_extensions import override

from tests.execs import AsyncLocalExec, LocalExec
from tests.tmux_server import Server
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    ExecResult,
    KeySequence,
    Outcome,
    TmuxTerminal,
)

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ("bash", "--norc", "--noprofile")
LONG = 60.0
# A text that takes a paste buffer, and, without input, several calls.
TEXT = ("it's $HOME `x` é \\ %s;" * 100 + "\n") * 9

every_exec = pytest.mark.parametrize(
    "local",
    [
        LocalExec(),
        LocalExec(merges=True),
        LocalExec(has_stdin=False),
        LocalExec(merges=True, has_stdin=False, seconds=0.02),
    ],
    ids=["all", "merges", "no input", "poor"],
)


def through(local: LocalExec, server: Server) -> TmuxTerminal:
    """Return a terminal on a server, each call of which goes by an exec."""
    return TmuxTerminal(
        socket_path=server.socket,
        config_file="/dev/null",
        exec=local,
        exec_stdin=local.has_stdin,
        timeout=LONG,
    )


@every_exec
def test_a_conversation(server: Server, local: LocalExec) -> None:
    """A server is started, a command run, a secret asked for, and the pane closed."""
    terminal = through(local, server)
    assert terminal.panes() == ()
    console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}))
    assert console.wait_ready(LONG).outcome is Outcome.PROMPT
    assert console.run("sleep 1; seq 1 3", LONG).output == "1\n2\n3\n"
    console.send("read -sp 'Password: '")
    assert console.wait_ready(LONG).outcome is Outcome.AWAITING_SECRET
    tty = terminal.probe(console.pane)
    assert tty is not None
    assert (tty.hides_input, tty.reading, tty.unread) == (True, True, None)
    terminal.close(console.pane)
    assert terminal.panes() == ()


@attrs.frozen
class Counting:
    """An exec that counts its calls, and may be of a machine that has few programs."""

    path: str = os.environ["PATH"]
    calls: list[None] = attrs.field(factory=list)

    def __call__(self, argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        """Run one."""
        self.calls.append(None)
        return LocalExec()(["env", f"PATH={self.path}", *argv], stdin)


def console_by(exec_: Counting, server: Server) -> Console:
    """Return a console at the prompt of a shell."""
    terminal = TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", exec=exec_, timeout=LONG
    )
    console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}))
    assert console.wait_ready(LONG).outcome is Outcome.PROMPT
    exec_.calls.clear()
    return console


@pytest.mark.needs("vim")
def test_the_kernel_there_decides(server: Server) -> None:
    """What a program does is no guess, and an answer takes few calls."""
    exec_ = Counting()
    console = console_by(exec_, server)
    assert console.run("echo hi", LONG).output == "hi\n"
    assert len(exec_.calls) <= 5
    for line, outcome, keys in (
        ("read -p 'name? '", Outcome.AWAITING_INPUT, "Enter"),
        ("read -sp 'secret? '", Outcome.AWAITING_SECRET, "Enter"),
        ("cat", Outcome.AWAITING_INPUT, "C-d"),
        ("vim -u NONE -N", Outcome.FULLSCREEN, ": q Enter"),
        ("python3 -q", Outcome.PROMPT, "C-d"),
    ):
        console.send(line)
        readiness = console.wait_ready(LONG)
        assert readiness.outcome is outcome, readiness.reason
        assert "guess" not in readiness.reason
        console.keys(*keys.split())
        assert console.wait_ready(LONG).outcome is Outcome.PROMPT


def test_a_command_that_says_nothing_is_never_left_early(server: Server) -> None:
    """The kernel there reports that nobody reads."""
    console = console_by(Counting(), server)
    began = time.monotonic()
    assert console.run("sleep 2", LONG).complete
    assert time.monotonic() - began >= 2.0


@attrs.frozen
class Replacing(Counting):
    """An exec of a machine with another shell, or one that ends what takes long."""

    words: tuple[str, ...] = ("sh",)

    @override
    def __call__(self, argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        """Run one: the shell that frames an answer starts the one that waits by its name."""
        return super().__call__([*self.words, *argv[1:]], stdin)


@pytest.mark.parametrize("shell", ["dash", "busybox", "bash"])
def test_a_wait_takes_few_calls(server: Server, tmp_path: Path, shell: str) -> None:
    """A shell there waits: for the end of a command, and for a question after some output."""
    (tmp_path / "sh").symlink_to(shutil.which(shell) or shell)
    exec_ = Counting(f"{tmp_path}:{os.environ['PATH']}")
    console = console_by(exec_, server)
    console.send("sleep 3")
    exec_.calls.clear()
    assert console.wait_ready(LONG).outcome is Outcome.PROMPT
    assert len(exec_.calls) <= 4
    console.send("bash -c 'echo installs; sleep 2; read -p \"Continue? \"'")
    exec_.calls.clear()
    readiness = console.wait_ready(LONG)
    assert readiness.outcome is Outcome.AWAITING_INPUT
    assert "guess" not in readiness.reason
    assert len(exec_.calls) <= 5


def test_an_exec_that_ends_long_calls_is_enough(server: Server) -> None:
    """A wait then looks again and again."""
    exec_ = Replacing(words=("timeout", "2", "sh"))
    console = console_by(exec_, server)
    console.send("sleep 4")
    assert console.wait_ready(LONG).outcome is Outcome.PROMPT
    assert len(exec_.calls) > 4
    assert console.run("echo hi", LONG).output == "hi\n"


def test_a_machine_without_grep_is_known_by_the_screen(server: Server, tmp_path: Path) -> None:
    """As before there was evidence."""
    for name in ("sh", "env", "bash", "cat", "cksum", "tmux"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    console = console_by(Counting(str(tmp_path)), server)
    result = console.run("echo hi", LONG)
    assert result.output == "hi\n"
    assert "without kernel evidence" in result.readiness.reason
    assert console.terminal.probe(console.pane) is None


@every_exec
def test_a_long_text_arrives_byte_for_byte(
    server: Server, local: LocalExec, tmp_path: Path
) -> None:
    """In one piece or in several, and no buffer is left."""
    terminal = through(local, server)
    pane = terminal.open(["sh", "-c", "exec cat >out"], cwd=tmp_path)
    terminal.send(pane, KeySequence.paste(TEXT))
    deadline = time.monotonic() + LONG
    while not (tmp_path / "out").exists() or (tmp_path / "out").read_text() != TEXT:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert server.tmux("list-buffers") == ""


def test_several_at_once(server: Server) -> None:
    """From one event loop, on one server."""

    async def work(terminal: AsyncTmuxTerminal, number: int) -> str:
        console = AsyncConsole(terminal, await terminal.open(BASH, env={"PS1": "$ "}))
        await console.wait_ready(LONG)
        return (await console.run(f"echo $((6 * {number}))", LONG)).output

    async def main() -> list[str]:
        terminal = AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null", exec=AsyncLocalExec(), timeout=LONG
        )
        first = await work(terminal, 1)
        return [first, *await asyncio.gather(*(work(terminal, n) for n in (2, 3)))]

    assert asyncio.run(main()) == ["6\n", "12\n", "18\n"]
