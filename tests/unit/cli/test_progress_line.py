"""What a person sees who waits: a line that comes and goes, and what C-c has left behind."""

import errno
import io
import itertools
import os
import termios
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.unit.cli.conftest import Cli
from tmuxprim._cli import progress_line
from tmuxprim._cli.progress_line import shown_while_waiting
from tmuxprim._engine.log import watcher
from tmuxprim._readiness.chain import Judgement
from tmuxprim._readiness.snapshot import Busy, Outcome, Pass, Ready


class Person:
    """Who sits at a terminal of 20 columns, which shows standard error."""

    def __init__(self) -> None:
        self._screen, slave = os.openpty()
        termios.tcsetwinsize(slave, (24, 20))
        self.stderr = os.fdopen(slave, "w")

    def sees(self) -> str:
        """Return the text that was written since the last call.

        A kernel worker hands written bytes on to the other end, a moment after the write. So an end
        mark is written behind the text, and is waited for.
        """
        print(end="\0", flush=True, file=self.stderr)
        seen = b""
        while not seen.endswith(b"\0"):
            seen += os.read(self._screen, 10_000)
        return seen.removesuffix(b"\0").decode()

    def leave(self) -> None:
        """Close the terminal."""
        self.stderr.close()
        os.close(self._screen)


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """Give a person for whom each snapshot is a second after the one before."""
    seconds = itertools.count()
    monkeypatch.setattr(
        progress_line, "time", SimpleNamespace(monotonic=lambda: float(next(seconds)))
    )
    person = Person()
    yield person
    person.leave()


def tell(judgement: Judgement) -> None:
    """Tell it to who watches."""
    watches = watcher.get()
    assert watches is not None
    watches(judgement)


def hung_up(_: int) -> None:
    """Say what the kernel says of a terminal that is gone."""
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def judged(reason: str) -> Judgement:
    """Return what a snapshot was made of that found something in the way."""
    busy = Busy(reason)
    return Judgement(busy, "Foreground", (("Foreground", busy), ("Timeout", Pass("time is left"))))


def test_it_is_there_while_it_waits(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is waited for, and how long; in the end it is gone."""
    monkeypatch.setattr("sys.stderr", person.stderr)
    with shown_while_waiting():
        tell(judged("bash runs"))
        assert person.sees() == ""
        tell(judged("make\x1b runs"))
        assert person.sees() == "\r\x1b[Kmake? runs, 1 s"
        tell(judged("cc runs"))
        assert person.sees() == "\r\x1b[Kcc runs, 2 s"
    assert person.sees() == "\r\x1b[K"
    assert watcher.get() is None


def test_it_never_wraps(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of two rows could not be taken away."""
    monkeypatch.setattr("sys.stderr", person.stderr)
    with shown_while_waiting():
        for _ in range(2):
            tell(judged("\u4f60" * 30))
    assert person.sees() == "\r\x1b[K" + "\u4f60" * 9 + "\r\x1b[K"


def test_a_terminal_that_is_gone(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait goes on, with nobody to see it."""
    monkeypatch.setattr("sys.stderr", person.stderr)
    monkeypatch.setattr("os.get_terminal_size", hung_up)
    with shown_while_waiting():
        for _ in range(3):
            tell(judged("make runs"))


def test_it_is_not_there_if_nothing_is_waited_for(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wait that ends with its first snapshot shows nothing."""
    monkeypatch.setattr("sys.stderr", person.stderr)
    ready = Ready(Outcome.PROMPT, "prompt '$'")
    with shown_while_waiting():
        tell(Judgement(ready, "Prompt", (("Prompt", ready),)))
    assert person.sees() == ""


def test_a_short_wait_shows_nothing(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is anything taken away that was not there."""
    monkeypatch.setattr("sys.stderr", person.stderr)
    monkeypatch.setattr(progress_line, "time", SimpleNamespace(monotonic=lambda: 0.9))
    with shown_while_waiting():
        for _ in range(2):
            tell(judged("make runs"))
    assert person.sees() == ""


@pytest.mark.parametrize("stderr", [None, io.StringIO()])
def test_a_pipe_gets_none(monkeypatch: pytest.MonkeyPatch, stderr: io.StringIO | None) -> None:
    """Nobody sits there."""
    monkeypatch.setattr("sys.stderr", stderr)
    with shown_while_waiting():
        assert watcher.get() is None


def test_a_terminal_that_can_only_type_gets_none(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not take the line away."""
    monkeypatch.setattr("sys.stderr", person.stderr)
    monkeypatch.setenv("TERM", "dumb")
    with shown_while_waiting():
        assert watcher.get() is None


def test_a_wait_of_a_command_is_told(
    person: Person, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the engine, whose time is virtual here, so that it is over at once."""
    told: list[Judgement] = []
    monkeypatch.setattr(
        "tmuxprim._cli.progress_line._Line.note", lambda _, snapshot: told.append(snapshot)
    )
    monkeypatch.setattr("sys.stderr", person.stderr)
    cli("run", "work", "make")
    assert "busy: make runs and does not read" in {str(judgement.verdict) for judgement in told}
    assert person.sees() == ""


def interrupt(*_: object) -> None:
    """Play a command in which C-c is pressed."""
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "argv", [["wait", "work"], ["send", "work", "make"], ["run", "work", "ls"]]
)
def test_an_interrupt_tells_that_the_pane_goes_on(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    argv: list[str],
) -> None:
    """And how to end what runs there, on the same server."""
    monkeypatch.setattr(f"tmuxprim._cli.pane_commands.{argv[0]}", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cli("-L", "x", *argv)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == (
        "tmuxprim: no longer waiting; the program in 'work' goes on: 'tmuxprim -L x keys work C-c' "
        "interrupts it, 'tmuxprim -L x wait work' waits for it\n"
    )


def test_an_interrupt_of_what_does_not_wait(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is to be told."""
    monkeypatch.setattr("tmuxprim._cli.quick_commands.read_pane", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cli("read", "work")
    assert capsys.readouterr() == ("", "")
