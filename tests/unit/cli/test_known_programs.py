"""`--program`: a profile or a strategy of one's own."""

from pathlib import Path

import pytest

from tests.unit.cli.conftest import Cli
from tmuxprim._cli.pane_commands import _strategy
from tmuxprim._cli.parser import parse
from tmuxprim._readiness.default import default_chain
from tmuxprim.profiles import OPENCODE, SHELL


@pytest.mark.parametrize("command", [("wait", "work"), ("send", "work", "ls"), ("mcp",)])
def test_it_is_imported(command: tuple[str, ...]) -> None:
    """Several may be given, wherever something is waited for."""
    words = ("--program", "tmuxprim.profiles:OPENCODE", "--program", "tmuxprim.profiles:SHELL")
    assert parse([*command, *words]).known == [OPENCODE, SHELL]


@pytest.mark.parametrize("pattern", [None, "ready>"])
def test_it_is_asked_in_a_wait(pattern: str | None) -> None:
    """With a pattern, too."""
    words = [] if pattern is None else ["--pattern", pattern]
    options = parse(["wait", "work", "--program", "tmuxprim.profiles:OPENCODE", *words])
    assert _strategy(options) == default_chain(pattern, programs=[OPENCODE])


def test_other_programs_are_judged_as_ever(cli: Cli) -> None:
    """Such as the shell that stands at its prompt."""
    ran = cli("wait", "work", "--program", "tmuxprim.profiles:OPENCODE")
    assert (ran.status, ran.err) == (0, "ready (prompt): prompt '$' at the cursor\n")


@pytest.mark.parametrize(
    "word",
    [
        "no_such_module:IT",
        "tmuxprim.profiles:NO_SUCH",
        "tmuxprim.profiles",
        "tmuxprim.profiles:Profile",  # a class
        ":IT",
    ],
)
def test_what_cannot_be_imported_is_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is sent."""
    with pytest.raises(SystemExit) as ended:
        parse(["send", "work", "ls", "--program", word])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert f"a profile or a strategy that can be imported, got {word!r}" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [("IT = (", "SyntaxError"), ("1 / 0", "ZeroDivisionError"), ("exit(3)", "SystemExit: 3")],
)
def test_a_module_that_fails_is_refused(
    text: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With its error, in one line, whatever it does when it is imported."""
    (tmp_path / "module_that_fails.py").write_text(f"{text}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit) as ended:
        parse(["send", "work", "ls", "--program", "module_that_fails:IT"])
    assert ended.value.code == 2
    assert f"got 'module_that_fails:IT' ({told}" in capsys.readouterr().err
