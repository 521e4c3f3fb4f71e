"""The README as a stranger reads it: each block alone, in an empty directory, on its own tmux."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

import dev
from tests.command_line import ROOT, CommandLine
from tests.pages import README, Block, blocks, play

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Of a page on GitHub, the package index would not show the picture.
IMAGE = re.compile(
    r"!\[[^]]*\]\(https://raw\.githubusercontent\.com/tmuxprim/tmuxprim/main/([^)]+)\)"
)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.tmux
@pytest.mark.needs("bash")
@pytest.mark.parametrize("block", blocks(README, "python"), ids=lambda block: block.text[:40])
def test_a_block_runs_as_it_stands(block: Block, home: Path, shell: CommandLine) -> None:
    """With nothing before it; what a block says in a last comment is what it prints."""
    (home / "test_block.py").write_text(block.text, encoding="utf-8")
    is_test = "def test_" in block.text
    ran = shell.run(f"cd ~; python3 {'-m pytest -q ' if is_test else ''}test_block.py")
    assert (ran.returncode, ran.stderr) == (0, "")
    said = block.text.rstrip().splitlines()[-1]
    if said.startswith("# "):
        assert said.removeprefix("# ").removesuffix("...") in ran.stdout
    assert not is_test or "1 passed" in ran.stdout


@pytest.mark.tmux
@pytest.mark.needs("bash")
def test_the_first_block_shows_what_it_promises(home: Path, shell: CommandLine) -> None:
    """Exactly the output, that a question stands there, and why; no pane is left."""
    (home / "first.py").write_text(blocks(README, "python")[0].text, encoding="utf-8")
    ran = shell.run("cd ~; python3 first.py; tmuxprim panes")
    assert ran.stdout.startswith("1\n2\n3\n\nawaiting input because ")
    assert "%" not in ran.stdout


@pytest.mark.tmux
@pytest.mark.needs("bash")
def test_the_commands_print_what_it_says(shell: CommandLine) -> None:
    """From a first pane to its end."""
    told, done = play(README, shell)
    assert len(told) > 3
    assert done == told


def test_what_is_installed_and_set_up_exists() -> None:
    """The name for pip is the project's, and ``dev.py`` has the commands."""
    lines = [
        shlex.split(line, comments=True)
        for block in blocks(README, "sh")
        for line in block.text.splitlines()
    ]
    lines += map(str.split, re.findall(r"`(python3 dev.py \w+)`", README.read_text("utf-8")))
    assert ["pip", "install", PROJECT["name"]] in lines
    rest = [words for words in lines if words[0] != "pip"]
    assert rest
    for python, script, command in rest:
        assert (python, script) == ("python3", "dev.py")
        assert command in dev.COMMANDS


def test_links_work_on_the_package_index() -> None:
    """They are whole addresses, of files that are there, below the project's own."""
    page = README.read_text(encoding="utf-8")
    [picture] = IMAGE.findall(page)
    assert (ROOT / picture).is_file()
    links = LINK.findall(IMAGE.sub("", page))
    assert len(links) > 5
    for link in links:
        address, _, heading = link.partition("#")
        path = address.removeprefix(f"{PROJECT['urls']['Repository']}/blob/main/")
        assert path != address, link
        text = (ROOT / path).read_text(encoding="utf-8")
        assert heading in {
            "",
            *(slug(title) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)),
        }


def slug(title: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_it_is_short() -> None:
    """A stranger reads all of it."""
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 110
