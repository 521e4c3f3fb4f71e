"""The results as a table, for a terminal or in Markdown, and as JSON."""

import json
import statistics
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from benchmarks.readiness.cost import Cost
from benchmarks.readiness.designs import OURS
from benchmarks.readiness.judge import Verdict
from benchmarks.readiness.picture import Row, draw
from benchmarks.readiness.trial import Trial
from tmuxprim import Outcome

_ORDER: Final = tuple(Verdict)
_FAILURES: Final = (Verdict.EARLY, Verdict.MISSED, Verdict.WRONG)
_OTHERS: Final = (Verdict.GUESS, Verdict.NOT_APPLICABLE)
_LATE, _P99, _CPU = "late, ms", "p99, ms", "CPU, %"
_ALWAYS: Final = ("right", "early", "missed", "wrong")
_FIGURES: Final = ("right", "guess", *_ALWAYS[1:], "n/a", _LATE, _P99, _CPU)


@attrs.frozen
class Report:
    """What came out of all trials.

    Args:
        trials: Their results, in the order in which they ran.
        costs: What waiting costs each design, as far as it was measured.
        conditions: What their figures depend on.
    """

    trials: Sequence[Trial]
    costs: Sequence[Cost]
    conditions: str

    @property
    def designs(self) -> tuple[str, ...]:
        """The designs, in the order in which they first came."""
        return tuple(dict.fromkeys(trial.design for trial in self.trials))

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The scenarios, in the order in which they first came."""
        return tuple(dict.fromkeys(trial.scenario for trial in self.trials))

    def table(self) -> list[list[str]]:
        """Return a row for each scenario and a cell for each design, with a head."""
        cells = (
            [scenario, *(self._cell(scenario, design) for design in self.designs)]
            for scenario in self.scenarios
        )
        return [["scenario", *self.designs], *cells]

    def summary(self) -> list[list[str]]:
        """Return a row for each design, and a head; what no design has is left out."""
        figures = {design: self._figures(design) for design in self.designs}
        there = {name for own in figures.values() for name in own if own[name] != "0"}
        names = [name for name in _FIGURES if name in {*_ALWAYS, *there}]
        rows = ([design, *(own.get(name, "") for name in names)] for design, own in figures.items())
        return [["", *names], *rows]

    def is_right(self, design: str) -> bool:
        """Whether *design* was right in every trial."""
        return all(self._worst(scenario, design) is Verdict.OK for scenario in self.scenarios)

    def oddities(self, design: str = OURS, *, later_than: float = 0.03) -> list[str]:
        """Return what *design* said in each trial that was not right, or late."""
        odd = []
        for trial in self.trials:
            is_fine = trial.verdict is Verdict.OK and (trial.late or 0.0) <= later_than
            if trial.design == design and not is_fine:
                after = "" if trial.late is None else f", {trial.late * 1000:.1f} ms late"
                head = f"{trial.scenario}: {trial.verdict.value}{after}"
                odd.append("\n    ".join((head, *trial.claim.detail.splitlines())))
        return odd

    def to_json(self) -> str:
        """Return all that was measured, each trial with what the design said."""
        return json.dumps(
            {
                "conditions": self.conditions,
                "tables": [self.summary()],
                "trials": [_as_dict(trial) for trial in self.trials],
                "costs": [_as_dict(cost) for cost in self.costs],
            },
            indent=1,
        )

    def to_svg(self) -> str:
        """Return a picture with a dot for each scenario and design."""
        rows = [
            Row(
                name=design,
                is_ours=design == OURS,
                right=self._counts(design)[Verdict.OK],
                late=[
                    statistics.median(late)
                    for scenario in self.scenarios
                    if self._worst(scenario, design) is Verdict.OK
                    and (late := _lateness(self._of(design, scenario)))
                ],
                failures={verdict.value: self._counts(design)[verdict] for verdict in _FAILURES},
                not_applicable=self._counts(design)[Verdict.NOT_APPLICABLE],
                cpu=next((cost.total for cost in self.costs if cost.design == design), None),
            )
            for design in self.designs
        ]
        return draw(rows, scenarios=len(self.scenarios), conditions=self.conditions)

    def _of(self, design: str, scenario: str) -> list[Trial]:
        return [t for t in self.trials if t.design == design and t.scenario == scenario]

    def _worst(self, scenario: str, design: str) -> Verdict:
        return max((t.verdict for t in self._of(design, scenario)), key=_ORDER.index)

    def _counts(self, design: str) -> dict[Verdict, int]:
        worst = [self._worst(scenario, design) for scenario in self.scenarios]
        return {verdict: worst.count(verdict) for verdict in Verdict}

    def _cell(self, scenario: str, design: str) -> str:
        trials = self._of(design, scenario)
        worst = self._worst(scenario, design)
        if worst is Verdict.OK:
            late = _lateness(trials)
            return f"ok {_ms(statistics.median(late))}" if late else "ok"
        times = sum(trial.verdict is worst for trial in trials)
        return worst.value if times == len(trials) else f"{worst.value} {times}/{len(trials)}"

    def _figures(self, design: str) -> dict[str, str]:
        """Return the summary of one design, by the names of the figures."""
        counts = self._counts(design)
        own = [trial for trial in self.trials if trial.design == design]
        late = _lateness(trial for trial in own if trial.wanted[0] == Outcome.PROMPT.value)
        cost = next((cost for cost in self.costs if cost.design == design), None)
        return {
            "right": str(counts[Verdict.OK]),
            **{verdict.value.lower(): str(counts[verdict]) for verdict in (*_FAILURES, *_OTHERS)},
            **({_LATE: _ms(statistics.median(late)), _P99: _ms(_p99(late))} if late else {}),
            **({_CPU: _share(cost)} if cost else {}),
        }


def _share(cost: Cost) -> str:
    return f"{cost.total:.2f}" + (f" in {cost.waits} waits" if cost.waits > 1 else "")


def _lateness(trials: Iterable[Trial]) -> list[float]:
    return [trial.late for trial in trials if trial.late is not None]


def _ms(seconds: float) -> str:
    # A tenth of a millisecond means nothing on what takes hundreds of them.
    return f"{seconds * 1000:.{0 if seconds >= 0.1 else 1}f}"


def _p99(values: Sequence[float]) -> float:
    """Return the 99th percentile; with fewer than a hundred values that is the largest."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]


def _as_dict(value: Trial | Cost) -> dict[str, object]:
    return attrs.asdict(value, value_serializer=lambda _, __, part: _plain(part))


def _plain(value: object) -> object:
    return value.value if isinstance(value, Verdict) else value
