"""The grammar of the command line.

Options may be anywhere, before the command and behind it. A text is one word, so that
nothing of it can be taken for an option, and no space of it be lost; a text that begins with
``-`` goes behind ``--``. All words behind the first ``--`` are taken as they are.
"""

import argparse
import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn

from typing_extensions import override

from tmuxprim import __version__
from tmuxprim._cli.grammar import COMMANDS, MARK, add_common, as_typed
from tmuxprim._cli.options import Options
from tmuxprim._cli.status import Status, status_for, status_lines

_ABOUT: Final = """\
Type into the panes of a tmux server, read them, and wait until they are ready.

A pane is named by its id (%3) or by session, session:window or session:window.pane. A name must be
complete; its beginning is not enough. The pane always comes first.
"""
_EXAMPLES: Final = (
    "tmuxprim open --name work",
    "tmuxprim run work 'make test' --timeout 600",
    "tmuxprim send work 'python3 -m http.server' --for Serving",
    "tmuxprim attach work",
    "tmuxprim close work",
)
_MORE: Final = """\
environment:
  TMUXPRIM_SOCKET  the server, if neither -L nor -S is given: a path if it holds a '/', or a name
  TMUXPRIM_PANE    the pane that '.' means in place of PANE
  NO_COLOR         no colours, if it is set

exit status:
{statuses}
A wait reports its result on stderr, so stdout holds only the screen.
"""
_MORE_OF_A_COMMAND: Final = "'tmuxprim help' lists the exit statuses and the server options."


class UseError(Exception):
    """A command line makes no sense; the message says why."""


class Parser(argparse.ArgumentParser):
    """Says which word was probably meant."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401  # as argparse takes it
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter,
            argument_default=argparse.SUPPRESS,
            allow_abbrev=False,
            **more,
        )
        self.own: Mapping[str, Parser] = {}  # by the name of the command

    @override
    def error(self, message: str) -> NoReturn:
        """Print the error, and where to read on."""
        raise UseError(f"{self.prog}: {message} (see '{self.prog} --help')")

    @override
    def _check_value(self, action: argparse.Action, value: object) -> None:
        known = [*(action.choices or ())]
        if known and value != [] and value not in known:
            meant = _did_you_mean(str(value), known)
            if action.dest in ("command", "of"):
                self.error(f"there is no command {value!r}{meant}")
            raise argparse.ArgumentError(action, f"one of {', '.join(known)}, got {value!r}{meant}")

    def panes(self) -> list[argparse.Action]:
        """Return the arguments that name a pane: its own, and those of its commands."""
        own = [action for action in self._actions if action.dest in ("pane", "panes")]
        return own + [pane for parser in self.own.values() for pane in parser.panes()]

    @property
    def words(self) -> str:
        """The parts of its command line besides options."""
        several = {"+": "{0} ...", "*": "[{0} ...]"}
        return " ".join(
            several.get(str(action.nargs), "{0}").format(action.metavar)
            for action in self._actions
            if not action.option_strings
        )

    def option_like(self, word: str) -> str:
        """Return the advice to take the option that was probably meant, if there is one."""
        return _did_you_mean(word.partition("=")[0], self._option_string_actions)


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    import difflib  # slow to import, and only needed for a misspelt name

    # A slip is seldom in the first letter: who types 'nope' does not mean 'open'.
    alike = [name for name in known if name[:1] == word[:1]]
    close = difflib.get_close_matches(word, alike, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def make_parser() -> Parser:
    """Return the parser of the command line."""
    usage = "tmuxprim COMMAND [ARGUMENT ...] [OPTION ...]"
    about = _with_examples(_ABOUT, _EXAMPLES)
    parser = Parser(
        prog="tmuxprim",
        usage=usage,
        description=about,
        epilog=_MORE.format(statuses=status_lines()),
    )
    parser.add_argument("--version", action="version", version=f"tmuxprim {__version__}")
    add_common(parser)
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=False, prog=parser.prog
    )
    for name, command in COMMANDS.items():
        about = f"{command.about[0].upper()}{command.about[1:]}."
        own = commands.add_parser(
            name,
            help=command.about,
            description=_with_examples(about, command.examples),
            epilog=_MORE_OF_A_COMMAND,
        )
        command.add_arguments(own)
        own.usage = f"{own.prog} {own.words} [OPTION ...]".replace("  ", " ")
        add_common(own, hidden=True)
    parser.own = commands.choices
    return parser


def _with_examples(about: str, examples: Sequence[str]) -> str:
    """Return a description, with examples of command lines."""
    return "\n  ".join([f"{about}\n\nexamples:", *examples])


def parse(argv: Sequence[str]) -> Options:
    """Return what a command line says.

    Raises:
        SystemExit: If it makes no sense, or asks for help; that has been printed then.
    """
    parser = make_parser()
    options = Options()
    try:
        _read(parser, argv, options)
    except UseError as error:
        parser.exit(status_for(options.command, Status.BAD_USE), f"{error}\n")
    if options.command == "":
        parser.print_help(sys.stderr)
        parser.exit(Status.BAD_USE)
    if options.command == "help":
        parser.parse_args([*options.of, "--help"])
    if options.command == "version":
        parser.parse_args(["--version"])
    return options


def _read(parser: Parser, argv: Sequence[str], options: Options) -> None:
    """Set *options* to the values of a command line, and of the environment.

    Raises:
        UseError: If it makes no sense.
    """
    words = _mark_words(argv)
    _, marked = parser.parse_known_args(words, options)
    if marked:
        own = parser.own.get(options.command, parser)
        own.error(_unexpected(own, options, argv, [as_typed(word) for word in marked]))
    if options.command == "mcp" and options.json:
        parser.error("mcp speaks JSON anyway, and prints nothing else: leave --json out")
    _choose_server(parser, options)


def _choose_server(parser: Parser, options: Options) -> None:
    """Set the server to that of the environment if the options name none.

    Raises:
        UseError: If they name two, or one without a name.
    """
    if options.socket_name is not None and options.socket_path is not None:
        parser.error("give -L or -S, not both")
    if "" in (options.socket_name, options.socket_path):
        parser.error(
            "-L and -S name a server, and are not empty: leave them out for the user's own"
        )
    if "/" in (options.socket_name or ""):
        parser.error(f"-L is a name without '/', got {options.socket_name!r}: give -S for a path")
    if options.socket_name is options.socket_path is None:
        socket = os.environ.get("TMUXPRIM_SOCKET") or None
        is_path = socket is not None and "/" in socket
        options.socket_path, options.socket_name = (socket, None) if is_path else (None, socket)


def _mark_words(argv: Sequence[str]) -> list[str]:
    """Return the words with a mark on each behind the first ``--``, which are no options.

    What argparse itself does about a second ``--`` depends on the version of Python.
    """
    words = list(argv)
    if "--" not in words:
        return words
    end = words.index("--")
    return words[:end] + [MARK + word for word in words[end + 1 :]]


def _unexpected(parser: Parser, options: Options, argv: Sequence[str], rest: Sequence[str]) -> str:
    """Say what to do about words that nobody expected."""
    message = f"did not expect {shlex.join(rest)}"
    if options.command == "open" and options.program:
        return f"{message}: put -- before the program"
    if rest[0].startswith("--") and (meant := parser.option_like(rest[0])):
        return f"{message}{meant}"
    if options.text in argv:
        meant = shlex.quote(" ".join(argv[argv.index(options.text) :]))
        return (
            f"{message}: quote the text, so that it is one word, as in {meant}, and put -- before "
            "it if it begins with '-'"
        )
    return message
