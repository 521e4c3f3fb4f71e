"""Gemini CLI: the text that it shows was watched on the versions that `tried` lists."""

# ruff: noqa: RUF001  # its signs are what is looked for

from typing import Final

from tmuxprim._readiness.assistants.assistant import C_C_AT_ONCE, ENTER, Assistant
from tmuxprim._readiness.silence import AssistantStrategy
from tmuxprim._values.keys import KeySequence

GEMINI: Final = Assistant(
    # Its title shows its state as well.
    state=AssistantStrategy(
        name="Gemini CLI",
        programs=("gemini",),
        box=r"(?:^.*\? for shortcuts\n+)?^─{20}.*\n(?:.*\n){0,3}?^ [>!*] ",
        works=r"\(esc to cancel, \d",
        above=2,
        asks=r"^│ ● 1\. .*|Action Required.*|^ *● 1\. .*",
    ),
    command=("gemini",),
    asked="^ > (.*)",
    skip=r"^ Press Ctrl\+O to expand pasted text$",
    margin="^✦ |^  ",
    failed="^ℹ (Request cancelled.*)|^✕ (.*)",
    clear=KeySequence.keys("C-u", "BSpace") * 9,  # C-u does not delete an empty line
    leave=(KeySequence.text("/quit"), ENTER),
    end=(C_C_AT_ONCE, C_C_AT_ONCE),
    tried="0.61.0",
)
