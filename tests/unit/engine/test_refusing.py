"""`run` is for a prompt with nothing behind it; all else is refused, and nothing is typed."""

import asyncio
from collections.abc import Mapping

import pytest

from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    PaneBusyError,
    default_chain,
)
from tmuxprim._fake.scripted_shell import Reply
from tmuxprim.profiles import PYTHON, Profile
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    Program,
    ReadLine,
    Run,
    ScriptedShell,
    after,
    pager,
    password,
    question,
    repl,
)

HALF = KeySequence.text("rm -rf ./x")
COMMANDS: Mapping[str, Reply] = {
    "slow": after(2.0, "done"),
    "ask": question("Sure? ", lambda said: f"you said {said}"),
    "login": password(),
    "less": pager("a text"),
    "python3 -q": repl(str.upper, prompt=">>> "),
    "bc": question("", lambda said: said),
}
SHELL = ScriptedShell(COMMANDS)


def dash(tty: FakeTty) -> Run:
    """Read whole lines, as a shell without a line editor."""
    while (line := (yield ReadLine(prompt="$ "))) != "exit":
        tty.write(f"{line}: not found\n")
    return 0


def changing(tty: FakeTty) -> Run:
    """Change the prompt with each line, to one that is not known."""
    prompt = "$ "
    while True:
        prompt = (yield ReadLine(prompt=prompt, raw=True)) or prompt
        tty.write("")


def console_on(program: Program = SHELL, *, evidence: bool = True) -> Console:
    """Return a console on a fake pane that runs *program*."""
    terminal = FakeTerminal(programs={"sh": program, "dash": program}, evidence=evidence)
    return Console(terminal, terminal.open("dash" if program is dash else "sh"))


def type_half(console: Console, *keys: str) -> None:
    """Let a person type something."""
    fake = fake_of(console)
    fake.send(console.pane, HALF + KeySequence.keys(*keys))
    if fake.probe(console.pane) is None:
        fake.clock.sleep(0.1)  # a text that is not shown yet is not known


def fake_of(console: Console) -> FakeTerminal:
    """Return its terminal."""
    assert isinstance(console.terminal, FakeTerminal)
    return console.terminal


def refused(console: Console, command: str = "echo hi") -> str:
    """Run a command that is refused; return why. Nothing was sent."""
    before = fake_of(console).sent()
    with pytest.raises(PaneBusyError) as caught:
        console.run(command, timeout=5.0)
    assert fake_of(console).sent() == before
    why = str(caught.value)
    assert why.startswith("nothing was sent: ")
    return why.removeprefix("nothing was sent: ")


def stands(typed: str = "rm -rf ./x") -> str:
    """Return why a prompt takes no command at which something stands."""
    return f"{typed!r} is already typed at the prompt; keys('C-e', 'C-u') deletes it"


@pytest.mark.parametrize("program", [SHELL, dash], ids=["bash", "dash"])
@pytest.mark.parametrize("evidence", [True, False])
@pytest.mark.parametrize("knows", ["nothing", "the prompt", "a command", "half a line"])
def test_half_a_line(program: Program, knows: str, *, evidence: bool) -> None:
    """Whatever the console has seen before; what takes it away does, and the next one runs."""
    console = console_on(program, evidence=evidence)
    Console(console.terminal, console.pane).wait_ready()
    if knows == "the prompt":
        console.wait_ready()
    if knows == "a command":
        console.run("true")
    type_half(console)
    if knows == "half a line":
        console.wait_ready()
    assert refused(console) == stands()
    console.keys("C-e", "C-u")
    assert console.run("echo hi").readiness.screen.rows[-1] == ""
    assert "rm -rf ./x" not in console.read()


@pytest.mark.parametrize(
    ("keys", "typed"),
    [(["Home"], "rm -rf ./x"), (["C-a", "Right", "Right"], "rm"), (["Left"], "rm -rf ./")],
)
def test_the_cursor_was_moved_back(keys: list[str], typed: str) -> None:
    """C-e takes it to the end again, so that C-u takes all of it away."""
    console = console_on()
    console.wait_ready()
    type_half(console, *keys)
    assert refused(console) == stands(typed)
    console.keys("C-e", "C-u")
    assert console.run("echo hi").output == "hi\n"


def test_what_was_typed_ahead() -> None:
    """A person need not wait for the end of our command, and the prompt is still the prompt."""
    console = console_on()
    console.wait_ready()
    console.send("slow")
    fake_of(console).clock.sleep(0.5)
    type_half(console)
    assert refused(console) == stands()
    console.keys("C-u")
    assert console.run("echo hi").output == "hi\n"


def test_what_was_typed_ahead_of_the_first_wait() -> None:
    """Then the prompt was not seen alone, but looks like one."""
    console = console_on()
    Console(console.terminal, console.pane).wait_ready()
    console.send("slow")
    fake_of(console).clock.sleep(0.5)
    type_half(console)
    console.wait_ready()
    assert refused(console) == stands()


def test_a_prompt_that_looks_like_half_a_line() -> None:
    """Once the line was emptied, what stands there is the prompt, and so is what follows."""
    console = console_on(ScriptedShell(COMMANDS, prompt="\u03bb ~ "))
    assert refused(console) == stands("~")
    console.keys("C-e", "C-u")
    for _ in range(2):
        assert console.run("echo hi").output == "hi\n"
    type_half(console)
    assert refused(console) == stands()


def test_a_prompt_that_looks_like_half_a_line_is_told() -> None:
    """By a pattern for one wait, or by a strategy for all."""
    console = console_on(ScriptedShell(COMMANDS, prompt="\u03bb ~ "))
    console.wait_ready(prompt_pattern="~$")
    assert console.run("echo hi").output == "hi\n"
    told = Console(console.terminal, console.pane, strategy=default_chain("~$"))
    assert told.run("echo hi").output == "hi\n"
    type_half(told)
    assert refused(told) == stands()


def test_our_own_half_line_is_half_a_line_for_a_command() -> None:
    """`run` types whole commands only."""
    console = console_on()
    console.wait_ready()
    console.send("echo ", enter=False)
    console.wait_ready()
    assert refused(console) == stands("echo")


@pytest.mark.parametrize("evidence", [True, False])
def test_a_question_is_named(*, evidence: bool) -> None:
    """It is answered with `send`."""
    console = console_on(evidence=evidence)
    outcome = Outcome.AWAITING_INPUT if evidence else Outcome.STABLE
    assert console.run("ask").readiness.outcome is outcome
    why = refused(console, "ls /")
    assert why.startswith("the pane takes no command; ")
    assert "'Sure?'" in why
    assert why.endswith("; answer it with send(); if it is a prompt, a strategy has to say so")
    console.send("y")
    assert "you said y" in console.wait_ready().screen.rows


def test_a_question_that_holds_what_looks_like_a_prompt() -> None:
    """It is a question all the same."""
    console = console_on(question("Use C# or Go? "))
    assert "after 'Use C# or Go?'; answer it with send()" in refused(console)


def test_a_password_is_asked_for() -> None:
    """As a question is."""
    console = console_on()
    console.run("login")
    assert refused(console).endswith("'Password:'; answer it with send()")


def test_a_screen_of_which_nobody_knows() -> None:
    """Where there is no evidence, a prompt may look like nothing that is known."""
    shell = ScriptedShell(prompt="odd ", bracketed_paste=False)
    console = console_on(shell, evidence=False)
    assert console.wait_ready().outcome is Outcome.STABLE
    assert console.run("echo hi").output.startswith("hi\n")
    with pytest.raises(PaneBusyError, match="starts at a shell's prompt, and a guess: nothing"):
        console.session(PYTHON).__enter__()  # which types more than one command


def test_the_line_editor_of_a_shell_that_asks_nothing() -> None:
    """It is at its prompt, though that looks like none any more; a question is still one."""
    console = console_on(changing)
    console.run("ready ")
    assert console.wait_ready().outcome is Outcome.PROMPT
    assert console.run("what now? ").readiness.outcome is Outcome.AWAITING_INPUT
    assert "after 'what now?'; answer it with send()" in refused(console)


def test_a_session_is_not_started_behind_half_a_line() -> None:
    """The command that starts the program would be its end."""
    console = console_on()
    console.wait_ready()
    type_half(console)
    with pytest.raises(PaneBusyError, match=r"'rm -rf ./x' is already typed at the prompt"):
        console.session(PYTHON).__enter__()
    assert "python3" not in console.read()


def test_a_session_does_not_ask_behind_half_a_line() -> None:
    """A person may have typed at the program's prompt."""
    console = console_on()
    with console.session(PYTHON) as session:
        assert session.ask("a").text == "A"
        type_half(console)
        with pytest.raises(PaneBusyError, match=r"'rm -rf ./x' is already typed at the prompt"):
            session.ask("b", timeout=1.0)
        console.keys("C-e", "C-u")
        assert session.ask("b").text == "B"


def test_a_program_that_waits_for_lines_is_asked() -> None:
    """Its profile says that this is how it waits."""
    console = console_on()
    profile = Profile("bc", ("bc",), waiting={Outcome.AWAITING_INPUT})
    with console.session(profile) as session:
        assert session.ask("6").text == "6"


def test_async() -> None:
    """It is the same plan."""

    async def main() -> str:
        fake = FakeTerminal(programs={"sh": SHELL})
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open("sh"))
        await console.wait_ready()
        fake.send(await console.locate(), HALF)
        with pytest.raises(PaneBusyError) as caught:
            await console.run("echo hi")
        return str(caught.value)

    assert asyncio.run(main()) == f"nothing was sent: {stands()}"


@pytest.mark.parametrize("evidence", [True, False])
def test_a_full_screen_program_takes_no_command(*, evidence: bool) -> None:
    """Even if it is only a guess that it takes keys."""
    console = console_on(evidence=evidence)
    outcome = Outcome.FULLSCREEN if evidence else Outcome.STABLE
    assert console.run("less").readiness.outcome is outcome
    assert "has drawn its screen" in refused(console, "ls")
