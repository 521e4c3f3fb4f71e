"""Long texts are pasted where a program draws itself; elsewhere, and shorter ones, are typed."""

import pytest

from tests.unit.chat import Chat, terminal_with
from tmuxprim import Console, FakeTerminal, KeySequence, Pane
from tmuxprim._values.keys import Part
from tmuxprim.testing import FakeTty as Tty
from tmuxprim.testing import Paste, Program, ReadKey, ReadLine, Run, ScriptedShell
from tmuxprim.tool import TmuxTool

LONG = "is this text (é, 'quoted') long? " * 7


def talk_to(chat: Chat, name: str = "claude") -> tuple[FakeTerminal, Console]:
    """Return a terminal in which the chat has been started by a name, and a console on it."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({name: chat})})
    pane = terminal.open("sh")
    terminal.clock.sleep(1.0)
    terminal.send(pane, KeySequence.text(name) + KeySequence.keys("Enter"))
    terminal.clock.sleep(1.0)
    return terminal, Console(terminal, pane)


def sent(terminal: FakeTerminal) -> list[Part]:
    """Return what has been sent since the program was started, without the Enter at the end."""
    parts = [part for each in terminal.sent()[1:] for part in each.keys]
    return parts[:-1]


@pytest.mark.parametrize("name", ["claude", "a-chat-that-nobody-knows"])
def test_a_long_text_is_pasted(name: str) -> None:
    """It arrives in brackets, which say where it ends, so that the Enter behind it is one."""
    chat = Chat(pastes=True)
    terminal, console = talk_to(chat, name)
    mark = console.send(LONG)
    terminal.clock.sleep(1.0)
    assert sent(terminal) == [Paste(LONG)]
    assert chat.keys == [f"\x1b[200~{LONG}\x1b[201~", "\r"]
    assert chat.heard == [LONG]
    assert (mark.typed, mark.line) == (LONG, LONG)


def test_the_same_without_brackets() -> None:
    """A program that has not asked for them gets the very same characters."""
    chat = Chat()
    terminal, console = talk_to(chat)
    console.send(LONG)
    terminal.clock.sleep(1.0)
    assert chat.heard == [LONG]
    assert chat.keys == [*LONG, "\r"]


def test_a_long_text_without_enter() -> None:
    """It is pasted as well, and what is typed beside it is not."""
    chat = Chat(pastes=True)
    terminal, console = talk_to(chat)
    console.keys(KeySequence.text("short") + KeySequence.keys("Left"))
    console.keys(KeySequence.text(LONG) + KeySequence.keys("Enter"))
    terminal.clock.sleep(1.0)
    assert sent(terminal) == ["short", *KeySequence.keys("Left"), Paste(LONG)]
    assert chat.typed == ""


@pytest.mark.parametrize("text", ["x" * 200, "a\nb" * 300, "a\tb" * 300, "\x1b[201~" * 90])
def test_what_is_typed(text: str) -> None:
    """A text that is short, or has what a paste would change or end: line breaks, controls."""
    terminal, console = talk_to(Chat(pastes=True))
    console.send(text)
    assert sent(terminal) == [text]


@pytest.mark.parametrize("name", ["nvim", "hx", "ssh", "tmux"])
def test_where_keys_may_be_commands(name: str) -> None:
    """An editor would take no command from a paste, and behind ssh may be one."""
    terminal, console = talk_to(Chat(pastes=True), name)
    console.send(LONG)
    assert sent(terminal) == [LONG]


def reads_keys(tty: Tty) -> Run:
    """Read single keys, and nothing else, on the main screen."""
    tty.write("\x1b[?2004hkeys")
    while True:
        yield ReadKey()


def reads_a_line(_tty: Tty) -> Run:
    """Read a line, which the kernel collects."""
    yield ReadLine(prompt="name? ")
    return 0


@pytest.mark.parametrize("program", [reads_keys, reads_a_line, ScriptedShell()])
def test_who_does_not_draw_itself(program: Program) -> None:
    """A line editor gets what is typed key by key, be it that it knows pastes."""
    terminal = FakeTerminal(programs={"sh": program})
    console = Console(terminal, terminal.open("sh"))
    terminal.clock.sleep(1.0)
    console.send(LONG)
    assert terminal.sent()[0].keys == KeySequence.text(LONG)


def test_without_evidence() -> None:
    """Who reads is not known, so the text is typed."""
    terminal = FakeTerminal(programs={"sh": Chat(pastes=True)}, evidence=False)
    console = Console(terminal, terminal.open("sh"))
    terminal.clock.sleep(1.0)
    console.send(LONG)
    assert terminal.sent()[0].keys == KeySequence.text(LONG)


def test_the_tool_pastes_it_too() -> None:
    """A model sends a long text as any other."""
    chat = Chat(pastes=True)
    terminal = terminal_with(chat)
    assert TmuxTool(terminal).execute(action="send", text=LONG).message.startswith("Sent: ")
    terminal.clock.sleep(1.0)
    assert chat.heard == [LONG]
    assert terminal.sent(Pane("shared"))[-2].keys == KeySequence.paste(LONG)
