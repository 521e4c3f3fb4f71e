"""What a scenario is: a program, what is typed into it, and what is true when.

Scenarios are data. The tests play them on real tmux (`tests.scenarios.play`), the benchmark
plays them with other designs as well.
"""

from collections.abc import Mapping

import attrs

from tmuxprim import Outcome

PROMPT = Outcome.PROMPT
MORE = Outcome.CONTINUATION
QUESTION = Outcome.AWAITING_INPUT
SECRET = Outcome.AWAITING_SECRET
FULLSCREEN = Outcome.FULLSCREEN
STABLE = Outcome.STABLE
EXITED = Outcome.EXITED
TIMEOUT = Outcome.TIMEOUT


@attrs.frozen(kw_only=True)
class Program:
    """Is what runs in the pane.

    Args:
        command: Its words.
        env: What it finds in its environment besides that of all scenarios.
        needs: The commands that have to be installed; the first word of *command* if empty.
        first: What the first wait, right after it was opened, has to find.
        leaves: A file that its start-up makes as its last act; it lies in the scenario's directory.
        replwrap: The function of `pexpect.replwrap` that starts it; none if empty.
    """

    command: tuple[str, ...]
    env: Mapping[str, str] = attrs.field(factory=dict)
    needs: tuple[str, ...] = ()
    first: Outcome = PROMPT
    leaves: str = ""
    replwrap: str = ""


@attrs.frozen(kw_only=True)
class Turn:
    """Is one thing to do, and what has to come of it.

    Args:
        text: What is typed, followed by Enter; None to press *keys* instead.
        keys: Names of keys, pressed without Enter.
        outcomes: What may come of it. If TIMEOUT is the only one, the program must still be
            busy after *timeout* seconds.
        lasts: Seconds for which the program is certainly busy.
        leaves: A file that the program makes as its last act; it lies in the scenario's directory.
        shows: Regular expression that has to be found on the screen by then.
        timeout: Longest wait, in seconds.
        draws_again: Whether a prompt that takes input is drawn once more, later, by itself.
    """

    text: str | None = None
    keys: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = (PROMPT,)
    lasts: float = 0.0
    leaves: str = ""
    shows: str = ""
    timeout: float = 15.0
    draws_again: bool = False


def types(
    text: str,
    *outcomes: Outcome,
    lasts: float = 0.0,
    leaves: str = "",
    shows: str = "",
    timeout: float = 15.0,
) -> Turn:
    """Return a turn in which *text* and Enter are typed; without *outcomes* a prompt must come."""
    return Turn(
        text=text,
        outcomes=outcomes or (PROMPT,),
        lasts=lasts,
        leaves=leaves,
        shows=shows,
        timeout=timeout,
    )


def presses(
    keys: str, *outcomes: Outcome, lasts: float = 0.0, shows: str = "", timeout: float = 15.0
) -> Turn:
    """Return a turn in which *keys*, names split on white space, are pressed."""
    return Turn(
        keys=tuple(keys.split()),
        outcomes=outcomes or (PROMPT,),
        lasts=lasts,
        shows=shows,
        timeout=timeout,
    )


@attrs.frozen(kw_only=True)
class Scenario:
    """A small conversation with a program.

    Args:
        name: How it is called in tests and tables.
        program: What runs in the pane; its directory, also its home, is the scenario's own.
        turns: What is done, one after another. The benchmark measures the last one.
        prepare: A bash script that is run in the directory before, outside of the pane.
        finish: One that is run afterwards, to end what *prepare* started.
        needs: The commands that have to be installed besides the program's own.
        by_screen: Whether somebody who sees only the screen can tell what is asked for. Then
            the chain has to be right without the kernel's evidence, too.
        by_place: Whether only that tells it where in its program a shell reads, or for what and how
            long an event loop waits. Without the right to attach to it the chain may then be wrong
            about what is asked for, but not early.
        by_call: Whether only the system call tells that it goes on: it is played with nothing less.
        by_tty: Whether only its terminal tells that it goes on: the program shows its own prompt.
            It is not played where the terminal is another machine's.
    """

    name: str
    program: Program
    turns: tuple[Turn, ...]
    prepare: str = ""
    finish: str = ""
    needs: tuple[str, ...] = ()
    by_screen: bool = False
    by_place: bool = False
    by_call: bool = False
    by_tty: bool = False

    @property
    def all_needs(self) -> tuple[str, ...]:
        """Every command that has to be installed."""
        return (*(self.program.needs or self.program.command[:1]), *self.needs)
