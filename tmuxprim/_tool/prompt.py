"""The prompt that teaches a model the tool, in Markdown."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

from tmuxprim._tool.actions import ONE_TOOL, Toolset
from tmuxprim._tool.replies import DONE, LONGEST_REPLY, WORDINGS
from tmuxprim._tool.schema import NAME, describe_argument

PromptForm: TypeAlias = Literal["markdown", "agent-zero"]

_BREAK: Final = "\n"

_INTRODUCTION: Final = """\
It drives a terminal as a person does: it types, presses keys, reads the screen, and waits until the
program is ready for more."""
_INTRODUCTION_TO_MANY: Final = """\
These tools drive a terminal as a person does: they type, press keys, read the screen, and wait
until the program is ready for more."""
_RULES: Final = (
    f"""\
For a shell command whose output you want, call `run`: it types the command, waits, and returns
`{DONE}` and, below that, exactly what was printed; with `status`, the exit status, too. If it says
that this may not be exactly the output, it says why: mostly, an Enter helps (`run` with an empty
command) before the next `run`. If the time is up, `resume` waits on and returns all of the
output, and `interrupt` stops the command. If it says something else, the command asks something:
go on with `send`, `keys` and `wait_ready`, and use those for all other programs, too.""",
    """\
For a program that never becomes ready, such as a server, `wait_for` a text that it prints.""",
    """\
Begin with `wait_ready`, to see what is there. After each `send` and each `keys`, call
`wait_ready` again. It returns the moment the pane can take input, and says why; never sleep,
and never `read` again and again instead.""",
    """\
Give `wait_ready` the time that the command may take: `"timeout": 120` for AI CLIs (Claude Code,
OpenCode, Codex), builds and installations. A long timeout costs nothing if it is ready sooner.""",
    """\
`send` is for text, `keys` is for keys. The text `Enter` is five letters, and `C-c` three.
`send` presses Enter itself: no line break at the end of the text.""",
    """\
Send the command and nothing else. No `echo DONE`, no `; echo $?` to find out when it has ended,
no changed prompt: `wait_ready` knows.""",
    f"""\
One command at a time. `wait_ready` returns the screen, so `read` is for what scrolled off it.
A reply has at most {LONGEST_REPLY:,} characters; what is above is cut.""",
    """\
A reply that begins with `error:` says what is wrong and what is valid. Nothing was sent then,
unless it says otherwise.""",
)
_COMPANY: Final = """\
The pane `{}` may be watched by a person, who may type there, too. Do not run
`tmux` in it, and do not type `exit` into its shell."""

_KEYS: Final = """\
## Keys

`Enter` `Tab` `BTab` (Shift-Tab) `Space` `BSpace` (Backspace) `Escape` `Up` `Down` `Left` `Right`
`Home` `End` `PPage` (page up) `NPage` (page down) `IC` (Insert) `DC` (Delete) `F1` to `F12`, and
any one character. Before it, `C-` is Ctrl, `M-` is Alt, and, on cursor and function keys, `S-` is
Shift.

| to | press |
|---|---|
| interrupt a command | `C-c` |
| end the input, leave a REPL | `C-d` |
| clear the line that is typed | `C-e` `C-u` |
| leave `less`, `man`, `git log` | `q` |
| leave vim without saving | `Escape`, then send `:q!` |
| choose in a menu | `Up` `Down` `Enter` |
"""
_CALLS: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("run", {"command": "npm run build", "timeout": 120}),
    ("send", {"text": "opencode"}),
    ("wait_ready", {"timeout": 120}),
    ("keys", {"keys": ["Escape"]}),
    ("wait_ready", {}),
)


def tool_prompt(form: PromptForm = "markdown", *, name: str = NAME) -> str:
    """Return Markdown that teaches a model to use the tool; put it into the system prompt.

    Args:
        form: ``"agent-zero"`` writes headings and calls as Agent Zero's own prompts do.
        name: What the tool is called there.

    Raises:
        ValueError: If *form* is none of them.

    Examples:
        >>> "| `send` | type a text exactly as it is, then press Enter |" in tool_prompt()
        True
        >>> tool_prompt("agent-zero", name="tmux_tool").splitlines()[0]
        '### tmux_tool:'
    """
    forms = get_args(PromptForm)
    if form not in forms:
        raise ValueError(f"a form is one of {', '.join(map(repr, forms))}, got {form!r}")
    sections = (
        _INTRODUCTION,
        _actions(),
        _arguments(),
        _rules(ONE_TOOL),
        _outcomes(),
        _KEYS.rstrip(),
        "## For example",
    )
    calls = [ONE_TOOL.call(*call) for call in _CALLS]
    if form == "markdown":
        parts = [f"# The tool `{name}`", *sections, _fence("```", calls)]
    else:
        # Sections are one level below the tool, and a message is one call.
        below = (section.replace("## ", "#### ", 1) for section in sections)
        messages = ({"tool_name": name, "tool_args": call} for call in calls)
        examples = (_fence("~~~", [message]) for message in messages)
        parts = [f"### {name}:", *below, "Each message is one call.", *examples]
    return "\n\n".join(parts) + "\n"


def prompt_for_many(toolset: Toolset) -> str:
    """Return Markdown that teaches a model to use many tools.

    What each does and takes is left to its own description. What matters most comes first, for
    clients that show only the beginning.
    """
    parts = (
        _INTRODUCTION_TO_MANY,
        _rules(toolset),
        _outcomes(),
        _KEYS.rstrip(),
    )
    return "\n\n".join(parts) + "\n"


def _fence(fence: str, objects: Sequence[Mapping[str, object]]) -> str:
    return "\n".join((f"{fence}json", *map(json.dumps, objects), fence))


def _actions() -> str:
    rows = (
        f"| `{name}` | {action.does} | {', '.join(f'`{each}`' for each in action.arguments)} |"
        for name, action in ONE_TOOL.actions.items()
    )
    return "\n".join(("| action | to | arguments |", "|---|---|---|", *rows))


def _arguments() -> str:
    defaults = ONE_TOOL.defaults()
    rows = (
        f"| `{name}` | {_default(name, defaults)} | {describe_argument(argument)} |"
        for name, argument in ONE_TOOL.arguments.items()
    )
    return "\n".join(("| argument | default | |", "|---|---|---|", *rows))


def _default(argument: str, defaults: Mapping[str, object]) -> str:
    if argument not in defaults:
        return "has to be given"
    default, others = defaults[argument], ONE_TOOL.other_defaults(argument)
    return "none" if default is None else f"`{json.dumps(default)}`{others}"


def _rules(toolset: Toolset) -> str:
    told = (*_RULES, _COMPANY.format(toolset.shared))
    numbered = (
        f"{number}. {rule.replace(_BREAK, _BREAK + '   ')}" for number, rule in enumerate(told, 1)
    )
    return "\n".join(("## Rules", "", *numbered))


def _outcomes() -> str:
    rows = (
        f"| `{wording.first_line()}` | {wording.meaning} | {wording.advice} |"
        for wording in WORDINGS.values()
    )
    head = ("| `wait_ready` or `run` says | that is | what to do |", "|---|---|---|")
    return "\n".join(("## Outcomes", "", *head, *rows))
