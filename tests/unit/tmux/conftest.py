"""What tests of the tmux backend share."""

from pathlib import Path

import pytest

from tests.unit.tmux.kernel import Kernel


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Give a /proc of a kernel on x86_64."""
    monkeypatch.setattr("tmuxprim._tmux.syscall._MACHINE", "x86_64")
    return Kernel(tmp_path)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill a client soon that does not leave."""
    monkeypatch.setattr("tmuxprim._tmux.client._PATIENCE", 0.05)
