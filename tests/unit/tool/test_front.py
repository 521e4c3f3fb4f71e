"""Before it types, the tool looks what is in front: a dialog takes no text, a box may hold one."""

# the signs of assistants are what it is about

import attrs
import pytest

from tests.unit.chat import Chat, terminal_with
from tests.unit.tool.talking import SlowLane, Talk
from tmuxprim import Console, FakeTerminal, KeySequence, Outcome, Pane, default_chain
from tmuxprim._readiness.assistants import CLAUDE_CODE
from tmuxprim.errors import PaneBusyError
from tmuxprim.testing import ScriptedShell, after
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
    told(talk, "send", text="no", enter=False)  # each letter may be a hot key
    assert chat.allowed == 0
    assert talk.say("keys", keys="n") == "Sent: n"
    assert talk.say("keys", keys="Enter") == "Sent: Enter"
    talk.say("wait_ready")
    assert chat.allowed == 1


@pytest.mark.parametrize("enter", [True, False])
def test_a_text_for_one_program_only(kind: str, *, enter: bool) -> None:
    """It is not typed for another, and a model that fills in nothing means any."""
    chat = Chat()
    talk = talk_to(chat, kind)
    why = "the program in front is 'claude', not 'codex'"
    assert told(talk, "send", text="hi", enter=enter, only="codex").startswith(why)
    for only in ("claude", "", None):
        assert talk.say("send", text="hi", enter=enter, only=only).startswith("Sent: 'hi'")
    assert bool(chat.heard) is enter


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
    """`run` is refused in an assistant, also if its screen is not known."""
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


def test_an_assistant_is_interrupted_by_its_own_key(kind: str) -> None:
    """C-c would end some of them; what it has put back into its box is told."""
    chat = Chat()
    talk = talk_to(chat, kind)
    talk.say("send", text="work on it")
    reply = talk.say("interrupt")
    assert reply.startswith("waiting for input: 'work on it' is in the box of Claude Code")
    assert (chat.escapes, chat.keys[-1]) == (1, "\x1b")


@pytest.mark.parametrize(("patience", "pressed"), [(1, 1), (2, 2), (3, 2)])
def test_an_assistant_that_wants_two_keys(patience: int, pressed: int) -> None:
    """The second is pressed once it has taken the first, and only if it still works then."""
    chat = Chat(patience=patience, gives_back=False)
    terminal = terminal_with(chat)
    twice = attrs.evolve(CLAUDE_CODE.state, interrupt=(KeySequence.keys("Escape"),) * 2)
    console = Console(terminal, "shared", strategy=default_chain(programs=[twice]))
    console.send("work on it")
    outcome = console.interrupt(5.0).outcome
    assert chat.escapes == pressed
    assert outcome is (Outcome.TIMEOUT if patience > pressed else Outcome.PROMPT)


def test_no_key_is_pressed_that_may_end_a_program(kind: str) -> None:
    """An unknown program has the whole screen, and the kernel makes no signal of C-c for it."""
    terminal = terminal_with(Chat(), "tui")
    lane = SlowLane(terminal) if kind == "async" else TmuxTool(terminal)
    talk = Talk(terminal, terminal.resolve(SHARED), lane)
    assert told(talk, "interrupt") == (
        "tui has the whole screen, and takes C-c for an ordinary key, which may end it; "
        "press its own key with keys"
    )
    with pytest.raises(PaneBusyError, match="tui has the whole screen"):
        Console(terminal, "shared").interrupt()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("C-c", "C-c"),
        ("<Enter>", "Enter"),
        ("{ENTER}", "Enter"),
        ("^C", "C-c"),
        ("ctrl+c ctrl+c", "C-c C-c"),
        ("[esc]", "Escape"),
        ("F5", "F5"),
    ],
)
def test_the_name_of_a_key(kind: str, text: str, names: str) -> None:
    """It is typed as letters, and the reply names the action that presses keys."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell()})
    lane = SlowLane(terminal) if kind == "async" else TmuxTool(terminal)
    talk = Talk(terminal, terminal.open("sh", name="shared"), lane)
    talk.say("wait_ready")
    reply = talk.say("send", text=text)
    assert reply == f"Sent: {text!r} + Enter (as text; to press {names}, call 'keys')"
    assert terminal.sent()[-2].keys == KeySequence.text(text)


@pytest.mark.parametrize("text", ["y", "up", "end", "ls", "<br>", "[y]", "{name}", "C-3PO", "^foo"])
def test_what_is_no_name_of_a_key(text: str) -> None:
    """The reply does not warn of such a word, even if a key has that name in other letters."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell()})
    talk = Talk(terminal, terminal.open("sh", name="shared"), TmuxTool(terminal))
    talk.say("wait_ready")
    assert talk.say("send", text=text) == f"Sent: {text!r} + Enter"


def test_what_became_of_a_text(kind: str) -> None:
    """A reply adds nothing where the text was taken, and else what is to be done."""
    talk = talk_to(Chat(), kind)
    assert talk.say("send", text="work on it") == "Sent: 'work on it' + Enter"
    queued = "Sent: 'and more' + Enter; Claude Code works: this waits in its queue"
    assert talk.say("send", text="and more") == queued
    lost = talk_to(Chat(drops=1), kind).say("send", text="see @file")
    assert lost == (
        "Sent: 'see @file' + Enter; what was typed is in the box of Claude Code and not sent: "
        "Enter sends it (Escape first if a picker is open), C-u deletes it"
    )
    unseen = talk_to(Chat(hides=True), kind).say("send", text="hello there")
    assert unseen == (
        "Sent: 'hello there' + Enter; whether it was taken cannot be determined: look before you "
        "send it again"
    )


def test_what_became_of_a_command(kind: str) -> None:
    """A shell that runs one does not read the next."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(60.0)})})
    pane = terminal.open("sh", name="shared")
    talk = Talk(terminal, pane, SlowLane(terminal) if kind == "async" else TmuxTool(terminal))
    talk.say("wait_ready")
    assert talk.say("send", text="make") == "Sent: 'make' + Enter"
    assert talk.say("send", text="ls") == (
        "Sent: 'ls' + Enter; typed ahead: make has not read it yet, do not send it again"
    )


def test_an_enter_that_a_shell_does_not_take(kind: str) -> None:
    """The command is at its prompt still, and so is said."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": "made"})})
    pane = terminal.open("sh", name="shared")
    talk = Talk(terminal, pane, SlowLane(terminal) if kind == "async" else TmuxTool(terminal))
    talk.say("wait_ready")
    terminal.faults.swallow(pane, "Enter")
    assert talk.say("send", text="make") == (
        "Sent: 'make' + Enter; it is still at the prompt of sh: Enter runs it, C-u deletes it"
    )
