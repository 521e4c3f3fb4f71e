"""The threads in which clients are waited for, with clients made of shell script."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tmuxprim._tmux.async_connection import AsyncSubprocessTransport
from tmuxprim._tmux.commands import call
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import SubprocessTransport

ASK = call(("list-panes",))
LONG = 20.0


def far(folder: Path, script: str, *, timeout: float) -> AsyncSubprocessTransport:
    """Return a transport to a machine behind a launcher, whose tmux is a script."""
    program = folder / "tmux"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return AsyncSubprocessTransport(SubprocessTransport(Prefix(("env",), (str(program),)), timeout))


def test_a_machine_that_hangs_takes_no_thread_of_anothers(tmp_path: Path) -> None:
    """Each has threads of its own, whatever the event loop has."""
    (tmp_path / "dead").mkdir()
    waits = f"while ! [ -e {tmp_path}/go ]; do sleep 0.01; done; echo late"
    dead = far(tmp_path / "dead", waits, timeout=LONG)
    alive = far(tmp_path, "echo done", timeout=LONG)

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        calls = [asyncio.create_task(dead.run(ASK)) for _ in range(20)]
        await asyncio.wait(calls, timeout=0.05)
        assert await alive.run(ASK) == "done\n"
        assert not any(task.done() for task in calls)
        (tmp_path / "go").touch()
        assert {*await asyncio.gather(*calls)} == {"late\n"}
        await dead.close()

    asyncio.run(go())


def test_a_transport_that_was_closed_has_threads_again(tmp_path: Path) -> None:
    """As it connects anew; closing what has none is nothing."""
    transport = far(tmp_path, "echo done", timeout=LONG)

    async def go() -> str:
        answer = await transport.run(ASK)
        await transport.close()
        await transport.close()
        return answer

    assert [asyncio.run(go()) for _ in range(2)] == ["done\n"] * 2
