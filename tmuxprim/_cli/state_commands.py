"""The commands about the states of panes: `panes --state`, `watch`, `wait --any`."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from functools import partial
from typing import Final

from tmuxprim._cli.live_table import coloured, word_of
from tmuxprim._cli.options import WAIT_SECONDS, Options
from tmuxprim._cli.pane_commands import strategy_of
from tmuxprim._cli.quick_commands import facts_of_pane, table, with_bold_id
from tmuxprim._cli.report import Report, is_terminal, painted, ring, say, takes_codes, write
from tmuxprim._cli.site import Site
from tmuxprim._cli.status import Status
from tmuxprim._readiness.pane_state import State
from tmuxprim._readiness.state_change import StateChange
from tmuxprim._states import StateWatch, facts_of_state, pane_states, watch_states
from tmuxprim.errors import InvalidMarkError, InvalidPatternError, ProgramNotFoundError

_FAINT: Final = (2,)
_STDERR: Final = 2
_GONE: Final = (State.EXITED, State.DEAD)


def list_states(options: Options, site: Site) -> Report:
    """List the panes with their states; a question mark is behind a guess."""
    panes = site.terminal.panes()
    states = pane_states(site.terminal, panes, strategy=strategy_of(options))
    words = [word_of(one) for one in states]
    rows = [
        (str(pane), pane.name, word, one.program)
        for pane, word, one in zip(panes, words, states, strict=True)
    ]
    ends = [one.question or one.background or one.reason for one in states]
    lines = table(rows, ends).splitlines(keepends=True)
    text = "".join(
        with_bold_id(str(one.pane), line.replace(f"  {word}", f"  {coloured(word, one)}", 1))
        for line, word, one in zip(lines, words, states, strict=True)
    )
    facts = [
        {**facts_of_pane(pane), **facts_of_state(one)}
        for pane, one in zip(panes, states, strict=True)
    ]
    return Report({"panes": facts}, text)


def watch(options: Options, site: Site) -> Report:
    """Show the states in a live table, or print each change; run a program at each."""
    if options.acts and shutil.which(options.acts[0]) is None:
        raise ProgramNotFoundError(f"--exec names a program, and there is no {options.acts[0]!r}")
    if options.notifies and not takes_codes(sys.stderr):
        raise InvalidPatternError("--notify needs a terminal, and standard error is not one")
    is_live = takes_codes(sys.stdout) and is_terminal(sys.stdin)
    with watch_states(
        site.terminal,
        options.panes or None,
        timeout=options.timeout,
        strategy=strategy_of(options),
    ) as changes:
        if is_live and not (options.json or options.is_plain):
            _show_live(options, site, changes)
        else:
            _print_changes(options, site, changes)
    return Report()


def _show_live(options: Options, site: Site, changes: StateWatch) -> None:
    from tmuxprim._cli.live import Keyboard, LiveTable, ended_by_signal  # needs termios

    table = LiveTable(
        site,
        changes,
        Keyboard(sys.stdin.fileno()),
        strategy_of(options),
        frozenset(options.only),
        bool(options.panes),
        partial(_tell, options, output=subprocess.DEVNULL),
    )
    with ended_by_signal():
        table.show(options.timeout)


def _print_changes(options: Options, site: Site, changes: StateWatch) -> None:
    clock = site.terminal.clock
    for change in changes:
        if _is_asked_for(options, change):
            since = time.time() - (clock.now() - change.since)
            write(_json_line(change, since) if options.json else _line(change, since))
            _tell(options, change, output=_STDERR if options.json else None)


def _is_asked_for(options: Options, change: StateChange) -> bool:
    return not options.only or change.now.state.value in options.only


def _tell(options: Options, change: StateChange, output: int | None) -> None:
    """Ring, and run the user's program; where a pane is new, nothing has happened that rings."""
    if not _is_asked_for(options, change):
        return
    if options.notifies and change.before is not None:
        ring(str(change))
    if options.acts:
        _act(options, change, output)


def wait_any(options: Options, site: Site) -> Report:
    """Wait until one of several panes is ready, and print its id."""
    if options.awaited is not None or options.gone is not None:
        raise InvalidPatternError("--any waits until a pane is ready: leave out --for and --gone")
    if options.since is not None:
        raise InvalidMarkError("a mark belongs to one pane: leave out --any")
    panes = (options.pane, *options.panes)
    timeout = WAIT_SECONDS if options.timeout is None else options.timeout
    with watch_states(
        site.terminal, panes, timeout=timeout, strategy=strategy_of(options)
    ) as changes:
        for state in (change.now for change in changes):
            if state.state is State.WORKING:
                continue
            screen = state.screen.text if state.screen else ""
            return Report(
                {"pane": str(state.pane), **facts_of_state(state), "screen": screen},
                f"{state.pane}\n",
                str(state),
                Status.GONE if state.state in _GONE else Status.READY,
            )
    note = f"not ready (timed out): timed out after {timeout:g} s; each of {len(panes)} panes works"
    return Report({"pane": None}, note=note, status=Status.TIMED_OUT)


def _line(change: StateChange, since: float) -> str:
    """Return a change as a line for people."""
    at = time.strftime("%H:%M:%S", time.localtime(since))
    state = change.now
    text = str(change).removeprefix(f"{state.pane} ")
    word = state.state.value
    before, arrow, after = text.partition(" -> ") if change.before else ("", "", text)
    after = f"{coloured(word, state)}{'?' if state.is_guess else ''}{after.removeprefix(word)}"
    return f"{painted(at, *_FAINT)} {painted(str(state.pane), 1)} {before}{arrow}{after}\n"


def _json_line(change: StateChange, since: float) -> str:
    """Return a change as a line for programs; *since* is in seconds of the epoch."""
    facts = {
        "pane": str(change.pane),
        "since": round(since, 3),
        "before": change.before.state.value if change.before else None,
        "lasted": round(change.lasted, 3),
        **facts_of_state(change.now),
    }
    return json.dumps(facts) + "\n"


def _act(options: Options, change: StateChange, output: int | None) -> None:
    """Run the user's program, and wait for its end; what it prints is no line of ours."""
    state, before = change.now, change.before
    told = {
        "TMUXPRIM_PANE": str(state.pane),
        "TMUXPRIM_STATE": state.state.value,
        "TMUXPRIM_BEFORE": before.state.value if before else "",
        "TMUXPRIM_PROGRAM": state.program,
        "TMUXPRIM_QUESTION": state.question,
    }
    try:
        done = subprocess.run(  # noqa: S603  # words of the user's, without a shell
            options.acts,
            env={**os.environ, **told},
            stdin=subprocess.DEVNULL,
            stdout=output,
            check=False,
        )
    except OSError as error:
        say(f"tmuxprim: {shlex.join(options.acts)} cannot be run: {error}")
        return
    if done.returncode:
        say(f"tmuxprim: {shlex.join(options.acts)} ended with status {done.returncode}")
