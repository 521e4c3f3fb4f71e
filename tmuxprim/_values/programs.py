"""What is known of programs by their names: one table, and one rule of what a name is."""

import enum
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple


class Kind(enum.Enum):
    """What a program is for."""

    SHELL = enum.auto()
    REPL = enum.auto()
    """It shows a prompt, and is no shell."""
    FILTER = enum.auto()
    """It reads what is typed, and shows no prompt of its own that takes commands."""
    PASS_THROUGH = enum.auto()
    """Behind it is another program, perhaps on another machine, which may be a shell."""
    OTHER = enum.auto()


class InterpreterOptions(NamedTuple):
    """How the words of a program name another program, which it runs.

    Options are letters, which may be joined in one word, or long names with their dashes.

    Args:
        valued: Those with a value: the rest of the word, or else the next word.
        attached: Those whose value is the rest of the word, if that is not empty.
        code: Those after which no file is run: the code itself follows, or comes from elsewhere.
        names: Those whose value is what is run.
        signs: What the letters stand behind.
        verbs: Words of which one may stand among the options.
        operands: How many words stand before what is run.
        takes_variables: Whether variables may stand before what is run, as in ``env A=1 vim``.
        runs_commands: Whether what is run is a command, and not a file in a language.
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
    """What is known of a program.

    Args:
        kind: What it is for.
        edits_lines: Whether it is a shell that edits its lines itself, and gives what it runs a
            terminal that does not look like it.
        reads_lines: Whether it is a shell that may leave it to the kernel to edit its lines.
        ignores_stop: Whether it ignores SIGTSTP or SIGTERM while it takes commands.
        exit_status: How it spells the exit status of the last command.
        line_break_marks: What it shows behind output without a line break, so that its prompt
            begins a row.
        always_marks: Whether no option switches that off, and it wipes the whole row of its mark.
        is_raw_early: Whether it makes the terminal raw some time before it shows its prompt.
        edits_answers: Whether its ``read`` always uses its line editor.
        keeps_text_open: Whether its line editor goes on in the same text, on a new row, where the
            rest of a command is wanted.
        polls_to_read: Whether its ``read`` may poll, and it does not sleep by a poll.
        polls_for_lines: Whether it polls for each line, and not only if it has a time limit.
        polls_for_keys: Whether it polls for keys, perhaps with a time limit, and not for a time.
        keys_are_commands: Whether it takes keys for commands where no text is edited, and none of
            them in a text that is pasted.
        keeps_prompt: Whether its prompt keeps its look, and has one row, or a blank one above it.
        passes_on: Whether it always passes on what another program shows: what it waits for besides
            the terminal may be a pipe or a local socket, which others wait for as well.
        is_multiplexer: Whether its server makes terminals, and shows some of them on another's.
        hands_on_terminal: Whether it may let a server of its own have its terminal.
        never_reads: Whether it never reads the terminal.
        is_menu: Whether it lets somebody choose, and takes no command.
        starts_main: Whether its first thread does nothing but start another, and wait for that.
        options: How its words name another program; None if it runs none.
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
    def may_run_scripts(self) -> bool:
        """Whether it shows prompts, and may as well carry out a script that shows its own."""
        return self.kind is Kind.REPL and self.options is not None


# A number, perhaps with letters of a release behind it, as in ksh93u+m and python3.13t; what a
# distribution calls a build. A name that is all number stays.
_VERSION: Final = re.compile(
    r"(?<=[^\d.\-])(?:(?:[-.][rv]?)?\d[\d.\-]*(?:[a-z]\d*(?:\+[a-z])?)?)?"
    r"(?:[-.](?:beta|dbg|debug|dev|multiarch|static))?\Z"
)
# What an interpreter is given in place of a file.
_STDIN: Final = "-"
_ENDING: Final = re.compile(r"\.(?:[cm]?[jt]s|py[cz]?|rb|pl|lua|phar|php|sh|fish|exe)\Z")


def bare_name(name: str) -> str:
    """Return a program's name without what differs from machine to machine.

    That is its directory, the dash of a login shell, what the program itself says behind a colon,
    and its version.
    """
    return _VERSION.sub("", _file_name(name.partition(": ")[0]), count=1)


@lru_cache(maxsize=256)
def program_called(name: str) -> KnownProgram:
    """Return what is known of the program with a name."""
    return _PROGRAMS.get(bare_name(name), _UNKNOWN)


def is_named(name: str | None, names: Iterable[str]) -> bool:
    """Whether a program has one of some names, in whichever version."""
    return name is not None and bare_name(name) in map(bare_name, names)


def is_of_runtime(thread: str) -> bool:
    """Whether a thread with a name keeps house for its program, and does no work of its own."""
    return thread.startswith(_OF_RUNTIMES)


def program_run_by(words: Sequence[str]) -> str:
    """Return the name of the program that a command line runs, as people call it.

    An interpreter runs a file in its language; env and its like run another command.
    """
    return _run_by(words)[0]


def is_given_code(words: Sequence[str]) -> bool:
    """Whether a command line gives an interpreter code to carry out, and not a file of it."""
    return _run_by(words)[1]


def program_itself(words: Sequence[str]) -> KnownProgram:
    """Return what is known of the program of a command line, unless it carries out a script."""
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
    """Return the words behind a program's options: what is run, and its words; none if none is.

    None if it is given code instead.
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
    """Take the options off a program's words, and yield each that says more, with its value."""
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
    """Return the first of some joined options that says more, and what stands behind it."""
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

# As the manual pages of their programs name them. A long option that is not here has no value, or
# one behind an equals sign.
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

# How the names of such threads begin, of Java and of .NET; the kernel keeps 15 characters.
_OF_RUNTIMES: Final = (
    *("GC Thread#", "G1 ", "ZDriver", "ZWorker", "ZDirector", "ZStat", "Shenandoah ", "ParGC"),
    *("VM Thread", "VM Periodic Tas", "Reference Handl", "Finalizer", "Signal Dispatch"),
    *("Service Thread", "Monitor Deflati", "C1 Compiler", "C2 Compiler", "Sweeper thread"),
    *("Notification Th", "Common-Cleaner", "Cleaner-", "Attach Listener", ".NET "),
)

_PROGRAMS: Final[Mapping[str, KnownProgram]] = {
    # Shells; of some it is not known whether they edit lines, or they do not.
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
    # Many a csh is tcsh.
    "csh": _EDITS._replace(
        reads_lines=True, exit_status="$status", options=InterpreterOptions(code=_set("b c s"))
    ),
    "dash": _POSIX._replace(reads_lines=True),
    "rbash": _EDITS._replace(polls_to_read=True),
    "yash": _EDITS._replace(reads_lines=True, line_break_marks=("$",)),
    **_all("loksh oksh osh", _SHELL._replace(exit_status="$?")),
    **_all("elvish es nu pwsh rc xonsh ysh", KnownProgram(Kind.SHELL)),
    # Others that show prompts.
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
    # What stands before other programs.
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
