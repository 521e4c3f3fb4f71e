"""A film of the demo: pictures that follow each other, in one SVG file, as CSS shows them."""

from collections.abc import Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Final, NamedTuple

from tmuxprim import Size
from tmuxprim._values.svg import Picture, document, draw_parts

# Where a person wants no motion, the last picture is seen.
_STILL = "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"


# The film begins with its result, for so many seconds.
_RESULT: Final = 2.0


class Frame(NamedTuple):
    """A picture, and for how many seconds it is shown."""

    picture: Picture
    seconds: float


def draw_film(size: Size, frames: Sequence[Frame]) -> str:
    """Return pictures that follow each other, over and over, as CSS shows them.

    The last picture is also the first, so that a reader sees the result at once. What stays is
    drawn once. Where nothing moves, the last picture is seen.
    """
    frames = [Frame(frames[-1].picture, _RESULT), *frames]
    shown = [dict.fromkeys(draw_parts(size, picture)) for picture, _ in frames]
    ends = [*accumulate(seconds for _, seconds in frames)]
    drawn: list[str] = []
    times: dict[tuple[float, float], str] = {}
    for part in {part: None for parts in shown for part in parts}:
        begin = 0.0
        times_of_part = zip((part in parts for parts in shown), ends, strict=True)
        for is_shown, same in groupby(times_of_part, key=itemgetter(0)):
            *_, (_, end) = same
            if is_shown:
                name = times.setdefault((begin, end), f"t{len(times)}")
                drawn.append(f'<g class="{name}">{part}</g>')
            begin = end
    rules = (_rule(name, begin, end, ends[-1]) for (begin, end), name in times.items())
    return document(size, ["<style>", *rules, _STILL, "</style>", *drawn])


def _rule(name: str, begin: float, end: float, whole: float) -> str:
    """Return the CSS that shows something for a part of the whole time."""
    if (begin, end) == (0.0, whole):
        return ""
    last = "visible" if end == whole else "hidden"
    steps = {0.0: "hidden", end: "hidden", begin: "visible"}
    frames = "".join(
        f"{100 * second / whole:.2f}%{{visibility:{seen}}}" for second, seen in steps.items()
    )
    return (
        f".{name}{{visibility:{last};animation:{name} {whole:.1f}s step-end infinite}}"
        f"@keyframes {name}{{{frames}}}"
    )
