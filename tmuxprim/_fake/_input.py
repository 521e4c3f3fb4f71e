"""What keys are as characters, and what characters are as keys."""

import re
from typing import Final

from tmuxprim._keys import Key
from tmuxprim._sequence import KeySequence, Part, Paste

# The final character of ESC [ 1 ; modifiers X, or the number of ESC [ number ; modifiers ~.
_CURSOR_FINALS: Final = {"Up": "A", "Down": "B", "Right": "C", "Left": "D"}
_KEYPAD_NUMBERS: Final = {
    "Home": 1,
    "IC": 2,
    "DC": 3,
    "End": 4,
    "PPage": 5,
    "NPage": 6,
    "F5": 15,
    "F6": 17,
    "F7": 18,
    "F8": 19,
    "F9": 20,
    "F10": 21,
    "F11": 23,
    "F12": 24,
}
_MODIFIED_FINALS: Final = {"Home": "H", "End": "F"}
_FUNCTION_FINALS: Final = {"F1": "P", "F2": "Q", "F3": "R", "F4": "S"}
_BYTES: Final = {"Enter": "\r", "Tab": "\t", "Space": " ", "BSpace": "\x7f", "Escape": "\x1b"}
_MODIFIER_BITS: Final = {"S": 1, "M": 2, "C": 4}
_PASTED: Final = re.compile(r"\x1b\[200~(.*)\x1b\[201~", re.DOTALL)
_ONE_KEY: Final = re.compile(
    r"\x1b\[200~.*?\x1b\[201~|\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|\x1b.|.", re.DOTALL
)

INTERRUPT: Final = "\x03"
END_OF_FILE: Final = "\x04"
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
        return _key_characters(part)
    if isinstance(part, Paste):
        return f"\x1b[200~{part.as_sent}\x1b[201~" if bracketed else part.as_sent
    return part


def _key_characters(key: Key) -> str:
    prefix, _, base = key.name.rpartition("-") if len(key.name) > 1 else ("", "", key.name)
    if not base:  # the key is itself a "-", as in M--
        prefix, base = prefix.rstrip("-"), "-"
    modifiers = [letter for letter in prefix.split("-") if letter]
    if base == "BTab":
        return "\x1b[Z"
    if base in _BYTES or len(base) == 1:
        return _byte_key(_BYTES.get(base, base), modifiers)
    return _cursor_key(base, sum(_MODIFIER_BITS[letter] for letter in modifiers))


def _byte_key(character: str, modifiers: list[str]) -> str:
    if "C" in modifiers:
        character = "\x7f" if character == "?" else chr(ord(character.upper()) & 0x1F)
    return f"\x1b{character}" if "M" in modifiers else character


def _cursor_key(name: str, bits: int) -> str:
    """Return what xterm sends (ctlseqs, "PC-Style Function Keys")."""
    if bits and name in _MODIFIED_FINALS:
        return f"\x1b[1;{bits + 1}{_MODIFIED_FINALS[name]}"
    if name in _KEYPAD_NUMBERS:
        number = _KEYPAD_NUMBERS[name]
        return f"\x1b[{number};{bits + 1}~" if bits else f"\x1b[{number}~"
    final = _CURSOR_FINALS.get(name) or _FUNCTION_FINALS[name]
    if bits:
        return f"\x1b[1;{bits + 1}{final}"
    return f"\x1bO{final}" if name in _FUNCTION_FINALS else f"\x1b[{final}"


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
