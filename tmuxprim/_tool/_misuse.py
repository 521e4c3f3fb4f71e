"""`MisuseError`: a call that makes no sense, told with what was given, and without."""

from typing import Final, Self

UNSHOWN: Final = "(not shown: it may be a secret)"


class MisuseError(Exception):
    """A call that nobody can carry out; the message tells a model what is valid.

    Args:
        message: The rule, what was given, what to do.
        discreet: The same without what was given, for when that may be a secret.
    """

    def __init__(self, message: str, discreet: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.discreet = discreet or message

    @classmethod
    def of(cls, rule: str, given: str, advice: str = "") -> Self:
        """Return the error for what was given, which is quoted between a rule and advice."""
        return cls(f"{rule} {given}{advice}", f"{rule} {UNSHOWN}{advice}")
