"""Profiles: how to start programs, ask them something, and leave them.

`Console.session` takes one. `Profile.tried` has the versions of the real program that a built-in
one was tried with.

Examples:
    >>> [profile.name for profile in (SHELL, PYTHON, OPENCODE)]
    ['shell', 'python', 'opencode']
"""

from tmuxprim._profiles._answer import Answer, AnswerRows
from tmuxprim._profiles._assistants import AIDER, CLAUDE_CODE, CODEX, OPENCODE
from tmuxprim._profiles._async_session import AsyncSession
from tmuxprim._profiles._profile import Profile
from tmuxprim._profiles._programs import (
    GDB,
    IPYTHON,
    NODE,
    PSQL,
    PYTHON,
    SHELL,
    SQLITE,
)
from tmuxprim._profiles._session import Session
from tmuxprim._profiles._strategies import ScreenStrategy, known_screens
from tmuxprim._public import show_as

__all__ = [
    "AIDER",
    "CLAUDE_CODE",
    "CODEX",
    "GDB",
    "IPYTHON",
    "NODE",
    "OPENCODE",
    "PSQL",
    "PYTHON",
    "SHELL",
    "SQLITE",
    "Answer",
    "AnswerRows",
    "AsyncSession",
    "Profile",
    "ScreenStrategy",
    "Session",
    "known_screens",
]

show_as(__name__, globals())
