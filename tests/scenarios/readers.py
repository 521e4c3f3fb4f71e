"""Who reads beside other work: event loops, chats, filters behind what looks like a prompt."""

from tests.scenarios.model import (
    FULLSCREEN,
    PROMPT,
    QUESTION,
    STABLE,
    Program,
    Scenario,
    presses,
    types,
)
from tests.scenarios.shells import BASH

_CHAT = """cat > chat.py <<'END'
import sys, threading, time
def talk():
    while True:
        time.sleep(0.3)
        print("bob is here", flush=True)
threading.Thread(target=talk, daemon=True).start()
if len(sys.argv) > 1:
    import readline
while True:
    input("you say ")
    time.sleep(1)
    open("done", "w").close()
END
"""
_LOOP = """cat > loop.js <<'END'
const asks = require('readline').createInterface(process.stdin, process.stdout);
const done = () => { require('fs').writeFileSync('done', ''); asks.close(); };
if (process.argv[2] === 'ask') asks.question('your name here ', () => setTimeout(done, 1000));
const work = () => setTimeout(done, 3000);
if (process.argv[2] === 'menu') asks.question('? How old are you \\u203a ', work);
if (process.argv[2] === 'wait') { process.stdout.write('one moment '); setTimeout(done, 1500); }
if (process.argv[2] === 'work') {
  process.stdout.write('one moment ');
  require('child_process').spawn('sleep', ['1.5'], {stdio: 'inherit'}).on('exit', done);
}
END
"""
# It never sleeps in a read of the terminal.
_GAME = """cat > game.py <<'END'
import curses, sys, time
def play(window):
    window.nodelay(True)
    window.addstr(0, 0, "a game, q ends it")
    window.refresh()
    while window.getch() != ord("q"):
        time.sleep(0.05)
curses.wrapper(play)
END
cat > keys.py <<'END'
import os, time, tty
tty.setcbreak(0)
os.set_blocking(0, False)
print("Press q to leave ", end="", flush=True)
while True:
    try:
        if os.read(0, 1) == b"q":
            break
    except BlockingIOError:
        time.sleep(0.05)
os.set_blocking(0, True)
END
"""
# The cursor is hidden, and stands below all that is drawn.
_BOX = """cat > box.py <<'END'
import os, termios, tty
before = termios.tcgetattr(0)
tty.setcbreak(0)
print("\\x1b[?25l+ Where to\\n| ./app\\n+----", flush=True)
os.read(0, 1)
print("\\x1b[?25h", end="", flush=True)
termios.tcsetattr(0, termios.TCSANOW, before)
END
"""
# The text stays the same, as that of a cursor does which a program draws itself.
_BLINK = """cat > blink.py <<'END'
import os, select, socket, termios, tty
ours, theirs = socket.socketpair()
before = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"\\x1b[?1049h\\x1b[Hname: ")
style = 0
while not select.select([0, ours], [], [], 0.5)[0]:
    style = 7 - style
    os.write(1, b"\\x1b[1;7H\\x1b[%dm_\\x1b[0m" % style)
os.read(0, 1)
os.write(1, b"\\x1b[?1049l")
termios.tcsetattr(0, termios.TCSANOW, before)
END
"""
# As the header of a Textual application, whose loop has a socket of its own.
_CLOCK = """cat > clock.py <<'END'
import os, select, socket, termios, time, tty
ours, theirs = socket.socketpair()
before = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"\\x1b[?1049h\\x1b[?25l\\x1b[3Hpress q")
while not select.select([0, ours], [], [], 0.3)[0]:
    os.write(1, time.strftime("\\x1b[HForm           12:%M:%S").encode())
os.read(0, 1)
os.write(1, b"\\x1b[?25h\\x1b[?1049l")
termios.tcsetattr(0, termios.TCSANOW, before)
END
"""
# They read whole lines, and never sleep in a read of them.
_SIGNALLED = """cat > signalled.py <<'END'
import fcntl, os, signal
answers = []
signal.signal(signal.SIGIO, lambda *_: answers.append(os.read(0, 99)))
fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
flags = fcntl.fcntl(0, fcntl.F_GETFL)
fcntl.fcntl(0, fcntl.F_SETFL, flags | os.O_ASYNC)
print("How many? ", end="", flush=True)
while not answers:
    signal.pause()
fcntl.fcntl(0, fcntl.F_SETFL, flags)
END
cat > lines.py <<'END'
import os, time
os.set_blocking(0, False)
print("How many? ", end="", flush=True)
answer = b""
while not answer:
    try:
        answer = os.read(0, 99)
    except BlockingIOError:
        time.sleep(0.05)
os.set_blocking(0, True)
END
"""
# As inquirer and questionary: the cursor is hidden, and the loop has a socket of its own.
_MENU = """cat > menu.py <<'END'
import os, select, socket, time, tty, termios
ours, theirs = socket.socketpair()
before = termios.tcgetattr(0)
tty.setraw(0)
print("\\x1b[?25l? Which one? (Use arrow keys)\\r\\n> a\\r\\n  b\\r", flush=True)
select.select([0, ours], [], [])
os.read(0, 1)
print("\\x1b[3A\\x1b[J? Which one? a\\r", flush=True)
time.sleep(1)
print("\\x1b[?25h", end="", flush=True)
termios.tcsetattr(0, termios.TCSANOW, before)
open("done", "w").close()
END
"""
# As InquirerPy's fuzzy menu, which shows the cursor where it is searched.
_FUZZY = """cat > fuzzy.py <<'END'
import os, selectors, socket, time, tty, termios
ours, theirs = socket.socketpair()
loop = selectors.DefaultSelector()
loop.register(0, selectors.EVENT_READ), loop.register(ours, selectors.EVENT_READ)
before = termios.tcgetattr(0)
tty.setraw(0)
typed, key = "", "\\r\\n"
while key != "\\r":
    fit = [city for city in ("Paris", "Lyon", "Nice") if typed in city.lower()]
    print(f"{key}? Which city?", f"\\u276f {typed}  {len(fit)}/3", *fit, sep="\\r\\n", end="")
    print(f"\\r\\x1b[{len(fit)}A\\x1b[{len(typed) + 2}C", end="", flush=True)
    loop.select()
    key = os.read(0, 1).decode()
    typed += key
    key = key if key == "\\r" else "\\r\\x1b[A\\x1b[J"
print("\\r\\x1b[A\\x1b[J? Which city? Lyon\\r", flush=True)
time.sleep(1)
print()
termios.tcsetattr(0, termios.TCSANOW, before)
END
"""
SCENARIOS = (
    Scenario(
        # It is started by a daemon, in another session, and opens the terminal by its name.
        name="gpg's agent asks for a passphrase",
        program=BASH,
        turns=(
            types("gpg --homedir . -c note", FULLSCREEN, QUESTION),
            presses("C-c", PROMPT),
        ),
        prepare="chmod 700 .; touch note; echo pinentry-program $(command -v pinentry-curses) "
        ">gpg-agent.conf",
        finish="GNUPGHOME=$PWD gpgconf --kill gpg-agent",
        needs=("gpg", "pinentry-curses"),
        by_place=True,  # it has a pipe open as well
    ),
    Scenario(
        name="a screen blinks while keys are awaited",
        program=BASH,
        turns=(types("python3 blink.py", STABLE, lasts=1.5), presses("q", PROMPT)),
        prepare=_BLINK,
        needs=("python3",),
    ),
    Scenario(
        name="a clock ticks while keys are awaited",
        program=BASH,
        turns=(types("python3 clock.py", STABLE, lasts=4.0), presses("q", PROMPT)),
        prepare=_CLOCK,
        needs=("python3",),
    ),
    Scenario(
        name="a menu asks by its words",
        program=BASH,
        turns=(
            types("python3 menu.py", QUESTION, shows="Use arrow keys"),
            presses("Enter", PROMPT, lasts=1.0, shows="Which one. a$"),
        ),
        prepare=_MENU,
        needs=("python3",),
    ),
    Scenario(
        name="a menu is searched by typing",
        program=BASH,
        turns=(
            types("python3 fuzzy.py", QUESTION, shows="3/3$"),
            presses("l y", QUESTION, shows="ly  1/3$"),
            presses("Enter", PROMPT, lasts=1.0, shows="^. Which city. Lyon$"),
        ),
        prepare=_FUZZY,
        needs=("python3",),
    ),
    Scenario(
        # A shell of this prompt stands below a question that was answered, and lists what fits.
        name="a prompt stands between a question and a list",
        program=Program(command=BASH.command, env={"PS1": "\u276f "}),
        turns=(
            types("printf '? Which city? Lyon\\n'", PROMPT),
            types("printf '\\n\\n  a\\n  b\\e[3A'", PROMPT),
        ),
    ),
    Scenario(
        name="a box hides the cursor",
        program=BASH,
        turns=(types("python3 box.py", QUESTION), presses("Enter", PROMPT)),
        prepare=_BOX,
        needs=("python3",),
        by_screen=True,
    ),
    Scenario(
        name="a game looks for keys again and again",
        program=BASH,
        turns=(types("python3 game.py", FULLSCREEN, lasts=2.0), presses("q", PROMPT)),
        prepare=_GAME,
        needs=("python3",),
    ),
    Scenario(
        name="a program looks for keys again and again",
        program=BASH,
        turns=(types("python3 keys.py", STABLE, lasts=2.0), presses("x", STABLE, lasts=2.0)),
        prepare=_GAME,
        needs=("python3",),
    ),
    *(
        Scenario(
            name=f"a line is asked for by who {how}",
            program=BASH,
            turns=(types(f"python3 {program}", STABLE, lasts=2.0), types("2", PROMPT)),
            prepare=_SIGNALLED,
            needs=("python3",),
        )
        for how, program in {
            "is sent a signal then": "signalled.py",
            "looks for it again and again": "lines.py",
        }.items()
    ),
    Scenario(
        # What shows it is called bash, and has made the terminal as a line editor does.
        name="a script of bash waits behind its prompt in raw mode",
        program=BASH,
        turns=(types("bash wait.sh", PROMPT, leaves="done"),),
        prepare="""cat > wait.sh <<'END'
mkfifo never
stty raw -echo
printf '$ '
read -t 1.2 line <>never
touch done
stty sane
echo
END
""",
        needs=("stty",),
        by_tty=True,
    ),
    Scenario(
        name="a command sleeps in raw mode for 3 s",
        program=BASH,
        turns=(
            types(
                "stty raw -echo; printf 'Ready? '; sleep 3; stty sane; touch done",
                PROMPT,
                leaves="done",
            ),
        ),
        needs=("stty",),
    ),
    *(
        Scenario(
            name=f"a chat {how}",
            program=BASH,
            turns=(
                types(f"python3 chat.py {words}", QUESTION, PROMPT, timeout=5.0),
                types("hello", QUESTION, PROMPT, leaves="done", lasts=1.0),
                presses("C-c", PROMPT),
            ),
            prepare=_CHAT,
            needs=("python3",),
            by_place=bool(words),
        )
        for how, words in {
            "that the kernel reads lines for": "",
            "with a line editor": "edit",
        }.items()
    ),
    Scenario(
        name="node asks in words that nobody knows",
        program=BASH,
        turns=(
            types("node loop.js ask", QUESTION, shows="^your name here$"),
            types("me", PROMPT, leaves="done"),
        ),
        prepare=_LOOP,
        needs=("node",),
        by_place=True,
    ),
    Scenario(
        name="node asks as menus do, and works for 3 s",
        program=BASH,
        turns=(types("node loop.js menu", QUESTION), types("9", PROMPT, leaves="done")),
        prepare=_LOOP,
        needs=("node",),
    ),
    Scenario(
        name="node waits for a time behind its line editor",
        program=BASH,
        turns=(types("node loop.js wait", PROMPT, leaves="done"),),
        prepare=_LOOP,
        needs=("node",),
    ),
    Scenario(
        name="node waits for a program behind its line editor",
        program=BASH,
        turns=(types("node loop.js work", PROMPT, leaves="done"),),
        prepare=_LOOP,
        needs=("node",),
    ),
    Scenario(
        name="cat reads behind what looks like a prompt",
        program=BASH,
        turns=(types("printf 'total: 5 $ '; cat", QUESTION), presses("C-c", PROMPT)),
    ),
    Scenario(
        name="what looks like a prompt stands for 3 s",
        program=BASH,
        turns=(types("printf '$ '; sleep 3; echo; touch done", PROMPT, leaves="done"),),
    ),
    Scenario(
        name="what looks like a question stands for 3 s",
        program=BASH,
        turns=(types("printf 'Continue? [y/N] '; sleep 3; touch done", PROMPT, leaves="done"),),
    ),
    Scenario(
        name="a silence of 10 s",
        program=BASH,
        turns=(
            types(
                "printf 'Press any key'; sleep 10; touch done", PROMPT, lasts=10.0, leaves="done"
            ),
        ),
    ),
)
