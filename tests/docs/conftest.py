"""What the tests of the pages share: a stranger's shell."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import CommandLine


@pytest.fixture
def home() -> Iterator[Path]:
    """Give an empty directory whose path is short, since it will hold a socket."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        yield Path(directory)


@pytest.fixture
def shell(home: Path) -> Iterator[CommandLine]:
    """Give a shell in that directory; tmux servers that are started in it are gone afterwards."""
    shell = CommandLine(home)
    try:
        yield shell
    finally:
        shell.stop()
