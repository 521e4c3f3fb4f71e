"""Every exception that tmuxprim raises on purpose, with advice on how to go on.

::

    TmuxprimError
    ├── InvalidPaneError       (ValueError)         not a pane's name, or a mark of another pane
    ├── InvalidKeyError        (ValueError)         a key name that tmux does not know
    ├── InvalidTextError       (ValueError)         a text that cannot be typed
    ├── InvalidPatternError    (ValueError)         a pattern that is not a regular expression
    ├── InvalidScreenError     (ValueError)         a size, cursor or rows that no screen can have
    ├── InvalidMarkError       (ValueError)         a text that is no mark, or of another version
    ├── InvalidStrategyError   (ValueError)         a readiness chain that makes no sense
    ├── PaneNotFoundError      (LookupError)        no such pane (any more), or server
    ├── PaneExistsError                             a session of that name already exists
    ├── PaneDeadError                               the pane's program has exited
    ├── PaneBusyError                               the pane takes no input now (copy mode)
    ├── TapUnavailableError                         its program's raw output cannot be read
    ├── EventLoopError         (RuntimeError)       a second event loop on one terminal
    ├── ProgramNotFoundError   (FileNotFoundError)  no such program to open a pane with
    ├── TmuxNotFoundError      (FileNotFoundError)  no tmux program to run
    ├── TmuxServerError        (ConnectionError)    no server started, or it did not answer
    ├── TmuxCommandError                            tmux refused a command
    ├── TmuxTimeoutError       (TimeoutError)       tmux did not answer in time
    ├── CommandError                                a command of run(check=True) failed
    ├── InvalidProfileError    (ValueError)         a profile that describes no program
    ├── SessionError                                a program is not in the state that is needed
    │   ├── ProgramStartError                       it did not start, or asked something first
    │   ├── ProgramEndedError                       it has ended, so it takes no question
    │   └── ProgramStaysError                       it did not end
    ├── InvalidRecordingError  (ValueError)         a file that is not a recording of a session
    └── ReplayMismatchError    (AssertionError)     the code acts differently from the recording

All of them are raised before anything was sent, unless their message says otherwise.
A wait whose time is up raises no exception: it returns ``Outcome.TIMEOUT``.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tmuxprim._engine.output import CommandResult

__all__ = [
    "Advice",
    "CommandError",
    "EventLoopError",
    "InvalidKeyError",
    "InvalidMarkError",
    "InvalidPaneError",
    "InvalidPatternError",
    "InvalidProfileError",
    "InvalidRecordingError",
    "InvalidScreenError",
    "InvalidStrategyError",
    "InvalidTextError",
    "PaneBusyError",
    "PaneDeadError",
    "PaneExistsError",
    "PaneNotFoundError",
    "ProgramEndedError",
    "ProgramNotFoundError",
    "ProgramStartError",
    "ProgramStaysError",
    "ReplayMismatchError",
    "SessionError",
    "TapUnavailableError",
    "TmuxCommandError",
    "TmuxNotFoundError",
    "TmuxServerError",
    "TmuxTimeoutError",
    "TmuxprimError",
]

_LONGEST: Final = 300  # characters of a command in a message
_MOST_ROWS: Final = 10  # of an output in a message


class Advice(Enum):
    """Suggested ways out of an error, worded for Python callers.

    A language model or a person at a command line needs other words: `TmuxprimError.in_words`.

    Examples:
        >>> try:
        ...     FakeTerminal().observe(Pane("shared"))
        ... except TmuxprimError as error:
        ...     print(error)
        ...     print(error.in_words({Advice.OPEN_PANE: "press 'New'"}))
        there is no tmux server with a pane; Terminal.open() starts one
        there is no tmux server with a pane; press 'New'
    """

    LIST_PANES = "Terminal.panes() lists all panes"
    OPEN_PANE = "Terminal.open() starts one"
    OPEN_ANOTHER = "close the pane and open another"
    LEAVE_MODE = "give leave_mode=True to leave the mode first"
    CLEAR_LINE = "keys('C-e', 'C-u') deletes it"
    END_SEARCH = "keys('C-c') ends it"
    ANSWER = "answer it with send()"
    ANSWER_UNLESS_PROMPT = "answer it with send(); if it is a prompt, a strategy has to say so"
    FINISH_COMMAND = "send() types it, keys('C-c') gives it up"
    TYPE_AS_TEXT = "to type it as text, use KeySequence.text"
    USE_FAKE = "in a test, use FakeTerminal"
    TAKE_IT = "give another name, or take the existing pane with Console.open(..., reuse=True)"
    GIVE_NAME = "give name='...'"
    READ_SCREEN = "observe() shows the screen"
    PASTE = "send(KeySequence.paste(text)) pastes a text"
    ESCAPE = "re.escape() makes one from literal text"
    INSTALL_THERE = "install tmux on the other side, or give executable= the path that it has there"


class TmuxprimError(Exception):
    """The base of every error that tmuxprim raises on purpose.

    Args:
        *args: The message, as for `Exception`.
        advice: A suggested way out, which is appended to the message.

    Attributes:
        advice: The same, for code that words it differently.

    Examples:
        >>> try:
        ...     Key("Entr")
        ... except TmuxprimError as error:
        ...     print(error)
        unknown or non-portable key name: 'Entr'; did you mean 'Enter'?
    """

    def __init__(self, *args: object, advice: Advice | None = None) -> None:
        super().__init__(*args)
        self.advice = advice

    @property
    def without_advice(self) -> str:
        """The message without its advice."""
        return super().__str__()

    def __str__(self) -> str:
        return self.in_words({})

    def in_words(self, words: Mapping[Advice, str]) -> str:
        """Return the text of the error with *words* in place of its own advice.

        Args:
            words: A wording for each advice; an empty one leaves the advice out. An advice that is
                missing here keeps its own words.
        """
        said = words.get(self.advice, self.advice.value) if self.advice else ""
        return f"{self.without_advice}; {said}" if said else self.without_advice


class InvalidPaneError(TmuxprimError, ValueError):
    """The text cannot name a pane, or the mark belongs to another pane.

    Examples:
        >>> Pane("%x")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidPaneError: a pane id looks like '%3', got '%x'; ...
    """


class InvalidKeyError(TmuxprimError, ValueError):
    """The name is not a key that every tmux understands in the same way.

    Examples:
        >>> KeySequence.keys("Up", "Return")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidKeyError: unknown or non-portable key name: 'Return'; did you ...
    """


class InvalidTextError(TmuxprimError, ValueError):
    r"""The text cannot be sent to a terminal, such as a lone surrogate or a NUL.

    Examples:
        >>> KeySequence.text("a\0b")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidTextError: NUL cannot be typed as text; press the key 'C-@': got ...
    """


class InvalidPatternError(TmuxprimError, ValueError):
    """A pattern is not a regular expression.

    Examples:
        >>> PromptStrategy("[")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidPatternError: a pattern is a regular expression, got '[': ...
    """


class InvalidScreenError(TmuxprimError, ValueError):
    """The size, the cursor or the rows fit no screen.

    Examples:
        >>> Size(0, 24)
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidScreenError: a screen's columns are a whole number from 1 to ...
    """


class InvalidMarkError(TmuxprimError, ValueError):
    """The text is not a mark, or it was changed, or another version of tmuxprim has made it.

    Examples:
        >>> Mark.from_json("prompt")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidMarkError: a mark is the JSON text that Mark.to_json() has ...
    """


class InvalidStrategyError(TmuxprimError, ValueError):
    """The readiness strategy cannot decide anything, such as an empty chain.

    Examples:
        >>> ExitStrategy() | PromptStrategy
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidStrategyError: a strategy has a method assess(snapshot), got ...
    """


class PaneNotFoundError(TmuxprimError, LookupError):
    """No pane has that name, or the pane is gone, perhaps with its server.

    Examples:
        >>> terminal = FakeTerminal()
        >>> _ = terminal.open(name="shared")
        >>> terminal.resolve(Pane("share"))
        Traceback (most recent call last):
        ...
        tmuxprim.errors.PaneNotFoundError: there is no pane 'share' on this tmux server (any ...
    """


class PaneDeadError(TmuxprimError):
    """The pane's program has exited, so no process would read the input.

    Examples:
        >>> terminal = FakeTerminal(remain_on_exit=True)
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.send("exit")
        >>> console.wait_ready().outcome
        <Outcome.EXITED: 'exited'>
        >>> console.send("ls")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.PaneDeadError: nothing was sent: the program of pane %0 has exited ...
    """


class PaneBusyError(TmuxprimError):
    """The pane takes no input now: it would be lost, or mean something else.

    The pane is in a mode, or its input is off. For `Console.run` it is also busy while a program
    asks something, or while the prompt holds a half-typed line.

    Examples:
        >>> terminal = FakeTerminal()
        >>> pane = terminal.open()
        >>> terminal.set_mode(pane, "copy-mode")
        >>> Console(terminal, pane).send("ls")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.PaneBusyError: nothing was sent: pane %0 is in copy-mode, ...
    """


class TapUnavailableError(TmuxprimError):
    """The raw output of the pane's program cannot be read, only its screen.

    Examples:
        >>> terminal = TmuxTerminal(launcher=("ssh", "host"))
        >>> terminal.tap(Pane("%0"))
        Traceback (most recent call last):
        ...
        tmuxprim.errors.TapUnavailableError: tmux is behind a launcher or an exec, where ...
    """


class EventLoopError(TmuxprimError, RuntimeError):
    """A terminal for asyncio belongs to another event loop, the first one that used it.

    Examples:
        >>> import asyncio
        >>> terminal = AsyncFakeTerminal()
        >>> asyncio.run(terminal.panes())
        ()
        >>> asyncio.run(terminal.panes())
        Traceback (most recent call last):
        ...
        tmuxprim.errors.EventLoopError: AsyncFakeTerminal belongs to the first event loop that ...
    """


class PaneExistsError(TmuxprimError):
    """A session of that name already exists, so none was opened.

    Examples:
        >>> terminal = FakeTerminal()
        >>> _ = terminal.open(name="shared")
        >>> terminal.open(name="shared")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.PaneExistsError: a session named 'shared' already exists; ...
    """


class ProgramNotFoundError(TmuxprimError, FileNotFoundError):
    """There is no such program, or no directory to start it in, so no pane was opened.

    Only a command of words (``["htop", "-t"]``) on this machine can be checked. A text goes to a
    shell: if the shell finds no program, the pane opens and closes at once.

    Examples:
        >>> FakeTerminal().open(["htop", "-t"])
        Traceback (most recent call last):
        ...
        tmuxprim.errors.ProgramNotFoundError: this FakeTerminal has no program 'htop', only ...
    """


class TmuxNotFoundError(TmuxprimError, FileNotFoundError):
    """There is no tmux program to run.

    Examples:
        >>> TmuxTerminal(executable="no-such-tmux").panes()
        Traceback (most recent call last):
        ...
        tmuxprim.errors.TmuxNotFoundError: cannot run 'no-such-tmux' (...): install tmux ...
    """


class TmuxServerError(TmuxprimError, ConnectionError):
    """No tmux server could be started, or it went away before it answered.

    If the message says so, the server may have carried the command out. If the server of a pane is
    gone, `PaneNotFoundError` is raised, as for any pane that is gone.

    Examples:
        >>> far = TmuxTerminal(launcher=("sh", "-c", "echo no server running on x >&2; exit 1"))
        >>> far.open()
        Traceback (most recent call last):
        ...
        tmuxprim.errors.TmuxServerError: there is no tmux server with a pane (no server running ...
    """


class TmuxTimeoutError(TmuxprimError, TimeoutError):
    """A tmux call timed out; a late answer is ignored.

    The server may still carry the command out.

    Examples:
        >>> terminal = FakeTerminal()
        >>> pane = terminal.open()
        >>> terminal.faults.hang(60.0)
        >>> terminal.observe(pane)
        Traceback (most recent call last):
        ...
        tmuxprim.errors.TmuxTimeoutError: tmux did not answer within 5 s; a late answer is ...
    """


class InvalidRecordingError(TmuxprimError, ValueError):
    """The file is not a recording of a session, or this version cannot read it.

    Examples:
        >>> ReplayTerminal("/dev/null")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidRecordingError: a recording begins with the format ..., got ...
    """


class ReplayMismatchError(TmuxprimError, AssertionError):
    """The code under test acts differently from the recording.

    Examples:
        >>> import tempfile
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     _ = RecordingTerminal(FakeTerminal(), file.name)  # which records no action
        ...     ReplayTerminal(file.name).open()
        Traceback (most recent call last):
        ...
        tmuxprim.errors.ReplayMismatchError: action 1 of 0 is not what was recorded in ...
          recorded: nothing more
          now:      open(size=80x24)
        fix the code under test, or record the session again if it is meant to do that
    """


class TmuxCommandError(TmuxprimError):
    """Tmux refused a command.

    Attributes:
        argv: The command, word by word.
        exit_status: The exit status of the tmux client.
        stderr: The client's error message.

    Examples:
        >>> print(TmuxCommandError(["tmux", "resize-window"], 1, "width too large"))
        tmux exited with 1 and said 'width too large'; the command was 'tmux' 'resize-window'
    """

    def __init__(self, argv: Sequence[str], exit_status: int, stderr: str) -> None:
        # pickle calls the class with Exception.args, so these have to be all three arguments.
        super().__init__(tuple(argv), exit_status, stderr)
        self.argv: tuple[str, ...] = tuple(argv)
        self.exit_status = exit_status
        self.stderr = stderr

    def __str__(self) -> str:
        said = self.stderr.strip() or "nothing"
        return (
            f"tmux exited with {self.exit_status} and said {said!r}; the command was "
            f"{brief(self.argv)}"
        )


def brief(argv: Sequence[str]) -> str:
    """Return a command for a message, cut to a length that is still read."""
    words = " ".join(map(repr, argv))
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]} ..."


class CommandError(TmuxprimError):
    r"""A command of ``run(check=True)`` has not ended, or its exit status is not known to be 0.

    Attributes:
        command: The command.
        result: Its result, with the output so far. If the command has not ended, `Console.resume`
            keeps waiting.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell()})
        >>> try:
        ...     Console(terminal, terminal.open("sh")).run("make", check=True)
        ... except CommandError as error:
        ...     print(error)
        'make' ended with exit status 127; the end of its output:
          | sh: make: not found
    """

    def __init__(self, command: str, result: "CommandResult") -> None:
        super().__init__(command, result)  # both, so that the error can be pickled
        self.command = command
        self.result = result

    def __str__(self) -> str:
        result = self.result
        if not result.has_ended:
            # This layer knows no `Outcome`. Without its shell, nothing is left to wait for.
            is_gone = result.readiness.outcome.name == "EXITED"
            happened = f"has not ended ({result.readiness.reason})"
            happened += "" if is_gone else "; resume() waits on"
        elif result.exit_status is None:
            happened = "has ended, and the shell did not report its exit status"
        else:
            happened = f"ended with exit status {result.exit_status}"
        rows = result.output.splitlines()[-_MOST_ROWS:]
        shown = "".join(f"\n  | {row}" for row in rows)
        return f"{brief([self.command])} {happened}" + (
            f"; the end of its output:{shown}" if rows else "; it printed nothing"
        )


class InvalidProfileError(TmuxprimError, ValueError):
    """The profile does not describe a program.

    Examples:
        >>> Profile("bc", "bc -q")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidProfileError: a tuple of values is needed, got 'bc -q'
    """


class SessionError(TmuxprimError):
    r"""A program is not in the state that its session needs.

    Attributes:
        message: The reason.
        screen: The text of the pane's screen at that moment.

    Examples:
        >>> error = SessionError("python did not start", "$ python\nno such program")
        >>> print(error)
        python did not start
          | $ python
          | no such program
    """

    def __init__(self, message: str, screen: str = "") -> None:
        super().__init__(message, screen)  # both, so that the error can be pickled
        self.message = message
        self.screen = screen

    def __str__(self) -> str:
        return "\n".join([self.message, *(f"  | {row}" for row in self.screen.splitlines())])


class ProgramStartError(SessionError):
    """The program of a session did not start, or asked something before it was ready.

    Examples:
        >>> terminal = FakeTerminal()
        >>> with Console(terminal, terminal.open()).session(NODE):
        ...     pass
        Traceback (most recent call last):
        ...
        tmuxprim.errors.ProgramStartError: node did not start: the program has ended; ...
          | $ node
          | sh: node: not found
          | $
    """


class ProgramEndedError(SessionError):
    """The program of a session has ended, or has not started, so it takes no question.

    Examples:
        >>> shell = ScriptedShell({"sh": ScriptedShell()})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> with Console(terminal, terminal.open()).session(Profile("inner", ("sh",))) as inner:
        ...     inner.ask("exit").readiness.outcome
        ...     inner.ask("ls")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.ProgramEndedError: nothing was sent: inner has ended
          | $ sh
          | $ exit
          | $
    """


class ProgramStaysError(SessionError):
    """The program of a session did not end.

    Examples:
        >>> stubborn = full_screen(0, lambda count: f"{count} keys", lambda count, key: count + 1)
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"stay": stubborn})})
        >>> with Console(terminal, terminal.open()).session(Profile("stubborn", ("stay",))):
        ...     pass
        Traceback (most recent call last):
        ...
        tmuxprim.errors.ProgramStaysError: stubborn did not end: ...
          | 3 keys
    """
