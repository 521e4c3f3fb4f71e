"""What a profile refuses."""

import math

import attrs
import pytest

from tmuxprim import (
    InvalidPatternError,
    InvalidProfileError,
    InvalidStrategyError,
    InvalidTextError,
    KeySequence,
    Outcome,
    PromptStrategy,
)
from tmuxprim import profiles as public
from tmuxprim.profiles import OPENCODE, PYTHON, Profile

BUILT_IN = [value for value in vars(public).values() if isinstance(value, Profile)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "a profile's name is a text that is not empty, got ' '"),
        ({"name": 3}, "a profile's name is a text that is not empty, got 3"),
        ({"command": "ls -l"}, r"a command is a tuple of words, got the text 'ls -l'; shlex\."),
        ({"command": ()}, r"a command is one word or more, the program's name first, got \(\)"),
        ({"command": ("",)}, "a command is one word or more"),
        ({"command": ("a", 1)}, "a command is one word or more"),
        ({"env": {"A-B": "c"}}, "a variable's name is letters, digits and '_', got 'A-B'"),
        ({"start_timeout": 0}, "start_timeout is more than 0 seconds, got 0"),
        ({"answer_timeout": math.nan}, "answer_timeout is more than 0 seconds, got nan"),
        ({"leave": ("q",)}, "leave is pressed as a KeySequence, got 'q'; KeySequence.keys"),
        ({"interrupt": ["C-c"]}, "interrupt is pressed as a KeySequence, got 'C-c'"),
        ({"page_up": "PPage"}, "page_up is pressed as a KeySequence, got 'PPage'"),
        ({"replies": {"a": "y"}}, "replies is pressed as a KeySequence, got 'y'"),
        ({"leave_timeout": "1"}, "leave_timeout is more than 0 seconds, got '1'"),
        ({"command": 5}, "a command is a tuple of words, got 5"),
        ({"command": ("a\0",)}, "a command is typed into a shell, to which control characters are"),
        ({"command": ("a", "b\nc")}, r"got '\\n'; put the text into a script, and start that"),
        ({"env": {"A": 5}}, "the value of the variable A is a text, got <class 'int'>; str"),
        ({"env": {"A": "b\tc"}}, r"variable A is typed into a shell, .* keys, got '\\t'; put the"),
        ({"env": {5: "a"}}, "a variable's name is letters, digits and '_', got 5"),
        ({"env": "A=5"}, "env is a mapping of names to values, got <class 'str'>; {'NAME"),
        ({"env": ["A5"]}, "env is a mapping of names to values, got <class 'str'>; {'NAME"),
        ({"prefix": 5}, "prefix is a text, got 5; ':' is vim's"),
        ({"rows": "x"}, "rows is an AnswerRows, or None, got 'x'; None is what was printed"),
        ({"prompt_rows": "x"}, "prompt_rows is a tuple of rows, or None, got 'x'"),
        ({"prompt_rows": [5]}, r"prompt_rows is a tuple of rows, or None, got \(5,\)"),
        ({"waiting": "PROMPT"}, "waiting is a set of outcomes, at least one, got 'PROMPT'; {Out"),
        ({"waiting": Outcome.PROMPT}, "waiting is a set of outcomes, at least one, got <Outcome"),
        ({"waiting": ["PROMPT"]}, "waiting is a set of outcomes, at least one, got {'PROMPT'}"),
        ({"waiting": []}, r"waiting is a set of outcomes, at least one, got set\(\)"),
        ({"max_columns": "80"}, "max_columns is a whole number from 1 on, or None, got '80'"),
        ({"max_columns": 0}, "max_columns is a whole number from 1 on, or None, got 0"),
        ({"max_columns": True}, "max_columns is a whole number from 1 on, or None, got True"),
        ({"leave": 5}, "keys are pressed as a KeySequence or several, got 5"),
        ({"replies": 5}, "replies is a mapping of patterns to keys, got 5"),
        ({"replies": ["ab"]}, "replies is a mapping of patterns to keys, got 'ab'"),
    ],
)
def test_nonsense_is_refused(change: dict[str, object], message: str) -> None:
    """The rule, and what was given."""
    with pytest.raises(InvalidProfileError, match=message):
        attrs.evolve(PYTHON, **change)  # type: ignore[arg-type]  # that is the point


def test_strategies_are_checked() -> None:
    """When the profile is made, not when it waits."""
    for name in ("ready", "answered"):
        with pytest.raises(InvalidStrategyError):
            attrs.evolve(PYTHON, **{name: PromptStrategy})  # type: ignore[arg-type]


def test_what_is_typed_and_searched_is_checked() -> None:
    """By those who type and search."""
    with pytest.raises(InvalidTextError):
        attrs.evolve(PYTHON, prefix="\0")
    with pytest.raises(InvalidPatternError):
        attrs.evolve(PYTHON, enter="(")
    assert attrs.evolve(PYTHON, prompt_rows=["", "a"], max_columns=1).prompt_rows == ("", "a")


def test_one_step_is_enough() -> None:
    """Most programs are left by one."""
    keys = KeySequence.text("bye") + KeySequence.keys("Enter")
    assert attrs.evolve(PYTHON, leave=keys).leave == (keys,)


def test_replies_are_patterns() -> None:
    """In a mapping or in pairs."""
    keys = KeySequence.keys("Enter")
    assert attrs.evolve(PYTHON, replies={"a": keys}).replies[0][0].pattern == "a"
    assert attrs.evolve(PYTHON, replies=[("a", keys)]).replies[0][1] == keys
    with pytest.raises(InvalidPatternError):
        attrs.evolve(PYTHON, replies={"(": keys})


@pytest.mark.parametrize("profile", BUILT_IN, ids=lambda profile: profile.name)
def test_a_built_in_profile_agrees_to_nothing(profile: Profile) -> None:
    """Whom to trust and which licence to take is up to the user."""
    assert profile.replies == ()
    assert profile.leave
    assert profile.tried
    assert Outcome.PROMPT in profile.waiting
    assert hash(profile) == hash(attrs.evolve(profile))


def test_opencode_has_time() -> None:
    """It may take half a minute to start on a busy machine, and two minutes to answer."""
    assert (OPENCODE.start_timeout, OPENCODE.answer_timeout) == (30.0, 120.0)
