"""Each error of a terminal on tmux is one that its docstring describes, whatever tmux answers."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest

from tests.unit.test_raises import carry_out, described
from tmuxprim import AsyncTmuxTerminal, KeySequence, Pane, TmuxTerminal, errors

# What the client does, by the name of the situation.
CLIENTS: Final = {
    "no server": "echo 'no server running on /tmp/x' >&2; exit 1",
    "pane gone": 'echo "can\'t find pane: %0" >&2; exit 1',
    "refused": "echo 'unknown command: x' >&2; exit 1",
    "nonsense": "echo nonsense",
    "silent": "exit 0",
    "killed": "kill -9 $$",
    "hangs": "exec sleep 60",
}
ANSWER_WITHIN: Final = {"hangs": 0.05}
CALLS: Final[dict[str, tuple[object, ...]]] = {
    "open": ("bash",),
    "close": (Pane("%0"),),
    "panes": (),
    "resolve": (Pane("work"),),
    "observe": (Pane("%0"),),
    "read": (Pane("%0"),),
    "send": (Pane("%0"), KeySequence.keys("Enter")),
    "probe": (Pane("%0"),),
    "interrupt_group": (Pane("%0"), 7),
    "watch_output": (Pane("%0"),),
    "tap": (Pane("%0"),),
    "resize": (Pane("%0"), (80, 24)),
}
TERMINALS: Final = (TmuxTerminal, AsyncTmuxTerminal)


def of_all_calls() -> set[str]:
    """Return the errors that the class describes for every call."""
    text, _, _ = str(TmuxTerminal.__doc__).partition("Args:")
    return set(re.findall(r"`(\w+Error)`", text))


@pytest.mark.parametrize("kind", TERMINALS)
@pytest.mark.parametrize(
    ("situation", "name"),
    [
        (situation, name)
        for situation in [*CLIENTS, "no tmux"]
        for name in CALLS
        if situation != "pane gone" or isinstance(next(iter(CALLS[name]), None), Pane)
    ],
)
def test_what_tmux_does_is_described(
    kind: type[Any], name: str, situation: str, tmp_path: Path
) -> None:
    """By the call, or by the class for every call."""
    program = tmp_path / "tmux"
    if situation in CLIENTS:
        program.write_text(f"#!/bin/sh\n{CLIENTS[situation]}\n", encoding="utf-8")
        program.chmod(0o755)
    within = ANSWER_WITHIN.get(situation, 20.0)
    terminal = kind(executable=str(program), socket_path=tmp_path / "socket", timeout=within)
    known = (*described(kind.__name__, name), *(getattr(errors, one) for one in of_all_calls()))
    with suppress(*known):
        carry_out(getattr(terminal, name)(*CALLS[name]))


def test_every_call_is_tried() -> None:
    """Of those that talk to the server."""
    silent = {"clock", "transport", "attach_command", "disconnect", "ssh", "docker", "private"}
    for kind in TERMINALS:
        public = {name for name in vars(kind) if not name.startswith("_")}
        assert public - silent - {"watch_outputs", "watch_changes"} == CALLS.keys()
