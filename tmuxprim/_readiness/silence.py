"""Strategies for programs that work while they read: by their own signs, and by their silence.

A program with an event loop, such as an AI assistant, reads keys at all times, so the kernel's
report of a reader does not mean that it waits. It shows its state in its title and in rows of its
own, and it hardly ever works without writing something.
"""

import math
import re
from collections.abc import Iterable, Iterator
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness.box import (
    AssistantState,
    AssistantView,
    describe_typed,
    ends_in,
    holds_last_text,
    last_row,
    typed_in_box,
)
from tmuxprim._readiness.chain import (
    Chain,
    ReadinessStrategy,
    Strategy,
    check_strategy,
    wants_signals,
)
from tmuxprim._readiness.kernel import looks_for_keys
from tmuxprim._readiness.menus import hinted_menu
from tmuxprim._readiness.snapshot import (
    ON_CHANGE,
    Busy,
    Outcome,
    Pass,
    Ready,
    Snapshot,
    Verdict,
    once_settled,
)
from tmuxprim._readiness.title import said_in_title, was_just_started
from tmuxprim._readiness.words import to_rows_pattern
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.programs import is_named
from tmuxprim._values.screen import Screen
from tmuxprim._values.short_repr import cut_repr, short_repr

# What works in the background, where the assistant does not say it in its rows.
_COMMAND: Final = "a command"
_FRAME: Final = " │┃╭╮╰╯─"
_MENU_SILENCE: Final = 0.5
_SETTLED: Final = 0.1
SILENCE_SECONDS: Final = 1.5
"""Seconds without a byte after which a program that works while it reads is taken to wait."""


@attrs.frozen
class TitleStrategy(Strategy):
    """Trusts a terminal title that says that the program works or has a question.

    It counts only while the program reads, and it never says that a program is ready, because some
    programs keep the title of an idle program while they work. A title that another program has
    left does not count.

    Args:
        programs: Strategies that know programs by their rows as well, such as an
            `AssistantStrategy`. They decide whether such a program asks, since they see whether its
            dialog is drawn.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("",), cursor=Cursor(0, 0), title="⠋ project")
        >>> tty = TtyState(canonical=False, echo=False, reading=True, only_reading=False)
        >>> print(TitleStrategy().assess(Snapshot(screen=screen, tty=tty)))
        busy: its title says that it works: '⠋ project'
    """

    programs: tuple[ReadinessStrategy, ...] = attrs.field(default=(), repr=cut_repr)

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say busy while the title spins, AWAITING_INPUT while it asks."""
        title, says = snapshot.screen.title, said_in_title(snapshot)
        # A program that waits for nothing but keys does not work, whatever its title says.
        if snapshot.facts.has_line_editor or not snapshot.facts.waits_for_more:
            return Pass("no program that may work while it reads", again_in=ON_CHANGE)
        if says is AssistantState.ASKS:
            asked = _question(snapshot.screen.rows) or title.strip()
            reason = f"its title says that it asks: {asked!r}"
            if any(one.is_its(snapshot.tty) for one in assistants_of(self.programs)):
                return Pass(reason, again_in=ON_CHANGE)
            return once_settled(snapshot, _SETTLED, Outcome.AWAITING_INPUT, reason)
        if says is AssistantState.WORKS:
            return Busy(f"its title says that it works: {title!r}")
        return Pass("its title says nothing")


@attrs.frozen
class SilenceStrategy(Strategy):
    """Guesses that a program with an event loop is ready, STABLE, after some silence.

    It guesses the same for a program that never sleeps in a read, but seems to poll for keys.

    A program that works writes: a spinner, a title, a cursor that moves. So the time without any
    output counts, not the time without a change of the screen, and no process may have been started
    or have ended. A program that works in silence looks the same as one that waits.

    Args:
        quiet: Seconds without a byte.
        at_work: The same while a process runs that it has started since the last key was sent.
        blinks: Seconds without a change of the screen although it writes: a cursor that it draws
            itself may blink, or a clock may tick.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("a menu",), cursor=Cursor(0, 0), alternate=True)
        >>> tty = TtyState(canonical=False, echo=False, reading=True, only_reading=False)
        >>> print(SilenceStrategy().assess(Snapshot(screen=screen, tty=tty, unchanged_for=1.5)))
        ready (stable): the program writes nothing for 1.5 s
    """

    quiet: float = SILENCE_SECONDS
    at_work: float = 10.0
    blinks: float = 5.0

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say STABLE after the silence, busy before it."""
        if looks_for_keys(snapshot):
            return _polling(snapshot)
        if not snapshot.facts.draws_itself:
            return Pass("no program that may work while it reads", ON_CHANGE)
        if not any(snapshot.screen.rows):
            return Busy("the program has drawn nothing yet")
        rest = snapshot.at_rest_for
        # The row counts only if it is new: it may be old output of another program.
        is_new = snapshot.changed and not snapshot.screen.alternate
        if menu := is_new and hinted_menu(snapshot.screen.rows):
            reason = f"a menu asks: {menu!r}"
            return _once_silent(rest, _MENU_SILENCE, Outcome.AWAITING_INPUT, reason)
        # A build that the program has started may be silent for long.
        quiet = self.at_work if _has_started_others(snapshot) else self.quiet
        blinks = max(quiet, self.blinks)
        # A blinking cursor and a clock are output, but no work. A spinner changes rows.
        if rest < blinks <= max(snapshot.unchanged_for, snapshot.ticking_for):
            what = "nothing" if snapshot.unchanged_for >= blinks else "nothing but a clock"
            return Ready(Outcome.STABLE, f"{what} has changed for {blinks:g} s, though it writes")
        reason = f"the program writes nothing for {quiet:g} s"
        return _once_silent(rest, quiet, Outcome.STABLE, reason)


def _polling(snapshot: Snapshot) -> Ready:
    """Guess that a program waits that polls for keys, as a game does.

    It is never blocked in a read, so silence is not its sign.
    """
    outcome = Outcome.FULLSCREEN if snapshot.screen.alternate else Outcome.STABLE
    reason = f"a guess: {snapshot.command or 'a program'} seems to poll for keys"
    return Ready(outcome, reason, is_guess=True)


def _question(rows: tuple[str, ...]) -> str:
    """Return the lowest row of a dialog that ends with a question mark; empty if none does."""
    shown = [row.strip(_FRAME) for row in rows if row][-_DIALOG:]
    return next((row for row in reversed(shown) if row.endswith("?") and " " in row), "")


def _has_started_others(snapshot: Snapshot) -> bool:
    """Whether a process runs that the program has started since the last key."""
    then = snapshot.mark.tty if snapshot.mark else None
    if snapshot.tty is None or then is None:
        return False
    now, before = snapshot.tty.children, then.children
    return now is not None and before is not None and not now <= before


@attrs.frozen(kw_only=True)
class AssistantStrategy(Strategy):
    r"""Finds the state of one AI assistant by its input box, its own rows and its title.

    Its answers may hold any words, so only its own rows are searched: its input box with a few rows
    above and all below; or the lowest rows, where a dialog has taken the place of the box.

    Args:
        name: Its name, for messages.
        programs: The names that its program may have, see `TtyState.program`. Empty for any, as in
            a session, which has started the program itself.
        box: Pattern of its input box with any typed text. Patterns are searched in all rows,
            which have no blanks at their ends, with ``^`` and ``$`` for those of each row. From a
            group named ``below`` on, the rows hold no typed text.
        works: Pattern of a text that its own rows show only while it works; None for nothing.
        asks: Pattern of the text of a dialog.
        undrawn: Pattern of the end of the rows above the box, without the blank rows below them,
            while an answer is whole and not drawn yet; None for nothing.
        unfinished: The same where an answer is not whole, or was never drawn.
        works_above: Pattern of the end of the rows above the box, without the blank rows below
            them, which is there only while it works; None for nothing.
        works_on: Pattern of a text above the box, or in and below it, while its agents or commands
            work in the background and it takes input.
        above: How many rows above the box are its own.
        quiet: Seconds without a byte after which it waits.
        half_typed: The outcome if its box holds a text other than the last one that was sent.
        interrupt: The keys that interrupt it, step by step; each is taken before the next.

    Examples:
        >>> strategy = AssistantStrategy(
        ...     name="Chat", programs=("chat",), box="^>.*$", works="thinking", asks=r"\[y/n\]"
        ... )
        >>> screen = Screen(size=Size(20, 2), rows=("hello", "> "), cursor=Cursor(1, 2))
        >>> tty = TtyState(canonical=False, echo=False, program="chat", reading=True)
        >>> print(strategy.assess(Snapshot(screen=screen, tty=tty, unchanged_for=2.0)))
        ready (prompt): Chat waits for a prompt
    """

    name: str
    programs: tuple[str, ...] = ()
    box: re.Pattern[str] = attrs.field(converter=to_rows_pattern)
    asks: re.Pattern[str] = attrs.field(converter=to_rows_pattern)
    works: re.Pattern[str] | None = attrs.field(
        default=None, converter=attrs.converters.optional(to_rows_pattern)
    )
    undrawn: re.Pattern[str] | None = attrs.field(
        default=None, converter=attrs.converters.optional(to_rows_pattern)
    )
    unfinished: re.Pattern[str] | None = attrs.field(
        default=None, converter=attrs.converters.optional(to_rows_pattern)
    )
    works_above: re.Pattern[str] | None = attrs.field(
        default=None, converter=attrs.converters.optional(to_rows_pattern)
    )
    works_on: re.Pattern[str] | None = attrs.field(
        default=None, converter=attrs.converters.optional(to_rows_pattern)
    )
    above: int = 0
    quiet: float = SILENCE_SECONDS
    half_typed: Outcome = Outcome.AWAITING_INPUT
    interrupt: tuple[KeySequence, ...] = (KeySequence((Key("Escape"),)),)

    def __repr__(self) -> str:
        return short_repr(self, "name", "programs")

    def is_its(self, tty: TtyState | None) -> bool:
        """Whether its program is in the foreground, as far as the kernel reports that.

        Args:
            tty: The kernel's evidence; None if there is none.
        """
        return not self.programs or (tty is not None and is_named(tty.program, self.programs))

    def shown(self, snapshot: Snapshot) -> AssistantView:
        """Return the state that it shows, by its own rows, its title, and its status file.

        Args:
            snapshot: The pane at one moment.
        """
        tty, title = snapshot.tty, snapshot.screen.title.strip()
        shown = self._shown_in_rows(snapshot.screen)
        if tty is None:
            return shown
        by_title = AssistantState.NEITHER if tty.canonical else said_in_title(snapshot)
        if by_title is AssistantState.WORKS and shown.state is AssistantState.BOX:
            return attrs.evolve(shown, state=AssistantState.WORKS, words=title)
        asks_by_title = by_title is AssistantState.ASKS
        if not (asks_by_title or tty.status == "waiting"):
            return shown
        if shown.state in (AssistantState.ASKS, AssistantState.NEITHER):
            # The dialogs of Codex and Gemini CLI are recognized by their choices. The question is
            # above those.
            above = _question(snapshot.screen.rows)
            words = (above, shown.words, title) if asks_by_title else (shown.words, above)
            return attrs.evolve(
                shown, state=AssistantState.ASKS, words=next(filter(None, words), "")
            )
        # The title may be an old one. So in the end the rows count, and nothing is refused for
        # ever.
        is_late = snapshot.unchanged_for >= UNDRAWN_SECONDS
        return shown if is_late else attrs.evolve(shown, state=AssistantState.UNDRAWN)

    def _shown_in_rows(self, screen: Screen) -> AssistantView:
        """Return what its own rows show: its answers hold any words, and are not searched."""
        shown, rows = self._input_box(screen), [row for row in screen.rows if row][-_DIALOG:]
        working = None
        if shown.box:
            rows = list(screen.rows[-(shown.box.count("\n") + 1 + self.above) :])
            working = self.works_above and self.works_above.search(_above(screen, shown.box))
        own = "\n".join(rows)
        if working := working or (self.works and self.works.search(own)):
            says = working[0].partition("\n")[0].strip()
            return attrs.evolve(shown, state=AssistantState.WORKS, words=says)
        if shown.box:
            return shown
        asking = self.asks.search(own)
        return (
            AssistantView(AssistantState.ASKS, asking[0].strip())
            if asking
            else AssistantView(AssistantState.NEITHER)
        )

    def _input_box(self, screen: Screen) -> AssistantView:
        """Return the lowest of its input boxes, and what is typed in it."""
        text = "\n".join(screen.rows)
        boxes = list(self.box.finditer(text))
        if not boxes:
            return AssistantView(AssistantState.NEITHER)
        first, last = [text.count("\n", 0, place) for place in boxes[-1].span()]
        end = boxes[-1].start("below") if "below" in self.box.groupindex else None
        return AssistantView(
            AssistantState.BOX,
            typed=typed_in_box(screen, first, last),
            box="\n".join(screen.rows[first:]),
            input=text[boxes[-1].start() : end],
        )

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say PROMPT, AWAITING_INPUT or busy; pass if it is another program, or shows neither."""
        if not self.is_its(snapshot.tty):
            return Pass(f"this is not {self.name}", again_in=ON_CHANGE)
        if snapshot.facts.is_canonical:
            return Pass(f"{self.name} does not read key by key")
        shown, status = self.shown(snapshot), snapshot.facts.status
        if sign := self._sign_of_work(snapshot, shown):
            return Busy(f"{self.name} works: {sign}")
        if shown.state in (AssistantState.ASKS, AssistantState.UNDRAWN) or status == "waiting":
            return self._asking(snapshot, shown)
        if shown.state is AssistantState.BOX:
            return self._with_box(snapshot, shown)
        # Some assistants are silent for ten seconds while they load.
        quiet = math.inf if was_just_started(snapshot) else self.quiet * _UNSURE
        reason = f"{self.name} shows neither its input box nor a dialog"
        return _once_silent(snapshot.at_rest_for, quiet, Outcome.STABLE, reason)

    def _sign_of_work(self, snapshot: Snapshot, shown: AssistantView) -> str:
        """Return, as a part of a reason, how it says that it works; empty if it does not."""
        if shown.state is AssistantState.WORKS:
            return repr(shown.words)
        if snapshot.facts.status != "busy":
            return ""
        others = self._others(snapshot, shown)
        return f"its status file says so, {others}" if others else "its status file says so"

    def _asking(self, snapshot: Snapshot, shown: AssistantView) -> Verdict:
        """Judge an assistant that asks. Until it is certain, a veto keeps others from a guess."""
        if shown.state is AssistantState.UNDRAWN:
            reason = f"{self.name} says that it asks, and has not drawn its dialog yet"
            return Busy(reason, again_in=UNDRAWN_SECONDS - snapshot.unchanged_for)
        # A dialog that was just answered may still be there.
        settled = _SETTLED_DIALOG if snapshot.changed else self.quiet
        # On a busy machine the reader seems to change each second, while the rows stay the same.
        settled = 0.0 if snapshot.ticking_for >= _STANDS else settled
        reason = f"{self.name} asks" + (f": {shown.words!r}" if shown.words else " something")
        found = once_settled(snapshot, settled, Outcome.AWAITING_INPUT, reason)
        return found if isinstance(found, Ready) else Busy(found.reason, found.again_in)

    def _with_box(self, snapshot: Snapshot, shown: AssistantView) -> Verdict:
        """Judge an assistant that shows its input box, and neither works nor asks."""
        # The text of the last send: the Enter behind it was lost.
        is_ours = holds_last_text(shown, snapshot)
        if is_ours or shown.typed:
            outcome = Outcome.AWAITING_INPUT if is_ours else self.half_typed
            return _once_silent(
                _at_its_box(snapshot), self.quiet, outcome, describe_typed(self.name, shown.typed)
            )
        reason = f"{self.name} waits for a prompt"
        above = _above(snapshot.screen, shown.box)
        if others := self._others(snapshot, shown):
            reason = f"{reason}, {others}"
        is_undrawn = self.undrawn and self.undrawn.search(above)
        if is_undrawn or self._has_drawn_no_answer(snapshot, above):
            reason = f"{reason}, and has not drawn its answer"
            silent_for, quiet = _at_its_box(snapshot), self.quiet * _UNSURE
            return _once_silent(silent_for, quiet, Outcome.PROMPT, reason)
        if found := self.unfinished and self.unfinished.search(above):
            reason = f"{reason}; its last answer is not whole, or not shown: {found[0].strip()!r}"
        return _once_silent(_at_its_box(snapshot), self.quiet, Outcome.PROMPT, reason)

    def _has_drawn_no_answer(self, snapshot: Snapshot, above: str) -> bool:
        """Whether a text was submitted, and above the box is nothing new, or that text at the end.

        OpenCode 1.18.33 empties its box at once. On a busy machine it draws the question 2.7 s
        later, and a sign of work more than a second after that. It sleeps meanwhile.
        """
        mark = snapshot.mark
        if mark is None or not mark.ends_line:
            return False
        before = self._input_box(mark.screen)
        if not before.box or not (before.typed or mark.typed):
            return False
        if _above(mark.screen, before.box) == above:
            return True
        last = last_row(above)
        return ends_in(last, before.typed) or ends_in(last, mark.typed or "")

    def background(self, snapshot: Snapshot, shown: AssistantView) -> str:
        """Return the work in the background while it shows its input box; empty without any.

        Args:
            snapshot: The pane at one moment.
            shown: What it shows then; see `shown`.
        """
        if not shown.box:
            return ""
        if self.works_on is not None:
            above = self.works_on.search(_above(snapshot.screen, shown.box))
            if found := above or self.works_on.search(shown.box):
                return found[0].strip()
        return _COMMAND if snapshot.tty is not None and snapshot.tty.status == "shell" else ""

    def _others(self, snapshot: Snapshot, shown: AssistantView) -> str:
        """Return, as a part of a reason, what works for it; empty if nothing does."""
        background = self.background(snapshot, shown)
        if not background or background == _COMMAND:
            return background and f"while {background} of it runs on"
        return f"while others work for it: {background!r}"


def _above(screen: Screen, box: str) -> str:
    """Return the rows above a box, without the blank ones right above it."""
    return "\n".join(screen.rows).removesuffix(box).rstrip("\n")


UNDRAWN_SECONDS: Final = 5.0
"""Seconds for which a program's word that it asks counts more than rows that do not change.

Codex and Gemini CLI draw a dialog 0.1 s behind their title; on a busy machine that takes longer.
"""
_DIALOG: Final = 15  # a dialog is within so many of the lowest rows
_SETTLED_DIALOG: Final = 0.3
# A dialog asks, even if the reader seems to change, when no row has changed for so many seconds.
_STANDS: Final = 5.0
# A program at its input box waits, even if it is seen to run now and then, when it has written
# nothing for so many seconds. On a busy machine each program is seen to run now and then. But one
# that has just taken a question also runs in silence at first.
_RUNS_ON: Final = 20.0
_UNSURE: Final = 6  # the silence has to be so many times as long if nothing is recognized


def _at_its_box(snapshot: Snapshot) -> float:
    """Return the seconds of silence of a program that shows its input box."""
    silent_for = snapshot.silent_for
    return silent_for if silent_for >= _RUNS_ON else snapshot.at_rest_for


def _once_silent(silent_for: float, quiet: float, outcome: Outcome, reason: str) -> Verdict:
    """Return ready if the program has written nothing for so many seconds, else busy."""
    if silent_for < quiet:
        missing = quiet - silent_for
        return Busy(f"{reason}, but has been silent for {silent_for:.1f} s only", missing)
    return Ready(outcome, reason)


def assistants_of(strategies: Iterable[ReadinessStrategy]) -> Iterator[AssistantStrategy]:
    """Yield the assistants that strategies know."""
    for one in strategies:
        match one:
            case AssistantStrategy():
                yield one
            case Chain():
                yield from assistants_of(one.strategies)
            case KnownProgramStrategy():
                yield from assistants_of(one.programs)
            case _:
                pass


_IS_READY: Final = (Outcome.PROMPT, Outcome.STABLE, Outcome.FULLSCREEN)


@attrs.frozen
class KnownProgramStrategy(Strategy):
    """Asks the strategy that knows the program in the foreground by its signs.

    Args:
        programs: Strategies that know one program each; they pass for any other program.
        finds_prompts: Whether they may say that it is ready. They may not if the user has given
            a pattern, which decides that.

    Raises:
        InvalidStrategyError: If one of them cannot assess a snapshot.
    """

    programs: tuple[ReadinessStrategy, ...] = attrs.field(repr=cut_repr)
    finds_prompts: bool = True

    @programs.validator
    def _check_programs(self, _field: object, programs: tuple[object, ...]) -> None:
        for program in programs:
            check_strategy(program)

    @property
    def hears_signals(self) -> bool:
        """Whether one of them is to be given `Snapshot.signals`."""
        return any(map(wants_signals, self.programs))

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Return the first verdict that is no pass."""
        verdicts = (strategy.assess(snapshot) for strategy in self.programs)
        found = next((verdict for verdict in verdicts if not isinstance(verdict, Pass)), None)
        if found is None:
            return Pass("no program that is known by its signs", again_in=ON_CHANGE)
        if isinstance(found, Ready) and found.outcome in _IS_READY and not self.finds_prompts:
            return Pass(found.reason)
        return found
