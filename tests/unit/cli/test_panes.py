"""The commands about panes as a whole, on the fake."""

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import FakeTerminal, Pane, Size
from tmuxprim._cli.panes import table


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
    assert ran.err == (
        "tmuxprim: a name is for one session, and 'work' is taken: give another name, or take what "
        "is there with 'tmuxprim open --reuse'\n"
    )


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
    assert ran.out == "%1  1:0.0     100x30  cat\n%0  work:0.0  80x24   sh\n"
    facts = cli("panes", "--json").facts["panes"]
    assert isinstance(facts, list)
    assert facts[0] == {
        "pane": "%1",
        "name": "1:0.0",
        "window": "cat",
        "columns": 100,
        "rows": 30,
        "command": "cat",
        "title": "",
        "active": True,
        "dead": False,
    }


def test_no_server_has_no_panes(cli: Cli, site: FakeSite) -> None:
    """That is an answer, and no error."""
    site.terminal = FakeTerminal()
    ran = cli("panes")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert cli("panes", "--json").facts == {"status": 0, "panes": []}


def test_a_table_has_columns() -> None:
    """Words stand below each other, and no space at a line's end."""
    assert table([("%1", "a"), ("%10", "bcd")], ["x", ""]) == "%1   a    x\n%10  bcd\n"
