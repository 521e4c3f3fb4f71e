"""Checks that every backend shares, so that they all refuse the same input in the same words."""

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from inspect import iscoroutinefunction
from typing import Final, TypeAlias

from tmuxprim._values.argument_types import check_type
from tmuxprim._values.keys import is_sendable
from tmuxprim._values.pane import Pane
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

# The largest number that tmux takes for an option (options-table.c: INT_MAX).
_MOST_ROWS: Final = 2**31 - 1

NOTHING: Final = "nothing was sent"

# Linux gives no program a longer one (MAX_ARG_STRLEN of execve(2), without its NUL).
_LONGEST_WORD: Final = 131_071

# Variables of a pane that tmux sets last (GLOBAL AND SESSION ENVIRONMENT, tmux(1)).
_OF_TMUX: Final = frozenset(
    ("PATH", "PWD", "SHELL", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "TMUX_PANE")
)

# Characters that no shell treats specially, so a text of these alone is one word in every shell.
_PROGRAM: Final = re.compile(r"[\w@%+:,./-]+", re.ASCII)

# Words of one program, a text for the user's shell, or that shell.
Command: TypeAlias = str | Sequence[str] | None

# The errors that may stop a delivery of several parts after some of them were sent.
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
            f"a new session's name has letters, digits, '_' and '-' only, got {name!r}; an "
            "existing pane is used by its name, without opening it"
        )
    return name


def check_command(command: Command) -> None:
    """Refuse a command without the name of a program."""
    if command is None:
        return
    words = command.split() if isinstance(command, str) else command
    for word in words:
        check_type("a word of the command", word, str)
    if not words or not words[0]:
        raise InvalidTextError(
            f"a command names a program, got {command!r}; None is the user's shell"
        )


def to_program(command: Command) -> Command:
    """Return a text that is the name or the path of a program as a list of that one word.

    A shell would start the same program. But only for words can a missing program be reported.
    """
    is_name = isinstance(command, str) and _PROGRAM.fullmatch(command) is not None
    return [str(command)] if is_name else command


def to_start(command: Command, env: Mapping[str, str] | None) -> tuple[Command, Mapping[str, str]]:
    """Return the command for a pane, and the environment variables that tmux can set for it.

    tmux overwrites some variables. For a program given as words, env(1) sets these in front of the
    words. A text is run by the user's shell, which only tmux knows, so there they are refused. A
    variable that tmux overwrites is left out if it has the value of this process: a caller that
    passes ``dict(os.environ)`` on means the others.

    Raises:
        InvalidTextError: If a variable has no name, or if tmux overwrites it and *command* is not
            given as words.
    """
    given: dict[str, str] = {}
    last: dict[str, str] = {}
    for name, value in (env or {}).items():
        check_type("a variable's name", name, str)
        if not name or "=" in name:
            raise InvalidTextError(f"a variable's name is not empty and has no '=', got {name!r}")
        if name not in _OF_TMUX:
            given[name] = value
        elif value != os.environ.get(name):
            last[name] = value
    if not last:
        return command, given
    words = to_program(command)
    if words is None or isinstance(words, str):
        raise InvalidTextError(
            f"tmux gives the user's shell a {next(iter(last))} of its own, got another one; give "
            "the command as words, such as ['bash', '-c', '...']"
        )
    return behind_env(words, last), given


def behind_env(words: Sequence[str], variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words that start a program through env(1), with some variables set."""
    if "=" in words[0]:
        raise InvalidTextError(
            f"env(1) takes a program with '=' in its name for a variable, got {words[0]!r}"
        )
    return ("/usr/bin/env", *(f"{name}={value}" for name, value in variables.items()), *words)


def check_words(words: Iterable[str]) -> None:
    """Refuse a word, a directory or a variable that no command line can hold."""
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


def check_history(history: int) -> None:
    """Refuse a negative number of rows."""
    check_type("history", history, int)
    if history < 0:
        raise InvalidScreenError(f"history is 0 or more rows, got {history}")


def check_limit(rows: int) -> None:
    """Refuse a limit of history that is too large for an option of tmux, or negative."""
    check_type("a limit of history", rows, int)
    if not 0 <= rows <= _MOST_ROWS:
        raise InvalidScreenError(f"a history keeps 0 to {_MOST_ROWS:,} rows, got {rows}")


def check_timeout(timeout: float) -> float:
    """Return the time limit for an answer of tmux, or refuse it if it is 0 or infinite."""
    check_type("timeout", timeout, int, float)
    if not 0 < timeout < math.inf:  # NaN compares false with everything, so it is refused as well
        raise ValueError(f"a timeout of tmux is more than 0 seconds, got {timeout!r}")
    return timeout


def refuse_other_kind(terminal: object, name: str, other: str) -> None:
    """Refuse an async terminal for a sync class or function, and the other way round.

    *name* is the class or function that got the terminal, *other* the one that takes such a
    terminal.
    """
    sleep = getattr(getattr(terminal, "clock", None), "sleep", None)
    if sleep is None:
        is_manager = hasattr(terminal, "__enter__") or hasattr(terminal, "__aenter__")
        if is_manager and not isinstance(terminal, type):
            rule = "it has to be entered first, as in 'with TmuxTerminal.private() as terminal:'"
            raise TypeError(f"{name} takes a terminal, and got {terminal!r}: {rule}")
        raise TypeError(f"{name} takes a terminal, such as TmuxTerminal(), got {terminal!r}")
    is_awaited = iscoroutinefunction(sleep)
    if is_awaited is not name.lower().startswith("async"):
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
        # Two threads may call this at once; setdefault is atomic, so one of them wins.
        if self._owner.setdefault("loop", running) is not running:
            raise EventLoopError(
                f"{self._whose} belongs to the first event loop that uses it, and this is another "
                "one; make one for each event loop"
            )


def pane_not_found(pane: Pane) -> PaneNotFoundError:
    """Return the error for a pane that does not exist."""
    return PaneNotFoundError(
        f"there is no pane {pane.target!r} on this tmux server (any more)",
        advice=Advice.LIST_PANES,
    )


def pane_exists(name: str) -> PaneExistsError:
    """Return the error for a session that cannot be opened, since its name is taken."""
    return PaneExistsError(f"a session named {name!r} already exists", advice=Advice.TAKE_IT)


def no_answer(timeout: float, command: str) -> TmuxTimeoutError:
    """Return the error for a server that has not answered in time."""
    return TmuxTimeoutError(
        f"tmux did not answer within {timeout:g} s; a late answer is ignored, but the server may "
        f"still carry the command out. The command was {command}"
    )


def refuse_if_unavailable(pane: Pane, screen: Screen, *, leave_mode: bool) -> None:
    """Raise if keys would not reach the pane's program, or would also reach others.

    *screen* was taken in the same step of the server that sends the keys. With *leave_mode* the
    mode on it has been left by then.
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
            "would also get the keys; switch that off with "
            f"'tmux set-option -w -t {pane} synchronize-panes off'"
        )
    if screen.mode and not leave_mode:
        raise PaneBusyError(
            f"{NOTHING}: pane {pane} is in {screen.mode}, where keys do not reach the program",
            advice=Advice.LEAVE_MODE,
        )


def refuse_tap(pane: Pane, screen: Screen, *, is_piped: bool) -> None:
    """Raise if the pane's program is dead, or its output is already piped elsewhere."""
    if screen.dead:
        raise PaneDeadError(
            f"the program of pane {pane} has exited, and writes nothing",
            advice=Advice.OPEN_ANOTHER,
        )
    if is_piped:
        raise PaneBusyError(
            f"the output of pane {pane} is already piped elsewhere, and a pane has one pipe; "
            f"'tmux pipe-pane -t {pane}' ends it"
        )


def partly(error: Undelivered, what: str) -> Undelivered:
    """Return *error* with *what* was already sent in place of "nothing was sent"."""
    message = error.without_advice.removeprefix(f"{NOTHING}: ")
    return type(error)(f"{what}: {message}", advice=error.advice)
