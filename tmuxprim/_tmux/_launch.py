"""`Prefix`: the words before every tmux command: a launcher, tmux, its socket."""

import os
import shlex
from collections import deque
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Final, NamedTuple

# They hand one text, words joined by spaces, to a shell on another machine (ssh(1)).
_JOIN_WORDS: Final = frozenset({"ssh", "slogin", "autossh", "dbclient", "rsh"})
# Of their options those whose value may be the next word.
_TAKE_A_VALUE: Final = frozenset("BbcDEeFIiJLlmOoPpQRSWw")


class Prefix(NamedTuple):
    """How tmux is started.

    Args:
        launcher: Words before tmux, such as ``("ssh", "host")``; empty for this machine.
        tmux: The program, and the options that say which server.
    """

    launcher: tuple[str, ...]
    tmux: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((*self.launcher, *self.tmux))

    @property
    def is_local(self) -> bool:
        """Whether tmux runs on this machine, as this user."""
        return not self.launcher

    @property
    def is_by_ssh(self) -> bool:
        """Whether ssh carries the words: it asks on a terminal that it has, whatever its pipes."""
        return _count_shells(self.launcher) > 0

    @property
    def server(self) -> tuple[str, ...]:
        """What names the server that these words reach, however they are put.

        Two terminals may well be given other configuration files, or other spellings of a path.
        """
        where = self.tmux[2:4]
        if not self.is_local or not where:
            return (*self.launcher, *(where or self.tmux))
        flag, value = where
        folder = Path(os.environ.get("TMUX_TMPDIR") or "/tmp", f"tmux-{os.getuid()}")  # noqa: S108  # tmux's own
        return (os.path.realpath(folder / value if flag == "-L" else value),)

    def argv(self, *words: str) -> tuple[str, ...]:
        """Return the whole command line for words of tmux's.

        What ssh is given a shell of the other machine reads once more, so words are quoted for
        that shell, and once more for each ssh that it starts in turn; docker, sudo and their like
        pass words on as they are.
        """
        command = (*self.tmux, *words)
        for _ in range(_count_shells(self.launcher)):
            command = tuple(map(_quote, command))
        return (*self.launcher, *command)


def _quote(word: str) -> str:
    """Return *word* as a shell reads it back.

    zsh takes a bare word such as ``=ls`` for the path of that program, which POSIX does not.
    """
    return f"'{word}'" if (quoted := shlex.quote(word)).startswith("=") else quoted


def _count_shells(launcher: Sequence[str]) -> int:
    """Return how many shells read in turn what is put behind *launcher*."""
    count = 0
    words = deque(launcher)
    while words:
        if PurePath(words.popleft()).name in _JOIN_WORDS:
            count += 1
            _skip_options(words)
            if words:  # the host, behind which ssh takes options, too
                words.popleft()
            _skip_options(words)
    return count


def _skip_options(words: deque[str]) -> None:
    """Take the options of ssh, with their values, from the beginning of *words*."""
    while words and words[0].startswith("-") and words[0] != "-":
        word = words.popleft()
        if word == "--":
            return
        letters = word[1:]
        takes = next((at for at, one in enumerate(letters) if one in _TAKE_A_VALUE), None)
        if takes == len(letters) - 1 and words:
            words.popleft()


def make_prefix(
    socket_name: str | None,
    socket_path: str | Path | None,
    config_file: str | Path | None,
    executable: str,
    launcher: Sequence[str],
) -> Prefix:
    """Return how tmux is started; see `TmuxTerminal` for the arguments.

    Raises:
        ValueError: If both *socket_name* and *socket_path* are given, or one that is empty, or
            *launcher* is a text.
    """
    if socket_name is not None and socket_path is not None:
        raise ValueError("give socket_name or socket_path, not both")
    if socket_name == "" or socket_path == "":
        # To tmux that would be the user's own server, which nobody has asked for.
        raise ValueError("a socket's name or path is not empty; None is the user's own server")
    if isinstance(launcher, str):  # a sequence of letters, of which the first would be run
        raise ValueError(f"a launcher is words, such as ('ssh', 'host'), got {launcher!r}")  # noqa: TRY004  # as of all else that is wrong
    socket = ("-L", socket_name or "default") if socket_path is None else ("-S", str(socket_path))
    config = () if config_file is None else ("-f", str(config_file))
    return Prefix(tuple(launcher), (executable, "-u", *socket, *config))
