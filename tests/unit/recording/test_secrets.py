"""Which keys belong to a secret, and until when they do."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, HIDING, RAW_ONLY, screen
from tmuxprim import Key, KeySequence, PaneBusyError, Size, TtyState
from tmuxprim._recording.record import Secrets, hide
from tmuxprim.testing import Layout, Paste

ASKING = (
    *("Password: ", "[sudo] password for ada:", "Enter passphrase for key '/a/b': ", "Your PIN? "),
    *("? Enter your password [input is hidden] ", "GitHub token (press Enter) ", "OTP: "),
    *("API key: ", "api_key: ", "License key? ", "Verification code: ", "One-time code: "),
    *("Passwort: ", "Kennwort:", "Mot de passe : ", "Contraseña: ", "CONTRASEÑA: "),
)
OTHERS = ("$ ", "tokens $ ", "Name? ", "Spin: ", "Exit code: ", "Key: ", "my password is long ", "")
TEXT = KeySequence.text("hun")
SHELL = screen("$ ")


@pytest.mark.parametrize(
    ("text", "is_secret"), [*((a, True) for a in ASKING), *((o, False) for o in OTHERS)]
)
def test_words_that_ask_for_a_secret(text: str, *, is_secret: bool) -> None:
    """In front of the cursor, also where a program shows itself what is typed."""
    assert Secrets().note("%1", TEXT, RAW_ONLY, screen(text)) is is_secret


def test_a_request_that_wraps() -> None:
    """Its words may stand in the row above that of the cursor."""
    text = "Enter the passphrase for the key\nat /home/ada/.ssh/id_rsa: "
    shown = screen(text, size=Size(32, 3))
    assert not Secrets().note("%1", TEXT, None, shown)
    wrapped = attrs.evolve(shown, layout=Layout((True,)))
    assert Secrets().note("%1", TEXT, None, wrapped)


@pytest.mark.parametrize(("tty", "is_asked"), [(HIDING, True), (AT_PROMPT, False), (None, False)])
def test_what_the_kernel_says(tty: TtyState | None, *, is_asked: bool) -> None:
    """A line that is read without echo is a secret, whatever the screen says."""
    assert Secrets().note("%1", TEXT, tty, SHELL) is is_asked


def test_in_doubt_it_is_a_secret() -> None:
    """Neither the kernel nor the screen could be asked."""
    refused = PaneBusyError("in copy-mode")
    assert Secrets().note("%1", TEXT, None, refused)
    assert not Secrets().note("%1", TEXT, AT_PROMPT, refused)


ENDS = (
    *(KeySequence.keys(key) for key in ("Enter", "C-m", "C-j", "C-c")),
    *(KeySequence.text("x\n"), KeySequence((Paste("x\n"),))),
    KeySequence(("x", Key("Enter"))),
)


@pytest.mark.parametrize("ends", ENDS)
def test_a_secret_lasts_until_its_line_ends(ends: KeySequence) -> None:
    """Behind stars it goes on, in the same pane; the next line is another matter."""
    secrets, stars = Secrets(), screen("Password: ***")
    assert secrets.note("%1", TEXT, AT_PROMPT, screen("Password: "))
    assert not secrets.note("%2", TEXT, AT_PROMPT, SHELL)
    for keys in (TEXT, KeySequence.keys("C-u"), KeySequence(()), ends):
        assert secrets.note("%1", keys, AT_PROMPT, stars)
    assert not secrets.note("%1", TEXT, AT_PROMPT, SHELL)


def test_a_secret_with_its_enter() -> None:
    """It begins nothing."""
    secrets = Secrets()
    assert secrets.note("%1", KeySequence(("hunter2", Key("Enter"))), HIDING, SHELL)
    assert not secrets.note("%1", KeySequence.text("ls"), AT_PROMPT, SHELL)


def test_a_secret_goes_on_where_its_end_was_refused() -> None:
    """Who is refused tries again; and C-d may only hand over what there is, or delete."""
    secrets, stars, enter = Secrets(), screen("Password: ***"), KeySequence.keys("Enter")
    assert secrets.note("%1", TEXT, HIDING, SHELL)
    assert secrets.note("%1", enter, AT_PROMPT, PaneBusyError("in copy-mode"))
    assert secrets.note("%1", KeySequence.keys("C-d"), AT_PROMPT, stars)
    assert secrets.note("%1", KeySequence.text("ter2") + enter, AT_PROMPT, stars)
    assert not secrets.note("%1", enter, AT_PROMPT, stars)


def test_hidden_text_is_one_word() -> None:
    """It tells neither what was typed nor how much; keys that are no character stay."""
    typed = KeySequence.text("hun") + KeySequence.keys("t", "2") + KeySequence.paste("x")
    keys = typed + KeySequence.keys("Enter", "Enter") + KeySequence.text("y")
    assert str(hide(keys)) == "'(hidden)' + Enter + Enter + '(hidden)'"
