"""`Front`: the program that would get what is typed into a pane, and its menu or dialog.

Strategies ask "is the pane ready?". `Front` is for the questions before typing: does a text do harm
here, which keys interrupt, what is asked?
"""

import re
from typing import Final, Self

import attrs

from tmuxprim._readiness.assistants import STATES
from tmuxprim._readiness.box import AssistantState, AssistantView
from tmuxprim._readiness.chain import Judgement, ReadinessStrategy
from tmuxprim._readiness.editor_strategy import is_by_editor
from tmuxprim._readiness.menus import asking_menu, footer_of_menu, numbered_menu, selected_row
from tmuxprim._readiness.silence import AssistantStrategy, assistants_of
from tmuxprim._readiness.snapshot import Outcome, Ready, Snapshot
from tmuxprim._readiness.title import was_just_started
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.keys import KeySequence
from tmuxprim.errors import PaneBusyError

_INTERRUPT: Final = KeySequence.keys("C-c")
_TO_TYPE_IN: Final = re.compile(r"(?:\d+[.)] )?Type\b")
_SOMETHING: Final = "something"
_NOTHING: Final = AssistantView(AssistantState.NEITHER)
_NEED_NO_EVIDENCE: Final = (Outcome.EXITED, Outcome.MATCHED)


@attrs.frozen
class Front:
    """The program in front of a pane, found in one snapshot.

    Args:
        snapshot: The snapshot.
        assistant: The AI assistant that is in front, if it is a known one.
        shown: What that shows.
        menu: The question of a dialog or a menu, which takes keys and no text: of a text it would
            take the Enter alone. Empty if none is recognized.
    """

    snapshot: Snapshot
    assistant: AssistantStrategy | None = None
    shown: AssistantView = _NOTHING
    menu: str = ""

    @classmethod
    def seen(cls, snapshot: Snapshot, strategy: ReadinessStrategy | None = None) -> Self:
        """Find what is in front in a snapshot; *strategy* may know more assistants."""
        assistant = _assistant_in(snapshot, strategy)
        if assistant is None:
            return cls(snapshot, menu=asking_menu(snapshot))
        shown, rows = assistant.shown(snapshot), snapshot.screen.rows
        menu = (shown.words or _SOMETHING) if shown.state is AssistantState.ASKS else ""
        if shown.state is AssistantState.NEITHER:
            menu = numbered_menu(rows) or footer_of_menu(rows)
        return cls(snapshot, assistant, shown, menu)

    @property
    def name(self) -> str:
        """The name by which people know the program."""
        return self.assistant.name if self.assistant else self.snapshot.command or "a program"

    @property
    def has_inner_program(self) -> bool:
        """Whether a typed text goes on to a program that cannot be determined, as behind ssh.

        To the kernel an assistant that is connected to its model looks like ssh. But it takes the
        text itself, so one that is known by its program's name does not count.
        """
        is_known_by_name = self.assistant is not None and bool(self.assistant.programs)
        return self.snapshot.facts.has_inner_program and not is_known_by_name

    def needs_evidence(self, judgement: Judgement) -> bool:
        """Whether a verdict is only as certain as the kernel's report of the reader.

        It does not depend on that report if a text or the end of the program was found, if a line
        editor has written its state, or if a known program is in front.
        """
        verdict, facts = judgement.verdict, self.snapshot.facts
        is_shown = isinstance(verdict, Ready) and verdict.outcome in _NEED_NO_EVIDENCE
        # The rows of an assistant show its state, so any report that it reads is enough.
        is_known_program = facts.is_pass_through and not self.has_inner_program
        is_known = facts.is_reported and (self.assistant is not None or is_known_program)
        return not (is_shown or is_by_editor(judgement.strategy) or is_known)

    def is_guess(self, judgement: Judgement) -> bool:
        """Whether a verdict that ends a wait is a guess, since the evidence does not decide."""
        verdict = judgement.verdict
        if not isinstance(verdict, Ready) or verdict.outcome is Outcome.TIMEOUT:
            return False
        is_doubtful = self.needs_evidence(judgement) and self.snapshot.facts.is_doubtful
        return verdict.is_guess or verdict.outcome is Outcome.STABLE or is_doubtful

    @property
    def takes_no_command(self) -> str:
        """Why the program takes no shell command, even while it waits; empty if it may take one."""
        if self.assistant is not None:
            return f"{self.name} is in this pane, not a shell"
        if self.menu:
            return self.asks
        facts = self.snapshot.facts
        is_menu = facts.named.is_menu and not facts.has_line_editor
        return f"{self.name}, a menu, is in this pane, not a shell" if is_menu else ""

    @property
    def takes_letters_for_keys(self) -> bool:
        """Whether an assistant asks in a dialog of which no row to be typed in is selected.

        Each letter of a text may choose something there, as `n` and `a` do in Codex.
        """
        selected = selected_row(self.snapshot.screen.rows)
        return self.shown.state is AssistantState.ASKS and not _TO_TYPE_IN.match(selected)

    @property
    def loads(self) -> bool:
        """Whether an assistant was just started, and shows nothing that is known yet."""
        return self.shown.state is AssistantState.NEITHER and was_just_started(self.snapshot)

    @property
    def works(self) -> bool:
        """Whether an assistant works, by what it shows or by its status file."""
        is_busy = self.snapshot.facts.status == "busy"
        return self.assistant is not None and (self.shown.state is AssistantState.WORKS or is_busy)

    @property
    def background(self) -> str:
        """The work that goes on for an assistant while it takes input; empty if there is none."""
        return self.assistant.background(self.snapshot, self.shown) if self.assistant else ""

    @property
    def asks(self) -> str:
        """The question of the menu, the selected row, and the keys that choose."""
        selected = selected_row(self.snapshot.screen.rows)
        of = f" of {self.name}" if self.assistant else ""
        return (
            f"a menu{of} asks: {self.menu!r}; "
            f"{f'the selected row is {selected!r}; ' if selected else ''}"
            "choose with keys: Up, Down, Left, Right, Enter, Escape"
        )

    @property
    def has_whole_screen(self) -> bool:
        """Whether an unknown program has the whole screen, and takes C-c for a key."""
        tty = self.snapshot.tty
        is_raw = tty is not None and tty.is_raw and not tty.signals
        return is_raw and self.assistant is None and self.snapshot.facts.is_fullscreen

    @property
    def needs_signal(self) -> bool:
        """Whether the kernel makes no interrupt of C-c for the program, and a signal would be one.

        An assistant has a way of its own, and ssh would end itself instead of the program there.
        """
        tty = self.snapshot.tty
        if tty is None or tty.signals or tty.foreground_pid is None:
            return False
        has_own_way = self.assistant is not None or self.snapshot.facts.has_line_editor
        return not (has_own_way or self.has_inner_program)

    @property
    def interrupts(self) -> tuple[KeySequence, ...]:
        """The keys that interrupt it, step by step; each is taken before the next.

        Raises:
            PaneBusyError: If that is unknown: the kernel makes no interrupt of its C-c.
        """
        if self.assistant is not None:
            return self.assistant.interrupt
        if self.has_whole_screen:
            raise PaneBusyError(
                f"{NOTHING}: {self.name} has the whole screen, and takes C-c for an ordinary key, "
                "which may end it; press its own key with keys"
            )
        return (_INTERRUPT,)


def _assistant_in(
    snapshot: Snapshot, strategy: ReadinessStrategy | None
) -> AssistantStrategy | None:
    """Return the AI assistant that is in front; None if none is known."""
    # A session's strategy has no program names, and would take any program for its own.
    if snapshot.facts.has_line_editor or not snapshot.facts.is_raw:
        return None
    known = (*assistants_of(() if strategy is None else (strategy,)), *STATES)
    return next((assistant for assistant in known if assistant.is_its(snapshot.tty)), None)
