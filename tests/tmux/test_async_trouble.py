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


FORKING = """
import asyncio, os, sys
from tmuxprim import AsyncTmuxTerminal
from tmuxprim.errors import EventLoopError

async def main():
    terminal = AsyncTmuxTerminal(
        socket_path=sys.argv[1], config_file="/dev/null", timeout=60.0, transport="control"
    )
    async with terminal:
        (pane,) = await terminal.panes()
        if not (child := os.fork()):
            try:
                asyncio.run(terminal.observe(pane))
            except EventLoopError:
                os._exit(0)
            os._exit(1)
        assert (await asyncio.to_thread(os.waitpid, child, 0))[1] == 0
        async with asyncio.timeout(20.0):
            await terminal.observe(pane)

asyncio.run(main())
"""


def test_a_fork_that_uses_it_harms_nobody(server: Server) -> None:
    """It has another event loop, and is refused; its parent goes on, and is told of what comes."""
    server.terminal.open(["dash"])
    python = [sys.executable, "-W", "ignore", "-c", FORKING, str(server.socket)]
    subprocess.run(python, check=True, timeout=PATIENCE)
