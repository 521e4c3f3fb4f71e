"""Keys as characters, and characters as keys."""

import pytest

from tmuxprim import KeySequence
from tmuxprim._fake.editor import Editor
from tmuxprim._fake.streams import collect, ends_line, pasted, split_keys, to_characters
from tmuxprim.testing import ReadLine

ERASE, WORD, KILL, BACK = "\x7f", "\x17", "\x15", "\b \b"


@pytest.mark.parametrize(
    ("name", "characters"),
    [
        ("Space", " "),
        ("-", "-"),
        ("M--", "\x1b-"),
        ("C-?", "\x7f"),
        ("C-_", "\x1f"),
        ("M-x", "\x1bx"),
        ("M-X", "\x1bX"),
        ("C-M-a", "\x1b\x01"),
        ("M-Down", "\x1b[1;3B"),
        ("C-Right", "\x1b[1;5C"),
        ("C-M-S-Left", "\x1b[1;8D"),
        ("C-DC", "\x1b[3;5~"),
        ("C-F12", "\x1b[24;5~"),
        ("C-Home", "\x1b[1;5H"),
        ("S-End", "\x1b[1;2F"),
    ],
)
def test_a_key_is_what_a_terminal_sends(name: str, characters: str) -> None:
    """Keys are the bytes that tmux sends for them; the contract has those of every day."""
    assert to_characters(KeySequence.keys(name)) == characters


@pytest.mark.parametrize(
    "keys",
    [
        [],
        ["a", "日", "\n", "\r", "\x03"],
        ["\x1b[A", "\x1b[1;5C", "\x1b[15~", "a"],
        ["\x1bOP", "\x1b[Z"],
        ["\x1bx", "\x1b\x01", "\x1b"],
        ["\x1b\x1b", "a"],
    ],
)
def test_split_keys_takes_escape_sequences_whole(keys: list[str]) -> None:
    """Each key comes out as it went in, with nothing lost between."""
    assert split_keys("".join(keys)) == keys


@pytest.mark.parametrize(
    ("key", "ends"), [("\r", True), ("\n", True), ("a", False), ("\x04", False), ("\x1b\r", False)]
)
def test_enter_and_line_feed_end_a_line(key: str, *, ends: bool) -> None:
    """Both hand the line over, and no other key does."""
    assert ends_line(key) is ends


def test_a_paste_is_marked_for_a_program_that_asks() -> None:
    """Its line ends are CR in any case, and the keys around it stay outside the marks."""
    keys = KeySequence.text("a\n") + KeySequence.paste("b\nc\r\nd") + KeySequence.keys("Enter")
    assert to_characters(keys) == "a\nb\rc\rd\r"
    assert to_characters(keys, bracketed=True) == "a\n\x1b[200~b\rc\rd\x1b[201~\r"


def test_a_paste_that_is_marked_is_one_key() -> None:
    """Who reads key by key has it with its marks, a line editor without them."""
    keys = split_keys(to_characters(KeySequence.paste("ab"), bracketed=True))
    assert keys == ["\x1b[200~ab\x1b[201~"]
    assert pasted(keys[0]) == "ab"
    line = Editor(ReadLine())
    assert line.insert(pasted(keys[0]) or "") == line.text == "ab"


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
