"""When Enter is pressed, what an empty line ends, and what a page of vim is."""

import pytest

from tmuxprim import Console, FakeTerminal, KeySequence, Outcome, PaneBusyError
from tmuxprim.profiles import LESS, PYTHON, VIM
from tmuxprim.testing import FakeTty, ReadLine, Run, ScriptedShell, full_screen, pager

ENTER = KeySequence.keys("Enter")


def blocks(tty: FakeTty) -> Run:
    """Be a REPL in which a colon begins a block and an empty line ends it."""
    while True:
        try:
            line = first = yield ReadLine(raw=True, prompt=">>> ")
        except EOFError:
            return 0
        while first.endswith(":") and line:
            line = yield ReadLine(raw=True, prompt="... ")
        tty.write(f"did {first}\n" if first else "")


@pytest.fixture
def console() -> Console:
    """Give a console on a shell that has such a REPL."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"python3 -q": blocks})})
    return Console(terminal, terminal.open())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_a_line_break_at_its_end_ends_a_block(console: Console, end: str) -> None:
    """As it does in a file, and in what `Console.send` types."""
    with console.session(PYTHON) as session:
        answer = session.ask(f"a\nif 1:\n    b{end}")
        assert (answer.text, answer.complete) == ("did a\ndid if 1:", True)
        assert session.ask("c").text == "did c"


def test_it_types_no_line_where_none_is_asked_for(console: Console) -> None:
    """An empty line does the last command once more in gdb."""
    with console.session(PYTHON) as session:
        assert session.ask("a\n").text == "did a"
    assert isinstance(console.terminal, FakeTerminal)
    enters = [sent for sent in console.terminal.sent() if sent.keys.parts[-1:] == ENTER.parts]
    assert len(enters) == 2


def test_what_is_begun_is_gone_on_with(console: Console) -> None:
    """Its rest is sent by the console."""
    with console.session(PYTHON) as session:
        answer = session.ask("if 1:\n    b")
        assert (answer.complete, answer.readiness.outcome) == (False, Outcome.CONTINUATION)
        with pytest.raises(PaneBusyError, match="takes no question"):
            session.ask("c")
        console.send("")
        answer = session.go_on()
        assert (answer.text, answer.complete) == ("did if 1:", True)


@pytest.mark.parametrize(
    ("question", "is_entered"),
    [
        ("G", False),
        ("50%", False),
        (" ", False),
        ("-N", False),
        ("", True),
        ("/a", True),
        ("3?a", True),
        ("&a", True),
        (":e a", True),
        ("--tilde", True),
        ("-x4", True),
    ],
)
def test_less_acts_at_once_or_behind_enter(question: str, *, is_entered: bool) -> None:
    """Enter would scroll one row further; and what less never shows is not waited for."""
    text = "\n".join(f"row {number}" for number in range(60))
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"less": pager(text)})})
    console = Console(terminal, terminal.open())
    with console.session(LESS) as session:
        before = terminal.clock.now()
        session.ask(question)
        assert is_entered or terminal.clock.now() - before < 1.0
        assert (terminal.sent()[-1].keys == ENTER) is is_entered


def test_vim_has_more_to_say() -> None:
    """What stands above is a part of the answer, and the row that asks is not."""
    editor = full_screen("", _page_of_vim, _typed_into_vim)
    shell = ScriptedShell({"vim '+set noruler noshowcmd'": editor})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open())
    with console.session(VIM) as session:
        answer = session.ask("version")
        assert (answer.text, answer.complete) == ("page 1", False)
        assert answer.readiness.outcome is Outcome.AWAITING_INPUT
        with pytest.raises(PaneBusyError, match="'-- More --' is on the screen"):
            session.ask("pwd")
        console.keys("Space")
        answer = session.go_on()
        assert (answer.text, answer.complete) == ("page 2", True)


def _page_of_vim(state: str) -> str:
    pages = {"more": "page 1" + "\n" * 23 + "-- More --", "end": "page 2"}
    return pages.get(state, f"\n{state}")


def _typed_into_vim(state: str, key: str) -> str | None:
    if state == "more":
        return "end"
    if key.startswith("\x1b") or key == "\x0c":
        return ""
    if key != "\r":
        return state + key
    return None if state.startswith(":q") else "more"
