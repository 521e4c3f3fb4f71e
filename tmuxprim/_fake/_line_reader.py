"""`LineReader`: a line editor's part in reading one line, key by key."""

from collections.abc import Callable
from typing import Final

from tmuxprim._fake._editor import Editor
from tmuxprim._fake._input import END_OF_FILE, INTERRUPT, ends_line, pasted
from tmuxprim._fake._requests import Interrupted, ReadLine

_PASTES_ON: Final = "\x1b[?2004h"
_PASTES_OFF: Final = "\x1b[?2004l\r"


class LineReader:
    """Reads a line, from the prompt on.

    Args:
        request: What is to be read.
        write: Shows a text.

    Attributes:
        editor: The line, as far as it was typed.
    """

    def __init__(self, request: ReadLine, write: Callable[[str], None]) -> None:
        self._request = request
        self._write = write
        self.editor: Editor = Editor()

    def show_prompt(self) -> None:
        """Show the prompt; a program that knows pastes tells the terminal so before."""
        self._write(_PASTES_ON * self._request.pastes + self._request.prompt)

    def begin(self, columns: int, start: int) -> None:
        """Begin to edit on a screen of so many columns, in the column behind the prompt."""
        request = self._request
        self.editor = Editor(
            columns=columns,
            start=start,
            prompt=request.prompt,
            history=request.history,
            completions=request.completions,
        )

    def take(self, key: str) -> str | Exception | None:
        """Take a key, and return the line, or what ended it; None while it goes on."""
        if key == INTERRUPT:
            return self._leave(f"^C{self.editor.leave()}\n", Interrupted())
        if key == END_OF_FILE and not self.editor.text:
            return self._leave("", EOFError(), "\n" * self._request.pastes)
        if ends_line(key):
            self._show(self.editor.finish())
            return self._leave("\n", self.editor.text)
        text = pasted(key)
        self._show(self.editor.edit(key) if text is None else self.editor.insert(text))
        return None

    def _show(self, text: str) -> None:
        self._write(text if self._request.echo else "")

    def _leave(self, shown: str, outcome: str | Exception, behind: str = "") -> str | Exception:
        self._write(shown + _PASTES_OFF * self._request.pastes + behind)
        return outcome
