"""The real assistants, started, asked and left; the file's name keeps it out of the usual tests.

``python3 dev.py test-assistants`` installs them and runs this. Each step of a play is judged by
what the model's server knows: a wait that ends before it has said all is early, an answer that is
not all of what it said is cut. With ``TMUXPRIM_RESULTS`` each step is noted in that file.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import attrs
import pytest

from tests.assistants import real
from tests.assistants.faces import BySession, ByTool, Said, by, by_any
from tests.assistants.model_server import ModelServer, model_server
from tests.assistants.play import LOOPS, Play, step_of
from tests.assistants.real import SPEECHES, TALK, Setup, end_what_is_left, open_console, words
from tests.tmux_server import Server
from tmuxprim import Console, Outcome, PaneBusyError, Receipt

# What the first user waits for, literally.
FIRST_USERS: Final = (
    r"^(?:\s*/a0\s+\d+\.\d+\.\d+\s*$|(?!.*esc interrupt).*ctrl\+t variants\s+tab agents)"
)
_RUNS: Final = range(int(os.environ.get("TMUXPRIM_RUNS", "1")))
_NAMES: Final = ("claude", "claude_with_a_status_line", "codex", "gemini", "qwen", "aider", "llm")
PROGRAMS: Final = [
    pytest.param(make, version, id=f"{make.__name__}-{version}")
    for make, version in (
        (real.opencode, "1.2.15"),
        (real.opencode, "latest"),
        *((getattr(real, name), "latest") for name in _NAMES),
    )
]
_DIALOGS: Final = 20
_WAITS: Final = 3  # more than one for a start
SENT: Final = SPEECHES["send agents"].sends
Make = Callable[[str, str], Setup]

pytestmark = pytest.mark.tmux
of_all = pytest.mark.parametrize(("make", "version"), PROGRAMS)
again_and_again = pytest.mark.parametrize("run", _RUNS)


@pytest.fixture(scope="module", autouse=True)
def load() -> Iterator[None]:
    """Keep the machine busy, if that is asked for."""
    loop = (sys.executable, "-c", "while True: pass")
    loops = [subprocess.Popen(loop) for _ in range(LOOPS)]
    yield
    for one in loops:
        one.kill()
        one.wait()


@pytest.fixture(scope="module", autouse=True)
def ends_orderly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a SIGTERM, as that of `timeout`, end the plays as C-c does, so that nothing is left."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # `timeout` sends it twice
        request.session.shouldstop = "SIGTERM"  # anyio puts what is raised into a group
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Give a home of the program's own, in which nothing runs afterwards."""
    yield tmp_path / "home"
    end_what_is_left(tmp_path / "home")


@contextmanager
def setting(
    server: Server, make: Make, version: str, home: Path
) -> Iterator[tuple[ModelServer, Setup, Console]]:
    """Give a model, what a program needs, and a console on a shell."""
    server.terminal.open(["cat"])  # keeps the server when the shell has ended
    with model_server(SPEECHES) as model:
        setup = make(model.url, version)
        yield model, setup, open_console(server.terminal, setup, home)


def is_back(console: Console) -> bool:
    """Whether the shell is at its prompt, and lives."""
    readiness = console.wait_ready()
    # A C-c may come a moment too late, if the one before has ended it: "^C$ ".
    prompt = readiness.screen.before_cursor.endswith("$ ")
    return prompt and console.run("echo back").output == "back\n"


@of_all
@again_and_again
def test_a_session(server: Server, make: Make, version: str, run: int, home: Path) -> None:
    """Each question is submitted at the first try, and its answer is whole and nothing else."""
    assert run in _RUNS
    with setting(server, make, version, home) as (model, setup, console):
        with console.session(setup.profile) as session:
            program = f"{make.__name__}-{version}"
            play = Play(
                program, BySession(console, session), model, setup, console, home / "project"
            )
            play.note("start", 0.0)
            play.all()
        back = is_back(console)
        play.note("leave", 0.0, "" if back else f"KIND: {console.read()}")
    assert play.problems == []


@of_all
@again_and_again
def test_it_is_adopted(server: Server, make: Make, version: str, run: int, home: Path) -> None:
    """One that runs is asked by others, who leave it running; nothing is typed for another."""
    assert run in _RUNS
    with setting(server, make, version, home) as (_, setup, console):
        with console.session(setup.profile) as session:
            for _ in range(2):
                other = Console(console.terminal, console.pane)
                with pytest.raises(PaneBusyError, match="the program in front is "):
                    other.send("lost", only=["bash", "emacs"])
                with other.session(setup.profile, adopt=True) as adopted:
                    answer = adopted.ask("a quick one")
                assert (answer.text, answer.complete) == (TALK["a quick one"], True)
            assert session.ask("a slow one").text == TALK["a slow one"]
        assert is_back(console)
        with pytest.raises(PaneBusyError, match="and this is 'bash'"):
            console.session(setup.profile, adopt=True).__enter__()


def start(face: ByTool, setup: Setup) -> Said:
    """Start a program as a model does, and agree to what it asks."""
    said = face.ask(" ".join(setup.profile.command))
    for _ in range(_WAITS):
        if said.kind != "timed out":
            break
        said = face.wait()  # a busy machine takes longer, and says so
    replies = list(setup.profile.replies)
    while said.kind == "asks" and replies:
        reply = next((one for one in replies if one[0].search(said.text)), None)
        if reply is None:
            break
        replies.remove(reply)
        said = face.press(str(reply[1]))
    return said


@of_all
@again_and_again
@pytest.mark.parametrize("by_name", ["tool", "mcp"])
def test_a_tool(
    server: Server, make: Make, version: str, run: int, by_name: str, home: Path
) -> None:
    """A model that sends, waits and reads is never told too early."""
    assert run in _RUNS
    with setting(server, make, version, home) as (model, setup, console):
        with by(by_name, server, console) as face:
            program = f"{make.__name__}-{version}"
            play = Play(program, face, model, setup, console, home / "project")
            said = start(face, setup)
            play.note("start", 0.0, "" if said.kind == "answered" else f"KIND: {said}")
            play.all()
            for part in (part for step in setup.profile.leave for part in step):
                if isinstance(part, str):
                    face.call("send", text=part, enter=False)
                else:
                    time.sleep(0.5)  # as long as a model takes at least
                    face.call("keys", keys=str(part))
            face.call("wait_ready", timeout=20)
        back = is_back(console)
        play.note("leave", 0.0, "" if back else f"KIND: {console.read()}")
    assert play.problems == []


@of_all
@again_and_again
def test_receipts(server: Server, make: Make, version: str, run: int, home: Path) -> None:
    """What `Console.submit` says became of a text is so: idle, long, and while it works."""
    assert run in _RUNS
    with setting(server, make, version, home) as (model, setup, console):
        program = f"{make.__name__}-{version}"
        with by("tool", server, console) as face:
            play = Play(program, face, model, setup, console, home / "project")
            start(face, setup)
        console.wait_ready()
        for question in ("a quick one", words(500), words(3000)):
            play.submit(question, Receipt.DELIVERED)
        play.console.submit("a slow one first", again=True)
        time.sleep(1.0)  # as long as a model takes at least
        play.submit("queued behind it", Receipt.QUEUED)
    assert play.problems == []


@of_all
@again_and_again
def test_dialogs(server: Server, make: Make, version: str, run: int, home: Path) -> None:
    """The moment a wait says that it asks, no text is typed, by `submit` or by the tool."""
    assert run in _RUNS
    with setting(server, make, version, home) as (model, setup, console):
        if "permission" in setup.cannot:
            pytest.skip("it has none")
        with by("tool", server, console) as face:
            play = Play(f"{make.__name__}-{version}", face, model, setup, console, home / "project")
            start(face, setup)
            for number in range(_DIALOGS):
                play.refuse_at_once("n", submits_first=number % 2 == 0)
    assert play.problems == []


@pytest.mark.parametrize("make", [real.claude, real.claude_with_a_status_line])
@again_and_again
@pytest.mark.parametrize("by_name", ["tool", "mcp"])
def test_agents_in_the_background(
    server: Server, make: Make, run: int, by_name: str, home: Path
) -> None:
    """A wait goes on until they are done, and says who works; a question meanwhile is answered."""
    assert run in _RUNS
    with (
        setting(server, make, "latest", home) as (model, setup, console),
        by(by_name, server, console) as face,
    ):
        play = Play(make.__name__, face, model, setup, console, home / "project")
        start(face, setup)
        said = face.ask("send agents", timeout=20.0)
        works = said.kind == "timed out" and "while others work for it" in said.text
        play.note("agents work", 0.0, "" if works else f"KIND: {said}")
        before = len(model.asked)
        said = face.ask("a quick one meanwhile", timeout=8.0)
        answered = said.kind == "timed out" and TALK["a quick one"] in said.text
        fate = model.fate("a quick one meanwhile", before)
        play.note("quick one", 0.0, "" if answered else f"KIND: {said}", fate)
        said = face.wait()
        now, ends = time.monotonic(), [model.has_said(one) for one in SENT]
        early = "" if all(ends) else f"EARLY: {said}"
        kind = "" if said.kind == "answered" else f"KIND: {said}"
        play.note("agents are done", now - max(ends), early, kind)
    assert play.problems == []


@pytest.mark.parametrize("by_name", ["tool", "mcp", "console", "command line"])
@again_and_again
def test_the_calls_of_the_first_user(server: Server, by_name: str, run: int, home: Path) -> None:
    """Start, three questions with the pattern and 120 s, C-p, `exit`, Enter, by each face."""
    assert run in _RUNS
    with setting(server, real.opencode, "1.2.15", home) as (model, setup, console):
        with by_any(by_name, server, console) as face:
            play = Play(
                "opencode-1.2.15",
                attrs.evolve(face, name=f"{by_name}, pattern"),
                model,
                setup,
                console,
            )
            face.call("send", text="opencode")
            head = face.call("wait_ready", timeout=15).partition("\n")[0]
            # A busy machine takes longer, and says so.
            while "timed out" in head:
                head = face.call("wait_ready", timeout=15).partition("\n")[0]
            play.note("start", 0.0, "" if head.startswith("ready") else head)
            for question, answer in TALK.items():
                began = time.monotonic()
                face.call("send", text=question)
                told = face.call("wait_ready", timeout=120, prompt_pattern=FIRST_USERS)
                now, end = time.monotonic(), model.has_said(question)
                shown = face.call("read")
                early = "" if end > began else f"EARLY after {now - began:.1f} s: {told}"
                cut = "" if answer.rpartition("\n")[2] in shown else f"CUT: {shown}"
                play.note(step_of(question), now - end, early or cut)
            face.call("keys", keys="C-p")
            face.call("send", text="exit", enter=False)
            face.call("keys", keys="Enter")
            face.call("wait_ready", timeout=15)
        back = is_back(console)
        play.note("leave", 0.0, "" if back else f"KIND: {console.read()}")
    assert play.problems == []


@of_all
@again_and_again
@pytest.mark.parametrize("at", ["idle", "busy", "half typed", "dialog", "error", "killed"])
def test_it_is_left(
    server: Server, make: Make, version: str, run: int, at: str, home: Path
) -> None:
    """Whatever it does: the shell is back, and lives."""
    assert run in _RUNS
    with setting(server, make, version, home) as (model, setup, console):
        if {"dialog": "permission", "error": "refused"}.get(at) in setup.cannot:
            pytest.skip("it has none")
        with console.session(setup.profile) as session:
            play = Play(
                f"{make.__name__}-{version}", BySession(console, session), model, setup, console
            )
            if at == "busy":
                assert session.ask("silent one", timeout=4.0).readiness.outcome is Outcome.TIMEOUT
            elif at == "half typed":
                session.ask("a quick one")
                console.send("half of a quest", enter=False)
            elif at == "dialog":
                assert session.ask("run it").readiness.outcome is Outcome.AWAITING_INPUT
            elif at == "error":
                assert session.ask("refused one").failure
            elif at == "killed":
                session.ask("slow one", timeout=3.0)
                tty = server.terminal.probe(console.pane)
                assert tty is not None
                assert tty.foreground_pid is not None
                os.killpg(tty.foreground_pid, signal.SIGKILL)
                assert session.resume().readiness.outcome is Outcome.EXITED
        back = is_back(console)
        play.note(f"leave {at}", 0.0, "" if back else f"KIND: {console.read()}")
    assert play.problems == []
