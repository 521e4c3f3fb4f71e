"""What a play with a real assistant ends when it is over."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.assistants.real import end_what_is_left

STUBBORN = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(flush=True)
signal.pause()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux")
def test_what_has_a_home_is_ended_whatever_it_ignores(tmp_path: Path) -> None:
    """It is known by its environment, and ends though it ignores SIGTERM; others live."""
    home, other = tmp_path / "home", tmp_path / "home2"
    stubborn = (sys.executable, "-c", STUBBORN)
    started = [
        subprocess.Popen(stubborn, env={"HOME": str(its)}, stdout=subprocess.PIPE)
        for its in (home, other)
    ]
    try:
        for one in started:
            assert one.stdout is not None
            assert one.stdout.readline() == b"\n"
        end_what_is_left(home)
        assert started[0].wait(60) == -signal.SIGKILL
        assert started[1].poll() is None
    finally:
        for one in started:
            one.kill()
            one.communicate()
