"""The MCP server on the fake, by the client of the package `mcp`: what is offered and answered."""

import asyncio
import json
import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client, MCPError, types
from typing_extensions import override

from tests.unit.mcp.talking import Host, Options, new_fake, text_of
from tests.unit.stepping import Stepping
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, Pane, Screen, StabilityStrategy, __version__
from tmuxprim._tool.actions import MANY_TOOLS
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.mcp import make_server
from tmuxprim.readiness import ExitStrategy
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, repl
from tmuxprim.tool import AsyncTmuxTool, tool_schema

ONE_TOOL: Any = tool_schema("mcp")


def tools_of(host: Host) -> dict[str, types.Tool]:
    """Return the tools that a client is offered."""

    async def go(client: Client) -> list[types.Tool]:
        return (await client.list_tools()).tools

    return {tool.name: tool for tool in host.run(go)}


def test_the_tools(host: Host) -> None:
    """There is one for each action of the one tool, and more; some only look."""
    tools = tools_of(host)
    assert list(tools) == list(MANY_TOOLS.actions)
    annotations = {name: tool.annotations for name, tool in tools.items()}
    only_looks = [name for name, told in annotations.items() if told and told.read_only_hint]
    assert only_looks == ["read", "wait_ready", "wait_for", "ask_person", "panes"]


def test_each_tool_is_described_as_the_one_tool(host: Host) -> None:
    """The arguments are in the words of `tool_schema`, and so is what each does."""
    known = ONE_TOOL["inputSchema"]["properties"]
    for name, tool in tools_of(host).items():
        action = MANY_TOOLS.actions[name]
        assert tool.description is not None
        assert action.does[1:] in tool.description
        assert list(tool.input_schema["properties"]) == list(action.arguments)
        assert tool.input_schema.get("required", []) == [need.name for need in action.needs]
        if name in ("read", "open", "panes"):  # of these it has another, or none
            continue
        assert f"{name}: {action.does}" in ONE_TOOL["description"]
        for argument, said in tool.input_schema["properties"].items():
            assert said["description"] in known[argument]["description"]
            own = {"description": said["description"], "default": said.get("default")}
            assert {**known[argument], **own} == {"default": None, **said}


def states_of(host: Host) -> list[dict[str, object]]:
    """Return the states that a client reads."""

    async def go(client: Client) -> list[dict[str, object]]:
        (resource,) = (await client.list_resources()).resources
        (content,) = (await client.read_resource(resource.uri)).contents
        assert isinstance(content, types.TextResourceContents)
        assert content.mime_type == resource.mime_type == "application/json"
        panes: list[dict[str, object]] = json.loads(content.text)["panes"]
        return panes

    return host.run(go)


def test_states(host: Host) -> None:
    """One resource has the state of each pane; reading it types nothing."""
    host.fake.open("sh", name="other")
    host.fake.clock.sleep(1.0)
    sent = host.fake.sent()
    shared, other = sorted(states_of(host), key=lambda one: str(one["pane"]))
    assert (shared["name"], shared["state"], shared["program"]) == ("shared:0.0", "prompt", "sh")
    assert (other["name"], other["is_guess"], other["question"]) == ("other:0.0", False, "")
    assert host.fake.sent() == sent
    (only,) = states_of(Host(host.fake, host.mode, Options(allow=("other",))))
    assert only == other


def test_other_resource(host: Host) -> None:
    """It is refused, and the error names the one there is."""

    async def go(client: Client) -> None:
        with pytest.raises(MCPError, match="the one resource is tmuxprim://states, got"):
            await client.read_resource("tmuxprim://other")

    host.run(go)


def test_run_is_described(host: Host) -> None:
    """It may take longer than a wait, by default."""
    properties = tools_of(host)["run"].input_schema["properties"]
    assert properties["command"]["maxLength"] == 100_000
    assert properties["timeout"]["default"] == 30
    assert properties["pane"]["default"] == "shared"


def test_the_server_says_who_it_is(host: Host) -> None:
    """Name and version, and how its tools are to be used."""

    async def go(client: Client) -> tuple[str | None, types.Implementation | None]:
        return client.instructions, client.server_info

    instructions, info = host.run(go)
    assert info is not None
    assert (info.name, info.version) == ("tmuxprim", __version__)
    assert instructions is not None
    assert "`send` or `keys`, and after each `wait_ready`" in instructions
    assert "A person may watch the pane `shared`" in instructions


CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("wait_ready", {}),
    ("send", {"text": "many"}),
    ("wait_ready", {"timeout": "5"}),
    ("read", {"lines": 500}),
    ("send", {"text": "as", "enter": "false"}),
    ("keys", {"keys": "BSpace s k"}),
    ("keys", {"keys": ["Enter"]}),
    ("wait_ready", {"pane": "shared:0"}),
    ("send", {"text": "y"}),
    ("wait_ready", {"prompt_pattern": r"\$$"}),
    ("send", {"text": "login"}),
    ("wait_ready", {}),
    ("keys", {"keys": ["h", "u"]}),
    ("send", {"text": "nter2"}),
    ("wait_ready", {}),
    ("send", {"text": "ls", "pane": "other"}),
    ("send", {"text": "exit"}),
    ("wait_ready", {}),
    ("read", {}),
)


def test_it_says_what_the_tool_says(host: Host) -> None:
    """A whole session, secrets and a pane that is gone included, is told in the same words."""

    async def session() -> list[tuple[str, bool]]:
        tool = AsyncTmuxTool(AsyncFakeTerminal(new_fake()))
        replies = [await tool.execute(action=name, **given) for name, given in CALLS]
        return [(reply.message, reply.is_error) for reply in replies]

    told = [(text_of(result), result.is_error) for result in host.call(*CALLS)]
    told = [(re.sub(r"^\[.*\]\n", "", message), is_error) for message, is_error in told]
    assert told == asyncio.run(session())
    assert not any("hunter2" in message for message, _ in told)
    assert ("Sent: (hidden) + Enter", False) in told


def test_null_is_an_argument_left_out(host: Host) -> None:
    """To some models; and so are no arguments at all."""

    async def go(client: Client) -> types.CallToolResult:
        return await client.call_tool("read")

    assert text_of(host.run(go)).endswith("\n$")
    assert host.say(("send", {"text": "ls", "pane": None})) == ["Sent: 'ls' + Enter"]


def test_another_pane_is_shared() -> None:
    """A call that names none is for that; it is opened, and the client is told its name."""
    host = Host(FakeTerminal(programs={"sh": SHELL}), options=Options(pane="work"))
    opened, told = host.say(("run", {"command": "echo hi"}), ("run", {"command": "echo hi"}))
    assert opened.startswith("There was no pane 'work', so it was opened, with a new shell. Noth")
    assert told == "done\nhi\n"
    assert tools_of(host)["run"].input_schema["properties"]["pane"]["default"] == "work"
    assert host.refused("read", {"pane": "shared"}).endswith("Without 'pane' you work in 'work'.")


@pytest.mark.parametrize(
    ("target", "opens", "advice"),
    [
        ("work", False, "The user can open it: tmux new-session -d -s work."),
        ("%7", True, "The user can open it."),
        ("work:0.1", True, "The user can open it."),
    ],
)
def test_a_pane_that_is_not_opened(target: str, opens: bool, advice: str) -> None:  # noqa: FBT001  # a case of the table
    """Since it is not to be, or is no session of its own."""
    host = Host(FakeTerminal(), options=Options(pane=Pane(target), opens=opens))
    why = host.refused("wait_ready", {})
    assert why == f"there is no pane {target!r}. There are no panes. {advice}"
    assert host.fake.panes() == ()


def test_a_strategy_decides() -> None:
    """Whoever makes the server may say how it is known that a pane is ready."""
    host = Host(new_fake(), options=Options(strategy=StabilityStrategy(1.0)))
    assert host.say(("wait_ready", {})) == [
        "ready (stable): a guess: nothing has changed for 1 s\n$"
    ]


def test_a_strategy_that_is_none() -> None:
    """A programmer's mistake is an error, and at once."""
    with pytest.raises(InvalidStrategyError, match="call it first"):
        make_server(AsyncFakeTerminal(), strategy=ExitStrategy)  # type: ignore[arg-type]  # the mistake


def test_copy_mode_is_left_if_told_so() -> None:
    """A server may be allowed to take the keyboard from a person who scrolls."""
    for leave_mode in (False, True):
        host = Host(new_fake(), options=Options(leave_mode=leave_mode))
        host.fake.set_mode(Pane("shared"), "copy-mode")
        (result,) = host.call(("send", {"text": "ls"}))
        assert result.is_error is not leave_mode
        told = "Sent: " if leave_mode else "error: nothing was sent: pane %0 is in copy-mode"
        assert text_of(result).startswith(told)


# Calls of the MCP server at a time: on several panes, cancelled, and what goes wrong within.

SHARED = Pane("shared")
SECRET = "hunter2"  # noqa: S105  # a password that nobody has
LONG_BEGUN = 10.0  # seconds, by when every program runs and waits


async def until(is_so: Callable[[], bool]) -> None:
    """Let the others go on until something is so."""
    while not is_so():  # noqa: ASYNC110  # nobody tells
        await asyncio.sleep(0)


def test_panes_are_waited_for_at_the_same_time(host: Host) -> None:
    """Ten minutes of work in ten panes take one."""
    for number in range(10):
        host.fake.open("sh", name=f"s{number}")
    began = host.fake.clock.now()

    async def go(client: Client) -> list[str]:
        calls = (
            client.call_tool("run", {"command": "make", "timeout": 90, "pane": f"s{number}"})
            for number in range(10)
        )
        return [text_of(result) for result in await asyncio.gather(*calls)]

    assert host.run(go) == ["done\ndone\n"] * 10
    assert host.fake.clock.now() - began == pytest.approx(60, abs=5)


def test_calls_for_one_pane_are_done_in_order(host: Host) -> None:
    """A model that asks for three things at once gets them one after the other."""

    async def go(client: Client) -> list[str]:
        calls = (
            client.call_tool("send", {"text": "make"}),
            client.call_tool("wait_ready", {"timeout": 90}),
            client.call_tool("run", {"command": "echo hi"}),
        )
        return [text_of(result) for result in await asyncio.gather(*calls)]

    assert host.run(go) == [
        "Sent: 'make' + Enter",
        "ready (prompt matched)\n$ make\ndone\n$",
        "done\nhi\n",
    ]


@pytest.mark.parametrize("name", ["wait_ready", "run"])
def test_a_call_that_is_cancelled(host: Host, name: str) -> None:
    """The wait ends, nothing more is typed, and the pane can be used."""
    terminal = Stepping(host.fake)
    arguments: dict[str, object] = {"timeout": 3600}

    async def go(client: Client) -> str:
        if name == "wait_ready":
            await client.call_tool("send", {"text": "serve"})
        else:
            arguments["command"] = "serve"
        waiting = asyncio.create_task(client.call_tool(name, arguments))
        await until(lambda: bool(terminal.open_bells) and host.fake.clock.now() > LONG_BEGUN)
        waiting.cancel()
        await asyncio.wait([waiting])
        await until(lambda: not terminal.open_bells)
        host.fake.assert_sent(SHARED, "serve", "Enter")
        await client.call_tool("keys", {"keys": "C-c"})
        return text_of(await client.call_tool("run", {"command": "echo hi"}))

    assert Host(host.fake, host.mode, terminal=terminal).run(go) == "done\nhi\n"
    assert terminal.listeners == 0
    assert host.fake.clock.now() < 3000


def test_a_client_that_hangs_up(host: Host) -> None:
    """What is still waited for ends with it, and the pane goes on."""
    terminal = Stepping(host.fake)
    ended: list[asyncio.Future[types.CallToolResult]] = []

    async def go(client: Client) -> None:
        await client.call_tool("send", {"text": "serve"})
        waiting = asyncio.ensure_future(client.call_tool("wait_ready", {"timeout": 3600}))
        waiting.add_done_callback(ended.append)
        await until(lambda: bool(terminal.open_bells))

    Host(host.fake, host.mode, terminal=terminal).run(go)
    assert (terminal.open_bells, terminal.listeners) == (0, 0)
    assert ended[0].cancelled() or isinstance(ended[0].exception(), MCPError)
    assert Host(host.fake).say(("wait_ready", {"timeout": 1}))[0].startswith("wait_ready timed out")


class Broken(AsyncFakeTerminal):
    """Has an error that nobody has thought of."""

    @override
    async def read(self, pane: Pane, *, history: int = 0) -> str:
        raise ZeroDivisionError(SECRET)


def test_an_error_of_our_own(caplog: pytest.LogCaptureFixture) -> None:
    """It is a result as well, the server goes on, and no message tells what may be a secret."""
    fake = new_fake()
    with caplog.at_level(logging.ERROR):
        told, other = Host(fake, terminal=Broken(fake)).say(("read", {}), ("wait_ready", {}))
    assert told == (
        "error: tmuxprim itself failed (ZeroDivisionError); its log says more. Read "
        "the pane before you send anything again"
    )
    assert other == "ready (prompt matched)\n$"
    assert "ZeroDivisionError in the tool 'read'" in caplog.text
    assert "in read" in caplog.text
    assert SECRET not in caplog.text


def test_no_tmux() -> None:
    """An error of the library is told in words for models."""
    fake = FakeTerminal(programs={"sh": SHELL})
    fake.open("sh", name="shared")
    fake.faults.hang(60.0)
    (told,) = Host(fake).say(("send", {"text": "hunter2"}))
    assert told.startswith("error: tmux did not answer in time")
    assert "hunter2" not in told


# What only the MCP server has: `open`, `panes`, and what its `read` tells; and `wait_for`.

FIRST = "[sh; cursor in row 1 of 24, column 3; this is your first read]\n$"


def test_a_pane_is_opened_by_its_name(host: Host) -> None:
    """With a new shell at its prompt; the next calls for that name are for it."""
    opened, sent = host.say(
        ("open", {"pane": "logs", "cwd": "/tmp"}),  # noqa: S108  # a directory
        ("send", {"text": "ls", "pane": "logs"}),
    )
    assert opened == "Opened the pane 'logs' (%1), with a new shell.\nready (prompt matched)\n$"
    assert sent == "Sent: 'ls' + Enter"
    host.fake.assert_sent(Pane("logs"), "ls", "Enter")


def test_a_pane_that_is_there_is_used(host: Host) -> None:
    """What runs in it is told, and goes on."""
    sent, told = host.say(("send", {"text": "serve"}), ("open", {"pane": "shared"}))
    assert sent == "Sent: 'serve' + Enter"
    head = "There is a pane 'shared' (%0) already; it was left as it is."
    assert told == f"{head}\nwait_ready timed out after 1s: serve runs and does not read\n$ serve"


def test_a_pane_that_was_closed_is_opened_again(host: Host) -> None:
    """Whoever opens a name means what is there now, and is not told of what was."""

    async def go(client: Client) -> str:
        await client.call_tool("open", {"pane": "logs"})
        host.fake.close(Pane("logs"))
        return text_of(await client.call_tool("open", {"pane": "logs"}))

    assert (
        host.run(go) == "Opened the pane 'logs' (%2), with a new shell.\nready (prompt matched)\n$"
    )


def test_the_shared_pane_is_opened_if_asked_for() -> None:
    """Also by a server that opens none by itself; that is what the call says."""
    host = Host(FakeTerminal(programs={"sh": SHELL}), options=Options(opens=False))
    (opened,) = host.say(("open", {"pane": "shared"}))
    assert opened.startswith("Opened the pane 'shared' (%0), with a new shell.")


def test_a_name_that_no_pane_can_have(host: Host) -> None:
    """A new pane is a session of its own."""
    (result,) = host.call(("open", {"pane": "a:b"}))
    assert result.is_error
    assert len(host.fake.panes()) == 1


def test_panes_are_listed() -> None:
    """Each with what is known of it; one whose program has ended says so."""
    fake = new_fake(remain_on_exit=True)
    other = fake.open("sh", name="other")
    host = Host(fake)
    assert host.say(("panes", {})) == ["%1 other:0.0 80x24 sh\n%0 shared:0.0 80x24 sh"]
    fake.faults.kill(other)
    assert host.say(("panes", {})) == ["%1 other:0.0 80x24 (ended)\n%0 shared:0.0 80x24 sh"]


def test_panes_that_are_allowed() -> None:
    """Others are not listed, though the pane that is meant without a name is one of them."""
    fake = new_fake()
    fake.open("sh", name="other")
    fake.open("sh", name="logs")
    host = Host(fake, options=Options(allow=("other",), read_only=("logs",)))
    told = host.say(("panes", {}), ("open", {"pane": "logs"}), ("read", {}))
    assert told[0] == "%2 logs:0.0 80x24 sh\n%1 other:0.0 80x24 sh"
    assert told[1].startswith("error: you may only read the pane 'logs': read, ")
    assert told[2].startswith("error: you may not use the pane 'shared'; allowed are: logs, other.")


def test_no_panes() -> None:
    """And none is opened."""
    host = Host(FakeTerminal())
    assert host.say(("panes", {})) == ["There are no panes."]
    assert host.fake.panes() == ()


def test_a_server_that_hangs_lists_nothing(host: Host) -> None:
    """It is told as an error."""
    host.fake.faults.hang(60.0)
    (result,) = host.call(("panes", {}))
    assert result.is_error


def test_a_text_is_waited_for(host: Host) -> None:
    """It has to be new since what was sent last."""
    told = host.say(
        ("send", {"text": "make"}),
        ("wait_for", {"text": "done", "timeout": 90}),
        ("send", {"text": "serve"}),
        ("wait_for", {"text": "done", "timeout": "5"}),
    )
    assert told[1].startswith("found 'done'\n$ make\ndone")
    assert told[3].startswith("wait_for timed out after 5s: no new row shows 'done'\n")


def test_a_program_that_ends_without_the_text(host: Host) -> None:
    """The pane is gone, and the next call opens another."""
    told = host.say(("send", {"text": "exit"}), ("wait_for", {"text": "never"}), ("wait_ready", {}))
    assert told[1].startswith("exited")
    assert told[2].startswith("There was no pane 'shared', so it was opened")


def test_read_tells_what_is_new(host: Host) -> None:
    """Program, cursor, and how many lines there are since the last read; or only those lines."""
    first, _, _, second, nothing = host.say(
        ("read", {}),
        ("send", {"text": "less"}),
        ("wait_ready", {}),
        ("read", {}),
        ("read", {"only_new": True}),
    )
    assert first == FIRST
    assert second.startswith("[less; cursor in row ")
    assert "; about " in second.partition("]")[0]
    assert nothing.startswith("[less; cursor in row ")


def test_only_what_is_new_is_read(host: Host) -> None:
    """At the first read that is all there is."""
    first, _, _, new, nothing = host.say(
        ("read", {"only_new": True}),
        ("send", {"text": "ask"}),
        ("wait_ready", {}),
        ("read", {"only_new": "true"}),
        ("read", {"only_new": True}),
    )
    assert first == FIRST
    state = "[ask; cursor in row 2 of 24, column 17; {} lines are new since your last read]\n"
    assert new == state.format(2) + " ask\nContinue? [y/N]"
    assert nothing == state.format(0) + "(nothing new)"


# The tool `run`: a command's output as it is, and what is said of one that has not ended.


def run(host: Host, command: str, **more: object) -> str:
    """Run a command, and return what a model is told."""
    (told,) = host.say(("run", {"command": command, **more}))
    return told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("echo hi", "done\nhi\n"),
        ("table", "done\n  a  b \n"),
        ("true", "done, without output"),
        ("echo a\necho b\n", "done\na\nb\n"),
        ("echo '; kill-server ;'", "done\n; kill-server ;\n"),
        ("many", "done\n" + "".join(f"line {number}\n" for number in range(1, 301))),
    ],
)
def test_its_output_is_exact(host: Host, command: str, told: str) -> None:
    """It is all that was printed, to the last blank; a first line says that it is."""
    assert run(host, command) == told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("ask", "waiting for input\nContinue? [y/N]"),
        ("login", "waiting for a secret\n(a person types it in the pane %0; ask_person waits"),
        ("less", "ready (full-screen program)\na\nb\n"),
        ("make", "run timed out after 2s: make runs and does not read, without output"),
        ("exit", "exited: the pane is gone"),
    ],
)
def test_a_command_that_has_not_ended(host: Host, command: str, told: str) -> None:
    """What it waits for is said first, and below it what it has printed so far."""
    assert run(host, command, timeout=2).startswith(told)


def test_a_command_that_becomes_a_repl() -> None:
    """It shows a prompt of its own, so its end cannot be determined."""
    shell = ScriptedShell({"names": repl(lambda line: line, prompt="name> ")})
    fake = FakeTerminal(programs={"sh": shell})
    fake.open("sh", name="shared")
    told = run(Host(fake), "names")
    assert told == (
        "ready (prompt matched), but this may not be exactly the output: the command itself shows "
        "a prompt, so it cannot be determined whether it has ended, without output"
    )


def test_a_prompt_of_two_rows() -> None:
    """The model is told what helps, and does it; or the user has said it."""
    shell = ScriptedShell({"ls": "a"}, prompt="in ~\n$ ", bracketed_paste=False)
    fake = FakeTerminal(programs={"sh": shell})
    fake.open("sh", name="shared")
    host = Host(fake)
    first, learned, second = host.say(
        ("run", {"command": "ls"}), ("run", {"command": ""}), ("run", {"command": "ls"})
    )
    assert first == (
        "ready (prompt matched), but this may not be exactly the output: its last rows may be the "
        "prompt's: an Enter at the empty prompt shows how many rows it has, or give the number\n"
        "a\nin ~\n"
    )
    assert (learned, second) == ("done, without output", "done\na\n")
    told = Host(fake, options=Options(prompt_rows=2))
    assert run(told, "ls") == "done\na\n"


def test_long_output_is_cut_at_its_top(host: Host) -> None:
    """Its end is told, whole lines, and how much is missing."""
    lines = "\n".join(f"echo {'x' * 60}" for _ in range(500))
    head, cut, rest = run(host, lines, timeout=600).split("\n", 2)
    assert head == "done"
    assert cut == f"(cut: {500 * 61 - len(rest):,} characters above are not shown)"
    assert set(rest.split("\n")[:-1]) == {"x" * 60}
    assert len(rest) <= 20_000


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("less", "the pane takes no command; less has drawn its screen"),
        ("ask", "the pane takes no command; a program waits for a line, after "),
        ("login", "the pane takes no command; "),
        ("make", "the pane takes no command; timed out after "),
    ],
)
def test_a_pane_that_takes_no_command(host: Host, before: str, why: str) -> None:
    """Nothing is typed, and the command, which may be a secret, is not told."""
    asked, told = host.say(
        ("run", {"command": before, "timeout": 0.5}),
        ("run", {"command": "hunter2", "timeout": 5}),
    )
    assert not asked.startswith("error: ")
    assert told.startswith(f"error: nothing was sent: {why}")
    assert "hunter2" not in told
    host.fake.assert_sent(SHARED, before, "Enter")


def test_half_a_line_at_the_prompt(host: Host) -> None:
    """What a person has begun to type is no part of a command, and a model knows what to do."""
    _, _, told, pressed, ran = host.say(
        ("wait_ready", {}),
        ("send", {"text": "rm -rf", "enter": False}),
        ("run", {"command": "echo hi"}),
        ("keys", {"keys": "C-e C-u"}),
        ("run", {"command": "echo hi"}),
    )
    assert told == (
        "error: nothing was sent: 'rm -rf' is already typed at the prompt; "
        "press C-e and C-u with 'keys' to take it away"
    )
    assert (pressed, ran) == ("Sent: C-e + C-u", "done\nhi\n")


def test_a_pane_that_was_closed(host: Host) -> None:
    """A command that was meant for what ran there is not typed elsewhere."""

    async def go(client: Any) -> str:  # noqa: ANN401  # of two kinds of client
        await client.call_tool("wait_ready")
        host.fake.close(host.fake.resolve(SHARED))
        result = await client.call_tool("run", {"command": "rm -r build"})
        return str(result.content[0].text)

    assert host.run(go).startswith("error: the pane 'shared' is gone: its program has ended, or it")


class Closing(FakeTerminal):
    """Loses a pane just when its history is looked at, which is after the command."""

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        if history:
            self.close(pane)
        return super().observe(pane, history=history, styled=styled)


def test_a_pane_that_goes_before_its_output_is_read() -> None:
    """The command was typed, so nobody says that it was not."""
    fake = Closing(programs={"sh": SHELL})
    fake.open("sh", name="shared")
    host = Host(fake)
    first, second = host.say(("run", {"command": "many"}), ("wait_ready", {}))
    assert first == "exited: the pane is gone"
    assert second.startswith("There was no pane 'shared', so it was opened")
