"""The state of a pane, by one snapshot: what the chain says, and what it would say."""

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import (
    ASKING,
    AT_PROMPT,
    COOKED_ONLY,
    HIDING,
    MARK,
    PANE,
    RUNNING,
    in_two_rows,
    screen,
)
from tmuxprim import Outcome, PromptStrategy, Screen, Size, State, TimeoutStrategy, TtyState
from tmuxprim._readiness.pane_state import FoundState, StateStrategy
from tmuxprim.readiness import (
    AssistantStrategy,
    Busy,
    Chain,
    Ready,
    Snapshot,
    Strategy,
    Verdict,
    default_chain,
)

CHAT = AssistantStrategy(
    name="Chat",
    programs=("chat",),
    box="^>.*$",
    works="thinking",
    works_on=r"^\* \d agents run",
    asks=r"Run it\?",
)
LOOP = attrs.evolve(
    AT_PROMPT, only_reading=False, foreground_pid=12, reader_pid=12, signals=False, program="chat"
)
UNKNOWN = attrs.evolve(LOOP, program="spin", signals=True)
CHAIN = default_chain(programs=[CHAT])
LATER = 10.0


def look(snapshot: Snapshot, *, is_last: bool = False, chain: Chain = CHAIN) -> FoundState:
    """Return what is found of a snapshot."""
    found = StateStrategy(PANE, chain, is_last).assess(snapshot)
    assert isinstance(found, FoundState)
    return found


def of_chat(text: str, tty: TtyState | None = LOOP, unchanged_for: float = 0.0) -> FoundState:
    """Return what is found where an assistant shows a text."""
    shown = attrs.evolve(screen(text, size=Size(60, 12)), command="node")
    return look(Snapshot(screen=shown, tty=tty, unchanged_for=unchanged_for))


@pytest.mark.parametrize(
    ("text", "tty", "state", "question"),
    [
        ("$ ", AT_PROMPT, State.PROMPT, ""),
        ("$ make", RUNNING, State.WORKING, ""),
        ("Password: ", HIDING, State.SECRET, "Password:"),
        ("Go? ", attrs.evolve(RUNNING, reading=True, only_reading=True), State.ASKING, "Go?"),
    ],
)
def test_what_the_kernel_reports_is_no_guess(
    text: str, tty: TtyState, state: State, question: str
) -> None:
    """One snapshot is enough."""
    found = look(Snapshot(screen=screen(text), tty=tty))
    assert (found.state.state, found.state.question) == (state, question)
    assert found.is_settled
    assert not found.state.is_guess


def test_question_for_a_secret_in_two_rows() -> None:
    """The whole question is told, and not its last row alone."""
    asked = "Enter the password of the user who deploys to production:"
    found = look(Snapshot(screen=in_two_rows(f"{asked} "), tty=HIDING))
    assert (found.state.state, found.state.question) == (State.SECRET, asked)


def test_what_the_screen_shows_is_a_guess() -> None:
    """It is settled when nothing has changed for a while; what changes works."""
    snapshot = Snapshot(screen=screen("$ "))
    first = look(snapshot)
    assert (first.state.state, first.state.is_guess, first.is_settled) == (
        State.PROMPT,
        True,
        False,
    )
    assert look(attrs.evolve(snapshot, unchanged_for=0.3)).is_settled
    last = look(attrs.evolve(snapshot, silent_for=0.0), is_last=True)
    assert (last.state.state, last.state.is_guess, last.is_settled) == (State.WORKING, True, True)
    assert last.state.reason.startswith("a guess: it writes, though")
    later = look(attrs.evolve(snapshot, unchanged_for=LATER)).state
    assert (later.state, later.is_guess, later.unchanged_for) == (State.PROMPT, True, LATER)
    assert later.reason.endswith("(without kernel evidence)")


def test_nothing_that_tells() -> None:
    """Without a reader that is known, and without a text, a program works: a guess."""
    found = look(Snapshot(screen=screen("working\n"), tty=COOKED_ONLY)).state
    assert (found.state, found.is_guess) == (State.WORKING, True)


def test_a_reader_that_draws_on_waits_for_keys() -> None:
    """The kernel reports that it waits for nothing else, though its picture changes."""
    clock = Snapshot(screen=attrs.evolve(screen("12:00"), alternate=True), tty=AT_PROMPT)
    state = look(clock, is_last=True).state
    assert (state.state, state.is_guess) == (State.FULLSCREEN, True)


def test_a_program_with_an_event_loop() -> None:
    """Whether it works is not reported: it is idle, a guess, unless it writes."""
    shown = attrs.evolve(screen("menu"), cursor_visible=False)
    snapshot = Snapshot(screen=shown, tty=UNKNOWN)
    assert look(snapshot).state.state is State.IDLE
    assert look(snapshot, is_last=True).state.state is State.WORKING
    state = look(attrs.evolve(snapshot, unchanged_for=LATER, silent_for=LATER)).state
    assert (state.state, state.is_guess, state.program) == (State.IDLE, True, "spin")


def test_a_menu_of_an_unknown_program() -> None:
    """The row that says which keys it takes is its question."""
    menu = "? Which one? (Use arrow keys)\n\u276f a\n  b"
    shown = attrs.evolve(screen(menu, size=Size(60, 12)), cursor_visible=False)
    state = look(Snapshot(screen=shown, tty=UNKNOWN, unchanged_for=LATER, silent_for=LATER)).state
    assert (state.state, state.question) == (State.ASKING, "? Which one? (Use arrow keys)")


def test_an_assistant() -> None:
    """Its own rows say that it works or asks; that it waits, its silence says."""
    assert of_chat("thinking\n> ").state.state is State.PROMPT  # these words are its answer
    works = of_chat("> \nthinking")
    assert (works.state.state, works.state.is_guess) == (State.WORKING, False)
    assert not works.is_unseen
    assert of_chat("> ").is_unseen
    asks = of_chat("Run it?").state
    assert (asks.state, asks.question, asks.is_guess) == (State.ASKING, "Run it?", True)
    assert not of_chat("Run it?", unchanged_for=LATER).state.is_guess
    assert of_chat("> ").state.is_guess
    assert not of_chat("> ", unchanged_for=LATER).state.is_guess
    typed = of_chat("> half", unchanged_for=LATER).state
    assert (typed.state, typed.question) == (State.ASKING, "")


def test_an_assistant_that_asks_and_has_not_drawn() -> None:
    """Its status file is believed."""
    state = of_chat("> ", attrs.evolve(LOOP, status="waiting")).state
    assert (state.state, state.is_guess) == (State.ASKING, True)


def test_work_in_the_background() -> None:
    """An assistant takes input while agents or a command of it run."""
    state = of_chat("* 2 agents run\n> ").state
    assert (state.state, state.background) == (State.PROMPT, "* 2 agents run")
    assert "while others work for it: '* 2 agents run'" in state.reason
    state = of_chat("> ", attrs.evolve(LOOP, status="shell")).state
    assert state.background == "a command"
    assert "while a command of it runs on" in state.reason
    assert of_chat("> ").state.background == ""
    assert of_chat("it loads").state.background == ""


def test_an_old_prompt_is_no_state() -> None:
    """What was sent was not taken yet."""
    snapshot = Snapshot(screen=MARK.screen, tty=MARK.tty, mark=MARK)
    state = look(snapshot).state
    assert (state.state, state.is_guess) == (State.WORKING, False)
    assert state.reason == "nothing has happened yet since the last key was sent"


@pytest.mark.parametrize("status", [0, None])
def test_a_dead_pane(status: int | None) -> None:
    """It is dead, also as long as tmux does not know how."""
    dead: Screen = attrs.evolve(screen("Pane is dead"), dead=True, exit_status=status)
    found = look(Snapshot(screen=dead))
    assert (found.state.state, found.state.is_guess) == (State.DEAD, False)
    assert found.is_settled


def test_a_pane_in_which_another_program_was_started() -> None:
    """The program that was looked at has exited."""
    state = look(Snapshot(screen=screen(), tty=AT_PROMPT, respawned=True)).state
    assert (state.state, state.is_guess) == (State.EXITED, False)


def test_a_mode_changes_no_state() -> None:
    """A person scrolls while a program waits, or works."""
    snapshot = Snapshot(screen=attrs.evolve(screen(), mode="copy-mode"), tty=AT_PROMPT)
    state = look(snapshot).state
    assert state.state is State.PROMPT
    assert state.reason == "prompt '$' at the cursor; the pane is in copy-mode"


def test_half_a_line_is_no_question() -> None:
    """What is typed at a known prompt is not what is asked."""
    tty = attrs.evolve(AT_PROMPT, edits=True)
    snapshot = Snapshot(
        screen=screen("$ ls"), tty=tty, mark=MARK, unchanged_for=LATER, standing=None
    )
    state = look(snapshot).state
    assert (state.state, state.question) == (State.ASKING, "")


def test_a_time_limit_in_a_chain_is_no_state() -> None:
    """A pane that works is never called timed out."""
    chain = PromptStrategy() | TimeoutStrategy(0.0)
    found = look(Snapshot(screen=screen("make"), tty=RUNNING), chain=chain)
    assert found.state.state is State.WORKING
    assert found.outcome is Outcome.TIMEOUT


@attrs.frozen
class Says(Strategy):
    """Says one thing, whatever it is shown."""

    verdict: Verdict

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say it."""
        return self.verdict


@pytest.mark.parametrize("is_guess", [True, False])
def test_a_strategy_says_itself_that_it_guesses(*, is_guess: bool) -> None:
    """The words of its reason do not."""
    said = Ready(Outcome.PROMPT, "a guess", is_guess=is_guess)
    found = look(Snapshot(screen=screen("make"), tty=ASKING), chain=Says(said) | PromptStrategy())
    assert found.state.is_guess is is_guess


def test_a_screen_from_before_the_last_key_shows_no_state() -> None:
    """Also if nothing changes any more."""
    stale = Busy("not taken", is_stale=True)
    found = look(Snapshot(screen=screen(), tty=AT_PROMPT), chain=Says(stale) | PromptStrategy())
    assert (found.state.state, found.state.reason) == (State.WORKING, "not taken")


def test_it_is_shown_in_one_line() -> None:
    """With the program, if one is known."""
    state = look(Snapshot(screen=screen(), tty=AT_PROMPT)).state
    assert str(state) == "%7 prompt: prompt '$' at the cursor"
    assert str(attrs.evolve(state, program="sh")).startswith("%7 prompt (sh): ")
