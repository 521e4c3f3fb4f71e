"""What a command line means, and what is said of one that makes no sense."""

import re
import shlex

import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import Pane, __version__
from tmuxprim._cli.grammar import COMMANDS
from tmuxprim._cli.options import Options
from tmuxprim._cli.parser import parse
from tmuxprim._cli.status import COMMANDS_OWN, Status


def test_options_stand_anywhere() -> None:
    """Before the command, behind it, and behind what it is about."""
    for argv in (
        ["-L", "x", "--json", "read", "work", "--lines", "3"],
        ["read", "-L", "x", "--lines", "3", "work", "--json"],
        ["read", "work", "--lines=3", "--json", "-L", "x"],
    ):
        options = parse(argv)
        assert (options.command, options.pane, options.lines) == ("read", "work", 3)
        assert (options.socket_name, options.json) == ("x", True)


def test_what_is_not_said_is_the_default() -> None:
    """Each option has one, in one place."""
    options = parse(["wait", "work"])
    assert (options.timeout, options.pattern, options.awaited) == (None, None, None)
    assert (options.socket_path, options.launcher, options.transport) == (None, (), None)
    assert (options.tmux_timeout, options.debug, options.waits) == (5.0, False, False)


def test_a_launcher_is_words_as_a_shell_reads_them() -> None:
    """Quotes keep words together."""
    assert parse(["panes", "--launcher", "ssh 'my host'"]).launcher == ("ssh", "my host")


def test_how_long_tmux_is_waited_for_is_a_number_of_seconds() -> None:
    """A part of one will do."""
    assert parse(["panes", "--tmux-timeout", "0.5"]).tmux_timeout == 0.5


@pytest.mark.parametrize("option", ["--wait", "--timeout=5", "--pattern=x", "--for=x"])
def test_who_says_for_what_wants_to_wait(option: str) -> None:
    """An option that is about waiting is enough."""
    assert parse(["send", "work", "ls", option]).waits


def test_a_text_that_begins_with_a_dash(cli: Cli, site: FakeSite) -> None:
    """It stands behind --, as everywhere."""
    assert cli("send", "work", "--", "-la").status == 0
    site.terminal.assert_sent(Pane("work"), "-la", "Enter")


@pytest.mark.parametrize(
    ("argv", "sent"),
    [
        (["send", "work", "--no-enter", "--", "--"], "--"),
        (["send", "--no-enter", "--", "work", "--"], "--"),
        (["send", "work", "--no-enter", "--", "a -- b"], "a -- b"),
        (["keys", "work", "--", "-", "-"], "-"),
    ],
)
def test_a_text_that_is_two_dashes(cli: Cli, site: FakeSite, argv: list[str], sent: str) -> None:
    """Of several -- the first is the one that ends the options."""
    assert cli(*argv).status == 0
    assert sent in str(site.terminal.sent(Pane("work"))[0].keys)


def test_two_dashes_of_a_program() -> None:
    """They are its own, wherever they are."""
    assert parse(["open", "--", "git", "--", "a", "--"]).program == ["git", "--", "a", "--"]
    assert parse(["open", "--", "--"]).program == ["--"]
    assert parse(["keys", "work", "--", "-", "--"]).keys == ["-", "--"]


BAD = {
    "tmuxprim: there is no command 'snd'; did you mean 'send'?": ["snd"],
    "tmuxprim: there is no command 'frobnicate' (see": ["frobnicate", "work"],
    "tmuxprim help: there is no command 'nope' (see": ["help", "nope"],
    "tmuxprim help: there is no command 'opne'; did you mean 'open'?": ["help", "opne"],
    "wait: did not expect --tiemout; did you mean '--timeout'? (see 'tmuxprim wait --help')": [
        *("wait", "--tiemout", "5")
    ],
    "did not expect --jsn=1; did you mean '--json'?": ["panes", "--jsn=1"],
    "did not expect --frobnicate (see": ["panes", "--frobnicate"],
    "argument --form: one of openai, anthropic, mcp, got 'opnai'; did you mean 'openai'?": [
        *("tool-schema", "--form", "opnai")
    ],
    "the following arguments are required: PANE": ["read"],
    "the following arguments are required: TEXT": ["send", "work"],
    "the following arguments are required: KEY": ["keys", "work"],
    "did not expect other (see": ["read", "work", "other"],
    "did not expect --norc: put -- before the program": ["open", "bash", "--norc"],
    "did not expect ls: quote the text, so that it is one word, as in 'npm ls --json', and put "
    "-- before it if it begins with '-'": ["send", "work", "npm", "ls", "--json"],
    "did not expect -la: quote the text, so that it is one word, as in 'ls -la'": [
        *("run", "work", "ls", "-la")
    ],
    "give -L or -S, not both": ["-L", "a", "panes", "-S", "b"],
    "-L and -S name a server, and are not empty": ["-L", "", "panes"],
    "-L is a name without '/', got 'a/b': give -S for a path": ["panes", "-L", "a/b"],
    "-S name a server, and are not empty: leave them out for": ["send", "work", "ls", "-S", ""],
    "did not expect -- x: quote the text": ["send", "work", "a", "--", "--", "x"],
    "argument --timeout: seconds are a number from 0, got 'soon'": [
        *("wait", "work", "--timeout", "soon")
    ],
    "argument --tmux-timeout: seconds are a number above 0, got '0'": [
        *("panes", "--tmux-timeout", "0"),
    ],
    "argument --timeout: seconds are a number from 0, got '-1'": ["wait", "work", "--timeout=-1"],
    "argument --timeout: seconds are a number from 0, got 'inf'": [
        "run",
        "w",
        "x",
        "--timeout=inf",
    ],
    "argument --lines: lines are a whole number from 0, got '1.5'": ["read", "w", "--lines=1.5"],
    "argument --prompt-rows: a prompt has one row or more, got '0'": [
        *("run", "w", "ls", "--prompt-rows", "0"),
    ],
    "argument --size: a size looks like 80x24, got '80'": ["open", "--size", "80"],
    "argument --env: a variable looks like NAME=VALUE, got '=b'": ["open", "--env", "=b"],
    "argument --launcher: a launcher is words as a shell reads them (No closing quotation), got": [
        *("panes", "--launcher", "ssh 'host")
    ],
    "argument --for: not allowed with argument --pattern": [
        *("wait", "work", "--pattern", "a", "--for", "b")
    ],
}


@pytest.mark.parametrize("message", BAD)
def test_bad_use(cli: Cli, site: FakeSite, message: str) -> None:
    """One line says what is wrong, and nothing is sent. `run` keeps 2 for its command."""
    ran = cli(*BAD[message])
    assert (ran.status, ran.out) == (125 if BAD[message][0] == "run" else 2, "")
    assert message in ran.err
    assert ran.err.startswith("tmuxprim")
    assert ran.err.rstrip(")\n").endswith("--help'")
    assert ran.err.count("\n") == 1
    assert site.terminal.sent() == ()


REFUSED = {
    "unknown or non-portable key name: 'Ctrl-C'; did you mean 'C-c'?": ["keys", "work", "Ctrl-C"],
    "a pane id looks like '%3', got '%x'": ["read", "%x"],
    "a pattern is a regular expression, got '['": ["send", "work", "ls", "--pattern", "["],
    "a text to wait for is not empty": ["send", "work", "ls", "--for", ""],
    "NUL cannot be typed as text": ["send", "work", "a\0b"],
    "a screen's columns are a whole number from 1": ["open", "--size", "0x24"],
    "a new session's name has letters": ["open", "--name", "a.b"],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_the_library_refuses(cli: Cli, site: FakeSite, message: str) -> None:
    """It is bad use as well, and nothing is sent: not even when only the wait makes no sense."""
    ran = cli(*REFUSED[message])
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert site.terminal.sent() == ()


def test_help_tells_the_statuses(cli: Cli) -> None:
    """Once, for all commands together."""
    for argv in (["--help"], ["help"]):
        ran = cli(*argv)
        assert (ran.status, ran.err) == (0, "")
        for status in Status:
            assert f"{int(status):>3}  {status.meaning}\n" in ran.out
        assert f"run  {COMMANDS_OWN}\n" in ran.out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_is_about_it(cli: Cli, command: str) -> None:
    """Examples come first, and what every command takes is told elsewhere."""
    ran = cli(command, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == cli("help", command).out
    usage, about, examples, *_ = ran.out.split("\n\n")
    assert about.lower().startswith(COMMANDS[command].about.lower())
    assert examples.splitlines()[1:] == [f"  {line}" for line in COMMANDS[command].examples]
    assert usage.startswith(f"usage: tmuxprim {command} ")
    assert "--tmux-timeout" not in ran.out


EXAMPLES = [example for command in COMMANDS.values() for example in command.examples]


@pytest.mark.parametrize("example", [line for line in EXAMPLES if "eval" not in line])
def test_the_examples_make_sense(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is a command line that is understood."""
    program, *words = shlex.split(re.split(" [|<#] ", example)[0])
    assert program == "tmuxprim"
    if words[0] in ("help", "version"):
        with pytest.raises(SystemExit):
            parse(words)
        assert "tmuxprim" in capsys.readouterr().out
    else:
        assert parse(words).command == words[0]


def test_nothing_but_the_name(cli: Cli) -> None:
    """The help is shown, and it is bad use all the same: a script has forgotten something."""
    for argv in ([], ["--json"]):
        ran = cli(*argv)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == cli("help").out


def test_version(cli: Cli) -> None:
    """It is the library's."""
    for argv in (["--version"], ["version"]):
        assert cli(*argv).out == f"tmuxprim {__version__}\n"


class TestEnvironment:
    """What the environment says if the command line does not."""

    @pytest.mark.parametrize(
        ("socket", "name", "path"),
        [
            ("work", "work", None),
            ("/run/s", None, "/run/s"),
            ("./s", None, "./s"),
            ("", None, None),
        ],
    )
    def test_the_server(
        self, monkeypatch: pytest.MonkeyPatch, socket: str, name: str | None, path: str | None
    ) -> None:
        """A path has a slash; a word on the command line counts more."""
        monkeypatch.setenv("TMUXPRIM_SOCKET", socket)
        options = parse(["panes"])
        assert (options.socket_name, options.socket_path) == (name, path)
        options = parse(["panes", "-L", "x"])
        assert (options.socket_name, options.socket_path) == ("x", None)
        options = parse(["panes", "-S", "/x"])
        assert (options.socket_name, options.socket_path) == (None, "/x")

    @pytest.mark.parametrize(
        "argv",
        [["read", "."], ["run", ".", "ls"], ["send", "--wait", "--", ".", "-la"], ["mcp"]],
    )
    def test_the_pane(self, monkeypatch: pytest.MonkeyPatch, argv: list[str]) -> None:
        """A dot stands for it."""
        monkeypatch.setenv("TMUXPRIM_PANE", "-work")
        assert parse(argv).pane == "-work"

    @pytest.mark.parametrize(
        "argv", [["run", "build"], ["send", "build"], ["keys", "q"], ["close"]]
    )
    def test_a_forgotten_word(
        self, cli: Cli, monkeypatch: pytest.MonkeyPatch, argv: list[str]
    ) -> None:
        """It is an error: a pane's name is never typed into the pane of the environment."""
        monkeypatch.setenv("TMUXPRIM_PANE", "work")
        assert cli(*argv).status == (125 if argv[0] == "run" else 2)

    def test_no_pane(self, cli: Cli) -> None:
        """A dot means nothing then."""
        ended = cli("read", ".")
        assert ended.status == 2
        assert "'.' is the pane in TMUXPRIM_PANE, which is not set" in ended.err


def test_every_option_has_a_default_of_its_own() -> None:
    """A command line that says nothing has everything all the same."""
    assert all(hasattr(Options, name) for name in Options.__annotations__)
