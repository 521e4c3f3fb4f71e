"""`Hidden`: the texts of a mark that was made from JSON, of which only digests are known.

A wait and a read compare the texts from before with those that the pane shows now. So a text that
is still there is found by its digest, and one that is gone need not be known.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import attrs

from tmuxprim._values.screen import Screen

if TYPE_CHECKING:
    from tmuxprim._values.evidence import Mark

_BYTES: Final = 12
# A text that is not known is a row of one character of the last plane for private use.
_UNKNOWN: Final = 0x100000


class Digest(NamedTuple):
    """The digest of a text that is not known.

    Args:
        length: Its number of characters.
        value: The digest.
    """

    length: int
    value: str

    @classmethod
    def of(cls, text: str, salt: str) -> Self:
        """Return the digest of a text."""
        import hashlib  # noqa: PLC0415  # few marks travel

        data = text.encode("utf-8", "surrogatepass")
        hashed = hashlib.blake2b(data, digest_size=_BYTES, key=salt.encode())
        return cls(len(text), hashed.hexdigest())


class Beginning(NamedTuple):
    """The beginning of a row or a line, up to the cursor and without blanks at its end.

    Args:
        text: The text.
        folded: The same without its case, which a line editor may correct.
    """

    text: Digest
    folded: Digest

    @classmethod
    def of(cls, text: str, salt: str) -> Self:
        """Return the digests of a beginning."""
        bare = text.rstrip(" ")
        return cls(Digest.of(bare, salt), Digest.of(bare.casefold(), salt))


class HiddenLine(NamedTuple):
    """A line of several rows.

    Args:
        first: The number of its first row.
        last: The number of its last row.
        text: Its text, without blanks at its end.
    """

    first: int
    last: int
    text: Digest


@attrs.frozen
class Hidden:
    """The texts of a mark that are not told.

    Args:
        salt: The key of the digests, another one in each mark.
        rows: The rows of the screen.
        unknown: The rows that stand for them.
        lines: The lines of several rows.
        row: The cursor's row up to the cursor.
        line: The cursor's line up to the cursor.
        typed: The number of characters at the end of *row* that were typed before the last key;
            None if the screen did not show all of them yet.
        title: The title of the pane.
        left_title: `Mark.left_title`.
    """

    salt: str
    rows: tuple[Digest, ...]
    unknown: tuple[str, ...]
    lines: tuple[HiddenLine, ...]
    row: Beginning
    line: Beginning
    typed: int | None
    title: Digest
    left_title: Digest

    def blank(self, screen: Screen) -> Screen:
        """Return a screen from before without the rows that stand for texts that are not known."""
        return attrs.evolve(screen, rows=("",) * len(self.rows))

    def reveal(self, mark: "Mark", now: Screen) -> "Mark":
        """Return the mark with the texts that a screen shows still, or again."""
        screen = self.reveal_rows(mark.screen, now)
        begins = screen.before_cursor.rstrip(" ")
        is_known = Digest.of(begins, self.salt) == self.row.text
        typed = begins[len(begins) - (self.typed or 0) :] if is_known else ""
        return attrs.evolve(
            mark,
            screen=attrs.evolve(screen, title=self._title(self.title, now)),
            left_title=self._title(self.left_title, now),
            typed=None if self.typed is None else typed,
            hidden=None,
        )

    def reveal_rows(self, before: Screen, now: Screen) -> Screen:
        """Return a screen from before with the rows that another one shows."""
        is_same_width = before.size.columns == now.size.columns
        lines = () if is_same_width else (line.rstrip(" ") for line in now.lines)
        texts = _Texts((*now.history, *now.rows, *lines), self.salt)
        rows = list(before.rows)
        for number, unknown in enumerate(self.unknown):
            if unknown and rows[number] == unknown:  # else it is known, or known to be gone
                rows[number] = texts.whole(self.rows[number]) or unknown
        place = before.cursor.row
        if rows[place] == self.unknown[place] and (begins := texts.beginning(self.row)):
            rows[place] = begins + rows[place][len(begins) :]
        before = attrs.evolve(before, rows=rows)
        return before if is_same_width else self._reveal_lines(before, texts)

    def _reveal_lines(self, before: Screen, texts: "_Texts") -> Screen:
        """Return a screen with the lines that are known, though their rows end elsewhere now."""
        rows, place = list(before.rows), before.cursor.row
        if rows[0] == self.unknown[0]:  # its line may have begun above
            rows[0] = texts.end(self.rows[0]) or rows[0]
        for line in self.lines:
            rest, last = self._find_line(line, place, texts)
            if not rest:
                continue
            for number in range(line.first, last + 1):
                length = self.rows[number].length
                rows[number] = rest[:length] + self.unknown[number][len(rest) :]
                rest = rest[length + before.layout.blanks_behind(number) :]
        return attrs.evolve(before, rows=rows)

    def _find_line(self, line: HiddenLine, place: int, texts: "_Texts") -> tuple[str, int]:
        """Return the text of a line as far as it is known, and the row to which that reaches.

        Args:
            line: The line.
            place: The cursor's row.
            texts: The texts that are shown.
        """
        text = texts.whole(line.text)
        if text is None and line.first == 0:  # it may have begun above
            text = texts.end(line.text)
        if text is None and line.first < place <= line.last:
            return texts.beginning(self.line) or "", place
        return text or "", line.last

    def _title(self, title: Digest, now: Screen) -> str:
        """Return the title if it is the one of now; else another one."""
        if not title.length:
            return ""
        return now.title if Digest.of(now.title, self.salt) == title else chr(_UNKNOWN)


class _Texts:
    """Texts that are shown, to be found by their digests."""

    def __init__(self, texts: Iterable[str], salt: str) -> None:
        self._salt = salt
        self._texts = tuple(dict.fromkeys(texts))
        self._by_length = defaultdict[int, list[str]](list)
        for text in self._texts:
            self._by_length[len(text)].append(text)

    def whole(self, digest: Digest) -> str | None:
        """Return the text that has this digest."""
        return self._find(digest, self._by_length[digest.length])

    def end(self, digest: Digest) -> str | None:
        """Return the end of a text that has this digest."""
        return self._find(digest, (text[-digest.length :] for text in self._texts))

    def beginning(self, begins: Beginning) -> str | None:
        """Return the beginning of a text; in another case if that is how it was."""
        length = begins.text.length
        if found := self._find(begins.text, (text[:length] for text in self._texts)):
            return found
        length = begins.folded.length
        found = self._find(begins.folded, (text.casefold()[:length] for text in self._texts))
        # As it is shown now it would be the text from before.
        ways = (found.upper(), found) if found else ()
        return next((way for way in ways if not self._is_shown(way)), None)

    def _is_shown(self, begins: str) -> bool:
        return any(text.startswith(begins) for text in self._texts)

    def _find(self, digest: Digest, texts: Iterable[str]) -> str | None:
        return next((text for text in texts if Digest.of(text, self._salt) == digest), None)


def unknown_rows(rows: Iterable[Digest]) -> Iterator[str]:
    """Yield the rows that stand for rows that are not known; equal ones for equal ones."""
    numbers: dict[Digest, int] = {}
    for row in rows:
        number = numbers.setdefault(row, len(numbers))
        yield chr(_UNKNOWN + number) * row.length
