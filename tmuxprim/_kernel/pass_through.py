"""Terminals that a program makes for others, whose text it passes on: script, socat, tmux.

A relay reads the terminal itself. Others hand it on: a client of tmux or screen to its server, gpg
to the agent that asks for the passphrase.
"""

import os
import re
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._kernel.processes import Processes
from tmuxprim._kernel.wait_targets import PTMX
from tmuxprim._values.programs import bare_name, program_called

_INDEX: Final = re.compile(r"^tty-index:\s*(\d+)", re.MULTILINE)
_MAJOR: Final = 136  # of /dev/pts
# It asks for a passphrase where somebody waits for an agent, as gpg and git do for gpg-agent.
_PINENTRY: Final = "pinentry"


class Inner(NamedTuple):
    """A terminal behind a relay.

    Args:
        path: Its device, by the root directory of the relay.
        program: A process whose terminal it is.
    """

    path: str
    program: int


class PassThroughs:
    """Finds the terminal whose programs are shown on another one."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._known: dict[int, tuple[int | None, int | None]] = {}

    def behind(self, device: int, leader: int | None, pass_through: int | None) -> Inner | None:
        """Return the terminal behind another one; None if there is none.

        The *relay* is who reads the terminal in front, and passes on, if somebody does now. Who has
        passed on what another terminal shows does so still while it works.
        """
        known_leader, known_pass_through = self._known.get(device, (None, None))
        if pass_through is None and leader == known_leader:
            pass_through = known_pass_through
        inner = None if pass_through is None else self._made_by(pass_through)
        self._known[device] = (leader, pass_through if inner else None)
        return inner

    def _made_by(self, pass_through: int) -> Inner | None:
        """Return the terminal that a process has made for what it has started, if it is one.

        Who has made several shows them in turn, or none; that is not told.
        """
        made = set[str]()
        for number in self._processes.files(pass_through, PTMX):
            with suppress(OSError):
                made.update(
                    _INDEX.findall(self._processes.thread(pass_through).read(f"fdinfo/{number}"))
                )
        if len(made) != 1:
            return None
        index = made.pop()
        device = os.makedev(_MAJOR, int(index))
        for child, stat in self._processes.descendants(pass_through):
            if stat is not None and stat.has_terminal(device):
                path = f"{self._processes.root}/{pass_through}/root/dev/pts/{index}"
                # mc stops its shell while it shows its own panels
                return None if stat.is_stopped else Inner(path, child)
        return None


class Servers:
    """Finds the process that a program has let have its terminal."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._known: dict[int, tuple[tuple[int, int | None], int | None]] = {}

    def is_client(self, leader: int, *, is_told: bool) -> bool:
        """Whether a leader hands on its terminal; ssh does if it is told that nobody reads."""
        program = program_called(self._processes.name(leader))
        return program.hands_on_terminal if is_told else program.is_multiplexer

    def serves(self, process: int) -> bool:
        """Whether a process makes terminals, and shows some of them on another's."""
        return program_called(self._processes.name(process)).is_multiplexer

    def of(self, leader: int, device: int, *, is_client: bool) -> int | None:
        """Return the process that a leader has let have its terminal, if there is one.

        If the leader is no client, which hands on always, an agent may have asked for it.
        """
        # Who has got the terminal says so, which wakes the leader; who asks for an agent makes the
        # terminal raw, which it was not before.
        asleep = leader, self._processes.wakeups(leader, leader)
        known, server = self._known.get(device, (None, None))
        if known != asleep or (server and self._processes.stat(server) is None):
            name = bare_name(self._processes.name(leader)) if is_client else _PINENTRY
            server = self._find(name, device)
            self._known[device] = asleep, server
        return server

    def _find(self, name: str, device: int) -> int | None:
        """Return the process of a name that has a terminal open which is not its own."""
        for process in self._processes.called(name):
            stat = self._processes.stat(process)
            is_own = stat is None or stat.has_terminal(device)
            if not is_own and any(self._processes.files(process, device)):
                return process
        return None
