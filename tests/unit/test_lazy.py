"""`Lazy`: an attribute that is worked out when it is first asked for."""

import threading
from concurrent.futures import ThreadPoolExecutor

import attrs

from tmuxprim._lazy import Lazy


@attrs.frozen(slots=False)
class Slow:
    """Works its value out as slowly as it is told."""

    both_are_here: threading.Barrier

    @Lazy
    def value(self) -> object:
        """Something new."""
        self.both_are_here.wait(5.0)
        return object()


def test_it_is_worked_out_once() -> None:
    """The second time it is what it was, also in an object that cannot be changed."""
    slow = Slow(threading.Barrier(1))
    assert slow.value is slow.value


def test_no_thread_waits_for_another() -> None:
    """A lock that is taken while another thread forks would be taken for ever in the child."""
    slow = Slow(threading.Barrier(2))
    with ThreadPoolExecutor(2) as pool:
        first, second = [pool.submit(lambda: slow.value) for _ in range(2)]
        assert slow.value in {first.result(), second.result()}


def test_its_class_has_it_and_its_docstring() -> None:
    """For those who look at what a class has, as documentation tools do."""
    assert isinstance(Slow.value, Lazy)
    assert Slow.value.__doc__ == "Something new."
