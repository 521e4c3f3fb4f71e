"""The commands that wait for nothing: open, attach, close, read, screenshot, panes.

They are done without a `Console` and all that it knows of readiness, which takes longer to import
than they run.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tmuxprim._cli.options import Options
from tmuxprim._cli.report import Report, as_lines, is_terminal, painted, say
from tmuxprim._cli.site import Site
from tmuxprim._cli.status import Status
from tmuxprim._engine.plan import drive, open_pane
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.checks import to_program
from tmuxprim._values.pane import Pane, PaneInfo

_NO_TERMINAL: Final = "attach needs a terminal as its standard input and output"


def open_one(options: Options, site: Site) -> Report:
    """Open a pane in a session of its own, or take what is there."""
    words = options.program
    command = to_program(words[0]) if len(words) == 1 else words or None
    plan = open_pane(
        lambda terminal: terminal.open(
            command,
            size=options.size,
            cwd=options.cwd,
            env=dict(options.env),
            name=options.name,
            shell_integration=options.shell_integration,
        ),
        options.name,
        reuse=options.reuse,
    )
    pane, is_new = drive(plan, site.terminal)
    attach = options.call("attach", options.name or str(pane))
    note = f"{'opened' if is_new else 'it was there already'}; to look at it: {attach}"
    facts = {"pane": str(pane), "opened": is_new}
    return Report(facts, f"{pane}\n", note if is_terminal(sys.stderr) else "")


def attach(options: Options, site: Site) -> Report:
    """Show a pane on this terminal; the process becomes a client of tmux, if it can."""
    pane = site.terminal.resolve(Pane(options.pane))
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return Report(note=f"tmuxprim: {_NO_TERMINAL}", status=Status.BAD_USE)
    # A client of that very server shows it in place; of another server, tmux says what to do.
    site.become("switch-client" if site.is_inside() else "attach-session", "-t", pane.target)
    return Report()


def close_pane(options: Options, site: Site) -> Report:
    """End a pane and its program."""
    pane = Pane(options.pane)
    site.terminal.close(site.terminal.resolve(pane))
    return Report({"pane": str(pane)})


def read_pane(options: Options, site: Site) -> Report:
    """Print what the screen and its history say, or what is new since a mark."""
    if options.since is not None:
        from tmuxprim._cli.pane_commands import read_since  # takes longer to import

        return read_since(options.since, options, site)
    pane = site.terminal.resolve(Pane(options.pane))
    text = strip_ansi(site.terminal.read(pane, history=options.lines))
    return Report({"pane": str(pane), "text": text}, as_lines(text))


def screenshot(options: Options, site: Site) -> Report:
    """Draw the screen into a file, or on standard output."""
    pane = site.terminal.resolve(Pane(options.pane))
    picture = site.terminal.observe(pane, styled=True).to_svg()
    if options.file == "-":
        return Report({"pane": str(pane), "picture": picture}, picture)
    try:
        Path(options.file).write_text(picture, encoding="utf-8")
    except OSError as error:
        message = f"the picture cannot be written: {error}"
        say(f"tmuxprim: {message}")
        return Report({"error": "OSError", "message": message}, status=Status.UNWRITTEN)
    return Report({"pane": str(pane), "file": options.file})


def list_panes(options: Options, site: Site) -> Report:
    """List the panes; no server has none."""
    if options.has_states:
        from tmuxprim._cli.state_commands import list_states  # takes longer to import

        return list_states(options, site)
    panes = site.terminal.panes()
    rows = [(str(pane), pane.name, str(pane.size), pane.command) for pane in panes]
    facts = [facts_of_pane(pane) for pane in panes]
    lines = table(rows, [pane.title for pane in panes]).splitlines(keepends=True)
    text = "".join(with_bold_id(str(pane), line) for pane, line in zip(panes, lines, strict=True))
    return Report({"panes": facts}, text)


def facts_of_pane(pane: PaneInfo) -> dict[str, object]:
    """Return what is known of a pane that was listed, for programs."""
    return {
        "pane": str(pane),
        "name": pane.name,
        "window": pane.window_name,
        "columns": pane.size.columns,
        "rows": pane.size.rows,
        "command": pane.command,
        "title": pane.title,
        "active": pane.active,
        "dead": pane.dead,
    }


def with_bold_id(pane: str, line: str) -> str:
    """Return a line of a table that begins with the id of a pane."""
    return painted(pane, 1) + line.removeprefix(pane)


def table(rows: Sequence[tuple[str, ...]], ends: Sequence[str]) -> str:
    """Return rows of words below each other, each with a text of any length at its end."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            [*(word.ljust(width) for word, width in zip(row, widths, strict=True)), end]
        ).rstrip(" ")
        for row, end in zip(rows, ends, strict=True)
    )
    return "".join(f"{line}\n" for line in lines)
