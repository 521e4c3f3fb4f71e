"""Putting the pages together of a program that is scrolled through."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

Rows: TypeAlias = tuple[str, ...]


def without_head(page: Rows, other: Rows, *, is_head: Callable[[str], bool]) -> Rows:
    """Return a page without what stands above the text and is not scrolled, such as a title.

    Args:
        page: A page.
        other: Another page of the same program.
        is_head: Whether a row may belong to that.
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
