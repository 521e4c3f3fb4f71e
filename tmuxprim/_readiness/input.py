"""Strategies for programs that wait for input without a prompt: questions, passwords, TUIs."""

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.facts import Reader
from tmuxprim._readiness.menus import searched_menu
from tmuxprim._readiness.snapshot import (
    GUESS_SECONDS,
    REMOTE_SECONDS,
    Busy,
    Outcome,
    Pass,
    Ready,
    Snapshot,
    Verdict,
    once_settled,
)
from tmuxprim._readiness.words import SECRET, Text


@attrs.frozen
class SecretStrategy(Strategy):
    """Finds a program that reads a line without echo, as for a password.

    Args:
        settled: Seconds without change for a text that asks in known words.
        guess: Seconds without change where the reader is not reported.

    Examples:
        >>> terminal = FakeTerminal(programs={"sudo": password("Password: ")})
        >>> console = Console(terminal, terminal.open("sudo"))
        >>> print(console.wait_ready(strategy=SecretStrategy()).reason)
        a program waits for a line that is not shown, after 'Password:'
    """

    settled: float = 0.1
    guess: float = GUESS_SECONDS

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say AWAITING_SECRET if a line is read that is not shown."""
        facts, text = snapshot.facts, snapshot.facts.text.strip()
        if not facts.is_canonical:
            return self._by_words(snapshot, text)
        if not facts.hides_input:
            return Pass("typed text is shown")
        if not (text or facts.knows_reading):
            return Pass("nothing is asked, and the kernel does not report the reader")
        settled = 0.0
        # Without a reported reader a script may have switched echo off for another reason, by
        # stty(1).
        if not facts.reads or facts.has_time_limit:
            settled = self.settled * 3 if SECRET.search(text) else self.guess
        reason = f"a program waits for a line that is not shown{_after(text)}"
        return once_settled(snapshot, settled, Outcome.AWAITING_SECRET, reason)

    def _by_words(self, snapshot: Snapshot, text: str) -> Verdict:
        """Judge by the words: a line editor never echoes, nor does a pass-through program."""
        facts = snapshot.facts
        if obstacle := _obstacle(snapshot, text):
            return Pass(obstacle)
        if not facts.is_sure:
            # A guess, but called a secret all the same, so that the answer is not shown.
            settled, outcome = facts.still_for(self.guess), Outcome.AWAITING_SECRET
            return once_settled(snapshot, settled, outcome, repr(text), is_guess=True)
        settled = 0.0 if facts.only_reads else self.settled * 3
        settled = max(settled, REMOTE_SECONDS) if facts.is_pass_through else settled
        return once_settled(snapshot, settled, Outcome.AWAITING_SECRET, repr(text))


def _obstacle(snapshot: Snapshot, text: str) -> str:
    """Say why a text asks for no secret; empty if it does."""
    facts = snapshot.facts
    if facts.is_fullscreen or not SECRET.search(text):
        return "nothing asks for a password"
    is_first = snapshot.mark is None and facts.has_line_editor
    if is_first or facts.reader is Reader.SHELL_AT_PROMPT:
        return "these words are a shell's prompt"
    known = facts.known_prompt.strip()
    return "these words are behind a prompt" if known and text.startswith(known) else ""


def _after(text: str) -> str:
    """Return what a program has asked, as the end of a reason."""
    return f", after {text.strip()!r}" if text.strip() else ", and asks nothing"


@attrs.frozen
class AwaitingInputStrategy(Strategy):
    """Finds a program that waits for a line or a key and shows no known prompt.

    Args:
        settled: Seconds without change, where the kernel reports a process that reads keys.
        alone: Seconds without change for a question that only the screen shows.
        guess: The same where the reader is not reported either; the outcome is STABLE.
        answered: The same for a question that was there before the last key.

    Examples:
        >>> terminal = FakeTerminal(programs={"rm": question("Remove? [y/N] ")})
        >>> console = Console(terminal, terminal.open("rm"))
        >>> print(console.wait_ready(strategy=AwaitingInputStrategy()).reason)
        a program waits for a line, after 'Remove? [y/N]'
    """

    settled: float = 0.08
    alone: float = 0.5
    guess: float = GUESS_SECONDS
    answered: float = 5.0

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say AWAITING_INPUT if a program does nothing but read."""
        facts, text = snapshot.facts, snapshot.facts.text
        if facts.is_fullscreen:
            return Pass("a full-screen program does not ask in a line")
        if _may_be_resumed(snapshot):
            # To the kernel the poll of its editor looks like a sleep now.
            reason = f"{snapshot.command} goes on where C-z stopped it, in its line editor"
            return once_settled(snapshot, self.guess, Outcome.STABLE, reason, is_guess=True)
        waits_for_more = _waits_for_more(snapshot)
        is_certain = facts.knows_reading and not facts.has_time_limit
        if not is_certain or (waits_for_more and (facts.is_raw or facts.may_work)):
            return self._by_words(snapshot, text)
        if not facts.reads or waits_for_more:
            return Pass("the program waits for more than keys, and may go on without them")
        if facts.is_canonical:
            # A program that reads a whole line has printed its question.
            settled, reason = 0.0, f"a program waits for a line{_after(text)}"
        else:
            # A program that hides its cursor asks nothing there: it may be anywhere, as top's is.
            asked = _after(text) if snapshot.screen.cursor_visible else ""
            # A line editor may still be drawing its prompt, and a TUI may ask its terminal
            # something.
            settled, reason = self.settled, f"a program waits for keys{asked}"
        return once_settled(snapshot, settled, Outcome.AWAITING_INPUT, reason)

    def _by_words(self, snapshot: Snapshot, text: str) -> Verdict:
        """Judge where the kernel does not report that a program does nothing but read."""
        facts = snapshot.facts
        if _is_typed_at_prompt(snapshot):
            reason = f"half a line is typed: {text!r}"
            return once_settled(snapshot, self.settled, Outcome.AWAITING_INPUT, reason)
        # In canonical mode a silent command looks just like a program that reads and asks nothing.
        if facts.is_canonical and not facts.has_time_limit and not text.strip():
            return Busy("nothing is asked: probably a command runs")
        asked = _asked(snapshot)
        if not asked:
            return Pass(f"no question in {text!r}")
        reason = f"question {asked.strip()!r}"
        if facts.is_sure:
            settled = max(self.alone, REMOTE_SECONDS) if facts.is_pass_through else self.alone
            return once_settled(snapshot, settled, Outcome.AWAITING_INPUT, reason)
        outcome = Outcome.AWAITING_INPUT if facts.may_read else Outcome.STABLE
        # A question that was there before the last key may just have been answered.
        settled = self.guess if snapshot.changed else max(self.guess, self.answered)
        settled = facts.still_for(settled)
        return once_settled(snapshot, settled, outcome, reason, is_guess=True)


def _asked(snapshot: Snapshot) -> str:
    """Return the question that is on the screen; empty if there is none."""
    facts = snapshot.facts
    return searched_menu(snapshot) or (facts.text if facts.kind.asks else "")


def _waits_for_more(snapshot: Snapshot) -> bool:
    """Whether the reader also waits for something else, so that it may go on without a key.

    Some shells do so whenever they edit a line. But if such a shell's ``read`` asks, it waits for
    the answer.
    """
    facts = snapshot.facts
    is_asked = facts.kind not in {Text.NOTHING, Text.SECRET}
    if is_asked and facts.reader is Reader.SHELL_ELSEWHERE:
        return False
    return facts.waits_for_more


def _may_be_resumed(snapshot: Snapshot) -> bool:
    """Whether a line editor that was stopped may sleep in the same call again.

    After ``fg`` the terminal is in canonical mode, as for each command, and there a poll may as
    well be a sleep. An editor that handles SIGCONT makes the terminal raw again.
    """
    facts, tty, mark = snapshot.facts, snapshot.tty, snapshot.mark
    if tty is None or mark is None or mark.tty is None:
        return False
    may_read = facts.is_canonical and not (facts.none_reads or facts.only_reads)
    return may_read and tty.foreground_pid in mark.stopped - {mark.tty.foreground_pid}


def _is_typed_at_prompt(snapshot: Snapshot) -> bool:
    """Whether the line editor shows what was typed at its prompt, as fish in half a line."""
    facts = snapshot.facts
    is_its = facts.is_edited and facts.reads and facts.is_same_process and snapshot.changed
    if not is_its or facts.is_pass_through:
        return False
    if facts.has_time_limit and facts.reader is Reader.SHELL_ELSEWHERE:
        return False
    is_emptied = facts.is_known_prompt and not facts.may_work
    return bool(facts.typed) or is_emptied


@attrs.frozen
class FullscreenStrategy(Strategy):
    """Finds a full-screen program that has drawn and waits for keys.

    Where the reader is not reported it is a guess, called STABLE.

    Args:
        settled: Seconds without change, where the kernel reports a reader.
        alone: Seconds without change where it does not.
        restless: Seconds for which it must only read, if its screen changes all the time.

    Examples:
        >>> terminal = FakeTerminal(programs={"less": pager("a text")})
        >>> console = Console(terminal, terminal.open("less"))
        >>> print(console.wait_ready(strategy=FullscreenStrategy()).reason)
        less has drawn its screen
    """

    settled: float = 0.1
    alone: float = GUESS_SECONDS
    restless: float = 1.0

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say FULLSCREEN on a settled alternate screen."""
        facts = snapshot.facts
        if not facts.is_fullscreen:
            return Pass("no program shows itself on the whole screen")
        name = snapshot.command or "a full-screen program"
        if snapshot.reading_for >= self.restless:
            return Ready(Outcome.FULLSCREEN, f"{name} waits for keys, though it keeps drawing")
        reason = f"{name} has drawn its screen"
        if facts.is_reported:
            return once_settled(snapshot, self.settled, Outcome.FULLSCREEN, reason)
        outcome = Outcome.FULLSCREEN if facts.may_read else Outcome.STABLE
        settled = self.alone
        # A clock on the screen never lets it settle for so long. So in the end less is enough.
        if snapshot.elapsed >= 2 * self.alone:
            settled, reason = self.alone / 4, f"{reason}, and keeps drawing"
        return once_settled(snapshot, settled, outcome, reason, is_guess=True)


@attrs.frozen
class StabilityStrategy(Strategy):
    """Guesses that the pane is ready, STABLE, when the screen has not changed for a while.

    It is the last in the chain. A silent command looks just like this, so it is asked only where
    the kernel does not report that a command runs. It does not judge while the cursor is at the
    left margin, unless a process is known to read, or has hidden the cursor or made the terminal
    raw.

    Args:
        quiet: Seconds without change.
        unasked: The same where more output may come by itself, and the program is not known to wait
            for keys alone: if nothing or a progress such as ``45%`` is before the cursor, or if the
            reader is not reported and nothing has changed since the last key.

    Examples:
        >>> terminal = FakeTerminal(programs={"game": question("Your move ")}, evidence=False)
        >>> console = Console(terminal, terminal.open("game"))
        >>> print(console.wait_ready(strategy=StabilityStrategy(quiet=0.5)).reason)
        a guess: nothing has changed for 0.5 s (without kernel evidence)
    """

    quiet: float = 2.0
    unasked: float = 5.0

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say STABLE after a quiet time."""
        facts = snapshot.facts
        if facts.kind is Text.NOTHING and not _may_read(snapshot):
            return Pass("the screen is quiet, but nothing is before the cursor")
        only_reads = facts.only_reads and not facts.has_time_limit
        is_old = not (snapshot.changed or facts.is_reported)
        is_unasked = is_old or facts.kind in {Text.NOTHING, Text.PROGRESS}
        quiet = max(self.quiet, self.unasked) if is_unasked and not only_reads else self.quiet
        quiet = facts.still_for(quiet)
        reason = f"nothing has changed for {quiet:g} s"
        return once_settled(snapshot, quiet, Outcome.STABLE, reason, is_guess=True)


def _may_read(snapshot: Snapshot) -> bool:
    """Whether a process reads, or may where that is not reported.

    A silent command neither hides the cursor nor makes the terminal raw.
    """
    screen, facts = snapshot.screen, snapshot.facts
    if facts.knows_reading and not facts.is_pass_through:
        return facts.reads and (facts.is_raw or facts.only_reads)
    is_raw = facts.is_raw and not facts.is_pass_through
    return any(screen.rows) and (is_raw or not screen.cursor_visible)
