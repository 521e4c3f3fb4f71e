"""`Key`: names with one spelling, and what is no name."""

import pytest

from tmuxprim import InvalidKeyError, Key


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
        f"not a key that every tmux knows: {name!r}; did you mean {suggestion!r}?"
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
    with pytest.raises(InvalidKeyError, match="not a key that every tmux knows: "):
        Key(name)


def test_the_sign_for_kelvin_is_no_letter() -> None:
    """Ctrl goes with ASCII letters, not with what becomes one in lower case."""
    with pytest.raises(InvalidKeyError) as caught:
        Key("C-\u212a")
    assert str(caught.value).startswith("not a key that every tmux knows: 'C-\u212a'; ")


def test_refused_without_a_suggestion() -> None:
    """Where nothing is near, the message shows how keys are named."""
    with pytest.raises(InvalidKeyError) as caught:
        Key("kill-server")
    assert str(caught.value) == (
        "not a key that every tmux knows: 'kill-server'; keys are named as in 'Enter', 'C-c', "
        "'M-x', 'Up', 'F5'; to type it as text, use KeySequence.text"
    )


@pytest.mark.parametrize("name", [65, None, b"Enter", Key("Enter")])
def test_refused_type(name: object) -> None:
    """A key's name is a str, and nothing is made one."""
    with pytest.raises(InvalidKeyError) as caught:
        Key(name)
    assert str(caught.value) == f"a key name is a str such as 'Enter' or 'C-c', got {name!r}"
