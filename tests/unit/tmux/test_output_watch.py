"""Bells of real terminals: a pty of the test's own is written to, and rings."""

import ctypes
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.tmux.ptys import Pty, descriptors, open_pty
from tmuxprim import Pane, TmuxCommandError, TmuxTerminal
from tmuxprim._kernel.inotify import InotifyQueue, _libc
from tmuxprim._tmux.output_watch import InotifyOutputHub, InotifyWatch, PollingWatch, Queues
from tmuxprim.testing import OutputWatch

needs_inotify = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="is of Linux")

# Longer than any of these tests takes; nobody waits for it to pass.
LONG = 60.0


@pytest.fixture
def pty() -> Iterator[Pty]:
    """Give a pseudo-terminal, and close it."""
    with open_pty() as pty:
        yield pty


@pytest.fixture
def queues() -> Iterator[Queues]:
    """Give the queues of a terminal, and close them."""
    queues = Queues()
    yield queues
    queues.close()


@pytest.fixture
def output_watch(pty: Pty, queues: Queues) -> Iterator[OutputWatch]:
    """Give a bell of that terminal."""
    output_watch = queues.watch_tty(pty.path)
    yield output_watch
    output_watch.close()


@needs_inotify
class TestInotifyBell:
    """On Linux the kernel tells who writes."""

    def test_it_rings_when_a_program_writes(self, pty: Pty, output_watch: OutputWatch) -> None:
        """Also before anybody waits, and once for all that was written until then."""
        assert isinstance(output_watch, InotifyWatch)
        os.write(pty.theirs, b"a")
        os.write(pty.theirs, b"b")
        assert output_watch.wait(LONG)
        assert not output_watch.wait(0.0)
        os.write(pty.theirs, b"c")
        assert output_watch.wait(LONG)

    def test_it_is_still_while_nobody_writes(self, pty: Pty, output_watch: OutputWatch) -> None:
        """A short wait ends without a ring, before something was written and after it."""
        assert not output_watch.wait(0.001)
        os.read(pty.ours, os.write(pty.theirs, b"x"))
        assert output_watch.wait(LONG)
        assert not output_watch.wait(0.001)

    def test_two_bells_ring(self, pty: Pty, output_watch: OutputWatch, queues: Queues) -> None:
        """Whoever listens hears it."""
        other = queues.watch_tty(pty.path)
        os.write(pty.theirs, b"x")
        assert output_watch.wait(LONG)
        assert other.wait(LONG)
        other.close()
        os.write(pty.theirs, b"y")
        assert output_watch.wait(LONG)

    def test_a_terminal_that_is_gone_does_not_ring_for_ever(
        self, pty: Pty, output_watch: OutputWatch
    ) -> None:
        """Its end may ring once or twice, and then there is silence."""
        os.close(pty.theirs)
        os.close(pty.ours)
        rings = [output_watch.wait(0.0) for _ in range(9)]
        assert not rings[-1]

    def test_it_holds_no_terminal_open(self, pty: Pty, queues: Queues) -> None:
        """A pane's end is told to tmux at once."""
        output_watch = InotifyWatch(pty.path, queues)
        os.close(pty.theirs)
        os.set_blocking(pty.ours, False)
        with pytest.raises(OSError, match="Input/output error"):
            os.read(pty.ours, 1)
        output_watch.close()

    def test_what_a_closed_bell_had_is_kept_for_the_next(self, pty: Pty, queues: Queues) -> None:
        """The kernel takes longer to close a queue than a prompt is waited for, so it is kept."""
        before = descriptors()
        for _ in range(2):
            bells = [InotifyWatch(pty.path, queues) for _ in range(6)]
            assert len(descriptors() - before) == 6
            os.write(pty.theirs, b"x")
            assert [output_watch.wait(LONG) for output_watch in bells] == [True] * 6
            for output_watch in bells:
                output_watch.close()
            assert len(descriptors() - before) == 6
        queues.close()
        assert descriptors() == before

    def test_a_forked_process_has_queues_of_its_own(
        self, pty: Pty, queues: Queues, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each event is read once, and its parent may be about to read it."""
        output_watch = InotifyWatch(pty.path, queues)
        parents = vars(output_watch)["_queue"]
        output_watch.close()
        monkeypatch.setattr(os, "getpid", os.getppid)
        output_watch = InotifyWatch(pty.path, queues)
        assert vars(output_watch)["_queue"] is not parents
        output_watch.close()

    def test_what_was_heard_before_is_forgotten(self, pty: Pty, queues: Queues) -> None:
        """Whoever listens next is not woken by it."""
        output_watch = InotifyWatch(pty.path, queues)
        os.write(pty.theirs, b"x")
        output_watch.close()
        output_watch = InotifyWatch(pty.path, queues)
        assert not output_watch.wait(0.0)
        output_watch.close()

    def test_what_is_left_of_another_watch_does_not_ring(self, pty: Pty, queues: Queues) -> None:
        """The kernel may tell that the watch of the bell before is gone only a moment later."""
        output_watch = InotifyWatch(pty.path, queues)
        with open_pty() as other:
            vars(output_watch)["_queue"].watch(other.path)
            other.write()
            assert not output_watch.wait(0.01)
            pty.write()
            assert output_watch.wait(LONG)
        output_watch.close()

    def test_a_closed_bell_is_still(self, pty: Pty, queues: Queues) -> None:
        """And closed once: what it had may be another's."""
        output_watch, other = InotifyWatch(pty.path, queues), InotifyWatch(pty.path, queues)
        output_watch.close()
        output_watch.close()
        again = InotifyWatch(pty.path, queues)
        os.write(pty.theirs, b"x")
        assert (output_watch.wait(LONG), other.wait(LONG), again.wait(LONG)) == (False, True, True)
        for each in (other, again):
            each.close()

    def test_a_queue_is_closed_once(self) -> None:
        """Its number may soon be another file's."""
        queue = InotifyQueue()
        number = queue.number
        queue.close()
        queue.close()
        assert str(number) not in descriptors()

    def test_a_queue_that_nobody_closed_is_closed(self) -> None:
        """A terminal of asyncio keeps one until it is disconnected, or is no more."""
        before = descriptors()
        queue = InotifyQueue()
        assert descriptors() != before
        del queue
        assert descriptors() == before

    def test_no_terminal_is_refused(self, tmp_path: Path, queues: Queues) -> None:
        """And nothing stays open."""
        before = descriptors()
        with pytest.raises(FileNotFoundError, match="inotify does not watch this terminal"):
            InotifyWatch(str(tmp_path / "none"), queues)
        queues.close()
        assert descriptors() == before


class Refuses:
    """A C library on a machine where inotify is not to be had."""

    def inotify_init1(self, flags: int) -> int:
        """Refuse: this user has too many already."""
        assert flags == os.O_NONBLOCK | os.O_CLOEXEC
        ctypes.set_errno(errno.EMFILE)
        return -1


def test_a_machine_that_has_no_more_to_give(
    pty: Pty, monkeypatch: pytest.MonkeyPatch, queues: Queues
) -> None:
    """There are some hundred for each user; who gets none is deaf."""
    monkeypatch.setattr("tmuxprim._kernel.inotify._libc", Refuses)
    with pytest.raises(OSError, match="inotify is not available") as caught:
        InotifyWatch(pty.path, queues)
    assert caught.value.errno == errno.EMFILE
    assert isinstance(queues.watch_tty(pty.path), PollingWatch)


def test_another_system_is_deaf(pty: Pty, monkeypatch: pytest.MonkeyPatch, queues: Queues) -> None:
    """Inotify is of Linux."""
    not_cached = _libc.__wrapped__
    monkeypatch.setattr("tmuxprim._kernel.inotify._libc", not_cached)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert isinstance(queues.watch_tty(pty.path), PollingWatch)


def test_a_terminal_that_is_gone_has_a_deaf_bell(tmp_path: Path, queues: Queues) -> None:
    """Between two snapshots a pane may go; that is told by the next snapshot, and no error here."""
    assert isinstance(queues.watch_tty(str(tmp_path / "none")), PollingWatch)


def test_a_server_behind_a_launcher_is_not_heard() -> None:
    """Its terminals are on another machine, which is asked by a call."""
    terminal = TmuxTerminal(launcher=["false"])
    assert isinstance(terminal.watch_output(Pane("%0")), PollingWatch)
    with pytest.raises(TmuxCommandError):
        terminal.probe(Pane("%0"))


@pytest.mark.parametrize(("seconds", "nap"), [(0.0, 0.0), (0.005, 0.005), (60.0, 0.02)])
def test_deaf_bell(seconds: float, nap: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch reports nothing, and returns soon enough to ask the kernel again."""
    naps: list[float] = []
    monkeypatch.setattr(time, "sleep", naps.append)
    output_watch = PollingWatch()
    assert not output_watch.wait(seconds)
    output_watch.close()
    assert naps == [nap]


ONE, OTHER, NONE = Pane("%1"), Pane("%2"), Pane("%3")


@needs_inotify
def test_hub_of_many_panes(queues: Queues) -> None:
    """It reports which of them have written, from one queue, until they are discarded."""
    with open_pty() as pty, open_pty() as other:
        paths = {ONE: pty.path, OTHER: other.path, NONE: None}
        before = descriptors()
        hub = InotifyOutputHub(paths.get, queues)
        assert [hub.add(pane) for pane in paths] == [True, True, False]
        assert hub.wait(0.0) == ()
        pty.write()
        assert hub.wait(LONG) == {ONE}
        pty.write()
        other.write()
        assert hub.wait(LONG) == {ONE, OTHER}
        hub.discard(ONE)
        hub.discard(NONE)
        pty.write()
        other.write()
        assert hub.wait(LONG) == {OTHER}
        hub.close()
        hub.close()
        queues.close()
        assert descriptors() == before


@needs_inotify
def test_hub_reports_a_terminal_that_is_gone(queues: Queues, tmp_path: Path) -> None:
    """The pane is to be looked at; one that was gone before cannot be watched."""
    hub = InotifyOutputHub(lambda _: str(tmp_path / "none"), queues)
    assert not hub.add(ONE)
    hub.close()
    with open_pty() as pty:
        hub = InotifyOutputHub(lambda _: pty.path, queues)
        assert hub.add(ONE)
    assert hub.wait(LONG) == {ONE}
    hub.close()


def test_hub_without_inotify(queues: Queues, monkeypatch: pytest.MonkeyPatch) -> None:
    """It watches nothing, and lets the time pass."""
    not_cached = _libc.__wrapped__
    monkeypatch.setattr("tmuxprim._kernel.inotify._libc", not_cached)
    monkeypatch.setattr(sys, "platform", "darwin")
    naps: list[float] = []
    monkeypatch.setattr(time, "sleep", naps.append)
    with open_pty() as pty:
        hub = InotifyOutputHub(lambda _: pty.path, queues)
        assert not hub.add(ONE)
        assert hub.wait(2.0) == ()
        hub.discard(ONE)
        hub.close()
    assert naps == [2.0]
