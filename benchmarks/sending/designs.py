"""The designs that are compared: each types a text, presses keys, and submits a line.

None of them is hindered or helped: ours goes through its public interface, libtmux through
``Pane.send_keys``, and the raw ones are what one writes with `subprocess` in a few lines. Each
calls tmux as often as it needs to.
"""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.util import find_spec
from typing import ClassVar

from typing_extensions import override

from tests.tmux_server import Server
from tmuxprim import Console, KeySequence, Pane, TmuxprimError

# A chunk of so many bytes fits into one call of the tmux client, with the other words.
_CHUNK = 16_000
_BUFFER = "bench-send"


class NoWayError(Exception):
    """Raised by a design that has no way to do this at all."""


class Design(ABC):
    """One way to send something to a pane.

    Args:
        server: The tmux server.
        pane: The pane's id on it.
    """

    name: ClassVar[str]
    how: ClassVar[str]
    """What it calls."""
    needs: ClassVar[str] = ""
    """The package without which it is left out."""
    refusals: tuple[type[Exception], ...] = (subprocess.CalledProcessError, OSError)
    """What it raises when it, or tmux, refuses."""

    def __init__(self, server: Server, pane: Pane) -> None:
        self._socket = str(server.socket)
        self._pane = pane.target

    @abstractmethod
    def type(self, text: str) -> None:
        """Type a text, and no Enter."""

    def press(self, keys: Sequence[str]) -> None:
        """Press keys, by name."""
        raise NoWayError(f"{self.name} cannot press {keys}")

    def submit(self, line: str) -> None:
        """Type a line and press Enter."""
        raise NoWayError(f"{self.name} cannot submit {line}")

    @classmethod
    def is_missing(cls) -> bool:
        """Whether what it needs is not installed."""
        return bool(cls.needs) and find_spec(cls.needs) is None

    def _tmux(self, *words: str | bytes, stdin: bytes | None = None) -> None:
        argv = ("tmux", "-u", "-S", self._socket, *words)
        # No timeout: with one, Python looks every other millisecond whether the client has
        # ended, which those who write this would not pay for.
        subprocess.run(argv, input=stdin, capture_output=True, check=True)


class Ours(Design):
    """tmuxprim, as it comes."""

    name = "tmuxprim"
    how = "TmuxTerminal.send; a line: Console.send"
    refusals = (TmuxprimError,)

    @override
    def __init__(self, server: Server, pane: Pane) -> None:
        super().__init__(server, pane)
        self._terminal = server.terminal
        self._id = pane
        self._console = Console(server.terminal, pane)

    @override
    def type(self, text: str) -> None:
        self._terminal.send(self._id, KeySequence.text(text))

    @override
    def press(self, keys: Sequence[str]) -> None:
        self._terminal.send(self._id, KeySequence.keys(*keys))

    @override
    def submit(self, line: str) -> None:
        self._console.send(line)


class Libtmux(Design):
    """libtmux with its defaults, under which a text may be a key."""

    name = "libtmux"
    how = "Pane.send_keys(TEXT), once for each key"
    needs = "libtmux"
    is_literal = False

    @override
    def __init__(self, server: Server, pane: Pane) -> None:
        import libtmux  # noqa: PLC0415  # a peer may be missing

        super().__init__(server, pane)
        found = libtmux.Server(socket_path=self._socket).panes.get(pane_id=pane.target)
        assert found is not None
        self._peer = found
        self.refusals = (libtmux.exc.LibTmuxException, OSError)

    @override
    def type(self, text: str) -> None:
        self._peer.send_keys(text, enter=False, literal=self.is_literal)

    @override
    def press(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._peer.send_keys(key, enter=False)

    @override
    def submit(self, line: str) -> None:
        self._peer.send_keys(line, enter=True, literal=self.is_literal)


class LiteralLibtmux(Libtmux):
    """libtmux, told that a text is a text."""

    name = "libtmux literal"
    how = "Pane.send_keys(TEXT, literal=True); keys as libtmux"
    is_literal = True


class NaiveSendKeys(Design):
    """The first thing that comes to mind: text and keys as arguments, all in one call."""

    name = "send-keys"
    how = "tmux send-keys TEXT; a line: tmux send-keys TEXT Enter"

    @override
    def type(self, text: str) -> None:
        self._tmux("send-keys", "-t", self._pane, text)

    @override
    def press(self, keys: Sequence[str]) -> None:
        self._tmux("send-keys", "-t", self._pane, *keys)

    @override
    def submit(self, line: str) -> None:
        self._tmux("send-keys", "-t", self._pane, line, "Enter")


class LiteralSendKeys(Design):
    """What the manual says about literal text, and a second call for keys."""

    name = "send-keys -l"
    how = "tmux send-keys -l -- TEXT; a line: tmux send-keys -- Enter after it"

    @override
    def type(self, text: str) -> None:
        self._tmux("send-keys", "-t", self._pane, "-l", "--", text)

    @override
    def press(self, keys: Sequence[str]) -> None:
        self._tmux("send-keys", "-t", self._pane, "--", *keys)

    @override
    def submit(self, line: str) -> None:
        self.type(line)
        self.press(["Enter"])


class ChunkedSendKeys(LiteralSendKeys):
    """The same by someone who has met the limit of a call's length."""

    name = "chunked -l"
    how = f"tmux send-keys -l -- CHUNK, for each {_CHUNK:,} bytes"

    @override
    def type(self, text: str) -> None:
        data = text.encode()
        for start in range(0, len(data), _CHUNK):
            chunk = data[start : start + _CHUNK]
            self._tmux("send-keys", "-t", self._pane, "-l", "--", chunk)


class LoadAndPaste(Design):
    """A paste buffer, which has no limit and knows no keys."""

    name = "load + paste"
    how = "tmux load-buffer -b NAME -; tmux paste-buffer -d -r -b NAME"

    @override
    def type(self, text: str) -> None:
        self._tmux("load-buffer", "-b", _BUFFER, "-", stdin=text.encode())
        self._tmux("paste-buffer", "-d", "-r", "-b", _BUFFER, "-t", self._pane)


DESIGNS: tuple[type[Design], ...] = (
    *(Ours, LiteralLibtmux, Libtmux),
    *(NaiveSendKeys, LiteralSendKeys, ChunkedSendKeys, LoadAndPaste),
)
