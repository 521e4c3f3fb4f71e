"""The shell that the contract's tests talk to, for the fake and for real."""

from typing import Final

import attrs

from tmuxprim._fake.ready_programs import after, crash, password, question
from tmuxprim._fake.requests import Killed, ReadKey, ReadLine, Run, Sleep
from tmuxprim._fake.scripted_shell import ScriptedShell
from tmuxprim._fake.tty import FakeTty, Program

LONG_LINE: Final = "".join(f"{number:04d}" for number in range(50))
"""The output of ``long-line``, which does not fit on a row."""

# Without "#(", which tmux 3.7 and later change in a title to "_(".
HOSTILE_TITLE: Final = "#{pid} %H; '日本' #[fg=red] ##"
"""The title that ``hostile-title`` sets; it is no format."""

BLANKS: Final = "one   "
"""The output of ``blanks``, which ends with spaces."""

FULL_ROW: Final = "x" * 20
"""The question of ``full-row``, which fills a row of a narrow screen."""

_SIGKILL: Final = 9


class _ShellEnds(Exception):  # noqa: N818  # an event inside a program, as EOFError is
    """A command ends the shell that runs it."""


def _kill_shell(_: FakeTty) -> Run:
    """End the shell by a signal."""
    yield from ()
    raise _ShellEnds


def _show_bytes(before: str = "") -> Program:
    """Return a command that shows each byte that it reads, which is ASCII, as ``cat -vet`` does."""

    def run(tty: FakeTty) -> Run:
        tty.write(f"{before}reading\n")
        while True:
            key = yield ReadKey()
            tty.write("".join("$\n" if byte == "\n" else _visible(byte) for byte in key))

    return run


def _say_states(tty: FakeTty) -> Run:
    """Say that it works, and a second later that it is idle (OSC 7501); read on."""
    tty.write("\x1b]7501;state=working\x1b\\")
    yield Sleep(1.0)
    tty.write("\x1b]7501;state=idle\x1b\\")
    while True:
        yield ReadLine()


def _visible(byte: str) -> str:
    return byte if byte.isprintable() else f"^{chr(ord(byte) ^ 0x40)}"


@attrs.frozen
class ContractShell(ScriptedShell):
    """A scripted shell that a command may kill."""

    def __call__(self, tty: FakeTty) -> Run:
        """Run as a program."""
        try:
            return (yield from super().__call__(tty))
        except _ShellEnds as end:
            raise Killed(_SIGKILL) from end


CONTRACT_SHELL: Final = ContractShell(
    {
        "seq 1 100": "\n".join(str(number) for number in range(1, 101)),
        "true": "",
        "false": crash(),
        "sleep 1": after(1.0),
        "sleep 3": after(3.0),
        "sleep 60": after(60.0),
        "fullscreen on": "\x1b[?1049h",
        "fullscreen off": "\x1b[?1049l",
        "cursor off": "\x1b[?25l",
        "cursor on": "\x1b[?25h",
        "colours": "\x1b[31mred\x1b[0m and \x1b[1;32mgreen\x1b[m",
        "title hello": "\x1b]2;hello\x1b\\",
        "hostile-title": f"\x1b]2;{HOSTILE_TITLE}\x1b\\",
        "long-line": LONG_LINE,
        "wide-edge": f"{'x' * 19}日本",
        "ask": question("Continue? [y/N] "),
        "ask-secret": password("Password: "),
        "blanks": BLANKS,
        "full-row": question(FULL_ROW),
        "show-bytes": _show_bytes(),
        "show-bytes pasted": _show_bytes("\x1b[?2004h"),
        "kill -9 $$": _kill_shell,
        "ring": after(1.0, "\a"),
        "say-states": _say_states,
    }
)
"""The contract's shell as a program for a `FakeTerminal`."""

CONTRACT_RC: Final = rf"""
PS1='$ '
fullscreen() {{ if [ "$1" = on ]; then printf '\033[?1049h'; else printf '\033[?1049l'; fi; }}
cursor() {{ if [ "$1" = on ]; then printf '\033[?25h'; else printf '\033[?25l'; fi; }}
colours() {{ printf '\033[31mred\033[0m and \033[1;32mgreen\033[m\n'; }}
title() {{ printf '\033]2;%s\033\\' "$1"; }}
hostile-title() {{ title "{HOSTILE_TITLE}"; }}
long-line() {{ echo {LONG_LINE}; }}
wide-edge() {{ echo {"x" * 19}日本; }}
ask() {{ read -p 'Continue? [y/N] ' answer; }}
ask-secret() {{ read -s -p 'Password: ' answer && echo; }}
blanks() {{ echo '{BLANKS}'; }}
full-row() {{ read -p {FULL_ROW} answer; }}
ring() {{ sleep 1; printf '\a\n'; }}
say-states() {{ sh -c 'state() {{ printf "\033]7501;state=$1\033\\"; }}
state working; sleep 1; state idle; while read line; do :; done'; }}
show-bytes() {{ stty raw -echo opost; printf "${{1:+\033[?2004h}}reading\n"; cat -uvet; }}
"""
"""The contract's shell as a start-up file for bash."""
