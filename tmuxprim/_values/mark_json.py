"""A mark as JSON, which another process reads: facts as they are, and digests of texts."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from tmuxprim._values.evidence import Mark, Prompt, TtyState
from tmuxprim._values.hidden import Beginning, Digest, Hidden, HiddenLine, unknown_rows
from tmuxprim._values.lines import Layout, fill, join_rows
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.screen import Cursor, Screen
from tmuxprim.errors import InvalidMarkError

_FORMAT: Final = 1
_FACTS: Final = (
    *("history_size", "history_limit", "cursor_visible", "alternate", "dead", "command"),
    *("pane_pid", "bracketed_paste"),
)
"""The fields of a screen that are told: a wait or a read needs them, and they hold no text."""
# What decides whether a shell may want more of a line, or asks something itself.
_WORDS: Final = frozenset(
    (
        *("if", "fi", "case", "switch", "esac", "do", "done", "for", "foreach", "while", "until"),
        *("select", "repeat", "function", "end", "read", "vared", "source", "exec"),
        *("PS1", "PROMPT", "prompt", "fish_prompt"),
    )
)
_PARTS: Final = re.compile(r"\w+|\s|.", re.DOTALL)
_SYNTAX: Final = frozenset("'\"`\\#!=<|&(){}[];$-.")


def to_json(mark: Mark) -> str:
    """Return a mark as JSON; see `Mark.to_json`."""
    pane, screen = mark.pane, _without_history(mark.screen)
    if pane is None or not pane.server:
        raise InvalidMarkError(
            f"a mark for another process is of a pane of a known server, got one of {pane!r}; take "
            "one that a console's send, keys or mark() has returned"
        )
    facts: dict[str, Any] = {
        "format": _FORMAT,
        "pane": pane.target,
        "server": pane.server,
        "size": attrs.astuple(screen.size),
        "cursor": attrs.astuple(screen.cursor),
        "layout": attrs.astuple(screen.layout),
        "screen": {name: getattr(screen, name) for name in _FACTS},
        "tty": _facts_of(mark.tty),
        "prompt": mark.prompt and attrs.asdict(mark.prompt),
        "ends_line": mark.ends_line,
        "line": _line_of(mark),
        "continues": mark.continues,
        "stopped": sorted(mark.stopped),
    }
    facts["salt"] = salt = Digest.of(json.dumps(facts), "").value
    facts["texts"] = _texts_of(attrs.evolve(mark, screen=screen), salt)
    return json.dumps({**facts, "check": _check(facts)})


def from_json(text: str) -> Mark:
    """Return the mark that a JSON text holds; see `Mark.from_json`."""
    try:
        facts = json.loads(text)
        told = facts.pop("format"), facts.pop("check")
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise InvalidMarkError(
            f"a mark is the JSON text that Mark.to_json() has returned, got {_begin(text)}"
        ) from error
    if told[0] != _FORMAT:
        raise InvalidMarkError(
            f"the mark has format {told[0]!r}, and this version of tmuxprim reads format "
            f"{_FORMAT}; take a new mark"
        )
    if told[1] != _check({"format": _FORMAT, **facts}):
        raise InvalidMarkError("the mark was changed or cut since to_json(); take a new one")
    return _mark_of(facts)


def _line_of(mark: Mark) -> str | None:
    """Return what is told of the line that was typed: of a secret nothing."""
    is_hidden = mark.tty is not None and mark.tty.hides_input
    return mark.line and ("" if is_hidden else outline(mark.line))


def outline(line: str) -> str:
    """Return a command line in which only the words and signs are left that shells go on by."""
    return "".join(map(_outlined, _PARTS.findall(line)))


def _outlined(part: str) -> str:
    if part.isspace():
        return "\n" if part == "\n" else " "
    if part in _WORDS or part in _SYNTAX:
        return part
    if not re.fullmatch(r"\w+", part):
        return ":"
    if re.fullmatch("[A-Z]+", part):
        return "X"
    return "e" if "e" in part else "x"


def _begin(text: object) -> str:
    """Return the beginning of a text that is no mark, for a message."""
    shown = repr(text)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."


_SHOWN: Final = 40


def _check(facts: Mapping[str, object]) -> str:
    return Digest.of(json.dumps(facts, sort_keys=True), "").value


def _without_history(screen: Screen) -> Screen:
    """Return a screen with its rows alone, which is all that is compared."""
    layout, rows = screen.layout.part(len(screen.history)), screen.rows
    # Rows that are not known do not show how many blanks fill them.
    blanks = list(layout.blanks)
    for number in range(len(blanks), len(rows)):
        below = "".join(rows[number + 1 : number + 2])
        blanks.append(
            fill(rows[number], below, screen.size.columns) if layout.goes_on(number) else 0
        )
    return attrs.evolve(screen, history=(), layout=Layout(layout.wrapped, tuple(blanks)))


def _facts_of(tty: TtyState | None) -> Mapping[str, object] | None:
    if tty is None:
        return None
    facts = attrs.asdict(tty, filter=_is_told)
    if tty.children is not None:
        facts["children"] = sorted(tty.children)
    return facts


def _is_told(field: "attrs.Attribute[Any]", value: object) -> bool:
    """Whether a field of the evidence is known, and is compared with that of later."""
    return value is not None and field.name != "activity"


def _texts_of(mark: Mark, salt: str) -> Mapping[str, object]:
    screen = mark.screen
    row, line = screen.before_cursor, screen.line_before_cursor
    prompt = mark.prompt.text if mark.prompt else ""
    return {
        "rows": [Digest.of(text, salt) for text in screen.rows],
        "lines": [*_lines_of(screen, salt)],
        "row": Beginning.of(row, salt),
        "line": Beginning.of(line, salt),
        "typed": _typed_at(mark),
        "begins": bool(prompt) and line.startswith(prompt),
        "title": Digest.of(screen.title, salt),
        "left_title": Digest.of(mark.left_title, salt),
    }


def _lines_of(screen: Screen, salt: str) -> Iterator[HiddenLine]:
    """Yield the lines of several rows."""
    first = 0
    for last in range(screen.size.rows):
        if screen.layout.goes_on(last) and last < screen.size.rows - 1:
            continue
        if last > first:
            rows, layout = screen.rows[first : last + 1], screen.layout.part(first, last + 1)
            text = "".join(join_rows(rows, layout, screen.size.columns)).rstrip(" ")
            yield HiddenLine(first, last, Digest.of(text, salt))
        first = last + 1


def _typed_at(mark: Mark) -> int | None:
    """Return how many characters left of the cursor were typed; None if not all are shown yet.

    A text that the kernel hides will not be shown.
    """
    typed, shown = mark.typed or "", mark.screen.line_before_cursor
    is_hidden = mark.tty is not None and mark.tty.hides_input
    known = next(n for n in range(len(typed), -1, -1) if shown.endswith(typed[:n]))
    if mark.typed is None or (typed[known:].strip(" ") and not is_hidden):
        return None
    row, typed = mark.screen.before_cursor.rstrip(" "), typed.rstrip(" ")
    return next(n for n in range(len(typed), -1, -1) if row.endswith(typed[len(typed) - n :]))


def _mark_of(facts: Mapping[str, Any]) -> Mark:
    """Return the mark of facts that this version has written."""
    size, cursor = Size(*facts["size"]), Cursor(*facts["cursor"])
    layout = Layout(*map(tuple, facts["layout"]))
    tty, prompt, texts = facts["tty"], facts["prompt"], facts["texts"]
    if tty and "children" in tty:
        tty["children"] = frozenset(tty["children"])
    if prompt and prompt["read_site"]:
        prompt["read_site"] = tuple(prompt["read_site"])
    rows = tuple(Digest(*row) for row in texts["rows"])
    unknown = [*unknown_rows(rows)]
    if texts["begins"]:
        number = layout.line_start(cursor.row)
        told = prompt["text"] + unknown[number][len(prompt["text"]) :]
        unknown[number] = told[: rows[number].length]
    screen = Screen(size=size, rows=unknown, cursor=cursor, layout=layout, **facts["screen"])
    return Mark(
        screen=screen,
        tty=TtyState(**tty) if tty else None,
        prompt=Prompt(**prompt) if prompt else None,
        pane=Pane(facts["pane"], server=facts["server"]),
        ends_line=facts["ends_line"],
        line=facts["line"],
        continues=facts["continues"],
        stopped=frozenset(facts["stopped"]),
        hidden=Hidden(
            salt=facts["salt"],
            rows=rows,
            unknown=screen.rows,
            lines=tuple(
                HiddenLine(first, last, Digest(*text)) for first, last, text in texts["lines"]
            ),
            row=_beginning(texts["row"]),
            line=_beginning(texts["line"]),
            typed=texts["typed"],
            title=Digest(*texts["title"]),
            left_title=Digest(*texts["left_title"]),
        ),
    )


def _beginning(told: tuple[tuple[int, str], tuple[int, str]]) -> Beginning:
    return Beginning(*(Digest(*digest) for digest in told))
