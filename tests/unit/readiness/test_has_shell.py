"""Which programs are shells, as far as their names tell."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim._readiness.look import Look
from tmuxprim._readiness.shell import has_shell


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
