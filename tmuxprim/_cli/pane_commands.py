"""The commands that talk to a pane, and how each is carried out."""

import getpass
import json
import shlex
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from importlib import import_module
from typing import Final

import attrs

from tmuxprim._cli.grammar import COMMANDS
from tmuxprim._cli.mark_files import mark_file, read_mark
from tmuxprim._cli.options import RUN_SECONDS, WAIT_SECONDS, Options
from tmuxprim._cli.parser import make_parser
from tmuxprim._cli.progress_line import shown_while_waiting
from tmuxprim._cli.report import (
    ADVICE,
    Report,
    as_lines,
    facts_of,
    say,
    summary,
)
from tmuxprim._cli.site import Site
from tmuxprim._cli.status import Status, status_for, status_of, status_of_error
from tmuxprim._console import Console
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.output import CommandResult
from tmuxprim._engine.plan import begin, clock_time, drive
from tmuxprim._engine.prompts import Prompts
from tmuxprim._engine.run import status_line
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.prompt import MatchStrategy
from tmuxprim._readiness.snapshot import Outcome
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import Mark
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim.errors import (
    InvalidKeyError,
    InvalidPaneError,
    InvalidPatternError,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
    TmuxTimeoutError,
)

_QUESTION: Final = "text to type (it is not shown): "


class NoTextError(Exception):
    """There is no text to type; the message says why, and holds nothing of standard input."""

    def __init__(self, why: str, status: Status = Status.BAD_USE) -> None:
        super().__init__(why)
        self.status = status


def read_text(options: Options) -> str:
    """Return the text that is to be typed.

    Of standard input the last line break is left away: echo and here-documents add it.

    Raises:
        NoTextError: If standard input is not UTF-8, or there is none, or the text is empty and
            nothing else is to be done.
    """
    text = _from_stdin() if options.reads_stdin else options.text
    if not (text or options.enter or options.leave_mode):
        raise NoTextError("nothing was sent: an empty text with --no-enter is nothing to send")
    return text


def _from_stdin() -> str:
    if sys.stdin is None:
        raise NoTextError("nothing was sent: standard input is closed; give the text as a word")
    if sys.stdin.isatty():
        return _ask()
    try:
        text = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        # Its message would hold what was read.
        place = error.start
        message = f"nothing was sent: standard input is not UTF-8, from its byte {place} on"
        raise NoTextError(message) from None
    return text.removesuffix("\n").removesuffix("\r")


def _ask() -> str:
    try:
        return getpass.getpass(_QUESTION)
    except (EOFError, KeyboardInterrupt) as end:
        say("")  # the question has no line break
        status = Status.BAD_USE if isinstance(end, EOFError) else Status.INTERRUPTED
        raise NoTextError("nothing was sent: no text was given", status) from None


_NEWLINES: Final[dict[str, Callable[[str], KeySequence]]] = {
    "lf": KeySequence.text,
    "enter": KeySequence.lines,
    "paste": KeySequence.paste,
}

# A call of tmux that was not answered may have been carried out.
_MAY_HAVE_BEEN_SENT: Final = (TmuxServerError, TmuxTimeoutError)
_NOT_ASKED: Final = (
    "the exit status is not known: no shell that can be asked for it is in front; --no-status "
    "leaves this note out"
)
# ksh tells of a signal in a number above what an exit status can be.
_HIGHEST: Final = 255


def send(options: Options, site: Site) -> Report:
    """Type a text and, unless told otherwise, press Enter."""
    console = _console(options, site)
    text = _NEWLINES[options.newlines](read_text(options))
    if options.enter:
        # Without Enter, several commands may put a line together: half a line is no obstacle.
        plans = ConsolePlans(ConsoleState(console.pane, strategy_of(options)))
        drive(plans.check_before_typing(submits=bool(text)), site.terminal)
    with mark_file(options) as keep:
        told = keep(console.send(text, enter=options.enter))
    return _after_sending(console, options, told)


def keys(options: Options, site: Site) -> Report:
    """Press keys."""
    console = _console(options, site)
    pressed = KeySequence.parse(" ".join(options.keys))
    if not (pressed or options.leave_mode):
        raise InvalidKeyError(f"nothing was sent: no key is named, got {shlex.join(options.keys)}")
    with mark_file(options) as keep:
        told = keep(console.keys(pressed))
    return _after_sending(console, options, told)


def wait(options: Options, site: Site) -> Report:
    """Wait until the pane is ready, and print its screen; or until one of several panes is."""
    if options.is_any:
        from tmuxprim._cli.state_commands import wait_any  # few do

        return wait_any(options, site)
    if options.panes:
        raise InvalidPaneError("wait takes one pane; give --any to wait for one of several")
    since = None if options.since is None else read_mark(options.since)
    return _wait(_console(options, site), options, since)


def read_since(name: str, options: Options, site: Site) -> Report:
    """Print what is new since a mark in a file; whether that is all is said on stderr."""
    console = _console(options, site)
    new = console.read(since=read_mark(name))
    note = "" if new.complete else "this may not be exactly the new text"
    facts = {"pane": str(console.pane), "text": str(new), "complete": new.complete}
    return Report(facts, as_lines(new), note)


def run(options: Options, site: Site) -> Report:
    """Run a command, print exactly what it printed, and end with its exit status."""
    state = ConsoleState(
        Pane(options.pane), strategy_of(options), options.leave_mode, Prompts(options.prompt_rows)
    )
    plans = ConsolePlans(state)
    command = read_text(options)
    timeout = RUN_SECONDS if options.timeout is None else options.timeout
    deadline = begin(timeout, drive(clock_time(), site.terminal))
    if options.leave_mode:
        drive(plans.keys(()), site.terminal)  # no keys: this only leaves the mode
    readiness = drive(plans.wait_ready(deadline), site.terminal)
    if readiness.outcome is Outcome.STABLE:  # without the kernel's evidence
        line = readiness.screen.line_before_cursor
        raise PaneBusyError(
            f"{NOTHING}: {line!r} is not known to be a shell's prompt; if it is one, describe it "
            "with --pattern; if it is a question, answer it with 'tmuxprim send'"
        )
    asks_status = options.asks_status and bool(status_line(readiness))
    plan = plans.run(
        command,
        deadline,
        exit_status=asks_status,
        idle_timeout=options.idle_timeout,
        all_output=options.all_output,
    )
    try:
        result = drive(plan, site.terminal)
    except TmuxprimError as error:
        if state.mark is None and not isinstance(error, _MAY_HAVE_BEEN_SENT):
            raise
        return _explain(error, options, Status.UNFINISHED)
    status, note = _how_it_ran(result, options, asks_status=asks_status)
    return Report(
        {
            "pane": str(state.pane),
            "output": result.output,
            "complete": result.complete,
            "doubt": result.doubt,
            "exit_status": result.exit_status,
            **facts_of(result.readiness),
        },
        result.output,
        note,
        status,
    )


def _how_it_ran(result: CommandResult, options: Options, *, asks_status: bool) -> tuple[int, str]:
    """Return the exit status of `run`, and what is said on stderr."""
    notes = []
    if not result.complete:
        notes += [summary(result.readiness), f"not exactly the output: {result.doubt}"]
    if result.exit_status is not None:
        return min(result.exit_status, _HIGHEST), "; ".join(notes)
    status = Status.READY if result.complete else Status.UNFINISHED
    if result.readiness.outcome is Outcome.TIMEOUT:
        status = Status.TIMED_OUT
    elif result.has_ended and asks_status:
        status = Status.UNFINISHED
        notes.append("the shell did not report the exit status of the command")
    elif result.has_ended and options.asks_status:
        notes.append(_NOT_ASKED)
    return status, "; ".join(notes)


def _console(options: Options, site: Site) -> Console:
    """Return a console on the pane; what makes no sense is refused before anything is sent."""
    chain = strategy_of(options)
    for text in (options.awaited, options.gone):
        if text is not None:
            MatchStrategy(text)
    return Console(site.terminal, Pane(options.pane), strategy=chain, leave_mode=options.leave_mode)


def strategy_of(options: Options) -> ReadinessStrategy | None:
    """Return what decides whether a pane is ready; None is the default chain."""
    if options.pattern is None and not options.known:
        return None
    return default_chain(options.pattern, programs=options.known)


def _after_sending(console: Console, options: Options, told: Mapping[str, object]) -> Report:
    """Report what was sent, and its mark if that is to be printed."""
    if options.waits:
        waited = _wait(console, options)
        return attrs.evolve(waited, facts={**waited.facts, **told})
    text = f"{json.dumps(told['mark'])}\n" if told else ""
    return Report({"pane": str(console.pane), **told}, text)


def _wait(console: Console, options: Options, since: Mark | None = None) -> Report:
    timeout = WAIT_SECONDS if options.timeout is None else options.timeout
    awaited = options.gone or options.awaited
    if awaited is None:
        readiness = console.wait_ready(timeout, since=since)
    else:
        readiness = console.wait_for(awaited, timeout, since=since, gone=options.gone is not None)
    return Report(
        {"pane": str(console.pane), **facts_of(readiness)},
        as_lines(readiness.screen.text),
        summary(readiness),
        status_of(readiness),
    )


# Their messages never hold the text that was to be typed.
_TELL_NO_TEXT: Final = (
    *(InvalidPaneError, InvalidPatternError, PaneBusyError, PaneDeadError, PaneNotFoundError),
    *(TmuxNotFoundError, TmuxServerError),
)


def carry_out(options: Options, site: Site) -> int:
    """Carry out the command that *options* name, print its answer, and return the exit status."""
    waits = options.has_timeout
    shown = shown_while_waiting() if waits else nullcontext()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        try:
            with shown:
                answer = _function(options.command)(options, site)
        except KeyboardInterrupt:
            if waits:
                say(_interrupted(options))
            raise
        except TmuxprimError as error:
            answer = _explain(error, options, status_of_error(error))
        except NoTextError as error:
            answer = _told(error, options, str(error), error.status)
        except Exception as error:  # noqa: BLE001  # a person gets a line, and no traceback
            said = f"{type(error).__name__}: {error}"
            said = _without_text(error) if options.reads_stdin else said
            message = f"internal error, please report it with the output of --debug: {said}"
            answer = _told(error, options, message, Status.BUG)
        finally:
            site.close()
    for warning in caught:
        say(f"tmuxprim: {warning.message}")
    answer.print(as_json=options.json)
    return answer.status


def _interrupted(options: Options) -> str:
    """Say that only the wait has ended, and what ends the rest."""
    end, wait = (
        options.call(*words) for words in (("keys", options.pane, "C-c"), ("wait", options.pane))
    )
    return (
        f"tmuxprim: no longer waiting; the program in {options.pane!r} goes on: {end!r} interrupts "
        f"it, {wait!r} waits for it"
    )


def _function(command: str) -> Callable[[Options, Site], Report]:
    """Return what carries a command out; no module is imported that it does not need."""
    module, _, name = COMMANDS[command].function.rpartition(".")
    function: Callable[[Options, Site], Report] = getattr(
        import_module(f"tmuxprim._cli.{module}"), name
    )
    return function


def tool_schema(options: Options, _: Site) -> Report:
    """Print the schema of the tool for language models."""
    from tmuxprim import tool

    schema = tool.tool_schema(options.form)
    return Report({"schema": schema}, json.dumps(schema, indent=2) + "\n")


_SESSIONS: Final = "tmux list-sessions -F '#S' 2>/dev/null"


def completion(options: Options, _: Site) -> Report:
    """Print a completion script for a shell."""
    try:
        import shtab
    except ImportError:
        note = 'tmuxprim: this needs the package shtab: pip install "tmuxprim[completion]"'
        return Report(note=note, status=Status.BAD_USE)
    parser = make_parser()
    for pane in parser.panes():
        # zsh would ask once, when it reads the script.
        names = {**shtab.cmd(_SESSIONS), "zsh": f"(\\$({_SESSIONS}))"}
        pane.complete = names  # type: ignore[attr-defined]  # where shtab looks
    text = shtab.complete(parser, options.shell)
    return Report({"completion": text}, f"{text}\n")


def _explain(error: TmuxprimError, options: Options, status: Status) -> Report:
    """Say what is wrong and what to do."""
    message = error.in_words(ADVICE)
    if options.reads_stdin and not isinstance(error, _TELL_NO_TEXT):
        message = _without_text(error)
    return _told(error, options, message, status)


def _without_text(error: Exception) -> str:
    name = type(error).__name__
    return f"{name}, details withheld: they may hold the text of standard input"


def _told(error: Exception, options: Options, message: str, status: Status) -> Report:
    if sys.stderr is None:
        pass  # a traceback would be printed on stdout
    elif options.debug and options.reads_stdin:
        traceback.print_tb(error.__traceback__)  # the places alone, without messages
    elif options.debug:
        traceback.print_exception(error)
    say(f"tmuxprim: {message}")
    return Report(
        {"error": type(error).__name__, "message": message},
        status=status_for(options.command, status),
    )
