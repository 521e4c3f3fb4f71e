"""What a person is for: to answer what a model should not know, and to be left alone."""

import gc
import threading
from pathlib import Path
from weakref import WeakSet

import pytest

from tests.unit.tool.talking import SHELL, Talk, start
from tmuxprim import AsyncTmuxTerminal, FakeTerminal, KeySequence, Pane, TmuxTerminal
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import drive
from tmuxprim._tool.panes import NamedPanes
from tmuxprim._tool.tool_session import ToolSession, to_join
from tmuxprim._tool.turns import Turns
from tmuxprim.errors import InvalidPaneError
from tmuxprim.testing import RecordingTerminal
from tmuxprim.tool import TmuxTool

OFFER = "(a person types it in the pane %0; ask_person waits for that)"


@pytest.fixture(params=["sync", "async"])
def talk(request: pytest.FixtureRequest) -> Talk:
    """Give a tool whose pane is at its prompt."""
    return start(is_async=request.param == "async")


def types(talk: Talk, after: float, text: str, *, enter: bool = True) -> None:
    """Let a person type something in some seconds."""
    keys = KeySequence.text(text) + KeySequence.keys(*["Enter"] * enter)

    def type_it() -> None:
        talk.terminal.send(talk.pane, keys)

    talk.terminal.clock.call_later(after, type_it)


def test_a_secret_of_a_person(talk: Talk) -> None:
    """The model is told how a person joins, and waits until the program is ready again."""
    talk.say("send", text="login")
    assert talk.say("wait_ready") == f"waiting for a secret\n{OFFER}\n$ login\nPassword:"
    types(talk, 30.0, "hunter2")
    before = talk.terminal.clock.now()
    told = talk.say("ask_person")
    assert told == "ready (prompt matched)\n$ login\nPassword:\n7 characters\n$"
    assert 30.0 <= talk.terminal.clock.now() - before < 32.0


def test_half_an_answer_is_none(talk: Talk) -> None:
    """What a person begins to type changes the question's row, and answers nothing."""
    talk.say("send", text="ask")
    assert talk.say("wait_ready").startswith("waiting for input\n")
    types(talk, 5.0, "ye", enter=False)
    types(talk, 9.0, "s")
    before = talk.terminal.clock.now()
    assert talk.say("ask_person").endswith("you said yes\n$")
    assert talk.terminal.clock.now() - before >= 9.0


def test_nobody_answers(talk: Talk) -> None:
    """The time is up, and it is said that this is still asked, and how a person joins."""
    talk.say("run", command="login")
    told = talk.say("ask_person", timeout=5)
    head, offer, *_ = told.split("\n")
    assert head.startswith("ask_person timed out after 5s: the same is still asked: ")
    assert offer == OFFER
    assert talk.say("send", text="hunter2") == "Sent: (hidden) + Enter"


def test_nothing_is_asked(talk: Talk) -> None:
    """A shell at its prompt waits for nobody."""
    told = talk.say("ask_person")
    assert told == ("that pane asks nothing now, so no wait was needed\nready (prompt matched)\n$")


def test_how_a_person_joins() -> None:
    """It is what the programmer says, braces and all; the pane has its id."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    pane = terminal.open("sh", name="shared")
    tool = TmuxTool(terminal, attach="tmux -L {x} attach -t {pane}")
    tool.execute(action="send", text="login", pane=pane.target)
    told = tool.execute(action="wait_ready", pane=pane.target).message
    assert "(a person types it after tmux -L {x} attach -t %0; " in told


@pytest.mark.parametrize("kind", [TmuxTerminal, AsyncTmuxTerminal])
def test_how_a_person_joins_tmux(kind: type[TmuxTerminal | AsyncTmuxTerminal]) -> None:
    """It is the terminal's own server, and tmux starts where that is, without the launcher."""
    terminal = kind(socket_name="a b", launcher=("ssh", "host"))
    assert to_join(terminal, None) == "tmux -u -L 'a b' attach -t {pane}"


def limited(**limits: object) -> Talk:
    """Return a tool that may use some of three panes."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    pane = terminal.open("sh", name="shared")
    for name in ("logs", "secret"):
        terminal.open("sh", name=name)
    return Talk(terminal, pane, TmuxTool(terminal, **limits))  # type: ignore[arg-type]  # as given


def test_panes_that_are_allowed() -> None:
    """Others are refused by whatever name, and none of them is told."""
    talk = limited(allow=["shared"], read_only=["logs"])
    assert talk.say("run", command="true") == "done, without output"
    for other in ("secret", "%2", "%0", "shared:0.0"):
        told = talk.refused("read", pane=other)
        assert told == f"you may not use the pane {other!r}; allowed are: logs, shared."
    talk.terminal.close(talk.pane)
    assert "secret" not in talk.say("read")


def test_panes_that_are_only_looked_at() -> None:
    """What types is refused, what looks is done, and no pane is opened for that."""
    talk = limited(read_only="logs")
    assert talk.say("wait_ready", pane="logs").startswith("ready")
    assert talk.say("read", pane="logs") == "$"
    for action, given in (("send", {"text": "ls"}), ("interrupt", {}), ("keys", {"keys": "C-c"})):
        told = talk.refused(action, pane="logs", **given)
        looks = "read, wait_ready, wait_for, ask_person"
        assert told == f"you may only read the pane 'logs': {looks}."
    assert talk.say("send", text="ls") == "Sent: 'ls' + Enter"
    alone = TmuxTool(FakeTerminal(), read_only=["shared"])
    assert "opened" not in alone.execute(action="read").message


@pytest.mark.parametrize("other", ["%1", "logs:0.0", "logs:0", "logs"])
@pytest.mark.parametrize("said", ["logs", "%1", "logs:0", "logs:0.0", "logs:sh.0"])
def test_a_pane_is_only_looked_at_by_whatever_name(said: str, other: str) -> None:
    """An id or a place is no way around it, where all panes may be used."""
    talk = limited(read_only=[said])
    assert "you may only read" in talk.refused("keys", pane=other, keys="C-c")
    assert talk.say("send", pane="secret", text="ls").startswith("Sent: 'ls' + Enter")


def test_a_read_only_pane_that_is_gone() -> None:
    """It is told as gone, as each other one."""
    talk = limited(read_only=["logs"])
    talk.say("read", pane="%1")
    talk.terminal.close(Pane("%1"))
    assert "is gone" in talk.say("keys", pane="%1", keys="C-c")


def test_what_names_no_pane_is_refused_at_once() -> None:
    """A mistake of the programmer is told when the tool is made."""
    with pytest.raises(InvalidPaneError):
        TmuxTool(FakeTerminal(), allow=["%x"])


# What answers a question for a secret is in no reply, and in no recording.

SECRET = "hunter2"  # noqa: S105  # a password that nobody has


@pytest.fixture(params=["sync", "async"])
def asked(request: pytest.FixtureRequest) -> Talk:
    """Give a tool on a program that asks for a password, as `wait_ready` has told."""
    asked = start(is_async=request.param == "async")
    asked.say("send", text="login")
    assert asked.say("wait_ready").startswith("waiting for a secret\n")
    return asked


def test_a_secret_is_not_told(asked: Talk) -> None:
    """The next text is typed and not told; the one after it is told again."""
    assert asked.say("send", text=SECRET) == "Sent: (hidden) + Enter"
    assert asked.say("wait_ready") == "ready (prompt matched)\n$ login\nPassword:\n7 characters\n$"
    assert asked.say("send", text="ls") == "Sent: 'ls' + Enter"
    asked.terminal.assert_sent(asked.pane, "login", "Enter", SECRET, "Enter", "ls", "Enter")


def test_a_secret_in_one_pane_hides_nothing_in_another(asked: Talk) -> None:
    """Other panes are worked in as before meanwhile, and a wrong call is told in full."""
    other = str(asked.terminal.open("sh"))
    assert asked.say("wait_ready", pane=other).startswith("ready (prompt matched)")
    assert asked.say("send", text="ls", pane=other) == "Sent: 'ls' + Enter"
    assert "'Entr'" in asked.say("keys", keys="Entr", pane=other)
    assert asked.say("send", text=SECRET) == "Sent: (hidden) + Enter"


def test_a_secret_in_pieces_is_not_told(asked: Talk) -> None:
    """Nor are its pieces, as long as the program asks."""
    assert asked.say("send", text="hunt", enter=False) == "Sent: (hidden)"
    assert asked.say("keys", keys="e r 2") == "Sent: (hidden)"
    assert asked.say("keys", keys="Enter") == "Sent: Enter"
    assert "7 characters" in asked.say("wait_ready")


def test_a_secret_without_a_wait_is_not_told(asked: Talk) -> None:
    """The kernel tells that what is typed is not shown, if nobody has asked before."""
    other = Talk(asked.terminal, asked.pane, TmuxTool(asked.terminal))
    assert other.say("send", text=SECRET) == "Sent: (hidden) + Enter"


def test_interrupting_is_told(asked: Talk) -> None:
    """A key that types nothing is no secret."""
    assert asked.say("keys", keys="C-c") == "Sent: C-c"


def test_enter_alone_is_told(asked: Talk) -> None:
    """No secret at all is none."""
    assert asked.say("send", text="") == "Sent: Enter"


def test_a_secret_that_is_refused_is_not_told_later(asked: Talk) -> None:
    """A text that did not reach the program is still a secret when it is sent again."""
    asked.terminal.set_mode(asked.pane, "copy-mode")
    assert SECRET not in asked.say("send", text=SECRET)
    asked.terminal.set_mode(asked.pane, "")
    assert asked.say("send", text=SECRET) == "Sent: (hidden) + Enter"


def test_a_secret_in_a_command_that_hangs_is_not_told(asked: Talk) -> None:
    """An error that quotes the command is not passed on."""
    asked.terminal.faults.hang(60.0)
    assert SECRET not in asked.say("send", text=SECRET)


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
    asked = start(evidence=False)
    asked.say("send", text="login")
    asked.terminal.clock.sleep(1.0)
    assert asked.say("send", text=SECRET) == f"Sent: (hidden) + Enter; {UNKNOWN}"


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


# What a tool forgets: it may work on a server where panes come and go for weeks.

KEPT = 101  # the last hundred, and one that is there
MANY = KEPT + 50


def conversations() -> int:
    """Return how many there are."""
    gc.collect()
    return sum(isinstance(one, ConsolePlans) for one in gc.get_objects())


@pytest.fixture(params=[False, True], ids=["threads", "tasks"])
def shell_talk(request: pytest.FixtureRequest) -> Talk:
    """Give a tool, for threads or for tasks, whose pane ``shared`` is a shell at its prompt."""
    return start(is_async=request.param)


def test_panes_that_were_closed_are_forgotten(shell_talk: Talk) -> None:
    """But for the last of them; what a tool knows of panes that are there, it keeps."""
    shell_talk.say("send", text="make")
    before = conversations()
    for number in range(MANY):
        pane = shell_talk.terminal.open("sh", name=f"work-{number}")
        for name in (f"work-{number}", pane.target):
            assert shell_talk.say("read", pane=name) in {"$", "(pane is empty)"}
        shell_talk.terminal.close(pane)
    assert conversations() <= before + KEPT
    # By the mark of its last key: the prompt that still stands there is an old one.
    assert shell_talk.say("wait_ready", timeout=1).startswith("wait_ready timed out")


def test_panes_of_a_server_that_is_gone_are_forgotten(shell_talk: Talk) -> None:
    """The next one gives the same ids to other panes."""
    before = conversations()
    for number in range(MANY):
        shell_talk.terminal.faults.stop_server()
        shell_talk.terminal.open("sh", name=f"work-{number}")
        shell_talk.say("read", pane=f"work-{number}")
    assert conversations() <= before + KEPT


def test_a_lock_goes_with_its_call() -> None:
    """The lock of a pane is nothing to remember when no call holds it or waits for it."""
    locks: WeakSet[threading.Lock] = WeakSet()

    def make_lock() -> threading.Lock:
        lock = threading.Lock()
        locks.add(lock)
        return lock

    terminal = FakeTerminal(programs={"sh": SHELL})
    session = ToolSession(NamedPanes(), opens=True)
    turns = Turns(session, make_lock)
    for number in range(20):
        terminal.open("sh", name=f"work-{number}")
        call = session.parse({"action": "read", "pane": f"work-{number}"})
        assert not drive(turns.carry_out(call), terminal).is_error
    gc.collect()
    assert not locks
