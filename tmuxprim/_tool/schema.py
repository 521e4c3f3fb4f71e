"""The arguments of the tool: their kinds, limits and words."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from tmuxprim._tool.actions import ONE_TOOL, Toolset
from tmuxprim._tool.values import LONGEST_PATTERN, LONGEST_TEXT, LONGEST_WAIT, MOST_KEYS, MOST_LINES

NAME: Final = "tmux"
SchemaForm: TypeAlias = Literal["openai", "anthropic", "mcp"]
_Fields: TypeAlias = dict[str, object]
_PARAMETERS: Final = {"openai": "parameters", "anthropic": "input_schema", "mcp": "inputSchema"}

DESCRIPTIONS: Final = {
    "text": "What to type: any text, exactly as it is, without an Enter at its end.",
    "enter": "Whether to press Enter after the text.",
    "keys": "Names of keys, such as C-c, Escape, Up, Tab, Enter: a list, or one string with "
    "spaces between them.",
    "command": "The command, exactly as one types it, without an Enter at its end; of several "
    "lines each is a command.",
    "pane": "Which pane: its name, or an id such as %3.",
    "lines": "How many rows of what scrolled off to return above the screen.",
    "timeout": "Longest wait in seconds. It returns as soon as the pane is ready; give 120 for "
    "AI CLIs and whatever else takes long.",
    "prompt_pattern": "Regular expression of the prompt to wait for, searched in the last row "
    "that is not empty; only for programs whose prompt is not found without it.",
}
_TYPES: Final[Mapping[str, Mapping[str, object]]] = {
    "text": {"type": "string", "maxLength": LONGEST_TEXT},
    "enter": {"type": "boolean"},
    "keys": {
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_KEYS},
            {"type": "string"},
        ]
    },
    "command": {"type": "string", "maxLength": LONGEST_TEXT},
    "pane": {"type": "string"},
    "lines": {"type": "integer", "minimum": 0, "maximum": MOST_LINES},
    "timeout": {"type": "number", "minimum": 0, "maximum": LONGEST_WAIT},
    "prompt_pattern": {"type": "string", "maxLength": LONGEST_PATTERN},
}


def tool_schema(form: SchemaForm = "openai") -> dict[str, object]:
    """Return the tool as a model's maker wants to have it described.

    Args:
        form: ``"openai"`` for an element of ``tools`` of chat completions, ``"anthropic"`` for one
            of ``tools`` of messages, ``"mcp"`` for one of what ``tools/list`` answers.

    Raises:
        ValueError: If *form* is none of them.

    Examples:
        >>> sorted(tool_schema("mcp"))
        ['description', 'inputSchema', 'name']
        >>> tool_schema("openai")["function"]["parameters"]["required"]
        ['action']
    """
    forms = get_args(SchemaForm)
    if form not in forms:
        raise ValueError(f"a form is one of {', '.join(map(repr, forms))}, got {form!r}")
    tool: _Fields = {"name": NAME, "description": _describe(), _PARAMETERS[form]: _parameters()}
    return {"type": "function", "function": tool} if form == "openai" else tool


def describe_tools(toolset: Toolset) -> tuple[tuple[str, str, dict[str, object]], ...]:
    """Return a tool for each action: its name, its description, the schema of its arguments."""
    return tuple(
        (name, _describe_action(toolset, name), _parameters_of(toolset, name))
        for name in toolset.actions
    )


def _describe() -> str:
    actions = "; ".join(f"{name}: {action.does}" for name, action in ONE_TOOL.actions.items())
    return (
        f"Drive a terminal (a tmux pane). Actions: {actions}. Call wait_ready after each send or "
        "keys, and before you judge what came of it."
    )


def _describe_action(toolset: Toolset, name: str) -> str:
    action = toolset.actions[name]
    told = f"In a terminal (a tmux pane): {action.does}."
    if action.types and not action.waits:
        told += " Call wait_ready afterwards, and before you judge what came of it."
    return told


def _parameters() -> _Fields:
    """Return the arguments of the one tool, with the actions that take each."""
    properties: _Fields = {
        "action": {"type": "string", "enum": list(ONE_TOOL.actions), "description": "What to do."}
    }
    defaults = ONE_TOOL.defaults()
    for name in ONE_TOOL.arguments:
        takers = ONE_TOOL.takers(name)
        scope = "" if len(takers) == len(ONE_TOOL.actions) else f"For {', '.join(takers)}. "
        properties[name] = _property(name, scope, defaults)
    return _object(properties, ("action",))


def _parameters_of(toolset: Toolset, name: str) -> _Fields:
    """Return the arguments of the tool that does one action."""
    action, defaults = toolset.actions[name], toolset.defaults(name)
    properties = {argument: _property(argument, "", defaults) for argument in action.arguments}
    return _object(properties, action.needs)


def _property(name: str, scope: str, defaults: Mapping[str, object]) -> _Fields:
    default = defaults.get(name)
    told = {} if default is None else {"default": default}
    return {**_TYPES[name], "description": scope + DESCRIPTIONS[name], **told}


def _object(properties: Mapping[str, object], required: tuple[str, ...]) -> _Fields:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
