"""`Console`, on the fake terminal: send, keys, read, wait_ready."""

import asyncio
import re
from collections.abc import Callable
from functools import partial
from typing import TypedDict, Unpack

import attrs
import pytest

from tests.unit.builders import CountingClock
from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    InvalidKeyError,
    InvalidPaneError,
    InvalidTextError,
    Key,
    KeySequence,
    Mark,
    Outcome,
    Pane,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    PromptStrategy,
    Size,
    StabilityStrategy,
)
from tmuxprim.errors import (
    InvalidScreenError,
    InvalidStrategyError,
    PaneExistsError,
    ProgramNotFoundError,
)
from tmuxprim.readiness import ExitStrategy, Prompt
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    ReadKey,
    Run,
    ScriptedShell,
    after,
    pager,
    password,
    question,
    repl,
)
from tmuxprim.tool import TmuxTool

SHELL = ScriptedShell(
    {
        "make": [after(2.0, "compiling 100%"), after(2.0, "done")],
        "many": "\n".join(f"line {number}" for number in range(1, 101)),
        "ask": question("Continue? [y/N] ", lambda line: f"you said {line}"),
        "login": password("Password: ", lambda line: f"{len(line)} characters"),
        "less": pager("a\nb"),
        "python": repl(lambda line: line.upper()),
        "colours": "\x1b[31mred\x1b[0m",
    }
)


@pytest.fixture
def terminal() -> FakeTerminal:
    """Give a fake terminal with a shell."""
    return FakeTerminal(programs={"sh": SHELL}, clock=CountingClock())


@pytest.fixture
def console(terminal: FakeTerminal) -> Console:
    """Give a console on a shell at its prompt."""
    console = Console(terminal, terminal.open("sh", name="shared"))
    assert console.wait_ready().outcome is Outcome.PROMPT
    return console


def keys_sent(terminal: FakeTerminal) -> list[str]:
    """Return what was delivered, one text for each delivery."""
    return [str(sent.keys) for sent in terminal.sent()]


def test_pane_is_looked_up_once(terminal: FakeTerminal) -> None:
    """A console stays with the pane that had the name when it was first used."""
    console = Console(terminal, Pane("shared"))
    pane = terminal.open(name="shared")
    assert console.pane == pane
    terminal.close(pane)
    terminal.open(name="shared")
    assert console.pane == pane


def test_pane_is_not_looked_up_before_it_is_used(terminal: FakeTerminal) -> None:
    """A console can be made before its pane is; that it is missing is told on use."""
    terminal.open()
    console = Console(terminal, Pane("later"))
    with pytest.raises(PaneNotFoundError, match="there is no pane 'later' on this tmux server"):
        console.read()
    pane = terminal.open(name="later")
    assert console.pane == pane


def test_repr_names_the_pane(terminal: FakeTerminal) -> None:
    """What one prints while debugging says which pane of which terminal it is."""
    console = Console(terminal, Pane("shared"))
    assert repr(console) == f"Console({terminal!r}, Pane(target='shared'))"
    terminal.open(name="shared")
    assert console.pane.is_id
    assert repr(console) == f"Console({terminal!r}, {console.pane!r})"


@pytest.mark.parametrize(
    ("text", "enter", "sent"),
    [
        ("make", True, ["'make'", "Enter"]),
        ("make", False, ["'make'"]),
        ("Enter", False, ["'Enter'"]),
        ("", True, ["Enter"]),
        (" ", True, ["' '", "Enter"]),
        (KeySequence.lines("a\nb"), True, ["'a' + Enter + 'b'", "Enter"]),
        (KeySequence.paste("a"), False, ["paste 'a'"]),
        (KeySequence(()), True, ["Enter"]),
    ],
)
def test_send(
    terminal: FakeTerminal,
    console: Console,
    text: str | KeySequence,
    sent: list[str],
    *,
    enter: bool,
) -> None:
    """Text is delivered as it is, and Enter by itself."""
    console.send(text, enter=enter)
    assert keys_sent(terminal) == sent


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_send_refuses_before_anything_is_sent(
    terminal: FakeTerminal, console: Console, text: str
) -> None:
    """A text that cannot be typed leaves the pane alone."""
    with pytest.raises(InvalidTextError):
        console.send(text)
    assert terminal.sent() == ()


def test_keys(terminal: FakeTerminal, console: Console) -> None:
    """Keys go in one delivery, by name, as keys or as sequences, and no Enter is added."""
    console.keys("Up", KeySequence.text("x") + KeySequence.keys("Left"), Key("Down"), "c-C")
    assert keys_sent(terminal) == ["Up + 'x' + Left + Down + C-c"]


@pytest.mark.parametrize(
    "keys",
    [
        ("Up Down C-c",),
        (["Up", Key("Down"), "C-c"],),
        ("Up", ("Down", " C-c ")),
        (" Up\tDown", "C-c"),
    ],
)
def test_keys_takes_several_names_at_once(
    terminal: FakeTerminal, console: Console, keys: tuple[str | list[str | Key], ...]
) -> None:
    """With blanks between them, or in a list: no name of a key holds a blank."""
    console.keys(*keys)
    assert keys_sent(terminal) == ["Up + Down + C-c"]


@pytest.mark.parametrize("keys", [" ", "", [""], ["Up", "  "], [b"Up"]])
def test_keys_refuses_what_names_no_key(
    terminal: FakeTerminal, console: Console, keys: str | list[str]
) -> None:
    """A blank is none, since its name is Space; nor is nothing."""
    with pytest.raises(InvalidKeyError, match="key name"):
        console.keys(keys)
    assert terminal.sent() == ()


def test_keys_refuses_before_anything_is_sent(terminal: FakeTerminal, console: Console) -> None:
    """One wrong name among right ones, and nothing is pressed."""
    with pytest.raises(InvalidKeyError, match="did you mean 'C-c'"):
        console.keys("Up", "Ctrl-C")
    assert terminal.sent() == ()


IN_COPY_MODE = (
    "pane %0 is in copy-mode, where keys do not reach the program; "
    "give leave_mode=True to leave the mode first"
)
INPUT_OFF = "the input of pane %0 is off; switch it on with 'tmux select-pane -e -t %0'"
IS_DEAD = "the program of pane %0 has exited (status 0); close the pane and open another"


@pytest.mark.parametrize(
    ("mode", "on", "message"),
    [
        ("copy-mode", True, IN_COPY_MODE),
        ("", False, INPUT_OFF),
    ],
)
def test_deaf_pane(
    terminal: FakeTerminal, console: Console, mode: str, message: str, *, on: bool
) -> None:
    """Keys that tmux would swallow are refused, with what to do."""
    terminal.set_mode(console.pane, mode)
    terminal.set_input(console.pane, on=on)
    with pytest.raises(PaneBusyError) as caught:
        console.send("make")
    assert str(caught.value) == f"nothing was sent: {message}"
    assert terminal.sent() == ()


def test_leave_mode(terminal: FakeTerminal) -> None:
    """A console that may leave copy mode does so before it sends."""
    console = Console(terminal, terminal.open(), leave_mode=True)
    assert console.wait_ready()
    for text in ("a", ""):
        terminal.set_mode(console.pane, "copy-mode")
        console.send(text)
    terminal.set_mode(console.pane, "copy-mode")
    console.keys("Up")
    assert keys_sent(terminal) == ["'a'", "Enter", "Enter", "Up"]
    assert terminal.observe(console.pane).mode == ""


def test_mode_between_text_and_enter(terminal: FakeTerminal, console: Console) -> None:
    """Who scrolls while a text is being typed is told that the text is there without Enter."""
    terminal.clock.call_later(0.0005, lambda: terminal.set_mode(console.pane, "copy-mode"))
    with pytest.raises(PaneBusyError) as caught:
        console.send("make")
    assert str(caught.value) == (
        f"the text has been typed, but pressing Enter failed: {IN_COPY_MODE}"
    )
    assert keys_sent(terminal) == ["'make'"]


def test_dead_pane(terminal: FakeTerminal, console: Console) -> None:
    """Nobody reads in a dead pane, so nothing is sent there."""
    terminal.remain_on_exit = True
    console.send("exit")
    assert console.wait_ready().outcome is Outcome.EXITED
    with pytest.raises(PaneDeadError) as caught:
        console.keys("Enter")
    assert str(caught.value) == f"nothing was sent: {IS_DEAD}"


def one_key(tty: FakeTty) -> Run:
    """End at the first key."""
    tty.write("press a key ")
    yield ReadKey()
    return 0


def test_pane_that_dies_between_text_and_enter() -> None:
    """The message about the Enter does not deny the text."""
    terminal = FakeTerminal(programs={"sh": one_key}, remain_on_exit=True)
    console = Console(terminal, terminal.open())
    assert console.wait_ready()
    with pytest.raises(PaneDeadError) as caught:
        console.send("yes")
    assert keys_sent(terminal) == ["'yes'"]
    assert str(caught.value) == f"the text has been typed, but pressing Enter failed: {IS_DEAD}"


def test_closed_pane(terminal: FakeTerminal, console: Console) -> None:
    """A pane that is gone is an error of all that is done to it."""
    terminal.open()
    terminal.close(console.pane)
    for act in (lambda: console.send("x"), lambda: console.keys("Up"), console.read):
        with pytest.raises(PaneNotFoundError) as caught:
            act()
        assert str(caught.value) == (
            "there is no pane '%0' on this tmux server (any more); Terminal.panes() lists all panes"
        )


def test_pane_that_is_gone_after_it_was_seen(terminal: FakeTerminal, console: Console) -> None:
    """A wait for a pane that was seen before ends, with its last screen; any other one fails."""
    terminal.open()
    terminal.close(console.pane)
    readiness = console.wait_ready()
    assert (readiness.outcome, readiness.screen.text) == (Outcome.EXITED, "$")
    with pytest.raises(PaneNotFoundError, match="there is no pane '%0' on this tmux server"):
        Console(terminal, console.pane).wait_ready()


def test_read_is_screen_and_history(console: Console) -> None:
    """Reading gives the screen, and as many rows above it as are asked for."""
    console.send("many")
    assert console.wait_ready()
    assert console.read(0).splitlines() == [*(f"line {n}" for n in range(78, 101)), "$"]
    assert console.read(2).splitlines()[:3] == ["line 76", "line 77", "line 78"]
    assert console.read().splitlines()[:2] == ["$ many", "line 1"]
    console.send("many")
    assert console.wait_ready()
    assert len(console.read().splitlines()) == 100 + 24


def test_a_prompt_that_was_typed_at_and_emptied(console: Console) -> None:
    """A prompt, and no question, however soon it is waited for."""
    assert console.wait_ready()
    console.keys("a", "BSpace")
    assert [console.wait_ready().outcome for _ in range(2)] == [Outcome.PROMPT] * 2


def test_read_what_is_new() -> None:
    """Without what stood there, without what was typed, in lines that are not broken."""
    shell = ScriptedShell(
        {"long": "x" * 50, "true": "", "clear": "\x1b[H\x1b[2J", "ask": question("Sure? ")}
    )
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open("sh", size=Size(20, 6)))
    console.wait_ready()
    for line, new in (("long", f"{'x' * 50}\n$"), ("true", "$"), ("clear", "$"), ("ask", "Sure?")):
        mark = console.send(line)
        console.wait_ready()
        assert console.read(since=mark) == new


def test_what_is_new_is_read_as_far_back_as_the_mark() -> None:
    """However much that is, and though more is printed between two snapshots."""
    lines = "\n".join(map(str, range(1, 501)))
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"seq": lines})})
    console = Console(terminal, terminal.open("sh"))
    console.wait_ready()
    mark = console.send("seq")
    console.wait_ready()
    new = console.read(since=mark)
    assert (new, new.complete) == (f"{lines}\n$", True)
    console.run("seq")
    new = console.read(5, since=mark)
    assert (new, new.complete) == (f"{lines}\n$ seq\n{lines}\n$", True)


def test_the_beginning_of_what_is_new_is_gone() -> None:
    """The rest is told, and that it is not all."""
    shell = ScriptedShell(
        {
            "seq": "\n".join(map(str, range(100))),
            "wipe": "\x1b[3J\x1b[H\x1b[2J\x1b[3J",
            "top": "\x1b[Hx",
        }
    )
    terminal = FakeTerminal(programs={"sh": shell}, history_limit=50)
    console = Console(terminal, terminal.open("sh", size=Size(20, 6)))
    console.wait_ready()
    for line, begins in (("seq", "49\n50\n"), ("wipe", "$"), ("top", "x")):
        mark = console.send(line)
        console.wait_ready()
        new = console.read(since=mark)
        assert new.startswith(begins), line
        assert not new.complete


def test_a_resize_lays_nothing_new_out() -> None:
    """After a resize it cannot be determined whether the new text is complete."""
    shell = ScriptedShell({"long": "abc" * 15, "make": after(5.0, "built")})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open("sh", size=Size(40, 6)))
    console.run("long")
    mark = console.send("make")
    for columns in (20, 60):
        terminal.resize(console.pane, Size(columns, 6))
        assert console.wait_for("abc", 0.5).outcome is Outcome.TIMEOUT
    assert console.wait_for("built").outcome is Outcome.MATCHED
    new = console.read(since=mark)
    assert (new.partition("\n")[0], new.complete) == ("built", False)


def test_a_mark_of_now(terminal: FakeTerminal, console: Console) -> None:
    """Nothing is sent, and waits that are given none still judge against the last send."""
    console.send("colours")
    console.wait_ready()
    sent = terminal.sent()
    mark = console.mark()
    assert terminal.sent() == sent
    assert mark == Mark(
        screen=terminal.observe(console.pane), tty=terminal.probe(console.pane), prompt=mark.prompt
    )
    assert console.read(since=mark) == ""
    assert console.wait_for("red", 0.5, since=mark).outcome is Outcome.TIMEOUT
    assert console.wait_for("red", 0.5).outcome is Outcome.MATCHED


def test_a_mark_of_another_pane(terminal: FakeTerminal, console: Console) -> None:
    """It says nothing of this one."""
    other = Console(terminal, terminal.open("sh"))
    for mark in (other.mark(), other.send("a"), other.keys("C-c")):
        for use in (console.read, console.wait_ready, partial(console.wait_for, "x")):
            with pytest.raises(
                InvalidPaneError,
                match=r"^the mark is of pane %1, not of pane %0; use a mark of this pane$",
            ):
                use(since=mark)
    assert console.read(since=attrs.evolve(mark, pane=None)) is not None


def test_a_mark_of_the_last_server(terminal: FakeTerminal, console: Console) -> None:
    """Its pane had the id that another one has now."""
    mark = console.mark()
    terminal.faults.stop_server()
    new = Console(terminal, terminal.open("sh"))
    for use in (new.read, new.wait_ready, partial(new.wait_for, "x")):
        with pytest.raises(InvalidPaneError, match=r"of pane %0 of another server, not of pane"):
            use(since=mark)


def test_read_refuses_fewer_rows_than_none(console: Console) -> None:
    """Rows of the history are counted, not indexed from the end."""
    with pytest.raises(InvalidScreenError, match="history is 0 or more rows, got -1"):
        console.read(-1)


def test_read_is_clean(console: Console) -> None:
    """Colours are no part of what is read."""
    console.send("colours")
    assert console.wait_ready()
    assert console.read() == "$ colours\nred\n$"


def test_wait_for_a_command(console: Console) -> None:
    """A command's output looks like a prompt on the way, and does not count."""
    console.send("make")
    readiness = console.wait_ready()
    assert readiness.outcome is Outcome.PROMPT
    assert 4.0 < readiness.elapsed < 4.02
    assert readiness.screen.text == "$ make\ncompiling 100%\ndone\n$"


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        ("ask", Outcome.AWAITING_INPUT),
        ("login", Outcome.AWAITING_SECRET),
        ("less", Outcome.FULLSCREEN),
        ("python", Outcome.PROMPT),
        ("clear", Outcome.PROMPT),
        ("", Outcome.PROMPT),
        ("exit", Outcome.EXITED),
    ],
)
def test_wait_tells_what_it_found(console: Console, command: str, outcome: Outcome) -> None:
    """Questions, passwords, full-screen programs, REPLs and an end are told apart."""
    console.send(command)
    assert console.wait_ready().outcome is outcome


def test_answers_and_passwords_arrive(console: Console) -> None:
    """A question gets its answer, and a password its text, which is not shown."""
    for command, answer in (("ask", "y"), ("login", "secret")):
        console.send(command)
        assert console.wait_ready()
        console.send(answer)
        assert console.wait_ready().outcome is Outcome.PROMPT
    assert "you said y\n" in console.read()
    assert "6 characters\n" in console.read()
    assert "secret" not in console.read()


def test_interrupt(console: Console) -> None:
    """A command that takes too long times out, and is interrupted."""
    console.send("make")
    assert console.wait_ready(timeout=1).outcome is Outcome.TIMEOUT
    console.keys("C-c")
    assert console.wait_ready().outcome is Outcome.PROMPT


def test_wait_has_an_end(console: Console) -> None:
    """A wait that is given no time limit takes ten seconds at most."""
    console.send("python")
    readiness = console.wait_ready(strategy=ExitStrategy())
    assert readiness.outcome is Outcome.TIMEOUT
    assert 10.0 <= readiness.elapsed < 10.001


def test_wait_without_a_send(console: Console) -> None:
    """A prompt that stands there already is ready at once when nothing was sent."""
    readiness = console.wait_ready(timeout=0)
    assert (readiness.outcome, readiness.elapsed) == (Outcome.PROMPT, 0)


@pytest.mark.parametrize(("command", "evidence"), [("ask", True), ("less", True), ("", False)])
def test_what_was_ready_does_not_time_out(command: str, *, evidence: bool) -> None:
    """What was found ready is found ready again with ``timeout=0``."""
    terminal = FakeTerminal(programs={"sh": SHELL}, evidence=evidence, clock=CountingClock())
    console = Console(terminal, terminal.open())
    assert console.wait_ready()
    console.send(command)
    found = console.wait_ready().outcome
    assert console.wait_ready(timeout=0).outcome is found


def test_stillness_begins_anew_with_a_send(console: Console) -> None:
    """A key that changes nothing is given as long to have an effect as any other."""
    console.wait_ready(timeout=5, strategy=ExitStrategy())
    console.keys("Up")
    readiness = console.wait_ready(strategy=StabilityStrategy(quiet=2.0))
    assert 2.0 <= readiness.elapsed < 2.1


@pytest.mark.parametrize(("command", "key"), [("make", "C-c"), ("ask", "Enter")])
def test_own_prompt_is_known_after_a_key(command: str, key: str) -> None:
    """A shell's own prompt is also found after C-c and after an answer."""
    shell = ScriptedShell(SHELL.commands, prompt="ready! ")
    terminal = FakeTerminal(programs={"sh": shell}, clock=CountingClock())
    console = Console(terminal, terminal.open())
    for line in ("", command):
        assert console.wait_ready()
        console.send(line)
    console.wait_ready(timeout=1)
    console.keys(key)
    assert console.wait_ready().outcome is Outcome.PROMPT


def test_wait_judges_against_the_last_mark(console: Console) -> None:
    """The prompt from before the command does not count, even if it is all that is there."""
    console.send("make")
    assert console.wait_ready(timeout=0).outcome is Outcome.TIMEOUT


def test_wait_since_a_mark(terminal: FakeTerminal, console: Console) -> None:
    """A mark that is given counts in the place of the last one: nothing has happened since."""
    pane = console.pane
    now = Mark(screen=terminal.observe(pane), tty=terminal.probe(pane), prompt=Prompt("$ "))
    readiness = console.wait_ready(timeout=0, since=now)
    assert readiness.outcome is Outcome.TIMEOUT
    assert "nothing has happened yet since the last key was sent" in readiness.reason


def test_wait_for_a_pattern(console: Console) -> None:
    """A prompt pattern is searched in the lowest row, in the place of the known prompts."""
    console.send("less")
    readiness = console.wait_ready(prompt_pattern=r"\(END\)")
    assert (readiness.outcome, readiness.strategy) == (Outcome.PROMPT, "PromptStrategy")


def test_old_prompt_does_not_match_a_pattern() -> None:
    """Without evidence, too, a row that stood there at the mark is no new prompt."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"sleep 9": after(9.0)})}, evidence=False)
    console = Console(terminal, terminal.open())
    assert console.wait_ready()
    console.send("sleep 9")
    assert console.wait_ready(60, prompt_pattern=r"\$").elapsed > 8


class Falsy(PromptStrategy):
    """A strategy that is false."""

    def __bool__(self) -> bool:
        return False


def test_strategy_that_is_false(console: Console) -> None:
    """A strategy decides even if it is false, such as one with a length of zero."""
    assert console.wait_ready(strategy=Falsy()).strategy == "Falsy"


def test_wait_with_a_strategy_of_its_own(terminal: FakeTerminal) -> None:
    """A console's strategy decides; one that is given to a wait, or a pattern, comes first."""
    console = Console(terminal, terminal.open(), strategy=ExitStrategy())
    assert console.wait_ready(timeout=1).outcome is Outcome.TIMEOUT
    assert console.wait_ready(strategy=PromptStrategy()).outcome is Outcome.PROMPT
    assert console.wait_ready(prompt_pattern=r"\$").outcome is Outcome.PROMPT


def test_pattern_and_strategy_refused(console: Console) -> None:
    """Two ways to say what ready means are one too many."""
    with pytest.raises(InvalidStrategyError) as caught:
        console.wait_ready(prompt_pattern="x", strategy=ExitStrategy())
    assert str(caught.value) == "give prompt_pattern or strategy, not both"


def test_strategy_refused(terminal: FakeTerminal) -> None:
    """A strategy that forgot its brackets is refused when the console is made."""
    with pytest.raises(InvalidStrategyError, match="call it first"):
        Console(terminal, Pane("x"), strategy=ExitStrategy)  # type: ignore[arg-type]  # the point


def test_a_text_names_a_pane(terminal: FakeTerminal) -> None:
    """Whoever has only one pane in mind needs no `Pane`."""
    pane = terminal.open(name="shared")
    assert Console(terminal, "shared").pane == pane
    with pytest.raises(InvalidPaneError, match="a pane id looks like '%3', got '%x'"):
        Console(terminal, "%x")
    with pytest.raises(InvalidPaneError, match=r"a pane is named by a str .*, got None"):
        Console(terminal, None)  # type: ignore[arg-type]  # the mistake


def test_a_terminal_that_is_awaited() -> None:
    """It is refused at once, and what takes it is named."""
    terminal = AsyncFakeTerminal()
    got = f"got {terminal!r}, whose methods are awaited; use"
    with pytest.raises(TypeError, match=re.escape(f"Console {got} AsyncConsole")):
        Console(terminal, "shared")  # type: ignore[arg-type]  # the mistake
    with pytest.raises(TypeError, match=re.escape(f"TmuxTool {got} AsyncTmuxTool")):
        TmuxTool(terminal)  # type: ignore[arg-type]  # the mistake


def test_send_returns_the_mark(console: Console) -> None:
    """A mark shows the screen with what was typed, and the prompt without."""
    mark = console.send("ls")
    assert mark.screen.before_cursor == "$ ls"
    assert mark.prompt == Prompt("$ ", 1000)


def test_mark_has_the_prompt_that_was_found_last(console: Console) -> None:
    """What is typed at a question is judged against the prompt before it, not the question."""
    console.send("ask")
    assert console.wait_ready().outcome is Outcome.AWAITING_INPUT
    mark = console.send("y")
    assert mark.screen.before_cursor == "Continue? [y/N] y"
    assert mark.prompt == Prompt("$ ", 1000)


def test_mark_without_a_prompt_that_was_found(terminal: FakeTerminal) -> None:
    """Where no prompt was found yet, it may be what stood left of the cursor before the text."""
    console = Console(terminal, terminal.open())
    terminal.clock.sleep(1)
    assert console.send("ls").prompt == Prompt("$ ", 1000)


@pytest.mark.parametrize("act", [lambda c: c.keys(), lambda c: c.send("", enter=False)])
def test_sending_nothing_does_not_move_the_mark(
    console: Console, act: Callable[[Console], Mark]
) -> None:
    """Who sends nothing waits for what was sent before, and not for an effect of nothing."""
    before = console.send("ask")
    assert console.wait_ready()
    assert act(console) != before
    assert console.wait_ready(timeout=0).outcome is Outcome.AWAITING_INPUT


def test_pane_that_goes_on_the_text() -> None:
    """When the program ends on the text, the message says that the text was typed."""

    def any_key(tty: FakeTty) -> Run:
        tty.write("> ")
        yield ReadKey()
        return 0

    terminal = FakeTerminal(programs={"any-key": any_key})
    terminal.open()
    console = Console(terminal, terminal.open("any-key"))
    console.wait_ready()
    with pytest.raises(
        PaneNotFoundError, match=r"^the text has been typed, but pressing Enter failed"
    ):
        console.send("q")


# `Console.open` on the fake: it opens or takes a pane, and closes only what it has opened.

Snapshot = Callable[[FakeTerminal, Pane], object]
Opens = Callable[..., object]


class How(TypedDict, total=False):
    """What a pane is to be like."""

    command: str | list[str] | None
    name: str | None
    reuse: bool
    size: Size
    cwd: str
    env: dict[str, str]


SHARED: How = {"name": "shared", "reuse": True}


def opened(fake: FakeTerminal, snapshot: Snapshot, **how: Unpack[How]) -> object:
    """Open a pane with `Console`, and return what is seen of it in the block."""
    with Console.open(fake, **how) as console:
        return snapshot(fake, console.pane)


def opened_async(fake: FakeTerminal, snapshot: Snapshot, **how: Unpack[How]) -> object:
    """Do the same with `AsyncConsole`."""

    async def main() -> object:
        async with AsyncConsole.open(AsyncFakeTerminal(fake), **how) as console:
            return snapshot(fake, await console.locate())

    return asyncio.run(main())


both = pytest.mark.parametrize("opens", [opened, opened_async])


def place(fake: FakeTerminal, pane: Pane) -> object:
    """Return the name, the program and the size of a pane."""
    (info,) = (info for info in fake.panes() if info == pane)
    return info.session, info.command, info.size


@both
def test_what_it_opens_is_closed(opens: Opens) -> None:
    """It is as it was asked for, and gone when the block ends."""
    fake = FakeTerminal(programs={"ask": question("name? ")})
    how = {
        "command": ["ask"],
        "name": "shared",
        "size": Size(90, 20),
        "cwd": "/",
        "env": {"A": "1"},
    }
    assert opens(fake, place, **how) == ("shared", "ask", Size(90, 20))
    assert opens(fake, place, **SHARED) == ("shared", "sh", Size(80, 24))
    assert fake.panes() == ()


@both
def test_what_is_there_is_taken_and_stays(opens: Opens) -> None:
    """Whatever was asked for if it were not there."""
    fake = FakeTerminal(programs={"ask": question("name? ")})
    pane = fake.open("ask", name="shared")
    assert opens(fake, place, **SHARED, command="sh") == ("shared", "ask", Size(80, 24))
    assert fake.panes() == (pane,)


@both
def test_it_is_closed_when_the_block_fails(opens: Opens) -> None:
    """As of every with block."""
    fake = FakeTerminal()
    with pytest.raises(ZeroDivisionError):
        opens(fake, lambda *_: 1 / 0)
    assert fake.panes() == ()


@both
def test_a_name_that_is_taken_is_refused(opens: Opens) -> None:
    """The message says whose name it is, and what to do; the pane stays as it is."""
    fake = FakeTerminal()
    pane = fake.open(name="shared")
    with pytest.raises(PaneExistsError) as caught:
        opens(fake, place, name="shared")
    assert str(caught.value) == (
        "a session named 'shared' already exists; give another name, or take the existing "
        "pane with Console.open(..., reuse=True)"
    )
    assert fake.panes() == (pane,)


@both
@pytest.mark.parametrize("name", [None, "%0", "shared:0", ""])
def test_reuse_needs_the_name_of_a_session(opens: Opens, name: str | None) -> None:
    """Which another one could be opened by."""
    fake = FakeTerminal()
    fake.open(name="shared")
    with pytest.raises(InvalidPaneError, match="name"):
        opens(fake, place, reuse=True, name=name)


@both
def test_a_program_that_is_not_there(opens: Opens) -> None:
    """It is an error, and nothing is opened."""
    fake = FakeTerminal()
    with pytest.raises(ProgramNotFoundError, match="no program 'htop'"):
        opens(fake, place, command=["htop", "-t"], **SHARED)
    assert fake.panes() == ()


@both
@pytest.mark.parametrize(
    ("command", "taken"),
    [
        ("htop", ["htop"]),
        ("/usr/bin/g++-12", ["/usr/bin/g++-12"]),
        ("htop -t", "htop -t"),
        ("A=1", "A=1"),
        ("h\xf6top", "h\xf6top"),
        ("", ""),
        (["htop", "-t"], ["htop", "-t"]),
        (None, None),
    ],
)
def test_one_word_is_a_program(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, command: str | list[str] | None, taken: object
) -> None:
    """Any other text is what a shell reads."""
    fake = FakeTerminal()
    opened = fake.open
    asked: list[object] = []

    def note(command: object, **_: object) -> Pane:
        asked.append(command)
        return opened()

    monkeypatch.setattr(fake, "open", note)
    opens(fake, lambda *_: None, command=command)
    assert asked == [taken]


@both
def test_somebody_else_is_quicker(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they have opened between the two calls is taken, and stays."""
    fake = FakeTerminal()
    resolve = fake.resolve

    def be_quicker(_: Pane) -> Pane:
        monkeypatch.setattr(fake, "resolve", resolve)
        fake.open(name="shared")
        raise PaneNotFoundError("there was none a moment ago")

    monkeypatch.setattr(fake, "resolve", be_quicker)
    assert opens(fake, lambda _, pane: pane, **SHARED) == Pane("%0", server=fake.panes()[0].server)
    assert len(fake.panes()) == 1


def test_a_terminal_of_the_other_kind() -> None:
    """It is refused before anything is opened."""
    fake = FakeTerminal()
    with pytest.raises(TypeError, match="use AsyncConsole"):
        opened(AsyncFakeTerminal(fake), place)  # type: ignore[arg-type]  # of the other kind

    async def other() -> None:
        async with AsyncConsole.open(fake):  # type: ignore[arg-type]  # the mistake
            pass

    with pytest.raises(TypeError, match="use Console"):
        asyncio.run(other())
    assert fake.panes() == ()
