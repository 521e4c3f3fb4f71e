"""Plays scenarios as the user that runs it, and prints the failures as JSON.

An ordinary user's programs are his own; those that are set-uid, such as sudo and su, are not, and
of them the kernel tells him no more than of anybody's. They ask root nothing.
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.scenarios.corpus import SCENARIOS
from tests.scenarios.model import SECRET, Scenario, presses, types
from tests.scenarios.play import play
from tests.scenarios.refusals import EVIDENCE, SYSCALL, WCHAN, files_may_be_refused, refusing
from tests.scenarios.shells import BASH
from tests.tmux_server import Server

_SIDE_BY_SIDE = 8
_ONE_IN = 48
# What takes another user's rights to be set up.
_NEEDS_ROOT = ("ssh", "chroot", "unshare", "setpriv", "sudo", "su ")
_SUDO = Scenario(
    name="sudo asks an ordinary user",
    program=BASH,
    turns=(types("sudo -k true", SECRET), types("wrong", SECRET), presses("C-c")),
    needs=("sudo",),
    by_screen=True,
)
_SET_UID = ("su refuses after a while", "passwd asks for the old password")


def takes() -> Iterator[tuple[Scenario, str]]:
    """Yield one scenario in so many as the machine tells it, and the set-uid ones in all levels."""
    own = [one for one in SCENARIOS if not one.name.startswith(_NEEDS_ROOT)]
    for scenario in own[::_ONE_IN]:
        yield scenario, SYSCALL
        if not scenario.by_place:
            yield scenario, WCHAN
    set_uid = (_SUDO, *(one for one in SCENARIOS if one.name in _SET_UID))
    for scenario in set_uid if os.geteuid() else ():
        yield from ((scenario, evidence) for evidence in EVIDENCE)


def main() -> int:
    """Play them; the last line that is printed names those that were played, and what failed."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        server = Server(home)
        server.terminal.open(["cat"])

        def result(number: int, scenario: Scenario, evidence: str) -> list[str]:
            directory = Path(home, str(number))
            directory.mkdir()
            with refusing(evidence):
                wrong = play(scenario, server.terminal, directory)
            return [f"{scenario.name}, {evidence}: {one}" for one in wrong]

        wanted = [take for take in takes() if all(map(shutil.which, ("bash", *take[0].all_needs)))]
        try:
            with files_may_be_refused(), ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
                played = [pool.submit(result, n, *take) for n, take in enumerate(wanted)]
                wrong = [one for future in played for one in future.result()]
        finally:
            server.stop()
    sys.stdout.write(json.dumps({"played": len(wanted), "wrong": wrong}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
