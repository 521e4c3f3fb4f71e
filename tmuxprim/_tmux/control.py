"""The protocol of a tmux client in control mode, without any I/O (CONTROL MODE, tmux(1)).

tmux answers a line of commands with one block for each command that it carries out. How many these
are depends on the server: on the branch that ``if-shell`` takes, on the command that fails, on the
user's aliases. So blocks are not counted. Each call is followed by a line of its own, its *mark*,
and its answer is all that comes before the answer to that.

A block's text is raw, so it may hold lines that look like the end of a block; it ends only at the
line with the same numbers as its beginning. Everything outside of blocks is a notification, which
is not used here.
"""

import secrets
from collections import deque
from collections.abc import Callable
from typing import Final

from tmuxprim._tmux.answers import to_error
from tmuxprim._tmux.commands import TmuxCall

# How the numbers of a block end that answers this client's input. Those of attach and of hooks end
# otherwise.
_OURS: Final = b" 1"


class ConnectionClosedError(Exception):
    """The connection is closed; no more answers will come.

    Args:
        reason: Why it is closed.
        was_sent: Whether tmux may have received the commands.
    """

    def __init__(self, reason: str, *, was_sent: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.was_sent = was_sent


class Pending:
    """A call that waits for its answer, and the part of the answer that has come so far.

    Attributes:
        line: The text that is written for it: the line of the call, and the line of its mark.
        mark: The word that tmux repeats when it is done with the call.
        is_done: Whether it is over, which *on_done* reports.
    """

    def __init__(
        self, call: TmuxCall, mark: str, on_done: Callable[[], None] | None = None
    ) -> None:
        self.call = call
        self.mark = mark.encode()
        self.line = f"{call.line}\n{mark}\n".encode()
        self.is_done = False
        self._on_done = on_done
        self._printed: list[bytes] = []
        self._refusals: list[bytes] = []
        self._ended: str | None = None

    def take(self, text: bytes, *, is_refusal: bool) -> None:
        """Add one block."""
        (self._refusals if is_refusal else self._printed).append(text)

    def finish(self) -> None:
        """Note that the answer is whole."""
        self.is_done = True
        if self._on_done is not None:
            self._on_done()

    def end(self, reason: str) -> None:
        """Note that the connection is closed: no more blocks will come."""
        self._ended = reason
        self.finish()

    def result(self) -> str:
        """Return what tmux printed.

        Raises:
            ConnectionClosedError: If the connection was closed before the answer.
            TmuxprimError: If tmux refused.
        """
        if self._ended is not None:
            raise ConnectionClosedError(self._ended, was_sent=True)
        if self._refusals:
            argv = ("tmux", *(word for words in self.call.redacted for word in words))
            raise to_error(argv, 1, b"".join(self._refusals).decode(errors="replace"))
        return b"".join(self._printed).decode(errors="replace")


class Stream:
    """A parser of the client's output, which gives each pending call its answer.

    Attributes:
        greeting: The answer to the attaching itself, which comes before all others.
        ended: Why the connection is closed; None while it is open.
        answers: How many blocks have come that answer this client's input.
    """

    def __init__(self) -> None:
        # tmux refuses a command that it does not know by repeating its name. No hook, format, alias
        # or log of the server's has to do with that, and no program in a pane can guess the name.
        self._name = f"tmuxprim-{secrets.token_hex(8)}-"
        self._asked = 0
        self.greeting = Pending(TmuxCall((("attach-session",),)), self._name)
        self.ended: str | None = None
        self.answers = 0
        self._waiting: deque[Pending] = deque()
        self._buffer = bytearray()
        self._place = 0  # up to where the buffer is done with
        self._searched = 0  # up to where it holds no end of the block
        self._block: bytes | None = None

    def ask(self, call: TmuxCall, on_done: Callable[[], None] | None = None) -> Pending:
        """Return a pending call, whose line has to be written next.

        Raises:
            ConnectionClosedError: If the connection is closed.
        """
        if self.ended is not None:
            raise ConnectionClosedError(self.ended, was_sent=False)
        self._asked += 1
        pending = Pending(call, f"{self._name}{self._asked}", on_done)
        self._waiting.append(pending)
        return pending

    @property
    def is_answering(self) -> bool:
        """Whether an answer has come in part."""
        return self._block is not None and self._block.endswith(_OURS)

    def feed(self, data: bytes) -> None:
        """Parse some output."""
        self._buffer += data
        while self._take_block() if self._block is not None else self._take_line():
            pass
        del self._buffer[: self._place]
        self._searched -= self._place
        self._place = 0

    def end(self, reason: str) -> None:
        """Note that the connection is closed, and end all pending calls."""
        if self.ended is None:
            self.ended = reason
        while self._waiting:
            self._waiting.popleft().end(self.ended)
        if not self.greeting.is_done:
            self.greeting.end(self.ended)

    def _take_line(self) -> bool:
        """Parse one line outside of blocks, if there is a whole one."""
        end = self._buffer.find(b"\n", self._place)
        if end < 0:
            return False
        line = bytes(self._buffer[self._place : end])
        self._place = end + 1
        if line.startswith(b"%begin "):
            self._block = line.removeprefix(b"%begin")
            # From here on the search also finds the line break before a block's end.
            self._place = self._searched = end
        elif line.startswith(b"%exit"):
            self.end(line.removeprefix(b"%exit").strip().decode(errors="replace") or "detached")
        return True

    def _take_block(self) -> bool:
        """Parse the block that has begun, if it is whole."""
        for word in (b"\n%end", b"\n%error"):
            marker = word + (self._block or b"") + b"\n"
            end = self._buffer.find(marker, self._searched)
            if end >= 0:
                text = bytes(self._buffer[self._place + 1 : end + 1])
                is_ours = (self._block or b"").endswith(_OURS)
                self._place, self._block = end + len(marker), None
                self._hand_over(text, is_ours=is_ours, is_refusal=word == b"\n%error")
                return True
        longest = len(b"\n%error") + len(self._block or b"")
        self._searched = max(self._searched, len(self._buffer) - longest)
        return False

    def _hand_over(self, text: bytes, *, is_ours: bool, is_refusal: bool) -> None:
        self.answers += is_ours
        if not is_ours:
            if not self.greeting.is_done:
                self.greeting.take(text, is_refusal=is_refusal)
                self.greeting.finish()
        elif not self._waiting:
            self.end("tmux answered more than it was asked")
        elif not (is_refusal and self._name.encode() in text):
            self._waiting[0].take(text, is_refusal=is_refusal)
        elif text.rstrip().endswith(self._waiting[0].mark):
            self._waiting.popleft().finish()
        else:
            self.end("tmux answered another question than the one it was asked")
