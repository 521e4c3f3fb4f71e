"""Profiles of well-known programs."""

# ruff: noqa: RUF001  # the arrows and dots of assistants are what is looked for

from typing import Final

from tmuxprim._profiles.answer import AnswerRows
from tmuxprim._profiles.profile import Profile
from tmuxprim._profiles.strategies import ScreenStrategy, known_screens
from tmuxprim._readiness.look import Outcome
from tmuxprim._values.keys import KeySequence

_ENTER: Final = KeySequence.keys("Enter")
_C_C: Final = KeySequence.keys("C-c")


def _types(text: str) -> KeySequence:
    return KeySequence.text(text) + _ENTER


SHELL: Final = Profile("shell", ("bash",), leave=(_types("exit"),), tried="bash 5.2.15")
# What indents by itself would indent twice what is typed line by line; see also IPYTHON.
PYTHON: Final = Profile(
    "python",
    ("python3", "-q"),
    env={"PYTHON_BASIC_REPL": "1"},
    prompt_rows=1,
    tried="3.11.7 3.13.0",
)
IPYTHON: Final = Profile(
    "ipython",
    ("ipython", "--no-banner", "--no-confirm-exit", "--no-autoindent"),
    prompt_rows=2,
    tried="9.18.1",
)
NODE: Final = Profile("node", ("node",), prompt_rows=1, tried="20.20.2")
SQLITE: Final = Profile(
    "sqlite3",
    ("sqlite3",),
    prompt_rows=1,
    # C-c leaves half a line as it is.
    interrupt=(_C_C, KeySequence.keys("C-u"), KeySequence.keys("C-d")),
    tried="3.40.1",
)
PSQL: Final = Profile("psql", ("psql", "-P", "pager=off"), prompt_rows=1, tried="15.18")
GDB: Final = Profile(
    "gdb",
    ("gdb", "-q", "-ex", "set pagination off"),
    prompt_rows=1,
    # It asks whether to kill a program that runs, which `set confirm off` spares.
    leave=(_types("set confirm off"), _types("quit")),
    interrupt=(_C_C, _types("set confirm off"), _types("quit")),
    tried="13.1",
)


_C_D: Final = KeySequence.keys("C-d")

# --- OpenCode, as seen on 1.2.15 and 1.18.33 ---

# The box in which one types, when nothing is typed; below it stands the row of hints.
_OPENCODE_EMPTY: Final = r"(?:^ *┃\n){3,}^ *┃  \S.*\n^ *╹▀.*\n"
_OPENCODE_BUSY: Final = r"esc (?:again to )?interrupt"
# What stands below an answer; only when that is complete it says how long it took.
_OPENCODE_DONE: Final = r"^ +▣ .* · (?:\d[\d.]*m?s|\d+[mh].*|interrupted)\n"
_OPENCODE_ASKS: Final = ScreenStrategy(
    shows=r"Permission required|Allow once +Allow always +Reject|enter (?:submit|confirm)\b.*esc",
    outcome=Outcome.AWAITING_INPUT,
)

OPENCODE: Final = Profile(
    "opencode",
    ("opencode",),
    ready=known_screens(
        _OPENCODE_ASKS,
        ScreenStrategy(shows=r"┃  Ask anything(?:.*\n)*.*\d+\.\d+\.\d+\S*$", hides=_OPENCODE_BUSY),
        # It was told to go on with an earlier session.
        ScreenStrategy(shows=_OPENCODE_EMPTY, hides=_OPENCODE_BUSY, settled=2.0),
    ),
    answered=known_screens(
        _OPENCODE_ASKS,
        # It draws the text of its answer last, half a second after that row, or some seconds when
        # it is the first one and the machine is busy.
        ScreenStrategy(
            shows=rf"^ +[^\s┃].*\n\n?{_OPENCODE_DONE}\n*{_OPENCODE_EMPTY}",
            hides=_OPENCODE_BUSY,
            settled=0.5,
        ),
        ScreenStrategy(shows=_OPENCODE_EMPTY, hides=_OPENCODE_BUSY, settled=10.0),
    ),
    rows=AnswerRows(asked=r"^  ┃ *(.*)", box=r"(?:^ *┃.*\n)+^ *╹▀", skip=r"^ +▣ ", margin="^ {5}"),
    page_up=KeySequence.keys("PPage"),
    page_end=KeySequence.keys("End"),
    paste=True,
    # `/exit` opens the picker of agents on some versions.
    leave=(KeySequence.keys("C-p"), KeySequence.text("exit"), _ENTER),
    interrupt=(KeySequence.keys("Escape"), KeySequence.keys("Escape"), _C_C, _C_C),
    max_columns=120,  # beyond, a second column stands beside the answer
    start_timeout=30.0,
    answer_timeout=120.0,
    tried="1.2.15 1.18.33",
)

# --- Claude Code, as seen on 2.1.197 and 2.1.330 ---

_CLAUDE_BOX: Final = r"^─{10}.*\n❯[ \u00a0]?"
_CLAUDE_BUSY: Final = r"esc to interrupt|^[✻✶✳✢✽·*] .*…"
_CLAUDE_ASKS: Final = ScreenStrategy(
    shows=r"Enter to confirm|Do you want to .*\?|❯ 1\. Yes", outcome=Outcome.AWAITING_INPUT
)

CLAUDE_CODE: Final = Profile(
    "claude",
    ("claude",),
    env={"CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN": "1"},  # so that a long answer is in the history
    ready=known_screens(_CLAUDE_ASKS, ScreenStrategy(shows=rf"{_CLAUDE_BOX}.*\n─", settled=0.5)),
    answered=known_screens(
        _CLAUDE_ASKS,
        ScreenStrategy(
            # Between them it may have something to say of the terminal.
            shows=rf"^[✻✶✳✢✽·*] \S+ for \d.*\n(?:\n|  \S.*\n)*{_CLAUDE_BOX}\n─",
            hides=_CLAUDE_BUSY,
            settled=0.3,
        ),
        ScreenStrategy(shows=rf"{_CLAUDE_BOX}\n─", hides=_CLAUDE_BUSY, settled=5.0),
    ),
    rows=AnswerRows(
        asked=r"^❯[ \u00a0](.*)",
        box=_CLAUDE_BOX,
        skip=r"^[✻✶✳✢✽·*] |^ +tmux focus-events off",
        margin=r"^[●⏺] |^  ",
    ),
    paste=True,
    leave=(KeySequence.text("/exit"), _ENTER),
    interrupt=(KeySequence.keys("Escape"), _C_C, _C_C, _C_D, _C_D),
    start_timeout=30.0,
    answer_timeout=120.0,
    tried="2.1.197 2.1.330",
)

# --- Codex, as seen on 0.169.0 ---

_CODEX_EMPTY: Final = "^› Ask Codex to do anything\n"
_CODEX_BUSY: Final = "esc to interrupt"
_CODEX_ASKS: Final = ScreenStrategy(
    shows=r"Press enter to (?:continue|confirm)|Sign in with|Do you trust|^› 1\. ",
    outcome=Outcome.AWAITING_INPUT,
)

CODEX: Final = Profile(
    "codex",
    ("codex", "--no-alt-screen"),  # so that a long answer is in the history
    ready=known_screens(
        _CODEX_ASKS,
        # It shows its box long before it takes a question, but this row only then.
        ScreenStrategy(shows=rf"{_CODEX_EMPTY}(?:.*\n)*^  .* · [~/].*$", settled=0.5),
    ),
    answered=known_screens(
        _CODEX_ASKS,
        ScreenStrategy(
            shows=rf"^  Worked for .*\n\n*{_CODEX_EMPTY}", hides=_CODEX_BUSY, settled=0.3
        ),
        # It does not say that it works while it writes.
        ScreenStrategy(shows=_CODEX_EMPTY, hides=_CODEX_BUSY, settled=10.0),
    ),
    rows=AnswerRows(
        asked="^› (.*)", box="^› ", skip=r"^  Worked for |^  └ Tip: ", margin=r"^• |^  "
    ),
    paste=True,
    leave=(KeySequence.text("/quit"), _ENTER),
    interrupt=(KeySequence.keys("Escape"), _C_C, _C_C, _C_D),
    start_timeout=30.0,
    answer_timeout=120.0,
    tried="0.169.0",
)

# --- aider, as seen on 0.86 ---

AIDER: Final = Profile(
    "aider",
    ("aider",),
    rows=AnswerRows(
        asked=r"^[\w-]*> (.*)", box=r"^─{10}.*\n(?:[^─>\n]*\n)*[\w-]*> ?$", skip=r"^Tokens: "
    ),
    leave=(KeySequence.text("/exit"), _ENTER),
    interrupt=(_C_C, _C_C, _C_D),
    start_timeout=60.0,
    answer_timeout=120.0,
    tried="0.86.2",
)
