"""What is in front in a pane, by one snapshot: a shell, an assistant, a menu, a full screen."""

# ruff: noqa: RUF001  # the signs of menus are what it is about

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, RUNNING, screen
from tmuxprim import KeySequence, Screen, Size, TtyState, default_chain
from tmuxprim._readiness.box import AssistantState
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.menus import numbered_menu, selected_row
from tmuxprim.errors import PaneBusyError
from tmuxprim.readiness import AssistantStrategy, Snapshot

LOOP = attrs.evolve(AT_PROMPT, only_reading=False, edits=None, foreground_pid=12, reader_pid=12)
CHAT = AssistantStrategy(name="Chat", programs=("chat",), box="^>.*$", asks=r"Run it\?")
RAW = attrs.evolve(LOOP, signals=False)
OF_CHAT = attrs.evolve(RAW, program="chat")
AT_SHELL = attrs.evolve(AT_PROMPT, edits=True)
CHOOSE = "choose with keys: Up, Down, Left, Right, Enter, Escape"
TALL = Size(60, 12)


def shows(
    text: str, command: str = "node", *, cursor_visible: bool = True, alternate: bool = False
) -> Screen:
    """Return a screen of a program."""
    shown = attrs.evolve(screen(text, size=TALL), command=command)
    return attrs.evolve(shown, cursor_visible=cursor_visible, alternate=alternate)


def front(shown: Screen, tty: TtyState | None = LOOP) -> Front:
    """Return what is in front."""
    return Front.seen(Snapshot(screen=shown, tty=tty), default_chain(programs=[CHAT]))


@pytest.mark.parametrize(
    ("text", "menu"),
    [
        ("? Which one? (Use arrow keys)\n❯ a\n  b", "? Which one? (Use arrow keys)"),
        ("? Which one? (Use arrow keys)\n❯ a\n? And then? (y/N) ", ""),  # that one is answered
        ("Which?\n❯ 1. This\n  2. That", "Which?"),
        ("Which?\n  1. This\n❯ 2. That", "Which?"),
        ("│ Which? │\n│ ● 1. This │\n│   2. That │", "Which?"),
        ("❯ 1. This\n  2. That", "1. This"),
        ("❯ 1. This\n  3. That", ""),  # no list
        ("❯ This\n  That", ""),
        ("1. This\n2. That", ""),
    ],
)
def test_a_menu_of_a_program_that_is_not_known(text: str, menu: str) -> None:
    """It has a sign at one row of a numbered list, or tells its keys behind its question."""
    assert front(shows(text, cursor_visible=False)).menu == menu
    assert front(shows(text, "bash", cursor_visible=False), AT_SHELL).menu == ""
    printed = attrs.evolve(RUNNING, reading=None)
    for tty in (
        None,
        printed,
        attrs.evolve(LOOP, passes_on=True),
        attrs.evolve(LOOP, reading=False),
    ):
        assert front(shows(text, cursor_visible=False), tty).menu == ""


def test_a_list_that_was_printed() -> None:
    """Where the cursor is elsewhere, as in a text that is typed, the list asks nothing."""
    assert front(shows("? Which one? (Use arrow keys)\n❯ a\n> ")).menu == ""
    assert front(shows("? Which one? (Use arrow keys)")).menu != ""
    assert front(shows("Which?\n❯ 1. This\n  2. That\n\nsay: ")).menu == ""
    assert front(shows("Which?\n  2. That\n❯ 1. This")).menu == "Which?"


@pytest.mark.parametrize(
    ("text", "menu", "why"),
    [
        ("Run it?", "Run it?", "a menu of Chat asks: 'Run it?'; choose with keys"),
        ("Which?\n❯ 1. This\n  2. That", "Which?", "the selected row is '1. This'; choose"),
        ("Stay?\nEnter to stay · Esc to cancel", "Enter to stay · Esc to cancel", "of Chat asks"),
        ("it loads", "", ""),
        ("", "", ""),
        ("Run it?\n> ", "", ""),  # in an answer
    ],
)
def test_a_dialog_of_an_assistant(text: str, menu: str, why: str) -> None:
    """That is the one it is known by, or what looks like one where its box is not."""
    found = front(shows(text), OF_CHAT)
    assert (found.name, found.menu) == ("Chat", menu)
    assert found.takes_no_command == "Chat is in this pane, not a shell"
    assert not menu or why in found.asks


def test_a_title_that_asks() -> None:
    """The dialog is not drawn yet: the box that stands there is none to be typed in."""
    title = "[ ! ] Action Required | project"
    box = attrs.evolve(shows("> "), title=title)
    assert front(box, OF_CHAT).shown.state is AssistantState.UNDRAWN
    unknown = attrs.evolve(shows("a  b"), title=title)
    assert (front(unknown, OF_CHAT).menu, front(unknown, LOOP).menu) == (title, "")
    waiting = attrs.evolve(OF_CHAT, status="waiting")
    assert front(shows("a  b"), waiting).menu == "something"


@pytest.mark.parametrize(
    ("text", "are_keys"),
    [
        ("Run it?\n❯ 1. Yes\n  2. No", True),
        ("Run it?", True),
        ("Run it?\n  1. Yes\n❯ 2. Type something.", False),
        ("Which?\n❯ 1. This\n  2. That", False),  # no dialog that it is known by
        ("> ", False),
    ],
)
def test_where_letters_are_keys(text: str, *, are_keys: bool) -> None:
    """In a dialog of an assistant, unless the row that is selected is one to type in."""
    assert front(shows(text), OF_CHAT).takes_letters_for_keys is are_keys


@pytest.mark.parametrize(
    ("shown", "tty", "why"),
    [
        (shows("$ ", "bash"), AT_SHELL, ""),
        (shows(">>> ", "python3"), LOOP, ""),
        (shows("> ", "fzf"), LOOP, "fzf, a menu, is in this pane, not a shell"),
        (shows("> ", "fzf"), None, "fzf, a menu, is in this pane, not a shell"),
        (
            shows("? Which? (Use arrow keys)\n❯ a"),
            LOOP,
            f"a menu asks: '? Which? (Use arrow keys)'; the selected row is 'a'; {CHOOSE}",
        ),
    ],
)
def test_who_takes_no_command(shown: Screen, tty: TtyState | None, why: str) -> None:
    """A shell and a REPL take one; a menu would take it for a search, or a choice."""
    assert front(shown, tty).takes_no_command == why


@pytest.mark.parametrize(
    ("shown", "tty", "is_it"),
    [
        (shows("a", "vim", alternate=True), RAW, True),
        (shows("a", "vim", alternate=True), attrs.evolve(RAW, reading=False), True),
        (shows("a", "vim", alternate=True), attrs.evolve(RAW, canonical=True), False),
        (shows("a", "top", alternate=True), LOOP, False),  # the kernel makes a signal of C-c
        (shows("a", "vim", alternate=True), None, False),
        (shows("a", "python3"), RAW, False),
        (shows("> ", "chat", alternate=True), OF_CHAT, False),
        (shows("$ ", "bash", alternate=True), AT_SHELL, False),  # on what vim has left
    ],
)
def test_who_has_the_whole_screen(shown: Screen, tty: TtyState | None, *, is_it: bool) -> None:
    """A program to which C-c is a key, and that is no known assistant, has unknown keys."""
    found = front(shown, tty)
    assert found.has_whole_screen is is_it
    if is_it:
        with pytest.raises(PaneBusyError, match="vim has the whole screen, and takes C-c for a"):
            assert found.interrupts
    else:
        key = "Escape" if found.assistant else "C-c"
        assert found.interrupts == (KeySequence.keys(key),)


def test_the_program_behind_another() -> None:
    """An assistant takes the text itself, if it is the program that the kernel reports."""
    ssh, chat = (attrs.evolve(tty, passes_on=True) for tty in (RAW, OF_CHAT))
    assert front(shows("$ ", "ssh"), ssh).has_inner_program
    assert not front(shows("> "), chat).has_inner_program
    of_session = Snapshot(screen=shows("> ", "ssh"), tty=ssh)
    assert Front.seen(of_session, attrs.evolve(CHAT, programs=())).has_inner_program


def test_who_is_called_what() -> None:
    """An assistant by its own name, others by their command, if there is one."""
    assert front(shows("> "), OF_CHAT).name == "Chat"
    assert front(shows("a", "vim")).name == "vim"
    assert front(shows("a", "")).name == "a program"
    own = attrs.evolve(CHAT, programs=())  # as in a session
    assert Front.seen(Snapshot(screen=shows("> "), tty=LOOP), own).name == "Chat"
    assert Front.seen(Snapshot(screen=shows("$ ", "bash"), tty=AT_SHELL), own).name == "bash"


def test_the_row_that_is_selected() -> None:
    """No sign tells it where colours do."""
    assert selected_row(("│ › 1. Yes, allow once │", "│   2. No │")) == "1. Yes, allow once"
    assert selected_row(("Allow once   Allow always   Reject",)) == ""
    assert numbered_menu(("● one", "○ two")) == ""
