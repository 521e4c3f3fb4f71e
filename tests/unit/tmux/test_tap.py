"""`FileTap`, without a tmux: what becomes of it if its shell does not end."""

import os
import re
from pathlib import Path

import pytest

from tmuxprim._tmux import tap as module
from tmuxprim._tmux.tap import FileTap


def test_a_shell_that_does_not_end_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was told to end; the tap waits for a second at most, and then gives back what it has."""
    monkeypatch.setattr(module, "_ENDING", (0.001, 0.001))
    tap = FileTap()
    found = re.search(r"-p (\S+) \]", tap.command)
    assert found is not None
    alive = Path(found[1])
    shell = os.open(alive, os.O_RDONLY | os.O_NONBLOCK)
    tap.close()
    assert tap.read() == ""
    assert not alive.parent.exists()
    # The end of the pipe, behind the line, says the same to a shell that begins to read only now.
    assert os.read(shell, 10) == b"\n"
    assert os.read(shell, 10) == b""
    os.close(shell)
