"""`Key`: names with one spelling, and what is no name."""

from collections.abc import Callable

import pytest

from tmuxprim import InvalidKeyError, InvalidTextError, Key, KeySequence
from tmuxprim.testing import Paste


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        ("Enter", "Enter"),
        ("enter", "Enter"),
        ("ESCAPE", "Escape"),
        ("bspace", "BSpace"),
        ("npage", "NPage"),
        ("f12", "F12"),
        ("a", "a"),
        ("A", "A"),
        (";", ";"),
        ("-", "-"),
        ("^", "^"),
        ("é", "é"),
        ("日", "日"),
        ("c-C", "C-c"),
        ("C-@", "C-@"),
        ("C-?", "C-?"),
        ("c-space", "C-Space"),
        ("C-C-c", "C-c"),
        ("m-C-x", "C-M-x"),
        ("m-x", "M-x"),
        ("M-X", "M-X"),
        ("M--", "M--"),
        ("M-;", "M-;"),
        ("M-enter", "M-Enter"),
        ("s-up", "S-Up"),
        ("s-m-c-f5", "C-M-S-F5"),
    ],
)
def test_spelling(name: str, spelling: str) -> None:
    """A key is spelt in one way: modifiers in capitals and in order, names as tmux lists them."""
    assert str(Key(name)) == spelling
    assert Key(name) == Key(spelling)


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        # What people write instead.
        ("Return", "Enter"),
        ("esc", "Escape"),
        ("backspace", "BSpace"),
        ("Delete", "DC"),
        ("Page_Up", "PPage"),
        ("page-down", "NPage"),
        ("ArrowUp", "Up"),
        ("left arrow", "Left"),
        ("Newline", "C-j"),
        ("Shift-Tab", "BTab"),
        # Modifiers in words.
        ("Ctrl-C", "C-c"),
        ("ctrl+c", "C-c"),
        ("Control X", "C-x"),
        ("alt-x", "M-x"),
        ("Option+Left", "M-Left"),
        ("Ctrl-Alt-Del", "C-M-DC"),
        ("Shift-PgUp", "S-PPage"),
        # Other notations.
        ("^C", "C-c"),
        ("C-/", "C-_"),
        # Slips.
        ("Entr", "Enter"),
        ("Escpae", "Escape"),
        ("M-Entr", "M-Enter"),
    ],
)
def test_suggestion(name: str, suggestion: str) -> None:
    """A name that is not one is refused, with the one that was probably meant."""
    with pytest.raises(InvalidKeyError) as caught:
        Key(name)
    assert str(caught.value) == (
        f"unknown or non-portable key name: {name!r}; did you mean {suggestion!r}?"
    )
    assert Key(suggestion).name == suggestion


@pytest.mark.parametrize(
    "name",
    [
        # Nothing at all, white space, control characters, half a character.
        *("", " ", "\n", "\x01", "\x7f", "\xa0", "\u200b", "\ud800"),
        # A modifier without a key, and words.
        *("C-", "-C", "ab", "kill-server", "Up Up", "Up\n"),
        # What some tmux sends and another one does not, or differently.
        *("C-1", "C-é", "S-a", "M-é", "S-C-a", "M-BTab", "C-Escape"),
        # What tmux takes for a key and nobody can press.
        *("0x41", "User0", "MouseDown1Pane", "F13", "KP0"),
        # A caret and what Ctrl does not make a control character.
        *("^^C", "^é"),
    ],
)
def test_refused(name: str) -> None:
    """No other name is a key: tmux would type it as text, or do what another tmux does not."""
    with pytest.raises(InvalidKeyError, match="unknown or non-portable key name: "):
        Key(name)


def test_the_sign_for_kelvin_is_no_letter() -> None:
    """Ctrl goes with ASCII letters, not with what becomes one in lower case."""
    with pytest.raises(InvalidKeyError) as caught:
        Key("C-\u212a")
    assert str(caught.value).startswith("unknown or non-portable key name: 'C-\u212a'; ")


def test_refused_without_a_suggestion() -> None:
    """Where nothing is near, the message shows how keys are named."""
    with pytest.raises(InvalidKeyError) as caught:
        Key("kill-server")
    assert str(caught.value) == (
        "unknown or non-portable key name: 'kill-server'; keys are named as in 'Enter', 'C-c', "
        "'M-x', 'Up', 'F5'; to type it as text, use KeySequence.text"
    )


@pytest.mark.parametrize("name", [65, None, b"Enter", Key("Enter")])
def test_refused_type(name: object) -> None:
    """A key's name is a str, and nothing is made one."""
    with pytest.raises(InvalidKeyError) as caught:
        Key(name)
    assert str(caught.value) == f"a key name is a str such as 'Enter' or 'C-c', got {name!r}"


# `KeySequence` and `Paste`: what is typed, pasted and pressed, in which order.


def test_text_is_never_a_key() -> None:
    """Text that looks like a key is another value than the key."""
    assert KeySequence.text("Enter") != KeySequence.keys("Enter")
    assert list(KeySequence.text("a")) == ["a"]
    assert list(KeySequence.keys("a")) == [Key("a")]


def test_sum_with_text_is_refused() -> None:
    """A bare text could mean keys, so it is not added."""
    with pytest.raises(TypeError, match="unsupported operand"):
        KeySequence.keys("Up") + "Up"  # type: ignore[operator]  # the point of the test


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (KeySequence(()), "nothing"),
        (KeySequence.text("Enter"), "'Enter'"),
        (KeySequence.keys("Enter"), "Enter"),
        (KeySequence.text("it's") + KeySequence.keys("c-C", "+"), '"it\'s" + C-c + +'),
        (KeySequence.paste("a\nb") + KeySequence.keys("Up"), "paste 'a\\nb' + Up"),
    ],
)
def test_sequence_reads_as_what_is_typed(keys: KeySequence, text: str) -> None:
    """Text is quoted and keys are not."""
    assert str(keys) == text


_SURROGATE = "a lone surrogate is no character; decode the text with the right codec"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ab\0c", "NUL cannot be typed as text; press the key 'C-@': got '\\x00' at index 2"),
        ("\udcff", f"{_SURROGATE}: got '\\udcff' at index 0"),
    ],
)
@pytest.mark.parametrize("make", [KeySequence.text, KeySequence.lines, KeySequence.paste])
def test_refused_text(make: Callable[[str], KeySequence], text: str, message: str) -> None:
    """What no terminal can be sent is refused before anything is sent, in each way to send it."""
    with pytest.raises(InvalidTextError) as caught:
        make(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "end", "index"),
    [
        ("a\x1b[201~; rm -r .\r", "\x1b[201~", 1),
        ("\x9b201~", "\x9b201~", 0),
        ("ab\x1b[00201~", "\x1b[00201~", 2),
    ],
)
def test_refused_paste(text: str, end: str, index: int) -> None:
    """A paste that ends itself would go on as if it were typed."""
    with pytest.raises(InvalidTextError) as caught:
        KeySequence.paste(text)
    assert str(caught.value) == (
        f"a pasted text cannot hold the end of a paste, got {end!r} at index {index}; "
        "take it out, or type the text"
    )


@pytest.mark.parametrize("text", ["\x1b[31mred", "[201~", "\x1b[2010~", "\x1b[200~"])
def test_paste_may_hold_other_sequences(text: str) -> None:
    """Only the end of a paste is refused."""
    assert list(KeySequence.paste(text)) == [Paste(text)]


def test_paste_is_neither_text_nor_key() -> None:
    """A pasted text is another value than a typed one, and is not joined with any."""
    parts = KeySequence.text("a") + KeySequence.paste("b") + KeySequence.paste("c")
    assert parts.parts == ("a", Paste("b"), Paste("c"))
    assert KeySequence.paste("a") != KeySequence.text("a")


def test_paste_is_sent_with_carriage_returns() -> None:
    """Line ends become what a terminal sends for a paste."""
    assert Paste("a\r\nb\nc\rd").as_sent == "a\rb\rc\rd"


@pytest.mark.parametrize("part", [b"ls", 7, None, ("Up",)])
def test_refused_part(part: object) -> None:
    """What is neither text nor key cannot be typed."""
    with pytest.raises(InvalidTextError) as caught:
        KeySequence((Key("Up"), part))  # type: ignore[arg-type]  # the point of the test
    assert str(caught.value) == f"text to type is a str, got {part!r}"
