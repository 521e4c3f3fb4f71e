"""A look at a pane with the kernel's evidence beside it."""

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.kernel.test_printed import text
from tmuxprim._tmux.beside import Beside, Printed, Seen, Wait, Waited

BESIDE = Beside("/dev/pts/4", 10)
ASCII = st.text(st.characters(min_codepoint=9, max_codepoint=126, exclude_characters="\x1e"))


@given(ASCII, st.text(), ASCII, ASCII)
def test_an_answer_is_found_between_the_evidence(
    before: str, answer: str, after: str, waited: str
) -> None:
    """Whatever a screen shows."""
    printed = Printed(before, answer, after, waited)
    assert Printed.split(printed.join()) == printed


def test_an_answer_without_evidence_is_all_there_is() -> None:
    """The shell did not begin."""
    assert Printed.split("sh: not found") == Printed("", "sh: not found", "")


def test_who_has_slept_need_not_be_printed_again() -> None:
    """It is as before."""
    first, second = BESIDE.states(text(), "=")
    assert first is second
    assert first is not None
    assert first.reading


def test_a_program_may_end_meanwhile_or_go_on() -> None:
    """Then it is known once, or as it is now."""
    assert BESIDE.states("", "=") == (None, None)
    reads, works = BESIDE.states(text(), text(syscall="running"))
    assert (reads and reads.reading, works and works.reading) == (True, False)
    ended = BESIDE.states(text(), "")
    assert ended == (reads, None)


def test_the_command_prints_the_evidence_of_its_pane() -> None:
    """The pane's terminal is an argument, and no part of the script."""
    words = BESIDE.words(Wait())
    assert words[:2] == ("sh", "-c")
    assert words[3:] == ("tmuxprim", "10", "/dev/pts/4", "", "", "0", "1")


def test_a_wait_is_an_argument() -> None:
    """In hundredths of a second, as the clock there counts."""
    wait = Wait(Seen("5 6", " 10:do_select"), 2.5, hears_output=False)
    assert BESIDE.words(wait)[6:] == (" 10:do_select", "5 6", "251", "")


def test_a_wait_tells_how_long_it_took_at_least() -> None:
    """And how it has left the pane; a shell that cannot wait tells nothing."""
    seen = Seen("5 6", " 10:do_select")
    assert Waited.parse("250\t5 6\t 10:do_select") == Waited(2.49, seen)
    assert Waited.parse("0\t5 6\t 10:do_select") == Waited(0.0, seen)
    assert Waited.parse("\t5 6\t") == Waited.parse("") == Waited()
