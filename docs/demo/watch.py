"""The screenshot of ``tmuxprim watch`` in the guide: ``python3 dev.py demo --watch FILE``."""

import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tmuxprim import Console, Size, TmuxTerminal

_BASH: Final = ("bash", "--norc", "--noprofile")
_SIZE: Final = Size(80, 11)
# The name of each pane, and the command that is typed at its shell, if any.
_PANES: Final = {
    "web": "while date +%T; do sleep 1; done",
    "api": "",
    "files": "clear; read -p 'Remove 3 files? [y/N] '",
    "login": "clear; read -sp 'Password: '",
    "repl": "python3 -q",
    "log": "seq 99 | less",
    "build": "sleep 1000",
}
_DRAWN: Final = 1.0  # seconds after which each has drawn
# The keys that answer the first dialog, each with the text that the table shows then.
_KEYS: Final = (("a", "answer (Enter"), ("yes", "leave it): yes"), ("\r", "type 'yes'?"))


def draw_watch(path: Path) -> None:
    """Draw a screenshot of ``tmuxprim watch`` with seven panes, before an answer is typed."""
    with TemporaryDirectory() as directory, ExitStack() as opened:
        socket = Path(directory, "socket")
        terminal = TmuxTerminal(socket_path=socket, config_file="/dev/null")
        for name, command in _PANES.items():
            env = {"PS1": "$ ", "LESS": ""}
            pane = opened.enter_context(Console.open(terminal, _BASH, name=name, env=env))
            pane.wait_ready()
            if command:
                pane.send(command)
                pane.wait_ready(_DRAWN)  # two of them work on
        words = (sys.executable, "-m", "tmuxprim", "watch", "-S", str(socket), *_PANES)
        watch = opened.enter_context(Console.open(terminal, words, size=_SIZE))
        for name in _PANES:
            watch.wait_for(f"{name}:0.0")
        for keys, shown in _KEYS:
            watch.send(keys, enter=False)
            watch.wait_for(shown)
        watch.screenshot(path)
