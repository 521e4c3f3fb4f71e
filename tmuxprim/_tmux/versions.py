"""The features of each version of tmux, and their differences, in one table.

The version comes with every snapshot, so nothing is asked for its sake. These differences need no
entry in the table, since the answer itself shows them:

* `new-session` of 3.2a ignores ``-x`` and ``-y``, and that of 3.3a does while a client is
  attached: `open` compares the size that it got.
* ``source-file -`` reads commands from standard input from 3.1 on; 3.0 says that there is no such
  file, and has done nothing yet.
* Before 3.3 a dead pane does not report the signal that ended its program, and from 3.8 on it does
  not report the program's process id: both fields may be empty.
"""

import re
from typing import Final, TypeAlias

Version: TypeAlias = tuple[int, int]

SUPPORTED: Final = (3, 0)
"""The oldest version that this library is tested with."""
HAS_CONTROL_FLAGS: Final = (3, 2)
"""``attach-session -f`` takes the flags that a client in control mode needs."""
KEEPS_TRAILING_SPACES: Final = (3, 3)
"""``capture-pane -J`` keeps the spaces that were written, and pads a line with no others."""
CATCHES_UP: Final = (3, 3)
"""``run-shell -d 0`` lets the server read what programs have written. Seen from 3.3 on."""
ATTACHES_SAFELY: Final = (3, 6)
"""A server does not crash if it has to notify a control client that is just attaching."""
PASTES_ESCAPED: Final = (3, 7)
"""``paste-buffer`` escapes control characters unless it is given ``-S``."""

_NEWEST: Final = (99, 0)
_NUMBERS: Final = re.compile(r"(\d+)\.(\d+)")


def parse_version(answer: str) -> Version:
    """Return major and minor number of a version such as ``3.3a`` or ``next-3.8``.

    A version without a number, as a build from the sources may have, counts as the newest.
    """
    match = _NUMBERS.search(answer)
    return (int(match[1]), int(match[2])) if match else _NEWEST


def written(version: Version) -> str:
    """Return a version as tmux writes it."""
    return "{}.{}".format(*version)
