"""`Pane`, which texts can name one; `Size`, how many cells a screen can have."""

import pickle

import pytest

from tmuxprim import Cursor, InvalidPaneError, Pane, Screen, Size
from tmuxprim._values.pane import to_size
from tmuxprim.errors import InvalidScreenError


@pytest.mark.parametrize("target", ["%0", "%3", "%1234567890"])
def test_id(target: str) -> None:
    """A percent sign and digits are an exact id."""
    assert Pane(target).is_id


@pytest.mark.parametrize(
    "target", ["shared", "shared:0", "shared:0.1", "3", "a b", "日本", "50%", "-t", "=x"]
)
def test_name(target: str) -> None:
    """Anything else that can be read is a name, for the terminal to find or not."""
    pane = Pane(target)
    assert not pane.is_id
    assert str(pane) == target


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "a pane needs a name such as '%3' or 'shared', got ''"),
        (" \t", "a pane needs a name such as '%3' or 'shared', got ' \\t'"),
        ("a\nb", "a pane's name has no control characters, got 'a\\nb'"),
        ("a\x9bb", "a pane's name has no control characters, got 'a\\x9bb'"),
        ("a\udc80", "a pane's name has no control characters, got 'a\\udc80'"),
    ],
)
def test_refused(target: str, message: str) -> None:
    """What cannot name a pane is refused, by rule and value."""
    with pytest.raises(InvalidPaneError) as caught:
        Pane(target)
    assert str(caught.value) == message


@pytest.mark.parametrize("target", ["%", "%x", "%3\n", "%-1", "%٣", "%3.1", "%03", "%00"])
def test_refused_id(target: str) -> None:
    """What begins like an id is one, spelt as tmux spells it, or nothing."""
    with pytest.raises(InvalidPaneError) as caught:
        Pane(target)
    rule, advice = "a pane id looks like '%3'", "Terminal.panes() lists all panes"
    assert str(caught.value) == f"{rule}, got {target!r}; {advice}"


@pytest.mark.parametrize("target", [3, None, b"%3"])
def test_refused_type(target: object) -> None:
    """A number is no name, not even the one in an id."""
    with pytest.raises(InvalidPaneError) as caught:
        Pane(target)  # type: ignore[arg-type]  # the point of the test
    assert str(caught.value) == f"a pane is named by a str such as '%3' or 'shared', got {target!r}"


def test_panes_have_no_order() -> None:
    """Names do not sort, for ``%10`` would come before ``%9``."""
    with pytest.raises(TypeError, match="not supported between instances of 'Pane' and 'Pane'"):
        assert Pane("%9") < Pane("%10")  # type: ignore[operator]  # the point of the test


def test_the_server_makes_no_difference() -> None:
    """Who compares a pane with an id that was typed means what can be read."""
    one, other = Pane("%3", server="812.1700000000"), Pane("%3", server="9.1800000000")
    assert one == other == Pane("%3")
    assert hash(one) == hash(other)
    assert repr(one) == "Pane(target='%3')"


def test_the_server_survives_pickling() -> None:
    """An id that another process was given still means no other pane."""
    pane = Pane("%3", server="812.1700000000")
    assert pickle.loads(pickle.dumps(pane)).server == pane.server  # noqa: S301  # just pickled


@pytest.mark.parametrize("server", ["#(reboot)", "1,2", "}", " ", "é", "1\n"])
def test_refused_server(server: str) -> None:
    """It stands in a condition of tmux's own, where these would have a meaning."""
    with pytest.raises(InvalidPaneError) as caught:
        Pane("%3", server=server)
    message = f"a server's name has letters, digits, '.' and '-' only, got {server!r}"
    assert str(caught.value) == message


@pytest.mark.parametrize("cells", [1, 10_000])
def test_limits_are_sizes(cells: int) -> None:
    """One cell is a screen, and so is the largest one that tmux makes."""
    assert Size(cells, cells).rows == cells


@pytest.mark.parametrize("cells", [0, -1, 10_001, 80.0, "80", True, None])
def test_refused_size(cells: object) -> None:
    """Anything but a whole number that tmux takes is refused, on both sides."""
    with pytest.raises(InvalidScreenError) as columns:
        Size(cells, 24)  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(InvalidScreenError) as rows:
        Size(80, cells)  # type: ignore[arg-type]  # the point of the test
    rule = "are a whole number from 1 to 10000, got"
    assert str(columns.value) == f"a screen's columns {rule} {cells!r}"
    assert str(rows.value) == f"a screen's rows {rule} {cells!r}"


def test_a_size_as_a_tuple() -> None:
    """Columns and rows are enough, wherever a size goes."""
    assert to_size((100, 30)) == to_size(Size(100, 30)) == Size(100, 30)
    assert Screen(size=(9, 1), rows=("$",), cursor=Cursor(0, 2)).size == Size(9, 1)


@pytest.mark.parametrize("size", [80, "80x24", "ab", (80,), (80, 24, 1), None, {80, 24}])
def test_refused_as_a_size(size: object) -> None:
    """Anything else is refused, with the way to write one."""
    with pytest.raises(InvalidScreenError) as caught:
        to_size(size)  # type: ignore[arg-type]  # the point of the test
    assert str(caught.value) == f"a size is Size(columns, rows), or (columns, rows), got {size!r}"
