"""The protocol of transports, and the choice among them."""

from typing import Literal, Protocol, TypeAlias, get_args

from tmuxprim._tmux.commands import Call
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._values.checks import check_timeout

TransportName: TypeAlias = Literal["subprocess", "control", "auto"]


class Transport(Protocol):
    """Carries calls to a tmux server, and returns what it printed."""

    @property
    def name(self) -> str:
        """How calls are carried now."""
        ...

    def run(self, call: Call) -> str:
        """Carry out one call."""
        ...

    def close(self) -> None:
        """End the client that is kept, if one is; the next call starts it again."""
        ...


def make_transport(name: TransportName, prefix: Prefix, timeout: float) -> Transport:
    """Return the transport of that name; see `TmuxTerminal`.

    Raises:
        ValueError: If there is none, or tmux is given no time to answer.
    """
    check_transport(name)
    spawn = SubprocessTransport(prefix, check_timeout(timeout))
    if name == "subprocess":
        return spawn
    from tmuxprim._tmux.transport import ControlTransport  # noqa: PLC0415  # few have it

    return ControlTransport(spawn, is_required=name == "control")


def check_transport(name: str) -> None:
    """Check the name of a transport.

    Raises:
        ValueError: If there is none of that name.
    """
    names = get_args(TransportName)
    if name not in names:
        raise ValueError(f"a transport is one of {', '.join(names)}, got {name!r}")
