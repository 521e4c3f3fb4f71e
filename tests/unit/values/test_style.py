"""How text looks: what SGR does to a style, and what ``capture-pane -e`` tells."""

import pytest

from tmuxprim._values.style import PLAIN, parse_styles, restyled
from tmuxprim.testing import Style, StyledText

RED = Style(foreground=1)
EVERYTHING = Style(
    foreground=1,
    background=2,
    bold=True,
    dim=True,
    italic=True,
    underline=True,
    reverse=True,
    hidden=True,
    strike=True,
)


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("1", Style(bold=True)),
        ("01;34", Style(bold=True, foreground=4)),
        ("2;3", Style(dim=True, italic=True)),
        ("4", Style(underline=True)),
        ("21", Style(underline=True)),
        ("4:3", Style(underline=True)),
        ("7;8;9", Style(reverse=True, hidden=True, strike=True)),
        ("31;42", Style(foreground=1, background=2)),
        ("91;102", Style(foreground=9, background=10)),
        ("38;5;208", Style(foreground=208)),
        ("48:5:0", Style(background=0)),
        ("38;2;10;200;30;1", Style(foreground="#0ac81e", bold=True)),
        ("38:2::10:200:30", Style(foreground="#0ac81e")),
        ("48:2:10:200:30", Style(background="#0ac81e")),
        ("58;5;1;3", Style(italic=True)),
    ],
)
def test_a_code_sets_what_it_names(codes: str, style: Style) -> None:
    """Alone or with others, in each spelling of a colour; the colour of an underline is skipped."""
    assert restyled(PLAIN, codes) == style


@pytest.mark.parametrize("codes", ["", "0", "00", "22;23;24;27;28;29;39;49"])
def test_what_is_on_goes_off(codes: str) -> None:
    """All at once, or one by one."""
    assert restyled(EVERYTHING, codes) == PLAIN


@pytest.mark.parametrize("codes", ["5", "53", "99", "38", "38;5", "38;5;256", "38;7", "38;2;1;2"])
def test_what_is_no_style_changes_nothing(codes: str) -> None:
    """What nobody draws, and colours that there are not."""
    assert restyled(RED, codes) == RED


def test_an_underline_may_be_of_no_kind() -> None:
    """Kitty's way to end it."""
    assert restyled(Style(underline=True), "4:0") == PLAIN


def test_a_style_goes_on_in_the_next_row() -> None:
    """So tmux writes it, from 3.3a on: what ends a style stands where the next one begins."""
    assert parse_styles(["a\x1b[31mb", "", "c  \x1b[39md  "]) == (
        (StyledText("a"), StyledText("b", RED)),
        (),
        (StyledText("c  ", RED), StyledText("d")),
    )


def test_painted_blanks_stay() -> None:
    """They are to be seen; plain ones are not, and are no part of a row."""
    bar = StyledText("  ", Style(background=4))
    assert parse_styles(["\x1b[44m  \x1b[49m   "]) == ((bar,),)


def test_line_drawing_is_drawn() -> None:
    """Between SO and SI letters stand for lines, but not those of a sequence in between."""
    rows = parse_styles(["\x0elq\x1b[31mk\x0f q"])
    assert rows == ((StyledText("┌─"), StyledText("┐ q", RED)),)


def test_links_are_no_text() -> None:
    """A link, which tmux reports from 3.4 on, counts as its text."""
    rows = parse_styles(["\x1b]8;;http://e.x\x1b\\here\x1b]8;;\x1b\\ and there"])
    assert rows == ((StyledText("here and there"),),)


def test_a_style_tells_only_what_is_set() -> None:
    """A failed assert can be read."""
    assert repr(Style(foreground=1, bold=True)) == "Style(foreground=1, bold=True)"
