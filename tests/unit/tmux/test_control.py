"""What a client in control mode is told and tells, without any client."""

import itertools
import re
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.lines import LINES
from tests.unit.tmux.scripted import ScriptedTmux, commands
from tmuxprim import Pane, PaneNotFoundError, TmuxCommandError, TmuxServerError
from tmuxprim._tmux.commands import TmuxCall, action, call, quote
from tmuxprim._tmux.control import ConnectionClosedError, Pending, Stream

SHOW: Final = ("display-message", "-p", "x")
GUARDED: Final = ("if-shell", "-F", "-t", "%1", "1", "send-keys x ; send-keys y")
NEWS: Final = b"%sessions-changed\n%window-renamed @1 a %end 1 1 1\n"


def block(number: int, text: bytes = b"", *, flag: int = 1, word: bytes = b"end") -> bytes:
    """Return one block as tmux writes it."""
    numbers = b" 1700000000 %d %d\n" % (number, flag)
    return b"%begin" + numbers + text + b"%" + word + numbers


def refused(number: int, text: bytes) -> bytes:
    """Return the block of a command that failed."""
    return block(number, text, word=b"error")


def marked(number: int, request: Pending) -> bytes:
    """Return the block by which tmux answers the mark of a request."""
    return refused(number, b"parse error: unknown command: " + request.mark + b"\n")


def asked(*calls: TmuxCall) -> tuple[Stream, list[Pending]]:
    """Return a stream that has greeted, and the requests that it has been asked."""
    stream = Stream()
    stream.feed(block(1, flag=0))
    return stream, [stream.ask(one) for one in calls]


def test_a_line_is_written_for_tmuxs_parser() -> None:
    """Every word is quoted, a line break in it is none of the line, and its mark follows."""
    _, (request,) = asked(call(("a", "x\n;"), ("b",)))
    assert request.line == b'"a" "x\\012;" ; "b"\n' + request.mark + b"\n"


def test_no_two_marks_are_the_same() -> None:
    """Neither those of one connection nor those of two, so that no program can guess one."""
    streams = [asked(*[call(SHOW)] * 20)[1] for _ in range(20)]
    marks = {request.mark for requests in streams for request in requests}
    assert len(marks) == 400
    assert all(re.fullmatch(rb"tmuxprim-[0-9a-f]{16}-[0-9]+", mark) for mark in marks)


def test_blocks_up_to_the_mark_are_one_answer() -> None:
    """Each command has a block; together they are what a client of its own would print."""
    stream, (first, second) = asked(call(SHOW, SHOW), call(SHOW))
    stream.feed(block(2, b"a\n") + NEWS + block(3, b"b\n"))
    assert not first.is_done
    stream.feed(marked(4, first) + block(5, b"c\n") + marked(6, second))
    assert (first.result(), second.result()) == ("a\nb\n", "c\n")


@pytest.mark.parametrize(
    "body",
    [
        b"%end 1700000000 2 0\n",
        b"%end 1700000000 3 1\n",
        b"%end 1700000000 2 1 \n",
        b" %end 1700000000 2 1\n",
        b"%error 1700000000 2\n",
        b"%begin 1700000000 9 1\nx\n%end 1700000000 9 1\n",
        b"%exit\n",
        b"\n\n",
        b"%\xff\x80\n",
    ],
)
def test_a_body_is_raw(body: bytes) -> None:
    """Lines that look like the end of another block, or like news, are text."""
    stream, (first, second) = asked(call(SHOW), call(SHOW))
    stream.feed(block(2, body) + marked(4, first) + block(5, b"y\n") + marked(6, second))
    assert first.result() == body.decode(errors="replace")
    assert second.result() == "y\n"
    assert stream.ended is None


def test_a_mark_that_a_program_shows_is_text() -> None:
    """A mark is a command that tmux refuses; a screen comes from one that it carries out."""
    stream, (request,) = asked(call(SHOW))
    stream.feed(block(2, request.mark + b"\n"))
    assert not request.is_done
    stream.feed(marked(3, request))
    assert request.result() == request.mark.decode() + "\n"


def test_an_error_ends_a_chain() -> None:
    """After it tmux does nothing more of the chain, and answers nothing but the mark."""
    stream, (first, second) = asked(call(SHOW, SHOW, SHOW), call(SHOW))
    stream.feed(block(2, b"a\n") + refused(3, b"can't find pane: %9\n") + marked(4, first))
    stream.feed(block(5, b"c\n") + marked(6, second))
    with pytest.raises(PaneNotFoundError, match="can't find pane: %9"):
        first.result()
    assert second.result() == "c\n"


def test_a_refusal_tells_the_command() -> None:
    """An error in control mode is the error of a client of its own."""
    stream, (request,) = asked(call(("resize-pane", "-x")))
    stream.feed(refused(2, b"width too small\n") + marked(3, request))
    with pytest.raises(TmuxCommandError) as caught:
        request.result()
    assert caught.value.stderr == "width too small\n"
    assert str(caught.value).endswith("the command was 'tmux' 'resize-pane' '-x'")


def test_what_if_shell_did_has_blocks_of_its_own() -> None:
    """Its own block is followed by those of what it did, be they many or none."""
    for did in (b"", block(4), block(4) + block(5)):
        stream, (guarded, after) = asked(action(SHOW, GUARDED), call(SHOW))
        stream.feed(block(2, b"look\n") + block(3) + did + marked(6, guarded))
        stream.feed(block(7, b"z\n") + marked(8, after))
        assert guarded.result() == "look\n"
        assert after.result() == "z\n"


def test_an_error_in_a_branch_ends_that_branch() -> None:
    """The commands behind the if-shell are carried out, and their blocks are of the same call."""
    stream, (guarded, after) = asked(call(GUARDED, SHOW, GUARDED), call(SHOW))
    stream.feed(block(2) + refused(3, b"no server running on x\n") + block(4, b"mine\n"))
    assert not guarded.is_done
    stream.feed(block(5) + refused(6, b"no such thing\n") + marked(7, guarded))
    stream.feed(block(8, b"z\n") + marked(9, after))
    with pytest.raises(TmuxServerError, match="no server running on x\nno such thing"):
        guarded.result()
    assert after.result() == "z\n"


def test_blocks_that_answer_nothing_typed_here_are_news() -> None:
    """Hooks answer with blocks, too; those have another flag."""
    stream, (request,) = asked(call(SHOW))
    hook = block(2, b"of a hook\n", flag=0) + block(3, b"failed\n", flag=0, word=b"error")
    stream.feed(hook + block(4, b"x\n") + hook + marked(7, request) + hook)
    assert request.result() == "x\n"


def test_an_answer_that_nobody_waits_for_ends_all() -> None:
    """It is not known what it answers, and it is given to nobody."""
    stream, (request,) = asked(call(SHOW))
    stream.feed(block(2, b"x\n") + marked(3, request) + block(4, b"more\n"))
    assert request.result() == "x\n"
    assert stream.ended == "tmux answered more than it was asked"
    with pytest.raises(ConnectionClosedError, match="more than it was asked"):
        stream.ask(call(SHOW))


@pytest.mark.parametrize(
    ("order", "answered"), [([1], 0), ([0, 0, 1, 2], 1), ([0, 2, 1], 1), ([0, 1, 1], 2)]
)
def test_an_answer_to_another_question_ends_all(order: list[int], answered: int) -> None:
    """If a mark is missing or comes again, no call gets what may be the answer of another."""
    stream, requests = asked(*[call(SHOW)] * 3)
    for number in order:
        stream.feed(block(2, b"%d\n" % number) + marked(3, requests[number]))
    for number, request in enumerate(requests[:answered]):
        assert request.result() == f"{number}\n"
    for request in requests[answered:]:
        with pytest.raises(ConnectionClosedError, match="another question") as caught:
            request.result()
        assert caught.value.was_sent
    assert stream.ended == "tmux answered another question than the one it was asked"


def test_who_waits_is_told_once() -> None:
    """The callback comes when the answer is whole, or will never be."""
    told: list[str] = []
    stream, () = asked()
    first = stream.ask(call(SHOW), on_done=lambda: told.append("first"))
    stream.ask(call(SHOW), on_done=lambda: told.append("second"))
    stream.feed(block(2))
    assert told == []
    stream.feed(marked(3, first))
    assert told == ["first"]
    stream.end("gone")
    stream.end("gone again")
    assert told == ["first", "second"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"%exit\n", "detached"),
        (b"%exit server exited unexpectedly\n", "server exited unexpectedly"),
        (b"%exit too far behind \n", "too far behind"),
    ],
)
def test_an_exit_ends_all(line: bytes, reason: str) -> None:
    """Who waits is told why, and nothing more may be asked."""
    stream, (request,) = asked(call(SHOW))
    stream.feed(NEWS + line)
    with pytest.raises(ConnectionClosedError) as caught:
        request.result()
    assert (caught.value.reason, caught.value.was_sent) == (reason, True)
    with pytest.raises(ConnectionClosedError) as caught:
        stream.ask(call(SHOW))
    assert (caught.value.reason, caught.value.was_sent) == (reason, False)
    stream.end("the client ended")
    assert stream.ended == reason


def test_an_end_in_the_middle_of_a_block() -> None:
    """Half an answer is none."""
    stream, (request,) = asked(call(SHOW))
    stream.feed(block(2, b"half\n")[:-3])
    stream.end("the client ended")
    with pytest.raises(ConnectionClosedError, match="the client ended"):
        request.result()


def test_an_end_before_the_greeting() -> None:
    """The end also ends the wait for the greeting."""
    stream = Stream()
    stream.end("the client ended")
    with pytest.raises(ConnectionClosedError):
        stream.greeting.result()


def test_a_greeting_may_be_a_refusal() -> None:
    """Attaching is answered before anything that was asked."""
    stream = Stream()
    request = stream.ask(call(SHOW))
    stream.feed(block(1, b"can't find session: $3\n", flag=0, word=b"error"))
    with pytest.raises(PaneNotFoundError):
        stream.greeting.result()
    assert not request.is_done


BODIES = st.lists(
    st.one_of(
        st.binary(max_size=20).map(lambda data: data.replace(b"\n", b"")),
        st.sampled_from([b"", b"%end 1700000000 2 1", b"%exit", b"%error 1 1 1", b"%begin 1 2 1"]),
    ),
    max_size=4,
).map(lambda lines: b"".join(line + b"\n" for line in lines))


@settings(max_examples=examples(40))
@given(
    bodies=st.lists(st.tuples(BODIES, st.sampled_from([b"end", b"error"]), st.booleans())),
    cuts=st.lists(st.integers(0, 2000)),
)
def test_any_pieces_of_the_same_bytes_are_the_same_answers(
    bodies: list[tuple[bytes, bytes, bool]], cuts: list[int]
) -> None:
    """Where the pipe cuts is nothing to anybody: whole, byte by byte, or anyhow."""
    told = []
    for way in ("whole", "pieces", "bytes"):
        stream, requests = asked(*(call(SHOW) for _ in bodies))
        data = b"".join(
            (NEWS if has_news else b"")
            + block(1000 + n, text, word=word)
            + marked(2000 + n, requests[n])
            for n, (text, word, has_news) in enumerate(bodies)
        )
        some = (cut for cut in cuts if cut < len(data))
        places = {"whole": (), "pieces": some, "bytes": range(len(data))}[way]
        for a, b in itertools.pairwise(sorted({0, len(data), *places})):
            stream.feed(data[a:b])
        told.append([said(request) for request in requests])
    expected = [(text.decode(errors="replace"), word == b"error") for text, word, _ in bodies]
    assert told == [expected] * 3


def said(request: Pending) -> tuple[str, bool]:
    """Return what an answered request was told, and whether that was a refusal."""
    assert request.is_done
    try:
        return request.result(), False
    except TmuxCommandError as error:
        return error.stderr, True


# Each answer of control mode belongs to the call before it, wherever tmux fails.

PANES = (Pane("%5"), Pane("%5", server="7.1700000000"))
NEXT = call(("display-message", "-p", "x"), ("list-panes",))


def told(pending: Pending) -> tuple[set[int], bool]:
    """Return the numbers of the lines that an answer tells of, and whether it is a refusal."""
    assert pending.is_done
    try:
        text, is_refused = pending.result(), False
    except TmuxCommandError as error:
        text, is_refused = error.stderr, True
    assert re.fullmatch(r"(line \d+\n)*", text)
    return {int(number) for number in re.findall(r"\d+", text)}, is_refused


def answer(tmux: ScriptedTmux, *calls: TmuxCall) -> list[tuple[set[int], bool]]:
    """Ask a tmux all calls before it answers any; return what it told each."""
    stream = Stream()
    pending = [stream.ask(one) for one in calls]
    stream.feed(tmux.hear(b"".join(one.line for one in pending)))
    assert stream.ended is None
    return [told(one) for one in pending]


@pytest.mark.parametrize("pane", PANES)
@pytest.mark.parametrize("conditions_hold", [True, False])
@pytest.mark.parametrize("name", LINES)
def test_a_failure_anywhere_is_of_its_own_call(
    name: str, pane: Pane, *, conditions_hold: bool
) -> None:
    """At each place of each line, in each branch: the next call has its own answer, whole."""
    line = LINES[name](pane)
    whole = ScriptedTmux(conditions_hold=conditions_hold)
    assert answer(whole, line) == [({0}, False)]
    for place in range(whole.carried_out):
        tmux = ScriptedTmux(fails_at=place, conditions_hold=conditions_hold)
        assert answer(tmux, line, NEXT) == [({0}, True), ({2}, False)]
        assert tmux.carried_out <= whole.carried_out + 2


@settings(max_examples=examples(60))
@given(
    names=st.lists(st.sampled_from(sorted(LINES)), min_size=1, max_size=6),
    fails_at=st.integers(0, 40),
    conditions_hold=st.booleans(),
    as_many=st.integers(1, 3),
    has_hooks=st.booleans(),
)
def test_whatever_a_server_makes_of_lines(
    names: list[str], fails_at: int, *, conditions_hold: bool, as_many: int, has_hooks: bool
) -> None:
    """With aliases that stand for several commands, and hooks that print: each has its own."""
    tmux = ScriptedTmux(fails_at, conditions_hold, as_many, has_hooks)
    answers = answer(tmux, *(LINES[name](PANES[1]) for name in names))
    assert [numbers for numbers, _ in answers] == [{2 * n} for n in range(len(names))]
    assert sum(is_refused for _, is_refused in answers) == (tmux.carried_out > fails_at)


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1)))
def test_the_script_reads_lines_as_they_are_written(lines: list[list[str]]) -> None:
    """Else it would not be the tmux that the lines are for."""
    written = " ; ".join(" ".join(map(quote, words)) for words in lines)
    assert commands(written) == (lines or [[]])
