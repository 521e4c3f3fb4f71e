"""How a value, a text and an error are told to a model: short, and never a secret."""

from typing import Final

from tmuxprim._errors import TmuxCommandError, TmuxprimError, TmuxTimeoutError

LONGEST_REPLY: Final = 20_000
"""Characters of a screen in one reply."""
_LONGEST_QUOTE: Final = 200
_LONGEST_NUMBER: Final = 10**15
_KINDS: Final = (
    (type(None), "null"),
    (bool, "a boolean"),
    ((int, float), "a number"),
    (str, "a string"),
    ((list, tuple), "a list"),
    (dict, "an object"),
)

# What the library tells a programmer, and what a model can do instead.
FOR_MODELS: Final = (
    (
        "Terminal.panes() lists the panes there are",
        "leave 'pane' out, or call again to see the panes there are",
    ),
    ("; Terminal.open() starts one", ""),
    (", or use FakeTerminal", ""),
    (
        "find a pane with an odd name in Terminal.panes()",
        "leave 'pane' out for the shared one",
    ),
    ("keys('C-e', 'C-u') takes it away", "press C-e and C-u with 'keys' to take it away"),
    ("; if it is a prompt, a strategy has to say so", ""),
    ("send() answers it", "answer it with 'send'"),
    ("send() types it, keys('C-c') gives it up", "type it with 'send', or press C-c with 'keys'"),
    ("to type it as text, use KeySequence.text", "to type it as text, use 'send'"),
    (
        "give leave_mode=True to leave the mode first",
        "a person may be reading there: try again later, or ask the user to leave it with q",
    ),
    (
        "close the pane and open another",
        "work in another pane, or ask the user to close this one",
    ),
)


def clip(message: str) -> str:
    """Return a message, cut if it is long."""
    return message if len(message) <= _LONGEST_QUOTE else f"{message[:_LONGEST_QUOTE]}..."


def quote(text: str) -> str:
    """Return a text as it is quoted in a message, cut if it is long."""
    if len(text) <= _LONGEST_QUOTE:
        return repr(text)
    return f"{text[:_LONGEST_QUOTE]!r}... ({len(text):,} characters)"


def kind(value: object) -> str:
    """Return what a JSON value is; not what it says, which may be a secret."""
    foreign = f"a value of type {type(value).__name__}"
    return next((name for types, name in _KINDS if isinstance(value, types)), foreign)


def show(value: object) -> str:
    """Return a value as it is quoted in a message, or what it is if that would be long."""
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case int() if abs(value) < _LONGEST_NUMBER:
            return str(value)
        case str():
            return quote(value)
        case _:
            return kind(value)


def cut(screen: str) -> str:
    """Return the end of a screen, where the news is, and say what is missing."""
    return shorten(screen) if screen.strip() else "(pane is empty)"


def shorten(text: str) -> str:
    """Return a text, or its end if it is long, and what is missing."""
    if len(text) <= LONGEST_REPLY:
        return text
    shown = text[-LONGEST_REPLY:]
    shown = shown.partition("\n")[2] or shown  # the first row is in all likelihood half a one
    missing = len(text) - len(shown)
    return f"(cut: {missing:,} characters above are not shown)\n{shown}"


def for_models(message: str) -> str:
    """Return a message of the library with advice that a model can take."""
    for programmers, models in FOR_MODELS:
        message = message.replace(programmers, models)
    return message


def explain(error: TmuxprimError) -> str:
    """Return what went wrong, without the command: that holds what was typed.

    What `TmuxTimeoutError` says is left out as a whole, for the same reason.
    """
    match error:
        case TmuxTimeoutError():
            return (
                "tmux did not answer in time, and may still do all or a part of it when it wakes "
                "up; read the pane before you send anything again"
            )
        case TmuxCommandError():
            return f"tmux refused: {quote(error.stderr.strip())}"
        case _:
            return for_models(str(error))
