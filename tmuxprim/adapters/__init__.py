r"""Pass a terminal to an agent framework that knows only a function from a command to its output.

A framework that takes a tool needs `tmuxprim.tool` alone.

Examples:
    >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a.txt"})})
    >>> shell = Shell(Console(terminal, terminal.open("sh")))
    >>> str(shell.execute("ls"))
    'a.txt\n'
"""

from tmuxprim._adapters.shell import Shell, ShellReply
from tmuxprim._public import show_as

__all__ = ["Shell", "ShellReply"]

show_as(__name__, globals())
