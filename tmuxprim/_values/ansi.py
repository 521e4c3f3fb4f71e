r"""Remove the control functions of a terminal from text, and keep the printed text.

The grammar is the one of a DEC VT500 parser, read over code points:

    text    anything but ESC and C1           kept, with C0, DEL and lone surrogates
    CSI     ESC [ (20-3F)* (40-7E)            ECMA-48 5.4, parameters in any order
    OSC     ESC ] payload (BEL | ESC \)       ECMA-48 5.6, ended by BEL as xterm does
    STRING  ESC (P X ^ _ k) payload (ESC \)   DCS, SOS, PM, APC and the title of screen
    nF      ESC (20-2F)+ (30-7E)              ECMA-35, such as ESC ( B
    ESC2    ESC (30-7E)                       Fp, Fe and Fs, such as ESC 7

1. Unterminated at the end of the text: dropped. Strings run on across newlines.
2. ESC always restarts, even inside of strings; so ``ESC \`` is no more than an ESC2.
3. CAN and SUB cancel a sequence and go with it; elsewhere they are text.
4. Other C0 controls inside of ESC, CSI and nF are executed at once by a terminal: they
   are kept and the sequence goes on. DEL is dropped there. Both are payload in a string.
5. BEL ends OSC, and no other string.
6. Code points from U+00A0, surrogates included, abort ESC, CSI and nF and are kept. They
   are payload in a string.
7. A C1 control (U+0080-U+009F) is ``ESC`` and the code point 64 lower (ECMA-48 5.3).

Not done, on purpose: the palette of Linux (``ESC ] P rrggbb`` without an end), VT52
cursor addresses, the mouse reports of X10, overwriting by BS and CR, the text inside of
OSC 66. Nothing is rendered: for what a screen shows, capture the pane.
"""

import re
import reprlib
from typing import Final, final

__all__ = ["AnsiStripper", "strip_ansi"]

ESC: Final = "\x1b"
_CAN: Final = "\x18"

# The C0 controls that do not end a sequence (rules 2 and 3), and what may interrupt one.
_C0: Final = "".join(chr(c) for c in range(0x20) if c not in {0x18, 0x1A, 0x1B})
INTERRUPTIONS: Final = _C0 + "\x7f"

# Possessive repeats never backtrack, so each character is read once, and a hostile text costs
# no more than an ordinary one. No class contains C1: it survives this pattern, as does an ESC
# whose sequence is interrupted by C0 or DEL (the lookahead). A second pass finds both.
_SEQUENCE: Final = re.compile(
    rf"""\x1b(?:
        \[[\x20-\x3f]*+[\x40-\x7e]                            # a whole CSI: nearly all there is
      | \][^\x07\x18\x1a\x1b\x80-\x9f]*+[\x07\x18\x1a]?       # OSC
      | [PX^_k][^\x18\x1a\x1b\x80-\x9f]*+[\x18\x1a]?          # STRING
      | (?>\[[\x20-\x3f]*+|[\x20-\x2f]*+)                     # a CSI cut short, nF and ESC2
        (?:[\x30-\x7e\x18\x1a]|(?![{INTERRUPTIONS}]))
    )""",
    re.VERBOSE,
)

# Sequences that C0 or DEL interrupt before the final byte of a CSI, nF or ESC2, where they are no
# payload. The lookahead skips all other sequences, so that one odd one does not slow them down.
_INTERRUPTED: Final = re.compile(
    rf"""\x1b(?=[\[\x20-\x3f]*+[{INTERRUPTIONS}])(?:
        [{INTERRUPTIONS}]*+\[[\x20-\x3f{INTERRUPTIONS}]*+  # CSI
      | [\x20-\x2f{INTERRUPTIONS}]*+                        # nF and ESC2, and before a string
    )""",
    re.VERBOSE,
)

_C1_AS_UTF8: Final = re.compile(rb"\xc2[\x80-\x9f]")
_C1_TO_7BIT: Final = {c1: ESC + chr(c1 - 0x40) for c1 in range(0x80, 0xA0)}


def strip_ansi(text: str) -> str:
    r"""Return *text* without its terminal control functions.

    Text that was decoded with the wrong codec can hold U+009D, which opens an OSC and removes
    all text after it: a closing quote in UTF-8 that was read as Latin-1 is enough. Carriage
    returns, backspaces and the other C0 controls stay. A move of the cursor is removed without
    a replacement.

    Args:
        text: Any text. A sequence that is not complete at its end is dropped.

    Returns:
        The text and C0 controls that a VT500 would print or execute (ECMA-48 5.3, 5.4, 5.6),
        without ESC and without C1 controls. It is the same object if *text* has neither.

    Raises:
        TypeError: If *text* is not a str, such as bytes that are not decoded yet.

    Examples:
        >>> strip_ansi("\x1b[1;31mred\x1b[0m \x1b]8;;http://e.x\x1b\\link\x1b]8;;\x1b\\")
        'red link'
    """
    _check_text(text)
    stripped = _SEQUENCE.sub("", text) if ESC in text else text
    if ESC in stripped or _has_c1(stripped):
        # This is rare. It starts from *text* again, since the pass above may have joined the
        # halves of an interrupted sequence.
        stripped = _SEQUENCE.sub("", _INTERRUPTED.sub(_uninterrupted, to_7bit(text)))
    return stripped


@final
class AnsiStripper:
    r"""Strips text that comes in pieces, wherever they were cut.

    The stripped pieces, joined, always equal `strip_ansi` of the whole text. Between two pieces it
    keeps at most two characters, even within a title of a gigabyte. It needs no flush, since a
    sequence that is open at the end is dropped.

    Examples:
        >>> stripper = AnsiStripper()
        >>> stripper.feed("one \x1b[3"), stripper.feed("1mtwo\x1b[0m")
        ('one ', 'two')
    """

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open = ""

    def feed(self, chunk: str) -> str:
        """Return the stripped text that *chunk* adds.

        Args:
            chunk: The next piece of the text, of any length.

        Returns:
            The text that is certain now. A later piece never changes it.

        Raises:
            TypeError: If *chunk* is not a str.
        """
        _check_text(chunk)
        before, escape, rest = to_7bit(self._open + chunk).rpartition(ESC)
        # ESC restarts (rule 2), so only the text behind the last ESC can be open. A CAN cancels an
        # open sequence and goes with it (rule 3): if it is printed, no sequence was open.
        last = strip_ansi(escape + rest + _CAN)
        is_open = not last.endswith(_CAN)
        self._open = escape + rest.lstrip(INTERRUPTIONS)[:1] if is_open else ""
        return strip_ansi(before) + last.removesuffix(_CAN)


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"text to strip is a str, got {reprlib.repr(text)}; decode bytes first")


def _uninterrupted(sequence: re.Match[str]) -> str:
    """Move the C0 controls of a sequence to its front, where they have the same effect.

    ESC CAN before them ends a string that is still open, as the ESC of this sequence did until
    now; inside the string they would be payload.
    """
    executed = "".join(c for c in sequence[0] if c in _C0)
    rest = "".join(c for c in sequence[0] if c not in INTERRUPTIONS)
    return ESC + _CAN + executed + rest


def _has_c1(text: str) -> bool:
    """Whether *text* has a C1 control."""
    # A search in the bytes is twice as fast as one in the characters.
    return not text.isascii() and bool(
        _C1_AS_UTF8.search(text.encode("utf-8", errors="surrogatepass"))
    )


def to_7bit(text: str) -> str:
    """Spell each C1 control as ESC Fe, which is the same control (ECMA-48 5.3)."""
    return text.translate(_C1_TO_7BIT) if _has_c1(text) else text
