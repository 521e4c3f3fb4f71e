"""Laws of evidence: who is told more knows no less, and a call that is unknown is not "no"."""

import tempfile
from pathlib import Path
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.unit.kernel.kernel import TTY, Kernel, call
from tests.unit.tmux.recorded import RECORDED, Recorded
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.procfs import Foreground, Procfs
from tmuxprim._kernel.syscall import _CALLS, _RESTARTS
from tmuxprim._kernel.wait_targets import Device

_GROUPS = st.booleans().flatmap(
    lambda is_raw: st.lists(
        st.sampled_from([one for one in RECORDED if one.is_raw is is_raw]), min_size=1, max_size=4
    )
)
_KNOWN = {*_CALLS["x86_64"], _RESTARTS["x86_64"]}
_CHANNELS = st.sampled_from(sorted({one.wchan for one in RECORDED}))
brief = settings(max_examples=examples(40), deadline=None)


def found(group: list[Recorded], *, told: bool) -> Foreground:
    """Return who reads among programs of one group, where the system calls are told or not."""
    with tempfile.TemporaryDirectory() as directory:
        kernel = Kernel(Path(directory))
        children = " ".join(str(10 + number) for number in range(1, len(group)))
        for number, one in enumerate(group):
            one.add_to(kernel, 10 + number, children="" if number else children, told=told)
        with patch("tmuxprim._kernel.files.LocalFiles.machine", "x86_64"):
            foreground = Procfs(LocalFiles(directory)).foreground(10, Device(TTY, group[0].is_raw))
    assert foreground is not None
    return foreground


@brief
@given(_GROUPS)
def test_full_evidence_is_never_worse_than_shared(group: list[Recorded]) -> None:
    """Neither is wrong, and what the one with less knows, the other one knows."""
    truth = any(one.reads for one in group)
    full, shared = (found(group, told=told).reading for told in (True, False))
    assert full in (truth, None)
    assert shared in (truth, None)
    assert full is truth or shared is None


@brief
@given(st.integers(0, 1000).filter(lambda number: number not in _KNOWN), _CHANNELS)
def test_a_call_that_is_not_known_says_nothing(number: int, channel: str) -> None:
    """The next source is asked, as if there were none."""
    one = Recorded("a call", call(number), channel, reads=True)
    told = found([one], told=True)._replace(read_site=None)  # which it tells besides
    assert told == found([one], told=False)
