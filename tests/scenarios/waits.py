"""Who reads by a call that few programs use, or with other numbers of calls."""

from tests.scenarios.model import PROMPT, QUESTION, STABLE, Scenario, types
from tests.scenarios.shells import BASH

# The smallest program of 32 bits that asks: write(2), read(2) and exit(2) of i386. A kernel that
# runs none is given one of its own size.
_OF_32_BITS = """cat > make.py <<'END'
import os, struct
def word(number):
    return struct.pack("<I", number)
base, asked = 0x08048000, b"which? "
def code(text):
    return (
        b"\\xb8" + word(4) + b"\\xbb" + word(1) + b"\\xb9" + word(text)
        + b"\\xba" + word(len(asked)) + b"\\xcd\\x80"
        + b"\\xb8" + word(3) + b"\\xbb" + word(0) + b"\\xb9" + word(text + len(asked))
        + b"\\xba" + word(64) + b"\\xcd\\x80"
        + b"\\xb8" + word(1) + b"\\x31\\xdb\\xcd\\x80"
    )
start = base + 84
body = code(start + len(code(0))) + asked
size = 84 + len(body)
kind = b"\\x7fELF\\x01\\x01\\x01" + bytes(9) + struct.pack("<HHI", 2, 3, 1)
kind += struct.pack("<IIIIHHHHHH", start, 52, 0, 0, 52, 32, 1, 0, 0, 0)
part = struct.pack("<8I", 1, 0, base, base, size, size + 64, 7, 0x1000)
with open("asks", "wb") as file:
    file.write(kind + part + body)
END
python3 make.py
chmod +x asks
./asks </dev/null >/dev/null 2>&1 || printf '#!/bin/sh\\nprintf "which? "\\nread answer\\n' >asks
"""
_CALLS = """cat > calls.py <<'END'
import ctypes, mmap, os, select, struct, sys
def splice():
    if not hasattr(os, "splice"):  # before Python 3.10
        return os.read(0, 100)
    ours, theirs = os.pipe()
    os.splice(0, theirs, 100)
def nested():
    inner, outer = select.epoll(), select.epoll()
    inner.register(0, select.EPOLLIN)
    outer.register(inner.fileno(), select.EPOLLIN)
    outer.poll()
    os.read(0, 100)
def polled():
    inner = select.epoll()
    inner.register(0, select.EPOLLIN)
    select.select([inner.fileno()], [], [])
    os.read(0, 100)
def uring():
    system = ctypes.CDLL(None)
    given = ctypes.create_string_buffer(120)
    ring = system.syscall(425, 2, given)
    if ring < 0:  # a container may have none
        return os.read(0, 100)
    told = struct.unpack("<30I", given.raw)
    tail, indexes = told[11], told[16]
    queue = mmap.mmap(ring, indexes + 4 * told[0], offset=0)
    entries = mmap.mmap(ring, 64 * told[0], offset=0x10000000)
    answer = ctypes.create_string_buffer(100)
    read = struct.pack("<BBHiQQI36x", 22, 0, 0, 0, 2**64 - 1, ctypes.addressof(answer), 100)
    entries[:64] = read
    queue[indexes : indexes + 4] = struct.pack("<I", 0)
    queue[tail : tail + 4] = struct.pack("<I", 1)
    system.syscall(426, ring, 1, 1, 1, None, 0)
print("which? ", end="", flush=True)
globals()[sys.argv[1]]()
END
"""
# What asks is not started by the script itself, and what has started it has ended.
_ORPHAN = """cat > orphan.sh <<'END'
mkfifo over
sh -c 'sh ask.sh </dev/tty &'
cat over
END
cat > ask.sh <<'END'
printf 'which? '
read answer
echo "$answer" >over
END
"""
SCENARIOS = (
    Scenario(
        name="an orphan asks",
        program=BASH,
        turns=(
            types("sh orphan.sh", QUESTION, shows="^which.$"),
            types("this", PROMPT, shows="^this$"),
        ),
        prepare=_ORPHAN,
    ),
    Scenario(
        name="a program of 32 bits asks",
        program=BASH,
        turns=(types("./asks", QUESTION, shows="^which.$"), types("this", PROMPT)),
        prepare=_OF_32_BITS,
        needs=("python3",),
    ),
    *(
        Scenario(
            name=f"a line is read {how}",
            program=BASH,
            turns=(
                types(f"python3 calls.py {name}", *outcomes, shows="^which.$"),
                types("this", PROMPT),
            ),
            prepare=_CALLS,
            needs=("python3",),
            by_place=name == "polled",
        )
        for how, name, outcomes in (
            ("by splice", "splice", (QUESTION,)),
            ("by an epoll descriptor in another one", "nested", (QUESTION,)),
            ("by a poll of an epoll descriptor", "polled", (QUESTION,)),
            # No kernel tells what its queue reads; one that has a thread for that tells of it.
            ("by io_uring", "uring", (STABLE, QUESTION)),
        )
    ),
)
