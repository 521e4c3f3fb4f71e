"""Another machine, reached by ssh: a server of the test's own, started for each connection."""

from pathlib import Path

import attrs

from tests.scenarios.play import run_script
from tests.scenarios.remote import SSH

PROGRAMS = ("ssh", "ssh-keygen", "sshd", "setsid", "bash")


@attrs.frozen
class Far:
    """A machine that is this one, at the other end of ssh.

    Args:
        directory: Where keys and settings are; its path is short enough for a socket.
    """

    directory: Path

    @classmethod
    def prepare(cls, directory: Path) -> "Far":
        """Make keys and settings."""
        run_script(SSH, directory)
        return cls(directory)

    @property
    def launcher(self) -> tuple[str, ...]:
        """What connects anew for each call."""
        return ("ssh", "-F", str(self.directory / "config"), "near")

    @property
    def shared(self) -> tuple[str, ...]:
        """What connects once, and stays connected until `end_shared`."""
        options = ("ControlMaster=auto", f"ControlPath={self.directory}/m", "ControlPersist=60")
        flags = [word for option in options for word in ("-o", option)]
        return (*self.launcher[:-1], *flags, self.launcher[-1])

    def end_shared(self) -> None:
        """End the connection that is shared."""
        *words, host = self.shared
        run_script(f"{' '.join(words)} -O exit {host} 2>&1 || true", self.directory)
