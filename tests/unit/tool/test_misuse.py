"""What a model gets wrong comes back as a message that teaches, and nothing is sent."""

import json
import re
import warnings

import pytest

from tests.unit.tool.talking import Talk, start
from tmuxprim import FakeTerminal
from tmuxprim._tool.replies import ADVICE
from tmuxprim.errors import Advice
from tmuxprim.tool import TmuxTool

ACTIONS = (
    "'send', 'keys', 'read', 'wait_ready', 'wait_for', 'run', 'resume', 'interrupt' and "
    "'ask_person'"
)
SEND = 'for example {"action": "send", "text": "ls -la"}'
KEYS = 'for example {"action": "keys", "keys": ["C-c"]}'


def brief(value: object) -> str:
    """Return an id for a test case whose value may be megabytes, or no text at all."""
    return value[:20] if isinstance(value, str) else type(value).__name__


@pytest.fixture
def talk() -> Talk:
    """Give a tool on a shell at its prompt."""
    return start()


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (None, f"'action' is missing: it is {ACTIONS}; {SEND}"),
        ("", f"'action' is missing: it is {ACTIONS}; {SEND}"),
        ("sned", f"there is no action 'sned' (did you mean 'send'?); 'action' is {ACTIONS}"),
        ("Sned", f"there is no action 'Sned' (did you mean 'send'?); 'action' is {ACTIONS}"),
        ("waitReady", "there is no action 'waitReady' (did you mean 'wait_ready'?); 'action' is"),
        ("bash", "there is no action 'bash' (did you mean 'run'?); 'action' is"),
        ("stop", "there is no action 'stop' (did you mean 'interrupt'?); 'action' is"),
        ("continue", "there is no action 'continue' (did you mean 'resume'?); 'action' is"),
        ("send-keys", "there is no action 'send-keys' (did you mean 'keys'?); 'action' is"),
        ("capture", "there is no action 'capture' (did you mean 'read'?); 'action' is"),
        ("wait", "there is no action 'wait' (did you mean 'wait_ready'?); 'action' is"),
        ("press_key", "there is no action 'press_key' (did you mean 'keys'?); 'action' is"),
        ("fly", f"there is no action 'fly'; 'action' is {ACTIONS}"),
        (7, f"there is no action 7; 'action' is {ACTIONS}"),
        (["send"], f"there is no action a list; 'action' is {ACTIONS}"),
        ("x" * 5_000_000, f"there is no action '{'x' * 200}'... (5,000,000 characters); 'action'"),
    ],
    ids=brief,
)
def test_action(talk: Talk, action: object, why: str) -> None:
    """An action that is missing or unknown: the ones there are, and which was meant."""
    assert talk.refused(action, text="ls").startswith(why)


@pytest.mark.parametrize(
    ("action", "arguments", "why"),
    [
        ("send", {}, f"the action 'send' needs 'text': {SEND}."),
        ("send", {"text": None}, f"the action 'send' needs 'text': {SEND}."),
        ("keys", {}, f"the action 'keys' needs 'keys': {KEYS}."),
        ("keys", {"keys": []}, f"the action 'keys' needs 'keys': {KEYS}."),
        ("keys", {"keys": ""}, f"the action 'keys' needs 'keys': {KEYS}."),
        ("keys", {"keys": " \n"}, f"the action 'keys' needs 'keys': {KEYS}."),
        ("send", {"text": "", "enter": False}, "an empty 'text' with 'enter' false is nothing to"),
    ],
    ids=brief,
)
def test_missing_argument(talk: Talk, action: str, arguments: dict[str, object], why: str) -> None:
    """What an action cannot do without, and a call that is right."""
    assert talk.refused(action, **arguments).startswith(why)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *(("txt", "text"), ("cmd", "text"), ("Text", "text"), ("session", "pane")),
        *(("panes", "pane"), ("time_out", "timeout"), ("regex", "prompt_pattern")),
        *(("press_enter", "enter"), ("key", "keys"), ("rows", "lines")),
    ],
    ids=brief,
)
def test_misspelt_argument(talk: Talk, name: str, meant: str) -> None:
    """An argument that does not exist: which was meant, and which there are; no value is told."""
    assert talk.refused("send", text="ls", **{name: "hunter2"}) == (
        f"there is no argument {name!r} (did you mean {meant!r}?); "
        "the action 'send' takes 'text', 'enter', 'only' and 'pane'."
    )


@pytest.mark.parametrize("name", ["pattern", "regex", "until"])
def test_a_pattern_to_wait_for_is_the_text(talk: Talk, name: str) -> None:
    """No pattern of a prompt is meant, which this action does not take."""
    message = talk.refused("wait_for", **{name: "done"})
    assert message.startswith(f"there is no argument {name!r} (did you mean 'text'?); the action")


def test_many_unknown_arguments(talk: Talk) -> None:
    """Of a thousand arguments that do not exist, some are told."""
    names = {f"q{number}q": 1 for number in range(1000)}
    assert talk.refused("send", text="ls", **names) == (
        "there is no argument 'q0q', 'q1q', 'q2q', 'q3q', 'q4q', ...; "
        "the action 'send' takes 'text', 'enter', 'only' and 'pane'."
    )


def test_argument_of_another_action(talk: Talk) -> None:
    """An argument that another action takes is refused, saying which one."""
    assert talk.refused("send", text="ls", timeout=60) == (
        "the action 'send' has no argument 'timeout'; it takes 'text', 'enter', 'only' and 'pane'; "
        "'timeout' belongs to 'wait_ready', 'wait_for', 'run', 'resume', 'interrupt' and "
        "'ask_person'."
    )
    assert talk.refused("read", text="ls").startswith("the action 'read' has no argument 'text'")
    assert talk.refused("read", timeout="soon").startswith("the action 'read' has no argument")


def test_arguments_that_say_nothing(talk: Talk) -> None:
    """A model that fills in all of the schema, with null or with the defaults, is understood."""
    everything = {"keys": [], "lines": 100, "timeout": "10", "prompt_pattern": "", "pane": None}
    everything |= {"command": "", "exit_status": False, "idle_timeout": "", "gone": "false"}
    assert talk.say("send", text="ls", enter=None, **everything) == "Sent: 'ls' + Enter"
    nothing = dict.fromkeys(("text", "enter", "keys", "lines", "timeout", "prompt_pattern"))
    assert talk.say("read", **nothing).startswith("$ ls")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (7, "'text' is a string, got a number."),
        (True, "'text' is a string, got a boolean."),
        (["ls"], "'text' is a string, got a list."),
        ({"text": "ls"}, "'text' is a string, got an object."),
        (b"ls", "'text' is a string, got a value of type bytes."),
        ("a\0b", "'text': NUL cannot be typed as text; press the key 'C-@': got '\\x00' at index"),
        ("\ud800", "'text': a lone surrogate is no character; decode the text"),
        ("x" * 5_000_000, "'text' has at most 100,000 characters, got 5,000,000; write it to a"),
    ],
    ids=brief,
)
def test_text(talk: Talk, text: object, why: str) -> None:
    """What cannot be typed is refused; of a wrong value only the type is told."""
    assert talk.refused("send", text=text).startswith(why)


@pytest.mark.parametrize(
    ("enter", "told"),
    [("yes", "'yes'"), (1, "1"), (0.5, "0.5"), ([], "a list"), ({}, "an object")],
)
def test_enter(talk: Talk, enter: object, told: str) -> None:
    """What is neither true nor false is not guessed."""
    why = f"'enter' is true or false, got {told}."
    assert talk.refused("send", text="ls", enter=enter) == why


KEY_NAMES = "'keys' is a list of key names such as"


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ("Ctrl-C", "'keys': unknown or non-portable key name: 'Ctrl-C'; did you mean 'C-c'?"),
        (["Up", "Return"], "'keys': unknown or non-portable key name: 'Return'; did you mean 'En"),
        ("ls -la", "'keys': unknown or non-portable key name: 'ls'; keys are named as in"),
        ([" "], "'keys': unknown or non-portable key name: ' '"),
        (5, KEY_NAMES),
        ([1, 2], KEY_NAMES),
        ("[1, 2]", KEY_NAMES),
        ([["Up"]], KEY_NAMES),
        ({"key": "Up"}, KEY_NAMES),
        ("[" * 100_000, "a key's name has at most 30 characters; type text with 'send'"),
        ("Up " * 2_000_000, "'keys' are at most 1,000 keys, got 2,000,000."),
    ],
    ids=brief,
)
def test_keys(talk: Talk, keys: object, why: str) -> None:
    """What is no key is refused, with the key that was meant; text belongs to `send`."""
    assert talk.refused("keys", keys=keys).startswith(why)


def test_keys_that_are_text_are_sent_to_send(talk: Talk) -> None:
    """The advice is one that a model can follow, and not a programmer's."""
    assert talk.refused("keys", keys="hello").endswith("use 'send'.")


@pytest.mark.parametrize(
    ("pane", "why"),
    [
        (7, "'pane' is a string, got a number."),
        ("", "'pane': a pane needs a name such as '%3' or 'shared', got ''."),
        ("%x", f"'pane': a pane id looks like '%3', got '%x'; {ADVICE[Advice.LIST_PANES]}."),
        ("a\nb", "'pane': a pane's name has no control characters, got 'a\\nb'."),
        ("x" * 300, "'pane' has at most 200 characters, got 300."),
    ],
    ids=brief,
)
def test_pane(talk: Talk, pane: object, why: str) -> None:
    """What names no pane is refused before anybody is asked for it."""
    assert talk.refused("read", pane=pane) == why


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        *((-1, "-1"), (10_001, "10001"), (1.5, "1.5"), ("many", "'many'"), (True, "true")),
        *(("", "''"), (10**5000, "a number"), (float("nan"), "nan"), ([1], "a list")),
    ],
    ids=brief,
)
def test_lines(talk: Talk, lines: object, told: str) -> None:
    """Rows are counted from 0 to a number that is stated."""
    why = f"'lines' is a whole number from 0 to 10000, got {told}."
    assert talk.refused("read", lines=lines) == why


@pytest.mark.parametrize(
    ("timeout", "told"),
    [
        *((-1, "-1"), ("-0.5", "'-0.5'"), (3601, "3601"), (1e300, "1e+300"), (10**400, "a number")),
        *((float("nan"), "nan"), ("nan", "'nan'"), (float("inf"), "inf"), ("inf", "'inf'")),
        *(("10s", "'10s'"), (True, "true"), ({}, "an object"), ("9" * 500, f"'{'9' * 200}'...")),
    ],
    ids=brief,
)
def test_timeout(talk: Talk, timeout: object, told: str) -> None:
    """A wait takes from 0 seconds to an hour; what is no such number is refused."""
    why = f"'timeout' is a number of seconds from 0 to 3600, got {told}"
    assert talk.refused("wait_ready", timeout=timeout).startswith(why)


BAD = "'prompt_pattern' is a regular expression of Python, got"


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", f"{BAD} '(': missing ), unterminated subpattern at position 0; put \\ before"),
        ("*", f"{BAD} '*': nothing to repeat at position 0; put \\ before"),
        ("a{99999999999999999999}", f"{BAD} 'a{{99999999999999999999}}': the repetition number"),
        ("(" * 499 + ")" * 499, f"{BAD} '"),
        (7, "'prompt_pattern' is a string, got a number."),
        ("x" * 1_001, "'prompt_pattern' has at most 1,000 characters, got 1,001."),
    ],
    ids=brief,
)
def test_prompt_pattern(talk: Talk, pattern: object, why: str) -> None:
    """What is no regular expression is refused, with the reason and the cure."""
    assert talk.refused("wait_ready", prompt_pattern=pattern).startswith(why)


def test_prompt_pattern_that_warns(talk: Talk) -> None:
    """A pattern that Python warns of is one, and nothing of that is printed, nor an error."""
    re.purge()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert talk.say("wait_ready", prompt_pattern="[[$]") == "ready (prompt matched)\n$"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (None, f"the arguments are one JSON object, {SEND}; got null."),
        ([{"action": "read"}], f"the arguments are one JSON object, {SEND}; got a list."),
        ("7", f"the arguments are one JSON object, {SEND}; got a number."),
        ('{"action": "send", "text": "hunter2', f"the arguments are one JSON object, {SEND}; the"),
        ("", f"the arguments are one JSON object, {SEND}; the call cannot be read: Expecting"),
        (b"\xff", f"the arguments are one JSON object, {SEND}; the call cannot be read: it is not"),
        ("[" * 1_000_000, f"the arguments are one JSON object, {SEND}; the call cannot be read:"),
    ],
    ids=brief,
)
def test_no_json_object(arguments: object, why: str) -> None:
    """What is no JSON object is refused, without a word of what it holds."""
    response = TmuxTool(FakeTerminal()).execute_json(arguments)
    assert response.message.startswith(f"error: {why}")
    assert "hunter2" not in response.message


@pytest.mark.parametrize(
    ("wrapped", "key"),
    [
        ({"tool_name": "tmux", "tool_args": {"action": "read"}}, "tool_args"),
        ({"name": "send", "arguments": {"text": "ls"}}, "arguments"),
    ],
)
def test_an_object_around_the_call(wrapped: dict[str, object], key: str) -> None:
    """A model that writes its framework's whole call is told which part of it to give."""
    told = TmuxTool(FakeTerminal()).execute_json(wrapped).message
    assert told == (
        f"error: 'action' is missing: give only the object in '{key}', with 'action' in it; "
        f"{SEND}. Nothing was sent."
    )


def test_json_in_a_fence(talk: Talk) -> None:
    """Markdown around the object says only that it is code."""
    assert isinstance(talk.tool, TmuxTool)
    for fence in ("```json", "```"):
        fenced = f'{fence}\n{{"action": "keys",\n"keys": ["Up"]}}\n```\n'
        assert talk.tool.execute_json(fenced).message == "Sent: Up"
    assert talk.tool.execute_json("```").is_error


def test_json_text(talk: Talk) -> None:
    """The text of a JSON object is as good as the object."""
    assert isinstance(talk.tool, TmuxTool)
    arguments = json.dumps({"action": "keys", "keys": ["Up"]})
    assert talk.tool.execute_json(arguments).message == "Sent: Up"


def test_odd_names_of_arguments(talk: Talk) -> None:
    """No name of an argument can break the call, not even one of the method's own."""
    arguments = {"action": "send", "text": "ls", "self": 1, 7: 1, None: 1}
    assert isinstance(talk.tool, TmuxTool)
    message = talk.tool.execute_json(arguments).message
    assert message.startswith("error: there is no argument 'self', 7, null; the action 'send'")
    assert talk.refused("send", text="ls", self=1).startswith("there is no argument 'self';")
