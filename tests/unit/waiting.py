"""How tests of the wait engine wait: on a scripted terminal, with a strategy that only looks."""

import attrs
from typing_extensions import override

from tests.unit.builders import PANE, ScriptedTerminal, screen
from tmuxprim import Mark, Readiness, ReadinessStrategy, default_chain
from tmuxprim._engine.plan import drive
from tmuxprim._engine.wait import LastChanges, wait_until_ready
from tmuxprim.readiness import Busy, Pass, Snapshot, Strategy, Verdict

DONE = screen("$ make\ndone\n$ ")
MAKING = screen("$ make\n")


def wait(
    terminal: ScriptedTerminal,
    *,
    timeout: float,
    mark: Mark | None = None,
    strategy: ReadinessStrategy | None = None,
    last_changes: LastChanges | None = None,
) -> Readiness:
    """Wait on the scripted pane."""
    chain = strategy or default_chain()
    plan = wait_until_ready(PANE, chain, timeout=timeout, mark=mark, last_changes=last_changes)
    return drive(plan, terminal)


@attrs.frozen
class Never(Strategy):
    """Is never ready, and notes each snapshot."""

    looks: list[Snapshot] = attrs.field(factory=list)
    again_in: float = 0.05
    when_torn: float = 10.0

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Pass."""
        self.looks.append(snapshot)
        return Pass("never", self.again_in if snapshot.steady else self.when_torn)


class Busily(Never):
    """Says that the program works, and notes each snapshot."""

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Veto."""
        super().assess(snapshot)
        return Busy("it works", self.again_in)
