"""The examples in the library's docstrings, run on the fake terminal; each public name has one.

Docstrings are found in the sources and not by ``doctest.DocTestFinder``, since public names say
that they come from ``tmuxprim`` and the finder would take them for somebody else's.
"""

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import attrs
import pytest

import tmuxprim
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
                name = f"{module}.{getattr(node, 'name', '')}".rstrip(".")
                line = node.body[0].lineno - 1
                found = doctest.DocTestParser().get_doctest(text, NAMES, name, str(path), line)
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
