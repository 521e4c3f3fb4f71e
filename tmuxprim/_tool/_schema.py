"""The tool as JSON schema, in the forms in which one describes tools to models."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import attrs

from tmuxprim._pane import Pane
from tmuxprim._tool._call import ACTIONS, ARGUMENTS, Call
from tmuxprim._tool._read import (
    LONGEST_PATTERN,
    LONGEST_TEXT,
    LONGEST_WAIT,
    MOST_KEYS,
    MOST_LINES,
)

NAME: Final = "tmux"
SchemaForm: TypeAlias = Literal["openai", "anthropic", "mcp"]
_Fields: TypeAlias = dict[str, object]
_PARAMETERS: Final = {"openai": "parameters", "anthropic": "input_schema", "mcp": "inputSchema"}

DESCRIPTIONS: Final = {
    "text": "What to type: any text, exactly as it is, without an Enter at its end.",
    "enter": "Whether to press Enter after the text.",
    "keys": "Names of keys, such as C-c, Escape, Up, Tab, Enter: a list, or one string with "
    "spaces between them.",
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


def default_of(argument: str) -> object:
    """Return the default of an argument; None if it has none, or is one that has to be given."""
    is_needed = any(argument in action.needs for action in ACTIONS.values())
    default = attrs.fields_dict(Call)[argument].default
    return None if is_needed else str(default) if isinstance(default, Pane) else default


def _describe() -> str:
    actions = "; ".join(f"{name}: {action.does}" for name, action in ACTIONS.items())
    return (
        f"Drive a terminal (a tmux pane). Actions: {actions}. Call wait_ready after each send or "
        "keys, and before you judge what came of it."
    )


def _parameters() -> _Fields:
    properties: _Fields = {
        "action": {"type": "string", "enum": list(ACTIONS), "description": "What to do."}
    }
    for name in ARGUMENTS:
        properties[name] = {**_TYPES[name], "description": _description(name), **_default(name)}
    return {
        "type": "object",
        "properties": properties,
        "required": ["action"],
        "additionalProperties": False,
    }


def _description(argument: str) -> str:
    takers = [name for name, action in ACTIONS.items() if argument in action.arguments]
    scope = "" if len(takers) == len(ACTIONS) else f"For {', '.join(takers)}. "
    return scope + DESCRIPTIONS[argument]


def _default(argument: str) -> _Fields:
    default = default_of(argument)
    return {} if default is None else {"default": default}
