"""The contract for sending."""

from typing import Final

from tmuxprim._contract.base import ContractBase
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.pane import Pane, Size

# What a shell may be asked to type back; each was lost or changed by some tool.
HOSTILE_TEXTS: Final = (
    "select 1;",
    ";",
    "a;;",
    "\\;",
    "-l -R",
    "--",
    "Enter",
    "C-c",
    "Up",
    "0x41",
    "#{pane_id}",
    "#(id)",
    "%H %%",
    "~ ~root",
    "$HOME ${HOME}",
    "\"double\" 'single' `back`",
    "back\\slash \\n",
    "kill-server ; kill-server",
    "{ } [ ] ( ) < > | & * ? !",
    "é ü ß",
    "日本語",
    "🙂 𝄞",
)


class SendingContract(ContractBase):
    """Tests that a backend keeps the promises of send."""

    def test_send_types_text_as_it_is(self) -> None:
        """No text is taken for a key, a flag, a command or a format, and no part of it is lost."""
        for text in HOSTILE_TEXTS:
            pane = self.ready_shell()
            self.terminal.send(pane, KeySequence.text(text))
            self.eventually_shows(pane, f"$ {text}")
            self.terminal.close(pane)

    def test_send_types_a_long_text_whole(self) -> None:
        """A text too long for one command line arrives whole and in order."""
        pane = self.ready_shell(size=Size(200, 50))
        text = "".join(f"{number:05d}" for number in range(1800))
        self.terminal.send(pane, KeySequence.text(text))
        self.eventually(lambda: "".join(self.terminal.observe(pane).rows) == f"$ {text}")

    def test_send_cuts_no_text_where_it_means_something(self) -> None:
        """Wherever a backend splits a long text, no part is a command, a flag or the end of one."""
        for pattern in ("a;", "-l", "\\", "日"):
            pane = self.ready_shell(size=Size(200, 50))
            text = pattern * (8_000 // len(pattern.encode()))
            self.terminal.send(pane, KeySequence.text(text))
            self._eventually_types(pane, text)
            self.terminal.close(pane)

    def test_send_presses_keys(self) -> None:
        """Keys are pressed in order, between texts."""
        pane = self.ready_shell()
        keys = KeySequence.text("echo ab") + KeySequence.keys("BSpace", "c", "Enter")
        self.terminal.send(pane, keys)
        assert "ac" in self.eventually_shows(pane, "\nac\n").rows

    def test_send_of_nothing_only_looks(self) -> None:
        """An empty sequence sends nothing and is no error."""
        pane = self.ready_shell()
        assert self.terminal.send(pane, KeySequence(())).before_cursor == "$ "

    def test_send_returns_the_screen_from_right_before(self) -> None:
        """The screen that comes back does not show the sent text."""
        pane = self.ready_shell()
        assert self.terminal.send(pane, KeySequence.text("hello")).before_cursor == "$ "
        self.eventually_shows(pane, "$ hello")
        assert self.terminal.send(pane, KeySequence.keys("Enter")).before_cursor == "$ hello"

    def test_send_takes_no_old_snapshot_for_a_new_one(self) -> None:
        """An old snapshot is returned only if it is still valid, and the keys are typed."""
        pane = self.ready_shell()
        seen = self.terminal.observe(pane)
        assert self.terminal.send(pane, KeySequence.text("hello"), seen=seen) == seen
        self.eventually_shows(pane, "$ hello")
        before = self.terminal.send(pane, KeySequence.keys("Enter"), seen=seen)
        assert before.before_cursor == "$ hello"

    def test_send_returns_the_whole_screen(self) -> None:
        """It has the title, the command and everything else that a snapshot has."""
        pane = self.ready_shell()
        self.type_line(pane, "title hello")
        self.eventually(lambda: self.terminal.observe(pane).title == "hello")
        self.eventually(lambda: self.terminal.observe(pane).before_cursor == "$ ")
        before = self.terminal.observe(pane)
        assert self.terminal.send(pane, KeySequence.text("x")) == before

    def test_send_sends_again_what_was_sent_before(self) -> None:
        """Pressing the same key repeatedly is not taken for a repeated call."""
        pane = self.ready_shell()
        for _ in range(20):
            self.terminal.send(pane, KeySequence.text("x"))
        self.eventually(lambda: self.terminal.observe(pane).before_cursor == "$ " + "x" * 20)

    def test_send_interrupts(self) -> None:
        """C-c ends the program that runs."""
        pane = self.ready_shell()
        self.type_line(pane, "sleep 60")
        # Not before it runs: of a program that a shell is just starting, C-c may be lost.
        self.eventually(lambda: self.terminal.observe(pane).command == "sleep")
        self.terminal.send(pane, KeySequence.keys("C-c"))
        self.eventually(lambda: self.terminal.observe(pane).before_cursor == "$ ")

    def test_send_interrupts_a_question(self) -> None:
        """C-c at a question is no answer: the shell is back, and the typed text is gone."""
        pane = self.ready_shell()
        self.type_line(pane, "ask")
        self.eventually_shows(pane, "[y/N]")
        self.terminal.send(pane, KeySequence.text("half") + KeySequence.keys("C-c"))
        self.eventually(lambda: self.terminal.observe(pane).cursor_line == "$")
        assert self.terminal.observe(pane).cursor.row > 1

    def test_send_ends_the_input(self) -> None:
        """C-d at an empty prompt ends the shell, and its pane goes."""
        pane, other = self.ready_shell(), self.open_shell()
        self.terminal.send(pane, KeySequence.keys("C-d"))
        self.eventually(lambda: self.terminal.panes() == (other,))

    def test_send_presses_editing_keys(self) -> None:
        """Keys are not typed as their names, in upper or lower case."""
        pane = self.ready_shell()
        keys = KeySequence.text("cho oXne") + KeySequence.keys("home", "e", "END", "Left", "left")
        keys += KeySequence.keys("BSPACE", "Enter")
        self.terminal.send(pane, keys)
        assert "one" in self.eventually_shows(pane, "\none").rows

    def test_send_presses_keys_that_are_one_character(self) -> None:
        """A key such as ``;`` or ``~`` is that character, and neither a command nor a directory."""
        pane = self.ready_shell()
        characters = "a;-~#$%'\"\\{}é日"
        self.terminal.send(pane, KeySequence(tuple(Key(char) for char in characters)))
        self.eventually_shows(pane, f"$ {characters}")

    def test_send_keeps_the_order_of_many_parts(self) -> None:
        """Texts, keys and pastes arrive in order, however many there are."""
        pane = self.ready_shell(size=Size(200, 50))
        part = KeySequence.text("aX") + KeySequence.keys("BSpace") + KeySequence.paste("b")
        self.terminal.send(pane, part * 100)
        self._eventually_types(pane, "ab" * 100)

    def test_send_ends_pasted_lines_as_enter_does(self) -> None:
        """A program that reads lines gets the first line; the rest is type-ahead."""
        pane = self.ready_shell()
        self.type_line(pane, "ask")
        self.eventually_shows(pane, "[y/N]")
        self.terminal.send(pane, KeySequence.paste("yes;\nrest"))
        self.eventually(lambda: self.terminal.observe(pane).last_line.endswith("$ rest"))
        assert "Continue? [y/N] yes;" in self.terminal.observe(pane).text

    def test_send_types_ahead_while_a_command_runs(self) -> None:
        """The next reader gets the text; no program has to be ready for it."""
        pane = self.ready_shell()
        self.type_line(pane, "sleep 3")  # a slow exec on a busy machine takes a second for a look
        self.eventually(lambda: self.terminal.observe(pane).rows[:2] == ("$ sleep 3", ""))
        self.type_line(pane, "echo later")
        self.eventually(lambda: self.terminal.observe(pane).text.endswith("\nlater\n$"))

    def test_send_does_not_show_what_a_password_prompt_is_given(self) -> None:
        """Neither the screen from before nor any later one has it."""
        pane = self.ready_shell()
        self.type_line(pane, "ask-secret")
        # The program discards text that is typed before it reads.
        self.eventually_shows(pane, "Password:")
        self.terminal.clock.sleep(0.2)
        self.type_line(pane, "hunter2")
        self.eventually(lambda: self.terminal.observe(pane).last_line == "$")
        assert "hunter2" not in self.terminal.observe(pane, history=99).text

    def _eventually_types(self, pane: Pane, text: str) -> None:
        self.eventually(lambda: f"$ {text}" in self.terminal.observe(pane, history=99).lines)


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
    """Tests that a program gets exactly the bytes that a terminal's keyboard would send."""

    def test_every_key_arrives_as_itself(self) -> None:
        """No key is dropped or taken for another, and its modifiers arrive with it."""
        pane = self._showing_bytes("show-bytes")
        pairs = [pair.split("=") for pair in _ARRIVES]
        for name, _ in pairs:
            self.terminal.send(pane, KeySequence((Key(name), "|")))
        self._eventually_read(pane, "".join(f"{shown}|" for _, shown in pairs))

    def test_typed_controls_arrive_as_they_are(self) -> None:
        """LF in a text stays LF, and no other control character is dropped or carried out."""
        pane = self._showing_bytes("show-bytes")
        self.terminal.send(pane, KeySequence.text("a\nb\rc\td\x03e\x1b[Af\x7f"))
        self._eventually_read(pane, "a$", "b^Mc^Id^Ce^[[Af^?")

    def test_pasted_lines_arrive_with_cr(self) -> None:
        """A program that has not asked for marks gets none."""
        pane = self._showing_bytes("show-bytes")
        self.terminal.send(pane, KeySequence.paste("one\ntwo\r\nthree"))
        self._eventually_read(pane, "one^Mtwo^Mthree")

    def test_a_paste_is_marked_for_who_asked(self) -> None:
        """Each paste is between its own marks, and typed text is not."""
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
