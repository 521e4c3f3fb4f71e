"""Running a command line: reading it comes first, and needs nothing of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tmuxprim._cli._parser import parse
from tmuxprim._cli._status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tmuxprim._cli._options import Options
    from tmuxprim._cli._site import Site


def run(argv: Sequence[str], make_site: Callable[[Options], Site] | None = None) -> int:
    """Run the command that *argv* names and return its exit status.

    Args:
        argv: The words of the command line.
        make_site: Makes the tmux server that its options name; None is the real one.
    """
    try:
        options = parse(argv)
    except SystemExit as end:  # what is wrong has been printed, or the help
        return Status.BAD_USE if end.code else Status.READY
    from tmuxprim._cli._carry import carry_out
    from tmuxprim._cli._site import TmuxSite

    return carry_out(options, (make_site or TmuxSite)(options))
