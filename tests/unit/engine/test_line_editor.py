"""Waits where only the shell's line editor tells that a command has ended."""

from collections.abc import Callable

import attrs
import pytest
from typing_extensions import override

from tests.unit.engine.test_prompt_start import Counting
from tmuxprim import Console, KeySequence, Outcome, Pane, Screen, Terminal
from tmuxprim.testing import (
    After,
    FakeTty,
    Program,
    Run,
    ScriptedShell,
    Sleep,
    WrappingTerminal,
    after,
    password,
    question,
)

DEPLOY: list[str | After] = ["$ ", after(9.0, "done")]
SHELL = ScriptedShell({"deploy": DEPLOY, "ls": "a", "sudo": question("Really? ")})
OLD = ScriptedShell({"deploy": DEPLOY, "ls": "a"}, bracketed_paste=False)
BY_EDITOR = "prompt '$' at the cursor, and the line editor is on"


class Told(WrappingTerminal):
    """Tells the flag of bracketed paste, as tmux does from 3.7 on."""

    def __init__(self, inner: Terminal, is_on: Callable[[], bool]) -> None:
        super().__init__(inner)
        self._is_on = is_on

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        screen = super().observe(pane, history=history, styled=styled)
        return attrs.evolve(screen, bracketed_paste=self._is_on())

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        screen = super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        return attrs.evolve(screen, bracketed_paste=self._is_on())


def blind(shell: Program, *, is_ssh: bool = False) -> tuple[Counting, Console]:
    """Return a console at a shell of which the kernel tells nothing, or that is behind ssh."""
    name = "ssh" if is_ssh else "sh"
    terminal = Counting(programs={name: shell}, evidence=is_ssh)
    console = Console(terminal, terminal.open(name))
    assert console.wait_ready().outcome is Outcome.PROMPT
    return terminal, console


@pytest.mark.parametrize("is_ssh", [True, False])
def test_output_that_looks_like_the_prompt(*, is_ssh: bool) -> None:
    """The editor is off meanwhile, so it is none; when it is on again the prompt is no guess."""
    terminal, console = blind(SHELL, is_ssh=is_ssh)
    for count in (1, 2):
        console.send("deploy")
        found = console.wait_ready()
        assert (found.outcome, found.reason) == (Outcome.PROMPT, BY_EDITOR)
        assert found.screen.rows.count("done") == count
        assert found.elapsed >= 9.0
    assert terminal.taps == 2


class Slow(WrappingTerminal):
    """Returns each screen some seconds after it was read, as a busy machine may."""

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        screen = super().observe(pane, history=history, styled=styled)
        self.clock.sleep(0.3)
        return screen


@pytest.mark.parametrize("is_ssh", [True, False])
def test_a_screen_that_was_read_before_the_prompt_was_drawn(*, is_ssh: bool) -> None:
    """By then the editor is on again. What the screen shows is output that looks like the prompt.

    Where that has stood for long enough it would be taken for it.
    """

    def deploy(tty: FakeTty) -> Run:
        tty.write("$ ")
        yield Sleep(1.05)
        tty.write("\ndone\n")
        return 0

    inner, console = blind(ScriptedShell({"deploy": deploy}), is_ssh=is_ssh)
    console = Console(Slow(inner), console.pane)
    console.wait_ready()
    console.send("deploy")
    found = console.wait_ready()
    assert (found.reason, found.screen.last_line) == (BY_EDITOR, "$")
    assert "done" in found.screen.rows


def test_output_is_no_guess_either() -> None:
    """Nor is that of `run`, whose tap tells it."""
    _, console = blind(SHELL, is_ssh=True)
    for all_output in (False, True):
        result = console.run("deploy", all_output=all_output)
        assert (result.output, result.complete) == ("$ \ndone\n", True)


def test_keys_press_enter_as_well() -> None:
    """What is written from then on is taken, as from a send on."""
    terminal, console = blind(SHELL)
    console.keys("l", "s", "Enter")
    assert console.wait_ready().reason == BY_EDITOR
    console.keys("C-u")
    console.wait_ready()
    assert terminal.taps == 1


def test_a_shell_without_marks_is_tapped_once() -> None:
    """It is known then that it writes none, and its prompts are what they were."""
    terminal, console = blind(OLD)
    for _ in range(3):
        console.send("ls")
        assert "line editor" not in console.wait_ready().reason
    assert terminal.taps == 1


def test_two_lines_at_once() -> None:
    """Of which of them a mark is could not be determined, so none is taken."""
    terminal, console = blind(SHELL)
    console.send("ls")
    console.send("ls")
    assert terminal.taps == 1
    assert "line editor" not in console.wait_ready().reason


def test_a_wait_that_goes_on() -> None:
    """What is taken counts until a wait finds the pane ready, and in the next wait as well."""
    terminal, console = blind(SHELL)
    console.send("deploy")
    assert console.wait_ready(timeout=5.0).outcome is Outcome.TIMEOUT
    assert [console.wait_ready().reason for _ in range(2)] == [BY_EDITOR] * 2
    assert console.wait_ready(timeout=0).outcome is Outcome.PROMPT
    assert terminal.taps == 1
    terminal.tap(console.pane).close()  # which nobody has any more


def test_a_pipe_that_somebody_else_has() -> None:
    """Then it is a guess, as without a line editor."""
    terminal, console = blind(SHELL, is_ssh=True)
    taken = terminal.tap(console.pane)
    console.send("ls")
    assert "a guess" in console.wait_ready().reason
    taken.close()


def test_a_shell_that_a_program_brings() -> None:
    """Once ssh has the terminal a tap is opened, so that its first prompt is no guess either."""

    def ssh(tty: FakeTty) -> Run:
        yield from password("Password: ")(tty)
        return (yield from ScriptedShell({"ls": "a"}, prompt="far$ ")(tty))

    terminal = Counting(programs={"sh": ScriptedShell({"ssh": ssh}), "ssh": ssh})
    console = Console(terminal, terminal.open("sh"))
    assert console.wait_ready().outcome is Outcome.PROMPT
    console.send("ssh")
    assert console.wait_ready().outcome is Outcome.AWAITING_SECRET
    console.send("hunter2")
    found = console.wait_ready()
    assert found.reason == "prompt 'far$' at the cursor, and the line editor is on"


def test_where_tmux_tells_it() -> None:
    """From 3.7 on nothing has to be tapped."""
    inner = Counting(programs={"sh": SHELL}, evidence=False)
    pane = inner.open("sh")
    terminal = Told(inner, lambda: bool(inner._server.get(pane).display.bracketed_paste))  # noqa: SLF001  # as tmux knows it
    console = Console(terminal, pane)
    assert console.wait_ready().outcome is Outcome.PROMPT
    console.send("deploy")
    found = console.wait_ready()
    assert (found.reason, found.elapsed >= 9.0) == (BY_EDITOR, True)
    assert inner.taps == 0


@pytest.mark.parametrize("key", ["Enter", "C-j"])
def test_the_shell_that_is_back(key: str) -> None:
    """It has begun a line, and taken none meanwhile, which makes it no shell without marks."""

    def ssh(tty: FakeTty) -> Run:
        yield from password("Password: ")(tty)
        tty.write("refused\n")
        return 1

    shell = ScriptedShell({"ssh": ssh, "ls": "a"}, prompt="in ~\n$ ")
    terminal = Counting(programs={"sh": shell, "ssh": ssh})
    console = Console(terminal, terminal.open("sh"))
    console.wait_ready()
    console.send("ssh")
    assert console.wait_ready().outcome is Outcome.AWAITING_SECRET
    console.keys("x", key)
    assert console.wait_ready().outcome is Outcome.PROMPT
    assert terminal.taps
    result = console.run("ls")
    assert (result.output, result.complete) == ("a\n", True)
