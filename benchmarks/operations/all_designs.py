"""The designs in the order in which they are started."""

from benchmarks.operations.bare import BareControl
from benchmarks.operations.designs import (
    Design,
    Libtmux,
    OverControl,
    OverSubprocesses,
    Pexpect,
    PromptPexpect,
    RawTmux,
)

# pexpect forks, so it comes before there are threads.
DESIGNS: tuple[type[Design], ...] = (
    *(PromptPexpect, Pexpect),
    *(OverControl, OverSubprocesses, BareControl, RawTmux, Libtmux),
)
