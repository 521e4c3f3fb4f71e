"""`FakeTty`: a fake pane's line discipline, and the program behind it.

A program is a generator function: it writes to its `FakeTty`, and yields a request for each line,
key or time that it waits for. `FakeTty` imitates the kernel: canonical mode collects lines, echoes
them and turns C-c into an interrupt; raw mode passes each key on. Type-ahead is echoed at once, and
again by the line editor that reads it, as on a real terminal (termios(3), "Canonical and
noncanonical mode").
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

import attrs

from tmuxprim._fake.clock import FakeClock
from tmuxprim._fake.display import Display
from tmuxprim._fake.editor import Editor
from tmuxprim._fake.requests import (
    Interrupted,
    Killed,
    ReadKey,
    ReadLine,
    Request,
    Run,
    Sleep,
    check_request,
    check_run,
)
from tmuxprim._fake.streams import END_OF_FILE, SIGNALS, Output, collect, ends_line, split_keys
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.programs import program_called

# The exit status that a shell reports for a program that C-c has ended (128 + SIGINT).
_INTERRUPTED: Final = 130
# The bytes that Linux keeps of a line besides its end (N_TTY_BUF_SIZE is 4096).
_LINE_LIMIT: Final = 4095


class FakeTty:
    """The terminal that a fake program writes to and reads from.

    Attributes:
        at_line_start: Whether the last output ends a line.

    Examples:
        >>> def hello(tty: FakeTty) -> Run:
        ...     tty.write(f"{tty.columns} columns")
        ...     yield ReadKey()
        ...     return 0
        >>> terminal = FakeTerminal(programs={"hello": hello})
        >>> Console(terminal, terminal.open("hello")).wait_ready().screen.text
        '80 columns'
    """

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
        self.output: Output = Output(display, clock)
        self.exit_status: int | None = None
        self.exit_signal: int | None = None
        self.is_alive: bool = True
        self.at_line_start: bool = True
        self.command: str = command
        self.on_end: Callable[[], None] = lambda: None
        self._pid = pid
        self._foreground_pid = pid
        self._clock = clock
        self._reaction = reaction
        self._request: Request = Sleep(reaction)
        self._queue: deque[str] = deque()
        self._line = ""
        self._editor = Editor(ReadLine())
        self._wakeups = 0
        self._woken = True
        self._is_resized = False
        self._epoch = 0
        self._run = check_run(program(self), program)
        clock.call_later(reaction, self._start)

    @property
    def columns(self) -> int:
        """The width of the screen, for programs that lay text out."""
        return self.display.grid.size.columns

    @property
    def rows(self) -> int:
        """The height of the screen."""
        return self.display.grid.size.rows

    def write(self, text: str) -> None:
        """Show *text*; LF begins a new row.

        Args:
            text: The text, with control sequences if need be.
        """
        self.at_line_start = text.endswith(("\n", "\r")) if text else self.at_line_start
        self.output.write(text)

    @contextmanager
    def foreground(self, command: str) -> Iterator[None]:
        """Imitate a child process, named *command*, that has the terminal for the block.

        Args:
            command: The name of the child's program.
        """
        before = self.command, self._foreground_pid
        self.command, self._foreground_pid = command, self._foreground_pid + 1
        self._is_resized = False
        try:
            yield
        finally:
            self.command, self._foreground_pid = before

    def type(self, characters: str) -> None:
        """Take typed characters.

        Args:
            characters: The characters, as a terminal sends them.
        """
        if not self.is_alive:
            return
        if self._request.raw:
            self._queue.extend(split_keys(characters))
        else:
            for character in characters:  # to the kernel an escape sequence is several keys
                self._cook(character)
        if self._has_input() and not self._woken:
            self._wake()

    def hang_up(self, signal: int | None = None) -> None:
        """End the program, as closing its terminal does, or as a signal does.

        Args:
            signal: The number of the signal; None is a closed terminal.
        """
        if self.is_alive:
            self._end(None, signal)
        self._run.close()

    def state(self) -> TtyState:
        """Return the kernel's evidence for the request that the program waits in."""
        request, pid = self._request, self._foreground_pid
        # A pass-through program, such as ssh, also waits for the other side.
        passes_on = request.raw and program_called(self.command).passes_on
        waits_for_more = passes_on or request.event_loop
        state = TtyState(
            canonical=not request.raw,
            echo=not request.raw and self._shows_input,
            signals=not waits_for_more,  # most programs with an event loop take C-c as a key
            edits=request.raw and (isinstance(request, ReadLine) or passes_on),
            foreground_pid=pid,
            foreground_is_pane=pid == self._pid,
            reading=False,
            only_reading=False,
            passes_on=False,
            program=self.command if request.raw else None,
            unread=len("".join(self._queue).encode()),
            line_limit=_LINE_LIMIT,
            level="syscall",
        )
        if isinstance(request, Sleep) or self._woken:
            return state
        return attrs.evolve(
            state,
            reading=True,
            only_reading=not waits_for_more,
            passes_on=passes_on,
            reader_pid=pid,
            wakeups=self._wakeups,
            program=state.program if waits_for_more else None,
        )

    def resize(self) -> None:
        """Notify the program that the screen has another size now."""
        self._editor.resize(self.columns)
        self._is_resized = True
        if self._has_input() and not self._woken:
            self._wake()

    @property
    def _shows_input(self) -> bool:
        return not isinstance(self._request, ReadLine) or self._request.echo

    def _cook(self, key: str) -> None:
        """Take a key as the kernel does in canonical mode."""
        if key in SIGNALS:
            self._queue.clear()
            self._line = ""
            shown, event = SIGNALS[key]
            self._echo(shown)
            self._wake(event())
        elif ends_line(key):
            self._queue.extend((*self._line, "\n"))
            self._line = ""
            self._echo("\n")
        elif key != END_OF_FILE:
            self._line, echo = collect(self._line, key)
            self._echo(echo)
        elif not self._line:
            self._queue.append(key)

    def _echo(self, shown: str) -> None:
        self.write(shown if self._shows_input else "")

    def _has_input(self) -> bool:
        match self._request:
            case Sleep():
                return False
            case ReadKey(resizes=True):
                return bool(self._queue) or self._is_resized
            case ReadLine(raw=False):
                return "\n" in self._queue or END_OF_FILE in self._queue
            case _:
                return bool(self._queue)

    def _wake(self, event: Exception | None = None, *, after: float | None = None) -> None:
        """Plan the program's next step, a moment from now."""
        self._woken = True
        delay = self._reaction if after is None else after
        self._call_later(delay, lambda: self._react(event))

    def _call_later(self, seconds: float, action: Callable[[], None]) -> None:
        """Plan *action*, which is dropped if another one is planned or the program ends first."""
        self._epoch += 1
        epoch = self._epoch

        def act() -> None:
            if epoch == self._epoch and self.is_alive:
                action()

        self._clock.call_later(seconds, act)

    def _react(self, event: Exception | None) -> None:
        if event is not None:
            self._throw(event)
            return
        self._woken = False
        self._wakeups += 1
        self._read()

    def _read(self) -> None:
        """Pass the input on that the program waits for, as far as it has been typed."""
        epoch = self._epoch
        while self.is_alive and epoch == self._epoch and self._has_input():
            if isinstance(self._request, ReadLine) and not self._request.raw:
                self._take_line()
                continue
            if isinstance(self._request, ReadKey):
                self._is_resized = False
                self._resume(self._queue.popleft() if self._queue else "")
            else:
                shown, outcome = self._editor.take(self._queue.popleft())
                self.write(shown)
                if isinstance(outcome, str):
                    self._resume(outcome)
                elif outcome is not None:
                    self._throw(outcome)

    def _take_line(self) -> None:
        line, key = "", self._queue.popleft()
        while key not in ("\n", END_OF_FILE):
            line, key = line + key, self._queue.popleft()
        if key == END_OF_FILE and not line:
            self._throw(EOFError())
        else:
            self._resume(line)

    def _start(self) -> None:
        if self.is_alive:
            self._advance(lambda: next(self._run))

    def _resume(self, value: str) -> None:
        self._advance(lambda: self._run.send(value))

    def _throw(self, event: Exception) -> None:
        self._advance(lambda: self._run.throw(event))

    def _advance(self, step: Callable[[], Request]) -> None:
        try:
            request = step()
        except StopIteration as end:
            status = end.value or 0
            self._when_shown(lambda: self._end(status))
        except (Interrupted, EOFError) as event:
            status = _INTERRUPTED if isinstance(event, Interrupted) else 1
            self._when_shown(lambda: self._end(status))
        except Killed as death:
            signal = death.signal
            self._when_shown(lambda: self._end(None, signal))
        else:
            check_request(request)
            if isinstance(request, ReadLine):
                self._editor = Editor(request)
                self.write(self._editor.opening)
            self._when_shown(lambda: self._begin(request))

    def _when_shown(self, action: Callable[[], None]) -> None:
        """Carry out *action* once all output is shown; until then the program still writes."""
        left = self.output.seconds_left
        if left == 0:
            action()
            return
        self._request, self._woken = Sleep(left, raw=self._request.raw), False
        self._call_later(left, lambda: self._when_shown(action))

    def _end(self, status: int | None, signal: int | None = None) -> None:
        self.is_alive, self.exit_status, self.exit_signal = False, status, signal
        self.on_end()

    def _begin(self, request: Request) -> None:
        """Begin to wait for the request that the program has yielded."""
        self._request, self._woken = request, False
        self._wakeups += 1
        self._epoch += 1
        if isinstance(request, Sleep):
            self._call_later(request.seconds, lambda: self._resume(""))
            return
        if isinstance(request, ReadLine):
            if request.flush:
                self._queue.clear()
                self._line = ""
            self._editor.begin(self.columns, self.display.cursor.column)
        if request.raw:
            # Input that the kernel had collected for a line is now read key by key.
            self._queue = deque(split_keys("".join(self._queue) + self._line))
            self._line = ""
        if self._has_input():
            self._wake(after=0.0)  # a read does not sleep if there is input already


Program: TypeAlias = Callable[[FakeTty], Run]
"""A fake program: a generator function that takes its terminal."""
