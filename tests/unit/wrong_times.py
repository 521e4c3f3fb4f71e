"""Backends that are wrong on purpose about bells, and about the clock."""

import attrs
from typing_extensions import override

from tests.unit.wrong_panes import Wrong
from tmuxprim import Pane
from tmuxprim.testing import Bell, Clock


@attrs.frozen
class WrongBell:
    """Is a bell that does something wrong.

    Args:
        bell: The one that is right.
        clock: What time passes on.
        delay: Seconds that each wait takes longer than it should.
        rings: Whether it rings without reason.
        closes: How often it may be closed.
    """

    bell: Bell
    clock: Clock
    delay: float = 0.0
    rings: bool = False
    closed: list[bool] = attrs.field(factory=list)
    closes: int = 9

    def wait(self, seconds: float) -> bool:
        """Wait, in the wrong way."""
        self.clock.sleep(self.delay)
        return self.bell.wait(seconds) or self.rings

    def close(self) -> None:
        """Close it, if one may."""
        if len(self.closed) == self.closes:
            raise OSError("bad file descriptor")
        self.closed.append(True)


class BlocksTooLong(Wrong):
    """Has bells that wait for their own time, whatever they are asked."""

    @override
    def listen(self, pane: Pane) -> Bell:  # type: ignore[override]  # it is any bell
        return WrongBell(super().listen(pane), self.clock, delay=5.0)


class RingsForEver(Wrong):
    """Has bells that ring without reason."""

    @override
    def listen(self, pane: Pane) -> Bell:  # type: ignore[override]  # it is any bell
        return WrongBell(super().listen(pane), self.clock, rings=True)


class ListensToAnother(Wrong):
    """Keeps the path of a terminal that is another pane's by now."""

    @override
    def listen(self, pane: Pane) -> Bell:  # type: ignore[override]  # it is any bell
        return super().listen(self.panes()[0])


class ClosesBellsOnce(Wrong):
    """Has bells that give a file descriptor back that is another's by then."""

    @override
    def listen(self, pane: Pane) -> Bell:  # type: ignore[override]  # it is any bell
        return WrongBell(super().listen(pane), self.clock, closes=1)


@attrs.frozen
class WrongClock:
    """Is a clock that does something wrong.

    Args:
        clock: The one that is right.
        set_back: Whether it is put back an hour when the first panes have been opened.
        early: Seconds that it wakes who sleeps too early.
        strict: Whether it complains of a deadline that has passed, as ``time.sleep`` does.
        pace: How fast it goes.
    """

    clock: Clock
    set_back: bool = False
    early: float = 0.0
    strict: bool = False
    pace: float = 1.0

    def now(self) -> float:
        """Return the time, in the wrong way."""
        now = self.clock.now() * self.pace
        return now - 3600.0 if self.set_back and now > 0.0 else now

    def sleep(self, seconds: float) -> None:
        """Sleep, in the wrong way."""
        if self.strict and seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self.clock.sleep(seconds - self.early)


class GoesByTheWall(Wrong):
    """Takes the time of day for a clock, which is put back once in a while."""

    @property
    @override
    def clock(self) -> Clock:  # type: ignore[override]  # it is any clock
        return WrongClock(super().clock, set_back=True)


class WakesEarly(Wrong):
    """Rounds times to sleep down."""

    @property
    @override
    def clock(self) -> Clock:  # type: ignore[override]  # it is any clock
        return WrongClock(super().clock, early=0.001)


class SleepsStrictly(Wrong):
    """Complains of a deadline that has passed."""

    @property
    @override
    def clock(self) -> Clock:  # type: ignore[override]  # it is any clock
        return WrongClock(super().clock, strict=True)


class GoesTooFast(Wrong):
    """Counts each second twice."""

    @property
    @override
    def clock(self) -> Clock:  # type: ignore[override]  # it is any clock
        return WrongClock(super().clock, pace=2.0)
