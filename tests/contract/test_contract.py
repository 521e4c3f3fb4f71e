"""The contract of all terminals, on the fake and on real tmux."""

import sys
import tempfile
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from tests.blocking import Blocking
from tests.execs import AsyncLocalExec, LocalExec
from tests.fake_contract import FakeContract
from tests.tmux_server import Server, needs_control_mode, tmux_version
from tmuxprim import (
    AsyncTmuxTerminal,
    FakeTerminal,
    Pane,
    Size,
    Terminal,
    TmuxCommandError,
    TmuxTerminal,
)
from tmuxprim._contract.base import ContractBase
from tmuxprim._contract.taps import TappingContract
from tmuxprim._contract.waits import WaitingContract
from tmuxprim._tmux.choice import TransportName
from tmuxprim.testing import (
    CONTRACT_RC,
    CONTRACT_SHELL,
    AsyncFakeTerminal,
    OutputWatch,
    RecordingTerminal,
    TerminalContract,
    WrappingTerminal,
)

_SIZE = Size(80, 24)

_IS_LINUX = sys.platform.startswith("linux")


class RingingContract(TerminalContract):
    """Holds a backend to more than all: its bells ring."""

    rings = True

    def heard(self, pane: Pane) -> OutputWatch:
        """Return a bell that rings; skip the test where this machine does not tell who writes."""
        if not self.rings:
            pytest.skip("inotify is of Linux")
        return self.terminal.watch_output(pane)

    def test_a_bell_rings_when_the_program_writes(self) -> None:
        """Each time anew, and not before."""
        console = self.console()
        output_watch = self.heard(console.pane)
        self.falls_silent(output_watch)
        for _ in range(2):
            self.type_line(console.pane, "seq 1 100")
            with self.within(5.0):
                assert output_watch.wait(10.0)
            self.falls_silent(output_watch)
        output_watch.close()

    def test_a_bell_of_a_name(self) -> None:
        """A pane may be listened to by its name."""
        pane = self.open_shell(name="heard")
        self.eventually(lambda: self.terminal.observe(pane).before_cursor == "$ ")
        output_watch = self.heard(Pane("heard"))
        self.type_line(pane, "echo one")
        assert output_watch.wait(10.0)
        output_watch.close()


class TestFakeTerminal(FakeContract, RingingContract):
    """The fake keeps the contract."""


class TestFakeTerminalWithoutEvidence(FakeContract, RingingContract):
    """The fake that plays a remote server also keeps the contract."""

    def make_fake(self) -> FakeTerminal:
        """Return a fake without kernel evidence."""
        return FakeTerminal(programs={"sh": CONTRACT_SHELL}, evidence=False)


class TestRecordingTerminal(FakeContract, RingingContract):
    """A terminal that is recorded keeps the contract as the one below it does."""

    def make_terminal(self) -> Terminal:
        """Return a fake that is recorded."""
        self.directory = tempfile.TemporaryDirectory(prefix="tmuxprim-")
        return RecordingTerminal(
            super().make_terminal(), Path(self.directory.name, "session.jsonl")
        )

    def teardown_method(self) -> None:
        """Remove the recording."""
        self.directory.cleanup()


class TestWrappingTerminal(FakeContract, RingingContract):
    """A terminal that is wrapped keeps the contract as the one below it does."""

    def make_terminal(self) -> Terminal:
        """Return a fake that is wrapped."""
        return WrappingTerminal(super().make_terminal())


@pytest.mark.tmux
@pytest.mark.needs("bash")
class OnTmux(ContractBase):
    """Runs on real tmux, and does by its commands what a person does."""

    def make_terminal(self) -> Terminal:
        """Return a terminal on a tmux server of its own."""
        self.directory = tempfile.TemporaryDirectory(prefix="tmuxprim-")
        self.rc = Path(self.directory.name, "rc")
        self.rc.write_text(CONTRACT_RC)
        self.server = Server(self.directory.name)
        return self.server.terminal

    def open_shell(self, *, size: Size = _SIZE, name: str | None = None) -> Pane:
        """Open bash with the contract's commands."""
        command = ["bash", "--noprofile", "--rcfile", str(self.rc)]
        return self.terminal.open(command, size=size, name=name)

    def enter_copy_mode(self, pane: Pane) -> None:
        """Enter copy mode as a key binding does."""
        self.server.tmux("copy-mode", "-t", pane.target)

    def switch_input_off(self, pane: Pane) -> None:
        """Switch input off as a person does."""
        self.server.tmux("select-pane", "-d", "-t", pane.target)

    def synchronize(self, pane: Pane) -> None:
        """Split the window and synchronize it, as a person does."""
        self.server.tmux("split-window", "-d", "-t", pane.target)
        self.server.tmux("set-option", "-w", "-t", pane.target, "synchronize-panes", "on")

    def terminal_beside(self) -> Terminal:
        """Return another terminal on the same socket."""
        return TmuxTerminal(socket_path=self.server.socket, config_file="/dev/null")

    def keep_dead_panes(self) -> None:
        """Let dead panes stay."""
        self.server.tmux("set-option", "-g", "remain-on-exit", "on")

    def teardown_method(self) -> None:
        """End the server and remove its directory."""
        self.server.stop()
        self.directory.cleanup()


class TmuxContract(OnTmux, TerminalContract):
    """Holds tmux to all that its version can do."""

    def test_observe_tells_the_spaces_at_the_end_of_a_line(self) -> None:
        """Which tmux has forgotten before 3.3."""
        with self._from(3, 3):
            super().test_observe_tells_the_spaces_at_the_end_of_a_line()

    def test_a_dead_pane_tells_the_signal_that_ended_it(self) -> None:
        """Which tmux does not tell before 3.3."""
        with self._from(3, 3):
            super().test_a_dead_pane_tells_the_signal_that_ended_it()

    def test_open_passes_the_environment_of_this_process_on(self) -> None:
        """Which tmux does not do before 3.2."""
        with self._from(3, 2):
            super().test_open_passes_the_environment_of_this_process_on()

    def _from(self, *version: int) -> AbstractContextManager[object]:
        """Return what expects a test to pass from a version of tmux on, and to fail before."""
        fails = pytest.raises((AssertionError, TmuxCommandError))
        return nullcontext() if tmux_version() >= version else fails


class TestTmuxTerminal(TmuxContract, RingingContract):
    """Real tmux keeps the contract."""

    rings = _IS_LINUX


def by(local: LocalExec, server: Server) -> TmuxTerminal:
    """Return a terminal each of whose calls goes by an exec."""
    return TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", exec=local, timeout=20.0
    )


@pytest.mark.thorough
class TestRemoteTmuxTerminal(TmuxContract):
    """Real tmux also keeps it without evidence and without output watches, as behind ssh."""

    def make_terminal(self) -> Terminal:
        """Return a terminal that takes the server for another machine's."""
        super().make_terminal()
        return TmuxTerminal(
            socket_path=self.server.socket, config_file="/dev/null", launcher=("env",)
        )


@pytest.mark.thorough
class TestExec(TmuxContract):
    """Real tmux keeps it by an exec, as in a sandbox."""

    def make_terminal(self) -> Terminal:
        """Return a terminal each of whose calls goes by an exec."""
        super().make_terminal()
        return by(LocalExec(), self.server)


@pytest.mark.thorough
class TestSlowExec(OnTmux, WaitingContract, TappingContract):
    """It keeps what has to do with time by one that takes 50 ms."""

    def make_terminal(self) -> Terminal:
        """Return a terminal each of whose calls takes its time."""
        super().make_terminal()
        return by(LocalExec(seconds=0.05), self.server)


@pytest.mark.thorough
class TestPoorAsyncExec(TmuxContract):
    """It keeps it for asyncio by one that passes no input on, and puts errors among the output."""

    def make_terminal(self) -> Terminal:
        """Return a terminal that carries each call out on an event loop."""
        super().make_terminal()
        terminal = AsyncTmuxTerminal(
            socket_path=self.server.socket,
            config_file="/dev/null",
            exec=AsyncLocalExec(LocalExec(merges=True, has_stdin=False)),
            exec_stdin=False,
            timeout=20.0,
        )
        self.blocking = Blocking(terminal)
        return self.blocking

    def test_open_passes_the_environment_of_this_process_on(self) -> None:
        """Which is too long for an argument here."""
        with pytest.raises(TmuxCommandError, match="command too long"):
            super().test_open_passes_the_environment_of_this_process_on()

    def teardown_method(self) -> None:
        """End the loop as well."""
        self.blocking.loop.run_until_complete(self.blocking.loop.shutdown_default_executor())
        self.blocking.loop.close()
        super().teardown_method()


class TestControlTerminal(TmuxContract, RingingContract):
    """Real tmux keeps it over one connection in control mode."""

    rings = _IS_LINUX

    def make_terminal(self) -> Terminal:
        """Return a terminal that keeps one client."""
        needs_control_mode()
        super().make_terminal()
        self.control = TmuxTerminal(
            socket_path=self.server.socket, config_file="/dev/null", transport="control"
        )
        return self.control

    def teardown_method(self) -> None:
        """End the client as well."""
        assert self.control.transport == "control"
        self.control.disconnect()
        super().teardown_method()


class AsyncTmuxContract(TmuxContract, RingingContract):
    """Runs on the terminal for asyncio."""

    transport: TransportName
    rings = _IS_LINUX

    def make_terminal(self) -> Terminal:
        """Return a terminal that carries each call out on an event loop."""
        if self.transport == "control":
            needs_control_mode()
        super().make_terminal()
        self.awaited = AsyncTmuxTerminal(
            socket_path=self.server.socket, config_file="/dev/null", transport=self.transport
        )
        self.blocking = Blocking(self.awaited)
        return self.blocking

    def teardown_method(self) -> None:
        """End the client and the loop as well."""
        assert self.awaited.transport == self.transport
        self.blocking.wait_for(self.awaited.disconnect())
        self.blocking.loop.close()
        super().teardown_method()


class TestAsyncTmuxTerminal(AsyncTmuxContract):
    """It keeps the contract over clients that are started."""

    transport = "subprocess"


class TestAsyncControlTerminal(AsyncTmuxContract):
    """It keeps the contract over one connection in control mode."""

    transport = "control"


class TestAsyncFakeTerminal(FakeContract, RingingContract):
    """The fake for asyncio keeps the contract."""

    def make_terminal(self) -> Terminal:
        """Return one that carries each call out on an event loop."""
        super().make_terminal()
        self.blocking = Blocking(AsyncFakeTerminal(self.fake))
        return self.blocking

    def teardown_method(self) -> None:
        """End the loop."""
        self.blocking.loop.close()
