"""`Check`: one thing that `doctor` has looked at."""

import enum
from collections.abc import Iterable

import attrs


class State(enum.Enum):
    """Is how well a thing is."""

    OK = "ok"
    """As it should be."""
    NOTE = "note"
    """It works with less; or something to know."""
    BAD = "bad"
    """Nothing works without it."""


@attrs.frozen
class Check:
    """Is one thing that was looked at.

    Args:
        name: What it is.
        state: How well it is.
        found: What was seen.
        advice: What to do about it.
    """

    name: str
    state: State
    found: str
    advice: str = ""

    @property
    def facts(self) -> dict[str, str]:
        """The check, for programs."""
        return {
            "name": self.name,
            "state": self.state.value,
            "found": self.found,
            "advice": self.advice,
        }


def describe(checks: Iterable[Check]) -> str:
    """Return checks for a person: each in a line, with what to do about it in another."""
    lines = []
    for check in checks:
        lines.append(f"{check.state.value:4}  {check.name:15} {check.found}")
        if check.advice:
            lines.append(f"{'':21} -> {check.advice}")
    return "".join(f"{line}\n" for line in lines)
