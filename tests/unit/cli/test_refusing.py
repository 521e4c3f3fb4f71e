"""`run` and `send` type nothing behind a person's half line; `run` answers no question."""

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite, make_fake
from tmuxprim import Pane

WORK = Pane("work")


def test_half_a_line_is_refused(cli: Cli, site: FakeSite) -> None:
    """A new process has not seen the prompt, and must not make one command of two."""
    cli("send", "work", "rm -rf", "--no-enter")
    ran = cli("run", "work", "ls")
    assert ran.status == 125
    assert "nothing was sent: 'rm -rf' is already typed at the prompt" in ran.err
    assert "'tmuxprim keys PANE C-e C-u' deletes it; if it is part of the" in ran.err
    site.terminal.assert_sent(WORK, "rm -rf")
    cli("keys", "work", "C-e C-u")
    assert cli("run", "work", "ls").out == "a.txt\nb.txt\n"


def test_nothing_is_sent_behind_half_a_line(cli: Cli, site: FakeSite) -> None:
    """Enter would carry both out; without it a line may be put together."""
    for text in ("rm -r", "f"):
        assert cli("send", "work", text, "--no-enter").status == 0
    sent = site.terminal.sent()
    for text in ("ls", ""):
        ran = cli("send", "work", text)
        assert ran.status == 4
        assert "nothing was sent: 'rm -rf' is already typed at the prompt" in ran.err
    assert site.terminal.sent() == sent
    assert cli("keys", "work", "Enter", "--wait").status == 0
    assert "a.txt" in cli("send", "work", "ls", "--wait").out


def test_what_was_typed_while_it_waits(cli: Cli, site: FakeSite) -> None:
    """A person need not wait for the end of a command; the next one comes behind it."""
    cli("send", "work", "make")
    cli("send", "work", "rm -rf", "--no-enter")
    ran = cli("run", "work", "ls")
    assert ran.status == 125
    assert "nothing was sent: 'rm -rf' is already typed at the prompt" in ran.err
    site.terminal.assert_sent(WORK, "make", "Enter", "rm -rf")


@pytest.mark.parametrize("command", ["ask", "login"])
def test_a_question_is_answered_by_send(cli: Cli, command: str) -> None:
    """A command is none."""
    cli("send", "work", command, "--wait")
    ran = cli("run", "work", "ls /")
    assert ran.status == 125
    assert "nothing was sent: the pane takes no command; " in ran.err
    assert "answer it with 'tmuxprim send'" in ran.err
    assert cli("send", "work", "y").status == 0


def test_an_odd_prompt_is_one(cli: Cli) -> None:
    """A shell that edits a line shows it."""
    cli("open", "bash")
    assert cli("run", "%1", "echo hi").out == "hi\n"


def test_a_pattern_tells_what_the_prompt_is(cli: Cli) -> None:
    """Also where it looks like half a line."""
    cli("open", "zsh")
    ran = cli("run", "%1", "echo hi")
    assert ran.status == 125
    assert "if it is part of the prompt, describe it with --pattern" in ran.err
    assert cli("run", "%1", "echo hi", "--pattern", "main$").out == "hi\n"
    assert cli("send", "%1", "echo hi").status == 4
    assert cli("send", "%1", "echo hi", "--pattern", "main$").status == 0


def test_a_line_editor_that_asks(cli: Cli, site: FakeSite) -> None:
    """It is no shell, so the command would be an answer."""
    cli("open", "asks")
    ran = cli("run", "%1", "ls")
    assert ran.status == 125
    assert (
        "after 'name:'; answer it with 'tmuxprim send'; if it is a prompt, describe it with "
        in ran.err
    )
    assert site.terminal.sent(Pane("%1")) == ()


def test_a_screen_that_is_only_stable(cli: Cli, site: FakeSite) -> None:
    """A command is refused if the reader cannot be determined, and no known prompt is shown."""
    site.terminal = make_fake(evidence=False)
    cli("open", "bash", "--name", "work")
    ran = cli("run", "work", "ls")
    assert ran.status == 125
    assert "'odd ' is not known to be a shell's prompt" in ran.err
    assert cli("run", "work", "echo hi", "--pattern", "^odd$").out == "hi\n"


def test_a_full_screen_program_takes_no_command(cli: Cli, site: FakeSite) -> None:
    """It would take the letters for keys."""
    cli("send", "work", "less", "--wait")
    ran = cli("run", "work", "ls", "--timeout", "1")
    assert ran.status == 125
    assert "nothing was sent: the pane takes no command" in ran.err
    site.terminal.assert_sent(WORK, "less", "Enter")
