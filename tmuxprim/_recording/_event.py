"""`Event`: one call of a terminal's method, with its arguments, its answer and its time."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import attrs

from tmuxprim._errors import InvalidRecordingError, TmuxprimError
from tmuxprim._recording._values import Answer, Fields, Json

T = TypeVar("T")

# What changes something. All other calls only look.
ACTIONS: Final = ("open", "send", "resize", "close")


@attrs.frozen
class Event:
    """One call of a terminal's method.

    Args:
        at: When the call ended, in seconds since the recording began.
        call: The method's name. ``wait`` is that of a bell.
        args: The arguments; see `arguments`.
        answer: What it returned, or the error that it raised.
    """

    at: float
    call: str
    args: Fields
    answer: Answer = None

    @property
    def pane(self) -> str:
        """The pane's name; empty if the call is not about one pane."""
        return str(self.args.get("pane", ""))

    @property
    def is_action(self) -> bool:
        """Whether the call changes something."""
        return self.call in ACTIONS

    def result(self, kind: type[T]) -> T:
        """Return the answer, or raise the error.

        Raises:
            InvalidRecordingError: If the answer is of another kind.
        """
        if isinstance(self.answer, TmuxprimError):
            raise type(self.answer)(*self.answer.args)  # a new one, without an old traceback
        if not isinstance(self.answer, kind):
            raise InvalidRecordingError(
                f"{self.call} answers with a {kind.__name__}, got {self.answer!r} from the "
                "recording; record it again"
            )
        return self.answer

    def __str__(self) -> str:
        words = (f"{name}={value}" for name, value in self.args.items() if value)
        return f"{self.call}({', '.join(words)})"


def attempt(call: Callable[[], T]) -> T | TmuxprimError:
    """Return what *call* returns, or the error that it raises."""
    try:
        return call()
    except TmuxprimError as error:
        return error


def unwrap(answer: T | TmuxprimError) -> T:
    """Return an answer, or raise it if it is an error."""
    if isinstance(answer, TmuxprimError):
        raise answer
    return answer


def arguments(**values: object) -> Fields:
    """Return arguments as JSON: of an environment only the names, since values may be secrets."""
    return {name: _to_plain(value) for name, value in values.items()}


def _to_plain(value: object) -> Json:
    match value:
        case None | str() | int():
            return value
        case Mapping():
            return sorted(value)
        case Sequence():
            return [*value]
    return str(value)
