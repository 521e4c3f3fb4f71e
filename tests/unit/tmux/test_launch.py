"""How tmux is started."""

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tmuxprim._tmux.launch import Prefix, make_prefix, refuse_missing_program
from tmuxprim.errors import ProgramNotFoundError

WORDS = st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))


@pytest.mark.parametrize(
    "launcher", [(), ("docker", "exec", "-i", "box"), ("sudo", "-u", "me"), ("env", "A=b")]
)
@settings(max_examples=examples(20))
@given(words=WORDS)
def test_words_are_passed_on_as_they_are(launcher: tuple[str, ...], words: list[str]) -> None:
    """A launcher that starts a program by words gets the very words."""
    prefix = Prefix(launcher, ("tmux", "-L", "x"))
    assert prefix.argv(*words) == (*launcher, "tmux", "-L", "x", *words)


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


def test_a_launcher_is_of_another_machine() -> None:
    """Without one, tmux runs here."""
    assert make_prefix(None, "/s", None, "tmux", ()).is_local
    assert not make_prefix(None, "/s", None, "tmux", ["sudo"]).is_local
    assert str(make_prefix(None, "/s", "/c", "tmux", ["sudo"])) == "sudo tmux -u -S /s -f /c"


class TestPrograms:
    """Words name a program of this machine, or are refused before a pane is opened."""

    @pytest.fixture(autouse=True)
    def _programs(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have a program in one folder of PATH, and files that are none."""
        for name, mode in (("tool", 0o755), ("text", 0o644)):
            (tmp_path / name).touch()
            (tmp_path / name).chmod(mode)
        (tmp_path / "folder").mkdir()
        monkeypatch.setenv("PATH", f"/no-such-folder:{tmp_path}")
        monkeypatch.chdir(tmp_path)

    @pytest.mark.parametrize("command", [["tool"], ["tool", "-x"], ["./tool"], "nothing -x", None])
    def test_there(self, command: list[str] | str | None) -> None:
        """In PATH, or by its path; what a text means is a shell's business."""
        refuse_missing_program(command, None)

    @pytest.mark.parametrize("word", ["nothing", "text", "folder"])
    def test_not_in_path(self, word: str) -> None:
        """A file that cannot be run is none, nor is a folder."""
        with pytest.raises(ProgramNotFoundError) as caught:
            refuse_missing_program([word, "-x"], None)
        assert str(caught.value) == (
            f"PATH has no program {word!r} that can be run; install it, or name another"
        )

    def test_not_at_that_path(self, tmp_path: Path) -> None:
        """It counts from the folder that the program starts in."""
        refuse_missing_program(["./tool"], str(tmp_path))
        for word, folder in (("./tool", "/"), ("folder/tool", None), ("/tool", None)):
            with pytest.raises(ProgramNotFoundError, match="there is no program"):
                refuse_missing_program([word], folder)

    @pytest.mark.parametrize("folder", ["/no-such-folder", "sub", "text"])
    def test_no_folder(self, folder: str) -> None:
        """Else tmux would start it in another one, and say nothing."""
        with pytest.raises(ProgramNotFoundError) as caught:
            refuse_missing_program(None, folder)
        assert str(caught.value) == (
            f"a program starts in a folder that may be entered, got {folder!r}; make it, or name "
            "another"
        )

    def test_a_folder_from_here(self) -> None:
        """It counts from the folder of this process, as tmux counts it."""
        for folder in ("folder", "", "."):
            refuse_missing_program("ls", folder)

    def test_a_place_that_may_not_be_entered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is passed over, as in the PATH that ``su`` leaves to somebody else."""

        def refuse(_: Path) -> bool:
            raise PermissionError

        monkeypatch.setattr("os.access", lambda *_: False)
        monkeypatch.setattr(Path, "is_file", refuse)
        with pytest.raises(ProgramNotFoundError, match="PATH has no program"):
            refuse_missing_program(["tool"], None)

    def test_what_cannot_be_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where tmux looks is not known without PATH."""
        monkeypatch.delenv("PATH")
        refuse_missing_program(["nothing"], None)
