"""What the library's errors advise, in the words of the command line."""

from typing import Final

_IN_OUR_WORDS: Final = {
    "Terminal.panes()": "'tmuxprim panes'",
    "Terminal.open()": "'tmuxprim open'",
    "give leave_mode=True": "give --leave-mode",
    "keys('C-u') takes": "'tmuxprim keys PANE C-u' takes",
    ", or use FakeTerminal": "",
}


def in_our_words(message: str) -> str:
    """Return an error's message for somebody who has a shell, and no Python."""
    for theirs, ours in _IN_OUR_WORDS.items():
        message = message.replace(theirs, ours)
    return message
