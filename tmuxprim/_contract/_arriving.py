"""The contract of what arrives: the bytes that a program reads for keys, texts and pastes."""

from typing import Final

from tmuxprim._contract._base import ContractBase
from tmuxprim._keys import Key
from tmuxprim._pane import Pane
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size

# What xterm sends (ctlseqs, "PC-Style Function Keys"), shown as ``cat -v`` does.
_ARRIVES: Final = (
    *("Enter=^M", "Tab=^I", "BTab=^[[Z", "BSpace=^?", "Escape=^["),
    *("Up=^[[A", "Down=^[[B", "Right=^[[C", "Left=^[[D"),
    *("Home=^[[1~", "End=^[[4~", "PPage=^[[5~", "NPage=^[[6~"),
    *("IC=^[[2~", "DC=^[[3~", "F1=^[OP", "F5=^[[15~", "F12=^[[24~"),
    *("C-a=^A", "C-c=^C", "C-d=^D", "C-z=^Z", "C-@=^@", "C-Space=^@"),
    *("M-b=^[b", "M-;=^[;", "M-Enter=^[^M", "C-M-x=^[^X"),
    *("C-Left=^[[1;5D", "S-Up=^[[1;2A", "M-Right=^[[1;3C", "C-S-Down=^[[1;6B"),
    *("C-End=^[[1;5F", "S-DC=^[[3;2~", "S-F1=^[[1;2P", "C-F5=^[[15;5~"),
)


class ArrivingContract(ContractBase):
    """Holds a backend to giving a program exactly what a terminal's keyboard would."""

    def test_every_key_arrives_as_itself(self) -> None:
        """None is dropped or taken for another, and its modifiers arrive with it."""
        pane = self._showing_bytes("show-bytes")
        pairs = [pair.split("=") for pair in _ARRIVES]
        for name, _ in pairs:
            self.terminal.send(pane, KeySequence((Key(name), "|")))
        self._eventually_read(pane, "".join(f"{shown}|" for _, shown in pairs))

    def test_typed_controls_arrive_as_they_are(self) -> None:
        """LF in a text stays LF, and no other control of it is dropped or carried out."""
        pane = self._showing_bytes("show-bytes")
        self.terminal.send(pane, KeySequence.text("a\nb\rc\td\x03e\x1b[Af\x7f"))
        self._eventually_read(pane, "a$", "b^Mc^Id^Ce^[[Af^?")

    def test_pasted_lines_arrive_with_cr(self) -> None:
        """A program that has not asked for marks is sent none."""
        pane = self._showing_bytes("show-bytes")
        self.terminal.send(pane, KeySequence.paste("one\ntwo\r\nthree"))
        self._eventually_read(pane, "one^Mtwo^Mthree")

    def test_a_paste_is_marked_for_who_asked(self) -> None:
        """Each paste is between its own marks, and what is typed is not."""
        pane = self._showing_bytes("show-bytes pasted")
        self.terminal.send(pane, KeySequence.paste("a\nb") + KeySequence.text("c"))
        self.terminal.send(pane, KeySequence.paste("d"))
        self._eventually_read(pane, "^[[200~a^Mb^[[201~c^[[200~d^[[201~")

    def _showing_bytes(self, command: str) -> Pane:
        pane = self.ready_shell(size=Size(250, 24))
        self.type_line(pane, command)
        self.eventually_shows(pane, "\nreading")
        return pane

    def _eventually_read(self, pane: Pane, *rows: str) -> None:
        shown = ("reading", *rows)
        self.eventually(lambda: self.terminal.observe(pane).rows[1 : 1 + len(shown)] == shown)
