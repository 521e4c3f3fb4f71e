"""What tests of the tmux backend share."""

import pytest


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill a client soon that does not leave."""
    monkeypatch.setattr("tmuxprim._tmux.client._PATIENCE", 0.05)
