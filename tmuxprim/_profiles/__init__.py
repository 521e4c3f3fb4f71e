"""Profiles, which describe programs, and the sessions that use them.

They are imported when somebody asks for one: a console that has no session does not pay for them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tmuxprim._profiles.profile import Profile
    from tmuxprim._profiles.session import AsyncSession, Session
else:  # type checkers would take a misspelt name for one that comes from here
    _HOMES = {"AsyncSession": "session", "Profile": "profile", "Session": "session"}

    def __getattr__(name: str) -> object:
        """Import what *name* needs."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


__all__ = ["AsyncSession", "Profile", "Session"]
