"""The choice among the transports."""

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._values.checks import check_timeout

if TYPE_CHECKING:
    from tmuxprim._tmux.transport import ControlTransport

TransportName: TypeAlias = Literal["subprocess", "control", "auto"]


def make_transport(
    name: TransportName, prefix: Prefix, timeout: float
) -> "SubprocessTransport | ControlTransport":
    """Return the transport of that name; errors as of `make_spawn`."""
    spawn = make_spawn(name, prefix, timeout)
    if name == "subprocess":
        return spawn
    from tmuxprim._tmux.transport import ControlTransport  # noqa: PLC0415  # few have it

    return ControlTransport(spawn, is_required=name == "control")


def make_spawn(name: TransportName, prefix: Prefix, timeout: float) -> SubprocessTransport:
    """Return what starts clients, for a transport of that name.

    Raises:
        ValueError: If there is no such transport, or tmux is given no time to answer.
    """
    names = get_args(TransportName)
    if name not in names:
        raise ValueError(f"a transport is one of {', '.join(names)}, got {name!r}")
    return SubprocessTransport(prefix, check_timeout(timeout))
