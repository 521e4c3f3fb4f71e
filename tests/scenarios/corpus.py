"""All scenarios: the corpus by which the default chain is judged."""

from tests.scenarios import shells
from tests.scenarios.model import Scenario

SCENARIOS: tuple[Scenario, ...] = (*shells.SCENARIOS,)
