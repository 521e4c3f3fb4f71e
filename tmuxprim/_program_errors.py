"""What goes wrong with programs that a session drives; the tree is in `_errors`."""

from tmuxprim._errors import TmuxprimError


class InvalidProfileError(TmuxprimError, ValueError):
    """The profile describes no program.

    Examples:
        >>> Profile("bc", "bc -q")
        Traceback (most recent call last):
        ...
        tmuxprim.InvalidProfileError: several values are given as a tuple, got 'bc -q'
    """


class SessionError(TmuxprimError):
    r"""A program is not where its session wants it to be.

    Attributes:
        message: What is wrong.
        screen: What the pane showed, as text.

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
        tmuxprim.ProgramStartError: node did not start: the program has ended; ...
          | $ node
          | sh: node: not found
          | $
    """


class ProgramEndedError(SessionError):
    """The program of a session does not run any more, or not yet, so it cannot be asked anything.

    Examples:
        >>> shell = ScriptedShell({"sh": ScriptedShell()})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> with Console(terminal, terminal.open()).session(Profile("inner", ("sh",))) as inner:
        ...     inner.ask("exit").readiness.outcome
        ...     inner.ask("ls")
        Traceback (most recent call last):
        ...
        tmuxprim.ProgramEndedError: nothing was sent: inner has ended
          | $ sh
          | $ exit
          | $
    """


class ProgramStaysError(SessionError):
    """The program of a session cannot be left.

    Examples:
        >>> stubborn = full_screen(0, lambda count: f"{count} keys", lambda count, key: count + 1)
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"stay": stubborn})})
        >>> with Console(terminal, terminal.open()).session(Profile("stubborn", ("stay",))):
        ...     pass
        Traceback (most recent call last):
        ...
        tmuxprim.ProgramStaysError: stubborn was not left: ...
          | 3 keys
    """
