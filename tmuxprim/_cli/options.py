"""`Options`: the values of a command line, and how its words are read."""

import argparse
import math
import re
import shlex
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from tmuxprim._readiness.chain import ReadinessStrategy

_SIZE: Final = re.compile(r"([0-9]+)x([0-9]+)")
_STDIN: Final = "-"
_PROFILES: Final = "tmuxprim.profiles"
"""The group of entry points by which a package brings profiles and strategies."""

# The longest wait where none is given.
WAIT_SECONDS: Final = 10.0
RUN_SECONDS: Final = 30.0


class Options(argparse.Namespace):
    """The values of a command line; those that are left out have these defaults."""

    command: str = ""
    # Which server, and how it is asked.
    socket_name: str | None = None
    socket_path: str | None = None
    config_file: str | None = None
    launcher: tuple[str, ...] = ()
    transport: Literal["subprocess", "control", "auto"] | None = None
    tmux_timeout: float = 5.0
    # How the answer is given.
    json: bool = False
    debug: bool = False
    # The pane, and the input to it.
    pane: str = ""
    text: str = ""
    keys: Sequence[str] = ()
    enter: bool = True
    newlines: Literal["lf", "enter", "paste"] = "lf"
    leave_mode: bool = False
    # What is waited for, and how long.
    wait: bool = False
    has_timeout: bool = False
    timeout: float | None = None
    pattern: str | None = None
    known: "Sequence[ReadinessStrategy]" = ()
    # How many rows the prompt has.
    prompt_rows: int | None = None
    awaited: str | None = None
    gone: str | None = None
    # Where a mark is written, or read from.
    mark: str | None = None
    since: str | None = None
    # How a command of a shell is waited for.
    asks_status: bool = True
    all_output: bool = False
    idle_timeout: float | None = None
    # How much is read.
    lines: int = 100
    # The states of panes: of which, and what is done at a change.
    panes: Sequence[str] = ()
    is_any: bool = False
    has_states: bool = False
    only: Sequence[str] = ()
    acts: Sequence[str] = ()
    notifies: bool = False
    is_plain: bool = False
    # Where a picture goes.
    file: str = ""
    # Whose schema the tool is described in.
    form: Literal["openai", "anthropic", "mcp"] = "openai"
    # Whether a pane may be opened that is not there.
    opens: bool = True
    # Which panes a client may work in, and which it may only look at.
    allow: Sequence[str] = ()
    read_only: Sequence[str] = ()
    # What a new pane is like, and whether it has to be new.
    name: str | None = None
    reuse: bool = False
    size: tuple[int, int] = (80, 24)
    cwd: str | None = None
    env: Sequence[tuple[str, str]] = ()
    shell_integration: bool = False
    program: Sequence[str] = ()
    # What is asked about: commands, and a shell.
    of: Sequence[str] = ()
    shell: Literal["bash", "zsh", "fish"] = "bash"

    @property
    def reads_stdin(self) -> bool:
        """Whether the text comes from standard input, so that it may be a secret."""
        return self.text == _STDIN

    def call(self, *words: str) -> str:
        """Return a command line that asks the same server for something else."""
        server = [("-L", self.socket_name), ("-S", self.socket_path)]
        server += [("--launcher", shlex.join(self.launcher) or None)]
        named = [word for flag, value in server if value is not None for word in (flag, value)]
        return shlex.join(["tmuxprim", *named, *words])

    @property
    def waits(self) -> bool:
        """Whether to wait; who says how long, or for what, wants to."""
        told = (self.timeout, self.pattern, self.awaited, self.gone)
        return self.wait or any(value is not None for value in told)


def seconds(word: str) -> float:
    """Return a number of seconds."""
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"seconds are a number from 0, got {word!r}")
    return number


def some_seconds(word: str) -> float:
    """Return a number of seconds that is some time."""
    number = seconds(word)
    if number == 0:
        raise argparse.ArgumentTypeError(f"seconds are a number above 0, got {word!r}")
    return number


def row_count(word: str) -> int:
    """Return a number of rows."""
    if not (word.isascii() and word.isdigit()):
        raise argparse.ArgumentTypeError(f"lines are a whole number from 0, got {word!r}")
    return int(word)


def some_rows(word: str) -> int:
    """Return a number of rows, at least one."""
    number = row_count(word)
    if number == 0:
        raise argparse.ArgumentTypeError(f"a prompt has one row or more, got {word!r}")
    return number


def columns_and_rows(word: str) -> tuple[int, int]:
    """Return the columns and rows of a size."""
    match = _SIZE.fullmatch(word)
    if match is None:
        raise argparse.ArgumentTypeError(f"a size looks like 80x24, got {word!r}")
    return int(match[1]), int(match[2])


def variable(word: str) -> tuple[str, str]:
    """Return the name and the value of an environment variable."""
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"a variable looks like NAME=VALUE, got {word!r}")
    return name, value


def known_program(word: str) -> "ReadinessStrategy":
    """Import a profile or a strategy that somebody has written."""
    from importlib.metadata import entry_points  # few give one

    from tmuxprim._readiness.chain import check_strategy

    module, colon, name = word.partition(":")
    try:
        if colon:
            strategy: ReadinessStrategy = getattr(import_module(module), name)
        else:
            strategy = entry_points(group=_PROFILES)[word].load()
        check_strategy(strategy)
    except (Exception, SystemExit) as error:  # what a module does, it does when it is imported
        what = type(error).__name__
        raise argparse.ArgumentTypeError(
            f"a program is MODULE:NAME, a profile or a strategy that can be imported, or the name "
            f"of an installed one, got {word!r} ({what}: {error})"
        ) from error
    return strategy


def program_words(text: str) -> tuple[str, ...]:
    """Return the words of a program that is to be started without a shell."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"a program is words as a shell reads them ({error}), got {text!r}"
        ) from error
    if not words:
        raise argparse.ArgumentTypeError(f"a program has a name, got {text!r}")
    return words


def launcher_words(text: str) -> tuple[str, ...]:
    """Return the words of a launcher."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"a launcher is words as a shell reads them ({error}), got {text!r}"
        ) from error
