"""`Pace`: how often a wait asks the kernel.

Most waits are short, so it asks often at first and then after a share of the time that has
passed; a long wait costs next to nothing. When the program writes, its prompt may be next: then
the pace is quick again, unless the program writes on and on.
"""

import math
from typing import Final

import attrs

SHORTEST: Final = 0.0005
_LONGEST_IN_BURST: Final = 0.01
_LONGEST_IN_QUIET: Final = 3.0
_SHARE_IN_BURST: Final = 0.05
_SHARE_IN_QUIET: Final = 0.1
# Waits that have become so slow ask on the ticks of one clock, many panes after one another: who
# is woken for each of a thousand panes by itself spends nearly half of its time on waking up.
_LONG: Final = 1.0
_TICK: Final = 0.125
# Who has written nothing for so long has ended its burst of output, in seconds.
_QUIET: Final = 0.1


@attrs.define
class Pace:
    """The pace of one wait; all times are in seconds of the terminal's clock.

    Args:
        burst: When the program began to write, or the wait began.
        rang: When it was last known to write, or the wait began.
    """

    burst: float
    rang: float

    def ring(self, now: float) -> None:
        """Note that the program has written since it was last asked."""
        if now - self.rang > _QUIET:
            self.burst = now
        self.rang = now

    def is_quick(self, now: float) -> bool:
        """Whether the program may be about to read, so that listening for more is too slow."""
        return now - self.rang <= _QUIET

    def pause(self, now: float) -> float:
        """Return how long to wait before the next question."""
        quick = min(max(SHORTEST, (now - self.burst) * _SHARE_IN_BURST), _LONGEST_IN_BURST)
        if self.is_quick(now):
            return quick
        quiet = now - self.rang - _QUIET
        slow = min(quiet * _SHARE_IN_QUIET, _LONGEST_IN_QUIET)
        if slow < _LONG:
            return max(quick, slow)
        return math.floor((now + slow) / _TICK) * _TICK - now
