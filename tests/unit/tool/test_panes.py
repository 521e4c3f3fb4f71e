"""Which pane is meant, and what a model is told of one that is not there or takes no input."""

import pytest

from tests.unit.tool.talking import SHELL, Talk, start
from tmuxprim import FakeTerminal, KeySequence, Pane, Screen
from tmuxprim.tool import TmuxTool


def new_talk(terminal: FakeTerminal, *, opens: bool = True) -> Talk:
    """Return a tool on a terminal of which it has not seen anything."""
    return Talk(terminal, Pane("shared"), TmuxTool(terminal, opens=opens))


@pytest.fixture
def terminal() -> FakeTerminal:
    """Give a terminal without panes."""
    return FakeTerminal(programs={"sh": SHELL})


@pytest.mark.parametrize("action", ["send", "read", "wait_ready"])
def test_shared_is_opened(terminal: FakeTerminal, action: str) -> None:
    """A shell is opened in ``shared``, and a text that was meant for another is not typed."""
    talk = new_talk(terminal)
    text = {"text": "rm -r build"} if action == "send" else {}
    response = talk.tool.execute(action=action, **text)
    assert response.message == (
        "There was no pane 'shared', so it was opened, with a new shell. Nothing was sent. "
        "Look, and call again if that still makes sense.\nready (prompt matched)\n$"
    )
    assert response.is_error
    assert terminal.sent() == ()
    assert talk.say("send", text="ls") == "Sent: 'ls' + Enter"
    terminal.assert_sent(Pane("shared"), "ls", "Enter")


def test_shared_is_not_opened(terminal: FakeTerminal) -> None:
    """A tool that is not to open panes says how a person does."""
    assert new_talk(terminal, opens=False).refused("send", text="ls") == (
        "there is no pane 'shared'. There are no panes. "
        "The user can open it: tmux new-session -d -s shared."
    )
    assert terminal.panes() == ()


def test_no_other_pane_is_opened(terminal: FakeTerminal) -> None:
    """The name may be misspelt, so the reply lists the existing panes with their programs."""
    for _ in range(2):
        terminal.open("sh")
    assert new_talk(terminal).refused("send", text="ls", pane="build") == (
        "there is no pane 'build'. "
        "The existing panes are: %0 (0:0.0, sh), %1 (1:0.0, sh). "
        "Without 'pane' you work in 'shared'."
    )
    assert len(terminal.panes()) == 2


def test_many_panes_are_told_in_part(terminal: FakeTerminal) -> None:
    """Of many panes the first are told."""
    for number in range(25):
        terminal.open("sh", name=f"s{number:02}")
    why = new_talk(terminal).refused("read", pane="%25")
    assert "%19 (s19:0.0, sh), ... Without" in why
    assert "%20" not in why


def test_a_pane_by_its_id_and_by_its_name_is_one() -> None:
    """What is known of a pane, such as its last mark, is known by each of its names."""
    talk = start()
    talk.say("send", text="make", pane="%0")
    assert talk.say("wait_ready", timeout=1, pane="shared:0").startswith("wait_ready timed out")


def test_a_name_stays_with_its_pane() -> None:
    """A pane that a person renames is still the one that the model works in."""
    talk = start()
    talk.terminal.open("sh", name="other")
    talk.say("send", text="ls", pane="other")
    talk.terminal.assert_sent(Pane("other"), "ls", "Enter")
    talk.terminal.assert_sent(Pane("shared"))


def test_a_pane_that_was_closed() -> None:
    """What ran in it is gone, so the call is not carried out in another; the next one may be."""
    talk = start()
    talk.terminal.open("sh", name="other")
    talk.terminal.close(talk.pane)
    assert talk.refused("send", text="ls") == (
        "the pane 'shared' is gone: its program has ended, or it was closed. "
        "The existing panes are: %1 (other:0.0, sh). Your next call works in a new pane 'shared'."
    )
    assert talk.say("send", text="ls").startswith("There was no pane 'shared', so it was opened")
    assert talk.say("send", text="ls") == "Sent: 'ls' + Enter"


def test_another_pane_that_was_closed() -> None:
    """A pane of another name is not opened again."""
    talk = start()
    other = talk.terminal.open("sh", name="other")
    talk.say("read", pane="other")
    talk.terminal.close(other)
    assert talk.refused("keys", keys="Up", pane="other") == (
        "the pane 'other' is gone: its program has ended, or it was closed. "
        "The existing panes are: %0 (shared:0.0, sh)."
    )


def test_a_pane_whose_end_was_told() -> None:
    """After `wait_ready` has said that it exited, the next call opens another at once."""
    talk = start()
    talk.say("send", text="exit")
    assert talk.say("wait_ready").startswith("exited: ")
    assert talk.say("send", text="ls").startswith("There was no pane 'shared', so it was opened")


def test_a_dead_pane() -> None:
    """A pane that stays though its program has exited takes nothing any more."""
    talk = start(remain_on_exit=True)
    talk.say("send", text="exit")
    why = talk.say("wait_ready")
    assert why.startswith("exited: the program has exited with status 0\n")
    assert "Pane is dead (status 0" in why
    assert talk.say("send", text="ls") == (
        "error: nothing was sent: the program of pane %0 has exited (status 0); "
        "work in another pane, or ask the user to close this one"
    )


def test_a_pane_in_copy_mode() -> None:
    """A person who scrolls is not disturbed, and the model knows what to do."""
    talk = start()
    talk.terminal.set_mode(talk.pane, "copy-mode")
    assert talk.say("send", text="ls") == (
        "error: nothing was sent: pane %0 is in copy-mode, where keys do not reach the program; "
        "a person may be reading there: try again later, or ask the user to leave it with q"
    )
    assert "copy-mode" not in talk.say("read")


class Interrupted(FakeTerminal):
    """Loses a pane between a text and its Enter."""

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type, and close the pane."""
        screen = super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        self.close(pane)
        return screen


def test_a_pane_that_goes_between_text_and_enter() -> None:
    """What was sent in part is not called unsent."""
    terminal = Interrupted(programs={"sh": SHELL})
    terminal.open("sh", name="other")
    terminal.open("sh", name="shared")
    message = new_talk(terminal).say("send", text="ls")
    assert message.startswith("error: the text has been typed, but pressing Enter failed: there is")
    assert "Nothing was sent" not in message


def test_an_id_that_no_pane_has() -> None:
    """It is told as a name that no pane has."""
    why = (
        "there is no pane '%7'. The existing panes are: %0 (shared:0.0, sh). "
        "Without 'pane' you work in 'shared'."
    )
    assert start().refused("send", text="ls", pane="%7") == why


def test_a_server_that_hangs() -> None:
    """It may do later what it was asked for, so the model is told to look first."""
    talk = start()
    talk.terminal.faults.hang(60.0)
    assert talk.say("send", text="ls") == (
        "error: tmux did not answer in time, and may still do all or a part of it when it wakes "
        "up; read the pane before you send anything again"
    )


def test_a_server_that_is_gone() -> None:
    """Without a server there is no pane, and the next call starts one."""
    talk = start()
    talk.terminal.faults.stop_server()
    assert talk.refused("read").endswith(
        "There are no panes. Your next call works in a new pane 'shared'."
    )
    assert talk.say("read").startswith("There was no pane 'shared', so it was opened")


@pytest.mark.parametrize(
    ("action", "arguments"),
    [("send", {"text": "ls"}), ("keys", {"keys": "C-c"}), ("read", {})],
)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_pane_of_the_next_server(
    action: str, arguments: dict[str, str], *, is_async: bool
) -> None:
    """It has the name and the id, and is another pane: the model is told before it works there."""
    talk = start(is_async=is_async)
    talk.say("read", pane="%0")
    talk.terminal.faults.stop_server()
    pane = talk.terminal.open("sh", name="shared")
    for name in ("shared", "%0"):
        why = talk.refused(action, **arguments, pane=name)
        assert why == (
            f"the pane '{name}' is gone: its program has ended, or it was closed. "
            f"The existing panes are: %0 (shared:0.0, sh). "
            f"Your next call works in the pane that is '{name}' now."
        )
        assert not talk.say(action, **arguments, pane=name).startswith("error: ")
    assert {sent.pane.server for sent in talk.terminal.sent(pane)} <= {pane.server}


def test_a_wait_for_a_pane_of_the_last_server() -> None:
    """It has ended, whatever stands in the pane that has its name now."""
    talk = start()
    talk.terminal.faults.stop_server()
    talk.terminal.open("sh", name="shared")
    assert talk.say("wait_ready").startswith("exited: the pane is gone\n")
    assert talk.say("wait_ready").startswith("ready (prompt matched)\n")
