"""The tutorial, step by step: its files are saved, its commands typed."""

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.pages import DOCS, blocks, play

PAGE = DOCS / "tutorial.md"


@pytest.mark.tmux
@pytest.mark.needs("bash")
def test_every_command_prints_what_the_page_says(home: Path, shell: CommandLine) -> None:
    """From an empty directory to a tested agent, and nothing is left behind."""
    files = [block for block in blocks(PAGE) if block.file]
    assert {block.file for block in files} >= {"install.sh", "agent.py", "test_agent.py"}
    for block in files:
        (home / block.file).write_text(block.text, encoding="utf-8")
    told, done = play(PAGE, shell)
    assert done == told
    assert shell.run("tmux -L tutorial list-panes -a").returncode != 0


def test_every_python_block_is_a_file() -> None:
    """No code of the page goes untested."""
    assert all(block.file for block in blocks(PAGE, "python", "bash"))
