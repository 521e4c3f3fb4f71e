"""`Key` and `KeySequence`: what is pressed and typed, as values.

Rules of a key name (tmux manual, KEY BINDINGS):

* tmux types an unknown name as text and reports success, so a name is checked here, when the
  `Key` is made, against the names that mean the same in tmux 3.0 to 3.8.
* Names are not case-sensitive in tmux; a `Key` carries the one spelling of its name.
* ``C-`` is Ctrl, ``M-`` is Alt (Meta), ``S-`` is Shift.
* One printed character is a key too, and so is ``;``: no name is ever a tmux command.

Text and keys are different things: ``Tab`` as text is three letters.
"""

import difflib
import re
from collections.abc import Iterator
from typing import Final, Self

import attrs

from tmuxprim._errors import InvalidKeyError, InvalidTextError

# A key that xterm reports with its modifiers, such as C-S-Up: ESC [ 1 ; 6 A.
_CURSOR_KEYS: Final = (
    *("Up", "Down", "Left", "Right", "Home", "End", "IC", "DC", "NPage", "PPage"),
    *(f"F{number}" for number in range(1, 13)),
)
# A key that is one byte, to which only Alt can be added (ESC before the byte).
_BYTE_KEYS: Final = ("Enter", "Tab", "Space", "BSpace", "Escape")
_NAMES: Final = (*_CURSOR_KEYS, *_BYTE_KEYS, "BTab")
_SPELLING: Final = {name.lower(): name for name in _NAMES}
# What Ctrl turns into one control byte (ECMA-48 5.2), the same in every tmux.
_CTRL_CHARS: Final = frozenset("abcdefghijklmnopqrstuvwxyz@[\\]^_?")

_WITH_MODIFIERS: Final = re.compile(r"(?P<modifiers>(?:[CMScms]-)*)(?P<base>.+)\Z", re.DOTALL)
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
    **{f"arrow{name.lower()}": name for name in _CURSOR_KEYS[:4]},
    **{f"{name.lower()}arrow": name for name in _CURSOR_KEYS[:4]},
}
_WORDY_MODIFIER: Final = re.compile(
    r"(?:(?P<C>ctrl|control|ctl|c)|(?P<M>alt|meta|option|opt|m)|(?P<S>shift|s))[-+ ](?=.)",
    re.IGNORECASE,
)
_UNSENDABLE: Final = re.compile("[\x00\ud800-\udfff]")


def _spell(name: str) -> str | None:
    """Return the one spelling of a portable key name, or None if it is not one."""
    match = _WITH_MODIFIERS.match(name)
    if match is None:
        return None
    modifiers = "".join(sorted(set(match["modifiers"].upper().replace("-", ""))))
    base = _SPELLING.get(match["base"].lower(), match["base"])
    if "C" in modifiers:
        base = base.lower() if len(base) == 1 else base
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
            return (is_char and base.isascii()) or base in (*_BYTE_KEYS, *_CURSOR_KEYS)
        case "C" | "CM":
            return base in _CTRL_CHARS or base == "Space" or base in _CURSOR_KEYS
        case _:
            return base in _CURSOR_KEYS


def _suggest(name: str) -> str | None:
    """Return the key that was probably meant, or None."""
    if len(name) == 2 and name.startswith("^"):  # noqa: PLR2004  # caret and one character
        return _spell(f"C-{name[1]}")
    if name.lower() in ("c-/", "ctrl-/", "ctrl+/"):
        return "C-_"
    modifiers, base = "", name
    while match := _WORDY_MODIFIER.match(base):
        modifiers += f"{match.lastgroup}-"
        base = base[match.end() :]
    plain = base.lower().replace("-", "").replace("_", "").replace(" ", "")
    base = _ALIASES.get(plain, _SPELLING.get(plain, base))
    if modifiers == "S-" and base == "Tab":
        return "BTab"
    if found := _spell(modifiers + base):
        return found
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
    """Is one key, by its tmux name: ``Enter``, ``C-c``, ``M-x``, ``S-Up``, ``F5``, ``a``.

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


def _to_parts(parts: tuple[str | Key, ...]) -> tuple[str | Key, ...]:
    """Join neighbouring texts, so that equal input is equal whatever it was built from."""
    joined: list[str | Key] = []
    for part in parts:
        if isinstance(part, Key):
            joined.append(part)
            continue
        _check_text(part)
        if joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part:
            joined.append(part)
    return tuple(joined)


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise InvalidTextError(f"text to type is a str, got {text!r}")
    if bad := _UNSENDABLE.search(text):
        what = (
            "NUL cannot be typed as text; press the key 'C-@'"
            if bad[0] == "\x00"
            else "a lone surrogate is no character; decode the text with the right codec"
        )
        raise InvalidTextError(f"{what}: got {bad[0]!r} at index {bad.start()}")


@attrs.frozen
class KeySequence:
    r"""Is what is typed, in order: literal text and named keys.

    Text is sent as it is, whatever it looks like: ``KeySequence.text("Enter")`` types five
    letters. A newline in a text is sent as LF (``C-j``), which is not the Enter key (CR).

    Args:
        parts: Texts and keys. Empty texts are dropped and neighbouring texts joined.

    Raises:
        InvalidTextError: If a text holds a NUL or a lone surrogate.

    Examples:
        >>> str(KeySequence.text("y") + KeySequence.keys("Enter"))
        "'y' + Enter"
        >>> KeySequence.parse("Up Up") == KeySequence.keys("Up") * 2
        True
    """

    parts: tuple[str | Key, ...] = attrs.field(converter=_to_parts)

    @classmethod
    def text(cls, text: str) -> Self:
        """Return literal text, any text, without Enter.

        Raises:
            InvalidTextError: If it holds a NUL or a lone surrogate.
        """
        return cls((text,))

    @classmethod
    def keys(cls, *names: str) -> Self:
        """Return named keys, such as ``keys("C-c", "Up")``.

        Raises:
            InvalidKeyError: If a name is not a key; nothing else is taken for one.
        """
        return cls(tuple(Key(name) for name in names))

    @classmethod
    def parse(cls, names: str) -> Self:
        """Return named keys, written as one text with white space between them.

        Raises:
            InvalidKeyError: If a name is not a key.
        """
        return cls.keys(*names.split())

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, KeySequence):
            return NotImplemented
        return type(self)(self.parts + other.parts)

    def __mul__(self, times: int) -> Self:
        return type(self)(self.parts * times)

    def __iter__(self) -> Iterator[str | Key]:
        return iter(self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __str__(self) -> str:
        if not self.parts:
            return "nothing"
        return " + ".join(repr(part) if isinstance(part, str) else str(part) for part in self.parts)
