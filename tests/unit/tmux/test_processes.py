"""Which program a process runs, and what it has started."""

import pytest

from tests.unit.tmux.kernel import Kernel
from tmuxprim._tmux.processes import program_name
from tmuxprim._tmux.procfs import Procfs


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("vim notes", "vim"),
        ("-bash", "bash"),
        ("/usr/bin/opencode", "opencode"),
        ("node /usr/lib/node_modules/.bin/gemini --yolo", "gemini"),
        ("node --no-warnings /opt/codex/bin/codex.js", "codex"),
        ("/venv/bin/python3.11 /venv/bin/aider", "aider"),
        ("python -m aider --no-git", "aider"),
        ("claude.exe", "claude"),
        ("node", "node"),
        ("python3 -q", "python3"),
    ],
)
def test_the_name_of_a_program(line: str, name: str) -> None:
    """A program that an interpreter runs is called by its own name."""
    assert program_name(line.split()) == name


def test_no_name() -> None:
    """A process may have wiped what it was started with."""
    assert program_name([]) == ""


def test_what_a_leader_runs_and_has_started(kernel: Kernel) -> None:
    """All of its descendants count: a tool is started by a shell."""
    kernel.process(11, children="12 ")
    kernel.process(12, children="13 ")
    kernel.process(13)
    (kernel.root / "11" / "cmdline").write_text("node\0/usr/bin/gemini\0")
    procfs = Procfs(str(kernel.root))
    assert procfs.doings(11) == ("gemini", frozenset({12, 13}))
    assert procfs.doings(12) == (None, frozenset({13}))  # its command line is not told


def test_nobody_does_nothing(kernel: Kernel) -> None:
    """Who is not there, or not known, has no name."""
    assert Procfs(str(kernel.root)).doings(11) == (None, None)
    assert Procfs(str(kernel.root)).doings(None) == (None, None)
