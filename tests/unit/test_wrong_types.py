"""An argument of a wrong type is a TypeError, a ValueError or one of our errors.

An AttributeError or a KeyError from inside would not say which argument is meant.
"""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import tmuxprim
from tmuxprim import (
    FakeTerminal,
    KeySequence,
    Outcome,
    PromptStrategy,
    TmuxprimError,
    profiles,
    readiness,
    testing,
    tool,
)

WRONG: Final[tuple[object, ...]] = (None, 1, -1, 1.5, True, b"x", "x", [], {}, object())
MODULES: Final = (tmuxprim, readiness, testing, profiles, tool)


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


def calls(called: Callable[..., Any]) -> Iterator[tuple[list[object], dict[str, object]]]:
    """Yield arguments of which one is wrong, and all others that have to be given fit."""
    parameters = inspect.signature(called).parameters.values()
    fit = fitting()
    for wrong_one in parameters:
        needed = [
            one
            for one in parameters
            if one is not wrong_one
            and one.default is one.empty
            and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        ]
        others = {one.name: fit.get(one.name, "x") for one in needed}
        for wrong in WRONG:
            if wrong_one.kind is wrong_one.VAR_POSITIONAL:
                yield [wrong], others
            elif wrong_one.kind is not wrong_one.VAR_KEYWORD:
                yield [], {**others, wrong_one.name: wrong}


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


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("readiness.Snapshot", {"tty": 1}, "tty is TtyState or None, got 1"),
        ("Console", {"terminal": 1, "pane": "%0"}, "Console takes a terminal, such as Tmux"),
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
