"""Commands that run: silent, loud, and with output that looks like a prompt or a question."""

from tests.scenarios.model import (
    PROMPT,
    QUESTION,
    TIMEOUT,
    Program,
    Scenario,
    Turn,
    presses,
    types,
)
from tests.scenarios.shells import BASH, DASH, FISH, ZSH


def _runs(
    command: str,
    name: str = "",
    *,
    lasts: float = 0.0,
    shows: str = "",
    by_screen: bool = False,
    needs: str = "",
    prepare: str = "",
    program: Program = BASH,
) -> Scenario:
    """Return a scenario with one command, after which `done` is left and a prompt comes."""
    turn = types(f"{command}; touch done", lasts=lasts, leaves="done", shows=shows)
    return Scenario(
        name=name or command,
        program=program,
        turns=(turn,),
        prepare=prepare,
        needs=tuple(needs.split()),
        by_screen=by_screen,
    )


def _turns(
    name: str, *turns: Turn, by_screen: bool = False, needs: str = "", prepare: str = ""
) -> Scenario:
    """Return a scenario of several turns in bash."""
    return Scenario(
        name=name,
        program=BASH,
        turns=turns,
        prepare=prepare,
        needs=tuple(needs.split()),
        by_screen=by_screen,
    )


_SLEEP = types("sleep 0.5; touch done", leaves="done")

_LOUD = (
    _runs("seq 1 200000", by_screen=True),
    _runs("yes | head -n 300000", by_screen=True),
    _runs("yes 'me@host:~$ ' | head -n 100000", "a flood of prompts"),
    _runs("head -c 300000 /dev/zero | tr '\\0' x", "a flood without a line break"),
    _runs("seq 1 200000", "a flood in zsh", program=ZSH),
    _runs("seq 1 200000", "a flood in fish", program=FISH),
    _turns("a flood is interrupted", types("yes", TIMEOUT, timeout=0.5), presses("C-c"), _SLEEP),
    _runs(
        "for i in 1 2 3 4 5; do for c in '|' / -; do printf \"\\r$c \"; sleep 0.05; done; done",
        "a spinner",
        by_screen=True,
    ),
    _runs(
        'for i in 10 40 70 100; do printf "\\rDownloading $i%%"; sleep 0.2; done; echo',
        "a progress bar with per cent",
        by_screen=True,
    ),
    _runs(
        "for i in '#   ' '##  ' '### ' '####'; do printf \"\\r[$i] \"; sleep 0.2; done; echo",
        "a progress bar in brackets",
        by_screen=True,
    ),
    _runs(
        'for i in 1 2 3; do printf "\\rfile $i > "; sleep 0.3; done; echo',
        "progress that ends like a prompt",
        by_screen=True,
    ),
    _runs(
        'for i in 10 50 90; do echo "Downloading $i%"; sleep 0.3; done',
        "lines of progress",
        by_screen=True,
    ),
    _runs("for i in 1 2 3 4; do printf .; sleep 0.2; done; echo ' ok $'", "dots", by_screen=True),
    _runs("for i in 1 2 3 4 5 6; do date +%N; sleep 0.1; done", "a slow output", by_screen=True),
)

_LURES = (
    _runs("echo '100%'; sleep 0.6", "a per cent sign and silence", by_screen=True),
    _runs("echo '<html>'; sleep 0.6", "an angle and silence", by_screen=True),
    _runs("printf 'total: 5 $\\n'; sleep 0.6", "a dollar and silence", by_screen=True),
    _runs("printf '100%%'; sleep 0.6; echo", "a per cent sign at the cursor", by_screen=True),
    _runs("printf '<html>'; sleep 0.6; echo", "an angle at the cursor", by_screen=True),
    _runs("printf 'total: 5 $ '; sleep 0.6; echo", "a dollar at the cursor", by_screen=True),
    _runs("printf '$ '; sleep 0.6; echo", "the prompt itself at the cursor"),
    _runs("printf '$ \\e[?25l'; sleep 0.6; printf '\\e[?25h'", "a prompt without a cursor"),
    _runs("printf '>>> '; sleep 0.6; echo", "Python's prompt at the cursor", by_screen=True),
    _runs("printf '> '; sleep 0.6; echo", "a continuation at the cursor"),
    _runs("printf 'Password: '; sleep 0.8; echo", "a password that nobody reads"),
    _runs("printf 'Continue? [y/N] '; sleep 0.8; echo y", "a question that nobody reads"),
    _runs("printf 'Press any key'; sleep 0.8", "a key that nobody reads"),
    _runs("printf 'Waiting for server: '; sleep 2.3", "a long silence after a colon"),
    _runs("bash --norc -c 'printf \"$ \"; sleep 0.6'", "a prompt of a child", needs="bash"),
    _runs("printf '\\e[1;1H$ '; sleep 0.6", "a prompt at the top of the screen"),
    _runs("printf '\\rsleeping $ '; sleep 0.6; printf '\\r'", "a prompt in the same row"),
)

_SILENT = (
    _runs("sleep 0.6 | cat", by_screen=True),
    _runs("(sleep 0.6)", by_screen=True),
    _runs("sh -c 'sleep 0.6; echo one $'", shows="^one"),
    _runs("sleep 0.6 | xargs echo got", by_screen=True),
    _runs("echo 0.6 | xargs sleep"),
    _runs("sleep 0.6 | while read x; do echo $x; done", "a loop that reads a pipe"),
    _runs("(sleep 0.6; echo x) | (read x; echo got $x)", shows="^got x$"),
    _runs("sleep 0.6 | python3 -c 'import sys; print(len(sys.stdin.read()))'", needs="python3"),
    _runs("time sleep 0.6", by_screen=True),
    _runs("timeout 0.6 sleep 60", by_screen=True, needs="timeout"),
    _runs("timeout --foreground 0.6 sleep 60", needs="timeout"),
    _runs("env nice sleep 0.6"),
    _runs("setsid --wait sleep 0.6", needs="setsid"),
    _runs("nohup sleep 0.6 2>&1"),
    _runs("cat < <(sleep 0.6)"),
    _runs("x=$(sleep 0.6; echo y); echo $x", shows="^y$"),
    _runs("sleep 0.6 < /dev/null > /dev/null 2>&1"),
    _runs("eval 'sleep 0.3; sleep 0.3'"),
    _runs("read -t 0.6 x < <(sleep 60)", "bash reads a pipe with a time limit"),
    _runs("sleep 0.6 & wait", by_screen=True),
    _runs("sleep 0.6 & sleep 0.2; wait $!", "a wait for a job"),
    _runs("for ((i = 0; i < 100000; i++)); do :; done", "a busy loop", by_screen=True),
    _runs("repeat 100000 do :; done", "a busy loop in zsh", program=ZSH),
    _runs("python3 -c 'sum(range(10 ** 7))'", "a busy Python", needs="python3"),
    _runs("python3 -c 'import time; time.sleep(0.6)'", "a sleeping Python", needs="python3"),
    _runs("sleep 0.3; sleep 0.3", "two commands in dash", program=DASH),
    _runs("true; for i in $(seq 50); do sleep 0.01; done", "many short commands"),
    _runs("for i in $(seq 100); do /bin/true; done", "a hundred processes"),
)

_THREAD = """\
import sys, threading, time
threading.Thread(target=lambda: list(sys.stdin), daemon=True).start()
time.sleep(0.7)"""
_POLL = """\
import select, sys, time
end = time.monotonic() + 0.7
while time.monotonic() < end:
    select.select([], [], [], 0.05)"""
_RELAY = """\
import os, pty, select, sys, time, tty
pid, far = pty.fork()
if pid == 0:
    os.execvp("bash", ["bash", "--norc", "--noprofile"])
tty.setraw(0)
while True:
    ready, _, _ = select.select([0, far], [], [])
    if far in ready:
        os.write(1, os.read(far, 65536))
    if 0 in ready:
        typed = os.read(0, 65536)
        time.sleep(0.25)
        os.write(far, typed)"""


def _script(text: str) -> str:
    return f"cat > script.py << 'END'\n{text}\nEND"


_TERMINAL = (
    _runs("stty -echo; sleep 0.6; stty echo", "a command without echo"),
    _runs("stty raw; sleep 0.6; stty sane", "a command in raw mode"),
    _runs(
        "stty raw -echo; printf '$ '; sleep 0.6; stty sane", "a prompt that is a lie in raw mode"
    ),
    _runs("stty -icanon min 0; sleep 0.6; stty sane", "a command that takes keys one by one"),
    _runs(
        "tput smcup; sleep 0.6; tput rmcup", "the alternate screen, and nobody reads", needs="tput"
    ),
    _runs("tput civis; sleep 0.6; tput cnorm", "a hidden cursor", by_screen=True, needs="tput"),
    _runs("clear; sleep 0.6", "a cleared screen and silence", by_screen=True),
    _runs("tput reset; sleep 0.6", "a reset and silence", by_screen=True, needs="tput"),
    _turns("a reset of the terminal", types("printf '\\ec'"), types("printf '\\ec'"), _SLEEP),
    _turns("a title", types("printf '\\e]0;busy\\a'"), _SLEEP, by_screen=True),
    _turns(
        "a terminal that was left raw",
        types("stty raw -echo", PROMPT),
        _SLEEP,
        types("rm done"),
        _SLEEP,
        types("stty sane"),
        types("echo fine", shows="^fine$"),
    ),
    _turns(
        "a program that is killed while raw",
        types("sh -c 'stty raw -echo; sleep 0.4; kill -9 $$'", lasts=0.4),
        _SLEEP,
        types("stty sane"),
        types("echo fine", shows="^fine$"),
    ),
    _turns(
        "a program that was killed on the alternate screen",
        types("tput smcup; sh -c 'kill -9 $$'"),
        _SLEEP,
        types("rm done; tput rmcup"),
        _SLEEP,
        needs="tput",
    ),
    _runs("python3 script.py", "a thread that reads", needs="python3", prepare=_script(_THREAD)),
    _runs("python3 script.py", "a program that polls", needs="python3", prepare=_script(_POLL)),
)

_READERS = (
    _turns("a line without a question", types("cat", QUESTION), presses("C-d"), _SLEEP),
    _turns("cat repeats", types("cat", QUESTION), types("a", QUESTION), presses("C-c"), _SLEEP),
    _turns("a reader behind a pipe", types("cat | cat", QUESTION), presses("C-d"), _SLEEP),
    _turns(
        "bash asks for a line",
        types("sleep 0.4; read -p 'Name: ' x; sleep 0.4; echo $x", QUESTION, lasts=0.4),
        types("me", lasts=0.4, shows="^me$"),
        by_screen=True,
    ),
    _turns("bash asks for an amount", types("read -p 'Amount in $ ' x", QUESTION), types("5")),
    _turns(
        "bash asks for a key",
        types("read -n1 -p 'Key? ' x; sleep 0.4", QUESTION),
        presses("y", lasts=0.4),
        by_screen=True,
    ),
    _turns(
        "cat with a time limit",
        types("timeout 60 cat", QUESTION),
        presses("C-d"),
        _SLEEP,
        needs="timeout",
    ),
    _turns(
        "a reader in another session",
        types("setsid -w cat", QUESTION),
        types("a", QUESTION, shows="^a$"),
        presses("C-d"),
        _SLEEP,
        needs="setsid",
    ),
    _turns(
        "a reader in another session, after work",
        types(
            "setsid -w sh -c 'sleep 0.7; touch done; read x'", QUESTION, lasts=0.7, leaves="done"
        ),
        types("a"),
        needs="setsid",
    ),
    Scenario(
        name="a reader in another session than the pane's",
        program=Program(command=("setsid", "-w", "cat"), first=QUESTION),
        turns=(types("a", QUESTION, shows="^a$"),),
    ),
    _runs(
        "python3 pipe.py",
        "a child is listened to behind what looks like a question",
        lasts=3.0,
        needs="python3",
        prepare="""cat > pipe.py << 'END'
import subprocess
print("Compiling: ", end="", flush=True)
subprocess.run("sleep 3; echo done", shell=True, capture_output=True)
END""",
    ),
    _turns("nobody answers in time", types("read -t 1 x", lasts=1.0), _SLEEP),
)

_BARS = tuple(
    _runs(
        f'python3 -c "import time; print({bar!r}, end=str(), flush=True); time.sleep(3)"',
        f"{what} stands still for 3 s",
        by_screen=True,
        needs="python3",
    )
    for what, bar in {
        "a share": "Downloading 45% ",
        "a bar": " 50%|##  | 2/4 [00:01<00:01, 2.0it/s]",
    }.items()
)

_JOBS = (
    _turns(
        "a job that prints later",
        types("(sleep 1.5; echo late) &"),
        types("sleep 2", lasts=2, shows="late"),
        types("echo hi", shows="^hi$"),
        by_screen=True,
    ),
    _turns(
        "a job that prints at the prompt",
        types("(sleep 0.3; echo late) & sleep 0.1"),
        types("", PROMPT, QUESTION, shows="late"),  # on a busy machine it may come right here
        _SLEEP,
    ),
    # After each tick the cursor stands at the margin, so a prompt and a read look the same.
    _turns(
        "a job that prints all the time",
        types("(for i in 1 2 3 4 5 6 7 8; do sleep 0.1; echo $i; done) &", PROMPT, QUESTION),
        types("sleep 1; touch done", lasts=1, leaves="done"),
    ),
    _turns("a job that wants to read", types("cat &"), types("kill %1"), _SLEEP, by_screen=True),
    _turns("a job that is waited for", types("sleep 0.9 &"), types("wait", lasts=0.4), _SLEEP),
    _turns("a job in the foreground", types("sleep 0.8 &"), types("fg", lasts=0.6), _SLEEP),
    _turns("a daemon", types("nohup setsid sleep 5 > /dev/null 2>&1 &"), _SLEEP, needs="setsid"),
)

_FAR = (
    Scenario(
        name="a slow relay",
        program=Program(command=("python3", "script.py"), env={"PS1": "far$ "}),
        turns=tuple(types(f"sleep 0.4; touch {n}", leaves=str(n), lasts=0.6) for n in range(3)),
        prepare=_script(_RELAY),
    ),
)

SCENARIOS = (*_LOUD, *_LURES, *_SILENT, *_TERMINAL, *_READERS, *_BARS, *_JOBS, *_FAR)
