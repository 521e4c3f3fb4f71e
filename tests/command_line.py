"""The command line as a shell has it: ``tmuxprim`` on the PATH, and a tmux server of its own."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent


class CommandLine:
    """A shell in which ``tmuxprim`` is the one under test, and ``tmux`` has no server yet.

    Args:
        directory: An empty directory of its own; its path is short, since it will hold a socket.
    """

    def __init__(self, directory: Path) -> None:
        programs = directory / "bin"
        programs.mkdir()
        # The directories of one Python's modules are no use to another, which PATH may have first.
        for name, words in (("tmuxprim", "-m tmuxprim"), ("python3", "")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
            program.chmod(0o755)
        (directory / "sockets").mkdir(mode=0o700)
        path = [str(programs), os.environ.get("PATH", os.defpath)]
        python_path = [word for word in sys.path if word]  # where the library under test is
        self._environment = {
            **os.environ,
            "PATH": os.pathsep.join(path),
            "PYTHONPATH": os.pathsep.join(python_path),
            "TMUX_TMPDIR": str(directory / "sockets"),
            "HOME": str(directory),
            "HISTFILE": "",  # or bash writes there while it is ended, and its directory removed
            "LANG": "C.UTF-8",
        }
        for name in ("TMUX", "TMUXPRIM_SOCKET", "TMUXPRIM_PANE"):
            self._environment.pop(name, None)

    def run(self, command: str) -> "subprocess.CompletedProcess[str]":
        """Run a line of shell."""
        return subprocess.run(
            ["bash", "-c", command],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Start tmuxprim and do not wait for its end."""
        argv = [sys.executable, "-m", "tmuxprim", *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(argv, env=self._environment, stdout=pipe, stderr=pipe, text=True)

    def stop(self) -> None:
        """End the servers."""
        with suppress(subprocess.SubprocessError):
            self.run('for socket in "$TMUX_TMPDIR"/*/*; do tmux -S "$socket" kill-server; done')
