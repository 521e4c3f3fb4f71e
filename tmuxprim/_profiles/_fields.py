"""Converters and validators of a profile's fields: what makes no sense is told at once."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias, TypeVar

from tmuxprim._profiles._answer import AnswerRows
from tmuxprim._program_errors import InvalidProfileError
from tmuxprim._readiness._prompt import to_pattern
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._sequence import KeySequence

if TYPE_CHECKING:
    import attrs

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
# What a shell's line editor takes for keys, and what cannot be typed at all.
_NOT_TYPED: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_ENV: Final = "env is a mapping of names to values"

Reply: TypeAlias = tuple[re.Pattern[str], KeySequence]
Field: TypeAlias = "attrs.Attribute[Any]"

T = TypeVar("T")


def _refuse(rule: str, value: object, advice: str = "") -> NoReturn:
    raise InvalidProfileError(f"{rule}, got {value!r}{advice and '; '}{advice}")


def _to_tuple(
    values: Iterable[T], rule: str, advice: str = "", shown: object = None
) -> tuple[T, ...]:
    """Return a tuple of several values; a text is one, though it has letters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        _refuse(rule, shown or values, advice)
    return tuple(values)


def to_words(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a command."""
    if isinstance(words, str):
        raise InvalidProfileError(
            f"a command is a tuple of words, got the text {words!r}; shlex.split() makes words"
        )
    return _to_tuple(words, "a command is a tuple of words")


def to_items(env: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the names and values of variables."""
    items = env.items() if isinstance(env, Mapping) else env
    return _to_tuple(items, _ENV, "{'NAME': 'value'} is one", shown=type(env))


def to_keys(steps: KeySequence | Iterable[KeySequence]) -> tuple[KeySequence, ...]:
    """Return the steps, of which there may be one."""
    if isinstance(steps, KeySequence):
        return (steps,)
    rule = "keys are pressed as a KeySequence or several"
    return _to_tuple(steps, rule, "KeySequence.keys('q') makes one")


def to_replies(
    replies: Mapping[str, KeySequence] | Iterable[tuple[str | re.Pattern[str], KeySequence]],
) -> tuple[Reply, ...]:
    """Return the patterns of questions, and what is replied to them."""
    rule = "replies is a mapping of patterns to keys"
    items = replies.items() if isinstance(replies, Mapping) else replies
    pairs = _to_tuple(items, rule)
    for pair in pairs:
        if not _is_pair(pair):
            _refuse(rule, pair)
    return tuple((to_pattern(pattern), keys) for pattern, keys in pairs)


def to_rows(rows: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return the rows of a prompt, if they are known."""
    if rows is None:
        return None
    return _to_tuple(rows, "prompt_rows is a tuple of rows, or None", "('',) is a blank one")


def to_outcomes(outcomes: Iterable[Outcome]) -> frozenset[Outcome]:
    """Return the outcomes as a set."""
    rule = "waiting is a set of outcomes, at least one"
    return frozenset(_to_tuple(outcomes, rule, "{Outcome.PROMPT} is one"))


def _is_pair(pair: object) -> bool:
    return isinstance(pair, tuple) and len(pair) == 2  # noqa: PLR2004  # a pair


def check_name(_profile: object, _field: Field, name: object) -> None:
    """Refuse a name that names nothing."""
    if not isinstance(name, str) or not name.strip():
        _refuse("a profile's name is a text that is not empty", name)


def check_command(_profile: object, _field: Field, words: tuple[object, ...]) -> None:
    """Refuse a command that cannot be typed."""
    if not words or not all(isinstance(word, str) for word in words) or not words[0]:
        _refuse("a command is one word or more, the program's name first", words)
    for word in words:
        _require_typed("a command", str(word))


def check_env(_profile: object, _field: Field, env: tuple[tuple[object, object], ...]) -> None:
    """Refuse variables that cannot be typed; no error repeats what may be a secret after all."""
    for pair in env:
        if not _is_pair(pair):
            _refuse(_ENV, type(pair), "{'NAME': 'value'} is one")
        name, value = pair
        if not isinstance(name, str) or not _VARIABLE.match(name):
            _refuse("a variable's name is letters, digits and '_'", name)
        if not isinstance(value, str):
            _refuse(f"the value of the variable {name} is a text", type(value), "str() makes one")
        _require_typed(f"the variable {name}", value)


def _require_typed(what: str, text: str) -> None:
    bad = _NOT_TYPED.search(text)
    if bad is not None:
        _refuse(
            f"{what} is typed into a shell, to which control characters are keys",
            bad[0],
            "put the text into a script, and start that",
        )


def check_prefix(_profile: object, _field: Field, prefix: object) -> None:
    """Refuse what cannot be typed before a question."""
    if not isinstance(prefix, str):
        _refuse("prefix is a text", prefix, "':' is vim's")
    KeySequence.text(prefix)


def check_rows(_profile: object, _field: Field, rows: object) -> None:
    """Refuse rows of an answer that are told by something else."""
    if rows is not None and not isinstance(rows, AnswerRows):
        _refuse("rows is an AnswerRows, or None", rows, "None is what was printed")


def check_prompt_rows(_profile: object, _field: Field, rows: tuple[object, ...] | None) -> None:
    """Refuse rows of a prompt that are no texts."""
    if rows is not None and not all(isinstance(row, str) for row in rows):
        _refuse("prompt_rows is a tuple of rows, or None", rows, "('',) is a blank one")


def check_outcomes(_profile: object, _field: Field, outcomes: frozenset[object]) -> None:
    """Refuse a set in which the program would never wait."""
    if not outcomes or not all(isinstance(outcome, Outcome) for outcome in outcomes):
        rule = "waiting is a set of outcomes, at least one"
        _refuse(rule, set(outcomes), "{Outcome.PROMPT} is one")


def check_columns(_profile: object, _field: Field, columns: object) -> None:
    """Refuse a width that no pane has."""
    if columns is not None and (type(columns) is not int or columns < 1):
        _refuse("max_columns is a whole number from 1 on, or None", columns, "None is any width")


def check_keys(_profile: object, field: Field, keys: object) -> None:
    """Refuse keys that are none."""
    _require_keys(field.name, keys)


def check_replies(_profile: object, _field: Field, replies: tuple[Reply, ...]) -> None:
    """Refuse replies that cannot be pressed."""
    _require_keys("replies", tuple(keys for _, keys in replies))


def _require_keys(name: str, keys: object) -> None:
    for step in keys if isinstance(keys, tuple) else (keys,):
        if not isinstance(step, KeySequence):
            _refuse(f"{name} is pressed as a KeySequence", step, "KeySequence.keys('q') makes one")


def check_seconds(_profile: object, field: Field, seconds: object) -> None:
    """Refuse a limit that is no time."""
    # Written so that NaN, which compares false with everything, is refused as well.
    if not isinstance(seconds, (int, float)) or not seconds > 0:
        _refuse(f"{field.name} is more than 0 seconds", seconds)
