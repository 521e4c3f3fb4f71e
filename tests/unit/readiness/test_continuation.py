"""`ContinuationStrategy`: the shell wants the rest."""

import re

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, HIDING, MARK, RAW_ONLY, screen
from tmuxprim import (
    Console,
    FakeTerminal,
    InvalidPatternError,
    Mark,
    Outcome,
    Screen,
    TtyState,
    default_chain,
)
from tmuxprim.readiness import ContinuationStrategy, Pass, Prompt, Ready, Snapshot, Verdict

AFTER = attrs.evolve(AT_PROMPT, wakeups=9)


def marked(prompt: str, typed: str = "for i in") -> Mark:
    """Return the mark of a line that was typed at a prompt."""
    return attrs.evolve(MARK, screen=screen(prompt + typed), prompt=Prompt(prompt, 10))


def assess(text: str, mark: Mark | None, tty: TtyState | None = AFTER) -> Verdict:
    """Return the verdict on a screen that shows *text* below the line that was typed."""
    above = mark.screen.cursor_line if mark else ""
    snapshot = Snapshot(screen=screen(f"{above}\n{text}"), tty=tty, mark=mark, unchanged_for=1.0)
    return ContinuationStrategy().assess(snapshot)


@pytest.mark.parametrize(
    ("prompt", "more"),
    [
        ("$ ", "> "),
        ("user@host:~ $ ", "> "),
        ("host% ", "quote> "),
        ("host# ", "for> "),
        ("host% ", "then case> "),
        (">>> ", "... "),
        (">>> ", "...     "),
        ("In [12]: ", "   ...: "),
        ("In [1]: ", "   ...:     "),
        ("> ", "... "),
        ("> ", "| "),
        ("> ", ">> "),
        ("> ", "+ "),
        ("Browse[1]> ", "+ "),
        ("php > ", "php ' "),
        ("php > ", "php { "),
        ("php > ", "/*  > "),
        ("php > ", "<<< > "),
        ("irb(main):001:0> ", "irb(main):002:1*   "),
        ("irb(main):001> ", 'irb(main):002" '),
        ("irb(main):001:0> ", "irb(main):002:1>   "),
        ("sqlite> ", "   ...> "),
        ("sqlite> ", "'  ...> "),
        ("sqlite> ", "(x1...> "),
        ("mysql> ", "    -> "),
        ("MariaDB [(none)]> ", "    '> "),
        ("me=> ", "me-> "),
        ("me=# ", "me-# "),
        ("me=# ", "me'# "),
        ("me=*# ", "me(*# "),
        ("(gdb) ", ">"),
        ("(gdb) ", " >"),
        ("(lldb) ", "> "),
        ("  DB<1> ", "  cont: "),
    ],
)
def test_what_follows_a_prompt(prompt: str, more: str) -> None:
    """Each program has its own way to ask for the rest."""
    reason = f"{more.strip()!r} asks for the rest"
    assert assess(more, marked(prompt)) == Ready(Outcome.CONTINUATION, reason)


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("$ ", "$ "),
        ("> ", "> "),  # Node's prompt, or that of a shell that says so
        (">>> ", "> "),  # an input("> ") in Python
        (">>> ", "name? "),
        ("sqlite> ", "> "),
        ("me=# ", "you=# "),
        ("php > ", "php > "),
        ("irb(main):001:0> ", "irb(main):002:0> "),
    ],
)
def test_what_does_not_follow_a_prompt(prompt: str, text: str) -> None:
    """A prompt, or a question of the program's own."""
    assert assess(text, marked(prompt)) == Pass(f"{text!r} does not ask for the rest of a command")


@pytest.mark.parametrize("mark", [None, attrs.evolve(MARK, prompt=None), marked("")])
def test_without_a_prompt_nothing_is_continued(mark: Mark | None) -> None:
    """Then `` > `` may be anything."""
    assert assess("> ", mark) == Pass("no prompt is known that could be continued")


@pytest.mark.parametrize(
    "shown", ["$ for i in\nout\n> ", "out\n> ", "> "], ids=["printed", "cleared", "at the top"]
)
def test_a_shell_asks_right_below_the_command_line(shown: str) -> None:
    """Below what was printed, or on another screen, ``> `` may be anything."""
    snapshot = Snapshot(screen=screen(shown), tty=AFTER, mark=marked("$ "), unchanged_for=1.0)
    expected = Pass("'> ' stands below what a program has printed")
    assert ContinuationStrategy().assess(snapshot) == expected


def with_command(text: str, command: str, *, alternate: bool = False) -> Screen:
    """Return a screen on which *command* is in the foreground."""
    return attrs.evolve(screen(text), command=command, alternate=alternate)


@pytest.mark.parametrize(
    ("now", "tty"),
    [
        (with_command("> ", ""), attrs.evolve(AFTER, foreground_pid=11)),  # node, in a shell
        (with_command("> ", "node"), AFTER),  # exec node
        (with_command("> ", ""), ASKING),  # read -p '> '
        (with_command("> ", "", alternate=True), AFTER),
        (with_command("> ", ""), HIDING),  # read -s -p '> '
    ],
)
def test_another_program_continues_nothing(now: Screen, tty: TtyState) -> None:
    """It only looks like it: the shell is not the one that asks."""
    snapshot = Snapshot(screen=now, tty=tty, mark=marked("$ "), unchanged_for=1.0)
    expected = Pass("the program is not the one that showed the prompt")
    assert ContinuationStrategy().assess(snapshot) == expected


def test_without_evidence_it_has_to_stand() -> None:
    """The name of the command and the snapshot are all there is."""
    mark = attrs.evolve(marked("$ "), tty=None)
    for stood, kind in ((0.2, Pass), (0.4, Ready)):
        snapshot = Snapshot(screen=screen("$ for i in\n> "), mark=mark, unchanged_for=stood)
        assert isinstance(ContinuationStrategy().assess(snapshot), kind)


def test_a_line_editor_that_only_indents() -> None:
    """Fish shows nothing but the cursor, in place below the command line."""
    reason = "the line editor has moved to a new line"
    mark = marked("fish> ", "if true")
    assert assess("          ", mark) == Ready(Outcome.CONTINUATION, reason)
    assert isinstance(assess("          ", mark, RAW_ONLY), Pass)
    assert isinstance(assess("", mark), Pass)
    printed = Snapshot(screen=screen("out\n    "), tty=AFTER, mark=mark, unchanged_for=1.0)
    assert isinstance(ContinuationStrategy().assess(printed), Pass)


def test_a_pattern_of_ones_own() -> None:
    """It takes the place of the known ones."""
    snapshot = Snapshot(screen=screen("$ x\nmore: "), tty=AFTER, mark=marked("$ ", "x"))
    verdict = ContinuationStrategy(re.compile("^more: $")).assess(snapshot)
    assert verdict == Ready(Outcome.CONTINUATION, "'more:' asks for the rest")
    with pytest.raises(InvalidPatternError):
        ContinuationStrategy("[")


def test_the_prompt_that_was_found_stays_known() -> None:
    """Through several lines that ask for more; the prompt then is one again."""
    terminal = FakeTerminal()
    console = Console(terminal, terminal.open())
    console.wait_ready()
    mark = console.send("true")
    assert mark.prompt is not None
    assert mark.prompt.text == "$ "
    assert console.wait_ready(strategy=default_chain()).outcome is Outcome.PROMPT


@pytest.mark.parametrize(("then", "now", "wants"), [(True, False, True), (False, True, False)])
def test_the_line_discipline_of_the_mark(*, then: bool, now: bool, wants: bool) -> None:
    """One that has since begun to read whole lines asks; irb's only draws what was typed."""
    tty = attrs.evolve(RAW_ONLY, edits=True, foreground_pid=10)
    mark = attrs.evolve(
        marked("irb(main):001:0> ", "def f"), tty=attrs.evolve(tty, canonical=then, echo=then)
    )
    verdict = assess("irb(main):002:1* ", mark, attrs.evolve(tty, canonical=now, echo=now))
    assert isinstance(verdict, Ready) is wants
