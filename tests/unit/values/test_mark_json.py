"""A mark as JSON: what it tells, what it refuses, and what it does not know."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, HIDING, in_two_rows, screen
from tmuxprim import (
    Console,
    FakeTerminal,
    Mark,
    Outcome,
    Pane,
    Screen,
    Size,
    TmuxprimError,
    TtyState,
)
from tmuxprim._values.new_text import new_text
from tmuxprim._values.tty_state import Activity
from tmuxprim.errors import InvalidMarkError, InvalidPaneError
from tmuxprim.readiness import Prompt
from tmuxprim.testing import ScriptedShell

HERE = Pane("%3", server="77")
SECRET = "hunter2"  # noqa: S105  # to be looked for


def mark_of(shown: Screen, typed: str = "", tty: TtyState | None = None) -> Mark:
    """Return a mark of a screen."""
    return Mark(screen=shown, pane=HERE, typed=typed, line=typed, tty=tty)


def travelled(mark: Mark) -> Mark:
    """Return a mark as another process has it."""
    return Mark.from_json(mark.to_json())


def test_no_text_is_told() -> None:
    """Of the screen and of what was typed there are digests; of the prompt there is the text."""
    shown = attrs.evolve(screen(f"above {SECRET}\n$ login {SECRET}"), title=f"title {SECRET}")
    mark = mark_of(shown, f"login {SECRET}", AT_PROMPT)
    text = attrs.evolve(mark, prompt=Prompt("$ "), left_title=SECRET).to_json()
    assert not any(word in text for word in (SECRET, "hunter", "login", "above", "title h"))
    assert '"$ "' in text
    other = Mark.from_json(text)
    assert SECRET not in f"{other!r}{other.hidden!r}"
    assert other.screen.before_cursor.startswith("$ ")


def test_a_hidden_text_is_not_outlined() -> None:
    """Even the signs of a password are no syntax of a shell."""
    facts = json.loads(mark_of(screen("Password: "), "a'b|c", HIDING).to_json())
    assert facts["line"] == ""
    assert json.loads(mark_of(screen("$ "), "a'b|c").to_json())["line"] == "x'x|x"


def test_each_mark_has_a_salt_of_its_own() -> None:
    """The same row has another digest in a mark of another moment."""
    one, two = (
        json.loads(mark_of(attrs.evolve(screen("a"), history_size=size)).to_json())
        for size in (1, 2)
    )
    assert one["texts"]["rows"][0] != two["texts"]["rows"][0]


def test_facts_are_as_they_were() -> None:
    """The evidence is equal, so that a change is one; counters of another kind are left out."""
    tty = attrs.evolve(
        AT_PROMPT, children=frozenset({5, 3}), activity=Activity(1, 2), limit=0.25, level="wchan"
    )
    prompt = Prompt("$ ", 10, (7, 5), more="> ")
    mark = attrs.evolve(mark_of(screen("$ ls"), "ls", tty), prompt=prompt)
    stopped = frozenset({9})
    other = travelled(attrs.evolve(mark, continues=True, ends_line=False, stopped=stopped))
    assert (other.tty, other.prompt, other.stopped) == (tty, prompt, stopped)
    assert (other.pane, other.pane and other.pane.server) == (HERE, "77")
    assert (other.continues, other.ends_line, other.tty and other.tty.limit) == (True, False, 0.25)
    assert travelled(attrs.evolve(mark, tty=None, line=None)).line is None


def test_what_is_there_still_is_known() -> None:
    """And what is not stays unknown, whatever it was."""
    mark = mark_of(attrs.evolve(screen("one\ntwo\n$ make"), title="t"), "make")
    mark = attrs.evolve(mark, left_title="t")
    now = attrs.evolve(screen("two\n$ make\nhi"), title="t")
    known = travelled(mark).seen_on(now)
    assert known.screen.rows[1:3] == ("two", "$ make")
    assert known.screen.rows[0] not in now.rows
    assert (known.screen.title, known.left_title, known.typed) == ("t", "t", "make")
    assert known.hidden is None
    gone = travelled(mark).seen_on(attrs.evolve(screen("x"), title="u"))
    assert gone.screen.title not in ("t", "u", "")
    assert gone.typed == ""
    assert mark.seen_on(now) is mark


def test_letters_of_another_case() -> None:
    """What a line editor has corrected is found; it is not taken for what was there before."""
    now = screen("$ Make\nhi")
    for typed in ("make", "MAKE"):
        mark = mark_of(screen(f"$ {typed}"), typed)
        other = travelled(mark).seen_on(now)
        assert other.screen.rows[0] != now.rows[0]
        assert new_text(other.screen, now, typed) == new_text(mark.screen, now, typed)
    digits = travelled(mark_of(screen("straẞe 7"))).seen_on(screen("strasse 7\nhi"))
    assert new_text(digits.screen, screen("strasse 7\nhi")).rstrip() == "strasse 7\nhi"


def test_a_line_of_several_rows() -> None:
    """It is known in rows of another width, up to the cursor at least, and from above the top."""
    before = in_two_rows("$ " + "m" * 45)
    mark = mark_of(before, "m" * 45)
    for text in ("", " and more"):
        now = screen("$ " + "m" * 45 + text + "\nhi", size=Size(100, 6))
        new = new_text(travelled(mark).seen_on(now).screen, now, "")
        assert new == new_text(before, now, "")
    above = screen("x" * 9 + "$ " + "m" * 45 + "\nhi", size=Size(100, 6))
    other = travelled(mark).seen_on(above)
    assert new_text(other.screen, above) == new_text(before, above)
    nothing = screen("hi", size=Size(100, 6))
    assert travelled(mark).seen_on(nothing).screen.rows[0].startswith(chr(0x100000))


def test_a_text_that_was_not_shown_yet() -> None:
    """It may come in its line, so nothing there is said to be new, nor that all is known."""
    mark = mark_of(screen("$ "), "make")
    other = travelled(mark)
    for shown, new, complete in (
        ("$ make\nhi\n$ ", "hi\n$", False),
        ("$ \nhi\n$ ", "hi\n$", True),
    ):
        now = screen(shown)
        known = other.seen_on(now)
        assert known.typed is None
        found = new_text(known.screen, now, known.typed)
        assert (found.rstrip(), found.complete) == (new, complete)
    wide = screen("$ make\nhi", size=Size(80, 6))
    assert new_text(other.seen_on(wide).screen, wide, None).rstrip() == "hi"
    assert travelled(attrs.evolve(mark, tty=HIDING)).seen_on(screen("$ ")).typed == ""
    assert travelled(known).seen_on(now).typed is None


def test_a_mark_without_a_server_stays() -> None:
    """Its pane would be another one for another process, perhaps."""
    for pane in (None, Pane("%3")):
        with pytest.raises(InvalidMarkError, match="a pane of a known server"):
            Mark(screen=screen(), pane=pane).to_json()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "got ''"),
        ("[]", r"got '\[\]'"),
        ("7", "got '7'"),
        ("{}", "got '{}'"),
        ("x" * 99, r"xxx\.\.\.$"),
        (b"\xff", "got b"),
        (None, "got None"),
    ],
)
def test_no_mark(text: str, why: str) -> None:
    """What is no mark is said to be none."""
    with pytest.raises(InvalidMarkError, match=why) as refused:
        Mark.from_json(text)
    assert isinstance(refused.value, ValueError)
    assert isinstance(refused.value, TmuxprimError)


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    """Return the JSON of a mark after a change."""
    facts = json.loads(mark_of(screen()).to_json())
    change(facts)
    return json.dumps(facts)


def test_another_format() -> None:
    """A mark of another version is refused, and not guessed at."""
    with pytest.raises(InvalidMarkError, match="has format 0, and this version"):
        Mark.from_json(changed(lambda facts: facts.update(format=0)))


def test_a_changed_mark() -> None:
    """One that a hand or a full disk has changed is no mark of anything."""
    with pytest.raises(InvalidMarkError, match="was changed or cut"):
        Mark.from_json(changed(lambda facts: facts.update(pane="%4")))
    in_order = changed(lambda _: None)
    assert Mark.from_json(json.dumps(json.loads(in_order), indent=2, sort_keys=True)).pane == HERE


def test_another_pane_and_another_server() -> None:
    """A mark is of one pane of one server."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a"})})
    pane, other = terminal.open("sh"), terminal.open("sh")
    mark = travelled(Console(terminal, pane).send("ls"))
    assert Console(terminal, pane).wait_ready(since=mark).outcome is Outcome.PROMPT
    elsewhere = FakeTerminal()
    for console in (Console(terminal, other), Console(elsewhere, elsewhere.open())):
        for use in (console.wait_ready, partial(console.wait_for, "a"), console.read):
            with pytest.raises(InvalidPaneError, match="the mark is of pane %0"):
                use(since=mark)


def test_a_pane_that_is_gone_shows_nothing() -> None:
    """The rows that stand for others are not shown as if they were those of the pane."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a"})})
    terminal.open()
    console = Console(terminal, terminal.open("sh"))
    console.wait_ready()
    mark = travelled(console.send("ls"))
    terminal.close(console.pane)
    ended = Console(terminal, console.pane).wait_ready(since=mark)
    assert (ended.outcome, ended.screen.text) == (Outcome.EXITED, "")
