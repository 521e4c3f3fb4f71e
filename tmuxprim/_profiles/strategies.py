"""Strategies for programs with a known screen while they wait."""

import re
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Chain, ReadinessStrategy, Strategy
from tmuxprim._readiness.default import FACTS, default_chain
from tmuxprim._readiness.kernel import ForegroundStrategy
from tmuxprim._readiness.snapshot import (
    SOON,
    Busy,
    Outcome,
    Pass,
    Ready,
    Snapshot,
    Verdict,
    once_settled,
)
from tmuxprim._readiness.words import is_same_prompt, to_rows_pattern
from tmuxprim._values.evidence import Prompt, program_of
from tmuxprim._values.programs import is_named

# Without the kernel's evidence that the program reads, a picture has to stand so much longer.
_BLIND: Final = 3


@attrs.frozen(kw_only=True)
class ScreenStrategy(Strategy):
    r"""Finds a text that a program shows while it waits, anywhere on its screen.

    A text pattern is searched in all rows, with ``^`` and ``$`` for the beginning and the end of
    each row and ``\n`` between them. Put what the program shows *only* when it waits into
    *shows*, and what it shows while it works into *hides*.

    Args:
        shows: Regular expression that has to be found.
        hides: Regular expression that must not be found; None for none.
        settled: Seconds without change; thrice as many where the kernel does not report the reader.
        outcome: The outcome if the text is found.

    Raises:
        InvalidPatternError: If a pattern is not a regular expression.

    Examples:
        >>> screen = Screen(size=Size(9, 2), rows=("> ", "ready"), cursor=Cursor(0, 2))
        >>> strategy = ScreenStrategy(shows="^ready$", hides="esc to stop", settled=0.0)
        >>> print(strategy.assess(Snapshot(screen=screen)))
        ready (prompt): 'ready' is on the screen
    """

    shows: re.Pattern[str] = attrs.field(converter=to_rows_pattern)
    hides: re.Pattern[str] | None = attrs.field(
        default=None, converter=attrs.converters.optional(to_rows_pattern)
    )
    settled: float = 0.3
    outcome: Outcome = Outcome.PROMPT

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say *outcome* once the screen shows the text, and does not change."""
        text = "\n".join(snapshot.screen.rows)
        found = self.shows.search(text)
        if found is None:
            return Pass(f"nothing matches {_brief(self.shows.pattern)}")
        hidden = self.hides and self.hides.search(text)
        if hidden:
            return Pass(f"{_brief(hidden[0])} says that the program works")
        knows = snapshot.tty is not None and snapshot.tty.reading is not None
        settled = self.settled if knows else self.settled * _BLIND
        shown = " ".join(found[0].split())
        return once_settled(snapshot, settled, self.outcome, f"{_brief(shown)} is on the screen")


def _brief(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:36]} ...")  # noqa: PLR2004  # to be read


def known_screens(*strategies: ReadinessStrategy) -> Chain:
    """Return a chain that asks the given strategies once the program can take keys.

    Nothing is guessed: a screen that none of them knows is waited out.

    Args:
        strategies: Asked in order, behind those that judge the kernel's evidence.

    Examples:
        >>> chain = known_screens(ScreenStrategy(shows="^ready$"))
        >>> [type(strategy).__name__ for strategy in chain.strategies][:3]
        ['ExitStrategy', 'ModeStrategy', 'ForegroundStrategy']
    """
    return Chain((*FACTS, *strategies))


@attrs.frozen
class EndedStrategy(Strategy):
    """Finds that the program has ended: the shell with that prompt has the terminal."""

    prompt: Prompt

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say EXITED once the shell waits for something, busy on the way there."""
        pid = snapshot.tty and snapshot.tty.foreground_pid
        if pid is not None and self.prompt.pid is not None:
            if pid != self.prompt.pid:
                return Pass("the program has the terminal")
        elif snapshot.screen.alternate or not is_same_prompt(
            snapshot.screen.line_before_cursor, self.prompt.text
        ):
            return Pass("this is not the shell's prompt")
        return _of_shell(snapshot)


@attrs.frozen
class GivenUpStrategy(Strategy):
    """Finds that another program has the terminal instead of an adopted one.

    Args:
        pid: The process that had it; None if that is not known, so that the name decides.
        name: The program's name.
    """

    pid: int | None
    name: str

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say EXITED once a shell waits for something, busy while anything else has it."""
        pid = snapshot.tty and snapshot.tty.foreground_pid
        has_it = pid == self.pid
        if pid is None or self.pid is None:
            has_it = is_named(program_of(snapshot.screen, snapshot.tty), (self.name,))
        if has_it:
            return Pass("the program has the terminal")
        if not snapshot.facts.may_be_shell:
            return Busy(f"{snapshot.command} has the terminal, and not {self.name}")
        return _of_shell(snapshot)


def _of_shell(snapshot: Snapshot) -> Verdict:
    verdict = _SHELL.assess(snapshot)
    if isinstance(verdict, Ready):  # also if half a line is typed there
        return Ready(Outcome.EXITED, f"the program has ended; {verdict.reason}")
    return Busy(f"the shell has the terminal; {verdict}", verdict.again_in)


_SHELL: Final = default_chain()


@attrs.frozen
class StillStrategy(Strategy):
    """Finds that the program has taken a key and drawn the result.

    Args:
        settled: Seconds without change.
        shows: A text that it has to show by then; empty for any.
        only_reads: Whether the kernel has to report that it only waits for keys.
    """

    settled: float = 0.2
    shows: str = ""
    only_reads: bool = False

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say STABLE once the screen has not changed for so long."""
        if self.shows and self.shows not in squeeze("".join(snapshot.screen.rows)):
            return Pass(f"{self.shows!r} is not on the screen yet")
        if self.only_reads and not (snapshot.tty and snapshot.tty.only_reading):
            return Pass("it may do more than wait for keys")
        reason = f"nothing has changed for {self.settled:g} s"
        return once_settled(snapshot, self.settled, Outcome.STABLE, reason)


@attrs.frozen
class TakesKeysStrategy(Strategy):
    """Finds that the program would read a key that was pressed now, whatever it shows."""

    after: float = 0.0
    """Seconds from the last key, in which it may have begun to end."""

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say STABLE once it reads again."""
        if snapshot.elapsed < self.after:
            return Pass("the last key was just pressed", again_in=self.after - snapshot.elapsed)
        verdict = _FOREGROUND.assess(snapshot)
        if isinstance(verdict, Busy):  # it may read for some milliseconds now and then
            return Pass(verdict.reason, again_in=SOON)
        return Ready(Outcome.STABLE, "it takes keys")


_FOREGROUND: Final = ForegroundStrategy()


def squeeze(text: str) -> str:
    """Return *text* without white space, so that it is the same however it is wrapped."""
    return "".join(text.split())
