"""Qwen Code: the text that it shows was watched on the versions that `tried` lists."""

# ruff: noqa: RUF001  # its signs are what is looked for

from typing import Final

from tmuxprim._readiness.assistants.assistant import CLEAR_LINES, ENTER, Assistant
from tmuxprim._readiness.silence import AssistantStrategy
from tmuxprim._values.keys import KeySequence

QWEN: Final = Assistant(
    state=AssistantStrategy(
        name="Qwen Code",
        programs=("qwen",),
        box=r"^─{20}.*\n[>!*] .*\n(?:.*\n)*?─{20}",
        works=r"\(\d.* · esc to cancel\)",
        asks=r"^ *│ › 1\. .*|Waiting for user confirmation.*",
        above=3,
    ),
    command=("qwen",),
    asked="^  > (.*)",
    margin="^  (?:(?:✦|◆\ufe0e?) |  )?",
    # A command that was not allowed has a minus.
    failed=r"^  ● (Request cancelled.*)|^  ✕ (.*)|^  │ - +(.*?) *│\n(?:  │.*\n)*  ╰─*╯\s*\Z",
    leave=(KeySequence.text("/quit"), ENTER),
    # Of several C-c at once it counts one, and those of a second later not together.
    end=(CLEAR_LINES, KeySequence.text("/quit"), ENTER),
    tried="0.15.10 0.24.4",
)
