"""Converters and validators of a profile's fields: what makes no sense is told at once."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

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

Variable: TypeAlias = tuple[str, str]
Reply: TypeAlias = tuple[re.Pattern[str], KeySequence]
Field: TypeAlias = "attrs.Attribute[Any]"
Check: TypeAlias = Callable[[object, Field, Any], None]

T = TypeVar("T")


def _to_tuple(values: Iterable[T]) -> tuple[T, ...]:
    """Return several values as a tuple; a text is one value, though it has letters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidProfileError(f"several values are given as a tuple, got {values!r}")
    return tuple(values)


def to_words(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a command."""
    return _to_tuple(words)


def to_outcomes(outcomes: Iterable[Outcome]) -> frozenset[Outcome]:
    """Return the outcomes as a set."""
    return frozenset(_to_tuple(outcomes))


def to_keys(steps: KeySequence | Iterable[KeySequence]) -> tuple[KeySequence, ...]:
    """Return the steps, of which there may be one."""
    return (steps,) if isinstance(steps, KeySequence) else _to_tuple(steps)


# What is converted already comes once more when a profile is changed by `attrs.evolve`.
def to_variables(env: Mapping[str, str] | tuple[tuple[str, str], ...]) -> tuple[Variable, ...]:
    """Return the names and values of variables; no error repeats what may be secret."""
    if isinstance(env, Mapping):
        return tuple(env.items())
    if not isinstance(env, tuple):
        raise InvalidProfileError(f"env is a mapping of names to values, got a {type(env)}")
    return env


def to_replies(
    replies: Mapping[str, KeySequence] | tuple[Reply, ...],
) -> tuple[Reply, ...]:
    """Return the patterns of questions, and what is replied to them."""
    if isinstance(replies, Mapping):
        return tuple((to_pattern(pattern), keys) for pattern, keys in replies.items())
    if not isinstance(replies, tuple):
        raise InvalidProfileError(f"replies is a mapping of patterns to keys, got {replies!r}")
    return replies


def _rule(rule: str, holds: Callable[[Any], bool]) -> Check:
    """Return a validator that tells the field's name, the rule and the value."""

    def check(_profile: object, field: Field, value: object) -> None:
        if not holds(value):
            raise InvalidProfileError(f"{field.name} is {rule}, got {value!r}")

    return check


def _are(kind: type, values: Iterable[object]) -> bool:
    return all(isinstance(value, kind) for value in values)


check_name: Final = _rule(
    "a text that is not empty", lambda name: isinstance(name, str) and bool(name.strip())
)
check_words: Final = _rule(
    "one word or more, the program's name first",
    lambda words: bool(words) and _are(str, words) and bool(words[0]),
)
check_rows: Final = _rule(
    "an AnswerRows, or None for what was printed",
    lambda rows: rows is None or isinstance(rows, AnswerRows),
)
check_outcomes: Final = _rule(
    "a set of outcomes, at least one", lambda outcomes: bool(outcomes) and _are(Outcome, outcomes)
)
check_count: Final = _rule(
    "a whole number from 1 on, or None",
    lambda count: count is None or (type(count) is int and count > 0),
)
check_keys: Final = _rule(
    "a KeySequence, as KeySequence.keys('q') makes one",
    lambda keys: _are(KeySequence, keys if isinstance(keys, tuple) else (keys,)),
)
check_replies: Final = _rule(
    "a mapping of patterns to KeySequences",
    lambda replies: _are(KeySequence, (keys for _, keys in replies)),
)
# Written so that NaN, which compares false with everything, is refused as well.
check_seconds: Final = _rule(
    "more than 0 seconds", lambda seconds: isinstance(seconds, (int, float)) and seconds > 0
)


def check_command(profile: object, field: Field, words: tuple[str, ...]) -> None:
    """Refuse a command that cannot be typed."""
    check_words(profile, field, words)
    for word in words:
        _require_typed("a command", word)


def check_env(_profile: object, _field: Field, env: tuple[tuple[object, object], ...]) -> None:
    """Refuse variables that cannot be typed; no error repeats a value."""
    for name, value in env:
        if not isinstance(name, str) or not _VARIABLE.match(name):
            raise InvalidProfileError(f"a variable's name is letters, digits and '_', got {name!r}")
        if not isinstance(value, str):
            raise InvalidProfileError(f"the variable {name} is a text, got a {type(value)}")
        _require_typed(f"the variable {name}", value)


def _require_typed(what: str, text: str) -> None:
    bad = _NOT_TYPED.search(text)
    if bad is not None:
        raise InvalidProfileError(
            f"{what} is typed into a shell, to which control characters are keys, got {bad[0]!r}; "
            "put the text into a script, and start that"
        )
