"""What may happen to an `AsyncTmuxTerminal` on real tmux besides cancelling; see test_async.py."""

import asyncio
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.tmux_server import Server
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Outcome,
    Pane,
    TmuxServerError,
)

pytestmark = [pytest.mark.tmux, pytest.mark.needs("dash")]

PATIENCE = 30.0


@pytest.mark.parametrize("cancels", ["", "disconnecting is cancelled"])
def test_keys_arrive_once_while_it_is_disconnected(
    server: Server, tmp_path: Path, cancels: str
) -> None:
    """Who types just then is answered first, and nothing is typed again."""
    typed = tmp_path / "typed"
    texts = [f"<{number}>" for number in range(100)]
    errors: list[str] = []

    async def type_into(terminal: AsyncTmuxTerminal, pane: Pane, text: str) -> None:
        try:
            await terminal.send(pane, KeySequence.text(text))
        except TmuxServerError as error:
            errors.append(str(error))

    async def main() -> None:
        terminal = AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null", transport="control"
        )
        count = len("".join(texts))
        script = f"stty raw -echo; echo ready; head -c {count} >'{typed}'; echo done; sleep 60"
        async with asyncio.timeout(PATIENCE), terminal:
            console = AsyncConsole(terminal, await terminal.open(["dash", "-c", script]))
            assert (await console.wait_for("ready")).outcome is Outcome.MATCHED
            pane = await console.locate()
            for begin in range(0, len(texts), 5):
                await terminal.panes()  # it connects
                typing = [
                    asyncio.create_task(type_into(terminal, pane, text))
                    for text in texts[begin : begin + 5]
                ]
                await asyncio.sleep(0.00002 * begin)
                leaving = asyncio.create_task(terminal.disconnect())
                await asyncio.sleep(0)
                if cancels:
                    leaving.cancel()
                await asyncio.wait([leaving])
                await asyncio.gather(*typing)
            assert (await console.wait_for("done")).outcome is Outcome.MATCHED

    asyncio.run(main())
    assert Counter(re.findall(r"<\d+>", typed.read_text())) == Counter(texts)
    assert errors == []
    assert server.tmux("list-clients") == ""


FORKS = """
import asyncio
import os

from tmuxprim import AsyncTmuxTerminal, Pane

async def talk():
    await terminal.observe(pane)
    bell = await terminal.listen(pane)
    bell.close()
    await terminal.disconnect()

async def main():
    await terminal.panes()
    bell = await terminal.listen(pane)
    child = os.fork()
    if not child:
        asyncio.run(talk())
        os._exit(7)
    done, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7
    async with asyncio.timeout(limit):
        await terminal.observe(pane)
    while await bell.wait(0.0):
        pass
    os.kill((await terminal.observe(pane)).pane_pid, 10)
    assert await bell.wait(limit)
    bell.close()
    await terminal.disconnect()

limit, pane = {limit}, Pane({target!r})
terminal = AsyncTmuxTerminal(socket_path={socket!r}, transport={transport!r}, timeout=10.0)
asyncio.run(main())
"""


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_forked_process_takes_nothing_from_its_parent(server: Server, transport: str) -> None:
    """Epoll and inotify are one for both: what the child gives back stays its parent's."""
    script = "trap 'echo x' USR1; echo ready; while :; do sleep 0.1; done"
    pane = server.terminal.open(["dash", "-c", script])
    assert Console(server.terminal, pane).wait_for("ready").outcome is Outcome.MATCHED
    script = FORKS.format(
        limit=5.0, target=pane.target, socket=str(server.socket), transport=transport
    )
    # Since 3.12 Python warns of every fork in a program with threads, of which the loop has some.
    argv = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
