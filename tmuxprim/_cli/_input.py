"""The text that a command types: from the command line, or from standard input.

What comes from standard input may be a password. It is never printed: not in an answer, not in
an error, and not on the terminal that it is typed on.
"""

import getpass
import sys
from typing import Final

from tmuxprim._cli._options import Options

_QUESTION: Final = "text to type (it is not shown): "


class NoTextError(Exception):
    """There is no text to type; the message says why, and holds nothing of standard input."""


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
        raise NoTextError("nothing was sent: standard input is closed")
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
    except EOFError:
        raise NoTextError("nothing was sent: no text was given") from None
