"""Drives an interactive installer: answers its questions, retries its download, reports.

Nothing here knows whether the terminal is tmux or a fake.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, TypeAlias

from tmuxprim import (
    Console,
    Mark,
    Outcome,
    PaneDeadError,
    PaneNotFoundError,
    Readiness,
    TmuxprimError,
    default_chain,
)
from tmuxprim.readiness import Busy, ExitStrategy, Pass, Ready, Snapshot, Strategy, Verdict

COMMAND: Final = "bash install.sh"

_RETRY: Final = "Retry? [y/n]"
_BAR: Final = re.compile(r"\[[# ]+\] (\d+%)")
_PREVIEW: Final = 0.25  # seconds between two snapshots at the bar; no person reads faster
_INSTALLED: Final = re.compile(r"^Installed in (.+)$", re.MULTILINE)

Report: TypeAlias = Callable[[str], object]
"""Is told each question before it is answered, and each step of a download, such as ``40%``."""


class InstallerError(Exception):
    """The program is not installed."""


class UnexpectedQuestionError(InstallerError):
    """The installer asked a question without a known answer, or refused the answer."""


class GaveUpError(InstallerError):
    """The download failed each time."""


class NotInstalledError(InstallerError):
    """The installer ended without having installed."""


class TimedOutError(InstallerError):
    """The installer neither asked nor showed anything new for too long."""


class PaneGoneError(InstallerError):
    """The pane was closed, or its shell or its server ended."""


@dataclass(frozen=True)
class Answers:
    """What the installer is told; an empty path is the one that it proposes."""

    password: str = field(repr=False)
    _: KW_ONLY
    path: str = ""
    components: int = 1
    licence: bool = True

    def script(self) -> dict[str, str]:
        """Return how each question begins, and its answer."""
        return {
            "Do you accept the licence?": "y" if self.licence else "n",
            "Install path": self.path,
            "Password": self.password,
            "Components": str(self.components),
        }


@dataclass(frozen=True, kw_only=True)
class Installation:
    """What was installed: where, after how many downloads, and all that was shown."""

    path: str
    attempts: int
    transcript: str


@dataclass(frozen=True)
class DownloadStrategy(Strategy):
    """Ends a wait when the download bar at the cursor shows something else than was told."""

    told: str

    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say MATCHED for news, and busy else: ``40%`` has the look of a shell's prompt."""
        bar = _BAR.match(snapshot.screen.cursor_line)
        if bar is None:
            return Pass("there is no download bar at the cursor", _PREVIEW)
        if bar[1] == self.told:
            return Busy(f"the download is still at {bar[1]}", _PREVIEW)
        return Ready(Outcome.MATCHED, f"the download is at {bar[1]}")


@dataclass(frozen=True)
class Installer:
    """Runs the installer in a pane whose shell is at its prompt.

    Args:
        console: The pane.
        attempts: How often the download is tried, at most.
        pause: Seconds before it is tried again.
        patience: Seconds without anything new after which the installer counts as stuck.
        report: Is told what happens.
    """

    console: Console
    _: KW_ONLY
    attempts: int = 3
    pause: float = 30.0
    patience: float = 60.0
    report: Report = lambda _: None

    def install(self, answers: Answers) -> Installation:
        """Install, and return what was installed.

        Raises:
            InstallerError: If it was not. The installer has been ended by then.
            TmuxprimError: If nothing can be sent, as while somebody scrolls in the pane.
        """
        try:
            start = self.console.send(COMMAND)
            attempts = self._answer_all(answers.script(), start)
            transcript = self._shown_since(start)
        except (PaneNotFoundError, PaneDeadError) as error:
            raise PaneGoneError(f"the pane of the installer has gone: {error}") from error
        installed = _INSTALLED.search(transcript)
        if installed is None:
            last = transcript.rpartition("\n")[2]
            raise NotInstalledError(f"the installer has ended, and said last: {last!r}")
        return Installation(path=installed[1], attempts=attempts, transcript=transcript)

    def _answer_all(self, script: dict[str, str], start: Mark) -> int:
        """Answer until the shell is back, and return how often the download was tried."""
        attempt = 1
        while not _is_back(readiness := self._wait(), start):
            question = readiness.screen.line_before_cursor.strip()
            self.report(question)
            if question == _RETRY:
                if attempt == self.attempts:
                    self._end()
                    raise GaveUpError(f"the download failed {attempt} times")
                self.console.terminal.clock.sleep(self.pause)
                self.console.send("y")
                attempt += 1
                continue
            beginning = next((text for text in script if question.startswith(text)), None)
            if beginning is None:
                self._end()
                raise UnexpectedQuestionError(f"no answer is known, or none left, to {question!r}")
            self.console.send(script.pop(beginning))
        return attempt

    def _wait(self) -> Readiness:
        """Wait for the next question or the prompt, and report how the download goes."""
        told = ""
        while True:
            strategy = ExitStrategy() | DownloadStrategy(told) | default_chain()
            readiness = self.console.wait_ready(self.patience, strategy=strategy)
            if readiness.outcome is Outcome.EXITED:
                raise PaneGoneError(f"the pane of the installer has gone: {readiness.reason}")
            if readiness.outcome is Outcome.TIMEOUT:
                self._end()
                raise TimedOutError(f"nothing new in {self.patience:g} s: {readiness}")
            bar = _BAR.match(readiness.screen.cursor_line)
            if readiness.outcome is not Outcome.MATCHED or bar is None:
                return readiness
            told = bar[1]
            self.report(told)

    def _end(self) -> None:
        """Give the pane back to its shell, if that can be done."""
        with suppress(TmuxprimError):  # what went wrong before is what there is to tell
            self.console.keys("C-c")
            self.console.wait_ready()

    def _shown_since(self, start: Mark) -> str:
        """Return what stands between the command line and the prompt, wrapped rows joined."""
        return self.console.read(since=start).rpartition("\n")[0].rstrip("\n")


def _is_back(readiness: Readiness, start: Mark) -> bool:
    """Whether that is the prompt from before: the installer's ``Number> `` looks like one."""
    prompt = start.prompt.text if start.prompt else ""
    is_prompt = readiness.outcome is Outcome.PROMPT
    return is_prompt and readiness.screen.line_before_cursor.endswith(prompt)
