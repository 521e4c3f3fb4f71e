"""The refusal to type where another program is in front than the caller has named (``only``)."""

from collections.abc import Collection
from types import NoneType

from tmuxprim._engine.plan import Plan, observe
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import TtyState, program_of
from tmuxprim._values.pane import Pane
from tmuxprim._values.programs import is_named
from tmuxprim.errors import PaneBusyError


def refuse_others(pane: Pane, tty: TtyState | None, only: Collection[str] | None) -> Plan[None]:
    """Refuse to type if the program in front is another one than those of *only*.

    The program is that of *tty*, the evidence on which the keys are sent. If that has none, it is
    the command that tmux reports.

    Raises:
        PaneBusyError: If it is; nothing was sent.
    """
    check_type("only", only, Collection, NoneType)
    if only is None:
        return
    names = (only,) if isinstance(only, str) else tuple(only)
    for name in names:
        check_type("a name in only", name, str)
    program = tty.program if tty is not None else None
    if not program:
        screen = yield from observe(pane)
        if screen.dead:  # the send itself refuses that, with a better reason
            return
        program = program_of(screen, tty)
    if not is_named(program, names):
        wanted = " or ".join(map(repr, names)) or "any that may be typed for"
        raise PaneBusyError(f"{NOTHING}: the program in front is {program!r}, not {wanted}")
