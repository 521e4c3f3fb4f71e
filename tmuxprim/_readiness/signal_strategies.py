"""Strategies that read what a program reports of its state, by escape sequences in its output.

tmux drops most of these, so a wait has to take the pane's one pipe to see them.
"""

from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.snapshot import (
    Busy,
    Outcome,
    Pass,
    Ready,
    Snapshot,
    Verdict,
    once_settled,
)
from tmuxprim._values.signals import Signals

# Seconds until the next look: an output watch may miss a write, and not every terminal has one.
_AGAIN: Final = 0.25
# States of OSC 7501 at which the program takes input, and values of OSC 9;4 while it works.
_WAITS: Final = ("idle", "done", "error")
_AT_WORK: Final = (1, 2, 3)


@attrs.frozen
class SignalStrategy(Strategy):
    r"""Believes a program's report of its state in its raw output: OSC 7501, OSC 9;4.

    OSC 7501 says that it works, asks or waits, and OSC 9;4 that it works. A program may leave OSC
    9;4 on while it asks, so a strategy that finds questions belongs before this one.

    It needs the pane's only ``pipe-pane``, with a shell and a ``cat``, until a wait finds the pane
    ready. As the console's own strategy it takes the pipe from a send on, otherwise from the
    beginning of the wait. Earlier signs are missed. If another program has the pipe, this strategy
    passes, and its reason says so.

    Args:
        paste: Whether bracketed paste is a sign, as with aider: on while it takes input, off while
            it works. Most programs leave it on all the time.
        settled: Seconds since the wait began, and without change, before a report that it waits
            counts: at a key some programs report ``idle`` first, and then ``working``.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("> ",), cursor=Cursor(0, 2))
        >>> said = Signals(status="state=working:app=codex")
        >>> print(SignalStrategy().assess(Snapshot(screen=screen, signals=said)))
        busy: it says that it works: 'state=working:app=codex'
    """

    paste: bool = False
    settled: float = 0.5

    hears_signals = True

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say busy, AWAITING_INPUT or PROMPT as the program does; pass if it has said nothing."""
        said = snapshot.signals
        if said.unavailable:
            return _unavailable(said.unavailable)
        only_reads = snapshot.tty is not None and snapshot.tty.only_reading is True
        works = "" if only_reads else self._work(said)
        if works:
            return Busy(works, _AGAIN)
        outcome = Outcome.AWAITING_INPUT if said.state == "blocked" else Outcome.PROMPT
        waits = self._wait(said)
        if not waits:
            return Pass("it has reported no state since the wait began", _AGAIN)
        missing = self.settled - snapshot.elapsed
        if missing > 0:
            return Busy(f"{waits}, but the wait has just begun", again_in=missing)
        return once_settled(snapshot, self.settled, outcome, waits)

    def _work(self, said: Signals) -> str:
        """Return how it says that it works; empty if it does not."""
        if said.state == "working":
            return f"it says that it works: {said.status!r}"
        if said.progress in _AT_WORK and said.state != "blocked":
            return "it says that it works, by its progress"
        is_off = self.paste and said.bracketed_paste is False
        return "it takes no input: bracketed paste is off" if is_off else ""

    def _wait(self, said: Signals) -> str:
        """Return how it says that it waits or asks; empty if it does not."""
        if said.state == "blocked":
            return f"it asks: {said.status!r}"
        if said.state in _WAITS:
            return f"it says that it waits: {said.status!r}"
        is_on = self.paste and said.bracketed_paste
        return "it takes input: bracketed paste is on" if is_on else ""


@attrs.frozen
class BellStrategy(Strategy):
    r"""Finds that the program has rung the bell (BEL) since the wait began.

    If this is the console's own strategy, a bell since the last send also counts. It needs the
    pane's pipe, as `SignalStrategy` does.

    Examples:
        >>> shell = ScriptedShell({"make": after(3.0, "done\a")})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.send("make")
        >>> print(console.wait_ready(strategy=ExitStrategy() | BellStrategy()).reason)
        the bell has rung
    """

    hears_signals = True

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say MATCHED once it has rung."""
        if snapshot.signals.unavailable:
            return _unavailable(snapshot.signals.unavailable)
        if snapshot.signals.bells:
            return Ready(Outcome.MATCHED, "the bell has rung")
        return Pass("no bell has rung since the wait began", _AGAIN)


def _unavailable(why: str) -> Pass:
    return Pass(f"its reports cannot be read: {why}", _AGAIN)
