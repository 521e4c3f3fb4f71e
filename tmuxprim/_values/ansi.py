r"""Remove the control functions of a terminal from text: what is left is what was said.

The grammar is the one of a DEC VT500 parser, read over code points:

    text    anything but ESC and C1           kept, C0 and DEL and lone surrogates too
    CSI     ESC [ (20-3F)* (40-7E)            ECMA-48 5.4, parameters in any order
    OSC     ESC ] payload (BEL | ESC \)       ECMA-48 5.6, ended by BEL as xterm does
    STRING  ESC (P X ^ _ k) payload (ESC \)   DCS, SOS, PM, APC and the title of screen
    nF      ESC (20-2F)+ (30-7E)              ECMA-35, such as ESC ( B
    ESC2    ESC (30-7E)                       Fp, Fe and Fs, such as ESC 7

1. Unterminated at the end of the text: dropped. Strings run on across newlines.
2. ESC always restarts, inside of strings too; so ``ESC \`` is no more than an ESC2.
3. CAN and SUB cancel a sequence and go with it; elsewhere they are text.
4. Other C0 controls inside of ESC, CSI and nF are executed at once by a terminal: they
   are kept and the sequence goes on. DEL is dropped there. Both are payload in a string.
5. BEL ends OSC, and no other string.
6. Code points from U+00A0, surrogates too, abort ESC, CSI and nF and are kept. They are
   payload in a string.
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

# Possessive repeats never give back what they took, so each character is looked at once
# and a hostile text costs no more than a tame one. C1 is in no class: it outlives the
# pattern, as does an ESC whose sequence is interrupted by C0 or DEL (the lookahead).
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

# Where C0 and DEL are no payload: as far as the final byte of CSI, nF and ESC2. The lookahead
# passes over what is not interrupted, so that one odd sequence does not slow down all others.
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

    Text decoded with the wrong codec can hold U+009D, which opens an OSC and takes all
    that follows with it: a closing quote in UTF-8 read as Latin-1 is enough. Carriage
    returns, backspaces and the other C0 controls stay; a move of the cursor leaves no trace.

    Args:
        text: Any text. A sequence that is not complete at its end is dropped.

    Returns:
        What a VT500 would print or execute as C0 (ECMA-48 5.3, 5.4, 5.6): without ESC and
        without C1 controls. The very same object if *text* has none of them.

    Raises:
        TypeError: If it is no text, such as bytes that are not decoded yet.

    Examples:
        >>> strip_ansi("\x1b[1;31mred\x1b[0m \x1b]8;;http://e.x\x1b\\link\x1b]8;;\x1b\\")
        'red link'
    """
    _check_text(text)
    stripped = _SEQUENCE.sub("", text) if ESC in text else text
    if ESC in stripped or _has_c1(stripped):
        # Rare, and the pass above may have joined the halves of what was interrupted.
        stripped = _SEQUENCE.sub("", _INTERRUPTED.sub(_uninterrupted, to_7bit(text)))
    return stripped


@final
class AnsiStripper:
    r"""Strip text that comes in pieces, wherever they were cut.

    The pieces joined are always `strip_ansi` of the whole. All that is remembered between
    two of them are at most two characters, even amid a title of a gigabyte; nothing has to
    be flushed, for what is open at the end is dropped.

    Examples:
        >>> stripper = AnsiStripper()
        >>> stripper.feed("one \x1b[3"), stripper.feed("1mtwo\x1b[0m")
        ('one ', 'two')
    """

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open = ""

    def feed(self, chunk: str) -> str:
        """Return what *chunk* adds to the stripped text.

        Args:
            chunk: The next piece of the text, of any length.

        Returns:
            The text that is certain now: none of it is held back or taken back later.

        Raises:
            TypeError: If it is no text.
        """
        _check_text(chunk)
        before, escape, rest = to_7bit(self._open + chunk).rpartition(ESC)
        # ESC restarts, so its sequence can be told apart. If a CAN after it comes out again,
        # there was nothing open that it could cancel.
        last = strip_ansi(escape + rest + _CAN)
        is_open = not last.endswith(_CAN)
        self._open = escape + rest.lstrip(INTERRUPTIONS)[:1] if is_open else ""
        return strip_ansi(before) + last.removesuffix(_CAN)


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"text to strip is a str, got {reprlib.repr(text)}; decode bytes first")


def _uninterrupted(sequence: re.Match[str]) -> str:
    """Move the C0 controls of a sequence to its front, where they have the same effect.

    The ESC CAN ends what came before, as the ESC of this sequence did until now: in a
    string that is still open they would be payload.
    """
    executed = "".join(c for c in sequence[0] if c in _C0)
    rest = "".join(c for c in sequence[0] if c not in INTERRUPTIONS)
    return ESC + _CAN + executed + rest


def _has_c1(text: str) -> bool:
    """Tell whether *text* has a C1 control, by its bytes: twice as fast as by its characters."""
    return not text.isascii() and bool(
        _C1_AS_UTF8.search(text.encode("utf-8", errors="surrogatepass"))
    )


def to_7bit(text: str) -> str:
    """Spell each C1 control as ESC Fe, which is the same control (ECMA-48 5.3)."""
    return text.translate(_C1_TO_7BIT) if _has_c1(text) else text
