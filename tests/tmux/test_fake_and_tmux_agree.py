"""The same steps by chance on the fake and on real tmux give the same answers and exceptions.

In the suite the steps are always the same. For as many others as you like::

    TMUXPRIM_EXAMPLES=500 .venv/bin/pytest tests/tmux/test_fake_and_tmux_agree.py

and with ``--hypothesis-seed=1`` the same ones again.
"""

import re
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.examples import BY_CHANCE, examples
from tests.seen import Known, differences
from tests.twin_shell import COMMANDS
from tests.twins import FakeSide, Ran, RealSide, Side, answer
from tmuxprim import KeySequence, Outcome, Size
from tmuxprim._tmux.choice import TransportName

T = TypeVar("T")

SIZES = (Size(40, 6), Size(80, 24), Size(24, 9), Size(13, 5))
TOO_LONG = "x" * 4096
TYPED = ("true", "ab cd", "日é", "a🙂b", "𝄞𝄞", "x" * 12, "", TOO_LONG)
PASTED = ("one\ntwo", "y\r\n", "ab🙂", "日é", "\n", "x" * 12)
KEYS = (
    *("a BSpace", "C-u", "C-c", "Left b", "C-a x C-k", "Left Left DC", "Home y End z"),
    *("Enter", "C-l", "C-d", "x Enter"),
)
PATTERNS = ("100", "abc", re.compile("Continue.*$"), re.compile(r"\d+0$"))
TRANSPORTS: tuple[TransportName, ...] = ("subprocess", "control")
NAMES = (None, None, "a", "b", "keeper", "no good")
# The longest the fake and then tmux are waited for; where the fake waits in vain, so does tmux.
WAIT, REAL_WAIT = 0.8, 8.0

numbers = st.integers(0, 2)
OTHERS = ("ask", "ask-secret", "sleep 0.2", "sleep 600", "fullscreen on", "fullscreen off")
lines = st.sampled_from(COMMANDS) | st.sampled_from([*OTHERS, "exit", "y", "", "no such"])


class FakeAndTmux(RuleBasedStateMachine):
    """Does everything twice."""

    fake: FakeSide
    real: RealSide
    remains = False

    def teardown(self) -> None:
        """Leave nothing behind."""
        if hasattr(self, "real"):  # Hypothesis may give up before the first step
            self.real.stop()

    @property
    def count(self) -> int:
        """How many panes were opened, but for the keeper."""
        return len(self.fake.consoles) - 1

    def twice(self, act: Callable[[Side], T]) -> object:
        """Do it on both sides and demand the same answer."""
        faked = answer(lambda: act(self.fake))
        real = answer(lambda: act(self.real))
        assert faked == real, f"{faked!r} != {real!r}"
        return faked

    def look_alike(self, number: int) -> None:
        """Demand that a pane comes to look the same on both sides."""
        faked = self.fake.settled(number)
        real = self.real.settled(number, faked)
        assert faked == real, differences(faked, real)

    def agree(self, number: int) -> None:
        """Demand that a pane comes to look the same on both sides, and that the same are left."""
        self.look_alike(number)
        assert self.fake.numbers() == self.real.numbers()

    def waited(self, act: Callable[[Side, float], Outcome | Ran]) -> None:
        """Wait on both sides, tmux with more patience, and demand that it ends the same way."""
        faked = answer(lambda: act(self.fake, WAIT))
        outcome = faked.outcome if isinstance(faked, Ran) else faked
        in_vain = outcome is Outcome.TIMEOUT or not isinstance(outcome, Outcome)
        real = answer(lambda: act(self.real, WAIT if in_vain else REAL_WAIT))
        assert faked == real, f"{faked!r} != {real!r}"

    def can_be_resized(self, number: int) -> bool:
        """Whether it is only up to tmux what a resize does: readline draws long lines again."""
        seen = self.fake.snapshot(number)
        if isinstance(seen.shown, type) or isinstance(seen.known, type) or not seen.known:
            return True
        screen = self.fake.terminal.observe(self.fake.pane(number), history=1)
        row, line = len(screen.history) + screen.cursor.row, screen.before_cursor
        is_short = line.startswith("$ ") and len(line) < SIZES[-1].columns
        # What was erased it blanks, and from a full row above it takes that its line goes on.
        is_clean = screen.layout.blanks[row] <= len(line) - len(line.rstrip())
        is_clean = is_clean and screen.layout.line_start(row) == row
        return not seen.known.edits or (is_short and is_clean)

    @initialize(size=st.sampled_from(SIZES), transport=st.sampled_from(TRANSPORTS))
    def begin(self, size: Size, transport: TransportName) -> None:
        """Make both sides; tmux is talked to in one way or the other."""
        self.fake, self.real = FakeSide(), RealSide(transport)
        self.start(size)

    def start(self, size: Size) -> None:
        """Open the pane that the server stays with, and another."""
        self.twice(lambda side: side.open(Size(80, 24), "keeper"))
        self.open(size, None)

    @precondition(lambda self: self.count < 4)
    @rule(size=st.sampled_from(SIZES), name=st.sampled_from(NAMES))
    def open(self, size: Size, name: str | None) -> None:
        """Open another pane, perhaps by a name that is taken, or is none."""
        self.twice(lambda side: side.open(size, name))
        self.agree(self.count)

    @rule(number=numbers, text=lines)
    def send(self, number: int, text: str) -> None:
        """Type a line into a pane that is there, or has gone."""
        number %= self.count + 1
        self.twice(lambda side: bool(side.consoles[number].send(text)))
        self.waited(lambda side, limit: side.wait_ready(number, limit))
        self.agree(number)

    @rule(number=numbers, text=st.sampled_from(TYPED))
    def type(self, number: int, text: str) -> None:
        """Type a text without Enter, or more than the kernel keeps of a line."""
        number %= self.count + 1
        known = self.fake.snapshot(number).known
        if text == TOO_LONG and not (isinstance(known, Known) and known.canonical):
            return  # a line editor takes it, and fills the screen
        self.twice(lambda side: bool(side.consoles[number].send(text, enter=False)))
        self.agree(number)

    @rule(
        number=numbers,
        command=st.sampled_from(["ask", "ask-secret", "sleep 600", "true"]),
        text=st.sampled_from(PASTED),
    )
    def paste(self, number: int, command: str, text: str) -> None:
        """Paste: the kernel collects lines from it, bash, which asks for marks, edits it."""
        number %= self.count + 1
        self.twice(lambda side: bool(side.consoles[number].send(command)))
        self.agree(number)
        self.twice(lambda side: side.send(number, KeySequence.paste(text)))
        self.agree(number)

    @rule(number=numbers, key=st.sampled_from(KEYS))
    def press(self, number: int, key: str) -> None:
        """Press keys."""
        number %= self.count + 1
        if self.remains and key == "C-d":
            key = "C-k"  # leaving like this, bash writes a farewell
        self.twice(lambda side: bool(side.consoles[number].keys(KeySequence.parse(key))))
        self.agree(number)

    @rule(number=numbers)
    def wait_ready(self, number: int) -> None:
        """Wait, though perhaps nothing was done."""
        number %= self.count + 1
        self.waited(lambda side, limit: side.wait_ready(number, limit))

    @rule(number=numbers, pattern=st.sampled_from(PATTERNS))
    def wait_for(self, number: int, pattern: str | re.Pattern[str]) -> None:
        """Wait for a text that comes or not."""
        number %= self.count + 1
        self.twice(lambda side: side.consoles[number].wait_for(pattern, 0.2).outcome)

    @rule(number=numbers, command=st.sampled_from([*COMMANDS, "ask", "true\nseq 1 100"]))
    def run(self, number: int, command: str) -> None:
        """Run a command, if the pane takes one."""
        number %= self.count + 1
        self.waited(lambda side, limit: side.run(number, command, limit))
        self.agree(number)

    @rule(number=numbers, history=st.sampled_from([0, 3, 500, -1]))
    def snapshot(self, number: int, history: int) -> None:
        """Look and read, with some history or less than none."""
        number %= self.count + 1
        self.twice(lambda side: side.observe(number, history))
        self.twice(lambda side: side.read(number, history))

    @rule(
        command=st.sampled_from(["", "  ", [], [""]]),
        name=st.sampled_from(["a", "b", "keep", "keeper:0.0", "a:7", "%77", "0", "1"]),
    )
    def name_things(self, command: str | list[str], name: str) -> None:
        """Open a command that names no program, and look a pane up by a name."""
        self.twice(lambda side: side.terminal.open(command))
        self.twice(lambda side: side.resolve(name))

    @rule(number=numbers, size=st.sampled_from(SIZES))
    def resize(self, number: int, size: Size) -> None:
        """Change the size of a pane."""
        number %= self.count + 1
        if not self.can_be_resized(number):
            return
        self.twice(lambda side: side.terminal.resize(side.pane(number), size))
        self.agree(number)

    @rule(number=numbers)
    def copy_mode(self, number: int) -> None:
        """Enter copy mode: nothing is typed until it is left."""
        number %= self.count + 1
        if isinstance(self.fake.snapshot(number).shown, type):
            return
        self.twice(lambda side: side.set_mode(side.pane(number), on=True))
        self.agree(number)

    @rule(number=numbers, keys=st.sampled_from(["", "a"]))
    def leave_mode(self, number: int, keys: str) -> None:
        """Type into a pane that may be in copy mode, which is left."""
        number %= self.count + 1
        sequence = KeySequence.text(keys)
        self.twice(lambda side: side.send(number, sequence, leave_mode=True))
        self.agree(number)

    @rule(number=numbers, on=st.booleans())
    def switch_input(self, number: int, *, on: bool) -> None:
        """Switch the input of a pane off or on."""
        number %= self.count + 1
        if isinstance(self.fake.snapshot(number).shown, type):
            return
        self.twice(lambda side: side.set_input(side.pane(number), on=on))
        self.agree(number)

    @rule(number=numbers)
    def share_input(self, number: int) -> None:
        """Type into a pane while another one is to get the same."""
        number %= self.count + 1
        if isinstance(self.fake.snapshot(number).shown, type) or not self.can_be_resized(number):
            return
        self.twice(lambda side: side.share_input(side.pane(number), on=True))
        self.look_alike(number)
        keys = KeySequence.text("true")
        self.twice(lambda side: side.send(number, keys))
        self.twice(lambda side: side.send(number, keys, leave_mode=True))
        self.twice(lambda side: side.share_input(side.pane(number), on=False))
        self.agree(number)

    @rule(on=st.booleans())
    def remain_on_exit(self, *, on: bool) -> None:
        """Let dead panes stay, or not."""
        self.remains = on
        self.twice(lambda side: side.set_remain(on=on))

    @rule(number=numbers)
    def close_all(self, number: int) -> None:
        """Close all panes, and with them the server; another one is started."""
        number %= self.count + 1
        self.twice(Side.close_all)
        self.twice(lambda side: side.observe(number, 0))
        self.twice(lambda side: bool(side.consoles[number].send("true")))
        self.twice(lambda side: side.resolve("keeper"))
        for side in (self.fake, self.real):
            side.consoles.clear()
        self.start(Size(80, 24))
        self.remain_on_exit(on=False)  # what the new server begins with

    @rule(number=numbers)
    def close(self, number: int) -> None:
        """Close a pane, perhaps for the second time."""
        number %= self.count + 1
        if number == 0:
            return
        self.twice(lambda side: side.terminal.close(side.pane(number)))
        self.agree(number)


TestFakeAndTmux = pytest.mark.tmux(pytest.mark.needs("bash")(FakeAndTmux.TestCase))
TestFakeAndTmux.settings = settings(
    max_examples=examples(25),
    stateful_step_count=20,
    database=None,
    phases=[Phase.generate, *([Phase.shrink] if BY_CHANCE else [])],
    suppress_health_check=[HealthCheck.too_slow],
)
