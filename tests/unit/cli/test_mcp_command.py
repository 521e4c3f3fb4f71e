"""`tmuxprim mcp`: a client on standard input and output, and what is said without the package."""

import io
import json
import signal
import sys
import threading
from typing import TypeAlias

import pytest
from typing_extensions import Buffer

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import Pane
from tmuxprim._cli.parser import parse
from tmuxprim._tool.actions import SHARED
from tmuxprim.cli import run

WORK = Pane("work")
Request: TypeAlias = dict[str, object]
HELLO: Request = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}


def call(name: str, **arguments: object) -> Request:
    """Return the request to call a tool."""
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


class Heard(io.BytesIO):
    """Standard output, and knows when everything has been answered.

    Args:
        count: How many answers that is.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self.all = threading.Event()
        self._count = count

    def write(self, data: Buffer, /) -> int:
        """Take an answer, or a part of one."""
        written = super().write(data)
        if self.getvalue().count(b"\n") >= self._count:
            self.all.set()
        return written


class Said(io.BytesIO):
    """Standard input from a client that hangs up once it has all answers.

    Args:
        data: What it says.
        heard: What it is answered.
    """

    def __init__(self, data: bytes, heard: Heard) -> None:
        super().__init__(data)
        self._heard = heard

    def read1(self, size: int | None = -1, /) -> bytes:
        """Return the next part; the last, which is empty, comes late."""
        data = super().read1(size)
        assert data or self._heard.all.wait(20)
        return data


class Wire:
    """Standard input and output with a client at the other end.

    Args:
        monkeypatch: What puts them in place.
        site: Where the server works.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, site: FakeSite) -> None:
        self._monkeypatch = monkeypatch
        self._site = site
        self.answers: dict[int, str] = {}

    def talk(self, argv: list[str], *requests: Request, junk: bytes = b"") -> int:
        """Send requests, hang up after the last answer, and return the exit status."""
        lines = [json.dumps({"jsonrpc": "2.0", "id": i, **r}) for i, r in enumerate(requests)]
        heard = Heard(len(lines))
        said = Said(junk + "".join(f"{line}\n" for line in lines).encode(), heard)
        self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(said))
        self._monkeypatch.setattr("sys.stdout", io.TextIOWrapper(heard))
        status = run(["mcp", *argv], lambda _: self._site)
        for line in heard.getvalue().splitlines():
            answer = json.loads(line)
            self.answers[answer["id"]] = str(answer["result"])
        return status


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch, site: FakeSite) -> Wire:
    """Give a client on the server whose pane ``work`` is a shell at its prompt."""
    return Wire(monkeypatch, site)


def test_a_client_is_served(wire: Wire, site: FakeSite, capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output holds nothing but its answers; when it hangs up, the command is done."""
    before = signal.getsignal(signal.SIGINT)
    assert wire.talk(["--pane", "work"], HELLO, call("keys", keys="Up")) == 0
    assert list(wire.answers) == [0, 1]
    assert "instructions" in wire.answers[0]
    site.terminal.assert_sent(WORK, "Up")
    assert capsys.readouterr() == ("", "")
    assert site.is_closed
    assert signal.getsignal(signal.SIGINT) is before


def test_programs_of_ones_own_are_known(wire: Wire) -> None:
    """All others are judged as ever."""
    words = ["--pane", "work", "--program", "tmuxprim.profiles:OPENCODE"]
    assert wire.talk(words, HELLO, call("wait_ready")) == 0
    assert "ready (prompt matched)" in wire.answers[1]


def test_what_is_no_message(wire: Wire) -> None:
    """It is passed over, and the client goes on."""
    junk = b'\xff\n{"jsonrpc": \n[]\n"7"\n'
    assert wire.talk(["--pane", "work"], HELLO, call("read"), junk=junk) == 0
    assert r"\n$'" in wire.answers[1]


def test_the_pane_is_told(wire: Wire, site: FakeSite) -> None:
    """The pane is `shared` by default, and `--no-open` does not open it."""
    assert wire.talk(["--no-open"], HELLO, call("read")) == 0
    assert "there is no pane 'shared'" in wire.answers[1]
    assert len(site.terminal.panes()) == 1


def test_the_panes_are_limited(wire: Wire) -> None:
    """To those that are named, each by an option of its own; the reply names them."""
    words = ["--allow", "build", "--allow", "work", "--read-only", "work"]
    assert wire.talk(words, HELLO, call("read")) == 0
    assert "you may not use the pane 'shared'; allowed are: build, work" in wire.answers[1]
    assert wire.talk(["--pane", "work", *words], HELLO, call("interrupt")) == 0
    assert "you may only read the pane 'work'" in wire.answers[1]


def test_the_default_pane_is_the_tools() -> None:
    """The parser knows its name by heart, since it loads nothing of the library."""
    assert parse(["mcp"]).pane == SHARED.target


class Gone(io.BytesIO):
    """Plays a pipe that nobody reads any more."""

    def write(self, data: Buffer, /) -> int:
        """Find nobody."""
        if data != b"":
            raise BrokenPipeError
        return 0


def test_a_client_that_reads_no_more(site: FakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has hung up as well."""
    line = json.dumps({"jsonrpc": "2.0", "id": 1, **HELLO}).encode() + b"\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
    with io.TextIOWrapper(Gone()) as out:
        monkeypatch.setattr("sys.stdout", out)
        assert run(["mcp", "--pane", "work"], lambda _: site) == 0


@pytest.mark.parametrize("missing", ["mcp", "mcp.server.stdio"])
def test_without_the_package(cli: Cli, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """What to install is said, in a line; the same if it is of before 2.0."""
    for name in ("tmuxprim.mcp", "tmuxprim._mcp"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in [name for name in sys.modules if name.startswith("mcp.") and missing == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    ran = cli("mcp")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "tmuxprim: the MCP server needs the package mcp, 2.0 or later: "
        'pip install "tmuxprim[mcp]"\n'
    )


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (["--json"], "mcp speaks JSON anyway, and prints nothing else: leave --json out"),
        (["--pane", "%x"], "a pane id looks like '%3', got '%x'"),
        (["work"], "did not expect work"),
    ],
)
def test_bad_use(cli: Cli, argv: list[str], why: str) -> None:
    """It is said before a client is listened to."""
    ran = cli("mcp", *argv, stdin=b"")
    assert (ran.status, ran.out) == (2, "")
    assert why in ran.err
