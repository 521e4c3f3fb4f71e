"""A tmux server in memory for the command line, and what a command left behind."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import attrs
from typing_extensions import override

from tmuxprim import AsyncTerminal, FakeTerminal, Terminal, TmuxprimError
from tmuxprim._cli.options import Options
from tmuxprim._cli.site import Site
from tmuxprim.testing import (
    AsyncFakeTerminal,
    Program,
    ScriptedShell,
    after,
    pager,
    password,
    question,
    repl,
)

SHELL = ScriptedShell(
    {
        "make": [after(2.0, "compiling 100%"), after(2.0, "done")],
        "ask": question("Continue? [y/N] ", lambda line: f"you said {line}"),
        "login": password("Password: ", lambda line: f"{len(line)} characters"),
        "less": pager("a\nb"),
        "ls": "a.txt\nb.txt",
        "many": "\n".join(f"line {number}" for number in range(1, 101)),
        "\u276f": "\u276f",
    }
)


@attrs.frozen
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def facts(self) -> dict[str, object]:
        """The one JSON object that it printed."""
        facts = json.loads(self.out)
        assert isinstance(facts, dict)
        assert facts["status"] == self.status
        return facts


def make_fake(*, evidence: bool = True, remain_on_exit: bool = False) -> FakeTerminal:
    """Return a fake terminal with the shell above, and ``cat``."""
    cat = question("", lambda line: line)
    programs: dict[str, Program] = {
        "sh": SHELL,
        "cat": cat,
        "bash": ScriptedShell(prompt="odd "),
        "zsh": ScriptedShell(prompt="~ $ main "),
        "two-rows": ScriptedShell({"ls": "a.txt"}, prompt="in ~\n$ ", bracketed_paste=False),
        "python": repl(lambda line: line),
        "asks": repl(lambda line: line, prompt="name: "),
    }
    return FakeTerminal(programs=programs, evidence=evidence, remain_on_exit=remain_on_exit)


class FakeSite(Site):
    """Plays the tmux server that the options name."""

    terminal: FakeTerminal

    def __init__(self) -> None:
        super().__init__(Options())
        self.terminal = make_fake()
        self.tried: Terminal = make_fake()
        self.version = "tmux 3.3a\n"
        self.trouble: TmuxprimError | None = None
        self.is_closed = False
        self.became: tuple[str, ...] = ()

    @override
    def ask(self, *words: str) -> str:
        """Return the version, or the path of its socket."""
        if self.trouble is not None:
            raise self.trouble
        return "/s\n" if "#{socket_path}" in words else self.version

    @override
    def become(self, *words: str) -> None:
        """Note the command that this process would be now."""
        self.became = words

    @override
    @contextmanager
    def trial(self) -> Iterator[Terminal]:
        """Give the terminal where things are tried."""
        yield self.tried

    @override
    @asynccontextmanager
    async def serving(self) -> AsyncIterator[AsyncTerminal]:
        """Give the terminal for asyncio."""
        yield AsyncFakeTerminal(self.terminal)

    @override
    def close(self) -> None:
        """Note that everything was given back."""
        self.is_closed = True
