"""The results as a table, for a terminal or in Markdown, and as JSON."""

import json
import statistics
from collections.abc import Iterable, Sequence

import attrs

from benchmarks.readiness.designs import OURS
from benchmarks.readiness.trial import Trial, Verdict

# Tells the time of send and wait alone: the command takes none.
_YARDSTICK = "echo hi"
_ORDER = tuple(Verdict)


@attrs.frozen
class Report:
    """Is what came out of all trials.

    Args:
        trials: Their results, in the order in which they ran.
        conditions: What their figures depend on.
    """

    trials: Sequence[Trial]
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
        """Return a row for each figure and a cell for each design, with a head."""
        columns = [self._figures(design) for design in self.designs]
        cells = ([name, *(column[name] for column in columns)] for name in columns[0])
        return [["", *self.designs], *cells]

    def is_right(self, design: str) -> bool:
        """Whether *design* was right in every trial."""
        return all(self._worst(scenario, design) is Verdict.OK for scenario in self.scenarios)

    def oddities(self, design: str = OURS, *, later_than: float = 0.03) -> list[str]:
        """Return what *design* said in each trial that was not right, or late."""
        odd = []
        for trial in self.trials:
            late = trial.late is None or trial.late > later_than
            if trial.design == design and late and trial.verdict is not Verdict.NOT_APPLICABLE:
                after = "" if trial.late is None else f", {trial.late * 1000:.1f} ms late"
                head = f"{trial.scenario}: {trial.verdict.value}{after}"
                odd.append("\n    ".join((head, *trial.claim.detail.splitlines())))
        return odd

    def to_json(self) -> str:
        """Return all trials, each with what the design said."""
        values = [
            attrs.asdict(trial, value_serializer=lambda _, __, value: _plain(value))
            for trial in self.trials
        ]
        return json.dumps(values, indent=1)

    def _of(self, design: str, scenario: str) -> list[Trial]:
        return [t for t in self.trials if t.design == design and t.scenario == scenario]

    def _worst(self, scenario: str, design: str) -> Verdict:
        return max((t.verdict for t in self._of(design, scenario)), key=_ORDER.index)

    def _cell(self, scenario: str, design: str) -> str:
        trials = self._of(design, scenario)
        worst = self._worst(scenario, design)
        if worst is Verdict.OK:
            return f"ok {_ms(statistics.median(_lateness(trials)))}"
        times = sum(trial.verdict is worst for trial in trials)
        return worst.value if times == len(trials) else f"{worst.value} {times}/{len(trials)}"

    def _figures(self, design: str) -> dict[str, str]:
        """Return the summary of one design, by the names of the figures."""
        worst = [self._worst(scenario, design) for scenario in self.scenarios]
        late = _lateness(trial for trial in self.trials if trial.design == design)
        total, ours = self._total(design), self._total(OURS)
        counts = {
            "right": Verdict.OK,
            "early": Verdict.EARLY,
            "missed": Verdict.MISSED,
            "wrong": Verdict.WRONG,
            "n/a": Verdict.NOT_APPLICABLE,
        }
        return {
            **{name: str(worst.count(verdict)) for name, verdict in counts.items()},
            "median lateness, ms": _ms(statistics.median(late)) if late else "",
            "p99 lateness, ms": _ms(_p99(late)) if late else "",
            f"`{_YARDSTICK}`: send + wait, ms": _ms(total) if total else "",
            "times ours": f"{total / ours:.1f}" if total and ours else "",
        }

    def _total(self, design: str) -> float:
        totals = [trial.total for trial in self._of(design, _YARDSTICK)]
        return statistics.median(totals) if totals else 0.0


def _lateness(trials: Iterable[Trial]) -> list[float]:
    return [trial.late for trial in trials if trial.late is not None]


def _ms(seconds: float) -> str:
    # A tenth of a millisecond means nothing on what takes hundreds of them.
    return f"{seconds * 1000:.{0 if seconds >= 0.1 else 1}f}"


def _p99(values: Sequence[float]) -> float:
    """Return the 99th percentile; with fewer than a hundred values that is the largest."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]


def _plain(value: object) -> object:
    return value.value if isinstance(value, Verdict) else value
