"""What is typed to start a program, what is replied to it, and why it did not start."""

import shlex

from tmuxprim._errors import PaneBusyError
from tmuxprim._profiles._fields import Field, Reply
from tmuxprim._profiles._profile import Profile
from tmuxprim._program_errors import InvalidProfileError, ProgramStartError
from tmuxprim._readiness._look import Look
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._shell import has_shell
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


def check_profile(_dialogue: object, _field: Field, profile: object) -> None:
    """Refuse what is no profile, such as the name of one.

    Raises:
        InvalidProfileError: If it is something else.
    """
    if not isinstance(profile, Profile):
        raise InvalidProfileError(
            f"a session is with the program of a Profile, got {profile!r}; tmuxprim.profiles has "
            "PYTHON, SHELL and others"
        )


def check_shell(readiness: Readiness) -> None:
    """Refuse a prompt that is not a shell's, as far as that is known.

    Raises:
        PaneBusyError: If another program shows it, which would take the command for its own.
    """
    if has_shell(Look(screen=readiness.screen, tty=readiness.tty)) is False:
        raise PaneBusyError(
            f"{NOTHING}: a session is started at a shell's prompt, and this one is that of "
            f"'{readiness.screen.command}'; leave it first, or take another pane"
        )


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
