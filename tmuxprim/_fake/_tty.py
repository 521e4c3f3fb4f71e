"""`FakeTty`: a fake pane's line discipline, and the program that lives behind it.

A program is a generator function: it writes to its `FakeTty` and yields what it waits for, a
line, a key or some seconds. The kernel's part is played here: canonical mode collects lines,
echoes and turns C-c into an interrupt while nobody edits; raw mode hands keys over as they are.
What is typed early is echoed early and again by the line editor that reads it, as on a real
terminal (termios(3), "Canonical and noncanonical mode").
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import ClassVar, TypeAlias

import attrs

from tmuxprim._fake._clock import FakeClock
from tmuxprim._fake._display import Display
from tmuxprim._fake._input import END_OF_FILE, INTERRUPT, Line, ends_line, split_keys
from tmuxprim._tty import TtyState


class Interrupted(Exception):  # noqa: N818  # an event inside a program, as EOFError is
    """C-c was pressed; raised inside a fake program at its yield."""


@attrs.frozen
class ReadLine:
    """Waits for a line.

    Args:
        raw: Read key by key with a line editor, as a shell does, rather than let the kernel
            collect the line, as ``read`` and ``input()`` do.
        echo: Show what is typed.
        flush: Throw away what was typed before, as ``getpass`` does.
    """

    raw: bool = False
    echo: bool = True
    flush: bool = False


@attrs.frozen
class ReadKey:
    """Waits for one key, in raw mode; an arrow key comes as its whole escape sequence."""

    raw: ClassVar[bool] = True


@attrs.frozen
class Sleep:
    """Works for some seconds and reads nothing.

    Args:
        seconds: How long, in virtual time.
        raw: Leave the terminal in raw mode meanwhile, as a full-screen program does.
    """

    seconds: float
    raw: bool = False


Request: TypeAlias = ReadLine | ReadKey | Sleep
Run: TypeAlias = Generator[Request, str, int | None]
"""A fake program that runs; it returns its exit status."""


class FakeTty:
    """Is the terminal that a fake program writes to and reads from."""

    def __init__(
        self,
        program: "Program",
        command: str,
        *,
        pid: int,
        display: Display,
        clock: FakeClock,
        reaction: float,
    ) -> None:
        self.display: Display = display
        self.exit_status: int | None = None
        self.is_alive: bool = True
        self.command: str = command
        self._pid = pid
        self._foreground_pid = pid
        self._clock = clock
        self._reaction = reaction
        self._run = program(self)
        self._request: Request = Sleep(reaction)
        self._queue: deque[str] = deque()
        self._kernel_line = Line()
        self._wakeups = 0
        self._woken = True
        self._epoch = 0
        clock.call_later(reaction, self._start)

    @property
    def columns(self) -> int:
        """The width of the screen, for programs that lay text out."""
        return self.display.grid.size.columns

    def write(self, text: str) -> None:
        """Show *text*; LF begins a new row."""
        self.display.write(text)

    @contextmanager
    def foreground(self, command: str) -> Iterator[None]:
        """Play a child process, named *command*, that has the terminal for a while."""
        before = self.command, self._foreground_pid
        self.command, self._foreground_pid = command, self._foreground_pid + 1
        try:
            yield
        finally:
            self.command, self._foreground_pid = before

    def type(self, characters: str) -> None:
        """Take what a person types."""
        if not self.is_alive:
            return
        if self._is_raw:
            self._queue.extend(split_keys(characters))
        else:
            for character in characters:  # the kernel knows no escape sequences
                self._cook(character)
        if self._has_input() and not self._woken:
            self._wake()

    def hang_up(self) -> None:
        """End the program, as closing its terminal does."""
        self.is_alive = False
        self._run.close()

    def state(self) -> TtyState:
        """Return what the kernel would tell."""
        request = self._request
        reads = not isinstance(request, Sleep) and not self._woken
        unread = "".join(self._queue)
        return TtyState(
            canonical=not self._is_raw,
            echo=not self._is_raw and not (isinstance(request, ReadLine) and not request.echo),
            foreground_pid=self._foreground_pid,
            foreground_is_pane=self._foreground_pid == self._pid,
            reading=reads,
            only_reading=reads,
            reader_pid=self._foreground_pid if reads else None,
            wakeups=self._wakeups if reads else None,
            unread=len(unread.encode()),
        )

    @property
    def _is_raw(self) -> bool:
        return self._request.raw

    def _cook(self, key: str) -> None:
        """Do the kernel's part in canonical mode."""
        shows = not isinstance(self._request, ReadLine) or self._request.echo
        if key == INTERRUPT:
            self._queue.clear()
            self._kernel_line = Line()
            self.write("^C")
            self._wake(Interrupted())
        elif key == END_OF_FILE or ends_line(key):
            end = END_OF_FILE if key == END_OF_FILE else "\n"
            self._queue.extend((*self._kernel_line.text, end))
            self._kernel_line = Line()
            self.write("\n" if end == "\n" and shows else "")
        else:
            echo = self._kernel_line.collect(key)
            self.write(echo if shows else "")

    def _has_input(self) -> bool:
        match self._request:
            case Sleep():
                return False
            case ReadLine(raw=False):
                return "\n" in self._queue or END_OF_FILE in self._queue
            case _:
                return bool(self._queue)

    def _wake(self, event: Exception | None = None, *, after: float | None = None) -> None:
        """Let the program run again, a moment from now."""
        self._woken = True
        self._epoch += 1
        epoch = self._epoch
        delay = self._reaction if after is None else after
        self._clock.call_later(delay, lambda: self._react(epoch, event))

    def _react(self, epoch: int, event: Exception | None) -> None:
        if epoch != self._epoch or not self.is_alive:
            return
        if event is not None:
            self._throw(event)
            return
        self._woken = False
        self._wakeups += 1
        self._read()

    def _read(self) -> None:
        """Give the program what it waits for, as far as that has been typed."""
        epoch = self._epoch
        while self.is_alive and epoch == self._epoch and self._has_input():
            if isinstance(self._request, ReadLine) and not self._request.raw:
                self._take_line()
                continue
            key = self._queue.popleft()
            if isinstance(self._request, ReadKey):
                self._resume(key)
            else:
                self._edit(key)

    def _take_line(self) -> None:
        line, key = "", self._queue.popleft()
        while key not in ("\n", END_OF_FILE):
            line, key = line + key, self._queue.popleft()
        if key == END_OF_FILE and not line:
            self._throw(EOFError())
        else:
            self._resume(line)

    def _edit(self, key: str) -> None:
        """Do a line editor's part: take one key."""
        line = self._kernel_line
        if key == INTERRUPT:
            self._kernel_line = Line()
            self.write("^C\n")
            self._throw(Interrupted())
        elif key == END_OF_FILE and not line.text:
            self._throw(EOFError())
        elif ends_line(key):
            self._kernel_line = Line()
            self.write("\n")
            self._resume(line.text)
        else:
            self.write(line.edit(key))

    def _start(self) -> None:
        if self.is_alive:
            self._advance(lambda: next(self._run))

    def _resume(self, value: str) -> None:
        self._advance(lambda: self._run.send(value))

    def _throw(self, event: Exception) -> None:
        self._advance(lambda: self._run.throw(event))

    def _advance(self, step: Callable[[], Request]) -> None:
        try:
            self._request = step()
        except StopIteration as end:
            self.is_alive, self.exit_status = False, end.value or 0
        except (Interrupted, EOFError) as event:
            self.is_alive, self.exit_status = False, 130 if isinstance(event, Interrupted) else 1
        else:
            self._begin(self._request)

    def _begin(self, request: Request) -> None:
        """Start to wait for what the program asked for."""
        self._woken = False
        self._wakeups += 1
        self._epoch += 1
        if isinstance(request, Sleep):
            epoch = self._epoch
            self._clock.call_later(request.seconds, lambda: self._slept(epoch))
            return
        if isinstance(request, ReadLine) and request.flush:
            self._queue.clear()
            self._kernel_line = Line()
        if self._is_raw and self._kernel_line.text:
            # What the kernel had collected so far is now read key by key.
            self._queue.extend(self._kernel_line.text)
            self._kernel_line = Line()
        if self._has_input():
            self._wake(after=0.0)  # what is there already is read without going to sleep

    def _slept(self, epoch: int) -> None:
        if epoch == self._epoch and self.is_alive:
            self._resume("")


Program: TypeAlias = Callable[[FakeTty], Run]
"""A fake program: a generator function that is given its terminal."""
