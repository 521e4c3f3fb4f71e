"""`Profile`: how to start a program, ask it and leave it."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

import attrs
from typing_extensions import override

from tmuxprim._profiles.answer import AnswerRows
from tmuxprim._readiness.chain import (
    ReadinessStrategy,
    Strategy,
    check_strategy,
    wants_signals,
)
from tmuxprim._readiness.snapshot import Busy, Outcome, Pass, Snapshot, Verdict
from tmuxprim._readiness.words import to_pattern
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.programs import is_named, program_run_by
from tmuxprim._values.short_repr import short_repr
from tmuxprim.errors import InvalidProfileError

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
# What a shell's line editor takes for keys, and what cannot be typed at all.
_NOT_TYPED: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")

Variable: TypeAlias = tuple[str, str]
Reply: TypeAlias = tuple[re.Pattern[str], KeySequence]
Field: TypeAlias = "attrs.Attribute[Any]"
Check: TypeAlias = Callable[[object, Field, object], None]

T = TypeVar("T")


def _to_tuple(values: Iterable[T]) -> tuple[T, ...]:
    """Return several values as a tuple; a text is one value, though it has letters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidProfileError(f"a tuple of values is needed, got {values!r}")
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
    """Return the patterns of questions, and the replies to them."""
    if isinstance(replies, Mapping):
        return tuple((to_pattern(pattern), keys) for pattern, keys in replies.items())
    if not isinstance(replies, tuple):
        raise InvalidProfileError(f"replies is a mapping of patterns to keys, got {replies!r}")
    return replies


def _rule(rule: str, holds: Callable[[Any], bool]) -> Check:
    """Return a validator whose error has the field's name, the rule and the value."""

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
    "an AnswerRows, or None for the printed output",
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


_NO_KEYS: Final = KeySequence(())


def _check_strategy(_profile: object, _field: Field, strategy: object) -> None:
    if strategy is not None:
        check_strategy(strategy)


@attrs.frozen
class Profile(Strategy):
    r"""Describes how to start a program, when it is ready, how to ask it, and how to leave it.

    Most fields may be left out: the default chain recognises prompts, and the answer is the printed
    output, as for `Console.run`. Programs that draw a screen of their own need more.
    Change a built-in one with ``attrs.evolve(PYTHON, command=("python3.13", "-q"))``.

    It is also a strategy that judges only its own program, so
    ``default_chain(programs=[profile])`` knows the program without a session.

    Args:
        name: Its name in messages.
        command: The words that start it, without line breaks: they are typed into a shell.
        env: Environment variables to set for it. They are also typed, so every person who sees the
            pane can read them; give secrets to the shell, as `Terminal.open` does.
        answered: Decides when an answer is complete; None is the default chain.
        ready: Decides when it is ready after the start; None is as *answered*.
        prompt_rows: How many rows its prompt has, such as 2 for IPython's, which begins with a
            blank row; None to find the number out, as `Console` does.
        rows: Which rows are the answer; None is the printed output. A program that draws its own
            screen cannot be asked without them.
        page_up: Keys that scroll towards the beginning of an answer that is longer than the screen;
            none if the program writes the answer into the terminal's history, or cannot scroll.
        page_end: Keys that scroll back to its end.
        paste: Whether a question of several lines is pasted; otherwise its lines are typed with LF
            between them, which is Enter to a program that reads lines.
        clear: Keys that delete the text in its input box; none for a shell or a REPL, where `run`
            recognises typed text itself.
        leave: Keys and text that leave it, step by step; each is taken before the next.
        interrupt: Keys to press if it does not leave, did not start, or still works at the end of
            the session; the first step at once, the others once it reads.
        replies: Answers to questions that it asks at its start, such as whether to trust a
            directory: the regular expression of a text on the screen, and the keys. The built-in
            profiles have none, so you decide whether to agree.
        waiting: Outcomes that mean that it waits for the next question.
        max_columns: Columns of the widest pane in which its screen is as described here; a session
            refuses a wider one. None for any.
        start_timeout: Longest time to start, in seconds.
        answer_timeout: Longest time to answer, in seconds.
        leave_timeout: Longest time to leave, in seconds.
        tried: Versions of the real program that it was tested with, with blanks between them; empty
            if it was not tested.

    Raises:
        InvalidProfileError: If a value makes no sense, such as a command that cannot be typed.
        InvalidPatternError: If a pattern of *replies* is not a regular expression.
        InvalidStrategyError: If a strategy cannot assess a snapshot.

    Examples:
        >>> quit_bc = KeySequence.text("quit") + KeySequence.keys("Enter")
        >>> Profile("bc", ("bc", "-q"), leave=quit_bc, waiting={Outcome.AWAITING_INPUT})
        Profile(name='bc', command=('bc', '-q'))
    """

    name: str = attrs.field(validator=check_name)
    command: tuple[str, ...] = attrs.field(converter=to_words, validator=check_command)
    env: tuple[tuple[str, str], ...] = attrs.field(
        default=(), converter=to_variables, validator=check_env, kw_only=True
    )
    answered: ReadinessStrategy | None = attrs.field(
        default=None, validator=_check_strategy, kw_only=True
    )
    ready: ReadinessStrategy | None = attrs.field(
        default=None, validator=_check_strategy, kw_only=True
    )
    prompt_rows: int | None = attrs.field(default=None, validator=check_count, kw_only=True)
    rows: AnswerRows | None = attrs.field(default=None, validator=check_rows, kw_only=True)
    page_up: KeySequence = attrs.field(default=_NO_KEYS, validator=check_keys, kw_only=True)
    page_end: KeySequence = attrs.field(default=_NO_KEYS, validator=check_keys, kw_only=True)
    paste: bool = attrs.field(default=False, kw_only=True)
    clear: KeySequence = attrs.field(default=_NO_KEYS, validator=check_keys, kw_only=True)
    leave: tuple[KeySequence, ...] = attrs.field(
        default=(KeySequence((Key("C-d"),)),),
        converter=to_keys,
        validator=check_keys,
        kw_only=True,
    )
    interrupt: tuple[KeySequence, ...] = attrs.field(
        default=(KeySequence((Key("C-c"),)), KeySequence((Key("C-d"),))),
        converter=to_keys,
        validator=check_keys,
        kw_only=True,
    )
    replies: tuple[Reply, ...] = attrs.field(
        default=(), converter=to_replies, validator=check_replies, kw_only=True
    )
    waiting: frozenset[Outcome] = attrs.field(
        default=frozenset({Outcome.PROMPT, Outcome.FULLSCREEN, Outcome.STABLE}),
        converter=to_outcomes,
        validator=check_outcomes,
        kw_only=True,
    )
    max_columns: int | None = attrs.field(default=None, validator=check_count, kw_only=True)
    start_timeout: float = attrs.field(default=15.0, validator=check_seconds, kw_only=True)
    answer_timeout: float = attrs.field(default=30.0, validator=check_seconds, kw_only=True)
    leave_timeout: float = attrs.field(default=10.0, validator=check_seconds, kw_only=True)
    tried: str = attrs.field(default="", kw_only=True)

    def __repr__(self) -> str:
        return short_repr(self, "name", "command")

    @property
    def hears_signals(self) -> bool:
        """Whether *answered* is to be given `Snapshot.signals`."""
        return self.answered is not None and wants_signals(self.answered)

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say what *answered* says, if the kernel reports the program in the foreground."""
        program = program_run_by(self.command)
        if (
            self.answered is None
            or snapshot.tty is None
            or not is_named(snapshot.tty.program, (program,))
        ):
            return Pass(f"this is not {self.name}")
        verdict = self.answered.assess(snapshot)
        # Nothing is guessed of a program that is known.
        return Busy(verdict.reason, verdict.again_in) if isinstance(verdict, Pass) else verdict
