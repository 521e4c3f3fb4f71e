"""`doctor`: what it finds, and what it advises."""

import os
import warnings
from pathlib import Path

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import ASKING, COOKED_ONLY
from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite, make_fake
from tmuxprim import FakeTerminal, Pane, TmuxNotFoundError, TtyState
from tmuxprim._cli import _evidence
from tmuxprim._cli._check import Check, State, describe
from tmuxprim._cli._evidence import check_trial, try_out
from tmuxprim._cli._options import Options
from tmuxprim._cli._surroundings import check_inside, check_locale
from tmuxprim._tmux._bell import DeafBell
from tmuxprim.testing import crash


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all be well around it."""
    for name in ("LC_ALL", "LC_CTYPE", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """Give a ``/proc`` that tells everything of one process."""
    (tmp_path / str(ASKING.reader_pid)).mkdir()
    (tmp_path / str(ASKING.reader_pid) / "syscall").write_text("0 0x0")
    return tmp_path


@pytest.fixture
def well(monkeypatch: pytest.MonkeyPatch, proc: Path) -> None:
    """Let the kernel tell everything."""
    found = _evidence.check_trial
    monkeypatch.setattr(
        "tmuxprim._cli._doctor.check_trial",
        lambda trial: found(attrs.evolve(trial, readiness=_asking(trial)), proc),
    )


def _asking(trial: _evidence.Found) -> object:
    return attrs.evolve(trial.readiness, tty=ASKING)


@pytest.mark.usefixtures("well")
def test_all_is_well(cli: Cli) -> None:
    """The status is 0, and each thing has its line."""
    ran = cli("doctor")
    assert (ran.status, ran.err) == (0, "all is well\n")
    lines = ran.out.splitlines()
    assert [line[:4].strip() for line in lines] == ["ok"] * 9
    assert [line[6:21].strip() for line in lines] == [
        *("tmuxprim", "locale", "tmux", "server", "transport"),
        *("a wait", "control mode", "kernel evidence", "inotify"),
    ]
    assert "panes: 1" in ran.out


@pytest.mark.usefixtures("well")
def test_as_json(cli: Cli) -> None:
    """Each check is an object."""
    facts = cli("doctor", "--json").facts
    assert facts["well"] is True
    checks = facts["checks"]
    assert isinstance(checks, list)
    assert checks[1] == {
        "name": "locale",
        "state": "ok",
        "found": "LANG=de_DE.UTF-8",
        "advice": "",
    }


def test_what_would_make_it_better_is_no_failure(cli: Cli, site: FakeSite) -> None:
    """The status is 0, for everything works."""
    site.tried = make_fake(evidence=False)
    site.terminal.faults.stop_server()
    ran = cli("doctor")
    assert ran.status == 0
    assert ran.err == "it works; what would make it better is said behind ->\n"
    assert "no panes; 'tmuxprim open' starts a server" in ran.out
    assert "none, the pane's terminal is not ours to ask" in ran.out


def test_without_tmux(cli: Cli, site: FakeSite) -> None:
    """The status is 5, and the advice is how to install it."""
    site.trouble = TmuxNotFoundError("cannot run 'tmux' (no): install tmux, or use FakeTerminal")
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
    assert (ran.status, ran.err) == (5, "it does not work; what to do is said behind ->\n")
    assert "-> install tmux 3.0 or later" in ran.out


def test_behind_a_launcher(cli: Cli, site: FakeSite) -> None:
    """Nothing is tried there, and the kernel cannot be asked."""
    site.is_local = False
    ran = cli("doctor", "--launcher", "ssh host")
    assert ran.status == 0
    assert "tmux 3.3a (ssh host)" in ran.out
    assert "run tmuxprim over there instead" in ran.out


class Unfit(FakeTerminal):
    """Plays a terminal without control mode, on a machine where nothing is heard."""

    @override
    def open(self, *_: object, **__: object) -> Pane:
        warnings.warn("no control mode; tmux said: unknown flag", RuntimeWarning, stacklevel=2)
        return super().open()

    @override
    def listen(self, pane: Pane) -> DeafBell:  # type: ignore[override]  # a Bell, too
        return DeafBell()


def test_a_trial_finds_what_is_missing() -> None:
    """Control mode and the bell are nice to have."""
    found = try_out(Unfit())
    assert found.no_control == "no control mode; tmux said: unknown flag"
    assert not found.is_heard
    checks = {check.name: check for check in check_trial(found)}
    assert checks["control mode"].state is State.NOTE
    assert checks["inotify"].state is State.NOTE


def test_a_bell_that_linux_does_not_give(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is something to do about it; elsewhere there is not."""
    advice = {}
    for system in ("linux", "darwin"):
        monkeypatch.setattr("sys.platform", system)
        found = attrs.evolve(try_out(make_fake()), is_heard=False)
        advice[system] = check_trial(found)[3].advice
    assert "max_user_instances" in advice["linux"]
    assert advice["darwin"] == ""


def test_a_program_that_nobody_notices() -> None:
    """Then nothing works here."""
    checks = check_trial(try_out(FakeTerminal(programs={"sh": crash("no")}, remain_on_exit=True)))
    assert checks[0].state is State.BAD
    assert checks[0].advice.startswith("run 'tmuxprim doctor' again")


def kernel_check(proc: Path, tty: TtyState = ASKING) -> Check:
    """Return what is said of the kernel's evidence."""
    found = try_out(make_fake())
    readiness = attrs.evolve(found.readiness, tty=tty)
    return check_trial(attrs.evolve(found, readiness=readiness), proc)[2]


def test_macos_tells_less(tmp_path: Path) -> None:
    """It has no /proc."""
    check = kernel_check(tmp_path / "none", COOKED_ONLY)
    assert check.state is State.NOTE
    assert "has no /proc, so not who reads" in check.found


def test_a_kernel_that_is_built_without(tmp_path: Path) -> None:
    """The file is not there."""
    assert "this kernel has no /proc/PID/syscall" in kernel_check(tmp_path).found


def test_a_processor_that_is_not_known(proc: Path) -> None:
    """The file is there, and nobody knows what its numbers mean."""
    (proc / "self").mkdir()
    (proc / "self" / "syscall").write_text("0 0x0")
    assert kernel_check(proc, COOKED_ONLY).advice == "please report it"


@pytest.mark.parametrize(
    ("scope", "found", "advice"),
    [
        ("1\n", "Yama's ptrace_scope is 1", "sudo sysctl kernel.yama.ptrace_scope=0"),
        ("0\n", "Permission denied for ", "CAP_SYS_PTRACE"),
        (None, "Permission denied for ", "CAP_SYS_PTRACE"),
    ],
)
def test_a_kernel_that_refuses(
    proc: Path, monkeypatch: pytest.MonkeyPatch, scope: str | None, found: str, advice: str
) -> None:
    """Why it does is said, as far as that can be seen."""
    if scope is not None:
        file = proc / "sys/kernel/yama/ptrace_scope"
        file.parent.mkdir(parents=True)
        file.write_text(scope)

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, os.strerror(13), str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    check = kernel_check(proc)
    assert check.state is State.NOTE
    assert found in check.found
    assert advice in check.advice


@pytest.mark.parametrize(
    ("environment", "state", "found"),
    [
        ({"LANG": "C.UTF-8"}, State.OK, "LANG=C.UTF-8"),
        ({"LANG": "C.UTF-8", "LC_ALL": "C"}, State.NOTE, "LC_ALL=C, which is not UTF-8"),
        ({"LC_CTYPE": "en_US.utf8", "LANG": "C"}, State.OK, "LC_CTYPE=en_US.utf8"),
        ({"LC_ALL": ""}, State.NOTE, "not set, which is not UTF-8"),
    ],
)
def test_locale(environment: dict[str, str], state: State, found: str) -> None:
    """The first that is set counts."""
    check = check_locale(environment)
    assert (check.state, check.found) == (state, found)


@pytest.mark.parametrize(
    ("options", "state"),
    [
        ({}, State.OK),
        ({"socket_name": "work"}, State.NOTE),
        ({"socket_path": "/tmp/tmux-0/default"}, State.OK),  # noqa: S108  # tmux's own place
        ({"launcher": ("ssh", "host")}, State.NOTE),
    ],
)
def test_inside_tmux(options: dict[str, object], state: State) -> None:
    """A person in a pane is told which server is asked."""
    socket = "/tmp/tmux-0/default"  # noqa: S108  # tmux's own place
    check = check_inside({"TMUX": f"{socket},1,2"}, Options(**options))
    assert check is not None
    assert check.state is state


def test_inside_tmux_is_a_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside it is none."""
    monkeypatch.setenv("TMUX", "/elsewhere,1,2")
    assert (
        "note  inside tmux     this runs in a pane of the server at /elsewhere" in cli("doctor").out
    )


def test_advice_has_a_line_of_its_own() -> None:
    """Behind an arrow."""
    text = describe([Check("a", State.OK, "b"), Check("c", State.BAD, "d", "e")])
    assert text == (
        "ok    a               b\nbad   c               d\n                      -> e\n"
    )
