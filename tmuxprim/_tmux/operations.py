"""`Operations`: what a terminal does with a tmux server, as plans of calls.

They are written once, for every transport: carried out by `drive` on one that answers at once,
and by `drive_async` on one whose answers are awaited.
"""

import itertools
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from tmuxprim._engine.plan import Plan
from tmuxprim._tmux.answers import (
    PANE_IDS,
    PANES_FORMAT,
    Answer,
    glance_commands,
    identity_command,
    look_commands,
    parse_look,
    parse_opened,
    parse_panes,
    parse_rest,
    parse_text,
    pick_pane,
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
    resize_pane,
    set_up_if_started,
    typing_actions,
)
from tmuxprim._tmux.probe import is_alive
from tmuxprim._tmux.versions import CATCHES_UP, PASTES_ESCAPED, parse_version
from tmuxprim._values.checks import (
    UNDELIVERED,
    check_command,
    check_history,
    check_limit,
    check_words,
    pane_variables,
    partly,
    refuse_if_deaf,
)
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import (
    PaneNotFoundError,
    TmuxCommandError,
    TmuxprimError,
    TmuxServerError,
)

# More are looked at in turns nowhere.
_MOST_PANES: Final = 1024


class Device(NamedTuple):
    """The terminal device of a pane, and the program that the pane was opened with."""

    path: str
    pane_pid: int
    server: str


class Operations:
    """Remembers which terminal device each pane has, and names paste buffers.

    Args:
        history_limit: How many rows of history the panes of a server keep, at least, that `open`
            starts; None leaves that to tmux.

    Raises:
        InvalidScreenError: If *history_limit* is no number of rows.
    """

    def __init__(self, history_limit: int | None = None) -> None:
        if history_limit is not None:
            check_limit(history_limit)
        self._history_limit = history_limit
        self._devices: dict[Pane, Device] = {}
        self._waits = False  # nobody knows before the first answer which tmux it is
        # No generator, which threads that share it could find running.
        self._buffer_names = map(
            f"tmuxprim-{os.getpid()}-{id(self):x}-{{}}".format, itertools.count()
        )

    def open(
        self,
        command: str | Sequence[str] | None,
        *,
        size: Size,
        cwd: str | Path | None,
        env: Mapping[str, str] | None,
        name: str | None,
    ) -> Plan[Pane]:
        """Open a pane in a new session, starting the server if need be."""
        check_command(command)
        variables = pane_variables(env)
        folder = None if cwd is None else str(cwd)
        words = open_session(command, size=size, cwd=folder, env=variables, name=name)
        check_words(words)
        opening = self._opening(words)
        try:
            answer: str = yield opening
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
        if opened != size:
            # 3.2a ignores -x and -y, and 3.3a does while another client is attached.
            yield from self.resize(pane, size)
        return pane

    def _opening(self, words: Words) -> Call:
        """Return the call that opens a pane, and sets up the server if it starts one."""
        client_id = os.urandom(8).hex()
        set_up = set_up_if_started(client_id, self._history_limit)
        return Call((set_up, words), is_repeatable=False, client_id=client_id)

    def close(self, pane: Pane) -> Plan[None]:
        """Kill the pane, if it is there."""
        with suppress(PaneNotFoundError, TmuxServerError):
            pane = yield from self._by_id(pane)
            self._devices.pop(pane, None)
            yield Call((kill_pane(pane),), ends=pane, nested=1)

    def panes(self) -> Plan[tuple[Pane, ...]]:
        """Return the ids of all panes of the server."""
        try:
            answer: str = yield call(PANE_IDS)
        except TmuxServerError:
            return ()
        return parse_panes(answer)

    def resolve(self, pane: Pane) -> Plan[Pane]:
        """Return the pane by its id; one that says of which server it is, unchecked."""
        if pane.server:
            return pane
        answer: str = yield call(("list-panes", "-a", "-F", PANES_FORMAT))
        return pick_pane(answer, pane)

    def _by_id(self, pane: Pane) -> Plan[Pane]:
        """Return the pane by an id, be it one of whatever server is there."""
        return pane if pane.is_id else (yield from self.resolve(pane))

    def observe(self, pane: Pane, history: int) -> Plan[Screen]:
        """Return the screen and its state, of one turn of the server."""
        check_history(history)
        pane = yield from self._by_id(pane)
        if self._waits:
            with suppress(TmuxCommandError):  # it may be another tmux by now, which cannot wait
                answer: str = yield _long_look(pane, history)
                return self._noticed(pane, parse_look(answer, pane, history, glanced=True))
        answer = yield _look(pane, history)
        return self._noticed(pane, parse_look(answer, pane, history))

    def read(self, pane: Pane, history: int) -> Plan[str]:
        """Return what the screen and its history say."""
        check_history(history)
        pane = yield from self._by_id(pane)
        answer: str = yield _text(pane, history)
        return parse_text(answer, pane)

    def send(self, pane: Pane, keys: KeySequence, *, leave_mode: bool) -> Plan[Screen]:
        """Type *keys* if the pane takes input; return the screen from right before."""
        pane = yield from self._by_id(pane)
        actions = typing_actions(pane, keys, self._buffer_names)
        loaded: list[str] = []
        try:
            groups = batches((yield from self._load(pane, actions, loaded)))
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

    def send_as_seen(self, pane: Pane, keys: KeySequence, screen: Screen) -> Plan[bool]:
        """Type *keys* if the pane takes input and stands as on *screen*; return whether it did.

        Nothing, and what takes several calls, is left to `send`.
        """
        pane = yield from self._by_id(pane)
        actions = typing_actions(pane, keys, self._buffer_names)
        commands = [typed for typed in actions if not isinstance(typed, Buffer)]
        if not commands or len(commands) != len(actions) or len(batches(commands)) > 1:
            return False
        words = guarded_as_seen(pane, commands, screen)
        answer: str = yield action(words, nested=len(commands))
        return not answer

    def device_of(self, pane: Pane) -> Plan[Device]:
        """Return the pane's terminal device, as of the last look, or of one that this takes."""
        pane = yield from self._by_id(pane)
        known = self._devices.get(pane)
        if known is not None and pane.server in ("", known.server):
            return known
        screen = yield from self.observe(pane, 0)
        return Device(screen.tty, screen.pane_pid, pane.server)

    def resize(self, pane: Pane, size: Size) -> Plan[None]:
        """Change the size of the pane, or of its window if it is alone in it."""
        pane = yield from self._by_id(pane)
        answer: str = yield call(identity_command(pane), *resize_pane(pane, size), nested=2)
        parse_rest(answer, pane)

    def _noticed(self, pane: Pane, answer: Answer) -> Screen:
        screen = answer.screen
        if pane not in self._devices:
            self._forget_ended()
        self._devices[pane] = Device(screen.tty, screen.pane_pid, answer.server)
        self._waits = answer.version >= CATCHES_UP
        return screen

    def _forget_ended(self) -> None:
        """Forget the panes whose programs have ended: a server may run for weeks."""
        for pane, device in self._devices.copy().items():
            if not is_alive(device.pane_pid):
                self._devices.pop(pane, None)  # another thread may have been quicker

    def _load(self, pane: Pane, actions: Sequence[Action], loaded: list[str]) -> Plan[list[Words]]:
        """Return the commands that carry out *actions*, with their buffers loaded."""
        commands: list[Words] = []
        for typed in actions:
            if isinstance(typed, Buffer):
                loaded.append(typed.name)
                version: str = yield call(
                    ("load-buffer", "-b", typed.name, "-"),
                    ("display-message", "-p", "-t", pane.target, "#{version}"),
                    stdin=typed.text.encode(),
                )
                raw_flag = parse_version(version) >= PASTES_ESCAPED
                commands.append(typed.paste(pane, raw_flag=raw_flag))
            else:
                commands.append(typed)
        return commands

    def _send_guarded(
        self, pane: Pane, commands: Sequence[Words], *, leave_mode: bool
    ) -> Plan[Screen]:
        steps = len(commands) + leave_mode
        delivery = (guarded(pane, commands, leave_mode=leave_mode),) if steps else ()
        answer: str = yield action(*delivery, head=_look(pane, 0), nested=steps)
        return self._noticed(pane, parse_look(answer, pane, 0))


# The same looks are taken again and again, and quoting takes as long as tmux itself.
@lru_cache(_MOST_PANES)
def _look(pane: Pane, history: int) -> Call:
    return call(*look_commands(pane, history))


@lru_cache(_MOST_PANES)
def _long_look(pane: Pane, history: int) -> Call:
    return call(*glance_commands(pane), *look_commands(pane, history))


@lru_cache(_MOST_PANES)
def _text(pane: Pane, history: int) -> Call:
    return call(identity_command(pane), text_command(pane, history))


def _drop(buffers: Sequence[str]) -> Plan[None]:
    for name in buffers:
        # A batch that went through has deleted its own.
        with suppress(TmuxprimError):
            yield call(("delete-buffer", "-b", name))
