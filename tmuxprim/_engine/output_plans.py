"""`OutputPlans`: read what a pane has printed since a mark, and learn its prompt, as plans.

`read_output` does the reading, without I/O. The plans here get what it needs: enough of the
history, the prompt below the output, the marks in the raw output, and in one doubt the styles.
"""

from functools import partial

import attrs

from tmuxprim._engine.command import TAKES_NEXT_LINE
from tmuxprim._engine.output import AGAIN, GONE, LineOutput, histories_to_try, read_output
from tmuxprim._engine.output_end import MARKED, UNCLEAR
from tmuxprim._engine.pane_plans import PanePlans
from tmuxprim._engine.plan import Plan, TimeLimit, begin, clock_time, observe
from tmuxprim._engine.prompt_rows import ShownPrompt
from tmuxprim._engine.prompt_start import UNPLACED, PromptStart
from tmuxprim._readiness.snapshot import Outcome, Readiness, shows_the_same
from tmuxprim._values.evidence import Mark
from tmuxprim._values.line_editor import LineEditor
from tmuxprim._values.new_text import find_row, may_have_shifted
from tmuxprim._values.screen import Screen


@attrs.frozen
class OutputPlans(PanePlans):
    """The plans for one pane that read its output.

    Args:
        state: What is known of the pane.
    """

    def printed(
        self, mark: Mark, readiness: Readiness, *, typed: str, screen_before: Screen | None = None
    ) -> Plan[LineOutput]:
        """Return what was printed since a mark; see `read_output`.

        It is read from the screen and from as much of the history as it reaches into. If all output
        is wanted, rows that tmux may have thrown away are drawn again from the raw output.
        """
        raw_output, drawn = self.state.raw_output, None
        is_over = raw_output.draws and readiness.outcome in TAKES_NEXT_LINE
        needs_rows = is_over and may_have_shifted(mark.screen, readiness.screen)
        if needs_rows:
            drawn = yield from raw_output.draw((yield from self.locate()), readiness.screen)
        screen = drawn or (yield from self._with_history(mark, readiness))
        seen, start = yield from self._prompt_below(readiness, screen, is_empty_line=not typed)
        # By now the raw output is taken, which shows a line that was drawn again.
        begins, is_certain = raw_output.at_line_again(mark, typed)
        if begins is not mark:
            screen = drawn or (yield from self._with_history(begins, readiness))
        read = partial(
            read_output,
            begins,
            outcome=readiness.outcome,
            seen=seen,
            start=start,
            typed=typed,
            screen_before=screen_before,
            above=raw_output.rows_above_output(screen),
        )
        new = read(screen)
        # The drawing begins where the tap does, which may be below the command line.
        if drawn is not None and new.doubt == GONE:
            screen = yield from self._with_history(begins, readiness)
            new = read(screen)
        # A shell's line-break mark has a style of its own, so the styles show whether the last
        # character is that mark. They cost another snapshot, so only this doubt asks for them.
        if new.doubt == MARKED:
            new = read((yield from self._with_styles(screen, readiness)))
        doubt = self._doubt(new.doubt, needs_rows=needs_rows, is_certain=is_certain)
        return new._replace(doubt=doubt)

    def _doubt(self, of_screen: str, *, needs_rows: bool, is_certain: bool) -> str:
        """Return the doubt of an output, by the screen and by the raw output; empty for none."""
        raw_output = self.state.raw_output
        if needs_rows and of_screen == GONE:
            return raw_output.doubt
        if not (of_screen or is_certain):
            return AGAIN
        return of_screen or (UNCLEAR if raw_output.marks.is_unclear else "")

    def learn_prompt(self, timeout: TimeLimit) -> Plan[int | None]:
        """Press Enter at an empty prompt; see `Console.learn_prompt`."""
        deadline = begin(timeout, (yield from clock_time()))
        yield from self.until_it_takes_a_line(deadline, {Outcome.PROMPT})
        yield from self.send("", enter=True)
        readiness = yield from self.wait_ready(deadline)
        if readiness.outcome is not Outcome.PROMPT:
            return None
        seen = yield from self._see_prompt(readiness, is_empty_line=True)
        return seen.prompt.rows

    def _with_styles(self, screen: Screen, readiness: Readiness) -> Plan[Screen]:
        """Return the screen with its styles, if the pane still shows the same."""
        styled = yield from observe((yield from self.locate()), styled=True)
        if not shows_the_same(styled, readiness.screen):
            return screen
        return attrs.evolve(screen, styles=styled.styles)

    def _with_history(self, mark: Mark, readiness: Readiness) -> Plan[Screen]:
        """Return the screen with the history that the output reaches into."""
        screen = readiness.screen
        tries = histories_to_try(mark, screen) if readiness else ()
        for rows in filter(None, tries):
            screen = yield from observe((yield from self.locate()), rows)
            if find_row(mark.screen, screen) is not None:
                break
        return screen

    def _prompt_below(
        self, readiness: Readiness, screen: Screen, *, is_empty_line: bool
    ) -> Plan[tuple[ShownPrompt | None, PromptStart | None]]:
        """Return the prompt at the cursor, and the cell where it begins, as far as they are known.

        If the cell is in doubt and the number of its rows is known, that number counts, and the
        cell is None.
        """
        if readiness.outcome is not Outcome.PROMPT:
            return None, None
        start = yield from self._prompt_start(readiness, screen)
        seen = yield from self._see_prompt(readiness, start, is_empty_line=is_empty_line)
        is_weak = start is not None and start.doubt and seen.prompt.rows is not None
        return seen, None if is_weak else start

    def _prompt_start(self, readiness: Readiness, screen: Screen) -> Plan[PromptStart | None]:
        """Return where the prompt at the cursor begins, if its shell's marks were taken."""
        raw_output, prompts = self.state.raw_output, self.state.prompts
        if not raw_output.is_open:
            return None
        has_marks = bool(prompts.has_marks(readiness))
        start = yield from raw_output.find_prompt(screen, has_marks=has_marks)
        prompts.note_marks(readiness, raw_output.marks)
        if start is None:
            return None
        pane = yield from self.locate()
        return (yield from prompts.check_hooks(pane, readiness, start, raw_output.marks))

    def _see_prompt(
        self, readiness: Readiness, start: PromptStart | None = None, *, is_empty_line: bool
    ) -> Plan[ShownPrompt]:
        """Return the prompt at the cursor: by its start, or else by the rows of the history."""
        if start is not None and not start.doubt:
            seen = self.state.prompts.learn(readiness, start)
            # zsh and fish 4 mark where their prompt ends, and typed text comes behind that.
            is_all = self.state.raw_output.marks.editor is LineEditor.AT_PROMPT
            self.state.note_prompt_text(seen.prompt.last, is_all=is_all)
            return seen
        prompts, pane = self.state.prompts, (yield from self.locate())
        seen = prompts.see(readiness)
        seen = yield from prompts.see_more(pane, readiness, seen, is_empty_line=is_empty_line)
        is_elsewhere = start is None and bool(self.state.raw_output.marks.prompt)
        return seen._replace(doubt=seen.doubt or UNPLACED) if is_elsewhere else seen
