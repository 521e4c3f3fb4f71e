"""The main job, shown: ``python -m tmuxprim.demo``.

Starts bash in a private tmux server, types, waits, answers a question, interrupts a command
and reads, and says at each step what it saw, why that was ready and how long it took. Without
tmux it does the same on the fake.
"""

import shutil
import sys

from tmuxprim._console import Console
from tmuxprim._fake.programs import after, question
from tmuxprim._fake.shell import ScriptedShell
from tmuxprim._fake.terminal import FakeTerminal
from tmuxprim._readiness.look import Readiness
from tmuxprim._terminal import Terminal
from tmuxprim._tmux.terminal import TmuxTerminal
from tmuxprim._values.pane import Pane
from tmuxprim.errors import TmuxprimError

_NO_TMUX = (
    "tmux is not installed, so this runs on the fake terminal, in virtual time.\n"
    "Install it to see the real thing: apt install tmux (Debian), brew install tmux (macOS).\n"
)
_QUESTION = "read -p 'Continue? [y/N] ' answer; echo \"you said $answer\""


def run(terminal: Terminal, pane: Pane) -> bool:
    """Do the main job in *pane*, telling of each step; return whether all went well."""
    console = Console(terminal, pane)
    steps = _Steps(console)
    steps.done("start bash", console.wait_ready())
    console.send("echo hello from $0")
    steps.done("send 'echo hello from $0' + Enter", console.wait_ready())
    console.send("sleep 1; echo 'total: 5 $'")
    steps.done(
        "a command that is silent, and prints what looks like a prompt", console.wait_ready()
    )
    console.send(_QUESTION)
    steps.done("a question", console.wait_ready())
    console.keys("y", "Enter")
    steps.done("answer it with the keys y and Enter", console.wait_ready())
    console.send("sleep 60")
    steps.done("a command that takes too long: give it half a second", console.wait_ready(0.5))
    console.keys("C-c")
    steps.done("interrupt it with C-c", console.wait_ready())
    print("read() returns the screen as plain text:\n")
    print("\n".join(f"    | {row}" for row in console.read().splitlines()))
    return bool(console.wait_ready(timeout=0))


class _Steps:
    """Prints what was done, and what came of it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._number = 0

    def done(self, what: str, readiness: Readiness) -> None:
        self._number += 1
        screen = readiness.screen
        print(f"{self._number}. {what}")
        print(f"   saw:  {screen.cursor_line!r}")
        print(f"   why:  {readiness.outcome.value}: {readiness.reason}")
        print(f"   took: {readiness.elapsed * 1000:.1f} ms\n")


def _fake() -> FakeTerminal:
    shell = ScriptedShell(
        {
            "echo hello from $0": "hello from bash",
            "sleep 1; echo 'total: 5 $'": after(1.0, "total: 5 $"),
            _QUESTION: question("Continue? [y/N] ", lambda line: f"you said {line}"),
            "sleep 60": after(60.0),
        }
    )
    return FakeTerminal(programs={"bash": shell})


def main() -> int:
    """Run the demo; the exit status is 0 if all went well."""
    if shutil.which("tmux") is None:
        print(_NO_TMUX)
        fake = _fake()
        return 0 if run(fake, fake.open(["bash"])) else 1
    try:
        with TmuxTerminal.private() as terminal:
            pane = terminal.open(["bash", "--norc", "--noprofile"], env={"PS1": "$ "})
            return 0 if run(terminal, pane) else 1
    except TmuxprimError as error:
        print(f"the demo cannot go on: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
