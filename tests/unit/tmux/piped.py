"""A control client without a process: the test is the server at the other end of its pipes."""

import asyncio
import itertools
import os
from contextlib import suppress
from typing import Any, cast

from tmuxprim import Pane
from tmuxprim._tmux.commands import TmuxCall, action, call
from tmuxprim._tmux.connection import AttachedClient
from tmuxprim._tmux.control import Stream

ASK = call(("display-message", "-p", "x"))
DO = action(("send-keys", "x"))
CLOSE = TmuxCall((("kill-pane", "-t", "%0"),), ends=Pane("%0"))


class PipedClient:
    """Has the pipes of a `ControlClient`, and what the other end says and hears."""

    def __init__(self) -> None:
        self._server_in, self.stdin = os.pipe()
        self.stdout, self._server_out = os.pipe()
        os.set_blocking(self.stdin, False)
        os.set_blocking(self.stdout, False)
        os.set_blocking(self._server_in, False)
        self._numbers = itertools.count()
        self._unread = b""
        self._lines: list[str] = []
        self._marks: list[str] = []
        self.is_closed = False

    @property
    def link(self) -> AttachedClient:
        """The client, attached."""
        return AttachedClient(cast("Any", self), Stream())

    def read(self) -> bytes | None:
        """Return what the other end has said."""
        try:
            return os.read(self.stdout, 1 << 20)
        except BlockingIOError:
            return None

    def close(self) -> None:
        """End it, once."""
        if not self.is_closed:
            self.is_closed = True
            for number in (self.stdin, self.stdout):
                os.close(number)
            self.leave()
            self.stop_listening()

    def say(self, text: str) -> None:
        """Say something as tmux does."""
        os.write(self._server_out, text.encode())

    def answer(self, text: str, *, word: str = "end") -> None:
        """Answer the oldest call that has no answer yet."""
        self._block(text, word)
        self.finish()

    def refuse(self, text: str) -> None:
        """Refuse it."""
        self.answer(text, word="error")

    def finish(self, number: int = 0) -> None:
        """Answer its mark, or that of another call, counted from the oldest."""
        self._hear()
        self._block(f"parse error: unknown command: {self._marks.pop(number)}", "error")

    def _block(self, text: str, word: str) -> None:
        number = next(self._numbers)
        self.say(f"%begin 1 {number} 1\n{text}\n%{word} 1 {number} 1\n")

    def leave(self) -> None:
        """Say no more."""
        number, self._server_out = self._server_out, -1
        _close(number)

    def stop_listening(self) -> None:
        """Hear no more."""
        number, self._server_in = self._server_in, -1
        _close(number)

    async def asked(self, words: str, count: int = 1) -> None:
        """Wait until it was told something, so often."""
        heard = ""
        while heard.count(words) < count:
            await asyncio.sleep(0)
            heard += self.heard()

    def heard(self) -> str:
        """Return the lines, without the marks, that it was told since it was last asked."""
        self._hear()
        lines, self._lines = self._lines, []
        return "".join(lines)

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            while data := os.read(self._server_in, 1 << 20):
                self._unread += data
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            text = line.decode()
            if text.startswith("tmuxprim-"):
                self._marks.append(text)
            else:
                self._lines.append(f"{text}\n")


def _close(number: int) -> None:
    """Close a descriptor, once: its number may soon be another file's."""
    if number >= 0:
        os.close(number)
