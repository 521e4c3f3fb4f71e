"""`pane_states` and `watch_states`: the states of all panes at once, and how they change."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Self

from tmuxprim._engine.pane_states import states_in
from tmuxprim._engine.plan import begin, drive, drive_async
from tmuxprim._engine.state_watch import StateWatcher
from tmuxprim._readiness.chain import Chain, ReadinessStrategy
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.pane_state import PaneState
from tmuxprim._readiness.state_change import StateChange
from tmuxprim._terminal import AsyncTerminal, Terminal
from tmuxprim._values.checks import refuse_other_kind
from tmuxprim._values.pane import Pane, to_pane


def pane_states(
    terminal: Terminal,
    panes: Iterable[Pane | str] | None = None,
    *,
    strategy: ReadinessStrategy | None = None,
) -> tuple[PaneState, ...]:
    """Return the state of each pane, including those that other programs have opened.

    A state that the kernel reports takes one snapshot. Panes whose state only time can show get a
    second snapshot 0.3 s later. If that does not decide either, `PaneState.is_guess` is true.

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


class StateWatch(Iterator[StateChange]):
    """The changes of the states of panes, one after another; made by `watch_states`.

    `close` ends it, and so does the end of a ``with`` block. After an error, such as a timeout of
    tmux, it can go on.

    Examples:
        >>> terminal = FakeTerminal()
        >>> _ = terminal.open()
        >>> with watch_states(terminal) as changes:
        ...     print(next(changes).now.state)
        State.PROMPT
    """

    def __init__(
        self,
        terminal: Terminal,
        panes: Iterable[Pane | str] | None = None,
        *,
        timeout: float | None = None,
        strategy: ReadinessStrategy | None = None,
    ) -> None:
        refuse_other_kind(terminal, "watch_states", "async_watch_states")
        self._terminal = terminal
        self._watcher = _watcher(panes, strategy)
        self._deadline = begin(timeout, terminal.clock.now())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __next__(self) -> StateChange:
        change = drive(self._watcher.next_change(self._deadline), self._terminal)
        if change is None:
            self.close()
            raise StopIteration
        return change

    def poll(self, seconds: float) -> StateChange | None:
        """Return the next change, or None if there is none for *seconds*.

        It is for a loop that also does something else. The time limit of the watch does not count.

        Args:
            seconds: The longest time to wait.

        Raises:
            InvalidStrategyError: If *seconds* is no number.
            TmuxprimError: The same errors as a step of the iterator.

        Examples:
            >>> terminal = FakeTerminal()
            >>> _ = terminal.open()
            >>> with watch_states(terminal) as changes:
            ...     print(changes.poll(1.0))
            ...     print(changes.poll(1.0))
            %0 prompt (sh): prompt '$' at the cursor
            None
        """
        deadline = begin(seconds, self._terminal.clock.now())
        return drive(self._watcher.next_change(deadline), self._terminal)

    def close(self) -> None:
        """Stop watching. Closing it twice is no error."""
        self._watcher.close()


class AsyncStateWatch(AsyncIterator[StateChange]):
    """The changes of the states of panes, for ``async for``; made by `async_watch_states`.

    A cancelled step, as by ``asyncio.wait_for``, loses no change: the next one goes on.

    Examples:
        >>> import asyncio
        >>> async def first() -> State:
        ...     terminal = AsyncFakeTerminal()
        ...     await terminal.open()
        ...     async with async_watch_states(terminal) as changes:
        ...         return (await anext(changes)).now.state
        >>> asyncio.run(first())
        <State.PROMPT: 'prompt'>
    """

    def __init__(
        self,
        terminal: AsyncTerminal,
        panes: Iterable[Pane | str] | None = None,
        *,
        timeout: float | None = None,
        strategy: ReadinessStrategy | None = None,
    ) -> None:
        refuse_other_kind(terminal, "async_watch_states", "watch_states")
        self._terminal = terminal
        self._watcher = _watcher(panes, strategy)
        self._deadline = begin(timeout, terminal.clock.now())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    async def __anext__(self) -> StateChange:
        change = await drive_async(self._watcher.next_change(self._deadline), self._terminal)
        if change is None:
            self.close()
            raise StopAsyncIteration
        return change

    def close(self) -> None:
        """Stop watching. Closing it twice is no error."""
        self._watcher.close()


def watch_states(
    terminal: Terminal,
    panes: Iterable[Pane | str] | None = None,
    *,
    timeout: float | None = None,
    strategy: ReadinessStrategy | None = None,
) -> StateWatch:
    """Watch the states of panes: return an iterator over their changes.

    The first change of each pane is its state now. A step of the iterator looks at the panes; no
    thread runs, and nothing is queued. So a slow consumer gets the newest states, and misses those
    that have come and gone meanwhile.

    A change is another state, another question, another program that waits, work in the background
    that begins or ends, or a guess that has become certain. Work is reported after 0.03 s. If an AI
    assistant works and its screen does not show that, it is reported after 1 s. A guess is reported
    when `Console.wait_ready` would end by it.

    Args:
        terminal: The terminal that the panes are in.
        panes: The panes, by id or by name; None is all panes, including those that come later.
        timeout: Seconds until the iterator ends; None is never.
        strategy: Decides instead of the default chain.

    Returns:
        The iterator. It ends when all panes that were given are gone, each as EXITED.

    Raises:
        PaneNotFoundError: If no pane has a given name. This and the following are raised by a step.
        TmuxServerError: If all panes are watched, and none is left.
        TmuxTimeoutError: If tmux hangs.
        InvalidPaneError: If a name is none.
        InvalidStrategyError: If *strategy* cannot assess a snapshot, or *timeout* is no number.
        TypeError: If *terminal* is made for asyncio.

    Examples:
        >>> shell = ScriptedShell({"make": [after(60.0, "done"), question("Install? [y/N] ")]})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.wait_ready(), console.send("make")
        >>> for change in watch_states(terminal, timeout=600.0):
        ...     print(change)
        %0 working (make): make runs and does not read
        %0 working -> asking (make): a program waits for a line, after 'Install? [y/N]'
    """
    return StateWatch(terminal, panes, timeout=timeout, strategy=strategy)


def async_watch_states(
    terminal: AsyncTerminal,
    panes: Iterable[Pane | str] | None = None,
    *,
    timeout: float | None = None,
    strategy: ReadinessStrategy | None = None,
) -> AsyncStateWatch:
    """Watch the states of panes from asyncio, by ``async for``; see `watch_states`.

    Raises:
        PaneNotFoundError: If no pane has a given name. This and the following are raised by a step.
        TmuxServerError: If all panes are watched, and none is left.
        TmuxTimeoutError: If tmux hangs.
        InvalidPaneError: If a name is none.
        InvalidStrategyError: If *strategy* cannot assess a snapshot, or *timeout* is no number.
        TypeError: If *terminal* is not made for asyncio.

    Examples:
        >>> import asyncio
        >>> async def watch() -> list[str]:
        ...     terminal = AsyncFakeTerminal()
        ...     await terminal.open()
        ...     changes = async_watch_states(terminal, timeout=1.0)
        ...     return [str(change) async for change in changes]
        >>> asyncio.run(watch())
        ["%0 prompt (sh): prompt '$' at the cursor"]
    """
    return AsyncStateWatch(terminal, panes, timeout=timeout, strategy=strategy)


def facts_of_state(state: PaneState) -> dict[str, object]:
    """Return a state for programs."""
    return {
        "state": state.state.value,
        "program": state.program,
        "reason": state.reason,
        "is_guess": state.is_guess,
        "question": state.question,
        "background": state.background,
        "evidence": state.evidence,
    }


def _watcher(
    panes: Iterable[Pane | str] | None, strategy: ReadinessStrategy | None
) -> StateWatcher:
    chain = default_chain() if strategy is None else Chain((strategy,))
    return StateWatcher(None if panes is None else tuple(map(to_pane, panes)), chain)
