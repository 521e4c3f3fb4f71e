"""Which keys are a secret, and until when they are."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, HIDING, RAW_ONLY, screen
from tmuxprim import Key, KeySequence, Layout, Pane, Paste, Size, TtyState
from tmuxprim._readiness._words import SECRET
from tmuxprim._recording._secrets import Secrets, asks_for_secret

ASKING = (
    *("Password: ", "[sudo] password for ada:", "Enter passphrase for key '/a/b': ", "Your PIN? "),
    *("? Enter your password [input is hidden] ", "GitHub token (press Enter) ", "OTP: "),
    *("API key: ", "api_key: ", "License key? ", "Verification code: ", "One-time code: "),
    *("Passwort: ", "Kennwort:", "Mot de passe : ", "Contraseña: ", "CONTRASEÑA: "),
)
OTHERS = ("$ ", "tokens $ ", "Name? ", "Spin: ", "Exit code: ", "Key: ", "my password is long ", "")


@pytest.mark.parametrize("text", ASKING)
def test_words_that_ask_for_a_secret(text: str) -> None:
    """In front of the cursor, also where a program shows itself what is typed."""
    assert asks_for_secret(RAW_ONLY, screen(text))


@pytest.mark.parametrize("text", ASKING)
def test_all_that_readiness_takes_for_such_a_request(text: str) -> None:
    """Nothing that is told to ask for a secret is written down."""
    assert not SECRET.search(text) or asks_for_secret(None, screen(text))


@pytest.mark.parametrize("text", OTHERS)
def test_other_words(text: str) -> None:
    """What is typed behind these is what a recording is made for."""
    assert not asks_for_secret(AT_PROMPT, screen(text))


def test_a_request_that_wraps() -> None:
    """Its words may stand in the row above that of the cursor."""
    text = "Enter the passphrase for the key\nat /home/ada/.ssh/id_rsa: "
    shown = screen(text, size=Size(32, 3))
    assert not asks_for_secret(None, shown)
    wrapped = attrs.evolve(shown, layout=Layout((True,)))
    assert asks_for_secret(None, wrapped)


@pytest.mark.parametrize(("tty", "is_asked"), [(HIDING, True), (AT_PROMPT, False), (None, False)])
def test_what_the_kernel_says(tty: TtyState | None, *, is_asked: bool) -> None:
    """A line that is read without echo is a secret, whatever the screen says."""
    assert asks_for_secret(tty, screen("$ ")) is is_asked
    assert asks_for_secret(tty, None) is is_asked


ENDS = (
    *(KeySequence.keys(key) for key in ("Enter", "C-m", "C-j", "C-c")),
    *(KeySequence.text("x\n"), KeySequence((Paste("x\n"),))),
    KeySequence(("x", Key("Enter"))),
)


@pytest.mark.parametrize("ends", ENDS)
def test_a_secret_lasts_until_its_line_ends(ends: KeySequence) -> None:
    """Behind stars it goes on, in the same pane; the next line is another matter."""
    secrets, pane, text = Secrets(), Pane("%1"), KeySequence.text("hun")
    assert not secrets.hide(pane, text, is_asked=False)
    assert secrets.hide(pane, text, is_asked=True)
    assert not secrets.hide(Pane("%2"), text, is_asked=False)
    for keys in (text, KeySequence.keys("C-u"), KeySequence(()), ends):
        assert secrets.hide(pane, keys, is_asked=False)
    assert not secrets.hide(pane, text, is_asked=False)


def test_a_secret_with_its_enter() -> None:
    """It begins nothing."""
    secrets, pane = Secrets(), Pane("%1")
    assert secrets.hide(pane, KeySequence(("hunter2", Key("Enter"))), is_asked=True)
    assert not secrets.hide(pane, KeySequence.text("ls"), is_asked=False)


def test_a_secret_goes_on_where_its_end_was_refused() -> None:
    """Who is refused tries again; and C-d may only hand over what there is, or delete."""
    secrets, pane, enter = Secrets(), Pane("%1"), KeySequence.keys("Enter")
    assert secrets.hide(pane, KeySequence.text("hun"), is_asked=True)
    assert secrets.hide(pane, enter, is_asked=False, is_sent=False)
    assert secrets.hide(pane, KeySequence.keys("C-d"), is_asked=False)
    assert secrets.hide(pane, KeySequence.text("ter2") + enter, is_asked=False)
    assert not secrets.hide(pane, enter, is_asked=False)


def test_a_secret_goes_on_by_another_name_of_its_pane() -> None:
    """Nobody knows here which pane has which name, so it may be in any that has one."""
    secrets, text = Secrets(), KeySequence.text("x")
    assert secrets.hide(Pane("%1"), text, is_asked=True)
    assert secrets.hide(Pane("shared"), text, is_asked=False)
    assert secrets.hide(Pane("%2"), text, is_asked=False)  # that name may be this one's
