"""How the kernel collects a line."""

import pytest

from tmuxprim._fake.kernel import collect

ERASE, WORD, KILL, BACK = "\x7f", "\x17", "\x15", "\b \b"


@pytest.mark.parametrize(
    ("keys", "text", "shown"),
    [
        (["a", "\x1b", "[", "A"], "a\x1b[A", "a^[[A"),
        (["\x01", "é", "\t"], "\x01é\t", "^Aé\t"),
        (["a", "\x02", ERASE], "a", "a^B" + BACK * 2),
        (["\x02", "a", KILL], "", "^Ba" + BACK * 3),
        ([ERASE, WORD, KILL], "", ""),
        (["a", "\b"], "a\b", "a^H"),
        (["日", ERASE], "", f"日{BACK}"),
        (["e", "\u0301", ERASE], "e", f"e\u0301{BACK}"),
        ([*"a b", WORD], "a ", f"a b{BACK}"),
        ([*"a b ", WORD], "a ", f"a b {BACK}{BACK}"),
        ([*"a-b_c", WORD], "a-", "a-b_c" + BACK * 3),
        ([*"aé", WORD], "", "aé" + BACK * 2),
        ([*"aא", WORD], "", "aא" + BACK * 2),
    ],
)
def test_a_line_is_collected(keys: list[str], text: str, shown: str) -> None:
    """Controls are part of it, shown as two (ECHOCTL); characters are erased one by one."""
    line, echoes = "", ""
    for key in keys:
        line, echo = collect(line, key)
        echoes += echo
    assert (line, echoes) == (text, shown)
