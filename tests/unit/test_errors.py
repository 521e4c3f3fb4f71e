"""The tree of errors: one base, a parent from the standard library, messages that survive."""

import pickle
import re

import pytest

from tmuxprim import TmuxCommandError, TmuxprimError, errors
from tmuxprim.errors import SessionError

ERRORS = [
    error
    for error in vars(errors).values()
    if isinstance(error, type) and issubclass(error, TmuxprimError) and error is not TmuxprimError
]
every_error = pytest.mark.parametrize("error", ERRORS)


def example(error: type[TmuxprimError]) -> TmuxprimError:
    """Return one such error."""
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


@pytest.mark.parametrize("error", [error for error in ERRORS if error is not TmuxCommandError])
def test_message_is_the_whole_text(error: type[TmuxprimError]) -> None:
    """No parent from the standard library adds to the message, as OSError likes to do."""
    assert str(error("rule, value, what to do")) == "rule, value, what to do"


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
