"""Facts about programs by their names: one table, and one rule that normalises a name."""

import enum
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple


class Kind(enum.Enum):
    """The purpose of a program."""

    SHELL = enum.auto()
    REPL = enum.auto()
    """It shows a prompt, and is not a shell."""
    FILTER = enum.auto()
    """It reads typed input, and has no prompt for commands."""
    PASS_THROUGH = enum.auto()
    """It shows the screen of another program, perhaps on another machine, maybe of a shell."""
    OTHER = enum.auto()


class InterpreterOptions(NamedTuple):
    """The options of a program that runs another one, which its command line names.

    Options are letters, which may be joined in one word, or long names with their dashes.

    Args:
        valued: Options with a value: the rest of the word, or else the next word.
        attached: Options whose value is the rest of the word, if that is not empty.
        code: Options with which no file is run: the code itself follows, or comes from elsewhere.
        names: Options whose value names the program to run.
        signs: The characters that the letters of options follow.
        verbs: Words of which one may be among the options, such as ``run``.
        operands: Number of words between the options and the program to run.
        takes_variables: Whether variables may precede the program to run, as in ``env A=1 vim``.
        runs_commands: Whether it runs a command, rather than a file in a language.
    """

    valued: frozenset[str] = frozenset()
    attached: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    signs: str = "-"
    verbs: frozenset[str] = frozenset()
    operands: int = 0
    takes_variables: bool = False
    runs_commands: bool = False


class KnownProgram(NamedTuple):
    """The facts about a program.

    Args:
        kind: Its purpose.
        edits_lines: Whether it is a shell that edits its lines itself, and sets the terminal
            differently for the commands that it runs.
        reads_lines: Whether it is a shell that may leave the editing of lines to the kernel.
        ignores_stop: Whether it ignores SIGTSTP or SIGTERM while it takes commands.
        exit_status: The variable with the exit status of the last command.
        line_break_marks: The marks that it shows behind output without a line break, so that its
            prompt begins a row.
        always_marks: Whether no option switches the mark off, and it wipes the whole row of it.
        is_raw_early: Whether it makes the terminal raw some time before it shows its prompt.
        edits_answers: Whether its ``read`` always uses its line editor.
        keeps_text_open: Whether, if the rest of a command is missing, its line editor continues the
            same text on a new row.
        polls_to_read: Whether its ``read`` may poll, and none of its sleeps is a poll.
        polls_for_lines: Whether it polls for each line, and not only if it has a time limit.
        polls_for_keys: Whether its polls wait for keys, even those with a time limit.
        keys_are_commands: Whether it takes keys for commands while no text is edited, except in a
            pasted text.
        keeps_prompt: Whether its prompt always has the same text, and one row, or a blank row
            above it.
        passes_on: Whether it always shows the screen of another program. It may then wait for a
            pipe or a local socket besides the terminal, which ordinary programs also do.
        is_multiplexer: Whether its server makes terminals, and shows some of them on another one.
        hands_on_terminal: Whether it may hand its terminal on to a server of its own.
        never_reads: Whether it never reads the terminal.
        is_menu: Whether it is a menu to choose from, which takes no command.
        starts_main: Whether its first thread only starts another one, and waits for that.
        options: Its options, if its command line names a program to run; else None.
    """

    kind: Kind = Kind.OTHER
    edits_lines: bool = False
    reads_lines: bool = False
    ignores_stop: bool = False
    exit_status: str = ""
    line_break_marks: tuple[str, ...] = ()
    always_marks: bool = False
    is_raw_early: bool = False
    edits_answers: bool = False
    keeps_text_open: bool = False
    polls_to_read: bool = False
    polls_for_lines: bool = False
    polls_for_keys: bool = False
    keys_are_commands: bool = False
    keeps_prompt: bool = False
    passes_on: bool = False
    is_multiplexer: bool = False
    hands_on_terminal: bool = False
    never_reads: bool = False
    is_menu: bool = False
    starts_main: bool = False
    options: InterpreterOptions | None = None

    @property
    def always_edits_lines(self) -> bool:
        """Whether it is a shell that never leaves the editing of lines to the kernel."""
        return self.edits_lines and not self.reads_lines

    @property
    def may_run_scripts(self) -> bool:
        """Whether it may run a script with prompts of its own instead of showing its prompt."""
        return self.kind is Kind.REPL and self.options is not None


# A number, perhaps with the letters of a release, as in ksh93u+m and python3.13t, and a
# distribution's suffix of a build. A name that is only a number stays.
_VERSION: Final = re.compile(
    r"(?<=[^\d.\-])(?:(?:[-.][rv]?)?\d[\d.\-]*(?:[a-z]\d*(?:\+[a-z])?)?)?"
    r"(?:[-.](?:beta|dbg|debug|dev|multiarch|static))?\Z"
)
# The word in place of a file that makes an interpreter read standard input.
_STDIN: Final = "-"
_ENDING: Final = re.compile(r"\.(?:[cm]?[jt]s|py[cz]?|rb|pl|lua|phar|php|sh|fish|exe)\Z")


def bare_name(name: str) -> str:
    """Return a program's name without the parts that differ from machine to machine.

    These are its directory, the dash of a login shell, a process title behind a colon, and its
    version.
    """
    return _VERSION.sub("", _file_name(name.partition(": ")[0]), count=1)


@lru_cache(maxsize=256)
def program_called(name: str) -> KnownProgram:
    """Return the facts about the program with a name."""
    return _PROGRAMS.get(bare_name(name), _UNKNOWN)


def is_named(name: str | None, names: Iterable[str]) -> bool:
    """Whether a program has one of some names, in any version."""
    return name is not None and bare_name(name) in map(bare_name, names)


def is_of_runtime(thread: str) -> bool:
    """Whether a thread with a name belongs to a language's runtime, and does none of the work."""
    return thread.startswith(_OF_RUNTIMES)


def program_run_by(words: Sequence[str]) -> str:
    """Return the name that people use for the program that a command line runs.

    An interpreter runs a file in its language; env and similar programs run another command.
    """
    return _run_by(words)[0]


def is_given_code(words: Sequence[str]) -> bool:
    """Whether a command line gives an interpreter code to carry out, and not a file of it."""
    return _run_by(words)[1]


def program_itself(words: Sequence[str]) -> KnownProgram:
    """Return the facts about the program of a command line, unless it carries out a script."""
    return _UNKNOWN if is_given_code(words) else program_called(_run_by(words)[0])


def _run_by(words: Sequence[str]) -> tuple[str, bool]:
    """Return the name of the program that a command line runs, and whether it is given code."""
    name = _ENDING.sub("", _file_name(words[0])) if words else ""
    options = program_called(name).options
    run = _words_run(words[1:], options) if options else []
    if not (options and run):
        return name, run is None
    return _run_by(run if options.runs_commands else run[:1])


def _file_name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].lstrip("-")


def _words_run(words: Sequence[str], options: InterpreterOptions) -> list[str] | None:
    """Return the words behind a program's options: the program that it runs, and its words.

    The list is empty if it runs no other program; None if it is given code instead.
    """
    left = deque(words)
    for option, value in _taken_off(left, options):
        if option in options.code or option == _STDIN:
            return None
        if option in options.names:
            return [value, *left] if value else []
    while left and options.takes_variables and "=" in left[0]:
        left.popleft()
    return list(left)[options.operands :]


def _taken_off(left: deque[str], options: InterpreterOptions) -> Iterator[tuple[str, str]]:
    """Take the options off a program's words, and yield each known one with its value."""
    verbs = options.verbs
    while left and (left[0] in verbs or left[0].startswith(tuple(options.signs))):
        word = left.popleft()
        if word == "--":
            return
        if word in verbs:
            verbs = frozenset()
            continue
        option, value = _first_known(word, options)
        if option in options.names | options.valued and not value and left:
            value = left.popleft()
        yield option, value


def _first_known(word: str, options: InterpreterOptions) -> tuple[str, str]:
    """Return the first known option of a word of joined options, and the rest of the word."""
    if word == _STDIN or word.startswith("--"):
        return word, ""
    letters = word[1:]
    telling = options.valued | options.attached | options.code | options.names
    place = next((n for n, letter in enumerate(letters) if letter in telling), len(letters))
    return letters[place : place + 1], letters[place + 1 :]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _all(names: str, program: KnownProgram) -> dict[str, KnownProgram]:
    return dict.fromkeys(names.split(), program)


_UNKNOWN: Final = KnownProgram()
_SCRIPTS: Final = InterpreterOptions(valued=_set("o O T"), code=_set("c s"), signs="-+")
_SHELL: Final = KnownProgram(Kind.SHELL, options=_SCRIPTS)
_POSIX: Final = _SHELL._replace(ignores_stop=True, exit_status="$?")
_EDITS: Final = _POSIX._replace(edits_lines=True)
_REPL: Final = KnownProgram(Kind.REPL)
_STEADY: Final = KnownProgram(Kind.REPL, keeps_prompt=True)
_FILTER: Final = KnownProgram(Kind.FILTER)
_PASS_THROUGH: Final = KnownProgram(Kind.PASS_THROUGH)
_COMMANDS: Final = InterpreterOptions(runs_commands=True)

# The options are from the manual pages of their programs. A long option that is not here has no
# value, or has it behind an equals sign.
_PYTHON: Final = InterpreterOptions(
    valued=_set("W X --check-hash-based-pycs"), code=_set("c"), names=_set("m")
)
_NODE: Final = InterpreterOptions(
    valued=_set("""
        C r --build-snapshot-config --conditions --cpu-prof-dir --cpu-prof-name --diagnostic-dir
        --disable-warning --dns-result-order --env-file --env-file-if-exists --experimental-loader
        --heap-prof-dir --heap-prof-name --icu-data-dir --import --input-type --loader
        --openssl-config --redirect-warnings --report-dir --report-directory --report-filename
        --report-signal --require --snapshot-blob --title --trace-event-categories
        --unhandled-rejections --watch-path
    """),
    code=_set("e p --eval --print --run"),
    verbs=_set("inspect"),
)
_BUN: Final = InterpreterOptions(
    valued=_set("c d l r --config --cwd --define --env-file --import --loader --preload --require"),
    code=_set("e p --eval --print"),
    verbs=_set("run x"),
)
_DENO: Final = InterpreterOptions(
    valued=_set("c L --cert --config --import-map --location --lock --log-level --seed"),
    verbs=_set("run serve"),
)
_RUBY: Final = InterpreterOptions(
    valued=_set("C E I X r --disable --enable --encoding --external-encoding --internal-encoding"),
    attached=_set("0 F K T W i x"),
    code=_set("e"),
)
_PERL: Final = InterpreterOptions(
    valued=_set("I"), attached=_set("0 C D F M V d i l m x"), code=_set("e E")
)
_PHP: Final = InterpreterOptions(
    valued=_set("c d t z --define --docroot --php-ini"),
    code=_set("B E R S r --process-begin --process-code --process-end --run --server"),
    names=_set("F f --file --process-file"),
)
_LUA: Final = InterpreterOptions(valued=_set("e l"))

# The beginnings of the names of runtime threads, of Java and of .NET. They are cut to 15
# characters, as the kernel cuts them (proc(5), ``comm``).
_OF_RUNTIMES: Final = (
    *("GC Thread#", "G1 ", "ZDriver", "ZWorker", "ZDirector", "ZStat", "Shenandoah ", "ParGC"),
    *("VM Thread", "VM Periodic Tas", "Reference Handl", "Finalizer", "Signal Dispatch"),
    *("Service Thread", "Monitor Deflati", "C1 Compiler", "C2 Compiler", "Sweeper thread"),
    *("Notification Th", "Common-Cleaner", "Cleaner-", "Attach Listener", ".NET "),
)

_PROGRAMS: Final[Mapping[str, KnownProgram]] = {
    # Shells; those without `edits_lines` do not edit lines, or were not examined.
    "bash": _EDITS._replace(
        polls_to_read=True,
        options=_SCRIPTS._replace(valued=_set("o O --init-file --rcfile")),
    ),
    "sh": _EDITS._replace(reads_lines=True, polls_to_read=True, polls_for_lines=True),
    **_all("ash busybox", _EDITS._replace(polls_to_read=True, polls_for_lines=True)),
    **_all("ksh mksh", _EDITS),
    "zsh": _EDITS._replace(line_break_marks=("%", "#")),
    "fish": _EDITS._replace(
        exit_status="$status",
        line_break_marks=("⏎", "¶"),
        always_marks=True,
        is_raw_early=True,
        edits_answers=True,
        keeps_text_open=True,
        options=InterpreterOptions(
            valued=_set("C D d f o --init-command"), code=_set("c --command")
        ),
    ),
    "tcsh": _EDITS._replace(exit_status="$status", options=InterpreterOptions(code=_set("b c s"))),
    # On many systems csh is a link to tcsh.
    "csh": _EDITS._replace(
        reads_lines=True, exit_status="$status", options=InterpreterOptions(code=_set("b c s"))
    ),
    "dash": _POSIX._replace(reads_lines=True),
    "rbash": _EDITS._replace(polls_to_read=True),
    "yash": _EDITS._replace(reads_lines=True, line_break_marks=("$",)),
    **_all("loksh oksh osh", _SHELL._replace(exit_status="$?")),
    **_all("elvish es nu pwsh rc xonsh ysh", KnownProgram(Kind.SHELL)),
    # REPLs and filters.
    "python": _STEADY._replace(options=_PYTHON),
    "pypy": _REPL._replace(options=_PYTHON),
    **_all("node nodejs", _STEADY._replace(options=_NODE)),
    "bun": KnownProgram(options=_BUN),
    "deno": _REPL._replace(options=_DENO),
    "ruby": _STEADY._replace(options=_RUBY),
    "perl": _STEADY._replace(options=_PERL),
    "php": _STEADY._replace(options=_PHP),
    "lua": _STEADY._replace(options=_LUA),
    **_all("gdb ipython IPython irb lldb mariadb mysql psql redis-cli sqlite", _STEADY),
    **_all("bc bpython clisp dc erl ftp ghci gnuplot guile iex jshell julia octave pdb", _REPL),
    **_all("ptpython R racket sftp tclsh utop", _REPL),
    **_all("awk cat cut grep sed sort tee tr wc", _FILTER),
    **_all("fzf fzy peco percol sk", _FILTER._replace(is_menu=True)),
    **_all("dialog gum smenu whiptail", KnownProgram(is_menu=True)),
    **_all("ex htop mc more top", KnownProgram(polls_for_keys=True)),
    **_all(
        "emacs nvim vi view vim vimdiff", KnownProgram(polls_for_keys=True, keys_are_commands=True)
    ),
    **_all("helix hx kak", KnownProgram(keys_are_commands=True)),
    "sleep": KnownProgram(never_reads=True),
    "java": KnownProgram(starts_main=True),
    # Programs that pass another one through, or run one.
    "ssh": KnownProgram(Kind.PASS_THROUGH, passes_on=True, hands_on_terminal=True),
    **_all("docker kubectl podman", KnownProgram(Kind.PASS_THROUGH, passes_on=True)),
    **_all(
        "screen tmux", KnownProgram(Kind.PASS_THROUGH, is_multiplexer=True, hands_on_terminal=True)
    ),
    **_all("adb lxc machinectl mosh-client nsenter script su telnet toolbox", _PASS_THROUGH),
    **_all("unshare vagrant", _PASS_THROUGH),
    "sudo": _PASS_THROUGH._replace(
        options=_COMMANDS._replace(
            valued=_set("C D R T U g h p r t u --chdir --group --host --user"), takes_variables=True
        )
    ),
    "doas": _PASS_THROUGH._replace(options=_COMMANDS._replace(valued=_set("C u"))),
    "env": KnownProgram(
        options=_COMMANDS._replace(
            valued=_set("C u --chdir --unset"), names=_set("S"), takes_variables=True
        )
    ),
    "nice": KnownProgram(options=_COMMANDS._replace(valued=_set("n --adjustment"))),
    "stdbuf": KnownProgram(
        options=_COMMANDS._replace(valued=_set("e i o --error --input --output"))
    ),
    "time": KnownProgram(options=_COMMANDS._replace(valued=_set("f o --format --output"))),
    "timeout": KnownProgram(
        options=_COMMANDS._replace(valued=_set("k s --kill-after --signal"), operands=1)
    ),
    **_all("nohup setsid", KnownProgram(options=_COMMANDS)),
}
