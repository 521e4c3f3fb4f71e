"""The profiles of assistants, on rows that the real programs have shown."""

# ruff: noqa: RUF001  # their arrows and dots are what it is about

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import Outcome, Screen, Size, TtyState
from tmuxprim.profiles import AIDER, CLAUDE_CODE, CODEX, GEMINI, OPENCODE, QWEN, Profile
from tmuxprim.readiness import Busy, Ready, Snapshot, default_chain

LOOP = attrs.evolve(AT_PROMPT, only_reading=False, edits=None, children=frozenset())
RULE = "─" * 40
BOXES = {
    OPENCODE: f"  ┃\n  ┃\n  ┃\n  ┃  Build  M Local\n  ╹{'▀' * 36}\n   tab agents  ctrl+p commands",
    CLAUDE_CODE: f"{RULE}\n❯\u00a0\n{RULE}\n  ? for shortcuts",
    CODEX: "› Ask Codex to do anything\n\n  m default · ~/project\n  ← for agents",
    AIDER: f"{RULE}\n>",
    GEMINI: f"{'? for shortcuts':>40}\n{RULE}\n Shift+Tab to accept edits\n\n >   Type",
    QWEN: f"{RULE}\n>   Type your message or @path/to/file\n{RULE}\n  ? for shortcuts",
}
ASKED = {
    OPENCODE: "  ┃\n  ┃  why?\n  ┃",
    CLAUDE_CODE: "❯ why?",
    CODEX: "› why?",
    AIDER: "> why?",
    GEMINI: " > why?",
    QWEN: "  > why?",
}
BY_STATE = (OPENCODE, CLAUDE_CODE, CODEX, GEMINI, QWEN)


def shows(profile: Profile, answer: str) -> Screen:
    """Return a screen with a question, what stands below it, and the input box."""
    text = f"a title\n\n{ASKED[profile]}\n\n{answer}\n\n{BOXES[profile]}"
    return attrs.evolve(screen(text, size=Size(60, 30)), alternate=profile is OPENCODE)


@pytest.mark.parametrize(
    ("profile", "answer", "text", "failure"),
    [
        (OPENCODE, "     Because.\n\n     ▣  Build · m · 2.2s", "Because.", ""),
        (OPENCODE, "     Because.\n\n     ▣  Build · m · 1m 3s", "Because.", ""),
        (
            OPENCODE,
            "     ▣  Build · m · interrupted",
            "",
            "▣ Build · m · interrupted",
        ),
        (
            OPENCODE,
            "  ┃\n  ┃  this model refuses\n  ┃\n\n     ▣  Build · m",
            "  ┃\n  ┃  this model refuses\n  ┃",
            "this model refuses",
        ),
        (OPENCODE, "     $ touch made\n\n     ▣  Build · m", "$ touch made", "▣ Build · m"),
        (CLAUDE_CODE, "● Because.\n\n✻ Baked for 2s · done", "Because.", ""),
        (
            CLAUDE_CODE,
            "● It says:\n\n  ⎿  Interrupted\n  too\n\n● So.\n\n✻ Baked for 2s",
            "It says:\n\n⎿  Interrupted\ntoo\n\nSo.",
            "",
        ),
        (
            CLAUDE_CODE,
            "● Beca\n  ⎿  Interrupted · What should Claude do instead?",
            "Beca\n⎿  Interrupted · What should Claude do instead?",
            "Interrupted · What should Claude do instead?",
        ),
        (
            CLAUDE_CODE,
            "● API Error: 400 this model\n  refuses",
            "API Error: 400 this model\nrefuses",
            "API Error: 400 this model refuses",
        ),
        (
            CLAUDE_CODE,
            "● Please run /login · API Error: 401",
            None,
            "Please run /login · API Error: 401",
        ),
        (CODEX, "• Because.\n  ■ no mark of its own\n\n  Worked for 1s", None, ""),
        (
            CODEX,
            "■ Conversation interrupted - use /feedback",
            None,
            "Conversation interrupted - use /feedback",
        ),
        (AIDER, "It may be litellm.AuthError, ask.\nTokens: 1 sent, 2 received.", None, ""),
        (
            AIDER,
            "░litellm.BadRequestError: OpenAIException - no\n",
            None,
            "litellm.BadRequestError: OpenAIException - no",
        ),
        (AIDER, "  ░^CWaiting for openai/m\n\n^C again to exit", None, "^C again to exit"),
        (GEMINI, "✦ Because.\n  ✕ [no mark of its own]", None, ""),
        (GEMINI, "✦ Because.\n\n Press Ctrl+O to expand pasted text", "Because.", ""),
        (GEMINI, "ℹ Request cancelled.", None, "Request cancelled."),
        (GEMINI, "✕ [API Error: no]\nℹ This request failed.", None, "[API Error: no]"),
        (QWEN, "  ✦ Because.\n    ✕ [no mark of its own]", None, ""),
        (QWEN, "  ◆\ufe0e Because.\n\n    Yes.", "Because.\n\nYes.", ""),  # 0.24.4
        (QWEN, "  ● Request cancelled.", None, "Request cancelled."),
        (QWEN, "  ✕ [API Error: 400 no]", None, "[API Error: 400 no]"),
        (
            QWEN,
            "  ╭────╮\n  │ -  Shell touch made │\n  │     │\n  ╰────╯",
            None,
            "Shell touch made",
        ),
    ],
)
def test_an_answer_that_failed(
    profile: Profile, answer: str, text: str | None, failure: str
) -> None:
    """It is told by the program's own rows, not by words of the model's."""
    shown = shows(profile, answer)
    rows = profile.rows
    assert rows is not None
    assert rows.failure(shown, "why?") == failure
    if text is not None:
        assert rows.cut(shown, "why?") == (text, True)


@pytest.mark.parametrize("profile", BY_STATE, ids=lambda profile: profile.name)
def test_a_session_knows_what_it_has_started(profile: Profile) -> None:
    """Its state counts whatever the kernel calls the program, or if it tells nothing."""
    strategy = profile.answered
    assert strategy is not None
    shown = shows(profile, "it said")
    for tty in (attrs.evolve(LOOP, program="wrapper"), None):
        snapshot = Snapshot(screen=shown, tty=tty, unchanged_for=5.0)
        verdict = strategy.assess(snapshot)
        assert isinstance(verdict, Ready)
        assert verdict.outcome is Outcome.PROMPT


@pytest.mark.parametrize(
    ("profile", "dialog"),
    [
        (
            GEMINI,
            "│ Allow execution of [Shell]?   │\n│ ● 1. Allow once    │\n│   2. No    │\n╰───╯",
        ),
        (
            QWEN,
            "  │ › 1. Yes, allow once   │\n  ╰──╯\n\n  ⠏ Waiting for user confirmation...",
        ),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_dialog(profile: Profile, dialog: str) -> None:
    """It stands in the place of the box."""
    strategy = profile.answered
    assert strategy is not None
    snapshot = Snapshot(screen=screen(dialog, size=Size(60, 20)), tty=LOOP, unchanged_for=5.0)
    verdict = strategy.assess(snapshot)
    assert isinstance(verdict, Ready)
    assert verdict.outcome is Outcome.AWAITING_INPUT


def test_a_dialog_that_may_not_be_whole_yet_is_guessed_by_nobody() -> None:
    """On a busy machine who reads seemed to change each second, while its rows stood still."""
    shown = screen(" › 1. Yes, allow once\n\n  ⠏ Waiting for user confirmation...\n")
    snapshot = Snapshot(
        screen=attrs.evolve(shown, cursor_visible=False),
        tty=attrs.evolve(LOOP, program="qwen"),
        ticking_for=4.9,
    )
    reason = "Qwen Code asks: 'Waiting for user confirmation...'"
    verdict = default_chain().assess(snapshot)
    assert verdict == Busy(f"{reason}, not settled yet", again_in=0.05)
    for still in (
        attrs.evolve(snapshot, unchanged_for=1.5),
        attrs.evolve(snapshot, ticking_for=5.0),
    ):
        assert default_chain().assess(still) == Ready(Outcome.AWAITING_INPUT, reason)


@pytest.mark.parametrize(
    ("profile", "row"),
    [
        (GEMINI, " ⠹ Thinking... (esc to cancel, 0s)"),
        (QWEN, "  ... A moment (1s · esc to cancel)"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_it_works(profile: Profile, row: str) -> None:
    """The row right above its box says so."""
    strategy = profile.answered
    assert strategy is not None
    snapshot = Snapshot(screen=shows(profile, row), tty=LOOP, unchanged_for=5.0)
    assert not isinstance(strategy.assess(snapshot), Ready)


def test_what_reads_whole_lines_is_no_input_box() -> None:
    """Before it starts, and after its end."""
    strategy = CODEX.answered
    assert strategy is not None
    tty = TtyState(canonical=True, echo=True, reading=True)
    snapshot = Snapshot(screen=shows(CODEX, "it said"), tty=tty, unchanged_for=5.0)
    assert not isinstance(strategy.assess(snapshot), Ready)
