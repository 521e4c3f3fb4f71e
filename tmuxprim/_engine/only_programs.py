"""Typing for certain programs, and for no other."""

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

    It is judged by the evidence on which the keys are sent. That names a program that may work
    while it reads; of others the screen has to tell.

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
        if screen.dead:  # which is refused as that
            return
        program = program_of(screen, tty)
    if not is_named(program, names):
        wanted = " or ".join(map(repr, names)) or "any that may be typed for"
        raise PaneBusyError(f"{NOTHING}: the program in front is {program!r}, not {wanted}")
