"""The panes that a model works in, by the names that it uses.

A pane is looked up by its name once. From then on the name means that pane until it is gone, also
if a person renames it or makes another one active.
"""

from typing import Final

import attrs

from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import Plan, ask
from tmuxprim._engine.prompts import Prompts
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._values.evidence import Mark
from tmuxprim._values.pane import Pane, PaneInfo, is_meant

_MOST_GONE: Final = 100


def list_panes() -> Plan[tuple[PaneInfo, ...]]:
    """List all panes of the terminal."""
    return ask("panes", lambda terminal: terminal.panes())


@attrs.frozen
class NamedPanes:
    """The panes that have been worked in, and the state of each; several threads may use it.

    What it is made with is as of `ConsoleState`, for each of them.
    """

    strategy: ReadinessStrategy | None = None
    leave_mode: bool = False
    prompt_rows: int | None = None
    seen: dict[ConsolePlans, Mark] = attrs.field(factory=dict, init=False)
    """The mark of the last read of each pane."""
    _named: dict[Pane, ConsolePlans] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._new(Pane("any"))  # refuses what makes no sense, at once

    def _new(self, pane: Pane) -> ConsoleState:
        return ConsoleState(pane, self.strategy, self.leave_mode, Prompts(self.prompt_rows))

    def get(self, named: Pane) -> ConsolePlans | None:
        """Return the plans of the pane that has a name, if it has been asked for before."""
        return self._named.get(named)

    def name(self, named: Pane, pane: Pane) -> ConsolePlans:
        """Let a name mean a pane, which may have others; return its plans."""
        # Another thread may add one meanwhile.
        known = (plans for plans in [*self._named.values()] if is_meant(plans.state.named, pane))
        self._named[named] = plans = next(known, ConsolePlans(self._new(pane)))
        return plans

    def forget(self, named: Pane, gone: ConsolePlans) -> None:
        """Forget a pane that is gone, but not the one that has been opened in its place since."""
        if self._named.get(named) is gone:
            self._named.pop(named, None)
            self.seen.pop(gone, None)

    def forget_gone(self, asked: Pane | None = None) -> Plan[None]:
        """Forget panes that are gone: the one that is asked for, and of others all but the last.

        A call for one of these is refused with that reason. Otherwise it would be carried out in
        another pane that has the name by now.
        """
        panes = yield from list_panes()
        servers = {pane.target: pane.server for pane in panes}
        gone = [
            (named, plans)
            for named, plans in self._named.copy().items()  # as above
            if servers.get(plans.state.named.target) != plans.state.named.server
        ]
        old = gone[:-_MOST_GONE]
        for named, plans in gone:
            if named == asked or (named, plans) in old:
                self.forget(named, plans)
