"""What a terminal asks of a tmux server, written once for every transport.

What one call answers is a `Request`. What takes several is a generator of calls, which
`carry_out` and `carry_out_async` run.
"""

import itertools
import os
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from tmuxprim._terminal import StrPath
from tmuxprim._tmux.answers import (
    LIST_NAMES,
    LIST_PANES,
    PLACING,
    WAIT,
    glance_commands,
    identity_command,
    is_as_new,
    look_commands,
    parse_look,
    parse_opened,
    parse_panes,
    parse_rest,
    parse_text,
    pick_pane,
    style_command,
    text_command,
    was_leaving,
)
from tmuxprim._tmux.commands import (
    Action,
    Buffer,
    Call,
    Words,
    action,
    batches,
    call,
    guarded,
    guarded_as_seen,
    kill_pane,
    open_session,
    pipe_pane,
    resize_pane,
    set_up_if_started,
    typing_actions,
)
from tmuxprim._tmux.launch import refuse_missing_program
from tmuxprim._tmux.probe import is_alive
from tmuxprim._tmux.versions import CATCHES_UP, PASTES_ESCAPED, parse_version
from tmuxprim._values.checks import (
    UNDELIVERED,
    check_command,
    check_history,
    check_limit,
    check_words,
    pane_exists,
    pane_variables,
    partly,
    refuse_if_deaf,
    refuse_tap,
)
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, Size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import TmuxCommandError, TmuxprimError, TmuxServerError

# Calls that are kept with their text, which takes as long to quote as tmux takes to answer.
_MOST_CALLS: Final = 1024

T = TypeVar("T")
Steps: TypeAlias = Generator[Call, str, T]
"""Calls, one after another: each yield returns what tmux printed."""


class Request(NamedTuple, Generic[T]):
    """A call, and how its answer is read."""

    call: Call
    parse: Callable[[str], T]


def carry_out(steps: Steps[T], run: Callable[[Call], str]) -> T:
    """Run the calls of *steps* and return their result; errors are raised inside, at the call."""
    try:
        asked = next(steps)
        while True:
            try:
                answer = run(asked)
            except TmuxprimError as error:
                asked = steps.throw(error)
            else:
                asked = steps.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        steps.close()


async def carry_out_async(steps: Steps[T], run: Callable[[Call], Awaitable[str]]) -> T:
    """Run the calls of *steps* as `carry_out` does, and await their answers."""
    try:
        asked = next(steps)
        while True:
            try:
                answer = await run(asked)
            except TmuxprimError as error:
                asked = steps.throw(error)
            else:
                asked = steps.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        steps.close()


class Device(NamedTuple):
    """The terminal device of a pane, and the program that the pane was opened with."""

    path: str
    pane_pid: int
    server: str
    catches_up: bool
    """Whether this tmux reads what programs have written between two looks."""


class Operations:
    """The requests of one terminal; it remembers each pane's device, and names paste buffers.

    Args:
        history_limit: How many rows of history the panes of a server keep, at least, that `open`
            starts; None leaves that to tmux.
        is_local: Whether programs are those of this machine.

    Raises:
        InvalidScreenError: If *history_limit* is no number of rows.
    """

    def __init__(self, history_limit: int | None = None, *, is_local: bool = False) -> None:
        if history_limit is not None:
            check_limit(history_limit)
        self._history_limit = history_limit
        self._is_local = is_local
        self._devices: dict[Pane, Device] = {}
        # No generator, which threads that share it could find running.
        self._buffer_names = map(
            f"tmuxprim-{os.getpid()}-{id(self):x}-{{}}".format, itertools.count()
        )

    def panes(self) -> Request[tuple[PaneInfo, ...]]:
        """Ask for all panes of the server."""
        return Request(call(LIST_PANES), parse_panes)

    def resolve(self, pane: Pane) -> Request[Pane]:
        """Ask for the id of the pane."""
        return Request(call(LIST_NAMES), partial(pick_pane, pane=pane))

    def observe(self, pane: Pane, history: int, *, styled: bool = False) -> Request[Screen]:
        """Ask for the screen and its state, of one turn of the server."""
        check_history(history)
        device = self.device_of(pane)
        # A server that came after the one that was seen may be an older tmux.
        glances = device is not None and device.catches_up and device.server == pane.server
        parse = partial(
            self._parse_look, pane=pane, history=history, glanced=glances, styled=styled
        )
        return Request(_look(pane, history, glances=glances, styled=styled), parse)

    def read(self, pane: Pane, history: int) -> Request[str]:
        """Ask for what the screen and its history say."""
        check_history(history)
        return Request(_text(pane, history), partial(parse_text, pane=pane))

    def resize(self, pane: Pane, size: Size) -> Request[str]:
        """Change the size of the pane, or of its window if it is alone in it."""
        change = call(identity_command(pane), *resize_pane(pane, size), nested=2)
        return Request(change, partial(parse_rest, pane=pane))

    def tap(self, pane: Pane, command: str) -> Steps[tuple[Screen, bool]]:
        """Hand what the pane's program writes to *command*.

        Returns:
            The screen of that turn, and whether text goes there where it goes on a new screen.
        """
        device = self.device_of(pane)
        # In that time tmux notices that a tap which was just closed has ended.
        wait = (WAIT,) if device is not None and device.catches_up else ()
        asks = ("display-message", "-p", "-t", pane.target, PLACING)
        pipe = pipe_pane(pane, command)
        answer = yield action(*wait, asks, *look_commands(pane, 0), pipe, nested=1)
        placing, _, look = answer.partition("\n")
        screen = self._parse_look(look, pane, 0, glanced=False)
        refuse_tap(pane, screen, is_piped=placing.startswith("1"))
        return screen, is_as_new(placing, screen.size)

    def is_piped(self, pane: Pane) -> Request[bool]:
        """Ask whether what the pane's program writes goes somewhere."""
        asks = ("display-message", "-p", "-t", pane.target, "#{pane_pipe}")
        return Request(
            call(identity_command(pane), asks), lambda answer: parse_text(answer, pane) == "1"
        )

    def kill(self, pane: Pane) -> Call:
        """Return the call that ends the pane."""
        self._devices.pop(pane, None)
        return Call((kill_pane(pane),), ends=pane, nested=1)

    def device_of(self, pane: Pane) -> Device | None:
        """Return the pane's terminal device as of the last look, if there was one."""
        known = self._devices.get(pane)
        return known if known is not None and pane.server in ("", known.server) else None

    def open(
        self,
        command: str | Sequence[str] | None,
        *,
        size: Size,
        cwd: StrPath | None,
        env: Mapping[str, str] | None,
        name: str | None,
    ) -> Steps[Pane]:
        """Open a pane in a new session, starting the server if need be."""
        check_command(command)
        variables = pane_variables(env)
        folder = None if cwd is None else os.fspath(cwd)
        words = open_session(command, size=size, cwd=folder, env=variables, name=name)
        check_words(words)
        if self._is_local:
            refuse_missing_program(command, folder)
        opening = self._opening(words)
        try:
            answer = yield opening
        except TmuxCommandError as error:
            if name is not None and f"duplicate session: {name}" in error.stderr:
                raise pane_exists(name) from error
            raise
        except TmuxServerError as error:
            if not was_leaving(error):
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
        if opened != size:  # see `versions`
            change = self.resize(pane, size)
            change.parse((yield change.call))
        return pane

    def _opening(self, words: Words) -> Call:
        """Return the call that opens a pane, and sets up the server if it starts one."""
        client_id = os.urandom(8).hex()
        set_up = set_up_if_started(client_id, self._history_limit)
        return Call((set_up, words), is_repeatable=False, client_id=client_id)

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool, seen: Screen | None
    ) -> Steps[Screen]:
        """Type *keys* if the pane takes input; return the screen from right before."""
        actions = typing_actions(pane, keys, self._buffer_names)
        if seen is not None and (quick := _as_seen(pane, actions, seen)) is not None:
            answer = yield quick
            if not answer:
                return seen
        loaded: list[str] = []
        try:
            groups = batches((yield from _load(pane, actions, loaded)))
            for number, batch in enumerate(groups):
                try:
                    screen = yield from self._send_guarded(pane, batch, leave_mode=leave_mode)
                    refuse_if_deaf(pane, screen, leave_mode=leave_mode)
                except UNDELIVERED as error:
                    if number:
                        sent = f"{number} of {len(groups)} parts of the keys have been sent"
                        raise partly(error, sent) from error
                    raise
        except TmuxprimError:
            yield from _drop(loaded)
            raise
        return screen

    def _send_guarded(
        self, pane: Pane, commands: Sequence[Words], *, leave_mode: bool
    ) -> Steps[Screen]:
        steps = len(commands) + leave_mode
        delivery = (guarded(pane, commands, leave_mode=leave_mode),) if steps else ()
        look = _look(pane, 0, glances=False)
        answer = yield action(*delivery, head=look, nested=steps)
        return self._parse_look(answer, pane, 0, glanced=False)

    def _parse_look(
        self, answer: str, pane: Pane, history: int, *, glanced: bool, styled: bool = False
    ) -> Screen:
        """Return the screen that a look tells of, and remember the pane's device."""
        screen, server, version = parse_look(answer, pane, history, glanced=glanced, styled=styled)
        if pane not in self._devices:
            self._forget_ended()
        self._devices[pane] = Device(screen.tty, screen.pane_pid, server, version >= CATCHES_UP)
        return screen

    def _forget_ended(self) -> None:
        """Forget the panes whose programs have ended: a server may run for weeks."""
        for pane, device in self._devices.copy().items():
            if not is_alive(device.pane_pid):
                self._devices.pop(pane, None)  # another thread may have been quicker


@lru_cache(_MOST_CALLS)
def _look(pane: Pane, history: int, *, glances: bool, styled: bool = False) -> Call:
    glance = glance_commands(pane) if glances else ()
    styles = (style_command(pane),) if styled else ()
    return call(*glance, *look_commands(pane, history), *styles, nested=len(styles))


@lru_cache(_MOST_CALLS)
def _text(pane: Pane, history: int) -> Call:
    return call(identity_command(pane), text_command(pane, history))


def _as_seen(pane: Pane, actions: Sequence[Action], seen: Screen) -> Call | None:
    """Return the call that carries out *actions* if the pane stands as *seen*, if it takes one."""
    commands = [typed for typed in actions if not isinstance(typed, Buffer)]
    if not commands or len(commands) != len(actions) or len(batches(commands)) > 1:
        return None
    return action(guarded_as_seen(pane, commands, seen), nested=len(commands))


def _load(pane: Pane, actions: Sequence[Action], loaded: list[str]) -> Steps[list[Words]]:
    """Return the commands that carry out *actions*, with their buffers loaded."""
    commands: list[Words] = []
    for typed in actions:
        if isinstance(typed, Buffer):
            loaded.append(typed.name)
            version = yield call(
                ("load-buffer", "-b", typed.name, "-"),
                ("display-message", "-p", "-t", pane.target, "#{version}"),
                stdin=typed.text.encode(),
            )
            raw_flag = parse_version(version) >= PASTES_ESCAPED
            commands.append(typed.paste(pane, raw_flag=raw_flag))
        else:
            commands.append(typed)
    return commands


def _drop(buffers: Sequence[str]) -> Steps[None]:
    for name in buffers:
        # A batch that went through has deleted its own.
        with suppress(TmuxprimError):
            yield call(("delete-buffer", "-b", name))
