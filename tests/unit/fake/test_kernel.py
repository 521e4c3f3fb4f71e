"""`KernelLine`: how the kernel collects a line."""

import pytest

from tmuxprim._fake.kernel import KernelLine

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
        (["a", "\t", "b", ERASE, ERASE], "a", f"a\tb{BACK}" + "\b" * 7),
        (["\t", "\t", ERASE], "\t", "\t\t" + "\b" * 8),
        (["\x01", "\t", ERASE], "\x01", "^A\t" + "\b" * 6),
    ],
)
def test_a_line_is_collected(keys: list[str], text: str, shown: str) -> None:
    """Controls are part of it, shown as two (ECHOCTL); characters are erased one by one."""
    line = KernelLine()
    assert "".join(line.collect(key) for key in keys) == shown
    assert line.text == text


def test_a_tab_depends_on_where_the_line_begins() -> None:
    """The kernel remembers the column of the first character."""
    line = KernelLine()
    shown = [line.collect("\t", 3), line.collect(ERASE, 8)]
    assert shown == ["\t", "\b" * 5]
