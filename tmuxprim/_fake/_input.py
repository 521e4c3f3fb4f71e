"""What keys are as characters, and what characters are as keys."""

import re
from typing import Final

from tmuxprim._keys import Key, key_characters
from tmuxprim._sequence import KeySequence, Part, Paste

_PASTED: Final = re.compile(r"\x1b\[200~(.*)\x1b\[201~", re.DOTALL)
_ONE_KEY: Final = re.compile(
    r"\x1b\[200~.*?\x1b\[201~|\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|\x1b.|.", re.DOTALL
)

_NEWLINES: Final = ("\r", "\n")


def to_characters(keys: KeySequence, *, bracketed: bool = False) -> str:
    """Return what a terminal sends to its program for *keys*.

    Args:
        keys: What is typed.
        bracketed: Whether the program has asked for pastes to be marked.
    """
    return "".join(_part_characters(part, bracketed=bracketed) for part in keys)


def _part_characters(part: Part, *, bracketed: bool) -> str:
    if isinstance(part, Key):
        return key_characters(part)
    if isinstance(part, Paste):
        return f"\x1b[200~{part.as_sent}\x1b[201~" if bracketed else part.as_sent
    return part


def typed(*names: str) -> tuple[str, ...]:
    """Return what a terminal sends for each of some keys."""
    return tuple(key_characters(Key(name)) for name in names)


def split_keys(characters: str) -> list[str]:
    """Split typed characters into keys; an escape sequence is one key, a marked paste, too."""
    return _ONE_KEY.findall(characters)


def pasted(key: str) -> str | None:
    """Return the text that was pasted, with its line ends as LF; None if the key is no paste."""
    match = _PASTED.fullmatch(key)
    return match and match[1].replace("\r", "\n")


def ends_line(key: str) -> bool:
    """Whether the key hands the line over; the kernel takes CR for LF (ICRNL)."""
    return key in _NEWLINES


INTERRUPT, END_OF_FILE = typed("C-c", "C-d")
