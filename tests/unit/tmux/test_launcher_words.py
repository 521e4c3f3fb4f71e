"""`Prefix`: which shells read what is put behind a launcher, and how it is quoted for them."""

import shlex

import pytest

from tmuxprim._tmux.launch import Prefix, make_prefix

WORDS = ("a'b", "; c", "$D", "#{e}", "", "日")


def shells(*launcher: str) -> int:
    """Return how many shells words are quoted for, by taking them apart as those would."""
    argv = Prefix(launcher, ("tmux", "-u")).argv(*WORDS)
    assert argv[: len(launcher)] == launcher
    words = list(argv[len(launcher) :])
    count = 0
    while words != ["tmux", "-u", *WORDS]:
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
    with pytest.raises(ValueError, match=r"a launcher is words, such as .*, got 'ssh host'"):
        make_prefix(None, None, None, "tmux", "ssh host")
