"""`Site`: which tmux is asked, and how."""

from pathlib import Path

import pytest

from tmuxprim import AsyncTmuxTerminal, Pane, TmuxTerminal
from tmuxprim._cli.options import Options
from tmuxprim._cli.parser import parse
from tmuxprim._cli.site import Site


def transport(*argv: str) -> str:
    """Return how calls are carried, for a command line."""
    terminal = Site(parse(argv)).terminal
    assert isinstance(terminal, TmuxTerminal)
    return terminal.transport


def test_the_options_say_which_server() -> None:
    """And the terminal is the same each time."""
    argv = ["panes", "-S", "/s", "-f", "/dev/null", "--launcher", "ssh host"]
    site = Site(parse(argv))
    assert repr(site.terminal) == "TmuxTerminal(ssh host tmux -u -S /s -f /dev/null)"
    assert site.terminal is site.terminal
    assert not site.is_local
    site.close()


def test_without_options_it_is_the_users_own() -> None:
    """As ``tmux attach`` finds it; nothing is held until it is used."""
    site = Site(Options())
    site.close()
    assert site.is_local
    assert repr(site.terminal) == "TmuxTerminal(tmux -u -L default)"


def test_the_transport_is_what_was_asked_for() -> None:
    """One command starts few clients, and attaching to a server of others may be a danger to it."""
    assert transport("send", "work", "-") == "subprocess"
    assert transport("send", "work", "ls", "--transport", "auto") == "control"


def test_a_client_is_served_on_the_same_server() -> None:
    """In control mode where that is to be had safely: it is quicker."""
    argv = ["mcp", "-S", "/s", "-f", "/dev/null", "--launcher", "ssh host"]
    terminal = Site(parse(argv)).serving()
    assert repr(terminal) == "AsyncTmuxTerminal(ssh host tmux -u -S /s -f /dev/null)"
    assert isinstance(terminal, AsyncTmuxTerminal)
    assert terminal.transport == "control"
    other = Site(parse(["mcp", "--transport", "subprocess"])).serving()
    assert isinstance(other, AsyncTmuxTerminal)
    assert other.transport == "subprocess"


def test_tmux_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the options that name the server."""
    script = tmp_path / "tmux"
    script.write_text('#!/bin/sh\necho "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert Site(Options(socket_name="x")).ask("-V").startswith("-u -L x -V ;")


def test_this_process_becomes_tmux(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same server, and nothing of a shell."""
    became: list[object] = []
    monkeypatch.setattr("os.execvp", lambda *words: became.extend(words))
    options = Options(socket_path="/s", launcher=("ssh", "-t", "host"))
    Site(options).become("attach-session", "-t", "%0")
    words = ("'tmux'", "'-u'", "'-S'", "'/s'", "'attach-session'", "'-t'", "'%0'")
    assert became[0] == "ssh"
    assert [*became[1]] == ["ssh", "-t", "host", *(word.strip("'") for word in words)]  # type: ignore[misc]  # a list of words


def test_pane_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """By a client of its own; within a pane of that server, the client there switches to it."""
    script = tmp_path / "tmux"
    script.write_text('#!/bin/sh\ncase "$*" in *socket_path*) echo /s;; *) echo "$@";; esac\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    site = Site(parse(["watch", "-S", "/s"]))
    site.show(Pane("%3"))
    monkeypatch.setenv("TMUX", "/s,1,0")
    site.show(Pane("%3"))
    first, second = capfd.readouterr().out.splitlines()
    assert first.endswith("attach-session -t %3")
    assert second.endswith("switch-client -t %3")
