"""`ARGUMENTS`: one table of the tool's arguments.

The schema, the prompt, the reading of what a model sends, and the messages about what is wrong
with it follow from this table. A model sends JSON, and at times JSON in a string: ``"10"`` is a
number, ``"true"`` a boolean.
"""

import json
import re
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, Generic, TypeVar

import attrs

from tmuxprim._tool.misuse import MisuseError
from tmuxprim._tool.patterns import slow_row
from tmuxprim._tool.replies import ADVICE, kind, quote, show
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim.errors import TmuxprimError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_LONGEST_TEXT: Final = 100_000
_MOST_KEYS: Final = 1_000
_LONGEST_KEY: Final = 30
_MOST_LINES: Final = 10_000
_LONGEST_WAIT: Final = 3_600
_LONGEST_ROW: Final = 40
_END_OF_ROW: Final = r"\$ $"
_WARNINGS: Final = threading.Lock()


@attrs.frozen(eq=False)
class Argument(Generic[T_co]):
    """One argument of the tool.

    Args:
        name: Its name.
        schema: Its kind and its limits, as JSON Schema has them.
        description: What it is, in words for a model.
        default: Its value if it is left out, as in JSON.
        read: Returns the value that a model means, or raises `MisuseError`.
    """

    name: str
    schema: Mapping[str, object]
    description: str
    default: object
    read: Callable[[object], T_co]


def _text(
    name: str, longest: int, description: str, read: Callable[[str], T], *, default: str = ""
) -> Argument[T]:
    """Return an argument that is a string."""

    def read_string(value: object) -> T:
        if not isinstance(value, str):
            raise MisuseError(f"{name!r} is a string, got {kind(value)}")
        if len(value) > longest:
            raise MisuseError(
                f"{name!r} has at most {longest:,} characters, got {len(value):,}"
                + (_TOO_LONG if longest == _LONGEST_TEXT else "")
            )
        try:
            return read(value)
        except TmuxprimError as error:
            raise MisuseError(f"{name!r}: {error.in_words(ADVICE)}") from None

    schema = {"type": "string", "maxLength": longest}
    return Argument(name, schema, description, default, read_string)


_TOO_LONG: Final = "; write it to a file by other means, or send it in pieces"


def _typed(text: str) -> str:
    KeySequence.text(text)  # refuses what cannot be typed
    return text


def _flag(name: str, description: str, *, default: bool = False) -> Argument[bool]:
    """Return an argument that is true or false."""

    def read(value: object) -> bool:
        word = value.strip().lower() if isinstance(value, str) else value
        if isinstance(word, bool):
            return word
        if word not in ("true", "false"):
            raise MisuseError(f"{name!r} is true or false, got {show(value)}")
        return word == "true"

    return Argument(name, {"type": "boolean"}, description, default, read)


def _reads_number(
    to: Callable[[float], T], rule: str, holds: Callable[[float], bool]
) -> Callable[[object], T]:
    """Return a reader of numbers, which reports the rule; for NaN no rule holds."""

    def read(value: object) -> T:
        number = value
        if isinstance(value, str):
            with suppress(ValueError):
                number = float(value)
        if not isinstance(number, int | float) or isinstance(number, bool) or not holds(number):
            raise MisuseError(f"{rule}, got {show(value)}")
        return to(number)

    return read


def _or_none(argument: Argument[T]) -> Argument[T | None]:
    """Return an argument that may be left out."""

    def read(value: object) -> T | None:
        return None if value is None or value == "" else argument.read(value)

    return Argument(argument.name, argument.schema, argument.description, None, read)


def _read_keys(value: object) -> KeySequence:
    names = _key_names(value)
    if len(names) > _MOST_KEYS:
        raise MisuseError(f"'keys' are at most {_MOST_KEYS:,} keys, got {len(names):,}")
    if any(len(name) > _LONGEST_KEY for name in names):
        raise MisuseError(
            f"a key's name has at most {_LONGEST_KEY} characters; type text with 'send'"
        )
    try:
        return KeySequence.keys(*names)
    except TmuxprimError as error:
        raise MisuseError(f"'keys': {error.in_words(ADVICE)}") from None


def _key_names(value: object) -> list[str]:
    names = _list_in(value) if isinstance(value, str) else value
    if isinstance(names, str):
        names = names.split()
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise MisuseError(
            '\'keys\' is a list of key names such as ["C-c", "Enter"], or one string with spaces '
            f"between them, got {kind(value)}"
            f"{' of other things' if isinstance(names, list | tuple) else ''}"
        )
    # A name of blanks alone stays: the error of `Key` says that its name is Space.
    return [word for name in names for word in name.split() or [name]]


def _list_in(text: str) -> object:
    """Return the list that a model wrote as a string, or the text itself, as ``[`` is a key."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, list) and found else text


def _read_pattern(text: str) -> re.Pattern[str]:
    try:
        # Python warns of what ``[[a]`` may mean one day. The filters of warnings belong to the
        # whole process: two threads that change them at the same time may put back each other's.
        with _WARNINGS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pattern = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise MisuseError(
            f"'prompt_pattern' is a regular expression of Python, got {quote(text)}: {error}; "
            r"put \ before characters such as $ ( [ * that are meant as they are"
        ) from None
    row = slow_row(text)
    if row:
        raise MisuseError(
            f"'prompt_pattern' {quote(text)} takes too long to search in a row such as "
            f"{quote(row[:_LONGEST_ROW])}; do not nest repetitions, or match only the end of the "
            f"row, such as {_END_OF_ROW!r}"
        )
    return pattern


TEXT: Final = _text(
    "text",
    _LONGEST_TEXT,
    "The text, without an Enter at its end.",
    _typed,
)
ENTER: Final = _flag("enter", "Press Enter.", default=True)
ONLY: Final = attrs.evolve(
    _or_none(_text("only", 200, "Only if this program is in front.", str)),
    schema={"type": "string"},
)
KEYS: Final = Argument(
    "keys",
    {
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": _MOST_KEYS},
            {"type": "string"},
        ]
    },
    "Names of keys, such as C-c, Escape, Up, Enter: a list, or a string with spaces between.",
    default=[],
    read=_read_keys,
)
COMMAND: Final = _text(
    "command",
    _LONGEST_TEXT,
    "The command as typed; each of several lines is one command.",
    _typed,
)
PANE: Final = attrs.evolve(
    _text("pane", 200, "A pane's name or id.", Pane, default="shared"),
    schema={"type": "string"},  # it is in nearly every tool
)
LINES: Final = Argument(
    "lines",
    {"type": "integer", "minimum": 0, "maximum": _MOST_LINES},
    "How many rows above the screen to return.",
    default=100,
    read=_reads_number(
        int,
        f"'lines' is a whole number from 0 to {_MOST_LINES}",
        lambda number: 0 <= number <= _MOST_LINES and number == int(number),
    ),
)
ONLY_NEW: Final = _flag("only_new", "Return only what is new.")
CWD: Final = _or_none(
    _text(
        "cwd",
        4_096,
        "The shell's directory; by default the user's home.",
        str,
    )
)
TIMEOUT: Final = Argument(
    "timeout",
    {"type": "number", "minimum": 0, "maximum": _LONGEST_WAIT},
    "Longest wait in seconds.",
    default=10,
    read=_reads_number(
        float,
        f"'timeout' is a number of seconds from 0 to {_LONGEST_WAIT}",
        lambda number: 0 <= number <= _LONGEST_WAIT,
    ),
)
PROMPT_PATTERN: Final = _or_none(
    _text(
        "prompt_pattern",
        1_000,
        "Regular expression of the prompt, searched in the last row that is not empty and in the "
        "cursor's; only where no prompt is found without it.",
        _read_pattern,
    )
)
EXIT_STATUS: Final = _flag(
    "exit_status",
    "Ask for the exit status, in a line of its own.",
)
ALL_OUTPUT: Final = _flag(
    "all_output",
    "Return output longer than the pane keeps.",
)
IDLE_TIMEOUT: Final = _or_none(
    Argument(
        "idle_timeout",
        {"type": "number", "exclusiveMinimum": 0, "maximum": _LONGEST_WAIT},
        "Give up after so many seconds without output.",
        default=None,
        read=_reads_number(
            float,
            f"'idle_timeout' is a number of seconds above 0, at most {_LONGEST_WAIT}",
            lambda number: 0 < number <= _LONGEST_WAIT,
        ),
    )
)
UNTIL_GONE: Final = _flag("gone", "Wait until the text is gone.")
ARGUMENTS: Final[tuple[Argument[object], ...]] = (
    *(TEXT, ENTER, ONLY, KEYS, COMMAND, PANE, CWD, LINES, ONLY_NEW, UNTIL_GONE),
    *(EXIT_STATUS, ALL_OUTPUT, TIMEOUT, IDLE_TIMEOUT, PROMPT_PATTERN),
)
