"""The built-in profiles and the real programs: start, ask, leave, and the shell is back."""

import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import attrs
import pytest

from tests.scenarios.play import run_script
from tests.scenarios.repls import START_POSTGRES, STOP_POSTGRES
from tests.tmux_server import Server
from tmuxprim import Console, KeySequence, Outcome, PaneBusyError, PromptStrategy
from tmuxprim.errors import ProgramStartError
from tmuxprim.profiles import (
    GDB,
    IPYTHON,
    NODE,
    PSQL,
    PYTHON,
    SHELL,
    SQLITE,
    Profile,
)

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

_IPYTHON: Final = attrs.evolve(
    IPYTHON, command=(sys.executable, "-m", "IPython", *IPYTHON.command[1:])
)
_GDB: Final = attrs.evolve(GDB, command=(*GDB.command, "-nx"))
_ESCAPE: Final = KeySequence.keys("Escape")
_VIM: Final = Profile(
    "vim",
    ("vim", "--clean"),
    leave=(_ESCAPE, KeySequence.text(":qa") + KeySequence.keys("Enter")),
    interrupt=(_ESCAPE, KeySequence.text(":qa!") + KeySequence.keys("Enter")),
)
_LESS: Final = Profile(
    "less",
    ("less", "rows"),
    leave=KeySequence.keys("q"),
    interrupt=(KeySequence.keys("C-c"), KeySequence.keys("q")),
)
_ROWS: Final = "".join(f"row {number}\n" for number in range(99))
_LINES: Final = _ROWS.replace("\n", "\\n")
_NESTED: Final = "def f():\n    if 1:\n        return 7\n    return 8\n\nf()"

TALKS: Final[Mapping[str, tuple[Profile, Mapping[str, str]]]] = {
    "bash": (SHELL, {"echo hi": "hi", "seq 50": "\n".join(map(str, range(1, 51)))}),
    "python3": (PYTHON, {"6 * 7": "42", "for n in 'ab':\n    print(n)\n\n": "a\nb", _NESTED: "7"}),
    "ipython": (_IPYTHON, {"6 * 7": "Out[1]: 42", _NESTED: "Out[3]: 7"}),
    "node": (NODE, {"6 * 7": "42"}),
    "sqlite3": (SQLITE, {"select 6 * 7;": "42", "select 'a;'\n;": "a;"}),
    "gdb": (_GDB, {"print 6 * 7": "$1 = 42", "echo \\n": "", f"echo {_LINES}": _ROWS[:-1]}),
}


def _console(server: Server, directory: Path) -> Console:
    """Return a console on a bash in a directory."""
    env = {"PS1": "$ ", "HISTFILE": "", "HOME": str(directory), "PAGER": "cat"}
    command = ("bash", "--norc", "--noprofile")
    return Console(server.terminal, server.terminal.open(command, cwd=directory, env=env))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.needs("ipython" if name == "ipython" else name))
        if name != "ipython" or not find_spec("IPython")
        else name
        for name in TALKS
    ],
)
def test_it_is_started_asked_and_left(server: Server, name: str, tmp_path: Path) -> None:
    """Each answer is what the program said and nothing else."""
    profile, talk = TALKS[name]
    console = _console(server, tmp_path)
    with console.session(profile) as session:
        answers = {question: session.ask(question) for question in talk}
    for question, answer in answers.items():
        assert answer.text.strip() == talk[question].strip(), answer.readiness
        assert answer.complete, answer.readiness
    assert console.run("echo back").output == "back\n"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("python3", "node")]
)
def test_it_is_adopted(server: Server, name: str, tmp_path: Path) -> None:
    """One that runs is asked by another console, which leaves it running."""
    profile, _ = TALKS[name]
    console = _console(server, tmp_path)
    with console.session(profile) as session:
        other = Console(server.terminal, console.pane)
        with pytest.raises(PaneBusyError, match=f"the program in front is '{name}', not 'bash'"):
            other.send("echo lost", only=["bash"])
        with other.session(profile, adopt=True) as adopted:
            assert adopted.ask("6 * 7").text == "42"
        other.send("6 * 8", only=[name])
        assert other.wait_ready()
        assert session.ask("6 * 9").text == "54"
    screen = console.read()
    assert "48" in screen
    assert "lost" not in screen
    with pytest.raises(PaneBusyError, match="and this is 'bash'"):
        console.session(profile, adopt=True).__enter__()
    assert console.run("echo back").output == "back\n"


@pytest.mark.needs("psql", "initdb")
def test_psql_asks_its_server(server: Server, tmp_path: Path) -> None:
    """With a server of its own; without one, the complaint is in the error."""
    console = _console(server, tmp_path)
    nowhere = attrs.evolve(PSQL, command=("psql", "-h", "/nowhere"))
    with pytest.raises(ProgramStartError, match="psql did not start") as raised:
        console.session(nowhere).__enter__()
    assert "/nowhere" in raised.value.screen
    run_script(START_POSTGRES, tmp_path)
    try:
        place = (tmp_path / "place").read_text().strip()
        words = (*PSQL.command, "-X", "-t", "-A", "-h", place, "-U", "ada", "postgres")
        with console.session(attrs.evolve(PSQL, command=words)) as session:
            assert session.ask("select 6 * 7;").text.strip() == "42"
            rows = session.ask("select generate_series(1, 99);").text.split()
            assert rows == [str(number) for number in range(1, 100)]
        assert console.run("echo back").output == "back\n"
    finally:
        run_script(STOP_POSTGRES, tmp_path)


@pytest.mark.parametrize(
    ("name", "profile", "question", "typed"),
    [
        pytest.param(*case, id=f"{case[0]} {number}", marks=pytest.mark.needs(case[0]))
        for number, case in enumerate(
            [
                ("python3", PYTHON, "input('Name? ')", ""),
                ("python3", PYTHON, "if 1:", ""),
                ("node", NODE, "", "half a line"),
                ("sqlite3", SQLITE, "select", "half a line"),
                ("bash", SHELL, "sleep 99 & kill -STOP $!; sleep 0.2", ""),
                ("vim", _VIM, "", "inot saved"),
                ("less", _LESS, "", "/half a line"),
            ]
        )
    ],
)
def test_it_is_left_as_it_is(
    server: Server, name: str, profile: Profile, question: str, typed: str, tmp_path: Path
) -> None:
    """In the middle of something, at a question of its own: the shell is back all the same."""
    (tmp_path / "rows").write_text(_ROWS)
    console = _console(server, tmp_path)
    with console.session(profile) as session:
        if question:
            session.ask(question)
        console.keys(KeySequence.text(typed))
    assert name in profile.command[0]
    assert console.run("echo back").output == "back\n"


@pytest.mark.needs("python3")
def test_the_shell_does_not_read_what_would_end_the_program(server: Server, tmp_path: Path) -> None:
    """A program that takes its time to end reads no more keys, and C-d ends a shell."""
    (tmp_path / "slow.py").write_text(
        "import os, time, tty\n"
        "tty.setraw(0)\n"
        "while os.read(0, 1) != b'\\x03': pass\n"
        "time.sleep(2)\n"
        "os.system('stty sane')\n"
    )
    console = _console(server, tmp_path)
    never = PromptStrategy("never")
    profile = Profile("slow", ("python3", "slow.py"), ready=never, start_timeout=1.0)
    with pytest.raises(ProgramStartError, match="slow did not start: timed out"):
        console.session(profile).__enter__()
    assert console.run("echo back").output == "back\n"


@pytest.mark.needs("gdb", "cat")
def test_gdb_is_left_while_a_program_runs(server: Server, tmp_path: Path) -> None:
    """It would ask whether to kill it; the profile sees to that."""
    console = _console(server, tmp_path)
    with console.session(attrs.evolve(_GDB, command=(*_GDB.command, "cat"))) as session:
        session.ask("run", timeout=10.0)
    assert console.run("echo back").output == "back\n"


def test_a_program_that_asks_at_its_start_is_replied_to(server: Server, tmp_path: Path) -> None:
    """By the keys that the profile has for it."""
    (tmp_path / "asks").write_text("read -p 'Agree? [y/N] ' it; [ $it = y ] && exec bash --norc\n")
    console = _console(server, tmp_path)
    agree = {r"Agree\?": KeySequence.text("y") + KeySequence.keys("Enter")}
    profile = attrs.evolve(SHELL, command=("bash", "asks"))
    with console.session(attrs.evolve(profile, replies=agree)) as session:
        assert session.ask("echo hi").text == "hi"
        assert session.ask("exit").readiness.outcome is Outcome.EXITED
    with pytest.raises(ProgramStartError, match="it asks something"):
        console.session(profile).__enter__()
    assert console.run("echo back").output == "back\n"


@pytest.mark.needs("sqlite3", "python3", "node")
def test_nothing_is_typed_into_the_wrong_program(server: Server, tmp_path: Path) -> None:
    """What would start a session is not typed at a REPL's prompt, nor within another session."""
    console = _console(server, tmp_path)
    with console.session(SQLITE) as session:
        with pytest.raises(PaneBusyError, match="a session with sqlite3 runs in this pane"):
            console.session(SHELL).__enter__()
        assert session.ask("select 6 * 7;").text == "42"
    for command in ("sqlite3", "python3 -q", "node"):
        console = _console(server, tmp_path)
        console.send(command)
        console.wait_ready()
        before = console.read()
        with pytest.raises(PaneBusyError, match="nothing was sent: a session starts at a sh"):
            console.session(SHELL).__enter__()
        assert console.read() == before


@pytest.mark.needs("python3")
def test_a_block_of_python_is_ended_by_its_line_break(server: Server, tmp_path: Path) -> None:
    """And one without it is gone on with."""
    console = _console(server, tmp_path)
    with console.session(PYTHON) as session:
        assert session.ask("def f():\n    return 3\n").complete
        assert session.ask("f()").text == "3"
        assert session.ask("if 1:\n    f()").readiness.outcome is Outcome.CONTINUATION
        console.send("")
        assert session.resume().text == "3"
