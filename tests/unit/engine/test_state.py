"""What stands at a prompt already: what is known of it, and of the prompt."""

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, HIDING, RAW_ONLY, RUNNING, SMALL, screen
from tmuxprim import Cursor, FakeTerminal, Key, KeySequence, Mark, Pane, Screen, TtyState
from tmuxprim._engine.pane_plans import PanePlans
from tmuxprim._engine.plan import drive
from tmuxprim._engine.state import (
    ConsoleState,
    LineState,
    ShownStrategy,
    is_at_shell,
    line_number,
    takes_line,
    typed_at_prompt,
)
from tmuxprim.readiness import Prompt, Ready, Snapshot
from tmuxprim.testing import Layout

EDITING = attrs.evolve(AT_PROMPT, edits=True)
# dash at its prompt, in a pane of its own; and `node`, whose line editor takes C-c for itself.
PLAIN = attrs.evolve(ASKING, foreground_is_pane=True)
ALL_KEYS = attrs.evolve(EDITING, signals=False)
WIDTH = SMALL.columns


def at(text: str, column: int | None = None, command: str = "bash") -> Screen:
    """Return a screen while *command* is in the foreground, with the cursor in some column."""
    shown = attrs.evolve(screen(text), command=command)
    row, end = shown.cursor.row, shown.cursor.column
    return attrs.evolve(shown, cursor=Cursor(row, end if column is None else column))


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        (KeySequence.text("ls"), LineState.TEXT),
        (KeySequence.text("ls\n"), LineState.NEW),
        (KeySequence.paste("ls\n"), LineState.TEXT),
        (KeySequence.keys("Up"), LineState.TEXT),
        (KeySequence.keys("Up", "Enter"), LineState.NEW),
        (KeySequence.keys("C-c"), LineState.NEW),
        (KeySequence.keys("C-e", "C-u"), LineState.EMPTIED),
        (KeySequence((Key("C-u"), "ls")), LineState.TEXT),
    ],
)
def test_what_keys_leave(keys: KeySequence, left: LineState) -> None:
    """The last key decides: it ends the line, empties it, or is a part of it."""
    terminal = FakeTerminal()
    state = ConsoleState(terminal.open())
    drive(PanePlans(state).keys([keys]), terminal)
    assert state.line_state is left


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("$ ", ""),
        ("user@host:~$ rm -rf ./x", "rm -rf ./x"),
        ("(gdb) print x", "print x"),
        ("$ cat > ", ""),  # it may be all prompt
        ("ready rm", ""),  # which may be all prompt, too
        ("", ""),
    ],
)
def test_where_nobody_has_seen_the_prompt(line: str, typed: str) -> None:
    """Only what looks like a prompt is known to be one."""
    assert typed_at_prompt(Snapshot(screen=at(line)), None, was_empty=False) == typed
    assert not typed_at_prompt(Snapshot(screen=at(line)), None, was_empty=False, by_words=False)


@pytest.mark.parametrize(
    ("known", "line", "typed"),
    [
        ("$ ", "$ ", ""),
        ("$ ", "$ cat > ", "cat >"),
        ("$ ", "x$ ", ""),  # printed without a line break
        ("$ ", "$ x$ ", ""),
        ("ready ", "ready ", ""),
        ("ready ", "ready rm", "rm"),
        ("[9] ready ", "[10] ready rm", "rm"),
        ("~/a $ ", "~/b $ rm", "rm"),
        ("\u03bb ~ ", "\u03bb ~ ", ""),
        ("\u03bb ~ ", "\u03bb ~ rm", "rm"),
        ("\u03bb ~ ", "\u03bb ~/src ", ""),
        (" ", " rm", ""),
    ],
)
def test_where_the_prompt_was_seen_alone(known: str, line: str, typed: str) -> None:
    """What stands behind it, and it may have changed since."""
    snapshot = Snapshot(screen=at(line), tty=EDITING)
    assert typed_at_prompt(snapshot, Prompt(known, 10), was_empty=True) == typed


@pytest.mark.parametrize(
    ("known", "line", "typed"),
    [
        ("$ rm", "$ rm", "rm"),
        ("$ rm", "$ rm -rf", "rm -rf"),
        ("\u03bb ~ ", "\u03bb ~ ", "~"),
        ("ready rm", "ready rm -rf", "-rf"),
        ("ready rm", "ready rm", ""),
    ],
)
def test_where_something_may_have_stood_behind_it(known: str, line: str, typed: str) -> None:
    """Then the looks of it count as well."""
    snapshot = Snapshot(screen=at(line), tty=EDITING)
    assert typed_at_prompt(snapshot, Prompt(known, 10), was_empty=False) == typed


@pytest.mark.parametrize(
    ("text", "known"),
    [("10 $ ", "10 $ "), ("10 $ ls", "9 $ "), ("> ", "9 $ ")],
)
def test_the_text_of_a_prompt_is_noted(text: str, known: str) -> None:
    """The text is noted if only its numbers have changed; otherwise it may be typed ahead."""
    state = ConsoleState(Pane("%0"), prompt=Prompt("9 $ ", 10))
    state.note_prompt_text(text, is_all=False)
    assert state.prompt is not None
    assert (state.prompt.text, state.prompt_was_empty) == (known, False)


def test_the_text_of_a_whole_prompt_is_noted() -> None:
    """The marks of its shell show that nothing is typed behind it."""
    state = ConsoleState(Pane("%0"), prompt=Prompt("9 $ ", 10))
    state.note_prompt_text("10 $ * ", is_all=True)
    assert state.prompt is not None
    assert (state.prompt.text, state.prompt_was_empty) == ("10 $ * ", True)


def test_the_prompt_of_another_program() -> None:
    """It says nothing of this one."""
    snapshot = Snapshot(screen=at("ready rm"), tty=EDITING)
    assert typed_at_prompt(snapshot, Prompt("ready ", 11), was_empty=True) == ""
    assert typed_at_prompt(snapshot, Prompt("ready ", None), was_empty=True) == ""
    snapshot = Snapshot(screen=at("ready rm"))
    assert typed_at_prompt(snapshot, Prompt("ready ", None), was_empty=True) == "rm"


@pytest.mark.parametrize("by_words", [True, False])
def test_a_prompt_below_a_rule(*, by_words: bool) -> None:
    """The rule fills its row, as one of aider does, and is no part of the line."""
    snapshot = Snapshot(screen=at("-" * WIDTH + "\n> half"), tty=EDITING)
    typed = typed_at_prompt(snapshot, Prompt("> ", 10), was_empty=True, by_words=by_words)
    assert typed == "half"


@pytest.mark.parametrize("last", ["", "bbb", "b" * WIDTH])
def test_a_line_of_many_rows(last: str) -> None:
    """Nothing tells that a row of zsh goes on but that it is full: zsh begins each itself."""
    full = "zsh% " + "a" * (WIDTH - 5)
    snapshot = Snapshot(screen=at(f"out\n{full}\n{last}", command="zsh"), tty=EDITING)
    typed = "a" * (WIDTH - 5) + last
    assert typed_at_prompt(snapshot, Prompt("zsh% ", 10), was_empty=True) == typed
    assert typed_at_prompt(snapshot, None, was_empty=False) == typed
    assert line_number(snapshot.screen) == 1


def test_a_row_that_is_full_of_blanks() -> None:
    """They are written behind the text of the row."""
    shown = at("zsh% a\nbbb", command="zsh")
    assert line_number(shown) == 1
    shown = attrs.evolve(shown, layout=Layout((), (WIDTH - 6,)))
    snapshot = Snapshot(screen=shown, tty=EDITING)
    assert line_number(shown) == 0
    assert typed_at_prompt(snapshot, None, was_empty=False).startswith("a ")


def test_output_that_fills_a_row_above_the_prompt() -> None:
    """It is no part of the prompt's line."""
    snapshot = Snapshot(screen=at("$ " + "a" * (WIDTH - 2) + "\nready "), tty=EDITING)
    assert typed_at_prompt(snapshot, Prompt("ready ", 10), was_empty=True) == ""


def test_rows_are_counted_with_those_that_scrolled_off() -> None:
    """As many as there are, however many were asked for."""
    shown = attrs.evolve(at("a\n$ ls"), history=("x", "y" * WIDTH), history_size=30)
    assert line_number(shown) == 31
    assert line_number(attrs.evolve(shown, cursor=Cursor(0, 1))) == 29


@pytest.mark.parametrize(
    ("tty", "command", "is_known"),
    [
        (EDITING, "bash", True),
        (EDITING, "python3", True),
        (ALL_KEYS, "mksh", True),
        (ALL_KEYS, "node", False),  # it may suggest something
        (PLAIN, "dash", False),
        (None, "bash", False),
    ],
)
def test_the_cursor_was_moved_back(tty: TtyState | None, command: str, *, is_known: bool) -> None:
    """What stands right at the cursor of a line editor was typed, if it suggests nothing there."""
    snapshot = Snapshot(screen=at("$ rm -rf", 2, command), tty=tty)
    assert typed_at_prompt(snapshot, None, was_empty=False) == ("rm -rf" if is_known else "")
    prompt = Prompt("$ ", tty.foreground_pid if tty else None)
    typed = typed_at_prompt(snapshot, prompt, was_empty=True, by_words=False)
    assert typed == ("rm -rf" if is_known else "")


def test_a_prompt_on_the_right() -> None:
    """It stands apart."""
    snapshot = Snapshot(screen=at("$            [main]", 2), tty=EDITING)
    assert typed_at_prompt(snapshot, None, was_empty=False) == ""
    snapshot = Snapshot(screen=at("$ rm -rf     [main]", 2), tty=EDITING)
    assert typed_at_prompt(snapshot, None, was_empty=False) == "rm -rf"
    snapshot = Snapshot(screen=at("ask: text", 5), tty=EDITING)
    assert typed_at_prompt(snapshot, None, was_empty=False, by_words=False) == ""


@pytest.mark.parametrize(
    ("tty", "command", "is_shell"),
    [
        (EDITING, "bash", True),
        (EDITING, "-zsh", True),
        (ALL_KEYS, "busybox", True),
        (EDITING, "python3", False),
        (PLAIN, "dash", True),
        (PLAIN, "-dash", True),
        (PLAIN, "bash", False),  # it is bash's `read`
        (ASKING, "sh", False),  # a script
        (None, "bash", True),
        (None, "ssh", False),
        (None, "vim", False),
    ],
)
def test_a_shell(tty: TtyState | None, command: str, *, is_shell: bool) -> None:
    """It is known by its name, and by how it reads."""
    assert is_at_shell(Snapshot(screen=at("$ ", command=command), tty=tty)) is is_shell


def test_what_a_killed_program_has_left_right_of_the_cursor() -> None:
    """On the alternate screen, that text does not count as typed."""
    left = attrs.evolve(screen("$ some text"), cursor=Cursor(0, 2), command="bash")
    for alternate, typed in ((False, "some text"), (True, "")):
        snapshot = Snapshot(screen=attrs.evolve(left, alternate=alternate), tty=EDITING)
        assert typed_at_prompt(snapshot, Prompt("$ ", 10), was_empty=True) == typed


@pytest.mark.parametrize(
    ("tty", "takes"),
    [
        (EDITING, True),
        (RAW_ONLY, True),
        (None, True),
        (ASKING, True),
        (RUNNING, False),
        (HIDING, False),
    ],
)
def test_who_takes_a_line(tty: TtyState | None, *, takes: bool) -> None:
    """Not who works, hides what is typed, or has the whole screen and is no shell."""
    snapshot = Snapshot(screen=at("$ ", command="vim"), tty=tty)
    assert takes_line(snapshot) is takes
    full = attrs.evolve(snapshot, screen=attrs.evolve(snapshot.screen, alternate=True))
    assert not takes_line(full)
    shell = attrs.evolve(full, screen=attrs.evolve(full.screen, command="bash"))
    assert takes_line(shell) is (tty in {EDITING, None})


@pytest.mark.parametrize(
    ("tty", "confirmed", "shown"),
    [
        (EDITING, True, True),
        (EDITING, False, False),
        (attrs.evolve(EDITING, unread=1), True, False),
        (attrs.evolve(EDITING, reading=False), True, False),
        (attrs.evolve(ALL_KEYS, unread=1), True, False),
        (RUNNING, False, True),
        (attrs.evolve(RUNNING, unread=1), False, True),
        (None, False, True),
    ],
)
def test_what_was_typed_is_shown(tty: TtyState | None, *, confirmed: bool, shown: bool) -> None:
    """A line editor shows it before it reads again; a command that runs shows nothing."""
    snapshot = Snapshot(screen=at("$ rm"), tty=tty, confirmed=confirmed)
    assert isinstance(ShownStrategy().assess(snapshot), Ready) is shown


REPL = attrs.evolve(EDITING, foreground_pid=20)
SHELL = attrs.evolve(EDITING, foreground_pid=10)
GOES_ON = attrs.evolve(ASKING, foreground_pid=20, reading=None)


def sent(state: ConsoleState, tty: TtyState | None, *, stops: bool = False) -> frozenset[int]:
    """Send a key to who has the terminal then; return whose line editors are stopped."""
    mark = Mark(screen=screen("> "), tty=tty)
    return state.note_sent(mark, KeySequence.keys("C-z" if stops else "Up")).stopped


def test_whose_line_editor_c_z_has_stopped() -> None:
    """A program counts as stopped until a key is sent that it may have read."""
    state = ConsoleState(Pane("%0"))
    assert sent(state, REPL, stops=True) == {20}
    assert sent(state, SHELL) == {20}
    assert sent(state, GOES_ON, stops=True) == {20}
    assert sent(state, SHELL) == {20}
    assert sent(state, REPL) == frozenset()
    sent(state, REPL, stops=True)
    assert sent(state, GOES_ON) == frozenset()


@pytest.mark.parametrize(
    "tty",
    [None, RUNNING, GOES_ON, attrs.evolve(REPL, reading=None), attrs.evolve(REPL, reading=False)],
)
def test_who_does_not_edit_a_line_is_not_noted(tty: TtyState | None) -> None:
    """What works goes on to work."""
    assert sent(ConsoleState(Pane("%0")), tty, stops=True) == frozenset()


def test_a_prompt_tells_that_a_line_editor_reads() -> None:
    """It may wait for other things as well, so that the kernel does not say so."""
    state = ConsoleState(Pane("%0"), prompt=Prompt("(gdb) ", 20))
    unknown = attrs.evolve(REPL, reading=None)
    assert sent(state, unknown, stops=True) == {20}
    state = ConsoleState(Pane("%0"), prompt=Prompt("(gdb) ", 20), line_state=LineState.TEXT)
    assert sent(state, unknown, stops=True) == frozenset()
