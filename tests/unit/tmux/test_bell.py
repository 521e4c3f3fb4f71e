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
from tmuxprim import Pane, TmuxTerminal
from tmuxprim._tmux.bell import InotifyBell, PollingBell, Queues
from tmuxprim._tmux.inotify import InotifyQueue, _libc
from tmuxprim.testing import Bell

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
def bell(pty: Pty, queues: Queues) -> Iterator[Bell]:
    """Give a bell of that terminal."""
    bell = queues.listen_to(pty.path)
    yield bell
    bell.close()


@needs_inotify
class TestInotifyBell:
    """On Linux the kernel tells who writes."""

    def test_it_rings_when_a_program_writes(self, pty: Pty, bell: Bell) -> None:
        """Also before anybody waits, and once for all that was written until then."""
        assert isinstance(bell, InotifyBell)
        os.write(pty.theirs, b"a")
        os.write(pty.theirs, b"b")
        assert bell.wait(LONG)
        assert not bell.wait(0.0)
        os.write(pty.theirs, b"c")
        assert bell.wait(LONG)

    def test_it_is_still_while_nobody_writes(self, pty: Pty, bell: Bell) -> None:
        """A short wait ends without a ring, before something was written and after it."""
        assert not bell.wait(0.001)
        os.read(pty.ours, os.write(pty.theirs, b"x"))
        assert bell.wait(LONG)
        assert not bell.wait(0.001)

    def test_two_bells_ring(self, pty: Pty, bell: Bell, queues: Queues) -> None:
        """Whoever listens hears it."""
        other = queues.listen_to(pty.path)
        os.write(pty.theirs, b"x")
        assert bell.wait(LONG)
        assert other.wait(LONG)
        other.close()
        os.write(pty.theirs, b"y")
        assert bell.wait(LONG)

    def test_a_terminal_that_is_gone_does_not_ring_for_ever(self, pty: Pty, bell: Bell) -> None:
        """Its end may ring once or twice, and then there is silence."""
        os.close(pty.theirs)
        os.close(pty.ours)
        rings = [bell.wait(0.0) for _ in range(9)]
        assert not rings[-1]

    def test_it_holds_no_terminal_open(self, pty: Pty, queues: Queues) -> None:
        """A pane's end is told to tmux at once."""
        bell = InotifyBell(pty.path, queues)
        os.close(pty.theirs)
        os.set_blocking(pty.ours, False)
        with pytest.raises(OSError, match="Input/output error"):
            os.read(pty.ours, 1)
        bell.close()

    def test_what_a_closed_bell_had_is_kept_for_the_next(self, pty: Pty, queues: Queues) -> None:
        """The kernel takes longer to close a queue than a prompt is waited for, so it is kept."""
        before = descriptors()
        for _ in range(2):
            bells = [InotifyBell(pty.path, queues) for _ in range(6)]
            assert len(descriptors() - before) == 6
            os.write(pty.theirs, b"x")
            assert [bell.wait(LONG) for bell in bells] == [True] * 6
            for bell in bells:
                bell.close()
            assert len(descriptors() - before) == 6
        queues.close()
        assert descriptors() == before

    def test_a_forked_process_has_queues_of_its_own(
        self, pty: Pty, queues: Queues, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each event is read once, and its parent may be about to read it."""
        bell = InotifyBell(pty.path, queues)
        parents = vars(bell)["_queue"]
        bell.close()
        monkeypatch.setattr(os, "getpid", os.getppid)
        bell = InotifyBell(pty.path, queues)
        assert vars(bell)["_queue"] is not parents
        bell.close()

    def test_what_was_heard_before_is_forgotten(self, pty: Pty, queues: Queues) -> None:
        """Whoever listens next is not woken by it."""
        bell = InotifyBell(pty.path, queues)
        os.write(pty.theirs, b"x")
        bell.close()
        bell = InotifyBell(pty.path, queues)
        assert not bell.wait(0.0)
        bell.close()

    def test_what_is_left_of_another_watch_does_not_ring(self, pty: Pty, queues: Queues) -> None:
        """The kernel may tell that the watch of the bell before is gone only a moment later."""
        bell = InotifyBell(pty.path, queues)
        with open_pty() as other:
            vars(bell)["_queue"].watch(other.path)
            other.write()
            assert not bell.wait(0.01)
            pty.write()
            assert bell.wait(LONG)
        bell.close()

    def test_a_closed_bell_is_still(self, pty: Pty, queues: Queues) -> None:
        """And closed once: what it had may be another's."""
        bell, other = InotifyBell(pty.path, queues), InotifyBell(pty.path, queues)
        bell.close()
        bell.close()
        again = InotifyBell(pty.path, queues)
        os.write(pty.theirs, b"x")
        assert (bell.wait(LONG), other.wait(LONG), again.wait(LONG)) == (False, True, True)
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
            InotifyBell(str(tmp_path / "none"), queues)
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
    monkeypatch.setattr("tmuxprim._tmux.inotify._libc", Refuses)
    with pytest.raises(OSError, match="inotify is not available") as caught:
        InotifyBell(pty.path, queues)
    assert caught.value.errno == errno.EMFILE
    assert isinstance(queues.listen_to(pty.path), PollingBell)


def test_another_system_is_deaf(pty: Pty, monkeypatch: pytest.MonkeyPatch, queues: Queues) -> None:
    """Inotify is of Linux."""
    not_cached = _libc.__wrapped__
    monkeypatch.setattr("tmuxprim._tmux.inotify._libc", not_cached)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert isinstance(queues.listen_to(pty.path), PollingBell)


def test_a_terminal_that_is_gone_has_a_deaf_bell(tmp_path: Path, queues: Queues) -> None:
    """Between two looks a pane may go; that is told by the next look, and no error here."""
    assert isinstance(queues.listen_to(str(tmp_path / "none")), PollingBell)


def test_a_server_behind_a_launcher_is_not_heard() -> None:
    """Its terminals are on another machine, of which this kernel tells nothing."""
    terminal = TmuxTerminal(launcher=["false"])
    assert isinstance(terminal.listen(Pane("%0")), PollingBell)
    assert terminal.probe(Pane("%0")) is None


@pytest.mark.parametrize(("seconds", "nap"), [(0.0, 0.0), (0.005, 0.005), (60.0, 0.02)])
def test_deaf_bell(seconds: float, nap: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never rings, and wakes who waits soon enough to ask somebody else."""
    naps: list[float] = []
    monkeypatch.setattr(time, "sleep", naps.append)
    bell = PollingBell()
    assert not bell.wait(seconds)
    bell.close()
    assert naps == [nap]
