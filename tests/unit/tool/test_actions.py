"""`send` types nothing behind what a person has begun to type; where nobody has, it just types."""

import attrs
import pytest

from tests.unit.tool.talking import SHELL, SlowLane, Talk, start
from tmuxprim import FakeTerminal, KeySequence, StabilityStrategy
from tmuxprim.testing import FakeTty, Program, ReadLine, Run, ScriptedShell, question, repl
from tmuxprim.tool import TmuxTool

HALF = "rm -rf ./x"
TOLD = (
    f"error: nothing was sent: '{HALF}' is already typed at the prompt; press C-e and C-u with "
    "'keys' to take it away"
)


@pytest.fixture(params=["sync", "async"])
def talk(request: pytest.FixtureRequest) -> Talk:
    """Give either tool, on a shell at its prompt."""
    return start(is_async=request.param == "async")


def dash(tty: FakeTty) -> Run:
    """Read whole lines, as a shell without a line editor."""
    while (line := (yield ReadLine(prompt="$ "))) != "exit":
        tty.write(f"{line}: not found\n")
    return 0


def fresh(program: Program = SHELL, name: str = "sh", *, evidence: bool = True) -> Talk:
    """Return a tool that has never looked at its pane, in which a program shows its prompt."""
    terminal = FakeTerminal(programs={name: program}, evidence=evidence)
    pane = terminal.open(name, name="shared")
    terminal.clock.sleep(0.1)
    return Talk(terminal, pane, TmuxTool(terminal))


def type_half(talk: Talk, *keys: str) -> int:
    """Let a person type something; return how often something was sent by then."""
    talk.terminal.send(talk.pane, KeySequence.text(HALF) + KeySequence.keys(*keys))
    if talk.terminal.probe(talk.pane) is None:
        talk.terminal.clock.sleep(0.1)  # nobody knows of what is not shown yet
    return len(talk.terminal.sent())


def test_a_person_has_begun_a_line(talk: Talk) -> None:
    """Nothing is typed, what stands there is told, and what takes it away takes it away."""
    before = type_half(talk)
    assert talk.say("send", text="echo hi") == TOLD
    assert talk.say("send", text="echo hi", enter=False) == TOLD
    assert talk.say("send", text="") == TOLD  # it would be their Enter
    assert len(talk.terminal.sent()) == before
    assert talk.say("keys", keys="C-e C-u") == "Sent: C-e + C-u"
    assert talk.say("send", text="echo hi") == "Sent: 'echo hi' + Enter"
    assert talk.say("wait_ready") == "ready (prompt matched)\n$ echo hi\nhi\n$"


@pytest.mark.parametrize("waits", [True, False])
def test_each_time_anew(talk: Talk, *, waits: bool) -> None:
    """Also where the model itself has typed and cleared before, in this line or in another."""
    for text in ("echo hi", "clear"):
        talk.say("send", text=text)
        if waits:
            talk.say("wait_ready")
        talk.terminal.clock.sleep(1.0)
    type_half(talk)
    talk.say("wait_ready")
    assert talk.say("send", text="echo hi") == TOLD


def test_a_cursor_that_was_moved_back(talk: Talk) -> None:
    """What stands right of it counts as well."""
    type_half(talk, "Home")
    assert talk.say("send", text="echo hi") == TOLD


@pytest.mark.parametrize(
    "again",
    [
        ("wait_ready", {}),
        ("keys", {"keys": "End"}),
        ("read", {}),
        ("send", {"text": "", "enter": False}),
    ],
)
def test_a_line_in_many_calls(talk: Talk, again: tuple[str, dict[str, object]]) -> None:
    """What the model has typed itself is no obstacle."""
    action, arguments = again
    talk.say("send", text="echo a ", enter=False)
    talk.say(action, **arguments)
    talk.say("send", text="b ", enter=False)
    talk.say(action, **arguments)
    talk.say("send", text="c")
    assert talk.say("wait_ready") == "ready (prompt matched)\n$ echo a b c\na b c\n$"


def test_a_line_that_history_gave(talk: Talk) -> None:
    """A line that Up has brought back counts as the model's own."""
    talk.say("send", text="echo hi")
    talk.say("wait_ready")
    talk.say("keys", keys="Up")
    assert talk.say("send", text=" there") == "Sent: ' there' + Enter"


def test_many_lines_at_once(talk: Talk) -> None:
    """What is typed ahead, one line after the other, is no half line."""
    for number in range(5):
        assert talk.say("send", text=f"echo {number}") == f"Sent: 'echo {number}' + Enter"
    assert talk.say("wait_ready").endswith("4\n$")


@pytest.mark.parametrize("asked", ["Use C# or Go? ", "$ amount: ", "more > or less "])
def test_a_question_is_answered(asked: str) -> None:
    """Whatever it looks like."""
    program = question(asked, lambda line: f"you said {line}")
    talk = fresh(ScriptedShell({"ask": program}))
    talk.say("send", text="ask")
    talk.say("wait_ready")
    assert talk.say("send", text="Go") == "Sent: 'Go' + Enter"
    assert "you said Go" in talk.say("wait_ready")


@pytest.mark.parametrize("command", ["login", "less", "make"])
def test_other_programs_are_typed_at(talk: Talk, command: str) -> None:
    """One that hides what is typed, one with a screen of its own, one that works."""
    talk.say("send", text=command)
    talk.say("wait_ready", timeout=1)
    type_half(talk)
    assert talk.say("send", text="q").startswith("Sent: ")


def test_a_program_at_a_prompt_that_is_known() -> None:
    """A person may have typed at that of a REPL as well."""
    talk = fresh(ScriptedShell({"python": repl(str.upper, prompt=">>> ")}))
    talk.say("send", text="python")
    talk.say("wait_ready")
    type_half(talk)
    assert talk.say("send", text="echo hi") == TOLD


@pytest.mark.parametrize("evidence", [True, False])
def test_the_first_call(*, evidence: bool) -> None:
    """A shell's prompt is known by its looks."""
    talk = fresh(evidence=evidence)
    type_half(talk)
    assert talk.say("send", text="echo hi") == TOLD


def test_the_first_call_to_a_shell_without_a_line_editor() -> None:
    """It is known by its name."""
    talk = fresh(dash, "dash")
    type_half(talk)
    assert talk.say("send", text="echo hi") == TOLD


def test_a_prompt_that_looks_like_half_a_line() -> None:
    """What is advised helps, and once is enough."""
    talk = fresh(ScriptedShell(prompt="\u03bb ~ "))
    told = talk.say("send", text="echo hi")
    assert told.startswith("error: nothing was sent: '~' is already typed at the prompt; press C-e")
    talk.say("keys", keys="C-e C-u")
    for _ in range(3):
        assert talk.say("send", text="echo hi") == "Sent: 'echo hi' + Enter"
        talk.say("wait_ready")
    type_half(talk)
    assert talk.say("send", text="echo hi") == TOLD


def test_a_strategy_says_what_a_prompt_is() -> None:
    """Then nothing is judged by its looks."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell(prompt="\u03bb ~ ")})
    pane = terminal.open("sh", name="shared")
    terminal.clock.sleep(0.1)
    talk = Talk(terminal, pane, TmuxTool(terminal, strategy=StabilityStrategy(1.0)))
    assert talk.say("send", text="echo hi") == "Sent: 'echo hi' + Enter"


def test_a_loop_for_each_call() -> None:
    """The tool for asyncio remembers what it has typed."""
    talk = fresh()
    talk = attrs.evolve(talk, tool=SlowLane(talk.terminal))
    talk.say("send", text="echo a ", enter=False)
    assert talk.say("send", text="b") == "Sent: 'b' + Enter"
