"""The fixtures that users get, in a test run of their own."""

import re
import sys
from pathlib import Path

import pytest

from tmuxprim import Console, testing
from tmuxprim._tmux._private import private_server

# pytester forgets the modules that a run of its own has imported, and the next one would have
# others beside those that the package keeps. So all are there before.
IMPORTED = (Console, testing, private_server)

GUIDE = Path(__file__).parents[2] / "docs" / "testing.md"
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
        def test_console(console, fake_terminal, fake_clock):
            assert console.terminal is fake_terminal
            assert fake_terminal.clock is fake_clock
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
        def fake_programs():
            return {"sh": ScriptedShell({"make": "made"})}

        def test_make(console):
            assert console.run("make").output == "made\\n"
        """,
    )
    result.assert_outcomes(passed=1)


def test_a_failing_test_shows_each_pane_once(pytester: pytest.Pytester) -> None:
    """What it showed last; also if there is nothing to see, and if the pane has just gone."""
    result = run(
        pytester,
        """
        import pytest
        from tmuxprim import PaneNotFoundError

        @pytest.fixture
        def flickering(fake_terminal):
            class Flickering:
                def panes(self):
                    return fake_terminal.panes()
                def observe(self, pane):
                    raise PaneNotFoundError(f"no pane {pane}")
                def __repr__(self):
                    return "Flickering"
            return Flickering()

        def test_fails(console, fake_terminal, flickering):
            console.send("make love")
            console.wait_ready()
            console.keys("C-l")
            fake_terminal.open("sh")
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
            "tmuxprim.PaneNotFoundError: no pane %0",
        ]
    )
    assert str(result.stdout).count("pane %0 of FakeTerminal") == 1


def test_what_cannot_be_looked_at_is_not_shown(pytester: pytest.Pytester) -> None:
    """A class of terminals, a terminal for asyncio, a server that hangs: the report is whole."""
    result = run(
        pytester,
        """
        import pytest
        from tmuxprim import AsyncFakeTerminal, FakeTerminal

        @pytest.fixture
        def hanging():
            terminal = FakeTerminal(timeout=1.0)
            terminal.open()
            terminal.faults.hang(60.0)
            return terminal

        @pytest.mark.parametrize("make", [FakeTerminal, AsyncFakeTerminal])
        def test_fails(make, hanging):
            terminal = make()
            assert False

        @pytest.fixture
        def awaited():
            return AsyncFakeTerminal()

        def test_awaited(awaited):
            assert False
        """,
    )
    result.assert_outcomes(failed=3)
    assert "- pane " not in str(result.stdout)


def test_a_failing_setup_and_a_failing_teardown_show_panes(pytester: pytest.Pytester) -> None:
    """Those of fixtures that the test does not name; of the fake also when all is torn down."""
    result = run(
        pytester,
        """
        import pytest

        @pytest.fixture
        def logged_in(console):
            console.send("log in")
            raise RuntimeError("refused")

        @pytest.fixture
        def logged_out(console):
            yield
            console.send("log out")
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


def test_what_is_held_is_shown(pytester: pytest.Pytester) -> None:
    """By name, by an object of one's own, by a terminal that passes on, below one for asyncio."""
    result = run(
        pytester,
        """
        import asyncio
        import pytest
        from tmuxprim import AsyncConsole, AsyncFakeTerminal, FakeTerminal

        class Passing:
            def __init__(self, below):
                self.below = below
            def __getattr__(self, name):
                return getattr(self.below, name)
            def send(self, pane, keys, *, leave_mode=False):
                return self.below.send(pane, keys, leave_mode=leave_mode)

        class Driver:
            __slots__ = ("console", "other")  # as attrs makes them

            def __init__(self, console):
                self.console = console

        @pytest.fixture
        def passing():
            terminal = Passing(FakeTerminal())
            terminal.open()
            return terminal

        @pytest.fixture(scope="module")
        def driver():
            async def make():
                terminal = AsyncFakeTerminal()
                console = AsyncConsole(terminal, await terminal.open())
                await console.run("echo awaited")
                return console
            return Driver(asyncio.run(make()))

        @pytest.fixture
        def unnamed(driver):
            pass

        def test_by_name(request):
            request.getfixturevalue("console").send("by name")
            assert False

        def test_passing(passing):
            passing.clock.sleep(1.0)
            assert False

        @pytest.mark.parametrize("_", range(2))
        def test_driver(driver, _):
            assert False
        """,
    )
    result.assert_outcomes(failed=4)
    pane = "*- pane %0 of FakeTerminal(*"
    lines = [pane, "$ by name*", pane, "$", pane, "$ echo awaited", pane, "$ echo awaited"]
    result.stdout.fnmatch_lines(lines)
    assert str(result.stdout).count("- pane ") == 4


def test_nobody_else_is_asked(pytester: pytest.Pytester) -> None:
    """A proxy that connects, or tells what its class or attributes are; mocks; other panes."""
    result = run(
        pytester,
        """
        import pytest
        from pathlib import Path
        from unittest import mock
        from tmuxprim import Console, FakeTerminal, Terminal

        def asked(*_):
            with Path("asked").open("a") as file:
                file.write("asked ")
            raise RuntimeError("working outside of a request")

        class Proxy:
            __getattr__ = asked
            __class__ = __dict__ = property(asked)

        class Window:
            def panes(self):
                asked()

        FOREIGN = {
            "proxy": Proxy,
            "window": Window,
            "class": lambda: Console,
            "mock of a terminal": lambda: mock.Mock(spec=Terminal),
            "mock of a fake": lambda: mock.create_autospec(FakeTerminal, instance=True),
            "mock of a console": lambda: mock.Mock(spec=Console),
            "mock": lambda: mock.MagicMock(side_effect=asked),
        }

        @pytest.fixture(params=FOREIGN)
        def foreign(request):
            return FOREIGN[request.param]()

        def test_fails(foreign):
            raise KeyError
        """,
    )
    result.assert_outcomes(failed=7)
    assert "- pane " not in str(result.stdout)
    assert not (pytester.path / "asked").exists()


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
        def fake_programs():
            return {"failing": failing, "torn": torn}

        def test_program(fake_terminal):
            fake_terminal.open("failing")
            fake_terminal.faults.hang(4.0)
            assert False

        def test_text(fake_terminal):
            fake_terminal.open("torn")
            fake_terminal.clock.sleep(1.0)
            assert False

        @pytest.fixture
        def broken():
            class Broken:
                def panes(self):
                    return [Pane("%0")]
                def observe(self, pane):
                    return 1 / 0
                def __repr__(self):
                    return "Broken"
            return Broken()

        def test_broken(broken):
            assert False

        def test_next():
            pass
        """,
    )
    result.assert_outcomes(failed=3, passed=1)
    shown = ["*- pane %0 of Fake*", r"\udc80", "*- pane %0 of Broken -*", "ZeroDivisionError: *"]
    result.stdout.fnmatch_lines(shown)


def test_who_interrupts_is_heard(pytester: pytest.Pytester) -> None:
    """The run ends, also if that is while a screen is looked at."""
    result = run(
        pytester,
        """
        import pytest
        from tmuxprim import Console

        @pytest.fixture
        def interrupted():
            class Interrupted:
                def panes(self):
                    raise KeyboardInterrupt
                def observe(self, pane): ...
            return Interrupted()

        def test_fails(interrupted):
            assert Console is None
        """,
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_without_tmuxprim_nothing_is_imported(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run in which nobody uses it goes on as if the plugin were not there."""
    for name in [name for name in sys.modules if name.startswith("tmuxprim.")]:
        if name not in ("tmuxprim._public", "tmuxprim.pytest_plugin"):
            monkeypatch.delitem(sys.modules, name)
    result = run(
        pytester,
        """
        import sys
        import pytest

        @pytest.fixture
        def number():
            return 1

        def test_fails(number):
            assert False

        def test_loaded():
            loaded = {name for name in sys.modules if name.startswith("tmuxprim")}
            assert loaded == {"tmuxprim", "tmuxprim._public", "tmuxprim.pytest_plugin"}
        """,
    )
    result.assert_outcomes(failed=1, passed=1)


def test_the_report_of_a_replay_asks_it_nothing(pytester: pytest.Pytester) -> None:
    """It shows what was recorded; `assert_finished` is not told of a look that nobody recorded."""
    result = run(
        pytester,
        """
        import pytest
        from tmuxprim import Console, FakeTerminal
        from tmuxprim.testing import RecordingTerminal, ReplayTerminal

        def do(terminal):
            terminal.open()  # nobody looks at it
            Console(terminal, terminal.open()).run("echo hi")

        @pytest.fixture
        def replay(tmp_path):
            do(RecordingTerminal(FakeTerminal(), tmp_path / "do.jsonl"))
            replay = ReplayTerminal(tmp_path / "do.jsonl")
            yield replay
            replay.assert_finished()

        def test_fails(replay):
            do(replay)
            assert False
        """,
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*pane %1 of ReplayTerminal(*", "$ echo hi", "hi", "$*"])
    result.stdout.no_fnmatch_line("*pane %0 *")


def test_a_test_that_passes_shows_nothing(pytester: pytest.Pytester) -> None:
    """Nor does one without a terminal that fails."""
    result = run(
        pytester,
        """
        def test_passes(console):
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
    pytester.makepyfile("def test_real(tmux_terminal): pass")
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

        def test_real(tmux_terminal):
            from tmuxprim import Console
            shell = Console(tmux_terminal, tmux_terminal.open(["sh"]))
            assert shell.wait_ready()
            words = repr(tmux_terminal).split()
            screen = tmux_terminal.observe(shell.pane)
            Path("seen").write_text(f"{words[words.index('-S') + 1]} {screen.pane_pid}")

        def test_gone():
            socket, pid = Path("seen").read_text().split()
            assert not Path(socket).exists()
            deadline = time.monotonic() + 5
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
