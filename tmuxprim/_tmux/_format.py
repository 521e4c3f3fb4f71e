"""What tmux is asked about a pane, and how its answer becomes a `Screen`: pure functions.

The answer is one line of fields followed by the rows. Fields are separated by tabs; the two
that a program may choose freely, command and title, stand last, and rows are counted from the
end, so that nothing a program writes can be taken for a field.
"""

import re
from typing import Final

from tmuxprim._errors import PaneNotFoundError
from tmuxprim._pane import Pane
from tmuxprim._refusals import pane_not_found
from tmuxprim._screen import Cursor, Screen
from tmuxprim._size import Size
from tmuxprim._tmux._command import Words

_FIELDS: Final = (
    *("pane_id", "pane_width", "pane_height", "cursor_x", "cursor_y", "cursor_flag"),
    *("history_size", "history_limit", "alternate_on", "pane_mode", "pane_input_off"),
    *("pane_synchronized", "window_panes"),
    *("pane_dead", "pane_dead_status", "pane_dead_signal", "pane_pid", "pane_tty"),
    *("pane_current_command", "pane_title"),
)
# display-message also runs strftime over its format, so it holds nothing but #{...}.
_FORMAT: Final = "\t".join(f"#{{{field}}}" for field in _FIELDS)

_VERSION: Final = re.compile(r"(\d+)\.(\d+)")

PANES_FORMAT: Final = "\t".join(
    f"#{{{field}}}"
    for field in (
        *("pane_id", "session_name", "window_index", "window_name", "pane_index"),
        *("window_active", "pane_active"),
    )
)


def look_commands(pane: Pane, history: int) -> tuple[Words, Words]:
    """Return the two commands that make one atomic look."""
    rows = ("-S", f"-{history}") if history else ()
    return (
        ("display-message", "-p", "-t", pane.target, _FORMAT),
        ("capture-pane", "-p", "-t", pane.target, *rows),
    )


def parse_look(answer: str, pane: Pane, history: int) -> Screen:
    """Return the screen that the two commands of a look printed.

    Raises:
        PaneNotFoundError: If the answer is about no pane: tmux answers for a pane that is
            gone with empty fields and reports success.
    """
    lines = answer.split("\n")
    fields = _fields(lines[0])
    if fields["pane_id"] != pane.target:
        raise pane_not_found(pane)
    size = Size(int(fields["pane_width"]), int(fields["pane_height"]))
    history_size = int(fields["history_size"])
    above = min(history, history_size)
    first_row = len(lines) - 1 - size.rows - above
    # A line break in a command's name or a title makes the fields longer than one line.
    fields = _fields("\n".join(lines[:first_row]))
    rows = tuple(row.rstrip(" ") for row in lines[first_row:-1])
    return Screen(
        size=size,
        rows=rows[above:],
        history=rows[:above],
        cursor=Cursor(
            min(int(fields["cursor_y"]), size.rows - 1), min(int(fields["cursor_x"]), size.columns)
        ),
        history_size=history_size,
        history_limit=int(fields["history_limit"]),
        cursor_visible=fields["cursor_flag"] == "1",
        alternate=fields["alternate_on"] == "1",
        mode=fields["pane_mode"],
        input_off=fields["pane_input_off"] == "1",
        synchronized=fields["pane_synchronized"] == "1" and fields["window_panes"] != "1",
        dead=fields["pane_dead"] == "1",
        exit_status=_number(fields["pane_dead_status"]),
        exit_signal=_number(fields["pane_dead_signal"]),
        title=fields["pane_title"],
        command=fields["pane_current_command"],
        pane_pid=_number(fields["pane_pid"]) or 0,  # 3.8 forgets it when the program ends
        tty=fields["pane_tty"],
    )


def _fields(line: str) -> dict[str, str]:
    return dict(zip(_FIELDS, line.split("\t", len(_FIELDS) - 1), strict=False))


def _number(field: str) -> int | None:
    return int(field) if field else None


def parse_version(answer: str) -> tuple[int, int]:
    """Return major and minor number of a version such as ``3.3a`` or ``next-3.8``.

    A version that has no number, as a build from the sources may, counts as the newest.
    """
    match = _VERSION.search(answer)
    return (int(match[1]), int(match[2])) if match else (99, 0)


def pick_pane(answer: str, pane: Pane) -> Pane:
    """Return the pane that is meant by a name, from a list of all panes.

    Names are compared here, whole, and never by tmux, which also takes beginnings of names and
    patterns.

    Raises:
        PaneNotFoundError: If no pane has that name, or windows share it.
    """
    found = []
    for line in answer.splitlines():
        pane_id, session, index, window, number, in_active_window, active = line.split("\t")
        windows = f"{session}:{index}", f"{session}:{window}"
        names = {f"{window}.{number}" for window in windows}
        if active == "1":
            names.update(windows)
            if in_active_window == "1":
                names.add(session)
        if pane.target in names:
            found.append(pane_id)
    if len(found) > 1:
        raise PaneNotFoundError(
            f"{pane.target!r} names {len(found)} panes; use one of their ids: {', '.join(found)}"
        )
    if not found:
        raise pane_not_found(pane)
    return Pane(found[0])
