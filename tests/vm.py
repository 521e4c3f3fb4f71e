"""Play the smoke and a sample of the scenarios on a kernel of Debian's, as an ordinary user.

`python3 dev.py vm` starts it, as root on Debian. mmdebstrap makes a small system in build/vm, and
qemu runs it without the processor's help. One emulated instruction is a nanosecond of the machine's
time (`-icount`), so the load of this machine changes no result. The smoke is played for each scope
of Yama (`kernel.yama.ptrace_scope`), the scenarios with scope 1, as Ubuntu and Arch set it.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from benchmarks import pages, tables

ROOT: Final = Path(__file__).resolve().parents[1]
HERE: Final = ROOT / "build" / "vm"
NEEDS: Final = {
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "qemu-system-x86_64": "qemu-system-x86",
}
SUITES: Final = {"bookworm": "3.11", "trixie": "3.13"}  # and the version of their Python
PACKAGES: Final = (
    *("python3", "tmux", "bash", "zsh", "fish", "dash", "less", "vim", "sqlite3", "sudo"),
    *("procps", "passwd", "iproute2", "kmod", "initramfs-tools", "zstd", "linux-image-cloud-amd64"),
)
SCOPES: Final = (0, 1, 2, 3)  # 3 cannot be left again
RESULT: Final = "result"
# The first process of the machine: /dev/vdb is the job, and /dev/vdc takes its result.
INIT: Final = rf"""#!/bin/bash
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=linux HOME=/root
PYTEST="python3 -m pytest -q -p no:cacheprovider"
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm; mount -t devpts -o gid=5,mode=620,ptmxmode=666 devpts /dev/pts
for place in /dev/shm /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmp $place; done
ln -sf /proc/self/fd /dev/fd; ip link set lo up; hostname vm
useradd --create-home --shell /bin/bash u
mkdir /job; tar xf /dev/vdb -C /job; chown -R u /job; mkdir -m 777 /{RESULT}
as_user() {{ setpriv --reuid=u --regid=u --init-groups env HOME=/home/u \
    PYTHONPATH=/job/packages:/job/project sh -c "cd /job/project && $1"; }}
for scope in {" ".join(map(str, SCOPES))}; do
    echo $scope > /proc/sys/kernel/yama/ptrace_scope
    as_user "python3 -m tests.vm_smoke > /{RESULT}/smoke-$scope.json" 2>> /{RESULT}/errors
    [ $scope = 1 ] || continue
    as_user "$PYTEST --collect-only -m 'not thorough' tests/scenarios/test_scenarios.py" \
        | grep '::test_scenario\[' | awk "NR % $(cat /job/one_in) == 1" > /{RESULT}/names
    as_user "xargs -d '\n' $PYTEST --junitxml=/{RESULT}/scenarios.xml < /{RESULT}/names" \
        > /{RESULT}/pytest 2>&1
done
uname -r > /{RESULT}/kernel; tmux -V > /{RESULT}/tmux
tar cf /dev/vdc -C / {RESULT}; sync; echo o > /proc/sysrq-trigger; sleep 60
"""


class MissingError(Exception):
    """The machine lacks a program, or something went wrong in it."""


def must_run(*command: str | Path) -> str:
    """Run a command and return its output."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise MissingError(f"{command[0]} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def make_system(suite: str) -> Path:
    """Return the directory of a system that is made once: its kernel and its disk."""
    there = HERE / suite
    if (there / "disk").exists():
        return there
    shutil.rmtree(there, ignore_errors=True)
    tree = there / "tree"
    there.mkdir(parents=True)
    print(f"making a system of Debian {suite}, some 300 MB")
    apt = Path("/etc/apt")  # the sources of this machine, if they are of that suite
    sources = [*apt.glob("sources.list.d/*.sources"), *apt.glob("sources.list")][:1]
    left_out = [f"--dpkgopt=path-exclude=/usr/share/{one}/*" for one in ("doc", "man", "locale")]
    included = f"--include={','.join(PACKAGES)}"
    options = ("--variant=minbase", '--aptopt=APT::Install-Recommends "false"', *left_out)
    must_run("mmdebstrap", *options, included, suite, tree, *sources)
    init = tree / "init.sh"
    init.write_text(INIT, encoding="utf-8")
    init.chmod(0o755)
    for name in ("vmlinuz", "initrd.img"):
        shutil.copy(next((tree / "boot").glob(f"{name}-*")), there / name)
    must_run("mke2fs", "-q", "-t", "ext4", "-d", tree, there / "disk", "2G")
    shutil.rmtree(tree)
    return there


def make_job(there: Path, python: str, one_in: int) -> None:
    """Write the job: this project, the packages that its tests need, and the share of scenarios."""
    packages = there / "packages"
    if not packages.exists():
        options = ("--quiet", "--target", packages, "--python-version", python)
        pip = (sys.executable, "-m", "pip", "install", "--only-binary=:all:", *options)
        needed = ("attrs", "typing-extensions", "pytest", "hypothesis", "sybil", "wcwidth")
        must_run(*pip, *needed)
    (there / "one_in").write_text(str(one_in), encoding="utf-8")
    with tarfile.open(there / "job.tar", "w") as job:
        job.add(packages, "packages")
        job.add(there / "one_in", "one_in")
        for name in ("tmuxprim", "tests", "conftest.py", "pyproject.toml"):
            job.add(ROOT / name, f"project/{name}")
    (there / "result.tar").write_bytes(bytes(64 << 20))


def boot(there: Path, seconds: float) -> None:
    """Run the machine until it is done."""
    drives = (("disk", "snapshot=on"), ("job.tar", "readonly=on"), ("result.tar", "snapshot=off"))
    command: list[str | Path] = [
        *("qemu-system-x86_64", "-accel", "tcg", "-icount", "shift=0,sleep=off", "-cpu", "max"),
        *("-smp", "1", "-m", "2048", "-nographic", "-no-reboot", "-nic", "none"),
        *("-monitor", "none", "-serial", f"file:{there / 'console'}"),
        *("-kernel", there / "vmlinuz", "-initrd", there / "initrd.img"),
        *("-append", "root=/dev/vda rw init=/init.sh console=ttyS0 quiet"),
    ]
    for name, option in drives:
        command += ["-drive", f"file={there / name},format=raw,if=virtio,{option}"]
    try:
        subprocess.run(command, check=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise MissingError(f"not done in {seconds:g} s; see {there / 'console'}") from None
    with tarfile.open(there / "result.tar") as result:
        result.extractall(there, filter="data")


def rows(result: Path) -> Iterable[Sequence[str]]:
    """Yield the rows of the table."""
    yield (
        "ptrace_scope",
        "level of a pane",
        "starts and waits right",
        "scenarios right",
        "skipped",
    )
    cases = ET.parse(result / "scenarios.xml").iter("testcase")  # noqa: S314  # ours
    kinds = Counter(next((part.tag for part in case), "right") for case in cases)
    skipped = kinds.pop("skipped", 0)
    for scope in SCOPES:
        smoke = json.loads((result / f"smoke-{scope}.json").read_text(encoding="utf-8"))
        right = sum(smoke["right"].values())
        played = (f"{kinds['right']} of {kinds.total()}", str(skipped)) if scope == 1 else ("", "")
        yield (str(scope), smoke["level"], f"{right} of {len(smoke['right'])}", *played)


def main(arguments: list[str]) -> int:
    """Make the machine, run it, and put the table into the pages; return the exit status."""
    parser = argparse.ArgumentParser(prog="dev.py vm", description=__doc__)
    parser.add_argument("--suite", choices=SUITES, default="bookworm")
    share = "play one quick scenario in so many (default 10)"
    parser.add_argument("--one-in", type=int, default=10, metavar="N", help=share)
    parser.add_argument("--timeout", type=float, default=7200.0, help="in seconds (default 7200)")
    options = parser.parse_args(arguments)
    missing = [package for name, package in NEEDS.items() if shutil.which(name) is None]
    if missing:
        print(f"dev.py vm: apt install {' '.join(missing)}")
        return 1
    try:
        there = make_system(options.suite)
        make_job(there, SUITES[options.suite], options.one_in)
        boot(there, options.timeout)
    except MissingError as error:
        print(f"dev.py vm: {error}")
        return 1
    result = there / RESULT
    kernel, tmux = ((result / name).read_text().strip() for name in ("kernel", "tmux"))
    conditions = f"Debian {options.suite}, Linux {kernel}, {tmux}, an ordinary user, emulated"
    measured = HERE / "vm.json"
    tables.write(measured, conditions, [*rows(result)])
    commit = must_run("git", "describe", "--always").strip()
    pages.main(["vm", str(measured), " ".join(["vm", *arguments]), commit])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
