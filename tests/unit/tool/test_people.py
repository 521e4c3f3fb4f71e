"""What a person is for: to answer what a model should not know, and to be left alone."""

import pytest

from tests.unit.tool.talking import SHELL, Talk, start
from tmuxprim import AsyncTmuxTerminal, FakeTerminal, KeySequence, Pane, TmuxTerminal
from tmuxprim._tool.tool_session import to_join
from tmuxprim.errors import InvalidPaneError
from tmuxprim.tool import TmuxTool

OFFER = "(a person types it in the pane %0; ask_person waits for that)"


@pytest.fixture(params=["sync", "async"])
def talk(request: pytest.FixtureRequest) -> Talk:
    """Give a tool whose pane is at its prompt."""
    return start(is_async=request.param == "async")


def types(talk: Talk, after: float, text: str, *, enter: bool = True) -> None:
    """Let a person type something in some seconds."""
    keys = KeySequence.text(text) + KeySequence.keys(*["Enter"] * enter)

    def type_it() -> None:
        talk.terminal.send(talk.pane, keys)

    talk.terminal.clock.call_later(after, type_it)


def test_a_secret_of_a_person(talk: Talk) -> None:
    """The model is told how a person joins, and waits until the program is ready again."""
    talk.say("send", text="login")
    assert talk.say("wait_ready") == f"waiting for a secret\n{OFFER}\n$ login\nPassword:"
    types(talk, 30.0, "hunter2")
    before = talk.terminal.clock.now()
    told = talk.say("ask_person")
    assert told == "ready (prompt matched)\n$ login\nPassword:\n7 characters\n$"
    assert 30.0 <= talk.terminal.clock.now() - before < 32.0


def test_half_an_answer_is_none(talk: Talk) -> None:
    """What a person begins to type changes the question's row, and answers nothing."""
    talk.say("send", text="ask")
    assert talk.say("wait_ready").startswith("waiting for input\n")
    types(talk, 5.0, "ye", enter=False)
    types(talk, 9.0, "s")
    before = talk.terminal.clock.now()
    assert talk.say("ask_person").endswith("you said yes\n$")
    assert talk.terminal.clock.now() - before >= 9.0


def test_nobody_answers(talk: Talk) -> None:
    """The time is up, and it is said that this is still asked, and how a person joins."""
    talk.say("run", command="login")
    told = talk.say("ask_person", timeout=5)
    head, offer, *_ = told.split("\n")
    assert head.startswith("ask_person timed out after 5s: the same is still asked: ")
    assert offer == OFFER
    assert talk.say("send", text="hunter2") == "Sent: (hidden) + Enter"


def test_nothing_is_asked(talk: Talk) -> None:
    """A shell at its prompt waits for nobody."""
    told = talk.say("ask_person")
    assert told == (
        "nothing is asked in that pane now, so no answer was waited for\nready (prompt matched)\n$"
    )


def test_how_a_person_joins() -> None:
    """It is what the programmer says, braces and all; the pane has its id."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    pane = terminal.open("sh", name="shared")
    tool = TmuxTool(terminal, attach="tmux -L {x} attach -t {pane}")
    tool.execute(action="send", text="login", pane=pane.target)
    told = tool.execute(action="wait_ready", pane=pane.target).message
    assert "(a person types it after tmux -L {x} attach -t %0; " in told


@pytest.mark.parametrize("kind", [TmuxTerminal, AsyncTmuxTerminal])
def test_how_a_person_joins_tmux(kind: type[TmuxTerminal | AsyncTmuxTerminal]) -> None:
    """It is the terminal's own server, and tmux starts where that is, without the launcher."""
    terminal = kind(socket_name="a b", launcher=("ssh", "host"))
    assert to_join(terminal, None) == "tmux -u -L 'a b' attach -t {pane}"


def limited(**limits: object) -> Talk:
    """Return a tool that may use some of three panes."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    pane = terminal.open("sh", name="shared")
    for name in ("logs", "secret"):
        terminal.open("sh", name=name)
    return Talk(terminal, pane, TmuxTool(terminal, **limits))  # type: ignore[arg-type]  # as given


def test_panes_that_are_allowed() -> None:
    """Others are refused by whatever name, and none of them is told."""
    talk = limited(allow=["shared"], read_only=["logs"])
    assert talk.say("run", command="true") == "done, without output"
    for other in ("secret", "%2", "%0", "shared:0.0"):
        told = talk.refused("read", pane=other)
        assert told == f"you may not use the pane {other!r}; allowed are: logs, shared."
    talk.terminal.close(talk.pane)
    assert "secret" not in talk.say("read")


def test_panes_that_are_only_looked_at() -> None:
    """What types is refused, what looks is done, and no pane is opened for that."""
    talk = limited(read_only="logs")
    assert talk.say("wait_ready", pane="logs").startswith("ready")
    assert talk.say("read", pane="logs") == "$"
    for action, given in (("send", {"text": "ls"}), ("interrupt", {}), ("keys", {"keys": "C-c"})):
        told = talk.refused(action, pane="logs", **given)
        looks = "read, wait_ready, wait_for, ask_person"
        assert told == f"the pane 'logs' is only to be looked at: {looks}."
    assert talk.say("send", text="ls") == "Sent: 'ls' + Enter"
    alone = TmuxTool(FakeTerminal(), read_only=["shared"])
    assert "opened" not in alone.execute(action="read").message


@pytest.mark.parametrize("other", ["%1", "logs:0.0", "logs:0", "logs"])
@pytest.mark.parametrize("said", ["logs", "%1", "logs:0", "logs:0.0", "logs:sh.0"])
def test_a_pane_is_only_looked_at_by_whatever_name(said: str, other: str) -> None:
    """An id or a place is no way around it, where all panes may be used."""
    talk = limited(read_only=[said])
    assert "only to be looked at" in talk.refused("keys", pane=other, keys="C-c")
    assert talk.say("send", pane="secret", text="ls").startswith("Sent: 'ls' + Enter")


def test_a_read_only_pane_that_is_gone() -> None:
    """It is told as gone, as each other one."""
    talk = limited(read_only=["logs"])
    talk.say("read", pane="%1")
    talk.terminal.close(Pane("%1"))
    assert "is gone" in talk.say("keys", pane="%1", keys="C-c")


def test_what_names_no_pane_is_refused_at_once() -> None:
    """A mistake of the programmer is told when the tool is made."""
    with pytest.raises(InvalidPaneError):
        TmuxTool(FakeTerminal(), allow=["%x"])
