"""Carrying out a command: which function it is, and what is said of an error."""

import json
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Final, TypeAlias

from tmuxprim._cli._answer import Answer, say
from tmuxprim._cli._input import NoTextError
from tmuxprim._cli._options import Options
from tmuxprim._cli._site import Site
from tmuxprim._cli._status import Status, in_our_words, status_of_error
from tmuxprim._errors import (
    InvalidPaneError,
    InvalidPatternError,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
)

Command: TypeAlias = Callable[[Options, Site], Answer]

# Their messages never hold the text that was to be typed.
_TELL_NO_TEXT: Final = (
    *(InvalidPaneError, InvalidPatternError, PaneBusyError, PaneDeadError, PaneNotFoundError),
    *(TmuxNotFoundError, TmuxServerError),
)


def carry_out(options: Options, site: Site) -> int:
    """Carry out the command that *options* name, print its answer, and return the exit status."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        try:
            answer = _command(options.command)(options, site)
        except TmuxprimError as error:
            answer = _explain(error, options)
        except NoTextError as error:
            answer = _told(error, options, str(error), Status.BAD_USE)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001  # a person gets a line, and no traceback
            answer = _confess(error, options)
        finally:
            site.close()
    for warning in caught:
        say(f"tmuxprim: {warning.message}")
    answer.print(as_json=options.json)
    return answer.status


def _command(name: str) -> Command:
    """Return the function of a command; nothing is imported but what it needs."""
    if name in ("open", "close", "read", "panes"):
        from tmuxprim._cli import _panes

        return {
            "open": _panes.open_pane,
            "close": _panes.close_pane,
            "read": _panes.read_pane,
            "panes": _panes.list_panes,
        }[name]
    if name == "doctor":
        from tmuxprim._cli import _doctor

        return _doctor.doctor
    if name == "mcp":
        from tmuxprim._cli import _mcp

        return _mcp.serve_client
    if name == "tool-schema":
        return _tool_schema
    if name == "demo":
        return _demo
    from tmuxprim._cli import _talk

    return {
        "send": _talk.send,
        "keys": _talk.keys,
        "wait": _talk.wait,
        "run": _talk.run,
    }[name]


def _tool_schema(options: Options, _: Site) -> Answer:
    from tmuxprim.tool import tool_schema

    schema = tool_schema(options.form)
    return Answer({"schema": schema}, json.dumps(schema, indent=2) + "\n")


def _demo(_: Options, __: Site) -> Answer:
    from tmuxprim import demo

    return Answer(status=demo.main())


def _explain(error: TmuxprimError, options: Options) -> Answer:
    """Say what is wrong and what to do."""
    message = in_our_words(error)
    if options.reads_stdin and not isinstance(error, _TELL_NO_TEXT):
        message = _without_text(error)
    return _told(error, options, message, status_of_error(error))


def _confess(error: Exception, options: Options) -> Answer:
    """Say that it is our fault."""
    message = _without_text(error) if options.reads_stdin else f"{type(error).__name__}: {error}"
    message = f"an error of tmuxprim's own, please report it with what --debug shows: {message}"
    return _told(error, options, message, Status.BUG)


def _without_text(error: Exception) -> str:
    name = type(error).__name__
    return f"{name}, of which no more is said, since it may hold the text of standard input"


def _told(error: Exception, options: Options, message: str, status: Status) -> Answer:
    if sys.stderr is None:
        pass  # a traceback would be printed on stdout
    elif options.debug and options.reads_stdin:
        traceback.print_tb(error.__traceback__)  # the places alone, without messages
    elif options.debug:
        traceback.print_exception(error)
    say(f"tmuxprim: {message}")
    return Answer({"error": type(error).__name__, "message": message}, status=status)
