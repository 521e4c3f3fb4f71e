"""A launcher, or a login shell behind it, that prints something of its own, or swallows all."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tmuxprim import (
    KeySequence,
    Pane,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxServerError,
    TmuxTerminal,
)

ASKING: dict[str, Callable[[TmuxTerminal], object]] = {
    "open": lambda terminal: terminal.open(),
    "list": lambda terminal: terminal.panes(),
    "resolve": lambda terminal: terminal.resolve(Pane("work")),
    "look": lambda terminal: terminal.observe(Pane("%0")),
}


def noisy(directory: Path, script: str) -> TmuxTerminal:
    """Return a terminal whose launcher is a shell script."""
    program = directory / "launcher"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return TmuxTerminal(launcher=(str(program),))


@pytest.mark.parametrize("asking", ASKING.values(), ids=ASKING)
def test_a_greeting_is_no_answer(tmp_path: Path, asking: Callable[[TmuxTerminal], object]) -> None:
    """It is told as what it is, and no pane is called by it or taken for gone."""
    terminal = noisy(tmp_path, "echo Welcome to far; echo secret")
    with pytest.raises(TmuxCommandError, match=r"Welcome to far \(no answer") as caught:
        asking(terminal)
    assert "secret" not in str(caught.value)


def test_a_greeting_before_the_list_of_sessions_is_none(tmp_path: Path) -> None:
    """Nor is there a session in it for a client in control mode."""
    noisy(tmp_path, "echo Welcome to this remote machine")
    terminal = TmuxTerminal(launcher=(str(tmp_path / "launcher"),), transport="control")
    with pytest.raises(TmuxCommandError, match="Welcome to this remote machine"):
        terminal.panes()


def test_silence_is_no_answer_either(tmp_path: Path) -> None:
    """A pane that nobody knows of is not gone."""
    terminal = noisy(tmp_path, "exit 0")
    with pytest.raises(TmuxCommandError):
        terminal.observe(Pane("%0"))
    with pytest.raises(TmuxCommandError, match="pass input on"):
        terminal.send(Pane("%0"), KeySequence.text("x"))
    with pytest.raises(TmuxServerError, match="a launcher passes no input on"):
        terminal.open()


def test_a_machine_without_tmux(tmp_path: Path) -> None:
    """The shell over there says so, and it is the same error as here."""
    script = "echo 'sh: 1: tmux: not found' >&2; exit 127"
    with pytest.raises(TmuxNotFoundError, match=r"tmux: not found.*install tmux on the other side"):
        noisy(tmp_path, script).panes()


def test_a_hook_that_finds_no_program_is_not_a_missing_tmux(tmp_path: Path) -> None:
    """Tmux has done what it was told, exits as the hook's shell did, and does not complain."""
    with pytest.raises(TmuxCommandError):
        noisy(tmp_path, "echo \"'nothing' returned 127\"; exit 127").panes()
