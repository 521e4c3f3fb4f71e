"""tmux on another machine or in a container: its launcher, and the other options."""

from typing import TypedDict

from tmuxprim._terminal import StrPath
from tmuxprim._tmux.choice import TransportName
from tmuxprim._values.argument_types import check_type


class ServerOptions(TypedDict, total=False):
    """The keywords of a terminal whose launcher is known."""

    socket_name: str | None
    socket_path: StrPath | None
    config_file: StrPath | None
    executable: str
    timeout: float
    transport: TransportName
    history_limit: int | None


def by_ssh(host: str) -> tuple[str, ...]:
    """Return the launcher for a host."""
    return ("ssh", _checked("host", host))


def by_docker(container: str) -> tuple[str, ...]:
    """Return the launcher for a container; typed text goes over standard input."""
    return ("docker", "exec", "-i", _checked("container", container))


def _checked(what: str, name: str) -> str:
    """Refuse a name that the launcher would take for an option."""
    check_type(what, name, str)
    if not name or name.startswith("-"):
        raise ValueError(f"a {what} is a name that does not begin with '-', got {name!r}")
    return name
