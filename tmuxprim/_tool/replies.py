"""The replies of the tool."""

from collections.abc import Sequence
from typing import Final

import attrs

from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.output import CommandResult
from tmuxprim._engine.receipt_watch import Submitted
from tmuxprim._readiness.box import describe_typed
from tmuxprim._readiness.chain import QUIET
from tmuxprim._readiness.instead import InsteadStrategy
from tmuxprim._readiness.silence import KnownProgramStrategy, TitleStrategy
from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim._readiness.words import SECRET
from tmuxprim._values.evidence import Mark
from tmuxprim._values.keys import Key, KeySequence, key_named
from tmuxprim._values.new_text import NewText
from tmuxprim._values.pane import PaneInfo
from tmuxprim._values.receipt import Receipt
from tmuxprim._values.screen import Screen
from tmuxprim._values.short_repr import cut_repr
from tmuxprim.errors import Advice, TmuxCommandError, TmuxprimError, TmuxTimeoutError

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

ADVICE: Final = {
    Advice.LIST_PANES: "leave 'pane' out, or call again to see all panes",
    Advice.OPEN_PANE: "leave 'pane' out for the shared one, which is started then",
    Advice.OPEN_ANOTHER: "work in another pane, or ask the user to close this one",
    Advice.LEAVE_MODE: "a person may be reading there: try again later, or ask the user to leave "
    "it with q",
    Advice.CLEAR_LINE: "press C-e and C-u with 'keys' to take it away",
    Advice.END_SEARCH: "press C-c with 'keys' to end it",
    Advice.ANSWER: "answer it with 'send'",
    Advice.ANSWER_UNLESS_PROMPT: "answer it with 'send'",
    Advice.FINISH_COMMAND: "type it with 'send', or press C-c with 'keys' to give it up",
    Advice.TYPE_AS_TEXT: "to type it as text, use 'send'",
    Advice.USE_FAKE: "",
    Advice.TAKE_IT: "give another name",
    Advice.GIVE_NAME: "",
    Advice.READ_SCREEN: "'read' returns the screen",
    Advice.PASTE: "type it with 'send'",
    Advice.ESCAPE: "put '\\' before a character that is meant as it is",
    Advice.INSTALL_THERE: "ask the user to install tmux on the other side",
}
"""Suggested ways out of an error, worded for a model."""


def clip(message: str) -> str:
    """Return a message, cut if it is long."""
    return message if len(message) <= _LONGEST_QUOTE else f"{message[:_LONGEST_QUOTE]}..."


def quote(text: str) -> str:
    """Return a text as it is quoted in a message, cut if it is long."""
    if len(text) <= _LONGEST_QUOTE:
        return repr(text)
    return f"{text[:_LONGEST_QUOTE]!r}... ({len(text):,} characters)"


def kind(value: object) -> str:
    """Return the type of a JSON value; its contents may be a secret."""
    foreign = f"a value of type {type(value).__name__}"
    return next((name for types, name in _KINDS if isinstance(value, types)), foreign)


def show(value: object) -> str:
    """Return a value as it is quoted in a message, or its type if that would be long."""
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
    shown = shown.partition("\n")[2] or shown  # the first row is mostly half a row
    missing = len(text) - len(shown)
    return f"(cut: {missing:,} characters above are not shown)\n{shown}"


def explain(error: TmuxprimError) -> str:
    """Return the error without the command, which holds the typed text.

    The message of `TmuxTimeoutError` is left out as a whole, for the same reason.
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
            return error.in_words(ADVICE)


NOTHING: Final = "Nothing was sent."
_HIDDEN: Final = "(hidden)"
_ENTER: Final = "Enter"


@attrs.frozen
class ToolResponse:
    """The reply to a call of the tool.

    Args:
        message: The text for the model.
        break_loop: Whether the agent has to stop; always False.
        is_error: Whether the call could not be carried out, for the APIs of Anthropic and MCP.

    Examples:
        >>> TmuxTool(FakeTerminal()).execute(action="sent", text="ls").message
        "error: there is no action 'sent' (did you mean 'send'?); ... Nothing was sent."
    """

    message: str = attrs.field(repr=cut_repr)
    break_loop: bool = False
    is_error: bool = False


def refusal(message: str) -> ToolResponse:
    """Return the reply to a call that was not carried out."""
    end = "" if message.endswith((".", "?")) else "."
    return ToolResponse(f"error: {message}{end} {NOTHING}", is_error=True)


def awaits_secret(plans: ConsolePlans) -> bool:
    """Whether the last wait found a program that asks for a secret, and nothing was sent since."""
    return plans.state.ready is not None and plans.state.ready.outcome is Outcome.AWAITING_SECRET


def tell_text(text: str, mark: Mark, *, enter: bool, hides: bool) -> str:
    """Return the reply to a text that was typed."""
    hides = hides or _is_unseen(mark, text)
    parts = [_HIDDEN if hides else quote(text)] if text else []
    told = f"Sent: {' + '.join([*parts, *([_ENTER] if enter else [])])}"
    named = [] if hides else [key_named(word) for word in text.split()]
    if named and all(named):
        told += f" (as text; to press {' '.join(map(str, named))}, call 'keys')"
    return told


def tell_receipt(submitted: Submitted) -> str:
    """Return why a submitted text was not taken, and what to do; empty if it was taken."""
    front = submitted.front
    match submitted.receipt:
        case Receipt.DELIVERED:
            return ""
        case Receipt.QUEUED:
            return f"; {front.name} works: this waits in its queue"
        case Receipt.IN_BOX if front.assistant is not None:
            return f"; {describe_typed(front.name, '')}"
        case Receipt.IN_BOX:
            return f"; it is still at the prompt of {front.name}: Enter runs it, C-u deletes it"
        case Receipt.UNREAD:
            return f"; typed ahead: {front.name} has not read it yet, do not send it again"
        case _:
            return "; whether it was taken cannot be determined: look before you send it again"


def tell_keys(keys: KeySequence, mark: Mark, *, hides: bool) -> str:
    """Return the reply to keys that were pressed; of a secret, those that type nothing."""
    types = any(isinstance(key, Key) and len(key.name) == 1 for key in keys)
    hides = types and (hides or _is_unseen(mark, ""))
    return f"Sent: {_HIDDEN if hides else clip(str(keys))}"


def _is_unseen(mark: Mark, text: str) -> bool:
    """Whether a program that asks for a secret has the text, even if that is found out later."""
    if mark.tty is not None and mark.tty.hides_input:
        return True
    line = mark.screen.line_before_cursor
    is_shown = bool(text) and line.endswith(text)  # such as the command `echo password:`
    return SECRET.search(line) is not None and not is_shown


@attrs.frozen
class Wording:
    """The wording of an outcome: the first line of a reply, what it means, and what to do."""

    head: str
    meaning: str
    advice: str

    def first_line(self, action: str = "wait_ready", timeout: float = 10.0) -> str:
        """Return the first line of the reply to a wait of so many seconds."""
        return self.head.format(action=action, timeout=timeout)


DONE: Final = "done"
"""The first line of the reply to a command that has ended, if below it is all of its output."""
GONE: Final = "the pane is gone"
UNSURE: Final = ", but this may not be exactly the output: {doubt}"

WORDINGS: Final = {
    Outcome.PROMPT: Wording(
        "ready (prompt matched)",
        "a shell, a REPL or an assistant is at its prompt",
        "send the next command",
    ),
    Outcome.CONTINUATION: Wording(
        "waiting for the rest of the command",
        "an open quote, heredoc or block",
        "send the rest (an empty text ends a block of Python), or press `C-c`",
    ),
    Outcome.AWAITING_INPUT: Wording(
        "waiting for input",
        "a program asks something",
        "answer a question with `send`, a menu with `keys`",
    ),
    Outcome.AWAITING_SECRET: Wording(
        "waiting for a secret",
        "a password is read",
        "send it if you have it; else tell the user how to join the pane, and `ask_person`",
    ),
    Outcome.FULLSCREEN: Wording(
        "ready (full-screen program)",
        "an editor, a pager or the like",
        "press keys, or send a text; `q`, `Escape` or `C-c` often leaves it",
    ),
    Outcome.STABLE: Wording(
        "ready (stable)",
        "a guess, since nothing changes any more",
        "wait again if the program still works",
    ),
    Outcome.MATCHED: Wording(
        "ready (matched)",
        "the text is there",
        "call `wait_ready` before you type",
    ),
    Outcome.EXITED: Wording(
        "exited",
        "the program has ended, or the pane is gone",
        "do not type into it any more",
    ),
    Outcome.TIMEOUT: Wording(
        "{action} timed out after {timeout:g}s",
        "it says why",
        "if the program works, wait again, or `interrupt`",
    ),
}


def tell(readiness: Readiness, timeout: float, action: str = "wait_ready") -> str:
    """Return the reply to a wait of so many seconds."""
    return f"{_first_line(readiness, action, timeout)}\n{cut(readiness.screen.text)}"


def tell_found(text: str, readiness: Readiness, timeout: float, *, gone: bool) -> str:
    """Return the reply to a wait for a text, which says nothing of whether the pane is ready."""
    if readiness.outcome is not Outcome.MATCHED:
        return tell(readiness, timeout, "wait_for")
    return f"{'gone:' if gone else 'found'} {quote(text)}\n{cut(readiness.screen.text)}"


_ABOVE: Final = "PPage shows what scrolled off, and NPage goes back"


def tell_screen(text: str, screen: Screen) -> str:
    """Return the reply to a snapshot of a pane that says nothing else."""
    hint = f"(the program has the whole screen: {_ABOVE})\n" if screen.alternate else ""
    return f"{hint}{cut(text)}"


def tell_read(text: str, mark: Mark, new: NewText | None) -> str:
    """Return the reply to a snapshot of a pane; *new* is None if it is the first."""
    screen, news = mark.screen, "this is your first read"
    if new is not None:
        about = "" if new.complete else "about "
        news = f"{about}{len(new.splitlines())} lines are new since your last read"
    row, column = screen.cursor.row + 1, screen.cursor.column + 1
    command = mark.command or "no program"
    head = f"[{command}; cursor in row {row} of {screen.size.rows}, column {column}; {news}]"
    if new is not None and not text:
        return f"{head}\n(nothing new)"
    return f"{head}\n{tell_screen(text, screen)}"


def tell_panes(panes: Sequence[PaneInfo]) -> ToolResponse:
    """Return the reply to a question for the panes."""
    lines = (
        f"{pane} {pane.name} {pane.size} {'(ended)' if pane.dead else pane.command} {pane.title}"
        for pane in panes
    )
    told = "\n".join(line.rstrip() for line in lines)
    return ToolResponse(shorten(told) or "There are no panes.")


def tell_run(result: CommandResult, timeout: float, action: str) -> str:
    """Return the reply to a command that may take so many seconds; its output as it is."""
    head = _first_line(result.readiness, action, timeout)
    if result.complete:
        head = DONE
    elif result.readiness.outcome is Outcome.PROMPT:
        head += UNSURE.format(doubt=result.doubt)
    if result.exit_status is not None:
        head += f"; exit status {result.exit_status}"
    return f"{head}\n{shorten(result.output)}" if result.output else f"{head}, without output"


def _first_line(readiness: Readiness, action: str, timeout: float) -> str:
    line = WORDINGS[readiness.outcome].first_line(action, timeout)
    if readiness.outcome is Outcome.TIMEOUT and readiness.reason.startswith(QUIET):
        return f"{action} gave up: {readiness.reason.partition(';')[0]}"
    reason = _reason_for_model(readiness)
    return f"{line}: {reason}" if reason else line


def _reason_for_model(readiness: Readiness) -> str:
    """Return the reason of an outcome, as far as neither the outcome nor the screen shows it."""
    reason = readiness.reason
    if readiness.outcome is Outcome.EXITED:
        was_seen = readiness.screen.dead or readiness.verdicts
        return reason if was_seen else GONE
    if readiness.outcome is Outcome.TIMEOUT:
        return reason.partition("; ")[2]
    if readiness.strategy not in _TELL_MORE and not readiness.is_guess:
        is_asked = readiness.outcome is Outcome.AWAITING_INPUT
        return _SINGLE_KEYS if is_asked and readiness.snapshot.facts.reads_single_keys else ""
    is_above = readiness.outcome is Outcome.PROMPT and readiness.screen.alternate
    return f"{reason}; {_ABOVE}" if is_above else reason


_SINGLE_KEYS: Final = "it reads single keys, without Enter"
# Their reasons say what neither the outcome nor the screen does.
_TELL_MORE: Final = frozenset(
    strategy.__name__ for strategy in (KnownProgramStrategy, TitleStrategy, InsteadStrategy)
)
