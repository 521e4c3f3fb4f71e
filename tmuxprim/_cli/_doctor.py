"""The command `doctor`: what works here, and what to do about the rest."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from typing import Final

from tmuxprim import __version__
from tmuxprim._cli._advice import in_our_words
from tmuxprim._cli._answer import Answer
from tmuxprim._cli._check import Check, State, describe
from tmuxprim._cli._evidence import check_remote, check_trial, try_out
from tmuxprim._cli._options import Options
from tmuxprim._cli._site import Site
from tmuxprim._cli._status import Status
from tmuxprim._cli._surroundings import check_inside, check_locale
from tmuxprim._errors import TmuxprimError
from tmuxprim._tmux._format import parse_version

_OLDEST: Final = (3, 0)


def doctor(options: Options, site: Site) -> Answer:
    """Look at everything, and say what to do."""
    checks = list(_checks(options, site))
    states = {check.state for check in checks}
    if State.BAD in states:
        status, said = Status.NO_TMUX, "it does not work; what to do is said behind ->"
    elif State.NOTE in states:
        status, said = Status.READY, "it works; what would make it better is said behind ->"
    else:
        status, said = Status.READY, "all is well"
    facts = {"well": status is Status.READY, "checks": [check.facts for check in checks]}
    return Answer(facts, describe(checks), said, status)


def _checks(options: Options, site: Site) -> Iterator[Check]:
    version = f"{__version__} with Python {platform.python_version()} on {sys.platform}"
    yield Check("tmuxprim", State.OK, version)
    yield check_locale(os.environ)
    inside = check_inside(os.environ, options)
    if inside is not None:
        yield inside
    try:
        yield from _checks_of_tmux(options, site)
    except TmuxprimError as error:
        advice = in_our_words(str(error)).replace("\n", " ")
        yield Check("tmux", State.BAD, "does not work", advice)


def _checks_of_tmux(options: Options, site: Site) -> Iterator[Check]:
    version = site.ask("-V").strip()
    where = shutil.which("tmux") if site.is_local else " ".join(options.launcher)
    if parse_version(version) < _OLDEST:
        found = f"{version} ({where}), which is too old"
        yield Check("tmux", State.BAD, found, "install tmux 3.0 or later")
        return
    yield Check("tmux", State.OK, f"{version} ({where})")
    count = len(site.terminal.panes())
    panes = f"panes: {count}" if count else "no panes; 'tmuxprim open' starts a server"
    yield Check("server", State.OK, panes)
    yield Check("transport", State.OK, getattr(site.terminal, "transport", "in memory"))
    if not site.is_local:
        yield check_remote()
        return
    with site.trial() as terminal:
        yield from check_trial(try_out(terminal))
