"""`Profile`: what is known of a program."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import attrs

from tmuxprim._keys import Key
from tmuxprim._profiles._answer import AnswerRows
from tmuxprim._program_errors import InvalidProfileError
from tmuxprim._readiness._prompt import to_pattern
from tmuxprim._readiness._strategy import ReadinessStrategy, check_strategy
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._sequence import KeySequence

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

Reply: TypeAlias = tuple[re.Pattern[str], KeySequence]


def _to_words(words: Iterable[str]) -> tuple[str, ...]:
    if isinstance(words, str):
        raise InvalidProfileError(
            f"a command is a tuple of words, got the text {words!r}; shlex.split() makes words"
        )
    return tuple(words)


def _to_items(env: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(env.items() if isinstance(env, Mapping) else env)


def _to_keys(steps: KeySequence | Iterable[KeySequence]) -> tuple[KeySequence, ...]:
    return (steps,) if isinstance(steps, KeySequence) else tuple(steps)


def _to_replies(
    replies: Mapping[str, KeySequence] | Iterable[tuple[str | re.Pattern[str], KeySequence]],
) -> tuple[Reply, ...]:
    items = replies.items() if isinstance(replies, Mapping) else replies
    return tuple((to_pattern(pattern), keys) for pattern, keys in items)


def _check_keys(_profile: object, field: "attrs.Attribute[Any]", keys: object) -> None:
    _require_keys(field.name, keys)


def _require_keys(name: str, keys: object) -> None:
    for step in keys if isinstance(keys, tuple) else (keys,):
        if not isinstance(step, KeySequence):
            raise InvalidProfileError(
                f"{name} is pressed as a KeySequence, got {step!r}; KeySequence.keys('q') makes one"
            )


def _check_seconds(_profile: object, field: "attrs.Attribute[float]", seconds: object) -> None:
    # Written so that NaN, which compares false with everything, is refused as well.
    if not isinstance(seconds, (int, float)) or not seconds > 0:
        raise InvalidProfileError(f"{field.name} is more than 0 seconds, got {seconds!r}")


@attrs.frozen
class Profile:
    r"""Tells how to start a program, when it is ready, how to ask it something, how to leave it.

    What is not given is found out: by the default chain, which knows prompts, and by cutting out
    what was printed, as `Console.run` does. Programs that draw a screen of their own need more.
    Change a built-in one with ``attrs.evolve(PYTHON, command=("python3.13", "-q"))``.

    Args:
        name: What messages call it.
        command: The words that start it, typed into a shell.
        env: Environment variables to set for it. They are typed, too, so that anybody can read
            them; give secrets to the shell, as `Terminal.open` does.
        ready: Decides when it is ready after the start; None is the default chain.
        answered: Decides when an answer is complete; None is the default chain.
        prompt_rows: Rows that its prompt shows above its last line, such as IPython's blank one;
            None to find that out, which takes two prompts.
        rows: Which rows are the answer; None is what was printed, and on the alternate screen
            the rows that are new.
        page_up: Keys that scroll towards the beginning of an answer that is longer than the screen;
            none if the program writes it into the terminal's history, or cannot scroll.
        page_end: Keys that scroll back to its end.
        before: Keys to press before each question, such as ``Escape`` in vim.
        prefix: What is typed before each question, such as ``:`` in vim.
        paste: Whether a question of several lines is pasted; else its lines are typed as they
            are, with LF between them, which is Enter to what reads lines.
        leave: What to press and type to leave it, step by step; each is taken before the next.
        interrupt: What to press if it does not leave, did not start, or is at work when it is to
            be left; the first step at once, the others once it reads.
        replies: What to answer to questions that it asks at its start, such as whether to trust a
            folder: the regular expression of a text on the screen, and the keys. There are none in
            the built-in profiles, since to agree is up to you.
        waiting: Outcomes that mean that it waits for the next question.
        max_columns: Columns of the widest pane in which its screen is as described here; a session
            refuses a wider one. None for any.
        start_timeout: Longest time to start, in seconds.
        answer_timeout: Longest time to answer, in seconds.
        leave_timeout: Longest time to leave, in seconds.
        tried: Versions of the real program that it was tried with, with blanks between them; empty
            if it was not tried at all.

    Raises:
        InvalidProfileError: If a name, a command, a variable or a limit makes no sense.
        InvalidPatternError: If a pattern of *replies* is not a regular expression.
        InvalidStrategyError: If a strategy cannot assess a look.

    Examples:
        >>> quit_bc = KeySequence.text("quit") + KeySequence.keys("Enter")
        >>> Profile("bc", ("bc", "-q"), leave=quit_bc, waiting={Outcome.AWAITING_INPUT})
        Profile(name='bc', command=('bc', '-q'), ...)
    """

    name: str = attrs.field()
    command: tuple[str, ...] = attrs.field(converter=_to_words)
    env: tuple[tuple[str, str], ...] = attrs.field(default=(), converter=_to_items, kw_only=True)
    ready: ReadinessStrategy | None = attrs.field(default=None, kw_only=True)
    answered: ReadinessStrategy | None = attrs.field(default=None, kw_only=True)
    prompt_rows: tuple[str, ...] | None = attrs.field(default=None, kw_only=True)
    rows: AnswerRows | None = attrs.field(default=None, kw_only=True)
    page_up: KeySequence = attrs.field(default=KeySequence(()), validator=_check_keys, kw_only=True)
    page_end: KeySequence = attrs.field(
        default=KeySequence(()), validator=_check_keys, kw_only=True
    )
    before: KeySequence = attrs.field(default=KeySequence(()), validator=_check_keys, kw_only=True)
    prefix: str = attrs.field(default="", kw_only=True)
    paste: bool = attrs.field(default=False, kw_only=True)
    leave: tuple[KeySequence, ...] = attrs.field(
        default=(KeySequence((Key("C-d"),)),),
        converter=_to_keys,
        validator=_check_keys,
        kw_only=True,
    )
    interrupt: tuple[KeySequence, ...] = attrs.field(
        default=(KeySequence((Key("C-c"),)), KeySequence((Key("C-d"),))),
        converter=_to_keys,
        validator=_check_keys,
        kw_only=True,
    )
    replies: tuple[Reply, ...] = attrs.field(default=(), converter=_to_replies, kw_only=True)
    waiting: frozenset[Outcome] = attrs.field(
        default=frozenset({Outcome.PROMPT, Outcome.FULLSCREEN, Outcome.STABLE}),
        converter=frozenset,
        kw_only=True,
    )
    max_columns: int | None = attrs.field(default=None, kw_only=True)
    start_timeout: float = attrs.field(default=15.0, validator=_check_seconds, kw_only=True)
    answer_timeout: float = attrs.field(default=30.0, validator=_check_seconds, kw_only=True)
    leave_timeout: float = attrs.field(default=10.0, validator=_check_seconds, kw_only=True)
    tried: str = attrs.field(default="", kw_only=True)

    @name.validator
    def _check_name(self, _field: object, name: object) -> None:
        if not isinstance(name, str) or not name.strip():
            raise InvalidProfileError(f"a profile's name is a text that is not empty, got {name!r}")

    @command.validator
    def _check_command(self, _field: object, words: tuple[object, ...]) -> None:
        if not words or not all(isinstance(word, str) for word in words) or not words[0]:
            raise InvalidProfileError(
                f"a command is one word or more, the program's name first, got {words!r}"
            )

    @replies.validator
    def _check_replies(self, _field: object, replies: tuple[Reply, ...]) -> None:
        _require_keys("replies", tuple(keys for _, keys in replies))

    @ready.validator
    @answered.validator
    def _check_strategy(self, _field: object, strategy: object) -> None:
        if strategy is not None:
            check_strategy(strategy)

    @env.validator
    def _check_env(self, _field: object, env: tuple[tuple[str, str], ...]) -> None:
        for name, _ in env:
            if not _VARIABLE.match(name):
                raise InvalidProfileError(
                    f"a variable's name is letters, digits and '_', got {name!r}"
                )
