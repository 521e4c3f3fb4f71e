"""`Console` and `AsyncConsole`: send to one pane, read it, wait for it, run commands in it."""

import re
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Self, TypeVar, Unpack, overload

from tmuxprim import _profiles
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.output import CommandResult
from tmuxprim._engine.plan import Plan, begin, drive, drive_async, open_pane
from tmuxprim._engine.prompts import Prompts
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.snapshot import Readiness
from tmuxprim._terminal import AsyncTerminal, OpenOptions, Terminal
from tmuxprim._values.checks import refuse_other_kind, to_program
from tmuxprim._values.evidence import Mark
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.new_text import NewText
from tmuxprim._values.pane import Pane, to_pane
from tmuxprim._values.receipt import Receipt
from tmuxprim._values.screen import Screen

T = TypeVar("T")


class Console:
    """Drives one pane of a terminal.

    The pane is looked up by its name once. From then on the console uses its id, so it stays with
    the same pane when that is renamed or moved. When that pane is gone, it raises
    `PaneNotFoundError`, also if another server has a pane with the same name or id by then.

    A console is for one thread at a time, as a pane has one keyboard; the terminal may be shared.

    Args:
        terminal: Where the pane is.
        pane: The pane, by id or by name.
        strategy: Decides when the pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode, or another mode of tmux, before sending. By default
            sending is refused there, since a person may be reading.
        prompt_rows: How many rows the prompt in the pane has, for `run`; None to find that out.

    Raises:
        InvalidStrategyError: If *strategy* cannot assess a snapshot.
        InvalidScreenError: If *prompt_rows* is no number of rows.
        InvalidPaneError: If *pane* is a text that cannot name one.
        TypeError: If *terminal* is one for `AsyncConsole`.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a  b"})})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> console.wait_ready().outcome
        <Outcome.PROMPT: 'prompt'>
        >>> mark = console.send("ls")
        >>> print(console.wait_ready().reason)
        prompt '$' at the cursor
        >>> print(console.read())
        $ ls
        a  b
        $
    """

    def __init__(
        self,
        terminal: Terminal,
        pane: Pane | str,
        *,
        strategy: ReadinessStrategy | None = None,
        leave_mode: bool = False,
        prompt_rows: int | None = None,
    ) -> None:
        refuse_other_kind(terminal, "Console", "AsyncConsole")
        self._terminal = terminal
        state = ConsoleState(to_pane(pane), strategy, leave_mode, Prompts(prompt_rows))
        self._plans = ConsolePlans(state)

    @classmethod
    @contextmanager
    def open(
        cls,
        terminal: Terminal,
        command: str | Sequence[str] | None = None,
        *,
        reuse: bool = False,
        **options: Unpack[OpenOptions],
    ) -> Iterator[Self]:
        """Open a pane for a ``with`` block, which closes it in the end, and give a console on it.

        Args:
            terminal: Where to open it.
            command: What runs in it; see `Terminal.open`. A text of one word, such as ``"bash"``,
                is the name of a program.
            reuse: Whether to take the pane that has the name if there is one, whatever runs in it
                by now. It stays when the block ends, since others have opened it.
            options: *name*, *size*, *cwd*, *env* and *shell_integration* of a new pane, as of
                `Terminal.open`. The name of the session is the pane's as well.

        Raises:
            PaneExistsError: If the name is taken, and is not to be reused.
            ProgramNotFoundError: If *command* is words, or one word, and there is no such program;
                or no directory *cwd*.
            InvalidPaneError: If no session can have the name, or none is given with *reuse*.

        Examples:
            >>> terminal = FakeTerminal()
            >>> with Console.open(terminal, name="shared") as console:
            ...     with Console.open(terminal, name="shared", reuse=True) as same:
            ...         assert same.pane == console.pane
            ...     print(console.run("echo hi").output, end="")
            hi
            >>> terminal.panes()
            ()
        """
        refuse_other_kind(terminal, "Console", "AsyncConsole")
        program = to_program(command)
        plan = open_pane(
            lambda terminal: terminal.open(program, **options), options.get("name"), reuse=reuse
        )
        pane, is_new = drive(plan, terminal)
        try:
            yield cls(terminal, pane)
        finally:
            if is_new:
                terminal.close(pane)

    def __repr__(self) -> str:
        state = self._plans.state
        return f"Console({self._terminal!r}, {state.pane or state.named!r})"

    @property
    def terminal(self) -> Terminal:
        """The terminal that the pane is in."""
        return self._terminal

    @property
    def pane(self) -> Pane:
        """The pane's id.

        Raises:
            PaneNotFoundError: If no pane had that name, or that id, when it was looked up.
        """
        return self._drive(self._plans.locate())

    def send(
        self,
        text: str | KeySequence,
        *,
        enter: bool = True,
        only: Collection[str] | None = None,
    ) -> Mark:
        r"""Type *text* exactly as given, and press Enter once the program has taken it.

        The text is never a key name, a tmux command or a format. A newline in it is sent as LF
        (``C-j``), which shells take for Enter and most editors do not; say what you mean with
        ``KeySequence.lines(text)``, where each line end is Enter, or ``KeySequence.paste(text)``.
        A text of more than 200 characters is pasted into an AI assistant, which would take the
        Enter behind it for a part of it, and into others that draw themselves.

        It does just that, whatever the pane shows. A line that a person has begun to type becomes
        a part of it; `run` refuses there.

        Args:
            text: What to type; an empty text is just Enter.
            enter: Whether to press Enter after it.
            only: Names of programs, such as ``["claude"]``. If another one is in front, nothing is
                typed; if it is by the time of Enter, that is not pressed. None for any program.

        Returns:
            The mark against which the next `wait_ready` judges.

        Raises:
            InvalidTextError: If the text holds a NUL or a lone surrogate, or a line that is longer
                than what the kernel keeps for a program that reads whole lines.
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited.
            PaneBusyError: If tmux would swallow the text, or the program in front is not *only*.
            TmuxServerError: If a connection in control mode ended before tmux answered; it may
                have typed the text.
            TmuxTimeoutError: If the server hangs; it may type the text later. With the other
                errors nothing was sent, or the message says what was.
        """
        return self._drive(self._plans.send(text, enter=enter, only=only))

    def submit(
        self, text: str, *, again: bool = False, only: Collection[str] | None = None
    ) -> Receipt:
        """Type *text* and Enter as `send` does, and return what became of them.

        It looks first what is in front, and refuses to type at a dialog or a menu, which would take
        the Enter for a choice, and behind what somebody else has begun to type.

        Args:
            text: What to type; an empty text is just Enter.
            again: Whether to press Enter once more if the text is in its box still: when that is so
                for four seconds, and for no other receipt.
            only: As of `send`.

        Returns:
            What became of the text, as far as that can be determined. In most cases that is known
            within 0.2 s, and within four at the latest.

        Raises:
            PaneBusyError: If it would do harm; nothing was sent.
            InvalidTextError: As `send`; so are the other errors.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a  b"})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.wait_ready()
            >>> console.submit("ls")
            <Receipt.DELIVERED: 'delivered'>
        """
        return self._drive(self._plans.submit_with_care(text, again=again, only=only))

    def keys(self, *keys: str | Key | KeySequence | Sequence[str | Key]) -> Mark:
        """Press keys, without Enter: ``keys("C-c")``, ``keys("Up Up")``, ``keys(["Up", "Up"])``.

        Args:
            keys: Key names, several of them with blanks between them or in a list, keys, or
                sequences of text and keys. The blank's own name is ``Space``.

        Returns:
            The mark against which the next `wait_ready` judges.

        Raises:
            InvalidKeyError: If a name is not a key; nothing was sent.
            InvalidTextError: If a sequence has a line that the kernel would cut; nothing was sent.
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited.
            PaneBusyError: If tmux would swallow the keys; nothing was sent.
        """
        return self._drive(self._plans.keys(keys))

    def mark(self) -> Mark:
        """Return a mark of now, to wait for, or to read, what comes later.

        Nothing is sent, so waits without a mark still judge against the last send.

        Raises:
            PaneNotFoundError: If the pane is gone.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"serve": after(9.0, "up")})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.send("serve"), console.wait_for("up")
            >>> console.wait_for("up", 1.0, since=console.mark()).outcome
            <Outcome.TIMEOUT: 'timed out'>
        """
        return self._drive(self._plans.take_mark())

    @overload
    def read(self, lines: int = 100) -> str: ...

    @overload
    def read(self, lines: int = 100, *, since: Mark) -> NewText: ...

    def read(self, lines: int = 100, *, since: Mark | None = None) -> str:
        """Return the screen, and what scrolled off it last, as clean text.

        Args:
            lines: How many rows of the history to add above the screen, at most; with *since* all
                that are new.
            since: Return only what is new since that mark: the lines that were printed, and the
                prompt or question that the program shows now, but not what was typed.
                `NewText.complete` says whether that is all of it.

        Raises:
            PaneNotFoundError: If the pane is gone.
            InvalidPaneError: If *since* is the mark of another pane.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"date": "Sunday"})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.wait_ready()
            >>> mark = console.send("date")
            >>> _ = console.wait_ready()
            >>> print(console.read(since=mark))
            Sunday
            $
        """
        if since is None:
            return self._drive(self._plans.read(lines))
        return self._drive(self._plans.read_since(since))

    def wait_ready(
        self,
        timeout: float | None = 10.0,
        *,
        prompt_pattern: str | re.Pattern[str] | None = None,
        strategy: ReadinessStrategy | None = None,
        since: Mark | None = None,
    ) -> Readiness:
        """Wait until the pane can take input, and say why it can.

        The last snapshot is taken after *timeout*, so a ready pane never times out, not even with
        ``timeout=0``.

        Args:
            timeout: Longest wait, in seconds; None is for ever.
            prompt_pattern: Regular expression of the prompt to wait for, instead of the known
                prompts; searched in the lowest row that is not empty. Programs that the console's
                strategy knows still veto and ask.
            strategy: Decides instead of the console's own strategy.
            since: The mark to judge against; the last one if None.

        Returns:
            What was found, with the screen it was found on.

        Raises:
            InvalidPaneError: If *since* is the mark of another pane.
            InvalidPatternError: If *prompt_pattern* is not a regular expression.
            InvalidStrategyError: If both are given, or *timeout* is no number of seconds.
            PaneNotFoundError: If the pane was gone before it was seen.
        """
        return self._drive(self._plans.wait_ready(timeout, prompt_pattern, strategy, since))

    def wait_for(
        self,
        pattern: str | re.Pattern[str],
        timeout: float | None = 10.0,
        *,
        since: Mark | None = None,
        gone: bool = False,
    ) -> Readiness:
        """Wait until a text is on the screen that was not there at the mark.

        What was typed does not count. A text that was there at the mark counts when it is gone in
        one snapshot and there again in a later one. The program may print the text long before it
        takes input: call `wait_ready` before you type.

        Args:
            pattern: A text, taken literally, or a compiled regular expression. Lines are as the
                program wrote them, however the screen wraps them.
            timeout: Longest wait, in seconds; None is for ever.
            since: The mark to judge against; None is that of the last send, and if there was
                none, all text is new. Give ``console.mark()`` for what appears from now on.
            gone: Wait until the text is *not* on the screen, whenever it came. That is so, too, of
                one that has not come yet: wait for it first.

        Returns:
            MATCHED with the screen; TIMEOUT; or EXITED if the program ended, also if another one
            was started in its place.

        Raises:
            InvalidPaneError: If *since* is the mark of another pane.
            InvalidPatternError: If *pattern* is empty, or no pattern of text.
            InvalidStrategyError: If both *since* and *gone* are given.

        Examples:
            >>> shell = ScriptedShell({"serve": [after(1.0, "listening on 8080"), after(60.0)]})
            >>> terminal = FakeTerminal(programs={"sh": shell})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.send("serve")
            >>> print(console.wait_for("listening").reason)
            'listening' is on the screen
        """
        return self._drive(self._plans.wait_for(pattern, timeout, since, gone=gone))

    def watch(self, timeout: float | None = None) -> Iterator[Screen]:
        """Yield the screen, and again each time that it has changed.

        It is for what shows a pane to somebody. What changes faster than you take it is left out;
        to wait for something call `wait_ready` or `wait_for`.

        Args:
            timeout: When to end, in seconds; None is when the program ends, or the pane.

        Raises:
            PaneNotFoundError: If the pane was gone before it was seen.

        Examples:
            >>> shell = ScriptedShell({"get": progress_bar(10.0)})
            >>> terminal = FakeTerminal(programs={"sh": shell})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.wait_ready(), console.send("get")
            >>> [screen.rows[1] for screen in console.watch(6.5)][-1]
            '[######    ] 60%'
        """
        deadline = begin(timeout, self._terminal.clock.now())
        screen: Screen | None = None
        while (screen := self._drive(self._plans.next_screen(screen, deadline))) is not None:
            yield screen

    def run(
        self,
        command: str,
        timeout: float | None = 30.0,
        *,
        exit_status: bool = False,
        idle_timeout: float | None = None,
        all_output: bool = False,
    ) -> CommandResult:
        r"""Run a command and return exactly what it printed.

        It needs a prompt with nothing typed behind it; a question is answered with `send`. Nothing
        is typed but the command; each of several lines is typed once the shell has taken the one
        before. The output is what stands between the command line and the next prompt. No screen
        shows an exit status: *exit_status* asks the shell for it, and a person sees that in the
        pane.

        Where the output ends depends on how many rows the prompt has. Modern shells mark that in
        what they write, which a tap takes (`Terminal.tap`) unless the prompt is known to have one
        row. Of others it is known once a prompt stood at the top of the pane or right below a
        command, or Enter was pressed at one, or from `learn_prompt`, or from
        ``Console(prompt_rows=2)``. Until then a last row that may be the prompt's is in the output,
        and `CommandResult.complete` is false.

        Args:
            command: One line, or several.
            timeout: Longest wait, in seconds, from before the first line to the last prompt; None
                is for ever.
            exit_status: Whether to type one line more when the command has ended, `` echo $?``
                (``$status`` in fish and csh), for `CommandResult.exit_status`. The output is
                without it. The shell has 3 seconds for its answer at least.
            idle_timeout: Also give up once the program has written nothing for so many seconds;
                None to wait for the timeout. The outcome is TIMEOUT, and the reason says which.
            all_output: Whether to return output that the pane's history is too short for, too. What
                is written while the command runs is taken by a tap (`Terminal.tap`), and drawn
                anew. Where that is not for sure what the pane shows, the output is what it is
                without, and not complete.

        Returns:
            The output, and how the wait ended: a command that asks something has not ended, and
            the lines after it were not typed. `resume` waits on for one whose time is up.

        Raises:
            PaneBusyError: If another command runs, or asks something, or somebody has begun to type
                at the prompt, or *exit_status* is asked for and what reads there is no shell that
                is known; nothing was sent.
            PaneNotFoundError: If the pane is gone; nothing was sent.
            PaneDeadError: If its program has exited; nothing was sent.
            InvalidStrategyError: If *timeout* or *idle_timeout* is no number of seconds.
            InvalidTextError: If the command holds a tab or another control character, which a line
                editor takes for a key; nothing was sent. ``send(KeySequence.paste(text))`` pastes.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"date": "Sunday"})})
            >>> Console(terminal, terminal.open("sh")).run("date").output
            'Sunday\n'
            >>> Console(terminal, terminal.open("sh")).run("make", exit_status=True).exit_status
            127
        """
        plan = self._plans.run(
            command,
            timeout,
            exit_status=exit_status,
            idle_timeout=idle_timeout,
            all_output=all_output,
        )
        return self._drive(plan)

    def resume(
        self, timeout: float | None = 30.0, *, idle_timeout: float | None = None
    ) -> CommandResult:
        r"""Wait on for the command of a `run` that has not ended, and return all of its output.

        Nothing is typed but what ``run(exit_status=True)`` asks in the end. Lines of the command
        that were not typed, since one before them asked something, are not typed now.

        Args:
            timeout: Longest wait, in seconds; None is for ever.
            idle_timeout: As of `run`.

        Returns:
            The output from the command on. It is not complete if something else was typed since,
            such as the answer to a question, which then stands in it.

        Raises:
            PaneBusyError: If no command was run, or the last one has ended.
            PaneNotFoundError: If the pane is gone.

        Examples:
            >>> shell = ScriptedShell({"make": ["compiling", after(60.0, "built")]})
            >>> terminal = FakeTerminal(programs={"sh": shell})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> console.run("make", 30.0).output
            'compiling\n'
            >>> console.resume(60.0).output
            'compiling\nbuilt\n'
        """
        return self._drive(self._plans.resume(timeout, idle_timeout))

    def interrupt(self, timeout: float | None = 10.0) -> Readiness:
        """Press what interrupts the program in front, and wait until the pane takes input.

        That is C-c, and Escape for an AI assistant that is known, twice for OpenCode, which C-c
        would end. A program that has the whole screen, and takes C-c for a key like any other,
        is left alone: press what it wants with `keys`.

        Another thread may be in `run` or a wait of this console meanwhile: that ends by itself,
        with what is there then. This is the one method that may be called so. What is typed at
        that very moment may lose a part; then `CommandResult.complete` is false.

        Args:
            timeout: Longest wait, in seconds; None is for ever. A program may go on, whatever is
                pressed.

        Returns:
            What was found: PROMPT if the shell is back.

        Raises:
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited.
            PaneBusyError: If tmux would swallow the key, or the key that interrupts the program is
                unknown; nothing was sent.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"serve": after(1e6)})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> console.run("serve", 2.0).readiness.outcome
            <Outcome.TIMEOUT: 'timed out'>
            >>> console.interrupt().outcome
            <Outcome.PROMPT: 'prompt'>
        """
        return self._drive(self._plans.interrupt(timeout))

    def learn_prompt(self, timeout: float | None = 10.0) -> int | None:
        r"""Press Enter at the prompt, and learn from the next one how many rows a prompt has.

        Shells whose line editor switches bracketed paste on need none of it. A person sees it in
        the pane, so no other method does it.

        Args:
            timeout: Longest wait for the next prompt, in seconds; None is for ever.

        Returns:
            The number of rows; None if something else was printed, or the time is up.

        Raises:
            PaneBusyError: If no prompt stands there, or something is typed at it; nothing was sent.

        Examples:
            >>> old = ScriptedShell({"ls": "a.txt"}, prompt="in ~\n$ ", bracketed_paste=False)
            >>> terminal = FakeTerminal(programs={"sh": old})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> result = console.run("ls")
            >>> result.output, result.complete
            ('a.txt\nin ~\n', False)
            >>> console.learn_prompt()
            2
            >>> result = console.run("ls")
            >>> result.output, result.complete
            ('a.txt\n', True)
        """
        return self._drive(self._plans.learn_prompt(timeout))

    def session(self, profile: "_profiles.Profile", *, adopt: bool = False) -> "_profiles.Session":
        """Return a session with a program, which its ``with`` block starts from the shell.

        Args:
            profile: What is known of the program; `tmuxprim.profiles` has some.
            adopt: Whether to talk to one that runs already, and to leave it running.

        Raises:
            InvalidProfileError: If it is no `Profile`.

        Examples:
            >>> shell = ScriptedShell({"sqlite3": repl(lambda line: "42", prompt="sqlite> ")})
            >>> terminal = FakeTerminal(programs={"sh": shell})
            >>> with Console(terminal, terminal.open()).session(SQLITE) as session:
            ...     print(session.ask("select 6 * 7;"))
            42
        """
        return _profiles.Session(self._terminal, self._plans, profile, adopt=adopt)

    def _drive(self, plan: Plan[T]) -> T:
        return drive(plan, self._terminal)


class AsyncConsole:
    r"""Drives one pane of a terminal from asyncio.

    Every call may be cancelled; nothing is left behind. A `send` that was cancelled may have typed
    the text without its Enter, so look before you type again. A console is for one task at a time.

    The arguments and errors are those of `Console`.

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
        self._terminal = terminal
        state = ConsoleState(to_pane(pane), strategy, leave_mode, Prompts(prompt_rows))
        self._plans = ConsolePlans(state)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        terminal: AsyncTerminal,
        command: str | Sequence[str] | None = None,
        *,
        reuse: bool = False,
        **options: Unpack[OpenOptions],
    ) -> AsyncIterator[Self]:
        """Open a pane, or take it, for an ``async with`` block; see `Console.open`."""
        refuse_other_kind(terminal, "AsyncConsole", "Console")
        program = to_program(command)
        plan = open_pane(
            lambda terminal: terminal.open(program, **options), options.get("name"), reuse=reuse
        )
        pane, is_new = await drive_async(plan, terminal)
        try:
            yield cls(terminal, pane)
        finally:
            if is_new:
                await terminal.close(pane)

    def __repr__(self) -> str:
        state = self._plans.state
        return f"AsyncConsole({self._terminal!r}, {state.pane or state.named!r})"

    @property
    def terminal(self) -> AsyncTerminal:
        """The terminal that the pane is in."""
        return self._terminal

    async def locate(self) -> Pane:
        """Return the pane's id, which is looked up once; see `Console.pane`.

        Raises:
            PaneNotFoundError: If no pane had that name when it was looked up.
        """
        return await self._drive(self._plans.locate())

    async def send(
        self,
        text: str | KeySequence,
        *,
        enter: bool = True,
        only: Collection[str] | None = None,
    ) -> Mark:
        """Type *text* exactly as given, and press Enter; see `Console.send`."""
        return await self._drive(self._plans.send(text, enter=enter, only=only))

    async def submit(
        self, text: str, *, again: bool = False, only: Collection[str] | None = None
    ) -> Receipt:
        """Type *text* and Enter, and return what became of them; see `Console.submit`."""
        return await self._drive(self._plans.submit_with_care(text, again=again, only=only))

    async def keys(self, *keys: str | Key | KeySequence | Sequence[str | Key]) -> Mark:
        """Press keys, without Enter; see `Console.keys`."""
        return await self._drive(self._plans.keys(keys))

    async def mark(self) -> Mark:
        """Return the mark of now, without sending anything; see `Console.mark`."""
        return await self._drive(self._plans.take_mark())

    @overload
    async def read(self, lines: int = 100) -> str: ...

    @overload
    async def read(self, lines: int = 100, *, since: Mark) -> NewText: ...

    async def read(self, lines: int = 100, *, since: Mark | None = None) -> str:
        """Return the screen, and what scrolled off it last, as text; see `Console.read`."""
        if since is None:
            return await self._drive(self._plans.read(lines))
        return await self._drive(self._plans.read_since(since))

    async def wait_ready(
        self,
        timeout: float | None = 10.0,  # noqa: ASYNC109  # looks once more when it is over
        *,
        prompt_pattern: str | re.Pattern[str] | None = None,
        strategy: ReadinessStrategy | None = None,
        since: Mark | None = None,
    ) -> Readiness:
        """Wait until the pane can take input, and say why it can; see `Console.wait_ready`."""
        return await self._drive(self._plans.wait_ready(timeout, prompt_pattern, strategy, since))

    async def wait_for(
        self,
        pattern: str | re.Pattern[str],
        timeout: float | None = 10.0,  # noqa: ASYNC109  # as above
        *,
        since: Mark | None = None,
        gone: bool = False,
    ) -> Readiness:
        """Wait until a text is on the screen that is new; see `Console.wait_for`."""
        return await self._drive(self._plans.wait_for(pattern, timeout, since, gone=gone))

    async def watch(
        self,
        timeout: float | None = None,  # noqa: ASYNC109  # as above
    ) -> AsyncIterator[Screen]:
        """Yield the screen, and again each time that it has changed; see `Console.watch`."""
        deadline = begin(timeout, self._terminal.clock.now())
        screen: Screen | None = None
        while (screen := await self._drive(self._plans.next_screen(screen, deadline))) is not None:
            yield screen

    async def run(
        self,
        command: str,
        timeout: float | None = 30.0,  # noqa: ASYNC109  # as above
        *,
        exit_status: bool = False,
        idle_timeout: float | None = None,
        all_output: bool = False,
    ) -> CommandResult:
        """Run a command and return exactly what it printed; see `Console.run`."""
        plan = self._plans.run(
            command,
            timeout,
            exit_status=exit_status,
            idle_timeout=idle_timeout,
            all_output=all_output,
        )
        return await self._drive(plan)

    async def resume(
        self,
        timeout: float | None = 30.0,  # noqa: ASYNC109  # as above
        *,
        idle_timeout: float | None = None,
    ) -> CommandResult:
        """Wait on for a command that has not ended; see `Console.resume`."""
        return await self._drive(self._plans.resume(timeout, idle_timeout))

    async def interrupt(
        self,
        timeout: float | None = 10.0,  # noqa: ASYNC109  # as above
    ) -> Readiness:
        """Press C-c and wait, also while another task runs a command; see `Console.interrupt`."""
        return await self._drive(self._plans.interrupt(timeout))

    async def learn_prompt(
        self,
        timeout: float | None = 10.0,  # noqa: ASYNC109  # as above
    ) -> int | None:
        """Press Enter at the prompt, and learn how many rows it has; see `Console.learn_prompt`."""
        return await self._drive(self._plans.learn_prompt(timeout))

    def session(
        self, profile: "_profiles.Profile", *, adopt: bool = False
    ) -> "_profiles.AsyncSession":
        """Return a session with a program, for ``async with``; see `Console.session`."""
        return _profiles.AsyncSession(self._terminal, self._plans, profile, adopt=adopt)

    async def _drive(self, plan: Plan[T]) -> T:
        return await drive_async(plan, self._terminal)
