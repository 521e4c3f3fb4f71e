"""`tmuxprim.cli.main`: what becomes of C-c, and of a closed pipe."""

import errno
import io
import os
import runpy
import sys
from pathlib import Path

import pytest
from typing_extensions import override

import tmuxprim
from tests.unit.cli.site import FakeSite
from tmuxprim import cli as command_line


@pytest.fixture
def on_the_fake(monkeypatch: pytest.MonkeyPatch, site: FakeSite) -> None:
    """Let the real command line work on the fake."""
    monkeypatch.setattr("tmuxprim._cli.site.Site", lambda _: site)


@pytest.mark.usefixtures("on_the_fake")
def test_main_takes_words(capsys: pytest.CaptureFixture[str]) -> None:
    """A program can call it."""
    assert command_line.main(["run", "work", "ls"]) == 0
    assert capsys.readouterr().out == "a.txt\nb.txt\n"


@pytest.mark.usefixtures("on_the_fake")
def test_it_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``python -m tmuxprim`` exits with the status, and takes the words of the process."""
    monkeypatch.setattr("sys.argv", ["tmuxprim", "read", "wor"])
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(Path(tmuxprim.__file__).with_name("__main__.py")), run_name="__main__")
    assert caught.value.code == 3
    assert "there is no pane 'wor'" in capsys.readouterr().err


@pytest.mark.usefixtures("on_the_fake")
def test_an_interrupt_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The status is what a shell says of C-c."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tmuxprim._cli.quick_commands.read_pane", interrupt)
    assert command_line.main(["read", "work"]) == 130
    assert capsys.readouterr() == ("", "")


class Closed(io.StringIO):
    """Plays a pipe that nobody reads any more."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    @override
    def fileno(self) -> int:
        return self._number

    @override
    def flush(self) -> None:
        raise BrokenPipeError


@pytest.mark.usefixtures("on_the_fake")
@pytest.mark.parametrize("argv", [["read", "work"], ["--help"]])
def test_a_closed_pipe_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, argv: list[str]
) -> None:
    """Text that Python would still flush at its end goes nowhere."""
    with (tmp_path / "out").open("w+b", buffering=0) as file:
        monkeypatch.setattr("sys.stdout", Closed(file.fileno()))
        monkeypatch.setattr("sys.stderr", Closed(file.fileno()))
        assert command_line.main(argv) == 141
        os.write(sys.stdout.fileno(), b"more")
    assert (tmp_path / "out").read_bytes() == b""


class Full(Closed):
    """Plays a file on a full disk."""

    @override
    def flush(self) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


FULL = "tmuxprim: the answer cannot be written: No space left on device\n"


@pytest.mark.usefixtures("on_the_fake")
@pytest.mark.parametrize("argv", [["read", "work"], ["panes", "--json"], ["--help"]])
def test_a_full_disk(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    argv: list[str],
) -> None:
    """One line says so, with a status of its own; Python flushes the rest to nowhere."""
    with (tmp_path / "out").open("w+b", buffering=0) as file:
        monkeypatch.setattr("sys.stdout", Full(file.fileno()))
        assert command_line.main(argv) == 74
        os.write(sys.stdout.fileno(), b"more")
    assert capsys.readouterr().err == FULL
    assert (tmp_path / "out").read_bytes() == b""


@pytest.mark.usefixtures("on_the_fake")
def test_standard_output_that_is_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As behind ``>&-``: an answer has no place to go; where there is none, all is well."""
    monkeypatch.setattr("sys.stdout", None)
    assert command_line.main(["read", "work"]) == 74
    assert command_line.main(["send", "work", "ls"]) == 0
    assert (
        capsys.readouterr().err == "tmuxprim: the answer cannot be written: Bad file descriptor\n"
    )


@pytest.mark.usefixtures("on_the_fake")
@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_standard_error_that_is_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], debug: list[str]
) -> None:
    """What belongs there is not printed among the answers."""
    monkeypatch.setattr("sys.stderr", None)
    assert command_line.main(["wait", "work", *debug]) == 0
    assert capsys.readouterr().out == "$\n"
    assert command_line.main(["read", "wor", *debug]) == 3
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("on_the_fake")
def test_nobody_reads_a_command_without_standard_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where one of the two is closed, the other is dropped."""
    with (tmp_path / "out").open("w+b", buffering=0) as file:
        monkeypatch.setattr("sys.stdout", Closed(file.fileno()))
        monkeypatch.setattr("sys.stderr", None)
        assert command_line.main(["read", "work"]) == 141


@pytest.mark.usefixtures("on_the_fake")
def test_standard_error_that_is_full(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """There is nobody left to tell, and the status tells all the same."""
    with (tmp_path / "err").open("w+b", buffering=0) as file:
        monkeypatch.setattr("sys.stderr", Full(file.fileno()))
        assert command_line.main(["read", "wor"]) == 3
        os.write(sys.stderr.fileno(), b"more")
    assert (tmp_path / "err").read_bytes() == b""


@pytest.mark.usefixtures("on_the_fake")
def test_a_locale_that_cannot_write_it_all(site: FakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter is escaped, and everything else is printed."""
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii"))
    site.terminal.open(name="other")
    assert command_line.main(["run", "other", "\u276f"]) == 0
    assert written.getvalue() == b"\\u276f\n"
