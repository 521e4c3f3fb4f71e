"""`FakeTerminal`: tmux in memory, with virtual time."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Unpack

from tmuxprim._fake.asserts import Expected, assert_screen, assert_sent
from tmuxprim._fake.clock import FakeClock
from tmuxprim._fake.display import Display
from tmuxprim._fake.requests import check_duration
from tmuxprim._fake.scripted_shell import ScriptedShell
from tmuxprim._fake.server import FakePane, FakeServer, Sent
from tmuxprim._fake.streams import FakeOutputHub, FakeOutputWatch, FakeTap
from tmuxprim._fake.tty import FakeTty, Program
from tmuxprim._terminal import KEPT_ROWS, OpenOptions, OpenRequest, SendOptions
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import (
    Command,
    check_command,
    check_history,
    check_limit,
    check_session_name,
    check_words,
    pane_exists,
    refuse_if_unavailable,
    refuse_tap,
    to_start,
)
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, SizeLike, is_meant, to_size
from tmuxprim._values.screen import Cursor, Screen
from tmuxprim._values.shell_integration import FOLDER, with_integration
from tmuxprim._values.style import Style
from tmuxprim.errors import ProgramNotFoundError

_SIGKILL = 9


class Faults:
    """Injects faults of a real terminal into a `FakeTerminal`, which has it as ``faults``.

    Examples:
        >>> terminal = FakeTerminal(timeout=5.0)
        >>> pane = terminal.open()
        >>> terminal.faults.hang(8.0)
        >>> terminal.observe(pane)
        Traceback (most recent call last):
        ...
        tmuxprim.errors.TmuxTimeoutError: tmux did not answer within 5 s; ...
        >>> terminal.observe(pane).last_line  # after the 3 s that are left
        '$'
        >>> terminal.faults.swallow(pane, "Enter")
        >>> _ = Console(terminal, pane).send("make")
        >>> terminal.clock.sleep(60.0)
        >>> terminal.observe(pane).last_line
        '$ make'
        >>> terminal.faults.kill(pane)
        >>> terminal.panes()
        ()
    """

    def __init__(self, server: FakeServer) -> None:
        self._server = server

    def kill(self, pane: Pane, signal: int = _SIGKILL) -> None:
        """End the pane's program by a signal.

        The pane closes, and the server ends with its last pane. With ``remain_on_exit`` the pane
        stays, dead.

        Args:
            pane: The pane.
            signal: The number of the signal.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        self._server.get(pane).tty.hang_up(signal)

    def stop_server(self) -> None:
        """End the server with all its panes; the next ``open`` starts another, with the old ids."""
        self._server.stop()

    def hang(self, seconds: float) -> None:
        """Let the server give no answer for a while, as if it were stopped.

        A call waits for its answer for the terminal's ``timeout`` at most. Then it raises
        `TmuxTimeoutError`, and the server carries the call out when it wakes up, as it does in
        control mode.

        Args:
            seconds: How long, in virtual time.

        Raises:
            ValueError: If *seconds* is negative.
        """
        check_duration(seconds)
        self._server.wakes_at = self._server.clock.now() + seconds

    def swallow(self, pane: Pane, key: str, times: int = 1) -> None:
        """Lose the next presses of a key on their way to the program.

        They are still recorded as sent, since tmux does not notice such a loss.

        Args:
            pane: The pane.
            key: The name of the key.
            times: How many presses to lose.

        Raises:
            InvalidKeyError: If there is no such key.
            ValueError: If *times* is less than 1.
        """
        check_type("times", times, int)
        if times < 1:
            raise ValueError(f"times is 1 or more, got {times}")
        self._server.get(pane).swallowed += [Key(key)] * times

    def output_in_pieces(self, pane: Pane, size: int = 1, delay: float = 0.01) -> None:
        """Show the output of the pane's program in pieces from now on.

        The program does nothing else until all of its output is written.

        Args:
            pane: The pane.
            size: Characters of a piece.
            delay: Seconds before each piece.

        Raises:
            ValueError: If *size* is less than 1, or *delay* is negative.
        """
        check_duration(delay)
        check_type("size", size, int)
        if size < 1:
            raise ValueError(f"a piece of output has at least 1 character, got {size}")
        self._server.get(pane).tty.output.in_pieces(size, delay)


class FakeTerminal:
    """A terminal in memory with virtual time, so that waiting takes no real time.

    As in a real terminal, a program reacts to keys a moment after they were typed. So a test that
    reads the screen without a wait also reads it too early here.

    Args:
        programs: The programs that ``open`` can start, by the first word of the command, with or
            without its directory, and behind ``env NAME=value``. A pane without a command runs
            ``sh``, which is a plain shell if you give none.
        clock: The virtual clock; None is a new one.
        reaction: Seconds of virtual time that a program takes to react.
        evidence: Whether there is kernel evidence; False imitates a remote tmux server.
        remain_on_exit: Whether a pane whose program has ended stays, dead, as with tmux's
            option of that name.
        history_limit: Rows of history that a pane keeps.
        timeout: Seconds of virtual time after which a call to a server that hangs gives up.

    Raises:
        InvalidScreenError: If *history_limit* is not a number of rows.
        TypeError: If one of *programs* is not a program.
        ValueError: If *reaction* is negative, or *timeout* is not above 0.

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
        history_limit: int = KEPT_ROWS,
        timeout: float = 5.0,
    ) -> None:
        self._programs = _checked(programs or {})
        self._clock = clock or FakeClock()
        check_duration(reaction)
        check_limit(history_limit)
        self._reaction = reaction
        self._evidence = evidence
        self._history_limit = history_limit
        self._processes = itertools.count(1000, 1000)
        self._sent: list[Sent] = []
        self._server = FakeServer(self._clock, timeout=timeout, remain_on_exit=remain_on_exit)
        self._faults = Faults(self._server)

    def __repr__(self) -> str:
        panes = [str(pane) for pane in self._server.panes()]
        return f"FakeTerminal(panes={panes}, now={self._clock.now()})"

    @property
    def clock(self) -> FakeClock:
        """The virtual clock; ``clock.sleep(60)`` lets a minute pass at once."""
        return self._clock

    @property
    def faults(self) -> Faults:
        """The faults that a test can inject: ``faults.kill(pane)``, ``faults.hang(8.0)``."""
        return self._faults

    @property
    def remain_on_exit(self) -> bool:
        """Whether a pane whose program has ended stays, dead."""
        return self._server.remain_on_exit

    @remain_on_exit.setter
    def remain_on_exit(self, on: bool) -> None:
        self._server.remain_on_exit = on

    def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Start a program in a new pane; see `Terminal.open`.

        A scripted program has no directory and no environment: *cwd* and *env* are only checked.
        With *shell_integration* a `ScriptedShell` reports each command. So does the default shell.

        Raises:
            InvalidPaneError: If *name* cannot be the name of a session.
            InvalidTextError: If *command* names no program, or a word of it, the directory or a
                variable holds a NUL or a lone surrogate.
            ProgramNotFoundError: If the fake has no program of that name.
            PaneExistsError: If a session of that name already exists.
        """
        request = OpenRequest(command, **options)
        check_command(command)
        if request.shell_integration and command is not None:
            with_integration(command, FOLDER)
        started, variables = to_start(command, request.env)
        if request.name is not None:
            check_session_name(request.name)
        words = [started] if isinstance(started, str) else started or ()
        # They would all be words of tmux's command line.
        check_words((*words, str(request.cwd or ""), *map("=".join, variables.items())))
        program = "sh" if started is None else self._name_of_program(started)
        return self._server.call("new-session", lambda: self._open(program, request))

    def close(self, pane: Pane) -> None:
        """End a pane and its program; see `Terminal.close`."""
        self._server.call("kill-pane", lambda: self._server.remove(pane))

    def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes; see `Terminal.panes`."""
        return self._server.call(
            "list-panes", lambda: tuple(pane.info() for pane in self._server.panes().values())
        )

    def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; see `Terminal.resolve`."""
        check_type("pane", pane, Pane)
        if pane.server:
            return pane
        return self._server.call("list-panes", lambda: self._server.get(pane).pane)

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys* if the pane takes input; see `Terminal.send`."""
        del seen  # a snapshot costs nothing here
        return self._server.call("send-keys", lambda: self._send(pane, keys, leave_mode=leave_mode))

    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen and its state; see `Terminal.observe`."""
        check_history(history)
        return self._server.call(
            "capture-pane", lambda: self._server.get(pane).snapshot(history, styled=styled)
        )

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the screen; see `Terminal.read`."""
        return self.observe(pane, history=history).text

    def probe(self, pane: Pane) -> TtyState | None:
        """Return the scripted program's line discipline; see `Terminal.probe`."""
        tty = self._server.get(pane).tty  # the kernel answers, even if the server hangs
        return tty.state() if self._evidence and tty.is_alive else None

    def watch_output(self, pane: Pane) -> FakeOutputWatch:
        """Return an output watch of the scripted program; see `Terminal.watch_output`."""
        return FakeOutputWatch(self._server.get(pane).display, self._clock)

    def watch_outputs(self) -> FakeOutputHub:
        """Return a watch on the output of many panes; see `OutputHub`."""
        return FakeOutputHub(lambda pane: self._server.get(pane).display, self._clock)

    def tap(
        self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]
    ) -> FakeTap:
        """Return a tap on the scripted program's output; see `Terminal.tap`."""
        return self._server.call("pipe-pane", lambda: self._tap(pane, keys, **how))

    def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size of the pane; lines are wrapped again; see `Terminal.resize`."""
        checked = to_size(size)
        self._server.call("resize-window", lambda: self._server.get(pane).resize(checked))

    def sent(self, pane: Pane | None = None) -> tuple[Sent, ...]:
        """Return all input that was sent, in order, to one pane or to all panes.

        Args:
            pane: The pane, which may be closed by now; None is all panes.

        Raises:
            PaneNotFoundError: If *pane* is a name, and no pane has that name now.
        """
        wanted = pane and self._server.id_of(pane)
        return tuple(sent for sent in self._sent if wanted is None or is_meant(wanted, sent.pane))

    def assert_sent(self, pane: Pane, *expected: Expected) -> None:
        """Fail unless exactly this was sent to a pane, and show both side by side.

        Args:
            pane: The pane; it may be closed by now.
            expected: The expected input, in order: texts, names of keys, `KeySequence`. For the
                text ``Enter`` instead of the key, give ``KeySequence.text("Enter")``.

        Raises:
            AssertionError: If the input differs.
            PaneNotFoundError: If *pane* is a name, and no pane has that name now.
        """
        assert_sent(pane, self.sent(pane), expected)

    def assert_screen(
        self,
        pane: Pane,
        expected: str | None = None,
        *,
        cursor: Cursor | None = None,
        styles: Mapping[str, Style] | None = None,
    ) -> None:
        """Fail with a diff unless a pane shows exactly this; see `testing.assert_screen`.

        Args:
            pane: The pane.
            expected: The text of the screen; None does not compare it.
            cursor: The place of the cursor; None does not compare it.
            styles: The look of texts that appear on the screen, by the text.

        Raises:
            AssertionError: If the screen differs.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If the server hangs.
        """
        screen = self.observe(pane, styled=True)
        assert_screen(screen, expected, cursor=cursor, styles=styles)

    def set_mode(self, pane: Pane, mode: str) -> None:
        """Put the pane into a tmux mode such as ``copy-mode``; empty leaves it.

        Args:
            pane: The pane.
            mode: The name of the mode.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        self._server.get(pane).mode = mode

    def set_input(self, pane: Pane, *, on: bool) -> None:
        """Switch the pane's input on or off, as ``select-pane -e`` and ``-d`` do.

        Args:
            pane: The pane.
            on: Whether it takes input.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        self._server.get(pane).input_off = not on

    def set_synchronized(self, pane: Pane, *, on: bool) -> None:
        """Switch on or off that typed keys also go to other panes (``synchronize-panes``).

        Args:
            pane: The pane.
            on: Whether others get its keys.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        self._server.get(pane).synchronized = on

    def _name_of_program(self, command: str | Sequence[str]) -> str:
        words = command.split() if isinstance(command, str) else command
        program = words[0]
        if isinstance(command, str) or program.rpartition("/")[2] == "env":
            program = next(itertools.dropwhile(_is_of_env, words), program)
        for name in (words[0], program, program.rpartition("/")[2]):
            if name in self._programs:
                return name
        raise ProgramNotFoundError(
            f"this FakeTerminal has no program {program!r}, only {sorted(self._programs)}; "
            "give it one: FakeTerminal(programs={...})"
        )

    def _open(self, program: str, request: OpenRequest) -> Pane:
        taken = {other.name for other in self._server.panes().values()}
        name = request.name
        if name is not None and name in taken:
            raise pane_exists(name)
        server = self._server
        server.start()
        session = str(next(server.sessions))
        while name is None and session in taken:
            session = str(next(server.sessions))
        name = name or session
        pane, pid, display = (
            Pane(f"%{next(server.numbers)}", server=server.name),
            next(self._processes),
            Display(request.size, self._history_limit),
        )
        runs = self._programs[program]
        if request.shell_integration and isinstance(runs, ScriptedShell):
            runs = runs.reporting()
        tty = FakeTty(
            runs,
            program,
            pid=pid,
            display=display,
            clock=self._clock,
            reaction=self._reaction,
        )
        server.add(FakePane(pane, name, pid, tty, display, request.shell_integration))
        return pane

    def _tap(
        self,
        pane: Pane,
        keys: KeySequence | None,
        *,
        leave_mode: bool = False,
        seen: Screen | None = None,
    ) -> FakeTap:
        del seen  # each snapshot is as quick
        found = self._server.get(pane)
        screen = found.snapshot(0)
        if keys is not None:
            refuse_if_unavailable(pane, screen, leave_mode=leave_mode)
        refuse_tap(pane, screen, is_piped=bool(found.display.taps))
        tap = FakeTap(found.display, screen)
        if keys is not None:
            self._send(pane, keys, leave_mode=leave_mode)
        return tap

    def _send(self, pane: Pane, keys: KeySequence, *, leave_mode: bool) -> Screen:
        check_type("keys", keys, KeySequence)
        found = self._server.get(pane)
        screen = found.snapshot(0)
        refuse_if_unavailable(pane, screen, leave_mode=leave_mode)
        found.mode = ""
        self._sent.append(Sent(found.pane, keys, self._clock.now()))
        found.type(keys)
        return screen


def _checked(programs: Mapping[str, Program]) -> dict[str, Program]:
    check_type("programs", programs, Mapping)
    for name, program in programs.items():
        if not callable(program):
            raise TypeError(
                f"a program is a generator function, or made by a call such as repl(...); "
                f"{name!r} is {program!r}"
            )
    return {"sh": ScriptedShell(), **programs}


def _is_of_env(word: str) -> bool:
    """Whether a word only sets the environment of the program behind it."""
    return word.rpartition("/")[2] == "env" or "=" in word
