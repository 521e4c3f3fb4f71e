"""The contract for waits."""

from contextlib import ExitStack, closing, suppress
from typing import Final

from tmuxprim._console import Console
from tmuxprim._contract.base import ContractBase
from tmuxprim._readiness.kernel import ExitStrategy
from tmuxprim._readiness.pane_state import State
from tmuxprim._readiness.signal_strategies import BellStrategy, SignalStrategy
from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim._states import pane_states, watch_states
from tmuxprim._values.pane import Pane
from tmuxprim._values.receipt import Receipt
from tmuxprim.errors import PaneNotFoundError, TapUnavailableError

_UNAVAILABLE: Final = "its reports cannot be read"


class WaitingContract(ContractBase):
    """Tests that a backend keeps the promises of probe and wait_ready."""

    def test_probe_sees_a_line_editor_at_a_prompt(self) -> None:
        """A shell at its prompt reads key by key, and only reads."""
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
            tty = self.eventually_probes(
                pane, lambda tty: tty.canonical and tty.echo and tty.foreground_is_pane is not True
            )
            assert tty.signals
            assert tty.reading in (False, None)
            assert tty.foreground_pid != self.terminal.observe(pane).pane_pid

    def test_probe_tells_what_is_so_now(self) -> None:
        """A program that has just asked reads a line, whatever an earlier probe reported."""
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
                tty = self.eventually_probes(
                    pane, lambda tty: tty.canonical and tty.reading is not False
                )
                assert tty.echo is echo

    def test_wait_ready_tells_a_prompt(self) -> None:
        """The end of a command is a prompt, found once it is there and not before."""
        console = self.console()
        start = self.terminal.clock.now()
        console.send("sleep 1")
        assert console.wait_ready().outcome is Outcome.PROMPT
        assert 1.0 <= self.terminal.clock.now() - start < 10.0

    def test_wait_ready_tells_a_question_and_a_password(self) -> None:
        """A question is not a prompt, and a password is not a question.

        If the reader is unknown, a question is a guess.
        """
        console = self.console()
        console.send("ask")
        is_told = self.terminal.probe(console.pane) is not None
        asked = Outcome.AWAITING_INPUT if is_told else Outcome.STABLE
        assert console.wait_ready().outcome is asked
        console.send("y")
        assert console.wait_ready().outcome is Outcome.PROMPT
        console.send("ask-secret")
        assert console.wait_ready().outcome is Outcome.AWAITING_SECRET

    def test_states_are_those_of_the_programs(self) -> None:
        """Each pane is in the state of its program; a guess may be another one.

        Where the kernel reports the reader, these states are no guesses.
        """
        commands = {"": State.PROMPT, "sleep 60": State.WORKING, "ask": State.ASKING}
        commands["ask-secret"] = State.SECRET
        expected: dict[Pane, State] = {}
        for command, state in commands.items():
            pane = self.ready_shell()
            if command:
                self.type_line(pane, command)
            expected[pane] = state

        def are_found() -> bool:
            states = pane_states(self.terminal, expected)
            return all(
                one.state is expected[one.pane]
                or (one.is_guess and one.evidence not in ("syscall", "wchan"))
                for one in states
            )

        self.eventually(are_found)
        found = {one.pane: one.state for one in pane_states(self.terminal)}
        assert found.keys() == expected.keys()
        assert set(found.values()) <= {*State} - {State.EXITED, State.DEAD}

    def test_a_pane_that_has_gone_is_exited(self) -> None:
        """A console that has seen the pane reports it as exited."""
        console = self.console()
        assert console.state().state is State.PROMPT
        self.terminal.close(console.pane)
        assert console.state().state is State.EXITED

    def test_watch_reports_the_changes_of_a_pane(self) -> None:
        """Each change is reported once, in order; a guess may be another state."""
        console = self.console()
        tty = self.terminal.probe(console.pane)
        is_told = tty is not None and tty.level in ("syscall", "wchan")
        with watch_states(self.terminal, [console.pane], timeout=60.0) as changes:
            assert next(changes).now.state is State.PROMPT
            console.send("sleep 1")
            states = [next(changes).now.state]
            while states[-1] is not State.PROMPT:
                states.append(next(changes).now.state)
            assert states == [State.WORKING, State.PROMPT] or not is_told
            self.terminal.close(console.pane)
            assert [change.now.state for change in changes] == [State.EXITED]

    def test_submit_says_what_became_of_a_text(self) -> None:
        """It was taken, or is typed ahead; if the unread bytes are unknown, so is this.

        A machine that is busy may take more than a second to read it.
        """
        console = self.console()
        tty = self.terminal.probe(console.pane)
        is_told = tty is not None and tty.unread is not None
        taken = {Receipt.DELIVERED, Receipt.UNREAD} if is_told else {Receipt.UNKNOWN}
        for text in ("true", "ask", "y", "ask-secret", "hunter2", "sleep 60"):
            assert console.submit(text) in taken
            console.wait_ready(0.5 if text == "sleep 60" else 10.0)
        ahead = Receipt.UNREAD if is_told else Receipt.UNKNOWN
        assert console.submit("true") is ahead

    def test_run_asks_for_the_exit_status(self) -> None:
        """The status is asked for only on demand, and is not in the output."""
        console = self.console()
        for command, status in (("false", 1), ("true", 0), ("echo hi", 0), ("", 0)):
            result = console.run(command, exit_status=True)
            assert result.exit_status == status
            assert result.output == "hi\n" * (command == "echo hi")
        assert console.run("true").exit_status is None
        assert "echo $?" in console.read()

    def test_a_text_goes(self) -> None:
        """A wait lasts until the text has left the screen; the history does not count."""
        console = self.console()
        console.run("echo hi")
        assert console.wait_for("hi", 0.3, gone=True).outcome is Outcome.TIMEOUT
        console.send("seq 1 100")
        assert console.wait_for("hi", gone=True).outcome is Outcome.MATCHED

    def test_a_watch_shows_what_changes(self) -> None:
        """The first screen is the present one, and each later one is a change."""
        console = self.console()
        screens = console.watch(20.0)
        assert next(screens).before_cursor == "$ "
        console.send("seq 1 100")
        assert any(screen.rows[-2:] == ("100", "$") for screen in screens)

    def test_run_is_resumed(self) -> None:
        """A command whose time was up is waited for again, and all of its output is returned."""
        console = self.console()
        console.wait_ready()
        result = console.run("sleep 1", 0.1)
        assert result.readiness.outcome is Outcome.TIMEOUT
        result = console.resume()
        assert (result.output, result.complete) == ("", True)

    def test_run_gives_up_a_silent_command(self) -> None:
        """C-c then ends it, and the next command runs."""
        console = self.console()
        result = console.run("sleep 60", idle_timeout=0.5)
        assert result.readiness.reason.startswith("no output for 0.5 s")
        assert console.interrupt().outcome is Outcome.PROMPT
        assert console.run("echo hi").output == "hi\n"

    def test_what_is_new_is_read_as_far_back_as_the_mark(self) -> None:
        """All new text is returned, however much was printed, and reported as complete."""
        console = self.console()
        marks = []
        for _ in range(3):
            marks.append(console.send("seq 1 100"))
            assert console.wait_ready().outcome is Outcome.PROMPT
        new = console.read(since=marks[0])
        lines = [str(number) for number in range(1, 101)]
        assert new.splitlines() == [*lines, "$ seq 1 100", *lines, "$ seq 1 100", *lines, "$"]
        assert new.complete

    def test_a_program_says_that_it_works(self) -> None:
        """It does so by OSC 7501, which no screen shows; a wait reads it from the raw output."""
        console = self.console()
        console.send("say-states")
        readiness = console.wait_ready(3.0, strategy=ExitStrategy() | SignalStrategy())
        assert readiness.elapsed >= 0.5  # until then it said that it works
        self._ends_by(console, readiness, "it says that it waits: 'state=idle'")

    def test_a_bell_is_waited_for(self) -> None:
        """A bell ends the wait."""
        console = self.console()
        console.send("ring")
        readiness = console.wait_ready(3.0, strategy=ExitStrategy() | BellStrategy())
        self._ends_by(console, readiness, "the bell has rung")

    def test_a_wait_without_signals_says_so(self) -> None:
        """The pane's pipe may already be in use, or the terminal may have none."""
        console = self.console()
        with ExitStack() as stack:
            with suppress(TapUnavailableError):
                stack.enter_context(closing(self.terminal.tap(console.pane)))
            strategy = ExitStrategy() | BellStrategy()
            assert _UNAVAILABLE in console.wait_ready(0.1, strategy=strategy).reason

    def _ends_by(self, console: Console, readiness: Readiness, reason: str) -> None:
        """A wait has ended by a signal, if those can be read; the pane's pipe is free again."""
        try:
            tap = self.terminal.tap(console.pane)
        except TapUnavailableError:
            assert _UNAVAILABLE in readiness.reason
            return
        tap.close()
        assert readiness.reason.startswith(reason)

    def test_wait_ready_tells_a_prompt_on_the_alternate_screen(self) -> None:
        """A killed program leaves the alternate screen on, with the shell at its prompt there."""
        console = self.console()
        console.send("fullscreen on")
        readiness = console.wait_ready()
        assert readiness.screen.alternate
        assert readiness.outcome is Outcome.PROMPT

    def test_wait_ready_times_out_while_a_command_runs(self) -> None:
        """The time limit is kept, and the result has the screen."""
        console = self.console()
        console.send("sleep 60")
        readiness = console.wait_ready(timeout=0.3)
        assert readiness.outcome is Outcome.TIMEOUT
        assert readiness.screen.rows[0] == "$ sleep 60"

    def test_wait_ready_without_time_says_what_is_so_now(self) -> None:
        """It takes one snapshot, and does not wait for a command that runs."""
        console = self.console()
        console.send("sleep 60")
        self.eventually(lambda: self.terminal.observe(console.pane).rows[:2] == ("$ sleep 60", ""))
        with self.within(5.0):
            assert console.wait_ready(timeout=0.0).outcome is Outcome.TIMEOUT

    def test_wait_ready_tells_that_the_program_exited(self) -> None:
        """If a program ends during a wait, that is an outcome, not an error."""
        console = self.console()
        console.send("exit")
        assert console.wait_ready().outcome is Outcome.EXITED


class OutputWatchContract(ContractBase):
    """Tests that a backend keeps the promises of an output watch."""

    def test_an_output_watch_waits_no_longer_than_asked(self) -> None:
        """With output or without, a wait ends; a deadline that has passed is no error."""
        with self.watching_output(self.ready_shell()) as output_watch, self.within(5.0):
            for seconds in (0.1, 0.1, 0.1, 0.0, -0.001, -60.0):
                output_watch.wait(seconds)

    def test_a_silent_program_is_not_reported(self) -> None:
        """Its earlier output is reported once, and a snapshot is no output."""
        pane = self.ready_shell()
        with self.watching_output(pane) as output_watch:
            self.falls_silent(output_watch)
            self.terminal.observe(pane)
            self.terminal.probe(pane)
            assert not output_watch.wait(0.05)

    def test_a_write_of_another_pane_is_not_reported(self) -> None:
        """A watch reports only the output of its own pane."""
        one, other = self.ready_shell(), self.ready_shell()
        with self.watching_output(one) as output_watch:
            self.falls_silent(output_watch)
            self.type_line(other, "echo one")
            self.eventually_shows(other, "\none")
            assert not output_watch.wait(0.0)

    def test_an_unknown_pane_is_not_reported(self) -> None:
        """It is refused, or never reported, and never taken for another pane."""
        pane = self.ready_shell(name="shared-2")
        for unknown in (Pane("%9999"), Pane("nobody"), Pane("shared")):
            with suppress(PaneNotFoundError), self.watching_output(unknown) as output_watch:
                self.type_line(pane, "echo one")
                self.eventually_shows(pane, "\none")
                assert not output_watch.wait(0.01)

    def test_an_output_watch_does_not_keep_a_pane(self) -> None:
        """A watch keeps neither the pane nor the server; it reports the end, but not for ever."""
        pane, last = self.ready_shell(), self.ready_shell()
        for closed, left in ((pane, (last,)), (last, ())):  # with the last one the server goes
            with self.watching_output(closed) as output_watch:
                self.terminal.close(closed)
                assert self.terminal.panes() == left
                self.falls_silent(output_watch)

    def test_an_output_watch_may_be_closed_twice(self) -> None:
        """Closing is idempotent, as it is for panes, and does not close another watch."""
        pane = self.ready_shell()
        output_watch = self.terminal.watch_output(pane)
        output_watch.close()
        other = self.terminal.watch_output(pane)
        output_watch.close()
        other.wait(0.01)
        other.close()

    def test_output_watches_are_independent(self) -> None:
        """A pane may have many watches; closing one leaves the others."""
        pane = self.ready_shell()
        one, other = self.terminal.watch_output(pane), self.terminal.watch_output(pane)
        one.close()
        other.wait(0.01)
        other.close()
        self.type_line(pane, "echo one")
        self.eventually_shows(pane, "\none")


class TimingContract(ContractBase):
    """Tests that a backend keeps the promises of its clock."""

    def test_the_clock_never_goes_back(self) -> None:
        """It reports the same time or a later one, whatever happens meanwhile."""
        clock = self.terminal.clock
        times = [clock.now()]
        pane = self.ready_shell()
        output_watch = self.terminal.watch_output(pane)
        for act in (
            lambda: self.type_line(pane, "true"),
            lambda: output_watch.wait(0.01),
            lambda: clock.sleep(0.01),
            lambda: self.terminal.close(pane),
        ):
            act()
            times.append(clock.now())
        output_watch.close()
        assert times == sorted(times)

    def test_sleep_lets_that_much_time_pass(self) -> None:
        """A sleep never ends early, since a wait would then end early; programs run meanwhile."""
        pane = self.ready_shell()
        self.type_line(pane, "echo one")
        clock = self.terminal.clock
        start = clock.now()
        clock.sleep(0.5)
        assert 0.5 <= clock.now() - start + 1e-6 < 10.0
        assert "\none" in self.terminal.observe(pane).text

    def test_the_clock_tells_seconds(self) -> None:
        """A short sleep takes about the given time; not always so on a busy machine."""
        clock = self.terminal.clock
        spent = []
        for _ in range(5):
            start = clock.now()
            clock.sleep(0.1)
            spent.append(clock.now() - start)
        assert min(spent) < 0.15

    def test_sleep_of_no_time_is_no_error(self) -> None:
        """If a deadline has passed, a sleep until then returns at once."""
        clock = self.terminal.clock
        start = clock.now()
        for seconds in (0.0, -1.0, float("-inf")):
            clock.sleep(seconds)
        assert 0.0 <= clock.now() - start < 5.0
