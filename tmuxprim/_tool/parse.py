"""`parse_call`: the call that a model's arguments stand for, or a message that teaches it."""

import difflib
import json
from collections.abc import Mapping
from typing import Final

from tmuxprim._tool.actions import ONE_TOOL, Action, ToolCall, Toolset
from tmuxprim._tool.arguments import ENTER, TEXT, Argument
from tmuxprim._tool.misuse import MisuseError
from tmuxprim._tool.replies import kind, show

# Other words that models use for an action or an argument. The first that exists is meant.
_ALIASES: Final = {
    **dict.fromkeys(("type", "type_text", "write", "input", "send_text"), ("send",)),
    **dict.fromkeys(("run", "execute", "exec", "bash", "shell", "run_command"), ("run",)),
    **dict.fromkeys(("press", "press_key", "press_keys", "key", "send_keys", "hotkey"), ("keys",)),
    **dict.fromkeys(("capture", "screen", "look", "show", "observe", "get"), ("read",)),
    **dict.fromkeys(("wait", "ready", "sleep"), ("wait_ready",)),
    **dict.fromkeys(("continue", "resume", "wait_on"), ("resume",)),
    **dict.fromkeys(("stop", "cancel", "abort", "kill", "ctrl_c"), ("interrupt",)),
    **dict.fromkeys(("expect", "wait_for_text", "watch"), ("wait_for",)),
    **dict.fromkeys(("new", "create", "start", "new_session", "create_session"), ("open",)),
    **dict.fromkeys(("list", "list_panes", "sessions", "list_sessions", "windows"), ("panes",)),
}
_ARGUMENT_ALIASES: Final = {
    **dict.fromkeys(("command", "cmd", "input", "content", "string", "code"), ("text", "command")),
    **dict.fromkeys(("session", "target", "window", "terminal", "name", "id"), ("pane",)),
    **dict.fromkeys(("key", "names"), ("keys",)),
    **dict.fromkeys(("seconds", "max_wait", "wait"), ("timeout",)),
    **dict.fromkeys(("prompt", "pattern", "regex", "until"), ("prompt_pattern", "text")),
    **dict.fromkeys(("limit", "rows", "count", "history"), ("lines",)),
    **dict.fromkeys(("folder", "directory", "dir", "workdir", "path"), ("cwd",)),
    **dict.fromkeys(("new", "since_last"), ("only_new",)),
    **dict.fromkeys(("submit", "newline", "press_enter"), ("enter",)),
}
_MOST_NAMES: Final = 5
_LONGEST_NAME: Final = 40


def parse_call(arguments: object, toolset: Toolset = ONE_TOOL) -> ToolCall:
    """Return the call that a model means by the arguments of the one tool.

    Args:
        arguments: A JSON object, or one in a string.
        toolset: The actions.

    Raises:
        MisuseError: If they are no valid call.
    """
    given = _object_in(arguments, toolset)
    name = given.get("action")
    if name is None or name == "":
        inner = [key for key, value in given.items() if isinstance(value, Mapping)]
        if inner:
            raise MisuseError(
                f"'action' is missing: give only the object in {show(inner[0])}, with 'action' in "
                f"it; {toolset.example('send')}"
            )
        raise MisuseError(
            f"'action' is missing: it is {_enumerate(tuple(toolset.actions))}; "
            f"{toolset.example('send')}"
        )
    if isinstance(name, str) and (plain := name.strip().lower()) in toolset.actions:
        name = plain
    return parse_named(name, {key: given[key] for key in given if key != "action"}, toolset)


def parse_named(name: object, given: Mapping[str, object], toolset: Toolset) -> ToolCall:
    """Return the call that a model means by the name of an action and its arguments.

    Raises:
        MisuseError: If they are no valid call.
    """
    if not isinstance(name, str) or name not in toolset.actions:
        guess = _guess(name, tuple(toolset.actions), _ALIASES)
        known = _enumerate(tuple(toolset.actions))
        there = f"'action' is {known}" if toolset.noun == "action" else f"there are {known}"
        raise MisuseError(f"there is no {toolset.noun} {show(name)}{guess}; {there}")
    action, this = toolset.actions[name], f"the {toolset.noun} {name!r}"
    _refuse_unknown(given, action, this, toolset)
    _refuse_foreign(given, action, this, toolset)
    # Some models send null for an argument that they leave out.
    values = {key: given[key] for key in action.arguments if given.get(key) is not None}
    _refuse_missing(values, action, this, toolset.example(name))
    call = ToolCall(name, {**toolset.defaults_of(name), **values})
    for argument in action.needs + action.takes:
        _ = call[argument]  # refuses a wrong value
    if name == "send" and not call[TEXT] and not call[ENTER]:
        raise MisuseError("an empty 'text' with 'enter' false is nothing to send")
    return call


def _object_in(arguments: object, toolset: Toolset) -> Mapping[str, object]:
    rule = f"the arguments are one JSON object, {toolset.example('send')}"
    if isinstance(arguments, str | bytes):
        try:
            arguments = json.loads(_without_fence(arguments))
        except (ValueError, RecursionError) as error:
            # The decoder's message names the place of the error, and quotes no text, which may be
            # secret.
            where = error.msg if isinstance(error, json.JSONDecodeError) else "it is not valid JSON"
            raise MisuseError(f"{rule}; the call cannot be read: {where}") from None
    if not isinstance(arguments, Mapping):
        raise MisuseError(f"{rule}; got {kind(arguments)}")
    return arguments


def _without_fence(text: str | bytes) -> str | bytes:
    """Return a text without the lines of Markdown around it that say that it is code."""
    lines = text.strip().splitlines() if isinstance(text, str) else ()
    fenced = len(lines) > 1 and lines[0].startswith("```") and lines[-1] == "```"
    return "\n".join(lines[1:-1]) if fenced else text


def _refuse_missing(values: Mapping[str, object], action: Action, this: str, example: str) -> None:
    for needed in action.needs:
        is_given = needed.name in values
        if not is_given or (action.needs_some and not needed.read(values[needed.name])):
            raise MisuseError(f"{this} needs {needed.name!r}: {example}")


def _refuse_unknown(
    given: Mapping[str, object], action: Action, this: str, toolset: Toolset
) -> None:
    unknown = [key for key in given if key not in toolset.arguments]
    if not unknown:
        return
    left = tuple(name for name in action.arguments if name not in given)
    named = [show(key) + _guess_argument(key, left, toolset) for key in unknown[:_MOST_NAMES]]
    more = ", ..." if len(unknown) > _MOST_NAMES else ""
    raise MisuseError(
        f"there is no argument {', '.join(named)}{more}; "
        f"{this} takes {_enumerate(action.arguments)}"
    )


def _refuse_foreign(
    given: Mapping[str, object], action: Action, this: str, toolset: Toolset
) -> None:
    """Refuse an argument of other actions."""
    for other, argument in toolset.arguments.items():
        if other not in action.arguments and not _says_nothing(argument, given.get(other)):
            raise MisuseError(
                f"{this} has no argument {other!r}; it takes {_enumerate(action.arguments)}; "
                f"{other!r} belongs to {_enumerate(toolset.takers(other))}"
            )


def _says_nothing(argument: Argument[object], value: object) -> bool:
    """Whether a model filled in an argument only because it is in the schema."""
    if value is None or value in ("", []):
        return True
    try:
        return argument.read(value) == argument.read(argument.default)
    except MisuseError:
        return False


def _guess_argument(name: object, left: tuple[str, ...], toolset: Toolset) -> str:
    """Suggest an argument: one of the action's that is not given, or one of another action."""
    own = _guess(name, left, _ARGUMENT_ALIASES)
    return own or _guess(name, tuple(toolset.arguments), _ARGUMENT_ALIASES)


def _guess(name: object, known: tuple[str, ...], aliases: Mapping[str, tuple[str, ...]]) -> str:
    if not isinstance(name, str):
        return ""
    plain = name.strip().lower().replace("-", "_")[:_LONGEST_NAME]
    meant = [word for word in aliases.get(plain, ()) if word in known]
    meant += difflib.get_close_matches(plain, known, n=1, cutoff=0.6)
    return f" (did you mean {meant[0]!r}?)" if meant else ""


def _enumerate(names: tuple[str, ...]) -> str:
    if not names:
        return "none"
    quoted = [repr(name) for name in names]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
