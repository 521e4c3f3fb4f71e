"""The commands and arguments of the command line, in one table.

`tmuxprim._cli.parser` reads command lines by it, and the reference of the site is made from it.
"""

import argparse
import os
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import attrs

from tmuxprim._cli.options import (
    columns_and_rows,
    known_program,
    launcher_words,
    row_count,
    seconds,
    some_rows,
    some_seconds,
    variable,
)

MARK: Final = "\0"
"""Before a word that is no option, whatever it begins with; no word of a command line has one."""


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


_HERE: Final = "."
_Add: TypeAlias = Callable[..., argparse.Action]  # argparse's add_argument
Argument: TypeAlias = Callable[[_Add], argparse.Action]


@attrs.frozen
class Command:
    """A command of the command line.

    Args:
        about: What it does.
        examples: Command lines that people type.
        arguments: The names of its arguments in the table; of those in a tuple one may be given.
        function: What carries it out: a module of this package, and a function in it.
    """

    about: str
    examples: tuple[str, ...]
    arguments: tuple[str | tuple[str, ...], ...]
    function: str


def _words(dest: str, metavar: str, about: str, nargs: str | None = None) -> Argument:
    """Return an argument without a name; its words may begin with a dash behind ``--``."""
    return lambda add: add(dest, metavar=metavar, nargs=nargs, type=as_typed, help=about)


def _value(
    flag: str, metavar: str, about: str, read: Callable[[str], object] = str, *, dest: str = ""
) -> Argument:
    dest = dest or flag.strip("-").replace("-", "_")
    return lambda add: add(flag, dest=dest, metavar=metavar, type=read, help=about)


def _choice(flag: str, choices: tuple[str, ...], about: str) -> Argument:
    return lambda add: add(flag, choices=choices, help=about)


def _flag(*flags: str, dest: str, about: str, on: bool = True) -> Argument:
    action = "store_true" if on else "store_false"
    return lambda add: add(*flags, dest=dest, action=action, help=about)


_PANE: Final = "the pane, by id or name; . is the one in TMUXPRIM_PANE"
_TEXT: Final = "what to type, one word for the shell: quote it; - reads it from standard input"
_NEWLINES: Final = (
    "what a line break in the text is: LF (default), the Enter key, or part of a paste"
)
_WAIT: Final = (
    "then wait until the pane is ready, and print the screen; options that say for what, or how "
    "long, imply it"
)
_PATTERN: Final = "regular expression of the prompt, in the lowest row that is not empty"
_KNOWN: Final = (
    "a profile or strategy of yours, as MODULE:NAME, that knows a program; may be given again"
)
_FOR: Final = "wait for this text, wherever it stands; after send and keys, only where it is new"
_GONE: Final = "wait until this text has left the screen"
_STATUS: Final = "ask the shell for the exit status, in one more line in the pane, and end with it"
_ALL_OUTPUT: Final = "also print output that the pane's history is too short for"
_QUIET: Final = "also give up after so many seconds without output"
_PROMPT_ROWS: Final = (
    "how many rows the shell's prompt has, which tells where the output of run ends"
)
_LINES: Final = "at most so many rows of history above the screen (default 100)"
_SHARED: Final = "the pane for calls that name none, by id or name (default shared)"
_REUSE: Final = "take the pane with this name if there is one, whatever runs in it"
_ENV: Final = "a variable to add to its environment; may be given again"
_KEYS: Final = "names of keys: Enter Tab Escape Up C-c M-x F5 ... or one character"
_PROGRAM: Final = "a program and its words, or one text for a shell; none is the user's shell"
_SHELLS: Final = ("bash", "zsh", "fish")
# What is not given is as `Options` has it.
ARGUMENTS: Final[Mapping[str, Argument]] = {
    "pane": lambda add: add("pane", metavar="PANE", type=_named_pane, help=_PANE),
    "text": _words("text", "TEXT", _TEXT),
    "shell command": _words("text", "COMMAND", _TEXT),
    "keys": _words("keys", "KEY", _KEYS, "+"),
    "program": _words("program", "PROGRAM", _PROGRAM, "*"),
    "no enter": _flag("--no-enter", dest="enter", about="do not press Enter", on=False),
    "newlines": _choice("--newlines", ("lf", "enter", "paste"), _NEWLINES),
    "leave mode": _flag(
        "--leave-mode", dest="leave_mode", about="leave copy mode first, instead of refusing"
    ),
    "wait": _flag("-w", "--wait", dest="wait", about=_WAIT),
    "timeout": _value("--timeout", "SECONDS", "longest wait (default 10, of run 30)", seconds),
    "pattern": _value("--pattern", "REGEX", _PATTERN),
    "known": lambda add: add(
        "--program", dest="known", metavar="M:N", type=known_program, action="append", help=_KNOWN
    ),
    "for": _value("--for", "TEXT", _FOR, dest="awaited"),
    "gone": _value("--gone", "TEXT", _GONE),
    "status": _flag("--status", dest="status", about=_STATUS),
    "all output": _flag("--all-output", dest="all_output", about=_ALL_OUTPUT),
    "quiet": _value("--quiet", "SECONDS", _QUIET, some_seconds),
    "prompt rows": _value("--prompt-rows", "N", _PROMPT_ROWS, some_rows),
    "file": _words("file", "FILE", "the file to write, such as out.svg; - is standard output"),
    "lines": _value("--lines", "N", _LINES, row_count),
    "form": _choice("--form", ("openai", "anthropic", "mcp"), "whose schema (default openai)"),
    "shared pane": lambda add: add(
        "--pane",
        metavar="PANE",
        default=os.environ.get("TMUXPRIM_PANE") or "shared",
        help=_SHARED,
    ),
    "reuse": _flag("--reuse", dest="reuse", about=_REUSE),
    "of": lambda add: add(
        "of", metavar="COMMAND", nargs="*", default=[], choices=[*COMMANDS], help="which"
    ),
    "shell": lambda add: add("shell", metavar="SHELL", choices=_SHELLS, help="bash, zsh or fish"),
    "allow": lambda add: add(
        "--allow",
        metavar="PANE",
        action="append",
        default=[],
        help="a pane that may be worked in, and no other; may be given again",
    ),
    "read only": lambda add: add(
        "--read-only",
        metavar="PANE",
        action="append",
        default=[],
        help="a pane that may only be looked at; may be given again",
    ),
    "no open": _flag(
        "--no-open",
        dest="opens",
        about="do not open it, with a new shell, when it is not there",
        on=False,
    ),
    "name": _value("--name", "NAME", "name of the session, and so of the pane"),
    "size": _value("--size", "CxR", "columns and rows (default 80x24)", columns_and_rows),
    "cwd": _value("--cwd", "FOLDER", "folder that the program starts in"),
    "shell integration": _flag(
        "--shell-integration",
        dest="shell_integration",
        about="have bash, zsh or fish report each command, so that run knows its exit status",
    ),
    "env": lambda add: add("--env", metavar="A=B", type=variable, action="append", help=_ENV),
    "socket name": _value("-L", "NAME", "name of the server's socket", dest="socket_name"),
    "socket path": _value("-S", "PATH", "path of the server's socket", dest="socket_path"),
    "config file": _value(
        "-f", "FILE", "what a new server reads; /dev/null is none", dest="config_file"
    ),
    "launcher": _value(
        "--launcher", "WORDS", "words before every tmux, such as 'ssh host'", launcher_words
    ),
    "transport": _choice(
        "--transport",
        ("subprocess", "control", "auto"),
        "a client for each call, or one in control mode",
    ),
    "tmux timeout": _value(
        "--tmux-timeout",
        "SECONDS",
        "longest time for one call of tmux (default 5)",
        some_seconds,
    ),
    "json": _flag("--json", dest="json", about="print one JSON object"),
    "debug": _flag("--debug", dest="debug", about="show the traceback of an error"),
}
COMMON: Final[Mapping[str, tuple[str, ...]]] = {
    "server": (
        *("socket name", "socket path", "config file", "launcher", "transport", "tmux timeout"),
    ),
    "answer": ("json", "debug"),
}
_OF_A_WAIT: Final = ("timeout", ("pattern", "for", "gone"), "known")
COMMANDS: Final[Mapping[str, Command]] = {
    "send": Command(
        "type a text and press Enter",
        (
            "tmuxprim send work 'make install' --wait",
            "tmuxprim send work y",
            "tmuxprim send work - < secret",
            "tmuxprim send work './serve' --for 'listening on'",
        ),
        ("pane", "text", "no enter", "newlines", "leave mode", "wait", *_OF_A_WAIT),
        "commands.send",
    ),
    "keys": Command(
        "press keys such as C-c, Up, Enter",
        (
            "tmuxprim keys work C-c --wait",
            "tmuxprim keys work Down Down Enter",
            "tmuxprim keys work Escape : q Enter",
        ),
        ("pane", "keys", "leave mode", "wait", *_OF_A_WAIT),
        "commands.keys",
    ),
    "read": Command(
        "print the screen and what scrolled off it last",
        ("tmuxprim read work", "tmuxprim read work --lines 2000 | grep error"),
        ("pane", "lines"),
        "panes.read_pane",
    ),
    "screenshot": Command(
        "draw the screen as it looks, with its colours, into an SVG file",
        ("tmuxprim screenshot work out.svg",),
        ("pane", "file"),
        "panes.screenshot",
    ),
    "wait": Command(
        "wait until the pane is ready, and print the screen",
        (
            "tmuxprim wait work --timeout 600",
            "tmuxprim wait work --for 'listening on'",
            "tmuxprim wait work --gone Loading",
        ),
        ("pane", *_OF_A_WAIT),
        "commands.wait",
    ),
    "run": Command(
        "run a shell command and print exactly what it printed",
        (
            "tmuxprim run work 'git log -3 --oneline'",
            "tmuxprim run work 'make test' --timeout 600 --status",
            "tmuxprim run work - < script.sh",
        ),
        (
            *("pane", "shell command", "leave mode", "pattern", "prompt rows", "timeout"),
            *("quiet", "status", "all output"),
        ),
        "commands.run",
    ),
    "open": Command(
        "open a pane in a session of its own, and print its id",
        (
            "tmuxprim open --name work",
            "tmuxprim open --name work --reuse",
            "tmuxprim open --name web --cwd /srv -- python3 -m http.server",
            "tmuxprim open 'make; exec bash'",
        ),
        ("name", "reuse", "size", "cwd", "env", "shell integration", "program"),
        "panes.open_one",
    ),
    "attach": Command(
        "show a pane on this terminal, as tmux does; C-b d leaves it",
        ("tmuxprim attach work", "tmuxprim attach %3"),
        ("pane",),
        "panes.attach",
    ),
    "close": Command(
        "end a pane and its program; it may be gone already",
        ("tmuxprim close work",),
        ("pane",),
        "panes.close_pane",
    ),
    "panes": Command(
        "list the panes: id, name, size, command, title",
        ("tmuxprim panes", "tmuxprim panes --json"),
        (),
        "panes.list_panes",
    ),
    "doctor": Command(
        "see what works here, and what to do about the rest",
        ("tmuxprim doctor", "tmuxprim doctor --launcher 'ssh host'"),
        (),
        "doctor.doctor",
    ),
    "tool-schema": Command(
        "print the JSON schema of the tool for language models",
        ("tmuxprim tool-schema --form anthropic",),
        ("form",),
        "commands.tool_schema",
    ),
    "mcp": Command(
        "serve those tools to an MCP client on stdin and stdout",
        ("tmuxprim mcp", "tmuxprim mcp --pane work --no-open"),
        ("shared pane", "no open", "allow", "read only", "leave mode", "prompt rows", "known"),
        "mcp.serve_client",
    ),
    "completion": Command(
        "print what lets a shell complete these commands",
        (
            'eval "$(tmuxprim completion bash)"  # in ~/.bashrc',
            'eval "$(tmuxprim completion zsh)"  # in ~/.zshrc, behind compinit',
            "tmuxprim completion fish | source  # in ~/.config/fish/config.fish",
        ),
        ("shell",),
        "commands.completion",
    ),
    "help": Command("show this, or how a command is used", ("tmuxprim help run",), ("of",), ""),
    "version": Command("print the version", ("tmuxprim version",), (), ""),
}
