"""All scenarios: the corpus by which the default chain is judged."""

from tests.scenarios import (
    busy,
    fullscreen,
    git,
    prompts,
    questions,
    remote,
    repls,
    secrets,
    shells,
)
from tests.scenarios.model import Scenario

SCENARIOS: tuple[Scenario, ...] = (
    *shells.SCENARIOS,
    *prompts.SCENARIOS,
    *busy.SCENARIOS,
    *repls.SCENARIOS,
    *questions.SCENARIOS,
    *secrets.SCENARIOS,
    *fullscreen.SCENARIOS,
    *git.SCENARIOS,
    *remote.SCENARIOS,
)
