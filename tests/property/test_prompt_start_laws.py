"""Laws of where a prompt begins: what was drawn there is found there, or nothing is."""

from hypothesis import event, given
from hypothesis import strategies as st

from tmuxprim import Screen, Size
from tmuxprim._emulator.emulator import Emulator
from tmuxprim._engine.prompt_start import PromptStart, find_start
from tmuxprim._values.shell_marks import ShellMarks

OFF, ON = "\x1b[?2004l\r", "\x1b[?2004h"
EDITS = "\r\x1b[0m\x1b[27m\x1b[24m\x1b[J"
SIZES = st.builds(Size, st.integers(8, 24), st.integers(3, 12))
PIECES = st.sampled_from(
    [
        "a",
        "b ",
        " ",
        "$ ",
        "0" * 8,
        "\r\n",
        "\t",
        "\x1b[31m",
        "\x1b[0m",
        "\u4f60",
        "e\u0301",
        "\r",
        "%",
    ]
)
OUTPUTS = st.lists(PIECES, max_size=12).map("".join)
PROMPTS = st.lists(
    st.sampled_from(["~", "$ ", "a ", "\r\r\n", "\x1b[1m", "\x1b[0m", "\x1b[K", "0" * 8]),
    min_size=1,
    max_size=8,
).map("".join)


def zsh_row(size: Size) -> str:
    """Return what zsh begins a row with."""
    return f"\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m{' ' * (size.columns - 1)}\r \r"


def screen_of(emulator: Emulator, *, history: bool) -> Screen:
    """Return what a terminal shows, with its whole history or none."""
    grid = emulator.grid
    above = grid.above if history else 0
    return Screen(
        size=grid.size,
        rows=grid.rows,
        cursor=emulator.cursor,
        history=grid.history(above),
        history_size=grid.above,
        layout=grid.layout(above),
    )


@given(
    size=SIZES,
    output=OUTPUTS,
    prompt=PROMPTS,
    is_zsh=st.booleans(),
    history=st.booleans(),
)
def test_the_cell_where_it_was_drawn(
    size: Size, output: str, prompt: str, *, is_zsh: bool, history: bool
) -> None:
    """It is exact, or it is not told: never another cell."""
    emulator, marks = Emulator(size, 1000), ShellMarks()
    typed = f"$ cmd\r\n{OFF}"
    emulator.feed(typed + output)
    row, column = emulator.grid.above + emulator.grid.row, emulator.grid.column
    drawn = (
        f"{zsh_row(size)}\r\x1b[0m\x1b[27m\x1b[24m\x1b[J{prompt}\x1b[K{ON}"
        if is_zsh
        else ON + prompt
    )
    emulator.feed(drawn)
    marks.feed(typed + output + drawn)
    screen = screen_of(emulator, history=history)
    found = find_start(marks.prompt, screen, last=marks.last)
    event("found" if found else "not told")
    if found is not None and prompt.strip("\x1b[01mK\r\n "):
        above = emulator.grid.above + emulator.grid.row - row
        assert found == PromptStart(above, column)
