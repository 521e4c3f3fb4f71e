"""The recipes for events in docs/guides/debugging.md, with the packages that they are for."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rich
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tmuxprim import Event, EventKind, Outcome, Pane

PAGE = Path(__file__).parent.parent.parent / "docs" / "guides" / "debugging.md"
BEGUN = Event(kind=EventKind.WAIT_BEGUN, pane=Pane("%1"))
ENDED = Event(
    kind=EventKind.WAIT_ENDED,
    pane=Pane("%1"),
    outcome=Outcome.PROMPT,
    seconds=1.5,
    strategy="PromptStrategy",
)


def recipe(name: str, **imports: object) -> Callable[[Event], None]:
    """Return the function of that name on the page."""
    found = re.search(
        rf"```python\n(def {name}\(event\):\n.*?)```", PAGE.read_text("utf-8"), re.DOTALL
    )
    assert found is not None
    names: dict[str, Any] = dict(imports)
    exec(found[1], names)  # noqa: S102  # our own page
    function: Callable[[Event], None] = names[name]
    return function


def test_rich(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each wait that has ended."""
    show = recipe("show", rich=rich)
    show(BEGUN)
    show(ENDED)
    assert capsys.readouterr().out == "%1 prompt 1.5 s\n"


def test_opentelemetry() -> None:
    """A span of the right length, with facts and no text."""
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace.set_tracer_provider(provider)
    span = recipe("span", trace=trace, time=time)
    span(BEGUN)
    span(ENDED)
    (found,) = kept.get_finished_spans()
    assert found.name == "tmuxprim.wait"
    assert found.start_time is not None
    assert found.end_time == found.start_time + 1_500_000_000
    assert found.attributes == {
        "tmuxprim.pane": "%1",
        "tmuxprim.outcome": "prompt",
        "tmuxprim.strategy": "PromptStrategy",
        "tmuxprim.evidence": "screen",
    }
