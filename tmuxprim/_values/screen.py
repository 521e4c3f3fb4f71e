"""`Screen`: one atomic snapshot of a pane, as a value.

Text, cursor and state are read in one step of the tmux server, so they belong together: the
cursor is at its place on exactly these rows.
"""

import reprlib
from collections.abc import Iterable
from functools import cached_property

import attrs

from tmuxprim._values.argument_types import check_type
from tmuxprim._values.lines import Layout, cut_at_column, join_rows
from tmuxprim._values.pane import Size, to_size
from tmuxprim._values.style import StyledText, Styles
from tmuxprim._values.tty_state import TtyState
from tmuxprim.errors import InvalidScreenError


def _check_place(_cursor: object, field: "attrs.Attribute[int]", place: object) -> None:
    if not isinstance(place, int) or place < 0:
        raise InvalidScreenError(f"a cursor's {field.name} is a whole number from 0, got {place!r}")


@attrs.frozen
class Cursor:
    """The position of the cursor on the screen; row and column count from 0 at the top left.

    Args:
        row: The row, 0 is the top.
        column: The cell in that row. It equals the number of columns while the cursor waits
            behind a full row.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> console.wait_ready().screen.cursor
        Cursor(row=0, column=2)
    """

    row: int = attrs.field(validator=_check_place)
    column: int = attrs.field(validator=_check_place)


def _to_rows(rows: Iterable[str]) -> tuple[str, ...]:
    return tuple(rows)


def _check_rows(screen: "Screen", _field: object, rows: tuple[str, ...]) -> None:
    if len(rows) != screen.size.rows:
        raise InvalidScreenError(
            f"a screen of {screen.size} has {screen.size.rows} rows, got {len(rows)}; "
            "pad with empty rows"
        )


def _check_cursor(screen: "Screen", _field: object, cursor: Cursor) -> None:
    check_type("cursor", cursor, Cursor)
    if cursor.row >= screen.size.rows or cursor.column > screen.size.columns:
        raise InvalidScreenError(f"the cursor is within the screen of {screen.size}, got {cursor}")


# With slots, attrs adds a `__getattr__` for the cached properties, which slows each access down.
@attrs.frozen(kw_only=True, slots=False)
class Screen:
    """The screen of a pane at one moment.

    Rows have no spaces at their end, since tmux does not distinguish spaces that a program wrote
    from cells that were never written.

    Args:
        size: Columns and rows.
        rows: The visible rows from the top, exactly ``size.rows`` of them.
        cursor: The position of the cursor.
        history: Rows that scrolled off the top, oldest first: as many as the caller asked for.
        layout: Which rows form one line, and how many spaces were written at their ends.
        history_size: Number of rows in the pane's history, whether they were read or not.
        history_limit: Number of rows that the history can keep; when it is full, tmux drops the
            oldest tenth.
        cursor_visible: Whether the program shows the cursor.
        alternate: Whether the alternate screen is on, as in ``vim`` or ``less``.
        mode: What tmux shows over the program, such as ``copy-mode``; empty for nothing.
        input_off: Whether tmux keeps typed keys from the program.
        synchronized: Whether typed keys also go to other panes of the window
            (``synchronize-panes``).
        dead: Whether the program has exited and the pane stays (``remain-on-exit``).
        exit_status: The dead program's exit status. None while it lives, if a signal ended it, and
            until tmux has collected the status, which tmux 3.3a sometimes never does.
        exit_signal: The signal that ended it, as a number (tmux 3.3 and later).
        title: The title that the program set.
        command: Name of the foreground command, such as ``bash``.
        command_started: When the last command line began to run, in whole seconds since 1970, if
            the shell reports it to tmux (OSC 133; tmux 3.8 and later); else None.
        command_status: The exit status of that command line; None while it runs, or if the shell
            does not report it. A command can also print such a report, and tmux believes it, so
            this is no proof.
        shell_integration: Whether the pane was opened with ``shell_integration=True``. Only the raw
            output shows whether the shell really reports its commands.
        pane_pid: Process id of the program that the pane was opened with; 0 if tmux has
            forgotten it since the program ended.
        tty: Path of the pane's terminal device.
        caught_up: Whether rows, cursor and history stayed the same while tmux read all pending
            output right before. Then the screen most likely shows all that the program had written.
            False means that this is not known. The field describes how the screen was read, and not
            its contents, so it is ignored when screens are compared.
        bracketed_paste: Whether the program has switched bracketed paste on; None if tmux does not
            report it, as before 3.7. It is ignored when screens are compared.
        styles: The styles of the visible rows: each row as parts of one style from the left,
            without plain blanks at its end; line drawing is in box characters. None if the caller
            did not ask for them.
        evidence: The kernel's evidence from right before and right after, if the same call brought
            it, as with an exec; otherwise None. It is ignored when screens are compared.

    Examples:
        >>> screen = Screen(size=Size(9, 3), rows=("$ ls", "a", "$"), cursor=Cursor(2, 2))
        >>> screen.before_cursor
        '$ '
        >>> print(screen.text)
        $ ls
        a
        $
        >>> long = attrs.evolve(screen, rows=("123456789", "0", "$"), layout=Layout((True,)))
        >>> long.lines
        ('1234567890', '$')
    """

    size: Size = attrs.field(converter=to_size)
    rows: tuple[str, ...] = attrs.field(converter=_to_rows, validator=_check_rows)
    cursor: Cursor = attrs.field(validator=_check_cursor)
    history: tuple[str, ...] = attrs.field(default=(), converter=_to_rows)
    layout: Layout = attrs.field(factory=Layout)
    history_size: int = 0
    history_limit: int = 2000
    cursor_visible: bool = True
    alternate: bool = False
    mode: str = ""
    input_off: bool = False
    synchronized: bool = False
    dead: bool = False
    exit_status: int | None = None
    exit_signal: int | None = None
    title: str = ""
    command: str = ""
    command_started: int | None = None
    command_status: int | None = None
    shell_integration: bool = False
    pane_pid: int = 0
    tty: str = ""
    caught_up: bool = attrs.field(default=False, eq=False)
    bracketed_paste: bool | None = attrs.field(default=None, eq=False)
    styles: Styles | None = None
    evidence: tuple[TtyState | None, TtyState | None] | None = attrs.field(default=None, eq=False)

    def __repr__(self) -> str:
        cursor = (self.cursor.row, self.cursor.column)
        # Python's own cut is half as long as `cut_repr`: the repr of a wait's result holds this.
        command, last_line = self.command, reprlib.repr(self.last_line)
        return f"Screen({self.size}, {cursor=}, {command=}, {last_line=!s})"

    @property
    def text(self) -> str:
        """The text of history and screen, without the empty rows at the end."""
        return "\n".join(self.history + self.rows).rstrip("\n")

    @property
    def lines(self) -> tuple[str, ...]:
        """History and screen as the program wrote them: rows that wrapped are joined."""
        return tuple(join_rows(self.history + self.rows, self.layout, self.size.columns))

    @property
    def last_line(self) -> str:
        """The lowest row that is not empty, or an empty text."""
        return next((row for row in reversed(self.rows) if row), "")

    @property
    def cursor_line(self) -> str:
        """The whole row that the cursor is on."""
        return self.rows[self.cursor.row]

    @cached_property
    def before_cursor(self) -> str:
        """The cursor's row up to the cursor, with the spaces that reach up to it."""
        return cut_at_column(self.cursor_line, self.cursor.column)

    @cached_property
    def line_before_cursor(self) -> str:
        """The cursor's line up to the cursor, even if the line began in a row above."""
        above = len(self.history)
        last = above + self.cursor.row
        start = self.layout.line_start(last)
        if start == last:
            return self.before_cursor
        rows = [*(self.history + self.rows)[start:last], self.before_cursor]
        layout = Layout(self.layout.wrapped[start:last])
        return "".join(join_rows(rows, layout, self.size.columns))

    @property
    def cursor_line_number(self) -> int:
        """The cursor's row, counted from the oldest row of the history.

        It grows while output scrolls by. So a new prompt has a higher number than the old one, even
        if both are on the same row of the screen.
        """
        return self.history_size + self.cursor.row

    def to_svg(self) -> str:
        """Return a screenshot of the visible rows as SVG, which any browser shows.

        It has colours if the screen was read with ``observe(pane, styled=True)``. Every character
        is drawn in its cell, with any font of the browser.

        Returns:
            A whole SVG document.

        Examples:
            >>> terminal = FakeTerminal()
            >>> picture = terminal.observe(terminal.open(), styled=True).to_svg()
            >>> picture.startswith("<svg ")
            True
        """
        from tmuxprim._values.svg import Picture, draw  # noqa: PLC0415  # few programs need it

        plain = ((StyledText(row),) for row in self.rows)
        place = (self.cursor.row, self.cursor.column) if self.cursor_visible else None
        return draw(self.size, Picture(self.styles or tuple(plain), place))
