"""`run` types no command where somebody has begun one."""

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite, make_fake
from tmuxprim import Pane
from tmuxprim._cli._half_line import typed_behind_prompt

WORK = Pane("work")


def test_half_a_line_is_refused(cli: Cli, site: FakeSite) -> None:
    """A new process has not seen the prompt, and must not make one command of two."""
    cli("send", "work", "rm -rf", "--no-enter")
    ran = cli("run", "work", "ls")
    assert ran.status == 4
    assert "nothing was sent: 'rm -rf' seems to stand at the prompt already" in ran.err
    assert "'tmuxprim keys PANE C-u' takes it away" in ran.err
    site.terminal.assert_sent(WORK, "rm -rf")
    cli("keys", "work", "C-u")
    assert cli("run", "work", "ls").out == "a.txt\nb.txt\n"


def test_an_odd_prompt_is_one(cli: Cli) -> None:
    """A shell that edits a line shows it."""
    cli("open", "bash")
    assert cli("run", "%1", "echo hi").out == "hi\n"


def test_a_pattern_tells_what_the_prompt_is(cli: Cli) -> None:
    """Also where it looks like half a line."""
    cli("open", "zsh")
    ran = cli("run", "%1", "echo hi")
    assert ran.status == 4
    assert "if it is part of the prompt, --pattern says so" in ran.err
    assert cli("run", "%1", "echo hi", "--pattern", "main$").out == "hi\n"


def test_a_line_editor_that_asks(cli: Cli, site: FakeSite) -> None:
    """It is no shell, so the command would be an answer."""
    cli("open", "asks")
    ran = cli("run", "%1", "ls")
    assert ran.status == 4
    assert "'name: ' is not known to be a shell's prompt" in ran.err
    assert site.terminal.sent(Pane("%1")) == ()


def test_a_screen_that_is_only_stable(cli: Cli, site: FakeSite) -> None:
    """Where nobody knows who reads, a command may land anywhere."""
    site.terminal = make_fake(evidence=False)
    cli("open", "bash", "--name", "work")
    ran = cli("run", "work", "ls")
    assert ran.status == 4
    assert "'odd ' is not known to be a shell's prompt" in ran.err
    assert cli("run", "work", "echo hi", "--pattern", "^odd$").out == "hi\n"


def test_a_full_screen_program_takes_no_command(cli: Cli, site: FakeSite) -> None:
    """It would take the letters for keys."""
    cli("send", "work", "less", "--wait")
    ran = cli("run", "work", "ls", "--timeout", "1")
    assert ran.status == 4
    assert "nothing was sent: the pane takes no command" in ran.err
    site.terminal.assert_sent(WORK, "less", "Enter")


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("$ ", ""),
        ("$ ls", "ls"),
        ("$ ls ", "ls"),
        ("user@host:~$ git commit -m 'a", "git commit -m 'a"),
        (">>> x = ", "x ="),
        ("(venv) $ x", "$ x"),
        ("odd ", ""),
        ("odd and long ", ""),
        ("", ""),
    ],
)
def test_what_is_typed_behind_a_prompt(line: str, typed: str) -> None:
    """Whatever stands behind the first thing that looks like a prompt."""
    assert typed_behind_prompt(line) == typed
