"""What the installer's driver does: each test runs on the fakes and on bash in a real tmux."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.installer_project.fake_installer import Trouble
from tests.installer_project.installer import (
    Answers,
    GaveUpError,
    Installer,
    InstallerError,
    NotInstalledError,
    PaneGoneError,
    TimedOutError,
    UnexpectedQuestionError,
)
from tmuxprim import Console

ANSWERS = Answers("correct horse", path="/srv/tool", components=2)


def installer_with(trouble: Trouble) -> pytest.MarkDecorator:
    """Let the installer of a test have this trouble."""
    return pytest.mark.parametrize("trouble", [trouble], ids=[" ".join(trouble.as_env())])


class Meanwhile:
    """A report that does something when a certain thing is reported."""

    def __init__(self, event: str, action: Callable[[], object]) -> None:
        self.event = event
        self.action = action

    def __call__(self, event: str) -> None:
        """Act, if this is it."""
        if event == self.event:
            self.action()


def test_the_program_is_installed(console: Console) -> None:
    """Every question is answered, and it is where it was asked to be."""
    assert Installer(console).install(ANSWERS).path == "/srv/tool"


def test_an_empty_path_takes_the_default(console: Console) -> None:
    """Enter alone is an answer."""
    assert Installer(console).install(replace(ANSWERS, path="")).path == "/opt/tool"


def test_a_path_that_wraps_is_one_path(console: Console) -> None:
    """A line is read as the installer wrote it, not as the screen lays it out."""
    path = "/srv/" + "long" * 40
    assert Installer(console).install(replace(ANSWERS, path=path)).path == path


def test_the_transcript_has_all_that_was_shown_but_the_password(console: Console) -> None:
    """What the fake shows is what bash shows, to the letter."""
    assert Installer(console).install(ANSWERS).transcript.splitlines() == [
        "Do you accept the licence? [y/N] y",
        "Install path [/opt/tool]: /srv/tool",
        "Password (8 characters or more): ",
        "Components (1 core, 2 full, 3 source): 2",
        "[##########] 100%",
        "Installed in /srv/tool",
    ]


def test_a_second_installation_is_told_from_the_first(console: Console) -> None:
    """What the first one has left on the screen does not count."""
    installer = Installer(console)
    first = installer.install(ANSWERS)
    second = installer.install(replace(ANSWERS, path="/srv/other"))
    assert second.path == "/srv/other"
    assert len(second.transcript.splitlines()) == len(first.transcript.splitlines())


@installer_with(Trouble(failures=2))
def test_a_download_that_fails_is_tried_again(console: Console, pause: float) -> None:
    """Twice it fails, the third time it does not."""
    assert Installer(console, pause=pause).install(ANSWERS).attempts == 3


@installer_with(Trouble(failures=2))
def test_there_is_a_pause_before_each_retry(console: Console, pause: float) -> None:
    """It passes on the terminal's clock: a minute on the fake takes no time."""
    clock = console.terminal.clock
    began = clock.now()
    Installer(console, pause=pause).install(ANSWERS)
    assert clock.now() - began >= 2 * pause


@installer_with(Trouble(failures=2))
def test_it_gives_up_after_so_many_attempts(console: Console, pause: float) -> None:
    """A third one would have done, but two were allowed."""
    with pytest.raises(GaveUpError, match=r"^the download failed 2 times$"):
        Installer(console, attempts=2, pause=pause).install(ANSWERS)


def test_a_declined_licence_installs_nothing(console: Console) -> None:
    """The installer's last words are told, and no older success is taken for this one's."""
    Installer(console).install(ANSWERS)
    with pytest.raises(NotInstalledError, match=r"said last: 'Licence declined\.'$"):
        Installer(console).install(replace(ANSWERS, licence=False))


@pytest.mark.parametrize(
    ("answers", "question"),
    [
        (replace(ANSWERS, components=4), r"Components \(1 core"),
        (Answers("short"), r"Password \(8 characters"),
    ],
    ids=["components", "password"],
)
def test_an_answer_that_is_refused_is_not_repeated(
    console: Console, answers: Answers, question: str
) -> None:
    """To be asked the same again is an error; nobody answers for ever."""
    with pytest.raises(UnexpectedQuestionError, match=f"none left, to '{question}"):
        Installer(console).install(answers)


@installer_with(Trouble(asks_more=True))
def test_a_question_that_nobody_expects_is_not_answered(console: Console) -> None:
    """It is told word by word, and not taken for a shell's prompt, though it looks like one."""
    with pytest.raises(UnexpectedQuestionError, match=r"to 'Usage data \(y/n\)>'$"):
        Installer(console).install(ANSWERS)


@installer_with(Trouble(hangs=True))
def test_a_question_that_never_comes_times_out(console: Console) -> None:
    """The error shows what stood on the screen."""
    with pytest.raises(TimedOutError, match=r"nothing new in 5 s: [\s\S]*licence\? \[y/N\] y"):
        Installer(console, patience=5.0).install(ANSWERS)


@installer_with(Trouble(stalls=True))
def test_progress_is_reported_until_it_stalls(console: Console) -> None:
    """Steps are told once and in order; a real one may be over before anybody looks."""
    events: list[str] = []
    with pytest.raises(TimedOutError, match=r"the download is still at 50%"):
        Installer(console, patience=5.0, report=events.append).install(ANSWERS)
    steps = [int(event[:-1]) for event in events if event.endswith("%")]
    assert steps == sorted(set(steps))
    assert steps[-1] == 50


@installer_with(Trouble(crashes=True))
def test_a_crash_in_the_middle_is_told(console: Console) -> None:
    """What the shell says of it are the last words."""
    with pytest.raises(NotInstalledError, match=r"said last: '\[#####     \] 50%Killed[^']*'$"):
        Installer(console).install(ANSWERS)


@installer_with(Trouble(stalls=True))
def test_a_person_may_interrupt_the_download(console: Console) -> None:
    """Somebody presses C-c in the same pane: that is no success, and no timeout."""
    person = Console(console.terminal, console.pane)
    interrupt = Meanwhile("50%", lambda: person.keys("C-c"))
    with pytest.raises(NotInstalledError, match=r"said last: '\[#####     \] 50%\^C'$"):
        Installer(console, report=interrupt).install(ANSWERS)


@installer_with(Trouble(stalls=True))
@pytest.mark.parametrize("event", ["50%", "Install path [/opt/tool]:"])
def test_a_pane_that_is_closed_is_told(console: Console, event: str) -> None:
    """While the installer works, or between its question and the answer."""
    close = Meanwhile(event, lambda: console.terminal.close(console.pane))
    with pytest.raises(PaneGoneError, match=r"^the pane of the installer has gone: "):
        Installer(console, report=close).install(ANSWERS)


@pytest.mark.parametrize(
    ("trouble", "answers"),
    [
        (Trouble(failures=9), ANSWERS),
        (Trouble(hangs=True), ANSWERS),
        (Trouble(), Answers("short")),
    ],
    ids=["gave up", "timed out", "unexpected question"],
)
def test_the_shell_is_free_after_a_failure(
    console: Console, answers: Answers, pause: float
) -> None:
    """No installer is left behind that would take the next command for an answer."""
    with pytest.raises(InstallerError):
        Installer(console, pause=pause, patience=5.0).install(answers)
    assert console.run("echo free").output == "free\n"
