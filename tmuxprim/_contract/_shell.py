"""The shell that the contract's tests talk to, for the fake and for real."""

from typing import Final

from tmuxprim._fake._programs import after, password, question
from tmuxprim._fake._shell import ScriptedShell

LONG_LINE: Final = "".join(f"{number:04d}" for number in range(50))
"""What ``long-line`` prints; it does not fit on a row."""

# Without "#(", which tmux 3.7 and later change in a title to "_(".
HOSTILE_TITLE: Final = "#{pid} %H; '日本' #[fg=red] ##"
"""The title that ``hostile-title`` sets; it is no format."""

CONTRACT_SHELL: Final = ScriptedShell(
    {
        "seq 1 100": "\n".join(str(number) for number in range(1, 101)),
        "true": "",
        "sleep 1": after(1.0),
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
ask-secret() {{ read -s -p 'Password: ' answer; echo; }}
"""
"""The contract's shell as a start-up file for bash."""
