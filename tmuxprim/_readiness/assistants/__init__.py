"""AI assistants, one in a file: how each shows that it waits, works or asks, and how it is used."""

from typing import Final

from tmuxprim._readiness.assistants.claude_code import CLAUDE_CODE
from tmuxprim._readiness.assistants.codex import CODEX
from tmuxprim._readiness.assistants.gemini import GEMINI
from tmuxprim._readiness.assistants.opencode import OPENCODE
from tmuxprim._readiness.assistants.qwen import QWEN

ASSISTANTS: Final = (OPENCODE, CLAUDE_CODE, CODEX, GEMINI, QWEN)
STATES: Final = tuple(assistant.state for assistant in ASSISTANTS)

__all__ = ["ASSISTANTS", "CLAUDE_CODE", "CODEX", "GEMINI", "OPENCODE", "QWEN", "STATES"]
