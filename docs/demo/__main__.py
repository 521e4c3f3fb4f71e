"""The main job, shown: ``python -m docs.demo``.

Starts bash in a private tmux server and drives it: a command with its output and its exit status, a
question, a secret, an interruption, a full-screen program. At each step it says what it saw, why
that was ready and how long it took. The last step is a test on the fake terminal. Without tmux all
of it is on the fake.

On a terminal the pane is shown above that, as it changes; ``--svg FILE`` makes a film of it.
"""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import attrs
from typing_extensions import override

from docs.demo.stage import PANE, Stage, Step, choose_stage
from docs.demo.watch import draw_watch
from tmuxprim import Console, FakeTerminal, Outcome, Pane, Readiness, Screen, Terminal, TmuxTerminal
from tmuxprim.errors import TmuxprimError
from tmuxprim.testing import (
    ScriptedShell,
    WrappingTerminal,
    after,
    crash,
    pager,
    password,
    question,
)

_NO_TMUX: Final = (
    "tmux is not installed, so this runs on the fake terminal, in virtual time.\n"
    "Install it to see the real thing: apt install tmux (Debian), brew install tmux (macOS).\n"
)
_TESTS: Final = r"printf '\e[32m12 passed\e[m\n'; false"
_SILENT: Final = "sleep 1; echo 'total: 5 $'"
_NAP: Final = 0.5  # what scripts do instead of waiting
_QUESTION: Final = "read -p 'Continue? [y/N] ' answer"
_UNSEEN: Final = "read -sp 'Password: ' word; echo"
_LESS: Final = "seq 99 | less"
# The file that bash reads: this prompt, and not the user's.
_BASHRC: Final = r"PS1='\[\e[1;34m\]$\[\e[m\] '; unset HISTFILE LESS"


class _OnStage(WrappingTerminal):
    """A terminal whose looks are shown."""

    def __init__(self, inner: Terminal, stage: Stage) -> None:
        super().__init__(inner)
        self.stage = stage

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        screen = super().observe(pane, history=history, styled=True)
        self.stage.snapshot(screen)
        return screen if styled else attrs.evolve(screen, styles=None)


def run(terminal: Terminal, pane: Pane, stage: Stage) -> bool:
    """Do the main job in *pane*, and tell of each step; return whether all went well."""
    console = Console(terminal, pane)

    def send(text: str, shown: str = "") -> Readiness:
        console.send(text)
        readiness = console.wait_ready()
        stage.done(Step(f"send({shown or repr(text)})", readiness))
        return readiness

    stage.done(Step("open('bash', shell_integration=True)", console.wait_ready()))
    result = console.run(_TESTS)
    told = f"output {result.output!r}, exit status {result.exit_status}"
    stage.done(Step(f'run("{_TESTS}")', result.readiness, told))
    console.send(_SILENT)
    terminal.clock.sleep(_NAP)
    *_, last = console.read().splitlines()
    told = f"a script with sleep {_NAP} reads {last!r}: too early"
    stage.done(Step(f'send("{_SILENT}")', console.wait_ready(), told))
    for text in (_QUESTION, "y", _UNSEEN):
        send(text)
    send("hunter2", shown="secret")
    stage.done(Step("run('sleep 60', timeout=0.5)", console.run("sleep 60", 0.5).readiness))
    stage.done(Step("interrupt()", console.interrupt()))
    if send(_LESS).outcome is Outcome.FULLSCREEN:  # less may not be installed
        console.keys("q")
        stage.done(Step("keys('q')", console.wait_ready()))
    return bool(console.wait_ready(timeout=0))


def test_on_the_fake(stage: Stage) -> None:
    """Test code that waits for an hour."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(3600.0, "built")})})
    console = Console(_OnStage(terminal, stage), terminal.open(size=PANE))
    started = perf_counter()
    result = console.run("make", timeout=7200.0)
    took = (perf_counter() - started) * 1000
    terminal.assert_sent(console.pane, "make", "Enter")
    told = f"a test without tmux: one virtual hour took {took:.0f} ms"
    stage.done(Step("FakeTerminal: run('make')", result.readiness, told))


def _fake() -> FakeTerminal:
    shell = ScriptedShell(
        {
            _TESTS: crash("\x1b[32m12 passed\x1b[m"),
            _SILENT: after(1.0, "total: 5 $"),
            _QUESTION: question("Continue? [y/N] "),
            _UNSEEN: password("Password: "),
            "sleep 60": after(60.0),
            _LESS: pager("\n".join(map(str, range(1, 100)))),
        },
        prompt="$ ",
    )
    return FakeTerminal(programs={"bash": shell})


def _play(stage: Stage) -> bool:
    """Do all of it; return whether all went well."""
    if shutil.which("tmux") is None:
        print(_NO_TMUX)
        fake = _OnStage(_fake(), stage)
        went_well = run(fake, fake.open("bash", size=PANE, shell_integration=True), stage)
    else:
        with TmuxTerminal.private() as terminal, TemporaryDirectory() as home:
            Path(home, ".bashrc").write_text(_BASHRC, encoding="utf-8")
            env = {"HOME": home}
            pane = terminal.open("bash", env=env, size=PANE, shell_integration=True)
            went_well = run(_OnStage(terminal, stage), pane, stage)
    test_on_the_fake(stage)
    return went_well


def main(argv: Sequence[str] = ()) -> int:
    """Run the demo; the exit status is 0 if all went well.

    Args:
        argv: ``--svg FILE`` makes a film of it; ``--watch FILE`` draws a screenshot of another
            thing instead, the live table of states.
    """
    parser = argparse.ArgumentParser(prog="python -m docs.demo", description="Show the main job.")
    parser.add_argument("--svg", metavar="FILE", help="make a film of it, for a browser")
    parser.add_argument("--watch", metavar="FILE", help="draw 'tmuxprim watch' instead, as SVG")
    options = parser.parse_args(argv)
    if options.watch:
        draw_watch(Path(options.watch))
        return 0
    stage = choose_stage(options.svg)
    try:
        return 0 if _play(stage) else 1
    except TmuxprimError as error:
        print(f"the demo cannot go on: {error}", file=sys.stderr)
        return 1
    finally:
        stage.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
