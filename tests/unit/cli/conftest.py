"""What the tests of the command line share: a server in memory, and a way to run commands."""

import io
from typing import Protocol

import pytest

from tests.unit.cli.site import FakeSite, Ran
from tmuxprim import Console
from tmuxprim.cli import run


class Cli(Protocol):
    """Runs a command line."""

    def __call__(self, *argv: str, stdin: bytes | None = None) -> Ran:
        """Run it, with so much on standard input."""
        ...


@pytest.fixture(autouse=True)
def _no_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be named by the environment of who runs the tests."""
    for name in ("TMUXPRIM_SOCKET", "TMUXPRIM_PANE", "NO_COLOR", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture
def site() -> FakeSite:
    """Give a server with one pane, ``work``, where a shell stands at its prompt."""
    site = FakeSite()
    assert Console(site.terminal, site.terminal.open(name="work")).wait_ready()
    return site


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a person sit at a terminal."""
    for module in ("report", "quick_commands"):
        monkeypatch.setattr(f"tmuxprim._cli.{module}.is_terminal", lambda _: True)


@pytest.fixture
def cli(site: FakeSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Give a way to run a command on that server."""

    def run_it(*argv: str, stdin: bytes | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = run(argv, lambda _: site)
        shown = capsys.readouterr()
        return Ran(status, shown.out, shown.err)

    return run_it
