"""Start programs and wait for them, and print as JSON which waits were right: the smoke of `vm`."""

import json
import sys
from typing import Final

from tmuxprim import Console, Outcome, TmuxprimError, TmuxTerminal

STARTS: Final[dict[str, list[str]]] = {
    "bash": ["bash", "--norc"],
    "dash": ["dash"],
    "zsh": ["zsh", "-f"],
    "fish": ["fish", "--no-config"],
    "python3": ["python3", "-q"],
    "sqlite3": ["sqlite3"],
}
# What is typed into bash, and how a wait for it ends.
TYPED: Final = {
    "true": Outcome.PROMPT,
    "read -p 'Go on? [y/N] ' x": Outcome.AWAITING_INPUT,
    "y": Outcome.PROMPT,
    "read -sp 'Password: ' x": Outcome.AWAITING_SECRET,
    "secret": Outcome.PROMPT,
    "echo 'open": Outcome.CONTINUATION,
    "closed'": Outcome.PROMPT,
    "sleep 2; echo '$'": Outcome.PROMPT,
    "less /etc/passwd": Outcome.FULLSCREEN,
}


def played(console: Console, expected: Outcome) -> bool:
    """Whether a wait ends as it should."""
    readiness = console.wait_ready(timeout=60.0)
    print(readiness, file=sys.stderr)
    return readiness.outcome is expected


def main() -> None:
    """Play all by both transports."""
    right: dict[str, bool] = {}
    level = "none"
    for transport in ("subprocess", "control"):
        with TmuxTerminal.private(transport=transport, timeout=60.0) as terminal:
            for name, command in STARTS.items():
                with Console.open(terminal, command) as console:
                    right[f"{transport}: {name}"] = played(console, Outcome.PROMPT)
            with Console.open(terminal, STARTS["bash"]) as console:
                console.wait_ready(timeout=60.0)
                for text, expected in TYPED.items():
                    try:
                        console.send(text)
                        right[f"{transport}: {text}"] = played(console, expected)
                    except TmuxprimError as error:
                        print(error, file=sys.stderr)
                        right[f"{transport}: {text}"] = False
                tty = terminal.probe(console.pane)
                level = level if tty is None else str(tty.level)
    print(json.dumps({"level": level, "right": right}))


if __name__ == "__main__":
    main()
