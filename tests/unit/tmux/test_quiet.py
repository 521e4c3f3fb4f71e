"""News and attaching keep out of each other's way, and not for ever."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from threading import Event

import pytest

from tmuxprim import TmuxTimeoutError
from tmuxprim._tmux._launch import Prefix, make_prefix
from tmuxprim._tmux._quiet import Quiet, quiet_of

LONG = 10.0


def test_news_do_not_wait_for_each_other() -> None:
    """Any number of calls may be under way, and none is left in the end."""
    quiet = Quiet()
    with quiet.news(0.0), quiet.news(0.0), pytest.raises(TmuxTimeoutError), quiet.attaching(0.0):
        raise AssertionError
    with quiet.attaching(0.0):
        pass


def test_attaching_is_alone() -> None:
    """Neither another client nor news may come in between, but a client that leaves at last."""
    quiet = Quiet()
    with quiet.attaching(0.0):
        with pytest.raises(TmuxTimeoutError), quiet.attaching(0.0):
            raise AssertionError
        with pytest.raises(TmuxTimeoutError), quiet.news(0.0):
            raise AssertionError
        with quiet.news(0.0, insists=True):
            pass


def test_who_waits_is_let_in() -> None:
    """A client attaches as soon as the last news is over, and before any that come later."""
    quiet, came = Quiet(), Event()

    def attach() -> None:
        with quiet.attaching(LONG):
            came.set()

    with ThreadPoolExecutor(1) as pool:
        with ExitStack() as stack:
            stack.enter_context(quiet.news(0.0))
            attaching = pool.submit(attach)
            while not vars(quiet)["_is_attaching"]:
                pass
            with pytest.raises(TmuxTimeoutError):
                stack.enter_context(quiet.news(0.0))
            assert not came.is_set()
        attaching.result(LONG)
    with quiet.news(0.0):
        assert came.is_set()


def test_terminals_of_one_server_share_it() -> None:
    """In one process; a server elsewhere is another one."""
    here, there = [
        make_prefix("a", None, None, "tmux", launcher) for launcher in ((), ("ssh", "b"))
    ]
    one = quiet_of(here)
    assert quiet_of(here) is one
    assert quiet_of(there) is not one


def test_it_is_the_server_that_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not the words: another configuration file, or the socket's path in place of its name."""
    monkeypatch.setenv("TMUX_TMPDIR", str(tmp_path))
    path = str(tmp_path / f"tmux-{os.getuid()}" / "a")
    one = quiet_of(make_prefix("a", None, None, "tmux", ()))
    assert quiet_of(make_prefix("a", None, "/dev/null", "/usr/bin/tmux", ())) is one
    assert quiet_of(make_prefix(None, path, None, "tmux", ())) is one
    assert quiet_of(make_prefix(None, f"{path}b", None, "tmux", ())) is not one


def test_a_forked_process_waits_for_nobody() -> None:
    """What a thread of its parent held just then is never given back."""
    prefix = make_prefix("a", None, None, "tmux", ())
    with quiet_of(prefix).attaching(0.0):
        child = get_context("fork").Process(target=_make_news, args=(prefix,))
        child.start()
    child.join(LONG)
    assert child.exitcode == 0


def _make_news(prefix: Prefix) -> None:
    with quiet_of(prefix).news(0.0):
        pass
