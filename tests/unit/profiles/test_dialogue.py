"""What an empty line ends."""

import pytest

from tmuxprim import Console, FakeTerminal, KeySequence, Outcome, PaneBusyError
from tmuxprim.profiles import PYTHON
from tmuxprim.testing import FakeTty, ReadLine, Run, ScriptedShell

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
        answer = session.resume()
        assert (answer.text, answer.complete) == ("did if 1:", True)
