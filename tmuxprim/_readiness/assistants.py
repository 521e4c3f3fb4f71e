"""AI assistants of which it is known how they show that they wait, work or ask.

Measured on the real programs; what each of them shows stands beside it.
"""

# ruff: noqa: RUF001  # their arrows and rules are what is looked for

from typing import Final

from tmuxprim._readiness.silence import AssistantStrategy
from tmuxprim._values.keys import KeySequence

# Only below an answer that is whole it says how long that took. 1.2.15 never draws its first answer
# now and then, and says nothing there.
OPENCODE_UNFINISHED: Final = r"^ +▣ (?!.* · (?:\d[\d.]*m?s|\d+[mh].*)$).*\Z"
# 1.2.15 and 1.18.33. Its words come up to a second after Enter, which is why it has to be silent.
OPENCODE_STATE: Final = AssistantStrategy(
    name="OpenCode",
    programs=("opencode",),
    box=r"(?:^ *┃.*\n){3,}^ *╹▀",
    works=r"esc (?:again to )?interrupt",
    quiet=1.2,
    # Between a question and how long its answer took 1.2.15 leaves blank rows now and then, and
    # draws the answer up to four seconds later.
    undrawn=r"^ *┃\n\n{2,} +▣ .*\Z",
    # Where it has drawn nothing between them it may never do so.
    unfinished=rf"{OPENCODE_UNFINISHED}|(?<=┃\n\n) +▣ .*\Z",
    asks=r"Permission required|Allow once +Allow always +Reject|enter (?:submit|confirm)\b.*",
    interrupt=(KeySequence.keys("Escape"),) * 2,  # it asks for the second: "esc again"
)
# 2.1.197 and 2.1.330. Its title spins in the first only, so that its words have to tell.
CLAUDE_CODE_STATE: Final = AssistantStrategy(
    name="Claude Code",
    programs=("claude",),
    box=r"^─{10}.*\n❯(?:.*\n)+?─{10}",
    # The hint is not drawn in each mode; in others it has a status line of the user's own below.
    works=r"esc to interrupt|Press up to edit queued messages",
    # Rows of an answer are indented, and so are hints and queued messages below its spinner.
    works_above=r"^[·✢✳✶✻✽∗*] (?:\S.*…|.* · [Rr]etrying in \d).*(?:\n(?: .*)?)*\Z",
    works_on=r"^✻ Waiting for \d+ background .*(?:\n(?: .*)?)*\Z|^  ◯ .*",
    asks=(
        r"Do you want to .*\?|Enter to (?:confirm|select|stay).*"
        r"|❯ (?:\d\. )?(?:Yes|No)\b.*|.*\bEsc to cancel\b.*"
    ),
)
# 0.169.0 and 0.171.0. While it writes it says so in its title only. The row below its box ends with
# the name of the talk, which is the first question.
CODEX_STATE: Final = AssistantStrategy(
    name="Codex",
    programs=("codex",),
    box=r"^› (?!\d\. ).*\n(?:(?![›•■]).*\n){1,6}?(?P<below>^  .* · [~/])",
    works=r"\(\d.* • esc to interrupt\)",
    asks=r"Press enter to (?:continue|confirm).*|Sign in with.*|Do you trust.*|^› 1\. .*",
    above=4,
)
# 0.61.0. Its title says it as well.
GEMINI_STATE: Final = AssistantStrategy(
    name="Gemini CLI",
    programs=("gemini",),
    box=r"(?:^.*\? for shortcuts\n+)?^─{20}.*\n(?:.*\n){0,3}?^ [>!*] ",
    works=r"\(esc to cancel, \d",
    above=2,
    asks=r"^│ ● 1\. .*|Action Required.*|^ *● 1\. .*",
)
# 0.15.10 and 0.24.4
QWEN_STATE: Final = AssistantStrategy(
    name="Qwen Code",
    programs=("qwen",),
    box=r"^─{20}.*\n[>!*] .*\n(?:.*\n)*?─{20}",
    works=r"\(\d.* · esc to cancel\)",
    asks=r"^ *│ › 1\. .*|Waiting for user confirmation.*",
    above=3,
)
ASSISTANTS: Final = (OPENCODE_STATE, CLAUDE_CODE_STATE, CODEX_STATE, GEMINI_STATE, QWEN_STATE)
