"""`ARGUMENTS`: one table of what the tool can be given.

The schema, the prompt, the reading of what a model sends, and the messages about what is wrong
with it follow from this table. A model sends JSON, and at times JSON in a string: ``"10"`` is a
number, ``"true"`` a boolean.
"""

import json
import re
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Final, Generic, TypeVar

import attrs

from tmuxprim._tool.misuse import MisuseError, may_take_long
from tmuxprim._tool.replies import ADVICE, kind, quote, show
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim.errors import InvalidKeyError, InvalidPaneError, InvalidTextError

T_co = TypeVar("T_co", covariant=True)

_LONGEST_TEXT: Final = 100_000
_LONGEST_PATTERN: Final = 1_000
_MOST_KEYS: Final = 1_000
_LONGEST_KEY: Final = 30
_MOST_LINES: Final = 10_000
_LONGEST_WAIT: Final = 3_600
_LONGEST_NAME: Final = 200
_LONGEST_FOLDER: Final = 4_096
_END_OF_ROW: Final = r"\$ $"
_WARNINGS: Final = threading.Lock()


@attrs.frozen(eq=False)
class Argument(Generic[T_co]):
    """One argument of the tool.

    Args:
        name: Its name.
        schema: Its kind and its limits, as JSON Schema has them.
        description: What it is, in words for a model.
        default: What it is if it is left out, as JSON has it.
        read: Returns the value that a model means, or raises `MisuseError`.
    """

    name: str
    schema: Mapping[str, object]
    description: str
    default: object
    read: Callable[[object], T_co]


def _typed(name: str) -> Callable[[object], str]:
    """Return a reader of texts that can be typed."""

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise MisuseError(f"{name!r} is a string, got {kind(value)}")
        if len(value) > _LONGEST_TEXT:
            raise MisuseError(
                f"{name!r} has at most {_LONGEST_TEXT:,} characters, got {len(value):,}; "
                "write it to a file by other means, or send it in pieces"
            )
        try:
            KeySequence.text(value)
        except InvalidTextError as error:
            raise MisuseError(f"{name!r}: {error}") from None
        return value

    return read


def _flag(name: str) -> Callable[[object], bool]:
    """Return a reader of what is true or false."""

    def read(value: object) -> bool:
        word = value.strip().lower() if isinstance(value, str) else value
        if isinstance(word, bool):
            return word
        if word not in ("true", "false"):
            raise MisuseError(f"{name!r} is true or false, got {show(value)}")
        return word == "true"

    return read


def _read_folder(value: object) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise MisuseError(f"'cwd' is a string, got {kind(value)}")
    if len(value) > _LONGEST_FOLDER:
        raise MisuseError(f"'cwd' has at most {_LONGEST_FOLDER:,} characters, got {len(value):,}")
    return value


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
    except InvalidKeyError as error:
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
    # A name that holds nothing but a space stays, to be told that its name is Space.
    return [word for name in names for word in name.split() or [name]]


def _list_in(text: str) -> object:
    """Return the list that a model wrote as a string, or the text itself; ``[`` is a key, too."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, list) and found else text


def _read_pane(value: object) -> Pane:
    if not isinstance(value, str):
        raise MisuseError(f"'pane' is a string such as 'shared' or '%3', got {kind(value)}")
    if len(value) > _LONGEST_NAME:
        raise MisuseError(f"'pane' has at most {_LONGEST_NAME} characters, got {len(value):,}")
    try:
        return Pane(value)
    except InvalidPaneError as error:
        raise MisuseError(f"'pane': {error.in_words(ADVICE)}") from None


def _read_lines(value: object) -> int:
    number = _number(value)
    if number is None or not 0 <= number <= _MOST_LINES or number != int(number):
        raise MisuseError(f"'lines' is a whole number from 0 to {_MOST_LINES}, got {show(value)}")
    return int(number)


def _read_timeout(value: object) -> float:
    number = _number(value)
    if number is None or not 0 <= number <= _LONGEST_WAIT:  # which NaN is not, either
        raise MisuseError(
            f"'timeout' is a number of seconds from 0 to {_LONGEST_WAIT}, got {show(value)}"
        )
    return float(number)


def _read_quiet(value: object) -> float | None:
    if value is None or value == "":
        return None
    number = _number(value)
    if number is None or not 0 < number <= _LONGEST_WAIT:
        raise MisuseError(
            f"'quiet' is a number of seconds above 0, at most {_LONGEST_WAIT}, got {show(value)}"
        )
    return float(number)


def _number(value: object) -> int | float | None:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _read_pattern(value: object) -> re.Pattern[str] | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise MisuseError(f"'prompt_pattern' is a string, got {kind(value)}")
    if len(value) > _LONGEST_PATTERN:
        raise MisuseError(
            f"'prompt_pattern' has at most {_LONGEST_PATTERN:,} characters, got {len(value):,}"
        )
    try:
        pattern = _compiled(value)
    except (re.error, OverflowError, RecursionError) as error:
        raise MisuseError(
            f"'prompt_pattern' is a regular expression of Python, got {quote(value)}: {error}; "
            r"put \ before characters such as $ ( [ * that are meant as they are"
        ) from None
    if may_take_long(value):
        raise MisuseError(
            f"'prompt_pattern' {quote(value)} may take too long: it repeats a group, or too much; "
            f"match the end of the row only, such as {_END_OF_ROW!r}"
        )
    return pattern


def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern, without Python's warnings of what ``[[a]`` may mean one day.

    The filters of warnings belong to the whole process: two threads that change them at the same
    time may put back each other's.
    """
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern)


TEXT: Final = Argument(
    "text",
    {"type": "string", "maxLength": _LONGEST_TEXT},
    "What to type: any text, exactly as it is, without an Enter at its end.",
    default="",
    read=_typed("text"),
)
ENTER: Final = Argument(
    "enter",
    {"type": "boolean"},
    "Whether to press Enter after the text.",
    default=True,
    read=_flag("enter"),
)
KEYS: Final = Argument(
    "keys",
    {
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": _MOST_KEYS},
            {"type": "string"},
        ]
    },
    "Names of keys, such as C-c, Escape, Up, Tab, Enter: a list, or one string with spaces "
    "between them.",
    default=[],
    read=_read_keys,
)
COMMAND: Final = Argument(
    "command",
    {"type": "string", "maxLength": _LONGEST_TEXT},
    "The command, exactly as one types it, without an Enter at its end; of several lines each is "
    "a command.",
    default="",
    read=_typed("command"),
)
PANE: Final = Argument(
    "pane",
    {"type": "string"},
    "Which pane: its name, or an id such as %3.",
    default="shared",
    read=_read_pane,
)
LINES: Final = Argument(
    "lines",
    {"type": "integer", "minimum": 0, "maximum": _MOST_LINES},
    "How many rows of what scrolled off to return above the screen.",
    default=100,
    read=_read_lines,
)
ONLY_NEW: Final = Argument(
    "only_new",
    {"type": "boolean"},
    "Whether to return only what is new since your last read of this pane.",
    default=False,
    read=_flag("only_new"),
)
CWD: Final = Argument(
    "cwd",
    {"type": "string", "maxLength": _LONGEST_FOLDER},
    "The folder that the shell starts in; the user's home if you leave it out.",
    default=None,
    read=_read_folder,
)
TIMEOUT: Final = Argument(
    "timeout",
    {"type": "number", "minimum": 0, "maximum": _LONGEST_WAIT},
    "Longest wait in seconds. It returns as soon as what is waited for is there; give 120 for AI "
    "CLIs and whatever else takes long.",
    default=10,
    read=_read_timeout,
)
PROMPT_PATTERN: Final = Argument(
    "prompt_pattern",
    {"type": "string", "maxLength": _LONGEST_PATTERN},
    "Regular expression of the prompt to wait for, searched in the last row that is not empty; "
    "only for programs whose prompt is not found without it.",
    default=None,
    read=_read_pattern,
)
STATUS: Final = Argument(
    "status",
    {"type": "boolean"},
    "Whether to tell the exit status, too. The shell is asked for it in one line more, which shows "
    "in the pane.",
    default=False,
    read=_flag("status"),
)
ALL_OUTPUT: Final = Argument(
    "all_output",
    {"type": "boolean"},
    "Whether to return output that the pane keeps only the end of, too. It may be very long.",
    default=False,
    read=_flag("all_output"),
)
QUIET: Final = Argument(
    "quiet",
    {"type": "number", "exclusiveMinimum": 0, "maximum": _LONGEST_WAIT},
    "Give up, too, once nothing was printed for so many seconds: a long timeout with quiet 60 lets "
    "a build take its time, and finds out that it hangs.",
    default=None,
    read=_read_quiet,
)
UNTIL_GONE: Final = Argument(
    "gone",
    {"type": "boolean"},
    "Whether to wait until the text is no longer on the screen.",
    default=False,
    read=_flag("gone"),
)
ARGUMENTS: Final[tuple[Argument[object], ...]] = (
    *(TEXT, ENTER, KEYS, COMMAND, PANE, CWD, LINES, ONLY_NEW, UNTIL_GONE),
    *(STATUS, ALL_OUTPUT, TIMEOUT, QUIET, PROMPT_PATTERN),
)
