"""The lines of a here-document: some are typed at once, and nothing else is."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import Console, FakeTerminal, KeySequence, Outcome, Readiness, Screen, Size, TtyState
from tmuxprim._engine.command import CollectedStrategy, Lines
from tmuxprim._engine.run import _space_for_more
from tmuxprim.readiness import Ready, Snapshot
from tmuxprim.testing import FakeTty, ReadLine, Run, Sleep

EOF: str = "EOF"


def collecting(tty: FakeTty) -> Run:
    """Play a shell that knows here-documents."""
    while tty.is_alive:
        line = yield ReadLine(raw=True, prompt="$ ")
        body = []
        if line.startswith("cat <<"):
            while (more := (yield ReadLine(raw=True, prompt="> "))) != EOF:
                body.append(more)
        tty.write("".join(f"{more}\n" for more in body))
    return 0


def hanging(tty: FakeTty) -> Run:
    """Play a shell that hangs in a here-document."""
    yield ReadLine(raw=True, prompt="$ ")
    for _ in range(3):
        yield ReadLine(raw=True, prompt="> ")
    yield Sleep(1e6)
    tty.write("never")
    return 0


def console(
    program: object = collecting, *, evidence: bool = True, history_limit: int = 50_000
) -> Console:
    """Return a console on such a shell."""
    terminal = FakeTerminal(
        programs={"bash": program},  # type: ignore[dict-item]  # of any kind
        evidence=evidence,
        history_limit=history_limit,
    )
    return Console(terminal, terminal.open("bash", size=Size(40, 10)))


def sends(pane: Console) -> list[KeySequence]:
    """Return what was sent, one delivery after another."""
    assert isinstance(pane.terminal, FakeTerminal)
    return [sent.keys for sent in pane.terminal.sent()]


BODY = [f"line {number}" for number in range(30)]


@pytest.mark.parametrize("begin", ["cat <<EOF", "cat << 'EOF'", 'cat <<"EOF"', "cat <<\\EOF"])
def test_the_lines_of_a_body_go_some_at_once(begin: str) -> None:
    """As many as fill half a screen; what begins and what ends them goes alone."""
    pane = console()
    result = pane.run("\n".join([begin, *BODY, EOF]))
    assert (result.output, result.complete) == ("\n".join([*BODY, ""]), True)
    texts = [str(keys) for keys in sends(pane)]
    assert len([text for text in texts if "line" in text]) == len(BODY) / 5
    assert len([text for text in texts if "line 4'" in text and "line 0'" in text]) == 1
    typed = "".join(part for keys in sends(pane) for part in keys if isinstance(part, str))
    assert typed == "".join([begin, *BODY, EOF])


@pytest.mark.parametrize(
    "body",
    [
        ["same"] * 20,
        [""] * 20,
        ["> "] * 20,
        ["$ "] * 20,
        ["a  ", "  b", "x" * 60, "日本", "", "> "] * 3,
    ],
)
@pytest.mark.parametrize("history_limit", [50_000, 3])
def test_the_body_is_exact(body: list[str], history_limit: int) -> None:
    """Whatever it looks like, and however little is kept of it."""
    result = console(history_limit=history_limit).run("\n".join(["cat <<EOF", *body, EOF, ""]))
    assert result.readiness.outcome is Outcome.PROMPT
    assert result.output.endswith("\n".join([*body, ""])[-8:])
    assert result.output == "\n".join([*body, ""]) or not result.complete


def test_without_evidence_each_line_is_waited_for() -> None:
    """Nobody could tell when a body has been read."""
    pane = console(evidence=False)
    assert pane.run("\n".join(["cat <<EOF", *BODY[:5], EOF])).output == "\n".join([*BODY[:5], ""])
    assert not [keys for keys in sends(pane) if "line 0'" in str(keys) and "line 1'" in str(keys)]


def test_the_time_may_be_up_within_a_body() -> None:
    """It is not known to be read then, so the line that ends it is not typed."""
    pane = console(hanging)
    result = pane.run("\n".join(["cat <<EOF", *BODY, EOF]), 5.0)
    assert (result.readiness.outcome, result.complete) == (Outcome.TIMEOUT, False)
    assert EOF not in str(sends(pane)[-1])


def test_quiet_counts_within_a_body() -> None:
    """As it does for each other line."""
    result = console(hanging).run("\n".join(["cat <<EOF", *BODY, EOF]), 500.0, idle_timeout=3.0)
    assert result.readiness.reason.startswith("no output for 3 s")


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        (["cat <<EOF", "a", "b", "EOF", "ls"], ["a", "b"]),
        (["cat <<-EOF", "a", "EOF"], ["a"]),
        (["cat <<EOF", "EOF"], []),
        (["cat <<EOF", "a"], []),
        (["cat <<< EOF", "a", "EOF"], []),
        (["echo $((1<<2))", "a", "2"], []),
        (["cat <<EOF", "a", "x" * 11, "b", "EOF"], ["a"]),
        (["cat <<EOF", *"abcde", "EOF"], ["a", "b", "c"]),
        (["ls", "a", "b"], []),
    ],
)
def test_what_is_a_body(lines: list[str], body: list[str]) -> None:
    """The lines between the one that begins it, and the one that it names."""
    left = Lines([*lines])
    assert left.take() == lines[0]
    assert left.take_body(Size(10, 3)) == body
    assert left.left == lines[len(body) + 1 :]


def test_the_empty_line_that_ends_a_block() -> None:
    """It is typed once, and only where the rest of the command is asked for."""
    left = Lines(["if x:"], ends_block=True)
    assert left.has_next(Outcome.PROMPT)
    assert left.take() == "if x:"
    assert not left.has_next(Outcome.PROMPT)
    assert [left.has_next(Outcome.CONTINUATION) for _ in range(2)] == [True, True]
    assert left.take() == ""
    assert not left.has_next(Outcome.CONTINUATION)


def test_a_wide_line_goes_alone() -> None:
    """And the rest of the body after it together again."""
    left = Lines(["cat <<EOF", "x" * 11, "a", "b", "EOF"])
    taken = [left.take(), left.take_body(Size(10, 3)), left.take(), left.take_body(Size(10, 3))]
    assert taken == ["cat <<EOF", [], "x" * 11, ["a", "b"]]
    assert left.take() == "EOF"


READ = screen("$ cat <<EOF\n> a\n> b\n> ")


@pytest.mark.parametrize(
    ("now", "tty", "verdict"),
    [
        (READ, AT_PROMPT, "ready (continuation): the shell has taken all lines"),
        (READ, None, "busy: the shell has not read all lines"),
        (READ, attrs.evolve(AT_PROMPT, unread=3), "busy: the shell has not read all lines"),
        (READ, attrs.evolve(AT_PROMPT, reading=False), "busy: the shell has not read all lines"),
        (screen("$ cat <<EOF\n> b\n> "), AT_PROMPT, "pass: the shell does not ask"),
        (screen("$ cat <<EOF\n> a\n> c\n> "), AT_PROMPT, "pass: the shell does not ask"),
        (screen("$ cat <<EOF\n> a\n> b\n> c"), AT_PROMPT, "pass: the shell does not ask"),
    ],
)
def test_what_says_that_all_is_read(now: Screen, tty: TtyState | None, verdict: str) -> None:
    """The kernel, and the prompt for more so many rows further down, right below the last line."""
    strategy = CollectedStrategy(screen("$ cat <<EOF\n> "), "> ", ("a", "b"))
    snapshot = Snapshot(screen=now, tty=tty, confirmed=True, unchanged_for=1.0)
    assert str(strategy.assess(snapshot)).startswith(verdict)


COOKED = attrs.evolve(AT_PROMPT, canonical=True, echo=True, edits=False)


@pytest.mark.parametrize(
    ("shown", "is_read"),
    [("> a\n> b\n> > ", True), ("> a\nb\n> > ", True), ("> a\nb\n", False), ("> a\n> > ", False)],
)
def test_a_shell_without_a_line_editor(shown: str, *, is_read: bool) -> None:
    """The kernel shows the lines before the shell asks for them."""
    strategy = CollectedStrategy(screen("$ cat <<EOF\n> "), "> ", ("a", "b"))
    now = screen(f"$ cat <<EOF\n{shown}")
    verdict = strategy.assess(Snapshot(screen=now, tty=COOKED, confirmed=True, unchanged_for=1.0))
    assert isinstance(verdict, Ready) is is_read


def test_lines_that_are_too_much_for_the_kernel() -> None:
    """What the kernel keeps for a program that reads whole lines is bytes, and not many."""
    left = Lines(["cat <<EOF", *["日本" * 100] * 10, "EOF"])
    left.take()
    assert len(left.take_body(Size(500, 50))) == 4


def readiness(
    tty: TtyState | None = COOKED,
    now: Screen = screen(),  # noqa: B008  # frozen
    outcome: Outcome = Outcome.CONTINUATION,
) -> Readiness:
    """Return how a wait has ended."""
    return Readiness(outcome=outcome, strategy="", reason="", screen=now, elapsed=0.0, tty=tty)


@pytest.mark.parametrize(
    "ended",
    [
        readiness(outcome=Outcome.PROMPT),
        readiness(None),
        readiness(attrs.evolve(AT_PROMPT, unread=None)),
        readiness(attrs.evolve(AT_PROMPT, reading=None)),
        readiness(attrs.evolve(AT_PROMPT, passes_on=True)),
        readiness(attrs.evolve(COOKED, echo=False)),
        readiness(now=attrs.evolve(screen(), alternate=True)),
        readiness(now=attrs.evolve(screen(), history_size=1800, history_limit=2000)),
    ],
)
def test_when_each_line_is_waited_for(ended: Readiness) -> None:
    """Where nobody can tell when lines are read, or count the rows that they take."""
    assert _space_for_more(readiness()) is not None
    assert _space_for_more(ended) is None
