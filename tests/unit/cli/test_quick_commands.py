"""The commands about panes as a whole, on the fake."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import FakeTerminal, Pane, Size
from tmuxprim._cli.quick_commands import table
from tmuxprim._tool.schema import SchemaForm, tool_schema


def test_open_prints_the_id(cli: Cli, site: FakeSite) -> None:
    """So a script can keep it: pane=$(tmuxprim open)."""
    ran = cli("open", "--name", "other", "--size", "100x30", "--cwd", "/", "--env", "A=b=c")
    assert (ran.status, ran.out, ran.err) == (0, "%1\n", "")
    assert site.terminal.observe(Pane("other")).size == Size(100, 30)
    assert cli("open", "--json").facts == {"status": 0, "pane": "%2", "opened": True}


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["cat -u"], "cat -u"),
        (["cat"], ["cat"]),
        (["--", "cat", "-u"], ["cat", "-u"]),
        (["cat;"], "cat;"),
        ([], None),
    ],
)
def test_open_starts_a_program(
    cli: Cli,
    site: FakeSite,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    command: list[str] | str | None,
) -> None:
    """Words are a program; one is for a shell if it holds what only a shell reads."""
    opened: list[object] = []
    monkeypatch.setattr(site.terminal, "open", lambda command, **_: opened.append(command))
    cli("open", *words)
    assert opened == [command]


def test_open_refuses_a_program_that_is_not_there(cli: Cli, site: FakeSite) -> None:
    """It is bad use, and no pane that is gone at once."""
    ran = cli("open", "nothing")
    assert (ran.status, ran.out, len(site.terminal.panes())) == (2, "", 1)
    assert "no program 'nothing'" in ran.err


def test_open_takes_what_is_there(cli: Cli, site: FakeSite) -> None:
    """And says that it was not opened."""
    ran = cli("open", "--name", "work", "--reuse", "--json")
    assert ran.facts == {"status": 0, "pane": "%0", "opened": False}
    assert cli("open", "--name", "new", "--reuse", "cat").out == "%1\n"
    assert site.terminal.observe(Pane("new")).command == "cat"
    ran = cli("open", "--reuse")
    assert (ran.status, ran.err) == (
        2,
        "tmuxprim: a pane is reused by its name, got none; give --name\n",
    )


@pytest.mark.usefixtures("at_a_terminal")
def test_open_tells_a_person_how_to_look(cli: Cli) -> None:
    """On the same server; a script gets the id alone."""
    assert cli("open", "--name", "new").err == "opened; to look at it: tmuxprim attach new\n"
    assert cli("-L", "my server", "open").err.endswith("tmuxprim -L 'my server' attach %2\n")
    ran = cli("-S", "/s", "--launcher", "ssh 'a b'", "open", "--name", "new", "--reuse")
    assert ran.err == (
        "it was there already; to look at it: tmuxprim -S /s --launcher 'ssh '\"'\"'a b'\"'\"'' "
        "attach new\n"
    )


@pytest.mark.parametrize(
    ("tmux", "command"),
    [
        (None, "attach-session"),
        ("/s,1,0", "switch-client"),
        ("/other,1,0", "attach-session"),
    ],
)
@pytest.mark.usefixtures("at_a_terminal")
def test_attach_becomes_tmux(
    cli: Cli, site: FakeSite, monkeypatch: pytest.MonkeyPatch, tmux: str | None, command: str
) -> None:
    """Or has the client switched that shows this very terminal."""
    if tmux is not None:
        monkeypatch.setenv("TMUX", tmux)
    assert cli("attach", "work").status == 0
    assert site.became == (command, "-t", "%0")


def test_attach_needs_a_terminal(cli: Cli, site: FakeSite) -> None:
    """And a pane that is there."""
    ran = cli("attach", "work")
    assert (ran.status, ran.err, site.became) == (
        2,
        "tmuxprim: attach needs a terminal as its standard input and output\n",
        (),
    )
    assert cli("attach", "wor").status == 3


@pytest.mark.usefixtures("at_a_terminal")
def test_ids_are_bold_on_a_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """TERM=dumb and NO_COLOR switch that off."""
    plain = "%0  work:0.0  80x24  sh\n"
    assert cli("panes").out == plain.replace("%0", "\x1b[1m%0\x1b[m")
    monkeypatch.setenv("TERM", "dumb")
    assert cli("panes").out == plain
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert cli("panes").out == plain


def test_a_name_that_is_taken(cli: Cli) -> None:
    """Tmux refuses."""
    ran = cli("open", "--name", "work")
    assert ran.status == 4
    assert ran.err == (
        "tmuxprim: a session named 'work' already exists; give another name, or take the "
        "existing pane with 'tmuxprim open --reuse'\n"
    )


def test_close_ends_the_pane(cli: Cli, site: FakeSite) -> None:
    """A name that no pane has may be misspelt, so it is an error as for the other commands."""
    ran = cli("close", "work", "--json")
    assert (ran.status, ran.facts) == (0, {"status": 0, "pane": "work"})
    assert site.terminal.panes() == ()
    assert cli("close", "work").status == 3


def test_a_screenshot_is_a_picture(cli: Cli, tmp_path: Path) -> None:
    """The file is told as it was named."""
    file = tmp_path / "out.svg"
    ran = cli("screenshot", "work", str(file))
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert file.read_text(encoding="utf-8").startswith("<svg ")
    facts = {"status": 0, "pane": "%0", "file": str(file)}
    assert cli("screenshot", "work", str(file), "--json").facts == facts


def test_a_screenshot_on_standard_output(cli: Cli) -> None:
    """A dash is no file."""
    ran = cli("screenshot", "work", "-")
    assert (ran.status, ran.out[:5], ran.err) == (0, "<svg ", "")
    facts = {"status": 0, "pane": "%0", "picture": ran.out}
    assert cli("screenshot", "work", "-", "--json").facts == facts
    assert not Path("-").exists()


def test_a_screenshot_that_cannot_be_written(cli: Cli, tmp_path: Path) -> None:
    """The person who named the file is told."""
    ran = cli("screenshot", "work", str(tmp_path))
    assert (ran.status, ran.out) == (74, "")
    assert ran.err.startswith("tmuxprim: the picture cannot be written: [Errno 21]")


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


# `tool-schema`, for programs that give a language model a terminal.


def test_it_is_the_tools(cli: Cli) -> None:
    """The form that most take is the default."""
    ran = cli("tool-schema")
    assert (ran.status, json.loads(ran.out)) == (0, tool_schema("openai"))


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp"])
def test_there_are_three_forms(cli: Cli, form: SchemaForm) -> None:
    """As JSON it is a part of the one object."""
    assert json.loads(cli("tool-schema", "--form", form).out) == tool_schema(form)
    assert cli("tool-schema", "--form", form, "--json").facts["schema"] == tool_schema(form)
