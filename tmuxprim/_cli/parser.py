"""The grammar of the command line.

Options may stand anywhere, before the command and behind it. A text is one word, so that
nothing of it can be taken for an option, and no space of it be lost; a text that begins with
``-`` stands behind ``--``. All words behind the first ``--`` are taken as they are.
"""

import argparse
import shlex
from collections.abc import Sequence
from typing import Final, NoReturn

from typing_extensions import override

from tmuxprim import __version__
from tmuxprim._cli.answer import Status
from tmuxprim._cli.options import (
    Options,
    columns_and_rows,
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
 74  the answer could not be written, as on a full disk; what was asked for is done

A wait says on stderr what it found, so that stdout is only the screen.
"""
_TEXT: Final = "what to type, one word for the shell: quote it; - reads it from standard input"
_MARK: Final = "\0"  # no word of a command line holds a NUL
_PATTERN: Final = "regular expression of the prompt, in the lowest row that is not empty"
_PROGRAM: Final = "a program and its words, or one text for a shell; none is the user's shell"


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


def make_parser() -> Parser:
    """Return the parser of the command line."""
    common = _common()
    parser = Parser(
        prog="tmuxprim",
        description=_ABOUT,
        epilog=_EXIT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"tmuxprim {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=False)
    parts: dict[str, tuple[str, Sequence[Parser]]] = {
        "send": (
            "type a text and press Enter",
            (_pane(), _one("text", "TEXT", _TEXT), _typing(), _sending(), _waiting(with_flag=True)),
        ),
        "keys": (
            "press keys such as C-c, Up, Enter",
            (_pane(), _keys(), _sending(), _waiting(with_flag=True)),
        ),
        "read": ("print the screen and what scrolled off it last", (_pane(), _reading())),
        "wait": ("wait until the pane is ready, and print the screen", (_pane(), _waiting())),
        "run": (
            "run a shell command and print exactly what it printed",
            (
                _pane(),
                _one("text", "COMMAND", _TEXT),
                *(_sending(), _prompt(), _prompt_rows(), _deadline(30)),
            ),
        ),
        "open": ("open a pane in a session of its own, and print its id", (_opening(),)),
        "close": ("end a pane and its program; it may be gone already", (_pane(),)),
        "panes": ("list the panes: id, name, size, command, title", ()),
        "doctor": ("see what works here, and what to do about the rest", ()),
        "tool-schema": ("print the JSON schema of the tool for language models", (_form(),)),
        "mcp": (
            "serve those tools to an MCP client on stdin and stdout",
            (_shared(), _sending(), _prompt_rows()),
        ),
        "demo": ("show the main job in a private tmux server", ()),
    }
    for name, (about, parents) in parts.items():
        commands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            epilog=_EXIT,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            parents=[*parents, common],
            allow_abbrev=False,
        )
    return parser


def _part() -> Parser:
    """Return some arguments to share; what is not given is as `Options` has it."""
    return Parser(add_help=False, argument_default=argparse.SUPPRESS)


def _common() -> Parser:
    part = _part()
    add = part.add_argument_group("server").add_argument
    add("-L", dest="socket_name", metavar="NAME", help="name of the server's socket")
    add("-S", dest="socket_path", metavar="PATH", help="path of the server's socket")
    add("-f", dest="config_file", metavar="FILE", help="what a new server reads; /dev/null is none")
    words = "words before every tmux, such as 'ssh host'"
    add("--launcher", metavar="WORDS", type=launcher_words, help=words)
    ways = ("subprocess", "control", "auto")
    add("--transport", choices=ways, help="a client for each call, or one in control mode")
    limit = "longest time for one call of tmux (default 5)"
    add("--tmux-timeout", metavar="SECONDS", type=some_seconds, help=limit)
    add = part.add_argument_group("answer").add_argument
    add("--json", action="store_true", help="print one JSON object")
    add("--debug", action="store_true", help="show the traceback of an error")
    return part


def _pane() -> Parser:
    return _one("pane", "PANE", "the pane, by id or name")


def _one(dest: str, metavar: str, about: str) -> Parser:
    part = _part()
    part.add_argument(dest, metavar=metavar, type=_word, help=about)
    return part


def _typing() -> Parser:
    part = _part()
    part.add_argument("--no-enter", dest="enter", action="store_false", help="do not press Enter")
    about = "what a line break in the text is: LF (default), the Enter key, or part of a paste"
    part.add_argument("--newlines", choices=("lf", "enter", "paste"), help=about)
    return part


def _keys() -> Parser:
    part = _part()
    about = "names of keys: Enter Tab Escape Up C-c M-x F5 ... or one character"
    part.add_argument("keys", metavar="KEY", nargs="+", type=_word, help=about)
    return part


def _sending() -> Parser:
    part = _part()
    about = "leave copy mode first, instead of refusing"
    part.add_argument("--leave-mode", action="store_true", help=about)
    return part


def _prompt() -> Parser:
    part = _part()
    part.add_argument("--pattern", metavar="REGEX", help=_PATTERN)
    return part


def _prompt_rows() -> Parser:
    part = _part()
    about = "rows that the shell's prompt has, which tells where the output of run ends"
    part.add_argument("--prompt-rows", metavar="N", type=some_rows, help=about)
    return part


def _deadline(default: float) -> Parser:
    part = _part()
    about = f"longest wait (default {default:g})"
    part.add_argument("--timeout", metavar="SECONDS", type=seconds, help=about)
    return part


def _waiting(*, with_flag: bool = False) -> Parser:
    part = Parser(add_help=False, argument_default=argparse.SUPPRESS, parents=[_deadline(10)])
    if with_flag:
        about = "wait until the pane is ready then, and print the screen; options that say for "
        about += "what, or how long, mean this, too"
        part.add_argument("-w", "--wait", action="store_true", help=about)
    group = part.add_mutually_exclusive_group()
    group.add_argument("--pattern", metavar="REGEX", help=_PATTERN)
    about = "a text to wait for, wherever it is; of send and keys one that is new"
    group.add_argument("--for", dest="awaited", metavar="TEXT", help=about)
    return part


def _reading() -> Parser:
    part = _part()
    about = "how many rows of history to put above the screen, at most (default 100)"
    part.add_argument("--lines", metavar="N", type=row_count, help=about)
    return part


def _form() -> Parser:
    part = _part()
    about = "whose schema (default openai)"
    part.add_argument("--form", choices=("openai", "anthropic", "mcp"), help=about)
    return part


def _shared() -> Parser:
    part = _part()
    about = "the pane of a call that names none, by id or name (default shared)"
    part.add_argument("--pane", metavar="PANE", default="shared", help=about)
    about = "do not open it, with a new shell, when it is not there"
    part.add_argument("--no-open", dest="opens", action="store_false", help=about)
    return part


def _opening() -> Parser:
    part = _part()
    part.add_argument("--name", metavar="NAME", help="name of the session, and so of the pane")
    about = "columns and rows (default 80x24)"
    part.add_argument("--size", metavar="CxR", type=columns_and_rows, help=about)
    part.add_argument("--cwd", metavar="FOLDER", help="folder that the program starts in")
    about = "a variable to add to its environment; may be given again"
    part.add_argument("--env", metavar="A=B", type=variable, action="append", help=about)
    part.add_argument("program", metavar="PROGRAM", nargs="*", type=_word, help=_PROGRAM)
    return part
