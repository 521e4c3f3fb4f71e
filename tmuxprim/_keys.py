"""`Key`: one key that is pressed, by its name.

Rules of a key name (tmux manual, KEY BINDINGS):

* tmux types an unknown name as text and reports success, so a name is checked here, when the
  `Key` is made, against the names that mean the same in tmux 3.0 to 3.8.
* Names are not case-sensitive in tmux; a `Key` carries the one spelling of its name.
* ``C-`` is Ctrl, ``M-`` is Alt (Meta), ``S-`` is Shift.
* One printed character is a key too, and so is ``;``: no name is ever a tmux command.
"""

import re
from typing import Final

import attrs

from tmuxprim._errors import InvalidKeyError

_ARROWS: Final = {"Up": "A", "Down": "B", "Left": "D", "Right": "C"}
_KEYPAD: Final = {"IC": 2, "DC": 3, "PPage": 5, "NPage": 6} | {
    f"F{key}": number for key, number in enumerate((15, 17, 18, 19, 20, 21, 23, 24), 5)
}
# Keys that xterm reports with their modifiers, such as C-S-Up: what it sends for each alone, and
# where the number of the modifiers stands (ctlseqs, "PC-Style Function Keys").
_SEQUENCES: Final = {
    "Home": ("\x1b[1~", "\x1b[1;{}H"),
    "End": ("\x1b[4~", "\x1b[1;{}F"),
    **{name: (f"\x1b[{end}", f"\x1b[1;{{}}{end}") for name, end in _ARROWS.items()},
    **{name: (f"\x1b[{number}~", f"\x1b[{number};{{}}~") for name, number in _KEYPAD.items()},
    **{f"F{key}": (f"\x1bO{end}", f"\x1b[1;{{}}{end}") for key, end in enumerate("PQRS", 1)},
}
# Keys that are one character, to which only Alt can be added (ESC before it).
_CHARACTERS: Final = {"Enter": "\r", "Tab": "\t", "Space": " ", "BSpace": "\x7f", "Escape": "\x1b"}
_BACK_TAB: Final = "\x1b[Z"
_MODIFIER_BITS: Final = {"S": 1, "M": 2, "C": 4}
_NAMES: Final = (*_SEQUENCES, *_CHARACTERS, "BTab")
_SPELLING: Final = {name.lower(): name for name in _NAMES}
# What Ctrl turns into one control byte (ECMA-48 5.2), the same in every tmux.
_CTRL_CHARS: Final = frozenset("abcdefghijklmnopqrstuvwxyz@[\\]^_?")

_MODIFIERS: Final = re.compile(r"\A(?:[CMScms]-(?=.))*", re.DOTALL)
# What people write instead, in lower case.
_ALIASES: Final = {
    **dict.fromkeys(("return", "ret", "cr"), "Enter"),
    **dict.fromkeys(("esc",), "Escape"),
    **dict.fromkeys(("backspace", "bs"), "BSpace"),
    **dict.fromkeys(("del", "delete"), "DC"),
    **dict.fromkeys(("ins", "insert"), "IC"),
    **dict.fromkeys(("pageup", "pgup", "prior"), "PPage"),
    **dict.fromkeys(("pagedown", "pgdn", "pgdown", "next"), "NPage"),
    **dict.fromkeys(("backtab", "shifttab"), "BTab"),
    **dict.fromkeys(("spacebar", "spc"), "Space"),
    **dict.fromkeys(("newline", "linefeed", "lf"), "C-j"),
    **{f"arrow{name.lower()}": name for name in _ARROWS},
    **{f"{name.lower()}arrow": name for name in _ARROWS},
}
_WORDY_MODIFIER: Final = (
    r"(?i:(?P<C>ctrl|control|ctl|c)|(?P<M>alt|meta|option|opt|m)|(?P<S>shift|s))[-+ ](?=.)"
)


def _split(name: str) -> tuple[str, str]:
    """Return the modifiers of a key name, such as ``C-S-``, and the key that they are for."""
    base = _MODIFIERS.sub("", name)
    return name.removesuffix(base), base


def _spell(name: str) -> str | None:
    """Return the one spelling of a portable key name, or None if it is not one."""
    written, base = _split(name)
    modifiers = "".join(sorted(set(written.upper().replace("-", ""))))
    base = _SPELLING.get(base.lower(), base)
    if "C" in modifiers:
        base = base.lower() if base.isascii() and len(base) == 1 else base
    if not _is_portable(modifiers, base):
        return None
    return "".join(f"{letter}-" for letter in modifiers) + base


def _is_portable(modifiers: str, base: str) -> bool:
    """Whether every tmux from 3.0 to 3.8 sends the same bytes for this key."""
    is_char = len(base) == 1 and base.isprintable() and not base.isspace()
    match modifiers:
        case "":
            return is_char or base in _NAMES
        case "M":
            return (is_char and base.isascii()) or base in (*_CHARACTERS, *_SEQUENCES)
        case "C" | "CM":
            return base in _CTRL_CHARS or base == "Space" or base in _SEQUENCES
        case _:
            return base in _SEQUENCES


def _suggest(name: str) -> str | None:
    """Return the key that was probably meant, or None."""
    if len(name) == 2 and name.startswith("^"):  # noqa: PLR2004  # caret and one character
        return _spell(f"C-{name[1]}")
    if name.lower() in ("c-/", "ctrl-/", "ctrl+/"):
        return "C-_"
    modifiers, base = "", name
    while match := re.match(_WORDY_MODIFIER, base):
        modifiers += f"{match.lastgroup}-"
        base = base[match.end() :]
    plain = base.lower().replace("-", "").replace("_", "").replace(" ", "")
    base = _ALIASES.get(plain, _SPELLING.get(plain, base))
    if modifiers == "S-" and base == "Tab":
        return "BTab"
    if found := _spell(modifiers + base):
        return found
    import difflib  # noqa: PLC0415  # only for who has misspelt one

    close = difflib.get_close_matches(base.lower(), _SPELLING, n=1, cutoff=0.7)
    return _spell(modifiers + _SPELLING[close[0]]) if close else None


def _to_spelling(name: object) -> str:
    if not isinstance(name, str):
        raise InvalidKeyError(f"a key name is a str such as 'Enter' or 'C-c', got {name!r}")
    spelling = _spell(name)
    if spelling is not None:
        return spelling
    suggestion = _suggest(name)
    advice = (
        f"did you mean {suggestion!r}?"
        if suggestion
        else "keys are named as in 'Enter', 'C-c', 'M-x', 'Up', 'F5'; "
        "to type it as text, use KeySequence.text"
    )
    raise InvalidKeyError(f"not a key that every tmux knows: {name!r}; {advice}")


@attrs.frozen
class Key:
    """One key, by its tmux name: ``Enter``, ``C-c``, ``M-x``, ``S-Up``, ``F5``, ``a``.

    Upper and lower case do not matter in a name, as in tmux; the key is spelt in one way.

    Args:
        name: The name of the key.

    Raises:
        InvalidKeyError: If tmux 3.0 to 3.8 do not all take the name for the same key. The
            message says which key was probably meant.

    Examples:
        >>> Key("c-C") == Key("C-c")
        True
        >>> Key("Ctrl-C")
        Traceback (most recent call last):
        ...
        tmuxprim.InvalidKeyError: not a key that every tmux knows: 'Ctrl-C'; did you mean 'C-c'?
    """

    name: str = attrs.field(converter=_to_spelling)

    def __str__(self) -> str:
        return self.name


def key_characters(key: Key) -> str:
    """Return what a terminal sends to its program for a key."""
    modifiers, base = _split(key.name)
    if base == "BTab":
        return _BACK_TAB
    if base in _SEQUENCES:
        alone, modified = _SEQUENCES[base]
        bits = sum(bit for letter, bit in _MODIFIER_BITS.items() if letter in modifiers)
        return modified.format(bits + 1) if bits else alone
    character = _CHARACTERS.get(base, base)
    if "C" in modifiers:
        character = "\x7f" if character == "?" else chr(ord(character.upper()) & 0x1F)
    return f"\x1b{character}" if "M" in modifiers else character
