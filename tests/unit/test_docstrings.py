"""The library's docstrings: their examples run, and they describe arguments, results and errors.

Docstrings are found in the sources and not by ``doctest.DocTestFinder``, since public names say
that they come from ``tmuxprim`` and the finder would take them for somebody else's.
"""

import ast
import doctest
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType

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

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FOLDER = Path(tmuxprim.__file__).parent
NAMES: dict[str, object] = {
    "__name__": "__main__",
    "attrs": attrs,
    "re": re,
    **{name: getattr(tmuxprim, name) for name in tmuxprim.__all__},
    **{name: getattr(tmuxprim.errors, name) for name in tmuxprim.errors.__all__},
    **{name: getattr(tmuxprim.readiness, name) for name in tmuxprim.readiness.__all__},
    **{name: getattr(tmuxprim.adapters, name) for name in tmuxprim.adapters.__all__},
    **{name: getattr(tmuxprim.mcp, name) for name in tmuxprim.mcp.__all__},
    **{name: getattr(tmuxprim.profiles, name) for name in tmuxprim.profiles.__all__},
    **{name: getattr(tmuxprim.testing, name) for name in tmuxprim.testing.__all__},
    **{name: getattr(tmuxprim.tool, name) for name in tmuxprim.tool.__all__},
}

PUBLIC = {name: value for name, value in NAMES.items() if isinstance(value, type | FunctionType)}
# What has no example of its own, and why. Aliases of types and constants have no docstrings.
NOT_SHOWN: dict[str, str] = {}
# The pieces of a fake program make sense only together: in the docstring of `tmuxprim.testing`.
SHOWN_TOGETHER = {
    *("After", "after", "pager", "password", "question", "repl", "Sent"),
    *("FakeTty", "Interrupted", "ReadKey", "ReadLine", "Sleep"),
}
WITHOUT_EXAMPLE = NOT_SHOWN.keys() | SHOWN_TOGETHER

_Documented = ast.Module | ast.ClassDef | ast.FunctionDef


def examples() -> Iterator[doctest.DocTest]:
    """Yield every docstring that holds an example."""
    for path in sorted(FOLDER.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)
        for node in ast.walk(tree):
            if isinstance(node, _Documented) and (text := ast.get_docstring(node, clean=False)):
                own = getattr(node, "name", "")
                name = f"{module}.{own}".rstrip(".")
                names = NAMES
                if isinstance(node, ast.ClassDef):  # a private one shows itself
                    names = {own: getattr(import_module(module), own), **NAMES}
                line = node.body[0].lineno - 1
                found = doctest.DocTestParser().get_doctest(text, names, name, str(path), line)
                if found.examples:
                    yield found


EXAMPLES = [pytest.param(example, id=example.name) for example in examples()]


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: doctest.DocTest) -> None:
    """What a docstring shows is what happens."""
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    results = runner.run(example, out=said.append)
    assert results.failed == 0, "".join(said)


def test_examples_are_found() -> None:
    """There are examples, in docstrings of functions, classes and methods."""
    assert {"tmuxprim._console.Console", "tmuxprim._values.ansi.strip_ansi"} <= {
        e.name for e in examples()
    }


def examples_that_run(docstring: str | None) -> list[doctest.Example]:
    """Return the examples of a docstring, but for those that need a real tmux."""
    found = doctest.DocTestParser().get_examples(docstring or "")
    return [example for example in found if not example.options.get(doctest.SKIP)]


@pytest.mark.parametrize("name", sorted(PUBLIC.keys() - WITHOUT_EXAMPLE))
def test_public_name_has_an_example(name: str) -> None:
    """Each public class and function is shown in use, and the example runs."""
    assert examples_that_run(PUBLIC[name].__doc__)


@pytest.mark.parametrize("name", sorted(SHOWN_TOGETHER))
def test_name_without_an_example_is_shown_elsewhere(name: str) -> None:
    """The pieces of a fake program are all in the example of `tmuxprim.testing`."""
    shown = examples_that_run(tmuxprim.testing.__doc__)
    assert any(re.search(rf"\b{name}\b", example.source + example.want) for example in shown)


def test_name_without_an_example_is_public() -> None:
    """No exception is left of a name that has gone."""
    assert WITHOUT_EXAMPLE - PUBLIC.keys() == set()


HEADER = re.compile(r"(Args|Returns|Yields|Raises|Examples):")
NAMED = re.compile(r"    (\w+): ")
TWINS = {
    "AsyncConsole": "Console",
    "AsyncSession": "Session",
    "AsyncTerminal": "Terminal",
    "AsyncTmuxTool": "TmuxTool",
}


def sections(function: Callable[..., object]) -> dict[str, list[str]]:
    """Return the lines of a docstring, by the section that they are in; "" is the summary."""
    found: dict[str, list[str]] = {"": []}
    lines = found[""]
    for line in filter(None, inspect.cleandoc(function.__doc__ or "").split("\n")):
        if header := HEADER.fullmatch(line):
            lines = found.setdefault(header[1], [])
        else:
            lines.append(line)
    return found


def named(function: Callable[..., object], section: str) -> set[str]:
    """Return the arguments, or the errors, that a docstring tells about."""
    return {
        match[1] for line in sections(function).get(section, []) if (match := NAMED.match(line))
    }


def functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield public functions, and methods of public classes as far as they are documented there."""
    for name, value in PUBLIC.items():
        if isinstance(value, FunctionType):
            yield name, value
        for method, of_class in vars(value).items() if isinstance(value, type) else ():
            function = getattr(of_class, "__func__", of_class)
            if isinstance(function, FunctionType) and not method.startswith("_"):
                yield f"{name}.{method}", inspect.unwrap(function)


def is_protocol(name: str) -> bool:
    """Whether a public name is that of a protocol."""
    return bool(getattr(PUBLIC.get(name), "_is_protocol", False))


FUNCTIONS = {name: function for name, function in functions() if function.__doc__}
# A class that implements one of them means the same arguments.
OF_PROTOCOLS: dict[str, set[str]] = {}
for path, function in FUNCTIONS.items():
    owner, _, method = path.rpartition(".")
    if is_protocol(owner):
        OF_PROTOCOLS.setdefault(method, set()).update(named(function, "Args"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_and_results_are_described(name: str) -> None:
    """Each argument in ``Args``, or by what is referred to; a result by itself or first."""
    function = FUNCTIONS[name]
    signature = inspect.signature(function)
    owner, _, method = name.rpartition(".")
    described = named(function, "Args")
    if not is_protocol(owner):
        described |= OF_PROTOCOLS.get(method, {"self"})
    for other in re.findall(r"see `([\w.]+)`", str(function.__doc__)):
        described |= named(FUNCTIONS[other], "Args") if other in FUNCTIONS else {"self"}
    assert signature.parameters.keys() - {"self", "cls"} <= described
    told = sections(function)
    if signature.return_annotation not in (None, Iterator[None]) and "Returns" not in told:
        assert re.match(r"Return|Yield|Whether|Say|Raise", told[""][0]) or "see `" in told[""][0]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_that_are_raised_are_described(name: str) -> None:
    """Those that the function itself raises, by their names."""
    source = textwrap.dedent(inspect.getsource(FUNCTIONS[name]))
    source = source.partition("\n    def ")[0]  # not those of a function inside
    raised = set(re.findall(r"^ +raise ([A-Z]\w+)", source, re.MULTILINE))
    assert raised <= named(FUNCTIONS[name], "Raises")


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        (name, f"{TWINS[of]}.{method}")
        for name in FUNCTIONS
        for of, _, method in [name.partition(".")]
        if of in TWINS and f"{TWINS[of]}.{method}" in FUNCTIONS
    ]
    + [("async_pane_states", "pane_states")],
)
def test_a_twin_for_asyncio_is_described_alike(name: str, twin: str) -> None:
    """With the same arguments, results and errors, as far as the arguments are the same."""
    mine, others = sections(FUNCTIONS[name]), sections(FUNCTIONS[twin])
    parameters = [inspect.signature(FUNCTIONS[one]).parameters.keys() for one in (name, twin)]
    if parameters[0] == parameters[1]:
        assert mine.get("Args") == others.get("Args")
    for section in ("Returns", "Raises"):
        assert mine.get(section) == others.get(section)
