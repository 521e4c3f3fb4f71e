"""What is said of an error, and which exit status it has."""

import warnings

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import (
    InvalidKeyError,
    Pane,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
    TmuxTimeoutError,
)
from tmuxprim._cli.report import ADVICE
from tmuxprim._cli.status import Status, status_of_error
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import refuse_unless_runs
from tmuxprim.errors import Advice

WORK = Pane("work")
SECRET = b"hunter2\n"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InvalidKeyError("x"), 2),
        (PaneNotFoundError("x"), 3),
        (PaneDeadError("x"), 3),
        (TmuxServerError("x"), 3),
        (PaneBusyError("x"), 4),
        (TmuxCommandError(["ls"], 1, "x"), 4),
        (TmuxNotFoundError("x"), 5),
        (TmuxTimeoutError("x"), 5),
    ],
)
def test_each_error_has_its_status(error: TmuxprimError, status: int) -> None:
    """A script tells by it what to do."""
    assert status_of_error(error) == status


def test_the_numbers_never_change() -> None:
    """Scripts test them."""
    told = {status.name: int(status) for status in Status}
    assert told == {
        "READY": 0,
        "BAD_USE": 2,
        "GONE": 3,
        "REFUSED": 4,
        "NO_TMUX": 5,
        "BUG": 70,
        "UNWRITTEN": 74,
        "UNFINISHED": 122,
        "TIMED_OUT": 124,
        "NOTHING_RAN": 125,
        "INTERRUPTED": 130,
        "UNREAD": 141,
    }


@pytest.mark.parametrize("command", [["read"], ["wait"], ["send", "x"], ["keys", "C-c"]])
def test_a_pane_that_is_not_there(cli: Cli, command: list[str]) -> None:
    """A name is exact, and what to do is said in words of the command line."""
    name, *rest = command
    ran = cli(name, "wor", *rest)
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == (
        "tmuxprim: there is no pane 'wor' on this tmux server (any more); 'tmuxprim panes' lists "
        "all panes\n"
    )


def test_no_server(cli: Cli, site: FakeSite) -> None:
    """What starts one is said."""
    site.terminal.faults.stop_server()
    ran = cli("wait", "work")
    assert ran.status == 3
    assert "'tmuxprim open' starts one" in ran.err


def test_a_dead_pane(cli: Cli, site: FakeSite) -> None:
    """Nothing is sent to a program that has exited."""
    site.terminal.remain_on_exit = True
    cli("send", "work", "exit", "--wait")
    assert cli("wait", "work").status == 3
    assert cli("send", "work", "ls").status == 3


def test_a_pane_whose_input_is_off(cli: Cli, site: FakeSite) -> None:
    """It takes nothing."""
    site.terminal.set_input(WORK, on=False)
    ran = cli("keys", "work", "C-c")
    assert ran.status == 4
    assert "select-pane -e" in ran.err


def test_a_server_that_hangs(cli: Cli, site: FakeSite) -> None:
    """It is waited for as long as one call may take."""
    site.terminal.faults.hang(60.0)
    ran = cli("read", "work")
    assert ran.status == 5
    assert ran.err.startswith("tmuxprim: tmux did not answer within 5 s")


def test_each_advice_has_words_for_a_shell() -> None:
    """None of them are Python."""
    assert ADVICE.keys() == set(Advice)
    assert not any("(" in words or "=" in words for words in ADVICE.values())


def test_no_word_of_python_is_advised() -> None:
    """Somebody who has a shell is not told to call a method."""
    prefix, missing = Prefix((), ("tmux",)), FileNotFoundError(2, "No such file or directory")
    with pytest.raises(TmuxNotFoundError) as caught:
        refuse_unless_runs(prefix, ("tmux",), missing)
    assert caught.value.in_words(ADVICE) == (
        "cannot run 'tmux' (No such file or directory): install tmux (Debian: apt install tmux, "
        "macOS: brew install tmux)"
    )


def test_an_error_as_json(cli: Cli) -> None:
    """The class is its name; the line on stderr is there as well."""
    ran = cli("read", "wor", "--json")
    assert ran.facts["error"] == "PaneNotFoundError"
    assert ran.err == f"tmuxprim: {ran.facts['message']}\n"


def test_a_traceback_is_shown_if_that_is_wanted(cli: Cli) -> None:
    """And otherwise never."""
    ran = cli("read", "wor", "--debug")
    assert ran.err.startswith("Traceback (most recent call last)")
    assert "Traceback" not in cli("read", "wor").err


def test_an_error_of_our_own(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a status of its own, so that it is not taken for a timeout."""
    monkeypatch.setattr("tmuxprim._cli.quick_commands.read_pane", lambda *_: 1 / 0)
    ran = cli("read", "work")
    assert (ran.status, ran.out) == (70, "")
    assert "please report it" in ran.err
    assert ran.err.endswith("ZeroDivisionError: division by zero\n")


def test_a_warning_is_a_line(cli: Cli, site: FakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where control mode is wanted and not to be had."""

    def warn(*_: object, **__: object) -> str:
        warnings.warn("no control mode", RuntimeWarning, stacklevel=2)
        return "$"

    monkeypatch.setattr(site.terminal, "read", warn)
    ran = cli("read", "work")
    assert (ran.status, ran.out, ran.err) == (0, "$\n", "tmuxprim: no control mode\n")


class TestSecrets:
    """What comes from standard input is never printed."""

    def test_it_is_typed(self, cli: Cli, site: FakeSite) -> None:
        """The last line break is echo's, and not of the text."""
        cli("send", "work", "login", "--wait")
        ran = cli("send", "work", "-", "--wait", stdin=SECRET)
        assert (ran.status, "hunter2" in ran.out + ran.err) == (0, False)
        assert ran.out.endswith("7 characters\n$\n")
        assert str(site.terminal.sent(WORK)[2].keys) == "'hunter2'"

    @pytest.mark.parametrize(
        ("stdin", "typed"),
        [(b"a\r\n", "'a'"), (b"a\n\n", "'a\\n'"), (b"a", "'a'"), (b"\xc3\xa9", "'é'")],
    )
    def test_one_line_break_is_left_away(
        self, cli: Cli, site: FakeSite, stdin: bytes, typed: str
    ) -> None:
        """The one at the end; all else is typed as it is."""
        assert cli("send", "work", "-", "--no-enter", stdin=stdin).status == 0
        assert str(site.terminal.sent(WORK)[0].keys) == typed

    def test_run_reads_a_command(self, cli: Cli) -> None:
        """Several lines need no quotes that way."""
        assert cli("run", "work", "-", stdin=b"ls\nls\n").out == "a.txt\nb.txt\n" * 2

    def test_not_in_an_error_of_the_text(self, cli: Cli) -> None:
        """The error that the library raises holds the text."""
        ran = cli("send", "work", "-", stdin=b"hunter2\0\n")
        assert (ran.status, "hunter2" in ran.err) == (2, False)
        assert ran.err.startswith("tmuxprim: InvalidTextError, details withheld")

    def test_not_in_an_error_of_the_bytes(self, cli: Cli) -> None:
        """Nor that of Python."""
        ran = cli(
            "send",
            "work",
            "-",
            stdin=b"hunter2\xff\n",
        )
        assert ran.status == 2
        assert ran.err == (
            "tmuxprim: nothing was sent: standard input is not UTF-8, from its byte 7 on\n"
        )

    def test_not_in_a_traceback(self, cli: Cli) -> None:
        """It shows the places alone."""
        ran = cli("send", "work", "-", "--debug", "--json", stdin=b"hunter2\0\n")
        assert "hunter2" not in ran.err + ran.out
        assert "line" in ran.err

    def test_not_in_an_error_of_our_own(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever it holds."""

        def fail(*_: object) -> None:
            raise ValueError("hunter2")

        monkeypatch.setattr("tmuxprim._cli.pane_commands.read_text", fail)
        ran = cli("send", "work", "-", stdin=SECRET)
        assert (ran.status, "hunter2" in ran.err) == (70, False)

    def test_none_where_standard_input_is_closed(
        self, cli: Cli, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As behind ``<&-``; that is no error of ours."""
        monkeypatch.setattr("sys.stdin", None)
        ran = cli("send", "work", "-")
        assert ran.status == 2
        assert (
            ran.err
            == "tmuxprim: nothing was sent: standard input is closed; give the text as a word\n"
        )

    def test_a_busy_pane_is_told_of_all_the_same(self, cli: Cli, site: FakeSite) -> None:
        """An error that cannot hold the text is shown."""
        site.terminal.set_mode(WORK, "copy-mode")
        assert "is in copy-mode" in cli("send", "work", "-", stdin=SECRET).err

    def test_a_person_types_it_unseen(
        self, cli: Cli, site: FakeSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If standard input is a terminal, it is asked for as a password."""
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("getpass.getpass", lambda _: "hunter2")
        assert cli("send", "work", "-").status == 0
        site.terminal.assert_sent(WORK, "hunter2", "Enter")

    @pytest.mark.parametrize(("end_of_it", "status"), [(EOFError, 2), (KeyboardInterrupt, 130)])
    def test_a_person_types_nothing(
        self,
        cli: Cli,
        monkeypatch: pytest.MonkeyPatch,
        end_of_it: type[BaseException],
        status: int,
    ) -> None:
        """C-d or C-c at the question sends nothing, and says so in a line of its own."""

        def end(_: str) -> str:
            raise end_of_it

        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("getpass.getpass", end)
        ran = cli("send", "work", "-")
        assert ran.status == status
        assert ran.err == "\ntmuxprim: nothing was sent: no text was given\n"
