"""What `install.sh` shows and asks, as a program for a `FakeTerminal`."""

import itertools
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

from tmuxprim.testing import FakeTty, Killed, Program, ReadLine, Request, Run, Sleep

T = TypeVar("T")
Part = Generator[Request, str, T]
"""A part of a program, with a result of its own."""

_KILL = 9


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """The trouble that the installer has, the real one or the fake."""

    failures: int = 0
    crashes: bool = False
    stalls: bool = False
    hangs: bool = False
    asks_more: bool = False

    def as_env(self) -> dict[str, str]:
        """Return the environment that tells `install.sh`."""
        return {f"INSTALL_{name.upper()}": str(int(on)) for name, on in vars(self).items() if on}


def fake_installer(trouble: Trouble) -> Program:
    """Return an installer that has this trouble."""

    def run(tty: FakeTty) -> Run:
        if (yield ReadLine(prompt="Do you accept the licence? [y/N] ")) not in {"y", "Y"}:
            tty.write("Licence declined.\n")
            return 1
        if trouble.hangs:
            yield Sleep(1000.0)
        path = yield ReadLine(prompt="Install path [/opt/tool]: ")
        yield from _ask_password(tty)
        if trouble.asks_more:
            yield ReadLine(prompt="Usage data (y/n)> ")
        yield from _ask_components(tty)
        for attempt in itertools.count(1):
            if (yield from _download(tty, trouble, attempt)):
                break
            if (yield ReadLine(prompt="Retry? [y/n] ")) != "y":
                tty.write("Nothing was installed.\n")
                return 1
        tty.write(f"Installed in {path or '/opt/tool'}\n")
        return 0

    return run


def _ask(tty: FakeTty, question: ReadLine, objection: Callable[[str], str]) -> Part[str]:
    """Ask until there is nothing to object to the answer."""
    while True:
        answer = yield question
        tty.write("" if question.echo else "\n")
        if not (said := objection(answer)):
            return answer
        tty.write(f"{said}\n")


def _ask_password(tty: FakeTty) -> Part[str]:
    question = ReadLine(echo=False, prompt="Password (8 characters or more): ")
    return _ask(tty, question, lambda line: "" if len(line) >= 8 else "Too short.")


def _ask_components(tty: FakeTty) -> Part[str]:
    question = ReadLine(prompt="Components (1 core, 2 full, 3 source): ")
    return _ask(tty, question, lambda line: "" if line in "123" else f"There is no '{line}'.")


def _download(tty: FakeTty, trouble: Trouble, attempt: int) -> Part[bool]:
    """Draw a bar for ten seconds, and return whether it got to its end."""
    for percent in range(0, 100, 10):
        _draw_bar(tty, percent)
        yield Sleep(1.0)
        if percent == 50 and trouble.stalls:
            yield Sleep(1000.0)
        if percent == 50 and trouble.crashes:
            raise Killed(_KILL)
        if percent == 60 and attempt <= trouble.failures:
            tty.write("\nDownload failed: connection reset\n")
            return False
    _draw_bar(tty, 100)
    tty.write("\n")
    return True


def _draw_bar(tty: FakeTty, percent: int) -> None:
    tty.write(f"\r[{'#' * (percent // 10):10}] {percent}%")
