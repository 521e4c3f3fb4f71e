"""The contract catches wrong backends: each fails the test that is about what it does wrong."""

from collections.abc import Callable

import pytest
from typing_extensions import override

from tests.fake_contract import FakeContract
from tests.unit import wrong_arrivals, wrong_looks, wrong_panes, wrong_times, wrong_typing
from tests.unit.wrong_arrivals import SendsAnother
from tests.unit.wrong_looks import ProbesAnother, ShowsAnother
from tests.unit.wrong_panes import OpensAnother, Wrong
from tmuxprim import FakeTerminal, TmuxprimError
from tmuxprim.testing import TerminalContract

# What a broken promise shows as: an assertion, an error of ours that was not promised, or one
# that should never have come through.
BROKEN = (AssertionError, TmuxprimError, ValueError, OSError)

CAUGHT: list[tuple[type[Wrong], Callable[[TerminalContract], None]]] = [
    (wrong_panes.OpensOneSize, TerminalContract.test_open_makes_the_size_that_was_asked_for),
    (wrong_panes.ChangesNames, TerminalContract.test_open_refuses_a_name_with_a_meaning),
    (
        wrong_panes.ChecksNoFolder,
        TerminalContract.test_open_refuses_a_folder_that_can_have_no_such_name,
    ),
    (
        wrong_panes.ChecksNoVariables,
        TerminalContract.test_open_refuses_a_variable_that_cannot_be_set,
    ),
    (
        wrong_panes.RefusesItsOwnVariables,
        TerminalContract.test_open_passes_the_environment_of_this_process_on,
    ),
    (wrong_panes.ClosesOnlyWhatIsThere, TerminalContract.test_close_twice_is_no_error),
    (wrong_panes.ClosesOnlyWhatIsThere, TerminalContract.test_close_of_an_unknown_pane_is_no_error),
    (wrong_panes.TakesBeginnings, TerminalContract.test_resolve_never_takes_a_beginning_for_a_name),
    (wrong_panes.RemembersNames, TerminalContract.test_a_name_is_free_when_its_pane_is_gone),
    (wrong_panes.IgnoresCase, TerminalContract.test_resolve_compares_names_letter_by_letter),
    (wrong_panes.ListsWhatIsClosed, TerminalContract.test_close_ends_the_pane),
    (wrong_panes.ListsTheFirstOnly, TerminalContract.test_panes_lists_every_pane),
    (wrong_panes.KnowsNoServer, TerminalContract.test_without_panes_there_is_no_server),
    (
        wrong_panes.ShowsWhatIsGone,
        TerminalContract.test_every_operation_refuses_a_pane_that_was_closed,
    ),
    (
        wrong_panes.SaysNoServer,
        TerminalContract.test_every_operation_refuses_a_pane_that_is_not_there,
    ),
    (
        wrong_panes.SendsToTheNext,
        TerminalContract.test_what_is_sent_to_a_gone_pane_reaches_no_other,
    ),
    (
        wrong_panes.ProbesTheSameTerminal,
        TerminalContract.test_probe_takes_no_other_pane_for_one_that_has_ended,
    ),
    (
        wrong_panes.ForgetsServers,
        TerminalContract.test_a_console_types_into_no_pane_of_the_next_server,
    ),
    (
        wrong_panes.SendsToWhoeverHasTheId,
        TerminalContract.test_an_id_means_no_pane_of_the_next_server,
    ),
    (
        wrong_panes.ClosesWhoeverHasTheId,
        TerminalContract.test_an_id_means_no_pane_of_the_next_server,
    ),
    (
        wrong_panes.StaysWithTheFirstServer,
        TerminalContract.test_an_id_without_a_server_is_of_the_one_that_is_there,
    ),
    (wrong_typing.HistoryIsOneShort, TerminalContract.test_history_comes_without_gap_or_overlap),
    (
        wrong_typing.TakesAnyHistory,
        TerminalContract.test_observe_refuses_a_history_of_less_than_nothing,
    ),
    (wrong_typing.CountsCharacters, TerminalContract.test_a_wide_character_takes_two_columns),
    (wrong_typing.PadsRows, TerminalContract.test_observe_shows_rows_and_cursor),
    (wrong_typing.ResizesOnlyTheWidth, TerminalContract.test_resize_changes_the_size),
    (wrong_typing.LosesSemicolons, TerminalContract.test_send_types_text_as_it_is),
    (wrong_typing.LosesSemicolons, TerminalContract.test_send_presses_keys_that_are_one_character),
    (wrong_typing.TypesNames, TerminalContract.test_send_interrupts),
    (wrong_typing.SendsKeysLast, TerminalContract.test_send_keeps_the_order_of_many_parts),
    (wrong_typing.LooksAfterwards, TerminalContract.test_send_returns_the_screen_from_right_before),
    (wrong_typing.TakesAnyLook, TerminalContract.test_send_takes_no_old_look_for_a_new_one),
    (wrong_typing.TakesAnyLook, TerminalContract.test_send_refuses_a_mode_that_came_after_a_look),
    (wrong_typing.SendsInAnyMode, TerminalContract.test_send_refuses_a_pane_in_copy_mode),
    (wrong_typing.SendsWithoutInput, TerminalContract.test_send_refuses_a_pane_without_input),
    (wrong_typing.SendsToAll, TerminalContract.test_send_refuses_a_pane_that_shares_its_input),
    (wrong_typing.RefusesTooLate, TerminalContract.test_send_refuses_every_sequence_whole),
    (wrong_typing.TakesDeadForBusy, TerminalContract.test_send_refuses_a_dead_pane),
    (wrong_looks.LosesBlanks, TerminalContract.test_observe_tells_the_spaces_at_the_end_of_a_line),
    (wrong_looks.KeepsTheCursorInTheRow, TerminalContract.test_the_cursor_waits_behind_a_full_row),
    (
        wrong_looks.TellsNoSignals,
        TerminalContract.test_a_dead_pane_tells_the_signal_that_ended_it,
    ),
    (
        wrong_looks.TakesEveryEndForSuccess,
        TerminalContract.test_a_dead_pane_tells_the_exit_status,
    ),
    (wrong_looks.TellsAnotherLimit, TerminalContract.test_history_comes_without_gap_or_overlap),
    (
        wrong_looks.ShowsAHundredRows,
        TerminalContract.test_what_is_new_is_read_as_far_back_as_the_mark,
    ),
    (wrong_looks.SendsBackTheRowsAlone, TerminalContract.test_send_returns_the_whole_screen),
    (wrong_looks.ReadsTheLookBefore, TerminalContract.test_read_says_what_is_shown),
    (wrong_looks.ReadsNoHistory, TerminalContract.test_read_says_what_is_shown),
    (wrong_looks.ReadsOneRowMore, TerminalContract.test_read_says_what_is_shown),
    (
        wrong_looks.ReadsAnyHistory,
        TerminalContract.test_read_refuses_a_history_of_less_than_nothing,
    ),
    (
        wrong_looks.ReadsWhatIsGone,
        TerminalContract.test_every_operation_refuses_a_pane_that_is_not_there,
    ),
    (
        wrong_looks.TakesInitForTheLeader,
        TerminalContract.test_probe_sees_a_line_editor_at_a_prompt,
    ),
    (wrong_looks.TakesThePaneForTheLeader, TerminalContract.test_probe_sees_a_command_run),
    (
        wrong_looks.TakesAnotherForTheReader,
        TerminalContract.test_wait_ready_tells_a_prompt_on_the_alternate_screen,
    ),
    (wrong_looks.InvertsSignals, TerminalContract.test_probe_sees_a_command_run),
    (wrong_looks.ProbesTheLookBefore, TerminalContract.test_probe_tells_what_is_so_now),
    (wrong_arrivals.DropsRareKeys, TerminalContract.test_every_key_arrives_as_itself),
    (wrong_arrivals.LosesModifiers, TerminalContract.test_every_key_arrives_as_itself),
    (wrong_arrivals.TypesPastes, TerminalContract.test_pasted_lines_arrive_with_cr),
    (wrong_arrivals.PastesWithoutMarks, TerminalContract.test_a_paste_is_marked_for_who_asked),
    (wrong_arrivals.LosesEmojis, TerminalContract.test_send_types_text_as_it_is),
    (wrong_arrivals.EndsLinesWithEnter, TerminalContract.test_typed_controls_arrive_as_they_are),
    (wrong_arrivals.DropsControls, TerminalContract.test_typed_controls_arrive_as_they_are),
    (
        wrong_arrivals.SendsNothingTwice,
        TerminalContract.test_send_sends_again_what_was_sent_before,
    ),
    (wrong_times.BlocksTooLong, TerminalContract.test_a_bell_is_waited_for_no_longer_than_asked),
    (wrong_times.RingsForEver, TerminalContract.test_a_bell_of_a_silent_program_does_not_ring),
    (wrong_times.ListensToAnother, TerminalContract.test_a_bell_of_an_unknown_pane_does_not_ring),
    (wrong_times.ClosesBellsOnce, TerminalContract.test_a_bell_may_be_closed_twice),
    (wrong_times.GoesByTheWall, TerminalContract.test_the_clock_never_goes_back),
    (wrong_times.GoesTooFast, TerminalContract.test_the_clock_tells_seconds),
    (wrong_times.WakesEarly, TerminalContract.test_sleep_lets_that_much_time_pass),
    (wrong_times.SleepsStrictly, TerminalContract.test_sleep_of_no_time_is_no_error),
]


class ContractOn(FakeContract):
    """Runs on a backend that is made by a call."""

    def __init__(self, make: Callable[[], FakeTerminal]) -> None:
        self._make = make
        self.setup_method()

    @override
    def make_fake(self) -> FakeTerminal:
        return self._make()


@pytest.mark.parametrize(("backend", "test"), CAUGHT, ids=lambda value: value.__name__)
def test_a_wrong_backend_is_caught(
    backend: type[Wrong], test: Callable[[TerminalContract], None]
) -> None:
    """It fails the test, which the backend that it was made from passes."""
    test(ContractOn(Wrong))
    with pytest.raises(BROKEN):
        test(ContractOn(backend))


def test_every_wrong_backend_is_caught() -> None:
    """None of them is left out."""
    modules = (wrong_panes, wrong_typing, wrong_looks, wrong_arrivals, wrong_times)
    known = [value for module in modules for value in vars(module).values()]
    backends = {value for value in known if isinstance(value, type) and issubclass(value, Wrong)}
    bases = {Wrong, OpensAnother, ShowsAnother, ProbesAnother, SendsAnother}
    assert backends - bases == {backend for backend, _ in CAUGHT}
