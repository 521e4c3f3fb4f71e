"""The commands about the states of panes, on the fake."""

import json
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import Console, Pane


@pytest.fixture
def panes(site: FakeSite) -> FakeSite:
    """Give a server with a shell at its prompt, one that works, and one that is asked."""
    for name, line in (("build", "make"), ("rm", "ask")):
        console = Console(site.terminal, site.terminal.open(name=name))
        assert console.wait_ready()
        console.send(line)
    site.terminal.clock.sleep(0.1)
    return site


def later(site: FakeSite, seconds: float, pane: str, line: str) -> None:
    """Plan a line to be typed."""
    console = Console(site.terminal, pane)
    site.terminal.clock.call_later(seconds, partial(_type, console, line))


def _type(console: Console, line: str) -> None:
    console.send(line)


def lines_of(text: str) -> list[str]:
    """Return the lines without the time of day."""
    lines = text.splitlines()
    for line in lines:
        time.strptime(line[:8], "%H:%M:%S")
    return [line[9:] for line in lines]


@pytest.mark.usefixtures("panes")
def test_states_of_all_panes(cli: Cli) -> None:
    """A table with the question, or else the reason."""
    ran = cli("panes", "--state")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "%1  build:0.0  working  make  make runs and does not read",
        "%2  rm:0.0     asking   ask   Continue? [y/N]",
        "%0  work:0.0   prompt   sh    prompt '$' at the cursor",
    ]


@pytest.mark.usefixtures("panes")
def test_states_for_programs(cli: Cli) -> None:
    """All that `panes` tells, and the state."""
    facts = cli("panes", "--state", "--json").facts["panes"]
    assert isinstance(facts, list)
    assert [one["state"] for one in facts] == ["working", "asking", "prompt"]
    assert facts[1]["name"] == "rm:0.0"
    assert facts[1]["question"] == "Continue? [y/N]"
    assert facts[1]["is_guess"] is False


def test_states_without_a_pane(cli: Cli, site: FakeSite) -> None:
    """Nothing is printed."""
    site.terminal.close(site.terminal.panes()[0])
    assert cli("panes", "--state").out == ""


@pytest.mark.usefixtures("panes", "at_a_terminal")
def test_states_in_colours(cli: Cli, site: FakeSite) -> None:
    """The pane is bold, a state has its colour, and a guess its question mark."""
    site.terminal.open("cat")
    out = cli("panes", "--state").out
    assert "\x1b[1m%2\x1b[m  rm:0.0     \x1b[1;35masking\x1b[m   ask" in out
    assert "\x1b[34mworking\x1b[m" in out


def test_guess_has_a_question_mark(
    cli: Cli, site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the table and in the lines."""
    for pane in site.terminal.panes():
        site.terminal.close(pane)
    site.terminal.open("python", name="loop")
    site.terminal.clock.sleep(5.0)
    monkeypatch.setattr(site.terminal, "probe", lambda _: None)  # as of a remote server
    assert "prompt?" in cli("panes", "--state").out
    (line,) = lines_of(cli("watch", "--timeout", "5").out)
    assert line.startswith("%0 prompt? (python): ")


def test_watch(cli: Cli, panes: FakeSite) -> None:
    """A line for each change, from the first state of each pane on."""
    later(panes, 1.0, "rm", "y")
    ran = cli("watch", "--timeout", "10")
    assert (ran.status, ran.err) == (0, "")
    assert lines_of(ran.out) == [
        "%2 asking (ask): a program waits for a line, after 'Continue? [y/N]'",
        "%0 prompt (sh): prompt '$' at the cursor",
        "%1 working (make): make runs and does not read",
        "%2 asking -> prompt (sh): prompt '$' at the cursor",
        "%1 working -> prompt (sh): prompt '$' at the cursor",
    ]


def test_watch_of_some_panes(cli: Cli, panes: FakeSite) -> None:
    """And of some states; it ends with its panes."""
    closes = partial(panes.terminal.close, Pane("build"))
    panes.terminal.clock.call_later(20.0, closes)
    ran = cli("watch", "build", "--only", "prompt", "--only", "exited", "--timeout", "60")
    first, last = lines_of(ran.out)
    assert first == "%1 working -> prompt (sh): prompt '$' at the cursor"
    assert last.startswith("%1 prompt -> exited: ")


def test_watch_for_programs(cli: Cli, panes: FakeSite) -> None:
    """One object for each change, and at the end the status."""
    before = time.time()
    ran = cli("watch", "build", "--timeout", "10", "--json")
    first, second, last = map(json.loads, ran.out.splitlines())
    assert (first["before"], first["state"], first["lasted"]) == (None, "working", 0.0)
    assert (second["before"], second["state"], second["program"]) == ("working", "prompt", "sh")
    assert 3.0 < second["lasted"] < 5.0
    assert before - 20.0 < first["since"] < time.time()
    assert last == {"status": 0}
    assert panes.is_closed


def test_watch_without_a_pane(cli: Cli, site: FakeSite) -> None:
    """The reason is told, and the status is that of a pane that is gone."""
    site.terminal.close(site.terminal.panes()[0])
    ran = cli("watch")
    assert (ran.status, ran.out) == (3, "")
    assert "no pane is left to watch" in ran.err


SCRIPT = """
import os, sys
names = "PANE", "STATE", "BEFORE", "PROGRAM", "QUESTION"
with open(sys.argv[1], "a") as log:
    print(*(os.environ[f"TMUXPRIM_{name}"] for name in names), *sys.argv[2:], sep="|", file=log)
"""


@pytest.mark.usefixtures("panes")
def test_program_at_each_change(cli: Cli, tmp_path: Path) -> None:
    """It is told of the change by its environment, and no shell reads its words."""
    log = tmp_path / "log"
    script = tmp_path / "act.py"
    script.write_text(SCRIPT)
    ran = cli(
        *("watch", "rm", "build", "--timeout", "10"),
        *("--exec", f"{sys.executable} {script} {log} ';' '$HOME'"),
    )
    assert (ran.status, ran.err) == (0, "")
    assert log.read_text().splitlines() == [
        "%2|asking||ask|Continue? [y/N]|;|$HOME",
        "%1|working||make||;|$HOME",
        "%1|prompt|working|sh||;|$HOME",
    ]


@pytest.mark.usefixtures("panes")
def test_bell(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """It rings on standard error, with a note where the terminal knows OSC 9."""
    monkeypatch.setattr("tmuxprim._cli.state_commands.takes_codes", lambda _: True)
    ran = cli("watch", "build", "--timeout", "10", "--notify", "--plain")
    assert ran.err == "\a\x1b]9;%1 working -> prompt (sh): prompt '$' at the cursor\a"


@pytest.mark.usefixtures("panes")
def test_program_that_fails(cli: Cli, tmp_path: Path) -> None:
    """Its status is told, and the watch goes on; so it does if it cannot be started any more."""
    ran = cli("watch", "rm", "--timeout", "1", "--json", "--exec", "false")
    assert ran.err == "tmuxprim: false ended with status 1\n"
    assert ran.status == 0
    program = tmp_path / "program"
    program.write_text("no program")
    program.chmod(0o755)
    ran = cli("watch", "rm", "--timeout", "1", "--exec", str(program))
    assert "cannot be run" in ran.err
    assert len(lines_of(ran.out)) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("watch", "--only", "busy"), "one of working, prompt"),
        (("watch", "--notify"), "--notify needs a terminal"),
        (("watch", "--exec", "no-such-program x"), "there is no 'no-such-program'"),
        (("watch", "--exec", ""), "a program has a name"),
        (("watch", "--exec", "'"), "a program is words as a shell reads them"),
        (("wait", "work", "other"), "give --any to wait for one of several"),
        (("wait", "--any", "work", "--for", "x"), "leave out --for and --gone"),
    ],
)
def test_bad_use(cli: Cli, words: tuple[str, ...], message: str) -> None:
    """It is refused."""
    ran = cli(*words)
    assert ran.status == 2
    assert message in ran.err


def test_wait_for_any(cli: Cli, panes: FakeSite) -> None:
    """The id of the pane that is ready first is printed, and why on stderr."""
    ran = cli("wait", "--any", "build", "rm")
    assert (ran.status, ran.out) == (0, "%2\n")
    assert ran.err == "%2 asking (ask): a program waits for a line, after 'Continue? [y/N]'\n"
    ran = cli("wait", "build", "--any", "--json")
    assert (ran.facts["pane"], ran.facts["state"]) == ("%1", "prompt")
    assert "done" in str(ran.facts["screen"])
    panes.terminal.clock.call_later(1.0, partial(panes.terminal.close, Pane("build")))
    later(panes, 0.0, "build", "make")
    panes.terminal.clock.sleep(0.5)
    ran = cli("wait", "build", "--any")
    assert (ran.status, ran.out) == (3, "%1\n")


def test_wait_for_any_times_out(cli: Cli, panes: FakeSite) -> None:
    """The status is that of a timeout; a pane that is ready never times out."""
    ran = cli("wait", "--any", "build", "--timeout", "1")
    assert (ran.status, ran.out) == (124, "")
    assert ran.err == "not ready (timed out): timed out after 1 s; each of 1 panes works\n"
    assert cli("wait", "--any", "build", "work", "--timeout", "0").out == "%0\n"
    assert panes.is_closed
