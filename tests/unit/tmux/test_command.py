"""How tmux command lines are written."""

import itertools
import os

import attrs
import pytest

from tests.unit.builders import screen
from tmuxprim import InvalidPaneError, InvalidTextError, KeySequence, Pane, Size
from tmuxprim._tmux.commands import (
    OTHERWISE,
    Buffer,
    action,
    batches,
    body,
    call,
    chain,
    escape,
    guarded,
    guarded_as_expected,
    kill_pane,
    marked,
    open_session,
    quote,
    redact,
    resize_pane,
    typing_actions,
)
from tmuxprim._tmux.operations import Operations

PANE = Pane("%5")
SIZE = Size(80, 24)


def actions(keys: KeySequence) -> list[object]:
    """Return what types *keys*, with buffers named b0, b1 and so on."""
    return list(typing_actions(PANE, keys, (f"b{n}" for n in itertools.count())))


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("", '""'),
        ("ls -la", '"ls -la"'),
        ("select 1;", '"select 1;"'),
        ('say "hi"', r'"say \"hi\""'),
        ("back\\slash", r'"back\\slash"'),
        ("$HOME", r'"\$HOME"'),
        ("~", r'"\176"'),
        ("a\nb\tc\x1b\x7f", r'"a\012b\011c\033\177"'),
        ("é日", '"é日"'),
        ("#{pane_id} %H {x}", '"#{pane_id} %H {x}"'),
    ],
)
def test_quote_leaves_nothing_for_the_parser(word: str, quoted: str) -> None:
    """What tmux's parser would expand between quotes is escaped; all else stands as it is."""
    assert quote(word) == quoted


@pytest.mark.parametrize(
    ("word", "escaped"), [(";", "\\;"), ("a;", "a\\;"), ("a;b", "a;b"), ("", ""), ("\\", "\\")]
)
def test_escape_keeps_a_last_semicolon(word: str, escaped: str) -> None:
    """Only a semicolon at the end of a word means something to the client."""
    assert escape(word) == escaped


def test_chain_joins_commands_by_a_word_of_its_own() -> None:
    """A semicolon between commands is not escaped, one inside them is."""
    assert chain(("a", "x;"), ("b",)) == ("a", "x\\;", ";", "b")


def test_text_goes_behind_its_flags() -> None:
    """Text is never in a place where it could be a flag or a key name."""
    assert actions(KeySequence.text("-l")) == [("send-keys", "-t", "%5", "-l", "--", "-l")]


def test_names_go_together() -> None:
    """A run of keys is one command, without the flag that makes words literal."""
    assert actions(KeySequence.keys("Up", "C-c")) == [("send-keys", "-t", "%5", "--", "Up", "C-c")]


def test_a_key_of_one_character_is_text() -> None:
    """A semicolon as a key name would end the command; as text it cannot."""
    keys = KeySequence.keys(";", "a", "Enter")
    assert actions(keys) == [
        ("send-keys", "-t", "%5", "-l", "--", ";a"),
        ("send-keys", "-t", "%5", "--", "Enter"),
    ]


def test_order_is_kept() -> None:
    """Texts and keys alternate as they were put together."""
    keys = KeySequence.keys("Up") + KeySequence.text("x") + KeySequence.keys("Up")
    assert [action[-1] for action in actions(keys) if isinstance(action, tuple)] == [
        "Up",
        "x",
        "Up",
    ]


def test_many_keys_are_several_commands() -> None:
    """No command has more words than tmux's parser can stack."""
    runs = actions(KeySequence.keys("Up") * 1200)
    assert [len(run) - 4 for run in runs if isinstance(run, tuple)] == [500, 500, 200]


def test_long_text_goes_through_a_buffer() -> None:
    """A text is measured in bytes of its quoted form, and is never cut in two."""
    assert actions(KeySequence.text("é" * 1999)) == [
        ("send-keys", "-t", "%5", "-l", "--", "é" * 1999)
    ]
    assert actions(KeySequence.text("é" * 2000)) == [Buffer("b0", "é" * 2000)]
    assert actions(KeySequence.text("\n" * 1000)) == [Buffer("b0", "\n" * 1000)]


def test_a_paste_goes_through_a_buffer() -> None:
    """However short it is: tmux puts the brackets round it that the program has asked for."""
    keys = KeySequence.text("a") + KeySequence.paste("b\nc")
    assert actions(keys) == [
        ("send-keys", "-t", "%5", "-l", "--", "a"),
        Buffer("b0", "b\rc", bracketed=True),
    ]


def test_batches_keep_order_and_fit() -> None:
    """Commands are put into as few calls as fit, none of which is too long for the client."""
    commands = [("send-keys", str(number), "x" * 3000) for number in range(10)]
    groups = list(batches(commands))
    assert [command for group in groups for command in group] == commands
    assert all(len(body(group).encode()) < 16_000 for group in groups)
    assert [len(group) for group in groups] == [3, 3, 3, 1]


def test_batches_of_nothing_are_one() -> None:
    """With nothing to do there is still one call, which looks."""
    assert batches([]) == [[]]


def test_a_guarded_batch_of_tiny_commands_fits() -> None:
    """The quotes and separators of each are counted as well."""
    keys = (KeySequence.keys("Up") + KeySequence.text("x")) * 600
    commands = [action for action in actions(keys) if isinstance(action, tuple)]
    assert len(commands) == 1200
    for batch in batches(commands):
        words = guarded(PANE, batch, leave_mode=False)
        assert sum(len(word.encode()) + 1 for word in words) < 13_000


def test_guarded_commands_are_inside_the_condition() -> None:
    """A failing if-shell does not stop a chain, so the guarded command is its body."""
    words = guarded(PANE, [("send-keys", "-t", "%5", "Up")], leave_mode=True)
    assert words[:4] == ("if-shell", "-F", "-t", "%5")
    assert words[5:] == ('"copy-mode" "-q" "-t" "%5" ; "send-keys" "-t" "%5" "Up"',)


def test_a_pane_as_it_was_seen() -> None:
    """Its place is compared by tmux, in the turn that types; what is refused is told."""
    shown = attrs.evolve(screen("a\n$ "), history_size=7)
    words = guarded_as_expected(PANE, [("send-keys", "-t", "%5", "Up"), ("x",)], shown)
    assert words[:4] == ("if-shell", "-F", "-t", "%5")
    place = "#{pane_width} #{pane_height} #{alternate_on} #{history_size} #{cursor_y} #{cursor_x}"
    here = f"{shown.size.columns} {shown.size.rows} 0 7 1 2"
    assert words[4].startswith(f"#{{?#{{==:{place},{here}}},#{{?pane_in_mode,,")
    assert words[5:] == (
        '"send-keys" "-t" "%5" "Up" ; "x"',
        f'"display-message" "-p" "{OTHERWISE}"',
    )
    assert redact(words) == (*words[:5], "...")


def test_an_error_does_not_repeat_what_is_typed_or_told() -> None:
    """It may be a password, as the value of a variable; all else is repeated."""
    words = guarded(PANE, [("send-keys", "-t", "%5", "-l", "--", "hunter2")], leave_mode=True)
    assert redact(words) == (*words[:-1], "...")
    opened = open_session(["sh", "-c", "x"], size=SIZE, cwd="/a=b", env={"A": "1=2"}, name="n")
    hidden = [word if word != "A=1=2" else "A=..." for word in opened]
    assert redact(opened) == tuple(hidden)
    for kept in (("list-panes", "-a"), *resize_pane(PANE, SIZE)):
        assert redact(kept) == kept


def test_an_id_is_good_for_one_server() -> None:
    """Whatever is done to a pane is done in the turn that compares; without a server, to any."""
    ours, keys = Pane("%5", server="7.1700000000"), [("send-keys", "-t", "%5", "Up")]
    for pane, is_told in ((ours, True), (PANE, False)):
        for words in (
            guarded(pane, keys, leave_mode=True),
            guarded_as_expected(pane, keys, screen()),
            kill_pane(pane),
            *resize_pane(pane, SIZE),
        ):
            assert words[:4] == ("if-shell", "-F", "-t", "%5")
            told = words[4].startswith("#{?#{==:#{pid}.#{start_time},7.1700000000},")
            assert told is is_told


def test_open_session_without_wishes() -> None:
    """Without a command tmux runs the user's shell."""
    words = open_session(None, size=SIZE, cwd=None, env=None, name=None)
    assert words[0] == "new-session"
    assert words[-4:] == ("-x", "80", "-y", "24")


def test_open_session_passes_wishes_on() -> None:
    """A directory's name is a format to tmux, so its # is doubled; the command stands last."""
    words = open_session(["ls", "-l;"], size=SIZE, cwd="/a#{b}", env={"A": "1"}, name="work")
    assert words[9:] == ("-s", "work", "-c", "/a##{b}", "-e", "A=1", "--", "ls", "-l;")


def test_open_session_refuses_a_folder_that_tmux_would_not_find() -> None:
    """There is no way to write it that all versions take for the directory's name."""
    with pytest.raises(
        InvalidTextError, match=r"tmux takes '#\[' in a directory's name for a style"
    ):
        open_session(None, size=SIZE, cwd="/a#[fg=red]", env=None, name=None)


def test_open_session_runs_one_word_as_a_program() -> None:
    """Tmux would hand a single word to a shell; a text is meant for one."""
    one = open_session(["my prog"], size=SIZE, cwd=None, env=None, name=None)
    text = open_session("ls | wc", size=SIZE, cwd=None, env=None, name=None)
    assert one[-3:] == ("--", "/usr/bin/env", "my prog")
    assert text[-2:] == ("--", "ls | wc")


@pytest.mark.parametrize("name", ["", "a:b", "a.b", "#{pid}", "%H", "a b", "=a", "$1", "@1", "a\n"])
def test_open_session_refuses_names_with_a_meaning(name: str) -> None:
    """A session's name that tmux would expand, split or rewrite is an error."""
    with pytest.raises(InvalidPaneError, match="a new session's name has letters, digits"):
        open_session(None, size=SIZE, cwd=None, env=None, name=name)


def test_every_branch_that_can_fail_has_a_mark() -> None:
    """Of a call, its head included; what it prints first is its head's."""
    head = call(("display-message", "-p", "x"))
    guard = guarded(PANE, [("send-keys", "Up")], leave_mode=False)
    end = '"display-message" "-p" "done"'
    typing = marked(action(guard, head=head), "done")
    assert typing.times == 2
    assert typing.call.commands == (
        *(("display-message", "-p", "x"), ("display-message", "-p", "done")),
        (*guard[:5], f'"send-keys" "Up" ; {end}', end),
    )
    assert typing.call.line == body(typing.call.commands)
    both = marked(action(*resize_pane(PANE, SIZE), ("x",)), "done")
    names = [words[0] for words in both.call.commands]
    assert (both.times, names) == (3, ["if-shell", "if-shell", "x", "display-message"])
    other = marked(action((*guard, "y")), "done")
    assert (other.times, other.call.commands[0][6]) == (1, f"y ; {end}")
    nothing = marked(action(head=head), "done")
    assert (nothing.times, nothing.call.commands) == (1, typing.call.commands[:2])


@pytest.mark.parametrize(
    ("printed", "answer", "is_whole"),
    [
        ("a\ndone\ndone\n", "a\n", True),
        ("done\nof a hook\ndone\n", "", True),
        ("a\ndone\n", "a\n", False),
        ("a, done\ndone it\n", "a, done\ndone it\n", False),
        ("", "", False),
    ],
)
def test_marks_show_what_was_done(printed: str, answer: str, *, is_whole: bool) -> None:
    """And where an answer ends that hooks print behind."""
    typing = marked(action(("x",), head=call(("y",))), "done")
    assert typing.split(printed) == (answer, is_whole)


@pytest.mark.parametrize(
    ("printed", "answer", "is_whole"),
    [
        ("done\n", "", True),
        ("done\nps: done\ndone\n", "done\nps: done\n", True),
        ("done\na\ndone\nof a hook\n", "done\na\n", True),
        ("ps: done\n", "ps: done\n", False),
        ("a\ndone", "a\ndone", False),
    ],
)
def test_a_screen_may_show_what_looks_like_a_mark(
    printed: str, answer: str, *, is_whole: bool
) -> None:
    """The list of processes holds it; so the answer of a call that reads ends at the last one."""
    assert marked(call(("x",)), "done").split(printed) == (answer, is_whole)


def test_a_forked_process_has_buffers_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts on as its parent does, and would paste the parent's text."""
    operations = Operations()

    def buffer() -> str:
        steps = operations.send(PANE, KeySequence.text("x" * 5000), leave_mode=False, seen=None)
        *_, (_, _, name, _) = next(steps).commands
        steps.close()
        return name

    assert f"-{os.getpid()}-" in buffer()
    monkeypatch.setattr(os, "getpid", os.getppid)
    assert f"-{os.getppid()}-" in buffer()
