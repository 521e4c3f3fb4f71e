"""The grammar of the command line.

Options may stand anywhere, before the command and behind it. A text is one word, so that
nothing of it can be taken for an option, and no space of it be lost; a text that begins with
``-`` stands behind ``--``. All words behind the first ``--`` are taken as they are.
"""

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn, TypeAlias

import attrs
from typing_extensions import override

from tmuxprim import __version__
from tmuxprim._cli.answer import Status
from tmuxprim._cli.options import (
    Options,
    columns_and_rows,
    known_program,
    launcher_words,
    row_count,
    seconds,
    some_rows,
    some_seconds,
    variable,
)

_ABOUT: Final = """\
Type into the panes of a tmux server, read them, and wait until they are ready.

A pane is named by its id (%3) or by session, session:window or session:window.pane; a name is
exact, and never the beginning of one. The pane always comes first, and there is no default.
"""
_EXIT: Final = """\
exit status:
  0  done; what was waited for is there (a prompt, a question, a password, a full screen ...)
  1  the time is up
  2  the command line makes no sense, or a key, a text or a pattern of it; nothing was sent
  3  the pane or the server is gone, or the pane's program has exited
  4  the pane takes no input (copy mode, input off ...), or tmux refused
  5  tmux is missing, too old, or does not answer
  6  run: what was printed may not be exactly the output; stderr says why, and what helps
    with --status: that of the command, once it has ended
 74  the answer could not be written, as on a full disk; what was asked for is done

A wait says on stderr what it found, so that stdout is only the screen.
"""
_MARK: Final = "\0"  # no word of a command line holds a NUL


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    @override
    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where to read on."""
        self.exit(Status.BAD_USE, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def parse(argv: Sequence[str]) -> Options:
    """Return what a command line says.

    Raises:
        SystemExit: If it makes no sense, or asks for help; that has been printed then.
    """
    parser = make_parser()
    options, marked = parser.parse_known_args(_mark_words(argv), Options())
    rest = [_word(word) for word in marked]
    if options.command == "":
        parser.error("a command is missing")
    if rest:
        parser.error(_unexpected(options, argv, rest))
    if options.command == "mcp" and options.json:
        parser.error("mcp speaks JSON anyway, and prints nothing else: leave --json out")
    if options.socket_name is not None and options.socket_path is not None:
        parser.error("give -L or -S, not both")
    if "" in (options.socket_name, options.socket_path):
        parser.error(
            "-L and -S name a server, and are not empty: leave them out for the user's own"
        )
    return options


def _mark_words(argv: Sequence[str]) -> list[str]:
    """Return the words with a mark on each behind the first ``--``, which are no options.

    What argparse itself does about a second ``--`` depends on the version of Python.
    """
    words = list(argv)
    if "--" not in words:
        return words
    end = words.index("--")
    return words[:end] + [_MARK + word for word in words[end + 1 :]]


def _word(word: str) -> str:
    """Return a word without its mark."""
    return word.removeprefix(_MARK)


def _unexpected(options: Options, argv: Sequence[str], rest: Sequence[str]) -> str:
    """Say what to do about words that nobody expected."""
    message = f"did not expect {shlex.join(rest)}"
    if options.text in argv:
        meant = shlex.quote(" ".join(argv[argv.index(options.text) :]))
        return (
            f"{message}: quote the text, so that it is one word, as in {meant}, and put -- before "
            "it if it begins with '-'"
        )
    if options.command == "open":
        return f"{message}: put -- before the program"
    return message


_Add: TypeAlias = Callable[..., object]  # argparse's add_argument
_Argument: TypeAlias = Callable[[_Add], object]


@attrs.frozen
class Command:
    """A command of the command line.

    Args:
        about: What it does.
        arguments: The names of its arguments in the table; of those in a tuple one may be given.
        function: What carries it out: a module of this package, and a function in it.
    """

    about: str
    arguments: tuple[str | tuple[str, ...], ...]
    function: str


def _words(dest: str, metavar: str, about: str, nargs: str | None = None) -> _Argument:
    """Return an argument without a name; its words may begin with a dash behind ``--``."""
    return lambda add: add(dest, metavar=metavar, nargs=nargs, type=_word, help=about)


def _value(
    flag: str, metavar: str, about: str, read: Callable[[str], object] = str, *, dest: str = ""
) -> _Argument:
    dest = dest or flag.strip("-").replace("-", "_")
    return lambda add: add(flag, dest=dest, metavar=metavar, type=read, help=about)


def _choice(flag: str, choices: tuple[str, ...], about: str) -> _Argument:
    return lambda add: add(flag, choices=choices, help=about)


def _flag(*flags: str, dest: str, about: str, on: bool = True) -> _Argument:
    action = "store_true" if on else "store_false"
    return lambda add: add(*flags, dest=dest, action=action, help=about)


_TEXT: Final = "what to type, one word for the shell: quote it; - reads it from standard input"
_NEWLINES: Final = (
    "what a line break in the text is: LF (default), the Enter key, or part of a paste"
)
_WAIT: Final = (
    "wait until the pane is ready then, and print the screen; options that say for what, or how "
    "long, mean this, too"
)
_PATTERN: Final = "regular expression of the prompt, in the lowest row that is not empty"
_KNOWN: Final = (
    "a profile or strategy of yours, as MODULE:NAME, that knows a program; may be given again"
)
_FOR: Final = "a text to wait for, wherever it is; of send and keys one that is new"
_GONE: Final = "a text to wait for until it is gone from the screen"
_STATUS: Final = "ask the shell for the exit status, in a line more in the pane, and end with it"
_QUIET: Final = "give up, too, after so many seconds without output"
_PROMPT_ROWS: Final = "rows that the shell's prompt has, which tells where the output of run ends"
_LINES: Final = "how many rows of history to put above the screen, at most (default 100)"
_SHARED: Final = "the pane of a call that names none, by id or name (default shared)"
_ENV: Final = "a variable to add to its environment; may be given again"
_KEYS: Final = "names of keys: Enter Tab Escape Up C-c M-x F5 ... or one character"
_PROGRAM: Final = "a program and its words, or one text for a shell; none is the user's shell"
# What is not given is as `Options` has it.
_ARGUMENTS: Final[Mapping[str, _Argument]] = {
    "pane": _words("pane", "PANE", "the pane, by id or name"),
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
    "timeout": _value("--timeout", "SECONDS", "longest wait (default 10)", seconds),
    "run timeout": _value("--timeout", "SECONDS", "longest wait (default 30)", seconds),
    "pattern": _value("--pattern", "REGEX", _PATTERN),
    "known": lambda add: add(
        "--program", dest="known", metavar="M:N", type=known_program, action="append", help=_KNOWN
    ),
    "for": _value("--for", "TEXT", _FOR, dest="awaited"),
    "gone": _value("--gone", "TEXT", _GONE),
    "status": _flag("--status", dest="status", about=_STATUS),
    "quiet": _value("--quiet", "SECONDS", _QUIET, some_seconds),
    "prompt rows": _value("--prompt-rows", "N", _PROMPT_ROWS, some_rows),
    "file": _words("file", "FILE", "the file to write, such as out.svg"),
    "lines": _value("--lines", "N", _LINES, row_count),
    "form": _choice("--form", ("openai", "anthropic", "mcp"), "whose schema (default openai)"),
    "shared pane": lambda add: add("--pane", metavar="PANE", default="shared", help=_SHARED),
    "no open": _flag(
        "--no-open",
        dest="opens",
        about="do not open it, with a new shell, when it is not there",
        on=False,
    ),
    "name": _value("--name", "NAME", "name of the session, and so of the pane"),
    "size": _value("--size", "CxR", "columns and rows (default 80x24)", columns_and_rows),
    "cwd": _value("--cwd", "FOLDER", "folder that the program starts in"),
    "env": lambda add: add("--env", metavar="A=B", type=variable, action="append", help=_ENV),
}
_OF_A_WAIT: Final = ("timeout", ("pattern", "for", "gone"), "known")
COMMANDS: Final[Mapping[str, Command]] = {
    "send": Command(
        "type a text and press Enter",
        ("pane", "text", "no enter", "newlines", "leave mode", "wait", *_OF_A_WAIT),
        "commands.send",
    ),
    "keys": Command(
        "press keys such as C-c, Up, Enter",
        ("pane", "keys", "leave mode", "wait", *_OF_A_WAIT),
        "commands.keys",
    ),
    "read": Command(
        "print the screen and what scrolled off it last", ("pane", "lines"), "panes.read_pane"
    ),
    "screenshot": Command(
        "draw the screen as it looks, with its colours, into an SVG file",
        ("pane", "file"),
        "panes.screenshot",
    ),
    "wait": Command(
        "wait until the pane is ready, and print the screen",
        ("pane", *_OF_A_WAIT),
        "commands.wait",
    ),
    "run": Command(
        "run a shell command and print exactly what it printed",
        (
            *("pane", "shell command", "leave mode", "pattern", "prompt rows", "run timeout"),
            *("quiet", "status"),
        ),
        "commands.run",
    ),
    "open": Command(
        "open a pane in a session of its own, and print its id",
        ("name", "size", "cwd", "env", "program"),
        "panes.open_pane",
    ),
    "close": Command(
        "end a pane and its program; it may be gone already", ("pane",), "panes.close_pane"
    ),
    "panes": Command("list the panes: id, name, size, command, title", (), "panes.list_panes"),
    "doctor": Command("see what works here, and what to do about the rest", (), "doctor.doctor"),
    "tool-schema": Command(
        "print the JSON schema of the tool for language models", ("form",), "commands.tool_schema"
    ),
    "mcp": Command(
        "serve those tools to an MCP client on stdin and stdout",
        ("shared pane", "no open", "leave mode", "prompt rows", "known"),
        "mcp.serve_client",
    ),
    "demo": Command("show the main job in a private tmux server", (), "commands.demo"),
}


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser(
        prog="tmuxprim",
        description=_ABOUT,
        epilog=_EXIT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"tmuxprim {__version__}")
    _add_common(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=False)
    for name, command in COMMANDS.items():
        own = commands.add_parser(
            name,
            help=command.about,
            description=f"{command.about[0].upper()}{command.about[1:]}.",
            epilog=_EXIT,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            argument_default=argparse.SUPPRESS,
            allow_abbrev=False,
        )
        for argument in command.arguments:
            if isinstance(argument, str):
                _ARGUMENTS[argument](own.add_argument)
                continue
            group = own.add_mutually_exclusive_group()
            for one in argument:
                _ARGUMENTS[one](group.add_argument)
        _add_common(own)
    return parser


def _add_common(parser: Parser) -> None:
    """Add the options that may stand before a command and behind it."""
    add = parser.add_argument_group("server").add_argument
    add("-L", dest="socket_name", metavar="NAME", help="name of the server's socket")
    add("-S", dest="socket_path", metavar="PATH", help="path of the server's socket")
    add("-f", dest="config_file", metavar="FILE", help="what a new server reads; /dev/null is none")
    words = "words before every tmux, such as 'ssh host'"
    add("--launcher", metavar="WORDS", type=launcher_words, help=words)
    ways = ("subprocess", "control", "auto")
    add("--transport", choices=ways, help="a client for each call, or one in control mode")
    limit = "longest time for one call of tmux (default 5)"
    add("--tmux-timeout", metavar="SECONDS", type=some_seconds, help=limit)
    add = parser.add_argument_group("answer").add_argument
    add("--json", action="store_true", help="print one JSON object")
    add("--debug", action="store_true", help="show the traceback of an error")
