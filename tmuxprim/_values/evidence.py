"""`TtyState`, the kernel's evidence about a terminal; `Prompt`; and `Mark`, the state at a send."""

import attrs

from tmuxprim._values.hidden import Hidden
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim._values.short_repr import cut_repr, short_repr
from tmuxprim._values.tty_state import Activity, Level, TtyState

__all__ = ["Activity", "Level", "Mark", "Prompt", "TtyState", "command_of", "program_of"]


@attrs.frozen
class Prompt:
    """A prompt that has appeared in the pane, whatever its text.

    Args:
        text: The text left of the cursor.
        pid: The process that showed it; None if it cannot be determined.
        read_site: The place in its program where it read the line (`TtyState.read_site`); None if
            it is not certain that it reads its commands there.
        more: Its last continuation prompt; None if none has appeared.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> readiness = console.wait_ready()
        >>> Prompt.seen(readiness.screen, readiness.tty)
        Prompt(text='$ ', pid=1000, read_site=None, more=None)
    """

    text: str = attrs.field(repr=cut_repr)
    pid: int | None = None
    read_site: tuple[int, int] | None = None
    more: str | None = attrs.field(default=None, kw_only=True, repr=cut_repr)

    @classmethod
    def seen(cls, screen: Screen, tty: TtyState | None) -> "Prompt":
        """Return the text left of the cursor, as the prompt of the program in the foreground.

        Args:
            screen: The screen that shows the prompt.
            tty: The kernel's evidence; None if there is none.
        """
        return cls(screen.line_before_cursor, None if tty is None else tty.foreground_pid)


def command_of(screen: Screen, tty: TtyState | None) -> str:
    """Return the name of the command that reads; tmux knows only the leader of its group."""
    return (tty and tty.command) or screen.command


def program_of(screen: Screen, tty: TtyState | None) -> str:
    """Return the name of the program in front: of the file that it was started with, if known."""
    return (tty and tty.program) or command_of(screen, tty)


@attrs.frozen(kw_only=True)
class Mark:
    """The state of a pane right before its last key was sent, or at `Console.mark`.

    A wait judges against it, so that an old prompt is not taken for a new one.

    Args:
        screen: The screen, with the text that was typed before the key already on it.
        tty: The kernel's evidence, or None if there is none.
        prompt: The prompt that was found last, or else the text that was left of the cursor before
            anything was typed.
        pane: The pane of the mark; None if it was made without one. It is ignored when marks are
            compared.
        typed: The text that was typed before the key, which the screen may not show yet. It does
            not include the last key, whose echo may look like an answer. It is ignored when
            marks are compared, and is not in the repr, since it may be a secret. None if the screen
            did not show it yet and a mark from JSON does not hold it.
        ends_line: Whether the input may have ended a line, as Enter and C-c do.
        line: The line as far as it was typed; None if keys such as Up changed it. It is ignored and
            hidden as *typed* is.
        continues: Whether the program had asked for this line as the rest of a command; None if no
            wait has found that out.
        stopped: Programs whose line editors read when C-z was pressed, and that got no input since.
            They are ignored when marks are compared.
        left_title: The title that another program has left behind, until a new one appears.
        hidden: The digests of the texts that a mark from JSON does not hold; None in other marks.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.wait_ready()
        >>> mark = console.send("ls")
        >>> mark.screen.before_cursor, mark.prompt.text
        ('$ ls', '$ ')
    """

    screen: Screen
    tty: TtyState | None = None
    prompt: Prompt | None = None
    pane: Pane | None = attrs.field(default=None, eq=False)
    typed: str | None = attrs.field(default="", eq=False)
    ends_line: bool = True
    line: str | None = attrs.field(default=None, eq=False)
    continues: bool | None = None
    stopped: frozenset[int] = attrs.field(default=frozenset(), eq=False)
    left_title: str = attrs.field(default="", eq=False)
    hidden: Hidden | None = attrs.field(default=None, eq=False)

    def __repr__(self) -> str:
        return short_repr(self, "pane", "prompt", "screen")

    def to_json(self) -> str:
        """Return the mark as JSON, for a later wait or read of the same pane in another process.

        It holds no row of the screen, no title and no typed text. In their place are their lengths
        and salted digests, which later recognise the same text in the pane. A reader of the JSON
        can test a guess of such a text, but cannot read it. Some facts are in it as they are: the
        text of the prompt, the names and numbers of the programs, addresses on a stack, the modes
        of the terminal, and the shell syntax of the typed line (quotes, brackets, and words such as
        ``if`` and ``read``). So keep it as private as a log.

        Raises:
            InvalidMarkError: If the mark is not of a pane of a known server.

        Examples:
            >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a.txt"})})
            >>> pane = terminal.open("sh")
            >>> console = Console(terminal, pane)
            >>> _ = console.wait_ready()
            >>> text = console.send("ls").to_json()
            >>> mark = Mark.from_json(text)  # in another process, say
            >>> Console(terminal, pane).wait_ready(since=mark).outcome
            <Outcome.PROMPT: 'prompt'>
            >>> print(Console(terminal, pane).read(since=mark))
            a.txt
            $
        """
        from tmuxprim._values import mark_json  # noqa: PLC0415  # few marks travel

        return mark_json.to_json(self)

    @staticmethod
    def from_json(text: str) -> "Mark":
        """Return the mark from a text that `to_json` has made.

        A wait or a read with it gives the same result as with the mark itself. Its `screen` has
        meaningless characters in place of the texts. A strategy gets it with the texts that the
        pane still shows.

        Args:
            text: The JSON text.

        Raises:
            InvalidMarkError: If *text* is not a mark, was changed, or comes from a version of
                tmuxprim with another format.

        Examples:
            >>> Mark.from_json("{}")
            Traceback (most recent call last):
            ...
            tmuxprim.errors.InvalidMarkError: a mark is the JSON text that Mark.to_json() has ...
        """
        from tmuxprim._values import mark_json  # noqa: PLC0415  # few marks travel

        return mark_json.from_json(text)

    def seen_on(self, screen: Screen) -> "Mark":
        """Return the mark with those of its missing texts that *screen* shows.

        Args:
            screen: The screen as it is now, with the history to compare.
        """
        return self if self.hidden is None else self.hidden.reveal(self, screen)

    @property
    def command(self) -> str:
        """Name of the command that was in the foreground, even behind a pass-through program."""
        return command_of(self.screen, self.tty)
