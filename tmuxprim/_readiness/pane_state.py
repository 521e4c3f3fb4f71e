"""`PaneState`: the state of a pane now, by the same chain that a wait asks.

A wait has time: a strategy may want to see first that nothing changes for two seconds. `State` has
to answer at once. So the chain is asked twice about one snapshot: as it is, and as if nothing had
changed for long. The second answer is a guess.
"""

import enum
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness.box import AssistantState
from tmuxprim._readiness.chain import Chain, Judgement, Strategy
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.menus import searched_menu
from tmuxprim._readiness.snapshot import ON_CHANGE, Busy, Outcome, Pass, Ready, Snapshot
from tmuxprim._readiness.words import is_of_a_repl
from tmuxprim._values.evidence import Level, program_of
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim._values.short_repr import short_repr

STILL_SECONDS: Final = 0.3
"""Seconds without change after which a state that is a guess is reported."""
# Seconds for "nothing has changed for long": more than any strategy wants.
_LONG: Final = 1e6


class State(enum.Enum):
    """The state of a pane at one moment.

    Examples:
        >>> shell = ScriptedShell({"make": after(60.0, "done")})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.wait_ready()
        >>> console.state().state
        <State.PROMPT: 'prompt'>
        >>> _ = console.send("make")
        >>> console.state().state
        <State.WORKING: 'working'>
    """

    WORKING = "working"
    """A program works: it takes no input, or typed text waits until it reads."""
    PROMPT = "prompt"
    """A shell, a REPL or an AI assistant waits at its prompt."""
    CONTINUATION = "continuation"
    """A shell or a REPL waits for the rest of a command."""
    ASKING = "asking"
    """A program asks something, such as ``Continue? [y/N]``, or holds half a line."""
    SECRET = "secret"  # noqa: S105  # the word, not a password
    """A program reads a line without showing it, such as a password."""
    FULLSCREEN = "full-screen"
    """A full-screen program waits for keys."""
    IDLE = "idle"
    """Nothing has changed for a while: a guess that the program waits."""
    EXITED = "exited"
    """The pane is gone, or its program has ended and another one was started in its place."""
    DEAD = "dead"
    """The program has ended, and tmux keeps its pane (``remain-on-exit``)."""


STATE_OF: Final = {
    Outcome.PROMPT: State.PROMPT,
    Outcome.CONTINUATION: State.CONTINUATION,
    Outcome.AWAITING_INPUT: State.ASKING,
    Outcome.AWAITING_SECRET: State.SECRET,
    Outcome.FULLSCREEN: State.FULLSCREEN,
    Outcome.STABLE: State.IDLE,
    Outcome.MATCHED: State.IDLE,
    Outcome.EXITED: State.EXITED,
}
"""The state of a pane at which a wait would end so; a wait that goes on is of one that works."""


@attrs.frozen(kw_only=True)
class PaneState:
    """The state of a pane at one moment, and its evidence.

    Args:
        pane: The pane, by its id.
        state: The state.
        program: Name of the program in front; empty if there is none.
        reason: The reason, in plain words.
        is_guess: Whether the state cannot be determined for certain by this snapshot. A wait finds
            out more, since it has the time to see that nothing changes.
        question: The question, if a program asks; otherwise empty.
        background: The work in the background while an AI assistant takes input; empty if there is
            none.
        evidence: The kind of kernel evidence (`TtyState.level`); None if the screen alone decided.
        unchanged_for: Seconds for which nothing has changed, as far as this console or watcher has
            seen it. It is ignored when states are compared.
        screen: The screen; None if the pane is gone. It is ignored when states are compared.

    Examples:
        >>> terminal = FakeTerminal(programs={"rm": question("Remove? [y/N] ")})
        >>> console = Console(terminal, terminal.open("rm"))
        >>> _ = console.wait_ready()
        >>> state = console.state()
        >>> print(state)
        %0 asking (rm): a program waits for a line, after 'Remove? [y/N]'
        >>> state.question
        'Remove? [y/N]'
    """

    pane: Pane
    state: State
    program: str
    reason: str
    is_guess: bool = False
    question: str = ""
    background: str = ""
    evidence: Level | None = None
    unchanged_for: float = attrs.field(default=0.0, eq=False)
    screen: Screen | None = attrs.field(default=None, eq=False)

    def __repr__(self) -> str:
        return short_repr(self, "pane", "state", "program", "reason", "is_guess", "question")

    def __str__(self) -> str:
        program = f" ({self.program})" if self.program else ""
        return f"{self.pane} {self.state.value}{program}: {self.reason}"


@attrs.frozen
class FoundState(Ready):
    """The verdict of a `StateStrategy`.

    Args:
        state: The state.
        is_settled: Whether a second look soon after would find the same.
        is_found: Whether a wait would end with it.
        again_in: Seconds after which to look again even if the kernel has seen no change.
        is_unseen: Whether an AI assistant is in front whose screen shows no sign of work.
    """

    state: PaneState
    is_settled: bool = True
    is_found: bool = True
    again_in: float = ON_CHANGE
    is_unseen: bool = False


def gone(pane: Pane, reason: str) -> FoundState:
    """Return the state of a pane that is gone."""
    state = PaneState(pane=pane, state=State.EXITED, program="", reason=reason)
    return FoundState(Outcome.EXITED, reason, state)


@attrs.frozen
class StateStrategy(Strategy):
    """Names the state of a pane by the verdict of a chain.

    Where the chain wants to see first that nothing changes, the state is the one that it would find
    then, as a guess; but where something does change, the program works.

    Args:
        pane: The pane.
        chain: The chain.
        is_last: Whether this is the second look at a pane that was not settled in the first.
    """

    pane: Pane
    chain: Chain
    is_last: bool

    @override
    def assess(self, snapshot: Snapshot) -> FoundState:
        """Return the state as a verdict."""
        mode = snapshot.screen.mode
        # A person who scrolls does not change what the program does.
        screen = attrs.evolve(snapshot.screen, mode="", input_off=False)
        snapshot = attrs.evolve(snapshot, screen=screen)
        front = Front.seen(snapshot, self.chain)
        judged = self._judge(snapshot, front)
        tty = snapshot.tty
        state = PaneState(
            pane=self.pane,
            state=State.DEAD if screen.dead else judged.state,
            program=program_of(screen, tty),
            reason=f"{judged.reason}; the pane is in {mode}" if mode else judged.reason,
            is_guess=judged.is_guess and not screen.dead,
            question=_question(judged.state, front),
            background=front.background,
            evidence=tty.level if tty else None,
            unchanged_for=snapshot.unchanged_for,
            screen=screen,
        )
        # A look is a wait of 0 seconds. At a TIMEOUT that takes one more snapshot if the first is
        # not confirmed yet, which a state that is not final needs.
        is_final = judged.is_found or screen.dead
        outcome = Outcome.STABLE if is_final else Outcome.TIMEOUT
        is_settled = judged.is_settled or screen.dead
        return FoundState(
            outcome,
            judged.reason,
            state,
            is_settled=is_settled,
            is_found=is_final,
            again_in=judged.again_in,
            is_unseen=front.assistant is not None and not front.works,
        )

    def _judge(self, snapshot: Snapshot, front: Front) -> "_Judged":
        """Ask the chain about the snapshot, and if nothing decides, as if nothing had changed."""
        now = self.chain.judge(snapshot)
        if (found := _to_judged(now, snapshot, front)) is not None:
            return found
        reason, is_guess = now.verdict.reason, not snapshot.facts.is_reported
        again_in = now.again_in
        if front.shown.state is AssistantState.UNDRAWN:
            return _Judged(State.ASKING, reason, again_in=again_in)
        if isinstance(now.verdict, Busy) and now.verdict.is_stale:
            return _Judged(State.WORKING, reason, is_guess=is_guess, again_in=again_in)
        # Nothing decides yet. So what would the state be if nothing changed for long?
        unchanged = attrs.evolve(
            snapshot, unchanged_for=_LONG, silent_for=_LONG, ticking_for=_LONG, confirmed=True
        )
        later = self.chain.judge(unchanged)
        if (found := _to_judged(later, snapshot, front)) is not None:
            return attrs.evolve(self._if_still(found, snapshot), again_in=again_in)
        is_guess = is_guess or isinstance(later.verdict, Pass)
        return _Judged(State.WORKING, later.verdict.reason, is_guess=is_guess, again_in=again_in)

    def _if_still(self, found: "_Judged", snapshot: Snapshot) -> "_Judged":
        """Return the found state as a guess; at the last look WORKING, if something changes."""
        is_still = max(snapshot.unchanged_for, snapshot.ticking_for) >= STILL_SECONDS
        if self.is_last and not is_still and not snapshot.facts.only_reads:
            return _Judged(State.WORKING, f"a guess: it writes, though {found.reason}")
        is_settled = self.is_last or is_still
        return attrs.evolve(found, is_guess=True, is_settled=is_settled, is_found=False)


@attrs.frozen
class _Judged:
    """The state that was found in a snapshot.

    Args:
        state: The state.
        reason: Why, in plain words.
        is_guess: Whether it is a guess.
        is_settled: Whether a second look soon after would find the same.
        is_found: Whether a wait would end with it.
        again_in: Seconds after which to look again even if the kernel has seen no change.
    """

    state: State
    reason: str
    is_guess: bool = True
    is_settled: bool = True
    is_found: bool = False
    again_in: float = ON_CHANGE


def _to_judged(judgement: Judgement, snapshot: Snapshot, front: Front) -> _Judged | None:
    """Return the state of a judgement that ends a wait; None if it does not."""
    verdict = judgement.verdict
    if not isinstance(verdict, Ready) or verdict.outcome is Outcome.TIMEOUT:
        return None
    missing = snapshot.facts.missing_evidence if front.needs_evidence(judgement) else ""
    return _Judged(
        STATE_OF[verdict.outcome],
        f"{verdict.reason} ({missing})" if missing else verdict.reason,
        is_guess=front.is_guess(judgement),
        is_found=True,
    )


def _question(state: State, front: Front) -> str:
    """Return what is asked; empty if nothing is, or half a line is typed."""
    snapshot = front.snapshot
    if state is State.SECRET:
        return snapshot.facts.text.strip()
    if state is not State.ASKING:
        return ""
    if front.assistant is not None:
        return front.menu
    if asked := front.menu or searched_menu(snapshot):
        return asked
    facts = snapshot.facts
    is_typed = facts.typed or is_of_a_repl(facts.text)
    return facts.text.strip() if snapshot.screen.cursor_visible and not is_typed else ""
