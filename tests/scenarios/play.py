"""Plays a scenario on a terminal and tells what was wrong."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.scenarios.model import FULLSCREEN, QUESTION, STABLE, TIMEOUT, Scenario, Turn
from tests.tmux_server import tmux_version
from tmuxprim import Console, Outcome, Pane, Readiness, Terminal

# How long after its end a program may at most be found ready, in seconds: the machine has eleven
# other scenarios to play, and may be a slow one.
_GRACE = 10.0
_SCRIPT_SECONDS = 60.0
# Seconds before which nobody may guess.
GUESS = 2.0
_GUESSED = "GUESSED"
# What nobody can be sure of who is not told who reads.
UNSURE = frozenset((QUESTION, FULLSCREEN))

ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "PS1": "$ ",
    "EDITOR": "vim --clean",
    "PAGER": "less",
    "GIT_CONFIG_NOSYSTEM": "1",
    "HISTFILE": "",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def play(
    scenario: Scenario, terminal: Terminal, directory: Path, *, unsure: Collection[Outcome] = ()
) -> list[str]:
    """Play *scenario* in *directory*; return what was wrong, nothing if all was right.

    Args:
        scenario: The scenario.
        terminal: Where to play it.
        directory: Its directory.
        unsure: Outcomes for which STABLE may be said, after two seconds: a guess. One that is too
            early ends the play.
    """
    run_script(scenario.prepare, directory)
    try:
        program = scenario.program
        env = {**ENVIRONMENT, "HOME": str(directory), "ZDOTDIR": str(directory), **program.env}
        pane = _open(terminal, program.command, directory, env)
        try:
            return _converse(scenario, Console(terminal, pane), directory, unsure)
        finally:
            terminal.close(pane)
    finally:
        run_script(scenario.finish, directory)
        _end_rest(directory)


def _end_rest(home: Path) -> None:
    """End what a play has left: `script` outlives the end of its terminal, and holds another."""
    mark = f"HOME={home}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # another user's, or gone
            if mark in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)


def _open(
    terminal: Terminal, command: Sequence[str], directory: Path, env: Mapping[str, str]
) -> Pane:
    if tmux_version() >= (3, 2):
        return terminal.open(command, cwd=directory, env=env)
    # An older tmux gives a program no variables.
    variables = (f"{name}={value}" for name, value in env.items())
    return terminal.open(["env", *variables, *command], cwd=directory)


def _converse(
    scenario: Scenario, console: Console, directory: Path, unsure: Collection[Outcome]
) -> list[str]:
    readiness, program = console.wait_ready(20.0), scenario.program
    is_guess = _is_guess(readiness, (program.first,), unsure)
    if program.leaves and readiness and not (directory / program.leaves).exists():
        return [f"EARLY at the start, {program.leaves} was not there yet: {_told(readiness)}"]
    if readiness.outcome is not program.first and not is_guess:
        return [f"WRONG at the start: {_told(readiness)}"]
    for number, turn in enumerate(scenario.turns, 1):
        wrong = _take(turn, console, directory, unsure)
        if wrong == _GUESSED:
            return []
        if wrong:
            return [f"turn {number}, {turn.text or turn.keys!r}: {wrong}"]
    return []


def _is_guess(
    readiness: Readiness, outcomes: Collection[Outcome], unsure: Collection[Outcome]
) -> bool:
    is_named_so = readiness.outcome is STABLE and readiness.elapsed >= GUESS
    return is_named_so and any(outcome in unsure for outcome in outcomes)


def _take(turn: Turn, console: Console, directory: Path, unsure: Collection[Outcome]) -> str:
    """Carry out one turn; return what was wrong with it."""
    began = time.time()  # the clock of files, for `_ended`
    if turn.text is None:
        console.keys(*turn.keys)
    else:
        console.send(turn.text)
    readiness = console.wait_ready(turn.timeout)
    took = time.time() - began
    is_guess = _is_guess(readiness, turn.outcomes, unsure)
    early = _early(turn, readiness, took, directory)
    if early:
        return _GUESSED if is_guess else early
    if readiness.outcome not in turn.outcomes and not is_guess:
        kind = "MISSED" if readiness.outcome is TIMEOUT else "WRONG"
        return f"{kind}, wanted {[one.value for one in turn.outcomes]}: {_told(readiness)}"
    if readiness and (late := began + took - _ended(turn, directory, began)) > _GRACE:
        return f"LATE by {late:.3f} s: {_told(readiness)}"
    if not re.search(turn.shows, readiness.screen.text, re.MULTILINE):
        return f"WRONG, {turn.shows!r} is not on the screen: {_told(readiness)}"
    return ""


def _early(turn: Turn, readiness: Readiness, took: float, directory: Path) -> str:
    """Say that the program worked still when it was found ready; empty if it did not."""
    if turn.leaves and readiness and not (directory / turn.leaves).exists():
        return f"EARLY, {turn.leaves} was not there yet: {_told(readiness)}"
    if readiness and took < turn.lasts:
        return f"EARLY, after {took:.3f} s of {turn.lasts:g}: {_told(readiness)}"
    return ""


def _ended(turn: Turn, directory: Path, began: float) -> float:
    """Return when the program was certainly done: how long it works is the machine's affair."""
    earliest = began + turn.lasts
    return max(earliest, (directory / turn.leaves).stat().st_mtime) if turn.leaves else earliest


def _told(readiness: Readiness) -> str:
    said = "\n".join(f"  {name} said {verdict}" for name, verdict in readiness.verdicts)
    rows = "\n".join(f"  | {row}" for row in readiness.screen.text.splitlines())
    return f"{readiness}\n{said}\n  {readiness.tty}\n{rows}"


def run_script(script: str, directory: Path) -> None:
    """Run a bash script of a scenario in its directory; an empty one is none."""
    if not script:
        return
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=directory,
        env={
            "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin",
            "HOME": str(directory),
            **ENVIRONMENT,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_SCRIPT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"preparing failed: {done.stdout}"
