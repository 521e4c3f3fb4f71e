"""Profiles of programs that read whole lines: shells, REPLs, a debugger, chats with a model."""

from typing import Final

from tmuxprim._profiles.answer import AnswerRows
from tmuxprim._profiles.profile import Profile
from tmuxprim._readiness.default import default_chain
from tmuxprim._values.keys import KeySequence

_ENTER: Final = KeySequence.keys("Enter")
_C_C: Final = KeySequence.keys("C-c")
_C_D: Final = KeySequence.keys("C-d")


def _types(text: str) -> KeySequence:
    return KeySequence.text(text) + _ENTER


SHELL: Final = Profile("shell", ("bash",), leave=(_types("exit"),), tried="bash 5.2.15")
# A REPL that indents by itself would indent typed lines twice; see also IPYTHON.
PYTHON: Final = Profile(
    "python",
    ("python3", "-q"),
    env={"PYTHON_BASIC_REPL": "1"},
    prompt_rows=1,
    tried="3.11.7 3.13.0",
)
IPYTHON: Final = Profile(
    "ipython",
    ("ipython", "--no-banner", "--no-confirm-exit", "--no-autoindent"),
    prompt_rows=2,
    tried="9.18.1",
)
NODE: Final = Profile("node", ("node",), prompt_rows=1, tried="20.20.2")
SQLITE: Final = Profile(
    "sqlite3",
    ("sqlite3",),
    prompt_rows=1,
    # C-c leaves half a line as it is.
    interrupt=(_C_C, KeySequence.keys("C-u"), _C_D),
    tried="3.40.1",
)
PSQL: Final = Profile("psql", ("psql", "-P", "pager=off"), prompt_rows=1, tried="15.18")
GDB: Final = Profile(
    "gdb",
    ("gdb", "-q", "-ex", "set pagination off"),
    prompt_rows=1,
    # It asks whether to kill a program that runs, which `set confirm off` spares.
    leave=(_types("set confirm off"), _types("quit")),
    interrupt=(_C_C, _types("set confirm off"), _types("quit")),
    tried="13.1",
)
AIDER: Final = Profile(
    "aider",
    ("aider",),
    rows=AnswerRows(
        asked=r"^[\w-]*> (.*)",
        box=r"^─{10}.*\n(?:[^─>\n]*\n)*[\w-]*> ?$",
        skip=r"^Tokens: ",
        # Below an answer stands the count of tokens.
        failed=(
            r"(litellm\.\w*(?:Error|Exception)\b.*)(?:\n(?!Tokens: ).*)*\Z"
            r"|^(Empty response received.*)|^ *(\^C again to exit)\s*\Z"
        ),
    ),
    leave=(KeySequence.text("/exit"), _ENTER),
    interrupt=(_C_C, _C_C, _C_D),
    start_timeout=60.0,
    answer_timeout=120.0,
    tried="0.86.2",
)
# Simon Willison's llm reads whole lines, and does not while it works.
LLM: Final = Profile(
    "llm",
    ("llm", "chat"),
    prompt_rows=1,
    answered=default_chain("^> ?$"),
    leave=(KeySequence.text("exit"), _ENTER),
    answer_timeout=120.0,
    tried="0.36",
)
