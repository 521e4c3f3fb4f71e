"""An error that a method raises is one that its docstring describes."""

import builtins
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.unit.test_docstrings import named
from tmuxprim import Console, FakeTerminal, KeySequence, Pane, TmuxprimError, errors
from tmuxprim.testing import ScriptedShell, question

ARGUMENTS: Final[dict[str, object]] = {
    "text": "ls",
    "keys": KeySequence.text("x"),
    "pattern": "a",
    "command": "ls",
    "size": (80, 24),
    "path": "screen.svg",
}
# What each situation may do to a call: nothing is done right before it but this.
SITUATIONS: Final[dict[str, Callable[[FakeTerminal, Pane], object]]] = {
    "pane gone": lambda fake, pane: fake.close(pane),
    "program dead": lambda fake, pane: fake.faults.kill(pane),
    "server hangs": lambda fake, _: fake.faults.hang(1e6),
    "copy mode": lambda fake, pane: fake.set_mode(pane, "copy-mode"),
    "asks": lambda fake, pane: Console(fake, pane).run("ask"),
}
WRONG: Final[dict[str, object]] = {
    "timeout": -1.0,
    "idle_timeout": -1.0,
    "lines": -1,
    "history": -1,
    "text": "\x00",
    "keys": "Entre",
    "command": "a\tb",
    "prompt_pattern": "(",
    "pattern": "",
    "strategy": 1,
    "answers": {"": "y"},
}


def prepared() -> tuple[FakeTerminal, Console]:
    """Return a terminal that keeps dead panes, and a console on a shell at its prompt."""
    shell = ScriptedShell({"ls": "a", "ask": question("Go on? ")})
    fake = FakeTerminal(programs={"sh": shell}, remain_on_exit=True)
    console = Console(fake, fake.open(name="shared"))
    fake.open()  # so that the server stays
    console.wait_ready()
    return fake, console


def needed(method: Callable[..., object]) -> dict[str, object]:
    """Return fitting arguments for those that have to be given."""
    parameters = inspect.signature(method).parameters.values()
    given = {one.name: ARGUMENTS[one.name] for one in parameters if one.default is one.empty}
    return given | {"timeout": 1.0} if method.__name__ == "follow" else given


def methods() -> Iterator[str]:
    """Yield the names of the methods that act on the pane."""
    for name, value in vars(Console).items():
        if inspect.isfunction(value) and not name.startswith("_") and name != "session":
            yield name


def error_of(name: str, console: Console, wrong: dict[str, object]) -> Exception | None:
    """Return the error that a method raises, if it does."""
    method = getattr(console, name)
    arguments = needed(method) | wrong
    given = [arguments.pop("keys")] if name == "keys" else []
    try:
        result = method(*given, **arguments)
        if inspect.isgenerator(result):
            next(result, None)
    except (TmuxprimError, ValueError) as error:
        return error
    return None


def described(name: str) -> tuple[type[Exception], ...]:
    """Return the errors that the docstring of a method describes."""
    known = {**vars(builtins), **vars(errors)}
    return tuple(known[one] for one in named(getattr(Console, name), "Raises"))


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("name", [*methods()])
def test_what_goes_wrong_is_described(
    name: str, situation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each state of the pane in which a call may find it."""
    monkeypatch.chdir(tmp_path)
    fake, console = prepared()
    SITUATIONS[situation](fake, console.pane)
    error = error_of(name, console, {})
    assert error is None or isinstance(error, described(name)), repr(error)


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        (name, argument)
        for name in methods()
        for argument in inspect.signature(getattr(Console, name)).parameters
        if argument in WRONG
    ],
)
def test_wrong_arguments_are_described(name: str, argument: str) -> None:
    """And refused."""
    _, console = prepared()
    error = error_of(name, console, {argument: WRONG[argument]})
    assert isinstance(error, described(name)), repr(error)
