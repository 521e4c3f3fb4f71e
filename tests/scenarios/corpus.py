"""All scenarios: the corpus by which the default chain is judged."""

import attrs

from tests.scenarios import (
    busy,
    fullscreen,
    git,
    limits,
    prompts,
    questions,
    readers,
    remote,
    repls,
    secrets,
    shells,
    threads,
    waits,
    wakes,
)
from tests.scenarios.model import Scenario

# What is shown looks like something else, and only where the shell reads tells it apart; or, of
# those that read lines with a time limit, only the system call does.
_BY_PLACE = frozenset(
    (
        "dash asks with its own prompt",
        "bash asks with its line editor and its own prompt",
        "psql asks for a name and for passwords",
        "vim is killed in busybox sh",
    )
)

_ALL = (
    *shells.SCENARIOS,
    *prompts.SCENARIOS,
    *busy.SCENARIOS,
    *repls.SCENARIOS,
    *questions.SCENARIOS,
    *secrets.SCENARIOS,
    *readers.SCENARIOS,
    *limits.SCENARIOS,
    *fullscreen.SCENARIOS,
    *git.SCENARIOS,
    *remote.SCENARIOS,
    *threads.SCENARIOS,
    *waits.SCENARIOS,
    *wakes.SCENARIOS,
)

SCENARIOS: tuple[Scenario, ...] = tuple(
    attrs.evolve(one, by_place=one.by_place or one.name in _BY_PLACE) for one in _ALL
)
