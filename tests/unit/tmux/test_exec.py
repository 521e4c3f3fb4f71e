"""The transport by an exec, on a tmux made of shell script, and on execs that lie."""

import asyncio
import stat
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.execs import AsyncLocalExec, LocalExec
from tmuxprim import (
    AsyncTmuxTerminal,
    ExecResult,
    KeySequence,
    Pane,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxServerError,
    TmuxTerminal,
    TmuxTimeoutError,
)
from tmuxprim._tmux.commands import Buffer, action, call
from tmuxprim._tmux.framed import Framed, checksum, frame
from tmuxprim._tmux.invocation import Invocation
from tmuxprim._tmux.launch import Prefix

LISTS = r"printf '%%1 1.2\twork\t0\tbash\t0\t1\t1\t80\t24\t0\tbash\té\n'"
EXECS = (
    LocalExec(),
    LocalExec(merges=True),
    LocalExec(has_stdin=False),
)
PANE = Pane("%0")


def program(directory: Path, script: str) -> str:
    """Write a tmux that is a shell script, and return its path."""
    path = directory / "tmux"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def by(local: LocalExec, directory: Path, script: str) -> TmuxTerminal:
    """Return a terminal whose tmux is a shell script behind an exec."""
    return TmuxTerminal(
        executable=program(directory, script),
        exec=local,
        exec_stdin=local.has_stdin,
        history_limit=None,
    )


@pytest.mark.parametrize("local", EXECS)
def test_an_answer_is_as_it_is_of_a_client(tmp_path: Path, local: LocalExec) -> None:
    """Whether errors are among the output, or no input is passed on."""
    terminal = by(local, tmp_path, f"{LISTS}; echo noise >&2")
    assert [info.title for info in terminal.panes()] == ["é"]
    assert terminal.transport == "exec"
    assert str(terminal).startswith("TmuxTerminal(exec: ")
    terminal.disconnect()


@pytest.mark.parametrize("local", EXECS)
def test_a_refusal_is_what_tmux_says(tmp_path: Path, local: LocalExec) -> None:
    """Its exit status and errors arrive, and no server is no error of the exec's."""
    terminal = by(local, tmp_path, "echo 'no server running on x' >&2; exit 1")
    assert terminal.panes() == ()
    terminal.close(PANE)
    with pytest.raises(PaneNotFoundError, match="no server running"):
        terminal.observe(PANE)


def test_a_sandbox_without_tmux(tmp_path: Path) -> None:
    """It is told what is missing."""
    terminal = TmuxTerminal(executable=str(tmp_path / "none"), exec=LocalExec())
    with pytest.raises(TmuxNotFoundError, match="install tmux on the other side"):
        terminal.panes()


@pytest.mark.parametrize("local", EXECS)
def test_what_is_typed_arrives_byte_for_byte(tmp_path: Path, local: LocalExec) -> None:
    """Variables too; and the variables of another tmux do not."""
    said = 'echo "${TMUX-none} ${TMUXPRIM_STARTED_BY:+by}" >variables; cat >input'
    script = f"cd {tmp_path}; {said}; echo '%0 7.1 80 24'"
    terminal = by(local, tmp_path, script)
    hostile = 'it\'s "$HOME" `x` \\ %s é 日本 ; $(touch PWNED)'
    terminal.open(["sh", "-c", hostile])
    assert (tmp_path / "variables").read_text() == "none by\n"
    typed = (tmp_path / "input").read_bytes().decode()
    assert 'it\'s \\"\\$HOME\\" `x` \\\\ %s é 日本 ; \\$(touch PWNED)' in typed
    assert typed.endswith("\n")


def test_control_mode_needs_a_client_that_stays() -> None:
    """Which an exec cannot keep; to choose automatically is to take the exec."""
    with pytest.raises(ValueError, match="control mode keeps a client, which an exec cannot"):
        TmuxTerminal(exec=LocalExec(), transport="control")
    assert TmuxTerminal(exec=LocalExec(), transport="auto").transport == "exec"


def test_without_input_a_long_text_goes_in_pieces() -> None:
    """Each fits into an argument list, and together they are the text; no error shows any."""
    buffer = Buffer("b", "é" * 7000)
    *flags, pieces = zip(*(words[-5:] for words in buffer.pieces), strict=True)
    assert "".join(pieces) == buffer.text
    assert [words[1] for words in buffer.pieces] == ["-b", "-a", "-a"]
    assert flags
    assert {words[-1] for words in call(*buffer.pieces).redacted} == {"..."}


def test_without_input_a_buffer_is_filled_by_several_calls(tmp_path: Path) -> None:
    """Each of them has what it sends among its words, and the shell there gives it to tmux."""
    script = f"cat >>{tmp_path}/input; echo 3.3a; echo tmuxprim: done"
    terminal = by(LocalExec(has_stdin=False), tmp_path, script)
    with pytest.raises(TmuxCommandError):  # it shows no pane
        terminal.send(PANE, KeySequence.paste("é" * 7000))
    lines = (tmp_path / "input").read_text().splitlines()
    loading = [line for line in lines if line.startswith('"set-buffer"')]
    assert len(loading) == 2
    assert "".join(loading).count("é") == 7000
    assert sum('"paste-buffer"' in line for line in lines) <= 1


def test_without_input_an_environment_may_be_too_long(tmp_path: Path) -> None:
    """It is refused before anything is done."""
    terminal = by(LocalExec(has_stdin=False), tmp_path, f"touch {tmp_path}/ran")
    with pytest.raises(TmuxCommandError, match="command too long for an exec"):
        terminal.open(["sh"], env={"LONG": "~" * 100_000})
    assert not (tmp_path / "ran").exists()


class Lying:
    """An exec that does something to the answers of one that does not lie."""

    def __init__(self, lie: Callable[[int, str, str], object]) -> None:
        self.lie = lie

    def __call__(self, argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        """Run a command, and lie."""
        status, out, err = LocalExec()(argv, stdin)
        assert isinstance(out, str)
        assert isinstance(err, bytes)
        return self.lie(status, out, err.decode())  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        (lambda _, out, err: (1, out, err), "returned exit status 1, not 0"),
        (
            lambda *_: (126, None, "no such container\nx"),
            r"status 126, not 0 \(no such container\)",
        ),
        (lambda _, out, err: (0, f"Welcome!\n{out}", err), r"added to it \(Welcome!\)"),
        (lambda _, out, err: (0, f"{out}logout\n", err), "cut or changed the answer"),
        (lambda _, out, err: (0, out[:-4], err), "cut or changed the answer"),
        (lambda _, out, err: (0, out[:40] + out[44:], err), "cut or changed the answer"),
        (lambda _, out, err: (0, out.replace("\n", "\r\n"), err), "cut or changed the answer"),
        (lambda _, out, err: (0, out.replace("work", "w0rk"), err), "cut or changed the answer"),
        (lambda _, __, err: (0, "", err), r"\(it printed nothing\)"),
        (lambda _, out, __: out, r"does not return exit status, output and errors \(str\)"),
        (lambda *_: None, r"does not return exit status, output and errors \(NoneType\)"),
    ],
)
def test_an_exec_that_lies_is_an_error(
    tmp_path: Path, lie: Callable[[int, str, str], object], said: str
) -> None:
    """And no list of panes that is another one, or none."""
    terminal = TmuxTerminal(executable=program(tmp_path, LISTS), exec=Lying(lie))
    with pytest.raises(TmuxServerError, match=said) as caught:
        terminal.panes()
    assert "cannot be determined" not in str(caught.value)
    with pytest.raises(TmuxServerError, match=said):
        terminal.close(PANE)


def test_an_answer_without_its_blanks_at_the_ends_is_whole(tmp_path: Path) -> None:
    """Many execs strip what they return."""
    terminal = TmuxTerminal(
        executable=program(tmp_path, LISTS), exec=Lying(lambda _, out, err: (0, out.strip(), err))
    )
    assert len(terminal.panes()) == 1


def test_the_answer_of_another_call_is_none(tmp_path: Path) -> None:
    """Each has a mark of its own."""
    kept: list[ExecResult] = []

    def first_again(argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        kept.append(LocalExec()(argv, stdin))
        return kept[0]

    terminal = TmuxTerminal(executable=program(tmp_path, LISTS), exec=first_again)
    assert len(terminal.panes()) == 1
    with pytest.raises(TmuxServerError, match="the answer of another call"):
        terminal.panes()


@pytest.mark.parametrize("passed", [b"", b"half"])
def test_nothing_is_done_with_another_input(tmp_path: Path, passed: bytes) -> None:
    """An exec that passes no input on, or a part of it, types no part of a text."""

    def cutting(argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        return LocalExec()(argv, stdin and passed)

    terminal = TmuxTerminal(
        executable=program(tmp_path, f"touch {tmp_path}/ran"), exec=cutting, history_limit=None
    )
    with pytest.raises(TmuxServerError, match=r"nothing was done.*exec_stdin=False"):
        terminal.send(PANE, KeySequence.text("x"))
    assert not (tmp_path / "ran").exists()


def test_nothing_is_done_with_other_words(tmp_path: Path) -> None:
    """An exec that takes words apart, or cleans them, is found out before tmux is."""

    def cleaning(argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        return LocalExec()([*argv[:4], *(word.replace("#", "") for word in argv[4:])], stdin)

    path = program(tmp_path, f"touch {tmp_path}/ran")
    with pytest.raises(TmuxServerError, match="nothing was done"):
        TmuxTerminal(executable=path, exec=cleaning).panes()
    assert not (tmp_path / "ran").exists()


def test_an_exec_that_fails(tmp_path: Path) -> None:
    """Its error is the cause; whether keys were typed cannot be determined, which is said."""

    def failing(_argv: Sequence[str], _stdin: bytes | None) -> ExecResult:
        raise OSError("connection lost\nin the middle")

    terminal = TmuxTerminal(executable=program(tmp_path, LISTS), exec=failing)
    with pytest.raises(
        TmuxServerError, match=r"failed with OSError \(connection lost\)$"
    ) as caught:
        terminal.panes()
    assert isinstance(caught.value.__cause__, OSError)
    with pytest.raises(TmuxServerError, match="whether the command was carried out cannot"):
        terminal.send(PANE, KeySequence.text("x"))


def test_an_exec_that_hangs(tmp_path: Path) -> None:
    """The timeout ends the wait for it, and no secret is in the message."""
    released = threading.Event()

    def hanging(argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        released.wait(60.0)
        return LocalExec()(argv, stdin)

    terminal = TmuxTerminal(executable=program(tmp_path, LISTS), exec=hanging, timeout=0.05)
    try:
        with pytest.raises(TmuxTimeoutError, match=r"within 0\.05 s") as caught:
            terminal.send(PANE, KeySequence.text("hunter2"))
        assert "hunter2" not in str(caught.value)
    finally:
        released.set()


def test_asyncio_has_the_same(tmp_path: Path) -> None:
    """Answers, refusals and errors."""
    path = program(tmp_path, LISTS)

    async def failing(_argv: Sequence[str], _stdin: bytes | None) -> ExecResult:
        raise OSError("connection lost")

    async def cancelled(_argv: Sequence[str], _stdin: bytes | None) -> ExecResult:
        raise asyncio.CancelledError

    async def hanging(_argv: Sequence[str], _stdin: bytes | None) -> ExecResult:
        await asyncio.Event().wait()
        raise AssertionError

    async def stubborn(_argv: Sequence[str], _stdin: bytes | None) -> ExecResult:
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError("too late")

    async def main() -> None:
        terminal = AsyncTmuxTerminal(executable=path, exec=AsyncLocalExec())
        assert len(await terminal.panes()) == 1
        assert terminal.transport == "exec"
        await terminal.disconnect()
        for lie, said in ((failing, r"OSError \(connection lost\)"), (cancelled, "was cancelled")):
            with pytest.raises(TmuxServerError, match=said):
                await AsyncTmuxTerminal(executable=path, exec=lie).panes()
        for late in (hanging, stubborn):
            with pytest.raises(TmuxTimeoutError):
                await AsyncTmuxTerminal(executable=path, exec=late, timeout=0.05).panes()
        await asyncio.sleep(0)

    asyncio.run(main())


def test_a_paste_that_is_cancelled_is_completed(tmp_path: Path) -> None:
    """Or its buffer would be left behind."""
    done: list[Sequence[str]] = []
    began = asyncio.Event()

    async def noting(argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        began.set()
        await asyncio.sleep(0)
        done.append(argv)
        return await AsyncLocalExec()(argv, stdin)

    async def main() -> None:
        terminal = AsyncTmuxTerminal(
            executable=program(tmp_path, "echo 3.3a; echo tmuxprim: done"),
            exec=noting,
            history_limit=None,
        )
        sending = asyncio.create_task(terminal.send(PANE, KeySequence.paste("x")))
        await began.wait()
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)

    asyncio.run(main())
    assert len(done) > 1
    assert done[0][-5:] != done[-1][-5:]


@given(st.binary(max_size=2000))
def test_the_checksum_is_that_of_posix(data: bytes) -> None:
    """By its definition: a polynomial division, bit by bit."""
    length = len(data)
    octets = length.to_bytes((length.bit_length() + 7) // 8, "little")
    crc = 0
    for byte in data + octets:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 1 << 31 else 0)) & 0xFFFFFFFF
    assert checksum(data) == f"{crc ^ 0xFFFFFFFF} {length}"


SHELLS = [
    pytest.param(shell, marks=pytest.mark.needs(shell[0]), id=shell[0])
    for shell in (
        *(("dash",), ("bash",), ("busybox", "sh"), ("mksh",)),
        ("zsh", "--emulate", "sh"),
    )
]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("has_stdin", [True, False])
def test_every_shell_carries_a_client_out(shell: tuple[str, ...], *, has_stdin: bool) -> None:
    """Input, output, exit status and errors are as they are, line breaks at the ends too."""
    given_ = "a'b\"c\\d %s é \t$HOME `x`\n\n".encode()
    words = ("sh", "-c", "cat; printf '\\nno\\n\\n' >&2; exit 3")
    sent = frame(
        Invocation(action(("x",)), words, given_, (), Prefix((), ("tmux",), is_by_exec=True)),
        "mark",
        has_stdin=has_stdin,
    )
    assert isinstance(sent, Framed)
    done = subprocess.run(
        [*shell, *sent.argv[1:]], input=sent.stdin or b"", capture_output=True, check=False
    )
    ended = sent.parse((done.returncode, done.stdout, done.stderr))
    assert ended.exit_status == 3
    assert ended.stdout == given_
    assert ended.stderr == b"\nno"
