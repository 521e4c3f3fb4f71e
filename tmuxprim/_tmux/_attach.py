"""Which session a client in control mode attaches to, and how: pure functions.

It has to sit in a session. Attached this way it changes nothing there: it takes no part in the
size of windows (``ignore-size``), leaves the environment alone (``-E``), and is told of no output
(``no-output``), so that it can neither slow a program down nor fill up when it is not read.
What remains: it counts as attached, shows in ``list-clients``, and hooks on attaching run.
"""

from tmuxprim._pane import Pane
from tmuxprim._tmux._call import Call, call
from tmuxprim._tmux._command import Words

SESSIONS: Words = (
    "list-sessions",
    "-F",
    "#{session_attached} #{destroy-unattached} #{session_id}",
)


def pick_session(answer: str) -> str | None:
    """Return the session to attach to: one that nobody watches, if there is one.

    A session with ``destroy-unattached`` that nobody watches would end with our client.

    Args:
        answer: What `SESSIONS` printed.

    Returns:
        Its id, or None if there is none to attach to.
    """
    found: dict[bool, str] = {}
    for line in answer.splitlines():
        attached, destroyed, session = line.split()
        is_watched = attached != "0"
        if is_watched or destroyed in ("0", "off"):
            found.setdefault(is_watched, session)
    return found.get(False, found.get(True))


def panes_of(session: str) -> Call:
    """Return the call that lists the panes of a session."""
    return call(("list-panes", "-s", "-t", session, "-F", "#{pane_id}"))


def is_last_of(pane: Pane, panes: str) -> bool:
    """Whether a session ends with *pane*, by what `panes_of` printed.

    A client that sits there is told a moment later, while its next call is under way already; so
    it has to leave before.
    """
    return panes.split() == [pane.target]


def attach(session: str) -> Words:
    """Return the words with which a client in control mode attaches to a session."""
    return ("-C", "attach-session", "-E", "-f", "ignore-size,no-output", "-t", session)
