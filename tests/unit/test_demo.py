"""The demo: what it shows on the fake, on real tmux, and when it cannot go on."""

import runpy
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from tmuxprim import FakeTerminal, TmuxTerminal, demo
from tmuxprim.testing import FakeTty, Interrupted, ReadLine, Run, Sleep


@pytest.fixture
def without_tmux(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no program be found."""
    monkeypatch.setenv("PATH", str(tmp_path))


def on_a_fake(monkeypatch: pytest.MonkeyPatch, terminal: FakeTerminal) -> None:
    """Let the demo find tmux, and the terminal of its private server be *terminal*."""
    monkeypatch.setattr("shutil.which", lambda _: "tmux")
    monkeypatch.setattr(TmuxTerminal, "private", lambda: nullcontext(terminal))


def dying(tty: FakeTty) -> Run:
    """Play a bash that ends after its first command."""
    tty.write("$ ")
    yield ReadLine(raw=True)
    return 1


def silent(_tty: FakeTty) -> Run:
    """Play a bash that shows no prompt and ignores C-c."""
    while True:
        with suppress(Interrupted):
            yield Sleep(60.0)


@pytest.mark.usefixtures("without_tmux")
def test_without_tmux_it_runs_on_the_fake(capsys: pytest.CaptureFixture[str]) -> None:
    """It says so and how to get tmux, and goes well."""
    assert demo.main() == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("tmux is not installed, so this runs on the fake terminal")
    assert "apt install tmux" in shown.out
    assert shown.err == ""


def assert_told(out: str) -> None:
    """Check that each step is told, with what was seen and why that was ready."""
    steps = [line for line in out.splitlines() if line[:1].isdigit()]
    assert [step.partition(".")[0] for step in steps] == list("1234567")
    outcomes = [line.split(":")[1].strip() for line in out.splitlines() if "   why: " in line]
    assert outcomes == ["prompt"] * 3 + ["awaiting input", "prompt", "timed out", "prompt"]
    rows = [line.removeprefix("    | ") for line in out.splitlines() if line.startswith("    | ")]
    assert "hello from bash" in rows
    assert "total: 5 $" in rows
    assert "Continue? [y/N] y" in rows
    assert "you said y" in rows


@pytest.mark.usefixtures("without_tmux")
def test_on_the_fake_it_tells_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    """There are seven, among them a question and a timeout, and then the screen."""
    demo.main()
    assert_told(capsys.readouterr().out)


@pytest.mark.tmux
@pytest.mark.needs("bash")
def test_on_real_tmux_it_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Bash shows what the fake's script says of it."""
    assert demo.main() == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("1. start bash")
    assert_told(shown.out)


def test_an_error_is_told_without_a_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pane that goes away mid-way ends the demo with one line on stderr."""
    on_a_fake(monkeypatch, FakeTerminal(programs={"bash": dying}))
    assert demo.main() == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("1. start bash")
    assert shown.err.startswith("the demo cannot go on: there is no tmux server with a pane")
    assert shown.err.count("\n") == 1


def test_it_fails_when_the_shell_is_not_ready_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit status tells a script that things did not go well."""
    on_a_fake(monkeypatch, FakeTerminal(programs={"bash": silent}))
    assert demo.main() == 1
    assert "timed out" in capsys.readouterr().out


@pytest.mark.usefixtures("without_tmux")
def test_it_runs_as_a_module(capsys: pytest.CaptureFixture[str]) -> None:
    """``python -m tmuxprim.demo`` exits with the status of `main`."""
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(demo.__file__, run_name="__main__")
    assert caught.value.code == 0
    assert_told(capsys.readouterr().out)
