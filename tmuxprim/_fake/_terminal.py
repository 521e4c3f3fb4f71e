"""`FakeTerminal`: the `Terminal` protocol in memory, for unit tests.

It refuses what tmux refuses, with the same exceptions; `TerminalContract` holds it to that.
"""

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from tmuxprim._errors import (
    TmuxCommandError,
    TmuxServerError,
)
from tmuxprim._fake._bell import FakeBell
from tmuxprim._fake._clock import FakeClock
from tmuxprim._fake._display import Display
from tmuxprim._fake._input import to_characters
from tmuxprim._fake._programs import ScriptedShell
from tmuxprim._fake._tty import FakeTty, Program
from tmuxprim._pane import Pane
from tmuxprim._refusals import (
    check_command,
    check_history,
    check_session_name,
    pane_not_found,
    refuse_if_deaf,
)
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size
from tmuxprim._terminal import DEFAULT_SIZE
from tmuxprim._tty import TtyState


@attrs.frozen
class Sent:
    """Is one delivery of keys to a fake pane.

    Args:
        pane: Where it went.
        keys: What was typed.
        at: When, in seconds of virtual time.
    """

    pane: Pane
    keys: KeySequence
    at: float


@attrs.define
class _FakePane:
    name: str
    tty: FakeTty
    display: Display
    mode: str = ""
    input_off: bool = False
    synchronized: bool = False
    pid: int = 0


class FakeTerminal:
    """Is a terminal in memory, on which time is virtual and waiting takes no time.

    A program reacts to keys a moment after they were typed, as a real one does; a test that
    reads the screen without waiting sees it too early here, too.

    Args:
        programs: What ``open`` can start, by the first word of the command. ``sh`` is also
            what a pane without a command runs; there is a plain shell if you give none.
        clock: The virtual clock; one of its own if None.
        reaction: Seconds of virtual time that a program takes to react.
        evidence: Whether there is kernel evidence; False plays a remote tmux server.
        remain_on_exit: Whether a pane whose program has ended stays, dead, as with tmux's
            option of that name.
        history_limit: Rows of history that a pane keeps.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.send("echo hi")
        >>> console.wait_ready().outcome
        <Outcome.PROMPT: 'prompt'>
    """

    def __init__(
        self,
        *,
        programs: Mapping[str, Program] | None = None,
        clock: FakeClock | None = None,
        reaction: float = 0.001,
        evidence: bool = True,
        remain_on_exit: bool = False,
        history_limit: int = 2000,
    ) -> None:
        self._programs: dict[str, Program] = {"sh": ScriptedShell(), **(programs or {})}
        self._clock = clock or FakeClock()
        self._reaction = reaction
        self._evidence = evidence
        self.remain_on_exit = remain_on_exit
        self._history_limit = history_limit
        self._numbers = itertools.count()
        self._panes: dict[Pane, _FakePane] = {}
        self._ids: dict[str, Pane] = {}
        self._sent: list[Sent] = []

    def __repr__(self) -> str:
        return f"FakeTerminal(panes={[str(pane) for pane in self._panes]}, now={self._clock.now()})"

    @property
    def clock(self) -> FakeClock:
        """The virtual clock; ``clock.sleep(60)`` lets a minute pass at once."""
        return self._clock

    def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = DEFAULT_SIZE,
        cwd: str | Path | None = None,  # noqa: ARG002  # a scripted program has no folder
        env: Mapping[str, str] | None = None,  # noqa: ARG002  # and no environment
        name: str | None = None,
    ) -> Pane:
        """Start a program in a new pane; see `Terminal.open`.

        Raises:
            InvalidTextError: If *command* names no program.
            LookupError: If the fake was given no program of that name.
            TmuxCommandError: If a pane of that name is there already.
        """
        check_command(command)
        program = "sh" if command is None else _first_word(command)
        if program not in self._programs:
            raise LookupError(
                f"this FakeTerminal has no program {program!r}, only {sorted(self._programs)}; "
                "give it one: FakeTerminal(programs={...})"
            )
        taken = {other.name for other in self._living().values()}
        if name is not None and check_session_name(name) in taken:
            raise TmuxCommandError(("new-session", "-s", name), 1, f"duplicate session: {name}")
        number = next(self._numbers)
        name = name or next(free for n in itertools.count(number) if (free := str(n)) not in taken)
        pane, display, pid = (
            Pane(f"%{number}"),
            Display(size, self._history_limit),
            1000 * (number + 1),
        )
        tty = FakeTty(
            self._programs[program],
            program,
            pid=pid,
            display=display,
            clock=self._clock,
            reaction=self._reaction,
        )
        self._panes[pane] = _FakePane(name, tty, display, pid=pid)
        self._ids |= {name: pane, f"{name}:0": pane}
        return pane

    def close(self, pane: Pane) -> None:
        """End a pane and its program; see `Terminal.close`."""
        for found in [self._by_name(pane)] if self._by_name(pane) in self._living() else []:
            self._panes.pop(found).tty.hang_up()

    def panes(self) -> tuple[Pane, ...]:
        """Return the ids of the panes; see `Terminal.panes`."""
        return tuple(self._living())

    def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; an id is returned as it is, unchecked."""
        if pane.is_id:
            return pane
        self._get(pane)
        return self._by_name(pane)

    def send(self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False) -> Screen:
        """Type *keys* if the pane takes input; see `Terminal.send`."""
        found, screen = self._get(pane), self.observe(pane)
        refuse_if_deaf(pane, screen, leave_mode=leave_mode)
        found.mode = ""
        self._sent.append(Sent(self._by_name(pane), keys, self._clock.now()))
        found.tty.type(to_characters(keys, bracketed=found.display.bracketed_paste))
        return screen

    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Return the screen and its state; see `Terminal.observe`."""
        check_history(history)
        found = self._get(pane)
        display, tty = found.display, found.tty
        above = min(history, len(display.history))
        return Screen(
            size=display.grid.size,
            rows=display.grid.rows,
            cursor=display.cursor,
            history=tuple(display.history[-above:]) if above else (),
            layout=display.layout.part(len(display.history) - above),
            history_size=len(display.history),
            history_limit=self._history_limit,
            cursor_visible=display.cursor_visible,
            alternate=display.is_alternate,
            mode=found.mode,
            input_off=found.input_off,
            synchronized=found.synchronized,
            dead=not tty.is_alive,
            exit_status=tty.exit_status,
            title=display.title,
            command=tty.command,
            pane_pid=found.pid,
            tty=f"/dev/pts/{self._by_name(pane).target[1:]}",
        )

    def probe(self, pane: Pane) -> TtyState | None:
        """Return the scripted program's line discipline; see `Terminal.probe`."""
        tty = self._get(pane).tty
        return tty.state() if self._evidence and tty.is_alive else None

    def listen(self, pane: Pane) -> FakeBell:
        """Return a bell that rings when the scripted program writes; see `Terminal.listen`."""
        return FakeBell(self._get(pane).display, self._clock)

    def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of the pane; rows are cut or padded."""
        self._get(pane).display.resize(size)

    def sent(self, pane: Pane | None = None) -> tuple[Sent, ...]:
        """Return everything that was sent, in order, to one pane or to all."""
        wanted = pane and self._by_name(pane)
        return tuple(sent for sent in self._sent if wanted is None or sent.pane == wanted)

    def set_mode(self, pane: Pane, mode: str) -> None:
        """Put the pane into a tmux mode such as ``copy-mode``; empty leaves it."""
        self._get(pane).mode = mode

    def set_input(self, pane: Pane, *, on: bool) -> None:
        """Switch the pane's input on or off, as ``select-pane -e`` and ``-d`` do."""
        self._get(pane).input_off = not on

    def set_synchronized(self, pane: Pane, *, on: bool) -> None:
        """Let what is typed go to other panes, too, as ``synchronize-panes`` does."""
        self._get(pane).synchronized = on

    def _living(self) -> dict[Pane, _FakePane]:
        """Return the panes there are; one whose program has ended goes, unless it remains."""
        if not self.remain_on_exit:
            self._panes = {p: found for p, found in self._panes.items() if found.tty.is_alive}
        return self._panes

    def _by_name(self, pane: Pane) -> Pane:
        """Return the id of a pane; also of one that has gone, for asking what it was sent."""
        return pane if pane.is_id else self._ids.get(pane.target.removesuffix(".0"), pane)

    def _get(self, pane: Pane) -> _FakePane:
        living = self._living()
        if not living:
            raise TmuxServerError("there is no tmux server with a pane; Terminal.open() starts one")
        found = living.get(self._by_name(pane))
        if found is None:
            raise pane_not_found(pane)
        return found


def _first_word(command: str | Sequence[str]) -> str:
    return (command.split() if isinstance(command, str) else command)[0]
