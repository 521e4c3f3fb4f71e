"""Files that are refused, so that a machine tells no more than another one would.

A level of evidence is played by refusing the *files* to whoever asks for them, as a kernel does:
nothing within the library is touched.
"""

import builtins
import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

# All; without the right to attach, as Ubuntu has it; of another user's process; as on macOS, where
# there is no /proc; as through a launcher such as ssh, where nothing can be asked.
SYSCALL, WCHAN, STAT, TERMIOS, REMOTE = "syscall", "wchan", "stat", "termios", "remote"
EVIDENCE: Final = (SYSCALL, WCHAN, STAT, TERMIOS, REMOTE)

_ATTACH: Final = r"/proc/\d+/(?:task/\d+/)?(?:syscall|mem)"
_READ: Final = r"/proc/\d+/(?:task/\d+/)?(?:wchan|fd|fdinfo)(?:/\d+)?"
_REFUSED: Final = {
    SYSCALL: None,
    WCHAN: re.compile(_ATTACH),
    STAT: re.compile(f"{_ATTACH}|{_READ}"),
    TERMIOS: re.compile(r"/proc/\d.*"),
    REMOTE: re.compile(r"/proc/\d.*|/dev/pts/\d+"),
}
_FUNCTIONS: Final = (
    (os, ("open", "stat", "listdir", "scandir", "readlink", "getxattr")),
    (builtins, ("open",)),
)
_played: ContextVar[re.Pattern[str] | None] = ContextVar("played", default=None)


@contextmanager
def refusing(evidence: str) -> Iterator[None]:
    """Refuse files to this thread for the length of a ``with`` block.

    Args:
        evidence: One of `EVIDENCE`.
    """
    token = _played.set(_REFUSED[evidence])
    try:
        yield
    finally:
        _played.reset(token)


@contextmanager
def files_may_be_refused() -> Iterator[None]:
    """Let `refusing` work for the length of a ``with`` block."""
    originals = [
        (owner, name, getattr(owner, name)) for owner, names in _FUNCTIONS for name in names
    ]
    for owner, name, original in originals:
        setattr(owner, name, _refusing(original))
    try:
        yield
    finally:
        for owner, name, original in originals:
            setattr(owner, name, original)


def _refusing(original: Callable[..., Any]) -> Callable[..., Any]:  # of whatever it takes and gives
    def function(path: Any = ".", *args: Any, **options: Any) -> Any:  # noqa: ANN401  # as above
        refused = _played.get()
        if refused is not None and isinstance(path, (str, Path)) and refused.fullmatch(str(path)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return original(path, *args, **options)

    return function
