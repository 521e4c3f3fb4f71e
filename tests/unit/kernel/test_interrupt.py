"""SIGINT for a foreground group: only for the one that was seen, and never for this process."""

import os
import signal

import pytest

from tests.unit.builders import AT_PROMPT
from tmuxprim import PaneBusyError
from tmuxprim._kernel.interrupt import interrupt_group


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Give the signals that are sent, none of which is."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "killpg", lambda group, number: sent.append((group, number)))
    return sent


def test_the_group_that_was_seen(killed: list[tuple[int, int]]) -> None:
    """It gets SIGINT."""
    interrupt_group(AT_PROMPT, 10)
    assert killed == [(10, signal.SIGINT)]


def test_another_group(killed: list[tuple[int, int]]) -> None:
    """Another program has come to the front, or the terminal is gone; nothing is sent."""
    for tty, group in ((AT_PROMPT, 11), (None, 10)):
        with pytest.raises(PaneBusyError, match="another program is in front by now"):
            interrupt_group(tty, group)
    assert not killed


def test_this_process(killed: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    """A console on its own pane does not end itself."""
    monkeypatch.setattr(os, "getpgrp", lambda: 10)
    with pytest.raises(PaneBusyError, match="this process itself"):
        interrupt_group(AT_PROMPT, 10)
    assert not killed


@pytest.mark.parametrize(
    ("error", "why"), [(PermissionError, "another user"), (ProcessLookupError, "has ended")]
)
def test_the_kernel_refuses(
    error: type[OSError], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says why, and nothing was sent."""

    def refuse(group: int, number: int) -> None:
        raise error(group, number)

    monkeypatch.setattr(os, "killpg", refuse)
    with pytest.raises(PaneBusyError, match=f"nothing was sent: .*{why}"):
        interrupt_group(AT_PROMPT, 10)
