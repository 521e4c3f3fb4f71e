"""A mark from process to process: one sends, another waits, a third reads; they share a file."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.scenarios.refusals import STAT, SYSCALL
from tests.tmux_server import Server

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "seq", "sleep")]

ROOT = Path(__file__).parent.parent.parent
# A command line of its own, in which the kernel tells no more than a level of evidence.
PROGRAM = """
import sys
from tests.scenarios.refusals import files_may_be_refused, refusing
from tmuxprim.cli import main
with files_may_be_refused(), refusing(sys.argv[1]):
    sys.exit(main(sys.argv[2:]))
"""
HUNDREDS = "".join(f"{number}\n" for number in range(1, 501))
COMMANDS = {
    "quick": ("echo hi", "hi\n"),
    "slow, and scrolls late": ("echo hi; sleep 2; seq 500", f"hi\n{HUNDREDS}"),
    "silent": ("sleep 1", ""),
}


class Processes:
    """Runs each command line in a process of its own, with some evidence of the kernel."""

    def __init__(self, server: Server, evidence: str) -> None:
        self._words = (sys.executable, "-c", PROGRAM, evidence, "-S", str(server.socket))

    def __call__(self, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        """Run one, and return how it ended."""
        return subprocess.run(
            (*self._words, *words),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=ROOT,
        )


@pytest.mark.parametrize("evidence", [SYSCALL, STAT])
def test_send_wait_and_read(server: Server, evidence: str, tmp_path: Path) -> None:
    """No wait is early, and all that was printed is read, though the screen has scrolled."""
    tmuxprim, file = Processes(server, evidence), str(tmp_path / "mark")
    bash = ("bash", "--norc", "--noprofile")
    opened = tmuxprim("-f", "/dev/null", "open", "--name", "w", "--env", "PS1=$ ", "--", *bash)
    assert opened.returncode == 0, opened.stderr
    assert tmuxprim("wait", "w").returncode == 0
    for line, printed in COMMANDS.values():
        sent = tmuxprim("send", "w", line, "--mark", file)
        assert (sent.returncode, sent.stdout) == (0, ""), sent.stderr
        waited = tmuxprim("wait", "w", "--since", file, "--timeout", "30")
        assert waited.returncode == 0, waited.stderr
        assert waited.stderr.startswith("ready (prompt)"), (line, waited.stderr)
        read = tmuxprim("read", "w", "--since", file)
        assert (read.stdout, read.stderr) == (f"{printed}$\n", ""), line
        text = Path(file).read_text(encoding="utf-8")
        assert line not in text
    again = tmuxprim("read", "w", "--since", "-", stdin=text)
    assert again.stdout == read.stdout
    old = tmuxprim("wait", "w", "--since", file, "--for", "hi", "--timeout", "0.5")
    assert old.returncode == 124, "a text from before the mark is not new"


def test_a_mark_of_another_pane_or_server(server: Server, tmp_path: Path) -> None:
    """It is refused: the pane of the same id may be of the next server."""
    tmuxprim, file = Processes(server, SYSCALL), str(tmp_path / "mark")
    for name in ("a", "b"):
        tmuxprim("-f", "/dev/null", "open", "--name", name, "--", "bash", "--norc")
        assert tmuxprim("wait", name).returncode == 0
    assert tmuxprim("send", "a", "true", "--mark", file).returncode == 0
    other = tmuxprim("read", "b", "--since", file)
    assert (other.returncode, other.stdout) == (2, "")
    assert "the mark is of pane %0, not of pane %1" in other.stderr
    server.stop()
    tmuxprim("-f", "/dev/null", "open", "--name", "a", "--", "bash", "--norc")
    next_server = tmuxprim("wait", "a", "--since", file)
    assert (next_server.returncode, next_server.stdout) == (2, "")
    assert "the mark is of pane %0 of another server" in next_server.stderr
