"""tmux behind a launcher: ssh to a server of the test's own, and programs that start programs."""

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tmux.remote import PROGRAMS, Far
from tests.tmux_server import Server
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Outcome,
    Pane,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxprimError,
    TmuxTerminal,
    TmuxTimeoutError,
)
from tmuxprim._tmux.choice import TransportName

pytestmark = [pytest.mark.tmux, pytest.mark.needs(*PROGRAMS)]

BASH = ("bash", "--norc", "--noprofile")
LONG = 60.0
# Each would leave a file, lose a character or change a setting, were it taken apart once more.
HOSTILE = (
    *("; touch PWNED", "$(touch PWNED)", "`touch PWNED`", "a'b\"c\\d", "* ? [a-z] {a,b}"),
    *("~ $HOME & | > < #", "x\\\\y\\n", "a;", ";", "-l -R", "日本 é", "!! !$", "#{pid} %H"),
    *("'", "''", "a\\'b", "'; touch PWNED; '", "'\"'\"'; touch PWNED; '"),
)
LAUNCHERS = ("launcher", "shared")


@pytest.fixture(scope="module")
def far() -> Iterator[Far]:
    """Give a machine to connect to."""
    with tempfile.TemporaryDirectory(prefix="tp-") as directory:
        far = Far.prepare(Path(directory))
        try:
            yield far
        finally:
            far.end_shared()


@pytest.fixture(params=["subprocess", "control"])
def transport(request: pytest.FixtureRequest) -> TransportName:
    """Give each transport in turn."""
    return "control" if request.param == "control" else "subprocess"


def seen(text: str) -> str:
    """Return a text without what wraps and pads it."""
    return "".join(text.split())


def shown_by(terminal: TmuxTerminal, pane: Pane) -> list[str]:
    """Return the lines of a pane and its history."""
    return terminal.read(pane, history=100).splitlines()


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("name", LAUNCHERS)
def test_nothing_is_taken_apart_on_the_way(
    far: Far, server: Server, transport: TransportName, name: str
) -> None:
    """Texts arrive as they are, however many shells are in between, and nothing else happens."""
    with TmuxTerminal(
        socket_path=server.socket,
        config_file="/dev/null",
        launcher=getattr(far, name),
        transport=transport,
        timeout=LONG,
    ) as terminal:
        pane = terminal.open(["cat"], cwd=far.directory)
        sequence = KeySequence(())
        for text in HOSTILE:
            sequence += KeySequence.text(text) + KeySequence.keys("Enter")
        terminal.send(pane, sequence)
        typed = seen("".join(HOSTILE))
        until(lambda: typed in seen("".join(dict.fromkeys(shown_by(terminal, pane)))))
        assert terminal.transport == transport
        assert (terminal.probe(pane) is None) is (transport == "control")
    assert not list(far.directory.rglob("PWNED"))
    assert not (Path.home() / "PWNED").exists()


def test_commands_folders_and_variables(far: Far, server: Server, tmp_path: Path) -> None:
    """They arrive as they are, too; and a text that takes a paste buffer."""
    directory = tmp_path / "a 'b' $HOME ; -x"
    directory.mkdir()
    terminal = TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", launcher=far.shared, timeout=LONG
    )
    script = 'printf "%s|" "$PWD" "$V" "$@"; exec cat >out'
    words = ["sh", "-c", script, "sh", "; touch PWNED", "it's"]
    pane = terminal.open(words, cwd=directory, env={"V": "$(touch PWNED) 'v'"})
    told = f"{directory}|$(touch PWNED) 'v'|; touch PWNED|it's|"
    until(lambda: seen(told) in seen(terminal.read(pane)))
    text = ("x'y$z " * 200 + "\n") * 5
    terminal.send(pane, KeySequence.paste(text))
    until(lambda: (directory / "out").read_text() == text)
    assert not list(tmp_path.rglob("PWNED"))


def test_a_conversation(far: Far, server: Server, transport: TransportName) -> None:
    """A console works as on this machine, in control mode by what the screen shows alone."""
    with TmuxTerminal(
        socket_path=server.socket,
        config_file="/dev/null",
        launcher=far.shared,
        transport=transport,
        timeout=LONG,
    ) as terminal:
        console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}, name="far"))
        assert console.wait_ready(LONG).outcome is Outcome.PROMPT
        named = Console(terminal, Pane("far"))
        assert named.run("sleep 1; seq 1 3", LONG).output == "1\n2\n3\n"
        named.send("read -sp 'Password: '")
        readiness = named.wait_ready(LONG)
        assert readiness.outcome is Outcome.AWAITING_SECRET
        assert ("guess" in readiness.reason) is (transport == "control")
        terminal.close(console.pane)
        assert terminal.panes() == ()


def test_several_machines_at_once(far: Far, transport: TransportName) -> None:
    """From one event loop: each has a connection of its own."""

    async def work(number: int, socket: Path) -> str:
        async with AsyncTmuxTerminal(
            socket_path=socket,
            config_file="/dev/null",
            launcher=far.shared,
            transport=transport,
            timeout=LONG,
        ) as terminal:
            console = AsyncConsole(terminal, await terminal.open(BASH, env={"PS1": "$ "}))
            await console.wait_ready(LONG)
            result = await console.run(f"sleep 0.{number}; echo $((6 * {number})) from far", LONG)
            await terminal.close(await console.locate())
            return result.output

    async def main(directory: str) -> list[str]:
        async with asyncio.timeout(LONG):
            return await asyncio.gather(*(work(n, Path(directory, f"s{n}")) for n in range(1, 5)))

    with tempfile.TemporaryDirectory(prefix="tp-") as directory:
        assert asyncio.run(main(directory)) == [f"{6 * n} from far\n" for n in range(1, 5)]


def test_a_launcher_that_may_start_tmux_only(server: Server) -> None:
    """As some sudo may: the screen is looked at without a shell."""
    script = 'case $1 in sh) echo denied >&2; exit 1 ;; esac; exec "$@"'
    terminal = TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", launcher=("sh", "-c", script, "sh")
    )
    console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}))
    assert console.wait_ready(LONG).outcome is Outcome.PROMPT
    result = console.run("echo hi", LONG)
    assert (result.output, result.readiness.tty) == ("hi\n", None)
    terminal.close(console.pane)
    with pytest.raises(PaneNotFoundError):
        terminal.observe(console.pane)


@pytest.mark.parametrize("launcher", [("env", "A=b"), ("nice", "-n", "1", "env", "-u", "B")])
def test_a_program_that_starts_programs(
    server: Server, transport: TransportName, launcher: tuple[str, ...]
) -> None:
    """What reads no words as a shell does gets them as they are."""

    async def main() -> str:
        async with AsyncTmuxTerminal(
            socket_path=server.socket,
            config_file="/dev/null",
            launcher=launcher,
            transport=transport,
        ) as terminal:
            console = AsyncConsole(terminal, await terminal.open(BASH, env={"PS1": "$ "}))
            await console.wait_ready()
            tty = await terminal.probe(await console.locate())
            assert (tty is None) is (transport == "control")
            return (await console.run("echo \"it's\" '; a'", LONG)).output

    assert asyncio.run(main()) == "it's ; a\n"


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_machine_that_cannot_be_reached(tmp_path: Path, transport: TransportName) -> None:
    """It is an error of ours, with what ssh said."""
    (tmp_path / "config").write_text("Host *\n  ProxyCommand false\n")
    launcher = ("ssh", "-F", str(tmp_path / "config"), "nowhere")
    terminal = TmuxTerminal(launcher=launcher, transport=transport)
    with pytest.raises(TmuxprimError) as caught:
        terminal.open()
    assert isinstance(caught.value, TmuxCommandError)
    # Which of them ssh says depends on who is first to notice.
    assert any(word in str(caught.value) for word in ("closed", "reset", "Broken pipe"))


def test_a_connection_that_has_stopped_is_made_anew(
    far: Far, server: Server, tmp_path: Path
) -> None:
    """As one does when the network goes and comes again; nobody has to disconnect."""
    number = tmp_path / "number"
    noted = ("sh", "-c", f'echo $$ >{number}; exec "$@"', "sh", *far.launcher)
    with TmuxTerminal(
        socket_path=server.socket, launcher=noted, transport="control", timeout=3.0
    ) as terminal:
        pane = terminal.open(BASH)
        before = terminal.observe(pane)
        stopped = int(number.read_text())
        os.kill(stopped, signal.SIGSTOP)
        with pytest.raises(TmuxTimeoutError):
            terminal.observe(pane)
        assert terminal.observe(pane).pane_pid == before.pane_pid
        assert terminal.transport == "control"
        with pytest.raises(ProcessLookupError):
            os.kill(stopped, 0)
