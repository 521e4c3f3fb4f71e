"""What importing the library loads: for most programs neither asyncio nor the fake."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

import pytest

import tmuxprim
from tmuxprim import _profiles

# In a new Python: pytest and other tests have loaded everything already.
_PROBE = """
import json, sys
{}
print(json.dumps({{"loaded": [*sys.modules], "told": str(locals().get("told"))}}))
"""


class Seen(TypedDict):
    """What a new Python has loaded, and what the statement has put into `told`."""

    loaded: list[str]
    told: str


def carry_out(statement: str) -> Seen:
    """Carry out a statement in a new Python."""
    argv = (sys.executable, "-c", _PROBE.format(statement))
    seen: Seen = json.loads(subprocess.run(argv, capture_output=True, check=True).stdout)
    return seen


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a new Python has loaded after a statement, but not without it."""
    return {*carry_out(statement)["loaded"]} - {*carry_out("")["loaded"]}


def test_a_console_on_tmux_loads_what_it_takes() -> None:
    """It loads no asyncio, fake, control mode or pathlib, and no advice of errors."""
    loaded = loaded_by("import tmuxprim; from tmuxprim import Console, TmuxTerminal")
    assert "tmuxprim._engine.console_plans" in loaded
    foreign = ("asyncio", "ssl", "socket", "ctypes", "difflib", "tempfile", "pathlib")
    assert not loaded & {*foreign}
    ours = {name for name in loaded if name.startswith("tmuxprim")}
    unused = (".async_", "_fake", "control", "connection", "_profiles.")
    assert not {name for name in ours if any(part in name for part in unused)}


def test_the_package_alone_loads_nothing_else() -> None:
    """So the command line starts without the console, and ``--version`` takes no time for it."""
    ours = {name for name in loaded_by("import tmuxprim") if name.startswith("tmuxprim")}
    assert ours == {"tmuxprim", "tmuxprim._public"}
    assert "tmuxprim._console" not in loaded_by("import tmuxprim._cli.quick_commands")


def test_errors_need_no_import_of_their_own() -> None:
    """``tmuxprim.errors`` is there, as after an import of any of its names."""
    told = carry_out("import tmuxprim; told = str(tmuxprim.errors.SessionError)")["told"]
    assert told == "<class 'tmuxprim.errors.SessionError'>"


def test_a_type_checker_imports_each_name_from_the_same_place() -> None:
    """The imports that it reads say the same as the table that is used."""
    (checked,) = (
        node
        for node in ast.parse(Path(tmuxprim.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If)
    )
    read = {
        (name.name, statement.module)
        for statement in checked.body
        if isinstance(statement, ast.ImportFrom)
        for name in statement.names
    }
    table = tmuxprim._TOGETHER  # type: ignore[attr-defined]  # noqa: SLF001  # of the other branch
    alone = tmuxprim._ALONE  # type: ignore[attr-defined]  # noqa: SLF001  # of it, too
    used = {(name, home) for home, names in table.items() for name in names.split()}
    assert read == used | {*alone.items()}
    assert sorted(name for name, _ in read) == sorted(tmuxprim.__all__)


def test_a_fake_terminal_loads_no_asyncio() -> None:
    """Nor does the fake, in a test that is not about asyncio."""
    assert "asyncio" not in loaded_by("from tmuxprim import Console, FakeTerminal")


def test_a_name_says_where_it_comes_from() -> None:
    """A class of a private module is shown as one of `tmuxprim`; so is one that comes later."""
    statement = "from tmuxprim import Console, FakeTerminal; told = Console, FakeTerminal"
    shown = "(<class 'tmuxprim.Console'>, <class 'tmuxprim.FakeTerminal'>)"
    assert carry_out(statement)["told"] == shown


def test_a_star_imports_all() -> None:
    """So ``from tmuxprim import *`` gives every name that is public."""
    told = carry_out("from tmuxprim import *; told = ' '.join(locals())")["told"]
    assert {*tmuxprim.__all__} <= {*told.split()}


def test_names_are_shown_before_they_are_loaded() -> None:
    """`dir`, which completion uses, knows all names from the start."""
    told = carry_out("import tmuxprim; told = ' '.join(dir(tmuxprim))")["told"]
    for shown in (told.split(), dir(tmuxprim)):
        assert {*tmuxprim.__all__, "__version__"} <= {*shown}


def test_a_misspelt_name_is_no_name() -> None:
    """What is not there raises what Python raises for any other module."""
    with pytest.raises(AttributeError, match=r"^module 'tmuxprim' has no attribute 'Konsole'$"):
        _ = tmuxprim.Konsole  # type: ignore[attr-defined]  # no such name
    with pytest.raises(ImportError, match="cannot import name 'Konsole' from 'tmuxprim'"):
        from tmuxprim import Konsole  # type: ignore[attr-defined]  # noqa: F401, PLC0415  # no such name


def test_a_session_is_imported_when_it_is_made() -> None:
    """And nothing else by a name of that package."""
    assert _profiles.Session.__name__ == "Session"
    with pytest.raises(AttributeError, match="has no attribute 'Sess'"):
        _ = _profiles.Sess  # type: ignore[attr-defined]  # no such name
