"""A stage: one running program, and one design that drives it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import attrs

from benchmarks.readiness.server import Server
from tests.scenarios.model import Program, Turn
from tmuxprim import Console, Outcome, PaneNotFoundError

READY = "ready"
TIMEOUT = Outcome.TIMEOUT.value


@attrs.frozen
class Claim:
    """What a design said in the end.

    Args:
        outcome: Why it is ready; `READY` if the design knows of no reasons; or `TIMEOUT`.
        detail: What it said in its own words.
    """

    outcome: str
    detail: str = ""


@attrs.frozen
class Place:
    """Where a program is started.

    Args:
        server: The tmux server.
        directory: The program's directory, which is also its home.
        env: What it finds in its environment besides ours.
    """

    server: Server
    directory: Path
    env: Mapping[str, str]


class Stage(Protocol):
    """One running program, driven by one design."""

    tty: str

    def rehearse(self, turn: Turn | None) -> None:
        """Carry out a turn that is not measured; None is the program's start."""
        ...

    def act(self, turn: Turn) -> None:
        """Type or press, as the design does."""
        ...

    def wait(self, limit: float) -> Claim:
        """Wait until the program is ready, as the design does."""
        ...

    def screen(self) -> str | None:
        """Return what the program shows, or None if the program is gone."""
        ...

    def close(self) -> None:
        """End the program."""
        ...


class PaneStage(ABC):
    """A program in a pane of the private server.

    Args:
        program: What to start.
        place: Where to.
    """

    def __init__(self, program: Program, place: Place) -> None:
        self.server = place.server
        self.terminal = place.server.terminal
        self.pane, self.tty, self._pid = place.server.open(program, place.directory, place.env)
        self.console = Console(self.terminal, self.pane)

    def rehearse(self, turn: Turn | None) -> None:
        """Bring the program to where the measurement begins; that is the same hand for all."""
        if turn is not None:
            self.type(turn)
        self.console.wait_ready(20.0 if turn is None else turn.timeout)

    @abstractmethod
    def act(self, turn: Turn) -> None:
        """Type or press."""

    @abstractmethod
    def wait(self, limit: float) -> Claim:
        """Wait until the program is ready."""

    def screen(self) -> str | None:
        """Return what the pane shows, or None if it is gone."""
        try:
            return self.terminal.observe(self.pane).text
        except PaneNotFoundError:
            return None

    def close(self) -> None:
        """Kill the pane and what runs in it."""
        self.server.close(self.pane, self._pid)

    def type(self, turn: Turn) -> None:
        """Type or press as tmuxprim does."""
        if turn.text is None:
            self.console.keys(*turn.keys)
        else:
            self.console.send(turn.text)
