"""`Call`: one command line for a tmux server, whoever carries it there."""

from functools import cached_property
from typing import Any

import attrs

from tmuxprim._pane import Pane
from tmuxprim._tmux._command import Words, body, discreet


@attrs.frozen(slots=False)
class Call:
    """Commands that the server carries out in one turn.

    Args:
        commands: The commands; after one that fails the rest is not done.
        stdin: What the client is given to read.
        is_repeatable: Whether doing it twice is the same as doing it once, so that it may be
            tried again when nobody knows whether it was done.
        ends: The pane that it ends, and with it perhaps the session that a connection sits in.
        head: A call whose commands are the first of these. What is asked again and again is quoted
            once, which takes as long as tmux takes to answer.
        nested: How many commands these put behind themselves, as if-shell does.
        client_id: Of a call that opens a pane, and starts the server if need be: the value that
            only its client has in its environment, as `STARTED_BY`.
    """

    commands: tuple[Words, ...]
    stdin: bytes = b""
    is_repeatable: bool = True
    ends: Pane | None = None
    head: "Call | None" = None
    nested: int = 0
    client_id: str | None = None

    def perform(self, transport: Any) -> object:  # noqa: ANN401  # sync or async
        """Let *transport* carry it out; return what tmux printed, or what gives it."""
        return transport.run(self)

    @property
    def opens(self) -> bool:
        """Whether it opens a pane, and starts the server if need be."""
        return self.client_id is not None

    @cached_property
    def line(self) -> str:
        """The commands as tmux's own parser reads them; they are quoted once."""
        if self.head is None:
            return body(self.commands)
        own = self.commands[len(self.head.commands) :]
        return f"{self.head.line} ; {body(own)}" if own else self.head.line

    @property
    def told(self) -> tuple[Words, ...]:
        """The commands as an error may repeat them."""
        return tuple(map(discreet, self.commands))

    @property
    def blocks(self) -> int:
        """How many blocks control mode answers with, one for each command, if none fails."""
        return len(self.commands) + self.nested


def call(*commands: Words, stdin: bytes = b"", nested: int = 0) -> Call:
    """Return a call that may be repeated."""
    return Call(commands, stdin, nested=nested)


def action(*commands: Words, head: Call | None = None, nested: int = 0) -> Call:
    """Return a call that must not be done twice; it may begin with another one."""
    before = () if head is None else head.commands
    return Call((*before, *commands), is_repeatable=False, head=head, nested=nested)
