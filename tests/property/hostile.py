"""Texts and keys that some tool loses, changes or obeys."""

from hypothesis import strategies as st

HOSTILE = (
    *(";", "\\", '"', "'", "`", "$", "~", "#", "{", "}", "(", ")", "%", "-", " ", "\t", "\n", "\r"),
    *("#{pid}", "#(id)", "%H", "$HOME", "${HOME}", "~root", "-l", "--", "\\;", "; kill-server ;"),
    *("Enter", "C-c", "Up", "0x41", "\x1b", "\x1b[200~", "\x1b[31m", "\x03", "\x04", "\x7f"),
    *("é", "日", "e\u0301", "👩\u200d🔧", "🏳\ufe0f", "\ufeff", "\x85", "\x9b", "\U0010ffff"),
)
plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=9)
texts = st.lists(st.one_of(st.sampled_from(HOSTILE), plain), max_size=30).map("".join)
KEYS = ("C-a", "Up", "F5", "M-x", "BTab", ";")
