"""Which session a client in control mode attaches to, and how: pure functions.

It has to sit in a session. Attached this way it changes nothing there: it takes no part in the
size of windows (``ignore-size``), leaves the environment alone (``-E``), and is told of no output
(``no-output``), so that it can neither slow a program down nor fill up when it is not read.
It never starts a server (``-N``) and, from tmux 3.6 on, moves on to another session when its own
ends. What remains: it counts as attached, shows in ``list-clients``, hooks on attaching run, and
with ``focus-events`` a program that asked for it is told that it has the focus.
"""

import re
from typing import Final

from tmuxprim._pane import Pane
from tmuxprim._tmux._call import call
from tmuxprim._tmux._command import OURS, Words
from tmuxprim._tmux._complaints import not_of_tmux
from tmuxprim._tmux._format import parse_version

# A flag that this tmux does not know is ignored.
_FLAGS: Final = "ignore-size,no-output,no-detach-on-destroy"
SESSIONS: Words = (
    "list-sessions",
    "-F",
    f"#{{session_attached}} #{{destroy-unattached}} #{{session_id}} #{{?{OURS},1,0}} #{{version}}",
)
_SESSION: Final = re.compile(r"(\d+) (\S+) (\$\d+) [01] \S+")
# Up to 3.5 a server may crash that has something to tell while a client attaches.
_SAFE: Final = (3, 6)


def is_safe(answer: str) -> bool:
    """Whether a client may attach to a server without danger to what others have there.

    Args:
        answer: What `SESSIONS` printed, of one session at least.
    """
    *_, is_ours, version = answer.splitlines()[0].split()
    return is_ours == "1" or parse_version(version) >= _SAFE


def pick_session(answer: str) -> str | None:
    """Return the session to attach to: one that nobody watches, if there is one.

    A session with ``destroy-unattached`` that nobody watches would end with our client, and one
    that a person watches would not end as long as our client is there.

    Args:
        answer: What `SESSIONS` printed.

    Returns:
        Its id, or None if there is none to attach to.

    Raises:
        TmuxCommandError: If that is no answer of tmux's.
    """
    fit: list[tuple[bool, bool, str]] = []
    for line in answer.splitlines():
        if not (fields := _SESSION.fullmatch(line)):
            raise not_of_tmux(SESSIONS, answer)
        attached, destroyed, session = fields.groups()
        is_watched, is_destroyed = attached != "0", destroyed not in ("0", "off")
        if is_watched or not is_destroyed:
            fit.append((is_destroyed, is_watched, session))
    return min(fit, key=lambda candidate: candidate[:2])[2] if fit else None


# The panes of the session that the asking client sits in by now: one whose session ended may have
# been moved to another (``detach-on-destroy off``).
PANES: Final = call(("list-panes", "-s", "-F", "#{pane_id}"))


def is_last_of(pane: Pane, panes: str) -> bool:
    """Whether a session ends with *pane*, by what `PANES` printed.

    A client that sits there is told a moment later, while its next call is under way already; so
    it has to leave before.
    """
    return panes.split() == [pane.target]


def attach(session: str) -> Words:
    """Return the words with which a client in control mode attaches to a session."""
    return ("-N", "-C", "attach-session", "-E", "-f", _FLAGS, "-t", session)
