"""What became of a text: delivered, queued, in the box, unread, or unknown."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, PANE, Frame, ScriptedTerminal, screen
from tests.unit.chat import ASKS, Chat, ConnectedTerminal, terminal_with
from tmuxprim import (
    Console,
    FakeTerminal,
    Mark,
    Pane,
    PaneBusyError,
    Receipt,
    TmuxTimeoutError,
    TtyState,
)
from tmuxprim._engine.plan import drive
from tmuxprim._engine.receipt_watch import watch
from tmuxprim._values.keys import Paste
from tmuxprim.profiles import CLAUDE_CODE
from tmuxprim.readiness import Prompt
from tmuxprim.testing import (
    FakeTty,
    Program,
    ReadKey,
    Run,
    ScriptedShell,
    Sleep,
    after,
    password,
    question,
)

LONG = "is this text (é, 'quoted') long? " * 30


def console_with(chat: Chat) -> Console:
    """Return a console on a pane in which an assistant is in front."""
    return Console(terminal_with(chat), Pane("shared"))


@pytest.mark.parametrize("text", ["hi", "hello", LONG, "one\ntwo", "hello!", "y"])
@pytest.mark.parametrize("pastes", [False, True])
def test_an_assistant_that_waits(text: str, *, pastes: bool) -> None:
    """Its box held the text, and is empty after Enter."""
    console = console_with(Chat(pastes=pastes))
    assert console.submit(text) is Receipt.DELIVERED


@pytest.mark.parametrize("text", ["hi", LONG])
def test_an_assistant_that_is_connected_to_its_model(text: str) -> None:
    """It is no ssh: the text is pasted if it is long, and its box reports the receipt."""
    terminal = terminal_with(Chat(pastes=True), terminal_class=ConnectedTerminal)
    console = Console(terminal, Pane("shared"))
    assert console.submit(text) is Receipt.DELIVERED
    assert [part for each in terminal.sent()[1:] for part in each.keys][:-1] == [
        Paste(text) if text is LONG else text
    ]
    assert "guess" not in console.wait_ready().reason


def test_an_assistant_of_another_user() -> None:
    """Its box reports the receipt, and the reason of a wait says what the kernel does not show."""
    terminal = terminal_with(Chat(pastes=True), terminal_class=ConnectedTerminal)
    assert isinstance(terminal, ConnectedTerminal)
    terminal.is_shown = False
    console = Console(terminal, Pane("shared"))
    assert console.submit("hi") is Receipt.DELIVERED
    assert console.wait_ready().reason.endswith("(without knowing the reader; stat evidence)")


def test_an_unknown_program_that_is_connected() -> None:
    """It may be another ssh."""
    terminal = terminal_with(Chat(), "odd", terminal_class=ConnectedTerminal)
    console = Console(terminal, Pane("shared"))
    assert console.submit(LONG) is Receipt.UNKNOWN
    assert "the program behind odd cannot be" in console.wait_ready().reason


def test_an_assistant_that_works() -> None:
    """It takes the text, which waits in its queue."""
    chat = Chat()
    console = console_with(chat)
    assert console.submit("work on it") is Receipt.DELIVERED
    assert console.submit("and on that") is Receipt.QUEUED
    assert chat.queued == ["and on that"]


def test_an_assistant_that_is_slow() -> None:
    """It runs for seconds before it draws: Enter waits for the text, and the receipt for Enter."""
    chat = Chat(pastes=True, slow=8.0, slow_at_enter=8.0)
    assert console_with(chat).submit(LONG) is Receipt.DELIVERED
    assert chat.heard == [LONG]


def test_a_slow_assistant_that_does_not_take_the_enter() -> None:
    """The text is in its box once it sleeps."""
    chat = Chat(pastes=True, slow_at_enter=4.0, drops=1)
    assert console_with(chat).submit(LONG) is Receipt.IN_BOX


@pytest.mark.parametrize(("seconds", "receipt"), [(8.0, Receipt.DELIVERED), (60.0, Receipt.UNREAD)])
def test_an_assistant_that_reads_the_enter_late(seconds: float, receipt: Receipt) -> None:
    """It runs for seconds before it reads, as OpenCode does while it starts."""
    console = console_with(Chat(pastes=True, slow_to_read=seconds))
    assert console.submit(LONG) is receipt


def test_an_assistant_that_only_runs() -> None:
    """It is given up ten seconds after the Enter."""
    terminal = terminal_with(Chat(pastes=True, slow_at_enter=60.0))
    start = terminal.clock.now()
    assert Console(terminal, Pane("shared")).submit(LONG) is Receipt.UNKNOWN
    assert 10.0 <= terminal.clock.now() - start <= 12.0


def test_an_enter_that_a_picker_takes() -> None:
    """The text is in the box after two seconds, and no Enter is pressed by itself."""
    chat = Chat(drops=1)
    console = console_with(chat)
    assert console.submit("look at @file") is Receipt.IN_BOX
    assert (chat.heard, chat.keys.count("\r")) == ([], 1)


def test_once_more() -> None:
    """It looks anew, and presses Enter once more."""
    chat = Chat(drops=1)
    console = console_with(chat)
    assert console.submit("look at @file", again=True) is Receipt.DELIVERED
    assert (chat.heard, chat.keys.count("\r")) == (["look at @file"], 2)


def test_once_more_and_no_more() -> None:
    """A second Enter that is lost as well is the last."""
    chat = Chat(drops=9)
    console = console_with(chat)
    assert console.submit("look at @file", again=True) is Receipt.IN_BOX
    assert chat.keys.count("\r") == 2


@pytest.mark.parametrize(("drops", "enters"), [(0, 1), (1, 2)])
def test_a_session_presses_a_lost_enter_again(drops: int, enters: int) -> None:
    """OpenCode 1.18.33 loses the first one now and then."""
    chat = Chat(drops=drops)
    with console_with(chat).session(CLAUDE_CODE, adopt=True) as session:
        session.ask("hi")
    assert (chat.heard, chat.keys.count("\r")) == (["hi"], enters)


def test_never_once_more_without_knowing() -> None:
    """Where it cannot be determined, no second Enter is pressed."""
    chat = Chat(hides=True)
    console = console_with(chat)
    assert console.submit("hello there", again=True) is Receipt.UNKNOWN
    assert chat.keys.count("\r") == 1


@pytest.mark.parametrize("as_keys", [False, True])
def test_an_enter_of_its_own_behind_a_text(*, as_keys: bool) -> None:
    """It waits until the assistant has worked through the text, which may take it for a paste."""
    chat = Chat(slow=0.1)
    terminal = terminal_with(chat)
    console = Console(terminal, Pane("shared"))
    console.send("hello", enter=False)
    if as_keys:
        console.keys("Enter")
    else:
        console.send("")
    text, enter = terminal.sent()[-2:]
    assert 0.5 <= enter.at - text.at <= 0.7  # five letters of 0.1 s each
    assert chat.keys[-1] == "o"
    console.wait_ready()
    assert chat.heard == ["hello"]


def test_an_enter_alone() -> None:
    """It submits what this console has typed into the box before; an empty box tells nothing."""
    chat = Chat()
    console = console_with(chat)
    assert console.submit("") is Receipt.UNKNOWN
    console.send("hello", enter=False)
    console.wait_ready()
    assert console.submit("") is Receipt.DELIVERED
    assert chat.heard == ["hello"]


def test_another_program() -> None:
    """It gets nothing that is meant for certain ones only."""
    chat = Chat()
    console = console_with(chat)
    with pytest.raises(PaneBusyError, match="the program in front is 'claude', not 'codex'"):
        console.submit("hello", only=["codex"])
    assert console.submit("hello", only=["claude"]) is Receipt.DELIVERED
    assert chat.heard == ["hello"]


def test_a_dialog_is_no_box() -> None:
    """Nothing is typed at a dialog, which takes the Enter alone."""
    chat = Chat("dialog")
    console = console_with(chat)
    with pytest.raises(PaneBusyError, match="a menu of Claude Code asks"):
        console.submit("n")
    assert chat.keys == []


def test_a_dialog_that_comes_in_between() -> None:
    """It would take the Enter for a choice, so that is not pressed."""
    chat = Chat(opens="dialog")
    typed = "the text has been typed, but pressing Enter failed: a menu of Claude Code asks"
    with pytest.raises(PaneBusyError, match=typed):
        console_with(chat).submit("hello there")
    assert (chat.allowed, "\r" in chat.keys) == (0, False)


@pytest.mark.parametrize("text", ["n", "hello there"])
def test_a_dialog_that_is_not_drawn_yet(text: str) -> None:
    """Its title says already that it asks: it is waited for, and nothing is typed."""
    chat = Chat(late=2.0)
    console = console_with(chat)
    console.submit("ask")
    keys = list(chat.keys)
    with pytest.raises(PaneBusyError, match=r"a menu of Claude Code asks: 'Do you want to proceed"):
        console.submit(text)
    assert (chat.keys, chat.allowed) == (keys, 0)


def test_a_dialog_that_comes_in_between_and_is_not_drawn_yet() -> None:
    """The Enter is not pressed, though the box still holds the text."""
    chat = Chat(opens="dialog", late=2.0)
    with pytest.raises(PaneBusyError, match="pressing Enter failed: a menu of Claude Code asks"):
        console_with(chat).submit("hello there")
    assert (chat.allowed, "\r" in chat.keys) == (0, False)


def test_a_title_that_asks_though_the_dialog_was_answered() -> None:
    """The box is believed after five seconds each, before the text, in the box and before Enter."""
    chat = Chat(title=ASKS)
    terminal = terminal_with(chat)
    console, start = Console(terminal, Pane("shared")), terminal.clock.now()
    assert console.submit("hello") is Receipt.DELIVERED
    assert chat.heard == ["hello"]
    assert 15.0 <= terminal.clock.now() - start < 17.0


def test_a_title_that_a_program_has_left() -> None:
    """What is started after it is not held up by it."""
    chat = Chat(title="⠋ project")
    shell = ScriptedShell({"claude": chat, "printf": f"\x1b]2;{chat.title}\x07"})
    console = Console(terminal := FakeTerminal(programs={"sh": shell}), terminal.open("sh"))
    console.wait_ready()
    console.run("printf")
    console.send("claude")
    assert "Claude Code waits" in console.wait_ready().reason
    for text in ("one", "two"):
        assert console.submit(text) is Receipt.DELIVERED
        assert "Claude Code waits" in console.wait_ready().reason
    chat.title = "⠙ project"
    console.submit("three")
    assert "its title says that it works: '⠙ project'" in console.wait_ready(3.0).reason


def at(program: Program, name: str = "sh", *, evidence: bool = True) -> Console:
    """Return a console on a program that has shown what it begins with."""
    terminal = FakeTerminal(programs={name: program}, evidence=evidence)
    pane = terminal.open(name)
    terminal.clock.sleep(1.0)
    return Console(terminal, pane)


@pytest.mark.parametrize("command", ["ls", "make", "", "cd /tmp", "no-such-thing"])
def test_a_shell(command: str) -> None:
    """It has left its line editor, or is at a prompt again."""
    console = at(ScriptedShell({"ls": "a b", "make": after(60.0)}))
    assert console.submit(command) is Receipt.DELIVERED


def test_typed_ahead() -> None:
    """A command runs, so nobody reads the next one."""
    console = at(ScriptedShell({"make": after(60.0), "ls": "a"}))
    console.submit("make")
    assert console.submit("ls") is Receipt.UNREAD


@pytest.mark.parametrize("program", [question("name? "), password()])
def test_who_reads_a_line(program: Program) -> None:
    """It was blocked in its read, so it has the line, shown or not."""
    console = at(ScriptedShell({"asks": program}))
    console.submit("asks")
    console.wait_ready()
    assert console.submit("Ada") is Receipt.DELIVERED


def polls(tty: FakeTty) -> Run:
    """Be a program with an event loop, of which nothing is known."""
    tty.write("\x1b[?1049hwhat now? ")
    while True:
        tty.write((yield ReadKey(event_loop=True)))


def sleeps_raw(_tty: FakeTty) -> Run:
    """Read a key, and then nothing more."""
    yield ReadKey()
    yield Sleep(60.0, raw=True)
    return 0


def test_a_program_that_nobody_knows() -> None:
    """Its box, if it has one, is not known."""
    assert at(polls, "odd").submit("hello there") is Receipt.UNKNOWN


def test_keys_that_nobody_reads() -> None:
    """The program is stuck in raw mode."""
    assert at(sleeps_raw, "stuck").submit("hello") is Receipt.UNREAD


def test_behind_ssh() -> None:
    """What ssh has read may have arrived, or not."""

    def passes_on(tty: FakeTty) -> Run:
        tty.write("far$ ")
        while True:
            tty.write((yield ReadKey()))

    assert at(passes_on, "ssh").submit("ls") is Receipt.UNKNOWN


def test_a_password_of_ssh() -> None:
    """It asks for that itself, before it passes keys on."""
    console = at(ScriptedShell({"ssh": password()}))
    console.submit("ssh")
    console.wait_ready()
    assert console.submit("hunter2") is Receipt.DELIVERED


def test_without_evidence() -> None:
    """Nobody tells who reads."""
    console = at(ScriptedShell({"ls": "a"}), evidence=False)
    assert console.submit("ls") is Receipt.UNKNOWN


def test_a_pane_that_is_gone() -> None:
    """The shell may have read it, or have been killed."""
    console = at(ScriptedShell())
    assert console.submit("exit") is Receipt.UNKNOWN


BEFORE = screen("~$ ls")
MARK = Mark(screen=BEFORE, tty=AT_PROMPT, prompt=Prompt("~$ ", 10), typed="ls", line="ls")
EDITS = attrs.evolve(AT_PROMPT, edits=True)
WOKEN = attrs.evolve(EDITS, wakeups=9)


def watched(*frames: Frame, text: str = "ls", mark: Mark = MARK) -> Receipt:
    """Return the receipt of a text at a line editor, by what came after its Enter."""
    before = attrs.evolve(mark, tty=EDITS)
    return drive(watch(PANE, before, text), ScriptedTerminal(*frames)).receipt


@pytest.mark.parametrize(
    ("shown", "tty", "receipt"),
    [
        ("~$ ls\na\n~$ ", WOKEN, Receipt.DELIVERED),
        ("~$ ls\na\n/tmp$ ", WOKEN, Receipt.DELIVERED),
        ("~$ ls\n~$ ls /all", WOKEN, Receipt.UNKNOWN),  # it has expanded what was typed
        ("~$ ls", WOKEN, Receipt.IN_BOX),
        ("~$ ls", attrs.evolve(WOKEN, reading=None), Receipt.UNKNOWN),  # it may work still
        ("~$ ls\nls", WOKEN, Receipt.UNKNOWN),  # what it has printed
        ("~$ ls\n~$ ", EDITS, Receipt.UNKNOWN),  # nobody has read the Enter
        ("~$ ls\n~$ ", attrs.evolve(WOKEN, reading=False, reader_pid=None), Receipt.UNKNOWN),
        ("~$ ls", attrs.evolve(WOKEN, canonical=True), Receipt.DELIVERED),
        ("~$ ls", attrs.evolve(WOKEN, foreground_pid=11), Receipt.DELIVERED),
        ("~$ ls", attrs.evolve(WOKEN, unread=1), Receipt.UNREAD),
        ("~$ ls", attrs.evolve(WOKEN, unread=None), Receipt.UNKNOWN),
        ("~$ ls", None, Receipt.UNKNOWN),
    ],
)
def test_at_a_line_editor(shown: str, tty: TtyState | None, receipt: Receipt) -> None:
    """It was left, or shows a prompt alone after its reader has woken up."""
    assert watched(Frame(0, screen(shown), tty)) is receipt


@pytest.mark.parametrize(
    ("prompt", "shown", "receipt"),
    [
        (">>> ", ">>> if x:\n... ", Receipt.DELIVERED),
        ("sqlite> ", "sqlite> if x:\n   ...> ", Receipt.DELIVERED),
        ("$ ", "$ if x:\n... ", Receipt.UNKNOWN),  # no shell asks so for more
    ],
)
def test_a_line_that_goes_on(prompt: str, shown: str, receipt: Receipt) -> None:
    """A program asks for the rest of it, in its own way."""
    mark = attrs.evolve(MARK, screen=screen(f"{prompt}if x:"), prompt=Prompt(prompt, 10))
    assert watched(Frame(0, screen(shown), WOKEN), text="if x:", mark=mark) is receipt


def test_blanks() -> None:
    """They end a prompt as well; what is more than the prompt is what was typed."""
    for shown, receipt in (("~$ ", Receipt.DELIVERED), ("~$   ", Receipt.IN_BOX)):
        frame = Frame(0, screen(shown), WOKEN)
        mark = attrs.evolve(MARK, screen=screen("~$   "))
        assert watched(frame, text="  ", mark=mark) is receipt


def test_a_look_that_takes_long() -> None:
    """A busy machine shows a screen late; the evidence from before it is no second old."""
    terminal = ScriptedTerminal(
        Frame(0, BEFORE, attrs.evolve(WOKEN, unread=1)), Frame(0.5, screen("~$ ls\n~$ "), WOKEN)
    )
    terminal.look_takes = 1.5
    mark = attrs.evolve(MARK, tty=EDITS)
    assert drive(watch(PANE, mark, "ls"), terminal).receipt is Receipt.DELIVERED


def test_a_server_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no evidence then; the next call says what is wrong."""
    terminal = ScriptedTerminal(Frame(0, BEFORE, EDITS))

    def hangs(_pane: Pane) -> None:
        raise TmuxTimeoutError("no answer")

    monkeypatch.setattr(terminal, "probe", hangs)
    assert drive(watch(PANE, MARK, "ls"), terminal).receipt is Receipt.UNKNOWN
