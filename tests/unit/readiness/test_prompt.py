"""`PromptStrategy`: what is a prompt at the cursor, and how sure that is."""

import re

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, COOKED_ONLY, MARK, RAW_ONLY, screen
from tmuxprim import InvalidPatternError, Mark, Outcome, PromptStrategy, TtyState
from tmuxprim.readiness import Pass, Prompt, Ready, Snapshot, Verdict


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
        f"a prompt pattern is a regular expression, got {pattern!r}: {reason}; "
        "re.escape() makes one from literal text"
    )
    assert isinstance(caught.value.__cause__, (re.error, TypeError, OverflowError))


ODD = Mark(screen=screen("ready! make"), tty=MARK.tty, prompt=Prompt("ready! ", 10))


@pytest.mark.parametrize("before", [MARK.tty, ASKING, None])
def test_prompt_of_any_look_that_is_back(before: TtyState | None) -> None:
    """What the same process showed before is its prompt, whoever read what was sent last."""
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
        "prompt of nobody knows whom",
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
    """Where nobody tells at which place a shell reads, it asks on until its prompt is back."""
    mark = Mark(screen=screen(before), tty=READ_BY_SHELL, prompt=Prompt("$ ", 10))
    shown = attrs.evolve(screen(after), command=command)
    snapshot = Snapshot(screen=shown, tty=READ_BY_SHELL, mark=mark, unchanged_for=60)
    verdict = PromptStrategy().assess(snapshot)
    asked = Pass(f"{after!r} is asked by what the shell runs, not by the shell")
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
        "'value> ' is asked by what the shell runs, not by the shell"
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
    assert LAST.assess(snapshot) == Pass("'ready' has stood there before")


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
    """Return what is said of a text after a second, where nobody tells who reads."""
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
        f"'$ ' is shown by {command}, and nobody tells whether it reads"
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
