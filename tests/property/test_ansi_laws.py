"""The laws of `strip_ansi`, each held against built sequences; law 11 is in tests/tmux."""

import re
import time
from itertools import product
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.property.ansi_strategies import (
    C1_CONTROLS,
    ESC,
    chunked_text,
    complete_sequences,
    hostile_text,
    plain_text,
)
from tests.property.vt500 import STATES, transition, vt500_strip
from tests.unit.ansi_cases import ATTACKS
from tmuxprim._values.ansi import AnsiStripper, strip_ansi

# The laws are cheap to try.
thorough = settings(max_examples=examples(200))


@thorough
@given(hostile_text)
def test_law_1_equals_the_vt500_parser(text: str) -> None:
    """What is kept is what Williams' state machine prints or executes, and no more."""
    assert strip_ansi(text) == vt500_strip(text)


def test_law_1_for_all_short_texts() -> None:
    """Law 1 without luck: all texts of four characters, with one for each role in the grammar."""
    for characters in product("\x1b\x18\n\a\x7f[]P(1m\\é\x9b", repeat=4):
        text = "".join(characters)
        assert strip_ansi(text) == vt500_strip(text)


@thorough
@given(hostile_text)
def test_law_2_output_is_clean(text: str) -> None:
    """No ESC and no C1 control comes through (ECMA-48 5.2 and 5.3)."""
    assert not set(strip_ansi(text)) & set(ESC + C1_CONTROLS)


@thorough
@given(hostile_text)
def test_law_2_idempotent(text: str) -> None:
    """Stripped text holds no sequence, not even one made by joining what was around another."""
    stripped = strip_ansi(text)
    assert strip_ansi(stripped) == stripped


@thorough
@given(hostile_text)
def test_law_2_output_is_a_subsequence(text: str) -> None:
    """Characters are removed: none is added, changed or moved."""
    rest = iter(text)
    assert all(character in rest for character in strip_ansi(text))


@thorough
@given(plain_text)
def test_law_3_plain_text_is_the_same_object(text: str) -> None:
    """Text without ESC and C1 comes back itself, uncopied, whatever else is in it."""
    assert strip_ansi(text) is text


@thorough
@given(st.lists(st.tuples(plain_text, complete_sequences), max_size=8))
def test_law_4_complete_sequences_vanish(pairs: list[tuple[str, str]]) -> None:
    """Plain pieces between complete sequences, 7- and 8-bit, come out exactly, joined."""
    text = "".join(plain + sequence for plain, sequence in pairs)
    assert strip_ansi(text) == "".join(plain for plain, _ in pairs)


@thorough
@given(hostile_text, hostile_text)
def test_law_5_prefix(a: str, b: str) -> None:
    """What has been printed stays printed: more text never takes anything back."""
    assert strip_ansi(a + b).startswith(strip_ansi(a))


@thorough
@given(hostile_text, st.sampled_from(ESC + C1_CONTROLS), hostile_text)
def test_law_6_esc_and_c1_restart(a: str, control: str, b: str) -> None:
    """ESC and each C1 control start anew from any state (the diagram's "anywhere" box)."""
    assert strip_ansi(a + control + b) == strip_ansi(a) + strip_ansi(control + b)


@thorough
@given(hostile_text, hostile_text)
def test_law_7_st_ends_everything(a: str, b: str) -> None:
    """After ST the parser is on the ground, wherever it was (ECMA-48 8.3.143)."""
    assert strip_ansi(a + "\x1b\\" + b) == strip_ansi(a) + strip_ansi(b)


@thorough
@given(chunked_text)
def test_law_8_streaming_equals_one_shot(chunks: list[str]) -> None:
    """The pieces joined are the whole, for every cutting, a character at a time included."""
    whole = "".join(chunks)
    by_chunk, by_character = AnsiStripper(), AnsiStripper()
    assert "".join(map(by_chunk.feed, chunks)) == strip_ansi(whole)
    assert "".join(map(by_character.feed, whole)) == strip_ansi(whole)


@thorough
@given(chunked_text)
def test_law_8_state_is_constant(chunks: list[str]) -> None:
    """A stripper remembers two characters at most, however much it has been fed."""
    stripper = AnsiStripper()
    for chunk in chunks:
        stripper.feed(chunk * 20)
        state = [getattr(stripper, slot) for slot in AnsiStripper.__slots__]
        assert sum(map(len, state)) <= 2


@thorough
@given(hostile_text)
def test_law_9_c1_is_esc_fe(text: str) -> None:
    """A C1 control is ``ESC`` and the code point 64 lower, in any state (ECMA-48 5.3)."""
    spelled_out = re.sub("[\x80-\x9f]", lambda c1: ESC + chr(ord(c1[0]) - 0x40), text)
    assert strip_ansi(spelled_out) == strip_ansi(text)


def _fastest(text: str) -> float:
    """Return the least CPU seconds that stripping *text* took in a few runs."""
    seconds = []
    for _ in range(5):
        start = time.process_time()
        strip_ansi(text)
        seconds.append(time.process_time() - start)
    return min(seconds)


@pytest.mark.parametrize("unit", [pytest.param(unit, id=name) for name, unit in ATTACKS.items()])
def test_law_10_linear_time(unit: str) -> None:
    """Eight times the attack takes about 8 times the time, where quadratic is 64 times.

    CPU time and the best of five: only work of this process counts, and 24 is far from both.
    """
    small, large = unit * (32_000 // len(unit)), unit * (256_000 // len(unit))
    assert _fastest(large) < 24 * max(_fastest(small), 1e-5)


CSI, DCS, OSC, ST = (rf"(?:\x1b{re.escape(fe)}|{chr(ord(fe) + 0x40)})" for fe in "[P]\\")
PAYLOAD = r"[^\x07\x18\x1a\x1b\x80-\x9f]*"
HARD_INPUTS = MappingProxyType(
    {
        "C0 inside CSI": CSI + r"[ -?]*[\0-\x17][ -?]*[@-~]",
        "C0 between ESC and [": r"\x1b[\0-\x17]+\[",
        "C0 between ESC and ]": r"\x1b[\0-\x17]+\]",
        "DEL inside nF": r"\x1b[ -/]+\x7f+[ -/]*[0-~]",
        "CAN inside CSI": CSI + r"[ -?]+\x18",
        "SUB inside DCS": DCS + PAYLOAD + r"\x1a",
        "ESC inside CSI": CSI + r"[ -?]+\x1b",
        "ESC inside OSC": OSC + PAYLOAD + r"\x1b[^\\]",
        "C1 inside OSC": OSC + PAYLOAD + r"[\x80-\x9b]",
        "7-bit string, 8-bit ST": r"\x1b[]PX^_k]" + PAYLOAD + r"\x9c",
        "8-bit string, 7-bit ST": r"[\x90\x98\x9d-\x9f]" + PAYLOAD + r"\x1b\\",
        "BEL inside DCS": DCS + PAYLOAD + r"\x07" + PAYLOAD + ST,
        "newline inside DCS": DCS + PAYLOAD + r"\n",
        "surrogate inside CSI": CSI + r"[ -?]+[\ud800-\udfff]",
        "surrogate inside OSC": OSC + PAYLOAD + r"[\ud800-\udfff]",
        "unterminated CSI": CSI + r"[ -?]+\Z",
        "unterminated DCS": DCS + PAYLOAD + r"\Z",
        "unterminated OSC": OSC + PAYLOAD + r"\Z",
        "ESC at the end": r"\x1b\Z",
        "private byte after digit": CSI + r"[0-9]+[<-?]",
        "two intermediates": r"\x1b[ -/]{2}[0-~]",
    }
)


@pytest.fixture(scope="module")
def sample() -> list[str]:
    """Return examples of hostile text, enough for rare traps.

    They are the same in every run of the same code, but not with other modules loaded: Hypothesis
    takes constants from those, and of 1,500 examples a rare trap was in 16, in 2 or in none.
    """
    texts: list[str] = []

    @settings(max_examples=5000, database=None, derandomize=True)
    @given(hostile_text)
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    return texts


@pytest.mark.parametrize("pattern", [pytest.param(v, id=k) for k, v in HARD_INPUTS.items()])
def test_generator_makes_the_hard_inputs(pattern: str, sample: list[str]) -> None:
    """The laws are not held against tame text: each of these traps is among them."""
    assert any(re.search(pattern, text) for text in sample)


def test_generator_reaches_every_state_of_the_model(sample: list[str]) -> None:
    """No state of the diagram goes untried, so the model is a model of all of it."""
    reached: set[str] = set()
    for text in sample:
        state = "ground"
        for character in text:
            state = transition(state, character).next_state
            reached.add(state)
    assert reached == STATES
