"""`PrintedFiles`: the files of another machine, as a shell there has printed them.

A file that was not printed counts as one that the kernel refuses, which the rules can handle. So on
a machine that lacks one of the programs the evidence is weaker, but never wrong.
"""

import os
import re
import stat
from collections.abc import Iterator
from typing import Final, NamedTuple, NoReturn

from tmuxprim._kernel.files import Modes, TtySettings, modes_of, time_limit

# Functions for any shell of POSIX, of Linux; ``grep -z``, ``head -c`` and ``ls`` are as GNU and
# BusyBox have them. They print records, each ``name:content`` with a tab at the end; what is not
# ASCII, which an exec may change, is not printed.
#
# ``find_programs PID`` finds the programs that a pane's program has started, the nearest ones
# first, until there are too many, and the leader in the foreground of ``$tty``. Where the kernel
# does not list what a program has started, it fails: a program that is not printed looks like one
# that has ended. ``find_family PID`` names their files as well. ``print_sleep`` prints what changes
# whenever one of them is given a processor. If that is the same twice, then what ``print_files``
# has printed between is so still.
#
# Each program that is started takes a busy machine long, and so does a loop that reads many lines.
FUNCTIONS: Final = r"""
find_programs() {
  [ -r "/proc/$1/task/$1/children" ] || return
  all=$1 next=$1
  while [ -n "$next" ] && [ ${#all} -lt 600 ]; do
    found=
    for process in $next; do
      for file in "/proc/$process/task/"*/children; do
        children=
        [ ! -r "$file" ] || read -r children <"$file"
        found="$found${children:+ $children}"
      done
    done
    next=$found all="$all$found"
  done
  read -r state <"/proc/$1/stat"
  set -- ${state##*) }
  leader=$6
  case " $all " in *" $leader "*) ;; *) all="$all $leader" ;; esac
} 2>/dev/null
find_family() {
  find_programs "$1" || return
  files= infos= open= go= note=
  for process in $all; do
    at=/proc/$process
    files="$files $at/stat $at/comm $at/cmdline"
    for file in stat comm wchan syscall schedstat children; do
      files="$files $at/task/*/$file"
    done
    infos="$infos $at/status $at/fdinfo/*" open="$open $at/fd"
    set -- "$at/task/"*
    [ $# -gt 1 ] || continue
    note=${note:-$(printf '\004\001\001\001.\001\001\001\004\001\001\001Go\001\001')}
    head -c 4096 "$at/exe" | tr '\0' '\001' | LC_ALL=C grep -q "$note" && go="$go $process"
  done
  return 0
} 2>/dev/null
print_settings() { printf 'stty:%s\0' "$(LC_ALL=C stty -a <"$tty")"; }
as_records() { LC_ALL=C tr '\000\011\001-\010\013-\037\177-\377' '\011 ?'; }
print_sleep() {
  { print_settings; LC_ALL=C grep -zs '' $files /dev/null; } 2>/dev/null | as_records
}
print_files() {
  {
    printf 'infos:%s\0' "$(grep -sE '^(flags|tfd|tty-index|SigIgn):' $infos /dev/null)"
    links=$(LC_ALL=C ls -l $open /dev/null)
    printf 'links:%s\0' "$links"
    printf 'kinds:%s\0' "$(LC_ALL=C ls -lL $open "$tty" /dev/null)"
    case $links in *'socket:['*)
      sockets=$(printf %s "$links" | sed -n 's/.*socket:\[\([0-9]*\)\].*/ \1( |$)/p' | tr '\n' '|')
      printf 'unix:%s\0' "$(grep -sE "${sockets%|}" "/proc/$leader/net/unix")" ;;
    esac
    printf 'go:%s\0machine:%s\0' "$go" "$(uname -m)"
    print_settings
  } 2>/dev/null | as_records
}
"""
# Prints all of $1, the program of a pane, and $2, its terminal.
PROBE: Final = f"{FUNCTIONS}\ntty=$2\nfind_family $1 && print_sleep && print_files\n"

_OF_PROCESS: Final = re.compile(r"^(/proc/\d+)/task/\d+/(?=fd|cmdline)")
# Empty files are not printed, so these count as empty if the process is there.
_MAY_BE_EMPTY: Final = re.compile(r"/(?:children|cmdline)$")
_DEVICE: Final = re.compile(r" (\d+), *(\d+) ")
_TYPES: Final = {"c": stat.S_IFCHR, "p": stat.S_IFIFO, "s": stat.S_IFSOCK}
_SOCKET: Final = re.compile(r"^socket:\[(\d+)\]$")
_INODE: Final = 6  # the place of a socket's number in a row of /proc/net/unix
_SIZE: Final = re.compile(r"rows (\d+); columns (\d+);")
_LIMIT: Final = re.compile(r"min = (\d+); time = (\d+);")
# The note that the linker of Go writes.
_NOTE_OF_GO: Final = b"\4\0\0\0\0\0\0\0\4\0\0\0Go\0\0"
_TIMES_PRINTED: Final = 2  # times that the settings are printed
_LINE_LIMIT: Final = 4095  # of Linux; see `files`


class PrintedStatus(NamedTuple):
    """The part of `os.stat_result` that `ls` prints."""

    st_mode: int
    st_rdev: int


class PrintedFiles:
    """The files that a shell has printed by `FUNCTIONS`.

    The memory of a program is never printed, and what is typed and not read cannot be.

    Args:
        text: What ``print_sleep`` and ``print_files`` have printed.
    """

    root: Final = "/proc"

    def __init__(self, text: str) -> None:
        self._contents: dict[str, str] = {}
        self._settings: list[str] = []
        for record in text.split("\t"):
            name, _, content = record.partition(":")
            if name == "stty":
                self._settings.append(content)
            elif name.endswith("/cmdline"):  # each word is a record
                self._append(name, f"{content}\0")
            else:
                self._contents[name] = content
        for line in self._lines("infos"):
            name, _, content = line.partition(":")
            self._append(name, f"{content}\n")
        self._links = {path: target for path, _, target in self._listed("links")}
        self._kinds = {path: line for path, line, _ in self._listed("kinds")}
        # A directory is known by the files in it, and by those in directories below.
        self._directories: dict[str, set[str]] = {}
        for path in (*self._contents, *self._links):
            below = path
            while below:
                directory, _, name = below.rpartition("/")
                self._directories.setdefault(directory, set()).add(name)
                below = directory

    def _append(self, name: str, more: str) -> None:
        self._contents[name] = self._contents.get(name, "") + more

    def _lines(self, name: str) -> list[str]:
        return self._contents.get(name, "").splitlines()

    def _listed(self, name: str) -> Iterator[tuple[str, str, str]]:
        """Yield each file that ``ls -l`` has listed: its path, its line, and what it leads to."""
        directory = ""
        for line in self._lines(name):
            head, _, target = line.partition(" -> ")
            if line.startswith("/") and line.endswith(":"):
                directory = f"{line[:-1]}/"
            elif line.startswith("total "):
                continue
            elif line:
                yield directory + head.rpartition(" ")[2], head, target

    @property
    def machine(self) -> str:
        """The name of the processor."""
        return self._contents.get("machine", "")

    def read(self, path: str) -> str:
        """Return what a file said."""
        path = _OF_PROCESS.sub(r"\1/", path)
        directory = path.rpartition("/")[0]
        if _MAY_BE_EMPTY.search(path) and f"{directory}/stat" in self._contents:
            return self._contents.get(path, "")
        return self._contents[path] if path in self._contents else _refuse(path)

    def head(self, path: str, length: int) -> bytes:
        """Return the beginning of a program, of which only the note of Go is known."""
        process = re.fullmatch(r"/proc/(\d+)/exe", path)
        if process is None:
            _refuse(path)
        is_go = process[1] in self._contents.get("go", "").split()
        return _NOTE_OF_GO[:length] if is_go else b""

    def names(self, directory: str) -> list[str]:
        """Return the names in a directory; one without any is refused: it may not be there."""
        directory = _OF_PROCESS.sub(r"\1/", directory)
        return list(self._directories.get(directory) or _refuse(directory))

    def link(self, path: str) -> str:
        """Return what an open file is."""
        path = _OF_PROCESS.sub(r"\1/", path)
        return self._links.get(path) or _refuse(path)

    def status(self, path: str) -> PrintedStatus:
        """Return what an open file is, or a terminal."""
        path = _OF_PROCESS.sub(r"\1/", path)
        line = self._kinds.get(path) or _refuse(path)
        number = _DEVICE.search(line)
        device = os.makedev(int(number[1]), int(number[2])) if number else 0
        return PrintedStatus(_TYPES.get(line[0], 0), device)

    def protocol(self, path: str) -> bytes:
        """Return the protocol of a socket: UNIX if the machine lists it as local, or else TCP."""
        number = _SOCKET.sub(r"\1", self.link(path))
        local = {row.split()[_INODE] for row in self._lines("unix")}
        return b"UNIX" if number in local else b"TCP"

    def memory(self, path: str, address: int, length: int) -> bytes:
        """Refuse it, as a kernel does that lets no process attach to another."""
        raise PermissionError(f"{length} bytes of {path} at {address:#x} are not printed")

    def terminal(self, path: str) -> "PrintedTty":
        """Return the terminal. Its settings were printed twice: before all else, and after."""
        return PrintedTty(self.status(path).st_rdev, self._settings)

    def is_alive(self, process: int) -> bool:
        """Whether there was such a process, by a text that was not cut off."""
        return len(self._settings) == _TIMES_PRINTED and f"/proc/{process}/stat" in self._contents


class PrintedTty:
    """A terminal whose settings were printed; each question takes the next print.

    Args:
        number: The number of its device.
        settings: What ``stty -a`` has printed.
    """

    def __init__(self, number: int, settings: list[str]) -> None:
        self._number = number
        self._settings = iter(settings)

    def settings(self) -> TtySettings | None:
        """Return its settings as they were printed next; None if they were not."""
        said = next(self._settings, "")
        size, limit, words = _SIZE.search(said), _LIMIT.search(said), said.split()
        if size is None or limit is None:
            return None
        modes = modes_of(
            canonical="icanon" in words,
            echo="echo" in words,
            signals="isig" in words,
            icrnl="icrnl" in words,
            inlcr="inlcr" in words,
        )
        return TtySettings(
            self._number,
            modes,
            None,
            (int(size[1]), int(size[2])),
            None if modes.canonical else time_limit(int(limit[1]), int(limit[2])),
            _LINE_LIMIT,
        )

    def modes(self) -> Modes | None:
        """Return its flags, by what was printed next."""
        settings = self.settings()
        return None if settings is None else settings.modes

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _refuse(path: str) -> NoReturn:
    raise FileNotFoundError(f"{path} is not printed")
