r"""`Signals`: reports of a program about itself in its raw output, most of them invisible.

    OSC 0, OSC 2      its title
    OSC 7501          its status, such as ``state=working:app=codex``
    OSC 9;4           its progress: a state from 0 to 4, and per cent
    CSI ? 2004 h, l   bracketed paste: many line editors switch it on while they take input
    BEL               a bell, outside of a sequence

The grammar is that of `tmuxprim._values.ansi`: ESC always restarts, so that sequences which a
program passes through tmux (``DCS tmux;``, each ESC doubled) are read as well. OSC ends with BEL
or ESC.
"""

import re
from typing import Final, final

import attrs

from tmuxprim._values.ansi import ESC, INTERRUPTIONS, AnsiStripper, to_7bit
from tmuxprim._values.short_repr import cut_repr

_I: Final = f"[{INTERRUPTIONS}]"
_PAYLOAD: Final = r"[^\x07\x18\x1a\x1b]"
# An OSC, or a CSI that sets or resets a mode, up to the next ESC.
_SAYS: Final = re.compile(
    rf"{_I}*+(?:\](?P<osc>{_PAYLOAD}*+)[\x07\x1b]"
    rf"|\[(?P<csi>[\x20-\x3f{INTERRUPTIONS}]*+)(?P<final>[hl]))"
)
_IS_OPEN: Final = re.compile(rf"{_I}*+(?:\]{_PAYLOAD}*+|\[[\x20-\x3f{INTERRUPTIONS}]*+)?")
_OSC: Final = re.compile(
    r"(?:[02];(?P<title>.*)|7501;(?P<status>.*)"
    r"|9;4;(?P<progress>[0-4])(?:;(?P<percent>[0-9]{0,3}))?;?)",
    re.DOTALL,
)
# A longer sequence is ignored, so that an unterminated one does not grow without a limit.
_LONGEST: Final = 4096
_BRACKETED_PASTE: Final = "2004"


@attrs.frozen(kw_only=True)
class Signals:
    r"""Reports of a program about itself in its raw output since a wait began.

    Args:
        title: Its title (OSC 0 or 2); None if it has set none.
        status: Its report of its state (OSC 7501), such as ``state=working:app=codex``; None if
            there was none.
        progress: The state of its progress (OSC 9;4): 0 none, 1 a percentage, 2 an error, 3 at
            work, 4 paused; None if there was no report.
        percent: The percentage of its progress; None if there was none.
        bracketed_paste: Whether it has switched bracketed paste on (DEC 2004); None if it has
            switched it neither on nor off.
        bells: How often it has rung the bell (BEL).
        unavailable: The reason why the raw output cannot be read; empty if it can.

    Examples:
        >>> Signals(status="state=blocked:app=codex:kind=permission").state
        'blocked'
    """

    title: str | None = attrs.field(default=None, repr=cut_repr)
    status: str | None = attrs.field(default=None, repr=cut_repr)
    progress: int | None = None
    percent: int | None = None
    bracketed_paste: bool | None = None
    bells: int = 0
    unavailable: str = ""

    @property
    def state(self) -> str:
        """The state in its status report, such as ``working``; empty if there is none."""
        words = (self.status or "").split(":")
        return next((word[6:] for word in words if word.startswith("state=")), "")


NO_SIGNALS: Final = Signals()


@final
class SignalReader:
    r"""Reads signals out of raw output that comes in pieces, wherever they were cut.

    Examples:
        >>> from tmuxprim._values.signals import SignalReader
        >>> reader = SignalReader()
        >>> reader.feed("\x1b]7501;state=wor"), reader.feed("king\x1b\\ \a")
        (Signals(...), Signals(title=None, status='state=working', ..., bells=1, unavailable=''))
    """

    __slots__ = ("_open", "_signals", "_stripper")

    def __init__(self) -> None:
        self._signals = NO_SIGNALS
        self._stripper = AnsiStripper()
        self._open = ""  # the sequence that has not ended, from its ESC on

    def feed(self, chunk: str) -> Signals:
        """Return the signals so far, including those of the next piece of the output."""
        bells = self._stripper.feed(chunk).count("\a")
        if bells:
            self._signals = attrs.evolve(self._signals, bells=self._signals.bells + bells)
        _, *sequences = (self._open + to_7bit(chunk)).split(ESC)
        if sequences:
            for sequence in sequences[:-1]:
                self._take(sequence + ESC)
            self._take(sequences[-1])
            is_open = _IS_OPEN.fullmatch(sequences[-1])
            self._open = ESC + sequences[-1][:_LONGEST] if is_open else ""
        return self._signals

    def forget(self) -> Signals:
        """Forget all but the count of bells, as another program has the terminal now."""
        self._signals = Signals(bells=self._signals.bells)
        return self._signals

    def _take(self, sequence: str) -> None:
        """Note the signal of one sequence, if it has one."""
        found = _SAYS.match(sequence)
        if found is not None and len(found[0]) <= _LONGEST:
            is_osc = found["csi"] is None
            self._signals = (_with_osc if is_osc else _with_csi)(self._signals, found)


def _with_osc(signals: Signals, sequence: re.Match[str]) -> Signals:
    found = _OSC.fullmatch(sequence["osc"])
    if found is None:
        return signals
    if found["progress"] is not None:
        percent = int(found["percent"]) if found["percent"] else None
        return attrs.evolve(signals, progress=int(found["progress"]), percent=percent)
    if found["title"] is not None:
        return attrs.evolve(signals, title=found["title"])
    return attrs.evolve(signals, status=found["status"])


def _with_csi(signals: Signals, sequence: re.Match[str]) -> Signals:
    modes = "".join(c for c in sequence["csi"] if c not in INTERRUPTIONS)
    if not modes.startswith("?") or _BRACKETED_PASTE not in modes[1:].split(";"):
        return signals
    return attrs.evolve(signals, bracketed_paste=sequence["final"] == "h")
