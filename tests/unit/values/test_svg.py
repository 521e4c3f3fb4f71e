"""Screens as pictures: what is drawn, and where."""

from xml.etree import ElementTree as ET

import attrs
import pytest

from tests.unit.builders import screen
from tmuxprim import Cursor, Screen, Size
from tmuxprim.testing import Style, StyledText

SVG = "{http://www.w3.org/2000/svg}"
CELL = 9


def parse(shown: Screen) -> ET.Element:
    """Return the picture of a screen."""
    return ET.fromstring(shown.to_svg())  # noqa: S314  # ours


def picture(*parts: StyledText, cursor_visible: bool = True) -> ET.Element:
    """Return the picture of a screen with such a row."""
    shown = attrs.evolve(screen("", size=Size(20, 2)), cursor=Cursor(1, 20), styles=(parts, ()))
    return parse(attrs.evolve(shown, cursor_visible=cursor_visible))


def texts(root: ET.Element) -> list[tuple[int, str]]:
    """Return each text with the column in which it begins, or the middle of it."""
    return [
        ((int(one.get("x", "")) - CELL) // CELL, (one.text or "").replace("\xa0", " "))
        for one in root.iter(f"{SVG}text")
    ]


def style_of(style: Style) -> dict[str, str]:
    """Return the attributes that a text of such a style has."""
    root = picture(StyledText("a", style))
    group, text = root.find(f"{SVG}g"), root.find(f".//{SVG}text")
    assert group is not None
    assert text is not None
    return {**group.attrib, **text.attrib}


def test_a_picture_has_the_size_of_the_screen() -> None:
    """In cells, with a margin."""
    root = picture()
    assert (root.get("width"), root.get("height")) == ("198", "54")


def test_a_screen_without_styles_is_drawn_plainly() -> None:
    """Its rows are what there is."""
    root = parse(screen("$ ls\na"))
    assert [text for _, text in texts(root)] == ["$ ls", "a"]


def test_every_character_stands_in_its_cell() -> None:
    """ASCII is drawn by stretches of a known width; what a font may have in another width alone."""
    wide, joined = "日", "👩\u200d👩"
    root = picture(StyledText(f"ab{wide}é e\u0301{joined}x"), StyledText("─y", Style(bold=True)))
    assert texts(root) == [
        *((0, "ab"), (3, wide), (4, "é"), (5, " e\u0301"), (8, joined), (9, "x")),
        *((10, "─"), (11, "y")),
    ]
    widths = [one.get("textLength", one.get("text-anchor")) for one in root.iter(f"{SVG}text")]
    assert widths == ["18", "middle", "9", "18", "middle", "9", "9", "9"]


def test_a_tab_reaches_to_its_stop() -> None:
    """From tmux 3.6 on there may be some in a row."""
    assert texts(picture(StyledText("ab\té"))) == [(0, "ab      "), (8, "é")]


def test_what_stands_in_no_cell_is_not_drawn() -> None:
    """A row cannot begin with an accent."""
    assert texts(picture(StyledText("\u0301a"))) == [(0, "a")]


def test_text_is_text() -> None:
    """What has a meaning in XML is escaped, and what cannot be written is replaced."""
    assert texts(picture(StyledText("<a&b>"))) == [(0, "<a&b>")]
    assert texts(picture(StyledText("\0\ud800"))) == [(0, "\ufffd"), (1, "\ufffd")]


@pytest.mark.parametrize(
    ("style", "drawn"),
    [
        (Style(foreground=1), {"fill": "#cd3131"}),
        (Style(foreground=9), {"fill": "#f14c4c"}),
        (Style(foreground=16), {"fill": "#000000"}),
        (Style(foreground=208), {"fill": "#ff8700"}),
        (Style(foreground=232), {"fill": "#080808"}),
        (Style(foreground=255), {"fill": "#eeeeee"}),
        (Style(foreground="#0ac81e"), {"fill": "#0ac81e"}),
        (Style(reverse=True), {"fill": "#1e1e1e"}),
        (Style(foreground=1, background=2, reverse=True), {"fill": "#0dbc79"}),
        (Style(bold=True), {"font-weight": "bold"}),
        (Style(italic=True), {"font-style": "italic"}),
        (Style(dim=True), {"opacity": ".6"}),
        (Style(underline=True), {"text-decoration": "underline"}),
        (Style(underline=True, strike=True), {"text-decoration": "underline line-through"}),
    ],
)
def test_a_style_is_drawn(style: Style, drawn: dict[str, str]) -> None:
    """Each attribute and each kind of colour."""
    found = style_of(style)
    assert {name: found[name] for name in drawn} == drawn


def boxes(root: ET.Element) -> list[tuple[str | None, ...]]:
    """Return column, width and colour of each box but that of the whole."""
    rects = root.findall(f"{SVG}rect")[1:]
    return [tuple(one.get(name) for name in ("x", "width", "fill")) for one in rects]


@pytest.mark.parametrize(
    ("style", "color"),
    [(Style(background=4), "#2472c8"), (Style(reverse=True), "#cccccc")],
)
def test_a_background_is_drawn_behind_blanks(style: Style, color: str) -> None:
    """As wide as the text, which need not be drawn if there is nothing to see."""
    root = picture(StyledText("a"), StyledText("日 ", style), cursor_visible=False)
    assert boxes(root) == [("18", "27", color)]
    assert texts(root) == [(0, "a"), (2, "日")]


def test_an_underline_is_drawn_below_blanks() -> None:
    """They are drawn then."""
    assert texts(picture(StyledText("  ", Style(underline=True)))) == [(0, "  ")]


def test_hidden_text_is_not_drawn() -> None:
    """It is not in the file either."""
    assert texts(picture(StyledText("secret", Style(hidden=True)), StyledText("a"))) == [(6, "a")]


def test_the_cursor_is_drawn_on_the_screen() -> None:
    """Also while it waits behind a full row; not if the program hides it."""
    assert boxes(picture()) == [("180", "9", "#cccccc")]
    assert boxes(picture(cursor_visible=False)) == []
