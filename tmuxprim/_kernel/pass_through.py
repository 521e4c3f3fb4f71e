"""Pass-through programs: they make a terminal for another program, and pass its text on.

script, socat and tmux are some. `PassThroughs` finds the inner terminal. Most of these programs
read the outer terminal themselves. Others hand it to another process, which `Servers` finds: a
client of tmux or screen hands it to its server, and gpg to the agent that asks for the passphrase.
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
# gpg-agent starts it to ask for a passphrase, on the terminal of the gpg or git that waits for it.
_PINENTRY: Final = "pinentry"


class InnerTerminal(NamedTuple):
    """A terminal behind a pass-through program.

    Args:
        path: Its device, by the root directory of the pass-through program.
        program: A process whose terminal it is.
    """

    path: str
    program: int


class PassThroughs:
    """Finds the inner terminal of a pass-through program, and remembers which one that was."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._known: dict[int, tuple[int | None, int | None]] = {}

    def inner_terminal(
        self, device: int, leader: int | None, pass_through: int | None
    ) -> InnerTerminal | None:
        """Return the terminal whose programs are shown on another one; None if there is none.

        Args:
            device: The terminal in front.
            leader: The leader of its foreground group.
            pass_through: The process that reads it now and passes keys on; None without any.
        """
        # A pass-through program that works does not read, but still shows the inner terminal.
        known_leader, known_pass_through = self._known.get(device, (None, None))
        if pass_through is None and leader == known_leader:
            pass_through = known_pass_through
        inner = None if pass_through is None else self._made_by(pass_through)
        self._known[device] = (leader, pass_through if inner else None)
        return inner

    def _made_by(self, pass_through: int) -> InnerTerminal | None:
        """Return the terminal that a process has made for what it has started, if it is one.

        With several it is None: the kernel does not report which one is shown.
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
                # mc stops its shell while it shows its own panels.
                return None if stat.is_stopped else InnerTerminal(path, child)
        return None


class Servers:
    """Finds the process to which a program has handed its terminal."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._known: dict[int, tuple[tuple[int, int | None], int | None]] = {}

    def is_client(self, leader: int, *, none_reads: bool) -> bool:
        """Whether a leader hands its terminal to a server.

        A multiplexer always does. A client of ssh does if it shares a connection. That is looked
        for only if *none_reads*: the kernel reports that no process of the group reads.
        """
        program = program_called(self._processes.name(leader))
        return program.hands_on_terminal if none_reads else program.is_multiplexer

    def is_multiplexer_server(self, process: int) -> bool:
        """Whether a process is of a multiplexer, which shows terminals of its own on another."""
        return program_called(self._processes.name(process)).is_multiplexer

    def find_owner(self, leader: int, device: int, *, is_client: bool) -> int | None:
        """Return the process to which a leader has handed its terminal, if there is one.

        A client has always handed it on. Without a client, the pinentry of an agent may have it.
        """
        # The last answer holds while the leader has not run: to hand the terminal over wakes it.
        asleep = leader, self._processes.wakeups(leader, leader)
        known, server = self._known.get(device, (None, None))
        if known != asleep or (server and self._processes.stat(server) is None):
            name = bare_name(self._processes.name(leader)) if is_client else _PINENTRY
            server = self._find(name, device)
            self._known[device] = asleep, server
        return server

    def _find(self, name: str, device: int) -> int | None:
        """Return the process of a name that has a terminal open that is not its own."""
        for process in self._processes.called(name):
            stat = self._processes.stat(process)
            is_own = stat is None or stat.has_terminal(device)
            if not is_own and any(self._processes.files(process, device)):
                return process
        return None
