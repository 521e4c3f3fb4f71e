"""`Faults`: what can go wrong with a terminal, on demand."""

from tmuxprim._fake._requests import check_duration
from tmuxprim._fake._server import FakeServer
from tmuxprim._keys import Key
from tmuxprim._pane import Pane

_SIGKILL = 9


class Faults:
    """What can go wrong with a `FakeTerminal`, as with a real one; its ``faults``.

    Examples:
        >>> terminal = FakeTerminal(timeout=5.0)
        >>> pane = terminal.open()
        >>> terminal.faults.hang(8.0)
        >>> terminal.observe(pane)
        Traceback (most recent call last):
        ...
        tmuxprim.TmuxTimeoutError: tmux did not answer within 5 s; ...
        >>> terminal.observe(pane).last_line  # after the 3 s that are left
        '$'
        >>> terminal.faults.swallow(pane, "Enter")
        >>> _ = Console(terminal, pane).send("make")
        >>> terminal.clock.sleep(60.0)
        >>> terminal.observe(pane).last_line
        '$ make'
        >>> terminal.faults.kill(pane)
        >>> terminal.panes()
        ()
    """

    def __init__(self, server: FakeServer) -> None:
        self._server = server

    def kill(self, pane: Pane, signal: int = _SIGKILL) -> None:
        """Let the pane's program die by a signal.

        The pane goes with it, and the server with its last pane; with ``remain_on_exit`` it
        stays, dead.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        self._server.get(pane).tty.hang_up(signal)

    def stop_server(self) -> None:
        """End the server with all its panes; the next ``open`` starts another, with the old ids."""
        self._server.stop()

    def hang(self, seconds: float) -> None:
        """Let the server answer nothing for a while, as if it were stopped.

        A call waits for its answer, but no longer than the terminal's ``timeout``: then it raises
        `TmuxTimeoutError`, and what it asked for is done when the server wakes up, as over control
        mode.

        Raises:
            ValueError: If that is less than no time.
        """
        check_duration(seconds)
        self._server.wakes_at = self._server.clock.now() + seconds

    def swallow(self, pane: Pane, key: str, times: int = 1) -> None:
        """Let the next presses of a key be lost on their way to the program.

        They are recorded as sent all the same: tmux knows nothing of it.

        Raises:
            InvalidKeyError: If there is no such key.
            ValueError: If it is to be lost less than once.
        """
        if times < 1:
            raise ValueError(f"a key is swallowed at least once, got {times} times")
        self._server.get(pane).swallowed += [Key(key)] * times

    def output_in_pieces(self, pane: Pane, size: int = 1, delay: float = 0.01) -> None:
        """Let what the pane's program writes from now on come in pieces.

        The program does nothing else until all is written.

        Args:
            pane: Which pane.
            size: Characters of a piece.
            delay: Seconds before each piece.

        Raises:
            ValueError: If a piece has no character, or its delay is less than no time.
        """
        check_duration(delay)
        if size < 1:
            raise ValueError(f"a piece of output has at least 1 character, got {size}")
        self._server.get(pane).tty.output.in_pieces(size, delay)
