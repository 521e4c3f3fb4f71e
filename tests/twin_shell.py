"""The shell that a fake and a real terminal have alike, to be compared.

Both know the contract's commands and some more, and ``ask`` is a process of its own in both, so
that the kernel's evidence can be compared, too.
"""

from shlex import quote
from typing import Final

from tmuxprim.testing import (
    CONTRACT_RC,
    CONTRACT_SHELL,
    FakeTty,
    Program,
    Run,
    ScriptedShell,
    after,
)

TEXTS: Final = {
    "long": f"{'0123456789' * 12}\nshort\n",
    "spaces": "one  \n  two   \n",
    "wide": f"{'日本語' * 9}x\ne\u0301\n",
    "tabs": "a\tb\tc\n",
    "place": "\x1b[3;5Hhere\nbelow\n",
    "erase": "some words\x1b[4D\x1b[K\nnext\x1b[1K\n",
    "clean": "\x1b[H\x1b[2J",
    "forget": "\x1b[3J",
    "hide": "\x1b[?25l",
    "show": "\x1b[?25h",
    "no-newline": "abc",
}
"""What further commands print."""

COMMANDS: Final = ("true", "seq 1 100", "colours", "title hello", *TEXTS)
"""Commands that come to an end by themselves."""

_RC: Final = r"""
ask() { (exec -a ask bash -c "read -p 'Continue? [y/N] ' answer"); }
ask-secret() { (exec -a ask-secret bash -c "read -s -p 'Password: ' answer && echo"); }
# The fake knows whole lines, and seq with other arguments is no command to it.
eval "_$(declare -f title)"
eval "_$(declare -f fullscreen)"
_seq() { command seq "$@"; }
_sleep() { command sleep "$@"; }
strictly() {
  case "$*" in
    'seq 1 100' | 'title hello' | 'fullscreen on' | 'fullscreen off' | 'sleep 0.2' | 'sleep 600')
      "_$@" ;;
    *) command_not_found_handle "$1" ;;
  esac
}
for name in seq title fullscreen sleep; do eval "$name() { strictly $name \"\$@\"; }"; done
command_not_found_handle() { echo "sh: $1: not found"; }
TERM=vt100 # readline neither inserts nor deletes characters then, as little as the fake's editor
unset HISTFILE
HISTCONTROL=ignoredups
exit() { builtin exit "$@" 2> /dev/null; }
"""


def _printing(text: str) -> Program:
    def run(tty: FakeTty) -> Run:
        tty.write(text)
        yield from ()
        return 0

    return run


SHELL: Final = ScriptedShell(
    {
        **CONTRACT_SHELL.commands,
        **{name: _printing(text) for name, text in TEXTS.items()},
        "sleep 0.2": after(0.2),
        "sleep 600": after(86400.0),  # virtual time may be more than was really spent
    }
)


def rc() -> str:
    """Return the start-up file that makes bash the same shell."""
    prints = [f"{name}() {{ printf '%b' {quote(text)}; }}" for name, text in TEXTS.items()]
    return "\n".join([CONTRACT_RC, _RC, *prints, ""]).replace("\x1b", r"\033")
