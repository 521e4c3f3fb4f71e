"""Ten assistants, two shells, an ssh, a vim and a pager in one server, and `tmuxprim watch`.

``python3 dev.py test-assistants --fleet`` runs it. ``TMUXPRIM_SECONDS`` says for how long,
``TMUXPRIM_FLEET`` with how many assistants, and ``TMUXPRIM_TRANSPORT=control`` has the watch use
control mode. A driver makes each pane work, ask, wait and end, and notes the truth: the moment of
the Enter, and the moment at which the model had said all, or the command had ended. The edges that
the watch tells are held against it afterwards: what the pane waits for is told once, after the end;
and that it works is told once before that, and not again.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final, TypeAlias

import attrs
import pytest

from tests.assistants import real
from tests.assistants.model_server import ModelServer, model_server
from tests.assistants.real import SPEECHES, Setup, end_what_is_left, open_console
from tests.tmux.remote import Far
from tests.tmux_server import Server
from tmuxprim import Console, State

SECONDS: Final = float(os.environ.get("TMUXPRIM_SECONDS", "600"))
_FLEET: Final = (
    *(("claude", "latest"),) * 3,
    *(("opencode", "latest"),) * 2,
    ("opencode", "1.2.15"),
    *(("codex", "latest"),) * 2,
    ("gemini", "latest"),
    ("qwen", "latest"),
)[: int(os.environ.get("TMUXPRIM_FLEET", "10"))]
_BY: Final = ("--transport", os.environ.get("TMUXPRIM_TRANSPORT", "subprocess"))
_QUESTIONS: Final = ("a quick one", "pause please", "twelve please", "a slow one", "silent one")
_REST: Final = 6.0
"""Seconds between two doings, in which an edge may be told that is late."""
_SEEN: Final = 3.0
"""Seconds after which work has to be told; that of an assistant may be told after one."""
_BASH: Final = ("bash", "--norc", "--noprofile")

pytestmark = pytest.mark.tmux


@attrs.frozen
class Doing:
    """One thing that a driver did in a pane.

    Args:
        pane: The pane's id.
        kind: The program, and what it did.
        start: When the driver began to type, by `time.monotonic`.
        begun: When the Enter had been pressed, by `time.monotonic`.
        ended: When that for which it waits was there.
        target: The state that has to be told after *ended*.
        waited: When `Console.wait_ready` of the driver had ended.
        until: When the next doing began.
    """

    pane: str
    kind: str
    start: float
    begun: float
    ended: float
    target: State
    waited: float
    until: float


@attrs.frozen
class Edge:
    """A line of ``tmuxprim watch --json``, and when it came."""

    at: float
    pane: str
    state: State
    before: State | None


Drive: TypeAlias = Callable[["Driver"], None]


@attrs.define(eq=False)
class Driver:
    """Drives one pane until the time is up, in a thread of its own.

    Args:
        console: The pane.
        kind: The program.
        drive: The steps of one round.
        deadline: When it makes its last step, by `time.monotonic`.
    """

    console: Console
    kind: str
    drive: Drive
    deadline: float = 0.0
    done: list[Doing] = attrs.field(factory=list)
    problems: list[str] = attrs.field(factory=list)

    def run(self) -> None:
        """Do round after round."""
        try:
            while time.monotonic() < self.deadline:
                self.drive(self)
        except Exception as error:  # noqa: BLE001  # of a thread
            self.problems.append(f"{self.kind}: {error!r}")

    def do(
        self,
        step: str,
        go: Callable[[], object],
        target: State,
        ended: Callable[[], float] | None = None,
    ) -> None:
        """Do one thing, wait for its end, and note both; without an *ended* it ends at once."""
        start = time.monotonic()
        go()
        begun = time.monotonic()
        readiness = self.console.wait_ready(150.0)
        waited, found = time.monotonic(), start if ended is None else ended()
        if not readiness or not found:
            self.problems.append(f"{self.kind}: {step}: {readiness.outcome} {readiness.reason}")
        time.sleep(_REST)
        pane = str(self.console.pane)
        self.done.append(
            Doing(
                pane, f"{self.kind}: {step}", start, begun, found, target, waited, time.monotonic()
            )
        )

    def settle(self, *keys: str) -> None:
        """Press keys, and rest; the edges of that are not judged."""
        for key in keys:
            self.console.keys(key)
            self.console.wait_ready(30.0)
        time.sleep(_REST)


def assistant(model: ModelServer) -> Drive:
    """Return the steps at an AI assistant: five questions, and a command that is not allowed."""

    def said(question: str, since: float) -> float:
        at = model.has_said(question)
        return at if at > since else 0.0

    def drive(driver: Driver) -> None:
        for question in _QUESTIONS:
            since = time.monotonic()
            if since > driver.deadline:
                return
            driver.do(
                question,
                partial(driver.console.submit, question, again=True),
                State.PROMPT,
                partial(said, question, since),
            )
        since = time.monotonic()
        driver.do(
            "asks",
            partial(driver.console.submit, "reject it", again=True),
            State.ASKING,
            partial(said, "reject it", since),
        )
        driver.settle("Escape", "C-u")

    return drive


def shell(directory: Path, name: str) -> Drive:
    """Return the steps at a shell: a command, a job, a question and its answer."""
    mark, offset = directory / name, time.time() - time.monotonic()

    def ended() -> float:
        return mark.stat().st_mtime_ns / 1e9 - offset

    def drive(driver: Driver) -> None:
        def type_in(text: str) -> Callable[[], object]:
            return partial(driver.console.send, text)

        driver.do("command", type_in(f"sleep 2.5; touch {mark}"), State.PROMPT, ended)
        driver.do("job", type_in(f"sleep 6 & sleep 1; touch {mark}"), State.PROMPT, ended)
        asks = f"sleep 1; touch {mark}; read -p 'Go on? [y/N] ' answer"
        driver.do("asks", type_in(asks), State.ASKING, ended)
        driver.do("answered", type_in("y"), State.PROMPT)

    return drive


def screens(start: str, *leave: str) -> Drive:
    """Return the steps at a full-screen program, which is started and left."""

    def drive(driver: Driver) -> None:
        console = driver.console
        driver.do("starts", partial(console.send, start), State.FULLSCREEN)
        driver.do("is left", partial(console.keys, *leave), State.PROMPT)

    return drive


class Watch:
    """``tmuxprim watch --json`` as a process, and what it has told."""

    def __init__(self, server: Server) -> None:
        words = ("-m", "tmuxprim", "watch", "--json", "-S", str(server.socket), *_BY)
        self.process = subprocess.Popen(
            (sys.executable, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.edges: list[Edge] = []
        self.last: dict[str, object] = {}
        self._thread = threading.Thread(target=self._take)
        self._thread.start()

    def _take(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            fact = json.loads(line)
            if "status" in fact:  # the last line
                self.last = fact
                return
            before = State(fact["before"]) if fact["before"] else None
            self.edges.append(Edge(time.monotonic(), fact["pane"], State(fact["state"]), before))

    def cpu(self) -> float:
        """Return the seconds of CPU that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> tuple[int, str]:
        """Wait for its end, which others bring about; return its status and what it printed."""
        status = self.process.wait(20.0)
        self._thread.join(5.0)
        assert self.process.stderr is not None
        printed = self.process.stderr.read()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return status, printed


WRONGS: Final = ("early", "missed", "twice", "other", "work unseen", "at rest seen to work")


def judge(doing: Doing, edges: Iterable[Edge]) -> tuple[dict[str, int], float | None]:
    """Return what is wrong with the edges of one doing, and when the right one was told."""
    of_it = [edge for edge in edges if edge.pane == doing.pane]
    early = [edge for edge in of_it if doing.begun < edge.at < doing.ended]
    early = [edge for edge in early if edge.state is not State.WORKING]
    later = [edge for edge in of_it if doing.ended <= edge.at < doing.until]
    hits = [edge for edge in later if edge.state is doing.target]
    others = [edge for edge in later if edge.state not in (doing.target, State.WORKING)]
    told = hits[0].at if hits else doing.until
    works = [edge for edge in of_it if doing.start < edge.at < doing.until]
    works = [edge for edge in works if edge.state is State.WORKING]
    before = sum(edge.at < told for edge in works)
    is_long = doing.ended - doing.begun > _SEEN
    counts = (
        len(early),
        int(not hits),
        max(0, len(hits) - 1) + max(0, before - 1),
        len(others),
        int(is_long and not before),
        len(works) - before,
    )
    return dict(zip(WRONGS, counts, strict=True)), hits[0].at if hits else None


def table(drivers: Iterable[Driver], edges: list[Edge]) -> tuple[str, list[str]]:
    """Return the table of all doings by their kind, and what is wrong in words."""
    rows, problems = defaultdict[str, list[Any]](list), []
    for driver in drivers:
        for doing in driver.done:
            wrong, told = judge(doing, edges)
            late = None if told is None else (told - doing.ended, told - doing.waited)
            rows[doing.kind].append((wrong, late))
            if any(wrong.values()):
                near = [
                    f"{edge.at - doing.begun:+.1f} {edge.before and edge.before.value}->"
                    f"{edge.state.value}"
                    for edge in edges
                    if edge.pane == doing.pane and doing.begun - 1 < edge.at < doing.until + 1
                ]
                ended = doing.ended - doing.begun
                problems.append(f"{doing.kind} {wrong}, ended {ended:+.1f}: {near}")
    lines = [
        f"| program: doing | done | {' | '.join(WRONGS)} | late | behind the wait |",
        "|---" * (len(WRONGS) + 4) + "|",
    ]
    for kind, found in sorted(rows.items()):
        sums = [sum(wrong[name] for wrong, _ in found) for name in found[0][0]]
        lates = [late for _, late in found if late is not None] or [(0.0, 0.0)]
        ends, waits = ([pair[place] for pair in lates] for place in (0, 1))
        cells = (f"{median(each):.2f} s, at most {max(each):.2f}" for each in (ends, waits))
        lines.append(
            f"| {kind} | {len(found)} | {' | '.join(map(str, sums))} | {' | '.join(cells)} |"
        )
    return "\n".join(lines), problems


@contextmanager
def the_fleet(server: Server, directory: Path) -> Iterator[list[Driver]]:
    """Give drivers for all panes, at their prompts."""
    drivers: list[Driver] = []
    with ExitStack() as stack:
        for number, (name, version) in enumerate(_FLEET):
            home = directory / f"{name}{number}"
            model = stack.enter_context(model_server(SPEECHES))
            setup: Setup = getattr(real, name)(model.url, version)
            stack.callback(end_what_is_left, home)
            console = open_console(server.terminal, setup, home)
            console.session(setup.profile).__enter__()  # it is ended with its pane
            drivers.append(Driver(console, f"{name}-{version}", assistant(model)))
        env = {"PS1": "$ ", "HOME": str(directory)}
        # The path of a socket is short.
        short = stack.enter_context(tempfile.TemporaryDirectory(prefix="tp-"))
        far = Far.prepare(Path(short))
        text = directory / "text"
        text.write_text("\n".join(map(str, range(500))))
        for name, drive in (
            ("bash", shell(directory, "one")),
            ("bash", shell(directory, "two")),
            ("ssh", shell(directory, "three")),
            ("vim", screens(f"vim -u NONE {text}", ":", "q", "Enter")),
            ("less", screens(f"less {text}", "q")),
        ):
            console = Console(server.terminal, server.terminal.open(_BASH, cwd=directory, env=env))
            console.wait_ready(60.0)
            if name == "ssh":
                console.send(" ".join(far.launcher))
                assert console.wait_ready(60.0)
            drivers.append(Driver(console, name, drive))
        yield drivers


def what_is_left(server: Server) -> list[str]:
    """Return the processes that name the socket of the server, but for the server itself."""
    left = []
    for directory in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (directory / "cmdline").read_bytes().split(b"\0")
            if os.fsencode(server.socket) in words and b"start-server" not in words:
                left.append(b" ".join(words).decode())
    return left


def test_a_fleet(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What each pane waits for is told once and not early; kill -9 leaves nothing behind."""
    server.terminal.open(["cat"])
    with the_fleet(server, tmp_path) as drivers:
        for driver in drivers:
            driver.deadline = time.monotonic() + SECONDS
        watch = Watch(server)
        time.sleep(5.0)  # until it has told the first state of each pane
        threads = [threading.Thread(target=driver.run) for driver in drivers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        cpu = watch.cpu()
        told, problems = table(drivers, watch.edges)
        with capsys.disabled():
            sys.stdout.write(
                f"\n{told}\n{len(watch.edges)} edges, {cpu:.1f} s of CPU, {watch.last}\n"
            )
            sys.stdout.write("\n".join(problems) + "\n")
        watch.process.kill()
        assert watch.end()[0] == -signal.SIGKILL
        time.sleep(3.0)
        assert set(server.tmux("list-panes", "-a", "-F", "#{pane_pipe}").split()) == {"0"}
        assert what_is_left(server) == []
        watch = Watch(server)
        time.sleep(5.0)
        killed = server.terminal.open(_BASH)
        time.sleep(2.0)
        os.kill(int(server.tmux("display-message", "-p", "-t", str(killed), "#{pane_pid}")), 9)
        time.sleep(2.0)
        states = [edge.state for edge in watch.edges if edge.pane == str(killed)]
        assert states == [State.PROMPT, State.EXITED]
        pid = server.pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        status, printed = watch.end()
        assert (status > 0, "server" in printed) == (True, True), printed
        assert what_is_left(server) == []
    assert [problem for driver in drivers for problem in driver.problems] == []
    assert problems == []
