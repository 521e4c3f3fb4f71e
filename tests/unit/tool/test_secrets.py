"""What answers a question for a secret is in no reply, and in no recording."""

from pathlib import Path

import pytest

from tests.unit.tool.talking import SHELL, Talk, start
from tmuxprim import FakeTerminal
from tmuxprim.testing import RecordingTerminal
from tmuxprim.tool import TmuxTool

SECRET = "hunter2"  # noqa: S105  # a password that nobody has


@pytest.fixture(params=["sync", "async"])
def talk(request: pytest.FixtureRequest) -> Talk:
    """Give a tool on a program that asks for a password, as `wait_ready` has told."""
    talk = start(is_async=request.param == "async")
    talk.say("send", text="login")
    assert talk.say("wait_ready").startswith("waiting for a secret\n")
    return talk


def test_a_secret_is_not_told(talk: Talk) -> None:
    """The next text is typed and not told; the one after it is told again."""
    assert talk.say("send", text=SECRET) == "Sent: (hidden) + Enter"
    assert talk.say("wait_ready") == "ready (prompt matched)\n$ login\nPassword:\n7 characters\n$"
    assert talk.say("send", text="ls") == "Sent: 'ls' + Enter"
    talk.terminal.assert_sent(talk.pane, "login", "Enter", SECRET, "Enter", "ls", "Enter")


def test_a_secret_in_one_pane_hides_nothing_in_another(talk: Talk) -> None:
    """Other panes are worked in as before meanwhile, and a wrong call is told in full."""
    other = str(talk.terminal.open("sh"))
    assert talk.say("wait_ready", pane=other).startswith("ready (prompt matched)")
    assert talk.say("send", text="ls", pane=other) == "Sent: 'ls' + Enter"
    assert "'Entr'" in talk.say("keys", keys="Entr", pane=other)
    assert talk.say("send", text=SECRET) == "Sent: (hidden) + Enter"


def test_a_secret_in_pieces_is_not_told(talk: Talk) -> None:
    """Nor are its pieces, as long as the program asks."""
    assert talk.say("send", text="hunt", enter=False) == "Sent: (hidden)"
    assert talk.say("keys", keys="e r 2") == "Sent: (hidden)"
    assert talk.say("keys", keys="Enter") == "Sent: Enter"
    assert "7 characters" in talk.say("wait_ready")


def test_a_secret_without_a_wait_is_not_told(talk: Talk) -> None:
    """The kernel tells that what is typed is not shown, if nobody has asked before."""
    other = Talk(talk.terminal, talk.pane, TmuxTool(talk.terminal))
    assert other.say("send", text=SECRET) == "Sent: (hidden) + Enter"


def test_interrupting_is_told(talk: Talk) -> None:
    """A key that types nothing is no secret."""
    assert talk.say("keys", keys="C-c") == "Sent: C-c"


def test_enter_alone_is_told(talk: Talk) -> None:
    """No secret at all is none."""
    assert talk.say("send", text="") == "Sent: Enter"


def test_a_secret_that_is_refused_is_not_told_later(talk: Talk) -> None:
    """A text that did not reach the program is still a secret when it is sent again."""
    talk.terminal.set_mode(talk.pane, "copy-mode")
    assert SECRET not in talk.say("send", text=SECRET)
    talk.terminal.set_mode(talk.pane, "")
    assert talk.say("send", text=SECRET) == "Sent: (hidden) + Enter"


def test_a_secret_in_a_command_that_hangs_is_not_told(talk: Talk) -> None:
    """An error that quotes the command is not passed on."""
    talk.terminal.faults.hang(60.0)
    assert SECRET not in talk.say("send", text=SECRET)


UNKNOWN = "whether it was taken cannot be determined: look before you send it again"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("login", "'login'"),
        ("echo password:", "'echo password:'"),
        ("echo 'Password: '; cat", "\"echo 'Password: '; cat\""),
    ],
)
def test_words_that_are_no_secret(text: str, told: str) -> None:
    """What is shown at a prompt is told, though it looks like a request for a password."""
    assert start(evidence=False).say("send", text=text) == f"Sent: {told} + Enter; {UNKNOWN}"
    assert start().say("send", text=text) == f"Sent: {told} + Enter"


def test_a_secret_that_only_words_ask_for() -> None:
    """Without the kernel's evidence the words before the cursor tell."""
    talk = start(evidence=False)
    talk.say("send", text="login")
    talk.terminal.clock.sleep(1.0)
    assert talk.say("send", text=SECRET) == f"Sent: (hidden) + Enter; {UNKNOWN}"


def test_a_recording_has_no_secret(tmp_path: Path) -> None:
    """A tool on a terminal that is recorded: the session is in the file, the secret is not."""
    path = tmp_path / "session.jsonl"
    terminal = RecordingTerminal(FakeTerminal(programs={"sh": SHELL}), path)
    terminal.open("sh", name="shared")
    tool = TmuxTool(terminal)
    calls: tuple[dict[str, object], ...] = (
        {"action": "wait_ready"},
        {"action": "send", "text": "login"},
        {"action": "wait_ready"},
        {"action": "send", "text": SECRET},
        {"action": "wait_ready"},
    )
    told = [tool.execute(**call).message for call in calls]
    assert told[-1].startswith("ready (prompt matched)")
    assert SECRET not in "".join(told) + path.read_text()
    assert "7 characters" in path.read_text()
    assert SECRET not in repr(tool)
