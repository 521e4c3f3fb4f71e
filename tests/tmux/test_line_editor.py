"""What a shell's line editor writes tells that a command has ended, where the kernel does not."""

from typing import Final

import pytest

from tests.scenarios.refusals import REMOTE, STAT, TERMIOS, files_may_be_refused, refusing
from tmuxprim import Console, Outcome, TmuxTerminal

pytestmark = [pytest.mark.tmux]

PROMPT: Final = {"PS1": "work> ", "PROMPT": "work> "}
# What it prints is the prompt, and then it works.
LOOKS_ALIKE: Final = "printf 'work> '; sleep 1.5; echo"


@pytest.mark.parametrize("evidence", [STAT, TERMIOS, REMOTE])
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("bash", "--norc", "--noprofile"), marks=pytest.mark.needs("bash")),
        pytest.param(("zsh", "-f"), marks=pytest.mark.needs("zsh")),
        pytest.param(
            ("fish", "-C", "function fish_prompt; echo -n 'work> '; end"),
            marks=pytest.mark.needs("fish"),
        ),
    ],
    ids=["bash", "zsh", "fish"],
)
def test_a_prompt_that_is_output(
    either: TmuxTerminal, words: tuple[str, ...], evidence: str
) -> None:
    """It is none before the command has ended; then the shell's own is, and that is no guess."""
    console = Console(either, either.open(words, env=PROMPT))
    with files_may_be_refused(), refusing(evidence):
        assert console.wait_ready().outcome is Outcome.PROMPT
        for _ in range(2):
            console.send(LOOKS_ALIKE)
            found = console.wait_ready()
            assert (found.outcome, found.strategy) == (Outcome.PROMPT, "LineEditorStrategy")
            assert found.elapsed >= 1.0  # what is left of 1.5 s when Enter was noticed
        result = console.run("false; echo me")
        assert (result.output, result.doubt) == ("me\n", "")


@pytest.mark.needs("bash", "dash")
def test_a_shell_that_writes_no_marks(either: TmuxTerminal) -> None:
    """Its prompt is found as before, also within a shell that writes some."""
    words = ("bash", "--norc", "--noprofile")
    console = Console(either, either.open(words, env={"PS1": "work> "}))
    with files_may_be_refused(), refusing(STAT):
        console.wait_ready()
        console.send("exec dash")  # whose prompt is the same
        assert console.wait_ready()
        console.send("echo me")
        found = console.wait_ready()
        assert (found.outcome, found.strategy) == (Outcome.PROMPT, "PromptStrategy")


@pytest.mark.needs("bash")
def test_the_pipe_is_given_back(either: TmuxTerminal) -> None:
    """When the wait has ended, and also when nobody waits for what was sent."""
    pane = either.open(("bash", "--norc", "--noprofile"), env={"PS1": "work> "})
    with files_may_be_refused(), refusing(STAT):
        console = Console(either, pane)
        console.wait_ready()
        console.send("true")
        console.wait_ready()
        either.tap(pane).close()
        console.send("true")
        del console
        either.tap(pane).close()
