"""Before it types, the tool looks what is in front: a dialog takes no text, a box may hold one."""

# the signs of assistants are what it is about

import pytest

from tests.unit.chat import Chat, terminal_with
from tests.unit.tool.talking import SlowLane, Talk
from tmuxprim import FakeTerminal, KeySequence, Pane
from tmuxprim.testing import ScriptedShell
from tmuxprim.tool import TmuxTool

SHARED = Pane("shared")


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    """Give the name of either tool."""
    return str(request.param)


def talk_to(chat: Chat, kind: str = "sync") -> Talk:
    """Return a tool whose pane shows an assistant."""
    terminal = terminal_with(chat)
    pane = terminal.resolve(SHARED)
    return Talk(terminal, pane, SlowLane(terminal) if kind == "async" else TmuxTool(terminal))


def told(talk: Talk, action: str, **arguments: object) -> str:
    """Call the tool, which sends nothing; return why."""
    before = len(talk.terminal.sent())
    message = talk.say(action, **arguments)
    assert len(talk.terminal.sent()) == before
    assert message.startswith("error: nothing was sent: ")
    return message.removeprefix("error: nothing was sent: ")


CHOOSE = "choose with keys: Up, Down, Left, Right, Enter, Escape"


def test_no_text_is_sent_to_a_dialog(kind: str) -> None:
    """It would ignore the letters, and take the Enter for its selected row: Yes."""
    chat = Chat("dialog")
    talk = talk_to(chat, kind)
    assert told(talk, "send", text="n") == (
        "a menu of Claude Code asks: 'Do you want to proceed?'; the selected row is '1. Yes'; "
        f"{CHOOSE}"
    )
    assert chat.allowed == 0
    assert talk.say("send", text="n", enter=False) == "Sent: 'n'"  # it may be a hot key
    assert talk.say("keys", keys="Enter") == "Sent: Enter"
    talk.say("wait_ready")
    assert chat.allowed == 1


def test_a_list_that_nobody_knows() -> None:
    """Numbers with a sign at one of them are a menu, also where an assistant shows it."""
    talk = talk_to(Chat("list"))
    assert told(talk, "send", text="hello") == (
        f"a menu of Claude Code asks: 'Which one is it?'; the selected row is '1. This'; {CHOOSE}"
    )


def test_before_its_first_screen(kind: str) -> None:
    """What is typed then may be the answer to a question that comes before its input box."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"claude": Chat("odd")})})
    pane = terminal.open("sh", name="shared")
    talk = Talk(terminal, pane, SlowLane(terminal) if kind == "async" else TmuxTool(terminal))
    talk.say("wait_ready")
    talk.say("send", text="claude")
    terminal.clock.sleep(1.0)
    why = "Claude Code was just started, and shows no input box yet; wait until it is ready"
    assert told(talk, "send", text="hello") == why
    assert talk.say("wait_ready", timeout=5).startswith("wait_ready timed out")
    assert told(talk, "send", text="hello") == why
    talk.say("send", text="hello", enter=False)  # it is looked at again then
    talk.say("wait_ready")
    assert talk.say("send", text="hello").startswith("Sent: 'hello' + Enter")


@pytest.mark.parametrize("enter", [True, False])
def test_what_stands_in_the_box(kind: str, *, enter: bool) -> None:
    """A person has typed it: the text would be glued to it."""
    talk = talk_to(Chat(), kind)
    talk.terminal.send(talk.pane, KeySequence.text("half a question"))
    talk.terminal.clock.sleep(1.0)
    why = (
        "'half a question' is in the box of Claude Code and not sent: Enter sends it (Escape first "
        "if a picker is open), C-u deletes it"
    )
    assert told(talk, "send", text="hi", enter=enter) == why
    assert talk.say("wait_ready").startswith(f"waiting for input: {why}\n")
    talk.say("keys", keys="C-u")
    assert talk.say("send", text="hi", enter=enter).startswith("Sent: 'hi'")


def test_what_the_model_has_typed_itself() -> None:
    """Several calls may put a question together; a wait says that it is not sent."""
    chat = Chat()
    talk = talk_to(chat)
    talk.say("send", text="one ", enter=False)
    assert talk.say("wait_ready").startswith("waiting for input: 'one' is in the box of Claude")
    talk.say("send", text="question")
    assert talk.say("wait_ready").startswith("ready (prompt matched): Claude Code waits for")
    assert chat.heard == ["one question"]


def test_a_question_that_was_given_back(kind: str) -> None:
    """After an interrupt it is in the box again, so that nothing is glued to it."""
    chat = Chat()
    talk = talk_to(chat, kind)
    talk.say("send", text="work on it")
    assert talk.say("wait_ready", timeout=5).startswith("wait_ready timed out")
    talk.say("keys", keys="Escape")
    assert talk.say("wait_ready").startswith("waiting for input: 'work on it' is in the box of")
    assert told(talk, "send", text="/exit").startswith("'work on it' is in the box of Claude Code")
    assert talk.say("keys", keys="C-u") == "Sent: C-u"
    talk.say("send", text="/exit")
    assert talk.say("wait_ready").startswith("ready (prompt matched)\n$")
    assert chat.heard == ["work on it"]


def test_no_command_is_run_in_an_assistant(kind: str) -> None:
    """It would be asked the command, and may do anything."""
    talk = talk_to(Chat(), kind)
    assert told(talk, "run", command="ls") == "Claude Code is in this pane, not a shell"


@pytest.mark.parametrize("shows", ["dialog", "odd", "list"])
def test_no_command_is_run_whatever_it_shows(shows: str) -> None:
    """Neither where it asks nor where nobody knows what it shows."""
    talk = talk_to(Chat(shows))
    assert "Claude Code is in this pane" in told(talk, "run", command="ls", timeout=20)


ABOVE = "PPage shows what scrolled off, and NPage goes back"


def test_a_long_answer_on_the_whole_screen(kind: str) -> None:
    """What scrolled off is in no history: the reply says so, and which keys show it."""
    talk = talk_to(Chat(), kind)
    talk.say("send", text="hello")
    head = talk.say("wait_ready").partition("\n")[0]
    assert head == f"ready (prompt matched): Claude Code waits for a prompt; {ABOVE}"
    assert talk.say("read").startswith(f"(the program has the whole screen: {ABOVE})\n")
    talk.say("send", text="/exit")
    assert ABOVE not in talk.say("wait_ready")
    assert ABOVE not in talk.say("read")
