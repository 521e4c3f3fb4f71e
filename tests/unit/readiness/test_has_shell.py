"""Which programs are shells, as far as their names tell."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, COOKED_ONLY, RAW_ONLY, screen
from tmuxprim import TtyState
from tmuxprim._readiness.look import Look
from tmuxprim._readiness.shell import has_shell, may_prompt


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("bash", True),
        ("-zsh", True),
        ("zsh-5.9", True),
        ("ksh93", True),
        ("dash", True),
        ("python3.11", False),
        ("sqlite3", False),
        ("ssh", None),
        ("sudo", None),
        ("", None),
    ],
)
def test_a_name_tells(command: str, known: bool | None) -> None:  # noqa: FBT001  # a table
    """Also that nobody knows."""
    shown = attrs.evolve(screen(), command=command)
    assert has_shell(Look(screen=shown, tty=AT_PROMPT)) is known
    assert has_shell(Look(screen=shown)) is known


def test_what_passes_on_another_terminal_may_have_a_shell_behind_it() -> None:
    """Whatever its name is; the kernel tells."""
    tty = attrs.evolve(AT_PROMPT, relays=True)
    assert has_shell(Look(screen=attrs.evolve(screen(), command="my-login"), tty=tty)) is None


PASSES_ON = attrs.evolve(RAW_ONLY, signals=False)


@pytest.mark.parametrize(
    ("command", "text", "tty", "may"),
    [
        ("bash", "x# ", RAW_ONLY, True),
        ("bash", "x# ", COOKED_ONLY, False),  # it edits its lines
        ("dash", "x# ", COOKED_ONLY, True),
        ("busybox", "x# ", PASSES_ON, True),
        ("python3", "x# ", RAW_ONLY, True),
        ("python3", "x# ", PASSES_ON, False),  # as pty.spawn does
        ("ipython", "In [1]: ", PASSES_ON, True),
        ("python3", "x# ", None, False),
        ("python3", ">>> ", None, True),
        ("python3", "(Pdb) ", None, True),
        ("ssh", "x# ", PASSES_ON, True),
        ("script", "x# ", PASSES_ON, False),
        ("make", "x# ", RAW_ONLY, False),
        ("", "x# ", None, True),
    ],
)
def test_who_may_prompt_where_nobody_tells_who_reads(
    command: str, text: str, tty: TtyState | None, *, may: bool
) -> None:
    """Shells, REPLs and what is made for a shell far away."""
    shown = attrs.evolve(screen(text), command=command)
    assert may_prompt(Look(screen=shown, tty=tty)) is may
