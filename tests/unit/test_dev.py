"""What dev.py decides before it touches anything."""

import json
import os
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import TextIO
from zipfile import ZipFile

import pytest

import dev

APT_ROOT = dev.Machine("apt", is_root=True)
APT_SUDO = dev.Machine("apt", has_sudo=True)
APT_USER = dev.Machine("apt")
BREW_ROOT = dev.Machine("brew", is_root=True)
BREW_USER = dev.Machine("brew")
UNKNOWN = dev.Machine("", is_root=True)

STAMP = dev.Stamp("cpython-311 in /here", "a hash", ["test"])


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Give the commands that would have been run, in a directory of the test's own."""
    ran: list[list[str]] = []

    def run(*words: str | Path, **_: object) -> CompletedProcess[str]:
        ran.append([*map(str, words)])
        return CompletedProcess(words, 0, "")

    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "run", run)
    monkeypatch.setattr(dev, "ensure_venv", lambda *_, **__: Path("bin"))
    monkeypatch.setattr(dev, "install_programs", lambda _: [])
    return ran


class TestInstallCommands:
    """Which commands install programs, by machine and rights."""

    def test_root_updates_the_lists_and_then_installs(self) -> None:
        """A fresh Debian has no package lists, so an update comes before the install."""
        update, install = dev.install_commands(["tmux", "zsh"], APT_ROOT)
        assert update[0] == install[0] == "env"
        assert update[-1] == "update"
        assert install[-5:] == ["install", "--yes", "--no-install-recommends", "tmux", "zsh"]

    def test_others_install_as_they_can(self) -> None:
        """`sudo -n` asks no password, and drops the environment outside; brew names a formula."""
        for command in dev.install_commands(["tmux"], APT_SUDO):
            assert command[:5] == ["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
        assert dev.install_commands(["sqlite3"], BREW_USER) == [["brew", "install", "sqlite"]]

    def test_a_package_is_named_once_and_only_if_there_is_one(self) -> None:
        """One package brings several programs; some come with the system."""
        names = ["watch", "top", "su", "ssh-keygen", "ssh"]
        assert APT_ROOT.packages(names) == ["openssh-client", "procps", "util-linux"]
        assert BREW_USER.packages(names) == ["openssh", "watch"]
        assert BREW_USER.packages(["su", "top"]) == []

    @pytest.mark.parametrize(
        ("machine", "advice"),
        [
            (APT_USER, "sudo apt-get install sqlite3 tmux"),
            (BREW_ROOT, "brew install sqlite tmux"),
            (UNKNOWN, "use your system's package manager"),
        ],
    )
    def test_without_the_right_to_a_person_is_told_the_line(
        self, machine: dev.Machine, advice: str
    ) -> None:
        """No rights with apt, root with brew, or no known manager: nothing is run."""
        assert dev.install_commands(["tmux"], machine) == []
        assert dev.install_advice(["tmux", "sqlite3"], machine) == advice


class TestFindProgram:
    """Where programs are looked for."""

    @pytest.fixture
    def program(self, tmp_path: Path) -> Path:
        """Give a program in a directory of its own."""
        path = tmp_path / "a-server"
        path.touch(mode=0o755)
        return path

    def test_it_is_found_on_the_path(self, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """As a shell finds it."""
        monkeypatch.setenv("PATH", str(program.parent))
        assert dev.find_program(program.name) == str(program)

    @pytest.mark.parametrize("path", ["/nowhere", None])
    def test_it_is_found_elsewhere(
        self, program: Path, path: str | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Servers and a superuser's programs are often not on a person's PATH."""
        if path is None:
            monkeypatch.delenv("PATH")
        else:
            monkeypatch.setenv("PATH", path)
        assert dev.find_program(program.name) is None
        monkeypatch.setattr(dev, "ELSEWHERE", (str(program.parent),))
        assert dev.find_program(program.name) == str(program)


class TestInstallPrograms:
    """What comes back from trying."""

    def test_a_present_program_costs_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With every program there, not even the machine is looked at."""
        monkeypatch.setattr(shutil, "which", lambda name, **_: f"/bin/{name}")
        monkeypatch.delattr(dev, "this_machine")
        assert dev.install_programs(["tmux", "zsh"]) == []

    def test_no_right_to_install_is_a_note_and_no_error(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The caller goes on without the program; the person reads one line."""
        monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
        monkeypatch.setattr(dev, "this_machine", lambda: APT_USER)
        assert dev.install_programs(["tmux"]) == ["tmux"]
        expected = "note: missing: tmux; to install: sudo apt-get install tmux\n"
        assert capsys.readouterr().out == expected

    def test_a_failed_install_says_why(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The note holds the last line of the package manager."""
        failed = CompletedProcess([], 100, "Reading lists\nE: no such package")
        monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
        monkeypatch.setattr(dev, "this_machine", lambda: BREW_USER)
        monkeypatch.setattr(dev, "run", lambda *_, **__: failed)
        assert dev.install_programs(["tmux"]) == ["tmux"]
        note = "note: missing: tmux (E: no such package); to install: brew install tmux\n"
        assert capsys.readouterr().out == "+ brew install tmux\n" + note

    def test_what_was_installed_is_not_missing(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Whatever the package manager said: what counts is that the programs are there."""
        there = {"zsh"}

        def installs(*command: str, **_: object) -> CompletedProcess[str]:
            there.add(command[-1])
            return CompletedProcess(command, 1, "E: one source is down")

        monkeypatch.setattr(shutil, "which", lambda name, **_: name if name in there else None)
        monkeypatch.setattr(dev, "this_machine", lambda: BREW_USER)
        monkeypatch.setattr(dev, "run", installs)
        assert dev.install_programs(["tmux", "zsh"]) == []
        assert capsys.readouterr().out == "+ brew install tmux\n"


class TestStamp:
    """When the environment is kept, completed or rebuilt."""

    @pytest.mark.parametrize(
        ("found", "step"),
        [
            (STAMP, "keep"),
            (STAMP._replace(groups=["check", "test"]), "keep"),
            (STAMP._replace(groups=["bench"]), "install"),
            (STAMP._replace(project="another hash"), "install"),
            (STAMP._replace(base="cpython-312 in /here"), "rebuild"),
            (STAMP._replace(base="cpython-311 in /there"), "rebuild"),
            (None, "rebuild"),
        ],
    )
    def test_the_step_follows_from_what_changed(self, found: dev.Stamp | None, step: str) -> None:
        """More groups than wanted are fine; another Python or directory is not."""
        assert dev.next_step(found, STAMP) == step

    @pytest.mark.parametrize(
        ("text", "stamp"),
        [(json.dumps(STAMP), STAMP), *((text, None) for text in ("", "{", "7", '["two", "ones"]'))],
    )
    def test_a_stamp_comes_back_from_its_file(
        self, tmp_path: Path, text: str, stamp: dev.Stamp | None
    ) -> None:
        """Whatever cut the writing short, or if there is none, the environment is unfinished."""
        path = tmp_path / "stamp"
        assert dev.read_stamp(path) is None
        path.write_text(text, encoding="utf-8")
        assert dev.read_stamp(path) == stamp


class TestFindPython:
    """The Python that an environment is made of."""

    def test_it_says_its_tag(self) -> None:
        """This one, unless another is given by its path, which is run and asked."""
        tag = sys.implementation.cache_tag
        assert dev.find_python(None)[1] == tag
        assert dev.find_python(sys.executable) == (sys.executable, tag)

    def test_what_is_too_old_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A Python that exits with a failure from the probe is below our oldest."""
        monkeypatch.setattr(dev, "run", lambda *_, **__: CompletedProcess([], 1, "cpython-39"))
        with pytest.raises(dev.SetupError, match=r"3\.11 or newer, got 'python3': cpython-39"):
            dev.find_python("python3")


class TestAssistants:
    """The programs that `test-assistants` drives."""

    def test_what_is_missing_is_installed_and_all_is_played(
        self, ran: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each in a directory of its own."""
        monkeypatch.setattr(dev, "make_venv", lambda *_: None)
        monkeypatch.setattr(shutil, "which", str)
        monkeypatch.setenv("TMUXPRIM_RUNS", "")
        monkeypatch.setenv("TMUXPRIM_LOOPS", "")
        monkeypatch.setenv("TMUXPRIM_RESULTS", "")
        (tmp_path / "build/assistants/opencode-latest/node_modules/.bin").mkdir(parents=True)
        (tmp_path / "build/assistants/llm/bin/llm").mkdir(parents=True)
        assert dev.main(["test-assistants", "--runs", "10", "--loops", "2", "-x"]) == 0
        wanted = (
            "opencode-1.2.15 opencode-ai@1.2.15",
            "claude-code@latest",
            "codex@latest",
            "gemini-cli@latest",
            "qwen-code@latest",
            "aider-chat",
            "-m pytest tests/assistants/play_assistants.py -x",
        )
        lines = [" ".join(words) for words in ran]
        assert [line.endswith(end) for end, line in zip(wanted, lines, strict=True)] == [True] * 7
        assert (os.environ["TMUXPRIM_RUNS"], os.environ["TMUXPRIM_LOOPS"]) == ("10", "2")

    def test_npm_has_to_be_there(
        self,
        ran: list[list[str]],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """Else a person is told."""
        monkeypatch.setattr(shutil, "which", lambda _: None)
        assert dev.main(["test-assistants"]) == 1
        assert "npm is needed" in capsys.readouterr().out
        assert ran == []


class TestAdapters:
    """The frameworks that `test-adapters` plays with."""

    def test_a_framework_is_installed_once_and_played(
        self, ran: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each in an environment of its own, where pytest gets further arguments."""
        made: list[Path] = []
        monkeypatch.setattr(dev, "make_venv", lambda directory, _: made.append(directory))
        there = tmp_path / "build" / "adapters" / "langchain" / "bin" / "python"
        there.parent.mkdir(parents=True)
        there.touch()
        assert dev.main(["test-adapters", "-x"]) == 0
        lines = [" ".join(words) for words in ran]
        assert {path.name for path in made} == {*dev.FRAMEWORKS} - {"langchain"}
        for name, packages in dev.FRAMEWORKS.items():
            assert any(line.endswith(f" -c pytest.ini play_{name}.py -x") for line in lines)
            is_installed = any(line.endswith(" pytest " + " ".join(packages)) for line in lines)
            assert is_installed == (name != "langchain")

    def test_a_framework_that_is_not_known_is_told(
        self, ran: list[list[str]], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """With those that are."""
        assert dev.main(["test-adapters", "crewai"]) == 1
        assert "a framework is one of deepagents, " in capsys.readouterr().out
        assert ran == []


class TestTest:
    """Which tests `test` runs."""

    @pytest.mark.parametrize(
        ("rest", "parts"),
        [([], dev.QUICK_PARTS), (["tests/unit", "-x"], [("tests/unit", "-x")])],
    )
    def test_the_quick_ones_unless_told(
        self, rest: list[str], parts: list[tuple[str, ...]], ran: list[list[str]]
    ) -> None:
        """By default the quick tests run; tests that are named run instead."""
        assert dev.main(["test", *rest]) == 0
        assert sorted(ran) == sorted(["bin/python", "-m", "pytest", *part] for part in parts)

    def test_no_test_is_left_out(self) -> None:
        """The parts of the whole suite are all directories there are, and none twice."""
        apart, rest = dev.PARTS[:-1], dev.PARTS[-1]
        directories = [directory for part in apart for directory in part]
        assert [f"--ignore={directory}" for directory in directories] == list(rest)
        assert all((dev.ROOT / directory).is_dir() for directory in directories)


class TestWheel:
    """Which wheel is a whole one."""

    def test_no_file_is_left_out(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of whatever kind, but for what Python makes."""
        monkeypatch.setattr(dev, "ROOT", tmp_path)
        for name in ("a.py", "sub/.zshenv", "sub/b.py", "__pycache__/a.pyc"):
            (tmp_path / "tmuxprim" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "tmuxprim" / name).touch()
        with ZipFile(tmp_path / "x.whl", "w") as archive:
            archive.writestr("tmuxprim/a.py", "")
        assert dev.left_out(tmp_path / "x.whl") == ["tmuxprim/sub/.zshenv", "tmuxprim/sub/b.py"]

    def test_what_tests_it_is_there(self) -> None:
        """Each file and directory that is named."""
        assert all((dev.ROOT / name).exists() for name in dev.OF_WHEEL)


class TestSideBySide:
    """Commands that run at the same time."""

    def test_all_output_is_seen_and_a_failure_counts(
        self, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """The last one prints at once, the others when they have ended."""
        fails = (sys.executable, "-c", "print('first'); raise SystemExit(3)")
        assert dev.run_side_by_side([fails, (sys.executable, "-c", "print('last')")]) == 3
        printed = capfd.readouterr().out
        assert printed.index("last") < printed.index("== ") < printed.rindex("first")

    def test_one_alone(self, capfd: pytest.CaptureFixture[str]) -> None:
        """It has this terminal."""
        assert dev.run_side_by_side([(sys.executable, "-c", "print('alone')")]) == 0
        assert capfd.readouterr().out == "alone\n"


class TestDocs:
    """How the site is built."""

    def test_it_is_built_as_check_builds_it(
        self,
        ran: list[list[str]],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """A warning is a failure; a site that was built is shown the way to."""
        assert dev.main(["docs"]) == 0
        assert [words[:3] for words in ran] == [["bin/sphinx-build", "-n", "-W"]]
        assert "index.html" in capsys.readouterr().out
        monkeypatch.setattr(dev, "run", lambda *words, **_: CompletedProcess(words, 2, ""))
        assert dev.main(["docs"]) == 2
        assert "index.html" not in capsys.readouterr().out


class TestBench:
    """How the benchmarks are run."""

    @pytest.fixture
    def ran(
        self, ran: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> list[list[str]]:
        """Give what was run; each script prints its name and fails as its number is."""

        def run(
            *words: str | Path, into: TextIO | None = None, **_: object
        ) -> CompletedProcess[str]:
            ran.append([Path(word).name for word in words])
            if into is not None:
                into.write(f"printed by {ran[-1][1]}\n")
            if "--json" in words:
                (tmp_path / "report" / ran[-1][ran[-1].index("--json") + 1]).touch()
            if words[:2] == ("git", "diff"):
                return CompletedProcess(words, int((tmp_path / "changed").exists()), "")
            return CompletedProcess(words, -2 if "ansi" in str(words[1]) else 1, f"of {words[-1]}")

        scripts = tmp_path / "benchmarks"  # where the wheel is tested there are none
        scripts.mkdir()
        for name in ("ansi", "operations", "readiness", "scale", "send"):
            (scripts / f"bench_{name}.py").touch()
        monkeypatch.setattr(dev, "REPORT", tmp_path / "report")
        monkeypatch.setattr(dev, "run", run)
        return ran

    def test_one_is_run_with_its_arguments(self, ran: list[list[str]]) -> None:
        """All after its name are for the script."""
        assert dev.main(["bench", "readiness", "--evidence", "all"]) == 1
        assert ran == [["python", "bench_readiness.py", "--evidence", "all"]]

    def test_all_are_run(self, ran: list[list[str]]) -> None:
        """The worst status counts."""
        assert dev.main(["bench"]) == 2
        assert [words[1] for words in ran] == sorted(words[1] for words in ran)
        assert len(ran) == 5

    def test_a_report_tells_the_machine_and_all_tables(
        self, ran: list[list[str]], tmp_path: Path
    ) -> None:
        """In Markdown, with the pictures; the pages get the figures of what wrote JSON."""
        (tmp_path / "changed").touch()
        assert dev.main(["bench", "--report", "--quick"]) == 2
        assert ["python", "bench_ansi.py", "--markdown", "--quick"] in ran
        levels = ["--evidence", "all", "--seconds", "0", "--quick"]
        readiness = ["python", "bench_readiness.py", "--markdown", "--json", "evidence.json"]
        assert [*readiness, *levels] in ran
        page = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
        assert page.startswith(
            "# Benchmarks\n\nOf of --always-dirty with these arguments: --quick.\n"
        )
        assert "\n```\nof doctor\n```\n" in page
        end = "\n## scale\n\nprinted by bench_scale.py\n\n![scale](scale.svg)\n\n## send\n"
        assert end in page
        taken = [words[2] for words in ran if words[1] == "pages.py"]
        assert taken == ["evidence", "operations", "readiness", "scale"]

    def test_a_report_of_one_part(self, ran: list[list[str]], tmp_path: Path) -> None:
        """Takes over no figures that are older; tells what was run, and on which commit."""
        (tmp_path / "report").mkdir()
        (tmp_path / "report" / "ansi.json").touch()
        assert dev.main(["bench", "scale", "--report", "--panes", "1"]) == 1
        command = "bench scale --report --panes 1"
        assert ran[-1] == ["python", "pages.py", "scale", "scale.json", command, "of --always"]
        assert dev.main(["bench", "ansi", "--report"]) == 2
        assert ran[-1] == ["python", "bench_ansi.py", "--markdown"]

    def test_a_part_that_is_not_there(
        self, ran: list[list[str]], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Is told, with those that are."""
        assert dev.main(["bench", "speed", "--report"]) == 1
        told = (
            "dev.py: a report has ansi, evidence, operations, readiness, scale, send, got speed\n"
        )
        assert capsys.readouterr().out == told
        assert ran == []

    def test_a_benchmark_that_is_not_there(
        self, ran: list[list[str]], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Is told by the file that was looked for."""
        assert dev.main(["bench", "speed"]) == 1
        assert capsys.readouterr().out == "dev.py: found no benchmarks/bench_speed.py\n"
        assert ran == []


class TestCommandLine:
    """What reaches the commands."""

    def test_further_arguments_of_test_are_for_pytest(self) -> None:
        """Ours are taken out wherever they stand; the rest keeps its order."""
        options, rest = dev.make_parser().parse_known_args(
            ["test", "tests/unit", "-k", "mark and not slow", "--strict", "-x"]
        )
        assert options.strict
        assert rest == ["tests/unit", "-k", "mark and not slow", "-x"]

    def test_other_commands_refuse_what_they_do_not_know(self) -> None:
        """A misspelt option is an error, not silence."""
        with pytest.raises(SystemExit):
            dev.main(["check", "--fxi"])

    def test_every_command_has_help(self, capsys: pytest.CaptureFixture[str]) -> None:
        """No command prints what there is and succeeds."""
        assert dev.main([]) == 0
        shown = capsys.readouterr().out
        assert set(dev.COMMANDS) <= set(shown.split())

    def test_a_python_that_does_not_exist_is_a_message(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """What the system refuses is told like any other failure of a set-up."""
        assert dev.main(["test", "--python", "/no/python"]) == 1
        assert capsys.readouterr().out.endswith("No such file or directory: '/no/python'\n")

    def test_ctrl_c_ends_without_a_trace(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The exit status is the shell's for an interrupt."""

        def interrupted(*_: object) -> int:
            raise KeyboardInterrupt

        monkeypatch.setitem(dev.COMMANDS, "demo", interrupted)
        assert dev.main(["demo"]) == 130


@pytest.mark.parametrize(
    ("version", "system", "reason"),
    [
        ((3, 11, 0), "posix", None),
        ((3, 10, 13), "posix", "Python 3.11 or newer is needed, got 3.10.13"),
        ((3, 13, 0), "nt", "tmux does not run on Windows itself: use WSL"),
    ],
)
def test_what_cannot_work_is_told(
    version: tuple[int, ...], system: str, reason: str | None
) -> None:
    """An old Python and Windows get a sentence."""
    assert dev.why_not(version, system) == reason


def test_a_foreign_path_prints_as_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """A terminal in the C locale cannot stop a message."""
    dev.say("no such file: /home/zoë")
    assert capsys.readouterr().out == "no such file: /home/zo\\xeb\n"
