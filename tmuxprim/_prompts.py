"""`Prompts`: what is known of the prompts that programs show in one pane, from one to the next."""

from typing import Final, TypeAlias

import attrs

from tmuxprim._errors import InvalidScreenError
from tmuxprim._pane import Pane
from tmuxprim._plan import Observe, Plan
from tmuxprim._prompt_rows import (
    CHANGES_PROMPT,
    KnownPrompt,
    Sighting,
    see_from_top,
    see_prompt,
)
from tmuxprim._readiness._result import Readiness
from tmuxprim._screen import Screen

# A history that is longer takes more time to read than it is worth.
_LONGEST_HISTORY: Final = 10_000
_Program: TypeAlias = tuple[int | None, str]


@attrs.define(eq=False)
class Prompts:
    """What is known of the prompts in one pane.

    Args:
        told: How many rows the user says that the prompt has which is seen next for the first time.

    Raises:
        InvalidScreenError: If that is no number of rows.
    """

    told: int | None = None
    _known: dict[_Program, KnownPrompt] = attrs.field(factory=dict, init=False)
    _searched: set[_Program] = attrs.field(factory=set, init=False)
    """Programs for whose prompts the top of the history has been searched."""
    _seen: Sighting | None = attrs.field(default=None, init=False)
    _before: Screen | None = attrs.field(default=None, init=False)
    """The screen when a key was sent last, or a prompt seen, if that was later."""
    _may_differ: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        told = self.told
        if told is not None and (type(told) is not int or told < 1):
            rule = "prompt_rows is a whole number from 1 on, or None"
            raise InvalidScreenError(f"{rule}, got {told!r}")

    def note_typed(self, text: str) -> None:
        """Note what is typed, which may change the prompt."""
        self._may_differ = self._may_differ or CHANGES_PROMPT.search(text) is not None

    def note_sent(self, screen: Screen) -> None:
        """Note the screen from right before a key was sent."""
        self._before = screen

    def see(self, readiness: Readiness) -> Sighting:
        """Return the prompt at the cursor, and learn from it, once."""
        if self._seen is not None and self._seen.screen is readiness.screen:
            return self._seen
        known = self._known.get(_program(readiness))
        if known is None:
            known, self.told = KnownPrompt(self.told, is_told=self.told is not None), None
        seen = see_prompt(
            readiness.screen,
            known,
            before=self._before,
            seen=self._seen.screen if self._seen else None,
            may_differ=self._may_differ,
        )
        return self._learn(readiness, seen)

    def see_more(self, pane: Pane, readiness: Readiness, *, is_empty_line: bool) -> Plan[Sighting]:
        """Return the prompt at the cursor, with what the history tells of it.

        That is read where nothing else has told how many rows it has: to its top, once for the
        program of the pane, and as far as two prompts may stand, behind an Enter.

        Args:
            pane: The pane.
            readiness: How the prompt was found.
            is_empty_line: Whether nothing was typed before Enter.
        """
        seen, screen, program = self.see(readiness), readiness.screen, _program(readiness)
        if seen.prompt.rows is not None:
            return seen
        is_own = readiness.tty is not None and readiness.tty.foreground_is_pane is True
        is_short = screen.history_size <= _LONGEST_HISTORY
        is_to_search = is_own and is_short and program not in self._searched
        above = screen.history_size if is_to_search else screen.size.rows * is_empty_line
        if above and screen.history_size:
            screen = yield Observe(pane, above)
        more = see_prompt(screen, seen.prompt, before=seen.before, seen=seen.earlier)
        if is_to_search and more.prompt.rows is None:
            self._searched.add(program)
            top = see_from_top(screen, seen.prompt)
            more = see_prompt(screen, top, before=seen.before) if top else more
        if more.prompt.rows is None:
            return seen
        return self._learn(readiness, more._replace(screen=readiness.screen))

    def _learn(self, readiness: Readiness, seen: Sighting) -> Sighting:
        self._seen, self._known[_program(readiness)] = seen, seen.prompt
        self._before, self._may_differ = seen.screen, False
        return seen


def _program(readiness: Readiness) -> _Program:
    """Return which program shows a prompt; one that another has become has another name."""
    tty = readiness.tty
    return (tty.foreground_pid if tty else None), readiness.screen.command
