"""The demo: what it shows on the fake, on real tmux, and when it cannot go on."""

import os
import re
import runpy
from contextlib import nullcontext, suppress
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from docs.demo import __main__ as demo
from docs.demo.stage import BOARD, PlainStage, choose_stage
from tests.command_line import ROOT
from tmuxprim import FakeTerminal, TmuxTerminal
from tmuxprim.testing import FakeTty, Interrupted, ReadLine, Run, ScriptedShell, Sleep


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
    assert [step.partition(".")[0] for step in steps] == [str(number) for number in range(1, 13)]
    outcomes = [line.split(":")[1].strip() for line in out.splitlines() if "   why: " in line]
    asked = ["awaiting input", "prompt", "awaiting secret", "prompt"]
    assert outcomes == [
        *["prompt"] * 3,
        *asked,
        *["timed out", "prompt", "full-screen"],
        *["prompt"] * 2,
    ]
    assert r"   told: output '12 passed\n', exit status 1" in out
    assert (
        "   told: a script with sleep 0.5 reads \"$ sleep 1; echo 'total: 5 $'\": too early" in out
    )
    assert "   told: a test without tmux: one virtual hour took " in out
    assert "hunter2" not in out


@pytest.mark.usefixtures("without_tmux")
def test_on_the_fake_it_tells_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    """There are twelve, and the secret is not told."""
    demo.main()
    assert_told(capsys.readouterr().out)


@pytest.mark.tmux
@pytest.mark.needs("bash", "less")
def test_on_real_tmux_it_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Bash shows what the fake's script says of it."""
    assert demo.main() == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("1. open('bash', shell_integration=True)")
    assert_told(shown.out)


@pytest.mark.usefixtures("without_tmux")
def test_on_a_terminal_the_pane_is_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Above what is known of it, in colour; each step is left for a person to read."""
    pauses: list[float] = []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("docs.demo.stage.get_terminal_size", lambda: os.terminal_size((120, 40)))
    monkeypatch.setattr("time.sleep", pauses.append)
    assert demo.main() == 0
    assert len(pauses) == 12
    assert sum(pauses) < 15.0
    last = capsys.readouterr().out.split("\x1b[H")[-1]
    assert last.endswith(f"\x1b[{BOARD.rows + 1};1H")
    assert "\x1b[0mbuilt\x1b[m" in last
    assert "\x1b[0;1mkeys('q')\x1b[m" in last
    assert "\x1b[0;38;5;2mprompt, 3600 s (virtual)\x1b[m" in last


@pytest.mark.parametrize("size", [(50, 40), (120, 20)])
def test_on_a_small_terminal_it_is_plain(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """And where no colours are wanted."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("docs.demo.stage.get_terminal_size", lambda: os.terminal_size(size))
    assert isinstance(choose_stage(None), PlainStage)
    monkeypatch.setattr("docs.demo.stage.get_terminal_size", lambda: os.terminal_size((120, 40)))
    monkeypatch.setenv("NO_COLOR", "1")
    assert isinstance(choose_stage(None), PlainStage)


@pytest.mark.usefixtures("without_tmux")
def test_a_film_is_made_of_it(tmp_path: Path) -> None:
    """It begins with its end, which is seen also where nothing moves; what stays is drawn once."""
    film = tmp_path / "demo.svg"
    assert demo.main(["--svg", str(film)]) == 0
    svg = film.read_text(encoding="utf-8")
    ET.fromstring(svg)  # noqa: S314  # ours
    assert svg.count(">the\N{NO-BREAK SPACE}pane") == 1
    first, last = re.findall(r'<g class="(t\d+)"><g><text [^>]*>built<', svg)
    assert f".{first}{{visibility:hidden;" in svg
    assert f".{last}{{visibility:visible;" in svg
    for name in re.findall(r'<g class="(t\d+)"><g [^>]*><text [^>]*>send\(secret\)<', svg):
        assert f".{name}{{visibility:hidden;" in svg


def told_by(film: Path) -> set[str]:
    """Return the texts of a film, without times, prompts, and the name of who shows the screen."""
    texts = (
        text.replace("\N{NO-BREAK SPACE}", " ").strip().removeprefix("$ ")
        for text in re.findall(">([^<]+)</text>", film.read_text(encoding="utf-8"))
    )
    return {
        re.sub(r"\b[\d.]+ (m?s)\b", r"\1", text) for text in texts if "drawn its screen" not in text
    }


@pytest.mark.usefixtures("without_tmux")
def test_the_film_of_the_readme_is_of_this_code(tmp_path: Path) -> None:
    """If not, ``python3 dev.py demo --svg docs/demo.svg`` makes it anew."""
    assert demo.main(["--svg", str(tmp_path / "demo.svg")]) == 0
    assert told_by(ROOT / "docs" / "demo.svg") == told_by(tmp_path / "demo.svg")


def rows_of(picture: Path) -> list[str]:
    """Return the rows of a screenshot without their numbers, but for the pane that writes."""
    texts = re.findall(r'<text [^>]*y="(\d+)"[^>]*>([^<]*)<', picture.read_text(encoding="utf-8"))
    rows: dict[str, str] = {}
    for place, text in texts:
        rows[place] = rows.get(place, "") + re.sub(r"\d+", "0", text)
    shown = (row.replace("\N{NO-BREAK SPACE}", " ") for row in rows.values())
    return [row for row in shown if "web:" not in row]


@pytest.mark.tmux
@pytest.mark.needs("bash", "less")
def test_the_picture_of_the_guide_is_of_this_code(tmp_path: Path) -> None:
    """If not, ``python3 dev.py demo --watch docs/watch.svg`` makes it anew."""
    assert demo.main(["--watch", str(tmp_path / "watch.svg")]) == 0
    drawn = rows_of(tmp_path / "watch.svg")
    assert [row for row in drawn if "Remove 0 files? [y/N]" in row]
    assert drawn == rows_of(ROOT / "docs" / "watch.svg")


def test_no_film_is_made_of_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If there was nothing to be seen."""
    terminal = FakeTerminal(programs={"bash": dying})
    terminal.faults.hang(60.0)
    on_a_fake(monkeypatch, terminal)
    assert demo.main(["--svg", str(tmp_path / "demo.svg")]) == 1
    assert list(tmp_path.iterdir()) == []


def test_without_less_there_is_no_full_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is typed at the prompt then."""
    shell = ScriptedShell(otherwise=lambda _: "bash: less: command not found")
    on_a_fake(monkeypatch, FakeTerminal(programs={"bash": shell}))
    assert demo.main() == 0
    assert "keys('q')" not in capsys.readouterr().out


def test_an_error_is_told_without_a_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pane that goes away mid-way ends the demo with one line on stderr."""
    on_a_fake(monkeypatch, FakeTerminal(programs={"bash": dying}))
    assert demo.main() == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("1. open('bash', shell_integration=True)")
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
def test_it_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``python -m docs.demo`` exits with the status of `main`."""
    monkeypatch.setattr("sys.argv", ["demo"])
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(demo.__file__, run_name="__main__")
    assert caught.value.code == 0
    assert_told(capsys.readouterr().out)
