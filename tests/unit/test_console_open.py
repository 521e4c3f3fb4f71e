"""`Console.open` on the fake: it opens or takes a pane, and closes only what it has opened."""

import asyncio
from collections.abc import Callable
from typing import TypedDict, Unpack

import pytest

from tmuxprim import AsyncConsole, Console, FakeTerminal, Pane, PaneNotFoundError, Size
from tmuxprim.errors import InvalidPaneError, PaneExistsError, ProgramNotFoundError
from tmuxprim.testing import AsyncFakeTerminal, question

Snapshot = Callable[[FakeTerminal, Pane], object]
Opens = Callable[..., object]


class How(TypedDict, total=False):
    """What a pane is to be like."""

    command: str | list[str] | None
    name: str | None
    reuse: bool
    size: Size
    cwd: str
    env: dict[str, str]


SHARED: How = {"name": "shared", "reuse": True}


def opened(fake: FakeTerminal, snapshot: Snapshot, **how: Unpack[How]) -> object:
    """Open a pane with `Console`, and return what is seen of it in the block."""
    with Console.open(fake, **how) as console:
        return snapshot(fake, console.pane)


def opened_async(fake: FakeTerminal, snapshot: Snapshot, **how: Unpack[How]) -> object:
    """Do the same with `AsyncConsole`."""

    async def main() -> object:
        async with AsyncConsole.open(AsyncFakeTerminal(fake), **how) as console:
            return snapshot(fake, await console.locate())

    return asyncio.run(main())


both = pytest.mark.parametrize("opens", [opened, opened_async])


def place(fake: FakeTerminal, pane: Pane) -> object:
    """Return the name, the program and the size of a pane."""
    (info,) = (info for info in fake.panes() if info == pane)
    return info.session, info.command, info.size


@both
def test_what_it_opens_is_closed(opens: Opens) -> None:
    """It is as it was asked for, and gone when the block ends."""
    fake = FakeTerminal(programs={"ask": question("name? ")})
    how = {
        "command": ["ask"],
        "name": "shared",
        "size": Size(90, 20),
        "cwd": "/",
        "env": {"A": "1"},
    }
    assert opens(fake, place, **how) == ("shared", "ask", Size(90, 20))
    assert opens(fake, place, **SHARED) == ("shared", "sh", Size(80, 24))
    assert fake.panes() == ()


@both
def test_what_is_there_is_taken_and_stays(opens: Opens) -> None:
    """Whatever was asked for if it were not there."""
    fake = FakeTerminal(programs={"ask": question("name? ")})
    pane = fake.open("ask", name="shared")
    assert opens(fake, place, **SHARED, command="sh") == ("shared", "ask", Size(80, 24))
    assert fake.panes() == (pane,)


@both
def test_it_is_closed_when_the_block_fails(opens: Opens) -> None:
    """As of every with block."""
    fake = FakeTerminal()
    with pytest.raises(ZeroDivisionError):
        opens(fake, lambda *_: 1 / 0)
    assert fake.panes() == ()


@both
def test_a_name_that_is_taken_is_refused(opens: Opens) -> None:
    """The message says whose name it is, and what to do; the pane stays as it is."""
    fake = FakeTerminal()
    pane = fake.open(name="shared")
    with pytest.raises(PaneExistsError) as caught:
        opens(fake, place, name="shared")
    assert str(caught.value) == (
        "a session named 'shared' is there already; give another name, or take what is "
        "there with Console.open(..., reuse=True)"
    )
    assert fake.panes() == (pane,)


@both
@pytest.mark.parametrize("name", [None, "%0", "shared:0", ""])
def test_reuse_needs_the_name_of_a_session(opens: Opens, name: str | None) -> None:
    """Which another one could be opened by."""
    fake = FakeTerminal()
    fake.open(name="shared")
    with pytest.raises(InvalidPaneError, match="name"):
        opens(fake, place, reuse=True, name=name)


@both
def test_a_program_that_is_not_there(opens: Opens) -> None:
    """It is an error, and nothing is opened."""
    fake = FakeTerminal()
    with pytest.raises(ProgramNotFoundError, match="no program 'htop'"):
        opens(fake, place, command=["htop", "-t"], **SHARED)
    assert fake.panes() == ()


@both
@pytest.mark.parametrize(
    ("command", "taken"),
    [
        ("htop", ["htop"]),
        ("/usr/bin/g++-12", ["/usr/bin/g++-12"]),
        ("htop -t", "htop -t"),
        ("A=1", "A=1"),
        ("h\xf6top", "h\xf6top"),
        ("", ""),
        (["htop", "-t"], ["htop", "-t"]),
        (None, None),
    ],
)
def test_one_word_is_a_program(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, command: str | list[str] | None, taken: object
) -> None:
    """Any other text is what a shell reads."""
    fake = FakeTerminal()
    opened = fake.open
    asked: list[object] = []

    def note(command: object, **_: object) -> Pane:
        asked.append(command)
        return opened()

    monkeypatch.setattr(fake, "open", note)
    opens(fake, lambda *_: None, command=command)
    assert asked == [taken]


@both
def test_somebody_else_is_quicker(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they have opened between the two calls is taken, and stays."""
    fake = FakeTerminal()
    resolve = fake.resolve

    def be_quicker(_: Pane) -> Pane:
        monkeypatch.setattr(fake, "resolve", resolve)
        fake.open(name="shared")
        raise PaneNotFoundError("there was none a moment ago")

    monkeypatch.setattr(fake, "resolve", be_quicker)
    assert opens(fake, lambda _, pane: pane, **SHARED) == Pane("%0", server=fake.panes()[0].server)
    assert len(fake.panes()) == 1


def test_a_terminal_of_the_other_kind() -> None:
    """It is refused before anything is opened."""
    fake = FakeTerminal()
    with pytest.raises(TypeError, match="use AsyncConsole"):
        opened(AsyncFakeTerminal(fake), place)  # type: ignore[arg-type]  # of the other kind

    async def other() -> None:
        async with AsyncConsole.open(fake):  # type: ignore[arg-type]  # the mistake
            pass

    with pytest.raises(TypeError, match="use Console"):
        asyncio.run(other())
    assert fake.panes() == ()
