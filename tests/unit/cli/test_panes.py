"""The commands about panes as a whole, on the fake."""

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import Pane, Size, TmuxCommandError, TmuxServerError
from tmuxprim._cli.panes import parse_panes, table


def test_open_prints_the_id(cli: Cli, site: FakeSite) -> None:
    """So a script can keep it: pane=$(tmuxprim open)."""
    ran = cli("open", "--name", "other", "--size", "100x30", "--cwd", "/", "--env", "A=b=c")
    assert (ran.status, ran.out, ran.err) == (0, "%1\n", "")
    assert site.terminal.observe(Pane("other")).size == Size(100, 30)
    assert cli("open", "--json").facts == {"status": 0, "pane": "%2"}


@pytest.mark.parametrize("words", [["cat -u"], ["cat"], ["--", "cat", "-u"]])
def test_open_starts_a_program(cli: Cli, site: FakeSite, words: list[str]) -> None:
    """One word is for a shell, several are a program and its words."""
    assert cli("open", *words).status == 0
    assert site.terminal.observe(Pane("%1")).command == "cat"


def test_a_name_that_is_taken(cli: Cli) -> None:
    """Tmux refuses."""
    ran = cli("open", "--name", "work")
    assert ran.status == 4
    assert "duplicate session: work" in ran.err


def test_close_ends_the_pane(cli: Cli, site: FakeSite) -> None:
    """To close it twice is no error."""
    for _ in range(2):
        ran = cli("close", "work", "--json")
        assert (ran.status, ran.facts) == (0, {"status": 0, "pane": "work"})
    assert site.terminal.panes() == ()


def test_panes_are_listed(cli: Cli, site: FakeSite) -> None:
    """Each with its id, its name, its size, its command and its title."""
    site.terminal.open("cat", size=Size(100, 30))
    ran = cli("panes")
    assert ran.out == "%1  work:0.0  100x30  cat\n%0  work:0.0  80x24   sh\n"
    facts = cli("panes", "--json").facts["panes"]
    assert isinstance(facts, list)
    assert facts[0] == {
        "pane": "%1",
        "name": "work:0.0",
        "columns": 100,
        "rows": 30,
        "command": "cat",
        "title": "",
    }


def test_no_server_has_no_panes(cli: Cli, site: FakeSite) -> None:
    """That is an answer, and no error."""
    site.trouble = TmuxServerError("there is no tmux server")
    ran = cli("panes")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert cli("panes", "--json").facts == {"status": 0, "panes": []}


def test_a_title_may_hold_anything_but_a_line_break() -> None:
    """It stands last, so that nothing in it can be taken for a field."""
    (pane,) = parse_panes("%3\ta b\t1\t0\t80\t24\tvim\tone\ttwo\n")
    assert (pane["name"], pane["command"], pane["title"]) == ("a b:1.0", "vim", "one\ttwo")


@pytest.mark.parametrize("said", ["Welcome to far", "a\tb"])
def test_a_greeting_is_no_pane(said: str) -> None:
    """A launcher, or a login shell behind it, may print one; it is told, with its first line."""
    with pytest.raises(TmuxCommandError, match=r"\(no answer of tmux's"):
        parse_panes(f"{said}\n%3\ta b\t1\t0\t80\t24\tvim\tone\n")


def test_a_line_break_of_unicode_is_none_of_tmux() -> None:
    """It may stand in a title."""
    (pane,) = parse_panes("%3\ta\t1\t0\t80\t24\tvim\tone\u2028two\n")
    assert pane["title"] == "one\u2028two"


def test_a_table_has_columns() -> None:
    """Words stand below each other, and no space at a line's end."""
    assert table([("%1", "a"), ("%10", "bcd")], ["x", ""]) == "%1   a    x\n%10  bcd\n"
