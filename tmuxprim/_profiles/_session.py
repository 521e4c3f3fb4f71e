"""`Session`: a program that is started, asked, and left again."""

from types import TracebackType
from typing import Self, TypeVar

from tmuxprim._conversation import Conversation
from tmuxprim._errors import TmuxprimError
from tmuxprim._plan import Plan, drive
from tmuxprim._profiles._answer import Answer
from tmuxprim._profiles._dialogue import Dialogue
from tmuxprim._profiles._profile import Profile
from tmuxprim._terminal import Terminal

T = TypeVar("T")


class Session:
    r"""A program in a pane, from its start to its end; `Console.session` makes one.

    As a context manager it starts the program, waits until it is ready, and at the end leaves it
    and waits for the shell's prompt. Within, the console's own methods may be used as well, and its
    `Console.wait_ready` knows the program.

    Raises:
        PaneBusyError: At the start, if no shell's prompt stands there, or something is typed behind
            it, or if a session runs in the pane already; nothing was sent.
        ProgramStartError: At the start, if the program ends at once, is not ready in time, or asks
            something, such as for a login. It has been interrupted then.
        ProgramStaysError: At the end, if it cannot be left. An error of the block counts more, and
            has this one as a note.

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

    def __init__(self, terminal: Terminal, talk: Conversation, profile: Profile) -> None:
        self._terminal = terminal
        self._dialogue = Dialogue(talk, profile)

    def __repr__(self) -> str:
        return f"Session({self._terminal!r}, {self.profile.name!r})"

    @property
    def profile(self) -> Profile:
        """What is known of the program."""
        return self._dialogue.profile

    def ask(self, text: str, timeout: float | None = None) -> Answer:
        """Ask the program something and return its answer, and only that.

        The text is typed, Enter is pressed once the program shows it, and the answer is cut out
        when it is complete. A line break at the end of the text ends a block, such as that of a
        ``def`` in Python, as an empty line does.

        Args:
            text: The question, of one line or several.
            timeout: Longest wait, in seconds; None is the profile's ``answer_timeout``.

        Returns:
            The answer. Look at `Answer.readiness` for what the program waits for, if it is not
            complete.

        Raises:
            ProgramEndedError: If the program has ended; nothing was sent.
            PaneBusyError: If it takes no question now, or something is typed at its prompt; nothing
                was sent.
        """
        return self._drive(self._dialogue.ask(text, timeout))

    def go_on(self, timeout: float | None = None) -> Answer:
        """Wait on for an answer that is not complete, and return it.

        It is what to do after the time was up, and after a question of the program was answered by
        `Console.send` or `Console.keys`.

        Args:
            timeout: Longest wait, in seconds; None is the profile's ``answer_timeout``.
        """
        return self._drive(self._dialogue.go_on(timeout))

    def __enter__(self) -> Self:
        self._dialogue.refuse_if_running()  # before the `try`, which would leave what runs
        try:
            self._drive(self._dialogue.start())
        except BaseException as error:  # C-c in the middle of a start, too: nobody else leaves it
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
