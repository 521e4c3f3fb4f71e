"""A fake Claude Code: its input box, its dialog, and that it works, as far as typing matters."""

# ruff: noqa: RUF001  # its signs are what is looked for

import attrs

from tmuxprim import FakeTerminal, KeySequence, Pane, TtyState
from tmuxprim.testing import FakeTty, ReadKey, Run, ScriptedShell, Sleep

_RULE = "─" * 40
ASKS = "[ ! ] Action Required | project"
_PASTE = "\x1b[200~", "\x1b[201~"


@attrs.define
class Chat:
    """A program that shows an input box, works until Escape is pressed, and asks in a dialog.

    Args:
        shows: What it begins with: ``box``, ``dialog`` (Yes is selected), ``odd`` (an unknown
            screen) or ``list`` (a numbered list under an unknown question).
        pastes: Whether it asks for bracketed pastes.
        drops: How many of the next Enters a picker takes.
        gives_back: Whether an interrupted question is put into the box again.
        opens: What it shows as soon as it has read a text, in place of its box.
        hides: Whether it draws nothing of what is typed.
        patience: How many Escapes interrupt it.
        title: Its title.
        late: Seconds for which its title says that it asks, before it draws its dialog.
        slow: Seconds for which it runs after each key of a text before it draws.
        slow_at_enter: The same after an Enter.
        slow_to_read: Seconds for which it runs after it has drawn a text, before it reads on.
    """

    shows: str = "box"
    pastes: bool = False
    drops: int = 0
    gives_back: bool = True
    opens: str = ""
    hides: bool = False
    patience: int = 1
    title: str = ""
    late: float = 0.0
    slow: float = 0.0
    slow_at_enter: float = 0.0
    slow_to_read: float = 0.0
    typed: str = ""
    works: bool = False
    heard: list[str] = attrs.field(factory=list)
    queued: list[str] = attrs.field(factory=list)
    allowed: int = 0
    escapes: int = 0
    keys: list[str] = attrs.field(factory=list)

    def __call__(self, tty: FakeTty) -> Run:
        """Run as a program."""
        tty.write("\x1b[?1049h" + "\x1b[?2004h" * self.pastes)
        while self.typed != "/exit\r":
            tty.write(f"\x1b]2;{self.title}\x07")
            if self.shows == "dialog" and self.late:
                tty.write(f"\x1b]2;{ASKS}\x07")
                yield Sleep(self.late)
            self._draw(tty)
            if self.typed:
                yield Sleep(self.slow_to_read, raw=True)
            key = yield ReadKey(event_loop=True)
            self.keys.append(key)
            self._take(key)
            if runs_for := self.slow_at_enter if key == "\r" else self.slow:
                yield Sleep(runs_for)
        tty.write("\x1b[?2004l" * self.pastes + "\x1b[?1049l")
        return 0

    def _take(self, key: str) -> None:
        if self.shows != "box":
            if key == "\r":
                self.allowed += 1
                self.shows = "box"
        elif key == "\r":
            self._submit()
        elif key == "\x1b":
            self.escapes += 1
            if self.escapes < self.patience:
                return
            self.typed = self.heard[-1] if self.works and self.gives_back else self.typed
            self.works = False
        elif key == "\x15":
            self.typed = ""
        elif len(key) == 1 or key.startswith(_PASTE[0]):
            self.typed += key.removeprefix(_PASTE[0]).removesuffix(_PASTE[1])
            self.shows = self.opens or self.shows

    def _submit(self) -> None:
        if self.drops:
            self.drops -= 1
            return
        text, self.typed = self.typed, ""
        if text == "/exit":
            self.typed = "/exit\r"
        elif self.works:
            self.queued.append(text)
        elif text:
            self.heard.append(text)
            self.works = text.startswith("work")
            self.shows = "dialog" if text == "ask" else "box"

    def _draw(self, tty: FakeTty) -> None:
        shown = "" if self.hides else self.typed.replace("\r", "~")
        hint = "esc to interrupt" if self.works else "? help"
        said = [row for text in self.heard[-2:] for row in (f"❯ {text}", "⏺ Done.")]
        if self.works or self.shows == "dialog":
            said = said[:-1]  # the last answer is still to come
        screens = {
            "box": [_RULE, f"❯ {shown}\x1b7", _RULE, hint],
            "dialog": ["Do you want to proceed?", "❯ 1. Yes", "  2. No", "Esc to cancel\x1b7"],
            "odd": ["something else", "is there\x1b7"],
            "list": ["Which one is it?", "❯ 1. This", "  2. That\x1b7"],
        }
        rows = said + screens[self.shows]
        tty.write("\x1b[H\x1b[2J\x1b[?25l" + "\n".join(rows) + "\x1b8")


class ConnectedTerminal(FakeTerminal):
    """A terminal in which raw programs hold a connection, as an assistant does to its model."""

    is_shown: bool = True
    """Whether the kernel shows what processes sleep in: not those of another user."""

    def probe(self, pane: Pane) -> TtyState | None:
        """Return the evidence, in which such a program looks like ssh."""
        tty = super().probe(pane)
        if tty is None or tty.canonical:
            return tty
        if self.is_shown:
            return attrs.evolve(tty, passes_on=True)
        return attrs.evolve(
            tty,
            reading=None,
            only_reading=None,
            passes_on=None,
            signals=False,
            level="stat",
        )


def terminal_with(
    chat: Chat, name: str = "claude", *, terminal_class: type[FakeTerminal] = FakeTerminal
) -> FakeTerminal:
    """Return a terminal with a pane ``shared``, in which a shell has started the chat."""
    terminal = terminal_class(programs={"sh": ScriptedShell({name: chat})})
    pane = terminal.open("sh", name="shared")
    terminal.clock.sleep(1.0)
    terminal.send(pane, KeySequence.text(name) + KeySequence.keys("Enter"))
    terminal.clock.sleep(1.0)
    return terminal
