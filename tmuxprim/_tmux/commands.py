"""How a tmux command line is written: pure functions from values to words.

Rules (tmux manual, PARSING SYNTAX; measured on tmux 2.9 to 3.8):

* A command is a tuple of words. A word of its own, ``;``, ends one command and starts the
  next; the whole chain is one turn of the server, in which no program's output is read.
* A last ``;`` of any other word is escaped, or tmux would take it for such an end.
* Inside ``if-shell`` tmux parses a text, so its words are quoted. Control mode answers what it
  does with blocks of their own; both its branches have as many, so that they can be counted.
* ``send-keys -l --`` types text; without ``-l`` a word is a key name, so only names of our own
  table go there.
* Values of the user's never go into a format (``#{...}``).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

import attrs

from tmuxprim._values.checks import check_session_name
from tmuxprim._values.keys import Key, KeySequence, Paste
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import InvalidTextError

Words: TypeAlias = tuple[str, ...]

# The client refuses more than 16364 bytes of words (measured, 2.9 to 3.8); the rest of a guarded
# chain takes about 1,000.
_LARGEST_BODY: Final = 12_000
# So do commands of so many bytes, four for each character and none for what is put between words.
_SURELY_FITS: Final = 1_000
# A text that is longer, once quoted, goes through a paste buffer instead.
LARGEST_TYPED: Final = 4_000
# tmux's parser has a stack for some thousand words.
_MOST_WORDS: Final = 500

# Conditions of tmux's own, in which nothing of the user's stands: true if what is sent reaches
# the pane's program and no other. With synchronize-panes it would go to the whole window.
_REACHABLE: Final = (
    "#{?pane_dead,,#{?pane_input_off,,#{?pane_synchronized,#{==:#{window_panes},1},1}}}"
)
_TAKES_INPUT: Final = f"#{{?pane_in_mode,,{_REACHABLE}}}"
# Where a screen ends. A program that writes moves it, but for what it paints elsewhere.
_PLACE: Final = (
    "#{pane_width} #{pane_height} #{alternate_on} #{history_size} #{cursor_y} #{cursor_x}"
)

# What tells a server from the next one on its socket, which counts its panes from %0 again.
SERVER: Final = "#{pid}.#{start_time}"

# What does nothing to a server that is there, and prints nothing.
_NOTHING: Final = ("start-server",)

# A variable of the client that opens a pane. A server begins with the environment of the client
# that started it, so a server that has this client's id there was started by it.
STARTED_BY: Final = "TMUXPRIM_STARTED_BY"
# An option that only servers have which we have started.
OURS: Final = "@tmuxprim_started"

_SPECIAL: Final = re.compile(r'[\x00-\x1f\x7f\\"$~]')
_ESCAPES: Final = {
    **{chr(code): f"\\{code:03o}" for code in (*range(0x20), 0x7F)},
    **{char: f"\\{char}" for char in '\\"$'},
    # Even between quotes tmux would put the home directory for it.
    "~": "\\176",
}


def quote(word: str) -> str:
    """Return *word* as tmux's own parser reads it back, byte for byte."""
    return f'"{_SPECIAL.sub(lambda found: _ESCAPES[found[0]], word)}"'


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
    """Text that is loaded into a paste buffer of that name first.

    Args:
        name: The buffer's name.
        text: What it holds.
        bracketed: Whether it is to arrive as a paste, rather than as if typed.
    """

    name: str
    text: str
    bracketed: bool = False

    def paste(self, pane: Pane, *, raw_flag: bool) -> Words:
        """Return the command that sends it, and deletes it afterwards.

        Args:
            pane: Where to.
            raw_flag: Whether this tmux (3.7 and later) must be told to send controls as they are.
        """
        flags = ("-d", "-r", *(("-p",) if self.bracketed else ()), *(("-S",) if raw_flag else ()))
        return ("paste-buffer", *flags, "-b", self.name, "-t", pane.target)


Action: TypeAlias = Words | Buffer


def typing_actions(pane: Pane, keys: KeySequence, buffer_names: Iterator[str]) -> list[Action]:
    """Return what types *keys* into *pane*, in order."""
    actions: list[Action] = []
    for part in _join_plain_keys(keys):
        if isinstance(part, tuple):
            actions.append(("send-keys", "-t", pane.target, "--", *part))
        elif isinstance(part, Paste):
            actions.append(Buffer(next(buffer_names), part.as_sent, bracketed=True))
        elif _is_long(part):
            actions.append(Buffer(next(buffer_names), part))
        else:
            actions.append(("send-keys", "-t", pane.target, "-l", "--", part))
    return actions


def _is_long(text: str) -> bool:
    """Whether a text is too long to be typed in a command; quoting a long one is dear, too."""
    return len(text) > LARGEST_TYPED or len(quote(text).encode()) > LARGEST_TYPED


def _join_plain_keys(keys: KeySequence) -> Iterator[str | Paste | Words]:
    """Yield texts, pastes and runs of key names; a key that is one plain character is text."""
    parts = (part.name if isinstance(part, Key) and len(part.name) == 1 else part for part in keys)
    names: list[str] = []
    for part in KeySequence(tuple(parts)):
        if isinstance(part, Key):
            names.append(part.name)
        if names and (not isinstance(part, Key) or len(names) == _MOST_WORDS):
            yield tuple(names)
            names = []
        if not isinstance(part, Key):
            yield part
    if names:
        yield tuple(names)


def guarded(pane: Pane, commands: Sequence[Words], *, leave_mode: bool) -> Words:
    """Return *commands*, carried out only if the pane takes input in this very turn.

    Args:
        pane: The pane.
        commands: What to do.
        leave_mode: Whether to leave copy mode, or any other, before.
    """
    condition = _REACHABLE if leave_mode else _TAKES_INPUT
    leave = [("copy-mode", "-q", "-t", pane.target)] if leave_mode else []
    return _only_if(condition, pane, [*leave, *commands])


def guarded_as_seen(pane: Pane, commands: Sequence[Words], screen: Screen) -> Words:
    """Return *commands*, carried out only if the pane takes input and stands as on *screen*.

    If not, it prints something.
    """
    size, cursor = screen.size, screen.cursor
    cells = f"{size.columns} {size.rows} {int(screen.alternate)}"
    place = f"{cells} {screen.history_size} {cursor.row} {cursor.column}"
    condition = f"#{{?#{{==:{_PLACE},{place}}},{_TAKES_INPUT},}}"
    return _only_if(condition, pane, commands, otherwise=("display-message", "-p", "no"))


def kill_pane(pane: Pane) -> Words:
    """Return the command that ends a pane, and no other that has its id by now."""
    return _only_if("1", pane, [("kill-pane", "-t", pane.target)])


def _only_if(
    condition: str, pane: Pane, commands: Sequence[Words], otherwise: Words = _NOTHING
) -> Words:
    """Return *commands*, carried out only if a condition holds, and on the pane's own server.

    Args:
        condition: A condition of tmux's own.
        pane: The pane.
        commands: What to do then.
        otherwise: What to do if not.
    """
    if pane.server:
        condition = f"#{{?#{{==:{SERVER},{pane.server}}},{condition},}}"
    refused = [otherwise, *[_NOTHING] * (len(commands) - 1)]
    return ("if-shell", "-F", "-t", pane.target, condition, body(commands), body(refused))


def discreet(words: Words) -> Words:
    """Return a command as an error may repeat it: what is typed or told may be a password."""
    if words[0] == "if-shell" and _REACHABLE in words[-3]:
        return (*words[:5], "...")
    if words[0] == "if-shell" and STARTED_BY in words[2]:
        return (*words[:2], "...")
    if words[0] == "new-session":
        before = ("", *words)
        return tuple(
            f"{word.partition('=')[0]}=..." if flag == "-e" else word
            for flag, word in zip(before, words, strict=False)
        )
    return words


def body(commands: Iterable[Words]) -> str:
    """Return commands as a text for tmux's parser."""
    return " ; ".join(" ".join(quote(word) for word in command) for command in commands)


def batches(commands: Sequence[Words]) -> list[list[Words]]:
    """Return *commands* in groups that each fit into one call of the client; at least one."""
    groups: list[list[Words]] = [[]]
    if sum(4 * len(word) for command in commands for word in command) < _SURELY_FITS:
        return [list(commands)]
    size = 0
    for command in commands:
        length = len(body([command, _NOTHING]).encode()) + 3
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
    """Return the command that opens a pane in a session of its own and prints its id."""
    opened = f"#{{pane_id}} {SERVER} #{{pane_width}} #{{pane_height}}"
    words = ["new-session", "-d", "-P", "-F", opened]
    words += ["-x", str(size.columns), "-y", str(size.rows)]
    if name is not None:
        words += ["-s", check_session_name(name)]
    if cwd is not None:
        if "#[" in cwd:
            raise InvalidTextError(f"tmux takes '#[' in a folder's name for a style, got {cwd!r}")
        # The folder's name is a format to tmux, in which ## stands for one #.
        words += ["-c", cwd.replace("#", "##")]
    for variable, value in (env or {}).items():
        words += ["-e", f"{variable}={value}"]
    if command is not None:
        words += ["--", *_program(command)]
    return tuple(words)


def set_up_if_started(client_id: str, history_limit: int | None) -> Words:
    """Return the command that sets a server up, if it is the one that this very client started.

    A server that runs already belongs to somebody else: its options stay as they are.

    Args:
        client_id: What the client has in its variable `STARTED_BY`.
        history_limit: How many rows of history panes of a new server keep, at least.
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
    """Return the commands that change the size of its window if a pane is alone, or else its own.

    One of them does nothing.
    """
    cells = ("-t", pane.target, "-x", str(size.columns), "-y", str(size.rows))
    whole = _only_if("#{==:#{window_panes},1}", pane, [("resize-window", *cells)])
    return whole, _only_if("#{!=:#{window_panes},1}", pane, [("resize-pane", *cells)])


def _program(command: str | Sequence[str]) -> Words:
    if isinstance(command, str):
        return (command,)
    # tmux hands a single word to a shell; with a second one it runs the program itself.
    return tuple(command) if len(command) > 1 else ("/usr/bin/env", *command)


@attrs.frozen(slots=False)
class Call:
    """Commands that the server carries out in one turn.

    Args:
        commands: The commands; after one that fails the rest is not done.
        stdin: What the client is given to read.
        is_repeatable: Whether doing it twice is the same as doing it once, so that it may be
            tried again when nobody knows whether it was done.
        ends: The pane that it ends, and with it perhaps the session that a connection sits in.
        head: A call whose commands are the first of these. What is asked again and again is quoted
            once, which takes as long as tmux takes to answer.
        nested: How many commands these put behind themselves, as if-shell does.
        client_id: Of a call that opens a pane, and starts the server if need be: the value that
            only its client has in its environment, as `STARTED_BY`.
    """

    commands: tuple[Words, ...]
    stdin: bytes = b""
    is_repeatable: bool = True
    ends: Pane | None = None
    head: "Call | None" = None
    nested: int = 0
    client_id: str | None = None

    @property
    def opens(self) -> bool:
        """Whether it opens a pane, and starts the server if need be."""
        return self.client_id is not None

    @cached_property
    def line(self) -> str:
        """The commands as tmux's own parser reads them; they are quoted once."""
        if self.head is None:
            return body(self.commands)
        own = self.commands[len(self.head.commands) :]
        return f"{self.head.line} ; {body(own)}" if own else self.head.line

    @property
    def told(self) -> tuple[Words, ...]:
        """The commands as an error may repeat them."""
        return tuple(map(discreet, self.commands))

    @property
    def blocks(self) -> int:
        """How many blocks control mode answers with, one for each command, if none fails."""
        return len(self.commands) + self.nested


def call(*commands: Words, stdin: bytes = b"", nested: int = 0) -> Call:
    """Return a call that may be repeated."""
    return Call(commands, stdin, nested=nested)


def action(*commands: Words, head: Call | None = None, nested: int = 0) -> Call:
    """Return a call that must not be done twice; it may begin with another one."""
    before = () if head is None else head.commands
    return Call((*before, *commands), is_repeatable=False, head=head, nested=nested)
