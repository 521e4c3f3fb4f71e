"""The strategies for programs that want input but show no known prompt."""

import attrs
import pytest

from tests.unit.builders import (
    ASKING,
    AT_PROMPT,
    COOKED_ONLY,
    HIDING,
    MARK,
    RAW_ONLY,
    RUNNING,
    in_two_rows,
    screen,
)
from tmuxprim import Mark, Outcome, StabilityStrategy, TtyState
from tmuxprim._readiness.input import AwaitingInputStrategy, FullscreenStrategy, SecretStrategy
from tmuxprim.readiness import Busy, Pass, Prompt, Ready, Snapshot, Strategy, Verdict

SECRET, AWAITING = SecretStrategy(), AwaitingInputStrategy()
FULLSCREEN, STABILITY = FullscreenStrategy(), StabilityStrategy()

PASSWORD, QUESTION = screen("Password: "), screen("Continue? [y/N] ")
TUI = attrs.evolve(screen("~"), alternate=True, command="vim")
HIDDEN = attrs.evolve(screen("a menu\n"), cursor_visible=False)
WITHOUT_READER = attrs.evolve(HIDING, reading=None)
SHARED = attrs.evolve(AT_PROMPT, only_reading=False)
REMOTE = attrs.evolve(SHARED, passes_on=True)
WAITING = attrs.evolve(ASKING, only_reading=None)
POLLS = attrs.evolve(RAW_ONLY, level="wchan")  # for the terminal, a pipe or a time
ONE_OF_MANY = attrs.evolve(RAW_ONLY, level="syscall", passes_on=True)  # of a multiplexer's windows
RELAYED_LINE = attrs.evolve(ASKING, only_reading=False)


TIMED = attrs.evolve(ASKING, only_reading=False, may_work=True)


@pytest.mark.parametrize(
    ("strategy", "snapshot", "seconds", "outcome"),
    [
        (SECRET, Snapshot(screen=PASSWORD), 2.0, Outcome.AWAITING_SECRET),
        (SECRET, Snapshot(screen=screen(), tty=WITHOUT_READER), 2.0, Outcome.AWAITING_SECRET),
        (SECRET, Snapshot(screen=PASSWORD, tty=WITHOUT_READER), 0.3, Outcome.AWAITING_SECRET),
        (AWAITING, Snapshot(screen=QUESTION), 2.0, Outcome.STABLE),
        (AWAITING, Snapshot(screen=screen(""), tty=AT_PROMPT), 0.08, Outcome.AWAITING_INPUT),
        (SECRET, Snapshot(screen=PASSWORD, tty=SHARED), 0.3, Outcome.AWAITING_SECRET),
        (SECRET, Snapshot(screen=PASSWORD, tty=RAW_ONLY), 2.0, Outcome.AWAITING_SECRET),
        (AWAITING, Snapshot(screen=QUESTION, tty=COOKED_ONLY), 2.0, Outcome.STABLE),
        (AWAITING, Snapshot(screen=QUESTION, tty=RAW_ONLY), 2.0, Outcome.STABLE),
        (AWAITING, Snapshot(screen=QUESTION, mark=Mark(screen=QUESTION)), 5.0, Outcome.STABLE),
        (AWAITING, Snapshot(screen=QUESTION, tty=SHARED), 0.5, Outcome.AWAITING_INPUT),
        (AWAITING, Snapshot(screen=QUESTION, tty=REMOTE), 1.5, Outcome.AWAITING_INPUT),
        (SECRET, Snapshot(screen=PASSWORD, tty=REMOTE), 1.5, Outcome.AWAITING_SECRET),
        (FULLSCREEN, Snapshot(screen=TUI, tty=AT_PROMPT), 0.1, Outcome.FULLSCREEN),
        (FULLSCREEN, Snapshot(screen=TUI, tty=RAW_ONLY), 2.0, Outcome.STABLE),
        (FULLSCREEN, Snapshot(screen=TUI), 2.0, Outcome.STABLE),
        (AWAITING, Snapshot(screen=QUESTION, tty=POLLS), 2.0, Outcome.AWAITING_INPUT),
        # A line is read, and another thread waits with a time limit, as that of tqdm does.
        (AWAITING, Snapshot(screen=QUESTION, tty=TIMED), 2.0, Outcome.AWAITING_INPUT),
        (FULLSCREEN, Snapshot(screen=TUI, tty=POLLS), 2.0, Outcome.FULLSCREEN),
        (FULLSCREEN, Snapshot(screen=TUI, tty=ONE_OF_MANY), 2.0, Outcome.STABLE),
        (STABILITY, Snapshot(screen=screen("x")), 2.0, Outcome.STABLE),
        (STABILITY, Snapshot(screen=screen(""), tty=SHARED), 5.0, Outcome.STABLE),
        (STABILITY, Snapshot(screen=screen("done\n"), tty=RAW_ONLY), 5.0, Outcome.STABLE),
        (STABILITY, Snapshot(screen=HIDDEN), 5.0, Outcome.STABLE),
        (
            STABILITY,
            Snapshot(screen=screen("x"), mark=Mark(screen=screen("x"))),
            5.0,
            Outcome.STABLE,
        ),
        (STABILITY, Snapshot(screen=HIDDEN, tty=REMOTE), 5.0, Outcome.STABLE),
        (STABILITY, Snapshot(screen=screen("Building  45%"), tty=RAW_ONLY), 5.0, Outcome.STABLE),
        (STABILITY, Snapshot(screen=screen("Building  45%"), tty=AT_PROMPT), 2.0, Outcome.STABLE),
        (STABILITY, Snapshot(screen=screen(""), tty=AT_PROMPT), 2.0, Outcome.STABLE),
    ],
)
def test_settles(strategy: Strategy, snapshot: Snapshot, seconds: float, outcome: Outcome) -> None:
    """Each waits until the screen has stood still, the longer the less it knows."""
    early = strategy.assess(attrs.evolve(snapshot, unchanged_for=seconds - 0.01))
    ready = strategy.assess(attrs.evolve(snapshot, unchanged_for=seconds + 1e-6))
    assert isinstance(early, Pass)
    assert early.again_in == pytest.approx(0.01)
    assert isinstance(ready, Ready)
    assert ready.outcome is outcome
    assert early.reason == f"{ready.reason}, not settled yet"


@pytest.mark.parametrize(
    ("strategy", "snapshot", "outcome"),
    [
        (SECRET, Snapshot(screen=PASSWORD, tty=AT_PROMPT), Outcome.AWAITING_SECRET),
    ],
)
def test_known_reader_needs_no_time(
    strategy: Strategy, snapshot: Snapshot, outcome: Outcome
) -> None:
    """A program that is known to read and do nothing else has said all it wants to."""
    verdict = strategy.assess(snapshot)
    assert isinstance(verdict, Ready)
    assert verdict.outcome is outcome


@pytest.mark.parametrize(
    ("strategy", "snapshot", "outcome"),
    [
        (SECRET, Snapshot(screen=PASSWORD, tty=HIDING), Outcome.AWAITING_SECRET),
        (SECRET, Snapshot(screen=screen(""), tty=HIDING), Outcome.AWAITING_SECRET),
        (AWAITING, Snapshot(screen=screen("x"), tty=ASKING), Outcome.AWAITING_INPUT),
        (AWAITING, Snapshot(screen=screen(""), tty=ASKING), Outcome.AWAITING_INPUT),
        (AWAITING, Snapshot(screen=screen("x"), tty=WAITING), Outcome.AWAITING_INPUT),
    ],
)
def test_reader_of_lines_is_looked_at_twice(
    strategy: Strategy, snapshot: Snapshot, outcome: Outcome
) -> None:
    """It has said all it wants to, but tmux may still be reading that."""
    verdict = strategy.assess(attrs.evolve(snapshot, confirmed=False))
    assert isinstance(verdict, Pass)
    assert verdict.again_in == 0.0
    again = strategy.assess(snapshot)
    assert isinstance(again, Ready)
    assert again.outcome is outcome


@pytest.mark.parametrize(
    ("strategy", "snapshot"),
    [
        (SECRET, Snapshot(screen=PASSWORD, tty=HIDING)),
        (AWAITING, Snapshot(screen=QUESTION, tty=ASKING)),
        (AWAITING, Snapshot(screen=QUESTION, tty=COOKED_ONLY)),
        (FULLSCREEN, Snapshot(screen=TUI, tty=AT_PROMPT)),
        (STABILITY, Snapshot(screen=screen(""), tty=SHARED)),
    ],
)
def test_unsteady_look(strategy: Strategy, snapshot: Snapshot) -> None:
    """A screen that was read while the program worked decides nothing, and is read again."""
    ready = strategy.assess(attrs.evolve(snapshot, unchanged_for=60))
    verdict = strategy.assess(attrs.evolve(snapshot, unchanged_for=60, steady=False))
    assert isinstance(ready, Ready)
    assert verdict == Pass(f"{ready.reason}, but the program worked meanwhile", again_in=0.0)


@pytest.mark.parametrize(
    ("strategy", "snapshot", "reason"),
    [
        (SECRET, Snapshot(screen=PASSWORD), "a guess: 'Password:'"),
        (SECRET, Snapshot(screen=PASSWORD, tty=SHARED), "'Password:'"),
        (
            SECRET,
            Snapshot(screen=PASSWORD, tty=HIDING),
            "a program waits for a line that is not shown, after 'Password:'",
        ),
        (AWAITING, Snapshot(screen=QUESTION), "a guess: question 'Continue? [y/N]'"),
        (AWAITING, Snapshot(screen=QUESTION, tty=SHARED), "question 'Continue? [y/N]'"),
        (
            AWAITING,
            Snapshot(screen=QUESTION, tty=ASKING),
            "a program waits for a line, after 'Continue? [y/N]'",
        ),
        (
            AWAITING,
            Snapshot(screen=screen("key?"), tty=AT_PROMPT),
            "a program waits for keys, after 'key?'",
        ),
        (FULLSCREEN, Snapshot(screen=TUI, tty=AT_PROMPT), "vim has drawn its screen"),
        (
            FULLSCREEN,
            Snapshot(screen=attrs.evolve(TUI, command="")),
            "a guess: a full-screen program has drawn its screen",
        ),
        (
            StabilityStrategy(quiet=9),
            Snapshot(screen=QUESTION),
            "a guess: nothing has changed for 9 s",
        ),
    ],
)
def test_reason(strategy: Strategy, snapshot: Snapshot, reason: str) -> None:
    """The reason says in plain words what was seen."""
    verdict = strategy.assess(attrs.evolve(snapshot, unchanged_for=60))
    assert isinstance(verdict, Ready)
    assert verdict.reason == reason


@pytest.mark.parametrize(
    ("strategy", "snapshot", "verdict"),
    [
        (SECRET, Snapshot(screen=QUESTION), Pass("nothing asks for a password")),
        (SECRET, Snapshot(screen=PASSWORD, tty=ASKING), Pass("typed text is shown")),
        (SECRET, Snapshot(screen=QUESTION, tty=AT_PROMPT), Pass("nothing asks for a password")),
        (
            SECRET,
            Snapshot(screen=attrs.evolve(PASSWORD, alternate=True), tty=AT_PROMPT),
            Pass("nothing asks for a password"),
        ),
        (
            SECRET,
            Snapshot(screen=screen("$ grep password:"), tty=AT_PROMPT, mark=MARK),
            Pass("these words are behind a prompt"),
        ),
        (
            SECRET,
            Snapshot(screen=screen(""), tty=WITHOUT_READER),
            Pass("nothing is asked, and the kernel does not report the reader"),
        ),
        (
            AWAITING,
            Snapshot(screen=TUI, tty=ASKING),
            Pass("a full-screen program does not ask in a line"),
        ),
        (AWAITING, Snapshot(screen=screen("x")), Pass("no question in 'x'")),
        (
            AWAITING,
            Snapshot(screen=QUESTION, tty=RUNNING),
            Pass("the program waits for more than keys, and may go on without them"),
        ),
        (
            AWAITING,
            Snapshot(screen=QUESTION, tty=RELAYED_LINE),
            Pass("the program waits for more than keys, and may go on without them"),
        ),
        (
            AWAITING,
            Snapshot(screen=screen(""), tty=COOKED_ONLY),
            Busy("nothing is asked: probably a command runs"),
        ),
        (AWAITING, Snapshot(screen=screen("x"), tty=COOKED_ONLY), Pass("no question in 'x'")),
        (AWAITING, Snapshot(screen=screen("x"), tty=RAW_ONLY), Pass("no question in 'x'")),
        (AWAITING, Snapshot(screen=screen("(gdb) ")), Pass("no question in '(gdb) '")),
        (
            AWAITING,
            Snapshot(screen=screen(" 50%|## | 2/4 [00:01<00:01, 2it/s]")),
            Pass("no question in ' 50%|## | 2/4 [00:01<00:01, 2it/s]'"),
        ),
        (
            FULLSCREEN,
            Snapshot(screen=QUESTION),
            Pass("no program shows itself on the whole screen"),
        ),
        (
            STABILITY,
            Snapshot(screen=screen("done\n")),
            Pass("the screen is quiet, but nothing is before the cursor"),
        ),
        (
            STABILITY,
            Snapshot(screen=screen(""), tty=RAW_ONLY),
            Pass("the screen is quiet, but nothing is before the cursor"),
        ),
    ],
)
def test_cannot_tell(strategy: Strategy, snapshot: Snapshot, verdict: Verdict) -> None:
    """However long nothing changes, a strategy says nothing of what it does not know."""
    assert strategy.assess(attrs.evolve(snapshot, unchanged_for=60)) == verdict


@pytest.mark.parametrize(
    "text", ["Password:", "[sudo] password for me: ", "Enter passphrase for key 'x': ", "PIN: "]
)
def test_question_for_a_secret(text: str) -> None:
    """Without the kernel a secret is known by its question."""
    verdict = SECRET.assess(Snapshot(screen=screen(text), unchanged_for=2))
    assert isinstance(verdict, Ready)


@pytest.mark.parametrize(
    "text", ["Password changed", "Password: ok", "PINNED:", "passwords are: a, b"]
)
def test_no_question_for_a_secret(text: str) -> None:
    """A text that only tells of secrets asks for none."""
    verdict = SECRET.assess(Snapshot(screen=screen(text), unchanged_for=1))
    assert isinstance(verdict, Pass)


@pytest.mark.parametrize("text", ["name? ", "Overwrite [y/N] ", "(yes/no)", "Login: "])
def test_question(text: str) -> None:
    """Without the kernel a question is known by its end."""
    verdict = AWAITING.assess(Snapshot(screen=screen(text), unchanged_for=2))
    assert isinstance(verdict, Ready)


def test_a_program_that_also_waits_for_a_socket_is_not_taken_for_stable() -> None:
    """``ssh host make`` reads lines all the time; on an empty row that says nothing."""
    snapshot = Snapshot(screen=screen("$ ssh host make\n"), tty=RELAYED_LINE, unchanged_for=60)
    reason = "the screen is quiet, but nothing is before the cursor"
    assert STABILITY.assess(snapshot) == Pass(reason)
    asked = attrs.evolve(snapshot, screen=screen("Password for host: "))
    assert isinstance(STABILITY.assess(asked), Ready)


@pytest.mark.parametrize("prompt", [None, Prompt(""), Prompt("# ")])
def test_question_for_a_secret_that_stands_behind_no_prompt(prompt: Prompt | None) -> None:
    """Only words behind the prompt that is known are typed words."""
    snapshot = Snapshot(screen=PASSWORD, mark=attrs.evolve(MARK, prompt=prompt), unchanged_for=2)
    assert isinstance(SECRET.assess(snapshot), Ready)


def test_question_for_a_secret_in_two_rows() -> None:
    """The words may stand in the first row, and only the end in the second."""
    asked = in_two_rows("Enter the password of the user who deploys to production: ")
    verdict = SECRET.assess(Snapshot(screen=asked, unchanged_for=2))
    assert isinstance(verdict, Ready)
    assert "Enter the password" in verdict.reason
    hidden = SECRET.assess(Snapshot(screen=asked, tty=WITHOUT_READER, unchanged_for=0.31))
    assert isinstance(hidden, Ready)


def test_words_in_the_second_row_of_a_typed_line() -> None:
    """What is typed behind a prompt asks for nothing, though a row begins with the words."""
    typed = in_two_rows("$ grep --recursive --ignore-case --color password:")
    verdict = SECRET.assess(Snapshot(screen=typed, mark=MARK, unchanged_for=2))
    assert verdict == Pass("these words are behind a prompt")


FISH = attrs.evolve(AT_PROMPT, only_reading=False, passes_on=False, edits=True)
AT_FISH = Mark(screen=screen("fish> "), tty=FISH, prompt=Prompt("fish> ", 10))
HALF = Snapshot(screen=screen("fish> echo"), tty=FISH, mark=AT_FISH)


def test_half_a_line() -> None:
    """What was typed at a prompt of a line editor and shown is taken, and more may follow."""
    reason = "half a line is typed: 'fish> echo'"
    ready = AWAITING.assess(attrs.evolve(HALF, unchanged_for=0.08))
    assert ready == Ready(Outcome.AWAITING_INPUT, reason)
    early = AWAITING.assess(attrs.evolve(HALF, unchanged_for=0.03))
    assert isinstance(early, Pass)
    assert early.reason == f"{reason}, not settled yet"


@pytest.mark.parametrize(
    "snapshot",
    [
        attrs.evolve(HALF, tty=attrs.evolve(FISH, edits=False)),
        attrs.evolve(HALF, tty=attrs.evolve(FISH, reading=None)),
        attrs.evolve(HALF, tty=attrs.evolve(FISH, passes_on=True)),
        attrs.evolve(HALF, tty=attrs.evolve(FISH, foreground_pid=11)),
        attrs.evolve(HALF, tty=None),
        attrs.evolve(HALF, mark=None),
        attrs.evolve(HALF, mark=attrs.evolve(AT_FISH, prompt=None)),
        attrs.evolve(HALF, mark=attrs.evolve(AT_FISH, prompt=Prompt("fish> "))),
        attrs.evolve(HALF, mark=attrs.evolve(AT_FISH, prompt=Prompt("", 10))),
        attrs.evolve(HALF, mark=attrs.evolve(AT_FISH, prompt=Prompt("$ ", 10))),
        attrs.evolve(HALF, mark=attrs.evolve(AT_FISH, screen=HALF.screen)),
    ],
    ids=[
        "no line editor",
        "reader unknown",
        "a relay",
        "another program",
        "no evidence",
        "nothing was sent",
        "no prompt is known",
        "a prompt of an unknown program",
        "an empty prompt",
        "another prompt",
        "nothing has changed",
    ],
)
def test_no_half_line(snapshot: Snapshot) -> None:
    """Other text behind other prompts may be output of a program that goes on."""
    text = "no question in 'fish> echo'"
    assert AWAITING.assess(attrs.evolve(snapshot, unchanged_for=60)) == Pass(text)


@pytest.mark.parametrize("tty", [None, AT_PROMPT])
@pytest.mark.parametrize("steady", [True, False])
def test_restless_picture(tty: TtyState | None, *, steady: bool) -> None:
    """Who was found reading for a second takes keys, though its clock ticks on and on."""
    snapshot = Snapshot(screen=TUI, tty=tty, steady=steady, reading_for=1.0)
    reason = "vim waits for keys, though it keeps drawing"
    assert FULLSCREEN.assess(snapshot) == Ready(Outcome.FULLSCREEN, reason)
    assert isinstance(FULLSCREEN.assess(attrs.evolve(snapshot, reading_for=0.9)), Pass)
    patient = FullscreenStrategy(restless=2.0)
    assert isinstance(patient.assess(snapshot), Pass)


@pytest.mark.parametrize("tty", [None, RAW_ONLY])
def test_a_picture_that_changes_all_the_time(tty: TtyState | None) -> None:
    """Where the reader is not reported, it is found between two changes, after a while."""
    htop = Snapshot(screen=TUI, tty=tty, elapsed=4.0, unchanged_for=0.5)
    assert FULLSCREEN.assess(htop) == Ready(
        Outcome.STABLE, "a guess: vim has drawn its screen, and keeps drawing", is_guess=True
    )
    assert isinstance(FULLSCREEN.assess(attrs.evolve(htop, elapsed=3.9)), Pass)
    assert isinstance(FULLSCREEN.assess(attrs.evolve(htop, unchanged_for=0.4)), Pass)


GOES_ON = attrs.evolve(ASKING, foreground_pid=20, reading=None, only_reading=None, level="wchan")
AT_SHELL = attrs.evolve(AT_PROMPT, foreground_pid=10)


@pytest.mark.parametrize(
    ("tty", "before", "stopped", "is_found"),
    [
        (GOES_ON, AT_SHELL, {20}, True),
        (GOES_ON, AT_SHELL, {30}, False),
        (GOES_ON, attrs.evolve(AT_SHELL, foreground_pid=20), {20}, False),
        (GOES_ON, None, {20}, False),
        (attrs.evolve(GOES_ON, level="stat"), AT_SHELL, {20}, True),
        (
            attrs.evolve(GOES_ON, level="syscall", reading=True, only_reading=False),
            AT_SHELL,
            {20},
            True,
        ),
        (attrs.evolve(GOES_ON, reading=False), AT_SHELL, {20}, False),
        (attrs.evolve(GOES_ON, canonical=False), AT_SHELL, {20}, False),
    ],
)
def test_a_line_editor_that_was_stopped_goes_on(
    tty: TtyState, before: TtyState | None, stopped: set[int], *, is_found: bool
) -> None:
    """The shell has given it the terminal as the shell has it for its commands: a guess."""
    mark = Mark(screen=screen("$ fg"), tty=before, stopped=frozenset(stopped))
    snapshot = Snapshot(screen=screen("$ fg\npython3\n"), tty=tty, mark=mark, unchanged_for=2.0)
    verdict = AWAITING.assess(snapshot)
    assert (isinstance(verdict, Ready) and verdict.outcome is Outcome.STABLE) is is_found
    assert not isinstance(AWAITING.assess(attrs.evolve(snapshot, unchanged_for=1.9)), Ready)
    no_mark = attrs.evolve(snapshot, mark=None)
    assert not isinstance(AWAITING.assess(no_mark), Ready)
