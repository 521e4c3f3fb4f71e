"""What wraps a terminal has all that a terminal has."""

from tmuxprim import FakeTerminal, Terminal
from tmuxprim.testing import WrappingTerminal


def test_each_call_is_handed_on() -> None:
    """So a user's wrapper lacks no call when the protocol grows."""
    calls = {name for name in vars(Terminal) if not name.startswith("_")}
    assert calls == {name for name in vars(WrappingTerminal) if not name.startswith("_")}


def test_it_tells_what_it_wraps() -> None:
    """By the name of its own class."""

    class Mine(WrappingTerminal):
        """A wrapper."""

    fake = FakeTerminal()
    assert repr(Mine(fake)) == f"Mine({fake!r})"
    assert Mine(fake).clock is fake.clock
