"""A model that says what it was told to, over HTTP on this machine: for AI command lines.

It speaks as much of three protocols as such programs use: OpenAI's chat completions and responses,
and Anthropic's messages; streamed, in pieces, with pauses. No other network is needed.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final, TypeAlias

import attrs
from typing_extensions import override

Body: TypeAlias = Mapping[str, Any]
Event: TypeAlias = dict[str, Any]


@attrs.frozen
class Speech:
    """What the model says.

    Args:
        pieces: The text, in the pieces in which it is streamed.
        thinks: Seconds before the first piece.
        pause: Seconds between two pieces.
        runs: A command that it wants to have run (in chat completions only); what it says to what
            came of it is `RAN`.
    """

    pieces: tuple[str, ...]
    thinks: float = 0.0
    pause: float = 0.0
    runs: str = ""

    def stream(self) -> Iterator[str]:
        """Yield the pieces, each at its time."""
        time.sleep(self.thinks)
        for number, piece in enumerate(self.pieces):
            time.sleep(self.pause if number else 0.0)
            yield piece


RAN: Final = Speech(("The command ", "ran."), thinks=0.5)


class ModelServer(ThreadingHTTPServer):
    """Answers each prompt by the first key that is in it."""

    daemon_threads = True

    def __init__(self, speeches: Mapping[str, Speech]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.speeches = speeches
        self.prompts: list[str] = []
        """What was asked, in order, as the program sent it."""

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, body: Body) -> Speech:
        """Return what is said to a request: a title to what is no prompt of a person's."""
        if body.get("messages", [{}])[-1].get("role") == "tool":
            return RAN
        prompt = _last_prompt(body)
        found = next((key for key in self.speeches if key in prompt), None)
        if found is None or any("title" in text[:400] for text in (_instructions(body), prompt)):
            return Speech(("A talk",))
        self.prompts.append(prompt)
        return self.speeches[found]


@contextmanager
def model_server(speeches: Mapping[str, Speech]) -> Iterator[ModelServer]:
    """Serve until the end of the block."""
    with ModelServer(speeches) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        """Answer a request for something to be said."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.partition("?")[0]
        speak = next((speak for end, speak in _PROTOCOLS.items() if path.endswith(end)), None)
        if speak is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        with suppress(ConnectionError):  # the program has been left meanwhile
            for event in speak(self.server.answer(body)):
                name = f"event: {event['type']}\n" if "type" in event else ""
                self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
            self.wfile.write(b"data: [DONE]\n\n" if path.endswith("/completions") else b"")

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _completions(speech: Speech) -> Iterator[Event]:
    for piece in speech.stream():
        yield _chunk({"role": "assistant", "content": piece}, None)
    if speech.runs:
        yield _chunk({"role": "assistant", "tool_calls": [_call_of_bash(speech.runs)]}, None)
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield {**_chunk({}, "tool_calls" if speech.runs else "stop"), "usage": usage}


def _call_of_bash(command: str) -> Event:
    arguments = json.dumps({"command": command, "description": "A command"})
    function = {"name": "bash", "arguments": arguments}
    return {"index": 0, "id": "1", "type": "function", "function": function}


def _chunk(delta: Body, finish: str | None) -> Event:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    kind = "chat.completion.chunk"
    return {"id": "1", "object": kind, "created": 0, "model": "m", "choices": [choice]}


def _messages(speech: Speech) -> Iterator[Event]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: Event = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}
    start: Event = {
        **message,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield {"type": "message_start", "message": start}
    block = {"type": "text", "text": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    for piece in speech.stream():
        delta = {"type": "text_delta", "text": piece}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    end = {"stop_reason": "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": usage}
    yield {"type": "message_stop"}


def _responses(speech: Speech) -> Iterator[Event]:
    response: Event = {"id": "resp_1", "object": "response", "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": response}
    item = {"type": "message", "id": "msg_1", "role": "assistant"}
    empty = {**item, "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": 0, "item": empty}
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    for piece in speech.stream():
        yield {"type": "response.output_text.delta", **place, "delta": piece}
    content = [{"type": "output_text", "text": "".join(speech.pieces), "annotations": []}]
    done = {**item, "status": "completed", "content": content}
    yield {"type": "response.output_item.done", "output_index": 0, "item": done}
    usage = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    ended = {**response, "status": "completed", "output": [done], "usage": usage}
    yield {"type": "response.completed", "response": ended}


_PROTOCOLS: Mapping[str, Callable[[Speech], Iterator[Event]]] = {
    "/chat/completions": _completions,
    "/messages": _messages,
    "/responses": _responses,
}


def _last_prompt(body: Body) -> str:
    """Return what the user said last."""
    said: Sequence[Body] = body.get("messages") or body.get("input") or ()
    last = next((one for one in reversed(said) if one.get("role") == "user"), {})
    return _text(last.get("content", ""))


def _instructions(body: Body) -> str:
    """Return what the program tells the model beforehand."""
    said: Sequence[Body] = body.get("messages") or ()
    first = next((one for one in said if one.get("role") == "system"), {})
    return _text(body.get("system") or body.get("instructions") or first.get("content", ""))


def _text(content: str | Sequence[Body]) -> str:
    """Return a content, which is a text, or parts that have texts."""
    return content if isinstance(content, str) else "".join(one.get("text", "") for one in content)
