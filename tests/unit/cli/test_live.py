"""The live table of `tmuxprim watch`, on the fake: a person's keys, and the rows that follow."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.cli.conftest import Cli
from tests.unit.cli.site import FakeSite
from tmuxprim import Console, Pane, PaneNotFoundError, PaneState, Size, State
from tmuxprim._cli import live
from tmuxprim._cli.live_table import PaneRow, draw_table
from tmuxprim._values.lines import text_columns
from tmuxprim.errors import TmuxTimeoutError

Press = Callable[..., str]


@pytest.fixture
def press(cli: Cli, site: FakeSite, monkeypatch: pytest.MonkeyPatch) -> Iterator[Press]:
    """Give a way to watch at a terminal of 80 columns, and to press keys, half a second each.

    A function among the keys is called in its turn. What is returned is the screen at the end.
    """
    ours, theirs = os.openpty()
    turns: list[str | Callable[[], object]] = []
    read = live.Keyboard.read

    def turn(self: live.Keyboard) -> list[str]:
        site.terminal.clock.sleep(0.5)
        if not turns:
            return []
        if callable(act := turns.pop(0)):
            act()
            return []
        os.write(ours, act.encode())
        return read(self)

    class Stdin:
        def fileno(self) -> int:
            return theirs

    def press_all(*keys: str | Callable[[], object], words: tuple[str, ...] = ()) -> str:
        turns[:] = [_nothing] * 4 + list(keys)
        ran = cli("watch", "--timeout", str(0.55 * len(turns) + 0.5), *words)
        assert ran.status == 0, ran.err
        return screen_of(ran.out)

    monkeypatch.setattr("sys.stdin", Stdin())
    monkeypatch.setattr("tmuxprim._cli.state_commands.is_terminal", lambda _: True)
    monkeypatch.setattr("tmuxprim._cli.state_commands.takes_codes", lambda _: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 8)))
    monkeypatch.setattr(live.Keyboard, "read", turn)
    yield press_all
    os.close(ours)
    os.close(theirs)


def screen_of(out: str) -> str:
    """Return the rows that were drawn last, without colours."""
    assert out.startswith("\x1b[?1049h\x1b[?25l")
    assert out.endswith("\x1b[?25h\x1b[?1049l")
    rows: dict[int, str] = {}
    for number, text in re.findall(r"\x1b\[(\d+);1H(.*?)\x1b\[K", out):
        rows[int(number)] = re.sub(r"\x1b\[[0-9;]*m", "", text).rstrip()
    return "\n".join(rows[number] for number in sorted(rows))


def _nothing() -> None:
    """Let time pass."""


def _fail() -> None:
    pytest.fail("the table has not ended")


def open_panes(site: FakeSite) -> None:
    """Open a shell that works, and one that is asked."""
    for name, line in (("build", "make"), ("rm", "ask")):
        console = Console(site.terminal, site.terminal.open(name=name))
        assert console.wait_ready()
        console.send(line)


def test_table(press: Press, site: FakeSite) -> None:
    """Who asks comes first; the last row of who works is that of now."""
    open_panes(site)
    assert press().splitlines() == [
        "tmuxprim watch   3 panes: 1 ask, 1 work",
        "%2  rm:0.0     asking   2s  ask   Continue? [y/N]",
        "%0  work:0.0   prompt   3s  sh    $",
        "%1  build:0.0  working  3s  make  compiling 100%",
        "",
        "",
        "",
        "up/down select   Enter attach   a answer   q quit",
    ]


def test_answer(press: Press, site: FakeSite) -> None:
    """It is typed after a second question, with Enter."""
    open_panes(site)
    shown = press("a", "yx\x7f", "\r")
    assert "%2 ask asks: Continue? [y/N]\ntype 'y'?   y: yes, and Enter" in shown
    assert "you said" not in site.terminal.observe(Pane("rm")).text
    assert "typed 'y' into %2" in press("a", "y\r", "y")
    assert "you said y" in site.terminal.observe(Pane("rm")).text


def test_answer_of_keys_alone(press: Press, site: FakeSite) -> None:
    """They are typed without Enter."""
    open_panes(site)
    press("a", "n", "\r", "k")
    assert site.terminal.observe(Pane("rm")).last_line == "Continue? [y/N] n"


@pytest.mark.parametrize("keys", [("a", "y", "\x1b", "y"), ("a", "y", "\r", "n"), ("a", "\x1b[A")])
def test_answer_that_is_left(press: Press, site: FakeSite, keys: tuple[str, ...]) -> None:
    """Nothing is typed."""
    open_panes(site)
    press(*keys)
    assert site.terminal.observe(Pane("rm")).last_line == "Continue? [y/N]"


def test_dialog_that_changes(press: Press, site: FakeSite) -> None:
    """Somebody else was quicker: nothing is typed, though the same is asked once more."""
    open_panes(site)
    other = Console(site.terminal, "rm")

    def answer() -> None:
        other.send("n")
        other.wait_ready()
        other.send("ask")

    shown = press("a", "y", "\r", answer, "y")
    assert "%2 has changed meanwhile: nothing was typed" in shown
    assert "you said y" not in site.terminal.observe(Pane("rm")).text


def test_dialog_of_a_pane_that_goes(press: Press, site: FakeSite) -> None:
    """So it is with a pane that is gone, whose row stays for a moment."""
    open_panes(site)
    closes = partial(site.terminal.close, Pane("rm"))
    shown = press("a", "y", "\r", closes, "y")
    assert "%2 has changed meanwhile" in shown
    assert "exited" in shown


def test_row_of_a_pane_that_has_gone(press: Press, site: FakeSite) -> None:
    """It goes as well, after ten seconds."""
    open_panes(site)
    assert "%2" not in press(partial(site.terminal.close, Pane("rm")), *[_nothing] * 30)


def test_error_is_shown(press: Press, site: FakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table goes on."""
    open_panes(site)

    def hang(*_: object, **__: object) -> None:
        raise TmuxTimeoutError("tmux hangs")

    monkeypatch.setattr(Console, "send", hang)
    assert "tmux hangs" in press("a", "y", "\r", "y")


def test_nothing_to_answer(press: Press, site: FakeSite) -> None:
    """The reason is shown; a secret is typed in its pane."""
    assert "%0 asks nothing: prompt" in press("a")
    Console(site.terminal, "work").send("login")
    assert "%0 reads a secret: type it there" in press("a")


def test_selection(press: Press, site: FakeSite) -> None:
    """It stays with its pane, and within the table."""
    open_panes(site)
    shown: list[str] = []
    site.show = lambda pane: shown.append(pane.target)  # type: ignore[method-assign]
    press("\r", "j", "\n", "\x1b[B\x1bOB", "j", "\r", "k", "\r", *["\x1b[A"] * 5, "\r", "x")
    assert shown == ["%2", "%0", "%1", "%0", "%2"]


def test_pane_that_cannot_be_shown(press: Press, site: FakeSite) -> None:
    """The reason is shown."""

    def refuse(pane: Pane) -> None:
        raise PaneNotFoundError(f"there is no pane {pane}")

    site.show = refuse  # type: ignore[method-assign]
    assert "there is no pane %0" in press("\r")


def test_only_some_states(press: Press, site: FakeSite) -> None:
    """The others have no row; where none has one, keys do nothing."""
    open_panes(site)
    assert press(words=("--only", "asking")).count("%") == 1
    assert "0 panes" in press("a", "j", words=("--only", "dead"))


def test_end(press: Press, site: FakeSite) -> None:
    """It ends with its panes, when the time is over, and when the keyboard is gone."""
    closes = partial(site.terminal.close, Pane("work"))
    assert "exited" in press(*[closes] * 2, *[_nothing] * 100, words=("work",))
    site.terminal.open(name="work")
    assert "prompt" in press("q", _fail)


def test_notes_and_programs(press: Press, site: FakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each change is told, but a pane that is new rings no bell."""
    rung: list[str] = []
    monkeypatch.setattr("tmuxprim._cli.state_commands.ring", rung.append)
    make = partial(Console(site.terminal, "work").send, "make")
    press(make, words=("--notify", "--exec", "true"))
    assert rung == ["%0 prompt -> working (make): make runs and does not read"]


def test_keyboard_that_is_gone() -> None:
    """It is as if the person had quit; without a key nothing is read."""
    reader, writer = os.pipe()
    keyboard = live.Keyboard(reader)
    assert keyboard.read() == []
    os.write(writer, "ä\x1b[A\r".encode())
    assert keyboard.read() == ["ä", "\x1b[A", "\r"]
    os.close(writer)
    assert keyboard.read() == ["q"]
    os.close(reader)


def test_signal_ends_it_in_order() -> None:
    """What is to be given back is."""
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as end, live.ended_by_signal():
        os.kill(os.getpid(), signal.SIGTERM)
    assert end.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is before


def row(question: str = "", last: str = "", age: float = 0.0, number: int = 0) -> PaneRow:
    """Return a row of a pane that asks, or works."""
    state = PaneState(
        pane=Pane(f"%{number}"),
        state=State.ASKING if question else State.WORKING,
        program="bash",
        reason="",
        is_guess=True,
        question=question,
    )
    return PaneRow(name=f"s{number}:0.0", state=state, age=age, last=last)


@given(
    st.lists(st.builds(row, st.text(), st.text(), st.floats(0, 1e7)), max_size=12),
    st.integers(1, 250),
    st.integers(4, 20),
    st.integers(0, 11),
)
def test_lines_fit(rows: list[PaneRow], columns: int, lines: int, selected: int) -> None:
    """The table has as many lines as the screen, and none is wider; no text moves the cursor."""
    drawn = draw_table(rows, selected % max(len(rows), 1), Size(columns, lines), ("\n", "\x1b"))
    assert len(drawn) == lines
    assert all(text_columns(line) <= columns and line.isprintable() for line in drawn)


def test_rows_around_the_selected_one() -> None:
    """The selected one is seen among many."""
    rows = [row(number=number) for number in range(100)]
    for selected in (0, 1, 50, 98, 99):
        drawn = draw_table(rows, selected, Size(80, 10), ("", ""))
        assert any(f"s{selected}:0.0" in line for line in drawn)


@pytest.mark.parametrize(
    ("age", "text"), [(0.9, "0s"), (59.9, "59s"), (60.0, "1m"), (7200.0, "2h"), (180000.0, "2d")]
)
def test_age(age: float, text: str) -> None:
    """It is in the largest unit."""
    _, line, *_ = draw_table([row(age=age)], 0, Size(80, 5), ("", ""))
    assert f"  {text}  bash" in line


def test_wide_table_has_both() -> None:
    """Beside a question there is the last row; in a narrow one there is none."""
    rows = [row("Go?\n[y]", "the last row")]
    assert "Go? [y]" in draw_table(rows, 0, Size(200, 5), ("", ""))[1]
    assert "the last row" in draw_table(rows, 0, Size(200, 5), ("", ""))[1]
    assert "the last row" not in draw_table(rows, 0, Size(80, 5), ("", ""))[1]
