"""The fixtures that users get, in a test run of their own."""

import pytest


def run(pytester: pytest.Pytester, code: str) -> pytest.RunResult:
    """Run a user's tests, as a user does, away from our own settings."""
    pytester.makepyfile(code)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:hypothesispytest")


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
            "no pane %0",
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
