"""The commands of the command line: purpose, arguments, and the function that carries each out.

`tmuxprim._cli.parser` reads command lines by it, and the reference of the site is made from it.
The defaults of arguments are in `Options`.
"""

import argparse
import os
from collections.abc import Callable, Mapping
from typing import Final

import attrs

from tmuxprim._cli.options import (
    RUN_SECONDS,
    WAIT_SECONDS,
    columns_and_rows,
    known_program,
    launcher_words,
    program_words,
    row_count,
    seconds,
    some_rows,
    some_seconds,
    variable,
)

MARK: Final = "\0"
"""Before a word that is no option, whatever it begins with; no word of a command line has one."""
_HERE: Final = "."
STATES: Final = (
    *("working", "prompt", "continuation", "asking", "secret", "full-screen", "idle"),
    *("exited", "dead"),
)
"""The names of the states of panes; to import them takes longer than to read a command line."""


def as_typed(word: str) -> str:
    """Return a word without its mark."""
    return word.removeprefix(MARK)


def _named_pane(word: str) -> str:
    """Return the pane that is meant; only a word of its own means that of the environment.

    To count words instead would type a text where a pane stands if the text was forgotten.
    """
    pane = as_typed(word)
    if pane != _HERE:
        return pane
    if not (named := os.environ.get("TMUXPRIM_PANE")):
        raise argparse.ArgumentTypeError("'.' is the pane in TMUXPRIM_PANE, which is not set")
    return named


@attrs.frozen
class Command:
    """A command of the command line.

    Args:
        about: What it does.
        examples: Command lines that people type.
        function: The module of this package, and the function in it, that carry it out.
        add_arguments: Declares its arguments.
    """

    about: str
    examples: tuple[str, ...]
    function: str
    add_arguments: Callable[[argparse.ArgumentParser], object] = lambda _: None


def add_common(parser: argparse.ArgumentParser, *, hidden: bool = False) -> None:
    """Add the options that may stand before a command and behind it; the help may hide them."""
    server = parser.add_argument_group("server")
    answer = parser.add_argument_group("answer")
    added = (
        server.add_argument(
            "-L", dest="socket_name", metavar="NAME", help="name of the server's socket"
        ),
        server.add_argument(
            "-S", dest="socket_path", metavar="PATH", help="path of the server's socket"
        ),
        server.add_argument(
            "-f",
            dest="config_file",
            metavar="FILE",
            help="tmux configuration file of a new server (/dev/null: none)",
        ),
        server.add_argument(
            "--launcher",
            metavar="WORDS",
            type=launcher_words,
            help="words to put before each call of tmux, such as 'ssh host'",
        ),
        server.add_argument(
            "--transport",
            choices=("subprocess", "control", "auto"),
            help="a client for each call (default; of mcp: auto), or one in control mode",
        ),
        server.add_argument(
            "--tmux-timeout",
            metavar="SECONDS",
            type=some_seconds,
            help="longest time for one call of tmux (default 5)",
        ),
        answer.add_argument("--json", action="store_true", help="print one JSON object"),
        answer.add_argument("--debug", action="store_true", help="show the traceback of an error"),
    )
    for action in added:
        action.help = argparse.SUPPRESS if hidden else action.help


def _add_pane(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pane",
        metavar="PANE",
        type=_named_pane,
        help="the pane, by id or name; . is the one in TMUXPRIM_PANE",
    )


def _add_text(parser: argparse.ArgumentParser, metavar: str) -> None:
    parser.add_argument(
        "text",
        metavar=metavar,
        type=as_typed,
        help="text to type, as one word: quote it; - reads it from standard input",
    )


def _add_leave_mode(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--leave-mode", action="store_true", help="leave copy mode first, instead of refusing"
    )


def _add_timeout(parser: argparse.ArgumentParser, default: float = WAIT_SECONDS) -> None:
    parser.set_defaults(has_timeout=True)
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=seconds, help=f"longest wait (default {default:g})"
    )


def _add_pattern(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--pattern",
        metavar="REGEX",
        help="regular expression of the prompt, in the lowest row that is not empty",
    )


def _add_known(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--program",
        dest="known",
        metavar="NAME",
        type=known_program,
        action="append",
        help="a profile or strategy that knows a program: MODULE:NAME, or a name that an "
        "installed package provides; may be given again",
    )


def _add_prompt_rows(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--prompt-rows",
        metavar="N",
        type=some_rows,
        help="number of rows of the shell's prompt, which decides where the output of run ends",
    )


def _add_wait(parser: argparse.ArgumentParser) -> None:
    _add_pane(parser)
    parser.add_argument(
        "panes", metavar="PANE", nargs="*", type=_named_pane, help="with --any: more panes"
    )
    parser.add_argument(
        "--any",
        dest="is_any",
        action="store_true",
        help="wait until one of several panes is ready, and print its id",
    )
    _add_since(parser, "wait for later output")
    _add_end_of_wait(parser)


def _add_since(parser: argparse.ArgumentParser, effect: str) -> None:
    parser.add_argument(
        "--since",
        metavar="FILE",
        help=f"a file that send --mark has written: {effect}; - reads it from standard input",
    )


def _add_states(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--state",
        dest="has_states",
        action="store_true",
        help="also show the state of each pane: working, at a prompt, asking, idle ...",
    )
    _add_known(parser)


def _add_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "panes",
        metavar="PANE",
        nargs="*",
        type=_named_pane,
        help="the panes, by id or name; without any, all panes, and those that are opened later",
    )
    parser.add_argument(
        "--only",
        metavar="STATE",
        action="append",
        choices=STATES,
        help=f"only changes into this state; may be given again: {', '.join(STATES)}",
    )
    parser.add_argument(
        "--exec",
        dest="acts",
        metavar="COMMAND",
        type=program_words,
        help="a program to run at each change, with TMUXPRIM_PANE, _STATE, _BEFORE, _PROGRAM and "
        "_QUESTION in its environment; its words are split as a shell does, and no shell runs",
    )
    parser.add_argument(
        "--notify",
        dest="notifies",
        action="store_true",
        help="ring the terminal's bell at each change, and show a note if it knows OSC 9",
    )
    parser.add_argument(
        "--plain",
        dest="is_plain",
        action="store_true",
        help="print a line for each change even at a terminal, instead of a live table",
    )
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=seconds, help="end after so many seconds"
    )
    _add_known(parser)


def _add_end_of_wait(parser: argparse.ArgumentParser) -> None:
    """Add what is waited for, and how long."""
    _add_timeout(parser)
    awaited = parser.add_mutually_exclusive_group()
    _add_pattern(awaited)
    awaited.add_argument(
        "--for",
        dest="awaited",
        metavar="TEXT",
        help="wait for this text anywhere on the screen; after send and keys, only new text counts",
    )
    awaited.add_argument("--gone", metavar="TEXT", help="wait until this text has left the screen")
    _add_known(parser)


def _add_wait_afterwards(parser: argparse.ArgumentParser) -> None:
    _add_leave_mode(parser)
    parser.add_argument(
        "--mark",
        metavar="FILE",
        help="write a mark of this moment, for --since of wait and read; - prints it",
    )
    parser.add_argument(
        "-w",
        "--wait",
        action="store_true",
        help="then wait until the pane is ready, and print the screen; --timeout, --pattern, --for "
        "and --gone imply it",
    )
    _add_end_of_wait(parser)


def _add_send(parser: argparse.ArgumentParser) -> None:
    _add_pane(parser)
    _add_text(parser, "TEXT")
    parser.add_argument("--no-enter", dest="enter", action="store_false", help="do not press Enter")
    parser.add_argument(
        "--newlines",
        choices=("lf", "enter", "paste"),
        help="send a line break in the text as LF (default), as Enter, or as part of a paste",
    )
    _add_wait_afterwards(parser)


def _add_keys(parser: argparse.ArgumentParser) -> None:
    _add_pane(parser)
    parser.add_argument(
        "keys",
        metavar="KEY",
        nargs="+",
        type=as_typed,
        help="names of keys: Enter Tab Escape Up C-c M-x F5 ... or one character",
    )
    _add_wait_afterwards(parser)


def _add_read(parser: argparse.ArgumentParser) -> None:
    _add_pane(parser)
    parser.add_argument(
        "--lines",
        metavar="N",
        type=row_count,
        help="print at most N rows of history above the screen (default 100)",
    )
    _add_since(parser, "print only the new text since then, without typed input")


def _add_screenshot(parser: argparse.ArgumentParser) -> None:
    _add_pane(parser)
    parser.add_argument(
        "file",
        metavar="FILE",
        type=as_typed,
        help="the file to write, such as out.svg; - is standard output",
    )


def _add_run(parser: argparse.ArgumentParser) -> None:
    _add_pane(parser)
    _add_text(parser, "COMMAND")
    _add_leave_mode(parser)
    _add_pattern(parser)
    _add_prompt_rows(parser)
    _add_timeout(parser, RUN_SECONDS)
    parser.add_argument(
        "--idle-timeout",
        metavar="SECONDS",
        type=some_seconds,
        help="also give up after so many seconds without output",
    )
    parser.add_argument(
        "--no-status",
        dest="asks_status",
        action="store_false",
        help="do not ask the shell for the exit status, which types one more line into the pane",
    )
    parser.add_argument(
        "--all-output",
        action="store_true",
        help="also print output that is longer than the pane's history",
    )


def _add_open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", metavar="NAME", help="name of the session, and so of the pane")
    parser.add_argument(
        "--reuse",
        action="store_true",
        help="take the pane with this name if there is one, whatever runs in it",
    )
    parser.add_argument(
        "--size", metavar="CxR", type=columns_and_rows, help="columns and rows (default 80x24)"
    )
    parser.add_argument("--cwd", metavar="DIRECTORY", help="directory that the program starts in")
    parser.add_argument(
        "--env",
        metavar="A=B",
        type=variable,
        action="append",
        help="a variable to add to its environment; may be given again",
    )
    parser.add_argument(
        "--shell-integration",
        action="store_true",
        help="have bash, zsh or fish report each command, so that run knows its exit status",
    )
    parser.add_argument(
        "program",
        metavar="PROGRAM",
        nargs="*",
        type=as_typed,
        help="a program and its arguments, or one text for a shell; without it, the user's shell",
    )


def _add_mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pane",
        metavar="PANE",
        default=os.environ.get("TMUXPRIM_PANE") or "shared",
        help="the pane for calls that name none, by id or name (default shared)",
    )
    parser.add_argument(
        "--no-open",
        dest="opens",
        action="store_false",
        help="do not open that pane if it does not exist",
    )
    parser.add_argument(
        "--allow",
        metavar="PANE",
        action="append",
        help="a pane that the client may use, and no other; may be given again",
    )
    parser.add_argument(
        "--read-only",
        metavar="PANE",
        action="append",
        help="a pane that the client may only read; may be given again",
    )
    _add_leave_mode(parser)
    _add_prompt_rows(parser)
    _add_known(parser)


def _add_form(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--form", choices=("openai", "anthropic", "mcp"), help="the API it is for (default openai)"
    )


def _add_shell(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish"
    )


def _add_commands(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "of", metavar="COMMAND", nargs="*", default=[], choices=[*COMMANDS], help="which"
    )


COMMANDS: Final[Mapping[str, Command]] = {
    "open": Command(
        "open a pane in a session of its own, and print its id",
        (
            "tmuxprim open --name work",
            "tmuxprim open --name work --reuse",
            "tmuxprim open --name web --cwd /srv -- python3 -m http.server",
            "tmuxprim open 'make; exec bash'",
        ),
        "quick_commands.open_one",
        _add_open,
    ),
    "run": Command(
        "run a shell command and print its exact output",
        (
            "tmuxprim run work 'git log -3 --oneline'",
            "tmuxprim run work 'make test' --timeout 600",
            "tmuxprim run work - < script.sh",
        ),
        "pane_commands.run",
        _add_run,
    ),
    "send": Command(
        "type a text and press Enter",
        (
            "tmuxprim send work 'make install' --wait",
            "tmuxprim send work y",
            "tmuxprim send work - < secret",
            "tmuxprim send work './serve' --for 'listening on'",
            "tmuxprim send work 'make test' --mark built",
        ),
        "pane_commands.send",
        _add_send,
    ),
    "keys": Command(
        "press keys such as C-c, Up, Enter",
        (
            "tmuxprim keys work C-c --wait",
            "tmuxprim keys work Down Down Enter",
            "tmuxprim keys work Escape : q Enter",
        ),
        "pane_commands.keys",
        _add_keys,
    ),
    "wait": Command(
        "wait until the pane is ready, and print the screen",
        (
            "tmuxprim wait work --timeout 600",
            "tmuxprim wait work --for 'listening on'",
            "tmuxprim wait work --gone Loading",
            "tmuxprim wait work --since built --timeout 600",
            "tmuxprim wait --any web api %7 --timeout 600",
        ),
        "pane_commands.wait",
        _add_wait,
    ),
    "read": Command(
        "print the screen and the last rows that scrolled off it",
        (
            "tmuxprim read work",
            "tmuxprim read work --lines 2000 | grep error",
            "tmuxprim read work --since built",
        ),
        "quick_commands.read_pane",
        _add_read,
    ),
    "screenshot": Command(
        "draw the screen as it looks, with its colours, into an SVG file",
        ("tmuxprim screenshot work out.svg",),
        "quick_commands.screenshot",
        _add_screenshot,
    ),
    "panes": Command(
        "list the panes: id, name, size, command, title; or their states",
        ("tmuxprim panes", "tmuxprim panes --state", "tmuxprim panes --json"),
        "quick_commands.list_panes",
        _add_states,
    ),
    "watch": Command(
        "show the states of panes in a live table, or print each change on a line",
        (
            "tmuxprim watch",
            "tmuxprim watch --notify --only asking",
            "tmuxprim watch web api --only asking --only secret",
            "tmuxprim watch --only asking --exec 'notify-send tmuxprim \"a pane asks\"'",
        ),
        "state_commands.watch",
        _add_watch,
    ),
    "attach": Command(
        "show a pane on this terminal, as tmux does; C-b d leaves it",
        ("tmuxprim attach work", "tmuxprim attach %3"),
        "quick_commands.attach",
        _add_pane,
    ),
    "close": Command(
        "end a pane and its program; it may be gone already",
        ("tmuxprim close work",),
        "quick_commands.close_pane",
        _add_pane,
    ),
    "doctor": Command(
        "check your setup, and suggest fixes",
        ("tmuxprim doctor", "tmuxprim doctor --launcher 'ssh host'"),
        "doctor.doctor",
    ),
    "tool-schema": Command(
        "print the JSON schema of the tool for language models",
        ("tmuxprim tool-schema --form anthropic",),
        "pane_commands.tool_schema",
        _add_form,
    ),
    "mcp": Command(
        "run an MCP server on stdin and stdout",
        ("tmuxprim mcp", "tmuxprim mcp --pane work --no-open"),
        "mcp_command.serve_client",
        _add_mcp,
    ),
    "completion": Command(
        "print a shell completion script",
        (
            'eval "$(tmuxprim completion bash)"  # in ~/.bashrc',
            'eval "$(tmuxprim completion zsh)"  # in ~/.zshrc, behind compinit',
            "tmuxprim completion fish | source  # in ~/.config/fish/config.fish",
        ),
        "pane_commands.completion",
        _add_shell,
    ),
    "help": Command(
        "show this help, or that of a command", ("tmuxprim help run",), "", _add_commands
    ),
    "version": Command("print the version", ("tmuxprim version",), ""),
}
