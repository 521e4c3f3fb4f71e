"""What `doctor` sees around it: the locale, and a tmux that it may run in."""

from collections.abc import Mapping

from tmuxprim._cli._check import Check, State
from tmuxprim._cli._options import Options

# In the order in which a C library asks for them (locale(7)).
_LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")


def check_locale(environment: Mapping[str, str]) -> Check:
    """See whether programs write UTF-8, which tmux is told to show."""
    name = next((name for name in _LOCALE if environment.get(name)), "LANG")
    value = environment.get(name, "")
    found = f"{name}={value}" if value else "not set"
    if "utf8" in value.lower().replace("-", ""):
        return Check("locale", State.OK, found)
    return Check(
        "locale",
        State.NOTE,
        f"{found}, which is not UTF-8",
        f"export {name}=C.UTF-8, or programs in panes may show '?' for letters such as 'é'",
    )


def check_inside(environment: Mapping[str, str], options: Options) -> Check | None:
    """See whether this runs in a pane of another server than the one that is asked."""
    socket = environment.get("TMUX", "").partition(",")[0]
    if not socket:
        return None
    asked = options.socket_path or f"/{options.socket_name or 'default'}"
    if options.launcher or not socket.endswith(asked):
        return Check(
            "inside tmux",
            State.NOTE,
            f"this runs in a pane of the server at {socket}, and asks another one",
            f"TMUX is never looked at; -S {socket} names the server around you",
        )
    return Check("inside tmux", State.OK, f"this runs in a pane of the same server, {socket}")
