"""`PromptStrategy`: what is a prompt at the cursor, and how sure that is."""

import re
from typing import Any

import attrs
import pytest

from tests.unit.builders import (
    ASKING,
    AT_PROMPT,
    COOKED_ONLY,
    HIDING,
    MARK,
    PANE,
    RAW_ONLY,
    Frame,
    ScriptedTerminal,
    screen,
)
from tmuxprim import (
    Console,
    FakeTerminal,
    InvalidPatternError,
    Mark,
    Outcome,
    PromptStrategy,
    Screen,
    TtyState,
)
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import drive
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.prompt import GoneStrategy
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import MatchStrategy, Pass, Prompt, Ready, Snapshot, Verdict
from tmuxprim.testing import FakeTty, ReadKey, Run, ScriptedShell, Sleep, after, question, spinner


def judge(
    text: str,
    *,
    tty: TtyState | None = AT_PROMPT,
    mark: Mark | None = None,
    steady: bool = True,
    unchanged_for: float = 60.0,
) -> Verdict:
    """Ask for a prompt on a screen that has stood still for long, read by a line editor."""
    return PromptStrategy().assess(
        Snapshot(
            screen=screen(text), tty=tty, mark=mark, steady=steady, unchanged_for=unchanged_for
        )
    )


@pytest.mark.parametrize(
    "text",
    [
        "$ ",
        "user@host:~/src# ",
        "host% ",
        "PS C:\\> ",
        ">>> ",
        "... made it\n>>> ",
        "sqlite> ",
        "❯ ",  # noqa: RUF001  # a prompt of the time
        "~ › ",  # noqa: RUF001  # a prompt of the time
        "main \ue0b0",
        "(gdb) ",
        "(Pdb) ",
        "In [12]: ",
        "output without line break$ ",
    ],
)
def test_known_prompt(text: str) -> None:
    """The prompts of shells, REPLs and debuggers are known by their looks."""
    verdict = judge(text)
    prompt = text.rpartition("\n")[2].strip()
    assert verdict == Ready(Outcome.PROMPT, f"prompt {prompt!r} at the cursor")


@pytest.mark.parametrize(
    "text",
    ["", "done", "$ make", "100% done", "Continue? [y/N] ", "name: ", "(yes/no) or what", "$ \n"],
)
def test_no_prompt(text: str) -> None:
    """Text, questions and a prompt with something behind it are no prompts."""
    before = text.rpartition("\n")[2]
    assert judge(text) == Pass(f"no prompt in {before!r}")


@pytest.mark.parametrize("text", ["100%", "<html>", "total: 5 $"])
def test_output_that_looks_like_a_prompt(text: str) -> None:
    """After a line of output the cursor stands elsewhere, and nothing is found there."""
    assert judge(f"{text}\n") == Pass("no prompt in ''")


@pytest.mark.parametrize("pattern", [r"ready> $", re.compile(r"ready> $")])
def test_own_pattern(pattern: str | re.Pattern[str]) -> None:
    """A pattern of one's own takes the place of the known prompts."""
    strategy = PromptStrategy(pattern)
    found, missed = (
        Snapshot(screen=screen("ready> "), unchanged_for=1),
        Snapshot(screen=screen("$ ")),
    )
    assert isinstance(strategy.assess(found), Ready)
    assert strategy.assess(missed) == Pass("no prompt in '$ '")


def test_last_line() -> None:
    """On request the lowest row counts, wherever the cursor stands, full-screen or not."""
    shown = attrs.evolve(screen("hello\n\nesc interrupt"), cursor=screen("").cursor, alternate=True)
    snapshot = Snapshot(screen=shown, tty=AT_PROMPT)
    strategy = PromptStrategy("esc interrupt", last_line=True)
    assert isinstance(strategy.assess(snapshot), Ready)
    assert attrs.evolve(strategy, last_line=False).assess(snapshot) == Pass(
        "a full-screen program has no prompt at its cursor"
    )


def test_last_line_of_a_program_that_reads_lines() -> None:
    """Who asks for the last row is not asked whether the shell reads it."""
    snapshot = Snapshot(
        screen=screen("value> "),
        tty=attrs.evolve(ASKING, foreground_pid=10),
        mark=MARK,
        unchanged_for=0.001,
    )
    assert isinstance(PromptStrategy("value>", last_line=True).assess(snapshot), Ready)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "missing ), unterminated subpattern at position 0"),
        ("a{99999999999999999999}", "the repetition number is too large"),
        (7, "first argument must be string or compiled pattern"),
        (b"x", "cannot use a bytes pattern on a string-like object"),
        (re.compile(b"x"), "cannot use a bytes pattern on a string-like object"),
    ],
)
def test_pattern_refused(pattern: str, reason: str) -> None:
    """What is no regular expression is refused when the strategy is made, with the reason."""
    with pytest.raises(InvalidPatternError) as caught:
        PromptStrategy(pattern)
    assert str(caught.value) == (
        f"a pattern is a regular expression, got {pattern!r}: {reason}; "
        "re.escape() makes one from literal text"
    )
    assert isinstance(caught.value.__cause__, (re.error, TypeError, OverflowError))


ODD = Mark(screen=screen("ready! make"), tty=MARK.tty, prompt=Prompt("ready! ", 10))


@pytest.mark.parametrize("before", [MARK.tty, ASKING, None])
def test_prompt_of_any_look_that_is_back(before: TtyState | None) -> None:
    """The text that the same process showed before is its prompt, also after another reader."""
    mark = attrs.evolve(ODD, tty=before)
    assert judge("ready! ", mark=mark) == Ready(Outcome.PROMPT, "prompt 'ready!' at the cursor")


@pytest.mark.parametrize(
    ("text", "tty", "mark"),
    [
        ("ready? ", AT_PROMPT, ODD),
        ("ready! ", None, ODD),
        ("ready! ", attrs.evolve(AT_PROMPT, canonical=True, echo=True), ODD),
        ("ready! ", RAW_ONLY, ODD),
        ("ready! ", attrs.evolve(AT_PROMPT, foreground_pid=99), ODD),
        ("ready! ", AT_PROMPT, None),
        ("ready! ", AT_PROMPT, attrs.evolve(ODD, prompt=None)),
        ("ready! ", AT_PROMPT, attrs.evolve(ODD, prompt=Prompt("ready! "))),
        ("ready! ", RAW_ONLY, attrs.evolve(ODD, prompt=Prompt("ready! "))),
        ("  ", AT_PROMPT, attrs.evolve(ODD, prompt=Prompt("  ", 10))),
        ("name: ", AT_PROMPT, attrs.evolve(ODD, prompt=Prompt("name: ", 10))),
    ],
    ids=[
        "another text",
        "no evidence",
        "whole lines are read",
        "foreground unknown",
        "another process",
        "nothing was sent",
        "no prompt before",
        "prompt of an unknown program",
        "neither is known",
        "nothing to see",
        "a question is asked again",
    ],
)
def test_odd_text_that_is_no_prompt(text: str, tty: TtyState | None, mark: Mark | None) -> None:
    """An odd text counts only if the same process showed the same before, and asks nothing."""
    assert judge(text, tty=tty, mark=mark) == Pass(f"no prompt in {text!r}")


@pytest.mark.parametrize(("text", "is_prompt"), [("make", False), ("make\nready!", True)])
def test_the_line_of_the_first_command(text: str, *, is_prompt: bool) -> None:
    """A shell that was never seen at its prompt has taken the line once another has begun."""
    mark = Mark(screen=screen("make"), tty=AT_PROMPT)
    shown = attrs.evolve(screen(text), command="zsh")
    snapshot = Snapshot(
        screen=shown, tty=attrs.evolve(AT_PROMPT, edits=True), mark=mark, unchanged_for=60
    )
    assert isinstance(PromptStrategy().assess(snapshot), Ready) is is_prompt


READ_BY_SHELL = attrs.evolve(ASKING, foreground_pid=10)


@pytest.mark.parametrize(
    ("before", "after", "command", "is_asked"),
    [
        ("1> ", "2> ", "bash", True),
        ("1> ", "2> ", "python3", False),
        ("$ read x", "2> ", "dash", False),  # its prompt may have changed
        ("1> ", "$ ", "dash", False),
        ("1> ", "1> $ ", "dash", False),  # the answer was not shown, and no line begun
        ("1> ", "1> $", "dash", True),
    ],
)
def test_read_builtin_asks_again(before: str, after: str, command: str, *, is_asked: bool) -> None:
    """Where the read site of a shell is not reported, it asks on until its prompt is back."""
    mark = Mark(screen=screen(before), tty=READ_BY_SHELL, prompt=Prompt("$ ", 10))
    shown = attrs.evolve(screen(after), command=command)
    snapshot = Snapshot(screen=shown, tty=READ_BY_SHELL, mark=mark, unchanged_for=60)
    verdict = PromptStrategy().assess(snapshot)
    asked = Pass(f"{after!r} is asked by a program that the shell runs")
    found = Ready(Outcome.PROMPT, f"prompt {after.strip()!r} at the cursor")
    assert verdict == (asked if is_asked else found)


@pytest.mark.parametrize("prompt", [None, Prompt("$ ", 99)])
def test_a_prompt_of_nobody_here_tells_of_no_question(prompt: Prompt | None) -> None:
    """What was asked before may have been the first thing that was seen."""
    mark = Mark(screen=screen("1> "), tty=READ_BY_SHELL, prompt=prompt)
    assert isinstance(judge("2> ", tty=READ_BY_SHELL, mark=mark), Ready)


def test_read_builtin_is_no_prompt() -> None:
    """A shell that now reads a whole line runs ``read``, whatever its question looks like."""
    assert judge("value> ", tty=READ_BY_SHELL, mark=MARK) == Pass(
        "'value> ' is asked by a program that the shell runs"
    )


@pytest.mark.parametrize(
    ("tty", "mark"),
    [
        (None, MARK),
        (AT_PROMPT, MARK),
        (READ_BY_SHELL, None),
        (READ_BY_SHELL, attrs.evolve(MARK, tty=None)),
        (READ_BY_SHELL, attrs.evolve(MARK, tty=ASKING)),
        (ASKING, MARK),
    ],
    ids=[
        "no evidence",
        "a line editor",
        "nothing was sent",
        "no evidence before",
        "a shell without line editor",
        "a child of the shell",
    ],
)
def test_prompt_of_a_program(tty: TtyState | None, mark: Mark | None) -> None:
    """Everything else that reads lines, such as ``dash`` or ``bc``, may show a prompt."""
    assert isinstance(judge("value> ", tty=tty, mark=mark), Ready)


def test_unsteady_evidence() -> None:
    """A screen that was read while the program worked is read again at once."""
    verdict = judge("$ ", steady=False)
    assert verdict == Pass(
        "prompt '$' at the cursor, but the program worked meanwhile", again_in=0.0
    )


SAME_SCREEN = attrs.evolve(MARK, screen=screen("a\n$ "))


@pytest.mark.parametrize(
    ("tty", "mark", "seconds"),
    [
        (AT_PROMPT, MARK, 0.0),
        (AT_PROMPT, None, 0.0),
        (RAW_ONLY, MARK, 0.1),
        (AT_PROMPT, SAME_SCREEN, 0.06),
        (None, None, 2.0),
        (None, MARK, 0.3),
        (None, attrs.evolve(MARK, prompt=None), 2.0),
        (None, attrs.evolve(MARK, prompt=Prompt("# ")), 2.0),
    ],
    ids=[
        "all is known",
        "all is known, nothing was sent",
        "reader unknown",
        "screen unchanged",
        "no evidence, nothing was sent",
        "no evidence, the old prompt",
        "no evidence, no prompt before",
        "no evidence, a new prompt",
    ],
)
def test_settling_time(tty: TtyState | None, mark: Mark | None, seconds: float) -> None:
    """The less is known, the longer a prompt has to stand still."""
    ready = judge("a\n$ ", tty=tty, mark=mark, unchanged_for=seconds + 1e-6)
    assert isinstance(ready, Ready)
    if seconds:
        early = judge("a\n$ ", tty=tty, mark=mark, unchanged_for=seconds - 0.01)
        assert isinstance(early, Pass)
        guess = "a guess: " if seconds > 1 else ""
        assert early.reason == f"{guess}prompt '$' at the cursor, not settled yet"
        assert early.again_in == pytest.approx(0.01)


LAST = PromptStrategy("ready", last_line=True)
LAST_LINE = screen("a\nready\n")
STOOD = Mark(screen=LAST_LINE)


@pytest.mark.parametrize(
    ("tty", "mark", "alternate", "seconds"),
    [
        (AT_PROMPT, None, False, 0.0),
        (AT_PROMPT, MARK, False, 0.0),
        (RAW_ONLY, MARK, False, 0.1),
        (None, None, False, 0.3),
        (None, MARK, False, 0.3),
        (AT_PROMPT, STOOD, False, 1.0),
        (None, STOOD, True, 1.0),
    ],
    ids=[
        "nothing was sent",
        "a new row",
        "reader unknown",
        "no evidence, nothing was sent",
        "no evidence, a new row",
        "the old row, and somebody reads",
        "the old row of a full-screen program",
    ],
)
def test_settling_time_of_the_last_line(
    tty: TtyState | None, mark: Mark | None, seconds: float, *, alternate: bool
) -> None:
    """A row that stood there before has to stand still for longer than a new one."""
    shown = attrs.evolve(LAST_LINE, alternate=alternate)
    ready = Snapshot(screen=shown, tty=tty, mark=mark, unchanged_for=seconds + 1e-6)
    early = attrs.evolve(ready, unchanged_for=seconds - 0.01)
    found = "the pattern is in 'ready'"
    assert LAST.assess(ready) == Ready(Outcome.PROMPT, found)
    if seconds:
        verdict = LAST.assess(early)
        assert isinstance(verdict, Pass)
        assert verdict.reason == f"{found}, not settled yet"
        assert verdict.again_in == pytest.approx(0.01)


@pytest.mark.parametrize("tty", [None, COOKED_ONLY])
def test_last_line_that_was_there_before(tty: TtyState | None) -> None:
    """Without anybody known to read, the line that was typed is not taken for a new prompt."""
    snapshot = Snapshot(screen=LAST_LINE, tty=tty, mark=STOOD, unchanged_for=60)
    assert LAST.assess(snapshot) == Pass("'ready' was already there")


def test_last_line_that_does_not_match() -> None:
    """Rows above the lowest one do not count."""
    snapshot = Snapshot(screen=screen("ready\nsteady"), unchanged_for=60)
    assert LAST.assess(snapshot) == Pass("the pattern is not in 'steady'")


def test_last_line_on_an_unsteady_look() -> None:
    """A row that was read while the program worked is read again at once."""
    snapshot = Snapshot(screen=LAST_LINE, tty=AT_PROMPT, steady=False, unchanged_for=60)
    assert LAST.assess(snapshot) == Pass(
        "the pattern is in 'ready', but the program worked meanwhile", again_in=0.0
    )


COOKED_SHELL = attrs.evolve(COOKED_ONLY, foreground_pid=10)
SEEN = Mark(screen=screen("$ x"), tty=RAW_ONLY, prompt=Prompt("$ ", 10))


def guessed(text: str, tty: TtyState | None, command: str, mark: Mark | None = SEEN) -> Verdict:
    """Return the verdict on a text after a second, where the reader is not reported."""
    marked = mark and attrs.evolve(mark, screen=attrs.evolve(mark.screen, command="bash"))
    shown = attrs.evolve(screen(f"$ x\n{text}"), command=command)
    snapshot = Snapshot(screen=shown, tty=tty, mark=marked, unchanged_for=1)
    return PromptStrategy().assess(snapshot)


@pytest.mark.parametrize(
    ("text", "tty", "command", "mark"),
    [
        ("$ ", None, "bash", SEEN),
        ("$ ", attrs.evolve(RAW_ONLY, foreground_pid=10), "bash", SEEN),
        (">>> ", attrs.evolve(RAW_ONLY, edits=True, program="python3"), "python3", SEEN),
        ("sqlite> ", attrs.evolve(RAW_ONLY, edits=True), "sqlite3", SEEN),
        ("me$ ", attrs.evolve(RAW_ONLY, edits=True), "zsh", SEEN),
        ("$ ", attrs.evolve(RAW_ONLY, edits=True), "bash", None),
    ],
    ids=[
        *("its command", "its process", "a REPL's editor", "what runs no scripts"),
        *("a shell's editor", "the first prompt"),
    ],
)
def test_no_guess(text: str, tty: TtyState | None, command: str, mark: Mark | None) -> None:
    """A program shows its prompt again, or a line editor has the terminal."""
    assert isinstance(guessed(text, tty, command, mark), Ready)


@pytest.mark.parametrize(
    ("text", "tty", "command", "mark"),
    [
        (">>> ", None, "python3", SEEN),
        ("me$ ", None, "bash", SEEN),
        ("$ ", None, "bash", None),
        ("$ ", None, "ssh", SEEN),
        ("$ ", attrs.evolve(RAW_ONLY, edits=True), "fish", None),
        ("$ ", attrs.evolve(COOKED_ONLY, foreground_pid=11), "dash", SEEN),
        ("$ ", attrs.evolve(COOKED_ONLY, foreground_pid=10), "dash", attrs.evolve(SEEN, tty=None)),
        ("ready", attrs.evolve(RAW_ONLY, edits=True, foreground_pid=11), "bash", SEEN),
        (">>> ", attrs.evolve(RAW_ONLY, edits=True), "python3", SEEN),
    ],
    ids=[
        *("another command", "another text", "nothing was sent", "a relay", "fish starts raw"),
        *("another process", "a shell without a line editor", "drawn by what a shell runs"),
        "an interpreter, perhaps with a script",
    ],
)
def test_guess(text: str, tty: TtyState | None, command: str, mark: Mark | None) -> None:
    """Of a program that is known to show prompts, after two seconds."""
    said = guessed(text, tty, command, mark)
    is_its_own = tty is not None and mark is not None and mark.tty is None
    assert isinstance(said, Ready if is_its_own else Pass)
    if isinstance(said, Pass):
        assert said.again_in == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("tty", "command"),
    [
        (None, "make"),
        (COOKED_SHELL, "bash"),
        (attrs.evolve(COOKED_SHELL, foreground_pid=11), "zsh"),
        (attrs.evolve(RAW_ONLY, edits=True, foreground_pid=11), "make"),
        (attrs.evolve(RAW_ONLY, edits=True, foreground_pid=11, program="work.sh"), "bash"),
        (attrs.evolve(RAW_ONLY, edits=True, foreground_pid=11, program=""), "bash"),
    ],
    ids=[
        *("no shell", "a shell that edits, and does not", "another", "raw, and no shell"),
        *("a script", "code"),
    ],
)
def test_nobody_tells_that_it_is_a_prompt(tty: TtyState | None, command: str) -> None:
    """However long it stands there."""
    assert guessed("$ ", tty, command) == Pass(
        f"'$ ' is shown by {command}, which is not known to read"
    )


@pytest.mark.parametrize(("pid", "is_its"), [(10, True), (11, False)])
def test_the_prompt_of_this_machine_behind_a_connection(pid: int, *, is_its: bool) -> None:
    """What passes on another's text has not shown that prompt; its own prompt it has."""
    tty = attrs.evolve(AT_PROMPT, only_reading=False, passes_on=True, foreground_pid=pid)
    snapshot = Snapshot(screen=screen("$ x\n$ "), tty=tty, mark=SEEN, unchanged_for=0.2)
    assert isinstance(PromptStrategy().assess(snapshot), Ready) is is_its


def test_a_terminal_that_is_not_as_at_the_prompt() -> None:
    """What reads keys for a time shows the prompt's text, and the shell's line editor is off."""
    tty = attrs.evolve(RAW_ONLY, foreground_pid=10, reading=True, limit=0.0)
    at_prompt = attrs.evolve(SEEN, tty=attrs.evolve(RAW_ONLY, edits=True))
    assert isinstance(guessed("$ ", tty, "bash"), Ready)
    assert not isinstance(guessed("$ ", tty, "bash", at_prompt), Ready)


def test_a_first_prompt_that_ticks() -> None:
    """Nothing was typed, so it is enough to have waited for so long."""
    ticks = Snapshot(screen=screen("12 $ "), elapsed=2.0, unchanged_for=0.31)
    assert isinstance(PromptStrategy().assess(ticks), Ready)
    assert isinstance(PromptStrategy().assess(attrs.evolve(ticks, elapsed=1.0)), Pass)


@pytest.mark.parametrize(("command", "is_prompt"), [("cat", False), ("fzf", False), ("mine", True)])
def test_what_a_filter_has_not_written(command: str, *, is_prompt: bool) -> None:
    """It shows no prompt, so another program has; a pattern of one's own says more."""
    shown = attrs.evolve(screen("total: 5 $ "), command=command)
    snapshot = Snapshot(screen=shown, tty=AT_PROMPT, unchanged_for=9.0)
    assert isinstance(PromptStrategy().assess(snapshot), Ready) is is_prompt
    assert isinstance(PromptStrategy(r"\$ $").assess(snapshot), Ready)


# `PromptStrategy` where a shell edits lines: any text may be its prompt.

EDITING = attrs.evolve(AT_PROMPT, edits=True)
# After "make" was typed at a prompt that looks like none.
TYPED_BEHIND_GO = Mark(screen=screen("go make"), tty=EDITING, prompt=Prompt("go ", 10))


def shown(text: str, command: str = "bash") -> Screen:
    """Return a screen while *command* is in the foreground."""
    return attrs.evolve(screen(text), command=command)


def judge_one(snapshot: Snapshot, unchanged_for: float = 60.0) -> Verdict:
    """Ask for a prompt on a screen that has stood still for long."""
    return PromptStrategy().assess(attrs.evolve(snapshot, unchanged_for=unchanged_for))


FIRST = Snapshot(screen=shown("ready! "), tty=EDITING)
NEXT = Snapshot(screen=shown("go make\nready! "), tty=EDITING, mark=TYPED_BEHIND_GO)


@pytest.mark.parametrize("command", ["bash", "-bash", "zsh", "-zsh", "fish", "mksh", "busybox"])
@pytest.mark.parametrize("snapshot", [FIRST, NEXT], ids=["first", "after a command"])
def test_line_of_a_shell(snapshot: Snapshot, command: str) -> None:
    """Whatever a shell shows when it begins to edit a line is its prompt."""
    snapshot = attrs.evolve(snapshot, screen=attrs.evolve(snapshot.screen, command=command))
    assert judge_one(snapshot) == Ready(Outcome.PROMPT, "prompt 'ready!' at the cursor")


@pytest.mark.parametrize("snapshot", [FIRST, NEXT], ids=["first", "after a command"])
def test_it_may_still_be_drawing(snapshot: Snapshot) -> None:
    """So a prompt that is not known stands for a moment, though all is known of who reads."""
    early = judge_one(snapshot, 0.04)
    assert isinstance(early, Pass)
    assert early.reason == "prompt 'ready!' at the cursor, not settled yet"
    assert early.again_in == pytest.approx(0.01)
    assert isinstance(judge_one(snapshot, 0.05), Ready)


@pytest.mark.parametrize(
    ("snapshot", "change"),
    [
        (FIRST, {"edits": False}),
        (FIRST, {"edits": None}),
        (FIRST, {"reading": False}),
        (NEXT, {"edits": False}),
        (NEXT, {"reading": False}),
    ],
)
def test_without_a_line_editor_text_is_no_prompt(
    snapshot: Snapshot, change: dict[str, Any]
) -> None:
    """Nor while the shell still works."""
    tty = attrs.evolve(EDITING, **change)
    assert judge_one(attrs.evolve(snapshot, tty=tty)) == Pass("no prompt in 'ready! '")


@pytest.mark.parametrize("command", ["python3", "vim", ""])
def test_other_programs_have_line_editors_too(command: str) -> None:
    """In those a text may be anything."""
    assert isinstance(judge_one(attrs.evolve(FIRST, screen=shown("ready! ", command))), Pass)


@pytest.mark.parametrize(
    ("text", "tty", "found"),
    [
        ("ready! ", attrs.evolve(EDITING, reading=None), True),
        ("", EDITING, True),
        ("", attrs.evolve(EDITING, reading=None), False),
        ("  ", attrs.evolve(EDITING, reading=None), False),
        ("Name: ", EDITING, True),
    ],
    ids=["reader unknown", "no text", "nothing is known", "spaces", "like a question"],
)
def test_first_line(text: str, tty: TtyState, *, found: bool) -> None:
    """A prompt is found before anything was sent; an empty row also needs a reader."""
    snapshot = attrs.evolve(FIRST, screen=shown(text), tty=tty)
    assert isinstance(judge_one(snapshot), Ready if found else Pass)


@pytest.mark.parametrize(
    "text",
    ["go make\nSure? ", "go make\nName: ", "go make\n", "go make\n   ", "go make", "go make it"],
    ids=["question", "another question", "no text", "spaces", "as it was", "the same row"],
)
def test_no_line_of_a_shell(text: str) -> None:
    """The shell's own ``read -e`` asks; and what stands in the command's row was typed."""
    shown_text = text.rpartition("\n")[2]
    assert judge_one(attrs.evolve(NEXT, screen=shown(text))) == Pass(f"no prompt in {shown_text!r}")


def test_line_after_the_screen_was_cleared() -> None:
    """Then the row of the command is not known, and any text will do."""
    assert isinstance(judge_one(attrs.evolve(NEXT, screen=shown("ready! "))), Ready)


def test_a_prompt_may_come_to_look_like_none() -> None:
    """A command may have changed it; nor has anybody seen one to compare it with."""
    mark = Mark(screen=screen("$ make"), tty=EDITING, prompt=Prompt("$ ", 10))
    snapshot = attrs.evolve(NEXT, screen=shown("$ make\nready! "), mark=mark)
    assert isinstance(judge_one(snapshot), Ready)
    unknown = attrs.evolve(snapshot, mark=attrs.evolve(mark, prompt=None))
    assert isinstance(judge_one(unknown), Ready)


@pytest.mark.parametrize(
    ("shown_below", "ends_line"), [("go is typed", True), ("ready! ", False)], ids=["half", "a key"]
)
def test_what_is_typed_is_no_prompt(shown_below: str, *, ends_line: bool) -> None:
    """It stands behind the known prompt, or no line has been ended."""
    mark = attrs.evolve(TYPED_BEHIND_GO, ends_line=ends_line)
    snapshot = attrs.evolve(NEXT, screen=shown(f"go make\n{shown_below}"), mark=mark)
    assert judge_one(snapshot) == Pass(f"no prompt in {shown_below!r}")


def test_what_another_reads_is_no_line_of_the_shell() -> None:
    """A picker that the shell's line editor has started reads in its place."""
    tty = attrs.evolve(EDITING, reader_pid=11)
    assert judge_one(attrs.evolve(NEXT, tty=tty)) == Pass("no prompt in 'ready! '")


@pytest.mark.parametrize(
    ("snapshot", "found"),
    [
        (attrs.evolve(NEXT, screen=shown("go make\nwhat now? ")), True),
        (attrs.evolve(NEXT, screen=shown("go make\nwhat now? ", "python3")), False),
        (attrs.evolve(NEXT, screen=shown("go make\nwhat now? "), tty=AT_PROMPT), False),
    ],
    ids=["a shell edits lines", "another program", "single keys are read"],
)
def test_prompt_that_looks_like_a_question(snapshot: Snapshot, *, found: bool) -> None:
    """A shell's prompt that is back is one; a question of others may just be asked again."""
    mark = attrs.evolve(TYPED_BEHIND_GO, screen=screen("go make"), prompt=Prompt("what now? ", 10))
    assert isinstance(judge_one(attrs.evolve(snapshot, mark=mark)), Ready if found else Pass)


def test_hidden_line_is_no_prompt() -> None:
    """Whatever stands before it, a prompt shows what is typed."""
    snapshot = Snapshot(screen=shown("Worth in $ "), tty=HIDING)
    assert judge_one(snapshot) == Pass("typed text is not shown, so this is no prompt")
    assert isinstance(judge_one(attrs.evolve(snapshot, tty=ASKING)), Ready)


def test_the_prompt_of_a_line_that_wrapped() -> None:
    """The pattern sees the whole line, the reason names the row that the cursor is on."""
    text = f"{'x' * 40}\nname $ "
    wrapped = attrs.evolve(shown(text), layout=attrs.evolve(shown("").layout, wrapped=(True,)))
    snapshot = Snapshot(screen=wrapped, tty=EDITING)
    strategy = PromptStrategy(r"^x+name \$ $")
    assert strategy.assess(snapshot) == Ready(Outcome.PROMPT, "prompt 'name $' at the cursor")


# `MatchStrategy`: the text that is waited for.


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
def test_text_to_match_refused(pattern: object) -> None:
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
    """Its text is not the awaited one, whether it began before the wait or during it."""
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
    """Then the text before the last one counts as well."""
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
