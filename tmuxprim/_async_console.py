"""`AsyncConsole`: the `Console` for asyncio: the same names, to be awaited, over the same plans."""

import re
from typing import TypeVar, overload

from tmuxprim import _profiles
from tmuxprim._async_terminal import AsyncTerminal
from tmuxprim._conversation import Conversation
from tmuxprim._keys import Key
from tmuxprim._mark import Mark
from tmuxprim._new_text import NewText
from tmuxprim._output import CommandResult
from tmuxprim._pane import Pane, to_pane
from tmuxprim._plan import Plan, drive_async
from tmuxprim._prompts import Prompts
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._strategy import ReadinessStrategy, check_strategy
from tmuxprim._refusals import refuse_other_kind
from tmuxprim._sequence import KeySequence

T = TypeVar("T")


class AsyncConsole:
    r"""Drives one pane of a terminal from within asyncio.

    Everything may be cancelled, and waited for with `asyncio.timeout`; nothing is left behind.
    A `send` that is cancelled may have typed the text without its Enter, so look before you type
    again. One console is for one task at a time, as one pane has one keyboard.

    Args:
        terminal: Where the pane is.
        pane: The pane, by id or by name.
        strategy: Decides when the pane is ready; None is the default chain.
        leave_mode: What to do before sending when the pane is in copy mode, or another mode of
            tmux: leave it, or (the default) refuse, since a person may be reading there.
        prompt_rows: How many rows the prompt has that stands in the pane, for `run`; None to find
            that out, where it can be known.

    Raises:
        InvalidStrategyError: If *strategy* cannot assess a look.
        InvalidScreenError: If *prompt_rows* is no number of rows.
        InvalidPaneError: If *pane* is a text that cannot name one.
        TypeError: If *terminal* is one for `Console`.

    Examples:
        A thousand panes at once, waited for without a thread:

        >>> import asyncio
        >>> async def build(terminal: AsyncTerminal, name: str) -> str:
        ...     console = AsyncConsole(terminal, await terminal.open())
        ...     return (await console.run(f"echo {name}")).output
        >>> async def build_all() -> list[str]:
        ...     terminal = AsyncFakeTerminal()  # AsyncTmuxTerminal() for the real thing
        ...     return await asyncio.gather(*(build(terminal, name) for name in "abc"))
        >>> asyncio.run(build_all())
        ['a\n', 'b\n', 'c\n']
    """

    def __init__(
        self,
        terminal: AsyncTerminal,
        pane: Pane | str,
        *,
        strategy: ReadinessStrategy | None = None,
        leave_mode: bool = False,
        prompt_rows: int | None = None,
    ) -> None:
        refuse_other_kind(terminal, "AsyncConsole", "Console")
        if strategy is not None:
            check_strategy(strategy)
        self._terminal = terminal
        self._talk = Conversation(to_pane(pane), strategy, leave_mode, Prompts(prompt_rows))

    def __repr__(self) -> str:
        return f"AsyncConsole({self._terminal!r}, {self._talk.pane or self._talk.named!r})"

    @property
    def terminal(self) -> AsyncTerminal:
        """The terminal that the pane is in."""
        return self._terminal

    async def locate(self) -> Pane:
        """Return the pane's id, which is looked up once; see `Console.pane`.

        Raises:
            PaneNotFoundError: If no pane had that name when it was looked up.
        """
        return await self._drive(self._talk.locate())

    async def send(self, text: str | KeySequence, *, enter: bool = True) -> Mark:
        """Type *text* exactly as given, and press Enter; see `Console.send`."""
        return await self._drive(self._talk.send(text, enter=enter))

    async def keys(self, *keys: str | Key | KeySequence) -> Mark:
        """Press keys, without Enter; see `Console.keys`."""
        return await self._drive(self._talk.keys(keys))

    async def mark(self) -> Mark:
        """Return the mark of now, without sending anything; see `Console.mark`."""
        return await self._drive(self._talk.take_mark())

    @overload
    async def read(self, lines: int = 100) -> str: ...

    @overload
    async def read(self, lines: int = 100, *, since: Mark) -> NewText: ...

    async def read(self, lines: int = 100, *, since: Mark | None = None) -> str:
        """Return the screen, and what scrolled off it last, as text; see `Console.read`."""
        if since is None:
            return await self._drive(self._talk.read(lines))
        return await self._drive(self._talk.read_since(since))

    async def wait_ready(
        self,
        timeout: float = 10.0,  # noqa: ASYNC109  # looks once more when it is over
        *,
        prompt_pattern: str | re.Pattern[str] | None = None,
        strategy: ReadinessStrategy | None = None,
        since: Mark | None = None,
    ) -> Readiness:
        """Wait until the pane can take input, and say why it can; see `Console.wait_ready`."""
        return await self._drive(self._talk.wait_ready(timeout, prompt_pattern, strategy, since))

    async def wait_for(
        self,
        pattern: str | re.Pattern[str],
        timeout: float = 10.0,  # noqa: ASYNC109  # as above
        *,
        since: Mark | None = None,
    ) -> Readiness:
        """Wait until a text is on the screen that is new; see `Console.wait_for`."""
        return await self._drive(self._talk.wait_for(pattern, timeout, since))

    async def run(
        self,
        command: str,
        timeout: float = 30.0,  # noqa: ASYNC109  # as above
    ) -> CommandResult:
        """Run a command and return exactly what it printed; see `Console.run`."""
        return await self._drive(self._talk.run(command, timeout))

    async def learn_prompt(
        self,
        timeout: float = 10.0,  # noqa: ASYNC109  # as above
    ) -> int | None:
        """Press Enter at the prompt, and learn how many rows it has; see `Console.learn_prompt`."""
        return await self._drive(self._talk.learn_prompt(timeout))

    def session(self, profile: "_profiles.Profile") -> "_profiles.AsyncSession":
        """Return a session with a program, for ``async with``; see `Console.session`."""
        return _profiles.AsyncSession(self._terminal, self._talk, profile)

    async def _drive(self, plan: Plan[T]) -> T:
        return await drive_async(plan, self._terminal)
