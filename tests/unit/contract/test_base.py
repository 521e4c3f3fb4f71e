"""The contract's own helpers: a contract that cannot fail holds nobody to anything."""

from collections.abc import Callable
from typing import NoReturn

import pytest
from typing_extensions import override

from tests.fake_contract import FakeContract
from tmuxprim import FakeTerminal, Pane, PaneBusyError, PaneNotFoundError, TmuxprimError
from tmuxprim._contract.base import ContractBase, refused
from tmuxprim.errors import TapUnavailableError
from tmuxprim.testing import CONTRACT_SHELL


@pytest.fixture
def contract() -> FakeContract:
    """Give a contract whose terminal is made."""
    contract = FakeContract()
    contract.setup_method()
    return contract


def fail(error: type[TmuxprimError] | None) -> None:
    """Raise an error, if it is one."""
    if error is not None:
        raise error("so")


@pytest.mark.parametrize(
    ("promised", "raised", "comes"),
    [
        (PaneBusyError, None, AssertionError),
        (PaneBusyError, PaneNotFoundError, PaneNotFoundError),
        (TmuxprimError, PaneBusyError, PaneBusyError),
    ],
)
def test_refused_demands_the_error_itself(
    promised: type[TmuxprimError],
    raised: type[TmuxprimError] | None,
    comes: type[Exception],
) -> None:
    """Neither none, nor another one, nor a more special one keeps the contract."""
    with pytest.raises(comes), refused(promised):
        fail(raised)


def test_refused_takes_the_error_it_names() -> None:
    """The block is left, and the error with it."""
    with refused(PaneBusyError):
        raise PaneBusyError("busy")


def test_eventually_waits_on_the_clock_of_the_terminal(contract: FakeContract) -> None:
    """Time passes until the condition holds, and no longer; none if it holds already."""
    clock = contract.terminal.clock
    contract.eventually(lambda: True)
    assert clock.now() == 0.0
    contract.eventually(lambda: clock.now() > 3.0)
    assert 3.0 < clock.now() < 3.1


def test_eventually_gives_up(contract: FakeContract) -> None:
    """The message tells how long it waited, and what all panes show."""
    contract.type_line(contract.ready_shell(), "echo one")
    contract.ready_shell()
    with pytest.raises(AssertionError) as caught:
        contract.eventually(lambda: False)
    assert str(caught.value) == (r"not true after 10 s; the panes show ['$ echo one\none\n$', '$']")


def test_what_was_waited_for_is_returned(contract: FakeContract) -> None:
    """The screen on which the text stands, and the evidence that is such."""
    pane = contract.ready_shell()
    contract.type_line(pane, "echo one")
    assert "one" in contract.eventually_shows(pane, "\none").rows
    contract.type_line(pane, "ask")
    assert contract.eventually_probes(pane, lambda tty: tty.canonical).canonical


def test_teardown_closes_all_panes(contract: FakeContract) -> None:
    """A test leaves no pane to the next."""
    contract.ready_shell()
    contract.ready_shell()
    contract.teardown_method()
    assert contract.terminal.panes() == ()


def test_a_terminal_beside_is_the_same_one_if_need_be(contract: FakeContract) -> None:
    """A backend whose terminals share nothing has nothing to fill in."""
    assert contract.terminal_beside() is contract.terminal


@pytest.mark.parametrize(
    "hook",
    [
        ContractBase.make_terminal,
        ContractBase.open_shell,
        ContractBase.keep_dead_panes,
        lambda base: base.enter_copy_mode(Pane("%0")),
        lambda base: base.switch_input_off(Pane("%0")),
        lambda base: base.synchronize(Pane("%0")),
    ],
)
def test_a_backend_fills_the_hooks_in(hook: Callable[[ContractBase], object]) -> None:
    """A missing hook raises an error."""
    with pytest.raises(NotImplementedError):
        hook(ContractBase())


class DeafTerminal(FakeTerminal):
    """A terminal whose panes' output nobody may have."""

    @override
    def tap(self, *_: object, **__: object) -> NoReturn:
        raise TapUnavailableError("there is none")


class DeafContract(FakeContract):
    """The contract of a backend that has no taps."""

    @override
    def make_fake(self) -> FakeTerminal:
        return DeafTerminal(programs={"sh": CONTRACT_SHELL})


@pytest.mark.parametrize(
    "name",
    [
        "test_a_program_says_that_it_works",
        "test_a_bell_is_waited_for",
        "test_a_wait_without_signals_says_so",
    ],
)
def test_a_backend_may_have_no_tap(name: str) -> None:
    """Then a wait has to say that it is deaf."""
    contract = DeafContract()
    contract.setup_method()
    getattr(contract, name)()
