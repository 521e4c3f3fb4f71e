"""What the library shows: names, where they say that they come from, docstrings, values."""

import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import get_type_hints

import attrs
import pytest

import tmuxprim
import tmuxprim.adapters
import tmuxprim.errors
import tmuxprim.mcp
import tmuxprim.profiles
import tmuxprim.readiness
import tmuxprim.testing
import tmuxprim.tool
from tests.public_modules import PUBLIC_MODULES
from tests.unit.builders import AT_PROMPT, LISTED, MARK, screen
from tmuxprim import (
    CommandResult,
    Cursor,
    Event,
    EventKind,
    Key,
    KeySequence,
    Outcome,
    Pane,
    PaneState,
    PromptStrategy,
    Readiness,
    Size,
    StabilityStrategy,
    State,
    StateChange,
    TimeoutStrategy,
    TmuxprimError,
    default_chain,
)
from tmuxprim._engine.output import BEFORE
from tmuxprim.adapters import ShellReply
from tmuxprim.profiles import PYTHON, Answer, AnswerRows, Profile, ScreenStrategy
from tmuxprim.readiness import (
    AllOf,
    AssistantStrategy,
    BellStrategy,
    Busy,
    Chain,
    ContinuationStrategy,
    ExitStrategy,
    ForegroundStrategy,
    LineEditorStrategy,
    MatchStrategy,
    ModeStrategy,
    Pass,
    Prompt,
    Ready,
    Signals,
    SignalStrategy,
    Snapshot,
)
from tmuxprim.testing import (
    After,
    Layout,
    Paste,
    ReadKey,
    ReadLine,
    ScriptedShell,
    Sent,
    Sleep,
    Style,
    StyledText,
)
from tmuxprim.tool import ToolResponse

PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in PUBLIC_MODULES
    for name in module.__all__
}
# Classes and functions; aliases of types and constants carry no names and docstrings.
NAMED = {name: value for name, value in PUBLIC.items() if isinstance(value, type | FunctionType)}

every_module = pytest.mark.parametrize("module", PUBLIC_MODULES, ids=lambda module: module.__name__)
every_name = pytest.mark.parametrize("name", NAMED)


@every_module
def test_all_is_sorted(module: ModuleType) -> None:
    """The list of public names is in order, constants first, and none is in it twice."""
    in_order = sorted(set(module.__all__), key=lambda name: (not name.isupper(), name))
    assert module.__all__ == in_order


@every_module
def test_all_is_complete(module: ModuleType) -> None:
    """All that can be seen in a module without a leading underscore is public."""
    seen = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    private = {"brief", "import_module", "profile_of", "show_as"}
    private |= {"TYPE_CHECKING", "Enum", "Final", "Mapping", "Sequence"}
    assert seen - private == set(module.__all__)


@every_name
def test_module_is_public(name: str) -> None:
    """A class or a function says that it comes from where one imports it."""
    assert NAMED[name].__module__ in {module.__name__ for module in PUBLIC_MODULES}
    assert (
        getattr(importlib.import_module(NAMED[name].__module__), NAMED[name].__name__)
        is NAMED[name]
    )


@every_name
def test_docstring(name: str) -> None:
    """Each public class and function is explained, in a sentence first."""
    docstring = NAMED[name].__doc__ or ""
    assert docstring.partition("\n")[0].endswith("."), docstring


@every_name
def test_docstrings_of_methods(name: str) -> None:
    """So is each public method and property of each public class."""
    value = NAMED[name]
    for member, found in vars(value).items() if isinstance(value, type) else ():
        if not member.startswith("_") and (inspect.isroutine(found) or isinstance(found, property)):
            assert inspect.getdoc(getattr(value, member)), member


@every_name
def test_annotations_can_be_read(name: str) -> None:
    """A program that makes a schema from annotations finds the types that they name."""
    value = NAMED[name]
    for member in vars(value).values() if isinstance(value, type) else (value,):
        if isinstance(member, FunctionType) and str(member.__module__).startswith("tmuxprim"):
            # errors.py, in the lowest layer, cannot import the type of an attribute.
            names = {"CommandResult": CommandResult}
            assert isinstance(get_type_hints(member, localns=names), dict)


@pytest.mark.parametrize(
    "name",
    [info.name for info in pkgutil.walk_packages(tmuxprim.__path__, "tmuxprim.")],
)
def test_docstrings_of_modules(name: str) -> None:
    """Each module, private ones too, says in a sentence what it is for."""
    docstring = importlib.import_module(name).__doc__ or ""
    assert docstring.partition("\n")[0].endswith((".", "?", "``."))


def test_every_error_is_public() -> None:
    """There is no error of ours that a user cannot name."""
    ours = {value for value in PUBLIC.values() if _is_error(value)}
    assert ours == {TmuxprimError, *_all_subclasses(TmuxprimError)}


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, TmuxprimError)


def _all_subclasses(cls: type) -> set[type]:
    below: set[type] = {*cls.__subclasses__()}
    return below.union(*(_all_subclasses(sub) for sub in below))


# A screen, texts and evidence as long as they usually are, or longer.
LONG = "a row of a text with 'quotes' and blanks " * 50
SIZE = Size(80, 24)
SHOWN = attrs.evolve(
    screen("\n".join(LONG[start : start + 80] for start in range(24)), size=SIZE),
    history=(LONG[:80],) * 100,
    layout=Layout((True,) * 124, (2,) * 124),
    title=LONG,
    command="python3",
)
WAITS = attrs.evolve(
    AT_PROMPT, stack=1 << 46, depth=4096, program="python3", children=frozenset(range(50))
)
SENT = attrs.evolve(MARK, screen=SHOWN, tty=WAITS, typed=LONG, line=LONG)
READY = Readiness(
    outcome=Outcome.AWAITING_SECRET,
    strategy="AwaitingInputStrategy",
    reason=f"a program waits for a line that is not shown, after {LONG!r}",
    screen=SHOWN,
    elapsed=2.000123456789,
    tty=WAITS,
    verdicts=(("ExitStrategy", Pass("the program lives")),) * 20,
)
AT_SHELL = PaneState(
    pane=Pane("%0"),
    state=State.FULLSCREEN,
    program="python3",
    reason=LONG,
    question=LONG,
    background=LONG,
    evidence="syscall",
    screen=SHOWN,
)
VALUES = (
    Pane("%3"),
    LISTED,
    AT_SHELL,
    StateChange(before=None, now=AT_SHELL, since=1.5),
    Size(80, 24),
    Key("C-c"),
    KeySequence((LONG, Key("Enter"), Paste(LONG))),
    Paste(LONG),
    Cursor(1, 2),
    SHOWN,
    WAITS,
    Prompt(LONG, 10, (1 << 46, 4096), more=LONG),
    SENT,
    Snapshot(screen=SHOWN, tty=WAITS, mark=SENT, elapsed=1.0),
    Ready(Outcome.PROMPT, LONG),
    Busy(LONG, 0.5),
    Pass(LONG),
    READY,
    CommandResult(
        output=LONG,
        complete=False,
        readiness=READY,
        doubt=BEFORE,
        exit_status=127,
        mark=SENT,
        has_ended=False,
    ),
    Event(
        kind=EventKind.WAIT_ENDED,
        pane=Pane("%3"),
        outcome=Outcome.AWAITING_SECRET,
        reason=LONG,
        strategy="AwaitingInputStrategy",
    ),
    SHOWN.layout,
    Style(foreground="#102030", bold=True),
    StyledText(LONG, Style(foreground=1)),
    ContinuationStrategy("more> "),
    MatchStrategy("done"),
    ExitStrategy(),
    ModeStrategy(),
    ForegroundStrategy(),
    LineEditorStrategy(),
    PromptStrategy("ready>", last_line=True),
    StabilityStrategy(quiet=3.0),
    SignalStrategy(paste=True),
    BellStrategy(),
    Signals(status=LONG, title=LONG),
    AssistantStrategy(name="Chat", programs=("chat",), box="^> ", asks="Run it?"),
    TimeoutStrategy(5.0),
    Chain((ExitStrategy(), TimeoutStrategy(5.0))),
    AllOf((ExitStrategy(), PromptStrategy())),
    PYTHON,
    AnswerRows(asked="^> (.*)", box=r"^\|"),
    ScreenStrategy(shows="ready", hides="busy"),
    Answer(text=LONG, complete=True, readiness=READY, failure=LONG),
    After(1.0, LONG),
    Sent(Pane("%3"), KeySequence.keys("Up"), 0.5),
    ReadLine(raw=True),
    ReadKey(),
    Sleep(1.0),
    ToolResponse(LONG),
    ShellReply(output=LONG, exit_code=0, note=LONG),
)
# A program that is made by attrs, and holds a mapping: it has no hash.
NO_VALUES = {ScriptedShell}

# As attrs' own types have it, only values of one known class can be copied.
evolve: Callable[..., attrs.AttrsInstance] = attrs.evolve

every_value = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)


def test_every_value_class_is_tried() -> None:
    """No value class is left out of the tests that follow."""
    classes = {value for value in NAMED.values() if isinstance(value, type) and attrs.has(value)}
    assert {type(value) for value in VALUES} == classes - NO_VALUES


@every_value
def test_value_is_frozen(value: attrs.AttrsInstance) -> None:
    """No field of a value can be set, and none be added."""
    for name in [*(field.name for field in attrs.fields(type(value))), "another"]:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(value, name, None)


@every_value
def test_value_equals_its_copy(value: attrs.AttrsInstance) -> None:
    """Equal values are one and the same to a set; no other thing is equal to them."""
    copy = evolve(value)
    assert copy == value
    assert hash(copy) == hash(value)
    assert value != object()


@pytest.mark.parametrize(
    "value",
    [
        *VALUES,
        default_chain(),
        ScriptedShell(dict.fromkeys(map(str, range(50)), LONG)),
        *(profile for profile in PUBLIC.values() if isinstance(profile, Profile)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_repr_is_one_short_line(value: object) -> None:
    """A log or a debugger shows a value in one line, without the whole screen or a long text."""
    assert "\n" not in repr(value)
    assert len(repr(value)) <= 300


@every_value
def test_value_survives_pickling(value: attrs.AttrsInstance) -> None:
    """A value from another process is the same value."""
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  # what was pickled just now


@every_value
def test_values_of_two_classes_differ(value: attrs.AttrsInstance) -> None:
    """No value is equal to one of another class, whatever its fields are."""
    assert [other for other in VALUES if other == value] == [value]


@pytest.mark.parametrize(
    ("value", "field", "wrong"),
    [
        (Pane("%3"), "target", "%x"),
        (Size(80, 24), "columns", 0),
        (Size(80, 24), "rows", 10_001),
        (Key("Up"), "name", "Upp"),
        (KeySequence.text("a"), "parts", ("\0",)),
        (Paste("a"), "text", "\x1b[201~"),
        (Cursor(1, 2), "row", -1),
        (Cursor(1, 2), "column", -1),
        (screen(), "rows", ()),
        (screen(), "cursor", Cursor(99, 0)),
        (PromptStrategy(), "pattern", "("),
        (TimeoutStrategy(5.0), "seconds", -1),
        (PYTHON, "command", ()),
        (ScreenStrategy(shows="ready"), "shows", "("),
        (AnswerRows(asked="^> (.*)", box="x"), "box", "("),
        (Chain((ExitStrategy(),)), "strategies", ()),
        (AllOf((ExitStrategy(), ModeStrategy())), "strategies", (ExitStrategy,)),
        (AllOf((ExitStrategy(), ModeStrategy())), "strategies", ()),
    ],
)
def test_evolve_validates_again(value: attrs.AttrsInstance, field: str, wrong: object) -> None:
    """A changed copy of a value is held to the same rules."""
    with pytest.raises(TmuxprimError):
        evolve(value, **{field: wrong})


def test_version_is_a_version() -> None:
    """The version is three numbers."""
    assert [part.isdigit() for part in tmuxprim.__version__.split(".")] == [True] * 3
