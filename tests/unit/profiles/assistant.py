"""A fake assistant on the command line: a full-screen program that shows a box and answers."""

from collections.abc import Mapping

import attrs

from tmuxprim import Console, FakeTerminal, KeySequence, Outcome
from tmuxprim.profiles import AnswerRows, Profile, ScreenStrategy, known_screens
from tmuxprim.testing import FakeTty, Program, ReadKey, Run, ScriptedShell, Sleep

BUSY = "esc to stop"
DONE = "= done ="
FAILED = "! failed: "

PROFILE = Profile(
    "helper",
    ("helper",),
    ready=known_screens(ScreenStrategy(shows=r"^\| $|^\|$")),
    answered=known_screens(
        ScreenStrategy(shows=r"really\?", outcome=Outcome.AWAITING_INPUT),
        ScreenStrategy(shows=rf"^{DONE}\n\n*^\|$", hides=BUSY),
        ScreenStrategy(shows=r"^\|$", hides=BUSY, settled=5.0),
    ),
    rows=AnswerRows(
        asked="^> (.*)", box=r"^\|", skip=f"^{DONE}", margin="^  ", failed=rf"^  {FAILED}(.*)\Z"
    ),
    page_up=KeySequence.keys("PPage"),
    page_end=KeySequence.keys("End"),
    leave=(KeySequence.keys("C-p"), KeySequence.text("exit"), KeySequence.keys("Enter")),
    interrupt=(KeySequence.keys("C-c"),),
)


@attrs.frozen(kw_only=True)
class Assistant:
    """A program that answers questions on a screen of its own.

    Args:
        answers: What it says to a question; a text that ends with a question mark asks back.
        thinks: Seconds before the first line of an answer.
        lines_per_second: How fast it writes.
        asks: What it wants to know before anything else; empty for nothing.
        stays: Whether nothing but a signal ends it.
        dies_at: The question at which it fails.
        dies_on: The key at which it fails.
        gives_back: The question that it puts into its box again, as if it was interrupted.
    """

    answers: Mapping[str, str]
    thinks: float = 1.0
    pause: float = 0.1
    asks: str = ""
    stays: bool = False
    dies_at: str = ""
    dies_on: str = ""
    gives_back: str = ""

    def __call__(self, tty: FakeTty) -> Run:
        """Run as a program."""
        tty.write("\x1b[?1049h\x1b[H\x1b[2J")
        yield Sleep(0.5, raw=True)
        status = yield from _Run(self, tty).live()
        tty.write("\x1b[?1049l")
        return status


@attrs.define
class _Run:
    """What one run of it remembers."""

    made: Assistant
    tty: FakeTty
    said: list[str] = attrs.field(factory=lambda: ["a helper", ""])
    typed: str = ""
    hint: str = ""
    palette: str | None = None
    scrolled: int = 0

    def live(self) -> Run:
        """Read keys until it is left."""
        ends = {self.made.dies_on: 1} | ({} if self.made.stays else {"\x03": 130})
        if self.made.asks:
            self.tty.write(f"\x1b[H\x1b[2J{self.made.asks}")
            if (yield ReadKey()) != "y":
                return 1
        while True:
            self.draw()
            key = yield ReadKey()
            if key in ends:
                return ends[key]
            if key == "\r" and self.is_told_to_end():
                return 0
            if self.palette is not None:
                self.palette += key
            elif key == "\x10":
                self.palette = ""
            elif key == "\r":
                if self.typed == self.made.dies_at != "":
                    return 1
                yield from self.answer()
            else:
                self.edit(key)

    def is_told_to_end(self) -> bool:
        """Whether what is typed ends it."""
        return not self.made.stays and (self.palette == "exit" or self.typed == "/exit")

    def edit(self, key: str) -> None:
        """Take a key that is no Enter."""
        if key == "\x1b[5~":
            self.scrolled = min(self.scrolled + 5, max(len(self.said) - self.height, 0))
        elif key in ("\x1b[4~", "\x1b[F", "\x1bOF"):
            self.scrolled = 0
        elif key == "\x15":
            self.typed = ""
        else:
            self.typed += "\n" if key == "\n" else key

    def answer(self) -> Run:
        """Answer what was typed."""
        question, self.typed, self.hint = self.typed, "", BUSY
        self.said += [f"> {row}" for row in question.split("\n")] + [""]
        self.draw()
        yield Sleep(self.made.thinks, raw=True)
        if question == self.made.gives_back != "":
            self.said, self.typed, self.hint = self.said[:-2], question, ""
            return 0
        answer = self.made.answers.get(question, "I do not know.")
        for line in answer.split("\n"):
            self.said.append(f"  {line}")
            self.draw()
            yield Sleep(self.made.pause, raw=True)
        self.hint = ""
        if not answer.endswith("really?") and not answer.startswith(FAILED):
            self.said += [DONE, ""]
        return 0

    @property
    def height(self) -> int:
        """How many rows of the talk are shown."""
        return self.tty.rows - 2

    def draw(self) -> None:
        """Show the talk, the box and the hints."""
        end = max(len(self.said) - self.scrolled, 0)
        rows = self.said[max(end - self.height, 0) : end]
        box = f"| {self.typed}" if self.palette is None else f"exit the app: {self.palette}"
        hint = f"\x1b[{self.tty.rows};1H{self.hint}" if self.hint else ""
        first = self.typed.replace("\n", "~")
        box = f"| {first}" if self.palette is None else box
        place = f"\x1b[{self.tty.rows - 1};1H"
        self.tty.write("\x1b[H\x1b[2J" + "\n".join(rows) + hint + place + box)


def terminal_with(assistant: Program, **others: Program) -> FakeTerminal:
    """Return a terminal whose shell can start the assistant, and other programs."""
    return FakeTerminal(programs={"sh": ScriptedShell({"helper": assistant, **others})})


LONG = "\n".join(f"line {number}" for number in range(60))
ANSWERS = {
    "hi": "Hello.",
    "poem": "roses\n\nviolets",
    "long": LONG,
    "same": "\n".join(["the same"] * 60),
    "delete": "really?",
    "y": "Deleted.",
    "two\nlines": "I see two.",
    "fail": f"{FAILED}no model",
    "quote": f"{FAILED}no model\nit said",
}
HELPER = Assistant(answers=ANSWERS)


def console_with(assistant: Assistant) -> Console:
    """Return a console on a shell that can start the assistant."""
    terminal = terminal_with(assistant)
    return Console(terminal, terminal.open())
