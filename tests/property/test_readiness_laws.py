"""The laws of chains, and of waiting: never early, and promptly."""

from collections.abc import Callable

import attrs
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from tests.unit.builders import screen
from tmuxprim import Console, FakeTerminal, Outcome, TimeoutStrategy
from tmuxprim.readiness import AllOf, Busy, Chain, Pass, Ready, Snapshot, Strategy, Verdict
from tmuxprim.testing import FakeTty, Program, Run, ScriptedShell, Sleep, after

LOOK = Snapshot(screen=screen(), elapsed=1.0)


@attrs.frozen
class Says(Strategy):
    """Says one thing, whatever it is shown."""

    verdict: Verdict

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say it."""
        return self.verdict


_reasons = st.sampled_from("abc")
busy = st.builds(Busy, _reasons).map(Says)
passing = st.builds(Pass, _reasons).map(Says)
ready = st.builds(Ready, st.sampled_from(Outcome), _reasons).map(Says)
speakers = st.one_of(busy, passing, ready)
time_limits = st.sampled_from([0.0, 2.0]).map(TimeoutStrategy)
strategies = st.lists(speakers | time_limits, min_size=1, max_size=5)


@given(strategies, strategies, strategies)
def test_chain_is_associative(a: list[Strategy], b: list[Strategy], c: list[Strategy]) -> None:
    """How a chain is bracketed does not matter."""
    one, two, three = Chain(tuple(a)), Chain(tuple(b)), Chain(tuple(c))
    assert (one | two) | three == one | (two | three) == Chain((*a, *b, *c))


@given(st.lists(passing, max_size=3), ready, strategies)
def test_first_ready_decides(before: list[Says], first: Says, behind: list[Strategy]) -> None:
    """Behind a Ready nobody is asked, whatever they would say."""
    judgement = Chain((*before, first, *behind)).judge(LOOK)
    assert judgement.verdict == first.verdict
    assert len(judgement.verdicts) == len(before) + 1


@given(st.lists(passing, max_size=3), busy, st.lists(speakers, max_size=4))
def test_busy_vetoes(before: list[Says], veto: Says, behind: list[Says]) -> None:
    """Nobody but the time limit can overrule a Busy."""
    assert Chain((*before, veto, *behind)).assess(LOOK) == veto.verdict


@given(st.lists(busy | passing, max_size=4), st.lists(busy | passing, max_size=4))
def test_time_limit_is_always_asked(before: list[Says], behind: list[Says]) -> None:
    """No time limit is vetoed, wherever it stands."""
    verdict = Chain((*before, TimeoutStrategy(0.5), *behind)).assess(LOOK)
    assert verdict == Ready(Outcome.TIMEOUT, "timed out after 0.5 s")


@given(strategies)
def test_judgement_is_of_who_was_asked(links: list[Strategy]) -> None:
    """The verdict of a round is the one that the strategy named has given."""
    judgement = Chain(tuple(links)).judge(LOOK)
    assert (judgement.strategy, judgement.verdict) in judgement.verdicts


@given(st.lists(passing, max_size=3), strategies, st.integers(0, 5))
def test_pass_changes_nothing(more: list[Says], links: list[Strategy], place: int) -> None:
    """Who cannot decide may stand anywhere: what another one decides stays decided."""
    alone = Chain(tuple(links)).assess(LOOK)
    together = Chain((*links[:place], *more, *links[place:])).assess(LOOK)
    assert together == alone or isinstance(alone, Pass)


@given(speakers, speakers)
def test_both_is_symmetric(one: Says, other: Says) -> None:
    """Which of two comes first decides the words, and not whether they are ready."""
    assert type(AllOf((one, other)).assess(LOOK)) is type(AllOf((other, one)).assess(LOOK))


@given(speakers, speakers)
def test_both_is_as_ready_as_the_less_ready(one: Says, other: Says) -> None:
    """A pair is busy if one of the two is, and ready only if the two are."""
    kinds = [Busy, Pass, Ready]
    less = min(kinds.index(type(one.verdict)), kinds.index(type(other.verdict)))
    assert type(AllOf((one, other)).assess(LOOK)) is kinds[less]


# What a command prints: prompts of all kinds, questions, progress, colours, with a line break
# or without one, and how long it works before, in seconds. A row never gets full.
_outputs = st.one_of(
    st.sampled_from(["$ ", "# ", "> ", ">>> ", "100%", "<html>", "total: 5 $", "❯ "]),  # noqa: RUF001  # prompts
    st.sampled_from(
        ["[y/N] ", "name: ", "Password: ", "50%\r", "\x1b[1m$ \x1b[m", "\x1b[H\x1b[2J"]
    ),
    st.text("a$#%>?: 日\n\r\b", max_size=8),
)
_line_breaks = st.sampled_from(["", "\n", "\n\n"])
_seconds = st.sampled_from([0.0, 0.0004, 0.001, 0.01, 0.1]) | st.floats(0.0, 3.0)
_steps = st.tuples(_seconds, st.tuples(_outputs, _line_breaks).map("".join), st.booleans())
scripts = st.lists(_steps, min_size=1, max_size=5)


def command(script: list[tuple[float, str, bool]], ended: Callable[[], None]) -> Program:
    """Return a command that works and prints, in raw mode or not, and tells when it ended."""

    def run(tty: FakeTty) -> Run:
        for seconds, output, raw in script:
            yield Sleep(seconds, raw=raw)
            tty.write(output)
        ended()
        return 0

    return run


@given(
    st.lists(scripts, min_size=1, max_size=3),
    st.sampled_from(["$ ", "~/src main ❯ ", "(venv) % "]),  # noqa: RUF001  # a prompt
    st.sampled_from([0.0002, 0.001, 0.01]),
)
def test_never_early_and_promptly(
    commands: list[list[tuple[float, str, bool]]], prompt: str, reaction: float
) -> None:
    """A prompt is found once the command has ended, within 30 ms, and never before."""
    ends: list[float] = []
    programs = {
        f"run {number}": command(script, lambda: ends.append(terminal.clock.now()))
        for number, script in enumerate(commands)
    }
    shell = ScriptedShell(programs, prompt=prompt)
    terminal = FakeTerminal(programs={"sh": shell}, reaction=reaction)
    console = Console(terminal, terminal.open())
    assert console.wait_ready(timeout=1000)
    for number, line in enumerate(programs, start=1):
        console.send(line)
        readiness = console.wait_ready(timeout=1000)
        assert readiness.outcome is Outcome.PROMPT
        assert len(ends) == number, "it was early"
        assert terminal.clock.now() - ends[-1] < 0.03


_lines = st.text("a$#%>?: 日", max_size=8) | _outputs.map(lambda text: text.strip("\r\b"))


@given(st.lists(st.tuples(st.floats(0.0, 5.0), _lines), min_size=1, max_size=3))
def test_whole_lines_are_never_a_prompt(script: list[tuple[float, str]]) -> None:
    """Without the kernel's evidence, too, no whole line of output is taken for a prompt."""
    shell = ScriptedShell({"run": [after(seconds, f"{line}\n") for seconds, line in script]})
    terminal = FakeTerminal(programs={"sh": shell}, evidence=False)
    console = Console(terminal, terminal.open())
    assert console.wait_ready(timeout=1000)
    console.send("run")
    readiness = console.wait_ready(timeout=1000)
    assert readiness.outcome is Outcome.PROMPT
    took = terminal.clock.now() - terminal.sent()[-1].at
    total = sum(seconds for seconds, _ in script)
    assert total < took < total + 1.5


@given(scripts, st.booleans())
def test_what_is_ready_never_times_out(
    script: list[tuple[float, str, bool]],
    evidence: bool,  # noqa: FBT001  # given by position
) -> None:
    """What was found ready is found ready again in no time, with evidence or without."""
    shell = ScriptedShell({"run": command(script, lambda: None)})
    terminal = FakeTerminal(programs={"sh": shell}, evidence=evidence)
    console = Console(terminal, terminal.open())
    assert console.wait_ready(timeout=1000)
    console.send("run")
    found = console.wait_ready(timeout=1000)
    again = console.wait_ready(timeout=0)
    assert found
    assert (again.outcome, again.screen, again.elapsed) == (found.outcome, found.screen, 0)
