"""How a shell is started that reports its commands: with a file of ours, which reads the user's."""

from typing import Final

from tmuxprim._values.checks import Command, check_command, to_program
from tmuxprim._values.programs import bare_name
from tmuxprim.errors import InvalidTextError

FOLDER: Final = "_shell_integration"
"""The directory with the files, by which a pane shows how it was started."""
# zsh has no option for a file that it reads first (zsh(1), STARTUP/SHUTDOWN FILES). Only the new
# pane knows the value that ZDOTDIR has there.
_BY_ZDOTDIR: Final = (
    '[ "${ZDOTDIR+set}" ] && export TMUXPRIM_ZDOTDIR="$ZDOTDIR"; '
    'export ZDOTDIR="$1"; shift; exec "$@"'
)
# With others it may not read our file, which sets ZDOTDIR back.
_READS: Final = frozenset({"-i", "-l", "-il", "-li", "--interactive", "--login"})


def with_integration(command: Command, place: str) -> tuple[str, ...]:
    """Return the words that start a shell with our file, which is at some place.

    Raises:
        InvalidTextError: If it is another program than bash, zsh or fish.
    """
    check_command(command)
    words = to_program(command)
    shell = "" if isinstance(words, str) or words is None else bare_name(words[0])
    match (shell, words):
        case ("bash", [program, *rest]):
            # Long options come first (bash(1), OPTIONS).
            return (program, "--rcfile", f"{place}/bash.sh", *rest)
        case ("zsh", [_, *rest]) if _READS.issuperset(rest):
            return ("/bin/sh", "-c", _BY_ZDOTDIR, "sh", f"{place}/zsh", *words)
        case ("fish", [program, *rest]):
            return (program, "--init-command", f"source {_quoted(f'{place}/fish.fish')}", *rest)
    raise InvalidTextError(
        "shell_integration is for bash, zsh and fish, as words such as ['bash'] or as the user's "
        f"shell (SHELL), and zsh takes only the options -i and -l there; got {command!r}"
    )


def _quoted(path: str) -> str:
    """Return a path as fish reads it back."""
    escaped = path.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
