"""A tmux that carries out lines of control mode by a script, and fails where it is told to.

It does with a line what tmux does (``cmd-queue.c``): commands of one text are a group, a command
that fails takes the rest of its group along, and what ``if-shell`` does is a group of its own,
which comes before the commands that are left.
"""

import itertools
import re
from collections import deque
from typing import Final

import attrs

_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|(;)|\S+')
_ESCAPED: Final = re.compile(r"\\([0-7]{3}|.)")


def _plain(escaped: re.Match[str]) -> str:
    code = escaped[1]
    return chr(int(code, 8)) if len(code) == 3 else code


def commands(line: str) -> list[list[str]]:
    """Return the commands of a line, as tmux's parser reads them."""
    parsed: list[list[str]] = [[]]
    for token in _TOKEN.finditer(line):
        if token[2]:
            parsed.append([])
        else:
            parsed[-1].append(token[0] if token[1] is None else _ESCAPED.sub(_plain, token[1]))
    return parsed


@attrs.define
class ScriptedTmux:
    """The server at the other end of a client's pipe.

    Args:
        fails_at: Which of the commands that it carries out fails, counted from 0; none by default.
        conditions_hold: Whether ``if-shell`` takes its first branch.
        as_many: How many commands an alias of the user's has put in place of each.
        has_hooks: Whether hooks of the user's print something before and after each.

    Attributes:
        carried_out: How many commands it has carried out.
    """

    fails_at: int = -1
    conditions_hold: bool = True
    as_many: int = 1
    has_hooks: bool = False
    carried_out: int = 0
    _numbers: "itertools.count[int]" = attrs.field(factory=itertools.count)
    _lines: "itertools.count[int]" = attrs.field(factory=itertools.count)

    def hear(self, data: bytes) -> bytes:
        """Return what it says to some lines; each answer tells the number of its line."""
        return b"".join(self._carry_out(line) for line in data.decode().split("\n")[:-1])

    def _carry_out(self, line: str) -> bytes:
        number = next(self._lines)
        if not line.startswith('"'):
            return self._block(f"parse error: unknown command: {line}", word="error")
        said, queue = b"", deque((0, words) for words in commands(line) * self.as_many)
        groups = itertools.count(1)
        while queue:
            group, words = queue.popleft()
            has_failed = self.carried_out == self.fails_at
            self.carried_out += 1
            hook = self._block("of a hook", flag=0) if self.has_hooks else b""
            said += hook + self._block(f"line {number}", word="error" if has_failed else "end")
            said += hook
            if has_failed:
                queue = deque(item for item in queue if item[0] != group)
            elif words[0] == "if-shell":
                _, *branches = words[4:] if words[2] == "-t" else words[2:]
                taken = branches[:1] if self.conditions_hold else branches[1:]
                own = next(groups)
                for branch in taken:
                    queue.extendleft((own, inner) for inner in reversed(commands(branch)))
        return said

    def _block(self, text: str, *, flag: int = 1, word: str = "end") -> bytes:
        numbers = f"1700000000 {next(self._numbers)} {flag}"
        return f"%begin {numbers}\n{text}\n%{word} {numbers}\n".encode()
