"""`Facts`: the program that takes what is typed, and how sure that is."""

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, COOKED_ONLY, RAW_ONLY, RUNNING, screen
from tmuxprim import Cursor, Mark, Outcome, TtyState
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.facts import Reader
from tmuxprim._readiness.snapshot import Ready, Snapshot
from tmuxprim.readiness import Prompt


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("bash", True),
        ("-zsh", True),
        ("zsh-5.9", True),
        ("ksh93", True),
        ("dash", True),
        ("python3.11", False),
        ("sqlite3", False),
        ("ssh", None),
        ("sudo", None),
        ("", None),
    ],
)
def test_a_name_tells(command: str, known: bool | None) -> None:  # noqa: FBT001  # a table
    """Also that it cannot be determined."""
    shown = attrs.evolve(screen(), command=command)
    for snapshot in (Snapshot(screen=shown, tty=AT_PROMPT), Snapshot(screen=shown)):
        assert snapshot.facts.is_shell is (known is True)
        assert snapshot.facts.may_be_shell is (known is not False)


def test_what_passes_on_another_terminal_may_have_a_shell_behind_it() -> None:
    """Whatever its name is; the kernel tells."""
    tty = attrs.evolve(AT_PROMPT, passes_on=True)
    facts = Snapshot(screen=attrs.evolve(screen(), command="my-login"), tty=tty).facts
    assert facts.may_be_shell
    assert not facts.is_shell


PASSES_ON = attrs.evolve(RAW_ONLY, signals=False)
PLACED = attrs.evolve(AT_PROMPT, edits=True, stack=1000, depth=100)


@pytest.mark.parametrize(
    ("command", "tty", "reader"),
    [
        ("bash", None, Reader.NO_SHELL),
        ("bash", RAW_ONLY, Reader.NO_SHELL),
        ("bash", attrs.evolve(RAW_ONLY, edits=True), Reader.SHELL),
        ("make", RUNNING, Reader.NO_SHELL),
        ("bash", PLACED, Reader.SHELL_AT_PROMPT),
        ("bash", attrs.evolve(PLACED, depth=90), Reader.SHELL_ELSEWHERE),
        ("bash", attrs.evolve(PLACED, depth=None), Reader.SHELL),
        ("bash", attrs.evolve(PLACED, stack=2000, foreground_pid=11), Reader.NO_SHELL),
        ("bash", attrs.evolve(PLACED, stack=2000), Reader.SHELL_AT_PROMPT),
        ("zsh", attrs.evolve(PLACED, stack=2000, depth=90), Reader.SHELL_AT_PROMPT),
        ("ssh", attrs.evolve(AT_PROMPT, passes_on=True), Reader.NO_SHELL),
        ("less", AT_PROMPT, Reader.NO_SHELL),
        ("cat", ASKING, Reader.NO_SHELL),
    ],
)
def test_the_reader(command: str, tty: TtyState | None, reader: Reader) -> None:
    """A shell is found by the kernel, or by the terminal's mode, and its place by earlier reads."""
    mark = Mark(
        screen=attrs.evolve(screen("$ ls"), command="bash"),
        tty=PLACED,
        prompt=Prompt("$ ", 10, PLACED.read_site),
    )
    snapshot = Snapshot(screen=attrs.evolve(screen(), command=command), tty=tty, mark=mark)
    assert snapshot.facts.reader is reader


@pytest.mark.parametrize(
    ("tty", "is_reported", "has_time_limit", "is_sure"),
    [
        (None, False, False, False),
        (RAW_ONLY, False, False, False),
        (ASKING, True, False, True),
        (RUNNING, True, False, True),
        (attrs.evolve(ASKING, may_work=True), True, False, False),
        (attrs.evolve(ASKING, may_work=True, limit=3.0), True, True, False),
        (attrs.evolve(ASKING, limit=3.0), True, True, False),
    ],
)
def test_how_sure_that_is(
    tty: TtyState | None, *, is_reported: bool, has_time_limit: bool, is_sure: bool
) -> None:
    """A wait with a time limit is no waiting for a person, and what works may end its own wait."""
    snapshot = Snapshot(screen=attrs.evolve(screen(), command="make"), tty=tty)
    facts = snapshot.facts
    assert (facts.is_reported, facts.has_time_limit) == (is_reported, has_time_limit)
    assert facts.is_sure is is_sure
    polling = attrs.evolve(snapshot, polls=True).facts
    assert not polling.is_reported
    assert not polling.has_time_limit
    assert not polling.is_sure


def test_facts_are_found_once() -> None:
    """All strategies share those of a snapshot."""
    snapshot = Snapshot(screen=screen(), tty=AT_PROMPT)
    assert snapshot.facts is snapshot.facts


@pytest.mark.parametrize(
    ("command", "text", "tty", "may"),
    [
        ("bash", "x# ", RAW_ONLY, True),
        ("bash", "x# ", COOKED_ONLY, False),  # it edits its lines
        ("dash", "x# ", COOKED_ONLY, True),
        ("dash", "x# ", attrs.evolve(COOKED_ONLY, level="wchan"), False),  # it is told who reads
        ("python3", ">>> ", attrs.evolve(COOKED_ONLY, level="stat"), True),
        ("python3", ">>> ", attrs.evolve(COOKED_ONLY, level="wchan"), False),
        ("busybox", "x# ", PASSES_ON, True),
        ("python3", "x# ", RAW_ONLY, True),
        ("python3", "x# ", PASSES_ON, False),  # as pty.spawn does
        ("ipython", "In [1]: ", PASSES_ON, True),
        ("python3", "x# ", None, False),
        ("python3", ">>> ", None, True),
        ("python3", "(Pdb) ", None, True),
        ("ssh", "x# ", PASSES_ON, True),
        ("script", "x# ", PASSES_ON, False),
        ("make", "x# ", RAW_ONLY, False),
        ("", "x# ", None, True),
    ],
)
def test_who_may_prompt_where_nobody_tells_who_reads(
    command: str, text: str, tty: TtyState | None, *, may: bool
) -> None:
    """Shells, REPLs and what is made for a shell far away."""
    shown = attrs.evolve(screen(text), command=command)
    assert Snapshot(screen=shown, tty=tty).facts.may_prompt is may


SCRIPT = attrs.evolve(ASKING, ignores_stop=False)


@pytest.mark.parametrize(
    ("command", "tty", "shows_none"),
    [
        ("cat", ASKING, True),
        ("dash", attrs.evolve(ASKING, ignores_stop=True), False),
        ("dash", ASKING, False),  # the reader is not reported
        ("dash", None, False),
        ("dash", SCRIPT, True),
        ("python3", SCRIPT, False),
        ("pwsh", SCRIPT, False),  # it is not known what it ignores
        ("sh", attrs.evolve(SCRIPT, reader_pid=12), False),  # of the reader no name is told
        ("sh", attrs.evolve(SCRIPT, reader_pid=12, command="python3"), False),
        ("", attrs.evolve(SCRIPT, reader_pid=12, command="sh"), True),  # curl … | sh
        ("script", attrs.evolve(SCRIPT, reader_pid=12, command="sh", pass_through_count=1), True),
        ("bash", attrs.evolve(ASKING, reader_pid=12, command="fzf"), True),  # by a key of bash
        ("fzf", attrs.evolve(ASKING, reader_pid=12, command="bash"), False),
        ("script", attrs.evolve(SCRIPT, command="sh", pass_through_count=1), True),
    ],
)
def test_what_shows_no_prompt(command: str, tty: TtyState | None, *, shows_none: bool) -> None:
    """What reads other than commands, and a shell whose script reads."""
    snapshot = Snapshot(screen=attrs.evolve(screen("> "), command=command), tty=tty)
    assert snapshot.facts.never_prompts is shows_none


@pytest.mark.parametrize(
    ("name", "bare"),
    [("ksh93", "ksh"), ("zsh-5.9", "zsh"), ("-bash", "bash"), ("python3.13", "python")],
)
@pytest.mark.parametrize("tty", [AT_PROMPT, ASKING, RAW_ONLY, COOKED_ONLY, PASSES_ON, None])
@pytest.mark.parametrize("text", ["lab1: ", "x# ", ""])
def test_a_version_changes_no_verdict(
    name: str, bare: str, text: str, tty: TtyState | None
) -> None:
    """The default chain knows a shell by any of its names, and its prompt of any look with it."""
    looks = [
        Snapshot(screen=attrs.evolve(screen(text), command=command), tty=tty, unchanged_for=1.0)
        for command in (name, bare)
    ]
    versioned, plain = (str(default_chain().assess(snapshot)) for snapshot in looks)
    assert versioned.replace(name, bare) == plain


@pytest.mark.parametrize("leader", ["bash", "zsh", "sh", "python3"])
@pytest.mark.parametrize("tty", [AT_PROMPT, attrs.evolve(AT_PROMPT, only_reading=False)])
@pytest.mark.parametrize("text", ["> ", "$ ", ">>> "])
def test_what_a_shell_has_started_is_no_shell(leader: str, text: str, tty: TtyState) -> None:
    """The leader's name counts only if it reads: fzf may be started by a key of bash."""
    tty = attrs.evolve(tty, edits=True, reader_pid=12, command="fzf")
    mark = Mark(screen=screen("$ "), tty=AT_PROMPT, prompt=Prompt("$ ", 10))
    shown = attrs.evolve(screen(f"$ \n{text}\na\nb"), command=leader, cursor=Cursor(1, len(text)))
    snapshot = Snapshot(screen=shown, tty=tty, mark=mark, unchanged_for=60)
    verdict = default_chain().assess(snapshot)
    assert isinstance(verdict, Ready)
    assert verdict.outcome in {Outcome.AWAITING_INPUT, Outcome.STABLE}


@pytest.mark.parametrize("pass_through_count", [0, 1])
def test_a_shell_behind_what_passes_it_on_may_be_behind_panels(pass_through_count: int) -> None:
    """As that of mc, which itself has the alternate screen; a shell never has it."""
    shown = attrs.evolve(screen("$ "), command="bash", alternate=True)
    snapshot = Snapshot(
        screen=shown, tty=attrs.evolve(AT_PROMPT, edits=True, pass_through_count=pass_through_count)
    )
    assert snapshot.facts.is_fullscreen is bool(pass_through_count)
