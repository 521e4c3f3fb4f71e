"""What holds for root holds for an ordinary user, and of set-uid programs as well."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
import typing_extensions

_ROOT = Path(__file__).parents[2]
_NOBODY = 65534
_NO_PTRACE = ("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace")
_PYTHONS = (sys.executable, "/usr/bin/python3")
_PATHS = (
    _ROOT,
    Path(str(attrs.__file__)).parents[1],
    Path(str(typing_extensions.__file__)).parent,
)


def _as_nobody(argv: list[str], home: str) -> "subprocess.CompletedProcess[str]":
    """Run a command without any right of root's."""
    environment = {
        "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin",
        "HOME": home,
        "TMPDIR": home,
        "SHELL": "/bin/bash",  # nobody has none
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(map(str, _PATHS)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        argv,
        user=_NOBODY,
        group=_NOBODY,
        extra_groups=[],
        cwd=_ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def _runs(python: str, home: str) -> bool:
    """Whether nobody may run this Python, and it is new enough."""
    try:
        return _as_nobody([python, "-c", "import tmuxprim, tomllib"], home).returncode == 0
    except OSError:
        return False


@pytest.fixture
def home() -> Iterator[str]:
    """Give a directory to nobody; pytest's own are root's."""
    with tempfile.TemporaryDirectory(prefix="nobody-", ignore_cleanup_errors=True) as directory:
        os.chown(directory, _NOBODY, _NOBODY)
        yield directory


@pytest.mark.tmux
@pytest.mark.needs("bash")
@pytest.mark.skipif(os.geteuid() != 0, reason="whoever is not root is an ordinary user")
def test_an_ordinary_user(home: str) -> None:
    """Plays some scenarios as the machine tells them, and sudo, su and passwd in all levels."""
    python = next((one for one in _PYTHONS if _runs(one, home)), None)
    if python is None:
        pytest.skip("no Python here that an ordinary user may run")
    done = _as_nobody([python, "-m", "tests.scenarios.as_user"], home)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["wrong"] == []
    assert result["played"] > 20


@pytest.mark.tmux
@pytest.mark.needs("bash", "setpriv")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has this right, or may give it up")
def test_root_without_the_right_to_attach_to_all() -> None:
    """As in a container without CAP_SYS_PTRACE: of one's own programs all is told all the same."""
    done = subprocess.run(
        [*_NO_PTRACE, sys.executable, "-m", "tests.scenarios.as_user"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["wrong"] == []
    assert result["played"] > 20
