"""What is said of many measurements of one thing."""

from collections.abc import Sequence


def p99(values: Sequence[float]) -> float:
    """Return the 99th percentile; with fewer than a hundred values that is the largest."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]


def milliseconds(seconds: float) -> str:
    """Write seconds as milliseconds, with as many digits as mean something."""
    value = seconds * 1000
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def times(ratio: float) -> str:
    """Write how many times one thing is another."""
    return f"{ratio:.{0 if ratio >= 10 else 1 if ratio >= 2 else 2}f}"
