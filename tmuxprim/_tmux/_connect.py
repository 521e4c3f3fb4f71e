"""How a client in control mode comes to be attached."""

import time
from contextlib import suppress
from typing import NamedTuple

from tmuxprim._errors import (
    PaneNotFoundError,
    TmuxCommandError,
    TmuxServerError,
)
from tmuxprim._refusals import no_answer
from tmuxprim._tmux._attach import SESSIONS, attach, is_safe, pick_session
from tmuxprim._tmux._call import call
from tmuxprim._tmux._client import ControlClient
from tmuxprim._tmux._control import EndedError, Request, Stream
from tmuxprim._tmux._subprocess import SubprocessTransport


class UnfitError(Exception):
    """There is a server, and it is no use in control mode; the text says why."""


class Link(NamedTuple):
    """A client that is attached, and what takes its output apart."""

    client: ControlClient
    stream: Stream


def connect(spawn: SubprocessTransport, *, insists: bool) -> Link | None:
    """Attach a client to the server.

    Args:
        spawn: What starts clients of that server, and how long one may take.
        insists: Whether to attach to a server, too, that may crash while a client attaches.

    Returns:
        The connection; None if there is no server, or no session yet or any more, or ssh failed.

    Raises:
        UnfitError: If control mode is not to be had.
        TmuxTimeoutError: If the server does not answer.
    """
    sessions = _sessions(spawn)
    if not sessions:
        return None
    session = pick_session(sessions)
    if session is None:
        raise UnfitError("every session would end when a client leaves it (destroy-unattached)")
    if not insists and not is_safe(sessions):
        raise UnfitError("tmux before 3.6 may crash while a client in control mode attaches")
    client = ControlClient(spawn.prefix, attach(session))
    try:
        return Link(client, _attached(client, spawn.timeout))
    except (EndedError, TmuxCommandError, TmuxServerError, PaneNotFoundError) as error:
        said = client.last_words() or str(error)
        was_cut_off = client.was_cut_off  # and not ended by us
        client.close()
        if was_cut_off:  # by a network or a busy sshd; the next call tries again
            return None
        if session not in _sessions(spawn).split():  # it, or the server, was just leaving
            return None
        raise UnfitError(f"tmux said: {said.splitlines()[0]}") from error
    except BaseException:
        client.close()
        raise


def _sessions(spawn: SubprocessTransport) -> str:
    """Return what `SESSIONS` prints; nothing if there is no server."""
    try:
        return spawn.run(call(SESSIONS))
    except TmuxServerError:
        return ""


def _attached(client: ControlClient, timeout: float) -> Stream:
    """Wait until the client is attached and takes commands, which not every launcher lets through.

    Raises:
        EndedError: If it ended instead.
        TmuxprimError: If tmux refused, or did not answer in time.
    """
    stream = Stream()
    proof = Request(call(("display-message", "-p", "")))
    stream.expect(proof)
    deadline = time.monotonic() + timeout
    with suppress(BrokenPipeError):  # what it said before it ended is still to be read
        client.write(proof.line, timeout)
    while not proof.is_done:
        if not client.says(deadline - time.monotonic()):
            raise no_answer(timeout, "attach-session in control mode")
        take(stream, client.read())
    stream.greeting.result()
    proof.result()
    return stream


def take(stream: Stream, data: bytes | None) -> bool:
    """Give a stream what its client said; an empty text means that it has ended.

    Returns:
        Whether there is some answer in it. News come from a tmux, too, that is not to answer.
    """
    if data is None:
        return False
    before = stream.answers
    if data:
        stream.feed(data)
    else:
        stream.end("the client ended")
    return stream.answers > before or stream.is_answering
