"""The tables of the site that are made from the code, so that they cannot be out of date.

A page says ``<!-- table: keys -->``, and `conf.py` puts the Markdown of `keys` in its place. Lines
that begin with "*In the repository" say where GitHub's readers find the same; the site has none.
"""

import argparse
import ast
import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Final

import tmuxprim
import tmuxprim.errors
from tmuxprim import Key
from tmuxprim._cli.grammar import COMMANDS
from tmuxprim._cli.parser import make_parser
from tmuxprim._cli.status import COMMANDS_OWN, OF_OUTCOME, RUN, Status
from tmuxprim._readiness.pane_state import STATE_OF
from tmuxprim._tool.replies import WORDINGS
from tmuxprim._values.keys import key_characters

_SOURCES: Final = Path(tmuxprim.__file__).parent
_PLACE: Final = re.compile(r"^<!-- table: (\w+) -->$", re.MULTILINE)
_NOTE: Final = re.compile(r"^\*In the repository .*\n", re.MULTILINE)
_NAMED: Final = (
    *("Enter", "Tab", "BTab", "Space", "BSpace", "Escape", "Up", "Down", "Left", "Right"),
    *("Home", "End", "IC", "DC", "PPage", "NPage", *(f"F{number}" for number in range(1, 13))),
)
_MODIFIED: Final = ("a", "C-a", "C-Space", "C-_", "M-a", "C-M-a", "M-Enter", "S-Up", "C-Up", "C-F5")


def fill(page: str) -> str:
    """Return a page with its tables, and without the notes for readers of the repository."""
    return _PLACE.sub(lambda place: TABLES[place[1]](), _NOTE.sub("", page))


def keys() -> str:
    """Return the names of keys, and what a terminal sends to its program for each."""
    rows = ((f"`{name}`", _as_text(key_characters(Key(name)))) for name in (*_NAMED, *_MODIFIED))
    return _table(("key", "is sent as"), rows)


def _as_text(characters: str) -> str:
    """Return control characters by their names, and others as they are."""
    names = {"\x1b": "ESC", "\r": "CR", "\t": "HT", " ": "SP", "\x7f": "DEL", "\0": "NUL"}
    words = [
        names.get(char, char if char.isprintable() else f"0x{ord(char):02x}") for char in characters
    ]
    return f"`{' '.join(words)}`"


def outcomes() -> str:
    """Return each outcome and what it means."""
    rows = ((f"`{name}`", text) for name, text in _explained(tmuxprim.Outcome))
    return _table(("outcome", "means"), rows)


def states() -> str:
    """Return each state of a pane and what it means."""
    rows = ((f"`{name}`", text) for name, text in _explained(tmuxprim.State))
    return _table(("state", "the pane"), rows)


def words() -> str:
    """Return the words for each outcome: of a state, of the tool, and of the command line."""
    rows = [
        (
            f"`{outcome.name}`",
            outcome.value,
            f"`{STATE_OF[outcome].name}`" if outcome in STATE_OF else "`WORKING`",
            WORDINGS[outcome].first_line(),
            str(int(OF_OUTCOME.get(outcome, Status.READY))),
        )
        for outcome in tmuxprim.Outcome
    ]
    head = ("outcome", "printed, and in `--json`", "state", "the tool's first line", "exit status")
    return _table(head, rows)


def statuses() -> str:
    """Return each exit status of the command line and what it means."""
    rows = [(str(int(status)), _code(status.meaning)) for status in Status]
    return _table(("status", "means"), [*rows, (f"`{RUN}`", COMMANDS_OWN)])


def _explained(kind: type) -> Iterable[tuple[str, str]]:
    """Yield the members of an enumeration with the texts below them in its source."""
    body = next(
        node.body
        for path in _SOURCES.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    for member, text in pairwise(body):
        match member, text:
            case ast.Assign([ast.Name(name)]), ast.Expr(ast.Constant(str(explanation))):
                yield name, _code(explanation)


def errors() -> str:
    """Return each error, the standard one that it also is, and what it means."""
    rows = []
    for name in tmuxprim.errors.__all__:
        kind = getattr(tmuxprim.errors, name)
        if not issubclass(kind, Exception):
            continue
        also = [base.__name__ for base in kind.__bases__ if base.__module__ == "builtins"]
        rows.append((f"`{name}`", ", ".join(f"`{base}`" for base in also), _first_line(kind)))
    return _table(("error", "is also", "means"), rows)


def commands() -> str:
    """Return a section for each command: what it does, examples, its grammar and its arguments."""
    parser = make_parser()
    parts = []
    for name, command in parser.own.items():
        examples = "\n".join(COMMANDS[name].examples)
        parts += [
            f"## {name}",
            str(command.description).partition("\n")[0],
            f"```sh\n{examples}\n```",
        ]
        parts += [f"```text\n{command.usage}\n```", _arguments(command, without=parser)]
    parts += ["## Options of every command", _arguments(parser)]
    return "\n\n".join(part for part in parts if part)


def _arguments(
    parser: argparse.ArgumentParser, without: argparse.ArgumentParser | None = None
) -> str:
    known = {action.dest for action in without._actions} if without else set()  # noqa: SLF001  # argparse has no other way
    rows = [
        (_written(action), (action.help or "").replace("|", "\\|"))
        for action in parser._actions  # noqa: SLF001  # as above
        if action.dest not in {*known, "help", "command"}
    ]
    return _table(("argument", "meaning"), rows) if rows else ""


def _written(action: argparse.Action) -> str:
    if action.nargs == 0:
        value = ""
    elif action.choices is not None and action.option_strings:
        value = "\\|".join(map(str, action.choices))
    else:
        value = str(action.metavar or action.dest.upper())
    written = [f"{option} {value}".strip() for option in action.option_strings] or [value]
    return ", ".join(f"`{text}`" for text in written)


def _first_line(value: object) -> str:
    return _code(str(value.__doc__).partition("\n")[0])


def _code(text: str) -> str:
    """Return a docstring's sentence as Markdown."""
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "commands": commands,
    "errors": errors,
    "keys": keys,
    "outcomes": outcomes,
    "states": states,
    "statuses": statuses,
    "words": words,
}
