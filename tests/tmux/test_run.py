"""`Console.run` on real shells gives the text that a pipe would have given.

The truth is what `subprocess` gets from the same command, and the text of a file that is shown.
"""

import os
import random
import subprocess
from pathlib import Path

import attrs
import pytest

from tests.tmux_server import Server
from tmuxprim import Console, Outcome, PaneBusyError, Size, TmuxTerminal, strip_ansi
from tmuxprim._tmux._choice import TransportName

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "busybox", "dash", "fish", "mksh", "zsh")]

SIZE = Size(40, 8)  # small, so that much wraps and scrolls


@attrs.frozen
class Shell:
    """A shell, and how its prompt looks."""

    argv: tuple[str, ...]
    prompt: str = "$ "

    def start(self, terminal: TmuxTerminal, folder: Path) -> Console:
        """Return a console on the shell, which is in *folder*."""
        env = {"PS1": self.prompt, "RPROMPT": "[right]", "HOME": str(folder)}
        return Console(terminal, terminal.open(self.argv, size=SIZE, cwd=folder, env=env))

    def truth(self, command: str, folder: Path) -> str:
        """Return what the command prints into a pipe."""
        env = {"HOME": str(folder), "PATH": os.environ["PATH"], "TERM": "tmux-256color"}
        starts = self.argv if self.argv[0] == "busybox" else self.argv[:1]
        argv = [*starts, "-c", command]
        done = subprocess.run(argv, cwd=folder, env=env, stdout=subprocess.PIPE, check=False)
        return strip_ansi(done.stdout.decode())


_BASH = ("bash", "--norc", "--noprofile")
SHELLS = {
    "bash": Shell(_BASH),
    "bash, two-line prompt": Shell(_BASH, "in \\W\n> "),
    "bash, prompt with the folder": Shell(_BASH, "\\w % "),
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
    for command in COMMANDS:
        result = console.run(command)
        assert result.readiness.outcome is Outcome.PROMPT, (command, result.readiness)
        truth = shell.truth(command, tmp_path)
        # From 3.6 on tmux returns a tab as it was, before as spaces.
        assert result.output.expandtabs(8) == truth.expandtabs(8), (command, result.readiness)
        # zsh and fish hide whether a line that fills its row has ended.
        is_hidden = shell.argv[0] in {"zsh", "fish"} and fills_its_row(truth)
        assert result.complete is not is_hidden, command


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
    console.run("true")  # so that it knows the prompt
    choices = random.Random(history_limit)  # noqa: S311  # the same texts in every run, no secret
    for number in range(60):
        text = make_text(choices)
        (tmp_path / "text").write_text(text)
        result = console.run("cat text")
        assert result.output == text, (number, result.readiness)
        assert result.complete, number


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_output_as_long_as_the_history(
    server: Server, transport: TransportName, tmp_path: Path
) -> None:
    """A pane that we open keeps it; in a full history, what comes next is exact, too."""
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
    """With the folder, and by another PS1."""
    (tmp_path / "sub").mkdir()
    console = SHELLS["bash, prompt with the folder"].start(terminal, tmp_path)
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
    result = console.run("b'")
    assert (result.output, result.complete) == ("a\nb\n", True)


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


@pytest.mark.parametrize(
    "prompt", ["\\n\\w\\n$ ", "\\n$ ", "\\n┌─[\\w]\\n└─$ ", "in \\W\\n[\\#] $ ", "\\t $ "]
)
def test_prompts_of_many_kinds(terminal: TmuxTerminal, prompt: str, tmp_path: Path) -> None:
    """With a blank row first, in a frame, with a counter, with a clock."""
    console = Shell(_BASH, prompt).start(terminal, tmp_path)
    console.run("true")
    for command, output in (("echo a", "a\n"), ("true", ""), ("printf x", "x"), ("seq 9", None)):
        truth = "".join(f"{n}\n" for n in range(1, 10)) if output is None else output
        assert console.run(command).output == truth


def test_another_program_in_the_pane(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """What was learned of the shell's prompt does not hold for Python's."""
    console = SHELLS["bash, two-line prompt"].start(terminal, tmp_path)
    console.run("true")
    console.run("echo a")
    console.run("python3 -q")
    assert console.run("1 + 1").output == "2\n"
    assert console.run("for i in range(2):\n  print(i)\n\n").output == "0\n1\n"
    console.run("exit()")
    assert console.run("echo b").output == "b\n"


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
    for line in (command, "true", "seq 3", "true"):
        result = console.run(line)
        assert result.readiness.outcome is Outcome.PROMPT, (line, result.readiness)
        if result.complete:
            assert result.output == shell.truth(line, tmp_path), line
    assert result.complete


@pytest.mark.parametrize("shell", ["bash, two-line prompt", "fish", "zsh"])
def test_the_first_command_is_complete(terminal: TmuxTerminal, shell: str, tmp_path: Path) -> None:
    """Also where the prompt has two lines, which nobody has told, and a blank line comes last."""
    result = SHELLS[shell].start(terminal, tmp_path).run("seq 3; echo")
    assert (result.output, result.complete) == ("1\n2\n3\n\n", True)
