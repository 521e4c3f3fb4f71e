"""What a client gets wrong comes back as a result that teaches, and nothing is sent."""

import pytest

from tests.unit.mcp.talking import Host
from tests.unit.tool.test_misuse import brief

TOOLS = (
    "there are 'send', 'keys', 'read', 'wait_ready', 'wait_for', 'run', 'resume', 'interrupt', "
    "'ask_person', 'open' and 'panes'."
)
SEND = 'for example {"text": "ls -la"}'
RUN = 'for example {"command": "make test", "timeout": 120}'


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("execute", f"there is no tool 'execute' (did you mean 'run'?); {TOOLS}"),
        ("Bash", f"there is no tool 'Bash' (did you mean 'run'?); {TOOLS}"),
        ("send-keys", f"there is no tool 'send-keys' (did you mean 'keys'?); {TOOLS}"),
        ("waitReady", f"there is no tool 'waitReady' (did you mean 'wait_ready'?); {TOOLS}"),
        ("fly", f"there is no tool 'fly'; {TOOLS}"),
        ("", f"there is no tool ''; {TOOLS}"),
    ],
)
def test_no_such_tool(host: Host, name: str, why: str) -> None:
    """Which there are, and which was meant."""
    assert host.refused(name, {"text": "ls"}) == why


NO = "there is no argument"
TAKES_TEXT = "it takes 'text', 'enter', 'only' and 'pane'"
TAKES_COMMAND = (
    "it takes 'command', 'exit_status', 'all_output', 'timeout', 'idle_timeout' and 'pane'"
)


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("send", {}, f"the tool 'send' needs 'text': {SEND}."),
        ("run", {}, f"the tool 'run' needs 'command': {RUN}."),
        ("send", {"txt": "ls"}, f"{NO} 'txt' (did you mean 'text'?); the tool 'send' takes"),
        ("send", {"cmd": "ls"}, f"{NO} 'cmd' (did you mean 'text'?); the tool 'send' takes"),
        ("run", {"cmd": "ls"}, f"{NO} 'cmd' (did you mean 'command'?); the tool 'run' takes"),
        ("send", {"action": "send", "text": "ls"}, f"{NO} 'action'; the tool 'send' takes"),
        (
            *("run", {"text": "ls"}),
            f"the tool 'run' has no argument 'text'; {TAKES_COMMAND}; 'text' belongs to 'send' and",
        ),
        (
            *("send", {"command": "ls"}),
            f"the tool 'send' has no argument 'command'; {TAKES_TEXT}; 'command' belongs to 'run'.",
        ),
        ("wait_for", {}, "the tool 'wait_for' needs 'text': for example"),
        ("wait_for", {"text": ""}, "the tool 'wait_for' needs 'text': for example"),
        ("open", {}, "the tool 'open' needs 'pane': for example"),
        ("open", {"pane": "a", "cwd": 7}, "'cwd' is a string, got a number."),
        (
            "open",
            {"pane": "a", "folder": "b"},
            "there is no argument 'folder' (did you mean 'cwd'?",
        ),
        (
            "open",
            {"pane": "a", "cwd": "/" * 5_000},
            "'cwd' has at most 4,096 characters, got 5,000",
        ),
        ("panes", {"pane": "a"}, "the tool 'panes' has no argument 'pane'; it takes none; 'pane'"),
        ("read", {"only_new": "yes"}, "'only_new' is true or false, got 'yes'."),
        ("create", {"pane": "a"}, "there is no tool 'create' (did you mean 'open'?)"),
        ("run", {"command": "a\0b"}, "'command': NUL cannot be typed as text; press the key"),
        (
            "run",
            {"command": "ls", "idle_timeout": 0},
            "'idle_timeout' is a number of seconds above 0, at most",
        ),
        ("wait_for", {"text": "a", "gone": 1}, "'gone' is true or false, got 1."),
        (
            *("run", {"command": "ls", "pane": "build"}),
            "there is no pane 'build'. The existing panes are: %0 (shared:0.0, sh). ",
        ),
    ],
    ids=brief,
)
def test_a_wrong_call(host: Host, name: str, arguments: dict[str, object], why: str) -> None:
    """What is valid is said, in the words of the one tool, and without its `action`."""
    assert host.refused(name, arguments).startswith(why)
