"""`RecordingTerminal`: passes every call on, and writes it down without secrets."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import iscoroutinefunction
from pathlib import Path
from threading import RLock
from typing import Final, TypeVar, Unpack

import attrs
from typing_extensions import override

from tmuxprim._fake.streams import to_characters
from tmuxprim._readiness.words import CONFIDENTIAL
from tmuxprim._recording.recorded_events import (
    Fields,
    RecordedAnswer,
    RecordedEvent,
    RecordingFile,
    arguments,
    attempt,
    open_arguments,
    snapshot_arguments,
    unwrap,
)
from tmuxprim._terminal import OpenOptions, OpenRequest, OutputWatch, SendOptions, Tap, Terminal
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import Command, refuse_other_kind
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import Key, KeySequence, Part
from tmuxprim._values.pane import Pane, PaneInfo, SizeLike, to_size
from tmuxprim._values.screen import Screen
from tmuxprim._wrapping import WrappingTerminal
from tmuxprim.errors import InvalidRecordingError, TmuxprimError

_HIDDEN: Final = "(hidden)"
# More than readiness takes for a request: to hide too much does little harm.
_ASKS: Final = re.compile(rf"{CONFIDENTIAL}.*[:?\])]\s*$", re.IGNORECASE)
# Enter, C-j and C-c. C-d may only hand over what there is.
_LINE_ENDS: Final = ("\r", "\n", "\x03")


class Secrets:
    """The panes in which a secret is being typed."""

    def __init__(self) -> None:
        self._begun: set[str] = set()

    def note(
        self, pane: str, keys: KeySequence, tty: RecordedAnswer, screen: RecordedAnswer
    ) -> bool:
        """Return whether *keys* belong to a secret: from its prompt until its line ends.

        A prompt may show stars for typed text, so its words are gone after the first key. *tty*
        and *screen* are of right before; the screen is the error, if the keys were refused.
        """
        is_secret = pane in self._begun or _asks_for_secret(tty, screen)
        is_over = isinstance(screen, Screen) and _ends_line(keys)
        if is_secret and not is_over:
            self._begun.add(pane)
        else:
            self._begun.discard(pane)
        return is_secret


def hide(keys: KeySequence) -> KeySequence:
    """Return *keys* with one word in place of each text, which does not reveal its length."""
    check_type("keys", keys, KeySequence)
    hidden: list[Part] = []
    for part in keys:
        shown = _HIDDEN if _is_text(part) else part
        if shown != _HIDDEN or hidden[-1:] != [_HIDDEN]:
            hidden.append(shown)
    return KeySequence(tuple(hidden))


def _asks_for_secret(tty: RecordedAnswer, screen: RecordedAnswer) -> bool:
    """Whether the kernel or the words before the cursor say so; in doubt they do."""
    if isinstance(tty, TtyState) and tty.hides_input:
        return True
    if isinstance(screen, Screen):
        return _ASKS.search(screen.line_before_cursor) is not None
    return not isinstance(tty, TtyState)


def _ends_line(keys: KeySequence) -> bool:
    return to_characters(keys).endswith(_LINE_ENDS)


def _is_text(part: Part) -> bool:
    """Whether a part reveals typed text: a text, a paste, a key with a single character."""
    return not isinstance(part, Key) or len(part.name) == 1


T = TypeVar("T", bound=RecordedAnswer)


class RecordingTerminal(WrappingTerminal):
    r"""A terminal that passes each call on to another one, and writes it down with its answer.

    If the kernel or the words before the cursor show that a password is read, typed text is left
    out up to the next Enter. Values of environment variables are not written. The screen is
    written. The output of a tap is not.

    Several threads may use it; their calls take turns.

    Args:
        terminal: The terminal that does the work.
        path: The file. An existing one is overwritten; a new one can be read by its owner only.

    Raises:
        InvalidRecordingError: If *terminal* is for asyncio; nothing was written.
        OSError: If the file cannot be written.

    Examples:
        >>> import tempfile
        >>> directory = tempfile.TemporaryDirectory()
        >>> path = f"{directory.name}/session.jsonl"
        >>> terminal = RecordingTerminal(FakeTerminal(), path)  # TmuxTerminal() for a real one
        >>> Console(terminal, terminal.open("sh")).run("echo hi").output
        'hi\n'
        >>> replay = ReplayTerminal(path)
        >>> Console(replay, replay.open("sh")).run("echo hi").output
        'hi\n'
        >>> directory.cleanup()
    """

    def __init__(self, terminal: Terminal, path: str | Path) -> None:
        if iscoroutinefunction(getattr(terminal, "observe", None)):
            raise InvalidRecordingError(
                f"a terminal whose calls are awaited cannot be recorded, got {terminal!r}; record "
                "the same session with TmuxTerminal"
            )
        refuse_other_kind(terminal, "RecordingTerminal", "TmuxTerminal")
        super().__init__(terminal)
        self._path = path
        self._start = terminal.clock.now()
        self._secrets = Secrets()
        self._file = RecordingFile(Path(path))
        self._turn = RLock()  # a call may make others

    def __repr__(self) -> str:
        return f"RecordingTerminal({self.inner!r}, {str(self._path)!r})"

    @override
    def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        return self._call(
            "open",
            open_arguments(OpenRequest(command, **options)),
            lambda: self.inner.open(command, **options),
        )

    @override
    def close(self, pane: Pane) -> None:
        self._call("close", arguments(pane=pane), lambda: self.inner.close(pane))

    @override
    def resize(self, pane: Pane, size: SizeLike) -> None:
        args = arguments(pane=pane, size=to_size(size))
        self._call("resize", args, lambda: self.inner.resize(pane, size))

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        with self._turn, self._sending(pane, keys, leave_mode=leave_mode) as note:
            screen = attempt(lambda: self.inner.send(pane, keys, leave_mode=leave_mode, seen=seen))
            note(screen)
        return unwrap(screen)

    @override
    def tap(self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]) -> Tap:
        """Tap the program's output, and write down the keys; see `Terminal.tap`."""
        if keys is None:
            return self.inner.tap(pane)
        leave_mode = how.get("leave_mode", False)
        with self._turn, self._sending(pane, keys, leave_mode=leave_mode) as note:
            tap = self.inner.tap(pane, keys, **how)
            note(tap.screen)
        return tap

    @contextmanager
    def _sending(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool
    ) -> Iterator[Callable[[RecordedAnswer], None]]:
        """Give what writes down that keys were sent, with its answer."""
        known = attempt(lambda: self.inner.resolve(pane))
        tty = attempt(lambda: self.inner.probe(pane))

        def note(screen: RecordedAnswer) -> None:
            target = known.target if isinstance(known, Pane) else pane.target
            secret = self._secrets.note(target, keys, tty, screen)
            shown = hide(keys) if secret else keys
            args = arguments(pane=pane, keys=shown, leave_mode=leave_mode, secret=secret)
            self._write("send", args, screen)

        yield note

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        return self._call(
            "observe",
            snapshot_arguments(pane, history, styled=styled),
            # A replay is asked for the evidence by calls of their own.
            lambda: attrs.evolve(
                self.inner.observe(pane, history=history, styled=styled), evidence=None
            ),
        )

    @override
    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the screen, and write the snapshot down; see `Terminal.read`."""
        return self.observe(pane, history=history).text

    @override
    def probe(self, pane: Pane) -> TtyState | None:
        return self._call("probe", arguments(pane=pane), lambda: self.inner.probe(pane))

    @override
    def panes(self) -> tuple[PaneInfo, ...]:
        return self._call("panes", {}, self.inner.panes)

    @override
    def resolve(self, pane: Pane) -> Pane:
        return self._call("resolve", arguments(pane=pane), lambda: self.inner.resolve(pane))

    @override
    def watch_output(self, pane: Pane) -> OutputWatch:
        args = arguments(pane=pane)
        with self._turn:
            output_watch = attempt(lambda: self.inner.watch_output(pane))
            self._write(
                "watch_output",
                args,
                output_watch if isinstance(output_watch, TmuxprimError) else None,
            )
        return _RecordingOutputWatch(
            unwrap(output_watch), lambda rang: self._call("wait", args, lambda: rang)
        )

    def _call(self, call: str, args: Fields, do: Callable[[], T]) -> T:
        with self._turn:
            answer = attempt(do)
            self._write(call, args, answer)
        return unwrap(answer)

    def _write(self, call: str, args: Fields, answer: RecordedAnswer) -> None:
        now = self.inner.clock.now() - self._start
        self._file.write(RecordedEvent(now, call, args, answer))


class _RecordingOutputWatch:
    """An output watch whose ends of waits are recorded."""

    def __init__(self, output_watch: OutputWatch, write: Callable[[bool], bool]) -> None:
        self._output_watch = output_watch
        self._write = write

    def wait(self, seconds: float) -> bool:
        return self._write(self._output_watch.wait(seconds))

    def close(self) -> None:
        self._output_watch.close()
