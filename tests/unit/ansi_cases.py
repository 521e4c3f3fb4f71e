"""Hand-made inputs of `strip_ansi`, for the tests and for ``benchmarks/bench_ansi.py``.

The rules are numbered as at the head of ``tmuxprim/_values/ansi.py``.
"""

from types import MappingProxyType
from typing import NamedTuple


class Case(NamedTuple):
    """One input, what must be left of it, and why."""

    id: str
    text: str
    stripped: str
    rule: str


CASES = (
    # CSI
    Case("sgr", "\x1b[1;31mred\x1b[0m x", "red x", "CSI P* F (ECMA-48 5.4)"),
    Case("sgr-empty", "\x1b[mA", "A", "CSI without parameters"),
    Case("sgr-colon", "\x1b[38:2::1:2:3mA\x1b[4:3mB", "AB", "colons are parameter bytes"),
    Case("csi-gt", "\x1b[>0;276;0cA\x1b[>4;2mB\x1b[=1uC", "ABC", "private parameters"),
    Case("csi-mode", "\x1b[?1049hA\x1b[?2004lB", "AB", "private modes"),
    Case("csi-final-at", "\x1b[2@A\x1b[1`B\x1b[3~C\x1b[5^D\x1b[u|", "ABCD|", "finals 40-7E"),
    Case("csi-inter", "\x1b[4 qA\x1b[!pB\x1b[1$zC", "ABC", "intermediates 20-2F"),
    Case("csi-bigparam", "\x1b[99999999999mA", "A", "no limit of digits"),
    Case("csi-manyparam", "\x1b[" + "1;" * 99 + "mA", "A", "no limit of parameters"),
    Case("csi-ignore", "\x1b[1 2mA", "A", "parameter after intermediate: csi_ignore"),
    Case("csi-ignore2", "\x1b[1?2hA", "A", "private byte after digit: csi_ignore"),
    Case("csi-cursor", "A\x1b[2J\x1b[1;1HB\x1b[3DC", "ABC", "nothing is rendered"),
    Case("csi-c0", "\x1b[3\n1mA", "\nA", "rule 4: C0 inside CSI executed"),
    Case("csi-c0b", "\x1b[\r\x071mA", "\r\x07A", "rule 4: more than one C0"),
    Case("csi-del", "\x1b[3\x7f1mA", "A", "rule 4: DEL inside CSI dropped"),
    Case("csi-c0-end", "A\x1b[3\n", "A\n", "rules 1 and 4: executed before the text ended"),
    Case("csi-c0-join", "\x1b[1\n\x1b[m2mA", "\n2mA", "rule 2: no sequence is made by joining"),
    Case("csi-esc", "\x1b[31\x1b[1mA", "A", "rule 2: ESC inside CSI restarts"),
    Case("csi-can", "\x1b[31\x18mA", "mA", "rule 3: CAN cancels"),
    Case("csi-sub", "\x1b[31\x1amA", "mA", "rule 3: SUB cancels"),
    Case("csi-uni", "\x1b[31é[mA", "é[mA", "rule 6: non-ASCII aborts"),
    Case("csi-nbsp", "\x1b[1\xa0mA", "\xa0mA", "rule 6: U+00A0 is the first that aborts"),
    Case("csi-surrogate", "\x1b[1\udc9bmA", "\udc9bmA", "rule 6: surrogates abort too"),
    Case("csi-c0-sub", "\x1b[3\n1\x1amA", "\nmA", "rules 3 and 4: SUB cancels after a C0"),
    Case("csi-end", "A\x1b[", "A", "rule 1: unterminated CSI at the end"),
    Case("csi-end2", "A\x1b[31;1", "A", "rule 1: with parameters"),
    # ESC2
    Case("esc-end", "A\x1b", "A", "rule 1: lone ESC at the end"),
    Case("esc-esc", "\x1b\x1b[1mA", "A", "rule 2: ESC after ESC"),
    Case("esc-uni", "\x1b\xe9A", "\xe9A", "rule 6: ESC and non-ASCII: abort, keep"),
    Case("esc-c0", "\x1b\r[1mA", "\rA", "rule 4: C0 between ESC and ["),
    Case("esc-c0-csi-c0", "\x1b\r[1\n2mA", "\r\nA", "rule 4: C0 before and after ["),
    Case("esc-c0-osc", "\x1b\n]0;t\x07A", "\nA", "rule 4: C0 between ESC and ]"),
    Case("esc-c0-in-osc", "\x1b]0;t\x1b\r\\A", "\rA", "rules 2 and 4: the ESC ended the string"),
    Case("esc-del", "\x1b\x7f[1mA", "A", "rule 4: DEL after ESC dropped"),
    Case("esc-can", "\x1b\x18[1mA", "[1mA", "rule 3: CAN after ESC"),
    Case("esc-fp", "\x1b7A\x1b8B\x1b=C\x1b>D", "ABCD", "Fp: ESC 30-3F"),
    Case("esc-fe", "\x1bDA\x1bEB\x1bMC\x1bHD", "ABCD", "Fe: ESC 40-5F"),
    Case("esc-fs", "\x1bcA\x1bnB\x1b~C\x1b|D", "ABCD", "Fs: ESC 60-7E"),
    Case("st-alone", "A\x1b\\B", "AB", "ST without a string"),
    # nF
    Case("nf", "\x1b(BA\x1b)0B", "AB", "character sets (ECMA-35)"),
    Case("nf-2inter", "\x1b(%5A\x1b$(BC\x1b&9D", "ACD", "two intermediates"),
    Case("nf-bracket", "\x1b([A\x1b#]B", "AB", "after an intermediate [ and ] are finals"),
    Case("nf-c0", "\x1b(\nBA", "\nA", "rule 4: C0 inside nF executed"),
    Case("nf-uni", "\x1b(éA", "éA", "rule 6: non-ASCII aborts nF"),
    Case("nf-end", "A\x1b(", "A", "rule 1: unterminated nF"),
    # OSC
    Case("osc-bel", "\x1b]0;title\x07A", "A", "rule 5: OSC ended by BEL"),
    Case("osc-st", "\x1b]0;title\x1b\\A", "A", "OSC ended by ST (ECMA-48 5.6)"),
    Case(
        "osc8",
        "\x1b]8;id=1;http://e.x/?a=1&b=[2]\x1b\\link\x1b]8;;\x1b\\.",
        "link.",
        "a hyperlink keeps its text",
    ),
    Case("osc-uni", "\x1b]2;t\xedtulo \u65e5\u672c\x07A", "A", "rule 6: payload"),
    Case("osc-nl", "\x1b]0;a\nb\x7f\x07A", "A", "rule 4: C0 and DEL are payload"),
    Case("osc-can", "\x1b]0;ti\x18A", "A", "rule 3: CAN cancels OSC"),
    Case("osc-esc", "\x1b]0;t\x1b[31mA", "A", "rule 2: CSI ends the OSC"),
    Case("osc-end", "A\x1b]0;title", "A", "rule 1: unterminated OSC runs to the end"),
    Case("osc-end-nl", "A\x1b]0;title\nB\nC", "A", "rule 1: across newlines"),
    Case("osc-empty", "\x1b]\x07A\x1b]\x1b\\B", "AB", "empty OSC"),
    Case("osc-surrogate", "\x1b]0;\udc9b\udcff\x07A", "A", "rule 6: surrogates are payload"),
    # DCS, SOS, PM, APC, title
    Case("dcs", "\x1bP1$r0m\x1b\\A", "A", "DCS ended by ST"),
    Case("dcs-nl", "\x1bPq\n#0;2;0;0;0\n#0~~@@\n-\x1b\\A", "A", "sixel with newlines"),
    Case("dcs-bel", "\x1bPa\x07b\x1b\\A", "A", "rule 5: BEL does not end DCS"),
    Case("dcs-can", "\x1bPabc\x18A", "A", "rule 3: CAN cancels DCS"),
    Case("dcs-sub", "\x1bPabc\x1aA", "A", "rule 3: SUB cancels DCS"),
    Case("apc-kitty", "\x1b_Gf=100,a=T;iVBORw0KGgo=\x1b\\A", "A", "kitty graphics"),
    Case("pm", "\x1b^priv\x1b\\A", "A", "PM"),
    Case("sos-end", "A\x1bXstr", "A", "rule 1: unterminated SOS"),
    Case("title", "\x1bkbash\x1b\\A", "A", "title of screen and tmux"),
    Case(
        "tmux-pass2",
        "\x1bPtmux;\x1b\x1b_Gq=1;AA\x1b\x1b\\\x1b\\A",
        "A",
        "tmux passthrough: inner APC, ESC doubled",
    ),
    # C1
    Case("c1-csi", "\x9b31mA\x9bmB", "AB", "rule 7: 8-bit CSI"),
    Case("c1-osc", "\x9d0;t\x9cA\x9d0;t\x07B", "AB", "rule 7: 8-bit OSC and ST"),
    Case("c1-str", "\x98a\x9cA\x9eb\x9cB\x9fc\x9cC", "ABC", "rule 7: 8-bit SOS PM APC"),
    Case("c1-other", "A\x84B\x8dC\x9cD", "ABCD", "rule 7: IND, RI, ST alone"),
    Case("c1-in-osc", "\x1b]0;t\x9b31mA", "A", "rules 2 and 7: CSI ends the OSC"),
    Case("c1-c0", "\x9b3\n1mA", "\nA", "rules 4 and 7: C0 inside 8-bit CSI"),
    Case("c1-latin1", "“q”A".encode().decode("latin-1"), "âqâ", "rule 7: U+009D by a wrong codec"),
    # text
    Case("empty", "", "", "nothing is nothing"),
    Case("c0-kept", "a\tb\r\nc\x08d\x07e\x00f\x7f", "a\tb\r\nc\x08d\x07e\x00f\x7f", "text"),
    Case("can-kept", "a\x18b\x1ac", "a\x18b\x1ac", "rule 3: outside of a sequence kept"),
    Case("surrogate", "\udc9b31m\x1b[31m\udcff", "\udc9b31m\udcff", "lone surrogates are text"),
    Case("brackets", "[31m ]0; ¦\xa0é日😀", "[31m ]0; ¦\xa0é日😀", "no ESC, no sequence"),
    Case("glued", "\x1b[1m\x1b[31mA\x1b[0m\x1b(B", "A", "as of tput sgr0"),
    Case("inside-word", "A\x1b[31mB\x1b[0mC", "ABC", "nothing is put in the place"),
    # not done, on purpose
    Case("linux-palette", "\x1b]P0112233A", "", "the palette of Linux is an open OSC"),
    Case("vt52", "\x1bY!!A", "!!A", "VT52 cursor addresses are not known"),
    Case("x10-mouse", "\x1b[M !!A", " !!A", "X10 mouse reports are not known"),
    Case("osc-66", "\x1b]66;s=2;Big\x07A", "A", "the text inside of OSC 66 is payload"),
)

# Each repeated many times makes a text on which a careless pattern takes quadratic time.
ATTACKS = MappingProxyType(
    {
        "ESC": "\x1b",
        "CSI": "\x1b[",
        "CSI 8-bit": "\x9b",
        "CSI ;;;": "\x1b[" + ";" * 998,
        "CSI LF": "\x1b[1\n2m",
        "CSI é": "\x1b[1é",
        "CSI CSI": "\x1b[1\x1b",
        "OSC": "\x1b]",
        "OSC 8-bit": "\x9d",
        "DCS": "\x1bP",
        "nF": "\x1b(",
        "ESC LF": "\x1b\n",
        "ESC LF*": "\x1b" + "\n" * 999,
    }
)
