"""`RecordingTerminal` passes on what it is told and writes down what comes of it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, HIDING, RAW_ONLY, screen
from tmuxprim import (
    AsyncTmuxTerminal,
    Console,
    FakeTerminal,
    Key,
    KeySequence,
    Pane,
    PaneBusyError,
    PaneNotFoundError,
    Screen,
    Size,
    TtyState,
)
from tmuxprim._recording.record import Secrets, hide
from tmuxprim._recording.recorded_events import read_recording
from tmuxprim.errors import InvalidRecordingError, PaneExistsError
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    Layout,
    Paste,
    ReadKey,
    RecordingTerminal,
    Run,
    ScriptedShell,
    password,
    question,
)


def calls(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a recording, without its header."""
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a path for a recording."""
    return tmp_path / "session.jsonl"


def test_everything_is_passed_on(path: Path) -> None:
    """The terminal that is recorded does it, and what it returns is returned."""
    fake = FakeTerminal()
    terminal = RecordingTerminal(fake, path)
    pane = terminal.open("sh", size=Size(30, 5), cwd="/", env={"A": "1"}, name="shared")
    assert terminal.clock is fake.clock
    assert terminal.panes() == (pane,)
    assert terminal.resolve(Pane("shared")) == pane
    before = fake.observe(pane)
    assert terminal.send(pane, KeySequence.text("ls")) == before
    terminal.resize(pane, Size(20, 4))
    assert terminal.observe(pane) == fake.observe(pane)
    assert terminal.probe(pane) == fake.probe(pane)
    output_watch = terminal.watch_output(pane)
    assert output_watch.wait(1.0)
    terminal.close(pane)
    assert terminal.panes() == ()
    names = [call["call"] for call in calls(path)]
    assert names == [
        *("open", "panes", "resolve", "send", "resize", "observe", "probe", "watch_output", "wait"),
        *("close", "panes"),
    ]
    assert repr(terminal) == f"RecordingTerminal({fake!r}, {str(path)!r})"


def test_errors_are_passed_on(path: Path) -> None:
    """The very same error; the recording tells its class and its message."""
    fake = FakeTerminal()
    terminal = RecordingTerminal(fake, path)
    with pytest.raises(PaneNotFoundError):
        terminal.observe(Pane("%0"))
    pane = terminal.open(name="shared")
    with pytest.raises(PaneExistsError):
        terminal.open(name="shared")
    with pytest.raises(PaneNotFoundError):
        terminal.watch_output(Pane("%9"))
    fake.set_mode(pane, "copy-mode")
    with pytest.raises(PaneBusyError) as raised:
        terminal.send(pane, KeySequence.text("ls"))
    assert calls(path)[-1]["error"] == ["PaneBusyError", str(raised.value)]
    with pytest.raises(TypeError):  # no error of ours: a mistake, not what the terminal did
        terminal.open(name=3)  # type: ignore[arg-type]  # the mistake
    assert len(calls(path)) == 5


def test_a_look_is_written_as_what_has_changed(path: Path) -> None:
    """Of a screen that is the same as the last one, nothing; each pane has its own."""
    fake = FakeTerminal()
    terminal = RecordingTerminal(fake, path)
    panes = terminal.open(), terminal.open()
    for pane in panes:
        terminal.observe(pane)
        terminal.observe(pane)
    fake.resize(panes[0], Size(40, 24))
    terminal.observe(panes[0])
    answers = [call["answer"] for call in calls(path) if call["call"] == "observe"]
    whole = answers[0].keys()
    assert [answer.keys() for answer in answers[:4]] == [whole, set(), whole, set()]
    assert answers[4]["size"] == {"columns": 40, "rows": 24}
    assert "title" not in answers[4]


ASKS = {
    "login": password("Password: ", lambda typed: f"{len(typed)} letters"),
    "pin": question("Your PIN: ", lambda typed: f"{len(typed)} digits"),
    "name": question("Name? ", lambda typed: f"hello {len(typed)}"),
}


@pytest.mark.parametrize(
    ("program", "evidence", "is_hidden"),
    [("login", True, True), ("login", False, True), ("pin", True, True), ("name", True, False)],
)
def test_a_password_is_not_written(
    path: Path, program: str, *, evidence: bool, is_hidden: bool
) -> None:
    """Neither what the kernel says is not shown, nor what the words before it call a secret."""
    fake = FakeTerminal(programs={"sh": ScriptedShell(ASKS)}, evidence=evidence)
    terminal = RecordingTerminal(fake, path)
    console = Console(terminal, terminal.open("sh"))
    console.wait_ready()
    console.send(program)
    console.wait_ready()
    console.send("hunter2")
    assert "7" in console.wait_ready().screen.text
    sent = [call["args"]["keys"] for call in calls(path) if call["call"] == "send"]
    assert sent[-2:] == ["'(hidden)'" if is_hidden else "'hunter2'", "Enter"]
    if program == "login":
        assert "hunter2" not in path.read_text()


def stars(tty: FakeTty) -> Run:
    """Ask for a password and show a star for each of its letters, as many installers do."""
    tty.write("Password: ")
    while (key := (yield ReadKey())) != "\r":
        tty.write("*" if key.isprintable() else "\b")
    tty.write("\nthanks\n")
    return 0


def test_a_password_behind_stars_is_not_written(path: Path) -> None:
    """However many sends it takes: what stands before the cursor is no question any more."""
    fake = FakeTerminal(programs={"sh": ScriptedShell({"login": stars})})
    terminal = RecordingTerminal(fake, path)
    console = Console(terminal, terminal.open("sh"))
    console.run("echo hi")
    console.send("login")
    console.wait_ready()
    console.send("wrong", enter=False)
    console.wait_ready()
    console.keys("C-u")
    console.send("hun", enter=False)
    console.send("ter2")
    assert console.wait_for("thanks")
    console.send("ls")
    assert [word for word in ("wrong", "hun", "ter2") if word in path.read_text()] == []
    sent = [call["args"]["keys"] for call in calls(path) if call["call"] == "send"]
    assert sent[-2:] == ["'ls'", "Enter"]


def test_a_secret_goes_on_by_another_name_of_its_pane(path: Path) -> None:
    """The pane is the same, whatever it is called."""
    fake = FakeTerminal(programs={"sh": ScriptedShell({"login": stars})})
    terminal = RecordingTerminal(fake, path)
    console = Console(terminal, terminal.open("sh", name="shared"))
    console.run("login")
    terminal.send(console.pane, KeySequence.text("hun"))
    terminal.send(Pane("shared"), KeySequence.text("ter2"))
    sent = [call["args"]["keys"] for call in calls(path) if call["call"] == "send"]
    assert sent[-2:] == ["'(hidden)'", "'(hidden)'"]


def test_the_environment_is_not_written(path: Path) -> None:
    """Its names are; its values are often secrets."""
    RecordingTerminal(FakeTerminal(), path).open(env={"TOKEN": "hunter2"})
    assert "hunter2" not in path.read_text()
    assert calls(path)[0]["args"]["env"] == ["TOKEN"]


def test_a_new_file_is_its_owners_alone(path: Path) -> None:
    """Screens may show secrets; a file that its owner has made readable for others stays so."""
    RecordingTerminal(FakeTerminal(), path).open()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    RecordingTerminal(FakeTerminal(), path)
    assert path.stat().st_mode & 0o777 == 0o644
    assert calls(path) == []  # a recording is one session


def test_the_program_goes_to_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recording stays one file, where it was begun."""
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    terminal = RecordingTerminal(FakeTerminal(), "session.jsonl")
    monkeypatch.chdir("other")
    terminal.open()
    assert [call["call"] for call in calls(tmp_path / "session.jsonl")] == ["open"]
    assert not (tmp_path / "other" / "session.jsonl").exists()


def test_threads_take_turns(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call and its line are one turn, so the lines are in the order of the calls."""
    fake, shown, done = FakeTerminal(), iter(range(200)), list[str]()

    def observe(_pane: Pane) -> Screen:
        done.append(str(next(shown)))
        return screen(done[-1])

    monkeypatch.setattr(fake, "observe", lambda pane, **_: observe(pane))
    terminal = RecordingTerminal(fake, path)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(terminal.observe, [Pane("%7")] * 200))
    events = read_recording(path).events
    assert [event.result(Screen).last_line for event in events] == done


@pytest.mark.parametrize("terminal", [AsyncFakeTerminal(), AsyncTmuxTerminal()])
def test_an_async_terminal_is_refused(path: Path, terminal: Any) -> None:  # noqa: ANN401  # the types forbid it
    """Its calls would be over before anything was done; an older recording stays as it was."""
    path.write_text("older")
    with pytest.raises(InvalidRecordingError) as raised:
        RecordingTerminal(terminal, path)
    assert str(raised.value) == (
        f"a terminal whose calls are awaited cannot be recorded, got {terminal!r}; "
        "record the same session with TmuxTerminal"
    )
    assert path.read_text() == "older"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """It is told at once, not in the middle of the session."""
    with pytest.raises(FileNotFoundError):
        RecordingTerminal(FakeTerminal(), tmp_path / "no" / "session.jsonl")


# Which keys belong to a secret, and until when they do.

ASKING = (
    *("Password: ", "[sudo] password for ada:", "Enter passphrase for key '/a/b': ", "Your PIN? "),
    *("? Enter your password [input is hidden] ", "GitHub token (press Enter) ", "OTP: "),
    *("API key: ", "api_key: ", "License key? ", "Verification code: ", "One-time code: "),
    *("Passwort: ", "Kennwort:", "Mot de passe : ", "Contraseña: ", "CONTRASEÑA: "),
)
OTHERS = ("$ ", "tokens $ ", "Name? ", "Spin: ", "Exit code: ", "Key: ", "my password is long ", "")
TEXT = KeySequence.text("hun")
SHELL = screen("$ ")


@pytest.mark.parametrize(
    ("text", "is_secret"), [*((a, True) for a in ASKING), *((o, False) for o in OTHERS)]
)
def test_words_that_ask_for_a_secret(text: str, *, is_secret: bool) -> None:
    """In front of the cursor, also where a program shows itself what is typed."""
    assert Secrets().note("%1", TEXT, RAW_ONLY, screen(text)) is is_secret


def test_a_request_that_wraps() -> None:
    """Its words may stand in the row above that of the cursor."""
    text = "Enter the passphrase for the key\nat /home/ada/.ssh/id_rsa: "
    shown = screen(text, size=Size(32, 3))
    assert not Secrets().note("%1", TEXT, None, shown)
    wrapped = attrs.evolve(shown, layout=Layout((True,)))
    assert Secrets().note("%1", TEXT, None, wrapped)


@pytest.mark.parametrize(("tty", "is_asked"), [(HIDING, True), (AT_PROMPT, False), (None, False)])
def test_what_the_kernel_says(tty: TtyState | None, *, is_asked: bool) -> None:
    """A line that is read without echo is a secret, whatever the screen says."""
    assert Secrets().note("%1", TEXT, tty, SHELL) is is_asked


def test_in_doubt_it_is_a_secret() -> None:
    """Neither the kernel nor the screen could be asked."""
    refused = PaneBusyError("in copy-mode")
    assert Secrets().note("%1", TEXT, None, refused)
    assert not Secrets().note("%1", TEXT, AT_PROMPT, refused)


ENDS = (
    *(KeySequence.keys(key) for key in ("Enter", "C-m", "C-j", "C-c")),
    *(KeySequence.text("x\n"), KeySequence((Paste("x\n"),))),
    KeySequence(("x", Key("Enter"))),
)


@pytest.mark.parametrize("ends", ENDS)
def test_a_secret_lasts_until_its_line_ends(ends: KeySequence) -> None:
    """Behind stars it goes on, in the same pane; the next line is another matter."""
    secrets, stars = Secrets(), screen("Password: ***")
    assert secrets.note("%1", TEXT, AT_PROMPT, screen("Password: "))
    assert not secrets.note("%2", TEXT, AT_PROMPT, SHELL)
    for keys in (TEXT, KeySequence.keys("C-u"), KeySequence(()), ends):
        assert secrets.note("%1", keys, AT_PROMPT, stars)
    assert not secrets.note("%1", TEXT, AT_PROMPT, SHELL)


def test_a_secret_with_its_enter() -> None:
    """It begins nothing."""
    secrets = Secrets()
    assert secrets.note("%1", KeySequence(("hunter2", Key("Enter"))), HIDING, SHELL)
    assert not secrets.note("%1", KeySequence.text("ls"), AT_PROMPT, SHELL)


def test_a_secret_goes_on_where_its_end_was_refused() -> None:
    """Who is refused tries again; and C-d may only hand over what there is, or delete."""
    secrets, stars, enter = Secrets(), screen("Password: ***"), KeySequence.keys("Enter")
    assert secrets.note("%1", TEXT, HIDING, SHELL)
    assert secrets.note("%1", enter, AT_PROMPT, PaneBusyError("in copy-mode"))
    assert secrets.note("%1", KeySequence.keys("C-d"), AT_PROMPT, stars)
    assert secrets.note("%1", KeySequence.text("ter2") + enter, AT_PROMPT, stars)
    assert not secrets.note("%1", enter, AT_PROMPT, stars)


def test_hidden_text_is_one_word() -> None:
    """It tells neither what was typed nor how much; keys that are no character stay."""
    typed = KeySequence.text("hun") + KeySequence.keys("t", "2") + KeySequence.paste("x")
    keys = typed + KeySequence.keys("Enter", "Enter") + KeySequence.text("y")
    assert str(hide(keys)) == "'(hidden)' + Enter + Enter + '(hidden)'"
