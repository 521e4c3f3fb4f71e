"""The scripted programs: shell, REPL, question, password prompt, pager."""

import math
from collections.abc import Callable

import pytest

from tmuxprim import Console, FakeTerminal, KeySequence, Pane, Size
from tmuxprim.testing import (
    FakeTty,
    Program,
    ReadKey,
    Run,
    ScriptedShell,
    Sleep,
    after,
    crash,
    full_screen,
    pager,
    password,
    progress_bar,
    question,
    repl,
    spinner,
)


class Stage:
    """A program in the only pane of a fake."""

    def __init__(self, program: Program, size: Size | None = None) -> None:
        self.terminal = FakeTerminal(programs={"prog": program}, remain_on_exit=True)
        self.pane: Pane = self.terminal.open("prog", size=size or Size(30, 12))
        self.wait(0.1)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.terminal.clock.sleep(seconds)

    def type(self, text: str, *keys: str) -> None:
        """Type a text and keys, and let the program react."""
        self.terminal.send(self.pane, KeySequence.text(text) + KeySequence.keys(*keys))
        self.wait(0.1)

    def enter(self, *lines: str) -> None:
        """Type lines, each with Enter."""
        for line in lines:
            self.type(line, "Enter")

    @property
    def text(self) -> str:
        """What the program has left on the screen; a dead pane adds a notice below."""
        screen = self.terminal.observe(self.pane, history=1)
        if not screen.dead:
            return "\n".join(screen.rows).rstrip("\n")
        return screen.text.removesuffix(screen.last_line).rstrip("\n")

    @property
    def exit_status(self) -> int | None:
        """What the program ended with, if it has ended."""
        return self.terminal.observe(self.pane).exit_status


def test_a_shell_prints_what_its_script_says() -> None:
    """A newline is added where there is none at the end, and an empty reply prints nothing."""
    stage = Stage(ScriptedShell({"ls -l": "a\nb", "ls": "a b\n", "true": ""}))
    stage.enter("ls -l", "ls", "true")
    assert stage.text == "$ ls -l\na\nb\n$ ls\na b\n$ true\n$"


def test_a_shell_compares_lines_without_outer_spaces() -> None:
    """A space more or less around the command does not matter, and no command is none."""
    stage = Stage(ScriptedShell({"ls": "a"}))
    stage.enter("  ls ", "", "   ")
    assert stage.text == "$   ls\na\n$\n$\n$"


def test_a_shell_without_a_script_knows_a_little() -> None:
    """``echo`` repeats its words, and other commands are not found."""
    stage = Stage(ScriptedShell())
    stage.enter("echo  two  words", "echo", "make all")
    assert (
        stage.text == "$ echo  two  words\ntwo words\n$ echo\n\n$ make all\nsh: make: not found\n$"
    )


def test_a_script_goes_before_what_the_shell_knows() -> None:
    """Even ``echo`` can be scripted."""
    stage = Stage(ScriptedShell({"echo hi": "scripted"}))
    stage.enter("echo hi")
    assert stage.text == "$ echo hi\nscripted\n$"


def test_clear_leaves_an_empty_screen_and_no_history() -> None:
    """Only the prompt is left, at the top."""
    stage = Stage(ScriptedShell(), Size(30, 4))
    stage.enter("echo 1", "echo 2", "echo 3", "clear")
    screen = stage.terminal.observe(stage.pane)
    assert screen.rows == ("$", "", "", "")
    assert screen.history_size == 0


def test_a_command_prints_piece_by_piece() -> None:
    """A list is output with pauses."""
    stage = Stage(ScriptedShell({"make": ["one", after(1.0, "two"), after(1.0)]}))
    stage.enter("make")
    assert stage.text == "$ make\none"
    stage.wait(1.0)
    assert stage.text == "$ make\none\ntwo"
    stage.wait(1.0)
    assert stage.text == "$ make\none\ntwo\n$"


def test_a_command_can_be_a_program() -> None:
    """It runs in the foreground under its own name, and the shell goes on after it."""
    stage = Stage(ScriptedShell({"ask me": question("name? ", lambda name: f"hello {name}")}))
    stage.enter("ask me")
    assert stage.terminal.observe(stage.pane).command == "ask"
    stage.enter("Ann")
    assert stage.terminal.observe(stage.pane).command == "prog"
    assert stage.text == "$ ask me\nname? Ann\nhello Ann\n$"


def test_a_shell_ends_by_c_d_at_its_prompt() -> None:
    """It is the end of its input."""
    stage = Stage(ScriptedShell())
    stage.type("", "C-d")
    assert stage.exit_status == 0


def test_c_d_in_a_command_ends_that_alone() -> None:
    """The shell is back at its prompt."""
    stage = Stage(ScriptedShell({"ask": question("name? ")}))
    stage.enter("ask")
    stage.type("", "C-d")
    assert stage.exit_status is None
    assert stage.text.endswith("$")


def test_c_c_ends_a_command() -> None:
    """The prompt comes on a row of its own."""
    stage = Stage(ScriptedShell({"sleep 60": after(60.0)}))
    stage.enter("sleep 60")
    stage.type("", "C-c")
    assert stage.text == "$ sleep 60\n^C\n$"
    assert stage.terminal.observe(stage.pane).command == "prog"


def test_c_c_drops_a_line_that_is_typed() -> None:
    """There is a new prompt below, and the line is not carried out."""
    stage = Stage(ScriptedShell())
    stage.type("echo no", "C-c")
    stage.enter("echo yes")
    assert stage.text == "$ echo no^C\n$ echo yes\nyes\n$"


def test_a_repl_answers_each_line() -> None:
    """The answer is a row of its own, and no answer is none."""
    stage = Stage(repl(lambda line: str(len(line)) if line else ""))
    stage.enter("abc", "")
    assert stage.text == ">>> abc\n3\n>>>\n>>>"


def test_a_repl_survives_c_c() -> None:
    """As Python does, it says so and asks again."""
    stage = Stage(repl(str.upper, prompt="? "))
    stage.type("ab", "C-c")
    assert stage.text == "? ab^C\nKeyboardInterrupt\n?"


def test_a_question_ends_with_its_answer() -> None:
    """It reads one line, and what it prints of it is given by a function."""
    stage = Stage(question("go on? ", lambda line: f"you said {line}"))
    assert stage.text == "go on?"
    stage.enter("y")
    assert stage.text == "go on? y\nyou said y"
    assert stage.exit_status == 0


def test_a_password_is_not_shown() -> None:
    """The program gets it all the same."""
    stage = Stage(password(answer=lambda line: f"{len(line)} characters"))
    stage.type("hunter2")
    assert stage.text == "Password:"
    stage.enter("")
    assert stage.text.endswith("\n7 characters")
    assert stage.exit_status == 0


def test_a_pager_shows_the_first_page() -> None:
    """It takes the whole alternate screen, and the last row is its own."""
    stage = Stage(pager("1\n2\n3\n4\n5"), Size(10, 4))
    screen = stage.terminal.observe(stage.pane)
    assert screen.alternate
    assert screen.rows == ("1", "2", "3", ":")


def test_a_pager_turns_its_pages() -> None:
    """As less does it, not past the ends; other keys do nothing."""
    stage = Stage(pager("1\n2\n3\n4\n5\n6\n7\n8"), Size(10, 4))
    for keys, rows in {
        "xb": "123:",
        " ": "456:",
        "j": "567:",
        "k": "456:",
        "b": "123:",
        "G": "678(END)",
        " j": "678(END)",
        "gk": "123:",
    }.items():
        stage.type(keys)
        assert "".join(stage.terminal.observe(stage.pane).rows) == rows, keys
    for key, rows in {
        "Enter": "234:",
        "Down": "345:",
        "Up": "234:",
        "NPage": "567:",
        "PPage": "234:",
        "End": "678(END)",
        "Home": "123:",
    }.items():
        stage.type("", key)
        assert "".join(stage.terminal.observe(stage.pane).rows) == rows, key


def test_a_pager_counts_rows_that_wrap() -> None:
    """A long or wide line takes several, and others when the size changes; colours take none."""
    stage = Stage(pager("\x1b[1m日本語\x1b[m\nabcdef\n\tx"), Size(5, 4))
    assert stage.text == "日本\n語\nabcde\n:"
    stage.type(" ")
    assert stage.text == "f\n\n   x\n(END)"
    stage.terminal.resize(stage.pane, Size(9, 4))
    stage.wait(0.1)
    assert stage.text == "日本語\nabcdef\n        x\n(END)"


def test_a_pager_leaves_the_screen_as_it_was() -> None:
    """After ``q`` the shell's screen is back."""
    stage = Stage(ScriptedShell({"man ls": pager("LS(1)")}))
    stage.enter("man ls")
    stage.type("q")
    assert stage.text == "$ man ls\n$"
    assert not stage.terminal.observe(stage.pane).alternate


def test_a_reply_that_only_controls_the_terminal_prints_no_row() -> None:
    """A title is no line; and a text that is coloured is one."""
    shell = ScriptedShell({"title": "\x1b]2;hello\x07", "red": "\x1b[31mred\x1b[m"})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open("sh"))
    assert (console.run("title").output, console.run("red").output) == ("", "red\n")
    assert terminal.observe(console.pane).title == "hello"


def test_a_shell_knows_words_and_quotes() -> None:
    """Echo says what it would; what takes more than that is not found, rather than printed."""
    stage = Stage(ScriptedShell())
    stage.enter("echo 'a  b' \"c;d\" e\\;f 'total: 5 $'", "env A=1 echo env A=1 b#", "echo -n x")
    assert "\na  b c;d e;f total: 5 $\n$ env" in stage.text
    assert stage.text.endswith("\nenv A=1 b#\n$ echo -n x\nx$")
    lines = ["echo a; b", "a | b", "echo $HOME", 'echo "$HOME"', "echo 'a", "echo >x", "(a)"]
    lines += ['echo "$?"', "echo $$", "echo $'a'", "echo hi # b", "echo ~"]
    for line in lines:
        stage = Stage(ScriptedShell(), Size(40, 3))
        stage.enter(line)
        assert stage.text == f"$ {line}\nsh: {line}: not found\n$"


def test_a_shell_can_be_told_what_other_lines_do() -> None:
    """By a function, which returns None for what is not found."""
    others = {"git": after(1.0, "done")}
    shell = ScriptedShell({"git log": "a"}, otherwise=lambda line: others.get(line.split()[0]))
    stage = Stage(shell)
    stage.enter("git log", "git pull")
    assert stage.text == "$ git log\na\n$ git pull"
    stage.wait(1.0)
    stage.enter("make")
    assert stage.text.endswith("$ git pull\ndone\n$ make\nsh: make: not found\n$")


def test_a_reply_may_have_programs_among_its_pieces() -> None:
    """One comes after the other."""
    stage = Stage(ScriptedShell({"up": ["one", question("go on? "), after(1.0, "two")]}))
    stage.enter("up", "y")
    assert stage.text == "$ up\none\ngo on? y"
    stage.wait(1.0)
    assert stage.text == "$ up\none\ngo on? y\ntwo\n$"


def test_what_is_left_by_c_d_has_a_row_of_its_own() -> None:
    """As bash and Python leave it."""
    stage = Stage(ScriptedShell({"in": ScriptedShell(prompt="in$ "), "py": repl(str.upper)}))
    stage.enter("in")
    stage.type("", "C-d")
    stage.enter("py")
    stage.type("", "C-d")
    assert stage.text == "$ in\nin$\nexit\n$ py\n>>>\n$"


def test_what_is_pasted_at_a_shell_waits_for_enter() -> None:
    """It is a text of several lines to edit, and then several commands."""
    stage = Stage(ScriptedShell())
    stage.terminal.send(stage.pane, KeySequence.paste("echo a\x07b\r\necho\tc"))
    stage.wait(0.1)
    assert stage.text == "$ echo ab\necho    c"
    stage.type("d", "C-a", "DC", "DC", "DC", "DC", "DC", "Enter")
    stage.wait(0.1)
    assert stage.text == "$ ab\necho    cd\nsh: ab: not found\ncd\n$"


def test_c_backslash_ends_a_command() -> None:
    """By a signal that a program may catch, as C-c."""
    stage = Stage(ScriptedShell({"work": after(60.0), "ask": password()}))
    stage.enter("work")
    stage.type("", "C-\\")
    assert stage.text == "$ work\n^\\Quit\n$"
    stage.enter("ask")
    stage.type("", "C-\\")
    assert stage.text.endswith("$ ask\nPassword: Quit\n$")  # what is not shown is not shown


def test_a_program_says_when_it_is_none() -> None:
    """What is no generator function, and what a program cannot wait for, is told at once."""
    with pytest.raises(TypeError, match="'sh' is After"):
        FakeTerminal(programs={"sh": after(1.0)})  # type: ignore[dict-item]  # the mistake
    with pytest.raises(TypeError, match=r"that yields requests; .* returned None"):
        Stage(lambda tty: tty.write("hi"))  # type: ignore[arg-type,return-value]  # the mistake

    def sleepy(_: FakeTty) -> Run:
        yield 3.0  # type: ignore[misc]  # the mistake
        return 0

    with pytest.raises(TypeError, match=r"yields ReadLine\(\), .* got 3.0; it shows text"):
        Stage(sleepy)


@pytest.mark.parametrize("reply", [3, b"text", ["text", 3], ["text", ["text"]]])
def test_a_script_says_when_a_command_does_what_none_can(reply: object) -> None:
    """When it is made; a function that stands for the rest, when the line is entered."""
    with pytest.raises(TypeError, match=r"prints a text, works with after\(seconds\), .* got "):
        ScriptedShell({"make": reply})  # type: ignore[dict-item]  # the mistake
    stage = Stage(ScriptedShell(otherwise=lambda _: reply))  # type: ignore[arg-type,return-value]  # the mistake
    with pytest.raises(TypeError, match=r"prints a text, works with after\(seconds\), .* got "):
        stage.enter("make")


def test_exit_ends_a_shell_with_a_status() -> None:
    """Of its own, or 0."""
    for line, status in {
        "exit": 0,
        " exit  3 ": 3,
        "exit -1": 255,
        "exit now": 2,
        "exit 4444444444": 2,
    }.items():
        stage = Stage(ScriptedShell())
        stage.enter(line)
        assert stage.exit_status == status


# The programs that draw, work or fail: full screen, bar, spinner, crash; a shell's keys.


def test_a_full_screen_program_draws_its_state() -> None:
    """A key makes the next one, and None leaves the screen as it was."""
    menu = full_screen(
        0,
        draw=lambda row: f"menu\n\nrow {row}",
        on_key=lambda row, key: None if key == "q" else row + (key == "\x1b[B"),
    )
    stage = Stage(ScriptedShell({"menu": menu}))
    stage.enter("menu")
    assert stage.text == "menu\n\nrow 0"
    assert stage.terminal.observe(stage.pane).alternate
    stage.type("x", "Down")
    assert stage.text == "menu\n\nrow 1"
    stage.type("q")
    assert stage.text == "$ menu\n$"


def test_a_full_screen_program_draws_what_there_is_room_for() -> None:
    """What is too long or too much does not scroll the screen."""
    stage = Stage(full_screen("", lambda _: "abcdef\nb\nc\nd", lambda _, __: None), Size(4, 3))
    assert stage.text == "abcd\nb\nc"


def test_a_progress_bar_grows_in_its_row() -> None:
    """And ends at a hundred percent."""
    stage = Stage(ScriptedShell({"get": progress_bar(10.0, steps=4, done="saved")}))
    stage.enter("get")
    assert stage.text == "$ get\n[    ] 0%"
    stage.wait(5.0)
    assert stage.text == "$ get\n[##  ] 50%"
    stage.wait(5.0)
    assert stage.text == "$ get\n[####] 100%\nsaved\n$"


def test_a_spinner_turns() -> None:
    """It shows one frame after the other, and takes its row back."""
    stage = Stage(ScriptedShell({"think": spinner(0.4, "hm", frames="ab", done="42")}))
    stage.enter("think")
    assert stage.text == "$ think\na hm"
    stage.wait(0.1)
    assert stage.text == "$ think\nb hm"
    stage.wait(0.3)
    assert stage.text == "$ think\n42\n$"


@pytest.mark.parametrize("program", [progress_bar(1.0, steps=20), spinner(1.0, "a long text")])
def test_what_moves_stays_in_its_row(program: object) -> None:
    """On a narrow screen it is cut."""
    assert callable(program)
    stage = Stage(ScriptedShell({"go": program}), Size(8, 5))
    stage.enter("go")
    stage.wait(0.5)
    assert stage.terminal.observe(stage.pane).cursor.row == 1


@pytest.mark.parametrize(
    ("program", "status", "signal"),
    [(crash(), 1, None), (crash(status=3), 3, None), (crash(signal=11), None, 11)],
)
def test_a_crash_ends_the_pane(program: object, status: int | None, signal: int | None) -> None:
    """With a status, or by a signal."""
    assert callable(program)
    stage = Stage(program)
    screen = stage.terminal.observe(stage.pane)
    assert (screen.dead, screen.exit_status, screen.exit_signal) == (True, status, signal)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (crash("oops"), "oops"),
        (crash("oops", after=2.0, signal=11), "oops\nSegmentation fault"),
        (crash(signal=9), "Killed"),
        (crash(signal=31), "Signal 31"),
    ],
)
def test_a_shell_survives_a_crash(program: object, said: str) -> None:
    """It says of which signal its command died, and asks again."""
    assert callable(program)
    stage = Stage(ScriptedShell({"run": program}))
    stage.enter("run")
    stage.wait(2.0)
    assert stage.text == f"$ run\n{said}\n$"


def test_enter_amid_a_line_takes_all_of_it() -> None:
    """The output comes below the line, wherever the cursor was."""
    stage = Stage(ScriptedShell({"one two three": "ok"}), Size(8, 6))
    stage.type("one two three", "C-a", "Enter")
    assert stage.text == "$ one tw\no three\nok\n$"


def test_c_l_shows_the_prompt_at_the_top() -> None:
    """What is typed stays."""
    stage = Stage(ScriptedShell())
    stage.enter("echo 1")
    stage.type("ab", "C-l")
    assert stage.text == "$ ab"


def test_a_full_screen_program_counts_columns_and_draws_again() -> None:
    """A wide character takes two, a colour none; another size is drawn for at once."""
    stage = Stage(
        full_screen("", lambda _: "\x1b[1m日本\x1b[m\nabc", lambda _, __: None), Size(3, 3)
    )
    assert stage.text == "日\nabc"
    stage.terminal.resize(stage.pane, Size(9, 1))
    stage.wait(0.1)
    assert stage.text == "日本"


def test_a_bar_and_a_spinner_have_something_to_show() -> None:
    """What has not is refused when it is made."""
    with pytest.raises(ValueError, match="at least 1 step, got 0"):
        progress_bar(steps=0)
    with pytest.raises(ValueError, match="at least 1 character"):
        spinner(frames="")


@pytest.mark.parametrize(
    "make",
    [
        after,
        Sleep,
        progress_bar,
        spinner,
        lambda seconds: crash(after=seconds),
        lambda seconds: FakeTerminal(reaction=seconds),
    ],
)
@pytest.mark.parametrize("seconds", [-1.0, math.nan])
def test_nothing_takes_less_than_no_time(make: Callable[[float], object], seconds: float) -> None:
    """It is refused when it is made, and not in the middle of a program."""
    with pytest.raises(ValueError, match=f"takes 0 or more seconds, got {seconds}"):
        make(seconds)


def test_a_resize_comes_before_or_after_a_key_and_never_twice() -> None:
    """A program that is woken already sees the new size by itself."""
    seen = list[tuple[str, int]]()

    def watcher(tty: FakeTty) -> Run:
        while True:
            key = yield ReadKey(resizes=True)
            seen.append((key, tty.columns))

    stage = Stage(watcher)
    stage.terminal.resize(stage.pane, Size(40, 9))
    stage.wait(0.1)
    stage.terminal.send(stage.pane, KeySequence.text("x"))
    stage.terminal.resize(stage.pane, Size(50, 9))
    stage.wait(0.1)
    assert seen == [("", 40), ("x", 50)]


def test_a_resize_waits_until_a_program_asks_for_keys() -> None:
    """While it works or draws it does not see the new size; a program that begins then does."""
    seen = list[tuple[str, int]]()

    def worker(tty: FakeTty) -> Run:
        yield Sleep(5.0, raw=True)
        for _ in range(2):
            key = yield ReadKey(resizes=True)
            seen.append((key, tty.columns))
        return 0

    stage = Stage(ScriptedShell({"work": worker}))
    stage.terminal.resize(stage.pane, Size(40, 9))
    stage.enter("work")
    stage.wait(1.0)
    stage.terminal.resize(stage.pane, Size(50, 9))
    stage.wait(9.0)
    stage.type("x")
    stage.enter("work")
    stage.wait(9.0)
    stage.type("yz")
    assert seen == [("", 50), ("x", 50), ("y", 50), ("z", 50)]
