"""Typing a line, and Enter once the program has taken it.

Enter right behind a text is not safe everywhere: a program that is still busy with the text may
take it for a part of that. So `submit` types the text, waits until there is a sign that the program
has taken it, and then presses Enter. `submit_at_once` sends both together, where a shell's line
editor is known to wait at an empty prompt.
"""

import re
from collections.abc import Collection, Iterable
from typing import Final, TypeGuard

import attrs

from tmuxprim._engine.only_programs import refuse_others
from tmuxprim._engine.plan import Plan, Sends, clock_time, observe, pause, probe, send
from tmuxprim._readiness.box import AssistantState
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.snapshot import Outcome, Readiness, Snapshot, shows_the_same
from tmuxprim._values.checks import NOTHING, UNDELIVERED, partly
from tmuxprim._values.evidence import Mark, Prompt, TtyState
from tmuxprim._values.keys import Key, KeySequence, Part, Paste
from tmuxprim._values.lines import text_columns
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Cursor, Screen
from tmuxprim.errors import Advice, InvalidTextError, PaneBusyError


def takes_line_at_once(ready: Readiness, prompt: Prompt | None, line: str) -> bool:
    """Whether a shell waits at nothing but its prompt, and will show the line as it is in one row.

    *ready* is how the last wait ended; nothing may have been typed since.
    """
    screen, facts = ready.screen, ready.snapshot.facts
    shown = Prompt.seen(screen, ready.tty)
    # The first conditions: a line editor of this machine reads, and the cursor is right behind its
    # prompt, so nothing is typed yet. The last two: `as_typed` can compute the screen that will
    # show the line, since it is not wrapped and no character of it is a key of the editor.
    return (
        ready.outcome is Outcome.PROMPT
        and facts.reads
        and facts.has_line_editor
        and not facts.has_inner_program
        and prompt is not None
        and (prompt.text, prompt.pid) == (shown.text, shown.pid)
        and bool(shown.text.strip())
        and line.isprintable()
        and 0 < text_columns(line) < screen.size.columns - screen.cursor.column
    )


def submit_at_once(
    pane: Pane,
    line: str,
    ready: Readiness,
    prompt: Prompt,
    *,
    leave_mode: bool,
    sends: Sends = send,
) -> Plan[Mark]:
    """Type a line and Enter in one call of tmux; return the mark from before both.

    Nothing was typed since the last snapshot, and output since then would have moved the cursor or
    the history. So that snapshot still holds, unless the terminal finds that one of them moved, and
    observes anew.
    """
    keys = KeySequence.text(line) + ENTER
    screen = yield from sends(pane, keys, leave_mode=leave_mode, seen=ready.screen)
    return Mark(screen=screen, tty=ready.tty, prompt=prompt, pane=pane, line=line)


def as_typed(mark: Mark, line: str) -> Mark:
    """Return the mark as it would have been taken between the line and its Enter.

    The output is read from below the command line, so that line has to be on the mark's screen.
    """
    screen = mark.screen
    row, column = screen.cursor.row, screen.cursor.column
    rows = list(screen.rows)
    rows[row] = (screen.before_cursor + line).rstrip(" ")
    cursor = Cursor(row, min(column + text_columns(line), screen.size.columns))
    return attrs.evolve(mark, screen=attrs.evolve(screen, rows=rows, cursor=cursor))


def at_its_line(mark: Mark, before: Screen, line: str) -> Mark:
    """Return the mark with the cursor behind the line that was typed, if it was seen elsewhere.

    The line editor of Node shows a preview below the line. It moves the cursor there and back, and
    may have been seen half-way. *before* is the screen from before typing.
    """
    screen = mark.screen
    typed = before.before_cursor + line
    row = before.cursor_line_number - screen.history_size
    if not 0 <= row < screen.cursor.row or screen.rows[row] != typed.rstrip(" "):
        return mark
    cursor = Cursor(row, text_columns(typed))
    return attrs.evolve(mark, screen=attrs.evolve(screen, cursor=cursor))


ENTER: Final = KeySequence((Key("Enter"),))

# Both end a line: the kernel turns CR into LF (termios(3), ICRNL).
_LINE_END: Final = re.compile("[\r\n]")
# Characters that a line editor takes for a key, and not for text.
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_LINE_KEYS: Final = ("Enter", "C-m", "C-j", "C-d")
# Keys that end a line for a line editor, or for a program that reads one.
_INTERRUPT: Final = Key("C-c")
_LINE_ENDING_KEYS: Final = (*map(Key, _LINE_KEYS), _INTERRUPT)
# The longest waits before Enter, in seconds: until the kernel reports that the text was read; until
# the screen shows it, without evidence; until it is in an assistant's box, if the assistant sleeps,
# and if it runs.
_PATIENCE: Final = 1.0
_BLIND_PATIENCE: Final = 0.3
_BOX_PATIENCE: Final = 1.0
_BOX_PATIENCE_AT_WORK: Final = 10.0
# Gemini CLI takes an Enter within 0.03 s of a text for a line break in it, and within 0.04 s of a
# paste. It counts from when it has worked through the text, which is later on a busy machine.
_BETWEEN_PROBES: Final = 0.06
_POLL: Final = 0.0005
_BLIND_POLL: Final = 0.01
# A line editor waits up to 0.05 s for the rest of an escape sequence, in a call that looks like a
# wait for the next key. So many probes take longer than that. A deadline in seconds would not do:
# on a busy machine two probes may be that far apart.
_MOST_UNREPORTED: Final = 120
# Codex 0.169.0 and Gemini CLI 0.61.0 keep back the Enter behind a text that is typed into them at
# once: always if that has 3,000 characters, with a busy machine now and then if it has 1,000. None
# of up to 500 was kept back, and no paste in brackets.
_LONGEST_TYPED: Final = 200


def press(
    pane: Pane,
    keys: KeySequence,
    *,
    last: Mark | None = None,
    leave_mode: bool = False,
    only: Collection[str] | None = None,
) -> Plan[Mark]:
    """Send keys in one go.

    Args:
        pane: The pane.
        keys: The keys.
        last: The mark of the last send. An Enter that comes first waits until the program is done
            with the text of it, as in `submit`.
        leave_mode: Whether to leave copy mode before typing.
        only: The programs that may be typed for.

    Raises:
        InvalidTextError: If the kernel would drop a part, since the program reads whole lines.
        PaneBusyError: If the program in front is none of *only*.
    """
    # An Enter behind the text of an earlier send needs the same care as the Enter of `submit`.
    if last is not None and last.line and not last.ends_line and keys.parts[:1] == ENTER.parts:
        tty = yield from _until_handled(pane, last)
    else:
        tty = yield from probe(pane)
    yield from refuse_others(pane, tty, only)
    return (yield from _deliver(pane, keys, tty, leave_mode=leave_mode))


def _until_handled(pane: Pane, typed: Mark) -> Plan[TtyState | None]:
    """Wait until the program has read a text and, if it draws itself, worked through it."""
    deadline = (yield from clock_time()) + _PATIENCE
    tty = yield from until_taken(pane, typed, deadline)
    front = Front.seen(Snapshot(screen=typed.screen, tty=typed.tty))
    # Any other program handles its keys one after the other, in the order of their arrival.
    if front.assistant is None and not _draws_itself(typed.screen, tty):
        return tty
    return (yield from _until_still(pane, tty))


def submit(
    pane: Pane,
    text: KeySequence,
    *,
    last: Mark | None = None,
    leave_mode: bool = False,
    sends: Sends = send,
    only: Collection[str] | None = None,
) -> Plan[Mark]:
    """Type *text*, and press Enter once the program has taken it.

    Args:
        pane: The pane.
        text: The text.
        last: The mark of the last send. Its keys have to be read first: otherwise the program, when
            it reads those, would seem to have read the text.
        leave_mode: Whether to leave copy mode before typing.
        sends: Sends Enter; it may begin a tap in the same call of tmux.
        only: The programs that may be typed for.

    Raises:
        InvalidTextError: If the kernel would drop a part, since the program reads whole lines.
        PaneBusyError: If the program in front is none of *only*, before the text or before Enter.
    """
    deadline = (yield from clock_time()) + _PATIENCE
    tty = yield from until_taken(pane, last, deadline)
    yield from refuse_others(pane, tty, only)
    typed = yield from _deliver(pane, text, tty, leave_mode=leave_mode)
    # From here on an error has to say that the text is in the pane.
    try:
        tty = yield from _until_ready_for_enter(pane, text, typed, last, deadline)
        # Another program may have come to the front since the text was typed.
        yield from refuse_others(pane, tty, only)
        screen = yield from sends(pane, ENTER, leave_mode=leave_mode)
    except UNDELIVERED as error:
        raise partly(error, "the text has been typed, but pressing Enter failed") from error
    return Mark(
        screen=screen,
        tty=tty,
        prompt=typed.prompt,
        pane=pane,
        typed="".join(map(_as_text, text)),
        line=_line_of(text),
    )


def refuse_lines(lines: Iterable[str], tty: TtyState | None) -> None:
    """Refuse lines if one of them would not arrive as it is, before the first of them is typed.

    A line editor takes a control character for a key, and a tab for completion. Without one, the
    kernel cuts a line that is too long.

    Raises:
        InvalidTextError: If there is one.
    """
    lines = list(lines)
    if tty is not None:
        _refuse_overlong_lines(KeySequence.text("\n".join(lines)), tty)
    is_edited = tty is None or not tty.canonical
    for char in _CONTROL.findall("".join(lines)):
        if is_edited or char != "\t":
            raise InvalidTextError(
                f"{NOTHING}: a line editor takes {char!r} for a key, and a tab for completion",
                advice=Advice.PASTE,
            )


def _deliver(
    pane: Pane, keys: KeySequence, tty: TtyState | None, *, leave_mode: bool
) -> Plan[Mark]:
    """Send keys; return the mark, with the screen from right before them."""
    if tty is not None:
        _refuse_overlong_lines(keys, tty)
    arriving = yield from _with_long_texts_pasted(pane, keys, tty)
    screen = yield from send(pane, arriving, leave_mode=leave_mode)
    return Mark(
        screen=screen,
        tty=tty,
        prompt=Prompt.seen(screen, tty),
        ends_line=_ends_line(keys),
        pane=pane,
        line=_line_of(keys),
        # C-c gives a begun line up, so the next line continues no command.
        continues=False if keys.parts[-1:] == (_INTERRUPT,) else None,
    )


def _with_long_texts_pasted(
    pane: Pane, keys: KeySequence, tty: TtyState | None
) -> Plan[KeySequence]:
    """Return the keys with each long text as a paste, if a program that draws itself is in front.

    Such a program takes many characters at once for a paste in any case, and the Enter behind them
    for a part of it. Of a real paste tmux marks the end, if the program has asked for that
    (bracketed paste), so the Enter is not part of it.
    """
    if not any(map(is_long, keys)):
        return keys
    snapshot = Snapshot(screen=(yield from observe(pane)), tty=tty)
    if not _takes_pastes(snapshot):
        return keys
    return KeySequence(tuple(Paste(part) if is_long(part) else part for part in keys))


def is_long(part: Part) -> TypeGuard[str]:
    """Whether a part is a text, in one line, that is too long to be typed into an assistant."""
    return isinstance(part, str) and len(part) > _LONGEST_TYPED and part.isprintable()


def _takes_pastes(snapshot: Snapshot) -> bool:
    """Whether a program that draws itself is in front, and takes typed text as text.

    An editor such as vi takes letters as commands. Behind a pass-through program any program may
    be, so that counts as no.
    """
    facts, front = snapshot.facts, Front.seen(snapshot)
    if front.has_inner_program or not facts.is_raw:
        return False
    if facts.named.keys_are_commands or facts.has_line_editor:
        return False
    return front.assistant is not None or _draws_itself(snapshot.screen, snapshot.tty)


def _ends_line(keys: KeySequence) -> bool:
    """Whether the last of the keys may end a line; a paste does not."""
    last = keys.parts[-1] if keys else ""
    if isinstance(last, Key):
        return last in _LINE_ENDING_KEYS
    return isinstance(last, str) and last.endswith(("\r", "\n"))


def _line_of(keys: KeySequence) -> str | None:
    """Return the line that keys type, without the key that ends it; None if keys edit it."""
    parts = keys.parts[:-1] if keys and keys.parts[-1] in _LINE_ENDING_KEYS else keys.parts
    # A key of one character types that; any other, such as Up or C-w, may edit the line.
    if any(isinstance(part, Key) and len(part.name) > 1 for part in parts):
        return None
    return "".join(map(_as_typed, parts))


def _until_ready_for_enter(
    pane: Pane, text: KeySequence, typed: Mark, last: Mark | None, deadline: float
) -> Plan[TtyState | None]:
    """Wait for a sign that the program has taken the text, so that Enter is safe.

    The sign depends on the program. For an assistant it is its input box; for one that reads whole
    lines, the echo; for a line editor, that it has read and sleeps again; for any other program
    that draws itself, also the text on the screen. A wait that gets no sign ends by time.

    Returns:
        The evidence at the end.

    Raises:
        PaneBusyError: If an assistant asks something, in place of its box.
    """
    tty = typed.tty
    front = Front.seen(Snapshot(screen=typed.screen, tty=tty, mark=last))
    if front.assistant is not None:
        yield from until_taken(pane, typed, deadline)
        return (yield from _until_assistant_is_ready(pane, text, front))
    if tty is None or _read_is_unreported(tty) or (tty.canonical and tty.echo):
        # In canonical mode the program reads the line at the Enter. Its echo has to be on the
        # screen by then, or it would be taken for output.
        yield from _until_shown(pane, text, typed.screen)
    elif tty.is_raw:
        taken = yield from until_taken(pane, typed, deadline)
        # Longer than the kernel's buffer: the program reads it piece by piece, and sleeps between.
        comes_in_parts = _is_overlong(text, tty)
        if not (_draws_itself(typed.screen, tty) or comes_in_parts):
            return taken
        yield from _until_shown(pane, text, typed.screen, comes_in_parts=comes_in_parts)
    now = yield from _until_raw_again(pane, typed, deadline)
    return (yield from _until_still(pane, now)) if _draws_itself(typed.screen, tty) else now


def _until_raw_again(pane: Pane, typed: Mark, deadline: float) -> Plan[TtyState | None]:
    """Wait until a program that has shown the text takes the next key; return the evidence.

    The terminal's modes show that also where the kernel does not report the reader.
    """
    tty = yield from probe(pane)
    while tty is not None and _is_between_keys(tty, typed):
        if (yield from clock_time()) >= deadline:
            break
        yield from pause(_POLL)
        tty = yield from probe(pane)
    return tty


def _until_assistant_is_ready(
    pane: Pane, text: KeySequence, before: Front
) -> Plan[TtyState | None]:
    """Wait until an assistant has the text in its box, and sleeps; return the evidence.

    Raises:
        PaneBusyError: If it asks something, in place of its box.
    """
    yield from _until_in_box(pane, text, before)
    still = yield from _until_still(pane, (yield from probe(pane)))
    # An assistant that worked may have begun to ask meanwhile, and would take the Enter for an
    # answer.
    if before.shown.box:
        yield from _refuse_dialog(pane, before)
    return still


def _until_still(pane: Pane, before: TtyState | None) -> Plan[TtyState | None]:
    """Wait until the program has slept for a moment without waking up; return the evidence.

    A program that has read the text may still have to work through it, at once or by a timer.
    """
    deadline = (yield from clock_time()) + _PATIENCE
    while True:
        yield from pause(_BETWEEN_PROBES)
        tty = yield from probe(pane)
        # Without evidence there is nothing to compare.
        if tty is None or before is None or (yield from clock_time()) >= deadline:
            return tty
        if tty.reading is not False and not tty.unread and tty.wakeups == before.wakeups:
            return tty
        before = tty


def _draws_itself(screen: Screen, tty: TtyState | None) -> bool:
    """Whether a program with an event loop draws the screen: a TUI or an assistant, as it seems."""
    if tty is None or tty.canonical or tty.only_reading:
        return False
    return screen.alternate or not screen.cursor_visible


def _refuse_overlong_lines(keys: KeySequence, tty: TtyState) -> None:
    """Refuse keys of which the kernel would drop a part, in canonical mode."""
    if tty.canonical and _is_overlong(keys, tty):
        raise InvalidTextError(
            f"{NOTHING}: the kernel would cut a line of {_longest_line(keys)} bytes after "
            f"{tty.line_limit}, since the pane's program reads whole lines (or a command runs); "
            "wait until it is ready, or send shorter lines"
        )


def _is_overlong(keys: KeySequence, tty: TtyState) -> bool:
    """Whether the kernel's buffer is too small for a line that the keys type."""
    return tty.line_limit is not None and _longest_line(keys) > tty.line_limit


def _longest_line(keys: KeySequence) -> int:
    """Return the number of bytes of the longest line that the keys type."""
    return max(len(line.encode()) for line in _LINE_END.split("".join(map(_as_typed, keys))))


def _as_typed(part: Part) -> str:
    """Return a text of as many bytes as the kernel counts for a part."""
    if isinstance(part, Key):
        return "\n" if part.name in _LINE_KEYS else part.name
    return part.as_sent if isinstance(part, Paste) else part


def _as_text(part: Part) -> str:
    """Return the text that the screen shows for a part; empty if that is not certain."""
    return part if isinstance(part, str) else ""


def _read_is_unreported(tty: TtyState) -> bool:
    """Whether the kernel cannot show that a program in raw mode has read its keys."""
    if not tty.is_raw or tty.reading is False:
        return False
    # ssh and its like wake up for their connection as well, so a wake-up does not mean a key.
    is_pass_through = not tty.signals and tty.only_reading is False
    return tty.reading is None or tty.wakeups is None or is_pass_through


def until_taken(pane: Pane, typed: Mark | None, deadline: float) -> Plan[TtyState | None]:
    """Wait until the program has read the typed keys and sleeps in its next read.

    Args:
        pane: The pane.
        typed: The mark from before the keys were typed; None if there is none.
        deadline: The end of the wait in any case, by the terminal's clock.

    Returns:
        The evidence at the end.
    """
    unreported = 0
    tty = yield from probe(pane)
    while tty is not None and not _has_taken(tty, typed):
        unreported += _may_have_taken(tty)
        if unreported > _MOST_UNREPORTED or (yield from clock_time()) >= deadline:
            break
        yield from pause(_POLL)
        tty = yield from probe(pane)
    return tty


def _has_taken(tty: TtyState, typed: Mark | None) -> bool:
    """Whether the program has read its keys and sleeps in its next read, as far as is reported."""
    if tty.canonical:
        # The kernel keeps the line, and no program reads it before the Enter.
        return not _is_between_keys(tty, typed)
    before = typed.tty if typed else None
    if not _may_have_taken(tty):
        return not tty.unread and bool(tty.reading) and tty != before
    was_reported = before is not None and before.reading is not None
    return tty.reading is not None or not was_reported


def _is_between_keys(tty: TtyState, typed: Mark | None) -> bool:
    """Whether a program is in raw mode for one key at a time, such as Python's readchar.

    When it enters raw mode again, an Enter that came meanwhile is thrown away (termios(3),
    TCSAFLUSH).
    """
    if typed is None or typed.tty is None or typed.ends_line:
        return False
    return typed.tty.is_raw and tty.canonical and not tty.reading


def _may_have_taken(tty: TtyState) -> bool:
    """Whether the program may have read its keys, which the kernel does not report."""
    return not tty.unread and _read_is_unreported(tty)


def _until_shown(
    pane: Pane, text: KeySequence, before: Screen, *, comes_in_parts: bool = False
) -> Plan[None]:
    """Wait, without the kernel's evidence, until the screen shows the text.

    It may show something else for the text, such as the stars of a password. Then two equal
    screens in a row mean that all of it is shown. A text that *comes_in_parts*, since it is longer
    than the kernel's buffer, is the exception: the program may sleep between two parts.
    """
    start = yield from clock_time()
    last = before
    while (yield from clock_time()) - start <= _BLIND_PATIENCE:
        screen = yield from observe(pane)
        if not shows_the_same(screen, before) and (
            _shows_at_cursor(text, screen) or (shows_the_same(screen, last) and not comes_in_parts)
        ):
            return
        last = screen
        yield from pause(_BLIND_POLL)


def _until_in_box(pane: Pane, text: KeySequence, before: Front) -> Plan[None]:
    """Wait until the input box of an assistant, which was there before, holds the text.

    Raises:
        PaneBusyError: If a dialog has come in its place.
    """
    typed = (_line_of(text) or "").replace("\r", "\n")
    start, patience = (yield from clock_time()), _BOX_PATIENCE
    while before.shown.box and (yield from clock_time()) - start <= patience:
        if (yield from _refuse_dialog(pane, before)).shown.holds(typed):
            return
        yield from pause(_BLIND_POLL)
        tty = yield from probe(pane)
        # On a busy machine a program that runs may still have to draw the text.
        runs = tty is not None and tty.reading is False
        patience = _BOX_PATIENCE_AT_WORK if runs else _BOX_PATIENCE


def _refuse_dialog(pane: Pane, before: Front) -> Plan[Front]:
    """Return what is in front now.

    Raises:
        PaneBusyError: If that is a dialog, which would take an Enter for a choice.
    """
    snapshot = attrs.evolve(before.snapshot, screen=(yield from observe(pane)))
    now = yield from until_drawn(pane, snapshot)
    if now.shown.state is AssistantState.ASKS:
        raise PaneBusyError(f"{NOTHING}: {now.asks}")
    return now


def until_drawn(
    pane: Pane, snapshot: Snapshot, strategy: ReadinessStrategy | None = None
) -> Plan[Front]:
    """Return what is in front, once a program that says that it asks has drawn its dialog.

    It says so in its title first. After `UNDRAWN_SECONDS` its rows count instead: the title may be
    an old one.
    """
    start = yield from clock_time()
    while (front := Front.seen(snapshot, strategy)).shown.state is AssistantState.UNDRAWN:
        yield from pause(_BLIND_POLL)
        tty = yield from probe(pane)
        screen = yield from observe(pane)
        waited = (yield from clock_time()) - start
        snapshot = attrs.evolve(snapshot, screen=screen, tty=tty, unchanged_for=waited)
    return front


def _shows_at_cursor(text: KeySequence, screen: Screen) -> bool:
    """Whether the end of the text is left of the cursor."""
    last, shown = _as_text(text.parts[-1]), screen.line_before_cursor
    # The beginning of a long line is above the screen.
    fills_screen = text_columns(shown) > screen.size.columns * (screen.size.rows - 1)
    is_shown = shown.endswith(last) or (fills_screen and last.endswith(shown))
    return bool(last) and is_shown
