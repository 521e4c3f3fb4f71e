"""Profiles: how to start programs, ask them something, and leave them.

`Console.session` takes a profile. `Profile.tried` lists the versions of the real program that a
built-in profile was tested with.

Examples:
    >>> [profile.name for profile in (SHELL, PYTHON, OPENCODE)]
    ['shell', 'python', 'opencode']
"""

from tmuxprim._profiles.answer import Answer, AnswerRows
from tmuxprim._profiles.assistant_profiles import (
    AIDER,
    CLAUDE_CODE,
    CODEX,
    GEMINI,
    LLM,
    OPENCODE,
    QWEN,
)
from tmuxprim._profiles.profile import Profile
from tmuxprim._profiles.repl_profiles import (
    GDB,
    IPYTHON,
    NODE,
    PSQL,
    PYTHON,
    SHELL,
    SQLITE,
)
from tmuxprim._profiles.session import AsyncSession, Session
from tmuxprim._profiles.strategies import ScreenStrategy, known_screens
from tmuxprim._public import show_as

__all__ = [
    "AIDER",
    "CLAUDE_CODE",
    "CODEX",
    "GDB",
    "GEMINI",
    "IPYTHON",
    "LLM",
    "NODE",
    "OPENCODE",
    "PSQL",
    "PYTHON",
    "QWEN",
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
