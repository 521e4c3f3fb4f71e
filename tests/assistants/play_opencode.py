"""The real OpenCode, started, asked and left; the file's name keeps it out of the usual tests.

``python3 dev.py test-opencode`` installs it and runs this, ``--all`` with the other assistants.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.assistants.model_server import model_server
from tests.assistants.real import (
    SPEECHES,
    TALK,
    Setup,
    aider,
    claude,
    codex,
    end_what_is_left,
    open_console,
    opencode,
)
from tmuxprim import Outcome, TmuxTerminal

_RUNS: Final = range(int(os.environ.get("TMUXPRIM_RUNS", "1")))
_OTHERS: Final = [pytest.param(make, "latest", id=make.__name__) for make in (claude, codex, aider)]
_PROGRAMS: Final = [
    *(pytest.param(opencode, name, id=f"opencode-{name}") for name in ("1.2.15", "latest")),
    *(_OTHERS if os.environ.get("TMUXPRIM_ASSISTANTS") == "all" else ()),
]

pytestmark = pytest.mark.tmux


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Give a home of the program's own, in which nothing runs afterwards."""
    yield tmp_path / "home"
    end_what_is_left(tmp_path / "home")


@pytest.mark.parametrize("run", _RUNS)
@pytest.mark.parametrize(("make", "version"), _PROGRAMS)
def test_a_talk(
    terminal: TmuxTerminal,
    make: Callable[[str, str], Setup],
    version: str,
    run: int,
    home: Path,
) -> None:
    """Each question is submitted at the first try, and its answer is whole and nothing else."""
    assert run in _RUNS
    terminal.open(["cat"])  # keeps the server when the shell has ended
    with model_server(SPEECHES) as model:
        setup = make(model.url, version)
        console = open_console(terminal, setup, home)
        with console.session(setup.profile) as session:
            answers = {question: session.ask(question) for question in TALK}
        heard = [next((key for key in TALK if key in one), one) for one in model.prompts]
    assert {question: answer.text for question, answer in answers.items()} == TALK
    assert all(answer.complete for answer in answers.values())
    assert heard == list(TALK)
    assert console.wait_ready().screen.before_cursor == "$ "
    assert console.run("echo back").output == "back\n"


@pytest.mark.parametrize(
    ("question", "outcome"), [("many lines", Outcome.TIMEOUT), ("run it", Outcome.AWAITING_INPUT)]
)
@pytest.mark.parametrize("version", ["1.2.15", "latest"])
def test_it_is_left_while_it_works(
    terminal: TmuxTerminal, version: str, question: str, outcome: Outcome, home: Path
) -> None:
    """In the middle of an answer, or at a question of its own: the shell is back, and lives."""
    terminal.open(["cat"])  # keeps the server when the shell has ended
    with model_server(SPEECHES) as model:
        setup = opencode(model.url, version)
        console = open_console(terminal, setup, home)
        with console.session(setup.profile) as session:
            seconds = 2.0 if outcome is Outcome.TIMEOUT else 60.0
            answer = session.ask(question, timeout=seconds)
    assert answer.readiness.outcome is outcome
    assert not answer.complete
    # A C-c may come a moment too late, if the one before has ended it: "^C$ ".
    assert console.wait_ready().screen.before_cursor.endswith("$ ")
    assert console.run("echo back").output == "back\n"


@pytest.mark.parametrize("version", ["1.2.15", "latest"])
def test_it_asks_before_it_runs_a_command(terminal: TmuxTerminal, version: str, home: Path) -> None:
    """Its question ends the wait; once it is answered, the rest of the answer is waited for."""
    terminal.open(["cat"])  # keeps the server when the shell has ended
    with model_server(SPEECHES) as model:
        setup = opencode(model.url, version)
        console = open_console(terminal, setup, home)
        with console.session(setup.profile) as session:
            asks = session.ask("run it")
            console.keys("Enter")  # "Allow once"
            answer = session.go_on()
    assert asks.readiness.outcome is Outcome.AWAITING_INPUT
    assert not asks.complete
    assert answer.complete
    assert "from the command" in answer.text
    assert answer.text.endswith("The command ran.")
    assert console.run("echo back").output == "back\n"
