"""The choice among the transports."""

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from tmuxprim._tmux.exec import Exec
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._values.checks import check_timeout

if TYPE_CHECKING:
    from tmuxprim._tmux.exec_transport import ExecTransport
    from tmuxprim._tmux.transport import ControlTransport

TransportName: TypeAlias = Literal["subprocess", "control", "auto"]


def make_transport(
    name: TransportName,
    prefix: Prefix,
    timeout: float,
    *,
    exec_: Exec | None = None,
    has_stdin: bool = True,
) -> "SubprocessTransport | ControlTransport | ExecTransport":
    """Return the transport of that name, or that by an exec; errors as of `make_spawn`."""
    spawn = make_spawn(name, prefix, timeout)
    if exec_ is not None:
        from tmuxprim._tmux.exec_transport import ExecTransport  # noqa: PLC0415  # few have it

        return ExecTransport(exec_, prefix, timeout, has_stdin=has_stdin)
    if name == "subprocess":
        return spawn
    from tmuxprim._tmux.transport import ControlTransport  # noqa: PLC0415  # few have it

    return ControlTransport(spawn, is_required=name == "control")


def make_spawn(name: TransportName, prefix: Prefix, timeout: float) -> SubprocessTransport:
    """Return what starts clients, for a transport of that name.

    Raises:
        ValueError: If there is no such transport, tmux is given no time to answer, or control mode
            is to go through an exec.
    """
    names = get_args(TransportName)
    if name not in names:
        raise ValueError(f"a transport is one of {', '.join(names)}, got {name!r}")
    if prefix.is_by_exec and name == "control":
        raise ValueError("control mode keeps a client, which an exec cannot; leave transport= out")
    return SubprocessTransport(prefix, check_timeout(timeout))
