"""Short sessions that the tests of the replay record and play."""

from tmuxprim import Console, FakeTerminal, KeySequence, Pane, Size, Terminal
from tmuxprim.testing import ScriptedShell, after, password, question


def fake_terminal() -> FakeTerminal:
    """Return a terminal with all kinds of programs."""
    shell = ScriptedShell(
        {
            "date": "Sunday",
            "count": "\n".join(map(str, range(100))),
            "make": [after(5.0, "50%"), after(5.0, "done")],
            "rm": question("Remove? ", lambda answer: f"you said {answer}"),
            "login": password("Password: ", lambda typed: f"{len(typed)} letters"),
        }
    )
    return FakeTerminal(programs={"sh": shell}, remain_on_exit=True)


def open_and_send(terminal: Terminal) -> Console:
    """Open a pane and type two lines, without looking."""
    console = Console(terminal, terminal.open("sh", size=Size(40, 5)))
    terminal.send(console.pane, KeySequence.text("date"))
    terminal.send(console.pane, KeySequence.keys("Enter"), leave_mode=True)
    return console


def replay_open(terminal: Terminal) -> Pane:
    """Open the pane as it was recorded."""
    return terminal.open("sh", size=Size(40, 5))
