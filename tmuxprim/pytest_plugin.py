"""Fixtures for pytest: a fake terminal, and a real one on a private tmux server.

pytest finds the plugin by itself once tmuxprim is installed; a test names the fixtures that it
uses.

When a test, its setup or its teardown fails, the report shows the last screens of these terminals,
and of all terminals that the test has appended to `tmuxprim_shown`. If a terminal then raises an
error, the report shows the error instead. ``--tmuxprim-evidence DIR`` keeps the screens in a
directory, with screenshots, the snapshots that waits judged, and recordings of these terminals.
"""

from __future__ import annotations

import logging
import re
import shutil
import zlib
from functools import partial
from pathlib import Path
from traceback import format_exception_only
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

# pytest loads this module in every run, also of projects whose tests need no terminal. So the
# library is imported only when a test uses a fixture.
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from tmuxprim import Console, FakeTerminal, Pane, Terminal, TmuxTerminal
    from tmuxprim.testing import FakeClock, Program

_SHOWN: Final = pytest.StashKey["list[Terminal]"]()
_RECORDED: Final = pytest.StashKey["list[Path]"]()
_END_OF_RUN: Final = (KeyboardInterrupt, SystemExit, pytest.exit.Exception)
# Characters that have a meaning in the name of a file, on this system or another. A name has 255
# bytes at most (NAME_MAX of Linux), of which ours takes a part.
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9.-]+")
_LONGEST: Final = 150
# A line of the captured log, with those that continue it.
_SNAPSHOTS: Final = re.compile(r"^DEBUG +tmuxprim:.*\n?(?: .*\n?)*", re.MULTILINE)


class _Shown(NamedTuple):
    """The text of a pane, and a screenshot if one is to be kept."""

    title: str
    text: str
    picture: str = ""


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
    """The programs of `tmuxprim_fake_terminal`; override the fixture in your tests to add some."""
    return {}


@pytest.fixture
def tmuxprim_fake_terminal(
    tmuxprim_fake_clock: FakeClock,
    tmuxprim_fake_programs: Mapping[str, Program],
    tmuxprim_shown: list[Terminal],
    request: pytest.FixtureRequest,
) -> FakeTerminal:
    """A fake terminal with these fixtures' clock and programs; its shell has no commands."""
    from tmuxprim import FakeTerminal

    terminal = FakeTerminal(programs=tmuxprim_fake_programs, clock=tmuxprim_fake_clock)
    _show_and_record(terminal, tmuxprim_shown, request)
    return terminal


@pytest.fixture
def tmuxprim_terminal(
    tmuxprim_shown: list[Terminal], request: pytest.FixtureRequest
) -> Iterator[TmuxTerminal]:
    """A terminal on a private tmux server, which ends with the test; skips without tmux."""
    from tmuxprim import TmuxTerminal

    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed: apt install tmux (Debian), brew install tmux (macOS)")
    with TmuxTerminal.private() as terminal:
        _show_and_record(terminal, tmuxprim_shown, request)
        yield terminal


@pytest.fixture
def tmuxprim_console(tmuxprim_fake_terminal: FakeTerminal) -> Console:
    """A console on a shell of `tmuxprim_fake_terminal`, which is at its prompt."""
    from tmuxprim import Console

    console = Console(tmuxprim_fake_terminal, tmuxprim_fake_terminal.open())
    console.wait_ready()
    return console


def _show_and_record(
    terminal: Terminal, shown: list[Terminal], request: pytest.FixtureRequest
) -> None:
    """Add a terminal to the report, and record its calls if evidence is to be kept."""
    shown.append(terminal)
    if not request.config.getoption("tmuxprim_evidence"):
        return
    from tmuxprim.testing import RecordingTerminal, WrappingTerminal

    directory: Path = request.getfixturevalue("tmp_path_factory").mktemp("tmuxprim")
    recording = directory / "recording.jsonl"
    request.node.stash.setdefault(_RECORDED, []).append(recording)
    plain = WrappingTerminal(terminal)
    recorded = RecordingTerminal(plain, recording)
    for call in vars(WrappingTerminal).keys() - {"clock"}:
        if not call.startswith("_"):
            setattr(plain, call, getattr(terminal, call))
            setattr(terminal, call, getattr(recorded, call))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the directory of evidence."""
    parser.getgroup("tmuxprim").addoption(
        "--tmuxprim-evidence",
        metavar="DIR",
        help="directory for the evidence of failed tests: panes as text and SVG, the snapshots of "
        "waits, and recordings",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let waits log their snapshots, so that pytest captures them, if evidence is to be kept."""
    if config.getoption("tmuxprim_evidence"):
        logger = logging.getLogger("tmuxprim")
        config.add_cleanup(partial(logger.setLevel, logger.level))
        logger.setLevel(logging.DEBUG)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the screens of the panes to the report of a failure."""
    report = yield
    if report.failed and (terminals := item.stash.get(_SHOWN, ())):
        directory = item.config.getoption("tmuxprim_evidence")
        shown = [one for terminal in terminals for one in _show(terminal, drawn=bool(directory))]
        report.sections += [(one.title, one.text) for one in shown]
        if directory:
            recorded = item.stash.get(_RECORDED, [])
            kept = _keep(Path(directory), report, shown, recorded)
            # The log of the waits is in a file, and too long for a report.
            sections = [(title, _SNAPSHOTS.sub("", text)) for title, text in report.sections]
            report.sections = [section for section in sections if section[1]]
            report.sections.append(("tmuxprim evidence", kept))
    return report


def _keep(
    directory: Path, report: pytest.TestReport, shown: list[_Shown], recorded: list[Path]
) -> str:
    """Write the evidence of a failed test; return its directory, or the error."""
    from tmuxprim import TmuxprimError

    # A checksum keeps tests apart whose names differ only in characters that are left out.
    number = zlib.crc32(report.nodeid.encode(errors="backslashreplace"))
    directory /= f"{_UNSAFE.sub('_', report.nodeid)[-_LONGEST:]}-{number:08x}"
    files = {f"{report.when}.log": report.caplog}
    for number, one in enumerate(shown, 1):
        files[f"{report.when}-{number}.txt"] = f"{one.title}\n\n{one.text}\n"
        files[f"{report.when}-{number}.svg"] = one.picture
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            if text:
                (directory / name).write_text(text, encoding="utf-8", errors="backslashreplace")
        for at, recording in enumerate(recorded, 1):
            _keep_recording(recording, directory / f"{report.when}-recording-{at}.jsonl")
    except (OSError, TmuxprimError) as error:
        return _told(error)
    return str(directory)


def _keep_recording(recording: Path, kept: Path) -> None:
    """Copy a recording, and make a cast of each pane in it."""
    from tmuxprim import Pane, Screen
    from tmuxprim._recording.recorded_events import read_recording
    from tmuxprim.testing import export_asciicast

    shutil.copyfile(recording, kept)
    events = read_recording(kept).events
    for pane in dict.fromkeys(one.pane for one in events if isinstance(one.answer, Screen)):
        name = _UNSAFE.sub("_", pane.removeprefix("%"))
        cast = kept.with_name(f"{kept.stem}-{name}.cast")
        export_asciicast(kept, cast, pane=Pane(pane), title=pane)


def _show(terminal: Terminal, *, drawn: bool) -> list[_Shown]:
    """Return the text of each pane, or the error of the terminal."""
    try:
        return [_snapshot(terminal, pane, drawn=drawn) for pane in terminal.panes()]
    except _END_OF_RUN:
        raise
    except BaseException as error:  # noqa: BLE001  # pytest.fail raises a BaseException
        return [_Shown(f"panes of a {type(terminal).__name__}", _told(error))]


def _snapshot(terminal: Terminal, pane: Pane, *, drawn: bool) -> _Shown:
    """Return the text of a pane, or the error, in characters that can be printed and sent."""
    picture = ""
    try:
        screen = terminal.observe(pane, styled=True) if drawn else terminal.observe(pane)
        text = str(screen.text) or "(empty)"
        picture = screen.to_svg() if drawn else ""
    except _END_OF_RUN:
        raise
    except BaseException as error:  # noqa: BLE001  # as above
        text = _told(error)
    text = text.encode(errors="backslashreplace").decode()
    return _Shown(f"pane {pane} of {terminal!r}", text, picture)


def _told(error: BaseException) -> str:
    return "".join(format_exception_only(error)).strip()
