"""Strategies for programs that want input but show no prompt: questions, passwords, TUIs."""

import re
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness._look import Look
from tmuxprim._readiness._prompt import QUESTION
from tmuxprim._readiness._settle import once_settled
from tmuxprim._readiness._strategy import Strategy
from tmuxprim._readiness._verdict import Busy, Outcome, Pass, Verdict
from tmuxprim._tty import TtyState

_SECRET: Final = re.compile(
    r"(?:pass(?:word|phrase|code)|\bPIN\b|secret|token)[^:]*:\s*$", re.IGNORECASE
)


@attrs.frozen
class SecretStrategy(Strategy):
    """Finds a program that reads a line without echo, as a password.

    Args:
        settled: Seconds without change that stand in for the knowledge that somebody reads.

    Examples:
        >>> terminal = FakeTerminal(programs={"sudo": password("Password: ")})
        >>> console = Console(terminal, terminal.open("sudo"))
        >>> print(console.wait_ready(strategy=SecretStrategy()).reason)
        a line is read unseen: 'Password:'
    """

    settled: float = 0.1

    @override
    def assess(self, look: Look) -> Verdict:
        """Say AWAITING_SECRET if a line is read that is not shown."""
        text = look.screen.before_cursor.strip()
        if look.tty is None:
            if not _SECRET.search(text):
                return Pass("nothing asks for a password")
            return once_settled(look, self.settled * 3, Outcome.AWAITING_SECRET, f"{text!r}")
        if not look.tty.hides_input:
            return Pass("what is typed is shown, or read key by key")
        settled = 0.0 if look.tty.reading else self.settled
        return once_settled(
            look, settled, Outcome.AWAITING_SECRET, f"a line is read unseen: {text!r}"
        )


@attrs.frozen
class AwaitingInputStrategy(Strategy):
    """Finds a program that waits for a line or a key and shows no prompt that is known.

    Args:
        settled: Seconds without change, when the kernel says that somebody reads keys.
        alone: Seconds without change for a question that only the screen knows of.

    Examples:
        >>> terminal = FakeTerminal(programs={"rm": question("Remove? [y/N] ")})
        >>> console = Console(terminal, terminal.open("rm"))
        >>> print(console.wait_ready(strategy=AwaitingInputStrategy()).reason)
        a program reads a line and does nothing else, after 'Remove? [y/N]'
    """

    settled: float = 0.08
    alone: float = 0.5

    @override
    def assess(self, look: Look) -> Verdict:
        """Say AWAITING_INPUT if a program does nothing but read."""
        tty, text = look.tty, look.screen.before_cursor.strip()
        if look.screen.alternate:
            return Pass("a full-screen program does not ask in a line")
        if tty is None:
            if not QUESTION.search(text):
                return Pass(f"no question in {text!r}")
            return once_settled(look, self.alone, Outcome.AWAITING_INPUT, f"question {text!r}")
        if tty.reading is None:
            return self._by_line_discipline(look, text)
        if not tty.reading or tty.only_reading is False:
            return Pass("the program waits for other things, too")
        # A line editor may still be drawing its prompt, and a TUI ask its terminal something; a
        # program that reads a whole line has said all it wants to.
        settled, how = (0.0, "a line") if tty.canonical else (self.settled, "keys")
        reason = f"a program reads {how} and does nothing else, after {text!r}"
        return once_settled(look, settled, Outcome.AWAITING_INPUT, reason)

    def _by_line_discipline(self, look: Look, text: str) -> Verdict:
        """Judge where the kernel tells the line discipline but not who reads (macOS)."""
        if look.tty is not None and look.tty.canonical and not text:
            return Busy("whole lines are read and nothing is asked: probably a command runs")
        if look.tty is not None and look.tty.canonical:
            return once_settled(look, self.alone, Outcome.AWAITING_INPUT, f"question {text!r}")
        return Pass("keys are read, and the kernel does not tell by whom")


@attrs.frozen
class FullscreenStrategy(Strategy):
    """Finds a full-screen program that has drawn and waits for keys.

    Args:
        settled: Seconds without change, when the kernel says that somebody reads.
        alone: Seconds without change when it does not.

    Examples:
        >>> terminal = FakeTerminal(programs={"less": pager("a text")})
        >>> console = Console(terminal, terminal.open("less"))
        >>> print(console.wait_ready(strategy=FullscreenStrategy()).reason)
        less has drawn its screen
    """

    settled: float = 0.1
    alone: float = 0.5

    @override
    def assess(self, look: Look) -> Verdict:
        """Say FULLSCREEN on a settled alternate screen."""
        if not look.screen.alternate:
            return Pass("the alternate screen is off")
        reads = look.tty is not None and bool(look.tty.reading)
        reason = f"{look.screen.command or 'a full-screen program'} has drawn its screen"
        return once_settled(look, self.settled if reads else self.alone, Outcome.FULLSCREEN, reason)


@attrs.frozen
class StabilityStrategy(Strategy):
    """Takes a screen that does not change for a sign of readiness: a guess, called STABLE.

    It stands last. A silent command looks just like this, so the chain asks it only when the
    kernel does not say that a command runs, and it never judges while the cursor stands at the
    left margin without anybody known to read. A program that collects whole lines and waits for
    other things as well, as ``ssh host make`` does, is not known to.

    Args:
        quiet: Seconds without change.

    Examples:
        >>> terminal = FakeTerminal(programs={"game": question("Your move ")}, evidence=False)
        >>> console = Console(terminal, terminal.open("game"))
        >>> print(console.wait_ready(strategy=StabilityStrategy(quiet=0.5)).reason)
        nothing has changed for 0.5 s (without kernel evidence)
    """

    quiet: float = 2.0

    @override
    def assess(self, look: Look) -> Verdict:
        """Say STABLE after a quiet time."""
        if not _is_known_to_read(look.tty) and not look.screen.line_before_cursor.strip():
            return Pass("the screen is quiet, but nothing stands before the cursor")
        reason = f"nothing has changed for {self.quiet:g} s"
        return once_settled(look, self.quiet, Outcome.STABLE, reason)


def _is_known_to_read(tty: TtyState | None) -> bool:
    return tty is not None and bool(tty.reading) and bool(tty.is_raw or tty.only_reading)
