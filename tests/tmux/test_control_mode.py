"""Control mode on real tmux: one client, no trace, and the same as starting clients."""

import gc
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.control import CAT, control, eventually
from tests.examples import examples
from tests.person import person
from tests.tmux_server import Server
from tmuxprim import Console, KeySequence, Pane, TmuxTerminal
from tmuxprim._tmux.commands import call
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.transport import ControlTransport
from tmuxprim._tmux.versions import parse_version

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

CLIENTS = ("list-clients", "-F", "#{client_pid}")


def resources() -> tuple[int, list[str]]:
    """Return how many files are open, and which threads run."""
    gc.collect()
    return len(list(Path("/dev/fd").iterdir())), sorted(
        thread.name for thread in threading.enumerate()
    )


def test_all_is_done_by_one_client(server: Server, linked: TmuxTerminal) -> None:
    """However many operations of whatever kind there are."""
    console = Console(linked, linked.open(("bash", "--norc"), env={"PS1": "$ "}))
    console.wait_ready()
    clients = server.tmux(*CLIENTS)
    assert len(clients.splitlines()) == 1
    for number in range(20):
        assert console.run(f"echo {number}").output == f"{number}\n"
        linked.panes()
    linked.close(linked.open(CAT))
    console.send(f": {'x' * 10_000}")
    assert server.tmux(*CLIENTS) == clients


@pytest.mark.parametrize("is_ours", [True, False])
def test_auto_attaches_where_that_is_safe(server: Server, *, is_ours: bool) -> None:
    """To a server that `open` has started, or one that does not crash of it; nobody is told."""
    if is_ours:
        server.terminal.open(CAT)
    else:
        server.tmux("-f", "/dev/null", "new-session", "-d", *CAT)
    version = parse_version(server.tmux("display-message", "-p", "-t", "%0", "#{version}"))
    with TmuxTerminal(socket_path=server.socket, transport="auto") as terminal:
        assert terminal.panes() == (Pane("%0"),)
        is_attached = is_ours or version >= (3, 6)
        assert terminal.transport == ("control" if is_attached else "subprocess")
        assert bool(server.tmux(*CLIENTS)) == is_attached


@pytest.mark.parametrize("end", ["disconnect", "with", "garbage"])
def test_nothing_is_left(server: Server, end: str) -> None:
    """No client, no process, no thread, no file, no variable, whichever way it ends."""
    pane = server.terminal.open(CAT)
    # Threads of other tests' terminals, which are garbage, end within a second.
    eventually(lambda: "tmuxprim" not in resources()[1])
    before = resources()
    terminal = control(server)
    if end == "with":
        with terminal:
            terminal.send(pane, KeySequence.text("x"))
    else:
        terminal.send(pane, KeySequence.text("x"))
        assert resources() != before
    if end == "disconnect":
        terminal.disconnect()
    del terminal
    eventually(lambda: resources() == before)
    assert server.tmux(*CLIENTS) == ""
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert "TMUXPRIM" not in server.tmux("show-environment", "-gh")


ENDS = {
    "end": "",
    "error": "raise KeyError",
    "at once": "os._exit(4)",
    "killed": "os.kill(os.getpid(), 9)",
    "thread": "threading.Thread(target=lambda: [terminal.read(pane) for _ in range(99)]).start()",
}


@pytest.mark.parametrize("end", ENDS)
def test_nothing_is_left_by_a_program_that_ends(server: Server, end: str) -> None:
    """The client ends with the program, which is not kept waiting for it."""
    pane = server.terminal.open(CAT)
    script = f"""
import os, sys, threading
from tmuxprim import Pane, TmuxTerminal
terminal = TmuxTerminal(socket_path={str(server.socket)!r}, transport="control")
pane = Pane({pane.target!r})
terminal.observe(pane)
print(len(terminal.panes()), flush=True)
{ENDS[end]}
"""
    argv = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "1\n"
    assert "Warning" not in done.stderr
    assert bool(done.stderr) is (end == "error")
    eventually(lambda: server.tmux(*CLIENTS) == "")


def test_threads_see_what_they_asked_for(server: Server, linked: TmuxTerminal) -> None:
    """Eight of them, 200 operations each, on one client: each sees its own pane only."""
    panes = [server.terminal.open(("sh", "-c", f"echo pane{n}; exec cat")) for n in range(8)]

    def work(pane: Pane) -> set[str]:
        seen = set()
        for number in range(100):
            if number % 10 == 0:
                linked.send(pane, KeySequence.keys("C-@"))
            seen.add(linked.observe(pane).rows[0])
            seen.add(linked.read(pane).split()[0])
        return seen

    eventually(lambda: all(linked.read(pane).strip() for pane in panes))
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(work, panes))
    assert seen == [{f"pane{n}"} for n in range(8)]
    assert len(server.tmux(*CLIENTS).splitlines()) == 1


def test_a_pane_opens_where_the_program_is(
    linked: TmuxTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its directory and with its PATH, not with those of the session that the client sits in."""
    linked.open(CAT)
    linked.panes()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"/mine:{os.environ['PATH']}")
    pane = linked.open("pwd; echo $PATH; exec cat")
    eventually(lambda: "/mine:" in linked.read(pane))
    assert linked.read(pane).splitlines()[0] == str(tmp_path)


def test_hooks_that_print_are_no_answers(server: Server, linked: TmuxTerminal) -> None:
    """What a user's hook says after our commands is not what they say."""
    pane = linked.open(CAT)
    for command in ("display-message", "capture-pane", "list-panes", "send-keys"):
        server.tmux("set-hook", "-g", f"after-{command}", "display-message -p hooked")
    assert linked.panes() == (pane,)
    linked.send(pane, KeySequence.text("x"))
    eventually(lambda: linked.observe(pane).rows[0] == "x")
    server.tmux("set-hook", "-gu", "after-display-message")


def test_what_happens_while_nobody_asks_is_read(server: Server, linked: TmuxTerminal) -> None:
    """The client is told of sessions that come and go; that does not pile up."""
    linked.open(CAT)
    linked.panes()
    link = vars(vars(linked)["_transport"])["_connection"]
    client = vars(link)["_client"]
    was_told = False
    for number in range(50):
        server.tmux("new-session", "-d", "-s", f"s{number}", "cat")
        was_told |= client.wait_for_output(0.0)
    assert was_told
    eventually(lambda: not client.wait_for_output(0.0))
    assert len(linked.panes()) == 51


def test_a_person_notices_nothing(server: Server) -> None:
    """No size, no environment, no byte on the screen changes, from connecting to leaving."""
    pane = server.terminal.open(CAT, name="shared")
    server.tmux("set-option", "-g", "status-interval", "0")
    server.tmux("set-environment", "-t", "=shared", "DISPLAY", ":77")
    with person(server.socket, "=shared") as watching:
        assert watching.seen()
        before = server.tmux("show-environment", "-t", "=shared"), server.terminal.observe(pane)
        with control(server) as terminal:
            for _ in range(50):
                assert terminal.observe(pane) == before[1]
            terminal.read(pane)
            assert len(server.tmux(*CLIENTS).splitlines()) == 2
        after = server.tmux("show-environment", "-t", "=shared"), server.terminal.observe(pane)
        assert after == before
        assert after[1].size.columns == 140
        assert watching.seen() == b""


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXT | st.text("\\\"$~{}#%;\n\r\t\x1b\x7f\x01'` a", max_size=30))
def test_any_word_arrives(server: Server, text: str) -> None:
    """What tmux's parser reads in control mode is the word, whatever stands in it."""
    spawn = spawner(server)
    transport = transports.setdefault(server.socket, ControlTransport(spawn, is_required=True))
    name = f"tmuxprim-{text}"
    transport.run(call(("set-buffer", "-b", "word", "--", name)))
    saved = Path(f"{server.socket}.saved")
    saved.unlink(missing_ok=True)
    transport.run(call(("save-buffer", "-b", "word", str(saved))))
    # The client writes the file, and tmux answers before it has.
    deadline = time.monotonic() + 10.0
    while not (saved.exists() and saved.read_bytes().decode(errors="replace") == name):
        assert time.monotonic() < deadline, saved
        time.sleep(0.01)


transports: dict[Path, ControlTransport] = {}


def spawner(server: Server) -> SubprocessTransport:
    """Return what starts clients of a server, which has a pane."""
    if not server.terminal.panes():
        server.terminal.open(CAT)
    return SubprocessTransport(Prefix((), ("tmux", "-u", "-S", str(server.socket))), 5.0)
