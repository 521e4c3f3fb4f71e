"""`AsyncTmuxTerminal`, as far as no tmux is needed; the rest is in the contract."""

import asyncio
from pathlib import Path

import pytest

from tmuxprim import AsyncTmuxTerminal, KeySequence, Pane, Size, TmuxCommandError
from tmuxprim._tmux.async_output_watch import AsyncPollingWatch
from tmuxprim._tmux.operations import PaneDevice
from tmuxprim.errors import TapUnavailableError


def test_a_server_behind_a_launcher_is_not_heard() -> None:
    """Its terminals are on another machine, which is asked by a call."""

    async def main() -> None:
        async with AsyncTmuxTerminal(launcher=("false",)) as terminal:
            assert isinstance(await terminal.watch_output(Pane("%0")), AsyncPollingWatch)
            with pytest.raises(TmuxCommandError):
                await terminal.probe(Pane("%0"))
            with pytest.raises(TapUnavailableError):
                await terminal.tap(Pane("%0"))
            with pytest.raises(TmuxCommandError):
                await terminal.send(Pane("%0"), KeySequence.paste("x"))
            with pytest.raises(TmuxCommandError):
                await terminal.resize(Pane("%0"), Size(80, 24))

    asyncio.run(main())


def test_a_program_that_has_ended_is_not_heard(tmp_path: Path) -> None:
    """Its terminal may be another pane's by now."""

    async def main() -> None:
        terminal = AsyncTmuxTerminal(socket_path=tmp_path / "s")
        devices = terminal._operations._devices  # noqa: SLF001  # as of a snapshot
        devices[Pane("%0")] = PaneDevice("/dev/null", 0, "1.2", catches_up=True)
        assert isinstance(await terminal.watch_output(Pane("%0")), AsyncPollingWatch)
        assert await terminal.probe(Pane("%0")) is None

    asyncio.run(main())
