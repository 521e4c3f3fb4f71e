"""`Look`: everything that a strategy may know when it judges."""

import attrs

from tmuxprim._mark import Mark
from tmuxprim._screen import Screen
from tmuxprim._tty import RELAYS, TtyState


@attrs.frozen(kw_only=True)
class Look:
    """One look at a pane during a wait.

    Args:
        screen: What the pane shows.
        tty: What the kernel knows, or None without kernel evidence.
        mark: What was there before the last send, or None if nothing was sent.
        elapsed: Seconds since the wait began.
        unchanged_for: Seconds for which neither the screen nor who reads has changed, as far as
            was seen.
        reading_for: Seconds for which each look found that a program only waited for keys.
        steady: Whether the kernel's evidence was the same before and after the screen was
            read, so that both belong together.
        confirmed: Whether tmux had caught up with the program, or the look right before this one
            found the same.
        standing: The screen of the mark without the rows that an earlier look of this wait has seen
            to be gone: drawn again, they are new. None if nothing of it is known to be there.
        respawned: Whether another program was started in the pane while its program was waited for.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("$",), cursor=Cursor(0, 2))
        >>> print(PromptStrategy().assess(Look(screen=screen, unchanged_for=0.2)))
        pass: prompt '$' at the cursor, not settled yet
    """

    screen: Screen
    tty: TtyState | None = None
    mark: Mark | None = None
    elapsed: float = 0.0
    unchanged_for: float = 0.0
    reading_for: float = 0.0
    steady: bool = True
    confirmed: bool = True
    standing: Screen | None = attrs.field()
    respawned: bool = False

    @standing.default
    def _stands_as_marked(self) -> Screen | None:
        return self.mark.screen if self.mark else None

    @property
    def changed(self) -> bool:
        """Whether the screen is another than at the mark."""
        return self.mark is None or not same_picture(self.screen, self.mark.screen)

    @property
    def is_relayed(self) -> bool:
        """Whether the program only passes on what another one shows, perhaps from far away."""
        tty = self.tty
        if tty is None or not tty.is_raw:
            return False
        if tty.relays is None:
            return not tty.signals  # it passes C-c on, too
        return tty.relays or self.screen.command in RELAYS

    @property
    def missing_evidence(self) -> str:
        """What the kernel did not tell, in plain words; empty if it told all it can."""
        if self.tty is None:
            return "without kernel evidence"
        return "" if self.tty.reading is not None else "without knowing who reads"

    @property
    def consumed(self) -> bool:
        """Whether there is a sign that the program took what was sent at the mark.

        Either it changed the screen or the line discipline, or another process reads now, or
        the reader has run since and sleeps again.
        """
        if self.changed or self.mark is None or self.tty is None or self.mark.tty is None:
            return self.changed
        now, then = without_idle_wakeups(self.tty), without_idle_wakeups(self.mark.tty)
        return attrs.evolve(now, unread=None) != attrs.evolve(then, unread=None)  # bytes that wait


def without_idle_wakeups(tty: TtyState) -> TtyState:
    """Return the evidence without the wake-ups of a program that waits for other things as well.

    It may have woken for those, or be a relay, as ssh is, that only passes keys on.
    """
    return tty if tty.only_reading else attrs.evolve(tty, wakeups=None)


def same_picture(one: Screen, other: Screen) -> bool:
    """Whether two screens show the same; a title may spin and a name may flip meanwhile."""
    return (
        one.rows == other.rows
        and one.cursor == other.cursor
        and one.history_size == other.history_size
        and one.alternate == other.alternate
        and one.dead == other.dead
    )
