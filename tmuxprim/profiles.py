"""Profiles: how to start programs, ask them something, and leave them.

`Console.session` takes a profile. `Profile.tried` lists the versions of the real program that a
built-in profile was tested with.

Examples:
    >>> [profile.name for profile in (SHELL, PYTHON, OPENCODE)]
    ['shell', 'python', 'opencode']
"""

from typing import Final

from tmuxprim._profiles.answer import Answer, AnswerRows
from tmuxprim._profiles.assistant_profiles import profile_of
from tmuxprim._profiles.profile import Profile
from tmuxprim._profiles.repl_profiles import (
    AIDER,
    GDB,
    IPYTHON,
    LLM,
    NODE,
    PSQL,
    PYTHON,
    SHELL,
    SQLITE,
)
from tmuxprim._profiles.session import AsyncSession, Session
from tmuxprim._profiles.strategies import ScreenStrategy, known_screens
from tmuxprim._public import show_as
from tmuxprim._readiness import assistants

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

CLAUDE_CODE: Final = profile_of(assistants.CLAUDE_CODE)
CODEX: Final = profile_of(assistants.CODEX)
GEMINI: Final = profile_of(assistants.GEMINI)
OPENCODE: Final = profile_of(assistants.OPENCODE)
QWEN: Final = profile_of(assistants.QWEN)

show_as(__name__, globals())
