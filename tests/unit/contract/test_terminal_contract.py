"""The contract catches wrong backends: each fails the test that is about what it does wrong."""

import pytest
from typing_extensions import override

from tests.fake_contract import FakeContract
from tests.unit.wrong_backends import CAUGHT, Make, Right
from tmuxprim import FakeTerminal, TmuxprimError

# What a broken promise shows as: an assertion, an error of ours that was not promised, or one
# that should never have come through.
BROKEN = (AssertionError, TmuxprimError, ValueError, OSError)


class ContractOn(FakeContract):
    """Runs on a backend that is made by a call."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self.setup_method()

    @override
    def make_fake(self) -> FakeTerminal:
        return self._make()


@pytest.mark.parametrize("fault", CAUGHT)
def test_a_wrong_backend_is_caught(fault: str) -> None:
    """It fails the test, which the backend that it was made from passes."""
    backend, test = CAUGHT[fault]
    test(ContractOn(Right))
    with pytest.raises(BROKEN):
        test(ContractOn(backend))
