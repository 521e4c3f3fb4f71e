"""Panes of ours and of a person, and commands whose output has to be exact in them."""

from collections.abc import Mapping

from tmuxprim import Console, Pane, TmuxTerminal


def console_of(terminal: TmuxTerminal, pane: Pane, *, is_theirs: bool) -> Console:
    """Return a console of a new pane, or a new one of a pane in which a person has worked."""
    console = Console(terminal, pane)
    if not is_theirs:
        return console
    # A line that is typed ahead would be above the first prompt.
    assert console.wait_ready()
    for line in ("ls /", "echo; echo me"):
        console.send(line)
        assert console.wait_ready()
    return Console(terminal, pane)


def assert_exact(console: Console, outputs: Mapping[str, str]) -> None:
    """Run each command, and compare its output, which has to be without a doubt."""
    for command, output in outputs.items():
        result = console.run(command)
        assert (result.output, result.doubt) == (output, ""), (command, result)
