"""Each answer of control mode belongs to the call before it, whatever becomes of the panes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.control import CAT, control, eventually
from tests.examples import examples
from tests.lines import LINES
from tests.tmux_server import Server
from tmuxprim import Pane, PaneNotFoundError, Size, TmuxprimError, TmuxTerminal
from tmuxprim._tmux.commands import TmuxCall, call
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.transport import ControlTransport

pytestmark = [pytest.mark.tmux]

HOOKS: Final = ("after-display-message", "after-capture-pane", "after-send-keys")


def spawning(server: Server) -> SubprocessTransport:
    """Return what starts a client for each call."""
    return SubprocessTransport(Prefix((), ("tmux", "-u", "-S", str(server.socket))), 60.0)


@contextmanager
def controlling(server: Server) -> Iterator[ControlTransport]:
    """Give a transport in control mode, whose client sits in a session that stays, to the end."""
    server.terminal.open(CAT, name="seat")
    control_mode = ControlTransport(spawning(server), is_required=True)
    try:
        control_mode.run(call(("list-panes",)))
        before = client(server)
        yield control_mode
        assert client(server) == before
    finally:
        control_mode.close()


def client(server: Server) -> str:
    """Return the one client of the server."""
    return server.tmux("list-clients", "-F", "#{client_pid}")


def there(server: Server) -> Pane:
    """Open a pane whose program runs."""
    return server.terminal.open(CAT)


def dead(server: Server) -> Pane:
    """Open a pane that stays after its program has ended."""
    pane = server.terminal.open("read x")
    server.tmux("set-option", "-w", "-t", pane.target, "remain-on-exit", "on")
    server.tmux("send-keys", "-t", pane.target, "Enter")
    eventually(lambda: server.terminal.observe(pane).dead)
    return pane


def gone(server: Server) -> Pane:
    """Open a pane and end it."""
    pane = server.terminal.open(CAT)
    server.terminal.close(pane)
    return pane


def going(hook: str) -> Callable[[Server], Pane]:
    """Return what opens a pane that a hook ends in the middle of the next line."""

    def opened(server: Server) -> Pane:
        pane = server.terminal.open(CAT)
        server.tmux("set-hook", "-g", hook, f"kill-pane -t {pane.target}")
        return pane

    return opened


# The states in which a line is answered as a client of its own would be. A hook that fails is an
# error of such a client.
AS_ALONE: Final = ("there", "dead", "gone")
PANES: Final[dict[str, Callable[[Server], Pane]]] = {
    "there": there,
    "dead": dead,
    "gone": gone,
    **{f"gone {hook}": going(hook) for hook in HOOKS},
}


def told(run: Callable[[TmuxCall], str], line: TmuxCall) -> type[TmuxprimError] | None:
    """Return the kind of the error that a line comes to, if it comes to one."""
    try:
        run(line)
    except TmuxprimError as error:
        return type(error)
    return None


def check(server: Server, control_mode: ControlTransport, name: str, state: str) -> None:
    """Have a line carried out, and see that the calls behind it have their own answers."""
    is_as_alone = state in AS_ALONE and name != "panes of the session"  # of another client's
    panes = [PANES[state](server) for _ in range(1 + is_as_alone)]
    answer = told(control_mode.run, LINES[name](panes[0]))
    if is_as_alone:
        assert answer == told(spawning(server).run, LINES[name](panes[1]))
    for hook in HOOKS:
        server.tmux("set-hook", "-gu", hook)
    for number in range(3):
        word = f"{name} {state} {number}"
        assert control_mode.run(call(("display-message", "-p", word))) == f"{word}\n"


@pytest.mark.parametrize("name", LINES)
def test_all_that_a_line_prints_is_its_answer(server: Server, name: str) -> None:
    """For panes that are there, dead, gone, and gone in the middle, and on one client."""
    with controlling(server) as control_mode:
        for state in PANES:
            check(server, control_mode, name, state)


@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cases=st.lists(
        st.tuples(st.sampled_from(sorted(LINES)), st.sampled_from(sorted(PANES))),
        min_size=1,
        max_size=8,
    )
)
def test_any_lines_in_a_row(module_server: Server, cases: list[tuple[str, str]]) -> None:
    """Whatever came before, each call has the answer to its own question."""
    for pane in module_server.terminal.panes():
        module_server.terminal.close(pane)
    with controlling(module_server) as control_mode:
        for name, state in cases:
            check(module_server, control_mode, name, state)


def test_a_resize_of_a_pane_that_has_gone_leaves_nothing_over(
    server: Server, linked: TmuxTerminal
) -> None:
    """An error in a branch of if-shell does not end its line; what follows is of the same call."""
    seat = linked.open("echo mine; exec cat", name="seat")
    eventually(lambda: linked.read(seat) == "mine")
    before = client(server)
    for _ in range(5):
        pane = server.terminal.open(CAT)
        server.tmux("kill-pane", "-t", pane.target)
        with pytest.raises(PaneNotFoundError):
            linked.resize(pane, Size(70, 20))
        assert linked.read(seat) == "mine"
        assert linked.observe(seat).size == Size(80, 24)
        assert [pane.target for pane in linked.panes()] == [seat.target]
    assert client(server) == before


def test_an_alias_that_stands_for_several_commands(server: Server) -> None:
    """It is as with a client of its own, and the connection stays."""
    server.terminal.open(CAT, name="seat")
    pane = server.terminal.open(CAT)
    alias = "send-keys=display-message -p typed ; send-keys"
    server.tmux("set-option", "-s", "command-alias[100]", alias)
    with control(server) as linked:
        linked.panes()
        before = client(server)
        line = call(("send-keys", "-t", pane.target, "x"), ("display-message", "-p", "done"))
        run = vars(linked)["_transport"].run
        assert run(line) == "typed\ndone\n"
        assert linked.observe(pane).size == Size(80, 24)
        assert client(server) == before
