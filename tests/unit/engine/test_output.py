"""`Console.run` on the fake: what was printed between the command line and the prompt."""

import asyncio
from typing import Never

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import ASKING, AT_PROMPT, COOKED_ONLY, screen
from tmuxprim import (
    AsyncConsole,
    Console,
    Cursor,
    FakeTerminal,
    InvalidTextError,
    KeySequence,
    Mark,
    Outcome,
    Pane,
    PaneBusyError,
    Screen,
    Size,
    TtyState,
)
from tmuxprim._engine.output import LineOutput, read_output, status_in
from tmuxprim._engine.output_end import MARKED
from tmuxprim._engine.prompt_rows import LEFT, PromptRows, see_prompt
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._values.style import Style, StyledText
from tmuxprim.errors import InvalidScreenError, TapUnavailableError
from tmuxprim.readiness import Prompt
from tmuxprim.testing import (
    After,
    AsyncFakeTerminal,
    FakeTty,
    Layout,
    Program,
    ReadLine,
    Run,
    ScriptedShell,
    Sleep,
    after,
    crash,
    pager,
    question,
    repl,
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
    mark = console.send("y")
    console.wait_ready()
    assert console.read(since=mark) == "you said y\n$"


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
    with pytest.raises(PaneBusyError, match=r"nothing was sent: 'half' is already typed at"):
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


def test_half_a_line_that_nobody_has_seen_begin() -> None:
    """It is not made a whole one by a console that has never seen the prompt."""
    console = console_on(SHELL)
    console.wait_ready()
    console.send("echo rm ", enter=False)
    fresh = Console(console.terminal, console.pane)
    with pytest.raises(PaneBusyError, match=r"'echo rm' is already typed at the prompt"):
        fresh.run("ls")


def test_the_end_of_the_shell() -> None:
    """The last screen is all there is."""
    result = console_on(SHELL).run("exit")
    assert result.readiness.outcome is Outcome.EXITED
    assert not result.complete


def test_a_tab_is_a_key_to_a_line_editor() -> None:
    """So it is refused in a command, with all other control characters; nothing is sent."""
    console = console_on(SHELL)
    for command in ("ls\t", "true\nls \x1b", "\x03"):
        with pytest.raises(InvalidTextError, match=r"a line editor takes '.+' for a key"):
            console.run(command)
    terminal = console.terminal
    assert isinstance(terminal, FakeTerminal)
    assert terminal.sent() == ()


def test_a_tab_is_a_tab_where_the_kernel_collects_the_line() -> None:
    """A shell that edits no lines gets it as it is."""

    def plain(tty: FakeTty) -> Run:
        while True:
            tty.write(f"{(yield ReadLine(prompt='$ '))!r}\n")

    assert console_on(plain).run("a\tb").output == "'a\\tb'\n"


def test_a_line_that_cannot_be_typed_any_more() -> None:
    """What the first line does may make the next too long: the error says that some are typed."""

    def dash(_tty: FakeTty) -> Run:
        while True:
            yield ReadLine(prompt="$ ")

    with pytest.raises(InvalidTextError, match="only a part of the lines has been typed: the k"):
        console_on(ScriptedShell({"dash": dash})).run("dash\n" + "x" * 5000)


TWO_ROWS = ScriptedShell({"ls": "a\nb", "true": ""}, prompt="in ~\n$ ", bracketed_paste=False)


def test_a_prompt_of_two_rows_that_nobody_knows() -> None:
    """Its upper row may be output, and is told as that, with the doubt."""
    console = console_on(TWO_ROWS)
    for command, output in (("ls", "a\nb\nin ~\n"), ("true", "in ~\n"), ("ls", "a\nb\nin ~\n")):
        result = console.run(command)
        assert (result.output, result.complete) == (output, False)
        assert result.doubt.startswith("its last rows may be the prompt's: an Enter at the empty")


def test_a_prompt_is_learned_from_an_enter() -> None:
    """By whomever: a person, a command that is empty, or on request; from then on it is known."""

    def by_a_person(console: Console) -> None:
        console.terminal.send(console.pane, KeySequence.keys("Enter"))

    def by_request(console: Console) -> None:
        assert console.learn_prompt() == 2

    def by_hand(console: Console) -> None:
        console.send("")
        console.wait_ready()

    def by_command(console: Console) -> None:
        assert console.run("").complete

    for learn in (by_a_person, by_request, by_hand, by_command):
        console = console_on(TWO_ROWS)
        assert not console.run("ls").complete
        learn(console)
        for command, output in (("ls", "a\nb\n"), ("true", ""), ("ls", "a\nb\n")):
            result = console.run(command)
            assert (result.output, result.complete, result.doubt) == (output, True, "")


def test_a_prompt_that_was_told() -> None:
    """It holds for the first program that shows one, and not for what that starts."""
    inner = ScriptedShell({"ls": "a\nb"}, prompt="up\nin> ", bracketed_paste=False)
    outer = ScriptedShell({"bash": inner}, prompt="in ~\n$ ", bracketed_paste=False)
    terminal = FakeTerminal(programs={"sh": outer})
    console = Console(terminal, terminal.open("sh"), prompt_rows=2)
    assert console.run("echo hi").complete
    console.run("bash")
    assert console.run("ls").output == "a\nb\nup\n"
    assert console.learn_prompt() == 2
    assert console.run("ls").complete
    assert console.run("exit").readiness
    assert console.run("echo hi").complete


@pytest.mark.parametrize("rows", [0, -1, 1.0, True, "2"])
def test_no_number_of_rows(rows: object) -> None:
    """Is refused when it is told."""
    terminal = FakeTerminal()
    with pytest.raises(
        InvalidScreenError, match=f"a whole number from 1 on, or None, got {rows!r}"
    ):
        Console(terminal, terminal.open(), prompt_rows=rows)  # type: ignore[arg-type]  # as told


def test_no_prompt_to_be_learned() -> None:
    """No Enter is pressed where another program reads; what else is printed tells nothing."""
    console = console_on(SHELL)
    console.send("ask")
    with pytest.raises(PaneBusyError, match="nothing was sent: the pane takes no command"):
        console.learn_prompt()

    def noisy(tty: FakeTty) -> Run:
        tty.write("welcome\n")
        for number in range(100):
            yield ReadLine(raw=True, prompt="$ ")
            tty.write(f"job {'x' * number} has ended\n")
        return 0

    assert console_on(noisy).learn_prompt() is None
    terminal = FakeTerminal(programs={"sh": noisy})
    low = Console(terminal, terminal.open("sh", size=Size(40, 2)))
    assert [low.learn_prompt() for _ in range(3)] == [None] * 3

    def slow(_: FakeTty) -> Run:
        yield ReadLine(raw=True, prompt="$ ")
        yield Sleep(1e9)
        return 0

    assert console_on(slow).learn_prompt(1.0) is None


def test_what_the_top_of_the_history_tells() -> None:
    """A console that is new finds the first prompt there, above which nothing stood."""
    console = console_on(SHELL)
    console.run("ls")
    terminal = console.terminal
    assert isinstance(terminal, FakeTerminal)
    for command, output in (("flood", SHELL_FLOOD), ("ls", "a\nb\n")):
        result = Console(terminal, console.pane).run(command)
        assert (result.output, result.complete) == (output, True)


def test_a_command_that_changes_the_prompt() -> None:
    """Its row may hold output this once; from then on it is the prompt."""

    def shell(tty: FakeTty) -> Run:
        prompt = "# "
        while True:
            line = yield ReadLine(raw=True, prompt=prompt)
            if line.startswith("PS1="):
                prompt = line.removeprefix("PS1=").replace("\\n", "\n")
            else:
                tty.write(line.removeprefix("echo ").replace("\\n", "\n"))

    console = console_on(shell, Size(40, 20))
    steps = [
        ("echo a\\n", "a\n", True),
        ("PS1=vm# ", "", False),
        ("echo a\\n", "a\n", True),
        ("echo x", "x", False),  # this may be another prompt, too
        ("echo a\\n", "a\n", True),
        ("PS1=up\\nvm# ", "up\n", False),
        ("echo a\\n", "a\nup\n", False),
        ("echo ", "up\n", False),
        ("PS1=new> ", "", False),
        ("echo a\\n", "a\n", True),
    ]
    for command, output, complete in steps:
        result = console.run(command)
        assert (command, result.output, result.complete) == (command, output, complete)


@pytest.mark.parametrize(
    ("command", "begins", "output", "doubt"),
    [
        ("setopt no_prompt_sp", "\r", "", "this zsh begins its prompt where output"),
        ("set +o PromptSP", "\r", "", "this zsh begins its prompt where output"),
        ("source pure.zsh", "", "abc", ""),
    ],
)
def test_a_zsh_that_is_told_to_begin_no_row(
    command: str, begins: str, output: str, doubt: str
) -> None:
    """From then on output without a line break may be gone, or stand left of the prompt."""

    def zsh(tty: FakeTty) -> Run:
        sign = f"\x1b[7m%\x1b[0m{' ' * 39}\r \r\x1b[J\r"
        prompt = "\x1b[0m\x1b[27m\x1b[24m\x1b[J$ \x1b[K\x1b[?2004h"
        while True:
            tty.write(sign)
            line = yield ReadLine(raw=True, prompt=prompt)
            tty.write("\x1b[?2004l")
            tty.write(line.removeprefix("echo ").replace("\\n", "\n") if "echo" in line else "")
            sign = begins if line == command else sign

    terminal = FakeTerminal(programs={"zsh": zsh})
    console = Console(terminal, terminal.open("zsh", size=Size(40, 9)))
    result = console.run("echo abc")
    assert (result.output, result.complete) == ("abc", True)
    console.run(command)
    result = console.run("echo abc")
    assert result.output == output
    assert result.doubt.startswith(doubt)
    assert console.run("echo a\\n").output == "a\n"


def test_a_zsh_that_says_nothing_of_its_prompt() -> None:
    """As with zle_bracketed_paste unset; what tells the sign from output is its style."""

    def zsh(tty: FakeTty) -> Run:
        while True:
            tty.write(f"\x1b[7m%\x1b[0m{' ' * 39}\r \r\x1b[J")
            line = yield ReadLine(raw=True, prompt="$ ")
            tty.write(line.removeprefix("echo "))

    terminal = FakeTerminal(programs={"zsh": zsh})
    console = Console(terminal, terminal.open("zsh", size=Size(40, 9)))
    assert console.learn_prompt() == 1
    result = console.run("echo abc")
    assert (result.output, result.complete) == ("abc", True)


def test_a_prompt_is_learned_where_the_screen_is_too_low_for_two() -> None:
    """The history shows the upper one."""
    old = ScriptedShell({"ls": "a"}, prompt="up\n$ ", bracketed_paste=False)
    terminal = FakeTerminal(programs={"sh": old})
    console = Console(terminal, terminal.open("sh", size=Size(20, 3)))
    console.run("ls")
    assert console.learn_prompt() == 2
    assert console.run("ls").complete


BEFORE = Mark(screen=screen("$ cmd"), prompt=Prompt("$ "))
ONE_ROW = PromptRows(1, "$ ", "$ ", is_sure=True)
UP = PromptRows(2, "up", "$ ", is_sure=True)


def printed(
    now: Screen,
    before: Mark = BEFORE,
    outcome: Outcome = Outcome.PROMPT,
    *,
    known: PromptRows = ONE_ROW,
    ground: Screen | None = None,
) -> LineOutput:
    """Return what was printed between two screens."""
    seen = see_prompt(now, known, before=before.screen) if outcome is Outcome.PROMPT else None
    return read_output(before, now, outcome, seen=seen, typed="cmd", screen_before=ground)


def styled(now: Screen, end: str, row: int = 1) -> Screen:
    """Return a screen of which the *end* of a row's text is styled."""
    text = now.rows[row].removesuffix(end)
    part = (StyledText(text), *[StyledText(end, Style(bold=True))] * bool(end))
    plain = [(StyledText(it),) for it in now.rows]
    return attrs.evolve(now, styles=(*plain[:row], part, *plain[row + 1 :]))


@pytest.mark.parametrize(
    ("shown", "output"),
    [("", ""), ("a\n", "a\n"), ("\n", "\n"), ("$ \n", "$ \n"), ("$ cmd2\n", "$ cmd2\n")],
)
def test_the_prompt_is_no_output(shown: str, output: str) -> None:
    """All else between the command line and the prompt is, whatever it looks like."""
    layout = Layout(blanks=(0, output.count(" \n")))
    now = attrs.evolve(screen(f"$ cmd\n{shown}$ "), layout=layout)
    assert printed(now) == LineOutput(output)


@pytest.mark.parametrize(
    ("shown", "output"),
    [("x$ ", "x"), ("$ $ ", "$ "), ("a\n~/b $ ", "a\n~/b "), ("a\nx\n> ", "a\nx\n")],
)
def test_a_prompt_that_stands_otherwise(shown: str, output: str) -> None:
    """Another prompt, or output without a line break: that cannot be determined."""
    assert printed(screen(f"$ cmd\n{shown}")).text == output
    assert printed(screen(f"$ cmd\n{shown}")).doubt


def test_what_is_left_of_the_prompt_of_another_program_is_output() -> None:
    """It is shells whose prompts get another beginning."""
    now = attrs.evolve(screen(">>> cmd\nx>>> "), command="python3")
    known = PromptRows(1, ">>> ", ">>> ", is_sure=True)
    assert printed(now, Mark(screen=screen(">>> cmd")), known=known) == LineOutput("x")


@pytest.mark.parametrize(
    ("shell", "row", "blanks", "output"),
    [
        ("zsh", "x%", 38, "x"),
        ("fish", "x⏎", 38, "x"),
        ("zsh-5.9", "x%", 38, "x"),
        ("-fish", "x⏎", 38, "x"),
        ("yash", "x$", 38, "x"),
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
    assert printed(styled(now, row[1:] * (len(output) == 1))) == LineOutput(output)


@pytest.mark.parametrize(
    ("shell", "row", "styled_end", "output", "doubt"),
    [
        ("zsh", "x%", None, "x", MARKED),
        ("zsh", "x%", "", f"x%{' ' * 38}\n", "blanks fill a row of it"),
        ("zsh", "x%", "x%", f"x%{' ' * 38}\n", "blanks fill a row of it"),
        ("fish", "x⏎", "", f"x⏎{' ' * 38}\n", "its last row is full"),
        ("zsh", "x!", "!", f"x!{' ' * 38}\n", "blanks fill a row of it"),
        ("bash", "x%", None, f"x%{' ' * 38}\n", MARKED),
        ("bash", "x%", "%", f"x%{' ' * 38}\n", MARKED),  # of ble.sh
        ("python3", "x%", "%", f"x%{' ' * 38}\n", ""),
    ],
)
def test_a_sign_that_may_be_output(
    shell: str, row: str, styled_end: str | None, output: str, doubt: str
) -> None:
    """A shell's own sign is styled and alone. The signs of other shells are not known."""
    layout = Layout(blanks=(0, 38))
    now = attrs.evolve(screen(f"$ cmd\n{row}\n$ "), layout=layout, command=shell)
    found = printed(now if styled_end is None else styled(now, styled_end))
    assert found.text == output
    assert found.doubt.startswith(doubt)
    assert bool(found.doubt) is bool(doubt)


def test_a_sign_above_the_screen() -> None:
    """Nothing tells how it looks."""
    layout = Layout(blanks=(0, 38))
    now = attrs.evolve(
        screen("$ ", size=Size(40, 1)),
        layout=layout,
        history=("$ cmd", "x%"),
        history_size=2,
        command="zsh",
        styles=((StyledText("$"),),),
    )
    before = Mark(screen=attrs.evolve(screen("$ cmd", size=Size(40, 1))))
    assert printed(now, before) == LineOutput("x", MARKED)


def test_a_sign_of_a_shell_far_away() -> None:
    """What ssh shows may be one, and may be output."""
    layout = Layout(blanks=(0, 38))
    now = attrs.evolve(screen("$ cmd\nx%\n$ "), layout=layout, command="ssh")
    assert printed(styled(now, "")).doubt == MARKED
    assert not printed(attrs.evolve(now, layout=Layout())).doubt


def test_a_zsh_that_overwrites() -> None:
    """Without its sign, output without a line break may be gone, or stand left of the prompt."""
    known = attrs.evolve(ONE_ROW, is_marked=False)
    now = attrs.evolve(screen("$ cmd\na\n$ "), command="zsh")
    assert printed(now, known=known).text == "a\n"
    assert printed(now, known=known).doubt.startswith("this zsh begins its prompt where output")
    now = attrs.evolve(screen("$ cmd\na\nx$ "), command="zsh")
    assert printed(now, known=known) == LineOutput("a\nx", LEFT)


def test_output_over_the_text_of_a_killed_program() -> None:
    """A part of what stood below the command line may be left in it."""
    ground = attrs.evolve(screen("$ \nold text"), cursor=Cursor(0, 2))
    found = printed(screen("$ cmd\na\n$ "), ground=ground)
    assert found.text == "a\n"
    assert found.doubt.startswith("it was printed over another text")


class Moves(FakeTerminal):
    """A terminal whose pane shows something else by the time at which its colours are asked for."""

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        seen = super().observe(pane, history=history, styled=styled)
        return attrs.evolve(seen, rows=("job 1 has ended", *seen.rows[1:])) if styled else seen


def test_a_sign_that_has_moved() -> None:
    """What the screen shows by then tells nothing of how the sign looked."""

    def zsh(tty: FakeTty) -> Run:
        while True:
            tty.write(f"\x1b[7m%\x1b[0m{' ' * 39}\r \r\x1b[J")
            tty.write((yield ReadLine(raw=True, prompt="$ ")))

    terminal = Moves(programs={"zsh": zsh})
    result = Console(terminal, terminal.open("zsh", size=Size(40, 9))).run("abc")
    assert (result.output, result.doubt) == ("abc", MARKED)


HOOKS = PromptRows(2, "up", "$ ", is_sure=True, is_marked=True)


@pytest.mark.parametrize(
    ("shown", "wrapped", "blanks", "known", "output", "doubt"),
    [
        ("a\n\nup\n", (), (0, 0, 40), ONE_ROW, f"a\n{' ' * 40}\nup\n", "blanks fill a row of it"),
        ("a\nup\n", (), (0, 0, 38), ONE_ROW, f"a\nup{' ' * 38}\n", "blanks fill a row of it"),
        ("a%\nup\n", (0, 1), (0, 38), ONE_ROW, f"a%{' ' * 38}up\n", "blanks fill a row of it"),
        ("a \nup\n", (0, 1), (0, 39), ONE_ROW, f"a{' ' * 39}up\n", ""),
        ("a\nup\n", (), (0, 0, 38), HOOKS, "a\n", ""),
        ("a\nup\n", (), (0, 0), HOOKS, "a\n", ""),
        ("a%\nup\n", (0, 1), (0, 38), HOOKS, "a", ""),
        ("a!\nup\n", (0, 1), (0, 38), HOOKS, "", "its last row is full"),
    ],
)
def test_a_hook_that_prints_above_the_prompt_of_zsh(
    shown: str,
    wrapped: tuple[int, ...],
    blanks: tuple[int, ...],
    known: PromptRows,
    output: str,
    doubt: str,
) -> None:
    """What begins in the row that zsh has filled is the prompt, or output that is as wide."""
    before = attrs.evolve(two_line("up\n$ cmd"), layout=Layout(blanks=(38, 0)))
    layout = Layout((False, *map(bool, wrapped)), (0, *blanks))
    now = attrs.evolve(two_line(f"up\n$ cmd\n{shown}$ "), layout=layout, command="zsh")
    now = styled(now, "%" if "%" in shown else "", row=2)
    found = printed(now, Mark(screen=before), known=known)
    assert found.text == output
    assert found.doubt.startswith(doubt)
    assert bool(found.doubt) is bool(doubt)


def test_a_hook_and_a_dumb_terminal() -> None:
    """There zsh fills the row only if it has overwritten a letter of output."""
    before = Mark(screen=two_line("up\n$ cmd"))
    layout = Layout(blanks=(0, 0, 0, 38))
    now = attrs.evolve(two_line("up\n$ cmd\na\nup\n$ "), layout=layout, command="zsh")
    assert printed(now, before, known=HOOKS).doubt.startswith("its last row is full")
    above = Mark(screen=two_line("$ cmd"))
    now = attrs.evolve(
        two_line("$ cmd\na\nup\n$ "), layout=Layout(blanks=(0, 0, 38)), command="zsh"
    )
    assert printed(now, above, known=HOOKS).doubt


@pytest.mark.parametrize(
    ("row", "wrapped", "blanks", "result"),
    [
        ("ab%", True, (0, 37, 1), MARKED),
        ("7" * 40, True, (0, 0, 38), LEFT),
        ("7" * 39 + "%", True, (0, 0, 37), LEFT),
        ("7" * 40, True, (0, 0, 1), ""),
        ("$", False, (0, 39), "its last row is full"),
        ("$", False, (0, 38), ""),
    ],
    ids=["two", "a row", "a cell less", "a long prompt", "one, wiped", "none"],
)
def test_a_dumb_terminal(row: str, wrapped: bool, blanks: tuple[int, ...], result: str) -> None:  # noqa: FBT001  # a column
    """There zsh fills all but one cell of a row, so its prompt may stand behind its sign."""
    text = f"$ cmd\n{row}\n$ " if wrapped else "$ cmd\n$ "
    layout = Layout((False, wrapped), blanks)
    found = printed(attrs.evolve(screen(text), layout=layout, command="zsh"))
    assert found.doubt.startswith(result) if found.doubt else found == LineOutput(result)


def test_a_shell_behind_another_program() -> None:
    """Its line editor tells that it has ended the command; if not, the command may have asked."""
    deploy: list[str | After] = ["$ ", after(9.0, "done")]
    terminal = FakeTerminal(programs={"ssh": ScriptedShell({"deploy": deploy, "ls": "a"})})
    console = Console(terminal, terminal.open("ssh"))
    for command, output in (("ls", "a\n"), ("deploy", "$ \ndone\n")):
        result = console.run(command)
        assert (result.output, result.complete) == (output, True)
        assert result.readiness.outcome is Outcome.PROMPT
    looks_alike = ScriptedShell({"deploy": deploy, "ls": "a"}, bracketed_paste=False)
    terminal = FakeTerminal(programs={"ssh": looks_alike})
    console = Console(terminal, terminal.open("ssh"))
    for command in ("ls", "deploy"):
        result = console.run(command)
        assert result.readiness.outcome is Outcome.PROMPT
        assert result.doubt.startswith("the end of the command is a guess")


def test_a_terminal_without_line_breaks() -> None:
    """As a killed program leaves it, each row begins below the end of the one before."""
    layout = Layout(blanks=(0, 0, 37))
    now = attrs.evolve(screen("$ cmd\nhi\n  %\n$ "), layout=layout, command="zsh")
    assert printed(now).doubt.startswith("it ends with blanks")


def test_a_last_line_that_is_longer_than_the_screen() -> None:
    """Its beginning is in the history, and output like the rest."""
    history = ("up", "$ cmd", "a", *["y" * 40] * 20)
    for text, known in (("zz$ ", ONE_ROW), ("zzup\n$ ", UP)):
        shown = ("y" * 40 + "\n") * 2 + text
        now = screen(shown, size=Size(40, 4))
        wrapped = (*[False] * 3, *[True] * 22)
        whole = attrs.evolve(now, history=history, history_size=23, layout=Layout(wrapped))
        seen = see_prompt(attrs.evolve(now, layout=Layout(wrapped[23:])), known)
        assert len(seen.tail) == 82
        before = Mark(screen=screen("up\n$ cmd", size=Size(40, 4)))
        found = read_output(before, whole, Outcome.PROMPT, seen=seen)
        assert found == LineOutput(f"a\n{'y' * 880}zz", LEFT)


def test_a_prompt_that_is_higher_than_the_screen() -> None:
    """Nobody has seen whether output stands left of its first row."""
    size = Size(40, 2)
    now = attrs.evolve(screen("r\n$ ", size=size), history=("$ cmd", "a", "p", "q"), history_size=4)
    known = PromptRows(4, "p", "$ ", is_sure=True)
    found = printed(now, Mark(screen=screen("$ cmd", size=size)), known=known)
    assert found.text == "a\n"
    assert found.doubt.startswith("the prompt is higher than the screen")


def two_line(text: str, number: int = 0) -> Screen:
    """Return a screen of ten rows, above which there are *number* rows of history."""
    return attrs.evolve(screen(text, size=Size(40, 10)), history_size=number)


def test_the_upper_rows_of_a_prompt_are_no_output() -> None:
    """Whatever they show, and also where the output looks like them."""
    before = attrs.evolve(BEFORE, screen=two_line("up\n$ cmd"))
    for shown in ("", "b\n", "up\n", "up\n$ \n", "\n"):
        layout = Layout(blanks=(0, 0, 0, 1)) if "$ " in shown else Layout()
        now = attrs.evolve(two_line(f"up\n$ cmd\n{shown}up\n$ "), layout=layout)
        assert printed(now, before, known=UP) == LineOutput(shown)
    now = two_line("up\n$ cmd\nb\nup there\n$ ")
    assert printed(now, before, known=UP) == LineOutput("b\n")
    less = printed(two_line("up\n$ cmd\n$ "), before, known=attrs.evolve(UP, is_given=True))
    assert less == LineOutput("", printed(screen("$ cmd\nx$ ")).doubt)  # it has changed
    told = PromptRows(3, "up", "$ ", is_sure=True, is_given=True)
    assert printed(two_line("up\n$ cmd\nb\n$ "), before, known=told).doubt.startswith(
        "its last rows"
    )


def test_output_without_a_line_break_stands_in_the_first_row() -> None:
    """Of a prompt of two rows; or that begins otherwise now."""
    before = attrs.evolve(BEFORE, screen=two_line("up\n$ cmd"))
    result = printed(two_line("up\n$ cmd\na\nbup\n$ "), before, known=UP)
    assert result.text == "a\nb"
    assert result.doubt.startswith("the text left of the prompt is output without a line break")


@pytest.mark.parametrize(
    ("command", "above", "shown", "result"),
    [
        ("bash", "x", "2", "its last rows may be the prompt's"),
        ("python3", "x", "2", ""),
        ("python3", "", "2", "its last rows may be the prompt's"),
        ("python3", "x", "2\n", "its last rows may be the prompt's"),
        ("ssh", "x", "2", "its last rows may be the prompt's"),
    ],
)
def test_only_shells_show_more_than_blank_lines_above_their_last_one(
    command: str, above: str, shown: str, result: str
) -> None:
    """What node says below each answer stands above all its prompts, and is output."""
    before = attrs.evolve(BEFORE, screen=two_line(f"{above}\n$ cmd", 5))
    now = attrs.evolve(two_line(f"{above}\n$ cmd\n{shown}\n$ ", 5), command=command)
    known = PromptRows(None, "$ ", "$ ", is_sure=True)
    found = printed(now, before, known=known)
    assert found.text == f"{shown}\n"
    assert found.doubt.startswith(result)
    assert bool(found.doubt) is bool(result)


def test_a_command_line_that_fills_its_row() -> None:
    """Some shells go on in the next row at once, others leave it empty; or the output did."""
    full = "$ " + "x" * 38
    behind = attrs.evolve(screen(full), cursor=Cursor(0, 40))
    below = attrs.evolve(screen(f"{full}\n"), cursor=Cursor(1, 0), layout=Layout((True,)))
    for at in (behind, below):
        before = Mark(screen=at, prompt=Prompt("$ "))
        assert printed(screen(f"{full}\na\n$ "), before) == LineOutput("a\n")
        assert printed(screen(f"{full}\n$ "), before) == LineOutput("")
        left = printed(screen(f"{full}\n\na\n$ "), before)
        assert left.text == "a\n"
        assert left.doubt.startswith("the command line fills its row")
    blank = attrs.evolve(screen(f"{full}\na\n$ "), layout=Layout((True,), (0, 1)))
    begun = printed(blank, Mark(screen=below))
    assert (begun.text, begun.doubt) == ("a\n", left.doubt)  # the line editor wrote that blank


def test_a_command_line_that_fills_its_row_and_prints_nothing() -> None:
    """Then the prompt that follows stands in the same line, for tmux."""
    now = screen("$ 123456789\n$ ", size=Size(11, 3))
    before = Mark(screen=screen("$ 123456789\n", size=Size(11, 3)), prompt=Prompt("$ "))
    now = attrs.evolve(now, layout=Layout((True,)))
    assert printed(now, before) == LineOutput("")


def test_output_that_fills_its_row_before_the_prompt() -> None:
    """The prompt goes on in the next row; nothing says that the line has ended."""
    now = attrs.evolve(screen("$ cmd\n" + "x" * 40 + "\n$ "), layout=Layout((False, True)))
    assert printed(now).text == "x" * 40
    assert printed(now).doubt


def test_the_cursor_tells_whether_a_line_has_ended() -> None:
    """When no prompt does."""
    for shown, output in (("$ cmd\n2\n", "2\n"), ("$ cmd\nSure? ", "Sure? "), ("$ cmd\n", "")):
        now = attrs.evolve(screen(shown), layout=Layout(blanks=(0, shown.count("? "))))
        result = printed(now, outcome=Outcome.AWAITING_INPUT)
        assert result == LineOutput(output, "the command has not ended")


def test_the_rest_of_a_command_is_no_output() -> None:
    """What asks for it is no prompt, and stands alone."""
    now = screen("$ cmd\n> ")
    assert printed(now, outcome=Outcome.CONTINUATION) == LineOutput("")


def test_output_that_fills_its_row_before_a_prompt_of_two_lines() -> None:
    """The prompt's first row goes on where the output has ended, and is no part of it."""
    before = attrs.evolve(BEFORE, screen=two_line("up\n$ cmd"))
    now = two_line("up\n$ cmd\na\n" + "x" * 40 + "\nup\n$ ")
    now = attrs.evolve(now, layout=Layout((False, False, False, True)))
    assert printed(now, before, known=UP).text == "a\n" + "x" * 40


@pytest.mark.parametrize("size", [Size(30, 6), Size(40, 7)])
def test_a_window_that_was_resized(size: Size) -> None:
    """Its rows have wrapped anew, or the shell has drawn its line again."""
    result = printed(screen("$ cmd\na\n$ ", size=size))
    assert (result.text, result.doubt[:22]) == ("a\n", "the window was resized")


@pytest.mark.parametrize("shown", ["$ ", "hi\n$ "])
def test_a_prompt_above_the_command_line(shown: str) -> None:
    """The command went up, and what it printed cannot be told from what had stood there."""
    now = attrs.evolve(screen("x\ny\n$ cmd"), cursor=screen(shown).cursor)
    result = printed(now, Mark(screen=screen("a\nb\n$ cmd")))
    assert (result.text, result.doubt[:21]) == ("", "its beginning is gone")


def test_what_was_painted_above_the_command_line() -> None:
    """Is not below it; the prompt's own upper rows may change."""
    now = screen("hi\nup\n$ cmd\na\nup\n$ ")
    for above, doubt in (("ho\nup", "something was painted"), ("hi\nup", ""), ("hi\nxx", "")):
        result = printed(now, Mark(screen=screen(f"{above}\n$ cmd")), known=UP)
        assert (result.text, result.doubt[:21]) == ("a\n", doubt)


@pytest.mark.parametrize(
    ("prompt", "shown", "is_again"),
    [
        ("$ ", "$ cmd\na", True),
        ("$ ", "$ cmda", True),  # as readline does if the window is resized at that moment
        ("$ ", "cmd\na", False),
        ("", "cmd\na", True),
        ("", "cmda", False),
    ],
)
def test_a_line_editor_that_shows_the_command_again(
    prompt: str,
    shown: str,
    is_again: bool,  # noqa: FBT001  # a column
) -> None:
    """Its own text is no output, and cannot be told from it."""
    before = Mark(screen=screen(f"{prompt}cmd"))
    result = printed(screen(f"{prompt}cmd\n{shown}\n$ "), before, ground=screen(prompt))
    assert result.doubt.startswith("the line editor has shown the command line") is is_again


@pytest.mark.parametrize(("below", "is_over"), [("", False), ("int main() {", True)])
def test_output_over_what_stood_there(below: str, is_over: bool) -> None:  # noqa: FBT001  # a column
    """After a full-screen program that was killed: a part of its text may stand in the output."""
    at = attrs.evolve(screen(f"$ cmd\n{below}"), cursor=Cursor(0, 5), alternate=True)
    now = attrs.evolve(screen("$ cmd\nhi\n$ "), alternate=True)
    result = printed(now, Mark(screen=at))
    assert (result.text, bool(result.doubt)) == ("hi\n", is_over)


def test_a_shell_on_the_alternate_screen() -> None:
    """Its rows are where they are; what scrolled off is gone."""
    at = attrs.evolve(screen("a\nb\n$ cmd"), alternate=True)
    scrolled = attrs.evolve(screen("b\n$ cmd\nx\n$ "), alternate=True)
    assert printed(scrolled, Mark(screen=at)) == LineOutput("x\n")
    gone = attrs.evolve(screen("1\n2\n$ "), alternate=True)
    assert printed(gone, Mark(screen=at)) == LineOutput("1\n2\n", printed(screen("$ ")).doubt)
    # Another screen than at the mark is all that there is.
    assert printed(scrolled) == LineOutput("b\n$ cmd\nx\n$", "the command has not ended")
    left = printed(screen("$ cmd\nx\n$ "), Mark(screen=at))
    assert left.doubt.startswith("its beginning is gone")


def test_clear_in_zsh_keeps_the_row_that_it_wiped() -> None:
    """Blank rows are no output, and nothing tells where that began."""
    cleared = attrs.evolve(screen("$ "), history=("",), layout=Layout(blanks=(40,)))
    result = printed(attrs.evolve(cleared, history_size=1), Mark(screen=screen("a\n\n$ cmd")))
    assert (result.text, result.doubt[:21]) == ("", "its beginning is gone")


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
    assert (printed(now).doubt == "") is complete


# `Console.run` with *exit_status*: the shell is asked for the exit status, by name.


def never_again(tty: FakeTty) -> Run:
    """Play a shell that hangs when it is asked for anything."""
    yield ReadLine(raw=True, prompt="$ ")
    tty.write("done\n")
    yield ReadLine(raw=True, prompt="$ ")
    while tty.is_alive:
        yield ReadLine(raw=True)
    return 0


FAILING_SHELL = ScriptedShell(
    {
        "make": crash("no rule", status=2),
        "die": crash(signal=11),
        "ask": question("Sure? "),
        "slow": after(60.0),
        "both": [crash(status=3), "and then"],
        "python": repl(str.upper),
    }
)


def console(shell: object = FAILING_SHELL, name: str = "sh") -> Console:
    """Return a console on a shell with scripted commands."""
    terminal = FakeTerminal(programs={name: shell})  # type: ignore[dict-item]  # of any kind
    return Console(terminal, terminal.open(name))


@pytest.mark.parametrize(
    ("command", "output", "status"),
    [
        ("make", "no rule\n", 2),
        ("die", "Segmentation fault\n", 139),
        ("echo a", "a\n", 0),
        ("no", "sh: no: not found\n", 127),
        ("both", "and then\n", 0),
        ("make\necho a", "no rule\na\n", 0),
    ],
)
def test_the_status_is_told_and_the_output_is_without_it(
    command: str, output: str, status: int
) -> None:
    """One command after another in the same shell."""
    pane = console()
    for _ in range(2):
        result = pane.run(command, exit_status=True)
        assert (result.output, result.exit_status) == (output, status)
        assert result.complete


def test_nothing_is_typed_unless_asked() -> None:
    """The default types the command, and no more."""
    pane = console()
    assert pane.run("make").exit_status is None
    assert "echo" not in pane.read()


def test_the_line_begins_with_a_blank() -> None:
    """Many a shell keeps such lines out of its history."""
    pane = console()
    pane.run("make", exit_status=True)
    assert "$  echo $?" in pane.read()


@pytest.mark.parametrize("name", ["yash", "dash", "rbash", "ksh93", "zsh-5.9"])
def test_shells_of_any_kind_are_asked(name: str) -> None:
    """Whether they edit their lines or not, and whatever the machine calls them."""
    assert console(name=name).run("make", exit_status=True).exit_status == 2


def test_a_shell_is_asked_behind_what_passes_it_on() -> None:
    """As behind ``script``, which is all that tmux sees."""
    tty = TtyState(canonical=False, echo=False, pass_through_count=1, command="bash")
    snapshot = Snapshot(screen=attrs.evolve(screen(), command="script"), tty=tty)
    assert snapshot.facts.status_line == " echo $?"


@pytest.mark.parametrize("name", ["fish", "tcsh", "csh"])
def test_other_shells_call_it_otherwise(name: str) -> None:
    """In fish and csh it is ``$status``."""
    pane = console(name=name)
    assert pane.run("make", exit_status=True).exit_status == 2
    assert "$  echo $status" in pane.read()


@pytest.mark.parametrize("name", ["python", "nu", "pwsh", ""])
def test_what_is_not_known_has_no_line(name: str) -> None:
    """A REPL, a shell of another language, and who knows what."""
    assert not Snapshot(screen=attrs.evolve(screen(), command=name)).facts.status_line


@pytest.mark.parametrize(
    ("name", "tty"),
    [
        ("bash", ASKING),
        ("zsh", COOKED_ONLY),
        ("dash", attrs.evolve(ASKING, ignores_stop=False)),
        ("bash", attrs.evolve(AT_PROMPT, ignores_stop=False)),
    ],
)
def test_what_a_shell_asks_is_not_answered_with_it(name: str, tty: TtyState) -> None:
    """A script's ``read`` may look like a prompt, or be told to be one by a pattern."""
    assert not Snapshot(screen=attrs.evolve(screen(), command=name), tty=tty).facts.status_line


def test_it_is_refused_where_no_shell_reads() -> None:
    """Nothing was sent then, not the command either."""
    pane = console(repl(str.upper), "python")
    with pytest.raises(PaneBusyError, match="nothing was sent: the program that reads"):
        pane.run("a", exit_status=True)
    assert "a" not in pane.read()


def test_it_is_refused_where_nothing_is_known() -> None:
    """A screen that only stands still may be anything."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell(prompt="ready! ")}, evidence=False)
    pane = Console(terminal, terminal.open("sh"))
    with pytest.raises(PaneBusyError, match="nothing was sent: the program that reads"):
        pane.run("a", exit_status=True)


@pytest.mark.parametrize("command", ["ask", "slow", "python"])
def test_a_command_that_has_not_ended_has_none(command: str) -> None:
    """A question, the time that is up, and a REPL that was begun are asked for nothing."""
    pane = console()
    result = pane.run(command, 1.0, exit_status=True)
    assert result.exit_status is None
    assert not result.complete
    assert "echo" not in pane.read()


def test_a_command_may_be_interrupted() -> None:
    """A shell says 130 then, as for a command that C-c ends."""
    pane = console()
    pane.run("slow", 1.0)
    pane.keys("C-c")
    assert pane.run("", exit_status=True).exit_status == 130


def test_a_shell_that_does_not_answer() -> None:
    """The output is there all the same."""
    result = console(never_again).run("x", exit_status=True)
    assert (result.output, result.complete, result.exit_status) == ("done\n", True, None)
    assert result.readiness.outcome is Outcome.PROMPT


@pytest.mark.parametrize(
    ("printed", "status"),
    [
        (LineOutput("0\n"), 0),
        (LineOutput("130\n"), 130),
        (LineOutput("0\n~/src\n", "its last rows"), None),
        (LineOutput("5\n0\n"), None),
        (LineOutput("a\n"), None),
        (LineOutput(""), None),
        (LineOutput("0\n", "its beginning is gone"), None),
    ],
)
def test_only_a_number_alone_is_a_status(printed: LineOutput, status: int | None) -> None:
    """What a job in the background has printed besides makes it a guess, and that is None."""
    assert status_in(printed) == status


def test_the_prompt_may_have_rows_that_nobody_knows() -> None:
    """The number stands right below the command line."""
    shell = ScriptedShell({"make": crash("a", status=2)}, prompt="in ~\n> ", bracketed_paste=False)
    result = console(shell).run("make", exit_status=True)
    assert (result.output, result.complete, result.exit_status) == ("a\nin ~\n", False, 2)


def test_from_asyncio() -> None:
    """The same is told there."""

    async def status() -> int | None:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": FAILING_SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        return (await pane.run("make", exit_status=True)).exit_status

    assert asyncio.run(status()) == 2


def test_what_tmux_knows_is_not_believed() -> None:
    """From 3.8 on it believes what a command prints. So the shell is asked, if that is wanted."""

    class Telling(FakeTerminal):
        """A terminal without a tap, in which a command has printed marks of its own."""

        def probe(self, _: Pane) -> None:
            """Be on another machine."""

        def tap(self, pane: Pane, *_: object, **__: object) -> Never:
            """Have no tap there."""
            raise TapUnavailableError(f"{pane} is on another machine")

        def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
            seen = super().observe(pane, history=history, styled=styled)
            has_run = bool(self.sent(pane))
            return attrs.evolve(seen, command_started=9, command_status=0) if has_run else seen

    terminal = Telling(programs={"sh": FAILING_SHELL})
    console = Console(terminal, terminal.open("sh"))
    result = console.run("make")
    assert (result.output, result.exit_status) == ("no rule\n", None)
    assert "echo $?" not in "".join(str(sent.keys) for sent in terminal.sent())
    result = console.run("make", exit_status=True)
    assert (result.output, result.exit_status) == ("no rule\n", 2)
