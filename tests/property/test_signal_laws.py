"""The laws of `SignalReader`, each held against built sequences."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.property.ansi_strategies import chunked, hostile_text
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.signals import SignalReader, Signals

thorough = settings(max_examples=examples(200))

# Each with what it says.
_SAID: dict[str, dict[str, object]] = {
    "\x1b]0;a title\a": {"title": "a title"},
    "\x1b]2;\x1b\\": {"title": ""},
    "\x9d7501;state=idle\x9c": {"status": "state=idle"},
    "\x1b]9;4;1;50\a": {"progress": 1, "percent": 50},
    "\x1b]9;4;0;\x1b\\": {"progress": 0, "percent": None},
    "\x1bPtmux;\x1b\x1b]9;4;3\a\x1b\\": {"progress": 3, "percent": None},
    "\x1b[?2004h": {"bracketed_paste": True},
    "\x1b[?1;2004l": {"bracketed_paste": False},
    "\x1b[0m": {},
}
_said = st.lists(st.tuples(st.sampled_from(sorted(_SAID)), st.text("ab [];\n0?h", max_size=4)))
_texts = st.lists(hostile_text | st.sampled_from(sorted(_SAID)), max_size=6).map("".join)


def heard(*chunks: str) -> Signals:
    """Return what is heard in pieces of output."""
    reader, signals = SignalReader(), Signals()
    for chunk in chunks:
        signals = reader.feed(chunk)
    return signals


@thorough
@given(chunked(_texts))
def test_law_1_cut_anywhere(chunks: list[str]) -> None:
    """The pieces say what the whole says, for every cutting, a character at a time included."""
    whole = "".join(chunks)
    assert heard(*chunks) == heard(whole) == heard(*whole)


@thorough
@given(_said)
def test_law_2_the_last_word_counts(pieces: list[tuple[str, str]]) -> None:
    """What is said is what each sequence says, one after the other, whatever is printed."""
    told: dict[str, object] = {}
    for sequence, _ in pieces:
        told |= _SAID[sequence]
    signals = heard("".join(map("".join, pieces)))
    assert {name: getattr(signals, name) for name in told} == told


@thorough
@given(_texts)
def test_law_3_bells_are_what_is_left(text: str) -> None:
    """A bell is a BEL that belongs to no sequence."""
    assert heard(text).bells == strip_ansi(text).count("\a")
