"""One console, three times: on the fake, on a fake far away, and on bash in a real tmux."""

from pathlib import Path

import pytest

from tests.installer_project.fake_installer import Trouble, fake_installer
from tests.installer_project.installer import COMMAND
from tmuxprim import Console, FakeTerminal, Terminal
from tmuxprim.testing import ScriptedShell

BASH = ("bash", "--norc", "--noprofile")
REAL = pytest.param("bash", marks=[pytest.mark.tmux, pytest.mark.needs("bash")])


@pytest.fixture
def trouble() -> Trouble:
    """What goes wrong in the installer: nothing, unless a test is parametrized with some."""
    return Trouble()


@pytest.fixture(params=["fake", "remote fake", REAL])
def backend(request: pytest.FixtureRequest) -> str:
    """The kind of terminal that a test runs on."""
    return str(request.param)


@pytest.fixture
def terminal(
    backend: str,
    trouble: Trouble,
    request: pytest.FixtureRequest,
    tmuxprim_shown: list[Terminal],
) -> Terminal:
    """A terminal with an installer that has that trouble."""
    if backend == "bash":
        real: Terminal = request.getfixturevalue("tmuxprim_terminal")
        return real
    shell = ScriptedShell({COMMAND: fake_installer(trouble)})
    fake = FakeTerminal(programs={"bash": shell}, evidence=backend == "fake")
    tmuxprim_shown.append(fake)
    return fake


@pytest.fixture
def console(terminal: Terminal, trouble: Trouble) -> Console:
    """A console on a shell that is at its prompt, in the directory of the installer."""
    env = {"PS1": "$ ", "HISTFILE": "", **trouble.as_env()}
    console = Console(terminal, terminal.open(BASH, cwd=Path(__file__).parent, env=env))
    console.wait_ready()
    return console


@pytest.fixture
def pause(backend: str) -> float:
    """Seconds before a download is tried again: many where they cost nothing."""
    return 0.05 if backend == "bash" else 30.0
