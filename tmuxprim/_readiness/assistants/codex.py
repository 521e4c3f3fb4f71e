"""Codex: the text that it shows was watched on the versions that `tried` lists."""

# ruff: noqa: RUF001  # its signs are what is looked for

from typing import Final

from tmuxprim._readiness.assistants.assistant import C_C, ENTER, Assistant
from tmuxprim._readiness.silence import AssistantStrategy
from tmuxprim._values.keys import KeySequence

CODEX: Final = Assistant(
    # While it writes it says so in its title only. The row below its box ends with the name of the
    # talk, which is the first question.
    state=AssistantStrategy(
        name="Codex",
        programs=("codex",),
        box=r"^› (?!\d\. ).*\n(?:(?![›•■]).*\n){1,6}?(?P<below>^  .* · [~/])",
        works=r"\(\d.* • esc to interrupt\)",
        asks=r"Press enter to (?:continue|confirm).*|Sign in with.*|Do you trust.*|^› 1\. .*",
        above=4,
    ),
    command=("codex", "--no-alt-screen"),  # so that a long answer is in the history
    asked="^› (.*)",
    skip=r"^  Worked for |^  └ Tip: ",
    margin=r"^• |^  ",
    failed="^■ (.*)",
    leave=(KeySequence.text("/quit"), ENTER),
    end=(C_C, C_C, KeySequence.keys("C-d")),
    tried="0.169.0 0.171.0",
)
