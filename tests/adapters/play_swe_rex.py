"""The recipe for SWE-ReX, in its own runtime and with a scripted client."""

import asyncio

import pytest
from swerex.exceptions import CommandTimeoutError, NonZeroExitCodeError
from swerex.runtime.abstract import BashAction, BashInterruptAction
from swerex.runtime.local import LocalRuntime

from tests.adapters.recipes import recipe
from tests.adapters.script import Script
from tmuxprim.adapters import Shell

RECIPE = recipe("SWE-ReX")


def runtime(shell: Shell) -> LocalRuntime:
    """Return a runtime that has the session."""
    local = LocalRuntime()
    local.sessions["default"] = RECIPE.TmuxSession(shell)
    return local


def test_a_client_works_in_the_pane(shell: Shell, by_shell: Script) -> None:
    """It installs, mends a test, and leaves vim."""

    async def work() -> None:
        local = runtime(shell)
        says = by_shell.next(None)
        while says is not None:
            done = await local.run_in_session(BashAction(command=says, timeout=60, check="silent"))
            says = by_shell.next(done.output)

    asyncio.run(work())


def test_a_command_fails_or_takes_too_long(shell: Shell) -> None:
    """Their own session loses the output of the latter; ours goes on with it."""

    async def work() -> None:
        run = runtime(shell).run_in_session
        with pytest.raises(NonZeroExitCodeError, match="No such file"):
            await run(BashAction(command="ls /none", timeout=60))
        with pytest.raises(CommandTimeoutError, match="before"):
            await run(BashAction(command="echo before; sleep 60", timeout=3))
        await run(BashInterruptAction(timeout=60))
        done = await run(BashAction(command="echo $((6 * 7))", timeout=60))
        assert (done.output, done.exit_code) == ("42\n", 0)

    asyncio.run(work())
