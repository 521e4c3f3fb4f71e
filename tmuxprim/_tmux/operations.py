"""The operations of a terminal on a tmux server, as generators of calls for every transport."""

import itertools
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import lru_cache, partial, wraps
from types import NoneType
from typing import TYPE_CHECKING, Final, NamedTuple, ParamSpec, TypeAlias, TypeVar

import attrs

from tmuxprim._kernel.files import LocalFiles, is_alive
from tmuxprim._kernel.interrupt import interrupt_group
from tmuxprim._kernel.probe import probe_tty
from tmuxprim._kernel.procfs import Procfs
from tmuxprim._terminal import OpenRequest
from tmuxprim._tmux.answers import (
    LIST_NAMES,
    LIST_PANES,
    PLACING,
    WAIT,
    identity_command,
    is_as_new,
    lacks_server,
    parse_opened,
    parse_panes,
    parse_rest,
    parse_snapshot,
    parse_text,
    pick_pane,
    preview_commands,
    read_commands,
    server_was_exiting,
    snapshot_commands,
    style_command,
    without_server,
)
from tmuxprim._tmux.beside import Beside, Printed, Wait, Waited
from tmuxprim._tmux.commands import (
    OTHERWISE,
    Action,
    Buffer,
    TmuxCall,
    Words,
    action,
    batches,
    call,
    guarded,
    guarded_as_expected,
    kill_pane,
    open_session,
    pipe_pane,
    resize_pane,
    set_up_if_started,
    typing_actions,
)
from tmuxprim._tmux.launch import no_tap, refuse_missing_program, to_integrated
from tmuxprim._tmux.versions import CATCHES_UP, PASTES_ESCAPED, parse_version
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import (
    NOTHING,
    UNDELIVERED,
    check_command,
    check_history,
    check_limit,
    check_words,
    pane_exists,
    partly,
    refuse_if_unavailable,
    refuse_tap,
    to_program,
    to_start,
)
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, SizeLike, to_size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import (
    InvalidTextError,
    PaneBusyError,
    PaneNotFoundError,
    TapUnavailableError,
    TmuxCommandError,
    TmuxprimError,
    TmuxServerError,
    TmuxTimeoutError,
)

if TYPE_CHECKING:
    from tmuxprim._tmux.tap import FileTap

# Calls that are kept with their text, which takes as long to quote as tmux takes to answer.
_MOST_CALLS: Final = 1024

T = TypeVar("T")
Steps: TypeAlias = Generator[TmuxCall, str, T]
"""Calls, one after another: each yield returns what tmux printed."""
TimedSteps: TypeAlias = Generator[TmuxCall | float, str, T]
"""Calls and pauses, in seconds, which nothing answers."""


P = ParamSpec("P")
Y = TypeVar("Y")


def _of_a_pane(steps: Callable[P, Generator[Y, str, T]]) -> Callable[P, Generator[Y, str, T]]:
    """Have steps say that the pane is gone, if its server is: it goes with its last pane."""

    @wraps(steps)
    def checked(*args: P.args, **kwargs: P.kwargs) -> Generator[Y, str, T]:
        try:
            return (yield from steps(*args, **kwargs))
        except TmuxServerError as error:
            raise without_server(error) from error.__cause__

    return checked


class PaneDevice(NamedTuple):
    """The terminal device of a pane, and the program that the pane was opened with."""

    path: str
    pane_pid: int
    server: str
    catches_up: bool
    """Whether this tmux reads what programs have written between two snapshots."""


class Operations:
    """The operations of one terminal; it remembers each pane's device, and names paste buffers.

    Attributes:
        waits_there: Whether waits are for the pane's machine, as long as none has failed there.

    Raises:
        InvalidScreenError: If *history_limit* is no number of rows.
    """

    def __init__(
        self,
        history_limit: int | None = None,
        *,
        is_local: bool = False,
        has_stdin: bool = True,
        has_shell: bool = False,
        waits_there: bool = False,
    ) -> None:
        if history_limit is not None:
            check_limit(history_limit)
        self._history_limit = history_limit
        self._is_local = is_local
        self._has_stdin = has_stdin
        self._has_shell = self._is_told = has_shell
        self.waits_there = waits_there
        self._procfs = Procfs(LocalFiles())
        self._devices: dict[Pane, PaneDevice] = {}
        # A generator raises an error if two threads ask it at once. A forked process counts on as
        # its parent does.
        self._buffer_names = map(  # noqa: C417  # a generator would be its advice
            lambda number: f"tmuxprim-{os.getpid()}-{id(self):x}-{number}", itertools.count()
        )

    def panes(self) -> Steps[tuple[PaneInfo, ...]]:
        """Return all panes of the server; none if there is none."""
        try:
            return parse_panes((yield call(LIST_PANES)))
        except TmuxServerError as error:
            if not lacks_server(error):
                raise
            return ()

    @_of_a_pane
    def resolve(self, pane: Pane) -> Steps[Pane]:
        """Return the pane by its id and its server."""
        check_type("pane", pane, Pane)
        return pane if pane.server else pick_pane((yield call(LIST_NAMES)), pane)

    @_of_a_pane
    def observe(self, pane: Pane, history: int, *, styled: bool = False) -> Steps[Screen]:
        """Return the screen and its state, of one turn of the server."""
        return (yield from self._look(pane, history, styled=styled, wait=Wait()))[0]

    @_of_a_pane
    def observe_change(self, pane: Pane, history: int, wait: Wait) -> Steps[tuple[Screen, Waited]]:
        """Wait on the machine of the pane for a change, and return the screen as `observe` does."""
        return (yield from self._look(pane, history, styled=False, wait=wait))

    def _look(
        self, pane: Pane, history: int, *, styled: bool, wait: Wait
    ) -> Steps[tuple[Screen, Waited]]:
        check_history(history)
        pane = yield from self._by_id(pane)
        device = self._device_of(pane)
        # A server that came after the one that was seen may be an older tmux.
        previews = device is not None and device.catches_up and device.server == pane.server
        look = _snapshot(pane, history, previews=previews, styled=styled)
        parse = partial(
            self._parse_snapshot, pane=pane, history=history, previewed=previews, styled=styled
        )
        if device is None or not self._has_shell:
            return parse((yield look)), Waited()
        beside = Beside(device.path, device.pane_pid)
        try:
            words = beside.words(wait)
            printed = Printed.split((yield attrs.evolve(look, by=words)))
        except TmuxTimeoutError:
            raise
        except TmuxprimError:
            if wait.seconds:
                raise
            # A launcher may be allowed to start tmux only, or have a login shell that reads words
            # in another way. An error of tmux's comes again.
            screen = parse((yield look))
            self._has_shell = self._is_told = False
            return screen, Waited()
        screen = parse(printed.answer)
        evidence = beside.states(printed.before, printed.after)
        self._is_told = evidence != (None, None)
        return attrs.evolve(screen, evidence=evidence), Waited.parse(printed.waited)

    @_of_a_pane
    def read(self, pane: Pane, history: int) -> Steps[str]:
        """Return the text of the screen and its history."""
        check_history(history)
        pane = yield from self._by_id(pane)
        return parse_text((yield _text(pane, history)), pane, history)

    @_of_a_pane
    def resize(self, pane: Pane, size: SizeLike) -> Steps[None]:
        """Change the size of the pane, or of its window if it is alone in it."""
        checked = to_size(size)
        pane = yield from self._by_id(pane)
        identity = call(identity_command(pane))
        parse_rest((yield call(*resize_pane(pane, checked), head=identity)), pane)

    @_of_a_pane
    def tap(
        self,
        pane: Pane,
        keys: KeySequence | None,
        *,
        leave_mode: bool = False,
        seen: Screen | None = None,
    ) -> "TimedSteps[FileTap]":
        """Return a tap on the pane's program, whose shell has started.

        *keys* are typed in the turn of the server in which it begins.
        """
        if not self._is_local:
            raise no_tap()
        from tmuxprim._tmux.tap import LONG_PAUSE, FileTap  # noqa: PLC0415  # few have one

        pane = yield from self._by_id(pane)
        tap = FileTap()
        try:
            if keys is None:
                sending = self._send_guarded(pane, (), leave_mode=False, tap=tap)
            else:
                sending = self._type(pane, keys, leave_mode=leave_mode, seen=seen, tap=tap)
            tap.screen = yield from sending
            asks = call(identity_command(pane), _ask(pane, "#{pane_pipe}"))
            for pause in tap.starting():
                yield pause
                if pause >= LONG_PAUSE:
                    tap.is_piped = parse_rest((yield asks), pane) == "1\n"
        except TapUnavailableError as error:
            tap.drop()
            if keys is None:
                raise
            tap.unavailable = str(error)
        except BaseException:
            tap.drop()
            raise
        return tap

    def close(self, pane: Pane) -> Steps[None]:
        """End the pane, if it is there."""
        with suppress(PaneNotFoundError):
            yield from self._kill(pane)

    @_of_a_pane
    def _kill(self, pane: Pane) -> Steps[None]:
        pane = yield from self._by_id(pane)
        self._devices.pop(pane, None)
        yield TmuxCall((kill_pane(pane),), ends=pane)

    @_of_a_pane
    def probe(self, pane: Pane) -> Steps[TtyState | None]:
        """Ask the kernel about the pane's terminal; None of another machine's without a shell."""
        if self._is_told:  # a machine that has told nothing is not asked in vain
            yield from self._device(pane)
            screen = yield from self.observe(pane, 0)
            return screen.evidence[1] if screen.evidence else None
        if not self._is_local:
            return None
        path, pane_pid = yield from self._device(pane)
        return probe_tty(path, pane_pid, self._procfs)

    @_of_a_pane
    def interrupt_group(self, pane: Pane, group: int) -> Steps[None]:
        """Send SIGINT to the foreground group of the pane's terminal, if that is still *group*."""
        if self._is_told or not self._is_local:
            raise PaneBusyError(
                f"{NOTHING}: a signal reaches only programs of this machine; press the program's "
                "own key"
            )
        path, pane_pid = yield from self._device(pane)
        interrupt_group(probe_tty(path, pane_pid, self._procfs), group)

    @_of_a_pane
    def watchable_tty(self, pane: Pane) -> Steps[str | None]:
        """Return the pane's terminal device, whose writes can be watched, if there is one."""
        if not self._is_local:
            return None
        path, pane_pid = yield from self._device(pane)
        # The terminal of a program that has ended may be another pane's by now.
        return path if is_alive(pane_pid) else None

    def _device(self, pane: Pane) -> Steps[tuple[str, int]]:
        """Return the pane's terminal device and its program's process, by the last snapshot."""
        pane = yield from self._by_id(pane)
        if (device := self._device_of(pane)) is not None:
            return device.path, device.pane_pid
        screen = yield from self.observe(pane, 0)
        return screen.tty, screen.pane_pid

    def _device_of(self, pane: Pane) -> PaneDevice | None:
        known = self._devices.get(pane)
        return known if known is not None and pane.server in ("", known.server) else None

    def _by_id(self, pane: Pane) -> Steps[Pane]:
        """Return the pane by an id, which may be of any server."""
        check_type("pane", pane, Pane)
        return pane if pane.is_id else (yield from self.resolve(pane))

    def open(self, request: OpenRequest) -> Steps[Pane]:
        """Open a pane in a new session, starting the server if need be."""
        words = self._words_to_open(request)
        client_id = os.urandom(8).hex()
        set_up = set_up_if_started(client_id, self._history_limit)
        opening = TmuxCall((set_up, words), is_repeatable=False, client_id=client_id)
        try:
            answer = yield opening
        except TmuxCommandError as error:
            name = request.name
            if name is not None and f"duplicate session: {name}" in error.stderr:
                raise pane_exists(name) from error
            raise
        except TmuxServerError as error:
            if not server_was_exiting(error):
                raise
            # The old server, with no pane left, was just going when we called. It has not taken
            # the command: a server leaves only when it has no client any more. Now it is gone.
            answer = yield opening
        if not answer:
            raise TmuxServerError(
                "tmux opened no pane and does not say why: the server was ended just then, its "
                "socket cannot be made there, or a launcher passes no input on ('docker exec -i')"
            )
        pane, opened = parse_opened(answer)
        if opened != request.size:  # see `versions`
            try:
                yield from self.resize(pane, request.size)
            except TmuxprimError:
                yield from self.close(pane)
                raise
        return pane

    def _words_to_open(self, request: OpenRequest) -> Words:
        """Return the command that opens a pane; refuse arguments that make no sense."""
        command, integrates = request.command, request.shell_integration
        check_command(command)
        if integrates and not self._is_local:
            raise InvalidTextError(
                "shell_integration is for shells of this machine, since they read its files; it "
                "does not work behind a launcher or an exec"
            )
        program = to_integrated(command) if integrates else command
        started, variables = to_start(program, request.env)
        directory = None if request.cwd is None else os.fspath(request.cwd)
        words = open_session(
            started, size=request.size, cwd=directory, env=variables, name=request.name
        )
        check_words(words)
        if self._is_local:
            named = to_program(command) if integrates else command
            refuse_missing_program(named, directory, request.env or {})
        return words

    @_of_a_pane
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool, seen: Screen | None
    ) -> Steps[Screen]:
        """Type *keys* if the pane takes input; return the screen from right before."""
        pane = yield from self._by_id(pane)
        return (yield from self._type(pane, keys, leave_mode=leave_mode, seen=seen))

    def _type(
        self,
        pane: Pane,
        keys: KeySequence,
        *,
        leave_mode: bool,
        seen: Screen | None,
        tap: "FileTap | None" = None,
    ) -> Steps[Screen]:
        """Type *keys*; see `send`. A tap gets all that is written from right before on."""
        check_type("seen", seen, Screen, NoneType)
        actions = typing_actions(pane, keys, self._buffer_names)
        if seen is not None and (quick := self._as_expected(pane, actions, seen, tap)) is not None:
            answer = yield quick
            if OTHERWISE not in answer:  # a hook may have printed something
                if tap is not None:
                    tap.is_as_new = is_as_new(answer.partition("\n")[0], seen.size)
                return seen
        loaded: list[str] = []
        try:
            groups = batches((yield from self._load(pane, actions, loaded)))
            for number, batch in enumerate(groups):
                try:
                    screen = yield from self._send_guarded(
                        pane, batch, leave_mode=leave_mode, tap=None if number else tap
                    )
                    refuse_if_unavailable(pane, screen, leave_mode=leave_mode)
                except UNDELIVERED as error:
                    if number:
                        sent = f"{number} of {len(groups)} parts of the keys have been sent"
                        raise partly(error, sent) from error
                    raise
        except TmuxprimError:
            yield from _drop(loaded)
            raise
        return screen

    def _load(self, pane: Pane, actions: Sequence[Action], loaded: list[str]) -> Steps[list[Words]]:
        """Return the commands that carry out *actions*, with their buffers loaded."""
        commands: list[Words] = []
        for typed in actions:
            if isinstance(typed, Buffer):
                loaded.append(typed.name)
                head = call(_ask(pane, "#{version}"))
                if self._has_stdin:
                    load = ("load-buffer", "-b", typed.name, "-")
                    version = yield call(load, head=head, stdin=typed.text.encode())
                else:
                    version = yield head
                    for batch in batches(typed.pieces):
                        yield action(*batch)
                raw_flag = parse_version(version) >= PASTES_ESCAPED
                commands.append(typed.paste(pane, raw_flag=raw_flag))
            else:
                commands.append(typed)
        return commands

    @_of_a_pane
    def _send_guarded(
        self, pane: Pane, commands: Sequence[Words], *, leave_mode: bool, tap: "FileTap | None"
    ) -> Steps[Screen]:
        has_work = commands or leave_mode
        if tap is None:
            delivery = (guarded(pane, commands, leave_mode=leave_mode),) if has_work else ()
            answer = yield action(*delivery, head=_snapshot(pane, 0, previews=False))
            return self._parse_sent(answer, pane)
        if has_work:
            pipe = guarded(pane, commands, leave_mode=leave_mode, pipes_to=tap.command)
        else:
            pipe = pipe_pane(pane, tap.command)
        head = call(*self._waits(pane), _ask(pane, PLACING), *snapshot_commands(pane, 0))
        answer = yield action(pipe, head=head)
        placing, _, snapshot = answer.partition("\n")
        screen = self._parse_sent(snapshot, pane)
        if has_work:
            refuse_if_unavailable(pane, screen, leave_mode=leave_mode)
        refuse_tap(pane, screen, is_piped=placing.startswith("1"))
        tap.is_as_new = is_as_new(placing, screen.size)
        return screen

    def _parse_sent(self, answer: str, pane: Pane) -> Screen:
        """Return the screen from right before keys were sent.

        Raises:
            TmuxCommandError: If the answer is not tmux's.
        """
        try:
            return self._parse_snapshot(answer, pane, 0, previewed=False)
        except TmuxCommandError as error:
            why = f"the keys may have been sent; {error.stderr}"
            raise TmuxCommandError(error.argv, error.exit_status, why) from error

    def _waits(self, pane: Pane) -> tuple[Words, ...]:
        """Return the calls by which tmux notices that a tap was just closed."""
        device = self._device_of(pane)
        return (WAIT,) if device is not None and device.catches_up else ()

    def _as_expected(
        self, pane: Pane, actions: Sequence[Action], seen: Screen, tap: "FileTap | None"
    ) -> TmuxCall | None:
        """Return the call that carries out *actions*, in one piece, if the pane is as *seen*."""
        commands = [typed for typed in actions if not isinstance(typed, Buffer)]
        if not commands or len(commands) != len(actions) or len(batches(commands)) > 1:
            return None
        if tap is None:
            return action(guarded_as_expected(pane, commands, seen))
        commands = [_ask(pane, PLACING), *commands]
        quick = guarded_as_expected(pane, commands, seen, pipes_to=tap.command)
        return action(*self._waits(pane), quick)

    def _parse_snapshot(
        self, answer: str, pane: Pane, history: int, *, previewed: bool, styled: bool = False
    ) -> Screen:
        """Return the screen of a snapshot, and remember the pane's device."""
        screen, server, version = parse_snapshot(
            answer, pane, history, previewed=previewed, styled=styled
        )
        if pane not in self._devices:
            # A server may run for weeks, so panes whose programs have ended are forgotten.
            for known, device in self._devices.copy().items():
                if not is_alive(device.pane_pid):
                    self._devices.pop(known, None)  # another thread may have been quicker
        self._devices[pane] = PaneDevice(screen.tty, screen.pane_pid, server, version >= CATCHES_UP)
        return screen


@lru_cache(_MOST_CALLS)
def _snapshot(pane: Pane, history: int, *, previews: bool, styled: bool = False) -> TmuxCall:
    preview = preview_commands(pane) if previews else ()
    styles = (style_command(pane),) if styled else ()
    return call(*preview, *snapshot_commands(pane, history), *styles)


@lru_cache(_MOST_CALLS)
def _text(pane: Pane, history: int) -> TmuxCall:
    return call(*read_commands(pane, history))


def _ask(pane: Pane, form: str) -> Words:
    """Return the command that prints a format."""
    return ("display-message", "-p", "-t", pane.target, form)


def _drop(buffers: Sequence[str]) -> Steps[None]:
    for name in buffers:
        # A batch that went through has deleted its own.
        with suppress(TmuxprimError):
            yield call(("delete-buffer", "-b", name))
