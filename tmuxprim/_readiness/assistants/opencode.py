"""OpenCode: the text that it shows was watched on the versions that `tried` lists."""

from typing import Final

from tmuxprim._readiness.assistants.assistant import C_C, ENTER, Assistant
from tmuxprim._readiness.silence import AssistantStrategy
from tmuxprim._values.keys import KeySequence

# Only below an answer that is whole it says how long that took. 1.2.15 never draws its first answer
# now and then, and says nothing there.
_UNFINISHED: Final = r"^ +▣ (?!.* · (?:\d[\d.]*m?s|\d+[mh].*)$).*\Z"

OPENCODE: Final = Assistant(
    # Its words come up to a second after Enter, which is why it has to be silent.
    state=AssistantStrategy(
        name="OpenCode",
        programs=("opencode",),
        box=r"(?:^ *┃.*\n){3,}^ *╹▀",
        works=r"esc (?:again to )?interrupt",
        quiet=1.2,
        # Between a question and how long its answer took 1.2.15 leaves blank rows now and then, and
        # draws the answer up to four seconds later.
        undrawn=r"^ *┃\n\n{2,} +▣ .*\Z",
        # Where it has drawn nothing between them it may never do so.
        unfinished=rf"{_UNFINISHED}|(?<=┃\n\n) +▣ .*\Z",
        asks=r"Permission required|Allow once +Allow always +Reject|enter (?:submit|confirm)\b.*",
        interrupt=(KeySequence.keys("Escape"),) * 2,  # it asks for the second: "esc again"
    ),
    command=("opencode",),
    asked=r"^  ┃ *(.*)",
    skip=r"^ +▣ ",
    margin="^ {5}",
    failed=r"(?:^  ┃  (\S.*)\n(?: *┃?\n)*)?" + _UNFINISHED,
    page_up=KeySequence.keys("PPage"),
    page_end=KeySequence.keys("End"),
    # `/exit` opens the picker of agents on some versions.
    leave=(KeySequence.keys("C-p"), KeySequence.text("exit"), ENTER),
    end=(C_C, C_C),
    max_columns=120,  # beyond, a second column stands beside the answer
    tried="1.2.15 1.18.33",
)
