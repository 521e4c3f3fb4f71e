"""How a tmux command line is written: pure functions from values to words.

Rules (tmux manual, PARSING SYNTAX; measured on tmux 2.9 to 3.8):

* A command is a tuple of words. A word of its own, ``;``, ends one command and starts the
  next; the whole chain is one turn of the server, in which no program's output is read.
* A last ``;`` of any other word is escaped, or tmux would take it for such an end.
* Inside ``if-shell`` tmux parses a text, so its words are quoted.
* ``send-keys -l --`` types text; without ``-l`` a word is a key name, so only names of our own
  table go there.
* Values of the user's never go into a format (``#{...}``).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import attrs

from tmuxprim._keys import Key, KeySequence
from tmuxprim._pane import Pane
from tmuxprim._refusals import check_session_name
from tmuxprim._size import Size

Words: TypeAlias = tuple[str, ...]

# The client refuses more than 16364 bytes of words (measured, 2.9 to 3.8); the rest of a guarded
# chain takes about 1,000.
_LARGEST_BODY: Final = 12_000
# A text that is longer, once quoted, goes through a paste buffer instead.
LARGEST_TYPED: Final = 4_000
# tmux's parser has a stack for some thousand words.
_MOST_WORDS: Final = 500

TAKES_INPUT: Final = "#{?pane_dead,,#{?pane_in_mode,,#{?pane_input_off,,1}}}"

_PLAIN_ESCAPES: Final = str.maketrans(
    {
        **{code: f"\\{code:03o}" for code in (*range(0x20), 0x7F)},
        **{ord(char): f"\\{char}" for char in '\\"$'},
        # Even between quotes tmux would put the home directory for it.
        ord("~"): "\\176",
    }
)


def quote(word: str) -> str:
    """Return *word* as tmux's own parser reads it back, byte for byte."""
    return f'"{word.translate(_PLAIN_ESCAPES)}"'


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
    """Text too long to be typed, to be loaded into a paste buffer of that name first."""

    name: str
    text: str


Action: TypeAlias = Words | Buffer


def typing_actions(pane: Pane, keys: KeySequence, buffer_names: Iterator[str]) -> list[Action]:
    """Return what types *keys* into *pane*, in order."""
    actions: list[Action] = []
    for part in _join_plain_keys(keys):
        if isinstance(part, tuple):
            actions.append(("send-keys", "-t", pane.target, "--", *part))
        elif len(quote(part).encode()) > LARGEST_TYPED:
            actions.append(Buffer(next(buffer_names), part))
        else:
            actions.append(("send-keys", "-t", pane.target, "-l", "--", part))
    return actions


def _join_plain_keys(keys: KeySequence) -> Iterator[str | Words]:
    """Yield texts, and runs of key names; a key that is one plain character is text."""
    parts = (part if isinstance(part, str) or len(part.name) > 1 else part.name for part in keys)
    names: list[str] = []
    for part in KeySequence(tuple(parts)):
        if isinstance(part, Key):
            names.append(part.name)
        if names and (isinstance(part, str) or len(names) == _MOST_WORDS):
            yield tuple(names)
            names = []
        if isinstance(part, str):
            yield part
    if names:
        yield tuple(names)


def guarded(pane: Pane, commands: Sequence[Words]) -> Words:
    """Return *commands*, carried out only if the pane takes input in this very turn."""
    return ("if-shell", "-F", "-t", pane.target, TAKES_INPUT, body(commands))


def body(commands: Iterable[Words]) -> str:
    """Return commands as a text for tmux's parser."""
    return " ; ".join(" ".join(quote(word) for word in command) for command in commands)


def batches(commands: Sequence[Words]) -> Iterator[list[Words]]:
    """Yield *commands* in groups that each fit into one call of the client."""
    batch: list[Words] = []
    size = 0
    for command in commands:
        length = len(body([command]).encode()) + 3
        if batch and size + length > _LARGEST_BODY:
            yield batch
            batch, size = [], 0
        batch.append(command)
        size += length
    if batch:
        yield batch


def open_session(
    command: str | Sequence[str] | None,
    *,
    size: Size,
    cwd: str | None,
    env: Mapping[str, str] | None,
    name: str | None,
) -> Words:
    """Return the command that opens a pane in a session of its own and prints its id."""
    words = ["new-session", "-d", "-P", "-F", "#{pane_id} #{pane_width} #{pane_height}"]
    words += ["-x", str(size.columns), "-y", str(size.rows)]
    if name is not None:
        words += ["-s", check_session_name(name)]
    if cwd is not None:
        # The folder's name is a format to tmux, in which ## stands for one #.
        words += ["-c", cwd.replace("#", "##")]
    for variable, value in (env or {}).items():
        words += ["-e", f"{variable}={value}"]
    if command is not None:
        words += ["--", *_program(command)]
    return tuple(words)


def _program(command: str | Sequence[str]) -> Words:
    if isinstance(command, str):
        return (command,)
    # tmux hands a single word to a shell; with a second one it runs the program itself.
    return tuple(command) if len(command) > 1 else ("/usr/bin/env", *command)
