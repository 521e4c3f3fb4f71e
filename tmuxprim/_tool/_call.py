"""`Call`: what a model asks for, checked; `ACTIONS`: what it can ask for."""

import difflib
import json
import re
from collections.abc import Mapping
from typing import Final

import attrs

from tmuxprim._pane import Pane
from tmuxprim._sequence import KeySequence
from tmuxprim._tool._read import (
    MisuseError,
    read_enter,
    read_keys,
    read_lines,
    read_pane,
    read_pattern,
    read_text,
    read_timeout,
)
from tmuxprim._tool._words import kind, quote, show

SHARED: Final = "shared"


@attrs.frozen(kw_only=True)
class Call:
    """Is one call of the tool; the defaults here are the ones that a model is told of.

    Args:
        action: What to do.
        text: What `send` types.
        enter: Whether `send` presses Enter after it.
        keys: What `keys` presses.
        pane: Where.
        lines: How many rows of the history `read` adds.
        timeout: How long `wait_ready` waits, in seconds.
        prompt_pattern: The prompt that `wait_ready` waits for.
    """

    action: str
    text: str = attrs.field(default="", converter=read_text)
    enter: bool = attrs.field(default=True, converter=read_enter)
    keys: KeySequence = attrs.field(default=KeySequence(()), converter=read_keys)
    pane: Pane = attrs.field(default=Pane(SHARED), converter=read_pane)
    lines: int = attrs.field(default=100, converter=read_lines)
    timeout: float = attrs.field(default=10, converter=read_timeout)
    prompt_pattern: re.Pattern[str] | None = attrs.field(default=None, converter=read_pattern)


@attrs.frozen
class Action:
    """Is something that the tool can do.

    Args:
        does: What that is, in words for a model.
        needs: Arguments without which it makes no sense.
        takes: Arguments that have a default.
        example: A call that is right.
    """

    does: str
    needs: tuple[str, ...]
    takes: tuple[str, ...]
    example: Mapping[str, object]

    @property
    def arguments(self) -> tuple[str, ...]:
        """All that it can be given."""
        return self.needs + self.takes


ACTIONS: Final = {
    "send": Action(
        "type a text exactly as it is, then press Enter",
        needs=("text",),
        takes=("enter", "pane"),
        example={"action": "send", "text": "ls -la"},
    ),
    "keys": Action(
        "press special keys by name, without Enter after them",
        needs=("keys",),
        takes=("pane",),
        example={"action": "keys", "keys": ["C-c"]},
    ),
    "read": Action(
        "return the screen, and rows that scrolled off it, as plain text",
        needs=(),
        takes=("lines", "pane"),
        example={"action": "read", "lines": 200},
    ),
    "wait_ready": Action(
        "wait until the pane can take input, and return why it can, and the screen",
        needs=(),
        takes=("timeout", "prompt_pattern", "pane"),
        example={"action": "wait_ready", "timeout": 60},
    ),
}
ARGUMENTS: Final = tuple(field.name for field in attrs.fields(Call) if field.name != "action")

# What models write for an action or an argument, and no spelling checker would guess.
_ALIASES: Final = {
    **dict.fromkeys(("type", "write", "input", "run", "execute", "exec", "send_text"), "send"),
    **dict.fromkeys(("press", "key", "send_keys", "sendkeys", "hotkey"), "keys"),
    **dict.fromkeys(("capture", "screen", "look", "show", "observe", "get"), "read"),
    **dict.fromkeys(("wait", "ready", "wait_for", "sleep"), "wait_ready"),
}
_ARGUMENT_ALIASES: Final = {
    **dict.fromkeys(("command", "cmd", "input", "content", "string", "code"), "text"),
    **dict.fromkeys(("session", "target", "window", "terminal", "name", "id"), "pane"),
    **dict.fromkeys(("key", "names"), "keys"),
    **dict.fromkeys(("seconds", "max_wait", "wait"), "timeout"),
    **dict.fromkeys(("prompt", "pattern", "regex"), "prompt_pattern"),
    **dict.fromkeys(("limit", "rows", "count", "history"), "lines"),
    **dict.fromkeys(("submit", "newline", "press_enter"), "enter"),
}
_MOST_NAMES: Final = 5
_LONGEST_NAME: Final = 40


def parse_call(arguments: object) -> Call:
    """Return the call that a model's arguments stand for.

    Args:
        arguments: A JSON object, or one in a string.

    Raises:
        MisuseError: If they stand for none.
    """
    given = _object_in(arguments)
    name, action = _action_in(given)
    _refuse_unknown(given, name, action)
    blank = Call(action=name)
    for other in ARGUMENTS:
        if other not in action.arguments and not _says_nothing(blank, other, given.get(other)):
            raise MisuseError(
                f"the action {name!r} has no argument {other!r}; it takes "
                f"{_enumerate(action.arguments)}; {other!r} belongs to {_enumerate(_takers(other))}"
            )
    # To some models, an argument that is left out is one that is null.
    values = {
        key: given[key] for key in action.arguments if key in given and given[key] is not None
    }
    for needed in action.needs:
        if needed not in values or (needed == "keys" and values[needed] in ("", [])):
            raise MisuseError(f"the action {name!r} needs {needed!r}: {_for_example(action)}")
    call = Call(action=name, **values)
    if name == "send" and not call.text and not call.enter:
        raise MisuseError("an empty 'text' with 'enter' false is nothing to send")
    if name == "keys" and not call.keys:
        raise MisuseError(f"the action 'keys' needs a key: {_for_example(action)}")
    return call


def _object_in(arguments: object) -> Mapping[str, object]:
    if isinstance(arguments, str | bytes):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError) as error:
            # The decoder's message tells where, and not what stands there.
            where = error.msg if isinstance(error, json.JSONDecodeError) else "no JSON that is read"
            raise MisuseError(
                f"the arguments are one JSON object, {_for_example(ACTIONS['send'])}; "
                f"what came cannot be read: {where}"
            ) from None
    if not isinstance(arguments, Mapping):
        raise MisuseError(
            f"the arguments are one JSON object, {_for_example(ACTIONS['send'])}; "
            f"got {kind(arguments)}"
        )
    return arguments


def _action_in(given: Mapping[str, object]) -> tuple[str, Action]:
    name = given.get("action")
    known = _enumerate(tuple(ACTIONS))
    if name is None or name == "":
        raise MisuseError(f"'action' is missing: it is {known}; {_for_example(ACTIONS['send'])}")
    if not isinstance(name, str) or name not in ACTIONS:
        guess = _guess(name, tuple(ACTIONS), _ALIASES)
        raise MisuseError(f"there is no action {show(name)}{guess}; 'action' is {known}")
    return name, ACTIONS[name]


def _refuse_unknown(given: Mapping[str, object], name: str, action: Action) -> None:
    unknown = [key for key in given if key != "action" and key not in ARGUMENTS]
    if not unknown:
        return
    named = [show(key) + _guess(key, ARGUMENTS, _ARGUMENT_ALIASES) for key in unknown[:_MOST_NAMES]]
    more = ", ..." if len(unknown) > _MOST_NAMES else ""
    raise MisuseError(
        f"there is no argument {', '.join(named)}{more}; "
        f"the action {name!r} takes {_enumerate(action.arguments)}"
    )


def _says_nothing(blank: Call, name: str, value: object) -> bool:
    """Whether it is an argument that a model filled in only because it is in the schema."""
    if value is None or value in ("", []):
        return True
    try:
        changed = {name: value}
        return Call(action=blank.action, **changed) == blank
    except MisuseError:
        return False


def _takers(argument: str) -> tuple[str, ...]:
    return tuple(name for name, action in ACTIONS.items() if argument in action.arguments)


def _guess(name: object, known: tuple[str, ...], aliases: Mapping[str, str]) -> str:
    if not isinstance(name, str):
        return ""
    plain = name.strip().lower().replace("-", "_")[:_LONGEST_NAME]
    close = difflib.get_close_matches(plain, known, n=1, cutoff=0.6)
    meant = aliases.get(plain) or (close[0] if close else None)
    return f" (did you mean {meant!r}?)" if meant else ""


def _for_example(action: Action) -> str:
    return f"for example {json.dumps(action.example)}"


def _enumerate(names: tuple[str, ...]) -> str:
    quoted = [quote(name) for name in names]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
