"""`run` with answers: each question gets its own, and no other is typed."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import pytest

from tmuxprim import (
    AsyncConsole,
    CommandError,
    CommandResult,
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
)
from tmuxprim.errors import InvalidTextError
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    ReadKey,
    ReadLine,
    Reply,
    Run,
    ScriptedShell,
    after,
    password,
    question,
)

Given: TypeAlias = Mapping[str, str | KeySequence]
Runs: TypeAlias = Callable[[FakeTerminal, str, Given], CommandResult]


def three_times(tty: FakeTty) -> Run:
    """Ask for a password until it is right."""
    for _ in range(3):
        tty.write("Password: ")
        typed = yield ReadLine(echo=False)
        tty.write("\n")
        if typed == "right":
            return 0
    return 1


def one_key(tty: FakeTty) -> Run:
    """Ask for a key, twice."""
    for name in ("a", "b"):
        tty.write(f"Remove {name}? [y/N] ")
        tty.write(f"{(yield ReadKey())}\n")
    return 0


def up_to_three_keys(tty: FakeTty) -> Run:
    """Ask for up to three keys, of which Enter is the last."""
    tty.write("Number: ")
    typed = ""
    while len(typed) < 3 and (key := (yield ReadKey())) not in ("\n", "\r"):
        tty.write(key)
        typed += key
    tty.write(f"\nnumber {typed}\n")
    return 0


def never_content(tty: FakeTty) -> Run:
    """Ask again and again."""
    while True:
        tty.write("Sure? ")
        yield ReadLine()


COMMANDS: Final[Mapping[str, Reply]] = {
    "install": question("Continue? [y/N] ", lambda answer: f"you said {answer}"),
    "login": password("Password: ", lambda typed: f"{len(typed)} characters"),
    "slow": [question("Sure? ", lambda _: "work"), after(60.0, "done")],
    "long": question("Do you really want " + "very " * 30 + "much? ", lambda said: f"said {said}"),
    "sudo": three_times,
    "rm": one_key,
    "choose": up_to_three_keys,
    "nag": never_content,
}


def run(fake: FakeTerminal, command: str, answers: Given) -> CommandResult:
    """Run a command by a `Console`."""
    return Console(fake, fake.open()).run(command, 30.0, exit_status=True, answers=answers)


def run_async(fake: FakeTerminal, command: str, answers: Given) -> CommandResult:
    """Run a command by an `AsyncConsole`."""

    async def main() -> CommandResult:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        return await console.run(command, 30.0, exit_status=True, answers=answers)

    return asyncio.run(main())


both = pytest.mark.parametrize("runs", [run, run_async])


@pytest.fixture
def fake() -> FakeTerminal:
    """Return a terminal with a shell whose commands ask."""
    return FakeTerminal(programs={"sh": ScriptedShell(COMMANDS)})


@both
def test_a_question_is_answered(fake: FakeTerminal, runs: Runs) -> None:
    """The answer is a part of the output, and the shell tells the exit status."""
    result = runs(fake, "install", {"Password": "no", "Continue?": "y", "[y/N]": "n"})
    assert str(result) == "Continue? [y/N] y\nyou said y\n"
    assert result.exit_status == 0
    assert bool(result)
    assert result.doubt == "the answers to its questions are a part of it"


@both
def test_a_secret_is_typed_unseen(fake: FakeTerminal, runs: Runs) -> None:
    """It is in no output."""
    result = runs(fake, "login", {"Password": "secret"})
    assert result.output == "Password: \n6 characters\n"


def test_a_secret_is_typed_once(fake: FakeTerminal) -> None:
    """The program that asks again has refused it."""
    result = run(fake, "sudo", {"Password": "wrong"})
    assert result.readiness.outcome is Outcome.AWAITING_SECRET
    assert not result
    assert result.output == "Password: \nPassword: "


def test_a_line_that_is_wrapped(fake: FakeTerminal) -> None:
    """Its words are found in all of it."""
    assert run(fake, "long", {"really want": "yes"}).output.endswith("? yes\nsaid yes\n")


def test_keys_are_pressed_without_enter(fake: FakeTerminal) -> None:
    """And as often as the question comes."""
    result = run(fake, "rm", {"[y/N]": KeySequence.text("y")})
    assert result.output == "Remove a? [y/N] y\nRemove b? [y/N] y\n"
    assert result.exit_status == 0


@both
def test_a_program_that_reads_one_key_gets_no_enter(fake: FakeTerminal, runs: Runs) -> None:
    """The Enter would be the key for the next question."""
    result = runs(fake, "rm", {"[y/N]": "y"})
    assert result.output == "Remove a? [y/N] y\nRemove b? [y/N] y\n"
    assert result.exit_status == 0


@pytest.mark.parametrize(
    ("answer", "keys"), [("7", ["'7'", "Enter"]), ("77", ["'77'", "Enter"]), ("777", ["'777'"])]
)
def test_enter_follows_if_the_program_reads_more_keys(
    fake: FakeTerminal, answer: str, keys: list[str]
) -> None:
    """It waits behind the same question, in the same row."""
    result = run(fake, "choose", {"Number": answer})
    assert result.output == f"Number: {answer}\nnumber {answer}\n"
    status = "' echo $?' + Enter"
    assert [str(sent.keys) for sent in fake.sent()] == ["'choose' + Enter", *keys, status]


def test_no_question_is_answered_when_the_time_is_up(fake: FakeTerminal) -> None:
    """A program that refuses each answer does not keep `run` from its end."""
    result = Console(fake, fake.open()).run("nag", 1.0, answers={"Sure?": "yes"})
    assert result.readiness.outcome is Outcome.AWAITING_INPUT
    assert fake.clock.now() < 2.0


@pytest.mark.parametrize("answers", [{}, {"Password": "x"}])
def test_a_question_without_an_answer(fake: FakeTerminal, answers: Given) -> None:
    """It ends the wait, nothing is typed, and it can be answered by hand."""
    console = Console(fake, fake.open())
    result = console.run("install", answers=answers)
    assert result.readiness.outcome is Outcome.AWAITING_INPUT
    assert [str(sent.keys) for sent in fake.sent()] == ["'install' + Enter"]
    console.send("n")
    result = console.resume()
    assert result.output == "Continue? [y/N] n\nyou said n\n"
    assert result.doubt == "the answers to its questions are a part of it"


@pytest.mark.parametrize("is_answer", [True, False])
def test_the_exit_status_of_a_command_that_was_answered_by_hand(
    fake: FakeTerminal, *, is_answer: bool
) -> None:
    """The shell is asked for it, unless something else may have been run meanwhile."""
    console = Console(fake, fake.open())
    console.run("install", exit_status=True)
    console.send("n")
    if not is_answer:
        console.send("true")
    result = console.resume()
    assert result.exit_status == (0 if is_answer else None)
    assert ("something was typed meanwhile" in result.doubt) is not is_answer


def test_the_timeout_is_for_all_of_it(fake: FakeTerminal) -> None:
    """A command that goes on working has not ended, and `resume` waits on."""
    console = Console(fake, fake.open())
    result = console.run("slow", 10.0, answers={"Sure?": "y"})
    assert result.readiness.outcome is Outcome.TIMEOUT
    assert console.resume(60.0).output == "Sure? y\nwork\ndone\n"


def test_check_raises_for_a_command_that_asks_on(fake: FakeTerminal) -> None:
    """As for each command that has not ended."""
    console = Console(fake, fake.open())
    assert console.run("install", check=True, answers={"Continue?": "y"}).exit_status == 0
    with pytest.raises(CommandError, match="install"):
        console.run("install", check=True, answers={"another": "y"})


@pytest.mark.parametrize(
    ("command", "answers", "message"),
    [
        ("install\ninstall", {"Continue?": "y"}, "a command of one line"),
        ("install", {" ": "y"}, "needs words of its question, got ' '"),
    ],
)
def test_wrong_answers_are_refused(
    fake: FakeTerminal, command: str, answers: Given, message: str
) -> None:
    """Nothing is typed."""
    with pytest.raises(InvalidTextError, match=message):
        run(fake, command, answers)
    assert fake.sent() == ()
