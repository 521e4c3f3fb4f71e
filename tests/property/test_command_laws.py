"""The law of a command of several lines: all of them are typed, or none."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.property.hostile import plain, texts
from tmuxprim import Console, FakeTerminal, InvalidTextError, Key
from tmuxprim._engine.command import lines_of
from tmuxprim.testing import FakeTty, Program, ReadLine, Run

_LONG = "x" * 5000
_LINES = st.one_of(
    st.sampled_from(["echo hi", "cat <<EOF", "EOF", "", _LONG, "日" * 1400, "\ud800", "a\0", "\t"]),
    plain,
    texts,
)


def shell(*, edits: bool) -> Program:
    """Return a shell that collects here-documents, and has a line editor or not."""

    def run(tty: FakeTty) -> Run:
        while tty.is_alive:
            line = yield ReadLine(raw=edits, prompt="$ ")
            while (
                line.startswith("cat <<EOF") and (yield ReadLine(raw=edits, prompt="> ")) != "EOF"
            ):
                pass
        return 0

    return run


def typed_on(terminal: FakeTerminal) -> str:
    """Return what was typed, with a line feed for each Enter."""
    parts = [part for sent in terminal.sent() for part in sent.keys]
    return "".join("\n" if isinstance(part, Key) else str(part) for part in parts)


@settings(max_examples=examples(150), deadline=None)
@given(
    lines=st.lists(_LINES, min_size=1, max_size=6),
    join=st.sampled_from(["\n", "\r\n"]),
    edits=st.booleans(),
    evidence=st.booleans(),
)
def test_law_all_lines_are_typed_or_none(
    lines: list[str], join: str, *, edits: bool, evidence: bool
) -> None:
    """A line that cannot be typed is found before the first is typed, even in a here-document."""
    name = "bash" if edits else "dash"
    terminal = FakeTerminal(programs={name: shell(edits=edits)}, evidence=evidence)
    console = Console(terminal, terminal.open(name))
    command = join.join(lines)
    try:
        console.run(command, timeout=1e6)
    except InvalidTextError:
        assert typed_on(terminal) == ""
    else:
        assert typed_on(terminal) == "".join(f"{line}\n" for line in lines_of(command))
