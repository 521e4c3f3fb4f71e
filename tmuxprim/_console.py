"""`Console`: send to one pane, read it, wait for it, run commands in it."""

import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self, TypeVar, Unpack, overload

from tmuxprim import _profiles
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.events import Listener
from tmuxprim._engine.output import CommandResult, checked
from tmuxprim._engine.plan import Plan, begin, drive, open_pane
from tmuxprim._engine.prompts import Prompts
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.pane_state import PaneState
from tmuxprim._readiness.snapshot import Readiness
from tmuxprim._terminal import OpenOptions, StrPath, Terminal
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import refuse_other_kind, to_program
from tmuxprim._values.evidence import Mark
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.new_text import NewText
from tmuxprim._values.pane import Pane, to_pane
from tmuxprim._values.receipt import Receipt
from tmuxprim._values.screen import Screen

T = TypeVar("T")


class Console:
    """Types into one pane of a terminal, reads it and waits for it.

    The console looks the pane up by its name once. From then on it uses the pane's id, so it stays
    with the same pane when that is renamed or moved. When that pane is gone, its methods raise
    `PaneNotFoundError`, even if a new server has a pane with the same name or id by then.

    Use a console from one thread at a time, since a pane has one keyboard. Several consoles may
    share a terminal.

    Args:
        terminal: The terminal that the pane is in.
        pane: The pane, by id or by name.
        strategy: Decides when the pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode, or another mode of tmux, before sending. By default
            sending is refused there, since a person may be reading.
        prompt_rows: Number of rows of the pane's prompt, for `run`; None to find it out.
        on_event: A function that is called with an `Event` when something was sent, a receipt is
            known, or a wait begins or ends. The console waits for it, so it should return at once.
            If it raises an exception, that goes to the log `tmuxprim`, and the console goes on.

    Raises:
        InvalidStrategyError: If *strategy* cannot assess a snapshot.
        InvalidScreenError: If *prompt_rows* is not a number of rows.
        InvalidPaneError: If *pane* is a text that cannot name a pane.
        TypeError: If *terminal* is made for `AsyncConsole`, or *on_event* cannot be called.

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
        on_event: Listener | None = None,
    ) -> None:
        refuse_other_kind(terminal, "Console", "AsyncConsole")
        self._terminal = terminal
        state = ConsoleState(to_pane(pane), strategy, leave_mode, Prompts(prompt_rows), on_event)
        self._plans = ConsolePlans(state)

    @classmethod
    @contextmanager
    def open(
        cls,
        terminal: Terminal,
        command: str | Sequence[str] | None = None,
        *,
        reuse: bool = False,
        strategy: ReadinessStrategy | None = None,
        leave_mode: bool = False,
        prompt_rows: int | None = None,
        on_event: Listener | None = None,
        **options: Unpack[OpenOptions],
    ) -> Iterator[Self]:
        """Open a pane for a ``with`` block, and close it when the block ends.

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

    @property
    def attach_command(self) -> str:
        """The command that attaches a person to the pane, on the machine that tmux is on.

        It is empty if a person cannot attach, as with `FakeTerminal`.

        Raises:
            PaneNotFoundError: If no pane had that name when it was looked up.
        """
        return attach_command(self._terminal, self.pane)

    def close(self) -> None:
        """End the pane and its program, at once; a pane that is gone is no error.

        Raises:
            TmuxTimeoutError: If tmux hangs.

        Examples:
            >>> terminal = FakeTerminal()
            >>> console = Console(terminal, terminal.open())
            >>> console.close()
            >>> terminal.panes()
            ()
        """
        state = self._plans.state
        self._terminal.close(state.pane or state.named)

    def send(
        self,
        text: str | KeySequence,
        *,
        enter: bool = True,
        only: Collection[str] | None = None,
    ) -> Mark:
        r"""Type *text* exactly as given, and press Enter once the program has taken it.

        The text is never a key name, a tmux command or a format. A newline in it is sent as LF
        (``C-j``), which shells take for Enter and most editors do not. To be explicit, use
        ``KeySequence.lines(text)``, which presses Enter at each line end, or
        ``KeySequence.paste(text)``. An AI assistant would take an Enter right behind a long text
        for a part of it, so a text of more than 200 characters is pasted there, and into other
        programs that draw their own screen.

        `send` types whatever the pane shows. If a person has begun to type a line, the text is
        appended to that line; `run` refuses instead.

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
        return self._drive(self._plans.send(text, enter=enter, only=only))

    def submit(
        self, text: str, *, again: bool = False, only: Collection[str] | None = None
    ) -> Receipt:
        """Type *text* and Enter as `send` does, and report whether the program has taken them.

        It looks at the pane first. It refuses to type at a dialog or a menu, which would take the
        Enter for a choice, and behind a half-typed text of a person.

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
        return self._drive(self._plans.keys(keys))

    def mark(self) -> Mark:
        """Return a mark of this moment, for waits and reads of later output.

        Nothing is sent, so waits without a mark still judge against the last send.

        Raises:
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"serve": after(9.0, "up")})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.send("serve"), console.wait_for("up")
            >>> console.wait_for("up", 1.0, since=console.mark()).outcome
            <Outcome.TIMEOUT: 'timed out'>
        """
        return self._drive(self._plans.take_mark())

    def state(self) -> PaneState:
        """Return the state of the pane now, without waiting until it is ready.

        A state that the kernel reports takes one snapshot. Where only time can show the state, a
        second snapshot is taken 0.3 s later. If that does not decide either, `PaneState.is_guess`
        is true. `pane_states` returns the states of all panes.

        Returns:
            The state, which is never "timed out": a pane that works is WORKING.

        Raises:
            PaneNotFoundError: If no pane had that name when it was looked up. A pane that has gone
                since is EXITED.
            TmuxTimeoutError: If tmux hangs.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(60.0)})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.run("make", 1.0)
            >>> print(console.state())
            %0 working (make): make runs and does not read
        """
        return self._drive(self._plans.find_state())

    @overload
    def read(self, lines: int = 100) -> str: ...

    @overload
    def read(self, lines: int = 100, *, since: Mark) -> NewText: ...

    def read(self, lines: int = 100, *, since: Mark | None = None) -> str:
        """Return the screen, and the last rows that scrolled off it, as clean text.

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

    def screen(self, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen as it is now, with its cursor, size, title and program.

        Args:
            history: How many rows that scrolled off to add in `Screen.history`, at most.
            styled: Whether to also read colours, for `Screen.styles`.

        Raises:
            PaneNotFoundError: If the pane is gone.
            InvalidScreenError: If *history* is negative.
            TmuxTimeoutError: If tmux hangs.

        Examples:
            >>> terminal = FakeTerminal()
            >>> console = Console(terminal, terminal.open())
            >>> _ = console.wait_ready()
            >>> console.screen().cursor
            Cursor(row=0, column=2)
        """
        return self._drive(self._plans.screen(history, styled=styled))

    def screenshot(self, path: StrPath) -> None:
        """Write the visible screen to a file, as an SVG with its colours.

        Args:
            path: The file, which ends in ``.svg``. An existing file is replaced.

        Raises:
            ValueError: If *path* does not end in ``.svg``.
            PaneNotFoundError: If the pane is gone.
            OSError: If the file cannot be written.
            TmuxTimeoutError: If tmux hangs.

        Examples:
            >>> terminal = FakeTerminal()
            >>> Console(terminal, terminal.open()).screenshot("screen.png")
            Traceback (most recent call last):
            ...
            ValueError: a screenshot is an SVG, so its path ends in .svg, got 'screen.png'
        """
        file = svg_file(path)
        write(file, self.screen(styled=True).to_svg())

    def wait_ready(
        self,
        timeout: float | None = 10.0,
        *,
        prompt_pattern: str | re.Pattern[str] | None = None,
        strategy: ReadinessStrategy | None = None,
        since: Mark | None = None,
    ) -> Readiness:
        """Wait until the pane is ready for input, and report why.

        The last snapshot is taken after *timeout*, so a ready pane never times out, not even with
        ``timeout=0``.

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
        return self._drive(self._plans.wait_ready(timeout, prompt_pattern, strategy, since))

    def wait_for(
        self,
        text: str | re.Pattern[str],
        timeout: float | None = 10.0,
        *,
        since: Mark | None = None,
        gone: bool = False,
    ) -> Readiness:
        """Wait until a text is on the screen that was not there at the mark.

        Typed input does not count. A text that was there at the mark counts once it is gone in one
        snapshot and back in a later one. The program may print the text long before it takes input:
        call `wait_ready` before you type.

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

        Examples:
            >>> shell = ScriptedShell({"serve": [after(1.0, "listening on 8080"), after(60.0)]})
            >>> terminal = FakeTerminal(programs={"sh": shell})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.send("serve")
            >>> print(console.wait_for("listening").reason)
            'listening' is on the screen
        """
        return self._drive(self._plans.wait_for(text, timeout, since, gone=gone))

    def watch(self, timeout: float | None = None) -> Iterator[Screen]:
        """Yield the screen now, and again after each change.

        It is for showing a pane to a person. If screens change faster than the caller takes them,
        some are left out. To wait for something, call `wait_ready` or `wait_for`.

        Args:
            timeout: When to end, in seconds; None is when the program ends, or the pane.

        Raises:
            PaneNotFoundError: If the pane was gone before the first snapshot.
            InvalidStrategyError: If *timeout* is not a number of seconds.
            TmuxTimeoutError: If tmux hangs.

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

    def follow(
        self, timeout: float | None = None, *, since: Mark | None = None
    ) -> Iterator[NewText]:
        """Yield each line that is printed, once it has ended, until the program is ready.

        It begins with the first line that the command has printed since the last send, even if the
        loop starts later. The loop ends when the shell shows its prompt, when a program asks
        something, or when the program ends; `wait_ready` then returns at once, and says which. You
        may leave the loop at any time, which does not end the program.

        The lines are read from the history of the pane. If the program prints more at once than
        the history keeps, or paints over its lines, `NewText.complete` is false for the line behind
        the gap. If a pane closes with its program, the last lines are lost, so start a command
        whose last lines matter from a shell. Blank lines at the end of a dead pane are left out.

        Args:
            timeout: When to end, in seconds; None is when the program is ready.
            since: The mark to begin at; None is the mark of the last send. If nothing was sent, the
                whole screen and history are new. Use ``console.mark()`` for lines from now on.

        Raises:
            PaneNotFoundError: If the pane was gone before the first snapshot.
            InvalidPaneError: If *since* is the mark of another pane.
            InvalidStrategyError: If *timeout* is not a number of seconds.
            TmuxTimeoutError: If tmux hangs.

        Examples:
            >>> make = ["cc main.c", after(5.0, "main.c:7: warning"), after(5.0, "done")]
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": make})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.wait_ready(), console.send("make")
            >>> for line in console.follow(60.0):
            ...     print(line)
            cc main.c
            main.c:7: warning
            done
        """
        deadline = begin(timeout, self._terminal.clock.now())
        follow = self._drive(self._plans.follow(since, deadline))
        while lines := self._drive(self._plans.next_lines(follow)):
            yield from lines

    def run(
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
        r"""Run a command and return its exact output.

        It needs a prompt with nothing typed behind it; answer a question with `send`. If another
        command runs, `run` first waits for its end, as long as *timeout* allows. It types only the
        command. Each of several lines is typed once the shell has taken the line before. The
        output is the text between the command line and the next prompt. A screen does not show an
        exit status: *exit_status* asks the shell for it, visibly in the pane.

        The end of the output depends on how many rows the prompt has. Modern shells mark the prompt
        in their raw output. `run` reads it with a tap (`Terminal.tap`), unless the prompt is known
        to have one row. For other shells the height is known once a prompt has appeared at the top
        of the pane or right below a command, once Enter was pressed at a prompt, after
        `learn_prompt`, or from ``Console(prompt_rows=2)``. Until then a last row that may belong to
        the prompt is in the output, and `CommandResult.complete` is false.

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

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"date": "Sunday"})})
            >>> Console(terminal, terminal.open("sh")).run("date").output
            'Sunday\n'
            >>> Console(terminal, terminal.open("sh")).run("make", exit_status=True).exit_status
            127
            >>> asks = question("Continue? [y/N] ", lambda answer: "done")
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"install": asks})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> print(console.run("install", check=True, answers={"Continue?": "y"}))
            Continue? [y/N] y
            done
            <BLANKLINE>
        """
        plan = self._plans.run_and_answer(
            command,
            timeout,
            answers or {},
            exit_status=exit_status or check,
            idle_timeout=idle_timeout,
            all_output=all_output,
        )
        result = self._drive(plan)
        return checked(command, result) if check else result

    def resume(
        self, timeout: float | None = 30.0, *, idle_timeout: float | None = None
    ) -> CommandResult:
        r"""Keep waiting for an unfinished `run`, and return its full output so far.

        It types nothing, except the question for the exit status after ``run(exit_status=True)``.
        If an earlier line of the command asked something, the lines after it stay untyped.

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

    def interrupt(self, timeout: float | None = 10.0, *, force: bool = False) -> Readiness:
        """Interrupt the program in front by its own key, and wait until the pane takes input.

        The key is C-c. For known AI assistants it is Escape, and twice Escape for OpenCode, which
        C-c would end. If a program has the whole screen and takes C-c for an ordinary key, nothing
        is pressed: press its own key with `keys`.

        Another thread may be in `run` or in a wait of this console at that time. That call then
        returns its result so far. No other method may be called from a second thread. A text that
        is being typed at that moment may lose a part; then `CommandResult.complete` is false.

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

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"serve": after(1e6)})})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> console.run("serve", 2.0).readiness.outcome
            <Outcome.TIMEOUT: 'timed out'>
            >>> console.interrupt().outcome
            <Outcome.PROMPT: 'prompt'>
        """
        return self._drive(self._plans.interrupt(timeout, force=force))

    def learn_prompt(self, timeout: float | None = 10.0) -> int | None:
        r"""Press Enter at the prompt, and learn from the next prompt how many rows it has.

        A shell whose line editor switches bracketed paste on does not need this. The Enter is
        visible in the pane, so no other method presses it by itself.

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
            profile: How to start, ask and leave the program; `tmuxprim.profiles` has some.
            adopt: Whether to talk to a program that already runs, and to leave it running.

        Raises:
            InvalidProfileError: If *profile* is not a `Profile`.

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


def attach_command(terminal: object, pane: Pane) -> str:
    """Return the command that attaches a person to a pane; empty if there is none."""
    command = getattr(terminal, "attach_command", "")  # of tmux alone
    return f"{command} -t {shlex.quote(pane.target)}" if command else ""


def svg_file(path: StrPath) -> str:
    """Return the path of a screenshot, or refuse one that promises another format."""
    check_type("path", path, str, os.PathLike)
    file = os.fspath(path)
    if not file.lower().endswith(".svg"):
        raise ValueError(f"a screenshot is an SVG, so its path ends in .svg, got {file!r}")
    return file


def write(file: str, text: str) -> None:
    """Write a text to a file, in place of the text that is there."""
    with open(file, "w", encoding="utf-8") as opened:  # noqa: PTH123  # pathlib takes 10 ms to import
        opened.write(text)
