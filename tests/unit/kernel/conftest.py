"""The fixtures of the tests of the kernel's evidence."""

from pathlib import Path

import pytest

from tests.unit.kernel.kernel import Kernel


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Give a /proc of a kernel on x86_64."""
    monkeypatch.setattr("tmuxprim._kernel.files.LocalFiles.machine", "x86_64")
    return Kernel(tmp_path)
