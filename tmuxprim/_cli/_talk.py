"""The commands that talk to a pane: send, keys, wait, run.

Each is a process of its own, so none knows of a mark that an earlier one has taken. A command
that sends and waits has its own.
"""

import shlex
from collections.abc import Callable
from typing import Final

from tmuxprim._cli._answer import Answer, as_lines
from tmuxprim._cli._input import read_text
from tmuxprim._cli._options import Options
from tmuxprim._cli._outcome import facts_of, status_of, summary
from tmuxprim._cli._site import Site
from tmuxprim._cli._status import Status
from tmuxprim._console import Console
from tmuxprim._conversation import Conversation
from tmuxprim._errors import InvalidKeyError, PaneBusyError
from tmuxprim._pane import Pane
from tmuxprim._plan import drive
from tmuxprim._readiness._default import default_chain
from tmuxprim._readiness._match import MatchStrategy
from tmuxprim._readiness._strategy import ReadinessStrategy
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._refusals import NOTHING
from tmuxprim._sequence import KeySequence

_WAIT: Final = 10.0
_RUN: Final = 30.0
_NEWLINES: Final[dict[str, Callable[[str], KeySequence]]] = {
    "lf": KeySequence.text,
    "enter": KeySequence.lines,
    "paste": KeySequence.paste,
}


def send(options: Options, site: Site) -> Answer:
    """Type a text and, unless told otherwise, press Enter."""
    console = _console(options, site)
    text = _NEWLINES[options.newlines](read_text(options))
    if options.enter:
        # Without Enter a line may be put together: no earlier process has told what it typed.
        talk = Conversation(console.pane, _strategy(options))
        drive(talk.refuse_half_line(), site.terminal)
    console.send(text, enter=options.enter)
    return _after_sending(console, options)


def keys(options: Options, site: Site) -> Answer:
    """Press keys."""
    console = _console(options, site)
    pressed = KeySequence.parse(" ".join(options.keys))
    if not (pressed or options.leave_mode):
        raise InvalidKeyError(f"nothing was sent: no key is named, got {shlex.join(options.keys)}")
    console.keys(pressed)
    return _after_sending(console, options)


def wait(options: Options, site: Site) -> Answer:
    """Wait until the pane is ready, and print its screen."""
    return _wait(_console(options, site), options)


def run(options: Options, site: Site) -> Answer:
    """Run a command and print exactly what it printed."""
    console = _console(options, site)
    command = read_text(options)
    timeout = _RUN if options.timeout is None else options.timeout
    if options.leave_mode:
        console.keys()  # none: it only leaves the mode
    readiness = console.wait_ready(timeout)
    if readiness.outcome is Outcome.STABLE:  # where nobody knows who reads
        line = readiness.screen.line_before_cursor
        raise PaneBusyError(
            f"{NOTHING}: {line!r} is not known to be a shell's prompt; if it is, --pattern says "
            "so, and if it is a question, 'tmuxprim send' answers it"
        )
    result = console.run(command, max(timeout - readiness.elapsed, 0.0))
    status = status_of(result.readiness)
    if status is Status.READY and not result.complete:
        status = Status.UNFINISHED
    return Answer(
        {
            "pane": str(console.pane),
            "output": result.output,
            "complete": result.complete,
            "doubt": result.doubt,
            **facts_of(result.readiness),
        },
        result.output,
        f"{summary(result.readiness)}; not exactly the output: {result.doubt}" if status else "",
        status,
    )


def _console(options: Options, site: Site) -> Console:
    """Return a console on the pane; what makes no sense is refused before anything is sent."""
    chain = _strategy(options)
    if options.awaited is not None:
        MatchStrategy(options.awaited)
    pane = Pane(options.pane)
    return Console(
        site.terminal,
        pane,
        strategy=chain,
        leave_mode=options.leave_mode,
        prompt_rows=options.prompt_rows,
    )


def _strategy(options: Options) -> ReadinessStrategy | None:
    return None if options.pattern is None else default_chain(options.pattern)


def _after_sending(console: Console, options: Options) -> Answer:
    return _wait(console, options) if options.waits else Answer({"pane": str(console.pane)})


def _wait(console: Console, options: Options) -> Answer:
    timeout = _WAIT if options.timeout is None else options.timeout
    if options.awaited is None:
        readiness = console.wait_ready(timeout)
    else:
        readiness = console.wait_for(options.awaited, timeout)
    return Answer(
        {"pane": str(console.pane), **facts_of(readiness)},
        as_lines(readiness.screen.text),
        summary(readiness),
        status_of(readiness),
    )
