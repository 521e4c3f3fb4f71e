"""Backends that are wrong on purpose about which panes there are, and what they are opened with.

Each is wrong in one way in which a real one might be.
"""

import re
from collections.abc import Mapping, Sequence

import attrs
from typing_extensions import override

from tmuxprim import (
    Cursor,
    FakeTerminal,
    InvalidTextError,
    KeySequence,
    Pane,
    PaneNotFoundError,
    Screen,
    Size,
    TmuxServerError,
    TtyState,
)
from tmuxprim._terminal import StrPath
from tmuxprim.testing import CONTRACT_SHELL

_SIZE = Size(80, 24)


class Wrong(FakeTerminal):
    """Is a fake with the contract's shell, for others to do wrong."""

    def __init__(self) -> None:
        super().__init__(programs={"sh": CONTRACT_SHELL})


@attrs.frozen
class Asked:
    """Is what a pane is to be opened with."""

    size: Size
    cwd: StrPath | None
    env: Mapping[str, str] | None
    name: str | None


class OpensAnother(Wrong):
    """Opens a pane with something else than what was asked for."""

    def instead(self, asked: Asked) -> Asked:
        """Return what it is opened with."""
        raise NotImplementedError

    @override
    def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = _SIZE,
        cwd: StrPath | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> Pane:
        asked = self.instead(Asked(size, cwd, env, name))
        return super().open(command, size=asked.size, cwd=asked.cwd, env=asked.env, name=asked.name)


class OpensOneSize(OpensAnother):
    """Opens every pane in its own size, as tmux 3.3a does while a person is attached."""

    @override
    def instead(self, asked: Asked) -> Asked:
        return attrs.evolve(asked, size=_SIZE)


class ChangesNames(OpensAnother):
    """Makes a name that it does not like into one that it does, as tmux does with ``a.b``."""

    @override
    def instead(self, asked: Asked) -> Asked:
        name = re.sub(r"\W", "_", asked.name) if asked.name else asked.name
        return attrs.evolve(asked, name=name)


class ChecksNoFolder(OpensAnother):
    """Lets whatever comes below complain of a folder that can have no such name."""

    @override
    def instead(self, asked: Asked) -> Asked:
        return attrs.evolve(asked, cwd=None)


class ChecksNoVariables(OpensAnother):
    """Lets whatever comes below complain of a variable that cannot be set."""

    @override
    def instead(self, asked: Asked) -> Asked:
        return attrs.evolve(asked, env=None)


class RefusesItsOwnVariables(OpensAnother):
    """Refuses every variable that it sets itself, also one that nobody wants to be another."""

    @override
    def instead(self, asked: Asked) -> Asked:
        if "PATH" in (asked.env or {}):
            raise InvalidTextError("PATH is given to each pane")
        return asked


class ClosesOnlyWhatIsThere(Wrong):
    """Takes closing for an operation as any other."""

    @override
    def close(self, pane: Pane) -> None:
        if self.resolve(pane) not in self.panes():
            raise PaneNotFoundError("there is no such pane")
        super().close(pane)


class TakesBeginnings(Wrong):
    """Takes the beginning of a name for the name, as tmux does."""

    @override
    def resolve(self, pane: Pane) -> Pane:
        for name in ("shared", "shared-2"):
            if name.startswith(pane.target):
                return super().resolve(Pane("shared-2"))
        return super().resolve(pane)


class RemembersNames(Wrong):
    """Looks a name up once, and never again."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Pane, Pane] = {}

    @override
    def resolve(self, pane: Pane) -> Pane:
        if pane not in self._known:
            self._known[pane] = super().resolve(pane)
        return self._known[pane]


class IgnoresCase(Wrong):
    """Takes names that differ in their letters for one."""

    @override
    def resolve(self, pane: Pane) -> Pane:
        return super().resolve(Pane(pane.target.lower()))


class ListsWhatIsClosed(Wrong):
    """Returns from closing a pane before it is gone."""

    def __init__(self) -> None:
        super().__init__()
        self._closed: tuple[Pane, ...] = ()

    @override
    def close(self, pane: Pane) -> None:
        self._closed += (pane,)
        super().close(pane)

    @override
    def panes(self) -> tuple[Pane, ...]:
        return super().panes() + self._closed


class ListsTheFirstOnly(Wrong):
    """Cuts a long list short."""

    @override
    def panes(self) -> tuple[Pane, ...]:
        return super().panes()[:3]


class KnowsNoServer(Wrong):
    """Takes a server that is not there for a pane that is not there."""

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        try:
            return super().observe(pane, history=history)
        except TmuxServerError as error:
            raise PaneNotFoundError("there is no such pane") from error


class ShowsWhatIsGone(Wrong):
    """Answers for a pane that is not there with empty fields, as tmux does."""

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        try:
            return super().observe(pane, history=history)
        except PaneNotFoundError:
            return Screen(size=_SIZE, rows=("",) * _SIZE.rows, cursor=Cursor(0, 0))


class SaysNoServer(Wrong):
    """Takes a pane that is not there for a server that is not there."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        try:
            return super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        except PaneNotFoundError as error:
            raise TmuxServerError("no server") from error


class SendsToTheNext(Wrong):
    """Falls back to some pane, as tmux does for an empty target."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        try:
            return super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        except PaneNotFoundError:
            super().send(self.panes()[0], keys, leave_mode=leave_mode, seen=seen)
            raise


class ProbesTheSameTerminal(Wrong):
    """Keeps the path of a terminal that is another pane's by now."""

    @override
    def probe(self, pane: Pane) -> TtyState | None:
        try:
            return super().probe(pane)
        except PaneNotFoundError:
            return super().probe(self.panes()[-1])


class ForgetsServers(Wrong):
    """Finds panes by ids that may be another pane's when the server has gone."""

    @override
    def resolve(self, pane: Pane) -> Pane:
        return Pane(super().resolve(pane).target)


class SendsToWhoeverHasTheId(Wrong):
    """Takes an id for the pane, whichever server it is of."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        return super().send(Pane(pane.target), keys, leave_mode=leave_mode, seen=seen)


class ClosesWhoeverHasTheId(Wrong):
    """Ends a pane of the next server for one that ended with its own."""

    @override
    def close(self, pane: Pane) -> None:
        super().close(Pane(pane.target))


class StaysWithTheFirstServer(Wrong):
    """Takes every id for one of the first server that it saw."""

    _first = ""

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        pane = super().resolve(pane)
        self._first = self._first or pane.server
        return super().observe(Pane(pane.target, server=self._first), history=history)
