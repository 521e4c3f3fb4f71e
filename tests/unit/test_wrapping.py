"""What wraps a terminal has all that a terminal has."""

import pytest

from tmuxprim import AsyncTerminal, FakeTerminal, Terminal
from tmuxprim.testing import AsyncFakeTerminal, AsyncWrappingTerminal, WrappingTerminal

WRAPPERS = [(WrappingTerminal, Terminal), (AsyncWrappingTerminal, AsyncTerminal)]


@pytest.mark.parametrize(("wrapper", "protocol"), WRAPPERS)
def test_each_call_is_handed_on(wrapper: type, protocol: type) -> None:
    """So a wrapper that somebody has written lacks none when the protocol grows."""
    calls = {name for name in vars(protocol) if not name.startswith("_")}
    assert calls == {name for name in vars(wrapper) if not name.startswith("_")}


def test_it_tells_what_it_wraps() -> None:
    """By the name of its own class."""

    class Mine(WrappingTerminal):
        """A wrapper."""

    fake = FakeTerminal()
    assert repr(Mine(fake)) == f"Mine({fake!r})"
    awaited = AsyncFakeTerminal(fake)
    wrapped = AsyncWrappingTerminal(awaited)
    assert repr(wrapped) == f"AsyncWrappingTerminal({awaited!r})"
    assert (Mine(fake).clock, wrapped.clock) == (fake.clock, awaited.clock)
