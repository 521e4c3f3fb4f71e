"""Give a language model a terminal: the tool, its schema, and the prompt that teaches it.

Examples:
    The schema and the prompt go to the model, its calls come back, and each gets a reply:

    >>> terminal = FakeTerminal()  # TmuxTerminal() for the real thing
    >>> tool = TmuxTool(terminal)
    >>> tool_schema("anthropic")["name"]
    'tmux'
    >>> tool_prompt().splitlines()[0]
    '# The tool `tmux`'
    >>> print(tool.execute_json('{"action": "read"}').message)
    There was no pane 'shared', so it was opened, with a new shell. Nothing was sent. ...
    ready (prompt matched)
    $
    >>> tool.execute_json('{"action": "send", "txt": "echo hi"}').message
    "error: there is no argument 'txt' (did you mean 'text'?); ... Nothing was sent."
    >>> tool.execute_json('{"action": "send", "text": "echo hi"}').message
    "Sent: 'echo hi' + Enter"
    >>> print(tool.execute_json('{"action": "wait_ready"}').message)
    ready (prompt matched)
    $ echo hi
    hi
    $
"""

from tmuxprim._public import show_as
from tmuxprim._tool.model_prompt import tool_prompt
from tmuxprim._tool.replies import ToolResponse
from tmuxprim._tool.schema import tool_schema
from tmuxprim._tool.tmux_tool import AsyncTmuxTool, TmuxTool

__all__ = [
    "AsyncTmuxTool",
    "TmuxTool",
    "ToolResponse",
    "tool_prompt",
    "tool_schema",
]

show_as(__name__, globals())
