"""Claude Code: the text that it shows was watched on the versions that `tried` lists."""

# ruff: noqa: RUF001  # its signs are what is looked for

from typing import Final

from tmuxprim._readiness.assistants.assistant import C_C_AT_ONCE, ENTER, Assistant
from tmuxprim._readiness.silence import AssistantStrategy
from tmuxprim._values.keys import KeySequence

CLAUDE_CODE: Final = Assistant(
    # Only 2.1.197 spins in its title, so that its words have to tell.
    state=AssistantStrategy(
        name="Claude Code",
        programs=("claude",),
        box=r"^─{10}.*\n❯(?:.*\n)+?─{10}",
        # The hint is not drawn in each mode; in others the user's own status line is below.
        works=r"esc to interrupt|Press up to edit queued messages",
        # Rows of an answer are indented, and so are hints and queued messages below its spinner.
        works_above=r"^[·✢✳✶✻✽∗*] (?:\S.*…|.* · [Rr]etrying in \d).*(?:\n(?: .*)?)*\Z",
        works_on=r"^✻ Waiting for \d+ background .*(?:\n(?: .*)?)*\Z|^  ◯ .*",
        asks=(
            r"Do you want to .*\?|Enter to (?:confirm|select|stay).*"
            r"|❯ (?:\d\. )?(?:Yes|No)\b.*|.*\bEsc to cancel\b.*"
        ),
    ),
    command=("claude",),
    env={"CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN": "1"},  # so that a long answer is in the history
    asked=r"^❯[ \u00a0](.*)",
    skip=r"^[✻✶✳✢✽·*] |^ +tmux focus-events off",
    margin=r"^[●⏺] |^  ",
    failed=(
        r"^(?:  ⎿ +|● )"
        r"((?:Interrupted|(?:Please run /login · )?API Error).*(?:\n  +\S.*)*)\n*\Z"
    ),
    leave=(KeySequence.text("/exit"), ENTER),
    end=(C_C_AT_ONCE, C_C_AT_ONCE),
    tried="2.1.197 2.1.332",
)
