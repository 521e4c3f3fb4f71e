"""How tmux's answers become values."""

import pytest

from tmuxprim import Cursor, Pane, PaneNotFoundError, Screen, Size, TmuxCommandError
from tmuxprim._tmux.answers import (
    parse_opened,
    parse_panes,
    parse_snapshot,
    parse_text,
    pick_pane,
    preview_commands,
    snapshot_commands,
)
from tmuxprim._tmux.versions import parse_version

PANE = Pane("%5")


def answer(rows: list[str], lines: list[str] | None = None, **fields: str) -> str:
    """Return what tmux prints for a snapshot of a pane of 20x3; *lines* are the rows joined."""
    values = {
        "id": "%5",
        "width": "20",
        "height": "3",
        "x": "2",
        "y": "1",
        "cursor": "1",
        "history": "0",
        "limit": "2000",
        "alternate": "0",
        "mode": "",
        "off": "0",
        "version": "3.3a",
        "server": "7",
        "started": "1700000000",
        "pid": "42",
        "tty": "/dev/pts/1",
        "sharing": "1",
        "dead": "",
        "told": "",
        "integrated": "",
        "pastes": "",
        "command": "bash",
        "title": "host",
        **fields,
    }
    return "\n".join(["\t".join(values.values()), *rows, *(lines or rows)]) + "\n"


def snapshot(said: str, pane: Pane, history: int, *, previewed: bool = False) -> Screen:
    """Return the screen that an answer tells of."""
    return parse_snapshot(said, pane, history, previewed=previewed, styled=False).screen


def test_a_look_is_three_commands_about_the_same_pane() -> None:
    """State, rows and lines are asked for together, the history only on demand."""
    state, rows, lines = snapshot_commands(PANE, 0)
    assert state[:4] == ("display-message", "-p", "-t", "%5")
    assert rows == ("capture-pane", "-p", "-t", "%5")
    assert lines == ("capture-pane", "-p", "-J", "-t", "%5")
    assert [words[-2:] for words in snapshot_commands(PANE, 7)[1:]] == [("-S", "-7")] * 2


def test_fields_and_rows_become_a_screen() -> None:
    """Every field lands where it belongs."""
    screen = snapshot(answer(["$ ls  ", "$", ""]), PANE, 0)
    assert screen.rows == ("$ ls", "$", "")
    assert screen.cursor == Cursor(1, 2)
    assert screen.size == Size(20, 3)
    assert (screen.pane_pid, screen.tty) == (42, "/dev/pts/1")
    assert (screen.command, screen.title) == ("bash", "host")
    assert screen.cursor_visible
    assert not screen.dead


@pytest.mark.parametrize(
    ("preview", "caught_up"),
    [
        ("3\t7\t2\t1\n$ ls\n$\n\n", True),
        ("3\t6\t2\t1\n$ ls\n$\n\n", False),
        ("3\t7\t2\t0\n$ ls\n$\n\n", False),
        ("3\t7\t2\t1\n$ l\n$\n\n", False),
        ("2\t7\t2\t1\n$ ls\n$\n", False),
    ],
)
def test_a_glance_tells_whether_anything_has_come(preview: str, *, caught_up: bool) -> None:
    """It is compared with the snapshot, a round of tmux later; without one nothing is known."""
    for history, rows in ((0, ["$ ls", "$", ""]), (2, ["a", "b", "$ ls", "$", ""])):
        said = answer(rows, history="7")
        seen = snapshot(preview + said, PANE, history, previewed=True)
        assert seen.caught_up is caught_up
        assert seen.rows == ("$ ls", "$", "")
        assert not snapshot(said, PANE, history).caught_up
    show, capture, wait = preview_commands(PANE)
    assert show[:4] == ("display-message", "-p", "-t", "%5")
    assert capture == ("capture-pane", "-p", "-t", "%5")
    assert wait[0] == "run-shell"


def test_an_answer_tells_the_version() -> None:
    """What this tmux can do is known from then on."""
    assert parse_snapshot(
        answer([""] * 3, version="3.5a"), PANE, 0, previewed=False, styled=False
    ).version == (3, 5)


def test_history_is_as_much_as_there_is() -> None:
    """Rows above the screen are counted by what tmux has, not by what was asked for."""
    screen = snapshot(answer(["1", "2", "3", "4", "$"], history="2"), PANE, 100)
    assert screen.history == ("1", "2")
    assert screen.rows == ("3", "4", "$")


def test_a_program_cannot_forge_a_field() -> None:
    """Tabs in a program's title do not move numbers; of line breaks tmux is asked to send none."""
    screen = snapshot(answer(["a", "b", "c"], title="t\tu"), PANE, 0)
    assert screen.rows == ("a", "b", "c")
    assert (screen.pane_pid, screen.title) == (42, "t\tu")
    assert "#{s/\n/ /:pane_title}" in snapshot_commands(PANE, 0)[0][-1]


@pytest.mark.parametrize(
    ("version", "lines"), [("3.3a", ("x" * 20 + "y ", "$ ")), ("3.2a", ("x" * 20 + "y", "$"))]
)
def test_lines_are_those_that_tmux_joins(version: str, lines: tuple[str, ...]) -> None:
    """Spaces at their ends count where tmux sends those that were written, and no others."""
    rows = ["x" * 20, "y", "$"]
    screen = snapshot(answer(rows, ["x" * 20 + "y ", "$ "], version=version), PANE, 0)
    assert screen.rows == tuple(rows)
    assert screen.lines == lines


@pytest.mark.parametrize(
    ("told", "started", "status"), [("", None, None), ("17 ", 17, None), ("17 2", 17, 2)]
)
def test_a_shell_may_tell_how_a_command_ended(
    told: str, started: int | None, status: int | None
) -> None:
    """As tmux 3.8 passes it on: nothing of no command, no status while one runs."""
    screen = snapshot(answer([""] * 3, told=told), PANE, 0)
    assert (screen.command_started, screen.command_status) == (started, status)


@pytest.mark.parametrize("integrated", [True, False])
def test_a_pane_shows_how_it_was_started(*, integrated: bool) -> None:
    """Tmux finds the directory of our files among its words."""
    screen = snapshot(answer([""] * 3, integrated="1" * integrated), PANE, 0)
    assert screen.shell_integration is integrated


def test_a_dead_pane_tells_how_it_ended() -> None:
    """A status and a signal are numbers, and None where tmux says nothing."""
    by_status = snapshot(answer([""] * 3, dead="dead 7 "), PANE, 0)
    by_signal = snapshot(answer([""] * 3, dead="dead  9"), PANE, 0)
    assert (by_status.dead, by_status.exit_status, by_status.exit_signal) == (True, 7, None)
    assert (by_signal.exit_status, by_signal.exit_signal) == (None, 9)


def test_an_answer_about_no_pane_is_an_error() -> None:
    """Tmux answers for a pane that is gone with empty fields and success."""
    empty = "\t" * 22 + "\n"
    with pytest.raises(PaneNotFoundError, match=r"there is no pane '%5' on this tmux server"):
        snapshot(empty, PANE, 0)


OURS, ANOTHER = Pane("%5", server="7.1700000000"), Pane("%5", server="7.1600000000")


def test_a_look_is_of_one_server() -> None:
    """The next one gives the same id to another pane; an id without a server is good for any."""
    for pane in (PANE, OURS):
        seen = parse_snapshot(answer(["a", "", ""]), pane, 0, previewed=False, styled=False)
        assert (seen.screen.rows[0], seen.server) == ("a", OURS.server)
    with pytest.raises(PaneNotFoundError, match=r"there is no pane '%5' on this tmux server"):
        snapshot(answer(["a", "", ""]), ANOTHER, 0)


def test_a_text_is_of_one_server() -> None:
    """What comes before it tells whose it is; a launcher's banner is no pane's."""
    for pane in (PANE, OURS):
        assert parse_text("%5 7.1700000000\n3 0\n$ ls\na\n\n", pane, 0) == "$ ls\na"
    for said, pane in (("%5 7.1700000000\n1 0\na\n", ANOTHER), (" 7.1700000000\n \n", PANE)):
        with pytest.raises(PaneNotFoundError, match=r"there is no pane '%5' on this tmux server"):
            parse_text(said, pane, 0)
    with pytest.raises(TmuxCommandError, match="Welcome!"):
        parse_text("Welcome!\n%5 7.1700000000\n1 0\na\n", PANE, 0)


@pytest.mark.parametrize(
    ("size", "history", "printed"),
    [
        ("3 0", 0, "a\n\n\nhooked\n"),
        ("3 9", 2, "a\n" * 5 + "hooked\n"),
        ("3 1", 2, "a\n" * 4 + "hooked\n"),
        ("hooked\n3 0", 0, "a\n\n\n"),
    ],
)
def test_what_a_hook_prints_is_no_text_of_a_pane(size: str, history: int, printed: str) -> None:
    """How many rows there are is told, so a row too many is an error, and no text."""
    with pytest.raises(TmuxCommandError, match=r"hooked \(.*a hook of yours that prints"):
        parse_text(f"%5 7.1700000000\n{size}\n{printed}", PANE, history)


def test_what_a_hook_prints_is_no_line_of_a_screen() -> None:
    """There are as many lines as rows at most."""
    said = answer(["a", "b", "c"])
    assert snapshot(said, PANE, 0).rows == ("a", "b", "c")
    with pytest.raises(TmuxCommandError, match=r"hooked \(.*a hook of yours that prints"):
        snapshot(f"{said}hooked\n", PANE, 0)


# pane and its server, session, window index, window name, pane index, active window, active pane
PANES = """\
%1 7.17	shared	0	bash	0	1	1
%2 7.17	shared-2	0	bash	0	0	1
%3 7.17	shared-2	1	vim	0	1	0
%4 7.17	shared-2	1	vim	1	1	1
%5 7.17	twins	0	same	0	0	1
%6 7.17	twins	1	same	0	1	1
%7 7.17	a:b	0	x.y	0	1	1
"""


@pytest.mark.parametrize(
    ("name", "pane"),
    [
        ("shared", "%1"),
        ("shared:0", "%1"),
        ("shared:bash", "%1"),
        ("shared:0.0", "%1"),
        ("shared-2", "%4"),
        ("shared-2:1", "%4"),
        ("shared-2:vim.0", "%3"),
        ("shared-2:0", "%2"),
        ("a:b", "%7"),
        ("a:b:x.y", "%7"),
    ],
)
def test_a_name_picks_its_pane(name: str, pane: str) -> None:
    """A session means its active window, a window its active pane; odd names are also exact."""
    found = pick_pane(PANES, Pane(name))
    assert (found, found.server) == (Pane(pane), "7.17")


def test_an_id_picks_its_pane() -> None:
    """Once, though its window is in several sessions, and beside a session of such a name."""
    linked = PANES + "%2 7.17\tother\t0\tbash\t0\t1\t1\n%8 7.17\t%2\t0\tbash\t0\t1\t1\n"
    found = pick_pane(linked, Pane("%2"))
    assert (found, found.server) == (Pane("%2"), "7.17")
    with pytest.raises(PaneNotFoundError):
        pick_pane(linked, Pane("%9"))


@pytest.mark.parametrize("name", ["share", "shared:", "sh*", "shared:1", "shared:0.1", "=shared"])
def test_a_name_is_exact(name: str) -> None:
    """Beginnings, patterns and tmux's own marks name nothing."""
    with pytest.raises(PaneNotFoundError, match="there is no pane"):
        pick_pane(PANES, Pane(name))


def test_a_name_that_fits_several_is_an_error() -> None:
    """Windows may share a name; then the ids are told."""
    with pytest.raises(PaneNotFoundError) as caught:
        pick_pane(PANES, Pane("twins:same"))
    assert str(caught.value) == "'twins:same' names 2 panes; use one of their ids: %5, %6"


def test_panes_are_told_with_all_that_is_known() -> None:
    """Once each, though a window is in several sessions; a title may hold anything."""
    line = "%3 7.17\t{}\t1\tvi\t0\t{}\t1\t80\t24\t{}\tvim\tone\ttwo\u2028x\n"
    answer = line.format("a b", 1, 0) + line.format("other", 0, 0)
    (pane,) = parse_panes(answer)
    assert (pane, pane.server, pane.name) == (Pane("%3"), "7.17", "a b:1.0")
    assert (pane.window_name, str(pane.size), pane.command) == ("vi", "80x24", "vim")
    assert (pane.title, pane.active, pane.dead) == ("one\ttwo\u2028x", True, False)
    (pane,) = parse_panes(line.format("a", 0, 1))
    assert (pane.active, pane.dead) == (False, True)


@pytest.mark.parametrize("said", ["Welcome to far", "a\tb"])
def test_a_greeting_is_no_pane(said: str) -> None:
    """A launcher, or a login shell behind it, may print one; it is told, with its first line."""
    with pytest.raises(TmuxCommandError, match=r"not an answer of tmux"):
        parse_panes(f"{said}\n")


def test_a_pane_is_synchronized_only_with_others() -> None:
    """In a window of its own a pane's keys go nowhere else."""
    alone = snapshot(answer([""] * 3), PANE, 0)
    beside = snapshot(answer([""] * 3, sharing="2"), PANE, 0)
    assert (alone.synchronized, beside.synchronized) == (False, True)


@pytest.mark.parametrize(
    ("answer", "version"),
    [("3.3a", (3, 3)), ("next-3.8", (3, 8)), ("3.10", (3, 10)), ("master", (99, 0))],
)
def test_a_version_is_two_numbers(answer: str, version: tuple[int, int]) -> None:
    """Letters and marks of a build do not matter; what has no number is the newest."""
    assert parse_version(answer) == version


@pytest.mark.parametrize("previewed", [False, True])
@pytest.mark.parametrize("said", ["Welcome to far\n", "\n", "24\t0\t1\n", "%5\t80\n", "7\n"])
def test_what_a_launcher_begins_to_print_is_told(said: str, *, previewed: bool) -> None:
    """A message of the day may come with the tenth look, and is not an answer of tmux."""
    before = "3\t0\t2\t1\na\nb\nc\n" if previewed else ""
    with pytest.raises(TmuxCommandError, match="not an answer of tmux"):
        snapshot(said + before + answer(["a", "b", "c"]), PANE, 0, previewed=previewed)


@pytest.mark.parametrize("name", ["width", "height", "x", "y", "history", "limit"])
def test_a_number_is_one(name: str) -> None:
    """Another pane's text in its place is told as that."""
    with pytest.raises(TmuxCommandError, match="not an answer of tmux"):
        snapshot(answer(["a", "b", "c"], lines=None, **{name: "tok3x176z$ "}), PANE, 0)


def test_a_pane_is_opened_whatever_is_printed_beside() -> None:
    """By a user's hook, or by a launcher; the pane must not be left there unknown."""
    said = "Welcome\n%7 42.1700000000 80 24\nhooked\n"
    assert parse_opened(said) == (Pane("%7", server="42.1700000000"), Size(80, 24))
