"""What lets a shell complete the commands."""

import subprocess
import sys

import pytest

from tests.unit.cli.conftest import Cli


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_reads_it(cli: Cli, shell: str) -> None:
    """It knows commands, options, choices, and asks tmux for the names of sessions."""
    ran = cli("completion", shell)
    assert (ran.status, ran.err) == (0, "")
    for word in ("attach", "prompt-rows", "anthropic", "tmux list-sessions"):
        assert word in ran.out
    assert cli("completion", shell, "--json").facts["completion"] == ran.out.removesuffix("\n")


@pytest.mark.needs("bash")
def test_bash_completes(cli: Cli) -> None:
    """A command, by its beginning."""
    script = cli("completion", "bash").out
    ask = 'COMP_WORDS=(tmuxprim op); COMP_CWORD=1; _shtab_tmuxprim; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script + ask], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("open\n", "")


def test_without_the_package(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install."""
    monkeypatch.setitem(sys.modules, "shtab", None)
    ran = cli("completion", "bash")
    assert (ran.status, ran.out) == (2, "")
    assert 'pip install "tmuxprim[completion]"' in ran.err
