"""The faces by which an agent drives an assistant, so that a play is the same by each."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import attrs
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client

from tests.tmux_server import Server
from tmuxprim import Console, Outcome, Receipt, TmuxTerminal
from tmuxprim.profiles import Session
from tmuxprim.tool import TmuxTool


@attrs.frozen
class Said:
    """What an agent was told at the end of a wait.

    Args:
        kind: ``answered``, ``asks``, ``failed``, ``timed out``, or what else the face calls it.
        text: The answer, or the screen.
        exact: Whether *text* is the answer and nothing else.
        receipt: What the reply to a text says that became of it; None where nothing says so.
    """

    kind: str
    text: str
    exact: bool
    receipt: Receipt | None = None


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
        return self._said(self.session.resume(timeout))

    def interrupt(self, timeout: float = 20.0) -> Said:
        """Interrupt what it does, and wait."""
        self.console.interrupt(timeout)
        return self._said(self.session.resume(timeout))

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
        told = self.call("send", text=question)
        if not told.startswith("Sent: "):
            return Said("refused", told, exact=False)
        receipt = receipt_of(told)
        if receipt is Receipt.IN_BOX:
            self.call("keys", keys="Enter")  # as the reply says; what arrives is judged
        said = self.wait(timeout)
        # OpenCode drops more than one Enter while it starts on a busy machine.
        for _ in range(_MOST_ENTERS):
            if not (said.kind == "asks" and _ENTER_SENDS_IT in said.text.partition("\n")[0]):
                break
            said = self.press("Enter", timeout)
        return attrs.evolve(said, receipt=receipt)

    def press(self, keys: str, timeout: float = 120.0) -> Said:
        """Press keys, and wait."""
        self.call("keys", keys=keys)
        return self.wait(timeout)

    def interrupt(self, timeout: float = 20.0) -> Said:
        """Interrupt what it does, and wait."""
        return self._said(self.call("interrupt", timeout=timeout))

    def wait(self, timeout: float = 120.0) -> Said:
        """Wait until it is ready."""
        return self._said(self.call("wait_ready", timeout=timeout))

    @staticmethod
    def _said(told: str) -> Said:
        head = told.partition("\n")[0]
        kinds = {"ready": "answered", "waiting for input": "asks"}
        found = [kind for start, kind in kinds.items() if head.startswith(start)]
        kind = "timed out" if " timed out after " in head else head
        return Said(found[0] if found else kind, told, exact=False)


_MOST_ENTERS: Final = 3
_ENTER_SENDS_IT: Final = "and not sent: Enter sends it"
_RECEIPTS: Final = {
    "; typed ahead: ": Receipt.UNREAD,
    " works: this waits in its queue": Receipt.QUEUED,
    " is in the box of ": Receipt.IN_BOX,
    "; it is still at the prompt of ": Receipt.IN_BOX,
    "; whether it was taken cannot be determined": Receipt.UNKNOWN,
}


def receipt_of(told: str) -> Receipt:
    """Return the receipt in a tool's reply to a text; it says nothing of one that was delivered."""
    found = (receipt for words, receipt in _RECEIPTS.items() if words in told)
    return next(found, Receipt.DELIVERED)


Face: TypeAlias = BySession | ByTool


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
    """Give a face by its name, also one that is no tool."""
    if face == "console":
        yield ByTool(console_of(console), face)
    elif face == "command line":
        yield ByTool(command_line_of(server, console), face)
    else:
        with by(face, server, console) as tool:
            yield tool
