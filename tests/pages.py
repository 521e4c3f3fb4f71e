"""The pages that people read: their blocks of code, and what these do as they stand."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.command_line import ROOT, CommandLine

README = ROOT / "README.md"
DOCS = ROOT / "docs"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"[Ss]ave\s[^`]*`([\w.]+)`[^`]*:\n\n\Z")
# Each line behind a $ is a command, and what follows it is what it prints.
_COMMAND = re.compile(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_SECONDS = re.compile(r"\bin \d+\.\d+s\b")


class Block(NamedTuple):
    """A block of code: its language, its text, and the file that a person is to save it in."""

    language: str
    text: str
    file: str


def blocks(page: Path, *languages: str) -> list[Block]:
    """Return the blocks of a page that are in these languages; in any if none is given."""
    return [block for block in _blocks(page) if not languages or block.language in languages]


def _blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        saved = _FILE.search(text, 0, found.start())
        yield Block(found[1], textwrap.dedent(found[2]), saved[1] if saved else "")


def play(page: Path, shell: CommandLine) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Type every command of a page's transcripts, in order.

    Returns:
        The commands with what the page says that they print, and with what they print. How long
        something took is left out.
    """
    told = [
        (command, said)
        for block in blocks(page, "console")
        for command, said in _COMMAND.findall(block.text)
    ]
    script = "\n".join(f"echo '>>>>'\n{command}" for command, _ in told).replace("\n> ", "\n")
    printed = shell.run(f"cd ~; exec 2>&1\n{script}").stdout.split(">>>>\n")[1:]
    done = [(command, said) for (command, _), said in zip(told, printed, strict=True)]
    return _timeless(told), _timeless(done)


def _timeless(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(command, _SECONDS.sub("in 0.01s", said)) for command, said in pairs]
