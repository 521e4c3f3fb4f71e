"""Run the contract, sending and some scenarios on every tmux and Python that is to be had.

`python3 dev.py matrix` starts it. It needs no root, and nothing but Python: each release of Debian
has another tmux, and apt fetches it with its libraries from the mirror that this machine uses. What
Debian has in no release is built from tmux's own repository, if one is given. Each tmux stays in
build/tmux; remove its directory there to get it anew.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[1]
TMUXES = ROOT / "build" / "tmux"
REPORTS = ROOT / "build" / "matrix"

SUITES = ("bullseye", "bookworm", "trixie", "forky", "sid")  # 3.1c, 3.3a, 3.5a and newer ones
TAGS = ("3.0a", "3.2a", "3.4", "3.6b")  # those that no suite has
PYTHONS = ("3.11", "3.12", "3.13", "3.14")

PARTS = {
    "contract": "tests/contract",
    "sending": "tests/tmux/test_sending",
    "scenarios": "tests/scenarios",
}
_PATHS = ("tests/contract", "tests/tmux/test_sending.py", "tests/scenarios")
# Both transports; asyncio's terminals say the same to tmux.
_CHOSEN = "TestTmuxTerminal or TestControlTerminal or test_sending or test_scenario"
TESTS = (*_PATHS, "-m", "tmux and not thorough", "-k", _CHOSEN, "-p", "no:cacheprovider")
HEADER = ("tmux", "Python", *PARTS, "early", "missed", "wrong")

_TARGET = "$(ORIGIN)|$(CODENAME)|$(COMPONENT)|$(REPO_URI)"
# This wants autoconf, automake, bison, libevent-dev, libncurses-dev and pkg-config.
_BUILD = "sh autogen.sh && ./configure && make && mkdir bin && cp tmux bin"


class MissingError(Exception):
    """A tmux or a Python is not to be had here."""


class Tmux(NamedTuple):
    """A tmux that tests can run."""

    version: str
    program: Path


class Result(NamedTuple):
    """How one part of the tests went."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        ran = f"{self.passed} of {self.passed + self.failed}"
        return f"{ran}, {self.skipped} skipped" if self.skipped else ran


class Row(NamedTuple):
    """What one tmux did under one Python."""

    tmux: str
    python: str
    parts: dict[str, Result]
    kinds: Counter[str]
    """Of the scenarios that failed: how many were early, missed, and wrong otherwise."""

    @property
    def is_good(self) -> bool:
        """Whether every part ran, and nothing failed."""
        return all(result.passed and not result.failed for result in self.parts.values())

    @property
    def cells(self) -> tuple[str, ...]:
        """What the table says."""
        kinds = (str(self.kinds[kind]) for kind in HEADER[-3:])
        return (self.tmux, self.python, *(str(self.parts[part]) for part in PARTS), *kinds)


def say(text: str) -> None:
    """Print *text* at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def ask(*command: str | Path, cwd: Path = ROOT) -> str:
    """Return what *command* printed; what cannot be run or fails is not to be had."""
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, errors="replace", check=True
        )
    except OSError as error:
        raise MissingError(str(error)) from error
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout).strip().splitlines() or [f"exit {error.returncode}"]
        raise MissingError(f"{command[0]}: {said[-1]}") from error
    return done.stdout.strip()


# --- Getting tmuxes ---


def find_mirror() -> str:
    """Return where this machine gets Debian's packages from."""
    targets = ask("apt-get", "indextargets", "--format", _TARGET, "Created-By: Packages")
    for target in targets.splitlines():
        origin, release, component, place = target.split("|")
        if (origin, component) == ("Debian", "main") and "-" not in release:
            return place
    raise MissingError("apt has no mirror of Debian")


def fetch(suite: str, directory: Path) -> None:
    """Unpack the tmux of a *suite* and all that it needs; a script runs it on its own libraries."""
    mirror = find_mirror()
    directory.mkdir()
    with tempfile.TemporaryDirectory(prefix="tmuxprim-apt-") as name:
        apt = Path(name)
        for part in ("lists/partial", "archives/partial"):
            (apt / part).mkdir(parents=True)
        (apt / "status").touch()  # nothing is installed, so all that it needs is fetched
        (apt / "sources.list").write_text(f"deb {mirror} {suite} main\n")
        settings = {
            "Dir::Etc::sourcelist": apt / "sources.list",
            "Dir::Etc::sourceparts": "-",
            "Dir::State": apt,
            "Dir::State::status": apt / "status",
            "Dir::Cache": apt,
            "Acquire::Languages": "none",
            "APT::Sandbox::User": "",  # the directory is ours alone
        }
        words = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        ask("apt-get", "-qq", *words, "update")
        download = ("--download-only", "--yes", "--no-install-recommends", "tmux")
        ask("apt-get", "-qq", *words, "install", *download)
        for package in (apt / "archives").glob("*.deb"):
            ask("dpkg-deb", "--extract", package, directory / "root")
    write_script(directory)


def write_script(directory: Path) -> None:
    """Write bin/tmux, which runs root/usr/bin/tmux by the loader and the libraries beside it."""
    root = directory / "root"
    loaders = [path for path in sorted(root.rglob("ld-linux*.so.*")) if path.exists()]
    if not loaders:
        raise MissingError("no loader came with its libraries")
    libraries = sorted({str(path.parent) for path in root.rglob("lib*.so.*")})
    command = [loaders[0], "--library-path", ":".join(libraries), root / "usr" / "bin" / "tmux"]
    script = directory / "bin" / "tmux"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {shlex.join(map(str, command))} "$@"\n')
    script.chmod(0o755)


def build(tag: str, repository: str, directory: Path) -> None:
    """Build a release of tmux from its git repository."""
    ask("git", "clone", "-q", "--depth=1", f"--branch={tag}", repository, directory)
    ask("sh", "-c", _BUILD, cwd=directory)


def get(name: str, repository: str | None) -> Tmux:
    """Return the tmux of a suite or a tag, which is fetched or built unless it is here."""
    directory = TMUXES / name
    program = directory / "bin" / "tmux"
    if not program.exists():
        say(f"getting tmux of {name}")
        shutil.rmtree(directory, ignore_errors=True)  # what was cut short
        if name in SUITES:
            fetch(name, directory)
        elif repository is not None:
            build(name, repository, directory)
        else:
            raise MissingError("in no release of Debian; --sources REPOSITORY builds it")
    return Tmux(ask(program, "-V").removeprefix("tmux "), program)


def find_tmuxes(repository: str | None) -> list[Tmux]:
    """Return one tmux of each version, this machine's own first, and tell what is missing."""
    own = shutil.which("tmux")
    found = [] if own is None else [Tmux(ask(own, "-V").removeprefix("tmux "), Path(own))]
    for name in (*SUITES, *TAGS):
        try:
            tmux = get(name, repository)
        except MissingError as error:
            say(f"missing: tmux of {name}: {error}")
        else:
            if tmux.version not in [other.version for other in found]:
                found.append(tmux)
    return [*found[:1], *sorted(found[1:])]


def find_pythons() -> Iterator[str]:
    """Yield the other Pythons that run here, and tell what is missing."""
    for version in PYTHONS:
        if version == "{}.{}".format(*sys.version_info):
            continue
        # A pyenv shim is on PATH for versions that are not there, so each has to run.
        places = Path.home().glob(f".pyenv/versions/{version}.*/bin/python3")
        for python in (f"python{version}", *map(str, sorted(places))):
            try:
                ask(python, "-c", "")
            except MissingError:
                continue
            yield python
            break
        else:
            say(f"missing: Python {version}")


# --- Running the tests ---


def play(tmux: Tmux, python: str | None) -> Row:
    """Run the tests on *tmux*, first on PATH, and on *python*, or the one that runs this."""
    version = ask(python or sys.executable, "-c", "import platform as p; print(p.python_version())")
    report = REPORTS / f"tmux-{tmux.version}-python-{version}.xml"
    report.unlink(missing_ok=True)
    own = ("--python", python) if python else ()
    command = (sys.executable, ROOT / "dev.py", "test", *own, *TESTS, f"--junitxml={report}")
    path = os.pathsep.join([str(tmux.program.parent), os.environ.get("PATH", os.defpath)])
    with report.with_suffix(".log").open("w") as log:
        subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,  # the report tells, and no report is no good row
        )
    return read(tmux.version, version, report)


def read(tmux: str, python: str, report: Path) -> Row:
    """Count the tests of a report by part; a run that was cut short left none."""
    counts = {part: Counter[str]() for part in PARTS}
    kinds = Counter[str]()
    tree = ET.parse(report) if report.exists() else ET.ElementTree(ET.Element("none"))  # noqa: S314  # ours
    for case in tree.iter("testcase"):
        name = str(case.get("classname")).replace(".", "/")
        (part,) = (part for part, place in PARTS.items() if name.startswith(place))
        said = {child.tag: str(child.get("message")) for child in case}
        bad = said.get("failure", said.get("error"))
        counts[part]["skipped" if "skipped" in said else "failed" if bad else "passed"] += 1
        if bad and part == "scenarios":
            kinds[kind_of(bad)] += 1
    return Row(tmux, python, {part: Result(**counted) for part, counted in counts.items()}, kinds)


def kind_of(message: str) -> str:
    """Tell early from missed and from whatever else is wrong with a scenario."""
    return next((kind for kind in ("early", "missed") if kind.upper() in message), "wrong")


def written(rows: Sequence[Row]) -> str:
    """Return the table, as Markdown."""
    lines = (HEADER, ("---",) * len(HEADER), *(row.cells for row in rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all; return 0 if all that ran is good."""
    parser = argparse.ArgumentParser(prog="dev.py matrix", description=__doc__)
    parser.add_argument("--sources", metavar="REPOSITORY", help="tmux's git repository: its tags")
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="only these tmuxes")
    options = parser.parse_args(arguments)
    TMUXES.mkdir(parents=True, exist_ok=True)
    REPORTS.mkdir(parents=True, exist_ok=True)
    tmuxes = find_tmuxes(options.sources)
    pairs: list[tuple[Tmux, str | None]]
    if options.versions:
        pairs = [(tmux, None) for tmux in tmuxes if tmux.version in options.versions]
    else:
        pairs = [(tmux, None) for tmux in tmuxes]
        pairs += [(tmux, python) for python in find_pythons() for tmux in tmuxes[:1]]
    rows = []
    for tmux, python in pairs:
        rows.append(play(tmux, python))
        say(written(rows[-1:]).splitlines()[-1])
    say(f"\n{written(rows)}\n\nreports: {REPORTS.relative_to(ROOT)}")
    return int(not rows or not all(row.is_good for row in rows))


if __name__ == "__main__":
    sys.exit(main())
