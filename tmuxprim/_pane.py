"""`Pane`: which pane is meant, as a value.

A pane is named in one of two ways:

* ``%3``, its id: exact and never reused while the server lives. Everything inside the
  library works with ids.
* ``session``, ``session:window`` or ``session:window.pane``, a name for people. Names are
  compared whole, by us: tmux itself would take ``shared`` for ``shared-2`` when there is no
  ``shared`` (tmux manual, COMMANDS: "target-session ... start of a session name").
"""

import re
from typing import Final

import attrs

from tmuxprim._errors import InvalidPaneError

_ID: Final = re.compile(r"%(?:0|[1-9][0-9]*)\Z")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def _check_target(_pane: object, _field: object, target: str) -> None:
    if not isinstance(target, str):
        raise InvalidPaneError(f"a pane is named by a str such as '%3' or 'shared', got {target!r}")
    if not target.strip():
        raise InvalidPaneError(f"a pane needs a name such as '%3' or 'shared', got {target!r}")
    if target.startswith("%") and not _ID.match(target):
        raise InvalidPaneError(
            f"a pane id looks like '%3', got {target!r}; "
            "find a pane with an odd name in Terminal.panes()"
        )
    if _CONTROL.search(target):
        raise InvalidPaneError(f"a pane's name has no control characters, got {target!r}")


@attrs.frozen(order=False)
class Pane:
    """Names one pane of a terminal.

    A name is exact and never a prefix: ``Pane("shared")`` does not find the session
    ``shared-2``. A name of a session or window stands for its active pane.

    Args:
        target: ``%3``, ``session``, ``session:window`` or ``session:window.pane``, where
            window is an index or a name and pane is an index.

    Raises:
        InvalidPaneError: If *target* cannot name a pane.

    Examples:
        >>> Pane("%3").is_id
        True
        >>> Pane("shared:0.1")
        Pane(target='shared:0.1')
        >>> Pane("%x")
        Traceback (most recent call last):
        ...
        tmuxprim.InvalidPaneError: a pane id looks like '%3', got '%x'; ...
    """

    target: str = attrs.field(validator=_check_target)

    @property
    def is_id(self) -> bool:
        """Whether this is an exact id, such as ``%3``, rather than a name."""
        return self.target.startswith("%")

    def __str__(self) -> str:
        return self.target
