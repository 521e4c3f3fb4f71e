"""Profiles of AI assistants, each made of its definition in `tmuxprim._readiness.assistants`."""

import attrs

from tmuxprim._profiles.answer import AnswerRows
from tmuxprim._profiles.profile import Profile
from tmuxprim._profiles.strategies import known_screens
from tmuxprim._readiness.assistants.assistant import Assistant
from tmuxprim._readiness.silence import TitleStrategy
from tmuxprim._readiness.snapshot import Outcome


def profile_of(assistant: Assistant) -> Profile:
    """Return the profile with which a session starts, asks and leaves an assistant."""
    # A session has started the program itself, whatever its name, and looks after the box.
    state = attrs.evolve(assistant.state, programs=(), half_typed=Outcome.PROMPT)
    return Profile(
        assistant.command[0],
        assistant.command,
        env=assistant.env,
        answered=known_screens(TitleStrategy((state,)), state),
        waiting={Outcome.PROMPT},
        rows=AnswerRows(
            asked=assistant.asked,
            box=state.box,
            skip=assistant.skip,
            margin=assistant.margin,
            failed=assistant.failed,
        ),
        page_up=assistant.page_up,
        page_end=assistant.page_end,
        paste=True,
        clear=assistant.clear,
        leave=assistant.leave,
        interrupt=(*state.interrupt, *assistant.end),
        max_columns=assistant.max_columns,
        start_timeout=30.0,
        answer_timeout=120.0,
        tried=assistant.tried,
    )
