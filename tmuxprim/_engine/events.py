"""`Event`: one thing that a console has done, for a listener and for Python's log."""

import enum
from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, TypeAlias

import attrs

from tmuxprim._engine.log import is_heard, without_texts, write
from tmuxprim._engine.plan import Plan
from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim._values.evidence import Level
from tmuxprim._values.pane import Pane
from tmuxprim._values.receipt import Receipt
from tmuxprim._values.short_repr import cut_repr

if TYPE_CHECKING:
    from tmuxprim._values.tty_state import TtyState


class EventKind(enum.Enum):
    """The kind of an event.

    Examples:
        >>> [kind.value for kind in EventKind]
        ['sent', 'receipt', 'wait begun', 'wait ended']
    """

    SENT = "sent"
    """A text or keys were typed, all of them."""
    RECEIPT = "receipt"
    """The receipt of a submitted text is known."""
    WAIT_BEGUN = "wait begun"
    WAIT_ENDED = "wait ended"


@attrs.frozen(kw_only=True)
class Event:
    r"""One thing that a console has done. It holds no text of the screen, and no typed text.

    Args:
        kind: The kind of the event.
        pane: The pane.
        seconds: How long the wait took.
        outcome: How the wait ended; None unless a wait has ended.
        strategy: Name of the strategy that decided.
        reason: The reason, in plain words, without texts of the screen.
        level: The kind of the kernel's evidence (`TtyState.level`); None without any.
        receipt: The receipt of a submitted text; None for other kinds of events.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(2.0, "built")})})
        >>> events = []
        >>> console = Console(terminal, terminal.open("sh"), on_event=events.append)
        >>> _ = console.run("make")
        >>> print(*events[-3:], sep="\n")
        %0: sent
        %0: wait begun
        %0: prompt after 2.00... s by PromptStrategy: prompt '...' at the cursor
    """

    kind: EventKind
    pane: Pane
    seconds: float = 0.0
    outcome: Outcome | None = None
    strategy: str = ""
    reason: str = attrs.field(default="", repr=cut_repr)
    level: Level | None = None
    receipt: Receipt | None = None

    def __str__(self) -> str:
        if self.outcome is not None:
            end = f"{self.outcome.value} after {self.seconds:.3f} s by {self.strategy}"
            return f"{self.pane}: {end}: {self.reason}"
        receipt = f": {self.receipt.value}" if self.receipt else ""
        return f"{self.pane}: {self.kind.value}{receipt}"


Listener: TypeAlias = Callable[[Event], object]


def check_listener(listener: object) -> None:
    """Refuse a listener that cannot be called, or would have to be awaited.

    Raises:
        TypeError: If it is one of those.
    """
    if listener is not None and (not callable(listener) or iscoroutinefunction(listener)):
        raise TypeError(
            "on_event is a function that is called with an Event and returns at once, got "
            f"{listener!r}"
        )


def report(
    listener: Listener | None,
    kind: EventKind,
    pane: Pane,
    *,
    tty: "TtyState | None" = None,
    receipt: Receipt | None = None,
    ended: Readiness | None = None,
) -> None:
    """Write an event to the log, and call a listener with it.

    An exception of the listener goes to the log. It must not reach the caller, who would not learn
    that the keys were sent, or how the wait ended.
    """
    if listener is None and not is_heard():
        return
    event = Event(kind=kind, pane=pane, level=tty.level if tty else None, receipt=receipt)
    if ended is not None:
        event = attrs.evolve(
            event,
            outcome=ended.outcome,
            strategy=ended.strategy,
            reason=without_texts(ended.reason),
            seconds=ended.elapsed,
        )
    write(str(event))
    if listener is None:
        return
    try:
        listener(event)
    except Exception:
        import logging  # noqa: PLC0415  # takes a while, and few listeners raise

        logging.getLogger("tmuxprim").exception("on_event has raised; its event was %s", event)


def reported(wait: Plan[Readiness], pane: Pane, listener: Listener | None) -> Plan[Readiness]:
    """Carry out a wait, and report that it begins and ends; one that raises has no end."""
    report(listener, EventKind.WAIT_BEGUN, pane)
    readiness = yield from wait
    report(listener, EventKind.WAIT_ENDED, pane, tty=readiness.tty, ended=readiness)
    return readiness
