"""Counters: what a kernel tells of everybody's processes, another user's as well."""

from tmuxprim._tmux.waiting import Device, Thread, Waiting
from tmuxprim._tmux.wchan import is_working
from tmuxprim._values.evidence import Level


class States:
    """Tells by ``stat``: who runs reads nothing, and of who sleeps no more is known."""

    level: Level = "counters"

    def describe(self, thread: Thread, device: Device) -> Waiting:
        """Return that a thread works, or that nobody knows."""
        del device  # who sleeps may wait for it, or not
        try:
            return Waiting.ELSEWHERE if is_working(thread) else Waiting.UNKNOWN
        except OSError:
            return Waiting.UNKNOWN
