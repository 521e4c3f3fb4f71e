"""The agent tool on real shells, in a tmux server of its own."""

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.tmux_server import Server
from tmuxprim import AsyncTmuxTerminal, Pane, Size, TmuxTerminal, default_chain
from tmuxprim.readiness import AssistantStrategy
from tmuxprim.testing import RecordingTerminal
from tmuxprim.tool import AsyncTmuxTool, TmuxTool

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ("bash", "--norc", "--noprofile")
ASK_SECRET = "read -s -p 'Password: ' word; echo; echo ${#word} characters"  # noqa: S105  # a question


@pytest.fixture
def tool(terminal: TmuxTerminal) -> TmuxTool:
    """Give a tool whose pane ``shared`` is bash at its prompt."""
    terminal.open(BASH, name="shared", env={"PS1": "$ "})
    tool = TmuxTool(terminal)
    assert tool.execute(action="wait_ready").message == "ready (prompt matched)\n$"
    return tool


def say(tool: TmuxTool, text: str, **wait: object) -> str:
    """Send a text, wait, and return what a model is told."""
    sent = tool.execute(action="send", text=text)
    assert not sent.is_error, sent.message
    return tool.execute(action="wait_ready", **wait).message


def test_a_command(tool: TmuxTool) -> None:
    """A command is typed, and its output is told once its prompt is back."""
    told = say(tool, "sleep 0.3; echo 'total: 5 $'")
    assert told.startswith("ready (prompt matched)\n$ sleep 0.3")
    assert told.endswith("\ntotal: 5 $\n$")


def test_a_command_that_takes_too_long(tool: TmuxTool) -> None:
    """A timeout is told, and the command can be interrupted with a key."""
    told = say(tool, "sleep 60", timeout="0.3")
    assert told.startswith("wait_ready timed out after 0.3s: ")
    assert told.endswith("\n$ sleep 60")
    assert tool.execute(action="keys", keys="C-c").message == "Sent: C-c"
    assert tool.execute(action="wait_ready").message == "ready (prompt matched)\n$ sleep 60\n^C\n$"


def test_a_pattern_and_a_program_of_ones_own(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A program that the tool was told of asks, whatever pattern the model waits for."""
    chat = tmp_path / "chat"
    chat.write_text(
        f"#!{sys.executable}\nimport asyncio, tty\ntty.setraw(0)\n"
        "print(end='Run it now', flush=True)\nloop = asyncio.new_event_loop()\n"
        "loop.add_reader(0, loop.stop)\nloop.run_forever()\n"
    )
    chat.chmod(0o700)
    knows = AssistantStrategy(name="Chat", programs=("chat",), box="^=", asks="^Run it")
    terminal.open(BASH, name="shared", cwd=str(tmp_path), env={"PS1": "$ "})
    tool = TmuxTool(terminal, strategy=default_chain(programs=[knows]))
    tool.execute(action="wait_ready")
    told = say(tool, "./chat", timeout=20, prompt_pattern="chat>")
    assert told == "waiting for input: Chat asks: 'Run it'\n$ ./chat\nRun it now"


def test_the_course_of_a_command(tool: TmuxTool, tmp_path: Path) -> None:
    """It is resumed, interrupted while another call waits for it, and a text is seen to go."""
    script = "echo one; sleep 1.5; echo two"
    told = tool.execute(action="run", command=script, timeout=1, exit_status=True).message
    assert told.startswith("run timed out after 1s: ")
    assert told.endswith("\none\n")
    assert tool.execute(action="resume").message == "done; exit status 0\none\ntwo\n"
    # C-c at the moment of typing is a doubt, rightly: so the call that types has time to return.
    script = f"sleep 1.5; touch {tmp_path}/begun; sleep 60"
    with ThreadPoolExecutor() as pool:
        running = pool.submit(partial(tool.execute, action="run", command=script))
        while not (tmp_path / "begun").exists():
            time.sleep(0.02)
        stopped = tool.execute(action="interrupt").message
        assert stopped.startswith("ready (prompt matched)\n")
        head, *output = running.result().message.splitlines()
        assert (head.endswith("its echo '^C' is a part of it"), output) == (True, ["^C"])
    told = tool.execute(action="run", command="sleep 61", timeout=60, idle_timeout=0.5).message
    assert told == "run gave up: no output for 0.5 s, without output"
    tool.execute(action="interrupt")
    tool.execute(action="send", text="clear")
    told = tool.execute(action="wait_for", text="begun", gone=True).message
    assert told == "gone: 'begun'\n$"


@pytest.mark.parametrize(
    ("command", "head"),
    [
        ("read -p 'Continue? [y/N] ' answer", "waiting for input"),
        ("echo 'open", "waiting for the rest of the command"),
        (ASK_SECRET, "waiting for a secret"),
        ("exit 3", "exited: "),
    ],
)
def test_outcomes(tool: TmuxTool, command: str, head: str) -> None:
    """What bash waits for is told in the first line."""
    assert say(tool, command).partition("\n")[0].startswith(head)


def test_a_secret(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A password is typed, and is in no message, on no screen and in no recording."""
    path = tmp_path / "session.jsonl"
    recorded = RecordingTerminal(terminal, path)
    recorded.open(BASH, name="shared", env={"PS1": "$ "})
    tool = TmuxTool(recorded)
    tool.execute(action="wait_ready")
    assert say(tool, ASK_SECRET).startswith("waiting for a secret\n")
    told = tool.execute(action="send", text="hunter2").message
    assert told.startswith("Sent: (hidden) + Enter")
    told += tool.execute(action="wait_ready").message
    assert told.endswith("\n7 characters\n$")
    assert "hunter2" not in told + path.read_text()


def test_long_output(tool: TmuxTool) -> None:
    """What scrolled off the screen is read, as far as it is asked for, and cut at its top."""
    say(tool, "seq 100000 109999", timeout=30)
    assert tool.execute(action="read", lines=50).message.split("\n")[-52:][0] == "109949"
    head, *rows = tool.execute(action="read", lines=10_000).message.split("\n")
    assert head.startswith("(cut: ") or len("\n".join(rows)) <= 20_000
    assert rows[-2:] == ["109999", "$"]


def test_hostile_text(tool: TmuxTool) -> None:
    """No text is a tmux command, a key or a flag."""
    for text in ("echo ; kill-server ;", "echo Enter", "echo -R '#{pid}' ;"):
        assert say(tool, text).startswith("ready (prompt matched)")
    assert "-R #{pid}\n$" in tool.execute(action="read").message


def test_what_is_refused_sends_nothing(tool: TmuxTool) -> None:
    """After all kinds of wrong calls the pane is as it was."""
    wrong: tuple[dict[str, object], ...] = (
        {"action": "send", "text": "x" * 5_000_000},
        {"action": "send", "text": "a\0b"},
        {"action": "send", "txt": "ls"},
        {"action": "keys", "keys": "Ctrl-C"},
        {"action": "keys", "keys": ["y ; kill-server"]},
        {"action": "send", "text": "ls", "pane": "share"},
        {"action": "send", "text": "ls", "pane": "%99"},
        {"action": "wait_ready", "timeout": "1e9"},
    )
    for call in wrong:
        assert tool.execute(**call).message.endswith(" Nothing was sent.")
    assert tool.execute(action="read").message == "$"


def test_a_line_that_the_kernel_would_cut(tool: TmuxTool) -> None:
    """A line too long for a program that reads whole lines is refused, and why."""
    say(tool, "cat > /dev/null")
    message = tool.execute(action="send", text="x" * 5_000).message
    assert message.startswith("error: nothing was sent: the kernel would cut a line of 5000 bytes")


def test_a_pane_that_is_not_there(
    server: Server, terminal: TmuxTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is opened, then used; a pane that was closed is told to be gone, with those there."""
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setenv("HOME", str(tmp_path))  # whose files are not the user's, and quick
    tool = TmuxTool(terminal)
    opened = tool.execute(action="send", text="ls").message
    assert opened.startswith("There was no pane 'shared', so it was opened, with a new shell.")
    assert "\nready (prompt matched)\n" in opened
    other = terminal.open(BASH, size=Size(40, 5))
    terminal.close(terminal.resolve(Pane("shared")))
    gone = tool.execute(action="send", text="ls").message
    assert gone == (
        "error: the pane 'shared' is gone: its program has ended, or it was closed. "
        f"The existing panes are: {other} (1:0.0, bash). "
        "Your next call works in a new pane 'shared'. "
        "Nothing was sent."
    )
    server.stop()
    assert tool.execute(action="read").message.startswith("There was no pane 'shared'")


NAMES = ("shared", "%0", "shared:0", "shared:0.0")


def in_turn(rows: str) -> bool:
    """Whether each command of a screen stands in a line of its own, with its output below."""
    lines = rows.splitlines()
    typed = [line.removeprefix("$ echo ") for line in lines if line.startswith("$ echo ")]
    return sorted(typed) == sorted(NAMES) and all(name in lines for name in NAMES)


def test_threads(tool: TmuxTool) -> None:
    """What several threads type at once, into one pane by any of its names, is never one line."""
    with ThreadPoolExecutor(len(NAMES)) as pool:
        send = partial(tool.execute, action="send")
        calls = [pool.submit(send, text=f"echo {name}", pane=name) for name in NAMES]
    assert not any(call.result().is_error for call in calls)
    tool.execute(action="wait_ready")
    assert in_turn(tool.execute(action="read").message)


def test_threads_that_open_the_shared_pane(
    terminal: TmuxTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them opens it, and says so; the others use it."""
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setenv("HOME", str(tmp_path))
    tool = TmuxTool(terminal)
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(tool.execute, action="read") for _ in range(4)]
    replies = [call.result() for call in calls]
    assert [reply.is_error for reply in replies].count(True) == 1
    assert len(terminal.panes()) == 1


@pytest.mark.parametrize("delay", [0.0, 0.002, 0.01])
def test_tasks_that_name_a_pane_differently(
    server: Server, terminal: TmuxTerminal, delay: float
) -> None:
    """Tasks, too, take turns, whether a name is known when they come or not."""

    async def send(tool: AsyncTmuxTool, number: int) -> None:
        await asyncio.sleep(number * delay)
        await tool.execute(action="send", text=f"echo {NAMES[number]}", pane=NAMES[number])

    async def session() -> str:
        tool = AsyncTmuxTool(AsyncTmuxTerminal(socket_path=server.socket))
        await asyncio.gather(*(send(tool, number) for number in range(len(NAMES))))
        await tool.execute(action="wait_ready")
        return (await tool.execute(action="read")).message

    terminal.open(BASH, name="shared", env={"PS1": "$ "})
    TmuxTool(terminal).execute(action="wait_ready")
    assert in_turn(asyncio.run(session()))


def test_asyncio(server: Server, terminal: TmuxTerminal) -> None:
    """The tool for asyncio says the same, of several panes at a time."""

    async def session(name: str, tool: AsyncTmuxTool) -> str:
        await tool.execute(action="wait_ready", pane=name)
        await tool.execute(action="send", text=f"sleep 0.2; echo {name}", pane=name)
        return (await tool.execute(action="wait_ready", pane=name)).message

    async def sessions() -> list[str]:
        tool = AsyncTmuxTool(AsyncTmuxTerminal(socket_path=server.socket))
        return await asyncio.gather(*(session(name, tool) for name in "ab"))

    for name in "ab":
        terminal.open(BASH, name=name, env={"PS1": "$ "})
    heads = [told.split("\n")[0] for told in asyncio.run(sessions())]
    assert heads == ["ready (prompt matched)"] * 2
