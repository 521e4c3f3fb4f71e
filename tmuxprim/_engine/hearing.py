"""What a program says of itself while a wait runs: its raw output, as far as it is needed."""

from typing import TYPE_CHECKING

import attrs

from tmuxprim._engine.plan import Plan, hear, tap
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim._values.signals import SignalReader, Signals
from tmuxprim.errors import PaneBusyError, PaneDeadError, TapUnavailableError

if TYPE_CHECKING:
    from tmuxprim._terminal import Tap


@attrs.define(eq=False)
class Hearing:
    """Hears the program of a pane, by the pane's one pipe; it has to be closed."""

    tap: "Tap | None" = None
    """What gives its raw output; None if nobody wants it, or it is not to be had."""
    unavailable: str = ""
    """Why it is not to be had."""
    reader: SignalReader = attrs.field(factory=SignalReader)
    program: object = None
    """Who had the terminal at the last snapshot."""

    def begin(self, pane: Pane) -> Plan[None]:
        """Take the pane's pipe, if it is to be had, unless that was done before the last send."""
        if self.tap is not None:
            return
        try:
            self.tap = yield from tap(pane)
        except (PaneBusyError, PaneDeadError, TapUnavailableError) as error:
            self.unavailable = str(error)

    def signals(self, screen: Screen, tty: TtyState | None) -> Plan[Signals]:
        """Return what was said so far by the program that has the terminal."""
        if self.tap is None:
            return Signals(unavailable=self.unavailable)
        signals = self.reader.feed("")
        while text := (yield from hear(self.tap)):
            signals = self.reader.feed(text)
        program = screen.command if tty is None else tty.foreground_pid
        if self.program not in (None, program):
            signals = self.reader.forget()  # which of both has said it, nobody can tell
        self.program = program
        return signals

    def close(self) -> None:
        """Give the pipe back. Twice is no error."""
        tap, self.tap = self.tap, None
        if tap is not None:
            tap.close()

    # A console may be thrown away between a send and the wait for what comes of it.
    __del__ = close
