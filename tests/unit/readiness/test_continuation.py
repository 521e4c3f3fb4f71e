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
from tmuxprim._readiness.continuation import line_right_above
from tmuxprim._readiness.input import SecretStrategy
from tmuxprim._readiness.open_lines import may_go_on
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
        ("me=# ", "me=*# "),  # psql, in a transaction
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
    expected = Pass("'> ' is below printed output")
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


# Whether a shell may want more of a command line, by the line alone.

OPEN = r"""
echo 'a
echo "a
echo `ls
echo it's
echo "$(echo 'a")
echo a \
echo $(
echo $(ls
echo ${x
echo $((1 +
(
(cd x && ls
x=(1 2
cat << END
cat <<-END; ls
true &&
true ||
true |
true |&
{
{ echo }
f() {
f() { echo hi }
f() { if true; then echo; }
f()
function f
function f {
coproc {
if true; then
if a; then b; else
(if true
while true
until true; do
for i in 1 2
for ((i = 0; i < 3; i++))
for i in 1; do echo done
for f in *; do echo $(date) done
for i in 1; do echo `date`; done; if
for i in 1; do if x; then y; done
select x in a b
repeat 3
foreach x (1 2)
case a in
case a in x) echo;;
[[ a ||
[[ a
if (1) then
true; if true; then # fi
echo # it is a comment, or an argument
!!
!x
echo !$
"""
WHOLE = r"""
true
echo hi
ls -la | wc -l
PS1='ready'
PS1="(venv) $PS1"
PS1=$'\n> '
export PS1='\u@\h:\w\$ '
. venv/bin/activate
source <(kubectl completion bash)
exec zsh -f
cd "$(git rev-parse --show-toplevel)"
[ -f ~/.x ] && . ~/.x
[[ -f x ]] && . x
if [ -f x ]; then . x; fi
for i in 1 2; do echo $i; done
while read x; do echo $x; done
if a; then for i in 1; do x; done; fi
read -e -p '> ' x
select x in a b; do echo $x; done
find . -exec ls {} \;
echo a{b,c}d ${x} $((1 + 2))
f() { read -e -p 'n? ' x; }; f
(sleep 1; echo x) &
x=$(date); echo $x
cat <<< hi
printf 'n? '; read x
git commit -m 'if it is done'
! true
[ a != b ]
kill %1; wait $!
echo a\ b
"""


@pytest.mark.parametrize("line", OPEN.strip("\n").split("\n"))
def test_open(line: str) -> None:
    """A quote, a bracket, a block or a here-document is open, or might be."""
    assert may_go_on(line)


@pytest.mark.parametrize("line", ["", *WHOLE.strip("\n").split("\n")])
def test_whole(line: str) -> None:
    """Nothing that could be open is in it, or all of that has its end."""
    assert not may_go_on(line)


# Does a shell want more, ask within a command, or show a prompt of a new look?

STACK, DEPTH, ELSEWHERE = 0x7FFF0000, 5344, 5488
EDITING = attrs.evolve(AT_PROMPT, edits=True, stack=STACK, depth=DEPTH)
AT_ITS_PLACE = attrs.evolve(EDITING, wakeups=9)
DEEPER = attrs.evolve(AT_ITS_PLACE, depth=ELSEWHERE)
# A shell without a line editor.
PLAIN = attrs.evolve(ASKING, foreground_pid=10, reader_pid=10, stack=STACK, depth=DEPTH)
PROMPT = Prompt("$ ", 10, (STACK, DEPTH))


def shown(text: str, command: str = "bash") -> Screen:
    """Return a screen while *command* is in the foreground."""
    return attrs.evolve(screen(text), command=command)


def sent_at(line: str, command: str = "bash", *, continues: bool | None = False) -> Mark:
    """Return the mark from before the Enter behind a line."""
    typed = line.rpartition("? ")[2].removeprefix("$ ")
    mark = Mark(screen=shown(line, command), tty=EDITING, prompt=PROMPT, line=typed)
    return attrs.evolve(mark, continues=continues)


def found(text: str, mark: Mark | None, tty: TtyState | None, command: str = "bash") -> Outcome:
    """Return what the default chain finds below the command line, once that has stood."""
    above = f"{mark.screen.cursor_line}\n" if mark else ""
    snapshot = Snapshot(screen=shown(above + text, command), tty=tty, mark=mark, unchanged_for=60)
    verdict = default_chain().assess(snapshot)
    assert isinstance(verdict, Ready)
    return verdict.outcome


MORE = [">", "more> ", "+ ", "... ", "", "more: ", "> ", "password: ", "100% "]
LOOKS = ["ready", "🐍 ", "what now? ", "100% ", "password: ", "> ", "+ ", "name: "]


@pytest.mark.parametrize("text", [*MORE, "$ "])
def test_an_open_quote(text: str) -> None:
    """The shell reads deeper than at its prompt: it wants more, whatever it shows."""
    assert found(text, sent_at("$ echo 'a"), DEEPER) is Outcome.CONTINUATION
    # Output without a line break may stand left of the prompt.
    assert found(text, sent_at("x$ echo 'a"), DEEPER) is Outcome.CONTINUATION


@pytest.mark.parametrize("text", MORE)
def test_an_open_block(text: str) -> None:
    """Bash reads its rest at the same place, so the line has to tell."""
    assert found(text, sent_at("$ if true; then"), AT_ITS_PLACE) is Outcome.CONTINUATION


def test_a_command_line_that_has_scrolled_off_the_screen() -> None:
    """A strategy may be given a screen with its history; the line is not read there."""
    mark = sent_at("$ echo '")
    now = attrs.evolve(shown("> "), history=("$ echo '",), history_size=1)
    snapshot = Snapshot(screen=now, tty=AT_ITS_PLACE, mark=mark, unchanged_for=9.0)
    assert line_right_above(snapshot, mark) is None
    assert isinstance(default_chain().assess(snapshot), Ready)


@pytest.mark.parametrize("text", MORE)
@pytest.mark.parametrize("continues", [True, None])
def test_a_block_that_is_open_still(text: str, *, continues: bool | None) -> None:
    """It has asked so before, and a shell that wants more does not change its words."""
    mark = sent_at(f"{text}true", continues=continues)
    told = continues or text not in {"more: ", "password: "}
    assert (found(text, mark, AT_ITS_PLACE) is Outcome.CONTINUATION) is told


def test_the_rest_asked_for_in_other_words() -> None:
    """Zsh names what is open; a question that stands there is what a command asks."""
    mark = sent_at("for> do", continues=True)
    assert found("then:", mark, DEEPER) is Outcome.AWAITING_INPUT
    assert found("then ... ", mark, DEEPER) is Outcome.CONTINUATION
    assert found("ready", mark, AT_ITS_PLACE) is Outcome.PROMPT


@pytest.mark.parametrize(
    ("shown_line", "typed", "outcome"),
    [
        ("<x; then", "if x; then", Outcome.CONTINUATION),
        ("<x; fi", "if x; fi", Outcome.PROMPT),
        ("$ if x; then", None, Outcome.CONTINUATION),
        ("$ if x; then", "", Outcome.CONTINUATION),
        ("$ echo", None, Outcome.PROMPT),
        ("<x; then", None, Outcome.CONTINUATION),
    ],
    ids=["typed", "typed, and whole", "shown", "typed by a person", "shown, and whole", "unknown"],
)
def test_what_is_known_of_the_line(shown_line: str, typed: str | None, outcome: Outcome) -> None:
    """It was typed, or can be seen; a line editor may show a part only, and a person may type."""
    mark = attrs.evolve(sent_at(shown_line), line=typed)
    assert found("+ ", mark, AT_ITS_PLACE) is outcome


def test_what_asked_for_more_before() -> None:
    """It does so again, though only the end of the line can be seen."""
    prompt = attrs.evolve(PROMPT, more="+ ")
    mark = attrs.evolve(sent_at("<x", continues=True), prompt=prompt, line="x")
    assert found("+ ", mark, AT_ITS_PLACE) is Outcome.CONTINUATION
    assert found("- ", mark, AT_ITS_PLACE) is Outcome.PROMPT


def test_a_question_below_a_line_that_is_unknown() -> None:
    """It is one."""
    mark = attrs.evolve(sent_at("<x; then"), line=None)
    assert found("Name: ", mark, DEEPER) is Outcome.AWAITING_INPUT


@pytest.mark.parametrize("row", ["+ ", "\n+ "], ids=["bash", "zsh"])
def test_below_a_line_that_filled_its_row(row: str) -> None:
    """It had taken the cursor to the next row, which some shells leave blank, and others do not."""
    command = "$ if " + "x" * 29 + "; then"
    typed = attrs.evolve(sent_at(f"{command}\n"), line=command.removeprefix("$ "))
    layout = attrs.evolve(typed.screen.layout, wrapped=(row == "+ ",))
    after = attrs.evolve(shown(f"{command}\n{row}"), layout=layout)
    snapshot = Snapshot(screen=after, tty=AT_ITS_PLACE, mark=typed, unchanged_for=60)
    verdict = default_chain().assess(snapshot)
    assert verdict == Ready(Outcome.CONTINUATION, "'+' asks for the rest")


@pytest.mark.parametrize("text", LOOKS)
@pytest.mark.parametrize(
    "line", ["$ PS1=new", "$ . venv/bin/activate", "$ if [ -f x ]; then . x; fi"]
)
def test_a_prompt_of_a_new_look(text: str, line: str) -> None:
    """The shell reads where it reads commands, and the line before was whole."""
    assert found(text, sent_at(line), AT_ITS_PLACE) is Outcome.PROMPT


@pytest.mark.parametrize("text", LOOKS)
def test_a_prompt_of_a_new_look_below_output(text: str) -> None:
    """What was printed tells that the line has been carried out, whatever it was."""
    below = f"out\n{text}"
    assert found(below, sent_at("$ if true; then"), AT_ITS_PLACE) is Outcome.PROMPT


def test_an_interrupted_block() -> None:
    """After C-c nothing goes on."""
    mark = attrs.evolve(sent_at("new"), line="")
    snapshot = Snapshot(screen=shown("new^C\nnew"), tty=AT_ITS_PLACE, mark=mark, unchanged_for=60)
    verdict = default_chain().assess(snapshot)
    assert isinstance(verdict, Ready)
    assert verdict.outcome is Outcome.PROMPT


@pytest.mark.parametrize("text", ["> ", "$ ", "Name: ", "ready", "password> "])
def test_a_question_of_the_line_editor(text: str) -> None:
    """``read -e`` reads at another place, and its line was whole."""
    for line in ("$ read -e -p '> ' x", "sure? y"):
        assert found(text, sent_at(line), DEEPER) is Outcome.AWAITING_INPUT


@pytest.mark.parametrize("text", LOOKS)
def test_a_shell_without_a_line_editor(text: str) -> None:
    """The read site of dash also shows its prompt, its ``read`` and the rest of a command."""
    mark = attrs.evolve(sent_at("$ x", "dash"), tty=PLAIN)
    asks = attrs.evolve(PLAIN, depth=ELSEWHERE)
    assert found(text, mark, PLAIN, "dash") is Outcome.PROMPT
    assert found(text, mark, asks, "dash") is Outcome.AWAITING_INPUT
    more = attrs.evolve(sent_at("$ echo 'a", "dash"), tty=PLAIN)
    assert found(text, more, asks, "dash") is Outcome.CONTINUATION


@pytest.mark.parametrize("text", ["what now? ", "password: "])
@pytest.mark.parametrize(
    ("now", "command"),
    [
        (attrs.evolve(AT_ITS_PLACE, stack=1), "bash"),
        (attrs.evolve(AT_ITS_PLACE, stack=1, depth=3096), "zsh"),
        (attrs.evolve(AT_ITS_PLACE, stack=1, depth=7), "bash"),
        (attrs.evolve(AT_ITS_PLACE, stack=None, depth=None), "zsh"),
        (attrs.evolve(AT_ITS_PLACE, foreground_pid=11, reader_pid=11, stack=1), "bash"),
    ],
    ids=["itself", "another", "another version", "place unknown", "a child of the same kind"],
)
def test_a_shell_that_has_begun(text: str, now: TtyState, command: str) -> None:
    """What it shows first is its prompt, if it took the place of the one before, or is alike."""
    assert found(text, sent_at("$ exec it"), now, command) is Outcome.PROMPT


@pytest.mark.parametrize(
    ("text", "outcome"), [("what now? ", Outcome.AWAITING_INPUT), ("ready", Outcome.PROMPT)]
)
def test_another_shell_that_was_started(text: str, outcome: Outcome) -> None:
    """Of its place nothing is known, so the words decide whether it asks."""
    other = attrs.evolve(AT_ITS_PLACE, foreground_pid=11, reader_pid=11, stack=1, depth=3096)
    assert found(text, sent_at("$ zsh"), other, "zsh") is outcome


def test_an_exec_to_a_shell_without_a_line_editor() -> None:
    """Then the words decide."""
    mark = attrs.evolve(sent_at("$ exec dash"), tty=None)
    now = attrs.evolve(PLAIN, stack=1, depth=664)
    assert found("ready", mark, now, "dash") is Outcome.AWAITING_INPUT


@pytest.mark.parametrize("text", ["  ", "   "])
def test_fish_indents(text: str) -> None:
    """It reads all of a command at one place, and shows only where the cursor stands."""
    mark = sent_at("$ echo 'a", "fish")
    assert found(text, mark, AT_ITS_PLACE, "fish") is Outcome.CONTINUATION


def test_fish_never_shows_an_angle_for_more() -> None:
    """So that is its new prompt, though the line may look open."""
    assert found("> ", sent_at("$ function x", "fish"), AT_ITS_PLACE, "fish") is Outcome.PROMPT


@pytest.mark.parametrize(
    ("text", "line", "outcome"),
    [
        ("more> ", "$ echo 'a", Outcome.CONTINUATION),
        (">", "$ echo 'a", Outcome.CONTINUATION),
        ("> ", "$ echo a", Outcome.CONTINUATION),  # a program may have asked so
        ("more> ", "$ bash", Outcome.PROMPT),
        ("more: ", "$ echo 'a", Outcome.STABLE),
    ],
)
def test_without_evidence(text: str, line: str, outcome: Outcome) -> None:
    """The text has to look like a prompt, and the line to be open."""
    mark = attrs.evolve(sent_at(line), tty=None)
    assert found(text, mark, None) is outcome


@pytest.mark.parametrize("line", ["$ echo a", "$ PS1='> '", "$ echo 'a"])
@pytest.mark.parametrize("tty", [None, attrs.evolve(PLAIN, reading=None), AT_ITS_PLACE])
def test_an_angle_below_a_whole_line_is_a_guess(line: str, tty: TtyState | None) -> None:
    """A prompt that has just become "> " looks the same, unless the reader is reported."""
    mark = attrs.evolve(sent_at(line), tty=None)
    snapshot = Snapshot(screen=shown(f"{line}\n> "), tty=tty, mark=mark, unchanged_for=9.0)
    verdict = ContinuationStrategy().assess(snapshot)
    if tty is AT_ITS_PLACE and "'a" not in line:
        assert isinstance(verdict, Pass)
        return
    assert isinstance(verdict, Ready)
    assert (verdict.outcome, verdict.is_guess) == (Outcome.CONTINUATION, "'a" not in line)


def test_only_the_line_tells() -> None:
    """A text that looks like nothing has to stand for long below a line that is open."""
    mark = attrs.evolve(sent_at("$ echo 'a"), tty=None)
    snapshot = Snapshot(screen=shown("$ echo 'a\n+ "), mark=mark, unchanged_for=1.9)
    assert isinstance(ContinuationStrategy().assess(snapshot), Pass)
    verdict = ContinuationStrategy().assess(attrs.evolve(snapshot, unchanged_for=2.1))
    assert verdict == Ready(Outcome.CONTINUATION, "'+' asks for the rest")


@pytest.mark.parametrize("mark", [None, sent_at("$ x")])
def test_a_line_editor_reads_no_password(mark: Mark | None) -> None:
    """It shows what is typed; but what a command asks, it may hide, as fish does."""
    snapshot = Snapshot(screen=shown("password: "), tty=AT_ITS_PLACE, mark=mark)
    assert SecretStrategy().assess(snapshot) == Pass("these words are a shell's prompt")
    asks = attrs.evolve(snapshot, tty=DEEPER, mark=sent_at("$ x"))
    assert isinstance(SecretStrategy().assess(asks), Ready)


def test_far_away_a_program_ends() -> None:
    """What looks open may be a call in the language of that program."""
    python = Prompt(">>> ", 10)
    mark = attrs.evolve(sent_at(">>> exit("), tty=None, prompt=python)
    assert found("far$ ", mark, None, "ssh") is Outcome.PROMPT


def test_a_right_hand_prompt_is_no_part_of_the_line() -> None:
    """Which ends, and is open, where the cursor stood."""
    line = shown("$ true |             [right]")
    mark = attrs.evolve(sent_at(""), screen=attrs.evolve(line, cursor=shown("$ true |").cursor))
    assert found("pipe> ", mark, DEEPER) is Outcome.CONTINUATION


def test_a_shell_on_the_alternate_screen() -> None:
    """Another program has left it on: the shell reads, and never uses it."""
    mark = sent_at("$ vim")
    for tty in (AT_ITS_PLACE, None):
        snapshot = Snapshot(screen=shown("$ "), tty=tty, mark=mark, unchanged_for=60)
        snapshot = attrs.evolve(snapshot, screen=attrs.evolve(snapshot.screen, alternate=True))
        verdict = default_chain().assess(snapshot)
        assert isinstance(verdict, Ready)
        assert verdict.outcome is Outcome.PROMPT


@pytest.mark.parametrize(
    ("tty", "command", "mark"),
    [
        (attrs.evolve(AT_ITS_PLACE, reader_pid=11), "bash", sent_at("$ fzf")),
        (AT_ITS_PLACE, "vim", sent_at("$ vim")),
        (attrs.evolve(DEEPER, edits=False), "bash", sent_at("$ script")),
        (None, "vim", sent_at("$ vim")),
        (None, "bash", sent_at("$ x | vim -", "")),
        (None, "bash", attrs.evolve(sent_at("$ x"), prompt=None)),
        (None, "bash", None),
    ],
)
def test_a_full_screen_program(tty: TtyState | None, command: str, mark: Mark | None) -> None:
    """The reader is no shell, or is not reported, and the screen shows no known prompt."""
    text = "$ " if mark is None or mark.prompt is None or command == "vim" else "~ "
    snapshot = Snapshot(screen=shown(text, command), tty=tty, mark=mark, unchanged_for=60)
    snapshot = attrs.evolve(snapshot, screen=attrs.evolve(snapshot.screen, alternate=True))
    verdict = default_chain().assess(snapshot)
    assert isinstance(verdict, Ready)
    assert verdict.outcome is (Outcome.FULLSCREEN if tty else Outcome.STABLE)


# Where it is not told at which place in its program a shell reads.
ANYWHERE = attrs.evolve(AT_ITS_PLACE, stack=None, depth=None, level="wchan")
PLAIN_ANYWHERE = attrs.evolve(PLAIN, stack=None, depth=None, level="wchan")


def at_no_place(line: str, command: str = "bash", *, more: str | None = None) -> Mark:
    """Return the mark from before the Enter behind a line of a shell that has shown a prompt."""
    mark = sent_at(line, command, continues=more is not None)
    tty = PLAIN if command == "sh" else EDITING
    prompt = Prompt("$ ", 10, more=more)
    return attrs.evolve(mark, tty=tty, prompt=prompt, line=line.removeprefix("$ "))


@pytest.mark.parametrize("text", ["what now? ", "password: ", "ready", "100% "])
@pytest.mark.parametrize(
    ("tty", "command"), [(ANYWHERE, "bash"), (ANYWHERE, "zsh"), (PLAIN_ANYWHERE, "sh")]
)
def test_a_line_that_changes_the_prompt(text: str, tty: TtyState, command: str) -> None:
    """What is shown then is the prompt, whatever it looks like."""
    assert found(text, at_no_place(f"$ PS1='{text}'", command), tty, command) is Outcome.PROMPT


@pytest.mark.parametrize("line", ["$ exec bash", "$ . venv/bin/activate", "$ source ./env"])
def test_a_line_that_may_change_the_prompt(line: str) -> None:
    """A line editor shows it; what reads lines may be what it runs."""
    assert found("what now? ", at_no_place(line), ANYWHERE) is Outcome.PROMPT
    asked = found("what now? ", at_no_place(line, "sh"), PLAIN_ANYWHERE, "sh")
    assert asked is Outcome.AWAITING_INPUT


@pytest.mark.parametrize("line", ["$ read -e -p '> ' x", "$ f() { read -re x; }; f", "$ vared x"])
def test_a_line_that_asks_with_the_line_editor(line: str) -> None:
    """Its question is none of the shell's prompts, unless it is the same."""
    assert found("so far ", at_no_place(line), ANYWHERE) is Outcome.AWAITING_INPUT
    assert found("$ ", at_no_place(line), ANYWHERE) is Outcome.PROMPT


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("$ true", Outcome.PROMPT),
        ("$ read -p 'what now? ' x", Outcome.AWAITING_INPUT),
        ("$ printf 'what now? '; read x", Outcome.AWAITING_INPUT),
        (None, Outcome.AWAITING_INPUT),
    ],
)
def test_a_prompt_that_looks_like_a_question_is_back(line: str | None, outcome: Outcome) -> None:
    """A shell that is told to read nothing asks nothing."""
    typed = line and line.removeprefix("$ ")
    mark = attrs.evolve(at_no_place("$ ", "sh"), prompt=Prompt("what now? ", 10), line=typed)
    assert found("what now? ", mark, PLAIN_ANYWHERE, "sh") is outcome


def test_a_prompt_of_nothing_at_all() -> None:
    """It is back where nothing stands; what a shell shows when it was not known is no prompt."""
    nothing = Prompt("", 10, (STACK, DEPTH))
    bare = attrs.evolve(sent_at("if true"), prompt=nothing)
    assert found("", bare, AT_ITS_PLACE) is Outcome.PROMPT
    assert found("> ", bare, DEEPER) is Outcome.AWAITING_INPUT
    assert found("", sent_at("$ true"), AT_ITS_PLACE) is Outcome.AWAITING_INPUT


@pytest.mark.parametrize("line", ["cat x | while read -l d; cd $d; end", "read d < x; cd $d"])
def test_fish_is_given_what_it_reads(line: str) -> None:
    """Then it asks nobody, and its prompt may be another one."""
    tty = attrs.evolve(ANYWHERE, only_reading=False)
    assert found("~/other> ", at_no_place(f"$ {line}", "fish"), tty, "fish") is Outcome.PROMPT


@pytest.mark.parametrize("text", ["name> ", "Name: "])
def test_fish_asks_with_its_line_editor(text: str) -> None:
    """It waits for other things as well, always."""
    tty, mark = attrs.evolve(ANYWHERE, only_reading=False), at_no_place("$ read -P '> ' x", "fish")
    assert found(text, mark, tty, "fish") is Outcome.AWAITING_INPUT


def test_fish_asks_for_a_secret() -> None:
    """It is none of `AwaitingInputStrategy`, however soon that would call it a question."""
    tty, mark = attrs.evolve(ANYWHERE, only_reading=False), at_no_place("$ read -s x", "fish")
    snapshot = Snapshot(screen=shown("$ read -s x\nPassword: ", "fish"), tty=tty, mark=mark)
    assert not isinstance(default_chain().assess(attrs.evolve(snapshot, unchanged_for=0.1)), Ready)
    assert found("Password: ", mark, tty, "fish") is Outcome.AWAITING_SECRET


def test_a_line_that_changes_the_prompt_and_asks() -> None:
    """Then the words decide."""
    mark = at_no_place("$ PS1='x '; read y", "sh")
    assert found("Name: ", mark, PLAIN_ANYWHERE, "sh") is Outcome.AWAITING_INPUT


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("$ echo 'a", Outcome.CONTINUATION),
        ("$ echo 'a'", Outcome.PROMPT),
        ("$ true # it's", Outcome.PROMPT),
    ],
)
def test_an_open_quote_whose_rest_is_asked_for_by_the_prompt(line: str, outcome: Outcome) -> None:
    """The line tells, if there is no doubt about it."""
    assert found("$ ", at_no_place(line), ANYWHERE) is outcome


@pytest.mark.parametrize(
    ("line", "outcome"), [("$ b", Outcome.CONTINUATION), ("$ b'", Outcome.PROMPT)]
)
def test_a_quote_that_is_open_still(line: str, outcome: Outcome) -> None:
    """Until something is typed that may end it."""
    assert found("$ ", at_no_place(line, more="$ "), ANYWHERE) is outcome


def test_keys_that_nobody_can_read_as_a_line() -> None:
    """They say nothing of what is open."""
    mark = attrs.evolve(at_no_place("$ echo 'a"), line=None)
    assert found("$ ", mark, ANYWHERE) is Outcome.PROMPT


@pytest.mark.parametrize("text", ["ready", "100% "])
def test_a_shell_without_a_line_editor_shows_its_prompt_again(text: str) -> None:
    """It is known, whatever it looks like."""
    mark = attrs.evolve(at_no_place(f"{text}x", "sh"), prompt=Prompt(text, 10))
    assert found(text, mark, PLAIN_ANYWHERE, "sh") is Outcome.PROMPT


@pytest.mark.parametrize("tty", [AT_ITS_PLACE, attrs.evolve(AT_ITS_PLACE, stack=None, depth=None)])
def test_an_old_command_that_is_to_be_verified(tty: TtyState) -> None:
    """The shell shows it behind its prompt again, so it wants no rest of what was typed."""
    assert found("$ echo hello", sent_at("$ !!"), tty) is Outcome.AWAITING_INPUT
    assert found("> ", sent_at("$ !!"), DEEPER) is Outcome.CONTINUATION


def test_a_prompt_for_more_may_begin_as_the_prompt_does() -> None:
    """The place tells, or else that nothing but signs stands behind it."""
    assert found("$ more ", sent_at("$ echo 'a"), DEEPER) is Outcome.CONTINUATION
    assert found("$ > ", at_no_place("$ echo 'a"), ANYWHERE) is Outcome.CONTINUATION
