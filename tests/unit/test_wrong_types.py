"""An argument of a wrong type is a TypeError, a ValueError or one of our errors.

An AttributeError or a KeyError from inside would not say which argument is meant.
"""

import asyncio
import inspect
import traceback
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import Any, Final, get_args

import pytest

import tmuxprim
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    PromptStrategy,
    Screen,
    TmuxprimError,
    TmuxTerminal,
    adapters,
    mcp,
    profiles,
    readiness,
    testing,
    tool,
)

WRONG: Final[tuple[object, ...]] = (None, 1, -1, 1.5, True, b"x", "x", [], {}, object())
MODULES: Final = (tmuxprim, adapters, mcp, readiness, testing, profiles, tool)


def is_ours(value: object) -> bool:
    """Whether a public name is a function of ours, or a class that users make values of."""
    is_error = isinstance(value, type) and issubclass(value, BaseException)
    is_for_types = is_error or getattr(value, "_is_protocol", False)
    return callable(value) and not is_for_types and "tmuxprim" in str(value.__module__)


CALLED: Final[dict[str, Callable[..., Any]]] = {
    f"{module.__name__}.{name}": value
    for module in MODULES
    for name, value in ((name, getattr(module, name)) for name in module.__all__)
    if is_ours(value)
}


def fitting() -> dict[str, object]:
    """Return an argument that fits, by the name of the parameter."""
    terminal = FakeTerminal()
    pane = terminal.open(name="shared")
    screen = terminal.observe(pane)
    return {
        "terminal": terminal,
        "inner": terminal,
        "pane": pane,
        "screen": screen,
        "size": screen.size,
        "rows": screen.rows,
        "cursor": screen.cursor,
        "keys": KeySequence.text("x"),
        "strategy": PromptStrategy(),
        "outcome": Outcome.PROMPT,
        **dict.fromkeys(("columns", "elapsed", "seconds"), 1),
        **dict.fromkeys(("row", "column"), 0),
        **dict.fromkeys(("canonical", "echo"), True),
    }


def parameters_of(called: Callable[..., Any]) -> list[Parameter]:
    """Return the parameters, with those of ``**options`` by their names."""
    parameters = []
    for one in inspect.signature(called).parameters.values():
        if one.kind is not one.VAR_KEYWORD:
            parameters.append(one)
        else:
            (options,) = get_args(one.annotation) or (object,)
            names = getattr(options, "__annotations__", ())
            parameters += [Parameter(name, one.KEYWORD_ONLY, default=None) for name in names]
    return parameters


def calls(called: Callable[..., Any]) -> Iterator[tuple[list[object], dict[str, object]]]:
    """Yield arguments of which one is wrong, and all others that have to be given fit."""
    parameters = parameters_of(called)
    several = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    fit = fitting()
    for wrong_one in parameters:
        # Whatever is given for a flag is true or false.
        for wrong in (True,) if isinstance(wrong_one.default, bool) else WRONG:
            given: list[object] = []
            named: dict[str, object] = {}
            for one in parameters:
                value = wrong if one is wrong_one else fit.get(one.name, "x")
                if one is not wrong_one and one.default is not one.empty:
                    continue
                if one.kind is one.VAR_POSITIONAL:
                    given += [wrong] if one is wrong_one else []
                elif several and one.kind is one.POSITIONAL_OR_KEYWORD:
                    given.append(value)
                else:
                    named[one.name] = value
            yield given, named


@pytest.mark.parametrize("name", CALLED)
def test_a_wrong_type_is_an_error_about_the_argument(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is given, if it is refused at all; what is taken for a path is made elsewhere."""
    monkeypatch.chdir(tmp_path)
    for given, named in calls(CALLED[name]):
        try:
            result = CALLED[name](*given, **named)
            if inspect.iscoroutine(result):
                result.close()
        except (TmuxprimError, TypeError, ValueError, AssertionError, FileNotFoundError):
            pass


def console() -> Console:
    """Return a console on a shell that is about to print something."""
    shell = testing.ScriptedShell({"ls": "axb"})
    terminal = FakeTerminal(programs={"bash": shell})
    made = Console(terminal, terminal.open("bash", name="shared"))
    made.wait_ready()
    made.send("ls")
    return made


def async_console() -> AsyncConsole:
    """Return the same for asyncio."""
    fake = console().terminal
    assert isinstance(fake, FakeTerminal)
    return AsyncConsole(testing.AsyncFakeTerminal(fake), "shared")


NO_TMUX: Final = "/no/such/tmux"
MADE: Final[dict[type, Callable[[], Any]]] = {
    Console: console,
    AsyncConsole: async_console,
    profiles.Session: lambda: console().session(profiles.SHELL, adopt=True).__enter__(),
    profiles.AsyncSession: lambda: async_console().session(profiles.SHELL, adopt=True),
    FakeTerminal: lambda: console().terminal,
    testing.AsyncFakeTerminal: lambda: async_console().terminal,
    TmuxTerminal: lambda: TmuxTerminal(executable=NO_TMUX),
    AsyncTmuxTerminal: lambda: AsyncTmuxTerminal(executable=NO_TMUX),
    testing.RecordingTerminal: lambda: testing.RecordingTerminal(console().terminal, "recording"),
    testing.Faults: lambda: FakeTerminal().faults,
    testing.FakeClock: testing.FakeClock,
    KeySequence: lambda: KeySequence.text("x"),
    Screen: lambda: fitting()["screen"],
    tool.TmuxTool: lambda: tool.TmuxTool(console().terminal),
    tool.AsyncTmuxTool: lambda: tool.AsyncTmuxTool(async_console().terminal),
}
METHODS: Final = [
    (made, name)
    for made in MADE
    for name in dir(made)
    if not name.startswith("_") and callable(getattr(made, name))
]


async def awaited(result: Any) -> None:  # noqa: ANN401  # whatever can be awaited
    """Wait for what a method of a class for asyncio has returned."""
    if isinstance(result, AbstractAsyncContextManager):
        async with result:
            pass
    elif isinstance(result, AsyncGenerator):
        await anext(result)
        await result.aclose()
    else:
        await result


def carry_out(result: object) -> None:
    """Do what a method has only returned the way to."""
    if isinstance(result, AbstractContextManager):
        with result:
            pass
    elif isinstance(result, Iterator):
        next(result, None)
    elif inspect.isawaitable(result) or hasattr(result, "__aenter__") or hasattr(result, "asend"):
        asyncio.run(awaited(result))


def is_refused(call: Callable[[], object]) -> bool:
    """Whether a call succeeds, or fails by a statement of ours about the argument."""
    try:
        carry_out(call())
    except (TmuxprimError, AssertionError):
        return True
    except Exception as error:  # noqa: BLE001  # any other error is the finding
        place = traceback.extract_tb(error.__traceback__)[-1]
        return "tmuxprim" in place.filename and str(place.line).startswith("raise")
    return True


@pytest.mark.parametrize(("made", "name"), METHODS, ids=lambda one: getattr(one, "__name__", one))
def test_a_method_refuses_a_wrong_type_itself(
    made: type, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No operation inside fails with it, such as a comparison."""
    monkeypatch.chdir(tmp_path)
    for given, named in calls(getattr(MADE[made](), name)):
        method = getattr(MADE[made](), name)
        assert is_refused(partial(method, *given, **named)), f"{given} {named}"


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("readiness.Snapshot", {"tty": 1}, "tty is TtyState or None, got 1"),
        ("Console", {"terminal": 1, "pane": "%0"}, "Console takes a terminal, such as Tmux"),
        (
            "Console",
            {"terminal": TmuxTerminal, "pane": "%0"},
            r"Console takes a terminal, such as TmuxTerminal\(\), got <class",
        ),
        ("testing.ScriptedShell", {"commands": ["ls"]}, r"commands is Mapping, got \['ls'\]"),
        ("testing.AsyncFakeTerminal", {"fake": "x"}, "fake is FakeTerminal or None, got 'x'"),
    ],
)
def test_the_message_names_the_argument(
    name: str, arguments: dict[str, object], message: str
) -> None:
    """And its type, and what was given."""
    fit = {"screen": fitting()["screen"]} if name.endswith("Snapshot") else {}
    with pytest.raises(TypeError, match=message):
        CALLED[f"tmuxprim.{name}"](**fit, **arguments)


def test_a_terminal_that_is_not_entered() -> None:
    """The message says how to enter it: `TmuxTerminal.private` is a context manager."""
    with pytest.raises(TypeError, match=r"with TmuxTerminal.private\(\) as terminal:"):
        Console(TmuxTerminal.private(), "%0")  # type: ignore[arg-type]  # the mistake
