"""Receipts: how to tell whether tmux did what it never answered to.

A client in control mode ends with the session that it sits in, whatever was on its way. So the
calls of a connection that must not be done twice are numbered, and each begins by leaving its
number in a variable on the server, in the same turn. The variable is hidden: no program gets it.
"""

import os
from typing import Final

from tmuxprim._tmux._call import Call, call
from tmuxprim._tmux._command import Words

_BYTES: Final = 8


class Receipts:
    """Numbers the calls of one connection, in the order in which they are written."""

    def __init__(self) -> None:
        self._variable = f"TMUXPRIM_{os.urandom(_BYTES).hex()}"
        self._last = 0

    def next(self) -> tuple[int, Words]:
        """Return the next number, and the command that leaves it."""
        self._last += 1
        return self._last, ("set-environment", "-gh", self._variable, str(self._last))

    @property
    def question(self) -> Call:
        """What the server is asked once the connection is over; refused if it holds nothing."""
        return call(("show-environment", "-gh", self._variable))

    def is_done(self, number: int, answer: str) -> bool:
        """Whether the call of that number was begun, by the answer to the question."""
        return int(answer.partition("=")[2]) >= number

    @property
    def removal(self) -> Words | None:
        """The command that takes the variable away; None if there is none."""
        return ("set-environment", "-gu", self._variable) if self._last else None
