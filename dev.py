"""Set up this repository and run its demo, tests, checks and benchmarks.

Needs nothing but Python: a fresh machine has no make, uv or nox. What is missing is installed into
.venv and, where that needs no password, through apt or brew; the second run skips all that.
"""

# All of this file parses and imports on Python 3.7, which gets a message and not a stack trace.
from __future__ import annotations

import argparse
import hashlib
import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT, CompletedProcess, Popen
from typing import TYPE_CHECKING, NamedTuple
from zipfile import ZipFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

ROOT = Path(__file__).resolve().parent

REPORT = ROOT / "build" / "report"
# The parts of `bench --report`: a script, and with what it runs. The pages show the figures of
# those that write JSON.
REPORTED: dict[str, tuple[str, ...]] = {
    "ansi": ("bench_ansi.py",),
    "evidence": (
        *("bench_readiness.py", "--json", "evidence.json"),
        *("--evidence", "all", "--seconds", "0"),
    ),
    "operations": ("bench_operations.py", "--json", "operations.json"),
    "readiness": ("bench_readiness.py", "--json", "readiness.json", "--svg", "readiness.svg"),
    "scale": ("bench_scale.py", "--json", "scale.json", "--svg", "scale.svg"),
    "send": ("bench_send.py",),
}

MANAGERS = {"apt": "apt-get", "brew": "brew"}  # the fields of Package, and their commands


class Package(NamedTuple):
    """What a program's package is called by each package manager."""

    apt: str
    brew: str  # empty: it comes with the system, or is not to be had


PROGRAMS = {  # those that the tests drive; a new row is all that another one needs
    "bash": Package("bash", "bash"),
    "bc": Package("bc", "bc"),
    "busybox": Package("busybox", ""),
    "chroot": Package("coreutils", ""),
    "dash": Package("dash", "dash"),
    "dialog": Package("dialog", "dialog"),
    "expect": Package("expect", "expect"),
    "find": Package("findutils", ""),
    "fish": Package("fish", "fish"),
    "fzf": Package("fzf", "fzf"),
    "gdb": Package("gdb", "gdb"),
    "git": Package("git", "git"),
    "gpg": Package("gnupg", "gnupg"),
    "htop": Package("htop", "htop"),
    "initdb": Package("postgresql", "postgresql@16"),
    "irb": Package("irb", "ruby"),
    "java": Package("default-jdk-headless", "openjdk"),
    "javac": Package("default-jdk-headless", "openjdk"),
    "less": Package("less", "less"),
    "lua": Package("lua5.4", "lua"),
    "man": Package("man-db", ""),
    "mc": Package("mc", "midnight-commander"),
    "mksh": Package("mksh", "mksh"),
    "more": Package("util-linux", ""),
    "nano": Package("nano", "nano"),
    "node": Package("nodejs", "node"),
    "openssl": Package("openssl", "openssl@3"),
    "passwd": Package("passwd", ""),
    "perl": Package("perl", "perl"),
    "php": Package("php-cli", "php"),
    "pinentry-curses": Package("pinentry-curses", ""),
    "psql": Package("postgresql-client", "postgresql@16"),
    "python3": Package("python3", "python"),
    "rlwrap": Package("rlwrap", "rlwrap"),
    "screen": Package("screen", "screen"),
    "script": Package("bsdutils", ""),
    "setpriv": Package("util-linux", ""),
    "setsid": Package("util-linux", "util-linux"),
    "socat": Package("socat", "socat"),
    "sqlite3": Package("sqlite3", "sqlite"),
    "ssh": Package("openssh-client", "openssh"),
    "ssh-keygen": Package("openssh-client", "openssh"),
    "sshd": Package("openssh-server", "openssh"),
    "stty": Package("coreutils", ""),
    "su": Package("util-linux", ""),
    "sudo": Package("sudo", ""),
    "tclsh": Package("tcl", "tcl-tk"),
    "tcsh": Package("tcsh", "tcsh"),
    "timeout": Package("coreutils", "coreutils"),
    "tmux": Package("tmux", "tmux"),
    "top": Package("procps", ""),
    "tput": Package("ncurses-bin", "ncurses"),
    "unbuffer": Package("expect", "expect"),
    "unshare": Package("util-linux", ""),
    "vim": Package("vim", "vim"),  # vim-tiny has no command of that name
    "watch": Package("procps", "watch"),
    "xargs": Package("findutils", ""),
    "zsh": Package("zsh", "zsh"),
}
# Where programs are that are often not on a person's PATH.
ELSEWHERE = ("/usr/sbin", "/sbin", *map(str, Path("/usr/lib/postgresql").glob("*/bin")))

# The assistants that `test-assistants` drives, and what brings them; the directories are the keys.
FROM_NPM = {
    "opencode-1.2.15": "opencode-ai@1.2.15",
    "opencode-latest": "opencode-ai@latest",
    "claude-latest": "@anthropic-ai/claude-code@latest",
    "codex-latest": "@openai/codex@latest",
    "gemini-latest": "@google/gemini-cli@latest",
    "qwen-latest": "@qwen-code/qwen-code@latest",
}
FROM_PYPI = {"aider": "aider-chat", "llm": "llm"}

# The frameworks that `test-adapters` plays with: the play in tests/adapters, and what it needs.
FRAMEWORKS = {
    "deepagents": ("deepagents",),
    "inspect_ai": ("inspect-ai", "trio"),
    "langchain": ("langchain",),
    "openai_agents": ("openai-agents",),
    "pydantic_ai": ("pydantic-ai-slim",),
    "swe_rex": ("swe-rex",),
    # The last, since they refuse a Python before 3.12. Without the SDK named, pip takes an old one.
    "harbor": ("harbor", "asciinema"),
    "openhands": ("openhands-sdk", "openhands-tools"),
    "terminal_bench": ("terminal-bench", "asciinema"),
}

# What a newcomer waits for. The whole suite takes many times as long: `check` runs it. The parts
# run side by side, since most of the time they wait for programs.
QUICK = ("-m", "not thorough")
QUICK_PARTS = (
    ("tests/scenarios", *QUICK),
    ("tests/contract", *QUICK),
    ("tests/unit", "tests/docs", "docs", *QUICK),
)
APART = ("tests/scenarios", "tests/contract", "tests/tmux")
PARTS = (APART[:1], APART[1:], tuple(f"--ignore={directory}" for directory in APART))

# What can fail in an installed wheel and not here: a file that it lacks, an import, an entry point.
OF_WHEEL = (
    *("tests/unit/test_public.py", "tests/unit/test_docstrings.py"),
    *("tests/unit/test_tmuxprim.py", "tests/unit/test_pytest_plugin.py"),
    *("tests/unit/adapters", "tests/unit/cli", "tests/unit/mcp"),
    *("tests/unit/engine/test_shell_integration.py", "tests/unit/tmux/test_shell_integration.py"),
)

DOCS = ("sphinx-build", "-n", "-W", "--keep-going", "-q", "docs", "build/site")
# What `check` runs; the commands of one step side by side.
CHECKS: dict[str, list[tuple[str, ...]]] = {
    "lint": [("ruff", "check", ".")],
    "format": [("ruff", "format", "--check", ".")],
    "types": [("mypy",)],
    "public types": [("basedpyright", "--verifytypes", "tmuxprim", "--ignoreexternal")],
    "layers": [("lint-imports",)],
    "docs": [DOCS],
    "old data": [("coverage", "erase")],
    "tests": [("coverage", "run", "-p", "-m", "pytest", *part) for part in PARTS],
    "new data": [("coverage", "combine", "-q")],
    "coverage": [("coverage", "report")],
}
FIXES = (("ruff", "check", "--fix-only", "."), ("ruff", "format", "."))


# --- Talking to the person, and running commands ---


class SetupError(Exception):
    """What can go wrong on any machine: told in a few lines, without a stack trace."""


def say(text: str) -> None:
    """Print *text* at once; a terminal that knows only ASCII does not stop it."""
    print(text.encode("ascii", "backslashreplace").decode(), flush=True)


def run(
    *command: str | Path, quiet: bool = False, cwd: Path = ROOT, into: TextIO | None = None
) -> CompletedProcess[str]:
    """Run *command*: on this terminal, or *quiet* with no input and its output kept.

    What is printed goes *into* a file, if one is given.
    """
    child = Popen(
        command,
        cwd=cwd,
        stdin=DEVNULL if quiet else None,
        stdout=PIPE if quiet else into,
        stderr=STDOUT if quiet else None,
        encoding="utf-8",
        errors="replace",
    )
    with child:
        try:
            output, _ = child.communicate()
        except KeyboardInterrupt:
            # The child got the Ctrl-C too. It may have a tmux server to end, or be half-way
            # through unpacking a package: killing it now, as subprocess.run does, would be rude.
            child.communicate()
            raise
    return CompletedProcess(command, child.returncode, (output or "").strip())


def run_side_by_side(calls: Sequence[Sequence[str | Path]]) -> int:
    """Run commands at the same time: the last one on this terminal, then the others' output.

    Returns:
        The exit status of one that failed; 0 if none did.
    """
    *others, here = calls
    with ExitStack() as stack:
        files = [
            stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace"))
            for _ in others
        ]
        pool = stack.enter_context(ThreadPoolExecutor())
        ends = [
            pool.submit(run, *call, into=file) for call, file in zip(others, files, strict=True)
        ]
        statuses = [run(*here).returncode]
        for call, file, end in zip(others, files, ends, strict=True):
            statuses.append(end.result().returncode)
            file.seek(0)
            say(f"== {shlex.join(map(str, call))}\n{file.read()}")
    return next(filter(None, statuses), 0)


def must_run(purpose: str, *command: str | Path, cwd: Path = ROOT) -> None:
    """Run *command* quietly; when it fails, tell the *purpose* and the end of its output."""
    done = run(*command, quiet=True, cwd=cwd)
    if done.returncode:
        raise SetupError(f"cannot {purpose}\n" + "\n".join(done.stdout.splitlines()[-20:]))


# --- Programs, through the system's package manager ---


class Machine(NamedTuple):
    """What decides how a program gets installed here."""

    manager: str  # apt, brew, or none that we know
    is_root: bool = False
    has_sudo: bool = False  # without a password

    def packages(self, names: Iterable[str]) -> list[str]:
        """Return what the package manager calls these programs."""
        packages = (str(getattr(PROGRAMS[name], self.manager)) for name in names)
        return sorted({package for package in packages if package})


def this_machine() -> Machine:
    """Look at the machine that this runs on."""
    managers = [name for name, tool in MANAGERS.items() if shutil.which(tool)]
    has_sudo = shutil.which("sudo") and run("sudo", "-n", "true", quiet=True).returncode == 0
    return Machine("".join(managers[:1]), os.geteuid() == 0, bool(has_sudo))


def install_commands(names: Iterable[str], machine: Machine) -> list[list[str]]:
    """Choose the commands that install programs on *machine*: none when we may not."""
    if machine.manager == "apt" and (machine.is_root or machine.has_sudo):
        apt = [] if machine.is_root else ["sudo", "-n"]
        apt += ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
        apt += ["-o", "DPkg::Lock::Timeout=120"]  # a new cloud machine upgrades itself at first
        install = ["install", "--yes", "--no-install-recommends", *machine.packages(names)]
        return [[*apt, "update"], [*apt, *install]]
    if machine.manager == "brew" and not machine.is_root:  # brew refuses to run as root
        return [["brew", "install", *machine.packages(names)]]
    return []


def install_advice(names: Iterable[str], machine: Machine) -> str:
    """Say how a person installs programs on *machine*."""
    if not machine.manager:
        return "use your system's package manager"
    sudo = "sudo " if machine.manager == "apt" else ""
    return f"{sudo}{MANAGERS[machine.manager]} install {' '.join(machine.packages(names))}"


def find_program(name: str) -> str | None:
    """Return where a program is, also if that is not on the PATH."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *ELSEWHERE]))


def install_programs(names: Iterable[str]) -> list[str]:
    """Install the programs that are missing, as far as we may, and return those that still are."""
    missing = [name for name in names if find_program(name) is None]
    if not missing:
        return []
    machine, output = this_machine(), ""
    for command in install_commands(missing, machine):
        say("+ " + shlex.join(command))
        # No look at the status: one foreign source that is down fails `apt-get update`, and the
        # install works all the same. What counts is whether the programs are there afterwards.
        output = run(*command, quiet=True).stdout
    missing = [name for name in missing if find_program(name) is None]
    if missing:
        reason = f" ({output.splitlines()[-1]})" if output else ""
        advice = install_advice(missing, machine)
        say(f"note: missing: {', '.join(missing)}{reason}; to install: {advice}")
    return missing


# --- The virtual environment ---


class Stamp(NamedTuple):
    """What a complete environment was made from; lies in it as JSON."""

    base: str  # Python's tag and this directory: scripts and the editable install hold both
    project: str  # hash of pyproject.toml
    groups: list[str]  # the dependency groups installed


def read_stamp(path: Path) -> Stamp | None:
    """Read the stamp at *path*: None when there is none, or none that makes sense."""
    try:
        return Stamp(*json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def next_step(found: Stamp | None, wanted: Stamp) -> str:
    """Tell what turns an environment with the stamp *found* into the one *wanted*."""
    if found is None or found.base != wanted.base:
        return "rebuild"
    if found.project != wanted.project or not set(wanted.groups) <= set(found.groups):
        return "install"
    return "keep"


def find_python(wanted: str | None) -> tuple[str, str]:
    """Return path and tag (such as `cpython-311`) of the Python *wanted*: without, of this one."""
    if wanted is None:
        # In an activated .venv, which may have to be rebuilt, take the Python that made it.
        return getattr(sys, "_base_executable", sys.executable), str(sys.implementation.cache_tag)
    path = str(Path(shutil.which(wanted) or wanted).absolute())
    probe = "import sys; print(sys.implementation.cache_tag); sys.exit(sys.version_info < (3, 11))"
    done = run(path, "-c", probe, quiet=True)
    if done.returncode:
        raise SetupError(f"--python takes Python 3.11 or newer, got {wanted!r}: {done.stdout}")
    return path, done.stdout


def make_venv(directory: Path, python: str) -> None:
    """Make an empty environment with a current pip, in place of what is in *directory*."""
    if run(python, "-m", "venv", "--clear", directory, quiet=True).returncode:
        # Debian splits off python3-venv, and with it the pip for new environments.
        must_run(f"make {directory}", python, "-m", "venv", "--clear", "--without-pip", directory)
        purpose = f"put pip into {directory}: needs the network, and python3-venv or pip >= 22.3"
        inside = ("--python", directory / "bin" / "python")
        must_run(purpose, python, "-m", "pip", *inside, "install", "pip")
    pip_install(directory, "pip>=25.1")  # the first that knows --group


def pip_install(directory: Path, *wanted: str | Path, groups: Iterable[str] = ()) -> None:
    """Install requirements, and dependency groups of this project, into an environment."""
    options = ["--quiet", "--no-input", "--disable-pip-version-check"]
    for group in groups:
        options += ["--group", group]
    pip = (directory / "bin" / "python", "-m", "pip", "install")
    must_run(f"install {' '.join(map(str, [*wanted, *groups]))}", *pip, *options, *wanted)


def ensure_venv(*groups: str, python: str | None = None) -> Path:
    """Make the environment or bring it up to date, if need be; return its directory of commands.

    It holds this library (editable), what that needs at run time, and dependency groups. Another
    *python* than the one that runs this gets an environment of its own.
    """
    path, tag = find_python(python)
    directory = ROOT / ".venv" if python is None else ROOT / "build" / f"venv-{tag}"
    stamp = directory / "dev-stamp.json"
    project = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    wanted = Stamp(f"{tag} in {ROOT}", project, sorted(groups))
    found = read_stamp(stamp) if (directory / "bin" / "python").exists() else None
    step = next_step(found, wanted)
    if step != "keep":
        say(f"setting up {directory.relative_to(ROOT)} for {tag}: {step}")
        stamp.unlink(missing_ok=True)  # so that a set-up cut short is begun anew
        if step == "rebuild":
            make_venv(directory, path)
        elif found is not None:
            wanted = wanted._replace(groups=sorted({*found.groups, *groups}))
        pip_install(directory, "--editable", ".", groups=wanted.groups)
        stamp.write_text(json.dumps(wanted), encoding="utf-8")
    return directory / "bin"


# --- The commands: the first line of each docstring is its help ---


def demo(_: argparse.Namespace, rest: list[str]) -> int:
    """Set up what the demo needs and run it; further arguments go to it."""
    commands = ensure_venv()
    install_programs(["tmux"])
    return run(commands / "python", "-m", "docs.demo", *rest).returncode


def test(options: argparse.Namespace, rest: list[str]) -> int:
    """Set up what the tests need and run the quick ones, or those that pytest's arguments name."""
    commands = ensure_venv("test", python=options.python)
    install_programs(["tmux"])
    parts = (rest,) if rest else QUICK_PARTS
    return run_side_by_side([(commands / "python", "-m", "pytest", *part) for part in parts])


def check(options: argparse.Namespace, _: list[str]) -> int:
    """Run lint, types, layers, all tests, coverage and the site: each, even after one failed."""
    commands = ensure_venv("test", "check", "docs")
    install_programs(["tmux"])
    # As in an activated .venv: basedpyright asks the first Python on PATH where packages lie.
    os.environ["PATH"] = os.pathsep.join([str(commands), os.environ["PATH"]])
    for name, *arguments in FIXES if options.fix else ():
        run(commands / name, *arguments)
    summary = []
    for step, calls in CHECKS.items():
        say(f"== {step}: {'; '.join(map(shlex.join, calls))}")
        start = time.monotonic()
        status = run_side_by_side([(commands / name, *arguments) for name, *arguments in calls])
        verdict = "FAILED" if status else "ok"
        summary.append(f"{verdict:6}  {step:12} {time.monotonic() - start:6.1f} s")
    say("== summary\n" + "\n".join(summary))
    return int(any(line.startswith("FAILED") for line in summary))


def programs(_: argparse.Namespace, __: list[str]) -> int:
    """Install every program that the tests drive."""
    missing = install_programs(PROGRAMS)
    say(f"programs here: {len(PROGRAMS) - len(missing)} of {len(PROGRAMS)}")
    return int(bool(missing))


def docs(_: argparse.Namespace, __: list[str]) -> int:
    """Build the site into build/site."""
    commands = ensure_venv("docs")
    name, *arguments = DOCS
    status = run(commands / name, *arguments).returncode
    if not status:
        say(f"open {ROOT / arguments[-1] / 'index.html'}")
    return status


def wheel(_: argparse.Namespace, __: list[str]) -> int:
    """Build the wheel, look whether it is whole, and test it installed, away from here."""
    commands = ensure_venv("test", "check")
    with tempfile.TemporaryDirectory(prefix="tmuxprim-wheel-") as name:
        away = Path(name).resolve()
        say("building the sdist, and the wheel from it")
        must_run("build", commands / "pyproject-build", "--outdir", away / "dist", ROOT)
        (built,) = (away / "dist").glob("*.whl")
        if lacking := left_out(built):
            raise SetupError(f"{built.name} lacks {', '.join(lacking)}")
        packages = (away / "dist").iterdir()
        must_run("check the packages", commands / "twine", "check", "--strict", *packages)
        make_venv(away / "venv", find_python(None)[0])
        pip_install(away / "venv", built, groups=["test"])
        for source in ("pyproject.toml", "dev.py"):  # pytest's settings, and a module under test
            shutil.copy(ROOT / source, away)
        for directory in ("tests", "docs"):  # some tests run a guide's example
            shutil.copytree(ROOT / directory, away / directory)
        python = away / "venv" / "bin" / "python"
        origin = "import sys, tmuxprim; sys.exit(not tmuxprim.__file__.startswith(sys.prefix))"
        must_run("import tmuxprim from the wheel", python, "-c", origin, cwd=away)
        say(f"testing {built.name}")
        return run(python, "-m", "pytest", *OF_WHEEL, cwd=away).returncode


def left_out(wheel: Path) -> list[str]:
    """Return the files of the library that are not in a *wheel*."""
    with ZipFile(wheel) as archive:
        held = archive.namelist()
    files = (path for path in (ROOT / "tmuxprim").rglob("*") if path.is_file())
    names = {str(path.relative_to(ROOT)) for path in files if "__pycache__" not in path.parts}
    return sorted(names.difference(held))


def bench(options: argparse.Namespace, rest: list[str]) -> int:
    """Run the benchmarks, or only benchmarks/bench_NAME.py; further arguments go to them."""
    pattern = f"bench_{options.name or '*'}.py"
    scripts = sorted((ROOT / "benchmarks").glob(pattern))
    parts = [options.name] if options.name else list(REPORTED)
    if options.report and not set(parts) <= set(REPORTED):
        raise SetupError(f"a report has {', '.join(REPORTED)}, got {options.name}")
    if not scripts and not options.report:
        raise SetupError(f"found no benchmarks/{pattern}")
    commands = ensure_venv("bench", "test")  # the scenarios are tests, too
    install_programs(["tmux"])
    if not options.report:
        return max(abs(run(commands / "python", script, *rest).returncode) for script in scripts)
    return write_report(commands / "python", parts, rest)


def write_report(python: Path, parts: list[str], rest: list[str]) -> int:
    """Write what some *parts* print into one page, and their figures into the pages of the docs."""
    REPORT.mkdir(parents=True, exist_ok=True)
    page = REPORT / "report.md"
    commit = run("git", "describe", "--always", quiet=True).stdout
    # A new figure of another part is no other code.
    code = ("tmuxprim", "benchmarks", "tests")
    if run("git", "diff", "--quiet", "HEAD", "--", *code, quiet=True).returncode:
        commit += "-dirty"
    machine = run(python, "-m", "tmuxprim", "doctor", quiet=True).stdout
    worst = 0
    with page.open("w", encoding="utf-8") as file:
        file.write(
            f"# Benchmarks\n\nOf {commit} with these arguments: {shlex.join(rest) or 'none'}.\n"
        )
        file.write(f"\n```\n{machine}\n```\n")
        for part in parts:
            script, *words = REPORTED[part]
            file.write(f"\n## {part}\n\n")
            file.flush()
            measured = REPORT / f"{part}.json"
            measured.unlink(missing_ok=True)
            told = shlex.join(["bench", part, "--report", *rest])
            path, words = ROOT / "benchmarks" / script, [*words, *rest]
            statuses = [run(python, path, "--markdown", *words, cwd=REPORT, into=file).returncode]
            file.write(f"\n![{part}]({part}.svg)\n" if "--svg" in words else "")
            if measured.exists():
                taker = ROOT / "benchmarks" / "pages.py"
                statuses.append(run(python, taker, part, measured, told, commit).returncode)
            worst = max(worst, *map(abs, statuses))
    say(f"the report: {page}")
    return worst


def matrix(_: argparse.Namespace, rest: list[str]) -> int:
    """Run the tests that know tmux on every version of it and of Python that is to be had."""
    return run(find_python(None)[0], ROOT / "tests" / "matrix.py", *rest).returncode


def vm(_: argparse.Namespace, rest: list[str]) -> int:
    """Play a smoke and some scenarios on a kernel with Yama, in an emulated machine."""
    commands = ensure_venv("bench", "test")
    return run(commands / "python", "-m", "tests.vm", *rest).returncode


def test_assistants(options: argparse.Namespace, rest: list[str]) -> int:
    """Install the real AI assistants and talk to them; further arguments go to pytest."""
    commands = ensure_venv("test")
    install_programs(["tmux"])
    if shutil.which("npm") is None:
        raise SetupError("npm is needed: install Node.js with it")
    directory = ROOT / "build" / "assistants"
    for name, package in FROM_NPM.items():
        install_from_npm(package, directory / name)
    for name, package in FROM_PYPI.items():
        if not (directory / name / "bin" / name).exists():
            say(f"installing {package}")
            make_venv(directory / name, find_python(None)[0])
            pip_install(directory / name, package)
    os.environ["TMUXPRIM_RUNS"] = str(options.runs)
    os.environ["TMUXPRIM_LOOPS"] = str(options.loops)
    os.environ.setdefault("TMUXPRIM_RESULTS", str(directory / "results.jsonl"))
    script = f"tests/assistants/play_{'fleet' if options.fleet else 'assistants'}.py"
    return run(commands / "python", "-m", "pytest", script, *rest).returncode


def test_adapters(options: argparse.Namespace, rest: list[str]) -> int:
    """Install agent frameworks and play with them, or NAME; further arguments go to pytest."""
    names = [options.name] if options.name else list(FRAMEWORKS)
    if not {*names} <= {*FRAMEWORKS}:
        raise SetupError(f"a framework is one of {', '.join(FRAMEWORKS)}, got {options.name}")
    install_programs(["tmux", "vim"])
    directory, plays = ROOT / "build" / "adapters", ROOT / "tests" / "adapters"
    worst = 0
    for name in names:
        python = directory / name / "bin" / "python"
        if not python.exists():
            say(f"installing {' '.join(FRAMEWORKS[name])}")
            make_venv(directory / name, find_python(options.python)[0])
            pip_install(directory / name, "--editable", ROOT, "pytest", *FRAMEWORKS[name])
        play = (python, "-m", "pytest", "-c", "pytest.ini", f"play_{name}.py")
        worst = max(worst, abs(run(*play, *rest, cwd=plays).returncode))
    return worst


def install_from_npm(package: str, directory: Path) -> None:
    """Install a package into a directory of its own, unless it is there already."""
    if (directory / "node_modules" / ".bin").exists():
        return
    say(f"installing {package}")
    directory.mkdir(parents=True, exist_ok=True)
    npm = ("npm", "install", "--no-audit", "--no-fund", "--prefix", directory)
    must_run(f"install {package}", *npm, package, cwd=directory)


COMMANDS = {
    command.__name__.replace("_", "-"): command
    for command in (
        *(demo, test, check, docs, programs, wheel, bench, matrix, vm),
        *(test_assistants, test_adapters),
    )
}


def make_parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(prog="dev.py", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, function in COMMANDS.items():
        text = str(function.__doc__)
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        if name in ("test", "check"):
            strict = "fail, not skip, where a program is missing"
            command.add_argument("--strict", action="store_true", help=strict)
        if name in ("test", "test-adapters"):
            command.add_argument("--python", metavar="PATH", help="test with another Python")
        if name == "test-adapters":
            command.add_argument("name", nargs="?", metavar="NAME")
        if name == "check":
            command.add_argument("--fix", action="store_true", help="let ruff mend things first")
        if name == "test-assistants":
            command.add_argument("--runs", type=int, default=1, help="how often each is played")
            loops = "how many busy loops run beside them"
            command.add_argument("--loops", type=int, default=0, help=loops)
            fleet = "play ten side by side, and hold `tmuxprim watch` against the truth"
            command.add_argument("--fleet", action="store_true", help=fleet)
        if name == "bench":
            command.add_argument("name", nargs="?", metavar="NAME")
            report = "write build/report/ and the figures of the pages; NAME is a part of it"
            command.add_argument("--report", action="store_true", help=report)
    return parser


def why_not(version: tuple[int, ...], system: str) -> str | None:
    """Tell why nothing here can work on this Python *version* and *system* (`os.name`), if so."""
    if version < (3, 11):
        return f"Python 3.11 or newer is needed, got {'.'.join(map(str, version))}"
    return "tmux does not run on Windows itself: use WSL" if system == "nt" else None


def main(arguments: list[str]) -> int:
    """Run one command and return the exit status."""
    reason = why_not(sys.version_info[:3], os.name)
    if reason is not None:
        say(f"dev.py: {reason}")
        return 1
    parser = make_parser()
    options, rest = parser.parse_known_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    if rest and options.command in ("check", "docs", "programs", "wheel"):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if getattr(options, "strict", False):
        os.environ["TMUXPRIM_STRICT"] = "1"
    try:
        return COMMANDS[options.command](options, rest)
    except (SetupError, OSError) as error:  # OSError: no rights here, a full disk, no such Python
        say(f"dev.py: {error}")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
