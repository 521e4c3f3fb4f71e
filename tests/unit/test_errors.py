"""The tree of errors: one base, a parent from the standard library, messages that survive."""

import pickle
import re

import pytest

from tests.unit.builders import screen
from tmuxprim import (
    CommandError,
    CommandResult,
    Outcome,
    Readiness,
    TmuxCommandError,
    TmuxprimError,
    errors,
)
from tmuxprim.errors import SessionError

ERRORS = [
    error
    for error in vars(errors).values()
    if isinstance(error, type) and issubclass(error, TmuxprimError) and error is not TmuxprimError
]
every_error = pytest.mark.parametrize("error", ERRORS)


def result(
    output: str = "", *, exit_status: int | None = None, outcome: Outcome = Outcome.PROMPT
) -> CommandResult:
    """Return the result of a command."""
    ready = Readiness(
        outcome=outcome,
        strategy="S",
        reason="the reason",
        screen=screen(),
        elapsed=0.1,
    )
    return CommandResult(
        output=output,
        complete=True,
        readiness=ready,
        exit_status=exit_status,
        has_ended=outcome is Outcome.PROMPT,
    )


def example(error: type[TmuxprimError]) -> TmuxprimError:
    """Return one such error."""
    if error is CommandError:
        return CommandError("make", result("no\n", exit_status=2))
    if error is TmuxCommandError:
        return TmuxCommandError(["kill-pane", "-t", "%3"], 1, "can't find pane: %3\n")
    return error("rule, value, what to do")


def test_tree_in_the_docstring_is_the_tree() -> None:
    """The drawing names each error once, with its parent from the standard library."""
    drawn = re.findall(r"[├└]── (\w+) +(?:\((\w+)\))?", errors.__doc__ or "")
    parents = [[base.__name__ for base in error.__bases__[1:]] for error in ERRORS]
    assert sorted(drawn) == sorted(
        (error.__name__, "".join(others)) for error, others in zip(ERRORS, parents, strict=True)
    )


@every_error
def test_base(error: type[TmuxprimError]) -> None:
    """One except clause catches every error."""
    assert error.__bases__[0] in {TmuxprimError, SessionError}


@every_error
def test_public(error: type[TmuxprimError]) -> None:
    """Every error can be caught by its public name."""
    assert error.__name__ in errors.__all__


@every_error
def test_pickle(error: type[TmuxprimError]) -> None:
    """An error from another process arrives as it was."""
    before = example(error)
    after = pickle.loads(pickle.dumps(before))  # noqa: S301  # what was pickled just now
    assert type(after) is error
    assert (str(after), after.args, vars(after)) == (str(before), before.args, vars(before))


@pytest.mark.parametrize("error", sorted({*ERRORS} - {CommandError, TmuxCommandError}, key=str))
def test_message_is_the_whole_text(error: type[TmuxprimError]) -> None:
    """No parent from the standard library adds to the message, as OSError likes to do."""
    assert str(error("rule, value, what to do")) == "rule, value, what to do"


@pytest.mark.parametrize(
    ("ended", "message"),
    [
        (
            result("".join(f"{number}\n" for number in range(12)), exit_status=2),
            "'make' ended with exit status 2; the end of its output:"
            + "".join(f"\n  | {number}" for number in range(2, 12)),
        ),
        (result(), "'make' has ended, and the shell did not report its exit status; it printed no"),
        (
            result(outcome=Outcome.TIMEOUT),
            "'make' has not ended (the reason); resume() waits on; it printed nothing",
        ),
        (result(outcome=Outcome.EXITED), "'make' has not ended (the reason); it printed nothing"),
    ],
)
def test_a_command_that_failed(ended: CommandResult, message: str) -> None:
    """The message has the command, how it ended, and the last rows of its output."""
    error = CommandError("make", ended)
    assert str(error).startswith(message)
    assert (error.command, error.result) == ("make", ended)


def test_command_error_keeps_its_facts() -> None:
    """The command, the exit status and what tmux said can be read one by one."""
    error = TmuxCommandError(["kill-pane", "-t", "%3"], 1, "can't find pane: %3\n")
    assert error.argv == ("kill-pane", "-t", "%3")
    assert error.exit_status == 1
    assert error.stderr == "can't find pane: %3\n"


@pytest.mark.parametrize(
    ("stderr", "said"), [("can't find pane: %3\n", '"can\'t find pane: %3"'), (" \n", "'nothing'")]
)
def test_command_error_says_what_tmux_said(stderr: str, said: str) -> None:
    """The message has the exit status, tmux' own words and the command."""
    error = TmuxCommandError(("kill-pane", "-t", "%3"), 1, stderr)
    assert str(error) == (
        f"tmux exited with 1 and said {said}; the command was 'kill-pane' '-t' '%3'"
    )


def test_command_error_is_brief() -> None:
    """A message holds no kilobytes of what was to be typed; the error itself does."""
    error = TmuxCommandError(("send-keys", "-l", "x" * 9_000), 1, "no space")
    told = "tmux exited with 1 and said 'no space'; the command was 'send-keys' '-l' 'xxx"
    assert str(error).startswith(told)
    assert str(error).endswith("xxx ...")
    assert len(str(error)) < 400
    assert error.argv[-1] == "x" * 9_000
