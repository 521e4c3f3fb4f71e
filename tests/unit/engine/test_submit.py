"""Typing: the text and the Enter are two deliveries, and the program decides when."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from tests.unit.builders import (
    ASKING,
    AT_PROMPT,
    HIDING,
    PANE,
    RAW_ONLY,
    RUNNING,
    Frame,
    ScriptedTerminal,
    screen,
)
from tests.unit.chat import Chat, terminal_with
from tmuxprim import (
    Console,
    Cursor,
    FakeTerminal,
    InvalidTextError,
    KeySequence,
    Mark,
    Outcome,
    Pane,
    PaneBusyError,
    Readiness,
    Screen,
    Size,
    TtyState,
)
from tmuxprim._engine.plan import Plan, drive
from tmuxprim._engine.submit import (
    ENTER,
    as_typed,
    at_its_line,
    press,
    submit,
    submit_at_once,
    takes_line_at_once,
)
from tmuxprim._values.keys import Part
from tmuxprim.readiness import Prompt
from tmuxprim.testing import FakeTty as Tty
from tmuxprim.testing import (
    Layout,
    Paste,
    Program,
    ReadKey,
    ReadLine,
    Run,
    ScriptedShell,
    repl,
)
from tmuxprim.tool import TmuxTool

MAKE = KeySequence.text("make")
TAKEN = attrs.evolve(AT_PROMPT, wakeups=6)
UNREAD = attrs.evolve(AT_PROMPT, unread=4)
UNCOUNTED = attrs.evolve(AT_PROMPT, wakeups=None)
UNTOLD = attrs.evolve(AT_PROMPT, reading=None, reader_pid=None, wakeups=None)
WORKING = attrs.evolve(AT_PROMPT, reading=False, reader_pid=None, wakeups=None)


def enter_time(terminal: ScriptedTerminal) -> float:
    """Type "make" and return when Enter was pressed."""
    drive(submit(PANE, MAKE), terminal)
    (_, text), (at, key) = terminal.sent
    assert (text, key) == (MAKE, ENTER)
    return at


def test_press_is_one_delivery() -> None:
    """Keys go in one piece, and the mark is what was there right before."""
    terminal = ScriptedTerminal(Frame(0, screen("a\n$ "), AT_PROMPT))
    mark = drive(press(PANE, MAKE + ENTER), terminal)
    assert terminal.sent == [(0, MAKE + ENTER)]
    prompt = Prompt("$ ", 10)
    assert mark == Mark(screen=screen("a\n$ "), tty=AT_PROMPT, prompt=prompt, typed="make")


@pytest.mark.parametrize(
    ("keys", "ends_line", "typed"),
    [
        (ENTER, True, ""),
        (KeySequence.keys("C-c"), True, ""),
        (MAKE + ENTER, True, "make"),
        (KeySequence.text("make\n"), True, "make\n"),
        (KeySequence.keys("m", "a", "Enter"), True, "ma"),
        (KeySequence.keys("Up", "Enter"), True, None),
        (MAKE, False, "make"),
        (MAKE + KeySequence.keys("Tab"), False, None),
        (KeySequence((Paste("make\n"),)), False, "make\r"),
        (KeySequence(()), False, ""),
    ],
)
def test_what_keys_type(keys: KeySequence, typed: str | None, *, ends_line: bool) -> None:
    """A mark tells the line, and whether it may have ended; a paste is a text to edit."""
    terminal = ScriptedTerminal(Frame(0, screen("$ "), AT_PROMPT))
    mark = drive(press(PANE, keys), terminal)
    assert (mark.ends_line, mark.line) == (ends_line, typed)
    assert mark.continues is (False if keys == KeySequence.keys("C-c") else None)


@pytest.mark.parametrize("type_it", [press, submit])
def test_mode_is_not_left_unasked(type_it: Callable[[Pane, KeySequence], Plan[Mark]]) -> None:
    """A person who reads in copy mode is not disturbed by default."""
    terminal = ScriptedTerminal(Frame(0, attrs.evolve(screen(), mode="copy-mode")))
    with pytest.raises(PaneBusyError, match="nothing was sent: pane %7 is in copy-mode"):
        drive(type_it(PANE, MAKE), terminal)
    assert terminal.sent == []


def test_mark_is_taken_at_the_enter() -> None:
    """The mark has screen and evidence from before the Enter, and the prompt from before all."""
    frames = Frame(0, screen("$ "), AT_PROMPT), Frame(0.01, screen("$ make"), TAKEN)
    mark = drive(submit(PANE, MAKE), ScriptedTerminal(*frames))
    prompt = Prompt("$ ", 10)
    assert mark == Mark(screen=screen("$ make"), tty=TAKEN, prompt=prompt, typed="make")


def test_enter_waits_until_the_text_is_taken() -> None:
    """In raw mode Enter comes once nothing is unread and the reader has run and sleeps again."""
    frames = [AT_PROMPT, UNREAD, WORKING, TAKEN]
    terminal = ScriptedTerminal(*(Frame(n / 100, screen(), tty) for n, tty in enumerate(frames)))
    assert 0.03 <= enter_time(terminal) < 0.031
    assert terminal.looks == 2  # the two that come with the sending


@pytest.mark.parametrize("between", [UNTOLD, attrs.evolve(UNTOLD, unread=3)])
def test_enter_waits_for_who_waits_for_the_rest_of_a_key(between: TtyState) -> None:
    """The kernel says nothing of a line editor that is between two keys of the text."""
    frames = {0.0: AT_PROMPT, 0.01: between, 0.02: WORKING, 0.2: between, 0.24: TAKEN}
    terminal = ScriptedTerminal(*(Frame(at, screen(), tty) for at, tty in frames.items()))
    assert 0.24 <= enter_time(terminal) < 0.241


@pytest.mark.parametrize("begins", [0.01005, 0.0102, 0.01045])
def test_all_of_the_rest_of_a_key_is_waited_for(begins: float) -> None:
    """Whenever it begins between two snapshots: BusyBox throws away what comes in its 50 ms."""
    frames = {0.0: AT_PROMPT, 0.01: WORKING, begins: UNTOLD, begins + 0.05: TAKEN}
    terminal = ScriptedTerminal(*(Frame(at, screen(), tty) for at, tty in frames.items()))
    assert enter_time(terminal) >= begins + 0.05


def test_looks_that_are_far_apart_tell_no_more() -> None:
    """On a busy machine it is us who are slow: one snapshot that tells nothing is one snapshot."""
    frames = {0.0: AT_PROMPT, 0.01: WORKING, 0.09: UNTOLD, 0.3: TAKEN}
    terminal = ScriptedTerminal(*(Frame(at, screen(), tty) for at, tty in frames.items()))
    terminal.clock.call_later(0.02, lambda: terminal.clock.sleep(0.07))
    assert 0.14 < enter_time(terminal) < 0.16


def test_who_polls_all_the_time_is_not_waited_for_a_second() -> None:
    """An animation works for some ms and then waits for a key for some more, again and again."""
    frames = [Frame(0.0, screen(), AT_PROMPT)]
    for n in range(50):
        frames += [Frame(0.01 + n / 50, screen(), UNTOLD), Frame(0.027 + n / 50, screen(), WORKING)]
    assert enter_time(ScriptedTerminal(*frames)) < 0.1


@pytest.mark.parametrize(("unread", "seconds"), [(0, 0.08), (1, 1.0)])
def test_enter_follows_when_nobody_tells_any_more(unread: int, seconds: float) -> None:
    """Longer than for the rest of a key is only waited where something is not read."""
    untold = attrs.evolve(UNTOLD, unread=unread)
    terminal = ScriptedTerminal(Frame(0, screen(), AT_PROMPT), Frame(0.02, screen(), untold))
    assert seconds - 0.021 < enter_time(terminal) < seconds + 0.001


@pytest.mark.parametrize("tty", [RUNNING, ASKING])
def test_enter_follows_the_echo_where_lines_are_read(tty: TtyState) -> None:
    """In canonical mode the kernel keeps the text for the program, and only has to show it."""
    shown = Frame(0.05, screen("$ ls"), tty)
    assert 0.05 <= enter_time(ScriptedTerminal(Frame(0, screen(), tty), shown)) < 0.07


def test_enter_follows_at_once_where_a_line_is_read_unseen() -> None:
    """There is no echo to wait for."""
    assert enter_time(ScriptedTerminal(Frame(0, screen(), HIDING))) == 0


@pytest.mark.parametrize("tty", [ASKING, None])
def test_enter_follows_when_raw_mode_ends(tty: TtyState | None) -> None:
    """A program that reads a line now, or is gone, will not take the text in raw mode any more."""
    terminal = ScriptedTerminal(Frame(0, screen(), AT_PROMPT), Frame(0.02, screen(), tty))
    assert 0.02 <= enter_time(terminal) < 0.021


@pytest.mark.parametrize("reading", [False, None])
def test_enter_waits_while_raw_mode_is_off_between_two_keys(*, reading: bool | None) -> None:
    """Python's readchar throws away what is typed between two of its calls."""
    between = attrs.evolve(RUNNING, reading=reading)
    times = {0.0: AT_PROMPT, 0.02: between, 0.03: WORKING, 0.04: between, 0.05: TAKEN}
    terminal = ScriptedTerminal(*(Frame(at, screen(), tty) for at, tty in times.items()))
    assert 0.05 <= enter_time(terminal) < 0.051


@pytest.mark.parametrize(
    ("tty", "seconds"),
    [(AT_PROMPT, 1.0), (UNREAD, 1.0), (WORKING, 1.0), (RAW_ONLY, 0.3), (UNCOUNTED, 0.3)],
)
def test_enter_comes_anyway(tty: TtyState, seconds: float) -> None:
    """A program that does not read gets its Enter after a second, sooner if nobody can tell."""
    terminal = ScriptedTerminal(Frame(0, screen(), tty))
    terminal.clock.sleep(1024)
    assert seconds < enter_time(terminal) - 1024 < seconds + 0.012


@pytest.mark.parametrize("tty", [RAW_ONLY, UNCOUNTED])
def test_enter_follows_without_wakeups(tty: TtyState) -> None:
    """Where the kernel does not tell of wakeups, a text that is shown has been taken."""
    frames = Frame(0, screen("$ "), tty), Frame(0.05, screen("$ make"), tty)
    assert 0.05 <= enter_time(ScriptedTerminal(*frames)) < 0.061


@pytest.mark.parametrize("seconds", [0.2, 1.0])
def test_enter_waits_for_raw_mode_without_a_reported_reader(seconds: float) -> None:
    """A text that is shown has been read, but perhaps the program takes no next key yet."""
    between = attrs.evolve(RUNNING, reading=None)
    frames = [Frame(0, screen("$ "), RAW_ONLY), Frame(0.05, screen("$ make"), between)]
    if seconds < 1:
        frames.append(Frame(seconds, screen("$ make"), RAW_ONLY))
    assert seconds <= enter_time(ScriptedTerminal(*frames)) < seconds + 0.011


def test_enter_waits_for_a_program_that_works() -> None:
    """A raw program that works is typed into when it reads again; the screen tells the rest."""
    terminal = ScriptedTerminal(Frame(0, screen(), WORKING), Frame(0.5, screen(), UNCOUNTED))
    assert 0.8 <= enter_time(terminal) < 0.811
    assert 0.5 <= terminal.sent[0][0] < 0.501


def test_text_waits_until_the_last_key_was_taken() -> None:
    """The taking of the last Enter must not be mistaken for that of this text."""
    taken = attrs.evolve(AT_PROMPT, wakeups=99)
    frames = Frame(0, screen(), AT_PROMPT), Frame(0.3, screen(), taken)
    terminal = ScriptedTerminal(*frames)
    last = Mark(screen=screen(), tty=AT_PROMPT)
    drive(submit(PANE, MAKE, last=last), terminal)
    assert 0.3 <= terminal.sent[0][0] < 0.301


COOKED = attrs.evolve(ASKING, line_limit=6)


@pytest.mark.parametrize("make", [KeySequence.text, KeySequence.paste])
def test_overlong_line_is_refused(make: Callable[[str], KeySequence]) -> None:
    """A line that the kernel would cut for a program that reads lines is not sent at all."""
    terminal = ScriptedTerminal(Frame(0, screen(), COOKED))
    with pytest.raises(InvalidTextError) as caught:
        drive(submit(PANE, make("a\n日本x\nb")), terminal)
    assert str(caught.value).startswith(
        "nothing was sent: the kernel would cut a line of 7 bytes after 6, since"
    )
    assert terminal.sent == []


def test_a_key_is_a_part_of_the_line() -> None:
    """For the kernel an arrow key is some bytes of the line, and Enter its end."""
    terminal = ScriptedTerminal(Frame(0, screen(), COOKED))
    typed = KeySequence.text("1234")
    drive(press(PANE, typed + ENTER + typed), terminal)
    with pytest.raises(InvalidTextError):
        drive(press(PANE, typed + KeySequence.keys("Left") + typed), terminal)
    assert terminal.sent == [(0, typed + ENTER + typed)]


def test_a_paste_is_counted_as_it_is_sent() -> None:
    """CRLF in a paste becomes one CR, which ends the line."""
    keys = KeySequence.paste("123456\r\n1")
    terminal = ScriptedTerminal(Frame(0, screen(), COOKED))
    drive(press(PANE, keys), terminal)
    assert terminal.sent == [(0, keys)]


@pytest.mark.parametrize(
    ("text", "tty"),
    [
        ("日本", COOKED),
        ("123456\n123456", COOKED),
        ("123456\r123456", COOKED),
        ("1234567", attrs.evolve(COOKED, canonical=False)),
        ("1234567", attrs.evolve(COOKED, line_limit=None)),
        ("1234567", None),
    ],
    ids=["full", "two lines", "two lines by CR", "raw", "limit unknown", "no evidence"],
)
def test_line_that_nobody_cuts(text: str, tty: TtyState | None) -> None:
    """A line that fits, or that the kernel does not collect, is sent."""
    keys = KeySequence.text(text) + ENTER * 9
    terminal = ScriptedTerminal(Frame(0, screen(), tty))
    drive(press(PANE, keys), terminal)
    assert terminal.sent == [(0, keys)]


@pytest.mark.parametrize("text", ["$ make", "$ \n", "$  "])
def test_enter_waits_until_the_text_is_shown(text: str) -> None:
    """Without evidence, a change of the screen or of the cursor is waited for."""
    terminal = ScriptedTerminal(Frame(0, screen("$ ")), Frame(0.05, screen(text)))
    assert 0.05 <= enter_time(terminal) < 0.061


def test_enter_waits_for_the_other_half_of_the_text() -> None:
    """A line editor may be seen while it shows the text, or has gone to show what is below it."""
    texts = {0: "$ ", 0.05: "$ ma", 0.058: "$ mak", 0.068: "$ make"}
    terminal = ScriptedTerminal(*(Frame(at, screen(text)) for at, text in texts.items()))
    assert 0.068 <= enter_time(terminal) < 0.081


@pytest.mark.parametrize(
    ("half", "whole"),
    [("$ ma", "$ make"), ("$ " + "m" * 46 + "\n", "m" * 75 + "ake")],
    ids=["a row", "a screen"],
)
def test_enter_waits_for_a_text_that_comes_in_parts(half: str, whole: str) -> None:
    """The kernel's buffer was empty in between, and the program slept."""
    size, text = Size(40, 2), whole.removeprefix("$ ").replace("\n", "")
    before, shown = screen("$ ", size=size), screen(half, size=size)
    rows = (whole[:40], whole[40:]) if len(whole) > 40 else (whole, "")
    cursor = Cursor(1, len(rows[1])) if rows[1] else Cursor(0, len(whole))
    wrapped = Layout((bool(rows[1]), False))
    full = attrs.evolve(before, rows=rows, cursor=cursor, layout=wrapped)
    short = attrs.evolve(AT_PROMPT, line_limit=3)
    taken = attrs.evolve(short, wakeups=6)
    frames = Frame(0, before, short), Frame(0.01, shown, taken), Frame(0.1, full, taken)
    terminal = ScriptedTerminal(*frames)
    # More of it is above a screen that it fills.
    drive(submit(PANE, KeySequence.text(f"more{text}" if rows[1] else text)), terminal)
    assert 0.1 <= terminal.sent[-1][0] < 0.12


def test_enter_follows_a_text_that_looks_otherwise() -> None:
    """Stars that stand still are all that will be shown of a password."""
    frames = Frame(0, screen("Password: ")), Frame(0.05, screen("Password: ****"))
    assert 0.05 <= enter_time(ScriptedTerminal(*frames)) < 0.072


def test_enter_keeps_its_distance_where_the_kernel_counts_wakeups() -> None:
    """That a program has read the text does not say that it has drawn it."""
    loop = attrs.evolve(AT_PROMPT, only_reading=False, edits=None)
    woken = attrs.evolve(loop, wakeups=9)
    empty, shown = (attrs.evolve(screen(text), alternate=True) for text in ("> ", "> make"))
    frames = Frame(0, empty, loop), Frame(0.05, empty, woken), Frame(0.1, shown, woken)
    assert 0.16 <= enter_time(ScriptedTerminal(*frames)) < 0.2


@pytest.mark.parametrize("signals", [False, True])
def test_enter_keeps_its_distance_from_a_text_that_was_drawn(*, signals: bool) -> None:
    """A program that draws itself may take an Enter that comes at once for a part of the text."""
    event_loop = attrs.evolve(
        AT_PROMPT, only_reading=False, edits=None, signals=signals, passes_on=False, wakeups=None
    )
    shown = attrs.evolve(screen("> make"), cursor_visible=False)
    empty = attrs.evolve(screen("> "), cursor_visible=False)
    terminal = ScriptedTerminal(Frame(0, empty, event_loop), Frame(0.1, shown, event_loop))
    assert 0.16 <= enter_time(terminal) < 0.2


LOOP = attrs.evolve(AT_PROMPT, only_reading=False, edits=None)
BUSY = attrs.evolve(LOOP, reading=False, reader_pid=None, wakeups=None)


def enter_time_of_loop(states: dict[float, TtyState]) -> float:
    """Type into a program with an event loop, which shows the text at 0.1 s; return as above."""
    shown, empty = (attrs.evolve(screen(text), cursor_visible=False) for text in ("> make", "> "))
    frames = (Frame(at, shown if at >= 0.1 else empty, tty) for at, tty in states.items())
    return enter_time(ScriptedTerminal(*frames))


def test_enter_waits_until_an_event_loop_sleeps() -> None:
    """It wakes up once more when a timer is over that runs since it has gone through the text."""
    woken = {0.1: 6, 0.15: 7, 0.19: 8}
    states = {at: attrs.evolve(LOOP, wakeups=count) for at, count in woken.items()}
    assert 0.25 <= enter_time_of_loop({0.0: LOOP, **states}) < 0.33
    works = {0.12: BUSY, 0.5: attrs.evolve(LOOP, wakeups=9)}
    assert 0.56 <= enter_time_of_loop({0.0: LOOP, **states, **works}) < 0.63


def test_enter_does_not_wait_for_one_that_works() -> None:
    """What is typed while it works is for its queue; it wakes up for each frame that it draws."""
    frames = {n / 25: attrs.evolve(LOOP, wakeups=6 + n) for n in range(100)}
    assert 1.1 < enter_time_of_loop(frames) < 1.25


def test_enter_comes_anyway_without_evidence() -> None:
    """A text that is not shown, such as a password, gets its Enter after a moment."""
    terminal = ScriptedTerminal(Frame(0, screen("Password: ")))
    assert 0.3 < enter_time(terminal) < 0.312


@pytest.mark.parametrize("evidence", [True, False])
def test_two_deliveries_on_a_terminal(*, evidence: bool) -> None:
    """On a terminal it is two deliveries: the text, and a moment later the Enter."""
    terminal = FakeTerminal(evidence=evidence)
    console = Console(terminal, terminal.open())
    assert console.wait_ready()
    console.send("echo hi")
    text, enter = terminal.sent()
    assert (text.keys, enter.keys) == (KeySequence.text("echo hi"), ENTER)
    assert 0 < enter.at - text.at < 0.02


# Typing a line and Enter in one delivery: when that is right, and what the mark is then.

PROMPT = Prompt("$ ", 10)
EDITING = attrs.evolve(AT_PROMPT, edits=True)
READY = Readiness(
    outcome=Outcome.PROMPT,
    strategy="PromptStrategy",
    reason="",
    screen=attrs.evolve(screen("$ ", size=Size(20, 3)), command="bash"),
    elapsed=0.0,
    tty=EDITING,
)


def with_tty(**fields: Any) -> Readiness:  # noqa: ANN401  # fields of all types
    """Return the readiness with other evidence."""
    return attrs.evolve(READY, tty=attrs.evolve(EDITING, **fields))


def test_a_shell_at_its_prompt_takes_a_line_at_once() -> None:
    """One that fits into the row of the prompt, so that it is shown as it is."""
    assert takes_line_at_once(READY, PROMPT, "ls")
    assert takes_line_at_once(READY, PROMPT, "x" * 17)
    assert takes_line_at_once(READY, PROMPT, "echo 'é 日本'")


@pytest.mark.parametrize("line", ["", "x" * 18, "日" * 9, "a\tb", "a\nb", "\x1b", "e\u0301\u200b"])
def test_a_line_that_is_shown_otherwise_is_typed_before_its_enter(line: str) -> None:
    """An empty one, one that wraps, one with keys that edit, one of unknown width."""
    assert not takes_line_at_once(READY, PROMPT, line)


@pytest.mark.parametrize(
    ("ready", "prompt"),
    [
        (attrs.evolve(READY, outcome=Outcome.STABLE), PROMPT),
        (attrs.evolve(READY, outcome=Outcome.CONTINUATION), PROMPT),
        (attrs.evolve(READY, tty=None), PROMPT),
        (with_tty(reading=None), PROMPT),
        (with_tty(passes_on=True), PROMPT),
        (with_tty(pass_through_count=1), PROMPT),
        (with_tty(edits=False), PROMPT),
        (with_tty(foreground_pid=11), PROMPT),
        (attrs.evolve(READY, screen=attrs.evolve(READY.screen, command="python3")), PROMPT),
        (attrs.evolve(READY, screen=attrs.evolve(screen("$ half"), command="bash")), PROMPT),
        (attrs.evolve(READY, screen=attrs.evolve(screen("  "), command="bash")), Prompt("  ", 10)),
        (READY, None),
    ],
)
def test_what_may_be_another_program_gets_its_enter_later(
    ready: Readiness, prompt: Prompt | None
) -> None:
    """It may take a text and a carriage return that arrive together for a paste."""
    assert not takes_line_at_once(ready, prompt, "ls")


def test_the_mark_to_read_by_shows_the_line() -> None:
    """As if it had been taken right before the Enter."""
    mark = Mark(screen=screen("a\n$ ", size=Size(9, 3)), tty=EDITING, prompt=PROMPT)
    typed = as_typed(mark, "ls 日 ")
    assert typed.screen.rows == ("a", "$ ls 日", "")
    assert typed.screen.before_cursor == "$ ls 日 "
    assert (typed.tty, typed.prompt) == (EDITING, PROMPT)


def test_it_is_one_delivery() -> None:
    """The mark to wait by is from before both; nothing is typed into copy mode."""
    terminal = FakeTerminal()
    pane = terminal.open()
    Console(terminal, pane).wait_ready()
    mark = drive(submit_at_once(pane, "ls", READY, PROMPT, leave_mode=False), terminal)
    assert (mark.screen.before_cursor, len(terminal.sent())) == ("$ ", 1)
    terminal.assert_sent(pane, "ls", "Enter")
    terminal.set_mode(pane, "copy-mode")
    with pytest.raises(PaneBusyError, match="copy-mode"):
        drive(submit_at_once(pane, "ls", READY, PROMPT, leave_mode=False), terminal)
    drive(submit_at_once(pane, "ls", READY, PROMPT, leave_mode=True), terminal)


class Remembering(FakeTerminal):
    """A terminal that tells what it was said to have been seen."""

    hint: Screen | None = None

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type as all do."""
        self.hint = seen
        return super().send(pane, keys, leave_mode=leave_mode, seen=seen)


def test_a_look_may_be_spared() -> None:
    """The last one is handed over with the line."""
    terminal = Remembering()
    pane = terminal.open()
    Console(terminal, pane).wait_ready()
    mark = drive(submit_at_once(pane, "ls", READY, PROMPT, leave_mode=False), terminal)
    terminal.assert_sent(pane, "ls", "Enter")
    assert (terminal.hint, mark.tty) == (READY.screen, EDITING)


def sends(console: Console, pane: Pane) -> int:
    """Return in how many deliveries a command is run."""
    terminal = console.terminal
    assert isinstance(terminal, FakeTerminal)
    before = len(terminal.sent(pane))
    console.run("echo hi")
    return len(terminal.sent(pane)) - before


def test_run_spares_a_shell_one_delivery_and_a_repl_none() -> None:
    """By whom the line is read decides."""
    programs: dict[str, Program] = {
        "sh": ScriptedShell(),
        "python": repl(lambda line: line, prompt=">>> "),
    }
    terminal = FakeTerminal(programs=programs)
    for name, count in (("sh", 1), ("python", 2)):
        pane = terminal.open(name)
        assert sends(Console(terminal, pane), pane) == count


@pytest.mark.parametrize(
    ("shown", "scrolled", "cursor"),
    [
        ("hi\n> 6 * 7\n42", 0, Cursor(1, 7)),  # node goes to the row below, and back
        ("> 6 * 7\n42", 1, Cursor(0, 7)),
        ("hi\n> 6 * 7", 0, Cursor(1, 7)),
        ("hi\n> 6 * 8\n56", 0, Cursor(2, 2)),
        ("42", 2, Cursor(0, 2)),
    ],
)
def test_a_preview_below_the_line_is_not_where_it_was_typed(
    shown: str, scrolled: int, cursor: Cursor
) -> None:
    """The cursor is behind the line again, if that is where it stands."""
    mark = Mark(screen=attrs.evolve(screen(shown), history_size=scrolled))
    assert at_its_line(mark, screen("hi\n> "), "6 * 7").screen.cursor == cursor


# Long texts are pasted where a program draws itself; elsewhere, and shorter ones, are typed.

LONG = "is this text (é, 'quoted') long? " * 7


def talk_to(chat: Chat, name: str = "claude") -> tuple[FakeTerminal, Console]:
    """Return a terminal in which the chat has been started by a name, and a console on it."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({name: chat})})
    pane = terminal.open("sh")
    terminal.clock.sleep(1.0)
    terminal.send(pane, KeySequence.text(name) + KeySequence.keys("Enter"))
    terminal.clock.sleep(1.0)
    return terminal, Console(terminal, pane)


def sent(terminal: FakeTerminal) -> list[Part]:
    """Return what has been sent since the program was started, without the Enter at the end."""
    parts = [part for each in terminal.sent()[1:] for part in each.keys]
    return parts[:-1]


@pytest.mark.parametrize("name", ["claude", "a-chat-that-nobody-knows"])
def test_a_long_text_is_pasted(name: str) -> None:
    """It arrives in brackets, which say where it ends, so that the Enter behind it is one."""
    chat = Chat(pastes=True)
    terminal, console = talk_to(chat, name)
    mark = console.send(LONG)
    terminal.clock.sleep(1.0)
    assert sent(terminal) == [Paste(LONG)]
    assert chat.keys == [f"\x1b[200~{LONG}\x1b[201~", "\r"]
    assert chat.heard == [LONG]
    assert (mark.typed, mark.line) == (LONG, LONG)


def test_the_same_without_brackets() -> None:
    """A program that has not asked for them gets the very same characters."""
    chat = Chat()
    terminal, console = talk_to(chat)
    console.send(LONG)
    terminal.clock.sleep(1.0)
    assert chat.heard == [LONG]
    assert chat.keys == [*LONG, "\r"]


def test_a_long_text_without_enter() -> None:
    """It is pasted as well, and what is typed beside it is not."""
    chat = Chat(pastes=True)
    terminal, console = talk_to(chat)
    console.keys(KeySequence.text("short") + KeySequence.keys("Left"))
    console.keys(KeySequence.text(LONG) + KeySequence.keys("Enter"))
    terminal.clock.sleep(1.0)
    assert sent(terminal) == ["short", *KeySequence.keys("Left"), Paste(LONG)]
    assert chat.typed == ""


@pytest.mark.parametrize("text", ["x" * 200, "a\nb" * 300, "a\tb" * 300, "\x1b[201~" * 90])
def test_what_is_typed(text: str) -> None:
    """A text that is short, or has what a paste would change or end: line breaks, controls."""
    terminal, console = talk_to(Chat(pastes=True))
    console.send(text)
    assert sent(terminal) == [text]


@pytest.mark.parametrize("name", ["nvim", "hx", "ssh", "tmux"])
def test_where_keys_may_be_commands(name: str) -> None:
    """An editor would take no command from a paste, and behind ssh may be one."""
    terminal, console = talk_to(Chat(pastes=True), name)
    console.send(LONG)
    assert sent(terminal) == [LONG]


def reads_keys(tty: Tty) -> Run:
    """Read single keys, and nothing else, on the main screen."""
    tty.write("\x1b[?2004hkeys")
    while True:
        yield ReadKey()


def reads_a_line(_tty: Tty) -> Run:
    """Read a line, which the kernel collects."""
    yield ReadLine(prompt="name? ")
    return 0


@pytest.mark.parametrize("program", [reads_keys, reads_a_line, ScriptedShell()])
def test_who_does_not_draw_itself(program: Program) -> None:
    """A line editor gets a text key by key, even if it takes pastes."""
    terminal = FakeTerminal(programs={"sh": program})
    console = Console(terminal, terminal.open("sh"))
    terminal.clock.sleep(1.0)
    console.send(LONG)
    assert terminal.sent()[0].keys == KeySequence.text(LONG)


def test_without_evidence() -> None:
    """Who reads is not known, so the text is typed."""
    terminal = FakeTerminal(programs={"sh": Chat(pastes=True)}, evidence=False)
    console = Console(terminal, terminal.open("sh"))
    terminal.clock.sleep(1.0)
    console.send(LONG)
    assert terminal.sent()[0].keys == KeySequence.text(LONG)


def test_the_tool_pastes_it_too() -> None:
    """A model sends a long text as any other."""
    chat = Chat(pastes=True)
    terminal = terminal_with(chat)
    assert TmuxTool(terminal).execute(action="send", text=LONG).message.startswith("Sent: ")
    terminal.clock.sleep(1.0)
    assert chat.heard == [LONG]
    assert terminal.sent(Pane("shared"))[-2].keys == KeySequence.paste(LONG)
