"""Answers that the user gives beforehand, chosen by words of a command's question."""

from collections.abc import Mapping

from tmuxprim._engine.submit import ENTER
from tmuxprim._readiness.snapshot import QUESTIONS, Outcome, Readiness
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.keys import KeySequence
from tmuxprim.errors import InvalidTextError


class PreparedAnswers:
    """The answers that may still be given.

    Args:
        answers: Words of a question, and what to type: a text with Enter, or keys as they are.

    Raises:
        InvalidTextError: If words are blank, which every question would hold.
        TypeError: If an answer, or the words of its question, is of another type.
    """

    def __init__(self, answers: Mapping[str, str | KeySequence]) -> None:
        check_type("answers", answers, Mapping)
        for words, answer in answers.items():
            check_type("the words of a question", words, str)
            check_type("an answer", answer, str, KeySequence)
            if not words.strip():
                raise InvalidTextError(f"an answer needs words of its question, got {words!r}")
        self._left = dict(answers)
        self._open: tuple[int, str] | None = None
        """The row and the question behind which keys were typed without Enter; None for others."""

    def take(self, readiness: Readiness) -> str | KeySequence | None:
        """Return the answer to what is asked; None if nothing is, or no words fit.

        A text is to be typed with Enter, and a `KeySequence` as it is. A program that reads key by
        key takes the first keys for the answer, and would take the Enter for the next one. So Enter
        follows only if the program still waits behind the same question.

        A secret is given once. A program that asks for it again has refused it, and may lock the
        account after some more.
        """
        if readiness.outcome not in QUESTIONS:
            return None
        # A question ends at the cursor. Words further up may be of an earlier one.
        screen, asked = readiness.screen, readiness.screen.line_before_cursor
        row, before, self._open = screen.cursor_line_number, self._open, None
        if before is not None and row == before[0] and asked.startswith(before[1]):
            return ENTER
        words = next((words for words in self._left if words in asked), None)
        if words is None:
            return None
        if readiness.outcome is Outcome.AWAITING_SECRET:
            return self._left.pop(words)
        answer = self._left[words]
        if isinstance(answer, KeySequence) or not readiness.snapshot.facts.reads_single_keys:
            return answer
        self._open = row, asked
        return KeySequence.text(answer)
