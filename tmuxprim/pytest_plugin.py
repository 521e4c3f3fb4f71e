"""Fixtures for pytest: a fake terminal, and a real one on a private tmux server.

pytest finds them by itself once tmuxprim is installed; a test has one when it names it.

When a test, its setup or its teardown fails, the report shows what panes showed last: those of
every terminal that is a fixture's value, or that such a value keeps in an attribute, or in one of
an attribute's. So a console's are shown, those of an object of yours that has a console, of a
terminal that passes all on to another, and of the fake below one for asyncio. `AsyncTmuxTerminal`
is left out, since nobody awaits anything any more, and so is what no fixture has.

A terminal is what has `panes` or `observe` as methods of its class. Nothing else is called, or
asked for an attribute, since a mock or a proxy answers to any; and whatever a terminal raises, the
report is made.
"""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from inspect import getattr_static, iscoroutinefunction
from traceback import format_exception_only
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final

import pytest

# The library is imported when a test asks for it: pytest loads this module in every run.
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

    from typing_extensions import TypeIs

    from tmuxprim import Console, FakeTerminal, Pane, Screen, Terminal, TmuxTerminal
    from tmuxprim.testing import FakeClock, Program

# What fixtures have given since the last test was torn down.
_VALUES: Final = pytest.StashKey[list[object]]()
# From a fixture's value to a terminal: an object of yours, its console for asyncio, that one's
# terminal, and the fake below it.
_REACH: Final = 4
# By this one knows what Python gives a class for its objects' attributes: a proxy has another,
# which may ask what is behind it. A Python without docstrings tells neither from the other.
_OF_PYTHON: Final = vars(type("", (), {}))["__dict__"].__doc__ or "unknown"
_END_OF_RUN: Final = (KeyboardInterrupt, SystemExit, pytest.exit.Exception)


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
def pytest_fixture_setup(request: pytest.FixtureRequest) -> Generator[None, object, object]:
    """Keep the value: pytest tells neither what a test got by name, nor what its fixtures did."""
    value = yield
    if _has_panes():
        request.config.stash.setdefault(_VALUES, []).append(value)
    return value


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what the panes showed to the report of what failed."""
    report = yield
    if report.failed and _has_panes():
        named = getattr(item, "funcargs", None) or {}  # also of wider scopes, made earlier
        for terminal in _terminals([*item.config.stash.get(_VALUES, ()), *named.values()]):
            report.sections += _screens(terminal)
    if report.when == "teardown":
        item.config.stash[_VALUES] = []
    return report


def _has_panes() -> bool:
    """Whether anybody has: without tmuxprim a run goes on as if this plugin were not there."""
    return "tmuxprim._pane" in sys.modules


def _terminals(values: Iterable[object]) -> Iterator[Terminal]:
    """Yield the terminals among *values* and among what they hold, each once."""
    seen: dict[int, object] = {}  # and kept, so that no other object gets its id
    for _ in range(_REACH):
        fresh = {id(value): value for value in values if id(value) not in seen}
        seen |= fresh
        yield from filter(_is_terminal, fresh.values())
        values = [
            held for value in fresh.values() if not _is_terminal(value) for held in _held(value)
        ]


def _is_terminal(value: object) -> TypeIs[Terminal]:
    """Whether its class says so; one for asyncio cannot be looked at here and now."""
    calls = [getattr_static(type(value), name, None) for name in ("panes", "observe")]
    return any(map(callable, calls)) and not any(map(iscoroutinefunction, calls))


def _held(value: object) -> Iterable[object]:
    """Return what an object has in its attributes, without asking it."""
    for cls in type.mro(type(value)):
        for slot in vars(cls).values():
            if type(slot) is MemberDescriptorType:
                with suppress(AttributeError):  # it has not been given a value
                    yield slot.__get__(value)
    attributes: Any = getattr_static(type(value), "__dict__", None)
    if type(attributes) is GetSetDescriptorType and attributes.__doc__ == _OF_PYTHON:
        yield from [*dict.values(attributes.__get__(value))]


def _screens(terminal: Terminal) -> list[tuple[str, str]]:
    """Return what its panes show; a server that hangs, for one, has none to show."""
    try:
        from tmuxprim._recording._replay import ReplayTerminal

        if isinstance(terminal, ReplayTerminal):  # it takes a look for one of the test's
            shown = terminal.last_screens()
            panes, look = tuple(shown), shown.__getitem__
        else:
            look = terminal.observe  # who cannot look has other panes than ours
            panes = terminal.panes()
        return [(f"pane {pane} of {terminal!r}", _screen(look, pane)) for pane in panes]
    except BaseException as error:  # noqa: BLE001  # pytest.fail raises one, too
        _told(error)
        return []


def _screen(look: Callable[[Pane], Screen], pane: Pane) -> str:
    """Return what a pane shows, or why that cannot be seen, as what can be printed and sent."""
    try:
        text = str(look(pane).text) or "(empty)"
    except BaseException as error:  # noqa: BLE001  # as above
        text = _told(error)
    return text.encode(errors="backslashreplace").decode()


def _told(error: BaseException) -> str:
    """Return an error as it is to be shown, unless it is to end the run."""
    if isinstance(error, _END_OF_RUN):
        raise error
    return "".join(format_exception_only(error)).strip()
