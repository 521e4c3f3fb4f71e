"""Keys, and sequences of text, keys and pastes to send."""

import re
from collections.abc import Iterator
from typing import Final, Self, TypeAlias

import attrs

from tmuxprim._values.argument_types import check_type
from tmuxprim._values.short_repr import cut_repr
from tmuxprim.errors import Advice, InvalidKeyError, InvalidTextError

_ARROWS: Final = {"Up": "A", "Down": "B", "Left": "D", "Right": "C"}
_KEYPAD: Final = {"IC": 2, "DC": 3, "PPage": 5, "NPage": 6} | {
    f"F{key}": number for key, number in enumerate((15, 17, 18, 19, 20, 21, 23, 24), 5)
}
# Keys that xterm reports with their modifiers, such as C-S-Up: the sequence of the key alone, and
# the one with the number of its modifiers (xterm's ctlseqs, "PC-Style Function Keys").
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
# Ctrl turns these characters into one control byte (ECMA-48 5.2), in every tmux. For others the
# versions differ: C-1 is an xterm sequence up to 3.3, nothing in 3.4, and "1" in later ones.
_CTRL_CHARS: Final = "abcdefghijklmnopqrstuvwxyz@[\\]^_?"
_WITH_CTRL: Final = frozenset((*_CTRL_CHARS, "Space", *_SEQUENCES))
# The keys of which every tmux from 3.0 to 3.8 sends the same bytes, by their modifiers. With any
# others, those are the keys of `_SEQUENCES`.
_PORTABLE: Final = {
    "": frozenset(_NAMES),
    "M": frozenset((*map(chr, range(0x21, 0x7F)), *_CHARACTERS, *_SEQUENCES)),
    "C": _WITH_CTRL,
    "CM": _WITH_CTRL,
}

_MODIFIERS: Final = re.compile(r"\A(?:[CMScms]-(?=.))*", re.DOTALL)
# Other spellings that people use, in lower case; they are only suggested, and never accepted.
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
    if base in _PORTABLE.get(modifiers, _SEQUENCES):
        return True
    # A character that is typed as it is. The name of the blank is Space.
    return not modifiers and len(base) == 1 and base.isprintable() and base != " "


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
    import difflib  # noqa: PLC0415  # slow to import, and only needed for a misspelt name

    close = difflib.get_close_matches(base.lower(), _SPELLING, n=1, cutoff=0.7)
    return _spell(modifiers + _SPELLING[close[0]]) if close else None


def key_named(text: str) -> str | None:
    """Return the key that a text seems to name, although it would be typed as letters; or None.

    Such a text is a key name of more than one letter, or one in brackets, such as ``<Enter>``.
    """
    bracketed = _BRACKETED.match(text)
    name = bracketed[1] if bracketed else text
    if len(name) == 1:
        return None
    if bracketed or _HAS_MODIFIER.match(name):
        return _spell(name) or _suggest(name)
    return name if name == _spell(name) else None


_BRACKETED: Final = re.compile(r"[<{\[](\S+)[>}\]]\Z")
_HAS_MODIFIER: Final = re.compile(r"(?:\^|[CMS]-|(?i:ctrl|control|alt|meta|shift)[-+])\S+\Z")


def _to_spelling(name: object) -> str:
    if not isinstance(name, str):
        raise InvalidKeyError(f"a key name is a str such as 'Enter' or 'C-c', got {name!r}")
    spelling = _spell(name)
    if spelling is not None:
        return spelling
    unknown = f"unknown or non-portable key name: {name!r}"
    if suggestion := _suggest(name):
        raise InvalidKeyError(f"{unknown}; did you mean {suggestion!r}?")
    raise InvalidKeyError(
        f"{unknown}; keys are named as in 'Enter', 'C-c', 'M-x', 'Up', 'F5'",
        advice=Advice.TYPE_AS_TEXT,
    )


@attrs.frozen
class Key:
    """One key, by its tmux name: ``Enter``, ``C-c``, ``M-x``, ``S-Up``, ``F5``, ``a``.

    Upper and lower case do not matter in a name, as in tmux; the key is spelt in one way.

    Args:
        name: The name of the key.

    Raises:
        InvalidKeyError: If tmux 3.0 to 3.8 do not all take the name for the same key. The
            message suggests the key that was probably meant.

    Examples:
        >>> Key("c-C") == Key("C-c")
        True
        >>> Key("Ctrl-C")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.InvalidKeyError: unknown or non-portable key name: 'Ctrl-C'; ...
    """

    name: str = attrs.field(converter=_to_spelling)

    def __str__(self) -> str:
        return self.name


def key_characters(key: Key) -> str:
    """Return the characters that a terminal sends to its program for a key."""
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


_UNSENDABLE: Final = re.compile("[\x00\ud800-\udfff]")
# The end of a bracketed paste, also with its CSI in one character (ECMA-48 5.3).
_PASTE_END: Final = re.compile("(?:\x1b\\[|\x9b)0*201~")
_LINE_END: Final = re.compile("\r\n|\n")


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise InvalidTextError(f"text to type is a str, got {text!r}")
    bad = None if is_sendable(text) else _UNSENDABLE.search(text)
    if bad is not None:
        what = (
            "NUL cannot be typed as text; press the key 'C-@'"
            if bad[0] == "\x00"
            else "a lone surrogate is no character; decode the text with the right codec"
        )
        raise InvalidTextError(f"{what}: got {bad[0]!r} at index {bad.start()}")


def is_sendable(text: str) -> bool:
    """Whether *text* has no NUL and no lone surrogate."""
    # Encoding finds a surrogate several times as fast as a search for a range of characters.
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\x00" not in text


def _check_paste(_paste: object, _field: object, text: str) -> None:
    _check_text(text)
    if end := _PASTE_END.search(text):
        raise InvalidTextError(
            f"a pasted text cannot hold the end of a paste, got {end[0]!r} at index "
            f"{end.start()}; take it out, or type the text"
        )


@attrs.frozen
class Paste:
    r"""A text that arrives at the program as a paste from a clipboard does.

    Args:
        text: The text; its line ends (LF, CRLF) are sent as CR.

    Raises:
        InvalidTextError: If *text* holds a NUL, a lone surrogate, or the end of a bracketed paste.

    Examples:
        >>> str(KeySequence((Paste("a\nb"), Key("Enter"))))
        "paste 'a\\nb' + Enter"
        >>> Paste("a\nb").as_sent
        'a\rb'
    """

    text: str = attrs.field(validator=_check_paste, repr=cut_repr)

    @property
    def as_sent(self) -> str:
        """The text with its line ends as a terminal sends them."""
        return _LINE_END.sub("\r", self.text)

    def __str__(self) -> str:
        return f"paste {self.text!r}"


Part: TypeAlias = str | Key | Paste


def _to_parts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Join neighbouring texts, so that equal input compares equal, however it was built."""
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, (Key, Paste)):
            joined += [] if part == Paste("") else [part]
            continue
        _check_text(part)
        if joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part:
            joined.append(part)
    return tuple(joined)


@attrs.frozen
class KeySequence:
    r"""Input for a pane, in order: literal text and named keys.

    Text is always literal: ``KeySequence.text("Enter")`` types five letters. A newline in a text
    is sent as LF (``C-j``), which is not the Enter key (CR).

    Args:
        parts: Texts, pastes and keys. Empty texts are dropped and neighbouring texts joined.

    Raises:
        InvalidTextError: If a text holds a NUL or a lone surrogate.

    Examples:
        >>> str(KeySequence.text("y") + KeySequence.keys("Enter"))
        "'y' + Enter"
        >>> KeySequence.parse("Up Up") == KeySequence.keys("Up") * 2
        True
    """

    parts: tuple[Part, ...] = attrs.field(converter=_to_parts, repr=cut_repr)

    @classmethod
    def text(cls, text: str) -> Self:
        """Return literal text, without Enter.

        Args:
            text: The text.

        Raises:
            InvalidTextError: If it holds a NUL or a lone surrogate.
        """
        return cls((text,))

    @classmethod
    def lines(cls, text: str) -> Self:
        """Return literal text in which every line end (LF, CRLF) is the Enter key.

        Args:
            text: The text.

        Raises:
            InvalidTextError: If it holds a NUL or a lone surrogate.
        """
        _check_text(text)
        first, *rest = _LINE_END.split(text)
        enter = Key("Enter")
        return cls((first, *(part for line in rest for part in (enter, line))))

    @classmethod
    def paste(cls, text: str) -> Self:
        """Return a text that arrives as a paste from a clipboard; an empty text is no input.

        Args:
            text: The text; its line ends (LF, CRLF) are sent as CR.

        Raises:
            InvalidTextError: If it holds a NUL, a lone surrogate, or the end of a paste.
        """
        return cls((Paste(text),))

    @classmethod
    def keys(cls, *names: str) -> Self:
        """Return named keys, such as ``keys("C-c", "Up")``.

        Args:
            names: The names of the keys.

        Raises:
            InvalidKeyError: If a name is not the name of a key.
        """
        return cls(tuple(Key(name) for name in names))

    @classmethod
    def parse(cls, names: str) -> Self:
        """Return named keys, written as one text with white space between them.

        Args:
            names: The names of the keys.

        Raises:
            InvalidKeyError: If a name is not the name of a key.
        """
        check_type("names", names, str)
        return cls.keys(*names.split())

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, KeySequence):
            return NotImplemented
        return type(self)(self.parts + other.parts)

    def __mul__(self, times: int) -> Self:
        return type(self)(self.parts * times)

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __str__(self) -> str:
        if not self.parts:
            return "nothing"
        return " + ".join(repr(part) if isinstance(part, str) else str(part) for part in self.parts)
