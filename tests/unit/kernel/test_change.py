"""The wait of a shell on another machine."""

import shlex
import subprocess

import pytest

from tmuxprim._kernel.change import WAITING
from tmuxprim._kernel.wchan import NOT_FOR_KEYS

WORKS = (
    *("do_wait", "hrtimer_nanosleep", "pipe_read", "anon_pipe_read", "futex_do_wait", "sigsuspend"),
    *("__x64_sys_pause", "__arm64_sys_rt_sigsuspend", "inet_csk_accept", "unix_stream_read"),
)
MAY_READ = (
    *("n_tty_read", "wait_woken", "do_select", "do_poll.constprop.0", "ep_poll", "0", "unheard_of"),
    "poll_schedule_timeout.constprop.0",
)


@pytest.mark.parametrize("where", [*WORKS, *MAY_READ])
def test_the_shell_knows_the_functions_by_the_same_table(where: str) -> None:
    """A thread that may wait for a key is never left out."""
    line = next(line for line in WAITING.splitlines() if "case $where in" in line)
    script = f"where={shlex.quote(where)} task=10\nwhile :; do\n{line}\n"
    script = script.replace("continue", "break") + "break; done; echo $sleepers"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == ("\n" if where in WORKS else f"10:{where}\n")


def test_there_is_one_table() -> None:
    """That of the evidence."""
    assert all(f"{name}*" in WAITING for name in NOT_FOR_KEYS)
