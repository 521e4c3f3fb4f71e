"""`Tapping`: the rows of a command's output, also those that the pane has thrown away.

What a program writes while a command runs is taken by a tap. From that the rows are drawn again,
beginning with the screen of when the tap was opened. They count only if what the pane still keeps
is the same: the screen, the cursor and all of the history.
"""

from itertools import repeat
from typing import TYPE_CHECKING, Final

import attrs

from tmuxprim._engine.plan import Plan, observe, pause, tap
from tmuxprim._values.evidence import Mark
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import PaneBusyError, TapUnavailableError

if TYPE_CHECKING:
    from tmuxprim._terminal import Tap

_GONE: Final = "its beginning is gone from the pane, and"
_UNPROVEN: Final = f"{_GONE} what was written, drawn anew, is not for sure what the pane shows"
# So many characters are drawn in some milliseconds.
_PIECE: Final = 1 << 14
# What the screen shows may come through the tap a moment later.
_SOON: Final = (*(0.001 * 2**n for n in range(7)), *repeat(0.1, 10))


@attrs.define(eq=False)
class Tapping:
    """The tap of one line of a command.

    Attributes:
        doubt: Why what it took does not tell all rows.
    """

    doubt: str = _UNPROVEN
    _tap: "Tap | None" = None

    def begin(self, pane: Pane) -> Plan[None]:
        """Open a tap; close the one before."""
        self.close()
        try:
            self._tap = yield from tap(pane)
        except (PaneBusyError, TapUnavailableError) as error:
            self.doubt = f"{_GONE} {error}"

    def close(self) -> None:
        """Close the tap, if there is one."""
        if self._tap is not None:
            self._tap.close()
        self._tap = None

    def draw(self, pane: Pane, mark: Mark, screen: Screen) -> Plan[Screen | None]:
        """Return a screen with all rows since the tap was opened; None if that is not sure.

        The mark is from right before Enter, and *screen* is what the pane shows now.
        """
        if self._tap is None:
            return None
        begun = self._tap.screen
        is_alike = self._tap.is_as_new and not begun.alternate
        if not is_alike or begun.history_size != mark.screen.history_size:
            return None
        from tmuxprim._engine.drawing import Drawing  # noqa: PLC0415  # few draw

        drawing = Drawing(begun)
        for seconds in _SOON:
            while text := self._tap.read():
                for start in range(0, len(text), _PIECE):
                    drawing.add(text[start : start + _PIECE])
                    if not drawing.is_sure:
                        return None
                    yield from pause(0.0)  # so that other tasks go on
            if drawing.shows(screen):
                screen = yield from observe(pane, screen.history_size)
                return drawing.whole(screen) if drawing.shows(screen) else None
            yield from pause(seconds)
            screen = yield from observe(pane)
        return None
