"""The look of texts: prompts, questions, requests for a password, progress.

These are regular expressions only. A command can print each of these texts, so a strategy counts a
text only together with the kernel's report, or after a time without change.
"""

import enum
import re
from functools import lru_cache
from typing import Final

from tmuxprim.errors import Advice, InvalidPatternError

DEFAULT_PROMPT: Final = re.compile(
    r"^(?!\?# $|read> $"  # what zsh's select and fish's read ask
    r"|\? .*[›»] *$"  # noqa: RUF001  # what npm's prompts does
    r"|(?:.*[\s\](:|])?\d{1,3}(?:\.\d+)? ?%\s*$)"  # how much is done
    r"(?:.*[$#%>❯›»➜λ⟩▶\ue0b0\ue0b4]"  # noqa: RUF001  # shells, REPLs, sqlite3, node, powerline
    r"|\((?!END\))[\w.-]+\)"  # (gdb), (Pdb); but less says (END)
    r"|In \[\d+\]:"  # IPython
    r"|➜ +\S+(?: git:\([^)]*\))?(?: ✗)?"  # Oh My Zsh
    r")\s*$"
)

# How much is done, at the end of a line or before a bar, as tqdm draws it.
PROGRESS: Final = re.compile(r"(?:^|[\s\](:|])\d{1,3}(?:\.\d+)? ?%(?:\s*$|\s*(?:\||\[[=#> .-]))")

# The end of a question. A program that does not like the answer shows the same text again, which
# does not make a prompt of it.
QUESTION: Final = re.compile(
    r"(?:[?:]\.*|\[[^\]]+\]|\([^)]+\)"  # Name? Continue? [y/N] (yes/no)
    r"|^--.*--|^\?#|^read>"  # more, gdb; zsh's select; fish's read
    r"|^\? .*[›»]"  # noqa: RUF001  # npm's prompts
    r"|\bpress\b.*\b(?:key|enter|return)\b.*)\s*$",
    re.IGNORECASE,
)

# All words for secrets; no other module has such a list.
CONFIDENTIAL: Final = (
    r"(?:pass(?:word|[ -]?phrase|code)|\bPIN\b|secret|token|\bOTP\b"
    r"|(?:api|access|private|licen[cs]e)[ _-]key"
    r"|(?:authentication|verification|security|one-time|login) code"
    r"|passwort|kennwort|mot de passe|contrase\xf1a)"
)
SECRET: Final = re.compile(rf"{CONFIDENTIAL}.*[:?]\s*$", re.IGNORECASE)

_ZSH: Final = (
    "always|array|bquote|braceparam|case|cmdand|cmdor|cmdsubst|cond|cursh|do|dquote|elif|elif-then"
    "|else|errpipe|for|foreach|function|heredocd?|if|mathsubst|pipe|quote|repeat|select|subsh|then"
    "|until|while"
)
# The prompts of shells for the rest of a command, unless PS2 is set to another text.
MORE: Final = re.compile(rf"^> $|^(?:(?:{_ZSH}) ?)+> $")


# Each program's prompt, and its prompt for more. "> " is bash's for more and Node's own, so the
# meaning of a text depends on the prompt that was there before.
_FOLLOWS: Final = (
    (r"^>>> ", r"^\.\.\. "),  # Python
    (r"^In \[\d+\]: ", r"^ *\.\.\.: "),  # IPython
    (r"^(?:Browse\[\d+\])?> ", r"^(?:\.\.\.|\||>>|\+) "),  # Node, Lua, R
    (r"^(?:sqlite|mysql|MariaDB .*)> ", r"^[ (;\"'`x\d/*.-]{3,}> $"),
    (r"=[*!?]?[#>] ", r"(?<!=)[-*'\"($;^][*!?]?[#>] $"),  # psql; behind "=" a "*" is a transaction
    (r"^\((?:gdb|lldb)\) ", r"^ *>"),
    (r"^php > ", r"^(?:php [^>]|/\*  >|<<< >) $"),
    (r"^irb\(.*> ", r"^irb\(.*(?:[^>\s]|:[1-9]\d*>) +$"),  # a block's depth, before irb 1.7
    (r"^ *DB<+\d+>+ ", r"^ *cont: "),  # perl's debugger
)


@lru_cache(maxsize=256)
def what_follows(prompt: str) -> str | re.Pattern[str]:
    """Return the pattern of the prompt for more, of the program that has this prompt."""
    return next((follows for shown, follows in _FOLLOWS if re.search(shown, prompt)), MORE)


def is_of_a_repl(text: str) -> bool:
    """Whether a text is the prompt of a known REPL."""
    is_bare = re.search(r"^(?:\([\w.-]+\)|%) $", text)  # (Pdb), tclsh
    return is_bare is not None or any(re.search(shown, text) for shown, _ in _FOLLOWS)


class Text(enum.Enum):
    """The kind of a text, by its words alone."""

    NOTHING = enum.auto()
    """Blanks at most."""
    SECRET = enum.auto()
    """A request for a password, or for another secret."""
    PROGRESS = enum.auto()
    """The share of the work that is done."""
    PROMPT = enum.auto()
    """The look of a prompt. A question may have it as well, as ``(y) `` has that of ``(gdb) ``."""
    QUESTION = enum.auto()
    """A question, which looks like no prompt."""
    OTHER = enum.auto()
    """Any other text."""

    @property
    def asks(self) -> bool:
        """Whether such a text is a question, about a secret or about something else."""
        return self in {Text.SECRET, Text.QUESTION}


# The first that fits wins: a progress bar may end as a prompt does, and a prompt as a question.
_KINDS: Final = (
    (re.compile(r"^\s*$"), Text.NOTHING),
    (SECRET, Text.SECRET),
    (PROGRESS, Text.PROGRESS),
    (DEFAULT_PROMPT, Text.PROMPT),
    (QUESTION, Text.QUESTION),
)


def kind_of_text(text: str) -> Text:
    """Return the kind of a text."""
    return next((kind for words, kind in _KINDS if words.search(text)), Text.OTHER)


def is_only_a_prompt(text: str) -> bool:
    """Whether a text looks neither like a question nor like a shell's prompt for more."""
    return not QUESTION.search(text) and not MORE.search(text)


def typed_behind_prompt(line: str) -> str:
    """Return the text behind what looks like a prompt in a line; empty for a prompt alone."""
    if DEFAULT_PROMPT.search(line):
        return ""
    for place, char in enumerate(line, start=1):
        if char == " " and DEFAULT_PROMPT.search(line[:place]):
            return line[place:].strip()
    return ""


_NUMBER: Final = re.compile(r"\d+")


def is_same_prompt(one: str, other: str) -> bool:
    """Whether two prompts differ in nothing but numbers: one may count, or show the time."""
    return one == other or _NUMBER.sub("0", one) == _NUMBER.sub("0", other)


def typed_behind(prompt: str, line: str) -> str:
    """Return the text behind a known prompt in a line; its numbers may have changed.

    It is empty if the line begins with something else.
    """
    begins = re.match(_NUMBER.sub(r"\\d+", re.escape(prompt)), line)
    return line[begins.end() :] if prompt and begins else ""


def to_pattern(pattern: str | re.Pattern[str], flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern of a prompt or of another text.

    Raises:
        InvalidPatternError: If it is not a regular expression.
    """
    try:
        compiled = re.compile(pattern, flags)
        compiled.search("")  # a pattern of bytes compiles, and then fits no text
    except (re.error, TypeError, OverflowError, RecursionError) as error:
        raise InvalidPatternError(
            f"a pattern is a regular expression, got {pattern!r}: {error}",
            advice=Advice.ESCAPE,
        ) from error
    return compiled


def to_rows_pattern(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """Compile a pattern that is searched in many rows: ``^`` and ``$`` are those of each row."""
    return to_pattern(pattern, re.MULTILINE if isinstance(pattern, str) else 0)
