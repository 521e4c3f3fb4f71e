"""What tmux is told to start for a shell that reports its commands."""

from pathlib import Path

import pytest

import tmuxprim
from tmuxprim import TmuxTerminal
from tmuxprim._tmux.launch import to_integrated
from tmuxprim._values.shell_integration import FOLDER
from tmuxprim.errors import InvalidTextError, ProgramNotFoundError, TmuxprimError

PLACE = Path(tmuxprim.__file__).parent / FOLDER


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("bash", ("bash", "--rcfile", f"{PLACE}/bash.sh")),
        (["/bin/bash", "-x"], ("/bin/bash", "--rcfile", f"{PLACE}/bash.sh", "-x")),
        (["fish", "-N"], ("fish", "--init-command", f"source '{PLACE}/fish.fish'", "-N")),
    ],
)
def test_the_words_that_start_it(command: str | list[str], words: tuple[str, ...]) -> None:
    """Our file is named before the words of the user."""
    assert to_integrated(command) == words


def test_a_zsh() -> None:
    """It finds our file by a variable, and has its own words."""
    words = to_integrated(["zsh", "-l"])
    assert words[0] == "/bin/sh"
    assert words[4:] == (f"{PLACE}/zsh", "zsh", "-l")


@pytest.mark.parametrize("words", [("-f",), ("-o", "norcs"), ("-c", "ls"), ("file",)])
def test_a_zsh_that_may_not_read_our_file(words: tuple[str, ...]) -> None:
    """It would keep our ZDOTDIR, so it is refused."""
    with pytest.raises(InvalidTextError, match="zsh takes only the options -i and -l"):
        to_integrated(["zsh", *words])


def test_the_users_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is what SHELL names."""
    monkeypatch.setenv("SHELL", "/usr/bin/bash")
    assert to_integrated(None)[:2] == ("/usr/bin/bash", "--rcfile")
    for other in ("/bin/dash", ""):
        monkeypatch.setenv("SHELL", other)
        with pytest.raises(InvalidTextError, match="bash, zsh and fish"):
            to_integrated(None)


@pytest.mark.parametrize("command", ["bash -l", "vim", ["dash"], ["env", "bash"], [], [""], ""])
def test_another_program(command: str | list[str]) -> None:
    """It is refused, as a wrong value."""
    for error in (TmuxprimError, ValueError):
        with pytest.raises(error):
            to_integrated(command)


def test_each_file_is_there() -> None:
    """The wheel has each of them, and no other one."""
    files = sorted(str(path.relative_to(PLACE)) for path in PLACE.rglob("*") if path.is_file())
    assert files == ["bash.sh", "fish.fish", "zsh/.zshenv"]


def test_a_server_behind_a_launcher() -> None:
    """The file is on this machine, so nothing is started."""
    terminal = TmuxTerminal(launcher=("false",))
    with pytest.raises(InvalidTextError, match="behind a launcher"):
        terminal.open(["bash"], shell_integration=True)


def test_a_shell_that_is_not_there() -> None:
    """It is looked for by its own name, whatever starts it."""
    with (
        TmuxTerminal.private() as terminal,
        pytest.raises(ProgramNotFoundError, match="'/nowhere/zsh'"),
    ):
        terminal.open(["/nowhere/zsh"], shell_integration=True)
