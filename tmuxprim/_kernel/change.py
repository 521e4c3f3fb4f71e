"""A shell script that waits on another machine until the programs of a pane may be ready.

Each look at a pane of another machine costs a call, such as one of ssh. So this waits there, and
only decides when the next look is worth a call. A change that it misses makes a wait late, but
never wrong: the strategies judge the look.
"""

from typing import Final

from tmuxprim._kernel.wchan import NOT_FOR_KEYS


def _pattern(beginning: str) -> str:
    """Return the shell pattern of function names that begin with this, or name such a call."""
    is_call = beginning.startswith("sys_")
    return f"{beginning}*|__*_{beginning}*" if is_call else f"{beginning}*"


# Behind `printed.FUNCTIONS`. ``find_sleepers`` finds the threads that may wait for a key, and
# ``$ran``, which changes whenever a thread of the pane's programs is given a processor.
#
# ``wait_for_change LOOK`` waits until others sleep there than did in ``$sleepers_then``, or the
# command prints something else than had the checksum ``$shown_then``; and then, for a quarter of a
# second at most, until nothing runs. It waits for ``$patience`` hundredths of a second at most,
# since ``$began``. Without ``$hears`` it does not look. Where a shell cannot sleep for less than a
# second, or has no ``cksum``, ``$shown`` is empty.
#
# The shell reads the files itself, so a turn starts one program, ``sleep``, while nothing happens.
# Once something has changed the sleeps are short, since the answer may be near.
WAITING: Final = (
    r"""
moment() {
  read -r now state </proc/uptime || return
  now=$((${now%.*} * 100 + 1${now#*.} - 100))
} 2>/dev/null
look() {
  answer=$("$@"; printf ' %s.' $?)
  shown=$(printf %s "$answer" | cksum)
}
find_sleepers() {
  find_programs "$pid" || return
  sleepers= ran=
  for process in $all; do
    for task in "/proc/$process/task/"*; do
      state= counts= where=
      read -r state <"$task/stat"
      read -r counts <"$task/schedstat"
      ran="$ran ${counts:-$state}"
      case ${state##*) } in S*) ;; *) continue ;; esac
      read -r where <"$task/wchan"
      case $where in PATTERNS) ;; *) sleepers="$sleepers ${task##*/}:$where" ;; esac
    done
  done
} 2>/dev/null
wait_for_change() {
  shown=$shown_then heard= heard_at=0 differs= last=
  while find_sleepers; do
    moment
    if [ "$hears" ] && { [ "$ran" != "$heard" ] || [ $((now - heard_at)) -ge 50 ]; }; then
      look "$@"
      heard=$ran heard_at=$now
    fi
    waited=$((now - began))
    [ "$shown" ] && [ $waited -lt "$patience" ] || return
    if [ "$sleepers" = "$sleepers_then" ] && [ "$shown" = "$shown_then" ]; then
      differs=
    else
      differs=${differs:-$now}
      [ "$ran $sleepers $shown" != "$last" ] && [ $((now - differs)) -lt 25 ] || return
    fi
    last="$ran $sleepers $shown"
    nap=0.1
    [ $waited -ge 500 ] || nap=0.05
    [ $waited -ge 100 ] && [ ! "$differs" ] || nap=0.02
    sleep $nap || { is_short=; return; }
  done
} 2>/dev/null
"""
).replace("PATTERNS", "|".join(map(_pattern, NOT_FOR_KEYS)))
