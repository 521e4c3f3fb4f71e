"""What prompts, questions and requests for a password look like."""

import re
from typing import Final

DEFAULT_PROMPT: Final = re.compile(
    r"^(?!\?# $|read> $"  # what zsh's select and fish's read ask
    r"|(?:.*[\s\](:|])?\d{1,3}(?:\.\d+)? ?%\s*$)"  # how much is done
    r"(?:.*[$#%>❯›»➜λ⟩▶\ue0b0\ue0b4]"  # noqa: RUF001  # shells, REPLs, sqlite3, node, powerline
    r"|\((?!END\))[\w .-]+\)"  # (gdb), (Pdb); but less says (END)
    r"|In \[\d+\]:"  # IPython
    r"|➜ +\S+(?: git:\([^)]*\))?(?: ✗)?"  # Oh My Zsh
    r")\s*$"
)

# A question is asked again when its answer was no good, and is no prompt for that.
QUESTION: Final = re.compile(
    r"(?:[?:]\.*|\[[^\]]+\]|\([^)]+\)"  # Name? Continue? [y/N] (yes/no)
    r"|^--.*--|^\?#|^read>"  # more, gdb; zsh's select; fish's read
    r"|\bpress\b.*\b(?:key|enter|return)\b.*)\s*$",
    re.IGNORECASE,
)

SECRET: Final = re.compile(
    r"(?:pass(?:word|[ -]?phrase|code)|\bPIN\b|secret|token).*[:?]\s*$", re.IGNORECASE
)


def typed_behind_prompt(line: str) -> str:
    """Return what stands in a line behind what looks like a prompt; empty for a prompt alone."""
    if DEFAULT_PROMPT.search(line):
        return ""
    for place, char in enumerate(line, start=1):
        if char == " " and DEFAULT_PROMPT.search(line[:place]):
            return line[place:].strip()
    return ""


_NUMBER: Final = re.compile(r"\d+")


def is_same_prompt(one: str, other: str) -> bool:
    """Whether two prompts differ in nothing but numbers: one may count or tell the time."""
    return _NUMBER.sub("0", one) == _NUMBER.sub("0", other)
