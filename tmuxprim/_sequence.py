r"""`KeySequence`: what is typed and pressed, in order, as a value.

Text and keys are different things: ``Tab`` as text is three letters. So are typing and pasting:

* Typed text arrives as it is. LF in it is LF, the key ``C-j``, and not Enter, which is CR.
* Pasted text arrives as from a clipboard: line ends become CR, and a program that has asked for it
  (DEC private mode 2004) is sent ``ESC [ 200 ~`` before it and ``ESC [ 201 ~`` after it. So no
  pasted text may hold that end itself, or what follows it would count as typed.
"""

import re
from collections.abc import Iterator
from typing import Final, Self, TypeAlias

import attrs

from tmuxprim._errors import InvalidTextError
from tmuxprim._keys import Key

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
    """Whether *text* has no NUL and no lone surrogate; encoding tells that fastest by far."""
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
    r"""A text that arrives as from a clipboard.

    Args:
        text: The text; its line ends (LF, CRLF) are sent as CR.

    Raises:
        InvalidTextError: If it holds a NUL, a lone surrogate, or the end of a bracketed paste.

    Examples:
        >>> str(KeySequence((Paste("a\nb"), Key("Enter"))))
        "paste 'a\\nb' + Enter"
        >>> Paste("a\nb").as_sent
        'a\rb'
    """

    text: str = attrs.field(validator=_check_paste)

    @property
    def as_sent(self) -> str:
        """The text with its line ends as a terminal sends them."""
        return _LINE_END.sub("\r", self.text)

    def __str__(self) -> str:
        return f"paste {self.text!r}"


Part: TypeAlias = str | Key | Paste


def _to_parts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Join neighbouring texts, so that equal input is equal whatever it was built from."""
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
    r"""What is typed, in order: literal text and named keys.

    Text is sent as it is, whatever it looks like: ``KeySequence.text("Enter")`` types five
    letters. A newline in a text is sent as LF (``C-j``), which is not the Enter key (CR).

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

    parts: tuple[Part, ...] = attrs.field(converter=_to_parts)

    @classmethod
    def text(cls, text: str) -> Self:
        """Return literal text, any text, without Enter.

        Raises:
            InvalidTextError: If it holds a NUL or a lone surrogate.
        """
        return cls((text,))

    @classmethod
    def lines(cls, text: str) -> Self:
        """Return literal text in which every line end (LF, CRLF) is the Enter key.

        Raises:
            InvalidTextError: If it holds a NUL or a lone surrogate.
        """
        _check_text(text)
        first, *rest = _LINE_END.split(text)
        enter = Key("Enter")
        return cls((first, *(part for line in rest for part in (enter, line))))

    @classmethod
    def paste(cls, text: str) -> Self:
        """Return a text that arrives as from a clipboard; an empty one is nothing.

        Raises:
            InvalidTextError: If it holds a NUL, a lone surrogate, or the end of a paste.
        """
        return cls((Paste(text),))

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

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __str__(self) -> str:
        if not self.parts:
            return "nothing"
        return " + ".join(repr(part) if isinstance(part, str) else str(part) for part in self.parts)
