"""The recipes of the page on frameworks, as a reader copies them."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

_PAGE: Final = Path(__file__).parents[2] / "docs" / "guides" / "frameworks.md"
_RECIPE: Final = re.compile(r"^## (.+?)$(?:(?!^## )[\s\S])*?^```py\n([\s\S]+?)^```$", re.MULTILINE)


def recipes() -> dict[str, str]:
    """Return the code of each recipe, by the heading that it is below."""
    return dict(_RECIPE.findall(_PAGE.read_text(encoding="utf-8")))


def recipe(heading: str) -> Any:
    """Return the names that the page's recipe of a heading defines."""
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(recipes()[heading], str(_PAGE), "exec"), names)  # noqa: S102  # ours
    return SimpleNamespace(**names)
