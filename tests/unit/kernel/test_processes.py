"""Which program a process runs, and what it has started."""

from tests.unit.kernel.kernel import Kernel
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.procfs import Procfs


def test_what_a_leader_runs_and_has_started(kernel: Kernel) -> None:
    """All of its descendants count: a tool is started by a shell."""
    kernel.process(11, children="12 ")
    kernel.process(12, children="13 ")
    kernel.process(13)
    (kernel.root / "11" / "cmdline").write_text("node\0/usr/bin/gemini\0")
    procfs = Procfs(LocalFiles(str(kernel.root)))
    assert procfs.program_and_children(11) == ("gemini", frozenset({12, 13}))
    assert procfs.program_and_children(12) == (None, frozenset({13}))  # no name


def test_code_has_no_name(kernel: Kernel) -> None:
    """An interpreter that was given code on its command line may show anything."""
    kernel.process(11)
    (kernel.root / "11" / "cmdline").write_text("python3\0-c\0input('>>> ')\0")
    assert Procfs(LocalFiles(str(kernel.root))).program_and_children(11) == ("", frozenset())


def test_nobody_does_nothing(kernel: Kernel) -> None:
    """Who is not there, or not known, has no name."""
    assert Procfs(LocalFiles(str(kernel.root))).program_and_children(11) == (None, None)
    assert Procfs(LocalFiles(str(kernel.root))).program_and_children(None) == (None, None)
