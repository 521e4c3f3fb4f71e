"""The arguments of the tool: their kinds, limits and words."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from tmuxprim._tool.actions import ONE_TOOL, Toolset
from tmuxprim._tool.arguments import Argument

NAME: Final = "tmux"
SchemaForm: TypeAlias = Literal["openai", "anthropic", "mcp"]
_Fields: TypeAlias = dict[str, object]
_PARAMETERS: Final = {"openai": "parameters", "anthropic": "input_schema", "mcp": "inputSchema"}


def tool_schema(form: SchemaForm = "openai") -> dict[str, object]:
    """Return the JSON schema of the tool, as a model's API takes it.

    Args:
        form: The place of the schema: ``"openai"`` for an element of ``tools`` in chat completions,
            ``"anthropic"`` for one of ``tools`` in messages, ``"mcp"`` for one of the answer to
            ``tools/list``.

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
    actions = "; ".join(f"{name}: {action.does}" for name, action in ONE_TOOL.actions.items())
    description = (
        f"Drive a terminal (a tmux pane). Actions: {actions}. Call wait_ready after each send and "
        "keys."
    )
    tool: _Fields = {"name": NAME, "description": description, _PARAMETERS[form]: _parameters()}
    return {"type": "function", "function": tool} if form == "openai" else tool


def describe_tools(toolset: Toolset) -> tuple[tuple[str, str, dict[str, object]], ...]:
    """Return a tool for each action: its name, its description, the schema of its arguments."""
    return tuple(
        (name, _describe_action(toolset, name), _parameters_of(toolset, name))
        for name in toolset.actions
    )


def _describe_action(toolset: Toolset, name: str) -> str:
    action = toolset.actions[name]
    told = f"{action.does}."
    told = told[0].upper() + told[1:] if "pane" in told else f"In a terminal: {told}"
    if action.types and not action.waits:
        told += " Call wait_ready afterwards."
    return f"{told} {action.more}".rstrip()


def _parameters() -> _Fields:
    """Return the arguments of the one tool, with the actions that take each."""
    properties: _Fields = {
        "action": {"type": "string", "enum": list(ONE_TOOL.actions), "description": "What to do."}
    }
    defaults = ONE_TOOL.defaults
    for name, argument in ONE_TOOL.arguments.items():
        takers, others = ONE_TOOL.takers(name), ONE_TOOL.other_defaults(name)
        told = "" if len(takers) == len(ONE_TOOL.actions) else f"For {', '.join(takers)}. "
        told += describe_argument(argument)
        if others:
            told += f" By default {defaults.pop(name)}{others}."
        properties[name] = _property(argument, told, defaults)
    return _object(properties, ("action",))


def describe_argument(argument: Argument[object]) -> str:
    """Return the description of an argument of the one tool, with the words of single actions."""
    own = (
        f" For {name}: {action.says[argument.name]}"
        for name, action in ONE_TOOL.actions.items()
        if argument.name in action.says
    )
    return argument.description + "".join(own)


def _parameters_of(toolset: Toolset, name: str) -> _Fields:
    """Return the arguments of the tool that does one action."""
    action, defaults = toolset.actions[name], toolset.defaults_of(name)
    properties = {
        each.name: _property(each, action.says.get(each.name, each.description), defaults)
        for each in action.needs + action.takes
    }
    return _object(properties, tuple(needed.name for needed in action.needs))


def _property(argument: Argument[object], told: str, defaults: Mapping[str, object]) -> _Fields:
    default = defaults.get(argument.name)
    by_default = {} if default is None else {"default": default}
    return {**argument.schema, "description": told, **by_default}


def _object(properties: Mapping[str, object], required: tuple[str, ...]) -> _Fields:
    return {
        "type": "object",
        "properties": properties,
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
    }
