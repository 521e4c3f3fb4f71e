"""How a client in control mode comes to be attached."""

import time

import attrs

from tmuxprim._errors import TmuxServerError
from tmuxprim._refusals import no_answer
from tmuxprim._tmux._attach import SESSIONS, attach, pick_session
from tmuxprim._tmux._call import call
from tmuxprim._tmux._client import ControlClient
from tmuxprim._tmux._control import EndedError, Stream
from tmuxprim._tmux._subprocess import SubprocessTransport


class UnfitError(Exception):
    """There is a server, and it is no use in control mode; the text says why."""


@attrs.frozen
class Link:
    """A client that is attached to a session, and what takes its output apart."""

    client: ControlClient
    stream: Stream
    session: str


def connect(spawn: SubprocessTransport) -> Link | None:
    """Attach a client to the server.

    Args:
        spawn: What starts clients of that server, and how long one may take.

    Returns:
        The connection; None if there is no server, or no session yet.

    Raises:
        UnfitError: If control mode is not to be had.
        TmuxTimeoutError: If the server does not answer.
    """
    try:
        sessions = spawn.run(call(SESSIONS))
    except TmuxServerError:
        return None
    if not sessions:  # the server is just leaving
        return None
    session = pick_session(sessions)
    if session is None:
        raise UnfitError("every session would end when a client leaves it (destroy-unattached)")
    client = ControlClient(spawn.prefix, attach(session))
    stream = Stream()
    try:
        _greet(client, stream, spawn.timeout)
        stream.greeting.result()
    except (EndedError, TmuxServerError) as error:
        said = client.complaints() or str(error)
        client.close()
        raise UnfitError(f"tmux said: {said}") from error
    except BaseException:
        client.close()
        raise
    return Link(client, stream, session)


def _greet(client: ControlClient, stream: Stream, timeout: float) -> None:
    """Wait until tmux has said whether the client is attached."""
    deadline = time.monotonic() + timeout
    while not stream.greeting.is_done:
        data = client.read(deadline - time.monotonic())
        if data is None:
            raise no_answer(timeout, "attach-session in control mode")
        take(stream, data)


def take(stream: Stream, data: bytes) -> None:
    """Give a stream what its client said; nothing at all means that it has ended."""
    if data:
        stream.feed(data)
    else:
        stream.end("the client ended")
