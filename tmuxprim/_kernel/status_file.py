"""The state that a program reports of itself in a file. Only Claude Code is known to have one."""

import json
from contextlib import suppress
from typing import Final

from tmuxprim._kernel.files import Files
from tmuxprim._kernel.processes import Processes

# Claude Code 2.1.332 writes ``sessions/<pid>.json`` at each change, within 0.3 s of an Enter.
_PROGRAM: Final = "claude"
_DIRECTORY: Final = "CLAUDE_CONFIG_DIR"
_STATES: Final = ("busy", "shell", "idle", "waiting")
_LARGEST: Final = 65_536


class StatusFiles:
    """Reads the status files of programs, and remembers where the last one is."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._processes = Processes(files)
        self._directory: tuple[tuple[int, int], str] = (0, 0), ""

    def status(self, process: int, program: str | None) -> str | None:
        """Return the state that a process reports in its file; None without any."""
        stat = self._processes.stat(process) if program == _PROGRAM else None
        if stat is None:
            return None
        known, directory = self._directory
        if known != (process, stat.started):
            variables = self._processes.environment(process)
            directory = variables.get(_DIRECTORY) or f"{variables.get('HOME', '')}/.claude"
            self._directory = (process, stat.started), directory
        written = self._read(f"{directory}/sessions/{process}.json")
        state = written.get("status")
        # An earlier process with the same number may have left its file, with another start.
        is_its = str(written.get("procStart")) == str(stat.started)
        return str(state) if is_its and state in _STATES else None

    def _read(self, path: str) -> dict[str, object]:
        """Return the fields of a file; none if it is not there, or is just being written."""
        with suppress(OSError, ValueError, RecursionError):
            written = json.loads(self._files.head(path, _LARGEST))
            if isinstance(written, dict):
                return written
        return {}
