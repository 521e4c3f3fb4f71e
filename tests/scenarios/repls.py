"""REPLs: expressions, long work, the rest of what was begun, errors, questions, and the end."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which

from tests.scenarios.model import (
    EXITED,
    FULLSCREEN,
    MORE,
    PROMPT,
    QUESTION,
    SECRET,
    STABLE,
    TIMEOUT,
    Program,
    Scenario,
    Turn,
    presses,
    types,
)
from tests.scenarios.shells import BASH


def _runs(path: str) -> bool:
    """Whether a program can be started; pyenv leaves shims of versions that are not there."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _find(name: str, directory: Path, pattern: str) -> str:
    """Return the path of a program that is often not on PATH, or a name that none has."""
    places = [*sorted(map(str, directory.glob(f"{pattern}/{name}")), reverse=True), which(name)]
    return next((path for path in places if path and _runs(path)), f"{name} that runs")


PYTHON = Program(command=(sys.executable, "-q"), env={"PYTHON_BASIC_REPL": "1"}, replwrap="python")
NEW_PYTHON = Program(command=(_find("python3.13", Path.home(), ".pyenv/versions/3.13*/bin"), "-q"))
IPYTHON = Program(
    command=(sys.executable, "-m", "IPython", "--no-banner"),
    needs=() if find_spec("IPython") else ("ipython",),
)
PDB = Program(command=(sys.executable, "-m", "pdb", "debugged.py"))
NODE = Program(command=("node",))
SQLITE = Program(command=("sqlite3",))
GDB = Program(command=("gdb", "-q", "-nx"))
GDB_SLEEP = Program(command=("gdb", "-q", "-nx", "--args", "sleep", "0.7"))
GDB_CAT = Program(command=("gdb", "-q", "-nx", "cat"))
BC = Program(command=("bc", "-q"), first=QUESTION)  # it has no prompt: its line is just read
PERL = Program(command=("perl", "-de0"))
TCL = Program(command=("tclsh",))
LUA = Program(command=("lua",))
PHP = Program(command=("php", "-a"))
IRB = Program(command=("irb", "-f"))

# The server refuses to run as root, and nobody else may enter root's directories.
_POSTGRES = Path(_find("initdb", Path("/usr/lib/postgresql"), "*/bin"))
PSQL = Program(
    command=("sh", "-c", 'exec psql -X -h "$(cat place)" -U ada postgres'),
    needs=("psql", str(_POSTGRES)),
)
_AS_NOBODY = f"""
PATH="{_POSTGRES.parent}:$PATH"
as() {{
    [ "$(id -u)" = 0 ] || {{ "$@"; return; }}
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}}
"""
START_POSTGRES = f"""{_AS_NOBODY}
umask 022
place=$(as mktemp -d /tmp/pg.XXXXXX)
echo "$place" > place
cd "$place"
as initdb -D "$place/data" -A trust -U ada --no-sync --locale=C -E UTF8
options="-k $place -c listen_addresses='' -c fsync=off"
as pg_ctl -w -D "$place/data" -l "$place/log" -o "$options" start
"""
STOP_POSTGRES = f"""{_AS_NOBODY}
place=$(cat place)
cd "$place"
as pg_ctl -w -D "$place/data" -m immediate stop
cd /
rm -r "$place"
"""

_SLEEP = "import time; time.sleep(0.7); open('done', 'w').close()"
_BUSY_NODE = "for (const t = Date.now(); Date.now() - t < 700;);"
_COUNT = (
    "with recursive t(i) as (select 1 union all select i + 1 from t limit 2000000) "
    "select writefile('done', count(*)) from t;"
)


def _seen(
    name: str, program: Program, *turns: Turn, prepare: str = "", needs: tuple[str, ...] = ()
) -> Scenario:
    """Return a scenario that who sees only the screen can judge."""
    return Scenario(
        name=name, program=program, turns=turns, prepare=prepare, needs=needs, by_screen=True
    )


def _known(name: str, program: Program, *turns: Turn) -> Scenario:
    """Return a scenario that needs the kernel's evidence."""
    return Scenario(name=name, program=program, turns=turns)


def _pythons(
    what: str,
    *turns: Turn,
    needs: tuple[str, ...] = (),
    by_screen: bool = True,
    by_tty: bool = False,
) -> Iterator[Scenario]:
    """Yield the same conversation with each Python."""
    for name, program in (("python", PYTHON), ("python 3.13", NEW_PYTHON), ("ipython", IPYTHON)):
        named = f"{name} {what}"
        yield Scenario(
            name=named,
            program=program,
            turns=turns,
            needs=needs,
            by_screen=by_screen,
            by_tty=by_tty,
        )


def _psql(what: str, *turns: Turn, by_screen: bool = False) -> Scenario:
    """Return a conversation with psql and a server of its own, which takes a second to make."""
    return Scenario(
        name=f"psql {what}",
        program=PSQL,
        prepare=START_POSTGRES,
        turns=turns,
        finish=STOP_POSTGRES,
        by_screen=by_screen,
    )


_PYTHON = (
    *_pythons("evaluates an expression", types("6 * 7", shows="42$")),
    *_pythons("sleeps", types(_SLEEP, lasts=0.7, leaves="done")),
    *_pythons("wants the rest of a bracket", types("sum([1,", MORE), types("2])", shows="3$")),
    *_pythons("wants the rest of a string", types("'''a", MORE), types("b'''", shows=r"a\\nb'$")),
    *_pythons(
        "wants the body of a function",
        types("def f():", MORE),
        types("    return 7", MORE),
        types(""),
        types("f()", shows="7$"),
    ),
    *_pythons("raises an exception", types("1 / 0", shows="ZeroDivisionError")),
    *_pythons("refuses bad syntax", types("1 +", shows="SyntaxError")),
    *_pythons("asks for a name", types("input('name? ')", QUESTION), types("A", shows="'A'$")),
    *_pythons(
        "asks after work",
        types(f"{_SLEEP}; input('name? ')", QUESTION, lasts=0.7, leaves="done"),
        types("Ada"),
    ),
    *_pythons(
        "asks for a password",
        types("import getpass; getpass.getpass()", SECRET),
        types("secret", shows="'secret'$"),
    ),
    *_pythons(
        "is interrupted",
        types("import time; time.sleep(60)", TIMEOUT, timeout=0.7),
        presses("C-c", shows="KeyboardInterrupt"),
    ),
    *_pythons("leaves with exit()", types("exit()", EXITED)),
    *_pythons(
        "shows help in a pager", types("help(len)", FULLSCREEN), presses("q"), needs=("less",)
    ),
    *_pythons(
        "prints a prompt and works on",
        types(f"print('>>> ', end='', flush=True); {_SLEEP}", leaves="done"),
        by_screen=False,
        by_tty=True,
    ),
    *_pythons(
        "asks without a word", types("input()", QUESTION), types("A", shows="'A'$"), by_screen=False
    ),
    *_pythons(
        # A sys.ps1 of these words would look just the same: nobody can tell.
        "asks with a dollar at the end",
        types("input('Amount in $ ')", QUESTION, PROMPT),
        types("5", shows="'5'$"),
        by_screen=False,
    ),
    Scenario(
        # The shell gives it the terminal as its commands have it, and it shows nothing.
        name="python was stopped at its prompt, and goes on",
        program=BASH,
        turns=(
            types(shlex.join(PYTHON.command), PROMPT),
            presses("C-z", PROMPT, shows="Stopped"),
            types("true", PROMPT),
            types("fg", QUESTION, STABLE),
            presses("C-z", PROMPT),
            types("fg", QUESTION, STABLE),
            types("6 * 7", PROMPT, shows="^42$"),
            presses("C-z", PROMPT),
            types("fg", QUESTION, STABLE),
            types("import select; print(*select.select([], [], [], 3))", PROMPT, lasts=3.0),
        ),
        needs=PYTHON.command[:1],
    ),
    Scenario(
        # Its poll goes on under another name.
        name="gdb was stopped at its prompt, and goes on",
        program=BASH,
        turns=(
            types(shlex.join(GDB.command), PROMPT),
            presses("C-z", PROMPT, shows="Stopped"),
            types("fg", QUESTION, STABLE),
            types("print 6 * 7", PROMPT, shows="= 42$"),
        ),
        needs=GDB.command[:1],
    ),
    Scenario(
        # It has read no line since its prompt, but it was stopped after it had.
        name="python was stopped while it worked in silence",
        program=BASH,
        turns=(
            types(shlex.join(PYTHON.command), PROMPT),
            types("import select; select.select([], [], [], 60)", TIMEOUT, timeout=0.5),
            presses("C-z", PROMPT, shows="Stopped"),
            types("fg", TIMEOUT, timeout=3.0),
        ),
        needs=PYTHON.command[:1],
    ),
    _known(
        "python takes two lines at once",
        PYTHON,
        types(f"{_SLEEP}\nprint('the', 'end')", lasts=0.7, shows="^the end$"),
    ),
    _known(
        "python 3.13 takes two lines at once",
        NEW_PYTHON,
        types(f"{_SLEEP}\nprint('the', 'end')", lasts=0.7, shows="^the end$"),
    ),
    _known(
        "python takes a function at once",
        PYTHON,
        types("def f():\n    return 7\n\nf()", shows="^7$"),
    ),
    _seen(
        "python ends by C-d, back in the shell",
        BASH,
        types(f"{sys.executable} -q"),
        presses("C-d"),
        types("echo back", shows="^back$"),
    ),
    _seen(
        "python goes to its debugger and back",
        PYTHON,
        types("breakpoint()", shows=r"^\(Pdb\)"),
        types("c"),
        types("6 * 7", shows="42"),
    ),
    _seen(
        "pdb steps over a question",
        PDB,
        types("next"),
        types("next", QUESTION),
        types("Ada"),
        types("x * 7", shows="^42$"),
        prepare="printf 'x = 6\\ninput(\"name? \")\\n' > debugged.py",
    ),
    _seen(
        "ipython asks whether to leave",
        IPYTHON,
        presses("C-d", QUESTION),
        types("n"),
        presses("C-d", QUESTION),
        types("y", EXITED),
    ),
)

_NODE = (
    _seen("node evaluates an expression", NODE, types("6 * 7", shows="^42$")),
    _seen("node is busy", NODE, types(_BUSY_NODE, lasts=0.7)),
    Scenario(
        name="node prints its prompt and is busy",
        program=NODE,
        turns=(types(f"process.stdout.write('> '); {_BUSY_NODE}", lasts=0.7),),
        by_tty=True,
    ),
    _seen(
        "node awaits a promise",
        NODE,
        types("await new Promise(r => setTimeout(r, 700))", lasts=0.7),
    ),
    _seen(
        "node awaits a promise for 3 s",
        NODE,
        types("await new Promise(r => setTimeout(r, 3000))", lasts=3.0),
    ),
    # After five quiet seconds the chain would guess: node reads keys all the time.
    _seen(
        "node awaits a promise that is never kept",
        NODE,
        types("await new Promise(() => {})", TIMEOUT, timeout=1.0),
        presses("C-c"),
    ),
    _seen("node wants the rest", NODE, types("[6,", MORE), types("7]", shows=r"^\[ 6, 7 \]$")),
    _seen("node throws", NODE, types("throw new Error('x')", shows="Uncaught Error: x")),
    _seen("node is asked to leave", NODE, presses("C-c", shows="To exit"), types(".exit", EXITED)),
)

_DATABASES = (
    _seen("sqlite3 selects", SQLITE, types("select 6 * 7;", shows="^42$"), types(".quit", EXITED)),
    _seen("sqlite3 counts for long", SQLITE, types(_COUNT, leaves="done")),
    _seen(
        "sqlite3 runs a shell's command",
        SQLITE,
        types(".shell sleep 0.7; touch done", lasts=0.7, leaves="done"),
    ),
    _seen("sqlite3 wants a semicolon", SQLITE, types("select 42", MORE), types(";", shows="^42$")),
    _seen(
        "sqlite3 wants the rest of a string",
        SQLITE,
        types("select 'a", MORE),
        types("b';", shows="^b$"),
    ),
    _seen("sqlite3 knows no such table", SQLITE, types("select * from t;", shows="no such table")),
    _psql("selects", types("select 6 * 7;", shows="^ +42$"), types(r"\q", EXITED)),
    _psql("sleeps", types("select pg_sleep(0.7);", lasts=0.7), by_screen=True),
    _psql("wants the rest of a bracket", types("select (42", MORE), types(");", shows=" 42$")),
    _psql("wants a semicolon", types("select 42", MORE), types(";", shows=" 42$"), by_screen=True),
    _psql("reports an error", types("select nothing;", shows="^ERROR")),
    _psql(
        "is interrupted",
        types("select pg_sleep(60);", TIMEOUT, timeout=0.5),
        presses("C-c", shows="^ERROR"),
    ),
    _psql(
        "asks for a name and for passwords",
        types(r"\prompt 'Name: ' name", QUESTION),
        types("Ada"),
        types(r"\password", SECRET),
        types("secret", SECRET),
        types("secret"),
    ),
    _psql(
        "shows many rows in a pager",
        types("select generate_series(1, 99);", FULLSCREEN),
        presses("q"),
    ),
)

_OTHERS = (
    _seen(
        "gdb evaluates an expression",
        GDB,
        types("print 6 * 7", shows="= 42$"),
        types("quit", EXITED),
    ),
    _seen(
        "gdb runs a shell's command",
        GDB,
        types("shell sleep 0.7; touch done", lasts=0.7, leaves="done"),
    ),
    _seen("gdb runs a program", GDB_SLEEP, types("run", lasts=0.7, shows="exited normally")),
    _known("gdb stops a program that reads", GDB_CAT, types("run", QUESTION), presses("C-c")),
    _seen("gdb wants commands", GDB, types("define f", MORE), types("print 7", MORE), types("end")),
    _seen("gdb asks whether to redefine", GDB, types("define up", QUESTION), types("n")),
    _seen("gdb shows a page at a time", GDB, types("help all", QUESTION), types("q")),
    _seen("gdb reports an error", GDB, types("print nothing", shows="No symbol")),
    _known(
        "bc, which has no prompt, evaluates",
        BC,
        types("6 * 7", QUESTION, shows="^42$"),
        types("quit", EXITED),
    ),
    _known(
        "bc counts for long", BC, types("while (i < 300000) i += 1; i", QUESTION, shows="^300000$")
    ),
    _seen("perl's debugger evaluates", PERL, types("print 6 * 7", shows="^42")),
    _seen("perl's debugger sleeps", PERL, types("sleep 1; mkdir 'done'", leaves="done")),
    _seen(
        "perl's debugger wants the rest",
        PERL,
        types("print(6 *\\", MORE),
        types("7)", shows="^42"),
    ),
    _seen("tclsh evaluates", TCL, types("expr 6 * 7", shows="^42")),
    _seen("tclsh sleeps", TCL, types("after 700", lasts=0.7)),
    # It shows nothing where it wants the rest, and a command that reads a line, as `gets stdin`
    # does, looks just the same.
    _known(
        "tclsh wants the rest", TCL, types("expr {6", MORE, QUESTION), types("* 7}", shows="^42$")
    ),
)

_MORE_OTHERS = (
    _seen(
        "lua wants the rest",
        LUA,
        types("for i = 6, 7 do", MORE),
        types("print(i) end", shows="^7$"),
    ),
    _seen("lua refuses bad syntax", LUA, types("x = = 1", shows="error|unexpected")),
    _known("lua reads a line", LUA, types("print(io.read())", QUESTION), types("a", shows="^a$")),
    _seen("php evaluates", PHP, types("echo 6 * 7;", shows="^42$"), types("exit", EXITED)),
    _seen("php sleeps", PHP, types("sleep(1); touch('done');", leaves="done")),
    _seen("php wants the rest of a string", PHP, types("echo 'a", MORE), types("b';", shows="^b$")),
    _seen(
        "php wants the rest of a block, of a bracket and of a comment",
        PHP,
        types("if (true) {", MORE),
        types("echo 'yes';", MORE),
        types("}", shows="^yes$"),
        types("echo (6", MORE),
        types("* 7);", shows="^42$"),
        types("/* a", MORE),
        types("*/"),
    ),
    _seen("irb evaluates", IRB, types("6 * 7", shows="^=> 42"), types("exit", EXITED)),
    _known("irb sleeps", IRB, types("sleep 1; File.write('done', '')", leaves="done")),
    _seen(
        "irb wants the rest of a block",
        IRB,
        types("def answer", MORE),
        types("6 * 7", MORE),
        types("end"),
        types("answer", shows="^=> 42"),
    ),
    _seen(
        "irb that has no editor of several lines wants the rest of a block",
        Program(command=("irb", "-f", "--nomultiline")),
        types("def answer", MORE),
        types("6 * 7", MORE),
        types("end"),
    ),
    _known("irb reads a line", IRB, types("gets", QUESTION), types("Ada", shows='=> "Ada')),
)

SCENARIOS = (*_PYTHON, *_NODE, *_DATABASES, *_OTHERS, *_MORE_OTHERS)
