"""Who reads, and is woken by a daemon or a time limit before a person has answered.

Each of them leaves its file as its last act, long before anybody may guess.
"""

from tests.scenarios.model import PROMPT, Scenario, types
from tests.scenarios.shells import BASH

# A daemon that is nobody's child answers after a while; the program waits for it and for keys.
_DAEMON = """cat > daemon.py <<'END'
import os, socket, sys, time
family, address = (socket.AF_INET, ("127.0.0.1", 0))
if sys.argv[1] == "unix":
    family, address = (socket.AF_UNIX, "address")
server = socket.socket(family)
server.bind(address)
server.listen()
with open("port.new", "w") as file:
    file.write(str(server.getsockname()[1]))
os.rename("port.new", "port")
connection, _ = server.accept()
connection.recv(1)
time.sleep(1.2)
connection.send(b"x")
connection.recv(1)
END
cat > client.py <<'END'
import os, select, socket, sys, termios, tty
kind, text, mode = (*sys.argv[1:], "")[:3]
if kind == "unix":
    connection = socket.socket(socket.AF_UNIX)
    connection.connect("address")
else:
    connection = socket.create_connection(("127.0.0.1", int(open("port").read())))
before = termios.tcgetattr(0)
if mode:
    changed = termios.tcgetattr(0)
    changed[3] &= ~(termios.ICANON | termios.ECHO)
    if mode == "edits":
        changed[0] &= ~termios.ICRNL
    termios.tcsetattr(0, termios.TCSANOW, changed)
print(text, end="", flush=True)
connection.send(b"x")
poll = select.poll()
for file in (0, connection.fileno()):
    poll.register(file, select.POLLIN)
while poll.poll() != [(connection.fileno(), select.POLLIN)]:
    os.read(0, 99)
termios.tcsetattr(0, termios.TCSANOW, before)
open("done", "w").close()
print()
END
"""
_START = """setsid python3 daemon.py {} >/dev/null 2>&1 </dev/null &
echo $! >daemon
until test -s port; do sleep 0.02; done
"""
_END = "kill $(cat daemon)"
# A line editor's modes, and a wait that ends by itself; or steps of a moment each.
_POLLS = """cat > polls.py <<'END'
import os, select, sys, termios, time
text, mode, limit = sys.argv[1], sys.argv[2], float(sys.argv[3])
before, changed = termios.tcgetattr(0), termios.tcgetattr(0)
changed[3] &= ~(termios.ICANON | termios.ECHO)
if mode == "edits":
    changed[0] &= ~(termios.ICRNL | termios.INLCR)
if mode == "raw":
    changed[0] &= ~termios.ICRNL
    changed[3] &= ~termios.ISIG
termios.tcsetattr(0, termios.TCSANOW, changed)
print(text, end="", flush=True)
over = time.monotonic() + 1.2
while time.monotonic() < over:
    select.select([0], [], [], min(limit, max(over - time.monotonic(), 0)))
termios.tcsetattr(0, termios.TCSANOW, before)
open("done", "w").close()
print()
END
"""
_TEXTS = ("'which? '", "'$ '", "'>>> '")


def _scenario(name: str, command: str, prepare: str, *needs: str, finish: str = "") -> Scenario:
    return Scenario(
        name=name,
        program=BASH,
        turns=(types(command, PROMPT, leaves="done"),),
        prepare=prepare,
        finish=finish,
        needs=needs,
    )


SCENARIOS = (
    *(
        _scenario(
            f"a daemon answers by {kind} what reads {what} behind {text}",
            f"python3 client.py {kind} {text} {mode}",
            _DAEMON + _START.format(kind),
            "python3",
            "setsid",
            finish=_END,
        )
        for kind in ("unix", "tcp")
        for text in _TEXTS
        for what, mode in (("lines", ""), ("keys", "keys"), ("as a line editor", "edits"))
    ),
    *(
        _scenario(
            f"what polls {how} for {limit} s shows {text}",
            f"python3 polls.py {text} {mode} {limit}",
            _POLLS,
            "python3",
        )
        for text in _TEXTS
        for how, mode in (("as a line editor", "edits"), ("in raw mode", "raw"))
        for limit in (1.2, 0.04)
    ),
)
