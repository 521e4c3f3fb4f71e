"""Law 11 of `strip_ansi`: a real tmux shows what is left, and nothing else.

Thousands of fuzzed lines go through one pane and are read back from its history. The
alphabet is kept to what tmux can answer for, line by line:

* 7-bit only: how tmux decodes UTF-8 is not what is asked.
* No DCS: tmux has its own ideas of a passthrough.
* No BS, TAB, LF, VT, FF or CR: they move the cursor, and `strip_ansi` keeps them. The other
  C0 controls and DEL are kept too but show nothing, so they are taken off before comparing.
* No final byte that moves, erases, repeats, resets, switches the screen or asks something.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Protocol

import pytest

from tmuxprim._values.ansi import strip_ansi

LINES = 20_000
WIDTH = 250  # no line is as long, so none wraps

SILENT_C0 = "\x00\x01\x05\x07\x0e\x0f\x10\x17\x19\x1c\x1f\x7f"
WORDS = ("a", "xy", " ", "[", "]", "0m", ";1", "(B", "\\", "~", "\x18", "\x1a")
CSI_FINALS = "mmmmINOQRUVWY[]^_aeijkopvwxyz{|}~\x18\x1a"
ESC2_FINALS = "=>123<?ACFGIJKLNOQRSTUVWYZabdefghijlmnopqrstuvwxyz{|}~\x18\x1a"
STRING_ENDS = ("\x07", "\x1b\\", "\x18", "\x1a", "")
NF_FINALS = "0ABCHKQRYZ456789<>\x18"


class Tmux(Protocol):
    """A tmux with a server of its own."""

    def __call__(self, *arguments: str) -> str:
        """Run one tmux command and return what it prints."""


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    """Yield a tmux whose server and socket are gone afterwards."""
    with TemporaryDirectory(prefix="tmuxprim-", ignore_cleanup_errors=True) as sockets:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TMUX")}
        environment["TMUX_TMPDIR"] = sockets

        def run(*arguments: str) -> str:
            command = ["tmux", "-L", "oracle", "-f", os.devnull, "-u", *arguments]
            return subprocess.check_output(
                command, env=environment, encoding="utf-8", stderr=subprocess.STDOUT, timeout=60
            )

        yield run
        run("kill-server")


def _some(random: Random, alphabet: str, most: int) -> str:
    return "".join(random.choices(alphabet, k=random.randint(0, most)))


def _text(random: Random) -> str:
    return random.choice(WORDS) + _some(random, SILENT_C0, 1)


def _csi(random: Random) -> str:
    body = _some(random, "0123456789;:?<=>! #\x00\x07\x0e\x7f", 4)
    return "\x1b[" + body + _some(random, CSI_FINALS, 1)


def _string(random: Random) -> str:
    payload = _some(random, "0;2xyz[(]\x00\x0e\x7f m", 6)
    return "\x1b" + random.choice("]]]X^_k") + payload + random.choice(STRING_ENDS)


def _nf(random: Random) -> str:
    intermediates = random.choice("()*+ %$&") + _some(random, "(%\x07\x7f", 2)
    return "\x1b" + intermediates + _some(random, NF_FINALS, 1)


def _esc2(random: Random) -> str:
    return "\x1b" + _some(random, SILENT_C0, 1) + _some(random, ESC2_FINALS, 1)


PIECES = (_text, _text, _text, _csi, _csi, _string, _nf, _esc2)


def _line(random: Random) -> str:
    """Make a line of text and sequences, whole or cut short; ST ends what was left open."""
    pieces = random.choices(PIECES, k=random.randint(1, 12))
    return "".join(piece(random) for piece in pieces) + "\x1b\\"


def _shown(line: str) -> str:
    """Return what a screen shows of *line*: a control has no glyph, a blank end no trace."""
    return "".join(c for c in strip_ansi(line) if " " <= c <= "~").rstrip()


def _show(tmux: Tmux, lines: list[str], file: Path) -> list[str]:
    """Let a pane show *lines* from *file*, and return what it then holds, history included."""
    file.write_bytes("".join(line + "\r\n" for line in lines).encode("ascii"))
    # A terminal answers in order: once the program has the four bytes that answer "status?",
    # tmux has read all lines. Raw, so that nothing is added to them and no answer is echoed.
    program = (
        rf"stty raw -echo; cat '{file}'; printf '\033[5n'; head -c 4 >{os.devnull};"
        " tmux wait-for -S shown; exec cat"
    )
    tmux(
        *("start-server", ";", "set-option", "-g", "history-limit", str(len(lines)), ";"),
        *("new-session", "-d", "-x", str(WIDTH), "-y", "50", "sh", "-c", program),
    )
    tmux("wait-for", "shown")
    captured = tmux("capture-pane", "-p", "-t", ":", "-S", "-")
    return [line.rstrip() for line in captured.split("\n")[: len(lines)]]


@pytest.mark.oracle
@pytest.mark.tmux
def test_law_11_tmux_shows_what_strip_ansi_leaves(tmux: Tmux, tmp_path: Path) -> None:
    """Real tmux agrees, line by line, on where each control function begins and ends."""
    random = Random(11)  # noqa: S311  # the same lines in every run, no secret
    lines = [_line(random) for _ in range(LINES)]
    seen = _show(tmux, lines, tmp_path / "fuzz.txt")
    assert len(seen) == LINES
    differing = [
        (line, strip_ansi(line), screen)
        for line, screen in zip(lines, seen, strict=True)
        if _shown(line) != screen
    ]
    assert not differing[:5], f"{len(differing)} of {LINES} lines differ"
