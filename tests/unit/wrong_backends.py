"""Backends that are wrong on purpose, each in one way in which a real one might be."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

import attrs
from typing_extensions import override

from tmuxprim import (
    Cursor,
    FakeTerminal,
    InvalidTextError,
    Key,
    KeySequence,
    Pane,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    Screen,
    Size,
    TmuxprimError,
    TmuxServerError,
    TtyState,
)
from tmuxprim._fake.display import Display
from tmuxprim._fake.streams import FakeTap
from tmuxprim._values.keys import Part
from tmuxprim._values.pane import to_size
from tmuxprim.testing import CONTRACT_SHELL, Clock, Layout, Paste, TerminalContract

SIZE: Final = Size(80, 24)

Make: TypeAlias = Callable[[], FakeTerminal]
# Given the fake, its own method, and what that is called with.
Method: TypeAlias = Callable[..., Any]


class Right(FakeTerminal):
    """A fake with the contract's shell, of which others do something wrong."""

    def __init__(self) -> None:
        super().__init__(programs={"sh": CONTRACT_SHELL})
        self.known: dict[object, Any] = {}


def wrong(**methods: Method) -> Make:
    """Return a backend of which some methods are others."""

    def overridden(name: str, method: Method) -> Method:
        def call(me: FakeTerminal, *args: object, **more: object) -> object:
            return method(me, partial(getattr(FakeTerminal, name), me), *args, **more)

        return call

    return type("Wrong", (Right,), {name: overridden(name, do) for name, do in methods.items()})


def opens(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Make:
    """Return a backend that opens a pane with something else than what was asked for."""
    return wrong(open=lambda _, right, command=None, **asked: right(command, **change(asked)))


def sends(change: Callable[[Part], Part]) -> Make:
    """Return a backend that sends something else for each part."""
    return sends_all(lambda keys: map(change, keys))


def sends_all(change: Callable[[KeySequence], Any]) -> Make:
    """Return a backend that sends something else."""
    return wrong(
        send=lambda _, right, pane, keys, **more: right(
            pane, KeySequence(tuple(change(keys))), **more
        )
    )


def shows(change: Callable[[Screen], Screen]) -> Make:
    """Return a backend that shows another screen than there is."""
    return wrong(observe=lambda _, right, *args, **more: change(right(*args, **more)))


def probes(**facts: object) -> Make:
    """Return a backend that tells another state of the terminal."""
    evolve: Callable[..., TtyState] = attrs.evolve
    return wrong(probe=lambda _, right, pane: (tty := right(pane)) and evolve(tty, **facts))


def history(change: Callable[[int], int], method: str) -> Make:
    """Return a backend that looks back another number of rows."""
    return wrong(**{method: lambda _, right, pane, history=0: right(pane, history=change(history))})


def raises(error: TmuxprimError, instead_of: type[TmuxprimError], method: str) -> Make:
    """Return a backend that takes one error for another."""

    def call(_: FakeTerminal, right: Method, *args: object, **more: object) -> object:
        try:
            return right(*args, **more)
        except instead_of as caught:
            raise error from caught

    return wrong(**{method: call})


def falls_back(method: str, answer: Callable[[FakeTerminal, Method], object]) -> Make:
    """Return a backend that has an answer for a pane that is not there."""

    def call(me: FakeTerminal, right: Method, *args: object, **more: object) -> object:
        try:
            return right(*args, **more)
        except PaneNotFoundError:
            return answer(me, partial(right, **more))

    return wrong(**{method: call})


def evolved(**fields: object) -> Callable[[Screen], Screen]:
    """Return what changes fields of a screen."""
    evolve: Callable[..., Screen] = attrs.evolve
    return lambda screen: evolve(screen, **fields)


def with_cursor(screen: Screen, column: int) -> Screen:
    """Return a screen whose cursor stands in another column."""
    return attrs.evolve(screen, cursor=Cursor(screen.cursor.row, column))


def look_before(me: Right, right: Method, pane: Pane, **more: object) -> object:
    """Answer as the last time, and ask for the next time."""
    answer = right(pane, **more)
    before = me.known.get(pane, answer)
    me.known[pane] = answer
    return before


def remember(me: Right, right: Method, pane: Pane) -> object:
    """Look a name up once, and never again."""
    if pane not in me.known:
        me.known[pane] = right(pane)
    return me.known[pane]


def refuse_own(asked: dict[str, Any]) -> dict[str, Any]:
    """Refuse a variable that is set anyway."""
    if "PATH" in (asked.get("env") or {}):
        raise InvalidTextError("PATH is given to each pane")
    return asked


def close_what_is_there(me: FakeTerminal, right: Method, pane: Pane) -> None:
    """Take closing for an operation as any other."""
    if me.resolve(pane) not in me.panes():
        raise PaneNotFoundError("there is no such pane")
    right(pane)


def take_beginning(_: FakeTerminal, right: Method, pane: Pane) -> object:
    """Take the beginning of a name for the name, as tmux does."""
    is_begun = any(name.startswith(pane.target) for name in ("shared", "shared-2"))
    return right(Pane("shared-2") if is_begun else pane)


def close_later(me: Right, right: Method, pane: Pane) -> None:
    """Return before the pane is gone."""
    me.known[pane] = True
    right(pane)


def send_to_next(
    me: FakeTerminal, right: Method, pane: Pane, keys: KeySequence, **more: object
) -> object:
    """Fall back to some pane, as tmux does for an empty target."""
    try:
        return right(pane, keys, **more)
    except PaneNotFoundError:
        right(me.panes()[0], keys, **more)
        raise


def observe_first(me: Right, right: Method, pane: Pane, **more: object) -> object:
    """Take every id for one of the first server that was seen."""
    pane = me.resolve(pane)
    first = me.known.setdefault("server", pane.server)
    return right(Pane(pane.target, server=first), **more)


def resize_width(me: FakeTerminal, right: Method, pane: Pane, size: Size) -> None:
    """Forget the rows."""
    right(pane, Size(to_size(size).columns, me.observe(pane).size.rows))


def look_afterwards(me: FakeTerminal, right: Method, pane: Pane, *args: object, **_: object) -> Any:  # noqa: ANN401  # of all methods
    """Return the screen from after the keys."""
    right(pane, *args)
    me.clock.sleep(0.01)
    return me.observe(pane)


def send_without_input(
    me: FakeTerminal, right: Method, pane: Pane, *args: object, **more: object
) -> object:
    """Forget that a pane's input may be off."""
    return me.observe(pane) if me.observe(pane).input_off else right(pane, *args, **more)


def send_to_all(
    me: FakeTerminal, right: Method, pane: Pane, *args: object, **more: object
) -> object:
    """Forget that a pane may be synchronized with others."""
    if me.observe(pane).synchronized:
        me.set_synchronized(pane, on=False)
    return right(pane, *args, **more)


def refuse_too_late(
    me: FakeTerminal, right: Method, pane: Pane, keys: KeySequence, **more: object
) -> object:
    """Send the first part before looking."""
    try:
        return right(pane, keys, **more)
    except PaneBusyError:
        me.set_mode(pane, "")
        right(pane, KeySequence(keys.parts[:1]))
        me.set_mode(pane, "copy-mode")
        raise


def send_once(me: Right, right: Method, pane: Pane, keys: KeySequence, **more: object) -> object:
    """Take the same keys again for a call that is repeated because it failed."""
    instead = KeySequence(()) if me.known.get("last") == (pane, keys) else keys
    me.known["last"] = pane, keys
    return right(pane, instead, **more)


def close_once(me: Right, right: Method) -> None:
    """Complain when a bell is closed twice."""
    if me.known.setdefault("closed", 0):
        raise OSError("bad file descriptor")
    me.known["closed"] += 1
    right()


def makes(method: str, **changes: Method) -> Make:
    """Return a backend of whose bells or taps some methods are others."""

    def call(me: FakeTerminal, right: Method, *args: object, **more: object) -> object:
        made = right(*args, **more)
        for name, change in changes.items():
            setattr(made, name, partial(change, me, getattr(made, name)))
        return made

    return wrong(**{method: call})


@attrs.frozen
class WrongClock:
    """A clock that tells other times, or sleeps for others."""

    clock: Clock
    told: Callable[[float], float] = float
    slept: Callable[[float], float] = float

    def now(self) -> float:
        """Return the time, in the wrong way."""
        return self.told(self.clock.now())

    def sleep(self, seconds: float) -> None:
        """Sleep, in the wrong way."""
        self.clock.sleep(self.slept(seconds))


def ticks(**how: Callable[[float], float]) -> Make:
    """Return a backend whose clock is wrong."""

    class Wrong(Right):
        @property
        @override
        def clock(self) -> Clock:  # type: ignore[override]  # it is any clock
            return WrongClock(super().clock, **how)

    return Wrong


def refuse_past(seconds: float) -> float:
    """Complain of a deadline that has passed, as ``time.sleep`` does."""
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    return seconds


def tap_anyway(
    me: FakeTerminal, right: Method, pane: Pane, keys: KeySequence | None = None, **more: object
) -> object:
    """Forget that a pane has one tap."""
    try:
        return right(pane, keys, **more)
    except PaneBusyError:
        return FakeTap(Display(SIZE, 0), me.observe(pane))


def tap_late(
    me: FakeTerminal, right: Method, pane: Pane, keys: KeySequence | None = None, **more: object
) -> object:
    """Type the keys before the tap begins."""
    me.send(pane, keys or KeySequence(()))
    me.clock.sleep(0.1)
    return right(pane, **more)


def tap_forced(
    _: FakeTerminal, right: Method, pane: Pane, keys: KeySequence | None = None, **more: object
) -> object:
    """Leave every mode."""
    return right(pane, keys, **{**more, "leave_mode": True})


_ARROW: Final = re.compile(r"^.*-(?=(Up|Down|Left|Right)$)")
_RARE: Final = (Key("DC"), Key("F1"), Key("F12"), Key("PPage"))

C = TerminalContract
CAUGHT: dict[str, tuple[Make, Callable[[TerminalContract], None]]] = {
    "opens every pane in its own size, as tmux 3.3a does while a person is attached": (
        opens(lambda asked: {**asked, "size": SIZE}),
        C.test_open_makes_the_size_that_was_asked_for,
    ),
    "makes a name that it does not like into one that it does, as tmux does with a.b": (
        opens(lambda asked: {**asked, "name": re.sub(r"\W", "_", asked["name"])}),
        C.test_open_refuses_a_name_with_a_meaning,
    ),
    "checks no directory": (
        opens(lambda asked: {**asked, "cwd": None}),
        C.test_open_refuses_what_no_program_can_be_given,
    ),
    "checks no variables": (
        opens(lambda asked: {**asked, "env": None}),
        C.test_open_refuses_what_no_program_can_be_given,
    ),
    "refuses every variable that it sets itself": (
        opens(refuse_own),
        C.test_open_passes_the_environment_of_this_process_on,
    ),
    "refuses to close twice": (wrong(close=close_what_is_there), C.test_close_twice_is_no_error),
    "refuses to close what is not there": (
        wrong(close=close_what_is_there),
        C.test_close_of_an_unknown_pane_is_no_error,
    ),
    "takes the beginning of a name for the name": (
        wrong(resolve=take_beginning),
        C.test_resolve_never_takes_a_beginning_for_a_name,
    ),
    "remembers names": (wrong(resolve=remember), C.test_a_name_is_free_when_its_pane_is_gone),
    "ignores case": (
        wrong(resolve=lambda _, right, pane: right(Pane(pane.target.lower()))),
        C.test_resolve_compares_names_letter_by_letter,
    ),
    "lists what is closed": (
        wrong(close=close_later, panes=lambda me, right: (*right(), *me.known)),
        C.test_close_ends_the_pane,
    ),
    "lists the first panes only": (
        wrong(panes=lambda _, right: right()[:3]),
        C.test_panes_lists_every_pane,
    ),
    "has an error of its own for the last pane": (
        raises(TmuxServerError("no server"), PaneNotFoundError, "observe"),
        C.test_a_pane_is_gone_as_any_other_if_it_was_the_last_one,
    ),
    "takes no pane for no server": (
        raises(TmuxServerError("no server"), PaneNotFoundError, "send"),
        C.test_every_operation_refuses_a_pane_that_is_not_there,
    ),
    "shows empty fields for a pane that is gone, as tmux does": (
        falls_back(
            "observe", lambda *_: Screen(size=SIZE, rows=("",) * SIZE.rows, cursor=Cursor(0, 0))
        ),
        C.test_every_operation_refuses_a_pane_that_was_closed,
    ),
    "reads nothing of a pane that is gone": (
        falls_back("read", lambda *_: ""),
        C.test_every_operation_refuses_a_pane_that_is_not_there,
    ),
    "sends to the next pane": (
        wrong(send=send_to_next),
        C.test_what_is_sent_to_a_gone_pane_reaches_no_other,
    ),
    "keeps the path of a terminal that is another pane's by now": (
        falls_back("probe", lambda me, right: right(me.panes()[-1])),
        C.test_probe_takes_no_other_pane_for_one_that_has_ended,
    ),
    "forgets servers": (
        wrong(resolve=lambda _, right, pane: Pane(right(pane).target)),
        C.test_a_console_types_into_no_pane_of_the_next_server,
    ),
    "sends to whoever has the id": (
        wrong(send=lambda _, right, pane, *args, **more: right(Pane(pane.target), *args, **more)),
        C.test_an_id_means_no_pane_of_the_next_server,
    ),
    "closes whoever has the id": (
        wrong(close=lambda _, right, pane: right(Pane(pane.target))),
        C.test_an_id_means_no_pane_of_the_next_server,
    ),
    "stays with the first server": (
        wrong(observe=observe_first),
        C.test_an_id_without_a_server_is_of_the_one_that_is_there,
    ),
    "leaves a row of the history out": (
        shows(lambda screen: attrs.evolve(screen, history=screen.history[:-1])),
        C.test_history_comes_without_gap_or_overlap,
    ),
    "looks back less than no rows": (
        history(lambda rows: max(rows, 0), "observe"),
        C.test_a_history_of_less_than_nothing_is_refused,
    ),
    "takes every character for one column": (
        shows(
            lambda snapshot: with_cursor(
                snapshot, min(len(snapshot.before_cursor), snapshot.size.columns)
            )
        ),
        C.test_a_wide_character_takes_two_columns,
    ),
    "pads rows": (
        shows(
            lambda snapshot: attrs.evolve(
                snapshot, rows=[r.ljust(snapshot.size.columns) for r in snapshot.rows]
            )
        ),
        C.test_observe_shows_rows_and_cursor,
    ),
    "tells of styles, asked or not": (
        wrong(observe=lambda _, right, *args, **more: right(*args, **{**more, "styled": True})),
        C.test_observe_tells_styles_when_asked,
    ),
    "resizes only the width": (wrong(resize=resize_width), C.test_resize_changes_the_size),
    "takes a semicolon at the end of a text for its own, as tmux does": (
        sends(lambda part: part.removesuffix(";") if isinstance(part, str) else part),
        C.test_send_types_text_as_it_is,
    ),
    "drops the key of a semicolon": (
        sends_all(lambda keys: (part for part in keys if part != Key(";"))),
        C.test_send_presses_keys_that_are_one_character,
    ),
    "types the names of keys, as tmux does with those that it does not know": (
        sends(lambda part: part.name if isinstance(part, Key) else part),
        C.test_send_interrupts,
    ),
    "sends all texts, and then all keys": (
        sends_all(lambda keys: sorted(keys, key=lambda part: isinstance(part, Key))),
        C.test_send_keeps_the_order_of_many_parts,
    ),
    "looks after the keys": (
        wrong(send=look_afterwards),
        C.test_send_returns_the_screen_from_right_before,
    ),
    "takes an old look for a new one": (
        wrong(send=lambda _, right, *args, **named: named.get("seen") or right(*args, **named)),
        C.test_send_takes_no_old_snapshot_for_a_new_one,
    ),
    "takes an old look for what a mode is": (
        wrong(send=lambda _, right, *args, **named: named.get("seen") or right(*args, **named)),
        C.test_send_refuses_a_mode_that_came_after_a_snapshot,
    ),
    "sends in any mode": (
        wrong(send=lambda _, right, *args, **__: right(*args, leave_mode=True)),
        C.test_send_refuses_a_pane_in_copy_mode,
    ),
    "forgets that input may be off": (
        wrong(send=send_without_input),
        C.test_send_refuses_a_pane_without_input,
    ),
    "forgets that panes may be synchronized": (
        wrong(send=send_to_all),
        C.test_send_refuses_a_pane_that_shares_its_input,
    ),
    "refuses too late": (wrong(send=refuse_too_late), C.test_send_refuses_a_pane_in_copy_mode),
    "takes dead for busy": (
        raises(PaneBusyError("the pane takes nothing"), PaneDeadError, "send"),
        C.test_send_refuses_a_dead_pane,
    ),
    "loses blanks, as tmux before 3.3 does": (
        shows(lambda screen: attrs.evolve(screen, layout=Layout(screen.layout.wrapped))),
        C.test_observe_tells_the_spaces_at_the_end_of_a_line,
    ),
    "keeps the cursor in the row": (
        shows(
            lambda snapshot: with_cursor(
                snapshot, min(snapshot.cursor.column, snapshot.size.columns - 1)
            )
        ),
        C.test_the_cursor_waits_behind_a_full_row,
    ),
    "tells no signals": (
        shows(evolved(exit_signal=None)),
        C.test_a_dead_pane_tells_the_signal_that_ended_it,
    ),
    "takes every end for a success": (
        shows(lambda screen: attrs.evolve(screen, exit_status=0 if screen.dead else None)),
        C.test_a_dead_pane_tells_the_exit_status,
    ),
    "tells another limit": (
        shows(evolved(history_limit=5)),
        C.test_history_comes_without_gap_or_overlap,
    ),
    "shows a hundred rows": (
        history(lambda rows: min(rows, 100), "observe"),
        C.test_what_is_new_is_read_as_far_back_as_the_mark,
    ),
    "sends back the rows alone": (
        wrong(
            send=lambda _, right, *args, **more: evolved(command="", title="", pane_pid=0)(
                right(*args, **more)
            )
        ),
        C.test_send_returns_the_whole_screen,
    ),
    "reads the snapshot before": (wrong(read=look_before), C.test_read_says_what_is_shown),
    "reads no history": (
        history(lambda rows: min(rows, 0), "read"),
        C.test_read_says_what_is_shown,
    ),
    "reads one row more": (
        history(lambda rows: rows + 1 if rows > 0 else rows, "read"),
        C.test_read_says_what_is_shown,
    ),
    "reads less than no rows": (
        history(lambda rows: max(rows, 0), "read"),
        C.test_a_history_of_less_than_nothing_is_refused,
    ),
    "takes init for the leader": (
        probes(foreground_pid=1),
        C.test_probe_sees_a_line_editor_at_a_prompt,
    ),
    "takes the pane for the leader": (
        probes(foreground_pid=1000),
        C.test_probe_sees_a_command_run,
    ),
    "takes another process for the reader": (
        probes(reader_pid=1),
        C.test_wait_ready_tells_a_prompt_on_the_alternate_screen,
    ),
    "takes signals for switched off": (probes(signals=False), C.test_probe_sees_a_command_run),
    "probes the snapshot before": (wrong(probe=look_before), C.test_probe_tells_what_is_so_now),
    "drops rare keys": (
        sends(lambda part: "" if part in _RARE else part),
        C.test_every_key_arrives_as_itself,
    ),
    "loses modifiers of arrows": (
        sends(lambda part: Key(_ARROW.sub("", part.name)) if isinstance(part, Key) else part),
        C.test_every_key_arrives_as_itself,
    ),
    "types pastes": (
        sends(lambda part: part.text if isinstance(part, Paste) else part),
        C.test_pasted_lines_arrive_with_cr,
    ),
    "pastes without marks": (
        sends(lambda part: part.as_sent if isinstance(part, Paste) else part),
        C.test_a_paste_is_marked_for_who_asked,
    ),
    "loses emojis": (
        sends(lambda part: re.sub(r"[^\0-\uffff]", "", part) if isinstance(part, str) else part),
        C.test_send_types_text_as_it_is,
    ),
    "takes LF in a text for the Enter key": (
        sends(lambda part: part.replace("\n", "\r") if isinstance(part, str) else part),
        C.test_typed_controls_arrive_as_they_are,
    ),
    "drops controls": (
        sends(lambda part: re.sub(r"[\0-\x1f]", "", part) if isinstance(part, str) else part),
        C.test_typed_controls_arrive_as_they_are,
    ),
    "sends nothing twice": (wrong(send=send_once), C.test_send_sends_again_what_was_sent_before),
    "has bells that block too long": (
        makes(
            "watch_output", wait=lambda me, right, seconds: me.clock.sleep(5.0) or right(seconds)
        ),
        C.test_an_output_watch_waits_no_longer_than_asked,
    ),
    "has bells that ring for ever": (
        makes("watch_output", wait=lambda _, right, seconds: right(seconds) or True),
        C.test_a_silent_program_is_not_reported,
    ),
    "listens to another pane": (
        wrong(watch_output=lambda me, right, _: right(me.panes()[0])),
        C.test_an_unknown_pane_is_not_reported,
    ),
    "closes bells once": (
        makes("watch_output", close=close_once),
        C.test_an_output_watch_may_be_closed_twice,
    ),
    "lets every tap end the one before": (
        wrong(tap=tap_anyway),
        C.test_a_pane_has_one_tap,
    ),
    "taps what comes behind the keys": (
        wrong(tap=tap_late),
        C.test_a_tap_has_all_that_its_keys_bring_about,
    ),
    "leaves a mode for a tap": (
        wrong(tap=tap_forced),
        C.test_a_tap_types_nothing_where_no_key_arrives,
    ),
    "taps what was written before, too": (
        makes("tap", read=lambda _, right: "seq 1 100\r\n" + right()),
        C.test_a_tap_that_is_closed_takes_no_more,
    ),
    "takes the lines of a tap for text": (
        makes("tap", read=lambda _, right: right().replace("\r\n", "\n")),
        C.test_a_tap_has_all_that_is_written,
    ),
    "reads a tap byte by byte": (
        makes("tap", read=lambda _, right: right().encode().decode("ascii", "replace")),
        C.test_a_tap_splits_no_character,
    ),
    "goes by the time of day": (
        ticks(told=lambda now: now - 3600.0 * (now > 0.0)),
        C.test_the_clock_never_goes_back,
    ),
    "goes too fast": (ticks(told=lambda now: now * 2.0), C.test_the_clock_tells_seconds),
    "wakes early": (
        ticks(slept=lambda seconds: seconds - 0.001),
        C.test_sleep_lets_that_much_time_pass,
    ),
    "sleeps strictly": (ticks(slept=refuse_past), C.test_sleep_of_no_time_is_no_error),
}
"""The backends, by what they do wrong, each with the test that is about it."""
