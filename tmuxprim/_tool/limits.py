"""`Limits`: the panes that a model may work in, and those that it may only look at."""

from collections.abc import Iterable

import attrs

from tmuxprim._tool.actions import ToolCall, Toolset
from tmuxprim._tool.arguments import PANE
from tmuxprim._tool.misuse import MisuseError
from tmuxprim._values.pane import Pane, PaneInfo, to_pane


def _to_names(panes: Iterable[Pane | str] | None) -> frozenset[str] | None:
    if isinstance(panes, (str, Pane)):
        panes = (panes,)
    return None if panes is None else frozenset(to_pane(pane).target for pane in panes)


def _to_some_names(panes: Iterable[Pane | str]) -> frozenset[str]:
    return _to_names(panes) or frozenset()


@attrs.frozen
class Limits:
    """The panes that a model may work in, or only look at.

    A pane is allowed by the name given here. A call that names it differently is refused, since
    another name may come to mean another pane. A read-only pane is read-only by any name.

    Args:
        allow: The panes that it may work in; None for all.
        read_only: Those of them that it may only look at.

    Raises:
        InvalidPaneError: If one of them cannot name a pane.
    """

    allow: frozenset[str] | None = attrs.field(default=None, converter=_to_names)
    read_only: frozenset[str] = attrs.field(default=frozenset(), converter=_to_some_names)

    def check(self, call: ToolCall, toolset: Toolset, there: Iterable[PaneInfo] = ()) -> ToolCall:
        """Return a call that is allowed; *there* is the pane that it means, if that is known.

        Raises:
            MisuseError: If it is not.
        """
        action = toolset.actions[call.action]
        if PANE.name not in action.arguments:  # such as `panes`, which lists the allowed ones only
            return call
        named, allowed = call[PANE].target, self._allowed
        if allowed is not None and named not in allowed:
            raise MisuseError(
                f"you may not use the pane {named!r}; allowed are: {', '.join(sorted(allowed))}"
            )
        names = {named}.union(*map(_names, there))
        if not (action.looks or self.read_only.isdisjoint(names)):
            looks = ", ".join(name for name, one in toolset.actions.items() if one.looks)
            raise MisuseError(f"you may only read the pane {named!r}: {looks}")
        return call

    def seen(self, panes: Iterable[PaneInfo]) -> tuple[PaneInfo, ...]:
        """Return those of all panes that are allowed."""
        allowed = self._allowed
        if allowed is None:
            return tuple(panes)
        return tuple(pane for pane in panes if not allowed.isdisjoint(_names(pane)))

    @property
    def _allowed(self) -> frozenset[str] | None:
        return None if self.allow is None else self.allow | self.read_only


def _names(pane: PaneInfo) -> set[str]:
    """Return all that may name a pane; the name of its session or window, as it may be active."""
    windows = [f"{pane.session}:{window}" for window in (pane.window, pane.window_name)]
    places = [f"{window}.{pane.index}" for window in windows]
    return {pane.target, pane.session, *windows, *places}
