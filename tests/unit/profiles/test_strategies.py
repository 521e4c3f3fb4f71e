"""What the strategies of sessions say of a snapshot."""

import re

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, MARK, screen
from tmuxprim import InvalidPatternError, Outcome
from tmuxprim._profiles.strategies import EndedStrategy, StillStrategy, TakesKeysStrategy
from tmuxprim.profiles import ScreenStrategy
from tmuxprim.readiness import Busy, Pass, Prompt, Ready, Snapshot

SHOWN = screen("ready\n>\nhint")


class TestScreen:
    """`ScreenStrategy`."""

    def test_it_finds_rows(self) -> None:
        """Beginnings and ends of rows count, and row breaks."""
        snapshot = Snapshot(screen=SHOWN, tty=AT_PROMPT, unchanged_for=0.3)
        verdict = ScreenStrategy(shows=r"^ready$\n>").assess(snapshot)
        assert verdict == Ready(Outcome.PROMPT, "'ready >' is on the screen")

    def test_it_waits_until_it_stands_still(self) -> None:
        """Three times as long where the reader is not known."""
        strategy = ScreenStrategy(shows="ready", settled=0.2)
        seen = Snapshot(screen=SHOWN, tty=AT_PROMPT, unchanged_for=0.2)
        assert isinstance(strategy.assess(seen), Ready)
        for tty in (None, attrs.evolve(AT_PROMPT, reading=None)):
            assert isinstance(strategy.assess(attrs.evolve(seen, tty=tty)), Pass)
            blind = attrs.evolve(seen, tty=tty, unchanged_for=0.61)
            assert isinstance(strategy.assess(blind), Ready)

    def test_what_it_shows_while_it_works_counts_more(self) -> None:
        """Then it is not ready, whatever else is there."""
        strategy = ScreenStrategy(shows="ready", hides="hint")
        verdict = strategy.assess(Snapshot(screen=SHOWN, unchanged_for=9.0))
        assert verdict == Pass("'hint' says that the program works")

    def test_it_is_not_there(self) -> None:
        """A long pattern is told in short."""
        verdict = ScreenStrategy(shows="x" * 60).assess(Snapshot(screen=SHOWN))
        assert verdict == Pass(f"nothing matches '{'x' * 36} ...'")

    @pytest.mark.parametrize("wrong", ["(", re.compile(b"a")])
    def test_a_pattern_is_a_regular_expression(self, wrong: str) -> None:
        """Of texts."""
        with pytest.raises(InvalidPatternError):
            ScreenStrategy(shows=wrong)
        with pytest.raises(InvalidPatternError):
            ScreenStrategy(shows="a", hides=wrong)

    def test_flags_of_a_compiled_pattern_are_its_own(self) -> None:
        """So ``^`` is the beginning of all, if it says so."""
        assert ScreenStrategy(shows=re.compile("^>")).shows.flags & re.MULTILINE == 0


class TestEnded:
    """`EndedStrategy`."""

    SHELL = Prompt("$ ", 10)

    def test_another_process_has_the_terminal(self) -> None:
        """Then the program lives, whatever its prompt looks like."""
        tty = attrs.evolve(AT_PROMPT, foreground_pid=11)
        verdict = EndedStrategy(self.SHELL).assess(Snapshot(screen=screen("$ "), tty=tty))
        assert verdict == Pass("the program has the terminal")

    def test_the_shell_is_back(self) -> None:
        """At its prompt, and not before."""
        tty = attrs.evolve(AT_PROMPT, foreground_pid=10)
        snapshot = Snapshot(screen=screen("$ "), tty=tty, unchanged_for=1.0)
        verdict = EndedStrategy(self.SHELL).assess(snapshot)
        assert isinstance(verdict, Ready)
        assert verdict.outcome is Outcome.EXITED
        working = attrs.evolve(snapshot, tty=attrs.evolve(tty, reading=False))
        assert isinstance(EndedStrategy(self.SHELL).assess(working), Busy)

    def test_something_stands_at_the_prompt(self) -> None:
        """What was meant for the program, which is gone all the same."""
        tty = attrs.evolve(AT_PROMPT, foreground_pid=10, edits=True)
        mark = attrs.evolve(MARK, prompt=self.SHELL)
        snapshot = Snapshot(screen=screen("$ half"), tty=tty, mark=mark, unchanged_for=1.0)
        verdict = EndedStrategy(self.SHELL).assess(snapshot)
        assert isinstance(verdict, Ready)
        assert verdict.outcome is Outcome.EXITED

    @pytest.mark.parametrize(
        ("shown", "alternate", "kind"),
        [("$ ", False, Ready), ("$ ", True, Pass), ("> ", False, Pass)],
    )
    def test_without_evidence_the_prompt_tells(
        self, shown: str, kind: type[object], *, alternate: bool
    ) -> None:
        """That of the shell, on the main screen."""
        shown_now = attrs.evolve(screen(shown), alternate=alternate)
        snapshot = Snapshot(screen=shown_now, unchanged_for=2.0)
        assert isinstance(EndedStrategy(self.SHELL).assess(snapshot), kind)


class TestStill:
    """`StillStrategy`."""

    def test_it_waits_for_the_text_and_for_rest(self) -> None:
        """Without white space, as the text may be wrapped."""
        strategy = StillStrategy(shows="ready>hint")
        snapshot = Snapshot(screen=SHOWN, mark=MARK, unchanged_for=1.0)
        assert isinstance(strategy.assess(snapshot), Ready)
        assert isinstance(strategy.assess(attrs.evolve(snapshot, unchanged_for=0.1)), Pass)
        assert isinstance(StillStrategy(shows="else").assess(snapshot), Pass)

    def test_it_may_have_to_wait_for_keys_alone(self) -> None:
        """A program that waits for something else as well may be on its way to its end."""
        strategy = StillStrategy(only_reads=True)
        snapshot = Snapshot(screen=SHOWN, tty=AT_PROMPT, mark=MARK, unchanged_for=1.0)
        assert isinstance(strategy.assess(snapshot), Ready)
        for tty in (None, attrs.evolve(AT_PROMPT, only_reading=False)):
            assert isinstance(strategy.assess(attrs.evolve(snapshot, tty=tty)), Pass)


class TestTakesKeys:
    """`TakesKeysStrategy`."""

    def test_it_reads_now(self) -> None:
        """Whatever it draws, but not at once: it may have been told to end."""
        strategy = TakesKeysStrategy(after=0.5)
        snapshot = Snapshot(screen=SHOWN, tty=AT_PROMPT, elapsed=0.5)
        assert isinstance(strategy.assess(snapshot), Ready)
        assert isinstance(strategy.assess(attrs.evolve(snapshot, elapsed=0.2)), Pass)
        working = attrs.evolve(snapshot, tty=attrs.evolve(AT_PROMPT, reading=False))
        assert isinstance(strategy.assess(working), Pass)
        assert isinstance(strategy.assess(attrs.evolve(snapshot, tty=None)), Ready)
