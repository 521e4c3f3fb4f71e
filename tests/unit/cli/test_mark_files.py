"""Marks in files, on the fake: where they are written and read, and what stands in the way."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import Mark, Pane

WORK = Pane("work")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give the path of a file that is not there yet."""
    return tmp_path / "mark"


def test_send_wait_read(cli: Cli, file: Path) -> None:
    """Three commands that share nothing but the file."""
    sent = cli("send", "work", "ls", "--mark", str(file))
    assert (sent.status, sent.out, sent.err) == (0, "", "")
    assert file.stat().st_mode & 0o777 == 0o600
    assert cli("wait", "work", "--since", str(file)).err.startswith("ready (prompt)")
    read = cli("read", "work", "--since", str(file))
    assert (read.status, read.out, read.err) == (0, "a.txt\nb.txt\n$\n", "")
    facts = cli("read", "work", "--since", str(file), "--json").facts
    assert facts == {"status": 0, "pane": "%0", "text": "a.txt\nb.txt\n$", "complete": True}
    late = cli("wait", "work", "--since", str(file), "--for", "a.txt")
    assert late.status == 0
    assert cli("wait", "work", "--since", str(file), "--for", "ls", "--timeout", "1").status == 124


def test_a_newer_mark_takes_the_place_of_an_older_one(cli: Cli, file: Path) -> None:
    """Also if it is shorter; keys have marks as well."""
    file.write_text("x" * 9000, encoding="utf-8")
    assert cli("keys", "work", "l", "s", "Enter", "--mark", str(file)).status == 0
    assert Mark.from_json(file.read_text(encoding="utf-8")).pane == Pane("%0")
    waited = cli("send", "work", "make", "--mark", str(file), "--timeout", "1")
    assert waited.status == 124
    assert cli("wait", "work", "--since", str(file)).status == 0


def test_on_standard_output_and_input(cli: Cli) -> None:
    """As a line for a pipe, or within the one JSON object."""
    line = cli("send", "work", "ls", "--mark", "-").out
    assert line.endswith("}\n")
    assert cli("wait", "work").status == 0
    assert cli("read", "work", "--since", "-", stdin=line.encode()).out.startswith("a.txt\n")
    facts = cli("send", "work", "ls", "--mark", "-", "--json", "--wait").facts
    assert facts["outcome"] == "prompt"
    mark = json.dumps(facts["mark"])
    assert cli("wait", "work", "--since", "-", stdin=mark.encode()).status == 0


def test_what_is_not_all_is_said(cli: Cli, site: FakeSite, file: Path) -> None:
    """On stderr: the text is for the next program."""
    cli("send", "work", "ls", "--mark", str(file))
    assert cli("wait", "work").status == 0
    site.terminal.resize(WORK, (40, 24))
    read = cli("read", "work", "--since", str(file))
    assert (read.status, read.out) == (0, "a.txt\nb.txt\n$\n")
    assert read.err == "this may not be exactly the new text\n"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no/mark", "nothing was sent: no mark can be written into 'no/mark': No such file or dir"),
        ("-", "nothing was sent: --mark - would mix the mark with the screen of --wait; name a"),
    ],
)
def test_nothing_is_sent_without_a_place_for_the_mark(
    cli: Cli, site: FakeSite, name: str, why: str
) -> None:
    """Or there would be nothing to wait for it by."""
    ran = cli("send", "work", "ls", "--wait", "--mark", name)
    assert (ran.status, ran.out) == (2, "")
    assert why in ran.err
    assert site.terminal.sent() == ()


def test_no_mark_to_read(cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file, one of something else, and no standard input."""
    assert "no mark can be read from 'no/mark'" in cli("wait", "work", "--since", "no/mark").err
    file.write_bytes(b"\xff")
    ran = cli("read", "work", "--since", str(file))
    assert (ran.status, ran.out) == (2, "")
    assert "no mark can be read from" in ran.err
    assert "got ''" in cli("read", "work", "--since", "-", stdin=b"").err
    monkeypatch.setattr("sys.stdin", None)
    assert "got ''" in cli("read", "work", "--since", "-").err
    ran = cli("wait", "--any", "work", "%0", "--since", str(file))
    assert (ran.status, "leave out --any" in ran.err) == (2, True)


def test_a_pipe_takes_a_mark(cli: Cli) -> None:
    """It has no length to cut."""
    assert cli("send", "work", "ls", "--mark", "/dev/null").status == 0
