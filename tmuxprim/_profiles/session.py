"""`Session`: a program that is started, asked, and left again."""

import asyncio
from types import TracebackType
from typing import Self, TypeVar

from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import Plan, drive, drive_async
from tmuxprim._profiles.answer import Answer
from tmuxprim._profiles.dialogue import Dialogue
from tmuxprim._profiles.profile import Profile
from tmuxprim._terminal import AsyncTerminal, Terminal
from tmuxprim.errors import TmuxprimError

T = TypeVar("T")


class Session:
    r"""A program in a pane, from its start to its end; `Console.session` makes one.

    As a context manager it starts the program, waits until it is ready, and at the end leaves it
    and waits for the shell's prompt. Within the block you may also use the console's own methods,
    and its `Console.wait_ready` knows the program. With *adopt* the program already runs: at the
    start nothing is typed, and at the end it is left running.

    Raises:
        PaneBusyError: At the start, if the pane shows no shell's prompt, or text is typed behind
            it, or if a session runs in the pane already; with *adopt*, if another program is in
            front. Nothing was sent.
        ProgramStartError: At the start, if the program ends at once, is not ready in time, or asks
            something, such as for a login. The session has then interrupted it.
        ProgramStaysError: At the end, if it cannot be left. If the block has raised an error, that
            error is raised, with this one as a note.

    Examples:
        >>> python = repl(lambda line: str(eval(line)), prompt=">>> ")
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"python3 -q": python})})
        >>> console = Console(terminal, terminal.open())
        >>> with console.session(PYTHON) as session:
        ...     print(session.ask("6 * 7"))
        42
        >>> console.run("echo back").output  # in the shell
        'back\n'
    """

    def __init__(
        self, terminal: Terminal, plans: ConsolePlans, profile: Profile, *, adopt: bool = False
    ) -> None:
        self._terminal = terminal
        self._dialogue = Dialogue(plans, profile, adopt)

    def __repr__(self) -> str:
        return f"Session({self._terminal!r}, {self.profile.name!r})"

    @property
    def profile(self) -> Profile:
        """The profile of the program."""
        return self._dialogue.profile

    def ask(self, text: str, timeout: float | None = None) -> Answer:
        """Ask the program something and return only its answer.

        The text is typed, Enter is pressed once the program shows it, and the answer is cut out
        when it is complete. A line break at the end of the text ends a block, such as that of a
        ``def`` in Python, as an empty line does.

        Args:
            text: The question, of one line or several.
            timeout: Longest wait, in seconds; None is the profile's ``answer_timeout``.

        Returns:
            The answer. If it is not complete, `Answer.readiness` says what the program waits for.

        Raises:
            ProgramEndedError: If the program has ended; nothing was sent.
            PaneBusyError: If it takes no question now, or something is typed at its prompt; nothing
                was sent.
            InvalidTextError: If *text* cannot be typed; nothing was sent.
            InvalidStrategyError: If *timeout* is no number of 0 or more.
            TmuxTimeoutError: If tmux hangs.
        """
        return self._drive(self._dialogue.ask(text, timeout))

    def resume(self, timeout: float | None = None) -> Answer:
        """Keep waiting for an unfinished answer, and return it.

        Use it after the time was up, and after a question of the program was answered by
        `Console.send` or `Console.keys`.

        Args:
            timeout: Longest wait, in seconds; None is the profile's ``answer_timeout``.

        Returns:
            The whole answer, also the part that was there before.

        Raises:
            ProgramEndedError: If the program has ended.
            InvalidStrategyError: If *timeout* is no number of 0 or more.
            TmuxTimeoutError: If tmux hangs.
        """
        return self._drive(self._dialogue.resume(timeout))

    def __enter__(self) -> Self:
        self._dialogue.refuse_if_running()  # before the `try`, which would end it
        try:
            self._drive(self._dialogue.enter())
        except BaseException as error:  # even C-c during the start: nothing else leaves it
            self._leave(error)
            raise
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._leave(error)

    def _leave(self, error: BaseException | None) -> None:
        try:
            self._drive(self._dialogue.leave())
        except TmuxprimError as problem:
            if error is None:
                raise
            error.add_note(str(problem))

    def _drive(self, plan: Plan[T]) -> T:
        return drive(plan, self._terminal)


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

    def __init__(
        self, terminal: AsyncTerminal, plans: ConsolePlans, profile: Profile, *, adopt: bool = False
    ) -> None:
        self._terminal = terminal
        self._dialogue = Dialogue(plans, profile, adopt)
        self._turns = asyncio.Lock()

    def __repr__(self) -> str:
        return f"AsyncSession({self._terminal!r}, {self.profile.name!r})"

    @property
    def profile(self) -> Profile:
        """The profile of the program."""
        return self._dialogue.profile

    async def ask(
        self,
        text: str,
        timeout: float | None = None,
    ) -> Answer:
        """Ask the program something and return its answer; see `Session.ask`.

        Args:
            text: The question, of one line or several.
            timeout: Longest wait, in seconds; None is the profile's ``answer_timeout``.

        Returns:
            The answer. If it is not complete, `Answer.readiness` says what the program waits for.

        Raises:
            ProgramEndedError: If the program has ended; nothing was sent.
            PaneBusyError: If it takes no question now, or something is typed at its prompt; nothing
                was sent.
            InvalidTextError: If *text* cannot be typed; nothing was sent.
            InvalidStrategyError: If *timeout* is no number of 0 or more.
            TmuxTimeoutError: If tmux hangs.
        """
        async with self._turns:
            return await self._drive(self._dialogue.ask(text, timeout))

    async def resume(
        self,
        timeout: float | None = None,
    ) -> Answer:
        """Keep waiting for an unfinished answer, and return it; see `Session.resume`.

        Args:
            timeout: Longest wait, in seconds; None is the profile's ``answer_timeout``.

        Returns:
            The whole answer, also the part that was there before.

        Raises:
            ProgramEndedError: If the program has ended.
            InvalidStrategyError: If *timeout* is no number of 0 or more.
            TmuxTimeoutError: If tmux hangs.
        """
        async with self._turns:
            return await self._drive(self._dialogue.resume(timeout))

    async def __aenter__(self) -> Self:
        async with self._turns:
            self._dialogue.refuse_if_running()  # before the `try`, which would end it
            try:
                await self._drive(self._dialogue.enter())
            except BaseException as error:  # even a cancelled start: nothing else leaves it
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
