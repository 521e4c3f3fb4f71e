"""Profiles of shells, REPLs and tools: the default chain knows their prompts."""

from typing import Final

from tmuxprim._profiles._answer import AnswerRows
from tmuxprim._profiles._profile import Profile
from tmuxprim._profiles._strategies import ScreenStrategy, known_screens
from tmuxprim._readiness._default import default_chain
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._sequence import KeySequence

_ENTER: Final = KeySequence.keys("Enter")
_C_C: Final = KeySequence.keys("C-c")
# In vim's last row, below a page of what it has to say; there may be hints behind it.
_VIM_MORE: Final = r"^-- More --.*\Z"


def _types(text: str) -> KeySequence:
    return KeySequence.text(text) + _ENTER


SHELL: Final = Profile("shell", ("bash",), leave=(_types("exit"),), tried="bash 5.2.15")
# What indents by itself would indent twice what is typed line by line; see also IPYTHON.
PYTHON: Final = Profile(
    "python", ("python3", "-q"), env={"PYTHON_BASIC_REPL": "1"}, tried="3.11.7 3.13.0"
)
IPYTHON: Final = Profile(
    "ipython",
    ("ipython", "--no-banner", "--no-confirm-exit", "--no-autoindent"),
    prompt_rows=("",),
    tried="9.18.1",
)
NODE: Final = Profile("node", ("node",), tried="20.20.2")
SQLITE: Final = Profile(
    "sqlite3",
    ("sqlite3",),
    # C-c leaves half a line as it is.
    interrupt=(_C_C, KeySequence.keys("C-u"), KeySequence.keys("C-d")),
    tried="3.40.1",
)
PSQL: Final = Profile("psql", ("psql", "-P", "pager=off"), tried="15.18")
GDB: Final = Profile(
    "gdb",
    ("gdb", "-q", "-ex", "set pagination off"),
    # It asks whether to kill a program that runs, which `set confirm off` spares.
    leave=(_types("set confirm off"), _types("quit")),
    interrupt=(_C_C, _types("set confirm off"), _types("quit")),
    tried="13.1",
)
VIM: Final = Profile(
    "vim",
    ("vim", "+set noruler noshowcmd"),  # what it says stands in the last row, with nothing beside
    answered=known_screens(
        ScreenStrategy(shows=_VIM_MORE, settled=0.1, outcome=Outcome.AWAITING_INPUT),
        default_chain(),
    ),
    rows=AnswerRows(asked=None, box=rf"^Press ENTER or type command to continue$|{_VIM_MORE}"),
    before=KeySequence.keys("Escape", "C-l"),  # C-l takes away what it said last
    prefix=":",
    leave=(KeySequence.keys("Escape"), _types(":qa")),
    interrupt=(_C_C, KeySequence.keys("Escape"), _types(":qa!")),
    tried="9.0",
)
LESS: Final = Profile(
    "less",
    ("less",),
    rows=AnswerRows(asked=None, box=r"^(?::|\(END\))\Z"),
    # Searches, shell commands, files, options that have a name or a value; all else acts at once.
    enter=r"^$|^\d*(?:[/?&!#|+s]|:e|[-_]..)",
    leave=(KeySequence.keys("q"),),
    interrupt=(_C_C, KeySequence.keys("q")),
    tried="590",
)
