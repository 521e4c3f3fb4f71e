"""How answers of tmux become values and errors: pure functions."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from tmuxprim._tmux.commands import SERVER, Words, body
from tmuxprim._tmux.versions import KEEPS_TRAILING_SPACES, Version, parse_version
from tmuxprim._values.checks import pane_not_found
from tmuxprim._values.lines import TAB_STOP, Layout, find_layout
from tmuxprim._values.pane import Pane, PaneInfo, Size
from tmuxprim._values.screen import Cursor, Screen
from tmuxprim._values.shell_integration import FOLDER
from tmuxprim._values.style import parse_styles
from tmuxprim.errors import (
    Advice,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
)

_NO_CONNECTION: Final = re.compile("no server running|error connecting to")
_NO_SERVER: Final = (
    *("no server running", "error connecting to", "lost server", "server exited"),
    # The server runs, but its last pane has gone, so it is about to exit.
    *("no current target", "no current session", "no sessions"),
)
# The error at a socket of another user, whose server may have any number of panes.
_CLOSED: Final = "(Permission denied)"
_LONGEST: Final = 100
# The exit status of shells, env and docker that find no program; they also say so. tmux exits with
# it as well, but silently, if all was done and a hook of the user's found no program.
_NO_PROGRAM: Final = 127
_NO_PANE: Final = ("can't find pane", "can't find window", "can't find session", "no such pane")


def to_error(argv: tuple[str, ...], status: int, stderr: str) -> TmuxprimError:
    """Return the error for a command line that failed."""
    said = stderr.strip()
    refusal = TmuxCommandError(argv, status, stderr)
    error: TmuxprimError = refusal
    if any(words in said for words in _NO_SERVER) and _CLOSED not in said:
        error = TmuxServerError(
            f"there is no tmux server with a pane ({said}; if one does run, the tmux client may be "
            "too old for it)",
            advice=Advice.OPEN_PANE,
        )
    elif any(words in said for words in _NO_PANE):
        error = PaneNotFoundError(f"tmux: {said}", advice=Advice.LIST_PANES)
    elif status == _NO_PROGRAM and said:
        error = TmuxNotFoundError(
            f"the launcher found no program ({said})", advice=Advice.INSTALL_THERE
        )
    if error is not refusal:
        error.__cause__ = refusal
    return error


def unexpected_answer(words: Words, answer: str) -> TmuxCommandError:
    """Return the error for output that a launcher or a login shell has written, and not tmux."""
    # The rest may be a screen.
    said = answer.partition("\n")[0][:_LONGEST]
    why = (
        "this is not an answer of tmux: a launcher, and a login shell behind it, may print nothing "
        "themselves, and have to pass input on; a hook of yours that prints (tmux show-hooks -g) "
        "is separated in control mode only"
    )
    return TmuxCommandError(("tmux", *words), 0, f"{said} ({why})")


def not_connected(error: TmuxServerError) -> bool:
    """Whether a client could not connect, so that it has done nothing."""
    refusal = error.__cause__
    return isinstance(refusal, TmuxCommandError) and bool(_NO_CONNECTION.search(refusal.stderr))


def lacks_server(error: TmuxServerError) -> bool:
    """Whether tmux has said that no server is there; else nothing is known of it."""
    return isinstance(error.__cause__, TmuxCommandError)


def without_server(error: TmuxServerError) -> TmuxprimError:
    """Return the error of a pane if no server is there, with which it is gone; else *error*."""
    if lacks_server(error):
        return PaneNotFoundError(error.without_advice, advice=error.advice)
    return error


def server_was_exiting(error: TmuxServerError) -> bool:
    """Whether a server was there and went away, rather than none being there."""
    refusal = error.__cause__
    return isinstance(refusal, TmuxCommandError) and "server exited" in refusal.stderr


# Each field takes tmux a microsecond or more.
_SHARED: Final = "?pane_synchronized,#{window_panes},1"
_DEAD: Final = "?pane_dead,dead #{pane_dead_status} #{pane_dead_signal},"
# By OSC 133, from 3.8 on. The status stays when the next prompt follows without a command.
_TOLD: Final = "?pane_command_start_time,#{pane_command_start_time} #{pane_command_status},"
# From 3.7 on. In a mode it is the flag of the mode's screen.
_PASTES: Final = "?pane_in_mode,,#{bracket_paste_flag}"
# tmux keeps the command that a pane was started with as long as the pane lives.
_INTEGRATED: Final = f"?#{{m:*/{FOLDER}/*,#{{pane_start_command}}}},1,"
_COMMAND: Final = "s/\n/ /:pane_current_command"
_TITLE: Final = "s/\n/ /:pane_title"
_FIELDS: Final = (
    *("pane_id", "pane_width", "pane_height", "cursor_x", "cursor_y", "cursor_flag"),
    *("history_size", "history_limit", "alternate_on", "pane_mode", "pane_input_off"),
    *("version", "pid", "start_time", "pane_pid", "pane_tty", _SHARED, _DEAD, _TOLD),
    *(_INTEGRATED, _PASTES, _COMMAND, _TITLE),
)
# Those of them that are numbers of a pane that is there.
_NUMBERS: Final = (
    *("pane_width", "pane_height", "cursor_x", "cursor_y", "history_size", "history_limit"),
    *("pid", "start_time"),
)
# The fields of a preview; the first is the number of rows that follow.
_PREVIEWED_AT: Final = ("pane_height", "history_size", "cursor_x", "cursor_y")
# In the time that this takes, the server reads what programs have written.
WAIT: Final = ("run-shell", "-d", "0")
_IDENTIFIED: Final = re.compile(r"(|%[0-9]+) ([0-9.]+)")
_ROWS: Final = re.compile(r"([0-9]+) ([0-9]+)")
_OPENED: Final = re.compile(r"^(%[0-9]+) ([0-9.]+) ([0-9]+) ([0-9]+)$", re.MULTILINE)
_PREVIEWED: Final = re.compile(r"([0-9]+)(?:\t[0-9]+){3}")

# display-message also runs strftime over its format, so it holds nothing but #{...}.
_FORMAT: Final = "\t".join(f"#{{{field}}}" for field in _FIELDS)
_PREVIEW: Final = "\t".join(f"#{{{field}}}" for field in _PREVIEWED_AT)

# The id of a pane, and its server.
_IDENTITY: Final = f"#{{pane_id}} {SERVER}"
_NAMES: Final = (
    _IDENTITY,
    *("#{session_name}", "#{window_index}", "#{window_name}", "#{pane_index}"),
    *("#{window_active}", "#{pane_active}"),
)
# The fields that a program may choose freely come last, and keep no line break.
_DETAILS: Final = (
    *("#{pane_width}", "#{pane_height}", "#{pane_dead}", f"#{{{_COMMAND}}}", f"#{{{_TITLE}}}"),
)
LIST_NAMES: Final = ("list-panes", "-a", "-F", "\t".join(_NAMES))
LIST_PANES: Final = ("list-panes", "-a", "-F", "\t".join((*_NAMES, *_DETAILS)))


# Whether a pane's output goes somewhere, and what else than the cursor says where text goes.
PLACING: Final = (
    "#{pane_pipe} #{insert_flag} #{origin_flag} #{wrap_flag} #{scroll_region_upper} "
    "#{scroll_region_lower} #{pane_tabs}"
)


def is_as_new(placing: str, size: Size) -> bool:
    """Whether a pane has the values of `PLACING` that a new one has."""
    tabs = ",".join(map(str, range(TAB_STOP, size.columns, TAB_STOP)))
    return placing.partition(" ")[2] == f"0 0 1 0 {size.rows - 1} {tabs}"


def snapshot_commands(pane: Pane, history: int) -> tuple[Words, ...]:
    """Return the commands that make one atomic snapshot."""
    rows = _history_rows(history)
    return (
        ("display-message", "-p", "-t", pane.target, _FORMAT),
        ("capture-pane", "-p", "-t", pane.target, *rows),
        ("capture-pane", "-p", "-J", "-t", pane.target, *rows),
    )


def preview_commands(pane: Pane) -> tuple[Words, ...]:
    """Return the commands of a preview, which comes before a snapshot.

    If the snapshot shows the same, tmux had nothing more to read from the program.
    """
    return ("display-message", "-p", "-t", pane.target, _PREVIEW), text_command(pane, 0), WAIT


def text_command(pane: Pane, history: int) -> Words:
    """Return the command that prints the text of the screen."""
    return ("capture-pane", "-p", "-t", pane.target, *_history_rows(history))


def style_command(pane: Pane) -> Words:
    """Return the command that prints the visible rows with their styles.

    It keeps the blanks at their ends, which may be painted; tmux 3.0 cannot (no ``-N``).
    """
    capture = ("capture-pane", "-p", "-e", "-t", pane.target)
    return (
        *("if-shell", "-F", "-t", pane.target, "#{m:3.0*,#{version}}"),
        *(body([capture]), body([(*capture, "-N")])),
    )


def identity_command(pane: Pane) -> Words:
    """Return the command that reports the server of a pane's id; it comes before others."""
    return ("display-message", "-p", "-t", pane.target, _IDENTITY)


def parse_rest(answer: str, pane: Pane) -> str:
    """Return what the commands behind `identity_command` printed.

    Raises:
        PaneNotFoundError: If the pane is not there, or another one has its id by now.
        TmuxCommandError: If the output is not tmux's.
    """
    identity, _, rest = answer.partition("\n")
    if not (match := _IDENTIFIED.fullmatch(identity)):
        raise unexpected_answer(("display-message",), answer)
    _refuse_another(pane, match[1], match[2])
    return rest


def read_commands(pane: Pane, history: int) -> tuple[Words, ...]:
    """Return the commands that print the text of the screen, and of how many rows it is."""
    return identity_command(pane), size_command(pane), text_command(pane, history)


def size_command(pane: Pane) -> Words:
    """Return the command that reports the number of rows on a pane's screen and above it."""
    return ("display-message", "-p", "-t", pane.target, "#{pane_height} #{history_size}")


def parse_text(answer: str, pane: Pane, history: int) -> str:
    """Return the text that `read_commands` printed, as `Screen.text` has it.

    tmux leaves out the spaces at the ends of rows by itself.

    Errors as of `parse_rest`; also if the rows are more or fewer, since a hook has printed some.
    """
    size, _, text = parse_rest(answer, pane).partition("\n")
    if not (match := _ROWS.fullmatch(size)):
        raise unexpected_answer(("display-message",), size)
    if text.count("\n") != int(match[1]) + min(history, int(match[2])):
        raise unexpected_answer(("capture-pane",), text.rstrip("\n").rpartition("\n")[2])
    return text.rstrip("\n")


def _refuse_another(pane: Pane, target: str, server: str) -> None:
    """Refuse an answer about no pane, or about a pane of a later server."""
    if target != pane.target or pane.server not in ("", server):
        raise pane_not_found(pane)


def _history_rows(history: int) -> Words:
    return ("-S", f"-{history}") if history else ()


class SnapshotAnswer(NamedTuple):
    """The screen of a pane, and the server and version that it came from."""

    screen: Screen
    server: str
    version: Version


def parse_snapshot(
    answer: str, pane: Pane, history: int, *, previewed: bool, styled: bool
) -> SnapshotAnswer:
    """Return what the commands of a snapshot printed.

    Args:
        answer: What they printed.
        pane: The pane.
        history: How many rows of the history were asked for.
        previewed: Whether the commands of a preview came first.
        styled: Whether `style_command` came last.

    Raises:
        PaneNotFoundError: If the pane is gone, for which tmux prints empty fields and reports
            success, or if another server has the id now.
        TmuxCommandError: If the output is not tmux's.
    """
    preview, seen, lines = _split_preview(answer) if previewed else ("", [], answer.split("\n"))
    fields = _fields(lines[0], pane)
    size = Size(int(fields["pane_width"]), int(fields["pane_height"]))
    history_size = int(fields["history_size"])
    above = min(history, history_size)
    joined = 1 + above + size.rows
    dead, status, signal = fields[_DEAD].split(" ") if fields[_DEAD] else ("", "", "")
    started, _, told = fields[_TOLD].partition(" ")
    rows = tuple([row.rstrip(" ") for row in lines[1:joined]])
    version = parse_version(fields["version"])
    end = -1 - size.rows if styled else -1
    if len(lines[joined:end]) > len(rows):
        raise unexpected_answer(("capture-pane",), lines[-2])
    # The pane has not changed between preview and snapshot if both show the same.
    fields_now = "\t".join(fields[name] for name in _PREVIEWED_AT)
    screen = Screen(
        size=size,
        rows=rows[above:],
        history=rows[:above],
        layout=_layout(rows, lines[joined:end], size.columns, version),
        cursor=_cursor(fields, size),
        history_size=history_size,
        history_limit=int(fields["history_limit"]),
        cursor_visible=fields["cursor_flag"] == "1",
        alternate=fields["alternate_on"] == "1",
        mode=fields["pane_mode"],
        input_off=fields["pane_input_off"] == "1",
        synchronized=fields[_SHARED] != "1",
        dead=bool(dead),
        exit_status=_number(status),
        exit_signal=_number(signal),
        title=fields[_TITLE],
        command=fields[_COMMAND],
        command_started=_number(started),
        command_status=_number(told),
        shell_integration=bool(fields[_INTEGRATED]),
        pane_pid=_number(fields["pane_pid"]) or 0,  # 3.8 forgets it when the program ends
        tty=fields["pane_tty"],
        caught_up=(preview, seen) == (fields_now, lines[1 + above : joined]),
        bracketed_paste=fields[_PASTES] == "1" if fields[_PASTES] else None,
        styles=parse_styles(lines[end:-1]) if styled else None,
    )
    return SnapshotAnswer(screen, _server(fields), version)


def _split_preview(answer: str) -> tuple[str, list[str], list[str]]:
    """Return fields and rows of the preview, and the lines of the snapshot behind it."""
    preview, _, rest = answer.partition("\n")
    if not (match := _PREVIEWED.fullmatch(preview)):
        raise unexpected_answer(("display-message",), preview)
    lines = rest.split("\n")
    height = int(match[1])
    return preview, lines[:height], lines[height:]


def _layout(rows: tuple[str, ...], lines: list[str], columns: int, version: Version) -> Layout:
    if lines == list(rows):  # nearly always, and the rest takes as long as all else here
        return _each_its_own(len(rows), tells_spaces=version >= KEEPS_TRAILING_SPACES)
    layout = find_layout(rows, lines, columns)
    return layout if version >= KEEPS_TRAILING_SPACES else Layout(layout.wrapped)


@lru_cache
def _each_its_own(rows: int, *, tells_spaces: bool) -> Layout:
    """Return the layout of rows that are lines of their own, with no space at their ends."""
    return Layout((False,) * rows, (0,) * rows if tells_spaces else ())


def _fields(line: str, pane: Pane) -> dict[str, str]:
    """Return the fields of a pane, by their names; errors as of `parse_snapshot`."""
    fields = dict(zip(_FIELDS, line.split("\t", len(_FIELDS) - 1), strict=False))
    if len(fields) < len(_FIELDS):
        raise unexpected_answer(("display-message",), line)
    _refuse_another(pane, fields["pane_id"], _server(fields))
    if not all(fields[name].isdecimal() for name in _NUMBERS):
        raise unexpected_answer(("display-message",), line)
    return fields


def _server(fields: dict[str, str]) -> str:
    return f"{fields['pid']}.{fields['start_time']}"


def _cursor(fields: dict[str, str], size: Size) -> Cursor:
    row, column = int(fields["cursor_y"]), int(fields["cursor_x"])
    return Cursor(min(row, size.rows - 1), min(column, size.columns))


def _number(field: str) -> int | None:
    return int(field) if field else None


def parse_panes(answer: str) -> tuple[PaneInfo, ...]:
    """Return what `LIST_PANES` printed.

    A window that is linked into several sessions is listed once for each; the first counts.

    Raises:
        TmuxCommandError: If the output is not tmux's.
    """
    panes: dict[Pane, PaneInfo] = {}
    for fields in _parse_table(answer, len(_NAMES) + len(_DETAILS)):
        info = _pane_info(fields)
        panes.setdefault(info, info)
    return tuple(panes.values())


def _pane_info(fields: list[str]) -> PaneInfo:
    identity, session, window, window_name, index, in_active, active, *details = fields
    columns, rows, dead, command, title = details
    target, server = identity.split()
    return PaneInfo(
        target=target,
        server=server,
        session=session,
        window=int(window),
        window_name=window_name,
        index=int(index),
        size=Size(int(columns), int(rows)),
        command=command,
        title=title,
        active=in_active == active == "1",
        dead=dead == "1",
    )


def parse_opened(answer: str) -> tuple[Pane, Size]:
    """Return what the opening of a pane printed: the pane, and its size.

    A hook of the user's, or a launcher, may have printed lines before it and behind it.

    Raises:
        TmuxCommandError: If the output is not tmux's.
    """
    if not (match := _OPENED.search(answer)):
        raise unexpected_answer(("new-session",), answer)
    return Pane(match[1], server=match[2]), Size(int(match[3]), int(match[4]))


def _parse_table(answer: str, columns: int) -> list[list[str]]:
    """Return the fields of each line that ``list-panes`` printed; the last may hold tabs.

    Raises:
        TmuxCommandError: If the output is not tmux's.
    """
    rows = [line.split("\t", columns - 1) for line in answer.split("\n")[:-1]]
    if any(len(row) != columns or not _IDENTIFIED.fullmatch(row[0]) for row in rows):
        raise unexpected_answer(("list-panes",), answer)
    return rows


def pick_pane(answer: str, pane: Pane) -> Pane:
    """Return the pane that is meant by a name or an id, from a list of all panes.

    Names are compared here, whole, and never by tmux, which also takes beginnings of names and
    patterns.

    Raises:
        PaneNotFoundError: If no pane has it, or windows share the name.
        TmuxCommandError: If the output is no list of panes.
    """
    found: dict[str, None] = {}  # a window that is linked into several sessions is in each
    for identity, *place in _parse_table(answer, len(_NAMES)):
        if pane.target in ([identity.split(" ")[0]] if pane.is_id else _names(*place)):
            found[identity] = None
    if not found:
        raise pane_not_found(pane)
    panes = [Pane(target, server=server) for target, server in map(str.split, found)]
    if len(panes) > 1:
        ids = ", ".join(map(str, panes))
        raise PaneNotFoundError(
            f"{pane.target!r} names {len(panes)} panes; use one of their ids: {ids}"
        )
    return panes[0]


def _names(
    session: str, index: str, window: str, number: str, in_active_window: str, active: str
) -> set[str]:
    """Return the names that a pane has by its place."""
    windows = f"{session}:{index}", f"{session}:{window}"
    names = {f"{window}.{number}" for window in windows}
    if active == "1":
        names.update(windows)
        if in_active_window == "1":
            names.add(session)
    return names
