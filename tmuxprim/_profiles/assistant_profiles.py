"""Profiles of AI assistants: how to start, ask and leave them.

When they wait, work or ask is judged as it is everywhere: by `tmuxprim._readiness.assistants`.
"""

# ruff: noqa: RUF001  # their arrows and dots are what is looked for

from typing import Final

import attrs

from tmuxprim._profiles.answer import AnswerRows
from tmuxprim._profiles.profile import Profile
from tmuxprim._profiles.strategies import known_screens
from tmuxprim._readiness.assistants import (
    CLAUDE_CODE_STATE,
    CODEX_STATE,
    GEMINI_STATE,
    OPENCODE_STATE,
    OPENCODE_UNFINISHED,
    QWEN_STATE,
)
from tmuxprim._readiness.chain import Chain
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.silence import AssistantStrategy, TitleStrategy
from tmuxprim._readiness.snapshot import Outcome
from tmuxprim._values.keys import KeySequence

_ENTER: Final = KeySequence.keys("Enter")
_C_C: Final = KeySequence.keys("C-c")
_C_D: Final = KeySequence.keys("C-d")
# Of a text of several lines each deletes one.
_C_U: Final = KeySequence.keys("C-u") * 9
# For Gemini CLI C-u does not delete an empty line.
_C_U_AND_UP: Final = KeySequence.keys("C-u", "BSpace") * 9
# One key clears the typed text, one announces the end, one ends: for some within 0.8 s.
_C_C_AT_ONCE: Final = _C_C * 3


def _in_session(state: AssistantStrategy) -> Chain:
    """Return what decides in a session, which knows what it has started."""
    own = attrs.evolve(state, programs=(), half_typed=Outcome.PROMPT)  # it looks after the box
    return known_screens(TitleStrategy((own,)), own)


OPENCODE: Final = Profile(
    "opencode",
    ("opencode",),
    answered=_in_session(OPENCODE_STATE),
    waiting={Outcome.PROMPT},
    rows=AnswerRows(
        asked=r"^  ┃ *(.*)",
        box=OPENCODE_STATE.box,
        skip=r"^ +▣ ",
        margin="^ {5}",
        failed=r"(?:^  ┃  (\S.*)\n(?: *┃?\n)*)?" + OPENCODE_UNFINISHED,
    ),
    page_up=KeySequence.keys("PPage"),
    page_end=KeySequence.keys("End"),
    paste=True,
    clear=_C_U,
    # `/exit` opens the picker of agents on some versions.
    leave=(KeySequence.keys("C-p"), KeySequence.text("exit"), _ENTER),
    interrupt=(*OPENCODE_STATE.interrupt, _C_C, _C_C),
    max_columns=120,  # beyond, a second column stands beside the answer
    start_timeout=30.0,
    answer_timeout=120.0,
    tried="1.2.15 1.18.33",
)

CLAUDE_CODE: Final = Profile(
    "claude",
    ("claude",),
    env={"CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN": "1"},  # so that a long answer is in the history
    answered=_in_session(CLAUDE_CODE_STATE),
    waiting={Outcome.PROMPT},
    rows=AnswerRows(
        asked=r"^❯[ \u00a0](.*)",
        box=CLAUDE_CODE_STATE.box,
        skip=r"^[✻✶✳✢✽·*] |^ +tmux focus-events off",
        margin=r"^[●⏺] |^  ",
        failed=(
            r"^(?:  ⎿ +|● )"
            r"((?:Interrupted|(?:Please run /login · )?API Error).*(?:\n  +\S.*)*)\n*\Z"
        ),
    ),
    paste=True,
    clear=_C_U,
    leave=(KeySequence.text("/exit"), _ENTER),
    interrupt=(*CLAUDE_CODE_STATE.interrupt, _C_C_AT_ONCE, _C_C_AT_ONCE),
    start_timeout=30.0,
    answer_timeout=120.0,
    tried="2.1.197 2.1.332",
)

CODEX: Final = Profile(
    "codex",
    ("codex", "--no-alt-screen"),  # so that a long answer is in the history
    answered=_in_session(CODEX_STATE),
    waiting={Outcome.PROMPT},
    rows=AnswerRows(
        asked="^› (.*)",
        box=CODEX_STATE.box,
        skip=r"^  Worked for |^  └ Tip: ",
        margin=r"^• |^  ",
        failed="^■ (.*)",
    ),
    paste=True,
    clear=_C_U,
    leave=(KeySequence.text("/quit"), _ENTER),
    interrupt=(*CODEX_STATE.interrupt, _C_C, _C_C, _C_D),
    start_timeout=30.0,
    answer_timeout=120.0,
    tried="0.169.0 0.171.0",
)

AIDER: Final = Profile(
    "aider",
    ("aider",),
    rows=AnswerRows(
        asked=r"^[\w-]*> (.*)",
        box=r"^─{10}.*\n(?:[^─>\n]*\n)*[\w-]*> ?$",
        skip=r"^Tokens: ",
        # Below an answer stands the count of tokens.
        failed=(
            r"(litellm\.\w*(?:Error|Exception)\b.*)(?:\n(?!Tokens: ).*)*\Z"
            r"|^(Empty response received.*)|^ *(\^C again to exit)\s*\Z"
        ),
    ),
    leave=(KeySequence.text("/exit"), _ENTER),
    interrupt=(_C_C, _C_C, _C_D),
    start_timeout=60.0,
    answer_timeout=120.0,
    tried="0.86.2",
)

GEMINI: Final = Profile(
    "gemini",
    ("gemini",),
    answered=_in_session(GEMINI_STATE),
    waiting={Outcome.PROMPT},
    rows=AnswerRows(
        asked="^ > (.*)",
        box=GEMINI_STATE.box,
        skip=r"^ Press Ctrl\+O to expand pasted text$",
        margin="^✦ |^  ",
        failed="^ℹ (Request cancelled.*)|^✕ (.*)",
    ),
    paste=True,
    clear=_C_U_AND_UP,
    leave=(KeySequence.text("/quit"), _ENTER),
    interrupt=(*GEMINI_STATE.interrupt, _C_C_AT_ONCE, _C_C_AT_ONCE),
    start_timeout=30.0,
    answer_timeout=120.0,
    tried="0.61.0",
)

QWEN: Final = Profile(
    "qwen",
    ("qwen",),
    answered=_in_session(QWEN_STATE),
    waiting={Outcome.PROMPT},
    rows=AnswerRows(
        asked="^  > (.*)",
        box=QWEN_STATE.box,
        margin="^  (?:(?:✦|◆\ufe0e?) |  )?",
        # A command that was not allowed has a minus.
        failed=r"^  ● (Request cancelled.*)|^  ✕ (.*)|^  │ - +(.*?) *│\n(?:  │.*\n)*  ╰─*╯\s*\Z",
    ),
    paste=True,
    clear=_C_U,
    leave=(KeySequence.text("/quit"), _ENTER),
    # Of several C-c at once it counts one, and those of a second later not together.
    interrupt=(*QWEN_STATE.interrupt, _C_U, KeySequence.text("/quit"), _ENTER),
    start_timeout=30.0,
    answer_timeout=120.0,
    tried="0.15.10 0.24.4",
)

# Simon Willison's llm reads whole lines, and does not while it works.
LLM: Final = Profile(
    "llm",
    ("llm", "chat"),
    prompt_rows=1,
    answered=default_chain("^> ?$"),
    leave=(KeySequence.text("exit"), _ENTER),
    answer_timeout=120.0,
    tried="0.36",
)
