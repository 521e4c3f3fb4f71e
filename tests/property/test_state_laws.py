"""The laws of states: what is not a guess is so, and is what a wait says."""

from collections.abc import Mapping
from itertools import cycle

from hypothesis import given
from hypothesis import strategies as st

from tmuxprim import Console, FakeTerminal, Outcome, State, StateChange, pane_states, watch_states
from tmuxprim.testing import (
    After,
    FakeTty,
    Program,
    Run,
    ScriptedShell,
    Sleep,
    after,
    pager,
    password,
    question,
)

_SAYS = {
    Outcome.PROMPT: State.PROMPT,
    Outcome.CONTINUATION: State.CONTINUATION,
    Outcome.AWAITING_INPUT: State.ASKING,
    Outcome.AWAITING_SECRET: State.SECRET,
    Outcome.FULLSCREEN: State.FULLSCREEN,
    Outcome.EXITED: State.EXITED,
    Outcome.TIMEOUT: State.WORKING,
}
_outputs = st.sampled_from(["$ ", "# ", "> ", "100%", "[y/N] ", "Password: ", "a\n", "50%\r", ""])
_steps = st.tuples(st.sampled_from([0.0, 0.001, 0.1, 0.5]), _outputs, st.booleans())
scripts = st.lists(_steps, min_size=1, max_size=4)
moments = st.sampled_from([0.0, 0.001, 0.05, 0.31, 1.0, 3.0])
COMMANDS: Mapping[str, Program | str | list[After]] = {
    "ask": question("Continue? [y/N] "),
    "login": password("Password: "),
    "less": pager("a\nb"),
    "make": [after(0.5, "100%"), after(0.5, "$ ")],
    "exit": "",
}


def command(script: list[tuple[float, str, bool]], ended: list[bool]) -> Program:
    """Return a command that works and prints, in raw mode or not, and notes its end."""

    def run(tty: FakeTty) -> Run:
        for seconds, output, raw in script:
            yield Sleep(seconds, raw=raw)
            tty.write(output)
        ended.append(True)
        return 0

    return run


@given(scripts, st.lists(moments, min_size=1, max_size=4), st.booleans())
def test_what_is_no_guess_is_never_early(
    script: list[tuple[float, str, bool]],
    times: list[float],
    evidence: bool,  # noqa: FBT001  # given by position
) -> None:
    """While a command works no other state is certain; once it has ended, a prompt is."""
    ended: list[bool] = []
    shell = ScriptedShell({"run": command(script, ended)})
    terminal = FakeTerminal(programs={"sh": shell}, evidence=evidence)
    console = Console(terminal, terminal.open())
    assert console.wait_ready(timeout=1000)
    console.send("run")
    stranger = Console(terminal, console.pane)
    for seconds in times:
        terminal.clock.sleep(seconds)
        for one in (console, stranger):
            state = one.state()
            if not ended:
                assert state.state is State.WORKING or state.is_guess
    terminal.clock.sleep(10.0)
    assert console.state().state is State.PROMPT


@given(st.sampled_from(sorted(COMMANDS)), st.lists(moments, min_size=1, max_size=4), st.booleans())
def test_what_is_no_guess_is_what_a_wait_says(
    line: str,
    times: list[float],
    is_stranger: bool,  # noqa: FBT001  # given by position
) -> None:
    """An immediate wait of the same console finds the same, for the same reason."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell(COMMANDS)}, remain_on_exit=True)
    console = Console(terminal, terminal.open())
    assert console.wait_ready(timeout=1000)
    console.send(line)
    asks = Console(terminal, console.pane) if is_stranger else console
    for seconds in times:
        terminal.clock.sleep(seconds)
        state, before = asks.state(), terminal.clock.now()
        readiness = asks.wait_ready(timeout=0)
        if not state.is_guess and terminal.clock.now() - before < 0.001:
            expected = State.DEAD if readiness.screen.dead else _SAYS[readiness.outcome]
            assert state.state is expected
            assert not readiness.is_guess


@given(st.lists(st.sampled_from(sorted(COMMANDS)), min_size=1, max_size=4), moments)
def test_all_panes_are_as_each(lines: list[str], seconds: float) -> None:
    """One look at all finds of each pane what a look at it alone finds, in any order."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell(COMMANDS)}, remain_on_exit=True)
    for line in lines:
        console = Console(terminal, terminal.open())
        assert console.wait_ready(timeout=1000)
        console.send(line)
    terminal.clock.sleep(seconds + 5.0)
    states = pane_states(terminal)
    assert pane_states(terminal, reversed(terminal.panes())) == states[::-1]
    assert tuple(Console(terminal, pane).state() for pane in terminal.panes()) == states


@given(
    st.lists(scripts, min_size=1, max_size=3),
    st.lists(moments, min_size=1, max_size=8),
    st.booleans(),
)
def test_changes_follow_each_other(
    runs: list[list[tuple[float, str, bool]]],
    pauses: list[float],
    evidence: bool,  # noqa: FBT001  # given by position
) -> None:
    """Each begins where the one before ended, none is early, and the last is true.

    However slow the consumer is, and whatever the programs print.
    """
    begun: list[bool] = []
    ended: list[bool] = []

    def begin() -> None:
        begun.append(True)
        console.send(f"run{len(begun)}")

    shell = ScriptedShell(
        {f"run{number}": command(run, ended) for number, run in enumerate(runs, 1)}
    )
    terminal = FakeTerminal(programs={"sh": shell}, evidence=evidence)
    console = Console(terminal, terminal.open())
    assert console.wait_ready(timeout=1000)
    for number, _ in enumerate(runs):
        terminal.clock.call_later(5.0 * number + 1.0, begin)
    before: StateChange | None = None
    for change, seconds in zip(watch_states(terminal, timeout=50.0), cycle(pauses), strict=False):
        if begun != ended:
            assert change.now.state is State.WORKING or change.now.is_guess
        assert change.before == (before and before.now)
        if before is not None:
            assert change.lasted == change.since - before.since >= 0.0
            assert (change.now.state, change.now.is_guess) != (before.now.state, False)
        before = change
        terminal.clock.sleep(seconds)
    assert before is not None
    assert before.now.state is State.PROMPT
