"""The contract of the clock, by which all waiting is done."""

from tmuxprim._contract._base import ContractBase


class TimingContract(ContractBase):
    """Holds a backend to what is promised of clock."""

    def test_the_clock_never_goes_back(self) -> None:
        """Whatever is done meanwhile, it tells the same time or a later one."""
        clock = self.terminal.clock
        times = [clock.now()]
        pane = self.ready_shell()
        bell = self.terminal.listen(pane)
        for act in (
            lambda: self.type_line(pane, "true"),
            lambda: bell.wait(0.01),
            lambda: clock.sleep(0.01),
            lambda: self.terminal.close(pane),
        ):
            act()
            times.append(clock.now())
        bell.close()
        assert times == sorted(times)

    def test_sleep_lets_that_much_time_pass(self) -> None:
        """It never ends early, or a wait would; programs live on meanwhile."""
        pane = self.ready_shell()
        self.type_line(pane, "echo one")
        clock = self.terminal.clock
        start = clock.now()
        clock.sleep(0.5)
        assert 0.5 <= clock.now() - start + 1e-6 < 5.0
        assert "\none" in self.terminal.observe(pane).text

    def test_the_clock_tells_seconds(self) -> None:
        """A short sleep is about as long as it was to be; not every time on a busy machine."""
        clock = self.terminal.clock
        spent = []
        for _ in range(5):
            start = clock.now()
            clock.sleep(0.1)
            spent.append(clock.now() - start)
        assert min(spent) < 0.15

    def test_sleep_of_no_time_is_no_error(self) -> None:
        """A deadline that has passed is what it is: nothing is left to sleep."""
        clock = self.terminal.clock
        start = clock.now()
        for seconds in (0.0, -1.0, float("-inf")):
            clock.sleep(seconds)
        assert 0.0 <= clock.now() - start < 1.0
