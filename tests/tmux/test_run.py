"""`Console.run` on real shells gives the text that a pipe would have given.

The truth is what `subprocess` gets from the same command, and the text of a file that is shown.
"""

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import attrs
import pytest

from tests.tmux_server import Server, tmux_version
from tmuxprim import (
    CommandResult,
    Console,
    InvalidTextError,
    Outcome,
    PaneBusyError,
    Size,
    TmuxTerminal,
    strip_ansi,
)
from tmuxprim._tmux.choice import TransportName

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "busybox", "dash", "fish", "mksh", "zsh")]

SIZE = Size(40, 8)  # small, so that much wraps and scrolls


@attrs.frozen
class Shell:
    """A shell, and how its prompt looks."""

    argv: tuple[str, ...]
    prompt: str = "$ "

    def start(self, terminal: TmuxTerminal, directory: Path) -> Console:
        """Return a console on the shell, which is in *directory*."""
        env = {"PS1": self.prompt, "RPROMPT": "[right]", "HOME": str(directory)}
        return Console(terminal, terminal.open(self.argv, size=SIZE, cwd=directory, env=env))

    def truth(self, command: str, directory: Path) -> str:
        """Return what the command prints into a pipe."""
        env = {"HOME": str(directory), "PATH": os.environ["PATH"], "TERM": "tmux-256color"}
        starts = self.argv if self.argv[0] == "busybox" else self.argv[:1]
        argv = [*starts, "-c", command]
        done = subprocess.run(argv, cwd=directory, env=env, stdout=subprocess.PIPE, check=False)
        return strip_ansi(done.stdout.decode())

    def hides_the_end(self, output: str) -> bool:
        """Whether nobody can tell how the output ended.

        zsh and fish hide it where the last line fills its row. Others show their prompt behind a
        line that has not ended, as if it were the prompt's beginning. bash marks where it begins,
        and that is read where the prompt has more than one row.
        """
        if self.argv[0] == "bash" and ("\n" in self.prompt or "\\n" in self.prompt):
            return False
        if self.argv[0] in {"zsh", "fish"}:
            return fills_its_row(output)
        return bool(output) and not output.endswith("\n")

    def is_as_sure_as_can_be(self, result: CommandResult, truth: str) -> bool:
        """Whether a result is complete, or nobody can tell how its output ended.

        In bash that is told once such output was seen, or a prompt that changes.
        """
        if self.argv[0] == "bash" and result.complete:
            return True
        return result.complete is not self.hides_the_end(truth)


_BASH = ("bash", "--norc", "--noprofile")
SHELLS = {
    "bash": Shell(_BASH),
    "bash, two-line prompt": Shell(_BASH, "in \\W\n> "),
    "bash, prompt with the directory": Shell(_BASH, "\\w % "),
    "zsh": Shell(("zsh", "-f"), "%1~ %# "),
    "fish": Shell(("fish", "--no-config", "--private")),
    "dash": Shell(("dash",)),
    "mksh": Shell(("mksh",)),
    "busybox": Shell(("busybox", "sh")),
}
shells = pytest.mark.parametrize("shell", SHELLS.values(), ids=SHELLS.keys())

COMMANDS = (
    "echo hi",
    "true",
    "false",
    "printf x",
    "printf 'a\\nb'",
    "printf '$ '",
    "printf '%%'",
    "echo '$ '",
    "echo 'echo hi'; echo '$ echo hi'",
    "seq 30",
    "seq 900",
    "printf '%0100d\\n' 7",
    "printf '%080d\\n' 7",
    "printf '%s\\n' '' '' a '' ''",
    "echo '  a   b  '",
    "printf '%90s|\\n' x",
    "printf '\\033[31mred\\033[0m\\n'",
    "printf '1\\t2\\n'",
    "sleep 0.2; echo late",
    "echo 'quote \"; #{x} $HOME'",
    "echo one\necho two",
    "echo 'open\nquote'",
    "echo a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n",
)


@shells
def test_commands_print_what_a_pipe_gets(
    terminal: TmuxTerminal, shell: Shell, tmp_path: Path
) -> None:
    """One after another in one pane, to the last space."""
    console = shell.start(terminal, tmp_path)
    assert console.learn_prompt() == shell.prompt.count("\n") + 1
    for command in COMMANDS:
        result = console.run(command)
        assert result.readiness.outcome is Outcome.PROMPT, (command, result.readiness)
        truth = shell.truth(command, tmp_path)
        # From 3.6 on tmux returns a tab as it was, before as spaces.
        assert result.output.expandtabs(8) == truth.expandtabs(8), (command, result.readiness)
        assert shell.is_as_sure_as_can_be(result, truth), (command, result.doubt)


@shells
def test_each_shell_is_asked_for_the_exit_status(
    terminal: TmuxTerminal, shell: Shell, tmp_path: Path
) -> None:
    """Each shell has its own words, and the height of the prompt may be unknown."""
    console = shell.start(terminal, tmp_path)
    for command, status in (
        ("false", 1),
        ("true", 0),
        ("sh -c 'echo 7; exit 42'", 42),
        ("printf 5", 0),
        ("nothing-of-the-kind", 127),
        ("true\nfalse", 1),
    ):
        result = console.run(command, exit_status=True)
        assert result.exit_status == status, (command, result)
        assert result.readiness.outcome is Outcome.PROMPT
        assert "echo $" not in result.output


def test_a_shell_that_tells_the_exit_status_by_itself(
    terminal: TmuxTerminal, tmp_path: Path
) -> None:
    """By OSC 133, which tmux passes on from 3.8 on: nothing is typed for it."""
    prompts = tmp_path / "bashrc"
    prompts.write_text(
        r"""PS0='\e]133;C\a' PROMPT_COMMAND='printf "\e]133;D;$?\a"' PS1='\[\e]133;A\a\]$ '"""
    )
    console = Console(terminal, terminal.open(("bash", "--rcfile", str(prompts))))
    is_told = tmux_version() >= (3, 8)
    assert console.run("sleep 1.1; (exit 7)").exit_status == (7 if is_told else None)
    assert console.run("true", exit_status=True).exit_status == 0
    assert ("echo $?" in console.read()) is not is_told


@pytest.mark.parametrize("name", [name for name in SHELLS if name != "fish"])
def test_a_here_document_arrives_as_it_is(
    terminal: TmuxTerminal, name: str, tmp_path: Path
) -> None:
    """Many of its lines are typed at once: blank, wide, repeated ones, and what looks typed."""
    console = SHELLS[name].start(terminal, tmp_path)
    console.learn_prompt()
    lines = ["", "> ", "same", "same", "x" * 70, "  a  b", "日本 é", "$ cat", "don't", "a $(b) `c`"]
    body = [*lines * 3, *(f"line {number}" for number in range(60)), *lines]
    result = console.run("\n".join(["cat <<'END'", *body, "END", "echo behind"]), 90.0)
    assert result.output == "\n".join([*body, "behind", ""])
    assert result.complete


@shells
def test_a_command_is_resumed_and_another_interrupted(
    terminal: TmuxTerminal, shell: Shell, tmp_path: Path
) -> None:
    """The second from another thread, while this one waits."""
    console = shell.start(terminal, tmp_path)
    console.learn_prompt()
    assert not console.run("echo one; sleep 2; echo two", 0.5, exit_status=True).complete
    result = console.resume()
    assert (result.output, result.complete, result.exit_status) == ("one\ntwo\n", True, 0)
    timer = threading.Timer(1.0, console.interrupt)
    timer.start()
    result = console.run("sleep 60", 50.0)
    timer.join()
    assert result.readiness.outcome is Outcome.PROMPT
    assert result.readiness.elapsed < 30.0
    result = console.run("echo hi")
    assert (result.output, result.complete) == ("hi\n", True)


def test_a_silent_command_is_given_up(terminal: TmuxTerminal) -> None:
    """And not one that prints all the time, however long that takes."""
    console = Console(terminal, terminal.open(("bash", "--norc", "--noprofile")))
    result = console.run(
        "for i in 1 2 3 4 5 6; do sleep 0.4; echo $i; done; sleep 60", idle_timeout=2.0
    )
    assert result.readiness.outcome is Outcome.TIMEOUT
    assert result.readiness.reason.startswith("no output for 2 s")
    assert result.output == "1\n2\n3\n4\n5\n6\n"
    assert console.interrupt().outcome is Outcome.PROMPT


def test_what_is_no_shell_is_asked_for_nothing(terminal: TmuxTerminal) -> None:
    """A REPL has no exit status; and what a command has begun is not asked for one."""
    console = Console(terminal, terminal.open(("bash", "--norc", "--noprofile")))
    result = console.run("python3 -q", exit_status=True)
    assert result.exit_status is None
    with pytest.raises(PaneBusyError, match="exit status"):
        console.run("1", exit_status=True)
    assert ">>> 1" not in console.read()
    assert "echo" not in console.read()


def fills_its_row(text: str) -> bool:
    """Whether the last line ends in the last cell of a row."""
    last = text.removesuffix("\n").rpartition("\n")[2]
    return bool(last) and len(last) % SIZE.columns == 0


_PIECES = ("a", "b", " ", "  ", "$ ", "> ", "100%", "日本", "é", "e\u0301", "x" * 39, "-" * 40, "#")


def make_text(choices: random.Random) -> str:
    """Return some lines of text; the last one may have no line break."""
    lines = [
        "".join(choices.choices(_PIECES, k=choices.choice((0, 1, 2, 5))))
        for _ in range(choices.choice((0, 1, 3, 12, 30)))
    ]
    return "\n".join(lines) + "\n" * choices.choice((0, 1))


@pytest.mark.parametrize("history_limit", [2000, 120])
@pytest.mark.parametrize("shell", [SHELLS["bash"], SHELLS["bash, two-line prompt"]])
def test_text_made_by_chance_is_shown_as_it_is(
    server: Server, shell: Shell, history_limit: int, tmp_path: Path
) -> None:
    """Whatever a file holds, and also once the history is full and its oldest rows are dropped."""
    server.terminal.open(["cat"])
    server.tmux("set-option", "-g", "history-limit", str(history_limit))
    console = shell.start(server.frugal, tmp_path)
    console.learn_prompt()
    choices = random.Random(history_limit)  # noqa: S311  # the same texts in every run, no secret
    for number in range(60):
        text = make_text(choices)
        (tmp_path / "text").write_text(text)
        result = console.run("cat text")
        assert result.output == text, (number, result.readiness)
        # Where a last line without a line break ends is told by marks, unless it is too odd.
        assert result.complete or not text.endswith("\n"), (number, result.doubt)


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_output_as_long_as_the_history(
    server: Server, transport: TransportName, tmp_path: Path
) -> None:
    """A pane that we open keeps it; in a full history, the next output is also exact."""
    with TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", transport=transport
    ) as terminal:
        server.terminal.open(["cat"])
        configured = server.tmux("show-options", "-g", "history-limit")
        console = SHELLS["bash"].start(terminal, tmp_path)
        assert server.tmux("show-options", "-g", "history-limit") == configured
        for count in (40_000, 20_000, 7, 3000):
            result = console.run(f"seq {count}")
            assert result.complete, count
            assert result.output == "".join(f"{number}\n" for number in range(1, count + 1))


def test_what_scrolled_out_of_the_history_is_missed(server: Server, tmp_path: Path) -> None:
    """The end of the output is there, and it says that it is not all."""
    console = SHELLS["bash"].start(server.frugal, tmp_path)
    result = console.run("seq 1 5000")
    numbers = result.output.splitlines()
    assert numbers[-1] == "5000"
    assert numbers == [str(number) for number in range(5001 - len(numbers), 5001)]
    assert len(numbers) > 1000
    assert not result.complete
    assert console.run("echo hi").output == "hi\n"


@shells
def test_commands_after_clear(terminal: TmuxTerminal, shell: Shell, tmp_path: Path) -> None:
    """What a shell does with the cleared row is no output, and BusyBox is not typed at too soon.

    It asks its terminal where the cursor is, and throws away what is typed in the next 50 ms if
    the answer is as short as it is near the top.
    """
    console = shell.start(terminal, tmp_path)
    console.learn_prompt()
    for command in ("true", "clear", "echo a; echo", "clear", "clear", "seq 30; echo"):
        result = console.run(command)
        assert result.readiness.outcome is Outcome.PROMPT, (command, result.readiness)
        if command != "clear":
            assert result.output == shell.truth(command, tmp_path), (command, result.readiness)
            assert result.complete, command


def test_the_screen_is_cleared(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """What was printed after that is the output, and it says that there may have been more."""
    console = SHELLS["bash"].start(terminal, tmp_path)
    console.run("seq 3")
    result = console.run("clear; echo hi")
    assert (result.output, result.complete) == ("hi\n", False)
    assert console.run("clear").output == ""


def test_the_prompt_changes(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """With the directory, and by another PS1."""
    (tmp_path / "sub").mkdir()
    console = SHELLS["bash, prompt with the directory"].start(terminal, tmp_path)
    assert console.run("cd sub").output == ""
    assert console.run("echo a; cd ..").output == "a\n"
    assert console.run("PS1='new> '; echo b").output == "b\n"
    assert console.run("printf c").output == "c"


def test_a_question_ends_it(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """The lines behind it are not typed: they would be the answer."""
    console = SHELLS["bash"].start(terminal, tmp_path)
    result = console.run("echo before; read -p 'Sure? ' x; echo got $x\necho never typed")
    assert result.readiness.outcome is Outcome.AWAITING_INPUT
    assert (result.output, result.complete) == ("before\nSure? ", False)
    console.send("yes")
    assert "got yes" in console.wait_ready().screen.rows


def test_a_command_that_is_not_finished(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """An open quote is no error: the shell waits for the rest."""
    console = SHELLS["bash"].start(terminal, tmp_path)
    result = console.run("echo 'a")
    assert result.readiness.outcome is Outcome.CONTINUATION
    assert (result.output, result.complete) == ("", False)
    with pytest.raises(PaneBusyError, match=r"'>' asks for the rest; send\(\) types it"):
        console.run("echo never typed")
    console.send("b'")
    assert console.wait_ready().screen.text == "$ echo 'a\n> b'\na\nb\n$"
    console.run("printf x")  # so that the prompt does not begin its row
    assert console.run("echo 'a\nb'").output == "a\nb\n"


def test_a_command_that_runs_is_waited_for(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """The next command is typed when the one before has ended, or not at all."""
    console = SHELLS["bash"].start(terminal, tmp_path)
    console.wait_ready()
    console.send("sleep 0.3; echo first")
    assert console.run("echo second").output == "second\n"
    console.send("sleep 60")
    with pytest.raises(PaneBusyError, match="nothing was sent: the pane takes no command"):
        console.run("echo third", timeout=0.2)


def test_a_full_screen_program_has_the_screen_for_its_output(
    terminal: TmuxTerminal, tmp_path: Path
) -> None:
    """What it shows is what there is."""
    (tmp_path / "text").write_text("one\ntwo\n")
    console = SHELLS["bash"].start(terminal, tmp_path)
    result = console.run("LESS= less text")
    assert result.readiness.outcome is Outcome.FULLSCREEN
    assert "\none\ntwo\n" in result.output
    assert not result.complete


def test_a_command_that_ends_the_shell(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """There is nothing left to read, and it says so."""
    terminal.open(["cat"])
    console = SHELLS["bash"].start(terminal, tmp_path)
    result = console.run("exit")
    assert result.readiness.outcome is Outcome.EXITED
    assert not result.complete


def test_the_same_again_and_again(server: Server, tmp_path: Path) -> None:
    """A command that is polled, until the history is full of it and beyond."""
    server.terminal.open(["cat"])
    server.tmux("set-option", "-g", "history-limit", "100")
    console = SHELLS["bash"].start(server.frugal, tmp_path)
    command = "seq 5 37"
    command += " #" + "y" * (SIZE.columns - 2 - len(command) - len(" #"))  # fills its row
    for _ in range(25):
        result = console.run(command)
        if result.complete:
            assert result.output == "".join(f"{number}\n" for number in range(5, 38))
        assert console.run("printf x").output == "x"


_PROMPTS = {
    "a directory and a status": ("\\w [$?]\\n$ ", 2),
    "a status first": ("[$?]\\nb\\n$ ", 3),
    "a clock": ("\\u [\\t]\\n$ ", 2),
    "five rows above": ("1\\n\\n[$?]\\n4\\n5\\n$ ", 6),
    "a blank row first": ("\\n\\w\\n$ ", 3),
    "a blank row": ("\\n$ ", 2),
    "a frame": ("\\n┌─[\\w]\\n└─$ ", 3),
    "a counter": ("in \\W\\n[\\#] $ ", 2),
    "a clock in one row": ("\\t $ ", 1),
}


@pytest.mark.parametrize("transport", ["subprocess", "control"])
@pytest.mark.parametrize(("prompt", "rows"), _PROMPTS.values(), ids=_PROMPTS.keys())
def test_prompts_of_many_kinds(
    server: Server, transport: TransportName, prompt: str, rows: int, tmp_path: Path
) -> None:
    """All is exact; only one row is not told from output without a line break."""
    shell = Shell(_BASH, prompt)
    with TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", transport=transport
    ) as terminal:
        console = shell.start(terminal, tmp_path)
        for learns in (False, True):
            if learns:
                assert console.learn_prompt() == rows
            for command in ("echo a", "true", "seq 3; echo", "printf x", "false", "echo '[0]'"):
                result, truth = console.run(command), shell.truth(command, tmp_path)
                assert shell.is_as_sure_as_can_be(result, truth), (command, result.doubt)
                assert result.output == truth or not result.complete, command


def test_a_prompt_that_was_told(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """It need not be learned, and a directory that is another changes nothing."""
    pane = Shell(_BASH, "\\w [$?]\\n$ ").start(terminal, tmp_path).pane
    console = Console(terminal, pane, prompt_rows=2)
    (tmp_path / "b").mkdir()
    for command, output in (("echo a", "a\n"), ("cd b", ""), ("false", ""), ("echo b", "b\n")):
        result = console.run(command)
        assert (result.output, result.complete) == (output, True)


def test_a_prompt_that_gets_another_beginning(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A shell without marks is doubted once, as this may be output; then it is the prompt."""
    (tmp_path / "activate").write_text('PS1="(venv) $PS1"\n')
    for argv, command in ((_BASH, "source ./activate"), (("dash",), "PS1='vm# '")):
        console = Shell(argv).start(terminal, tmp_path)
        assert console.run("true").complete
        assert console.run(command).complete is (argv is _BASH)
        for line, output in (("echo a", "a\n"), ("true", ""), ("echo b", "b\n")):
            result = console.run(line)
            assert (result.output, result.complete) == (output, True)


def test_a_prompt_that_gets_another_row(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """The shell marks where it begins, from the command on that sets it."""
    console = SHELLS["bash"].start(terminal, tmp_path)
    assert console.run("echo a").complete
    assert console.run("PS1='[up]\\n$ '").complete
    for command, output in (("true", ""), ("echo a", "a\n"), ("printf b", "b"), ("true", "")):
        result = console.run(command)
        assert (result.output, result.doubt) == (output, "")


def test_commands_of_several_lines_at_a_prompt_that_ends_as_ps2_does(
    terminal: TmuxTerminal, tmp_path: Path
) -> None:
    """What asks for the rest of a command is no part of the prompt."""
    console = Shell(_BASH, "dev> ").start(terminal, tmp_path)
    for command, output in (
        ("echo 1\necho 2", "1\n2\n"),
        ("for i in 1 2; do\necho $i\ndone", "1\n2\n"),
        ("echo 'a\nb'", "a\nb\n"),
    ):
        result = console.run(command)
        assert (result.output, result.complete) == (output, True)


def test_a_console_that_is_new_in_the_pane(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """The top of the history tells of a prompt that has one row; a part of a row it does not."""
    for argv in (_BASH, ("zsh", "-f")):
        pane = Shell(argv).start(terminal, tmp_path).pane
        for command, output in (("seq 30", "".join(f"{n}\n" for n in range(1, 31))), ("true", "")):
            result = Console(terminal, pane).run(command)
            assert (result.output, result.complete) == (output, True)
    pane = SHELLS["bash"].start(terminal, tmp_path).pane
    assert not Console(terminal, pane).run("printf x").complete
    for command, output in (("printf x", "x"), ("true", "")):  # not at the top: marks tell
        result = Console(terminal, pane).run(command)
        assert (result.output, result.complete) == (output, True)


@pytest.mark.needs("node", "tcsh")
@pytest.mark.parametrize(
    "argv", [("zsh", "-f"), ("tcsh", "-f"), ("node",), _BASH, SHELLS["fish"].argv]
)
def test_a_command_that_fills_its_row(
    terminal: TmuxTerminal, argv: tuple[str, ...], tmp_path: Path
) -> None:
    """Some line editors leave a row empty below it, which may be output as well."""
    console = Shell(argv).start(terminal, tmp_path)
    cursor = console.wait_ready().screen.cursor
    word, end = ("'", "'") if argv == ("node",) else ("echo ", "")
    text = "y" * (SIZE.columns - cursor.column - len(word + end))
    result = console.run(f"{word}{text}{end}")
    assert result.output == (f"'{text}'\n" if end else f"{text}\n")
    assert result.complete is (argv[0] in {"bash", "fish"}), result.doubt


def test_output_that_is_painted(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """Above the command line it is not to be told from the rest, nor over what stood there."""
    console = SHELLS["bash"].start(terminal, tmp_path)
    console.run("seq 1000 1004")
    result = console.run("tput cup 0 0; echo hi; tput el")
    assert (result.output, result.complete) == ("", False)
    result = console.run("seq 6 8; tput ed")
    assert not result.complete
    console.run("clear")
    assert console.run("seq 3").complete


def test_a_dumb_terminal(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """There zsh may wipe a letter of output that has no line break."""
    console = Shell(("env", "TERM=dumb", "zsh", "-f")).start(terminal, tmp_path)
    for command in ("echo a", *(f"printf %0{n}d 7" for n in (1, 2, 3, 37, 38, 39, 40, 41))):
        result = console.run(command)
        assert result.output == SHELLS["zsh"].truth(command, tmp_path) or not result.complete, (
            command
        )
    assert console.run("echo a").complete


def test_a_tab_in_a_command(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A line editor would complete it away; where there is none it is a tab."""
    with pytest.raises(InvalidTextError, match="nothing was sent: a line editor takes"):
        SHELLS["bash"].start(terminal, tmp_path).run("echo 'a\tb'")
    result = SHELLS["dash"].start(terminal, tmp_path).run("echo 'a\tb'")
    assert (result.output.expandtabs(), result.complete) == ("a       b\n", True)


def test_a_window_that_is_resized_meanwhile(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """Its rows wrap anew, and the shell draws its line again."""
    console = SHELLS["bash"].start(terminal, tmp_path)
    console.run("true")
    timer = threading.Timer(0.3, terminal.resize, (console.pane, Size(30, 8)))
    timer.start()
    result = console.run("seq 3; sleep 0.6; seq 3")
    timer.join()
    assert not result.complete
    assert console.run("seq 3").complete


@pytest.mark.needs("vim")
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_shell_on_the_screen_of_a_program_that_was_killed(
    terminal: TmuxTerminal, shell: str, tmp_path: Path
) -> None:
    """What the program has left there may stand in the output, which is not complete."""
    (tmp_path / "text").write_text("".join(f"{n} some text\n" for n in range(100)))
    console = SHELLS[shell].start(terminal, tmp_path)
    console.run("true")
    console.send("vim text")
    assert console.wait_ready().outcome is Outcome.FULLSCREEN
    state = terminal.probe(console.pane)
    assert state is not None
    assert state.foreground_pid is not None
    os.kill(state.foreground_pid, signal.SIGKILL)
    for command in ("echo hi", "true", "seq 2", "seq 30"):
        result = console.run(command)
        assert not result.complete
        assert result.readiness.screen.alternate
    console.run("clear")
    for command, output in (("echo hi", "hi\n"), ("seq 3", "1\n2\n3\n")):
        result = console.run(command)
        assert (result.output, result.complete) == (output, True)


def test_another_program_in_the_pane(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """What was learned of the shell's prompt does not hold for Python's."""
    console = SHELLS["bash, two-line prompt"].start(terminal, tmp_path)
    console.learn_prompt()
    console.run("echo a")
    console.run("python3 -q")
    assert console.run("1 + 1").output == "2\n"
    assert console.run("for i in range(2):\n  print(i)\n\n").output == "0\n1\n"
    console.run("exit()")
    assert console.run("echo b").output == "b\n"


@pytest.mark.parametrize("options", [("-q",), ()], ids=["alone", "below a greeting"])
def test_output_without_a_line_break_in_a_repl(
    terminal: TmuxTerminal, options: tuple[str, ...]
) -> None:
    """It is all there, left of a prompt that always shows the same."""
    console = Console(terminal, terminal.open([sys.executable, *options]))
    console.wait_ready()
    for line, output in (("print('a'); print('b', end='')", "a\nb"), ("print(end='c')", "c")):
        result = console.run(line)
        assert (result.output, result.complete) == (output, True)


def test_fish_suggests_and_is_not_believed(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """What it shows right of the cursor, in grey, goes when Enter is pressed."""
    console = SHELLS["fish"].start(terminal, tmp_path)
    (tmp_path / "Documents").mkdir()
    console.run("for i in 1 2 3; echo I $i; end")
    assert console.run("for i in 1 2\necho $i\nend").output == "1\n2\n"
    assert console.run("ls -d Doc*").output == "Documents/\n"


_HOSTILE = {
    "zsh, a blank line last": (("zsh", "-f"), "[up]\n%% ", "", "seq 3; echo"),
    "bash, a blank line last": (_BASH, "# ", "PS1='[up]\\n$ '", "seq 3; echo"),
    "bash, a cell less than the row": (_BASH, "[up]\\n$ ", "", "printf %039d 7"),
    "dash, a cell less than the row": (("dash",), "[up]\n$ ", "", "printf %039d 7"),
    "mksh, a cell less than the row": (("mksh",), "[up]\n$ ", "", "printf %039d 7"),
    "busybox, a cell less": (("busybox", "sh"), "[up]\n$ ", "", "printf %039d 7"),
    "dash, typed in lines": (("dash",), "# ", "PS1='\n$PWD\n> '", "echo a"),
    "mksh, typed in lines": (("mksh",), "# ", "PS1='\n$PWD\n> '", "echo a"),
    "dash, no line break": (("dash",), "# ", "PS1='[up]\n$ '", "seq 20; printf x"),
    "bash, its prompt": (_BASH, "# ", "PS1='[up]\\n$ '", "echo '$ '; echo '[up]'"),
    "mksh, its prompt": (("mksh",), "# ", "PS1='[up]\n$ '", "echo '$ '; echo '[up]'"),
    "bash, cleared": (_BASH, "# ", "PS1='[up]\\n$ '", "clear; printf x"),
    "zsh, a cell less than the row": (("zsh", "-f"), "%% ", "", "printf %039d 7"),
    "zsh, a full row": (("zsh", "-f"), "%% ", "", "printf %040d 7"),
    "fish, a cell less than the row": (SHELLS["fish"].argv, "", "", "printf %039d 7"),
    "fish, two full rows": (SHELLS["fish"].argv, "", "", "printf %080d 7"),
}


@pytest.mark.parametrize(
    ("argv", "prompt", "before", "command"), _HOSTILE.values(), ids=_HOSTILE.keys()
)
def test_output_that_looks_like_a_part_of_the_prompt(
    terminal: TmuxTerminal,
    argv: tuple[str, ...],
    prompt: str,
    before: str,
    command: str,
    tmp_path: Path,
) -> None:
    """What is said to be complete is the truth, and nothing wrong is learned from it."""
    shell = Shell(argv, prompt)
    console = shell.start(terminal, tmp_path)
    console.wait_ready()
    if before:
        console.send(before)
        console.wait_ready()
    for line in (command, "true", "seq 3", "", "true"):
        result = console.run(line)
        assert result.readiness.outcome is Outcome.PROMPT, (line, result.readiness)
        if result.complete:
            assert result.output == shell.truth(line, tmp_path), line
    assert result.complete


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh", "dash", "mksh"])
def test_the_first_command_is_complete(terminal: TmuxTerminal, shell: str, tmp_path: Path) -> None:
    """Where the first prompt stands at the top, also if the output ends with a blank line."""
    result = SHELLS[shell].start(terminal, tmp_path).run("seq 3; echo")
    assert (result.output, result.complete) == ("1\n2\n3\n\n", True)


@pytest.mark.parametrize("ps2", [">", "more> ", "+ ", "... ", ""])
@pytest.mark.parametrize("argv", [_BASH, ("zsh", "-f"), ("dash",), ("mksh",)], ids=lambda it: it[0])
def test_a_shell_that_asks_for_more_in_its_own_words(
    server: Server, argv: tuple[str, ...], ps2: str
) -> None:
    """Each line is typed once it has, and an open quote is not taken for a prompt."""
    console = Console(server.terminal, server.terminal.open(argv))
    console.run(f"PS1='$ '; PS2='{ps2}'")
    result = console.run("echo 'open\nquote'\nfor i in 1 2\ndo echo $i\ndone")
    assert (result.output, result.complete) == ("open\nquote\n1\n2\n", True)
    result = console.run("echo 'open")
    assert (result.readiness.outcome, result.complete) == (Outcome.CONTINUATION, False)


def test_a_prompt_of_a_look_that_nobody_knows(server: Server) -> None:
    """What was typed before has changed it, and it takes commands all the same."""
    console = Console(server.terminal, server.terminal.open(_BASH))
    for prompt in ("ready", "what now? ", "100% ", "password: ", "> "):
        assert console.run(f"PS1='{prompt}'").readiness.outcome is Outcome.PROMPT
        assert console.run("echo hi").output == "hi\n"
