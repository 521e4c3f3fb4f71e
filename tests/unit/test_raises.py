"""An error that a public function raises is one that its docstring describes."""

import asyncio
import builtins
import inspect
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pytest

import tmuxprim
from tests.unit.test_docstrings import named
from tmuxprim import (
    AsyncConsole,
    AsyncTerminal,
    Console,
    FakeTerminal,
    KeySequence,
    Terminal,
    TmuxprimError,
    errors,
    profiles,
    testing,
    tool,
)
from tmuxprim.profiles import SHELL, SQLITE, Session
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, question
from tmuxprim.tool import AsyncTmuxTool, TmuxTool

ARGUMENTS: Final[dict[str, object]] = {
    "text": "ls",
    "keys": KeySequence.text("x"),
    "command": "ls",
    "names": "Up",
    "size": (80, 24),
    "path": "screen.svg",
    "profile": SQLITE,
    "arguments": {"action": "run", "command": "ls"},
    "mode": "copy-mode",
    "on": True,
    "expected": "ls",
}
# Those that would wait for ever.
ENDLESS: Final = ("follow", "watch", "watch_states", "async_watch_states")
# What each situation may do to a call: nothing is done right before it but this.
SITUATIONS: Final[dict[str, Callable[[FakeTerminal, Console], object]]] = {
    "pane gone": lambda fake, console: fake.close(console.pane),
    "server gone": lambda fake, _: [*map(fake.close, fake.panes())],
    "program dead": lambda fake, console: fake.faults.kill(console.pane),
    "server hangs": lambda fake, _: fake.faults.hang(1e6),
    "copy mode": lambda fake, console: fake.set_mode(console.pane, "copy-mode"),
    "asks": lambda _, console: console.run("ask"),
}
WRONG: Final[dict[str, tuple[object, ...]]] = {
    "timeout": (-1.0,),
    "idle_timeout": (-1.0,),
    "lines": (-1,),
    "history": (-1,),
    "text": ("\x00", "\ud800"),
    "keys": ("Entre",),
    "names": ("Entre",),
    "command": ("\x00",),
    "prompt_pattern": ("(",),
    "strategy": (1,),
    "answers": ({"": "y"},),
    "size": ((0, 5),),
    "name": ("a:b", ""),
    "env": ({"": "x"},),
    "path": ("screen.png",),
}
# A text that is searched for may be any but none.
WRONG_HERE: Final[dict[tuple[str, str], tuple[object, ...]]] = {
    ("wait_for", "text"): ("",),
    ("run", "command"): ("a\tb", "\x00"),
}
SUBJECTS: Final[dict[type, Callable[[Console], object]]] = {
    Console: lambda console: console,
    AsyncConsole: lambda console: AsyncConsole(AsyncFakeTerminal(_fake(console)), console.pane),
    Terminal: lambda console: console.terminal,
    AsyncTerminal: lambda console: AsyncFakeTerminal(_fake(console)),
    KeySequence: lambda _: KeySequence,
    FakeTerminal: lambda console: console.terminal,
    AsyncFakeTerminal: lambda console: AsyncFakeTerminal(_fake(console)),
    TmuxTool: lambda console: TmuxTool(console.terminal),
    # Of `AsyncSession` test_docstrings says that it describes the same.
    Session: lambda console: console.session(SHELL, adopt=True).__enter__(),
    AsyncTmuxTool: lambda console: AsyncTmuxTool(AsyncFakeTerminal(_fake(console))),
}
PLACES: Final = (tmuxprim, testing, tool, profiles)
FUNCTIONS: Final = ("pane_states", "watch_states", "async_pane_states", "async_watch_states")


def _fake(console: Console) -> FakeTerminal:
    assert isinstance(console.terminal, FakeTerminal)
    return console.terminal


def prepared() -> Console:
    """Return a console on a shell at its prompt, in a terminal that keeps dead panes."""
    shell = ScriptedShell({"ls": "a", "ask": question("Go on? ")})
    fake = FakeTerminal(programs={"bash": shell}, remain_on_exit=True)
    console = Console(fake, fake.open("bash", name="shared"))
    fake.open("bash")  # so that the server stays
    console.wait_ready()
    return console


def called() -> Iterator[tuple[str, str]]:
    """Yield the names of classes and of their methods; a function has no class."""
    for subject in SUBJECTS:
        for name, value in vars(subject).items():
            is_ours = inspect.isfunction(value) or isinstance(value, classmethod)
            if is_ours and not name.startswith("_") and name != "session":
                yield subject.__name__, name
    yield from (("", name) for name in FUNCTIONS)


def documented(subject: str, name: str) -> Callable[..., Any]:
    """Return what has the docstring."""
    (owner,) = {getattr(one, subject) for one in PLACES if subject in one.__all__} or {tmuxprim}
    found: Callable[..., Any] = getattr(owner, name)
    return found


def parameters(subject: str, name: str) -> dict[str, bool]:
    """Return the parameters of a call, and whether they have to be given."""
    found = {}
    for one in inspect.signature(documented(subject, name)).parameters.values():
        if one.kind is one.VAR_KEYWORD:
            for options in get_args(one.annotation):
                found.update(dict.fromkeys(options.__annotations__, False))
        elif one.name not in ("self", "cls"):
            found[one.name] = one.default is one.empty
    return found


def base_of(subject: str, console: Console) -> object:
    """Return the object that has the method, or the module that has the function."""
    made = {kind.__name__: make for kind, make in SUBJECTS.items()}
    return made[subject](console) if subject else tmuxprim


def error_of(
    subject: str, name: str, base: object, console: Console, wrong: dict[str, object]
) -> object:
    """Return the error that a call raises, if it does."""
    fake = _fake(console)
    is_async = subject.startswith("Async") or name.startswith("async_")
    terminal = AsyncFakeTerminal(fake) if is_async else fake
    fit = {**ARGUMENTS, "pane": console.pane, "terminal": terminal}
    arguments = {one: fit[one] for one, needed in parameters(subject, name).items() if needed}
    arguments |= {"timeout": 0.1} if name in ENDLESS else {}
    arguments |= wrong
    several = [
        arguments.pop(one)
        for one in ("pane", "keys", "names", "expected")
        if one in arguments and name in ("keys", "assert_sent")
    ]
    try:
        carry_out(getattr(base, name)(*several, **arguments))
    except (TmuxprimError, ValueError, TypeError, OSError, AssertionError) as error:
        return error
    return None


def carry_out(result: Any) -> None:  # noqa: ANN401  # whatever a function returns
    """Do what a function has only returned the way to."""
    if inspect.isawaitable(result):
        asyncio.run(_await(result))
    elif isinstance(result, AsyncIterator):
        asyncio.run(_await(anext(result, None)))
    elif hasattr(result, "__aenter__"):
        asyncio.run(_enter(result))
    elif hasattr(result, "__enter__"):
        with result:
            pass
    elif isinstance(result, Iterator):
        next(result, None)


async def _await(result: Any) -> None:  # noqa: ANN401  # as above
    await result


async def _enter(result: Any) -> None:  # noqa: ANN401  # as above
    async with result:
        pass


def described(subject: str, name: str) -> tuple[type[Exception], ...]:
    """Return the errors that a docstring describes, or one that it refers to."""
    known = {**vars(builtins), **vars(errors)}
    function = documented(subject, name)
    found = named(function, "Raises")
    for other in re.findall(r"see `(\w+)\.(\w+)`", str(function.__doc__)):
        if other[0] != "testing":
            found |= {one.__name__ for one in described(*other)}
    return tuple(known[one] for one in found)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize(("subject", "name"), [*called()])
def test_what_goes_wrong_is_described(
    subject: str, name: str, situation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each state of the pane in which a call may find it."""
    monkeypatch.chdir(tmp_path)
    console = prepared()
    base = base_of(subject, console)
    SITUATIONS[situation](_fake(console), console)
    error = error_of(subject, name, base, console, {})
    assert error is None or isinstance(error, described(subject, name)), repr(error)


@pytest.mark.parametrize(
    ("subject", "name", "argument"),
    [
        (subject, name, argument)
        for subject, name in called()
        for argument in parameters(subject, name)
        if argument in WRONG
    ],
)
def test_wrong_arguments_are_described(subject: str, name: str, argument: str) -> None:
    """And refused."""
    for wrong in WRONG_HERE.get((name, argument), WRONG[argument]):
        console = prepared()
        error = error_of(subject, name, base_of(subject, console), console, {argument: wrong})
        # A wrong type is a TypeError everywhere.
        assert isinstance(error, (TypeError, *described(subject, name))), f"{wrong!r}: {error!r}"
