"""Programs that work while they read: their titles, their own rows, their silence."""

# ruff: noqa: RUF001  # the arrows of assistants are what it is about

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, MARK, RAW_ONLY, screen
from tmuxprim import Cursor, Mark, Outcome, PromptStrategy, Screen, Size, TtyState, default_chain
from tmuxprim._readiness import assistants
from tmuxprim._readiness.box import AssistantState
from tmuxprim._readiness.silence import KnownProgramStrategy, SilenceStrategy, TitleStrategy
from tmuxprim.readiness import AssistantStrategy, Busy, Pass, Ready, Snapshot, Verdict

# An event loop: it reads the terminal, and waits for other things as well.
LOOP = attrs.evolve(AT_PROMPT, only_reading=False, edits=None, children=frozenset())
FULL = attrs.evolve(screen("a menu"), alternate=True, command="menu")


def snapshot(shown: Screen = FULL, tty: TtyState | None = LOOP, **fields: object) -> Snapshot:
    """Return a snapshot of a program with an event loop."""
    fields.setdefault("unchanged_for", fields.get("silent_for", 0.0))
    return Snapshot(screen=shown, tty=tty, **fields)  # type: ignore[arg-type]  # the fields of a snapshot


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({"silent_for": 1.5}, Ready),
        ({"silent_for": 1.4}, Busy),
        ({"silent_for": 4.0, "unchanged_for": 1.4}, Busy),  # it was seen to run
        # The picture stands, and something is written that it does not show: a cursor that blinks.
        ({"silent_for": 0.1, "unchanged_for": 4.9}, Busy),
        ({"silent_for": 0.1, "unchanged_for": 5.0}, Ready),
        # A clock ticks, and nothing else changes.
        ({"silent_for": 0.1, "unchanged_for": 0.1, "ticking_for": 4.9}, Busy),
        ({"silent_for": 0.1, "unchanged_for": 0.1, "ticking_for": 5.0}, Ready),
        ({"shown": attrs.evolve(screen(""), alternate=True), "silent_for": 9.0}, Busy),
        ({"shown": attrs.evolve(screen("x"), cursor_visible=False), "silent_for": 1.5}, Ready),
        ({"shown": screen("> "), "silent_for": 9.0}, Pass),  # a REPL at its prompt
        ({"tty": AT_PROMPT, "silent_for": 9.0}, Pass),  # less only reads
        ({"tty": None, "silent_for": 9.0}, Pass),
        ({"tty": attrs.evolve(LOOP, passes_on=True), "silent_for": 9.0}, Pass),
        ({"tty": attrs.evolve(LOOP, canonical=True), "silent_for": 9.0}, Pass),
    ],
)
def test_silence(fields: dict[str, object], verdict: type[Verdict]) -> None:
    """Only a program that draws itself and may work is waited for, until it writes no more."""
    assert isinstance(SilenceStrategy().assess(snapshot(**fields)), verdict)  # type: ignore[arg-type]  # fields of a table


@pytest.mark.parametrize(
    ("before", "now", "silent_for"),
    [(None, {7}, 1.5), ({7}, {7}, 1.5), ({7}, set[int](), 1.5), ({7}, {7, 8}, 10.0)],
)
def test_what_it_has_started_is_waited_for(
    before: set[int] | None, now: set[int], silent_for: float
) -> None:
    """A tool that runs in silence: not what has run before the key, as a language server does."""
    known = attrs.evolve(LOOP, children=None if before is None else frozenset(before))
    seen = snapshot(
        tty=attrs.evolve(LOOP, children=frozenset(now)),
        mark=attrs.evolve(MARK, tty=known),
        silent_for=silent_for,
    )
    assert isinstance(SilenceStrategy().assess(seen), Ready)
    less = silent_for - 0.1
    sooner = attrs.evolve(seen, silent_for=less, unchanged_for=less, ticking_for=less)
    assert isinstance(SilenceStrategy().assess(sooner), Busy)


@pytest.mark.parametrize(
    ("title", "verdict"),
    [
        ("⠋ project", Busy),
        ("✦  Working… (project)", Busy),
        ("◐ chat", Busy),
        ("[ ! ] Action Required | project", Ready),
        ("✋  Action Required (project)", Ready),
        ("✳ Claude Code", Pass),
        ("", Pass),
    ],
)
def test_titles(title: str, verdict: type[Verdict]) -> None:
    """A title tells that a program works or asks, and never that it waits."""
    seen = snapshot(attrs.evolve(FULL, title=title), silent_for=1.0)
    assert isinstance(TitleStrategy().assess(seen), verdict)
    by_shell = attrs.evolve(seen, tty=AT_PROMPT)
    assert isinstance(TitleStrategy().assess(by_shell), Pass)


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        (
            "Run it?\n│ Allow execution of [Shell]?     │\n│ ● 1. Yes │",
            "Allow execution of [Shell]?",
        ),
        ("  Would you like to run it?\n› 1. Yes", "Would you like to run it?"),
        ("1. Yes\n?", "Action Required (project)"),
    ],
)
def test_a_title_that_asks_is_told_with_the_question(rows: str, asked: str) -> None:
    """The lowest row that asks, or the title where no row does."""
    shown = attrs.evolve(screen(rows), title="Action Required (project)  ")
    verdict = TitleStrategy().assess(snapshot(shown, LOOP, silent_for=1.0))
    assert verdict.reason == f"its title says that it asks: {asked!r}"


CHAT = AssistantStrategy(
    name="Chat",
    programs=("chat",),
    box="^>.*$",
    works="esc to stop",
    asks=r"Run it\? \[y/n\]",
    above=1,
)
OF_CHAT = attrs.evolve(LOOP, program="chat")


@pytest.mark.parametrize(
    ("text", "silent_for", "verdict", "said"),
    [
        ("hello\n> \n", 1.5, Ready, "Chat waits for a prompt"),
        ("hello\n> \n", 1.4, Busy, "Chat waits for a prompt, but has been silent for 1.4 s only"),
        ("hello\n> \nesc to stop", 9.0, Busy, "Chat works: 'esc to stop'"),
        ("hello\nesc to stop\n> ", 9.0, Busy, "Chat works: 'esc to stop'"),
        ("esc to stop\nit said\n> ", 9.0, Ready, "Chat waits for a prompt"),  # in its answer
        ("Run it? [y/n]\nit said\n> ", 9.0, Ready, "Chat waits for a prompt"),
        ("ls\nRun it? [y/n]", 1.5, Ready, "Chat asks: 'Run it? [y/n]'"),
        ("it draws", 1.5, Busy, "neither its input box nor a dialog"),
        ("a menu of its own", 9.0, Ready, "neither its input box nor a dialog"),
    ],
)
def test_an_assistant(text: str, silent_for: float, verdict: type[Verdict], said: str) -> None:
    """It is judged by its own rows, whatever it says in an answer."""
    found = CHAT.assess(snapshot(screen(text), OF_CHAT, silent_for=silent_for))
    assert isinstance(found, verdict)
    assert said in found.reason


def test_an_assistant_that_is_seen_to_run_now_and_then() -> None:
    """As each is on a busy machine; its own rows say that it waits, or nothing does.

    One that has just taken a question runs in silence too, and for a shorter time.
    """
    seen = snapshot(screen("hello\n> \n"), OF_CHAT, silent_for=20.0, unchanged_for=0.1)
    assert isinstance(CHAT.assess(seen), Ready)
    assert isinstance(CHAT.assess(attrs.evolve(seen, silent_for=19.9)), Busy)
    unknown = attrs.evolve(seen, screen=screen("a menu of its own"))
    assert isinstance(CHAT.assess(unknown), Busy)


@pytest.mark.parametrize(
    ("box", "typed", "outcome"),
    [
        ("> hi", "hi", Outcome.AWAITING_INPUT),
        ("> hi\u200b", "hi", Outcome.AWAITING_INPUT),
        ("> an earlier one, tell me more", "tell me more", Outcome.AWAITING_INPUT),
        ("> and the rest", "a text that is wrapped and the rest", Outcome.AWAITING_INPUT),
        ("> this", "hi", Outcome.PROMPT),
        ("> hi", "", Outcome.PROMPT),  # a person has typed it meanwhile
        ("> ", "hi", Outcome.PROMPT),
    ],
)
def test_an_enter_that_was_dropped(box: str, typed: str, outcome: Outcome) -> None:
    """What was sent is in the box still, so that no answer has come: a session tells it apart."""
    mark = Mark(screen=screen("hello\n> "), tty=OF_CHAT, typed=typed)
    seen = snapshot(screen(f"hi\nOK\n\n{box}"), OF_CHAT, mark=mark, silent_for=2.0)
    found = attrs.evolve(CHAT, half_typed=Outcome.PROMPT).assess(seen)
    assert isinstance(found, Ready)
    assert found.outcome is outcome


@pytest.mark.parametrize("mark", [None, Mark(screen=screen("hello\n> "), typed="hi")])
def test_a_text_in_the_box_that_others_have_typed(mark: Mark | None) -> None:
    """It is reported in any case: Claude Code puts an interrupted question there again."""
    found = CHAT.assess(snapshot(screen("hi\n\n> an old one"), OF_CHAT, mark=mark, silent_for=2.0))
    assert found == Ready(
        Outcome.AWAITING_INPUT,
        "'an old one' is in the box of Chat and not sent: Enter sends it (Escape first if a picker "
        "is open), C-u deletes it",
    )


@pytest.mark.parametrize(
    ("box", "cursor", "typed"),
    [
        ("> hi", Cursor(1, 4), "hi"),
        ("> ", Cursor(1, 2), ""),
        ('> Try "fix it"', Cursor(1, 2), ""),  # what it shows while it is empty
        ("> one\n  two\n", Cursor(3, 2), "one\ntwo"),
        ("> one\n\n  three", Cursor(3, 7), "one\n\nthree"),
        ("> hi\n──────\n hints", Cursor(3, 3), ""),  # the cursor is below it
        ("┃\n┃ one\n┃ two\n╹▀▀▀", Cursor(3, 5), "one\ntwo"),
        ("┃\n┃ \n┃ M\n╹▀▀▀", Cursor(2, 2), ""),
        ("> hi", Cursor(0, 1), ""),  # above it, in a palette
    ],
)
def test_what_is_typed_in_a_box(box: str, cursor: Cursor, typed: str) -> None:
    """It is what is left of the cursor, from the sign of the box, or within its frame."""
    strategy = attrs.evolve(CHAT, box=r"^>.*$|^┃(?:.*\n)+?╹▀")
    seen = attrs.evolve(screen(f"hello\n{box}"), cursor=cursor)
    shown = strategy.shown(snapshot(seen, OF_CHAT))
    assert (shown.state, shown.typed) == (AssistantState.BOX, typed)


def test_what_loads_may_be_silent_for_long() -> None:
    """Right after its start nothing is concluded from that; an unknown menu may show the same."""
    shell, chat = AT_PROMPT, attrs.evolve(OF_CHAT, foreground_pid=12)
    seen = snapshot(screen("loading"), chat, mark=attrs.evolve(MARK, tty=shell), silent_for=60.0)
    assert isinstance(CHAT.assess(seen), Busy)
    later = attrs.evolve(seen, mark=attrs.evolve(MARK, tty=chat))
    assert isinstance(CHAT.assess(later), Ready)
    assert isinstance(CHAT.assess(attrs.evolve(seen, mark=None)), Ready)


def test_a_dialog_that_was_answered_may_stand_there_still() -> None:
    """Where nothing has changed since the key, it has to stand longer."""
    asked = screen("Run it? [y/n]")
    mark = Mark(screen=asked, tty=OF_CHAT)
    seen = snapshot(asked, OF_CHAT, mark=mark, unchanged_for=0.4)
    assert isinstance(CHAT.assess(seen), Busy)
    assert isinstance(CHAT.assess(attrs.evolve(seen, mark=None)), Ready)


ASKS = "[ ! ] Action Required | project"


@pytest.mark.parametrize("rows", ["hello\n> \n", "esc to stop\n> \n"])
def test_a_title_that_asks_before_the_dialog_is_drawn(rows: str) -> None:
    """The wait goes on until it is; after five seconds that stand still the rows are believed."""
    seen = snapshot(attrs.evolve(screen(rows), title=ASKS), OF_CHAT, silent_for=4.9)
    reason = "Chat says that it asks, and has not drawn its dialog yet"
    chain = default_chain(programs=[CHAT])
    assert chain.assess(seen) == Busy(reason, again_in=5.0 - 4.9)
    assert CHAT.shown(seen).state is AssistantState.UNDRAWN
    later = attrs.evolve(seen, silent_for=5.0, unchanged_for=5.0)
    assert CHAT.shown(later).state is (
        AssistantState.BOX if "hello" in rows else AssistantState.WORKS
    )
    drawn = attrs.evolve(later, screen=attrs.evolve(screen("Go on?\nRun it? [y/n]"), title=ASKS))
    assert chain.assess(drawn) == Ready(Outcome.AWAITING_INPUT, "Chat asks: 'Go on?'")


def test_a_title_that_asks_where_no_dialog_is_known() -> None:
    """Where there is no box, the rows do not contradict it, however long they stand."""
    seen = snapshot(attrs.evolve(screen("Which?\na  b"), title=ASKS), OF_CHAT, silent_for=60.0)
    assert CHAT.assess(seen) == Ready(Outcome.AWAITING_INPUT, f"Chat asks: {ASKS!r}")
    waiting = attrs.evolve(OF_CHAT, status="waiting")
    seen = snapshot(screen("a  b"), waiting, silent_for=60.0)
    assert CHAT.assess(seen) == Ready(Outcome.AWAITING_INPUT, "Chat asks something")
    assert CHAT.shown(snapshot(screen("> "), waiting)).state is AssistantState.UNDRAWN


def test_a_title_that_works_behind_a_box() -> None:
    """Codex says in nothing but its title that it writes."""
    seen = snapshot(attrs.evolve(screen("> "), title="⠋ project "), OF_CHAT, silent_for=9.0)
    assert CHAT.assess(seen) == Busy("Chat works: '⠋ project'")
    assert isinstance(CHAT.assess(attrs.evolve(seen, tty=OF_CHAT, screen=screen("> "))), Ready)


@pytest.mark.parametrize("title", [ASKS, "⠋ project"])
def test_a_title_that_another_program_has_left(title: str) -> None:
    """It says nothing of the one that is in front, from its start on; another title does."""
    shown = attrs.evolve(screen("> "), title=title)
    shell, chat = AT_PROMPT, attrs.evolve(OF_CHAT, foreground_pid=12)
    for mark in (Mark(screen=shown, tty=shell), Mark(screen=shown, tty=chat, left_title=title)):
        seen = snapshot(shown, chat, mark=mark, silent_for=2.0)
        assert isinstance(TitleStrategy().assess(seen), Pass)
        assert isinstance(CHAT.assess(seen), Ready)
        new = attrs.evolve(shown, title=f"{title}s")
        assert not isinstance(TitleStrategy().assess(attrs.evolve(seen, screen=new)), Pass)


@pytest.mark.parametrize(
    "tty",
    [None, AT_PROMPT, attrs.evolve(OF_CHAT, program="node"), attrs.evolve(OF_CHAT, canonical=True)],
)
def test_another_program_is_not_judged(tty: TtyState | None) -> None:
    """Nor is the same one when it reads lines, as `chat --batch` would."""
    assert isinstance(CHAT.assess(snapshot(screen("> "), tty, silent_for=9.0)), Pass)


OPENCODE = """\
     Do you want to proceed? esc interrupt
     Allow once   Allow always   Reject

     ▣  Build · m · 4.2s

  ┃
  ┃
  ┃
  ┃  Build  M Local
  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
   {}            tab agents  ctrl+p commands
"""
CLAUDE = """\
● Do you want to proceed? esc to interrupt
  ❯ 1. Yes

────────────────────────────────────────
❯\u00a0
────────────────────────────────────────
  ⏵⏵ auto mode on {}
"""
CODEX = """\
› an earlier question

• › 1. Yes, Sign in with esc to interrupt
  more of it
  and more

{}

› Ask Codex to do anything

  m default · ~/project
  ← for agents
"""
BOXES = {"opencode": OPENCODE, "claude": CLAUDE, "codex": CODEX}
STATES = (assistants.OPENCODE.state, assistants.CLAUDE_CODE.state, assistants.CODEX.state)


@pytest.mark.parametrize(
    ("box", "is_held"),
    [
        ("› Ask Codex to do anything\n\n  m default · ~/project · a quick one", False),
        ("› a quick one\n\n  m default · ~/project · a quick one", True),
    ],
)
def test_the_name_of_a_talk_below_the_box_is_not_typed(box: str, *, is_held: bool) -> None:
    """Codex 0.171.0 takes the first question for it."""
    shown = attrs.evolve(screen(f"• Hi.\n\n{box}\n  ? for shortcuts"), cursor=Cursor(2, 2))
    mark = Mark(screen=screen(""), typed="a quick one")
    of_codex = attrs.evolve(LOOP, program="codex")
    seen = snapshot(shown, of_codex, mark=mark, silent_for=2.0)
    assert assistants.CODEX.state.shown(seen).holds("a quick one") is is_held
    found = assistants.CODEX.state.assess(seen)
    assert isinstance(found, Ready)
    assert found.outcome is (Outcome.AWAITING_INPUT if is_held else Outcome.PROMPT)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_words_of_an_answer_are_no_state(state: AssistantStrategy) -> None:
    """An answer that quotes what the program itself says sticks nobody."""
    (name,) = state.programs
    of_it = attrs.evolve(LOOP, program=name)
    for words, verdict in (("", Ready), ("esc interrupt (2s • esc to interrupt)", Busy)):
        shown = attrs.evolve(screen(BOXES[name].format(words), size=Size(60, 24)), alternate=True)
        found = state.assess(snapshot(shown, of_it, silent_for=2.0))
        assert isinstance(found, verdict)
        assert found.reason.startswith(f"{state.name} {'works' if words else 'waits'}")


@pytest.mark.parametrize(
    ("answer", "silent_for", "said"),
    [
        ("\n     Hi.\n", 1.2, "ready (prompt): OpenCode waits for a prompt"),
        ("\n\n", 1.2, "busy: OpenCode waits for a prompt, and has not drawn its answer, but"),
        ("\n\n", 7.2, "ready (prompt): OpenCode waits for a prompt, and has not drawn its answer"),
        ("", 1.2, "ready (prompt): OpenCode waits for a prompt; its last answer is not whole, or"),
    ],
)
def test_an_answer_that_is_not_drawn_is_waited_for(
    answer: str, silent_for: float, said: str
) -> None:
    """OpenCode 1.2.15 says how long it took, and draws it up to four seconds later."""
    asked = f"  ┃  Hello\n  ┃\n{answer}\n     ▣  Build · m · 2.1s\n\n"
    shown = screen(f"{asked}{OPENCODE.partition('4.2s')[2].format('')}", size=Size(60, 24))
    seen = snapshot(shown, attrs.evolve(LOOP, program="opencode"), silent_for=silent_for)
    assert str(assistants.OPENCODE.state.assess(seen)).startswith(said)


@pytest.mark.parametrize("typed", ["a question", ""])
@pytest.mark.parametrize(
    ("above", "ends_line", "silent_for", "waits"),
    [
        ("> hello\nHi.", True, 7.0, True),
        ("> hello\nHi.", True, 7.3, False),
        ("> hello\nHi.", False, 2.0, False),
        ("Hi.\n  ┃\n  ┃  a question\n  ┃", True, 7.0, True),
        ("Hi.\n  ┃\n  ┃  a question\n  ┃", True, 7.3, False),
        ("Hi.\n  ┃\n  ┃  a question\n  ┃", False, 2.0, False),
        ("Hi.\n  ┃\n  ┃  a question\n  ┃\n\n     Hello.", True, 2.0, False),
    ],
)
def test_an_answer_that_has_not_begun_is_waited_for(
    above: str, typed: str, silent_for: float, *, ends_line: bool, waits: bool
) -> None:
    """OpenCode empties its box, draws the question, and works, with seconds between the three."""
    box = OPENCODE.partition("4.2s")[2].format("")
    asked = screen(f"> hello\nHi.{box.replace('┃', f'┃  {typed}', 1)}", size=Size(60, 24))
    row = next(row for row, text in enumerate(asked.rows) if text.startswith("  ┃"))
    asked = attrs.evolve(asked, cursor=Cursor(row, 5 + len(typed)))
    mark = Mark(screen=asked, ends_line=ends_line, typed="" if typed else "a question")
    shown = screen(f"{above}{box}", size=Size(60, 24))
    of_it = attrs.evolve(LOOP, program="opencode")
    found = assistants.OPENCODE.state.assess(
        snapshot(shown, of_it, mark=mark, silent_for=silent_for)
    )
    assert isinstance(found, Busy) is waits
    assert ("has not drawn its answer" in found.reason) is (silent_for > 6.0)


@pytest.mark.parametrize(
    "row", ["▣  Build · m", "▣  Build · m · interrupted", "▣  Build · m · 2.7s"]
)
def test_an_answer_that_is_not_whole_is_told(row: str) -> None:
    """OpenCode 1.2.15 never draws its first one now and then: an empty one is no answer."""
    asked = f"  ┃  Hello\n  ┃\n\n     {row}\n\n"
    shown = screen(f"{asked}{OPENCODE.partition('4.2s')[2].format('')}", size=Size(60, 24))
    found = assistants.OPENCODE.state.assess(
        snapshot(shown, attrs.evolve(LOOP, program="opencode"), silent_for=1.2)
    )
    assert found == Ready(
        Outcome.PROMPT,
        f"OpenCode waits for a prompt; its last answer is not whole, or not shown: {row!r}",
    )


@pytest.mark.parametrize(
    ("state", "dialog"),
    [
        (
            assistants.OPENCODE.state,
            "  ┃  △ Permission required\n  ┃  $ ls\n  ┃   Allow once   Reject",
        ),
        (
            assistants.CLAUDE_CODE.state,
            " Bash command\n Do you want to proceed?\n ❯ 1. Yes\n   2. No",
        ),
        (
            assistants.CODEX.state,
            "  $ ls\n› 1. Yes, proceed (y)\n  2. No\n  Press enter to confirm",
        ),
    ],
)
def test_dialogs(state: AssistantStrategy, dialog: str) -> None:
    """What stands in the place of the input box asks."""
    of_it = attrs.evolve(LOOP, program=state.programs[0])
    found = state.assess(snapshot(screen(dialog), of_it, silent_for=2.0))
    assert isinstance(found, Ready)
    assert found.outcome is Outcome.AWAITING_INPUT


PATTERN = default_chain("Build")


@pytest.mark.parametrize(
    ("shown", "tty", "outcome"),
    [
        (FULL, AT_PROMPT, None),  # no full-screen program
        (FULL, LOOP, None),  # no silence
        (screen("x "), RAW_ONLY, None),  # no stillness
        (attrs.evolve(screen("Build"), alternate=True), LOOP, Outcome.PROMPT),
        (attrs.evolve(screen("Build"), alternate=True, title="⠋ a"), LOOP, None),
        (screen("Go on? [y/N] "), attrs.evolve(RAW_ONLY, reading=None), Outcome.STABLE),
    ],
)
def test_a_pattern_is_a_condition(shown: Screen, tty: TtyState, outcome: Outcome | None) -> None:
    """Besides it only a question ends the wait, and what the program says of itself vetoes it."""
    verdict = PATTERN.assess(snapshot(shown, tty, silent_for=9.0))
    assert (verdict.outcome if isinstance(verdict, Ready) else None) is outcome


def test_a_pattern_waits_for_the_silence_of_who_may_work() -> None:
    """Its prompt stands there at all times."""
    shown = attrs.evolve(screen("Build"), alternate=True)
    strategy = PromptStrategy("Build", last_line=True)
    verdict = strategy.assess(snapshot(shown, silent_for=1.0, unchanged_for=9.0))
    assert isinstance(verdict, Pass)
    assert verdict.again_in == 0.5


@pytest.mark.parametrize("pattern", ["> $", "chat> $", r"^chat>\s$", "chat>$"])
def test_a_pattern_of_a_prompt_that_ends_in_a_blank(pattern: str) -> None:
    """It is searched in the row up to the cursor as well, where the blank is."""
    verdict = PromptStrategy(pattern, last_line=True).assess(
        Snapshot(screen=screen("hi\nchat> "), tty=AT_PROMPT, unchanged_for=9.0)
    )
    assert isinstance(verdict, Ready)


def test_who_waits_for_a_prompt_that_is_known_waits_for_the_pattern() -> None:
    """A known program vetoes and asks, but its prompt is not the one that was given."""
    ready = snapshot(screen("hello\n> \n"), OF_CHAT, silent_for=9.0)
    assert isinstance(KnownProgramStrategy((CHAT,), finds_prompts=False).assess(ready), Pass)
    asks = snapshot(screen("Run it? [y/n]"), OF_CHAT, silent_for=9.0)
    assert isinstance(KnownProgramStrategy((CHAT,), finds_prompts=False).assess(asks), Ready)
    verdict = default_chain("nothing of the kind", programs=[CHAT]).assess(ready)
    assert verdict.reason == "the pattern is not in '>'"


def test_a_program_of_ones_own() -> None:
    """It is asked where the known ones are, before the look of a prompt counts."""
    seen = snapshot(screen("hello\n> "), OF_CHAT, silent_for=9.0)
    verdict = default_chain(programs=[CHAT]).assess(seen)
    assert verdict == Ready(Outcome.PROMPT, "Chat waits for a prompt")


MENU = attrs.evolve(screen("? Which one? (Use arrow keys)\n❯ a\n  b"), cursor_visible=False)


@pytest.mark.parametrize(
    ("fields", "asks"),
    [
        ({}, True),
        ({"silent_for": 0.4}, False),
        ({"shown": attrs.evolve(MENU, alternate=True)}, False),
        ({"shown": attrs.evolve(screen("(Use arrow keys) "), cursor_visible=False)}, False),
        ({"mark": Mark(screen=MENU)}, False),
        ({"mark": Mark(screen=screen("$ "))}, True),
    ],
    ids=["a menu", "too soon", "a whole screen", "no question", "it stood there", "it is new"],
)
def test_a_menu_asks_by_its_words(fields: dict[str, object], *, asks: bool) -> None:
    """As those of inquirer and questionary, which hide the cursor."""
    fields = {"shown": MENU, "silent_for": 0.5, **fields}
    verdict = SilenceStrategy().assess(snapshot(**fields))  # type: ignore[arg-type]  # fields of a table
    asked = "a menu asks: '? Which one? (Use arrow keys)'"
    assert (verdict == Ready(Outcome.AWAITING_INPUT, asked)) is asks


# InquirerPy's fuzzy menu: the cursor stands where it is searched.
SEARCHED = attrs.evolve(screen("? Which city?\n❯   3/3\n❯ Paris\n  Lyon"), cursor=Cursor(1, 2))
ALONE = attrs.evolve(LOOP, only_reading=True)


@pytest.mark.parametrize(
    ("tty", "seconds", "outcome"),
    [
        (LOOP, 0.5, Outcome.AWAITING_INPUT),
        (ALONE, 0.08, Outcome.AWAITING_INPUT),
        (RAW_ONLY, 2.0, Outcome.STABLE),
        (None, 2.0, Outcome.STABLE),
    ],
)
def test_a_menu_that_is_searched_asks(
    tty: TtyState | None, seconds: float, outcome: Outcome
) -> None:
    """What stands between a question and what can be chosen is no prompt, though it looks so."""
    shown = attrs.evolve(SEARCHED, command="python3")
    verdict = default_chain().assess(snapshot(shown, tty, silent_for=seconds - 0.01))
    assert not isinstance(verdict, Ready)
    verdict = default_chain().assess(snapshot(shown, tty, silent_for=seconds))
    assert isinstance(verdict, Ready)
    assert verdict.outcome is outcome


@pytest.mark.parametrize(
    "shown",
    [
        attrs.evolve(screen("? Which city? Lyon\n❯ "), command="python3"),
        attrs.evolve(screen("~/work main\n❯ \n  a"), cursor=Cursor(1, 2), command="python3"),
        attrs.evolve(screen("❯ \n  a"), cursor=Cursor(0, 2), command="python3"),
        attrs.evolve(SEARCHED, command="zsh"),
    ],
    ids=["nothing to choose", "no question", "nothing above", "a shell"],
)
def test_a_prompt_beside_a_question_is_one(shown: Screen) -> None:
    """A prompt of this look stands below a question, or above a list, but not between both."""
    tty = attrs.evolve(ALONE, edits=True)
    verdict = PromptStrategy().assess(snapshot(shown, tty, silent_for=1.0))
    assert isinstance(verdict, Ready)
    assert verdict.outcome is Outcome.PROMPT


RULE = "─" * 40
OWN_STATUS = f"""
{RULE}
❯
{RULE}
  Model: M | Context: 59k
  ⏵⏵ bypass permissions on (shift+tab to cycle) · ← for agents
"""
OF_CLAUDE = attrs.evolve(LOOP, program="claude")
SENT = "✻ Waiting for 2 background agents to finish"


@pytest.mark.parametrize(
    ("above", "said"),
    [
        (
            "  DONE 42\n\n✳ Frosting… (running Stop hooks… 2/3 · 11s)\n  ⎿  Tip: Use git\n",
            "Frosting…",
        ),
        (
            "● Hi.\n\n· Compacting conversation… (2m 27s)\n  ▰▰▱ 81%\n\n  ❯ btw one\n    two\n",
            "Compac",
        ),
        (
            "❯ Hi.\n\n✻ Connection refused (ECONNREFUSED) · Retrying in 14s · attempt 6/10\n",
            "Connec",
        ),
        ("✻ Frosting…\n\n● It said so.\n", ""),
        ("● It said:\n  ✻ Frosting…\n", ""),  # in an answer, which is indented
        ("● Hi.\n\n✻ Worked for 4s · done 12:26 PM\n", ""),
    ],
)
def test_the_spinner_of_claude_code_tells_that_it_works(above: str, said: str) -> None:
    """With a status line of the user's own it does not say how to interrupt it in each mode."""
    shown = screen(f"{above}{OWN_STATUS}", size=Size(80, 24))
    found = assistants.CLAUDE_CODE.state.assess(snapshot(shown, OF_CLAUDE, silent_for=9.0))
    assert isinstance(found, Busy if said else Ready)
    assert said in found.reason


def test_queued_messages_tell_that_claude_code_works() -> None:
    """Its box says how to edit them, also where its spinner has scrolled off."""
    hint = "Press up to edit queued messages"
    rows = f"● Hi.\n\n  ❯ btw one\n{OWN_STATUS}".replace("❯\n", f"❯ {hint}\n")
    shown = attrs.evolve(screen(rows, size=Size(80, 24)), cursor=Cursor(4, 2))
    found = assistants.CLAUDE_CODE.state.assess(snapshot(shown, OF_CLAUDE, silent_for=9.0))
    assert found == Busy(f"Claude Code works: {hint!r}")


@pytest.mark.parametrize(
    ("above", "below", "status", "reason"),
    [
        (
            "✻ Waiting for 3 background agents to finish\n",
            "",
            "idle",
            "while others work for it: '✻ Waiting for 3 background agents to finish'",
        ),
        (
            "✻ Worked for 4s\n",
            "\n  ⏺ main\n  ◯ Explore  Map pages   2m 49s",
            None,
            "while others work for it: '◯ Explore  Map pages   2m 49s'",
        ),
        ("✻ Worked for 4s\n", "", "shell", "while a command of it runs on"),
        ("✻ Worked for 4s\n", "", "idle", ""),
    ],
)
def test_claude_code_works_on_and_takes_input(
    above: str, below: str, status: str | None, reason: str
) -> None:
    """Its agents and commands in the background are told apart from nothing to do."""
    shown = screen(f"● Hi.\n\n{above}{OWN_STATUS}{below}", size=Size(80, 24))
    tty = attrs.evolve(OF_CLAUDE, status=status)
    found = assistants.CLAUDE_CODE.state.assess(snapshot(shown, tty, silent_for=2.0))
    waits = "Claude Code waits for a prompt"
    assert found == Ready(Outcome.PROMPT, f"{waits}, {reason}" if reason else waits)


@pytest.mark.parametrize(
    ("shown", "status", "verdict"),
    [
        (OWN_STATUS, "busy", Busy("Claude Code works: its status file says so")),
        # 2.1.332 says so while its agents work in the background, and takes a question meanwhile.
        (
            f"● Sent.\n\n{SENT}\n{OWN_STATUS}\n  ● main\n  ◯ general-purpose  Look around 1   2s",
            "busy",
            Busy(f"Claude Code works: its status file says so, while others work for it: {SENT!r}"),
        ),
        ("Which one?\n  This\n  That", "busy", Busy("Claude Code works: its status file says so")),
        (
            "Which one?\n  This\n  That",
            "waiting",
            Ready(Outcome.AWAITING_INPUT, "Claude Code asks: 'Which one?'"),
        ),
        ("This\nThat", "waiting", Ready(Outcome.AWAITING_INPUT, "Claude Code asks something")),
        (
            "It can't check.\n Enter to stay in auto mode · Esc to cancel",
            None,
            Ready(
                Outcome.AWAITING_INPUT,
                "Claude Code asks: 'Enter to stay in auto mode · Esc to cancel'",
            ),
        ),
    ],
)
def test_the_status_file_is_the_first_word(
    shown: str, status: str | None, verdict: Verdict
) -> None:
    """What Claude Code says of itself counts before what its screen looks like."""
    tty = attrs.evolve(OF_CLAUDE, status=status)
    seen = snapshot(screen(shown, size=Size(80, 24)), tty, silent_for=9.0, unchanged_for=9.0)
    assert assistants.CLAUDE_CODE.state.assess(seen) == verdict


# Recorded of 2.1.330, between two pieces of an answer: no row of a spinner is drawn there.
STREAMS = """\
❯ liar please

● Do you want to proceed? Permission required. Allow once, esc to interrupt, Interrupted by the
  user, esc interrupt, Press enter to continue.
"""
HINTS = "  ⏸ manual mode on · esc to interrupt · ← for agents"


@pytest.mark.parametrize(
    ("below", "status", "silent_for", "verdict"),
    [
        (f"\n{RULE}\n❯\n{RULE}\n{HINTS}", None, 9.0, Busy),
        (OWN_STATUS, "busy", 9.0, Busy),
        (OWN_STATUS, None, 1.4, Busy),
        (OWN_STATUS, None, 1.5, Ready),  # nothing tells it from the end, which looks the same
        (OWN_STATUS, "idle", 1.5, Ready),
    ],
    ids=["its hint", "its status file", "it writes", "silence", "the end"],
)
def test_an_answer_that_streams_without_a_spinner(
    below: str, status: str | None, silent_for: float, verdict: type[Verdict]
) -> None:
    """Its hint tells, or its status file; where it has neither, what it writes."""
    shown = screen(f"{STREAMS}{below}", size=Size(100, 24))
    tty = attrs.evolve(OF_CLAUDE, status=status)
    found = assistants.CLAUDE_CODE.state.assess(snapshot(shown, tty, silent_for=silent_for))
    assert isinstance(found, verdict)


# Recorded of 2.1.332, where the model's server knows nothing of such checks.
STAY = (
    "Enter to stay in auto mode · shift+Tab to leave for accept edits mode and stop · Esc to cancel"
)
NO_CHECKS = f"""\
❯ run it 0

  A command
  ⎿  $ python3 -c "print(6*7)"

{RULE}
  Auto mode can't check actions in this session

  Auto mode's safety check runs on the server. Your requests go through 127.0.0.1:44313, and the
  check isn't getting through.

  You can stay in auto mode and approve each action that needs the check yourself.

  Or you can leave for accept edits mode, which has no safety check, and auto mode stays off.
  These then run without asking: file edits and commands such as rm and mv in your working
  folders, some tools, such as subagents and scheduled tasks, and anything allowed by rules that
  auto mode set aside, such as Bash(*). This turn stops, so its waiting actions don't run, but
  background tasks go on. Claude goes on at your next message, or sooner.

  To get the check back, ask whoever runs your gateway to pass it through:
  https://code.claude.com/docs/en/permission-modes#server-side-classifier-review

  {STAY}
"""
DASHES = "╌" * 40
APPROVE = f"""\
● Auto mode can't check actions in this session. Its safety check runs on the server, and
  your requests go through 127.0.0.1:44313, which doesn't pass it through. Actions that need
  the check now ask for your approval. To work without these prompts, switch permission
  mode with Shift+Tab. To use auto mode, ask whoever runs 127.0.0.1:44313 to pass Claude
  Code's server-side safety check through:
  https://code.claude.com/docs/en/permission-modes#server-side-classifier-review

{RULE}
 Bash command

 A command

{DASHES}
 python3 -c "print(6*7)"
{DASHES}

 Auto mode can't check actions in this session, so this one needs your approval

 Do you want to proceed?
 ❯ No
   Yes

 Esc to cancel · Tab to amend
"""


@pytest.mark.parametrize("status", [None, "waiting"])
@pytest.mark.parametrize(
    ("rows", "asked"),
    [(NO_CHECKS, STAY), (APPROVE, "Do you want to proceed?")],
    ids=["once for all", "for each"],
)
def test_auto_mode_of_claude_code_asks(rows: str, asked: str, status: str | None) -> None:
    """Where nobody can check a command, a person is asked, once for all and for each."""
    shown = screen(rows, size=Size(100, 30))
    tty = attrs.evolve(OF_CLAUDE, status=status)
    seen = snapshot(shown, tty, silent_for=9.0)
    asks = Ready(Outcome.AWAITING_INPUT, f"Claude Code asks: {asked!r}")
    assert default_chain().assess(seen) == asks
