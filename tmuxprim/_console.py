"""`Console`: one pane, and what a program does with it: send, press keys, read, wait."""

import re

import attrs

from tmuxprim._ansi import strip_ansi
from tmuxprim._errors import InvalidStrategyError
from tmuxprim._keys import Key
from tmuxprim._mark import Mark, Prompt
from tmuxprim._pane import Pane
from tmuxprim._plan import drive
from tmuxprim._readiness._default import default_chain
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._strategy import ReadinessStrategy, check_strategy
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._sequence import KeySequence
from tmuxprim._terminal import Terminal
from tmuxprim._typewrite import ENTER, press, submit
from tmuxprim._wait import Stillness, wait_until_ready


class Console:
    """Drives one pane of a terminal.

    The pane is looked up by its name once; from then on the console uses its id, so it stays
    with the same pane when that is renamed or moved.

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
        self._named = pane
        self._id: Pane | None = None
        self._strategy = strategy
        self._leave_mode = leave_mode
        self._mark: Mark | None = None
        self._stillness = Stillness()
        self._prompt: Prompt | None = None

    def __repr__(self) -> str:
        return f"Console({self._terminal!r}, {self._id or self._named!r})"

    @property
    def pane(self) -> Pane:
        """The pane's id.

        Raises:
            PaneNotFoundError: If no pane had that name when it was looked up.
        """
        if self._id is None:
            self._id = self._terminal.resolve(self._named)
        return self._id

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
        keys = text if isinstance(text, KeySequence) else KeySequence.text(text)
        if enter and keys:
            plan = submit(self.pane, keys, last=self._mark, leave_mode=self._leave_mode)
            return self._remember(drive(plan, self._terminal))
        return self._press(ENTER if enter else keys)

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
        sequence = KeySequence(())
        for key in keys:
            if isinstance(key, KeySequence):
                sequence += key
            else:
                sequence += KeySequence((key if isinstance(key, Key) else Key(key),))
        return self._press(sequence)

    def read(self, lines: int = 100) -> str:
        """Return the screen, and what scrolled off it last, as clean text.

        Args:
            lines: How many rows of the history to add above the screen, at most.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        return strip_ansi(self._terminal.observe(self.pane, history=lines).text)

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
        if strategy is not None and prompt_pattern is not None:
            raise InvalidStrategyError("give prompt_pattern or strategy, not both")
        if strategy is None and prompt_pattern is None:
            strategy = self._strategy
        wait = wait_until_ready(
            self.pane,
            default_chain(prompt_pattern) if strategy is None else strategy,
            timeout=timeout,
            mark=self._mark if since is None else since,
            stillness=self._stillness,
        )
        readiness = drive(wait, self._terminal)
        if readiness.outcome is Outcome.PROMPT:
            self._prompt = Prompt.seen(readiness.screen, readiness.tty)
        return readiness

    def _press(self, keys: KeySequence) -> Mark:
        mark = drive(press(self.pane, keys, leave_mode=self._leave_mode), self._terminal)
        # Nothing was sent, so there is nothing new to wait for.
        return self._remember(mark) if keys else mark

    def _remember(self, mark: Mark) -> Mark:
        if self._prompt is not None:
            mark = attrs.evolve(mark, prompt=self._prompt)
        self._mark, self._stillness = mark, Stillness()
        return mark
