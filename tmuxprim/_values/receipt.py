"""`Receipt`: whether a program has taken a submitted text."""

import enum


class Receipt(enum.Enum):
    """Whether a program has taken a text and its Enter, as far as that can be determined.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"sleep 60": after(60.0)})})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.wait_ready()
        >>> console.submit("sleep 60")
        <Receipt.DELIVERED: 'delivered'>
        >>> console.submit("ls")
        <Receipt.UNREAD: 'unread'>
    """

    DELIVERED = "delivered"
    """The program has read both. Its input box, which held the text before Enter, is empty; or the
    shell has left its line editor; or a program that reads whole lines has read this one."""
    QUEUED = "queued"
    """As DELIVERED, while an AI assistant works: the text waits in the assistant's queue."""
    IN_BOX = "in box"
    """The text is still in the input box, or at the prompt: the program did not submit it."""
    UNREAD = "unread"
    """Typed ahead: no program has read the text for a second. The next one that reads gets it."""
    UNKNOWN = "unknown"
    """It cannot be determined: there is no evidence, or the program passes keys on, as ssh does, is
    not known, or showed no text before Enter. Do not press Enter again."""
