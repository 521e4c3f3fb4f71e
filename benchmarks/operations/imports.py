"""How long importing a package takes, in a fresh interpreter."""

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec

_CLOCK = "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"


OURS, LIBTMUX = "import tmuxprim", "import libtmux"
# What is needed first, should a package put off its work until somebody asks for a name of it.
OURS_IN_USE = "from tmuxprim import Console, TmuxTerminal"
STATEMENTS = (OURS, OURS_IN_USE, LIBTMUX, "import pexpect")


def time_imports(rounds: int) -> dict[str, list[float]]:
    """Carry out each statement whose package is installed by turns.

    All are compiled already, as installed packages are; a first round sees to that.
    """
    there = [statement for statement in STATEMENTS if find_spec(statement.split()[1])]
    samples: dict[str, list[float]] = {statement: [] for statement in there}
    with tempfile.TemporaryDirectory(prefix="tmuxprim-bench-") as directory:
        env = {**os.environ, "PYTHONPYCACHEPREFIX": directory}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        for number in range(-1, rounds):
            for statement, seconds in samples.items():
                took = _time(statement, env)
                if number >= 0:
                    seconds.append(took)
    return samples


def _time(statement: str, env: dict[str, str]) -> float:
    argv = (sys.executable, "-c", _CLOCK.format(statement))
    return float(subprocess.run(argv, capture_output=True, text=True, check=True, env=env).stdout)
