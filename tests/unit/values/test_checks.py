"""What every backend refuses, and in which words."""

import os

import attrs
import pytest

from tests.unit.builders import PANE, screen
from tmuxprim import InvalidPaneError, InvalidTextError, PaneBusyError, PaneDeadError, Screen
from tmuxprim._values.checks import (
    check_command,
    check_history,
    check_session_name,
    check_words,
    pane_not_found,
    partly,
    refuse_if_unavailable,
    to_start,
)
from tmuxprim.errors import InvalidScreenError

OPEN = screen()
DEAD = attrs.evolve(OPEN, dead=True, exit_status=3)
READING = attrs.evolve(OPEN, mode="copy-mode")
DEAF = attrs.evolve(OPEN, input_off=True)
COUPLED = attrs.evolve(OPEN, synchronized=True)

IS_DEAD = "the program of pane %7 has exited (status 3); close the pane and open another"
IS_READ = (
    "pane %7 is in copy-mode, where keys do not reach the program; "
    "give leave_mode=True to leave the mode first"
)
IS_DEAF = "the input of pane %7 is off; switch it on with 'tmux select-pane -e -t %7'"
IS_COUPLED = (
    "pane %7 is synchronized with the other panes of its window, which would also get the keys; "
    "switch that off with 'tmux set-option -w -t %7 synchronize-panes off'"
)


@pytest.mark.parametrize("name", ["shared", "a-b_c", "7", "日本"])
def test_session_name(name: str) -> None:
    """Letters, digits, underscores and hyphens make a session's name."""
    assert check_session_name(name) == name


@pytest.mark.parametrize("name", ["", "a b", "a:b", "a.b", "%1", "#{pid}", "=a", "a\n"])
def test_session_name_refused(name: str) -> None:
    """What tmux would change, or read as a format or a target, is no session's name."""
    with pytest.raises(InvalidPaneError) as caught:
        check_session_name(name)
    assert str(caught.value) == (
        f"a new session's name has letters, digits, '_' and '-' only, got {name!r}; an existing "
        "pane is used by its name, without opening it"
    )


@pytest.mark.parametrize("command", [None, "sh", " sh -c 'exit 3' ", ["sh"], ("sh", "")])
def test_command(command: str | list[str] | None) -> None:
    """A first word is a program, and None is the user's shell."""
    check_command(command)


@pytest.mark.parametrize("command", ["", " \t", [], (), [""], ["", "x"]])
def test_command_refused(command: str | list[str]) -> None:
    """What names no program is refused, and not taken for the user's shell."""
    with pytest.raises(InvalidTextError) as caught:
        check_command(command)
    assert str(caught.value) == (
        f"a command names a program, got {command!r}; None is the user's shell"
    )


def test_words() -> None:
    """Whatever can be typed can be a word."""
    check_words(["", "a b", "\x1b", "日本"])


@pytest.mark.parametrize("word", ["a\0b", "\ud800"])
def test_words_refused(word: str) -> None:
    """No program can be given what no line of C and no UTF-8 can hold."""
    with pytest.raises(InvalidTextError) as caught:
        check_words(["ls", word])
    assert str(caught.value) == (
        f"commands, directories and variables hold no NUL or lone surrogate, got {word!r}"
    )


def test_variables() -> None:
    """Every name that a program can have is good, and so is none."""
    assert to_start("make", {"HOME": "", "a b": "x=y"}) == ("make", {"HOME": "", "a b": "x=y"})
    assert to_start(None, None) == (None, {})


@pytest.mark.parametrize("name", ["", "A=B", "="])
def test_variables_refused(name: str) -> None:
    """What tmux would take for another name is refused."""
    with pytest.raises(InvalidTextError, match=r"a variable's name is not empty and has no '='"):
        to_start(["make"], {name: "x"})


@pytest.mark.parametrize("name", ["PATH", "TERM", "TMUX"])
def test_variables_of_tmux_are_given_last(name: str) -> None:
    """What tmux would overwrite is given by env(1), after it."""
    assert to_start(["make", "-n"], {"A": "1", name: "x"}) == (
        ("/usr/bin/env", f"{name}=x", "make", "-n"),
        {"A": "1"},
    )


def test_variables_of_tmux_for_the_name_of_a_program() -> None:
    """A text of one word is the name of a program, so env(1) starts it."""
    assert to_start("make", {"PATH": "x"}) == (("/usr/bin/env", "PATH=x", "make"), {})


@pytest.mark.parametrize("command", [None, "make -n | cat"])
def test_variables_of_tmux_refused(command: str | None) -> None:
    """Only tmux knows which shell is the user's."""
    with pytest.raises(InvalidTextError) as caught:
        to_start(command, {"A": "1", "PATH": "x"})
    assert str(caught.value) == (
        "tmux gives the user's shell a PATH of its own, got another one; give the command as "
        "words, such as ['bash', '-c', '...']"
    )


def test_a_program_that_looks_like_a_variable() -> None:
    """It would be one to env(1), which would then list them all."""
    with pytest.raises(InvalidTextError, match=r"takes a program with '=' in its name .* 'A=1'"):
        to_start(["A=1", "-n"], {"PATH": "x"})


def test_variables_that_are_only_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who passes ``dict(os.environ)`` on asks for no other PATH or TERM than tmux gives."""
    monkeypatch.setenv("TERM", "vt100")
    monkeypatch.setenv("TMUX_PANE", "%7")
    monkeypatch.setenv("KEY", "value")
    command, passed = to_start("make", dict(os.environ))
    assert (command, passed["KEY"]) == ("make", "value")
    assert not {"PATH", "TERM", "TMUX_PANE"} & passed.keys()
    with pytest.raises(InvalidTextError, match="a TERM of its own"):
        to_start("make -n", {**os.environ, "TERM": "xterm"})


@pytest.mark.parametrize("word", ["x" * 131_072, "é" * 65_536, "A=" + "x" * 131_070])
def test_a_word_that_linux_gives_no_program(word: str) -> None:
    """It would end with its pane at once; one byte less is good."""
    check_words(["ls", word[1:]])
    with pytest.raises(InvalidTextError, match="has at most 131,071 bytes"):
        check_words(["ls", word])


def test_history() -> None:
    """There are no fewer rows of history than none."""
    check_history(0)
    with pytest.raises(InvalidScreenError) as caught:
        check_history(-1)
    assert str(caught.value) == "history is 0 or more rows, got -1"


def test_pane_not_found() -> None:
    """The message names the pane as it was asked for, and where to look."""
    assert str(pane_not_found(PANE)) == (
        "there is no pane '%7' on this tmux server (any more); Terminal.panes() lists all panes"
    )


@pytest.mark.parametrize("leave_mode", [True, False])
@pytest.mark.parametrize(
    ("shown", "error", "message"),
    [
        (DEAD, PaneDeadError, IS_DEAD),
        (DEAF, PaneBusyError, IS_DEAF),
        (COUPLED, PaneBusyError, IS_COUPLED),
        (attrs.evolve(DEAD, mode="copy-mode", input_off=True), PaneDeadError, IS_DEAD),
        (attrs.evolve(READING, input_off=True), PaneBusyError, IS_DEAF),
        (attrs.evolve(READING, synchronized=True), PaneBusyError, IS_COUPLED),
    ],
)
def test_deaf_pane(
    shown: Screen, error: type[Exception], message: str, *, leave_mode: bool
) -> None:
    """A pane in which keys would be lost, or go elsewhere too, is refused in any case."""
    with pytest.raises(error) as caught:
        refuse_if_unavailable(PANE, shown, leave_mode=leave_mode)
    assert str(caught.value) == f"nothing was sent: {message}"


def test_pane_in_a_mode() -> None:
    """A pane in a mode is refused unless the mode is left."""
    refuse_if_unavailable(PANE, READING, leave_mode=True)
    with pytest.raises(PaneBusyError) as caught:
        refuse_if_unavailable(PANE, READING, leave_mode=False)
    assert str(caught.value) == f"nothing was sent: {IS_READ}"


def test_pane_that_hears() -> None:
    """A pane that takes keys is not refused."""
    refuse_if_unavailable(PANE, OPEN, leave_mode=False)


@pytest.mark.parametrize(("error", "message"), [(PaneBusyError, IS_DEAF), (PaneDeadError, IS_DEAD)])
def test_partly(error: type[PaneBusyError | PaneDeadError], message: str) -> None:
    """A refusal amid a sending is of the same kind, and says what was sent in place of nothing."""
    late = partly(error(f"nothing was sent: {message}"), "half of it has been sent, then")
    assert type(late) is error
    assert str(late) == f"half of it has been sent, then: {message}"
