"""`Console`: one pane, and what a program does with it: send, press keys, read, wait, run."""

import re
from typing import TypeVar

from tmuxprim import _profiles
from tmuxprim._conversation import Conversation
from tmuxprim._keys import Key
from tmuxprim._mark import Mark
from tmuxprim._output import CommandResult
from tmuxprim._pane import Pane
from tmuxprim._plan import Plan, drive
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._strategy import ReadinessStrategy, check_strategy
from tmuxprim._sequence import KeySequence
from tmuxprim._terminal import Terminal

T = TypeVar("T")


class Console:
    """Drives one pane of a terminal.

    The pane is looked up by its name once; from then on the console uses its id, so it stays
    with the same pane when that is renamed or moved. A console is for one thread at a time, as a
    pane has one keyboard; the terminal may be shared.

    Args:
        terminal: Where the pane is.
        pane: The pane, by id or by name.
        strategy: Decides when the pane is ready; None is the default chain.
        leave_mode: What to do before sending when the pane is in copy mode, or another mode of
            tmux: leave it, or (the default) refuse, since a person may be reading there.

    Raises:
        InvalidStrategyError: If *strategy* cannot assess a look.

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
        pane: Pane,
        *,
        strategy: ReadinessStrategy | None = None,
        leave_mode: bool = False,
    ) -> None:
        if strategy is not None:
            check_strategy(strategy)
        self._terminal = terminal
        self._talk = Conversation(pane, strategy, leave_mode)

    def __repr__(self) -> str:
        return f"Console({self._terminal!r}, {self._talk.pane or self._talk.named!r})"

    @property
    def terminal(self) -> Terminal:
        """The terminal that the pane is in."""
        return self._terminal

    @property
    def pane(self) -> Pane:
        """The pane's id.

        Raises:
            PaneNotFoundError: If no pane had that name when it was looked up.
        """
        return self._drive(self._talk.locate())

    def send(self, text: str | KeySequence, *, enter: bool = True) -> Mark:
        r"""Type *text* exactly as given, and press Enter once the program has taken it.

        The text is never a key name, a tmux command or a format. A newline in it is sent as LF
        (``C-j``), which shells take for Enter and most editors do not; say what you mean with
        ``KeySequence.lines(text)``, where each line end is Enter, or ``KeySequence.paste(text)``.

        Args:
            text: What to type; an empty text is just Enter.
            enter: Whether to press Enter after it.

        Returns:
            The mark against which the next `wait_ready` judges.

        Raises:
            InvalidTextError: If the text holds a NUL or a lone surrogate, or a line that is longer
                than what the kernel keeps for a program that reads whole lines.
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited.
            PaneBusyError: If tmux would swallow the text.
            TmuxServerError: If the server is gone.
            TmuxTimeoutError: If the server hangs; it may type the text when it wakes up.
                In all other cases nothing was sent, or the message says what was.
        """
        return self._drive(self._talk.send(text, enter=enter))

    def keys(self, *keys: str | Key | KeySequence) -> Mark:
        """Press keys, without Enter: ``keys("C-c")``, ``keys("Up", "Up")``.

        Args:
            keys: Key names, keys, or sequences of text and keys.

        Returns:
            The mark against which the next `wait_ready` judges.

        Raises:
            InvalidKeyError: If a name is not a key; nothing was sent.
            InvalidTextError: If a sequence has a line that the kernel would cut; nothing was sent.
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If its program has exited.
            PaneBusyError: If tmux would swallow the keys; nothing was sent.
        """
        return self._drive(self._talk.keys(keys))

    def read(self, lines: int = 100, *, since: Mark | None = None) -> str:
        """Return the screen, and what scrolled off it last, as clean text.

        Args:
            lines: How many rows of the history to add above the screen, at most.
            since: Only what is new since that mark, as the lines that were printed: without
                what was typed, with the prompt or question that the program shows now.

        Raises:
            PaneNotFoundError: If the pane is gone.

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
        return self._drive(self._talk.read(lines, since))

    def wait_ready(
        self,
        timeout: float = 10.0,
        *,
        prompt_pattern: str | re.Pattern[str] | None = None,
        strategy: ReadinessStrategy | None = None,
        since: Mark | None = None,
    ) -> Readiness:
        """Wait until the pane can take input, and say why it can.

        Looks once more after *timeout* has passed, so a pane that is ready already never times
        out, not even with ``timeout=0``.

        Args:
            timeout: Longest wait, in seconds.
            prompt_pattern: Regular expression of the prompt to wait for, searched in the lowest
                row that is not empty. Takes the place of the known prompts.
            strategy: Decides instead of the console's own strategy.
            since: The mark to judge against; the last one if None.

        Returns:
            What was found, with the screen it was found on.

        Raises:
            InvalidPatternError: If *prompt_pattern* is not a regular expression.
            InvalidStrategyError: If both are given, or *timeout* is no number of seconds.
            PaneNotFoundError: If the pane is gone already, and was never seen.
            TmuxServerError: If the server is, with its last pane.
        """
        return self._drive(self._talk.wait_ready(timeout, prompt_pattern, strategy, since))

    def wait_for(
        self,
        pattern: str | re.Pattern[str],
        timeout: float = 10.0,
        *,
        since: Mark | None = None,
    ) -> Readiness:
        """Wait until a text is on the screen that was not there at the mark.

        What was typed does not count. The text may be there long before the program takes input;
        follow up with `wait_ready` before you type.

        Args:
            pattern: A text, taken literally, or a compiled regular expression. Lines are as the
                program wrote them, however the screen wraps them.
            timeout: Longest wait, in seconds.
            since: The mark to judge against; the last one if None.

        Returns:
            MATCHED with the screen; TIMEOUT, or EXITED if the program ended without it.

        Raises:
            InvalidPatternError: If *pattern* is empty, or no pattern of text.

        Examples:
            >>> shell = ScriptedShell({"serve": [after(1.0, "listening on 8080"), after(60.0)]})
            >>> terminal = FakeTerminal(programs={"sh": shell})
            >>> console = Console(terminal, terminal.open("sh"))
            >>> _ = console.send("serve")
            >>> print(console.wait_for("listening").reason)
            'listening' is on the screen
        """
        return self._drive(self._talk.wait_for(pattern, timeout, since))

    def run(self, command: str, timeout: float = 30.0) -> CommandResult:
        r"""Run a command and return exactly what it printed.

        Nothing is typed but the command. The output is what stands between the command line and
        the prompt that follows it, in the screen and its history; nobody is told an exit status,
        since a screen does not show it. Of several lines each is typed once the shell has
        taken the one before.

        Args:
            command: One line, or several.
            timeout: Longest wait, in seconds, from before the first line to the last prompt.

        Returns:
            The output. Look at `CommandResult.readiness` for what the pane waits for: a command
            that asks something has not ended, and the lines after it were not typed.

        Raises:
            PaneBusyError: If the pane takes no command; nothing was sent.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"date": "Sunday"})})
            >>> Console(terminal, terminal.open("sh")).run("date").output
            'Sunday\n'
        """
        return self._drive(self._talk.run(command, timeout))

    def session(self, profile: "_profiles.Profile") -> "_profiles.Session":
        """Return a session with a program that is to be started from the shell in this pane.

        Args:
            profile: What is known of the program; `tmuxprim.profiles` has some.

        Raises:
            InvalidProfileError: If it is no `Profile`.

        Examples:
            >>> shell = ScriptedShell({"sqlite3": repl(lambda line: "42", prompt="sqlite> ")})
            >>> terminal = FakeTerminal(programs={"sh": shell})
            >>> with Console(terminal, terminal.open()).session(SQLITE) as session:
            ...     print(session.ask("select 6 * 7;"))
            42
        """
        return _profiles.Session(self._terminal, self._talk, profile)

    def _drive(self, plan: Plan[T]) -> T:
        return drive(plan, self._terminal)
