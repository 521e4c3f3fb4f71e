"""Who reads in one thread, or in one process, while another of the same program works.

Each of them leaves its file as its last act, long before anybody may guess.
"""

from tests.scenarios.model import PROMPT, QUESTION, Scenario, presses, types
from tests.scenarios.shells import BASH

# A thread reads, and the first one works: by a lock with a time limit, as Java's sleep is one, by
# a sleep, by reckoning, or by waiting for a child.
_THREADS = """cat > threads.py <<'END'
import os, subprocess, sys, termios, threading, time
how, text, mode = (*sys.argv[1:], "")[:3]
before, changed = termios.tcgetattr(0), termios.tcgetattr(0)
if mode:
    changed[3] &= ~(termios.ICANON | termios.ECHO)
if mode == "edits":
    changed[0] &= ~termios.ICRNL  # as line editors do
termios.tcsetattr(0, termios.TCSANOW, changed)
def reckon():
    until = time.monotonic() + 1.2
    while time.monotonic() < until:
        pass
def work():
    if how == "lock":
        threading.Event().wait(1.2)
    if how == "sleep":
        time.sleep(1.2)
    if how == "reckon":
        reckon()
    if how == "child":
        child.wait()
    if how == "idle":
        threading.Event().wait()
answers = []
if how == "child":
    child = subprocess.Popen(["sleep", "1.2"])
threading.Thread(target=lambda: answers.append(os.read(0, 99)), daemon=True).start()
print(text, end="", flush=True)
work()
open("done", "w").close()
termios.tcsetattr(0, termios.TCSANOW, before)
print()
END
"""
_JAVA = """cat > Asks.java <<'END'
import java.io.File;
public class Asks {
    static void read() { try { System.in.read(); } catch (Exception error) { } }
    public static void main(String[] words) throws Exception {
        boolean works = words.length > 0;
        Thread reader = new Thread(Asks::read);
        reader.setDaemon(true);
        if (works) reader.start();
        System.out.print(works ? words[0] : "which? ");
        System.out.flush();
        if (works) Thread.sleep(1200); else read();
        new File("done").createNewFile();
        System.out.println();
        // If it ended by itself, it would wait up to 0.3 s for the thread that reads: a question.
        String own = "" + ProcessHandle.current().pid();
        if (works) new ProcessBuilder("kill", "-9", own).start().waitFor();
    }
}
END
javac Asks.java
"""
_LOOPS = """cat > loop.py <<'END'
import os, select, socket, subprocess, sys, termios, tty
text, is_raw = sys.argv[1], len(sys.argv) > 2
ours, theirs = socket.socketpair()
before = termios.tcgetattr(0)
if is_raw:
    tty.setcbreak(0)
work = ["sh", "-c", "sleep 1.2; touch done; echo"]
subprocess.Popen(work, stdin=theirs, stdout=theirs)
theirs.close()
print(text, end="", flush=True)
while not select.select([0, ours], [], [])[0] == [ours]:
    os.read(0, 99)
termios.tcsetattr(0, termios.TCSANOW, before)
print()
END
cat > timer.js <<'END'
const asks = require('readline').createInterface(process.stdin, process.stdout);
asks.setPrompt(process.argv[2]);
asks.prompt();
setTimeout(() => { require('fs').writeFileSync('done', ''); asks.close(); }, 1200);
END
"""
_QUESTION, _PROMPT, _SHELL = "'which? '", "'work> '", "'$ '"
# The prompts of REPLs, which their scripts may show as well.
_OF_PYTHON, _OF_NODE = "'>>> '", "'> '"
_PYTHON_WORKS = {
    "sleeps": "sleep",
    "waits for a lock for a time": "lock",
    "reckons": "reckon",
    "waits for a child": "child",
}
SCENARIOS = (
    *(
        Scenario(
            name=f"a thread reads behind {text} while another one {how}",
            program=BASH,
            turns=(types(f"python3 threads.py {word} {text}", PROMPT, leaves="done"),),
            prepare=_THREADS,
            needs=("python3",),
        )
        for how, word in _PYTHON_WORKS.items()
        for text in (_QUESTION, _PROMPT)
    ),
    *(
        Scenario(
            name=f"a thread reads {what} behind {text} while another one {how}",
            program=BASH,
            turns=(types(f"python3 threads.py {word} {text} {mode}", PROMPT, leaves="done"),),
            prepare=_THREADS,
            needs=("python3",),
        )
        for how, word in list(_PYTHON_WORKS.items())[:2]
        for text in (_QUESTION, _OF_PYTHON)
        for what, mode in (("keys", "keys"), ("with a line editor", "edits"))
    ),
    Scenario(
        name="a thread asks while another one waits for it",
        program=BASH,
        turns=(
            types(f"python3 threads.py idle {_QUESTION}", QUESTION, shows="^which.$"),
            presses("C-c", PROMPT),
        ),
        prepare=_THREADS,
        needs=("python3",),
        by_place=True,  # where only the function of the kernel is told, a lock may have a limit
    ),
    Scenario(
        name="Java asks",
        program=BASH,
        turns=(
            types("java -cp . Asks", QUESTION, shows="^which.$"),
            types("this", PROMPT, leaves="done"),
        ),
        prepare=_JAVA,
        needs=("java", "javac"),
    ),
    *(
        Scenario(
            name=f"Java works behind {text} while a thread reads",
            program=BASH,
            turns=(types(f"java -cp . Asks {text}", PROMPT, leaves="done"),),
            prepare=_JAVA,
            needs=("java", "javac"),
        )
        for text in (_QUESTION, _SHELL)
    ),
    *(
        Scenario(
            name=f"a loop reads behind {text} and awaits a child{' in raw mode' * bool(raw)}",
            program=BASH,
            turns=(types(f"python3 loop.py {text} {raw}", PROMPT, leaves="done"),),
            prepare=_LOOPS,
            needs=("python3",),
        )
        for text in (_QUESTION, _PROMPT)
        for raw in ("", "raw")
    ),
    *(
        Scenario(
            name=f"node's line editor shows {text} before its time is over",
            program=BASH,
            turns=(types(f"node timer.js {text}", PROMPT, leaves="done"),),
            prepare=_LOOPS,
            needs=("node",),
        )
        for text in (_QUESTION, _PROMPT, _OF_NODE)
    ),
    Scenario(
        name="node is given code that shows its prompt before its time is over",
        program=BASH,
        turns=(types(f'node -e "$(cat timer.js)" -- 0 {_OF_NODE}', PROMPT, leaves="done"),),
        prepare=_LOOPS,
        needs=("node",),
    ),
)
