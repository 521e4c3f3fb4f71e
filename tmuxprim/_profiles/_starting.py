"""What is typed to start a program, what is replied to it, and why it did not start."""

import shlex

from tmuxprim._profiles._profile import Profile, Reply
from tmuxprim._program_errors import ProgramStartError
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._refusals import NOTHING
from tmuxprim._screen import Screen


def command_line(profile: Profile) -> str:
    """Return what starts the program, to be typed into a shell."""
    variables = [f"{name}={shlex.quote(value)}" for name, value in profile.env]
    # A variable set by `env` is set whatever the shell is.
    return " ".join([*(("env", *variables) if variables else ()), shlex.join(profile.command)])


def reply_to(readiness: Readiness, replies: tuple[Reply, ...]) -> Reply | None:
    """Return the reply to what the program asks, if there is one."""
    if readiness.outcome is not Outcome.AWAITING_INPUT:
        return None
    return next((one for one in replies if one[0].search(readiness.screen.text)), None)


def check_size(profile: Profile, screen: Screen) -> None:
    """Refuse a pane in which the program shows what its profile does not know.

    Raises:
        ProgramStartError: If it is too wide.
    """
    most, columns = profile.max_columns, screen.size.columns
    if most is not None and columns > most:
        raise ProgramStartError(
            f"{NOTHING}: the profile of {profile.name} is for panes of up to {most} columns, got "
            f"{columns}; open one with size=Size({most}, {screen.size.rows})"
        )


def not_started(profile: Profile, readiness: Readiness, *, still_there: bool) -> ProgramStartError:
    """Return the error that says why it did not start, and what to do."""
    advice = ""
    if readiness.outcome in {Outcome.AWAITING_INPUT, Outcome.AWAITING_SECRET}:
        advice = "; it asks something: answer it by hand once, or give the profile replies"
    if still_there:
        advice += "; it is still in the pane, since it could not be interrupted"
    return ProgramStartError(
        f"{profile.name} did not start: {readiness.reason}{advice}", readiness.screen.text
    )
