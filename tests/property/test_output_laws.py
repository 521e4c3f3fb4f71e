"""The law of `Console.run`: what it calls complete is what was printed."""

from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tmuxprim import Console, FakeTerminal, Outcome, Size
from tmuxprim.testing import FakeTty, Program, ReadLine, Run

thorough = settings(max_examples=examples(80), deadline=None)

COLUMNS: Final = 12
# What is printed: what looks like a prompt, like a shell's mark, like a row that was filled.
_TEXTS: Final = st.lists(
    st.sampled_from(
        [
            *("a", "y", "7", " ", "\n", "\n", "\n\n", "$ ", "up", "x% ", "~", "abc#", "%", "⏎"),
            *(" " * 10, " " * 12, "y" * 11, "y" * 12, "y" * 13, "-" * 70, "日本"),
        ]
    ),
    max_size=7,
).map("".join)
_PROMPTS: Final = st.sampled_from(["$ ", "up\n$ ", "\n~\n$ ", "\n\nup\n~\n$ ", "a long prompt\n% "])
_SIZES: Final = st.builds(Size, st.just(COLUMNS), st.integers(2, 9))


def _shell(outputs: list[str], prompt: str) -> Program:
    """Return a shell that shows its prompt where the output has ended, as bash does."""

    def run(tty: FakeTty) -> Run:
        for output in ["", *outputs]:
            tty.write(output)
            tty.write("".join(f"{row}\n" for row in prompt.split("\n")[:-1]))
            while not (yield ReadLine(raw=True, prompt=prompt.rpartition("\n")[2])):
                tty.write("".join(f"{row}\n" for row in prompt.split("\n")[:-1]))
        return 0

    return run


def _zsh(outputs: list[str], prompt: str, hook: str) -> Program:
    """Return a shell that marks output without a line break, and then prints what a hook says.

    It writes what zsh 5.9 writes.
    """

    def show(tty: FakeTty) -> None:
        tty.write(f"\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m{' ' * (COLUMNS - 1)}\r \r")
        tty.write(hook)
        tty.write("\r\x1b[0m\x1b[27m\x1b[24m\x1b[J")
        tty.write("".join(f"{row}\n" for row in prompt.split("\n")[:-1]))

    def run(tty: FakeTty) -> Run:
        for output in ["", *outputs]:
            tty.write(output)
            show(tty)
            while not (yield ReadLine(raw=True, prompt=prompt.rpartition("\n")[2])):
                show(tty)
        return 0

    return run


def _check(program: Program, name: str, outputs: list[str], size: Size, *, learns: bool) -> None:
    """Run commands that print these texts, and check each answer."""
    terminal = FakeTerminal(programs={name: program})
    console = Console(terminal, terminal.open(name, size=size))
    if learns:
        console.learn_prompt()
    for output in outputs[:-1]:
        result = console.run("run")
        assume(result.readiness.outcome is Outcome.PROMPT)
        if result.complete:
            assert result.output == output


@pytest.mark.parametrize("learns", [True, False])
@given(st.lists(_TEXTS, min_size=2, max_size=4), _PROMPTS, _SIZES)
@thorough
def test_what_is_complete_is_equal(
    learns: bool,  # noqa: FBT001  # a parameter
    outputs: list[str],
    prompt: str,
    size: Size,
) -> None:
    """Whatever was printed, at a prompt of however many rows, known or not."""
    _check(_shell(outputs, prompt), "sh", outputs, size, learns=learns)


@pytest.mark.parametrize("learns", [True, False])
@given(
    st.lists(_TEXTS, min_size=2, max_size=4),
    _PROMPTS,
    st.sampled_from(["", "", "\n", "\nup\n", "up\n", "a longer hook\n"]),
    _SIZES,
)
@thorough
def test_what_is_complete_is_equal_where_the_shell_marks_it(
    learns: bool,  # noqa: FBT001  # a parameter
    outputs: list[str],
    prompt: str,
    hook: str,
    size: Size,
) -> None:
    """The mark, the row that it fills and what hooks print are not taken for output."""
    _check(_zsh(outputs, prompt, hook), "zsh", outputs, size, learns=learns)


@given(st.lists(_TEXTS.map("{}\n".format), min_size=2, max_size=3), _SIZES)
@thorough
def test_what_ends_with_a_line_break_is_complete(outputs: list[str], size: Size) -> None:
    """At a prompt of one row that is known: so the law is not kept by silence."""
    terminal = FakeTerminal(programs={"sh": _shell(outputs, "$ ")})
    console = Console(terminal, terminal.open("sh", size=size))
    for output in outputs[:-1]:
        result = console.run("run")
        assert (result.output, result.complete) == (output, True), result.doubt
