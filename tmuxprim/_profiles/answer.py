"""An answer: the rows that belong to it, page after page."""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from tmuxprim._profiles.strategies import squeeze
from tmuxprim._readiness.snapshot import Readiness
from tmuxprim._readiness.words import to_pattern, to_rows_pattern
from tmuxprim._values.screen import Screen
from tmuxprim._values.short_repr import cut_repr, short_repr
from tmuxprim.errors import InvalidPatternError

Rows: TypeAlias = tuple[str, ...]


def without_head(page: Rows, other: Rows, *, is_head: Callable[[str], bool]) -> Rows:
    """Return a page without the rows above the text that do not scroll, such as a title.

    It is the same on the *other* page, and *is_head* says whether a row may belong to it.
    """
    height = 0
    for mine, theirs in zip(page, other, strict=False):
        if mine != theirs or (mine.strip() and not is_head(mine)):
            break
        height += 1
    return page[height:]


def put_above(page: Rows, below: Sequence[str]) -> Rows | None:
    """Return what is *below* with what a page further up shows above it.

    Returns:
        As many rows as before if the page shows nothing more; None if it is not clear where it
        belongs, since nothing overlaps, or since the text repeats itself.
    """
    # Blank rows at its end may be a margin, which does not scroll.
    filled = [number for number, row in enumerate(page) if row.strip()]
    page = page[: filled[-1] + 1] if filled else ()
    fits = [
        shift for shift in range(len(page)) if page[shift:] == tuple(below[: len(page) - shift])
    ]
    if not fits:
        return None
    if len(fits) > 1 and fits[1] <= (len(page) + 1) // 2:
        return None  # programs scroll by half a page, or more
    return (*page[: fits[0]], *below)


# What a row may begin with, and nothing will ever match.
_NOTHING = re.compile(r"(?!)")


@attrs.frozen(kw_only=True)
class Answer:
    """The answer of a program, and how the wait for it ended.

    Args:
        text: The answer, without any text that was on the screen before.
        complete: Whether it is the whole answer: the program waits for the next question, does not
            say that the answer failed, and the beginning has not scrolled away.
        readiness: How the wait ended. AWAITING_INPUT: the program asks something itself. EXITED:
            it has ended. TIMEOUT: it still works.
        failure: The program's message about an answer that was interrupted, or that its model did
            not give; empty for any other.

    Examples:
        >>> shell = ScriptedShell({"sh": ScriptedShell({"ls": "a"})})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> with Console(terminal, terminal.open()).session(Profile("inner", ("sh",))) as inner:
        ...     answer = inner.ask("ls")
        >>> answer.text, answer.complete
        ('a', True)
    """

    text: str
    complete: bool
    readiness: Readiness
    failure: str = ""

    def __repr__(self) -> str:
        text, failure = cut_repr(self.text), cut_repr(self.failure)
        outcome = self.readiness.outcome.name
        return f"Answer({text}, complete={self.complete}, {outcome=!s}, {failure=!s})"

    def __str__(self) -> str:
        return self.text


def _to_pattern_of_a_text(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    compiled = to_pattern(pattern)
    if not compiled.groups:
        raise InvalidPatternError(
            f"this pattern needs a group around the text that was asked, got {compiled.pattern!r}"
        )
    return compiled


@attrs.frozen(kw_only=True)
class AnswerRows:
    r"""Finds the rows of a program's screen that are its answer.

    The answer is below the last row that shows the question, and above the box in which the next
    question is typed.

    Args:
        asked: Regular expression of a row in which the program shows the question; its first
            group is the text.
        box: Regular expression of the rows of the input box, from its first row on, searched in
            the whole screen. The text from there on is not part of the answer.
        skip: Regular expression of rows that are not the answer's, such as a spinner.
        margin: Regular expression of the text left of the answer in each row.
        failed: Regular expression of the message below an answer that was interrupted, or that the
            model did not give; its first group, if it has one, is the message itself.
            It is searched in all rows of the answer, so let it end in ``\\Z``: the model's own text
            cannot be there.

    Raises:
        InvalidPatternError: If one of them is not a regular expression.

    Examples:
        >>> rows = AnswerRows(asked=r"^> (.+)", box=r"^---\n>", margin="^[* ] ")
        >>> shown = ("A helper", "> hi", "* Hello.", "  And you?", "", "---", ">")
        >>> rows.cut(Screen(size=Size(20, 7), rows=shown, cursor=Cursor(6, 2)), "hi")
        ('Hello.\nAnd you?', True)
    """

    asked: re.Pattern[str] = attrs.field(converter=_to_pattern_of_a_text)
    box: re.Pattern[str] = attrs.field(converter=to_rows_pattern)
    skip: re.Pattern[str] = attrs.field(default=_NOTHING, converter=to_pattern)
    margin: re.Pattern[str] = attrs.field(default=_NOTHING, converter=to_pattern)
    failed: re.Pattern[str] = attrs.field(default=_NOTHING, converter=to_rows_pattern)

    def __repr__(self) -> str:
        return short_repr(self, "asked", "box")

    def cut(self, screen: Screen, question: str) -> tuple[str, bool]:
        """Return the answer to *question*, and whether its beginning is there.

        Args:
            screen: The screen, with as much history as is to be searched.
            question: The question.
        """
        return self.cut_rows(self.above_box(screen.history + screen.rows), question)

    def cut_rows(self, rows: Rows, question: str) -> tuple[str, bool]:
        """Return the answer to *question* in rows without an input box; see `cut`.

        Args:
            rows: The rows.
            question: The question.
        """
        start, begins = self._row_below_question(rows, squeeze(question))
        text = "\n".join(row.rstrip() for row in self.without_frame(rows[start:]))
        return text.strip("\n"), begins

    def failure(self, screen: Screen, question: str) -> str:
        """Return the program's message about an answer that failed; empty if it did not.

        Args:
            screen: The screen, with as much history as is to be searched.
            question: The question.
        """
        rows = self.above_box(screen.history + screen.rows)
        start, _ = self._row_below_question(rows, squeeze(question))
        found = self.failed.search("\n".join(rows[start:]).rstrip())
        return "" if found is None else " ".join((found[found.lastindex or 0]).split())

    def is_asked(self, row: str) -> bool:
        """Whether the program shows the question in this row, or a title.

        Args:
            row: The row.
        """
        return self.asked.search(row) is not None

    def without_frame(self, rows: Sequence[str]) -> list[str]:
        """Return the rows of an answer without margins, and without those that are not its own.

        Args:
            rows: The rows of the answer.
        """
        return [self.margin.sub("", row) for row in rows if not self.skip.search(row)]

    def above_box(self, rows: Rows) -> Rows:
        """Return the rows above the input box.

        Args:
            rows: The rows of the screen.
        """
        text = "\n".join(rows)
        found = [match.start() for match in self.box.finditer(text)]
        return rows[: text.count("\n", 0, found[-1])] if found else rows

    def _row_below_question(self, rows: Rows, question: str) -> tuple[int, bool]:
        """Return where the answer begins, and whether the question is right above that.

        If it is not, it has scrolled away: then all text below other rows of its kind, even below a
        title, is a part of the answer.
        """
        shown, below, lowest = "", len(rows), 0
        for number in range(len(rows) - 1, -2, -1):
            match = self.asked.search(rows[number]) if number >= 0 else None
            with_this = "" if match is None else squeeze(match[1] or "") + shown
            # The rows above may show it once more: aider draws a text that is higher than its
            # screen twice, without the beginning.
            if _is_part_of(question, shown) and not _is_part_of(question, with_this):
                # It may be shown in short, or its first rows may have scrolled away. In the first
                # row of all its beginning may be kept there while the answer scrolls.
                begins = number >= 0 or not (question in shown or question.startswith(shown))
                return _skip_rest(rows, below, question.partition(shown)[2]), begins
            shown = with_this
            if match is None:
                below = number
            else:
                lowest = max(lowest, number + 1)
        return lowest, False


def _is_part_of(question: str, shown: str) -> bool:
    """Whether a text shows the question, perhaps without its beginning or its end."""
    is_part = question.startswith(shown) or question.endswith(shown)
    return bool(shown) and (question in shown or is_part)


def _skip_rest(rows: Rows, below: int, rest: str) -> int:
    """Return the row below the question, whose further rows may look like those of an answer."""
    while rest and below < len(rows) and rest.startswith(squeeze(rows[below])):
        rest = rest.removeprefix(squeeze(rows[below]))
        below += 1
    return below
