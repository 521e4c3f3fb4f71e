"""The prompt that teaches a model the tool, in Markdown."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

from tmuxprim._readiness.snapshot import Outcome
from tmuxprim._tool.actions import ONE_TOOL, Toolset
from tmuxprim._tool.replies import DONE, LONGEST_REPLY, WORDINGS
from tmuxprim._tool.schema import NAME, describe_argument

PromptForm: TypeAlias = Literal["markdown", "agent-zero"]

_BREAK: Final = "\n"

_INTRODUCTION: Final = """\
It drives a terminal as a person does: it types, presses keys, reads the screen, and waits until the
program takes more."""
_INTRODUCTION_TO_MANY: Final = """\
These tools drive a terminal as a person does."""
_RULES: Final = (
    f"""\
`run` shell commands: the reply is `{DONE}` and, below, the exact output; or it says why
that may not be exact, and what helps. If the time is up, `resume` or `interrupt`. If the command
asks something, go on with `send`, `keys` and `wait_ready`.""",
    """\
For all other programs, `send` or `keys`, and after each `wait_ready`. It returns the moment the
pane takes input: never sleep, never `read` again and again. Begin with it, to see the screen.""",
    """\
`"timeout": 120` for AI assistants, builds and installations: it costs nothing.""",
    """\
`send` is for text, and presses Enter itself; `keys` is for keys. The text `C-c` is 3 letters.""",
    """\
Type the command and nothing else: no `echo DONE`, no `; echo $?`, no changed prompt.""",
    """\
One command at a time. `wait_for` a text of a program that is never ready, such as a server.""",
    f"""\
A reply has at most {LONGEST_REPLY:,} characters; rows above are cut. After `error:` nothing was
sent, unless it says otherwise.""",
)
_COMPANY: Final = """\
A person may watch the pane `{}`, and type there. Run no `tmux` in it; do not `exit` its shell."""
_ASSISTANTS: Final = """\
## AI assistants

- start: `send` `opencode`, `CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN=1 claude`, `gemini`, `qwen`,
  `codex --no-alt-screen` or `aider`; ask: `send` the question; `wait_ready` after each
- allow, or choose: `waiting for input` is a menu; press `Up`, `Down`, `Enter`; `Escape` rejects
- text in its box that was not sent: `Enter` sends it, `C-u` deletes it
- interrupt: `interrupt`; `C-c` ends OpenCode
- long answer: `read` more `lines`; if it has the whole screen, `keys` `PPage`, then `NPage`
- leave: `send` `/exit` (claude, aider) or `/quit` (codex, gemini, qwen); opencode: `keys` `C-p`,
  `send` `exit` without `enter`, `keys` `Enter`; then `wait_ready`"""
_KEYS: Final = """\
## Keys

`Enter` `Tab` `BTab` (Shift-Tab) `Space` `BSpace` (Backspace) `Escape` `Up` `Down` `Left` `Right`
`Home` `End` `PPage` (page up) `NPage` (page down) `IC` (Insert) `DC` (Delete) `F1` to `F12`, any
character. Before it `C-` (Ctrl), `M-` (Alt), and before cursor and function keys `S-` (Shift).

Interrupt a command `C-c`; end the input, leave a REPL `C-d`; clear the line `C-e` `C-u`; leave a
pager `q`; leave vim `Escape`, then send `:q!`.
"""
_CALLS: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("run", {"command": "npm run build", "timeout": 120}),
    ("send", {"text": "python3"}),
    ("wait_ready", {}),
    ("keys", {"keys": ["C-d"]}),
)


def tool_prompt(form: PromptForm = "markdown", *, name: str = NAME) -> str:
    """Return Markdown that teaches a model to use the tool; put it into the system prompt.

    Args:
        form: ``"agent-zero"`` writes headings and calls as Agent Zero's own prompts do.
        name: The name of the tool there.

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
        _ASSISTANTS,
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

    The description of each tool says what it does and takes. The most important rule comes first,
    for clients that show only the beginning.
    """
    parts = (
        _INTRODUCTION_TO_MANY,
        _rules(toolset),
        _outcomes(),
        _ASSISTANTS,
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
    defaults = ONE_TOOL.defaults
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
        f"| `{wording.first_line()}` | {wording.meaning}: {wording.advice} |"
        for outcome, wording in WORDINGS.items()
        if outcome is not Outcome.MATCHED  # which only a strategy of one's own says
    )
    return "\n".join(("## Outcomes", "", "| reply | |", "|---|---|", *rows))
