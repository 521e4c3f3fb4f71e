"""The commands that talk to a pane, on the fake."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import KeySequence, Pane, Screen
from tmuxprim._cli.pane_commands import strategy_of
from tmuxprim._cli.parser import parse
from tmuxprim._readiness.default import default_chain
from tmuxprim.profiles import OPENCODE, SHELL

WORK = Pane("work")


def test_send_types_the_text_and_presses_enter(cli: Cli, site: FakeSite) -> None:
    """Nothing is printed: no news is good news."""
    ran = cli("send", "work", "ls")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    site.terminal.assert_sent(WORK, "ls", "Enter")
    assert site.is_closed


def test_send_without_enter(cli: Cli, site: FakeSite) -> None:
    """The text alone is typed."""
    assert cli("send", "work", "ls", "--no-enter").status == 0
    site.terminal.assert_sent(WORK, "ls")


def test_an_empty_text_is_just_enter(cli: Cli, site: FakeSite) -> None:
    """As in the library."""
    assert cli("send", "work", "").status == 0
    site.terminal.assert_sent(WORK, "Enter")


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (["send", "work", "", "--no-enter"], "an empty text with --no-enter is nothing to send"),
        (["send", "work", "-", "--no-enter"], "an empty text with --no-enter is nothing to send"),
        (["keys", "work", ""], "no key is named, got ''"),
        (["keys", "work", " ", "", "--wait"], "no key is named, got ' ' ''"),
    ],
)
def test_nothing_to_send_is_bad_use(cli: Cli, site: FakeSite, argv: list[str], why: str) -> None:
    """A script whose variable is empty is told, and does not wait for what nobody asked for."""
    ran = cli(*argv, stdin=b"\n")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"tmuxprim: nothing was sent: {why}\n"
    assert site.terminal.sent() == ()


@pytest.mark.parametrize("argv", [["send", "work", "", "--no-enter"], ["keys", "work", ""]])
def test_nothing_but_to_leave_the_mode(cli: Cli, site: FakeSite, argv: list[str]) -> None:
    """That is something."""
    site.terminal.set_mode(WORK, "copy-mode")
    assert cli(*argv, "--leave-mode").status == 0
    assert site.terminal.observe(WORK).mode == ""


def test_send_and_wait_prints_the_screen(cli: Cli) -> None:
    """The screen is on stdout, how the wait ended on stderr."""
    ran = cli("send", "work", "make", "--wait")
    assert ran.status == 0
    assert ran.out == "$ make\ncompiling 100%\ndone\n$\n"
    assert ran.err == "ready (prompt): prompt '$' at the cursor\n"


def test_a_wait_that_takes_too_long(cli: Cli) -> None:
    """The status is 124, and stderr says what was awaited; how long implies the wait."""
    ran = cli("send", "work", "make", "--timeout", "1")
    assert ran.status == 124
    assert ran.out == "$ make\n"
    told = "timed out after 1 s; make runs and does not read"
    assert ran.err == f"not ready (timed out): {told}\n"


def test_send_waits_for_a_text_that_is_new(cli: Cli) -> None:
    """What was typed does not count."""
    cli("wait", "work")
    ran = cli("send", "work", "many", "--for", "line 99")
    assert (ran.status, ran.err) == (0, "ready (matched): 'line 99' is on the screen\n")
    ran = cli("send", "work", "nothing: line", "--for", "nothing: line", "--timeout", "1")
    assert ran.status == 124


def test_a_wait_for_a_prompt_of_another_look(cli: Cli) -> None:
    """A pattern takes the place of the known prompts."""
    ran = cli("send", "work", "login", "--pattern", "Password:")
    assert (ran.status, ran.err) == (0, "ready (prompt): the pattern is in 'Password:'\n")


@pytest.mark.parametrize(
    ("newlines", "sent"),
    [
        ("lf", "'a\\nb'"),
        ("enter", "'a' + Enter + 'b'"),
        ("paste", "paste 'a\\nb'"),
    ],
)
def test_what_a_line_break_is(cli: Cli, site: FakeSite, newlines: str, sent: str) -> None:
    """A line break is sent as it is, as Enter, or as part of a paste."""
    assert cli("send", "work", "a\nb", "--newlines", newlines, "--no-enter").status == 0
    assert str(site.terminal.sent(WORK)[0].keys) == sent


def test_keys_are_pressed_by_name(cli: Cli, site: FakeSite) -> None:
    """Each word is a key, and one word may hold several."""
    ran = cli("keys", "work", "C-u", "Up Up")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert str(site.terminal.sent(WORK)[0].keys) == "C-u + Up + Up"


def test_keys_may_wait(cli: Cli) -> None:
    """To interrupt and to see what came of it is one command."""
    cli("send", "work", "make", "--timeout", "1")
    ran = cli("keys", "work", "C-c", "--wait")
    assert ran.status == 0
    assert ran.out.endswith("$\n")


def test_read_prints_history_and_screen(cli: Cli) -> None:
    """As many rows of the history as asked for stand above the screen."""
    cli("send", "work", "many", "--wait")
    ran = cli("read", "work")
    assert ran.out.splitlines()[0] == "$ many"
    assert ran.out.endswith("line 100\n$\n")
    assert cli("read", "work", "--lines", "0").out.splitlines()[0] == "line 78"


def test_an_empty_screen_is_an_empty_text(cli: Cli) -> None:
    """Not even a line break is printed."""
    cli("open", "cat")
    assert cli("read", "%1").out == ""
    assert cli("wait", "%1").out == ""


def test_wait_has_no_mark(cli: Cli) -> None:
    """A process of its own judges the pane as it is: a command that runs is seen to run."""
    cli("send", "work", "make")
    ran = cli("wait", "work")
    assert (ran.status, ran.err) == (0, "ready (prompt): prompt '$' at the cursor\n")
    assert ran.out.endswith("done\n$\n")


def test_wait_finds_a_text_that_is_there_already(cli: Cli) -> None:
    """Without a mark all that is on the screen counts."""
    cli("send", "work", "ls", "--wait")
    assert cli("wait", "work", "--for", "a.txt").status == 0


def test_run_prints_exactly_the_output(cli: Cli) -> None:
    """Neither the command nor the prompt is printed, and nothing on stderr."""
    ran = cli("run", "work", "ls")
    assert (ran.status, ran.out, ran.err) == (0, "a.txt\nb.txt\n", "")


def test_run_says_that_a_command_asks(cli: Cli) -> None:
    """A script must not take a question for the output."""
    ran = cli("run", "work", "ask")
    assert (ran.status, ran.out) == (122, "Continue? [y/N] ")
    assert ran.err.startswith("ready (awaiting input): ")
    assert ran.err.endswith("; not exactly the output: the command has not ended\n")
    refused = cli("run", "work", "y")
    assert refused.status == 125
    assert "after 'Continue? [y/N]'; answer it with 'tmuxprim send'" in refused.err
    assert "you said y\n" in cli("send", "work", "y", "--wait").out


def test_run_is_told_how_many_rows_the_prompt_has(cli: Cli, site: FakeSite) -> None:
    """An old shell does not mark the end of the output. Else the status is 122, and it says why."""
    site.terminal.open("two-rows", name="two")
    ran = cli("run", "two", "ls", "--no-status")
    assert (ran.status, ran.out) == (122, "a.txt\nin ~\n")
    assert ran.err.endswith("prompt shows how many rows it has, or give the number\n")
    ran = cli("run", "two", "ls", "--prompt-rows", "2", "--no-status")
    assert (ran.status, ran.out, ran.err) == (0, "a.txt\n", "")


def test_run_ends_with_the_status_of_the_command(cli: Cli) -> None:
    """As a shell would, so that ``&&`` and ``set -e`` work."""
    ran = cli("run", "work", "nothing")
    assert (ran.status, ran.out, ran.err) == (127, "sh: nothing: not found\n", "")
    facts = cli("run", "work", "nothing", "--json").facts
    assert (facts["status"], facts["exit_status"]) == (127, 127)


def test_run_does_not_ask_for_the_status(cli: Cli, site: FakeSite) -> None:
    """Then nothing but the command is typed, and the status is that of the wait."""
    ran = cli("run", "work", "nothing", "--no-status")
    assert (ran.status, ran.out, ran.err) == (0, "sh: nothing: not found\n", "")
    site.terminal.assert_sent(WORK, "nothing", "Enter")


def test_run_asks_no_program_that_is_no_shell(cli: Cli, site: FakeSite) -> None:
    """A REPL has no exit status: a word says so, unless it is not wanted."""
    site.terminal.open("python", name="repl")
    ran = cli("run", "repl", "1 + 1")
    assert (ran.status, ran.out) == (0, "1 + 1\n")
    assert ran.err.startswith("the exit status is not known: no shell that can be asked for it")
    site.terminal.assert_sent(Pane("repl"), "1 + 1", "Enter")
    assert cli("run", "repl", "1 + 1", "--no-status").err == ""


def test_run_says_that_the_shell_does_not_answer(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is not a success."""
    monkeypatch.setattr("tmuxprim._engine.run.status_in", lambda _: None)
    ran = cli("run", "work", "ls")
    assert (ran.status, ran.out) == (122, "a.txt\nb.txt\n")
    assert ran.err == "the shell did not report the exit status of the command\n"


def test_run_loses_its_pane(cli: Cli) -> None:
    """The command was typed, so it is not said that nothing was run."""
    ran = cli("run", "work", "exit 3")
    assert ran.status == 122
    assert "exited" in ran.err


def test_tmux_hangs_before_run_types(cli: Cli, site: FakeSite) -> None:
    """It is certain that nothing was run."""
    site.terminal.faults.hang(60.0)
    assert cli("run", "work", "ls").status == 125


def test_tmux_hangs_while_run_types(
    cli: Cli, site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command may have arrived, so it is not said that nothing was run."""
    send = site.terminal.send

    def hang(
        pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        site.terminal.faults.hang(60.0)
        return send(pane, keys, leave_mode=leave_mode, seen=seen)

    monkeypatch.setattr(site.terminal, "send", hang)
    ran = cli("run", "work", "ls", "--json")
    assert (ran.status, ran.facts["error"]) == (122, "TmuxTimeoutError")


def test_run_cannot_type_the_second_line(
    cli: Cli, site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line was run."""
    send = site.terminal.send

    def scroll(
        pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        if site.terminal.sent():
            site.terminal.set_mode(WORK, "copy-mode")
        return send(pane, keys, leave_mode=leave_mode, seen=seen)

    monkeypatch.setattr(site.terminal, "send", scroll)
    ran = cli("run", "work", "ls\nls")
    assert (ran.status, ran.out) == (122, "")
    assert "only a part of the lines has been typed" in ran.err


def test_run_gives_up_without_output(cli: Cli) -> None:
    """The reason says so."""
    ran = cli("run", "work", "make", "--timeout", "300", "--idle-timeout", "1.5")
    assert ran.status == 124
    assert "no output for 1.5 s" in ran.err


def test_run_prints_all_output(cli: Cli) -> None:
    """It is the same where the pane keeps all of it."""
    ran = cli("run", "work", "ls", "--all-output")
    assert (ran.status, ran.out, ran.err) == (0, "a.txt\nb.txt\n", "")


def test_wait_until_a_text_is_gone(cli: Cli) -> None:
    """It is there until then."""
    assert cli("send", "work", "ls", "--gone", "no.txt").status == 0
    assert cli("wait", "work", "--gone", "a.txt", "--timeout", "1").status == 124


def test_run_says_that_the_time_is_up(cli: Cli) -> None:
    """What was printed until then is there."""
    ran = cli("run", "work", "make", "--timeout", "3")
    assert (ran.status, ran.out) == (124, "compiling 100%\n")
    assert ran.err.startswith("not ready (timed out)")


def test_a_program_that_exits(cli: Cli) -> None:
    """It is not ready, and the status says why."""
    ran = cli("send", "work", "exit", "--wait")
    assert ran.status == 3
    assert ran.err.startswith("not ready (exited): ")


def test_copy_mode_is_left_if_that_is_wanted(cli: Cli, site: FakeSite) -> None:
    """And otherwise a person who reads there is not disturbed."""
    site.terminal.set_mode(WORK, "copy-mode")
    refused = cli("send", "work", "ls")
    assert refused.status == 4
    assert "is in copy-mode" in refused.err
    assert refused.err.endswith("; give --leave-mode to leave the mode first\n")
    assert cli("send", "work", "ls", "--leave-mode").status == 0


def test_run_leaves_copy_mode_first(cli: Cli, site: FakeSite) -> None:
    """Without the option, `run` waits until a person leaves the mode, or the time is up."""
    site.terminal.set_mode(WORK, "copy-mode")
    assert cli("run", "work", "ls", "--timeout", "1").status == 125
    assert cli("run", "work", "ls", "--timeout", "1", "--leave-mode").out == "a.txt\nb.txt\n"


class TestJson:
    """What programs are told."""

    def test_of_what_was_sent(self, cli: Cli) -> None:
        """The pane by its id; never the text."""
        for argv in (["send", "work", "ls"], ["keys", "work", "C-l"]):
            assert cli(*argv, "--json").facts == {"status": 0, "pane": "%0"}

    def test_of_a_wait(self, cli: Cli) -> None:
        """Everything is in the one object, and stderr stays empty."""
        ran = cli("--json", "send", "work", "ask", "--wait")
        assert ran.err == ""
        facts = ran.facts
        elapsed = facts.pop("elapsed")
        assert isinstance(elapsed, float)
        assert facts == {
            "status": 0,
            "pane": "%0",
            "outcome": "awaiting input",
            "ready": True,
            "reason": "a program waits for a line, after 'Continue? [y/N]'",
            "is_guess": False,
            "strategy": "AwaitingInputStrategy",
            "screen": "$ ask\nContinue? [y/N]",
            "cursor": {"row": 1, "column": 16},
            "command": "ask",
            "title": "",
            "pane_exit_status": None,
        }

    def test_of_a_wait_that_failed(self, cli: Cli) -> None:
        """The object also holds the status."""
        facts = cli("send", "work", "make", "--timeout", "1", "--json").facts
        assert (facts["status"], facts["outcome"], facts["ready"]) == (124, "timed out", False)

    def test_of_a_read(self, cli: Cli) -> None:
        """The text, without a line break at its end."""
        cli("run", "work", "ls", "--no-status")
        facts = cli("read", "work", "--json").facts
        assert facts == {"status": 0, "pane": "%0", "text": "$ ls\na.txt\nb.txt\n$"}

    def test_of_a_run(self, cli: Cli) -> None:
        """The output and whether it is complete, besides what is said of a wait."""
        facts = cli("run", "work", "ls", "--json").facts
        assert facts["output"] == "a.txt\nb.txt\n"
        assert facts["complete"] is True
        assert facts["outcome"] == "prompt"


# `--program`: a profile or a strategy of one's own.


@pytest.mark.parametrize("command", [("wait", "work"), ("send", "work", "ls"), ("mcp",)])
def test_it_is_imported(command: tuple[str, ...]) -> None:
    """Several may be given, wherever something is waited for."""
    words = ("--program", "tmuxprim.profiles:OPENCODE", "--program", "tmuxprim.profiles:SHELL")
    assert parse([*command, *words]).known == [OPENCODE, SHELL]


def test_a_package_brings_one_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By an entry point, as any package can have; another name is refused."""
    package = tmp_path / "tmuxprim_chat-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: tmuxprim-chat\nVersion: 1.0\n")
    entry = "[tmuxprim.profiles]\nchat = tmuxprim.profiles:OPENCODE\n"
    (package / "entry_points.txt").write_text(entry)
    monkeypatch.syspath_prepend(tmp_path)
    assert parse(["wait", "work", "--program", "chat"]).known == [OPENCODE]
    with pytest.raises(SystemExit):
        parse(["wait", "work", "--program", "chart"])
    assert "or the name of an installed one, got 'chart'" in capsys.readouterr().err


@pytest.mark.parametrize("pattern", [None, "ready>"])
def test_it_is_asked_in_a_wait(pattern: str | None) -> None:
    """A pattern does not replace the program's profile."""
    words = [] if pattern is None else ["--pattern", pattern]
    options = parse(["wait", "work", "--program", "tmuxprim.profiles:OPENCODE", *words])
    assert strategy_of(options) == default_chain(pattern, programs=[OPENCODE])


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
    assert f"can be imported, or the name of an installed one, got {word!r}" in told


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


# What lets a shell complete the commands.


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_reads_it(cli: Cli, shell: str) -> None:
    """It knows commands, options, choices, and asks tmux for the names of sessions."""
    ran = cli("completion", shell)
    assert (ran.status, ran.err) == (0, "")
    for word in ("attach", "prompt-rows", "anthropic", "tmux list-sessions"):
        assert word in ran.out
    assert cli("completion", shell, "--json").facts["completion"] == ran.out.removesuffix("\n")


@pytest.mark.needs("bash")
def test_bash_completes(cli: Cli) -> None:
    """A command, by its beginning."""
    script = cli("completion", "bash").out
    ask = 'COMP_WORDS=(tmuxprim op); COMP_CWORD=1; _shtab_tmuxprim; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script + ask], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("open\n", "")


def test_without_the_package(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install."""
    monkeypatch.setitem(sys.modules, "shtab", None)
    ran = cli("completion", "bash")
    assert (ran.status, ran.out) == (2, "")
    assert 'pip install "tmuxprim[completion]"' in ran.err
