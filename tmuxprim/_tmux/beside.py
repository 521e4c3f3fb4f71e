"""A look at a pane on another machine, with the kernel's evidence from right before and after it.

All of it is one command there, so it takes one call of an exec.
"""

from typing import Final, NamedTuple

from tmuxprim._kernel.printed import FUNCTIONS, PrintedFiles
from tmuxprim._kernel.probe import probe_tty
from tmuxprim._kernel.procfs import Procfs
from tmuxprim._values.evidence import TtyState

# No evidence holds it, so the first one and the last one are ours, whatever tmux prints.
_BETWEEN: Final = "\x1e"
_SAME: Final = "="
_SCRIPT: Final = rf"""{FUNCTIONS}
pid=$1 tty=$2
shift 2
sleep=
find_family "$pid" && sleep=$(print_sleep) && printf '%s%s' "$sleep" "$(print_files)"
printf '\036'
"$@"
status=$?
printf '\036'
if [ "$(print_sleep)" = "$sleep" ]; then
  printf {_SAME}
elif find_family "$pid"; then
  print_sleep
  print_files
fi
exit $status
"""


class Beside(NamedTuple):
    """The terminal of a pane, and the program that the pane was opened with."""

    path: str
    pane_pid: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words before a command that print the evidence."""
        return ("sh", "-c", _SCRIPT, "tmuxprim", str(self.pane_pid), self.path)

    def states(self, before: str, after: str) -> tuple[TtyState | None, TtyState | None]:
        """Return the evidence that was printed before the answer, and after it."""
        first = self._state(before)
        return first, first if after == _SAME else self._state(after)

    def _state(self, printed: str) -> TtyState | None:
        return probe_tty(self.path, self.pane_pid, Procfs(PrintedFiles(printed)))


class Printed(NamedTuple):
    """An answer of tmux, and the evidence before and after it, as they were printed."""

    before: str
    answer: str
    after: str

    @classmethod
    def split(cls, text: str) -> "Printed":
        """Take apart what was printed; of a command that did not begin, all is its answer."""
        before, begins, rest = text.partition(_BETWEEN)
        answer, ends, after = rest.rpartition(_BETWEEN)
        return cls(before, answer, after) if begins and ends else cls("", text, "")

    def join(self) -> str:
        """Return all of it again."""
        return _BETWEEN.join(self)
