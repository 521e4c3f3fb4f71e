"""Test your terminal code without a terminal: the fake, its programs, and the contract.

Examples:
    Every kind of program is ready in its own way:

    >>> programs = {
    ...     "sh": ScriptedShell({"make": [After(2.0, "50%"), after(3.0, "done")]}),
    ...     "python": repl(lambda line: line.upper(), prompt=">>> "),
    ...     "rm": question("Remove? [y/N] ", lambda line: f"you said {line}"),
    ...     "login": password("Password: "),
    ...     "less": pager("a text"),
    ... }
    >>> terminal = FakeTerminal(programs=programs)
    >>> for name in programs:
    ...     readiness = Console(terminal, terminal.open(name)).wait_ready()
    ...     print(f"{name}: {readiness.reason}")
    sh: prompt '$' at the cursor
    python: prompt '>>>' at the cursor
    rm: a program waits for a line, after 'Remove? [y/N]'
    login: a program waits for a line that is not shown, after 'Password:'
    less: less has drawn its screen

    Work takes virtual time, and the terminal records all input:

    >>> console = Console(terminal, terminal.open("sh", name="shared"))
    >>> _ = console.send("make")
    >>> print(f"{console.wait_ready().elapsed:.1f} s")
    5.0 s
    >>> terminal.sent(Pane("shared"))[0]
    Sent(pane=Pane(target='%5'), keys=KeySequence(parts=('make',)), at=...)

    A program of your own writes to its terminal, and yields a request for each wait:

    >>> def greeter(tty: FakeTty) -> Run:
    ...     tty.write("name? ")
    ...     name = yield ReadLine()
    ...     try:
    ...         yield Sleep(60.0)
    ...         tty.write(f"hello {name}, press a key ")
    ...     except Interrupted:
    ...         tty.write(f" goodbye {name}, press a key ")
    ...     yield ReadKey()
    ...     return 3
    >>> terminal = FakeTerminal(programs={"greeter": greeter}, remain_on_exit=True)
    >>> console = Console(terminal, terminal.open("greeter"))
    >>> for act in (lambda: console.send("Ada"), lambda: console.keys("C-c", "q")):
    ...     _ = act()
    ...     print(console.wait_ready(timeout=5.0).reason)
    timed out after 5 s; greeter runs and does not read
    the program has exited with status 3
"""

from tmuxprim._contract.contract_shell import CONTRACT_RC, CONTRACT_SHELL
from tmuxprim._contract.terminal_contract import TerminalContract
from tmuxprim._fake.asserts import assert_screen
from tmuxprim._fake.async_fake_terminal import AsyncFakeTerminal
from tmuxprim._fake.clock import FakeClock
from tmuxprim._fake.fake_terminal import FakeTerminal, Faults
from tmuxprim._fake.ready_programs import (
    After,
    after,
    crash,
    full_screen,
    pager,
    password,
    progress_bar,
    question,
    repl,
    spinner,
)
from tmuxprim._fake.requests import Interrupted, Killed, ReadKey, ReadLine, Request, Run, Sleep
from tmuxprim._fake.scripted_shell import Reply, ScriptedShell
from tmuxprim._fake.server import Sent
from tmuxprim._fake.tty import FakeTty, Program
from tmuxprim._public import show_as
from tmuxprim._recording.asciicast import export_asciicast
from tmuxprim._recording.record import RecordingTerminal
from tmuxprim._recording.replay import ReplayTerminal
from tmuxprim._terminal import AsyncClock, AsyncOutputWatch, Clock, OutputWatch, Tap
from tmuxprim._values.keys import Paste
from tmuxprim._values.lines import Layout
from tmuxprim._values.style import Style, StyledText
from tmuxprim._wrapping import WrappingTerminal

__all__ = [
    "CONTRACT_RC",
    "CONTRACT_SHELL",
    "After",
    "AsyncClock",
    "AsyncFakeTerminal",
    "AsyncOutputWatch",
    "Clock",
    "FakeClock",
    "FakeTerminal",
    "FakeTty",
    "Faults",
    "Interrupted",
    "Killed",
    "Layout",
    "OutputWatch",
    "Paste",
    "Program",
    "ReadKey",
    "ReadLine",
    "RecordingTerminal",
    "ReplayTerminal",
    "Reply",
    "Request",
    "Run",
    "ScriptedShell",
    "Sent",
    "Sleep",
    "Style",
    "StyledText",
    "Tap",
    "TerminalContract",
    "WrappingTerminal",
    "after",
    "assert_screen",
    "crash",
    "export_asciicast",
    "full_screen",
    "pager",
    "password",
    "progress_bar",
    "question",
    "repl",
    "spinner",
]

show_as(__name__, globals())
