"""What prompts, questions and requests for a password look like."""

import pytest

from tmuxprim._readiness.words import (
    DEFAULT_PROMPT,
    PROGRESS,
    QUESTION,
    SECRET,
    Text,
    is_same_prompt,
    kind_of_text,
    typed_behind,
    typed_behind_prompt,
)


@pytest.mark.parametrize(
    "text",
    [
        "$ ",
        "root# ",
        "host% ",
        "% ",
        "web01% ",
        "10.0.0.1% ",
        "> ",
        "❯ ",  # noqa: RUF001  # a prompt of the time
        "›",  # noqa: RUF001  # a prompt of the time
        "» ",
        "➜ ",
        "λ ",
        "⟩ ",
        "▶ ",
        "main \ue0b0 ",
        "main \ue0b4",
        "(gdb) ",
        "(Pdb)",
        "(end) ",
        "In [1]: ",
        "➜  src",
        "➜  src git:(main) ✗ ",
        "ada@host:~ $   ",
    ],
)
def test_prompt(text: str) -> None:
    """Shells, REPLs and debuggers are known by the sign that their prompts end with."""
    assert DEFAULT_PROMPT.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "50%",
        " 50 % ",
        "[#####     ] 50%",
        "│               80%",
        "eta 0:01 99.5%",
        "(100%",
        "",
        " ",
        "$ ls",
        "100% done",
        "name: ",
        "Sure? ",
        "?# ",
        "read> ",
        "(END)",
        "In [x]: ",
        "(a)b",
        "? How old are you? › ",  # noqa: RUF001  # npm's prompts
    ],
)
def test_no_prompt(text: str) -> None:
    """Nor is what zsh's select, fish's read and less show."""
    assert not DEFAULT_PROMPT.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "Name: ",
        "Sure?",
        "Sure?... ",
        "Continue [Y/n] ",
        "Delete (yes/no) ",
        "--More--(50%)",
        "--Type <RET> for more, q to quit, c to continue without paging--",
        "?# ",
        "read> ",
        "Press any key to go on",
        "press ENTER or type a command ",
        "Hit or press Return",
        "? How old are you › ",  # noqa: RUF001  # npm's prompts
    ],
)
def test_question(text: str) -> None:
    """A question ends with its mark, with a choice, or with what is to be pressed."""
    assert QUESTION.search(text)


@pytest.mark.parametrize("text", ["", "done", "$ ", "a: b", "[1] x", "suppress keys", "read"])
def test_no_question(text: str) -> None:
    """Other text asks nothing."""
    assert not QUESTION.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "Password: ",
        "[sudo] password for ada: ",
        "Enter passphrase for key '/k': ",
        "pass phrase:",
        "Pass-phrase? ",
        "PASSCODE:",
        "PIN: ",
        "Enter PIN for 'token': ",
        "Client secret:",
        "API token: ",
    ],
)
def test_secret(text: str) -> None:
    """A password goes by many names, and is asked for."""
    assert SECRET.search(text)


@pytest.mark.parametrize(
    "text", ["Password", "Password: x", "Passing: ", "SPIN: ", "PINE:", "Passport: ", ": password"]
)
def test_no_secret(text: str) -> None:
    """A word that only begins like one is none, nor is one that nothing asks for."""
    assert not SECRET.search(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("$ ", "$ ", True),
        ("In [9]: ", "In [10]: ", True),
        ("12:59:59 $ ", "13:00:00 $ ", True),
        ("[0] $ ", "[127] $ ", True),
        ("$ ", "# ", False),
        ("$ ", "1$ ", False),
        ("~ $ ", "~/src $ ", False),
    ],
)
def test_same_prompt(one: str, other: str, *, same: bool) -> None:
    """A prompt may count, or tell the time; anything else makes it another."""
    assert is_same_prompt(one, other) is same
    assert is_same_prompt(other, one) is same


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("$ ", ""),
        ("$ rm -rf ", "rm -rf"),
        ("user@host:~$ ls > x", "ls > x"),
        ("my prompt ", ""),
        ("", ""),
        ("a$b c", ""),
    ],
)
def test_what_is_typed_behind_a_prompt(line: str, typed: str) -> None:
    """Of a line of which nobody has seen the beginning."""
    assert typed_behind_prompt(line) == typed


@pytest.mark.parametrize(
    ("prompt", "line", "typed"),
    [
        ("ready ", "ready rm ", "rm "),
        ("ready ", "ready ", ""),
        ("ready ", "read", ""),
        ("[1] (a.b) ", "[23] (a.b) rm", "rm"),
        ("(a.b) ", "(axb) rm", ""),
        ("", "rm", ""),
    ],
)
def test_what_is_typed_behind_a_known_prompt(prompt: str, line: str, typed: str) -> None:
    """Its text counts as it is, but for numbers."""
    assert typed_behind(prompt, line) == typed


@pytest.mark.parametrize(
    "text",
    ["45%", "Building  45 % ", "eta 99.5%", " 50%|## | 2/4 [00:01, 2it/s]", "12% [====>  ] "],
)
def test_progress(text: str) -> None:
    """How much is done stands at the end, or before a bar."""
    assert PROGRESS.search(text)


@pytest.mark.parametrize(
    "text", ["host% ", "web01% ", "--More--(50%)", "Use 50% of it? [y/N] ", "90% [y/N] "]
)
def test_no_progress(text: str) -> None:
    """A prompt and a question tell nothing of it."""
    assert not PROGRESS.search(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("  ", Text.NOTHING),
        ("Password for ada: ", Text.SECRET),
        ("12% [====>", Text.PROGRESS),
        ("host% ", Text.PROMPT),
        ("(y) ", Text.PROMPT),
        ("Continue? [y/N] ", Text.QUESTION),
        ("building", Text.OTHER),
    ],
)
def test_kind_of_text(text: str, kind: Text) -> None:
    """A text is of one kind, and only a question or a request for a secret asks."""
    assert kind_of_text(text) is kind
    assert kind.asks is (kind in {Text.SECRET, Text.QUESTION})
