"""What a client in control mode is told and tells, without any client."""

import itertools
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tmuxprim import PaneNotFoundError, TmuxCommandError, TmuxServerError
from tmuxprim._tmux.commands import Call, action, call
from tmuxprim._tmux.control import ConnectionClosedError, Pending, Stream

SHOW: Final = ("display-message", "-p", "x")
GUARDED: Final = ("if-shell", "-F", "1", "send-keys x", "start-server")
NEWS: Final = b"%sessions-changed\n%window-renamed @1 a %end 1 1 1\n"


def block(number: int, text: bytes = b"", *, flag: int = 1, word: bytes = b"end") -> bytes:
    """Return one block as tmux writes it."""
    numbers = b" 1700000000 %d %d\n" % (number, flag)
    return b"%begin" + numbers + text + b"%" + word + numbers


def asked(*calls: Call) -> tuple[Stream, list[Pending]]:
    """Return a stream that has greeted, and requests that it expects."""
    stream = Stream()
    stream.feed(block(1, flag=0))
    requests = [Pending(one) for one in calls]
    for request in requests:
        stream.expect(request)
    return stream, requests


def test_a_line_is_written_for_tmuxs_parser() -> None:
    """Every word is quoted, and a line break in it is none of the line."""
    assert Pending(call(("a", "x\n;"), ("b",))).line == b'"a" "x\\012;" ; "b"\n'


def test_blocks_of_a_chain_are_one_answer() -> None:
    """Each command has a block; together they are what a client of its own would print."""
    stream, (first, second) = asked(call(SHOW, SHOW), call(SHOW))
    stream.feed(block(2, b"a\n") + NEWS + block(3, b"b\n") + block(4, b"c\n"))
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
    stream.feed(block(2, body) + block(3, b"y\n"))
    assert first.result() == body.decode(errors="replace")
    assert second.result() == "y\n"
    assert stream.ended is None


def test_an_error_ends_a_chain() -> None:
    """After it tmux does nothing more of the chain, and answers nothing."""
    stream, (first, second) = asked(call(SHOW, SHOW, SHOW), call(SHOW))
    stream.feed(block(2, b"a\n") + block(3, b"can't find pane: %9\n", word=b"error"))
    stream.feed(block(4, b"c\n"))
    with pytest.raises(PaneNotFoundError, match="can't find pane: %9"):
        first.result()
    assert second.result() == "c\n"


def test_a_refusal_tells_the_command() -> None:
    """An error in control mode is the error of a client of its own."""
    stream, (request,) = asked(call(("resize-pane", "-x")))
    stream.feed(block(2, b"width too small\n", word=b"error"))
    with pytest.raises(TmuxCommandError) as caught:
        request.result()
    assert caught.value.stderr == "width too small\n"
    assert str(caught.value).endswith("the command was 'tmux' 'resize-pane' '-x'")


def test_what_if_shell_did_has_blocks_of_its_own() -> None:
    """Its own block is followed by those of what it did, which are counted, too."""
    stream, (guarded, after) = asked(action(SHOW, GUARDED, nested=1), call(SHOW))
    stream.feed(block(2, b"look\n") + block(3))
    assert not guarded.is_done
    stream.feed(block(4) + block(5, b"z\n"))
    assert guarded.result() == "look\n"
    assert after.result() == "z\n"


def test_an_error_behind_if_shell_ends_the_chain() -> None:
    """What it would have done after that has no block."""
    stream, (guarded, after) = asked(action(SHOW, GUARDED, nested=3), call(SHOW))
    stream.feed(block(2, b"look\n") + block(3) + block(4))
    stream.feed(block(5, b"no server running on x\n", word=b"error") + block(6, b"z\n"))
    with pytest.raises(TmuxServerError, match="no server running on x"):
        guarded.result()
    assert after.result() == "z\n"


def test_blocks_that_answer_nothing_typed_here_are_news() -> None:
    """Hooks answer with blocks, too; those have another flag."""
    stream, (request,) = asked(call(SHOW))
    stream.feed(block(2, b"of a hook\n", flag=0) + block(3, b"x\n"))
    assert request.result() == "x\n"


def test_an_answer_that_nobody_waits_for_ends_all() -> None:
    """Somebody has made one command into several, and the next answer would be the wrong one."""
    stream, (request,) = asked(call(SHOW))
    stream.feed(block(2, b"x\n") + block(3, b"more\n"))
    assert request.result() == "x\n"
    assert stream.ended == "tmux answered more than it was asked"
    with pytest.raises(ConnectionClosedError, match="more than it was asked"):
        stream.expect(Pending(call(SHOW)))


def test_who_waits_is_told_once() -> None:
    """The callback comes when the answer is whole, or will never be."""
    told: list[str] = []
    stream, () = asked()
    stream.expect(Pending(call(SHOW), on_done=lambda: told.append("first")))
    stream.expect(Pending(call(SHOW), on_done=lambda: told.append("second")))
    stream.feed(block(2))
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
        stream.expect(Pending(call(SHOW)))
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
    """The greeting is over then, too."""
    stream = Stream()
    stream.end("the client ended")
    with pytest.raises(ConnectionClosedError):
        stream.greeting.result()


def test_a_greeting_may_be_a_refusal() -> None:
    """Attaching is answered before anything that was asked."""
    stream = Stream()
    request = Pending(call(SHOW))
    stream.expect(request)
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
    parts = [
        (NEWS if has_news else b"") + block(1000 + n, text, word=word)
        for n, (text, word, has_news) in enumerate(bodies)
    ]
    data = b"".join(parts)
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    pieces = [data[a:b] for a, b in itertools.pairwise(places)]
    told = []
    for way in ([data], pieces, [data[n : n + 1] for n in range(len(data))]):
        stream, requests = asked(*(call(SHOW) for _ in bodies))
        for piece in way:
            stream.feed(piece)
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
