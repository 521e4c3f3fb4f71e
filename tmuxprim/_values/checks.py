"""What every backend refuses, in the same words: a name, a pane, a pane that takes no input."""

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from inspect import iscoroutinefunction
from typing import Final, TypeAlias

from tmuxprim._values.keys import is_sendable
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import (
    Advice,
    EventLoopError,
    InvalidPaneError,
    InvalidScreenError,
    InvalidTextError,
    PaneBusyError,
    PaneDeadError,
    PaneExistsError,
    PaneNotFoundError,
    TmuxServerError,
    TmuxTimeoutError,
)

# What an option of tmux can be.
_MOST_ROWS: Final = 2**31 - 1

NOTHING: Final = "nothing was sent"

# Linux gives no program a longer one (MAX_ARG_STRLEN of execve(2), without its NUL).
_LONGEST_WORD: Final = 131_071

# Variables of a pane that tmux sets last (GLOBAL AND SESSION ENVIRONMENT, tmux(1)).
_OF_TMUX: Final = frozenset(
    ("PATH", "PWD", "SHELL", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "TMUX_PANE")
)

# Nothing in it means more to any shell.
_PROGRAM: Final = re.compile(r"[\w@%+:,./-]+", re.ASCII)

# Words of one program, a text for the user's shell, or that shell.
Command: TypeAlias = str | Sequence[str] | None

# What may happen to one delivery of several.
Undelivered: TypeAlias = (
    InvalidTextError
    | PaneBusyError
    | PaneDeadError
    | PaneNotFoundError
    | TmuxServerError
    | TmuxTimeoutError
)
UNDELIVERED: Final = (
    InvalidTextError,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    TmuxServerError,
    TmuxTimeoutError,
)


def check_session_name(name: str) -> str:
    """Return *name*, or refuse it if tmux would read a format or a target in it."""
    if not name or not all(char.isalnum() or char in "_-" for char in name):
        raise InvalidPaneError(
            f"a new session's name has letters, digits, '_' and '-' only, got {name!r}; what is "
            "there already is used by its name, without opening it"
        )
    return name


def check_command(command: Command) -> None:
    """Refuse a command that names no program."""
    if command is None:
        return
    words = command.split() if isinstance(command, str) else command
    if not words or not words[0]:
        raise InvalidTextError(
            f"a command names a program, got {command!r}; None is the user's shell"
        )


def to_program(command: Command) -> Command:
    """Return a text that is the name of a program, or its path, as its one word.

    A shell would read it in the same way; but a program that is not there is told of words only.
    """
    is_name = isinstance(command, str) and _PROGRAM.fullmatch(command) is not None
    return [str(command)] if is_name else command


def to_start(command: Command, env: Mapping[str, str] | None) -> tuple[Command, Mapping[str, str]]:
    """Return what a pane is to run, and the environment variables that tmux gives it.

    tmux sets some variables last. So env(1) gives a program its own ones of these, in front of its
    words: only tmux knows the user's shell, which runs a text. Who passes on the environment of
    this process, ``dict(os.environ)``, means the rest of it. So a variable of tmux's own is left
    out if it has the value that it has here.

    Raises:
        InvalidTextError: If a variable has no name, or is one of tmux's own and *command* is not
            words.
    """
    given: dict[str, str] = {}
    last: dict[str, str] = {}
    for name, value in (env or {}).items():
        if not name or "=" in name:
            raise InvalidTextError(f"a variable's name is not empty and has no '=', got {name!r}")
        if name not in _OF_TMUX:
            given[name] = value
        elif value != os.environ.get(name):
            last[name] = value
    if not last:
        return command, given
    if command is None or isinstance(command, str):
        raise InvalidTextError(
            f"tmux gives the user's shell a {next(iter(last))} of its own, got another one; give "
            "the command as words, such as ['bash', '-c', '...']"
        )
    return behind_env(command, last), given


def behind_env(words: Sequence[str], variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of a program that env(1) starts, with some variables."""
    if "=" in words[0]:
        raise InvalidTextError(
            f"env(1) takes a program with '=' in its name for a variable, got {words[0]!r}"
        )
    return ("/usr/bin/env", *(f"{name}={value}" for name, value in variables.items()), *words)


def check_words(words: Iterable[str]) -> None:
    """Refuse what cannot be a word of a command line, a directory or a variable, or is too long."""
    for word in words:
        if not is_sendable(word):
            raise InvalidTextError(
                f"commands, directories and variables hold no NUL or lone surrogate, got {word!r}"
            )
        if len(word) > _LONGEST_WORD or len(word.encode()) > _LONGEST_WORD:
            raise InvalidTextError(
                f"a word of a command, or a variable with its value, has at most {_LONGEST_WORD:,} "
                "bytes (execve(2) of Linux)"
            )


def check_size(size: Size) -> None:
    """Refuse what is no size, such as a tuple, with the same words in each terminal."""
    if not isinstance(size, Size):
        raise InvalidScreenError(f"a size is Size(columns, rows), got {size!r}")


def check_history(history: int) -> None:
    """Refuse a number of rows that is none."""
    if history < 0:
        raise InvalidScreenError(f"history is 0 or more rows, got {history}")


def check_limit(rows: int) -> None:
    """Refuse a limit of history that tmux cannot be told."""
    if not 0 <= rows <= _MOST_ROWS:
        raise InvalidScreenError(f"a history keeps 0 to {_MOST_ROWS:,} rows, got {rows}")


def check_timeout(timeout: float) -> float:
    """Return the time that tmux is given to answer, or refuse none, and for ever."""
    if not 0 < timeout < math.inf:  # NaN, which compares false with everything, is refused as well
        raise ValueError(f"a timeout of tmux is more than 0 seconds, got {timeout!r}")
    return timeout


def refuse_other_kind(terminal: object, name: str, other: str) -> None:
    """Refuse a terminal that is awaited where none can be, and the other way round.

    *name* is the class that was given it, *other* the one that is for such a terminal.
    """
    sleep = getattr(getattr(terminal, "clock", None), "sleep", None)
    is_awaited = iscoroutinefunction(sleep)
    if sleep is not None and is_awaited is not name.startswith("Async"):
        how = "are awaited" if is_awaited else "are not awaited, and would block the event loop"
        raise TypeError(f"{name} got {terminal!r}, whose methods {how}; use {other}")


class OneLoop:
    """The event loop that a terminal for asyncio belongs to: the first one that uses it.

    Args:
        whose: The name of the class of the terminal, for the message.
    """

    def __init__(self, whose: str) -> None:
        self._whose = whose
        self._owner: dict[str, object] = {}

    def claim(self, running: object) -> None:
        """Refuse an event loop that is not the first one."""
        # Two threads may come at once, and setdefault lets one of them win.
        if self._owner.setdefault("loop", running) is not running:
            raise EventLoopError(
                f"{self._whose} belongs to the first event loop that uses it, and this is another "
                "one; make one for each event loop"
            )


def pane_not_found(pane: Pane) -> PaneNotFoundError:
    """Return the error for a pane that is not there."""
    return PaneNotFoundError(
        f"there is no pane {pane.target!r} on this tmux server (any more)",
        advice=Advice.LIST_PANES,
    )


def pane_exists(name: str) -> PaneExistsError:
    """Return the error for a session that cannot be opened, since its name is taken."""
    return PaneExistsError(f"a session named {name!r} is there already", advice=Advice.TAKE_IT)


def no_answer(timeout: float, command: str) -> TmuxTimeoutError:
    """Return the error for a server that has not answered in time."""
    return TmuxTimeoutError(
        f"tmux did not answer within {timeout:g} s; nobody waits for it any more, but the server "
        f"may still do it when it wakes up. The command was {command}"
    )


def refuse_if_unavailable(pane: Pane, screen: Screen, *, leave_mode: bool) -> None:
    """Raise if what is sent would not reach the pane's program, or not it alone.

    *screen* is of the very turn of the sending; a mode may have been left before.
    """
    if screen.dead:
        raise PaneDeadError(
            f"{NOTHING}: the program of pane {pane} has exited (status {screen.exit_status})",
            advice=Advice.OPEN_ANOTHER,
        )
    if screen.input_off:
        raise PaneBusyError(
            f"{NOTHING}: the input of pane {pane} is off; switch it on with "
            f"'tmux select-pane -e -t {pane}'"
        )
    if screen.synchronized:
        raise PaneBusyError(
            f"{NOTHING}: pane {pane} is synchronized with the other panes of its window, which "
            "would get the keys, too; switch that off with "
            f"'tmux set-option -w -t {pane} synchronize-panes off'"
        )
    if screen.mode and not leave_mode:
        raise PaneBusyError(
            f"{NOTHING}: pane {pane} is in {screen.mode}, where keys do not reach the program",
            advice=Advice.LEAVE_MODE,
        )


def refuse_tap(pane: Pane, screen: Screen, *, is_piped: bool) -> None:
    """Raise if nobody can have what the pane's program writes, or somebody has it."""
    if screen.dead:
        raise PaneDeadError(
            f"the program of pane {pane} has exited, and writes nothing",
            advice=Advice.OPEN_ANOTHER,
        )
    if is_piped:
        raise PaneBusyError(
            f"what the program of pane {pane} writes goes somewhere already, and a pane has one "
            f"pipe; 'tmux pipe-pane -t {pane}' ends it"
        )


def partly(error: Undelivered, what: str) -> Undelivered:
    """Return an error that came too late to be one of everything; *what* had been sent before."""
    message = error.without_advice.removeprefix(f"{NOTHING}: ")
    return type(error)(f"{what}: {message}", advice=error.advice)
