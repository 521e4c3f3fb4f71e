"""`AsyncConsole`: the same as `Console`, for asyncio."""

import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Self, TypeVar, Unpack, overload

from tmuxprim import _profiles
from tmuxprim._console import attach_command, svg_file, write
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.events import Listener
from tmuxprim._engine.output import CommandResult, checked
from tmuxprim._engine.plan import Plan, begin, drive_async, open_pane
from tmuxprim._engine.prompts import Prompts
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.pane_state import PaneState
from tmuxprim._readiness.snapshot import Readiness
from tmuxprim._terminal import AsyncTerminal, OpenOptions, StrPath
from tmuxprim._values.checks import refuse_other_kind, to_program
from tmuxprim._values.evidence import Mark
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.new_text import NewText
from tmuxprim._values.pane import Pane, to_pane
from tmuxprim._values.receipt import Receipt
from tmuxprim._values.screen import Screen

T = TypeVar("T")


class AsyncConsole:
    r"""Types into one pane of a terminal, reads it and waits for it, from asyncio.

    Every call may be cancelled, and then releases its resources. A cancelled `send` may have typed
    the text without its Enter, so look at the pane before you type again. Use a console from one
    task at a time, since a pane has one keyboard.

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
        on_event: Listener | None = None,
    ) -> None:
        refuse_other_kind(terminal, "AsyncConsole", "Console")
        self._terminal = terminal
        state = ConsoleState(to_pane(pane), strategy, leave_mode, Prompts(prompt_rows), on_event)
        self._plans = ConsolePlans(state)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        terminal: AsyncTerminal,
        command: str | Sequence[str] | None = None,
        *,
        reuse: bool = False,
        strategy: ReadinessStrategy | None = None,
        leave_mode: bool = False,
        prompt_rows: int | None = None,
        on_event: Listener | None = None,
        **options: Unpack[OpenOptions],
    ) -> AsyncIterator[Self]:
        """Open a pane for an ``async with`` block, or reuse one; see `Console.open`.

        Args:
            terminal: The terminal to open the pane in.
            command: The program to run; see `Terminal.open`. A text of one word, such as
                ``"bash"``, is the name of a program.
            reuse: Whether to take an existing pane of that name, whatever runs in it by now. That
                pane stays open when the block ends.
            strategy: As for `Console`.
            leave_mode: As for `Console`.
            prompt_rows: As for `Console`.
            on_event: As for `Console`.
            options: *name*, *size*, *cwd*, *env* and *shell_integration* of a new pane, as for
                `Terminal.open`. The name of the session is also the name of the pane.

        Returns:
            The console, for the block.

        Raises:
            PaneExistsError: If the name is taken, and *reuse* is false.
            ProgramNotFoundError: If *command* is one word or several, and there is no such program;
                or if there is no directory *cwd*.
            InvalidPaneError: If no session can have the name, or if *reuse* is given without one.
            InvalidStrategyError: If *strategy* cannot assess a snapshot.
            InvalidScreenError: If *prompt_rows* is not a number of rows, or *size* is no size of a
                pane.
            InvalidTextError: If *command* or *env* holds a text that no program can be given.
            TmuxTimeoutError: If tmux hangs.
        """
        refuse_other_kind(terminal, "AsyncConsole", "Console")
        program = to_program(command)
        plan = open_pane(
            lambda terminal: terminal.open(program, **options), options.get("name"), reuse=reuse
        )
        pane, is_new = await drive_async(plan, terminal)
        try:
            yield cls(
                terminal,
                pane,
                strategy=strategy,
                leave_mode=leave_mode,
                prompt_rows=prompt_rows,
                on_event=on_event,
            )
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

    async def attach_command(self) -> str:
        """Return the command that attaches a person; see `Console.attach_command`.

        Raises:
            PaneNotFoundError: If no pane had that name when it was looked up.
        """
        return attach_command(self._terminal, await self.locate())

    async def close(self) -> None:
        """End the pane and its program; see `Console.close`.

        Raises:
            TmuxTimeoutError: If tmux hangs.
        """
        state = self._plans.state
        await self._terminal.close(state.pane or state.named)

    async def send(
        self,
        text: str | KeySequence,
        *,
        enter: bool = True,
        only: Collection[str] | None = None,
    ) -> Mark:
        """Type *text* exactly as given, and press Enter; see `Console.send`.

        Args:
            text: The text to type; an empty text is just Enter.
            enter: Whether to press Enter after it.
            only: Names of programs, such as ``["claude"]``. If another program is in front, nothing
                is typed. If another one is in front by the time of Enter, Enter is not pressed.
                None allows any program.

        Returns:
            The mark against which the next `wait_ready` judges.

        Raises:
            InvalidTextError: If the text holds a NUL or a lone surrogate, or if a line is longer
                than the kernel's buffer for a program that reads whole lines.
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited.
            PaneBusyError: If tmux would swallow the text, or the program in front is not *only*.
            TmuxServerError: If a connection in control mode ended before tmux answered; it may
                have typed the text.
            TmuxTimeoutError: If the server hangs; it may type the text later. With the other
                errors nothing was sent, or the message says what was.
        """
        return await self._drive(self._plans.send(text, enter=enter, only=only))

    async def submit(
        self, text: str, *, again: bool = False, only: Collection[str] | None = None
    ) -> Receipt:
        """Type *text* and Enter, and report whether they were taken; see `Console.submit`.

        Args:
            text: The text to type; an empty text is just Enter.
            again: Whether to press Enter once more if the receipt is IN_BOX, and in no other case.
            only: As for `send`.

        Returns:
            The receipt of the text: in most cases within 0.2 s. A program that runs gets ten
            seconds for the text, and ten for the Enter.

        Raises:
            PaneBusyError: If typing would do harm; nothing was sent.
            InvalidTextError: As for `send`.
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited; nothing was sent.
            TmuxTimeoutError: If tmux hangs; it may type the text later.
        """
        return await self._drive(self._plans.submit_with_care(text, again=again, only=only))

    async def keys(self, *keys: str | Key | KeySequence | Sequence[str | Key]) -> Mark:
        """Press keys, without Enter; see `Console.keys`.

        Args:
            keys: Key names, with blanks between them or in a list; keys; or sequences of text and
                keys. The name of the space key is ``Space``.

        Returns:
            The mark against which the next `wait_ready` judges.

        Raises:
            InvalidKeyError: If a name is not the name of a key; nothing was sent.
            InvalidTextError: If a sequence has a line that the kernel would cut; nothing was sent.
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited.
            PaneBusyError: If tmux would swallow the keys; nothing was sent.
            TmuxTimeoutError: If tmux hangs; it may press the keys later.
        """
        return await self._drive(self._plans.keys(keys))

    async def mark(self) -> Mark:
        """Return a mark of this moment, without sending anything; see `Console.mark`.

        Raises:
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        return await self._drive(self._plans.take_mark())

    async def state(self) -> PaneState:
        """Return the state of the pane now; see `Console.state`.

        Returns:
            The state, which is never "timed out": a pane that works is WORKING.

        Raises:
            PaneNotFoundError: If no pane had that name when it was looked up. A pane that has gone
                since is EXITED.
            TmuxTimeoutError: If tmux hangs.
        """
        return await self._drive(self._plans.find_state())

    @overload
    async def read(self, lines: int = 100) -> str: ...

    @overload
    async def read(self, lines: int = 100, *, since: Mark) -> NewText: ...

    async def read(self, lines: int = 100, *, since: Mark | None = None) -> str:
        """Return the screen, and the last rows that scrolled off it; see `Console.read`.

        Args:
            lines: How many rows of the history to add above the screen, at most. With *since* all
                new rows are added.
            since: Return only the text that is new since that mark: the printed lines, and the
                prompt or question that the program shows now, but not the typed input.
                `NewText.complete` says whether that is all of the new text.

        Raises:
            PaneNotFoundError: If the pane is gone.
            InvalidPaneError: If *since* is the mark of another pane.
            InvalidScreenError: If *lines* is negative.
            TmuxTimeoutError: If tmux hangs.
        """
        if since is None:
            return await self._drive(self._plans.read(lines))
        return await self._drive(self._plans.read_since(since))

    async def screen(self, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen as it is now; see `Console.screen`.

        Args:
            history: How many rows that scrolled off to add in `Screen.history`, at most.
            styled: Whether to also read colours, for `Screen.styles`.

        Raises:
            PaneNotFoundError: If the pane is gone.
            InvalidScreenError: If *history* is negative.
            TmuxTimeoutError: If tmux hangs.
        """
        return await self._drive(self._plans.screen(history, styled=styled))

    async def screenshot(self, path: StrPath) -> None:
        """Write the visible screen to a file, as an SVG; see `Console.screenshot`.

        Args:
            path: The file, which ends in ``.svg``. An existing file is replaced.

        Raises:
            ValueError: If *path* does not end in ``.svg``.
            PaneNotFoundError: If the pane is gone.
            OSError: If the file cannot be written.
            TmuxTimeoutError: If tmux hangs.
        """
        import asyncio  # noqa: PLC0415  # those who do without it import it for nothing

        file = svg_file(path)
        await asyncio.to_thread(write, file, (await self.screen(styled=True)).to_svg())

    async def wait_ready(
        self,
        timeout: float | None = 10.0,
        *,
        prompt_pattern: str | re.Pattern[str] | None = None,
        strategy: ReadinessStrategy | None = None,
        since: Mark | None = None,
    ) -> Readiness:
        """Wait until the pane is ready for input, and report why; see `Console.wait_ready`.

        Args:
            timeout: Longest wait, in seconds; None is for ever.
            prompt_pattern: Regular expression of the prompt to wait for, instead of the known
                prompts. It is searched in the lowest row that is not empty. A program that the
                console's strategy knows can still veto a prompt, or ask something.
            strategy: Decides instead of the console's own strategy.
            since: The mark to judge against; the last one if None.

        Returns:
            The outcome and its reason, with the screen on which it was found.

        Raises:
            InvalidPaneError: If *since* is the mark of another pane.
            InvalidPatternError: If *prompt_pattern* is not a regular expression.
            InvalidStrategyError: If both *prompt_pattern* and *strategy* are given, or *timeout* is
                not a number of seconds.
            PaneNotFoundError: If the pane was gone before the first snapshot.
            TmuxTimeoutError: If tmux hangs.
        """
        return await self._drive(self._plans.wait_ready(timeout, prompt_pattern, strategy, since))

    async def wait_for(
        self,
        text: str | re.Pattern[str],
        timeout: float | None = 10.0,
        *,
        since: Mark | None = None,
        gone: bool = False,
    ) -> Readiness:
        """Wait until a new text is on the screen; see `Console.wait_for`.

        Args:
            text: A text, taken literally, or a compiled regular expression. Lines are as the
                program wrote them, however the screen wraps them.
            timeout: Longest wait, in seconds; None is for ever.
            since: The mark to judge against; None is the mark of the last send. If nothing was
                sent, all text is new. Use ``console.mark()`` to wait for text from now on.
            gone: Wait until the text is *not* on the screen, whenever it was printed. A text that
                has not appeared yet also counts as gone, so wait for it to appear first.

        Returns:
            MATCHED with the screen; TIMEOUT; or EXITED if the program has ended, even if another
            one was started in its place.

        Raises:
            InvalidPaneError: If *since* is the mark of another pane.
            InvalidPatternError: If *text* is empty, or a pattern of bytes.
            InvalidStrategyError: If both *since* and *gone* are given.
            PaneNotFoundError: If the pane was gone before the first snapshot.
            TmuxTimeoutError: If tmux hangs.
        """
        return await self._drive(self._plans.wait_for(text, timeout, since, gone=gone))

    async def watch(
        self,
        timeout: float | None = None,
    ) -> AsyncIterator[Screen]:
        """Yield the screen now, and again after each change; see `Console.watch`.

        Args:
            timeout: When to end, in seconds; None is when the program ends, or the pane.

        Raises:
            PaneNotFoundError: If the pane was gone before the first snapshot.
            InvalidStrategyError: If *timeout* is not a number of seconds.
            TmuxTimeoutError: If tmux hangs.
        """
        deadline = begin(timeout, self._terminal.clock.now())
        screen: Screen | None = None
        while (screen := await self._drive(self._plans.next_screen(screen, deadline))) is not None:
            yield screen

    async def follow(
        self, timeout: float | None = None, *, since: Mark | None = None
    ) -> AsyncIterator[NewText]:
        """Yield each line that is printed, once it has ended; see `Console.follow`.

        Args:
            timeout: When to end, in seconds; None is when the program is ready.
            since: The mark to begin at; None is the mark of the last send. If nothing was sent, the
                whole screen and history are new. Use ``console.mark()`` for lines from now on.

        Raises:
            PaneNotFoundError: If the pane was gone before the first snapshot.
            InvalidPaneError: If *since* is the mark of another pane.
            InvalidStrategyError: If *timeout* is not a number of seconds.
            TmuxTimeoutError: If tmux hangs.
        """
        deadline = begin(timeout, self._terminal.clock.now())
        follow = await self._drive(self._plans.follow(since, deadline))
        while lines := await self._drive(self._plans.next_lines(follow)):
            for line in lines:
                yield line

    async def run(
        self,
        command: str,
        timeout: float | None = 30.0,
        *,
        check: bool = False,
        exit_status: bool = False,
        idle_timeout: float | None = None,
        all_output: bool = False,
        answers: Mapping[str, str | KeySequence] | None = None,
    ) -> CommandResult:
        """Run a command and return its exact output; see `Console.run`.

        Args:
            command: One line, or several.
            timeout: Longest wait, in seconds, from before the first line to the last prompt; None
                is for ever.
            check: Whether to raise `CommandError` unless the command ends with exit status 0. It
                implies *exit_status*.
            exit_status: Whether to type one more line when the command has ended, `` echo $?``
                (``$status`` in fish and csh), for `CommandResult.exit_status`. That line is not
                part of the output. The shell gets at least 3 seconds to answer it.
            idle_timeout: Seconds without output after which to give up before the timeout; None
                waits for the timeout. The outcome is TIMEOUT, and the reason says which it was.
            all_output: Whether to return even output that is longer than the pane's history. It is
                tapped (`Terminal.tap`) while the command runs, and replayed on an unlimited virtual
                screen. If the replay cannot be verified against the pane, the ordinary output is
                returned, and `CommandResult.complete` is false.
            answers: Answers to questions of a command of one line: words of the question, and the
                answer to type. The words are searched left of the cursor, in its line; the first
                match counts. A text is typed with Enter, and a `KeySequence` without. If the
                kernel reports that the program reads single keys, Enter follows a text only if the
                program still waits behind the same question. A secret is typed only once, since a
                program that asks again has refused it. The answers are a part of the output, so
                `CommandResult.complete` is false.

        Returns:
            The output, and how the wait ended. If the command asks another question, it has not
            ended, and the lines after it were not typed. If the time is up, `resume` keeps waiting.

        Raises:
            CommandError: If *check* is given, and the command has not ended in time, or its exit
                status is not 0, or the shell does not report it.
            PaneBusyError: If another command still runs when the time is up, or asks something; if
                a person has begun to type at the prompt; or if *exit_status* is given and the
                reader is not a known shell. Nothing was sent.
            PaneNotFoundError: If the pane is gone; nothing was sent.
            PaneDeadError: If its program has exited; nothing was sent.
            InvalidStrategyError: If *timeout* or *idle_timeout* is not a number of seconds.
            InvalidTextError: If the command holds a tab or another control character, which a line
                editor takes for a key; nothing was sent. Paste such a text:
                ``send(KeySequence.paste(text))``. Or if *answers* are given for a command of
                several lines, or for blank words.
            TmuxTimeoutError: If tmux hangs; it may type the command later.
        """
        plan = self._plans.run_and_answer(
            command,
            timeout,
            answers or {},
            exit_status=exit_status or check,
            idle_timeout=idle_timeout,
            all_output=all_output,
        )
        result = await self._drive(plan)
        return checked(command, result) if check else result

    async def resume(
        self,
        timeout: float | None = 30.0,
        *,
        idle_timeout: float | None = None,
    ) -> CommandResult:
        """Keep waiting for an unfinished `run`; see `Console.resume`.

        Args:
            timeout: Longest wait, in seconds; None is for ever.
            idle_timeout: As for `run`.

        Returns:
            The whole output of the command. It is not complete if something was typed since, such
            as the answer to a question, which is then a part of the output.

        Raises:
            PaneBusyError: If no command was run, or the last one has ended.
            PaneNotFoundError: If the pane is gone.
            InvalidStrategyError: If *timeout* or *idle_timeout* is not a number of seconds.
            TmuxTimeoutError: If tmux hangs.
        """
        return await self._drive(self._plans.resume(timeout, idle_timeout))

    async def interrupt(
        self,
        timeout: float | None = 10.0,
        *,
        force: bool = False,
    ) -> Readiness:
        """Interrupt the program in front, even during a wait; see `Console.interrupt`.

        Args:
            timeout: Longest wait, in seconds; None is for ever. A program may ignore the key.
            force: Whether to send SIGINT where the kernel makes no interrupt of C-c, since the
                program has switched that off (ISIG). The signal goes to the foreground process
                group on this machine, and ends a program that does not handle it. An AI assistant,
                a shell, and a program such as ssh still get their key.

        Returns:
            The outcome of the wait: PROMPT if the shell is back.

        Raises:
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited.
            PaneBusyError: If tmux would swallow the key, or the key that interrupts the program is
                unknown, or the signal cannot be sent, as to another user's program; nothing was
                sent.
            InvalidStrategyError: If *timeout* is not a number of seconds.
            TmuxTimeoutError: If tmux hangs.
        """
        return await self._drive(self._plans.interrupt(timeout, force=force))

    async def learn_prompt(
        self,
        timeout: float | None = 10.0,
    ) -> int | None:
        """Press Enter at the prompt, and learn how many rows it has; see `Console.learn_prompt`.

        Args:
            timeout: Longest wait for the next prompt, in seconds; None is for ever.

        Returns:
            The number of rows; None if something else was printed, or the time is up.

        Raises:
            PaneBusyError: If the pane shows no prompt, or a typed text is behind it; nothing was
                sent.
            InvalidStrategyError: If *timeout* is not a number of seconds.
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited; nothing was sent.
            TmuxTimeoutError: If tmux hangs.
        """
        return await self._drive(self._plans.learn_prompt(timeout))

    def session(
        self, profile: "_profiles.Profile", *, adopt: bool = False
    ) -> "_profiles.AsyncSession":
        """Return a session with a program, for ``async with``; see `Console.session`.

        Args:
            profile: How to start, ask and leave the program; `tmuxprim.profiles` has some.
            adopt: Whether to talk to a program that already runs, and to leave it running.

        Raises:
            InvalidProfileError: If *profile* is not a `Profile`.
        """
        return _profiles.AsyncSession(self._terminal, self._plans, profile, adopt=adopt)

    async def _drive(self, plan: Plan[T]) -> T:
        return await drive_async(plan, self._terminal)
