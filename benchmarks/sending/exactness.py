"""Who sends exactly, who says so when it cannot, and who does harm."""

import enum
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs

from benchmarks.sending.cases import TRAP_OPTION, Case, State
from benchmarks.sending.designs import Design, NoWayError
from benchmarks.sending.servers import private_server
from benchmarks.sending.witness import Sink
from tests.tmux_server import Server


class Verdict(enum.Enum):
    """What came of sending; what is in lower case is right."""

    EXACT = "exact"
    REFUSED = "refused"
    """An error, nothing arrived, and nothing else would have been right."""
    NO_WAY = "n/a"
    """The design has no way to do this."""
    NEEDLESSLY = "REFUSED"
    """An error, nothing arrived, though it can be sent."""
    LOST = "LOST"
    """Success was reported, and all or a part of it did not arrive."""
    CHANGED = "CHANGED"
    """Something else arrived."""
    RAN = "RAN A COMMAND"
    """A part of it was carried out as a command of tmux."""
    CRASHED = "CRASHED tmux"

    @property
    def is_right(self) -> bool:
        """Whether that is what should happen."""
        return self in (Verdict.EXACT, Verdict.REFUSED)


# How a pane is brought into a state, and back so far that what was sent can be read.
_BEFORE: Final[Mapping[State, tuple[str, ...]]] = {
    State.COPY_MODE: ("copy-mode",),
    State.INPUT_OFF: ("select-pane", "-d"),
    State.GONE: ("kill-pane",),
    State.DEAD: ("respawn-pane", "-k", "true"),
}
_AFTER: Final[Mapping[State, tuple[str, ...]]] = {
    State.COPY_MODE: ("copy-mode", "-q"),
    State.INPUT_OFF: ("select-pane", "-e"),
}
_WITHOUT_PROGRAM: Final = (State.GONE, State.DEAD)


@attrs.define
class _Laboratory:
    """A server of its own, for one design, until a case spoils it."""

    server: Server
    sink: Sink
    design: Design
    is_spoilt: bool = False

    def judge(self, case: Case) -> Verdict:
        """Send, and see what came of it."""
        self._bring(case.state, _BEFORE)
        error = self._send(case)
        has_crashed = self.server.pid() is None
        self.is_spoilt = has_crashed or case.state in _WITHOUT_PROGRAM
        if has_crashed:
            return Verdict.CRASHED
        if isinstance(error, NoWayError):
            return Verdict.NO_WAY
        self._bring(case.state, _AFTER)
        received = b"" if case.state in _WITHOUT_PROGRAM else self.sink.drain()
        if self._has_run():
            return Verdict.RAN
        return _compare(case, received, is_refused=error is not None)

    def _send(self, case: Case) -> Exception | None:
        """Return the error, if it was one."""
        errors: tuple[type[Exception], ...] = (NoWayError, *self.design.refusals)
        try:
            case.send(self.design)
        except errors as error:
            return error
        return None

    def _bring(self, state: State, commands: Mapping[State, tuple[str, ...]]) -> None:
        if state not in commands:
            return
        name, *words = commands[state]
        self.server.tmux(name, "-t", self.sink.pane.target, *words)
        deadline = time.monotonic() + 5
        while state is State.DEAD and not self.server.terminal.observe(self.sink.pane).dead:
            assert time.monotonic() < deadline, "the pane does not die"

    def _has_run(self) -> bool:
        value = self.server.tmux("show-options", "-gqv", TRAP_OPTION)
        self.server.tmux("set-option", "-gu", TRAP_OPTION)
        return bool(value)


def judge_all(design: type[Design], cases: Sequence[Case]) -> dict[str, Verdict]:
    """Return what came of each case, by its name."""
    verdicts: dict[str, Verdict] = {}
    left = list(cases)
    while left:
        with _laboratory(design) as laboratory:
            while left and not laboratory.is_spoilt:
                case = left.pop(0)
                verdicts[case.name] = laboratory.judge(case)
    return verdicts


@contextmanager
def _laboratory(design: type[Design]) -> Iterator[_Laboratory]:
    with private_server() as server, tempfile.TemporaryDirectory() as directory:
        sink = Sink(server, Path(directory))
        server.tmux("set-option", "-g", "remain-on-exit", "on")
        yield _Laboratory(server, sink, design(server, sink.pane))


def _compare(case: Case, received: bytes, *, is_refused: bool) -> Verdict:
    if is_refused and not received:
        return Verdict.REFUSED if case.may_refuse else Verdict.NEEDLESSLY
    if received == case.expected and not is_refused:
        return Verdict.EXACT
    if not received or (case.expected and _is_part(received, case.expected)):
        return Verdict.LOST
    return Verdict.CHANGED


def _is_part(received: bytes, expected: bytes) -> bool:
    """Whether *expected* becomes *received* by leaving bytes out."""
    rest = iter(expected)
    return all(byte in rest for byte in received)
