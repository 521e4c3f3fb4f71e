"""The contract of the kernel's evidence, and of waiting on it."""

from tmuxprim._contract._base import ContractBase
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._tty import TtyState


class WaitingContract(ContractBase):
    """Holds a backend to what is promised of probe and wait_ready."""

    def test_probe_sees_a_line_editor_at_a_prompt(self) -> None:
        """At its prompt a shell reads key by key, and nothing else."""
        pane = self.ready_shell()
        if self.terminal.probe(pane) is not None:
            tty = self.eventually_probes(pane, lambda tty: tty.reading is not False)
            assert tty.is_raw
            assert tty.foreground_is_pane in (True, None)
            assert tty.foreground_pid in (self.terminal.observe(pane).pane_pid, None)
            assert not tty.unread

    def test_probe_sees_a_command_run(self) -> None:
        """A command that runs leaves the terminal in canonical mode and does not read."""
        pane = self.ready_shell()
        self.type_line(pane, "sleep 60")
        if self.terminal.probe(pane) is not None:
            tty = self.eventually_probes(pane, _is_lent)
            assert tty.signals
            assert tty.reading in (False, None)
            assert tty.foreground_pid != self.terminal.observe(pane).pane_pid

    def test_probe_tells_what_is_so_now(self) -> None:
        """A program that has just asked reads a line, whatever was told of the prompt before."""
        pane = self.ready_shell()
        if self.terminal.probe(pane) is not None:
            self.type_line(pane, "ask")
            self.eventually_shows(pane, "[y/N]")
            tty = self.terminal.probe(pane)
            assert tty is not None
            assert tty.canonical

    def test_probe_sees_a_question_and_a_password(self) -> None:
        """A program that asks reads whole lines; one that asks for a password hides them."""
        for command, echo in (("ask", True), ("ask-secret", False)):
            pane = self.ready_shell()
            self.type_line(pane, command)
            if self.terminal.probe(pane) is not None:
                tty = self.eventually_probes(pane, _reads_a_line)
                assert tty.echo is echo

    def test_wait_ready_tells_a_prompt(self) -> None:
        """A command's end is a prompt, found when it stands and not before."""
        console = self.console()
        console.send("sleep 1")
        start = self.terminal.clock.now()
        assert console.wait_ready().outcome is Outcome.PROMPT
        assert 0.9 < self.terminal.clock.now() - start < 5.0

    def test_wait_ready_tells_a_question_and_a_password(self) -> None:
        """A question is not a prompt, and a password is not a question."""
        console = self.console()
        console.send("ask")
        assert console.wait_ready().outcome is Outcome.AWAITING_INPUT
        console.send("y")
        assert console.wait_ready().outcome is Outcome.PROMPT
        console.send("ask-secret")
        assert console.wait_ready().outcome is Outcome.AWAITING_SECRET

    def test_what_is_new_is_read_as_far_back_as_the_mark(self) -> None:
        """However much was printed since, all of it is there, and said to be."""
        console = self.console()
        marks = []
        for _ in range(3):
            marks.append(console.send("seq 1 100"))
            assert console.wait_ready().outcome is Outcome.PROMPT
        new = console.read(since=marks[0])
        lines = [str(number) for number in range(1, 101)]
        assert new.splitlines() == [*lines, "$ seq 1 100", *lines, "$ seq 1 100", *lines, "$"]
        assert new.complete

    def test_wait_ready_tells_a_prompt_on_the_alternate_screen(self) -> None:
        """A program that was killed leaves that screen on, and the shell at its prompt on it."""
        console = self.console()
        console.send("fullscreen on")
        readiness = console.wait_ready()
        assert readiness.screen.alternate
        assert readiness.outcome is Outcome.PROMPT

    def test_wait_ready_times_out_while_a_command_runs(self) -> None:
        """The time limit holds, and the screen comes back with it."""
        console = self.console()
        console.send("sleep 60")
        readiness = console.wait_ready(timeout=0.3)
        assert readiness.outcome is Outcome.TIMEOUT
        assert readiness.screen.rows[0] == "$ sleep 60"

    def test_wait_ready_without_time_says_what_is_so_now(self) -> None:
        """It looks once, and a command that runs is not waited for."""
        console = self.console()
        console.send("sleep 60")
        self.eventually(lambda: self.terminal.observe(console.pane).rows[:2] == ("$ sleep 60", ""))
        start = self.terminal.clock.now()
        assert console.wait_ready(timeout=0.0).outcome is Outcome.TIMEOUT
        assert self.terminal.clock.now() - start < 5.0

    def test_wait_ready_tells_that_the_program_exited(self) -> None:
        """A program that ends while it is waited for is an outcome, not an error."""
        console = self.console()
        console.send("exit")
        assert console.wait_ready().outcome is Outcome.EXITED


def _is_lent(tty: TtyState) -> bool:
    return tty.canonical and tty.echo and tty.foreground_is_pane is not True


def _reads_a_line(tty: TtyState) -> bool:
    return tty.canonical and tty.reading is not False
