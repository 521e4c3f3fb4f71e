"""`run`, `resume`, `interrupt` and `wait_for`: what a model is told of a command's course."""

import asyncio

import pytest

from tests.unit.tool.talking import SHELL, Talk, start
from tmuxprim import FakeTerminal
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell
from tmuxprim.tool import AsyncTmuxTool, TmuxTool


@pytest.fixture
def talk() -> Talk:
    """Give a tool on a shell at its prompt."""
    return start()


def test_output_and_exit_status(talk: Talk) -> None:
    """The output is exact, and the status is told if it is asked for."""
    assert talk.say("run", command="echo hi") == "done\nhi\n"
    assert talk.say("run", command="nothing", exit_status=True).startswith(
        "done; exit status 127\n"
    )


def test_all_output() -> None:
    """What the pane keeps only the end of is told, if it is asked for."""
    numbers = "".join(f"{number}\n" for number in range(1, 101))
    shell = ScriptedShell({"seq 1 100": numbers})
    terminal = FakeTerminal(programs={"sh": shell}, history_limit=20)
    terminal.open("sh", name="shared")
    tool = TmuxTool(terminal)
    assert not tool.execute(action="run", command="seq 1 100").message.startswith("done\n")
    told = tool.execute(action="run", command="seq 1 100", all_output=True).message
    assert told == f"done\n{numbers}"


def test_a_command_whose_time_is_up_is_waited_for_again(talk: Talk) -> None:
    """All that it has printed is told, from its beginning; then there is nothing to resume."""
    why = "make runs and does not read, without output"
    assert talk.say("run", command="make", timeout=1) == f"run timed out after 1s: {why}"
    assert talk.say("resume", timeout=2) == f"resume timed out after 2s: {why}"
    assert talk.say("resume", timeout="90") == "done\ndone\n"
    told = talk.say("resume")
    assert told == "error: nothing was sent: there is no command of run() that has not ended"


@pytest.mark.parametrize("action", ["run", "resume"])
def test_a_command_that_prints_nothing_more(talk: Talk, action: str) -> None:
    """It is given up before the time is up, and the first line says why."""
    first = talk.say(
        "run", command="serve", timeout=1, idle_timeout=None if action == "resume" else 0.5
    )
    before = talk.terminal.clock.now()
    told = talk.say("resume", timeout=300, idle_timeout="5") if action == "resume" else first
    seconds = "5" if action == "resume" else "0.5"
    assert told == f"{action} gave up: no output for {seconds} s, without output"
    assert talk.terminal.clock.now() - before < 6


def test_a_command_is_interrupted(talk: Talk) -> None:
    """C-c is pressed, and the prompt waited for; what the last wait had found is over."""
    talk.say("run", command="serve", timeout=1)
    assert talk.say("interrupt") == "ready (prompt matched)\n$ serve\n^C\n$"
    talk.terminal.assert_sent(talk.pane, "serve", "Enter", "C-c")
    assert talk.say("run", command="echo hi") == "done\nhi\n"


def test_a_call_that_waits_is_interrupted() -> None:
    """It has the turn, and an interrupt does not wait for that."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    terminal.open("sh", name="shared")
    tool = AsyncTmuxTool(AsyncFakeTerminal(terminal))

    async def go() -> list[str]:
        running = asyncio.create_task(tool.execute(action="run", command="serve", timeout=60))
        while terminal.clock.now() < 1:  # noqa: ASYNC110  # virtual time
            await asyncio.sleep(0)
        told = await tool.execute(action="interrupt")
        return [(await running).message, told.message]

    ran, told = asyncio.run(go())
    doubt = "C-c was pressed while the command ran, and its echo '^C' is a part of it"
    assert ran == f"ready (prompt matched), but this may not be exactly the output: {doubt}\n^C\n"
    assert told == "ready (prompt matched)\n$ serve\n^C\n$"


def test_what_cannot_be_interrupted(talk: Talk) -> None:
    """The time is told that was waited."""
    talk.say("send", text="less")
    talk.say("wait_ready")
    assert talk.say("interrupt", timeout=0).startswith("interrupt timed out after 0s: 1 bytes that")


def test_a_secret_that_is_no_longer_asked_for(talk: Talk) -> None:
    """After an interrupt what is sent is a command, and told."""
    assert talk.say("run", command="login").startswith("waiting for a secret")
    talk.say("interrupt")
    assert talk.say("send", text="ls") == "Sent: 'ls' + Enter"


def test_a_text_that_is_to_go(talk: Talk) -> None:
    """It is waited for until it is no longer on the screen."""
    talk.say("send", text="less")
    assert talk.say("wait_for", text="(END)").startswith("found '(END)'\n")
    told = talk.say("wait_for", text="(END)", gone=True, timeout=1)
    assert told.startswith("wait_for timed out after 1s: '(END)' is on the screen\n")
    talk.say("keys", keys="q")
    assert talk.say("wait_for", text="(END)", gone="true") == "gone: '(END)'\n$ less\n$"
