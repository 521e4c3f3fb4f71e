"""The laws of marks as JSON: a mark that has travelled does what the mark itself does."""

from typing import Final

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tmuxprim import Console, FakeTerminal, Mark, Size
from tmuxprim._readiness import continuation, facts
from tmuxprim._readiness.open_lines import QUOTED, may_go_on
from tmuxprim._values.mark_json import outline
from tmuxprim._values.new_text import find_row, new_text, still_there
from tmuxprim.testing import FakeTty, Program, ReadLine, Run, ScriptedShell, after

thorough = settings(max_examples=examples(60), deadline=None)

_SIZES: Final = st.builds(Size, st.sampled_from([9, 12]), st.integers(2, 6))
_TEXTS: Final = st.lists(
    st.sampled_from(
        [
            *(
                "a",
                "A",
                "ab",
                "7",
                " ",
                "   ",
                "\n",
                "\n",
                "\n\n",
                "$ ",
                "up",
                "x% ",
                "~",
                "\r",
                "日",
            ),
            *("y" * 11, "y" * 12, "y" * 13, "Y" * 5, "-" * 30, "\x1b[H", "\x1b[2J", "\x1b[K"),
            *("\x1b[?1049h", "\x1b[?1049l", "\x1b[A", "\x1b]2;t\x07", "a\n" * 9),
        ]
    ),
    max_size=6,
).map("".join)
_LINES: Final = st.sampled_from(["", "ls", "a", "yy", "echo 'a", "y" * 9, "if a; then", "read A"])


def _speaker(texts: list[str], *, echo: bool = True) -> Program:
    """Return a program that prints one text after the other, each at an Enter."""

    def run(tty: FakeTty) -> Run:
        for text in texts:
            tty.write(text)
            yield ReadLine(raw=True, echo=echo)
        return 0

    return run


def _travelled(mark: Mark) -> Mark:
    return Mark.from_json(mark.to_json())


@given(
    texts=st.lists(_TEXTS, min_size=2, max_size=3),
    line=_LINES,
    size=_SIZES,
    later=_SIZES,
    echo=st.booleans(),
)
@thorough
def test_the_same_is_new(
    texts: list[str], line: str, size: Size, later: Size, *, echo: bool
) -> None:
    """Of any two screens, also of another width: the same text, the same row, the same doubt."""
    terminal = FakeTerminal(programs={"p": _speaker(texts, echo=echo)})
    console = Console(terminal, terminal.open("p", size=size))
    console.wait_ready(5.0)
    mark = console.send(line)
    console.wait_ready(5.0)
    for known in (mark, attrs.evolve(mark, screen=attrs.evolve(mark.screen, title="t"))):
        for now_size in dict.fromkeys((size, later)):
            terminal.resize(console.pane, now_size)
            now = terminal.observe(console.pane, history=100)
            other = _travelled(known).seen_on(now)
            assert find_row(other.screen, now) == find_row(known.screen, now)
            new, told = (new_text(one.screen, now, one.typed) for one in (other, known))
            if other.typed is None:  # it was not shown by then, and may be all that follows
                assert not new.complete or (new, told.complete) == (told, True)
            else:
                assert (new, new.complete) == (told, told.complete)
            one, two = (still_there(each.screen, now, typed=True) for each in (other, known))
            assert (one is None) == (two is None)
            assert other.screen.rows == now.rows or known.screen.rows != now.rows


_COMMANDS: Final = st.sampled_from(
    ["quick", "slow", "long", "silent", "echo 'a", "if a; then", "read x", "clear", "no", ""]
)
_SHELL: Final = ScriptedShell(
    {
        "quick": "a\nb",
        "slow": after(3.0, "built"),
        "long": [*("1\n2\n3\n" * 4 for _ in range(4)), after(1.0, "end")],
        "silent": after(0.5),
        "read x": "Sure? [y/N] ",
    }
)


def _all_that_is_found(
    command: str, size: Size, late: float, *, evidence: bool, travels: bool
) -> list[object]:
    """Return what a console finds that gets only the mark of another one's send."""
    terminal = FakeTerminal(programs={"sh": _SHELL}, evidence=evidence)
    pane = terminal.open("sh", size=size)
    first = Console(terminal, pane)
    first.wait_ready()
    sent = first.send(command)
    mark = _travelled(sent) if travels else sent
    terminal.clock.sleep(late)
    match = Console(terminal, pane).wait_for("b", 2.0, since=mark)
    ready = Console(terminal, pane).wait_ready(9.0, since=mark)
    new = Console(terminal, pane).read(since=mark)
    ends = [(end.outcome, end.reason, end.elapsed, end.screen, end.tty) for end in (match, ready)]
    return [*ends, new, new.complete]


@given(command=_COMMANDS, size=_SIZES, late=st.floats(0.0, 4.0), evidence=st.booleans())
@thorough
def test_a_wait_ends_the_same(command: str, size: Size, late: float, *, evidence: bool) -> None:
    """In a console that knows nothing else, at the same time, for the same reason."""
    own = _all_that_is_found(command, size, late, evidence=evidence, travels=False)
    assert _all_that_is_found(command, size, late, evidence=evidence, travels=True) == own


_SHELL_WORDS: Final = st.lists(
    st.sampled_from(
        [
            *("if", "fi", "do", "done", "read", "select", "vared", "-e", "-re", "PS1=", "prompt=x"),
            *(
                "exec ",
                "source ",
                ". ",
                "EOF",
                "a",
                "end",
                "'",
                '"',
                "`",
                "\\",
                "#",
                "!",
                "=",
                "<<",
            ),
            *(
                "<",
                "|",
                "&",
                "(",
                ")",
                "{",
                "}",
                "[[",
                "]]",
                ";",
                "$",
                "@",
                "\n",
                " ",
                " ",
                "é",
                "_",
            ),
            *(
                "function f",
                "fish_prompt",
                "case",
                "esac",
                "spread",
                "EX",
                "1",
                "\t",
                "ifx",
                "-x-e",
            ),
        ]
    ),
    max_size=9,
).map("".join)


# What the library asks of a line, by its own patterns.
_OF_FACTS: Final = ("_SETS_PROMPT", "_MAY_SET_PROMPT", "_READS", "_EDITS", "_IS_FED")
_ASKED: Final = [*(vars(facts)[name] for name in _OF_FACTS), vars(continuation)["_MAY_END"]]
_ASKED_WITHOUT_QUOTES: Final = [vars(continuation)[name] for name in ("_OPEN_QUOTE", "_DOUBTFUL")]


@given(st.one_of(_SHELL_WORDS, st.text(max_size=12)))
@settings(max_examples=examples(400))
def test_an_outline_goes_on_as_its_line_does(line: str) -> None:
    """Whatever is asked of a command line gets the same answer, and its words are not told."""
    told = outline(line)
    for pattern in _ASKED:
        assert bool(pattern.search(told)) == bool(pattern.search(line)), pattern
    assert may_go_on(told) == may_go_on(line)
    bare, known = (QUOTED.sub("q", text) for text in (told, line))
    for pattern in _ASKED_WITHOUT_QUOTES:
        assert bool(pattern.search(bare)) == bool(pattern.search(known)), pattern
    assert outline(told) == told
