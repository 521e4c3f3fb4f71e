"""The laws of `Key` and `KeySequence`, which build on each other."""

import contextlib
import re
import string

from hypothesis import given
from hypothesis import strategies as st

from tmuxprim import InvalidKeyError, InvalidTextError, Key, KeySequence
from tmuxprim._values.keys import _NAMES
from tmuxprim.testing import Paste

# The allow-list, written down a second time: names as in tmux' manual (KEY BINDINGS).
CURSOR_KEYS = (
    *("Up", "Down", "Left", "Right", "Home", "End", "IC", "DC", "NPage", "PPage"),
    *("F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12"),
)
BYTE_KEYS = ("Enter", "Tab", "Space", "BSpace", "Escape")
PRINTED = string.digits + string.ascii_letters + string.punctuation
CONTROLLED = string.ascii_lowercase + "@[\\]^_?"
MODIFIERS = ("C-", "M-", "C-M-", "S-", "C-S-", "M-S-", "C-M-S-")

ALLOWED = (
    {*CURSOR_KEYS, *BYTE_KEYS, "BTab", *PRINTED}
    | {modifiers + key for modifiers in MODIFIERS for key in CURSOR_KEYS}
    | {f"M-{key}" for key in (*BYTE_KEYS, *PRINTED)}
    | {f"{modifiers}{key}" for modifiers in ("C-", "C-M-") for key in (*CONTROLLED, "Space")}
)

key_names = st.sampled_from(sorted(ALLOWED))
# A name, or a piece of one, in the wrong case, twice, with what else tmux knows around it.
_pieces = st.one_of(
    st.sampled_from(["C-", "M-", "S-", "c-", "^", "-", " ", "\n", ";", "\\;", "0x41", "KP", "Any"]),
    st.sampled_from(["Mouse", "User0", "Ctrl-", "kill-server", "-l", "%1", "é", "日", "\ud800"]),
    key_names,
    st.characters(codec=None),
)
hostile_names = st.lists(_pieces, min_size=1, max_size=4).map("".join)

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
pastes = texts.map(Paste)
sequences = st.lists(texts | pastes | key_names.map(Key), max_size=5).map(
    lambda parts: KeySequence(tuple(parts))
)


def test_every_named_key_is_allowed() -> None:
    """The two lists have the same names: one that is new is written here as well."""
    assert {*_NAMES} == {*CURSOR_KEYS, *BYTE_KEYS, "BTab"}


@given(key_names)
def test_allowed_names_are_keys(name: str) -> None:
    """What the allow-list names is a key, spelt as in the list."""
    assert Key(name).name == name


@given(hostile_names)
def test_nothing_else_is_a_key(name: str) -> None:
    """A key that is made of any text is in the allow-list, or one printed character."""
    with contextlib.suppress(InvalidKeyError):
        spelling = Key(name).name
        assert spelling in ALLOWED or (len(spelling) == 1 and spelling.isprintable())


@given(hostile_names)
def test_hostile_names_stay_names(name: str) -> None:
    """A name that is taken differs from its spelling in case and modifiers only."""
    with contextlib.suppress(InvalidKeyError):
        spelling = Key(name).name
        assert spelling.rpartition("-")[2].lower() == name.rpartition("-")[2].lower()


@given(hostile_names)
def test_spelling_is_idempotent(name: str) -> None:
    """A spelling is spelt like itself."""
    with contextlib.suppress(InvalidKeyError):
        key = Key(name)
        assert Key(key.name) == key


@given(key_names.filter(lambda name: len(name.rpartition("-")[2]) > 1 or "C-" in name), st.data())
def test_case_does_not_matter(name: str, data: st.DataObject) -> None:
    """In a name and behind Ctrl, upper and lower case are the same, as in tmux."""
    upper = data.draw(st.lists(st.booleans(), min_size=len(name), max_size=len(name)))
    mixed = "".join(
        char.upper() if up else char.lower() for char, up in zip(name, upper, strict=True)
    )
    assert Key(mixed) == Key(name)


@given(key_names, st.permutations(["C-", "M-", "S-"]), st.integers(0, 3))
def test_order_of_modifiers_does_not_matter(name: str, order: list[str], count: int) -> None:
    """Modifiers are a set: in any order, once or twice, they are the same key."""
    modifiers = order[:count]
    with contextlib.suppress(InvalidKeyError):
        key = Key("".join(modifiers) + name)
        assert Key("".join([*reversed(modifiers), *modifiers]) + name) == key


@given(sequences, sequences, sequences)
def test_monoid_is_associative(a: KeySequence, b: KeySequence, c: KeySequence) -> None:
    """How a sum is bracketed does not matter."""
    assert (a + b) + c == a + (b + c)


@given(sequences)
def test_monoid_has_an_identity(keys: KeySequence) -> None:
    """The empty sequence adds nothing, on either side."""
    nothing = KeySequence(())
    assert nothing + keys == keys == keys + nothing


@given(sequences, st.integers(0, 4))
def test_product_is_a_repeated_sum(keys: KeySequence, times: int) -> None:
    """Three times a sequence is the sequence, the sequence and the sequence."""
    assert keys * times == sum([keys] * times, KeySequence(()))


@given(texts, st.data())
def test_equal_input_is_equal_however_it_was_built(text: str, data: st.DataObject) -> None:
    """A text that is cut anywhere types the same, and is the same."""
    cut = data.draw(st.integers(0, len(text)))
    whole = KeySequence.text(text)
    assert KeySequence.text(text[:cut]) + KeySequence.text(text[cut:]) == whole
    assert KeySequence(tuple(text)) == whole
    assert hash(KeySequence(tuple(text))) == hash(whole)


@given(texts, texts)
def test_different_texts_are_different(one: str, other: str) -> None:
    """Sequences of texts are equal only if the texts are."""
    assert (KeySequence.text(one) == KeySequence.text(other)) is (one == other)


@given(sequences)
def test_no_empty_and_no_neighbouring_texts(keys: KeySequence) -> None:
    """There is one way to write a sequence down: texts stand between keys and pastes only."""
    assert not {"", Paste("")} & set(keys)
    pairs = zip(keys.parts, keys.parts[1:], strict=False)
    assert not any(isinstance(a, str) and isinstance(b, str) for a, b in pairs)


@given(sequences)
def test_parts_make_the_same_sequence(keys: KeySequence) -> None:
    """A sequence is built anew from what it iterates over, and is true if that is anything."""
    assert KeySequence(tuple(keys)) == keys
    assert bool(keys) is bool(list(keys))


@given(st.lists(key_names), st.sampled_from([" ", "\n", "\t ", "  "]))
def test_parse_is_keys(names: list[str], space: str) -> None:
    """Names joined by any white space parse to the names."""
    assert KeySequence.parse(space.join(names)) == KeySequence.keys(*names)


@given(st.lists(key_names, min_size=1))
def test_str_of_keys_parses_back(names: list[str]) -> None:
    """What is shown for keys, without the plus signs between them, parses to the same keys."""
    keys = KeySequence.keys(*names)
    shown = str(keys).split(" ")
    assert KeySequence.keys(*shown[::2]) == keys
    assert set(shown[1::2]) <= {"+"}


@given(texts.filter(bool))
def test_text_is_shown_quoted(text: str) -> None:
    """What is shown for a text reads back as the text."""
    assert str(KeySequence.text(text)) == repr(text)


@given(st.lists(texts.filter(lambda text: not {"\n", "\r"} & set(text)), min_size=1))
def test_lines_are_texts_and_enters(lines: list[str]) -> None:
    """Lines are typed with Enter between them, whatever the line ends are."""
    enter = KeySequence.keys("Enter")
    typed = KeySequence.text(lines[0])
    for line in lines[1:]:
        typed += enter + KeySequence.text(line)
    assert KeySequence.lines("\n".join(lines)) == KeySequence.lines("\r\n".join(lines)) == typed


@given(st.text(st.sampled_from("\x1b\x9b[0123~a\n"), max_size=12))
def test_no_paste_holds_its_own_end(text: str) -> None:
    """What is sent between the marks of a paste holds no end of it, spelt in whatever way."""
    with contextlib.suppress(InvalidTextError):
        assert not re.search("(\x1b\\[|\x9b)0*201~", Paste(text).as_sent)
