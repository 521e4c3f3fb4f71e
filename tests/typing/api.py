"""How the public API is typed; read by the type checkers and never run.

An ``assert_type`` holds a type, a plain assignment holds that a class keeps a protocol, and a
``type: ignore`` with its code holds that a wrong use is refused: the checkers complain about one
that is not needed.
"""

import re
from collections.abc import Iterator
from typing import assert_never, assert_type

from mcp.server import Server
from typing_extensions import override

from tmuxprim import (
    AnsiStripper,
    AsyncConsole,
    AsyncTerminal,
    AsyncTmuxTerminal,
    CommandResult,
    Console,
    Cursor,
    FakeTerminal,
    Key,
    KeySequence,
    Mark,
    NewText,
    Outcome,
    Pane,
    PaneInfo,
    PromptStrategy,
    Readiness,
    ReadinessStrategy,
    Screen,
    Size,
    Terminal,
    TimeoutStrategy,
    TmuxCommandError,
    TmuxTerminal,
    TtyState,
    default_chain,
    strip_ansi,
)
from tmuxprim.mcp import make_server, serve
from tmuxprim.profiles import PYTHON, Answer, AsyncSession, Profile, Session
from tmuxprim.readiness import (
    AllOf,
    Busy,
    Chain,
    ContinuationStrategy,
    ExitStrategy,
    MatchStrategy,
    Pass,
    Prompt,
    Ready,
    Snapshot,
    Strategy,
    Verdict,
)
from tmuxprim.testing import (
    After,
    Clock,
    FakeClock,
    FakeTty,
    Layout,
    OutputWatch,
    Paste,
    Program,
    ReadLine,
    RecordingTerminal,
    ReplayTerminal,
    Run,
    ScriptedShell,
    Sent,
    Sleep,
    WrappingTerminal,
    after,
    pager,
    password,
    question,
    repl,
)
from tmuxprim.tool import (
    AsyncTmuxTool,
    TmuxTool,
    ToolResponse,
    tool_prompt,
    tool_schema,
)

# Both backends are terminals; a protocol is not checked where a class is defined.
real: Terminal = TmuxTerminal()
fake: Terminal = FakeTerminal()
recorded: Terminal = RecordingTerminal(real, "session.jsonl")
replayed: Terminal = ReplayTerminal("session.jsonl")
clock: Clock = FakeClock()
real_clock: Clock = TmuxTerminal().clock

# Text and keys.
assert_type(strip_ansi("x"), str)
assert_type(AnsiStripper().feed("x"), str)
assert_type(Key("Up").name, str)
assert_type(KeySequence.text("x"), KeySequence)
assert_type(KeySequence.keys("Up", "Down"), KeySequence)
assert_type(KeySequence.parse("Up Down"), KeySequence)
assert_type(KeySequence.text("x") + KeySequence.keys("Up"), KeySequence)
assert_type(KeySequence.keys("Up") * 2, KeySequence)
assert_type(iter(KeySequence.text("x")), Iterator[str | Key | Paste])
assert_type(KeySequence.lines("x"), KeySequence)
assert_type(KeySequence.paste("x"), KeySequence)
KeySequence.text(b"x")  # type: ignore[arg-type]
KeySequence.text("x") + "y"  # type: ignore[operator]
KeySequence.keys(Key("Up"))  # type: ignore[arg-type]
Key("Up").name = "Down"  # type: ignore[misc]

# Terminals.
pane = real.open(["bash"], size=Size(80, 24), cwd="/", env={"PS1": "$ "}, name="shared")
assert_type(pane, Pane)
assert_type(pane.is_id, bool)
assert_type(real.panes(), tuple[PaneInfo, ...])
assert_type(real.resolve(Pane("shared")), Pane)
assert_type(real.send(pane, KeySequence.keys("Up"), leave_mode=True), Screen)
assert_type(real.observe(pane, history=5, styled=True), Screen)
assert_type(real.probe(pane), TtyState | None)
assert_type(real.clock.now(), float)
assert_type(real.watch_output(pane), OutputWatch)
assert_type(real.watch_output(pane).wait(0.5), bool)
real_bell: OutputWatch = TmuxTerminal().watch_output(pane)
fake_bell: OutputWatch = FakeTerminal().watch_output(pane)
real.watch_output("shared")  # type: ignore[arg-type]
real_bell.wait("1")  # type: ignore[arg-type]
real.send(pane, "Up")  # type: ignore[arg-type]
real.observe("shared")  # type: ignore[arg-type]
real.observe(pane, 5)  # type: ignore[call-arg]
real.open("bash", Size(80, 24))  # type: ignore[call-arg]
TmuxTerminal("work")  # type: ignore[call-arg]


class NoTerminal:
    """Has no panes."""

    @property
    def clock(self) -> FakeClock:
        """Return a clock."""
        return FakeClock()


broken: Terminal = NoTerminal()  # type: ignore[assignment]

# What is seen.
screen = real.observe(pane)
assert_type(screen.rows, tuple[str, ...])
assert_type(screen.history, tuple[str, ...])
assert_type(screen.cursor, Cursor)
assert_type(screen.size, Size)
assert_type(screen.exit_status, int | None)
assert_type(screen.before_cursor, str)
assert_type(screen.line_before_cursor, str)
assert_type(screen.lines, tuple[str, ...])
assert_type(screen.layout, Layout)
assert_type(screen.layout.wrapped, tuple[bool, ...])
assert_type(screen.layout.blanks, tuple[int, ...])
assert_type(screen.cursor_line_number, int)
screen.rows = ()  # type: ignore[misc]
Screen(Size(1, 1), ("",), Cursor(0, 0))  # type: ignore[call-arg]

# The console.
console = Console(fake, pane, strategy=ExitStrategy(), leave_mode=True)
assert_type(console.pane, Pane)
assert_type(console.send("x", enter=False), Mark)
assert_type(console.send(KeySequence.paste("x")), Mark)
assert_type(console.keys("C-c", Key("Up"), KeySequence.text("x")), Mark)
assert_type(console.keys(["Up", Key("Down")]), Mark)
with Console.open(fake, ["sh"], name="shared", reuse=True, size=Size(9, 9)) as shared:
    assert_type(shared, Console)
console.keys(5)  # type: ignore[arg-type]
no_enter = False
assert_type(console.read(), str)
assert_type(console.read(since=console.mark()), NewText)
assert_type(console.read(since=console.mark()).complete, bool)
console.read(since="now")  # type: ignore[call-overload]
readiness = console.wait_ready(5.0, prompt_pattern=r"\$ $", since=console.send("x"))
assert_type(readiness, Readiness)
assert_type(readiness.outcome, Outcome)
assert_type(readiness.screen, Screen)
assert_type(readiness.tty, TtyState | None)
assert_type(readiness.verdicts, tuple[tuple[str, Verdict], ...])
assert_type(bool(readiness), bool)
result = console.run("ls", timeout=5.0, exit_status=True, idle_timeout=3.0)
assert_type(result.exit_status, int | None)
assert_type(result.mark, Mark | None)
assert_type(console.resume(5.0), CommandResult)
assert_type(console.interrupt(), Readiness)
assert_type(console.wait_for("ls", gone=True), Readiness)
assert_type(console.watch(), Iterator[Screen])
assert_type(console.follow(), Iterator[NewText])
assert_type(result, CommandResult)
assert_type(result.output, str)
assert_type(result.complete, bool)
assert_type(result.readiness, Readiness)
assert_type(console.wait_for("done", 5.0, since=console.send("x")), Readiness)
assert_type(console.wait_for(re.compile("done")), Readiness)
console.wait_for(b"done")  # type: ignore[arg-type]
assert_type(result.doubt, str)
assert_type(console.learn_prompt(timeout=5.0), int | None)
Console(fake, Pane("%0"), prompt_rows="2")  # type: ignore[arg-type]
console.run(["ls"])  # type: ignore[arg-type]
tty = TtyState(canonical=True, echo=True)
assert_type(tty.edits, bool | None)
assert_type(tty.passes_on, bool | None)
mark = Mark(screen=screen, prompt=Prompt("$ ", 10))
assert_type(mark.prompt, Prompt | None)
assert_type(Prompt.seen(screen, None), Prompt)
console.keys(b"Up")  # type: ignore[arg-type]
Mark(screen=screen, prompt="$ ")  # type: ignore[arg-type]
Mark(screen)  # type: ignore[call-arg]
Snapshot(screen)  # type: ignore[call-arg]
console.send("x", no_enter)  # type: ignore[call-arg]
console.wait_ready("5")  # type: ignore[arg-type]
console.wait_ready(strategy=ExitStrategy)  # type: ignore[arg-type]
Console(fake, b"shared")  # type: ignore[arg-type]

# Strategies.
assert_type(ExitStrategy() | PromptStrategy() | TimeoutStrategy(5), Chain)
assert_type(ExitStrategy() & PromptStrategy(), AllOf)
assert_type(default_chain(r"\$ $"), Chain)
assert_type(MatchStrategy("done") | ContinuationStrategy("more> "), Chain)
assert_type(Chain((ExitStrategy(),)).strategies, tuple[ReadinessStrategy, ...])
ExitStrategy() | "prompt"  # type: ignore[operator]
Chain([ExitStrategy()])  # type: ignore[arg-type]


class Spinner:
    """A strategy without the base class."""

    def assess(self, snapshot: Snapshot) -> Verdict:
        """Judge by the title."""
        return Busy("it spins") if snapshot.screen.title else Pass("it stands")


class Title(Strategy):
    """A strategy with the base class."""

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Judge by the title."""
        return Ready(Outcome.MATCHED, snapshot.screen.title)


class Boolean:
    """Is no strategy, since true and false are no verdicts."""

    def assess(self, snapshot: Snapshot) -> bool:
        """Judge by the title."""
        return bool(snapshot.screen.title)


foreign: ReadinessStrategy = Spinner()
wrong: ReadinessStrategy = Boolean()  # type: ignore[assignment]
assert_type(Title() | Spinner(), Chain)
assert_type(Spinner() | Title(), Chain)


def read_out(verdict: Verdict) -> str:
    """Tell the three verdicts apart; there is no fourth."""
    match verdict:
        case Ready(outcome, reason):
            assert_type(outcome, Outcome)
            return reason
        case Busy(reason) | Pass(reason):
            assert_type(verdict.again_in, float)
            return reason
        case _:
            assert_never(verdict)


# Errors.
try:
    console.send("x")
except TmuxCommandError as error:
    assert_type(error.argv, tuple[str, ...])
    assert_type(error.exit_status, int)


# Sessions.
with console.session(PYTHON) as session:
    assert_type(session, Session)
    assert_type(session.ask("6 * 7"), Answer)
    assert_type(session.resume(timeout=1.0).readiness, Readiness)
assert_type(PYTHON.command, tuple[str, ...])
Profile("bc", ["bc", "-q"], env={"A": "b"}, replies={"a": KeySequence.text("b")})
Profile("bc", 3)  # type: ignore[arg-type]
console.session("python")  # type: ignore[arg-type]


async def ask(console: AsyncConsole) -> str:
    """Ask."""
    async with console.session(PYTHON) as session:
        assert_type(session, AsyncSession)
        return (await session.ask("6 * 7")).text


# The fake and its programs.
def greeter(tty: FakeTty) -> Run:
    """Greet."""
    name = yield ReadLine()
    assert_type(name, str)
    yield Sleep(2.0)
    tty.write(name)
    return 0


def answer(line: str) -> str:
    """Answer."""
    return line


def clock_rings() -> None:
    """Ring."""


program: Program = greeter
programs: list[Program] = [ScriptedShell(), repl(answer), question("?"), password(), pager("a")]
shell = ScriptedShell({"ls": "a", "sleep 3": after(3.0), "both": ["a", After(1.0)], "hi": greeter})
terminal = FakeTerminal(programs={"sh": shell, "hi": greeter}, clock=FakeClock(), evidence=False)
assert_type(terminal.sent(), tuple[Sent, ...])
assert_type(terminal.clock, FakeClock)
assert_type(terminal.clock.call_later(1.0, clock_rings), None)
FakeTerminal(programs={"sh": "ls"})  # type: ignore[dict-item]


# The tool of an agent.
tool = TmuxTool(fake, opens=False, strategy=ExitStrategy(), leave_mode=True)
assert_type(tool.execute(action="send", text="ls"), ToolResponse)
assert_type(tool.execute_json('{"action": "read"}').message, str)
assert_type(ToolResponse("x").break_loop, bool)
assert_type(ToolResponse("x").is_error, bool)
assert_type(tool_prompt(), str)
assert_type(tool_prompt("agent-zero", name="tmux_tool"), str)
assert_type(tool_schema("mcp"), dict[str, object])
tool_schema("gemini")  # type: ignore[arg-type]
TmuxTool(console)  # type: ignore[arg-type]
TmuxTool(fake, False)  # type: ignore[call-arg]  # noqa: FBT003  # refused, too
AsyncTmuxTool(fake)  # type: ignore[arg-type]
ToolResponse("x").message = "y"  # type: ignore[misc]


async def serve_tools(terminal: AsyncTerminal) -> None:
    """Give the tools to an MCP client."""
    server = make_server(
        terminal,
        pane=Pane("work"),
        opens=False,
        strategy=ExitStrategy(),
        leave_mode=True,
        prompt_rows=2,
    )
    assert_type(server, Server[object])
    await serve(server)
    make_server(FakeTerminal())  # type: ignore[arg-type]  # the one for asyncio


async def use_tool(terminal: AsyncTerminal) -> None:
    """Call the tool for asyncio."""
    awaited = AsyncTmuxTool(terminal)
    assert_type(await awaited.execute(action="read"), ToolResponse)
    assert_type(await awaited.execute_json({"action": "read"}), ToolResponse)


class LoggingTerminal(WrappingTerminal):
    """A wrapper, as docs/guides/backend.md has it."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        assert_type(keys, KeySequence)
        return super().send(pane, keys, leave_mode=leave_mode, seen=seen)


logging_terminal: Terminal = LoggingTerminal(real)
assert_type(LoggingTerminal(real).inner, Terminal)
awaited_terminal: AsyncTerminal = AsyncTmuxTerminal()
WrappingTerminal(AsyncTmuxTerminal())  # type: ignore[arg-type]  # the one for asyncio
