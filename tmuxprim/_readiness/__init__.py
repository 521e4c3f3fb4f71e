"""Readiness strategies: they judge by one snapshot whether a pane takes input. No I/O, no clock.

To read it all: `snapshot` (input and verdicts), `chain` (how strategies are combined), `facts`
(conclusions about the reader), `default` (the order of the built-in strategies), and then these in
that order: `kernel`, `silence`, `editor_strategy`, `continuation`, `prompt`, `input`. `front` and
`pane_state` answer other questions by the same snapshots: the program in front, and its state.
"""
