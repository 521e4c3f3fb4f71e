"""`AsyncSession`: a program that is started, asked, and left again, for asyncio."""

import asyncio
from types import TracebackType
from typing import Self, TypeVar

from tmuxprim._async_terminal import AsyncTerminal
from tmuxprim._conversation import Conversation
from tmuxprim._errors import TmuxprimError
from tmuxprim._plan import Plan, drive_async
from tmuxprim._profiles._answer import Answer
from tmuxprim._profiles._dialogue import Dialogue
from tmuxprim._profiles._profile import Profile

T = TypeVar("T")


class AsyncSession:
    """A program in a pane, from its start to its end, for asyncio; see `Session`.

    Tasks that ask it take turns: a question is typed once the one before has been answered, and
    the program is left after the last.

    Examples:
        >>> import asyncio
        >>> async def ask(terminal: AsyncTerminal) -> str:
        ...     console = AsyncConsole(terminal, await terminal.open("sh"))
        ...     async with console.session(PYTHON) as session:
        ...         return (await session.ask("6 * 7")).text
        >>> python = repl(lambda line: str(eval(line)), prompt=">>> ")
        >>> fake = FakeTerminal(programs={"sh": ScriptedShell({"python3 -q": python})})
        >>> asyncio.run(ask(AsyncFakeTerminal(fake)))
        '42'
    """

    def __init__(self, terminal: AsyncTerminal, talk: Conversation, profile: Profile) -> None:
        self._terminal = terminal
        self._dialogue = Dialogue(talk, profile)
        self._turns = asyncio.Lock()

    def __repr__(self) -> str:
        return f"AsyncSession({self._terminal!r}, {self.profile.name!r})"

    @property
    def profile(self) -> Profile:
        """What is known of the program."""
        return self._dialogue.profile

    async def ask(
        self,
        text: str,
        timeout: float | None = None,  # noqa: ASYNC109  # looks once more when it is over
    ) -> Answer:
        """Ask the program something and return its answer; see `Session.ask`."""
        async with self._turns:
            return await self._drive(self._dialogue.ask(text, timeout))

    async def go_on(
        self,
        timeout: float | None = None,  # noqa: ASYNC109  # looks once more when it is over
    ) -> Answer:
        """Wait on for an answer that is not complete; see `Session.go_on`."""
        async with self._turns:
            return await self._drive(self._dialogue.go_on(timeout))

    async def __aenter__(self) -> Self:
        async with self._turns:
            self._dialogue.refuse_if_running()  # before the `try`, which would leave what runs
            try:
                await self._drive(self._dialogue.start())
            except BaseException as error:  # a cancelled start, too: nobody else leaves it
                await self._leave(error)
                raise
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        async with self._turns:
            await self._leave(error)

    async def _leave(self, error: BaseException | None) -> None:
        try:
            await self._drive(self._dialogue.leave())
        except TmuxprimError as problem:
            if error is None:
                raise
            error.add_note(str(problem))

    async def _drive(self, plan: Plan[T]) -> T:
        return await drive_async(plan, self._terminal)
