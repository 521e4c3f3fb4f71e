"""The modules that users import from."""

from types import ModuleType
from typing import Final

import tmuxprim
import tmuxprim.adapters
import tmuxprim.errors
import tmuxprim.mcp
import tmuxprim.profiles
import tmuxprim.readiness
import tmuxprim.testing
import tmuxprim.tool

PUBLIC_MODULES: Final[tuple[ModuleType, ...]] = (
    tmuxprim,
    tmuxprim.adapters,
    tmuxprim.errors,
    tmuxprim.mcp,
    tmuxprim.profiles,
    tmuxprim.readiness,
    tmuxprim.testing,
    tmuxprim.tool,
)
