"""Fixtures for pytest: a fake terminal, and a real one on a private tmux server.

pytest finds them by itself once tmuxprim is installed; a test has one when it names it.

When a test, its setup or its teardown fails, the report shows what the panes of these terminals
showed last, and of those that the test has appended to `tmuxprim_shown`. Whatever a terminal
raises then, the report is made.
"""

from __future__ import annotations

import shutil
from traceback import format_exception_only
from typing import TYPE_CHECKING, Final

import pytest

# The library is imported when a test asks for it: pytest loads this module in every run.
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from tmuxprim import Console, FakeTerminal, Pane, Terminal, TmuxTerminal
    from tmuxprim.testing import FakeClock, Program

_SHOWN: Final = pytest.StashKey["list[Terminal]"]()
_END_OF_RUN: Final = (KeyboardInterrupt, SystemExit, pytest.exit.Exception)


@pytest.fixture
def tmuxprim_shown(request: pytest.FixtureRequest) -> list[Terminal]:
    """The terminals whose panes the report shows if the test fails; append your own."""
    shown: list[Terminal] = []
    request.node.stash[_SHOWN] = shown
    return shown


@pytest.fixture
def tmuxprim_fake_clock() -> FakeClock:
    """The virtual clock of `tmuxprim_fake_terminal`."""
    from tmuxprim.testing import FakeClock

    return FakeClock()


@pytest.fixture
def tmuxprim_fake_programs() -> Mapping[str, Program]:
    """The programs of `tmuxprim_fake_terminal`; override it in your tests to give others."""
    return {}


@pytest.fixture
def tmuxprim_fake_terminal(
    tmuxprim_fake_clock: FakeClock,
    tmuxprim_fake_programs: Mapping[str, Program],
    tmuxprim_shown: list[Terminal],
) -> FakeTerminal:
    """A fake terminal with this clock and these programs; its own shell knows no commands."""
    from tmuxprim import FakeTerminal

    terminal = FakeTerminal(programs=tmuxprim_fake_programs, clock=tmuxprim_fake_clock)
    tmuxprim_shown.append(terminal)
    return terminal


@pytest.fixture
def tmuxprim_terminal(tmuxprim_shown: list[Terminal]) -> Iterator[TmuxTerminal]:
    """A terminal on a private tmux server, which is gone afterwards; skips without tmux."""
    from tmuxprim import TmuxTerminal

    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed: apt install tmux (Debian), brew install tmux (macOS)")
    with TmuxTerminal.private() as terminal:
        tmuxprim_shown.append(terminal)
        yield terminal


@pytest.fixture
def tmuxprim_console(tmuxprim_fake_terminal: FakeTerminal) -> Console:
    """A console on a shell of `tmuxprim_fake_terminal`, which is at its prompt."""
    from tmuxprim import Console

    console = Console(tmuxprim_fake_terminal, tmuxprim_fake_terminal.open())
    console.wait_ready()
    return console


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what the panes show to the report of what failed."""
    report = yield
    if report.failed:
        for terminal in item.stash.get(_SHOWN, ()):
            report.sections += _sections(terminal)
    return report


def _sections(terminal: Terminal) -> list[tuple[str, str]]:
    """Return what each pane shows, or why that cannot be seen."""
    try:
        return [
            (f"pane {pane} of {terminal!r}", _screen(terminal, pane)) for pane in terminal.panes()
        ]
    except _END_OF_RUN:
        raise
    except BaseException as error:  # noqa: BLE001  # pytest.fail raises one, too
        return [(f"panes of a {type(terminal).__name__}", _told(error))]


def _screen(terminal: Terminal, pane: Pane) -> str:
    """Return what a pane shows, or why that cannot be seen, as what can be printed and sent."""
    try:
        text = str(terminal.observe(pane).text) or "(empty)"
    except _END_OF_RUN:
        raise
    except BaseException as error:  # noqa: BLE001  # as above
        text = _told(error)
    return text.encode(errors="backslashreplace").decode()


def _told(error: BaseException) -> str:
    return "".join(format_exception_only(error)).strip()
