"""The prompt that teaches a model the tool, in Markdown."""

import json
from typing import Final

from tmuxprim._tool._call import ACTIONS, ARGUMENTS, SHARED
from tmuxprim._tool._outcomes import WORDINGS
from tmuxprim._tool._schema import DESCRIPTIONS, NAME, default_of
from tmuxprim._tool._words import LONGEST_REPLY

_INTRODUCTION: Final = """\
It drives a terminal as a person does: it types, presses keys, reads the screen, and waits until the
program is ready for more."""
_RULES: Final = f"""\
## Rules

1. Begin with `wait_ready`, to see what is there. After each `send` and each `keys`, call
   `wait_ready` again. It returns the moment the pane can take input, and says why; never sleep,
   and never `read` again and again instead.
2. Give `wait_ready` the time that the command may take: `"timeout": 120` for AI CLIs (Claude Code,
   OpenCode, Codex), builds and installations. A long timeout costs nothing if it is ready sooner.
3. `send` is for text, `keys` is for keys. The text `Enter` is five letters, and `C-c` three.
   `send` presses Enter itself: no line break at the end of the text.
4. Send the command and nothing else. No `echo DONE`, no `; echo $?` to find out when it has ended,
   no changed prompt: `wait_ready` knows.
5. One command at a time. `wait_ready` returns the screen, so `read` is for what scrolled off it.
   A reply has at most {LONGEST_REPLY:,} characters; what is above is cut.
6. A reply that begins with `error:` says what is wrong and what is valid. Nothing was sent then,
   unless it says otherwise.
7. The pane `{SHARED}` may be watched by a person, who may type there, too. Do not run
   `tmux` in it, and do not type `exit` into its shell.
"""

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
| clear the line that is typed | `C-u` |
| leave `less`, `man`, `git log` | `q` |
| leave vim without saving | `Escape`, then send `:q!` |
| choose in a menu | `Up` `Down` `Enter` |
"""


def tool_prompt() -> str:
    """Return Markdown that teaches a model to use the tool; put it into the system prompt.

    Examples:
        >>> "| `send` | type a text exactly as it is, then press Enter |" in tool_prompt()
        True
    """
    parts = (
        f"# The tool `{NAME}`",
        _INTRODUCTION,
        _actions(),
        _arguments(),
        _RULES.rstrip(),
        _outcomes(),
        _KEYS.rstrip(),
        _example(),
    )
    return "\n\n".join(parts) + "\n"


def _actions() -> str:
    rows = (
        f"| `{name}` | {action.does} | {', '.join(f'`{each}`' for each in action.arguments)} |"
        for name, action in ACTIONS.items()
    )
    return "\n".join(("| action | to | arguments |", "|---|---|---|", *rows))


def _arguments() -> str:
    rows = (f"| `{name}` | {_default(name)} | {DESCRIPTIONS[name]} |" for name in ARGUMENTS)
    return "\n".join(("| argument | default | |", "|---|---|---|", *rows))


def _default(argument: str) -> str:
    if any(argument in action.needs for action in ACTIONS.values()):
        return "has to be given"
    default = default_of(argument)
    return "none" if default is None else f"`{json.dumps(default)}`"


def _outcomes() -> str:
    rows = (
        f"| `{wording.head.format(timeout=10)}` | {wording.meaning} | {wording.advice} |"
        for wording in WORDINGS.values()
    )
    head = ("| `wait_ready` says | that is | what to do |", "|---|---|---|")
    return "\n".join(("## Outcomes", "", *head, *rows))


def _example() -> str:
    calls = (
        {"action": "send", "text": "npm run build"},
        {"action": "wait_ready", "timeout": 120},
        {"action": "keys", "keys": ["C-c"]},
        {"action": "wait_ready"},
    )
    return "\n".join(("## For example", "", "```json", *map(json.dumps, calls), "```"))
