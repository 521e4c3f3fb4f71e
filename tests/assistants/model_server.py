"""A model that says what it was told to, over HTTP on this machine: for AI command lines.

It speaks as much of four protocols as such programs use: OpenAI's chat completions and responses,
Anthropic's messages, and Google's; streamed, in pieces, with pauses. No other network is needed.
"""

import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
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
        runs: A command that it wants to have run; what it says to what came of it is `RAN`.
        sends: What it asks agents of its own in the background; Claude Code has such.
        status: The status of the HTTP answer; from 400 on nothing is said.
        fails: How often it is answered with that status; then it is said.
    """

    pieces: tuple[str, ...]
    thinks: float = 0.0
    pause: float = 0.0
    runs: str = ""
    sends: tuple[str, ...] = ()
    status: int = 200
    fails: float = math.inf

    def stream(self) -> Iterator[str]:
        """Yield the pieces, each at its time."""
        time.sleep(self.thinks)
        for number, piece in enumerate(self.pieces):
            time.sleep(self.pause if number else 0.0)
            yield piece


REFUSAL: Final = "this model refuses"
RAN: Final = Speech(("The command ", "ran."), thinks=0.5)


class ModelServer(ThreadingHTTPServer):
    """Answers each prompt by the first key that is in it."""

    daemon_threads = True

    def __init__(self, speeches: Mapping[str, Speech]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.speeches = speeches
        self.asked: list[tuple[str, ...]] = []
        """What was asked, in order, in the parts in which the program sent it."""
        self.said: list[tuple[Speech, float]] = []
        """What was said to the end, and when, by `time.monotonic`."""
        self.refused: Counter[Speech] = Counter()
        """How often an error was said in place of what is to be said."""

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, body: Body) -> Speech:
        """Return what is said to a request: a title to what is no prompt of a person's."""
        parts, has_result = _last_prompt(body)
        prompt = "".join(parts)
        # What a person asks stands behind what the program itself has to say.
        last = max(self.speeches, key=prompt.rfind)
        if last not in prompt and has_result:
            return RAN
        if last not in prompt or _is_aside(body, prompt):
            return Speech(("A talk",))
        self.asked.append(parts)
        return self.speeches[last]

    def fate(self, question: str, before: int) -> str:
        """Return what became of a question since *before* others were asked; empty if all is well.

        A program that tries again after an error asks it more than once.
        """
        found = [parts for parts in self.asked[before:] if any(question in part for part in parts)]
        if not found:
            return f"LOST: {_in_short(self.asked[before:])}"
        glued = [parts for parts in found if not any(_is_alone(question, part) for part in parts)]
        return f"GLUED: {_in_short(glued)}" if glued else ""

    def has_said(self, question: str) -> float:
        """Return when all was said to a question last, by `time.monotonic`; 0 for not yet."""
        found = next((key for key in self.speeches if key in question), "")
        return max(
            (at for speech, at in self.said if speech is self.speeches.get(found)), default=0
        )


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
        speech = self.server.answer(body)
        if speech.status >= HTTPStatus.BAD_REQUEST and self.server.refused[speech] < speech.fails:
            self.server.refused[speech] += 1
            time.sleep(speech.thinks)
            self._refuse(speech.status)
            self.server.said.append((speech, time.monotonic()))
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        with suppress(ConnectionError):  # the program has been left meanwhile
            for event in speak(speech, body):
                name = f"event: {event['type']}\n" if "type" in event else ""
                self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
            self.wfile.write(b"data: [DONE]\n\n" if path.endswith("/completions") else b"")
            self.server.said.append((speech, time.monotonic()))

    def do_GET(self) -> None:
        """Have nothing to be read."""
        self.send_error(404)

    def _refuse(self, status: int) -> None:
        """Answer with an error, which the program may try again if that can help."""
        error = {"type": "invalid_request_error", "message": REFUSAL, "code": status}
        said = json.dumps({"type": "error", "error": error}).encode()
        with suppress(ConnectionError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            if status < HTTPStatus.TOO_MANY_REQUESTS:
                self.send_header("x-should-retry", "false")
            self.end_headers()
            self.wfile.write(said)

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _completions(speech: Speech, body: Body) -> Iterator[Event]:
    for piece in speech.stream():
        yield _chunk({"role": "assistant", "content": piece}, None)
    if speech.runs and "tools" in body:
        name, arguments = _call(speech.runs, [one["function"] for one in body["tools"]])
        function = {"name": name, "arguments": arguments}
        call = {"index": 0, "id": _new_id("call"), "type": "function", "function": function}
        yield _chunk({"role": "assistant", "tool_calls": [call]}, None)
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield {**_chunk({}, "tool_calls" if speech.runs else "stop"), "usage": usage}


def _call(command: str, tools: Sequence[Body]) -> tuple[str, str]:
    """Return which of a program's tools runs a command, and its arguments as JSON."""
    names = [tool.get("name") for tool in tools]
    name = next(name for name in _SHELLS if name in names)
    if name == "exec_command":
        why = {"sandbox_permissions": "require_escalated", "justification": "to try it"}
        return name, json.dumps({"cmd": command, **why})
    words = ["bash", "-c", command] if name == "shell" else command
    return name, json.dumps({"command": words, "description": "A command"})


_SHELLS: Final = ("bash", "Bash", "run_shell_command", "exec_command", "shell", "shell_command")


def _chunk(delta: Body, finish: str | None) -> Event:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    kind = "chat.completion.chunk"
    return {"id": "1", "object": kind, "created": 0, "model": "m", "choices": [choice]}


def _new_id(kind: str) -> str:
    """Return an id that no other has: programs join or skip what has that of another."""
    return f"{kind}_{time.time_ns()}"


def _messages(speech: Speech, body: Body) -> Iterator[Event]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: Event = {"id": _new_id("msg"), "type": "message", "role": "assistant", "model": "m"}
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
    uses = [_call(speech.runs, body["tools"])] if speech.runs else []
    uses += [("Agent", json.dumps({"description": it, "prompt": it})) for it in speech.sends]
    for number, (name, arguments) in enumerate(uses, 1):
        use = {"type": "tool_use", "id": _new_id("toolu"), "name": name, "input": {}}
        yield {"type": "content_block_start", "index": number, "content_block": use}
        told = {"type": "input_json_delta", "partial_json": arguments}
        yield {"type": "content_block_delta", "index": number, "delta": told}
        yield {"type": "content_block_stop", "index": number}
    end = {"stop_reason": "tool_use" if uses else "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": usage}
    yield {"type": "message_stop"}


def _responses(speech: Speech, body: Body) -> Iterator[Event]:
    response: Event = {"id": "resp_1", "object": "response", "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": response}
    if speech.runs:
        time.sleep(speech.thinks)
        name, arguments = _call(speech.runs, body["tools"])
        call = {"type": "function_call", "id": _new_id("fc"), "call_id": _new_id("call")}
        done: Event = {**call, "name": name, "arguments": arguments, "status": "completed"}
    else:
        done = yield from _said_in_items(speech)
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


def _said_in_items(speech: Speech) -> Generator[Event, None, Event]:
    """Yield the events of a message; return it as a whole."""
    item = {"type": "message", "id": "msg_1", "role": "assistant"}
    empty = {**item, "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": 0, "item": empty}
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    for piece in speech.stream():
        yield {"type": "response.output_text.delta", **place, "delta": piece}
    content = [{"type": "output_text", "text": "".join(speech.pieces), "annotations": []}]
    return {**item, "status": "completed", "content": content}


def _contents(speech: Speech, body: Body) -> Iterator[Event]:
    for piece in speech.stream():
        yield _candidate({"text": piece})
    if speech.runs:
        tools = [one for tool in body["tools"] for one in tool.get("functionDeclarations", ())]
        name, arguments = _call(speech.runs, tools)
        yield _candidate({"functionCall": {"name": name, "args": json.loads(arguments)}})
    yield {**_candidate({"text": ""}, "STOP"), "usageMetadata": {"totalTokenCount": 2}}


def _candidate(part: Body, finish: str | None = None) -> Event:
    content = {"role": "model", "parts": [part]}
    ending = {"finishReason": finish} if finish else {}
    return {"candidates": [{"content": content, "index": 0, **ending}]}


_PROTOCOLS: Mapping[str, Callable[[Speech, Body], Iterator[Event]]] = {
    "/chat/completions": _completions,
    "/messages": _messages,
    "/responses": _responses,
    ":streamGenerateContent": _contents,
}


def _is_aside(body: Body, prompt: str) -> bool:
    """Whether a program asks for something of its own, such as a title."""
    heads = _instructions(body)[:400], prompt[:400]
    return any(word in head for word in ("title", "SUGGESTION MODE") for head in heads)


def _last_prompt(body: Body) -> tuple[tuple[str, ...], bool]:
    """Return what the user said last, in parts, and whether what came of a command is before it.

    What is before that in its turn was answered.
    """
    for message in reversed(_said(body)):
        content = message.get("content") or message.get("parts") or message.get("output", "")
        parts: Sequence[Body] = [{"text": content}] if isinstance(content, str) else content
        results = [n for n, part in enumerate(parts) if _is_result(part)]
        if _is_result(message):
            return (), True
        if results or message.get("role") == "user":
            behind = parts[max(results, default=-1) + 1 :]
            return tuple(part.get("text") or "" for part in behind), bool(results)
    return (), False


def _said(body: Body) -> Sequence[Body]:
    """Return what the user, the model and the tools have said."""
    return body.get("messages") or body.get("input") or body.get("contents") or ()


def _is_alone(question: str, part: str) -> bool:
    """Whether a part is a question, but for what the program itself has put around it."""
    text = _AIDER_ADDS.sub("", part).strip()
    # So are long texts marked, and those that were typed while it worked.
    return text == question or (text.startswith("<") and question in text.splitlines())


_AIDER_ADDS: Final = re.compile(r"\n\nTo suggest changes to a file.*", re.DOTALL)


def _in_short(asked: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the ends of what was asked."""
    whole = (repr("".join(parts)) for parts in asked)
    return [text if len(text) < _SHORT else f"{text[:100]}...{text[-100:]}" for text in whole]


_SHORT: Final = 250


def _is_result(part: Body) -> bool:
    """Whether a message, or a part of one, is what came of a command, in any of the protocols."""
    return not _RESULTS.isdisjoint({part.get("role"), part.get("type"), *part})


_RESULTS: Final = frozenset(("tool", "tool_result", "function_call_output", "functionResponse"))


def _instructions(body: Body) -> str:
    """Return what the program tells the model beforehand."""
    said: Sequence[Body] = body.get("messages") or ()
    first = next((one for one in said if one.get("role") == "system"), {})
    return _text(body.get("system") or body.get("instructions") or first.get("content", ""))


def _text(content: str | Sequence[Body]) -> str:
    """Return a content, which is a text, or parts that have texts."""
    return (
        content if isinstance(content, str) else "".join(one.get("text") or "" for one in content)
    )
