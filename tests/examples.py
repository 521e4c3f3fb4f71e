"""How many examples Hypothesis takes, and which.

In the suite the same code always gets the same ones, so that a failure tells of the change and not
of chance. For others, and as many as you like of each law::

    TMUXPRIM_EXAMPLES=2000 python3 dev.py test tests/property
"""

import os
from typing import Final

from hypothesis import settings

_WANTED: Final = os.environ.get("TMUXPRIM_EXAMPLES")
BY_CHANCE: Final = _WANTED is not None


def examples(number: int) -> int:
    """Return how many examples to take where the suite takes so many."""
    return int(_WANTED or number)


def use_them() -> None:
    """Have all laws take them, with all the time that they need: a shared machine may halt."""
    profile = "tmuxprim"
    settings.register_profile(
        profile, max_examples=examples(100), derandomize=not BY_CHANCE, deadline=None
    )
    settings.load_profile(profile)
