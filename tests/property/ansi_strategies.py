"""Strategies that build control sequences, instead of hoping that random text holds some.

They are values and not functions, because building one takes longer than drawing from it.
"""

from hypothesis import strategies as st

ESC = "\x1b"
CANCELS = "\x18\x1a"  # CAN and SUB
C1_CONTROLS = "".join(map(chr, range(0x80, 0xA0)))
INTERRUPTIONS = "".join(chr(c) for c in (*range(0x20), 0x7F) if chr(c) not in CANCELS + ESC)

_PARAMETERS = "".join(map(chr, range(0x20, 0x40)))
_INTERMEDIATES = "".join(map(chr, range(0x20, 0x30)))
_CSI_FINALS = "".join(map(chr, range(0x40, 0x7F)))
_NF_FINALS = "".join(map(chr, range(0x30, 0x7F)))
_ESC2_FINALS = "".join(c for c in _NF_FINALS if c not in "PX[]^_k")
_C1_OPENERS = "\x90\x98\x9b\x9d\x9e\x9f"  # DCS SOS CSI OSC PM APC

# Every character that means something to the grammar, and a few that do not.
_GRAMMAR_ALPHABET = (
    ESC + CANCELS + C1_CONTROLS + "[]PX^_k\\\0\a\t\n\r\x7f (#0;:?1@m~Aé\udc9b\ud83d日\U0001f600"
)


def _any_text(*, without: str) -> st.SearchStrategy[str]:
    """Make text of all code points, lone surrogates too, but those *without*."""
    return st.text(st.characters(codec=None, exclude_characters=without), max_size=8)


def _joined(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map("".join)


def _body(alphabet: str, finals: str) -> st.SearchStrategy[str]:
    """Make the rest of a CSI or nF: some of its *alphabet*, then a final byte or a cancel."""
    # Were they all in one alphabet, one in forty would be a cancel.
    ends = st.one_of(*map(st.sampled_from, (finals, finals, finals, CANCELS)))
    return _joined(st.text(alphabet, max_size=5), ends)


def _introducer(fe: str) -> st.SearchStrategy[str]:
    """Make ``ESC fe`` or, just as likely, its 8-bit form."""
    return st.sampled_from([ESC + fe, chr(ord(fe) + 0x40)])


# Text without ESC and C1, yet with all other controls and with lone surrogates.
plain_text = _any_text(without=ESC + C1_CONTROLS) | st.text(
    INTERRUPTIONS + CANCELS + "[]m0;\\é\udcff", max_size=5
)

# What a control string can carry. BEL is left out, as it ends one of them.
_payloads = _joined(
    st.sampled_from(["", "0;title", "8;;http://e.x/?a=[2]", "q\n#0~~-", "1$r0m", "1?2|", ":q"]),
    st.text("\n\r\0\x7f[m é\udc9b\ud83d", max_size=4)
    | _any_text(without="\a" + ESC + CANCELS + C1_CONTROLS),
)
_terminators = _introducer("\\") | st.sampled_from(CANCELS)

_common_parameters = st.sampled_from(["", "31;1", "38:2::1:2:3", "?1049", "4 ", "1?2", "1 2"])
_csi = _joined(_introducer("["), _common_parameters, _body(_PARAMETERS + "\x7f", _CSI_FINALS))
_nf = _joined(
    st.sampled_from([ESC + intermediate for intermediate in _INTERMEDIATES]),
    _body(_INTERMEDIATES + "\x7f", _NF_FINALS),
)
_osc = _joined(_introducer("]"), _payloads, _terminators | st.just("\a"))
_string = _joined(
    st.one_of(*map(_introducer, "PX^_"), st.just(ESC + "k")),
    _payloads,
    st.sampled_from(["", "\a"]),
    _payloads,
    _terminators,
)

# One control function with its end, in 7- or 8-bit form, in which nothing is to be kept.
complete_sequences = st.one_of(
    _csi,
    _nf,
    _osc,
    _string,
    st.sampled_from([ESC + final for final in _ESC2_FINALS + CANCELS]),
    st.sampled_from([c1 for c1 in C1_CONTROLS if c1 not in _C1_OPENERS]),
)

# C0 controls and DEL at any place, from ESC as far as the final byte or the payload.
_interruption = st.sampled_from(INTERRUPTIONS)
_interrupted_csi = _joined(
    st.one_of(_introducer("["), _joined(st.just(ESC), _interruption, st.just("["))),
    st.text(_PARAMETERS, max_size=2),
    _interruption,
    _body(_PARAMETERS + INTERRUPTIONS, _CSI_FINALS),
)
_interrupted_nf = _joined(
    st.just(ESC),
    st.text(_INTERMEDIATES, max_size=2),
    _interruption,
    _body(_INTERMEDIATES + INTERRUPTIONS, _NF_FINALS),
)
_interrupted_string = _joined(st.just(ESC), _interruption, st.sampled_from("P]X^_k"), _payloads)
interrupted_sequences = st.one_of(_interrupted_csi, _interrupted_nf, _interrupted_string)


# Sequences of every kind that have not come to their end, interrupted ones too.
unterminated_sequences = st.one_of(
    _joined(_introducer("["), _common_parameters, st.text(_PARAMETERS, max_size=3)),
    _joined(_introducer("["), st.text(_PARAMETERS + INTERRUPTIONS, max_size=4)),
    _joined(st.just(ESC), st.text(_INTERMEDIATES, max_size=2)),
    _joined(st.just(ESC), st.text(_INTERMEDIATES + INTERRUPTIONS, max_size=4)),
    _joined(_introducer("]"), _payloads),
    _joined(_introducer("P"), _payloads),
    _joined(st.one_of(*map(_introducer, "X^_"), st.just(ESC + "k")), _payloads),
    _interrupted_string,
)

# Sequences that have a foreign character where their end should be. Of all that have no end yet few
# are CSI sequences with a parameter, so these are named once more.
broken_sequences = _joined(
    unterminated_sequences | _joined(_introducer("["), st.sampled_from(["31;1", "?", "4 "])),
    st.one_of(*map(st.sampled_from, (ESC, CANCELS, C1_CONTROLS, "é\xa0日", "\udc9b\ud83d"))),
)

# Plain, complete, interrupted and broken pieces in any order, open at the end or not.
_pieces = st.one_of(
    plain_text,
    complete_sequences,
    interrupted_sequences,
    broken_sequences,
    st.text(_GRAMMAR_ALPHABET, max_size=8),
)
hostile_text = _joined(
    st.lists(_pieces, max_size=8).map("".join),
    st.just("") | unterminated_sequences,
)


@st.composite
def chunked(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> list[str]:
    """Cut one of the *texts* into chunks at any places, empty chunks included."""
    text = draw(texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    return [text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)], strict=True)]


chunked_text = chunked(hostile_text)
