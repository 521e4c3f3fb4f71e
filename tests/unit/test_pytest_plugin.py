"""The fixtures that users get, in a test run of their own."""

import json
import logging
import re
from pathlib import Path

import pytest

from tmuxprim import Console, testing
from tmuxprim._tmux.private import PrivateServer

# pytester forgets the modules that a run of its own has imported, and the next one would have
# others beside those that the package keeps. So all are there before.
IMPORTED = (Console, testing, PrivateServer)

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "testing.md"
ALONE = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")


def run(pytester: pytest.Pytester, code: str) -> pytest.RunResult:
    """Run a user's tests, as a user does, away from our own settings."""
    pytester.makepyfile(code)
    return pytester.runpytest_inprocess(*ALONE, no_reraise_ctrlc=True)


def test_fixtures_are_found_and_fit_together(pytester: pytest.Pytester) -> None:
    """The clock is that of the terminal, and the console stands at its prompt."""
    result = run(
        pytester,
        """
        def test_console(tmuxprim_console, tmuxprim_fake_terminal, tmuxprim_fake_clock):
            console = tmuxprim_console
            assert console.terminal is tmuxprim_fake_terminal
            assert tmuxprim_fake_terminal.clock is tmuxprim_fake_clock
            assert console.read() == "$"
            console.send("exit")
            assert not console.wait_ready()
        """,
    )
    result.assert_outcomes(passed=1)


def test_a_project_gives_the_fake_its_programs(pytester: pytest.Pytester) -> None:
    """By a fixture of its own, and keeps the others."""
    result = run(
        pytester,
        """
        import pytest
        from tmuxprim.testing import ScriptedShell

        @pytest.fixture
        def tmuxprim_fake_programs():
            return {"sh": ScriptedShell({"make": "made"})}

        def test_make(tmuxprim_console):
            assert tmuxprim_console.run("make").output == "made\\n"
        """,
    )
    result.assert_outcomes(passed=1)


def test_a_failing_test_shows_each_pane(pytester: pytest.Pytester) -> None:
    """What it showed last; also if there is nothing to see, and if the pane has just gone."""
    result = run(
        pytester,
        """
        import pytest
        from tmuxprim import PaneNotFoundError

        class Flickering:
            def __init__(self, below):
                self.panes = below.panes
            def observe(self, pane):
                raise PaneNotFoundError(f"no pane {pane}")
            def __repr__(self):
                return "Flickering"

        def test_fails(tmuxprim_console, tmuxprim_fake_terminal, tmuxprim_shown):
            tmuxprim_shown.append(Flickering(tmuxprim_fake_terminal))
            tmuxprim_console.send("make love")
            tmuxprim_console.wait_ready()
            tmuxprim_console.keys("C-l")
            tmuxprim_fake_terminal.open("sh")
            assert False
        """,
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*- pane %0 of FakeTerminal(*) -*",
            "$",
            "*- pane %1 of FakeTerminal(*) -*",
            "(empty)",
            "*- pane %0 of Flickering -*",
            "tmuxprim.errors.PaneNotFoundError: no pane %0",
        ]
    )
    assert str(result.stdout).count("pane %0 of FakeTerminal") == 1


def test_each_run_of_a_test_shows_its_own_terminals(pytester: pytest.Pytester) -> None:
    """None of another test, nor one that nobody has appended."""
    result = run(
        pytester,
        """
        import pytest
        from tmuxprim import FakeTerminal

        @pytest.fixture
        def mine():
            terminal = FakeTerminal()
            terminal.open()
            return terminal

        def test_appended(mine, tmuxprim_shown):
            tmuxprim_shown.append(mine)
            assert False

        def test_not_appended(mine):
            assert False

        def test_none(tmuxprim_shown):
            assert False
        """,
    )
    result.assert_outcomes(failed=3)
    assert str(result.stdout).count("- pane ") == 1


def test_a_terminal_that_cannot_be_looked_at_says_why(pytester: pytest.Pytester) -> None:
    """Such as a server that hangs: the report is whole."""
    result = run(
        pytester,
        """
        from tmuxprim import FakeTerminal

        def test_fails(tmuxprim_shown):
            terminal = FakeTerminal(timeout=1.0)
            terminal.open()
            terminal.faults.hang(60.0)
            tmuxprim_shown.append(terminal)
            assert False
        """,
    )
    result.assert_outcomes(failed=1)
    told = "tmuxprim.errors.TmuxTimeoutError: *"
    result.stdout.fnmatch_lines(["*- panes of a FakeTerminal -*", told])


def test_a_failing_setup_and_a_failing_teardown_show_panes(pytester: pytest.Pytester) -> None:
    """Those of fixtures that the test does not name; of the fake also when all is torn down."""
    result = run(
        pytester,
        """
        import pytest

        @pytest.fixture
        def logged_in(tmuxprim_console):
            tmuxprim_console.send("log in")
            raise RuntimeError("refused")

        @pytest.fixture
        def logged_out(tmuxprim_console):
            yield
            tmuxprim_console.send("log out")
            raise RuntimeError("refused")

        def test_setup(logged_in):
            pass

        def test_teardown(logged_out):
            pass

        def test_next():
            assert False
        """,
    )
    result.assert_outcomes(errors=2, passed=1, failed=1)
    titles = ["*ERROR at setup*", "*- pane %0 *", "$ log in*", "*ERROR at teardown*"]
    result.stdout.fnmatch_lines([*titles, "*- pane %0 *", "$ log out*"])
    assert str(result.stdout).count("- pane ") == 2


def test_no_report_is_lost(pytester: pytest.Pytester) -> None:
    """Whatever a terminal, or a program of the fake, does when it is looked at."""
    result = run(
        pytester,
        """
        import pytest
        from tmuxprim import Pane
        from tmuxprim.testing import Sleep

        def failing(tty):
            yield Sleep(3.0)
            pytest.fail("a bug in my fake")

        def torn(tty):
            tty.write(chr(0xDC80))
            yield Sleep(60.0)

        @pytest.fixture
        def tmuxprim_fake_programs():
            return {"failing": failing, "torn": torn}

        def test_program(tmuxprim_fake_terminal):
            tmuxprim_fake_terminal.open("failing")
            tmuxprim_fake_terminal.faults.hang(4.0)
            assert False

        def test_text(tmuxprim_fake_terminal):
            tmuxprim_fake_terminal.open("torn")
            tmuxprim_fake_terminal.clock.sleep(1.0)
            assert False

        class Broken:
            def panes(self):
                return [Pane("%0")]
            def observe(self, pane):
                return 1 / 0
            def __repr__(self):
                return "Broken"

        def test_broken(tmuxprim_shown):
            tmuxprim_shown.append(Broken())
            assert False

        def test_next():
            pass
        """,
    )
    result.assert_outcomes(failed=3, passed=1)
    shown = ["*- pane %0 of Fake*", r"\udc80", "*- pane %0 of Broken -*", "ZeroDivisionError: *"]
    result.stdout.fnmatch_lines(shown)


@pytest.mark.parametrize("method", ["panes", "observe"])
def test_who_interrupts_is_heard(pytester: pytest.Pytester, method: str) -> None:
    """The run ends, also if that is while a screen is looked at."""
    result = run(
        pytester,
        f"""
        from tmuxprim import Pane

        class Interrupted:
            def panes(self):
                return [Pane("%0")]
            def {method}(self, *_):
                raise KeyboardInterrupt

        def test_fails(tmuxprim_shown):
            tmuxprim_shown.append(Interrupted())
            assert False
        """,
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED


FAILING = """
    import logging

    import pytest

    @pytest.mark.parametrize("word", ["a/b"])
    def test_fails(tmuxprim_console, tmuxprim_fake_terminal, tmuxprim_shown, word):
        tmuxprim_console.send(f"make {word}")
        tmuxprim_console.wait_ready()
        tmuxprim_fake_terminal.open()
        tmuxprim_shown.append(None)
        logging.getLogger("mine").warning("seen")
        assert False

    def test_passes(tmuxprim_console):
        pass
"""


def test_evidence_of_a_failed_test_is_kept(pytester: pytest.Pytester) -> None:
    """A directory has each pane, as a picture if it can be seen, its waits, and recordings."""
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_inprocess(*ALONE, "--tmuxprim-evidence", "kept")
    result.assert_outcomes(passed=1, failed=1)
    [directory] = (pytester.path / "kept").iterdir()
    assert ".py_test_fails_a_b_-" in directory.name
    names = (
        "call-1.svg call-1.txt call-2.svg call-2.txt call-3.txt call-recording-1-0.cast "
        "call-recording-1-1.cast call-recording-1.jsonl call.log"
    )
    assert sorted(file.name for file in directory.iterdir()) == names.split()
    title, *rows = (directory / "call-1.txt").read_text().split("\n")
    assert title.startswith("pane %0 of FakeTerminal(")
    assert rows[:2] == ["", "$ make a/b"]
    assert (directory / "call-1.svg").read_text().startswith("<svg ")
    assert "PromptStrategy: ready" in (directory / "call.log").read_text()
    replay = testing.ReplayTerminal(directory / "call-recording-1.jsonl")
    console = Console(replay, replay.open())
    console.wait_ready()
    console.send("make a/b")
    assert "not found" in console.wait_ready().screen.text
    header, *events = (directory / "call-recording-1-0.cast").read_text().splitlines()
    assert json.loads(header)["title"] == "%0"
    assert "make a/b" in "".join(events)
    result.stdout.fnmatch_lines(
        ["*WARNING *mine:*seen", "*- tmuxprim evidence -*", f"kept/{directory.name}"]
    )
    result.stdout.no_fnmatch_line("*DEBUG*")  # it is in the file
    assert not logging.getLogger("tmuxprim").level


@pytest.mark.tmux
def test_evidence_of_a_real_terminal(pytester: pytest.Pytester) -> None:
    """It is the terminal that the test would have without, with its calls written down."""
    pytester.makepyfile(
        """
        from tmuxprim import Console, Pane, TmuxTerminal

        def test_fails(tmuxprim_terminal):
            assert type(tmuxprim_terminal) is TmuxTerminal
            tmuxprim_terminal.open(["sh"], name="shared")
            assert Console(tmuxprim_terminal, "shared").wait_ready()
            tmuxprim_terminal.watch_output(Pane("shared")).close()
            tmuxprim_terminal.tap(Pane("shared")).close()
            tmuxprim_terminal.read(Pane("shared"))
            assert False
        """
    )
    pytester.runpytest_inprocess(*ALONE, "--tmuxprim-evidence", "kept").assert_outcomes(failed=1)
    casts = [path.name for path in (pytester.path / "kept").glob("*/*.cast")]
    assert sorted(casts) == ["call-recording-1-0.cast", "call-recording-1-shared.cast"]


def test_tests_of_similar_names_have_a_folder_each(pytester: pytest.Pytester) -> None:
    """What a file's name cannot hold is left out of it."""
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("word", ["a/b", "a:b"])
        def test_fails(tmuxprim_console, word):
            assert False
        """
    )
    pytester.runpytest_inprocess(*ALONE, "--tmuxprim-evidence", "kept").assert_outcomes(failed=2)
    assert len([*(pytester.path / "kept").iterdir()]) == 2


def test_evidence_that_cannot_be_kept(pytester: pytest.Pytester) -> None:
    """The report says so, and has what it has without it."""
    pytester.makepyfile(
        """
        def test_fails(tmuxprim_console, tmuxprim_fake_terminal):
            tmuxprim_fake_terminal.faults.hang(60.0)
            assert False
        """
    )
    (pytester.path / "kept").touch()
    result = pytester.runpytest_inprocess(*ALONE, "--tmuxprim-evidence", "kept")
    result.stdout.fnmatch_lines(
        ["tmuxprim.errors.TmuxTimeoutError: *", "*- tmuxprim evidence -*", "NotADirectoryError: *"]
    )


def test_a_test_that_passes_shows_nothing(pytester: pytest.Pytester) -> None:
    """Nor does one without a terminal that fails."""
    result = run(
        pytester,
        """
        def test_passes(tmuxprim_console):
            pass

        def test_fails(tmp_path):
            assert False
        """,
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.no_fnmatch_line("*pane %*")


def test_without_tmux_its_tests_are_skipped(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the reason says how to get it."""
    monkeypatch.setattr("shutil.which", lambda _: None)
    pytester.makepyfile("def test_real(tmuxprim_terminal): pass")
    result = pytester.runpytest_inprocess("-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*tmux is not installed: apt install tmux*"])


@pytest.mark.tmux
def test_a_real_terminal_is_gone_afterwards(pytester: pytest.Pytester) -> None:
    """Its server, its socket and its programs are."""
    result = run(
        pytester,
        """
        import time
        from pathlib import Path

        def test_real(tmuxprim_terminal):
            from tmuxprim import Console
            shell = Console(tmuxprim_terminal, tmuxprim_terminal.open(["sh"]))
            assert shell.wait_ready()
            words = repr(tmuxprim_terminal).split()
            screen = tmuxprim_terminal.observe(shell.pane)
            Path("seen").write_text(f"{words[words.index('-S') + 1]} {screen.pane_pid}")

        def test_gone():
            socket, pid = Path("seen").read_text().split()
            assert not Path(socket).exists()
            deadline = time.monotonic() + 60
            while Path("/proc", pid).exists():  # the shell has been told, and is about to go
                assert time.monotonic() < deadline
        """,
    )
    result.assert_outcomes(passed=2)


@pytest.mark.tmux
@pytest.mark.needs("bash")
def test_the_guide_runs_a_test_on_both(pytester: pytest.Pytester) -> None:
    """Its test, with its conftest.py, on the fake and on real tmux."""
    section = GUIDE.read_text().partition("## Fixtures for pytest")[2].partition("\n## ")[0]
    test, conftest = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    pytester.makeconftest(conftest)
    run(pytester, test).assert_outcomes(passed=2)
