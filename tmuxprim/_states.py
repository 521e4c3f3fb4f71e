"""`pane_states`: the states of all panes of a terminal at once."""

from collections.abc import Iterable

from tmuxprim._engine.pane_states import states_in
from tmuxprim._engine.plan import drive, drive_async
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.pane_state import PaneState
from tmuxprim._terminal import AsyncTerminal, Terminal
from tmuxprim._values.checks import refuse_other_kind
from tmuxprim._values.pane import Pane


def pane_states(
    terminal: Terminal,
    panes: Iterable[Pane | str] | None = None,
    *,
    strategy: ReadinessStrategy | None = None,
) -> tuple[PaneState, ...]:
    """Return the state of each pane, including those that other programs have opened.

    A state that the kernel reports takes one look. Where the chain has to see that nothing changes,
    all those panes are looked at again 0.3 s later, and the state is marked as a guess if that is
    not enough.

    Args:
        terminal: The terminal that the panes are in.
        panes: The panes, by id or by name; None is all panes. An id whose pane is gone is EXITED.
        strategy: Decides instead of the default chain.

    Raises:
        PaneNotFoundError: If no pane has a given name.
        InvalidStrategyError: If *strategy* cannot assess a snapshot.
        TmuxTimeoutError: If tmux hangs.
        TypeError: If *terminal* is made for asyncio.

    Examples:
        >>> terminal = FakeTerminal(programs={"rm": question("Remove? [y/N] ")})
        >>> _ = terminal.open("sh"), terminal.open("rm")
        >>> terminal.clock.sleep(1.0)  # virtual: both have started
        >>> for state in pane_states(terminal):
        ...     print(state)
        %0 prompt (sh): prompt '$' at the cursor
        %1 asking (rm): a program waits for a line, after 'Remove? [y/N]'
    """
    refuse_other_kind(terminal, "pane_states", "async_pane_states")
    return drive(states_in(panes, strategy), terminal)


async def async_pane_states(
    terminal: AsyncTerminal,
    panes: Iterable[Pane | str] | None = None,
    *,
    strategy: ReadinessStrategy | None = None,
) -> tuple[PaneState, ...]:
    """Return the state of each pane; see `pane_states`.

    Args:
        terminal: The terminal that the panes are in.
        panes: The panes, by id or by name; None is all panes. An id whose pane is gone is EXITED.
        strategy: Decides instead of the default chain.

    Raises:
        PaneNotFoundError: If no pane has a given name.
        InvalidStrategyError: If *strategy* cannot assess a snapshot.
        TmuxTimeoutError: If tmux hangs.
        TypeError: If *terminal* is made for asyncio.

    Examples:
        >>> import asyncio
        >>> async def states() -> list[State]:
        ...     terminal = AsyncFakeTerminal()
        ...     await terminal.open()
        ...     await terminal.clock.sleep(1.0)
        ...     return [state.state for state in await async_pane_states(terminal)]
        >>> asyncio.run(states())
        [<State.PROMPT: 'prompt'>]
    """
    refuse_other_kind(terminal, "async_pane_states", "pane_states")
    return await drive_async(states_in(panes, strategy), terminal)
