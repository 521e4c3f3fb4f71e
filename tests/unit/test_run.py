"""`Console.run` on the fake: what was printed between the command line and the prompt."""

import attrs
import pytest

from tests.unit.builders import screen
from tmuxprim import (
    Console,
    Cursor,
    FakeTerminal,
    KeySequence,
    Layout,
    Mark,
    Outcome,
    PaneBusyError,
    Prompt,
    Screen,
    Size,
)
from tmuxprim._output import Printed, read_output
from tmuxprim.testing import (
    FakeTty,
    Program,
    ReadLine,
    Run,
    ScriptedShell,
    after,
    pager,
    question,
)


def console_on(
    program: Program,
    size: Size = Size(20, 5),  # noqa: B008  # frozen
    history_limit: int = 50_000,
) -> Console:
    """Return a console on a fake pane that runs *program*."""
    terminal = FakeTerminal(programs={"sh": program}, history_limit=history_limit)
    return Console(terminal, terminal.open("sh", size=size))


SHELL_FLOOD = "".join(f"{n}\n" for n in range(300))
SHELL = ScriptedShell(
    {
        "ls": "a\nb",
        "long": "x" * 50,
        "flood": "\n".join(map(str, range(300))),
        "endless": "\n".join(map(str, range(5000))),
        "true": "",
        "slow": [after(1.0, "one"), after(1.0, "two")],
        "ask": question("Sure? ", lambda said: f"you said {said}"),
        "less": pager("a text"),
        "forever": after(1e9),
    }
)


@pytest.mark.parametrize(
    ("command", "output", "complete"),
    [
        ("ls", "a\nb\n", True),
        ("true", "", True),
        ("long", "x" * 50 + "\n", True),
        ("flood", SHELL_FLOOD, True),
        ("slow", "one\ntwo\n", True),
        ("ls\ntrue\nls\n", "a\nb\na\nb\n", True),
        ("ls\r\nls", "a\nb\na\nb\n", True),
        ("", "", True),
        ("clear", "", False),
    ],
)
def test_output(command: str, output: str, complete: bool) -> None:  # noqa: FBT001  # a column
    """It is what was printed, each time anew."""
    console = console_on(SHELL)
    for _ in range(3):
        result = console.run(command)
        assert (result.output, result.complete) == (output, complete)
        assert result.readiness.outcome is Outcome.PROMPT


def test_output_in_a_full_history() -> None:
    """However long the history is, it is read as far back as the output goes."""
    console = console_on(SHELL, history_limit=10_000)
    for _ in range(2):
        result = console.run("endless")  # the second time tmux throws rows away
        assert (result.output.splitlines()[0], result.complete) == ("0", True)
    for command, output in (("flood", SHELL_FLOOD), ("true", "")):
        result = console.run(command)
        assert (result.output, result.complete) == (output, True)


def test_output_that_scrolled_away() -> None:
    """What is left of it is its end."""
    result = console_on(SHELL, history_limit=2000).run("endless")
    lines = result.output.splitlines()
    assert lines == [str(n) for n in range(5000 - len(lines), 5000)]
    assert len(lines) > 1000
    assert not result.complete


def test_a_question_ends_it() -> None:
    """The lines that follow are not typed."""
    console = console_on(SHELL)
    result = console.run("ask\nls")
    assert result.readiness.outcome is Outcome.AWAITING_INPUT
    assert (result.output, result.complete) == ("Sure? ", False)
    assert console.run("y").output == "you said y\n"


def test_a_full_screen_program_is_shown() -> None:
    """Its screen is the output."""
    result = console_on(SHELL).run("less")
    assert result.readiness.outcome is Outcome.FULLSCREEN
    assert "a text" in result.output
    assert not result.complete


def test_a_program_that_worked_a_while_ago_is_waited_for() -> None:
    """That an earlier wait timed out is no reason to refuse: there is time of its own."""
    console = console_on(SHELL)
    console.send("slow")
    assert console.wait_ready(0.5).outcome is Outcome.TIMEOUT
    assert console.run("ls", 10.0).output == "a\nb\n"


def test_a_busy_pane_takes_no_command() -> None:
    """Nothing is typed; once it was interrupted, it does."""
    console = console_on(SHELL)
    console.run("true")
    assert console.run("forever", timeout=1.0).readiness.outcome is Outcome.TIMEOUT
    with pytest.raises(PaneBusyError, match="nothing was sent: the pane takes no command"):
        console.run("ls", timeout=1.0)
    console.keys("C-c")
    assert console.run("ls").output == "a\nb\n"


def test_a_person_has_typed_meanwhile() -> None:
    """A command is waited for; half a line is not made a whole one."""
    console = console_on(SHELL)
    console.run("true")
    keys = KeySequence.text
    console.terminal.send(console.pane, keys("slow") + KeySequence.keys("Enter"))
    assert console.run("ls").output == "a\nb\n"
    console.terminal.send(console.pane, keys("half"))
    with pytest.raises(PaneBusyError, match=r"nothing was sent: 'half' stands at the prompt"):
        console.run("ls")
    console.keys("C-u")
    assert console.run("ls").output == "a\nb\n"


def test_a_person_reads_in_copy_mode() -> None:
    """The mode is left for the command on demand only."""
    console = console_on(SHELL)
    console.run("true")
    terminal = console.terminal
    assert isinstance(terminal, FakeTerminal)
    terminal.set_mode(console.pane, "copy-mode")
    with pytest.raises(PaneBusyError, match="copy-mode"):
        console.run("ls", timeout=1.0)
    leaving = Console(terminal, console.pane, leave_mode=True)
    assert leaving.run("ls").output == "a\nb\n"


def test_a_question_that_looks_like_a_prompt() -> None:
    """It is no end of the command; once it is answered, the shell's own prompt is one."""

    def ask(tty: FakeTty) -> Run:
        answer = yield ReadLine(prompt="Choice> ")
        tty.write(f"you said {answer}\n")
        return 0

    console = console_on(ScriptedShell({"ask": ask}))
    result = console.run("ask")
    assert (result.readiness.outcome, result.complete) == (Outcome.PROMPT, False)
    assert (console.run("3").output, console.run("echo hi").output) == ("you said 3\n", "hi\n")


def test_a_shell_within_a_shell() -> None:
    """It has not ended while its prompt stands there; the outer one's is known again."""

    def shell(tty: FakeTty) -> Run:
        while (yield ReadLine(prompt="inner> ")) != "exit":
            tty.write("ran\n")
        return 0

    console = console_on(ScriptedShell({"inner": shell}))
    results = [console.run(line) for line in ("true", "inner", "x", "exit", "echo hi")]
    assert [result.complete for result in results] == [True, False, True, True, True]


def test_a_command_line_that_fills_its_row_and_prints_nothing() -> None:
    """Then the prompt that follows stands in the same line, for tmux."""
    now = screen("$ 123456789\n$ ", size=Size(11, 3))
    before = Mark(screen=screen("$ 123456789\n", size=Size(11, 3)), prompt=Prompt("$ "))
    now = attrs.evolve(now, layout=Layout((True,)))
    assert printed(now, before).text == ""


def test_half_a_line_that_nobody_has_seen_begin() -> None:
    """It is not made a whole one by a console that has never seen the prompt."""
    console = console_on(SHELL)
    console.wait_ready()
    console.send("echo rm ", enter=False)
    fresh = Console(console.terminal, console.pane)
    with pytest.raises(PaneBusyError, match=r"'echo rm' stands at the prompt"):
        fresh.run("ls")


def test_the_end_of_the_shell() -> None:
    """The last screen is all there is."""
    result = console_on(SHELL).run("exit")
    assert result.readiness.outcome is Outcome.EXITED
    assert not result.complete


BEFORE = Mark(screen=screen("$ cmd"), prompt=Prompt("$ "))


def printed(now: Screen, before: Mark = BEFORE, outcome: Outcome = Outcome.PROMPT) -> Printed:
    """Return what was printed between two screens; of the prompt nothing is known."""
    return read_output(before, now, outcome, typed="cmd")


@pytest.mark.parametrize(
    ("shown", "output"),
    [
        ("$ cmd\n$ ", ""),
        ("$ cmd\na\n$ ", "a\n"),
        ("$ cmd\nx$ ", "x"),
        ("$ cmd\n$ $ ", "$ "),
        ("$ cmd\na\n~/b $ ", "a\n~/b "),  # the prompt is the same, as far as can be told
        ("$ cmd\na\nnew> ", "a\n"),
    ],
)
def test_the_prompt_is_no_output(shown: str, output: str) -> None:
    """What stands before it in its row is."""
    assert printed(screen(shown)).text == output


def test_a_known_prompt_counts_where_another_stood_at_the_mark() -> None:
    """As at the end of a command that was typed in several lines."""
    before = Mark(screen=screen("> cmd"), prompt=Prompt("$ "))
    assert printed(screen("> cmd\nx$ "), before).text == "x"


@pytest.mark.parametrize(
    ("shell", "row", "blanks", "output"),
    [
        ("zsh", "x%", 38, "x"),
        ("fish", "x⏎", 38, "x"),
        ("zsh", "x%", 0, "x%\n"),
        ("zsh", "x%", 3, "x%   \n"),
        ("zsh", "", 0, "\n"),
        ("bash", "x%", 38, "x%" + " " * 38 + "\n"),
    ],
)
def test_a_shell_says_that_a_line_was_not_finished(
    shell: str, row: str, blanks: int, output: str
) -> None:
    """By a sign, and spaces to the end of the row; by nothing less."""
    layout = Layout(blanks=(0, blanks))
    now = attrs.evolve(screen(f"$ cmd\n{row}\n$ "), layout=layout, command=shell)
    assert printed(now).text == output


def two_line(text: str, number: int = 0) -> Screen:
    """Return a screen of ten rows, above which there are *number* rows of history."""
    return attrs.evolve(screen(text, size=Size(40, 10)), history_size=number)


def test_a_prompt_of_two_lines_is_found_by_comparing() -> None:
    """Its first row stands above all others, too; later it may be another."""
    before = attrs.evolve(BEFORE, screen=two_line("in ~\n$ ls\na\nin ~\n$ cmd"))
    first = printed(two_line("in ~\n$ ls\na\nin ~\n$ cmd\nb\nin ~\n$ "), before)
    assert first == Printed("b\n", complete=True, prompt_rows=("in ~",))
    moved = read_output(
        before,
        two_line("in ~\n$ ls\na\nin ~\n$ cmd\nin /\n$ "),
        Outcome.PROMPT,
        typed="cmd",
        prompt_rows=first.prompt_rows,
    )
    assert moved == Printed("", complete=True, prompt_rows=("in /",))


@pytest.mark.parametrize("known", [None, ("in ~",)])
def test_output_without_a_line_break_stands_in_the_first_row(known: tuple[str, ...] | None) -> None:
    """Of a prompt of two lines."""
    above = "in ~\n$ ls\nin ~\n$ cmd"
    before = attrs.evolve(BEFORE, screen=two_line(above))
    now = two_line(f"{above}\na\nbin ~\n$ ")
    result = read_output(before, now, Outcome.PROMPT, typed="cmd", prompt_rows=known)
    assert result == Printed("a\nb", complete=True, prompt_rows=("in ~",))


def test_one_sighting_proves_nothing() -> None:
    """The row may be output that stood there before: it is asked again the next time."""
    before = attrs.evolve(BEFORE, screen=two_line("in ~\n$ cmd", 7))
    assert printed(two_line("in ~\n$ cmd\nin ~\n$ ", 7), before).prompt_rows is None


@pytest.mark.parametrize("above", ["$ cmd", "a\n$ \n$ cmd", "a\n$ cmd"])
def test_a_prompt_below_another_has_one_line(above: str) -> None:
    """So has one at the very top, and one right below the command."""
    before = attrs.evolve(BEFORE, screen=two_line(above))
    result = printed(two_line(above + ("\na\n$ " if above != "a\n$ cmd" else "\n$ ")), before)
    assert result.prompt_rows == ()


def test_a_command_line_that_fills_its_row() -> None:
    """Some shells go on in the next row at once, others leave it empty."""
    full = "$ " + "x" * 38
    at = attrs.evolve(screen(f"{full}\n"), cursor=Cursor(1, 0), layout=Layout((True,)))
    before = Mark(screen=at, prompt=Prompt("$ "))
    for now in (screen(f"{full}\na\n$ "), screen(f"{full}\n\na\n$ ")):
        assert printed(now, before).text == "a\n"


def test_output_that_fills_its_row_before_the_prompt() -> None:
    """The prompt goes on in the next row; nothing says that the line has ended."""
    now = attrs.evolve(screen("$ cmd\n" + "x" * 40 + "\n$ "), layout=Layout((False, True)))
    assert printed(now).text == "x" * 40


def test_the_cursor_tells_whether_a_line_has_ended() -> None:
    """When no prompt does."""
    for shown, output in (("$ cmd\n2\n", "2\n"), ("$ cmd\nSure? ", "Sure? "), ("$ cmd\n", "")):
        now = attrs.evolve(screen(shown), layout=Layout(blanks=(0, shown.count("? "))))
        assert printed(now, outcome=Outcome.AWAITING_INPUT).text == output


def test_output_that_fills_its_row_before_a_prompt_of_two_lines() -> None:
    """The prompt's first row goes on where the output has ended, and is no part of it."""
    before = attrs.evolve(BEFORE, screen=two_line("in ~\n$ cmd"))
    now = two_line("in ~\n$ cmd\na\n" + "x" * 40 + "\nin ~\n$ ")
    now = attrs.evolve(now, layout=Layout((False, False, False, True)))
    result = read_output(before, now, Outcome.PROMPT, typed="cmd", prompt_rows=("in ~",))
    assert result == Printed("a\n" + "x" * 40, complete=True, prompt_rows=("in ~",))


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (["1", "2", "3", "4"], ("1", "2", "3", "4")),
        (["0", "1", "2", "3", "4"], ("1", "2", "3", "4")),
        (["0", "", "2"], ("0", "", "2")),
        (["", "2"], ("", "2")),
    ],
    ids=["four rows", "more rows than a prompt has", "an empty row", "an empty row first"],
)
def test_the_upper_rows_of_a_prompt_have_an_end(head: list[str], known: tuple[str, ...]) -> None:
    """After four rows: what stands above all prompts may also be output."""
    prompt = "\n".join([*head, "$ "])
    size = Size(40, 30)
    before = attrs.evolve(BEFORE, screen=screen(f"{prompt}ls\na\n{prompt}cmd", size=size))
    now = screen(f"{prompt}ls\na\n{prompt}cmd\nb\n{prompt}", size=size)
    result = printed(now, before)
    assert result.prompt_rows == known
    assert result.text.startswith("b\n")


def test_the_same_output_without_a_line_break_twice() -> None:
    """What stood before the prompt at the mark was printed, and is no prompt."""
    before = Mark(screen=screen("x$ cmd"), prompt=Prompt("$ "))
    assert printed(screen("x$ cmd\nx$ "), before).text == "x"
    assert printed(screen("x$ cmd\nax$ "), before).text == "ax"


def test_a_prompt_that_counts() -> None:
    """Its numbers change, and those that were printed before it are no part of it."""
    before = Mark(screen=screen("[9] $ cmd"), prompt=Prompt("[9] $ "))
    assert printed(screen("[9] $ cmd\nx[10] $ "), before).text == "x"
    before = Mark(screen=screen("9 $ cmd"), prompt=Prompt("9 $ "))
    assert printed(screen("9 $ cmd\n78 $ "), before).text == "7"


def test_a_window_of_another_width() -> None:
    """Its rows have wrapped anew, so nobody knows where the output began."""
    now = screen("$ cmd\na\n$ ", size=Size(30, 6))
    assert not printed(now).complete


def test_rows_that_stand_above_every_prompt_may_be_output() -> None:
    """Where the same command was typed each time, nothing tells."""
    above = "\n".join(["a", *["$ cmd", "a"] * 3, "$ cmd"])
    before = attrs.evolve(BEFORE, screen=two_line(above, 9))
    result = printed(two_line(f"{above}\na\n$ ", 9), before)
    assert (result.complete, result.prompt_rows) == (False, None)


@pytest.mark.parametrize(
    ("above", "blanks", "result"),
    [
        ("", 40, Printed("a\n\n", complete=True, prompt_rows=())),
        ("", 0, Printed("a\n", complete=True, prompt_rows=None)),
        ("welcome\n", 0, Printed("a\n", complete=False, prompt_rows=None)),
    ],
    ids=["zsh has wiped it", "nothing else stands above it", "a text stands above it"],
)
def test_a_blank_row_above_the_only_prompt(above: str, blanks: int, result: Printed) -> None:
    """It is the prompt's, unless the shell wiped it; below a text nobody can tell."""
    layout = Layout(blanks=(blanks,))
    before = attrs.evolve(BEFORE, screen=two_line(f"{above}\n$ cmd"))
    now = attrs.evolve(two_line(f"{above}\n$ cmd\na\n\n$ "), layout=layout)
    assert printed(now, before) == result


def test_a_blank_row_above_a_few_prompts_may_be_output() -> None:
    """Below a text above the first one, that it has one as well says little; three say enough."""
    above = "hello\n\n$ one\n\n$ "
    few = attrs.evolve(BEFORE, screen=two_line(f"{above}cmd"))
    result = printed(two_line(f"{above}cmd\nb\n\n$ "), few)
    assert (result.complete, result.prompt_rows) == (False, None)
    above += "two\n\n$ "
    enough = attrs.evolve(BEFORE, screen=two_line(f"{above}cmd"))
    result = printed(two_line(f"{above}cmd\nc\n\n$ "), enough)
    assert result == Printed("c\n", complete=True, prompt_rows=("",))


@pytest.mark.parametrize(
    ("command", "row", "text", "prompt_rows"),
    [
        ("bash", "~/src", "b\n", ("~/src",)),
        ("node", "undefined", "b\nundefined\n", None),
        ("ipython3", "", "b\n", ("",)),
    ],
)
def test_only_shells_show_more_than_blank_lines_above_their_last_one(
    command: str, row: str, text: str, prompt_rows: tuple[str, ...] | None
) -> None:
    """What node says below each answer stands above all its prompts, and is output."""
    above = f"{row}\n$ one\n{row}\n$ two\nx\n{row}\n$ cmd"
    shown = two_line(above), two_line(f"{above}\nb\n{row}\n$ ")
    before, now = (attrs.evolve(screen, command=command) for screen in shown)
    result = printed(now, attrs.evolve(BEFORE, screen=before))
    assert result == Printed(text, complete=True, prompt_rows=prompt_rows)


def test_the_only_prompt_below_what_has_scrolled_away() -> None:
    """What stood above the rows that are left may end as the output does."""
    before = attrs.evolve(BEFORE, screen=two_line("x\n$ cmd", 5))
    assert not printed(two_line("x\n$ cmd\na\nx\n$ ", 5), before).complete


@pytest.mark.parametrize(("blanks", "output"), [(40, ""), (39, " " * 39 + "\n")])
def test_clear_in_zsh_keeps_the_row_that_it_wiped(blanks: int, output: str) -> None:
    """Spaces to the end of the row are zsh's; nothing tells where the output began."""
    cleared = attrs.evolve(screen("$ "), history=("",), layout=Layout(blanks=(blanks,)))
    result = printed(attrs.evolve(cleared, history_size=1), Mark(screen=screen("a\n\n$ cmd")))
    assert (result.text, result.complete) == (output, False)


def test_a_prompt_that_was_seen_at_the_top_has_one_line() -> None:
    """So what stands above it after a ``clear`` is output, also where the next one ends so."""
    first = Mark(screen=screen("$ cmd"), prompt=Prompt("$ "))
    cleared = printed(screen("x\n$ "), first)
    assert (cleared.text, cleared.complete, cleared.prompt_rows) == ("x\n", False, ())
    now = screen("x\n$ cmd\nx\n$ ")
    again = read_output(
        Mark(screen=screen("x\n$ cmd"), prompt=Prompt("$ ")),
        now,
        Outcome.PROMPT,
        typed="cmd",
        prompt_rows=cleared.prompt_rows,
    )
    assert again == Printed("x\n", complete=True, prompt_rows=())


@pytest.mark.parametrize(
    ("shell", "row", "blanks", "complete"),
    [
        ("zsh", "x" * 39 + "%", 0, False),
        ("fish", "x" * 39 + "⏎", 0, False),
        ("zsh", "x" * 40, 0, False),
        ("fish", "x" * 30, 10, False),
        ("zsh", "x" * 39, 0, True),
        ("bash", "x" * 40, 0, True),
    ],
)
def test_a_last_row_that_is_full(shell: str, row: str, blanks: int, complete: bool) -> None:  # noqa: FBT001  # a column
    """Zsh and fish wipe what would tell whether its line has ended."""
    layout = Layout(blanks=(0, blanks))
    now = attrs.evolve(screen(f"$ cmd\n{row}\n$ "), layout=layout, command=shell)
    assert printed(now).complete is complete


TALL = Size(40, 40)


def printed_below(
    above: str,
    shown: str,
    *,
    known: tuple[str, ...] | None = None,
    prompt: str = "$ ",
    layout: Layout = Layout(),  # noqa: B008  # frozen
    cut: int = 0,
) -> Printed:
    """Return what was printed below some rows; the prompt and the command end the first ones."""
    mark = attrs.evolve(screen(f"{above}cmd", size=TALL), history_size=cut)
    now = attrs.evolve(screen(f"{above}cmd\n{shown}", size=TALL), layout=layout, history_size=cut)
    before = Mark(screen=mark, prompt=Prompt(prompt))
    return read_output(before, now, Outcome.PROMPT, typed="cmd", prompt_rows=known)


def test_a_blank_line_above_a_prompt_of_two_lines() -> None:
    """It is output where the first prompt has none, which may stand below what zsh has wiped."""
    wiped = Layout(blanks=(40,))
    result = printed_below("\n[up]\n$ ", "3\n\n[up]\n$ ", layout=wiped)
    assert result == Printed("3\n\n", complete=True)
    result = printed_below("[up]\n$ ", "3\n\n[up]\n$ ")
    assert result == Printed("3\n\n", complete=True)
    result = printed_below("# PS1=\n[up]\n$ ", "3\n\n[up]\n$ ")
    assert result == Printed("3\n\n", complete=False)  # a single prompt below a text


def test_a_blank_line_that_may_be_the_prompts() -> None:
    """Where a text stands there above another prompt: it may have had no line break."""
    above = "hi\n\n~/b\n$ printf x\nx\n~/b\n$ "
    result = printed_below(above, "a\n\n~/b\n$ ")
    assert result == Printed("a\n\n", complete=False)
    # A command ends with a line break, so the row below it would be blank.
    above = "\n[up]\n$ one\n[up]\n$ "
    assert printed_below(above, "a\n\n[up]\n$ ") == Printed(
        "a\n\n", complete=True, prompt_rows=("[up]",)
    )
    # Most prompts tell.
    above = "\n~/b\n$ 1\na\n\n~/b\n$ printf x\nx\n~/b\n$ "
    assert printed_below(above, "y\n~/b\n$ ") == Printed("y\n", complete=False, prompt_rows=None)
    above = "".join(f"\n~/b\n$ 0{c}\na\n" for c in "abcd") + above
    assert printed_below(above, "y\n~/b\n$ ") == Printed(
        "y", complete=True, prompt_rows=("", "~/b")
    )


def test_a_blank_line_last_above_a_prompt_of_one_line() -> None:
    """It is output if it never stood there before, or most prompts have none."""
    assert printed_below("x\n$ 1\na\n$ ", "\n$ ") == Printed("\n", complete=True)
    assert printed_below("x\n$ 1\n\n$ ", "\n$ ") == Printed("\n", complete=False)
    above = "x\n$ 1\na\n$ 2\nb\n$ 3\n\n$ "
    assert printed_below(above, "\n$ ") == Printed("\n", complete=True)


def test_the_first_row_of_a_prompt_has_wrapped() -> None:
    """Behind output that left one cell; no half of it is learned."""
    full = "7" * 39
    layout = Layout((False, False, True))
    result = printed_below("[up]\n$ ", f"{full}[\nup]\n$ ", layout=layout)
    assert result == Printed(full, complete=True)
    result = printed_below("[up]\n$ ", f"{full}[\nup]\n$ ", layout=layout, known=("[up]",))
    assert result == Printed(full, complete=True, prompt_rows=("[up]",))
    layout = Layout((False, False, False, False, False, True))
    result = printed_below("# PS1=\n[up]\n$ 1\nx[up]\n$ ", f"{full}[\nup]\n$ ", layout=layout)
    assert result == Printed(full, complete=True, prompt_rows=("[up]",))


def test_a_prompt_that_was_typed_in_several_lines() -> None:
    """The rows of it begin as the prompt's last one does, with nothing of it above them."""
    above = "# PS1='\n> $PWD\n> > '\n\n~/b\n> "
    first = printed_below(above, "a\n\n~/b\n> ", prompt="> ")
    assert first == Printed("a\n", complete=False)
    above += "one\na\n\n~/b\n> "
    second = printed_below(above, "\n~/b\n> ", prompt="> ")
    assert second == Printed("", complete=True, prompt_rows=("", "~/b"))
    assert printed_below(above, "> ", prompt="> ").prompt_rows is None  # wants the rest, maybe
    assert printed_below("x\n> 1\n> ", "a\n> ", prompt="> ").prompt_rows is None


def test_a_prompt_that_was_typed_faster_than_the_shell_read() -> None:
    """Then what asks for the rest of it has no line break, and stands in the prompt's first row."""
    above = "# PS1='\n$PWD\n> '> > \n~/b\n> 1\n3\n\n~/b\n> "
    assert not printed_below(above, "\n~/b\n> ", prompt="> ").complete


def test_output_that_looks_like_a_command() -> None:
    """Nothing is learned from it, and it casts a doubt on what else is found."""
    above = "# PS1=\n[up]\n$ echo '$ x'\n$ x\n[up]\n$ "
    assert printed_below(above, "[up]\n$ ") == Printed("[up]\n", complete=False)
    above = "# PS1=\n[up]\n$ echo '$ '\n$ \n[up]\n$ "  # nothing was typed there
    assert printed_below(above, "[up]\n$ ") == Printed("", complete=True, prompt_rows=("[up]",))
    above = "# PS1=\n[up]\n$ printf '$ '\n$ [up]\n$ "  # it had no line break
    assert printed_below(above, "a\n[up]\n$ ") == Printed("a\n[up]\n", complete=False)


def test_the_first_prompt_in_what_is_left_of_the_history() -> None:
    """What stood above it is not there any more, and proves nothing."""
    above = "$ 0\na\n[up]\n$ 1\nb\n[up]\n$ 2\nc\n[up]\n$ "
    result = printed_below(above, "d\n[up]\n$ ", cut=5)
    assert result == Printed("d\n", complete=True, prompt_rows=("[up]",))


def test_nothing_is_learned_where_the_command_is_gone() -> None:
    """After a ``clear`` what is at the top may be the prompt's first row."""
    result = printed(screen("x\n[up]\n$ "), Mark(screen=screen("a\n\n$ cmd")))
    assert result == Printed("x\n[up]\n", complete=False)
