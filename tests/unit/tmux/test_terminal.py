"""Hooks of the user's that fail, on clients made of shell script; real ones: tests/tmux."""

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from tmuxprim import (
    KeySequence,
    Pane,
    Size,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxServerError,
    TmuxTerminal,
)

SHELL = "'exit 3' returned 3"
LISTED = r"printf '%%1 1.2\twork\t0\tbash\t0\t1\t1\t80\t24\t0\tbash\t\n'"
HOOKS = 'after-list-panes[0] run-shell "exit 3"'


def hooked(directory: Path, script: str, *, listed: str = f"echo '{HOOKS}'") -> TmuxTerminal:
    """Return a terminal whose tmux is a shell script; ``mark`` prints the marks of its input."""
    program = directory / "tmux"
    program.write_text(
        "#!/bin/sh\n"
        f'case "$*" in *show-hooks*) echo after-show-hooks; echo >>{directory}/a; {listed}; exit;;'
        " esac\n"
        'mark() { { echo "$*"; cat; } | grep -oE "tmuxprim(-[0-9a-f]+|: done)"; }\n'
        f"{script}\n"
    )
    program.chmod(0o755)
    return TmuxTerminal(socket_name="x", executable=str(program), history_limit=None)


def test_an_answer_counts_more_than_the_status(tmp_path: Path) -> None:
    """Which is that of a hook; the hook is told of, once."""
    terminal = hooked(tmp_path, f'{LISTED}; mark "$*"; echo "no pane" >&2; exit 3')
    with pytest.warns(RuntimeWarning) as caught:
        assert terminal.panes() == terminal.panes() == (Pane("%1"),)
    assert [str(one.message) for one in caught] == [
        f"all was done, but a hook of yours failed with exit status 3: {HOOKS}"
    ]
    assert (tmp_path / "a").read_text() == "\n"


@pytest.mark.parametrize("listed", ["echo 'after-new-session[0] x'", "exit 1"])
def test_a_hook_that_cannot_be_found(tmp_path: Path, listed: str) -> None:
    """It may be of one session only, or end before it is looked for."""
    terminal = hooked(tmp_path, f'{LISTED}; mark "$*"; exit 3', listed=listed)
    with pytest.warns(RuntimeWarning, match=r"status 3: 'tmux show-hooks' lists them$"):
        terminal.panes()


def test_a_hook_that_prints_into_an_answer(tmp_path: Path) -> None:
    """As it does before tmux 3.3 and from 3.5 on; nobody can tell which part is of whom."""
    terminal = hooked(tmp_path, f'{LISTED}; echo "{SHELL}"; mark "$*"; exit 3')
    with pytest.raises(TmuxCommandError, match=f"a hook of yours, {SHELL}, prints into"):
        terminal.panes()


def test_what_is_printed_behind_an_answer_is_not_of_it(tmp_path: Path) -> None:
    """The keys were typed, and what a hook prints is no reason to type them again."""
    fields = "%1 80 3 0 0 1 0 2000 0  0 3.6 1 2 99 /dev/none 1  0   sh t".replace(" ", "\t")
    (tmp_path / "look").write_text(f"{fields}\n" + "\n" * 6)
    words = (
        f'words=$(cat); case "$words" in *capture-pane*) cat {tmp_path}/look; echo "$words" | mark'
    )
    # The mark behind the keys stands in both branches, and one of them is taken.
    typed = f'esac; echo >>{tmp_path}/typed; echo "{SHELL}"; echo "$words" | mark'
    terminal = hooked(tmp_path, f"{words} | uniq;; {typed} | uniq; exit 3")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        screen = terminal.send(Pane("%1"), KeySequence.text("x"))
        assert screen.rows == ("", "", "")
        terminal.send(Pane("%1"), KeySequence.text("x"), seen=screen)
    assert (tmp_path / "typed").read_text() == "\n\n"


def test_keys_that_were_sent_are_told(tmp_path: Path) -> None:
    """A hook that prints into the answer does so behind the keys, too: they are not typed again."""
    terminal = hooked(tmp_path, 'words=$(cat); echo hooked; echo "$words" | mark')
    with pytest.raises(TmuxCommandError, match="the keys may have been sent; hooked"):
        terminal.send(Pane("%1"), KeySequence.text("x"))


def test_a_success_that_is_not_is_an_error(tmp_path: Path) -> None:
    """A hook that ends well leaves the status 0 behind a refusal."""
    terminal = hooked(tmp_path, "echo no such thing >&2; exit 0")
    with pytest.raises(TmuxCommandError, match="exited with 0 and said 'no such thing'"):
        terminal.panes()


def test_no_pane_is_left_that_has_not_the_size(tmp_path: Path) -> None:
    """Nobody would know that it is there."""
    words = f'words=$(cat); echo "$* $words" >>{tmp_path}/words; case "$* $words" in'
    opens = '*new-session*) echo "%1 1.2 10 5"; { echo "$words"; } | mark; exit 0;;'
    refuses = "*resize-window*) echo no space >&2; exit 1;; esac"
    terminal = hooked(tmp_path, f"{words} {opens} {refuses}")
    with pytest.raises(TmuxCommandError, match="no space"):
        terminal.open(size=Size(80, 24))
    assert "kill-pane" in (tmp_path / "words").read_text()


# A launcher, or a login shell behind it, that prints something of its own, or swallows all.

ASKING: dict[str, Callable[[TmuxTerminal], object]] = {
    "open": lambda terminal: terminal.open(),
    "list": lambda terminal: terminal.panes(),
    "resolve": lambda terminal: terminal.resolve(Pane("work")),
    "look": lambda terminal: terminal.observe(Pane("%0")),
}


def noisy(directory: Path, script: str) -> TmuxTerminal:
    """Return a terminal whose launcher is a shell script."""
    program = directory / "launcher"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return TmuxTerminal(launcher=(str(program),))


@pytest.mark.parametrize("asking", ASKING.values(), ids=ASKING)
def test_a_greeting_is_no_answer(tmp_path: Path, asking: Callable[[TmuxTerminal], object]) -> None:
    """It is told as what it is, and no pane is called by it or taken for gone."""
    terminal = noisy(tmp_path, "echo Welcome to far; echo secret")
    with pytest.raises(TmuxCommandError, match=r"Welcome to far \(this is not an answer") as caught:
        asking(terminal)
    assert "secret" not in str(caught.value)


def test_a_greeting_before_the_list_of_sessions_is_none(tmp_path: Path) -> None:
    """Nor is there a session in it for a client in control mode."""
    noisy(tmp_path, "echo Welcome to this remote machine")
    terminal = TmuxTerminal(launcher=(str(tmp_path / "launcher"),), transport="control")
    with pytest.raises(TmuxCommandError, match="Welcome to this remote machine"):
        terminal.panes()


def test_silence_is_no_answer_either(tmp_path: Path) -> None:
    """A pane does not count as gone if tmux has not said so."""
    terminal = noisy(tmp_path, "exit 0")
    with pytest.raises(TmuxCommandError):
        terminal.observe(Pane("%0"))
    with pytest.raises(TmuxCommandError, match="pass input on"):
        terminal.send(Pane("%0"), KeySequence.text("x"))
    with pytest.raises(TmuxServerError, match="a launcher passes no input on"):
        terminal.open()


def test_a_machine_without_tmux(tmp_path: Path) -> None:
    """The shell over there says so, and it is the same error as here."""
    script = "echo 'sh: 1: tmux: not found' >&2; exit 127"
    with pytest.raises(TmuxNotFoundError, match=r"tmux: not found.*install tmux on the other side"):
        noisy(tmp_path, script).panes()


def test_a_hook_that_finds_no_program_is_not_a_missing_tmux(tmp_path: Path) -> None:
    """Tmux has done what it was told, exits as the hook's shell did, and does not complain."""
    with pytest.raises(TmuxCommandError):
        noisy(tmp_path, "echo \"'nothing' returned 127\"; exit 127").panes()
