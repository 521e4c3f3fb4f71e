"""The command lines of tmux: pure functions from values to words.

Rules (tmux manual, PARSING SYNTAX; measured on tmux 2.9 to 3.8):

* A command is a tuple of words. A word of its own, ``;``, ends one command and starts the
  next; the whole chain is one turn of the server, in which no program's output is read.
* A last ``;`` of any other word is escaped, or tmux would take it for such an end.
* Inside ``if-shell`` tmux parses a text, so its words are quoted. A command that fails there ends
  that text only: tmux goes on behind the ``if-shell``.
* ``send-keys -l --`` types text; without ``-l`` a word is a key name, so only names of our own
  table go there.
* Values of the user's never go into a format (``#{...}``).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

import attrs

from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import behind_env, check_session_name
from tmuxprim._values.keys import Key, KeySequence, Paste
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import InvalidTextError

Words: TypeAlias = tuple[str, ...]

# The client refuses more than 16364 bytes of words (measured, 2.9 to 3.8); the rest of a guarded
# chain takes about 1,000.
_LARGEST_BODY: Final = 12_000
# A character takes up to four bytes when it is quoted.
_PIECE: Final = _LARGEST_BODY // 4
# Commands of so many bytes fit without being measured, at four bytes for each character.
_SURELY_FITS: Final = 1_000
# A text that is longer when quoted goes through a paste buffer.
LARGEST_TYPED: Final = 4_000
# tmux's parser has a stack for some thousand words.
_MOST_WORDS: Final = 500
# How a command begins that is carried out under a condition on a pane.
_GUARD: Final = ("if-shell", "-F", "-t")
# Calls that are kept with a mark, since their text takes long to quote.
_MOST_MARKED: Final = 256
# What a guarded call prints if the pane is not as it was seen; no hook prints it by chance.
OTHERWISE: Final = "tmuxprim: the pane is not as it was seen"

# Formats without any text of the user's: true if keys reach the pane's program and no other one.
# With synchronize-panes they would go to the whole window.
_REACHABLE: Final = (
    "#{?pane_dead,,#{?pane_input_off,,#{?pane_synchronized,#{==:#{window_panes},1},1}}}"
)
_TAKES_INPUT: Final = f"#{{?pane_in_mode,,{_REACHABLE}}}"
# The place where a screen ends. A program that prints moves it; one that paints elsewhere need not.
_PLACE: Final = (
    "#{pane_width} #{pane_height} #{alternate_on} #{history_size} #{cursor_y} #{cursor_x}"
)

# The identity of a server. The next one on its socket counts its panes from %0 again.
SERVER: Final = "#{pid}.#{start_time}"

# A variable of the client that opens a pane. A server inherits the environment of the client that
# started it, so if it has this client's id in the variable, this client has started it.
STARTED_BY: Final = "TMUXPRIM_STARTED_BY"
# An option that is set on the servers that we have started, and on no others.
OURS: Final = "@tmuxprim_started"

_ESCAPES: Final = str.maketrans(
    {
        **{chr(code): f"\\{code:03o}" for code in (*range(0x20), 0x7F)},
        **{char: f"\\{char}" for char in '\\"$'},
        # Even between quotes tmux would replace it by the home directory.
        "~": "\\176",
    }
)
_ESCAPED: Final = re.compile(f"[{re.escape(''.join(map(chr, _ESCAPES)))}]")


def quote(word: str) -> str:
    """Return *word* as tmux's own parser reads it back, byte for byte."""
    # Few words need it, and to translate one takes several times as long as to search it.
    return f'"{word.translate(_ESCAPES) if _ESCAPED.search(word) else word}"'


def escape(word: str) -> str:
    """Return *word* as the client's command line takes it."""
    return f"{word[:-1]}\\;" if word.endswith(";") else word


def chain(*commands: Words) -> Words:
    """Return commands as one chain, carried out in one turn of the server."""
    words: list[str] = []
    for command in commands:
        if words:
            words.append(";")
        words.extend(escape(word) for word in command)
    return tuple(words)


@attrs.frozen
class Buffer:
    """A text that is sent by way of a paste buffer.

    Args:
        name: The buffer's name.
        text: The text.
        bracketed: Whether it arrives as a paste, rather than as if typed.
    """

    name: str
    text: str
    bracketed: bool = False

    @property
    def pieces(self) -> list[Words]:
        """The commands that fill the buffer where a client has no standard input."""
        starts = range(0, len(self.text), _PIECE)
        name = ("-b", self.name, "--")
        return [
            ("set-buffer", *(("-a",) if start else ()), *name, self.text[start : start + _PIECE])
            for start in starts
        ]

    def paste(self, pane: Pane, *, raw_flag: bool) -> Words:
        """Return the command that sends the buffer and deletes it.

        From 3.7 on tmux needs the *raw_flag* to send control characters as they are.
        """
        flags = ("-d", "-r", *(("-p",) if self.bracketed else ()), *(("-S",) if raw_flag else ()))
        return ("paste-buffer", *flags, "-b", self.name, "-t", pane.target)


Action: TypeAlias = Words | Buffer


def typing_actions(pane: Pane, keys: KeySequence, buffer_names: Iterator[str]) -> list[Action]:
    """Return the commands and buffers that type *keys* into *pane*, in order."""
    check_type("pane", pane, Pane)
    check_type("keys", keys, KeySequence)
    actions: list[Action] = []
    for part in _join_plain_keys(keys):
        if isinstance(part, tuple):
            actions.append(("send-keys", "-t", pane.target, "--", *part))
        elif isinstance(part, Paste):
            actions.append(Buffer(next(buffer_names), part.as_sent, bracketed=True))
        # A very long text is not quoted to find out.
        elif len(part) > LARGEST_TYPED or len(quote(part).encode()) > LARGEST_TYPED:
            actions.append(Buffer(next(buffer_names), part))
        else:
            actions.append(("send-keys", "-t", pane.target, "-l", "--", part))
    return actions


def _join_plain_keys(keys: KeySequence) -> Iterator[str | Paste | Words]:
    """Yield texts, pastes and runs of key names; a key that is one plain character is text."""
    parts = (part.name if isinstance(part, Key) and len(part.name) == 1 else part for part in keys)
    for _, run in groupby(KeySequence(tuple(parts)), lambda part: isinstance(part, Key)):
        alike = list(run)
        names = tuple(part.name for part in alike if isinstance(part, Key))
        yield from (names[at : at + _MOST_WORDS] for at in range(0, len(names), _MOST_WORDS))
        yield from (part for part in alike if not isinstance(part, Key))


def guarded(
    pane: Pane, commands: Sequence[Words], *, leave_mode: bool, pipes_to: str = ""
) -> Words:
    """Return *commands* under the condition that the pane takes input in the turn they are run.

    What its program writes from then on may be *piped to* a command; see `pipe_pane`.
    """
    condition = _REACHABLE if leave_mode else _TAKES_INPUT
    leave = [("copy-mode", "-q", "-t", pane.target)] if leave_mode else []
    pipe, condition = _piping(pane, pipes_to, condition)
    return _only_if(condition, pane, [*pipe, *leave, *commands])


def guarded_as_expected(
    pane: Pane, commands: Sequence[Words], screen: Screen, *, pipes_to: str = ""
) -> Words:
    """Return *commands* under the condition that the pane takes input and is as on *screen*.

    If it does not, the whole prints `OTHERWISE`.
    """
    size, cursor = screen.size, screen.cursor
    cells = f"{size.columns} {size.rows} {int(screen.alternate)}"
    place = f"{cells} {screen.history_size} {cursor.row} {cursor.column}"
    pipe, condition = _piping(pane, pipes_to, _TAKES_INPUT)
    condition = f"#{{?#{{==:{_PLACE},{place}}},{condition},}}"
    otherwise = body([("display-message", "-p", OTHERWISE)])
    return (*_only_if(condition, pane, [*pipe, *commands]), otherwise)


def pipe_pane(pane: Pane, command: str) -> Words:
    """Return the command that hands what a pane's program writes to *command*, a text for sh.

    Only if no other has it: one that is there would be ended. With ``-I`` tmux notices at once that
    *command* has ended; what that prints would be typed, so it must print nothing.
    """
    pipe, condition = _piping(pane, command, "#{?pane_dead,,1}")
    return _only_if(condition, pane, pipe)


def _piping(pane: Pane, command: str, condition: str) -> tuple[list[Words], str]:
    """Return what pipes to *command*, if to any, and under what condition."""
    if not command:
        return [], condition
    literal = command.replace("#", "##").replace("%", "%%")
    pipe = ("pipe-pane", "-I", "-O", "-t", pane.target, literal)
    return [pipe], f"#{{?pane_pipe,,{condition}}}"


def kill_pane(pane: Pane) -> Words:
    """Return the command that ends a pane, but not a pane of a later server with its id."""
    return _only_if("1", pane, [("kill-pane", "-t", pane.target)])


def _only_if(condition: str, pane: Pane, commands: Sequence[Words]) -> Words:
    """Return *commands* under a condition (a format of tmux), and only on the pane's own server."""
    if pane.server:
        condition = f"#{{?#{{==:{SERVER},{pane.server}}},{condition},}}"
    return (*_GUARD, pane.target, condition, body(commands))


def redact(words: Words) -> Words:
    """Return a command as an error may quote it: keys and variables may hold passwords."""
    if words[0] == "if-shell" and STARTED_BY in words[2]:
        return (*words[:2], "...")
    if words[0] == "if-shell" and _REACHABLE in words[4]:
        return (*words[:5], "...")
    if words[0] == "set-buffer":
        return (*words[:-1], "...")
    if words[0] == "new-session":
        before = ("", *words)
        return tuple(
            f"{word.partition('=')[0]}=..." if flag == "-e" else word
            for flag, word in zip(before, words, strict=False)
        )
    return words


class Marked(NamedTuple):
    """A call with marks, each of which prints a word if all before it went well.

    The exit status of a client is that of the last ``run-shell``, and a hook of the user's may have
    triggered it; a refusal on standard error may also be of a hook. So only a mark shows that a
    command was carried out.

    Args:
        call: The call, with the commands that print the word.
        word: The word.
        times: How many times it is printed if all goes well.
    """

    call: "TmuxCall"
    word: str
    times: int

    def split(self, printed: str) -> tuple[str, bool]:
        """Return the answer, and whether all was done.

        What is behind a mark is of no command of ours, but of a hook. A screen may show anything,
        so in the answer of a call that reads only the last mark is one.
        """
        if self.call.is_reading:
            answer, mark, _ = f"\n{printed}".rpartition(f"\n{self.word}\n")
            return (f"{answer}\n"[1:], True) if mark else (printed, False)
        lines = printed.split("\n")
        if self.word not in lines:
            return printed, False
        answer = "".join(f"{line}\n" for line in lines[: lines.index(self.word)])
        return answer, lines.count(self.word) == self.times


def marked(call: "TmuxCall", word: str) -> Marked:
    """Return a call with its marks; a branch of ``if-shell`` fails for itself, so each has one."""
    mark = ("display-message", "-p", word)
    if call.is_reading:
        return Marked(_with_end(call, mark), word, 1)
    head = call.head and _with_end(call.head, mark)
    begins = 0 if call.head is None else len(call.head.commands)
    own = tuple(_mark_branches(words, mark) for words in call.commands[begins:])
    times = sum(words[: len(_GUARD)] == _GUARD for words in own) + (head is not None)
    if own and own[-1][: len(_GUARD)] != _GUARD:
        own, times = (*own, mark), times + 1
    before = () if head is None else head.commands
    return Marked(attrs.evolve(call, commands=(*before, *own), head=head), word, times)


@lru_cache(_MOST_MARKED)
def _with_end(call: "TmuxCall", mark: Words) -> "TmuxCall":
    """Return a call with a mark at its end."""
    return attrs.evolve(call, commands=(*call.commands, mark))


def _mark_branches(words: Words, mark: Words) -> Words:
    if words[: len(_GUARD)] != _GUARD:
        return words
    *before, one, other = words if len(words) > len(_GUARD) + 3 else (*words, "")
    end = body([mark])
    return (*before, f"{one} ; {end}", f"{other} ; {end}" if other else end)


def body(commands: Iterable[Words]) -> str:
    """Return commands as a text for tmux's parser."""
    return " ; ".join(" ".join(map(quote, command)) for command in commands)


def batches(commands: Sequence[Words]) -> list[list[Words]]:
    """Return *commands* in groups that each fit into one call of the client; at least one."""
    groups: list[list[Words]] = [[]]
    if sum(4 * len(word) for command in commands for word in command) < _SURELY_FITS:
        return [list(commands)]
    size = 0
    for command in commands:
        length = len(body([command]).encode()) + 3
        if groups[-1] and size + length > _LARGEST_BODY:
            groups.append([])
            size = 0
        groups[-1].append(command)
        size += length
    return groups


def open_session(
    command: str | Sequence[str] | None,
    *,
    size: Size,
    cwd: str | None,
    env: Mapping[str, str] | None,
    name: str | None,
) -> Words:
    """Return the command that opens a pane in a session of its own and prints id and size."""
    opened = f"#{{pane_id}} {SERVER} #{{pane_width}} #{{pane_height}}"
    words = ["new-session", "-d", "-P", "-F", opened]
    words += ["-x", str(size.columns), "-y", str(size.rows)]
    if name is not None:
        words += ["-s", check_session_name(name)]
    if cwd is not None:
        if "#[" in cwd:
            raise InvalidTextError(
                f"tmux takes '#[' in a directory's name for a style, got {cwd!r}; open the pane in "
                "another directory"
            )
        # The directory's name is a format to tmux, in which ## stands for one #.
        words += ["-c", cwd.replace("#", "##")]
    for variable, value in (env or {}).items():
        words += ["-e", f"{variable}={value}"]
    if command is not None:
        words += ["--", *_program(command)]
    return tuple(words)


def set_up_if_started(client_id: str, history_limit: int | None) -> Words:
    """Return the command that sets a server up if this client has started it.

    The options of a server that another has started stay as they are.
    """
    commands: list[Words] = [
        ("set-option", "-s", OURS, "on"),
        ("set-environment", "-gu", STARTED_BY),
    ]
    if history_limit is not None:
        most = (
            f"#{{?#{{e|<:#{{history-limit}},{history_limit}}},{history_limit},#{{history-limit}}}}"
        )
        commands.append(("set-option", "-gF", "history-limit", most))
    return ("if-shell", "-F", f"#{{==:#{{{STARTED_BY}}},{client_id}}}", body(commands))


def resize_pane(pane: Pane, size: Size) -> tuple[Words, Words]:
    """Return two commands: one resizes the window of a lone pane, the other a pane among others.

    The condition of the other one is false.
    """
    cells = ("-t", pane.target, "-x", str(size.columns), "-y", str(size.rows))
    whole = _only_if("#{==:#{window_panes},1}", pane, [("resize-window", *cells)])
    return whole, _only_if("#{!=:#{window_panes},1}", pane, [("resize-pane", *cells)])


def _program(command: str | Sequence[str]) -> Words:
    if isinstance(command, str):
        return (command,)
    # tmux hands a single word to a shell; with a second one it runs the program itself.
    return tuple(command) if len(command) > 1 else behind_env(command, {})


@attrs.frozen(slots=False)
class TmuxCall:
    """Commands that the server carries out in one turn.

    Args:
        commands: The commands; if one fails, the rest is not carried out.
        stdin: Standard input of the client.
        is_repeatable: Whether twice is as good as once, so that it may be repeated when it is
            unknown whether it was carried out.
        ends: The pane that it ends, and with it perhaps the session of a connection.
        head: A call that these commands begin with, and whose answer is theirs. It is quoted only
            once, since that takes as long as tmux takes to answer.
        client_id: For a call that opens a pane, and may start the server: the value of `STARTED_BY`
            in the environment of its client, and of no other.
        by: The words before the client that print evidence beside its answer, if some do.
    """

    commands: tuple[Words, ...]
    stdin: bytes = b""
    is_repeatable: bool = True
    ends: Pane | None = None
    head: "TmuxCall | None" = None
    client_id: str | None = None
    by: Words = ()

    @property
    def opens(self) -> bool:
        """Whether it opens a pane, and starts the server if need be."""
        return self.client_id is not None

    @property
    def is_reading(self) -> bool:
        """Whether all that it prints is its answer."""
        return self.is_repeatable and self.head is None and self.ends is None

    @cached_property
    def line(self) -> str:
        """The commands as a line for tmux's parser."""
        if self.head is None:
            return body(self.commands)
        own = self.commands[len(self.head.commands) :]
        return f"{self.head.line} ; {body(own)}" if own else self.head.line

    @property
    def redacted(self) -> tuple[Words, ...]:
        """The commands as an error may quote them."""
        return tuple(map(redact, self.commands))


def call(*commands: Words, head: TmuxCall | None = None, stdin: bytes = b"") -> TmuxCall:
    """Return a call that may be repeated; it may begin with another one."""
    before = () if head is None else head.commands
    return TmuxCall((*before, *commands), stdin, head=head)


def action(*commands: Words, head: TmuxCall | None = None) -> TmuxCall:
    """Return a call that must not be repeated; it may begin with another one."""
    return attrs.evolve(call(*commands, head=head), is_repeatable=False)
