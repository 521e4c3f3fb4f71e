"""Clients in control mode that are made of shell script."""

import stat
from pathlib import Path
from typing import Final

from tmuxprim._tmux.client import ControlClient
from tmuxprim._tmux.connection import AttachedClient
from tmuxprim._tmux.control import Stream
from tmuxprim._tmux.launch import Prefix

# block NUMBER FLAG [TEXT [error]]. ask reads the line of a call and its mark; answer [TEXT [error]]
# is the next block of ours, and the oldest mark. A line of a script is then much like a line of a
# test.
WORDS: Final = r"""
block() {
    printf '%%begin 7 %s %s\n' "$1" "$2"
    [ -z "$3" ] || printf '%s\n' "$3"
    printf '%%%s 7 %s %s\n' "${4:-end}" "$1" "$2"
}
n=1 marks=
ours() { n=$((n + 1)); block $n 1 "$@"; }
ask() { read -r line && read -r mark && marks="$marks $mark"; }
answer() {
    ours "$@"
    marks=${marks# }
    ours "parse error: unknown command: ${marks%% *}" error
    case $marks in *" "*) marks=${marks#* } ;; *) marks= ;; esac
}
greet() { block 1 0; }
"""
ECHO: Final = 'while ask; do answer "$line"; done'


def client(script: str) -> ControlClient:
    """Start a client that is a shell script."""
    return ControlClient(Prefix((), ("sh", "-c", WORDS + script)), ())


def link(script: str) -> AttachedClient:
    """Return such a client, linked to a stream."""
    return AttachedClient(client(script), Stream())


def program(
    directory: Path, *, attach: str, other: str = "echo spawned", sessions: str = ""
) -> Path:
    """Write a tmux of which each client is a shell script.

    Args:
        directory: Where to.
        attach: What a client in control mode does.
        other: What one does that is told anything else; its words are in ``$*``.
        sessions: What one does that lists the sessions, if not telling of one.
    """
    script = f"""#!/bin/sh
cd {directory}
{WORDS}
case "$*" in
*list-sessions*) {sessions or "echo '0 0 $1 0 3.3a'"} ;;
*attach-session*) {attach} ;;
*) {other} ;;
esac
"""
    path = directory / "tmux"
    path.write_text(script)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def first_pane(directory: Path) -> Path:
    """Write a tmux that has no session yet; the file ``events`` tells what its clients do."""
    return program(
        directory,
        attach=f"echo attach >>events; greet; {ECHO}",
        other="echo begin >>events; sleep 0.05; touch there; echo end >>events; echo spawned",
        sessions="[ ! -f there ] || echo '0 0 $1 0 3.3a'",
    )
