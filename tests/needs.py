"""Which programs a test needs, and which of them this machine lacks."""

import os
import shutil

import pytest

# Where a superuser's commands are, which is often not on a person's PATH.
_PLACES = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])


def missing_programs(item: pytest.Item) -> list[str]:
    """Return the programs that a test is marked to need and that are not installed."""
    needed = [name for mark in item.iter_markers("needs") for name in mark.args]
    if item.get_closest_marker("tmux"):
        needed.append("tmux")
    return [name for name in needed if shutil.which(name, path=_PLACES) is None]
