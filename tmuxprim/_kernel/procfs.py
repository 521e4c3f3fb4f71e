"""The processes in the foreground of a terminal, and which of them reads it, by ``/proc``.

The way to the reader: `foreground` takes the foreground group, `_group` its processes, `_reader_of`
the threads of each, and `_ask` the best source of evidence for each thread.
"""

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from tmuxprim._kernel.files import Files
from tmuxprim._kernel.pass_through import InnerTerminal, PassThroughs, Servers
from tmuxprim._kernel.processes import MOST_PROCESSES, Processes, Stat
from tmuxprim._kernel.status_file import StatusFiles
from tmuxprim._kernel.syscall import SystemCalls, stack_pointer
from tmuxprim._kernel.wait_targets import Device, Source, ThreadWait, Waiting
from tmuxprim._kernel.wchan import ThreadStates, WaitChannels
from tmuxprim._values.evidence import Activity, Level
from tmuxprim._values.programs import Kind, program_called

# From the best to the worst. The first one that we may read decides; everybody may read the last.
_SOURCES: Final[tuple[Source, ...]] = (SystemCalls(), WaitChannels(), ThreadStates())
# So many children of the shell that are older and younger than the leader are looked at, since a
# shell may have hundreds of jobs.
_OLDER, _YOUNGER = 8, 32
_NO_TERMINAL: Final = 0


class Foreground(NamedTuple):
    """The foreground process group of a terminal, and its reader.

    A field is None where the kernel does not report it; see `TtyState` for those that are not here.

    Args:
        leader: The leader of the group.
        reader: The process that is blocked reading the terminal.
        is_multiplexer_server: Whether the reader is the server of a multiplexer, such as tmux, and
            reads for a program in one of its own terminals.
        may_poll: Whether the group may look for keys again and again, instead of a read: the
            terminal is raw or its reads do not block, and no process is in one.
        may_work: Whether the reader may go on without a key: its wait has a time limit, or another
            part of its program works.
        read_site: Where the reader's stack begins, and how much of it is used.
        menu: A menu in the group, which takes the keys wherever it sleeps. It is looked for only
            where the reader is not reported.
    """

    leader: int | None = None
    reading: bool | None = None
    only_reading: bool | None = None
    passes_on: bool | None = None
    reader: int | None = None
    wakeups: int | None = None
    read_site: tuple[int, int] | None = None
    ignores_stop: bool | None = None
    level: Level = "termios"
    is_multiplexer_server: bool = False
    may_poll: bool = False
    may_work: bool = False
    limit: float | None = None
    menu: int | None = None


class _ReportedWait(NamedTuple):
    """The wait of one thread, and the source that reports it."""

    wait: ThreadWait
    level: Level
    thread: int


class _ProcessWait(NamedTuple):
    """The wait of one process, by the thread of which most is known."""

    waiting: Waiting
    process: int
    thread: int
    level: Level
    stat: Stat
    limit: float | None = None


class _Reader(NamedTuple):
    """The last reader of a terminal, and whether its wake-ups alone show that it reads."""

    state: Foreground
    is_sure: bool


_NO_READER: Final = _Reader(Foreground(), is_sure=False)


class Procfs:
    """Reads ``/proc``, and remembers the last reader of each terminal.

    A reader whose count of wake-ups is the same has not run, and so still sleeps in the same call.
    Then nothing else is asked again, which saves most of the work.
    """

    def __init__(self, files: Files) -> None:
        self.files = files
        self._processes = Processes(files)
        self._pass_throughs = PassThroughs(self._processes)
        self._servers = Servers(self._processes)
        self._status_files = StatusFiles(files)
        self._readers: dict[Device, _Reader] = {}

    def foreground(self, pane_pid: int, device: Device) -> Foreground | None:
        """Return the foreground group of a terminal, and its reader.

        None if the terminal is not the pane's any more: its program has ended, or is a zombie,
        and the terminal's path may be another pane's.
        """
        stat = self._processes.stat(pane_pid)
        if stat is None:  # it has ended, or there is no /proc
            return Foreground() if self.files.is_alive(pane_pid) else None
        if not stat.has_terminal(device.number):
            return None
        leader = stat.foreground
        known = self._readers.get(device, _NO_READER)
        if known.state.leader != leader:
            known = _NO_READER
        pid = known.state.reader
        wakeups = None if pid is None else self._wakeups_asleep(pid, pane_pid, stat)
        if known.is_sure and wakeups == known.state.wakeups:
            return known.state
        state, is_alone = self._find_reader(leader, pane_pid, stat, device)
        # The reader may have run while its files were read one after the other. It has not if it
        # got no processor in that time.
        has_slept = wakeups is not None and (state.reader, state.wakeups) == (pid, wakeups)
        self._readers[device] = _Reader(state, is_sure=is_alone and has_slept)
        return state

    def inner_terminal(self, device: Device, foreground: Foreground) -> InnerTerminal | None:
        """Return the terminal whose programs are shown on this one; None if there is none."""
        pass_through = foreground.reader if foreground.passes_on else None
        return self._pass_throughs.inner_terminal(device.number, foreground.leader, pass_through)

    def command(self, leader: int | None) -> str | None:
        """Return the name of a leader's command; None where the kernel does not report it."""
        return self._processes.name(leader) or None if leader else None

    def activity(self, leader: int) -> Activity | None:
        """Return the counters of a leader's first thread; None if the kernel has none."""
        return self._processes.activity(leader, leader)

    def reader_command(self, foreground: Foreground) -> str | None:
        """Return the reader's command if it is not the leader, as in ``seq 5 | fzf``, else None."""
        reader = foreground.reader or foreground.menu
        return None if reader == foreground.leader else self.command(reader)

    def program_and_children(self, leader: int | None) -> tuple[str | None, frozenset[int] | None]:
        """Return the name of a leader's program, and the processes that it has started.

        Both are None where the kernel does not report them.
        """
        if leader is None or self._processes.stat(leader) is None:
            return None, None
        children = frozenset(child for child, _ in self._processes.descendants(leader))
        return self._processes.program(leader), children

    def status(self, leader: int | None, program: str | None) -> str | None:
        """Return the state that a leader's program reports in a file; None without any."""
        return None if leader is None else self._status_files.status(leader, program)

    def _wakeups_asleep(self, process: int, pane_pid: int, pane_stat: Stat) -> int | None:
        """Return the wake-ups of a process that sleeps; None if it does not."""
        # The counter grows when the process gets a processor, which may be a moment after a key has
        # woken it. So its state is read first: if it sleeps, and then its counter is unchanged, it
        # has not run.
        stat = pane_stat if process == pane_pid else self._processes.stat(process)
        if stat is None or not stat.is_asleep:
            return None
        return self._processes.wakeups(process, process)

    def _find_reader(
        self, leader: int, pane_pid: int, stat: Stat, device: Device
    ) -> tuple[Foreground, bool]:
        """Return the reader, and whether its process does nothing but read."""
        found = self._find_waiting(leader, pane_pid, stat, device)
        if found is None:
            return Foreground(leader, level=ThreadStates.level), False
        if found.waiting is Waiting.UNKNOWN:
            menu = self._menu(leader, pane_pid, stat) if device.is_raw else None
            return Foreground(leader, level=found.level, menu=menu), False
        if found.waiting < Waiting.UNKNOWN:
            return self._without_reader(found, leader, device), False
        # In raw mode a pass-through program passes each key on. In canonical mode it reads a line
        # for itself, and goes on to show the other terminal meanwhile.
        may_work = found.waiting is Waiting.TERMINAL_AND_MORE or (
            found.waiting is Waiting.TERMINAL_AND_PASS_THROUGH and not device.is_raw
        )
        # Read before the wake-ups. If these are unchanged later, the process has not run, so that
        # the site is that of this read, and not of a program that exec has put in its place.
        read_site = self._read_site(found)
        state = Foreground(
            leader,
            reading=True,
            may_work=may_work,
            only_reading=found.waiting is Waiting.TERMINAL,
            passes_on=found.waiting is Waiting.TERMINAL_AND_PASS_THROUGH,
            is_multiplexer_server=self._serves(found, leader),
            reader=found.process,
            wakeups=self._processes.wakeups(found.process, found.thread),
            read_site=read_site,
            ignores_stop=self._processes.ignores_stop(found.process),
            level=found.level,
            limit=found.limit,
        )
        return state, found.stat.threads == 1 and not may_work

    def _find_waiting(
        self, leader: int, pane_pid: int, stat: Stat, device: Device
    ) -> _ProcessWait | None:
        """Return the wait of the group's reader, or else that of which most is known."""
        found: _ProcessWait | None = None
        for process, its_stat in self._group(leader, pane_pid, stat):
            best = self._reader_of(process, its_stat, device)
            if best is None:
                continue
            if best.waiting > Waiting.UNKNOWN:
                return best
            if _is_member(its_stat, leader) and (found is None or best.waiting > found.waiting):
                found = best
        if not device.is_raw:
            return found
        none_reads = found is not None and found.waiting < Waiting.UNKNOWN
        return self._reader_by_proxy(leader, device, none_reads=none_reads) or found

    def _without_reader(self, found: _ProcessWait, leader: int, device: Device) -> Foreground:
        """Return that no process is blocked reading the terminal, if that is sure."""
        flags = self._processes.input_flags(leader, device)
        # With O_ASYNC the kernel reports each key to it by a signal (SIGIO), wherever it sleeps.
        if flags & os.O_ASYNC and found.stat.is_asleep:
            return Foreground(leader, level=found.level)
        may_poll = device.is_raw or bool(flags & os.O_NONBLOCK)
        # A leader that waits for a disk also wakes up often, but not to look for keys.
        if may_poll and (stat := self._processes.stat(leader)) is not None:
            may_poll = not stat.is_at_a_disk
        return Foreground(
            leader,
            reading=False,
            only_reading=False,
            passes_on=False,
            is_multiplexer_server=self._serves(found, leader),
            may_poll=may_poll,
            level=found.level,
        )

    def _serves(self, found: _ProcessWait, leader: int) -> bool:
        """Whether the server of a multiplexer reads, for a program in one of its terminals."""
        return found.process != leader and self._servers.is_multiplexer_server(found.process)

    def _menu(self, leader: int, pane_pid: int, stat: Stat) -> int | None:
        """Return the process of the leader's group that is known to be a menu; None if none is."""
        names = ((one, self.command(one) or "") for one, _ in self._group(leader, pane_pid, stat))
        return next((one for one, name in names if program_called(name).is_menu), None)

    def _reader_by_proxy(
        self, leader: int, device: Device, *, none_reads: bool
    ) -> _ProcessWait | None:
        """Return the wait of the process that a leader has handed its terminal to, if there is one.

        Args:
            leader: The leader, which sleeps.
            device: The terminal.
            none_reads: Whether the kernel reports that no process of the leader's group reads.
        """
        stat = self._processes.stat(leader)
        is_client = self._servers.is_client(leader, none_reads=none_reads)
        if stat is None or not (is_client or (none_reads and stat.is_asleep)):
            return None
        server = self._servers.find_owner(leader, device.number, is_client=is_client)
        its_stat = self._processes.stat(server) if server else None
        if server and its_stat and (found := self._reader_of(server, its_stat, device)):
            return found
        return (
            _ProcessWait(Waiting.UNKNOWN, leader, leader, ThreadStates.level, stat)
            if is_client
            else None
        )

    def _reader_of(self, process: int, stat: Stat, device: Device) -> _ProcessWait | None:
        """Return what a process waits for; None if it is gone.

        A program may read the terminal in one thread, and work in others, as ``docker run -i``
        does.
        """
        if stat.is_stopped:
            return _ProcessWait(Waiting.ELSEWHERE, process, process, ThreadStates.level, stat)
        threads = self._processes.threads(process, stat)
        waits = self._waits(process, threads, device)
        if not waits:
            return None
        best = max(waits, key=lambda asked: asked.wait.what)
        waiting, limit = best.wait
        if waiting is Waiting.TERMINAL and len(threads) > 1:
            only_reads = self._only_reads(process, best.thread, waits, device)
            waiting = Waiting.TERMINAL if only_reads else Waiting.TERMINAL_AND_MORE
        # zsh may have made a terminal for a helper of its prompt (zpty). It does not show that.
        if waiting is Waiting.TERMINAL_AND_PASS_THROUGH:
            is_shell = program_called(self.command(process) or "").kind is Kind.SHELL
            waiting = Waiting.TERMINAL_AND_MORE if is_shell else waiting
        return _ProcessWait(waiting, process, best.thread, best.level, stat, limit)

    def _waits(self, process: int, threads: list[int], device: Device) -> list[_ReportedWait]:
        return [self._ask(process, thread, device) for thread in threads]

    def _only_reads(
        self, process: int, reader: int, waits: list[_ReportedWait], device: Device
    ) -> bool:
        """Whether a process waits for the terminal alone, as its *reader* thread does."""
        threads = [asked.thread for asked in waits]
        working = [one.wait for one in waits if one.wait.what is Waiting.ELSEWHERE]
        if working:
            is_timed = any(wait.limit is not None for wait in working)
            return not is_timed and self._asks(process, reader, device)
        # The threads were asked one after the other. One may have given its work to another in that
        # time, so that both seemed idle. If none has run since, it has not.
        woken = self._wakeups(process, threads)
        is_same = self._waits(process, threads, device) == waits
        is_asleep = woken == self._wakeups(process, threads)
        return is_same and is_asleep and self._is_main_idle(process, reader, waits)

    def _wakeups(self, process: int, threads: list[int]) -> list[int | None]:
        return [self._processes.wakeups(process, thread) for thread in threads]

    def _asks(self, process: int, reader: int, device: Device) -> bool:
        """Whether the program wants the line that its first thread reads, whatever the others do.

        Its other threads may print meanwhile. Only one that waits with a time limit might end the
        read.
        """
        if reader != process or not device.is_for_lines:
            return False
        if not self._processes.has_main_thread(process):
            return False
        return not program_called(self.command(process) or "").passes_on

    def _is_main_idle(self, process: int, reader: int, waits: list[_ReportedWait]) -> bool:
        """Whether the thread that a program begins with is known to wait without a time limit.

        Only the system call shows whether a wait for another thread has one.
        """
        levels = {asked.thread: asked.level for asked in waits}
        program = program_called(self.command(process) or "")
        if program.is_menu:  # its other threads may load rows, but it waits for a choice
            return True
        if not self._processes.has_main_thread(process):
            return all(level == SystemCalls.level for level in levels.values())
        # The oldest thread first: thread numbers grow, but begin anew behind the greatest.
        started = sorted(levels, key=lambda thread: (thread < process, thread))
        main = started[1] if program.starts_main else process
        return main == reader or levels[main] == SystemCalls.level

    def _ask(self, process: int, thread: int, device: Device) -> _ReportedWait:
        """Return what a thread waits for, by the first source that is open."""
        named = self._processes.thread(process, thread)
        waits = ((source.describe(named, device), source.level) for source in _SOURCES)
        return next(_ReportedWait(wait, level, thread) for wait, level in waits if wait is not None)

    def _group(self, leader: int, pane_pid: int, pane_stat: Stat) -> Iterator[tuple[int, Stat]]:
        """Yield the processes of the leader's group with their ``stat``, the leader first.

        Orphans come last, since the search for them takes long. While the leader runs, none of them
        can have the terminal.
        """
        yield from self._relatives(leader, pane_pid, pane_stat)
        stat = pane_stat if leader == pane_pid else self._processes.stat(leader)
        if stat is None or stat.is_asleep:
            orphans = self._processes.orphans(pane_stat, leader)
            yield from self._family(list(orphans), leader)

    def _relatives(self, leader: int, pane_pid: int, pane_stat: Stat) -> Iterator[tuple[int, Stat]]:
        """Yield those of the leader's group that it has started, or that were started with it.

        In ``sh -c 'dash; true'`` the leader only waits and a child of it reads. In ``yes | less``
        the reader is another child of the shell. If the leader has gone before the others, they are
        found from the pane's program.
        """
        leader_stat = pane_stat if leader == pane_pid else self._processes.stat(leader)
        if leader_stat is None:
            yield from self._family([(pane_pid, pane_stat)], leader)
            return
        # A child in another session, as of ``su -c`` and ``setsid -w``, may read as well: job
        # control stops no process whose terminal it is not.
        yield from self._family([(leader, leader_stat)], leader, leader_stat.session)
        if leader == pane_pid:
            return
        parent = leader_stat.parent
        parent_stat = pane_stat if parent == pane_pid else self._processes.stat(parent)
        # A shell starts the parts of a pipeline in a row, so they are next to the leader.
        children = self._processes.children(parent, parent_stat)
        place = children.index(leader) if leader in children else 0
        beside = children[max(place - _OLDER, 0) : place] + children[place + 1 : place + _YOUNGER]
        others = ((child, self._processes.stat(child)) for child in beside)
        members = [(child, stat) for child, stat in others if _is_member(stat, leader)]
        yield from self._family(members, leader)

    def _family(
        self, queue: list[tuple[int, Stat | None]], leader: int, session: int | None = None
    ) -> Iterator[tuple[int, Stat]]:
        """Yield those of some processes and their descendants that are of the leader's group.

        If its *session* is given, also those that have left that.
        """
        for process, stat in queue:
            if stat is not None and (_is_member(stat, leader) or _has_left(stat, session)):
                yield process, stat
            if len(queue) < MOST_PROCESSES:
                queue.extend(
                    (child, self._processes.stat(child))
                    for child in self._processes.children(process, stat)
                )

    def _read_site(self, found: _ProcessWait) -> tuple[int, int] | None:
        """Return where the reader's stack begins, and how much of it is used."""
        if found.thread != found.process:  # only the first thread's stack is in `stat`
            return None
        stat = self._processes.stat(found.process)
        pointer = stack_pointer(self._processes.thread(found.process))
        return None if stat is None or pointer is None else (stat.stack, stat.stack - pointer)


def _has_left(stat: Stat, session: int | None) -> bool:
    """Whether a process has left a session, and has no terminal of its own: it would read that."""
    return session not in (None, stat.session) and stat.tty == _NO_TERMINAL


def _is_member(stat: Stat | None, leader: int) -> bool:
    """Whether a process is of the leader's group."""
    return stat is not None and stat.group == leader
