"""The command line of a tmux client: launcher, program and socket."""

import os
import shlex
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Final, NamedTuple

from tmuxprim._terminal import StrPath
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import Command
from tmuxprim._values.shell_integration import FOLDER, with_integration
from tmuxprim.errors import Advice, ProgramNotFoundError, TapUnavailableError

# Programs that join their words by spaces, for a shell on another machine (ssh(1)).
_JOIN_WORDS: Final = frozenset({"ssh", "slogin", "autossh", "dbclient", "rsh"})


class Prefix(NamedTuple):
    """The words before every tmux command.

    Args:
        launcher: Words before tmux, such as ``("ssh", "host")``; empty for this machine.
        tmux: The program, and the options for its server.
        socket: The path of the server's socket; empty if that is not of this machine.
        is_by_exec: Whether a function of the user's runs it, wherever that is.
    """

    launcher: tuple[str, ...]
    tmux: tuple[str, ...]
    socket: str = ""
    is_by_exec: bool = False

    def __str__(self) -> str:
        how = ("exec:",) if self.is_by_exec else ()
        return " ".join((*how, *self.launcher, *self.tmux))

    @property
    def attach(self) -> str:
        """The command by which a person joins the server, on the machine that it is on."""
        return shlex.join((*self.tmux, "attach"))

    @property
    def is_local(self) -> bool:
        """Whether tmux runs on this machine, as this user."""
        return not self.launcher and not self.is_by_exec

    @property
    def is_by_ssh(self) -> bool:
        """Whether ssh is among the launchers: it quotes nothing, and asks on our terminal."""
        return any(map(_joins_words, self.launcher))

    def argv(
        self, *words: str, variables: Sequence[str] = (), by: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Return the whole command line of a tmux command.

        Neither a launcher nor an exec passes our environment on, so there *variables* are words of
        ``env``. ssh hands its words to a shell, for which they are quoted; docker and sudo pass
        them on as they are. *by* is what runs tmux there.
        """
        before = ("env", *variables) if variables and not self.is_local else ()
        command = (*by, *before, *self.tmux, *words)
        return (*self.launcher, *(map(_quote, command) if self.is_by_ssh else command))


def _joins_words(word: str) -> bool:
    return word.rpartition("/")[2] in _JOIN_WORDS


def _quote(word: str) -> str:
    """Return *word* as a shell reads it back.

    zsh takes a bare word such as ``=ls`` for the path of that program, which POSIX does not.
    """
    return f"'{word}'" if (quoted := shlex.quote(word)).startswith("=") else quoted


def make_prefix(
    socket_name: str | None,
    socket_path: StrPath | None,
    config_file: StrPath | None,
    executable: str,
    launcher: Sequence[str],
    *,
    by_exec: bool = False,
) -> Prefix:
    """Return how tmux is started; see `TmuxTerminal` for the arguments.

    Raises:
        ValueError: If both *socket_name* and *socket_path* are given, or one that is empty, or the
            name is a path, or *launcher* is a text, or names ssh twice.
    """
    _check(socket_name, socket_path, config_file, executable, launcher)
    name = socket_name or "default"
    path = _path_of(name) if socket_path is None else os.fspath(socket_path)
    socket = ("-L", name) if socket_path is None else ("-S", path)
    config = () if config_file is None else ("-f", os.fspath(config_file))
    words = (executable, "-u", *socket, *config)
    prefix = Prefix(tuple(launcher), words, path, by_exec)
    return prefix if prefix.is_local else prefix._replace(socket="")


def _check(
    socket_name: str | None,
    socket_path: StrPath | None,
    config_file: StrPath | None,
    executable: str,
    launcher: Sequence[str],
) -> None:
    """Refuse wrong arguments; see `make_prefix`."""
    check_type("socket_name", socket_name, str, NoneType)
    check_type("socket_path", socket_path, str, os.PathLike, NoneType)
    check_type("config_file", config_file, str, os.PathLike, NoneType)
    check_type("executable", executable, str)
    if socket_name is not None and socket_path is not None:
        raise ValueError("give socket_name or socket_path, not both")
    if socket_name == "" or socket_path == "":
        # tmux would take it for the user's own server, which the caller did not ask for.
        raise ValueError("a socket's name or path is not empty; None is the user's own server")
    if socket_name is not None and "/" in socket_name:
        raise ValueError(
            f"a socket's name has no '/', got {socket_name!r}; give a path as socket_path"
        )
    if isinstance(launcher, (str, bytes)):  # a sequence as well: its first letter would be run
        raise ValueError(  # noqa: TRY004  # as for every other wrong launcher
            f"a launcher is a sequence of words such as ('ssh', 'host'), got {launcher!r}"
        )
    if sum(map(_joins_words, launcher)) > 1:  # words are quoted for one shell, not for two
        raise ValueError(
            f"a launcher names ssh once, got {tuple(launcher)}; 'ssh -J jump host' goes through "
            "another machine"
        )


def _path_of(name: str) -> str:
    """Return the path that tmux gives a socket of a name."""
    directories = os.environ.get("TMUX_TMPDIR", ""), "/tmp"  # noqa: S108  # as tmux does
    directory = next(filter(os.path.isdir, directories), "/tmp")  # noqa: S108  # as tmux does
    return f"{os.path.realpath(directory)}/tmux-{os.getuid()}/{name}"


def no_tap() -> TapUnavailableError:
    """Return the error for a tap on a machine whose files are not ours."""
    return TapUnavailableError(
        "tmux is behind a launcher or an exec, where a program's raw output cannot be read",
        advice=Advice.READ_SCREEN,
    )


def to_integrated(command: Command) -> tuple[str, ...]:
    """Return the words that start a shell with our integration; None is the shell of ``SHELL``.

    Raises:
        InvalidTextError: If it is another program than bash, zsh or fish.
    """
    package = os.path.dirname(os.path.dirname(__file__))
    shell = (os.environ.get("SHELL") or None) if command is None else command
    return with_integration(shell, f"{package}/{FOLDER}")


def refuse_missing_program(
    command: str | Sequence[str] | None, directory: str | None, env: Mapping[str, str]
) -> None:
    """Refuse a directory that is not there, and words whose program is not there.

    tmux would silently start in another directory, or open a pane that ends at once. A command in
    one text is not looked at: it is for a shell, which knows functions, and may change ``PATH``.

    Raises:
        ProgramNotFoundError: If there is no such program or directory.
    """
    if directory is not None and not os.access(os.path.join(directory, "."), os.X_OK):
        raise ProgramNotFoundError(
            f"no such directory, or not accessible: {directory!r}; make it, or name another"
        )
    # tmux looks in the PATH of the client that opens the pane: that of this process.
    path = env.get("PATH", os.environ.get("PATH"))
    if command is None or isinstance(command, str) or path is None:
        return
    word, here = command[0], directory or ""
    if "/" in word:
        where, is_there = "there is", _can_be_run(os.path.join(here, word))
    else:
        places = path.split(os.pathsep)
        where = "PATH has"
        is_there = any(_can_be_run(os.path.join(here, place, word)) for place in places)
    if not is_there:
        raise ProgramNotFoundError(
            f"{where} no program {word!r} that can be run; install it, or name another"
        )


def _can_be_run(program: str) -> bool:
    return os.access(program, os.X_OK) and os.path.isfile(program)
