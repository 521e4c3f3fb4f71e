"""What the matrix of versions decides: which there are, how a table reads."""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import dev
from tests import matrix
from tests.matrix import MissingError, Result, Row, Tmux

REPORT = """<testsuites><testsuite>
<testcase classname="tests.contract.test_contract.TestTmuxTerminal" name="one"/>
<testcase classname="tests.contract.test_contract.TestTmuxTerminal" name="two">
  <skipped message="no"/></testcase>
<testcase classname="tests.tmux.test_sending" name="three"><error message="no server"/></testcase>
<testcase classname="tests.scenarios.test_scenarios" name="four"/>
<testcase classname="tests.scenarios.test_scenarios" name="five">
  <failure message="turn 1: EARLY, after 0.1 s"/></testcase>
<testcase classname="tests.scenarios.test_scenarios" name="six">
  <failure message="turn 1: MISSED, wanted PROMPT"/></testcase>
<testcase classname="tests.scenarios.test_scenarios" name="seven">
  <failure message="turn 1: LATE by 12 s"/></testcase>
</testsuite></testsuites>"""

TARGETS = """Others|bookworm|main|place://others/
Debian|bookworm-security|main|place://security/
Debian|bookworm|contrib|place://contrib/
Debian|bookworm|main|place://debian/"""


@pytest.fixture(autouse=True)
def directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is fetched and reported in a directory of the test's own."""
    monkeypatch.setattr(matrix, "ROOT", tmp_path)
    monkeypatch.setattr(matrix, "TMUXES", tmp_path / "tmux")
    monkeypatch.setattr(matrix, "REPORTS", tmp_path / "reports")


def put_tmux(name: str, version: str) -> Path:
    """Put a program that says this version where a suite's tmux is kept."""
    program = matrix.TMUXES / name / "bin" / "tmux"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho tmux {version}\n")
    program.chmod(0o755)
    return program


class TestAsk:
    """What a command says."""

    def test_its_output_comes_back(self) -> None:
        """Without the last line's end."""
        assert matrix.ask("echo", "a word") == "a word"

    @pytest.mark.parametrize(
        ("command", "reason"),
        [
            (("sh", "-c", "echo one; echo two >&2; exit 1"), "sh: two"),
            (("sh", "-c", "exit 3"), "sh: exit 3"),
            (("/no/such/program",), "No such file"),
        ],
    )
    def test_a_failure_is_what_is_missing(self, command: tuple[str, ...], reason: str) -> None:
        """With the last thing that was said."""
        with pytest.raises(MissingError, match=reason):
            matrix.ask(*command)


class TestTmuxes:
    """Which tmuxes there are."""

    def test_the_mirror_is_the_machines_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The mirror is Debian's main one, and not that of updates or of another vendor."""
        monkeypatch.setattr(matrix, "ask", lambda *_: TARGETS)
        assert matrix.find_mirror() == "place://debian/"
        monkeypatch.setattr(matrix, "ask", lambda *_: TARGETS.splitlines()[0])
        with pytest.raises(MissingError, match="no mirror of Debian"):
            matrix.find_mirror()

    def test_a_fetched_one_runs_on_its_own_libraries(self, tmp_path: Path) -> None:
        """By its own loader; a link to one that is not there is none."""
        root = tmp_path / "root"
        for path in ("lib/loaders/ld-linux-x86-64.so.2", "usr/lib/others/libevent-2.1.so.7"):
            (root / path).parent.mkdir(parents=True)
            (root / path).touch()
        (root / "lib" / "ld-linux.so.2").symlink_to("/no/such/loader")
        (root / "lib" / "loaders" / "libc.so.6").touch()
        matrix.write_script(tmp_path)
        (_, line) = (tmp_path / "bin" / "tmux").read_text().splitlines()
        assert line == (
            f"exec {root}/lib/loaders/ld-linux-x86-64.so.2 "
            f"--library-path {root}/lib/loaders:{root}/usr/lib/others "
            f'{root}/usr/bin/tmux "$@"'
        )

    def test_without_a_loader_there_is_none(self, tmp_path: Path) -> None:
        """As for a tmux that was built in another way."""
        with pytest.raises(MissingError, match="no loader"):
            matrix.write_script(tmp_path)

    def test_each_version_is_taken_once(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """This machine's own stands first; what is missing is told."""
        own = put_tmux("own", "3.3a")
        monkeypatch.setattr(shutil, "which", lambda _: str(own))
        monkeypatch.setattr(matrix, "SUITES", ("bookworm", "sid"))
        monkeypatch.setattr(matrix, "TAGS", ("3.2a", "3.4"))
        put_tmux("bookworm", "3.3a")
        sid, tag = put_tmux("sid", "3.8"), put_tmux("3.2a", "3.2a")
        found = [Tmux("3.3a", own), Tmux("3.2a", tag), Tmux("3.8", sid)]
        assert matrix.find_tmuxes(None) == found
        missing = "missing: tmux of 3.4: in no release of Debian; --sources REPOSITORY builds it\n"
        assert capsys.readouterr().out.endswith(missing)

    def test_what_is_not_here_is_got(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A suite's is fetched, a tag's is built; what was cut short before is begun anew."""
        (matrix.TMUXES / "sid" / "root").mkdir(parents=True)

        def fetch(suite: str, directory: Path) -> None:
            assert not directory.exists()
            put_tmux(suite, "3.8")

        def build(tag: str, repository: str, _: Path) -> None:
            put_tmux(tag, f"{tag} of {repository}")

        monkeypatch.setattr(matrix, "fetch", fetch)
        monkeypatch.setattr(matrix, "build", build)
        assert matrix.get("sid", None).version == "3.8"
        assert matrix.get("3.4", "sources").version == "3.4 of sources"


def test_pythons_have_to_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A shim on PATH of a version that is not there is none; the one that runs this is known."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    mine = "{}.{}".format(*sys.version_info)
    monkeypatch.setattr(matrix, "PYTHONS", (mine, "7.1", "7.2", "7.3"))
    place = tmp_path / ".pyenv" / "versions" / "7.2.5" / "bin" / "python3"
    place.parent.mkdir(parents=True)
    place.touch()

    def ask(*command: str) -> str:
        if command[0] in ("python7.1", str(place)):
            return ""
        raise MissingError(command[0])

    monkeypatch.setattr(matrix, "ask", ask)
    assert list(matrix.find_pythons()) == ["python7.1", str(place)]
    assert capsys.readouterr().out == "missing: Python 7.3\n"


class TestTable:
    """How results are counted and written."""

    def test_a_report_is_counted_by_part(self, tmp_path: Path) -> None:
        """Of scenarios that failed, each kind is counted."""
        report = tmp_path / "report.xml"
        report.write_text(REPORT)
        row = matrix.read("3.8", "3.13.0", report)
        assert row.cells == (
            *("3.8", "3.13.0", "1 of 1, 1 skipped", "0 of 1", "1 of 4"),
            *("1", "1", "1"),
        )
        assert not row.is_good

    def test_no_report_is_no_good(self, tmp_path: Path) -> None:
        """A run that was cut short has passed nothing."""
        row = matrix.read("3.8", "3.13.0", tmp_path / "none.xml")
        assert row.cells[2:5] == ("0 of 0",) * 3
        assert not row.is_good

    def test_it_is_markdown(self) -> None:
        """As it stands in the docs."""
        parts = dict.fromkeys(matrix.PARTS, Result(7))
        row = Row("3.8", "3.13.0", parts, Counter())
        assert row.is_good
        assert matrix.written([row]).splitlines() == [
            "| tmux | Python | contract | sending | scenarios | early | missed | wrong |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
            "| 3.8 | 3.13.0 | 7 of 7 | 7 of 7 | 7 of 7 | 0 | 0 | 0 |",
        ]


class TestMain:
    """Which runs there are."""

    @pytest.fixture
    def runs(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | None]]:
        """Give what was played."""
        runs: list[tuple[str, str | None]] = []

        def play(tmux: Tmux, python: str | None) -> Row:
            runs.append((tmux.version, python))
            result = Result(1, int(tmux.version == "3.1c"))
            return Row(tmux.version, "", dict.fromkeys(matrix.PARTS, result), Counter())

        tmuxes = [Tmux(version, Path(version)) for version in ("3.3a", "3.1c")]
        monkeypatch.setattr(matrix, "find_tmuxes", lambda _: tmuxes)
        monkeypatch.setattr(matrix, "find_pythons", lambda: iter(["python3.13"]))
        monkeypatch.setattr(matrix, "play", play)
        return runs

    def test_every_tmux_and_every_python(self, runs: list[tuple[str, str | None]]) -> None:
        """The other Pythons run on this machine's tmux; what failed is told by the status."""
        assert matrix.main([]) == 1
        assert runs == [("3.3a", None), ("3.1c", None), ("3.3a", "python3.13")]

    def test_only_some(self, runs: list[tuple[str, str | None]]) -> None:
        """Those versions that are named; none of them is no success."""
        assert matrix.main(["3.3a"]) == 0
        assert matrix.main(["3.9"]) == 1
        assert runs == [("3.3a", None)]


def test_the_tmux_is_first_on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """So every test takes it, and what runs inside it; `dev.py test` has the Pythons."""
    seen: dict[str, object] = {}
    matrix.REPORTS.mkdir()

    def run(command: tuple[str, ...], **options: object) -> None:
        seen.update(options, command=command)

    monkeypatch.setattr(matrix, "ask", lambda *_: "3.13.0")
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("PATH", "/bin")
    row = matrix.play(Tmux("3.8", tmp_path / "bin" / "tmux"), "python3.13")
    assert row.cells[:2] == ("3.8", "3.13.0")
    words = list(map(str, seen["command"]))  # type: ignore[call-overload]  # a list of words
    assert words[1:5] == [str(tmp_path / "dev.py"), "test", "--python", "python3.13"]
    environment = seen["env"]
    assert isinstance(environment, dict)
    assert environment["PATH"] == f"{tmp_path}/bin:/bin"


def test_dev_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands behind the command goes to it."""
    ran: list[tuple[str | Path, ...]] = []

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        ran.append(words)
        return subprocess.CompletedProcess(words, 0, "")

    monkeypatch.setattr(dev, "run", run)
    assert dev.main(["matrix", "--sources", "place", "3.8"]) == 0
    assert ran[0][1:] == (dev.ROOT / "tests" / "matrix.py", "--sources", "place", "3.8")
