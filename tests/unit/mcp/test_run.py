"""The tool `run`: a command's output as it is, and what is said of one that has not ended."""

from typing import Any

import pytest
from typing_extensions import override

from tests.unit.mcp.talking import Host, Options
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, Pane, Screen
from tmuxprim.testing import ScriptedShell, repl

SHARED = Pane("shared")


def run(host: Host, command: str, **more: object) -> str:
    """Run a command, and return what a model is told."""
    (told,) = host.say(("run", {"command": command, **more}))
    return told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("echo hi", "done\nhi\n"),
        ("table", "done\n  a  b \n"),
        ("true", "done, without output"),
        ("echo a\necho b\n", "done\na\nb\n"),
        ("echo '; kill-server ;'", "done\n; kill-server ;\n"),
        ("many", "done\n" + "".join(f"line {number}\n" for number in range(1, 301))),
    ],
)
def test_its_output_is_exact(host: Host, command: str, told: str) -> None:
    """It is all that was printed, to the last blank; a first line says that it is."""
    assert run(host, command) == told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("ask", "waiting for input\nContinue? [y/N]"),
        ("login", "waiting for a secret\n(a person types it in the pane %0; ask_person waits"),
        ("less", "ready (full-screen program)\na\nb\n"),
        ("make", "run timed out after 2s: make runs and does not read, without output"),
        ("exit", "exited: the pane is gone"),
    ],
)
def test_a_command_that_has_not_ended(host: Host, command: str, told: str) -> None:
    """What it waits for is said first, and below it what it has printed so far."""
    assert run(host, command, timeout=2).startswith(told)


def test_a_command_that_becomes_a_repl() -> None:
    """It shows a prompt of its own, so nobody knows that it has ended."""
    shell = ScriptedShell({"names": repl(lambda line: line, prompt="name> ")})
    fake = FakeTerminal(programs={"sh": shell})
    fake.open("sh", name="shared")
    told = run(Host(fake), "names")
    assert told == (
        "ready (prompt matched), but this may not be exactly the output: the command itself shows "
        "a prompt, so nobody knows whether it has ended, without output"
    )


def test_a_prompt_of_two_rows() -> None:
    """The model is told what helps, and does it; or the user has said it."""
    shell = ScriptedShell({"ls": "a"}, prompt="in ~\n$ ", bracketed_paste=False)
    fake = FakeTerminal(programs={"sh": shell})
    fake.open("sh", name="shared")
    host = Host(fake)
    first, learned, second = host.say(
        ("run", {"command": "ls"}), ("run", {"command": ""}), ("run", {"command": "ls"})
    )
    assert first == (
        "ready (prompt matched), but this may not be exactly the output: its last rows may be the "
        "prompt's: how many rows that has is learned from an Enter at the empty prompt, or told "
        "(prompt_rows)\na\nin ~\n"
    )
    assert (learned, second) == ("done, without output", "done\na\n")
    told = Host(fake, options=Options(prompt_rows=2))
    assert run(told, "ls") == "done\na\n"


def test_long_output_is_cut_at_its_top(host: Host) -> None:
    """Its end is told, whole lines, and how much is missing."""
    lines = "\n".join(f"echo {'x' * 60}" for _ in range(500))
    head, cut, rest = run(host, lines, timeout=600).split("\n", 2)
    assert head == "done"
    assert cut == f"(cut: {500 * 61 - len(rest):,} characters above are not shown)"
    assert set(rest.split("\n")[:-1]) == {"x" * 60}
    assert len(rest) <= 20_000


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("less", "the pane takes no command; less has drawn its screen"),
        ("ask", "the pane takes no command; a program waits for a line, after "),
        ("login", "the pane takes no command; "),
        ("make", "the pane takes no command; timed out after "),
    ],
)
def test_a_pane_that_takes_no_command(host: Host, before: str, why: str) -> None:
    """Nothing is typed, and the command, which may be a secret, is not told."""
    asked, told = host.say(
        ("run", {"command": before, "timeout": 0.5}),
        ("run", {"command": "hunter2", "timeout": 5}),
    )
    assert not asked.startswith("error: ")
    assert told.startswith(f"error: nothing was sent: {why}")
    assert "hunter2" not in told
    host.fake.assert_sent(SHARED, before, "Enter")


def test_half_a_line_at_the_prompt(host: Host) -> None:
    """What a person has begun to type is no part of a command, and a model knows what to do."""
    _, _, told, pressed, ran = host.say(
        ("wait_ready", {}),
        ("send", {"text": "rm -rf", "enter": False}),
        ("run", {"command": "echo hi"}),
        ("keys", {"keys": "C-e C-u"}),
        ("run", {"command": "echo hi"}),
    )
    assert told == (
        "error: nothing was sent: 'rm -rf' stands at the prompt already; "
        "press C-e and C-u with 'keys' to take it away"
    )
    assert (pressed, ran) == ("Sent: C-e + C-u", "done\nhi\n")


def test_a_pane_that_was_closed(host: Host) -> None:
    """A command that was meant for what ran there is not typed elsewhere."""

    async def go(client: Any) -> str:  # noqa: ANN401  # of two kinds of client
        await client.call_tool("wait_ready")
        host.fake.close(host.fake.resolve(SHARED))
        result = await client.call_tool("run", {"command": "rm -r build"})
        return str(result.content[0].text)

    assert host.run(go).startswith("error: the pane 'shared' is gone: its program has ended, or it")


class Closing(FakeTerminal):
    """Loses a pane just when its history is looked at, which is after the command."""

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        if history:
            self.close(pane)
        return super().observe(pane, history=history, styled=styled)


def test_a_pane_that_goes_before_its_output_is_read() -> None:
    """The command was typed, so nobody says that it was not."""
    fake = Closing(programs={"sh": SHELL})
    fake.open("sh", name="shared")
    host = Host(fake)
    first, second = host.say(("run", {"command": "many"}), ("wait_ready", {}))
    assert first == "exited: the pane is gone"
    assert second.startswith("There was no pane 'shared', so it was opened")
