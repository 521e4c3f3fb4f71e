"""A look at a pane on another machine, with the kernel's evidence from right before and after it.

All of it is one command there, so it takes one call of an exec. It may wait there first.
"""

import math
from typing import Final, NamedTuple

from tmuxprim._kernel.change import WAITING
from tmuxprim._kernel.printed import FUNCTIONS, PrintedFiles
from tmuxprim._kernel.probe import probe_tty
from tmuxprim._kernel.procfs import Procfs
from tmuxprim._values.evidence import TtyState

# No evidence holds it, so the first one and the last ones are ours, whatever tmux prints.
_BETWEEN: Final = "\x1e"
_SAME: Final = "="
_SCRIPT: Final = rf"""{FUNCTIONS}{WAITING}
pid=$1 tty=$2 sleepers_then=$3 shown_then=$4 patience=$5 hears=$6
shift 6
is_short=1 waited=0 sleep=
moment
began=$now
[ "$patience" = 0 ] || wait_for_change "$@"
find_sleepers
find_family "$pid" && sleep=$(print_sleep) && printf '%s%s' "$sleep" "$(print_files)"
look "$@"
printf '\036%s\036' "${{answer% *}}"
if [ "$(print_sleep)" = "$sleep" ]; then
  printf {_SAME}
elif find_family "$pid"; then
  print_sleep
  print_files
fi
printf '\036%s\t%s\t%s' "${{is_short:+$waited}}" "$shown" "$sleepers"
status=${{answer##* }}
exit "${{status%.}}"
"""


class Seen(NamedTuple):
    """The state of a pane that a later look is compared with, as a shell there has found it.

    Args:
        shown: The checksum of the screen; empty if there is none.
        sleepers: The threads that may have waited for a key.
    """

    shown: str = ""
    sleepers: str = ""


class Wait(NamedTuple):
    """A wait before a look, for a change.

    Args:
        seen: The last look.
        seconds: Longest wait.
        hears_output: Whether a screen that shows something else is a change.
    """

    seen: Seen = Seen()
    seconds: float = 0.0
    hears_output: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of the script."""
        # One more, since the clock there is read in hundredths.
        patience = math.ceil(self.seconds * 100) + 1 if self.seconds > 0 else 0
        hears = "1" if self.hears_output else ""
        return (self.seen.sleepers, self.seen.shown, str(patience), hears)


class Waited(NamedTuple):
    """How a wait there has ended.

    Args:
        seconds: How long it took at least.
        seen: The pane at its end; empty if that shell cannot wait.
    """

    seconds: float = 0.0
    seen: Seen = Seen()

    @classmethod
    def parse(cls, printed: str) -> "Waited":
        """Return what was printed."""
        waited, _, seen = printed.partition("\t")
        if not waited.isdecimal():
            return cls()
        shown, _, sleepers = seen.partition("\t")
        return cls(max(int(waited) - 1, 0) / 100, Seen(shown, sleepers))


class Beside(NamedTuple):
    """The terminal of a pane, and the program that the pane was opened with."""

    path: str
    pane_pid: int

    def words(self, wait: Wait) -> tuple[str, ...]:
        """Return the words before a command that wait, and print the evidence."""
        return ("sh", "-c", _SCRIPT, "tmuxprim", str(self.pane_pid), self.path, *wait.words)

    def states(self, before: str, after: str) -> tuple[TtyState | None, TtyState | None]:
        """Return the evidence that was printed before the answer, and after it."""
        first = self._state(before)
        return first, first if after == _SAME else self._state(after)

    def _state(self, printed: str) -> TtyState | None:
        return probe_tty(self.path, self.pane_pid, Procfs(PrintedFiles(printed)))


class Printed(NamedTuple):
    """An answer of tmux, the evidence before and after it, and the wait, as they were printed."""

    before: str
    answer: str
    after: str
    waited: str = ""

    @classmethod
    def split(cls, text: str) -> "Printed":
        """Take apart what was printed; of a command that did not begin, all is its answer."""
        before, begins, rest = text.partition(_BETWEEN)
        parts = rest.rsplit(_BETWEEN, 2)
        if not begins or len(parts) <= 2:  # noqa: PLR2004  # the answer, and two behind it
            return cls("", text, "")
        return cls(before, *parts)

    def join(self) -> str:
        """Return all of it again."""
        return _BETWEEN.join(self)
