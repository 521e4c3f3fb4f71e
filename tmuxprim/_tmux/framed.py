"""A run of a client by an exec: the command that goes there, and its answer, in a frame.

An exec is a function of somebody else's, often with a network and several programs behind it. Some
cut long output, in the middle too, put errors among the output, print a greeting, take line breaks
or colours away, or return another exit status. So a shell script carries the client out:

* It compares the checksum of all words and of the input with the one it was given, and starts
  nothing if they differ.
* It prints the checksum of the answer, and in the answer output, exit status and errors of the
  client, with the mark of this very call between them.

An answer is taken as it is, or not at all.
"""

import shlex
import zlib
from typing import Final, NamedTuple

from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.invocation import Finished, Invocation
from tmuxprim.errors import TmuxCommandError, TmuxServerError

# For any shell of POSIX. The dots keep line breaks at an end, which $(...) takes away. Descriptor 3
# is the output, which is not left open in the client: a server that it starts would keep it open.
# The variables of tmux name another server, which would count more than our socket.
_SCRIPT: Final = """\
unset TMUX TMUX_PANE
expected=$1 mark=$2 input=$3.
[ "$4" = - ] || input=$(cat; echo .)
shift 4
input=${input%.}
arrived=$({ printf %s "$input"; printf '\\n%s' "$@"; } | cksum)
[ "$arrived" = "$expected" ] || { echo "tmuxprim: $arrived"; exit 0; }
answer=$({
  errors=$(printf %s "$input" | "$@" 2>&1 >&3 3>&-)
  printf '\\n%s %s\\n%s.' "$mark" $? "$errors"
} 3>&1)
printf 'tmuxprim %s\\n%s\\n' "$(printf %s "$answer" | cksum)" "$answer"
"""
_ANSWERED: Final = b"tmuxprim "
_REFUSED: Final = b"tmuxprim: "
_LONGEST: Final = 100
# Linux takes no argument that is longer (MAX_ARG_STRLEN in execve(2)), and many execs make one of
# all, for a shell.
_LONGEST_ARGUMENT: Final = 131_071
_MIRRORED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class Framed(NamedTuple):
    """A command for an exec, and the mark that its answer is known by.

    Args:
        call: The call that it is for.
        argv: The command.
        stdin: Its standard input; None if there is none.
        mark: The mark of this call.
    """

    call: TmuxCall
    argv: tuple[str, ...]
    stdin: bytes | None
    mark: str

    def parse(self, returned: object) -> Finished:
        """Return how the client ended, by what the exec returned.

        Raises:
            TmuxServerError: If that is not the client's whole answer, as it was.
        """
        match returned:
            case (int() as status, str() | bytes() | None as out, str() | bytes() | None as err):
                printed, said = _to_bytes(out).strip(), _to_bytes(err)
            case _:
                said = type(returned).__name__.encode()
                raise self.failure("does not return exit status, output and errors", said)
        if status != 0:
            raise self.failure(f"returned exit status {status}, not 0", said or printed)
        if printed.startswith(_REFUSED):
            raise TmuxServerError(
                "nothing was done, since the arguments or the input did not arrive as they were "
                "sent: an exec passes each argument on as it is, and all of the input "
                "(exec_stdin=False says that it passes none); cksum is needed there"
            )
        head, _, answer = printed.partition(b"\n")
        if head != _ANSWERED + checksum(answer).encode():
            raise self.failure("cut or changed the answer, or added to it", printed or said)
        stdout, mark, rest = answer.rpartition(f"\n{self.mark} ".encode())
        if not mark:
            raise self.failure("returned the answer of another call", b"")
        ended, _, stderr = rest.partition(b"\n")
        return Finished(int(ended), stdout, stderr[:-1])

    def failed(self, error: BaseException) -> TmuxServerError:
        """Return the error for an exec that raised one."""
        return self.failure(f"failed with {type(error).__name__}", _to_bytes(str(error)))

    def failure(self, what: str, said: bytes) -> TmuxServerError:
        """Return the error for an exec that did something else, of which it *said* something."""
        first = said.strip().partition(b"\n")[0].decode(errors="replace")[:_LONGEST]
        unsure = (
            ""
            if self.call.is_repeatable
            else "; whether the command was carried out cannot be determined, so look at the pane "
            "before you repeat it"
        )
        return TmuxServerError(f"the exec {what} ({first or 'it printed nothing'}){unsure}")


def frame(invocation: Invocation, mark: str, *, has_stdin: bool) -> Framed:
    """Return the command that carries a run of the client out, and frames its answer.

    Raises:
        TmuxCommandError: If input that is passed as an argument is too long for one.
    """
    given = invocation.stdin
    by_stdin = has_stdin and bool(given)
    sent = checksum(b"\n".join((given, *map(_to_bytes, invocation.argv))))
    passed = ("", "<") if by_stdin else (given.decode(), "-")
    argv = ("sh", "-c", _SCRIPT, "tmuxprim", sent, mark, *passed, *invocation.argv)
    if not by_stdin and len(shlex.join(argv).encode(errors="surrogateescape")) > _LONGEST_ARGUMENT:
        why = "command too long for an exec without standard input; nothing was done"
        raise TmuxCommandError(invocation.redacted, 1, why)
    return Framed(invocation.call, argv, given if by_stdin else None, mark)


def checksum(data: bytes) -> str:
    """Return what ``cksum`` of POSIX prints of data: a CRC of it and its length, and the length.

    It takes the bits of each byte in the other order than zlib, and begins with zeros.
    """
    length = len(data)
    octets = length.to_bytes((length.bit_length() + 7) // 8, "little")
    crc = zlib.crc32((data + octets).translate(_MIRRORED), 0xFFFFFFFF)
    return f"{int(f'{crc:032b}'[::-1], 2)} {length}"


def _to_bytes(text: str | bytes | None) -> bytes:
    """Return bytes, which a decoded text shows as Python does those that are no UTF-8."""
    return text.encode(errors="surrogateescape") if isinstance(text, str) else text or b""
