"""Each answer of control mode belongs to the call before it, wherever tmux fails."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.lines import LINES
from tests.unit.tmux.scripted import ScriptedTmux, commands
from tmuxprim import Pane, TmuxCommandError
from tmuxprim._tmux.commands import TmuxCall, call, quote
from tmuxprim._tmux.control import Pending, Stream

PANES = (Pane("%5"), Pane("%5", server="7.1700000000"))
NEXT = call(("display-message", "-p", "x"), ("list-panes",))


def told(pending: Pending) -> tuple[set[int], bool]:
    """Return the numbers of the lines that an answer tells of, and whether it is a refusal."""
    assert pending.is_done
    try:
        text, is_refused = pending.result(), False
    except TmuxCommandError as error:
        text, is_refused = error.stderr, True
    assert re.fullmatch(r"(line \d+\n)*", text)
    return {int(number) for number in re.findall(r"\d+", text)}, is_refused


def answer(tmux: ScriptedTmux, *calls: TmuxCall) -> list[tuple[set[int], bool]]:
    """Ask a tmux all calls before it answers any; return what it told each."""
    stream = Stream()
    pending = [stream.ask(one) for one in calls]
    stream.feed(tmux.hear(b"".join(one.line for one in pending)))
    assert stream.ended is None
    return [told(one) for one in pending]


@pytest.mark.parametrize("pane", PANES)
@pytest.mark.parametrize("conditions_hold", [True, False])
@pytest.mark.parametrize("name", LINES)
def test_a_failure_anywhere_is_of_its_own_call(
    name: str, pane: Pane, *, conditions_hold: bool
) -> None:
    """At each place of each line, in each branch: the next call has its own answer, whole."""
    line = LINES[name](pane)
    whole = ScriptedTmux(conditions_hold=conditions_hold)
    assert answer(whole, line) == [({0}, False)]
    for place in range(whole.carried_out):
        tmux = ScriptedTmux(fails_at=place, conditions_hold=conditions_hold)
        assert answer(tmux, line, NEXT) == [({0}, True), ({2}, False)]
        assert tmux.carried_out <= whole.carried_out + 2


@settings(max_examples=examples(60))
@given(
    names=st.lists(st.sampled_from(sorted(LINES)), min_size=1, max_size=6),
    fails_at=st.integers(0, 40),
    conditions_hold=st.booleans(),
    as_many=st.integers(1, 3),
    has_hooks=st.booleans(),
)
def test_whatever_a_server_makes_of_lines(
    names: list[str], fails_at: int, *, conditions_hold: bool, as_many: int, has_hooks: bool
) -> None:
    """With aliases that stand for several commands, and hooks that print: each has its own."""
    tmux = ScriptedTmux(fails_at, conditions_hold, as_many, has_hooks)
    answers = answer(tmux, *(LINES[name](PANES[1]) for name in names))
    assert [numbers for numbers, _ in answers] == [{2 * n} for n in range(len(names))]
    assert sum(is_refused for _, is_refused in answers) == (tmux.carried_out > fails_at)


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1)))
def test_the_script_reads_lines_as_they_are_written(lines: list[list[str]]) -> None:
    """Else it would not be the tmux that the lines are for."""
    written = " ; ".join(" ".join(map(quote, words)) for words in lines)
    assert commands(written) == (lines or [[]])
