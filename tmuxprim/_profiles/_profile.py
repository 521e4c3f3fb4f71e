"""`Profile`: what is known of a program."""

from typing import Final

import attrs

from tmuxprim._keys import Key
from tmuxprim._profiles import _fields as fields
from tmuxprim._profiles._answer import AnswerRows
from tmuxprim._readiness._strategy import ReadinessStrategy, check_strategy
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._sequence import KeySequence

_NO_KEYS: Final = KeySequence(())


def _check_strategy(_profile: object, _field: fields.Field, strategy: object) -> None:
    if strategy is not None:
        check_strategy(strategy)


@attrs.frozen
class Profile:
    r"""Tells how to start a program, when it is ready, how to ask it something, how to leave it.

    What is not given is found out: by the default chain, which knows prompts, and by cutting out
    what was printed, as `Console.run` does. Programs that draw a screen of their own need more.
    Change a built-in one with ``attrs.evolve(PYTHON, command=("python3.13", "-q"))``.

    Args:
        name: What messages call it.
        command: The words that start it, typed into a shell, so that they have no line breaks.
        env: Environment variables to set for it. They are typed, too, so that anybody can read
            them; give secrets to the shell, as `Terminal.open` does.
        ready: Decides when it is ready after the start; None is the default chain.
        answered: Decides when an answer is complete; None is the default chain.
        prompt_rows: How many rows its prompt has, 2 for IPython's, which begins with a blank one;
            None to find that out, as `Console` does.
        rows: Which rows are the answer; None is what was printed, and on the alternate screen
            the rows that are new.
        page_up: Keys that scroll towards the beginning of an answer that is longer than the screen;
            none if the program writes it into the terminal's history, or cannot scroll.
        page_end: Keys that scroll back to its end.
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
        InvalidProfileError: If a value makes no sense, such as a command that cannot be typed.
        InvalidPatternError: If a pattern of *replies* is not a regular expression.
        InvalidStrategyError: If a strategy cannot assess a look.

    Examples:
        >>> quit_bc = KeySequence.text("quit") + KeySequence.keys("Enter")
        >>> Profile("bc", ("bc", "-q"), leave=quit_bc, waiting={Outcome.AWAITING_INPUT})
        Profile(name='bc', command=('bc', '-q'), ...)
    """

    name: str = attrs.field(validator=fields.check_name)
    command: tuple[str, ...] = attrs.field(
        converter=fields.to_words, validator=fields.check_command
    )
    env: tuple[tuple[str, str], ...] = attrs.field(
        default=(), converter=fields.to_variables, validator=fields.check_env, kw_only=True
    )
    ready: ReadinessStrategy | None = attrs.field(
        default=None, validator=_check_strategy, kw_only=True
    )
    answered: ReadinessStrategy | None = attrs.field(
        default=None, validator=_check_strategy, kw_only=True
    )
    prompt_rows: int | None = attrs.field(default=None, validator=fields.check_count, kw_only=True)
    rows: AnswerRows | None = attrs.field(default=None, validator=fields.check_rows, kw_only=True)
    page_up: KeySequence = attrs.field(default=_NO_KEYS, validator=fields.check_keys, kw_only=True)
    page_end: KeySequence = attrs.field(default=_NO_KEYS, validator=fields.check_keys, kw_only=True)
    paste: bool = attrs.field(default=False, kw_only=True)
    leave: tuple[KeySequence, ...] = attrs.field(
        default=(KeySequence((Key("C-d"),)),),
        converter=fields.to_keys,
        validator=fields.check_keys,
        kw_only=True,
    )
    interrupt: tuple[KeySequence, ...] = attrs.field(
        default=(KeySequence((Key("C-c"),)), KeySequence((Key("C-d"),))),
        converter=fields.to_keys,
        validator=fields.check_keys,
        kw_only=True,
    )
    replies: tuple[fields.Reply, ...] = attrs.field(
        default=(), converter=fields.to_replies, validator=fields.check_replies, kw_only=True
    )
    waiting: frozenset[Outcome] = attrs.field(
        default=frozenset({Outcome.PROMPT, Outcome.FULLSCREEN, Outcome.STABLE}),
        converter=fields.to_outcomes,
        validator=fields.check_outcomes,
        kw_only=True,
    )
    max_columns: int | None = attrs.field(default=None, validator=fields.check_count, kw_only=True)
    start_timeout: float = attrs.field(default=15.0, validator=fields.check_seconds, kw_only=True)
    answer_timeout: float = attrs.field(default=30.0, validator=fields.check_seconds, kw_only=True)
    leave_timeout: float = attrs.field(default=10.0, validator=fields.check_seconds, kw_only=True)
    tried: str = attrs.field(default="", kw_only=True)
