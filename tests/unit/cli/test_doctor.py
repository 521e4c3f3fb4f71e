"""`doctor`: what it finds, and what it advises."""

import warnings
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import ASKING, COOKED_ONLY
from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite, make_fake
from tmuxprim import FakeTerminal, InvalidTextError, KeySequence, Pane, TmuxNotFoundError
from tmuxprim._cli.doctor import check_kernel
from tmuxprim._tmux.output_watch import PollingWatch
from tmuxprim._values.evidence import Level
from tmuxprim.errors import Advice
from tmuxprim.testing import crash, question, repl


@pytest.fixture
def well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernel tell everything."""
    found = check_kernel(attrs.evolve(ASKING, level="syscall"))
    monkeypatch.setattr("tmuxprim._cli.doctor.check_kernel", lambda _tty: found)


@pytest.mark.usefixtures("well")
def test_all_is_well(cli: Cli) -> None:
    """The status is 0, and each thing has its line."""
    ran = cli("doctor")
    assert (ran.status, ran.err) == (0, "all is well\n")
    lines = ran.out.splitlines()
    assert [line[:4].strip() for line in lines] == ["ok"] * 9
    assert [line[6:21].strip() for line in lines] == [
        *("tmuxprim", "tmux", "server", "transport"),
        *("a wait", "control mode", "kernel evidence", "inotify", "integration"),
    ]
    assert "panes: 1" in ran.out


@pytest.mark.usefixtures("well")
def test_as_json(cli: Cli) -> None:
    """Each check is an object."""
    facts = cli("doctor", "--json").facts
    assert facts["well"] is True
    checks = facts["checks"]
    assert isinstance(checks, list)
    assert checks[2] == {"name": "server", "state": "ok", "found": "panes: 1", "advice": ""}


def test_what_would_make_it_better_is_no_failure(cli: Cli, site: FakeSite) -> None:
    """The status is 0, for everything works."""
    site.tried = make_fake(evidence=False)
    site.terminal.faults.stop_server()
    ran = cli("doctor")
    assert ran.status == 0
    assert ran.err == "it works; the lines with -> suggest improvements\n"
    assert "no panes; 'tmuxprim open' starts a server" in ran.out
    assert "none, the pane's terminal is not open to this user" in ran.out


def test_without_tmux(cli: Cli, site: FakeSite) -> None:
    """The status is 5, and the advice is how to install it."""
    site.trouble = TmuxNotFoundError("cannot run 'tmux' (no): install tmux", advice=Advice.USE_FAKE)
    ran = cli("doctor")
    assert ran.status == 5
    assert ran.out.endswith("-> cannot run 'tmux' (no): install tmux\n")
    assert cli("doctor", "--json").facts["well"] is False


def test_tmux_hangs(cli: Cli, site: FakeSite) -> None:
    """It is found, and does not answer."""
    site.terminal.faults.hang(60.0)
    ran = cli("doctor")
    assert ran.status == 5
    assert "did not answer within 5 s" in ran.out


def test_an_old_tmux(cli: Cli, site: FakeSite) -> None:
    """Before 3.0 nothing works."""
    site.version = "tmux 2.9a\n"
    ran = cli("doctor")
    assert (ran.status, ran.err) == (5, "it does not work; the lines with -> suggest fixes\n")
    assert "-> install tmux 3.0 or later" in ran.out


def test_behind_a_launcher(cli: Cli, site: FakeSite) -> None:
    """Nothing is opened there; a pane that is there shows what its kernel reports."""
    site.is_local = False
    ran = cli("doctor", "--launcher", "ssh host")
    assert ran.status == 0
    assert "tmux 3.3a (ssh host)" in ran.out
    assert "syscall behind the launcher, for the first pane" in ran.out
    for pane in site.terminal.panes():
        site.terminal.close(pane)
    ran = cli("doctor", "--launcher", "ssh host")
    assert "not tried behind the launcher, since no pane is there" in ran.out
    site.terminal = FakeTerminal(evidence=False)
    site.terminal.open()
    ran = cli("doctor", "--launcher", "ssh host")
    assert "none behind this launcher" in ran.out
    assert "run tmuxprim over there instead" in ran.out


class Unfit(FakeTerminal):
    """Plays a terminal without control mode, on a machine where nothing is heard."""

    @override
    def open(self, *_: object, **__: object) -> Pane:
        warnings.warn("no control mode; tmux said: unknown flag", RuntimeWarning, stacklevel=2)
        return super().open()

    @override
    def watch_output(self, pane: Pane) -> PollingWatch:  # type: ignore[override]  # a Bell, too
        return PollingWatch()


@pytest.mark.usefixtures("well")
def test_a_trial_finds_what_is_missing(cli: Cli, site: FakeSite) -> None:
    """Control mode and the bell are nice to have; what to do about them has a line of its own."""
    site.tried = Unfit()
    ran = cli("doctor")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[5] == "note  control mode    no control mode; tmux said: unknown flag"
    assert lines[6].startswith(f"{'':21} -> each call starts a client")
    assert lines[8].startswith("note  inotify         not available")


def test_a_program_that_nobody_notices(cli: Cli, site: FakeSite) -> None:
    """Then nothing works here."""
    site.tried = FakeTerminal(programs={"sh": crash("no")}, remain_on_exit=True)
    ran = cli("doctor")
    assert ran.status == 5
    assert "bad   a wait          for a program that reads a line: exited" in ran.out
    assert "-> run 'tmuxprim doctor' again" in ran.out
    assert "inotify" not in ran.out


class Other(FakeTerminal):
    """Plays a user's shell that cannot be integrated."""

    @override
    def open(self, *words: Sequence[str], **options: bool) -> Pane:  # type: ignore[override]  # fewer
        if options:
            raise InvalidTextError("shell_integration is for bash")
        return super().open(*words)


PROGRAM = repl(lambda line: line, prompt="$ ")


@pytest.mark.parametrize(
    ("tried", "told"),
    [
        (make_fake(), "ok    integration     sh reports each command"),
        (
            FakeTerminal(programs={"sh": PROGRAM}),
            "note  integration     sh does not report commands",
        ),
        (
            FakeTerminal(programs={"sh": question("name? ", str)}),
            "ok    integration     not tried: ",
        ),
        (Other(), "ok    integration     not for the user's shell: shell_integration is for bash"),
    ],
)
def test_shell_integration(cli: Cli, site: FakeSite, tried: FakeTerminal, told: str) -> None:
    """An Enter at the shell's empty prompt shows it; nothing is typed that a history would keep."""
    site.tried = tried
    assert told in cli("doctor").out
    assert {str(sent.keys) for sent in tried.sent()} <= {str(KeySequence.keys("Enter"))}


@pytest.mark.parametrize("level", [None, "termios"])
def test_a_kernel_that_does_not_tell_who_reads(level: Level | None) -> None:
    """As that of macOS."""
    check = check_kernel(attrs.evolve(COOKED_ONLY, level=level))
    assert check.state == "note"
    assert "termios: the line discipline" in check.found
    assert "does not report the reader" in check.found


@pytest.mark.usefixtures("well")
def test_no_advice_about_what_a_system_does_not_have(
    cli: Cli, site: FakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MacOS has no inotify, and no setting of it."""
    site.tried = Unfit()
    monkeypatch.setattr("sys.platform", "darwin")
    lines = cli("doctor").out.splitlines()
    assert lines[8].startswith("ok    inotify         not available")
    assert "max_user_instances" not in "".join(lines)


def test_a_kernel_that_cannot_be_told_otherwise(tmp_path: Path) -> None:
    """It refuses to leave scope 3 until it boots again, to root as well."""
    (tmp_path / "sys/kernel/yama").mkdir(parents=True)
    (tmp_path / "sys/kernel/yama/ptrace_scope").write_text("3\n")
    check = check_kernel(attrs.evolve(ASKING, level="wchan"), tmp_path)
    assert "kernel.yama.ptrace_scope is 3" in check.found
    assert "sudo sysctl" not in check.advice
    assert "reboot" in check.advice


@pytest.mark.parametrize("scope", ["1", "2"])
def test_a_kernel_with_yama(tmp_path: Path, scope: str) -> None:
    """Its setting is told, and how to change it."""
    (tmp_path / "sys/kernel/yama").mkdir(parents=True)
    (tmp_path / "sys/kernel/yama/ptrace_scope").write_text(f"{scope}\n")
    check = check_kernel(attrs.evolve(ASKING, level="wchan"), tmp_path)
    assert check.state == "note"
    assert check.found.startswith("wchan: ")
    assert f"kernel.yama.ptrace_scope is {scope}" in check.found
    assert "sysctl kernel.yama.ptrace_scope=0" in check.advice


@pytest.mark.parametrize("level", ["wchan", "stat"])
def test_a_kernel_that_refuses(tmp_path: Path, level: Level) -> None:
    """What it said is told, and what helps."""
    check = check_kernel(attrs.evolve(ASKING, level=level, reader_pid=None), tmp_path)
    file = tmp_path / str(ASKING.foreground_pid) / "syscall"
    assert check.found.startswith(f"{level}: ")
    assert f"No such file or directory: {file}" in check.found
    assert "a container needs CAP_SYS_PTRACE" in check.advice


def test_a_processor_whose_calls_are_not_known(tmp_path: Path) -> None:
    """Then all is told, and not understood."""
    (tmp_path / "sys/kernel/yama").mkdir(parents=True)
    (tmp_path / "sys/kernel/yama/ptrace_scope").write_text("0\n")
    (tmp_path / str(ASKING.reader_pid)).mkdir()
    (tmp_path / str(ASKING.reader_pid) / "syscall").write_text("0 0x0")
    check = check_kernel(attrs.evolve(ASKING, level="wchan"), tmp_path)
    assert "are not known" in check.found
