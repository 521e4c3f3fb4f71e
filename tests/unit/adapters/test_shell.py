"""A shell as a function from a text to its output, on the fake."""

import threading

from tmuxprim import Console, FakeTerminal, Key
from tmuxprim.adapters import Shell
from tmuxprim.testing import (
    FakeTty,
    ReadKey,
    Run,
    ScriptedShell,
    after,
    pager,
    password,
    question,
)


def one_key(tty: FakeTty) -> Run:
    """Ask for a key."""
    tty.write("Remove? [y/N] ")
    tty.write(f"{(yield ReadKey())}\n")
    return 0


TO_IT = "; the next text is typed to it, with Enter"


def shell_with(**programs: object) -> tuple[Shell, FakeTerminal]:
    """Return a shell that knows some commands, and its terminal."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell(programs)})  # type: ignore[arg-type]
    return Shell(Console(terminal, terminal.open("sh"))), terminal


def test_a_command_has_its_output_and_its_status() -> None:
    """And nothing else."""
    shell, _ = shell_with(date="Sunday")
    reply = shell.execute("date")
    assert (reply.output, reply.exit_code, reply.note, str(reply)) == (
        "Sunday\n",
        0,
        "",
        "Sunday\n",
    )
    assert shell.execute("dat").exit_code == 127
    assert repr(shell).startswith("Shell(Console(FakeTerminal(")


def test_a_question_takes_the_next_text() -> None:
    """The reply has only what is new, and the status is that of the whole command."""
    shell, _ = shell_with(install=question("Continue? [y/N] ", lambda line: f"you said {line}"))
    reply = shell.execute("install")
    assert reply.output == "Continue? [y/N] "
    assert (reply.exit_code, reply.note) == (None, "the command waits for input" + TO_IT)
    reply = shell.execute("y")
    assert (reply.output, reply.exit_code) == ("y\nyou said y\n", 0)
    assert reply.note.startswith("this may not be exactly the output: the answers")
    assert shell.execute("echo hi").output == "hi\n"


def test_a_secret_is_not_in_the_reply() -> None:
    """It is typed, and not shown."""
    shell, _ = shell_with(sudo=password("root"))
    assert shell.execute("sudo").note == "the command waits for a secret" + TO_IT
    assert "root" not in str(shell.execute("root"))


def test_nothing_is_typed_while_a_command_runs() -> None:
    """It would be typed ahead, and perhaps answer a question that nobody has seen."""
    shell, terminal = shell_with(make=["compiling", after(60.0, "built")])
    reply = shell.execute("make", 30.0)
    assert (reply.output, reply.is_timeout) == ("compiling\n", True)
    assert "a blank text waits for it again" in reply.note
    sent = terminal.sent()
    reply = shell.execute("rm -rf /", 30.0)
    assert (reply.output, reply.exit_code) == ("", None)
    assert reply.note.startswith("NOTHING WAS TYPED, because")
    assert terminal.sent() == sent
    assert shell.execute("", 10.0).is_timeout
    reply = shell.execute(" ", 50.0)
    assert (reply.output, reply.exit_code, reply.is_timeout) == ("built\n", 0, False)


def test_the_rest_of_a_command_comes_before_the_next_one() -> None:
    """It has ended meanwhile, so the next one is typed."""
    shell, terminal = shell_with(make=["compiling", after(60.0, "built")])
    assert shell.execute("make", 30.0).is_timeout
    terminal.clock.sleep(60.0)
    reply = shell.execute("echo hi", 30.0)
    assert (reply.output, reply.exit_code) == ("built\nhi\n", 0)


def test_c_c_interrupts() -> None:
    """As the text that a terminal sends for it; at a prompt it gives up a line."""
    shell, _ = shell_with(serve=after(1e6))
    assert shell.execute("\x03").output == ""
    assert shell.execute("serve", 2.0).is_timeout
    reply = shell.execute("\x03")
    assert (reply.exit_code, reply.is_timeout) == (130, False)
    assert shell.execute("echo hi").output == "hi\n"


def test_a_full_screen_is_shown() -> None:
    """What follows it has only what is new in the output."""
    shell, _ = shell_with(less=pager("one\ntwo"))
    reply = shell.execute("less")
    assert reply.output.startswith("one\ntwo")
    assert reply.note == (
        "the command has the whole screen, which is shown; the next text is typed to it, "
        "with Enter only for a line break at the end"
    )
    reply = shell.execute("q")
    assert reply.output == ""
    assert reply.exit_code is None  # a text in a full screen may have been a command as well


def test_a_program_that_reads_single_keys_gets_no_enter() -> None:
    """The note says so, and a line break at the end of the text is Enter."""
    shell, terminal = shell_with(rm=one_key)
    reply = shell.execute("rm")
    assert reply.note == (
        "the command waits for a key; the next text is typed to it, with Enter only for a line "
        "break at the end"
    )
    assert shell.execute("y").exit_code == 0
    assert [str(sent.keys) for sent in terminal.sent()][1] == "'y'"


def test_a_line_break_is_enter_in_a_full_screen() -> None:
    """Which moves a pager down by a row, and leaves it open."""
    shell, _ = shell_with(less=pager("\n".join(map(str, range(50)))))
    assert shell.execute("less").output.startswith("0\n1\n")
    assert shell.execute("\n").output.startswith("1\n2\n")


def test_a_control_character_is_a_key() -> None:
    """No Enter follows C-d, and a line break is one Enter."""
    shell, terminal = shell_with(cat=question("", lambda line: f"you said {line}"))
    for text, key in (("\x04", "\x04"), ("\n", Key("Enter"))):
        assert shell.execute("cat").note.startswith("the command waits for input")
        before = len(terminal.sent())
        assert shell.execute(text).exit_code is not None
        assert terminal.sent()[before].keys.parts == (key,)


def test_an_error_is_a_note() -> None:
    """A framework knows no exceptions of ours."""
    shell, terminal = shell_with()
    (pane,) = terminal.panes()
    terminal.close(pane)
    reply = shell.execute("ls")
    assert reply.note.startswith("error: there is no tmux server with a pane")
    assert str(reply) == f"[{reply.note}]"


def test_texts_take_turns() -> None:
    """A framework may call tools in parallel."""
    shell, _ = shell_with(one=after(1.0, "one"), two=after(1.0, "two"))
    replies: dict[str, str] = {}

    def execute(text: str) -> None:
        replies[text] = shell.execute(text).output

    threads = [threading.Thread(target=execute, args=(text,)) for text in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replies == {"one": "one\n", "two": "two\n"}


def test_a_shell_that_ends_is_told() -> None:
    """And nothing is typed any more."""
    shell, _ = shell_with()
    assert shell.execute("exit").note == "the shell has ended"
    assert shell.execute("ls").note.startswith("error: ")
