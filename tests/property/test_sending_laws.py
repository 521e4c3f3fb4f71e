"""The laws of sending on the fake; tests/tmux/test_sending.py holds real tmux to the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.property.hostile import KEYS, texts
from tmuxprim import FakeTerminal, KeySequence
from tmuxprim._fake.streams import to_characters
from tmuxprim.testing import FakeTty, Program, ReadKey, Run

quick = settings(max_examples=examples(200))


def sink(received: list[str], *, ask_for_brackets: bool = False) -> Program:
    """Return a program that keeps all its input."""

    def run(tty: FakeTty) -> Run:
        tty.write("\x1b[?2004h" if ask_for_brackets else "")
        while True:
            received.append((yield ReadKey()))

    return run


def received_of(keys: KeySequence, *, ask_for_brackets: bool = False) -> str:
    """Return what a raw program reads of *keys*."""
    received: list[str] = []
    program = sink(received, ask_for_brackets=ask_for_brackets)
    terminal = FakeTerminal(programs={"sink": program})
    pane = terminal.open("sink")
    terminal.clock.sleep(1.0)
    terminal.send(pane, keys)
    terminal.clock.sleep(1.0)
    return "".join(received)


@quick
@given(text=texts, times=st.integers(1, 50))
def test_law_text_arrives_as_it_is(text: str, times: int) -> None:
    """Whatever the text and its length, the program reads it, and nothing else."""
    assert received_of(KeySequence.text(text * times)) == text * times


@quick
@given(pieces=st.lists(st.one_of(texts, st.sampled_from(KEYS)), max_size=9))
def test_law_order_is_kept(pieces: list[str]) -> None:
    """Texts and keys arrive in the order in which they were put together."""
    keys = KeySequence(())
    for piece in pieces:
        keys += KeySequence.keys(piece) if piece in KEYS else KeySequence.text(piece)
    assert received_of(keys) == to_characters(keys)


@quick
@given(text=texts.filter(lambda text: "201~" not in text))
def test_law_a_paste_is_in_brackets(text: str) -> None:
    """A program that asked for it is told where a paste begins and ends."""
    body = text.replace("\r\n", "\n").replace("\n", "\r")
    expected = f"\x1b[200~{body}\x1b[201~" if text else ""
    assert received_of(KeySequence.paste(text), ask_for_brackets=True) == expected
