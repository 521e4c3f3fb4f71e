"""Fixtures for pytest: a fake terminal, and a real one on a private tmux server.

pytest finds them by itself once tmuxprim is installed; a test has one when it names it. When a
test fails, its report shows what the panes of its terminals and consoles showed last.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

import pytest

# The library is imported when a test asks for it: pytest loads this module in every run.
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from typing_extensions import TypeIs

    from tmuxprim import Console, FakeTerminal, Terminal, TmuxTerminal
    from tmuxprim.testing import FakeClock, Program


@pytest.fixture
def fake_clock() -> FakeClock:
    """The virtual clock of `fake_terminal`."""
    from tmuxprim.testing import FakeClock

    return FakeClock()


@pytest.fixture
def fake_programs() -> Mapping[str, Program]:
    """The programs of `fake_terminal`; a fixture of that name in your tests gives it others."""
    return {}


@pytest.fixture
def fake_terminal(fake_clock: FakeClock, fake_programs: Mapping[str, Program]) -> FakeTerminal:
    """A fake terminal, by `fake_clock`, with `fake_programs`; its own shell knows no commands."""
    from tmuxprim import FakeTerminal

    return FakeTerminal(programs=fake_programs, clock=fake_clock)


@pytest.fixture
def tmux_terminal() -> Iterator[TmuxTerminal]:
    """A terminal on a private tmux server, which is gone afterwards; skips without tmux."""
    from tmuxprim._tmux._private import private_server

    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed: apt install tmux (Debian), brew install tmux (macOS)")
    with private_server() as terminal:
        yield terminal


@pytest.fixture
def console(fake_terminal: FakeTerminal) -> Console:
    """A console on a shell of `fake_terminal`, which is at its prompt."""
    from tmuxprim import Console

    console = Console(fake_terminal, fake_terminal.open())
    console.wait_ready()
    return console


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what the panes showed to the report of a test that failed."""
    report = yield
    if report.when == "call" and report.failed:
        values = getattr(item, "funcargs", {}).values()
        for name, screen in _screens(values):
            report.sections.append((name, screen))
    return report


def _screens(values: object) -> Iterator[tuple[str, str]]:
    """Yield the panes of every terminal and console among a test's fixtures, each once."""
    from tmuxprim import Console, TmuxprimError

    shown: set[tuple[int, str]] = set()
    for value in values if hasattr(values, "__iter__") else ():
        terminal = value.terminal if isinstance(value, Console) else value
        if not _is_terminal(terminal):
            continue
        with suppress(TmuxprimError):  # a server that hangs has no panes to show
            for pane in terminal.panes():
                if (id(terminal), pane.target) in shown:
                    continue
                shown.add((id(terminal), pane.target))
                try:
                    text = terminal.observe(pane).text
                except TmuxprimError as error:  # it has just gone
                    text = str(error)
                yield f"pane {pane} of {terminal!r}", text or "(empty)"


def _is_terminal(value: Any) -> TypeIs[Terminal]:  # noqa: ANN401  # whatever a fixture gives
    """Whether it can be looked at, here and now: no class of terminals, and none for asyncio."""
    calls = (getattr(value, name, None) for name in ("panes", "observe"))
    is_value = not isinstance(value, type)
    return is_value and all(callable(call) and not iscoroutinefunction(call) for call in calls)
