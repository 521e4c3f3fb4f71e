"""Paul Williams' parser for DEC VT500 terminals, a character at a time: the model of law 1.

Written from his state diagram, row by row, and not from our pattern: it shares neither code
nor thought with ``tmuxprim._values.ansi``. Whatever the diagram prints or executes is kept.

It departs from the diagram only where our rules say so:

* CAN and SUB are swallowed by the sequence they cancel, instead of executed.
* BEL ends an OSC, as in xterm.
* ``ESC k`` opens a title, as in screen and tmux.
* The diagram ends at 9F: column A0 stands for all that is above, lone surrogates too.
"""

from itertools import product
from typing import NamedTuple

# States of which the diagram says some things alike.
ALIKE = {
    "sequence": (
        *("escape", "escape_intermediate"),
        *("csi_entry", "csi_param", "csi_intermediate", "csi_ignore"),
    ),
    "dcs": ("dcs_entry", "dcs_param", "dcs_intermediate"),
    "string": ("dcs_ignore", "sos_pm_apc_string", "title_string"),
}

# A row: state, ranges of code points in hexadecimal, action, next state if it is another one.
DIAGRAM = """
ground               00-7F,A0               print

sequence             00-17,19,1C-1F         execute
sequence             18,1A                  cancel        ground
sequence             7F                     ignore
sequence             A0                     print         ground

escape               20-2F                  collect       escape_intermediate
escape               30-4F,51-57,59-5A,5C   esc_dispatch  ground
escape               60-6A,6C-7E            esc_dispatch  ground
escape               50                     clear         dcs_entry
escape               58,5E-5F               clear         sos_pm_apc_string
escape               5B                     clear         csi_entry
escape               5D                     osc_start     osc_string
escape               6B                     clear         title_string

escape_intermediate  20-2F                  collect
escape_intermediate  30-7E                  esc_dispatch  ground

csi_entry            20-2F                  collect       csi_intermediate
csi_entry            30-39,3B               param         csi_param
csi_entry            3A                     ignore        csi_ignore
csi_entry            3C-3F                  collect       csi_param
csi_entry            40-7E                  csi_dispatch  ground

csi_param            20-2F                  collect       csi_intermediate
csi_param            30-39,3B               param
csi_param            3A,3C-3F               ignore        csi_ignore
csi_param            40-7E                  csi_dispatch  ground

csi_intermediate     20-2F                  collect
csi_intermediate     30-3F                  ignore        csi_ignore
csi_intermediate     40-7E                  csi_dispatch  ground

csi_ignore           20-3F                  ignore
csi_ignore           40-7E                  ignore        ground

dcs                  00-17,19,1C-1F,7F,A0   ignore
dcs                  18,1A                  cancel        ground

dcs_entry            20-2F                  collect       dcs_intermediate
dcs_entry            30-39,3B               param         dcs_param
dcs_entry            3A                     ignore        dcs_ignore
dcs_entry            3C-3F                  collect       dcs_param
dcs_entry            40-7E                  hook          dcs_passthrough

dcs_param            20-2F                  collect       dcs_intermediate
dcs_param            30-39,3B               param
dcs_param            3A,3C-3F               ignore        dcs_ignore
dcs_param            40-7E                  hook          dcs_passthrough

dcs_intermediate     20-2F                  collect
dcs_intermediate     30-3F                  ignore        dcs_ignore
dcs_intermediate     40-7E                  hook          dcs_passthrough

dcs_passthrough      00-17,19,1C-7E,A0      put
dcs_passthrough      18,1A                  unhook        ground
dcs_passthrough      7F                     ignore

string               00-17,19,1C-7F,A0      ignore
string               18,1A                  cancel        ground

osc_string           00-06,08-17,19,1C-1F   ignore
osc_string           07,18,1A               osc_end       ground
osc_string           20-7F,A0               osc_put
"""

# The diagram's "anywhere" box: these come before the rows of every state.
ANYWHERE = """
anywhere             1B                     clear         escape
anywhere             80-8F,91-97,99-9A      c1_execute    ground
anywhere             90                     clear         dcs_entry
anywhere             98,9E-9F               clear         sos_pm_apc_string
anywhere             9B                     clear         csi_entry
anywhere             9C                     end           ground
anywhere             9D                     osc_start     osc_string
"""


class Transition(NamedTuple):
    """What a state does with one code point."""

    is_kept: bool
    next_state: str


def _read(rows: str) -> dict[tuple[str, int], Transition]:
    """Read rows of the diagram into one transition per state and code point."""
    table: dict[tuple[str, int], Transition] = {}
    for row in filter(None, rows.splitlines()):
        states, ranges, action, *target = row.split()
        for state, codes in product(ALIKE.get(states, (states,)), ranges.split(",")):
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
