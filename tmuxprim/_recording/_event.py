"""`Event`: one call of a terminal's method, and how it ended."""

from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

import attrs

from tmuxprim._errors import InvalidRecordingError, TmuxprimError
from tmuxprim._pane import Pane
from tmuxprim._recording._values import Fields, keys_from_json, size_from_json
from tmuxprim._screen import Screen
from tmuxprim._tty import TtyState

Answer: TypeAlias = Screen | TtyState | Pane | tuple[Pane, ...] | TmuxprimError | None
# A call and the pane's name.
Question: TypeAlias = tuple[str, str]
T = TypeVar("T")

# What has an effect; it is done in the same order in each run. All else only looks.
ACTIONS: Final = ("open", "send", "resize", "close")
# Of these, whoever looks next sees the effect; what is sent, a program has to read first.
AT_ONCE: Final = ("open", "resize", "close")


@attrs.frozen
class Event:
    """Is one call.

    Args:
        at: Seconds since the recording began: when an action had ended, or a look began.
        call: The method's name.
        args: What it was given, as JSON.
        answer: What it returned or, as a value, too, raised.
        old_until: Up to when it was known to be otherwise, if anybody had looked.
    """

    at: float
    call: str
    args: Fields
    answer: Answer = None
    old_until: float | None = None

    @property
    def target(self) -> str:
        """The pane's name; empty for all panes."""
        return str(self.args.get("pane", ""))

    @property
    def question(self) -> Question:
        """What was asked, of which pane."""
        return self.call, self.target

    @property
    def is_action(self) -> bool:
        """Whether it has an effect."""
        return self.call in ACTIONS

    def __str__(self) -> str:
        told = {**self.args}
        if "keys" in told:
            told["keys"] = keys_from_json(told["keys"])
        if "size" in told:
            told["size"] = size_from_json(told["size"])
        words = (f"{name}={told[name]}" for name in told if told[name] not in (None, [], False))
        return f"{self.call}({', '.join(words)})"


def attempt(call: Callable[[], T]) -> T | TmuxprimError:
    """Return what *call* returns, or the error that it raises."""
    try:
        return call()
    except TmuxprimError as error:
        return error


def unwrap(answer: T | TmuxprimError) -> T:
    """Return an answer; raise it if it is an error."""
    if isinstance(answer, TmuxprimError):
        raise answer
    return answer


def require(answer: Answer, kind: type[T]) -> T:
    """Return a recorded answer of one kind; raise it, as if anew, if it is an error.

    Raises:
        InvalidRecordingError: If it is of another kind.
    """
    if isinstance(answer, TmuxprimError):
        raise type(answer)(*answer.args)
    if not isinstance(answer, kind):
        raise InvalidRecordingError(
            f"a recorded call has a {kind.__name__} for its answer, got {answer!r}; record it again"
        )
    return answer
