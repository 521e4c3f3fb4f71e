"""A pane's identity, and a size."""

import re
from typing import Final, TypeAlias

import attrs

from tmuxprim._values.short_repr import cut_repr
from tmuxprim.errors import Advice, InvalidPaneError, InvalidScreenError

_ID: Final = re.compile(r"%(?:0|[1-9][0-9]*)\Z")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
# The name is put into a tmux format, #{==:...,NAME}, in which commas, braces and '#' have a
# meaning (tmux(1), FORMATS).
_SERVER: Final = re.compile(r"[0-9A-Za-z.-]*\Z")


def _check_target(_pane: object, _field: object, target: str) -> None:
    if not isinstance(target, str):
        raise InvalidPaneError(f"a pane is named by a str such as '%3' or 'shared', got {target!r}")
    if not target.strip():
        raise InvalidPaneError(f"a pane needs a name such as '%3' or 'shared', got {target!r}")
    if target.startswith("%") and not _ID.match(target):
        raise InvalidPaneError(
            f"a pane id looks like '%3', got {target!r}", advice=Advice.LIST_PANES
        )
    if _CONTROL.search(target):
        raise InvalidPaneError(f"a pane's name has no control characters, got {target!r}")


def _check_server(_pane: object, _field: object, server: str) -> None:
    if not _SERVER.match(server):
        raise InvalidPaneError(
            f"a server's name has letters, digits, '.' and '-' only, got {server!r}"
        )


@attrs.frozen(eq=False)
class Pane:
    """The name of one pane of a terminal.

    A name is exact and never a prefix: ``Pane("shared")`` does not find the session
    ``shared-2``. The name of a session or of a window means its active pane.

    Args:
        target: ``%3``, ``session``, ``session:window`` or ``session:window.pane``, where
            window is an index or a name and pane is an index.
        server: The server that gave the id. Terminals set it for the panes that they open and
            find. Leave it out if you name a pane yourself: that means the pane with that name now.
            It is ignored when panes are compared.

    Raises:
        InvalidPaneError: If *target* cannot name a pane, or *server* cannot name a server.

    Examples:
        >>> Pane("%3").is_id
        True
        >>> Pane("shared:0.1")
        Pane(target='shared:0.1')
        >>> Pane("%x")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidPaneError: a pane id looks like '%3', got '%x'; ...
    """

    target: str = attrs.field(validator=_check_target)
    server: str = attrs.field(default="", kw_only=True, repr=False, validator=_check_server)

    def __eq__(self, other: object) -> bool:
        return self.target == other.target if isinstance(other, Pane) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.target)

    @property
    def is_id(self) -> bool:
        """Whether this is an exact id, such as ``%3``, rather than a name."""
        return self.target.startswith("%")

    def __str__(self) -> str:
        return self.target


def to_pane(pane: Pane | str) -> Pane:
    """Return *pane* as a `Pane`; a text is taken for its name."""
    return pane if isinstance(pane, Pane) else Pane(pane)


def is_meant(named: Pane, pane: Pane) -> bool:
    """Whether *named* means this pane; an id without a server is good for any server."""
    return named == pane and named.server in ("", pane.server)


_LARGEST: Final = 10_000  # tmux's own limit for a window (WINDOW_MAXIMUM)


def _check_cells(_size: object, field: "attrs.Attribute[int]", cells: object) -> None:
    if not isinstance(cells, int) or isinstance(cells, bool) or not 1 <= cells <= _LARGEST:
        raise InvalidScreenError(
            f"a screen's {field.name} are a whole number from 1 to {_LARGEST}, got {cells!r}"
        )


@attrs.frozen
class Size:
    """The size of a screen, in cells; columns come first, as in ``80x24``.

    Args:
        columns: Cells in a row, 1 to 10,000.
        rows: Rows on the screen, 1 to 10,000.

    Raises:
        InvalidScreenError: If one of them is not such a number.

    Examples:
        >>> str(Size(80, 24))
        '80x24'
    """

    columns: int = attrs.field(validator=_check_cells)
    rows: int = attrs.field(validator=_check_cells)

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"


SizeLike: TypeAlias = Size | tuple[int, int]
"""A size, or its columns and rows."""


def to_size(size: SizeLike) -> Size:
    """Return *size* as a `Size`; a tuple is taken for its columns and rows."""
    match size:
        case Size():
            return size
        case (columns, rows):
            return Size(columns, rows)
    raise InvalidScreenError(f"a size is Size(columns, rows), or (columns, rows), got {size!r}")


@attrs.frozen(eq=False, kw_only=True)
class PaneInfo(Pane):
    """A pane at the moment when all panes were listed: its id, its position, its program.

    It can be used wherever a `Pane` can, and equals the `Pane` of the same id.

    Args:
        target: The id, such as ``%3``.
        server: The server that gave the id.
        session: Name of the session.
        window: Index of the window in the session.
        window_name: Name of the window.
        index: Index of the pane in the window.
        size: Columns and rows.
        command: Name of the program in the foreground.
        title: The title that the program has set.
        active: Whether it is the active pane of its session, which the session's name means.
        dead: Whether its program has exited.

    Examples:
        >>> terminal = FakeTerminal()
        >>> _ = terminal.open(name="work")
        >>> [f"{pane} {pane.name} {pane.size} {pane.command}" for pane in terminal.panes()]
        ['%0 work:0.0 80x24 sh']
    """

    session: str
    window: int
    window_name: str
    index: int
    size: Size
    command: str
    title: str = attrs.field(repr=cut_repr)
    active: bool
    dead: bool

    @property
    def name(self) -> str:
        """Its name by its position, ``session:window.pane``, which is exact and unique."""
        return f"{self.session}:{self.window}.{self.index}"
