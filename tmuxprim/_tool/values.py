"""How an argument that a model sent is read; what cannot be meant is refused, with the rule.

A model sends JSON, and at times JSON in a string: ``"10"`` is a number, ``"true"`` a boolean.
Refusals tell the type of a text and not what it says, since it may be a password; of what they do
quote they have a discreet form.
"""

import json
import re
import threading
import warnings
from typing import Final

from tmuxprim._tool.misuse import UNSHOWN, MisuseError, may_take_long
from tmuxprim._tool.replies import for_models, kind, quote, show
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim.errors import InvalidKeyError, InvalidPaneError, InvalidTextError

LONGEST_TEXT: Final = 100_000
LONGEST_PATTERN: Final = 1_000
MOST_KEYS: Final = 1_000
LONGEST_KEY: Final = 30
MOST_LINES: Final = 10_000
LONGEST_WAIT: Final = 3_600
_LONGEST_NAME: Final = 200
_END_OF_ROW: Final = r"\$ $"
_WARNINGS: Final = threading.Lock()


def read_text(value: object) -> str:
    """Return a text that can be typed."""
    return _typed("text", value)


def read_command(value: object) -> str:
    """Return a command line that can be typed."""
    return _typed("command", value)


def read_enter(value: object) -> bool:
    """Return whether Enter is to be pressed."""
    known = {"true": True, "false": False}
    word = value.strip().lower() if isinstance(value, str) else value
    if isinstance(word, bool):
        return word
    if not isinstance(word, str) or word not in known:
        raise MisuseError.of("'enter' is true or false, got", show(value))
    return known[word]


def read_keys(value: object) -> KeySequence:
    """Return keys, whose names are in a list, or in a string with spaces between them."""
    if isinstance(value, KeySequence):
        return value
    names = _key_names(value)
    if len(names) > MOST_KEYS:
        raise MisuseError(f"'keys' are at most {MOST_KEYS:,} keys, got {len(names):,}")
    if any(len(name) > LONGEST_KEY for name in names):
        raise MisuseError(
            f"a key's name has at most {LONGEST_KEY} characters; type text with 'send'"
        )
    try:
        return KeySequence.keys(*names)
    except InvalidKeyError as error:
        raise MisuseError(
            f"'keys': {for_models(str(error))}",
            f"'keys' holds what is not a key's name {UNSHOWN}; type text with 'send'",
        ) from None


def read_pane(value: object) -> Pane:
    """Return which pane is meant."""
    if isinstance(value, Pane):
        return value
    if not isinstance(value, str):
        raise MisuseError(f"'pane' is a string such as 'shared' or '%3', got {kind(value)}")
    if len(value) > _LONGEST_NAME:
        raise MisuseError(f"'pane' has at most {_LONGEST_NAME} characters, got {len(value):,}")
    try:
        return Pane(value)
    except InvalidPaneError as error:
        raise MisuseError(
            f"'pane': {for_models(str(error))}",
            f"'pane' names no pane {UNSHOWN}; leave 'pane' out for the shared one",
        ) from None


def read_lines(value: object) -> int:
    """Return how many rows of the history are wanted."""
    number = _number(value)
    if number is None or not 0 <= number <= MOST_LINES or number != int(number):
        raise MisuseError.of(f"'lines' is a whole number from 0 to {MOST_LINES}, got", show(value))
    return int(number)


def read_timeout(value: object) -> float:
    """Return the longest wait, in seconds."""
    number = _number(value)
    if number is None or not 0 <= number <= LONGEST_WAIT:  # which NaN is not, either
        rule = f"'timeout' is a number of seconds from 0 to {LONGEST_WAIT}, got"
        raise MisuseError.of(rule, show(value))
    return float(number)


def read_pattern(value: object) -> re.Pattern[str] | None:
    """Return the regular expression of the prompt; an empty one is none."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise MisuseError(f"'prompt_pattern' is a string, got {kind(value)}")
    if len(value) > LONGEST_PATTERN:
        raise MisuseError(
            f"'prompt_pattern' has at most {LONGEST_PATTERN:,} characters, got {len(value):,}"
        )
    try:
        pattern = _compiled(value)
    except (re.error, OverflowError, RecursionError) as error:
        raise MisuseError.of(
            "'prompt_pattern' is a regular expression of Python, got",
            f"{quote(value)}: {error}",
            r"; put \ before characters such as $ ( [ * that are meant as they are",
        ) from None
    if may_take_long(value):
        raise MisuseError.of(
            "'prompt_pattern'",
            quote(value),
            " may take too long: it repeats a group, or too much; match the end of the row only, "
            f"such as {_END_OF_ROW!r}",
        )
    return pattern


def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern; that ``[[a]`` may mean something else one day is nobody's business here.

    The filters of warnings are those of the whole process: of two threads that change them at the
    same time, one may put back what the other has set.
    """
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern)


def _typed(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise MisuseError(f"{name!r} is a string, got {kind(value)}")
    if len(value) > LONGEST_TEXT:
        raise MisuseError(
            f"{name!r} has at most {LONGEST_TEXT:,} characters, got {len(value):,}; "
            "write it to a file by other means, or send it in pieces"
        )
    try:
        KeySequence.text(value)
    except InvalidTextError as error:
        raise MisuseError(f"{name!r}: {error}") from None
    return value


def _number(value: object) -> int | float | None:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


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
