"""`MatchStrategy`: the text that is waited for."""

import re

import attrs
import pytest

from tests.unit.builders import MARK, PANE, Frame, ScriptedTerminal, screen
from tmuxprim import Console, FakeTerminal, InvalidPatternError, Outcome
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import drive
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.prompt import GoneStrategy
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import MatchStrategy, Pass, Ready, Snapshot
from tmuxprim.testing import FakeTty, ReadKey, Run, ScriptedShell, Sleep, after, question, spinner


@pytest.mark.parametrize("pattern", ["done (1)", re.compile(r"^done \(\d\)$", re.MULTILINE)])
def test_match(pattern: str | re.Pattern[str]) -> None:
    """A text is taken literally, a compiled pattern is searched."""
    snapshot = Snapshot(screen=screen("$ make\ndone (1)\n"), mark=MARK)
    expected = Ready(Outcome.MATCHED, "'done (1)' is on the screen")
    assert MatchStrategy(pattern).assess(snapshot) == expected


def test_what_was_there_before_does_not_match() -> None:
    """Neither what was typed, nor the prompt."""
    snapshot = Snapshot(screen=screen("$ make\n"), mark=MARK)
    assert MatchStrategy("make").assess(snapshot) == Pass("no new row shows 'make'", 0.02)


@pytest.mark.parametrize(("elapsed", "again_in"), [(0.0, 0.02), (2.0, 0.1), (60.0, 0.25)])
def test_looks_less_often_with_time(elapsed: float, again_in: float) -> None:
    """A long wait costs little."""
    verdict = MatchStrategy("x").assess(Snapshot(screen=screen(), elapsed=elapsed))
    assert isinstance(verdict, Pass)
    assert verdict.again_in == pytest.approx(again_in)


@pytest.mark.parametrize(
    ("pattern", "gone", "obstacle"),
    [
        ("up. on", False, "no new row shows 'up. on'"),
        (re.compile("u+p"), False, "no new row matches 'u+p'"),
        ("$ ", True, "'$ ' is on the screen"),
    ],
)
def test_a_timeout_names_what_was_waited_for(
    pattern: str | re.Pattern[str], *, gone: bool, obstacle: str
) -> None:
    """As it was given; that the program lives is no news."""
    terminal = FakeTerminal()
    console = Console(terminal, terminal.open())
    console.wait_ready()
    console.send("serve")
    readiness = console.wait_for(pattern, 1.0, gone=gone)
    assert readiness.reason == f"timed out after 1 s; {obstacle}"


@pytest.mark.parametrize("pattern", ["", b"x", re.compile(b"x"), 3])
def test_pattern_refused(pattern: object) -> None:
    """A text that is always there, and what is no text."""
    with pytest.raises(InvalidPatternError):
        MatchStrategy(pattern)  # type: ignore[arg-type]  # the mistake


@pytest.mark.parametrize("pattern", ["", "x*", "^", "done|$"])
@pytest.mark.parametrize("kind", [MatchStrategy, GoneStrategy])
def test_a_pattern_that_nothing_matches(
    kind: type[MatchStrategy | GoneStrategy], pattern: str
) -> None:
    """It would match at once, and never be gone."""
    with pytest.raises(InvalidPatternError, match="matches the empty text matches at once"):
        kind(re.compile(pattern))


def test_a_text_that_comes_late_is_waited_for() -> None:
    """And is found even if it has scrolled off the screen by then."""
    flood = "\n".join(["the needle", *map(str, range(200))])
    shell = ScriptedShell({"make": [after(1.0, "begun"), after(1.0, flood), after(9.0)]})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open("sh"))
    console.send("make")
    readiness = console.wait_for("needle")
    assert readiness.outcome is Outcome.MATCHED
    assert readiness.elapsed == pytest.approx(2.0, abs=0.15)
    assert console.wait_for("begun", 0.0).outcome is Outcome.MATCHED
    assert console.wait_ready(20.0).outcome is Outcome.PROMPT


def test_a_text_that_does_not_come() -> None:
    """The time is up, or the program ends."""
    terminal = FakeTerminal(programs={"ask": question("Sure? ")}, remain_on_exit=True)
    console = Console(terminal, terminal.open("ask"))
    assert console.wait_for("never", 1.0).outcome is Outcome.TIMEOUT
    console.send("y")
    assert console.wait_for("never").outcome is Outcome.EXITED


@pytest.mark.parametrize("gone", ["\r\x1b[K", "\rbusy\x1b[K", "\r\x1b[1A\x1b[J\n"])
def test_a_row_that_is_drawn_again(gone: str) -> None:
    """The same text is new once it was seen to be gone, and not before."""

    def work(tty: FakeTty) -> Run:
        for text in ("state\nidle", gone, "\x1b[1A\rstate\nidle" if "[1A" in gone else "\ridle"):
            tty.write(text)
            yield Sleep(5.0)
        return 0

    terminal = FakeTerminal(programs={"work": work})
    console = Console(terminal, terminal.open("work"))
    terminal.clock.sleep(1.0)
    mark = console.mark()
    assert console.wait_for("idle", 1.0, since=mark).outcome is Outcome.TIMEOUT
    readiness = console.wait_for("idle", 60.0, since=mark)
    assert readiness.outcome is Outcome.MATCHED
    assert terminal.clock.now() == pytest.approx(10.0, abs=0.3)


def test_what_was_typed_is_not_drawn_again() -> None:
    """Though its row was seen without it for a moment."""

    def redraw(tty: FakeTty) -> Run:
        tty.write("$ ")
        tty.write((yield ReadKey()))
        yield ReadKey()
        for text in ("\r\x1b[K", "$ x", "\n"):
            tty.write(text)
            yield Sleep(5.0)
        return 0

    terminal = FakeTerminal(programs={"sh": redraw})
    console = Console(terminal, terminal.open("sh"))
    assert console.wait_ready().outcome is Outcome.PROMPT
    console.send("x")
    assert console.wait_for("x", 12.0).outcome is Outcome.TIMEOUT


def test_text_that_stood_below_the_cursor() -> None:
    """It is not new, though it has been drawn again since, as far as was seen."""

    def menu(tty: FakeTty) -> Run:
        tty.write("> \r\nhint\x1b[1A\r> ")
        while True:
            yield ReadKey()
            tty.write("\x1b[J\r\nhint\x1b[1A\r> ")

    terminal = FakeTerminal(programs={"menu": menu})
    console = Console(terminal, terminal.open("menu"))
    terminal.clock.sleep(1.0)
    console.keys("a")
    assert console.wait_for("hint", 1.0).outcome is Outcome.TIMEOUT


@pytest.mark.parametrize("is_marked", [False, True])
def test_another_program_in_the_pane(*, is_marked: bool) -> None:
    """What it shows is not what was waited for, be it started before the wait or in the middle."""
    ours, theirs = (attrs.evolve(screen(text), pane_pid=pid) for text, pid in (("a", 1), ("b", 2)))
    terminal = ScriptedTerminal(Frame(0.0, ours), Frame(1.0, theirs))
    talk = ConsolePlans(ConsoleState(PANE))
    mark = drive(talk.take_mark(), terminal) if is_marked else None
    terminal.clock.sleep(2.0 if is_marked else 0.0)
    readiness = drive(talk.wait_for("b", 10.0, mark), terminal)
    assert (readiness.outcome, readiness.strategy) == (Outcome.EXITED, "ExitStrategy")
    assert readiness.reason == "the program has exited, and another one was started in its place"
    assert drive(talk.wait_for("b", 0.0, None), terminal).outcome is Outcome.MATCHED


def test_a_program_whose_number_is_forgotten() -> None:
    """That it has ended, as tmux may forget it then, makes it no other one."""
    ended = attrs.evolve(screen("b"), dead=True, exit_status=0)
    ours = attrs.evolve(screen("a"), pane_pid=1)
    terminal = ScriptedTerminal(Frame(0.0, ours), Frame(1.0, ended))
    readiness = drive(ConsolePlans(ConsoleState(PANE)).wait_for("b", 10.0, None), terminal)
    assert readiness.outcome is Outcome.MATCHED


def test_an_earlier_mark_may_be_given() -> None:
    """Then what came before the last one counts, too."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"a": "first", "b": "second"})})
    console = Console(terminal, terminal.open("sh"))
    mark = console.send("a")
    console.wait_ready()
    console.send("b")
    assert console.wait_for("first", 0.5).outcome is Outcome.TIMEOUT
    assert console.wait_for("first", 0.5, since=mark).outcome is Outcome.MATCHED


def answer(tty: FakeTty) -> Run:
    """Ask for a key, and answer it in the same line."""
    tty.write("go on? ")
    yield ReadKey()
    tty.write("yes\n")
    yield Sleep(9.0)
    return 0


def test_an_answer_that_begins_with_the_key() -> None:
    """It is no echo: only what was typed before the last key is taken for that."""
    terminal = FakeTerminal(programs={"ask": answer})
    console = Console(terminal, terminal.open("ask"))
    console.wait_ready()
    console.keys("y")
    assert console.wait_for("yes", 1.0).outcome is Outcome.MATCHED


@pytest.mark.parametrize("pattern", ["done", re.compile("d[a-z]ne")])
def test_a_title_comes(pattern: str | re.Pattern[str]) -> None:
    """What the screen shows does not count, and a title that stands there counts at once."""
    shell = ScriptedShell({"make": ["done", after(2.0, "\x1b]2;done\x07"), after(60.0, "end")]})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open("sh"))
    console.send("make")
    titled = MatchStrategy(pattern, title=True)
    readiness = console.wait_ready(1.0, strategy=titled)
    assert readiness.reason.startswith("timed out after 1 s; no title ")
    assert str(readiness.verdicts[0][1]).endswith(str(titled.pattern.pattern) + "'")
    readiness = console.wait_ready(strategy=titled)
    assert (readiness.outcome, readiness.reason) == (Outcome.MATCHED, "'done' is in the title")
    assert readiness.elapsed == pytest.approx(1.0, abs=0.15)
    assert console.wait_ready(0.0, strategy=titled).outcome is Outcome.MATCHED


def test_a_text_goes() -> None:
    """Whenever it came."""
    think = spinner(5.0, "thinking hard", done="42")
    shell = ScriptedShell({"think": [think, after(60.0, "end")]})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open("sh"))
    console.wait_ready()
    console.send("think")
    assert console.wait_for("thinking hard").outcome is Outcome.MATCHED
    assert console.wait_for("thinking hard", 3.0, gone=True).outcome is Outcome.TIMEOUT
    readiness = console.wait_for(re.compile("thinking h.*d"), gone=True)
    assert readiness.outcome is Outcome.MATCHED
    assert readiness.reason == "no row matches 'thinking h.*d'"
    assert readiness.screen.rows[1] == "42"


def test_a_text_that_is_not_there_is_gone() -> None:
    """At once; and not for a screen that was wiped a moment ago."""
    snapshot = Snapshot(screen=screen("$"), unchanged_for=0.05)
    assert isinstance(GoneStrategy("a").assess(snapshot), Ready)
    verdict = GoneStrategy("a").assess(attrs.evolve(snapshot, unchanged_for=0.0))
    assert str(verdict) == "pass: no row shows 'a', not settled yet"
    assert isinstance(GoneStrategy("a").assess(attrs.evolve(snapshot, respawned=True)), Pass)


def test_what_is_gone_is_not_since() -> None:
    """It is what the screen shows, whatever it has shown before."""
    terminal = FakeTerminal()
    console = Console(terminal, terminal.open())
    with pytest.raises(InvalidStrategyError, match="not both"):
        console.wait_for("a", since=console.mark(), gone=True)
    assert console.wait_for("a", gone=True)
