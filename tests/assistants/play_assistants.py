"""The real assistants, started, asked and left; the file's name keeps it out of the usual tests.

``python3 dev.py test-assistants`` installs them and runs this. Each step of a play is judged by
what the model's server knows: a wait that ends before it has said all is early, an answer that is
not all of what it said is cut. With ``TMUXPRIM_RESULTS`` each step is noted in that file.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client

from tests.assistants import real
from tests.assistants.model_server import RAN, REFUSAL, ModelServer, model_server
from tests.assistants.real import HARD, SPEECHES, TALK, Setup, end_what_is_left, open_console
from tests.tmux_server import Server
from tmuxprim import Console, Outcome, TmuxTerminal
from tmuxprim.profiles import Session
from tmuxprim.tool import TmuxTool

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
Make = Callable[[str, str], Setup]
ALL: Final = {**TALK, **HARD}
SHORT: Final = {
    question: ALL[question] for question in ("a quick one", "many lines", "twelve please")
}
"""What is asked where many runs are played."""

pytestmark = pytest.mark.tmux
of_all = pytest.mark.parametrize(("make", "version"), PROGRAMS)
again_and_again = pytest.mark.parametrize("run", _RUNS)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Give a home of the program's own, in which nothing runs afterwards."""
    yield tmp_path / "home"
    end_what_is_left(tmp_path / "home")


@attrs.frozen
class Said:
    """What an agent was told at the end of a wait.

    Args:
        kind: ``answered``, ``asks``, ``failed``, ``timed out``, or what else the face calls it.
        text: The answer, or the screen.
        exact: Whether *text* is the answer and nothing else.
    """

    kind: str
    text: str
    exact: bool


@attrs.frozen
class BySession:
    """Drives it by `Session`."""

    console: Console
    session: Session
    name: str = "session"

    def ask(self, question: str, timeout: float = 120.0) -> Said:
        """Ask it something, and wait."""
        return self._said(self.session.ask(question, timeout))

    def press(self, keys: str, timeout: float = 120.0) -> Said:
        """Press keys, and wait."""
        self.console.keys(keys)
        return self._said(self.session.go_on(timeout))

    @staticmethod
    def _said(answer: Any) -> Said:  # noqa: ANN401  # an Answer
        kinds = {Outcome.AWAITING_INPUT: "asks", Outcome.PROMPT: "failed"}
        outcome = answer.readiness.outcome
        kind = "answered" if answer.complete else kinds.get(outcome, outcome.value)
        return Said(kind, f"{answer.text}\n{answer.failure}".strip(), exact=True)


@attrs.frozen
class ByTool:
    """Drives it as a model does, by calls that answer with a text."""

    call: Callable[..., str]
    name: str

    def ask(self, question: str, timeout: float = 120.0) -> Said:
        """Ask it something, and wait."""
        self.call("send", text=question)
        return self._wait(timeout)

    def press(self, keys: str, timeout: float = 120.0) -> Said:
        """Press keys, and wait."""
        self.call("keys", keys=keys)
        return self._wait(timeout)

    def _wait(self, timeout: float) -> Said:
        head, _, screen = self.call("wait_ready", timeout=timeout).partition("\n")
        kinds = {"wait_ready timed out": "timed out", "waiting for input": "asks"}
        found = [kind for start, kind in kinds.items() if head.startswith(start)]
        kind = found[0] if found else "answered" if head.startswith("ready") else head
        return Said(kind, screen, exact=False)


Face: TypeAlias = BySession | ByTool


def step_of(question: str) -> str:
    """Return the key of what is said to a question."""
    return next(key for key in SPEECHES if key in question)


@attrs.define
class Play:
    """What is played with one program, and what went wrong."""

    program: str
    face: Face
    model: ModelServer
    setup: Setup
    problems: list[str] = attrs.field(factory=list)

    def note(self, step: str, late: float, *problems: str) -> None:
        """Note a step, how much later than the server it ended, and what was wrong."""
        wrong = [problem for problem in problems if problem]
        self.problems += [f"{step}: {problem}" for problem in wrong]
        result = {"program": self.program, "face": self.face.name, "step": step}
        path = os.environ.get("TMUXPRIM_RESULTS")
        if path:
            line = json.dumps({**result, "late": round(late, 2), "wrong": wrong})
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")

    def ask(self, question: str, answer: str) -> None:
        """Ask, and check that the answer is neither early nor cut."""
        began = time.monotonic()
        said = self.face.ask(question)
        now, end = time.monotonic(), self.model.has_said(question)
        early = "" if end > began else f"EARLY after {now - began:.1f} s: {said}"
        if said.exact and not question.startswith("liar"):
            cut = "" if said.text == answer else f"CUT: {said}"
        else:
            tail = answer.rpartition("\n")[2]
            cut = "" if tail in said.text else f"CUT: {said}"
        kind = "" if said.kind == "answered" else f"KIND: {said}"
        self.note(step_of(question), now - end, early, "" if early else cut or kind)

    def agree(self) -> None:
        """Let it ask whether it may run a command, agree, and get the rest."""
        said = self.face.ask("run it")
        self.note("asks", 0.0, "" if said.kind == "asks" else f"KIND: {said}")
        said = self.face.press(self.setup.allow)
        ran = any(speech is RAN for speech, _ in self.model.said)
        tail = RAN.pieces[-1] in said.text
        good = said.kind == "answered" and ran and tail
        self.note("allowed", 0.0, "" if good else f"KIND: {said}")

    def interrupt(self) -> None:
        """Interrupt it in a silence; nobody says that this was an answer."""
        said = self.face.ask("silent one", timeout=4.0)
        problem = "" if said.kind == "timed out" else f"KIND: {said}"
        for key in self.setup.interrupt[:-1]:
            self.face.press(key, timeout=0.3)
        said = self.face.press(self.setup.interrupt[-1], timeout=20.0)
        good = "failed" if said.exact else "answered"
        self.note("interrupted", 0.0, problem, "" if said.kind == good else f"KIND: {said}")

    def refuse(self) -> None:
        """Let the model's server refuse; nobody says that this was an answer."""
        for question in ("refused one", "unknown one"):
            said = self.face.ask(question, timeout=60.0)
            good = said.kind == ("failed" if said.exact else "answered")
            shown = not said.exact or REFUSAL in " ".join(said.text.split())
            self.note("refused", 0.0, "" if good and shown else f"KIND: {said}")

    def all(self, questions: Mapping[str, str] = ALL) -> None:
        """Play all that it can."""
        for question, answer in questions.items():
            if step_of(question) not in self.setup.cannot:
                self.ask(question, answer)
        for step, go in (
            ("permission", self.agree),
            ("interrupted", self.interrupt),
            ("refused", self.refuse),
        ):
            if step in self.setup.cannot:
                continue
            go()
            if step == "interrupted" and not isinstance(self.face, BySession):
                self.face.press("C-u", timeout=5.0)  # Claude Code has put it into its box again
            self.ask("a quick one again", TALK["a quick one"])


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
            play = Play(program, BySession(console, session), model, setup)
            play.note("start", 0.0)
            play.all()
        back = is_back(console)
        play.note("leave", 0.0, "" if back else console.read())
    assert play.problems == []


def tool_of(terminal: TmuxTerminal, console: Console) -> Callable[..., str]:
    """Return what calls the plain tool."""
    tool = TmuxTool(terminal)

    def call(action: str, **arguments: object) -> str:
        return tool.execute(action=action, pane=str(console.pane), **arguments).message

    return call


@contextmanager
def mcp_of(server: Server, console: Console) -> Iterator[Callable[..., str]]:
    """Give what calls `tmuxprim mcp`, started and asked by the client of the package `mcp`."""
    socket = ("-S", str(server.socket), "-f", "/dev/null")
    words = ["-m", "tmuxprim", "mcp", *socket, "--pane", str(console.pane)]
    environment = {"PYTHONPATH": os.pathsep.join(word for word in sys.path if word)}
    parameters = StdioServerParameters(command=sys.executable, args=words, env=environment)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(stdio_client(parameters))) as client,
    ):

        def call(action: str, **arguments: object) -> str:
            result = portal.call(client.call_tool, action, arguments)
            return "".join(getattr(content, "text", "") for content in result.content)

        yield call


@contextmanager
def by(face: str, server: Server, console: Console) -> Iterator[ByTool]:
    """Give a face by its name."""
    if face == "tool":
        yield ByTool(tool_of(server.terminal, console), face)
        return
    with mcp_of(server, console) as call:
        yield ByTool(call, face)


def start(face: ByTool, setup: Setup) -> Said:
    """Start a program as a model does, and agree to what it asks."""
    said = face.ask(" ".join(setup.profile.command))
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
            play = Play(f"{make.__name__}-{version}", face, model, setup)
            said = start(face, setup)
            play.note("start", 0.0, "" if said.kind == "answered" else f"KIND: {said}")
            play.all(SHORT if by_name == "tool" else ALL)
            for part in (part for step in setup.profile.leave for part in step):
                if isinstance(part, str):
                    face.call("send", text=part, enter=False)
                else:
                    time.sleep(0.5)  # as long as a model takes at least
                    face.call("keys", keys=str(part))
            face.call("wait_ready", timeout=20)
        back = is_back(console)
        play.note("leave", 0.0, "" if back else console.read())
    assert play.problems == []


def console_of(console: Console) -> Callable[..., str]:
    """Return what calls a `Console` as a tool is called."""

    def call(action: str, **arguments: Any) -> str:  # noqa: ANN401  # as in JSON
        if action == "wait_ready":
            readiness = console.wait_ready(**arguments)
            return f"{'ready' if readiness else readiness.outcome.value}\n{readiness.screen.text}"
        does: Any = {"send": console.send, "keys": console.keys, "read": console.read}[action]
        given = [arguments.pop(name) for name in ("text", "keys") if name in arguments]
        return str(does(*given, **arguments))

    return call


def command_line_of(server: Server, console: Console) -> Callable[..., str]:
    """Return what calls the command line, a process for each call, as a tool is called."""
    options = {"timeout": "--timeout", "prompt_pattern": "--pattern"}

    def call(action: str, **arguments: object) -> str:
        words = [sys.executable, "-m", "tmuxprim", action.removesuffix("_ready"), str(console.pane)]
        words += [str(arguments.pop(name)) for name in ("text", "keys") if name in arguments]
        words += ["--no-enter"] if arguments.pop("enter", True) is False else []
        words += [f"{options[name]}={value}" for name, value in arguments.items()]
        words += ["-S", str(server.socket), "-f", "/dev/null"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return f"{done.stderr.rstrip()}\n{done.stdout}"

    return call


@contextmanager
def by_any(face: str, server: Server, console: Console) -> Iterator[ByTool]:
    """Give a face by its name, be it one that is no tool."""
    if face == "console":
        yield ByTool(console_of(console), face)
    elif face == "command line":
        yield ByTool(command_line_of(server, console), face)
    else:
        with by(face, server, console) as tool:
            yield tool


@pytest.mark.parametrize("by_name", ["tool", "mcp", "console", "command line"])
@again_and_again
def test_the_calls_of_the_first_user(server: Server, by_name: str, run: int, home: Path) -> None:
    """Start, three questions with the pattern and 120 s, C-p, `exit`, Enter, by each face."""
    assert run in _RUNS
    with setting(server, real.opencode, "1.2.15", home) as (model, setup, console):
        with by_any(by_name, server, console) as face:
            play = Play(
                "opencode-1.2.15", attrs.evolve(face, name=f"{by_name}, pattern"), model, setup
            )
            face.call("send", text="opencode")
            head = face.call("wait_ready", timeout=15).partition("\n")[0]
            # A busy machine takes longer, and says so.
            while head.startswith("wait_ready timed out"):
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
        play.note("leave", 0.0, "" if back else console.read())
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
            play = Play(f"{make.__name__}-{version}", BySession(console, session), model, setup)
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
                assert session.go_on().readiness.outcome is Outcome.EXITED
        back = is_back(console)
        play.note(f"leave {at}", 0.0, "" if back else console.read())
    assert play.problems == []
