"""Strategies that judge the pane itself and the kernel's evidence, not its text.

They are first in a chain. While a program works, they veto, and the text at the cursor does not
count, even if it looks like a prompt.
"""

import math
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.snapshot import (
    ON_CHANGE,
    Busy,
    Outcome,
    Pass,
    Ready,
    Snapshot,
    Verdict,
)

# Seconds between two snapshots of a program that may look for keys again and again.
_POLLS: Final = 0.5
# Seconds after which to look again for an echo that was not there at once.
_SOONEST_ECHO: Final = 0.01


@attrs.frozen
class ExitStrategy(Strategy):
    """Ends the wait when the pane's program has exited.

    Args:
        grace: Seconds to wait for the exit status, which tmux may collect a moment later.

    Examples:
        >>> terminal = FakeTerminal(remain_on_exit=True)
        >>> console = Console(terminal, terminal.open(), strategy=ExitStrategy())
        >>> _ = console.send("exit")
        >>> print(console.wait_ready().reason)
        the program has exited with status 0
    """

    grace: float = 0.1

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say EXITED for a dead pane, and for one in which another program runs."""
        screen = snapshot.screen
        if snapshot.respawned:
            how = "and another one was started in its place"
            return Ready(Outcome.EXITED, f"the program has exited, {how}")
        if not screen.dead:
            return Pass("the program lives", again_in=ON_CHANGE)
        if screen.exit_status is not None:
            how = f"with status {screen.exit_status}"
        elif screen.exit_signal is not None:
            how = f"by signal {screen.exit_signal}"
        elif snapshot.unchanged_for < self.grace:
            return Busy("the program has exited, but tmux does not know how yet", again_in=0.01)
        else:
            how = "in an unknown way"
        return Ready(Outcome.EXITED, f"the program has exited {how}")


@attrs.frozen
class ModeStrategy(Strategy):
    """Vetoes while tmux itself would swallow keys: copy mode, or input switched off.

    Examples:
        >>> terminal = FakeTerminal()
        >>> pane = terminal.open()
        >>> terminal.set_mode(pane, "copy-mode")
        >>> console = Console(terminal, pane, strategy=ModeStrategy() | PromptStrategy())
        >>> print(console.wait_ready(timeout=1.0).reason)
        timed out after 1 s; the pane is in copy-mode: keys would go there
    """

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say busy in a mode or without input."""
        if snapshot.screen.mode:
            return Busy(f"the pane is in {snapshot.screen.mode}: keys would go there")
        if snapshot.screen.input_off:
            return Busy("the pane's input is off: keys would be dropped")
        return Pass("keys reach the program", again_in=ON_CHANGE)


@attrs.frozen
class ForegroundStrategy(Strategy):
    """Vetoes while no process reads from the terminal, or typed text is not read yet.

    This makes a wait safe: a command that runs does not sleep in ``read`` on the terminal,
    whatever it prints.

    Examples:
        >>> shell = ScriptedShell({"make": after(60.0, "done")})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.send("make")
        >>> strategy = ForegroundStrategy() | StabilityStrategy(quiet=1.0)
        >>> print(console.wait_ready(timeout=5.0, strategy=strategy).reason)
        timed out after 5 s; make runs and does not read
    """

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say busy while the kernel sees a program work."""
        tty = snapshot.tty
        if tty is not None and tty.unread:
            return Busy(f"{tty.unread} bytes that were typed are not read yet")
        if tty is None or tty.reading is None:
            return _by_name(snapshot)
        # Such a program is never blocked in a read, though it waits for a key.
        if looks_for_keys(snapshot):
            return Pass("no process sleeps in a read, but a program may poll for keys")
        if tty.reading is False:
            # Where its activity is read, the next snapshot may find that it looks for keys.
            again_in = ON_CHANGE if tty.activity is None else _POLLS
            return Busy(f"{_who_runs(snapshot)} and does not read", again_in)
        return Pass("a program reads from the terminal", again_in=ON_CHANGE)


def _who_runs(snapshot: Snapshot) -> str:
    """Say which program works; a shell that was sent nothing may still be starting."""
    facts = snapshot.facts
    may_start = snapshot.mark is None and facts.is_shell and not facts.is_script
    name = snapshot.command or "a program"
    return f"{name} runs{' (its startup files, if it has just started)' * may_start}"


def looks_for_keys(snapshot: Snapshot) -> bool:
    """Whether a program that never sleeps in a read has shown something, and polls, as games do."""
    return snapshot.polls and any(snapshot.screen.rows)


def _by_name(snapshot: Snapshot) -> Verdict:
    """Judge by the name of the command, where the reader is not reported."""
    if snapshot.facts.named.never_reads:
        return Busy(f"{snapshot.command} runs, which reads nothing")
    if snapshot.tty is None:
        return Pass("no kernel evidence here; only the screen can show it")
    return Pass("the kernel does not report the reader")


@attrs.frozen
class ConsumedStrategy(Strategy):
    """Vetoes until there is a sign that the program took what was sent.

    Without it, the moment between Enter and the waking of the shell would look like a prompt. A key
    that changes nothing at all must not block forever, so the veto has a bound.

    Args:
        bound: Seconds without any change after which it stops vetoing.

    Examples:
        >>> terminal = FakeTerminal(evidence=False)
        >>> strategy = ConsumedStrategy(bound=1.0) | PromptStrategy()
        >>> console = Console(terminal, terminal.open(), strategy=strategy)
        >>> _ = console.wait_ready()
        >>> _ = console.keys("Up")  # which changes nothing on this shell's screen
        >>> print(f"{console.wait_ready().elapsed:.1f} s")
        1.0 s
    """

    bound: float = 1.0

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say busy while everything is as it was at the mark."""
        if snapshot.mark is None:
            return Pass("nothing was sent", again_in=ON_CHANGE)
        if snapshot.consumed:
            return Pass("what was sent has been taken", again_in=ON_CHANGE)
        missing = self.bound - snapshot.unchanged_for
        if missing > 0:
            again_in = min(missing, _until_echo(snapshot))
            why = "nothing has happened yet since the last key was sent"
            return Busy(why, again_in, is_stale=True)
        return Pass(f"nothing has happened in {self.bound:g} s since the last key was sent")


def _until_echo(snapshot: Snapshot) -> float:
    """Return how soon the screen may show, without any other sign, that keys have arrived.

    In canonical mode the kernel itself echoes, a moment after the key, and no output watch reports
    that. In raw mode the reader's wake-up is a sign, so infinite is returned. It is no sign of a
    program such as fish, which also wakes for other things.
    """
    facts = snapshot.facts
    if facts.hides_input or not (facts.is_canonical or facts.waits_for_more):
        return math.inf
    return max(_SOONEST_ECHO, snapshot.unchanged_for)
