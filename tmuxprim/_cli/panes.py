"""The commands that wait for nothing: open, close, read, screenshot, panes.

They are done without a `Console` and all that it knows of readiness, which takes longer to import
than they run.
"""

from collections.abc import Sequence
from pathlib import Path

from tmuxprim._cli.answer import Answer, Status, as_lines, say
from tmuxprim._cli.options import Options
from tmuxprim._cli.site import Site
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.pane import Pane, Size


def open_pane(options: Options, site: Site) -> Answer:
    """Open a pane in a session of its own."""
    words = options.program
    # As in tmux: one word is a text for a shell, several are a program and its words.
    command = words[0] if len(words) == 1 else words or None
    pane = site.terminal.open(
        command,
        size=Size(*options.size),
        cwd=options.cwd,
        env=dict(options.env),
        name=options.name,
    )
    return Answer({"pane": str(pane)}, f"{pane}\n")


def close_pane(options: Options, site: Site) -> Answer:
    """End a pane and its program."""
    pane = Pane(options.pane)
    site.terminal.close(pane)
    return Answer({"pane": str(pane)})


def read_pane(options: Options, site: Site) -> Answer:
    """Print what the screen and its history say."""
    pane = site.terminal.resolve(Pane(options.pane))
    text = strip_ansi(site.terminal.read(pane, history=options.lines))
    return Answer({"pane": str(pane), "text": text}, as_lines(text))


def screenshot(options: Options, site: Site) -> Answer:
    """Draw the screen into a file."""
    pane = site.terminal.resolve(Pane(options.pane))
    picture = site.terminal.observe(pane, styled=True).to_svg()
    try:
        Path(options.file).write_text(picture, encoding="utf-8")
    except OSError as error:
        message = f"the picture cannot be written: {error}"
        say(f"tmuxprim: {message}")
        return Answer({"error": "OSError", "message": message}, status=Status.UNWRITTEN)
    return Answer({"pane": str(pane), "file": options.file})


def list_panes(_: Options, site: Site) -> Answer:
    """List the panes; no server has none."""
    panes = site.terminal.panes()
    rows = [(str(pane), pane.name, str(pane.size), pane.command) for pane in panes]
    facts = [
        {
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
        for pane in panes
    ]
    return Answer({"panes": facts}, table(rows, [pane.title for pane in panes]))


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
