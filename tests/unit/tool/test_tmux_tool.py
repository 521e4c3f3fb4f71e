"""`TmuxTool` and `AsyncTmuxTool`: what a model is told of each action."""

import asyncio

import pytest

from tests.unit.tool.talking import SHELL, Talk, start
from tmuxprim import FakeTerminal, Outcome, StabilityStrategy, default_chain
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.profiles import ScreenStrategy
from tmuxprim.readiness import ExitStrategy, MatchStrategy
from tmuxprim.testing import AsyncFakeTerminal, FakeTty, ReadLine, Run, ScriptedShell
from tmuxprim.tool import AsyncTmuxTool, TmuxTool, ToolResponse


@pytest.fixture(params=["sync", "async"])
def talk(request: pytest.FixtureRequest) -> Talk:
    """Give either tool, on a shell at its prompt."""
    return start(is_async=request.param == "async")


def test_send_types_and_presses_enter(talk: Talk) -> None:
    """A text is typed, Enter pressed, and both are told."""
    assert talk.say("send", text="ls") == "Sent: 'ls' + Enter"
    talk.terminal.assert_sent(talk.pane, "ls", "Enter")


@pytest.mark.parametrize("enter", [False, "false", " False "])
def test_send_without_enter(talk: Talk, enter: object) -> None:
    """Without Enter nothing but the text is typed; a boolean may be in a string."""
    assert talk.say("send", text="ls", enter=enter) == "Sent: 'ls'"
    talk.terminal.assert_sent(talk.pane, "ls")


def test_send_nothing_is_enter(talk: Talk) -> None:
    """An empty text is just Enter, as a person presses it to go on."""
    assert talk.say("send", text="") == "Sent: Enter"
    talk.terminal.assert_sent(talk.pane, "Enter")


def test_a_long_text_is_sent_whole_and_told_short(talk: Talk) -> None:
    """A model need not read again what it has written."""
    text = "a" * 5_000
    expected = f"Sent: '{'a' * 200}'... (5,000 characters) + Enter"
    assert talk.say("send", text=text) == expected
    talk.terminal.assert_sent(talk.pane, text, "Enter")


@pytest.mark.parametrize(
    "keys",
    [
        ["Up", "c-C"],
        ("Up", "C-c"),
        "Up C-c",
        " Up\n C-c ",
        '["Up", "C-c"]',
        ["Up C-c"],
    ],
)
def test_keys_come_in_many_forms(talk: Talk, keys: object) -> None:
    """A list, a string with white space, a list in a string: all are keys."""
    assert talk.say("keys", keys=keys) == "Sent: Up + C-c"
    talk.terminal.assert_sent(talk.pane, "Up", "C-c")


@pytest.mark.parametrize(("keys", "told"), [("[", "["), ("[ ]", "[ + ]"), ("1", "1")])
def test_keys_that_look_like_json(talk: Talk, keys: str, told: str) -> None:
    """A key that begins a list in JSON, or is a number there, is still a key."""
    assert talk.say("keys", keys=keys) == f"Sent: {told}"


def test_many_keys_are_told_short(talk: Talk) -> None:
    """A thousand keys are pressed, and not all told."""
    message = talk.say("keys", keys=["Up"] * 1_000)
    assert message.startswith("Sent: Up + Up")
    assert message.endswith("...")
    assert len(message) < 300
    talk.terminal.assert_sent(talk.pane, *["Up"] * 1_000)


def test_read_returns_the_screen_and_its_history(talk: Talk) -> None:
    """A hundred rows of the history are added, or as many as are asked for."""
    talk.say("send", text="many")
    talk.say("wait_ready")
    assert talk.say("read").startswith("line 178\n")
    assert talk.say("read", lines=0).startswith("line 278\n")
    assert talk.say("read", lines="200").startswith("line 78\n")
    assert talk.say("read", lines=500.0).startswith("$ many\nline 1\n")
    assert talk.say("read").endswith("\nline 300\n$")


def test_an_empty_pane() -> None:
    """A pane that shows nothing is told to be empty."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    terminal.open("sh", name="shared")  # and it has had no time to draw its prompt
    assert TmuxTool(terminal).execute(action="read") == ToolResponse("(pane is empty)")


def test_a_long_screen_is_cut_at_its_top(talk: Talk) -> None:
    """What is told ends with the last row, has a stated size, and says what is missing."""
    talk.say("send", text="echo " + "x" * 30_000)
    message = talk.say("read", lines=10_000)
    head, _, rows = message.partition("\n")
    whole = talk.terminal.read(talk.pane, history=10_000)
    assert head == f"(cut: {len(whole) - len(rows):,} characters above are not shown)"
    assert 19_000 < len(rows) <= 20_000
    assert rows.endswith("x\n$")
    assert set(map(len, rows.split("\n")[:-1])) == {80}  # whole rows


@pytest.mark.parametrize(
    ("text", "head", "last"),
    [
        ("echo hi", "ready (prompt matched)", "$"),
        ("ask", "waiting for input", "Continue? [y/N]"),
        (
            "remove",
            "waiting for input: it reads single keys, without Enter",
            "Remove? [y/N]",
        ),
        ("login", "waiting for a secret", "Password:"),
        ("less", "ready (full-screen program)", "(END)"),
        ("make", "wait_ready timed out after 10s: make runs and does not read", "$ make"),
    ],
)
def test_what_a_wait_has_found(talk: Talk, text: str, head: str, last: str) -> None:
    """Each outcome has a first line of its own, and the screen below."""
    talk.say("send", text=text)
    lines = talk.say("wait_ready").split("\n")
    assert (lines[0], lines[-1]) == (head, last)


def test_a_wait_takes_as_long_as_it_is_told(talk: Talk) -> None:
    """A timeout may be a string and a fraction, and 0 is one snapshot."""
    talk.say("send", text="make")
    before = talk.terminal.clock.now()
    assert talk.say("wait_ready", timeout="2.5").startswith("wait_ready timed out after 2.5s: ")
    assert talk.terminal.clock.now() - before == pytest.approx(2.5, abs=0.1)
    assert talk.say("wait_ready", timeout=0).startswith("wait_ready timed out after 0s: ")
    assert talk.say("wait_ready", timeout=120) == "ready (prompt matched)\n$ make\ndone\n$"


def test_a_prompt_pattern(talk: Talk) -> None:
    """A pattern says which prompt is waited for."""
    talk.say("send", text="ask")
    assert talk.say("wait_ready", prompt_pattern=r"\[y/N\]").startswith("ready (prompt matched)\n")


def test_a_prompt_pattern_forgets_no_program() -> None:
    """What the tool was told of a program holds as well where a model gives a pattern."""
    chat = ScreenStrategy(shows="^Run it", settled=0.0, outcome=Outcome.AWAITING_INPUT)

    def asks(_tty: FakeTty) -> Run:
        yield ReadLine(raw=True, prompt="Run it now")
        return 0

    shell = ScriptedShell({"chat": asks})
    terminal = FakeTerminal(programs={"sh": shell})
    terminal.open("sh", name="shared")
    tool = TmuxTool(terminal, strategy=default_chain(programs=[chat]))
    tool.execute(action="send", text="chat")
    told = tool.execute(action="wait_ready", prompt_pattern="chat>").message
    assert told.startswith("waiting for input: 'Run it' is on the screen\n")


def test_the_end_of_a_program(talk: Talk) -> None:
    """A pane that has gone is told with what it showed last."""
    talk.say("send", text="exit")
    assert talk.say("wait_ready") == "exited: the pane is gone\n$ exit"


def test_a_strategy_decides() -> None:
    """Whoever makes the tool may say how it is known that a pane is ready."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    terminal.open("sh", name="shared")
    stable = TmuxTool(terminal, strategy=StabilityStrategy(1.0))
    assert (
        stable.execute(action="wait_ready").message
        == "ready (stable): a guess: nothing has changed for 1 s\n$"
    )
    matched = AsyncTmuxTool(AsyncFakeTerminal(terminal), strategy=MatchStrategy("$"))
    response = asyncio.run(matched.execute(action="wait_ready"))
    assert response.message == "ready (matched)\n$"


def test_a_strategy_that_is_none() -> None:
    """A programmer's mistake is an error, and at once."""
    with pytest.raises(InvalidStrategyError, match="call it first"):
        TmuxTool(FakeTerminal(), strategy=ExitStrategy)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(InvalidStrategyError, match="call it first"):
        AsyncTmuxTool(AsyncFakeTerminal(), strategy=ExitStrategy)  # type: ignore[arg-type]  # the mistake


def test_copy_mode_is_left_if_told_so() -> None:
    """A tool may be allowed to take the keyboard from a person who scrolls."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    pane = terminal.open("sh", name="shared")
    terminal.clock.sleep(1.0)
    terminal.set_mode(pane, "copy-mode")
    tool = TmuxTool(terminal, leave_mode=True)
    assert tool.execute(action="send", text="ls").message == "Sent: 'ls' + Enter"


def test_repr_names_the_terminal() -> None:
    """In a log, a tool says whose it is."""
    terminal = FakeTerminal()
    assert repr(TmuxTool(terminal)) == f"TmuxTool({terminal!r})"
    other = AsyncFakeTerminal(terminal)
    assert repr(AsyncTmuxTool(other)) == f"AsyncTmuxTool({other!r})"


def test_calls_for_one_pane_by_two_names_are_done_in_order() -> None:
    """A pane has one keyboard, whatever it is called."""

    async def ask_at_once() -> list[str]:
        fake = FakeTerminal(programs={"sh": SHELL})
        tool = AsyncTmuxTool(AsyncFakeTerminal(fake))
        fake.open("sh", name="shared")
        await tool.execute(action="wait_ready")
        await tool.execute(action="send", text="make")
        calls: tuple[dict[str, object], ...] = (
            {"action": "wait_ready", "timeout": 90},
            {"action": "send", "text": "make", "pane": "%0"},
        )
        replies = await asyncio.gather(*(tool.execute(**call) for call in calls))
        return [reply.message for reply in replies]

    told = asyncio.run(ask_at_once())
    assert told == ["ready (prompt matched)\n$ make\ndone\n$", "Sent: 'make' + Enter"]


def test_calls_for_one_pane_are_done_in_order() -> None:
    """A model that asks for three things at once gets them one after the other."""

    async def ask_at_once() -> list[str]:
        fake = FakeTerminal(programs={"sh": SHELL})
        tool = AsyncTmuxTool(AsyncFakeTerminal(fake))
        await tool.execute()  # no call at all holds nobody up
        fake.open("sh", name="shared")
        fake.clock.sleep(1.0)
        calls = ({"action": "send", "text": "make"}, {"action": "wait_ready", "timeout": 90})
        replies = await asyncio.gather(*(tool.execute(**call) for call in calls))
        return [reply.message for reply in replies]

    told = asyncio.run(ask_at_once())
    assert told == ["Sent: 'make' + Enter", "ready (prompt matched)\n$ make\ndone\n$"]
