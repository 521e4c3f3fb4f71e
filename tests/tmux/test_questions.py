"""`run` answers questions of real programs."""

from tests.tmux_server import Server
from tmuxprim import Console, KeySequence

BASH = ["bash", "--norc", "--noprofile"]


def test_questions_of_bash(server: Server) -> None:
    """A line, a secret, one key, and up to three keys; the exit status is the command's."""
    asks = (
        "read -p 'Go on? ' answer; read -sp 'Password: ' secret; echo; "
        "read -n1 -p 'Key? ' key; echo; read -n3 -p 'Number? ' number; "
        "echo $answer ${#secret} $key $number; (exit 3)"
    )
    answers: dict[str, str | KeySequence] = {
        "Go on?": KeySequence.keys("y", "Enter"),
        "Password": KeySequence.lines("hidden\n"),
        "Key?": "k",
        "Number?": "7",
    }
    with Console.open(server.terminal, BASH) as console:
        result = console.run(asks, 60.0, exit_status=True, answers=answers)
    assert result.output == "Go on? y\nPassword: \nKey? k\nNumber? 7\ny 6 k 7\n"
    assert result.exit_status == 3


def test_a_question_that_is_answered_by_hand(server: Server) -> None:
    """The exit status is the command's, as without a question."""
    with Console.open(server.terminal, BASH) as console:
        console.run("read -p 'Go on? ' answer; (exit 3)", 60.0, exit_status=True)
        console.send("y")
        result = console.resume(60.0)
    assert (result.output, result.exit_status) == ("Go on? y\n", 3)
    assert not result


def test_an_answer_that_spills_over_into_the_shell(server: Server) -> None:
    """A program that takes one key leaves the rest to the shell, so the status is not believed."""
    with Console.open(server.terminal, BASH) as console:
        command = "read -n1 -p 'Key? ' key; echo; true"
        result = console.run(command, 60.0, exit_status=True, answers={"Key?": "yes"})
        assert console.wait_ready(60.0)
    assert result.exit_status is None
    assert not result.complete
