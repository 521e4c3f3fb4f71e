"""What a profile refuses."""

import math

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import InvalidPatternError, KeySequence, Outcome, PromptStrategy, default_chain
from tmuxprim import profiles as public
from tmuxprim.errors import InvalidProfileError, InvalidStrategyError
from tmuxprim.profiles import OPENCODE, PYTHON, Profile, ScreenStrategy
from tmuxprim.readiness import Busy, Pass, Ready, Snapshot, Verdict

BUILT_IN = [value for value in vars(public).values() if isinstance(value, Profile)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "name is a text that is not empty, got ' '"),
        ({"name": 3}, "name is a text that is not empty, got 3"),
        ({"command": "ls -l"}, "a tuple of values is needed, got 'ls -l'"),
        ({"command": ()}, r"command is one word or more, the program's name first, got \(\)"),
        ({"command": ("",)}, "command is one word or more"),
        ({"command": ("a", 1)}, "command is one word or more"),
        ({"env": {"A-B": "c"}}, "a variable's name is letters, digits and '_', got 'A-B'"),
        ({"start_timeout": 0}, "start_timeout is more than 0 seconds, got 0"),
        ({"answer_timeout": math.nan}, "answer_timeout is more than 0 seconds, got nan"),
        ({"leave": ("q",)}, r"leave is a KeySequence, .*, got \('q',\)"),
        ({"interrupt": ["C-c"]}, r"interrupt is a KeySequence, .*, got \('C-c',\)"),
        ({"page_up": "PPage"}, "page_up is a KeySequence, .*, got 'PPage'"),
        ({"replies": {"a": "y"}}, "replies is a mapping of patterns to KeySequences, got .*'y'"),
        ({"leave_timeout": "1"}, "leave_timeout is more than 0 seconds, got '1'"),
        ({"command": 5}, "a tuple of values is needed, got 5"),
        ({"command": ("a\0",)}, "a command is typed into a shell, to which control characters are"),
        ({"command": ("a", "b\nc")}, r"got '\\n'; put the text into a script, and start that"),
        ({"env": {"A": 5}}, "the variable A is a text, got a <class 'int'>"),
        ({"env": {"A": "b\tc"}}, r"variable A is typed into a shell, .* keys, got '\\t'; put the"),
        ({"env": {5: "a"}}, "a variable's name is letters, digits and '_', got 5"),
        ({"env": "A=5"}, "env is a mapping of names to values, got a <class 'str'>"),
        ({"rows": "x"}, "rows is an AnswerRows, or None for the printed output, got 'x'"),
        ({"prompt_rows": 0}, "prompt_rows is a whole number from 1 on, or None, got 0"),
        ({"prompt_rows": ("",)}, "prompt_rows is a whole number from 1 on, or None, got "),
        ({"waiting": "PROMPT"}, "a tuple of values is needed, got 'PROMPT'"),
        ({"waiting": Outcome.PROMPT}, "a tuple of values is needed, got <Outcome"),
        (
            {"waiting": ["PROMPT"]},
            r"waiting is a set .* got frozenset\({'PROMPT'}\)",
        ),
        ({"waiting": []}, r"waiting is a set of outcomes, at least one, got frozenset\(\)"),
        (
            {"max_columns": "80"},
            "max_columns is a whole number from 1 on, or None, got",
        ),
        ({"max_columns": 0}, "max_columns is a whole number from 1 on, .*, got 0"),
        ({"max_columns": True}, "max_columns is a whole number from 1 on, .*, got True"),
        ({"leave": 5}, "a tuple of values is needed, got 5"),
        ({"replies": 5}, "replies is a mapping of patterns to keys, got 5"),
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
            attrs.evolve(PYTHON, **{name: PromptStrategy})  # type: ignore[arg-type]  # the mistake


def test_one_step_is_enough() -> None:
    """Most programs are left by one."""
    keys = KeySequence.text("bye") + KeySequence.keys("Enter")
    assert attrs.evolve(PYTHON, leave=keys).leave == (keys,)


def test_replies_are_patterns() -> None:
    """They are compiled when the profile is made."""
    keys = KeySequence.keys("Enter")
    assert attrs.evolve(PYTHON, replies={"a": keys}).replies[0][0].pattern == "a"
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


@pytest.mark.parametrize(
    ("program", "shown", "verdict"),
    [
        ("helper", "| ", Ready),
        ("helper", "thinking", Busy),
        ("other", "| ", Pass),
    ],
)
def test_a_profile_judges_its_own_program(program: str, shown: str, verdict: type[Verdict]) -> None:
    """In any wait, without a session; what its strategy does not know is waited out."""
    profile = Profile(
        "helper", ("/opt/bin/helper", "-v"), answered=ScreenStrategy(shows=r"^\|", settled=0.0)
    )
    tty = attrs.evolve(AT_PROMPT, only_reading=False, program=program)
    snapshot = Snapshot(screen=screen(shown), tty=tty, unchanged_for=5.0)
    assert isinstance(profile.assess(snapshot), verdict)
    assert isinstance(attrs.evolve(profile, answered=None).assess(snapshot), Pass)
    assert isinstance(profile.assess(attrs.evolve(snapshot, tty=None)), Pass)
    found = default_chain(programs=[profile]).assess(snapshot)
    assert isinstance(found, Ready) == (program == "other" or verdict is Ready)
