"""`RecordingTerminal`: writes down what a real session does."""

from collections.abc import Callable, Mapping, Sequence
from inspect import iscoroutinefunction
from pathlib import Path
from threading import Lock
from typing import TypeVar

import attrs

from tmuxprim._clock import Clock
from tmuxprim._errors import InvalidRecordingError, TmuxprimError
from tmuxprim._pane import Pane
from tmuxprim._readiness._look import same_picture
from tmuxprim._recording._arguments import close_args, open_args, resize_args, send_args
from tmuxprim._recording._event import Answer, Event, Question, attempt, unwrap
from tmuxprim._recording._history import cut_history
from tmuxprim._recording._lines import LineWriter
from tmuxprim._recording._secrets import Secrets, asks_for_secret
from tmuxprim._recording._values import Fields
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size
from tmuxprim._terminal import DEFAULT_SIZE, Bell, Terminal
from tmuxprim._tty import TtyState

T = TypeVar("T", bound=Answer)


class RecordingTerminal:
    r"""Is a terminal that passes everything on to another one, and writes down what it does.

    Each action is a line of JSON, and so is each look that shows something new. A text that is
    typed while the kernel or the words before the cursor say that a password is read is not
    written, up to its Enter, nor are the values of environment variables. What the screen shows is.

    Args:
        terminal: The terminal that does the work.
        path: The file; one that is there is overwritten, and a new one is its owner's alone to
            read.

    Raises:
        InvalidRecordingError: If the terminal's calls are to be awaited: then nothing is written.
        OSError: If the file cannot be written.

    Examples:
        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = f"{folder.name}/session.jsonl"
        >>> terminal = RecordingTerminal(FakeTerminal(), path)  # TmuxTerminal() for a real one
        >>> Console(terminal, terminal.open("sh")).run("echo hi").output
        'hi\n'
        >>> replay = ReplayTerminal(path)
        >>> Console(replay, replay.open("sh")).run("echo hi").output
        'hi\n'
        >>> folder.cleanup()
    """

    def __init__(self, terminal: Terminal, path: str | Path) -> None:
        if iscoroutinefunction(terminal.observe):
            raise InvalidRecordingError(
                f"a terminal whose calls are awaited cannot be recorded, got {terminal!r}; record "
                "the same with TmuxTerminal, and replay it to async code with "
                "AsyncFakeTerminal(ReplayTerminal(path))"
            )
        self._terminal = terminal
        self._path = path
        self._start = terminal.clock.now()
        self._secrets = Secrets()
        self._log = _NewsOnly(LineWriter(Path(path)))

    def __repr__(self) -> str:
        return f"RecordingTerminal({self._terminal!r}, {str(self._path)!r})"

    @property
    def clock(self) -> Clock:
        """The clock of the terminal that is recorded."""
        return self._terminal.clock

    def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = DEFAULT_SIZE,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> Pane:
        """Open a pane; see `Terminal.open`."""
        return self._act(
            "open",
            open_args(command, size, cwd, env, name),
            lambda: self._terminal.open(command, size=size, cwd=cwd, env=env, name=name),
        )

    def close(self, pane: Pane) -> None:
        """End a pane; see `Terminal.close`."""
        self._act("close", close_args(pane), lambda: self._terminal.close(pane))

    def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of a pane; see `Terminal.resize`."""
        self._act("resize", resize_args(pane, size), lambda: self._terminal.resize(pane, size))

    def send(self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False) -> Screen:
        """Type keys; see `Terminal.send`."""
        tty = attempt(lambda: self._terminal.probe(pane))
        screen = attempt(lambda: self._terminal.send(pane, keys, leave_mode=leave_mode))
        is_known = isinstance(tty, TtyState) or isinstance(screen, Screen)
        is_asked = asks_for_secret(tty, screen) or not is_known
        hide = self._secrets.hide(pane, keys, is_asked=is_asked, is_sent=isinstance(screen, Screen))
        args = send_args(pane, keys, leave_mode=leave_mode, hide=hide)
        self._log.write(Event(self._now(), "send", args, screen))
        return unwrap(screen)

    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Look at the screen; see `Terminal.observe`."""
        args = {"pane": pane.target, "history": history}
        return self._look("observe", args, lambda: self._terminal.observe(pane, history=history))

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return what the screen says, and write the whole look down; see `Terminal.read`."""
        return self.observe(pane, history=history).text

    def probe(self, pane: Pane) -> TtyState | None:
        """Ask the kernel; see `Terminal.probe`."""
        return self._look("probe", {"pane": pane.target}, lambda: self._terminal.probe(pane))

    def panes(self) -> tuple[Pane, ...]:
        """Return all panes; see `Terminal.panes`."""
        return self._look("panes", {}, self._terminal.panes)

    def resolve(self, pane: Pane) -> Pane:
        """Return a pane by its id; see `Terminal.resolve`."""
        return self._look("resolve", {"pane": pane.target}, lambda: self._terminal.resolve(pane))

    def listen(self, pane: Pane) -> Bell:
        """Listen for what the program writes; see `Terminal.listen`."""
        began = self._now()
        bell = attempt(lambda: self._terminal.listen(pane))
        error = bell if isinstance(bell, TmuxprimError) else None
        self._log.write(Event(began, "listen", {"pane": pane.target}, error))
        return _RecordingBell(unwrap(bell), lambda: self._log.note_silence(pane, self._now()))

    def _now(self) -> float:
        return self._terminal.clock.now() - self._start

    def _act(self, call: str, args: Fields, do: Callable[[], T]) -> T:
        answer = attempt(do)
        self._log.write(Event(self._now(), call, args, answer))
        return unwrap(answer)

    def _look(self, call: str, args: Fields, do: Callable[[], T]) -> T:
        began = self._now()
        answer = attempt(do)
        self._log.write(Event(began, call, args, answer))
        return unwrap(answer)


class _RecordingBell:
    """Is a bell that tells until when it has not rung."""

    def __init__(self, bell: Bell, note_silence: Callable[[], None]) -> None:
        self._bell = bell
        self._note_silence = note_silence

    def wait(self, seconds: float) -> bool:
        rang = self._bell.wait(seconds)
        if not rang:
            self._note_silence()
        return rang

    def close(self) -> None:
        self._bell.close()


class _NewsOnly:
    """Writes events, but no look that shows what the one before has shown.

    Evidence is written twice: whether it was seen again, or was gone, matters to the replay.
    """

    def __init__(self, lines: LineWriter) -> None:
        self._lines = lines
        self._known: dict[Question, Answer] = {}
        self._looked: dict[Question, float] = {}
        self._confirmed: set[Question] = set()
        self._silent: dict[str, float] = {}
        # Several threads may use one terminal, and each line tells what has changed since others.
        self._turn = Lock()

    def note_silence(self, pane: Pane, until: float) -> None:
        """Note that the pane's program has written nothing up to some time."""
        self._silent[pane.target] = until

    def write(self, event: Event) -> None:
        with self._turn:
            self._write(event)

    def _write(self, event: Event) -> None:
        key = event.question
        if event.call == "send" and isinstance(event.answer, Screen):
            self._known["observe", event.target] = event.answer
        if event.is_action:
            self._lines.write(event)
        elif key not in self._known or not _says_nothing_new(event.answer, self._known[key]):
            event = attrs.evolve(event, old_until=self._old_until(event))
            self._known[key] = event.answer
            self._confirmed.discard(key)
            if event.call == "probe":
                # So that it is written when the screen was first seen with this evidence.
                self._known.pop(("observe", event.target), None)
            self._lines.write(event)
        elif event.call == "probe" and key not in self._confirmed:
            self._confirmed.add(key)
            self._lines.write(event)
        self._looked[key] = event.at

    def _old_until(self, event: Event) -> float | None:
        """Return until when it was known to be otherwise; a program's name changes in silence."""
        looked, known = self._looked.get(event.question), self._known.get(event.question)
        if looked is None or not isinstance(known, Screen) or not isinstance(event.answer, Screen):
            return looked
        silent = self._silent.get(event.target, looked)
        return looked if same_picture(known, event.answer) else max(looked, silent)


def _says_nothing_new(answer: Answer, known: Answer) -> bool:
    if isinstance(answer, TmuxprimError) and isinstance(known, TmuxprimError):
        return (type(answer), answer.args) == (type(known), known.args)
    if isinstance(answer, Screen) and isinstance(known, Screen):
        return cut_history(known, len(answer.history)) == answer
    return answer == known
