"""Output that is longer than the history of a real pane."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.control import control
from tests.tmux_server import Server
from tmuxprim import AsyncConsole, AsyncTmuxTerminal, CommandResult, Console, Outcome, TmuxTerminal
from tmuxprim._tmux.choice import TransportName

pytestmark = pytest.mark.tmux

SHELLS = {
    "bash": ["bash", "--norc", "--noprofile"],
    "zsh": ["zsh", "-f"],
    "fish": ["fish", "--no-config", "--private"],
    "dash": ["dash"],
    "mksh": ["mksh"],
    "busybox": ["busybox", "sh"],
}
LIMIT = 500


def numbers(count: int) -> str:
    """Return what ``seq`` prints."""
    return "".join(f"{number}\n" for number in range(1, count + 1))


# What is printed in every shell, and what it is.
PRINTED = {
    "seq 1 3000": numbers(3000),
    "seq 1 2000 | grep --color=always 7": "".join(
        f"{number}\n" for number in range(1, 2001) if "7" in str(number)
    ),
    "seq -f '%0200g|' 1 300": "".join(f"{number:0200d}|\n" for number in range(1, 301)),
    "seq -f '日本語 %g é' 1 3000": "".join(f"日本語 {number} é\n" for number in range(1, 3001)),
    r"printf '1%%\r50%%\r100%%\n'; seq 1 3000": f"100%\n{numbers(3000)}",
    r"printf 'a\tb\n'; seq 1 3000": f"a       b\n{numbers(3000)}",
    r"seq 1 9; printf '\033[?1049h\033[Ha\033[Lb\033[?1049l'; seq 1 3000": numbers(9)
    + numbers(3000),
}
UNSURE = (
    "seq 1 3000; printf '\\033[H\\033[2J\\033[3J'; seq 1 3000",
    r"printf 'ab\033[3b\n'; seq 1 3000",
    r"printf 'a\377\n'; seq 1 3000",
)


@pytest.fixture
def short(server: Server) -> Iterator[TmuxTerminal]:
    """Give a terminal whose panes keep few rows."""
    with TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", history_limit=None
    ) as terminal:
        terminal.open(["cat"])
        server.tmux("set-option", "-g", "history-limit", str(LIMIT))
        yield terminal


def shell(terminal: TmuxTerminal, name: str) -> Console:
    """Return a console at the prompt of a shell."""
    console = Console(terminal, terminal.open(SHELLS[name]))
    console.wait_ready()
    console.run("true")
    return console


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.needs(n)) for n in SHELLS])
def test_all_of_it_is_returned(short: TmuxTerminal, name: str) -> None:
    """In every shell, whatever is printed."""
    console = shell(short, name)
    for command, printed in PRINTED.items():
        result = console.run(command, all_output=True)
        assert (result.output, result.doubt) == (printed, "")
    for command in UNSURE:
        result = console.run(command, all_output=True)
        assert not result.complete
        assert result.doubt.endswith("may differ from the pane")
        assert numbers(3000).endswith(result.output[-LIMIT:])
    assert not console.run("seq 1 3000").complete


@pytest.mark.needs("bash")
def test_lines_and_a_here_document(short: TmuxTerminal) -> None:
    """What each line has printed is there, and the status of the last."""
    console = shell(short, "bash")
    result = console.run(
        "seq 1 900\ncat <<X; seq 1 900\na\nb\nX", exit_status=True, all_output=True
    )
    assert (result.output, result.complete) == (f"{numbers(900)}a\nb\n{numbers(900)}", True)
    assert result.exit_status == 0


@pytest.mark.needs("sqlite3", "python3")
def test_repls(short: TmuxTerminal) -> None:
    """A REPL may also print more than the history keeps."""
    console = Console(short, short.open(["python3", "-q"]))
    console.run("1")
    result = console.run("print(*range(1, 3001), sep='\\n')", all_output=True)
    assert (result.output, result.complete) == (numbers(3000), True)
    console = Console(short, short.open(["sqlite3"]))
    console.run("select 1;")
    result = console.run("select value from generate_series(1, 3000);", all_output=True)
    assert (result.output, result.complete) == (numbers(3000), True)


@pytest.mark.needs("bash")
def test_much_over_control_mode(server: Server) -> None:
    """200,000 rows, of which 50,000 are kept."""
    with control(server) as terminal:
        console = shell(terminal, "bash")
        result = console.run("seq 1 200000", all_output=True)
    assert (result.output == numbers(200_000), result.complete) == (True, True)


@pytest.mark.needs("bash")
@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_async(server: Server, short: TmuxTerminal, transport: TransportName) -> None:
    """Several at once, in panes of their own."""
    del short  # has started the server

    async def run(terminal: AsyncTmuxTerminal) -> CommandResult:
        console = AsyncConsole(terminal, await terminal.open(SHELLS["bash"]))
        await console.run("true")
        return await console.run("seq 1 3000", all_output=True)

    async def work() -> list[CommandResult]:
        async with AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null", transport=transport
        ) as terminal:
            return await asyncio.gather(*(run(terminal) for _ in range(3)))

    for result in asyncio.run(work()):
        assert (result.output, result.complete) == (numbers(3000), True)


@pytest.mark.needs("bash")
def test_nothing_is_left_when_the_time_is_up(short: TmuxTerminal) -> None:
    """The pipe has been closed, and the command goes on."""
    console = shell(short, "bash")
    result = console.run("seq 1 3000; sleep 60", 1.0, all_output=True)
    assert result.readiness.outcome is Outcome.TIMEOUT
    assert not result.complete
    short.tap(console.pane).close()
    console.interrupt()
    assert console.run("seq 1 3000", all_output=True).complete
