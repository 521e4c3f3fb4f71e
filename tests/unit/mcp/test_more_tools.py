"""What only the MCP server has: `open`, `panes`, and what its `read` tells; and `wait_for`."""

from mcp import Client

from tests.unit.mcp.talking import Host, Options, new_fake, text_of
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, Pane

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
    assert told[1].startswith("error: the pane 'logs' is only to be looked at: read, ")
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
