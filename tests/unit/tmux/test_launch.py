"""How tmux is started: the words of a launcher, and of a program in a pane."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tmuxprim import AsyncTmuxTerminal, TmuxTerminal
from tmuxprim._tmux.launch import Prefix, make_prefix, refuse_missing_program
from tmuxprim.errors import ProgramNotFoundError

WORDS = st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
HARD = ("a'b", "; c", "$D", "#{e}", "", "日")


def shells(*launcher: str) -> int:
    """Return how many shells words are quoted for, by taking them apart as those would."""
    argv = Prefix(launcher, ("tmux", "-u")).argv(*HARD)
    assert argv[: len(launcher)] == launcher
    words = list(argv[len(launcher) :])
    count = 0
    while words != ["tmux", "-u", *HARD]:
        words = shlex.split(" ".join(words))
        count += 1
        assert count < 5
    return count


@pytest.mark.parametrize(
    "launcher",
    [
        *("", "env A=b", "docker exec -i box", "docker exec -i ssh-box", "sudo -u ssh-user"),
        *("nice -n 5 env", "kubectl exec -i pod --"),
    ],
)
def test_words_are_passed_on_as_they_are(launcher: str) -> None:
    """By whatever starts a program from words."""
    assert shells(*launcher.split()) == 0


@pytest.mark.parametrize(
    "launcher",
    [
        *("ssh host", "autossh -M 0 host", "/usr/bin/ssh -p 22 host", "ssh -J a,b -- host"),
        *("slogin host", "dbclient -y -p 22 host", "rsh -l me host"),
        *("sshpass -e ssh host", "env -i ssh host", "nice -n 5 ssh -4 host"),
        *("ssh host docker exec -i box", "ssh host sudo -n"),
    ],
)
def test_one_shell_reads_them(launcher: str) -> None:
    """That of the other machine."""
    assert shells(*launcher.split()) == 1


@pytest.mark.parametrize(
    "launcher",
    [
        *("ssh jump ssh host", "ssh -l me jump sudo -n ssh host", "autossh -M 0 jump ssh host"),
    ],
)
def test_a_second_ssh_is_refused(launcher: str) -> None:
    """Its shell would run what the first one's had read."""
    with pytest.raises(ValueError, match=r"a launcher names ssh once, .* 'ssh -J jump host' goes"):
        make_prefix(None, None, None, "tmux", launcher.split())


@pytest.mark.parametrize("word", ["=", "=ls", "==", "=a'b"])
def test_no_word_is_a_program_to_zsh(word: str) -> None:
    """A login shell that is zsh would put the path of ls for a bare ``=ls``."""
    quoted = Prefix(("ssh", "host"), ("tmux",)).argv(word)[-1]
    assert not quoted.startswith("=")
    assert shlex.split(quoted) == [word]


def test_which_server() -> None:
    """By name, by path, or the user's own; with a file of settings, if one is given."""
    assert str(make_prefix(None, None, None, "tmux", ())) == "tmux -u -L default"
    assert str(make_prefix("x", None, "/f", "t", ("env",))) == "env t -u -L x -f /f"
    assert str(make_prefix(None, "/s", None, "tmux", ())) == "tmux -u -S /s"
    with pytest.raises(ValueError, match="give socket_name or socket_path, not both"):
        make_prefix("x", "/s", None, "tmux", ())
    with pytest.raises(
        ValueError, match=r"a launcher is a sequence of words such as .*, got 'ssh host'"
    ):
        make_prefix(None, None, None, "tmux", "ssh host")


@pytest.mark.parametrize("ssh", ["ssh", "/usr/bin/ssh", "autossh"])
@settings(max_examples=examples(30))
@given(words=WORDS)
def test_a_shell_that_reads_once_more_reads_the_words(ssh: str, words: list[str]) -> None:
    """What ssh joins by spaces a shell takes apart into the same words."""
    prefix = Prefix((ssh, "-p", "22", "host"), ("tmux",))
    joined = " ".join(prefix.argv(*words)[4:])
    assert shlex.split(joined) == ["tmux", *words]


def test_a_real_shell_reads_the_words() -> None:
    """An sh agrees, with all that is special to it."""
    words = ("$0", "#{pane_id}", "a b", "'", '"', ";", "*", "~", "", "\n", "\\", "`x`", "é")
    argv = Prefix(("ssh", "host"), ("printf", "%s|")).argv(*words)
    done = subprocess.run(["sh", "-c", " ".join(argv[2:])], capture_output=True, check=True)
    assert done.stdout.decode() == "".join(f"{word}|" for word in words)


@pytest.mark.parametrize("socket", [("", None), (None, "")])
def test_an_empty_socket_is_no_default(socket: tuple[str | None, str | None]) -> None:
    """To tmux it would be the user's own server, where nobody wants to be by mistake."""
    with pytest.raises(ValueError, match="is not empty; None is the user's own server"):
        make_prefix(*socket, None, "tmux", ())


def test_a_path_is_no_name_of_a_socket() -> None:
    """Tmux would look for it in its own directory, and fail with the first call."""
    with pytest.raises(ValueError, match="no '/', got 'a/b'; give a path as socket_path"):
        TmuxTerminal(socket_name="a/b")


class TestPrograms:
    """Words name a program of this machine, or are refused before a pane is opened."""

    @pytest.fixture(autouse=True)
    def _programs(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have a program in one directory of PATH, and files that are none."""
        for name, mode in (("tool", 0o755), ("text", 0o644)):
            (tmp_path / name).touch()
            (tmp_path / name).chmod(mode)
        (tmp_path / "directory").mkdir()
        monkeypatch.setenv("PATH", f"/no-such-directory:{tmp_path}")
        monkeypatch.chdir(tmp_path)

    @pytest.mark.parametrize("command", [["tool"], ["tool", "-x"], ["./tool"], "nothing -x", None])
    def test_there(self, command: list[str] | str | None) -> None:
        """In PATH, or by its path; what a text means is a shell's business."""
        refuse_missing_program(command, None, {})

    @pytest.mark.parametrize("word", ["nothing", "text", "directory"])
    def test_not_in_path(self, word: str) -> None:
        """A file that cannot be run is none, nor is a directory."""
        with pytest.raises(ProgramNotFoundError) as caught:
            refuse_missing_program([word, "-x"], None, {})
        assert str(caught.value) == (
            f"PATH has no program {word!r} that can be run; install it, or name another"
        )

    def test_not_in_the_path_that_is_given(self, tmp_path: Path) -> None:
        """The program is looked for where env(1) will look."""
        refuse_missing_program(["directory/../tool"], None, {"PATH": "/no-such-directory"})
        with pytest.raises(ProgramNotFoundError, match="PATH has no program 'tool'"):
            refuse_missing_program(["tool"], None, {"PATH": "/no-such-directory"})
        refuse_missing_program(["tool"], str(tmp_path), {"PATH": ""})

    def test_not_at_that_path(self, tmp_path: Path) -> None:
        """It counts from the directory that the program starts in."""
        refuse_missing_program(["./tool"], str(tmp_path), {})
        for word, directory in (("./tool", "/"), ("directory/tool", None), ("/tool", None)):
            with pytest.raises(ProgramNotFoundError, match="there is no program"):
                refuse_missing_program([word], directory, {})

    @pytest.mark.parametrize("directory", ["/no-such-directory", "sub", "text"])
    def test_no_folder(self, directory: str) -> None:
        """Else tmux would start it in another one, and say nothing."""
        with pytest.raises(ProgramNotFoundError) as caught:
            refuse_missing_program(None, directory, {})
        assert str(caught.value) == (
            f"no such directory, or not accessible: {directory!r}; make it, or name another"
        )

    def test_a_folder_from_here(self) -> None:
        """It counts from the directory of this process, as tmux counts it."""
        for directory in ("directory", "", "."):
            refuse_missing_program("ls", directory, {})

    def test_a_place_that_may_not_be_entered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Such a directory is passed over, as in the PATH that ``su`` leaves to another user."""

        def refuse(_: Path) -> bool:
            raise PermissionError

        monkeypatch.setattr("os.access", lambda *_: False)
        monkeypatch.setattr(Path, "is_file", refuse)
        with pytest.raises(ProgramNotFoundError, match="PATH has no program"):
            refuse_missing_program(["tool"], None, {})

    def test_what_cannot_be_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where tmux looks is not known without PATH."""
        monkeypatch.delenv("PATH")
        refuse_missing_program(["nothing"], None, {})


def test_the_path_of_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As tmux makes it of a name; that of another machine is nobody's business."""
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    user = f"tmux-{os.getuid()}"
    monkeypatch.setenv("TMUX_TMPDIR", str(link))
    assert make_prefix("x", None, None, "tmux", ()).socket == f"{tmp_path.resolve()}/{user}/x"
    assert make_prefix(None, "a/b", None, "tmux", ()).socket == "a/b"
    assert make_prefix("x", None, None, "tmux", ("ssh", "host")).socket == ""
    monkeypatch.setenv("TMUX_TMPDIR", str(tmp_path / "none"))
    path = make_prefix(None, None, None, "tmux", ()).socket
    assert path == f"{os.path.realpath('/tmp')}/{user}/default"  # noqa: S108  # as tmux does


@pytest.mark.parametrize("terminal", [TmuxTerminal, AsyncTmuxTerminal])
def test_launchers_by_their_names(terminal: type[TmuxTerminal | AsyncTmuxTerminal]) -> None:
    """The other options are those of every terminal."""
    name = terminal.__name__
    by_ssh = terminal.ssh("me@host", socket_name="work", executable="/opt/tmux")
    assert repr(by_ssh) == f"{name}(ssh me@host /opt/tmux -u -L work)"
    by_docker = terminal.docker("box", config_file="/dev/null")
    assert repr(by_docker) == f"{name}(docker exec -i box tmux -u -L default -f /dev/null)"


@pytest.mark.parametrize("terminal", [TmuxTerminal, AsyncTmuxTerminal])
@pytest.mark.parametrize("name", ["", "-oProxyCommand=reboot"])
def test_a_name_is_no_option_of_its_launcher(
    terminal: type[TmuxTerminal | AsyncTmuxTerminal], name: str
) -> None:
    """Ssh would run the command of a proxy."""
    for make in (terminal.ssh, terminal.docker):
        with pytest.raises(ValueError, match="a name that does not begin with '-'"):
            make(name)
