"""What `SignalReader` hears in raw output, whole and cut anywhere."""

import pytest

from tmuxprim._values.signals import SignalReader, Signals

ST = "\x1b\\"
SAID = {
    "title": ("\x1b]0;one\a\x1b]2;two; 2\a", Signals(title="two; 2")),
    "title, ended by ST": (f"\x1b]2;né{ST}", Signals(title="né")),
    "title of an icon": ("\x1b]1;icon\a", Signals()),
    "status": (
        f"\x1b]7501;state=working:app=codex{ST}",
        Signals(status="state=working:app=codex"),
    ),
    "progress": ("\x1b]9;4;1;50\a", Signals(progress=1, percent=50)),
    "progress without per cent": ("\x1b]9;4;3;\a", Signals(progress=3)),
    "progress is over": ("\x1b]9;4;1;99\a\x1b]9;4;0\a", Signals(progress=0)),
    "progress of no such state": ("\x1b]9;4;7;1\a", Signals()),
    "a notification": ("\x1b]9;done\a", Signals()),
    "passed through": (f"\x1bPtmux;\x1b\x1b]9;4;3;\a{ST}", Signals(progress=3)),
    "passed through with ST": (f"\x1bPtmux;\x1b\x1b]9;4;3\x1b\x1b\\{ST}", Signals(progress=3)),
    "paste on": ("\x1b[?2004h", Signals(bracketed_paste=True)),
    "paste off": ("\x1b[?2004h$ \x1b[?2004l", Signals(bracketed_paste=False)),
    "paste among others": ("\x1b[?1004;2004h", Signals(bracketed_paste=True)),
    "another mode": ("\x1b[?12004h\x1b[2004h\x1b[4h", Signals()),
    "paste in 8 bits": ("\x9b?2004h", Signals(bracketed_paste=True)),
    "interrupted": ("\x1b\n[?20\a04h", Signals(bracketed_paste=True, bells=1)),
    "bells": ("\a\x1b]0;no bell\a\x1bPno bell\a\x1b\\\a", Signals(title="no bell", bells=2)),
    "cancelled": ("\x1b]0;no\x18\x1b[?2004\x18h", Signals()),
    "not ended": ("\x1b]0;no", Signals()),
    "too long": (f"\x1b]0;{'x' * 5000}\a", Signals()),
    "behind what is too long": (f"\x1b]0;{'x' * 5000}\a\x1b]0;y\a", Signals(title="y")),
    "as long as may be": (f"\x1b]0;{'x' * 4092}\a", Signals(title="x" * 4092)),
    "nothing": ("$ make\r\n\x1b[1mdone\x1b[0m", Signals()),
}
of_all = pytest.mark.parametrize(("text", "said"), SAID.values(), ids=SAID)


@of_all
def test_what_is_said(text: str, said: Signals) -> None:
    """Each sequence says what its rule says, and no more."""
    assert SignalReader().feed(text) == said


@of_all
def test_fed_by_characters(text: str, said: Signals) -> None:
    """It is the same a character at a time."""
    reader = SignalReader()
    assert [reader.feed(character) for character in text][-1] == said


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (None, ""),
        ("app=codex", ""),
        ("app=codex:state=idle", "idle"),
        ("state=blocked:kind=permission", "blocked"),
    ],
)
def test_the_state_is_named_in_the_status(status: str | None, state: str) -> None:
    """Other words of a status name no state."""
    assert Signals(status=status).state == state


def test_to_forget_leaves_the_bells() -> None:
    """What another program has said is forgotten; a bell that has rung has rung."""
    reader = SignalReader()
    reader.feed("\a\x1b]0;one\a\x1b[?2004h\x1b]7501;state=")
    assert reader.forget() == Signals(bells=1)
    assert reader.feed("idle\a") == Signals(bells=1, status="state=idle")
