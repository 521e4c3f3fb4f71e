"""Paul Williams' parser for DEC VT500 terminals, a character at a time: the model of law 1.

Written from his state diagram, row by row, and not from our pattern: it shares neither code
nor thought with ``tmuxprim._values.ansi``. Whatever the diagram prints or executes is kept.

It departs from the diagram only where our rules say so:

* CAN and SUB are swallowed by the sequence they cancel, instead of executed.
* BEL ends an OSC, as in xterm.
* ``ESC k`` opens a title, as in screen and tmux.
* The diagram ends at 9F: column A0 stands for all that is above, lone surrogates too.
"""

from typing import NamedTuple

# A row: state, range of code points in hexadecimal, action, next state if it is another one.
DIAGRAM = """
ground               00-7F  print
ground               A0     print

escape               00-17  execute
escape               18     cancel        ground
escape               19     execute
escape               1A     cancel        ground
escape               1C-1F  execute
escape               20-2F  collect       escape_intermediate
escape               30-4F  esc_dispatch  ground
escape               50     clear         dcs_entry
escape               51-57  esc_dispatch  ground
escape               58     clear         sos_pm_apc_string
escape               59-5A  esc_dispatch  ground
escape               5B     clear         csi_entry
escape               5C     esc_dispatch  ground
escape               5D     osc_start     osc_string
escape               5E-5F  clear         sos_pm_apc_string
escape               60-6A  esc_dispatch  ground
escape               6B     clear         title_string
escape               6C-7E  esc_dispatch  ground
escape               7F     ignore
escape               A0     print         ground

escape_intermediate  00-17  execute
escape_intermediate  18     cancel        ground
escape_intermediate  19     execute
escape_intermediate  1A     cancel        ground
escape_intermediate  1C-1F  execute
escape_intermediate  20-2F  collect
escape_intermediate  30-7E  esc_dispatch  ground
escape_intermediate  7F     ignore
escape_intermediate  A0     print         ground

csi_entry            00-17  execute
csi_entry            18     cancel        ground
csi_entry            19     execute
csi_entry            1A     cancel        ground
csi_entry            1C-1F  execute
csi_entry            20-2F  collect       csi_intermediate
csi_entry            30-39  param         csi_param
csi_entry            3A     ignore        csi_ignore
csi_entry            3B     param         csi_param
csi_entry            3C-3F  collect       csi_param
csi_entry            40-7E  csi_dispatch  ground
csi_entry            7F     ignore
csi_entry            A0     print         ground

csi_param            00-17  execute
csi_param            18     cancel        ground
csi_param            19     execute
csi_param            1A     cancel        ground
csi_param            1C-1F  execute
csi_param            20-2F  collect       csi_intermediate
csi_param            30-39  param
csi_param            3A     ignore        csi_ignore
csi_param            3B     param
csi_param            3C-3F  ignore        csi_ignore
csi_param            40-7E  csi_dispatch  ground
csi_param            7F     ignore
csi_param            A0     print         ground

csi_intermediate     00-17  execute
csi_intermediate     18     cancel        ground
csi_intermediate     19     execute
csi_intermediate     1A     cancel        ground
csi_intermediate     1C-1F  execute
csi_intermediate     20-2F  collect
csi_intermediate     30-3F  ignore        csi_ignore
csi_intermediate     40-7E  csi_dispatch  ground
csi_intermediate     7F     ignore
csi_intermediate     A0     print         ground

csi_ignore           00-17  execute
csi_ignore           18     cancel        ground
csi_ignore           19     execute
csi_ignore           1A     cancel        ground
csi_ignore           1C-1F  execute
csi_ignore           20-3F  ignore
csi_ignore           40-7E  ignore        ground
csi_ignore           7F     ignore
csi_ignore           A0     print         ground

dcs_entry            00-17  ignore
dcs_entry            18     cancel        ground
dcs_entry            19     ignore
dcs_entry            1A     cancel        ground
dcs_entry            1C-1F  ignore
dcs_entry            20-2F  collect       dcs_intermediate
dcs_entry            30-39  param         dcs_param
dcs_entry            3A     ignore        dcs_ignore
dcs_entry            3B     param         dcs_param
dcs_entry            3C-3F  collect       dcs_param
dcs_entry            40-7E  hook          dcs_passthrough
dcs_entry            7F     ignore
dcs_entry            A0     ignore

dcs_param            00-17  ignore
dcs_param            18     cancel        ground
dcs_param            19     ignore
dcs_param            1A     cancel        ground
dcs_param            1C-1F  ignore
dcs_param            20-2F  collect       dcs_intermediate
dcs_param            30-39  param
dcs_param            3A     ignore        dcs_ignore
dcs_param            3B     param
dcs_param            3C-3F  ignore        dcs_ignore
dcs_param            40-7E  hook          dcs_passthrough
dcs_param            7F     ignore
dcs_param            A0     ignore

dcs_intermediate     00-17  ignore
dcs_intermediate     18     cancel        ground
dcs_intermediate     19     ignore
dcs_intermediate     1A     cancel        ground
dcs_intermediate     1C-1F  ignore
dcs_intermediate     20-2F  collect
dcs_intermediate     30-3F  ignore        dcs_ignore
dcs_intermediate     40-7E  hook          dcs_passthrough
dcs_intermediate     7F     ignore
dcs_intermediate     A0     ignore

dcs_passthrough      00-17  put
dcs_passthrough      18     unhook        ground
dcs_passthrough      19     put
dcs_passthrough      1A     unhook        ground
dcs_passthrough      1C-7E  put
dcs_passthrough      7F     ignore
dcs_passthrough      A0     put

dcs_ignore           00-17  ignore
dcs_ignore           18     cancel        ground
dcs_ignore           19     ignore
dcs_ignore           1A     cancel        ground
dcs_ignore           1C-7F  ignore
dcs_ignore           A0     ignore

osc_string           00-06  ignore
osc_string           07     osc_end       ground
osc_string           08-17  ignore
osc_string           18     osc_end       ground
osc_string           19     ignore
osc_string           1A     osc_end       ground
osc_string           1C-1F  ignore
osc_string           20-7F  osc_put
osc_string           A0     osc_put

sos_pm_apc_string    00-17  ignore
sos_pm_apc_string    18     cancel        ground
sos_pm_apc_string    19     ignore
sos_pm_apc_string    1A     cancel        ground
sos_pm_apc_string    1C-7F  ignore
sos_pm_apc_string    A0     ignore

title_string         00-17  ignore
title_string         18     cancel        ground
title_string         19     ignore
title_string         1A     cancel        ground
title_string         1C-7F  ignore
title_string         A0     ignore
"""

# The diagram's "anywhere" box: these come before the rows of every state.
ANYWHERE = """
anywhere             1B     clear         escape
anywhere             80-8F  c1_execute    ground
anywhere             90     clear         dcs_entry
anywhere             91-97  c1_execute    ground
anywhere             98     clear         sos_pm_apc_string
anywhere             99-9A  c1_execute    ground
anywhere             9B     clear         csi_entry
anywhere             9C     end           ground
anywhere             9D     osc_start     osc_string
anywhere             9E-9F  clear         sos_pm_apc_string
"""


class Transition(NamedTuple):
    """What a state does with one code point."""

    is_kept: bool
    next_state: str


def _read(rows: str) -> dict[tuple[str, int], Transition]:
    """Read rows of the diagram into one transition per state and code point."""
    table: dict[tuple[str, int], Transition] = {}
    for row in filter(None, rows.splitlines()):
        state, codes, action, *target = row.split()
        first, _, last = codes.partition("-")
        transition = Transition(action in {"print", "execute"}, target[0] if target else state)
        for code in range(int(first, 16), int(last or first, 16) + 1):
            assert (state, code) not in table, f"two rows for {state} {code:02X}"
            table[state, code] = transition
    return table


_TABLE = _read(DIAGRAM)
_ANYWHERE = {code: transition for (_, code), transition in _read(ANYWHERE).items()}
STATES = frozenset(state for state, _ in _TABLE)


def transition(state: str, character: str) -> Transition:
    """Return what *state* does with *character*; a gap in the diagram is a KeyError."""
    column = min(ord(character), 0xA0)
    return _ANYWHERE.get(column) or _TABLE[state, column]


def vt500_strip(text: str) -> str:
    """Return the characters of *text* that the parser prints or executes."""
    kept: list[str] = []
    state = "ground"
    for character in text:
        is_kept, state = transition(state, character)
        if is_kept:
            kept.append(character)
    return "".join(kept)
